"""Charts every game has. Each takes a frame of `report.tables` and, if wanted, an axes to draw on; it returns the axes.

The title is the question the chart answers; the footer says what the intervals are and what they rest on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.ticker import Formatter, MaxNLocator

from meeplecarlo.report import style
from meeplecarlo.report.formats import format_estimate, format_number, plural
from meeplecarlo.report.style import HATCHES, INK, LINES, MARKERS, PALETTE, QUIET, ROW, finish, new_axes, wrap_label

Namer = Callable[[str], str]


def footer(frame: pl.DataFrame, what: str = "95 % intervals over deals") -> str:
    """Return what the numbers of a frame rest on, in one line."""
    deals, games = (int(frame[c].max() or 0) if frame.height else 0 for c in ("deals", "games"))
    if "lo" in frame.columns and frame["lo"].is_null().all():
        what = "No intervals: they need at least two deals that differ"
    return f"{what} · {plural(deals, 'deal')}, {plural(games, 'game')}"


class _Percent(Formatter):
    """Shares as per cent, all ticks of an axis with as many decimals as the most exact one needs."""

    def __call__(self, value: float, pos: int | None = None) -> str:
        ticks = np.append(self.axis.get_majorticklocs(), value) * 100
        decimals = next((d for d in range(4) if np.allclose(ticks, ticks.round(d), atol=1e-6, rtol=0)), 4)
        return f"{format_number(value * 100, decimals)} %"


def percent_axis(axis: Axis) -> None:
    """Label an axis of shares in per cent."""
    axis.set_major_formatter(_Percent())


def dot_chart(
    frame: pl.DataFrame,
    labels: Sequence[str],
    question: str,
    xlabel: str,
    ax: Axes | None = None,
    *,
    percent: bool = False,
    reference: tuple[float, str] | None = None,
    sign: bool = False,
    colours: Sequence[str] | None = None,
    markers: Sequence[str] | None = None,
    groups: Sequence[int] | None = None,
    note: str = "95 % intervals over deals",
    unit: str = "",
    bounds: tuple[float, float] | None = None,
) -> Axes:
    """Draw one estimate a row, top row first: a marker, its interval and the number.

    Parameters
    ----------
    frame : DataFrame
        With estimate, lo, hi, se, deals, games.
    labels : sequence of str
        One a row.
    percent : bool
        Whether the estimates are shares, to be shown in per cent.
    reference : (float, str), optional
        A line to compare with, and what it is.
    groups : sequence of int, optional
        Group of each row; groups are set apart.
    bounds : (float, float), optional
        Values that cannot be exceeded: the axis ends there at the latest.
    """
    ax = new_axes(ax, 1.5 + ROW * len(labels) + 0.15 * max((label.count("\n") for label in labels), default=0))
    scale = 100 if percent else 1
    suffix = " %" if percent else unit
    ys = -np.arange(len(labels), dtype=float)
    if groups is not None:
        ys -= 0.5 * np.unique(np.asarray(groups), return_inverse=True)[1]
    shown = [x for c in ("estimate", "lo", "hi") for x in frame[c].to_list() if x is not None]
    if reference is not None:
        shown.append(reference[0])
        ax.axvline(reference[0], color=QUIET, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
        ax.annotate(
            reference[1],
            (reference[0], 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8.5,
            color=QUIET,
        )
    low, high = (min(shown), max(shown)) if shown else (0, 1)
    room = (high - low) or abs(high) or 1
    low, high = low - 0.06 * room, high + 0.06 * room
    if bounds is not None and low - bounds[0] < 0.4 * (high - low):
        low = bounds[0]  # so near to the least possible value that the reader will look for it
    if bounds is not None:
        low, high = max(low, bounds[0]) - 0.02 * room, min(high, bounds[1] + 0.02 * room)
    ax.set_xlim(low, high)
    ax.set_ylim(ys[-1] - 0.6 if len(ys) else -1, 0.6)
    for i, row in enumerate(frame.iter_rows(named=True)):
        if row["estimate"] is None:
            continue
        colour = colours[i] if colours else PALETTE[0]
        if row["lo"] is not None:
            ax.plot([row["lo"], row["hi"]], [ys[i]] * 2, color=colour, linewidth=2.6, solid_capstyle="butt", zorder=3)
        ax.plot(
            [row["estimate"]],
            [ys[i]],
            marker=markers[i] if markers else "o",
            color=colour,
            markersize=7,
            linestyle="none",
            zorder=4,
            gid=f"row-{i}",
        )
        text = format_estimate(row["estimate"], se=row["se"], scale=scale, unit=suffix, sign=sign)
        if percent and row["estimate"] in (0, 1):  # exactly, not by rounding
            text = f"{row['estimate'] * 100:.0f} %"
        elif row["estimate"] == 0 and not row["se"]:
            text = f"0{suffix}"
        ax.annotate(
            text,
            (1, ys[i]),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            ha="left",
            fontsize=10,
            annotation_clip=False,
            gid=f"value-{i}",
        )
    ax.set_yticks(ys, labels)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    ax.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    if percent:
        percent_axis(ax.xaxis)
    ax.set_xlabel(xlabel)
    widest = max((len(line) for label in labels for line in label.split("\n")), default=0)
    return finish(ax, question, footer(frame, note), width=max(36, 58 - widest), above=14 if reference else 0)


def dodged_chart(
    frame: pl.DataFrame,
    group: str,
    within: str,
    question: str,
    xlabel: str,
    ax: Axes | None = None,
    *,
    percent: bool = False,
    note: str = "95 % intervals over deals",
) -> Axes:
    """Draw several estimates a row, one under another: a row a `group`, a marker for each value of `within`.

    Parameters
    ----------
    frame : DataFrame
        With the columns `group` and `within`, estimate, lo, hi, deals, games.
    """
    groups = list(dict.fromkeys(frame[group].to_list()))
    members = list(dict.fromkeys(frame[within].to_list()))
    step = 0.8 / max(len(members), 2)
    ax = new_axes(ax, 1.6 + len(groups) * (0.35 + 0.17 * len(members)))
    for k, i in itertools.product(range(len(groups)), range(len(members))):
        for row in frame.filter((pl.col(group) == groups[k]) & (pl.col(within) == members[i])).iter_rows(named=True):
            if row["estimate"] is None:
                continue
            y = -k - step * (i - (len(members) - 1) / 2)
            if row["lo"] is not None:
                ax.plot([row["lo"], row["hi"]], [y, y], color=PALETTE[i % 6], linewidth=2.2, solid_capstyle="butt")
            ax.plot(
                [row["estimate"]],
                [y],
                marker=MARKERS[i % 6],
                color=PALETTE[i % 6],
                markersize=6,
                linestyle="none",
                gid=f"mark-{groups[k]}-{members[i]}",
            )
    for k in range(1, len(groups)):
        ax.axhline(0.5 - k, color=style.GRID, linewidth=0.8)
    ax.set_yticks([-k for k in range(len(groups))], [wrap_label(str(g)) for g in groups])
    ax.set_ylim(-len(groups) + 0.5, 0.5)
    ax.set_xlim(left=min(0, ax.get_xlim()[0]))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    if percent:
        percent_axis(ax.xaxis)
    ax.set_xlabel(xlabel)
    side_key(ax, [(i, m, "") for i, m in enumerate(members)], lines=False)
    return finish(ax, question, footer(frame, note))


def _wrapped(names: Sequence[str], name: Namer | None) -> list[str]:
    return [wrap_label(name(n) if name else n) for n in names]


def win_share_chart(frame: pl.DataFrame, ax: Axes | None = None, parity: float | None = None) -> Axes:
    """Draw the win share of each player from `tables.players`, best first.

    Parameters
    ----------
    parity : float, optional
        1 / seats; taken from the frame when left out.
    """
    edge = frame.filter(pl.col("measure") == "edge")["estimate"]
    rows = frame.filter(pl.col("measure") == "win_share")
    if parity is None and rows.height:
        parity = rows["estimate"][0] - edge[0]
    order = list(dict.fromkeys(frame["player"].to_list()))
    rows = rows.sort("estimate", descending=True, maintain_order=True)
    index = [order.index(p) for p in rows["player"]]
    return dot_chart(
        rows,
        _wrapped(rows["player"].to_list(), None),
        "Who wins most?",
        "Win share per seat held (a shared win counts as its part)",
        ax,
        percent=True,
        reference=(parity, f"equal players: {format_number(100 * parity, 1)} %") if parity is not None else None,
        colours=[PALETTE[i % len(PALETTE)] for i in index],
        markers=[MARKERS[i % len(MARKERS)] for i in index],
        bounds=(0, 1),
    )


def seat_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the win share of each seat from `tables.seats`."""
    rows = frame.filter(pl.col("measure") == "win_share").sort("seat")
    parity = 1 / max(rows.height, 1)
    labels = [f"seat {s}" for s in rows["seat"]]
    return dot_chart(
        rows,
        labels,
        "Does it matter where you sit?",
        "Win share of whoever sits there",
        ax,
        percent=True,
        reference=(parity, f"equal seats: {format_number(100 * parity, 1)} %"),
        bounds=(0, 1),
    )


def pairs_chart(frame: pl.DataFrame, measure: str = "win_share", ax: Axes | None = None) -> Axes:
    """Draw the paired differences of `tables.pairs`, each turned so that it is positive, greatest first."""
    rows = []
    for row in frame.filter(pl.col("measure") == measure).iter_rows(named=True):
        if row["estimate"] is not None and row["estimate"] < 0:
            lo, hi = (None if row[c] is None else -row[c] for c in ("hi", "lo"))
            row |= {"player": row["other"], "other": row["player"], "estimate": -row["estimate"], "lo": lo, "hi": hi}
        rows.append(row)
    turned = pl.DataFrame(rows, schema=frame.schema).sort("estimate", descending=True, maintain_order=True)
    names = turned.select("player", "other").rows()
    labels = [f"{wrap_label(a, 30)}\nover {wrap_label(b, 30)}" for a, b in names]
    share = measure == "win_share"
    if ax is None:
        lines = max((label.count("\n") + 1 for label in labels), default=1)
        ax = new_axes(None, 1.5 + len(labels) * (0.19 * lines + 0.14))
    # Differences of shares are percentage points, so that the axis reads 5 and not 5 %.
    if share:
        turned = turned.with_columns(pl.col("estimate", "lo", "hi", "se") * 100)
    return dot_chart(
        turned,
        labels,
        "Who beats whom, and by how much?",
        "Win share, difference in percentage points" if share else "Final points, difference",
        ax,
        reference=(0, "no difference"),
        sign=True,
        note="95 % intervals, each for itself (paired t over deals)",
    )


def totals_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how final points are distributed, from `tables.totals`: a rising step line a player, with its 95 % band."""
    ax = new_axes(ax, 4.4)
    names = list(dict.fromkeys(frame["player"].to_list()))
    low, high = (frame["points"].min(), frame["points"].max()) if frame.height else (0, 1)
    ends = []
    for i, player in enumerate(names):
        rows = frame.filter(pl.col("player") == player).sort("points")
        x, y = rows["points"].to_numpy(), rows["estimate"].to_numpy()
        ax.step(x, y, where="post", color=PALETTE[i % 6], linestyle=LINES[i % 6], label=player, gid=f"line-{player}")
        band = rows.drop_nulls(["lo", "hi"])
        if band.height:
            ax.fill_between(
                band["points"].to_numpy(),
                band["lo"].to_numpy(),
                band["hi"].to_numpy(),
                color=PALETTE[i % 6],
                alpha=0.25,
                linewidth=0,
            )
        ends.append((x[np.searchsorted(y, 0.5)], i, player))
    ax.set_xlim(low - 0.02 * (high - low) - 1, high + 1)
    ax.set_ylim(0, 1.015)
    side_key(ax, [(i, player, f"half end at {median} or less") for median, i, player in ends])
    percent_axis(ax.yaxis)
    ax.grid()
    ax.set_xlabel("Final points")
    ax.set_ylabel("Share of seats held that end\nwith so many points or fewer")
    return finish(ax, "How are final points spread?", footer(frame, "Bands: 95 % intervals over deals, at each place"))


def side_key(ax: Axes, entries: list[tuple[int, str, str]], lines: bool = True) -> None:
    """Write a key to the right of the axes.

    Parameters
    ----------
    entries : list of (int, str, str)
        Number of the colour and marker, name, and a detail or an empty string; in the order they are written.
    lines : bool
        Whether things are told apart by lines, or by markers alone.
    """
    marked = any(line.get_marker() not in ("None", None, "") for line in ax.get_lines())
    handles = [
        Line2D(
            [],
            [],
            color=PALETTE[i % 6],
            linestyle=LINES[i % 6] if lines else "none",
            marker=MARKERS[i % 6] if marked else None,
        )
        for i, _, _ in entries
    ]
    texts = [f"{wrap_label(player)}" + (f"\n{detail}" if detail else "") for _, player, detail in entries]
    ax.legend(
        handles,
        texts,
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        frameon=False,
        fontsize=9,
        handlelength=2.6,
        labelspacing=1.0,
        borderaxespad=0,
    )


def rounds_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the mean points after each round, from `tables.rounds`."""
    ax = new_axes(ax, 4.2)
    names = list(dict.fromkeys(frame["player"].to_list()))
    entries = []
    for i, player in enumerate(names):
        rows = frame.filter(pl.col("player") == player).sort("round")
        x, y = rows["round"].to_numpy(), rows["estimate"].to_numpy()
        ax.plot(
            x,
            y,
            color=PALETTE[i % 6],
            linestyle=LINES[i % 6],
            marker=MARKERS[i % 6],
            markersize=5,
            label=player,
            gid=f"line-{player}",
        )
        band = rows.drop_nulls(["lo", "hi"])
        if band.height:
            ax.fill_between(
                band["round"].to_numpy(),
                band["lo"].to_numpy(),
                band["hi"].to_numpy(),
                color=PALETTE[i % 6],
                alpha=0.25,
                linewidth=0,
            )
        last = rows.row(-1, named=True)
        entries.append(
            (last["estimate"], (i, player, f"{format_estimate(last['estimate'], se=last['se'])} at the end"))
        )
    entries.sort(key=lambda entry: -entry[0])
    side_key(ax, [entry for _, entry in entries])
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
    ax.grid()
    ax.set_xlabel("Round")
    ax.set_ylabel("Mean points on the table")
    return finish(ax, "How do points grow round by round?", footer(frame, "Bands: 95 % intervals over deals"))


def histogram(
    ax: Axes,
    values: Sequence[int],
    frame: pl.DataFrame,
    colours: Sequence[str] | str = PALETTE[0],
    most_labels: int = 14,
) -> None:
    """Draw a bar for each row of a frame at `values`, with its interval, and its per cent if there are few bars."""
    shares = frame["estimate"].to_numpy()
    ax.bar(values, shares, width=0.82, color=colours, gid="bars")
    top = 0.0
    for x, row in zip(values, frame.iter_rows(named=True), strict=True):
        end = row["hi"] if row["hi"] is not None else row["estimate"]
        top = max(top, end)
        if row["lo"] is not None:
            ax.plot([x, x], [row["lo"], row["hi"]], color=INK, linewidth=1.1, solid_capstyle="butt")
        if len(values) <= most_labels:
            text = format_estimate(row["estimate"], se=row["se"], scale=100)
            ax.annotate(
                text,
                (x, end),
                xytext=(0, 2),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=8.5,
                gid=f"value-{x}",
            )
    ax.set_ylim(0, top * 1.12 or 1)
    low, high = (min(values), max(values)) if len(values) else (0, 1)
    ax.set_xlim(low - 0.8, high + 0.8)
    ax.set_xticks(range(low, high + 1, max(1, (high - low) // 14)))
    percent_axis(ax.yaxis)
    ax.grid(axis="y")


def shared_result_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the distribution of a result all seats share, from `tables.shared_spread`."""
    ax = new_axes(ax, 3.6)
    histogram(ax, frame["points"].to_list(), frame)
    ax.set_xlabel("Points all seats share at the end")
    ax.set_ylabel("Share of games")
    return finish(ax, "How good is the result?", footer(frame, "Numbers in per cent; lines: 95 % intervals over deals"))


def shared_rounds_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the mean shared result after each round, from the points of `tables.shared_rounds`."""
    ax = new_axes(ax, 3.6)
    ax.plot(frame["round"], frame["estimate"], color=PALETTE[0], marker=MARKERS[0], markersize=4.5, gid="line-points")
    _band(ax, frame, "round", PALETTE[0])
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
    ax.grid()
    ax.set_xlabel("Round")
    ax.set_ylabel("Mean points so far")
    return finish(ax, "How does the result grow round by round?", footer(frame, "Band: 95 % intervals over deals"))


def duration_chart(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the share of games that go on after each round, from `tables.shared_rounds`; 0 is before the first one."""
    ax = new_axes(ax, 3.6)
    ax.step(frame["round"], frame["estimate"], where="post", color=PALETTE[0], gid="line-going")
    _band(ax, frame, "round", PALETTE[0], step="post")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(0, 1.015)
    percent_axis(ax.yaxis)
    ax.grid()
    ax.set_xlabel("After round (0: before the first decision)")
    ax.set_ylabel("Games that still go on")
    return finish(ax, "How long do games last?", footer(frame, "Band: 95 % intervals over deals, each for itself"))


def _band(ax: Axes, frame: pl.DataFrame, x: str, colour: str, step: str | None = None) -> None:
    """Shade between lo and hi where they are known."""
    band = frame.drop_nulls(["lo", "hi"])
    if band.height:
        x, lo, hi = (band[c].to_numpy() for c in (x, "lo", "hi"))
        ax.fill_between(x, lo, hi, step=step, color=colour, alpha=0.25, linewidth=0)


def composition_chart(frame: pl.DataFrame, colours: dict[str, str] | None = None, ax: Axes | None = None) -> Axes:
    """Draw what a total is made of, from `tables.categories`: a bar a player, a piece a category, with numbers.

    Parameters
    ----------
    colours : dict, optional
        Category to colour.
    """
    players = list(dict.fromkeys(frame["player"].to_list()))
    categories = [
        c
        for c in dict.fromkeys(frame["category"].to_list())
        if frame.filter((pl.col("category") == c) & (pl.col("estimate") != 0)).height
    ]
    ax = new_axes(ax, 1.9 + 0.62 * len(players))
    value = {(r["player"], r["category"]): r for r in frame.iter_rows(named=True)}
    widest = max((sum(max(value[p, c]["estimate"], 0) for c in categories) for p in players), default=0) or 1
    for i, player in enumerate(players):
        right = left = 0.0
        for k, category in enumerate(categories):
            row = value[player, category]
            points = row["estimate"]
            colour = (colours or {}).get(category, PALETTE[k % len(PALETTE)])
            start = right if points >= 0 else left
            bar = ax.barh(
                -i,
                points,
                left=start,
                height=0.62,
                color=colour,
                edgecolor="white",
                linewidth=1,
                hatch=HATCHES[k % len(HATCHES)],
                label=category if i == 0 else None,
                gid=f"bar-{player}-{category}",
            )
            right, left = right + max(points, 0), left + min(points, 0)
            if abs(points) > 0.045 * widest:
                text = format_estimate(points, se=max(row["se"] or 0, 0.05))
                box = {"boxstyle": "round,pad=0.12", "facecolor": bar.patches[0].get_facecolor(), "edgecolor": "none"}
                ax.text(
                    start + points / 2, -i, text, ha="center", va="center", fontsize=9, color=ink_on(colour), bbox=box
                )
        total = sum(value[player, c]["estimate"] for c in categories)
        ax.annotate(
            format_number(total, 1),
            (right, -i),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontweight="bold",
            annotation_clip=False,
        )
    ax.set_yticks([-i for i in range(len(players))], [wrap_label(p) for p in players])
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(right=widest * 1.1)
    ax.grid(axis="x")
    ax.set_xlabel("Mean points per game and seat held")
    columns = 3 if len(categories) > 4 else max(len(categories), 1)
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=columns,
        frameon=False,
        fontsize=9.5,
        handlelength=1.6,
        columnspacing=1.4,
        borderaxespad=0.1,
    )
    foot = footer(frame, "Means over deals; intervals in the table")
    return finish(ax, "What is a final score made of?", foot, above=16 * -(-len(categories) // columns))


def ink_on(colour: str) -> str:
    """Return black or white, whichever reads better on `colour`."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour))
    return INK if 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.25 else "white"
