"""Tables only Fujiyama has: a row an estimate, columns as in `meeplecarlo.report.tables`."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from meeplecarlo.games.fujiyama.mountain import FLATLANDS, FORESTS
from meeplecarlo.games.fujiyama.state import ROUNDS
from meeplecarlo.games.season_tiles import SEASONS
from meeplecarlo.report.sample import Sample, Sums, frame, sample_of
from meeplecarlo.stats.intervals import difference, independent_difference, mean_interval, sd_interval, share_of_sums
from meeplecarlo.stats.linear import Linear, log_sd, ratio
from meeplecarlo.store.dataset import Run

ALL = "all players"
FOREST_KINDS = (*SEASONS, "mixed")
PLACE_MEASURES = ("points", "summer_mean", "summer_sd", "summer_zeros")

_POINTS = pl.col("points").cast(pl.Float64)
_FOREST_SUMS = {
    "n": pl.len(),
    "points": _POINTS.sum(),
    "squares": (_POINTS**2).sum(),
    "zeros": (pl.col("points") == 0).sum(),
}


def forest_sums(run: Run | Sample) -> dict[tuple[str, str], Sums]:
    """Return sums per deal over forests by player (and `ALL`) and season: n, points, squares, zeros."""
    sample = sample_of(run)
    rows = sample.run.scores.filter(pl.col("category").is_in(FOREST_KINDS))
    sums = sample.sums(
        sample.with_player(rows.select("game", "seat", "category", "points")), ["player", "category"], **_FOREST_SUMS
    )
    for season in FOREST_KINDS:
        of = [s for (_, category), s in sums.items() if category == season]
        if of:
            sums[ALL, season] = Sums({name: sum(s[name] for s in of) for name in _FOREST_SUMS})
    return sums


def forests(run: Run | Sample, sums: dict | None = None) -> pl.DataFrame:
    """Return how forests of each season score, by player and over all players.

    Parameters
    ----------
    sums : dict, optional
        `forest_sums` of the same run, if it is at hand.

    Returns
    -------
    DataFrame
        ``player`` (or "all players"), ``season`` (or "mixed"), ``measure`` and the estimate. Measures: ``per_game``,
        forests per game and seat held (n counts seats held); of the points of a single forest the ``mean``, the
        standard deviation ``sd`` and the share of ``zeros`` (n counts forests).
    """
    sample = sample_of(run)
    sums = forest_sums(sample) if sums is None else sums
    held = sample.sums(sample.run.seats, ["player"], n=pl.len())
    held[ALL,] = Sums({"n": sum(of["n"] for of in held.values())})
    rows = []
    for player, season in itertools.product([ALL, *sample.run.players], FOREST_KINDS):
        if (player, season) not in sums:
            continue
        of = sums[player, season]
        measures = {
            "per_game": mean_interval(of["n"], held[player,]["n"]),
            "mean": mean_interval(of["points"], of["n"]),
            "sd": sd_interval(of["n"], of["points"], of["squares"]),
            "zeros": share_of_sums(of["zeros"], of["n"]),
        }
        rows += [sample.row(v, player=player, season=season, measure=m) for m, v in measures.items()]
    return frame(rows, player=pl.String(), season=pl.String(), measure=pl.String())


def forest_points(run: Run | Sample) -> pl.DataFrame:
    """Return the distribution of the points of a single forest, by season, over all players.

    Returns
    -------
    DataFrame
        ``season, points`` and the share of the season's forests with exactly so many points; n counts the season's
        forests.
    """
    sample = sample_of(run)
    rows = sample.run.scores.filter(pl.col("category").is_in(SEASONS))
    sums = sample.sums(rows, ["category", "points"], n=pl.len())
    found = []
    for season in SEASONS:
        of = {points: s["n"] for (category, points), s in sums.items() if category == season}
        n = sum(of.values())
        found += [sample.row(share_of_sums(of[x], n), season=season, points=x) for x in sorted(of)]
    return frame(found, season=pl.String(), points=pl.Int64())


def places(run: Run | Sample, player: str | None = None) -> pl.DataFrame:
    """Return what each place on the mountain scores.

    Parameters
    ----------
    player : str, optional
        Label of a player; all players together when left out.

    Returns
    -------
    DataFrame
        ``slot`` (F1 to F12, L1 to L14), ``measure`` and the estimate. ``points``: mean points per game and seat held,
        nothing counting as 0 (n counts seats held). For forests also, of the summer forests there, ``summer_mean``,
        ``summer_sd`` and the share of ``summer_zeros`` (n counts summer forests).
    """
    sample = sample_of(run)
    rows, seats = sample.run.scores.select("game", "seat", "category", "slot", "points"), sample.run.seats
    if player is not None:
        rows, seats = (x.filter(pl.col("player") == player) for x in (sample.with_player(rows), seats))
    held = sample.sums(seats, [], n=pl.len())[()]["n"]
    summer = pl.col("category") == "summer"
    points = _POINTS.filter(summer)
    sums = sample.sums(
        rows,
        ["slot"],
        all_points=_POINTS.sum(),
        n=summer.sum(),
        points=points.sum(),
        squares=(points**2).sum(),
        zeros=(summer & (pl.col("points") == 0)).sum(),
    )
    found = []
    nothing = Sums({name: np.zeros(len(held)) for name in (*_FOREST_SUMS, "all_points")})
    for slot in (*FORESTS, *FLATLANDS):
        of = sums.get((slot,), nothing)
        measures = {"points": mean_interval(of["all_points"], held)}
        if slot in FORESTS:
            measures |= {
                "summer_mean": mean_interval(of["points"], of["n"]),
                "summer_sd": sd_interval(of["n"], of["points"], of["squares"]),
                "summer_zeros": share_of_sums(of["zeros"], of["n"]),
            }
        found += [sample.row(v, slot=slot, measure=m) for m, v in measures.items()]
    return frame(found, slot=pl.String(), measure=pl.String())


def trump_use(run: Run | Sample) -> pl.DataFrame:
    """Return when each player lays its trump tile.

    Returns
    -------
    DataFrame
        ``player, round`` (null: never) and the share of games; n counts seats held.
    """
    sample = sample_of(run)
    held = sample.sums(sample.run.seats, ["player"], n=pl.len())
    rows = sample.run.moves.filter(pl.col("source") == "trump").select("game", "round", "seat")
    sums = sample.sums(sample.with_player(rows), ["player", "round"], n=pl.len())
    found = []
    for player in sample.run.players:
        if (player,) not in held:
            continue
        n = held[player,]["n"]
        played = [sums[player, r]["n"] if (player, r) in sums else np.zeros(len(n)) for r in range(1, ROUNDS + 1)]
        for number, of in [*enumerate(played, 1), (None, n - sum(played))]:
            found.append(sample.row(share_of_sums(of, n), player=player, round=number))
    return frame(found, player=pl.String(), round=pl.Int64())


def boards(run: Run | Sample) -> pl.DataFrame:
    """Return how the mountain boards do, whoever has them.

    Returns
    -------
    DataFrame
        ``board`` (from 1), ``measure`` (``win_share`` or ``points``) and the estimate; n counts seats that had the
        board.
    """
    sample = sample_of(run)
    n_seats, seatings = sample.run.n_seats, sample.run.seatings
    held = (
        sample.run.deals.select("deal", board="boards")
        .with_columns(seat=pl.lit(list(range(n_seats)), pl.List(pl.UInt8)))
        .explode("board", "seat")
    )
    rows = sample.run.seats.with_columns(deal=pl.col("game") // seatings).join(held, on=["deal", "seat"])
    sums = sample.sums(rows, ["board"], n=pl.len(), wins=pl.col("win_share").sum(), points=_POINTS.sum())
    found = []
    for measure, (board,) in itertools.product(("win_share", "points"), sorted(sums)):
        of = sums[board,]
        win = measure == "win_share"
        value = share_of_sums(of["wins"], of["n"]) if win else mean_interval(of["points"], of["n"])
        found.append(sample.row(value, board=board, measure=measure))
    return frame(found, board=pl.Int64(), measure=pl.String())


def summer_by_run(samples: list[Sample], names: list[str], paired: bool) -> pl.DataFrame:
    """Return the summer findings of several runs and how they differ from the first.

    Parameters
    ----------
    paired : bool
        Whether the runs were played on the same deals by the same line-up.

    Returns
    -------
    DataFrame
        ``run, measure`` (``per_game``, ``mean``, ``sd``, ``zeros``) with the estimate over all players, then
        ``change, change_lo, change_hi, change_p``: against the first run, for ``sd`` as a factor; null for the first
        run itself.
    """
    rows, first = [], {}
    for sample, name in zip(samples, names, strict=True):
        sums = forest_sums(sample)
        table = {
            r["measure"]: r for r in forests(sample, sums).filter(player=ALL, season="summer").iter_rows(named=True)
        }
        if not table:
            continue
        of, held = sums[ALL, "summer"], sample.sums(sample.run.seats, [], n=pl.len())[()]["n"]
        linear = {
            "per_game": ratio(of["n"], held),
            "mean": ratio(of["points"], of["n"]),
            "sd": log_sd(of["n"], of["points"], of["squares"]),
            "zeros": ratio(of["zeros"], of["n"]),
        }
        for measure, value in linear.items():
            change = _change(value, first[measure], measure, paired) if first else dict.fromkeys(_CHANGE)
            label = {"run": name, "measure": measure}
            rows.append(
                label | {k: v for k, v in table[measure].items() if k not in ("player", "season", "measure")} | change
            )
        first = first or linear
    table = frame(rows, run=pl.String(), measure=pl.String())
    return table if rows else table.with_columns(**{c: pl.lit(None, pl.Float64) for c in _CHANGE})


_CHANGE = ("change", "change_lo", "change_hi", "change_p")


def _change(value: Linear, first: Linear, measure: str, paired: bool) -> dict[str, float | None]:
    found = (difference if paired else independent_difference)(value, first)
    numbers = [found.estimate, found.lo, found.hi]
    if measure == "sd":
        numbers = [float(np.exp(x)) for x in numbers]
    return {k: float(x) if np.isfinite(x) else None for k, x in zip(_CHANGE, [*numbers, found.p], strict=True)}
