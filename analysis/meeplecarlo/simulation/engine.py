"""The compiled game and line-up of a plan, ready to play any of its games."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

import joblib
import numpy as np

from meeplecarlo import compiled
from meeplecarlo.compiled import MAX_SEATS, records
from meeplecarlo.errors import MeeplecarloError, PlayerError
from meeplecarlo.registry import get_game
from meeplecarlo.simulation import play
from meeplecarlo.simulation.design import seat_players, weight_rows
from meeplecarlo.simulation.plan import Plan
from meeplecarlo.simulation.search import BAD_POLICY, N_STATES, search_kernel


class Engine:
    """The compiled game and line-up of a plan, ready to play any of its games."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.game = game = get_game(plan.variant.game)
        self.rules = plan.variant.make_rules(len(plan.lineup))
        self.weights = weight_rows(game.name, plan.lineup, self.rules)
        chosen = [game.compiled_player(game.player(spec.player)) for spec in plan.lineup]
        self.players = tuple(chosen + chosen[:1] * (MAX_SEATS - len(chosen)))
        self.simulations = np.zeros(MAX_SEATS, np.int64)
        self.simulations[: len(plan.lineup)] = [spec.simulations for spec in plan.lineup]
        self.protocol = {name: game.compiled(name) for name in game.signatures.functions}
        self.search = search_kernel(game, needed=bool(self.simulations.any()))
        self.play = play.play_kernel(game)
        self.deal_many = play.deal_kernel(game)
        self.max_decisions = game.max_decisions(len(plan.lineup))

    def seating_of(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (deals, seating) of games: int64, shapes (n,) and (n, MAX_SEATS)."""
        seatings = self.plan.design.seatings
        deals = games // seatings
        seating = np.zeros((len(games), MAX_SEATS), np.int64)
        seat_players(np.uint64(self.plan.seed), deals, games % seatings, len(self.plan.lineup), seating)
        return deals, seating

    def dealt(self, deals: np.ndarray) -> np.ndarray:
        """Return freshly dealt positions, STATE, shape (n,)."""
        states = records(len(deals), self.game.module("state").STATE)
        self.deal_many(self.rules, states, np.uint64(self.plan.seed), deals, self.protocol["deal"])
        return states

    def play_games(self, games: np.ndarray, keep: bool, stop: np.ndarray | None = None, done=None) -> dict:
        """Play games by number and return the records of what happened.

        Parameters
        ----------
        games : ndarray of int64
        keep : bool
            Whether to record decisions, scored items and points by round.
        stop : ndarray of uint8, shape (1,), optional
            Set to 1 from another thread to give up; the result is then empty.
        done : ndarray of int64, optional
            Its first entry counts the games played, for a progress bar in another thread.

        Raises
        ------
        PlayerError
            If a player returns an index that is not one of a legal move.
        """
        game, n = self.game, len(self.plan.lineup)
        state = game.module("state")
        deals, seating = self.seating_of(games)
        per_game = (self.max_decisions, game.lines_per_seat * n, game.max_rounds * n)
        rows = [count * len(games) if keep else 0 for count in per_game]
        decisions = records(rows[0], play.DECISION)
        lines, line_games = records(rows[1], state.LINE), np.empty(rows[1], np.uint32)
        rounds = records(rows[2], play.ROUND_POINTS)
        outcomes = records(len(games), play.OUTCOME)
        standings = records((len(games), MAX_SEATS), play.STANDING)
        finals = records(len(games) if game.module("view").GAME_COLUMNS else 0, state.STATE)
        progress = np.zeros(play.PROGRESS_SIZE, np.int64) if done is None else done
        progress[:] = 0
        self.play(
            self.rules, records(N_STATES, state.STATE), self.max_decisions, game.max_rounds, game.shared_result,
            np.uint64(self.plan.seed), games, deals, seating, *self.protocol.values(), self.search,
            self.players, self.weights, self.simulations,
            np.empty(game.max_options, np.int32), records(per_game[1], state.LINE),
            keep, decisions, lines, line_games, rounds, outcomes, standings, finals, progress,
            np.zeros(1, np.uint8) if stop is None else stop,
        )  # fmt: skip
        self._raise_on_fault(progress, games, seating)
        if progress[play.STATUS] == play.STOPPED:
            return {}
        return {
            "games": games,
            "deals": deals,
            "rotations": games % self.plan.design.seatings,
            "seating": seating,
            "decisions": decisions[: progress[play.N_DECISIONS]],
            "lines": lines[: progress[play.N_LINES]],
            "line_games": line_games[: progress[play.N_LINES]],
            "rounds": rounds[: progress[play.N_ROUNDS]],
            "outcomes": outcomes,
            "standings": standings,
            "finals": finals,
        }

    def _raise_on_fault(self, progress: np.ndarray, games: np.ndarray, seating: np.ndarray) -> None:
        status = progress[play.STATUS]
        if status not in (play.BAD_PLAYER, play.BAD_RULES):
            return
        index = progress[play.GAMES_DONE]
        seat, ply = progress[play.BAD_SEAT], progress[play.BAD_PLY]
        label = self.plan.lineup[seating[index, seat]].label
        where = f"at game {games[index]}, ply {ply} (seed {self.plan.seed})"
        if status == play.BAD_RULES:
            raise MeeplecarloError(f"the rules of {self.game.title} refuse their own move {progress[play.BAD_INDEX]} "
                                   f"of seat {seat} {where}.")  # fmt: skip
        if progress[play.BAD_INDEX] == BAD_POLICY:
            raise PlayerError(f"the policy of {label!r} (seat {seat}) returned an index that is none of a legal move, "
                              f"in a playout {where}.")  # fmt: skip
        raise PlayerError(
            f"player {label!r} (seat {seat}) returned the index {progress[play.BAD_INDEX]} {where}; "
            f"it must be from 0 to {progress[play.BAD_OPTIONS] - 1}."
        )


@lru_cache(maxsize=4)
def engine_for(plan: Plan) -> Engine:
    """Return the engine of a plan; a worker process builds it once."""
    return Engine(plan)


def compile_one(game: str, kind: str, name: str) -> None:
    """Compile one function of a game into the disk cache: a ``player``, a ``protocol`` function or a ``kernel``."""
    entry = get_game(game)
    if kind == "player":
        entry.compiled_player(entry.player(name))
    elif kind == "protocol":
        entry.compiled(name)
    else:
        kernels = {"play": play.play_kernel, "search": lambda g: search_kernel(g, needed=True)}
        kernels[name](entry)


def warm_up(plan: Plan, say: Callable[[str], None]) -> Engine:
    """Compile all that the plan needs, before any thread or worker does, and say so if it will take a while.

    Functions are independent of each other, so the first time each is compiled by a process of its own, as many at a
    time as there are cores; then all are loaded from the disk cache.
    """
    game = plan.variant.game
    items = [("kernel", "play")]
    items += [("kernel", "search")] if any(spec.simulations for spec in plan.lineup) else []
    items += [("player", name) for name in sorted({spec.player for spec in plan.lineup})]
    items += [("protocol", name) for name in ("apply", "deal", "legal", "redeal", "tally", "observe")]
    missing = [item for item in items if not compiled.is_compiled("-".join((game, *item)))]
    if missing:
        say(f"Compiling {game} for this machine (once; some seconds) ...")
        if compiled.cache_is_shared() and len(missing) > 1:
            with suppress(OSError):  # no processes here: then everything is compiled below, one after the other
                jobs = min(len(missing), joblib.cpu_count())
                joblib.Parallel(n_jobs=jobs)(joblib.delayed(compile_one)(game, *item) for item in missing)
    engine = engine_for(plan)
    engine.seating_of(np.zeros(1, np.int64))
    for item in missing:
        compiled.mark_compiled("-".join((game, *item)))
    return engine
