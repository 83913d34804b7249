"""Reading component files: CSV tables as spreadsheets save them, with errors that name the file, row and column."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

from meeplecarlo.errors import ComponentError


def _lines(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number in the file, cells) of a CSV text; spreadsheets also separate cells by semicolons or tabs."""
    text = text.lstrip("\ufeff")
    separator = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=None), delimiter=separator)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise ComponentError(f"{name}, row {reader.line_num}: not a CSV table ({error}).") from None


def rows(name: str, text: str, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (row number in the file, cells by column), skipping empty rows; check header and width."""
    lines = _lines(name, text)
    _, first = next(lines, (1, []))
    header = [cell.strip().lower() for cell in first]
    for column in columns:
        if header.count(column) != 1:
            problem = "is there twice" if column in header else "is missing"
            raise ComponentError(
                f"{name}, row 1: the column {column!r} {problem}; the header must be {', '.join(columns)}."
            )
    for row, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(header):
            raise ComponentError(f"{name}, row {row}: {len(cells)} cells, but the header has {len(header)} columns.")
        cells += [""] * (len(header) - len(cells))
        yield row, {key: cell.strip() for key, cell in zip(header, cells, strict=True) if key in columns}


def cell(name: str, row: int, column: str, text: str, parse: Callable[[str], int]) -> int:
    """Parse one cell; an error says where it is."""
    try:
        return parse(text)
    except ValueError as error:
        end = "" if str(error).endswith("?") else "."
        raise ComponentError(f"{name}, row {row}, column {column}: {error}{end}") from None


def number(low: int, high: int) -> Callable[[str], int]:
    """Return a function for `cell` that reads a whole number from `low` to `high`."""

    def parse(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"expected a number from {low} to {high}, got {text!r}")
        return int(text)

    return parse
