"""The pyramid as a search sees it: what still matters of it, packed into one number. Compiled.

Tile (station s, column x) touches three *points*: P(s, x) at its upper right, P(s, x - 1) at its upper left and
P(s - 1, x) at its bottom, and every point has one season. The tiles laid in column x are always (1, x) to (h[x], x)
without a gap, because tile (s, x) lies on (s - 1, x). So a position is: the heights h of the columns, and the
seasons of those points that a tile to come can still touch. Nothing else on the table has any influence on the
future, which is why different arrangements are searched once. Columns are counted from the leftmost tile.
"""

from __future__ import annotations

import numpy as np
from numba import njit

ANY = 4  # season of a point no tile touches yet
MAX_WIDTH = 10
LEFT = 2  # array index of the leftmost column of a position, so that there is room for one more on its left
COLUMNS = MAX_WIDTH + 4
STATIONS = MAX_WIDTH + 2
BOTTOM, UPPER_LEFT, UPPER_RIGHT = range(3)


@njit(cache=True)
def pack(height, point, left, n, width):
    """Return the number that stands for a position of `n` columns beginning at index `left`.

    Four bits hold the number of columns, then the outline (per column its rise over the column before, in unary),
    then two bits a live point. At most 4 + 20 + 36 bits are needed.
    """
    code = np.int64(n)
    bits = 4
    before = 1
    for x in range(left, left + n):
        for _ in range(height[x] - before + 1):
            code |= np.int64(1) << bits
            bits += 1
        bits += 1
        before = height[x]
    # The left slope touches tiles to come only while station 1 can still grow to the left.
    if n < width:
        for s in range(1, height[left] + 1):
            code |= np.int64(point[left - 1, s]) << bits
            bits += 2
    for x in range(left, left + n):
        h = height[x]
        if n < width or x - left + h < width:  # else there is no place above it on the right slope
            code |= np.int64(point[x, h]) << bits
            bits += 2
        for s in range(h + 1, height[x + 1] + 1):
            code |= np.int64(point[x, s]) << bits
            bits += 2
    return code


@njit(cache=True)
def unpack(code, width, height, point):
    """Undo `pack` into arrays whose leftmost column is at index `LEFT`; return the number of columns."""
    height[:] = 0
    point[:, :] = ANY
    n = code & 15
    code >>= 4
    before = np.int64(1)
    for x in range(LEFT, LEFT + n):
        h = before - 1
        while code & 1:
            h += 1
            code >>= 1
        code >>= 1
        height[x] = h
        before = h
    if n < width:
        for s in range(1, height[LEFT] + 1):
            point[LEFT - 1, s] = code & 3
            code >>= 2
    for x in range(LEFT, LEFT + n):
        h = height[x]
        if n < width or x - LEFT + h < width:
            point[x, h] = code & 3
            code >>= 2
        for s in range(h + 1, height[x + 1] + 1):
            point[x, s] = code & 3
            code >>= 2
    return n


@njit(cache=True)
def lay(height, point, x, s, bottom, upper_left, upper_right, old):
    """Lay a tile of these seasons on place (s, x), and remember in `old` what its points were."""
    old[BOTTOM], old[UPPER_LEFT], old[UPPER_RIGHT] = point[x, s - 1], point[x - 1, s], point[x, s]
    height[x] += 1
    if s > 1:  # nothing lies below station 1
        point[x, s - 1] = bottom
    point[x - 1, s] = upper_left
    point[x, s] = upper_right


@njit(cache=True)
def take_back(height, point, x, s, old):
    """Undo `lay`."""
    height[x] -= 1
    point[x, s - 1], point[x - 1, s], point[x, s] = old[BOTTOM], old[UPPER_LEFT], old[UPPER_RIGHT]


@njit(cache=True)
def is_place(height, x, left, n, width):
    """Return whether a tile can be laid on column `x` next: on station 1 an end, higher up two tiles below it."""
    if x < left or x >= left + n:
        return n < width and left - 1 <= x <= left + n
    return x + 1 < left + n and height[x + 1] >= height[x]


@njit(cache=True)
def completed(height, left, n, width):
    """Return the number of completed stations."""
    if n < width:
        return 0
    least = width
    for x in range(n):
        if height[left + x] < width - x:
            least = min(least, height[left + x])
    return least
