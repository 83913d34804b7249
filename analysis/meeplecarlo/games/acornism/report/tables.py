"""Tables only Acornism has: a row an estimate, columns as in `meeplecarlo.report.tables`.

Where the first columns name a seat or player, the rest is about it; otherwise a row is about all games.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.games.acornism.variant import make_rules
from meeplecarlo.report.sample import Sample, Sums, frame, sample_of
from meeplecarlo.stats.intervals import Interval, difference, mean_interval, share_of_sums, t_interval, without_interval
from meeplecarlo.stats.linear import Linear, ratio
from meeplecarlo.store.dataset import Run

ALL = "all"
FATES = ("satisfied", "starved", "unfinished")
QUANTILES = {"p5": 0.05, "p50": 0.50, "p95": 0.95}
_POINTS = pl.col("points").cast(pl.Float64)


def options_of(run: Run) -> dict:
    """Return the options a run was played with, by name."""
    return run.manifest["game"]["options"]


def rules_of(run: Run) -> np.ndarray:
    """Return the rules a run was played by, shape (1,)."""
    used = run.manifest["game"]
    file = used["components"]["tiles"]
    return make_rules(run.n_seats, used["options"], {"tiles": (file["file"], file["text"])})


def numbers_of(run: Run) -> list[int]:
    """Return how many acorns the animals of a run want, each number once, ascending."""
    rules = rules_of(run)[0]
    return sorted(set(rules["want"][: rules["n_tiles"]].tolist()))


def magic_numbers(run: Run) -> list[int]:
    """Return what the animals want that lie on the tiles of the Magic Acorns, where these are worth anything."""
    rules = rules_of(run)[0]
    return sorted(set(rules["want"][rules["magic"] == 1].tolist()))


def edge(share: Interval, parity: float) -> Interval:
    """Return a win share as its distance from `parity`."""
    return Interval(**{**vars(share), **{end: getattr(share, end) - parity for end in ("estimate", "lo", "hi")}})


def win_share(wins: np.ndarray, games: np.ndarray) -> Interval:
    """Return a win share with its interval; without one if it is the same in every deal, and neither 0 nor 1.

    That happens when one player wins from every seat in every deal: each seat then has its fair share, whatever it is
    worth.
    """
    found = share_of_sums(wins, games)
    fixed = 0 < found.estimate < 1 and not found.se > 0
    return without_interval(ratio(wins, games)) if fixed else found


# --- seats ---------------------------------------------------------------------------------------------------------
def by_seat(run: Run | Sample) -> pl.DataFrame:
    """Return what each seat is worth, over all seatings.

    Returns
    -------
    DataFrame
        ``seat, measure`` and the estimate; ``n`` counts games. Measures: ``win_share``; its ``edge`` over parity
        (1 / seats); mean ``points``; ``lead``, its points less the mean of the other seats; ``animals`` scored, where
        scores were kept; ``tiles`` placed, where moves were kept.
    """
    sample = sample_of(run)
    run, rows = sample.run, []
    sums = sample.sums(run.seats, ["seat"], n=pl.len(), wins=pl.col("win_share").sum(), points=_POINTS.sum())
    counts: dict[str, dict] = {}
    if run.has("scores"):
        counts["animals"] = sample.sums(run.scores.select("game", "seat"), ["seat"], n=pl.len())
    if run.has("moves"):
        placed = run.moves.filter(pl.col("phase") == "place").select("game", "seat")
        counts["tiles"] = sample.sums(placed, ["seat"], n=pl.len())
    total = sum(of["points"] for of in sums.values())
    for seat in range(run.n_seats):
        of = sums[seat,]
        win = win_share(of["wins"], of["n"])
        lead = of["points"] - (total - of["points"]) / (run.n_seats - 1)
        measures = {
            "win_share": win,
            "edge": edge(win, 1 / run.n_seats),
            "points": mean_interval(of["points"], of["n"]),
            "lead": mean_interval(lead, of["n"]),
        }
        for name, counted in counts.items():
            n = counted[seat,]["n"] if (seat,) in counted else np.zeros(len(sample.deals))
            measures[name] = mean_interval(n, of["n"])
        rows += [sample.row(value, seat=seat, measure=name) for name, value in measures.items()]
    return frame(rows, seat=pl.Int64(), measure=pl.String())


def by_player_and_seat(run: Run | Sample) -> pl.DataFrame:
    """Return the win share of each player in each seat: ``player, seat`` and the estimate; ``n`` counts seats held.

    Empty for a line-up of one player.
    """
    sample = sample_of(run)
    rows = []
    if len(sample.run.players) > 1:
        sums = sample.sums(sample.run.seats, ["player", "seat"], n=pl.len(), wins=pl.col("win_share").sum())
        for player in sample.run.players:
            for seat in range(sample.run.n_seats):
                if (player, seat) in sums:
                    of = sums[player, seat]
                    rows.append(sample.row(share_of_sums(of["wins"], of["n"]), player=player, seat=seat))
    return frame(rows, player=pl.String(), seat=pl.Int64())


# --- numbers wanted ------------------------------------------------------------------------------------------------
def _fates(sample: Sample) -> dict[int, dict[str, np.ndarray]]:
    """Return by number, per deal: animals placed, those of each fate, and the points they brought if that is known."""
    run = sample.run
    numbers = numbers_of(run)
    counted = {
        f"{fate} {number}": pl.col(f"{fate}_by_number").list.get(number - 1).cast(pl.Int64).sum()
        for fate in ("placed", "satisfied", "starved")
        for number in numbers
    }
    columns = ["game", *(f"{fate}_by_number" for fate in ("placed", "satisfied", "starved"))]
    sums = sample.sums(run.games.select(columns), [], **counted)[()]
    scored: dict = {}
    if run.has("scores"):
        lines = run.scores.select("game", pl.col("slot").cast(pl.String()), "points")
        scored = sample.sums(lines, ["slot"], points=_POINTS.sum())
    found = {}
    for number in numbers:
        of = {fate: sums[f"{fate} {number}"] for fate in ("placed", "satisfied", "starved")}
        of["unfinished"] = of["placed"] - of["satisfied"] - of["starved"]
        if run.has("scores"):
            of["points"] = scored[str(number),]["points"] if (str(number),) in scored else np.zeros(len(sample.deals))
        elif not options_of(run)["pieces"]:  # otherwise some are satisfied without a piece to score them
            of["points"] = number * of["satisfied"]
        found[number] = of
    return found


def numbers(run: Run | Sample) -> pl.DataFrame:
    """Return what becomes of animals by the acorns they want.

    Returns
    -------
    DataFrame
        ``number`` (as text; all for all of them), ``measure`` and the estimate. Measures: animals ``placed`` per game
        (``n`` counts games); shares of these that are ``satisfied``, ``starved`` or ``unfinished``, and ``points``
        scored per animal placed (``n`` counts animals placed); and ``share``, the part of all points that these
        animals bring (``n`` counts points). No points where they are not known.
    """
    sample = sample_of(run)
    fates, rows = _fates(sample), []
    games = sample.sums(sample.run.games.select("game"), [], n=pl.len())[()]["n"]
    total = {what: sum(of[what] for of in fates.values()) for what in next(iter(fates.values()))}
    for number, of in [(ALL, total), *((str(k), of) for k, of in fates.items())]:
        measures = {"placed": mean_interval(of["placed"], games)}
        measures |= {fate: share_of_sums(of[fate], of["placed"]) for fate in FATES}
        if "points" in of:
            measures["points"] = mean_interval(of["points"], of["placed"])
            part = share_of_sums(of["points"], total["points"])
            measures["share"] = without_interval(ratio(of["points"], total["points"])) if number == ALL else part
        rows += [sample.row(value, number=number, measure=name) for name, value in measures.items()]
    return frame(rows, number=pl.String(), measure=pl.String())


def chase(run: Run | Sample) -> pl.DataFrame:
    """Return whether the greatest animals are worth it, against all others that are placed in the same deals.

    Returns
    -------
    DataFrame
        ``number`` (the greatest), ``measure`` and how much more it is for them: ``satisfied`` (share of those placed)
        and ``points`` per animal placed; then ``p``. Empty where all animals want the same, or points are not known.
    """
    sample = sample_of(run)
    fates, rows = _fates(sample), []
    greatest = max(fates)
    if len(fates) > 1 and "points" in fates[greatest]:
        others = {
            what: sum(of[what] for number, of in fates.items() if number != greatest)
            for what in ("placed", "satisfied", "points")
        }
        for what in ("satisfied", "points"):
            change = difference(
                ratio(fates[greatest][what], fates[greatest]["placed"]), ratio(others[what], others["placed"])
            )
            row = sample.row(change, number=greatest, measure=what)
            rows.append(row | {"p": change.p if np.isfinite(change.p) else None})
    return frame(rows, number=pl.Int64(), measure=pl.String())


def numbers_by_player(run: Run | Sample) -> pl.DataFrame:
    """Return for which animals a player scores: ``player, number`` and mean points per game and seat held.

    The number is text, all for all of them. ``n`` counts seats held. Needs scores.
    """
    sample = sample_of(run)
    run, rows, nothing = sample.run, [], np.zeros(len(sample.deals))
    held = sample.sums(run.seats, ["player"], n=pl.len())
    lines = sample.with_player(run.scores.select("game", "seat", pl.col("slot").cast(pl.String()), "points"))
    sums = sample.sums(lines, ["player", "slot"], points=_POINTS.sum())
    for player in (p for p in run.players if (p,) in held):
        points = {
            str(k): sums[player, str(k)]["points"] if (player, str(k)) in sums else nothing for k in numbers_of(run)
        }
        points = {ALL: sum(points.values())} | points
        rows += [
            sample.row(mean_interval(of, held[player,]["n"]), player=player, number=number)
            for number, of in points.items()
        ]
    return frame(rows, player=pl.String(), number=pl.String())


# --- the Magic Acorn -----------------------------------------------------------------------------------------------
def finder_rows(run: Run) -> pl.LazyFrame:
    """Return the seats of games in which somebody has found a Magic Acorn, with ``finds``: whether it was this seat."""
    found = run.games.select("game", "finder").drop_nulls("finder")
    return run.seats.join(found, on="game").with_columns(finds=pl.col("seat") == pl.col("finder"))


def finder_statistics(sample: Sample) -> dict[str, Linear]:
    """Return ``win_share`` and ``points`` of the finder, and its ``lead`` over the mean of the others, per game found.

    Empty if nobody found one in any game.
    """
    n_others = sample.run.n_seats - 1
    sums = sample.sums(
        finder_rows(sample.run), ["finds"], n=pl.len(), wins=pl.col("win_share").sum(), points=_POINTS.sum()
    )
    if (True,) not in sums or not sums[True,]["n"].sum():
        return {}
    own, others = sums[True,], sums[False,]
    return {
        "win_share": ratio(own["wins"], own["n"]),
        "points": ratio(own["points"], own["n"]),
        "lead": ratio(own["points"] - others["points"] / n_others, own["n"]),
    }


def magic(run: Run | Sample) -> pl.DataFrame:
    """Return what goes with finding the Magic Acorn: the seat that first has one in its hand.

    Returns
    -------
    DataFrame
        ``measure`` and the estimate. ``found``: share of games with a finder (``n`` counts games). Of these games:
        ``played``, the share in which it is placed, and the mean ``turn`` of that; the finder's ``win_share``,
        ``edge`` over parity, mean ``points``, and ``lead`` over the mean of the others; mean points of animals beside
        a Magic Acorn that the finder scores (``beside_own``) and that all others score together (``beside_others``),
        where scores were kept. Only ``found`` if nobody ever found it.
    """
    sample = sample_of(run)
    run = sample.run
    of = sample.sums(
        run.games.select("game", "finder", "magic_turn"),
        [],
        n=pl.len(),
        found=pl.col("finder").is_not_null().sum(),
        played=pl.col("magic_turn").filter(pl.col("finder").is_not_null()).count(),
        turn=pl.col("magic_turn").filter(pl.col("finder").is_not_null()).cast(pl.Int64).sum(),
    )[()]
    measures = {"found": share_of_sums(of["found"], of["n"])}
    if of["found"].any():
        own = sample.sums(finder_rows(run).filter("finds"), [], wins=pl.col("win_share").sum())[()]
        win = win_share(own["wins"], of["found"])
        measures["played"] = share_of_sums(of["played"], of["found"])
        measures["turn"] = mean_interval(of["turn"], of["played"])
        measures["win_share"] = win
        measures["edge"] = edge(win, 1 / run.n_seats)
        statistics = finder_statistics(sample)
        measures |= {name: t_interval(statistics[name]) for name in ("points", "lead")}
        if run.has("scores"):
            measures |= _beside(sample, of["found"])
    return frame([sample.row(value, measure=name) for name, value in measures.items()], measure=pl.String())


def _beside(sample: Sample, found: np.ndarray) -> dict[str, Interval]:
    lines = sample.run.scores.filter(pl.col("magic") > 0).select("game", "seat", "points")
    with_finder = lines.join(sample.run.games.select("game", "finder").drop_nulls("finder"), on="game")
    with_finder = with_finder.with_columns(finds=pl.col("seat") == pl.col("finder"))
    sums = sample.sums(with_finder, ["finds"], points=_POINTS.sum())
    nothing = Sums({"points": np.zeros(len(sample.deals))})
    return {
        name: mean_interval(sums.get((finds,), nothing)["points"], found)
        for name, finds in (("beside_own", True), ("beside_others", False))
    }


def magic_by_player(run: Run | Sample) -> pl.DataFrame:
    """Return the win share of each player when it finds the Magic Acorn and when another seat does.

    Returns
    -------
    DataFrame
        ``player, measure`` and the estimate. Measures: ``finds``, ``other`` (win shares) and ``change`` (finds minus
        other). ``n`` counts seats held. Empty for a line-up of one player.
    """
    sample = sample_of(run)
    run, rows = sample.run, []
    sums: dict = {}
    if len(run.players) > 1:
        sums = sample.sums(finder_rows(run), ["player", "finds"], n=pl.len(), wins=pl.col("win_share").sum())
    for player in run.players:
        if (player, True) in sums and (player, False) in sums:
            own, other = sums[player, True], sums[player, False]
            measures = {
                "finds": share_of_sums(own["wins"], own["n"]),
                "other": share_of_sums(other["wins"], other["n"]),
                "change": difference(ratio(own["wins"], own["n"]), ratio(other["wins"], other["n"])),
            }
            rows += [sample.row(value, player=player, measure=name) for name, value in measures.items()]
    return frame(rows, player=pl.String(), measure=pl.String())


# --- the end of the game -------------------------------------------------------------------------------------------
def ending(run: Run | Sample) -> pl.DataFrame:
    """Return how games end; ``n`` counts games.

    Returns
    -------
    DataFrame
        ``measure`` and the estimate. Means per game: tiles ``placed`` (the first included), ``left`` in the pile and
        ``in_hands``, ``turns`` and ``passes``, animals ``satisfied``, ``starved`` and ``unfinished``. ``filled``: the
        share of the field's squares with something on it. Shares of games: ``empty`` pile, ``passing`` (somebody has
        to pass at least once), ``settled`` (rows and columns are).
    """
    sample = sample_of(run)
    size = options_of(sample.run)["field_size"]
    means = ["placed", "left", "in_hands", "passes", *FATES]
    columns = ["game", "decisions", "width", "height", *means]
    of = sample.sums(
        sample.run.games.select(columns),
        [],
        n=pl.len(),
        turns=pl.col("decisions").cast(pl.Int64).sum(),
        empty=(pl.col("left") == 0).sum(),
        passing=(pl.col("passes") > 0).sum(),
        settled=((pl.col("width") == size) & (pl.col("height") == size)).sum(),
        **{name: pl.col(name).cast(pl.Int64).sum() for name in means},
    )[()]
    n = of["n"]
    measures = {name: mean_interval(of[name], n) for name in ("placed", "left", "in_hands", "turns", "passes", *FATES)}
    measures["filled"] = share_of_sums(2 * of["placed"], size * size * n)
    measures |= {name: share_of_sums(of[name], n) for name in ("empty", "passing", "settled")}
    return frame([sample.row(value, measure=name) for name, value in measures.items()], measure=pl.String())


def spread(run: Run | Sample) -> pl.DataFrame:
    """Return distributions over games.

    Returns
    -------
    DataFrame
        ``what`` (tiles left ``over`` in pile and hands, ``left`` in the pile alone, tiles ``placed``, ``passes``,
        animals ``satisfied``), ``value`` and the share of games with exactly this value, only values that occur. ``n``
        counts games.
    """
    sample = sample_of(run)
    rows = []
    columns = {what: pl.col(what).cast(pl.Int64) for what in ("left", "placed", "passes", "satisfied")}
    columns = {"over": columns["left"] + pl.col("in_hands")} | columns
    for what, column in columns.items():
        values = sample.run.games.select("game", value=column)
        sums = sample.sums(values, ["value"], n=pl.len())
        n = sum(of["n"] for of in sums.values())
        shares = [(key[0], share_of_sums(sums[key]["n"], n)) for key in sorted(sums)]
        rows += [sample.row(share, what=what, value=value) for value, share in shares if share.estimate]
    return frame(rows, what=pl.String(), value=pl.Int64())


# --- options -------------------------------------------------------------------------------------------------------
def choices(run: Run | Sample) -> pl.DataFrame:
    """Return how many options a seat has that can place a tile.

    Returns
    -------
    DataFrame
        ``turn`` (from 1, passes included; null for all turns together), the mean, and ``p5, p50, p95``: the least
        number of options that so many decisions do not exceed. ``n`` counts decisions. Passes are left out: they have
        one option. Needs moves.
    """
    sample = sample_of(run)
    moves = sample.run.moves.filter(pl.col("phase") == "place").select(
        "game", turn=pl.col("ply").cast(pl.Int64) + 1, options=pl.col("options").cast(pl.Int64)
    )
    counted = {"n": pl.len(), "options": pl.col("options").sum()}
    sums = {None: sample.sums(moves, [], **counted)[()]}
    sums |= {turn: of for (turn,), of in sorted(sample.sums(moves, ["turn"], **counted).items())}
    if sample.left_out:
        whole = pl.LazyFrame({"deal": sample.deals})
        moves = moves.with_columns(deal=pl.col("game").cast(pl.Int64) // sample.run.seatings)
        moves = moves.join(whole, on="deal", how="semi")
    counts = moves.group_by("turn", "options").len().sort("options").collect(engine="streaming")
    rows = []
    for turn, of in sums.items():
        if of["n"].any():
            row = sample.row(mean_interval(of["options"], of["n"]), turn=turn)
            rows.append(row | _quantiles(counts if turn is None else counts.filter(turn=turn)))
    return frame(rows, turn=pl.Int64())


def _quantiles(counts: pl.DataFrame) -> dict[str, float]:
    """Return quantiles of ``options``, each of which occurs ``len`` times."""
    counts = counts.group_by("options").agg(pl.col("len").sum()).sort("options")
    reached = counts["len"].cum_sum().to_numpy() / counts["len"].sum()
    return {name: float(counts["options"][int(np.searchsorted(reached, q - 1e-12))]) for name, q in QUANTILES.items()}
