"""A test for every clause of RULES.md, named after it: ``test_r4_5_...`` is for clause R4.5."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import meeplecarlo
from meeplecarlo.errors import ComponentError
from meeplecarlo.games.fuji_san.board import read_board
from meeplecarlo.games.fuji_san.state import CAPTURE, OVER, PLACE, PUT, REMOVE, TAKE_FIRST, TAKE_SECOND
from meeplecarlo.games.fuji_san.variant import board_of
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from tests.games.fuji_san.by_hand import fill, new_table, options, pieces, play, rules_of, set_position, totals
from tests.table import Table

RULES_PAGE = Path(meeplecarlo.__file__).parent / "games" / "fuji_san" / "RULES.md"
ALTERNATING = [f"{k % 2}{'sml'[k // 2 % 3]}" for k in range(30)]


def clauses() -> set[str]:
    return set(re.findall(r"^\| R(\d+\.\d+) \|", RULES_PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE))


def test_clauses_and_tests_name_each_other():
    named = {".".join(re.match(r"test_r(\d+)_(\d+)_", n).groups()) for n in globals() if re.match(r"test_r\d", n)}
    assert named == clauses()
    assert len(named) >= 20


# --- R1 components -------------------------------------------------------------------------------------------------
def test_r1_1_each_seat_has_five_of_each_size():
    assert new_table().state.unplaced.tolist() == [[5, 5, 5], [5, 5, 5]]
    assert new_table(pieces=(2, 3, 10)).state.unplaced.tolist() == [[2, 3, 10], [2, 3, 10]]


def test_r1_2_pips_are_points():
    position = {"A1": "0s", "B2": "0s", "A2": "1l", "A3": "0m", "D1": "0s", "D9": "1s"}
    for pips, points in (((1, 2, 3), 3), ((2, 4, 9), 9)):
        table = set_position(new_table(pips=pips), 0, position)
        play(table, "D1 0s", "D9 1s", "D1 0s", "A2 1l")
        assert table.points() == [points, 0]


def test_r1_3_neighbours_share_an_edge_and_every_space_has_two_or_three():
    """On the mountain, by hand: A1 is the ^ at the upper left; C5 in the middle is a ^ above D5."""
    board = board_of(rules_of())
    called = names()
    for space, expected in {
        "A1": {"A2", "B2"},
        "A2": {"A1", "A3"},
        "B1": {"B2", "C2"},
        "B2": {"A1", "B1", "B3"},
        "C5": {"C4", "C6", "D5"},
        "D1": {"C1", "D2"},
        "D2": {"D1", "D3"},
        "D9": {"C9", "D8"},
    }.items():
        assert {called[n] for n in board.neighbours[called.index(space)]} == expected, space
    assert {len(neighbours) for neighbours in board.neighbours} == {2, 3}


def names() -> list[str]:
    return [f"{row}{k}" for row, n in zip("ABCD", (5, 7, 9, 9), strict=True) for k in range(1, n + 1)]


def test_r1_4_the_default_board_has_30_spaces_14_with_two_neighbours():
    board = board_of(rules_of())
    assert [len(line.strip(".")) for line in board.picture] == [5, 7, 9, 9]
    sizes = [len(neighbours) for neighbours in board.neighbours]
    assert (sizes.count(2), sizes.count(3)) == (14, 16)
    assert get_game("fuji-san").component("board").shipped[0] == "mountain30.txt"


def test_r1_5_the_other_boards():
    sizes = {
        name: [len(neighbours) for neighbours in board_of(rules_of(name)).neighbours]
        for name in ("hexagon24", "rows33")
    }
    assert (sizes["hexagon24"].count(2), sizes["hexagon24"].count(3)) == (12, 12)
    assert sizes["rows33"] == [2] * 6


def test_r1_6_own_boards_are_row_lengths_or_pictures(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("7 9 9\n")
    assert simulate("fuji-san", ["random", "greedy"], games=4, seed=1, components={"board": path}).n_games == 4
    assert board_of(rules_of(str(path))).picture == read_board("", ".^v^v^v^.\n^v^v^v^v^\nv^v^v^v^v").picture


def test_r1_7_boards_that_cannot_be_played_are_refused():
    """All reasons are in test_board.py."""
    for text in ("3 5", "^v^.^v^\nv^v.v^v"):
        with pytest.raises(ComponentError):
            read_board("x", text)
    with pytest.raises(ComponentError, match="needs 15 pyramids"):
        rules_of(pieces=(4, 5, 5))


# --- R2 setup ------------------------------------------------------------------------------------------------------
def test_r2_1_the_board_is_empty_at_first():
    table = new_table()
    assert pieces(table) == {}
    assert totals(table) == [5] * 6


def test_r2_2_seat_0_goes_first():
    assert (new_table().state.seat, new_table().state.phase) == (0, PLACE)


# --- R3 placement --------------------------------------------------------------------------------------------------
def test_r3_1_own_pyramids_of_any_size_left_on_any_empty_space():
    table = new_table("rows33", pieces=(2, 1, 0))
    everywhere = [f"{row}{k}" for row in "AB" for k in (1, 2, 3)]
    assert options(table) == [f"{space} 0{size}" for space in everywhere for size in "sm"]
    play(table, "B2 0m")
    assert options(table) == [f"{space} 1{size}" for space in everywhere if space != "B2" for size in "sm"]
    play(table, "A1 1s")
    assert options(table) == [f"{space} 0s" for space in ("A2", "A3", "B1", "B3")]
    play(table, "A2 0s", "A3 1s", "B1 0s")
    assert table.state.phase == PLACE
    assert options(table) == ["B3 1m"]
    play(table, "B3 1m")
    assert table.state.phase == REMOVE
    assert len(pieces(table)) == 6


def test_r3_2_seat_0_places_the_odd_one_and_what_finds_no_space_stays_out(tmp_path):
    path = tmp_path / "odd.txt"
    table = new_table("hexagon24")
    while table.state.phase == PLACE:
        table.play(table.legal()[0])
    assert table.state.unplaced.sum(axis=1).tolist() == [3, 3]
    table.play_random(4)
    assert table.state.unplaced.sum(axis=1).tolist() == [3, 3]
    path.write_text("3 5 5")  # 13 spaces
    table = new_table(str(path))
    while table.state.phase == PLACE:
        last = int(table.state.seat)
        table.play(table.legal()[0])
    assert (last, table.state.seat) == (0, 1)
    assert table.state.unplaced.sum(axis=1).tolist() == [15 - 7, 15 - 6]


# --- R4 capture ----------------------------------------------------------------------------------------------------
def test_r4_1_seat_1_removes_any_one_pyramid_first():
    table = fill(new_table(), ALTERNATING)
    assert (table.state.seat, table.state.phase) == (1, REMOVE)
    assert len(options(table)) == 30
    assert {text[-2] for text in options(table)} == {"0", "1"}
    play(table, "A1 0s")
    assert table.state.discarded.tolist() == [[1, 0, 0], [0, 0, 0]]
    assert table.points() == [0, 0]
    assert "A1" not in pieces(table)


def test_r4_2_turns_alternate_and_begin_by_taking_any_two():
    table = fill(new_table(), ALTERNATING)
    play(table, "A1 0s")
    assert (table.state.seat, table.state.phase) == (0, TAKE_FIRST)
    assert len(options(table)) == 29
    play(table, "A2 1s")
    assert (table.state.seat, table.state.phase) == (0, TAKE_SECOND)
    assert len(options(table)) == 28
    play(table, "A3 0m")
    assert (table.state.seat, table.state.phase) == (0, PUT)
    play(table, "A2 1s")
    if table.state.phase == CAPTURE:
        play(table, "nothing")
    assert (table.state.seat, table.state.phase) == (1, TAKE_FIRST)


def test_r4_3_either_is_put_on_any_empty_space_also_one_just_emptied():
    table = set_position(new_table(), 0, dict(zip(names()[:28], ALTERNATING, strict=False)))
    play(table, "A1 0s", "B1 1l")
    empty = ["A1", "B1", "D8", "D9"]
    assert options(table) == [f"{space} {kind}" for space in empty for kind in ("0s", "1l")]
    play(table, "B1 0s")
    assert pieces(table)["B1"] == "0s"
    equal = set_position(new_table(), 1, {"A1": "0s", "B2": "0s", "D1": "1l"})
    play(equal, "A1 0s", "B2 0s")
    assert len(options(equal)) == 29


def test_r4_4_the_other_one_is_discarded():
    table = set_position(new_table(), 0, {"A1": "0s", "A3": "0m", "D1": "1l", "D5": "1l"})
    before = table.state.discarded.copy()
    play(table, "A1 0s", "D1 1l", "C5 0s")
    assert (table.state.discarded - before).tolist() == [[0, 0, 0], [0, 0, 1]]
    assert table.state.hand.tolist() == [-1, -1]
    assert table.points() == [0, 0]


def test_r4_5_an_opposing_pyramid_among_own_ones_may_be_captured():
    """A2 has two neighbours, A1 and A3; C5 has three, C4, C6 and D5."""
    around = {"A1": "0s", "A3": "0m", "A2": "1l", "C4": "0s", "C6": "0s", "D5": "0l", "C5": "1m"}
    # Neither needs to touch what was put: D9 is far away.
    table = set_position(new_table(), 0, {**around, "D8": "1s", "D1": "0s"})
    play(table, "D8 1s", "D1 0s", "D9 1s")
    assert table.state.phase == CAPTURE
    assert options(table) == ["A2 1l", "C5 1m", "nothing"]
    some = play(table.copy(), "C5 1m")
    assert (some.points(), some.state.seat, some.state.phase) == ([2, 0], 1, TAKE_FIRST)
    assert "C5" not in pieces(some)
    none = play(table.copy(), "nothing")
    assert (none.points(), none.state.seat) == ([0, 0], 1)
    assert "C5" in pieces(none)
    # With one gap or one opposing neighbour it is not surrounded; own pyramids never are.
    for change in ({"D5": None}, {"D5": "1l"}, {"C5": "0m"}):
        position = {k: v for k, v in ({**around, "A2": "0l", "D8": "1s", "D1": "0s"} | change).items() if v}
        table = set_position(new_table(), 0, position)
        play(table, "D8 1s", "D1 0s", "D9 1s")
        assert (table.state.seat, table.state.phase) == (1, TAKE_FIRST), change
    # What surrounds is lifted: nothing to capture. Put back, there is.
    table = set_position(new_table(), 0, {**around, "D8": "1s"})
    play(table, "A1 0s", "C4 0s", "D1 0s")
    assert table.state.phase == TAKE_FIRST
    table = set_position(new_table(), 0, {"A1": "0s", "A3": "0m", "A2": "1l", "D1": "0l"})
    play(table, "A1 0s", "D1 0l", "A1 0l")
    assert options(table) == ["A2 1l", "nothing"]
    # Seat 1 captures in the same way, and a pyramid may be carried to where it is captured.
    table = set_position(new_table(), 1, {"A1": "1s", "A3": "1m", "D1": "0l", "A2": "1l"})
    play(table, "A2 1l", "D1 0l", "A2 0l", "A2 0l")
    assert table.points() == [0, 3]


def test_r4_6_a_turn_is_never_passed():
    table = new_table().play_random(5, plies=31)
    while not table.over:
        before = len(pieces(table))
        assert table.state.phase == TAKE_FIRST
        play(table, options(table)[0])
        play(table, options(table)[0])
        play(table, options(table)[0])
        assert len(pieces(table)) == before - 1
        if table.state.phase == CAPTURE:
            play(table, "nothing")


# --- R5 end and score ----------------------------------------------------------------------------------------------
def test_r5_1_the_game_ends_when_fewer_than_two_are_left():
    table = set_position(new_table(), 1, {"A1": "0s", "D9": "1l"})
    play(table, "D9 1l", "A1 0s", "B1 1l")
    assert table.over
    assert table.state.seat == OVER
    assert pieces(table) == {"B1": "1l"}
    table = set_position(new_table(), 1, {"A1": "0s", "D9": "1l", "D8": "1s"})
    play(table, "D9 1l", "A1 0s", "B1 1l")
    assert (table.over, table.state.seat) == (False, 0)


def test_r5_2_captured_pips_are_the_score():
    table = set_position(new_table(), 0, {"A1": "0s", "A3": "0m", "A2": "1m", "D9": "1l", "D8": "0s"}, 40)
    play(table, "D9 1l", "D8 0s", "D9 1l", "A2 1m")
    play(table, "A1 0s", "A3 0m", "A1 0s")
    assert (table.state.seat, table.state.round_number) == (0, 42)
    lines, _ = table.tally()
    space = names().index("A2")
    assert [tuple(line) for line in lines.tolist()] == [(0, 0, 1, 2, space, 40)]
    assert table.points() == [2, 0]


def test_r5_3_most_pips_win():
    run = simulate("fuji-san", ["random", "small_first"], games=40, seed=3)
    frame = run.seats.collect().partition_by("game", maintain_order=True)
    for part in frame:
        points, shares = part["points"].to_list(), part["win_share"].to_list()
        assert shares == ([0.5, 0.5] if points[0] == points[1] else [float(p == max(points)) for p in points])


def test_r5_4_equal_pips_are_a_draw():
    run = simulate("fuji-san", ["random", "random"], games=100, seed=3)
    shares = run.seats.collect()
    draws = shares.filter(shares["win_share"] == 0.5)
    assert draws.height > 0
    for part in draws.partition_by("game"):
        assert part["points"].n_unique() == 1
        assert set(part["rank"]) == {1}


@pytest.mark.parametrize("board", ["mountain30", "hexagon24", "rows33"])
def test_r5_5_one_is_left_and_turns_and_captures_are_spaces_less_two(board):
    for players in (["random", "random"], ["greedy", "lookahead"]):
        run = simulate("fuji-san", players, games=50, seed=3, components={"board": board})
        games = run.games.collect()
        spaces = int(run.deals.collect()["spaces"][0])
        assert set(games["left"]) == {1}
        assert set(games["turns"] + games["captures"]) == {spaces - 2}
        assert (games["rounds"] == spaces + 1 + games["turns"]).all()
        assert run.scores.collect().height == games["captures"].sum()


def test_r5_6_a_round_is_a_placement_the_removal_or_a_turn():
    table, rng = new_table(), random.Random(2)
    expected = 1
    while not table.over:
        assert table.state.round_number == expected
        phase, seat = int(table.state.phase), int(table.state.seat)
        table.play(rng.choice(table.legal()))
        ended = phase in (PLACE, REMOVE, CAPTURE) or (phase == PUT and table.state.phase != CAPTURE)
        expected += ended and not table.over
        if not ended:
            assert table.state.seat == seat


# --- R6 who knows what ---------------------------------------------------------------------------------------------
def test_r6_1_nothing_is_hidden_and_nothing_is_chance():
    game = get_game("fuji-san")
    assert game.perfect_information
    assert not game.chance
    table = Table("fuji-san", 2, seed=1)
    assert table.bytes() == Table("fuji-san", 2, seed=2).bytes()
    rng = random.Random(1)
    while not table.over:
        for seat in range(2):
            assert table.view(seat).tobytes() == table.bytes()
            assert table.redealt(table.view(seat), 5).bytes() == table.bytes()
        table.play(rng.choice(table.legal()))
