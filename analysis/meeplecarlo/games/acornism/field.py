"""Squares of the field and sets of them: how they are numbered, and which lie beside which (see `state`).

A set is handed over as its words: `this` one, the one `before` it (the rows above) and the one `after` it, 0 where
there is none.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper
from meeplecarlo.games.acornism.state import ABOVE, BELOW, NEAR, TORUS
from meeplecarlo.games.choosing import count_bits

# A *place* numbers the animal squares a field around (0, 0) can reach, row by row: x from -10 to 11, y from -11 to 11.
PLACE_COLUMNS = 11
N_PLACES = 23 * PLACE_COLUMNS
X_FIRST, Y_FIRST = -10, -11


@helper
def square_at(x, y):
    """Return the number of a square."""
    return (y & (TORUS - 1)) * TORUS + (x & (TORUS - 1))


@helper
def place_at(x, y):
    """Return the place of an animal square."""
    return (y - Y_FIRST) * PLACE_COLUMNS + ((x - X_FIRST) >> 1)


@helper
def place_y(place):
    """Return the y of a place."""
    return place // PLACE_COLUMNS + Y_FIRST


@helper
def place_x(place):
    """Return the x of a place."""
    return 2 * (place % PLACE_COLUMNS) + X_FIRST + (place_y(place) & 1)


@helper
def step_x(y, direction):
    """Return how far to the right the acorn lies of its animal in row `y`: -1, 0 or 1."""
    if direction >= ABOVE:
        return 0
    return 1 if (direction == NEAR) == (y & 1 == 0) else -1


@helper
def step_y(direction):
    """Return how far below its animal the acorn lies: -1, 0 or 1."""
    return -1 if direction == ABOVE else np.int64(direction == BELOW)


@helper
def first_bit(bits):
    """Return the least bit of a word that is not 0."""
    return count_bits((bits & -bits) - 1)


# --- neighbours ----------------------------------------------------------------------------------------------------
@helper
def far(rules, odd, w, this):
    """Return the animal squares whose FAR neighbour is in a set of acorn squares; `odd`: 1 if the window's y is odd.

    With ``1 - odd`` the acorn squares that are FAR neighbours of a set of animal squares.
    """
    return ((this << 1) & rules.far_left[odd, w]) | ((this >> 1) & rules.far_right[odd, w])


@helper
def above(rules, w, this, before):
    """Return the squares whose neighbour above is in a set."""
    return ((this << rules.lane) | (before >> (rules.word_bits - rules.lane))) & rules.full[w]


@helper
def below(rules, w, this, after):
    """Return the squares whose neighbour below is in a set."""
    return ((this >> rules.lane) | (after << (rules.word_bits - rules.lane))) & rules.full[w]


@helper
def around(rules, odd, w, this, before, after):
    """Return the squares beside those of a set of acorn squares; with ``1 - odd`` of animal squares."""
    return this | far(rules, odd, w, this) | above(rules, w, this, before) | below(rules, w, this, after)


# --- rows and columns of the window --------------------------------------------------------------------------------
@helper
def columns_of(lane, first_x, low, high):
    """Return the bits of a row whose squares have x from `low` to `high`; the bits lie at first_x, first_x + 2, ..."""
    first = max((low - first_x + 1) >> 1, 0)
    last = min((high - first_x) >> 1, lane - 1)
    return ((np.int64(1) << (last - first + 1)) - 1) << first if last >= first else np.int64(0)


@helper
def rows_of(rules, top, low, high):
    """Return the squares of a word that have y from `low` to `high`; its first row has y = `top`."""
    first, last = max(low - top, 0), min(high - top, rules.word_rows - 1)
    if last < first:
        return np.int64(0)
    return ((np.int64(1) << ((last - first + 1) * rules.lane)) - 1) << (first * rules.lane)
