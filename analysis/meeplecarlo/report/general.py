"""What a report says about any game: who wins, by how much, from which seat, with which points."""

from __future__ import annotations

import polars as pl

from meeplecarlo.report import charts, shared, tables
from meeplecarlo.report.formats import (
    UNKNOWN,
    format_estimate,
    format_number,
    format_p,
    join_words,
    number_of,
    percent_of,
    plural,
)
from meeplecarlo.report.sample import Sample, labelled
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text

SURE = 0.05  # adjusted p values below this count as a difference that was shown
POWER_80 = 2.80  # standard errors of the least difference found with 80 % power at 5 %


def chapter(sample: Sample, colours: dict[str, str] | None = None) -> Chapter:
    """Return the sections and findings every game has.

    Parameters
    ----------
    colours : dict, optional
        Category of points to colour.
    """
    if sample.run.game.shared_result:
        return shared.chapter(sample)
    parts = [_players(sample), _seats(sample), _points(sample, colours), _closeness(sample)]
    return Chapter(
        [s for part in parts for s in part.sections],
        [f for part in parts for f in part.findings],
        [x for part in parts for x in part.limits],
    )


def _players(sample: Sample) -> Chapter:
    run, name = sample.run, labelled(sample.run)
    table, pairs = tables.players(sample), tables.pairs(sample)
    by = {(r["player"], r["measure"]): r for r in table.iter_rows(named=True)}
    present = list(dict.fromkeys(table["player"].to_list()))
    alone = len(run.players) == 1
    ranked = sorted(present, key=lambda p: -(by[p, "win_share"]["estimate"] or 0))
    rows = []
    for p in ranked:
        win = by[p, "win_share"]
        quantiles = " · ".join(format_number(by[p, q]["estimate"]) for q in tables.QUANTILES)
        copies = run.lineup.count(p)
        rows.append(
            [
                name(p),
                str(copies),
                f"1 / {run.n_seats} by construction" if alone else percent_of(win),
                UNKNOWN
                if alone
                else format_estimate(
                    by[p, "edge"]["estimate"], by[p, "edge"]["lo"], by[p, "edge"]["hi"], win["se"], scale=100, sign=True
                ),
                UNKNOWN if alone else number_of(by[p, "rank"]),
                number_of(by[p, "points"]),
                number_of(by[p, "sd"]),
                quantiles,
                f"{win['n']:,}",
            ]
        )
    head = [
        "Player",
        "Copies",
        "Win share",
        "Edge over parity, pp",
        "Mean rank",
        "Mean points",
        "SD of points",
        "Points P5 · P50 · P95",
        "n",
    ]
    note = (
        "n counts seats held: every copy of a player in every game. Win share is wins per seat held; a win shared by "
        f"two counts ½ for each. Parity is 1 / {run.n_seats} = {format_number(100 / run.n_seats, 1)} %. Rank 1 is "
        "best. P5, P50, P95: 5, 50 and 95 % of seats held end with at most so many points (without intervals)."
    )
    blocks: list = []
    if alone:
        blocks.append(
            Text(
                f"All seats hold the same player, {present[0]}: each wins 1 / {run.n_seats} of its games by "
                "construction, which says nothing about the player. Look at the seats and at the points instead."
            )
        )
    else:
        blocks.append(
            _chart(
                "win_share",
                charts.win_share_chart(table),
                "Win share of each player: " + "; ".join(f"{p} {percent_of(by[p, 'win_share'])}" for p in ranked) + ".",
                "A dot is the share of its games a player wins, per seat it holds; the bar is the 95 % interval. The "
                "dashed line is what each would win if all were equally good.",
                "players",
            )
        )
    blocks.append(Table("players", "How good is each player? (n counts seats held)", head, rows, table, note))
    findings, limits = _ranking_sentences(sample, by, ranked, pairs)
    if pairs.height:
        shown = pairs.filter(pl.col("measure") == "win_share")
        if shown["lo"].is_not_null().any():
            widest = shown.sort("estimate").row(-1, named=True)
            blocks.append(
                _chart(
                    "pairs",
                    charts.pairs_chart(pairs),
                    f"Paired differences of win share between {plural(shown.height, 'pair')} of players; the greatest "
                    f"is {widest['player']} over {widest['other']}, {_points_of(widest)}.",
                    "Each row compares two players in the same deals and the same seats. A bar that does not touch "
                    "the dashed line is a difference by itself; with several rows, trust the Holm-adjusted p in the "
                    "table.",
                    "pairs",
                )
            )
        blocks.append(_pairs_table(pairs))
    return Chapter([Section("players", "Players", blocks)], findings, limits)


def _points_of(row: dict) -> str:
    """Return a difference of shares in percentage points."""
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, unit=" percentage points")


def _pairs_table(pairs: pl.DataFrame) -> Table:
    rows = []
    points = {(r["player"], r["other"]): r for r in pairs.filter(measure="points").iter_rows(named=True)}
    for r in pairs.filter(measure="win_share").iter_rows(named=True):
        other = points[r["player"], r["other"]]
        rows.append(
            [
                r["player"],
                r["other"],
                format_estimate(r["estimate"], r["lo"], r["hi"], r["se"], scale=100, sign=True),
                format_p(r["p_holm"]),
                number_of(other, sign=True),
                format_p(other["p_holm"]),
                f"{r['deals']:,}",
            ]
        )
    head = ["Player", "minus", "Win share, pp", "p (Holm)", "Points", "p (Holm)", "Deals"]
    note = (
        "Paired t over deals; each interval holds for itself, the p values are adjusted for the number of pairs. A "
        "high p means that no difference could be shown, not that there is none. No interval (a dash or a bare "
        "number) where a difference is the same in every deal."
    )
    return Table("pairs", "How much better is one than another? (in the same deals)", head, rows, pairs, note)


def _ranking_sentences(sample: Sample, by: dict, ranked: list[str], pairs: pl.DataFrame) -> tuple[list, list]:
    run = sample.run
    if len(ranked) < 2:
        return [], []
    best, second = ranked[:2]
    win = by[best, "win_share"]
    if win["lo"] is None:
        return [], ["One deal cannot tell luck from skill: play more games to get intervals."]
    equal = format_number(100 / run.n_seats, 1)
    findings = [f"{best} won most: {percent_of(win)} of the seats it held, where equal players win {equal} %."]
    found = {frozenset((r["player"], r["other"])): r for r in pairs.filter(measure="win_share").iter_rows(named=True)}
    duel = found[frozenset((best, second))]
    gap = dict(duel)
    if duel["player"] != best:
        gap |= {"estimate": -duel["estimate"], "lo": _minus(duel["hi"]), "hi": _minus(duel["lo"])}
    if duel["p_holm"] is not None and duel["p_holm"] < SURE:
        findings[0] += f" It is ahead of {second} in the same deals, by {_points_of(gap)} of win share."
    else:
        findings[0] += (
            f" It could not be told apart from {second}: the difference of win share is {_points_of(gap)}, so either "
            "may be the better one."
        )
    last = ranked[-1]
    if len(ranked) > 2:
        findings[0] += f" {last} won least: {percent_of(by[last, 'win_share'])}."
    errors = [r["se"] for r in found.values() if r["se"]]
    limits = []
    if errors:
        least = format_number(100 * POWER_80 * max(errors), 1)
        limits.append(
            f"Between the two players that are hardest to compare, a difference of win share below about {least} "
            "percentage points would be missed in more than one of five such studies (80 % power). Four times the "
            "games halve that."
        )
    return findings, limits


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def _seats(sample: Sample) -> Chapter:
    table = tables.seats(sample)
    wins = table.filter(measure="win_share").to_dicts()
    points = table.filter(measure="points").to_dicts()
    p, parity = wins[0]["p"], 1 / len(wins)
    rows = [[_seat(w["seat"]), percent_of(w), number_of(x), f"{w['n']:,}"] for w, x in zip(wins, points, strict=True)]
    test = f" Joint test of equal win shares (Hotelling's T² over deals): p {_equals(p)}." if p is not None else ""
    note = (
        "n counts games. Seats count from 0, as in the logs; seat 0 starts. Over the deals every player held every "
        f"seat equally often.{test}"
    )
    block = Table(
        "seats",
        "What is each seat worth? (n counts games)",
        ["Seat", "Win share", "Mean points", "n"],
        rows,
        table,
        note,
    )
    blocks: list = [block]
    findings = []
    if wins[0]["lo"] is not None:
        blocks.insert(
            0,
            _chart(
                "seats",
                charts.seat_chart(table),
                "Win share by seat: " + "; ".join(f"{_seat(w['seat'])} {percent_of(w)}" for w in wins) + ".",
                "A dot is the share of games won by whoever sat there; the bar is the 95 % interval. On the dashed "
                "line all seats would be equal.",
                "seats",
            ),
        )
        off = max(wins, key=lambda w: abs(w["estimate"] - parity))
        away = max(max(abs(w["lo"] - parity), abs(w["hi"] - parity)) for w in wins)
        if p is not None and p < SURE:
            findings.append(
                f"Where you sit matters (joint test: p {_equals(p)}): {_seat(off['seat'])} wins {percent_of(off)}, "
                f"where equal seats win {format_number(100 * parity, 1)} %."
            )
        elif p is not None:
            findings.append(
                f"No seat could be shown to win more than another (joint test: p {_equals(p)}). That does not make "
                f"them equal: by the intervals, a seat may be up to {format_number(100 * away, 1)} percentage points "
                "away from parity."
            )
    return Chapter([Section("seats", "Seats", blocks)], findings)


def _equals(p: float) -> str:
    return format_p(p) if p < 0.001 else f"= {format_p(p)}"


def _seat(seat: int) -> str:
    return f"seat {seat}"


def _points(sample: Sample, colours: dict[str, str] | None) -> Chapter:
    run, name = sample.run, labelled(sample.run)
    rename = pl.col("player").map_elements(name, pl.String())
    blocks: list = []
    totals = tables.totals(sample)
    medians = tables.players(sample).filter(measure="p50")
    blocks.append(
        _chart(
            "totals",
            charts.totals_chart(totals.with_columns(rename)),
            "Rising lines of the share of seats held that end with at most so many points. Medians: "
            + "; ".join(f"{name(r['player'])} {format_number(r['estimate'])}" for r in medians.iter_rows(named=True))
            + ".",
            "Follow a line: where it crosses 50 % lies the median. A line further right is a player with more points; "
            "a steeper one has totals closer together.",
            "totals",
        )
    )
    blocks.append(Table("totals", "", [], [], totals))
    if run.has("scores"):
        parts = tables.categories(sample)
        blocks.append(
            _chart(
                "composition",
                charts.composition_chart(parts.with_columns(rename), colours),
                "Mean points by category. " + _composition_words(parts, name),
                "The length of a piece is the mean number of points a player makes there per game; the number at the "
                "end is the mean total.",
                "categories",
            )
        )
        blocks.append(_categories_table(sample, parts))
    if run.has("rounds"):
        rounds = tables.rounds(sample)
        if rounds.height:
            last = rounds.group_by("player", maintain_order=True).last()
            blocks.append(
                _chart(
                    "rounds",
                    charts.rounds_chart(rounds.with_columns(rename)),
                    "Mean points on the table after each round; at the end: "
                    + "; ".join(f"{name(r['player'])} {number_of(r)}" for r in last.iter_rows(named=True))
                    + ".",
                    "What would be scored if the game ended after that round.",
                    "rounds",
                )
            )
            blocks.append(Table("rounds", "", [], [], rounds))
    return Chapter([Section("points", "Points", blocks)])


def _composition_words(parts: pl.DataFrame, name) -> str:
    words = []
    for (player,), rows in parts.group_by("player", maintain_order=True):
        pieces = [f"{r['category']} {number_of(dict(r, lo=None))}" for r in rows.iter_rows(named=True) if r["estimate"]]
        words.append(f"{name(player)}: {', '.join(pieces)}.")
    return " ".join(words)


def _categories_table(sample: Sample, parts: pl.DataFrame) -> Table:
    name = labelled(sample.run)
    categories = list(dict.fromkeys(parts["category"].to_list()))
    by = {(r["player"], r["category"]): r for r in parts.iter_rows(named=True)}
    players = list(dict.fromkeys(parts["player"].to_list()))
    rows = [[name(p), *(number_of(by[p, c]) for c in categories), f"{by[p, categories[0]]['n']:,}"] for p in players]
    return Table(
        "categories",
        "What do players score for? (n counts seats held)",
        ["Player", *categories, "n"],
        rows,
        parts,
        "Mean points per game and seat held, with 95 % intervals over deals.",
    )


def _closeness(sample: Sample) -> Chapter:
    table = tables.closeness(sample)
    by = {r["measure"]: r for r in table.iter_rows(named=True)}
    words = {
        "shared_win": "Games whose win is shared",
        "tie_break": "Games with equal totals on top, decided by a tie-break",
        "margin": "Mean margin between the best and the second total, points",
        "close": f"Games decided by {tables.CLOSE} points or fewer",
        "truncated": "Games stopped at the cap on decisions, without a winner",
    }
    rows = [[words[m], number_of(by[m]) if m == "margin" else percent_of(by[m]), f"{by[m]['n']:,}"] for m in by]
    note = "n counts games that came to an end; for the last row, all games."
    block = Table("closeness", "How close are games? (n counts games)", ["", "Estimate", "n"], rows, table, note)
    findings = []
    if by["margin"]["estimate"] is not None:
        findings.append(
            f"The winner was ahead by {number_of(by['margin'], ' points')} on average; {percent_of(by['close'])} of "
            f"the games were decided by {tables.CLOSE} points or fewer, and {percent_of(by['shared_win'])} ended in a "
            "shared win."
        )
    if by["truncated"]["estimate"]:
        findings.append(
            f"{percent_of(by['truncated'])} of the games were stopped at the cap on decisions; they count as games "
            "without a winner."
        )
    return Chapter([Section("closeness", "Ties and margins", [block])], findings)


def _chart(name: str, ax, alt: str, caption: str, table: str) -> Chart:
    return Chart(name, ax.figure, alt, caption, table)


def line_up_words(lineup: list[str]) -> str:
    """Return a line-up in words, copies counted.

    >>> line_up_words(["a", "b", "b"])
    'a and b (2 copies)'
    """
    counts = {label: lineup.count(label) for label in lineup}
    return join_words([label if n == 1 else f"{label} ({n} copies)" for label, n in counts.items()])
