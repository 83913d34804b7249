"""What holds in every position of every game, however it was played."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeplecarlo.games.heizei.rules import landing
from meeplecarlo.games.heizei.state import NONE
from tests.games.heizei import reference
from tests.games.heizei.by_hand import (
    LETTERS,
    NAME,
    SIZES,
    TILES,
    all_options,
    code,
    collected,
    first,
    from_first,
    hands,
    laid,
    lines,
    new_table,
    options,
    phase,
    read,
    spaces,
    still_in,
    walk,
    where,
)
from tests.table import Table

VARIANTS = (
    {},
    {"track": 8},
    {"track": 30, "memory": "table", "penalty": "none"},
    {"cards_per_colour": (6, 4, 5), "memory": "table"},
    {"cards_per_colour": (18, 20, 20), "steps": (2, 0, 5, 99, 3, 0, 1), "first_values": (0, 20, 3, 3)},
    {
        "steps": (0,) * 7,
        "tiles_3": (5, 5),
        "tiles_4": (0, 7, 0),
        "tiles_5": (3, 3, 1, 1),
        "second_values": (2, 2, 0, 20),
    },
)
STYLES = ("any", "long", "short")
seeds = st.integers(0, 2**32)
sizes = st.sampled_from(SIZES)


def choose(table: Table, rng: random.Random, style: str) -> int:
    """Return a move at random: any, or one of the most or the fewest cards."""
    moves = table.legal()
    if style != "any":
        numbers = [len(read(move)) for move in moves]
        wanted = max(numbers) if style == "long" else min(numbers)
        moves = [move for move, n in zip(moves, numbers, strict=True) if n == wanted]
    return rng.choice(moves)


def played(n_seats: int, seed: int, share: float, variant: dict, style: str) -> Table:
    """Return a table after part of a game, or at its end: `share` of the decisions it can have at most."""
    table, rng = new_table(n_seats, seed=seed, **variant), random.Random(seed)
    plies = int(share * 4 * n_seats * int(table.rules.hand_size))
    while not table.over and plies > 0:
        table.play(choose(table, rng, style))
        plies -= 1
    return table


variants = st.sampled_from(VARIANTS)
styles = st.sampled_from(STYLES)
positions = st.builds(played, sizes, seeds, st.floats(0, 0.75), variants, styles)
ends = st.builds(played, sizes, seeds, st.just(1.0), variants, styles)


def each(table: Table) -> int:
    """Return the cards of each colour in the game."""
    return int(table.rules.hand_size) * table.n_seats // 4


def tiles(table: Table) -> list[int]:
    return table.rules.tiles[1 : table.n_seats].tolist()


# --- cards ---------------------------------------------------------------------------------------------------------
@settings(max_examples=80)
@given(positions)
def test_cards_are_conserved_and_counted(table):
    state, size = table.state, int(table.rules.hand_size)
    assert where(table) == dict.fromkeys(LETTERS, each(table))
    assert state.n_hand[: table.n_seats].tolist() == [len(hand) for hand in hands(table)]
    assert state.n_collected[: table.n_seats].tolist() == [len(cards) for cards in collected(table)]
    assert (
        state.n_out == table.n_seats - len(still_in(table)) == np.count_nonzero(state.went_out[state.round_number - 1])
    )
    for name in ("hand", "collected", "laid", "first", "first_points", "n_hand", "n_collected"):
        assert not state[name][table.n_seats :].any(), name
    assert not state.went_out[:, table.n_seats :].any()
    if state.round_number == 2:
        assert Counter("".join(first(table))) == dict.fromkeys(LETTERS, each(table))
        assert [len(cards) for cards in first(table)] == [size] * table.n_seats
        for hand, card, cards in zip(hands(table), laid(table), first(table), strict=True):
            assert not Counter(hand + card) - Counter(cards)
    else:
        assert first(table) == [""] * table.n_seats
        assert state.starter == NONE


@settings(max_examples=80)
@given(positions)
def test_the_table_holds_a_card_for_every_seat_still_in(table):
    n_in, state = len(still_in(table)), table.state
    lying, size = len(read(state.table)), int(table.rules.hand_size)
    played_now = len(read(state.played))
    assert (played_now > 0) == (phase(table) == "take" and not table.over)
    if table.over:
        assert lying == n_in == 0
        return
    if phase(table) == "prepare":
        assert lying == 0
        assert sum(map(len, laid(table))) == state.seat
        return
    assert lying == n_in
    assert laid(table) == [""] * table.n_seats
    for seat in range(table.n_seats):
        waits = played_now if seat == state.seat else 0
        gathered = len(collected(table)[seat])
        assert len(hands(table)[seat]) + waits + gathered == size - (1 if seat in still_in(table) else 0)
    assert len(hands(table)[state.seat]) > 0 or phase(table) in ("take", "last")


@settings(max_examples=30)
@given(sizes, seeds, variants, styles)
def test_all_along_a_game(n_seats, seed, variant, style):
    """At every decision: whose it is, what is on the table, where the cubes go, and what a round ends with."""
    table, rng = new_table(n_seats, seed=seed, **variant), random.Random(seed)
    track, size = variant.get("track", 0), int(table.rules.hand_size)
    used, decisions, out = Counter(), 0, Counter()
    cubes = reference.cubes_on_circles([NAME[letter] for letter in from_first(table.state.space)[::-1]])
    while not table.over:
        before, asked, number = table.copy(), phase(table), int(table.state.round_number)
        seat = int(table.state.seat)
        if asked == "play":
            assert len(read(table.state.table)) == len(still_in(table))
            assert seat in still_in(table)
        move = choose(table, rng, style)
        cards = read(move)
        table.play(move)
        decisions += 1
        if asked in ("prepare", "play"):
            used.update(cards)
        if asked == "play":
            steps = table.rules.steps[min(len(cards), 7)]
            cubes = reference.move_cube(cubes, NAME[cards[0]], int(steps), track)
        if asked == "prepare" and phase(table) == "play":
            cubes = reference.move_prepared(
                cubes, {NAME[letter]: read(table.state.table).count(letter) for letter in LETTERS}, track
            )
        if asked == "last":
            out[number] += 1
            assert before.state.n_hand[seat] == 0
            tile = [line for line in lines(table) if line[:2] == (seat, ("first_tile", "second_tile")[number - 1])]
            if table.over or table.state.round_number > number:
                assert tile == []  # the last one gets none
        if table.over or table.state.round_number > number:
            assert used == dict.fromkeys(LETTERS, each(table))
            used.clear()
            assert out[number] == n_seats
            ended = collected(table) if table.over else hands(table)
            assert [len(cards) for cards in ended] == [size] * n_seats
            assert read(table.state.table) == ""
            if not table.over:
                assert [NAME[letter] for letter in from_first(table.state.first_space)] == reference.cube_order(cubes)
                cubes = reference.cubes_on_circles(reference.cube_order(cubes)[::-1])
        assert [NAME[letter] for letter in from_first(table.state.space)] == reference.cube_order(cubes)
        shown = {NAME[letter]: min(space, track or space) for letter, space in spaces(table).items()}
        assert shown == cubes
    assert decisions == 4 * n_seats + 2 * table.state.turns.sum() <= 4 * n_seats * size
    assert out == {1: n_seats, 2: n_seats}


@pytest.mark.parametrize(("n_seats", "most"), [(3, 192), (4, 240), (5, 240)])
def test_a_printed_game_has_at_most_so_many_decisions(n_seats, most):
    table, rng = new_table(n_seats, seed=1), random.Random(1)
    decisions = 0
    while not table.over:
        table.play(choose(table, rng, "short"))
        decisions += 1
    assert decisions == most


# --- cubes ---------------------------------------------------------------------------------------------------------
@settings(max_examples=80)
@given(positions)
def test_cubes_never_share_a_space(table):
    assert len(set(table.state.space.tolist())) == 4
    track = int(table.rules.track)
    beyond = sorted((space for space in table.state.space.tolist() if space >= track), reverse=True)
    assert beyond == [track + 3 - i for i in range(len(beyond))]
    assert table.state.space.min() >= 1


def test_a_cube_makes_at_most_57_counted_steps_in_a_round():
    """By the best split of 15 cards of a colour: one card of them laid or not, the others in any turns."""
    steps = [0, 1, 3, 6, 10, 15, 21, *[28] * 9]
    most = [0]
    for n in range(1, 16):
        most.append(max(steps[k] + most[n - k] for k in range(1, n + 1)))
    assert max(most[15 - prepared] + prepared for prepared in range(6)) == 57


@pytest.mark.parametrize("style", STYLES)
def test_no_cube_gets_further_than_that(style):
    """57 counted steps from the head circle, and over at most three others at a time in each of its moves."""
    for seed in range(10):
        state = played(SIZES[seed % 3], seed, 1.0, {}, style).state
        assert max(*state.first_space, *state.space) <= 4 + 57 + 3 * 16


cubes_anywhere = st.lists(st.integers(1, 40), min_size=4, max_size=4, unique=True)


@settings(max_examples=300)
@given(cubes_anywhere, st.integers(0, 3), st.integers(0, 99))
def test_landing_is_walking(where_they_are, colour, steps):
    table = new_table(3)
    for i, space in enumerate(where_they_are):
        table.state.space[i] = space
    before = spaces(table)
    expected = walk(before, LETTERS[colour], steps)[LETTERS[colour]]
    assert landing(table.rules, table.state, colour, steps) == expected
    assert spaces(table) == before


# --- moves ---------------------------------------------------------------------------------------------------------
@settings(max_examples=150)
@given(positions)
def test_legal_moves_are_those_found_by_trying_everything(table):
    if table.over:
        assert table.legal() == []
        return
    assert options(table) == all_options(table)
    assert 1 <= len(table.legal()) <= table.game.max_options


@settings(max_examples=12)
@given(positions)
def test_apply_takes_the_legal_moves_and_refuses_every_other_code(table):
    """All sets of up to six cards of each colour, a colour in any number, and numbers that stand for no set."""
    before = table.bytes()
    legal = set(table.legal())
    sets = ["".join(map(str.__mul__, LETTERS, counts)) for counts in product(range(7), repeat=4)]
    sets += [letter * n for letter in LETTERS for n in range(32)]
    codes = {code(cards) for cards in sets} | set(range(-70, 70)) | {32**4 - 1, 32**4, 2**31 - 1, -(2**31)}
    codes |= {move + far for move in legal for far in (32**4, 2**32, -(2**32), 2**62, -(2**63))}
    for move in codes - legal:
        assert not table.apply(move)
    assert table.bytes() == before
    for move in legal:
        assert table.copy().apply(move)


# --- points --------------------------------------------------------------------------------------------------------
@settings(max_examples=40)
@given(ends)
def test_points_of_both_rounds_add_up(table):
    rules, found = table.rules, lines(table)
    values = rules.values.tolist()
    card_points = Counter()
    for line in found:
        if line[2] != "tile":
            card_points[line[4]] += abs(line[3])
    assert [card_points[1], card_points[2]] == [sum(values[0]) * each(table), sum(values[1]) * each(table)]
    for number, category in ((1, "first_tile"), (2, "second_tile")):
        got = [line[3] for line in found if line[1] == category]
        assert sorted(got, reverse=True) == tiles(table)
        assert all(line[4:] == (number, 0, 0) for line in found if line[1] == category)
        assert sum(line[5] for line in found if line[4] == number) == 4 * each(table)
    negative = [line[0] for line in found if line[1] == "second_penalty"]
    assert negative == (list(range(table.n_seats)) if rules.penalty else [])
    assert all(line[1] == "second_penalty" for line in found if line[3] < 0)
    assert table.points() == [sum(line[3] for line in found if line[0] == seat) for seat in range(table.n_seats)]


@settings(max_examples=40)
@given(ends)
def test_lines_are_in_order_and_say_what_was_collected(table):
    order = [(line[4], line[0], [*NAME.values(), "tile"].index(line[2])) for line in lines(table)]
    assert order == sorted(set(order))
    for number, sheets, space in ((1, first(table), table.state.first_space), (2, collected(table), table.state.space)):
        places = {NAME[letter]: place for place, letter in enumerate(from_first(space), 1)}
        shown = {(line[0], line[2]): line[5:] for line in lines(table) if line[4] == number and line[2] != "tile"}
        assert shown == {
            (seat, NAME[letter]): (cards.count(letter), places[NAME[letter]])
            for seat, cards in enumerate(sheets)
            for letter in set(cards)
        }


@settings(max_examples=40)
@given(ends.filter(lambda table: table.rules.penalty == 1))
def test_the_negative_colour_is_the_most_frequent_and_the_one_further_ahead_of_several(table):
    ahead = from_first(table.state.space)
    for seat, cards in enumerate(collected(table)):
        (name,) = (line[2] for line in lines(table) if line[:2] == (seat, "second_penalty"))
        most = max(cards.count(letter) for letter in LETTERS)
        assert name == NAME[next(letter for letter in ahead if cards.count(letter) == most)]


@settings(max_examples=40)
@given(ends)
def test_the_start_player_of_round_2_is_the_one_the_points_say(table):
    state, n = table.state, table.n_seats
    points = [sum(line[3] for line in lines(table) if line[0] == s and line[4] == 1) for s in range(n)]
    assert state.first_points[:n].tolist() == points
    worth = [*tiles(table), 0]
    key = [(-points[s], worth[state.went_out[0, s] - 1], s) for s in range(n)]
    assert state.starter == min(key)[2]


@pytest.mark.parametrize(("n_seats", "first_sum", "second_sum", "tile_sum"), [
    (3, 72, 120, 3), (4, 90, 150, 6), (5, 90, 150, 10),
])  # fmt: skip
def test_the_sums_of_printed_games(n_seats, first_sum, second_sum, tile_sum):
    assert sum(TILES[n_seats]) == tile_sum
    for seed in range(10):
        found = lines(new_table(n_seats, seed=seed).play_random(seed))
        cards = [line for line in found if line[2] != "tile"]
        assert sum(line[3] for line in cards if line[4] == 1) == first_sum
        assert sum(abs(line[3]) for line in cards if line[4] == 2) == second_sum
        for number in (1, 2):
            assert sum(line[3] for line in found if line[4] == number and line[2] == "tile") == tile_sum
