"""What the report says about going out first and about the start player."""

from __future__ import annotations

import polars as pl

from meeplecarlo.games.heizei.report import charts, tables
from meeplecarlo.games.heizei.report.charts import ordinal, round_name
from meeplecarlo.games.heizei.report.tables import ALL, OUT, ROUNDS, TURN
from meeplecarlo.games.heizei.report.words import EACH, best_player, namer, points_of, pp, rows_by, verdict
from meeplecarlo.report.formats import format_number, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text


def going_out(sample: Sample) -> Chapter:
    """Return what a seat scores by when it goes out, and what going out first changes."""
    title, sums = "Going out first", tables.order_sums(sample, OUT)
    if not sums:
        words = (
            "The point tiles of this run are alike and it kept no moves, so who went out when is not known and what "
            "going out first is worth cannot be told."
        )
        return Chapter([Section("out", title, [Text(words)])])
    table, change = tables.by_order(sample, sums, OUT), tables.first_against_later(sample, sums)
    name = namer(sample)
    of = rows_by(table, "player", "round", OUT, "measure")
    wins = charts.by_order_chart(table, OUT, "win_share", "Do those who go out early win more often?",
                                 "Win share in the whole game")  # fmt: skip
    blocks: list = [
        Chart(
            "out_points",
            charts.out_points_chart(table).figure,
            "Mean points of a seat in a round. " + _order_words(of, sample, "points", "to go out", number_of),
            "The plain part comes from cards, the hatched part is the tile. If going out early cost nothing, the plain "
            "parts would be equally long.",
            "out",
        ),
        Chart(
            "out_wins",
            wins.figure,
            "Win share in the whole game. " + _order_words(of, sample, "win_share", "to go out", percent_of),
            "A mark is the share of games won by the seat that went out so early in that round; on the dashed line all "
            "would be equal.",
            "out",
        ),
        _order_table(table, OUT, "What do seats score by when they go out? (n counts seats held)"),
    ]
    blocks += _first_blocks(
        sample,
        change,
        "first_out",
        "What does a player score more when it goes out first?",
        "Points of the round when first out, minus those of other rounds",
        "goes out first",
        name,
    )
    return Chapter([Section("out", title, blocks)], _out_sentences(sample, of, change))


def _order_words(of: dict, sample: Sample, measure: str, doing: str, text) -> str:
    seats = range(1, sample.run.n_seats + 1)
    return " ".join(
        f"Round {number}: "
        + "; ".join(
            f"{ordinal(k)} {doing} {text(of[ALL, number, k, measure])}"
            for k in seats
            if (ALL, number, k, measure) in of
        )
        + "."
        for number in ROUNDS
    )


def _order_table(table: pl.DataFrame, order: str, title: str) -> Table:
    of = rows_by(table.filter(player=ALL), "round", order, "measure")
    rows = [
        [
            round_name(number),
            ordinal(place),
            *(number_of(of[number, place, m]) for m in ("cards", "tile", "points")),
            number_of(of[number, place, "above"], sign=True),
            percent_of(of[number, place, "win_share"]),
            f"{of[number, place, 'points']['n']:,}",
        ]
        for number, place in dict.fromkeys(key[:2] for key in of)
    ]
    head = ["Round", "Goes out" if order == OUT else "Plays", "Points of cards", "Tile", "Points of the round",
            "Against the mean of the table", "Win share in the game", "n"]  # fmt: skip
    note = f"All players together; the file has the same for every player by itself. {EACH}"
    return Table(order, title, head, rows, table, note)


def _first_blocks(
    sample: Sample, table: pl.DataFrame, key: str, question: str, xlabel: str, doing: str, name
) -> list[Chart | Table]:
    """Return the chart and table of `tables.first_against_later`."""
    of = rows_by(table, "player", "round", "measure")
    groups = list(dict.fromkeys(k[:2] for k in of))
    if not groups:
        return []
    rows = [
        [
            name(player),
            round_name(number),
            *(number_of(of[player, number, m], sign=True) for m in ("cards", "tile", "points")),
            pp(of[player, number, "win_share"]),
            f"{of[player, number, 'points']['n']:,}",
        ]
        for player, number in groups
    ]
    head = ["Player", "Round", "Points of cards", "Tile", "Cards and tile", "Win share in the game, pp", "n"]
    block = Table(
        key,
        f"What is different when a player {doing}? (n counts the fewer of both kinds of rounds)",
        head,
        rows,
        table,
        f"When the player {doing}, minus when it does not. In the row of all players, strong and weak ones are mixed: "
        f"look at the players by themselves. {EACH}",
    )
    if not table["lo"].is_not_null().any():
        return [block]
    words = "; ".join(
        f"{name(p)} in round {r} {number_of(of[p, r, 'points'], sign=True)}" for p, r in groups if p != ALL
    )
    words = words or "; ".join(f"round {r} {number_of(of[p, r, 'points'], sign=True)}" for p, r in groups)
    return [
        Chart(
            key,
            charts.first_chart(table, question, xlabel, name).figure,
            f"{question} Cards and tile together: {words}.",
            "Rounds of one player are compared with each other, so it does not matter who is strong. Left of the "
            "dashed line it scores less in such rounds.",
            key,
        ),
        block,
    ]


def _out_sentences(sample: Sample, of: dict, change: pl.DataFrame) -> list[str]:
    diff = rows_by(change, "player", "round", "measure")
    best = best_player(sample)
    found, name = [], namer(sample)
    for number in ROUNDS:
        if (ALL, number, 1, "cards") not in of or (best, number, "points") not in diff:
            continue
        cards, tile, points, wins = (diff[best, number, m] for m in ("cards", "tile", "points", "win_share"))
        head = verdict(points, "yes, it goes with more points", "no, it goes with fewer points",
                       "no difference could be shown")  # fmt: skip
        whose = f"{name(best)}, against its rounds in which it does not" if best != ALL else "against the other seats"
        found.append(
            f"Is going out first worth the tile? In round {number}, {head}: cards {number_of(cards, sign=True)}, tile "
            f"{number_of(tile, sign=True)}, together {number_of(points, sign=True)} points ({whose}), and a win share "
            f"{points_of(wins)} different. Over all players, the first to go out wins "
            f"{percent_of(of[ALL, number, 1, 'win_share'])} of the games, the last one "
            f"{percent_of(of[ALL, number, sample.run.n_seats, 'win_share'])}."
        )
    return found


def start_player(sample: Sample) -> Chapter:
    """Return what a seat scores by the order of turns, and what starting changes."""
    sums = tables.order_sums(sample, TURN)
    table, change = tables.by_order(sample, sums, TURN), tables.first_against_later(sample, sums)
    name = namer(sample)
    of = rows_by(table, "player", "round", TURN, "measure")
    above = charts.by_order_chart(table, TURN, "above", "What is the order of turns worth?",
                                  "Points of the round against the mean of the table")  # fmt: skip
    wins = charts.by_order_chart(table, TURN, "win_share", "Does the start player win more often?",
                                 "Win share in the whole game")  # fmt: skip
    blocks: list = [
        Chart(
            "turn_points",
            above.figure,
            "Points of the round against the mean of all seats. "
            + _order_words(of, sample, "above", "to play", lambda r: number_of(r, sign=True)),
            "In round 1 seats are drawn by lot, so this is what the seat is worth. Round 2 is started by whoever did "
            "best in round 1, so there it is also the player.",
            "turn",
        ),
        Chart(
            "turn_wins",
            wins.figure,
            "Win share in the whole game. " + _order_words(of, sample, "win_share", "to play", percent_of),
            "Whoever starts round 2 was ahead after round 1, tile included; that alone makes it win more often.",
            "turn",
        ),
        _order_table(table, TURN, "What do seats score by the order of turns? (n counts seats held)"),
    ]
    blocks += _first_blocks(
        sample,
        change,
        "first_turn",
        "What does a player score more when it starts?",
        "Points of the round when it starts, minus those of other rounds",
        "starts",
        name,
    )
    return Chapter([Section("start", "The start player", blocks)], _start_sentences(sample, of, change))


def _start_sentences(sample: Sample, of: dict, change: pl.DataFrame) -> list[str]:
    diff = rows_by(change, "player", "round", "measure")
    found, name, best = [], namer(sample), best_player(sample)
    if (ALL, 1, "points") in diff:
        points, wins = diff[ALL, 1, "points"], diff[ALL, 1, "win_share"]
        head = verdict(points, "it is ahead in that round", "it is behind in that round",
                       "no advantage in that round could be shown")  # fmt: skip
        found.append(
            f"How strong is the start player? Seat 0 starts round 1 and {head}: {number_of(points, sign=True)} points "
            f"against the other seats. It wins {percent_of(of[ALL, 1, 1, 'win_share'])} of the games, "
            f"{points_of(wins)} against the others, where equal seats win "
            f"{format_number(100 / sample.run.n_seats, 1)} %."
        )
    if (best, 2, "points") in diff:
        points = diff[best, 2, "points"]
        who = f"{name(best)}, when it starts round 2," if best != ALL else "Whoever starts round 2"
        found.append(
            f"The leader after round 1 starts round 2 and wins {percent_of(of[ALL, 2, 1, 'win_share'])} of the games. "
            f"{who} scores {number_of(points, sign=True)} points in it against rounds it does not start."
        )
    return found
