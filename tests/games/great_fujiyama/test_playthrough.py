"""One game, word for word: whatever changes in deals, rules, codes, players' noise or scores shows as a changed line.

A change that is meant belongs in the changelog under **Results change**; then write the file anew and read its diff:

    python -m tests.games.great_fujiyama.test_playthrough --write
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from meeplecarlo.compiled import MAX_SEATS, MAX_TIES, records
from meeplecarlo.errors import UsageError
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import make_plan
from meeplecarlo.simulation.replay import replay_game
from meeplecarlo.simulation.run import simulate
from tests.golden import facts, wrapped

GOLDEN = Path(__file__).with_name("playthrough.txt")
GAME, SEATS, SEED = "great-fujiyama", 3, 20212
# One literal game, and one in which tiles may be turned, which gets much further.
RULES = ({"turn": "none"}, {"turn": "thirds", "talk": "open"})


def words(columns: list[pl.Series]) -> str:
    """Return the first row of columns in their own words."""
    values = ((column.name, column[0]) for column in columns)
    return ", ".join(f"{n} {v.to_list() if isinstance(v, pl.Series) else v}" for n, v in values if v is not None)


def long_game(engine: Engine) -> int:
    """Return the first of a hundred games with enough to show: a completed station if there is one."""
    played = engine.play_games(np.arange(100), keep=True)
    points = played["standings"]["points"][:, 0]
    return int(np.argmax(1000 * points.astype(int) + played["outcomes"]["decisions"]))


def playthrough(options: dict) -> list[str]:
    """Return a game as lines of text."""
    engine = Engine(make_plan(GAME, ["random"] * SEATS, 100 * SEATS, SEED, options=options))
    game, rules = engine.game, engine.rules[0]
    state_module, view_module = game.module("state"), game.module("view")
    number = long_game(engine)
    played = engine.play_games(np.array([number]), keep=True)
    states = records(2, state_module.STATE)
    states[:1] = engine.dealt(np.array([number // engine.plan.design.seatings]))
    state, view = states[0], states[1]
    moves = np.empty(game.max_options, np.int32)
    said = ", ".join(f"{name} {value}" for name, value in options.items())
    lines = [f"{game.title}, {SEATS} seats, players random, {said}, seed {SEED}, game {number}; tiles in codes from 0"]
    for column in view_module.deal_columns(engine.rules, states[:1]):
        lines += ["", *wrapped(f"{column.name}:", str(column[0].to_list()).split())]
    current = 0
    for row in played["decisions"]:
        seat = int(state.seat)
        if state.round_number != current:
            current = int(state.round_number)
            lines += ["", f"round {current}, as seat {seat} sees it"]
            engine.protocol["observe"](rules, state, seat, view)
            lines += facts(view, MAX_SEATS)
            lines += [f"    {line}" for line in view_module.position_text(engine.rules, states[:1])]
        n = engine.protocol["legal"](rules, state, moves)
        phase, move = int(state.phase), int(row["move"])
        lines += wrapped(f"{row['ply']:>3} seat {seat} {game.phases[phase]}:", [str(m) for m in moves[:n].tolist()])
        told = words(view_module.move_columns(np.array([phase], np.uint8), np.array([move], np.int32)))
        lines.append(f"      -> {move} = {told}; {view_module.describe_move(engine.rules, states[:1], move)}")
        assert engine.protocol["apply"](rules, state, move)
    lines += ["", "the end", *facts(state, MAX_SEATS), *view_module.position_text(engine.rules, states[:1])]
    lines += ["", words(view_module.game_columns(engine.rules, states[:1]))]
    lines += ["", "scores: seat, category, slot, points"]
    sheet = records(game.lines_per_seat * SEATS, state_module.LINE)
    n = engine.protocol["tally"](rules, state, sheet, np.zeros((MAX_SEATS, MAX_TIES), np.int32))
    for line in sheet[:n]:
        lines.append(f"{line['seat']} {game.categories[line['category']]} {game.slots[line['slot']]} {line['points']}")
    for mark in played["rounds"]:
        lines.append(f"after round {mark['round']}, seat {mark['seat']}: {mark['points']} points")
    return lines


def both() -> list[str]:
    """Return the games under both sets of rules."""
    return [line for options in RULES for line in [*playthrough(options), "", "-" * 40, ""]]


def test_the_games_go_as_written():
    expected = GOLDEN.read_text(encoding="utf-8").splitlines()
    actual = both()
    for number, (old, new) in enumerate(zip(expected, actual, strict=False), start=1):
        assert new == old, f"{GOLDEN}:{number}: the game goes another way (see {Path(__file__).name} for what to do)"
    assert len(actual) == len(expected), f"{GOLDEN}:{min(len(actual), len(expected)) + 1}: more or fewer lines"


def test_the_written_games_show_every_kind_of_move_and_score():
    """A playthrough that never does something does not guard it."""
    text = GOLDEN.read_text(encoding="utf-8")
    seen = [
        "turn 0", "turn 1", "turn 2", "station 1,", "station 2,", "station 3,", "station  1* ", "column -",
        "no tile fits", "0 station station 1 1", "2 station station 1 1", "rank_name sandbox pile",
    ]  # fmt: skip
    assert [word for word in seen if word not in text] == []


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    GOLDEN.write_text("\n".join(both()) + "\n", encoding="utf-8")
    print(f"wrote {GOLDEN}")


def test_a_game_that_ended_before_its_first_decision_can_be_replayed():
    run = simulate("great-fujiyama", ["random"], games=40, seed=1)
    ended = run.games.filter(pl.col("decisions") == 0).collect()["game"].to_list()
    assert ended
    assert any("no tile fits" in line for line in replay_game(run, ended[0]).lines())
    with pytest.raises(UsageError, match="the run has the games 0 to 39"):
        replay_game(run, 40)
