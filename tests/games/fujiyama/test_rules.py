"""A test for every clause of RULES.md, named after it: ``test_r6_4_...`` is for clause R6.4."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import meeplecarlo
from meeplecarlo.games.fujiyama import mountain
from meeplecarlo.games.fujiyama.state import ANIMALS, CHOOSE, HIDDEN, NONE, PASS, PLACE, SOURCE_STEP, TRUMP
from meeplecarlo.games.season_tiles.icons import parse_icon
from tests.games.fujiyama.by_hand import (
    CELLS,
    FLATLAND_OF,
    FLATLANDS,
    FOREST_OF,
    FORESTS,
    MIXED_ICONS,
    Item,
    choose_move,
    item_at,
    items,
    lay,
    place_move,
    play_round,
    prepare_place,
    read_place,
    table_of_forests,
)
from tests.table import Table

RULES_PAGE = Path(meeplecarlo.__file__).parent / "games" / "fujiyama" / "RULES.md"
SEATS = (2, 3, 4, 5)
every_size = pytest.mark.parametrize("n_seats", SEATS)
circles = pytest.mark.parametrize("n_seats", [3, 4, 5])


def test_every_clause_has_a_test():
    clauses = re.findall(r"^\| R(\d+)\.(\d+) \|", RULES_PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(clauses) >= 30
    untested = [f"R{a}.{b}" for a, b in clauses if not any(n.startswith(f"test_r{a}_{b}_") for n in globals())]
    assert not untested, f"clauses of RULES.md without a test of their name: {untested}"


def test_every_test_of_a_clause_has_its_clause():
    clauses = set(re.findall(r"^\| R(\d+\.\d+) \|", RULES_PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = {".".join(re.match(r"test_r(\d+)_(\d+)_", n).groups()) for n in globals() if re.match(r"test_r\d", n)}
    assert named == clauses


# --- R1 components -------------------------------------------------------------------------------------------------
def test_r1_1_the_mountain_is_the_only_stack_of_nine_hexes_with_12_forests_and_14_flatlands():
    assert mountain.CELLS == tuple(CELLS)
    assert mountain.FORESTS == tuple(FORESTS)
    assert mountain.FLATLANDS == tuple(FLATLANDS)

    def counts(widths):
        """Forests and flatlands of centred rows of hexes, each row one longer than the row above."""
        hexes = [(row, 2 * k - width) for row, width in enumerate(widths) for k in range(width)]
        icons = {p for r, c in hexes for p in ((r, c), (r - 1, c - 1), (r - 1, c + 1)) if p[0] < len(widths) - 1}
        return len(icons), len({p for r, c in hexes for p in ((r, c), (r + 1, c - 1), (r + 1, c + 1))})

    assert counts((2, 3, 4)) == (12, 14)
    assert counts((4, 5)) != (12, 14)
    assert counts((9,)) != (12, 14)


@pytest.mark.parametrize("cell", CELLS)
def test_r1_2_icons_touch_the_forests_and_segments_the_flatlands_of_their_corners(cell):
    table = Table("fujiyama", 2)
    before = table.state.forest_icons[0].copy()
    lay(table, cell, 5, top="rabbit", ll="squirrel", lr="fox")
    grown = {f"F{1 + i}" for i in np.flatnonzero(table.state.forest_icons[0] - before)}
    assert grown == {FOREST_OF[f"{cell}.{c}"] for c in ("bottom", "ul", "ur") if f"{cell}.{c}" in FOREST_OF}
    animals = {f"L{1 + i}": int(bits) for i, bits in enumerate(table.state.flatland[0]) if bits}
    assert animals == {FLATLAND_OF[f"{cell}.{s}"]: 1 << i for i, s in enumerate(("top", "ll", "lr"))}


def test_r1_3_every_forest_is_three_icons_as_the_page_lists_them():
    for cell, corners in zip(CELLS, mountain.FOREST_AT, strict=True):
        for corner, forest in zip(("bottom", "ul", "ur"), corners, strict=True):
            expected = FOREST_OF.get(f"{cell}.{corner}")
            assert (f"F{forest + 1}" if forest >= 0 else None) == expected
    for i, (slot, (icons, printed)) in enumerate(FORESTS.items()):
        assert mountain.TILE_ICONS[i] == len(icons.split()), slot
        assert mountain.PRINTED_ICONS[i] == printed, slot
        assert mountain.TILE_ICONS[i] + printed == 3
    unused = {f"{c}.{k}" for c in CELLS for k in ("bottom", "ul", "ur")} - set(FOREST_OF)
    assert unused == {"C1.bottom", "C2.bottom", "C3.bottom", "C4.bottom"}
    for seed in range(20):
        table = Table("fujiyama", 3, seed=seed).play_random(seed)
        assert (table.state.forest_icons[:3] == 3).all()


@pytest.mark.parametrize("cell", ["C1", "C2", "C3", "C4"])
def test_r1_3_bottoms_of_the_lowest_row_count_for_nothing(cell):
    scores = []
    for icon in ("spring 3", "summer broadleaf 3", "autumn grape", "winter"):
        table = Table("fujiyama", 2)
        table.rules.icons[CELLS.index(cell), 0] = parse_icon(icon)
        for tile, place in enumerate(CELLS):
            lay(table, place, tile)
        scores.append([item for item in items(table) if item.seat == 0])
    assert all(score == scores[0] for score in scores)


def test_r1_4_only_l4_l7_l8_touch_three_segments():
    for cell, corners in zip(CELLS, mountain.FLATLAND_AT, strict=True):
        for corner, flatland in zip(("top", "ll", "lr"), corners, strict=True):
            assert f"L{flatland + 1}" == FLATLAND_OF[f"{cell}.{corner}"]
    three = {slot for slot, n in zip(FLATLANDS, mountain.FLATLAND_SEGMENTS, strict=True) if n == 3}
    assert three == {"L4", "L7", "L8"}
    best = Counter()
    for seed in range(40):
        for item in items(Table("fujiyama", 5, seed=seed).play_random(seed)):
            if item.category == "flatland":
                best[item.slot] = max(best[item.slot], item.kinds)
    assert set(best) == set(FLATLANDS)
    assert {slot for slot, kinds in best.items() if kinds == 3} == {"L4", "L7", "L8"}


def test_r1_5_every_triple_of_seasons_is_on_one_tile():
    rules = Table("fujiyama", 2).rules
    triples = Counter(tuple(icons >> 8) for icons in rules.icons[: rules.n_tiles])
    assert len(triples) == rules.n_tiles == 64
    assert set(triples.values()) == {1}
    assert Counter(int(icon) >> 8 for icon in rules.icons[:64].ravel()) == {0: 48, 1: 48, 2: 48, 3: 48}


def test_r1_6_pictures_are_spread_evenly_over_a_season():
    icons = Counter(int(icon) for icon in Table("fujiyama", 2).rules.icons[:64].ravel())
    expected = {f"spring {n}": 16 for n in (1, 2, 3)}
    expected |= {f"summer {kind} {n}": 8 for kind in ("conifer", "broadleaf") for n in (1, 2, 3)}
    expected |= {f"autumn {fruit}": 16 for fruit in ("mushroom", "chestnut", "grape")} | {"winter": 48}
    assert icons == {parse_icon(text): n for text, n in expected.items()}


def test_r1_7_five_boards_with_prints_and_three_animals_of_each_kind():
    rules = Table("fujiyama", 5).rules
    assert rules.n_boards == 5
    for board in range(5):
        assert Counter(rules.animals[board].tolist()) == {0: 3, 1: 3, 2: 3}
        printed = (rules.print[board] != NONE).sum(axis=1)
        assert printed.tolist() == [n for _, n in FORESTS.values()]


@pytest.mark.parametrize(("boards", "least", "most"), [("boards_safe_summer", 16, 16), ("boards_risky_summer", 0, 16)])
def test_r1_7_the_summer_print_decides_how_risky_summer_is(boards, least, most):
    """Points of a slope's summer forest with one broadleaf or one conifer tile: mixed prints always give some."""
    rules = Table("fujiyama", 2, components={"boards": boards}).rules
    products = set()
    for board in range(rules.n_boards):
        for i, (_, printed) in enumerate(FORESTS.values()):
            icons = [int(icon) for icon in rules.print[board, i, :printed]]
            if printed == 2 and icons[0] >> 8 == 1:
                for tile in ("summer conifer 2", "summer broadleaf 2"):
                    sums = [sum(v & 15 for v in (*icons, parse_icon(tile))), 0]
                    sums[1] = sum((v >> 4) & 15 for v in (*icons, parse_icon(tile)))
                    products.add(sums[0] * sums[1])
    assert (min(products), max(products)) == ((8, 8) if boards == "boards_safe_summer" else (0, 8))


# --- R2 setup ------------------------------------------------------------------------------------------------------
@every_size
def test_r2_1_boards_are_dealt_at_random_and_none_twice(n_seats):
    table = Table("fujiyama", n_seats)
    where = Counter()
    for seed in range(400):
        boards = table.deal(seed).state.board.tolist()
        assert len(set(boards[:n_seats])) == n_seats
        assert set(boards[:n_seats]) <= set(range(5))
        assert boards[n_seats:] == [NONE] * (5 - n_seats)
        where.update(enumerate(boards[:n_seats]))
    # Each of the five boards is expected 80 times in each seat, with a standard deviation of 8.
    assert len(where) == 5 * n_seats
    assert all(45 <= n <= 115 for n in where.values())


def test_r2_1_every_seat_starts_with_the_print_of_its_own_board():
    table = Table("fujiyama", 5)
    for seat in range(5):
        for i, (_, printed) in enumerate(FORESTS.values()):
            assert table.state.forest_icons[seat, i] == printed
            if printed:
                icon = int(table.rules.print[table.state.board[seat], i, 0])
                assert table.state.forest_season[seat, i] == icon >> 8


@every_size
def test_r2_2_the_animals_of_the_row_move_in_their_order(n_seats):
    table = Table("fujiyama", n_seats, seed=3)
    rows = [[ANIMALS[a] for a in table.rules.animals[table.state.board[seat]]] for seat in range(n_seats)]
    for number in range(9):
        if number == 0:
            for _ in range(n_seats):
                table.play(table.legal()[0])
        for _ in range(n_seats):
            table.play(table.legal()[0])
        for _ in range(n_seats):
            table.play(choose_move(table, "left"))
        for seat in range(n_seats):
            giver = (seat - 1) % n_seats  # sent its animal to the left: to this seat
            received = [ANIMALS[a] for a in range(3) for _ in range(table.state.received[seat, a])]
            assert received == [rows[giver][number]]
            table.play(table.legal()[0])
    assert table.over


@circles
def test_r2_3_decks_are_11_tiles_and_the_rest_stays_in_the_box(n_seats):
    table = Table("fujiyama", n_seats, seed=2)
    assert table.rules.deck_size == 11
    in_box = table.state.stock[11 * n_seats : 64].copy()
    assert (in_box >= 0).all()
    table.play_random(1)
    assert (table.state.stock[11 * n_seats : 64] == in_box).all()
    assert (table.state.stock[64:] == NONE).all()
    assert table.state.drawn[:n_seats].max() <= 11


def test_r2_4_two_seats_get_half_the_tiles_each_and_draw_at_most_20():
    table = Table("fujiyama", 2)
    assert table.rules.deck_size == 32
    dealt = {int(t) for t in (*table.state.stock[:64], *table.state.hand[:2].ravel()) if t >= 0}
    assert dealt == set(range(64))
    most = 0
    for seed in range(60):
        most = max(most, table.deal(seed).play_random(seed).state.drawn.max())
    assert most == 20


# --- R3 pass -------------------------------------------------------------------------------------------------------
@every_size
def test_r3_1_three_tiles_are_drawn_and_one_becomes_the_open_trump_for_all_at_once(n_seats):
    table = Table("fujiyama", n_seats)
    hands = table.state.hand[:n_seats].copy()
    assert table.state.phase == TRUMP
    chosen = []
    for seat in range(n_seats):
        assert table.state.seat == seat
        assert table.legal() == sorted(hands[seat].tolist())
        assert (table.state.trump == NONE).all(), "trumps are laid only when everybody has decided"
        chosen.append(table.legal()[seat % 3])
        table.play(chosen[-1])
    assert table.state.trump[:n_seats].tolist() == chosen
    for seat in range(n_seats):
        kept = sorted(set(hands[seat].tolist()) - {chosen[seat]})
        assert sorted(table.state.hand[seat].tolist()) == [NONE, *kept]
        assert table.view((seat + 1) % n_seats).trump[seat] == chosen[seat]
    assert table.state.phase == PASS


@every_size
def test_r3_2_hands_are_filled_up_to_two_from_what_was_not_laid_and_the_deck(n_seats):
    table = Table("fujiyama", n_seats, seed=4)
    sources = ["left", "right", "trump", "left", "right"][:n_seats]
    if n_seats == 2:
        sources = ["trump", "left"]
    for _ in range(2 * n_seats):
        table.play(table.legal()[0])
    for source in sources:
        table.play(choose_move(table, source))
    choices, drawn = table.state.choice.copy(), table.state.drawn.copy()
    deck = {s: int(table.state.stock[s * table.rules.deck_size + drawn[s]]) for s in range(n_seats)}
    for _ in range(n_seats):
        table.play(table.legal()[0])
    assert (table.state.round_number, table.state.phase, table.state.seat) == (2, PASS, 0)
    assert (table.state.choice == NONE).all()
    for seat, source in enumerate(sources):
        left, right = choices[seat].tolist()
        hand = table.state.hand[seat].tolist()
        if source == "trump":
            assert hand == [left, right, NONE]
            assert table.state.drawn[seat] == drawn[seat]
        else:
            assert hand == [right if source == "left" else left, deck[seat], NONE]
            assert table.state.drawn[seat] == drawn[seat] + 1


@circles
@pytest.mark.parametrize("index", [0, 1])
def test_r3_3_tiles_go_to_the_right_area_of_the_left_neighbour_and_the_left_area_of_the_right_one(n_seats, index):
    table = Table("fujiyama", n_seats)
    for _ in range(n_seats):
        table.play(table.legal()[0])
    hands = [sorted(t for t in table.state.hand[s].tolist() if t != NONE) for s in range(n_seats)]
    for seat in range(n_seats):
        assert table.legal() == hands[seat]
        table.play(hands[seat][index])
    for seat in range(n_seats):
        left_neighbour, right_neighbour = (seat + 1) % n_seats, (seat - 1) % n_seats
        assert table.state.choice[left_neighbour, 1] == hands[seat][index]
        assert table.state.choice[right_neighbour, 0] == hands[seat][1 - index]
    assert (table.state.hand == NONE).all()
    assert table.state.drawn[:n_seats].tolist() == [3] * n_seats


@pytest.mark.parametrize("index", [0, 1])
def test_r3_4_two_seats_give_one_tile_discard_the_other_and_draw_the_right_one(index):
    table = Table("fujiyama", 2)
    for number in range(1, 10):
        if number == 1:
            table.play(table.legal()[0]).play(table.legal()[0])
        hands = [sorted(t for t in table.state.hand[s].tolist() if t != NONE) for s in range(2)]
        drawn = table.state.drawn.copy()
        top = [int(table.state.stock[32 * s + drawn[s]]) for s in range(2)]
        for seat in range(2):
            assert table.legal() == hands[seat]
            table.play(hands[seat][index])
        for seat in range(2):
            assert table.state.choice[1 - seat, 0] == hands[seat][index]
            assert table.state.discard[seat, number - 1] == hands[seat][1 - index]
            assert table.state.choice[seat, 1] == top[seat]
            assert table.state.drawn[seat] == drawn[seat] + 1
        for _ in range(4):
            table.play(table.legal()[-1 if number == 3 and table.state.phase == CHOOSE else 0])
    assert table.over


@every_size
def test_r3_5_passing_is_simultaneous(n_seats):
    """Nothing but the own answer has changed until the last seat has answered, and that no other seat sees."""
    table = Table("fujiyama", n_seats)
    for _ in range(n_seats):
        table.play(table.legal()[0])
    start = table.copy().state
    for seat in range(n_seats - 1):
        table.play(table.legal()[1])
        for name in table.dtype.names:
            if name not in ("pending", "seat"):
                assert (getattr(table.state, name) == getattr(start, name)).all(), name
        for other in range(n_seats):
            assert table.view(other).pending[seat] == (table.state.pending[seat] if other == seat else HIDDEN)
    table.play(table.legal()[0])
    assert table.state.phase == CHOOSE
    assert (table.state.pending == NONE).all()


# --- R4 choose -----------------------------------------------------------------------------------------------------
@every_size
def test_r4_1_choice_tiles_are_open_and_choices_secret_until_all_are_made(n_seats):
    table = Table("fujiyama", n_seats)
    for _ in range(2 * n_seats):
        table.play(table.legal()[0])
    for seat in range(n_seats):
        left, right = table.state.choice[seat].tolist()
        trump = int(table.state.trump[seat])
        assert table.legal() == [left, SOURCE_STEP + right, 2 * SOURCE_STEP + trump]
        for other in range(n_seats):
            assert table.view(other).choice[seat].tolist() == [left, right]
            for earlier in range(seat):
                seen = table.view(other).pending[earlier]
                assert seen == (table.state.pending[earlier] if other == earlier else HIDDEN)
        assert (table.state.chosen == NONE).all()
        table.play(table.legal()[seat % 3])
    assert table.state.chosen[:n_seats].tolist() == [seat % 3 for seat in range(n_seats)]
    assert (table.state.pending == NONE).all()


@every_size
def test_r4_2_the_trump_is_played_once_a_game(n_seats):
    table = Table("fujiyama", n_seats)
    trump_rounds = {seat: 1 + 2 * seat for seat in range(n_seats)}
    for number in range(1, 10):
        play_round(table, ["trump" if trump_rounds[s] == number else "right" for s in range(n_seats)])
        for seat in range(n_seats):
            assert (table.state.trump[seat] == NONE) == (number >= trump_rounds[seat])
    assert table.over


def test_r4_2_a_played_trump_is_no_option_any_more_and_an_unused_one_always():
    table = Table("fujiyama", 3)
    play_round(table, ["trump", "left", "left"])
    for _ in range(8):
        for _ in range(3):
            table.play(table.legal()[0])
        assert len(table.legal()) == 2
        gone = 2 * SOURCE_STEP + int(table.state.cell[0].max())
        assert not table.apply(gone)
        table.play(table.legal()[0])
        assert len(table.legal()) == 3
        table.play(table.legal()[0]).play(table.legal()[1])
        for _ in range(3):
            table.play(table.legal()[0])
    assert table.over


@every_size
def test_r4_2_with_trump_never_it_is_no_option(n_seats):
    table = Table("fujiyama", n_seats, {"trump": "never"})
    for _ in range(2 * n_seats):
        table.play(table.legal()[0])
    assert len(table.legal()) == 2
    assert not table.apply(choose_move(table, "trump"))
    table.play_random(5)
    assert (table.state.trump[:n_seats] >= 0).all()
    assert table.state.drawn[:n_seats].tolist() == [20 if n_seats == 2 else 11] * n_seats


@every_size
def test_r4_3_the_rth_animal_moves_in_round_r_and_also_in_round_9(n_seats):
    table = Table("fujiyama", n_seats, seed=6)
    sent = {seat: [] for seat in range(n_seats)}
    rows = [table.rules.animals[table.state.board[seat]].tolist() for seat in range(n_seats)]
    while not table.over:
        number = table.state.round_number
        if table.state.phase == TRUMP:
            for _ in range(n_seats):
                table.play(table.legal()[0])
        for _ in range(n_seats):
            table.play(table.legal()[0])
        who = number % n_seats  # one seat plays a left tile, everybody else gets its token back or sends it right
        for seat in range(n_seats):
            table.play(choose_move(table, "left" if seat == who else "right"))
        taker = (who + 1) % n_seats
        from_others = Counter(
            rows[s][number - 1] for s in range(n_seats) if s != who and n_seats > 2 and (s - 1) % n_seats == taker
        )
        received = Counter({a: int(n) for a, n in enumerate(table.state.received[taker])})
        sent[who].append((number, list((received - from_others).elements())))
        for _ in range(n_seats):
            table.play(table.legal()[0])
    for seat, tokens in sent.items():
        assert all(animals == [rows[seat][number - 1]] for number, animals in tokens)
    assert sorted(number for tokens in sent.values() for number, _ in tokens) == list(range(1, 10))


# --- R5 place ------------------------------------------------------------------------------------------------------
@circles
@pytest.mark.parametrize(("source", "step"), [("left", 1), ("right", -1), ("trump", 0)])
def test_r5_1_the_animal_goes_to_the_giver_of_the_tile(n_seats, source, step):
    for chooser in range(n_seats):
        table = Table("fujiyama", n_seats, seed=chooser)
        for _ in range(2 * n_seats):
            table.play(table.legal()[0])
        for seat in range(n_seats):
            table.play(choose_move(table, source if seat == chooser else "trump"))
        expected = np.zeros((5, 3), int)
        for seat in range(n_seats):
            animal = table.rules.animals[table.state.board[seat], 0]
            expected[(seat + step) % n_seats if seat == chooser else seat, animal] += 1
        assert (table.state.received == expected).all()


@pytest.mark.parametrize(("source", "receiver"), [("left", 1), ("right", None), ("trump", 0)])
def test_r5_1_two_seats_left_to_the_opponent_right_out_of_the_game(source, receiver):
    for chooser in range(2):
        table = Table("fujiyama", 2, seed=chooser)
        for _ in range(4):
            table.play(table.legal()[0])
        for seat in range(2):
            table.play(choose_move(table, source if seat == chooser else "right"))
        expected = np.zeros((5, 3), int)
        if receiver is not None:
            expected[(chooser + receiver) % 2, table.rules.animals[table.state.board[chooser], 0]] = 1
        assert (table.state.received == expected).all()


def test_r5_1_at_most_three_tokens_arrive_and_two_with_two_seats():
    for n_seats, most in ((2, 2), (3, 3), (5, 3)):
        table = Table("fujiyama", n_seats)
        seen = set()
        for seed in range(15):
            table.deal(seed)
            rng = random.Random(seed)
            while not table.over:
                if table.state.phase == PLACE:
                    seen.add(int(table.state.received[table.state.seat].sum()))
                table.play_random(rng, plies=1)
        assert seen == set(range(most + 1))


@every_size
def test_r5_2_the_chosen_tile_goes_on_any_free_cell_and_is_not_turned(n_seats):
    table = Table("fujiyama", n_seats, seed=8)
    while not table.over:
        if table.state.phase != PLACE:
            table.play_random(1, plies=1)
            continue
        seat = table.state.seat
        source = table.state.chosen[seat]
        tile = int(table.state.trump[seat] if source == 2 else table.state.choice[seat, source])
        free = {cell for cell, t in zip(CELLS, table.state.cell[seat], strict=True) if t == NONE}
        assert len(free) == 10 - table.state.round_number
        options = [read_place(move) for move in table.legal()]
        assert {o.cell for o in options} == free
        assert {o.tile for o in options} == {tile}
        assert {o.turn for o in options} == {0}
        move = table.legal()[-1]
        if free != set(CELLS):
            taken = next(c for c in CELLS if c not in free)
            used = read_place(move)
            tokens = {s: a for s, a in zip(("top", "ll", "lr"), used.tokens, strict=True) if a}
            assert not table.apply(place_move(tile, taken, **tokens))
        assert not table.apply(move + 64), "turned by a third"
        table.play(move)
        assert table.state.cell[seat, CELLS.index(read_place(move).cell)] == tile
    assert (table.state.cell[:n_seats] >= 0).all()


def test_r5_2_with_turn_thirds_a_tile_is_turned_clockwise():
    """Once clockwise, the icon at the bottom comes to the upper left, that to the upper right, that to the bottom."""
    table = Table("fujiyama", 3, {"turn": "thirds"})
    table.rules.icons[7] = [parse_icon("spring 3"), parse_icon("autumn grape"), parse_icon("winter")]
    season = {"spring": 0, "autumn": 2, "winter": 3}
    expected = [
        {"bottom": "spring", "ul": "autumn", "ur": "winter"},
        {"bottom": "winter", "ul": "spring", "ur": "autumn"},
        {"bottom": "autumn", "ul": "winter", "ur": "spring"},
    ]
    for turn in range(3):
        twin = table.copy()
        lay(twin, "B2", 7, turn)
        for corner, name in expected[turn].items():
            forest = list(FORESTS).index(FOREST_OF[f"B2.{corner}"])
            assert twin.state.forest_season[0, forest] == season[name]
        assert twin.state.turn[0, CELLS.index("B2")] == turn


def test_r5_2_with_turn_thirds_a_tile_of_three_equal_icons_has_one_way_only():
    table = Table("fujiyama", 2, {"turn": "thirds"})
    table.rules.icons[7] = parse_icon("winter")
    table.rules.icons[8] = [parse_icon("winter"), parse_icon("winter"), parse_icon("autumn grape")]
    prepare_place(table, 7)
    assert len(table.legal()) == 9
    assert not table.apply(place_move(7, "A1", turn=1))
    prepare_place(table, 8)
    assert len(table.legal()) == 27


@pytest.mark.parametrize(
    ("tokens", "arrangements"),
    [
        ((), 1),
        (("fox",), 3),
        (("fox", "fox"), 3),
        (("fox", "rabbit"), 6),
        (("fox", "fox", "fox"), 1),
        (("fox", "fox", "rabbit"), 3),
        (("rabbit", "squirrel", "fox"), 6),
    ],
)
def test_r5_3_all_tokens_go_on_the_segments_and_equal_animals_are_interchangeable(tokens, arrangements):
    table = Table("fujiyama", 4)
    prepare_place(table, 11, tokens)
    options = [read_place(move) for move in table.legal()]
    assert len(options) == 9 * arrangements
    assert len({(o.cell, o.tokens) for o in options}) == len(options)
    for option in options:
        assert sorted(a for a in option.tokens if a) == sorted(tokens)
    lost = place_move(11, "A1", **({"top": tokens[0]} if len(tokens) > 1 else {}))
    if tokens:
        assert not table.apply(lost), "a token was kept back"
    else:
        assert not table.apply(place_move(11, "A1", top="fox")), "a token nobody gave"


@every_size
def test_r5_4_laying_is_open_seat_by_seat_and_every_seat_is_asked_28_times(n_seats):
    table = Table("fujiyama", n_seats)
    asked = []
    while not table.over:
        asked.append((int(table.state.round_number), int(table.state.phase), int(table.state.seat)))
        table.play(table.legal()[0])
        if asked[-1][1] == PLACE and not table.over and asked[-1][2] < n_seats - 1:
            for other in range(n_seats):
                assert (table.view(other).cell == table.state.cell).all()
    phases = [(1, TRUMP), *((number, phase) for number in range(1, 10) for phase in (PASS, CHOOSE, PLACE))]
    assert asked == [(number, phase, seat) for number, phase in phases for seat in range(n_seats)]
    assert Counter(seat for _, _, seat in asked) == dict.fromkeys(range(n_seats), 28)


def test_r5_4_forced_decisions_are_asked_too():
    """In round 9 without tokens there is one free cell and one way to fill it, and still the seat is asked."""
    table = Table("fujiyama", 2)
    for _ in range(8):
        play_round(table, ["right", "right"])
    for _ in range(2):
        table.play(table.legal()[0])
    for _ in range(2):
        table.play(choose_move(table, "right"))
    for seat in range(2):
        assert (table.state.seat, table.state.phase) == (seat, PLACE)
        assert len(table.legal()) == 1
        table.play(table.legal()[0])
    assert table.over


# --- R6 score ------------------------------------------------------------------------------------------------------
def forest(icons: str, slot: str = "F5", options: dict | None = None) -> Item:
    """Return what a forest of three icons, separated by commas, scores on an otherwise mixed mountain."""
    table = table_of_forests({slot: tuple(icons.split(", "))}, options)
    others = [item for item in items(table) if item.seat == 0 and item.slot != slot]
    assert {item.category for item in others} == {"mixed"}
    return item_at(table, slot)


@pytest.mark.parametrize("slot", list(FORESTS))
def test_r6_1_a_spring_forest_scores_its_blossoms(slot):
    assert forest("spring 1, spring 2, spring 3", slot) == Item(0, "spring", slot, 6, 6, 0, 0, 0)
    assert forest("spring 3, spring 3, spring 1", slot).points == 7


def test_r6_1_options_of_spring():
    assert forest("spring 1, spring 2, spring 3", options={"spring_base": 10, "spring_per_blossom": 2}).points == 22
    assert forest("spring 1, spring 2, spring 3", options={"spring_base": -1, "spring_per_blossom": 0}).points == -1


@pytest.mark.parametrize(
    ("icons", "points", "conifers", "broadleaves"),
    [
        ("summer conifer 1, summer broadleaf 3, summer conifer 2", 9, 3, 3),  # the rulebook's 3 x 3
        ("summer conifer 1, summer conifer 1, summer conifer 1", 0, 3, 0),  # the rulebook's 3 x 0
        ("summer broadleaf 3, summer broadleaf 3, summer broadleaf 3", 0, 0, 9),
        ("summer conifer 3, summer conifer 3, summer broadleaf 3", 18, 6, 3),  # "you can aim for 18 pts"
        ("summer broadleaf 3, summer conifer 3, summer broadleaf 3", 18, 3, 6),
        ("summer conifer 1 broadleaf 2, summer conifer 1, summer broadleaf 1", 6, 2, 3),
        (", ".join(["summer conifer 3 broadleaf 3"] * 3), 81, 9, 9),  # the most that icons can hold
    ],
)
@pytest.mark.parametrize("slot", ["F1", "F2", "F5", "F12"])
def test_r6_2_a_summer_forest_scores_conifers_times_broadleaves(icons, points, conifers, broadleaves, slot):
    assert forest(icons, slot) == Item(0, "summer", slot, points, 0, conifers, broadleaves, 0)


def test_r6_2_options_of_summer():
    icons = "summer conifer 1, summer broadleaf 3, summer conifer 2"
    assert forest(icons, options={"summer_base": 4}).points == 13
    assert forest(icons, options={"summer_factor": 2}).points == 18
    empty = forest("summer conifer 1, summer conifer 1, summer conifer 1", options={"summer_base": 4})
    assert (empty.category, empty.points) == ("summer", 4)


@pytest.mark.parametrize(
    ("icons", "kinds", "points"),
    [
        ("autumn mushroom, autumn chestnut, autumn grape", 3, 9),
        ("autumn grape, autumn mushroom, autumn chestnut", 3, 9),
        ("autumn mushroom, autumn mushroom, autumn grape", 2, 4),
        ("autumn grape, autumn grape, autumn grape", 1, 4),
    ],
)
@pytest.mark.parametrize("slot", ["F3", "F6", "F2"])
def test_r6_3_an_autumn_forest_scores_9_with_all_three_fruits_and_4_otherwise(icons, kinds, points, slot):
    assert forest(icons, slot) == Item(0, "autumn", slot, points, 0, 0, 0, kinds)


def test_r6_3_options_of_autumn():
    options = {"autumn_points": (1, 5, 20)}
    for fruits, points in (("grape grape grape", 1), ("grape mushroom grape", 5), ("grape chestnut mushroom", 20)):
        assert forest(", ".join(f"autumn {fruit}" for fruit in fruits.split()), options=options).points == points


@pytest.mark.parametrize("n", range(13))
def test_r6_4_n_winter_forests_score_n_times_n_plus_3(n):
    winter = dict.fromkeys(list(FORESTS)[:n], ("winter",) * 3)
    scored = [item for item in items(table_of_forests(winter)) if item.category == "winter"]
    assert [item.slot for item in scored] == list(FORESTS)[:n]
    assert {item.points for item in scored} <= {n + 3}
    assert sum(item.points for item in scored) == n * (n + 3)


def test_r6_4_options_of_winter():
    winter = dict.fromkeys(("F2", "F9", "F12"), ("winter",) * 3)
    for options, each in (
        ({"winter_base": 2}, 5),
        ({"winter_per_forest": 2}, 9),
        ({"winter_base": 0, "winter_per_forest": 0}, 0),
    ):
        table = table_of_forests(winter, options)
        assert [item_at(table, slot).points for slot in winter] == [each] * 3


def test_r6_4_winter_forests_of_others_do_not_count():
    """Two mountains side by side: each counts its own winter forests."""
    table = table_of_forests({"F5": ("winter",) * 3, "F6": ("winter",) * 3})
    assert item_at(table, "F5").points == 5
    table.state.winter_forests[1] = 7
    assert item_at(table, "F5").points == 5


@pytest.mark.parametrize(
    "icons",
    [
        "spring 1, spring 1, winter",
        "winter, spring 1, spring 1",
        "summer conifer 1, summer broadleaf 1, autumn grape",
        "autumn mushroom, autumn chestnut, spring 3",
        "winter, winter, autumn grape",
        "spring 1, autumn grape, winter",
    ],
)
@pytest.mark.parametrize("slot", ["F2", "F7", "F10"])
def test_r6_5_a_forest_of_more_than_one_season_scores_nothing(icons, slot):
    assert forest(icons, slot) == Item(0, "mixed", slot, 0, 0, 0, 0, 0)
    assert forest(icons, slot, {"mixed_points": -2}).points == -2


def test_r6_5_an_incomplete_forest_is_not_scored():
    table = Table("fujiyama", 2)
    assert items(table) == []
    lay(table, "A1", 0)
    assert [item.slot for item in items(table)] == ["F1"]
    lay(table, "A2", 1)
    assert [item.slot for item in items(table)] == ["F1", "F2", "F3"]


@pytest.mark.parametrize(
    ("animals", "points"),
    [
        (("fox",), 3),
        (("fox", "fox"), 3),
        (("fox", "fox", "fox"), 3),
        (("fox", "rabbit"), 8),
        (("fox", "rabbit", "fox"), 8),
        (("rabbit", "squirrel", "fox"), 15),
    ],
)
def test_r6_6_a_flatland_scores_by_its_different_animals(animals, points):
    table = Table("fujiyama", 3)
    for number, (animal, segment) in enumerate(zip(animals, FLATLANDS["L8"].split(), strict=False)):
        cell, side = segment.split(".")
        lay(table, cell, number, **{side: animal})
    assert item_at(table, "L8") == Item(0, "flatland", "L8", points, 0, 0, 0, len(set(animals)))
    assert item_at(table, "L7") is None


def test_r6_6_options_of_flatlands():
    for n, points in ((1, 1), (2, 20), (3, 300)):
        table = Table("fujiyama", 3, {"flatland_points": (1, 20, 300)})
        for i, (cell, side) in enumerate((("B2", "lr"), ("B3", "ll"), ("C3", "top"))[:n]):
            lay(table, cell, i, **{side: ANIMALS[i]})
        assert item_at(table, "L8").points == points


# The printed score sheet: one mountain that has its sums.
EXAMPLE_TILES = {"A1": 51, "A2": 3, "B1": 32, "B2": 29, "B3": 49, "C1": 38, "C2": 34, "C3": 24, "C4": 47}
EXAMPLE_TOKENS = {
    "A1": {"top": "squirrel", "lr": "rabbit"},
    "A2": {"ll": "fox"},
    "B1": {"lr": "rabbit"},
    "B2": {"top": "squirrel", "ll": "rabbit"},
    "C1": {"lr": "fox"},
    "C2": {"top": "fox", "ll": "squirrel"},
    "C4": {"lr": "squirrel"},
}


def score_sheet_example(n_seats: int) -> Table:
    """Return seat 0's mountain of the example on board 1."""
    table = Table("fujiyama", n_seats)
    table = next(t for t in (table.deal(seed) for seed in range(100)) if t.state.board[0] == 0)
    for cell, tile in EXAMPLE_TILES.items():
        lay(table, cell, tile - 1, **EXAMPLE_TOKENS.get(cell, {}))
    return table


@every_size
def test_r6_6_the_printed_score_sheet(n_seats):
    table = score_sheet_example(n_seats)
    columns, flatlands = Counter(), Counter()
    rows = [item for item in items(table) if item.seat == 0]
    for item in rows:
        if item.category == "flatland":
            flatlands[item.kinds] += 1
        columns[item.category] += item.points
    assert [item.slot for item in rows if item.category != "flatland"] == list(FORESTS)
    assert [columns[c] for c in ("mixed", "spring", "summer", "autumn", "winter")] == [0, 18, 13, 13, 18]
    assert flatlands == {3: 1, 2: 2, 1: 2}
    assert columns["flatland"] == 15 + 16 + 6 == 37
    assert table.points()[0] == 62 + 37 == 99
    _, ties = table.tally()
    assert ties[0, 0] == 62


def standings(points: list[int], seasonal: list[int]) -> tuple[list[int], list[float]]:
    """Return ranks and win shares of seats with these points and tie-break values, as the game loop sets them."""
    from meeplecarlo.compiled import MAX_SEATS, MAX_TIES, records
    from meeplecarlo.simulation.play import STANDING, rank_seats

    result = records(MAX_SEATS, STANDING)
    ties = np.zeros((MAX_SEATS, MAX_TIES), np.int32)
    ties[: len(points), 0] = seasonal
    filled = np.array([*points, *[0] * (MAX_SEATS - len(points))], np.int64)
    rank_seats(len(points), filled, ties, False, result)
    return result.rank[: len(points)].tolist(), result.win_share[: len(points)].tolist()


@pytest.mark.parametrize(
    ("points", "seasonal", "ranks", "shares"),
    [
        ([99, 98], [0, 98], [1, 2], [1.0, 0.0]),
        ([90, 90], [60, 61], [2, 1], [0.0, 1.0]),
        ([90, 90], [60, 60], [1, 1], [0.5, 0.5]),
        ([80, 90, 90], [80, 50, 50], [3, 1, 1], [0.0, 0.5, 0.5]),
        ([70, 70, 70, 70], [1, 2, 3, 3], [4, 3, 1, 1], [0.0, 0.0, 0.5, 0.5]),
        ([50, 50, 50, 50, 50], [9, 9, 9, 9, 9], [1, 1, 1, 1, 1], [0.2] * 5),
        ([-5, -7, -5], [0, 0, -1], [1, 3, 2], [1.0, 0.0, 0.0]),
    ],
)
def test_r6_7_most_points_win_then_seasonal_points_then_the_win_is_shared(points, seasonal, ranks, shares):
    assert standings(points, seasonal) == (ranks, shares)


@every_size
def test_r6_7_the_tie_break_value_is_the_seasonal_points_unless_ties_are_shared(n_seats):
    for tie_break in ("seasonal", "shared"):
        table = Table("fujiyama", n_seats, {"tie_break": tie_break}).play_random(2)
        lines, ties = table.tally()
        assert (lines["points"][lines["category"] != 5] > 0).any()
        for seat in range(n_seats):
            seasonal = int(lines["points"][(lines["seat"] == seat) & (lines["category"] != 5)].sum())
            assert ties[seat, 0] == (seasonal if tie_break == "seasonal" else 0)
        assert not ties[:, 1:].any()


# --- R7 who knows what ---------------------------------------------------------------------------------------------
@every_size
def test_r7_1_decks_box_fresh_tiles_and_pending_answers_are_hidden(n_seats):
    table = Table("fujiyama", n_seats)
    for seat in range(n_seats):
        view = table.view(seat)
        assert ((view.stock == HIDDEN) == (table.state.stock >= 0)).all()
        assert ((view.stock == NONE) == (table.state.stock == NONE)).all()
        for other in range(n_seats):
            hand = table.state.hand[other].tolist()
            assert view.hand[other].tolist() == (hand if other == seat else [HIDDEN] * 3)
    # Simultaneous answers: trump, pass and choose; laid tiles are answered in the open.
    while not table.over and table.state.round_number < 4:
        for seat in range(n_seats):
            for other in range(n_seats):
                answer = table.state.pending[other]
                shown = HIDDEN if answer != NONE and other != seat else answer
                assert table.view(seat).pending[other] == shown
        table.play(table.legal()[0])


@every_size
def test_r7_1_a_view_differs_from_the_position_nowhere_else(n_seats):
    table = Table("fujiyama", n_seats, seed=5)
    for ply in range(28 * n_seats):
        for seat in range(n_seats):
            view = table.view(seat)
            for name in table.dtype.names:
                if name not in ("stock", "hand", "pending"):
                    assert (getattr(view, name) == getattr(table.state, name)).all(), name
        table.play_random(ply, plies=1)


@every_size
def test_r7_2_a_tile_that_was_open_stays_known_in_the_hand_and_a_drawn_one_does_not(n_seats):
    table = Table("fujiyama", n_seats)
    sources = ["left", "trump", "right", "left", "trump"][:n_seats]
    play_round(table, sources)
    for seat in range(n_seats):
        for other in range(n_seats):
            hand = table.state.hand[other].tolist()
            fresh = 0 if sources[other] == "trump" else 1
            seen = hand if other == seat else [*hand[: 2 - fresh], *[HIDDEN] * fresh, NONE]
            assert table.view(seat).hand[other].tolist() == seen


@every_size
def test_r7_2_a_tile_passed_on_is_open_again_only_when_flipped(n_seats):
    """Which of two known hand tiles was passed is secret until all have answered."""
    table = Table("fujiyama", n_seats)
    play_round(table, ["trump"] * n_seats)
    views = []
    for index in (0, 1):
        twin = table.copy()
        twin.play(twin.legal()[index])
        views.append(twin.view(1).tobytes())
    assert views[0] == views[1]


def test_r7_2_discards_of_two_seats_mountains_and_boards_are_open():
    table = Table("fujiyama", 2)
    play_round(table, ["left", "trump"])
    for seat in range(2):
        view = table.view(seat)
        assert (view.discard[:, 0] >= 0).all()
        assert (view.discard[:, 1:] == NONE).all()
        assert (view.board[:2] >= 0).all()
        assert (view.cell[:2] >= 0).sum() == 2


# --- counts the page gives -----------------------------------------------------------------------------------------
@every_size
def test_draws_are_11_or_20_and_one_fewer_when_the_trump_is_played_before_round_9(n_seats):
    full = 20 if n_seats == 2 else 11
    for number in (1, 4, 8, 9, None):
        table = Table("fujiyama", n_seats, seed=number or 0)
        for current in range(1, 10):
            play_round(table, ["trump" if s == 0 and current == number else "left" for s in range(n_seats)])
        assert table.over
        saved = 0 if number in (9, None) else 1
        assert table.state.drawn[:n_seats].tolist() == [full - saved] + [full] * (n_seats - 1)


def test_mixed_icons_are_mixed():
    """The filling of the mountains above scores nothing, so that each test sees its own forests only."""
    assert len({icon.split()[0] for icon in MIXED_ICONS}) == 3
    assert table_of_forests({}).points()[0] == 0
