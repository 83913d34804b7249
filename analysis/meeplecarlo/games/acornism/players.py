"""The scripted players of Acornism.

All but ``random`` weigh what an option scores against what it leaves. Every animal on the field has a worth to the
seat that looks at it: one that the next open hand can finish is a loss, one that only the own hand can finish a gain,
and so on. An option is worth what it scores and by how much it changes these worths: of the animals beside its acorn,
of its own animal, and of the empty animal squares that it leaves with one open side.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper, inlined
from meeplecarlo.games.acornism import MAX_HAND
from meeplecarlo.games.acornism.field import above, below, far, first_bit, place_x, place_y, square_at, step_x, step_y
from meeplecarlo.games.acornism.rules import PLACE_CODES, TILE_CODES, beside, first_place, magic_beside, spot_of
from meeplecarlo.games.acornism.state import ABOVE, BELOW, FAR, NEAR, NONE, TORUS, WORDS
from meeplecarlo.games.choosing import VERY_LOW, choose_random, count_bits, keep_better
from meeplecarlo.registry import Player, Weight, weighted_player

# What becomes of an animal, and the weight that says what this is worth for each point of it.
(SCORED, STARVED, GIFT, LATER, MINE, LOOSE, TWO, YOUNG) = range(8)
LOSSES = 1 << STARVED | 1 << GIFT | 1 << LATER  # fates whose weights are dislikes
NO_FATE = -1
ALL_SIDES = 15  # a bit for each direction
W_GREAT, W_HOLD, W_GROW, W_SETTLE, W_ANIMAL, W_ACORNS, W_NOISE = range(8, 15)


@helper
def has_bit(sets, spot):
    """Return whether a square, by its spot, is in a set of two words."""
    return (sets[spot >> 6] >> (spot & 63)) & 1 == 1


@inlined
def worth_of(weights, fate, want):
    """Return what this fate of an animal that wants so many acorns is worth: its number counts, great ones more."""
    worth = weights[fate] * (want + weights[W_GREAT] * (want - 5))
    return -worth if (LOSSES >> fate) & 1 == 1 else worth


@helper
def can_lay_acorn(rules, view, tile, spot, taken):
    """Return whether the acorn of `tile` can come to lie on the open acorn square `spot`.

    The animal square whose spot is `taken` is gone; NONE for none.
    """
    acorns = np.int64(rules.acorns[tile])
    spare = np.int64(rules.want[tile]) - acorns
    if spare < 0 or (view.room_for[acorns, spot >> 6] >> (spot & 63)) & 1 == 0:
        return False
    for v in range(WORDS):
        if v == rules.n_words:
            break
        free = beside(rules, view.y_origin & 1, v, spot >> 6, np.int64(1) << (spot & 63))
        free &= view.open_animals[v] & view.sums_up_to[spare, v]
        if taken >> 6 == v:
            free &= ~(np.int64(1) << (taken & 63))
        if free != 0:
            return True
    return False


@helper
def who_can_finish(rules, view, spot, lacks, magics, played, taken):
    """Return how many turns from now a seat can finish an animal that `lacks` so many acorns by an acorn on `spot`.

    1 is the next seat, n_seats the seat to decide, which has `played` a tile; 0 if no hand can. `magics` Magic Acorns
    lie beside the animal already.
    """
    seat = view.seat
    for turns in range(1, rules.n_seats + 1):
        seat = seat + 1 if seat + 1 < rules.n_seats else 0
        for i in range(rules.hand_size):
            tile = np.int64(view.hand[seat, i])
            if tile == NONE:
                break
            left = lacks - rules.acorns[tile]
            if tile != played and 0 <= left <= 10 * (magics + rules.magic[tile]):
                if can_lay_acorn(rules, view, tile, spot, taken):
                    return turns
    return 0


@helper
def claim(rules, turns):
    """Return the fate of an animal that a seat so many turns from now can finish; 0: none can."""
    if turns == 0:
        return LOOSE
    if turns == rules.n_seats:
        return MINE
    return GIFT if turns == 1 else LATER


@helper
def last_side(rules, view, x, y, sides):
    """Return the spot of the one side of an animal square that is not in `sides`, NONE if no tile can reach it."""
    direction = first_bit(ALL_SIDES ^ sides)
    spot = spot_of(rules, view, x + step_x(y, direction), y + step_y(direction))
    return spot if spot != NONE and has_bit(view.open_acorns, spot) else np.int64(NONE)


@helper
def animal_fate(rules, view, x, y, lacks, sides, magics, played, taken):
    """Return what becomes of an animal that `lacks` so many acorns when these sides are filled.

    Parameters
    ----------
    sides : int
        A bit for each direction in which the neighbour is filled, or not needed.
    magics : int
        Magic Acorns beside it that do not lie there yet.
    played, taken : int
        Tile that is gone from the own hand, and spot of the animal square that is gone; NONE for none.
    """
    filled = count_bits(sides)
    if filled < 3 and lacks <= (4 - filled) * rules.most_acorns:
        return TWO if filled == 2 else YOUNG
    if filled == 4 and lacks == 0:
        return SCORED
    magics += magic_beside(rules, view, x, y)
    if filled == 4:
        return SCORED if lacks <= 10 * magics else STARVED
    if lacks > (4 - filled) * rules.most_acorns + 10 * magics:
        return STARVED
    if filled < 3:
        return TWO if filled == 2 else YOUNG
    spot = last_side(rules, view, x, y, sides)
    if spot == NONE:
        return STARVED
    return claim(rules, who_can_finish(rules, view, spot, lacks, magics, played, taken))


@helper
def hole_fate(rules, view, x, y, total, sides, magics, played):
    """Return (fate, number) of the best animal that can be placed on an empty square with one open side and score.

    So many acorns lie around the square; `magics` are the Magic Acorns beside it that do not lie there yet. A tile
    scores there whose animal wants those acorns and its own.
    """
    acorn = last_side(rules, view, x, y, sides)
    if acorn == NONE:
        return NO_FATE, np.int64(0)
    magics += magic_beside(rules, view, x, y)
    seat = view.seat
    for turns in range(1, rules.n_seats + 1):
        seat = seat + 1 if seat + 1 < rules.n_seats else 0
        best = np.int64(0)
        for i in range(rules.hand_size):
            tile = np.int64(view.hand[seat, i])
            if tile == NONE:
                break
            acorns = np.int64(rules.acorns[tile])
            left = rules.want[tile] - acorns - total
            if tile != played and 0 <= left <= 10 * (magics + rules.magic[tile]):
                if (view.room_for[acorns, acorn >> 6] >> (acorn & 63)) & 1 == 1:
                    best = max(best, np.int64(rules.want[tile]))
        if best > 0:
            return claim(rules, turns), best
    return NO_FATE, np.int64(0)


@inlined
def hole_worth(rules, weights, view, x, y, total, sides, magics, played):
    """Return what the best animal that can be placed and score there is worth; see `hole_fate`."""
    fate, want = hole_fate(rules, view, x, y, total, sides, magics, played)
    return worth_of(weights, fate, want) if fate != NO_FATE else 0.0


@inlined
def look_around(rules, weights, view, sides, worths):
    """Find, by animal square number // 2, which sides are filled or not needed, and what the square is worth now.

    Only squares that matter are looked at: `sides` and `worths` are 0 at complete animals and where nothing is filled.
    """
    odd = view.y_origin & 1
    origin = first_place(view)
    for w in range(rules.n_words):
        this = view.acorn_squares[w]
        before = view.acorn_squares[0] if w > 0 else np.int64(0)
        after = view.acorn_squares[1] if w == 0 else np.int64(0)
        near = this | view.walls[NEAR, w]
        is_far = far(rules, odd, w, this) | view.walls[FAR, w]
        upper = above(rules, w, this, before) | view.walls[ABOVE, w]
        lower = below(rules, w, this, after) | view.walls[BELOW, w]
        squares = (near | is_far | upper | lower) & ((view.animals[w] & ~view.complete[w]) | view.open_animals[w])
        while squares != 0:
            bit = first_bit(squares)
            squares &= squares - 1
            place = origin + rules.step[w, bit]
            x, y = place_x(place), place_y(place)
            square = square_at(x, y)
            these = ((near >> bit) & 1) << NEAR
            these |= ((is_far >> bit) & 1) << FAR
            these |= ((upper >> bit) & 1) << ABOVE
            these |= ((lower >> bit) & 1) << BELOW
            sides[square >> 1] = these
            lacks = np.int64(view.lacks[square >> 1])
            tile = view.tile[square]
            if tile != NONE:
                fate = animal_fate(rules, view, x, y, lacks, these, 0, NONE, NONE)
                worths[square >> 1] = worth_of(weights, fate, np.int64(rules.want[tile]))
            elif count_bits(these) == 3:
                worths[square >> 1] = hole_worth(rules, weights, view, x, y, -lacks, these, 0, NONE)


@inlined
def own_worth(rules, weights, view, tile, x, y, direction, sides):
    """Return what the animal of `tile` is worth on an empty animal square with these sides filled.

    Its acorn lies in a direction from it.
    """
    around = -np.int64(view.lacks[square_at(x, y) >> 1])
    want, acorns, magic = np.int64(rules.want[tile]), np.int64(rules.acorns[tile]), np.int64(rules.magic[tile])
    filled = sides | (np.int64(1) << direction)
    spot = spot_of(rules, view, x, y)
    fate = animal_fate(rules, view, x, y, want - around - acorns, filled, magic, tile, spot)
    worth = worth_of(weights, fate, want)
    if count_bits(sides) == 2:  # for the acorn's sake the square was taken for one that stays empty
        worth -= hole_worth(rules, weights, view, x, y, around + acorns, filled, magic, tile)
    return worth


@inlined
def box_worth(rules, weights, view, x, y, acorn_x, acorn_y):
    """Return what it is worth that the box grows, and that edges settle."""
    wide, high = view.x_high - view.x_low + 1, view.y_high - view.y_low + 1
    new_wide = max(view.x_high, x, acorn_x) - min(view.x_low, x, acorn_x) + 1
    new_high = max(view.y_high, y, acorn_y) - min(view.y_low, y, acorn_y) + 1
    settled = (new_wide > wide and new_wide == rules.field_size) + (new_high > high and new_high == rules.field_size)
    return weights[W_GROW] * (new_wide - wide + new_high - high) + weights[W_SETTLE] * settled


@inlined
def tile_worth(rules, weights, view, tile):
    """Return what it is worth to play a tile, wherever it is placed."""
    worth = weights[W_ANIMAL] * rules.want[tile] + weights[W_ACORNS] * rules.acorns[tile]
    if rules.magic[tile] == 1 and view.drawn < rules.n_tiles:  # with the pile empty nothing is to be waited for
        worth -= weights[W_HOLD]
    return worth


def choose_by_worth(rules, view, moves, n, weights, memory, rng):
    """The option that is worth most, as the weights see it."""
    if n == 1:
        return 0
    sides = np.zeros(TORUS * TORUS // 2, np.int8)
    worths = np.zeros(TORUS * TORUS // 2)
    look_around(rules, weights, view, sides, worths)
    known = np.zeros(TORUS * TORUS, np.int64)  # by acorn square number: a bit for each tile whose acorn was weighed
    acorn_worths = np.empty((TORUS * TORUS, MAX_HAND))
    tile_worths = np.empty(MAX_HAND)
    for i in range(rules.hand_size):
        tile = np.int64(view.hand[view.seat, i])
        tile_worths[i] = tile_worth(rules, weights, view, tile) if tile != NONE else 0.0
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    held = np.int64(0)
    for i in range(n):
        tile = np.int64(moves[i] % TILE_CODES)
        place, direction = moves[i] // TILE_CODES % PLACE_CODES, moves[i] // (TILE_CODES * PLACE_CODES)
        x, y = np.int64(place_x(place)), np.int64(place_y(place))
        acorn_x, acorn_y = x + step_x(y, direction), y + step_y(direction)
        while view.hand[view.seat, held] != tile:
            held = held + 1 if held + 1 < rules.hand_size else 0
        square = square_at(acorn_x, acorn_y)
        if (known[square] >> held) & 1 == 0:
            # What it changes for the animals and empty animal squares beside this square to lay the acorn of `tile`.
            # (Written out here: handing arrays to a function costs more than the function.)
            known[square] |= np.int64(1) << held
            acorns, magic = np.int64(rules.acorns[tile]), np.int64(rules.magic[tile])
            change = 0.0
            for k in range(4):
                # The animal square whose neighbour in direction k this is; NEAR and FAR are alike in the whole row.
                other_x, other_y = acorn_x - step_x(acorn_y, k), acorn_y - step_y(k)
                other_square = square_at(other_x, other_y)
                other = view.tile[other_square]
                filled = np.int64(sides[other_square >> 1])
                n_filled = count_bits(filled)
                if other == NONE and n_filled < 2:
                    continue
                change -= worths[other_square >> 1]
                lacks = view.lacks[other_square >> 1] - acorns
                filled |= np.int64(1) << k
                if other != NONE:
                    fate = animal_fate(rules, view, other_x, other_y, lacks, filled, magic, tile, NONE)
                    change += worth_of(weights, fate, np.int64(rules.want[other]))
                elif n_filled == 2:
                    change += hole_worth(rules, weights, view, other_x, other_y, -lacks, filled, magic, tile)
            acorn_worths[square, held] = change
        worth = acorn_worths[square, held] + tile_worths[held]
        worth += own_worth(rules, weights, view, tile, x, y, direction, np.int64(sides[square_at(x, y) >> 1]))
        worth += box_worth(rules, weights, view, x, y, acorn_x, acorn_y)
        best, index, equal = keep_better(worth, i, best, index, equal, noise, rng)
    return index


WEIGHTS = (
    Weight("points", 1.0, "wish to score, per point"),
    Weight("starved", 0.0, "dislike of animals that starve, or that no tile can satisfy any more, per point"),
    Weight("gift", 0.0, "dislike of animals the next seat can finish, per point"),
    Weight("later", 0.0, "dislike of animals that a seat after it can finish before the own turn comes, per point"),
    Weight("mine", 0.0, "wish for animals only the own hand can finish, per point"),
    Weight("loose", 0.0, "wish for animals one tile from complete that no hand can finish, per point"),
    Weight("two", 0.0, "wish for animals two tiles from complete that can still be satisfied, per point"),
    Weight("young", 0.0, "wish for animals further from complete, per point"),
    Weight("great", 0.0, "how much more than its number an animal counts, per acorn it wants above 5"),
    Weight("hold", 0.0, "points a Magic Acorn has to bring to be played while the pile lasts"),
    Weight("grow", 0.0, "wish that the field grows, per row or column"),
    Weight("settle", 0.0, "wish to settle rows or columns"),
    Weight("animal", 0.0, "wish to play great animals, per acorn they want"),
    Weight("acorns", 0.0, "wish to play many acorns, per acorn"),
    Weight("noise", 0.0, "uniform noise on the worth of every option"),
)


def by_worth(name: str, summary: str, **weights: float) -> Player:
    """Return a player that chooses by worth with these weights, the others being those of greedy."""
    return weighted_player(name, summary, choose_by_worth, WEIGHTS, **weights)


# Tuned by CMA-ES at two seats against players with some of these habits. `later` plays no part there and is a guess.
TUNED = {
    "gift": 0.65, "later": 0.3, "mine": 0.32, "loose": -0.15, "young": -0.065, "hold": 6.5, "grow": 0.35,
    "settle": -0.1, "animal": -0.13, "acorns": 0.32,
}  # fmt: skip

PLAYERS = (
    Player("random", choose_random, "Places any tile anywhere it fits: the floor every other player must beat."),
    by_worth("greedy", "Takes the most points it can get this turn, and cares about nothing else."),
    by_worth(
        "nogift",
        "Never leaves an animal that the next open hand can finish, unless it must; then it scores.",
        gift=10.0,
        later=2.0,
    ),
    by_worth(
        "edge_closer",
        "Scores, and otherwise lets edges settle and animals starve.",
        settle=3.0,
        grow=0.5,
        starved=-0.2,
        gift=0.3,
    ),
    by_worth("magic_hoarder", "Scores, and keeps the Magic Acorn until it brings two animals.", hold=14.0, gift=0.3),
    by_worth("magic_early", "Scores, and plays the Magic Acorn as soon as it has it.", hold=-30.0, gift=0.3),
    by_worth(
        "small_animals",
        "Scores, and prefers small animals, which are soon satisfied.",
        great=-0.15,
        animal=-0.5,
        mine=0.2,
        gift=0.2,
    ),
    by_worth("big_animals", "Chases the great animals, the 10s above all.", great=1.0, animal=0.5, mine=0.2, gift=0.2),
    by_worth("planner", "Weighs all of this, with weights tuned for it.", **TUNED),
)
