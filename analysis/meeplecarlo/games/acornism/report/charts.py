"""Charts only Acornism has. Each takes a frame of `tables`, `field` or `worth` and, if wanted, an axes to return."""

from __future__ import annotations

import polars as pl
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from meeplecarlo.games.acornism.report.tables import ALL, FATES
from meeplecarlo.games.acornism.report.worth import is_share
from meeplecarlo.report.charts import dodged_chart, dot_chart, footer, histogram, ink_on, percent_axis
from meeplecarlo.report.formats import format_estimate, format_number
from meeplecarlo.report.style import HATCHES, INK, MARKERS, PALETTE, QUIET, finish, new_axes, wrap_label

FATE_COLOURS = {"satisfied": PALETTE[0], "starved": PALETTE[1], "unfinished": "#d9d9d9"}
FATE_WORDS = {"satisfied": "satisfied", "starved": "starved: too few acorns", "unfinished": "never complete"}
_FEW = 0.06  # pieces of a bar that are shorter have no number


def percent(row: dict) -> str:
    """Return a share as text in per cent, without unit, with the digits its error allows."""
    return format_estimate(row["estimate"], se=row["se"] or 0.005, scale=100)


def in_points(frame: pl.DataFrame) -> pl.DataFrame:
    """Return differences of shares as percentage points, so that an axis reads 5 and not 5 %."""
    return frame.with_columns(pl.col("estimate", "lo", "hi", "se") * 100)


def lines_of(name: str) -> str:
    """Return the name of a run broken where one of its parts ends, not inside of a rule."""
    return ";\n".join(wrap_label(part, 26) for part in name.split("; "))


def first_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how far each seat is from its fair share of wins, from `by_seat`."""
    rows = in_points(table.filter(measure="edge").sort("seat"))
    return dot_chart(
        rows,
        [f"seat {s}{' (begins)' if s == 0 else ''}" for s in rows["seat"]],
        "How large is the first-player effect?",
        "Win share less the fair share, percentage points",
        ax,
        reference=(0, f"fair share: {format_number(100 / rows.height, 0 if 100 % rows.height == 0 else 1)} %"),
        sign=True,
        colours=[PALETTE[i % 6] for i in range(rows.height)],
        markers=[MARKERS[i % 6] for i in range(rows.height)],
    )


def player_seat_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the win share of each player in each seat, from `by_player_and_seat`."""
    return dodged_chart(
        table.with_columns(seat=pl.format("seat {}", "seat")),
        "player",
        "seat",
        "Does each player win more from the same seat?",
        "Win share",
        ax,
        percent=True,
    )


def fates_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw what becomes of the animals, by the acorns they want, from `numbers`: bars of shares, all on top."""
    numbers = list(dict.fromkeys(table["number"]))
    ax = new_axes(ax, 1.9 + 0.4 * len(numbers))
    by = {(r["number"], r["measure"]): r for r in table.iter_rows(named=True)}
    ys = [-k - (0.35 if k else 0) for k in range(len(numbers))]
    for y, number in zip(ys, numbers, strict=True):
        start = 0.0
        for i, fate in enumerate(FATES):
            row = by[number, fate]
            if row["estimate"] is None:
                continue
            ax.barh(y, row["estimate"], 0.72, left=start, color=FATE_COLOURS[fate], hatch=HATCHES[i],
                    edgecolor="white", linewidth=0.8, label=FATE_WORDS[fate] if y == 0 else None,
                    gid=f"bar-{number}-{fate}")  # fmt: skip
            if row["estimate"] >= _FEW:
                box = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
                ax.text(start + row["estimate"] / 2, y, percent(row), ha="center", va="center", fontsize=9, color=INK,
                        bbox=box)  # fmt: skip
            start += row["estimate"]
        placed = by[number, "placed"]
        ax.annotate(
            format_estimate(placed["estimate"], se=placed["se"]),
            (1.02, y),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=9.5,
            annotation_clip=False,
            gid=f"placed-{number}",
        )
    ax.annotate("placed\nper game", (1.02, 1), xycoords="axes fraction", xytext=(0, 3), textcoords="offset points",
                va="bottom", fontsize=8.5, color=QUIET)  # fmt: skip
    ax.set_yticks(ys, ["all animals" if n == ALL else f"wants {n}" for n in numbers])
    ax.set_ylim(ys[-1] - 0.5, 0.5)
    ax.set_xlim(0, 1)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    percent_axis(ax.xaxis)
    ax.set_xlabel("Share of the animals placed (numbers in per cent)")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9, borderaxespad=0.1,
              columnspacing=1.0, handletextpad=0.5)  # fmt: skip
    return finish(ax, "What becomes of the animals, by the acorns they want?",
                  footer(table, "Intervals in the table"), above=20)  # fmt: skip


def worth_of_numbers_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw what an animal placed brings, by the acorns it wants, from `numbers`."""
    rows = table.filter(measure="points")
    mean = rows.filter(number=ALL)["estimate"][0]
    rows = rows.filter((pl.col("number") != ALL) & pl.col("estimate").is_not_null())
    greatest = rows["number"][-1] if rows.height else ""
    return dot_chart(
        rows,
        [f"wants {n}" for n in rows["number"]],
        f"Is the {greatest} worth chasing?",
        "Points scored for each such animal on the field, whoever scores it",
        ax,
        reference=(mean, f"all animals: {format_number(mean, 1)}") if mean is not None else None,
        bounds=(0, float("inf")),
    )


def finder_chart(table: pl.DataFrame, players: pl.DataFrame, n_seats: int, ax: Axes | None = None) -> Axes:
    """Draw how often the finder of the Magic Acorn wins, from `magic`; each player apart, from `magic_by_player`."""
    columns = ["estimate", "lo", "hi", "se", "n", "deals", "games"]
    parts = [table.filter(measure="win_share").select(columns)]
    labels, groups, colours, markers = ["whoever finds it"], [0], [INK], ["o"]
    for k, player in enumerate(dict.fromkeys(players["player"])):
        for i, (measure, words) in enumerate((("finds", "finds it"), ("other", "does not"))):
            parts.append(players.filter(player=player, measure=measure).select(columns))
            labels.append(f"{wrap_label(player)} {words}")
            groups.append(k + 1)
            colours.append(PALETTE[i])
            markers.append(MARKERS[i])
    parity = 1 / n_seats
    return dot_chart(
        pl.concat(parts),
        labels,
        "Do finders of the Magic Acorn win more?",
        "Win share in games in which somebody finds it",
        ax,
        percent=True,
        reference=(parity, f"equal seats: {format_number(100 * parity, 0 if 100 % n_seats == 0 else 1)} %"),
        colours=colours,
        markers=markers,
        groups=groups,
        bounds=(0, 1),
    )


def left_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how many tiles are left over, from `spread`."""
    ax = new_axes(ax, 3.6)
    rows = table.filter(what="over")
    histogram(ax, rows["value"].to_list(), rows)
    ax.set_xlabel("Tiles left over: in the pile and in all hands together")
    ax.set_ylabel("Share of games")
    return finish(ax, "How many tiles are left when the game ends?",
                  footer(rows, "Numbers in per cent; lines: 95 % intervals over deals"))  # fmt: skip


_MAPS = {
    "filled": ("Which squares of the field get filled?", "Per cent of games in which the square is filled"),
    "satisfied": ("Where on the field do animals score?", "Per cent of games in which an animal on the square scores"),
}


def field_map(squares: pl.DataFrame, measure: str, ax: Axes | None = None) -> Axes:
    """Draw a measure of the squares, from `field`, on the settled field.

    Parameters
    ----------
    measure : str
        ``filled`` or ``satisfied``.
    """
    rows = squares.filter(measure=measure)
    size = rows["x"].max() + 1
    ax = new_axes(ax, 6.0)
    low, high = rows["estimate"].min(), rows["estimate"].max()
    scale = ScalarMappable(Normalize(low, high if high > low else low + 1), "cividis")
    decimals = 0 if high >= 0.1 else 1
    for row in rows.iter_rows(named=True):
        colour = to_hex(scale.to_rgba(row["estimate"]))
        ax.add_patch(Rectangle((row["x"], row["y"]), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5,
                               gid=f"square-{row['x']}-{row['y']}"))  # fmt: skip
        ax.text(row["x"] + 0.5, row["y"] + 0.5, format_number(100 * row["estimate"], decimals), ha="center",
                va="center", fontsize=11 if size <= 8 else 8.5, color=ink_on(colour),
                gid=f"value-{row['x']}-{row['y']}")  # fmt: skip
    ax.add_patch(Rectangle((0, 0), size, size, facecolor="none", edgecolor=INK, linewidth=2.2))
    ax.set_xlim(-0.1, size + 0.1)
    ax.set_ylim(size + 0.1, -0.1)
    ax.set_aspect("equal")
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.set_xticks([])
    ax.set_yticks([])
    question, meaning = _MAPS[measure]
    ax.set_xlabel(f"{meaning} (brighter: more)")
    foot = f"Games whose rows and columns are settled: {rows['n'].max():,}; intervals in the table"
    return finish(ax, question, footer(rows, foot))


def choices_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how many options a turn has, from `choices`: means, and from P5 to P95 of the decisions."""
    rows = table.drop_nulls("turn").sort("turn")
    ax = new_axes(ax, 4.0)
    x = rows["turn"].to_numpy()
    ax.fill_between(x, rows["p5"].to_numpy(), rows["p95"].to_numpy(), color=PALETTE[0], alpha=0.25, linewidth=0,
                    label="from P5 to P95")  # fmt: skip
    ax.plot(x, rows["p50"].to_numpy(), color=QUIET, linestyle=(0, (4, 2)), linewidth=1.4, label="median")
    ax.plot(x, rows["estimate"].to_numpy(), color=PALETTE[0], marker=MARKERS[0], markersize=4, label="mean",
            gid="line-mean")  # fmt: skip
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid()
    ax.set_xlabel("Turn (of all seats together)")
    ax.set_ylabel("Options of a turn")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9.5, borderaxespad=0.1)
    return finish(ax, "How much choice is there, turn by turn?",
                  footer(rows, "Turns in which a tile can be placed; intervals in the table"),
                  above=18)  # fmt: skip


def worth_chart(table: pl.DataFrame, measure: str, question: str, xlabel: str, ax: Axes | None = None) -> Axes:
    """Draw what an option changes in one measure, from `worth.worth`: a row a pair of runs."""
    rows = table.filter(measure=measure)
    paired = rows["paired"].to_list()
    note = "95 % intervals, each for itself"
    note += " (paired t over deals)" if all(paired) else "" if any(paired) else " (Welch's t: not the same deals)"
    return dot_chart(
        in_points(rows) if is_share(measure) else rows,
        [lines_of(p) for p in rows["pair"]],
        question,
        xlabel,
        ax,
        reference=(0, "no difference"),
        sign=True,
        note=note,
    )


def edge_by_run_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how far each seat is from its fair share in each run, from `worth.edge_by_run`."""
    rows = in_points(table).with_columns(seat=pl.format("seat {}", "seat"))
    note = "95 % intervals over deals" + ("; the longest run:" if table["games"].n_unique() > 1 else "")
    ax = dodged_chart(
        rows,
        "run",
        "seat",
        "How large is the first-player effect in each run?",
        "Win share less the fair share, percentage points",
        ax,
        note=note,
    )
    ax.set_yticks(ax.get_yticks(), [lines_of(run) for run in dict.fromkeys(table["run"])])
    low, high = ax.get_xlim()
    ax.axvline(0, color=QUIET, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
    ax.set_xlim(low if low < 0 else -0.02 * high, high)
    return ax
