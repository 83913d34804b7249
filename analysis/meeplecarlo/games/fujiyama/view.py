"""Fujiyama for human eyes: the columns of its logs, and positions as text."""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.columns import Column, enum_series, nullable
from meeplecarlo.games.fujiyama.mountain import (
    CELLS,
    FLATLANDS,
    FOREST_AT,
    FOREST_PLACES,
    HEX_CENTRES,
    ROWS,
    SEGMENTS,
)
from meeplecarlo.games.fujiyama.rules import N_ARRANGEMENTS
from meeplecarlo.games.fujiyama.state import ANIMALS, CHOOSE, NONE, PASS, PLACE, SOURCE_STEP, SOURCES
from meeplecarlo.games.season_tiles import FRUITS, SEASON_COLOURS

GAME_COLUMNS: list[Column] = []
DETAIL_COLUMNS = [
    Column("blossoms", pl.UInt8(), "cherry blossoms of a spring forest, else 0"),
    Column("conifers", pl.UInt8(), "conifers of a summer forest, else 0"),
    Column("broadleaves", pl.UInt8(), "broadleaf trees of a summer forest, else 0"),
    Column("kinds", pl.UInt8(), "kinds of fruit of an autumn forest or of animals on a flatland, else 0"),
]
MOVE_COLUMNS = [
    Column("tile", pl.UInt8(), "tile that is set as trump, passed to the left (two seats: given), chosen or laid"),
    Column("source", pl.Enum(SOURCES), "choose: where the tile came from"),
    Column("cell", pl.Enum(CELLS), "place: cell of the mountain"),
    Column("turn", pl.UInt8(), "place: thirds the tile was turned clockwise"),
    *(Column(s, pl.Enum(ANIMALS), f"place: animal on the {s.replace('_', ' ')} segment") for s in SEGMENTS),
]
DEAL_COLUMNS = [
    Column("boards", pl.List(pl.UInt8()), "mountain board of each seat"),
    Column("decks", pl.List(pl.List(pl.UInt8())), "deck of each seat in the order it is drawn"),
]


def move_columns(phase: np.ndarray, move: np.ndarray) -> list[pl.Series]:
    """Return MOVE_COLUMNS for arrays of phases and move codes."""
    placing = phase == PLACE
    choosing = phase == CHOOSE
    spot, tokens = move // N_ARRANGEMENTS, move % N_ARRANGEMENTS
    tile = np.select([placing, choosing], [spot // (3 * len(CELLS)), move % SOURCE_STEP], move) + 1
    return [
        pl.Series("tile", tile),
        enum_series("source", np.where(choosing, move // SOURCE_STEP, -1), SOURCES),
        enum_series("cell", np.where(placing, spot // 3 % len(CELLS), -1), CELLS),
        nullable("turn", spot % 3, placing, pl.UInt8()),
        *(
            enum_series(name, np.where(placing, (tokens >> (2 * i)) % 4 - 1, -1), ANIMALS)
            for i, name in enumerate(SEGMENTS)
        ),
    ]


def deal_columns(rules: np.ndarray, states: np.ndarray) -> list[pl.Series]:
    """Return DEAL_COLUMNS for freshly dealt positions (STATE, shape (n,))."""
    n_seats, size = int(rules["n_seats"][0]), int(rules["deck_size"][0])
    stock = states["stock"][:, : n_seats * size].reshape(len(states), n_seats, size).copy()
    stock[:, :, :3] = states["hand"][:, :n_seats]  # the first three have been drawn already
    boards = (states["board"][:, :n_seats] + 1).astype(np.uint8)
    decks = (stock + 1).astype(np.uint8)
    return [
        pl.Series("boards", boards).cast(pl.List(pl.UInt8)),
        pl.Series("decks", decks).cast(pl.List(pl.List(pl.UInt8))),
    ]


# --- text ----------------------------------------------------------------------------------------------------------
def icon_code(icon: int) -> str:
    """Return an icon in at most three letters: P2 (blossoms), c3 and b1 (conifers, broadleaves), Am Ac Ag, W."""
    season, value = divmod(int(icon), 256)
    if season == 0:
        return f"P{value}"
    if season == 1:
        return (f"c{value & 15}" if value & 15 else "") + (f"b{value >> 4}" if value >> 4 else "")
    return f"A{FRUITS[value.bit_length() - 1][0]}" if season == 2 else "W"


def _icons(rules: np.ndarray, tile: int, turn: int = 0) -> list[int]:
    """Icons of a tile at bottom, upper left, upper right when turned clockwise by thirds."""
    return [int(rules["icons"][0, tile, (corner - turn) % 3]) for corner in range(3)]


def tile_text(rules: np.ndarray, tile: int) -> str:
    """Return a tile as ``37 [P1 c2 / W]``: its number, upper left, upper right and bottom icon."""
    bottom, left, right = map(icon_code, _icons(rules, tile))
    return f"{tile + 1} [{left} {right} / {bottom}]"


def describe_move(rules: np.ndarray, states: np.ndarray, move: int) -> str:
    """Return what `move` means in the position, in words."""
    phase = int(states["phase"][0])
    if phase == PLACE:
        spot, tokens = divmod(move, N_ARRANGEMENTS)
        tile, cell, turn = spot // (3 * len(CELLS)), spot // 3 % len(CELLS), spot % 3
        placed = [
            f"{ANIMALS[(tokens >> (2 * i)) % 4 - 1]} {name.replace('_', ' ')}"
            for i, name in enumerate(SEGMENTS)
            if (tokens >> (2 * i)) % 4
        ]
        turned = f", turned {turn}/3" if turn else ""
        return f"tile {tile_text(rules, tile)} on {CELLS[cell]}{turned}" + (f", {', '.join(placed)}" if placed else "")
    if phase == CHOOSE:
        return f"the {SOURCES[move // SOURCE_STEP]} tile {tile_text(rules, move % SOURCE_STEP)}"
    if phase == PASS:
        two = int(rules["n_seats"][0]) == 2
        return f"tile {tile_text(rules, move)} to the {'opponent' if two else 'left neighbour'}"
    return f"tile {tile_text(rules, move)} as trump"


def position_text(rules: np.ndarray, states: np.ndarray) -> list[str]:
    """Return all mountains as text: per tile its upper icons, below them its number and bottom icon."""
    state = states[0]
    lines = []
    for seat in range(int(rules["n_seats"][0])):
        lines.append(f"seat {seat}, board {state['board'][seat] + 1}")
        cell = 0
        for width in ROWS:
            upper, lower = [], []
            for _ in range(width):
                tile = int(state["cell"][seat, cell])
                if tile == NONE:
                    upper.append(f"{CELLS[cell]:^10}")
                    lower.append(f"{'':10}")
                else:
                    bottom, left, right = map(icon_code, _icons(rules, tile, int(state["turn"][seat, cell])))
                    upper.append(f"{left:>4}  {right:<4}")
                    lower.append(f"{f'{tile + 1}:{bottom}':^10}")
                cell += 1
            indent = " " * (6 * (max(ROWS) - width) + 2)
            lines += [(indent + "  ".join(upper)).rstrip(), (indent + "  ".join(lower)).rstrip()]
        kinds = [
            f"{FLATLANDS[f]} {'+'.join(a for i, a in enumerate(ANIMALS) if bits >> i & 1)}"
            for f, bits in enumerate(state["flatland"][seat].tolist())
            if bits
        ]
        lines.append(f"  animals: {', '.join(kinds) or 'none'}")
    return lines


# --- pictures ------------------------------------------------------------------------------------------------------
ANIMAL_LETTERS = ("R", "S", "F")
_DEGREES = {"icons": (90, 210, 330), "segments": (270, 150, 30)}  # y runs downwards
_CORNER_DISTANCE = 2 / np.sqrt(3)


def _towards(degrees: float) -> np.ndarray:
    return np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])


def hexagon(centre) -> np.ndarray:
    """Return the corners of a pointy-top hex of unit half-width, shape (6, 2), y downwards."""
    return np.asarray(centre) + _CORNER_DISTANCE * np.array([_towards(90 + 60 * k) for k in range(6)])


def mountain_axes(ax) -> None:
    """Make `ax` a drawing area for one mountain: y downwards, equal scales, no frame."""
    ax.set_xlim(-5.2, 5.2)
    ax.set_ylim(5.3, -1.9)
    ax.set_aspect("equal")
    ax.axis("off")


def draw_mountain(ax, rules: np.ndarray, state, seat: int) -> None:
    """Draw the mountain of `seat`: tiles with their icons and animals, printed icons beside it."""
    from matplotlib.patches import Polygon

    mountain_axes(ax)
    printed = rules["print"][0, int(state["board"][seat])]
    for forest, place in enumerate(FOREST_PLACES):
        icons = [int(icon) for icon in printed[forest] if icon != NONE]
        # Printed icons complete the triangle where no tile can lie: above (a tile's bottom), below left, below right.
        free = [(270, 30, 150)[corner] for corner in range(3) if not (FOREST_AT[:, corner] == forest).any()]
        for icon, degrees in zip(icons, free, strict=True):
            _draw_icon(ax, icon, place + 0.5 * _towards(degrees), edge="--")
    for cell, centre in enumerate(HEX_CENTRES):
        tile = int(state["cell"][seat, cell])
        face = "white" if tile == NONE else "#f4f1ea"
        ax.add_patch(Polygon(hexagon(centre), facecolor=face, edgecolor="#555555", linewidth=1))
        if tile == NONE:
            ax.text(*centre, CELLS[cell], ha="center", va="center", color="#999999")
            continue
        ax.text(*centre, str(tile + 1), ha="center", va="center", fontsize=6, color="#666666")
        for corner, icon in enumerate(_icons(rules, tile, int(state["turn"][seat, cell]))):
            place = centre + 0.68 * _CORNER_DISTANCE * _towards(_DEGREES["icons"][corner])
            _draw_icon(ax, icon, place, alpha=1.0 if FOREST_AT[cell, corner] >= 0 else 0.35)
        tokens = int(state["tokens"][seat, cell])
        for segment, degrees in enumerate(_DEGREES["segments"]):
            token = (tokens >> (2 * segment)) & 3
            if token:
                x, y = centre + 0.68 * _CORNER_DISTANCE * _towards(degrees)
                circle = {"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": "#222222"}
                ax.text(x, y, ANIMAL_LETTERS[token - 1], ha="center", va="center", fontsize=6, weight="bold",
                        bbox=circle)  # fmt: skip


def _draw_icon(ax, icon: int, place, alpha: float = 1.0, edge: str = "-") -> None:
    """Draw an icon as a disc in its season's colour with its code."""
    from matplotlib.patches import Circle

    colour = SEASON_COLOURS[icon // 256]
    ax.add_patch(Circle(place, 0.33, facecolor=colour, edgecolor="#333333", linestyle=edge, linewidth=0.7, alpha=alpha))
    ax.text(*place, icon_code(icon), ha="center", va="center", fontsize=5.5, color="white", weight="bold", alpha=alpha)


def draw_position(rules: np.ndarray, states: np.ndarray, names: list[str], figure) -> None:
    """Draw all mountains of a position into `figure`, a matplotlib Figure, under the names of their players."""
    n_seats = int(rules["n_seats"][0])
    columns = min(n_seats, 3) if n_seats != 4 else 2
    rows = -(-n_seats // columns)
    figure.set_size_inches(4.6 * columns, 3.7 * rows + 0.5)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for seat, ax in enumerate(axes):
        if seat >= n_seats:
            ax.axis("off")
            continue
        draw_mountain(ax, rules, states[0], seat)
        ax.set_title(f"seat {seat}: {names[seat]}, board {states['board'][0, seat] + 1}", fontsize=9)
    figure.text(
        0.5, 0.005,
        "P blossoms, c conifers, b broadleaves, Am Ac Ag mushroom chestnut grape, W winter; dashed: printed on the "
        "board; pale: counts for nothing; R S F: rabbit, squirrel, fox",
        ha="center", va="bottom", fontsize=7, wrap=True,
    )  # fmt: skip
