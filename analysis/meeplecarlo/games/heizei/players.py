"""The scripted players of Heizei."""

from __future__ import annotations

from meeplecarlo.games.choosing import VERY_LOW, choose_random, keep_better
from meeplecarlo.games.heizei.cards import n_cards
from meeplecarlo.games.heizei.state import PLAY
from meeplecarlo.registry import Player, Weight

NOISE = Weight("noise", 0.0, "random amount added to the value of each option, up to this")


def choose_longest(rules, view, moves, n, weights, memory, rng):
    """Play as many cards as possible; take anything."""
    best, index, equal = VERY_LOW, 0, 0
    for i in range(n):
        value = float(n_cards(moves[i])) if view.phase == PLAY else 0.0
        best, index, equal = keep_better(value, i, best, index, equal, weights[0], rng)
    return index


def choose_one(rules, view, moves, n, weights, memory, rng):
    """Play one card at a time; take anything."""
    best, index, equal = VERY_LOW, 0, 0
    for i in range(n):
        value = -float(n_cards(moves[i])) if view.phase == PLAY else 0.0
        best, index, equal = keep_better(value, i, best, index, equal, weights[0], rng)
    return index


PLAYERS = (
    Player("random", choose_random, "Any legal move, all equally likely."),
    Player("dump_longest", choose_longest, "Always plays the most cards it can.", (NOISE,)),
    Player("one_at_a_time", choose_one, "Always plays a single card.", (NOISE,)),
)
