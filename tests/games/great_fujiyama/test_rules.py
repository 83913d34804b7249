"""A test for every clause of RULES.md, named after it: ``test_r5_4_...`` is for clause R5.4."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

import meeplecarlo
from meeplecarlo.games.great_fujiyama.rules import fits_somewhere, hand_set
from meeplecarlo.games.great_fujiyama.state import COMPLETE, HAND_EMPTY, HIDDEN, NO_TILE_FITS, NONE, OVER
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from tests.games.great_fujiyama import reference
from tests.games.great_fujiyama.by_hand import (
    BOX,
    GAME,
    SEASONS,
    SIZES,
    Laid,
    code,
    deal_in_order,
    deck,
    hands,
    in_playing_order,
    laid_tiles,
    lay,
    options,
    pyramid,
    read,
    start,
    tile_number,
    turned,
    where,
)
from tests.table import Table

RULES_PAGE = Path(meeplecarlo.__file__).parent / "games" / "great_fujiyama" / "RULES.md"
every_size = pytest.mark.parametrize("n_seats", SIZES)
PYRAMID = [Laid(BOX[tile - 1], station, column) for tile, station, column in reference.complete_pyramid()]


def clauses() -> list[str]:
    return re.findall(r"^\| R(\d+\.\d+) \|", RULES_PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_every_clause_has_a_test():
    assert len(clauses()) >= 25
    names = [f"test_r{clause.replace('.', '_')}_" for clause in clauses()]
    assert [name for name in names if not any(test.startswith(name) for test in globals())] == []


def test_every_test_of_a_clause_has_its_clause():
    named = {".".join(re.match(r"test_r(\d+)_(\d+)_", name).groups()) for name in globals() if name[:6] == "test_r"}
    assert named == set(clauses())


def spots(table: Table) -> set[tuple[int, int]]:
    """Return the places where the seat to move may lay something."""
    return {(laid.station, laid.column) for laid in options(table)}


def refuses(table: Table, *laid) -> bool:
    """Return whether a move is refused and nothing changes by trying it."""
    before = table.bytes()
    return not table.apply(code(Laid(*laid))) and table.bytes() == before


# --- R1 components -------------------------------------------------------------------------------------------------
def test_r1_1_only_the_64_season_tiles_are_used():
    assert [component.name for component in get_game(GAME).components] == ["tiles"]
    assert Table(GAME, 2).rules.n_tiles == 64
    assert not {"token", "animal", "board"} & set(get_game(GAME).module("state").STATE.names)


def test_r1_2_tiles_show_every_ordered_triple_of_seasons_once():
    seasons = ["".join(SEASONS[s] for s in corners) for corners in Table(GAME, 1).rules.seasons.tolist()]
    assert seasons == list(BOX)
    assert len(set(seasons)) == 4**3
    assert Counter("".join(seasons)) == dict.fromkeys(SEASONS, 48)


def test_r1_3_only_the_season_of_an_icon_matters(tmp_path):
    """With every picture replaced by another of its season, all the rules there are stay as they were."""
    words = {"P": "spring 1", "S": "summer conifer 1", "A": "autumn grape", "W": "winter"}
    rows = [f"{i + 1},{','.join(words[season] for season in tile)}" for i, tile in enumerate(BOX)]
    (tmp_path / "plain.csv").write_text("\n".join(["tile,bottom,upper_left,upper_right", *rows]))
    plain = Table(GAME, 3, components={"tiles": tmp_path / "plain.csv"})
    assert plain.rules.tobytes() == Table(GAME, 3).rules.tobytes()


# --- R2 setup ------------------------------------------------------------------------------------------------------
@every_size
def test_r2_1_the_first_tile_is_drawn_and_laid_the_right_way_up(n_seats):
    for turn in ("none", "thirds"):
        for seed in range(20):
            table = Table(GAME, n_seats, {"turn": turn}, seed=seed)
            assert len(pyramid(table)) == 1
            assert pyramid(table)[1, 0] == laid_tiles(table)[0]
            assert where(table) == dict.fromkeys(BOX, 1)


def test_r2_1_any_tile_is_equally_likely_to_be_first_and_any_to_be_last():
    n = 6400
    table = Table(GAME, 2)
    first, last = Counter(), Counter()
    for seed in range(n):
        table.deal(seed)
        first[laid_tiles(table)[0]] += 1
        last[deck(table)[-1]] += 1
    for counts in (first, last):
        chi_square = sum((counts[tile] - n / 64) ** 2 / (n / 64) for tile in BOX)
        assert 25 < chi_square < 63 + 5 * np.sqrt(2 * 63)


@every_size
@pytest.mark.parametrize("size", [1, 3, 5, 8])
def test_r2_2_every_seat_draws_its_hand_from_the_deck(n_seats, size):
    table = deal_in_order(Table(GAME, n_seats, {"hand_size": size}), reversed(BOX))
    order = list(reversed(BOX))
    assert pyramid(table) == {(1, 0): order[0]}
    for seat, hand in enumerate(hands(table)):
        drawn = order[1 + size * seat : 1 + size * (seat + 1)]
        assert hand == sorted(drawn, key=tile_number)
    assert deck(table) == order[1 + size * n_seats :]
    assert table.state.drawn == 1 + size * n_seats


def test_r2_2_a_hand_is_three_tiles_unless_an_option_says_so():
    assert [len(hand) for hand in hands(Table(GAME, 5))] == [3] * 5


@every_size
def test_r2_3_seat_0_starts_and_seats_follow_in_order(n_seats):
    table = game_of_the_pyramid(n_seats)
    for ply, laid in enumerate(PYRAMID[1:]):
        assert table.state.seat == ply % n_seats
        lay(table, *laid)


def test_r2_4_one_seat_may_play_alone():
    assert get_game(GAME).seats == (1, 5)
    table = start("PPP", "SPP SSS WWW", deck="AAA")
    lay(table, "SPP", 1, 1)
    assert table.state.seat in (0, OVER)
    assert hands(table) == [["SSS", "AAA", "WWW"]]


# --- R3 course -----------------------------------------------------------------------------------------------------
@every_size
def test_r3_1_a_turn_is_to_lay_a_tile_of_the_hand_and_to_draw_one(n_seats):
    table = game_of_the_pyramid(n_seats)
    for laid in PYRAMID[1:30]:
        seat, before, top = int(table.state.seat), hands(table), deck(table)[0]
        assert laid.tile in before[seat]
        lay(table, *laid)
        expected = sorted({*before[seat], top} - {laid.tile}, key=tile_number)
        assert hands(table) == [expected if s == seat else hand for s, hand in enumerate(before)]
        assert laid_tiles(table).count(laid.tile) == 1
        assert top not in deck(table)


def test_r3_1_a_tile_of_another_hand_or_of_the_deck_cannot_be_laid():
    table = start("PPP", "SPP SPS SPA", "APP APS APA", deck="WPP")
    assert refuses(table, "APP", 1, 1)
    assert refuses(table, "WPP", 1, 1)
    assert refuses(table, "PPP", 1, 1)
    lay(table, "SPP", 1, 1)
    assert refuses(table, "SPS", 1, 2)
    lay(table, "APP", 1, 2)
    lay(table, "WPP", 1, 3)


def long_row(tmp_path, n_tiles: int) -> dict:
    """Return a tile file of so many tiles of one season, each of which fits everywhere."""
    rows = [f"{i},winter,winter,winter" for i in range(1, n_tiles + 1)]
    (tmp_path / "winter.csv").write_text("\n".join(["tile,bottom,upper_left,upper_right", *rows]))
    return {"tiles": tmp_path / "winter.csv"}


def test_r3_2_nothing_is_drawn_once_the_deck_is_empty(tmp_path):
    table = Table(GAME, 2, {"hand_size": 3}, long_row(tmp_path, 9))
    sizes = []
    while not table.over:
        sizes.append([int((hand >= 0).sum()) for hand in table.state.hand[:2]])
        table.play(table.legal()[0])
    assert sizes == [[3, 3], [3, 3], [3, 3], [2, 3], [2, 2], [1, 2], [1, 1], [0, 1]]
    assert table.state.drawn == 9
    assert (table.state.stock == NONE).all()


@every_size
def test_r3_3_the_game_ends_at_once_when_the_seat_to_move_cannot_lay(n_seats):
    """Seat 1 is stuck after the first move though seat 2 is not; alone, seat 0 is after its own."""
    if n_seats == 1:
        table = start("PPP", "WPS WWW AAA", deck="AAW")
        lay(table, "WPS", 1, 1)
    else:
        others = ["SSP PPS SPS", "ASP SPP APP", "PPA APA APS"][: n_seats - 2]
        table = start("PPP", "WPP PPW AAA", "WWW AAW AWA", *others)
        lay(table, "WPP", 1, 1)
        assert refuses(table, "AWW", 1, 2)
    assert (table.over, table.state.ended) == (True, NO_TILE_FITS)
    assert table.legal() == []
    assert refuses(table, "AAA", 1, 2)


def test_r3_3_a_seat_that_can_lay_only_one_tile_has_to_go_on():
    table = start("PPP", "WPP AWA AAA", "WWW AAW AWP")
    lay(table, "WPP", 1, 1)
    assert options(table) == {Laid("AWP", 1, -1)}
    assert not table.over


def test_r3_3_a_seat_that_drew_the_saving_tile_goes_on():
    for drawn, over in (("AWA", True), ("ASA", False)):
        table = start("PPP", "WPS WWW AAA", deck=drawn)
        lay(table, "WPS", 1, 1)
        assert table.over == over, drawn


def test_r3_4_an_empty_hand_ends_the_game(tmp_path):
    for n_seats, size, n_tiles in ((1, 1, 2), (1, 1, 3), (1, 3, 5), (2, 1, 3), (3, 2, 8), (5, 1, 9)):
        table = Table(GAME, n_seats, {"hand_size": size}, long_row(tmp_path, n_tiles))
        plies = 0
        while not table.over:
            assert (table.state.hand[table.state.seat] >= 0).any()
            table.play(table.legal()[-1])
            plies += 1
        assert table.state.ended == HAND_EMPTY
        assert plies == n_tiles - 1
        assert not (table.state.hand >= 0).any()
        assert table.state.n_open > 0


@every_size
def test_r3_4_it_cannot_happen_with_hands_of_three(n_seats):
    """Even the longest game there is leaves nine tiles, more than every hand but one of the seat to move needs."""
    table = game_of_the_pyramid(n_seats)
    for laid in PYRAMID[1:]:
        assert hands(table)[table.state.seat]
        lay(table, *laid)
    assert sum(map(len, hands(table))) + len(deck(table)) == 64 - 55 == 9


@every_size
def test_r3_5_the_game_ends_when_the_pyramid_is_complete(n_seats):
    table = game_of_the_pyramid(n_seats)
    for laid in PYRAMID[1:]:
        assert not table.over
        lay(table, *laid)
    assert (table.over, table.state.ended, table.state.n_open) == (True, COMPLETE, 0)
    assert table.legal() == []
    assert all(refuses(table, tile, station, 0) for tile in BOX for station in (1, 10))


def test_r3_5_a_pyramid_of_one_tile_is_complete_when_it_is_dealt():
    for n_seats in SIZES:
        table = Table(GAME, n_seats, {"width": 1})
        assert (table.over, table.state.ended) == (True, COMPLETE)
        assert table.points() == [1] * n_seats
        assert table.state.round_number == 1


def test_r3_5_a_pyramid_of_three_tiles():
    """Being complete goes before being stuck: the next seat could not lay anything either."""
    table = start("PPP", "WPS WWW AAA", "AAW AWA WAA", deck="PAA", width=2)
    lay(table, "WPS", 1, 1)
    assert (table.over, table.state.ended) == (True, NO_TILE_FITS)
    table = start("PPP", "WPS WWW AAA", "AAW AWA PAA", width=2)
    lay(table, "WPS", 1, 1)
    assert options(table) == {Laid("PAA", 2, 0)}
    lay(table, "PAA", 2, 0)
    assert (table.over, table.state.ended, table.points()) == (True, COMPLETE, [2, 2])


def test_r3_6_exactly_1275_of_7564_deals_end_before_the_first_decision():
    """Every first tile and every hand of three of the other 63, one by one."""
    table = Table(GAME, 1)
    triples = np.array(list(combinations(range(63), 3)))
    stuck, found = 0, []
    for first in BOX:
        others = [tile for tile in BOX if tile != first]
        deal_in_order(table, [first])
        fit = int(fits_somewhere(table.rules, table.state))
        fitting = np.array([fit >> tile_number(tile) & 1 for tile in others], bool)
        assert fitting.tolist() == [tile[1] == first[2] or tile[2] == first[1] for tile in others]
        hopeless = ~fitting[triples].any(axis=1)
        stuck += int(hopeless.sum())
        found.append((first, others, triples[np.flatnonzero(hopeless)[:2]], triples[np.flatnonzero(~hopeless)[:2]]))
    share = Fraction(stuck, 64 * comb(63, 3))
    assert share == Fraction(1275, 7564) == reference.p_no_first_move()
    assert f"{float(share):.2%}" == "16.86%"
    for first, others, hopeless, hopeful in found:  # and `deal` sees it
        for ends, sample in ((True, hopeless), (False, hopeful)):
            for triple in sample:
                deal_in_order(table, [first, *(others[i] for i in triple)])
                assert table.over == ends
                assert table.state.ended == (NO_TILE_FITS if ends else NONE)


@every_size
def test_r3_6_such_deals_are_games_with_a_result(n_seats):
    n = 2000
    run = simulate(GAME, ["random"] * n_seats, games=n, seed=n_seats)
    games = run.games.collect().filter(decisions=0)
    p = 1275 / 7564
    assert abs(games.height / n - p) < 5 * np.sqrt(p * (1 - p) / n)
    assert set(games["ended"]) == {"no tile fits"}
    assert set(games["stations"]) == {0}
    assert set(games["rank_name"]) == {None}
    assert set(games["rounds"]) == set(games["tiles"]) == set(games["highest"]) == {1}
    assert not games["truncated"].any()
    seats = run.seats.collect().filter(game=games["game"][0])
    assert seats["points"].to_list() == [0] * n_seats


def test_r3_6_turning_never_leaves_so_many_stuck():
    n = 3000
    table = Table(GAME, 1, {"turn": "thirds"})
    stuck = sum(table.deal(seed).over for seed in range(n))
    assert 0 < stuck < n * 1275 / 7564 / 3


@every_size
def test_r3_7_a_round_is_one_turn_of_each_seat(n_seats):
    table = game_of_the_pyramid(n_seats)
    for ply, laid in enumerate(PYRAMID[1:]):
        assert table.state.round_number == 1 + ply // n_seats
        lay(table, *laid)
    assert table.state.round_number == 1 + 53 // n_seats


def test_r3_7_a_game_ends_in_the_round_of_the_turn_that_nobody_can_take():
    table = start("PPP", "WPP AAS SSS", "WPS AAA WWW", deck="AAW")
    lay(table, "WPP", 1, 1)
    lay(table, "WPS", 1, 2)
    assert not table.over
    assert table.state.round_number == 2
    table = start("PPP", "WPP AAW WAW", "WPS AAA WWW", deck="AWA")
    lay(table, "WPP", 1, 1)
    assert table.state.round_number == 1
    lay(table, "WPS", 1, 2)
    assert (table.over, table.state.round_number) == (True, 2)


# --- R4 decisions --------------------------------------------------------------------------------------------------
def test_r4_1_a_decision_is_a_tile_of_the_hand_and_a_place():
    assert get_game(GAME).phases == ("place",)
    table = start("PSA", "AAA SSS PAS")
    assert options(table) == {
        Laid("AAA", 1, 1),  # its upper left autumn at the first tile's upper right
        Laid("PAS", 1, 1),
        Laid("SSS", 1, -1),  # its upper right summer at the first tile's upper left
        Laid("PAS", 1, -1),
    }


def test_r4_1_and_where_turning_is_allowed_a_turn():
    """All nine of three turns by hand: PSA lies; a tile at the right needs A at upper left, at the left S at right."""
    table = start("PSA", "AAP WPS", turn="thirds")
    # AAP (bottom A, left A, right P): turned once PAA, twice APA. WPS: once SWP, twice PSW.
    assert options(table) == {Laid("AAP", 1, 1, 0), Laid("AAP", 1, 1, 1), Laid("WPS", 1, -1, 0)}
    assert [turned("AAP", turn) for turn in range(3)] == ["AAP", "PAA", "APA"]
    assert [turned("WPS", turn) for turn in range(3)] == ["WPS", "SWP", "PSW"]
    lay(table, "AAP", 1, 1, 1)
    assert pyramid(table) == {(1, 0): "PSA", (1, 1): "PAA"}


def test_r4_1_codes_are_what_the_docstrings_say():
    for laid in (Laid("PPP", 1, -9), Laid("WWW", 10, 0, 2), Laid("SAW", 1, 9, 1), Laid("AAP", 2, -4)):
        assert read(code(laid)) == laid
    assert code(Laid("PPS", 1, 0)) == 9 * 3 * 64 + 1
    assert code(Laid("PPS", 2, -1, 2)) == ((19 + 8) * 3 + 2) * 64 + 1


def test_r4_2_turns_that_look_the_same_are_one_option():
    for tile in ("PPP", "SSS", "AAA", "WWW"):
        first = ("S" if tile == "PPP" else "P") + ("S" if tile == "PPP" else "P") + tile[0]
        table = start(first, tile, turn="thirds")
        assert options(table) == {Laid(tile, 1, 1)}
        assert refuses(table, tile, 1, 1, 1)
        assert refuses(table, tile, 1, 1, 2)


def test_r4_2_no_other_tile_looks_the_same_when_turned():
    """A table of one tile, and every tile as the hand: the results of all options differ."""
    for first in ("PPP", "PSA", "WSS"):
        for tile in BOX:
            if tile == first:
                continue
            table = start(first, tile, turn="thirds")
            results = [tuple(sorted(pyramid(table.copy().play(move)).items())) for move in table.legal()]
            assert len(set(results)) == len(results)
            wanted = {
                ((1, 0), column, turned(tile, turn))
                for turn in range(3)
                for column in (-1, 1)
                if (turned(tile, turn)[1] == first[2] if column == 1 else turned(tile, turn)[2] == first[1])
            }
            assert len(results) == len(wanted)


def test_r4_3_both_ends_of_station_1_are_places_of_their_own():
    table = start("PPP", "SPP")
    assert options(table) == {Laid("SPP", 1, -1), Laid("SPP", 1, 1)}
    left, right = (lay(table.copy(), "SPP", 1, column) for column in (-1, 1))
    assert pyramid(left) == {(1, 0): "PPP", (1, -1): "SPP"}
    assert pyramid(right) == {(1, 0): "PPP", (1, 1): "SPP"}


# --- R5 where a tile may lie ---------------------------------------------------------------------------------------
def test_r5_1_station_1_grows_at_either_end_without_gaps(tmp_path):
    table = Table(GAME, 1, {"hand_size": 1}, long_row(tmp_path, 64))
    low = high = 0
    for step in range(9):
        assert {column for station, column in spots(table) if station == 1} == {low - 1, high + 1}
        tile = options(table).pop().tile
        assert all(refuses(table, tile, 1, column) for column in (low - 2, high + 2) if -9 <= column <= 9)
        assert all(refuses(table, tile, 1, column) for column in range(low, high + 1))
        low, high = (low - 1, high) if step % 3 == 0 else (low, high + 1)
        lay(table, tile, 1, low if step % 3 == 0 else high)
    assert sorted(column for _, column in pyramid(table)) == list(range(-3, 7))


@pytest.mark.parametrize("width", range(2, 11))
@pytest.mark.parametrize("left", [0, 1, 9])
def test_r5_1_at_its_full_width_both_ends_are_closed(width, left, tmp_path):
    """Also when all of it lies on one side of the first tile."""
    left = min(left, width - 1)
    table = Table(GAME, 1, {"hand_size": 1, "width": width}, long_row(tmp_path, 64))
    for column in [*range(-1, -left - 1, -1), *range(1, width - left)]:
        assert {(1, min(c for _, c in pyramid(table)) - 1), (1, max(c for _, c in pyramid(table)) + 1)} <= spots(table)
        lay(table, options(table).pop().tile, 1, column)
    assert int(table.state.count[0]) == width
    assert spots(table) == {(2, column) for column in range(-left, width - left - 1)}
    tile = options(table).pop().tile
    assert all(refuses(table, tile, 1, column) for column in range(-9, 10))


def test_r5_2_seasons_agree_where_tiles_meet():
    """First tiles with all kinds of upper corners, and every other tile beside each of them, seven in a hand."""
    assert {first[1:] for first in BOX[::3]} == {tile[1:] for tile in BOX}
    for first in BOX[::3]:
        others = [tile for tile in BOX if tile != first]
        for i in range(0, 63, 7):
            hand = others[i : i + 7]
            agreeing = {Laid(tile, 1, 1) for tile in hand if tile[1] == first[2]}
            agreeing |= {Laid(tile, 1, -1) for tile in hand if tile[2] == first[1]}
            assert options(start(first, " ".join(hand))) == agreeing


def test_r5_3_left_and_right_neighbours_meet_at_their_upper_icons():
    """The bottoms of neighbours do not meet, and their outer corners do not either."""
    table = start("PSA", "WAP SAP APS AWS")
    assert options(table) == {Laid("WAP", 1, 1), Laid("SAP", 1, 1), Laid("APS", 1, -1), Laid("AWS", 1, -1)}


def test_r5_4_a_tile_above_the_ground_lies_on_two_neighbours():
    table = start("PPP", "PPS", deck="PSS")
    assert all(refuses(table, "PPS", station, column) for station in range(2, 11) for column in range(-9, 10))
    lay(table, "PPS", 1, 1)
    assert options(table) == {Laid("PSS", 1, 2), Laid("PSS", 2, 0)}
    assert all(refuses(table, "PSS", 2, column) for column in range(-9, 10) if column != 0)


def test_r5_4_every_place_above_lies_on_columns_x_and_x_plus_1(tmp_path):
    table = Table(GAME, 1, {"hand_size": 1}, long_row(tmp_path, 64))
    for column in (1, 2, -1, -2):
        lay(table, options(table).pop().tile, 1, column)
    assert spots(table) == {(1, -3), (1, 3), (2, -2), (2, -1), (2, 0), (2, 1)}
    lay(table, options(table).pop().tile, 2, -1)
    assert spots(table) == {(1, -3), (1, 3), (2, -2), (2, 0), (2, 1)}
    lay(table, options(table).pop().tile, 2, 1)
    assert not {station for station, _ in spots(table)} - {1, 2}  # (2, -1) and (2, 1) are no neighbours
    lay(table, options(table).pop().tile, 2, 0)
    assert spots(table) == {(1, -3), (1, 3), (2, -2), (3, -1), (3, 0)}


def test_r5_5_its_bottom_meets_the_upper_right_and_upper_left_icons_below():
    """PPA and WAS meet in autumn: what lies on them has autumn at its bottom, and nothing else is asked."""
    for tile in BOX:
        if tile in ("PPA", "WAS"):
            continue
        table = start("PPA", "WAS", deck=tile)
        lay(table, "WAS", 1, 1)
        above = {laid for laid in options(table) if laid.station == 2}
        assert above == ({Laid(tile, 2, 0)} if tile[0] == "A" else set())


def test_r5_5_the_first_tile_may_be_the_right_one_below():
    table = start("PSA", "WAS", deck="SWW AWW")
    lay(table, "WAS", 1, -1)
    assert options(table) == {Laid("SWW", 2, -1)}


def with_gap(left: str, right: str, closing: str) -> Table:
    """Return a solitaire game: four on the ground meeting in P, S, P, and on station 2 `left` . `right`."""
    ground = ["APP", "APS", "ASP", "APA"]
    table = deal_in_order(Table(GAME, 1, {"hand_size": 1}), [*ground, left, right, closing])
    for column, tile in enumerate(ground[1:], start=1):
        lay(table, tile, 1, column)
    return lay(lay(table, left, 2, 0), right, 2, 2)


def test_r5_6_higher_stations_may_have_gaps_and_what_closes_one_agrees_with_both_neighbours():
    """The gap needs summer at its bottom, winter at its upper left and autumn at its upper right."""
    for closing in BOX:
        if closing in ("APP", "APS", "ASP", "APA", "PPW", "PAS"):
            continue
        table = with_gap("PPW", "PAS", closing)
        if table.over:
            assert closing != "SWA"
            continue
        assert ((2, 1) in spots(table)) == (closing == "SWA"), closing
        if closing == "SWA":
            lay(table, "SWA", 2, 1)
            assert int(table.state.count[1]) == 3


def test_r5_6_with_one_neighbour_only_that_one_is_asked():
    ground = ["APP", "APS", "ASP", "APA"]
    for left, column, closing, agrees in (
        ("PPW", 0, "SWP", True),
        ("PPW", 0, "SPW", False),
        ("PAS", 2, "SPA", True),
        ("PAS", 2, "SAP", False),
    ):
        table = deal_in_order(Table(GAME, 1, {"hand_size": 1}), [*ground, left, closing])
        for c, tile in enumerate(ground[1:], start=1):
            lay(table, tile, 1, c)
        lay(table, left, 2, column)
        assert (Laid(closing, 2, 1) in options(table)) == agrees


@pytest.mark.parametrize("width", range(1, 11))
def test_r5_7_station_s_holds_width_plus_1_minus_s_tiles(width, tmp_path):
    table = Table(GAME, 1, {"hand_size": 1, "width": width}, long_row(tmp_path, 64))
    table.play_random(width)
    assert table.state.ended == COMPLETE
    expected = [max(0, width + 1 - s) for s in range(1, 11)]
    assert table.state.count.tolist() == expected
    assert Counter(station for station, _ in pyramid(table)) == {s + 1: n for s, n in enumerate(expected) if n}
    assert len(pyramid(table)) == width * (width + 1) // 2


def game_of_the_pyramid(n_seats: int) -> Table:
    """Return a freshly dealt game with hands of three in which each seat in turn draws its part of the pyramid."""
    table = Table(GAME, n_seats)
    return deal_in_order(table, in_playing_order([laid.tile for laid in PYRAMID], n_seats, 3))


@every_size
def test_r5_7_a_pyramid_of_55_different_tiles_can_be_built_tile_by_tile(n_seats):
    """The ten stations are there: in this deal all of them can be reached without turning anything."""
    assert len({laid.tile for laid in PYRAMID}) == len(PYRAMID) == 55
    table = game_of_the_pyramid(n_seats)
    assert pyramid(table) == {(1, 0): PYRAMID[0].tile}
    for number, laid in enumerate(PYRAMID[1:], start=2):
        assert laid in options(table)
        lay(table, *laid)
        assert len(pyramid(table)) == number
    assert pyramid(table) == {(laid.station, laid.column): laid.tile for laid in PYRAMID}
    assert table.points() == [10] * n_seats


def test_r5_8_without_turning_every_tile_lies_the_same_way_up():
    table = start("PSA", "AAP WPS")
    assert options(table) == {Laid("AAP", 1, 1), Laid("WPS", 1, -1)}
    assert refuses(table, "AAP", 1, 1, 1)
    assert refuses(table, "AAP", 1, 1, 2)
    assert get_game(GAME).option("turn").default == "none"


def test_r5_9_with_turning_by_thirds_icons_still_lie_at_bottom_upper_left_and_upper_right():
    """Every tile in every turn at both sides of every first tile, and on top of two."""
    for first in ("PSA", "WWP", "SSS"):
        for tile in BOX:
            if tile == first:
                continue
            turns = range(1 if len(set(tile)) == 1 else 3)
            expected = {Laid(tile, 1, 1, t) for t in turns if turned(tile, t)[1] == first[2]}
            expected |= {Laid(tile, 1, -1, t) for t in turns if turned(tile, t)[2] == first[1]}
            assert options(start(first, tile, turn="thirds")) == expected
    table = start("PPA", "AWS", deck="PAW", turn="thirds")
    lay(table, "AWS", 1, 1, 1)  # it lies as SAW
    assert pyramid(table)[1, 1] == "SAW"
    # PAW lies so, turned once as WPA, turned twice as AWP.
    assert {laid for laid in options(table) if laid.station == 2} == {Laid("PAW", 2, 0, 2)}
    assert {laid for laid in options(table) if laid.station == 1} == {Laid("PAW", 1, -1, 2), Laid("PAW", 1, 2, 2)}


def test_r5_9_a_clockwise_third_brings_the_bottom_to_the_upper_left():
    assert [turned("PSA", turn) for turn in range(4)] == ["PSA", "APS", "SAP", "PSA"]
    table = start("PPP", "PSA", turn="thirds")
    assert options(table) == {Laid("PSA", 1, 1, 1), Laid("PSA", 1, -1, 2)}


# --- R6 what a seat knows ------------------------------------------------------------------------------------------
@every_size
def test_r6_1_the_pyramid_is_open_and_the_deck_and_other_hands_are_hidden(n_seats):
    table = game_of_the_pyramid(n_seats)
    for laid in PYRAMID[1:25]:
        lay(table, *laid)
        for seat in range(n_seats):
            view = table.view(seat)
            for name in table.dtype.names:
                if name not in ("stock", "hand"):
                    assert (getattr(view, name) == getattr(table.state, name)).all(), name
            for other in range(n_seats):
                own = table.state.hand[other].tolist()
                assert view.hand[other].tolist() == (own if other == seat else [HIDDEN] * 3 + [NONE] * 5)
            assert view.stock.tolist() == [HIDDEN if tile >= 0 else NONE for tile in table.state.stock]


@every_size
def test_r6_2_talking_changes_no_move(n_seats):
    """Same deal, same moves, same result, whatever talk conveys."""
    for turn in ("none", "thirds"):
        quiet, open_ = (Table(GAME, n_seats, {"talk": talk, "turn": turn}, seed=4) for talk in ("none", "open"))
        for seed in range(12):
            for table in (quiet, open_):
                table.deal(seed).play_random(seed)
            assert quiet.bytes() == open_.bytes()
            assert quiet.points() == open_.points()


@every_size
def test_r6_3_talk_open_shows_all_hands_and_talk_none_shows_none(n_seats):
    for talk in ("none", "open"):
        table = Table(GAME, n_seats, {"talk": talk, "turn": "thirds"}, seed=2).play_random(2, 5)
        for seat in range(n_seats):
            shown = [[int(tile) for tile in hand if tile != NONE] for hand in table.view(seat).hand[:n_seats]]
            for other in range(n_seats):
                hand = [tile_number(tile) for tile in hands(table)[other]]
                assert shown[other] == (hand if talk == "open" or other == seat else [HIDDEN] * 3)
    assert get_game(GAME).option("talk").default == "none"


# --- R7 result -----------------------------------------------------------------------------------------------------
def sheet(table: Table) -> list[tuple[int, str, str, int]]:
    """Return the scored items in words."""
    game = table.game
    lines, ties = table.tally()
    assert not ties.any()
    return [
        (int(line["seat"]), game.categories[line["category"]], game.slots[line["slot"]], int(line["points"]))
        for line in lines
    ]


@every_size
def test_r7_1_the_result_is_the_number_of_completed_stations_shared_by_all(n_seats):
    table = game_of_the_pyramid(n_seats)
    for laid in PYRAMID[1:]:
        lay(table, *laid)
        per_station = Counter(station for station, _ in pyramid(table))
        done = [s for s in range(1, 11) if per_station[s] == 11 - s]
        assert done == list(range(1, len(done) + 1))
        assert sheet(table) == [(seat, "station", f"station {s}", 1) for seat in range(n_seats) for s in done]
        assert table.points() == [len(done)] * n_seats
    assert len(done) == 10


def test_r7_1_stations_complete_from_the_ground_up_in_any_order_of_building(tmp_path):
    """Built side by side from the left, the tenth diagonal completes all stations one after the other."""
    table = Table(GAME, 1, {"hand_size": 1}, long_row(tmp_path, 64))
    done = []
    for diagonal in range(10):
        for station in range(1, diagonal + 2):
            if (station, diagonal) != (1, 0):
                lay(table, options(table).pop().tile, station, diagonal + 1 - station)
            done.append(table.points()[0])
    assert done == [0] * 45 + list(range(1, 11))


@pytest.mark.parametrize("width", [10, 9, 4])
def test_r7_2_results_have_their_printed_names(width, tmp_path):
    """A box of too few tiles stops a game at every number of stations."""
    names = [None, *["sandbox pile"] * 3, *["normal mountain"] * 2, *["reputed mountain"] * 2, *["Fujiyama"] * 2]
    names.append("Great Fujiyama")
    module = get_game(GAME).module("view")
    for stations in range(width + 1):
        n_tiles = sum(width - s for s in range(stations)) + (stations < width - 1)
        table = Table(GAME, 1, {"hand_size": 1, "width": width}, long_row(tmp_path, max(n_tiles, 2)))
        while not table.over:  # from the ground up
            table.play(table.legal()[0])
        columns = {column.name: column[0] for column in module.game_columns(table.rules.reshape(1), table._states)}
        assert columns["stations"] == stations
        assert columns["rank_name"] == names[stations]
        assert columns["ended"] == ("complete" if stations == width else "hand empty")
        assert columns["tiles"] == sum(columns["per_station"])


def test_r7_3_no_station_completed_has_no_name():
    run = simulate(GAME, ["random"], games=300, seed=1, options={"turn": "thirds"})
    games = run.games.collect()
    assert (games["rank_name"].is_null() == (games["stations"] == 0)).all()
    assert {0, 1} <= set(games["stations"])


@every_size
def test_r7_4_nobody_wins_alone_and_every_seat_is_credited_with_every_station(n_seats):
    run = simulate(GAME, ["random"] * n_seats, games=200, seed=2, options={"turn": "thirds", "width": 4})
    games, seats, scores = run.games.collect(), run.seats.collect(), run.scores.collect()
    assert games["winners"].null_count() == 200
    assert seats["rank"].null_count() == seats["win_share"].null_count() == seats.height == 200 * n_seats
    assert games["stations"].max() >= 2
    stations = dict(games.select("game", "stations").rows())
    assert all(points == stations[game] for game, points in seats.select("game", "points").rows())
    expected = [
        (game, seat, "station", f"station {s}", 1)
        for game in range(200)
        for seat in range(n_seats)
        for s in range(1, stations[game] + 1)
    ]
    assert scores.select("game", "seat", "category", "slot", "points").rows() == expected


def test_r7_4_hand_sets_hold_known_tiles_only():
    """What players count with: hidden tiles are in no set."""
    table = start("PPP", "SPP SPS SPA", "APP APS APA")
    expected = [sum(1 << tile_number(tile) for tile in hand) for hand in hands(table)]
    assert [hand_set(table.rules, table.state, seat) for seat in range(2)] == expected
    assert [hand_set(table.rules, table.view(0), seat) for seat in range(2)] == [expected[0], 0]
