"""Tables of who goes out when, who starts, what a round scores, and what the penalty and the tiles decide.

A row is an estimate, columns as in `meeplecarlo.report.tables`. Games that were stopped at the cap on decisions have no
result and are left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
import polars as pl

from meeplecarlo.games.heizei import COLOURS
from meeplecarlo.games.heizei.variant import make_rules
from meeplecarlo.report.sample import Sample, Sums, frame, sample_of
from meeplecarlo.stats.intervals import (
    difference,
    mean_interval,
    sd_interval,
    share_of_sums,
)
from meeplecarlo.stats.linear import ratio
from meeplecarlo.store.dataset import Run

ALL = "all players"
ROUNDS = (1, 2)
PLACES = range(1, len(COLOURS) + 1)  # of a cube: 1 is first
OUT, TURN = "out", "turn"  # orders of the seats in a round: in which they go out, and in which they take turns
SEAT_MEASURES = ("cards", "tile", "points", "above", "win_share")

PENALTY = "penalty (cards count positive)"
HALF = "penalty (cards count nothing)"
TILES, FIRST_TILES, SECOND_TILES = "all tiles", "tiles of round 1", "tiles of round 2"
# Differences of the penalty and all tiles, by the name of their rows.
DIFFERENCES = {"penalty (positive) minus tiles": PENALTY, "penalty (nothing) minus tiles": HALF}
_TIE = 32  # more than any tile is worth: points times this plus the tile of round 2 order seats as R6.4 does

_POINTS = pl.col("points").cast(pl.Int64)
_IS_TILE = pl.col("slot").cast(pl.String()) == "tile"
IS_PENALTY = pl.col("category").cast(pl.String()) == "second_penalty"


def options(run: Run) -> dict:
    """Return the rule options of a run by name."""
    return run.manifest["game"]["options"]


def rules_of(run: Run) -> np.ndarray:
    """Return the rules a run was played by, RULES, shape (1,)."""
    return make_rules(run.n_seats, options(run), {})


def tile_values(run: Run) -> list[int]:
    """Return the values of the point tiles, in the order in which they are taken."""
    return rules_of(run)["tiles"][0, 1 : run.n_seats].tolist()


def has_penalty(run: Run) -> bool:
    """Return whether a colour counts negative in round 2."""
    return options(run)["penalty"] == "most"


def whose(run: Run) -> list[str]:
    """Return of whom tables have rows: all players together, and each where there are several."""
    return [ALL, *(run.players if len(run.players) > 1 else [])]


def finished_seats(run: Run) -> pl.LazyFrame:
    """Return the seats of games with a result: ``game, seat, player, points, win_share, tile_2``."""
    seats = run.seats.filter(pl.col("rank") > 0)
    return seats.select("game", "seat", pl.col("player").cast(pl.String()), _POINTS, "win_share", "tile_2")


def lines(run: Run) -> pl.LazyFrame:
    """Return the score lines of games with a result, with ``round``, and the ``player`` and ``win_share`` of a seat."""
    rows = run.scores.with_columns(_POINTS, round=pl.col("in_round").cast(pl.Int64))
    return rows.join(finished_seats(run).select("game", "seat", "player", "win_share"), on=["game", "seat"])


def total(parts: Iterable[Sums]) -> Sums | None:
    """Return the sums over several groups; None if there is no group."""
    parts = list(parts)
    if not parts:
        return None
    return Sums({name: np.sum([p[name] for p in parts], axis=0) for name in parts[0].values})


# --- seats in a round ----------------------------------------------------------------------------------------------
def seat_rounds(run: Run) -> pl.LazyFrame:
    """Return a row a seat and round: what it scored and when it went out.

    Columns: ``game, seat, round, player, win_share``; points of ``cards`` (the negative ones too), of its ``tile``,
    both (``points``), and by how much they are ``above`` the mean of all seats in this round; ``turn``, its place in
    the order of turns, the start player being 1; ``out``, its place in the order of going out, from 1; null where
    tiles are alike and the run kept no moves.
    """
    n = run.n_seats
    rows = (
        lines(run)
        .group_by("game", "seat", "round")
        .agg(
            player=pl.col("player").first(),
            win_share=pl.col("win_share").first(),
            cards=pl.col("points").filter(~_IS_TILE).sum(),
            tile=pl.col("points").filter(_IS_TILE).sum(),
            got_tile=_IS_TILE.any(),
        )
        .with_columns(points=pl.col("cards") + pl.col("tile"))
    )
    mean = rows.group_by("game", "round").agg(mean=pl.col("points").mean())
    starter = pl.when(pl.col("round") == 1).then(0).otherwise(pl.col("start_2").cast(pl.Int64))
    rows = (
        rows.join(mean, on=["game", "round"])
        .join(run.games.select("game", "start_2"), on="game")
        .with_columns(
            above=pl.col("points") - pl.col("mean"),
            turn=(pl.col("seat").cast(pl.Int64) + n - starter) % n + 1,
        )
    )
    return _with_out(run, rows).select(
        "game", "seat", "round", "player", "win_share", "cards", "tile", "points", "above", TURN, OUT
    )


def _with_out(run: Run, rows: pl.LazyFrame) -> pl.LazyFrame:
    """Add when a seat went out: told by its tile, or where tiles are alike by the moves."""
    n, values = run.n_seats, tile_values(run)
    if len(set(values)) == len(values):
        by_tile = pl.col("tile").replace_strict(values, list(range(1, n)), default=n, return_dtype=pl.Int64)
        return rows.with_columns(out=pl.when("got_tile").then(by_tile).otherwise(n))
    if not run.has("moves"):
        return rows.with_columns(out=pl.lit(None, pl.Int64))
    order = (
        run.moves.filter(pl.col("phase").cast(pl.String()) == "last")
        .group_by("game", pl.col("round").cast(pl.Int64))
        .agg(seat=pl.col("seat").sort_by("ply"), out=pl.int_range(1, pl.len() + 1))
        .explode("seat", "out")
    )
    return rows.join(order, on=["game", "round", "seat"])


def order_sums(sample: Sample, order: str) -> dict[tuple[int, str, int], Sums]:
    """Return sums per deal over seats, by round, player (and `ALL`) and place in an order, `OUT` or `TURN`.

    Empty where that order is not known.
    """
    columns = {name: pl.col(name).sum() for name in SEAT_MEASURES}
    rows = seat_rounds(sample.run).filter(pl.col(order).is_not_null())
    sums = sample.sums(rows, ["round", "player", order], n=pl.len(), **columns)
    for number, place in itertools.product(ROUNDS, range(1, sample.run.n_seats + 1)):
        of = total(s for (r, _, k), s in sums.items() if (r, k) == (number, place))
        if of is not None:
            sums[number, ALL, place] = of
    return sums


def by_order(sample: Sample, sums: dict, order: str) -> pl.DataFrame:
    """Return what seats score by their place in an order.

    Parameters
    ----------
    sums : dict
        `order_sums`.
    order : str
        `OUT` or `TURN`; becomes the name of a column.

    Returns
    -------
    DataFrame
        ``player`` (or "all players"), ``round``, the place in the order from 1, ``measure`` and the estimate; ``n``
        counts seats held. Measures: mean points of a seat in this round from ``cards``, its ``tile``, and both
        (``points``); by how much these are ``above`` the mean of all seats in this round of this game; and its
        ``win_share`` in the whole game.
    """
    rows = []
    for player, number, place in itertools.product(whose(sample.run), ROUNDS, range(1, sample.run.n_seats + 1)):
        of = sums.get((number, player, place))
        for measure in SEAT_MEASURES if of is not None else ():
            share = measure == "win_share"
            value = (share_of_sums if share else mean_interval)(of[measure], of["n"])
            rows.append(sample.row(value, player=player, round=number, **{order: place}, measure=measure))
    return frame(rows, player=pl.String(), round=pl.Int64(), **{order: pl.Int64()}, measure=pl.String())


def first_against_later(sample: Sample, sums: dict) -> pl.DataFrame:
    """Return what the first in an order has more than all the others, by player: a row a player, round and measure.

    Of one player, rounds in which it is first are compared with those in which it is not. ``n`` counts the fewer of
    the two; measures as in `by_order`. Players that are always or never first have no row.
    """
    rows = []
    for player, number in itertools.product(whose(sample.run), ROUNDS):
        first = sums.get((number, player, 1))
        later = total(s for (r, p, k), s in sums.items() if (r, p) == (number, player) and k > 1)
        if first is None or later is None:
            continue
        for measure in SEAT_MEASURES:
            value = difference(ratio(first[measure], first["n"]), ratio(later[measure], later["n"]))
            rows.append(sample.row(value, player=player, round=number, measure=measure))
    return frame(rows, player=pl.String(), round=pl.Int64(), measure=pl.String())


# --- points of a round ---------------------------------------------------------------------------------------------
def round_points(run: Run | Sample) -> pl.DataFrame:
    """Return what a seat scores in each round, tile included: a row a player (or all), round and measure.

    Measures: the ``mean``, the standard deviation ``sd``, and the shares of seats that score less than nothing
    (``negative``). ``n`` counts seats held.
    """
    sample = sample_of(run)
    points = pl.col("points")
    sums = sample.sums(
        seat_rounds(sample.run),
        ["round", "player"],
        n=pl.len(),
        points=points.sum(),
        squares=(points**2).sum(),
        negative=(points < 0).sum(),
    )
    rows = []
    for player, number in itertools.product(whose(sample.run), ROUNDS):
        of = total(s for (r, p), s in sums.items() if r == number and player in (ALL, p))
        if of is not None:
            measures = {
                "mean": mean_interval(of["points"], of["n"]),
                "sd": sd_interval(of["n"], of["points"], of["squares"]),
                "negative": share_of_sums(of["negative"], of["n"]),
            }
            rows += [sample.row(v, player=player, round=number, measure=m) for m, v in measures.items()]
    return frame(rows, player=pl.String(), round=pl.Int64(), measure=pl.String())


def round_spread(run: Run | Sample) -> pl.DataFrame:
    """Return how the points of a round are spread: ``round, points`` and the share of seats with exactly so many.

    ``n`` counts seats held; only numbers of points that occur have a row.
    """
    sample = sample_of(run)
    sums = sample.sums(seat_rounds(sample.run), ["round", "points"], n=pl.len())
    rows = []
    for number in ROUNDS:
        of = {points: s["n"] for (r, points), s in sums.items() if r == number}
        n = sum(of.values())
        shares = [(points, share_of_sums(of[points], n)) for points in sorted(of)]
        rows += [sample.row(v, round=number, points=points) for points, v in shares if v.estimate]
    return frame(rows, round=pl.Int64(), points=pl.Int64())


# --- the penalty ---------------------------------------------------------------------------------------------------
def penalty(run: Run | Sample) -> pl.DataFrame:
    """Return what counts negative in round 2: a row a player (or all) and measure; empty without the penalty.

    Measures: mean ``points`` of the negative colour (at most 0), how many ``cards`` of it a seat has, and how often
    its cube is first to fourth (``place_1`` to ``place_4``). ``n`` counts seats held.
    """
    sample = sample_of(run)
    places = {f"place_{k}": (pl.col("place") == k).sum() for k in PLACES}
    sums = sample.sums(
        lines(sample.run).filter(IS_PENALTY),
        ["player"],
        n=pl.len(),
        points=pl.col("points").sum(),
        cards=pl.col("cards").cast(pl.Int64).sum(),
        **places,
    )
    rows = []
    for player in whose(sample.run):
        of = total(s for (p,), s in sums.items() if player in (ALL, p))
        if of is not None:
            for measure in ("points", "cards"):
                rows.append(sample.row(mean_interval(of[measure], of["n"]), player=player, measure=measure))
            rows += [sample.row(share_of_sums(of[k], of["n"]), player=player, measure=k) for k in places]
    return frame(rows, player=pl.String(), measure=pl.String())


def deciders(run: Run | Sample) -> pl.DataFrame:
    """Return whether the penalty or the tiles decide more, with winners counted again from the score lines.

    Everybody is taken to have played the same. Without the penalty (`PENALTY`) its cards count positive, as with the
    option ``penalty = none``; `HALF` takes them to count nothing. Seats with equal points
    are told apart by the tile of round 2, as printed, or share the win where these tiles are left out.

    Returns
    -------
    DataFrame
        ``without`` (what is left out), ``measure``, the estimate and ``p``. Measures: ``moved``, the share of wins that
        would go to another seat (of a shared win, a part); ``changed``, the share of games with other winners;
        ``sd``, the standard deviation over seats of what they have from it more than the mean of their game, in points.
        The rows `DIFFERENCES` compare the penalty with all tiles in the same deals; only they have a p. ``n`` counts
        games, for ``sd`` seats held. Where there is no penalty, the tiles alone have rows.
    """
    sample = sample_of(run)
    run = sample.run
    effects = _effects(run)
    values = {}
    for name, effect in effects.items():
        left = pl.col("points") - effect
        tie = 0 if name in (TILES, SECOND_TILES) else pl.col("tile_2").cast(pl.Int64)
        key = left * _TIE + tie
        wins = (key == key.max()).cast(pl.Float64)
        share = wins / wins.sum()
        values |= {
            f"moved {name}": (pl.col("win_share") - share).clip(lower_bound=0).sum(),
            f"changed {name}": (share != pl.col("win_share")).any(),
            f"squares {name}": ((effect - effect.mean()) ** 2).sum(),
        }
    games = _seat_effects(run).group_by("game").agg(**values)
    of = sample.sums(games, [], n=pl.len(), **{name: pl.col(name).sum() for name in values}).get(())
    if of is None:
        return _with_p([], [])
    rows, p = [], []
    for name in effects:
        seats = of["n"] * run.n_seats
        measures = {
            "moved": share_of_sums(of[f"moved {name}"], of["n"]),
            "changed": share_of_sums(of[f"changed {name}"], of["n"]),
            "sd": sd_interval(seats, np.zeros(len(seats)), of[f"squares {name}"]),
        }
        rows += [sample.row(v, without=name, measure=m) for m, v in measures.items()]
        p += [None] * len(measures)
    for (label, name), measure in itertools.product(DIFFERENCES.items(), ("moved", "changed")):
        if name not in effects:
            continue
        found = difference(*(ratio(of[f"{measure} {x}"], of["n"]) for x in (name, TILES)))
        rows.append(sample.row(found, without=label, measure=measure))
        p.append(found.p if np.isfinite(found.p) else None)
    return _with_p(rows, p)


def _with_p(rows: list[dict], p: list[float | None]) -> pl.DataFrame:
    table = frame(rows, without=pl.String(), measure=pl.String())
    return table.with_columns(p=pl.Series(p, dtype=pl.Float64))


def _effects(run: Run) -> dict[str, pl.Expr]:
    """Return what each thing adds to the points of a seat, as an expression of `_seat_effects`."""
    found = {
        TILES: pl.col("tile_1") + pl.col("tile_of_2"),
        FIRST_TILES: pl.col("tile_1"),
        SECOND_TILES: pl.col("tile_of_2"),
    }
    # Cards that count negative would count positive without the penalty, so it takes them twice.
    negative = pl.col("penalty")
    return {PENALTY: 2 * negative, HALF: negative} | found if has_penalty(run) else found


def _seat_effects(run: Run) -> pl.LazyFrame:
    """Return `finished_seats` with the points of the tiles of both rounds and of the cards that count negative."""
    of_round = pl.col("round")
    parts = (
        lines(run)
        .group_by("game", "seat")
        .agg(
            tile_1=pl.col("points").filter(_IS_TILE & (of_round == 1)).sum(),
            tile_of_2=pl.col("points").filter(_IS_TILE & (of_round == 2)).sum(),
            penalty=pl.col("points").filter(IS_PENALTY).sum(),
        )
    )
    return finished_seats(run).join(parts, on=["game", "seat"])
