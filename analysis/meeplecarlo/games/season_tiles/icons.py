"""Icons of season tiles as numbers and as words, and tile files."""

from __future__ import annotations

import numpy as np

from meeplecarlo.component_file import cell, number, rows
from meeplecarlo.errors import ComponentError, did_you_mean
from meeplecarlo.games.season_tiles import AUTUMN, CORNERS, FRUITS, MAX_TILES, SEASONS, SPRING, SUMMER, TREES


def parse_icon(text: str) -> int:
    """Return the code of an icon written as in the component files.

    >>> parse_icon("spring 3"), parse_icon("summer broadleaf 2"), parse_icon("autumn grape"), parse_icon("winter")
    (3, 288, 516, 768)

    Raises
    ------
    ValueError
        With a sentence on what an icon looks like.
    """
    words = text.lower().split()
    if not words or words[0] not in SEASONS:
        guess = did_you_mean(words[0] if words else "", SEASONS)
        raise ValueError(f"an icon starts with spring, summer, autumn or winter, got {text!r}{guess}")
    season, detail = SEASONS.index(words[0]), words[1:]
    value = 0
    if season == SPRING:
        if len(detail) != 1 or not detail[0].isdecimal() or not 1 <= int(detail[0]) <= 15:
            raise ValueError(f"a spring icon is 'spring' and its blossoms, 1 to 15, got {text!r}")
        value = int(detail[0])
    elif season == SUMMER:
        pairs = list(zip(detail[::2], detail[1::2], strict=False))
        kinds = [kind for kind, _ in pairs]
        valid = all(kind in TREES and count in {"1", "2", "3"} for kind, count in pairs)
        if len(detail) % 2 or not pairs or not valid or len(set(kinds)) < len(kinds):
            raise ValueError(
                "a summer icon is 'summer conifer N' or 'summer broadleaf N', or both one after the other, "
                f"with 1 to 3 trees, got {text!r}"
            )
        value = sum(int(count) << (4 * TREES.index(kind)) for kind, count in pairs)
    elif season == AUTUMN:
        if len(detail) != 1 or detail[0] not in FRUITS:
            guess = did_you_mean(detail[0] if detail else "", FRUITS)
            raise ValueError(f"an autumn icon is 'autumn' and mushroom, chestnut or grape, got {text!r}{guess}")
        value = 1 << FRUITS.index(detail[0])
    elif detail:
        raise ValueError(f"a winter icon is just 'winter', got {text!r}")
    return 256 * season + value


def format_icon(icon: int) -> str:
    """Return an icon as the component files write it; the inverse of `parse_icon`.

    >>> format_icon(parse_icon("summer conifer 2"))
    'summer conifer 2'
    """
    season, value = divmod(int(icon), 256)
    if season == SPRING:
        return f"spring {value}"
    if season == SUMMER:
        counts = (value & 15, value >> 4)
        return "summer " + " ".join(f"{kind} {n}" for kind, n in zip(TREES, counts, strict=True) if n)
    if season == AUTUMN:
        return "autumn " + FRUITS[value.bit_length() - 1]
    return "winter"


def read_tiles(name: str, text: str) -> np.ndarray:
    """Return the icons of a tile file with the columns tile, bottom, upper_left, upper_right: int16, shape (n, 3).

    Raises
    ------
    ComponentError
        If the file is malformed; the message names the row and column.
    """
    icons = []
    for row, cells in rows(name, text, ("tile", *CORNERS)):
        if len(icons) == MAX_TILES:
            raise ComponentError(f"{name}, row {row}: at most {MAX_TILES} tiles are supported.")
        tile, due = cell(name, row, "tile", cells["tile"], number(1, MAX_TILES)), len(icons) + 1
        if tile != due:
            raise ComponentError(
                f"{name}, row {row}, column tile: tiles are numbered in order, so {due} is due, got {tile}."
            )
        icons.append([cell(name, row, column, cells[column], parse_icon) for column in CORNERS])
    return np.array(icons, np.int16).reshape(-1, 3)
