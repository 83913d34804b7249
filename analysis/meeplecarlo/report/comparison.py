"""Several runs of one game side by side: what differs between them, and what that does."""

from __future__ import annotations

import polars as pl

from meeplecarlo.report import shared, tables
from meeplecarlo.report.formats import number_of, percent_of, plural
from meeplecarlo.report.general import line_up_words
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Section, Table, Text, report_module
from meeplecarlo.store.dataset import Run
from meeplecarlo.variant import format_value


def labels(runs: list[Run]) -> list[str]:
    """Return a short name for each run, all different: by the rules, seats and line-up in which they differ.

    Runs that differ in none of these are called by their folders.
    """
    parts = [distinctions(run) for run in runs]
    differing = [k for k in dict.fromkeys(k for p in parts for k in p) if len({p.get(k) for p in parts}) > 1]
    names = ["; ".join(p[k] for k in differing if k in p) or "rules as in the box" for p in parts]
    for more in (lambda run: run.path.name, lambda run: str(run.path)):
        if len(set(names)) == len(names):
            return names
        if len({more(run) for run in runs}) == len(runs):
            return [f"{name}; {more(run)}" for name, run in zip(names, runs, strict=True)]
    return [f"{name} ({i + 1})" for i, name in enumerate(names)]


def distinctions(run: Run) -> dict[str, str]:
    """Return what a run may differ in from others, in words: every option and component, seats, line-up."""
    game = run.game
    names = dict.fromkeys([*(o.name for o in game.options), *(c.name for c in game.components)])
    found = {name: f"{name} = {_value(run, name)}" for name in [*names, *run.manifest["game"]["changes"]]}
    lineup = run.lineup[0] if len(run.players) == 1 else line_up_words(run.lineup)
    return found | {"seats": plural(run.n_seats, "seat"), "lineup": lineup}


def _value(run: Run, name: str) -> str:
    """Return the value of an option, or the file of a component, in a run."""
    used = run.manifest["game"]
    if name in used["components"]:
        return used["components"][name]["file"]
    value = used["options"].get(name, used["changes"].get(name, "as in the box"))
    return format_value(tuple(value) if isinstance(value, list) else value)


def same_deals(samples: list[Sample]) -> bool:
    """Whether all runs played the same line-up on the same deals, so that they can be compared pair by pair.

    Where all seats share the result, line-ups may differ: what is compared is the result of the team.
    """
    first = samples[0]
    return all(
        (s.run.lineup == first.run.lineup or s.run.game.shared_result)
        and s.run.manifest["seed"] == first.run.manifest["seed"]
        and len(s.deals) == len(first.deals)
        and bool((s.deals == first.deals).all())
        for s in samples
    )


def chapter(samples: list[Sample], names: list[str]) -> Chapter:
    """Return the comparison of runs, with what the game itself adds."""
    paired = same_deals(samples)
    shared_result = samples[0].run.game.shared_result
    same = "seed and number of deals" if shared_result else "line-up and seed"
    how = (
        f"All runs have the same {same}, so they were played on the same deals; differences between them are taken "
        "deal by deal."
        if paired
        else "The runs differ in line-up, seed or number of games, so they are compared as independent of each other."
    )
    overview = shared.overview(samples, names, paired) if shared_result else _overview(samples, names)
    blocks: list = [Text(how), overview]
    sections = [Section("overview", "Overview", blocks)]
    findings: list[str] = []
    limits: list[str] = []
    own = report_module(samples[0].run.game)
    if own is not None and hasattr(own, "comparison"):
        added = own.comparison(samples, names, paired)
        sections += added.sections
        findings += added.findings
        limits += added.limits
    return Chapter(sections, findings, limits)


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
