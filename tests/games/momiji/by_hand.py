"""Momiji by hand: cards, moves and positions in words, and deals in a chosen order.

Types are letters, a to f. A card is its type, then its value between its lower corners, ``*`` for an acorn: ``a*0*``,
``b.1*``, ``c.3.``. A row of stacks is written from left to right, each stack from its first card to its top:
``"b*0* .1*, a*0*"``. Landscapes are named as in the shipped file: ``A1`` to ``C3``. Nothing here asks the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from unittest import mock

import numpy as np

from meeplecarlo.games.momiji import rules as rules_module
from meeplecarlo.games.momiji.state import ACTIONS, AFTER, COLLECT, DISCARD, MAIN, MORE, NONE, TRADE
from tests.table import Table

GAME = "momiji"
SIZES = (2, 3, 4)
LETTERS = "abcdef"
FACES = ("*0*", "*1.", ".1*", "*2.", ".2*", ".2.", ".3.")  # as shipped
COPIES = (5, 2, 2, 1, 1, 1, 2)
LANDSCAPES = ("A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3")
GOALS = (*(f"most {letter}" for letter in LETTERS), "0s", "1s", "2s", "tops", "closed", "longest")
PHASES = {MAIN: "main", COLLECT: "collect", MORE: "more", TRADE: "trade", AFTER: "after", DISCARD: "discard"}
SIDES = (None, "left", "right")
MOVE = ("action", "landscape", "goal", "type", "face", "side", "type_2", "face_2")  # columns of the log


# --- moves ---------------------------------------------------------------------------------------------------------
def code(move: dict) -> int:
    """Return the code of a move told in the columns of the log, written out from the docstring of `state`."""
    said = dict.fromkeys(MOVE) | move
    action, row, goal, kind, face = (said[name] for name in MOVE[:5])
    card = None if face is None else 16 * (kind - 1) + face
    if action == "trade" and card is not None:
        return 40960 + 128 * card + 16 * (said["type_2"] - 1) + said["face_2"]
    value = 4096 * ACTIONS.index(action) + 1024 * (row or 0)
    if action in ("play", "landscape") and card is not None:
        return value + 4 * card + SIDES.index(said["side"])
    if action == "landscape":
        return value + (448 + goal - 1 if goal else 384 + kind - 1 if kind else 512)
    if action == "discard":
        return value + card
    return value + (kind - 1 if kind else goal - 1 if goal else 0)


def read(move: int) -> dict:
    """Return a code as a move in the columns of the log; the inverse of `code`."""
    said = dict.fromkeys(MOVE)
    if move >= 40960:
        first, second = divmod(move - 40960, 128)
        return said | {"action": "trade", "type": first // 16 + 1, "face": first % 16,
                       "type_2": second // 16 + 1, "face_2": second % 16}  # fmt: skip
    action, operand = ACTIONS[move // 4096], move % 4096
    said["action"] = action
    if action in ("play", "landscape"):
        said["landscape"] = operand // 1024 or None
        operand %= 1024
        if operand < 384:
            said |= {"type": operand // 64 + 1, "face": operand // 4 % 16, "side": SIDES[operand % 4]}
        elif operand < 448:
            said["type"] = operand - 384 + 1
        elif operand < 512:
            said["goal"] = operand - 448 + 1
        else:
            assert operand == 512
    elif action == "discard":
        said |= {"type": operand // 16 + 1, "face": operand % 16}
    elif action == "collect":
        said["type"] = operand + 1
    elif action == "activate":
        said["goal"] = operand + 1
    else:
        assert operand == 0
    return said


_FACES: dict[int, tuple] = {}  # by the identity of rules: these rules, so that it stays theirs, and their faces


def faces_of(table: Table) -> list[str]:
    """Return the faces of a table in words, in the order of its card file."""
    rules = table.rules
    if id(rules) not in _FACES:
        columns = zip(rules.left_acorn, rules.value, rules.right_acorn, strict=True)
        faces = [f"{'.*'[left]}{value}{'.*'[right]}" for left, value, right in columns][: int(rules.n_faces)]
        _FACES[id(rules)] = (rules, faces)
    return _FACES[id(rules)][1]


def words(table: Table, move: int) -> str:
    """Return a move in words: ``collect a``, ``play b*0* left``, ``play b.2. with B``, ``use A b``, ``claim 2``."""
    said, faces = read(move), faces_of(table)
    kind, face = said["type"], said["face"]
    parts = [{"landscape": "use", "activate": "claim"}.get(said["action"], said["action"])]
    if said["action"] == "landscape":
        parts.append("ABC"[said["landscape"] - 1])
    if kind:
        parts.append(LETTERS[kind - 1] + ("" if face is None else faces[face]))
    if said["goal"]:
        parts.append(str(said["goal"]))
    if said["type_2"]:
        parts.append(LETTERS[said["type_2"] - 1] + faces[said["face_2"]])
    if said["side"]:
        parts.append(said["side"])
    if said["action"] == "play" and said["landscape"]:
        parts.append("with " + "ABC"[said["landscape"] - 1])
    return " ".join(parts)


def options(table: Table) -> list[str]:
    """Return the legal moves in words; their codes must ascend and say everything."""
    moves = table.legal()
    assert moves == sorted(set(moves))
    assert [code(read(move)) for move in moves] == moves
    return [words(table, move) for move in moves]


def plays(table: Table) -> list[str]:
    """Return the cards that may be laid as part of a play, in words."""
    return [text.removeprefix("play ") for text in options(table) if text.startswith("play")]


def powers(table: Table) -> list[str]:
    """Return the uses of landscapes that are moves of their own, in words."""
    return [text.removeprefix("use ") for text in options(table) if text.startswith("use")]


def play(table: Table, *moves: str) -> Table:
    """Play moves in words, each of which must be legal."""
    for text in moves:
        legal = dict(zip(options(table), table.legal(), strict=True))
        assert text in legal, f"{text!r} is not among {list(legal)}"
        table.play(legal[text])
    return table


# --- cards ---------------------------------------------------------------------------------------------------------
def card(table: Table, text: str) -> tuple[int, int]:
    """Return a card in words as (type, face), both from 0."""
    return LETTERS.index(text[0]), faces_of(table).index(text[1:])


def bundles(table: Table, text: str) -> list[int]:
    """Return cards in words, separated by spaces, as a bundle for each type."""
    found = [0] * 6
    for kind, face in (card(table, one) for one in text.split()):
        found[kind] += 1 << 4 * face
    return found


def cards(table: Table, bundled) -> list[str]:
    """Return the cards of a bundle for each type in words, ascending; none of a bundle that is hidden."""
    faces = faces_of(table)
    return [
        LETTERS[kind] + name
        for kind, bundle in enumerate(bundled)
        for face, name in enumerate(faces)
        for _ in range(int(bundle) >> 4 * face & 15 if bundle >= 0 else 0)
    ]


def box(table: Table) -> Counter:
    """Return all cards in play, counted."""
    rules, faces = table.rules, faces_of(table)
    return Counter(
        {
            LETTERS[kind] + name: int(rules.copies) >> 4 * face & 15
            for kind in range(int(rules.n_types))
            for face, name in enumerate(faces)
        }
    )


def hand(table: Table, seat: int) -> list[str]:
    """Return the hand of a seat."""
    held = cards(table, table.state.hand[seat])
    assert table.state.hand_cards[seat] == len(held)
    return held


def display(table: Table) -> list[str]:
    """Return the display, ascending."""
    shown = cards(table, table.state.display)
    assert table.state.display_cards == len(shown)
    return shown


def deck(table: Table) -> list[str]:
    """Return the deck in the order it will be drawn."""
    state, faces = table.state, faces_of(table)
    start = int(table.rules.n_cards - state.deck_left)
    drawn = state.deck[start : int(table.rules.n_cards)].tolist()
    assert (state.deck[:start] == NONE).all()
    return [LETTERS[one >> 4] + faces[one & 15] for one in drawn]


def row(table: Table, seat: int) -> list[str]:
    """Return the stacks of a seat from left to right: type and top, and how many cards: ``a.1* x2``."""
    state, faces = table.state, faces_of(table)
    return [
        f"{LETTERS[kind]}{faces[state.top[seat, kind]]} x{state.stack_cards[seat, kind]}"
        for kind in state.in_line[seat].tolist()
        if kind != NONE
    ]


# --- positions -----------------------------------------------------------------------------------------------------
@cache
def _table(n_seats: int, said: tuple, components: tuple) -> Table:
    return Table(GAME, n_seats, dict(said), dict(components))


def new_table(n_seats: int = 2, seed: int = 1, components: dict | None = None, **said) -> Table:
    """Return a table of its own, freshly dealt; its rules are read once for all tables like it."""
    return _table(n_seats, tuple(sorted(said.items())), tuple(sorted((components or {}).items()))).copy().deal(seed)


def deal_in_order(table: Table, dealt: dict) -> Table:
    """Deal by the rules' own `deal` what a row of the log's table of deals tells."""
    n_faces, n_types = int(table.rules.n_faces), int(table.rules.n_types)
    order = [16 * (number // n_faces) + number % n_faces for number in dealt["deck"]]
    first = [number - 1 for number in dealt["goals"]]
    goals = first + [goal for goal in table.rules.usable[: int(table.rules.n_usable)].tolist() if goal not in first]
    left = [order, goals]

    def leave_in_this_order(rng, values, n):
        wanted = left.pop(0)
        assert sorted(values[:n].tolist()) == sorted(wanted)
        values[:n] = wanted

    with (
        mock.patch.object(rules_module, "shuffle", leave_in_this_order),
        mock.patch.object(rules_module, "below", return_value=0),
    ):
        rules_module.deal(table.rules, table.state, np.zeros(4, np.uint64))
    table.state.landscape[: table.n_seats] = np.array(dealt["landscapes"]).reshape(-1, 3) - 1
    assert not left
    assert table.state.goal[:n_types].tolist() == first
    return table


def start(
    hands: Iterable[str] = ("", ""),
    rows: Iterable[str] = (),
    display: str = "a*0* a*0* b*0* b*0*",
    deck: str = "",
    acorns: Iterable[int] | None = None,
    landscapes: str = "A1 B1 C1",
    goals: str = "closed, longest, 0s, 1s",
    holders: Iterable[int | None] = (),
    known: Iterable[str] = (),
    **said,
) -> Table:
    """Return a position at the start of the turn of seat 0; cards that are not named have been discarded.

    Parameters
    ----------
    hands, rows, known : iterable of str
        For each seat its cards, its stacks, and which of its cards all know. `rows` and `known` may end early.
    deck : str
        Its cards in the order they are drawn. An empty deck does not trigger the end by itself.
    acorns : iterable of int, optional
        Of each seat; 2 by default.
    landscapes : str
        Of every seat, a name for each row.
    goals, holders : str, iterable
        Goals laid out in order, separated by commas, and who holds them. For more than two seats, goals about types
        fill the places behind.
    """
    hands = list(hands)
    n_seats = len(hands)
    table = new_table(n_seats, **said)
    rules, state = table.rules, table.state
    laid = [name.strip() for name in goals.split(",")] + [f"most {letter}" for letter in LETTERS]
    state.goal[: n_seats + 2] = [GOALS.index(name) for name in laid[: n_seats + 2]]
    state.holder[: n_seats + 2] = NONE
    for place, holder in enumerate(holders):
        state.holder[place] = NONE if holder is None else holder
    drawn = [16 * kind + face for kind, face in (card(table, one) for one in deck.split())]
    n_cards = int(rules.n_cards)
    state.deck[:] = NONE
    state.deck[n_cards - len(drawn) : n_cards] = drawn
    state.deck_left = len(drawn)
    state.trigger, state.trigger_round = NONE, 0
    state.display[:] = bundles(table, display)
    state.display_cards = len(display.split())
    state.acorns[:n_seats] = [2] * n_seats if acorns is None else list(acorns)
    state.landscape[:n_seats] = [LANDSCAPES.index(name) for name in landscapes.split()]
    left = box(table) - Counter(deck.split()) - Counter(display.split())
    state.unseen[:] = bundles(table, deck)
    for seat, held in enumerate(hands):
        state.hand[seat] = bundles(table, held)
        state.hand_cards[seat] = len(held.split())
        state.unseen[:] += state.hand[seat]
        left -= Counter(held.split())
    for seat, held in enumerate(known):
        state.known[seat] = bundles(table, held)
        state.unseen[:] -= state.known[seat]
    for seat, text in enumerate(rows):
        left -= _set_row(table, seat, text)
    state.closed = state.shut.sum()
    state.discarded[:] = bundles(table, " ".join(left.elements()))
    assert everywhere(table) == box(table), "more cards than there are"
    return table


def _set_row(table: Table, seat: int, text: str) -> Counter:
    """Lay the stacks of a seat; return the cards used."""
    state, used = table.state, Counter()
    for place, stack in enumerate(filter(None, (part.strip() for part in text.split(",")))):
        letter, faces = stack[0], stack[1:].split()
        kind = LETTERS.index(letter)
        numbers = [card(table, letter + face)[1] for face in faces]
        values = [int(face[1]) for face in faces]
        state.in_line[seat, place] = kind
        state.top[seat, kind] = numbers[-1]
        state.stack_cards[seat, kind] = len(faces)
        for value in values:
            state.of_value[seat, value] += 1
        state.tops[seat] += values[-1]
        state.shut[seat] += values[-1] == 3
        state.longest[seat] = max(state.longest[seat], len(faces))
        state.stacks[seat] = place + 1
        used.update(letter + face for face in faces)
    return used


def everywhere(table: Table) -> Counter:
    """Count the cards wherever they are; of stacks, which do not tell, those that are nowhere else.

    Stacks must hold as many cards as are missing everywhere else.
    """
    state = table.state
    found = Counter(deck(table)) + Counter(display(table)) + Counter(cards(table, state.discarded))
    for seat in range(table.n_seats):
        found.update(hand(table, seat))
    laid = box(table) - found
    assert not found - box(table)
    for kind, letter in enumerate(LETTERS):
        assert sum(n for name, n in laid.items() if name[0] == letter) == state.stack_cards[:, kind].sum()
    return found + laid


def phase(table: Table) -> str:
    """Return the phase in words."""
    return PHASES[int(table.state.phase)]


def lines(table: Table) -> list[tuple]:
    """Return the scored items: (seat, slot, points, cards, top)."""
    return [
        (int(line["seat"]), table.game.slots[line["slot"]], *(int(line[name]) for name in ("points", "cards", "top")))
        for line in table.tally()[0]
    ]


def goal_points(table: Table) -> list[list[int]]:
    """Return the points of every active goal, a list of seats for each."""
    found: dict[str, list[int]] = {}
    for seat, slot, points, _, _ in lines(table):
        if slot.startswith("goal"):
            found.setdefault(slot, []).append(points)
            assert len(found[slot]) == seat + 1
    return list(found.values())
