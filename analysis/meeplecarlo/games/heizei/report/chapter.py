"""What a report on one run of Heizei says beyond what it says about every game."""

from __future__ import annotations

import polars as pl

from meeplecarlo.games.heizei.report import charts, colours, seats, tables
from meeplecarlo.games.heizei.report.charts import ordinal, round_name
from meeplecarlo.games.heizei.report.tables import ALL, PLACES
from meeplecarlo.games.heizei.report.words import EACH, best_player, namer, points_of, pp, rows_by, verdict
from meeplecarlo.report.formats import UNKNOWN, format_p, join_words, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.store.dataset import Run

SCRIPTED = (
    "These are scripted players with a fixed view of what cards and tiles are worth. People may race, spread or go out "
    "in another way, and then penalty, tiles and seats may matter more or less."
)
NOT_CAUSE = (
    "Who goes out first, or starts round 2, is not drawn by lot: it goes with the player and with its luck before. "
    "What such seats score more or less goes with that and need not be caused by it; a comparison within one player "
    "takes out the player, but not its luck."
)
RECOUNTED = (
    "That winners are counted again without the penalty, or without tiles, takes everybody to have played the same "
    "cards. Who knows there is no penalty plays otherwise; to see that, play the same deals with penalty = none and "
    "report both runs."
)
TILES_ASSUMED = "The values of the point tiles are assumed, so what a tile is worth may differ at a real table."
UNSURE = "no difference could be shown that holds for both ways to leave the penalty out"
TRACK_ASSUMED = (
    "How many spaces the printed track has is not known here; it is taken to have no end, which decides how far cubes "
    "can get apart."
)


def chapter(sample: Sample) -> Chapter:
    """Return what only a report on Heizei has."""
    run = sample.run
    if not tables.finished_seats(run).head(1).collect().height:
        words = "No game of this run came to an end, so there is no result to report."
        return Chapter([Section("out", "Going out first", [Text(words, warning=True)])])
    parts = []
    if run.has("scores"):
        points = tables.round_points(sample)
        parts += [_rounds(sample, points), _penalty(sample, points)]
        parts += [seats.going_out(sample), seats.start_player(sample)]
    parts.append(colours.cubes(sample))
    if run.has("moves"):
        parts.append(colours.race_by_turn(sample))
    return Chapter([s for p in parts for s in p.sections], [f for p in parts for f in p.findings], limits(run))


def limits(run: Run) -> list[str]:
    """Return what no run can say, as far as it concerns this one."""
    found = [SCRIPTED]
    if run.has("scores"):
        found.append(NOT_CAUSE)
        found += [RECOUNTED] if tables.has_penalty(run) else []
    used = tables.options(run)
    is_box = {o.name: used[o.name] == (list(o.default) if isinstance(o.default, tuple) else o.default)
              for o in run.game.options}  # fmt: skip
    if is_box[f"tiles_{run.n_seats}"]:
        found.append(TILES_ASSUMED)
    if is_box["track"]:
        found.append(TRACK_ASSUMED)
    return found


# --- the penalty ---------------------------------------------------------------------------------------------------
def _penalty(sample: Sample, points: pl.DataFrame) -> Chapter:
    run, name = sample.run, namer(sample)
    decide, lost = tables.deciders(sample), tables.penalty(sample)
    of, by = rows_by(decide, "without", "measure"), rows_by(lost, "player", "measure")
    scored = rows_by(points, "player", "round", "measure")
    names = list(dict.fromkeys(decide["without"]))
    whats = [w for w in names if w not in tables.DIFFERENCES]
    blocks: list = [] if tables.has_penalty(run) else [Text("In this run no colour counts negative (penalty = none).")]
    blocks += [
        Chart(
            "deciders",
            charts.deciders_chart(decide).figure,
            "Share of wins that would go to another seat: "
            + "; ".join(f"without {w} {percent_of(of[w, 'moved'])}" for w in whats)
            + ".",
            "Winners are counted again from the score sheets, as if everybody had played the same. The cards that "
            "count negative are taken to count positive, or nothing. Of a win that would be shared, a part moves.",
            "deciders",
        ),
        Table(
            "deciders",
            "What decides who wins? (n counts games)",
            ["Without", "Wins that move", "Games with other winners", "SD over seats, points", "p", "n"],
            [
                [
                    w,
                    *(percent_of(of[w, m]) if w in whats else pp(of[w, m], " pp") for m in ("moved", "changed")),
                    number_of(of[w, "sd"]) if w in whats else UNKNOWN,
                    format_p(of[w, "moved"]["p"]),
                    f"{of[w, 'moved']['n']:,}",
                ]
                for w in names
            ],
            decide,
            "SD: standard deviation of what a seat has from it, against the mean of its game. Without the tiles of "
            "round 2 there is no tie-break: equal points share the win. Differences are taken in the same deals (paired "
            f"t); their p is of the wins that move. {EACH}",
        ),
    ]
    if lost.height:
        rows = [
            [
                name(p),
                number_of(by[p, "points"]),
                number_of(by[p, "cards"]),
                *(percent_of(by[p, f"place_{k}"]) for k in PLACES),
                f"{by[p, 'cards']['n']:,}",
            ]
            for p in dict.fromkeys(key[0] for key in by)
        ]
        head = ["Player", "Points of it", "Cards of it", *(f"Its cube is {ordinal(k)}" for k in PLACES), "n"]
        note = (
            "The colour that counts negative: its points, how many cards of it a seat has, and how often its cube ends "
            f"where. If it counted positive, a seat would have these points with the other sign. {EACH}"
        )
        title = "What does the penalty cost? (n counts seats held)"
        blocks.append(Table("penalty", title, head, rows, lost, note))
    return Chapter([Section("penalty", "The penalty of round 2, and the tiles", blocks)],
                   _penalty_sentences(sample, of, by, scored))  # fmt: skip


def _penalty_sentences(sample: Sample, of: dict, by: dict, scored: dict) -> list[str]:
    tiles, negative = of[tables.TILES, "moved"], scored[ALL, 2, "negative"]
    if not by:
        return [
            f"No colour counts negative here. Without the point tiles {percent_of(tiles)} of the wins would go to "
            f"another seat. In round 2 {percent_of(negative)} of the seats score less than 0 points."
        ]
    penalty, change = of[tables.PENALTY, "moved"], [of[name, "moved"] for name in tables.DIFFERENCES]
    heads = {verdict(c, "the penalty decides more", "the tiles decide more", UNSURE) for c in change}
    head = heads.pop() if len(heads) == 1 else UNSURE
    best = best_player(sample)
    words = (
        f"Does round 2's penalty or do the tiles decide more? Counting winners again, {head}: if the cards that count "
        f"negative counted positive, {percent_of(penalty)} of the wins would go to another seat, if they counted "
        f"nothing {percent_of(of[tables.HALF, 'moved'])}; without any tiles it would be {percent_of(tiles)}. Against "
        f"the tiles that is {points_of(change[0])} and {points_of(change[1])} (paired over deals)."
    )
    cost = (
        f"The colour that counts negative makes {number_of(by[ALL, 'points'])} points a seat on average, and "
        f"{percent_of(negative)} of the seats score less than 0 in round 2"
    )
    if best != ALL:
        name = namer(sample)
        cost += (
            f". For {name(best)}, the player that wins most, it makes {number_of(by[best, 'points'])} points, and "
            f"{percent_of(scored[best, 2, 'negative'])} of its seats do"
        )
    cost += (
        f". Points of round 2 have a standard deviation of {number_of(scored[ALL, 2, 'sd'])}, those of round 1 one of "
        f"{number_of(scored[ALL, 1, 'sd'])}."
    )
    return [words, cost]


# --- points of the rounds ------------------------------------------------------------------------------------------
def _rounds(sample: Sample, table: pl.DataFrame) -> Chapter:
    spread, name = tables.round_spread(sample), namer(sample)
    of = rows_by(table, "player", "round", "measure")
    rows = [
        [
            name(p),
            round_name(r),
            number_of(of[p, r, "mean"]),
            number_of(of[p, r, "sd"]),
            percent_of(of[p, r, "negative"]),
            f"{of[p, r, 'mean']['n']:,}",
        ]
        for p, r in dict.fromkeys(k[:2] for k in of)
    ]
    numbers = sorted(set(spread["round"]))
    ranges = join_words(
        [
            f"round {r} from {spread.filter(round=r)['points'].min()} to {spread.filter(round=r)['points'].max()}"
            for r in numbers
        ]
    )
    blocks = [
        Chart(
            "round_spread",
            charts.spread_chart(spread, table).figure,
            f"Distribution of the points a seat scores in a round, tile included: {ranges}. Means "
            + join_words([f"{number_of(of[ALL, r, 'mean'])} in round {r}" for r in numbers])
            + ".",
            "The height is the share of seats with exactly so many points; the line at 0 parts gains from losses.",
            "round_spread",
        ),
        Table("round_spread", "", [], [], spread),
        Chart(
            "negative",
            charts.negative_chart(table, name).figure,
            "Share of seats that score less than 0 points in round 2, tile included: "
            + "; ".join(f"{name(p)} {percent_of(of[p, 2, 'negative'])}" for p in tables.whose(sample.run))
            + ".",
            "A dot is the share of the seats a player held; the bar is the 95 % interval.",
            "round_points",
        ),
        Table(
            "round_points",
            "What does a seat score in each round? (n counts seats held)",
            ["Player", "Round", "Mean", "SD", "Below 0", "n"],
            rows,
            table,
            "Tile included. The mean of round 1 over all players is fixed by the rules: every card and tile is scored "
            f"by somebody. {EACH}",
        ),
    ]
    return Chapter([Section("rounds_apart", "The two rounds", blocks)])
