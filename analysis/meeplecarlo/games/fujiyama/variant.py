"""From option values and component files to a RULES record, with errors that name the file, row and column."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

import numpy as np

from meeplecarlo.compiled import records
from meeplecarlo.errors import ComponentError, did_you_mean, unknown
from meeplecarlo.games.fujiyama.mountain import CORNERS, FORESTS, PRINTED_ICONS
from meeplecarlo.games.fujiyama.state import (
    ANIMALS,
    AUTUMN,
    FRUITS,
    MAX_BOARDS,
    MAX_TILES,
    NONE,
    ROUNDS,
    RULES,
    SEASONS,
    SPRING,
    SUMMER,
)

DECK = 11  # tiles a seat draws at most with three to five seats (R2.3)
DECK_OF_TWO = 20  # and with two
TREES = ("conifer", "broadleaf")


def make_rules(n_seats: int, options: dict, components: dict[str, tuple[str, str]]) -> np.ndarray:
    """Return the rules of one variant.

    Parameters
    ----------
    n_seats : int
        2 to 5.
    options : dict
        Every option of the game by name, already checked against its range.
    components : dict of str to (str, str)
        For ``tiles`` and ``boards``: the file's name for messages, and its text.

    Returns
    -------
    ndarray of RULES, shape (1,)

    Raises
    ------
    ComponentError
        If a component file is malformed or does not suffice for `n_seats`.
    """
    array = records(1, RULES)
    rules = array[0]
    rules["n_seats"] = n_seats
    for name in (
        "spring_base", "spring_per_blossom", "summer_base", "summer_factor",
        "winter_base", "winter_per_forest", "mixed_points",
    ):  # fmt: skip
        rules[name] = options[name]
    rules["autumn_points"][1:] = options["autumn_points"]
    rules["flatland_points"][1:] = options["flatland_points"]
    rules["turn_thirds"] = options["turn"] == "thirds"
    rules["trump_allowed"] = options["trump"] == "once"
    rules["tie_seasonal"] = options["tie_break"] == "seasonal"
    _read_tiles(rules, *components["tiles"])
    _read_boards(rules, *components["boards"])
    rules["deck_size"] = rules["n_tiles"] // 2 if n_seats == 2 else DECK
    needed = 2 * DECK_OF_TWO if n_seats == 2 else n_seats * DECK
    if rules["n_tiles"] < needed:
        raise ComponentError(
            f"{components['tiles'][0]}: {n_seats} seats need at least {needed} tiles, but the file has "
            f"{rules['n_tiles']}."
        )
    if rules["n_boards"] < n_seats:
        raise ComponentError(
            f"{components['boards'][0]}: {n_seats} seats need a board each, but the file has {rules['n_boards']}."
        )
    return array


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


def _rows(name: str, text: str, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
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


def _cell(name: str, row: int, column: str, text: str, parse: Callable[[str], int]) -> int:
    """Parse one cell; an error says where it is."""
    try:
        return parse(text)
    except ValueError as error:
        end = "" if str(error).endswith("?") else "."
        raise ComponentError(f"{name}, row {row}, column {column}: {error}{end}") from None


def _number(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"expected a number from {low} to {high}, got {text!r}")
        return int(text)

    return parse


def _read_tiles(rules, name: str, text: str) -> None:
    """Fill the tile table of `rules` from a tile file: columns tile, bottom, upper_left, upper_right."""
    n = 0
    for row, cells in _rows(name, text, ("tile", *CORNERS)):
        if n == MAX_TILES:
            raise ComponentError(f"{name}, row {row}: at most {MAX_TILES} tiles are supported.")
        number = _cell(name, row, "tile", cells["tile"], _number(1, MAX_TILES))
        if number != n + 1:
            raise ComponentError(f"{name}, row {row}, column tile: tiles are numbered in order, so {n + 1} is due, "
                                 f"got {number}.")  # fmt: skip
        for corner, column in enumerate(CORNERS):
            rules["icons"][n, corner] = _cell(name, row, column, cells[column], parse_icon)
        n += 1
    rules["n_tiles"] = n


def _animal(text: str) -> int:
    if text.lower() not in ANIMALS:
        raise ValueError(f"expected rabbit, squirrel or fox, got {text!r}{did_you_mean(text, ANIMALS)}")
    return ANIMALS.index(text.lower())


def _read_boards(rules, name: str, text: str) -> None:
    """Fill the board table of `rules` from a board file: columns board, position, first, second.

    A board has a row for each forest with printed icons and one for each of its nine animals.
    """
    rules["print"][:] = NONE
    printed = {FORESTS[f]: int(PRINTED_ICONS[f]) for f in range(len(FORESTS)) if PRINTED_ICONS[f]}
    animals = {f"animal {i + 1}": i for i in range(ROUNDS)}
    positions = [*printed, *animals]
    seen: dict[int, set[str]] = {}
    for row, cells in _rows(name, text, ("board", "position", "first", "second")):
        board = _cell(name, row, "board", cells["board"], _number(1, MAX_BOARDS))
        position = " ".join(cells["position"].split())
        position = position.upper() if position.upper() in printed else position.lower()
        if position not in positions:
            message = unknown("position", cells["position"], positions)
            raise ComponentError(f"{name}, row {row}, column position: {message}")
        if position in seen.setdefault(board, set()):
            raise ComponentError(f"{name}, row {row}, column position: board {board} has {position} twice.")
        seen[board].add(position)
        if position in animals:
            rules["animals"][board - 1, animals[position]] = _cell(name, row, "first", cells["first"], _animal)
            filled = 1
        else:
            filled = printed[position]
            for i, column in enumerate(("first", "second")[:filled]):
                icon = _cell(name, row, column, cells[column], parse_icon)
                rules["print"][board - 1, FORESTS.index(position), i] = icon
        if filled == 1 and cells["second"]:
            raise ComponentError(
                f"{name}, row {row}, column second: {position} holds one entry, got {cells['second']!r} as another."
            )
    for board in range(1, max(seen, default=0) + 1):
        missing = [p for p in positions if p not in seen.get(board, set())]
        if missing:
            raise ComponentError(f"{name}: board {board} lacks {', '.join(missing)}.")
    rules["n_boards"] = len(seen)
