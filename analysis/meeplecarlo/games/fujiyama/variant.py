"""From option values and component files to a RULES record, with errors that name the file, row and column."""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import records
from meeplecarlo.component_file import cell, number, rows
from meeplecarlo.errors import ComponentError, did_you_mean, unknown
from meeplecarlo.games.fujiyama.mountain import FORESTS, PRINTED_ICONS
from meeplecarlo.games.fujiyama.state import ANIMALS, MAX_BOARDS, NONE, ROUNDS, RULES
from meeplecarlo.games.season_tiles.icons import parse_icon, read_tiles

DECK = 11  # tiles a seat draws at most with three to five seats (R2.3)
DECK_OF_TWO = 20  # and with two


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
    icons = read_tiles(*components["tiles"])
    rules["n_tiles"] = len(icons)
    rules["icons"][: len(icons)] = icons
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
    for row, cells in rows(name, text, ("board", "position", "first", "second")):
        board = cell(name, row, "board", cells["board"], number(1, MAX_BOARDS))
        position = " ".join(cells["position"].split())
        position = position.upper() if position.upper() in printed else position.lower()
        if position not in positions:
            message = unknown("position", cells["position"], positions)
            raise ComponentError(f"{name}, row {row}, column position: {message}")
        if position in seen.setdefault(board, set()):
            raise ComponentError(f"{name}, row {row}, column position: board {board} has {position} twice.")
        seen[board].add(position)
        if position in animals:
            rules["animals"][board - 1, animals[position]] = cell(name, row, "first", cells["first"], _animal)
            filled = 1
        else:
            filled = printed[position]
            for i, column in enumerate(("first", "second")[:filled]):
                icon = cell(name, row, column, cells[column], parse_icon)
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
