"""Several runs of one game side by side: what differs between them, and what that does."""

from __future__ import annotations

import polars as pl

from meeplecarlo.report import tables
from meeplecarlo.report.formats import number_of, percent_of
from meeplecarlo.report.general import line_up_words
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Section, Table, Text, report_module
from meeplecarlo.store.dataset import Run
from meeplecarlo.variant import format_value


def labels(runs: list[Run]) -> list[str]:
    """Return a short name for each run, all different: by the rules in which they differ, line-up, or folder."""
    keys = dict.fromkeys(key for run in runs for key in run.manifest["game"]["changes"])

    def changes(run: Run) -> str:
        return ", ".join(f"{key} = {_value(run, key)}" for key in keys) or "rules as in the box"

    for name in (
        changes,
        lambda run: f"{changes(run)}, {run.n_seats} seats",
        lambda run: f"{changes(run)}; {line_up_words(run.lineup)}",
        lambda run: f"{changes(run)}; {run.path.name}",
        lambda run: f"{changes(run)}; {run.path}",
    ):
        names = [name(run) for run in runs]
        if len(set(names)) == len(names):
            return names
    return [f"{name} ({i + 1})" for i, name in enumerate(names)]


def _value(run: Run, name: str) -> str:
    """Return the value of an option, or the file of a component, in a run."""
    used = run.manifest["game"]
    if name in used["components"]:
        return used["components"][name]["file"]
    value = used["options"].get(name, used["changes"].get(name, "as in the box"))
    return format_value(tuple(value) if isinstance(value, list) else value)


def same_deals(samples: list[Sample]) -> bool:
    """Whether all runs played the same line-up on the same deals, so that they can be compared pair by pair."""
    first = samples[0]
    return all(
        s.run.lineup == first.run.lineup
        and s.run.manifest["seed"] == first.run.manifest["seed"]
        and len(s.deals) == len(first.deals)
        and bool((s.deals == first.deals).all())
        for s in samples
    )


def chapter(samples: list[Sample], names: list[str]) -> Chapter:
    """Return the comparison of runs, with what the game itself adds."""
    paired = same_deals(samples)
    how = (
        "All runs have the same line-up and seed, so they were played on the same deals; differences between them are "
        "taken deal by deal."
        if paired
        else "The runs differ in line-up, seed or number of games, so they are compared as independent of each other."
    )
    blocks: list = [Text(how), _overview(samples, names)]
    sections = [Section("overview", "Overview", blocks)]
    findings: list[str] = []
    own = report_module(samples[0].run.game)
    if own is not None and hasattr(own, "comparison"):
        added = own.comparison(samples, names, paired)
        sections += added.sections
        findings += added.findings
    return Chapter(sections, findings)


def _overview(samples: list[Sample], names: list[str]) -> Table:
    frames, rows = [], []
    for sample, name in zip(samples, names, strict=True):
        table = tables.players(sample)
        frames.append(table.select(pl.lit(name).alias("run"), pl.all()))
        by = {(r["player"], r["measure"]): r for r in table.iter_rows(named=True)}
        for player in dict.fromkeys(table["player"].to_list()):
            win, points = by[player, "win_share"], by[player, "points"]
            rows.append(
                [name, player, percent_of(win), number_of(points), number_of(by[player, "sd"]), f"{win['n']:,}"]
            )
    return Table(
        "players_by_run",
        "Players in each run (n counts seats held)",
        ["Run", "Player", "Win share", "Mean points", "SD of points", "n"],
        rows,
        pl.concat(frames),
        "95 % intervals over deals.",
    )
