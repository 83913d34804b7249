"""A test for every clause of RULES.md, named after it: ``test_r4_2_...`` is for clause R4.2."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

import meeplecarlo
from meeplecarlo.errors import ComponentError, UsageError
from meeplecarlo.games.acornism.rules import PASS_MOVE, TILE_CODES
from meeplecarlo.games.acornism.state import HIDDEN, OVER, SCORED, STARVED, UNPAID
from meeplecarlo.games.acornism.variant import read_tiles
from meeplecarlo.games.acornism.view import describe_move, position_text, split_move
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from meeplecarlo.variant import components_folder
from tests.games.acornism.by_hand import (
    BOX,
    GAME,
    PASS,
    SIZES,
    SPARE,
    Line,
    Tile,
    box_of,
    done,
    extent,
    field,
    hand,
    hands,
    is_animal,
    lines,
    may,
    neighbours,
    new_table,
    options,
    pile,
    placed,
    play,
    position,
    rules_of,
    start,
    tile,
    tiles,
)
from tests.table import Table

RULES_PAGE = Path(meeplecarlo.__file__).parent / "games" / "acornism" / "RULES.md"


def clauses() -> set[str]:
    return set(re.findall(r"^\| R(\d+\.\d+) \|", RULES_PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE))


def test_clauses_and_tests_name_each_other():
    named = {".".join(re.match(r"test_r(\d+)_(\d+)_", n).groups()) for n in globals() if re.match(r"test_r\d", n)}
    assert named == clauses()
    assert len(named) >= 30


def shipped() -> list[Tile]:
    """Return the tiles of the shipped file."""
    game = get_game(GAME)
    text = (components_folder(game, game.component("tiles")) / "tiles.csv").read_text(encoding="utf-8")
    return [Tile(want, "?" if acorns is None else str(acorns)) for want, acorns in read_tiles("tiles.csv", text)]


# --- R1 components -------------------------------------------------------------------------------------------------
def test_r1_1_forty_tiles_of_an_animal_and_acorns():
    assert len(shipped()) == 40
    table = new_table(2)
    assert table.rules.n_tiles == 40
    first = table.state.pile[8]
    assert field(table) == {(0, 0): shipped()[first].want, (1, 0): shipped()[first].acorns}


def test_r1_2_animals_want_5_to_10_acorns_are_0_to_4_and_one_magic():
    assert {each.want for each in shipped()} == set(range(5, 11))
    acorns = Counter(each.acorns for each in shipped())
    assert set(acorns) == set("01234?")
    assert acorns["?"] == 1


def test_r1_3_which_acorns_lie_beside_which_animal():
    """In the order of the page; six or seven of each animal, seven or eight of each acorn square."""
    assert shipped() == BOX
    assert [Counter(each.want for each in BOX)[want] for want in range(5, 11)] == [6, 7, 7, 7, 7, 6]
    assert [Counter(each.acorns for each in BOX)[acorns] for acorns in "01234?"] == [8, 8, 8, 8, 7, 1]


def test_r1_4_what_tile_files_may_hold():
    """All reasons to refuse one are in test_components.py."""
    assert rules_of(2, tiles("1(0) 20(9) 7(?)"), hand_size=1)[0].n_tiles == 3
    assert rules_of(2, [SPARE] * 100)[0].n_tiles == 100
    assert rules_of(2, tiles("5(?) 6(?) 7(1) 8(?)"), hand_size=1)[0].magic[:4].tolist() == [1, 1, 0, 1]
    for text in ("0,1", "21,1", "5,10", "5,-1", "5,?", "magic,5"):
        with pytest.raises(ComponentError):
            read_tiles("mine.csv", f"animal,acorns\n{text}\n")
    for box in ([SPARE] * 101, [SPARE] * 2):
        with pytest.raises(ComponentError):
            rules_of(2, box, hand_size=1)


# --- R2 setup ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("size", [1, 4, 8])
def test_r2_1_hands_seat_by_seat_then_the_first_tile_then_the_pile(n_seats, size):
    table = new_table(n_seats, hand_size=size)
    firsts, nexts = Counter(), Counter()
    for seed in range(400):
        table.deal(seed)
        order = table.state.pile[:40].tolist()
        assert sorted(order) == list(range(40))
        assert hands(table) == [sorted(order[seat * size : (seat + 1) * size]) for seat in range(n_seats)]
        assert table.state.drawn == n_seats * size + 1
        assert field(table)[0, 0] == BOX[order[n_seats * size]].want
        firsts[order[n_seats * size]] += 1
        nexts[order[-1]] += 1
    assert len(firsts) == len(nexts) == 40
    assert max(firsts.values()) < 30  # ten are expected
    assert max(nexts.values()) < 30


def test_r2_1_four_tiles_are_the_default():
    assert {len(held) for held in hands(new_table(4))} == {4}


def test_r2_2_the_first_tile_lies_with_its_acorn_to_the_right():
    assert field(start("9(3)", "5(0)", "5(1)")) == {(0, 0): 9, (1, 0): "3"}
    assert field(start("9(?)", "5(0)", "5(1)")) == {(0, 0): 9, (1, 0): "?"}


@pytest.mark.parametrize("n_seats", SIZES)
def test_r2_3_seat_0_begins_and_turns_go_round(n_seats):
    table = new_table(n_seats)
    for turn in range(9):
        assert table.state.seat == turn % n_seats
        table.play(table.legal()[0])


# --- R3 placing a tile ---------------------------------------------------------------------------------------------
def test_r3_1_one_tile_of_the_own_hand_any_way_round():
    """Six empty squares touch the first tile, each with three empty neighbours; two pairs are counted twice."""
    table = start("20(0)", "19(1)", "18(2)", pile="17(0)")
    found = options(table)
    assert len(found) == 6 * 3 - 2
    assert {step.tile for step in found} == {tile("19(1)")}
    ways = {(step.acorn[0] - step.animal[0], step.acorn[1] - step.animal[1]) for step in found}
    assert ways == {(1, 0), (-1, 0), (0, 1), (0, -1)}
    play(table, "19(1) 0,-2 down")
    assert field(table) == {(0, 0): 20, (1, 0): "0", (0, -2): 19, (0, -1): "1"}
    assert {step.tile for step in options(table)} == {tile("18(2)")}


def test_r3_2_on_empty_squares_beside_a_laid_tile():
    table = start("20(0)", "20(1)", "20(1)")
    assert may(table, "20(1) 2,0 right", "20(1) -2,0 right", "20(1) 1,1 right", "20(1) 1,1 left") == [True] * 4
    # Not on laid squares, nor where nothing but its own other square is beside it, nor touching by a corner only.
    assert may(table, "20(1) 0,0 up", "20(1) 0,0 right", "20(1) 1,1 up", "20(1) 2,0 left") == [False] * 4
    assert may(table, "20(1) 3,1 up", "20(1) 4,0 right", "20(1) -1,1 left", "20(1) 2,2 up") == [False] * 4
    laid = {(0, 0), (1, 0)}
    for step in options(table):
        assert not laid & {step.animal, step.acorn}
        assert laid & {*neighbours(step.animal), *neighbours(step.acorn)}


def test_r3_3_animals_touch_only_acorns_and_acorns_only_animals():
    rng = random.Random(3)
    table = new_table(2)
    while not table.over:
        for step in options(table):
            if step is not PASS:
                assert is_animal(step.animal)
                assert not is_animal(step.acorn)
        table.play(rng.choice(table.legal()))
    laid = field(table)
    for square in laid:
        for beside in neighbours(square):
            if beside in laid:
                assert type(laid[square]) is not type(laid[beside])


def test_r3_4_no_animal_gets_more_than_it_wants():
    """The two drawings of the rulebook: 3 + 1 + 2 around an 8 is allowed, 3 + 4 + 2 is not; just 8 is allowed, too."""
    for above, most in ((1, 4), (4, 1), (3, 2), (5, 0)):
        table = position("8(3)", f"20({above}) 0,-2 down", hands=["20(0) 20(1) 20(2) 20(4) 20(5)"] * 2)
        for acorns in (0, 1, 2, 4, 5):
            assert may(table, f"20({acorns}) -2,0 right") == [acorns <= most], (above, acorns)
            assert may(table, f"20({acorns}) 0,2 up") == [acorns <= most]
        # Elsewhere as many as one likes.
        assert may(table, "20(5) 2,0 right") == [True]


def test_r3_4_the_limit_is_also_that_of_the_placed_animal_and_of_every_neighbour():
    table = start("20(4)", "4(0) 4(1) 5(1) 5(2) 9(5)", "20(0) 20(0) 20(0) 20(0) 20(0)")
    there = [f"{each} 2,0 right" for each in ("4(0)", "4(1)", "5(1)", "5(2)", "9(5)")]
    assert may(table, *there) == [True, False, True, False, True]
    away = [each.replace("2,0", "-2,0") for each in there]  # its animal touches nothing, its acorn the first one
    assert may(table, *away) == [True] * 5
    # An acorn between a full animal and a hungry one is held back by the full one.
    table = position("8(3)", "20(5) 0,-2 down", "20(1) -1,-1 left", hands=["20(0) 20(1)"] * 2)
    assert may(table, "20(0) -1,1 up", "20(1) -1,1 up", "20(1) -2,0 left") == [True, False, True]


def test_r3_5_the_magic_acorn_counts_nothing_for_the_limit():
    full = position("8(3)", "20(5) 0,-2 down", hands=["20(?) 20(0) 20(1)"] * 2)
    assert may(full, "20(?) -2,0 right", "20(0) -2,0 right", "20(1) -2,0 right") == [True, True, False]
    beside = position("20(?)", hands=["1(1) 1(0) 2(2)"] * 2)
    assert may(beside, "1(1) 2,0 right", "1(0) 2,0 right", "2(2) 2,0 right") == [True, True, True]
    own = start("20(3)", "3(?) 2(?)", "20(0) 20(0)")
    assert may(own, "3(?) 2,0 right", "2(?) 2,0 right", "2(?) -2,0 right") == [True, False, True]


def test_r3_6_equal_tiles_are_one_option_named_by_the_first():
    table = start("20(0)", "9(1) 8(2) 9(1) 9(1)", "20(0) 20(0) 20(0) 20(0)")
    assert len(table.legal()) == 2 * 16
    assert {int(split_move(code)[0]) for code in table.legal()} == {0, 1}
    play(table, "9(1) 2,0 right")
    assert hands(table)[0] == [1, 2, 3]
    # One and the same animal beside other acorns is another tile.
    assert len(start("20(0)", "9(1) 9(2) 9(?) 9(0)", "20(0) 20(0) 20(0) 20(0)").legal()) == 4 * 16


def test_r3_7_then_the_next_tile_is_drawn_while_there_is_one():
    table = start("20(0)", "20(1) 20(2)", "20(3) 20(4)", pile="19(1) 19(2) 19(3)")
    play(table, "20(1) 2,0 right")
    assert hand(table, 0) == tiles("20(2) 19(1)")
    assert [box_of(table)[number] for number in pile(table)] == tiles("19(2) 19(3)")
    play(table, "20(3) 4,0 right")
    assert hand(table, 1) == tiles("20(4) 19(2)")
    play(table, "19(1) 0,2 up", "19(2) 0,-2 down", "20(2) 2,2 up", "20(4) 2,-2 down")
    assert [hand(table, 0), hand(table, 1)] == [[tile("19(3)")], []]
    assert pile(table) == []


def test_r3_8_a_tile_with_too_many_acorns_of_its_own():
    """In a hand it cannot be placed anywhere; as the first tile it ends the game."""
    table = start("20(0)", "2(3) 3(3) 1(9)", "20(0) 20(0) 20(0)")
    assert {step.tile for step in options(table)} == {tile("3(3)")}
    for edge_scoring in ("false", "true"):
        over = start("2(3)", "20(0)", "20(0)", pile="20(0)", edge_scoring=edge_scoring)
        assert over.over
        assert (over.points(), over.legal(), over.state.turn, over.state.placed) == ([0, 0], [], 0, 1)
    assert not start("3(3)", "20(0)", "20(0)", pile="20(0)").over


# --- R4 the field --------------------------------------------------------------------------------------------------
def reach(table: Table) -> tuple[range, range]:
    """Return the columns and rows within which the options lie."""
    return extent([square for step in options(table) for square in (step.animal, step.acorn)])


@pytest.mark.parametrize("size", [4, 5, 8, 11, 12])
@pytest.mark.parametrize("way", ["right", "left", "up", "down", "to and fro"])
def test_r4_1_the_box_grows_any_way_until_it_is_that_long(size, way):
    """Tiles in a row: the first one and one more each turn, at one end or at both."""
    lengths = {"right": (2, 0), "left": (-2, 0), "up": (0, -2), "down": (0, 2)}
    low, high, k = (0, 1, 0) if way in ("right", "left", "to and fro") else (0, 0, 0)
    table = new_table(2, box=[SPARE] * 100, field_size=size)
    while high - low + 1 < size:
        k += 1
        columns, rows = reach(table)
        along, across = (rows, columns) if way in ("up", "down") else (columns, rows)
        assert (along.start, along.stop - 1) == (max(low - 2, high - size + 1), min(high + 2, low + size - 1))
        if way in ("up", "down"):
            assert (across.start, across.stop - 1) == (max(-2, 2 - size), min(3, size - 1))
        else:
            assert (across.start, across.stop - 1) == (-2, 2)
        if way == "to and fro":
            there = (high + 1, 0) if k % 2 else (low - 2, 0)
        else:
            dx, dy = lengths[way]
            there = (k * dx, k * dy)
        ends = {"up": "down", "down": "up"}.get(way, "right")
        step = f"{SPARE} {there[0]},{there[1]} {ends}"
        new = [placed(step).animal, placed(step).acorn]
        values = [square[1] if way in ("up", "down") else square[0] for square in new]
        if max(high, *values) - min(low, *values) + 1 > size:  # an odd length: one square is left over
            assert may(table, step) == [False]
            break
        play(table, step)
        low, high = min(low, *values), max(high, *values)
    assert high - low + 1 in (size, size - 1)
    if high - low + 1 == size:
        columns, rows = reach(table)
        assert (rows if way in ("up", "down") else columns) == range(low, high + 1)


def test_r4_1_eight_is_the_default_and_32_tiles_the_most():
    assert new_table(2).rules.field_size == 8
    assert max(new_table(2, box=[SPARE] * 60).play_random(seed).state.placed for seed in range(20)) <= 32
    for size in (3, 13):
        with pytest.raises(UsageError, match="field_size"):
            Table(GAME, 2, {"field_size": size})


def settled(table: Table) -> str:
    """Return what the text of a position says about its edges."""
    rules = rules_of(table.n_seats, box_of(table), field_size=int(table.rules.field_size))
    (line,) = [line for line in position_text(rules, [table.state]) if line.startswith("columns")]
    return line


def test_r4_2_columns_and_rows_settle_each_for_itself_and_both_sides_at_once():
    table = position("20(0)", field_size=4)
    assert reach(table) == (range(-2, 4), range(-2, 3))
    play(table, "20(0) 1,1 right")  # three columns, two rows
    assert reach(table) == (range(-1, 4), range(-2, 4))
    assert settled(table) == "columns open, rows open"
    play(table, "20(0) 3,1 down")  # four columns: nothing to the left any more, nor to the right; three rows
    assert reach(table) == (range(0, 4), range(-1, 4))
    assert settled(table) == "columns settled, rows open"
    play(table, "20(0) 2,2 down")  # four rows
    assert reach(table) == (range(0, 4), range(0, 4))
    assert settled(table) == "columns settled, rows settled"
    higher = position("20(0)", "20(0) 0,2 up", "20(0) 1,-1 right", field_size=4)  # four rows, three columns
    assert reach(higher) == (range(-1, 4), range(-1, 3))
    assert settled(higher) == "columns open, rows settled"


CORNER = ("20(0) 2,0 right", "20(2) 1,1 left", "20(0) 0,2 down")  # four columns from 0; then two rows; then four


def test_r4_3_a_corner_is_settled_when_columns_and_rows_are():
    before = position("5(3)", *CORNER[:2], hands=["20(0)", "20(0)"], field_size=4, edge_scoring="true")
    assert (lines(before), done(before)) == ([], {})  # nothing to the left, but something may come above
    after = play(before.copy(), CORNER[2])
    assert lines(after) == [Line(0, 5, (0, 0), 5, 0, 3)]
    above = play(before.copy(), "20(0) 0,-2 down")  # rows settle too, and the square is no corner
    assert lines(above) == [Line(0, 5, (0, 0), 5, 0, 3)]
    rows_first = position("5(3)", "20(2) 1,1 left", "20(0) 0,2 down", field_size=4, edge_scoring="true")
    assert lines(rows_first) == []
    assert lines(play(rows_first, "20(0) 2,0 right")) == [Line(0, 5, (0, 0), 5, 0, 3)]


# --- R5 completing and scoring -------------------------------------------------------------------------------------
# An 8 in the middle with three sides filled, and what fills the fourth.
THREE_SIDES = ("8(3)", "20(1) 0,-2 down", "20(2) -2,0 right")
FOURTH = "20(2) 0,2 up"


def test_r5_1_complete_with_four_sides_filled():
    table = position(*THREE_SIDES, hands=["20(2)", "20(0)"])
    assert done(table) == {}
    play(table, FOURTH)
    assert done(table) == {(0, 0): SCORED}
    assert lines(table) == [Line(0, 8, (0, 0), 8, 0, 3)]


def test_r5_1_on_a_settled_edge_never():
    for first in ("5(3)", "6(3)", "5(?)"):
        table = position(first, *CORNER, field_size=4)
        assert (done(table), lines(table)) == ({}, [])
    table = position(*EDGES, field_size=4)
    assert done(table) == {}
    while not table.over:
        table.play(table.legal()[0])
    columns, rows = extent(field(table))
    assert done(table)  # the middle is filled, too
    for x, y in done(table):
        assert columns.start < x < columns.stop - 1
        assert rows.start < y < rows.stop - 1


# Rows settle with the second tile, columns with the last one, which completes a corner on the left, a square on the
# left edge, and its own animal in a corner on the right. The last but one lies on the lower edge.
EDGES = ("6(4)", "20(2) 1,1 left", "9(3) 0,2 down", "20(4) 2,2 left", "8(1) 1,3 right", "5(4) 3,3 up")


def test_r5_2_three_sides_are_enough_on_a_settled_edge_and_two_in_a_corner():
    table = position(*EDGES[:5], hands=["5(4)", "20(0)"], field_size=4, edge_scoring="true")
    assert lines(table) == [Line(1, 8, (1, 3), 8, 0, 4)]
    play(table, EDGES[5])
    assert lines(table)[1:] == [Line(0, 6, (0, 0), 6, 0, 5), Line(0, 9, (0, 2), 9, 0, 5), Line(0, 5, (3, 3), 5, 0, 5)]
    assert table.points() == [20, 8]
    # With other numbers wanted they are complete, too, but do not score.
    hungry = position("7(4)", EDGES[1], "10(3) 0,2 down", *EDGES[3:], field_size=4, edge_scoring="true")
    assert done(hungry) == {(1, 3): SCORED, (0, 0): STARVED, (0, 2): STARVED, (3, 3): SCORED}
    # In the middle four are needed as ever.
    middle = position(*THREE_SIDES, edge_scoring="true")
    assert done(middle) == {}


def test_r5_2_an_edge_that_settles_completes_animals_on_the_opposite_side():
    """A tile on the right completes an animal on the left edge it is far from."""
    before = position(
        "8(3)", "20(1) 1,-1 left", "20(4) 1,1 left", "20(0) 2,0 right", "20(0) 4,0 right", hands=["20(0)", "20(0)"],
        field_size=7, edge_scoring="true",
    )  # fmt: skip
    assert lines(before) == []
    assert lines(play(before.copy(), "20(0) 6,0 up")) == [Line(0, 8, (0, 0), 8, 0, 5)]
    assert lines(play(before.copy(), "20(0) 2,2 up")) == []
    plain = position(
        "8(3)", "20(1) 1,-1 left", "20(4) 1,1 left", "20(0) 2,0 right", "20(0) 4,0 right", hands=["20(0)", "20(0)"],
        field_size=7,
    )  # fmt: skip
    assert lines(play(plain, "20(0) 6,0 up")) == []


def test_r5_3_the_seat_whose_tile_completes_an_animal_scores_its_number():
    for filler, hungry in (("20(2)", False), ("20(1)", True), ("20(0)", True)):
        table = position(*THREE_SIDES, hands=["20(2) 20(1) 20(0)"] * 2)
        play(table, FOURTH.replace("20(2)", filler))
        assert lines(table) == ([] if hungry else [Line(0, 8, (0, 0), 8, 0, 3)])
        assert table.points() == ([0, 0] if hungry else [8, 0])
    # Whose the animal was does not matter: here seat 1 placed it, and seat 0 scores it.
    three = position("20(0)", "20(0) 2,0 right", "6(1) 4,0 right", "20(2) 4,-2 down", "20(3) 4,2 up", n_seats=3)
    assert lines(three) == [Line(0, 6, (4, 0), 6, 0, 4)]


# Two animals above each other, and a tile whose acorn lies between them; the same in a row.
COLUMN = ("8(3)", "20(1) 0,-2 down", "20(2) -2,0 right", "20(4) 1,1 down", "7(0) 0,2 down", "20(1) -2,2 right")
IN_COLUMN = "20(2) -1,1 right"
ROW = ("8(3)", "20(1) -1,-1 right", "20(0) -2,-2 down", "20(2) 0,2 up", "7(4) -2,0 left", "20(1) -2,2 up")
IN_ROW = "20(2) -1,1 up"


def test_r5_3_one_tile_can_score_several():
    table = position(*COLUMN, IN_COLUMN)
    assert Counter(line[:3] for line in lines(table)) == Counter([(1, 8, (0, 0)), (1, 7, (0, 2))])
    assert table.points() == [0, 15]


@pytest.mark.parametrize("want", [11, 15, 20])
def test_r5_4_the_magic_acorn_is_worth_0_to_10(want):
    """Own magic, and three more sides with so many acorns altogether."""
    for plain in range(want + 1):
        a, b = min(plain, 9), min(max(plain - 9, 0), 9)
        c = plain - a - b
        table = position(f"{want}(?)", f"20({a}) 0,-2 down", f"20({b}) -2,0 right", f"20({c}) 0,2 up")
        fed = plain >= want - 10
        assert done(table) == {(0, 0): SCORED if fed else STARVED}
        assert lines(table) == ([Line(0, want, (0, 0), plain, 1, 3)] if fed else [])


def test_r5_4_for_each_neighbour_another_number_and_several_add_up():
    moves = (*COLUMN[:4], "15(0) 0,2 down", COLUMN[5])
    table = position(*moves, IN_COLUMN.replace("20(2)", "20(?)"))
    assert lines(table) == [Line(1, 8, (0, 0), 6, 1, 6), Line(1, 15, (0, 2), 5, 1, 6)]
    over = position(*COLUMN[:4], "16(0) 0,2 down", COLUMN[5], IN_COLUMN.replace("20(2)", "20(?)"))
    assert done(over) == {(0, 0): SCORED, (0, 2): STARVED}
    # Itself among those that are full, it is worth 0.
    full = position(*THREE_SIDES[:2], "20(4) -2,0 right", FOURTH.replace("20(2)", "20(?)"))
    assert lines(full) == [Line(0, 8, (0, 0), 8, 1, 3)]
    two = position("20(?)", "20(0) 0,-2 down", "20(?) -2,0 right", "20(0) 0,2 up")
    assert lines(two) == [Line(0, 20, (0, 0), 0, 2, 3)]
    one = position("20(?)", "20(0) 0,-2 down", "20(9) -2,0 right", "20(0) 0,2 up")
    assert lines(one) == []


def test_r5_5_without_magic_its_square_holds_nothing():
    moves = ("8(?)", "20(5) 0,-2 down", "20(2) -2,0 right", "20(0) 0,2 up")
    assert lines(position(*moves)) == [Line(0, 8, (0, 0), 7, 1, 3)]
    assert done(position(*moves, magic="none")) == {(0, 0): STARVED}
    moves = ("7(?)", *moves[1:])
    assert lines(position(*moves, magic="none")) == [Line(0, 7, (0, 0), 7, 0, 3)]
    hands_with_both = ("9(?) 9(0) 9(1)", "20(0) 20(0) 20(0)")
    assert len(start("20(0)", *hands_with_both, magic="none").legal()) == 2 * 16
    assert len(start("20(0)", *hands_with_both).legal()) == 3 * 16
    magic_first = start("20(0)", *hands_with_both, magic="none")
    assert {step.tile for step in options(magic_first)} == set(tiles("9(?) 9(1)"))
    magic_last = start("20(0)", "9(0) 9(?) 9(1)", hands_with_both[1], magic="none")
    assert {step.tile for step in options(magic_last)} == set(tiles("9(0) 9(1)"))


def test_r5_6_lines_in_the_order_scored_by_rows_then_from_the_left():
    assert [line.square for line in lines(position(*COLUMN, IN_COLUMN))] == [(0, 0), (0, 2)]
    table = position(*ROW, IN_ROW)
    assert lines(table) == [Line(1, 7, (-2, 0), 7, 0, 6), Line(1, 8, (0, 0), 8, 0, 6)]
    for seed in range(20):
        scored = lines(new_table(3, seed, edge_scoring="true").play_random(seed))
        order = [(line.turn, line.square[1], line.square[0]) for line in scored]
        assert order == sorted(order)


# --- R6 limits -----------------------------------------------------------------------------------------------------
def test_r6_1_a_complete_animal_with_too_few_acorns_never_scores():
    table = position(*THREE_SIDES, FOURTH.replace("20(2)", "20(1)"), hands=["20(0) 20(?)"] * 2, pile="20(0) 20(0)")
    assert done(table) == {(0, 0): STARVED}
    table.play_random(1)
    assert (0, 0) not in [line.square for line in lines(table)]
    assert done(table)[0, 0] == STARVED


HUNGRY = "20(0) 20(1) 20(2) 20(?)"


def test_r6_2_leaving_an_animal_hungry_is_allowed():
    table = position(*THREE_SIDES, hands=[HUNGRY] * 2)
    assert may(table, *(f"{each} 0,2 up" for each in HUNGRY.split())) == [True] * 4
    default = get_game(GAME).option("underfed").default
    assert default == "allowed"


def test_r6_3_forbidden_no_tile_may_complete_an_animal_without_satisfying_it():
    table = position(*THREE_SIDES, hands=[HUNGRY] * 2, underfed="forbidden")
    assert may(table, *(f"{each} 0,2 up" for each in HUNGRY.split())) == [False, False, True, True]
    assert may(table, *(f"{each} 2,0 right" for each in HUNGRY.split())) == [True] * 4
    # The Magic Acorn is worth ten at most; of two animals both must be satisfied.
    for want, allowed in ((15, True), (16, False)):
        moves = (*COLUMN[:4], f"{want}(0) 0,2 down", COLUMN[5])
        table = position(*moves, hands=["20(2) 20(?)"] * 2, underfed="forbidden")
        assert may(table, IN_COLUMN, "20(?) -1,1 right") == [False, allowed]


def test_r6_3_also_animals_that_a_settling_edge_completes():
    for first, allowed in (("6(4)", True), ("7(4)", False)):
        for rule in ("allowed", "forbidden"):
            table = position(
                first, *EDGES[1:5], hands=["5(4)", "20(0)"], field_size=4, edge_scoring="true", underfed=rule
            )
            assert may(table, EDGES[5]) == [allowed or rule == "allowed"]
    # Without scoring on the edge these animals are not complete, and nothing is forbidden.
    table = position("7(4)", *EDGES[1:5], hands=["5(4)", "20(0)"], field_size=4, underfed="forbidden")
    assert may(table, EDGES[5]) == [True]


def test_r6_3_also_the_placed_animal_itself():
    """A hole with three acorn squares around it, and its own acorn on the fourth side: 1 + 2 + 3 and that."""
    hole = ("20(1)", "20(2) 0,2 up", "20(3) 2,0 down")
    for rule, expected in (("allowed", [True, True, True, False]), ("forbidden", [True, False, True, False])):
        table = position(*hole, hands=["7(1) 8(1) 8(2) 5(0)"] * 2, underfed=rule)
        assert may(table, "7(1) 1,1 down", "8(1) 1,1 down", "8(2) 1,1 down", "5(0) 1,1 down") == expected


def results(*moves: str, **options) -> dict:
    return done(position(*moves, **options))


def test_r6_4_pieces_are_no_limit_unless_they_are_said_to_be():
    both = {(0, 0): SCORED, (0, 2): SCORED}
    assert results(*COLUMN, IN_COLUMN) == both
    assert results(*COLUMN, IN_COLUMN, pieces=2) == both
    assert results(*COLUMN, IN_COLUMN, pieces=40) == both
    # The greatest first.
    one = position(*COLUMN, IN_COLUMN, pieces=1)
    assert done(one) == {(0, 0): SCORED, (0, 2): UNPAID}
    assert lines(one) == [Line(1, 8, (0, 0), 8, 0, 6)]
    nine = (*COLUMN[:4], "9(0) 0,2 down", "20(3) -2,2 right", IN_COLUMN)
    assert results(*nine, pieces=1) == {(0, 0): UNPAID, (0, 2): SCORED}
    # Of equal numbers the upper one, then the left one.
    equal = (*COLUMN[:4], "8(0) 0,2 down", "20(2) -2,2 right", IN_COLUMN)
    assert results(*equal, pieces=1) == {(0, 0): SCORED, (0, 2): UNPAID}
    row = (*ROW[:4], "8(4) -2,0 left", "20(2) -2,2 up", IN_ROW)
    assert results(*row) == {(-2, 0): SCORED, (0, 0): SCORED}
    assert results(*row, pieces=1) == {(-2, 0): SCORED, (0, 0): UNPAID}


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_r6_4_every_seat_has_so_many_pieces(pieces):
    """Games with and without the limit, move by move the same."""
    short = 0
    for seed in range(60):
        free, limited = (new_table(2, seed, pieces=n, edge_scoring="true") for n in (0, pieces))
        rng = random.Random(seed)
        while not free.over:
            assert free.legal() == limited.legal()
            code = rng.choice(free.legal())
            free.play(code)
            limited.play(code)
        expected, left = [], [pieces, pieces]
        for turn in sorted({line.turn for line in lines(free)}):
            of_turn = [line for line in lines(free) if line.turn == turn]
            seat = of_turn[0].seat
            best = sorted(of_turn, key=lambda line: -line.points)[: left[seat]]
            left[seat] -= len(best)
            expected += [line for line in of_turn if line in best]
        assert lines(limited) == expected
        assert [square for square, result in done(limited).items() if result == STARVED] == [
            square for square, result in done(free).items() if result == STARVED
        ]
        short += len(expected) < len(lines(free))
    assert short > 3


# --- R7 passing and the end ----------------------------------------------------------------------------------------
def test_r7_1_pass_when_nothing_fits_and_only_then():
    table = start("20(0)", "1(2) 1(2)", "20(0) 20(1)", pile="20(2)")
    assert table.legal() == [PASS_MOVE]
    twin = table.copy()
    assert "pass" in describe_move(rules_of(2), [twin.state], PASS_MOVE)
    for code in start("20(0)", "20(1) 20(2)", "20(0) 20(0)").legal():
        assert not twin.apply(code)
    assert twin.bytes() == table.bytes()
    play(table, "pass")
    assert (table.state.seat, table.state.turn, table.state.placed) == (1, 1, 1)
    assert hands(table) == hands(twin)
    assert pile(table) == pile(twin)
    assert not table.apply(PASS_MOVE)
    assert PASS not in options(table)
    play(table, "20(0) 2,0 right")
    assert table.legal() == [PASS_MOVE]  # again, as its tiles are the same


def test_r7_2_over_when_no_seat_can_place_after_the_draw():
    for drawn, over in (("20(0)", False), ("1(2)", True), ("", True)):
        table = start("20(0)", "20(0)", "1(2)", pile=drawn)
        assert not table.over
        play(table, "20(0) 2,0 right")
        assert table.over == over, drawn
        if over:
            assert table.state.seat == OVER
            assert table.legal() == []
            assert not table.apply(PASS_MOVE)
        else:
            play(table, "pass", "20(0) 4,0 right")
            assert table.over
    # Although there is still a pile; and after the deal.
    assert start("20(0)", "1(2)", "1(2)", "1(2)", pile="20(0) 20(0)").over
    assert not start("20(0)", "1(2)", "1(2)", "20(0)", pile="20(0) 20(0)").over


def test_r7_2_over_when_the_field_is_full():
    full = 0
    for seed in range(30):
        table = new_table(2, seed, box=[SPARE] * 40, field_size=4).play_random(seed)
        assert table.state.placed <= 8
        full += table.state.placed == 8
    assert full > 5


@pytest.mark.parametrize("n_seats", SIZES)
def test_r7_3_most_points_win(n_seats):
    seats = simulate(GAME, ["random"] * n_seats, games=60, seed=3).seats.collect()
    for (_,), rows in seats.partition_by("game", as_dict=True, include_key=True).items():
        points = rows["points"].to_list()
        for own, rank in zip(points, rows["rank"].to_list(), strict=True):
            assert rank == 1 + sum(other > own for other in points)


@pytest.mark.parametrize("n_seats", SIZES)
def test_r7_4_equal_points_share_the_win(n_seats):
    """In a small field many games are tied, many of them at nothing."""
    run = simulate(GAME, ["random"] * n_seats, games=200, seed=3, options={"field_size": 5})
    shared = Counter()
    for (_,), rows in run.seats.collect().partition_by("game", as_dict=True, include_key=True).items():
        points = rows["points"].to_list()
        best = points.count(max(points))
        expected = [1 / best if own == max(points) else 0 for own in points]
        assert rows["win_share"].to_list() == pytest.approx(expected)
        shared[best] += 1
    assert shared[1] > 5
    assert shared.total() - shared[1] > 5


@pytest.mark.parametrize("n_seats", SIZES)
def test_r7_5_rounds_are_counted_by_turns_passes_included(n_seats):
    passed = 0
    for seed in range(10):
        table, rng, turn = new_table(n_seats, seed, hand_size=1), random.Random(seed), 0
        while not table.over:
            assert table.state.seat == turn % n_seats
            assert (table.state.turn, table.state.round_number) == (turn, 1 + turn // n_seats)
            code = rng.choice(table.legal())
            passed += code == PASS_MOVE
            table.play(code)
            turn += 1
        assert (table.state.turn, table.state.round_number) == (turn, 1 + max(turn - 1, 0) // n_seats)  # none begun
    assert passed > 5


# --- R8 what a seat knows ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n_seats", SIZES)
def test_r8_1_field_and_hands_are_open_the_pile_is_not(n_seats):
    """More in test_hidden.py."""
    table = new_table(n_seats).play_random(1, 5)
    for seat in range(n_seats):
        seen = table.at(table.view(seat))
        assert field(seen) == field(table)
        assert hands(seen) == hands(table)
        assert set(pile(seen)) == {HIDDEN}
        assert len(pile(seen)) == len(pile(table)) > 0


def test_r8_2_everybody_knows_which_tiles_are_in_the_pile():
    table = new_table(2).play_random(1, 5)
    guesses = [pile(table.redealt(table.view(0), seed)) for seed in range(20)]
    assert all(sorted(guess) == sorted(pile(table)) for guess in guesses)
    assert len(set(map(tuple, guesses))) == 20


# --- R9 left out ---------------------------------------------------------------------------------------------------
def test_r9_1_a_wrong_tile_cannot_be_placed():
    """Of all places for tiles of either hand and some others only the options are accepted; nothing else changes."""
    table = new_table(2, underfed="forbidden", edge_scoring="true").play_random(2, 9)
    before, legal = table.bytes(), set(table.legal())
    numbers = {number for held in hands(table) for number in held} | {*pile(table)[:2], 40, TILE_CODES - 1}
    codes = [code for code in range(PASS_MOVE) if code % TILE_CODES in numbers]
    assert legal < set(codes)
    codes += [*range(-3, 0), *range(PASS_MOVE, PASS_MOVE + 200), 2**31 - 1, -(2**31), 2**40, -(2**62)]
    assert [code for code in codes if code not in legal and table.apply(code)] == []
    assert table.bytes() == before
    for code in legal:
        assert table.copy().apply(code)
