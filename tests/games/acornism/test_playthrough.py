"""Games, word for word: whatever changes in deals, rules, codes, players or scores shows as a changed line.

A change that is meant belongs in the changelog under **Results change**; then write the file anew and read its diff:

    python -m tests.games.acornism.test_playthrough --write
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from meeplecarlo.compiled import MAX_SEATS, MAX_TIES, records
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import make_plan
from tests.golden import facts, wrapped

GOLDEN = Path(__file__).with_name("playthrough.txt")
GAME, SEED = "acornism", 20220
# The game of the box for two who know what they do, and one with every rule for edges and limits for three.
GAMES = (
    (("nogift", "greedy"), {}),
    (("greedy", "random", "magic_early"), {"edge_scoring": "true", "underfed": "forbidden", "pieces": "3"}),
    (("random", "random", "random", "random"), {"field_size": "6", "hand_size": "3"}),
)


def words(columns: list[pl.Series]) -> str:
    """Return the first row of columns in their own words."""
    values = ((column.name, column[0]) for column in columns)
    return ", ".join(f"{n} {v.to_list() if isinstance(v, pl.Series) else v}" for n, v in values if v is not None)


def telling_game(engine: Engine) -> int:
    """Return the first of forty games with the most passes, and of those the most scored animals."""
    played = engine.play_games(np.arange(40), keep=True)
    passes = np.bincount(played["decisions"]["game"][played["decisions"]["phase"] == 1], minlength=40)
    scored = np.bincount(played["line_games"], minlength=40)
    return int(np.argmax(100 * np.minimum(passes, 3) + scored))


def playthrough(players: tuple[str, ...], options: dict) -> list[str]:
    """Return a game as lines of text."""
    engine = Engine(make_plan(GAME, list(players), 40, SEED, options=options))
    game, rules = engine.game, engine.rules[0]
    state_module, view_module = game.module("state"), game.module("view")
    number = telling_game(engine)
    played = engine.play_games(np.array([number]), keep=True)
    states = records(2, state_module.STATE)
    states[:1] = engine.dealt(np.array([number // engine.plan.design.seatings]))
    state, view = states[0], states[1]
    moves = np.empty(game.max_options, np.int32)
    said = ", ".join(f"{name} {value}" for name, value in options.items()) or "as in the box"
    seated = ", ".join(players[i] for i in played["seating"][0, : len(players)])
    lines = [f"{game.title}, players by seat {seated}, {said}, seed {SEED}, game {number}; tiles in codes from 0"]
    for column in view_module.deal_columns(engine.rules, states[:1]):
        lines += ["", *wrapped(f"{column.name}:", str(column[0].to_list()).split())]
    lines += ["", "as seat 0 sees it"]
    engine.protocol["observe"](rules, state, 0, view)
    lines += facts(view, MAX_SEATS)
    current = 0
    for row in played["decisions"]:
        if state.round_number != current:
            current = int(state.round_number)
            lines += ["", f"round {current}"]
            lines += [f"    {line}" for line in view_module.position_text(engine.rules, states[:1])]
        n = engine.protocol["legal"](rules, state, moves)
        phase, move = int(state.phase), int(row["move"])
        options_said = [str(m) for m in moves[:n].tolist()]
        lines += wrapped(f"{row['ply']:>3} seat {int(state.seat)} {game.phases[phase]}:", options_said)
        told = words(view_module.move_columns(np.array([phase], np.uint8), np.array([move], np.int32)))
        lines.append(f"      -> {move} = {told}; {view_module.describe_move(engine.rules, states[:1], move)}")
        assert engine.protocol["apply"](rules, state, move)
    lines += ["", "the end", *facts(state, MAX_SEATS), *view_module.position_text(engine.rules, states[:1])]
    lines += ["", words(view_module.game_columns(engine.rules, states[:1]))]
    lines += ["", "scores: seat, category, slot, points, then the details"]
    sheet = records(game.lines_per_seat * len(players), state_module.LINE)
    n = engine.protocol["tally"](rules, state, sheet, np.zeros((MAX_SEATS, MAX_TIES), np.int32))
    for line in sheet[:n]:
        details = ", ".join(f"{name} {line[name]}" for name in sheet.dtype.names[4:])
        category, slot = game.categories[line["category"]], game.slots[line["slot"]]
        lines.append(f"{line['seat']} {category} {slot} {line['points']}: {details}")
    for mark in played["rounds"]:
        lines.append(f"after round {mark['round']}, seat {mark['seat']}: {mark['points']} points")
    return lines


def all_games() -> list[str]:
    """Return the games one after the other."""
    return [line for players, options in GAMES for line in [*playthrough(players, options), "", "-" * 40, ""]]


def test_the_games_go_as_written():
    expected = GOLDEN.read_text(encoding="utf-8").splitlines()
    actual = all_games()
    for number, (old, new) in enumerate(zip(expected, actual, strict=False), start=1):
        assert new == old, f"{GOLDEN}:{number}: the game goes another way (see {Path(__file__).name} for what to do)"
    assert len(actual) == len(expected), f"{GOLDEN}:{min(len(actual), len(expected)) + 1}: more or fewer lines"


def test_the_written_games_show_every_kind_of_move_and_score():
    """A playthrough that never does something does not guard it."""
    text = GOLDEN.read_text(encoding="utf-8")
    seen = [
        "place:", "pass:", "passes: none", "acorn_x -", "animal_y -", "columns settled, rows open",
        "columns settled, rows settled", "(?)", "magic 1", "animal 5 5", "animal 8 8", "x  ", "*0", "*1",
        "magic_by", "finder",
    ]  # fmt: skip
    assert [word for word in seen if word not in text] == []


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    GOLDEN.write_text("\n".join(all_games()) + "\n", encoding="utf-8")
    print(f"wrote {GOLDEN}")
