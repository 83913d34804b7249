"""Columns of tables: what one is, and how coded numbers become named values."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    dtype: pl.DataType
    meaning: str


def enum_series(name: str, codes, names: tuple[str, ...] | list[str]) -> pl.Series:
    """Return codes as an Enum column; negative codes become null."""
    frame = pl.DataFrame({name: codes})
    column = pl.col(name)
    return frame.select(
        pl.when(column >= 0).then(column).otherwise(None).cast(pl.UInt8).cat.to(pl.Enum(names)).alias(name)
    )[name]


def nullable(name: str, values, known, dtype: pl.DataType) -> pl.Series:
    """Return `values` as a column of `dtype` that is null where `known` is false."""
    frame = pl.DataFrame({name: values, "known": known})
    return frame.select(pl.when("known").then(pl.col(name)).cast(dtype).alias(name))[name]
