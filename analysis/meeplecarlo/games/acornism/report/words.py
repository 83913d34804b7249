"""Words that several parts of the report on Acornism use."""

from __future__ import annotations

import polars as pl

from meeplecarlo.games.acornism.report import tables
from meeplecarlo.report.formats import format_estimate
from meeplecarlo.store.dataset import Run

MOST_PLAYERS = 4  # with more players, tables alone say how each does


def difference_of(row: dict, unit: str = " percentage points") -> str:
    """Return a difference of shares in percentage points, as text."""
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, unit=unit, sign=True)


def pp(row: dict) -> str:
    """Return a difference of shares in percentage points without the unit, for tables that name it."""
    return difference_of(row, "")


def by_measure(table: pl.DataFrame, *keys: str) -> dict:
    """Return the rows of a table by these columns; by one alone without a tuple."""
    rows = table.iter_rows(named=True)
    return {r[keys[0]] if len(keys) == 1 else tuple(r[k] for k in keys): r for r in rows}


def complete_words(run: Run) -> str:
    if tables.options_of(run)["edge_scoring"] == "true":
        return "Edge scoring is on: on a settled edge three neighbours make an animal complete, in a corner two."
    return "Edge scoring is off: an animal on a settled edge is never complete."
