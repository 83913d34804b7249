"""Where on the field tiles lie and animals are satisfied, seen from the box that bounds all tiles.

In the logs squares are counted from the first tile, which may come to lie anywhere in the field. Only in games in which
rows and columns are settled is it known where in the field a square is, so only these are used.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.games.acornism.report.tables import options_of
from meeplecarlo.report.sample import Sample, Sums, frame, sample_of
from meeplecarlo.stats.intervals import Interval, mean_interval, share_of_sums, without_interval
from meeplecarlo.stats.linear import ratio
from meeplecarlo.store.dataset import Run

CORNER, EDGE = "corner", "edge without corners"


def zone_of(x: int, y: int, size: int) -> str:
    """Return how far from the edge a square is, in words; x and y from 0."""
    line = min(x, y, size - 1 - x, size - 1 - y)
    if line:
        return f"line {line + 1} from the edge"
    return CORNER if {x, y} <= {0, size - 1} else EDGE


def zones_of(size: int) -> dict[str, list[tuple[int, int]]]:
    """Return the squares of each zone, from the corners to the middle."""
    found: dict[str, list[tuple[int, int]]] = {CORNER: [], EDGE: []}
    for line in range((size + 1) // 2):
        for y in range(size):
            for x in range(size):
                if min(x, y, size - 1 - x, size - 1 - y) == line:
                    found.setdefault(zone_of(x, y, size), []).append((x, y))
    return found


def _settled(run: Run) -> pl.LazyFrame:
    """Return ``game, x_low, y_low`` of the games whose rows and columns are settled; the first tile is in the box."""
    size = options_of(run)["field_size"]
    settled = run.games.filter((pl.col("width") == size) & (pl.col("height") == size)).select("game")
    low = run.moves.group_by("game").agg(
        **{f"{axis}_low": pl.min_horizontal(pl.col(f"animal_{axis}").min(), pl.col(f"acorn_{axis}").min(), 0)
           for axis in "xy"}
    )  # fmt: skip
    return settled.join(low, on="game")


def _squares(sample: Sample) -> tuple[np.ndarray, dict[str, dict[tuple[int, int], Sums]]]:
    """Return the settled games of each deal, and by kind (animal, acorn, satisfied) and square, how many per deal."""
    run = sample.run
    low = _settled(run)
    games = sample.sums(low, [], n=pl.len())[()]["n"]
    if not games.any():
        return games, {}
    moves = run.moves.filter(pl.col("phase") == "place")
    kinds = {}
    for kind, at in (("animal", 0), ("acorn", 1)):
        laid = moves.select("game", x=pl.col(f"{kind}_x"), y=pl.col(f"{kind}_y"))
        start = run.games.select("game", x=pl.lit(at, pl.Int8), y=pl.lit(0, pl.Int8))
        kinds[kind] = pl.concat([laid, start])
    if run.has("scores"):
        kinds["satisfied"] = run.scores.select("game", "x", "y")
    found = {}
    for kind, rows in kinds.items():
        inside = rows.join(low, on="game").select(
            "game", *((pl.col(axis) - pl.col(f"{axis}_low")).cast(pl.Int64).alias(axis) for axis in "xy")
        )
        found[kind] = sample.sums(inside, ["x", "y"], n=pl.len())
    return games, found


def field(run: Run | Sample) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what lies where at the end; `field` needs moves, and scores for who is satisfied.

    Returns
    -------
    squares : DataFrame
        ``x, y`` (from 0, to the right and downwards), ``zone``, ``measure`` and the estimate. Measures: share of games
        in which the square is ``filled``, in which an ``animal`` lies on it, and in which one scores there
        (``satisfied``). ``n`` counts games in which rows and columns are settled.
    zones : DataFrame
        ``zone``, ``measure`` and the estimate; ``squares`` counts those of the zone. Measures: ``filled``, the share
        of squares (``n`` counts squares of settled games); animals per game that lie there (``animal``; ``n`` counts
        games) and the share of these that score (``satisfied``; ``n`` counts animals).

    Both are empty where no game settled. Where animals on the edge cannot score by the rules, 0 has no interval.
    """
    sample = sample_of(run)
    size = options_of(sample.run)["field_size"]
    edge_scoring = options_of(sample.run)["edge_scoring"] == "true"
    games, kinds = _squares(sample)
    squares, zones, nothing = [], [], np.zeros(len(sample.deals))

    def count(kind: str, square: tuple[int, int]) -> np.ndarray:
        return kinds[kind][square]["n"] if square in kinds[kind] else nothing

    def share(name: str, zone: str, n: np.ndarray, trials: np.ndarray) -> Interval:
        impossible = name == "satisfied" and zone in (CORNER, EDGE) and not edge_scoring
        return without_interval(ratio(n, trials)) if impossible else share_of_sums(n, trials)

    for zone, of in zones_of(size).items() if kinds else ():
        by_square = {
            square: {"filled": count("animal", square) + count("acorn", square)}
            | {kind: count(kind, square) for kind in kinds if kind != "acorn"}
            for square in of
        }
        total = {name: sum((n[name] for n in by_square.values()), nothing) for name in by_square[of[0]]}
        values = {
            "filled": share_of_sums(total["filled"], len(of) * games),
            "animal": mean_interval(total["animal"], games),
        }
        if "satisfied" in kinds:
            values["satisfied"] = share("satisfied", zone, total["satisfied"], total["animal"])
        zones += [sample.row(v, zone=zone, squares=len(of), measure=name) for name, v in values.items()]
        for (x, y), counts in by_square.items():
            squares += [
                sample.row(share(name, zone, n, games), x=x, y=y, zone=zone, measure=name) for name, n in counts.items()
            ]
    return (
        frame(squares, x=pl.Int64(), y=pl.Int64(), zone=pl.String(), measure=pl.String()),
        frame(zones, zone=pl.String(), squares=pl.Int64(), measure=pl.String()),
    )
