"""What a seat of Momiji cannot know, changed: neither its view nor any player's choice moves; and guesses of it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from meeplecarlo.games.momiji.state import HIDDEN, NONE
from tests.games.momiji.by_hand import (
    SIZES,
    box,
    bundles,
    cards,
    deck,
    everywhere,
    faces_of,
    hand,
    new_table,
    play,
    row,
    start,
    words,
)
from tests.table import Table

every_size = pytest.mark.parametrize("n_seats", SIZES)
SAID = {"landscapes": "random", "start_acorns": 4}


def unknown(table: Table, seat: int) -> Counter:
    """Return the cards in the hand of a seat that others have not seen it take."""
    return Counter(hand(table, seat)) - Counter(cards(table, table.state.known[seat]))


def scramble(table: Table, seat: int, rng: random.Random) -> Table:
    """Return a position with all that `seat` cannot know changed: the deck, and the unknown cards of other hands.

    Written from the rules (R8), not by calling `redeal`.
    """
    twin = table.copy()
    state, drawn = twin.state, deck(table)
    held = {other: list(unknown(table, other).elements()) for other in range(table.n_seats) if other != seat}
    pool = drawn + [one for other in held.values() for one in other]
    rng.shuffle(pool)
    for other, secret in held.items():
        new = [pool.pop() for _ in secret]
        state.hand[other] = state.known[other] + np.array(bundles(table, " ".join(new)))
    faces = faces_of(table)
    n_cards = int(table.rules.n_cards)
    state.deck[n_cards - len(pool) : n_cards] = [16 * "abcdef".index(one[0]) + faces.index(one[1:]) for one in pool]
    assert everywhere(twin) == box(table)
    return twin


@every_size
def test_views_do_not_change_with_what_is_hidden(n_seats):
    rng = random.Random(n_seats)
    changed = Counter()
    for seed in range(2):
        table = new_table(n_seats, seed=seed, **SAID)
        while not table.over:
            seat = rng.randrange(n_seats)
            other = scramble(table, seat, rng)
            assert other.view(seat).tobytes() == table.view(seat).tobytes()
            for name in ("deck", "hand"):
                changed[name] += bool((getattr(other.state, name) != getattr(table.state, name)).any())
            table.play_random(rng, plies=3)
    assert min(changed["deck"], changed["hand"]) > 20


@every_size
def test_a_view_hides_the_deck_and_other_hands_and_nothing_else(n_seats):
    table = new_table(n_seats, seed=3, **SAID)
    while not table.over:
        for seat in range(n_seats):
            view = table.view(seat)
            for name in table.dtype.names:
                shown, true = np.asarray(getattr(view, name)), np.asarray(getattr(table.state, name))
                hidden = np.zeros(true.shape, bool)
                if name == "deck":
                    hidden = true != NONE
                elif name == "hand":
                    hidden[[other for other in range(n_seats) if other != seat]] = True
                assert (shown == np.where(hidden, HIDDEN, true)).all(), name
        table.play_random(5, plies=7)


def test_views_do_change_with_what_is_known():
    """The tests above can fail: a change of anything open, or of the own hand, is seen."""
    table = start(["a*0* a.3.", "b*0* c.3."], ["a*0*", "b*0*"], deck="d*0* d.3.", known=["a*0*", "b*0*"])
    view = table.view(0).tobytes()
    for name in table.dtype.names:
        twin = table.copy()
        value = np.asarray(getattr(twin.state, name))
        if value.ndim:
            twin.state[name].flat[0] += 1
        else:
            twin.state[name] += 1
        assert (twin.view(0).tobytes() != view) or name == "deck", name


@every_size
def test_choices_do_not_change_with_what_is_hidden(n_seats):
    rng = random.Random(n_seats)
    asked = 0
    table = new_table(n_seats, seed=n_seats, **SAID)
    names = list(table.game.players)
    while not table.over:
        if len(table.legal()) > 1:
            other = scramble(table, int(table.state.seat), rng)
            for name in rng.sample(names, 3):
                assert other.choice(name, seed=7) == table.choice(name, seed=7), name
                asked += 1
        table.play_random(rng, plies=1)
    assert asked > 100


# --- what is known -------------------------------------------------------------------------------------------------
@every_size
def test_what_is_known_is_in_the_hand(n_seats):
    """Cards taken from the display less those seen to leave the hand, face by face, not below 0 (R8.2)."""
    rng = random.Random(n_seats)
    for seed in range(2):
        table = new_table(n_seats, seed=seed, **SAID)
        known = [Counter() for _ in range(n_seats)]
        while not table.over:
            seat, old = int(table.state.seat), Counter(hand(table, int(table.state.seat)))
            move = rng.choice(table.legal())
            drawing = words(table, move).startswith("use C")  # of this row only `draw` brings cards
            table.play(move)
            new = Counter(hand(table, seat))
            known[seat] -= old - new
            if not drawing:
                known[seat] += new - old
            for other in range(n_seats):
                assert Counter(cards(table, table.state.known[other])) == known[other]
                assert not known[other] - Counter(hand(table, other))
            unseen = Counter(deck(table))
            for other in range(n_seats):
                unseen += unknown(table, other)
            assert Counter(cards(table, table.state.unseen)) == unseen


# --- guesses -------------------------------------------------------------------------------------------------------
@every_size
def test_guesses_agree_with_everything_seen(n_seats):
    rng = random.Random(n_seats)
    table = new_table(n_seats, seed=n_seats, **SAID)
    while True:
        seat = rng.randrange(n_seats)
        guess = table.redealt(table.view(seat), seed=rng.randrange(99))
        assert guess.view(seat).tobytes() == table.view(seat).tobytes()
        assert everywhere(guess) == box(table)
        assert hand(guess, seat) == hand(table, seat)
        for other in range(n_seats):
            assert row(guess, other) == row(table, other)
            assert not Counter(cards(table, table.state.known[other])) - Counter(hand(guess, other))
        if table.over:
            break
        table.play_random(rng, plies=2)


@every_size
def test_a_guess_of_a_full_view_is_the_position_itself(n_seats):
    table = new_table(n_seats, seed=6).play_random(3, 20)
    assert table.redealt(table.state, seed=1).bytes() == table.bytes()


def chi_square(counts: Counter, expected: dict) -> float:
    """Return how many standard deviations above its mean the chi-square of counts is."""
    assert set(counts) <= set(expected)
    value = sum((counts[cell] - mean) ** 2 / mean for cell, mean in expected.items())
    return (value - (len(expected) - 1)) / np.sqrt(2 * (len(expected) - 1))


def test_all_arrangements_of_few_unseen_cards_are_equally_likely():
    """Two unknown cards in the hand of seat 1 and a deck of three, five different cards: 60 guesses, each as often."""
    table = start(["a*0* a.3.", "b*0* c.3. d*1."], deck="d*0* d.3. a*1.", known=["", "b*0*"], display="c*0*")
    view = table.view(0)
    guesses = Counter()
    for seed in range(2400):
        guess = table.redealt(view, seed)
        guesses[tuple(unknown(guess, 1).elements()), tuple(deck(guess))] += 1
    pool = ["c.3.", "d*1.", "d*0*", "d.3.", "a*1."]
    order = sorted(pool, key=lambda one: (one[0], faces_of(table).index(one[1:])))
    possible = {(tuple(sorted(p[:2], key=order.index)), p[2:]) for p in permutations(pool)}
    assert len(possible) == 60
    assert set(guesses) == possible
    assert -5 < chi_square(guesses, dict.fromkeys(possible, 40)) < 5


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_every_unseen_card_is_equally_likely_everywhere(seat):
    """On top of the deck, at its end and in other hands, each card as often as there are copies unseen."""
    table = play(
        new_table(3, seed=8), "collect " + cards(new_table(3, seed=8), new_table(3, seed=8).state.display)[0][0]
    )
    view = table.view(seat)
    pool = Counter(deck(table))
    for other in range(3):
        if other != seat:
            pool += unknown(table, other)
    top, last, held = Counter(), Counter(), {other: Counter() for other in range(3) if other != seat}
    for seed in range(1200):
        guess = table.redealt(view, seed)
        drawn = deck(guess)
        top[drawn[0]] += 1
        last[drawn[-1]] += 1
        for other, counts in held.items():
            counts.update(unknown(guess, other))
    for counts in (top, last, *held.values()):
        mean = {one: n * counts.total() / pool.total() for one, n in pool.items()}
        assert -5 < chi_square(counts, mean) < 5


def test_guesses_differ_and_one_seed_gives_one_guess():
    table = new_table(3, seed=4)
    view = table.view(0)
    assert len({table.redealt(view, seed).bytes() for seed in range(50)}) == 50
    assert table.redealt(view, 3).bytes() == table.redealt(view, 3).bytes()
