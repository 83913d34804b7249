"""Acornism for human eyes: the columns of its logs, and positions as text and as pictures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from meeplecarlo.columns import Column, nullable
from meeplecarlo.games.acornism import MAX_WANT
from meeplecarlo.games.acornism.field import PLACE_COLUMNS, X_FIRST, Y_FIRST
from meeplecarlo.games.acornism.rules import PASS_MOVE, PLACE_CODES, TILE_CODES
from meeplecarlo.games.acornism.state import ABOVE, BELOW, NEAR, NONE, OVER, SCORED, STARVED, TORUS, UNPAID

NUMBERS = f"of the animals that want 1 to {MAX_WANT} acorns, how many"
GAME_COLUMNS = [
    Column("placed", pl.UInt8(), "tiles on the field at the end, the first included"),
    Column("left", pl.UInt8(), "tiles left in the pile"),
    Column("in_hands", pl.UInt8(), "tiles left in hands"),
    Column("width", pl.UInt8(), "columns of the box that bounds the field"),
    Column("height", pl.UInt8(), "rows of that box"),
    Column("satisfied", pl.UInt8(), "animals that were satisfied, whether or not a piece was left to score them"),
    Column("starved", pl.UInt8(), "animals that became complete with too few acorns"),
    Column("unfinished", pl.UInt8(), "animals that never became complete"),
    Column("finder", pl.UInt8(), "seat that first had a Magic Acorn in its hand; null if none had"),
    Column("magic_by", pl.UInt8(), "seat that first placed a Magic Acorn; null if none did"),
    Column("magic_turn", pl.UInt16(), "number of the turn it did so in, passes included, from 1; null likewise"),
    Column("passes", pl.UInt16(), "turns in which a seat had to pass"),
    Column("starved_by_number", pl.List(pl.UInt8()), f"{NUMBERS} starved"),
    Column("satisfied_by_number", pl.List(pl.UInt8()), f"{NUMBERS} were satisfied"),
    Column("placed_by_number", pl.List(pl.UInt8()), f"{NUMBERS} were placed, the first included"),
]
DETAIL_COLUMNS = [
    Column("x", pl.Int8(), "where the animal lies, to the right of the first tile's animal"),
    Column("y", pl.Int8(), "where it lies, below the first tile's animal"),
    Column("acorns", pl.UInt8(), "plain acorns around it"),
    Column("magic", pl.UInt8(), "Magic Acorns beside it"),
    Column("turn", pl.UInt16(), "number of the turn that completed it, passes included, from 1"),
]
MOVE_COLUMNS = [
    Column("tile", pl.UInt8(), "tile that is placed, from 1, of equal ones in hand the first; null: pass"),
    Column("animal_x", pl.Int8(), "where its animal is placed, to the right of the first tile's; null: pass"),
    Column("animal_y", pl.Int8(), "below the first tile's; null: pass"),
    Column("acorn_x", pl.Int8(), "where its acorn is placed; null: pass"),
    Column("acorn_y", pl.Int8(), "likewise; null: pass"),
]
DEAL_COLUMNS = [
    Column("tiles", pl.List(pl.UInt8()), "all tiles in the order dealt: the hands seat by seat, the first tile, the "
                                         "pile"),
]  # fmt: skip


# --- columns -------------------------------------------------------------------------------------------------------
def _by_number(wants: np.ndarray, counted: np.ndarray) -> pl.Series:
    """Return how many of each row's animals want 1 to MAX_WANT acorns, those that are `counted`."""
    game, _ = np.nonzero(counted)
    number = wants[counted].astype(np.int64) - 1
    counts = np.bincount(game * MAX_WANT + number, minlength=len(wants) * MAX_WANT)
    return pl.Series(counts.reshape(len(wants), MAX_WANT).astype(np.uint8)).cast(pl.List(pl.UInt8))


def _animal_squares() -> np.ndarray:
    """Return the square numbers where animals can lie."""
    squares = np.arange(TORUS * TORUS)
    return squares[(squares // TORUS + squares) % 2 == 0]


def game_columns(rules: np.ndarray, finals: np.ndarray) -> list[pl.Series]:
    """Return GAME_COLUMNS for the positions games ended in (STATE, shape (n,))."""
    turn, placed, drawn, finder, magic_turn = (
        np.ascontiguousarray(finals[name]) for name in ("turn", "placed", "drawn", "finder", "magic_turn")
    )
    width, height = (finals[f"{axis}_high"] - finals[f"{axis}_low"] + 1 for axis in "xy")
    want, n_seats = rules["want"][0], int(rules["n_seats"][0])
    tile, result = (np.ascontiguousarray(finals[name]) for name in ("tile", "done_result"))
    done = want[np.take_along_axis(tile, finals["done_square"].astype(np.int64), axis=1)]
    satisfied, starved = result >= UNPAID, result == STARVED
    animals = tile[:, _animal_squares()]
    n_satisfied, n_starved = satisfied.sum(axis=1), starved.sum(axis=1)
    return [
        pl.Series("placed", placed),
        pl.Series("left", int(rules["n_tiles"][0]) - drawn),
        pl.Series("in_hands", (finals["hand"] != NONE).sum(axis=(1, 2))),
        pl.Series("width", width),
        pl.Series("height", height),
        pl.Series("satisfied", n_satisfied),
        pl.Series("starved", n_starved),
        pl.Series("unfinished", placed - n_satisfied - n_starved),
        nullable("finder", finder, finder != NONE, pl.UInt8()),
        nullable("magic_by", (magic_turn - 1) % n_seats, magic_turn > 0, pl.UInt8()),
        nullable("magic_turn", magic_turn, magic_turn > 0, pl.UInt16()),
        pl.Series("passes", turn + 1 - placed),
        _by_number(done, starved).alias("starved_by_number"),
        _by_number(done, satisfied).alias("satisfied_by_number"),
        _by_number(want[animals], animals != NONE).alias("placed_by_number"),
    ]


def split_move(move):
    """Return (tile from 0, x and y of its animal, x and y of its acorn) of move codes that are not PASS_MOVE."""
    tile, place, direction = move % TILE_CODES, move // TILE_CODES % PLACE_CODES, move // (TILE_CODES * PLACE_CODES)
    y = place // PLACE_COLUMNS + Y_FIRST
    x = 2 * (place % PLACE_COLUMNS) + X_FIRST + y % 2
    aside = np.where((direction == NEAR) == (y % 2 == 0), 1, -1) * (direction < ABOVE)
    return tile, x, y, x + aside, y + (direction == BELOW) - 1 * (direction == ABOVE)


def move_columns(phase: np.ndarray, move: np.ndarray) -> list[pl.Series]:
    """Return MOVE_COLUMNS for arrays of phases and move codes."""
    placing = move != PASS_MOVE
    tile, x, y, acorn_x, acorn_y = split_move(np.where(placing, move, 0))
    values = (tile + 1, x, y, acorn_x, acorn_y)
    return [
        nullable(column.name, value, placing, column.dtype) for column, value in zip(MOVE_COLUMNS, values, strict=True)
    ]


def deal_columns(rules: np.ndarray, states: np.ndarray) -> list[pl.Series]:
    """Return DEAL_COLUMNS for freshly dealt positions (STATE, shape (n,))."""
    tiles = states["pile"][:, : int(rules["n_tiles"][0])] + 1
    return [pl.Series("tiles", tiles.astype(np.uint8)).cast(pl.List(pl.UInt8))]


# --- what lies where -----------------------------------------------------------------------------------------------
class Animal(NamedTuple):
    """A tile on the field: its number from 0, where its animal and acorn lie, and how the animal fares.

    `result` is STARVED, UNPAID or SCORED, NONE while it is not complete; `seat` has scored it, NONE if nobody.
    """

    tile: int
    x: int
    y: int
    acorn_x: int
    acorn_y: int
    lacks: int
    result: int
    seat: int


def animals_of(rules: np.ndarray, state) -> list[Animal]:
    """Return the tiles on the field, row by row of their animals."""
    done = {}
    for i in range(int(state["n_done"])):
        result, turn = int(state["done_result"][i]), int(state["done_turn"][i])
        seat = (turn - 1) % int(rules["n_seats"][0]) if result == SCORED else NONE
        done[int(state["done_square"][i])] = (result, seat)
    found = []
    for y in range(int(state["y_low"]), int(state["y_high"]) + 1):
        for x in range(int(state["x_low"]), int(state["x_high"]) + 1):
            square = _square(x, y)
            tile = int(state["tile"][square])
            if (x + y) % 2 == 0 and tile != NONE:
                sides = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
                acorn = next(side for side in sides if int(state["tile"][_square(*side)]) == tile)
                found.append(
                    Animal(tile, x, y, *acorn, int(state["lacks"][square // 2]), *done.get(square, (NONE, NONE)))
                )
    return found


def _square(x: int, y: int) -> int:
    return y % TORUS * TORUS + x % TORUS


def _acorns(rules: np.ndarray, tile: int) -> str:
    """Return what lies on the acorn square of a tile: a number, or ? for the Magic Acorn."""
    return "?" if rules["is_magic"][0, tile] else str(int(rules["acorns"][0, tile]))


def _hands(rules: np.ndarray, state) -> list[list[int]]:
    return [[int(tile) for tile in hand if tile != NONE] for hand in state["hand"][: int(rules["n_seats"][0])]]


def _settled(rules: np.ndarray, state) -> tuple[bool, bool]:
    """Return whether the columns and the rows of the field are settled."""
    size = int(rules["field_size"][0])
    return tuple(int(state[f"{axis}_high"]) - int(state[f"{axis}_low"]) + 1 == size for axis in "xy")


def _points(rules: np.ndarray, animals: list[Animal]) -> list[int]:
    points = [0] * int(rules["n_seats"][0])
    for animal in animals:
        if animal.seat != NONE:
            points[animal.seat] += int(rules["want"][0, animal.tile])
    return points


# --- text ----------------------------------------------------------------------------------------------------------
def tile_text(rules: np.ndarray, tile: int) -> str:
    """Return a tile as ``12 [7 (1)]``: its number, the acorns its animal wants, and the acorns beside it."""
    return f"{tile + 1} [{int(rules['want'][0, tile])} ({_acorns(rules, tile)})]"


def describe_move(rules: np.ndarray, states: np.ndarray, move: int) -> str:
    """Return what `move` means in the position, in words."""
    if move == PASS_MOVE:
        return "passes: none of its tiles fits"
    tile, x, y, acorn_x, acorn_y = (int(part) for part in split_move(int(move)))
    return f"tile {tile_text(rules, tile)}: animal on ({x}, {y}), acorn on ({acorn_x}, {acorn_y})"


def _animal_text(rules: np.ndarray, animal: Animal) -> str:
    want = int(rules["want"][0, animal.tile])
    if animal.result == NONE:
        return f"{want}:{animal.lacks}"
    return f"{want}{'x' if animal.result == STARVED else '*' if animal.seat == NONE else f'*{animal.seat}'}"


def position_text(rules: np.ndarray, states: np.ndarray) -> list[str]:
    """Return the field as text, then points and hands.

    An animal shows what it wants and, until it is complete, what it lacks; the halves of a tile are joined by a line.
    """
    state = states[0]
    animals = animals_of(rules, state)
    cells, joined = {}, set()
    for animal in animals:
        cells[animal.x, animal.y] = _animal_text(rules, animal)
        cells[animal.acorn_x, animal.acorn_y] = f"({_acorns(rules, animal.tile)})"
        # A line is named by the square to its left, or above it.
        joined.add((min(animal.x, animal.acorn_x), min(animal.y, animal.acorn_y), animal.y == animal.acorn_y))
    xs = range(int(state["x_low"]), int(state["x_high"]) + 1)
    ys = range(int(state["y_low"]), int(state["y_high"]) + 1)
    lines = ["   y  x" + "".join(f"{x:^6}" for x in xs).rstrip()]
    for y in ys:
        row = "".join(f"{cells.get((x, y), '.'):^5}" + ("-" if (x, y, True) in joined else " ") for x in xs)
        lines.append(f"{y:>4}   {row}".rstrip())
        if y != ys[-1]:
            lines.append((" " * 7 + "".join("  |   " if (x, y, False) in joined else " " * 6 for x in xs)).rstrip())
    lines.append("animals: wanted:lacking, *seat that scored it, * satisfied without a piece, x starved; (acorns)")
    columns, rows = _settled(rules, state)
    lines.append(f"columns {'settled' if columns else 'open'}, rows {'settled' if rows else 'open'}")
    points = _points(rules, animals)
    for seat, hand in enumerate(_hands(rules, state)):
        lines.append(
            f"seat {seat}: {points[seat]} points; hand {', '.join(tile_text(rules, t) for t in hand) or 'empty'}"
        )
    lines.append(f"pile: {int(rules['n_tiles'][0]) - int(state['drawn'])} tiles")
    return lines


# --- pictures ------------------------------------------------------------------------------------------------------
SEAT_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")  # of Okabe and Ito: also apart in grey
_PLAIN, _STARVED, _UNPAID, _GROUND, _ACORN = "#ffffff", "#bdbdbd", "#fff3b0", "#f1e4cf", "#8a5a2b"


def draw_tile(ax, rules: np.ndarray, tile: int, animal, acorn, colour: str = _PLAIN, note: str = "") -> None:
    """Draw a tile: its animal's number on a square of this colour, its acorns in a circle on the other.

    Parameters
    ----------
    animal, acorn : (float, float)
        Middles of the two squares, y downwards; squares are 1 wide.
    note : str
        Small words under the animal's number.
    """
    from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

    left, top = min(animal[0], acorn[0]) - 0.5, min(animal[1], acorn[1]) - 0.5
    wide, high = abs(animal[0] - acorn[0]) + 1, abs(animal[1] - acorn[1]) + 1
    ax.add_patch(Rectangle((animal[0] - 0.5, animal[1] - 0.5), 1, 1, facecolor=colour, edgecolor="none"))
    ax.add_patch(Rectangle((acorn[0] - 0.5, acorn[1] - 0.5), 1, 1, facecolor=_GROUND, edgecolor="none"))
    ax.add_patch(Circle(acorn, 0.27, facecolor=_ACORN, edgecolor="none"))
    ax.text(*acorn, _acorns(rules, tile), ha="center", va="center", fontsize=8, color="white", weight="bold")
    ax.text(animal[0], animal[1] - 0.08, str(int(rules["want"][0, tile])), ha="center", va="center", fontsize=11,
            weight="bold", color="#1a1a1a")  # fmt: skip
    ax.text(animal[0], animal[1] + 0.34, note, ha="center", va="center", fontsize=5.5, color="#1a1a1a")
    ax.add_patch(
        FancyBboxPatch((left + 0.06, top + 0.06), wide - 0.12, high - 0.12, facecolor="none", edgecolor="#333333",
                       boxstyle="round,pad=0.02,rounding_size=0.12", linewidth=1.1)
    )  # fmt: skip


def _lighter(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return tuple(0.45 + 0.55 * part for part in to_rgb(colour))


def draw_field(ax, rules: np.ndarray, state) -> None:
    """Draw the field into `ax`, settled edges as thick lines."""
    for animal in animals_of(rules, state):
        colour, note = _PLAIN, f"lacks {animal.lacks}"
        if animal.result == STARVED:
            colour, note = _STARVED, f"starved, {animal.lacks}"
        elif animal.result == UNPAID:
            colour, note = _UNPAID, "no piece"
        elif animal.result == SCORED:
            colour, note = _lighter(SEAT_COLOURS[animal.seat]), f"seat {animal.seat}"
        draw_tile(ax, rules, animal.tile, (animal.x, animal.y), (animal.acorn_x, animal.acorn_y), colour, note)
    left, right, top, bottom = (int(state[name]) for name in ("x_low", "x_high", "y_low", "y_high"))
    columns, rows = _settled(rules, state)
    for x in (left - 0.5, right + 0.5):
        ax.plot([x, x], [top - 0.5, bottom + 0.5], color="#222222", linewidth=2.5 if columns else 0.6,
                linestyle="-" if columns else ":")  # fmt: skip
    for y in (top - 0.5, bottom + 0.5):
        ax.plot([left - 0.5, right + 0.5], [y, y], color="#222222", linewidth=2.5 if rows else 0.6,
                linestyle="-" if rows else ":")  # fmt: skip


def draw_position(rules: np.ndarray, states: np.ndarray, names: list[str], figure) -> None:
    """Draw the field and the open hands into `figure`, a matplotlib Figure, under the names of its players."""
    state = states[0]
    left, right, top, bottom = (int(state[name]) for name in ("x_low", "x_high", "y_low", "y_high"))
    hands, n_seats = _hands(rules, state), int(rules["n_seats"][0])
    wide = max(right - left + 1, 2.4 * int(rules["hand_size"][0]) + 2.2)
    high = bottom - top + 1 + 1.25 * n_seats
    figure.set_size_inches(0.55 * wide + 0.6, 0.55 * high + 1.3)
    ax = figure.subplots()
    ax.set_aspect("equal")
    ax.axis("off")
    draw_field(ax, rules, state)
    for seat, hand in enumerate(hands):
        y = bottom + 1.5 + 1.25 * seat
        ax.text(left - 0.5, y, f"seat {seat}", ha="left", va="center", fontsize=8, color=SEAT_COLOURS[seat],
                weight="bold")  # fmt: skip
        for i, tile in enumerate(hand):
            x = left + 2.2 + 2.4 * i
            draw_tile(ax, rules, tile, (x, y), (x + 1, y))
    ax.set_xlim(left - 0.8, left - 0.2 + wide)
    ax.set_ylim(bottom + 1.2 + 1.25 * n_seats, top - 0.8)
    points = _points(rules, animals_of(rules, state))
    title = "   ".join(f"seat {i}: {names[i]}, {points[i]} points" for i in range(n_seats))
    turn = "the end" if int(state["seat"]) == OVER else f"seat {int(state['seat'])} to move"
    ax.set_title(f"{title}\n{turn}, {int(rules['n_tiles'][0]) - int(state['drawn'])} tiles in the pile", fontsize=8)
    figure.text(
        0.5, 0.005, "number: acorns the animal wants; circle: acorns; coloured: scored by that seat; grey: starved; "
        "thick lines: settled edges",
        ha="center", va="bottom", fontsize=6, wrap=True,
    )  # fmt: skip
