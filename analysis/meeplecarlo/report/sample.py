"""From the rows of a run to sums per deal, which is all that statistics need.

Rows are aggregated lazily, part by part: memory grows with the number of deals, never with that of moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl

from meeplecarlo.stats.intervals import Interval
from meeplecarlo.store.dataset import Run

# Columns every table of estimates ends with.
ESTIMATE_COLUMNS = ("estimate", "lo", "hi", "se", "n", "deals", "games")


@dataclass(frozen=True)
class Sums:
    """Sums over each deal.

    Attributes
    ----------
    values : dict of str to ndarray of float64, shape (B,)
        By name; 0 where a deal has no rows.
    """

    values: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.values[name]


@dataclass(frozen=True)
class Sample:
    """The games of a run that statistics are made from: those of deals played in all their seatings.

    Attributes
    ----------
    run : Run
    deals : ndarray of int64, shape (B,)
        Their numbers, ascending. If no deal is complete, the incomplete one: estimates then have no intervals.
    games : int
        Games in these deals.
    left_out : int
        Games that were played but are not in a complete deal.
    identical : bool
        All games with the same order of players are the same game. Their error is not small but unknown: no estimate
        has an interval.
    """

    run: Run
    deals: np.ndarray
    games: int
    left_out: int
    identical: bool = False

    @classmethod
    def of(cls, run: Run) -> Sample:
        """Return the sample of a run."""
        games = run.games.select(pl.col("deal").cast(pl.Int64)).collect(engine="streaming")["deal"].to_numpy()
        deals, counts = np.unique(games, return_counts=True)
        whole = counts == run.seatings
        identical = games_are_identical(run)
        if not whole.any():
            return cls(run, deals, len(games), 0, identical)
        inside = int(counts[whole].sum())
        return cls(run, deals[whole], inside, len(games) - inside, identical)

    def sums(self, rows: pl.LazyFrame, by: Iterable[str], **values: pl.Expr) -> dict[tuple, Sums]:
        """Return sums per deal for each combination of the columns `by`.

        Parameters
        ----------
        rows : LazyFrame
            With a column ``game``, or ``deal``.
        values : polars expressions
            Aggregations within a deal, by the name they get: ``pl.len()``, ``pl.col("points").sum()``.

        Returns
        -------
        dict of tuple to Sums
            By the values of `by`, in no particular order.
        """
        by = list(by)
        if "deal" not in rows.collect_schema().names():
            rows = rows.with_columns(deal=pl.col("game") // self.run.seatings)
        sums = rows.group_by([*by, "deal"]).agg(**values).collect(engine="streaming")
        found = {}
        for key, part in sums.partition_by(by, as_dict=True).items() if by else [((), sums)]:
            where = part["deal"].cast(pl.Int64).to_numpy()
            index = np.searchsorted(self.deals, where)
            index[index == len(self.deals)] = 0
            known = self.deals[index] == where
            arrays = {}
            for name in values:
                arrays[name] = np.zeros(len(self.deals))
                arrays[name][index[known]] = part[name].cast(pl.Float64).to_numpy()[known]
            found[tuple(key)] = Sums(arrays)
        return found

    def with_player(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """Return rows with columns game and seat with the player in the seat."""
        return rows.join(self.run.seats.select("game", "seat", "player"), on=["game", "seat"])

    def row(self, interval: Interval, **labels: object) -> dict[str, object]:
        """Return one row of a table of estimates: the labels, then `ESTIMATE_COLUMNS`."""
        numbers = {name: _finite(getattr(interval, name)) for name in ("estimate", "lo", "hi", "se")}
        if self.identical:
            numbers |= {"lo": None, "hi": None, "se": None}
        whole = len(self.deals) * self.run.seatings == self.games
        games = interval.deals * self.run.seatings if whole else self.games
        return {**labels, **numbers, "n": int(interval.n), "deals": interval.deals, "games": games}


def games_are_identical(run: Run) -> bool:
    """Return whether the run is known to repeat one game for each order of the players in the seats.

    In a game without chance, players that never draw from their random streams do that. Games are compared move by
    move; where the moves were not kept nothing is known, for equal points do not make equal games.
    """
    if run.game.chance or not run.has("moves"):
        return False
    order = run.seats.group_by("game").agg(order=pl.col("player").cast(pl.String()).sort_by("seat").str.join(", "))
    games = order.join(run.games.select("game", "decisions"), on="game")
    found = (
        games.group_by("order")
        .agg(pl.len(), pl.col("decisions").n_unique(), game=pl.col("game").min())
        .collect(engine="streaming")
    )
    if found["len"].max() < 2 or (found["decisions"] > 1).any():
        return False
    moves = run.moves.select("game", "ply", "move").join(order, on="game")
    first = moves.join(found.lazy().select("game"), on="game", how="semi")
    expected = first.select("order", "ply", expected="move")
    other = moves.join(expected, on=["order", "ply"]).filter(pl.col("move") != pl.col("expected"))
    return other.select(pl.len()).collect(engine="streaming").item() == 0


def sample_of(run: Run | Sample) -> Sample:
    """Return the sample of a run, or the sample itself if it is one: so that it is read once for many tables."""
    return run if isinstance(run, Sample) else Sample.of(run)


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def frame(rows: list[dict], **first: pl.DataType) -> pl.DataFrame:
    """Return rows of `Sample.row` as a frame.

    Parameters
    ----------
    first : polars types
        Of the label columns, in their order.
    """
    number = {name: pl.Float64() for name in ("estimate", "lo", "hi", "se")}
    count = {name: pl.Int64() for name in ("n", "deals", "games")}
    extra = {name: pl.Float64() for row in rows[:1] for name in row if name not in {*first, *number, *count}}
    return pl.DataFrame(rows, schema={**first, **number, **count, **extra})


def labelled(run: Run) -> Callable[[str], str]:
    """Return how a player is called in this run: in a line-up of one player, it is in every seat."""
    alone = {player: f"every seat ({player})" for player in run.players} if len(run.players) == 1 else {}
    return lambda player: alone.get(player, player)
