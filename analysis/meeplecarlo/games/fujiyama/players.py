"""The scripted players of Fujiyama.

All but ``random`` share one way of looking at a mountain: an unfinished forest is worth the points it would bring if
completed in its season, times the chance that it will be; a flatland is worth its points and what its open segments
may still add. A player is a set of weights on these worths, so every difference between players has a name and can
be set in a player spec.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper, inlined
from meeplecarlo.games.choosing import VERY_LOW, choose_random, keep_better
from meeplecarlo.games.fujiyama.mountain import CELLS_AT, FLATLAND_AT, FOREST_AT, N_CELLS, N_FORESTS
from meeplecarlo.games.fujiyama.rules import KINDS, N_ARRANGEMENTS, icon_at, tile_in_play, turns_of
from meeplecarlo.games.fujiyama.state import CHOOSE, LEFT, MIXED, NONE, PASS, PLACE, ROUNDS, SOURCE_STEP, TRUMP_SOURCE
from meeplecarlo.games.season_tiles import AUTUMN, SPRING, SUMMER, WINTER
from meeplecarlo.registry import Player, Weight, weighted_player

# Weights by index; WEIGHTS below names and explains them.
(
    W_SPRING,
    W_SUMMER,
    W_AUTUMN,
    W_WINTER,
    W_HOPE_TWO,
    W_HOPE_ONE,
    W_ANIMALS,
    W_OPEN,
    W_TOKEN,
    W_THANKS,
    W_SPITE,
    W_RIVALRY,
    W_GIVE,
    W_TRUMP_PRICE,
    W_NOISE,
) = range(15)

N_WEIGHTS = 15

BLOSSOMS_PER_ICON = 2  # mean of a spring icon in the default tiles

# --- what things are worth -----------------------------------------------------------------------------------------
# Worths depend only on the rules and the weights, so they are tabulated once a run (`prepare`) behind the weights:
# first flatlands by [kinds][open segments], then forests by [season][icons][sum], sum as in the state (for winter
# the number of other complete winter forests). Seasons are shifted by one so that NONE comes first.
FLATLANDS_AT = N_WEIGHTS
FORESTS_AT = FLATLANDS_AT + 16
_SUMS = np.array([1, 46, 0x99 + 1, 8, N_FORESTS + 1, 1])  # how many sums there are, by season + 1
_STRIDE = np.where(_SUMS > 1, _SUMS, 0)  # a forest of no or mixed season is worth the same whatever it holds
_START = FORESTS_AT + np.concatenate([[0], np.cumsum(np.where(_SUMS > 1, 4 * _SUMS, 1))[:-1]])
ROW_AT = _START[:, None] + _STRIDE[:, None] * np.arange(4)  # by season + 1 and icons


def forest_worth(rules, weights, season, icons, total) -> float:
    """Return the expected points of a forest: what it scores if completed in season, times the hope for that.

    Parameters
    ----------
    season, icons, total : int
        As in the table.
    """
    missing = 3 - icons
    if season == SPRING:
        points = rules["spring_base"] + rules["spring_per_blossom"] * (total + BLOSSOMS_PER_ICON * missing)
    elif season == SUMMER:
        # A further icon holds one kind of tree, two of them on average: E[(c + X)(b + Y)] with Cov(X, Y) = -1 each.
        pairs = ((total & 15) + missing) * ((total >> 4) + missing) - missing
        points = rules["summer_base"] + rules["summer_factor"] * pairs
    elif season == AUTUMN:
        _, one, two, three = rules["autumn_points"]
        kinds = KINDS[total]
        if missing == 0:
            points = rules["autumn_points"][kinds]
        elif missing == 1:
            points = (three + 2 * two) / 3 if kinds == 2 else (one + 2 * two) / 3
        else:
            points = (one + 6 * two + 2 * three) / 9
    else:  # one more winter forest also raises those that are there
        points = rules["winter_base"] + rules["winter_per_forest"] * (2 * total + 1)
    hope = (0.0, weights[W_HOPE_ONE], weights[W_HOPE_TWO], 1.0)[icons]
    return float(points * hope * weights[W_SPRING + season])


def flatland_worth(rules, weights, kinds, open_segments) -> float:
    """Return the points of a flatland and what its open segments may add."""
    points = rules["flatland_points"]
    worth = float(points[kinds])
    chance = weights[W_OPEN] * open_segments
    for k in range(kinds, min(kinds + open_segments, 3)):
        worth += chance * float(points[k + 1] - points[k])
        chance *= weights[W_OPEN]
    return weights[W_ANIMALS] * worth


def prepare(rules, weights):
    """Return the weights with the tables of worths behind them."""
    flatlands = [flatland_worth(rules, weights, kinds, free) for kinds in range(4) for free in range(4)]
    forests = [0.0]
    for season in range(4):
        sums = range(_SUMS[season + 1])
        forests += [forest_worth(rules, weights, season, icons, total) for icons in range(4) for total in sums]
    forests.append(float(rules["mixed_points"]))
    return np.concatenate([weights, flatlands, forests])


@inlined
def forest_gain(weights, view, seat, forest, icon):
    """Return how much an icon would add to the worth of a forest of `seat`."""
    before = np.int64(view.forest_season[seat, forest])
    icons = np.int64(view.forest_icons[seat, forest])
    total = np.int64(view.forest_sum[seat, forest])
    winters = np.int64(view.winter_forests[seat])
    season, value = icon >> 8, icon & 255
    after = season if (before == season) | (before == NONE) else np.int64(MIXED)
    after_total = winters if after == WINTER else (total | value if season == AUTUMN else total + value)
    before_total = winters if before == WINTER else total
    after_place = ROW_AT[after + 1, icons + 1] + (0 if after == MIXED else after_total)
    before_place = ROW_AT[before + 1, icons] + (0 if before == MIXED else before_total)
    return weights[after_place] - weights[before_place]


@inlined
def tile_gain(rules, weights, view, seat, tile, turn, cell):
    """Return how much `tile` on `cell` would add to the worth of the forests of `seat`."""
    gain = 0.0
    for corner in range(3):
        forest = np.int64(FOREST_AT[cell, corner])
        if forest >= 0:
            gain += forest_gain(weights, view, seat, forest, icon_at(rules, tile, turn, corner))
    return gain


@helper
def best_gain(rules, weights, view, seat, tile):
    """Return the most that `tile` could add to the forests of `seat`, over its free cells (and turns)."""
    best = VERY_LOW
    turns = turns_of(rules, tile)
    for cell in range(N_CELLS):
        if view.cell[seat, cell] == NONE:
            for turn in range(turns):
                best = max(best, tile_gain(rules, weights, view, seat, tile, turn, cell))
    return best


# --- the four decisions --------------------------------------------------------------------------------------------
@helper
def liking(weights, spite, gain):
    """Return what passing a tile is worth that would gain its receiver `gain`.

    A liked tile is likely to be laid, which sends its giver a token of thanks; but it helps a rival.
    """
    return weights[W_THANKS] * weights[W_TOKEN] / (1.0 + np.exp(-0.5 * (gain - 4.0))) - spite * gain


@helper
def choose_trump(rules, weights, view, moves, n, rng):
    """Return the index of the drawn tile that would gain most if it were laid now."""
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        value = best_gain(rules, weights, view, view.seat, np.int64(moves[i]))
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


@helper
def choose_pass(rules, weights, view, moves, n, rng):
    """Return the index of the hand tile to pass left (with two seats: to give), the other going right."""
    left = (view.seat + 1) % rules.n_seats
    right = (view.seat + rules.n_seats - 1) % rules.n_seats
    # What one of several neighbours gains is no loss; what an only opponent gains is.
    spite = weights[W_SPITE] + (weights[W_RIVALRY] if rules.n_seats == 2 else 0.0)
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        value = liking(weights, spite, best_gain(rules, weights, view, left, np.int64(moves[i])))
        if rules.n_seats > 2:
            value += liking(weights, spite, best_gain(rules, weights, view, right, np.int64(moves[1 - i])))
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


@helper
def choose_tile(rules, weights, view, moves, n, rng):
    """Return the index of the choice tile or trump that is best by its best place and by where the token goes."""
    token = weights[W_TOKEN] * weights[W_ANIMALS]
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        source = moves[i] // SOURCE_STEP
        value = best_gain(rules, weights, view, view.seat, np.int64(moves[i] % SOURCE_STEP))
        if source == TRUMP_SOURCE:
            value += token - weights[W_TRUMP_PRICE] * (ROUNDS - view.round_number) / (ROUNDS - 1)
        elif rules.n_seats > 2 or source == LEFT:  # the token of a right tile leaves the game with two seats
            value -= weights[W_GIVE] * token
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


@helper
def token_gains(weights, view, seat, cell, gains):
    """Set ``gains[segment, token]`` to what the flatlands around `cell` gain when it is filled.

    Token 0 is none; entries of animals the seat has not received stay as they are.
    """
    for j in range(3):
        flatland = FLATLAND_AT[cell, j]
        free = 0
        for k in range(3):
            neighbour = CELLS_AT[flatland, k]
            free += neighbour >= 0 and view.cell[seat, neighbour] == NONE
        kinds = np.int64(view.flatland[seat, flatland])
        before = weights[FLATLANDS_AT + 4 * KINDS[kinds] + free]
        for token in range(4):
            if token > 0 and view.received[seat, token - 1] == 0:
                continue
            after = KINDS[kinds | ((1 << token) >> 1)]
            gains[j, token] = weights[FLATLANDS_AT + 4 * after + free - 1] - before


@helper
def choose_place(rules, weights, view, moves, n, rng):
    """Return the index of the best cell, turn and arrangement by the forests and flatlands they leave behind."""
    seat = view.seat
    tile = tile_in_play(view, seat)
    gains = np.empty((3, 4))
    last_cell, last_spot = np.int64(-1), np.int64(-1)
    gain = 0.0
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        spot = moves[i] // N_ARRANGEMENTS
        if spot != last_spot:  # moves of one cell and turn follow each other
            last_spot = spot
            cell, turn = spot // 3 % N_CELLS, spot % 3
            gain = tile_gain(rules, weights, view, seat, tile, turn, cell)
            if cell != last_cell:
                last_cell = cell
                token_gains(weights, view, seat, cell, gains)
        tokens = moves[i] % N_ARRANGEMENTS
        value = gain + gains[0, tokens & 3] + gains[1, (tokens >> 2) & 3] + gains[2, tokens >> 4]
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


# --- players -------------------------------------------------------------------------------------------------------
def choose_by_worth(rules, view, moves, n, weights, memory, rng):
    """The move that leaves the most worth behind, as the weights see it."""
    if n == 1:
        return 0
    if view.phase == PLACE:
        return choose_place(rules, weights, view, moves, n, rng)
    if view.phase == CHOOSE:
        return choose_tile(rules, weights, view, moves, n, rng)
    if view.phase == PASS:
        return choose_pass(rules, weights, view, moves, n, rng)
    return choose_trump(rules, weights, view, moves, n, rng)


WEIGHTS = (
    Weight("spring", 1.0, "factor on the points of spring forests"),
    Weight("summer", 1.0, "factor on the points of summer forests"),
    Weight("autumn", 1.0, "factor on the points of autumn forests"),
    Weight("winter", 1.0, "factor on the points of winter forests"),
    Weight("hope_two", 0.5, "chance that a forest with two of three icons is completed in season"),
    Weight("hope_one", 0.2, "chance that a forest with one icon is completed in season"),
    Weight("animals", 1.0, "factor on the points of flatlands"),
    Weight("open", 0.15, "chance that an open segment of a flatland gets a new kind of animal"),
    Weight("token", 5.0, "points a token is worth to its receiver"),
    Weight("thanks", 1.0, "wish for tokens from neighbours who like the tiles passed to them"),
    Weight("spite", 0.2, "dislike of passing tiles that gain a neighbour points"),
    Weight("rivalry", 0.0, "added to spite when there is only one opponent"),
    Weight("give", 0.2, "cost of sending a token to a neighbour, in tokens"),
    Weight("trump_price", 6.0, "points a trump must be better by in round 1; falls evenly to 0 in round 9"),
    Weight("noise", 0.0, "points of uniform noise on every option"),
)


def by_worth(name: str, summary: str, **weights: float) -> Player:
    """Return a player that chooses by worth, with some weights changed."""
    return weighted_player(name, summary, choose_by_worth, WEIGHTS, prepare, **weights)


PLAYERS = (
    Player("random", choose_random, "Plays any legal move: the floor every other player must beat."),
    by_worth("steady", "Even-handed all-rounder with untuned weights: takes expected points as they come."),
    by_worth(
        "greedy",
        "Takes what scores now and expects nothing from unfinished forests and flatlands.",
        hope_two=0.0,
        hope_one=0.0,
        open=0.0,
        trump_price=0.0,
    ),
    by_worth(
        "blossom",
        "Averse to risk: builds spring forests, which score for certain, and shuns summer.",
        spring=2.5,
        summer=0.5,
    ),
    by_worth("gambler", "Seeks risk: builds summer forests, up to 18 points or none.", summer=2.5),
    by_worth("gatherer", "Builds autumn forests for their sets of three.", autumn=2.5),
    by_worth("frost", "Builds winter forests, each of which raises the others.", winter=3.0),
    by_worth("herder", "Animals first: arranges tokens for flatlands of several kinds.", animals=3.0, open=0.3),
    by_worth(
        "pleaser",
        "Passes what the neighbours like, for the tokens of thanks.",
        thanks=4.0,
        spite=-0.5,
    ),
    by_worth("spiteful", "Passes what helps the neighbours least.", thanks=0.0, spite=1.0),
    by_worth("early_trump", "Plays its trump as soon as it is not clearly worse.", trump_price=-20.0),
    by_worth("late_trump", "Keeps its trump for the last round.", trump_price=1000.0),
    by_worth(
        "harvester",
        "All-rounder with weights tuned against the others, generous in passing and patient with its trump.",
        spring=1.3,
        summer=1.3,
        autumn=1.35,
        winter=1.85,
        hope_two=0.53,
        hope_one=0.15,
        animals=1.1,
        open=0.26,
        token=5.6,
        thanks=2.8,
        spite=-0.6,
        rivalry=2.0,
        give=0.85,
        trump_price=15.0,
    ),
)
