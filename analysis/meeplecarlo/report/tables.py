"""The numbers of a report as polars frames: one row an estimate, with its 95 % interval.

Every frame ends with the columns ``estimate, lo, hi`` (null where there is no interval), ``se`` (standard error over
deals), ``n`` (what was counted: see each function), ``deals`` and ``games`` behind it. Only deals played in all their
seatings are used (`sample.Sample`).
"""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from meeplecarlo.report.sample import Sample, frame, sample_of
from meeplecarlo.stats.intervals import (
    difference,
    mean_interval,
    sd_interval,
    share_of_sums,
    without_interval,
)
from meeplecarlo.stats.linear import ratio
from meeplecarlo.stats.multiple import holm, seat_test
from meeplecarlo.store.dataset import Run

QUANTILES = {"p5": 0.05, "p50": 0.50, "p95": 0.95}
CLOSE = 5  # a margin of so many points or fewer is called close

_POINTS = pl.col("points").cast(pl.Float64)
_PLAYER_SUMS = {
    "n": pl.len(),
    "wins": pl.col("win_share").sum(),
    "points": _POINTS.sum(),
    "squares": (_POINTS**2).sum(),
    "ranked": (pl.col("rank") > 0).sum(),
    "ranks": pl.col("rank").cast(pl.Int64).sum(),
}


def players(run: Run | Sample) -> pl.DataFrame:
    """Return the standing of each player: a row per player and measure.

    Returns
    -------
    DataFrame
        ``player, measure`` and the estimate; ``n`` counts seats held. Measures: ``win_share`` per seat held (a shared
        win counts as its part; parity is 1 / seats; a player with several copies in the line-up is one player),
        ``edge`` over parity, mean ``rank`` (1 is best), mean ``points``, their standard deviation ``sd`` and quantiles
        ``p5, p50, p95``, which come without interval. In a line-up of one player win share and rank are what they are
        by construction and come without interval.
    """
    sample = sample_of(run)
    run, parity = sample.run, 1 / sample.run.n_seats
    sums, quantiles = sample.sums(sample.run.seats, ["player"], **_PLAYER_SUMS), _quantiles(sample)
    rows = []
    for player in run.players:
        of = sums.get((player,))
        if of is None:
            continue
        win, rank = share_of_sums(of["wins"], of["n"]), mean_interval(of["ranks"], of["ranked"])
        if len(run.players) == 1:
            win, rank = without_interval(ratio(of["wins"], of["n"])), without_interval(ratio(of["ranks"], of["ranked"]))
        measures = {
            "win_share": win,
            "rank": rank,
            "points": mean_interval(of["points"], of["n"]),
            "sd": sd_interval(of["n"], of["points"], of["squares"]),
        }
        rows += [sample.row(value, player=player, measure=name) for name, value in measures.items()]
        edge = dict(rows[-4], measure="edge")
        for name in ("estimate", "lo", "hi"):
            edge[name] = None if edge[name] is None else edge[name] - parity
        rows.insert(-3, edge)
        bare = {"lo": None, "hi": None, "se": None}
        rows += [dict(rows[-1], measure=name, estimate=quantiles[player][name], **bare) for name in QUANTILES]
    return frame(rows, player=pl.String(), measure=pl.String())


def _quantiles(sample: Sample) -> dict[str, dict[str, float]]:
    found = (
        _of_complete_deals(sample, sample.run.seats)
        .group_by("player")
        .agg(_POINTS.quantile(q, "nearest").alias(name) for name, q in QUANTILES.items())
        .collect(engine="streaming")
    )
    return {row["player"]: row for row in found.to_dicts()}


def _of_complete_deals(sample: Sample, rows: pl.LazyFrame) -> pl.LazyFrame:
    if not sample.left_out:
        return rows
    deals = pl.LazyFrame({"deal": sample.deals.astype(np.uint32)})
    return rows.with_columns(deal=(pl.col("game") // sample.run.seatings).cast(pl.UInt32)).join(deals, on="deal")


def pairs(run: Run | Sample) -> pl.DataFrame:
    """Return the differences between every two players in the same deals.

    Returns
    -------
    DataFrame
        ``player, other, measure`` (``win_share`` per seat held, or ``points``), the estimate of player minus other
        with its own 95 % interval, ``p`` and ``p_holm`` (adjusted for the number of pairs). ``n`` counts the seats
        held by the one that held fewer. Empty for a line-up of one player.
    """
    sample = sample_of(run)
    sums = sample.sums(
        sample.run.seats, ["player"], n=pl.len(), win_share=pl.col("win_share").sum(), points=_POINTS.sum()
    )
    rows = []
    for measure in ("win_share", "points"):
        means = {p: ratio(sums[p,][measure], sums[p,]["n"]) for p in sample.run.players if (p,) in sums}
        found = [(a, b, difference(means[a], means[b])) for a, b in itertools.combinations(means, 2)]
        adjusted = holm(np.array([d.p for _, _, d in found]))
        for (a, b, d), p_holm in zip(found, adjusted, strict=True):
            row = sample.row(d, player=a, other=b, measure=measure)
            rows.append(row | {"p": _known(d.p), "p_holm": _known(p_holm)})
    table = frame(rows, player=pl.String(), other=pl.String(), measure=pl.String())
    return table if rows else table.with_columns(p=pl.lit(None, pl.Float64), p_holm=pl.lit(None, pl.Float64))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def seats(run: Run | Sample) -> pl.DataFrame:
    """Return what each seat is worth, all players having held it equally often.

    Returns
    -------
    DataFrame
        ``seat, measure`` (``win_share`` or ``points``), the estimate, and ``p``: the joint test of equal win shares
        (`stats.multiple.seat_test`), the same in every row. ``n`` counts games.
    """
    sample = sample_of(run)
    sums = sample.sums(sample.run.seats, ["seat"], n=pl.len(), wins=pl.col("win_share").sum(), points=_POINTS.sum())
    every = range(sample.run.n_seats)
    shares = np.column_stack([sums[s,]["wins"] / sums[s,]["n"] for s in every])
    p = _known(seat_test(shares))
    rows = []
    for measure in ("win_share", "points"):
        for seat in every:
            of = sums[seat,]
            win = measure == "win_share"
            value = share_of_sums(of["wins"], of["n"]) if win else mean_interval(of["points"], of["n"])
            rows.append(sample.row(value, seat=seat, measure=measure) | {"p": p})
    return frame(rows, seat=pl.Int64(), measure=pl.String())


def closeness(run: Run | Sample) -> pl.DataFrame:
    """Return how close games are.

    Returns
    -------
    DataFrame
        ``measure`` and the estimate; ``n`` counts games. Measures: share of games with a ``shared_win``, share won on
        the ``tie_break`` alone (equal points on top, one winner), mean ``margin`` in points between the two best
        totals, share with a ``close`` margin (at most `CLOSE` points), share ``truncated``.
    """
    sample = sample_of(run)
    top = pl.col("points").cast(pl.Int64).top_k(2)
    first, second = top.max(), top.min()
    games = (
        sample.run.seats.group_by("game")
        .agg(margin=first - second, winners=(pl.col("win_share") > 0).sum(), truncated=(pl.col("rank") == 0).any())
        .with_columns(ended=~pl.col("truncated"))
    )
    margin = pl.col("margin")
    sums = sample.sums(
        games,
        [],
        n=pl.len(),
        ended=pl.col("ended").sum(),
        shared_win=(pl.col("winners") > 1).sum(),
        tie_break=((margin == 0) & (pl.col("winners") == 1)).sum(),
        close=((margin <= CLOSE) & pl.col("ended")).sum(),
        margin=margin.filter(pl.col("ended")).sum(),
        truncated=pl.col("truncated").sum(),
    )[()]
    rows = [
        sample.row(share_of_sums(sums[name], sums["ended"]), measure=name)
        for name in ("shared_win", "tie_break", "close")
    ]
    rows.insert(2, sample.row(mean_interval(sums["margin"], sums["ended"]), measure="margin"))
    rows.append(sample.row(share_of_sums(sums["truncated"], sums["n"]), measure="truncated"))
    return frame(rows, measure=pl.String())


def categories(run: Run | Sample) -> pl.DataFrame:
    """Return the points a player makes in each category: a row per player and category of the game.

    Returns
    -------
    DataFrame
        ``player, category`` and the mean points per game and seat held; ``n`` counts seats held. The estimates of a
        player add up to the mean total.
    """
    sample = sample_of(run)
    held = sample.sums(sample.run.seats, ["player"], n=pl.len())
    scores = sample.with_player(sample.run.scores.select("game", "seat", "category", "points"))
    sums = sample.sums(scores, ["player", "category"], points=_POINTS.sum())
    rows = []
    for player, category in itertools.product(sample.run.players, sample.run.game.categories):
        if (player,) in held:
            n = held[player,]["n"]
            points = sums[player, category]["points"] if (player, category) in sums else np.zeros(len(n))
            rows.append(sample.row(mean_interval(points, n), player=player, category=category))
    return frame(rows, player=pl.String(), category=pl.String())


def rounds(run: Run | Sample) -> pl.DataFrame:
    """Return the mean points on the table at the end of each round: ``player, round`` and the estimate.

    ``n`` counts seats held in games that reached the round.
    """
    sample = sample_of(run)
    sums = sample.sums(sample.with_player(sample.run.rounds), ["player", "round"], n=pl.len(), points=_POINTS.sum())
    order = {player: i for i, player in enumerate(sample.run.players)}
    rows = [
        sample.row(mean_interval(sums[key]["points"], sums[key]["n"]), player=key[0], round=key[1])
        for key in sorted(sums, key=lambda key: (order[key[0]], key[1]))
    ]
    return frame(rows, player=pl.String(), round=pl.Int64())


def totals(run: Run | Sample, points: int = 25) -> pl.DataFrame:
    """Return the distribution of final points: the share of games that end with at most so many.

    Returns
    -------
    DataFrame
        ``player, points``, the estimate, and an interval at about `points` places from the least to the greatest
        total (each holding by itself, not all at once); null in between. ``n`` counts seats held.
    """
    sample = sample_of(run)
    rows_of = _of_complete_deals(sample, sample.run.seats)
    counts = rows_of.group_by("player", "points").len().sort("points").collect(engine="streaming")
    if counts.is_empty():
        return frame([], player=pl.String(), points=pl.Int64())
    low, high = counts["points"].min(), counts["points"].max()
    grid = sorted(set(np.linspace(low, high, points).round().astype(int).tolist()))
    below = {str(x): (pl.col("points") <= x).sum() for x in grid}
    sums = sample.sums(sample.run.seats, ["player"], n=pl.len(), **below)
    rows = []
    for player in sample.run.players:
        if (player,) not in sums:
            continue
        n, of = sums[player,]["n"], counts.filter(pl.col("player") == player)
        own = np.cumsum(of["len"].to_numpy()) / of["len"].sum()
        share = dict(zip(of["points"].to_list(), own.tolist(), strict=True))
        bands = {x: share_of_sums(sums[player,][str(x)], n) for x in grid}
        exact = ratio(np.zeros(len(n)), n)
        for x in sorted({*share, *grid}):
            row = sample.row(bands.get(x, without_interval(exact)), player=player, points=x)
            if x not in bands:
                row |= {"estimate": share[x], "se": None}
            rows.append(row)
    return frame(rows, player=pl.String(), points=pl.Int64())


def shared_points(run: Run | Sample) -> pl.LazyFrame:
    """Return the result of each game of a run whose result all seats share: ``game, points``."""
    # Every seat is credited with all points; seat 0 is always there.
    return sample_of(run).run.seats.filter(pl.col("seat") == 0).select("game", _POINTS)


def shared_result(run: Run | Sample) -> pl.DataFrame:
    """Return how good the result is that all seats share.

    Returns
    -------
    DataFrame
        ``measure`` and the estimate; ``n`` counts games, those without a decision too. Measures: ``mean``, standard
        deviation ``sd`` and quantiles ``p5, p50, p95`` of the points, which come without interval, and the share of
        games ``truncated``.
    """
    sample = sample_of(run)
    points = shared_points(sample)
    of = sample.sums(points, [], n=pl.len(), points=_POINTS.sum(), squares=(_POINTS**2).sum())[()]
    stopped = sample.sums(sample.run.games.select("game", "truncated"), [], truncated=pl.col("truncated").sum())[()]
    quantiles = (
        _of_complete_deals(sample, points)
        .select(_POINTS.quantile(q, "nearest").alias(name) for name, q in QUANTILES.items())
        .collect(engine="streaming")
        .row(0, named=True)
    )
    rows = [
        sample.row(mean_interval(of["points"], of["n"]), measure="mean"),
        sample.row(sd_interval(of["n"], of["points"], of["squares"]), measure="sd"),
    ]
    bare = {"lo": None, "hi": None, "se": None}
    rows += [dict(rows[0], measure=name, estimate=quantiles[name], **bare) for name in QUANTILES]
    rows.append(sample.row(share_of_sums(stopped["truncated"], of["n"]), measure="truncated"))
    return frame(rows, measure=pl.String())


def shared_spread(run: Run | Sample) -> pl.DataFrame:
    """Return the distribution of the shared result: ``points`` and the share of games that end with exactly so many.

    ``n`` counts games. Only results that occur have a row.
    """
    sample = sample_of(run)
    sums = sample.sums(shared_points(sample).with_columns(pl.col("points").cast(pl.Int64)), ["points"], n=pl.len())
    n = sum(of["n"] for of in sums.values())
    rows = [sample.row(share_of_sums(sums[key]["n"], n), points=key[0]) for key in sorted(sums)]
    return frame([r for r in rows if r["estimate"]], points=pl.Int64())


def shared_rounds(run: Run | Sample) -> pl.DataFrame:
    """Return how the shared result grows.

    Returns
    -------
    DataFrame
        ``round, measure`` and the estimate; ``n`` counts games, all of them in every row. Measures: mean ``points``
        after the round, a game that ended earlier counting with its final result, and the share of games that are
        ``going`` on after it; this one from round 0, before the first decision.
    """
    sample = sample_of(run)
    rounds = sample.run.rounds.filter(pl.col("seat") == 0)
    last = rounds.group_by("game").agg(last=pl.col("round").max())
    ended = shared_points(sample).join(last, on="game", how="left").with_columns(pl.col("last").fill_null(0))
    within = sample.sums(rounds, ["round"], points=_POINTS.sum())
    final = sample.sums(ended, ["last"], n=pl.len(), points=_POINTS.sum())
    games = sum(of["n"] for of in final.values())
    found = []
    over, points_over = np.zeros(len(sample.deals)), np.zeros(len(sample.deals))
    for number in range(max((key[0] for key in final), default=0) + 1):
        if number:
            points = points_over + within[number,]["points"]
            over = over + (final[number,]["n"] if (number,) in final else 0)
            found.append(sample.row(mean_interval(points, games), round=number, measure="points"))
            found.append(sample.row(share_of_sums(games - over, games), round=number, measure="going"))
        else:
            over = over + (final[0,]["n"] if (0,) in final else 0)
            found.append(sample.row(share_of_sums(games - over, games), round=0, measure="going"))
        if (number,) in final:
            points_over = points_over + final[number,]["points"]
    return frame(found, round=pl.Int64(), measure=pl.String())
