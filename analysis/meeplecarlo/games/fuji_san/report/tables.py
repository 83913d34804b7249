"""Tables only Fuji-san has: a row an estimate, columns as in `meeplecarlo.report.tables`. ``n`` counts games.

Games that were stopped at the cap on decisions have no result and are left out of all but the options.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.games.fuji_san import SIZES
from meeplecarlo.games.fuji_san.variant import make_rules
from meeplecarlo.games.fuji_san.view import names_of
from meeplecarlo.report.sample import Sample, frame, sample_of
from meeplecarlo.stats.intervals import Interval, mean_interval, share_of_sums, without_interval
from meeplecarlo.stats.linear import ratio
from meeplecarlo.store.dataset import Run

ALL = "all games"
BOTH = "both seats"
SEATS = ("seat 0", "seat 1")
EITHER, NOBODY = "either seat", "nobody"
QUANTILES = {"p5": 0.05, "p50": 0.50, "p95": 0.95}


def rules_of(run: Run) -> np.ndarray:
    """Return the rules a run was played by, shape (1,)."""
    used = run.manifest["game"]
    file = used["components"]["board"]
    return make_rules(run.n_seats, used["options"], {"board": (file["file"], file["text"])})


def spaces_of(run: Run) -> int:
    """Return the number of spaces of the board."""
    return int(rules_of(run)["n_spaces"][0])


def _share(successes: np.ndarray, trials: np.ndarray) -> Interval:
    """Return a share with its interval; without one if it is the same in every deal, and neither 0 nor 1.

    That happens when one player wins from both seats in every deal: seat 0 then wins half of the games whatever it is
    worth.
    """
    found = share_of_sums(successes, trials)
    fixed = 0 < found.estimate < 1 and not found.se > 0
    return without_interval(ratio(successes, trials)) if fixed else found


def _results(run: Run) -> pl.LazyFrame:
    """Return a row a game with a result: ``game, order`` (player that places first), pips and win share of each seat.

    ``won`` is the seat that won, null for a draw.
    """
    seat = pl.col("seat")
    games = run.seats.group_by("game").agg(
        order=pl.col("player").filter(seat == 0).first().cast(pl.String()),
        other=pl.col("player").filter(seat == 1).first().cast(pl.String()),
        pips_0=pl.col("points").filter(seat == 0).sum(),
        pips_1=pl.col("points").filter(seat == 1).sum(),
        share_0=pl.col("win_share").filter(seat == 0).sum(),
        ended=(pl.col("rank") > 0).all(),
    )
    won = pl.when(pl.col("share_0") == 1).then(0).when(pl.col("share_0") == 0).then(1)
    return games.filter("ended").with_columns(won=won)


def _orders(run: Run) -> list[str]:
    """Return the players that may sit in seat 0, if there are several."""
    return run.players if len(run.players) > 1 else []


def movers(run: Run | Sample) -> pl.DataFrame:
    """Return what it is worth to be seat 0, which places first and takes the first capture turn.

    Returns
    -------
    DataFrame
        ``order`` (all games; or those in which this player is seat 0), ``measure`` and the estimate. Measures: the
        share of games that seat 0 wins (``won_0``), that seat 1 wins (``won_1``) and draws (``draw``); the
        ``win_share`` of each seat, a draw counting half (``win_share_0``, ``win_share_1``); mean captured pips of
        each (``pips_0``, ``pips_1``), and by how much seat 0 is ahead (``lead``).
    """
    sample = sample_of(run)
    results = _results(sample.run)
    rows = []
    sums = {
        "n": pl.len(),
        "won_0": (pl.col("won") == 0).sum(),
        "won_1": (pl.col("won") == 1).sum(),
        "draw": pl.col("won").is_null().sum(),
        "win_share_0": pl.col("share_0").sum(),
        "win_share_1": (1 - pl.col("share_0")).sum(),
        "pips_0": pl.col("pips_0").sum(),
        "pips_1": pl.col("pips_1").sum(),
    }
    found = {ALL: sample.sums(results, [], **sums).get(())}
    by_order = sample.sums(results, ["order"], **sums) if _orders(sample.run) else {}
    found |= {order: by_order.get((order,)) for order in _orders(sample.run)}
    for order, of in found.items():
        if of is None:
            continue
        for measure in list(sums)[1:]:
            value = (mean_interval if measure.startswith("pips") else _share)(of[measure], of["n"])
            rows.append(sample.row(value, order=order, measure=measure))
        rows.append(sample.row(mean_interval(of["pips_0"] - of["pips_1"], of["n"]), order=order, measure="lead"))
    return frame(rows, order=pl.String(), measure=pl.String())


def turns(run: Run | Sample) -> pl.DataFrame:
    """Return what happens in a game.

    Returns
    -------
    DataFrame
        ``measure`` and the estimate. Measures: mean capture ``turns``, those of each seat (``turns_0``, ``turns_1``:
        they alternate, seat 0 first), mean ``captures`` of both seats and ``pips`` captured by both, the share of
        games without any capture (``none``), and of draws (``draw``).
    """
    sample = sample_of(run)
    games = _results(sample.run).join(sample.run.games.select("game", "turns", "captures"), on="game")
    turn = pl.col("turns").cast(pl.Int64)
    of = sample.sums(
        games,
        [],
        n=pl.len(),
        turns=turn.sum(),
        turns_0=((turn + 1) // 2).sum(),
        turns_1=(turn // 2).sum(),
        captures=pl.col("captures").cast(pl.Int64).sum(),
        pips=(pl.col("pips_0") + pl.col("pips_1")).sum(),
        none=(pl.col("captures") == 0).sum(),
        draw=pl.col("won").is_null().sum(),
    ).get(())
    if of is None:
        return frame([], measure=pl.String())
    rows = [
        sample.row((_share if m in ("none", "draw") else mean_interval)(of[m], of["n"]), measure=m)
        for m in ("turns", "turns_0", "turns_1", "captures", "pips", "none", "draw")
    ]
    return frame(rows, measure=pl.String())


def spread(run: Run | Sample) -> pl.DataFrame:
    """Return distributions over games.

    Returns
    -------
    DataFrame
        ``what``, ``value`` and the share of games with exactly this value, only values that occur: captured pips of
        ``seat 0`` and ``seat 1``, ``captures`` of both, capture ``turns``, and ``lead`` (pips of seat 0 less those of
        seat 1).
    """
    sample = sample_of(run)
    games = _results(sample.run).join(sample.run.games.select("game", "turns", "captures"), on="game")
    values = {
        SEATS[0]: pl.col("pips_0"),
        SEATS[1]: pl.col("pips_1"),
        "captures": pl.col("captures"),
        "turns": pl.col("turns"),
        "lead": pl.col("pips_0") - pl.col("pips_1"),
    }
    rows = []
    for what, value in values.items():
        sums = sample.sums(games.with_columns(value=value.cast(pl.Int64)), ["value"], n=pl.len())
        n = sum(of["n"] for of in sums.values())
        shares = [(key[0], _share(sums[key]["n"], n)) for key in sorted(sums)]
        rows += [sample.row(share, what=what, value=v) for v, share in shares if share.estimate]
    return frame(rows, what=pl.String(), value=pl.Int64())


def _captures(run: Run) -> pl.LazyFrame:
    """Return a row a capture of the games with a result: ``game, seat, player, slot, points, space, turn``."""
    rows = run.scores.select("game", "seat", "slot", "points", "space", "turn")
    players = run.seats.select("game", "seat", pl.col("player").cast(pl.String()), "rank")
    return rows.join(players.filter(pl.col("rank") > 0), on=["game", "seat"])


def sizes(run: Run | Sample) -> pl.DataFrame:
    """Return what is captured: ``whose`` (both seats, each seat, each player), ``size`` and mean captures per game.

    The size ``any`` is the sum of all. ``n`` counts games; a player that holds both seats is not listed by itself.
    """
    sample = sample_of(run)
    run, rows = sample.run, []
    games = sample.sums(_results(run), [], n=pl.len()).get(())
    if games is None:
        return frame([], whose=pl.String(), size=pl.String())
    captures, nothing = _captures(run), np.zeros(len(sample.deals))
    sums: dict = {}
    for whose in (pl.lit(BOTH), pl.format("seat {}", "seat"), *([pl.col("player")] if _orders(run) else [])):
        named = captures.with_columns(whose=whose, size=pl.col("slot").cast(pl.String()))
        sums |= sample.sums(named, ["whose", "size"], n=pl.len())
    for whose in (BOTH, *SEATS, *_orders(run)):
        of = {size: sums[whose, size]["n"] if (whose, size) in sums else nothing for size in SIZES}
        of["any"] = sum(of.values(), nothing)
        rows += [sample.row(mean_interval(n, games["n"]), whose=whose, size=size) for size, n in of.items()]
    return frame(rows, whose=pl.String(), size=pl.String())


def first_captures(run: Run | Sample) -> pl.DataFrame:
    """Return who makes the first capture of a game, and how that game ends.

    Returns
    -------
    DataFrame
        ``by`` (either seat, each seat, nobody), ``measure`` and the estimate. Measures: ``makes``, the share of all
        games; of the games in which it makes the first capture, those it ``wins``, ``draws`` and ``loses``, its
        ``win_share`` (a draw counting half), and the mean number of the capture ``turn``, from 1. ``n`` counts games.
    """
    sample = sample_of(run)
    run, rows = sample.run, []
    results = _results(run)
    first = _captures(run).group_by("game").agg(turn=pl.col("turn").min(), by=pl.col("seat").sort_by("turn").first())
    own = pl.when(pl.col("by") == 0).then(pl.col("share_0")).otherwise(1 - pl.col("share_0"))
    games = results.join(first, on="game", how="left").with_columns(
        by=pl.format("seat {}", "by").fill_null(NOBODY), own=own, turn=pl.col("turn").cast(pl.Int64)
    )
    sums = sample.sums(
        games,
        ["by"],
        n=pl.len(),
        wins=(pl.col("own") == 1).sum(),
        draws=(pl.col("own") == 0.5).sum(),
        loses=(pl.col("own") == 0).sum(),
        win_share=pl.col("own").sum(),
        turn=(pl.col("turn") - spaces_of(run) - 1).sum(),
    )
    nothing = np.zeros(len(sample.deals))
    total = sum((of["n"] for of in sums.values()), nothing)
    zeros = dict.fromkeys(("n", "wins", "draws", "loses", "win_share", "turn"), nothing)
    by = {name: sums[name,].values if (name,) in sums else zeros for name in (*SEATS, NOBODY)}
    either = {k: by[SEATS[0]][k] + by[SEATS[1]][k] for k in zeros}
    for name, of in ({EITHER: either} | by).items():
        rows.append(sample.row(_share(of["n"], total), by=name, measure="makes"))
        if name != NOBODY and of["n"].sum():
            for measure in ("wins", "draws", "loses", "win_share"):
                rows.append(sample.row(_share(of[measure], of["n"]), by=name, measure=measure))
            rows.append(sample.row(mean_interval(of["turn"], of["n"]), by=name, measure="turn"))
    return frame(rows, by=pl.String(), measure=pl.String())


def spaces(run: Run | Sample) -> pl.DataFrame:
    """Return where captures are made.

    Returns
    -------
    DataFrame
        ``whose`` (both seats, or the seat that captures), ``space`` (from 0), ``name``, ``neighbours`` (2 or 3) and
        mean captures per game.
    """
    sample = sample_of(run)
    run, rows = sample.run, []
    rules = rules_of(run)
    games = sample.sums(_results(run), [], n=pl.len()).get(())
    if games is None:
        return frame([], whose=pl.String(), space=pl.Int64(), name=pl.String(), neighbours=pl.Int64())
    sums: dict = {}
    for whose in (pl.lit(BOTH), pl.format("seat {}", "seat")):
        named = _captures(run).with_columns(whose=whose, space=pl.col("space").cast(pl.Int64))
        sums |= sample.sums(named, ["whose", "space"], n=pl.len())
    for whose in (BOTH, *SEATS):
        for space, name in enumerate(names_of(rules)):
            n = sums[whose, space]["n"] if (whose, space) in sums else np.zeros(len(sample.deals))
            value = mean_interval(n, games["n"])
            rows.append(sample.row(value, whose=whose, space=space, name=name, neighbours=neighbours(rules, space)))
    return frame(rows, whose=pl.String(), space=pl.Int64(), name=pl.String(), neighbours=pl.Int64())


def neighbours(rules: np.ndarray, space: int) -> int:
    """Return how many neighbours a space has."""
    return int(np.bitwise_count(rules["neighbours"][0, space].astype(np.uint64)))


def edges(run: Run | Sample) -> pl.DataFrame:
    """Return mean captures per space and game on spaces with two and with three ``neighbours``.

    ``spaces`` counts these spaces; only kinds of spaces the board has have a row.
    """
    sample = sample_of(run)
    run, rows = sample.run, []
    rules = rules_of(run)
    of = [neighbours(rules, space) for space in range(spaces_of(run))]
    games = sample.sums(_results(run), [], n=pl.len()).get(())
    if games is None:
        return frame([], neighbours=pl.Int64(), spaces=pl.Int64())
    number = pl.col("space").cast(pl.Int64).replace_strict(list(range(len(of))), of, return_dtype=pl.Int64)
    sums = sample.sums(_captures(run).with_columns(neighbours=number), ["neighbours"], n=pl.len())
    for kind in sorted(set(of)):
        n = sums[kind,]["n"] if (kind,) in sums else np.zeros(len(sample.deals))
        rows.append(sample.row(mean_interval(n / of.count(kind), games["n"]), neighbours=kind, spaces=of.count(kind)))
    return frame(rows, neighbours=pl.Int64(), spaces=pl.Int64())


def options_by_phase(run: Run | Sample) -> pl.DataFrame:
    """Return how many options a decision has: ``phase``, the mean, and quantiles ``p5, p50, p95`` of decisions.

    ``n`` counts decisions. Quantiles are the least number of options that so many decisions do not exceed.
    """
    sample = sample_of(run)
    return _options(sample, ["phase"])


def options_by_turn(run: Run | Sample) -> pl.DataFrame:
    """Return `options_by_phase` for each ``turn`` of a phase: its number among the placements or capture turns."""
    sample = sample_of(run)
    return _options(sample, ["phase", "turn"])


def _options(sample: Sample, by: list[str]) -> pl.DataFrame:
    run, placed = sample.run, spaces_of(sample.run)
    number, phase = pl.col("round").cast(pl.Int64), pl.col("phase").cast(pl.String())
    turn = pl.when(phase == "place").then(number).when(phase == "remove").then(1).otherwise(number - placed - 1)
    moves = run.moves.select(
        "game", phase.alias("phase"), turn.cast(pl.Int64).alias("turn"), pl.col("options").cast(pl.Int64)
    )
    sums = sample.sums(moves, by, n=pl.len(), options=pl.col("options").sum())
    if sample.left_out:
        whole = pl.LazyFrame({"deal": sample.deals})
        moves = moves.with_columns(deal=(pl.col("game") // run.seatings).cast(pl.Int64))
        moves = moves.join(whole.cast(pl.Int64), on="deal", how="semi")
    counts = moves.group_by([*by, "options"]).len().sort("options").collect(engine="streaming")
    spreads = {key: (g["options"].to_numpy(), g["len"].to_numpy()) for key, g in counts.group_by(by)}
    order = {name: i for i, name in enumerate(run.game.phases)}
    rows = []
    for key in sorted(sums, key=lambda k: (order[k[0]], *k[1:])):
        if not sums[key]["n"].sum():
            continue
        values, n = spreads[key]
        reached = np.cumsum(n) / n.sum()
        quantiles = {q: float(values[np.searchsorted(reached, p - 1e-12)]) for q, p in QUANTILES.items()}
        row = sample.row(mean_interval(sums[key]["options"], sums[key]["n"]), **dict(zip(by, key, strict=True)))
        rows.append(row | quantiles)
    types = {"phase": pl.String(), "turn": pl.Int64()}
    return frame(rows, **{name: types[name] for name in by})


def mirrors(run: Run) -> list[str]:
    """Return the mirror players of a run that play against somebody else."""
    found = [p for p in run.players if p.partition("(")[0] == "mirror"]
    return found if len(found) == 1 and len(run.players) == 2 else []


def mirror(run: Run | Sample) -> pl.DataFrame:
    """Return how the mirror player does against the other one.

    Returns
    -------
    DataFrame
        ``seat`` it sits in (either seat, seat 0: it places first, seat 1: it places second), ``measure`` and the
        estimate: ``wins``, ``draws``, ``loses`` and ``win_share`` (a draw counting half) as shares of games, and
        ``lead``: its captured pips less those of the other. Empty without a mirror player, or against another one.
    """
    sample = sample_of(run)
    rows = []
    for player in mirrors(sample.run):
        at_0 = pl.col("order") == player
        share = pl.when(at_0).then(pl.col("share_0")).otherwise(1 - pl.col("share_0"))
        lead = (pl.col("pips_0") - pl.col("pips_1")) * pl.when(at_0).then(1).otherwise(-1)
        games = _results(sample.run).with_columns(place=pl.when(at_0).then(0).otherwise(1), own=share, lead=lead)
        sums = {
            "n": pl.len(),
            "wins": (pl.col("own") == 1).sum(),
            "draws": (pl.col("own") == 0.5).sum(),
            "loses": (pl.col("own") == 0).sum(),
            "win_share": pl.col("own").sum(),
            "lead": pl.col("lead").sum(),
        }
        found = {EITHER: sample.sums(games, [], **sums).get(())}
        by_seat = sample.sums(games, ["place"], **sums)
        found |= {SEATS[s]: by_seat.get((s,)) for s in range(2)}
        for seat, of in found.items():
            for measure in list(sums)[1:] if of is not None else []:
                value = (mean_interval if measure == "lead" else _share)(of[measure], of["n"])
                rows.append(sample.row(value, seat=seat, measure=measure))
    return frame(rows, seat=pl.String(), measure=pl.String())


def symmetry_words(run: Run) -> str:
    """Return which symmetry of the board the mirror player uses, and on how many spaces it cannot copy."""
    rules = rules_of(run)
    n = int(rules["n_spaces"][0])
    axis = any(p["weights"].get("axis", 0) > 0 for p in run.manifest["players"] if p["label"] in mirrors(run))
    half_turn, reflection = (rules[name][0, :n] for name in ("half_turn", "reflection"))
    if half_turn[0] < 0 and reflection[0] < 0:
        return "This board has no symmetry, so the mirror player has nothing to copy by and plays as greedy"
    turned = half_turn[0] >= 0 and not (axis and reflection[0] >= 0)
    fixed = int(((half_turn if turned else reflection) == np.arange(n)).sum())
    name = "half-turn" if turned else "reflection"
    return f"It copies by the board's {name}, under which {fixed} of the {n} spaces stay where they are"
