"""What a rule is worth: pairs of runs that differ in one option only, and the seats of several runs side by side."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import polars as pl

from meeplecarlo.games.acornism.report.tables import FATES, by_seat, finder_statistics, options_of
from meeplecarlo.report.comparison import distinctions, same_deals
from meeplecarlo.report.sample import Sample, frame
from meeplecarlo.stats.intervals import difference, independent_difference
from meeplecarlo.stats.linear import Linear, ratio
from meeplecarlo.stats.multiple import holm

# Option, the value that is compared against, and the one whose worth is asked for.
CHANGES = {
    "edge_scoring": ("false", "true"),
    "magic": ("none", "wild"),
    "underfed": ("allowed", "forbidden"),
}
_SHARES = ("first", "finder_win")  # measures that are shares, the others being numbers per game


def is_share(measure: str) -> bool:
    """Return whether a measure of `worth` is a share of games, to be shown in percentage points."""
    return measure in _SHARES


@dataclass(frozen=True)
class Pair:
    """Two runs that differ in one option only.

    Attributes
    ----------
    name : str
        What they have in common, as far as other runs differ in it.
    base, other : int
        Places of the runs in the list.
    """

    name: str
    base: int
    other: int


def pairs_of(samples: list[Sample], option: str) -> list[Pair]:
    """Return the pairs of runs that differ in `option` and nothing else, in the order of the runs."""
    parts = [distinctions(s.run) for s in samples]
    rest = [{k: v for k, v in p.items() if k != option} for p in parts]
    differing = [k for k in rest[0] if len({p.get(k) for p in rest}) > 1]
    found: dict[str, Pair] = {}
    for i, j in itertools.permutations(range(len(samples)), 2):
        if rest[i] == rest[j] and tuple(options_of(samples[k].run)[option] for k in (i, j)) == CHANGES[option]:
            name = "; ".join(rest[i][k] for k in differing) or f"{rest[i]['seats']}; {rest[i]['lineup']}"
            found.setdefault(name, Pair(name, i, j))
    return list(found.values())


def _statistics(sample: Sample) -> dict[str, Linear]:
    """Return by measure what a rule may change."""
    run = sample.run
    games = sample.sums(
        run.games.select("game", "placed", "passes", *FATES),
        [],
        n=pl.len(),
        **{name: pl.col(name).cast(pl.Int64).sum() for name in ("placed", "passes", *FATES)},
    )[()]
    seats = sample.sums(
        run.seats,
        [],
        n=pl.len(),
        points=pl.col("points").cast(pl.Float64).sum(),
        first=pl.col("win_share").filter(pl.col("seat") == 0).sum(),
    )[()]
    found = {"points": ratio(seats["points"], seats["n"])}
    found |= {name: ratio(games[name], games["n"]) for name in (*FATES, "placed", "passes")}
    found["first"] = ratio(seats["first"], games["n"])
    finder = {"win_share": "finder_win", "points": "finder_points", "lead": "finder_lead"}
    return found | {finder[name]: value for name, value in finder_statistics(sample).items()}


def worth(samples: list[Sample], option: str) -> pl.DataFrame:
    """Return what an option changes, on the same deals where both runs were played on the same.

    Parameters
    ----------
    option : str
        One of `CHANGES`.

    Returns
    -------
    DataFrame
        ``pair`` (what both runs are), ``measure``, the change, then ``before`` and ``after`` (the measure in the two
        runs), ``paired`` (1: the same deals, paired t; 0: Welch's t), ``p`` and ``p_holm``, adjusted for the number of
        pairs. Measures: mean ``points`` of a seat; per game the animals ``satisfied``, ``starved``, ``unfinished``,
        tiles ``placed`` and ``passes``; ``first``, the win share of seat 0; and of the seat that finds the Magic Acorn
        ``finder_win`` (win share), ``finder_points`` and ``finder_lead`` over the mean of the others, each over the
        games in which it is found.
    """
    rows: list[dict] = []
    pairs = pairs_of(samples, option)
    values = {i: _statistics(samples[i]) for i in {k for p in pairs for k in (p.base, p.other)}}
    for pair in pairs:
        base, other = samples[pair.base], samples[pair.other]
        paired = same_deals([base, other])
        for measure in (m for m in values[pair.other] if m in values[pair.base]):
            before, after = values[pair.base][measure], values[pair.other][measure]
            change = (difference if paired else independent_difference)(after, before)
            row = other.row(change, pair=pair.name, measure=measure)
            row |= {"before": before.estimate, "after": after.estimate, "paired": float(paired)}
            rows.append(row | {"p": change.p if np.isfinite(change.p) else None})
    table = frame(rows, pair=pl.String(), measure=pl.String())
    if not rows:
        return table
    adjusted: list[float | None] = [None] * len(rows)
    for measure in dict.fromkeys(table["measure"]):
        places = [i for i, r in enumerate(rows) if r["measure"] == measure]
        for i, p in zip(places, holm(np.array([rows[i]["p"] for i in places], float)), strict=True):
            adjusted[i] = float(p) if np.isfinite(p) else None
    return table.with_columns(p_holm=pl.Series(adjusted, dtype=pl.Float64))


def edge_by_run(samples: list[Sample], names: list[str]) -> pl.DataFrame:
    """Return how far each seat of each run is from its fair share: ``run, seat`` and the win share less 1 / seats."""
    parts = [
        by_seat(s).filter(measure="edge").select(pl.lit(n).alias("run"), pl.exclude("measure"))
        for s, n in zip(samples, names, strict=True)
    ]
    return pl.concat(parts)
