"""What holds in every game of Fuji-san, on every board and with every set of pyramids."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from meeplecarlo.compiled import records
from meeplecarlo.games.fuji_san.rules import count_neighbours, pits_of
from meeplecarlo.games.fuji_san.state import CAPTURE, PLACE, PUT, REMOVE, RULES, TAKE_FIRST
from meeplecarlo.games.fuji_san.variant import board_of
from tests.games.fuji_san.by_hand import new_table, pieces, rules_of, totals

BOARDS = ("mountain30", "hexagon24", "rows33")
TABLES = {}


@st.composite
def tables(draw):
    """A table before its first placement."""
    board = draw(st.sampled_from(BOARDS))
    sizes = draw(st.sampled_from([(5, 5, 5), (10, 3, 2), (0, 10, 6), (0, 0, 10), (15 - 9, 9, 0), (7, 7, 7)]))
    if sum(sizes) < {"mountain30": 15, "hexagon24": 12, "rows33": 3}[board]:
        sizes = (5, 5, 5)
    if (board, sizes) not in TABLES:
        TABLES[board, sizes] = new_table(board, pieces=sizes)
    return TABLES[board, sizes].copy()


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_pyramids_are_conserved_and_the_board_empties_by_one_or_two(table, seed):
    rng = random.Random(seed)
    everything, spaces = totals(table), int(table.rules.n_spaces)
    start = spaces
    while not table.over:
        phase = int(table.state.phase)
        if phase in (REMOVE, TAKE_FIRST):
            start = len(pieces(table))
            assert phase != REMOVE or start == spaces, "every space is filled before the removal"
            assert start >= 2
        table.play(rng.choice(table.legal()))
        assert totals(table) == everything
        standing = len(pieces(table))
        if phase == PLACE:
            assert standing == int(table.state.round_number) - 1
        elif phase == REMOVE:
            assert standing == spaces - 1
        elif phase in (PUT, CAPTURE) and table.state.phase != CAPTURE:
            assert standing in (start - 1, start - 2)
    assert len(pieces(table)) == 1
    captured = int(table.state.n_captured.sum())
    turns = int(table.state.round_number) - spaces - 1
    assert turns + captured == spaces - 2
    lines, _ = table.tally()
    assert len(lines) == captured
    assert sum(table.points()) == sum(int(table.rules.pips[slot]) for slot in lines["slot"])


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_what_can_be_captured_is_what_is_surrounded(table, seed):
    """Options of a capture, worked out anew from the board's own list of neighbours."""
    rng = random.Random(seed)
    board = board_of(_as_array(table.rules))
    while not table.over:
        move = rng.choice(table.legal())
        put, seat = table.state.phase == PUT, int(table.state.seat)
        table.play(move)
        if put:
            owner = _owners(table)
            free = {
                space for space, own in enumerate(owner)
                if own == 1 - seat and all(owner[n] == seat for n in board.neighbours[space])
            }  # fmt: skip
            assert (table.state.phase == CAPTURE) == bool(free)
            if free:
                assert {code // 8 for code in table.legal()[:-1]} == free


def _as_array(record):
    array = records(1, RULES)
    array[0] = record
    return array


def _owners(table) -> list[int | None]:
    first, second = (int(bits) for bits in table.state.owned)
    return [0 if first >> s & 1 else 1 if second >> s & 1 else None for s in range(int(table.rules.n_spaces))]


@given(st.sampled_from(BOARDS), st.integers(0, 2**30 - 1))
def test_neighbours_counted_at_once_are_those_counted_one_by_one(board, bits):
    rules = rules_of(board)
    record, neighbours = rules[0], board_of(rules).neighbours
    n = len(neighbours)
    bits &= (1 << n) - 1
    ones, twos = (int(s) for s in count_neighbours(record, bits))
    pits = int(pits_of(record, bits))
    for space in range(n):
        count = sum(bits >> other & 1 for other in neighbours[space])
        assert (ones >> space & 1) + 2 * (twos >> space & 1) == count
        assert pits >> space & 1 == (count == len(neighbours[space]))
    assert max(ones, twos, pits) < 1 << n
