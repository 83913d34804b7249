"""Tables only Great Fujiyama has: a row an estimate, columns as in `meeplecarlo.report.tables`. ``n`` counts games."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
import polars as pl

from meeplecarlo.games.great_fujiyama.state import ENDINGS, UPPER_LEFT, UPPER_RIGHT
from meeplecarlo.games.great_fujiyama.variant import make_rules
from meeplecarlo.games.great_fujiyama.view import RANK_OF, RANKS
from meeplecarlo.report.comparison import distinctions
from meeplecarlo.report.sample import Sample, frame, sample_of
from meeplecarlo.stats.intervals import difference, independent_difference, share_of_sums
from meeplecarlo.stats.linear import Linear, ratio
from meeplecarlo.stats.multiple import holm
from meeplecarlo.store.dataset import Run

NO_RANK = "no station"
BEFORE = "before the first decision"
SMALL = (1, 2, 3)  # stations whose reach rates are compared between two runs


def options(run: Run) -> dict:
    """Return the rule options of a run by name."""
    return run.manifest["game"]["options"]


def _counts(sample: Sample, column: str) -> dict[int, np.ndarray]:
    """Return the games of each deal by the value of a column of ``games``."""
    sums = sample.sums(sample.run.games.select("deal", pl.col(column).cast(pl.Int64)), [column], n=pl.len())
    return {key[0]: of["n"] for key, of in sorted(sums.items())}


def _games(counts: dict[int, np.ndarray]) -> np.ndarray:
    return sum(counts.values())


def _at_least(sample: Sample) -> list[np.ndarray]:
    """Return the games of each deal that complete at least 0, 1, ... stations."""
    counts = _counts(sample, "stations")
    nothing = np.zeros(len(sample.deals))
    width = options(sample.run)["width"]
    return [sum((n for s, n in counts.items() if s >= least), nothing) for least in range(width + 1)]


def reach(run: Run | Sample) -> pl.DataFrame:
    """Return how often teams get how far.

    Returns
    -------
    DataFrame
        ``station`` (1 to the width of the pyramid) and the share of games that complete at least so many, with its
        Wilson interval; where no game did, the upper end says how often it may still happen.
    """
    sample = sample_of(run)
    games, *reached = _at_least(sample)
    rows = [sample.row(share_of_sums(n, games), station=s) for s, n in enumerate(reached, start=1)]
    return frame(rows, station=pl.Int64())


def hazards(run: Run | Sample) -> pl.DataFrame:
    """Return where games get stuck.

    Returns
    -------
    DataFrame
        ``station`` and, of the games that completed all stations below it, the share that does not complete this one;
        n counts these games. Stations that no game got to have no estimate.
    """
    sample = sample_of(run)
    reached = _at_least(sample)
    rows = [
        sample.row(share_of_sums(below - done, below), station=s)
        for s, (below, done) in enumerate(itertools.pairwise(reached), start=1)
    ]
    return frame(rows, station=pl.Int64())


def heights(run: Run | Sample) -> pl.DataFrame:
    """Return how many stations are completed, and how many begun.

    Returns
    -------
    DataFrame
        ``measure`` (``completed``, or ``begun``: the highest station that holds a tile), ``station`` from 0 and the
        share of games with exactly so many.
    """
    sample = sample_of(run)
    width, rows = options(sample.run)["width"], []
    for measure, column in (("completed", "stations"), ("begun", "highest")):
        counts = _counts(sample, column)
        games = _games(counts)
        for s in range(width + 1):
            value = share_of_sums(counts.get(s, np.zeros(len(games))), games)
            rows.append(sample.row(value, measure=measure, station=s))
    return frame(rows, measure=pl.String(), station=pl.Int64())


def tiles_laid(run: Run | Sample) -> pl.DataFrame:
    """Return the distribution of tiles laid: ``tiles`` (the first included) and the share of games with just so many.

    Only numbers that occur have a row. A game with 1 tile ended before the first decision.
    """
    sample = sample_of(run)
    counts = _counts(sample, "tiles")
    games = _games(counts)
    return frame([sample.row(share_of_sums(n, games), tiles=t) for t, n in counts.items()], tiles=pl.Int64())


def ranks(run: Run | Sample) -> pl.DataFrame:
    """Return how often each printed name of a result is earned.

    Returns
    -------
    DataFrame
        ``rank`` (its printed name, or "no station"), ``least`` and ``most`` stations it stands for, and the share of
        games. Only names that a pyramid of this width can earn.
    """
    sample = sample_of(run)
    counts = _counts(sample, "stations")
    games, rows = _games(counts), []
    for name in (NO_RANK, *RANKS):
        code = RANKS.index(name) if name != NO_RANK else -1
        stations = [s for s, rank in enumerate(RANK_OF) if rank == code and s <= options(sample.run)["width"]]
        if stations:
            n = sum((counts[s] for s in stations if s in counts), np.zeros(len(games)))
            labels = {"rank": name, "least": stations[0], "most": stations[-1]}
            rows.append(sample.row(share_of_sums(n, games), **labels))
    return frame(rows, rank=pl.String(), least=pl.Int64(), most=pl.Int64())


def endings(run: Run | Sample) -> pl.DataFrame:
    """Return why games ended.

    Returns
    -------
    DataFrame
        ``ended`` and the share of games; the last row, "before the first decision", is part of the first.
    """
    sample = sample_of(run)
    sums = sample.sums(sample.run.games.select("deal", "ended", "decisions"), ["ended"], n=pl.len(),
                       early=(pl.col("decisions") == 0).sum())  # fmt: skip
    games, nothing = sum(of["n"] for of in sums.values()), np.zeros(len(sample.deals))
    rows = [
        sample.row(share_of_sums(sums[name,]["n"] if (name,) in sums else nothing, games), ended=name)
        for name in ENDINGS
    ]
    # A pyramid one tile wide is complete before the first decision; that is not what is asked here.
    stuck = ENDINGS[0]
    early = sums[stuck,]["early"] if (stuck,) in sums else nothing
    rows.append(sample.row(share_of_sums(early, games), ended=BEFORE))
    return frame(rows, ended=pl.String())


def exactly_before(run: Run) -> Fraction | None:
    """Return the exact probability that a deal ends before the first decision; None if it is complete then.

    The first tile lies as it is. No tile of seat 0's hand may fit beside it: for each first tile, hands of the tiles
    that do not fit are counted.
    """
    used = run.manifest["game"]
    file = used["components"]["tiles"]
    rules = make_rules(run.n_seats, used["options"], {"tiles": (file["file"], file["text"])})[0]
    if rules["width"] == 1:
        return None
    tiles = rules["seasons"][: rules["n_tiles"]].tolist()
    size, others, total = int(rules["hand_size"]), len(tiles) - 1, Fraction(0)
    for first, seasons in enumerate(tiles):
        left, right = seasons[UPPER_LEFT], seasons[UPPER_RIGHT]
        fitting = 0
        for tile, corners in enumerate(tiles):
            if rules["turns"] > 1:
                fits = left in corners or right in corners
            else:
                fits = corners[UPPER_RIGHT] == left or corners[UPPER_LEFT] == right
            fitting += tile != first and fits
        total += Fraction(comb(others - fitting, size), comb(others, size))
    return total / len(tiles)


def best_game(run: Run) -> dict:
    """Return the row of ``games`` of the best game: most stations, then most tiles, then the lowest number."""
    order = ["stations", "tiles", "game"]
    rows = run.games.sort(order, descending=[True, True, False]).head(1).collect(engine="streaming")
    return rows.row(0, named=True)


def reach_by_run(samples: list[Sample], names: list[str]) -> pl.DataFrame:
    """Return `reach` of several runs, with the column ``run`` before the others."""
    return pl.concat(reach(s).select(pl.lit(n).alias("run"), pl.all()) for s, n in zip(samples, names, strict=True))


@dataclass(frozen=True)
class Pair:
    """Two runs that differ in one option only.

    Attributes
    ----------
    name : str
        What they have in common, as far as others differ in it.
    base, other : int
        Places of the runs in the list; `base` has the option as in the box.
    """

    name: str
    base: int
    other: int


def pairs_of(samples: list[Sample], option: str) -> list[Pair]:
    """Return the pairs of runs that differ in `option` and nothing else, in the order of the runs."""
    parts = [distinctions(s.run) for s in samples]
    default = next(o.default for o in samples[0].run.game.options if o.name == option)
    rest = [{k: v for k, v in p.items() if k != option} for p in parts]
    differing = [k for k in rest[0] if len({p.get(k) for p in rest}) > 1]
    if option == "talk":  # alone, there is nobody to talk to
        usable = [s.run.n_seats > 1 for s in samples]
    else:
        usable = [True] * len(samples)
    found = []
    for i, j in itertools.permutations(range(len(samples)), 2):
        values = options(samples[i].run)[option], options(samples[j].run)[option]
        if usable[i] and rest[i] == rest[j] and values[0] == default != values[1]:
            found.append(
                Pair("; ".join(rest[i][k] for k in differing) or f"{rest[i]['seats']}; {rest[i]['lineup']}", i, j)
            )
    return list({p.name: p for p in reversed(found)}.values())[::-1]


def _statistics(sample: Sample) -> dict[str, Linear]:
    games, *reached = _at_least(sample)
    found = {"mean": ratio(sum(reached, np.zeros(len(games))), games)}
    return found | {f"at least {s}": ratio(n, games) for s, n in enumerate(reached, 1) if s in SMALL}


def worth(samples: list[Sample], option: str) -> pl.DataFrame:
    """Return what an option changes, on the same deals where the runs were played on the same.

    Parameters
    ----------
    option : str
        ``talk`` or ``turn``: runs with it are compared with runs that have it as in the box and differ in nothing
        else.

    Returns
    -------
    DataFrame
        ``pair`` (what both runs are), ``measure`` (``mean`` stations; ``at least s``: share of games that complete so
        many), the change, then ``paired`` (1: the same deals, paired t; 0: Welch's t), ``p`` and ``p_holm``, adjusted
        for the number of pairs.
    """
    rows: list[dict] = []
    pairs = pairs_of(samples, option)
    values = {i: _statistics(samples[i]) for i in {k for p in pairs for k in (p.base, p.other)}}
    for pair in pairs:
        base, other = samples[pair.base], samples[pair.other]
        paired = _same_deals(base, other)
        for measure, value in values[pair.other].items():
            change = (difference if paired else independent_difference)(value, values[pair.base][measure])
            row = other.row(change, pair=pair.name, measure=measure)
            rows.append(row | {"paired": float(paired), "p": change.p if np.isfinite(change.p) else None})
    table = frame(rows, pair=pl.String(), measure=pl.String())
    if not rows:
        return table.with_columns(**{c: pl.lit(None, pl.Float64) for c in ("paired", "p", "p_holm")})
    adjusted: list[float | None] = [None] * len(rows)
    for measure in dict.fromkeys(table["measure"]):
        places = [i for i, r in enumerate(rows) if r["measure"] == measure]
        for i, p in zip(places, holm(np.array([rows[i]["p"] for i in places], float)), strict=True):
            adjusted[i] = float(p) if np.isfinite(p) else None
    return table.with_columns(p_holm=pl.Series(adjusted, dtype=pl.Float64))


def _same_deals(first: Sample, second: Sample) -> bool:
    return (
        first.run.manifest["seed"] == second.run.manifest["seed"]
        and len(first.deals) == len(second.deals)
        and bool((first.deals == second.deals).all())
    )
