"""A report: one self-contained HTML page, its figures as PNG and SVG, its tables as CSV."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import jinja2
import polars as pl

from meeplecarlo.errors import UsageError, unknown
from meeplecarlo.report import comparison, general, provenance
from meeplecarlo.report.formats import join_words, plural
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text, report_module
from meeplecarlo.report.style import figure_files, house_style
from meeplecarlo.store.dataset import Run
from meeplecarlo.store.files import write_atomically

FORMATS = ("png", "svg")
FOLDER = "report"
PAGE = "index.html"
_MIME = {"png": "image/png", "svg": "image/svg+xml"}
_FEW_DEALS = 64


def write_report(
    runs: list[Run],
    out: Path | None = None,
    formats: Iterable[str] = FORMATS,
    each: bool = True,
    front: tuple[str, Chapter] | None = None,
) -> Path:
    """Write the report of one run, or of several runs of the same game, and return the path of its page.

    Parameters
    ----------
    runs : list of Run
        The first is described first; with several, a section compares them.
    out : path, optional
        Folder to write to; by default ``report`` inside the first run's folder. Files of the same name are replaced.
    formats : iterable of str
        File formats of the figures: ``png``, ``svg``, or both. The page itself needs neither file.
    each : bool
        Whether each of several runs has a part of its own; otherwise they are only compared.
    front : (str, Chapter), optional
        Title and content of a first part: the answer of the study the runs were made for.

    Raises
    ------
    UsageError
        If there is no run, the runs are of different games, a run holds no game yet, or a format is unknown.
    StoreError
        If the folder cannot be written. The page is written last and all at once.
    """
    formats = list(dict.fromkeys(formats))
    for kind in formats:
        if kind not in FORMATS:
            raise UsageError(unknown("figure format", kind, FORMATS))
    if not runs:
        raise UsageError("a report needs at least one run.")
    names = sorted({run.manifest["game"]["name"] for run in runs})
    if len(names) > 1:
        raise UsageError(f"a report is about runs of one game, but these are of {join_words(names)}.")
    for run in runs:
        if run.n_games == 0:
            raise UsageError(f"{run.path} holds no finished game yet; resume it and report again.")
    folder = Path(out) if out is not None else runs[0].path / FOLDER
    with house_style():
        pages = [Page("answer", *front)] if front else []
        pages += _chapters(runs, each or len(runs) == 1)
    writer = _Writer(folder, formats or ["svg"], bool(formats))
    content = [
        {
            "title": page.title,
            "key": page.key,
            "sections": [writer.section(s, page.key) for s in page.chapter.sections],
            "page": page,
        }
        for page in pages
    ]
    html = _template().render(
        title=f"{runs[0].game.title}: {_heading(runs)}", game=runs[0].game, content=content, several=len(content) > 1
    )
    write_atomically(folder / PAGE, html.encode())
    return folder / PAGE


@dataclass(frozen=True)
class Page:
    """One run's part of the report, or something about all (then without facts and rules)."""

    key: str
    title: str
    chapter: Chapter
    played: str = ""
    warnings: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    rules: tuple[list[str], ...] = ()


def _chapters(runs: list[Run], each: bool) -> list[Page]:
    labels = comparison.labels(runs)
    samples = [Sample.of(run) for run in runs]
    pages = []
    if len(runs) > 1:
        chapter = comparison.chapter(samples, labels)
        pages.append(Page("comparison", "The runs compared", chapter, "" if each else _all_played(runs)))
    for i, (sample, label) in enumerate(zip(samples, labels, strict=True) if each else ()):
        run, own = sample.run, report_module(sample.run.game)
        colours = getattr(own, "CATEGORY_COLOURS", None)
        chapters = [general.chapter(sample, colours)]
        if own is not None:
            chapters.append(own.chapter(sample))
        first, *others = chapters[0].sections
        whole = Chapter(
            [first, *(s for c in chapters[1:] for s in c.sections), *others],
            [f for c in chapters for f in c.findings],
            [*(x for c in chapters for x in c.limits), *_limits(sample)],
        )
        title = "Results" if len(runs) == 1 else f"Run {i + 1}: {label}"
        pages.append(
            Page(
                f"run{i + 1}",
                title,
                whole,
                _played(sample),
                tuple(_warnings(sample)),
                tuple(provenance.facts(run)),
                tuple(provenance.rules_table(run)),
            )
        )
    return pages


def _heading(runs: list[Run]) -> str:
    if len(runs) > 1:
        return f"{len(runs)} runs compared"
    return f"{plural(runs[0].n_games, 'game')}, {plural(runs[0].n_seats, 'seat')}"


def _all_played(runs: list[Run]) -> str:
    """Return what several runs are, in a sentence, when none of them has a part of its own."""
    games, seeds = ({f(r) for r in runs} for f in (lambda r: r.n_games, lambda r: r.manifest["seed"]))
    each = f"{plural(min(games), 'game')} each" if len(games) == 1 else f"{min(games):,} to {max(games):,} games each"
    seeds = f"seed {min(seeds)}" if len(seeds) == 1 else f"seeds {join_words([str(s) for s in sorted(seeds)])}"
    return f"{len(runs)} runs of {runs[0].game.title}, {each}, {seeds}. Each run's folder says how it was made."


def _played(sample: Sample) -> str:
    run = sample.run
    words = f"{plural(run.n_games, 'game')} of {run.game.title} with {plural(run.n_seats, 'seat')}: "
    if len(run.players) == 1:
        words += f"{run.players[0]} in every seat, on {plural(len(sample.deals), 'deal')} played once"
    else:
        words += general.line_up_words(run.lineup) + f", on {plural(len(sample.deals), 'deal')}"
        if sample.games == len(sample.deals) * run.seatings:
            words += f" played in {run.seatings} seatings each, so that every player held every seat equally often"
    changes = run.manifest["game"]["changes"]
    rules = ", ".join(f"{k} = {v}" for k, v in changes.items())
    return f"{words}. Rules: {rules if changes else 'as in the box'}. Seed {run.manifest['seed']}."


def _warnings(sample: Sample) -> list[str]:
    run, words = sample.run, []
    design = run.manifest["design"]
    if not run.complete:
        words.append(
            f"This run is not finished: {plural(run.n_games, 'game')} of {design['games']:,} are reported. Resume it "
            "and report again for the rest."
        )
    if sample.left_out:
        words.append(
            f"{plural(sample.left_out, 'game')} at the end belong to a deal that was not played in all its seatings "
            "and are left out of every number here, because in them the players did not hold the seats equally often."
        )
    deals = len(sample.deals)
    if deals < 2:
        words.append("Fewer than two complete deals: there are estimates but no intervals. Play more games.")
    elif deals < _FEW_DEALS:
        words.append(
            f"Only {deals} deals: intervals are wide, and rougher than their 95 % says below {_FEW_DEALS} deals."
        )
    if sample.identical:
        words.append(
            "All games with the same order of players are the same game, move by move: the game has no chance, and "
            "these players use none. More of them say no more, so there are no intervals. Give a player some noise, as "
            f"in {run.players[0].split('(')[0]}(noise=0.1), if it has that weight."
        )
    elif deals > 1 and _all_equal(sample):
        words.append(
            "Every deal ended with exactly the same points: nothing varied, so no error can be estimated."
            if not run.game.shared_result
            else "Every deal ended with exactly the same result: nothing varied, so its mean has no interval; what "
            "never happened has an upper bound all the same."
        )
    missing = [t for t in ("scores", "rounds", "moves", "deals") if not run.has(t)]
    if missing:
        words.append(
            f"The run kept no table of {join_words(missing)}; charts and tables that need "
            f"{'it' if len(missing) == 1 else 'them'} are left out."
        )
    return words


def _all_equal(sample: Sample) -> bool:
    points = sample.sums(sample.run.seats, ["player"], points=pl.col("points").sum())
    return all((of["points"] == of["points"][0]).all() for of in points.values())


def _limits(sample: Sample) -> list[str]:
    run = sample.run
    words = [
        "All of this is about these players at these tables: scripted ones, who play the same way every time. "
        + (
            "Another team may get further or less far."
            if run.game.shared_result
            else "A stronger or other field may change who wins and which points matter."
        ),
    ]
    assumed = provenance.assumed(run)
    if assumed:
        words.append(
            f"The content of {join_words([f'{name} ({file})' for name, file in _files(run, assumed)])} is assumed, not "
            "read off the published box. What depends on it may differ at a real table."
        )
    return words


def _files(run: Run, names: list[str]) -> list[tuple[str, str]]:
    return [(name, run.manifest["game"]["components"][name]["file"]) for name in names]


class _Writer:
    """Writes figures and tables beside the page and turns blocks into what the template shows."""

    def __init__(self, folder: Path, formats: list[str], keep: bool):
        self.folder, self.formats, self.keep = folder, formats, keep

    def section(self, section: Section, page: str) -> dict:
        """Return a section for the template, its files written."""
        prefix = "" if page == "run1" else f"{page}_"
        tables = {b.name: f"tables/{prefix}{b.name}.csv" for b in section.blocks if isinstance(b, Table)}
        blocks = [self._block(block, prefix, tables) for block in section.blocks]
        return {"key": f"{page}-{section.key}", "title": section.title, "blocks": [b for b in blocks if b]}

    def _block(self, block: Text | Chart | Table, prefix: str, tables: dict[str, str]) -> dict | None:
        if isinstance(block, Text):
            return {"kind": "text", "words": block.words, "warning": block.warning}
        if isinstance(block, Table):
            write_atomically(self.folder / tables[block.name], block.data.write_csv().encode())
            if not block.rows:
                return None
            rows = [[_split(cell) for cell in row] for row in block.rows]
            shown = {"title": block.title, "head": block.head, "rows": rows, "note": block.note}
            return {"kind": "table", "csv": tables[block.name], **shown}
        images = figure_files(block.picture, self.formats)
        if self.keep:
            for kind, content in images.items():
                write_atomically(self.folder / "figures" / f"{prefix}{block.name}.{kind}", content)
        kind = "svg" if "svg" in images else "png"
        data = base64.b64encode(images[kind]).decode()
        return {
            "kind": "chart",
            "uri": f"data:{_MIME[kind]};base64,{data}",
            "alt": block.alt,
            "caption": block.caption,
            "csv": tables.get(block.table),
            "files": [(k, f"figures/{prefix}{block.name}.{k}") for k in images if self.keep],
        }


def _split(cell: str) -> tuple[str, str]:
    """Return what stands in a table cell: the estimate, and below it the interval."""
    estimate, parenthesis, interval = cell.partition(" (")
    is_interval = parenthesis and interval.endswith(")") and " to " in interval
    return (estimate, interval[:-1]) if is_interval else (cell, "")


@cache
def _template() -> jinja2.Template:
    text = files("meeplecarlo.report").joinpath("page.html.jinja").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(text)
