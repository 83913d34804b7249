"""Positions of Fuji-san made by hand, and its moves in words, for tests of its rules."""

from __future__ import annotations

from meeplecarlo.games.fuji_san import SIZES
from meeplecarlo.games.fuji_san.state import NONE, NOTHING, TAKE_FIRST
from meeplecarlo.variant import make_variant
from tests.table import Table

RING = {"board": "rows33"}  # spaces A1 A2 A3 above B1 B2 B3; neighbours: A1 A2, A2 A3, A3 B3, B3 B2, B2 B1, B1 A1
ONE_EACH = {"pieces": (1, 1, 1)}


def new_table(board: str = "mountain30", **options) -> Table:
    """Return a table before the first placement."""
    return Table("fuji-san", 2, options, {"board": board})


def rules_of(board: str = "mountain30", **options):
    """Return the RULES array of a board, as the view functions take it."""
    return make_variant(new_table().game, options, {"board": board}).make_rules(2)


def names_of(table: Table) -> list[str]:
    """Return the names of the spaces of a table: row letter and number in the row."""
    rows = table.rules.line[: int(table.rules.n_spaces)].tolist()
    return [f"{'ABCDEFGH'[row]}{i - rows.index(row) + 1}" for i, row in enumerate(rows)]


def piece(text: str) -> int:
    """Return the kind of a pyramid in words: ``0l`` is a large one of seat 0."""
    return 3 * int(text[0]) + "sml".index(text[1])


def move(table: Table, space: str, kind: str) -> int:
    """Return a move by the name of its space and its pyramid."""
    return 8 * names_of(table).index(space) + piece(kind)


def words(table: Table, code: int) -> str:
    """Return a move as ``A1 0l``, or ``nothing``."""
    if code == NOTHING:
        return "nothing"
    kind = code % 8
    return f"{names_of(table)[code // 8]} {kind // 3}{'sml'[kind % 3]}"


def options(table: Table) -> list[str]:
    """Return the legal moves in words."""
    return [words(table, code) for code in table.legal()]


def pieces(table: Table) -> dict[str, str]:
    """Return what stands on the board: space to pyramid."""
    found = {}
    for i, name in enumerate(names_of(table)):
        for kind in range(6):
            if int(table.state.owned[kind // 3]) >> i & 1 and int(table.state.sized[kind % 3]) >> i & 1:
                assert name not in found, "two pyramids on one space"
                found[name] = f"{kind // 3}{'sml'[kind % 3]}"
    return found


def set_position(table: Table, seat: int, standing: dict[str, str], round_number: int | None = None) -> Table:
    """Put a table to the start of a turn of `seat` with these pyramids on the board and all others discarded."""
    state, names = table.state, names_of(table)
    assert all(kind == NONE for kind in state.hand)
    state.owned[:], state.sized[:] = 0, 0
    state.unplaced[:] = 0
    state.discarded[:] = table.rules.pieces
    for space, text in standing.items():
        kind = piece(text)
        state.owned[kind // 3] |= 1 << names.index(space)
        state.sized[kind % 3] |= 1 << names.index(space)
        state.discarded[kind // 3, kind % 3] -= 1
    assert (state.discarded >= 0).all(), "more pyramids than there are"
    state.seat, state.phase = seat, TAKE_FIRST
    state.round_number = round_number or len(names) + 2
    return table


def fill(table: Table, kinds: list[str]) -> Table:
    """Place pyramids space by space in order, seats in turn; the kinds must alternate between the seats."""
    for space, kind in zip(names_of(table), kinds, strict=True):
        table.play(move(table, space, kind))
    return table


def play(table: Table, *moves: str) -> Table:
    """Play moves in words: ``A1 0l`` or ``nothing``; each must be legal."""
    for text in moves:
        legal = {words(table, code): code for code in table.legal()}
        assert text in legal, f"{text} is not among {sorted(legal)}"
        table.play(legal[text])
    return table


def totals(table: Table) -> list[int]:
    """Return unplaced, board, hand, discarded and captured pyramids by kind, all added up."""
    state = table.state
    count = [0] * 6
    for text in pieces(table).values():
        count[piece(text)] += 1
    for kind in state.hand.tolist():
        if kind != NONE:
            count[kind] += 1
    for seat in range(2):
        for size in range(len(SIZES)):
            count[3 * seat + size] += int(state.unplaced[seat, size]) + int(state.discarded[seat, size])
        for size in state.captured_size[seat, : int(state.n_captured[seat])].tolist():
            count[3 * (1 - seat) + size] += 1
    return count
