"""One ply of a search over all lines of play at once: every move in every position. Compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

from great_fujiyama.table import (
    ANY,
    BOTTOM,
    COLUMNS,
    LEFT,
    STATIONS,
    UPPER_LEFT,
    UPPER_RIGHT,
    completed,
    is_place,
    lay,
    pack,
    take_back,
    unpack,
)
from meeplecarlo.games.choosing import count_bits

TILE_BITS, TURN_BITS, STATION_BITS = 6, 2, 4  # of a move; above them column + 1

# What a position is worth when not all can be kept. Found by trial on deals of 2 to 4 seats; no result that is
# called exact or an upper bound depends on them.
(
    TIGHT,  # places that few unused tiles fit
    STUCK,  # a seat that may not be able to place ...
    HELD,  # ... by this factor less for each tile of its hand that fits somewhere now ...
    LATER,  # ... and by this one for each turn until then
    HOPE,  # stations that are not ruled out
    FREEDOM,  # unused tiles that fit somewhere now
    NOISE,  # so that positions kept differ
) = range(7)
WEIGHTS = np.array([8.5, 6.0, 0.155, 0.98, 1.0, 0.012, 0.5])


@njit(cache=True)
def outlook(height, point, left, n, width, unused, target, fits):
    """Judge a position by the tiles that fit each of its places alone.

    Returns
    -------
    cap : int
        No more stations than this can be completed: a place that no unused tile fits stays empty, and with it its
        station and all above. No two places can share a tile either; that is looked at up to station `target`.
    now : int
        Set of the tiles that fit on a place of now.
    tight : float
        How many places only few unused tiles fit.
    """
    cap = width
    now, single = np.int64(0), np.int64(0)
    tight = 0.0
    if n < width:
        now = fits[ANY, ANY, point[left - 1, 1]] | fits[ANY, point[left + n - 1, 1], ANY]
        count = count_bits(now & unused)
        if count == 0:  # station 1 stays short
            cap = 0
        tight += 1.0 / (count + 1.0)
    for x in range(left, left + n):
        s = height[x] + 1
        if x - left + s > n:  # exists only if station 1 grows to the right, and then not yet
            continue
        fit = fits[point[x, s - 1], point[x - 1, s], point[x, s]]
        if is_place(height, x, left, n, width):
            now |= fit
        fit &= unused
        if fit == 0:
            cap = min(cap, s - 1)
        elif s <= target:
            if fit & (fit - 1) == 0:
                if fit & single:
                    cap = min(cap, target - 1)
                single |= fit
            tight += 1.0 / (count_bits(fit) + 1.0)
    if single and cap >= target:
        for x in range(left, left + n):
            s = height[x] + 1
            if s <= target and x - left + s <= n:
                fit = fits[point[x, s - 1], point[x - 1, s], point[x, s]] & unused
                if fit & (fit - 1) and fit & ~single == 0:
                    cap = min(cap, target - 1)
    return cap, now, tight


@njit(cache=True)
def worth(weights, hands, used, everything, cap, best, now, tight):
    """Return how promising a position is; see the weights."""
    value = weights[HOPE] * min(cap, best + 3) - weights[TIGHT] * tight
    value += weights[FREEDOM] * count_bits(now & everything & ~used)
    stuck = weights[STUCK]
    for j in range(1, len(hands)):
        value -= stuck * weights[HELD] ** count_bits(now & hands[j] & ~used)
        stuck *= weights[LATER]
    return value


@njit(cache=True)
def mixed(a, b):
    """Return a hash of two integers."""
    key = (a * np.int64(-7046029254386353131)) ^ (b * np.int64(-4417276706812531889))
    key ^= key >> 29
    key *= np.int64(-4658895280553007687)
    return key ^ (key >> 32)


@njit(cache=True)
def expand(used, codes, hands, everything, seasons, fit, fits, width, best, weights, children, scores, links, table):
    """Play every move in every position; keep each different position once that may still lead past `best`.

    Parameters
    ----------
    used, codes : ndarray of int64, shape (n,)
        Positions: the set of tiles used, and the table as `pack` has it. Together they are the whole position: the
        hands follow, because who draws which tile when does not depend on play.
    hands : ndarray of int64, shape (1 + look,)
        The tiles drawn so far by the seat to move, and by those that follow at their turns.
    everything : int
        Set of all tiles in the deal.
    seasons : ndarray of int8, shape (64, 3)
        Seasons of each tile at bottom, upper left, upper right.
    fit : ndarray of int64, shape (turns, 5, 5, 5)
        Sets of tiles that fit, by turn and by what is needed at bottom, upper left, upper right.
    fits : ndarray of int64, shape (5, 5, 5)
        The same with any turn.
    width, best : int
        Tiles of station 1, and stations reached so far.
    weights : ndarray
        See WEIGHTS.
    children : ndarray of int64, shape (2, room)
        Filled with the positions kept, like `used` and `codes`.
    scores : ndarray of float32, shape (room,)
        Filled with what they are worth.
    links : ndarray of int32, shape (2, room)
        Filled with the index of the position they came from, and the move.
    table : ndarray of int32
        Room for a hash table: more than `room`, a power of two, filled with -1.

    Returns
    -------
    n, dropped, most, best, parent, move : int
        Positions kept; those that found no room; the most stations any that was kept may still reach; the most
        stations reached; and the position and move that reach them, -1 if `best` was not beaten.
    """
    height = np.zeros(COLUMNS, np.int64)
    point = np.zeros((COLUMNS, STATIONS), np.int8)
    old = np.zeros(3, np.int8)
    room, mask = len(scores), len(table) - 1
    kept, dropped, most = 0, 0, 0
    parent, final_move = -1, -1
    for i in range(len(used)):
        held = hands[0] & ~used[i]
        n = unpack(codes[i], width, height, point)
        for x in range(LEFT - 1, LEFT + n + 1):
            if not is_place(height, x, LEFT, n, width):
                continue
            s = height[x] + 1
            for turn in range(fit.shape[0]):
                fitting = fit[turn, point[x, s - 1], point[x - 1, s], point[x, s]] & held
                if fitting == 0:
                    continue
                while fitting != 0:
                    bit = fitting & -fitting
                    fitting ^= bit
                    tile = count_bits(bit - 1)
                    lay(
                        height,
                        point,
                        x,
                        s,
                        seasons[tile, (BOTTOM + 3 - turn) % 3],
                        seasons[tile, (UPPER_LEFT + 3 - turn) % 3],
                        seasons[tile, (UPPER_RIGHT + 3 - turn) % 3],
                        old,
                    )
                    left, size = min(x, LEFT), n + (s == 1)
                    now_used = used[i] | bit
                    move = (((x - LEFT + 1) << STATION_BITS | s) << TURN_BITS | turn) << TILE_BITS | tile
                    reached = completed(height, left, size, width)
                    if reached > best:
                        best, parent, final_move = reached, i, move
                    unused = everything & ~now_used
                    cap, now, tight = outlook(height, point, left, size, width, unused, best + 1, fits)
                    if cap > best and now & hands[1] & unused != 0:  # else nothing better, or the next seat is stuck
                        code = pack(height, point, left, size, width)
                        key = mixed(now_used, code)
                        slot = key & mask
                        while table[slot] >= 0 and (
                            children[1, table[slot]] != code or children[0, table[slot]] != now_used
                        ):
                            slot = (slot + 1) & mask
                        if table[slot] < 0:
                            if kept == room:
                                dropped += 1
                            else:
                                table[slot] = kept
                                children[0, kept], children[1, kept] = now_used, code
                                links[0, kept], links[1, kept] = i, move
                                noise = weights[NOISE] * ((key >> 40) & 255) / 256.0
                                scores[kept] = noise + worth(
                                    weights, hands, now_used, everything, cap, best, now, tight
                                )
                                most = max(most, cap)
                                kept += 1
                    take_back(height, point, x, s, old)
    return kept, dropped, most, best, parent, final_move
