"""Boards of triangular spaces: reading them from text, with errors that say where; neighbours and symmetries.

A triangle that points up shares its lower edge with the one below it, a triangle that points down its upper edge with
the one above it, and both share their slanted edges with what stands left and right of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from meeplecarlo.errors import ComponentError
from meeplecarlo.games.fuji_san import MAX_SPACES

LEAST_SPACES = 4
UP, DOWN, GAP = "^", "v", "."
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

# Ways a board may look the same afterwards: from (row, column) and the last row and column to the new place.
SYMMETRIES = {
    "half_turn": lambda row, column, rows, columns: (rows - row, columns - column),
    "left_right": lambda row, column, rows, columns: (row, columns - column),
    "top_bottom": lambda row, column, rows, columns: (rows - row, column),
}


@dataclass(frozen=True)
class Board:
    """A board as a picture: strings of ``^``, ``v`` and ``.`` of equal length, without empty rows or columns."""

    picture: tuple[str, ...]

    @cached_property
    def spaces(self) -> list[tuple[int, int]]:
        """(row, column) of every space in the picture, by number."""
        return [(r, c) for r, line in enumerate(self.picture) for c, mark in enumerate(line) if mark != GAP]

    @cached_property
    def number(self) -> dict[tuple[int, int], int]:
        """Number of the space at a (row, column)."""
        return {place: i for i, place in enumerate(self.spaces)}

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """Numbers of the spaces that share an edge with each space, ascending."""
        return [self._neighbours(row, column) for row, column in self.spaces]

    def _neighbours(self, row: int, column: int) -> list[int]:
        up = self.points_up(row, column)
        beyond = (row + 1, column) if up else (row - 1, column)
        found = [self.number[p] for p in ((row, column - 1), (row, column + 1)) if p in self.number]
        if beyond in self.number and self.points_up(*beyond) != up:
            found.append(self.number[beyond])
        return sorted(found)

    def points_up(self, row: int, column: int) -> bool:
        """Return whether the triangle there points up."""
        return self.picture[row][column] == UP

    def symmetry(self, name: str) -> list[int] | None:
        """Return where each space goes under one of SYMMETRIES, or None if the board looks different afterwards."""
        last = len(self.picture) - 1, len(self.picture[0]) - 1
        moved = [SYMMETRIES[name](*place, *last) for place in self.spaces]
        if any(place not in self.number for place in moved):
            return None
        image = [self.number[place] for place in moved]
        for space, new in enumerate(image):
            if sorted(image[n] for n in self.neighbours[space]) != self.neighbours[new]:
                return None
        return image


def space_names(rows: list[int]) -> list[str]:
    """Return the name of every space from the row it lies in: ``A1`` is the first of the top row.

    >>> space_names([0, 0, 1])
    ['A1', 'A2', 'B1']
    """
    return [f"{LETTERS[row]}{i - rows.index(row) + 1}" for i, row in enumerate(rows)]


def read_board(name: str, text: str) -> Board:
    """Return the board of a text: row lengths such as ``5 7 9 9``, or a picture; lines that start with # are comments.

    Raises
    ------
    ComponentError
        If there is no board in it, or one the game cannot be played on.
    """
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise ComponentError(f"{name}: there is no board in it; it needs row lengths or a picture of ^, v and dots.")
    numbers = all(character in "0123456789,- \t" for _, line in lines for character in line)
    board = _from_lengths(name, lines) if numbers else _from_picture(name, lines)
    _check(name, board)
    return board


def _from_lengths(name: str, lines: list[tuple[int, str]]) -> Board:
    """Return the board with rows of the given lengths, centred; the first row's first triangle points up."""
    words = " ".join(line for _, line in lines).replace(",", " ").replace("-", " ").split()
    lengths = [int(word) for word in words]
    if not lengths or not all(1 <= length <= MAX_SPACES for length in lengths):
        raise ComponentError(
            f"{name}: row lengths must be numbers from 1 to {MAX_SPACES}, got {' '.join(words) or 'none'}."
        )
    if len({length % 2 for length in lengths}) > 1:
        raise ComponentError(
            f"{name}: rows are centred, so their lengths must be all odd or all even, got {' '.join(words)}."
        )
    width = max(lengths)
    first = (width - lengths[0]) // 2
    picture = []
    for row, length in enumerate(lengths):
        start = (width - length) // 2
        marks = "".join(UP if (row + c - first) % 2 == 0 else DOWN for c in range(start, start + length))
        picture.append(GAP * start + marks + GAP * start)
    return Board(tuple(picture))


def _from_picture(name: str, lines: list[tuple[int, str]]) -> Board:
    width = max(len(line) for _, line in lines)
    for number, line in lines:
        for column, mark in enumerate(line):
            if mark not in (UP, DOWN, GAP):
                raise ComponentError(
                    f"{name}, row {number}, column {column + 1}: expected ^, v or a dot, got {mark!r}."
                )
            if column and mark != GAP and mark == line[column - 1]:
                raise ComponentError(
                    f"{name}, row {number}, column {column + 1}: neighbours in a row must point differently, "
                    f"but here are two {mark}."
                )
    full = [line.ljust(width, GAP) for _, line in lines]
    rows = [r for r, line in enumerate(full) if line.strip(GAP)]
    columns = [c for c in range(width) if any(line[c] != GAP for line in full)]
    if not rows:
        raise ComponentError(f"{name}: the picture has no space in it.")
    return Board(tuple(line[columns[0] : columns[-1] + 1] for line in full[rows[0] : rows[-1] + 1]))


def _check(name: str, board: Board) -> None:
    """Raise ComponentError for a board that the game cannot be played on."""
    n = len(board.spaces)
    if not LEAST_SPACES <= n <= MAX_SPACES:
        raise ComponentError(f"{name}: a board has {LEAST_SPACES} to {MAX_SPACES} spaces, this one has {n}.")
    names = space_names([row for row, _ in board.spaces])
    reached, fresh = {0}, [0]
    while fresh:
        fresh = [n for space in fresh for n in board.neighbours[space] if n not in reached]
        reached.update(fresh)
    for space, neighbours in enumerate(board.neighbours):
        if len(neighbours) < 2:
            row, column = board.spaces[space]
            raise ComponentError(
                f"{name}: the space {names[space]} (row {row + 1}, column {column + 1} of the board) has "
                f"{len(neighbours)} neighbour{'' if len(neighbours) == 1 else 's'}; every space needs two or three."
            )
    if len(reached) < n:
        lost = next(space for space in range(n) if space not in reached)
        raise ComponentError(f"{name}: the board is in several parts; no way leads from {names[0]} to {names[lost]}.")
