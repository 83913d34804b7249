"""What a report says about a game whose result all seats share: how good it is, and how it grows.

Nobody wins alone there, and every seat is credited with all points, so nothing is said about single players or seats.
"""

from __future__ import annotations

import polars as pl

from meeplecarlo.report import charts, tables
from meeplecarlo.report.formats import format_number, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.stats.intervals import difference, independent_difference
from meeplecarlo.stats.linear import ratio


def chapter(sample: Sample) -> Chapter:
    """Return the sections and findings every game with a shared result has."""
    parts = [_result(sample)]
    if sample.run.has("rounds"):
        parts.append(_rounds(sample))
    return Chapter([s for p in parts for s in p.sections], [f for p in parts for f in p.findings])


def _result(sample: Sample) -> Chapter:
    run = sample.run
    table, spread = tables.shared_result(sample), tables.shared_spread(sample)
    by = {r["measure"]: r for r in table.iter_rows(named=True)}
    words = (
        "All seats share one result: nobody wins or loses alone, and players and seats are not ranked. Every seat is "
        "credited with all points."
    )
    if len(run.players) > 1:
        words += (
            " This team is a mixed one, so the result is that of the team and says nothing about a single player in "
            "it; to learn what a player adds, report runs of different teams with the same seed together."
        )
    names = {"mean": "Mean", "sd": "Standard deviation", "p5": "P5", "p50": "Median", "p95": "P95"}
    rows = [
        [name, format_number(by[m]["estimate"]) if m in tables.QUANTILES else number_of(by[m]), f"{by[m]['n']:,}"]
        for m, name in names.items()
    ]
    rows.append(["Games stopped at the cap on decisions", percent_of(by["truncated"]), f"{by['truncated']['n']:,}"])
    most = spread.sort("estimate", descending=True).row(0, named=True)
    blocks = [
        Text(words),
        Chart(
            "result",
            charts.shared_result_chart(spread).figure,
            f"Share of games by shared result, from {spread['points'].min()} to {spread['points'].max()}; most often "
            f"{most['points']}, {percent_of(most)}. Mean {number_of(by['mean'])}.",
            "The height of a bar is the share of games that end with exactly so many points; the thin line is the "
            "95 % interval, each for itself.",
            "result_spread",
        ),
        Table("result_spread", "", [], [], spread),
        Table(
            "result",
            "How good is the shared result? (n counts games)",
            ["Points", "Estimate", "n"],
            rows,
            table,
            "Every game counts, those that ended before the first decision too. 95 % intervals over deals; P5, median "
            "and P95 come without: 5, 50 and 95 % of the games end with at most so many points.",
        ),
    ]
    findings = []
    if by["truncated"]["estimate"]:
        findings.append(
            f"{percent_of(by['truncated'])} of the games were stopped at the cap on decisions; they count with the "
            "points they had then."
        )
    return Chapter([Section("result", "The shared result", blocks)], findings)


def _rounds(sample: Sample) -> Chapter:
    table = tables.shared_rounds(sample)
    grown, going = (table.filter(measure=m) for m in ("points", "going"))
    if not grown.height:
        return Chapter([])
    last = grown.row(-1, named=True)
    half = going.filter(pl.col("estimate") >= 0.5)["round"].max()
    lasting = (
        f"half of the games still go on after round {half}" if half else "most end in the first round or before it"
    )
    blocks = [
        Chart(
            "shared_rounds",
            charts.shared_rounds_chart(grown).figure,
            f"Mean points after each round; after round {last['round']}, the last of any game: {number_of(last)}.",
            "Games that ended earlier count with their final result, so that all games are in every dot.",
            "shared_rounds",
        ),
        Chart(
            "duration",
            charts.duration_chart(going).figure,
            f"Share of games that go on after each round: {lasting}.",
            "Where the line falls steeply, many games end.",
            "shared_rounds",
        ),
        Table("shared_rounds", "", [], [], table),
    ]
    return Chapter([Section("rounds", "Round by round", blocks)])


def overview(samples: list[Sample], names: list[str], paired: bool) -> Table:
    """Return the table of the results of several runs, and of their differences from the first.

    Parameters
    ----------
    paired : bool
        Whether the runs were played on the same deals.
    """
    frames, rows = [], []
    first = None
    for sample, name in zip(samples, names, strict=True):
        table = tables.shared_result(sample)
        by = {r["measure"]: r for r in table.iter_rows(named=True)}
        sums = sample.sums(tables.shared_points(sample), [], n=pl.len(), points=pl.col("points").sum())[()]
        mean = ratio(sums["points"], sums["n"])
        change = "–"
        if first is None:
            first = mean
        else:
            row = sample.row((difference if paired else independent_difference)(mean, first), measure="change")
            table = pl.concat([table, pl.DataFrame([row], schema=table.schema)])
            change = number_of(row, sign=True)
        frames.append(table.select(pl.lit(name).alias("run"), pl.all()))
        quantiles = " · ".join(format_number(by[q]["estimate"]) for q in tables.QUANTILES)
        rows.append([name, number_of(by["mean"]), change, number_of(by["sd"]), quantiles, f"{by['mean']['n']:,}"])
    return Table(
        "result_by_run",
        "The shared result in each run (n counts games)",
        ["Run", "Mean points", "Against the first run", "SD", "P5 · P50 · P95", "n"],
        rows,
        pl.concat(frames),
        "95 % intervals, each for itself; "
        + (
            "differences are taken deal by deal (paired t)."
            if paired
            else "differences as of independent runs (Welch's t)."
        ),
    )
