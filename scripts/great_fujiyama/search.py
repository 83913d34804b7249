"""The most stations a team can complete that knows the whole deck: searches over all lines of play of one deal.

It goes ply by ply: all different positions after k tiles, then after k + 1. Positions that cannot lead past the best
line found so far are left out (`expand.outlook`). A pass that never had to leave out others has proved that there is no
better line. A beam search keeps only the most promising ones: what it finds is a line of play, and so a lower bound,
but it proves nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from great_fujiyama.expand import STATION_BITS, TILE_BITS, TURN_BITS, WEIGHTS, expand
from great_fujiyama.table import ANY, COLUMNS, LEFT, STATIONS, completed, lay, pack

N_TILES = 64
FEWEST = 200  # positions a beam keeps however little is left of its budget


def box_seasons() -> np.ndarray:
    """Return the seasons (0 spring .. 3 winter) at bottom, upper left, upper right of the 64 tiles of the box."""
    k = np.arange(N_TILES)
    return np.stack([k // 16, k // 4 % 4, k % 4], axis=1).astype(np.int8)


def tile_set(tiles) -> np.int64:
    """Return a set of tiles counted from 0 as an int64 with a bit per tile."""
    return np.uint64(sum(1 << int(tile) for tile in tiles)).astype(np.int64)


class Deal:
    """One deal, as the search needs it.

    Parameters
    ----------
    tiles : sequence of int
        Tile numbers from 1 in the order drawn: the one laid first, the hands seat by seat, the deck.
    n_seats : int
        Number of seats.
    turn : bool
        Whether tiles may be turned by thirds.
    width, hand_size : int
        Tiles of station 1, and tiles in a hand.
    seasons : ndarray of int, shape (n, 3), optional
        Seasons of tiles 1 .. n at bottom, upper left, upper right; those of the box if left out.
    """

    def __init__(self, tiles, n_seats, turn=False, width=10, hand_size=3, seasons=None):
        order = [int(tile) - 1 for tile in tiles]
        given = box_seasons() if seasons is None else np.asarray(seasons)
        if len(set(order)) != len(order) or not 1 <= n_seats * hand_size < len(order):
            raise ValueError("a deal has different tiles, one more than the hands need at least")
        if min(order) < 0 or max(order) >= len(given) or len(given) > N_TILES or not 1 <= width <= 10:
            raise ValueError("tiles are numbered from 1, there are at most 64, and station 1 has 1 to 10")
        self.n_seats, self.turn, self.width, self.hand_size = n_seats, bool(turn), width, hand_size
        self.first, self.n_tiles = order[0], len(order)
        self.everything = tile_set(order)
        self.seasons = np.zeros((N_TILES, 3), np.int8)
        self.seasons[: len(given)] = given
        self.fit = _fit_sets(order, self.seasons, 3 if turn else 1)
        self.fits = np.bitwise_or.reduce(self.fit, axis=0)
        # Turns looked at when positions are compared; each seat's next at least.
        self.look = min(max(3, n_seats + 2), 6)
        self.drawn = self._drawn(order, len(order) + self.look)

    def _drawn(self, order, plies) -> np.ndarray:
        """Return, for each ply, the set of tiles its seat has drawn by then: the same for every line of play."""
        size, deck = self.hand_size, 1 + self.n_seats * self.hand_size
        seats = [set(order[1 + seat * size : 1 + (seat + 1) * size]) for seat in range(self.n_seats)]
        drawn = np.empty(plies, np.int64)
        for ply in range(plies):
            seat = seats[ply % self.n_seats]
            drawn[ply] = tile_set(seat)
            seat.update(order[deck + ply : deck + ply + 1])
        return drawn

    @property
    def max_moves(self) -> int:
        """No position has more moves than this."""
        return self.hand_size * (self.width + 1) * len(self.fit)

    def start(self) -> tuple[np.ndarray, np.ndarray, int]:
        """Return the position after the first tile, as arrays of one, and the stations completed by it."""
        height = np.zeros(COLUMNS, np.int64)
        point = np.full((COLUMNS, STATIONS), ANY, np.int8)
        lay(height, point, LEFT, 1, *self.seasons[self.first], np.zeros(3, np.int8))
        code = pack(height, point, LEFT, 1, self.width)
        return np.array([tile_set([self.first])]), np.array([code]), int(completed(height, LEFT, 1, self.width))


def _fit_sets(tiles, seasons, turns) -> np.ndarray:
    """Return the sets of tiles that fit, by turn and needs; turns that leave a tile as it was are left out."""
    fit = np.zeros((turns, 5, 5, 5), np.int64)
    for tile in tiles:
        corners = [int(season) for season in seasons[tile]]
        for turn in range(1 if len(set(corners)) == 1 else turns):
            bottom, left, right = (corners[(corner - turn) % 3] for corner in range(3))
            fit[turn][np.ix_((bottom, ANY), (left, ANY), (right, ANY))] |= tile_set([tile])
    return fit


@dataclass
class Found:
    """What one pass over a deal found.

    Attributes
    ----------
    best : int
        Most stations reached, or what was to be beaten.
    line : list of (tile, station, column, turn) or None
        Tiles laid after the first one that reach it, None if the pass did not beat what it had to.
    upper : int
        No line of play completes more stations than this.
    positions : int
        Different positions kept, added up over the plies.
    """

    best: int
    line: list | None
    upper: int
    positions: int


def search(deal: Deal, best: int, budget: int, prove: bool) -> Found:
    """Look for a line that completes more than `best` stations, keeping about `budget` positions at most.

    Parameters
    ----------
    prove : bool
        Whether to give up as soon as a ply has more positions than the budget lets one hope to see through, instead
        of going on with the most promising.
    """
    used, codes, reached = deal.start()
    best = max(best, reached)
    upper, complete, line, positions = deal.width, True, None, 0
    links: list[np.ndarray] = []
    for ply in range(deal.n_tiles - 1):
        left = budget - positions
        # All positions of a ply fit in, as a rule, if they are a quarter of what is left. A beam divides it evenly,
        # and sees about three times as many as it goes on with.
        limit = max(FEWEST, left // 4 if prove else left // (3 * (deal.n_tiles - 1 - ply)))
        room = min(limit * (1 if prove else 6), max(FEWEST, left), len(used) * deal.max_moves)
        children, scores = np.empty((2, room), np.int64), np.empty(room, np.float32)
        link, table = np.empty((2, room), np.int32), np.full(1 << math.ceil(math.log2(1.5 * room + 1)), -1, np.int32)
        kept, dropped, most, best, parent, move = expand(
            used, codes, deal.drawn[ply : ply + 1 + deal.look], deal.everything, deal.seasons, deal.fit, deal.fits,
            deal.width, best, WEIGHTS, children, scores, link, table
        )  # fmt: skip
        if parent >= 0:
            line = _line(deal, links, parent, move)
        positions += kept
        complete = complete and not dropped
        if complete:
            upper = min(upper, max(best, most))
        if kept == 0 or best == upper or (prove and not complete):
            break
        chosen = np.arange(kept)
        if kept > limit:
            complete = False
            chosen = np.argsort(-scores[:kept], kind="stable")[:limit]
        used, codes = children[0, chosen], children[1, chosen]
        links.append(link[:, chosen])
    return Found(best, line, best if complete else upper, positions)


def _line(deal: Deal, links: list[np.ndarray], parent: int, move: int) -> list[tuple[int, int, int, int]]:
    """Return the tiles laid on the way to a move, with columns counted from the first tile."""
    moves = [int(move)]
    for link in reversed(links):
        parent, move = link[:, parent]
        moves.append(int(move))
    line, leftmost = [], 0
    for move in reversed(moves):
        tile, rest = move & (1 << TILE_BITS) - 1, move >> TILE_BITS
        turn, rest = rest & (1 << TURN_BITS) - 1, rest >> TURN_BITS
        station, column = rest & (1 << STATION_BITS) - 1, (rest >> STATION_BITS) - 1 + leftmost
        line.append((tile + 1, station, column, turn))
        leftmost = min(leftmost, column) if station == 1 else leftmost
    return line
