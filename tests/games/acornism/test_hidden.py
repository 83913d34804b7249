"""What a seat of Acornism cannot know is the order of the pile: changed, neither its view nor any choice moves."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from meeplecarlo.games.acornism.state import HIDDEN
from tests.games.acornism.by_hand import SIZES, hands, new_table, pile, start, where
from tests.table import Table

every_size = pytest.mark.parametrize("n_seats", SIZES)
RULES = ({}, {"edge_scoring": "true", "underfed": "forbidden"}, {"field_size": 6, "hand_size": 7, "pieces": 2})


def scramble(table: Table, rng: random.Random) -> Table:
    """Return a position with the pile in another order; written from the rules (R8), not by calling `redeal`."""
    twin = table.copy()
    tiles = pile(table)
    rng.shuffle(tiles)
    twin.state.pile[int(table.state.drawn) : int(table.rules.n_tiles)] = tiles
    return twin


@every_size
@pytest.mark.parametrize("said", RULES, ids=str)
def test_views_do_not_change_with_the_order_of_the_pile(n_seats, said):
    rng = random.Random(n_seats)
    changed = 0
    for seed in range(2):
        table = new_table(n_seats, seed, **said)
        while not table.over:
            other = scramble(table, rng)
            assert other.legal() == table.legal()
            for seat in range(n_seats):
                assert other.view(seat).tobytes() == table.view(seat).tobytes()
            changed += pile(other) != pile(table)
            table.play_random(rng, plies=1)
    assert changed > 5


@every_size
def test_a_view_hides_the_pile_and_nothing_else(n_seats):
    for seed in range(3):
        table = new_table(n_seats, seed)
        while True:
            for seat in range(n_seats):
                view = table.view(seat)
                for name in table.dtype.names:
                    shown, true = np.asarray(getattr(view, name)), np.asarray(getattr(table.state, name)).copy()
                    if name == "pile":
                        true[int(table.state.drawn) : int(table.rules.n_tiles)] = HIDDEN
                    assert (shown == true).all(), name
            if table.over:
                break
            table.play_random(seed, plies=1)


def test_a_view_leaves_the_position_alone():
    table = new_table(3).play_random(1, 7)
    before = table.bytes()
    for seat in range(3):
        table.view(seat)
    assert table.bytes() == before


def test_views_do_change_with_what_is_known():
    """The tests above can fail: a change of anything open is seen."""
    table = new_table(2).play_random(5, 8)
    view = table.view(0).tobytes()
    shown = [name for name in table.dtype.names if name != "pile"]
    for name in shown:
        twin = table.copy()
        if twin.state[name].shape == ():
            twin.state[name] += 1
        else:
            twin.state[name].flat[0] += 1
        assert twin.view(0).tobytes() != view, name
    twin = table.copy()
    twin.state.pile[0] += 1  # what was dealt is open
    assert twin.view(0).tobytes() != view


@every_size
def test_choices_do_not_change_with_the_order_of_the_pile(n_seats):
    rng = random.Random(n_seats)
    asked = 0
    table = new_table(n_seats, 4)
    names = list(table.game.players)
    while not table.over:
        other = scramble(table, rng)
        for name in rng.sample(names, min(len(names), 3)):
            assert other.choice(name, seed=7) == table.choice(name, seed=7), name
            asked += 1
        table.play_random(rng, plies=1)
    assert asked > 30


# --- guesses -------------------------------------------------------------------------------------------------------
@every_size
def test_guesses_agree_with_everything_seen(n_seats):
    for seed in range(3):
        table = new_table(n_seats, seed)
        while True:
            for seat in range(n_seats):
                view = table.view(seat)
                guess = table.redealt(view, seed)
                assert where(guess) == dict.fromkeys(range(40), 1)
                assert hands(guess) == hands(table)
                assert sorted(pile(guess)) == sorted(pile(table))
                assert guess.view(seat).tobytes() == view.tobytes()
            if table.over:
                break
            table.play_random(seed, plies=1)


def test_a_guess_can_be_played_to_its_end():
    for seed in range(20):
        table = new_table(2, seed).play_random(seed, seed)
        if not table.over:
            guess = table.redealt(table.view(), seed).play_random(seed)
            assert where(guess) == dict.fromkeys(range(40), 1)


def test_with_an_empty_pile_nothing_is_guessed():
    table = start("20(0)", "20(1) 20(2)", "20(3) 20(4)")
    assert table.redealt(table.view(0), 5).bytes() == table.bytes()


def chi_square(counts: Counter, n_cells: int) -> float:
    """Return how many standard deviations above its mean the chi-square of even counts is."""
    expected = counts.total() / n_cells
    value = sum((count - expected) ** 2 / expected for count in counts.values())
    value += (n_cells - len(counts)) * expected
    return (value - (n_cells - 1)) / np.sqrt(2 * (n_cells - 1))


def test_every_order_of_a_small_pile_is_equally_likely():
    """Four tiles are left: 24 orders; two of them are equal, but lie in the pile each for itself."""
    table = start("20(0)", "20(1) 20(2)", "20(3) 20(4)", pile="9(1) 9(1) 9(2) 9(?)")
    view = table.view(1)
    guesses = Counter(tuple(pile(table.redealt(view, seed))) for seed in range(6000))
    assert set(guesses) == set(permutations(pile(table)))
    assert -5 < chi_square(guesses, 24) < 5


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_every_tile_of_the_pile_is_equally_likely_everywhere_in_it(seat):
    table = new_table(3, 8).play_random(8, 5)
    view, n = table.view(seat), len(pile(table))
    places = {0: Counter(), n // 2: Counter(), n - 1: Counter()}
    for seed in range(4000):
        guess = pile(table.redealt(view, seed))
        for place, counts in places.items():
            counts[guess[place]] += 1
    for counts in places.values():
        assert set(counts) == set(pile(table))
        assert -5 < chi_square(counts, n) < 5


def test_one_seed_gives_one_guess():
    table = new_table(2, 3)
    view = table.view(0)
    assert table.redealt(view, 3).bytes() == table.redealt(view, 3).bytes()
    assert len({table.redealt(view, seed).bytes() for seed in range(50)}) == 50
