"""Charts only Great Fujiyama has. Each takes a frame of `tables` and, if wanted, an axes; or it returns a figure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from meeplecarlo.games.great_fujiyama.report.tables import NO_RANK
from meeplecarlo.games.great_fujiyama.view import draw_pyramid
from meeplecarlo.games.season_tiles import SEASON_COLOURS, SEASONS
from meeplecarlo.report.charts import dodged_chart, dot_chart, footer, histogram, percent_axis
from meeplecarlo.report.formats import format_estimate, format_number, plural
from meeplecarlo.report.style import (
    HATCHES,
    INK,
    LINES,
    PALETTE,
    QUIET,
    WIDTH,
    finish,
    house_style,
    new_axes,
    wrap_label,
)

POINTWISE = "Bands: pointwise 95 % Wilson intervals over deals"
SMALL_RATE = 0.02  # with rates below, a panel with a logarithmic axis is added
MOST_LINES = len(PALETTE)


def percent(row: dict) -> str:
    """Return a rate in per cent as text, without unit; of what never happened, 0."""
    return "0" if row["estimate"] == 0 else format_estimate(row["estimate"], se=row["se"], scale=100)


def reach_chart(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    log: bool = False,
    numbers: bool = True,
    names: Sequence[str] | None = None,
) -> Axes:
    """Draw how often teams complete at least so many stations: steps with bands.

    Parameters
    ----------
    frame : DataFrame
        From `reach`, or from `reach_by_run` with a line for each run.
    log : bool
        Draw rates on a logarithmic axis. Where nobody got, a triangle points down from the upper end of the interval.
    numbers : bool
        Write the rates of a single run above its steps.
    names : sequence of str, optional
        All runs that are told apart by colour and line, in their order; those of the frame when left out.
    """
    ax = new_axes(ax, 4.0)
    lines = _lines(frame)
    names = list(names or [name for name, _ in lines])
    width = int(frame["station"].max())
    floor = _floor(frame) if log else 0.0
    for name, rows in lines:
        i = names.index(name)
        _steps(ax, i, name, rows, floor if log else None, i - (len(names) - 1) / 2)
        if len(names) == 1 and numbers:
            _numbers(ax, rows, log)
    ax.set_xlim(0.4, width + 0.6)
    ax.set_xticks(range(1, width + 1))
    ax.set_xlabel("Stations, at least")
    if log:
        ax.set_yscale("log")
        ax.set_ylim(floor, 1.25)
        _decades(ax, floor)
        ax.set_ylabel("Share of games\n(log scale)")
    else:
        ax.set_ylim(0, 1.1 if len(names) == 1 and numbers else 1.02)
        ax.set_yticks(np.linspace(0, 1, 6))
        percent_axis(ax.yaxis)
        ax.set_ylabel("Share of games")
    ax.grid(axis="y")
    return ax


def _lines(frame: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    if "run" not in frame.columns:
        return [("", frame)]
    return [(name, frame.filter(pl.col("run") == name)) for name in dict.fromkeys(frame["run"])]


def _floor(frame: pl.DataFrame) -> float:
    """Return where a logarithmic axis begins: below every rate, and every bound on what never happened."""
    shown = [r["estimate"] or r["hi"] or 1.0 for r in frame.iter_rows(named=True) if r["estimate"] is not None]
    return min([*shown, 0.1]) / 2


def _decades(ax: Axes, floor: float) -> None:
    """Label a logarithmic axis of shares: every power of ten, as per cent."""
    ticks = [10.0**k for k in range(int(np.ceil(np.log10(floor))), 1)]
    ax.yaxis.set_major_locator(FixedLocator(ticks))
    decimals = {t: max(0, round(-np.log10(t)) - 2) for t in ticks}
    ax.yaxis.set_major_formatter(
        FuncFormatter(lambda y, _: f"{format_number(100 * y, decimals.get(y, max(0, round(-np.log10(y)) - 2)))} %")
    )
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_minor_formatter(NullFormatter())


def _steps(ax: Axes, i: int, name: str, rows: pl.DataFrame, floor: float | None, aside: float) -> None:
    """Draw one run: a plateau a station, its band, and on a logarithmic axis a bound where nobody got."""
    colour, style = PALETTE[i % MOST_LINES], LINES[i % MOST_LINES]
    shown = rows.filter(pl.col("estimate") > 0) if floor is not None else rows.drop_nulls("estimate")
    if shown.height:
        s, y = shown["station"].to_numpy(), shown["estimate"].to_numpy()
        edges = np.append(s - 0.5, s[-1] + 0.5)
        ax.step(
            edges,
            np.append(y, y[-1]),
            where="post",
            color=colour,
            linestyle=style,
            label=name,
            gid=f"line-{name}",
            solid_joinstyle="miter",
        )
        lo, hi = (np.append(x, x[-1]) for x in (shown["lo"].to_numpy(), shown["hi"].to_numpy()))
        if shown["lo"].is_not_null().all():
            lo = lo if floor is None else np.maximum(lo, floor)
            ax.fill_between(edges, lo, hi, step="post", color=colour, alpha=0.22, linewidth=0)
    never = rows.filter((pl.col("estimate") == 0) & pl.col("hi").is_not_null()).sort("station")
    if floor is None or not never.height:
        return
    first = never.row(0, named=True)
    ax.plot(
        [first["station"] + 0.12 * aside],
        [first["hi"]],
        marker="v",
        color=colour,
        markerfacecolor="white",
        markeredgewidth=1.6,
        markersize=8,
        linestyle="none",
        zorder=4,
        gid=f"bound-{name}",
    )


def _numbers(ax: Axes, rows: pl.DataFrame, log: bool) -> None:
    """Write the rates above the steps of a single run."""
    for row in rows.iter_rows(named=True):
        if row["estimate"] is None or (log and row["estimate"] == 0):
            continue
        ax.annotate(
            percent(row),
            (row["station"], row["estimate"] if row["hi"] is None else row["hi"]),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8.5,
            gid=f"value-{row['station']}",
        )
    never = rows.filter((pl.col("estimate") == 0) & pl.col("hi").is_not_null()).sort("station")
    if log and never.height:
        first = never.row(0, named=True)
        ax.annotate(
            f"never: at most {format_number(100 * first['hi'], decimals_of(first['hi']))} %",
            (first["station"] - 0.3, first["hi"]),
            xytext=(0, 7),
            textcoords="offset points",
            ha="left",
            va="bottom",
            fontsize=8.5,
            gid="bound-words",
        )


def decimals_of(share: float) -> int:
    """Return the decimals that show two figures of a small share in per cent."""
    return max(0, 1 - int(np.floor(np.log10(100 * share)))) if share > 0 else 0


def reach_figure(
    panels: Sequence[tuple[str, pl.DataFrame]],
    question: str,
    note: str = "",
    details: dict[str, str] | None = None,
    lines: Sequence[str] | None = None,
) -> Figure:
    """Draw reach curves, side by side where there are several panels; with small rates, once more on a log axis below.

    Parameters
    ----------
    panels : sequence of (str, DataFrame)
        What a panel shows, or an empty string, and its `reach` or `reach_by_run`.
    question : str
        The title.
    note : str
        Added to the footer.
    details : dict, optional
        Run to what the key adds to its name.
    lines : sequence of str, optional
        Names of all runs in any panel: each looks the same in all of them. Those of the panels when left out.
    """
    frame = pl.concat([f for _, f in panels])
    positive = frame.filter(pl.col("estimate") > 0)["estimate"]
    log = bool(len(positive)) and (positive.min() < SMALL_RATE or frame["estimate"].min() == 0)
    names = list(lines or dict.fromkeys(name for _, f in panels for name, _ in _lines(f)))
    with house_style():
        figure = Figure(figsize=(WIDTH, 6.4 if log else 4.2))
        axes = figure.subplots(2 if log else 1, len(panels), squeeze=False, sharey="row")
    alone = len(names) == 1
    for column, (title, of) in enumerate(panels):
        for row, ax in enumerate(axes[:, column]):
            reach_chart(of, ax, log=row == 1, numbers=alone, names=names)
            if column:
                ax.set_ylabel("")
        top = axes[0, column]
        if log:
            top.set_xlabel("")
        if title:
            top.set_title(title, fontsize=10.5, fontweight="normal", loc="left", pad=6)
    floor = min((_floor(f) for _, f in panels), default=0.1)
    for ax in axes[1] if log else ():
        ax.set_ylim(floor, 1.25)
        _decades(ax, floor)
    words = footer(frame, POINTWISE)
    if log and frame["estimate"].min() == 0:
        words += " · triangle: no game got there, the rate may still be as high as its middle"
    _frame(figure, question, words + (f" · {note}" if note else ""), [] if alone else names, details or {})
    return figure


def _frame(figure: Figure, question: str, foot: str, names: Sequence[str], details: dict[str, str]) -> None:
    """Put the question and a key of the runs on top of a figure of several axes, and the footer below."""
    title = textwrap.wrap(question, 58)
    texts = [f"{wrap_label(n, 40)}{f': {details[n]}' if details.get(n) else ''}" for n in names]
    longest = max((len(line) for text in texts for line in text.split("\n")), default=0)
    columns = next((c for most, c in ((9, 5), (16, 4), (23, 3), (36, 2)) if longest < most), 1)
    rows = -(-len(texts) // columns) * (1 + max((text.count("\n") for text in texts), default=0))
    with house_style():
        # Empty lines below the title keep the room that the key needs.
        figure.suptitle("\n".join([*title, *[""] * (rows + bool(rows))]), x=0.02, ha="left", fontsize=12,
                        fontweight="bold", color=INK)  # fmt: skip
        note = figure.supxlabel("\n".join(textwrap.wrap(foot, 96)), x=0.02, ha="left", fontsize=8, color=QUIET)
        note.set_gid("footer")
        if texts:
            handles = [
                Line2D([], [], color=PALETTE[i % MOST_LINES], linestyle=LINES[i % MOST_LINES], linewidth=2)
                for i in range(len(texts))
            ]
            figure.legend(
                handles,
                texts,
                loc="upper left",
                bbox_to_anchor=(0.01, 1 - (8 + 14.5 * len(title)) / (72 * figure.get_figheight())),
                ncols=columns,
                frameon=False,
                fontsize=9.5,
                handlelength=3,
                columnspacing=1.6,
                labelspacing=0.35,
                borderaxespad=0.2,
            )


def hazard_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw where games get stuck, from `hazards`: a row a station, the lowest at the foot, as it lies."""
    rows = frame.drop_nulls("estimate").sort("station", descending=True)
    return dot_chart(
        rows,
        [f"station {r['station']}  ({plural(r['n'], 'game')})" for r in rows.iter_rows(named=True)],
        "Where do games get stuck?",
        "Games that do not complete the station, of those\nthat completed all below it (their number in brackets)",
        ax,
        percent=True,
        bounds=(0, 1),
        note="95 % Wilson intervals over deals, each for itself",
    )


def tiles_chart(frame: pl.DataFrame, width: int, ax: Axes | None = None) -> Axes:
    """Draw how many tiles are laid, from `tiles_laid`, with both ends named.

    Parameters
    ----------
    width : int
        Tiles of station 1.
    """
    ax = new_axes(ax, 3.8)
    tiles, most = frame["tiles"].to_list(), width * (width + 1) // 2
    colours = [PALETTE[1] if t == 1 else PALETTE[4] if t == most else PALETTE[0] for t in tiles]
    histogram(ax, tiles, frame, colours, most_labels=0)
    ax.set_xlim(0, most + 1)
    ax.set_xticks(sorted({1, *range(5, most, 5), most} - ({most - 1} if most > 5 else set())))
    share = {r["tiles"]: r for r in frame.iter_rows(named=True)}
    top = ax.get_ylim()[1]
    for t, words, side in ((1, "ended before the first\ndecision", "left"), (most, "complete\npyramid", "right")):
        if t == 1 == most:
            continue
        row = share.get(t)
        ax.annotate(
            f"{words}: {percent(row)} %" if row else f"{words}: never",
            (t, (row["hi"] or row["estimate"]) if row else 0),
            xytext=(t, 1.04 * top),
            fontsize=8.5,
            ha=side,
            va="bottom",
            arrowprops={"arrowstyle": "-", "color": QUIET, "linewidth": 0.8, "relpos": (float(side == "right"), 0)},
            gid=f"end-{t}",
        )
    ax.set_ylim(0, top * 1.22)
    ax.set_xlabel("Tiles laid, the first included")
    ax.set_ylabel("Share of games")
    return finish(
        ax, "How many tiles are laid before it ends?", footer(frame, "Lines: 95 % Wilson intervals over deals")
    )


def heights_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how many stations are begun and how many completed, from `heights`: two bars a number."""
    ax = new_axes(ax, 3.8)
    for k, (measure, words) in enumerate((("begun", "begun (one tile at least)"), ("completed", "completed"))):
        rows = frame.filter(pl.col("measure") == measure).sort("station")
        x = rows["station"].to_numpy() + (k - 0.5) * 0.4
        ax.bar(x, rows["estimate"], width=0.38, color=("#c9ccd1", PALETTE[0])[k], edgecolor=QUIET, linewidth=0.5,
               hatch=HATCHES[1 - k], label=words, gid=f"bars-{measure}")  # fmt: skip
        for place, r in zip(x, rows.iter_rows(named=True), strict=True):
            if r["lo"] is not None and r["estimate"]:
                ax.plot([place, place], [r["lo"], r["hi"]], color=INK, linewidth=1.1)
    ax.set_xticks(sorted(set(frame["station"])))
    percent_axis(ax.yaxis)
    ax.grid(axis="y")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=9.5, borderaxespad=0.1)
    ax.set_xlabel("Stations")
    ax.set_ylabel("Share of games with\nexactly so many")
    return finish(
        ax,
        "How high do teams build, and how much of it do they finish?",
        footer(frame, "Lines: 95 % Wilson intervals over deals, each for itself"),
        above=16,
    )


def rank_label(row: dict) -> str:
    """Return the printed name of a result with its stations: ``normal mountain (4–5)``."""
    stations = str(row["least"]) if row["least"] == row["most"] else f"{row['least']}–{row['most']}"
    return row["rank"] if row["rank"] == NO_RANK else f"{row['rank']} ({stations})"


def rank_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how often each printed name is earned, from `ranks`."""
    rows = frame.sort("least", descending=True)
    return dot_chart(
        rows,
        [rank_label(r) for r in rows.iter_rows(named=True)],
        "Which rank do teams earn?",
        "Share of games (stations in brackets)",
        ax,
        percent=True,
        bounds=(0, 1),
        note="95 % Wilson intervals over deals, each for itself",
    )


def worth_chart(frame: pl.DataFrame, question: str, change: str, ax: Axes | None = None) -> Axes:
    """Draw what an option changes in mean stations, from `worth`: a row a pair of runs.

    Parameters
    ----------
    change : str
        What the difference is of: ``talk = open minus talk = none``.
    """
    rows = frame.filter(pl.col("measure") == "mean")
    paired = rows["paired"].to_list()
    # Runs that differ in their seats alone stand together.
    kinds = ["; ".join(x for x in pair.split("; ") if "seat" not in x) for pair in rows["pair"]]
    order = sorted(range(len(kinds)), key=lambda i: kinds.index(kinds[i]))
    rows, kinds = rows[order], [kinds[i] for i in order]
    note = "95 % intervals, each for itself"
    note += " (paired t over deals)" if all(paired) else "" if any(paired) else " (Welch's t: not the same deals)"
    return dot_chart(
        rows,
        [wrap_label(p, 34) for p in rows["pair"]],
        question,
        f"Completed stations, {change}",
        ax,
        reference=(0, "no difference"),
        sign=True,
        note=note,
        groups=[kinds.index(k) for k in kinds],
    )


def worth_rates_chart(frame: pl.DataFrame, question: str, change: str, ax: Axes | None = None) -> Axes:
    """Draw what an option changes in the rates of completing at least 1, 2, 3 stations, from `worth`."""
    rows = frame.filter(pl.col("measure") != "mean").with_columns(pl.col("estimate", "lo", "hi", "se") * 100)
    ax = dodged_chart(
        rows,
        "pair",
        "measure",
        question,
        f"Share of games, percentage points, {change}",
        ax,
        note="95 % intervals, each for itself (t over deals)",
    )
    low, high = ax.get_xlim()
    ax.axvline(0, color=QUIET, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
    ax.set_xlim(low if low < 0 else -0.02 * high, high)
    return ax


def pyramid_figure(rules: np.ndarray, state, question: str, foot: str) -> Figure:
    """Draw a pyramid with a key of the seasons."""
    stations = int((state["count"] > 0).sum())
    with house_style():
        figure = Figure(figsize=(WIDTH, 1.3 + 0.41 * stations))
        ax = figure.subplots()
    draw_pyramid(ax, rules, state)
    handles = [Line2D([], [], color=c, marker="h", markersize=9, linestyle="none") for c in SEASON_COLOURS]
    ax.legend(
        handles,
        [f"{name} ({name[:2].capitalize()})" for name in SEASONS],
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=4,
        frameon=False,
        fontsize=9,
        handletextpad=0.2,
        columnspacing=1.2,
        borderaxespad=0.1,
    )
    finish(ax, question, "", above=18)
    with house_style():
        note = figure.supxlabel("\n".join(textwrap.wrap(foot, 96)), x=0.02, ha="left", fontsize=8, color=QUIET)
    note.set_gid("footer")
    return figure
