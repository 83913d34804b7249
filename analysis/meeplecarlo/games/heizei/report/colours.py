"""What the report says about the cubes: which ends first, what it pays to collect, and how the race goes."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from meeplecarlo.games.heizei.report import charts, race, tables
from meeplecarlo.games.heizei.report.charts import ordinal, round_name
from meeplecarlo.games.heizei.report.tables import PLACES, ROUNDS
from meeplecarlo.games.heizei.report.words import EACH, points_of, pp, rows_by, verdict
from meeplecarlo.report.formats import UNKNOWN, format_p, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text


def cubes(sample: Sample) -> Chapter:
    """Return where cubes end, what tells it, and what it pays to collect."""
    run = sample.run
    starts, told = race.circles(sample), race.foretold(sample)
    of = rows_by(starts, "round", "circle", "measure")
    groups = sorted({k[:2] for k in of}, key=lambda g: (g[0], -g[1]))
    names = {1: "1 (tail)", len(PLACES): f"{len(PLACES)} (head)"}
    blocks: list = [
        Chart(
            "circles",
            charts.circles_chart(starts).figure,
            "Mean final place of the cube by its circle: "
            + "; ".join(f"round {r}, circle {names.get(c, c)} {number_of(of[r, c, 'place'])}" for r, c in groups)
            + ".",
            "If the order of the cubes did not matter, all pieces would be 25 % long.",
            "circles",
        ),
        Table(
            "circles",
            "Where do cubes end by the circle they start from? (n counts games)",
            ["Round", "Circle", "Mean place", *(f"Ends {ordinal(k)}" for k in PLACES), "n"],
            [
                [
                    round_name(r),
                    names.get(c, str(c)),
                    number_of(of[r, c, "place"]),
                    *(percent_of(of[r, c, f"place_{k}"]) for k in PLACES),
                    f"{of[r, c, 'place']['n']:,}",
                ]
                for r, c in groups
            ],
            starts,
            f"Place 1 is first. In round 2 the circles are the order in which round 1 ended. {EACH}",
        ),
    ]
    if told.height:
        blocks += _foretold_blocks(told)
    findings = _foretold_sentences(told)
    if run.has("scores"):
        more, sentences = _collected(sample)
        blocks += more
        findings += sentences
    return Chapter([Section("colours", "Which colour ends first, and does it pay to collect it?", blocks)], findings)


def _foretold_blocks(table: pl.DataFrame) -> list[Chart | Table]:
    of = rows_by(table, "round", "by", "measure")
    keys = list(dict.fromkeys(k[:2] for k in of))
    shown = [k for k in keys if k[1] != race.DIFFERENCE]
    rows = []
    for number, by in keys:
        first, place = of[number, by, "first"], of[number, by, "place"]
        gap = by == race.DIFFERENCE
        rows.append(
            [
                round_name(number),
                by,
                pp(first, " pp") if gap else percent_of(first),
                number_of(place, sign=gap),
                format_p(first["p"]) if gap else UNKNOWN,
                f"{first['n']:,}",
            ]
        )
    return [
        Chart(
            "foretold",
            charts.foretold_chart(table).figure,
            "Share of games in which it ends first: "
            + "; ".join(f"round {r}, {by} {percent_of(of[r, by, 'first'])}" for r, by in shown)
            + ".",
            "The longest colour of a hand is the one of which one seat holds most cards at the start of the round; "
            "equal ones count in parts. What is further right tells more about the race.",
            "foretold",
        ),
        Table(
            "foretold",
            "What tells which colour ends first? (n counts games)",
            ["Round", "", "Ends first", "Mean place", "p", "n"],
            rows,
            table,
            f"Differences are taken in the same deals (paired t); their p is of the share that ends first. {EACH}",
        ),
    ]


def _foretold_sentences(table: pl.DataFrame) -> list[str]:
    of = rows_by(table, "round", "by", "measure")
    parts, heads = [], set()
    for number in ROUNDS:
        if (number, race.DIFFERENCE, "first") not in of:
            continue
        head, longest, change = (of[number, by, "first"] for by in (race.HEAD, race.LONGEST, race.DIFFERENCE))
        heads.add(verdict(change, "the cube order tells more", "the hand tells more", "neither tells clearly more"))
        parts.append(
            f"in round {number} the cube that starts at the head ends first in {percent_of(head)} of the games, the "
            f"longest colour of a hand in {percent_of(longest)}, a difference of {points_of(change)}"
        )
    if not parts:
        return []
    head = heads.pop() if len(heads) == 1 else "it depends on the round"
    return [f"Does the cube order decide more than the hand? By these two signs {head}: {'; '.join(parts)}."]


def _collected(sample: Sample) -> tuple[list, list[str]]:
    table, worth = race.collected(sample), race.by_place(sample)
    values = tables.rules_of(sample.run)["values"][0, 1].tolist()
    of, by = rows_by(table, "round", "cards", "measure"), rows_by(worth, "place", "measure")
    counts = sorted({k[1] for k in of})
    places = sorted({k[0] for k in by})

    def cell(key: tuple, text: Callable[[dict], str]) -> str:
        return text(of[key]) if key in of else "0" if key[1:] == (0, "points") else UNKNOWN

    blocks: list = [
        Chart(
            "collected_place",
            charts.collected_chart(table, "place").figure,
            "Mean final place of a colour by how many cards of it a seat collects. "
            + " ".join(
                f"Round {r}: "
                + "; ".join(f"{k} {number_of(of[r, k, 'place'])}" for k in counts if (r, k, "place") in of)
                + "."
                for r in ROUNDS
            ),
            "Above the dashed line the colour does better than the mean. Numbers of cards that fewer than 0.2 % of the "
            "seats and colours have are in the file only.",
            "collected",
        ),
        Chart(
            "collected_points",
            charts.collected_chart(table, "points").figure,
            "Mean points of the cards of one colour by their number. "
            + " ".join(
                f"Round {r}: "
                + "; ".join(f"{k} {number_of(of[r, k, 'points'])}" for k in counts if (r, k, "points") in of)
                + "."
                for r in ROUNDS
            ),
            "Where the line falls below 0, so many cards of one colour most often count negative.",
            "collected",
        ),
        Table(
            "collected",
            "What does it bring to collect many cards of a colour? (n counts seats and colours)",
            ["Cards", "Round 1: mean place", "Points", "n", "Round 2: mean place", "Points", "Count negative", "n"],
            [
                [
                    str(k),
                    cell((1, k, "place"), number_of),
                    cell((1, k, "points"), number_of),
                    cell((1, k, "place"), lambda r: f"{r['n']:,}"),
                    cell((2, k, "place"), number_of),
                    cell((2, k, "points"), number_of),
                    cell((2, k, "negative"), percent_of),
                    cell((2, k, "place"), lambda r: f"{r['n']:,}"),
                ]
                for k in counts
            ],
            table,
            f"Points of all cards of the colour together. {EACH}",
        ),
        Chart(
            "by_place",
            charts.by_place_chart(worth, values).figure,
            "Mean points of a card in round 2, negative ones included: "
            + "; ".join(f"{ordinal(k)} cube {number_of(by[k, 'per_card'])}" for k in places)
            + ".",
            "At the left, what the card counts if it does not count negative, and how many do.",
            "by_place",
        ),
        Table(
            "by_place",
            "What is a card of round 2 worth by the place of its cube? (n counts cards)",
            ["Cube", "Printed points", "Count negative", "Mean points", "n"],
            [
                [
                    ordinal(k),
                    str(values[k - 1]),
                    percent_of(by[k, "negative"]),
                    number_of(by[k, "per_card"]),
                    f"{by[k, 'per_card']['n']:,}",
                ]
                for k in places
            ],
            worth,
            EACH,
        ),
    ]
    ranked = sorted(places, key=lambda k: -by[k, "per_card"]["estimate"])
    found = []
    if ranked:
        top, low = ranked[0], ranked[-1]
        found.append(
            f"Does it pay to collect the colour that ends first? In round 1 by the rules it does. In round 2 "
            f"{percent_of(by[1, 'negative'])} of its cards count negative, so such a card brings "
            f"{number_of(by[1, 'per_card'])} points instead of {values[0]}; most is brought by a card of the "
            f"{ordinal(top)} cube, {number_of(by[top, 'per_card'])}, least by one of the {ordinal(low)}, "
            f"{number_of(by[low, 'per_card'])}."
            if (1, "negative") in by
            else ""
        )
    return blocks, [f for f in found if f]


def race_by_turn(sample: Sample) -> Chapter:
    """Return how the race of the cubes goes in the course of each round."""
    title, table = "The race, turn by turn", race.race(sample)
    if not table.height:
        words = "The games cannot be played over: their moves are not legal by the rules at hand."
        return Chapter([Section("race", title, [Text(words)])])
    of = rows_by(table, "round", "turns", "cube", "which", "measure")
    numbers = sorted({k[0] for k in of})
    ends = "; ".join(
        f"round {r}: " + ", ".join(f"{ordinal(k)} {number_of(of[r, 100, 'final', k, 'space'])}" for k in PLACES)
        for r in numbers
    )
    middle = "; ".join(
        f"round {r}: " + ", ".join(f"circle {k} {number_of(of[r, 50, 'circle', k, 'place'])}" for k in PLACES[::-1])
        for r in numbers
    )
    ahead = "; ".join(
        f"round {r}: " + ", ".join(f"{t} % {percent_of(of[r, t, 'leader', 1, 'first'])}" for t in (0, 25, 50, 75))
        for r in numbers
    )
    games = table["n"].max()
    blocks = [
        Chart(
            "race_space",
            charts.race_figure(table, "final", "space", "How far do the cubes get?"),
            f"Mean space of the cubes in the course of a round, by the place at which they end. At the end, {ends}.",
            f"The first {games:,} games played over. The circles are spaces 1 to 4; at 0 % the cards laid in the "
            "preparation have moved the cubes. Each line follows the cube that ends at that place, of any colour.",
            "race",
        ),
        Chart(
            "race_circles",
            charts.race_figure(table, "circle", "place", "How long does the order on the circles last?"),
            f"Mean place of the cubes in the course of a round, by the circle they start from. Halfway, {middle}.",
            "Where the lines meet, the order at the start no longer matters.",
            "race",
        ),
        Chart(
            "race_leader",
            charts.leader_chart(table).figure,
            f"Share of games in which the cube that is ahead ends first, by the turns played. {ahead[0].upper()}"
            f"{ahead[1:]}.",
            "At 100 % the round is over. The earlier the line rises, the earlier the race is decided.",
            "race",
        ),
        Table("race", "", [], [], table),
    ]
    halfway = "; ".join(f"{percent_of(of[r, 50, 'leader', 1, 'first'])} in round {r}" for r in numbers)
    findings = [f"After half of the turns, the cube that is ahead ends first in so many games: {halfway}."]
    return Chapter([Section("race", title, blocks)], findings)
