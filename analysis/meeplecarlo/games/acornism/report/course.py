"""What a report on Acornism says about the field, the end of the game and the options of a turn."""

from __future__ import annotations

import polars as pl

from meeplecarlo.games.acornism.report import charts, tables
from meeplecarlo.games.acornism.report.field import CORNER, EDGE, field
from meeplecarlo.games.acornism.report.words import by_measure, complete_words
from meeplecarlo.report.formats import format_number, number_of, percent_of, plural
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text


def whole_field(sample: Sample) -> Chapter:
    """Return which squares of the field are filled, and where animals score."""
    squares, zones = field(sample)
    title = "The field"
    if not squares.height:
        words = "In no game of this run did rows and columns settle, so it is not known where on the field tiles lie."
        return Chapter([Section("field", title, [Text(words)])])
    by = by_measure(zones, "zone", "measure")
    names = list(dict.fromkeys(zones["zone"]))
    scored = "satisfied" in set(zones["measure"])
    barren = tables.options_of(sample.run)["edge_scoring"] == "false"
    words = "; ".join(f"{z} {percent_of(by[z, 'filled'])}" for z in names)
    corner = (
        "A square's place is counted in the field as it is settled at the end. The rules treat squares that are mirror "
        "images or turns of each other alike; such squares differ by chance, and by habits of the players."
    )
    blocks: list = [
        Chart(
            "field_filled",
            charts.field_map(squares, "filled").figure,
            f"Share of games in which squares are filled at the end: {words}.",
            corner,
            "squares",
        )
    ]
    if scored:
        blocks.append(
            Chart(
                "field_satisfied",
                charts.field_map(squares, "satisfied").figure,
                "Share of the animals laid that score, by where they lie: "
                + "; ".join(f"{z} {percent_of(by[z, 'satisfied'])}" for z in names)
                + ".",
                "Animals lie on every other square; on which half, differs from game to game. "
                + complete_words(sample.run),
                "squares",
            )
        )
    blocks += [
        Table("squares", "", [], [], squares),
        Table(
            "zones",
            "How does it go from the edge to the middle?",
            ["Where", "Squares", "Filled", "Animals per game", *(("Animals that score",) if scored else ())],
            [
                [
                    z,
                    str(by[z, "filled"]["squares"]),
                    percent_of(by[z, "filled"]),
                    number_of(by[z, "animal"]),
                    *((percent_of(by[z, "satisfied"]),) if scored else ()),
                ]
                for z in names
            ],
            zones,
            f"The {plural(by[names[0], 'animal']['n'], 'game')} whose rows and columns are settled; of them, the share "
            "of the squares that are filled, and of the animals lying there that score. 95 % intervals over deals.",
        ),
    ]
    finding = f"Which squares get filled? {words}."
    if scored:
        scoring = [z for z in names if z not in (CORNER, EDGE)] if barren else names
        shares = "; ".join(f"{z} {percent_of(by[z, 'satisfied'])}" for z in scoring)
        if barren:
            finding += (
                f" In a corner lie {number_of(by[CORNER, 'animal'])} animals per game and on the rest of the edge "
                f"{number_of(by[EDGE, 'animal'])}, where none can score by the rules."
            )
        finding += f" Of the animals lying there score: {shares}." if shares else ""
    return Chapter([Section("field", title, blocks)], [finding])


def ending(sample: Sample) -> Chapter:
    """Return what is left when the game ends."""
    spread, table = tables.spread(sample), tables.ending(sample)
    by = by_measure(table, "measure")
    measures = {
        "turns": "Turns, passes included",
        "placed": "Tiles on the field, the first included",
        "filled": "Squares of the field that are filled",
        "left": "Tiles left in the pile",
        "in_hands": "Tiles left in all hands together",
        "passes": "Passes",
        "satisfied": "Animals satisfied",
        "starved": "Animals starved",
        "unfinished": "Animals never complete",
        "empty": "Games in which the pile runs out",
        "passing": "Games in which somebody has to pass",
        "settled": "Games in which rows and columns settle",
    }
    shares = {"filled", "empty", "passing", "settled"}
    rows = [[words, (percent_of if m in shares else number_of)(by[m])] for m, words in measures.items()]
    left = spread.filter(what="over")
    most = left.sort("estimate", descending=True).row(0, named=True)
    blocks = [
        Chart(
            "left",
            charts.left_chart(spread).figure,
            f"Distribution of the tiles left over, in the pile and in hands, from {left['value'].min()} to "
            f"{left['value'].max()}; most often {most['value']}, in {percent_of(most)} of the games.",
            "The game ends when nobody can place a tile. A tile less is two more squares filled.",
            "spread",
        ),
        Table("spread", "", [], [], spread),
        Table(
            "ending",
            f"How do games end? (means and shares over {plural(by['placed']['n'], 'game')})",
            ["", "Estimate"],
            rows,
            table,
        ),
    ]
    findings = [
        f"When the game ends, {number_of(by['left'])} tiles are left in the pile and {number_of(by['in_hands'])} in "
        f"hands; {number_of(by['placed'])} lie on the field, which is {percent_of(by['filled'])} full. Somebody has to "
        f"pass in {percent_of(by['passing'])} of the games."
    ]
    return Chapter([Section("ending", "The end of the game", blocks)], findings)


def choices(sample: Sample) -> Chapter:
    """Return how many options a turn has."""
    table = tables.choices(sample)
    if not table.height:
        return Chapter([])
    whole = table.filter(pl.col("turn").is_null()).row(0, named=True)
    turns = table.drop_nulls("turn")
    top = turns.sort("estimate", descending=True).row(0, named=True)
    shown = turns.filter((pl.col("turn") == 1) | (pl.col("turn") % 5 == 0))
    rows = [
        [
            "all turns" if r["turn"] is None else f"turn {r['turn']}",
            number_of(r),
            " · ".join(format_number(r[q]) for q in tables.QUANTILES),
            f"{r['n']:,}",
        ]
        for r in [whole, *shown.iter_rows(named=True)]
    ]
    blocks = [
        Chart(
            "choices",
            charts.choices_chart(table).figure,
            f"Options by turn: {number_of(whole)} on average over all turns, most in turn {top['turn']}, "
            f"{number_of(top)}.",
            "An option is a tile of the hand, its place and the way round it lies; equal tiles count once. Few games "
            "get to the last turns.",
            "choices",
        ),
        Table(
            "choices",
            "How many options does a turn have? (n counts turns)",
            ["", "Mean", "P5 · median · P95", "n"],
            rows,
            table,
            "Turns in which a tile can be placed, counted over all seats; every fifth turn is shown, all are in the "
            "CSV. P5, median and P95: 5, 50 and 95 % of these turns have at most so many options (without intervals).",
        ),
    ]
    finding = (
        f"A turn has {number_of(whole)} options on average (5 % of the turns at most {format_number(whole['p5'])}, "
        f"95 % at most {format_number(whole['p95'])}); most in turn {top['turn']}, {number_of(top)}."
    )
    return Chapter([Section("choices", "Options", blocks)], [finding])
