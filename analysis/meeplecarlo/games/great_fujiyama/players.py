"""The scripted players of Great Fujiyama.

All but ``random`` lay each of their tiles on each place in their mind and weigh the *outlook*: how likely each seat is
to be stuck on its next turn, given the hands that can be seen and the tiles that cannot; how many places the tiles
still to come would find; how scarce the tiles are that each place needs, and the lowest place that no tile is left for.
`planner` also plays on in its mind: what the next seats would lay, as far as their hands can be seen. A player is a
set of weights on all this, so every difference between players has a name and can be set in a player spec.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import MAX_SEATS, helper
from meeplecarlo.games.choosing import VERY_LOW, choose_random, count_bits, keep_better
from meeplecarlo.games.great_fujiyama.rules import box_set, fitting, hand_set, lay
from meeplecarlo.games.great_fujiyama.state import ANY, COLUMNS, HIDDEN, MAX_OPEN, MAX_TILES, NONE
from meeplecarlo.registry import Player, Weight, weighted_player

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
    W_AHEAD,
    W_NOISE,
) = range(15)

STUCK = 1e3  # what a line of play loses that leaves a seat without a move: more than all else can be worth

# How free a tile is by the number of places it fits, up to four: each place halves the chance that all are taken.
FREE = np.array([0.0, 0.5, 0.75, 0.875, 0.95])


# --- laying a tile in the mind, and taking it back ------------------------------------------------------------------
@helper
def _remember(view, places, needs):
    """Copy the open places of `view`, so that `_take_back` can restore them; return their number."""
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


# --- what a position is worth ---------------------------------------------------------------------------------------
@helper
def _needs_at(needs, i):
    """Return how many corners of the i-th open place are bound to a season, 1 to 3."""
    return np.int64(needs[i, 0] != ANY) + np.int64(needs[i, 1] != ANY) + np.int64(needs[i, 2] != ANY)


@helper
def _freedom(once, twice, thrice, more, tiles):
    """Return the mean of FREE over a set of tiles, given which fit on at least one, two, three, four places."""
    n = count_bits(tiles)
    if n == 0:
        return 0.0
    total = FREE[1] * count_bits(once & tiles)
    total += (FREE[2] - FREE[1]) * count_bits(twice & tiles)
    total += (FREE[3] - FREE[2]) * count_bits(thrice & tiles)
    total += (FREE[4] - FREE[3]) * count_bits(more & tiles)
    return total / n


@helper
def outlook(rules, weights, view, mover, known, unknown):
    """Return what the position is worth after `mover` has laid a tile.

    Parameters
    ----------
    known : ndarray of int64, shape (MAX_SEATS,)
        Set of the tiles each seat is known to hold.
    unknown : ndarray of int64, shape (MAX_SEATS,)
        Number of tiles each seat holds besides.
    """
    tiles = box_set(rules) & ~view.laid
    unseen = tiles
    for seat in range(rules.n_seats):
        unseen &= ~known[seat]
    once, twice, thrice, more = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    ground = np.int64(0)
    rare, dead = 0.0, rules.width
    needing_two, needing_three = 0, 0
    for i in range(view.n_open):
        fit = np.int64(0)
        for turn in range(rules.turns):
            fit |= fitting(rules, view, i, turn)
        more |= thrice & fit
        thrice |= twice & fit
        twice |= once & fit
        once |= fit
        station = view.open_place[i] // COLUMNS
        if station == 0:
            ground |= fit
        else:
            left = count_bits(fit & tiles)
            rare += 1.0 / (1.0 + left)
            if left == 0:
                dead = min(dead, station)
        needs = _needs_at(view.open_need, i)
        needing_two += needs == 2
        needing_three += needs == 3
    if view.count[0] < rules.width and ground & tiles == 0:  # either end may serve station 1
        dead = 0
    n_unseen = count_bits(unseen)
    fit_share = count_bits(once & unseen) / n_unseen if n_unseen > 0 else 0.0
    hold = weights[W_HOLD]
    miss = 1.0 - fit_share + fit_share * hold
    risk, share = 0.0, 1.0
    for j in range(1, rules.n_seats + 1):
        seat = (mover + j) % rules.n_seats
        risk += share * hold ** count_bits(once & known[seat]) * miss ** unknown[seat]
        share *= weights[W_LATER]
    return (
        weights[W_DEAD] * dead
        + weights[W_FREEDOM] * _freedom(once, twice, thrice, more, tiles)
        - weights[W_RISK] * risk
        - weights[W_RARE] * rare
        + weights[W_OPEN] * view.n_open
        + weights[W_OPEN_TWO] * needing_two
        + weights[W_OPEN_THREE] * needing_three
    )


@helper
def place_worth(weights, station, needs):
    """Return what it is worth by itself to fill a place of a station (from 0) with so many bound corners."""
    worth = weights[W_CLIMB] * station + (weights[W_GROUND] if station == 0 else 0.0)
    if needs == 2:
        worth += weights[W_TWO]
    elif needs == 3:
        worth += weights[W_THREE]
    return worth


# --- looking ahead --------------------------------------------------------------------------------------------------
@helper
def _try(rules, weights, view, seat, i, turn, tile, known, unknown, places, needs, n_open):
    """Return what it is worth for `seat` to lay a known tile on the i-th open place; the view is as before."""
    place = np.int64(places[i])
    worth = place_worth(weights, place // COLUMNS, _needs_at(needs, i))
    lay(rules, view, place, turn, tile)
    held = known[seat]
    known[seat] &= ~(np.int64(1) << tile)
    unknown[seat] += 1
    worth += outlook(rules, weights, view, seat, known, unknown)
    known[seat] = held
    unknown[seat] -= 1
    _take_back(view, place, tile, places, needs, n_open)
    return worth


@helper
def _best_reply(rules, weights, view, seat, known, unknown, places, needs, n_open, reply):
    """Put the best known tile of `seat` into `reply`: place index, turn, tile; return whether there is one."""
    best = VERY_LOW
    for i in range(n_open):
        for turn in range(rules.turns):
            fit = fitting(rules, view, i, turn) & known[seat]
            while fit != 0:
                tile = count_bits((fit & -fit) - 1)
                fit &= fit - 1
                worth = _try(rules, weights, view, seat, i, turn, tile, known, unknown, places, needs, n_open)
                if worth > best:
                    best = worth
                    reply[0], reply[1], reply[2] = i, turn, tile
    return best > VERY_LOW


@helper
def play_on(rules, weights, view, mover, known, unknown, places, needs, line):
    """Return what a line of play is worth in which the seats after `mover` lay their best known tiles.

    The line goes round the table once, or to the first seat that may have better tiles than the known ones. `places`,
    `needs` and `line` hold a level of memory for each seat of it; the view is as before when this returns.
    """
    worth = 0.0
    depth = 1
    last = mover
    while depth < rules.n_seats or (depth == 1 and rules.n_seats == 1):
        seat = (last + 1) % rules.n_seats
        if unknown[seat] > 1:
            break
        n_open = _remember(view, places[depth], needs[depth])
        reply = line[depth]
        if not _best_reply(rules, weights, view, seat, known, unknown, places[depth], needs[depth], n_open, reply):
            worth -= 0.0 if unknown[seat] > 0 else STUCK
            break
        place = np.int64(places[depth, reply[0]])
        worth += place_worth(weights, place // COLUMNS, _needs_at(needs[depth], reply[0]))
        lay(rules, view, place, reply[1], reply[2])
        known[seat] &= ~(np.int64(1) << reply[2])
        unknown[seat] += 1
        reply[3] = n_open
        last = seat
        depth += 1
    worth += outlook(rules, weights, view, last, known, unknown)
    while depth > 1:
        depth -= 1
        reply = line[depth]
        known[last] |= np.int64(1) << reply[2]
        unknown[last] -= 1
        _take_back(view, np.int64(places[depth, reply[0]]), reply[2], places[depth], needs[depth], reply[3])
        last = (last + rules.n_seats - 1) % rules.n_seats
    return worth


@helper
def _look_ahead(rules, weights, view, i_place, turn, tile, known, unknown, places, needs, line):
    """Return what it is worth to lay a tile on an open place, and then to play on."""
    mover = view.seat
    place = np.int64(places[0, i_place])
    n_open = view.n_open
    worth = place_worth(weights, place // COLUMNS, _needs_at(needs[0], i_place))
    lay(rules, view, place, turn, tile)
    known[mover] &= ~(np.int64(1) << tile)
    unknown[mover] += 1
    worth += play_on(rules, weights, view, mover, known, unknown, places, needs, line)
    known[mover] |= np.int64(1) << tile
    unknown[mover] -= 1
    _take_back(view, place, tile, places[0], needs[0], n_open)
    return worth


def choose_by_outlook(rules, view, moves, n, weights, memory, rng):
    """The move that leaves the best outlook, as the weights see it."""
    if n == 1:
        return 0
    mover = view.seat
    known = np.zeros(MAX_SEATS, np.int64)
    unknown = np.zeros(MAX_SEATS, np.int64)
    for seat in range(rules.n_seats):
        known[seat] = hand_set(rules, view, seat)
        unknown[seat] = rules.hand_size if view.hand[seat, 0] == HIDDEN else 0
    places = np.empty((MAX_SEATS + 1, MAX_OPEN), np.int16)
    needs = np.empty((MAX_SEATS + 1, MAX_OPEN, 3), np.int8)
    line = np.empty((MAX_SEATS + 1, 4), np.int64)
    worths = np.empty(n)
    i_places = np.empty(n, np.int64)
    n_open = _remember(view, places[0], needs[0])
    i_place = np.int64(0)
    for i in range(n):
        place, turn, tile = moves[i] // (3 * MAX_TILES), moves[i] // MAX_TILES % 3, np.int64(moves[i] % MAX_TILES)
        while places[0, i_place] != place:  # both ascend
            i_place += 1
        i_places[i] = i_place
        worths[i] = _try(rules, weights, view, mover, i_place, turn, tile, known, unknown, places[0], needs[0], n_open)
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    following = (mover + 1) % rules.n_seats
    if weights[W_AHEAD] < 1.0 or (following != mover and unknown[following] > 0):  # nothing can be seen ahead
        for i in range(n):
            best, index, equal = keep_better(worths[i], i, best, index, equal, noise, rng)
        return index
    for _ in range(min(n, np.int64(weights[W_AHEAD]))):  # the options that look best so far
        first = np.int64(0)
        for i in range(n):
            if worths[i] > worths[first]:
                first = i
        worths[first] = VERY_LOW
        turn, tile = moves[first] // MAX_TILES % 3, np.int64(moves[first] % MAX_TILES)
        worth = _look_ahead(rules, weights, view, i_places[first], turn, tile, known, unknown, places, needs, line)
        best, index, equal = keep_better(worth, first, best, index, equal, noise, rng)
    return index


WEIGHTS = (
    Weight("risk", 0.0, "dislike of the chance that a seat is stuck on its next turn, summed over the seats"),
    Weight("hold", 0.0, "chance that a tile which fits now has lost its place when its turn comes"),
    Weight("later", 0.0, "how much the risk of each further seat counts against that of the one before"),
    Weight("freedom", 0.0, "wish that the tiles not laid yet find places, and several"),
    Weight("rare", 0.0, "dislike of places above the ground that few tiles are left for"),
    Weight("dead", 0.0, "wish that the lowest place no tile is left for is high up, per station"),
    Weight("ground", 0.0, "wish to lay on station 1"),
    Weight("climb", 0.0, "wish to lay high up, per station above the first"),
    Weight("two", 0.0, "wish to fill a place with two bound corners"),
    Weight("three", 0.0, "wish to fill a place with three bound corners, which closes a gap"),
    Weight("open_two", 0.0, "wish for open places with two bound corners"),
    Weight("open_three", 0.0, "wish for open gaps"),
    Weight("open", 0.0, "wish for open places"),
    Weight(
        "ahead", 0.0, "options, the best so far, to look ahead from through the turns of seats whose hands are seen"
    ),
    Weight("noise", 0.0, "uniform noise on the worth of every option"),
)


def by_outlook(name: str, summary: str, **weights: float) -> Player:
    """Return a player that chooses by outlook with these weights, the others being 0."""
    return weighted_player(name, summary, choose_by_outlook, WEIGHTS, **weights)


# Weights tuned by CMA-ES on teams of three: with tiles never turned and closed hands few teams get beyond station 1, so
# the planner lays on the ground while it can; where hands are seen or tiles are turned it looks further.
CLOSED = {
    "risk": 8.106, "hold": 0.368, "later": 0.354, "freedom": 1.531, "rare": 0.178, "dead": 0.454, "ground": 0.790,
    "climb": -0.747, "two": 0.714, "three": 1.728, "open_two": 0.604, "open_three": 0.578, "open": 0.008,
}  # fmt: skip
SEEN = {
    "risk": 14.693, "hold": 0.115, "later": 0.533, "freedom": -0.017, "rare": 1.334, "dead": 0.908, "ground": -0.678,
    "climb": -0.892, "two": 2.346, "three": 1.819, "open_two": 0.735, "open_three": -0.022, "open": 0.257,
}  # fmt: skip
TURNED = {
    "risk": 12.045, "hold": 0.274, "later": 0.539, "freedom": 0.981, "rare": 0.548, "dead": 0.219, "ground": -0.312,
    "climb": -0.303, "two": 1.563, "three": 1.441, "open_two": 0.905, "open_three": 0.242, "open": 0.003,
}  # fmt: skip


def planner_weights(rules, weights):
    """Return the weights of `choose_by_outlook` that the planner plays with under these rules."""
    ahead, noise = weights
    sees = rules["talk_open"] == 1 and rules["n_seats"] > 2  # one other hand shows too little for SEEN to pay
    tuned = TURNED if rules["turns"] > 1 else SEEN if sees else CLOSED
    return np.array([{**tuned, "ahead": ahead, "noise": noise}[w.name] for w in WEIGHTS])


PLANNER = Player(
    "planner",
    choose_by_outlook,
    "Weighs all of this, with weights tuned for the rules in play, and looks ahead through the hands it can see.",
    (
        Weight("ahead", 4.0, WEIGHTS[W_AHEAD].meaning),
        Weight("noise", 0.0, WEIGHTS[W_NOISE].meaning),
    ),
    planner_weights,
)

PLAYERS = (
    Player("random", choose_random, "Lays any tile wherever it fits: the floor every other player must beat."),
    by_outlook("widest", "Widest first: lays on station 1 while it can, and keeps tiles free.", ground=10, freedom=1),
    by_outlook("climber", "Climbs early: gives up a little freedom for every station up.", climb=0.5, freedom=10),
    by_outlook("closer", "Fills gaps and bound places before they become hard to fill.", three=10, two=5, freedom=1),
    by_outlook("steward", "Saves the places that few tiles are left for.", rare=2, dead=1, freedom=10),
    by_outlook("careful", "Looks only at the chance that a seat is stuck on its next turn.", risk=10, later=0.5),
    by_outlook("keeper", "Keeps options open: looks only at where the tiles to come would fit.", freedom=10),
    PLANNER,
)
