"""Fuji-san for human eyes: the columns of its logs, and positions as text and as pictures."""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.columns import Column, enum_series, nullable
from meeplecarlo.games.fuji_san import SIZES
from meeplecarlo.games.fuji_san.board import space_names
from meeplecarlo.games.fuji_san.state import CAPTURE, NOTHING, OVER, PLACE, PUT, REMOVE, TAKE_FIRST, TAKE_SECOND

GAME_COLUMNS = [
    Column("left", pl.UInt8(), "pyramids on the board at the end"),
    Column("captures", pl.UInt8(), "pyramids captured by both seats"),
    Column("turns", pl.UInt8(), "capture turns played"),
]
DETAIL_COLUMNS = [
    Column("space", pl.UInt8(), "space where the pyramid was captured, from 0 row by row"),
    Column("turn", pl.UInt8(), "round in which it was captured"),
]
MOVE_COLUMNS = [
    Column("space", pl.UInt8(), "space where a pyramid is placed, removed, taken, put or captured, from 0 row by row; "
                                "null: nothing is captured"),
    Column("owner", pl.UInt8(), "seat that owns the pyramid; null: nothing is captured"),
    Column("size", pl.Enum(SIZES), "size of the pyramid; null: nothing is captured"),
]  # fmt: skip
DEAL_COLUMNS = [Column("spaces", pl.UInt8(), "spaces of the board; nothing is dealt")]


def game_columns(rules: np.ndarray, finals: np.ndarray) -> list[pl.Series]:
    """Return GAME_COLUMNS for the positions games ended in (STATE, shape (n,))."""
    occupied = np.ascontiguousarray(finals["owned"]).view(np.uint64).reshape(-1, 2)
    rounds = np.ascontiguousarray(finals["round_number"])
    over = np.ascontiguousarray(finals["seat"]) == OVER
    begun = rounds - int(rules["n_spaces"][0]) - 1
    return [
        pl.Series("left", np.bitwise_count(occupied[:, 0] | occupied[:, 1])),
        pl.Series("captures", np.ascontiguousarray(finals["n_captured"]).astype(np.int64).sum(axis=1)),
        pl.Series("turns", np.maximum(begun - ~over, 0)),
    ]


def split_move(move):
    """Return (space, owner, size) of move codes that are not NOTHING."""
    return move // 8, move % 8 // 3, move % 8 % 3


def move_columns(phase: np.ndarray, move: np.ndarray) -> list[pl.Series]:
    """Return MOVE_COLUMNS for arrays of phases and move codes."""
    real = move != NOTHING
    space, owner, size = split_move(np.where(real, move, 0))
    return [
        nullable("space", space, real, pl.UInt8()),
        nullable("owner", owner, real, pl.UInt8()),
        enum_series("size", np.where(real, size, -1), SIZES),
    ]


def deal_columns(rules: np.ndarray, states: np.ndarray) -> list[pl.Series]:
    """Return DEAL_COLUMNS for freshly dealt positions (STATE, shape (n,))."""
    return [pl.Series("spaces", np.full(len(states), int(rules["n_spaces"][0])))]


# --- text ----------------------------------------------------------------------------------------------------------
def names_of(rules: np.ndarray) -> list[str]:
    """Return the names of the spaces: the letter of the row, from A at the top, and the number in the row from 1."""
    return space_names(rules["line"][0, : int(rules["n_spaces"][0])].tolist())


def describe_move(rules: np.ndarray, states: np.ndarray, move: int) -> str:
    """Return what `move` means in the position, in words."""
    if move == NOTHING:
        return "captures nothing"
    space, owner, size = split_move(int(move))
    words = {
        PLACE: "places {} on {}",
        REMOVE: "removes {} from {}",
        TAKE_FIRST: "takes {} from {}",
        TAKE_SECOND: "takes {} from {}",
        PUT: "puts {} on {} and discards {other}",
        CAPTURE: "captures {} on {}",
    }[int(states[0]["phase"])]
    hand = [int(kind) for kind in states[0]["hand"]]
    other = hand[1] if move % 8 == hand[0] else hand[0]
    piece = f"a {SIZES[size]} of seat {owner}"
    return words.format(piece, names_of(rules)[space], other=f"a {SIZES[other % 3]} of seat {other // 3}")


def pieces_of(rules: np.ndarray, state) -> list[tuple[int, int] | None]:
    """Return (owner, size) of the pyramid on every space, None for an empty one."""
    pieces: list[tuple[int, int] | None] = []
    for space in range(int(rules["n_spaces"][0])):
        owner = [o for o in range(2) if int(state["owned"][o]) >> space & 1]
        size = [s for s in range(3) if int(state["sized"][s]) >> space & 1]
        pieces.append((owner[0], size[0]) if owner else None)
    return pieces


def _counts(numbers) -> str:
    """Return numbers of pyramids by size as words: ``2 small, 1 large``."""
    words = [f"{n} {name}" for n, name in zip(np.asarray(numbers).tolist(), SIZES, strict=True) if n]
    return ", ".join(words) or "none"


def position_text(rules: np.ndarray, states: np.ndarray) -> list[str]:
    """Return the board as text, and below it what is not on it.

    Every space shows its pyramid: the owner's seat and the size's first letter.
    """
    state = states[0]
    n = int(rules["n_spaces"][0])
    rows, columns, up = (rules[name][0, :n].tolist() for name in ("line", "column", "points_up"))
    pieces = pieces_of(rules, state)
    lines = []
    for row in range(max(rows) + 1):
        text = [" "] * (3 * (max(columns) + 1) + 1)
        for space in range(n):
            if rows[space] == row:
                piece = pieces[space]
                inside = f"{piece[0]}{SIZES[piece[1]][0]}" if piece else " ."
                edges = "/\\" if up[space] else "\\/"
                start = 3 * columns[space]
                text[start : start + 4] = [edges[0], *inside, edges[1]]
        name = next(name for name, line in zip(names_of(rules), rows, strict=True) if line == row)[0]
        lines.append(f"{name}  {''.join(text)}".rstrip())
    lines.append("in a space: seat and first letter of the size (small, medium, large)")
    hand = [f"{SIZES[kind % 3]} of seat {kind // 3}" for kind in state["hand"].tolist() if kind >= 0]
    if hand:
        lines.append(f"in hand: {', '.join(hand)}")
    for seat in range(2):
        captured = state["captured_size"][seat][: int(state["n_captured"][seat])]
        lines.append(
            f"seat {seat}: captured {_counts(np.bincount(captured, minlength=3))}; "
            f"unplaced {_counts(state['unplaced'][seat])}; discarded {_counts(state['discarded'][seat])}"
        )
    return lines


# --- pictures ------------------------------------------------------------------------------------------------------
SEAT_COLOURS = ("#0072B2", "#E69F00")  # blue and orange of Okabe and Ito: also apart in grey
_HEIGHT = np.sqrt(3)  # of a triangle whose edges are 2 long; columns are 1 apart


def triangle(rules: np.ndarray, space: int) -> np.ndarray:
    """Return the corners of a space, shape (3, 2), y downwards: edges are 2 long."""
    row, column = int(rules["line"][0, space]), int(rules["column"][0, space])
    top, bottom = row * _HEIGHT, (row + 1) * _HEIGHT
    flat, tip = (bottom, top) if rules["points_up"][0, space] else (top, bottom)
    return np.array([(column - 1, flat), (column + 1, flat), (column, tip)])


def board_axes(ax, rules: np.ndarray) -> None:
    """Make `ax` a drawing area for the board: y downwards, equal scales, no frame."""
    n = int(rules["n_spaces"][0])
    ax.set_xlim(-1.3, int(rules["column"][0, :n].max()) + 1.3)
    ax.set_ylim((int(rules["line"][0, :n].max()) + 1) * _HEIGHT + 0.3, -0.3)
    ax.set_aspect("equal")
    ax.axis("off")


def draw_board(ax, rules: np.ndarray, state) -> None:
    """Draw the board into `ax`: a pyramid as a triangle in its owner's colour, the larger the more pips."""
    from matplotlib.patches import Polygon

    board_axes(ax, rules)
    names = names_of(rules)
    for space, piece in enumerate(pieces_of(rules, state)):
        corners = triangle(rules, space)
        centre = corners.mean(axis=0)
        ax.add_patch(Polygon(corners, facecolor="#f7f5f0", edgecolor="#888888", linewidth=0.8))
        if piece is None:
            ax.text(*centre, names[space], ha="center", va="center", fontsize=6, color="#999999")
            continue
        owner, size = piece
        shape = centre + (0.42, 0.6, 0.8)[size] * (corners - centre)
        hatch = "" if owner == 0 else "///"
        ax.add_patch(Polygon(shape, facecolor=SEAT_COLOURS[owner], edgecolor="#222222", linewidth=0.8, hatch=hatch))
        points = str(int(rules["pips"][0, size]))
        box = {"boxstyle": "circle,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
        ax.text(*centre, points, ha="center", va="center", fontsize=6.5, weight="bold", bbox=box)


def draw_position(rules: np.ndarray, states: np.ndarray, names: list[str], figure) -> None:
    """Draw a position into `figure`, a matplotlib Figure, under the names of its players."""
    state = states[0]
    n = int(rules["n_spaces"][0])
    wide, high = int(rules["column"][0, :n].max()) + 3, (int(rules["line"][0, :n].max()) + 1) * _HEIGHT
    figure.set_size_inches(max(5.0, 0.6 * wide), max(2.6, 0.6 * high + 1.4))
    ax = figure.subplots()
    draw_board(ax, rules, state)
    pips = rules["pips"][0]
    points = [int(sum(pips[s] for s in state["captured_size"][p] if s >= 0)) for p in range(2)]
    ax.set_title("   ".join(f"seat {p}: {names[p]}, {points[p]} pips" for p in range(2)), fontsize=9)
    figure.text(
        0.5, 0.005,
        "plain blue: seat 0, hatched orange: seat 1; the number on a pyramid is what capturing it scores",
        ha="center", va="bottom", fontsize=7, wrap=True,
    )  # fmt: skip
