"""How the findings on summer forests move between runs: the printed icons of the boards are assumed."""

from __future__ import annotations

import numpy as np

from meeplecarlo.games.fujiyama.report import charts, tables
from meeplecarlo.report.formats import format_estimate, format_p, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.stats.multiple import holm


def comparison(samples: list[Sample], names: list[str], paired: bool) -> Chapter:
    """Return how the summer findings move between runs."""
    kept = [(s, n) for s, n in zip(samples, names, strict=True) if s.run.has("scores")]
    if len(kept) < 2:
        return Chapter([Section("summer", "Summer forests", [Text("Fewer than two of the runs kept their scores.")])])
    table = tables.summer_by_run([s for s, _ in kept], [n for _, n in kept], paired)
    if not table.height:
        return Chapter([])
    by = {(r["run"], r["measure"]): r for r in table.iter_rows(named=True)}
    runs = list(dict.fromkeys(table["run"].to_list()))
    rows = []
    for run in runs:
        per, mean, sd, zeros = (by[run, m] for m in ("per_game", "mean", "sd", "zeros"))
        rows.append(
            [
                run,
                number_of(per),
                number_of(mean),
                number_of(sd),
                percent_of(zeros),
                _changed(mean),
                _changed(sd),
                _changed(zeros, 100),
                f"{mean['n']:,}",
            ]
        )
    head = [
        "Run",
        "Per game and seat",
        "Mean points",
        "SD",
        "Score 0",
        "Mean against first",
        "SD, times first",
        "Score 0 against first, pp",
        "n",
    ]
    words = [
        f"{r}: mean {number_of(by[r, 'mean'])}, SD {number_of(by[r, 'sd'])}, zeros {percent_of(by[r, 'zeros'])}"
        for r in runs
    ]
    blocks: list = []
    if by[runs[0], "sd"]["estimate"] is not None:
        for measure, caption in (
            ("sd", "Further right: the points of a summer forest vary more."),
            ("zeros", "Further right: summer forests more often score nothing."),
        ):
            blocks.append(
                Chart(
                    f"summer_{measure}_by_run",
                    charts.summer_by_run_chart(table, measure).figure,
                    "Summer forests by run. " + "; ".join(words) + ".",
                    f"One row a run, all players together. {caption}",
                    "summer_by_run",
                )
            )
    blocks.append(
        Table(
            "summer_by_run",
            "Summer forests in each run (n counts summer forests)",
            head,
            rows,
            table,
            "All players together. 95 % intervals over deals; changes are against the first run.",
        )
    )
    findings = ["Summer forests of all players. " + "; ".join(words) + "."]
    tested = [r for r in runs[1:] if by[r, "zeros"]["change_p"] is not None]
    p_values = holm(np.array([by[r, "zeros"]["change_p"] for r in tested], float))
    adjusted = dict(zip(tested, p_values, strict=True))
    moved = [r for r in tested if adjusted[r] < 0.05]
    if moved:
        findings.append(
            "The share of summer forests that score 0 differs from the first run's in: "
            + "; ".join(
                f"{r} by {_changed(by[r, 'zeros'], 100)} percentage points (p {format_p(adjusted[r])})" for r in moved
            )
            + "."
        )
    return Chapter([Section("summer", "Summer forests", blocks)], findings)


def _changed(row: dict, scale: float = 1) -> str:
    sign = row["measure"] != "sd"
    return format_estimate(row["change"], row["change_lo"], row["change_hi"], scale=scale, sign=sign)
