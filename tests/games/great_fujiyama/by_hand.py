"""Great Fujiyama by hand: tiles and moves in words, decks in a chosen order, and the geometry once more, plainly.

Seasons are letters: P spring (pink), S summer, A autumn, W winter. A tile is three of them, bottom, upper left and
upper right: ``"PWA"``. Nothing here calls the rules to find out what fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple
from unittest import mock

import numpy as np

from meeplecarlo.games.great_fujiyama import rules as rules_module
from meeplecarlo.games.great_fujiyama.state import NONE
from tests.table import Table

GAME = "great-fujiyama"
SEASONS = "PSAW"
BOX = tuple("".join(corners) for corners in product(SEASONS, repeat=3))  # tile i of the program is BOX[i]
SIZES = (1, 2, 3, 4, 5)


def tile_number(tile: str) -> int:
    """Return the number a tile has inside the program, from 0."""
    return BOX.index(tile)


def turned(tile: str, turn: int) -> str:
    """Return a tile turned clockwise by thirds: what was at the bottom comes to the upper left."""
    for _ in range(turn):
        bottom, left, right = tile
        tile = right + bottom + left
    return tile


class Laid(NamedTuple):
    """A tile and where it is laid; the first tile of a game lies at station 1, column 0."""

    tile: str
    station: int
    column: int
    turn: int = 0


def code(laid: Laid) -> int:
    """Return the move that lays a tile, written out from the docstrings of `state` and `rules`."""
    place = 19 * (laid.station - 1) + 9 + laid.column
    return (place * 3 + laid.turn) * 64 + tile_number(laid.tile)


def read(move: int) -> Laid:
    """Return what a move lays; the inverse of `code`."""
    place, rest = divmod(move, 3 * 64)
    return Laid(BOX[rest % 64], place // 19 + 1, place % 19 - 9, rest // 64)


# --- positions -----------------------------------------------------------------------------------------------------
def deal_in_order(table: Table, drawn: Iterable[str]) -> Table:
    """Deal by the rules' own `deal`, the deck being in this order: first tile, hands seat by seat, the rest.

    Tiles that are not named come last, in the order of the box.
    """
    drawn = list(drawn)
    n_tiles = int(table.rules.n_tiles)
    order = [tile_number(tile) for tile in drawn]
    order += [tile for tile in range(n_tiles) if tile not in order]
    assert sorted(order) == list(range(n_tiles)), f"a tile twice in {drawn}"

    def leave_in_this_order(rng, values, n):
        assert sorted(values[:n]) == list(range(n))
        values[:n] = order

    with mock.patch.object(rules_module, "shuffle", leave_in_this_order):
        rules_module.deal(table.rules, table.state, np.zeros(4, np.uint64))
    return table


@cache
def _table(n_seats: int, options: tuple) -> Table:
    return Table(GAME, n_seats, dict(options))


def new_table(n_seats: int, seed: int = 1, **options) -> Table:
    """Return a table of its own; its rules are read once for all tables with these options."""
    return _table(n_seats, tuple(sorted(options.items()))).copy().deal(seed)


def start(first: str, *hands: str, deck: str = "", **options) -> Table:
    """Return a game as if just dealt: ``start("PPP", "SSS AWP WWW", "...", deck="...", turn="thirds")``.

    All hands are equally large, and `hand_size` is set to that.
    """
    split = [hand.split() for hand in hands]
    assert len({len(hand) for hand in split}) == 1
    table = new_table(len(hands), hand_size=len(split[0]), **options)
    return deal_in_order(table, [first, *(tile for hand in split for tile in hand), *deck.split()])


def in_playing_order(tiles: list[str], n_seats: int, hand_size: int) -> list[str]:
    """Return the order of a deck that lets seats in turn lay these tiles one after the other, the first one first.

    Whatever is drawn after turn t is laid by the same seat `hand_size` turns of it later.
    """
    first, rest = tiles[0], tiles[1:]
    spare = iter(tile for tile in BOX if tile not in tiles)
    rest = rest + [next(spare) for _ in range(n_seats * hand_size - len(rest))]
    hands = [rest[seat + n_seats * i] for seat in range(n_seats) for i in range(hand_size)]
    return [first, *hands, *rest[n_seats * hand_size :]]


def lay(table: Table, tile: str, station: int, column: int, turn: int = 0) -> Table:
    """Let the seat to move lay a tile, which must be legal."""
    return table.play(code(Laid(tile, station, column, turn)))


def options(table: Table) -> set[Laid]:
    """Return what the seat to move may do, in words."""
    moves = table.legal()
    found = {read(move) for move in moves}
    assert len(found) == len(moves)
    assert [code(read(move)) for move in moves] == moves == sorted(moves)
    return found


def hands(table: Table) -> list[list[str]]:
    """Return the hands of all seats."""
    return [[BOX[tile] for tile in hand if tile >= 0] for hand in table.state.hand[: table.n_seats].tolist()]


def deck(table: Table) -> list[str]:
    """Return the tiles of the deck in the order they will be drawn."""
    return [BOX[tile] for tile in table.state.stock.tolist() if tile >= 0]


def pyramid(table: Table) -> dict[tuple[int, int], str]:
    """Return what lies on the table by (station, column), as it lies: turned tiles as turned."""
    state = table.state
    return {
        (place // 19 + 1, place % 19 - 9): turned(BOX[tile], int(state.turn[place]))
        for place, tile in enumerate(state.tile.tolist())
        if tile != NONE
    }


def laid_tiles(table: Table) -> list[str]:
    """Return the tiles on the table, as they were before turning."""
    return [BOX[tile] for tile in table.state.tile.tolist() if tile != NONE]


def where(table: Table) -> Counter:
    """Count every tile wherever it is: on the table, in a hand, in the deck."""
    return Counter(laid_tiles(table)) + Counter(tile for hand in hands(table) for tile in hand) + Counter(deck(table))


# --- the geometry, written once more -------------------------------------------------------------------------------
ANY = 4  # instead of a season


def open_places(laid: dict[tuple[int, int], str], width: int) -> dict[tuple[int, int], list[int]]:
    """Return the places where a tile could lie and the seasons (0 to 3, or ANY) it needs at its three corners."""
    ground = sorted(column for station, column in laid if station == 1)
    places = [(1, ground[0] - 1), (1, ground[-1] + 1)] if len(ground) < width else []
    for station, column in laid:
        if (station, column + 1) in laid and (station + 1, column) not in laid:
            places.append((station + 1, column))
    return {place: needed(laid, place) for place in sorted(places)}


def needed(laid: dict[tuple[int, int], str], place: tuple[int, int]) -> list[int]:
    """Return the seasons that neighbours ask for at bottom, upper left and upper right of a place."""
    station, column = place
    bottom = {laid[below][2] for below in [(station - 1, column)] if below in laid}
    bottom |= {laid[below][1] for below in [(station - 1, column + 1)] if below in laid}
    left = {laid[beside][2] for beside in [(station, column - 1)] if beside in laid}
    right = {laid[beside][1] for beside in [(station, column + 1)] if beside in laid}
    assert max(len(bottom), len(left), len(right)) <= 1, f"neighbours of {place} disagree"
    return [SEASONS.index(min(corner)) if corner else ANY for corner in (bottom, left, right)]


def fits(tile: str, need: list[int]) -> bool:
    """Return whether a tile as it lies shows what a place needs."""
    return all(n in (ANY, SEASONS.index(season)) for season, n in zip(tile, need, strict=True))


def different_turns(tile: str, turn: str) -> range:
    """Return the turns that make a difference."""
    return range(1 if turn == "none" or len(set(tile)) == 1 else 3)


def all_options(laid: dict, hand: Iterable[str], width: int, turn: str) -> Iterator[Laid]:
    """Yield whatever a hand may lay."""
    for place, need in open_places(laid, width).items():
        for tile in hand:
            for thirds in different_turns(tile, turn):
                if fits(turned(tile, thirds), need):
                    yield Laid(tile, *place, thirds)
