"""Charts only Fujiyama has. Each takes a frame of `tables` and, if wanted, an axes; it returns the axes."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex
from matplotlib.patches import Circle, RegularPolygon

from meeplecarlo.games.fujiyama.mountain import FLATLAND_PLACES, FLATLANDS, FOREST_PLACES, FORESTS, HEX_CENTRES
from meeplecarlo.games.fujiyama.report.tables import ALL
from meeplecarlo.games.fujiyama.state import ROUNDS
from meeplecarlo.games.season_tiles import SEASONS
from meeplecarlo.report.charts import dodged_chart, dot_chart, footer, ink_on, percent_axis, side_key
from meeplecarlo.report.formats import UNKNOWN, format_estimate, format_number
from meeplecarlo.report.style import HATCHES, LINES, MARKERS, PALETTE, QUIET, finish, new_axes, wrap_label

# Okabe-Ito, so that seasons are told apart with every kind of colour vision.
CATEGORY_COLOURS = {
    "spring": "#cc79a7",
    "summer": "#009e73",
    "autumn": "#e69f00",
    "winter": "#56b4e9",
    "mixed": "#999999",
    "flatland": "#8c6d4f",
}


def forest_points_chart(points: pl.DataFrame, table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how the points of a single forest are spread, a row of integer bars a season.

    Parameters
    ----------
    points : DataFrame
        From `forest_points`.
    table : DataFrame
        From `forests`; gives mean, standard deviation and zeros at the right.
    """
    seasons = [s for s in SEASONS if points.filter(season=s).height]
    ax = new_axes(ax, 1.6 + 1.0 * len(seasons))
    by = {(r["season"], r["measure"]): r for r in table.filter(player=ALL).iter_rows(named=True)}
    top = points["estimate"].max() or 1
    low, high = (points["points"].min(), points["points"].max()) if points.height else (0, 1)
    for k, season in enumerate(seasons):
        base, rows = -k, points.filter(season=season)
        ax.bar(
            rows["points"].to_numpy(),
            rows["estimate"].to_numpy() / top * 0.78,
            bottom=base,
            width=0.82,
            color=CATEGORY_COLOURS[season],
            edgecolor=QUIET,
            linewidth=0.5,
            hatch=HATCHES[k],
            gid=f"bars-{season}",
        )
        ax.plot([low - 1, high + 1], [base] * 2, color=QUIET, linewidth=0.8)
        peak = rows.sort("estimate", descending=True).row(0, named=True)
        marked = [peak] + [r for r in rows.filter(points=0).iter_rows(named=True) if r["points"] != peak["points"]]
        for row in marked:
            ax.annotate(
                f"{format_number(100 * row['estimate'])} %",
                (row["points"], base + row["estimate"] / top * 0.78),
                xytext=(0, 1),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=8.5,
            )
        mean, sd, zeros = (by[season, m] for m in ("mean", "sd", "zeros"))
        ax.annotate(
            f"mean {format_estimate(mean['estimate'], se=mean['se'])}\nSD "
            f"{format_estimate(sd['estimate'], se=sd['se'])}\nzeros "
            f"{format_estimate(zeros['estimate'], se=zeros['se'], scale=100, unit=' %')}",
            (1.01, base + 0.4),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=9,
            annotation_clip=False,
        )
    ax.set_yticks([-k + 0.3 for k in range(len(seasons))], seasons)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(low - 0.8, high + 0.8)
    ax.set_ylim(-len(seasons) + 0.98, 0.98)
    ax.set_xticks(range(low, high + 1, max(1, (high - low) // 18)))
    ax.set_xlabel("Points of one forest (bar height: share of that season's forests)")
    foot = footer(table.filter(pl.col("player") == ALL), "All players together; intervals in the table")
    return finish(ax, "How much does a forest score, season by season?", foot)


def forest_sd_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the standard deviation of a forest's points by season and player, from `forests`."""
    rows = table.filter((pl.col("measure") == "sd") & (pl.col("player") != ALL) & (pl.col("season") != "mixed"))
    return dodged_chart(
        rows,
        "season",
        "player",
        "In which season do a forest's points vary most?",
        "Standard deviation of the points of one forest",
        ax,
    )


def summer_zeros_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how often a summer forest scores 0, by player, from `forests`."""
    rows = table.filter((pl.col("measure") == "zeros") & (pl.col("season") == "summer"))
    if rows.height == 2:  # one player: "all players" would say it twice
        rows = rows.filter(pl.col("player") != ALL)
    players = [p for p in rows["player"] if p != ALL]
    colours = [QUIET if p == ALL else PALETTE[players.index(p) % 6] for p in rows["player"]]
    return dot_chart(
        rows,
        [wrap_label(p) for p in rows["player"]],
        "How often does a summer forest score 0?",
        "Share of summer forests without points",
        ax,
        percent=True,
        colours=colours,
        markers=["o" if p == ALL else MARKERS[players.index(p) % 6] for p in rows["player"]],
        bounds=(0, 1),
    )


def mountain_chart(table: pl.DataFrame, measure: str = "points", ax: Axes | None = None, whose: str = ALL) -> Axes:
    """Draw a measure of `places` on the mountain: circles are forests, squares flatlands.

    Parameters
    ----------
    measure : str
        One of `PLACE_MEASURES`.
    whose : str
        Named in the footer.
    """
    ax = new_axes(ax, 5.6)
    question, meaning = {
        "points": ("Where on the mountain do the points come from?", "Mean points per game at each place"),
        "summer_mean": ("What does a summer forest score, place by place?", "Mean points of a summer forest"),
        "summer_sd": ("Where do summer forests vary most?", "Standard deviation of the points of a summer forest"),
        "summer_zeros": ("Where does a summer forest score 0 most often?", "Share of summer forests without points"),
    }[measure]
    rows = {r["slot"]: r for r in table.filter(measure=measure).iter_rows(named=True)}
    values = [r["estimate"] for r in rows.values() if r["estimate"] is not None]
    percent = measure == "summer_zeros"
    scale = ScalarMappable(Normalize(min(values, default=0), max(values, default=1)), "cividis")
    for x, y in HEX_CENTRES:
        ax.add_patch(
            RegularPolygon((x, y), 6, radius=2 / np.sqrt(3), facecolor="#f3f1ec", edgecolor="#c9c4b8", linewidth=1.2)
        )
    slots = [(s, p, True) for s, p in zip(FORESTS, FOREST_PLACES, strict=True)]
    slots += [(s, p, False) for s, p in zip(FLATLANDS, FLATLAND_PLACES, strict=True) if s in rows]
    for slot, (x, y), forest in slots:
        row = rows[slot]
        known = row["estimate"] is not None
        colour = to_hex(scale.to_rgba(row["estimate"])) if known else "#ffffff"
        shape = Circle((x, y), 0.44) if forest else RegularPolygon((x, y), 4, radius=0.47, orientation=np.pi / 4)
        shape.set(facecolor=colour, edgecolor="white", linewidth=1.5, zorder=3, gid=f"place-{slot}")
        ax.add_patch(shape)
        text = (
            format_estimate(row["estimate"], se=max(row["se"] or 0, 0.02), scale=100 if percent else 1)
            if known
            else UNKNOWN
        )
        ax.text(
            x,
            y,
            text + (" %" if percent and known else ""),
            ha="center",
            va="center",
            fontsize=8.5,
            zorder=4,
            color=ink_on(colour),
            gid=f"value-{slot}",
        )
        ax.annotate(
            slot,
            (x, y - 0.46),
            ha="center",
            va="bottom",
            fontsize=6.5,
            color=QUIET,
            zorder=4,
            xytext=(0, 0.5),
            textcoords="offset points",
        )
    everything = np.vstack([HEX_CENTRES, FOREST_PLACES, FLATLAND_PLACES])
    ax.set_xlim(everything[:, 0].min() - 1.1, everything[:, 0].max() + 1.1)
    ax.set_ylim(everything[:, 1].max() + 0.8, everything[:, 1].min() - 1.0)
    ax.set_aspect("equal")
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.set_xticks([])
    ax.set_yticks([])
    squares = " · circles: forests, squares: flatlands" if len(slots) > len(FORESTS) else ""
    ax.set_xlabel(meaning + squares)
    return finish(
        ax, question, footer(table.filter(measure=measure), f"{whose[0].upper()}{whose[1:]}; intervals in the table")
    )


def trump_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw in which round the trump is laid, from `trump_use`; never stands apart at the right."""
    ax = new_axes(ax, 4.2)
    apart = ROUNDS + 1.6
    entries = []
    players = list(dict.fromkeys(table["player"].to_list()))
    for i, player in enumerate(players):
        rows = table.filter(player=player).with_columns(x=pl.col("round").cast(pl.Float64).fill_null(apart)).sort("x")
        colour = PALETTE[i % 6]
        inside = rows.filter(pl.col("round").is_not_null())
        ax.plot(
            inside["x"].to_numpy(),
            inside["estimate"].to_numpy(),
            color=colour,
            linestyle=LINES[i % 6],
            marker=MARKERS[i % 6],
            markersize=6,
            gid=f"line-{player}",
        )
        shift = 0.12 * (i - (len(players) - 1) / 2)
        never = rows.row(-1, named=True)
        ax.plot(
            [apart + shift],
            [never["estimate"]],
            color=colour,
            marker=MARKERS[i % 6],
            markersize=7,
            gid=f"never-{player}",
        )
        for row in rows.drop_nulls("lo").iter_rows(named=True):
            x = row["x"] + (shift if row["round"] is None else 0)
            ax.plot([x, x], [row["lo"], row["hi"]], color=colour, linewidth=1.4)
        entries.append((i, player, ""))
    ax.axvline(ROUNDS + 0.8, color="#c9c4b8", linewidth=1)
    ax.set_xticks([*range(1, ROUNDS + 1), apart], [*map(str, range(1, ROUNDS + 1)), "never"])
    ax.set_ylim(0, None)
    percent_axis(ax.yaxis)
    ax.grid(axis="y")
    ax.set_xlabel("Round in which the trump is laid")
    ax.set_ylabel("Share of games")
    side_key(ax, entries)
    return finish(ax, "When is the trump laid?", footer(table))


def boards_chart(table: pl.DataFrame, n_seats: int, ax: Axes | None = None) -> Axes:
    """Draw the win share of each mountain board, from `boards`."""
    rows = table.filter(measure="win_share").sort("estimate", descending=True, maintain_order=True)
    parity = 1 / n_seats
    return dot_chart(
        rows,
        [f"board {b}" for b in rows["board"]],
        "Which mountain board wins most?",
        "Win share of the seats that have the board",
        ax,
        percent=True,
        reference=(parity, f"equal boards: {format_number(100 * parity, 1)} %"),
        bounds=(0, 1),
    )


def summer_by_run_chart(table: pl.DataFrame, measure: str, ax: Axes | None = None) -> Axes:
    """Draw a measure of `summer_by_run`, one run a row.

    Parameters
    ----------
    measure : str
        ``mean``, ``sd`` or ``zeros``.
    """
    question, xlabel = {
        "mean": ("What is a summer forest worth in each run?", "Mean points of a summer forest"),
        "sd": ("How much do summer forests vary in each run?", "Standard deviation of a summer forest's points"),
        "zeros": ("How often does a summer forest score 0 in each run?", "Share of summer forests without points"),
    }[measure]
    rows = table.filter(measure=measure)
    return dot_chart(
        rows,
        [wrap_label(r, 26) for r in rows["run"]],
        question,
        xlabel,
        ax,
        percent=measure == "zeros",
        colours=[PALETTE[i % 6] for i in range(rows.height)],
        markers=[MARKERS[i % 6] for i in range(rows.height)],
        bounds=(0, 1) if measure == "zeros" else (0, np.inf),
    )
