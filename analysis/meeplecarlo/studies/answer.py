"""The answer of a comparison: as lines for a terminal, as plain values for JSON, and as the first part of its page."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl

from meeplecarlo.report import tables
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
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Section, Table, Text
from meeplecarlo.stats.intervals import Interval, mean_interval, share_of_sums
from meeplecarlo.stats.multiple import holm
from meeplecarlo.stats.shape import comebacks, lead_changes
from meeplecarlo.stats.verdicts import (
    EQUIVALENT,
    STRONGER,
    UNDECIDED,
    WEAKER,
    deals_needed,
    design_effect,
    detectable,
    difference_p,
    elo_of_share,
    games_to_lead,
)
from meeplecarlo.studies.compare import Comparison
from meeplecarlo.studies.stopping import CI, GAMES, SPRT

SHAPE_GAMES = 20_000  # how games go is taken from so many: it needs no more, and memory stays small
SURE = 0.05


@dataclass(frozen=True)
class Pair:
    """Two players compared.

    Attributes
    ----------
    player, other : str
    difference : Interval
        Of win share per seat held, or of points where all seats share the result.
    p_holm : float
        Adjusted for the number of pairs; nan where a sequential test stopped the study.
    verdict : str
        About `player`.
    outranks : Interval or None
        Share of meetings in which `player` ranks better, ties counting half.
    games_to_lead : float
        Games after which the better of the two has won more with 95 % probability; nan where that is not known.
    """

    player: str
    other: str
    difference: Interval
    p_holm: float
    verdict: str
    outranks: Interval | None
    games_to_lead: float


def pairs_of(comparison: Comparison) -> list[Pair]:
    """Return every two players compared, in the order of the line-up."""
    found = comparison.standing.pairs()
    by_test = comparison.stopping.kind == SPRT
    p = np.array([np.nan if by_test else difference_p(d) for _, _, d in found])
    pairs = []
    for (a, b, difference), p_holm in zip(found, holm(p), strict=True):
        said = comparison.verdict_on(difference)
        if said in (STRONGER, WEAKER) and p_holm >= SURE:
            said = UNDECIDED
        outranks, games = (None, np.nan) if comparison.standing.shared_result else _meetings(comparison, a, b)
        interval = comparison.interval(difference)
        if comparison.standing.identical:
            interval = Interval(interval.estimate, np.nan, np.nan, np.nan, interval.deals, interval.n)
        pairs.append(Pair(a, b, interval, float(p_holm), said, outranks, games))
    return pairs


def _meetings(comparison: Comparison, a: str, b: str) -> tuple[Interval, float]:
    """Return how often a seat of `a` ranks better than one of `b`, and the games until the better one leads."""
    sample = comparison.standing.samples[0]
    seats = sample.run.seats.select("game", "rank", "win_share", who=pl.col("player").cast(pl.String()))
    both = seats.filter(pl.col("who") == a).join(seats.filter(pl.col("who") == b), on="game")
    better = pl.col("rank") < pl.col("rank_right")
    score = pl.when(better).then(1.0).when(pl.col("rank") == pl.col("rank_right")).then(0.5).otherwise(0.0)
    sums = sample.sums(both.select("game", score=score), [], score=pl.col("score").sum(), n=pl.len())[()]
    lead = both.group_by("game").agg(lead=pl.col("win_share").mean() - pl.col("win_share_right").mean())
    facts = lead.select(mean=pl.col("lead").mean(), sd=pl.col("lead").std()).collect(engine="streaming").row(0)
    mean, sd = (math.nan if x is None else x for x in facts)
    return share_of_sums(sums["score"], sums["n"]), games_to_lead(mean, sd)


def shape_of(sample: Sample) -> dict[str, Interval]:
    """Return how games go: mean lead changes, and the shares won from behind and from last place at half-time.

    From at most `SHAPE_GAMES` games, those of two rounds or more that came to an end; empty if there are none.
    """
    run = sample.run
    deals = sample.deals[: max(1, SHAPE_GAMES // run.seatings)]
    wanted = pl.col("game") < (int(deals[-1]) + 1) * run.seatings
    rounds = run.rounds.filter(wanted).sort("game", "round", "seat").collect(engine="streaming")
    ranks = run.seats.filter(wanted).sort("game", "seat").select("game", "rank").collect(engine="streaming")
    n_seats = run.n_seats
    rank_of = dict(zip(ranks["game"].unique(maintain_order=True), ranks["rank"].to_numpy().reshape(-1, n_seats),
                       strict=True))  # fmt: skip
    names = ("n", "changes", "behind", "last")
    sums = {name: np.zeros(len(sample.deals)) for name in names}
    length = rounds.group_by("game", maintain_order=True).agg(pl.len() // n_seats)
    for (number,), games in length.group_by("len"):
        if number < 2:
            continue
        chosen = rounds.join(games, on="game", how="semi", maintain_order="left")
        by_round = chosen["points"].to_numpy().reshape(-1, number, n_seats)
        numbers = chosen["game"].to_numpy()[:: number * n_seats]
        rank = np.array([rank_of[g] for g in numbers])
        behind, last = comebacks(by_round[:, number // 2 - 1], rank)
        values = {"n": rank.max(axis=1) > 0, "changes": lead_changes(by_round), "behind": behind, "last": last}
        index = np.searchsorted(sample.deals, numbers // run.seatings)
        inside = (index < len(sample.deals)) & (values["n"])
        for name in names:
            np.add.at(sums[name], index[inside], np.asarray(values[name], float)[inside])
    if not sums["n"].any():
        return {}
    return {
        "lead_changes": mean_interval(sums["changes"], sums["n"]),
        "from_behind": share_of_sums(sums["behind"], sums["n"]),
        "from_last": share_of_sums(sums["last"], sums["n"]),
    }


# --- words ---------------------------------------------------------------------------------------------------------
def _row(interval: Interval, scale: float = 1, unit: str = "", sign: bool = False) -> str:
    ends = (None if math.isnan(x) else x for x in (interval.lo, interval.hi))
    return format_estimate(interval.estimate, *ends, interval.se, scale=scale, unit=unit, sign=sign)


def difference_words(comparison: Comparison, interval: Interval) -> str:
    """Return a difference with its unit."""
    if comparison.standing.shared_result:
        return _row(interval, unit=" points", sign=True)
    return _row(interval, 100, " pp", sign=True)


def verdict_words(comparison: Comparison, pair: Pair) -> str:
    """Return a sentence on two players."""
    size, a, b = difference_words(comparison, pair.difference), pair.player, pair.other
    what = "a game" if comparison.standing.shared_result else "of win share"
    if comparison.standing.identical:
        return f"{a} against {b}: one and the same game was repeated, which says nothing about chance."
    if pair.verdict in (STRONGER, WEAKER):
        d = pair.difference
        if pair.verdict == WEAKER:
            a, b, d = b, a, Interval(-d.estimate, -d.hi, -d.lo, d.se, d.deals, d.n)
        return f"{a} is better than {b}, by {difference_words(comparison, d)} {what}."
    if pair.verdict == EQUIVALENT:
        within = comparison.stopping.value if comparison.stopping.kind == SPRT else comparison.margin
        unit = f"{within:g} points" if comparison.standing.shared_result else f"{100 * within:g} pp"
        return f"{a} and {b} are equal within {unit}: the difference is {size} {what}."
    more = more_games(comparison, pair)
    return f"{a} and {b} could not be told apart, which does not make them equal: the difference is {size} {what}" + (
        f"; if it is really as large as it looks, some {more:,} games would show it." if more else "."
    )


def more_games(comparison: Comparison, pair: Pair) -> int | None:
    """Return how many games in all would show a difference as large as the one seen, or None if that is unknown."""
    standing, d = comparison.standing, pair.difference
    if not d.se > 0 or d.estimate == 0:
        return None
    deals = deals_needed(d.estimate, d.se * math.sqrt(d.deals))
    return deals * (standing.games // standing.deals) if deals < 1e9 else None


def stop_words(comparison: Comparison) -> str:
    """Return why the study stopped."""
    stopping, shared = comparison.stopping, comparison.standing.shared_result
    if stopping.kind == GAMES:
        return "as many games as asked for"
    size = f"{stopping.value:g} points" if shared else f"{100 * stopping.value:g} pp"
    if stopping.kind == CI:
        what = "difference" if shared else "win share"
        if comparison.reached:
            return f"stopped once every {what} was known to ±{size}"
        return f"stopped at the cap on games before every {what} was known to ±{size}"
    decided = comparison.stopping.decision(comparison.standing.lead())
    if comparison.reached:
        return f"stopped by a sequential test for a lead of {size}, which says: {decided}"
    return f"stopped at the cap on games before the sequential test for a lead of {size} had decided"


def header(comparison: Comparison) -> str:
    """Return what was played, in a sentence."""
    run, standing = comparison.runs[0], comparison.standing
    changes = run.manifest["game"]["changes"]
    rules = ", ".join(f"{k} = {v}" for k, v in changes.items()) if changes else "as in the box"
    design = f"{plural(standing.deals, 'deal')}, {plural(standing.games, 'game')}"
    teams = "teams of " if standing.shared_result else ""
    return (
        f"{run.game.title}, {plural(run.n_seats, 'seat')}, {teams}{join_words(comparison.players)}; rules {rules}; "
        f"seed {run.manifest['seed']}; {design}: {stop_words(comparison)}."
    )


HEAD = ("Player", "Win share", "Edge, pp", "Elo", "Mean rank", "Points", "SD", "P5 · P50 · P95", "deff", "Verdict")


def player_rows(comparison: Comparison) -> list[list[str]]:
    """Return the table of players, best first, under `HEAD`; empty where all seats share the result."""
    if comparison.standing.shared_result:
        return []
    sample = comparison.standing.samples[0]
    by = {(r["player"], r["measure"]): r for r in tables.players(sample).iter_rows(named=True)}
    n_seats, rows = sample.run.n_seats, []
    for player in sorted(comparison.players, key=lambda p: -by[p, "win_share"]["estimate"]):
        win, edge = by[player, "win_share"], by[player, "edge"]
        mean = comparison.standing.means[player]
        shown = Interval(win["estimate"], 0, 0, mean.se, mean.deals, mean.n)
        deff = design_effect(shown, mean.n)
        parity = type(mean)(mean.estimate - 1 / n_seats, mean.parts, mean.deals, mean.n)
        elo = elo_of_share(win["estimate"], n_seats)
        said = UNKNOWN if comparison.stopping.kind == SPRT else comparison.verdict_on(parity)
        rows.append(
            [
                player,
                percent_of(win),
                format_estimate(edge["estimate"], edge["lo"], edge["hi"], win["se"], scale=100, sign=True),
                format_number(elo, 0, sign=True) if math.isfinite(elo) else UNKNOWN,
                number_of(by[player, "rank"]),
                number_of(by[player, "points"]),
                number_of(dict(by[player, "sd"], lo=None)),
                " · ".join(format_number(by[player, q]["estimate"]) for q in tables.QUANTILES),
                format_number(deff, 2),
                said,
            ]
        )
    return rows


def pair_rows(comparison: Comparison, pairs: list[Pair]) -> list[list[str]]:
    """Return the table of pairs."""
    return [
        [
            p.player,
            p.other,
            difference_words(comparison, p.difference),
            format_p(p.p_holm),
            _row(p.outranks, 100, " %") if p.outranks else UNKNOWN,
            format_number(p.games_to_lead),
            p.verdict,
        ]
        for p in pairs
    ]


PAIR_HEAD = ("Player", "minus", "Difference", "p (Holm)", "Ranks better in", "Games to lead", "Verdict")


def lines(comparison: Comparison) -> list[str]:
    """Return the answer on one screen."""
    pairs = pairs_of(comparison)
    found = [header(comparison), ""]
    rows = player_rows(comparison)
    if rows:
        found += _aligned([list(HEAD), *rows])
        found.append("")
    if len(pairs) > 1 or not rows:
        found += _aligned([list(PAIR_HEAD), *pair_rows(comparison, pairs)])
        found.append("")
    found += [verdict_words(comparison, pair) for pair in pairs]
    if not comparison.standing.shared_result:
        found += _general_lines(comparison, pairs)
    return [*found, *notes(comparison)]


def _general_lines(comparison: Comparison, pairs: list[Pair]) -> list[str]:
    sample = comparison.standing.samples[0]
    seats = tables.seats(sample).filter(measure="win_share").to_dicts()
    close = {r["measure"]: r for r in tables.closeness(sample).iter_rows(named=True)}
    found = []
    if len(pairs) == 1 and pairs[0].outranks is not None:
        pair = pairs[0]
        better = format_number(pair.games_to_lead)
        found.append(
            f"{pair.player} ranks better than {pair.other} in {_row(pair.outranks, 100, ' %')} of their meetings; "
            f"the better one has won more after {better} games with 95 % probability."
        )
    found.append(
        "Seats: " + "; ".join(f"{r['seat']} wins {percent_of(r)}" for r in seats) + f". Joint test of equal seats: p "
        f"{format_p(seats[0]['p'])}."
    )
    found.append(
        f"Margin {number_of(close['margin'], ' points')} on average; {percent_of(close['close'])} within "
        f"{tables.CLOSE} points; shared wins {percent_of(close['shared_win'])}."
    )
    shape = shape_of(sample)
    if shape:
        found.append(
            f"The lead changes {_row(shape['lead_changes'])} times a game; {_row(shape['from_behind'], 100, ' %')} are "
            f"won from behind at half-time, {_row(shape['from_last'], 100, ' %')} from last place."
        )
    return found


def notes(comparison: Comparison) -> list[str]:
    """Return what a reader must know to trust the numbers, in sentences."""
    standing, pairs = comparison.standing, comparison.standing.pairs()
    found = []
    errors = [d.se for _, _, d in pairs if d.se > 0]
    if errors and comparison.stopping.kind != SPRT:
        least = detectable(max(errors))
        unit = f"{least:.2g} points" if standing.shared_result else f"{format_number(100 * least, 1)} pp"
        found.append(f"Four of five such studies would find a difference of {unit} (80 % power).")
    if comparison.stopping.kind == SPRT:
        found.append(
            "Intervals of differences hold at every look (confidence sequence), for the test stopped the study; win "
            "shares and edges are plain means at that moment, which exaggerate a little."
        )
    if len(pairs) > 1:
        found.append(f"p values and verdicts allow for {len(pairs)} pairs (Holm).")
    if standing.deals < 64:
        found.append(f"Only {standing.deals} deals: intervals are rough below 64.")
    if standing.identical:
        found.append("Give the players some noise: without it they repeat one game.")
    return found


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


# --- values --------------------------------------------------------------------------------------------------------
def as_json(comparison: Comparison) -> dict:
    """Return the answer as plain values."""
    run, standing = comparison.runs[0], comparison.standing
    pairs = pairs_of(comparison)
    found = {
        "kind": "compare",
        "game": run.manifest["game"]["name"],
        "changes": run.manifest["game"]["changes"],
        "rules_hash": run.manifest["game"]["rules_hash"],
        "players": comparison.players,
        "seats": run.n_seats,
        "seed": run.manifest["seed"],
        "until": comparison.stopping.text(),
        "margin": comparison.margin,
        "reached": comparison.reached,
        "looks": comparison.looks,
        "deals": standing.deals,
        "games": standing.games,
        "unit": "points" if standing.shared_result else "win share",
        "pairs": [
            {
                "player": p.player,
                "other": p.other,
                **_interval(p.difference),
                "p_holm": _plain(p.p_holm),
                "verdict": p.verdict,
                "outranks": _interval(p.outranks) if p.outranks else None,
                "games_to_lead": _plain(p.games_to_lead),
            }
            for p in pairs
        ],
        "means": {name: {"estimate": mean.estimate, "se": _plain(mean.se)} for name, mean in standing.means.items()},
    }
    if not standing.shared_result:
        sample = standing.samples[0]
        for name, table in (("standing", tables.players(sample)), ("by_seat", tables.seats(sample))):
            found[name] = table.to_dicts()
        found["shape"] = {name: _interval(value) for name, value in shape_of(sample).items()}
    return found


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _interval(interval: Interval) -> dict:
    return {name: _plain(getattr(interval, name)) for name in ("estimate", "lo", "hi", "se")}


def chapter(comparison: Comparison) -> Chapter:
    """Return the first part of the page of a comparison."""
    pairs = pairs_of(comparison)
    data = pl.DataFrame(
        [
            {"player": p.player, "other": p.other, **_interval(p.difference), "p_holm": _plain(p.p_holm),
             "verdict": p.verdict}
            for p in pairs
        ]
    )  # fmt: skip
    blocks: list = [Text(header(comparison))]
    rows = player_rows(comparison)
    if rows:
        note = (
            "Edge: win share less what equal players win. Elo: the rating difference to equal opponents that gives the "
            "share. deff: variance of the share over that of as many independent games; below 1, playing a deal in "
            "every seating saved games. Verdicts are about the edge."
        )
        table = tables.players(comparison.standing.samples[0])
        blocks.append(Table("standing", "How good is each player?", list(HEAD), rows, table, note))
    note = (
        "In the same deals. Stronger, weaker: the difference is not chance. Equivalent: surely smaller than the margin "
        f"of {_margin(comparison)}. Undecided: neither is shown. Games to lead: after so many games the better of two "
        "has won more with 95 % probability."
    )
    rows = pair_rows(comparison, pairs)
    blocks.append(Table("verdicts", "Who is better than whom?", list(PAIR_HEAD), rows, data, note))
    return Chapter([Section("verdicts", "Players and pairs", blocks)], [verdict_words(comparison, p) for p in pairs],
                   notes(comparison))  # fmt: skip


def _margin(comparison: Comparison) -> str:
    within = comparison.stopping.value if comparison.stopping.kind == SPRT else comparison.margin
    return f"{within:g} points" if comparison.standing.shared_result else f"{100 * within:g} pp"
