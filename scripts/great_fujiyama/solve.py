"""The ceiling of one deal: a line of play found, a limit proved, and how the effort is divided between the two."""

from __future__ import annotations

from dataclasses import dataclass

from great_fujiyama.search import Deal, search

SHARES = (0.02, 0.2)  # of the cap, for first looks: a good line makes all that follows shorter


@dataclass(frozen=True)
class Ceiling:
    """What a team that knows the whole deck can complete on one deal, at most.

    Attributes
    ----------
    lower : int
        Stations of the best line of play found: a lower bound of the ceiling.
    upper : int
        No line of play completes more: an upper bound. The ceiling is exact when both are equal.
    positions : int
        Different positions kept in all passes of the search together.
    line : list of (tile, station, column, turn)
        Tiles laid after the first one that complete `lower` stations; the first tile lies on station 1, column 0,
        and `turn` counts thirds clockwise.
    """

    lower: int
    upper: int
    positions: int
    line: list[tuple[int, int, int, int]]

    @property
    def exact(self) -> bool:
        """Whether the ceiling is known."""
        return self.lower == self.upper


def solve(tiles, n_seats, turn=False, width=10, hand_size=3, positions=10**7, seasons=None) -> Ceiling:
    """Return the most stations a team can complete on a deal it knows entirely, or bounds of it.

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
    positions : int
        Cap on the positions searched, to within some ten thousand; a deal that needs more is left as an interval.
    seasons : ndarray of int, shape (n, 3), optional
        Seasons of tiles 1 .. n at bottom, upper left, upper right; those of the box if left out.
    """
    deal = Deal(tiles, n_seats, turn, width, hand_size, seasons)
    state = _State(deal, positions)
    for share in SHARES:
        state.look(state.lower, int(positions * share))
    state.look(state.lower, state.left * 2 // 3, prove=True)
    # Not settled: rule out the highest targets first, each is quicker to rule out than the one below.
    for target in range(width, state.lower, -1):
        state.look(target - 1, state.left // 4, prove=True)
        if state.upper >= target:
            break
    state.look(state.lower, state.left)
    if replayed(deal, tiles, state.line) != state.lower:
        raise AssertionError("the line found does not reach what the search says; this is an error of the program")
    return Ceiling(state.lower, state.upper, state.spent, state.line)


class _State:
    """What is known so far, and what is left of the cap."""

    def __init__(self, deal: Deal, cap: int):
        self.deal, self.cap, self.spent = deal, cap, 0
        self.lower, self.upper, self.line = deal.start()[2], deal.width, []

    @property
    def left(self) -> int:
        return max(0, self.cap - self.spent)

    def look(self, best: int, budget: int, prove: bool = False) -> None:
        """Search once more for a line past `best`, unless the deal is settled."""
        if self.lower == self.upper or budget <= 0:
            return
        found = search(self.deal, best, budget, prove)
        self.spent += found.positions
        self.upper = min(self.upper, found.upper)
        if found.line is not None:
            self.lower, self.line = found.best, found.line


def replayed(deal: Deal, tiles, line) -> int:
    """Lay a line of play tile by tile, with none of the search's code, and return the stations it completes.

    Raises
    ------
    AssertionError
        If a tile of it is not in the hand or does not fit.
    """
    order = [int(tile) for tile in tiles]
    size, deck = deal.hand_size, 1 + deal.n_seats * deal.hand_size
    hands = [order[1 + seat * size : 1 + (seat + 1) * size] for seat in range(deal.n_seats)]
    laid = {(1, 0): tuple(int(season) for season in deal.seasons[order[0] - 1])}
    for ply, (tile, s, x, turn) in enumerate(line):
        hand = hands[ply % deal.n_seats]
        corners = [int(season) for season in deal.seasons[tile - 1]]
        bottom, left, right = corners[-turn:] + corners[:-turn] if turn else corners
        ground = [column for station, column in laid if station == 1]
        supported = (
            len(ground) < deal.width and x in (min(ground) - 1, max(ground) + 1)
            if s == 1
            else {(s - 1, x), (s - 1, x + 1)} <= laid.keys()
        )
        # Corners that touch: neighbours on the same station, and the two tiles below.
        touching = [
            ((s, x - 1), 2, left), ((s, x + 1), 1, right), ((s - 1, x), 2, bottom), ((s - 1, x + 1), 1, bottom)
        ]  # fmt: skip
        matches = all(laid[place][corner] == season for place, corner, season in touching if place in laid)
        if not (tile in hand and supported and matches and (s, x) not in laid and (deal.turn or turn == 0)):
            raise AssertionError(f"tile {ply + 1} of the line, {tile} on station {s}, column {x}, cannot be laid")
        laid[s, x] = (bottom, left, right)
        hand.remove(tile)
        hand += order[deck + ply : deck + ply + 1]
    counts = [sum(station == s for station, _ in laid) for s in range(1, deal.width + 1)]
    return sum(count == deal.width + 1 - s for s, count in enumerate(counts, start=1))
