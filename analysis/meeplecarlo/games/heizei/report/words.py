"""Words and look-ups that the parts of the chapter share."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from meeplecarlo.games.heizei.report.tables import ALL
from meeplecarlo.report.formats import format_estimate
from meeplecarlo.report.sample import Sample, labelled

EACH = "95 % intervals over deals, each for itself."


def rows_by(table: pl.DataFrame, *keys: str) -> dict[tuple, dict]:
    """Return the rows of a table by their values in some columns."""
    return {tuple(r[k] for k in keys): r for r in table.iter_rows(named=True)}


def namer(sample: Sample) -> Callable[[str], str]:
    """Return how a player, or all of them, is called; in a line-up of one player, that one is all."""
    name, alone = labelled(sample.run), len(sample.run.players) == 1
    return lambda player: name(sample.run.players[0]) if player == ALL and alone else name(player)


def points_of(row: dict) -> str:
    """Return a difference of shares in percentage points, with the unit."""
    return pp(row, " percentage points")


def pp(row: dict, unit: str = "") -> str:
    """Return a difference of shares in percentage points; `unit` follows the estimate."""
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, unit=unit, sign=True)


def verdict(row: dict, more: str, less: str, open_: str) -> str:
    """Return words by where the interval of a difference lies."""
    if row["lo"] is None:
        return open_
    return more if row["lo"] > 0 else less if row["hi"] < 0 else open_


def best_player(sample: Sample) -> str:
    """Return the player with the greatest win share per seat held; all players where there is one only."""
    if len(sample.run.players) == 1:
        return ALL
    sums = sample.sums(sample.run.seats, ["player"], n=pl.len(), wins=pl.col("win_share").sum())
    return max(
        (p for p in sample.run.players if (p,) in sums), key=lambda p: sums[p,]["wins"].sum() / sums[p,]["n"].sum()
    )
