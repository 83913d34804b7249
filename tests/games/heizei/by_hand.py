"""Heizei by hand: cards as letters, positions set up in words, and what a seat may do, written once more.

Colours are letters: R red, B blue, Y yellow, K black. A set of cards is a word, ``"RRB"``, whose letters may stand in
any order; ``""`` is no card. A seat's number is its place in a list. Nothing here calls the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations

from meeplecarlo.games.heizei import COLOURS
from meeplecarlo.games.heizei.state import LAST, PLAY, PREPARE, TAKE
from tests.table import Table

GAME = "heizei"
SIZES = (3, 4, 5)
LETTERS = "RBYK"
PHASES = {"prepare": PREPARE, "play": PLAY, "take": TAKE, "last": LAST}
NAME = dict(zip(LETTERS, COLOURS, strict=True))
FIRST_VALUES = (3, 2, 1, 0)
TILES = {3: (1, 2), 4: (1, 2, 3), 5: (1, 2, 3, 4)}


# --- cards ---------------------------------------------------------------------------------------------------------
def code(cards: str) -> int:
    """Return the number that stands for a set of cards: five bits a colour, red lowest."""
    assert set(cards) <= set(LETTERS), cards
    return sum(cards.count(letter) * 32**i for i, letter in enumerate(LETTERS))


def read(cards: int) -> str:
    """Return a set of cards as a word, letters in the order of the colours; the inverse of `code`."""
    return "".join(letter * (int(cards) // 32**i % 32) for i, letter in enumerate(LETTERS))


def minus(cards: str, fewer: str) -> str:
    """Return the first set of cards without the second, which must be part of it."""
    left = Counter(cards)
    left.subtract(fewer)
    assert min(left.values(), default=0) >= 0, f"{fewer} is not part of {cards}"
    return "".join(letter * left[letter] for letter in LETTERS)


def ordered(cards: Iterable[str]) -> str:
    """Return cards in the order of the colours."""
    return "".join(sorted(cards, key=LETTERS.index))


# --- tables --------------------------------------------------------------------------------------------------------
@cache
def _table(n_seats: int, options: tuple) -> Table:
    return Table(GAME, n_seats, dict(options))


def new_table(n_seats: int, seed: int = 1, **options) -> Table:
    """Return a table of its own; its rules are made once for all tables with these options."""
    return _table(n_seats, tuple(sorted(options.items()))).copy().deal(seed)


def with_cards(n_seats: int, each: int, **options) -> Table:
    """Return a table with so many cards of each colour."""
    return new_table(n_seats, cards_per_colour=tuple(each if n == n_seats else 15 for n in SIZES), **options)


def start(circles: str, *hands: str, **options) -> Table:
    """Return a game as if just dealt: ``start("KYBR", "RRBB", "BYYK", ...)``, circles from the tail to the head."""
    table = _of_these_cards(len(hands), "".join(hands), options)
    state = table.state
    assert sorted(circles) == sorted(LETTERS)
    for i, letter in enumerate(LETTERS):
        state.space[i] = 1 + circles.index(letter)
    for seat, hand in enumerate(hands):
        assert len(hand) == table.rules.hand_size
        state.hand[seat] = code(hand)
    return table


def _of_these_cards(n_seats: int, cards: str, options: dict) -> Table:
    each = Counter(cards)
    assert [each[letter] for letter in LETTERS] == [each["R"]] * 4, each
    return with_cards(n_seats, each["R"], **options)


def place(
    n_seats: int,
    phase: str,
    *,
    each: int = 15,
    seat: int = 0,
    hands: Iterable[str] = (),
    table: str = "",
    played: str = "",
    collected: Iterable[str] = (),
    spaces: str | dict[str, int] = "RBYK",
    out: Iterable[int] = (),
    round_number: int = 1,
    first: Iterable[str] = (),
    first_spaces: str | dict[str, int] = "RBYK",
    first_out: Iterable[int] | None = None,
    starter: int = 0,
    **options,
) -> Table:
    """Return a position in the middle of a round, with every card of the game somewhere.

    Parameters
    ----------
    n_seats, phase, seat
        What is asked (``play``, ``take`` or ``last``), and of whom.
    each
        Cards of each colour in the game.
    hands, table, played
        Cards in hand, seat by seat; on the table; just played and not on the table yet.
    collected
        Cards collected, seat by seat. All cards that nothing names are added to the collections, so that every seat
        has collected as many as it must have by now.
    spaces
        Space of every cube, or the colours of the cubes on spaces 1, 2, 3, 4.
    out
        Seats that have gone out, first to last.
    round_number, first, first_spaces, first_out, starter
        Of round 2: what was collected in round 1 (at least the cards of a hand; topped up in the same way), where the
        cubes stood at its end, the order in which seats went out (by default that of the seats) and who starts.
    """
    made = with_cards(n_seats, each, **options)
    state, hand_size = made.state, int(made.rules.hand_size)
    hands, out = _seat_by_seat(hands, n_seats), list(out)
    n_table = n_seats - len(out)
    assert len(table) == n_table, f"{n_table} cards must lie on the table, not {table!r}"
    sizes = [hand_size - (0 if s in out else 1) - len(hands[s]) - (len(played) if s == seat else 0) for s in
             range(n_seats)]  # fmt: skip
    everything = "".join(letter * each for letter in LETTERS)
    rest = minus(everything, table + played + "".join(hands))
    gathered = _top_up(_seat_by_seat(collected, n_seats), sizes, rest)
    state.phase, state.seat, state.round_number = PHASES[phase], seat, round_number
    state.table, state.played, state.n_out = code(table), code(played), len(out)
    _put_cubes(state.space, spaces)
    for s in range(n_seats):
        state.hand[s], state.n_hand[s] = code(hands[s]), len(hands[s])
        state.collected[s], state.n_collected[s] = code(gathered[s]), len(gathered[s])
        state.went_out[round_number - 1, s] = 1 + out.index(s) if s in out else 0
    if round_number == 2:
        held = [have + more for have, more in zip(hands, _seat_by_seat(first, n_seats), strict=True)]
        before = _top_up(held, [hand_size] * n_seats, everything)
        _put_cubes(state.first_space, first_spaces)
        first_out = list(range(n_seats)) if first_out is None else list(first_out)
        tiles = [*sorted(options.get(f"tiles_{n_seats}", TILES[n_seats]), reverse=True), 0]
        worth = dict(zip(from_first(state.first_space), options.get("first_values", FIRST_VALUES), strict=True))
        for s in range(n_seats):
            state.first[s] = code(before[s])
            state.went_out[0, s] = 1 + first_out.index(s)
            state.first_points[s] = sum(worth[letter] for letter in before[s]) + tiles[first_out.index(s)]
        state.starter = starter
    return made


def _seat_by_seat(words: Iterable[str], n_seats: int) -> list[str]:
    words = list(words)
    return words + [""] * (n_seats - len(words))


def _top_up(words: list[str], sizes: list[int], cards: str) -> list[str]:
    """Add cards to sets until they have these sizes and no card is left."""
    rest, full = minus(cards, "".join(words)), []
    for word, size in zip(words, sizes, strict=True):
        n = size - len(word)
        assert n >= 0, f"{word} holds more than {size} cards"
        full.append(word + rest[:n])
        rest = rest[n:]
    assert not rest, f"{rest} is left over"
    return full


def _put_cubes(space, spaces: str | dict[str, int]) -> None:
    if isinstance(spaces, str):
        spaces = {letter: 1 + i for i, letter in enumerate(spaces)}
    for i, letter in enumerate(LETTERS):
        space[i] = spaces[letter]


# --- what can be seen ----------------------------------------------------------------------------------------------
def options(table: Table) -> set[str]:
    """Return what the seat to decide may do, as sets of cards."""
    moves = table.legal()
    found = {read(move) for move in moves}
    assert len(found) == len(moves)
    assert moves == sorted(moves)
    assert [code(read(move)) for move in moves] == moves
    return found


def do(table: Table, *moves: str) -> Table:
    """Play moves that must be legal."""
    return table.play(*map(code, moves))


def refuses(table: Table, cards: str) -> bool:
    """Return whether a move is refused and nothing changes by trying it."""
    before = table.bytes()
    return not table.apply(code(cards)) and table.bytes() == before


def phase(table: Table) -> str:
    """Return what is asked."""
    return table.game.phases[int(table.state.phase)]


def spaces(table: Table) -> dict[str, int]:
    """Return the space of every cube."""
    return dict(zip(LETTERS, table.state.space.tolist(), strict=True))


def from_first(space) -> str:
    """Return the colours from the cube furthest ahead to the one furthest back."""
    return "".join(sorted(LETTERS, key=lambda letter: -int(space[LETTERS.index(letter)])))


def hands(table: Table) -> list[str]:
    """Return the hands of all seats."""
    return [read(cards) for cards in table.state.hand[: table.n_seats]]


def collected(table: Table) -> list[str]:
    """Return what every seat has collected in this round."""
    return [read(cards) for cards in table.state.collected[: table.n_seats]]


def first(table: Table) -> list[str]:
    """Return what every seat collected in round 1."""
    return [read(cards) for cards in table.state.first[: table.n_seats]]


def laid(table: Table) -> list[str]:
    """Return the cards that lie face down."""
    return [read(cards) for cards in table.state.laid[: table.n_seats]]


def where(table: Table) -> Counter:
    """Count the cards of each colour wherever they are."""
    state = table.state
    return Counter(read(state.table) + read(state.played) + "".join(hands(table) + collected(table) + laid(table)))


def still_in(table: Table) -> list[int]:
    """Return the seats that have not gone out in this round."""
    this_round = int(table.state.round_number) - 1
    return [seat for seat in range(table.n_seats) if table.state.went_out[this_round, seat] == 0]


def lines(table: Table) -> list[tuple]:
    """Return what is scored: (seat, category, slot, points, in_round, cards, place)."""
    game = table.game
    return [
        (int(row["seat"]), game.categories[row["category"]], game.slots[row["slot"]], int(row["points"]),
         int(row["in_round"]), int(row["cards"]), int(row["place"]))
        for row in table.tally()[0]
    ]  # fmt: skip


def points_of(table: Table, seat: int, *categories: str) -> int:
    """Return the points a seat has of some categories."""
    return sum(line[3] for line in lines(table) if line[0] == seat and line[1] in categories)


# --- what a seat may do, written once more -------------------------------------------------------------------------
def all_options(table: Table) -> set[str]:
    """Return what the seat to decide may do, found by trying every set of cards."""
    state = table.state
    hand, lying, played = hands(table)[state.seat], read(state.table), read(state.played)
    asked = phase(table)
    if asked == "prepare":
        return set(hand)
    if asked == "play":
        return {letter * n for letter in set(hand) for n in range(1, 1 + hand.count(letter))}
    if asked == "last":
        return set(lying)
    if len(played) >= len(lying):
        return {ordered(lying + played[: len(played) - len(lying)])}
    return {ordered(cards) for cards in combinations(lying, len(played))}


def walk(spaces: dict[str, int], letter: str, steps: int) -> dict[str, int]:
    """Return where the cubes stand after one has gone so many steps, one at a time, on a track without an end."""
    others = [space for other, space in spaces.items() if other != letter]
    here = spaces[letter]
    for _ in range(steps):
        here += 1
        while here in others:
            here += 1
    return {**spaces, letter: here}
