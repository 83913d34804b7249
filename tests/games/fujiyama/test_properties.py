"""What holds in every position of every game, however it was played."""

from __future__ import annotations

import random
from collections import Counter
from math import factorial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from meeplecarlo.games.fujiyama.state import ANIMALS, CHOOSE, NONE, OVER, PASS, PLACE, TRUMP
from tests.games.fujiyama.by_hand import (
    CELLS,
    CORNERS,
    FLATLAND_OF,
    FLATLANDS,
    FOREST_OF,
    FORESTS,
    SEGMENTS,
    items,
    lay,
    prepare_place,
    read_place,
)
from tests.table import Table

SEASON_NAMES = ("spring", "summer", "autumn", "winter")
seeds = st.integers(0, 2**32)
sizes = st.integers(2, 5)
turns = st.sampled_from(["none", "thirds"])


def played(n_seats: int, seed: int, plies: int, turn: str = "none", **options) -> Table:
    """Return a table after `plies` random moves, or at the end of the game if it has fewer."""
    return Table("fujiyama", n_seats, {"turn": turn, **options}, seed=seed).play_random(seed, plies)


# --- conservation --------------------------------------------------------------------------------------------------
def tiles_in_play(table: Table) -> Counter:
    """Count every tile wherever it can be."""
    s, n = table.state, table.n_seats
    places = [s.stock, s.hand[:n], s.choice[:n], s.trump[:n], s.cell[:n]]
    if n == 2:
        places.append(s.discard)
    return Counter(int(t) for t in np.concatenate([np.ravel(p) for p in places]) if t != NONE)


@settings(max_examples=40)
@given(sizes, seeds, st.integers(0, 140), turns)
def test_every_tile_is_in_exactly_one_place(n_seats, seed, plies, turn):
    assert tiles_in_play(played(n_seats, seed, plies, turn)) == dict.fromkeys(range(64), 1)


@settings(max_examples=40)
@given(sizes, seeds, st.integers(0, 140))
def test_hands_choice_areas_and_decks_hold_what_the_phase_says(n_seats, seed, plies):
    table = played(n_seats, seed, plies)
    s = table.state
    hand = {TRUMP: 3, PASS: 2}.get(int(s.phase), 0)
    if s.seat == OVER:
        assert s.round_number == 9
    for seat in range(n_seats):
        assert (s.hand[seat] != NONE).sum() == hand
        laid = int((s.cell[seat] != NONE).sum())
        ahead = s.phase == PLACE and (s.seat == OVER or seat < s.seat)
        assert laid == s.round_number - 1 + ahead
        in_areas = (s.choice[seat] != NONE).sum()
        used_trump = s.trump[seat] == NONE and s.phase != TRUMP
        if s.phase == CHOOSE or (s.phase == PLACE and not ahead):
            assert in_areas == 2
        elif s.phase == PLACE:
            assert in_areas == (2 if used_trump and s.chosen[seat] == 2 else 1)
        else:
            assert in_areas == 0
        deck = s.stock[seat * table.rules.deck_size : (seat + 1) * table.rules.deck_size]
        assert (deck[: s.drawn[seat]] == NONE).all()
        assert (deck[s.drawn[seat] :] != NONE).all()


@settings(max_examples=25)
@given(sizes, seeds, turns)
def test_nine_tokens_leave_each_row_and_are_placed_or_out_of_the_game(n_seats, seed, turn):
    """Given = placed + discarded, animal by animal; only right tiles of two seats discard."""
    table = Table("fujiyama", n_seats, {"turn": turn}, seed=seed)
    rng = random.Random(seed)
    out = Counter()
    sent = Counter()
    while not table.over:
        if table.state.phase == CHOOSE and table.state.seat == n_seats - 1:
            move = rng.choice(table.legal())
            sources = [int(p) // 96 for p in table.state.pending[: n_seats - 1]] + [move // 96]
            row = table.state.round_number - 1
            animals = [int(table.rules.animals[table.state.board[s], row]) for s in range(n_seats)]
            sent.update(animals)
            if n_seats == 2:
                out.update(a for a, source in zip(animals, sources, strict=True) if source == 1)
            table.play(move)
            assert table.state.received[:n_seats].sum() == n_seats - (n_seats == 2) * sources.count(1)
        else:
            table.play_random(rng, plies=1)
    assert sent == dict.fromkeys(range(3), 3 * n_seats)
    on_tiles = Counter()
    for arrangement in table.state.tokens[:n_seats].ravel().tolist():
        on_tiles.update(t - 1 for t in (arrangement % 4, arrangement // 4 % 4, arrangement // 16) if t)
    assert on_tiles + out == sent
    if n_seats > 2:
        assert not out


@settings(max_examples=40)
@given(sizes, seeds, st.integers(0, 140), turns)
def test_forests_and_flatlands_kept_by_the_state_equal_a_recount_from_the_tiles(n_seats, seed, plies, turn):
    table = played(n_seats, seed, plies, turn)
    s, rules = table.state, table.rules
    for seat in range(n_seats):
        forests = {slot: [] for slot in FORESTS}
        flatlands = {slot: set() for slot in FLATLANDS}
        for i, slot in enumerate(FORESTS):
            forests[slot] += [int(icon) for icon in rules.print[s.board[seat], i] if icon != NONE]
        for c, cell in enumerate(CELLS):
            if s.cell[seat, c] == NONE:
                assert s.tokens[seat, c] == 0
                continue
            icons = rules.icons[s.cell[seat, c]].tolist()
            for _ in range(s.turn[seat, c]):  # clockwise: right to the bottom, bottom to the left
                icons = [icons[2], icons[0], icons[1]]
            for corner, icon in zip(CORNERS, icons, strict=True):
                if f"{cell}.{corner}" in FOREST_OF:
                    forests[FOREST_OF[f"{cell}.{corner}"]].append(icon)
            tokens = int(s.tokens[seat, c])
            for segment, token in zip(SEGMENTS, (tokens % 4, tokens // 4 % 4, tokens // 16), strict=True):
                if token:
                    flatlands[FLATLAND_OF[f"{cell}.{segment}"]].add(token - 1)
        winters = 0
        for i, icons in enumerate(forests.values()):
            seasons = {icon >> 8 for icon in icons}
            assert s.forest_icons[seat, i] == len(icons) <= 3
            if not icons:
                assert s.forest_season[seat, i] == NONE
                continue
            assert s.forest_season[seat, i] == (seasons.pop() if len(seasons) == 1 else 4)
            values = [icon & 255 for icon in icons]
            if s.forest_season[seat, i] in (0, 1):
                assert s.forest_sum[seat, i] == sum(values)
            elif s.forest_season[seat, i] == 2:
                assert s.forest_sum[seat, i] == values[0] | values[-1] | values[len(values) // 2]
            winters += s.forest_season[seat, i] == 3 and len(icons) == 3
        assert s.winter_forests[seat] == winters
        assert [sum(1 << a for a in kinds) for kinds in flatlands.values()] == s.flatland[seat].tolist()


@settings(max_examples=30)
@given(sizes, seeds, turns)
def test_at_the_end_every_icon_and_segment_is_used_once(n_seats, seed, turn):
    table = played(n_seats, seed, 999, turn)
    assert table.over
    assert (table.state.forest_icons[:n_seats] == 3).all()
    for seat in range(n_seats):
        rows = [item for item in items(table) if item.seat == seat]
        assert [item.slot for item in rows if item.category != "flatland"] == list(FORESTS)
        tokens = sum(
            (t > 0) for a in table.state.tokens[seat].tolist() for t in (a % 4, a // 4 % 4, a // 16)
        )  # fmt: skip
        kinds = sum(item.kinds for item in rows if item.category == "flatland")
        assert kinds <= tokens <= 3 * 9


# --- scores --------------------------------------------------------------------------------------------------------
SEAT_FIELDS = (
    "drawn", "hand", "shown", "choice", "trump", "board", "pending", "chosen", "received", "cell", "turn", "tokens",
    "flatland", "forest_icons", "forest_season", "forest_sum", "winter_forests",
)  # fmt: skip


@settings(max_examples=40)
@given(sizes, seeds, st.integers(0, 140), st.randoms(use_true_random=False), turns)
def test_scores_do_not_depend_on_the_order_of_seats(n_seats, seed, plies, rng, turn):
    """Mountains are scored by themselves: shuffling the seats shuffles the score sheets and nothing else."""
    table = played(n_seats, seed, plies, turn)
    order = list(range(n_seats))
    rng.shuffle(order)
    other = table.copy()
    for name in SEAT_FIELDS:
        getattr(other.state, name)[:n_seats] = getattr(table.state, name)[order]
    sheets = [[i[1:] for i in items(table) if i.seat == seat] for seat in range(n_seats)]
    assert [[i[1:] for i in items(other) if i.seat == seat] for seat in range(n_seats)] == [sheets[s] for s in order]
    _, ties = table.tally()
    _, moved = other.tally()
    assert (moved == ties[order]).all()


def test_all_fields_of_a_seat_are_named_above():
    by_seat = {name for name in Table("fujiyama", 2).dtype.names if Table("fujiyama", 2).dtype[name].shape[:1] == (5,)}
    assert by_seat == set(SEAT_FIELDS)


@settings(max_examples=25)
@given(sizes, seeds, turns)
def test_points_so_far_never_fall(n_seats, seed, turn):
    table, rng = Table("fujiyama", n_seats, {"turn": turn}, seed=seed), random.Random(seed)
    before = [0] * n_seats
    while not table.over:
        table.play_random(rng, plies=1)
        now = table.points()
        assert all(a <= b for a, b in zip(before, now, strict=True))
        before = now


def test_points_so_far_may_fall_where_an_option_says_so():
    """The property above is not empty: minus points for mixed forests make totals fall."""
    table = Table("fujiyama", 2, {"mixed_points": -50}).play_random(3)
    assert min(table.points()) < -50


@settings(max_examples=40)
@given(sizes, seeds, st.permutations(range(3)), turns)
def test_renaming_animals_changes_no_score(n_seats, seed, names, turn):
    """Flatlands count kinds: rabbits might as well be foxes."""
    table = played(n_seats, seed, 999, turn)
    other = table.copy()
    for bits in range(8):
        renamed = sum(1 << names[a] for a in range(3) if bits >> a & 1)
        other.state.flatland[table.state.flatland == bits] = renamed
    assert items(other) == items(table)


@settings(max_examples=40)
@given(seeds, turns)
def test_scores_scale_with_the_scoring_tables(seed, turn):
    """With every scoring number doubled, the same mountains score double."""
    table = played(4, seed, 999, turn)
    doubled = {
        "spring_per_blossom": 2, "summer_factor": 2, "autumn_points": (8, 8, 18), "winter_base": 6,
        "winter_per_forest": 2, "flatland_points": (6, 16, 30),
    }  # fmt: skip
    other = Table("fujiyama", 4, {"turn": turn, **doubled}).at(table.state)
    assert other.points() == [2 * points for points in table.points()]


@settings(max_examples=40)
@given(sizes, seeds)
def test_each_item_has_the_points_of_its_details(n_seats, seed):
    sheet = items(played(n_seats, seed, 999))
    winters = Counter(item.seat for item in sheet if item.category == "winter")
    for item in sheet:
        expected = {
            "spring": item.blossoms,
            "summer": item.conifers * item.broadleaves,
            "autumn": 9 if item.kinds == 3 else 4,
            "winter": 3 + winters[item.seat],
            "mixed": 0,
            "flatland": (0, 3, 8, 15)[item.kinds],
        }[item.category]
        assert item.points == expected
        if item.category == "spring":
            assert 3 <= item.blossoms <= 9
        if item.category == "summer":
            assert 3 <= item.conifers + item.broadleaves <= 9


# --- symmetry ------------------------------------------------------------------------------------------------------
def rotated(table: Table, steps: int) -> Table:
    """Return the same position with everybody moved `steps` seats to the left, decks and discards with them."""
    twin, n, size = table.copy(), table.n_seats, int(table.rules.deck_size)
    for seat in range(n):
        target = (seat + steps) % n
        for name in SEAT_FIELDS:
            getattr(twin.state, name)[target] = getattr(table.state, name)[seat]
        twin.state.stock[target * size : (target + 1) * size] = table.state.stock[seat * size : (seat + 1) * size]
        if n == 2:
            twin.state.discard[target] = table.state.discard[seat]
    return twin


@settings(max_examples=20)
@given(sizes, seeds, st.integers(1, 4), turns)
def test_no_seat_is_special(n_seats, seed, steps, turn):
    """Moved around the circle with their tiles and answers, everybody comes to the same mountain and hand."""
    rng = random.Random(seed)
    table = Table("fujiyama", n_seats, {"turn": turn}, seed=seed)
    circle = rotated(table, steps)
    while not table.over:
        answers = []
        for _ in range(n_seats):
            answers.append(rng.choice(table.legal()))
            table.play(answers[-1])
        circle.play(*(answers[(seat - steps) % n_seats] for seat in range(n_seats)))
        assert circle.bytes() == rotated(table, steps).bytes()


@settings(max_examples=20)
@given(sizes, seeds, st.randoms(use_true_random=False))
def test_tile_numbers_mean_nothing(n_seats, seed, names):
    """With tiles renumbered in the box and on the table, the same placements score the same."""
    table = Table("fujiyama", n_seats, seed=seed).play_random(seed, 3 * n_seats)
    numbers = list(range(64))
    names.shuffle(numbers)
    other = Table("fujiyama", n_seats)  # rules of its own, to be renumbered
    other.rules.icons[numbers] = table.rules.icons[:64]
    other = other.at(table.state)
    for name in ("stock", "hand", "choice", "trump", "cell"):
        field, old = getattr(other.state, name), getattr(table.state, name)
        field[old >= 0] = [numbers[t] for t in old[old >= 0]]
    for _ in range(n_seats):
        assert len(other.legal()) == len(table.legal())
        index = names.randrange(len(table.legal()))
        laid = read_place(table.legal()[index])
        same = [m for m in other.legal() if read_place(m)[1:] == laid[1:] and read_place(m).tile == numbers[laid.tile]]
        table.play(table.legal()[index])
        other.play(*same)
    assert items(other) == items(table)


# --- exact counts --------------------------------------------------------------------------------------------------
@settings(max_examples=40)
@given(st.integers(0, 63), st.lists(st.sampled_from(ANIMALS), max_size=3), st.integers(0, 8), turns, seeds)
def test_the_number_of_placements_is_cells_times_turns_times_arrangements(tile, tokens, laid, turn, seed):
    """Arrangements: of k tokens and 3 - k gaps on three segments, equal ones interchangeable."""
    table = Table("fujiyama", 3, {"turn": turn}, seed=seed % 100)
    others = [t for t in range(64) if t != tile]
    for cell, other in zip(CELLS, others[:laid], strict=False):
        lay(table, cell, other)
    prepare_place(table, tile, tuple(tokens))
    arrangements = factorial(3) // factorial(3 - len(tokens))
    for animal in ANIMALS:
        arrangements //= factorial(tokens.count(animal))
    ways = 3 if turn == "thirds" and len(set(table.rules.icons[tile].tolist())) > 1 else 1
    options = [read_place(move) for move in table.legal()]
    assert len(options) == (9 - laid) * ways * arrangements
    assert len(set(options)) == len(options)
    # Every option leaves another mountain behind: no two of them are the same thing.
    results = set()
    for move in table.legal():
        twin = table.copy().play(move)
        results.add((twin.state.forest_sum[0].tobytes(), twin.state.cell[0].tobytes(), twin.state.turn[0].tobytes(),
                     twin.state.tokens[0].tobytes()))  # fmt: skip
    assert len(results) == len(options)


def test_the_first_round_has_exactly_as_many_positions_as_counted_by_hand():
    """Two seats, before anything is laid: 3 trumps x 2 gifts x 3 choices for each of the two, no two alike."""
    layer = [Table("fujiyama", 2)]
    sizes_of_layers = []
    for _ in range(6):
        following = [table.copy().play(move) for table in layer for move in table.legal()]
        layer = list({table.bytes(): table for table in following}.values())
        assert len(layer) == len(following)
        sizes_of_layers.append(len(layer))
    assert sizes_of_layers == [3, 9, 18, 36, 108, 324]
    assert {int(table.state.phase) for table in layer} == {PLACE}
