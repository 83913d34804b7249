"""What holds in every position of every game, however it was played."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from meeplecarlo.games.great_fujiyama.state import COMPLETE, HAND_EMPTY, MAX_OPEN, NO_TILE_FITS, NONE, OVER
from tests.games.great_fujiyama import reference
from tests.games.great_fujiyama.by_hand import (
    ANY,
    BOX,
    SEASONS,
    SIZES,
    Laid,
    all_options,
    code,
    deal_in_order,
    deck,
    hands,
    new_table,
    open_places,
    options,
    pyramid,
    read,
    tile_number,
    where,
)
from tests.table import Table

seeds = st.integers(0, 2**32)
sizes = st.sampled_from(SIZES)
turns = st.sampled_from(["none", "thirds"])
widths = st.integers(1, 10)
hand_sizes = st.integers(1, 8)
PYRAMID = {(station, column): BOX[tile - 1] for tile, station, column in reference.complete_pyramid()}


def choose(table: Table, rng: random.Random, style: str) -> int:
    """Return a move at random: any, or of the highest or the lowest that are possible."""
    moves = table.legal()
    if style != "any":
        stations = [read(move).station for move in moves]
        wanted = max(stations) if style == "high" else min(stations)
        moves = [move for move, station in zip(moves, stations, strict=True) if station == wanted]
    return rng.choice(moves)


def played(n_seats: int, seed: int, plies: int, turn: str, style: str = "any", **more) -> Table:
    """Return a table after `plies` moves, or at the end of the game if it has fewer."""
    table, rng = new_table(n_seats, seed=seed, turn=turn, **more), random.Random(seed)
    while not table.over and plies > 0:
        table.play(choose(table, rng, style))
        plies -= 1
    return table


def part_of_the_pyramid(seed: int, n_tiles: int, turn: str = "none") -> Table:
    """Return a solitaire game, hand of three, in which part of the full pyramid was built in a random order.

    Random games end early; this is how positions high up, wide and full of gaps are reached.
    """
    rng = random.Random(seed)
    first = rng.choice([column for station, column in PYRAMID if station == 1])
    laid = {(1, 0): PYRAMID[1, first]}
    while len(laid) < n_tiles:
        places = [(s, x) for s, x in open_places(laid, 10) if (s, x + first) in PYRAMID]
        place = rng.choice(places)
        laid[place] = PYRAMID[place[0], place[1] + first]
    spare = [tile for tile in BOX if tile not in laid.values()]
    rng.shuffle(spare)
    table = deal_in_order(new_table(1, turn=turn), [*laid.values(), *spare])
    for place, tile in list(laid.items())[1:]:
        table.play(code(Laid(tile, *place)))
    return table


positions = st.one_of(
    st.builds(
        played, sizes, seeds, st.integers(0, 54), turns, st.sampled_from(["any", "high", "low"]),
        width=widths, hand_size=hand_sizes,
    ),
    st.builds(played, sizes, seeds, st.integers(0, 54), turns, st.sampled_from(["any", "high", "low"])),
    st.builds(part_of_the_pyramid, seeds, st.integers(1, 55), turns),
)  # fmt: skip


def width_of(table: Table) -> int:
    return int(table.rules.width)


def turn_of(table: Table) -> str:
    return "thirds" if table.rules.turns == 3 else "none"


# --- what lies on the table ----------------------------------------------------------------------------------------
@settings(max_examples=120)
@given(positions)
def test_no_gap_on_the_ground_no_floating_tile_and_all_touching_corners_agree(table):
    laid, width = pyramid(table), width_of(table)
    ground = sorted(column for station, column in laid if station == 1)
    assert ground == list(range(ground[0], ground[0] + len(ground)))
    assert 0 in ground
    assert len(ground) <= width
    for (station, column), tile in laid.items():
        if station > 1:
            below = laid[station - 1, column], laid[station - 1, column + 1]
            assert tile[0] == below[0][2] == below[1][1]
        if (station, column + 1) in laid:
            assert tile[2] == laid[station, column + 1][1]


@settings(max_examples=120)
@given(positions)
def test_tiles_are_conserved_each_in_one_place(table):
    assert where(table) == dict.fromkeys(BOX, 1)
    state = table.state
    laid = {tile_number(BOX[tile]) for tile in state.tile.tolist() if tile != NONE}
    assert {i for i in range(64) if int(state.laid) >> i & 1} == laid
    assert (state.stock[: state.drawn] == NONE).all()
    assert (state.stock[state.drawn :] != NONE).all()
    assert (state.turn[state.tile == NONE] == 0).all()
    for seat, hand in enumerate(state.hand.tolist()):
        held = [tile for tile in hand if tile != NONE]
        assert hand == sorted(held) + [NONE] * (8 - len(held))
        assert len(held) <= (table.rules.hand_size if seat < table.n_seats else 0)
        if deck(table) and seat < table.n_seats:
            assert len(held) == table.rules.hand_size


@settings(max_examples=120)
@given(positions)
def test_stations_are_counted_and_complete_from_the_ground_up(table):
    width = width_of(table)
    per_station = Counter(station for station, _ in pyramid(table))
    assert table.state.count.tolist() == [per_station[s] for s in range(1, 11)]
    full = [per_station[s] == width + 1 - s for s in range(1, width + 1)]
    assert full == sorted(full, reverse=True)
    assert all(per_station[s] <= width + 1 - s for s in range(1, width + 1))
    assert not any(per_station[s] for s in range(width + 1, 11))
    assert all(per_station[s + 1] < per_station[s] for s in range(1, 10) if per_station[s])
    assert table.points() == [sum(full)] * table.n_seats


@settings(max_examples=150)
@given(positions)
def test_open_places_and_what_they_need_equal_those_found_from_scratch(table):
    state = table.state
    n = int(state.n_open)
    found = {
        (int(place) // 19 + 1, int(place) % 19 - 9): need
        for place, need in zip(state.open_place[:n].tolist(), state.open_need[:n].tolist(), strict=True)
    }
    expected = open_places(pyramid(table), width_of(table))
    assert list(found.items()) == list(expected.items())  # in order, too
    assert n <= MAX_OPEN
    assert (state.open_place[n:] == NONE).all()
    assert (state.open_need[n:] == ANY).all()


def test_there_may_be_as_many_open_places_as_there_is_room_for_and_no_more():
    """Two ends of the ground and one place on each of its gaps: nine tiles in a row have ten, and so has what grows."""
    most = max(int(part_of_the_pyramid(seed, n_tiles).state.n_open) for seed in range(60) for n_tiles in (9, 10, 12))
    assert 8 <= most <= MAX_OPEN
    ground = [PYRAMID[1, column] for column in range(9)]
    table = deal_in_order(new_table(1), ground)
    for column in range(1, 9):
        table.play(code(Laid(ground[column], 1, column)))
    assert list(open_places(pyramid(table), 10)) == [(1, -1), (1, 9), *((2, column) for column in range(8))]
    assert table.state.n_open == 10 < MAX_OPEN


# --- moves ---------------------------------------------------------------------------------------------------------
@settings(max_examples=150)
@given(positions)
def test_legal_moves_are_those_found_by_trying_everything(table):
    if table.over:
        assert table.legal() == []
        return
    hand = hands(table)[table.state.seat]
    assert options(table) == set(all_options(pyramid(table), hand, width_of(table), turn_of(table)))


@settings(max_examples=6)
@given(positions)
def test_apply_takes_the_legal_moves_and_refuses_every_other_code(table):
    """All of the 190 places, three turns and 64 tiles, and codes beyond, one by one."""
    before = table.bytes()
    legal = set(table.legal())
    hand = {tile_number(tile) for hand in hands(table) for tile in hand}
    tiles = hand | set(random.Random(1).sample(range(64), 6))
    codes = [(place * 3 + turn) * 64 + tile for place in range(190) for turn in range(3) for tile in tiles]
    for move in [*codes, -1, -64, 190 * 3 * 64, 190 * 3 * 64 + 7, 2**31 - 1, -(2**31), 2**62, -(2**63)]:
        if move not in legal:
            assert not table.apply(move)
    assert table.bytes() == before
    for move in legal:
        assert table.copy().apply(move)


@settings(max_examples=80)
@given(positions)
def test_a_move_lays_that_tile_there_replaces_it_and_changes_nothing_else(table):
    for move in table.legal()[:12]:
        laid, seat = read(move), int(table.state.seat)
        twin = table.copy().play(move)
        expected = reference.turned(tuple(laid.tile), laid.turn)
        assert pyramid(twin) == pyramid(table) | {(laid.station, laid.column): "".join(expected)}
        before, after = hands(table), hands(twin)
        drawn = deck(table)[:1]
        assert sorted(after[seat]) == sorted({*before[seat], *drawn} - {laid.tile})
        assert after[:seat] + after[seat + 1 :] == before[:seat] + before[seat + 1 :]
        assert deck(twin) == deck(table)[1:]


@settings(max_examples=60)
@given(positions)
def test_different_options_leave_different_tables(table):
    results = [tuple(sorted(pyramid(table.copy().play(move)).items())) for move in table.legal()]
    assert len(set(results)) == len(results)


@settings(max_examples=60)
@given(sizes, seeds, turns, st.sampled_from(["any", "high", "low"]), widths, hand_sizes)
def test_a_game_ends_exactly_when_it_should(n_seats, seed, turn, style, width, size):
    """And every decision lays one tile, seats in turn, a round being a turn of each."""
    table, rng = new_table(n_seats, seed=seed, turn=turn, width=width, hand_size=size), random.Random(seed)
    decisions = 0
    while True:
        laid, state = pyramid(table), table.state
        assert decisions == len(laid) - 1
        hand = hands(table)[decisions % n_seats]
        complete = len(laid) == width * (width + 1) // 2
        stuck = not list(all_options(laid, hand, width, turn))
        assert table.over == (complete or stuck)
        if table.over:
            break
        assert state.seat == decisions % n_seats
        assert state.round_number == 1 + decisions // n_seats
        assert state.ended == NONE
        table.play(choose(table, rng, style))
        decisions += 1
    assert state.seat == OVER
    assert state.ended == (COMPLETE if complete else HAND_EMPTY if not hand else NO_TILE_FITS)
    in_round = decisions - 1 if complete and decisions else decisions
    assert state.round_number == 1 + in_round // n_seats


def test_with_64_tiles_a_hand_is_never_empty():
    """Hands of eight, five seats: a deck of 23 runs out in long games, and still no hand does."""
    endings = Counter()
    for seed in range(300):
        table = played(5, seed, 99, "thirds", "any", hand_size=8)
        endings[int(table.state.ended)] += 1
        endings["deck empty"] += not deck(table)
    assert endings[HAND_EMPTY] == 0
    assert endings[COMPLETE] + endings[NO_TILE_FITS] == 300
    assert endings["deck empty"] > 0


# --- symmetry ------------------------------------------------------------------------------------------------------
def renumbered(table: Table, rename) -> Table:
    """Return a game as freshly dealt with every tile of the deal of `table` replaced by another."""
    order = [pyramid(table)[1, 0], *(tile for hand in hands(table) for tile in hand), *deck(table)]
    return deal_in_order(table.copy(), [rename(tile) for tile in order])


def mirrored(tile: str) -> str:
    bottom, left, right = tile
    return bottom + right + left


def mirror_image(laid: Laid) -> Laid:
    """Return a move as seen in a mirror: column x of station s changes with column 1 - s - x."""
    return Laid(mirrored(laid.tile), laid.station, 1 - laid.station - laid.column, -laid.turn % 3)


def check_same_game(table: Table, other: Table, image, seed: int) -> int:
    """Play a game and its image side by side; return how many moves it had."""
    rng = random.Random(seed)
    plies = 0
    while True:
        assert (table.state.seat, table.state.ended) == (other.state.seat, other.state.ended)
        assert table.points() == other.points()
        assert {image(laid) for laid in options(table)} == options(other)
        if table.over:
            return plies
        move = choose(table, rng, rng.choice(["any", "high"]))
        table.play(move)
        other.play(code(image(read(move))))
        plies += 1


@settings(max_examples=50)
@given(sizes, seeds, turns, widths, hand_sizes)
def test_a_game_in_the_mirror_is_a_game_with_the_same_options(n_seats, seed, turn, width, size):
    table = new_table(n_seats, seed=seed, turn=turn, width=width, hand_size=size)
    check_same_game(table, renumbered(table, mirrored), mirror_image, seed)


@settings(max_examples=50)
@given(sizes, seeds, turns, st.sampled_from(list(permutations(SEASONS))))
def test_no_season_is_special(n_seats, seed, turn, names):
    """With spring called winter and so on, everything goes the same way."""

    def rename(tile: str) -> str:
        return "".join(names[SEASONS.index(season)] for season in tile)

    table = new_table(n_seats, seed=seed, turn=turn)
    check_same_game(table, renumbered(table, rename), lambda laid: laid._replace(tile=rename(laid.tile)), seed)


def test_these_side_by_side_games_are_long_enough_to_mean_something():
    lengths = []
    for seed in range(30):
        table = new_table(3, seed=seed, turn="thirds", hand_size=6)
        lengths.append(check_same_game(table, renumbered(table, mirrored), mirror_image, seed))
    assert np.mean(lengths) > 15


@settings(max_examples=30)
@given(seeds, turns, widths)
def test_where_station_1_grows_does_not_matter(seed, turn, width):
    """A position moved sideways: the same tiles laid from another first tile leave the same open places, moved."""
    table = played(2, seed, 40, turn, "any", width=width)
    laid = pyramid(table)
    ground = sorted(column for station, column in laid if station == 1)
    for shift in (-ground[0], -ground[-1]):
        moved = {(station, column + shift): tile for (station, column), tile in laid.items()}
        expected = {(s, x + shift): need for (s, x), need in open_places(laid, width).items()}
        assert open_places(moved, width) == expected


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(2, 55), turns)
def test_the_order_of_building_does_not_matter(seed, n_tiles, turn):
    """The same tiles on the same places leave the same open places, whichever was laid first."""
    table = part_of_the_pyramid(seed, n_tiles, turn)
    laid = pyramid(table)
    rng = random.Random(seed + 1)
    order, left = [(1, 0)], set(laid) - {(1, 0)}
    while left:
        built = {place: laid[place] for place in order}
        place = rng.choice(sorted(set(open_places(built, 10)) & left))
        order.append(place)
        left.remove(place)
    twin = deal_in_order(table.copy(), [laid[place] for place in order] + [t for t in BOX if t not in laid.values()])
    for place in order[1:]:
        twin.play(code(Laid(laid[place], *place)))
    for name in ("tile", "turn", "count", "n_open", "open_place", "open_need", "laid", "drawn", "round_number"):
        assert (np.asarray(twin.state[name]) == np.asarray(table.state[name])).all(), name
