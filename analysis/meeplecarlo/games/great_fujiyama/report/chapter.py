"""What a report on one run of Great Fujiyama says beyond what it says about every game."""

from __future__ import annotations

import shlex

import polars as pl

from meeplecarlo.errors import MeeplecarloError
from meeplecarlo.games.great_fujiyama.report import charts, tables
from meeplecarlo.games.great_fujiyama.view import ENDINGS
from meeplecarlo.report.formats import UNKNOWN, format_number, number_of, percent_of, plural
from meeplecarlo.report.general import line_up_words
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.report.tables import shared_result
from meeplecarlo.simulation.replay import replay_game
from meeplecarlo.store.dataset import Run

WHY_BOTH = (
    "The rulebook has all tiles lie the same way up as in the standard game; read literally, a tile is "
    "never turned, and then even good teams seldom complete two stations. The drawing this refers to has not been "
    "seen here, and the printed ranks, up to ten stations, are easier to believe if tiles may be turned by thirds. So "
    "both readings are shown: turn = none and turn = thirds."
)
SCRIPTED = (
    "How far a team gets is what these scripted players reach. It is no statement about people at a table, nor about "
    "the best possible play."
)
SEASONS_DERIVED = (
    "Only the seasons of the tiles matter here. That the 64 tiles show every ordered triple of seasons once is derived "
    "from the rulebook's counts, not read off the box."
)
TALK = (
    "Talk is played at its limits: talk = none conveys nothing, talk = open everything (all hands are seen). Real "
    "table talk lies between them."
)


def chapter(sample: Sample) -> Chapter:
    """Return what only a report on Great Fujiyama has."""
    parts = [_reach(sample), _stuck(sample), _ranks(sample), _best(sample)]
    return Chapter(
        [s for p in parts for s in p.sections],
        [f for p in parts for f in p.findings],
        [_other_reading_limit(sample.run), *limits([sample.run])],
    )


def limits(runs: list[Run]) -> list[str]:
    """Return what no run can say, as far as it concerns these."""
    found = [SCRIPTED]
    if any(run.n_seats > 1 for run in runs):
        found.append(TALK)
    if any(run.manifest["game"]["components"]["tiles"]["file"] in run.game.components[0].shipped for run in runs):
        found.append(SEASONS_DERIVED)
    return found


def reading(run: Run) -> str:
    """Return the reading of the rule on turning tiles that a run used, in words."""
    turned = tables.options(run)["turn"] == "thirds"
    return "tiles may be turned by thirds (turn = thirds)" if turned else "tiles are never turned (turn = none)"


def other_reading(run: Run) -> list[str]:
    """Return the commands that play the same with the other reading of the rule on turning, and report both."""
    manifest = run.manifest
    used = manifest["game"]
    turn = "none" if used["options"]["turn"] == "thirds" else "thirds"
    changes = {k: v for k, v in used["changes"].items() if k != "turn"} | ({"turn": turn} if turn != "none" else {})
    components = {c.name for c in run.game.components}
    out = f"{run.path}-turn-{turn}"
    words = ["meeplecarlo", "simulate", run.game.name, "--players", ",".join(run.lineup)]
    words += ["--games", str(manifest["design"]["games"]), "--seed", str(manifest["seed"])]
    for name, value in changes.items():
        words += [f"--{name}", str(value)] if name in components else ["--set", f"{name}={value}"]
    return [shlex.join([*words, "--out", out]), shlex.join(["meeplecarlo", "report", str(run.path), out])]


def _other_reading_limit(run: Run) -> str:
    simulate, report = other_reading(run)
    return (
        f"This run used one of two readings of the rules: {reading(run)}. Play the other one on the same deals and "
        f"report both: {simulate} && {report}"
    )


def team(run: Run) -> str:
    """Return the line-up in words."""
    return f"{run.players[0]} in every seat" if len(run.players) == 1 else line_up_words(run.lineup)


def _reach(sample: Sample) -> Chapter:
    run, table = sample.run, tables.reach(sample)
    mean = shared_result(sample).row(0, named=True)
    rows = [[str(r["station"]), percent_of(r), f"{r['n']:,}"] for r in table.iter_rows(named=True)]
    figure = charts.reach_figure([("", table)], "How many stations do teams complete?", reading(run))
    first = [r for r in table.iter_rows(named=True) if r["station"] <= 2]
    words = "; ".join(f"at least {r['station']}: {percent_of(r)}" for r in table.iter_rows(named=True))
    blocks = [
        Text(f"In this run {reading(run)}. {WHY_BOTH}"),
        Chart(
            "reach",
            figure,
            f"Share of games that complete at least so many stations. {words}.",
            "A step is the share of games that complete at least so many stations, in per cent. The bands hold for "
            "each step by itself, not for the whole curve at once.",
            "reach",
        ),
        Table(
            "reach",
            "How many stations do teams complete? (n counts games)",
            ["Stations, at least", "Share of games", "n"],
            rows,
            table,
            "Pointwise 95 % Wilson intervals over deals. Where no game got so far, the upper end of the interval says "
            "how often it may still happen.",
        ),
    ]
    findings = [
        f"The team ({team(run)}) completes {number_of(mean)} stations on average when "
        f"{reading(run)}. Of the games, {percent_of(first[0])} complete at least one station"
        + (f", {percent_of(first[1])} at least two." if len(first) > 1 else ".")
    ]
    best = tables.best_game(run)
    width, most = tables.options(run)["width"], table.filter(pl.col("estimate") > 0)
    if best["stations"]:
        share = table.row(best["stations"] - 1, named=True)
        findings.append(
            f"The best result seen is {plural(best['stations'], 'station')}"
            + (f" ({best['rank_name']})" if best["rank_name"] else "")
            + f", reached in {percent_of(share)} of the games."
        )
    if most.height < width:
        never = table.row(most.height, named=True)
        findings.append(
            f"No game completed {plural(never['station'], 'station')}"
            + (
                f"; by the interval that happens in at most {_bound(never)} % of them."
                if never["hi"] is not None
                else "."
            )
        )
    return Chapter([Section("reach", "Station reach rates", blocks)], findings)


def _bound(row: dict) -> str:
    return format_number(100 * row["hi"], charts.decimals_of(row["hi"]))


def _stuck(sample: Sample) -> Chapter:
    run = sample.run
    hazards, heights, laid, ended = (
        f(sample) for f in (tables.hazards, tables.heights, tables.tiles_laid, tables.endings)
    )
    width = tables.options(run)["width"]
    blocks: list = []
    known = hazards.drop_nulls("estimate")
    blocks.append(
        Chart(
            "hazards",
            charts.hazard_chart(hazards).figure,
            "Of the games that completed all stations below, the share that does not complete station "
            + "; ".join(f"{r['station']}: {percent_of(r)}" for r in known.iter_rows(named=True))
            + ".",
            "Read from the ground up: of the games that got to a station, so many get stuck on it. The number of these "
            "games falls fast, and with it what is known.",
            "hazards",
        )
    )
    rows = [
        [str(r["station"]), percent_of(r) if r["n"] else UNKNOWN, f"{r['n']:,}"] for r in hazards.iter_rows(named=True)
    ]
    blocks.append(
        Table(
            "hazards",
            "Where do games get stuck? (n counts games that completed all stations below)",
            ["Station", "Not completed", "n"],
            rows,
            hazards,
            "95 % Wilson intervals over deals, each for itself. A dash: no game got there.",
        )
    )
    mode = laid.sort("estimate", descending=True).row(0, named=True)
    blocks += [
        Chart(
            "tiles",
            charts.tiles_chart(laid, width).figure,
            f"Distribution of the tiles laid, from {laid['tiles'].min()} to {laid['tiles'].max()}; most often "
            f"{mode['tiles']}, in {percent_of(mode)} of the games.",
            f"Station 1 holds {width} tiles, the whole pyramid {width * (width + 1) // 2}. Games with one tile ended "
            "before anybody could decide anything: no tile of the first hand fits beside the first tile.",
            "tiles",
        ),
        Table("tiles", "", [], [], laid),
        Chart(
            "heights",
            charts.heights_chart(heights).figure,
            _heights_words(heights),
            "Hatched: the highest station that holds a tile. Full: stations completed. The gap between them is what "
            "was begun and not finished.",
            "heights",
        ),
        Table("heights", "", [], [], heights),
    ]
    by = {r["ended"]: r for r in ended.iter_rows(named=True)}
    exact = tables.exactly_before(run)
    words = {
        ENDINGS[0]: "No tile of the hand fits",
        ENDINGS[1]: "The hand is empty",
        ENDINGS[2]: "The pyramid is complete",
    }
    rows = [[words[name], percent_of(by[name]), UNKNOWN] for name in ENDINGS]
    if exact is not None:
        rows.append(
            [
                "No tile fits before the first decision (part of the first row)",
                percent_of(by[tables.BEFORE]),
                f"{exact} = {format_number(100 * float(exact), 2)} %",
            ]
        )
    blocks.append(
        Table(
            "endings",
            "Why do games end? (n counts games)",
            ["", f"Share of {plural(by[tables.BEFORE]['n'], 'game')}", "Exactly"],
            rows,
            ended.with_columns(exactly=pl.lit(None if exact is None else float(exact), pl.Float64)),
            "95 % Wilson intervals over deals. Exactly: counted over all first tiles and hands, not simulated.",
        )
    )
    findings = [_stuck_words(heights, width)]
    if exact is not None:
        findings.append(
            f"{percent_of(by[tables.BEFORE])} of the deals end before the first decision, because no tile of the first "
            f"hand fits; exactly it is {exact} = {format_number(100 * float(exact), 2)} %. They count as games."
        )
    return Chapter([Section("stuck", "Where games get stuck", blocks)], findings)


def _heights_words(heights: pl.DataFrame) -> str:
    words = []
    for measure, name in (("begun", "Highest station begun"), ("completed", "Stations completed")):
        rows = heights.filter((pl.col("measure") == measure) & (pl.col("estimate") > 0))
        words.append(f"{name}: " + "; ".join(f"{r['station']} {percent_of(r)}" for r in rows.iter_rows(named=True)))
    return ". ".join(words) + "."


def _stuck_words(heights: pl.DataFrame, width: int) -> str:
    done = heights.filter(pl.col("measure") == "completed")
    row = done.sort(["estimate", "station"], descending=[True, False]).row(0, named=True)
    if row["station"] == width:
        return f"Most often the whole pyramid is completed: {percent_of(row)} of the games."
    if row["station"] == 0:
        return f"Games most often get stuck on station 1: {percent_of(row)} complete no station at all."
    return (
        f"Games most often get stuck on station {row['station'] + 1}: {percent_of(row)} complete exactly "
        f"{plural(row['station'], 'station')}."
    )


def _ranks(sample: Sample) -> Chapter:
    table = tables.ranks(sample)
    rows = [[charts.rank_label(r), percent_of(r), f"{r['n']:,}"] for r in table.iter_rows(named=True)]
    words = "; ".join(f"{charts.rank_label(r)} {percent_of(r)}" for r in table.iter_rows(named=True))
    return Chapter(
        [
            Section(
                "ranks",
                "Ranks",
                [
                    Chart(
                        "ranks",
                        charts.rank_chart(table).figure,
                        f"Share of games by printed rank: {words}.",
                        "The names are those printed in the rulebook; without a completed station there is none.",
                        "ranks",
                    ),
                    Table(
                        "ranks",
                        "Which rank do teams earn? (n counts games)",
                        ["Rank (stations)", "Share of games", "n"],
                        rows,
                        table,
                        "95 % Wilson intervals over deals, each for itself.",
                    ),
                ],
            )
        ]
    )


def _best(sample: Sample) -> Chapter:
    run, best = sample.run, tables.best_game(sample.run)
    try:
        replay = replay_game(run, best["game"])
        final = replay.final()[0]
    except (MeeplecarloError, OSError):  # players or rules that are no longer here
        words = f"The best game is game {best['game']}, but it cannot be replayed with the players and rules at hand."
        return Chapter([Section("best", "The best pyramid", [Text(words)])])
    done, laid = plural(best["stations"], "station"), plural(best["tiles"], "tile")
    named = f", {best['rank_name']}" if best["rank_name"] else ""
    foot = f"Game {best['game']} of seed {run.manifest['seed']}: {', '.join(replay.seating)}; {done} complete, {laid}"
    picture = charts.pyramid_figure(replay.engine.rules, final, "What did the best team build?", f"{foot}{named}")
    command = shlex.join(["meeplecarlo", "replay", str(run.path), str(best["game"])])
    return Chapter(
        [
            Section(
                "best",
                "The best pyramid",
                [
                    Chart(
                        "best",
                        picture,
                        f"The pyramid of game {best['game']}: {done} complete, {laid}{named}. Tiles on each station, "
                        f"from the ground up: {', '.join(str(n) for n in best['per_station'] if n)}.",
                        "The game with most stations, then most tiles, then the lowest number. Each tile shows three "
                        "seasons; where tiles meet, their seasons agree, and three of them make a triangle of one "
                        "colour. A tick marks complete stations, dots places where nothing lies. Move by move: "
                        f"{command}",
                    )
                ],
            )
        ]
    )
