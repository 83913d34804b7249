"""Charts only Fuji-san has. Each takes a frame of `tables` and, if wanted, an axes; it returns the axes."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator

from meeplecarlo.games.fuji_san.report.tables import ALL, BOTH, EITHER, SEATS
from meeplecarlo.games.fuji_san.view import SEAT_COLOURS, board_axes, triangle
from meeplecarlo.report.charts import dot_chart, footer, ink_on, percent_axis, side_key
from meeplecarlo.report.formats import format_estimate, format_number
from meeplecarlo.report.style import HATCHES, INK, LINES, MARKERS, PALETTE, finish, new_axes, wrap_label

EQUAL = (0.5, "equal: 50 %")
DRAW_COLOUR = "#d9d9d9"
PHASES = {
    "place": "placing",
    "take_first": "taking the first pyramid",
    "put": "putting one back",
    "capture": "capturing",
}


def movers_chart(movers: pl.DataFrame, first: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the win share of who moves first in each phase, from `movers`, and of the first capturer."""
    everything = movers.filter(order=ALL)
    columns = ["estimate", "lo", "hi", "se", "n", "deals", "games"]
    parts = [everything.filter(measure=f"win_share_{seat}").select(columns) for seat in (0, 1, 0)] + [
        first.filter(by=EITHER, measure="win_share").select(columns)
    ]
    labels = [
        "places first\n(seat 0)",
        "removes first\n(seat 1)",
        "first capture turn\n(seat 0)",
        "makes the first\ncapture (either)",
    ]
    rows = pl.concat(parts)
    labels = labels[: rows.height]
    colours = [SEAT_COLOURS[0], SEAT_COLOURS[1], SEAT_COLOURS[0], INK]
    return dot_chart(
        rows,
        labels,
        "Does it help to go first in a phase?",
        "Win share (a draw counts half)",
        ax,
        percent=True,
        reference=EQUAL,
        colours=colours,
        markers=[MARKERS[0], MARKERS[1], MARKERS[0], MARKERS[3]],
        groups=[0, 0, 0, 1][: rows.height],
        bounds=(0, 1),
    )


def order_label(order: str, players: list[str]) -> str:
    """Return how an order of the players is called."""
    if order == ALL:
        return ALL
    other = next((p for p in players if p != order), order)
    return f"{wrap_label(order)} in seat 0,\n{wrap_label(other)} in seat 1"


def outcomes_chart(movers: pl.DataFrame, players: list[str], ax: Axes | None = None) -> Axes:
    """Draw how games end by who sits where, from `movers`: seat 0 wins, draw, seat 1 wins."""
    orders = list(dict.fromkeys(movers["order"]))
    ax = new_axes(ax, 2.1 + 0.62 * len(orders))
    kinds = [
        ("won_0", "seat 0 wins", SEAT_COLOURS[0], ""),
        ("draw", "draw", DRAW_COLOUR, HATCHES[2]),
        ("won_1", "seat 1 wins", SEAT_COLOURS[1], HATCHES[1]),
    ]
    for measure, label, colour, hatch in kinds:
        before = {"won_0": [], "draw": ["won_0"], "won_1": ["won_0", "draw"]}[measure]
        for k, order in enumerate(orders):
            by = {r["measure"]: r for r in movers.filter(order=order).iter_rows(named=True)}
            start, share = sum(by[m]["estimate"] for m in before), by[measure]["estimate"]
            ax.barh(-k, share, 0.62, left=start, color=colour, hatch=hatch, edgecolor="white", linewidth=0.8,
                    label=label if k == 0 else None, gid=f"bar-{order}-{measure}")  # fmt: skip
            if share >= 0.06:
                text = (
                    f"{share * 100:.0f} %"
                    if share in (0, 1)
                    else format_estimate(share, se=by[measure]["se"] or 0.001, scale=100, unit=" %")
                )
                box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
                ax.text(start + share / 2, -k, text, ha="center", va="center", fontsize=9, color=INK, bbox=box)
    ax.set_yticks([-k for k in range(len(orders))], [order_label(o, players) for o in orders])
    ax.set_ylim(-len(orders) + 0.5, 0.5)
    ax.set_xlim(0, 1)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    percent_axis(ax.xaxis)
    ax.set_xlabel("Share of games (seat 0 places first)")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9.5, borderaxespad=0.1)
    return finish(ax, "How do games end, by who sits where?", footer(movers, "Intervals in the table"), above=18)


def pips_chart(spread: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how the captured pips of each seat are spread, from `spread`: bars side by side."""
    rows = spread.filter(pl.col("what").is_in(SEATS))
    ax = new_axes(ax, 3.6)
    for seat, name in enumerate(SEATS):
        of = rows.filter(what=name)
        shift = 0.41 * (seat - 0.5)
        ax.bar(of["value"].to_numpy() + shift, of["estimate"].to_numpy(), 0.41, color=SEAT_COLOURS[seat],
               hatch=HATCHES[seat], edgecolor="white", linewidth=0.4, label=name, gid=f"bars-{name}")  # fmt: skip
    for row in rows.drop_nulls("lo").iter_rows(named=True):
        x = row["value"] + 0.41 * (SEATS.index(row["what"]) - 0.5)
        ax.plot([x, x], [row["lo"], row["hi"]], color=INK, linewidth=0.9, solid_capstyle="butt")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(bottom=0)
    percent_axis(ax.yaxis)
    ax.grid(axis="y")
    ax.set_xlabel("Captured pips at the end")
    ax.set_ylabel("Share of games")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=9.5, borderaxespad=0.1)
    return finish(
        ax, "How many pips does each seat capture?", footer(rows, "Lines: 95 % intervals over deals"), above=18
    )


def length_chart(spread: pl.DataFrame, spaces: int, ax: Axes | None = None) -> Axes:
    """Draw how many capture turns games have, from `spread`; above, the captures that go with them."""
    rows = spread.filter(what="turns")
    ax = new_axes(ax, 3.7)
    values = rows["value"].to_list()
    ax.bar(values, rows["estimate"].to_numpy(), 0.82, color=PALETTE[0], gid="bars-turns")
    for row in rows.iter_rows(named=True):
        end = row["estimate"] if row["hi"] is None else row["hi"]
        if row["lo"] is not None:
            ax.plot([row["value"]] * 2, [row["lo"], row["hi"]], color=INK, linewidth=1.1, solid_capstyle="butt")
        if len(values) <= 14:
            text = format_estimate(row["estimate"], se=row["se"], scale=100)
            ax.annotate(text, (row["value"], end), xytext=(0, 2), textcoords="offset points", ha="center", va="bottom",
                        fontsize=8.5)  # fmt: skip
    low, high = (min(values), max(values)) if values else (0, 1)
    ticks = list(range(low, high + 1, max(1, (high - low) // 12)))
    ax.set_xlim(low - 0.8, high + 0.8)
    ax.set_xticks(ticks, [f"{t}\n{spaces - 2 - t}" for t in ticks])
    ax.set_ylim(bottom=0)
    ax.margins(y=0.12)
    percent_axis(ax.yaxis)
    ax.grid(axis="y")
    ax.set_xlabel("Capture turns (upper number) and captures (lower number) of a game")
    ax.set_ylabel("Share of games")
    return finish(ax, "How long is a game?",
                  footer(rows, "Numbers in per cent; lines: 95 % intervals over deals"))  # fmt: skip


def capture_map(table: pl.DataFrame, rules: np.ndarray, ax: Axes | None = None, whose: str = BOTH) -> Axes:
    """Draw the captures per game on every space of the board, from `spaces`."""
    rows = table.filter(whose=whose)
    columns, lines = (int(rules[c][0, : rows.height].max()) + 1 for c in ("column", "line"))
    ax = new_axes(ax, max(2.6, 1.2 + 6.2 * (lines * np.sqrt(3) + 0.6) / (columns + 1.6)))
    values = rows["estimate"].to_list()
    scale = ScalarMappable(Normalize(0, max(values, default=0) or 1), "cividis")
    board_axes(ax, rules)
    ax.set_axis_on()
    size = 8.5 if columns <= 10 else 7 if columns <= 14 else 5.5
    for row in rows.iter_rows(named=True):
        corners = triangle(rules, row["space"])
        colour = to_hex(scale.to_rgba(row["estimate"]))
        ax.add_patch(Polygon(corners, facecolor=colour, edgecolor="white", linewidth=1.5, gid=f"space-{row['name']}"))
        up = bool(rules["points_up"][0, row["space"]])
        middle = corners.mean(axis=0)
        ax.text(*middle, _on_space(row), ha="center", va="center", fontsize=size, color=ink_on(colour),
                gid=f"value-{row['name']}")  # fmt: skip
        ax.text(middle[0], middle[1] + (0.38 if up else -0.38), row["name"], ha="center", va="center",
                fontsize=0.68 * size, color=ink_on(colour))  # fmt: skip
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.set_xticks([])
    ax.set_yticks([])
    of = "" if whose == BOTH else f" by {whose}"
    ax.set_xlabel(f"Captures per game on each space{of} (brighter: more)")
    return finish(ax, "Where are pyramids captured?", footer(rows, "Means; intervals in the table"))


def _on_space(row: dict) -> str:
    if not row["estimate"]:
        return "0"
    return format_estimate(row["estimate"], se=max(row["se"] or 0, 0.004))


def options_chart(table: pl.DataFrame, spaces: int, ax: Axes | None = None) -> Axes:
    """Draw how many options decisions have, from `options_by_turn`: means, and from P5 to P95 of decisions."""
    ax = new_axes(ax, 4.2)
    entries, shown = [], list(PHASES)
    for i, phase in enumerate(shown):
        rows = table.filter(phase=phase)
        if not rows.height:
            continue
        x = rows["turn"].to_numpy() + (0 if phase == "place" else spaces + 1)
        ax.fill_between(x, rows["p5"].to_numpy(), rows["p95"].to_numpy(), color=PALETTE[i], alpha=0.22, linewidth=0)
        ax.plot(
            x,
            rows["estimate"].to_numpy(),
            color=PALETTE[i],
            linestyle=LINES[i],
            marker=MARKERS[i],
            markersize=3.5,
            linewidth=1.4,
            gid=f"line-{phase}",
        )
        of = table.filter(phase=phase)
        mean = (of["estimate"] * of["n"]).sum() / of["n"].sum()
        entries.append((i, PHASES[phase], f"mean {format_number(mean, 1)}"))
    removal = table.filter(phase="remove")
    if removal.height:
        ax.plot([spaces + 1], [removal["estimate"][0]], color=INK, marker="*", markersize=9, linestyle="none",
                gid="line-remove")  # fmt: skip
        ax.annotate(
            "the removal",
            (spaces + 1, removal["estimate"][0]),
            xytext=(0, 26),
            textcoords="offset points",
            ha="center",
            fontsize=8.5,
            arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.8},
        )
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid()
    ax.set_xlabel(f"Round ({spaces} placements, the removal, then capture turns)")
    ax.set_ylabel("Options of a decision")
    side_key(ax, entries)
    return finish(ax, "How much choice is there, round by round?",
                  footer(table, "Lines: means; bands: from P5 to P95 of decisions"))  # fmt: skip


def mirror_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the win share of the mirror player by its seat, from `mirror`."""
    rows = table.filter(measure="win_share")
    words = {EITHER: "both seats together", SEATS[0]: "places first\n(seat 0)", SEATS[1]: "places second\n(seat 1)"}
    return dot_chart(
        rows,
        [words[s] for s in rows["seat"]],
        "Does mirroring beat its opponent?",
        "Win share of the mirror player (a draw counts half)",
        ax,
        percent=True,
        reference=EQUAL,
        colours=[INK, *SEAT_COLOURS],
        markers=[MARKERS[3], MARKERS[0], MARKERS[1]],
        bounds=(0, 1),
    )
