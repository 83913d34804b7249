"""What a report on one run of Heizei says beyond what it says about every game."""

from __future__ import annotations

import polars as pl

from meeplecarlo.games.heizei.report import charts, race, tables
from meeplecarlo.games.heizei.report.charts import ordinal, round_name
from meeplecarlo.games.heizei.report.tables import ALL, OUT, PLACES, ROUNDS, TURN
from meeplecarlo.report.formats import (
    UNKNOWN,
    format_estimate,
    format_number,
    format_p,
    join_words,
    number_of,
    percent_of,
)
from meeplecarlo.report.sample import Sample, labelled
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
TRACK_ASSUMED = (
    "How many spaces the printed track has is not known here; it is taken to have no end, which decides how far cubes "
    "can get apart."
)
EACH = "95 % intervals over deals, each for itself."


def chapter(sample: Sample) -> Chapter:
    """Return what only a report on Heizei has."""
    run = sample.run
    if not tables.finished_seats(run).head(1).collect().height:
        words = "No game of this run came to an end, so there is no result to report."
        return Chapter([Section("out", "Going out first", [Text(words, warning=True)])])
    parts = []
    if run.has("scores"):
        parts += [_penalty(sample), _out(sample), _start(sample)]
    parts.append(_colours(sample))
    if run.has("moves"):
        parts.append(_race(sample))
    if run.has("scores"):
        parts.append(_rounds(sample))
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


def _by(table: pl.DataFrame, *keys: str) -> dict:
    """Return the rows of a table by some of their columns; by the value itself for one."""
    rows = table.iter_rows(named=True)
    return {tuple(r[k] for k in keys) if len(keys) > 1 else r[keys[0]]: r for r in rows}


def _shown(sample: Sample) -> list[str]:
    """Return of whom there are rows, the single player of a line-up being all players."""
    return tables.whose(sample.run)


def _namer(sample: Sample):
    """Return how a player, or all of them, is called."""
    name, alone = labelled(sample.run), len(sample.run.players) == 1
    return lambda player: name(sample.run.players[0]) if player == ALL and alone else name(player)


def _points(row: dict) -> str:
    """Return a difference of shares in percentage points."""
    return format_estimate(
        row["estimate"], row["lo"], row["hi"], row["se"], scale=100, unit=" percentage points", sign=True
    )


def _pp(row: dict) -> str:
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, sign=True)


def _verdict(row: dict, more: str, less: str, open_: str) -> str:
    """Return words by where the interval of a difference lies."""
    if row["lo"] is None:
        return open_
    return more if row["lo"] > 0 else less if row["hi"] < 0 else open_


def _best(sample: Sample) -> str:
    """Return the player with the greatest win share per seat held; all players where there is one only."""
    if len(sample.run.players) == 1:
        return ALL
    sums = sample.sums(sample.run.seats, ["player"], n=pl.len(), wins=pl.col("win_share").sum())
    return max(
        (p for p in sample.run.players if (p,) in sums), key=lambda p: sums[p,]["wins"].sum() / sums[p,]["n"].sum()
    )


# --- the penalty ---------------------------------------------------------------------------------------------------
def _penalty(sample: Sample) -> Chapter:
    run, name = sample.run, _namer(sample)
    decide, lost, points = tables.deciders(sample), tables.penalty(sample), tables.round_points(sample)
    of, by, scored = (
        _by(decide, "without", "measure"),
        _by(lost, "player", "measure"),
        _by(points, "player", "round", "measure"),
    )
    whats = [w for w in dict.fromkeys(decide["without"]) if w != tables.DIFFERENCE]
    negative = {p: scored[p, 2, "negative"] for p in _shown(sample) if (p, 2, "negative") in scored}
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
            ["Without", "Wins that move", "Games with other winners", "It sets seats apart by, points (SD)", "n"],
            [
                [
                    w,
                    percent_of(of[w, "moved"]),
                    percent_of(of[w, "changed"]),
                    number_of(of[w, "sd"]),
                    f"{of[w, 'moved']['n']:,}",
                ]
                for w in whats
            ],
            decide,
            "SD: standard deviation over seats of what they get from it, against the mean of their game. Without the "
            f"tiles of round 2 there is no tie-break: equal points share the win. {EACH}",
        ),
        Chart(
            "negative",
            charts.negative_chart(points, name).figure,
            "Share of seats that score less than 0 points in round 2, tile included: "
            + "; ".join(f"{name(p)} {percent_of(r)}" for p, r in negative.items())
            + ".",
            "A dot is the share of the seats a player held; the bar is the 95 % interval.",
            "round_points",
        ),
    ]
    if lost.height:
        rows = [
            [
                name(p),
                number_of(by[p, "points"]),
                number_of(by[p, "cards"]),
                *(percent_of(by[p, f"place_{k}"]) for k in PLACES),
                percent_of(negative[p]),
                f"{by[p, 'cards']['n']:,}",
            ]
            for p in negative
        ]
        head = ["Player", "Points of it", "Cards of it", *(f"Its cube is {ordinal(k)}" for k in PLACES), "Round below 0",
                "n"]  # fmt: skip
        note = (
            "The colour that counts negative: its points, how many cards of it a seat has, and how often its cube ends "
            f"where. A seat with other points loses twice these against counting them positive. {EACH}"
        )
        title = "What does the penalty cost? (n counts seats held)"
        blocks.append(Table("penalty", title, head, rows, lost, note))
    return Chapter([Section("penalty", "The penalty of round 2, and the tiles", blocks)],
                   _penalty_sentences(sample, of, by, negative, scored))  # fmt: skip


def _penalty_sentences(sample: Sample, of: dict, by: dict, negative: dict, scored: dict) -> list[str]:
    tiles = of[tables.TILES, "moved"]
    if not by:
        return [
            f"No colour counts negative here. Without the point tiles {percent_of(tiles)} of the wins would go to "
            f"another seat. In round 2 {percent_of(negative[ALL])} of the seats score less than 0 points."
        ]
    penalty, change = of[tables.PENALTY, "moved"], of[tables.DIFFERENCE, "moved"]
    head = _verdict(change, "the penalty decides more", "the tiles decide more", "it could not be told apart")
    best = _best(sample)
    words = (
        f"Does round 2's penalty or do the tiles decide more? Counting winners again, {head}: if the cards that count "
        f"negative counted positive, {percent_of(penalty)} of the wins would go to another seat, if they counted "
        f"nothing {percent_of(of[tables.HALF, 'moved'])}; without any tiles it would be {percent_of(tiles)}. The "
        f"difference of the first and the last is {_points(change)} (p {format_p(change['p'])}, paired over deals)."
    )
    cost = (
        f"The colour that counts negative costs a seat {_positive(by[ALL, 'points'])} points on average, and "
        f"{percent_of(negative[ALL])} of the seats score less than 0 in round 2"
    )
    if best != ALL:
        name = _namer(sample)
        cost += (
            f". Of {name(best)}, the player that wins most, it is {_positive(by[best, 'points'])} points and "
            f"{percent_of(negative[best])}"
        )
    cost += (
        f". Points of round 2 have a standard deviation of {number_of(scored[ALL, 2, 'sd'])}, those of round 1 one of "
        f"{number_of(scored[ALL, 1, 'sd'])}."
    )
    return [words, cost]


def _positive(row: dict) -> str:
    """Return an estimate with the other sign."""
    lo, hi = (None if row[c] is None else -row[c] for c in ("hi", "lo"))
    return format_estimate(-row["estimate"], lo, hi, row["se"])


# --- going out, starting -------------------------------------------------------------------------------------------
def _out(sample: Sample) -> Chapter:
    title, sums = "Going out first", tables.order_sums(sample, OUT)
    if not sums:
        words = (
            "The point tiles of this run are alike and it kept no moves, so who went out when is not known and what "
            "going out first is worth cannot be told."
        )
        return Chapter([Section("out", title, [Text(words)])])
    table, change = tables.by_order(sample, sums, OUT), tables.first_against_later(sample, sums)
    name = _namer(sample)
    of = _by(table, "player", "round", OUT, "measure")
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
        _order_table(sample, table, OUT, "What do seats score by when they go out? (n counts seats held)"),
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


def _order_table(sample: Sample, table: pl.DataFrame, order: str, title: str) -> Table:
    name = _namer(sample)
    of = _by(table, "player", "round", order, "measure")
    rows = [
        [
            name(player),
            round_name(number),
            ordinal(place),
            *(number_of(of[player, number, place, m]) for m in ("cards", "tile", "points")),
            number_of(of[player, number, place, "above"], sign=True),
            percent_of(of[player, number, place, "win_share"]),
            f"{of[player, number, place, 'points']['n']:,}",
        ]
        for player, number, place in dict.fromkeys(key[:3] for key in of)
        if player == ALL
    ]
    head = ["Player", "Round", "Goes out" if order == OUT else "Plays", "Points of cards", "Tile", "Points of the round",
            "Against the mean of the table", "Win share in the game", "n"]  # fmt: skip
    note = f"The file has the same for every player by itself. {EACH}"
    return Table(order, title, head, rows, table, note)


def _first_blocks(
    sample: Sample, table: pl.DataFrame, key: str, question: str, xlabel: str, doing: str, name
) -> list[Chart | Table]:
    """Return the chart and table of `tables.first_against_later`."""
    of = _by(table, "player", "round", "measure")
    groups = list(dict.fromkeys(k[:2] for k in of))
    if not groups:
        return []
    rows = [
        [
            name(player),
            round_name(number),
            *(number_of(of[player, number, m], sign=True) for m in ("cards", "tile", "points")),
            _pp(of[player, number, "win_share"]),
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
    diff = _by(change, "player", "round", "measure")
    best = _best(sample)
    found, name = [], _namer(sample)
    for number in ROUNDS:
        if (ALL, number, 1, "cards") not in of or (best, number, "points") not in diff:
            continue
        cards, tile, points, wins = (diff[best, number, m] for m in ("cards", "tile", "points", "win_share"))
        head = _verdict(points, "these rounds bring more", "these rounds bring less",
                        "no difference could be shown")  # fmt: skip
        of_whom = f"when {name(best)} goes out first" if best != ALL else "whoever goes out first"
        found.append(
            f"Round {number}, is going out first worth it? {of_whom[0].upper()}{of_whom[1:]}, {head} than its others: "
            f"cards {number_of(cards, sign=True)} points, tile {number_of(tile, sign=True)}, together "
            f"{number_of(points, sign=True)}; its win share is {_points(wins)} apart. Over all players, the first to go "
            f"out wins {percent_of(of[ALL, number, 1, 'win_share'])} of the games, the last one "
            f"{percent_of(of[ALL, number, sample.run.n_seats, 'win_share'])}."
        )
    return found


def _start(sample: Sample) -> Chapter:
    sums = tables.order_sums(sample, TURN)
    table, change = tables.by_order(sample, sums, TURN), tables.first_against_later(sample, sums)
    name = _namer(sample)
    of = _by(table, "player", "round", TURN, "measure")
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
        _order_table(sample, table, TURN, "What do seats score by the order of turns? (n counts seats held)"),
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
    diff = _by(change, "player", "round", "measure")
    found, name, best = [], _namer(sample), _best(sample)
    if (ALL, 1, "points") in diff:
        points, wins = diff[ALL, 1, "points"], diff[ALL, 1, "win_share"]
        head = _verdict(points, "it is ahead in that round", "it is behind in that round",
                        "no advantage in that round could be shown")  # fmt: skip
        found.append(
            f"How strong is the start player? Seat 0 starts round 1 and {head}: {number_of(points, sign=True)} points "
            f"against the other seats. It wins {percent_of(of[ALL, 1, 1, 'win_share'])} of the games, "
            f"{_points(wins)} against the others, where equal seats win "
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


# --- colours -------------------------------------------------------------------------------------------------------
def _colours(sample: Sample) -> Chapter:
    run = sample.run
    starts, told = race.circles(sample), race.foretold(sample)
    of = _by(starts, "round", "circle", "measure")
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
    of = _by(table, "round", "by", "measure")
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
                _pp(first) + " pp" if gap else percent_of(first),
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
    of = _by(table, "round", "by", "measure")
    parts, heads = [], set()
    for number in ROUNDS:
        if (number, race.DIFFERENCE, "first") not in of:
            continue
        head, longest, change = (of[number, by, "first"] for by in (race.HEAD, race.LONGEST, race.DIFFERENCE))
        heads.add(_verdict(change, "the cube order tells more", "the hand tells more", "neither tells clearly more"))
        parts.append(
            f"in round {number} the cube that starts at the head ends first in {percent_of(head)} of the games, the "
            f"longest colour of a hand in {percent_of(longest)}, a difference of {_points(change)}"
        )
    if not parts:
        return []
    head = heads.pop() if len(heads) == 1 else "it depends on the round"
    return [f"Does the cube order decide more than the hand? By these two signs {head}: {'; '.join(parts)}."]


def _collected(sample: Sample) -> tuple[list, list[str]]:
    table, worth = race.collected(sample), race.by_place(sample)
    values = tables.rules_of(sample.run)["values"][0, 1].tolist()
    of, by = _by(table, "round", "cards", "measure"), _by(worth, "place", "measure")
    counts = sorted({k[1] for k in of})
    places = sorted({k[0] for k in by})

    def cell(key: tuple, text) -> str:
        return text(of[key]) if key in of else UNKNOWN

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


# --- the race ------------------------------------------------------------------------------------------------------
def _race(sample: Sample) -> Chapter:
    title, table = "The race, turn by turn", race.race(sample)
    if not table.height:
        words = "The games cannot be played over: their moves are not legal by the rules at hand."
        return Chapter([Section("race", title, [Text(words)])])
    of = _by(table, "round", "turns", "cube", "which", "measure")
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
            f"The first {games:,} games played over. The circles are spaces 1 to 4; at 0 % the cards of the preparation "
            "have moved the cubes. Each line follows the cube that ends at that place, whatever its colour.",
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


# --- points of the rounds ------------------------------------------------------------------------------------------
def _rounds(sample: Sample) -> Chapter:
    table, spread, name = tables.round_points(sample), tables.round_spread(sample), _namer(sample)
    of = _by(table, "player", "round", "measure")
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
