"""From the record arrays of a played part to the frames of its tables."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from meeplecarlo.columns import enum_series
from meeplecarlo.registry import Game
from meeplecarlo.store.schema import tables


def build_tables(game: Game, labels: list[str], rules: np.ndarray, played: dict, keep: Iterable[str]) -> dict:
    """Return the frames of one part by table name.

    Parameters
    ----------
    labels : list of str
        Labels of the line-up, by line-up index.
    rules : array of RULES, shape (1,)
    played : dict of str to ndarray
        What `simulation.engine.Engine.play_games` returned, and the deals of the part.
    keep : iterable of str
        Tables to build.
    """
    builders = {
        "games": lambda: _games(game, rules, played),
        "seats": lambda: _seats(game, labels, played, int(rules["n_seats"][0])),
        "scores": lambda: _scores(game, played),
        "rounds": lambda: _rounds(played),
        "moves": lambda: _moves(game, played),
        "deals": lambda: _deals(game, rules, played),
    }
    schema = tables(game, unique(labels))
    frames = {}
    for name in keep:
        frame = pl.DataFrame(builders[name]())
        frames[name] = frame.select(pl.col(c.name).cast(c.dtype) for c in schema[name])
    return frames


def unique(labels: list[str]) -> list[str]:
    """Return the labels in order, each once."""
    return list(dict.fromkeys(labels))


def _games(game: Game, rules: np.ndarray, played: dict) -> list[pl.Series]:
    outcomes, view = played["outcomes"], game.module("view")
    n_seats = int(rules["n_seats"][0])
    return [
        pl.Series("game", played["games"]),
        pl.Series("deal", played["deals"]),
        pl.Series("seating", played["rotations"]),
        pl.Series("n_seats", np.full(len(outcomes), n_seats)),
        *(pl.Series(name, np.ascontiguousarray(outcomes[name])) for name in ("decisions", "rounds", "truncated")),
        _nothing("winners", len(outcomes)) if game.shared_result else _winners(played, n_seats),
        *(view.game_columns(rules, played["finals"]) if view.GAME_COLUMNS else []),
    ]


def _nothing(name: str, n: int) -> pl.Series:
    return pl.repeat(None, n, eager=True).alias(name)


def _winners(played: dict, n_seats: int) -> pl.Series:
    outcomes, standings = played["outcomes"], played["standings"]
    seats = pl.DataFrame(
        {
            "game": np.repeat(played["games"], n_seats),
            "seat": np.tile(np.arange(n_seats, dtype=np.uint8), len(outcomes)),
            "rank": standings["rank"][:, :n_seats].ravel(),
        }
    )
    won = pl.col("seat").filter(pl.col("rank") == 1).alias("winners")
    return seats.group_by("game", maintain_order=True).agg(won)["winners"]


def _seats(game: Game, labels: list[str], played: dict, n_seats: int) -> list[pl.Series]:
    standings = played["standings"][:, :n_seats]
    names = unique(labels)
    code = np.array([names.index(label) for label in labels])
    return [
        pl.Series("game", np.repeat(played["games"], n_seats)),
        pl.Series("seat", np.tile(np.arange(n_seats), len(standings))),
        enum_series("player", code[played["seating"][:, :n_seats].ravel()], names),
        pl.Series("points", standings["points"].ravel()),
        *(
            _nothing(name, standings.size) if game.shared_result else pl.Series(name, standings[name].ravel())
            for name in ("rank", "win_share")
        ),
        *(pl.Series(name, standings["ties"][:, :, k].ravel()) for k, name in enumerate(game.ties)),
    ]


def _columns(records: np.ndarray, names: Iterable[str]) -> list[pl.Series]:
    return [pl.Series(name, np.ascontiguousarray(records[name])) for name in names]


def _scores(game: Game, played: dict) -> list[pl.Series]:
    lines = played["lines"]
    details = lines.dtype.names[4:]
    return [
        pl.Series("game", played["line_games"]),
        *_columns(lines, ("seat",)),
        enum_series("category", lines["category"], game.categories),
        enum_series("slot", lines["slot"], game.slots),
        *_columns(lines, ("points", *details)),
    ]


def _rounds(played: dict) -> list[pl.Series]:
    return _columns(played["rounds"], ("game", "round", "seat", "points"))


def _moves(game: Game, played: dict) -> list[pl.Series]:
    rows = played["decisions"]
    move = np.ascontiguousarray(rows["move"])
    phase = np.ascontiguousarray(rows["phase"])
    return [
        *_columns(rows, ("game", "ply", "round", "seat")),
        enum_series("phase", phase, game.phases),
        *_columns(rows, ("options",)),
        pl.Series("move", move),
        *game.module("view").move_columns(phase, move),
    ]


def _deals(game: Game, rules: np.ndarray, played: dict) -> list[pl.Series]:
    return [
        pl.Series("deal", played["dealt"]),
        *game.module("view").deal_columns(rules, played["dealt_states"]),
    ]
