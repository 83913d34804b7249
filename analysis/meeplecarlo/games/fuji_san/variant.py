"""From option values and the board file to a RULES record."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from meeplecarlo.compiled import records
from meeplecarlo.errors import ComponentError, UsageError
from meeplecarlo.games.fuji_san.board import Board, read_board
from meeplecarlo.games.fuji_san.state import NONE, RULES


def make_rules(n_seats: int, options: dict, components: dict[str, tuple[str, str]]) -> np.ndarray:
    """Return the rules of one variant.

    Parameters
    ----------
    n_seats : int
        2.
    options : dict
        Every option of the game by name, already checked against its range.
    components : dict of str to (str, str)
        For ``board``: the file's name for messages, and its text.

    Returns
    -------
    ndarray of RULES, shape (1,)

    Raises
    ------
    ComponentError
        If the board file is malformed, or has more spaces than there are pyramids to fill it.
    UsageError
        If there are no pyramids at all.
    """
    array = records(1, RULES)
    rules = array[0]
    rules["n_seats"] = n_seats
    rules["pips"] = options["pips"]
    rules["pieces"] = options["pieces"]
    own = sum(options["pieces"])
    if own == 0:
        raise UsageError("pieces must leave each seat at least one pyramid, got 0,0,0.")
    file, text = components["board"]
    board = read_board(file, text)
    n = len(board.spaces)
    if own < (n + 1) // 2:
        raise ComponentError(
            f"{file}: a board of {n} spaces needs {(n + 1) // 2} pyramids of seat 0, which places first, but each "
            f"seat has {own}."
        )
    rules["n_spaces"] = n
    rules["neighbours"][:n] = [_as_set(neighbours) for neighbours in board.neighbours]
    rules["board"] = _as_set(range(n))
    rules["three"] = _as_set([s for s in range(n) if len(board.neighbours[s]) == 3])
    steps: dict[int, list[int]] = {}
    for space, neighbours in enumerate(board.neighbours):
        for other in neighbours:
            if other > space:
                steps.setdefault(other - space, []).append(space)
    rules["n_steps"] = len(steps)
    for i, step in enumerate(sorted(steps)):
        rules["step"][i] = step
        rules["step_from"][i] = _as_set(steps[step])
    rules["half_turn"] = _table(board.symmetry("half_turn"))
    rules["reflection"] = _table(board.symmetry("left_right") or board.symmetry("top_bottom"))
    rules["line"][:n] = [row for row, _ in board.spaces]
    rules["column"][:n] = [column for _, column in board.spaces]
    rules["points_up"][:n] = [board.points_up(*place) for place in board.spaces]
    return array


def board_of(rules: np.ndarray) -> Board:
    """Return the board of a RULES record, shape (1,)."""
    n = int(rules["n_spaces"][0])
    rows, columns, up = (rules[name][0, :n].tolist() for name in ("line", "column", "points_up"))
    picture = [["."] * (max(columns) + 1) for _ in range(max(rows) + 1)]
    for row, column, points_up in zip(rows, columns, up, strict=True):
        picture[row][column] = "^" if points_up else "v"
    return Board(tuple("".join(line) for line in picture))


def _as_set(spaces: Iterable[int]) -> np.int64:
    """Return a set of spaces as an int64 with a bit per space."""
    return np.uint64(sum(1 << space for space in spaces)).astype(np.int64)


def _table(image: list[int] | None) -> np.ndarray:
    """Return where each space goes as int8, shape (64,), NONE behind; NONE everywhere for no symmetry."""
    table = np.full(RULES["half_turn"].shape, NONE, np.int8)
    if image:
        table[: len(image)] = image
    return table
