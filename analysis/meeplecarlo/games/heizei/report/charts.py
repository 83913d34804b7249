"""Charts only Heizei has. Each takes a frame of `tables` or `race` and, if wanted, an axes; it returns the axes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from meeplecarlo.games.heizei.report.race import DIFFERENCE as HEAD_MINUS_LONGEST
from meeplecarlo.games.heizei.report.race import HEAD
from meeplecarlo.games.heizei.report.tables import ALL, DIFFERENCES, OUT, PLACES, ROUNDS
from meeplecarlo.report.charts import dodged_chart, dot_chart, footer, ink_on, percent_axis, side_key
from meeplecarlo.report.formats import format_estimate, format_number
from meeplecarlo.report.style import (
    HATCHES,
    INK,
    LINES,
    MARKERS,
    PALETTE,
    QUIET,
    WIDTH,
    finish,
    house_style,
    new_axes,
    wrap_label,
)

ORDINALS = ("first", "second", "third", "fourth", "fifth")
RARE = 0.002  # numbers of cards held by a smaller share of seats are left out of charts
EQUAL_COLOURS = (1 / len(PLACES), "all colours alike: 25 %")
_CARDS, _TILE = PALETTE[0], PALETTE[3]


def ordinal(place: int) -> str:
    """Return a place in words, from 1.

    >>> ordinal(2)
    'second'
    """
    return ORDINALS[place - 1]


def round_name(number: int) -> str:
    """Return how a round is called."""
    return f"round {number}"


# --- seats ---------------------------------------------------------------------------------------------------------
def out_points_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw what seats score in a round by when they go out, from `by_order`: cards and tile, one after the other."""
    of = {(r["round"], r[OUT], r["measure"]): r for r in table.filter(player=ALL).iter_rows(named=True)}
    groups = sorted({key[:2] for key in of})
    ax = new_axes(ax, 1.9 + 0.36 * len(groups))
    ys = [-k - 0.6 * (number - 1) for k, (number, _) in enumerate(groups)]
    longest = max((abs(of[*g, m]["estimate"]) for g in groups for m in ("cards", "points")), default=1) or 1
    for y, group in zip(ys, groups, strict=True):
        cards, tile, points = (of[*group, m] for m in ("cards", "tile", "points"))
        start = max(cards["estimate"], 0)
        ax.barh(y, cards["estimate"], 0.72, color=_CARDS, edgecolor="white", gid=f"cards-{group[0]}-{group[1]}")
        ax.barh(y, tile["estimate"], 0.72, left=start, color=_TILE, hatch=HATCHES[1], edgecolor="white",
                gid=f"tile-{group[0]}-{group[1]}")  # fmt: skip
        if abs(cards["estimate"]) > 0.12 * longest:
            ax.text(cards["estimate"] / 2, y, format_estimate(cards["estimate"], se=max(cards["se"] or 0, 0.03)),
                    ha="center", va="center", fontsize=9, color=ink_on(_CARDS))  # fmt: skip
        text = format_estimate(points["estimate"], se=max(points["se"] or 0, 0.03))
        ax.annotate(text, (start + tile["estimate"], y), xytext=(5, 0), textcoords="offset points", va="center",
                    fontsize=9.5, fontweight="bold", annotation_clip=False)  # fmt: skip
    labels = [f"{round_name(number)}, {ordinal(place)} to go out" for number, place in groups]
    ax.set_yticks(ys, labels)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(right=1.12 * longest)
    ax.axvline(0, color=QUIET, linewidth=1)
    ax.grid(axis="x")
    ax.set_xlabel("Mean points of a seat in the round")
    _key_above(ax, [("cards", _CARDS, ""), ("tile (bold: both together)", _TILE, HATCHES[1])])
    foot = footer(table, "All players together; intervals in the table")
    return finish(ax, "What does a seat score by when it goes out?", foot, width=52, above=18)


def _key_above(ax: Axes, entries: list[tuple[str, str, str]]) -> None:
    """Write a key of name, colour and hatch above the axes."""
    handles = [Patch(facecolor=c, hatch=hatch, edgecolor="white", label=name) for name, c, hatch in entries]
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(entries), frameon=False, fontsize=9.5,
              borderaxespad=0.1, handlelength=1.4, columnspacing=1.2)  # fmt: skip


def by_order_chart(
    table: pl.DataFrame, order: str, measure: str, question: str, xlabel: str, ax: Axes | None = None
) -> Axes:
    """Draw a measure of `by_order` by the place in the order, the two rounds side by side.

    Parameters
    ----------
    order : str
        Column with the place: `tables.OUT` or `tables.TURN`.
    measure : str
        ``win_share`` (with a line where all seats would be equal) or ``above`` (with a line at nothing).
    """
    rows = table.filter(player=ALL, measure=measure).sort(order, "round")
    n = rows[order].max() or 1
    doing = "to go out" if order == OUT else "to play"
    rows = rows.with_columns(
        order=pl.col(order).map_elements(lambda k: f"{ordinal(k)} {doing}", pl.String()),
        round=pl.col("round").map_elements(round_name, pl.String()),
    )
    share = measure == "win_share"
    ax = dodged_chart(rows, "order", "round", question, xlabel, ax, percent=share)
    parity = 1 / n if share else 0
    words = f"equal seats: {format_number(100 / n, 1)} %" if share else "mean of the table"
    return _reference(ax, rows, parity, words)


def _reference(ax: Axes, rows: pl.DataFrame, value: float, words: str) -> Axes:
    """Add a line to compare with, and room for it and for all intervals."""
    ax.axvline(value, color=QUIET, linewidth=1.2, linestyle=(0, (4, 3)), zorder=0)
    ends = [x for c in ("estimate", "lo", "hi") for x in rows[c].drop_nulls()]
    low, high = min([value, *ends]), max([value, *ends])
    room = 0.06 * ((high - low) or 1)
    ax.set_xlim(low - room, high + room)
    ax.annotate(words, (value, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points",
                ha="center", va="bottom", fontsize=8.5, color=QUIET)  # fmt: skip
    ax.set_title(ax.get_title(loc="left"), loc="left", fontsize=12, fontweight="bold", pad=24)
    return ax


def first_chart(table: pl.DataFrame, question: str, xlabel: str, name=str, ax: Axes | None = None) -> Axes:
    """Draw what being first changes for each player, from `first_against_later`: points of cards, and with the tile.

    Parameters
    ----------
    name : callable
        From a player to how it is called.
    """
    words = {"cards": "cards alone", "points": "cards and tile"}
    rows = table.filter(pl.col("measure").is_in(list(words)))
    if rows["player"].n_unique() > 1:
        rows = rows.filter(pl.col("player") != ALL)
    rows = rows.with_columns(
        player=pl.col("player").map_elements(name, pl.String()),
        within=pl.format("round {}:\n{}", "round", pl.col("measure").replace_strict(words, return_dtype=pl.String())),
    )
    ax = dodged_chart(rows, "player", "within", question, xlabel, ax, note="95 % intervals over deals, each for itself")
    return _reference(ax, rows, 0, "no difference")


def spread_chart(table: pl.DataFrame, points: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how the points of a round are spread, from `round_spread`; mean and SD from `round_points` in the key."""
    ax = new_axes(ax, 4.0)
    entries = []
    of = {(r["round"], r["measure"]): r for r in points.filter(player=ALL).iter_rows(named=True)}
    for i, number in enumerate(ROUNDS):
        rows = table.filter(round=number)
        if not rows.height:
            continue
        # Points that did not occur have no row, and the line goes down to nothing there.
        values = np.arange(rows["points"].min() - 1, rows["points"].max() + 2)
        shares = dict(zip(rows["points"].to_list(), rows["estimate"].to_list(), strict=True))
        ax.step(values, [shares.get(int(v), 0) for v in values], where="mid", color=PALETTE[i], linestyle=LINES[i],
                linewidth=1.8, gid=f"line-{number}")  # fmt: skip
        mean, sd = (format_estimate(of[number, m]["estimate"], se=of[number, m]["se"]) for m in ("mean", "sd"))
        entries.append((i, round_name(number), f"mean {mean}, SD {sd}"))
    ax.axvline(0, color=QUIET, linewidth=1)
    ax.set_ylim(bottom=0)
    percent_axis(ax.yaxis)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid()
    ax.set_xlabel("Points of a seat in the round, tile included")
    ax.set_ylabel("Share of seats")
    side_key(ax, entries)
    return finish(ax, "How are the points of each round spread?", footer(table, "Intervals in the table"))


# --- colours -------------------------------------------------------------------------------------------------------
def circles_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw where cubes end by the circle they start from, from `circles`: a bar a circle, a piece a place."""
    groups = sorted(set(table.select("round", "circle").rows()), key=lambda g: (g[0], -g[1]))
    first = min((g[0] for g in groups), default=1)
    ax = new_axes(ax, 1.9 + 0.4 * len(groups))
    of = {(r["round"], r["circle"], r["measure"]): r for r in table.iter_rows(named=True)}
    ys = [-k - 0.6 * (number - first) for k, (number, _) in enumerate(groups)]
    shades = ("#2f5fb3", "#7aa6f5", "#c3d7fb", "#ececec")  # dark to light: first to last, in greyscale too
    for y, group in zip(ys, groups, strict=True):
        start = 0.0
        for place, colour in zip(PLACES, shades, strict=True):
            row = of[*group, f"place_{place}"]
            ax.barh(y, row["estimate"], 0.78, left=start, color=colour, edgecolor="white", linewidth=1,
                    gid=f"bar-{group[0]}-{group[1]}-{place}")  # fmt: skip
            if row["estimate"] >= 0.06:
                text = format_estimate(row["estimate"], se=max(row["se"] or 0, 0.003), scale=100)
                ax.text(start + row["estimate"] / 2, y, text, ha="center", va="center", fontsize=9,
                        color=ink_on(colour))  # fmt: skip
            start += row["estimate"]
    names = {1: "circle 1 (tail)", len(PLACES): f"circle {len(PLACES)} (head)"}
    ax.set_yticks(ys, [f"round {number}, {names.get(circle, f'circle {circle}')}" for number, circle in groups])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0, 1)
    percent_axis(ax.xaxis)
    ax.set_xlabel("Share of games, in per cent, in which the cube ends there")
    _key_above(ax, [(f"ends {ordinal(k)}", colour, "") for k, colour in zip(PLACES, shades, strict=True)])
    question = "Where does a cube end, by the circle it starts from?"
    return finish(ax, question, footer(table, "Intervals in the table"), width=46, above=18)


def foretold_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how often the cube at the head and the longest colour of a hand end first, from `foretold`."""
    rows = table.filter((pl.col("measure") == "first") & (pl.col("by") != HEAD_MINUS_LONGEST))
    heads = [by == HEAD for by in rows["by"]]
    return dot_chart(
        rows,
        [f"round {number}:\n{wrap_label(by, 30)}" for number, by in rows.select("round", "by").rows()],
        "Does the cube order or the hand tell which colour ends first?",
        "Share of games in which it ends first",
        ax,
        percent=True,
        reference=EQUAL_COLOURS,
        colours=[PALETTE[0] if head else PALETTE[3] for head in heads],
        markers=[MARKERS[0] if head else MARKERS[3] for head in heads],
        groups=rows["round"].to_list(),
        bounds=(0, 1),
    )


def collected_chart(table: pl.DataFrame, measure: str, ax: Axes | None = None) -> Axes:
    """Draw a measure of `collected` by the number of cards, a line a round, rare numbers left out.

    Parameters
    ----------
    measure : str
        ``place`` (first on top) or ``points``.
    """
    ax = new_axes(ax, 3.9)
    rows = table.filter(measure=measure)
    entries = []
    for i, number in enumerate(ROUNDS):
        of = rows.filter(round=number)
        of = of.filter(pl.col("n") >= RARE * of["n"].sum())
        if of.height:
            _line(ax, of, "cards", i, f"line-{number}")
            entries.append((i, round_name(number), ""))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid()
    ax.set_xlabel("Cards of one colour that a seat collects in the round")
    side_key(ax, entries)
    foot = footer(rows, "Bands: 95 % intervals over deals, each for itself")
    if measure == "place":
        ax.set_ylim(len(PLACES) + 0.1, 0.9)
        ax.set_yticks(list(PLACES), [ordinal(k) for k in PLACES])
        _horizontal(ax, float(np.mean(PLACES)), "mean place")
        ax.set_ylabel("Mean final place of its cube")
        return finish(ax, "Where do the cubes of collected colours end?", foot)
    _horizontal(ax, 0, "")
    ax.set_ylabel("Mean points of these cards together")
    return finish(ax, "What do the cards of one colour score, by how many there are?", foot)


def _line(ax: Axes, rows: pl.DataFrame, x: str, i: int, gid: str, marker: bool = True) -> None:
    """Draw the estimates of a frame as line `i` of a chart, with a band from lo to hi."""
    ax.plot(rows[x].to_numpy(), rows["estimate"].to_numpy(), color=PALETTE[i], linestyle=LINES[i],
            marker=MARKERS[i] if marker else None, markersize=4.5, gid=gid)  # fmt: skip
    band = rows.drop_nulls(["lo", "hi"])
    ax.fill_between(band[x].to_numpy(), band["lo"].to_numpy(), band["hi"].to_numpy(), color=PALETTE[i], alpha=0.22,
                    linewidth=0)  # fmt: skip


def _horizontal(ax: Axes, value: float, words: str) -> None:
    ax.axhline(value, color=QUIET, linewidth=1.1, linestyle=(0, (4, 3)), zorder=0)
    ax.annotate(words, (1, value), xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points",
                va="center", fontsize=8.5, color=QUIET, annotation_clip=False)  # fmt: skip


def by_place_chart(table: pl.DataFrame, values: Sequence[int], ax: Axes | None = None) -> Axes:
    """Draw what a card is worth in round 2 by the place of its cube, from `by_place`.

    Parameters
    ----------
    values : sequence of int
        Printed points a card, by place.
    """
    rows = table.filter(measure="per_card")
    share = {r["place"]: r for r in table.filter(measure="negative").iter_rows(named=True)}
    labels = [
        f"{ordinal(k)} cube: {values[k - 1]} points,\n"
        f"{format_estimate(share[k]['estimate'], se=share[k]['se'], scale=100)} % count negative"
        for k in rows["place"]
    ]
    return dot_chart(
        rows,
        labels,
        "What is a card of round 2 worth in the end?",
        "Mean points of a card, negative ones included",
        ax,
        reference=(0, "nothing"),
        markers=[MARKERS[k - 1] for k in rows["place"]],
    )


# --- the race ------------------------------------------------------------------------------------------------------
def race_figure(table: pl.DataFrame, cube: str, measure: str, question: str) -> Figure:
    """Draw the course of the race in both rounds, one above the other, from `race`.

    Parameters
    ----------
    cube : str
        ``final``: a line for each final place; ``circle``: one for each starting circle.
    measure : str
        ``space`` or ``place``.
    """
    rows = table.filter(cube=cube, measure=measure)
    numbers = sorted(set(rows["round"]))
    with house_style():
        figure = Figure(figsize=(WIDTH, 1.1 + 2.5 * len(numbers)))
        axes = figure.subplots(len(numbers), 1, sharex=True, squeeze=False)[:, 0]
    for ax, number in zip(axes, numbers, strict=True):
        for i, which in enumerate(PLACES):
            of = rows.filter(round=number, which=which).sort("turns")
            _line(ax, of, "turns", i, f"line-{number}-{which}", marker=False)
            ax.plot(of["turns"][::4], of["estimate"][::4], color=PALETTE[i], marker=MARKERS[i], markersize=4.5,
                    linestyle="none")  # fmt: skip
        ax.set_xlim(0, 100)
        ax.grid()
        if measure == "place":
            ax.set_yticks(list(PLACES), [ordinal(k) for k in PLACES])
            ax.set_ylim(max(3.3, rows["hi"].max() or 0), min(1.7, rows["lo"].min() or 9))
            ax.set_ylabel(f"Round {number}:\nmean place")
        else:
            ax.set_ylim(bottom=0)
            ax.set_ylabel(f"Round {number}:\nmean space")
    order = PLACES if cube == "final" else PLACES[::-1]
    names = {1: "circle 1 (tail)", len(PLACES): f"circle {len(PLACES)} (head)"}
    words = {k: f"ends {ordinal(k)}" if cube == "final" else f"from {names.get(k, f'circle {k}')}" for k in PLACES}
    side_key(axes[0], [(k - 1, words[k], "") for k in order])
    axes[-1].set_xlabel("Turns of the round that are played, in per cent")
    foot = footer(rows, "Bands: 95 % intervals over deals")
    finish(axes[-1], "", foot)
    axes[-1].set_title("")
    axes[0].set_title("\n".join(textwrap.wrap(question, 54)), loc="left", fontsize=12, fontweight="bold", pad=10)
    return figure


def leader_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how often the cube that is ahead also ends first, in the course of a round, from `race`."""
    rows = table.filter(cube="leader")
    ax = new_axes(ax, 3.8)
    entries = []
    for i, number in enumerate(sorted(set(rows["round"]))):
        of = rows.filter(round=number).sort("turns")
        _line(ax, of, "turns", i, f"line-{number}")
        half = of.filter(pl.col("estimate") >= 0.5)["turns"].min()
        entries.append((i, round_name(number), f"over 50 % from {half} % on"))
    ax.set_xlim(0, 101)
    ax.set_ylim(0, 1.02)
    percent_axis(ax.yaxis)
    ax.grid()
    _horizontal(ax, *EQUAL_COLOURS)
    ax.set_xlabel("Turns of the round that are played, in per cent")
    ax.set_ylabel("Share of games in which\nthe cube ahead ends first")
    side_key(ax, entries)
    return finish(ax, "When is the race decided?", footer(rows, "Bands: 95 % intervals over deals"))


# --- the penalty ---------------------------------------------------------------------------------------------------
def deciders_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how many wins would go to another seat without the penalty and without tiles, from `deciders`."""
    rows = table.filter((pl.col("measure") == "moved") & ~pl.col("without").is_in(list(DIFFERENCES)))
    tiles = ["tile" in name for name in rows["without"]]
    return dot_chart(
        rows,
        [f"without {wrap_label(name, 20)}" for name in rows["without"]],
        "What decides who wins: the penalty or the tiles?",
        "Share of wins that would go to another seat",
        ax,
        percent=True,
        colours=[PALETTE[3] if tile else PALETTE[1] for tile in tiles],
        markers=[MARKERS[3] if tile else MARKERS[1] for tile in tiles],
        groups=[int(tile) for tile in tiles],
        bounds=(0, 1),
    )


def negative_chart(table: pl.DataFrame, name=str, ax: Axes | None = None) -> Axes:
    """Draw how often a seat scores less than nothing in round 2, by player, from `round_points`."""
    rows = table.filter(round=2, measure="negative")
    players = [p for p in rows["player"] if p != ALL]
    return dot_chart(
        rows,
        [wrap_label(name(p)) for p in rows["player"]],
        "How often does round 2 cost a seat more than it brings?",
        "Share of seats with less than 0 points in round 2",
        ax,
        percent=True,
        colours=[INK if p == ALL else PALETTE[players.index(p) % len(PALETTE)] for p in rows["player"]],
        markers=["o" if p == ALL else MARKERS[players.index(p) % len(MARKERS)] for p in rows["player"]],
        groups=[int(p != ALL) for p in rows["player"]],
        bounds=(0, 1),
    )


# --- several runs --------------------------------------------------------------------------------------------------
def changes_chart(table: pl.DataFrame, run: str, first: str, ax: Axes | None = None) -> Axes:
    """Draw how win shares of a run differ from those of the first run, from the rows of `tables.changes` of the run."""
    rows = table.filter(pl.col("measure").str.starts_with("wins of")).with_columns(
        estimate=pl.col("change") * 100,
        lo=pl.col("change_lo") * 100,
        hi=pl.col("change_hi") * 100,
        se=(pl.col("change_hi") - pl.col("change_lo")) * 25,
    )
    return dot_chart(
        rows,
        [wrap_label(m.removeprefix("wins of "), 24) for m in rows["measure"]],
        f"What does {run} change against {first}?",
        "Win share, difference in percentage points",
        ax,
        reference=(0, "no change"),
        sign=True,
        note="95 % intervals, each for itself",
    )
