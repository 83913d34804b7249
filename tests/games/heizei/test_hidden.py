"""What a seat of Heizei cannot know, changed: neither its view nor any player's choice moves; and what it guesses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import permutations

import numpy as np
import pytest

from meeplecarlo.games.heizei.state import HIDDEN
from tests.games.heizei.by_hand import (
    LETTERS,
    SIZES,
    code,
    collected,
    do,
    first,
    from_first,
    hands,
    laid,
    minus,
    new_table,
    options,
    ordered,
    phase,
    place,
    read,
    start,
    where,
    with_cards,
)
from tests.table import Table

every_size = pytest.mark.parametrize("n_seats", SIZES)
memories = pytest.mark.parametrize("memory", ["perfect", "table"])


def hidden_fields(table: Table, seat: int) -> dict[str, list[int]]:
    """Return which seats' cards `seat` cannot know, by field; written from R7."""
    state, others = table.state, [other for other in range(table.n_seats) if other != seat]
    forgetful = not table.rules.remembered
    if state.round_number == 1 or forgetful:
        secret_hands = others
    else:
        secret_hands = [other for other in others if state.laid[other]]
    return {
        "hand": [other for other in secret_hands if state.hand[other]],
        "laid": [other for other in others if state.laid[other]],
        "collected": [other for other in others if forgetful and state.collected[other]],
        "first": [other for other in others if forgetful and state.first[other]],
    }


def scramble(table: Table, seat: int, rng: random.Random) -> Table:
    """Return a position with all that `seat` cannot know changed, where it can be."""
    twin, hidden = table.copy(), hidden_fields(table, seat)
    state = twin.state
    if state.round_number == 2 and table.rules.remembered:
        for other in hidden["laid"]:
            cards = read(state.hand[other]) + read(state.laid[other])
            lies = rng.choice(cards)
            state.laid[other], state.hand[other] = code(lies), code(cards.replace(lies, "", 1))
        return twin
    for pool in (("hand", "laid", "collected"), ("first",)):
        places = [(name, other) for name in pool for other in hidden[name]]
        cards = [card for name, other in places for card in read(state[name][other])]
        rng.shuffle(cards)
        for name, other in places:
            n = len(read(table.state[name][other]))
            state[name][other] = code("".join(cards[:n]))
            cards = cards[n:]
    return twin


@every_size
@memories
def test_views_do_not_change_with_what_is_hidden(n_seats, memory):
    rng, changed = random.Random(n_seats), Counter()
    for seed in range(2):
        table = new_table(n_seats, seed=seed, memory=memory)
        while not table.over:
            for seat in range(n_seats):
                other = scramble(table, seat, rng)
                assert other.view(seat).tobytes() == table.view(seat).tobytes()
                for name in ("hand", "laid", "collected", "first"):
                    changed[int(table.state.round_number), name] += (other.state[name] != table.state[name]).any()
            table.play_random(rng, plies=1 if phase(table) == "prepare" else 3)
    assert changed[1, "hand"] > 20
    assert changed[1, "laid"] > 2
    assert changed[2, "laid"] > 2
    assert (changed[2, "hand"] > changed[2, "laid"]) == (memory == "table")
    for number, name in ((1, "collected"), (2, "collected"), (2, "first")):
        assert (changed[number, name] > 20) == (memory == "table")


@every_size
@memories
def test_a_view_hides_just_that(n_seats, memory):
    table, rng = new_table(n_seats, seed=3, memory=memory), random.Random(3)
    while True:
        for seat in range(n_seats):
            view, hidden = table.view(seat), hidden_fields(table, seat)
            for name in table.dtype.names:
                shown, true = np.asarray(view[name]), np.asarray(table.state[name])
                is_hidden = np.zeros(true.shape, bool)
                if name in hidden:
                    is_hidden[hidden[name]] = True
                assert (shown == np.where(is_hidden, HIDDEN, true)).all(), name
        if table.over:
            return
        table.play_random(rng, plies=1)


@memories
def test_views_do_change_with_what_is_known(memory):
    """The tests above can fail: a change of anything open, or of the own cards, is seen."""
    table = new_table(4, seed=3, memory=memory).play_random(5, 90)
    assert (table.state.round_number, phase(table)) != (2, "prepare")
    view = table.view(0).tobytes()
    for name, at in (
        ("hand", 0), ("collected", 0), ("first", 0), ("n_hand", 1), ("n_collected", 1), ("space", 2),
        ("first_space", 2), ("went_out", (0, 1)), ("turns", 0), ("table", ()), ("played", ()), ("starter", ()),
        ("n_out", ()), ("first_points", 2),
    ):  # fmt: skip
        twin = table.copy()
        if at == ():
            twin.state[name] += 1
        else:
            twin.state[name][at] += 1
        assert twin.view(0).tobytes() != view, name


@every_size
@memories
def test_choices_do_not_change_with_what_is_hidden(n_seats, memory):
    rng, asked = random.Random(n_seats), 0
    for seed in range(2):
        table = new_table(n_seats, seed=seed, memory=memory)
        names = list(table.game.players)
        while not table.over:
            if len(table.legal()) > 1:
                other = scramble(table, int(table.state.seat), rng)
                for name in rng.sample(names, min(len(names), 3)):
                    assert other.choice(name, seed=7) == table.choice(name, seed=7), name
                    asked += 1
            table.play(table.legal()[table.choice(rng.choice(names), seed=rng.randrange(2**32))])
    assert asked > 40


@every_size
def test_moves_of_a_view_are_those_of_the_position(n_seats):
    """What may be done depends on nothing hidden."""
    table, rng = new_table(n_seats, seed=4, memory="table"), random.Random(4)
    while not table.over:
        assert table.at(table.view()).legal() == table.legal()
        table.play_random(rng, plies=1)


# --- guesses -------------------------------------------------------------------------------------------------------
def check_guess(table: Table, seat: int, guess: Table) -> None:
    """A guess shows the seat what it sees, and is a position that can have come about."""
    n, state, hidden = table.n_seats, guess.state, hidden_fields(table, seat)
    assert guess.view(seat).tobytes() == table.view(seat).tobytes()
    assert where(guess) == where(table)
    for name in ("hand", "laid", "collected", "first"):
        assert [len(read(cards)) for cards in state[name]] == [len(read(cards)) for cards in table.state[name]]
        assert state[name].min() >= 0
        assert all(state[name][s] == table.state[name][s] for s in range(n) if s not in hidden[name])
    if state.round_number == 2:
        assert sum(map(Counter, first(guess)), Counter()) == where(table)
        used = Counter()
        for hand, card, cards in zip(hands(guess), laid(guess), first(guess), strict=True):
            used.update(minus(cards, hand + card))  # fails if the hand cannot be what is left of the cards
        assert used == Counter(read(state.table) + read(state.played) + "".join(collected(guess)))


@every_size
@memories
def test_guesses_agree_with_everything_seen(n_seats, memory):
    for seed in range(2):
        table, rng = new_table(n_seats, seed=seed, memory=memory), random.Random(seed)
        while not table.over:
            for seat in range(n_seats):
                check_guess(table, seat, table.redealt(table.view(seat), seed=seed))
            table.play_random(rng, plies=1 + rng.randrange(7))
        for seat in range(n_seats):
            check_guess(table, seat, table.redealt(table.view(seat), seed=seed))


@every_size
@memories
def test_guesses_play_on_to_the_end(n_seats, memory):
    table, rng = new_table(n_seats, seed=5, memory=memory), random.Random(5)
    while not table.over:
        guess = table.redealt(table.view(), seed=1)
        assert options(guess) == options(table)
        guess.play_random(rng)
        assert where(guess) == where(table)
        assert [len(cards) for cards in collected(guess)] == [int(table.rules.hand_size)] * n_seats
        table.play_random(rng, plies=6)


@every_size
def test_with_perfect_memory_only_a_preparation_of_round_2_hides_anything(n_seats):
    table, rng = new_table(n_seats, seed=6), random.Random(6)
    while table.state.round_number == 1 or phase(table) == "prepare":
        table.play_random(rng, plies=1)
    while not table.over:
        for seat in range(n_seats):
            assert table.view(seat).tobytes() == table.bytes()
            assert table.redealt(table.view(seat), seed=1).bytes() == table.bytes()
        table.play_random(rng, plies=1)


@every_size
def test_the_last_hidden_hand_of_round_1_is_guessed_exactly(n_seats):
    found = 0
    for seed in range(10):
        table, rng = new_table(n_seats, seed=seed), random.Random(seed)
        while table.state.round_number == 1:
            for seat in range(n_seats):
                if len(hidden_fields(table, seat)["hand"]) == 1 and phase(table) != "prepare":
                    assert table.redealt(table.view(seat), seed=seed).bytes() == table.bytes()
                    found += 1
            table.play_random(rng, plies=1)
    assert found > 20


def test_guesses_differ_and_one_seed_gives_one_guess():
    table = new_table(4)
    view = table.view(0)
    assert len({table.redealt(view, seed).bytes() for seed in range(50)}) == 50
    assert table.redealt(view, 3).bytes() == table.redealt(view, 3).bytes()


def assert_shares(counts: Counter, weights: Counter) -> None:
    """Check that exactly the possible cases occur, as often as their weights say."""
    assert set(counts) == set(weights)
    n, whole = counts.total(), weights.total()
    value = sum((counts[case] - n * w / whole) ** 2 / (n * w / whole) for case, w in weights.items())
    free = len(weights) - 1
    assert free == 0 or -5 < (value - free) / np.sqrt(2 * free) < 5


def arrangements(cards: str, sizes: Iterable[int]) -> Counter:
    """Count the ways to put cards into places of these sizes, each card being one of its own."""
    ways = Counter()
    for order in permutations(cards):
        case, i = [], 0
        for size in sizes:
            case.append(ordered(order[i : i + size]))
            i += size
        ways[tuple(case)] += 1
    return ways


def test_all_hands_are_equally_likely_in_round_1():
    """Two, three and two unseen cards in three hands."""
    table = place(4, "play", seat=2, hands=["RB", "YYK", "BBB", "RR"], table="RBYK")
    view = table.view(2)
    counts = Counter()
    for seed in range(4000):
        guess = hands(table.redealt(view, seed))
        counts[guess[0], guess[1], guess[3]] += 1
    assert_shares(counts, arrangements("RBYYKRR", (2, 3, 2)))


def test_all_cards_laid_are_equally_likely_in_a_preparation_of_round_1():
    """Seat 3 sees nothing of the others: of its 12 unseen cards each is laid first as often as any other."""
    table = do(start("RBYK", "RRBK", "BBBY", "RRYY", "YKKK"), "R", "B")
    view = table.view(3)
    pairs, counts = Counter(), Counter()
    unseen = "".join(hands(table)[:3] + laid(table))
    for a, b in permutations(unseen, 2):
        pairs[a, b] += 1
    for seed in range(4000):
        guess = table.redealt(view, seed)
        counts[laid(guess)[0], laid(guess)[1]] += 1
    assert_shares(counts, pairs)


def test_any_card_of_a_known_hand_is_equally_likely_to_be_laid_in_round_2():
    table, rng = with_cards(4, 4), random.Random(2)
    while table.state.round_number == 1:
        table.play_random(rng, plies=1)
    table.play_random(rng, plies=2)
    whole = first(table)
    counts = Counter()
    for seed in range(2000):
        guess = table.redealt(table.view(3), seed)
        counts[tuple(laid(guess)[:2])] += 1
        assert hands(guess)[2:] == whole[2:]
        assert [ordered(h + c) for h, c in zip(hands(guess), laid(guess), strict=True)] == whole
    ways = Counter((a, b) for a in whole[0] for b in whole[1])
    assert len(ways) > 3
    assert_shares(counts, ways)
    seen_by_one_of_them = {laid(table.redealt(table.view(0), seed))[0] for seed in range(40)}
    assert seen_by_one_of_them == {laid(table)[0]}


def test_with_table_memory_hands_and_collections_of_round_1_are_dealt_evenly():
    """Hands of one and two cards, collections of two and one, as four cards of each colour leave room for."""
    table = place(4, "play", each=4, seat=3, hands=["R", "BY", "", "KK"], table="RBY", out=[2], memory="table",
                  collected=["", "", "YYKK"])  # fmt: skip
    view = table.view(3)
    assert [len(cards) for cards in collected(table)] == [2, 1, 4, 1]
    counts, ways = Counter(), Counter()
    unseen = "".join([*hands(table)[:3], *collected(table)[:3]])
    for seed in range(4000):
        guess = table.redealt(view, seed)
        counts[hands(guess)[0], collected(guess)[1], ordered(hands(guess)[1])] += 1
    for a, b, c, d in permutations(range(len(unseen)), 4):
        ways[unseen[a], unseen[b], ordered(unseen[c] + unseen[d])] += 1
    assert_shares(counts, ways)


def in_round_2(table: str = "RBYK", **more) -> Table:
    """Return a game of small hands in the middle of round 2, in which round 1 scored nothing, with table memory."""
    return place(4, "play", each=4, seat=0, table=table, round_number=2, memory="table", first_values=(0, 0, 0, 0),
                 tiles_4=(0, 0, 0), **more)  # fmt: skip


def test_with_table_memory_hands_of_round_2_are_dealt_evenly():
    """Seat 0 has played nothing: any card not seen may be in any hand, collected by anybody, or laid by anybody.

    What every seat had at the beginning is its hand and part of what lies on the table or was collected.
    """
    table = in_round_2(hands=["RBY", "KK", "RB", "RYK"], first=["K", "RB", "YY", "B"])
    assert [len(cards) for cards in collected(table)] == [0, 1, 1, 0]
    view, unseen = table.view(0), "KKRBRYK" + "".join(collected(table))
    held, taken, played = Counter(), Counter(), Counter()
    for seed in range(4000):
        guess = table.redealt(view, seed)
        if seed < 100:
            check_guess(table, 0, guess)
        held[hands(guess)[1]] += 1
        taken[collected(guess)[1], collected(guess)[2]] += 1
        played[ordered(minus(first(guess)[3], hands(guess)[3]))] += 1
    assert_shares(held, Counter(ordered(pair) for pair in permutations(unseen, 2)))
    assert_shares(taken, Counter(permutations(unseen, 2)))
    assert set(played) == set(LETTERS)  # the card seat 3 laid: on the table or collected by now


def test_with_table_memory_cards_given_away_are_with_those_who_took_them():
    """Seat 0 has laid or played a red card and sees none on the table, so it is one of three cards others have taken.

    The other two are any of the cards that seat 0 does not see.
    """
    table = in_round_2(hands=["K", "KK", "Y", "RYK"], table="BBYY", collected=["BB", "R", "RR"],
                       first=["RBY", "RR", "BBB", "Y"])  # fmt: skip
    view, taken = table.view(0), Counter()
    for seed in range(3000):
        guess = table.redealt(view, seed)
        if seed < 100:
            check_guess(table, 0, guess)
        taken[ordered("".join(collected(guess)[1:]))] += 1
    assert_shares(taken, Counter(ordered(("R", a, b)) for a, b in permutations("KKYRYKRR", 2)))


@every_size
def test_with_table_memory_guesses_of_round_2_are_many(n_seats):
    table, rng = new_table(n_seats, seed=2, memory="table"), random.Random(2)
    while table.state.round_number == 1:
        table.play_random(rng, plies=1)
    table.play_random(rng, plies=3 * n_seats)
    view = table.view(0)
    assert len({table.redealt(view, seed).bytes() for seed in range(60)}) > 40


def points_of_guess(table: Table, guess: Table) -> list[int]:
    """Return what the guessed cards of round 1 score, with the tile."""
    values = dict(zip(from_first(table.state.first_space), table.rules.values[0].tolist(), strict=True))
    out = table.state.went_out[0, : table.n_seats]
    return [
        sum(values[letter] for letter in cards) + int(table.rules.tiles[went])
        for cards, went in zip(first(guess), out, strict=True)
    ]


def fits(table: Table, seat: int, seed: int) -> bool:
    """Return whether what a seat guesses scores in round 1 what it did."""
    guess = table.redealt(table.view(seat), seed)
    return points_of_guess(table, guess) == table.state.first_points[: table.n_seats].tolist()


@every_size
def test_with_table_memory_guessed_hands_score_what_round_1_did(n_seats):
    """All along round 2, for every seat; but for one guess in a thousand or so, see the next test."""
    found = Counter()
    for seed in range(6):
        table, rng = new_table(n_seats, seed=seed, memory="table"), random.Random(seed)
        while table.state.round_number == 1:
            table.play_random(rng, plies=1)
        while not table.over:
            for seat in range(n_seats):
                found[fits(table, seat, seed)] += 1
            table.play_random(rng, plies=5)
    assert found[True] > 150
    assert found[False] <= 1


def nearly_all_in_one_hand() -> Table:
    """Return a position where seat 2 scored 37, with yellow worth 3, blue 2 and black 1; seat 3 has to guess it."""
    return place(
        4, "play", seat=2, hands=["R", "", "RBBBYY", "YYY"], table="RBK", out=[1], round_number=2, memory="table",
        first=["RRRRBBBBYKKKKK", "RRRRRBBBBYKKKKK", "RBYYYYYYY", "RRRBBBYKKKKK"], first_spaces="RKBY",
        first_out=[0, 2, 3, 1],
    )  # fmt: skip


def test_with_table_memory_most_points_fit_even_where_nearly_all_hidden_cards_are_in_one_hand():
    table = nearly_all_in_one_hand()
    assert table.state.first_points[:4].tolist() == [19, 16, 37, 24]
    for seed in range(100):
        check_guess(table, 3, table.redealt(table.view(3), seed))
    assert sum(fits(table, 3, seed) for seed in range(100)) > 50


@pytest.mark.xfail(
    strict=True,
    reason="cards in hand are exchanged for cards in hand and played ones for played ones, but none in hand for a "
    "played one: where one seat holds nearly all hidden cards its points may be out of reach",
)
def test_with_table_memory_all_points_fit_even_where_nearly_all_hidden_cards_are_in_one_hand():
    table = nearly_all_in_one_hand()
    assert all(fits(table, 3, seed) for seed in range(100))
