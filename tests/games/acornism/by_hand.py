"""Acornism by hand: tiles and moves in words, deals in a chosen order, and the rules of the field once more, plainly.

A tile is the acorns its animal wants, then those beside it: ``"7(3)"``, ``"8(?)"`` with the Magic Acorn. A placed tile
adds the square of its animal and where its acorn lies from there: ``"7(3) 0,2 up"`` has its acorn on (0, 1).

A field is a dict of squares (x, y): an animal is the number it wants, an acorn square a text, ``"3"`` or ``"?"``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple
from unittest import mock

import numpy as np

from meeplecarlo.games.acornism import rules as rules_module
from meeplecarlo.games.acornism.rules import PASS_MOVE
from meeplecarlo.games.acornism.state import NONE, SCORED, STARVED, TORUS, UNPAID
from meeplecarlo.games.acornism.view import split_move
from meeplecarlo.registry import get_game
from tests.table import Table

GAME = "acornism"
SIZES = (2, 3, 4)
WAYS = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}
DEFAULTS = {option.name: option.default for option in get_game(GAME).options}

Square = tuple[int, int]
Field = dict[Square, int | str]


class Tile(NamedTuple):
    """A tile: the acorns its animal wants, and those beside it as text."""

    want: int
    acorns: str

    def __str__(self):
        return f"{self.want}({self.acorns})"


class Placed(NamedTuple):
    """A tile and the squares of its animal and its acorn."""

    tile: Tile
    animal: Square
    acorn: Square


PASS = Placed(Tile(0, ""), (0, 0), (0, 0))


def tile(text: str) -> Tile:
    """Return a tile from its words."""
    want, acorns = re.fullmatch(r"(\d+)\((\d|\?)\)", text).groups()
    return Tile(int(want), acorns)


def tiles(text: str) -> list[Tile]:
    """Return several tiles."""
    return [tile(word) for word in text.split()]


def placed(text: str) -> Placed:
    """Return a placed tile, or a pass, from its words."""
    if text == "pass":
        return PASS
    what, where, way = text.split()
    x, y = (int(part) for part in where.split(","))
    return Placed(tile(what), (x, y), (x + WAYS[way][0], y + WAYS[way][1]))


# The box as the game's page lists it.
BOX = [Tile(want, str(acorns)) for want in range(5, 11) for acorns in range(5)]
BOX += tiles("5(2) 6(1) 6(3) 7(0) 7(4) 8(2) 9(1) 9(3) 10(0) 8(?)")
SPARE = tile("20(0)")  # fits almost anywhere
MISFIT = tile("1(2)")  # fits nowhere: its own acorns are too many


# --- tables --------------------------------------------------------------------------------------------------------
def tile_file(box: Iterable[Tile]) -> str:
    """Return the text of a tile file."""
    return "\n".join(["animal,acorns", *(f"{want},{acorns.replace('?', 'magic')}" for want, acorns in box), ""])


def rules_of(n_seats: int, box: Iterable[Tile] = tuple(BOX), **options) -> np.ndarray:
    """Return the RULES array of a box of tiles."""
    variant = get_game(GAME).module("variant")
    return variant.make_rules(n_seats, DEFAULTS | options, {"tiles": ("mine.csv", tile_file(box))})


@cache
def _table(n_seats: int, options: tuple) -> Table:
    return Table(GAME, n_seats, dict(options))


def new_table(n_seats: int, seed: int = 1, box: Sequence[Tile] = tuple(BOX), **options) -> Table:
    """Return a table of its own, dealt at random."""
    table = _table(n_seats, tuple(sorted(options.items()))).copy()
    if tuple(box) != tuple(BOX):
        table.rules = rules_of(n_seats, box, **options)[0]
    return table.deal(seed)


def deal_in_order(table: Table, order: Sequence[int]) -> Table:
    """Deal by the rules' own `deal`, the tiles (numbered from 0) in this order: hands, first tile, pile."""

    def leave_in_this_order(rng, values, n):
        assert sorted(values[:n]) == sorted(order) == list(range(n))
        values[:n] = order

    with mock.patch.object(rules_module, "shuffle", leave_in_this_order):
        rules_module.deal(table.rules, table.state, np.zeros(4, np.uint64))
    return table


def start(first: str, *hands: str, pile: str = "", **options) -> Table:
    """Return a game as if just dealt: ``start("8(3)", "5(0) 6(1)", "7(2) 5(0)", pile="10(4)", underfed="forbidden")``.

    All hands are equally large, and `hand_size` is set to that. Tiles are numbered as they are dealt.
    """
    split = [tiles(hand) for hand in hands]
    assert len({len(hand) for hand in split}) == 1
    box = [*(t for hand in split for t in hand), tile(first), *tiles(pile)]
    table = new_table(len(hands), box=box, hand_size=len(split[0]), **options)
    return deal_in_order(table, range(len(box)))


def position(first: str, *moves: str, hands: Sequence[str] = (), pile: str = "", n_seats: int = 2, **options) -> Table:
    """Return the table after seats in turn have placed these tiles on the first one, each of which must be legal.

    Every seat then holds its hand (default: tiles that fit nearly everywhere), and `pile` is left to draw.
    """
    steps = [placed(text) for text in moves]
    held = [tiles(hand) for hand in hands] or [[SPARE] * 4] * n_seats
    return play(dealt_for(tile(first), steps, held, tiles(pile), **options), *moves)


def dealt_for(first: Tile, steps: Sequence[Placed], held: Sequence[Sequence[Tile]], pile=(), **options) -> Table:
    """Return a game just dealt in which seats in turn can take these steps and then hold those hands.

    Hands that are not full at the end must be so because the pile ran out.
    """
    n_seats = len(held)
    queues = [[step.tile for step in steps[seat::n_seats] if step is not PASS] + list(held[seat])
              for seat in range(n_seats)]  # fmt: skip
    size = options.setdefault("hand_size", max(map(len, held)))
    hands, queues = [queue[:size] for queue in queues], [queue[size:] for queue in queues]
    drawn = []
    for turn, step in enumerate(steps):
        queue = queues[turn % n_seats]
        if step is not PASS and queue:
            drawn.append(queue.pop(0))
    assert not any(queues), "these hands cannot come about"
    box = [*(t for hand in hands for t in hand), first, *drawn, *pile]
    return deal_in_order(new_table(n_seats, box=box, **options), range(len(box)))


# --- moves in words ------------------------------------------------------------------------------------------------
def box_of(table: Table) -> list[Tile]:
    """Return the tiles of a table's box."""
    rules, n = table.rules, int(table.rules.n_tiles)
    shown = zip(rules.want[:n].tolist(), rules.acorns[:n].tolist(), rules.is_magic[:n].tolist(), strict=True)
    return [Tile(want, "?" if is_magic else str(acorns)) for want, acorns, is_magic in shown]


def options(table: Table) -> dict[Placed, int]:
    """Return what the seat to move may do, in words, with the codes of the moves."""
    moves = table.legal()
    assert moves == sorted(set(moves))
    if not moves or moves == [PASS_MOVE]:
        return dict.fromkeys([PASS] * len(moves), PASS_MOVE)
    box, parts = box_of(table), np.stack(split_move(np.array(moves)), axis=1).tolist()
    found = {
        Placed(box[number], (x, y), (acorn_x, acorn_y)): code
        for (number, x, y, acorn_x, acorn_y), code in zip(parts, moves, strict=True)
    }
    assert len(found) == len(moves), "two options for one thing"
    return found


def may(table: Table, *texts: str) -> list[bool]:
    """Return which of these placements are among the options."""
    found = options(table)
    return [placed(text) in found for text in texts]


def play(table: Table, *texts: str) -> Table:
    """Play moves in words; each must be legal."""
    for text in texts:
        found = options(table)
        assert placed(text) in found, f"{text} is not among {sorted(found)}"
        table.play(found[placed(text)])
    return table


# --- what a position holds -----------------------------------------------------------------------------------------
def lying(table: Table) -> dict[Square, int]:
    """Return the number, from 0, of the tile on each filled square, from the plain grid of the state."""
    state = table.state
    return {
        (x, y): int(state.tile[TORUS * (y % TORUS) + x % TORUS])
        for y in range(int(state.y_low), int(state.y_high) + 1)
        for x in range(int(state.x_low), int(state.x_high) + 1)
        if state.tile[TORUS * (y % TORUS) + x % TORUS] != NONE
    }


def field(table: Table) -> Field:
    """Return what lies on the field."""
    box = box_of(table)
    return {
        (x, y): box[number].want if (x + y) % 2 == 0 else box[number].acorns for (x, y), number in lying(table).items()
    }


def laid_tiles(table: Table) -> list[Placed]:
    """Return the tiles on the field, row by row of their animals."""
    box, where = box_of(table), lying(table)
    found = []
    for (x, y), number in where.items():
        if (x + y) % 2 == 0:
            (acorn,) = (square for square in neighbours((x, y)) if where.get(square) == number)
            found.append(Placed(box[number], (x, y), acorn))
    return found


def hands(table: Table) -> list[list[int]]:
    """Return the numbers of the tiles in all hands."""
    return [[number for number in hand if number != NONE] for hand in table.state.hand[: table.n_seats].tolist()]


def hand(table: Table, seat: int | None = None) -> list[Tile]:
    """Return the tiles a seat, by default the one to decide, holds."""
    box = box_of(table)
    return [box[number] for number in hands(table)[int(table.state.seat) if seat is None else seat]]


def pile(table: Table) -> list[int]:
    """Return the numbers of the tiles in the pile, next one first."""
    return table.state.pile[int(table.state.drawn) : int(table.rules.n_tiles)].tolist()


def where(table: Table) -> Counter:
    """Count every tile, by its number, wherever it is: on the field, in a hand, in the pile."""
    squares = Counter(lying(table).values())
    assert set(squares.values()) == {2}
    return Counter(squares.keys()) + Counter(n for held in hands(table) for n in held) + Counter(pile(table))


def done(table: Table) -> dict[Square, int]:
    """Return the squares of complete animals and how they fare, in the order they became complete."""
    state, at = table.state, {TORUS * (y % TORUS) + x % TORUS: (x, y) for x, y in lying(table)}
    n = int(state.n_done)
    results = state.done_result[:n].tolist()
    assert set(results) <= {STARVED, UNPAID, SCORED}
    return {at[square]: result for square, result in zip(state.done_square[:n].tolist(), results, strict=True)}


class Line(NamedTuple):
    """A scored animal: for whom, for how much, where, with how many plain and Magic Acorns, in which turn."""

    seat: int
    points: int
    square: Square
    acorns: int
    magic: int
    turn: int


def lines(table: Table) -> list[Line]:
    """Return the scored animals in the order of the log."""
    found = []
    for line in table.tally()[0]:
        assert (line["category"], line["slot"] + 1) == (0, line["points"])
        x, y, *rest = (int(line[name]) for name in ("x", "y", "acorns", "magic", "turn"))
        found.append(Line(int(line["seat"]), int(line["points"]), (x, y), *rest))
    return found


# --- the rules of the field, written once more ---------------------------------------------------------------------
class Said(NamedTuple):
    """The options that matter on the field."""

    size: int = 8
    edge_scoring: bool = False
    forbidden: bool = False
    wild: bool = True


def said(table: Table) -> Said:
    """Return the options of a table."""
    rules = table.rules
    wild = not rules.is_magic.any() or bool(rules.magic.any())
    return Said(int(rules.field_size), bool(rules.edge_scoring), bool(rules.forbidden), wild)


@cache
def neighbours(square: Square) -> tuple[Square, ...]:
    """Return the squares that share an edge with one."""
    return tuple((square[0] + dx, square[1] + dy) for dx, dy in WAYS.values())


def extent(laid: Iterable[Square]) -> tuple[range, range]:
    """Return the columns and the rows of the box that bounds these squares."""
    xs, ys = zip(*laid, strict=True)
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


def is_animal(square: Square) -> bool:
    """Return whether animals can lie on a square."""
    return sum(square) % 2 == 0


def animals(laid: Field) -> list[Square]:
    """Return the squares of all animals, row by row."""
    return sorted(filter(is_animal, laid), key=lambda square: square[::-1])


def around(laid: Field, square: Square) -> tuple[int, int]:
    """Return the plain acorns and the Magic Acorns beside a square."""
    shown = [laid[beside] for beside in neighbours(square) if beside in laid]
    return sum(int(acorns) for acorns in shown if acorns != "?"), shown.count("?")


def is_complete(laid: Field, square: Square, rules: Said) -> bool:
    """Return whether an animal needs no further neighbour."""
    columns, rows = extent(laid)
    for beside in neighbours(square):
        beyond = (len(columns) == rules.size and beside[0] not in columns) or (
            len(rows) == rules.size and beside[1] not in rows
        )
        if beside not in laid and not (rules.edge_scoring and beyond):
            return False
    return True


def is_fed(laid: Field, square: Square, rules: Said) -> bool:
    """Return whether the acorns around an animal can be just what it wants."""
    plain, magic = around(laid, square)
    lacks = laid[square] - plain
    return 0 <= lacks <= (10 * magic if rules.wild else 0)


def with_tile(laid: Field, step: Placed) -> Field:
    """Return a field with one tile more."""
    return laid | {step.animal: step.tile.want, step.acorn: step.tile.acorns}


def completed_by(laid: Field, step: Placed, rules: Said) -> dict[Square, bool]:
    """Return the animals a tile completes, row by row, and whether each is satisfied."""
    after = with_tile(laid, step)
    before = {square for square in animals(laid) if is_complete(laid, square, rules)}
    return {
        square: is_fed(after, square, rules)
        for square in animals(after)
        if square not in before and is_complete(after, square, rules)
    }


def feeds(laid: Field, step: Placed) -> bool:
    """Return whether no animal has more acorns around it than it wants once a tile is placed."""
    after = with_tile(laid, step)
    return all(around(after, beside)[0] <= after[beside] for beside in neighbours(step.acorn) if beside in after)


def stretched(there: range, *values: int) -> int:
    """Return the length of a range that is stretched to take in some values."""
    return max(there.stop - 1, *values) - min(there.start, *values) + 1


def places(laid: Field, size: int) -> list[tuple[Square, Square]]:
    """Return the pairs of squares, for an animal and for an acorn, where a tile may lie, whatever is on it.

    Only squares within two of the field are tried: a tile farther away touches nothing.
    """
    columns, rows = extent(laid)
    xs, ys = (range(there.start - 2, there.stop + 2) for there in (columns, rows))
    empty = {square for square in product(xs, ys) if square not in laid}
    touching = {square for square in empty if any(beside in laid for beside in neighbours(square))}
    return [
        (animal, acorn)
        for animal in empty
        if is_animal(animal)
        for acorn in neighbours(animal)
        if acorn in empty and (animal in touching or acorn in touching)
        if stretched(columns, animal[0], acorn[0]) <= size and stretched(rows, animal[1], acorn[1]) <= size
    ]


def all_options(laid: Field, held: Iterable[Tile], rules: Said) -> set[Placed]:
    """Return whatever can be placed from a hand, by trying everything; of equal tiles the first is named."""
    if any(around(laid, square)[0] > laid[square] for square in animals(laid)):
        return set()  # the first tile's own acorns are too many
    different: dict[Tile, Tile] = {}
    for each in held:
        plain = each if rules.wild else each._replace(acorns=each.acorns.replace("?", "0"))
        different.setdefault(plain, each)
    steps = (Placed(each, *place) for place in places(laid, rules.size) for each in different.values())
    return {
        step
        for step in steps
        if feeds(laid, step) and not (rules.forbidden and not all(completed_by(laid, step, rules).values()))
    }
