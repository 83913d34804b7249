"""A test for every clause of RULES.md, named after it: ``test_r5_4_...`` is for clause R5.4."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import numpy as np
import pytest

import meeplecarlo
from meeplecarlo.games.heizei import COLOURS
from meeplecarlo.games.heizei.rules import landing
from meeplecarlo.games.heizei.state import HIDDEN, NONE, OVER
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from tests.games.heizei import reference
from tests.games.heizei.by_hand import (
    GAME,
    LETTERS,
    NAME,
    SIZES,
    TILES,
    code,
    collected,
    do,
    first,
    from_first,
    hands,
    laid,
    lines,
    new_table,
    options,
    ordered,
    phase,
    place,
    points_of,
    read,
    refuses,
    spaces,
    start,
    still_in,
    walk,
    where,
    with_cards,
)
from tests.table import Table

RULES_PAGE = Path(meeplecarlo.__file__).parent / "games" / "heizei" / "RULES.md"
every_size = pytest.mark.parametrize("n_seats", SIZES)
EACH = {3: 12, 4: 15, 5: 15}
HAND = {3: 16, 4: 15, 5: 12}


def clauses() -> list[str]:
    return re.findall(r"^\| R(\d+\.\d+) \|", RULES_PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_every_clause_has_a_test():
    assert len(clauses()) >= 35
    names = [f"test_r{clause.replace('.', '_')}_" for clause in clauses()]
    assert [name for name in names if not any(test.startswith(name) for test in globals())] == []


def test_every_test_of_a_clause_has_its_clause():
    named = {".".join(re.match(r"test_r(\d+)_(\d+)_", name).groups()) for name in globals() if name[:6] == "test_r"}
    assert named == set(clauses())


def chi_square(counts: Counter, n_cells: int) -> float:
    """Return how many standard deviations above its mean the chi-square of even counts is."""
    expected = counts.total() / n_cells
    value = sum((count - expected) ** 2 / expected for count in counts.values())
    value += (n_cells - len(counts)) * expected
    return (value - (n_cells - 1)) / np.sqrt(2 * (n_cells - 1))


# --- R1 components -------------------------------------------------------------------------------------------------
@every_size
def test_r1_1_fifteen_cards_of_each_colour_and_twelve_with_three_seats(n_seats):
    assert COLOURS == ("red", "blue", "yellow", "black")
    assert where(new_table(n_seats)) == dict.fromkeys(LETTERS, EACH[n_seats])
    assert where(new_table(4)).total() == where(new_table(5)).total() == 60


@pytest.mark.parametrize(("n_seats", "each"), [(3, 6), (3, 18), (4, 4), (4, 20), (5, 5), (5, 20)])
def test_r1_1_the_number_of_cards_is_an_option(n_seats, each):
    table = with_cards(n_seats, each)
    assert where(table) == dict.fromkeys(LETTERS, each)
    assert {len(hand) for hand in hands(table)} == {4 * each // n_seats}


@every_size
def test_r1_2_a_cube_of_each_colour_stands_on_each_circle(n_seats):
    for seed in range(20):
        state = new_table(n_seats, seed=seed).state
        assert state.space.shape == (4,)
        assert sorted(state.space.tolist()) == [1, 2, 3, 4]


def test_r1_3_the_track_has_no_end():
    table = place(4, "play", hands=["RRRRRRR"], table="RBYK", spaces={"R": 10**6, "B": 1, "Y": 2, "K": 3})
    assert spaces(do(table, "RRRRRRR"))["R"] == 10**6 + 28
    assert get_game(GAME).option("track").default == 0


def test_r1_3_on_a_track_with_an_end_a_cube_stops_on_the_last_space_for_good():
    """Track of 20: red gets there exactly, blue would go beyond, yellow walks up to it; the first is furthest ahead."""
    table = place(4, "play", hands=["RB", "BBK", "YY", "RK"], table="RBYK", track=20,
                  spaces={"R": 19, "B": 18, "Y": 16, "K": 17})  # fmt: skip
    do(table, "R", "B")  # red to 20
    assert from_first(table.state.space) == "RBKY"
    do(table, "BB", "RR")  # blue by 3, beyond the end
    assert from_first(table.state.space) == "RBKY"
    do(table, "Y", "B")  # 17 is taken, so yellow gets to 18
    assert spaces(table)["Y"] == 18
    assert from_first(table.state.space) == "RBYK"
    before = spaces(table)
    do(table, "R", "Y")  # red has arrived long ago and moves no more
    assert spaces(table) == before


def test_r1_3_ties_on_the_last_space_are_ranked_by_arrival():
    for order in permutations(LETTERS):
        table = place(4, "play", hands=["RB", "RB", "YK", "YK"], table="RBYK", track=8,
                      spaces={letter: 4 + i for i, letter in enumerate(LETTERS)})  # fmt: skip
        for letter in order:
            i = LETTERS.index(letter)
            table.state.space[i] = landing(table.rules, table.state, i, 9)
        assert from_first(table.state.space) == "".join(order)
        again = [landing(table.rules, table.state, i, 28) for i in range(4)]
        assert again == table.state.space.tolist()


def test_r1_3_a_vacant_last_space_is_reached_by_counting_and_not_before():
    table = place(3, "play", each=12, hands=["RR", "B", "Y"], table="BYK", track=20,
                  spaces={"R": 16, "B": 17, "Y": 3, "K": 2})  # fmt: skip
    table.state.space[0] = landing(table.rules, table.state, 0, 2)
    assert spaces(table)["R"] == 19
    table.state.space[1] = landing(table.rules, table.state, 1, 1)
    assert spaces(table)["B"] == 18
    table.state.space[1] = landing(table.rules, table.state, 1, 1)  # past red, which is not there yet
    assert from_first(table.state.space) == "BRYK"
    table.state.space[0] = landing(table.rules, table.state, 0, 1)  # red second
    assert from_first(table.state.space) == "BRYK"


@pytest.mark.parametrize("track", [8, 9, 12, 30])
def test_r1_3_tracks_with_an_end_agree_with_the_reference(track):
    table, rng = with_cards(5, 5, track=track), random.Random(track)
    for _ in range(60):
        circles = rng.sample(LETTERS, 4)
        for i, letter in enumerate(LETTERS):
            table.state.space[i] = 1 + circles.index(letter)
        there = reference.cubes_on_circles([NAME[letter] for letter in circles])
        for _ in range(25):
            i, steps = rng.randrange(4), rng.choice([0, 1, 1, 1, 2, 3, 6, 28])
            table.state.space[i] = landing(table.rules, table.state, i, steps)
            there = reference.move_cube(there, COLOURS[i], steps, track)
            shown = {letter: min(space, track) for letter, space in spaces(table).items()}
            assert shown == {letter: there[NAME[letter]] for letter in LETTERS}
            assert [NAME[letter] for letter in from_first(table.state.space)] == reference.cube_order(there)


def test_r1_4_the_circles_are_spaces_1_to_4_and_4_is_the_head():
    """A single step from circle 1 past the other three leads to space 5, the first behind the circles."""
    table = start("KYBR", "RRBB", "BYYK", "RBYK", "RYKK")
    assert spaces(table) == {"K": 1, "Y": 2, "B": 3, "R": 4}
    assert from_first(table.state.space) == "RBYK"
    do(table, "R", "K", "R", "R")
    assert spaces(table)["K"] == 5


@every_size
def test_r1_5_there_is_one_tile_fewer_than_seats(n_seats):
    table = new_table(n_seats, seed=4).play_random(4)
    for category in ("first_tile", "second_tile"):
        got = [line for line in lines(table) if line[1] == category]
        assert len(got) == n_seats - 1
        assert len({line[0] for line in got}) == n_seats - 1


@every_size
def test_r1_6_tiles_are_worth_one_point_and_one_more_each(n_seats):
    table = new_table(n_seats, seed=5).play_random(5)
    for category in ("first_tile", "second_tile"):
        assert sorted(line[3] for line in lines(table) if line[1] == category) == list(range(1, n_seats))


@every_size
def test_r1_6_their_values_are_options(n_seats):
    values = (7, 20, 0, 5)[: n_seats - 1]
    table = new_table(n_seats, seed=5, **{f"tiles_{n_seats}": values}).play_random(5)
    for category in ("first_tile", "second_tile"):
        assert sorted(line[3] for line in lines(table) if line[1] == category) == sorted(values)


# --- R2 setup ------------------------------------------------------------------------------------------------------
def test_r2_1_every_order_of_the_cubes_is_equally_likely():
    table, orders = new_table(3), Counter()
    for seed in range(4800):
        orders[tuple(table.deal(seed).state.space.tolist())] += 1
    assert set(orders) == set(permutations(range(1, 5)))
    assert -5 < chi_square(orders, 24) < 5


@every_size
def test_r2_2_all_cards_are_dealt_evenly(n_seats):
    for seed in range(20):
        table = new_table(n_seats, seed=seed)
        assert [len(hand) for hand in hands(table)] == [HAND[n_seats]] * n_seats
        assert where(table) == dict.fromkeys(LETTERS, EACH[n_seats])
        assert read(table.state.table) == "".join(collected(table)) == ""


def test_r2_2_every_way_to_deal_is_equally_likely():
    """How many red cards are in the hand of each seat: as many as when 4 of 16 cards are drawn, 4 of them red."""
    table, n = with_cards(4, 4), 4000
    pools = [Counter() for _ in range(4)]
    for seed in range(n):
        for seat, hand in enumerate(hands(table.deal(seed))):
            pools[seat][hand.count("R")] += 1
    ways = {reds: _choose(4, reds) * _choose(12, 4 - reds) / _choose(16, 4) for reds in range(5)}
    for counts in pools:
        value = sum((counts[reds] - n * p) ** 2 / (n * p) for reds, p in ways.items())
        assert value < 4 + 5 * np.sqrt(8)


def _choose(n: int, k: int) -> int:
    return len(set(combinations_with_replacement(range(n - k + 1), k))) if k else 1


@every_size
def test_r2_3_seat_0_starts_round_1(n_seats):
    for seed in range(6):
        table = new_table(n_seats, seed=seed)
        assert (phase(table), table.state.seat) == ("prepare", 0)
        table.play_random(seed, n_seats)
        assert (phase(table), table.state.seat) == ("play", 0)


def test_r2_3_runs_let_every_player_sit_at_every_seat():
    players = ["random", "dump_longest", "one_at_a_time"]
    seats = simulate(GAME, players, games=30, seed=1).seats.collect()
    sat = Counter(seats.select("player", "seat").rows())
    assert sat == dict.fromkeys(product(players, range(3)), 10)


# --- R3 preparation ------------------------------------------------------------------------------------------------
@every_size
def test_r3_1_every_seat_lays_a_card_face_down_and_all_are_turned_up_together(n_seats):
    table = new_table(n_seats, seed=2)
    cubes, dealt = spaces(table), hands(table)
    chosen = [hand[len(hand) // 2] for hand in dealt]
    for seat, card in enumerate(chosen):
        assert (phase(table), table.state.seat) == ("prepare", seat)
        assert read(table.state.table) == ""
        assert spaces(table) == cubes
        assert options(table) == set(dealt[seat])
        do(table, card)
        if seat < n_seats - 1:
            assert laid(table) == [*chosen[: seat + 1], *[""] * (n_seats - seat - 1)]
    assert read(table.state.table) == ordered(chosen)
    assert laid(table) == [""] * n_seats
    assert hands(table) == [hand.replace(card, "", 1) for hand, card in zip(dealt, chosen, strict=True)]
    assert phase(table) == "play"


def test_r3_1_only_one_card_and_only_one_in_hand_can_be_laid():
    table = start("RBYK", "RRBB", "BYYK", "RBYK", "RYKK")
    assert options(table) == {"R", "B"}
    for cards in ("Y", "K", "RR", "RB", "", "BB"):
        assert refuses(table, cards)


def test_r3_2_all_ways_to_lay_cards_move_the_cubes_from_the_tail_to_the_head():
    """Every order on the circles and every set of four cards laid, step by step."""
    hand = "RBYK"
    for circles in ("RBYK", "KYBR", "BKRY", "YRKB", "KRBY"):
        for cards in combinations_with_replacement(LETTERS, 4):
            table = do(start(circles, *[hand] * 4), *cards)
            expected = {letter: 1 + circles.index(letter) for letter in LETTERS}
            for letter in circles:
                expected = walk(expected, letter, cards.count(letter))
            assert spaces(table) == expected


def test_r3_2_each_card_laid_is_one_space_and_not_a_step_of_the_table():
    """Four black cards: the head moves 4 spaces, not 10; with all steps 0 it moves them as well."""
    for said in ({}, {"steps": (0,) * 7}):
        table = start("RBYK", "RBYK", "RBYK", "RBYK", "RBYK", **said)
        assert spaces(do(table, "K", "K", "K", "K")) == {"R": 1, "B": 2, "Y": 3, "K": 8}


def test_r3_2_spaces_of_other_cubes_are_not_counted_and_vacated_circles_are():
    """Blue jumps the third and fourth circle; then red stops on the second, which blue has left."""
    table = place(4, "play", hands=["BB", "BB", "RR", "RR"], table="RBYK", spaces="RBYK")
    assert spaces(do(table, "B", "R")) == {"R": 1, "B": 5, "Y": 3, "K": 4}
    assert spaces(do(table, "B", "Y")) == {"R": 1, "B": 6, "Y": 3, "K": 4}
    assert spaces(do(table, "R", "K")) == {"R": 2, "B": 6, "Y": 3, "K": 4}


def test_r3_2_a_colour_nobody_laid_stays_where_it_is():
    table = do(start("RBYK", *["RBYK"] * 4), "Y", "Y", "K", "B")
    assert spaces(table)["R"] == 1


def test_r3_2_it_is_the_same_before_round_2():
    table = end_of_round_1(["RRRRRRRRRRRRRRR", "BBBBBBBBBBBBBBB", "YYYYYYYYYYYYYYY"], spaces="KYBR")
    assert (phase(table), table.state.round_number, table.state.seat) == ("prepare", 2, 0)
    do(table, "R", "B", "Y", "K")
    expected = {"K": 1, "Y": 2, "B": 3, "R": 4}
    for letter in "KYBR":
        expected = walk(expected, letter, 1)
    assert spaces(table) == expected


def test_r3_3_the_printed_example():
    table = do(start("KYBR", *["RBYK"] * 4), "B", "R", "R", "Y")
    assert spaces(table) == {"R": 8, "B": 6, "Y": 5, "K": 1}
    table = do(start("KYBR", *["RBYK"] * 4), "R", "Y", "R", "B")  # whoever lays which
    assert spaces(table) == {"R": 8, "B": 6, "Y": 5, "K": 1}


def test_r3_3_from_the_head_the_printed_example_would_come_out_otherwise():
    cubes = {"K": 1, "Y": 2, "B": 3, "R": 4}
    for letter in "RBYK":
        cubes = walk(cubes, letter, "BRRY".count(letter))
    assert cubes != {"R": 8, "B": 6, "Y": 5, "K": 1}


# --- R4 turns ------------------------------------------------------------------------------------------------------
def test_r4_1_one_or_more_cards_of_one_colour_are_played():
    table = place(4, "play", hands=["RRRBK", "RB", "YY", "K"], table="RBYK")
    assert options(table) == {"R", "RR", "RRR", "B", "K"}
    for cards in ("RRRR", "Y", "BB", "RB", "RRRBK", "BK", ""):
        assert refuses(table, cards)
    do(table, "RR")
    assert hands(table)[0] == "RBK"
    assert read(table.state.played) == "RR"


@every_size
def test_r4_1_there_are_as_many_plays_as_cards_in_hand(n_seats):
    table, rng = new_table(n_seats, seed=6), random.Random(6)
    while not table.over:
        if phase(table) == "play":
            assert len(options(table)) == len(hands(table)[table.state.seat])
        table.play_random(rng, plies=1)


@pytest.mark.parametrize(("cards", "steps"), list(enumerate([1, 3, 6, 10, 15, 21, *[28] * 9], 1)))
def test_r4_2_more_cards_of_a_colour_move_its_cube_further(cards, steps):
    """Red has nobody ahead of it, so all its steps are counted. Fifteen cards in one hand take a larger box."""
    table = place(4, "play", each=20, hands=["R" * cards + "B", "B", "Y", "K"], table="BBYK", spaces="KYBR")
    assert spaces(do(table, "R" * cards)) == {"K": 1, "Y": 2, "B": 3, "R": 4 + steps}


def test_r4_2_spaces_with_other_cubes_are_not_counted_in_a_turn():
    """Three cards from space 1: without the others on the way the sixth free space would be 7."""
    table = place(4, "play", hands=["RRR", "B", "Y", "K"], table="RBYK", spaces={"R": 1, "B": 2, "Y": 7, "K": 8})
    assert spaces(do(table, "RRR"))["R"] == 1 + 6 + 3
    table = place(4, "play", hands=["RRR", "B", "Y", "K"], table="RBYK", spaces={"R": 1, "B": 2, "Y": 8, "K": 20})
    assert spaces(do(table, "RRR"))["R"] == 1 + 6 + 2
    table = place(4, "play", hands=["RRR", "B", "Y", "K"], table="RBYK", spaces={"R": 1, "B": 2, "Y": 9, "K": 20})
    assert spaces(do(table, "RRR"))["R"] == 8  # right behind yellow


def test_r4_2_all_small_positions_and_steps_agree_with_walking():
    table = with_cards(4, 4)
    for here, *others in product((1, 4, 6), range(1, 10), range(1, 10), range(1, 10)):
        if len({here, *others}) < 4:
            continue
        for i in range(4):
            letters = LETTERS[i] + LETTERS.replace(LETTERS[i], "")
            cubes = dict(zip(letters, (here, *others), strict=True))
            for j, letter in enumerate(LETTERS):
                table.state.space[j] = cubes[letter]
            for steps in (0, 1, 2, 3, 5):
                assert landing(table.rules, table.state, i, steps) == walk(cubes, letters[0], steps)[letters[0]]


def test_r4_2_the_steps_are_an_option():
    steps = (0, 99, 2, 5, 1, 7, 40)
    for cards in range(1, 10):
        table = place(4, "play", each=20, hands=["R" * cards + "B", "B", "Y", "K"], table="BBYK", spaces="KYBR",
                      steps=steps)  # fmt: skip
        assert spaces(do(table, "R" * cards))["R"] == 4 + steps[min(cards, 7) - 1]


def test_r4_3_as_many_cards_are_taken_as_were_played():
    table = place(4, "play", hands=["KKKB", "RB", "YY", "K"], table="RRBY")
    do(table, "KK")
    assert phase(table) == "take"
    assert table.state.seat == 0
    assert options(table) == {"RR", "RB", "RY", "BY"}
    for cards in ("K", "KK", "R", "RRB", "RK", "BB", "YY", ""):
        assert refuses(table, cards)
    before = collected(table)[0]
    do(table, "RY")
    assert collected(table)[0] == ordered(before + "RY")


def test_r4_3_cards_just_played_cannot_be_taken_while_the_table_holds_enough():
    table = do(place(4, "play", hands=["RRB", "B", "Y", "K"], table="BYKK"), "RR")
    assert options(table) == {"BY", "BK", "YK", "KK"}
    table = do(place(4, "play", hands=["RRB", "B", "Y", "K"], table="RYKK"), "RR")
    assert options(table) == {"RY", "RK", "YK", "KK"}  # the red card that lay there may be, but one only


def test_r4_3_with_as_many_on_the_table_as_were_played_all_of_them_are_taken():
    table = do(place(4, "play", hands=["RRRRB", "B", "Y", "K"], table="BYKK"), "RRRR")
    assert options(table) == {"BYKK"}
    assert read(do(table, "BYKK").state.table) == "RRRR"


def test_r4_3_the_difference_is_taken_from_those_just_played():
    table = do(place(4, "play", hands=["RRRRRRB", "B", "Y", "K"], table="BYKK"), "RRRRRR")
    assert options(table) == {"RRBYKK"}
    before = collected(table)[0]
    for cards in ("RRRRRR", "BYKK", "RBYKK", "RRRYKK"):
        assert refuses(table, cards)
    do(table, "RRBYKK")
    assert collected(table)[0] == ordered(before + "RRBYKK")
    assert read(table.state.table) == "RRRR"


def test_r4_4_the_other_cards_just_played_join_the_table():
    table = do(place(4, "play", hands=["KKKB", "RB", "YY", "K"], table="RRBY"), "KKK", "RRY")
    assert read(table.state.table) == "BKKK"
    assert read(table.state.played) == ""


def test_r4_5_an_empty_hand_takes_one_more_card_and_the_biggest_tile_and_is_out():
    table = do(place(4, "play", hands=["KK", "RB", "YY", "K"], table="RRBY"), "KK", "RB")
    assert (phase(table), table.state.seat) == ("last", 0)
    assert options(table) == {"R", "Y", "K"}
    for cards in ("B", "KK", "RY", ""):
        assert refuses(table, cards)
    do(table, "Y")
    assert len(collected(table)[0]) == HAND[4]
    assert read(table.state.table) == "RKK"
    assert still_in(table) == [1, 2, 3]
    assert (phase(table), table.state.seat) == ("play", 1)


def test_r4_5_tiles_go_by_size_whatever_their_order_in_the_option():
    for values in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
        table = place(4, "play", hands=["K", "R", "Y", "B"], table="RBYK", tiles_4=values)
        table.state.seat = 2
        for _ in range(4):
            table.play_random(1, plies=3)
        tiles = {line[0]: line[3] for line in lines(table) if line[1] == "first_tile"}
        assert tiles == {2: 3, 3: 2, 0: 1}


def test_r4_5_one_more_card_is_not_taken_while_cards_are_left_in_hand():
    table = do(place(4, "play", hands=["KKB", "RB", "YY", "K"], table="RRBY"), "KK", "RB")
    assert (phase(table), table.state.seat) == ("play", 1)


@every_size
def test_r4_6_turns_go_clockwise_past_seats_that_are_out(n_seats):
    for seed in range(5):
        table, rng = new_table(n_seats, seed=seed), random.Random(seed)
        last = None
        while not table.over:
            seat, asked = int(table.state.seat), phase(table)
            if asked == "play" and last is not None:
                expected = (last + 1) % n_seats
                while expected not in still_in(table):
                    expected = (expected + 1) % n_seats
                assert seat == expected
            last = None if asked == "prepare" else seat
            table.play_random(rng, plies=1)


def test_r4_6_the_last_seat_that_is_in_plays_turn_after_turn():
    table = place(4, "play", seat=2, hands=["", "", "YYK", ""], table="R", out=[3, 1, 0])
    do(table, "Y", "R")
    assert (phase(table), table.state.seat) == ("play", 2)
    do(table, "Y", "Y")
    assert (phase(table), table.state.seat) == ("play", 2)


def test_r4_7_the_last_card_may_be_one_just_played():
    table = place(4, "play", hands=["KK", "RB", "YY", "K"], table="RRBY")
    do(table, "KK", "RR")
    assert options(table) == {"B", "Y", "K"}
    assert collected(do(table, "K"))[0].count("K") > 0
    assert read(table.state.table) == "BYK"


def test_r4_7_with_more_played_than_lay_there_the_last_card_is_one_of_them():
    table = do(place(4, "play", hands=["KKKKK", "RB", "YY", "R"], table="RRBY"), "KKKKK", "RRBYK")
    assert options(table) == {"K"}
    assert read(do(table, "K").state.table) == "KKK"


@every_size
def test_r4_8_the_table_holds_a_card_for_every_seat_still_in(n_seats):
    for seed in range(8):
        table, rng = new_table(n_seats, seed=seed), random.Random(seed)
        asked = Counter()
        while not table.over:
            if phase(table) == "play":
                assert len(read(table.state.table)) == len(still_in(table))
                asked[len(still_in(table))] += 1
            if (phase(table), table.state.round_number, len(still_in(table))) == ("prepare", 2, n_seats):
                assert read(table.state.table) == ""
            table.play_random(rng, plies=1)
        assert read(table.state.table) == ""
        assert [len(cards) for cards in collected(table)] == [HAND[n_seats]] * n_seats
        assert [len(cards) for cards in first(table)] == [HAND[n_seats]] * n_seats
        assert min(asked) == 1 or n_seats > 3


@every_size
def test_r4_8_the_last_seat_to_go_out_gets_no_tile(n_seats):
    table = new_table(n_seats, seed=9).play_random(9)
    for number in (1, 2):
        out = table.state.went_out[number - 1, :n_seats].tolist()
        assert sorted(out) == list(range(1, n_seats + 1))
        tiles = {line[0]: line[3] for line in lines(table) if line[4] == number and line[2] == "tile"}
        assert tiles == {seat: n_seats - went for seat, went in enumerate(out) if went < n_seats}


@every_size
def test_r4_9_decisions_with_one_answer_are_asked_too(n_seats):
    """Every turn asks what to play and what to take; every seat lays a card and takes a last card in each round."""
    for seed in range(4):
        table, rng = new_table(n_seats, seed=seed), random.Random(seed)
        asked, single = Counter(), Counter()
        while not table.over:
            asked[phase(table)] += 1
            single[phase(table)] += len(table.legal()) == 1
            table.play_random(rng, plies=1)
        assert asked["play"] == asked["take"] == table.state.turns.sum()
        assert asked["prepare"] == asked["last"] == 2 * n_seats
        assert single["take"] > 0
        assert single["last"] > 0
        assert single["play"] > 0


# --- R5 round 1 ----------------------------------------------------------------------------------------------------
def end_of_round_1(cards: list[str], n_seats: int = 4, out=(0, 1, 2), **more) -> Table:
    """Return a game of which round 1 has just ended: cards collected by each seat, seats that went out before."""
    (last,) = set(range(n_seats)) - set(out)
    n = 4 * more.get("each", 15) // n_seats
    whole = Counter("".join(cards))
    missing = "".join(letter * (more.get("each", 15) - whole[letter]) for letter in LETTERS)
    cards = [*cards, *[""] * (n_seats - len(cards))]
    if len(cards[last]) == n:
        card, cards[last] = cards[last][-1], cards[last][:-1]
    else:
        card = missing[-1]
    table = place(n_seats, "last", seat=last, table=card, collected=cards, out=out, **more)
    assert options(table) == {card}
    return do(table, card)


def test_r5_1_cards_score_3_2_1_0_by_the_place_of_their_cube():
    table = end_of_round_1(["R" * 5 + "B" * 4 + "Y" * 3 + "K" * 3], spaces="KYBR")
    assert [line for line in lines(table) if line[0] == 0] == [
        (0, "first_cards", "red", 15, 1, 5, 1),
        (0, "first_cards", "blue", 8, 1, 4, 2),
        (0, "first_cards", "yellow", 3, 1, 3, 3),
        (0, "first_cards", "black", 0, 1, 3, 4),
        (0, "first_tile", "tile", 3, 1, 0, 0),
    ]
    assert table.state.first_points[0] == table.points()[0] == 29


def test_r5_1_only_the_order_of_the_cubes_counts_not_how_far_apart_they_are():
    near = end_of_round_1(["RRRRRBBBBBYYYYY"], spaces="YKRB")
    far = end_of_round_1(["RRRRRBBBBBYYYYY"], spaces={"Y": 3, "K": 9, "R": 40, "B": 71})
    assert lines(near) == lines(far)


def test_r5_1_the_values_are_an_option_and_a_colour_nobody_has_has_no_line():
    table = end_of_round_1(["R" * 15, "B" * 15, "Y" * 15], spaces="KYBR", first_values=(0, 20, 7, 1))
    assert [line[:4] for line in lines(table)] == [
        (0, "first_cards", "red", 0),
        (0, "first_tile", "tile", 3),
        (1, "first_cards", "blue", 300),
        (1, "first_tile", "tile", 2),
        (2, "first_cards", "yellow", 105),
        (2, "first_tile", "tile", 1),
        (3, "first_cards", "black", 15),
    ]


def test_r5_1_nothing_is_scored_before_the_round_has_ended():
    table, rng = new_table(4, seed=3), random.Random(3)
    while table.state.round_number == 1:
        assert lines(table) == []
        assert table.points() == [0] * 4
        table.play_random(rng, plies=1)
    after = lines(table)
    while not table.over:
        assert lines(table) == after
        table.play_random(rng, plies=1)
    assert lines(table)[: len(after)] == after
    assert {line[4] for line in lines(table)[len(after) :]} == {2}


@every_size
def test_r5_2_the_collected_cards_are_the_hand_of_round_2(n_seats):
    table, rng = new_table(n_seats, seed=7), random.Random(7)
    while table.state.round_number == 1:
        before = table.copy()
        table.play_random(rng, plies=1)
    last = int(before.state.seat)
    kept = collected(before)
    kept[last] = ordered(kept[last] + read(before.state.table))
    assert hands(table) == kept == first(table)
    assert collected(table) == [""] * n_seats
    assert table.state.n_hand[:n_seats].tolist() == [HAND[n_seats]] * n_seats


def test_r5_3_the_printed_order_of_the_cubes_is_kept():
    """Blue, red, yellow, black from the first to the last."""
    table = end_of_round_1([], spaces={"B": 50, "R": 31, "Y": 30, "K": 7})
    assert spaces(table) == {"B": 4, "R": 3, "Y": 2, "K": 1}
    assert table.state.first_space.tolist() == [31, 50, 30, 7]


@pytest.mark.parametrize("order", list(permutations(LETTERS)))
def test_r5_3_the_cubes_return_to_the_circles_in_their_order(order):
    table = end_of_round_1([], spaces={letter: 10 + 9 * i for i, letter in enumerate(order)})
    assert spaces(table) == {letter: 1 + i for i, letter in enumerate(order)}


def test_r5_3_of_cubes_on_the_last_space_the_first_to_arrive_is_ahead():
    table = place(4, "last", seat=3, table="R", out=[0, 1, 2], track=30)
    for letter in "YRK":
        i = LETTERS.index(letter)
        table.state.space[i] = landing(table.rules, table.state, i, 40)
    assert spaces(do(table, "R")) == {"Y": 4, "R": 3, "K": 2, "B": 1}


@every_size
def test_r5_3_the_tiles_are_there_again_in_round_2(n_seats):
    table = new_table(n_seats, seed=8).play_random(8)
    tiles = {number: [line[3] for line in lines(table) if line[4] == number and line[2] == "tile"] for number in (1, 2)}
    assert sorted(tiles[1]) == sorted(tiles[2]) == list(TILES[n_seats])


def test_r5_4_the_highest_score_of_round_1_starts_round_2():
    """Seats in order, so that seat 0 lays first all the same."""
    for richest in range(4):
        cards = [""] * 4
        cards[richest] = "R" * 15
        table = end_of_round_1(cards, spaces="KYBR")
        assert table.state.first_points.argmax() == richest
        assert (phase(table), table.state.seat, table.state.starter) == ("prepare", 0, richest)
        table.play_random(1, 4)
        assert (phase(table), table.state.seat) == ("play", richest)


def test_r5_4_the_tile_counts():
    """The cards of seat 2 are worth one point more than those of seat 0, its tile two less."""
    cards = ["R" * 8 + "K" * 7, "B" * 8 + "Y" * 4 + "K" * 3, "R" * 7 + "Y" * 4 + "K" * 4]
    table = end_of_round_1(cards, spaces="KYBR", out=(0, 1, 2))
    assert [points_of(table, seat, "first_cards") for seat in range(4)] == [24, 20, 25, 21]
    assert table.state.first_points[:4].tolist() == [27, 22, 26, 21]
    assert table.state.starter == 0


def tied(out: tuple[int, ...]) -> Table:
    """Return the start of round 2 where seats 1 and 2 have 34 points each, tiles as they went out, others fewer."""
    cards = ["", "", "", ""]
    for seat in (1, 2):
        points = 34 - dict(zip(out, (3, 2, 1), strict=True)).get(seat, 0)
        yellows = points - 7 * 3 - 5 * 2
        cards[seat] = "R" * 7 + "B" * 5 + "Y" * yellows + "K" * (3 - yellows)
    return end_of_round_1(cards, out=out, spaces="KYBR")


@pytest.mark.parametrize(
    ("out", "starter"),
    [((1, 2, 0), 2), ((2, 1, 0), 1), ((0, 1, 2), 2), ((2, 0, 1), 1), ((1, 0, 3), 2), ((2, 0, 3), 1), ((0, 3, 1), 2)],
)
def test_r5_4_of_equal_scores_the_smaller_tile_starts_and_none_is_the_smallest(out, starter):
    table = tied(out)
    points = table.state.first_points[:4].tolist()
    assert points[1] == points[2] == max(points) > max(points[0], points[3])
    assert table.state.starter == starter


@pytest.mark.parametrize("out", [(1, 2, 0), (2, 1, 0), (0, 1, 2), (1, 3, 2)])
def test_r5_5_with_tiles_of_equal_value_the_lower_seat_starts(out):
    table = end_of_round_1(["", "R" * 7 + "B" * 7 + "Y", "R" * 7 + "B" * 7 + "Y"], out=out, spaces="KYBR",
                           tiles_4=(2, 2, 2))  # fmt: skip
    points = table.state.first_points[:4].tolist()
    assert points[1] == points[2] == max(points)
    assert table.state.starter == 1


def test_r5_5_a_tile_worth_nothing_is_as_small_as_none():
    table = end_of_round_1(["", "R" * 7 + "B" * 7 + "Y", "R" * 7 + "B" * 7 + "Y"], out=(0, 3, 2), spaces="KYBR",
                           tiles_4=(2, 1, 0))  # fmt: skip
    assert table.state.first_points[1] == table.state.first_points[2]
    assert table.state.starter == 1


# --- R6 round 2 and the end ----------------------------------------------------------------------------------------
def end_of_round_2(cards: list[str], n_seats: int = 4, out=(0, 1, 2), **more) -> Table:
    """Return a game that has just ended: cards collected by each seat in round 2, seats that went out before."""
    (last,) = set(range(n_seats)) - set(out)
    each = more.pop("each", 15)
    whole = Counter("".join(cards))
    missing = "".join(letter * (each - whole[letter]) for letter in LETTERS)
    card = missing[-1]
    table = place(n_seats, "last", each=each, seat=last, table=card, collected=cards, out=out, round_number=2, **more)
    do(table, card)
    assert table.over
    return table


def test_r6_1_cards_score_4_3_2_1_by_the_place_of_their_cube():
    table = end_of_round_2(["R" * 3 + "B" * 5 + "Y" * 3 + "K" * 4], spaces="YKBR"[::-1])
    assert [line for line in lines(table) if line[0] == 0 and line[4] == 2] == [
        (0, "second_cards", "red", 3, 2, 3, 4),
        (0, "second_penalty", "blue", -10, 2, 5, 3),
        (0, "second_cards", "yellow", 12, 2, 3, 1),
        (0, "second_cards", "black", 12, 2, 4, 2),
        (0, "second_tile", "tile", 3, 2, 0, 0),
    ]


def test_r6_1_the_values_are_an_option():
    table = end_of_round_2(["R" * 3 + "B" * 5 + "Y" * 3 + "K" * 4], spaces="RBKY", second_values=(0, 11, 20, 6))
    assert [line[3] for line in lines(table) if line[0] == 0 and line[4] == 2] == [18, -100, 0, 44, 3]


SHEET = ["K" * 6 + "R" * 3 + "Y" + "B" * 5, "R" * 4 + "B" * 4 + "K" * 3 + "Y" * 4]  # the printed examples


def test_r6_2_the_most_frequent_colour_counts_negative():
    table = end_of_round_2(SHEET, spaces="BYRK")
    assert [line[1:4] for line in lines(table) if line[:2] == (0, "second_penalty")] == [
        ("second_penalty", "black", -24)
    ]


def test_r6_2_of_several_the_one_whose_cube_is_furthest_ahead_does():
    """Four red, blue and yellow cards each, in all orders of the cubes."""
    for order in permutations(LETTERS):
        table = end_of_round_2(["", SHEET[1]], spaces="".join(order))
        (line,) = (line for line in lines(table) if line[:2] == (1, "second_penalty"))
        ahead = next(letter for letter in order[::-1] if letter != "K")
        assert line[2] == NAME[ahead]
        assert line[5] == 4


def test_r6_2_a_colour_of_the_last_cube_can_be_negative_too():
    table = end_of_round_2(["K" * 9 + "R" * 2 + "B" * 2 + "Y" * 2], spaces="KYBR")
    assert points_of(table, 0, "second_penalty") == -9
    assert points_of(table, 0, "second_cards") == 2 * (4 + 3 + 2)


def test_r6_2_a_seat_with_one_colour_only_loses_all_its_points():
    table = end_of_round_2(["R" * 15], spaces="KYBR")
    assert [line[1:4] for line in lines(table) if line[0] == 0 and line[4] == 2] == [
        ("second_penalty", "red", -60),
        ("second_tile", "tile", 3),
    ]


def test_r6_2_without_the_penalty_nothing_is_negative():
    table = end_of_round_2(SHEET, spaces="BYRK", penalty="none")
    assert points_of(table, 0, "second_cards") == 24 + 9 + 2 + 5
    assert points_of(table, 1, "second_cards") == 12 + 12 + 8 + 4
    assert "second_penalty" not in {line[1] for line in lines(table)}
    with_penalty = end_of_round_2(SHEET, spaces="BYRK")
    shown = [(line[0], line[2], abs(line[3]), *line[4:]) for line in lines(with_penalty)]
    assert shown == [(line[0], line[2], *line[3:]) for line in lines(table)]


def test_r6_2_in_round_1_nothing_is_negative():
    table = end_of_round_1(["R" * 15], spaces="KYBR")
    assert points_of(table, 0, "first_cards") == 45


def test_r6_3_the_printed_examples_make_minus_8_and_12():
    table = end_of_round_2(SHEET, spaces="BYRK")
    assert [points_of(table, seat, "second_cards", "second_penalty") for seat in (0, 1)] == [-8, 12]
    assert [line[3] for line in lines(table) if line[0] == 0 and line[4] == 2] == [9, 5, 2, -24, 3]
    assert [line[3] for line in lines(table) if line[0] == 1 and line[4] == 2] == [-12, 4, 8, 12, 2]


def test_r6_3_the_reference_agrees():
    places = {"black": 1, "red": 2, "yellow": 3, "blue": 4}
    for sheet, points in zip(SHEET, (-8, 12), strict=True):
        assert reference.score_second({NAME[letter]: sheet.count(letter) for letter in LETTERS}, places) == points


def test_r6_4_most_points_of_both_rounds_win():
    """In logged games: all ranks follow from the points of both rounds and the tile of round 2."""
    run = simulate(GAME, ["random"] * 3, games=300, seed=2)
    shared = 0
    seats = run.seats.collect().partition_by("game", as_dict=True)
    points = Counter()
    for game, seat, item in run.scores.select("game", "seat", "points").collect().rows():
        points[game, seat] += item
    for (game,), rows in seats.items():
        standing = {row["seat"]: (points[game, row["seat"]], row["tile_2"]) for row in rows.to_dicts()}
        best = max(standing.values())
        shared += [total for total, _ in standing.values()].count(best[0]) > 1
        for row in rows.to_dicts():
            assert row["points"] == standing[row["seat"]][0]
            assert row["win_share"] == (standing[row["seat"]] == best)
            assert row["rank"] == 1 + sum(other > standing[row["seat"]] for other in standing.values())
    assert shared > 3  # so the tie-break was needed


@every_size
def test_r6_4_the_tie_is_broken_by_the_tile_of_round_2_and_not_of_round_1(n_seats):
    table = new_table(n_seats, seed=12).play_random(12)
    _, ties = table.tally()
    for seat in range(n_seats):
        assert ties[seat, 0] == points_of(table, seat, "second_tile")
    assert ties[:, 1:].sum() == 0
    assert [points_of(table, s, "first_tile") for s in range(n_seats)] != ties[:n_seats, 0].tolist()


def test_r6_4_before_the_end_there_is_no_tile_of_round_2():
    table, rng = new_table(3, seed=1), random.Random(1)
    while not table.over:
        assert table.tally()[1].sum() == 0
        table.play_random(rng, plies=1)
    assert table.tally()[1][:, 0].tolist() != [0, 0, 0]
    assert get_game(GAME).ties == ("tile_2",)


def test_r6_5_with_tiles_of_equal_value_a_win_may_be_shared():
    """Small hands and tiles worth nothing make ties frequent; without the penalty as well as with it."""
    said = {"cards_per_colour": (6, 4, 5), "tiles_4": (0, 0, 0)}
    run = simulate(GAME, ["random"] * 4, games=400, seed=3, options=said)
    seats = run.seats.collect()
    shared = 0
    for rows in seats.partition_by("game"):
        best = rows["points"].max()
        n = int((rows["points"] == best).sum())
        shared += n > 1
        assert rows["win_share"].to_list() == [1 / n if points == best else 0 for points in rows["points"]]
    assert shared > 10


def test_r6_5_with_the_printed_tiles_no_win_is_shared():
    """Of the seats with most points no two have the same tile: only one has none."""
    run = simulate(GAME, ["random"] * 4, games=400, seed=3, options={"cards_per_colour": (6, 4, 5)})
    assert set(run.seats.collect()["win_share"]) == {0.0, 1.0}


def test_the_game_ends_after_round_2():
    table = end_of_round_2([], spaces="KYBR")
    assert table.state.seat == OVER
    assert table.legal() == []
    for move in (0, 1, code("R"), code("RB"), -1, 2**40):
        before = table.bytes()
        assert not table.apply(move)
        assert table.bytes() == before


# --- R7 who knows what ---------------------------------------------------------------------------------------------
def seen(view, name: str) -> list:
    """Return a field of a view, seat by seat: sets of cards as words, or None where it is hidden."""
    return [None if cards == HIDDEN else read(cards) for cards in view[name]]


def test_r7_1_hands_of_others_are_hidden_in_round_1():
    table = place(4, "play", seat=1, hands=["KK", "RB", "YY", ""], table="RBY", out=[3])
    assert seen(table.view(1), "hand")[:4] == [None, "RB", None, ""]
    assert seen(table.view(0), "hand")[:4] == ["KK", None, None, ""]
    assert table.view(1).n_hand[:4].tolist() == [2, 2, 2, 0]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("memory", ["perfect", "table"])
def test_r7_1_cards_laid_are_hidden_from_others_until_all_are_turned_up(number, memory):
    table, rng = new_table(4, seed=3, memory=memory), random.Random(3)
    while table.state.round_number < number:
        table.play_random(rng, plies=1)
    chosen = []
    for seat in range(4):
        assert phase(table) == "prepare"
        for other in range(4):
            expected = ["" if s >= seat else chosen[s] if s == other else None for s in range(4)]
            assert seen(table.view(other), "laid")[:4] == expected
        chosen.append(read(table.legal()[0]))
        do(table, chosen[-1])
    for seat in range(4):
        assert seen(table.view(seat), "laid")[:4] == [""] * 4
        assert read(table.view(seat).table) == ordered(chosen)


def test_r7_2_collections_are_known():
    table = place(4, "play", seat=1, hands=["KK", "RB", "YY", ""], table="RBY", out=[3])
    for seat in range(4):
        assert seen(table.view(seat), "collected")[:4] == collected(table)


def test_r7_2_hands_are_known_in_round_2():
    table = place(4, "play", seat=1, hands=["KK", "RB", "YY", ""], table="RBY", out=[3], round_number=2)
    for seat in range(4):
        assert table.view(seat).tobytes() == table.bytes()


def test_r7_2_a_hand_of_round_2_is_known_but_for_the_card_laid_from_it():
    table = end_of_round_1([], spaces="KYBR")
    dealt = hands(table)
    do(table, dealt[0][0], dealt[1][-1])
    view = table.view(2)
    assert seen(view, "hand")[:4] == [None, None, dealt[2], dealt[3]]
    assert seen(view, "laid")[:4] == [None, None, "", ""]
    assert seen(view, "first")[:4] == dealt
    guess = table.redealt(view, 1)
    assert [ordered(a + b) for a, b in zip(hands(guess), laid(guess), strict=True)] == dealt


def test_r7_2_with_two_seats_left_in_round_1_each_knows_the_hand_of_the_other():
    table = place(4, "play", seat=1, hands=["RRK", "BYKK", "", ""], table="RB", out=[3, 2])
    for seat in (0, 1):
        for seed in range(10):
            assert table.redealt(table.view(seat), seed).bytes() == table.bytes()


def test_r7_3_with_table_memory_only_what_lies_open_is_known():
    table = place(4, "play", seat=1, hands=["KK", "RB", "YY", ""], table="RBY", out=[3], memory="table")
    for seat in range(4):
        view = table.view(seat)
        assert seen(view, "collected")[:4] == [cards if s == seat else None for s, cards in enumerate(collected(table))]
        assert read(view.table) == "RBY"
        for name in ("n_hand", "n_collected", "went_out", "space"):
            assert (view[name] == table.state[name]).all()


def test_r7_3_with_table_memory_hands_of_round_2_are_forgotten_and_points_are_not():
    table = place(4, "play", seat=1, hands=["KK", "RB", "YY", ""], table="RBY", out=[3], round_number=2, memory="table")
    for seat in range(4):
        view = table.view(seat)
        for name, true in (("first", first(table)), ("collected", collected(table))):
            assert seen(view, name)[:4] == [cards if s == seat else None for s, cards in enumerate(true)], name
        assert seen(view, "hand")[:4] == [
            cards if s == seat or not cards else None for s, cards in enumerate(hands(table))
        ]
        assert (view.first_points == table.state.first_points).all()
        assert (view.first_space == table.state.first_space).all()
        assert view.starter == table.state.starter


def test_r7_4_a_guess_deals_unseen_cards_evenly():
    """Three unseen black and three red cards in two hands of three: 0 to 3 are black in 1, 9, 9, 1 of 20 ways."""
    table = place(4, "play", seat=0, hands=["BB", "RRR", "KKK", ""], table="RBY", out=[3])
    view, n = table.view(0), 4000
    blacks = Counter(hands(table.redealt(view, seed))[1].count("K") for seed in range(n))
    expected = {0: n / 20, 1: 9 * n / 20, 2: 9 * n / 20, 3: n / 20}
    value = sum((blacks[k] - e) ** 2 / e for k, e in expected.items())
    assert value < 3 + 5 * np.sqrt(6)


@every_size
def test_r7_4_guessed_hands_of_round_2_score_in_round_1_what_they_did(n_seats):
    """With table memory; at the start of round 2 and later on."""
    for seed in range(6):
        table, rng = new_table(n_seats, seed=seed, memory="table"), random.Random(seed)
        while table.state.round_number == 1:
            table.play_random(rng, plies=1)
        for _ in range(6):
            if table.over:
                break
            seat = int(table.state.seat)
            worth = dict(zip(from_first(table.state.first_space), (3, 2, 1, 0), strict=True))
            guess = table.redealt(table.view(seat), seed)
            for other, cards in enumerate(first(guess)):
                tile = n_seats - int(table.state.went_out[0, other])
                assert sum(worth[letter] for letter in cards) + tile == table.state.first_points[other]
            table.play_random(rng, plies=7)


# --- in words ------------------------------------------------------------------------------------------------------
def test_moves_and_positions_in_words():
    table = place(4, "play", seat=1, hands=["KK", "RRB", "YY", ""], table="RBY", out=[3],
                  spaces={"R": 7, "B": 12, "Y": 3, "K": 30})  # fmt: skip
    view, rules = table.game.module("view"), table.rules.reshape(1)

    def said(move: str) -> str:
        return view.describe_move(rules, table.state.reshape(1), code(move))

    assert said("RR") == "plays 2 red"
    text = "\n".join(view.position_text(rules, table.state.reshape(1)))
    assert "black 30, blue 12, red 7, yellow 3" in text
    assert "on the table: 1 red, 1 blue, 1 yellow" in text
    assert "hand 2 red, 1 blue" in text
    assert "tile 3" in text
    do(table, "RR")
    assert said("RB") == "takes 1 red, 1 blue"
    assert "just played: 2 red" in "\n".join(view.position_text(rules, table.state.reshape(1)))


def test_a_new_game_is_at_its_beginning():
    state = new_table(5).state
    assert state.starter == NONE
    assert state.turns.tolist() == [0, 0]
    assert not state.went_out.any()
    assert not state.first_points.any()
