"""What only a report on Fujiyama has: forests by season, places on the mountain, the trump, boards.

The tables take a `Run` or `Sample` and return frames like those of `meeplecarlo.report.tables`; the charts take such
frames. The headline is how much the points of a summer forest vary, against the other seasons.
"""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex
from matplotlib.patches import Circle, RegularPolygon

from meeplecarlo.games.fujiyama.mountain import (
    FLATLAND_PLACES,
    FLATLANDS,
    FOREST_PLACES,
    FORESTS,
    HEX_CENTRES,
)
from meeplecarlo.games.fujiyama.state import ROUNDS, SEASONS
from meeplecarlo.report.charts import dodged_chart, dot_chart, footer, ink_on, percent_axis, side_key
from meeplecarlo.report.formats import (
    UNKNOWN,
    format_estimate,
    format_number,
    format_p,
    join_words,
)
from meeplecarlo.report.sample import Sample, Sums, frame, labelled
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.report.style import HATCHES, LINES, MARKERS, PALETTE, QUIET, finish, new_axes, wrap_label
from meeplecarlo.stats.intervals import (
    difference,
    independent_difference,
    mean_interval,
    quotient_interval,
    sd_interval,
    share_of_sums,
    t_interval,
)
from meeplecarlo.stats.linear import Linear, log_sd, ratio
from meeplecarlo.stats.multiple import holm
from meeplecarlo.store.dataset import Run

# Okabe-Ito, so that seasons are told apart with every kind of colour vision.
CATEGORY_COLOURS = {
    "spring": "#cc79a7",
    "summer": "#009e73",
    "autumn": "#e69f00",
    "winter": "#56b4e9",
    "mixed": "#999999",
    "flatland": "#8c6d4f",
}
ALL = "all players"
PLACE_MEASURES = ("points", "summer_mean", "summer_sd", "summer_zeros")

_POINTS = pl.col("points").cast(pl.Float64)
_FOREST_SUMS = {
    "n": pl.len(),
    "points": _POINTS.sum(),
    "squares": (_POINTS**2).sum(),
    "zeros": (pl.col("points") == 0).sum(),
}
_IS_FOREST = pl.col("slot").is_in(FORESTS)


# --- tables --------------------------------------------------------------------------------------------------------
def forest_sums(run: Run | Sample) -> dict[tuple[str, str], Sums]:
    """Return sums per deal over forests by player (and `ALL`) and season: n, points, squares, zeros."""
    sample = _sample(run)
    rows = sample.run.scores.filter(pl.col("category").is_in([*SEASONS, "mixed"]))
    sums = sample.sums(
        sample.with_player(rows.select("game", "seat", "category", "points")), ["player", "category"], **_FOREST_SUMS
    )
    for season in (*SEASONS, "mixed"):
        of = [s for (_, category), s in sums.items() if category == season]
        if of:
            sums[ALL, season] = Sums({name: sum(s[name] for s in of) for name in _FOREST_SUMS})
    return sums


def forests(run: Run | Sample, sums: dict | None = None) -> pl.DataFrame:
    """Return how forests of each season score, by player and over all players.

    Parameters
    ----------
    sums : dict, optional
        `forest_sums` of the same run, if it is at hand.

    Returns
    -------
    DataFrame
        ``player`` (or "all players"), ``season`` (or "mixed"), ``measure`` and the estimate. Measures: ``per_game``,
        forests per game and seat held (n counts seats held); of the points of a single forest the ``mean``, the
        standard deviation ``sd`` and the share of ``zeros`` (n counts forests).
    """
    sample = _sample(run)
    sums = forest_sums(sample) if sums is None else sums
    held = sample.sums(sample.run.seats, ["player"], n=pl.len())
    held[ALL,] = Sums({"n": sum(of["n"] for of in held.values())})
    rows = []
    for player, season in itertools.product([ALL, *sample.run.players], [*SEASONS, "mixed"]):
        if (player, season) not in sums:
            continue
        of = sums[player, season]
        measures = {
            "per_game": mean_interval(of["n"], held[player,]["n"]),
            "mean": mean_interval(of["points"], of["n"]),
            "sd": sd_interval(of["n"], of["points"], of["squares"]),
            "zeros": share_of_sums(of["zeros"], of["n"]),
        }
        rows += [sample.row(v, player=player, season=season, measure=m) for m, v in measures.items()]
    return frame(rows, player=pl.String(), season=pl.String(), measure=pl.String())


def forest_points(run: Run | Sample) -> pl.DataFrame:
    """Return the distribution of the points of a single forest, by season, over all players.

    Returns
    -------
    DataFrame
        ``season, points`` and the share of the season's forests with exactly so many points; n counts the season's
        forests.
    """
    sample = _sample(run)
    rows = sample.run.scores.filter(pl.col("category").is_in(SEASONS))
    sums = sample.sums(rows, ["category", "points"], n=pl.len())
    found = []
    for season in SEASONS:
        of = {points: s["n"] for (category, points), s in sums.items() if category == season}
        n = sum(of.values())
        found += [sample.row(share_of_sums(of[x], n), season=season, points=x) for x in sorted(of)]
    return frame(found, season=pl.String(), points=pl.Int64())


def places(run: Run | Sample, player: str | None = None) -> pl.DataFrame:
    """Return what each place on the mountain scores.

    Parameters
    ----------
    player : str, optional
        Label of a player; all players together when left out.

    Returns
    -------
    DataFrame
        ``slot`` (F1 to F12, L1 to L14), ``measure`` and the estimate. ``points``: mean points per game and seat held,
        nothing counting as 0 (n counts seats held). For forests also, of the summer forests there, ``summer_mean``,
        ``summer_sd`` and the share of ``summer_zeros`` (n counts summer forests).
    """
    sample = _sample(run)
    rows, seats = sample.run.scores.select("game", "seat", "category", "slot", "points"), sample.run.seats
    if player is not None:
        rows, seats = (
            x.filter(pl.col("player") == player) for x in (sample.with_player(rows), seats)
        )
    held = sample.sums(seats, [], n=pl.len())[()]["n"]
    summer = pl.col("category") == "summer"
    points = _POINTS.filter(summer)
    sums = sample.sums(
        rows, ["slot"], all_points=_POINTS.sum(), n=summer.sum(), points=points.sum(), squares=(points**2).sum(),
        zeros=(summer & (pl.col("points") == 0)).sum(),
    )  # fmt: skip
    found = []
    nothing = Sums({name: np.zeros(len(held)) for name in (*_FOREST_SUMS, "all_points")})
    for slot in (*FORESTS, *FLATLANDS):
        of = sums.get((slot,), nothing)
        measures = {"points": mean_interval(of["all_points"], held)}
        if slot in FORESTS:
            measures |= {
                "summer_mean": mean_interval(of["points"], of["n"]),
                "summer_sd": sd_interval(of["n"], of["points"], of["squares"]),
                "summer_zeros": share_of_sums(of["zeros"], of["n"]),
            }
        found += [sample.row(v, slot=slot, measure=m) for m, v in measures.items()]
    return frame(found, slot=pl.String(), measure=pl.String())


def trump_use(run: Run | Sample) -> pl.DataFrame:
    """Return when each player lays its trump tile.

    Returns
    -------
    DataFrame
        ``player, round`` (null: never) and the share of games; n counts seats held.
    """
    sample = _sample(run)
    held = sample.sums(sample.run.seats, ["player"], n=pl.len())
    rows = sample.run.moves.filter(pl.col("source") == "trump").select("game", "round", "seat")
    sums = sample.sums(sample.with_player(rows), ["player", "round"], n=pl.len())
    found = []
    for player in sample.run.players:
        if (player,) not in held:
            continue
        n = held[player,]["n"]
        played = [sums[player, r]["n"] if (player, r) in sums else np.zeros(len(n)) for r in range(1, ROUNDS + 1)]
        for number, of in [*enumerate(played, 1), (None, n - sum(played))]:
            found.append(sample.row(share_of_sums(of, n), player=player, round=number))
    return frame(found, player=pl.String(), round=pl.Int64())


def boards(run: Run | Sample) -> pl.DataFrame:
    """Return how the mountain boards do, whoever has them.

    Returns
    -------
    DataFrame
        ``board`` (from 1), ``measure`` (``win_share`` or ``points``) and the estimate; n counts seats that had the
        board.
    """
    sample = _sample(run)
    n_seats, seatings = sample.run.n_seats, sample.run.seatings
    held = (
        sample.run.deals.select("deal", board="boards")
        .with_columns(seat=pl.lit(list(range(n_seats)), pl.List(pl.UInt8)))
        .explode("board", "seat")
    )
    rows = sample.run.seats.with_columns(deal=pl.col("game") // seatings).join(held, on=["deal", "seat"])
    sums = sample.sums(rows, ["board"], n=pl.len(), wins=pl.col("win_share").sum(), points=_POINTS.sum())
    found = []
    for measure, (board,) in itertools.product(("win_share", "points"), sorted(sums)):
        of = sums[board,]
        win = measure == "win_share"
        value = share_of_sums(of["wins"], of["n"]) if win else mean_interval(of["points"], of["n"])
        found.append(sample.row(value, board=board, measure=measure))
    return frame(found, board=pl.Int64(), measure=pl.String())


def _sample(run: Run | Sample) -> Sample:
    return run if isinstance(run, Sample) else Sample.of(run)


# --- charts --------------------------------------------------------------------------------------------------------
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
            rows["points"].to_numpy(), rows["estimate"].to_numpy() / top * 0.78, bottom=base, width=0.82,
            color=CATEGORY_COLOURS[season], edgecolor=QUIET, linewidth=0.5, hatch=HATCHES[k], gid=f"bars-{season}",
        )  # fmt: skip
        ax.plot([low - 1, high + 1], [base] * 2, color=QUIET, linewidth=0.8)
        peak = rows.sort("estimate", descending=True).row(0, named=True)
        marked = [peak] + [r for r in rows.filter(points=0).iter_rows(named=True) if r["points"] != peak["points"]]
        for row in marked:
            ax.annotate(
                f"{format_number(100 * row['estimate'])} %", (row["points"], base + row["estimate"] / top * 0.78),
                xytext=(0, 1), textcoords="offset points", ha="center", va="bottom", fontsize=8.5,
            )  # fmt: skip
        mean, sd, zeros = (by[season, m] for m in ("mean", "sd", "zeros"))
        ax.annotate(
            f"mean {format_estimate(mean['estimate'], se=mean['se'])}\nSD {format_estimate(sd['estimate'], se=sd['se'])}"
            f"\nzeros {format_estimate(zeros['estimate'], se=zeros['se'], scale=100, unit=' %')}",
            (1.01, base + 0.4), xycoords=("axes fraction", "data"), va="center", fontsize=9, annotation_clip=False,
        )  # fmt: skip
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
        rows, "season", "player", "In which season do a forest's points vary most?",
        "Standard deviation of the points of one forest", ax,
    )  # fmt: skip


def summer_zeros_chart(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how often a summer forest scores 0, by player, from `forests`."""
    rows = table.filter((pl.col("measure") == "zeros") & (pl.col("season") == "summer"))
    if rows.height == 2:  # one player: "all players" would say it twice
        rows = rows.filter(pl.col("player") != ALL)
    players = [p for p in rows["player"] if p != ALL]
    colours = [QUIET if p == ALL else PALETTE[players.index(p) % 6] for p in rows["player"]]
    return dot_chart(
        rows, [wrap_label(p) for p in rows["player"]], "How often does a summer forest score 0?",
        "Share of summer forests without points", ax, percent=True, colours=colours,
        markers=["o" if p == ALL else MARKERS[players.index(p) % 6] for p in rows["player"]], bounds=(0, 1),
    )  # fmt: skip


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
        ax.add_patch(RegularPolygon((x, y), 6, radius=2 / np.sqrt(3), facecolor="#f3f1ec", edgecolor="#c9c4b8", linewidth=1.2))
    slots = [(s, p, True) for s, p in zip(FORESTS, FOREST_PLACES, strict=True)]
    slots += [(s, p, False) for s, p in zip(FLATLANDS, FLATLAND_PLACES, strict=True) if s in rows]
    for slot, (x, y), forest in slots:
        row = rows[slot]
        known = row["estimate"] is not None
        colour = to_hex(scale.to_rgba(row["estimate"])) if known else "#ffffff"
        shape = Circle((x, y), 0.44) if forest else RegularPolygon((x, y), 4, radius=0.47, orientation=np.pi / 4)
        shape.set(facecolor=colour, edgecolor="white", linewidth=1.5, zorder=3, gid=f"place-{slot}")
        ax.add_patch(shape)
        text = format_estimate(row["estimate"], se=max(row["se"] or 0, 0.02), scale=100 if percent else 1) if known else UNKNOWN
        ax.text(
            x, y, text + (" %" if percent and known else ""), ha="center", va="center", fontsize=8.5, zorder=4,
            color=ink_on(colour), gid=f"value-{slot}",
        )  # fmt: skip
        ax.annotate(
            slot, (x, y - 0.46), ha="center", va="bottom", fontsize=6.5, color=QUIET, zorder=4,
            xytext=(0, 0.5), textcoords="offset points",
        )  # fmt: skip
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
    return finish(ax, question, footer(table.filter(measure=measure), f"{whose[0].upper()}{whose[1:]}; intervals in the table"))


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
            inside["x"].to_numpy(), inside["estimate"].to_numpy(), color=colour, linestyle=LINES[i % 6],
            marker=MARKERS[i % 6], markersize=6, gid=f"line-{player}",
        )  # fmt: skip
        shift = 0.12 * (i - (len(players) - 1) / 2)
        never = rows.row(-1, named=True)
        ax.plot([apart + shift], [never["estimate"]], color=colour, marker=MARKERS[i % 6], markersize=7, gid=f"never-{player}")
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
        rows, [f"board {b}" for b in rows["board"]], "Which mountain board wins most?",
        "Win share of the seats that have the board", ax, percent=True,
        reference=(parity, f"equal boards: {format_number(100 * parity, 1)} %"), bounds=(0, 1),
    )  # fmt: skip


# --- the chapter of the page ---------------------------------------------------------------------------------------
def chapter(sample: Sample) -> Chapter:
    """Return what only a report on Fujiyama has; what needs a table the run did not keep is left out."""
    run = sample.run
    parts = []
    if run.has("scores"):
        parts += [_forests(sample), _places(sample)]
    if run.has("moves"):
        parts.append(_trump(sample))
    if run.has("deals"):
        parts.append(_boards(sample))
    return Chapter([s for p in parts for s in p.sections], [f for p in parts for f in p.findings])


def _forests(sample: Sample) -> Chapter:
    name = labelled(sample.run)
    sums = forest_sums(sample)
    table, points = forests(sample, sums), forest_points(sample)
    if not points.height:
        return Chapter([Section("forests", "Forests by season", [Text("No forest of a single season was grown.")])])
    shown = table.with_columns(player=pl.col("player").replace({p: name(p) for p in sample.run.players}))
    by = {(r["player"], r["season"], r["measure"]): r for r in table.iter_rows(named=True)}
    summary = "; ".join(
        f"{s}: mean {_number(by[ALL, s, 'mean'])}, SD {_number(by[ALL, s, 'sd'])}, zeros {_percent(by[ALL, s, 'zeros'])}"
        for s in SEASONS
        if (ALL, s, "mean") in by
    )
    blocks: list = [
        Chart("forest_points", forest_points_chart(points, table).figure, f"Points of one forest by season. {summary}.",
              "Each row shows one season: how often a forest of it scores so many points. A wide row is a swingy season. "
              "SD is the standard deviation, a typical distance from the mean.", "forest_points"),
        Table("forest_points", "", [], [], points),
    ]  # fmt: skip
    if shown.filter(measure="sd")["estimate"].is_not_null().any():
        blocks.append(
            Chart("forest_sd", forest_sd_chart(shown).figure,
                  "Standard deviation of the points of one forest by season and player. " + "; ".join(
                      f"{name(p)}, summer {_number(by[p, 'summer', 'sd'])}" for p in sample.run.players
                      if (p, "summer", "sd") in by) + ".",
                  "A mark is one player in one season, its bar the 95 % interval. Further right: less predictable.",
                  "forests")
        )  # fmt: skip
    if (ALL, "summer", "zeros") in by:
        blocks.append(
            Chart("summer_zeros", summer_zeros_chart(shown).figure,
                  "Share of summer forests that score 0: " + "; ".join(
                      f"{name(p)} {_percent(by[p, 'summer', 'zeros'])}" for p in (ALL, *sample.run.players)
                      if (p, "summer", "zeros") in by) + ".",
                  "A summer forest scores conifers times broadleaves, so with only one kind of tree it scores 0.",
                  "forests")
        )  # fmt: skip
    rows = []
    for player, season in itertools.product([ALL, *sample.run.players], [*SEASONS, "mixed"]):
        if (player, season, "mean") in by and not (player == ALL and len(sample.run.players) == 1):
            per, mean, sd, zeros = (by[player, season, m] for m in ("per_game", "mean", "sd", "zeros"))
            rows.append([name(player) if player != ALL else ALL, season, _number(per), _number(mean), _number(sd),
                         _percent(zeros), f"{mean['n']:,}"])  # fmt: skip
    head = ["Player", "Season", "Forests per game", "Mean points", "SD", "Score 0", "n"]
    blocks.append(Table("forests", "How do forests score? (n counts forests)", head, rows, table,
                        "Per game: forests of the season on one mountain. Mean, SD and zeros: of the points of a single "
                        "forest, with 95 % intervals over deals; a mixed forest is one of several seasons."))  # fmt: skip
    return Chapter([Section("forests", "Forests by season", blocks)], _summer_sentences(sample, sums, by))


def _summer_sentences(sample: Sample, sums: dict, by: dict) -> list[str]:
    if (ALL, "summer", "sd") not in by or by[ALL, "summer", "sd"]["estimate"] is None:
        return []
    mean, sd, zeros = (by[ALL, "summer", m] for m in ("mean", "sd", "zeros"))
    words = (
        f"A summer forest scores {_number(mean)} points on average with a standard deviation of {_number(sd)}, and "
        f"{_percent(zeros)} of them score 0."
    )
    logs = {s: log_sd(*(sums[ALL, s][x] for x in ("n", "points", "squares"))) for s in SEASONS if (ALL, s) in sums}
    others = {s: x for s, x in logs.items() if s != "summer" and np.isfinite(x.estimate)}
    if others and sd["lo"] is not None:
        rival = max(others, key=lambda s: others[s].estimate)
        times = quotient_interval(logs["summer"], others[rival])
        if np.isfinite(times.lo):
            more = "the most variable season" if times.lo > 1 else "not clearly the most variable season"
            words += (
                f" That makes it {more}: its standard deviation is "
                f"{format_estimate(times.estimate, times.lo, times.hi, times.se)} times that of {rival}, "
                f"{'the next' if times.estimate > 1 else 'the most variable other season'}."
            )
    sentences = [words]
    totals = sample.sums(sample.run.seats, [], n=pl.len(), points=_POINTS.sum())[()]
    flat = sample.sums(sample.run.scores.filter(pl.col("category") == "flatland"), [], points=_POINTS.sum())[()]
    if totals["points"].sum() > 0:
        part = t_interval(ratio(flat["points"], totals["points"]))
        per = mean_interval(flat["points"], totals["n"])
        sentences.append(
            f"Animals bring {format_estimate(per.estimate, per.lo, per.hi, per.se)} points a game, "
            f"{format_estimate(part.estimate, part.lo, part.hi, part.se, scale=100, unit=' %')} of all points."
        )
    return sentences


def _places(sample: Sample) -> Chapter:
    table = places(sample)
    by = {(r["slot"], r["measure"]): r for r in table.iter_rows(named=True)}
    best = sorted(FORESTS, key=lambda s: -by[s, "points"]["estimate"])
    blocks: list = [
        Chart("mountain", mountain_chart(table).figure,
              "The mountain with the mean points per game at each place. Highest forests: "
              + ", ".join(f"{s} {_number(by[s, 'points'])}" for s in best[:3]) + f"; lowest: {best[-1]} "
              + f"{_number(by[best[-1], 'points'])}.",
              "Circles lie where three season icons meet, squares where animal segments meet. A brighter place brings "
              "more; a mixed forest and an empty flatland count as 0.", "places")
    ]  # fmt: skip
    for measure, name, caption in (
        ("summer_sd", "mountain_summer_sd", "Brighter: the points of a summer forest at that place vary more."),
        ("summer_zeros", "mountain_summer_zeros", "Brighter: a summer forest at that place more often scores 0. The icons "
         "printed on the boards at the slopes are assumed, and they decide much of this."),
    ):  # fmt: skip
        known = [s for s in FORESTS if by[s, measure]["estimate"] is not None]
        if len(known) == len(FORESTS) and by["F1", measure]["lo"] is not None:
            text = _percent if measure == "summer_zeros" else _number
            blocks.append(Chart(
                name, mountain_chart(table, measure).figure,
                "The mountain; by forest: " + ", ".join(f"{s} {text(by[s, measure])}" for s in known) + ".", caption,
                "places",
            ))  # fmt: skip
    rows = []
    for slot in (*FORESTS, *FLATLANDS):
        summer = [by.get((slot, m)) for m in PLACE_MEASURES[1:]]
        cells = [UNKNOWN] * 4
        if summer[0] is not None:
            cells = [_number(summer[0]), _number(summer[1]), _percent(summer[2]), f"{summer[0]['n']:,}"]
        rows.append([slot, _number(by[slot, "points"]), *cells])
    head = ["Place", "Points per game", "Summer forest: mean", "SD", "Score 0", "n"]
    blocks.append(Table("places", "What does each place score? (n counts summer forests there)", head, rows, table,
                        "F1 to F12 are forests, L1 to L14 flatlands, as on the chart. 95 % intervals over deals, each for "
                        "itself."))  # fmt: skip
    return Chapter([Section("places", "Places on the mountain", blocks)])


def _trump(sample: Sample) -> Chapter:
    name = labelled(sample.run)
    table = trump_use(sample)
    shown = table.with_columns(player=pl.col("player").replace({p: name(p) for p in sample.run.players}))
    rows = []
    for (player,), of in table.group_by("player", maintain_order=True):
        rows.append([name(player), *(_percent(r) for r in of.iter_rows(named=True)), f"{of['n'][0]:,}"])
    never = {r["player"]: r for r in table.filter(pl.col("round").is_null()).iter_rows(named=True)}
    alt = "Share of games in which the trump is laid in each round. Never: " + "; ".join(
        f"{name(p)} {_percent(r)}" for p, r in never.items()
    )
    head = ["Player", *(f"Round {r}" for r in range(1, ROUNDS + 1)), "Never", "n"]
    return Chapter([Section("trump", "The trump", [
        Chart("trump", trump_chart(shown).figure, alt + ".",
              "How these players use the trump. It does not say when it would be best: they choose the round by what lies "
              "on their mountain.", "trump"),
        Table("trump", "In which round is the trump laid? (n counts seats held)", head, rows, table,
              "A row adds up to 100 %. 95 % intervals over deals, each for itself."),
    ])])  # fmt: skip


def _boards(sample: Sample) -> Chapter:
    table = boards(sample)
    wins = {r["board"]: r for r in table.filter(measure="win_share").iter_rows(named=True)}
    points = {r["board"]: r for r in table.filter(measure="points").iter_rows(named=True)}
    rows = [[f"board {b}", _percent(wins[b]), _number(points[b]), f"{wins[b]['n']:,}"] for b in wins]
    block = Table("boards", "How do the mountain boards do? (n counts seats that had the board)",
                  ["Board", "Win share", "Mean points", "n"], rows, table,
                  "Boards are dealt at random and every player gets each seat's board in turn. What is printed on them is "
                  "assumed.")  # fmt: skip
    parity = 1 / sample.run.n_seats
    blocks: list = [block]
    findings = []
    if all(r["lo"] is not None for r in wins.values()):
        blocks.insert(0, Chart(
            "boards", boards_chart(table, sample.run.n_seats).figure,
            "Win share by mountain board: " + "; ".join(f"board {b} {_percent(r)}" for b, r in wins.items()) + ".",
            "A dot is the share of games won by the seat that had the board; on the dashed line all boards would be "
            "equal. Intervals hold each for itself.", "boards",
        ))  # fmt: skip
        apart = _boards_apart(wins, parity)
        if apart:
            findings.append(
                f"Boards differ in what they win: {join_words([f'board {b} {_percent(wins[b])}' for b in apart])}, where "
                f"equal boards win {format_number(100 * parity, 1)} % (Holm-adjusted for {len(wins)} boards)."
            )
        else:
            away = max(max(abs(r["lo"] - parity), abs(r["hi"] - parity)) for r in wins.values())
            findings.append(
                "No mountain board could be shown to win more or less than its part; by the intervals a board may still "
                f"be up to {format_number(100 * away, 1)} percentage points away from it."
            )
    return Chapter([Section("boards", "Mountain boards", blocks)], findings)


def _boards_apart(wins: dict[int, dict], parity: float) -> list[int]:
    """Return the boards whose win share differs from parity after Holm's adjustment, most winning first."""
    from meeplecarlo.stats.intervals import t_test

    p = holm(np.array([t_test(r["estimate"] - parity, r["se"], r["deals"]) for r in wins.values()]))
    return sorted((b for b, x in zip(wins, p, strict=True) if x < 0.05), key=lambda b: -wins[b]["estimate"])


# --- several runs --------------------------------------------------------------------------------------------------
def summer_by_run(samples: list[Sample], names: list[str], paired: bool) -> pl.DataFrame:
    """Return the summer findings of several runs and how they differ from the first.

    Parameters
    ----------
    paired : bool
        Whether the runs were played on the same deals by the same line-up.

    Returns
    -------
    DataFrame
        ``run, measure`` (``per_game``, ``mean``, ``sd``, ``zeros``) with the estimate over all players, then
        ``change, change_lo, change_hi, change_p``: against the first run, for ``sd`` as a factor; null for the first
        run itself.
    """
    rows, first = [], {}
    for sample, name in zip(samples, names, strict=True):
        sums = forest_sums(sample)
        table = {r["measure"]: r for r in forests(sample, sums).filter(player=ALL, season="summer").iter_rows(named=True)}
        if not table:
            continue
        of, held = sums[ALL, "summer"], sample.sums(sample.run.seats, [], n=pl.len())[()]["n"]
        linear = {
            "per_game": ratio(of["n"], held),
            "mean": ratio(of["points"], of["n"]),
            "sd": log_sd(of["n"], of["points"], of["squares"]),
            "zeros": ratio(of["zeros"], of["n"]),
        }
        for measure, value in linear.items():
            change = _change(value, first[measure], measure, paired) if first else dict.fromkeys(_CHANGE)
            label = {"run": name, "measure": measure}
            rows.append(label | {k: v for k, v in table[measure].items() if k not in ("player", "season", "measure")} | change)
        first = first or linear
    table = frame(rows, run=pl.String(), measure=pl.String())
    return table if rows else table.with_columns(**{c: pl.lit(None, pl.Float64) for c in _CHANGE})


_CHANGE = ("change", "change_lo", "change_hi", "change_p")


def _change(value: Linear, first: Linear, measure: str, paired: bool) -> dict[str, float | None]:
    found = (difference if paired else independent_difference)(value, first)
    numbers = [found.estimate, found.lo, found.hi]
    if measure == "sd":
        numbers = [float(np.exp(x)) for x in numbers]
    return {k: float(x) if np.isfinite(x) else None for k, x in zip(_CHANGE, [*numbers, found.p], strict=True)}


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
        rows, [wrap_label(r, 26) for r in rows["run"]], question, xlabel, ax, percent=measure == "zeros",
        colours=[PALETTE[i % 6] for i in range(rows.height)], markers=[MARKERS[i % 6] for i in range(rows.height)],
        bounds=(0, 1) if measure == "zeros" else (0, np.inf),
    )  # fmt: skip


def comparison(samples: list[Sample], names: list[str], paired: bool) -> Chapter:
    """Return how the summer findings move between runs."""
    kept = [(s, n) for s, n in zip(samples, names, strict=True) if s.run.has("scores")]
    if len(kept) < 2:
        return Chapter([Section("summer", "Summer forests", [Text("Fewer than two of the runs kept their scores.")])])
    table = summer_by_run([s for s, _ in kept], [n for _, n in kept], paired)
    if not table.height:
        return Chapter([])
    by = {(r["run"], r["measure"]): r for r in table.iter_rows(named=True)}
    runs = list(dict.fromkeys(table["run"].to_list()))
    rows = []
    for run in runs:
        per, mean, sd, zeros = (by[run, m] for m in ("per_game", "mean", "sd", "zeros"))
        rows.append([run, _number(per), _number(mean), _number(sd), _percent(zeros),
                     _changed(mean), _changed(sd), _changed(zeros, 100), f"{mean['n']:,}"])  # fmt: skip
    head = ["Run", "Per game and seat", "Mean points", "SD", "Score 0", "Mean against first", "SD, times first",
            "Score 0 against first, pp", "n"]  # fmt: skip
    words = [f"{r}: mean {_number(by[r, 'mean'])}, SD {_number(by[r, 'sd'])}, zeros {_percent(by[r, 'zeros'])}" for r in runs]
    blocks: list = []
    if by[runs[0], "sd"]["estimate"] is not None:
        for measure, caption in (
            ("sd", "Further right: the points of a summer forest vary more."),
            ("zeros", "Further right: summer forests more often score nothing."),
        ):
            blocks.append(Chart(f"summer_{measure}_by_run", summer_by_run_chart(table, measure).figure,
                                "Summer forests by run. " + "; ".join(words) + ".",
                                f"One row a run, all players together. {caption}", "summer_by_run"))  # fmt: skip
    blocks.append(Table("summer_by_run", "Summer forests in each run (n counts summer forests)", head, rows, table,
                        "All players together. 95 % intervals over deals; changes are against the first run."))  # fmt: skip
    findings = ["Summer forests. " + "; ".join(words) + "."]
    moved = [r for r in runs[1:] if (p := by[r, "zeros"]["change_p"]) is not None and p < 0.05]
    if moved:
        findings.append(
            "The share of summer forests that score 0 differs from the first run's in: "
            + "; ".join(f"{r} by {_changed(by[r, 'zeros'], 100)} percentage points (p {format_p(by[r, 'zeros']['change_p'])})" for r in moved)
            + "."
        )
    return Chapter([Section("summer", "Summer forests", blocks)], findings)


def _changed(row: dict, scale: float = 1) -> str:
    sign = row["measure"] != "sd"
    return format_estimate(row["change"], row["change_lo"], row["change_hi"], scale=scale, sign=sign)


def _number(row: dict) -> str:
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"])


def _percent(row: dict) -> str:
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, unit=" %")
