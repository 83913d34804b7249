"""What a run folder contains: every table and column with its type and meaning, and the version of the format.

The columns of a game's own (moves in natural words, details of scored items, shuffled components) come from the
game's ``view`` module.
"""

from __future__ import annotations

import polars as pl

from meeplecarlo.columns import Column
from meeplecarlo.registry import Game

FORMAT = "meeplecarlo-run"
VERSION = (1, 0)  # major: old readers must refuse; minor: they may ignore what they do not know
TABLES = ("games", "seats", "scores", "rounds", "moves", "deals")
REQUIRED = ("games", "seats")  # cheap, and nothing can be said without them


def tables(game: Game, labels: list[str]) -> dict[str, list[Column]]:
    """Return the columns of all tables for a run of `game` with players of these labels (each once)."""
    view = game.module("view")
    u8, u16, u32, i32 = pl.UInt8(), pl.UInt16(), pl.UInt32(), pl.Int32()
    number = Column("game", u32, "number of the game in the run, from 0")
    seat = Column("seat", u8, "seat, from 0")
    shared = "; null: all seats share the result" if game.shared_result else ""
    phase = Column("phase", pl.Enum(game.phases), "kind of decision")
    return {
        "games": [
            number,
            Column("deal", u32, "number of the deal it was played on, from 0"),
            Column("seating", u8, "which of the seatings of its deal, from 0"),
            Column("n_seats", u8, "number of seats"),
            Column("decisions", u16, "decisions taken by all seats"),
            Column("rounds", u8, "rounds begun"),
            Column("truncated", pl.Boolean(), "stopped at the cap on decisions; nobody has won"),
            Column("winners", pl.List(pl.UInt8()), f"seats that share the win, ascending{shared}"),
            *view.GAME_COLUMNS,
        ],
        "seats": [
            number,
            seat,
            Column("player", pl.Enum(labels), "spec of the player in the seat"),
            Column("points", i32, "final points"),
            Column("rank", u8, f"1 is best; equal standings share a rank; 0 in a truncated game{shared}"),
            Column("win_share", pl.Float64(), f"1 / number of winners for a winner, 0 for the others{shared}"),
            *(Column(name, i32, "tie-break value, compared in the order of the columns") for name in game.ties),
        ],
        "scores": [
            number,
            seat,
            Column("category", pl.Enum(game.categories), "what was scored"),
            Column("slot", pl.Enum(game.slots), "where"),
            Column("points", i32, "points of the item; a seat's points are the sum of its items"),
            *view.DETAIL_COLUMNS,
        ],
        "rounds": [
            number,
            Column("round", u8, "round, from 1"),
            seat,
            Column("points", i32, "points on the table at the end of the round"),
        ],
        "moves": [
            number,
            Column("ply", u16, "decisions before this one in the game"),
            Column("round", u8, "round, from 1"),
            seat,
            phase,
            Column("options", u16, "legal moves there were"),
            Column("move", i32, "code of the move, for replaying"),
            *view.MOVE_COLUMNS,
        ],
        "deals": [Column("deal", u32, "number of the deal, from 0"), *view.DEAL_COLUMNS],
    }
