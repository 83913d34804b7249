"""From option values and component files to a RULES record, with errors that name the file, row and column."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from meeplecarlo.compiled import records
from meeplecarlo.component_file import cell, number, rows
from meeplecarlo.errors import ComponentError, unknown
from meeplecarlo.games.momiji import MAX_CARDS, MAX_COPIES, MAX_FACES, MAX_GOALS, MAX_LANDSCAPES, MAX_TYPES, ROWS
from meeplecarlo.games.momiji.state import (
    CARDS_OF_TYPE,
    CLOSING,
    DISPLAY,
    EFFECTS,
    JUMP,
    MEASURES,
    NONE,
    RULES,
    START_WITH,
    VALUES,
)

NUMBERS = (
    "hand_size", "hand_limit", "start_acorns", "goal_cost", "goal_points", "other_goal_points", "pair_acorns",
)  # fmt: skip
ARGUMENTS = {"cards_of_type": (1, MAX_TYPES), "cards_of_value": (0, VALUES - 1)}  # ranges; the others take none
AMOUNTS = {
    "reveal_collect": (1, 20),
    "jump": (2, CLOSING),
    "start_with": (1, CLOSING),
    "gain": (1, 20),
    "claim_goal": (0, 20),
    "draw": (1, 20),
}  # ranges; the other effects take none


def make_rules(n_seats: int, options: dict, components: dict[str, tuple[str, str]]) -> np.ndarray:
    """Return the rules of one variant.

    Parameters
    ----------
    n_seats : int
        2 to 4.
    options : dict
        Every option of the game by name, already checked against its range.
    components : dict of str to (str, str)
        For ``cards``, ``goals`` and ``landscapes``: the file's name for messages, and its text.

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
    rules["n_types"] = n_seats + 2
    for name in NUMBERS:
        rules[name] = options[name]
    rules["activation"] = options["activation"] == "allowed"
    rules["last_round"] = options["last_round"] == "true"
    rules["zero_scores"] = options["zero_goal"] == "scores"
    rules["to_four"] = options["display_refill"] == "to_four"
    rules["random_landscapes"] = options["landscapes"] == "random"
    _read_cards(rules, *components["cards"])
    _read_goals(rules, *components["goals"])
    _read_landscapes(rules, *components["powers"])
    return array


def _read_cards(rules, name: str, text: str) -> None:
    """Fill the card tables of `rules`: columns value, left_acorn, right_acorn, copies; a row is a face."""
    faces: list[tuple[int, ...]] = []
    n_types = int(rules["n_types"])
    bits = {"value": (0, VALUES - 1), "left_acorn": (0, 1), "right_acorn": (0, 1), "copies": (1, MAX_COPIES)}
    for row, cells in rows(name, text, tuple(bits)):
        if len(faces) == MAX_FACES:
            raise ComponentError(f"{name}, row {row}: at most {MAX_FACES} faces are supported.")
        face = tuple(cell(name, row, column, cells[column], number(*span)) for column, span in bits.items())
        if face[:3] in [other[:3] for other in faces]:
            raise ComponentError(f"{name}, row {row}: this face is there already; raise its copies instead.")
        faces.append(face)
    n_cards = n_types * sum(face[3] for face in faces)
    needed = int(rules["n_seats"] * rules["hand_size"]) + DISPLAY
    if not needed <= n_cards <= MAX_CARDS:
        raise ComponentError(
            f"{name}: {rules['n_seats']} seats need {needed} to {MAX_CARDS} cards, but {n_types} types of these are "
            f"{n_cards}."
        )
    of_value = [sum(1 << 4 * f for f, face in enumerate(faces) if face[0] == value) for value in range(VALUES)]
    rules["n_faces"] = len(faces)
    rules["n_cards"] = n_cards
    rules["copies"] = sum(face[3] << 4 * f for f, face in enumerate(faces))
    rules["may_follow"][0] = of_value[0]
    for f, (value, left, right, _) in enumerate(faces):
        rules["value"][f], rules["left_acorn"][f], rules["right_acorn"][f] = value, left, right
        rules["may_follow"][f + 1] = 0 if value == CLOSING else of_value[value] | of_value[value + 1]
    cards = [16 * t + f for t in range(n_types) for f, face in enumerate(faces) for _ in range(face[3])]
    rules["box"] = NONE
    rules["box"][:n_cards] = cards


def _parameter(name: str, row: int, column: str, text: str, ranges: dict[str, tuple[int, int]], of: str) -> int:
    """Return the number that goes with a measure or effect, 0 for one that takes none."""
    if of in ranges:
        return cell(name, row, column, text, number(*ranges[of]))
    if text:
        raise ComponentError(f"{name}, row {row}, column {column}: {of} takes none, got {text!r}.")
    return 0


def _one_of(kind: str, choices: tuple[str, ...]) -> Callable[[str], int]:
    """Return a function for `cell` that reads one of these words as its index."""

    def parse(text: str) -> int:
        if text not in choices:
            raise ValueError(unknown(kind, text, choices).rstrip("."))
        return choices.index(text)

    return parse


def _read_goals(rules, name: str, text: str) -> None:
    """Fill the goal tables of `rules`: columns name, measure, argument."""
    n_types, n, usable = int(rules["n_types"]), 0, []
    for row, cells in rows(name, text, ("name", "measure", "argument")):
        if n == MAX_GOALS:
            raise ComponentError(f"{name}, row {row}: at most {MAX_GOALS} goals are supported.")
        measure = cell(name, row, "measure", cells["measure"], _one_of("measure", MEASURES))
        argument = _parameter(name, row, "argument", cells["argument"], ARGUMENTS, MEASURES[measure])
        if measure == CARDS_OF_TYPE:
            argument -= 1
        if measure != CARDS_OF_TYPE or argument < n_types:
            usable.append(n)
        rules["measure"][n], rules["argument"][n] = measure, argument
        n += 1
    if len(usable) < n_types:
        raise ComponentError(
            f"{name}: {rules['n_seats']} seats need {n_types} goals that fit their {n_types} types, but the file has "
            f"{len(usable)}."
        )
    rules["n_usable"] = len(usable)
    rules["usable"] = NONE
    rules["usable"][: len(usable)] = usable


def _read_landscapes(rules, name: str, text: str) -> None:
    """Fill the landscape tables of `rules`: columns name, row, effect, amount."""
    n = 0
    rules["in_row"] = NONE
    for row, cells in rows(name, text, ("name", "row", "effect", "amount")):
        if n == MAX_LANDSCAPES:
            raise ComponentError(f"{name}, row {row}: at most {MAX_LANDSCAPES} landscapes are supported.")
        line = cell(name, row, "row", cells["row"].upper(), _one_of("row", ROWS))
        effect = cell(name, row, "effect", cells["effect"], _one_of("effect", EFFECTS))
        amount = _parameter(name, row, "amount", cells["amount"], AMOUNTS, EFFECTS[effect])
        rules["effect"][n], rules["amount"][n] = effect, amount
        rules["in_row"][line, rules["n_in_row"][line]] = n
        rules["n_in_row"][line] += 1
        rules["reach"][n] = [_reached(rules, effect, amount, face) for face in range(-1, MAX_FACES)]
        n += 1
    empty = [ROWS[i] for i in range(len(ROWS)) if rules["n_in_row"][i] == 0]
    if empty:
        raise ComponentError(f"{name}: row {' and '.join(empty)} has no landscape.")


def _reached(rules, effect: int, amount: int, face: int) -> int:
    """Return the mask of the faces that only this effect allows on a top, or on nothing if `face` is NONE."""
    values = rules["value"][: int(rules["n_faces"])]
    if effect == START_WITH and face == NONE:
        wanted = values == amount
    elif effect == JUMP and 0 <= face < len(values) and values[face] < CLOSING:
        wanted = (values > values[face] + 1) & (values <= values[face] + amount)
    else:
        return 0
    return sum(1 << 4 * int(f) for f in np.flatnonzero(wanted))
