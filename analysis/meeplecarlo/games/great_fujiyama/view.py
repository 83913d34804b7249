"""Great Fujiyama for human eyes: the columns of its logs, and positions as text and as pictures."""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.columns import Column, enum_series
from meeplecarlo.games.great_fujiyama import MAX_WIDTH
from meeplecarlo.games.great_fujiyama.state import COLUMNS, ENDINGS, FIRST, MAX_TILES, NONE
from meeplecarlo.games.season_tiles import SEASON_COLOURS, SEASONS

# Printed names by completed stations; 0 has none (R7.2).
RANKS = ("sandbox pile", "normal mountain", "reputed mountain", "Fujiyama", "Great Fujiyama")
RANK_OF = (-1, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4)

GAME_COLUMNS = [
    Column("stations", pl.UInt8(), "completed stations, 0 to 10: the result all seats share"),
    Column("rank_name", pl.Enum(RANKS), "printed name of the result; null for 0 stations"),
    Column("highest", pl.UInt8(), "highest station that holds a tile"),
    Column("tiles", pl.UInt8(), "tiles laid, the first included"),
    Column("per_station", pl.List(pl.UInt8()), "tiles on each of ten stations, from the ground up"),
    Column("ended", pl.Enum(ENDINGS), "why the game ended; null if it was truncated"),
]
DETAIL_COLUMNS: list[Column] = []
MOVE_COLUMNS = [
    Column("tile", pl.UInt8(), "tile that is laid"),
    Column("station", pl.UInt8(), "station it is laid on, 1 is the ground"),
    Column("column", pl.Int8(), "where on the station: the first tile is in column 0, and tile (station s, column x) "
                                "lies on columns x and x + 1 of station s - 1"),
    Column("turn", pl.UInt8(), "thirds the tile is turned clockwise"),
]  # fmt: skip
DEAL_COLUMNS = [
    Column("tiles", pl.List(pl.UInt8()), "all tiles in the order drawn: the first one laid, the hands seat by seat, "
                                         "the deck"),
]  # fmt: skip


def game_columns(rules: np.ndarray, finals: np.ndarray) -> list[pl.Series]:
    """Return GAME_COLUMNS for the positions games ended in (STATE, shape (n,))."""
    count = np.ascontiguousarray(finals["count"]).astype(np.uint8)
    width = int(rules["width"][0])
    full = width - np.arange(MAX_WIDTH)
    stations = ((count == full) & (full > 0)).sum(axis=1)
    return [
        pl.Series("stations", stations),
        enum_series("rank_name", np.array(RANK_OF)[stations], RANKS),
        pl.Series("highest", (count > 0).sum(axis=1)),
        pl.Series("tiles", count.sum(axis=1)),
        pl.Series("per_station", count).cast(pl.List(pl.UInt8)),
        enum_series("ended", np.ascontiguousarray(finals["ended"]), ENDINGS),
    ]


def split_move(move):
    """Return (station from 1, column, turn, tile) of move codes, tiles counted from 0."""
    place = move // (3 * MAX_TILES)
    return place // COLUMNS + 1, place % COLUMNS - FIRST, move // MAX_TILES % 3, move % MAX_TILES


def move_columns(phase: np.ndarray, move: np.ndarray) -> list[pl.Series]:
    """Return MOVE_COLUMNS for arrays of phases and move codes."""
    station, column, turn, tile = split_move(move)
    values = {"tile": tile + 1, "station": station, "column": column, "turn": turn}
    return [pl.Series(name, value) for name, value in values.items()]


def deal_columns(rules: np.ndarray, states: np.ndarray) -> list[pl.Series]:
    """Return DEAL_COLUMNS for freshly dealt positions (STATE, shape (n,))."""
    n_seats, size, n_tiles = (int(rules[name][0]) for name in ("n_seats", "hand_size", "n_tiles"))
    tiles = states["stock"][:, :n_tiles].copy()
    tiles[:, 0] = states["tile"][:, FIRST]
    tiles[:, 1 : 1 + n_seats * size] = states["hand"][:, :n_seats, :size].reshape(len(states), -1)
    return [pl.Series("tiles", (tiles + 1).astype(np.uint8)).cast(pl.List(pl.UInt8))]


# --- text ----------------------------------------------------------------------------------------------------------
SEASON_LETTERS = tuple(name[:2].capitalize() for name in SEASONS)  # spring and summer share the first letter


def _seasons(rules: np.ndarray, tile: int, turn: int = 0) -> list[int]:
    """Seasons of a tile at bottom, upper left, upper right when turned clockwise by thirds."""
    return [int(rules["seasons"][0, tile, (corner - turn) % 3]) for corner in range(3)]


def tile_text(rules: np.ndarray, tile: int, turn: int = 0) -> str:
    """Return a tile as ``37 [Sp Wi / Au]``: its number, upper left, upper right and bottom season."""
    bottom, left, right = (SEASON_LETTERS[s] for s in _seasons(rules, tile, turn))
    return f"{tile + 1} [{left} {right} / {bottom}]"


def describe_move(rules: np.ndarray, states: np.ndarray, move: int) -> str:
    """Return what `move` means in the position, in words."""
    station, column, turn, tile = split_move(move)
    turned = f", turned {turn}/3" if turn else ""
    return f"tile {tile_text(rules, tile, turn)} on station {station}, column {column:+d}{turned}"


def _span(state) -> tuple[int, int]:
    """Return the least and greatest column of station 1 that hold a tile, counted from 0."""
    laid = np.flatnonzero(state["tile"][:COLUMNS] != NONE)
    return int(laid[0]), int(laid[-1])


def position_text(rules: np.ndarray, states: np.ndarray) -> list[str]:
    """Return the pyramid as text, top first: per tile its upper seasons, below them its number and bottom season."""
    state = states[0]
    low, high = _span(state)
    lines = []
    for station in range(int((state["count"] > 0).sum()), 0, -1):
        upper, lower = [], []
        for column in range(low, high + 2 - station):
            place = (station - 1) * COLUMNS + column
            tile = int(state["tile"][place])
            if tile == NONE:
                upper.append(" " * 8)
                lower.append(f"{'.':^8}")
            else:
                bottom, left, right = (SEASON_LETTERS[s] for s in _seasons(rules, tile, int(state["turn"][place])))
                upper.append(f"{left:>3} {right:<4}")
                lower.append(f"{f'{tile + 1}:{bottom}':^8}")
        indent = " " * (11 + 4 * (station - 1))
        full = state["count"][station - 1] == rules["width"][0] + 1 - station
        label = f"station {station:>2}{'*' if full else ' '}"
        lines += [(indent + "".join(upper)).rstrip(), (label + indent[11:] + "".join(lower)).rstrip()]
    lines.append("* complete; seasons: " + ", ".join(f"{a} {b}" for a, b in zip(SEASON_LETTERS, SEASONS, strict=True)))
    hands = [[int(t) for t in hand if t != NONE] for hand in state["hand"][: int(rules["n_seats"][0])]]
    lines += [f"hand of seat {i}: {', '.join(tile_text(rules, t) for t in hand)}" for i, hand in enumerate(hands)]
    if state["ended"] != NONE:
        lines.append(f"ended: {ENDINGS[int(state['ended'])]}")
    return lines


# --- pictures ------------------------------------------------------------------------------------------------------
_HEIGHT = np.sqrt(3)  # of a row of hexes of unit half-width
_CORNER = 2 / np.sqrt(3)
_DEGREES = (90, 210, 330)  # of bottom, upper left, upper right; y runs downwards


def _towards(degrees: float) -> np.ndarray:
    return np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])


def draw_pyramid(ax, rules: np.ndarray, state) -> None:
    """Draw the pyramid into `ax`: tiles as hexes with a third in the colour of each corner's season.

    Thirds that meet make a triangle of one season; the number of a tile stands in its middle.
    """
    from matplotlib.patches import Polygon

    low, high = _span(state)
    ax.set_aspect("equal")
    ax.axis("off")
    stations = int((state["count"] > 0).sum())
    for station in range(stations):
        for column in range(low, high + 1 - station):
            place = station * COLUMNS + column
            tile = int(state["tile"][place])
            centre = np.array([2.0 * (column - low) + station, -station * _HEIGHT])
            corners = centre + _CORNER * np.array([_towards(30 + 60 * k) for k in range(6)])
            if tile == NONE:
                ax.add_patch(Polygon(corners, facecolor="none", edgecolor="#bbbbbb", linestyle=":", linewidth=0.8))
                continue
            for season, degrees in zip(_seasons(rules, tile, int(state["turn"][place])), _DEGREES, strict=True):
                # The third of the hex around a corner: its centre, that corner and the two edges' middles beside it.
                edge = [centre + _CORNER * _towards(degrees + d) for d in (-60, 0, 60)]
                shape = [centre, edge[0], edge[1], edge[2]]
                colour = SEASON_COLOURS[season]
                ax.add_patch(Polygon(shape, facecolor=colour, edgecolor=colour, linewidth=0.3))
                x, y = centre + 0.66 * _CORNER * _towards(degrees)
                ax.text(x, y, SEASON_LETTERS[season], ha="center", va="center", fontsize=6.5, color="white")
            ax.add_patch(Polygon(corners, facecolor="none", edgecolor="white", linewidth=1.2, zorder=3))
            ax.text(*centre, str(tile + 1), ha="center", va="center", fontsize=6, color="#1a1a1a", zorder=4,
                    bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"})  # fmt: skip
        full = state["count"][station] == rules["width"][0] - station
        ax.text(station - 1.4, -station * _HEIGHT, f"station {station + 1}{' ✓' if full else ''}", ha="right",
                va="center", fontsize=8, weight="bold" if full else "normal")  # fmt: skip
    ax.set_xlim(-4.8, 2.0 * (high - low) + 1.3)
    ax.set_ylim(1.3, -(stations - 1) * _HEIGHT - 1.3)


def draw_position(rules: np.ndarray, states: np.ndarray, names: list[str], figure) -> None:
    """Draw the pyramid of a position into `figure`, a matplotlib Figure, under the names of the team."""
    state = states[0]
    low, high = _span(state)
    stations = int((state["count"] > 0).sum())
    figure.set_size_inches(max(5.0, 0.42 * (2 * (high - low) + 8)), max(2.4, 0.42 * _HEIGHT * stations + 1.6))
    ax = figure.subplots()
    draw_pyramid(ax, rules, state)
    done = int(game_columns(rules, states)[0][0])
    ended = f", {ENDINGS[int(state['ended'])]}" if state["ended"] != NONE else ""
    words = f"{done} station{'' if done == 1 else 's'} complete, {int(state['count'].sum())} tiles{ended}"
    ax.set_title(f"{words}\n{', '.join(names)}", fontsize=9)
    figure.text(
        0.5, 0.005, "corners: " + ", ".join(f"{a} {b}" for a, b in zip(SEASON_LETTERS, SEASONS, strict=True)) +
        "; where tiles touch, the seasons agree; ✓ complete station; dotted: nothing lies there",
        ha="center", va="bottom", fontsize=7, wrap=True,
    )  # fmt: skip
