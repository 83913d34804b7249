"""The scripted players of Heizei.

All but ``random`` price a card of each colour by the place its cube is expected to reach (`expect`): where it stands,
how far the seat can carry it with the cards it holds, and how far others may. What a seat has collected is worth the
sum of these prices; in round 2, less twice the price of the cards that are likely to count negative (`worth`). A play
is weighed together with the best cards the table then offers. Players without a forecast price cards as if the round
ended now.

A player is a set of weights, so every difference between players has a name and can be set in a player spec.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper
from meeplecarlo.games.choosing import VERY_LOW, choose_random, keep_better
from meeplecarlo.games.heizei import MAX_STEPS
from meeplecarlo.games.heizei.cards import cards_of, colour_of, count_of, n_cards
from meeplecarlo.games.heizei.rules import landing
from meeplecarlo.games.heizei.state import HIDDEN, N_COLOURS, PLAY, PREPARE
from meeplecarlo.registry import Player, Weight, weighted_player

# Weights by index; WEIGHTS below names and explains them.
(
    W_RUN_OWN,
    W_RUN_OTHERS,
    W_RUN_KNOWN,
    W_INTENT,
    W_FOLLOW,
    W_DOUBT,
    W_DOUBT_CARD,
    W_PATIENCE,
    W_TIE,
    W_RIVALS,
    W_TEMPO_1,
    W_TEMPO_2,
    W_POWER_1,
    W_POWER_2,
    W_NEXT,
    W_TILE,
    W_FEED,
    W_WHOLE,
    W_RACE,
    W_LAY,
    W_NOISE,
) = range(21)

LITTLE = 1e-9  # keeps divisions defined


# --- prices --------------------------------------------------------------------------------------------------------
@helper
def run_of(rules, count):
    """Return how many spaces a cube moves when so many of its cards are played at once."""
    return rules.steps[min(count, MAX_STEPS)]


@helper
def runs_of(rules, cards):
    """Return the spaces all colours of a set of cards can be moved, each played at once."""
    return (
        run_of(rules, count_of(cards, 0))
        + run_of(rules, count_of(cards, 1))
        + run_of(rules, count_of(cards, 2))
        + run_of(rules, count_of(cards, 3))
    )


@helper
def _lead(distance, sure):
    """Return half of how surely a cube stays ahead by an expected distance: from -0.5 to 0.5, in an S-shaped curve.

    `sure` is one over the distance from which on there is no doubt.
    """
    x = max(-1.0, min(1.0, distance * sure))
    return x * (0.75 - 0.25 * x * x)


@helper
def _sure(doubt, other):
    """Return one over the distance from which on it is sure which of two cubes is ahead."""
    return 1.0 / (abs(doubt) + abs(other) + LITTLE)


@helper
def _price(rules, in_round, ahead):
    """Return the points of a card whose cube is expected behind so many cubes, 0 to 3, between the place values."""
    i = 0 if ahead < 1.0 else 1 if ahead < 2.0 else 2
    here = rules.values[in_round, i]
    return here + (ahead - i) * (rules.values[in_round, i + 1] - here)


@helper
def prices(rules, in_round, ahead):
    """Return the expected points of a card of each colour, from how many cubes are expected ahead of each."""
    return (
        _price(rules, in_round, ahead[0]),
        _price(rules, in_round, ahead[1]),
        _price(rules, in_round, ahead[2]),
        _price(rules, in_round, ahead[3]),
    )


@helper
def cubes_ahead(end, doubt):
    """Return how many cubes, 0 to 3, are expected ahead of each.

    Parameters
    ----------
    end : tuple of 4 float
        Expected final space of each cube.
    doubt : tuple of 4 float
        How many spaces it may well be off, each.
    """
    ab = _lead(end[0] - end[1], _sure(doubt[0], doubt[1]))
    ac = _lead(end[0] - end[2], _sure(doubt[0], doubt[2]))
    ad = _lead(end[0] - end[3], _sure(doubt[0], doubt[3]))
    bc = _lead(end[1] - end[2], _sure(doubt[1], doubt[2]))
    bd = _lead(end[1] - end[3], _sure(doubt[1], doubt[3]))
    cd = _lead(end[2] - end[3], _sure(doubt[2], doubt[3]))
    return 1.5 - ab - ac - ad, 1.5 + ab - bc - bd, 1.5 + ac + bc - cd, 1.5 + ad + bd + cd


@helper
def seen_from(values, colour):
    """Return the values of `colour`, `colour` ^ 1, `colour` ^ 2, `colour` ^ 3; twice makes the order of before."""
    a, b, c, d = values
    odd, high = colour & 1 == 1, colour >= 2
    a, b, c, d = (b if odd else a), (a if odd else b), (d if odd else c), (c if odd else d)
    return (c if high else a), (d if high else b), (a if high else c), (b if high else d)


@helper
def leads(own, end, sure):
    """Return half of how surely a cube that is expected to end at `own` leads those at ``end[1:]``."""
    return _lead(own - end[1], sure[0]), _lead(own - end[2], sure[1]), _lead(own - end[3], sure[2])


# --- what a seat has collected -------------------------------------------------------------------------------------
@helper
def _sixteenth(x):
    x = x * x
    x = x * x
    x = x * x
    return x * x


@helper
def signs(rules, in_round, cards, price, coming, weights):
    """Return how a card of each colour counts: 1, or down to -1 if it is likely to be the most frequent (R6.2).

    Parameters
    ----------
    in_round : int
        0 or 1.
    cards : int64
        Set of the cards collected.
    price : tuple of 4 float
    coming : int
        Cards the seat will still collect in this round.
    """
    if in_round == 0 or rules.penalty == 0:
        return 1.0, 1.0, 1.0, 1.0
    prior = LITTLE + weights[W_PATIENCE] * coming
    tie = weights[W_TIE]
    a = _sixteenth(count_of(cards, 0) + prior + tie * price[0])
    b = _sixteenth(count_of(cards, 1) + prior + tie * price[1])
    c = _sixteenth(count_of(cards, 2) + prior + tie * price[2])
    d = _sixteenth(count_of(cards, 3) + prior + tie * price[3])
    twice = 2.0 / (a + b + c + d + 1e-200)
    return 1.0 - twice * a, 1.0 - twice * b, 1.0 - twice * c, 1.0 - twice * d


@helper
def weigh(cards, price):
    """Return the sum of the prices of a set of cards."""
    return (
        count_of(cards, 0) * price[0]
        + count_of(cards, 1) * price[1]
        + count_of(cards, 2) * price[2]
        + count_of(cards, 3) * price[3]
    )


@helper
def product(left, right):
    """Return the products of two tuples of four."""
    return left[0] * right[0], left[1] * right[1], left[2] * right[2], left[3] * right[3]


@helper
def worth(rules, in_round, cards, price, coming, weights):
    """Return the expected points of a collection; `coming` as in `signs`."""
    return weigh(cards, product(price, signs(rules, in_round, cards, price, coming, weights)))


@helper
def best_cards(offered, count, price):
    """Return the `count` cards of highest price of a set that holds more."""
    taken = np.int64(0)
    for _ in range(count):
        a = price[0] if count_of(offered, 0) > 0 else VERY_LOW
        b = price[1] if count_of(offered, 1) > 0 else VERY_LOW
        c = price[2] if count_of(offered, 2) > 0 else VERY_LOW
        d = price[3] if count_of(offered, 3) > 0 else VERY_LOW
        first, second = (0 if a >= b else 1), (2 if c >= d else 3)
        card = cards_of(first if max(a, b) >= max(c, d) else second, 1)
        taken += card
        offered -= card
    return taken


# --- what a seat knows of the others ------------------------------------------------------------------------------
@helper
def cards_of_others(rules, view):
    """Return (cards, share): the set of cards others may hold, and how much of it they do hold.

    The share is less than 1 only where what they have collected is forgotten.
    """
    own = view.seat
    cards = rules.all_cards - view.table - view.played - view.hand[own] - view.laid[own]
    held, forgotten = np.int64(0), np.int64(0)
    for seat in range(rules.n_seats):
        if view.collected[seat] == HIDDEN:
            forgotten += view.n_collected[seat]
        else:
            cards -= view.collected[seat]
        if seat != own:
            held += view.n_hand[seat]
    return cards, (held / (held + forgotten) if forgotten > 0 else 1.0)


@helper
def stake_in(rules, in_round, cards, coming, weights):
    """Return how many cards of each colour a collection holds, as they are likely to count; `coming` as in `signs`."""
    sign = signs(rules, in_round, cards, (0.0, 0.0, 0.0, 0.0), coming, weights)
    return (
        sign[0] * count_of(cards, 0),
        sign[1] * count_of(cards, 1),
        sign[2] * count_of(cards, 2),
        sign[3] * count_of(cards, 3),
    )


@helper
def above_mean(values):
    """Return by how much each of four values is above their mean."""
    mean = 0.25 * (values[0] + values[1] + values[2] + values[3])
    return values[0] - mean, values[1] - mean, values[2] - mean, values[3] - mean


@helper
def expected_run(rules, count, doing):
    """Return how far so many cards are expected to move their cube: a space each, and `doing` of what more they could.

    `doing` is cut to the range from 0, each card played by itself, to 1, all at once.
    """
    return count + min(1.0, max(0.0, doing)) * (run_of(rules, count) - count)


@helper
def expected_runs(rules, cards, base, slope, wish):
    """Return `expected_run` for each colour of a set of cards, `doing` growing with the wish for the colour."""
    return (
        expected_run(rules, count_of(cards, 0), base + slope * wish[0]),
        expected_run(rules, count_of(cards, 1), base + slope * wish[1]),
        expected_run(rules, count_of(cards, 2), base + slope * wish[2]),
        expected_run(rules, count_of(cards, 3), base + slope * wish[3]),
    )


@helper
def plus(left, right):
    """Return the sums of two tuples of four."""
    return left[0] + right[0], left[1] + right[1], left[2] + right[2], left[3] + right[3]


@helper
def times(factor, values):
    """Return four values, each multiplied."""
    return factor * values[0], factor * values[1], factor * values[2], factor * values[3]


@helper
def rivals(rules, view, in_round, left, weights):
    """Return what others have collected on average, as it is likely to count, and how far they may move each cube.

    Parameters
    ----------
    in_round : int
        0 or 1.
    left : tuple of 4 float
        Cards of each colour in their hands, expected where they are not known.
    """
    stakes, runs = (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    known = in_round == 1 and rules.remembered == 1
    for seat in range(rules.n_seats):
        if seat != view.seat and view.collected[seat] != HIDDEN:
            coming = rules.hand_size - view.n_collected[seat]
            stake = stake_in(rules, in_round, np.int64(view.collected[seat]), coming, weights)
            stakes = plus(stakes, stake)
            if known and view.n_hand[seat] > 0:
                hand, base, slope = np.int64(view.hand[seat]), weights[W_RUN_KNOWN], weights[W_FOLLOW]
                runs = plus(runs, expected_runs(rules, hand, base, slope, above_mean(stake)))
    stakes = times(1.0 / (rules.n_seats - 1), stakes)
    if not known:
        base, slope, wish = weights[W_RUN_OTHERS], weights[W_FOLLOW], above_mean(stakes)
        runs = (
            left[0] * max(1.0, base + slope * wish[0]),
            left[1] * max(1.0, base + slope * wish[1]),
            left[2] * max(1.0, base + slope * wish[2]),
            left[3] * max(1.0, base + slope * wish[3]),
        )
    return stakes, runs


@helper
def favourite(cards):
    """Return the first of the colours a set holds most of."""
    best = 0
    for colour in range(1, N_COLOURS):
        if count_of(cards, colour) > count_of(cards, best):
            best = colour
    return best


def choose_by_price(rules, view, moves, n, weights, memory, rng):
    """Choose the move of highest value by these weights."""
    if n == 1:
        return 0
    own = view.seat
    hand = np.int64(view.hand[own])
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, 0, 0
    if view.phase == PREPARE:
        for i in range(n):
            count = count_of(hand, colour_of(moves[i]))
            value = weights[W_LAY] * (run_of(rules, count - 1) - run_of(rules, count))
            best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
        return index

    in_round = view.round_number - 1
    others, share = cards_of_others(rules, view)
    collected = np.int64(view.collected[own])
    coming = rules.hand_size - view.n_collected[own]
    left = times(share, (count_of(others, 0), count_of(others, 1), count_of(others, 2), count_of(others, 3)))
    runs = times(weights[W_RUN_OTHERS], left)
    stake = (0.0, 0.0, 0.0, 0.0)
    if weights[W_RIVALS] != 0.0 or weights[W_FOLLOW] != 0.0 or weights[W_RUN_KNOWN] != 0.0:
        stake, runs = rivals(rules, view, in_round, left, weights)
    wish = above_mean(stake_in(rules, in_round, collected, coming, weights))
    runs = plus(runs, expected_runs(rules, hand, weights[W_RUN_OWN], weights[W_INTENT], wish))
    end = plus((view.space[0], view.space[1], view.space[2], view.space[3]), runs)
    one = weights[W_DOUBT]
    doubt = plus((one, one, one, one), times(weights[W_DOUBT_CARD], left))
    ahead = cubes_ahead(end, doubt)
    price = prices(rules, in_round, ahead)
    table = view.table
    if view.phase != PLAY:
        joining = table + view.played
        for i in range(n):
            taken = np.int64(moves[i])
            value = worth(rules, in_round, collected + taken, price, coming - n_cards(taken), weights)
            value -= weights[W_FEED] * weigh(joining - taken, price)
            if in_round == 0 and weights[W_NEXT] != 0.0:
                value += weights[W_NEXT] * runs_of(rules, collected + taken)
            best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
        return index

    sign = signs(rules, in_round, collected, price, coming, weights)
    raced = favourite(collected + hand) if in_round == 0 else 0
    offered = rules.n_seats - view.n_out
    tempo = weights[W_TEMPO_1] if in_round == 0 else weights[W_TEMPO_2]
    power = weights[W_POWER_1] if in_round == 0 else weights[W_POWER_2]
    colour, held = -1, 0
    for i in range(n):
        move = np.int64(moves[i])
        if colour != colour_of(move):
            colour = colour_of(move)
            held = count_of(hand, colour)
            turned_end, turned_ahead = seen_from(end, colour), seen_from(ahead, colour)
            doing = weights[W_RUN_OWN] + weights[W_INTENT] * seen_from(wish, colour)[0]
            before_run = expected_run(rules, held, doing)
            off = seen_from(doubt, colour)
            sure = _sure(off[0], off[1]), _sure(off[0], off[2]), _sure(off[0], off[3])
            before = leads(turned_end[0], turned_end, sure)
        count = count_of(move, colour)
        step = landing(rules, view, colour, run_of(rules, count)) - view.space[colour]
        lost = run_of(rules, held) - run_of(rules, held - count)  # of what the rest can carry the cube
        moved = step + expected_run(rules, held - count, doing) - before_run
        gain = leads(turned_end[0] + moved, turned_end, sure)
        b, c, d = gain[0] - before[0], gain[1] - before[1], gain[2] - before[2]
        shifted = turned_ahead[0] - b - c - d, turned_ahead[1] + b, turned_ahead[2] + c, turned_ahead[3] + d
        after = prices(rules, in_round, seen_from(shifted, colour))
        if count < offered:
            taken = best_cards(table, count, product(after, sign))
        else:
            taken = table + cards_of(colour, count - offered)
        gained = collected + taken
        value = worth(rules, in_round, gained, after, coming - count, weights)
        harm = product(stake, after)
        value -= weights[W_RIVALS] * (harm[0] + harm[1] + harm[2] + harm[3])
        value += tempo * count - power * lost - weights[W_FEED] * weigh(table + move - taken, after)
        if in_round == 0:
            value += weights[W_RACE] * seen_from(after, raced)[0]
            if weights[W_NEXT] != 0.0:
                value += weights[W_NEXT] * runs_of(rules, gained)
        if count == held:
            value += weights[W_WHOLE]
            if move == hand:
                value += weights[W_TILE] * rules.tiles[view.n_out + 1]
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


# --- players -------------------------------------------------------------------------------------------------------
WEIGHTS = (
    Weight("run_own", 0.0, "how much of what the own cards can move a cube beyond a space each is expected to happen; "
                           "with the next weight cut to 0..1"),
    Weight("run_others", 0.0, "spaces that every card of others is expected to move its cube"),
    Weight("run_known", 0.0, "round 2: the same for others, whose hands are known"),
    Weight("intent", 0.0, "how much more of it for every card collected of the colour above the average colour"),
    Weight("follow", 0.0, "the same for what others move with the colours they have collected"),
    Weight("doubt", 0.0, "spaces that an expected final space may be off; 0: cubes are taken to stay where they are"),
    Weight("doubt_card", 0.0, "the same for every card of the colour that others hold"),
    Weight("patience", 0.0, "round 2: how little the present most frequent colour says while cards are to come"),
    Weight("tie", 0.1, "round 2: cards by which a point of price makes a colour more likely to count negative"),
    Weight("rivals", 0.0, "points of others, on average, that are as bad as a point of one's own is good"),
    Weight("tempo_1", 0.0, "wish to play many cards in round 1, per card"),
    Weight("tempo_2", 0.0, "wish to play many cards in round 2, per card"),
    Weight("power_1", 0.0, "wish to keep what the hand can move cubes in round 1, per space"),
    Weight("power_2", 0.0, "wish to keep what the hand can move cubes in round 2, per space"),
    Weight("next", 0.0, "round 1: worth of what the collected cards can move cubes in round 2, per space"),
    Weight("tile", 0.0, "wish to go out, per point of the tile"),
    Weight("feed", 0.0, "dislike of what is left on the table, per point of price"),
    Weight("whole", 0.0, "wish to play a colour entirely"),
    Weight("race", 0.0, "round 1: cards by which the colour held and collected most counts more"),
    Weight("lay", 1.0, "wish to lay cards that the hand can miss, per space it could move cubes with them"),
    Weight("noise", 0.0, "random amount added to the value of each option, up to this"),
)  # fmt: skip


def by_price(name: str, summary: str, **weights: float) -> Player:
    """Return a player that chooses by price with these weights, the others having their defaults."""
    return weighted_player(name, summary, choose_by_price, WEIGHTS, **weights)


# Tuned by CMA-ES: pricer against racers with 3, 4 and 5 seats, planner against pricers with 5 seats, which also suits 3
# and 4. A hand of few colours turned out to be worth a little less in round 2 than a mixed one, and going out early not
# to be worth the cards it costs.
PRICED = {
    "run_own": 0.43, "run_others": 2.13, "intent": 0.09, "doubt": 1.21, "doubt_card": 0.47, "patience": 0.58,
    "tie": 0.13, "tempo_1": -0.13, "tempo_2": 0.11,
}  # fmt: skip
PLANNED = {
    "run_own": -0.31, "run_others": 1.36, "run_known": 0.51, "intent": 0.23, "follow": 0.02, "doubt": 1.78,
    "doubt_card": -0.04, "patience": 1.27, "tie": 0.1, "rivals": 1.34, "tempo_1": 0.69, "tempo_2": -0.07,
    "power_1": -0.02, "power_2": -0.09, "next": -0.03, "tile": -0.32, "feed": -0.2,
}  # fmt: skip

PLAYERS = (
    Player("random", choose_random, "Any legal move, all equally likely."),
    by_price("dump_longest", "Plays the longest colour it holds, and takes what scores most as cubes stand.",
             tempo_1=100, tempo_2=100, lay=-1),
    by_price("one_at_a_time", "Plays single cards only, at prices that hardly look beyond where cubes stand.",
             tempo_1=-100, tempo_2=-100, run_own=0.07, doubt=5, patience=0.5),
    by_price("racer", "Moves the cube of the colour it holds and collects most, and takes what scores most.",
             race=20, whole=1),
    by_price("rusher", "Wants the biggest tile: plays a whole colour every turn.", whole=100, tile=1),
    by_price("balancer", "Spreads its collection in round 2, with an eye on the cards to come.", patience=0.25,
             tie=0.3),
    by_price("pricer", "Prices cards by the place their cube is expected to reach.", **PRICED),
    by_price("planner", "Plans both rounds: forecasts what others do with what they hold and collect, and weighs their "
             "gains, its tile and its next hand.", **PLANNED),
)  # fmt: skip
