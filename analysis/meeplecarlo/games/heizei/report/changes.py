"""The table of what differs between several runs: a row an estimate and its change against the first run."""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.games.heizei.report.tables import ALL, OUT, ROUNDS, TURN, finished_seats, order_sums, seat_rounds
from meeplecarlo.report.sample import Sample, frame
from meeplecarlo.stats.intervals import Interval, difference, independent_difference, mean_interval, share_of_sums
from meeplecarlo.stats.linear import Linear, ratio
from meeplecarlo.stats.multiple import holm


def is_share(measure: str) -> bool:
    """Return whether a measure of `changes` is a share."""
    return measure.startswith(("wins of", "seats below"))


def changes(samples: list[Sample], names: list[str], paired: bool) -> pl.DataFrame:
    """Return what differs between runs and the first of them.

    Parameters
    ----------
    paired : bool
        Whether all runs played the same line-up on the same deals.

    Returns
    -------
    DataFrame
        ``run, measure`` and the estimate, then ``change, change_lo, change_hi, change_p`` against the first run, and
        ``change_p_holm``, adjusted for the measures of the run; null for the first run. Measures: the win share of
        every player, and of the start player and the first to go out of each round; mean points of a seat in round 2,
        and the share of seats below 0 in it; mean margin of the winner.
    """
    rows, first = [], {}
    for sample, name in zip(samples, names, strict=True):
        values = _compared(sample)
        found = []
        for measure, (value, interval) in values.items():
            row = sample.row(interval, run=name, measure=measure) | dict.fromkeys(_CHANGE)
            if measure in first:
                change = (difference if paired else independent_difference)(value, first[measure][0])
                numbers = (change.estimate, change.lo, change.hi, change.p)
                row |= {k: float(x) if np.isfinite(x) else None for k, x in zip(_CHANGE, numbers, strict=False)}
            found.append(row)
        adjusted = holm(np.array([r["change_p"] for r in found], float))
        rows += [
            r | {"change_p_holm": float(p) if np.isfinite(p) else None} for r, p in zip(found, adjusted, strict=True)
        ]
        first = first or values
    return frame(rows, run=pl.String(), measure=pl.String())


_CHANGE = ("change", "change_lo", "change_hi", "change_p", "change_p_holm")


def _compared(sample: Sample) -> dict[str, tuple[Linear, Interval]]:
    """Return the measures of `changes`, each as a statistic to take differences of and with its interval."""
    run, found = sample.run, {}
    players = sample.sums(finished_seats(run), ["player"], n=pl.len(), wins=pl.col("win_share").sum())
    for player in run.players if len(run.players) > 1 else ():
        if (player,) in players:
            found[f"wins of {player}"] = (players[player,]["wins"], players[player,]["n"], share_of_sums)
    for order, doing in ((TURN, "start player"), (OUT, "first to go out")):
        sums = order_sums(sample, order)
        for number in ROUNDS:
            of = sums.get((number, ALL, 1))
            if of is not None:
                found[f"wins of the {doing} of round {number}"] = (of["win_share"], of["n"], share_of_sums)
    points = pl.col("points")
    seats = sample.sums(seat_rounds(run), ["round"], n=pl.len(), points=points.sum(), below=(points < 0).sum()).get(
        (2,)
    )
    if seats is not None:
        found["points of a seat in round 2"] = (seats["points"], seats["n"], mean_interval)
        found["seats below 0 in round 2"] = (seats["below"], seats["n"], share_of_sums)
    top = pl.col("points").top_k(2)
    games = finished_seats(run).group_by("game").agg(margin=top.max() - top.min())
    margin = sample.sums(games, [], n=pl.len(), margin=pl.col("margin").sum()).get(())
    if margin is not None:
        found["margin of the winner in points"] = (margin["margin"], margin["n"], mean_interval)
    return {name: (ratio(sums, n), interval(sums, n)) for name, (sums, n, interval) in found.items()}
