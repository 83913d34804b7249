"""What a report on Fujiyama says beyond what it says about every game."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from meeplecarlo.games.fujiyama.mountain import FLATLANDS, FORESTS
from meeplecarlo.games.fujiyama.report import charts, tables
from meeplecarlo.games.fujiyama.report.tables import ALL, FOREST_KINDS, PLACE_MEASURES
from meeplecarlo.games.fujiyama.state import ROUNDS
from meeplecarlo.games.season_tiles import SEASONS
from meeplecarlo.report.formats import UNKNOWN, format_estimate, format_number, join_words, number_of, percent_of
from meeplecarlo.report.sample import Sample, labelled
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.stats.intervals import mean_interval, quotient_interval, t_interval, t_test
from meeplecarlo.stats.linear import log_sd, ratio
from meeplecarlo.stats.multiple import holm

SUMMER_LIMIT = (
    "How risky summer looks hangs on the icons printed on the mountain boards, which are assumed. Play the same with "
    "boards_safe_summer.csv and boards_risky_summer.csv as boards and report the runs together to see how far."
)


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
    return Chapter([s for p in parts for s in p.sections], [f for p in parts for f in p.findings], [SUMMER_LIMIT])


def _forests(sample: Sample) -> Chapter:
    name = labelled(sample.run)
    sums = tables.forest_sums(sample)
    table, points = tables.forests(sample, sums), tables.forest_points(sample)
    if not points.height:
        return Chapter([Section("forests", "Forests by season", [Text("No forest of a single season was grown.")])])
    shown = table.with_columns(player=pl.col("player").replace({p: name(p) for p in sample.run.players}))
    by = {(r["player"], r["season"], r["measure"]): r for r in table.iter_rows(named=True)}
    summary = "; ".join(
        f"{s}: mean {number_of(by[ALL, s, 'mean'])}, SD {number_of(by[ALL, s, 'sd'])}, zeros "
        f"{percent_of(by[ALL, s, 'zeros'])}"
        for s in SEASONS
        if (ALL, s, "mean") in by
    )
    blocks: list = [
        Chart(
            "forest_points",
            charts.forest_points_chart(points, table).figure,
            f"Points of one forest by season. {summary}.",
            "Each row shows one season: how often a forest of it scores so many points. A wide row is a swingy "
            "season. SD is the standard deviation, a typical distance from the mean.",
            "forest_points",
        ),
        Table("forest_points", "", [], [], points),
    ]
    if shown.filter(measure="sd")["estimate"].is_not_null().any():
        blocks.append(
            Chart(
                "forest_sd",
                charts.forest_sd_chart(shown).figure,
                "Standard deviation of the points of one forest by season and player. "
                + "; ".join(
                    f"{name(p)}, summer {number_of(by[p, 'summer', 'sd'])}"
                    for p in sample.run.players
                    if (p, "summer", "sd") in by
                )
                + ".",
                "A mark is one player in one season, its bar the 95 % interval. Further right: less predictable.",
                "forests",
            )
        )
    if (ALL, "summer", "zeros") in by:
        blocks.append(
            Chart(
                "summer_zeros",
                charts.summer_zeros_chart(shown).figure,
                "Share of summer forests that score 0: "
                + "; ".join(
                    f"{name(p)} {percent_of(by[p, 'summer', 'zeros'])}"
                    for p in (ALL, *sample.run.players)
                    if (p, "summer", "zeros") in by
                )
                + ".",
                "A summer forest scores conifers times broadleaves, so with only one kind of tree it scores 0.",
                "forests",
            )
        )
    rows = []
    for player, season in itertools.product([ALL, *sample.run.players], FOREST_KINDS):
        if (player, season, "mean") in by and not (player == ALL and len(sample.run.players) == 1):
            per, mean, sd, zeros = (by[player, season, m] for m in ("per_game", "mean", "sd", "zeros"))
            rows.append(
                [
                    name(player) if player != ALL else ALL,
                    season,
                    number_of(per),
                    number_of(mean),
                    number_of(sd),
                    percent_of(zeros),
                    f"{mean['n']:,}",
                ]
            )
    head = ["Player", "Season", "Forests per game", "Mean points", "SD", "Score 0", "n"]
    blocks.append(
        Table(
            "forests",
            "How do forests score? (n counts forests)",
            head,
            rows,
            table,
            "Per game: forests of the season on one mountain. Mean, SD and zeros: of the points of a single forest, "
            "with 95 % intervals over deals; a mixed forest is one of several seasons.",
        )
    )
    return Chapter([Section("forests", "Forests by season", blocks)], _summer_sentences(sample, sums, by))


def _summer_sentences(sample: Sample, sums: dict, by: dict) -> list[str]:
    if (ALL, "summer", "sd") not in by or by[ALL, "summer", "sd"]["estimate"] is None:
        return []
    mean, sd, zeros = (by[ALL, "summer", m] for m in ("mean", "sd", "zeros"))
    words = (
        f"A summer forest scores {number_of(mean)} points on average with a standard deviation of {number_of(sd)}, and "
        f"{percent_of(zeros)} of them score 0."
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
    totals = sample.sums(sample.run.seats, [], n=pl.len(), points=pl.col("points").sum())[()]
    flat = sample.sums(sample.run.scores.filter(pl.col("category") == "flatland"), [], points=pl.col("points").sum())[
        ()
    ]
    if totals["points"].sum() > 0:
        part = t_interval(ratio(flat["points"], totals["points"]))
        per = mean_interval(flat["points"], totals["n"])
        sentences.append(
            f"Animals bring {format_estimate(per.estimate, per.lo, per.hi, per.se)} points a game, "
            f"{format_estimate(part.estimate, part.lo, part.hi, part.se, scale=100, unit=' %')} of all points."
        )
    return sentences


def _places(sample: Sample) -> Chapter:
    table = tables.places(sample)
    by = {(r["slot"], r["measure"]): r for r in table.iter_rows(named=True)}
    best = sorted(FORESTS, key=lambda s: -by[s, "points"]["estimate"])
    blocks: list = [
        Chart(
            "mountain",
            charts.mountain_chart(table).figure,
            "The mountain with the mean points per game at each place. Highest forests: "
            + ", ".join(f"{s} {number_of(by[s, 'points'])}" for s in best[:3])
            + f"; lowest: {best[-1]} "
            + f"{number_of(by[best[-1], 'points'])}.",
            "Circles lie where three season icons meet, squares where animal segments meet. A brighter place brings "
            "more; a mixed forest and an empty flatland count as 0.",
            "places",
        )
    ]
    for measure, name, caption in (
        ("summer_sd", "mountain_summer_sd", "Brighter: the points of a summer forest at that place vary more."),
        (
            "summer_zeros",
            "mountain_summer_zeros",
            "Brighter: a summer forest at that place more often scores 0. The icons printed on the boards at the "
            "slopes are assumed, and they decide much of this.",
        ),
    ):
        known = [s for s in FORESTS if by[s, measure]["estimate"] is not None]
        if len(known) == len(FORESTS) and by["F1", measure]["lo"] is not None:
            text = percent_of if measure == "summer_zeros" else number_of
            blocks.append(
                Chart(
                    name,
                    charts.mountain_chart(table, measure).figure,
                    "The mountain; by forest: " + ", ".join(f"{s} {text(by[s, measure])}" for s in known) + ".",
                    caption,
                    "places",
                )
            )
    rows = []
    for slot in (*FORESTS, *FLATLANDS):
        summer = [by.get((slot, m)) for m in PLACE_MEASURES[1:]]
        cells = [UNKNOWN] * 4
        if summer[0] is not None:
            cells = [number_of(summer[0]), number_of(summer[1]), percent_of(summer[2]), f"{summer[0]['n']:,}"]
        rows.append([slot, number_of(by[slot, "points"]), *cells])
    head = ["Place", "Points per game", "Summer forest: mean", "SD", "Score 0", "n"]
    blocks.append(
        Table(
            "places",
            "What does each place score? (n counts summer forests there)",
            head,
            rows,
            table,
            "F1 to F12 are forests, L1 to L14 flatlands, as on the chart. 95 % intervals over deals, each for itself.",
        )
    )
    return Chapter([Section("places", "Places on the mountain", blocks)])


def _trump(sample: Sample) -> Chapter:
    name = labelled(sample.run)
    table = tables.trump_use(sample)
    shown = table.with_columns(player=pl.col("player").replace({p: name(p) for p in sample.run.players}))
    rows = []
    for (player,), of in table.group_by("player", maintain_order=True):
        rows.append([name(player), *(percent_of(r) for r in of.iter_rows(named=True)), f"{of['n'][0]:,}"])
    never = {r["player"]: r for r in table.filter(pl.col("round").is_null()).iter_rows(named=True)}
    alt = "Share of games in which the trump is laid in each round. Never: " + "; ".join(
        f"{name(p)} {percent_of(r)}" for p, r in never.items()
    )
    head = ["Player", *(f"Round {r}" for r in range(1, ROUNDS + 1)), "Never", "n"]
    return Chapter(
        [
            Section(
                "trump",
                "The trump",
                [
                    Chart(
                        "trump",
                        charts.trump_chart(shown).figure,
                        alt + ".",
                        "How these players use the trump. It does not say when it would be best: they choose the "
                        "round by what lies on their mountain.",
                        "trump",
                    ),
                    Table(
                        "trump",
                        "In which round is the trump laid? (n counts seats held)",
                        head,
                        rows,
                        table,
                        "A row adds up to 100 %. 95 % intervals over deals, each for itself.",
                    ),
                ],
            )
        ]
    )


def _boards(sample: Sample) -> Chapter:
    table = tables.boards(sample)
    wins = {r["board"]: r for r in table.filter(measure="win_share").iter_rows(named=True)}
    points = {r["board"]: r for r in table.filter(measure="points").iter_rows(named=True)}
    rows = [[f"board {b}", percent_of(wins[b]), number_of(points[b]), f"{wins[b]['n']:,}"] for b in wins]
    block = Table(
        "boards",
        "How do the mountain boards do? (n counts seats that had the board)",
        ["Board", "Win share", "Mean points", "n"],
        rows,
        table,
        "Boards are dealt at random and every player gets each seat's board in turn. What is printed on them is "
        "assumed.",
    )
    parity = 1 / sample.run.n_seats
    blocks: list = [block]
    findings = []
    if all(r["lo"] is not None for r in wins.values()):
        blocks.insert(
            0,
            Chart(
                "boards",
                charts.boards_chart(table, sample.run.n_seats).figure,
                "Win share by mountain board: "
                + "; ".join(f"board {b} {percent_of(r)}" for b, r in wins.items())
                + ".",
                "A dot is the share of games won by the seat that had the board; on the dashed line all boards would "
                "be equal. Intervals hold each for itself.",
                "boards",
            ),
        )
        apart = _boards_apart(wins, parity)
        if apart:
            best, worst = (by(wins, key=lambda b: wins[b]["estimate"]) for by in (max, min))
            findings.append(
                f"The mountain boards are not equal: board {best} wins {percent_of(wins[best])} and board {worst} wins "
                f"{percent_of(wins[worst])}, where equal boards win {format_number(100 * parity, 1)} %. "
                f"{'This one differs' if len(apart) == 1 else 'These differ'} from it beyond chance: "
                f"{join_words([f'board {b}' for b in apart])} (Holm-adjusted for {len(wins)} boards)."
            )
        else:
            away = max(max(abs(r["lo"] - parity), abs(r["hi"] - parity)) for r in wins.values())
            findings.append(
                "No mountain board could be shown to win more or less than its part; by the intervals a board may "
                f"still be up to {format_number(100 * away, 1)} percentage points away from it."
            )
    return Chapter([Section("boards", "Mountain boards", blocks)], findings)


def _boards_apart(wins: dict[int, dict], parity: float) -> list[int]:
    """Return the boards whose win share differs from parity after Holm's adjustment, most winning first."""
    p = holm(np.array([t_test(r["estimate"] - parity, r["se"], r["deals"]) for r in wins.values()]))
    return sorted((b for b, x in zip(wins, p, strict=True) if x < 0.05), key=lambda b: -wins[b]["estimate"])
