"""Several runs of Heizei side by side: what an option changes, on the same deals where that can be."""

from __future__ import annotations

from meeplecarlo.games.heizei.report import charts
from meeplecarlo.games.heizei.report.changes import changes, is_share
from meeplecarlo.report.formats import format_estimate, format_p, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text

FEW = 3  # runs whose effects are told in sentences


def comparison(samples: list[Sample], names: list[str], paired: bool) -> Chapter:
    """Return what changes from the first run to each other one."""
    kept = [(s, n) for s, n in zip(samples, names, strict=True) if s.run.has("scores")]
    if len(kept) < 2:
        words = "Fewer than two of the runs kept their scores."
        return Chapter([Section("changes", "What changes", [Text(words)])])
    table = changes([s for s, _ in kept], [n for _, n in kept], paired)
    of = {(r["run"], r["measure"]): r for r in table.iter_rows(named=True)}
    runs, measures = (list(dict.fromkeys(table[c])) for c in ("run", "measure"))
    rows = []
    for measure in measures:
        for run in runs:
            row = of.get((run, measure))
            if row is not None:
                change = _change(row) if run != runs[0] else "–"
                text = percent_of if is_share(measure) else number_of
                rows.append([measure, run, text(row), change, format_p(row["change_p_holm"]), f"{row['n']:,}"])
    blocks: list = []
    changed = table.drop_nulls("change_lo")
    for run in dict.fromkeys(changed["run"]):
        k = runs.index(run)
        blocks.append(
            Chart(
                f"changes_{k}",
                charts.changes_chart(changed.filter(run=run), run, runs[0]).figure,
                f"Change of win shares against {runs[0]}, in percentage points: "
                + "; ".join(f"{m} {_change(of[run, m])}" for m in measures if _is_win(m) and (run, m) in of)
                + ".",
                "A bar that does not touch the dashed line is a difference by itself; with several rows, trust the "
                "Holm-adjusted p in the table.",
                "changes",
            )
        )
    how = "taken deal by deal (paired t)" if paired else "as of independent runs (Welch's t)"
    blocks.append(
        Table(
            "changes",
            f"What changes against {runs[0]}? (n counts games or seats held)",
            ["", "Run", "Estimate", "Change (shares in pp)", "p (Holm)", "n"],
            rows,
            table,
            f"95 % intervals, each for itself; changes against the first run are {how}. p is adjusted for the number "
            "of changes of the run.",
        )
    )
    findings = [_sentence(run, runs[0], of, measures) for run in runs[1 : FEW + 1]]
    return Chapter([Section("changes", "What changes", blocks)], findings)


def _is_win(measure: str) -> bool:
    return measure.startswith("wins of")


def _change(row: dict) -> str:
    scale = 100 if is_share(row["measure"]) else 1
    return format_estimate(row["change"], row["change_lo"], row["change_hi"], scale=scale, sign=True)


def _sentence(run: str, first: str, of: dict, measures: list[str]) -> str:
    """Return what a run changes, differences that were shown first."""
    shown = [m for m in measures if (run, m) in of and (of[run, m]["change_p_holm"] or 1) < 0.05]
    words = "; ".join(f"{m} {_change(of[run, m])}{' percentage points' if is_share(m) else ''}" for m in shown)
    return f"{run} against {first}: " + (words if words else "no change of what is compared could be shown") + "."
