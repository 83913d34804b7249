"""What a report on one run of Fuji-san says beyond what it says about every game."""

from __future__ import annotations

import polars as pl

from meeplecarlo.games.fuji_san import SIZES
from meeplecarlo.games.fuji_san.report import charts, tables
from meeplecarlo.games.fuji_san.report.tables import ALL, BOTH, EITHER, NOBODY, SEATS
from meeplecarlo.report.formats import UNKNOWN, format_number, number_of, percent_of, plural
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.store.dataset import Run

STRONG = 0.9  # a player that wins more than this from both seats hides what a seat is worth
TIED = (
    "Placing first and capturing first are tied together by the rules: seat 0 places first and also takes the first "
    "capture turn, while seat 1 makes the first removal. So the game as printed cannot separate the three, and neither "
    "can this run: it measures what all of them together are worth to seat 0."
)
SCRIPTED = (
    "These are scripted players. That one of them wins with a plan, or loses with it, does not say what people or "
    "perfect play would do."
)
MAP = (
    "The board is an assumption: the published one has not been seen, and other boards (--board) may make other spaces "
    "and another seat better."
)


def chapter(sample: Sample) -> Chapter:
    """Return what only a report on Fuji-san has."""
    run = sample.run
    parts = []
    same = sample.identical
    movers = tables.movers(sample)
    if not movers.height:
        words = "No game of this run came to an end, so there is no result to report."
        return Chapter([Section("first", "Going first", [Text(words, warning=True)])])
    parts.append(_first(sample, movers, same))
    if tables.mirrors(run):
        parts.append(_mirror(sample, same))
    parts.append(_captures(sample))
    if run.has("scores"):
        parts.append(_map(sample))
    if run.has("moves"):
        parts.append(_options(sample))
    return Chapter([s for p in parts for s in p.sections], [f for p in parts for f in p.findings], limits(run))


def limits(run: Run) -> list[str]:
    """Return what no run can say."""
    found = [SCRIPTED, TIED]
    if run.manifest["game"]["components"]["board"]["file"] in run.game.components[0].shipped:
        found.append(MAP)
    if len(run.players) > 1:
        found.append(
            "Between players of unequal strength the stronger one wins from either seat, which hides what a seat is "
            "worth. To see that alone, let one player play itself: "
            f"meeplecarlo simulate fuji-san --players {run.players[0]},{run.players[0]}"
        )
    return found


def _first(sample: Sample, movers: pl.DataFrame, same: bool) -> Chapter:
    run = sample.run
    of = {(r["order"], r["measure"]): r for r in movers.iter_rows(named=True)}
    scored = run.has("scores")
    first = tables.first_captures(sample) if scored else pl.DataFrame(schema={"by": pl.String, "measure": pl.String,
            **{c: movers.schema[c] for c in movers.columns[2:]}})  # fmt: skip
    by = {(r["by"], r["measure"]): r for r in first.iter_rows(named=True)}
    turns = {r["measure"]: r for r in tables.turns(sample).iter_rows(named=True)}
    orders = list(dict.fromkeys(movers["order"]))
    names = {o: charts.order_label(o, run.players).replace("\n", " ") for o in orders}
    win = of[ALL, "win_share_0"]
    words = (
        f"Places first (seat 0): {percent_of(win)}; removes first (seat 1): {percent_of(of[ALL, 'win_share_1'])}; "
        f"first capture turn (seat 0): {percent_of(win)}."
    )
    if (EITHER, "win_share") in by:
        words += f" Makes the first capture, whoever it is: {percent_of(by[EITHER, 'win_share'])}."
    blocks: list = [
        Text(TIED),
        Chart(
            "movers",
            charts.movers_chart(movers, first).figure,
            f"Win share of who goes first in each phase. {words}",
            "Seat 0 goes first in two phases, so two rows are the same number, and seat 1 has the rest. The last row "
            "is no right of a seat but something a player achieves: a strong player captures first and also wins, so "
            "it shows what goes with winning, not what causes it.",
            "movers",
        ),
        Chart(
            "outcomes",
            charts.outcomes_chart(movers, run.players).figure,
            "; ".join(
                f"{names[o]}: seat 0 wins {percent_of(of[o, 'won_0'])}, draw {percent_of(of[o, 'draw'])}, seat 1 wins "
                f"{percent_of(of[o, 'won_1'])}"
                for o in orders
            )
            + ".",
            "If the colours swap sides from one row to the other, the player decides; if they stay, the seat does.",
            "movers",
        ),
        Table(
            "movers",
            "What is it worth to be seat 0? (n counts games)",
            ["", "Seat 0 wins", "Draw", "Seat 1 wins", "Pips of seat 0", "Pips of seat 1", "Seat 0 ahead by", "n"],
            [
                [
                    names[o],
                    *(percent_of(of[o, m]) for m in ("won_0", "draw", "won_1")),
                    *(number_of(of[o, m]) for m in ("pips_0", "pips_1")),
                    number_of(of[o, "lead"], sign=True),
                    f"{of[o, 'draw']['n']:,}",
                ]
                for o in orders
            ],
            movers,
            "Seat 0 places first and takes the first capture turn; seat 1 makes the first removal. " + _intervals(same),
        ),
    ]
    if scored:
        blocks.append(_first_captures_table(first, by, same))
    findings = [_answer(run, of, turns, same)]
    if (EITHER, "win_share") in by:
        findings.append(
            f"Seat 0 makes the first capture in {percent_of(by[SEATS[0], 'makes'])} of the games, seat 1 in "
            f"{percent_of(by[SEATS[1], 'makes'])}. Whoever captures first wins {percent_of(by[EITHER, 'wins'])} of "
            f"these games and draws {percent_of(by[EITHER, 'draws'])}; that goes with winning and need not cause it."
        )
    return Chapter([Section("first", "Does going first help?", blocks)], findings)


def _intervals(same: bool) -> str:
    return "No intervals: all games are the same." if same else "95 % intervals over deals, each for itself."


def _first_captures_table(first: pl.DataFrame, by: dict, same: bool) -> Table:
    rows = []
    for name in (EITHER, *SEATS, NOBODY):
        cells = [percent_of(by[name, m]) if (name, m) in by else UNKNOWN for m in ("makes", "wins", "draws", "loses")]
        turn = number_of(by[name, "turn"]) if (name, "turn") in by else UNKNOWN
        rows.append([name, *cells, turn, f"{by[name, 'wins']['n'] if (name, 'wins') in by else 0:,}"])
    return Table(
        "first_captures",
        "Who captures first, and who wins then? (n counts games with this first capture)",
        ["First capture by", "Share of games", "It wins", "Draw", "It loses", "Mean capture turn", "n"],
        rows,
        first,
        "Capture turns count from 1; seat 0 has the odd ones. " + _intervals(same),
    )


def _answer(run: Run, of: dict, turns: dict, same: bool) -> str:
    """Return the sentence on whether placing first or capturing first helps."""
    win, lead, draw = of[ALL, "win_share_0"], of[ALL, "lead"], of[ALL, "draw"]
    orders = list(dict.fromkeys(o for o, _ in of if o != ALL))
    one_sided = bool(orders) and win["estimate"] == 0.5 and not win["se"] and win["deals"] > 1
    details = f"is ahead of seat 1 by {number_of(lead, sign=True)} captured pips"
    if same:
        head = f"in the {'games' if orders else 'game'} played, seat 0 has a win share of {percent_of(win)}"
    elif one_sided:
        head = "it decides no game here: in every deal the same player wins from both seats, or all is shared"
    elif win["lo"] is None:
        head = f"seat 0 has a win share of {percent_of(win)}; with one deal nothing more can be said"
    elif win["lo"] > 0.5:
        head = f"it helps: seat 0 has a win share of {percent_of(win)}"
    elif win["hi"] < 0.5:
        head = f"it hurts: seat 0 has a win share of {percent_of(win)}"
    else:
        head = f"no effect on winning could be shown: seat 0 has a win share of {percent_of(win)}"
    words = (
        f"Does placing first or capturing first help? Both belong to seat 0, so only together, and {head}. Seat 0 "
        f"{details} on average, and has {number_of(turns['turns_0'])} capture turns against "
        f"{number_of(turns['turns_1'])} of seat 1. Draws: {percent_of(draw)} of the games."
    )
    if orders:
        words += " " + "; ".join(
            f"{p} has a win share of {percent_of(of[p, 'win_share_0'])} in seat 0"
            + "".join(f" and {percent_of(of[q, 'win_share_1'])} in seat 1" for q in orders if q != p)
            for p in orders
        ) + "."  # fmt: skip
    by_player = [
        [of[p, "win_share_0"]["estimate"], *(of[q, "win_share_1"]["estimate"] for q in orders if q != p)]
        for p in orders
    ]
    if any(len(shares) > 1 and min(shares) > STRONG for shares in by_player):
        words += " So one of them wins nearly always, which leaves no room to see what a seat is worth."
    return words


def _mirror(sample: Sample, same: bool) -> Chapter:
    run, table = sample.run, tables.mirror(sample)
    (player,) = tables.mirrors(run)
    other = next(p for p in run.players if p != player)
    of = {(r["seat"], r["measure"]): r for r in table.iter_rows(named=True)}
    seats = list(dict.fromkeys(table["seat"]))
    how = (
        f"{tables.symmetry_words(run)}. Only the seat that places second can copy every placement, and after seat 1's "
        "removal only seat 0 can make the board symmetric again; where there is nothing to copy, it plays as greedy."
    )
    names = {EITHER: "both seats", SEATS[0]: "seat 0: places first", SEATS[1]: "seat 1: places second"}
    rows = [
        [
            names[s],
            percent_of(of[s, "win_share"]),
            *(percent_of(of[s, m]) for m in ("wins", "draws", "loses")),
            number_of(of[s, "lead"], sign=True),
            f"{of[s, 'wins']['n']:,}",
        ]
        for s in seats
    ]
    words = "; ".join(f"{names[s]} {percent_of(of[s, 'win_share'])}" for s in seats)
    blocks = [
        Text(how),
        Chart(
            "mirror",
            charts.mirror_chart(table).figure,
            f"Win share of {player} against {other}: {words}.",
            "Mirroring would break the game if it won from one of the seats, whoever plays against it.",
            "mirror",
        ),
        Table(
            "mirror",
            f"How does {player} do against {other}? (n counts games)",
            ["It sits in", "Win share", "Wins", "Draws", "Loses", "Pips ahead by", "n"],
            rows,
            table,
            _intervals(same),
        ),
    ]
    return Chapter([Section("mirror", "Does mirroring break the game?", blocks)], [_verdict(player, other, of, same)])


def _verdict(player: str, other: str, of: dict, same: bool) -> str:
    shares = [of[s, "win_share"] for s in SEATS if (s, "win_share") in of]
    words = " and ".join(
        f"{percent_of(of[s, 'win_share'])} when it places {which}"
        for s, which in zip(SEATS, ("first", "second"), strict=True)
        if (s, "win_share") in of
    )
    head = f"Does mirroring break the game? {player} has a win share against {other} of {words}: "
    known = all(s["lo"] is not None for s in shares)
    if same or not known:
        return head + "too little to say more than that about these games."
    if any(s["lo"] > 0.5 for s in shares):
        return head + f"from one seat at least it beats {other}. Let it meet the strongest players before you trust it."
    if all(s["hi"] < 0.5 for s in shares):
        return head + f"no. {other} beats it from both seats, so mirroring alone does not win."
    return head + "it could not be shown to win from either seat, nor to lose from both."


def _captures(sample: Sample) -> Chapter:
    run = sample.run
    spread, table = tables.spread(sample), tables.turns(sample)
    of = {r["measure"]: r for r in table.iter_rows(named=True)}
    spaces = tables.spaces_of(run)
    words = {
        "turns": "Capture turns",
        "turns_0": "Capture turns of seat 0",
        "turns_1": "Capture turns of seat 1",
        "captures": "Captures of both seats",
        "pips": "Captured pips of both seats",
        "none": "Games without a capture",
        "draw": "Draws",
    }
    rows = [
        [name, (percent_of if m in ("none", "draw") else number_of)(of[m]), f"{of[m]['n']:,}"]
        for m, name in words.items()
    ]
    pips = spread.filter(pl.col("what").is_in(SEATS))
    turn = spread.filter(what="turns").sort("estimate", descending=True).row(0, named=True)
    ranges = "; ".join(
        f"{s}: {pips.filter(what=s)['value'].min()} to {pips.filter(what=s)['value'].max()}" for s in SEATS
    )
    blocks: list = [
        Chart(
            "pips",
            charts.pips_chart(spread).figure,
            f"Distribution of captured pips, {ranges}.",
            "Bars at the same number belong together: plain blue is seat 0, hatched orange seat 1."
            + (" Two humps are the two players, which take turns in both seats." if len(run.players) > 1 else ""),
            "spread",
        ),
        Chart(
            "length",
            charts.length_chart(spread, spaces).figure,
            f"Distribution of capture turns; most often {turn['value']}, in {percent_of(turn)} of the games.",
            f"Turns and captures of a game always add up to {spaces - 2}, the spaces less two: every capture saves a "
            "turn. So more captures mean a shorter game.",
            "spread",
        ),
        Table("spread", "", [], [], spread),
        Table("turns", "What happens in a game? (n counts games)", ["", "Estimate", "n"], rows, table),
    ]
    findings = [
        f"How often is it a draw? In {percent_of(of['draw'])} of the games. A game has {number_of(of['turns'])} "
        f"capture turns and {number_of(of['captures'])} captures, worth {number_of(of['pips'])} pips in all."
    ]
    if run.has("scores"):
        sizes = tables.sizes(sample)
        by = {(r["whose"], r["size"]): r for r in sizes.iter_rows(named=True)}
        whose = list(dict.fromkeys(sizes["whose"]))
        blocks.append(
            Table(
                "sizes",
                "What is captured? (captures per game; n counts games)",
                ["Captured by", *(s.capitalize() for s in SIZES), "Any", "n"],
                [[w, *(number_of(by[w, s]) for s in (*SIZES, "any")), f"{by[w, 'any']['n']:,}"] for w in whose],
                sizes,
                "A player's row counts its captures from whatever seat it had in the game.",
            )
        )
        if by[BOTH, "any"]["estimate"]:
            parts = [
                f"{format_number(100 * by[BOTH, s]['estimate'] / by[BOTH, 'any']['estimate'])} % {s}" for s in SIZES
            ]
            findings.append(f"Of the captured pyramids, {', '.join(parts)}.")
    return Chapter([Section("captures", "Captures and length", blocks)], findings)


def _map(sample: Sample) -> Chapter:
    table, edges = tables.spaces(sample), tables.edges(sample)
    rules = tables.rules_of(sample.run)
    both = table.filter(whose=BOTH).sort(["estimate", "space"], descending=[True, False])
    top, last = both.row(0, named=True), both.row(-1, named=True)
    by = {(r["whose"], r["name"]): r for r in table.iter_rows(named=True)}
    rows = [
        [
            r["name"],
            str(r["neighbours"]),
            number_of(r),
            *(number_of(by[s, r["name"]]) for s in SEATS),
            f"{r['n']:,}",
        ]
        for r in table.filter(whose=BOTH).iter_rows(named=True)
    ]
    kinds = "; ".join(
        f"{plural(r['spaces'], 'space')} with {r['neighbours']} neighbours: {number_of(r)} captures each per game"
        for r in edges.iter_rows(named=True)
    )
    blocks = [
        Chart(
            "capture_map",
            charts.capture_map(table, rules).figure,
            f"Captures per game on the board. Most on {top['name']}, {number_of(top)}; fewest on {last['name']}, "
            f"{number_of(last)}. {kinds}.",
            "Every triangle is a space; the number is how often a pyramid is captured there per game, the small letter "
            "and number its name in logs and replays. More than one capture a game can be made on the same space.",
            "spaces",
        ),
        Table(
            "spaces",
            "Where are pyramids captured? (captures per game; n counts games)",
            ["Space", "Neighbours", "By both seats", *(f"By {s}" for s in SEATS), "n"],
            rows,
            table,
        ),
        Table("edges", "", [], [], edges),
    ]
    return Chapter([Section("map", "Where pyramids are captured", blocks)], [f"Where are pyramids captured? {kinds}."])


def _options(sample: Sample) -> Chapter:
    by_phase, by_turn = tables.options_by_phase(sample), tables.options_by_turn(sample)
    rows = [
        [
            r["phase"].replace("_", " "),
            number_of(r),
            " · ".join(format_number(r[q]) for q in tables.QUANTILES),
            f"{r['n']:,}",
        ]
        for r in by_phase.iter_rows(named=True)
    ]
    words = "; ".join(f"{r['phase'].replace('_', ' ')} {number_of(r)}" for r in by_phase.iter_rows(named=True))
    blocks = [
        Chart(
            "options",
            charts.options_chart(by_turn, tables.spaces_of(sample.run)).figure,
            f"Options of a decision by round. Means by phase: {words}.",
            "A placement chooses size and space at once. The second pyramid to take has one option fewer than the "
            "first and is not drawn. Capturing counts only turns in which something can be captured, the choice to "
            "capture nothing included. Few games get to the last rounds.",
            "options_by_turn",
        ),
        Table(
            "options_by_phase",
            "How many options does a decision have? (n counts decisions)",
            ["Phase", "Mean", "P5 · median · P95", "n"],
            rows,
            by_phase,
            "P5, median and P95: 5, 50 and 95 % of the decisions have at most so many options (without intervals).",
        ),
        Table("options_by_turn", "", [], [], by_turn),
    ]
    return Chapter([Section("options", "Options", blocks)])
