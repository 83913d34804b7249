"""Fujiyama for human eyes: the columns of its logs, and positions as text."""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.columns import Column, enum_series, nullable
from meeplecarlo.games.fujiyama.mountain import CELLS, SEGMENTS
from meeplecarlo.games.fujiyama.rules import N_ARRANGEMENTS
from meeplecarlo.games.fujiyama.state import ANIMALS, CHOOSE, PLACE, SOURCE_STEP, SOURCES

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
