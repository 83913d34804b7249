"""A slow, plain reference implementation of Fuji-san (2 seats).

It is written from the rulebook and the game page alone and shares nothing with
the simulator, so that recorded games can be replayed here and compared.

Seat 0 places first, seat 1 removes one piece, then seat 0 takes the first turn.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

SIZES = ("small", "medium", "large")
FEWEST_SPACES, MOST_SPACES = 4, 64
BOARDS = {
    "mountain30": "..^v^v^..\n.^v^v^v^.\n^v^v^v^v^\nv^v^v^v^v\n",
    "hexagon24": ".^v^v^.\n^v^v^v^\nv^v^v^v\n.v^v^v.\n",
    "rows33": "^v^\nv^v\n",
}


class RuleError(Exception):
    """A recorded game breaks a rule; `ply` is None when the setup or board does."""

    def __init__(self, ply: int | None, reason: str):
        super().__init__(f"ply {ply}: {reason}")
        self.ply, self.reason = ply, reason


# ------------------------------------------------------------------- boards


class Space(NamedTuple):
    """One triangle: where it is in the picture and whether it points `^` or `v`."""

    row: int
    column: int
    points: str


class Board(NamedTuple):
    """The spaces row by row, left to right, and the neighbours of each by index."""

    spaces: tuple[Space, ...]
    neighbours: tuple[tuple[int, ...], ...]


def read_board(text: str) -> Board:
    """A board from a picture or from row lengths; RuleError if it cannot be used."""
    lines = [line.rstrip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.lstrip().startswith("#")]
    is_picture = any(character in line for line in lines for character in "^v.")
    spaces = picture_spaces(lines if is_picture else lengths_picture(lines))
    board = Board(spaces, tuple(neighbours_of(space, spaces) for space in spaces))
    check_board(board)
    return board


def lengths_picture(lines: list[str]) -> list[str]:
    """Centre rows of the given lengths; directions alternate along rows and columns."""
    lengths = []
    for word in re.split(r"[\s,-]+", " ".join(lines)):
        if word and not re.fullmatch("[0-9]+", word):
            raise RuleError(None, f"neither a picture of ^, v and . nor a row length: {word!r}")
        if word:
            lengths.append(int(word))
    if 0 in lengths:
        raise RuleError(None, "a row has no spaces")
    if len({length % 2 for length in lengths}) > 1:
        raise RuleError(None, "rows of odd and of even length cannot be mixed")
    check_size(sum(lengths))
    width = max(lengths)
    first_column = (width - lengths[0]) // 2  # the first triangle here, in row 0, points up
    rows = []
    for row, length in enumerate(lengths):
        outside = (width - length) // 2
        inside = range(outside, outside + length)
        triangles = ["^" if (row + column - first_column) % 2 == 0 else "v" for column in inside]
        rows.append("." * outside + "".join(triangles) + "." * outside)
    return rows


def picture_spaces(rows: list[str]) -> tuple[Space, ...]:
    """All triangles of a picture; two side by side must point differently."""
    spaces = []
    for row, line in enumerate(rows):
        for column, character in enumerate(line):
            where = f"row {row + 1}, column {column + 1}"
            if character not in "^v.":
                raise RuleError(None, f"unknown character {character!r} in {where}")
            if character == ".":
                continue
            if column > 0 and line[column - 1] == character:
                raise RuleError(None, f"two triangles side by side point the same way in {where}")
            spaces.append(Space(row, column, character))
    return tuple(spaces)


def neighbours_of(space: Space, spaces: tuple[Space, ...]) -> tuple[int, ...]:
    """Left and right in the row, and the `v` below a `^` or the `^` above a `v`."""
    found = []
    for index, other in enumerate(spaces):
        beside = other.row == space.row and abs(other.column - space.column) == 1
        below = space.points == "^" and other.points == "v" and other.row == space.row + 1
        above = space.points == "v" and other.points == "^" and other.row == space.row - 1
        if beside or ((below or above) and other.column == space.column):
            found.append(index)
    return tuple(found)


def check_size(n_spaces: int) -> None:
    """A board has 4 to 64 spaces."""
    if not FEWEST_SPACES <= n_spaces <= MOST_SPACES:
        raise RuleError(None, f"a board has {FEWEST_SPACES} to {MOST_SPACES} spaces, not {n_spaces}")


def check_board(board: Board) -> None:
    """Right size, two or three neighbours everywhere, all in one part."""
    check_size(len(board.spaces))
    for space, neighbours in zip(board.spaces, board.neighbours, strict=True):
        if len(neighbours) < 2:
            where = f"row {space.row + 1}, column {space.column + 1}"
            raise RuleError(None, f"the space in {where} has fewer than two neighbours")
    reached, waiting = {0}, [0]
    while waiting:
        for neighbour in board.neighbours[waiting.pop()]:
            if neighbour not in reached:
                reached.add(neighbour)
                waiting.append(neighbour)
    if len(reached) < len(board.spaces):
        raise RuleError(None, "the board is not connected")


# -------------------------------------------------------------------- rules


class Piece(NamedTuple):
    """A pyramid; those of one owner and size are all alike."""

    owner: int
    size: str


class Option(NamedTuple):
    """One distinct choice; also the content of a move. All None: capture nothing."""

    space: int | None
    owner: int | None
    size: str | None


class State(NamedTuple):
    """All that matters for the rest of the game."""

    phase: str  # place, remove, take_first, take_second, put, capture, end
    seat: int
    pieces: tuple[Piece | None, ...]  # on each space
    unplaced: tuple[tuple[int, ...], tuple[int, ...]]  # per seat and size
    hand: tuple[Piece, ...]  # taken off the board in this turn


NOTHING = Option(None, None, None)
ROUND_STARTS = ("place", "remove", "take_first")  # the first decisions of a round


def first_state(board: Board, per_size: tuple[int, ...]) -> State:
    """An empty board and full stashes."""
    return State("place", 0, (None,) * len(board.spaces), (tuple(per_size), tuple(per_size)), ())


def all_pieces(state: State) -> list[Option]:
    """Every piece on the board."""
    return [Option(space, *piece) for space, piece in enumerate(state.pieces) if piece is not None]


def empty_spaces(state: State) -> list[int]:
    """Every space without a piece."""
    return [space for space, piece in enumerate(state.pieces) if piece is None]


def capturable(board: Board, state: State) -> list[Option]:
    """Opposing pieces all of whose neighbouring spaces hold pieces of the seat."""
    found = []
    for option in all_pieces(state):
        around = [state.pieces[space] for space in board.neighbours[option.space]]
        surrounded = all(piece is not None and piece.owner == state.seat for piece in around)
        if option.owner != state.seat and surrounded:
            found.append(option)
    return found


def legal_options(board: Board, state: State) -> list[Option]:
    """The distinct choices of the decision at hand."""
    if state.phase == "place":
        sizes = [size for size, left in zip(SIZES, state.unplaced[state.seat], strict=True) if left > 0]
        return [Option(space, state.seat, size) for space in empty_spaces(state) for size in sizes]
    if state.phase in ("remove", "take_first", "take_second"):
        return all_pieces(state)
    if state.phase == "put":
        return [Option(space, *piece) for space in empty_spaces(state) for piece in sorted(set(state.hand))]
    return [*capturable(board, state), NOTHING]


def with_piece(state: State, space: int, piece: Piece | None) -> State:
    """The state with a space filled (or emptied, for None)."""
    return state._replace(pieces=(*state.pieces[:space], piece, *state.pieces[space + 1 :]))


def turn_of(seat: int, state: State) -> State:
    """A seat begins a turn, unless fewer than two pieces are on the board."""
    phase = "take_first" if len(all_pieces(state)) >= 2 else "end"
    return state._replace(phase=phase, seat=seat)


def next_state(board: Board, state: State, option: Option) -> State:
    """What a legal option makes of a state."""
    opponent = 1 - state.seat
    piece = None if option == NOTHING else Piece(option.owner, option.size)
    if state.phase == "place":
        state = with_piece(state, option.space, piece)
        unplaced = [list(counts) for counts in state.unplaced]
        unplaced[state.seat][SIZES.index(option.size)] -= 1
        state = state._replace(unplaced=(tuple(unplaced[0]), tuple(unplaced[1])))
        if empty_spaces(state):
            return state._replace(seat=opponent)
        return state._replace(phase="remove", seat=1)
    if state.phase == "remove":
        return turn_of(0, with_piece(state, option.space, None))
    if state.phase == "take_first":
        return with_piece(state, option.space, None)._replace(phase="take_second", hand=(piece,))
    if state.phase == "take_second":
        hand = tuple(sorted([*state.hand, piece]))
        return with_piece(state, option.space, None)._replace(phase="put", hand=hand)
    if state.phase == "put":  # the other piece in hand is discarded
        state = with_piece(state, option.space, piece)._replace(hand=())
        if capturable(board, state):
            return state._replace(phase="capture")
        return turn_of(opponent, state)
    if option != NOTHING:
        state = with_piece(state, option.space, None)
    return turn_of(opponent, state)


# ------------------------------------------------------------------- replay


@dataclass
class Replay:
    """What a replayed game comes to."""

    options: list[int]  # legal options per ply
    scores: list[tuple]  # (seat, "captured", size, pips, space, round of the capture)
    totals: list[int]
    winners: list[int]
    rank: list[int]
    win_share: list[float]
    rounds: int
    decisions: int
    left: int  # pieces on the board at the end
    captures: int
    turns: int  # capture turns


def check_setup(board: Board, pieces, pips=(1, 2, 3)) -> None:
    """Sensible numbers, and enough pieces for the seat that places the odd one."""
    problems = {
        "pieces must be three numbers from 0 to 10": len(pieces) != 3 or not all(0 <= n <= 10 for n in pieces),
        "pips must be three numbers from 1 to 9": len(pips) != 3 or not all(1 <= n <= 9 for n in pips),
        "a seat needs at least one piece": sum(pieces) < 1,
        "more spaces than pieces": sum(pieces) < (len(board.spaces) + 1) // 2,
    }
    for reason, broken in problems.items():
        if broken:
            raise RuleError(None, reason)


def read_move(moves, ply: int, round_: int, state: State, legal: list[Option]) -> Option:
    """The option recorded for a ply, checked against what is asked."""
    if ply >= len(moves):
        raise RuleError(ply, f"no move recorded for seat {state.seat}, {state.phase}, round {round_}")
    move = moves[ply]
    asked = {"ply": ply, "round": round_, "seat": state.seat, "phase": state.phase}
    for key, expected in asked.items():
        if move.get(key) != expected:
            raise RuleError(ply, f"{key} is {move.get(key)!r}, expected {expected!r}")
    option = Option(*(move.get(key) for key in Option._fields))
    if option not in legal:
        raise RuleError(ply, f"{state.phase} of seat {state.seat} is not legal: {option}")
    return option


def replay(board: Board, moves, pieces=(5, 5, 5), pips=(1, 2, 3)) -> Replay:
    """Play the recorded moves by the rules; RuleError at the first that does not fit."""
    check_setup(board, pieces, pips)
    state = first_state(board, pieces)
    options: list[int] = []
    scores: list[tuple] = []
    round_ = turns = 0
    while state.phase != "end":
        round_ += state.phase in ROUND_STARTS
        turns += state.phase == "take_first"
        legal = legal_options(board, state)
        option = read_move(moves, len(options), round_, state, legal)
        options.append(len(legal))
        if state.phase == "capture" and option != NOTHING:
            points = pips[SIZES.index(option.size)]
            scores.append((state.seat, "captured", option.size, points, option.space, round_))
        state = next_state(board, state, option)
    if len(moves) > len(options):
        raise RuleError(len(options), "moves go on after the end of the game")
    scores.sort(key=lambda line: line[0])  # by seat; a stable sort keeps the order of capture
    totals = [sum(line[3] for line in scores if line[0] == seat) for seat in (0, 1)]
    winners = [seat for seat in (0, 1) if totals[seat] == max(totals)]
    return Replay(
        options=options,
        scores=scores,
        totals=totals,
        winners=winners,
        rank=[1 + sum(other > mine for other in totals) for mine in totals],
        win_share=[1 / len(winners) if seat in winners else 0.0 for seat in (0, 1)],
        rounds=round_,
        decisions=len(options),
        left=len(all_pieces(state)),
        captures=len(scores),
        turns=turns,
    )


def random_game(board: Board, rng: random.Random, pieces=(5, 5, 5)) -> list[dict]:
    """The moves of a game of random legal options."""
    check_setup(board, pieces)
    state = first_state(board, pieces)
    moves: list[dict] = []
    round_ = 0
    while state.phase != "end":
        round_ += state.phase in ROUND_STARTS
        option = rng.choice(legal_options(board, state))
        asked = {"ply": len(moves), "round": round_, "seat": state.seat, "phase": state.phase}
        moves.append({**asked, **option._asdict()})
        state = next_state(board, state, option)
    return moves


# ------------------------------------------------------------- whole game tree


def exact_probabilities(board: Board, pieces, pips=(1, 2, 3)) -> tuple[Fraction, Fraction, Fraction]:
    """Chances of (draw, seat 0 wins, seat 1 wins) when every distinct option is equally likely.

    It walks the whole game tree, so it is for tiny boards only.
    """
    check_setup(board, pieces, pips)

    @cache
    def leads(state: State) -> dict[int, Fraction]:
        """Pips seat 0 will gain on seat 1 from here on -> how likely that is."""
        if state.phase == "end":
            return {0: Fraction(1)}
        chances: dict[int, Fraction] = {}
        legal = legal_options(board, state)
        for option in legal:
            gain = 0
            if state.phase == "capture" and option != NOTHING:
                gain = pips[SIZES.index(option.size)] * (1 if state.seat == 0 else -1)
            for lead, chance in leads(next_state(board, state, option)).items():
                chances[lead + gain] = chances.get(lead + gain, Fraction(0)) + chance
        return {lead: chance / len(legal) for lead, chance in chances.items()}

    final = leads(first_state(board, pieces))
    draw = final.get(0, Fraction(0))
    seat0 = sum((chance for lead, chance in final.items() if lead > 0), Fraction(0))
    seat1 = sum((chance for lead, chance in final.items() if lead < 0), Fraction(0))
    return draw, seat0, seat1


def count_sequences(board: Board, pieces) -> int:
    """The number of distinct move sequences from the first placement to the end."""
    check_setup(board, pieces)

    @cache
    def count(state: State) -> int:
        """Ways to go on from a state."""
        if state.phase == "end":
            return 1
        return sum(count(next_state(board, state, option)) for option in legal_options(board, state))

    return count(first_state(board, pieces))
