"""What a seat of Great Fujiyama cannot know, changed: neither its view nor any player's choice moves."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from meeplecarlo.games.great_fujiyama.state import HIDDEN, NONE
from tests.games.great_fujiyama.by_hand import BOX, SIZES, deck, hands, new_table, start, tile_number, where
from tests.table import Table

every_size = pytest.mark.parametrize("n_seats", SIZES)
talks = pytest.mark.parametrize("talk", ["none", "open"])


def scramble(table: Table, seat: int, rng: random.Random) -> Table:
    """Return a position with all that `seat` cannot know changed: the deck, and other hands unless they are open.

    Written from the rules (R6), not by calling `redeal`.
    """
    twin = table.copy()
    state = twin.state
    stock = [i for i, tile in enumerate(state.stock) if tile != NONE]
    others = [] if table.rules.talk_open else [other for other in range(table.n_seats) if other != seat]
    secret = [(other, i) for other in others for i in range(8) if state.hand[other, i] != NONE]
    tiles = [int(state.stock[i]) for i in stock] + [int(state.hand[place]) for place in secret]
    rng.shuffle(tiles)
    for i in stock:
        state.stock[i] = tiles.pop()
    for place in secret:
        state.hand[place] = tiles.pop()
    for other in others:
        hand = state.hand[other]
        hand[hand != NONE] = np.sort(hand[hand != NONE])
    return twin


@every_size
@talks
def test_views_do_not_change_with_what_is_hidden(n_seats, talk):
    rng = random.Random(n_seats)
    changed = Counter()
    for seed in range(3):
        table = new_table(n_seats, seed=seed, talk=talk, turn="thirds", hand_size=4)
        while not table.over:
            for seat in range(n_seats):
                other = scramble(table, seat, rng)
                assert other.view(seat).tobytes() == table.view(seat).tobytes()
                for name in ("stock", "hand"):
                    changed[name] += bool((getattr(other.state, name) != getattr(table.state, name)).any())
            table.play_random(rng, plies=1)
    assert changed["stock"] > 20
    assert (changed["hand"] > 20) == (n_seats > 1 and talk == "none")


@every_size
@talks
def test_a_view_hides_the_deck_and_other_hands_and_nothing_else(n_seats, talk):
    table = new_table(n_seats, seed=3, talk=talk, turn="thirds")
    for ply in range(12):
        for seat in range(n_seats):
            view = table.view(seat)
            for name in table.dtype.names:
                shown, true = np.asarray(getattr(view, name)), np.asarray(getattr(table.state, name))
                if name == "stock":
                    hidden = true != NONE
                elif name == "hand" and talk == "none":
                    hidden = (true != NONE) & (np.arange(5)[:, None] != seat)
                else:
                    hidden = np.zeros(true.shape, bool)
                assert (shown == np.where(hidden, HIDDEN, true)).all(), name
        if not table.over:
            table.play_random(ply, plies=1)


@every_size
def test_after_the_end_a_view_can_be_taken_too(n_seats):
    table = new_table(n_seats, seed=3, turn="thirds").play_random(1)
    assert table.over
    for seat in range(n_seats):
        assert where(table.redealt(table.view(seat), seed=seat)) == dict.fromkeys(BOX, 1)


@pytest.mark.parametrize("n_seats", [2, 5])
def test_views_do_change_with_what_is_known(n_seats):
    """The tests above can fail: a change of anything open, or of the own hand, is seen."""
    table = new_table(n_seats, seed=3, turn="thirds", hand_size=6).play_random(5, 4)
    assert not table.over
    view = table.view(0).tobytes()
    for name, place in (
        ("hand", (0, 0)),
        ("tile", 9),
        ("turn", 9),
        ("count", 0),
        ("laid", ()),
        ("drawn", ()),
        ("open_need", (0, 1)),
    ):
        twin = table.copy()
        if place == ():
            twin.state[name] += 1
        else:
            twin.state[name][place] += 1
        assert twin.view(0).tobytes() != view, name
    opened = new_table(n_seats, seed=3, talk="open")
    twin = opened.copy()
    twin.state.hand[1, 0] += 1
    assert twin.view(0).tobytes() != opened.view(0).tobytes()


@pytest.mark.parametrize("n_seats", [1, 3, 5])
@talks
def test_choices_do_not_change_with_what_is_hidden(n_seats, talk):
    rng = random.Random(n_seats)
    asked = 0
    for seed in range(4):
        table = new_table(n_seats, seed=seed, talk=talk, turn="thirds")
        names = list(table.game.players)
        while not table.over:
            if len(table.legal()) > 1:
                other = scramble(table, int(table.state.seat), rng)
                for name in rng.sample(names, min(len(names), 4)):
                    assert other.choice(name, seed=7) == table.choice(name, seed=7), name
                    asked += 1
            table.play(table.legal()[table.choice(rng.choice(names), seed=rng.randrange(2**32))])
    assert asked > 40


# --- guesses -------------------------------------------------------------------------------------------------------
@every_size
@talks
def test_guesses_agree_with_everything_seen(n_seats, talk):
    for seed in range(4):
        table = new_table(n_seats, seed=seed, talk=talk, turn="thirds")
        while True:
            for seat in range(n_seats):
                guess = table.redealt(table.view(seat), seed=seed)
                assert where(guess) == dict.fromkeys(BOX, 1)
                assert guess.view(seat).tobytes() == table.view(seat).tobytes()
                for hand in guess.state.hand.tolist():
                    held = [tile for tile in hand if tile != NONE]
                    assert held == sorted(held) == hand[: len(held)]
            if table.over:
                break
            table.play_random(seed, plies=1)


@every_size
def test_a_guess_of_a_full_view_is_the_position_itself(n_seats):
    """Nothing hidden, nothing changed."""
    table = new_table(n_seats, seed=6)
    assert table.redealt(table.state, seed=1).bytes() == table.bytes()


def chi_square(counts: Counter, n_cells: int) -> float:
    """Return how many standard deviations above its mean the chi-square of even counts is."""
    expected = counts.total() / n_cells
    value = sum((count - expected) ** 2 / expected for count in counts.values())
    value += (n_cells - len(counts)) * expected
    return (value - (n_cells - 1)) / np.sqrt(2 * (n_cells - 1))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_every_unseen_tile_is_equally_likely_everywhere(seat):
    """In each place of the deck looked at, and in each hand, seen from every seat."""
    table = new_table(3, seed=8)
    view = table.view(seat)
    unseen = 64 - 1 - 3
    held, tops, lasts = {other: Counter() for other in range(3)}, Counter(), Counter()
    for seed in range(6000):
        guess = table.redealt(view, seed).state
        tops[int(guess.stock[10])] += 1
        lasts[int(guess.stock[63])] += 1
        for other in range(3):
            held[other].update(guess.hand[other, :3].tolist())
    own = [tile_number(tile) for tile in hands(table)[seat]]
    assert held.pop(seat) == dict.fromkeys(own, 6000)
    for counts in (tops, lasts, *held.values()):
        assert len(counts) == unseen
        assert -5 < chi_square(counts, unseen) < 5


def test_all_arrangements_of_few_unseen_tiles_are_equally_likely(tmp_path):
    """Two hands of two and a deck of two: 4! / 2! = 12 guesses of the other hand and the deck, each as often."""
    rows = [f"{i},winter,winter,winter" for i in range(1, 8)]
    (tmp_path / "seven.csv").write_text("\n".join(["tile,bottom,upper_left,upper_right", *rows]))
    table = Table("great-fujiyama", 2, {"hand_size": 2}, {"tiles": tmp_path / "seven.csv"})
    view = table.view(0)
    guesses = Counter()
    for seed in range(6000):
        state = table.redealt(view, seed).state
        guesses[tuple(state.hand[1, :2].tolist()), tuple(state.stock[5:7].tolist())] += 1
    tiles = [*table.state.hand[1, :2].tolist(), *table.state.stock[5:7].tolist()]
    possible = {(tuple(sorted(p[:2])), p[2:]) for p in permutations(tiles)}
    assert len(possible) == 12
    assert set(guesses) == possible
    assert -5 < chi_square(guesses, 12) < 5


def test_with_open_hands_only_the_deck_is_guessed():
    table = new_table(4, seed=5, talk="open")
    tops = Counter()
    for seed in range(4000):
        guess = table.redealt(table.view(2), seed)
        assert hands(guess) == hands(table)
        assert sorted(deck(guess)) == sorted(deck(table))
        tops[deck(guess)[0]] += 1
    assert len(tops) == 64 - 1 - 12
    assert -5 < chi_square(tops, 51) < 5


def test_guesses_differ_and_one_seed_gives_one_guess():
    table = start("PPP", "SPP SPS SPA", "APP APS APA")
    view = table.view(0)
    assert len({table.redealt(view, seed).bytes() for seed in range(50)}) == 50
    assert table.redealt(view, 3).bytes() == table.redealt(view, 3).bytes()
