"""Board files: what they may say, what they mean, and the reasons for which they are refused."""

from __future__ import annotations

import re

import pytest

from meeplecarlo.errors import ComponentError, UsageError
from meeplecarlo.games.fuji_san.board import read_board
from meeplecarlo.games.fuji_san.variant import board_of
from meeplecarlo.registry import get_game
from meeplecarlo.variant import make_variant
from tests.games.fuji_san.by_hand import new_table, rules_of

SHIPPED = {
    "mountain30": ("..^v^v^..", ".^v^v^v^.", "^v^v^v^v^", "v^v^v^v^v"),
    "hexagon24": (".^v^v^.", "^v^v^v^", "v^v^v^v", ".v^v^v."),
    "rows33": ("^v^", "v^v"),
}
# How many spaces have two and three neighbours, and how many lie on the axis of the reflection.
COUNTS = {"mountain30": (14, 16, 4), "hexagon24": (12, 12, 4), "rows33": (6, 0, 2)}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_boards(name):
    rules = rules_of(name)
    board = board_of(rules)
    assert board.picture == SHIPPED[name]
    n = int(rules["n_spaces"][0])
    sizes = [len(neighbours) for neighbours in board.neighbours]
    image = rules["reflection"][0, :n].tolist()
    axis = sum(image[space] == space for space in range(n))
    assert (sizes.count(2), sizes.count(3), axis) == COUNTS[name]
    assert sum(sizes) % 2 == 0


@pytest.mark.parametrize("name", SHIPPED)
def test_sets_of_the_record_say_what_the_lists_say(name):
    rules = rules_of(name)
    record, board = rules[0], board_of(rules)
    n = len(board.spaces)
    for space, neighbours in enumerate(board.neighbours):
        assert int(record["neighbours"][space]) == sum(1 << other for other in neighbours)
        assert int(record["three"]) >> space & 1 == (len(neighbours) == 3)
        assert all(space in board.neighbours[other] for other in neighbours)
    assert int(record["board"]) == (1 << n) - 1
    steps = {
        (space, space + int(record["step"][i]))
        for i in range(int(record["n_steps"]))
        for space in range(n)
        if int(record["step_from"][i]) >> space & 1
    }
    assert steps == {(a, b) for a in range(n) for b in board.neighbours[a] if a < b}


def test_neighbours_share_an_edge():
    """Rows of 3 and 3 by hand: A1 ^ stands on B1 v, A3 ^ on B3 v; A2 v stands on its tip, B2 ^ under a tip."""
    assert read_board("x", "^v^\nv^v").neighbours == [[1, 3], [0, 2], [1, 5], [0, 4], [3, 5], [2, 4]]


@pytest.mark.parametrize(
    ("text", "picture"),
    [
        ("5 7 9 9", SHIPPED["mountain30"]),
        ("5\n7\n9\n9\n", SHIPPED["mountain30"]),
        ("# mine\n5-7, 7 ,5", SHIPPED["hexagon24"]),
        ("\ufeff3\t3\r\n", SHIPPED["rows33"]),
        ("3,3", SHIPPED["rows33"]),
        ("....\n.^v^.\n.v^v\n", SHIPPED["rows33"]),
        ("^v^   \nv^v", SHIPPED["rows33"]),
        ("\n# a ring\n^v^\n\nv^v\n", SHIPPED["rows33"]),
    ],
)
def test_ways_to_write_a_board(text, picture):
    assert read_board("x.txt", text).picture == picture


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.txt: there is no board in it"),
        ("# only a comment\n", "x.txt: there is no board in it"),
        ("...", "x.txt: the picture has no space in it"),
        ("5 7 8", "all odd or all even, got 5 7 8"),
        ("5 0 7", "row lengths must be numbers from 1 to 64, got 5 0 7"),
        (",", "row lengths must be numbers from 1 to 64, got none"),
        ("99", "row lengths must be numbers from 1 to 64, got 99"),
        ("^v^\nvxv", "x.txt, row 2, column 2: expected ^, v or a dot, got 'x'"),
        ("# c\n^V^", "x.txt, row 2, column 2: expected ^, v or a dot, got 'V'"),
        ("^v^\nvvv", "x.txt, row 2, column 2: neighbours in a row must point differently, but here are two v"),
        ("^v^", "4 to 64 spaces, this one has 3"),
        ("9 9 9 9 9 9 9 9", "4 to 64 spaces, this one has 72"),
        ("4 6", "the space A4 (row 1, column 5 of the board) has 1 neighbour;"),
        ("3 5", "the space B1 (row 2, column 1 of the board) has 1 neighbour;"),
        ("^v^.\nv^v.\n...^", "the space C1 (row 3, column 4 of the board) has 0 neighbours;"),
        ("^v^.^v^\nv^v.v^v", "the board is in several parts; no way leads from A1 to A4"),
        ("5 7 9 9 7", "a board of 37 spaces needs 19 pyramids of seat 0, which places first, but each seat has 15"),
    ],
)
def test_boards_are_refused_with_a_reason(text, message, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises(ComponentError, match=re.escape(message)) as caught:
        rules_of(str(path))
    assert str(caught.value).endswith(".")


def test_a_seat_needs_pyramids_for_half_of_the_spaces():
    """Seat 0 places first and so needs the odd one: 6 spaces need 3."""
    rules_of("rows33", pieces=(1, 1, 1))
    with pytest.raises(ComponentError, match=r"rows33.txt: a board of 6 spaces needs 3 pyramids of seat 0"):
        rules_of("rows33", pieces=(1, 1, 0))
    with pytest.raises(UsageError, match="at least one pyramid"):
        rules_of("rows33", pieces=(0, 0, 0))


def test_the_largest_board_can_be_played(tmp_path):
    """30 pyramids of each seat fill 60 spaces."""
    path = tmp_path / "big.txt"
    path.write_text("15 15 15 15")
    table = new_table(str(path), pieces=(10, 10, 10)).play_random(1)
    assert table.over
    assert int(table.rules.n_spaces) == 60


def test_unknown_shipped_boards_are_named():
    with pytest.raises(ComponentError, match="did you mean 'hexagon24'"):
        make_variant(get_game("fuji-san"), {}, {"board": "hexagon42"})
