"""How the golden playthroughs of all games write down positions: equal text for equal bytes, in lines to read."""

from __future__ import annotations

from itertools import groupby

import numpy as np

WIDTH = 118


def runs(values) -> str:
    """Return numbers with equal neighbours drawn together: ``-2*8 5 -1``."""
    groups = [(value, len(list(same))) for value, same in groupby(np.ravel(values).tolist())]
    return " ".join(f"{value}*{n}" if n > 1 else str(value) for value, n in groups)


def wrapped(head: str, words: list[str]) -> list[str]:
    """Return words as lines under a common head, broken where they get too wide."""
    lines, line = [], head
    for word in words:
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = " " * len(head)
        line += " " + word
    return [*lines, line]


def facts(view, rows: int) -> list[str]:
    """Return every field of a view: a line a field, seats apart where a field has a row for each of so many `rows`."""
    lines = []
    for name in view.dtype.names:
        value = np.asarray(view[name])
        parts = [runs(row) for row in value] if value.shape[:1] == (rows,) else [runs(value)]
        lines += wrapped(f"    {name}:", [f"{part} |" for part in parts[:-1]] + parts[-1:])
    return lines
