"""The scripted players of Great Fujiyama.

All but ``random`` look one tile ahead: they lay each tile on each place in their mind and weigh what the team could do
next. What they reckon with: the tiles nobody has seen yet, every hand they can see, how likely each teammate is to be
stuck, and how many of the remaining tiles would fit each open place. A player is a set of weights on these, so every
difference between players has a name and can be set in a player spec.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper
from meeplecarlo.games.choosing import VERY_LOW, choose_random, count_bits, keep_better
from meeplecarlo.games.great_fujiyama.rules import fitting, hand_set, lay, season_at, unseen_set  # noqa: F401
from meeplecarlo.games.great_fujiyama.state import ANY, COLUMNS, HIDDEN, MAX_OPEN, MAX_TILES, NONE
from meeplecarlo.registry import Player, Weight

# Weights by index; WEIGHTS below names and explains them.
(
    W_RISK,
    W_HOLD,
    W_LATER,
    W_FREEDOM,
    W_RARE,
    W_DEAD,
    W_GROUND,
    W_CLIMB,
    W_TWO,
    W_THREE,
    W_OPEN_TWO,
    W_OPEN_THREE,
    W_OPEN,
    W_NOISE,
) = range(14)


@helper
def _remember(view, places, needs):
    """Copy the open places of `view`, so that `_take_back` can restore them."""
    for i in range(MAX_OPEN):
        places[i] = view.open_place[i]
        for k in range(3):
            needs[i, k] = view.open_need[i, k]
    return view.n_open


@helper
def _take_back(view, place, tile, places, needs, n_open):
    """Undo `lay`."""
    view.tile[place] = NONE
    view.turn[place] = 0
    view.laid &= ~(np.int64(1) << tile)
    view.count[place // COLUMNS] -= 1
    view.n_open = n_open
    for i in range(MAX_OPEN):
        view.open_place[i] = places[i]
        for k in range(3):
            view.open_need[i, k] = needs[i, k]


@helper
def _outlook(rules, weights, view, seat, own, unseen, fits):
    """Return what the position after a move is worth: `own` is what `seat` still holds, `unseen` what nobody saw."""
    available = unseen | own
    for other in range(rules.n_seats):
        if other != seat and rules.talk_open == 1:
            available |= hand_set(rules, view, other)
    somewhere = np.int64(0)
    rare, dead = 0.0, rules.width
    wanted_two, wanted_three = 0, 0
    ground = np.int64(0)
    for i in range(view.n_open):
        fit = np.int64(0)
        for turn in range(rules.turns):
            fit |= fitting(rules, view, i, turn)
        fits[i] = fit
        somewhere |= fit
        station = view.open_place[i] // COLUMNS
        left = count_bits(fit & available)
        if station == 0:
            ground |= fit
        else:
            rare += 1.0 / (1.0 + left)
            if left == 0:
                dead = min(dead, station)
        needs = 0
        for k in range(3):
            needs += view.open_need[i, k] != ANY
        wanted_two += needs == 2
        wanted_three += needs == 3
    if view.count[0] < rules.width and ground & available == 0:
        dead = 0
    n_unseen = count_bits(unseen)
    q = count_bits(somewhere & unseen) / n_unseen if n_unseen > 0 else 0.0
    hold = weights[W_HOLD]
    risk, share = 0.0, 1.0
    for j in range(1, rules.n_seats):
        other = (seat + j) % rules.n_seats
        if view.hand[other, 0] == HIDDEN:
            risk += share * (1.0 - q + q * hold) ** rules.hand_size
        else:
            risk += share * hold ** count_bits(somewhere & hand_set(rules, view, other))
        share *= weights[W_LATER]
    risk += share * hold ** count_bits(somewhere & own) * (1.0 - q + q * hold)
    freedom = 0.0
    if weights[W_FREEDOM] != 0.0:
        for tile in range(rules.n_tiles):
            if (available >> tile) & 1 == 1:
                miss = 1.0
                for i in range(view.n_open):
                    if (fits[i] >> tile) & 1 == 1:
                        miss *= 0.5
                freedom += 1.0 - miss
        freedom /= max(1, count_bits(available))
    return (
        -weights[W_RISK] * risk
        + weights[W_FREEDOM] * freedom
        - weights[W_RARE] * rare
        + weights[W_DEAD] * dead
        + weights[W_OPEN_TWO] * wanted_two
        + weights[W_OPEN_THREE] * wanted_three
        + weights[W_OPEN] * view.n_open
    )


def choose_by_outlook(rules, view, moves, n, weights, memory, rng):
    """The move that leaves the best outlook, as the weights see it."""
    if n == 1:
        return 0
    seat = view.seat
    held = hand_set(rules, view, seat)
    unseen = unseen_set(rules, view)
    places = np.empty(MAX_OPEN, np.int16)
    needs = np.empty((MAX_OPEN, 3), np.int8)
    fits = np.empty(MAX_OPEN, np.int64)
    n_open = _remember(view, places, needs)
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        place, turn, tile = moves[i] // (3 * MAX_TILES), moves[i] // MAX_TILES % 3, np.int64(moves[i] % MAX_TILES)
        wanted = 0
        for j in range(n_open):
            if places[j] == place:
                for k in range(3):
                    wanted += needs[j, k] != ANY
        lay(rules, view, place, turn, tile)
        value = _outlook(rules, weights, view, seat, held & ~(np.int64(1) << tile), unseen, fits)
        _take_back(view, place, tile, places, needs, n_open)
        station = place // COLUMNS
        value += weights[W_CLIMB] * station
        if station == 0:
            value += weights[W_GROUND]
        if wanted == 2:
            value += weights[W_TWO]
        elif wanted == 3:
            value += weights[W_THREE]
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


WEIGHTS = (
    Weight("risk", 10.0, ""),
    Weight("hold", 0.0, ""),
    Weight("later", 0.5, ""),
    Weight("freedom", 0.0, ""),
    Weight("rare", 0.0, ""),
    Weight("dead", 0.0, ""),
    Weight("ground", 0.0, ""),
    Weight("climb", 0.0, ""),
    Weight("two", 0.0, ""),
    Weight("three", 0.0, ""),
    Weight("open_two", 0.0, ""),
    Weight("open_three", 0.0, ""),
    Weight("open", 0.0, ""),
    Weight("noise", 0.0, ""),
)


def by_outlook(name: str, summary: str, **weights: float) -> Player:
    return Player(
        name,
        choose_by_outlook,
        summary,
        tuple(Weight(w.name, float(weights.get(w.name, w.default)), w.meaning) for w in WEIGHTS),
    )


PLAYERS = (
    Player("random", choose_random, "Lays any tile on any place where it fits: the floor every other player must beat."),
    by_outlook("careful", ""),
    by_outlook("planner", "", hold=0.3, freedom=2.0, rare=0.3, dead=0.3, three=1.0, two=0.3),
)
