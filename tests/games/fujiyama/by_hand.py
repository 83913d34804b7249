"""Fujiyama by hand: the page's geometry as a table, moves in words, and mountains built tile by tile."""

from __future__ import annotations

from typing import NamedTuple

from meeplecarlo.games.fujiyama.state import (
    ANIMALS,
    CHOOSE,
    LEFT,
    MAX_BOARDS,
    NONE,
    PASS,
    PLACE,
    SOURCE_STEP,
    SOURCES,
    TRUMP,
)
from meeplecarlo.games.season_tiles.icons import parse_icon
from tests.table import Table

CELLS = "A1 A2 B1 B2 B3 C1 C2 C3 C4".split()
CORNERS = ("bottom", "ul", "ur")
SEGMENTS = ("top", "ll", "lr")
CATEGORIES = ("spring", "summer", "autumn", "winter", "mixed", "flatland")

# Forest: its tile icons and how many icons the board prints there.
FORESTS = {
    "F1": ("A1.ul", 2),
    "F2": ("A1.ur A2.ul", 1),
    "F3": ("A2.ur", 2),
    "F4": ("B1.ul", 2),
    "F5": ("A1.bottom B1.ur B2.ul", 0),
    "F6": ("A2.bottom B2.ur B3.ul", 0),
    "F7": ("B3.ur", 2),
    "F8": ("C1.ul", 2),
    "F9": ("B1.bottom C1.ur C2.ul", 0),
    "F10": ("B2.bottom C2.ur C3.ul", 0),
    "F11": ("B3.bottom C3.ur C4.ul", 0),
    "F12": ("C4.ur", 2),
}
# Flatland: its tile segments.
FLATLANDS = {
    "L1": "A1.top",
    "L2": "A2.top",
    "L3": "A1.ll B1.top",
    "L4": "A1.lr A2.ll B2.top",
    "L5": "A2.lr B3.top",
    "L6": "B1.ll C1.top",
    "L7": "B1.lr B2.ll C2.top",
    "L8": "B2.lr B3.ll C3.top",
    "L9": "B3.lr C4.top",
    "L10": "C1.ll",
    "L11": "C1.lr C2.ll",
    "L12": "C2.lr C3.ll",
    "L13": "C3.lr C4.ll",
    "L14": "C4.lr",
}
SLOTS = (*FORESTS, *FLATLANDS)
FOREST_OF = {icon: forest for forest, (icons, _) in FORESTS.items() for icon in icons.split()}
FLATLAND_OF = {segment: flatland for flatland, segments in FLATLANDS.items() for segment in segments.split()}
MIXED_ICONS = ("spring 1", "autumn grape", "winter")


class Item(NamedTuple):
    """A scored item in words."""

    seat: int
    category: str
    slot: str
    points: int
    blossoms: int
    conifers: int
    broadleaves: int
    kinds: int


def items(table: Table) -> list[Item]:
    """Return the scored items of a position in words."""
    lines, _ = table.tally()
    return [
        Item(int(line["seat"]), CATEGORIES[line["category"]], SLOTS[line["slot"]],
             *(int(line[name]) for name in ("points", "blossoms", "conifers", "broadleaves", "kinds")))
        for line in lines
    ]  # fmt: skip


def item_at(table: Table, slot: str, seat: int = 0) -> Item | None:
    """Return what a forest or flatland scores, None while it scores nothing."""
    found = [item for item in items(table) if (item.slot, item.seat) == (slot, seat)]
    assert len(found) <= 1, f"{slot} is scored {len(found)} times"
    return found[0] if found else None


def place_move(tile: int, cell: str, turn: int = 0, **tokens: str) -> int:
    """Return the move that lays `tile` (0-based) on `cell` with tokens by segment: ``place_move(3, "B2", top="fox")``.

    Written out from the definition in the docstrings of `rules`, not by calling it.
    """
    arrangement = sum((1 + ANIMALS.index(animal)) * 4 ** SEGMENTS.index(s) for s, animal in tokens.items())
    return ((tile * 9 + CELLS.index(cell)) * 3 + turn) * 64 + arrangement


class Placed(NamedTuple):
    """A placement in words; tile counts from 0."""

    tile: int
    cell: str
    turn: int
    tokens: tuple[str | None, str | None, str | None]


def read_place(move: int) -> Placed:
    """Return the placement a move stands for; the inverse of `place_move`."""
    spot, arrangement = divmod(move, 64)
    names = (None, *ANIMALS)
    tokens = (names[arrangement % 4], names[arrangement // 4 % 4], names[arrangement // 16])
    return Placed(spot // 27, CELLS[spot // 3 % 9], spot % 3, tokens)


def choose_move(table: Table, source: str) -> int:
    """Return the move by which the seat to decide takes its left or right choice tile or its trump."""
    state, seat = table.state, table.state.seat
    tile = state.trump[seat] if source == "trump" else state.choice[seat, SOURCES.index(source)]
    return SOURCE_STEP * SOURCES.index(source) + int(tile)


def prepare_place(table: Table, tile: int, tokens: tuple[str, ...] = ()) -> None:
    """Put seat 0 before laying `tile` with these tokens, whatever the position was."""
    state = table.state
    state.seat, state.phase = 0, PLACE
    state.chosen[0], state.choice[0, LEFT] = LEFT, tile
    for a, animal in enumerate(ANIMALS):
        state.received[0, a] = tokens.count(animal)


def lay(table: Table, cell: str, tile: int, turn: int = 0, **tokens: str) -> None:
    """Let seat 0 lay a tile with tokens by the rules' own `apply`."""
    prepare_place(table, tile, tuple(tokens.values()))
    table.play(place_move(tile, cell, turn, **tokens))


def table_of_forests(forests: dict[str, tuple[str, str, str]], options: dict | None = None, n_seats=2) -> Table:
    """Return a complete mountain of seat 0 whose forests hold these icons; the others are mixed.

    Icons are given in the order of FORESTS, those of tiles first, then the printed ones.
    """
    table = Table("fujiyama", n_seats, options)
    rules = table.rules
    rules.print[:] = NONE
    for slot, (corners, printed) in FORESTS.items():
        icons = [parse_icon(text) for text in forests.get(slot, MIXED_ICONS)]
        for corner in corners.split():
            cell, corner = corner.split(".")
            rules.icons[CELLS.index(cell), CORNERS.index(corner)] = icons.pop(0)
        assert len(icons) == printed
        for board in range(MAX_BOARDS):
            rules.print[board, list(FORESTS).index(slot), :printed] = icons
    table.deal(1)
    for number, cell in enumerate(CELLS):
        lay(table, cell, number)
    return table


def play_round(table: Table, sources: list[str], cells=None) -> None:
    """Play one round: everybody passes the lower tile, takes the named source and lays it.

    Parameters
    ----------
    sources : list of str
        left, right or trump, by seat.
    cells : list of str, optional
        Where each seat lays its tile; by default on its first free cell, tokens as the first option has them.
    """
    if table.state.phase == TRUMP:
        for _ in range(table.n_seats):
            table.play(table.legal()[0])
    assert table.state.phase == PASS
    for _ in range(table.n_seats):
        table.play(table.legal()[0])
    assert table.state.phase == CHOOSE
    for source in sources:
        table.play(choose_move(table, source))
    assert table.state.phase == PLACE
    for seat in range(table.n_seats):
        options = [m for m in table.legal() if cells is None or read_place(m).cell == cells[seat]]
        table.play(options[0])
