"""The scripted players of Momiji.

All but ``random`` look at the table in the same way. A stack is worth its points and, while it is open, what its
cards may still rise; a card in hand is worth what it may do on the own stack of its type; a pair of facing acorns is
worth the acorns of the plays to come; a goal is worth its points times the chance to be best at it. Hopes shrink as
the deck does. A player is a set of weights on these worths, so every difference between players has a name and can be
set in a player spec.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper
from meeplecarlo.games.choosing import VERY_LOW, choose_random, keep_better
from meeplecarlo.games.momiji import MAX_TYPES
from meeplecarlo.games.momiji.cards import (
    acorns_meet,
    cards_in,
    count_of,
    count_pairs,
    faces_of,
    first_face,
    measure_of,
    one,
    top_value,
)
from meeplecarlo.games.momiji.state import (
    A_ACTIVATE,
    A_COLLECT,
    A_DISCARD,
    A_LANDSCAPE,
    A_PAIR,
    A_PLAY,
    A_REVEAL,
    A_TRADE,
    ACTION,
    AFTER,
    CARDS_OF_TYPE,
    CARDS_OF_VALUE,
    CLAIM_GOAL,
    CLOSED_STACKS,
    CLOSING,
    COLLECT_SECOND,
    DISPLAY,
    DRAW,
    GAIN,
    LEFT,
    MAIN,
    MORE,
    NONE,
    OF_GOAL,
    OF_TYPE,
    PAIR_CODE,
    PLACE_EXTRA,
    REVEAL_COLLECT,
    ROW,
    SUM_OF_TOPS,
    TAKE_OTHER,
)
from meeplecarlo.registry import Player, Weight, weighted_player

# Weights by index; WEIGHTS below names and explains them.
(
    W_RISE_0,
    W_RISE_1,
    W_RISE_2,
    W_BEGIN,
    W_CLOSE,
    W_AHEAD,
    W_FIT,
    W_HIGH,
    W_LIFT,
    W_LATER,
    W_OVER,
    W_ACORN,
    W_PAIR,
    W_REVEAL,
    W_FRESH,
    W_TRADE,
    W_POWER,
    W_LEAD,
    W_HOPE,
    W_CHANCE,
    W_MARGIN,
    W_ACTIVATE,
    W_LAST,
    W_NOISE,
) = range(24)

WAIT = -1e5  # worth of what can as well be done after the main action


# --- what things are worth -----------------------------------------------------------------------------------------
@helper
def time_left(rules, weights, view):
    """Return how much of the game is to come: 1 at the start, towards 0 as the deck runs out."""
    if view.trigger != NONE:
        return weights[W_LAST] if view.round_number == view.trigger_round else 0.0
    deck = rules.n_cards - rules.n_seats * rules.hand_size - DISPLAY
    return view.deck_left / max(deck, 1)


@helper
def stack_worth(weights, time, close, value, cards):
    """Return what a stack of so many cards with this value on top is worth; `close` is the wish to close it."""
    if value == CLOSING:
        return value * cards + close
    return cards * (value + time * weights[W_RISE_0 + value]) + time * weights[W_BEGIN]


@helper
def card_worth(rules, weights, view, seat, time, kind, face):
    """Return what a card in hand is worth to `seat`."""
    value = np.int64(rules.value[face])
    top = view.top[seat, kind]
    if top == NONE:
        if value == 0:
            return time * weights[W_FIT]
        return time * (weights[W_LATER] + weights[W_HIGH] * value)
    rise = value - np.int64(rules.value[top])
    if rise < 0 or rules.may_follow[top + 1] == 0:
        return 0.0
    lift = weights[W_LIFT] * rise * view.stack_cards[seat, kind] + weights[W_HIGH] * value
    return time * ((weights[W_FIT] if rise <= 1 else weights[W_LATER]) + lift)


@helper
def bundle_worth(rules, weights, view, seat, time, kind, bundle):
    """Return what the cards of a bundle are worth in the hand of `seat`, which may get too full."""
    worth = 0.0
    faces = faces_of(bundle)
    while faces != 0:
        face = first_face(faces)
        faces &= faces - 1
        worth += count_of(bundle, face) * card_worth(rules, weights, view, seat, time, kind, face)
    excess = view.hand_cards[seat] + cards_in(bundle) - rules.hand_limit
    return worth - weights[W_OVER] * max(0, excess)


@helper
def two_least(rules, weights, view, seat, time):
    """Return what the two least worthy cards in the hand of `seat` are worth together."""
    least, second = -VERY_LOW, -VERY_LOW
    for kind in range(rules.n_types):
        bundle = view.hand[seat, kind]
        faces = faces_of(bundle)
        while faces != 0:
            face = first_face(faces)
            faces &= faces - 1
            worth = card_worth(rules, weights, view, seat, time, kind, face)
            if worth < least:
                second = worth if count_of(bundle, face) > 1 else least
                least = worth
            elif worth < second:
                second = worth
    return least + second


@helper
def pair_change(rules, view, seat, kind, face, side):
    """Return how many more pairs of facing acorns there are after a card is laid, -2 to 2."""
    n = view.stacks[seat]
    old = view.top[seat, kind]
    if old == NONE:
        if n == 0:
            return np.int64(0)
        if side == LEFT:
            return acorns_meet(rules, face, view.top[seat, view.in_line[seat, 0]])
        return acorns_meet(rules, view.top[seat, view.in_line[seat, n - 1]], face)
    place = np.int64(0)
    while view.in_line[seat, place] != kind:
        place += 1
    change = np.int64(0)
    if place > 0:
        other = view.top[seat, view.in_line[seat, place - 1]]
        change += acorns_meet(rules, other, face) - acorns_meet(rules, other, old)
    if place + 1 < n:
        other = view.top[seat, view.in_line[seat, place + 1]]
        change += acorns_meet(rules, face, other) - acorns_meet(rules, old, other)
    return change


@helper
def margin_of(rules, view, seat, goal):
    """Return (own measure, own measure minus the best other one) of a goal."""
    own = measure_of(rules, view, seat, goal)
    best = np.int64(0)
    for other in range(rules.n_seats):
        if other != seat:
            best = max(best, measure_of(rules, view, other, goal))
    return own, own - best


@helper
def look_at_goals(rules, weights, view, seat, goals):
    """Fill ``goals`` (float64, shape (2, MAX_TYPES)): what a step towards each goal is worth, and the own measure."""
    for place in range(rules.n_types):
        own, margin = margin_of(rules, view, seat, view.goal[place])
        holder = view.holder[place]
        if holder == seat:
            prize = float(rules.goal_points)
        elif holder != NONE:
            prize = float(rules.other_goal_points)
        else:
            prize = weights[W_HOPE] * rules.goal_points * rules.activation
        goals[0, place] = weights[W_LEAD] * prize / (1.0 + abs(margin))
        goals[1, place] = own


@helper
def goal_gain(rules, view, goals, kind, old_value, value, cards):
    """Return what a card adds that raises the top of a stack from `old_value` to `value` and makes it `cards` high."""
    gain = 0.0
    for place in range(rules.n_types):
        goal = view.goal[place]
        measure, argument = rules.measure[goal], rules.argument[goal]
        if measure == CARDS_OF_TYPE:
            steps = 1 if argument == kind else 0
        elif measure == CARDS_OF_VALUE:
            steps = 1 if argument == value else 0
        elif measure == SUM_OF_TOPS:
            steps = value - old_value
        elif measure == CLOSED_STACKS:
            steps = 1 if value == CLOSING else 0
        else:
            steps = 1 if cards > goals[1, place] else 0
        gain += steps * goals[0, place]
    return gain


@helper
def claim_worth(rules, weights, view, seat, place, time, cost):
    """Return what claiming a goal for so many acorns is worth."""
    _, margin = margin_of(rules, view, seat, view.goal[place])
    chance = weights[W_CHANCE] + weights[W_MARGIN] * margin / (0.2 + time)
    chance = min(1.0, max(0.0, chance))
    points = chance * rules.goal_points - (1.0 - chance) * rules.other_goal_points
    return points - cost * weights[W_ACORN] + weights[W_ACTIVATE]


@helper
def close_worth(rules, weights, view, seat):
    """Return the wish to close a stack: more for who is ahead, less for who is behind, if `ahead` is set."""
    if weights[W_AHEAD] == 0.0:
        return weights[W_CLOSE]
    own, best = np.int64(0), np.int64(0)
    for other in range(rules.n_seats):
        points = np.int64(view.acorns[other])
        for kind in range(rules.n_types):
            points += top_value(rules, view, other, kind) * view.stack_cards[other, kind]
        if other == seat:
            own = points
        else:
            best = max(best, points)
    return weights[W_CLOSE] + (weights[W_AHEAD] if own > best else -weights[W_AHEAD])


# --- laying cards --------------------------------------------------------------------------------------------------
@helper
def lay_gain(rules, weights, view, seat, time, close, goals, kind, old, cards, face):
    """Return what is gained by laying a card from the hand on a stack, acorns apart.

    Parameters
    ----------
    old : int
        Face on top of the stack before, or NONE.
    cards : int
        Cards in it before.
    """
    value = np.int64(rules.value[face])
    old_value = np.int64(0)
    gain = stack_worth(weights, time, close, value, cards + 1)
    if old != NONE:
        old_value = np.int64(rules.value[old])
        gain -= stack_worth(weights, time, close, old_value, cards)
    gain -= card_worth(rules, weights, view, seat, time, kind, face)
    if weights[W_LEAD] != 0.0:
        gain += goal_gain(rules, view, goals, kind, old_value, value, cards + 1)
    return gain


@helper
def second_gain(rules, weights, view, seat, time, close, goals, kind, face):
    """Return the most that a second card of the type can gain after a card of this face was laid, at least 0."""
    best = 0.0
    faces = faces_of(view.hand[seat, kind] - one(face)) & rules.may_follow[face + 1]
    cards = np.int64(view.stack_cards[seat, kind]) + 1
    while faces != 0:
        second = first_face(faces)
        faces &= faces - 1
        best = max(best, lay_gain(rules, weights, view, seat, time, close, goals, kind, face, cards, second))
    return best


@helper
def weigh_plays(rules, weights, view, seat, time, close, goals, moves, n, worths):
    """Set ``worths[i]`` for every move that lays a card as part of a play, seen together with what may follow.

    A play of different types is worth the gains of the best card of each type, as far as they are positive, and the
    acorns of its pairs; a play of one type the gain of its two cards.
    """
    best = np.zeros(MAX_TYPES)
    types_open = 0
    after_first = view.phase == MORE and view.n_placed == 1
    pair_points = weights[W_ACORN] * rules.pair_acorns
    for i in range(n):
        move = moves[i]
        if move // ACTION != A_PLAY:
            continue
        card, side = move % ROW // 4, move % 4
        kind, face = card >> 4, card & 15
        old, cards = view.top[seat, kind], np.int64(view.stack_cards[seat, kind])
        gain = lay_gain(rules, weights, view, seat, time, close, goals, kind, old, cards, face)
        change = pair_change(rules, view, seat, kind, face, side)
        gain += time * weights[W_PAIR] * change
        same = after_first and (view.placed >> kind) & 1 == 1
        if not same:
            gain += pair_points * change
            if move % ACTION < ROW:
                if best[kind] == 0.0:
                    types_open += 1
                best[kind] = max(best[kind], gain, 1e-9)
        if move % ACTION >= ROW:  # by a landscape
            gain -= weights[W_ACORN] + time * weights[W_POWER]
        worths[i] = gain
    total = 0.0
    for kind in range(MAX_TYPES):
        total += best[kind]
    income = pair_points * count_pairs(rules, view, seat)
    for i in range(n):
        move = moves[i]
        if move // ACTION != A_PLAY:
            continue
        card = move % ROW // 4
        kind, face = card >> 4, card & 15
        if view.phase == MAIN:
            gain = worths[i]
            others = types_open - (1 if best[kind] > 0.0 else 0)
            if others > 0:
                worths[i] = gain + total - best[kind] + income
            second = second_gain(rules, weights, view, seat, time, close, goals, kind, face)
            worths[i] = max(worths[i], gain + second)
        elif after_first and (view.placed >> kind) & 1 == 0:
            worths[i] += total - best[kind] + income


# --- the other moves -----------------------------------------------------------------------------------------------
@helper
def power_worth(rules, weights, view, seat, time, close, goals, move):
    """Return what using a landscape is worth beside the main action."""
    row, operand = move % ACTION // ROW, move % ROW
    landscape = view.landscape[seat, row - 1]
    effect, amount = rules.effect[landscape], np.int64(rules.amount[landscape])
    cost = weights[W_ACORN] + time * weights[W_POWER]
    if effect == COLLECT_SECOND:
        kind = operand - OF_TYPE
        return bundle_worth(rules, weights, view, seat, time, kind, view.display[kind]) - cost
    kind, face, side = operand // 64, operand // 4 % 16, operand % 4
    if effect == TAKE_OTHER:
        return bundle_worth(rules, weights, view, seat, time, kind, one(face)) - cost
    if effect == PLACE_EXTRA:
        old, cards = view.top[seat, kind], np.int64(view.stack_cards[seat, kind])
        gain = lay_gain(rules, weights, view, seat, time, close, goals, kind, old, cards, face)
        return gain + time * weights[W_PAIR] * pair_change(rules, view, seat, kind, face, side) - cost
    if effect == GAIN:
        return weights[W_ACORN] * amount - cost
    if effect == DRAW:
        drawn = min(amount, view.deck_left)
        excess = max(0, view.hand_cards[seat] + drawn - rules.hand_limit)
        return time * weights[W_FRESH] * drawn - weights[W_OVER] * excess - cost
    return claim_worth(rules, weights, view, seat, operand - OF_GOAL, time, amount) - cost  # CLAIM_GOAL


def choose_by_worth(rules, view, moves, n, weights, memory, rng):
    """The move that is worth most, as the weights see it."""
    if n == 1:
        return 0
    seat, phase = view.seat, view.phase
    time = time_left(rules, weights, view)
    worths = np.zeros(n)
    goals = np.zeros((2, MAX_TYPES))
    close = 0.0
    last = np.int64(moves[n - 2])  # of the moves of the phase after, the one before the end of the turn
    if phase == MAIN or phase == MORE or (phase == AFTER and last // ACTION == A_LANDSCAPE):
        close = close_worth(rules, weights, view, seat)
        if weights[W_LEAD] != 0.0:
            look_at_goals(rules, weights, view, seat, goals)
    if phase == MAIN or phase == MORE:
        weigh_plays(rules, weights, view, seat, time, close, goals, moves, n, worths)
    collecting = 0.0  # worth of the best collecting
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        move = np.int64(moves[i])
        action = min(move // ACTION, A_PAIR)
        worth = worths[i]
        if action == A_COLLECT:
            worth = bundle_worth(rules, weights, view, seat, time, move, view.display[move])
            collecting = max(collecting, worth)
        elif action == A_REVEAL:
            worth = collecting + time * weights[W_REVEAL] - weights[W_ACORN]
        elif action == A_ACTIVATE:
            worth = claim_worth(rules, weights, view, seat, move % ACTION, time, rules.goal_cost)
        elif action == A_TRADE:
            if phase == AFTER:
                worth = weights[W_ACORN] + weights[W_TRADE] - two_least(rules, weights, view, seat, time)
            else:
                worth = WAIT
        elif action == A_PAIR:
            first, second = (move - PAIR_CODE) // 128, move % 128
            worth = -card_worth(rules, weights, view, seat, time, first >> 4, first & 15)
            worth -= card_worth(rules, weights, view, seat, time, second >> 4, second & 15)
        elif action == A_DISCARD:
            worth = -card_worth(rules, weights, view, seat, time, move % ACTION >> 4, move & 15)
        elif action == A_LANDSCAPE:
            effect = rules.effect[view.landscape[seat, move % ACTION // ROW - 1]]
            if effect == REVEAL_COLLECT:
                worth = collecting + time * (weights[W_REVEAL] - weights[W_POWER]) - weights[W_ACORN]
            elif phase == AFTER:
                worth = power_worth(rules, weights, view, seat, time, close, goals, move)
            else:  # it can wait until the main action is done
                worth = WAIT + (weights[W_ACTIVATE] if effect == CLAIM_GOAL else 0.0)
        best, index, equal = keep_better(worth, i, best, index, equal, noise, rng)
    return index


WEIGHTS = (
    Weight("rise_0", 0.0, "points each card of an open stack with a 0 on top is hoped to rise, at the start"),
    Weight("rise_1", 0.0, "the same with a 1 on top"),
    Weight("rise_2", 0.0, "the same with a 2 on top"),
    Weight("begin", 0.0, "worth of a stack being open, at the start"),
    Weight("close", 0.0, "wish to close stacks"),
    Weight("ahead", 0.0, "further wish to close stacks for who is ahead, and as much less for who is not"),
    Weight("fit", 0.0, "worth of a card in hand that can be laid now, at the start"),
    Weight("high", 0.0, "worth of a card in hand per point of its value, if it may yet be laid"),
    Weight("lift", 0.0, "worth of a card in hand per card of its stack and point by which it raises the top"),
    Weight("later", 0.0, "worth of a card in hand that others must be laid before"),
    Weight("over", 0.0, "what a card above the hand limit costs"),
    Weight("acorn", 1.0, "worth of an acorn"),
    Weight("pair", 0.0, "worth of a pair of facing acorns for the plays to come, at the start"),
    Weight("reveal", 0.0, "hope in a reveal beyond the best type in the display, at the start"),
    Weight("fresh", 0.0, "worth of a card drawn unseen, at the start"),
    Weight("trade", 0.0, "wish to trade cards"),
    Weight("power", 0.0, "reluctance to use a landscape, at the start"),
    Weight("lead", 0.0, "worth of a step towards a goal as part of its points, while the race is even"),
    Weight("hope", 0.0, "part of its points a goal counts for that nobody has claimed"),
    Weight("chance", 0.5, "chance to be best at a goal in the end while all are even"),
    Weight("margin", 0.0, "how much each step of lead or lag changes it, at the end six times as much as at the start"),
    Weight("activate", 0.0, "wish to claim goals; very low: never"),
    Weight("last", 0.1, "what hopes are still worth in the round that triggers the end"),
    Weight("noise", 0.0, "uniform noise on the worth of every option"),
)


def by_worth(name: str, summary: str, **weights: float) -> Player:
    """Return a player that chooses by worth with these weights, the others as in WEIGHTS."""
    return weighted_player(name, summary, choose_by_worth, WEIGHTS, **weights)


HAND = {"fit": 3.0, "later": 1.5, "over": 2.0, "fresh": 1.0}  # a wish for cards that fits most plans

# Tuned by CMA-ES on win shares and leads at two, three and four seats, against itself, builder and hunter.
TUNED = {
    "rise_0": 4.25,
    "rise_1": 1.49,
    "rise_2": -0.72,
    "begin": 3.75,
    "close": -2.82,
    "fit": 6.32,
    "high": -0.13,
    "lift": 0.47,
    "later": 2.18,
    "over": 2.11,
    "pair": -1.77,
    "reveal": -0.13,
    "fresh": -1.20,
    "trade": -0.62,
    "power": -0.05,
    "lead": 0.04,
    "hope": -0.32,
    "chance": -1.81,
    "margin": 0.58,
    "activate": -2.58,
    "last": 1.51,
}

PLAYERS = (
    Player("random", choose_random, "Any legal move, all equally likely: the floor others must beat."),
    by_worth(
        "collector", "Collects until its hand is full, and only then plays what raises its stacks.",
        fit=4, later=2, lift=0.5, over=4, reveal=1.5, fresh=1, rise_0=2, begin=3, activate=-4, margin=0.1,
    ),
    by_worth(
        "racer", "Stack racer: holds few cards back, raises its stacks as fast as it can and closes them.",
        fit=1.5, later=0.5, high=0.3, over=2, fresh=0.5, lift=0.5, close=4, rise_0=0.5, begin=1, activate=-2,
        margin=0.1,
    ),
    by_worth(
        "farmer", "Acorn farmer: plays different types with facing acorns, and keeps its row that way.",
        **HAND, lift=0.3, acorn=2, pair=3, rise_0=2, rise_1=0.5, begin=3, activate=-6, margin=0.1,
    ),
    by_worth(
        "hunter", "Goal hunter: works for goals from the start, and claims them early.",
        **HAND, lift=0.3, lead=0.5, hope=0.4, chance=0.3, margin=0.2, rise_0=2, rise_1=0.5, begin=3,
    ),
    by_worth(
        "closer", "Closes stacks when it is ahead, to end the game early, and keeps them open when it is not.",
        fit=2, later=1, over=2, fresh=1, lift=0.4, close=2, ahead=4, rise_0=1, begin=2, activate=-2, margin=0.1,
    ),
    by_worth(
        "builder", "Builds tall stacks: looks at value times cards and what they may still rise, and at no goal.",
        **HAND, lift=0.6, rise_0=3, rise_1=1, rise_2=0.3, begin=4, activate=-1000, margin=0.1,
    ),
    by_worth("balanced", "Weighs all of this, with weights tuned by self-play.", **TUNED),
)  # fmt: skip
