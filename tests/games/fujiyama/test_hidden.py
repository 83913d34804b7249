"""What a seat of Fujiyama cannot know, changed field by field: neither its view nor any player's choice moves."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from meeplecarlo.games.fujiyama.state import CHOOSE, HIDDEN, NONE, PASS, TRUMP
from tests.games.fujiyama.test_properties import tiles_in_play
from tests.table import Table

every_size = pytest.mark.parametrize("n_seats", [2, 3, 4, 5])


def scramble(table: Table, seat: int, rng: random.Random) -> Table:
    """Return a position with all that `seat` cannot know changed: decks, box, fresh tiles of others, their answers.

    Written from the rules (R7), not by calling `redeal`.
    """
    twin = table.copy()
    state, n = twin.state, table.n_seats
    stock = [i for i, tile in enumerate(state.stock) if tile != NONE]
    fresh = [
        (other, i)
        for other in range(n)
        for i in range(3)
        if other != seat and state.hand[other, i] != NONE and not state.shown[other, i]
    ]
    tiles = [int(state.stock[i]) for i in stock] + [int(state.hand[place]) for place in fresh]
    rng.shuffle(tiles)
    for i in stock:
        state.stock[i] = tiles.pop()
    for place in fresh:
        state.hand[place] = tiles.pop()
    for other in range(n):
        if other != seat and state.pending[other] != NONE:
            if state.phase == CHOOSE:
                sources = [0, 1] + ([2] if state.trump[other] != NONE else [])
                source = rng.choice(sources)
                tile = state.trump[other] if source == 2 else state.choice[other, source]
                state.pending[other] = 96 * source + int(tile)
            else:
                state.pending[other] = int(rng.choice([t for t in state.hand[other].tolist() if t != NONE]))
    return twin


@every_size
def test_views_do_not_change_with_what_is_hidden(n_seats):
    rng = random.Random(n_seats)
    table = Table("fujiyama", n_seats)
    changed = Counter()
    while not table.over:
        for seat in range(n_seats):
            view = table.view(seat).tobytes()
            other = scramble(table, seat, rng)
            assert other.view(seat).tobytes() == view
            for name in ("stock", "hand", "pending"):
                changed[name] += bool((getattr(other.state, name) != getattr(table.state, name)).any())
        table.play_random(rng, plies=1)
    assert min(changed.values()) > 5
    assert set(changed) == {"stock", "hand", "pending"}


@every_size
def test_views_do_change_with_what_is_known(n_seats):
    """The test above can fail: a change of anything open, or of the own hand, is seen."""
    table = Table("fujiyama", n_seats).play_random(5, 8 * n_seats)
    while table.state.phase != PASS or table.state.seat != 0:
        table.play_random(6, plies=1)
    view = table.view(0).tobytes()
    for name, place in (
        ("hand", (0, 0)),
        ("trump", 1),
        ("board", 1),
        ("cell", (1, 0)),
        ("flatland", (1, 2)),
        ("drawn", 1),
    ):
        twin = table.copy()
        getattr(twin.state, name)[place] += 1
        assert twin.view(0).tobytes() != view, name


@every_size
def test_choices_do_not_change_with_what_is_hidden(n_seats):
    rng = random.Random(n_seats)
    table = Table("fujiyama", n_seats, seed=3)
    names = list(table.game.players)
    while not table.over:
        if len(table.legal()) > 1:
            other = scramble(table, int(table.state.seat), rng)
            for name in rng.sample(names, 4):
                assert other.choice(name, seed=7) == table.choice(name, seed=7), name
        table.play(table.legal()[table.choice(rng.choice(names), seed=rng.randrange(2**32))])


@every_size
def test_guesses_keep_every_tile_in_exactly_one_place(n_seats):
    table = Table("fujiyama", n_seats, seed=9)
    for ply in range(28 * n_seats):
        for seat in range(n_seats):
            guess = table.redealt(table.view(seat), seed=ply)
            assert tiles_in_play(guess) == dict.fromkeys(range(64), 1)
            for other in range(n_seats):
                answer = int(guess.state.pending[other])
                if answer == NONE:
                    assert table.state.pending[other] == NONE
                elif guess.state.phase in (TRUMP, PASS):
                    assert answer in guess.state.hand[other].tolist()
                else:
                    source, tile = divmod(answer, 96)
                    areas = [*guess.state.choice[other].tolist(), int(guess.state.trump[other])]
                    assert areas[source] == tile
        table.play_random(ply, plies=1)


def test_guesses_are_spread_evenly_over_what_is_possible():
    """Every unseen tile is equally often on top of the own deck, every answer of another seat equally often given."""
    table = Table("fujiyama", 3)
    table.play(table.legal()[0])
    view = table.view(1)
    n = 6000
    tops, answers = Counter(), Counter()
    unseen = 64 - 3  # all but the own hand
    for seed in range(n):
        state = table.redealt(view, seed).state
        tops[int(state.stock[11 + 3])] += 1
        answers[state.hand[0].tolist().index(state.pending[0])] += 1
    assert len(tops) == unseen
    expected = n / unseen
    chi_square = sum((count - expected) ** 2 / expected for count in tops.values())
    assert chi_square < 60 + 5 * np.sqrt(2 * 60)
    assert all(abs(answers[i] - n / 3) < 5 * np.sqrt(n * 2 / 9) for i in range(3))


def test_a_guess_of_a_choice_is_one_of_the_sources_there_are():
    for trump, sources in (("once", {0, 1, 2}), ("never", {0, 1})):
        table = Table("fujiyama", 3, {"trump": trump}).play_random(1, 6)
        table.play(table.legal()[0])
        view = table.view(1)
        assert view.pending[0] == HIDDEN
        guessed = {int(table.redealt(view, seed).state.pending[0]) // 96 for seed in range(60)}
        assert guessed == sources
