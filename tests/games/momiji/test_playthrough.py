"""One game, word for word: whatever changes in deals, rules, codes, players' noise or scores shows as a changed line.

A change that is meant belongs in the changelog under **Results change**; then write the file anew and read its diff:

    python -m tests.games.momiji.test_playthrough --write
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from meeplecarlo.compiled import MAX_SEATS, MAX_TIES, records
from meeplecarlo.games.momiji.state import N_SEATS
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import make_plan
from tests.golden import facts, wrapped

GOLDEN = Path(__file__).with_name("playthrough.txt")
GAME, SEATS, SEED = "momiji", 3, 2021


def words(engine: Engine, phase: int, move: int) -> str:
    """Return a move in the words of the log's own columns."""
    columns = engine.game.module("view").move_columns(np.array([phase], np.uint8), np.array([move], np.int32))
    return ", ".join(f"{column.name} {column[0]}" for column in columns if column[0] is not None)


def playthrough() -> list[str]:
    """Return the game as lines of text."""
    engine = Engine(make_plan(GAME, ["random"] * SEATS, 1, SEED))
    game, rules = engine.game, engine.rules[0]
    state_module = game.module("state")
    played = engine.play_games(np.zeros(1, np.int64), keep=True)
    states = records(2, state_module.STATE)
    states[:1] = engine.dealt(np.zeros(1, np.int64))
    state, view = states[0], states[1]
    moves = np.empty(game.max_options, np.int32)
    lines = [
        f"{game.title}, {SEATS} seats, players random, seed {SEED}, game 0; types in codes count from 0",
        "",
    ]
    deal = game.module("view").deal_columns(engine.rules, states[:1])
    lines += [line for column in deal for line in wrapped(f"{column.name}:", str(column[0].to_list()).split())]
    number = 0
    for row in played["decisions"]:
        seat = int(state.seat)
        if state.round_number != number:
            number = int(state.round_number)
            lines += ["", f"round {number}, as seat {seat} sees it"]
            engine.protocol["observe"](rules, state, seat, view)
            lines += facts(view, N_SEATS)
        n = engine.protocol["legal"](rules, state, moves)
        legal = moves[:n].tolist()
        phase = int(state.phase)
        lines += wrapped(f"{row['ply']:>3} seat {seat} {game.phases[phase]}:", [str(move) for move in legal])
        lines.append(f"      -> {row['move']} = {words(engine, phase, int(row['move']))}")
        assert engine.protocol["apply"](rules, state, int(row["move"]))
    lines += ["", "scores: seat, category, slot, points, details"]
    sheet = records(game.lines_per_seat * SEATS, state_module.LINE)
    n = engine.protocol["tally"](rules, state, sheet, np.zeros((MAX_SEATS, MAX_TIES), np.int32))
    details = state_module.LINE.names[4:]
    for line in sheet[:n]:
        shown = " ".join(f"{name} {line[name]}" for name in details if line[name])
        place = f"{game.categories[line['category']]} {game.slots[line['slot']]} {line['points']}"
        lines.append(f"{line['seat']} {place} {shown}".rstrip())
    lines.append("")
    for seat, standing in enumerate(played["standings"][0][:SEATS]):
        result = f"{standing['points']} points, rank {standing['rank']}, win share {standing['win_share']:g}"
        lines.append(f"seat {seat}: {result}")
    for mark in played["rounds"]:
        lines.append(f"after round {mark['round']}, seat {mark['seat']}: {mark['points']} points")
    return lines


def test_the_game_goes_as_written():
    expected = GOLDEN.read_text(encoding="utf-8").splitlines()
    actual = playthrough()
    for number, (old, new) in enumerate(zip(expected, actual, strict=False), start=1):
        assert new == old, f"{GOLDEN}:{number}: the game goes another way (see {Path(__file__).name} for what to do)"
    assert len(actual) == len(expected), f"{GOLDEN}:{min(len(actual), len(expected)) + 1}: more or fewer lines"


def test_the_written_game_shows_every_kind_of_move_and_score():
    """A playthrough that never does something does not guard it."""
    text = GOLDEN.read_text(encoding="utf-8")
    actions = [f"action {name}," for name in ("collect", "play", "activate", "trade", "landscape", "discard")]
    actions += [f"action {name}" for name in ("reveal", "trade", "stop", "end")]
    others = ["side left", "side right", "goal ", "type_2 ", "landscape 1", "landscape 2", "landscape 3"]
    others += [" stack type ", " acorns acorns ", " goal goal ", " collect:", " discard:", "rank 1"]
    seen = [*actions, *others]
    assert [word for word in seen if word not in text] == []


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    GOLDEN.write_text("\n".join(playthrough()) + "\n", encoding="utf-8")
    print(f"wrote {GOLDEN}")
