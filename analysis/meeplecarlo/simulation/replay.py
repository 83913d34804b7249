"""One game of a run again, decision by decision, from the seed and the logged moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from meeplecarlo.compiled import MAX_SEATS, MAX_TIES, records
from meeplecarlo.errors import StoreError, UsageError
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import plan_of
from meeplecarlo.store.dataset import Run
from meeplecarlo.store.files import write_atomically


@dataclass
class Replay:
    """A game that can be walked through.

    Attributes
    ----------
    engine : Engine
    number : int
        The game's number in its run.
    moves : ndarray of int64, shape (decisions,)
        Move codes by ply.
    seating : list of str
        Label of the player in each seat.
    """

    engine: Engine
    number: int
    moves: np.ndarray
    seating: list[str]

    def positions(self) -> Iterator[tuple[np.recarray, int | None]]:
        """Yield (position, move about to be played) before every decision, and (final position, None) at the end.

        The position is one STATE record that changes from step to step.
        """
        engine = self.engine
        states = engine.dealt(np.array([self.number // engine.plan.design.seatings]))
        for ply, move in enumerate(self.moves):
            yield states, int(move)
            if not engine.protocol["apply"](engine.rules[0], states[0], int(move)):
                raise StoreError(f"game {self.number}: the move {move} at ply {ply} is not legal; the log was changed "
                                 "or the rules were.")  # fmt: skip
        yield states, None

    def final(self) -> np.recarray:
        """Return the final position, STATE, shape (1,)."""
        *_, (states, _) = self.positions()
        return states

    def score_lines(self) -> np.recarray:
        """Return the scored items of the final position, LINE, shape (n,)."""
        engine = self.engine
        lines = records(engine.game.lines_per_seat * len(self.seating), engine.game.module("state").LINE)
        ties = np.zeros((MAX_SEATS, MAX_TIES), np.int32)
        n = engine.protocol["tally"](engine.rules[0], self.final()[0], lines, ties)
        return lines[:n]

    def lines(self) -> Iterator[str]:
        """Yield the game as text: the deal, a line for every decision, the final position and the scores."""
        game, rules = self.engine.game, self.engine.rules
        view = game.module("view")
        yield f"{game.title}, game {self.number} of seed {self.engine.plan.seed}: " + ", ".join(
            f"seat {seat} {label}" for seat, label in enumerate(self.seating)
        )
        last_round = 0
        width = max(map(len, game.phases)) + 2
        for ply, (states, move) in enumerate(self.positions()):
            state = states[0]
            if move is None:
                yield ""
                yield from view.position_text(rules, states)
                break
            if state["round_number"] != last_round:
                last_round = int(state["round_number"])
                yield f"\nRound {last_round}"
            words = view.describe_move(rules, states, move)
            yield f"  {ply:4d}  seat {state['seat']}  {game.phases[int(state['phase'])]:{width}}{words}"
        yield ""
        yield from self._scores()

    def _scores(self) -> Iterator[str]:
        game, lines = self.engine.game, self.score_lines()
        for seat, label in enumerate(self.seating):
            own = lines[lines["seat"] == seat]
            parts = [
                f"{name} {own['points'][own['category'] == code].sum()}"
                for code, name in enumerate(game.categories)
                if (own["category"] == code).any()
            ]
            yield f"seat {seat}  {int(own['points'].sum()):4d} points  {label}: {', '.join(parts)}"

    def save_picture(self, path: Path) -> None:
        """Draw the final position into a PNG, SVG or PDF file."""
        import io

        from matplotlib.figure import Figure

        kind = path.suffix.lstrip(".").lower()
        if kind not in ("png", "svg", "pdf"):
            raise UsageError(f"a picture is a .png, .svg or .pdf file, got {str(path)!r}.")
        figure = Figure(layout="constrained")
        self.engine.game.module("view").draw_position(self.engine.rules, self.final(), self.seating, figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=kind, dpi=150)
        write_atomically(path, buffer.getvalue())


def replay_game(run: Run, number: int) -> Replay:
    """Return game `number` of a run, ready to be walked through.

    The moves come from the log; where the run kept none, the players play the game again.

    Raises
    ------
    UsageError
        If the run has no such game.
    """
    plan = plan_of(run.manifest)
    if not 0 <= number < plan.design.n_games:
        raise UsageError(f"the run has the games 0 to {plan.design.n_games - 1}, got {number}.")
    engine = Engine(plan)
    games = np.array([number])
    _, seating = engine.seating_of(games)
    labels = [plan.lineup[who].label for who in seating[0, : len(plan.lineup)]]
    if run.has("moves"):
        logged = run.moves.filter(pl.col("game") == number).sort("ply").select("move").collect()
        moves = logged["move"].to_numpy()
        # A game may have ended before its first decision: it has no moves, but a row in `games`.
        if not len(moves) and run.games.filter(pl.col("game") == number).collect().is_empty():
            raise UsageError(f"game {number} is not among the {run.n_games} games that were finished.")
    else:
        moves = np.asarray(engine.play_games(games, keep=True)["decisions"]["move"])
    return Replay(engine, number, moves, labels)
