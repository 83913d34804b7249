"""Tables of the cubes: where they end, what decides it, what it pays to collect, and how the race goes.

A row is an estimate, columns as in `meeplecarlo.report.tables`. Games that were stopped at the cap on decisions are
left out. Circles are numbered from the tail, 1, to the head, 4; places from the first cube, 1, to the last, 4.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import polars as pl

from meeplecarlo.compiled import records
from meeplecarlo.games.heizei import COLOURS
from meeplecarlo.games.heizei.report.tables import IS_PENALTY, PLACES, ROUNDS, lines, rules_of
from meeplecarlo.games.heizei.state import N_COLOURS, OVER, PLAY, PREPARE, STATE
from meeplecarlo.report.sample import Sample, frame, sample_of
from meeplecarlo.simulation.play import deal_kernel
from meeplecarlo.stats.intervals import difference, mean_interval, share_of_sums
from meeplecarlo.stats.linear import ratio
from meeplecarlo.store.dataset import Run

HEAD, LONGEST = "the cube at the head", "the longest colour of a hand"
DIFFERENCE = "head minus longest"
WALKED = 1000  # games whose cubes are followed turn by turn, at most
LOOKS = range(0, 101, 5)  # when to look at the cubes: per cent of the turns of a round that are played
SUM_OF_PLACES = sum(PLACES)


# --- where cubes end -----------------------------------------------------------------------------------------------
def _place_in(order: pl.Expr, colour: pl.Expr) -> pl.Expr:
    """Return the place of a colour in a list of all of them, from 1."""
    return sum((order.list.get(k - 1) == colour).cast(pl.Int64) * k for k in PLACES)


def _games(run: Run) -> pl.LazyFrame:
    """Return finished games with ``order_1, order_2``, and ``circles`` and ``hands`` where the run kept its deals."""
    games = run.games.filter(~pl.col("truncated")).select(
        "game", "deal", *(pl.col(f"order_{r}").cast(pl.List(pl.String())) for r in ROUNDS)
    )
    if not run.has("deals"):
        return games
    return games.join(run.deals.with_columns(pl.col("circles").cast(pl.List(pl.String()))), on="deal")


def circles(run: Run | Sample) -> pl.DataFrame:
    """Return where cubes end by the circle they start from.

    Returns
    -------
    DataFrame
        ``round``, ``circle``, ``measure`` and the estimate: mean ``place`` of the cube that starts there, and the
        shares of games in which it ends as ``place_1`` to ``place_4``. ``n`` counts games. Round 1 needs the deals.
    """
    sample = sample_of(run)
    games, parts = _games(sample.run), []
    starts = {2: pl.col("order_1").list.reverse()}
    if sample.run.has("deals"):
        starts[1] = pl.col("circles")
    for number, circle in itertools.product(sorted(starts), PLACES):
        colour = starts[number].list.get(circle - 1)
        place = _place_in(pl.col(f"order_{number}"), colour)
        parts.append(games.select("game", round=pl.lit(number), circle=pl.lit(circle), place=place))
    ends = {f"place_{k}": (pl.col("place") == k).sum() for k in PLACES}
    sums = sample.sums(pl.concat(parts), ["round", "circle"], n=pl.len(), place=pl.col("place").sum(), **ends)
    rows = []
    for number, circle in sorted(sums):
        of = sums[number, circle]
        rows.append(sample.row(mean_interval(of["place"], of["n"]), round=number, circle=circle, measure="place"))
        rows += [sample.row(share_of_sums(of[k], of["n"]), round=number, circle=circle, measure=k) for k in ends]
    return frame(rows, round=pl.Int64(), circle=pl.Int64(), measure=pl.String())


def foretold(run: Run | Sample) -> pl.DataFrame:
    """Return how well the cube order and the hands foretell which colour ends first.

    Returns
    -------
    DataFrame
        ``round``, ``by`` (`HEAD`: the colour whose cube starts furthest ahead; `LONGEST`: the colour of which one seat
        holds most at the start of the round, several that are equal counting in parts; `DIFFERENCE` of the two, in the
        same deals), ``measure`` (share of games in which it ends ``first``, mean ``place``), the estimate and ``p`` of
        the differences. ``n`` counts games. Round 1 needs the deals, round 2 the score lines.
    """
    sample = sample_of(run)
    found = {number: rows for number in ROUNDS if (rows := _held_most(sample.run, number)) is not None}
    out, p = [], []
    for number, games in found.items():
        order = pl.col(f"order_{number}")
        head = pl.col("circles").list.last() if number == 1 else pl.col("order_1").list.first()
        places = [_place_in(order, pl.lit(colour)) for colour in COLOURS]
        held = pl.sum_horizontal(COLOURS)
        means = {
            "head_place": _place_in(order, head),
            "head_first": (order.list.first() == head).cast(pl.Float64),
            "longest_place": sum(pl.col(c) * place for c, place in zip(COLOURS, places, strict=True)) / held,
            "longest_first": sum(pl.col(c) * (place == 1) for c, place in zip(COLOURS, places, strict=True)) / held,
        }
        rows = games.select("game", **means)
        of = sample.sums(rows, [], n=pl.len(), **{name: pl.col(name).sum() for name in means}).get(())
        if of is None:
            continue
        for measure, interval in (("first", share_of_sums), ("place", mean_interval)):
            for by, name in ((HEAD, "head"), (LONGEST, "longest")):
                value = interval(of[f"{name}_{measure}"], of["n"])
                out.append(sample.row(value, round=number, by=by, measure=measure))
                p.append(None)
            change = difference(*(ratio(of[f"{name}_{measure}"], of["n"]) for name in ("head", "longest")))
            out.append(sample.row(change, round=number, by=DIFFERENCE, measure=measure))
            p.append(change.p if np.isfinite(change.p) else None)
    table = frame(out, round=pl.Int64(), by=pl.String(), measure=pl.String())
    return table.with_columns(p=pl.Series(p, dtype=pl.Float64))


def _held_most(run: Run, number: int) -> pl.LazyFrame | None:
    """Return `_games` with a column a colour: how many seats hold as many cards of it as any seat holds of any colour.

    None if the run did not keep what tells.
    """
    if number == 1:
        if not run.has("deals"):
            return None
        cards = pl.col("hands")
        seats = range(run.n_seats)
        counts = {
            colour: sum((cards.list.get(N_COLOURS * seat + c) == cards.list.max()).cast(pl.Int64) for seat in seats)
            for c, colour in enumerate(COLOURS)
        }
        return _games(run).with_columns(**counts)
    if not run.has("scores"):
        return None
    slot, cards = pl.col("slot").cast(pl.String()), pl.col("cards")  # a tile is no card, and has 0
    hands = lines(run).filter(pl.col("round") == 1).group_by("game")
    counts = {c: ((cards == cards.max()) & (slot == c)).sum().cast(pl.Int64) for c in COLOURS}
    return _games(run).join(hands.agg(**counts), on="game")


# --- what it pays to collect ---------------------------------------------------------------------------------------
def collected(run: Run | Sample) -> pl.DataFrame:
    """Return how colours do by how many cards of them a seat collects: ``round, cards, measure`` and the estimate.

    Measures: mean final ``place`` of the cube, mean ``points`` of these cards together, and in round 2 the share of
    seats for which they count ``negative``. ``n`` counts seats and colours; 0 cards score nothing.
    """
    sample = sample_of(run)
    cards = lines(sample.run).filter(pl.col("cards") > 0).with_columns(pl.col("cards").cast(pl.Int64))
    sums = sample.sums(
        cards,
        ["round", "cards"],
        n=pl.len(),
        place=pl.col("place").cast(pl.Int64).sum(),
        points=pl.col("points").sum(),
        negative=IS_PENALTY.sum(),
    )
    seats = _seats(sample)
    rows = []
    for number in ROUNDS:
        of = {k: s for (r, k), s in sums.items() if r == number}
        if not of:
            continue
        none = seats * N_COLOURS - sum(s["n"] for s in of.values())
        place = seats * SUM_OF_PLACES - sum(s["place"] for s in of.values())
        if none.any():
            rows.append(sample.row(mean_interval(place, none), round=number, cards=0, measure="place"))
        for k in sorted(of):
            n = of[k]["n"]
            for measure in ("place", "points"):
                rows.append(sample.row(mean_interval(of[k][measure], n), round=number, cards=k, measure=measure))
            if number == 2:
                rows.append(sample.row(share_of_sums(of[k]["negative"], n), round=2, cards=k, measure="negative"))
    return frame(rows, round=pl.Int64(), cards=pl.Int64(), measure=pl.String())


def by_place(run: Run | Sample) -> pl.DataFrame:
    """Return what a card is worth in round 2 by the final place of its cube: ``place, measure`` and the estimate.

    Measures: mean points ``per_card``, those that count negative included, and the share of cards that do
    (``negative``). ``n`` counts cards.
    """
    sample = sample_of(run)
    cards = pl.col("cards").cast(pl.Int64)
    sums = sample.sums(
        lines(sample.run).filter((cards > 0) & (pl.col("round") == 2)).with_columns(pl.col("place").cast(pl.Int64)),
        ["place"],
        n=cards.sum(),
        points=pl.col("points").sum(),
        negative=cards.filter(IS_PENALTY).sum(),
    )
    rows = []
    for place in PLACES:
        of = sums.get((place,))
        if of is not None:
            rows.append(sample.row(mean_interval(of["points"], of["n"]), place=place, measure="per_card"))
            rows.append(sample.row(share_of_sums(of["negative"], of["n"]), place=place, measure="negative"))
    return frame(rows, place=pl.Int64(), measure=pl.String())


def _seats(sample: Sample) -> np.ndarray:
    """Return how many seats of games with a result each deal has."""
    of = sample.sums(sample.run.seats.filter(pl.col("rank") > 0), [], n=pl.len()).get(())
    return np.zeros(len(sample.deals)) if of is None else of["n"]


# --- the race ------------------------------------------------------------------------------------------------------
def race(run: Run | Sample, most_games: int = WALKED) -> pl.DataFrame:
    """Return where the cubes are in the course of a round, from the first games of the run played over.

    Returns
    -------
    DataFrame
        ``round``; ``turns``, the share of its turns that are played, in per cent, 0 being after the preparation;
        ``cube``, ``which``, ``measure`` and the estimate. For the cube that ends at place ``which`` (cube ``final``)
        and for the one that starts from circle ``which`` (cube ``circle``), mean ``space`` and mean ``place`` at that
        time; for the cube that is ahead then (cube ``leader``), the share of games in which it ends ``first``. ``n``
        counts games. Empty if the moves are not legal by the rules at hand.
    """
    sample = sample_of(run)
    deals = sample.deals[: max(1, most_games // sample.run.seatings)]
    part = replace(sample, deals=deals, games=min(sample.games, len(deals) * sample.run.seatings))
    looks = _walk(sample.run, deals)
    names = [c for c in looks.columns if c not in ("game", "round", "turns")]
    sums = part.sums(looks.lazy(), ["round", "turns"], n=pl.len(), **{c: pl.col(c).sum() for c in names})
    rows = []
    for (number, turns), name in itertools.product(sorted(sums), names):
        of = sums[number, turns]
        cube, measure, which = name.split()
        value = (share_of_sums if cube == "leader" else mean_interval)(of[name], of["n"])
        rows.append(part.row(value, round=number, turns=turns, cube=cube, which=int(which), measure=measure))
    whole = {"round": pl.Int64(), "turns": pl.Int64(), "cube": pl.String(), "which": pl.Int64()}
    return frame(rows, **whole, measure=pl.String())


def _walk(run: Run, deals: np.ndarray) -> pl.DataFrame:
    """Play the games of some deals over and look at the cubes `LOOKS` times in each round.

    Returns
    -------
    DataFrame
        ``game, round, turns`` and a column for each cube, measure and ``which`` of `race`. Without rows if a move is
        not legal by the rules at hand.
    """
    rules, seatings = rules_of(run), run.seatings
    dealt = records(len(deals), STATE)
    deal_kernel(run.game)(rules, dealt, np.uint64(run.manifest["seed"]), deals, run.game.compiled("deal"))
    apply = run.game.compiled("apply")
    end = (int(deals[-1]) + 1) * seatings
    moves = run.moves.filter(pl.col("game") < end).select("game", "ply", "move").sort("game", "ply")
    logged = moves.collect(engine="streaming")
    games, first = np.unique(logged["game"].to_numpy().astype(np.int64), return_index=True)
    labels, starts, spaces = [], [], []
    for game, rows in zip(games.tolist(), np.split(logged["move"].to_numpy(), first[1:]), strict=True):
        where = np.searchsorted(deals, game // seatings)
        if deals[where] != game // seatings:
            continue
        state = dealt[where : where + 1].copy()
        rounds = _spaces_by_round(apply, rules[0], state, rows)
        if rounds is None:
            labels, starts, spaces = [], [], []
            break
        for number, (start, turns) in enumerate(rounds if state["seat"][0] == OVER else (), start=1):
            labels += [(game, number, percent) for percent in LOOKS]
            starts += [start] * len(LOOKS)
            spaces += [turns[percent * (len(turns) - 1) // 100] for percent in LOOKS]
    now = np.array(spaces, np.int64).reshape(-1, len(LOOKS), N_COLOURS)
    final = np.repeat(now[:, -1:], len(LOOKS), axis=1)
    cubes = (np.array(x, np.int64).reshape(-1, N_COLOURS) for x in (starts, now, final))
    return _looks(np.array(labels, np.int64).reshape(-1, 3), *cubes, int(rules["track"][0]))


def _spaces_by_round(apply, rules: np.record, state: np.ndarray, moves: np.ndarray) -> list[tuple] | None:
    """Return for each round begun the spaces of the cubes before it, and after the preparation and every turn.

    Returns
    -------
    list of (ndarray, shape (4,), list of such ndarrays)
        None if a move is not legal.
    """
    rounds: list[tuple] = []
    position, phase, number, space = state[0], state["phase"], state["round_number"], state["space"][0]
    for move in moves.tolist():
        before = phase[0]
        if len(rounds) < number[0]:
            rounds.append((space.copy(), []))
        if not apply(rules, position, move):
            return None
        if before == PLAY or (before == PREPARE and phase[0] == PLAY):
            rounds[-1][1].append(space.copy())
    return rounds


def _looks(labels: np.ndarray, start: np.ndarray, now: np.ndarray, final: np.ndarray, track: int) -> pl.DataFrame:
    """Return the frame of `_walk`.

    Parameters
    ----------
    labels : ndarray of int, shape (n, 3)
        Game, round and per cent of its turns.
    start, now, final : ndarray of int, shape (n, 4)
        Spaces of the cubes at the start of the round, at this time and at its end.
    track : int
        Spaces of the track.
    """
    place = np.argsort(np.argsort(-now, axis=1), axis=1) + 1
    columns = dict(zip(("game", "round", "turns"), labels.T, strict=True))
    for cube, order in (("final", np.argsort(-final, axis=1)), ("circle", np.argsort(start, axis=1))):
        for measure, values in (("space", np.minimum(now, track)), ("place", place)):
            ordered = np.take_along_axis(values, order, axis=1)
            columns |= {f"{cube} {measure} {k}": ordered[:, k - 1] for k in PLACES}
    columns["leader first 1"] = columns["final place 1"] == 1
    return pl.DataFrame(columns)
