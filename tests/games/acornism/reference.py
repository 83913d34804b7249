"""A slow, plain reference implementation of Acornism (2-4 seats).

It is written from the rulebook and the game page alone and shares nothing with
the simulator, so that recorded games can be replayed here and compared.

A field is a dict from squares (x to the right, y downwards) to what lies there:
("animal", number wanted) or ("acorn", number of acorns or "magic").
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

SEATS = (2, 3, 4)
NUMBERS = 20  # animals want 1..20
MAGIC_WORTH = 10  # one Magic Acorn counts as 0..10 towards each animal
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))

Square = tuple[int, int]
Field = dict[Square, tuple[str, int | str]]
Tile = tuple[int, int | str]  # number wanted, acorns or "magic"

TILES: list[Tile] = [
    *((animal, acorns) for animal in range(5, 11) for acorns in range(5)),
    *((5, 2), (6, 1), (6, 3), (7, 0), (7, 4), (8, 2), (9, 1), (9, 3), (10, 0)),
    (8, "magic"),
]


class RuleError(Exception):
    """A recorded game breaks a rule; `ply` is None when the setup does."""

    def __init__(self, ply: int | None, reason: str):
        super().__init__(f"ply {ply}: {reason}")
        self.ply, self.reason = ply, reason


@dataclass(frozen=True)
class Options:
    """The rule options, written as the interface writes them."""

    edge_scoring: str = "false"  # false | true
    underfed: str = "allowed"  # allowed | forbidden
    field_size: int = 8  # 4..12
    hand_size: int = 4  # 1..8
    pieces: int = 0  # a seat; 0 = no limit, 1..40
    magic: str = "wild"  # wild | none


# ----------------------------------------------------------------- the field


class Move(NamedTuple):
    """A tile number and where its two squares go; a pass has nothing of it."""

    tile: int | None = None
    animal_x: int | None = None
    animal_y: int | None = None
    acorn_x: int | None = None
    acorn_y: int | None = None


PASS = Move()


@cache
def neighbours(square: Square) -> tuple[Square, ...]:
    """The four squares that share an edge with the given one."""
    x, y = square
    return tuple((x + dx, y + dy) for dx, dy in SIDES)


def box(laid: Field) -> tuple[int, int, int, int]:
    """The smallest and greatest x, then the smallest and greatest y, of the laid squares."""
    xs, ys = [x for x, _ in laid], [y for _, y in laid]
    return min(xs), max(xs), min(ys), max(ys)


def box_size(laid: Field) -> tuple[int, int]:
    """Width and height of the box."""
    left, right, top, bottom = box(laid)
    return right - left + 1, bottom - top + 1


def is_outside(laid: Field, square: Square, options: Options) -> bool:
    """Whether the square lies beyond a settled edge.

    The left and right edges settle when the box has its full width, the top and
    bottom edges when it has its full height.
    """
    left, right, top, bottom = box(laid)
    x, y = square
    beyond_columns = right - left + 1 == options.field_size and not left <= x <= right
    beyond_rows = bottom - top + 1 == options.field_size and not top <= y <= bottom
    return beyond_columns or beyond_rows


def is_animal(laid: Field, square: Square) -> bool:
    """Whether an animal lies on the square."""
    return square in laid and laid[square][0] == "animal"


def animals(laid: Field) -> list[Square]:
    """The animal squares, row by row from the top, left to right."""
    return sorted((s for s in laid if is_animal(laid, s)), key=lambda s: (s[1], s[0]))


def acorns_around(laid: Field, square: Square, options: Options) -> tuple[int, int]:
    """Plain acorns and Magic Acorns beside an animal.

    With magic = none the Magic Acorn's square is a plain square of 0 acorns.
    """
    shown = [laid[s][1] for s in neighbours(square) if s in laid]
    plain = sum(n for n in shown if n != "magic")
    return plain, shown.count("magic") if options.magic == "wild" else 0


def is_overfed(laid: Field, square: Square, options: Options) -> bool:
    """Whether more plain acorns lie around an animal than it wants."""
    return acorns_around(laid, square, options)[0] > laid[square][1]


def is_complete(laid: Field, square: Square, options: Options) -> bool:
    """Whether all sides of an animal are filled, as far as the options ask for it."""
    empty = [s for s in neighbours(square) if s not in laid]
    if options.edge_scoring == "true" and len(empty) <= 2:  # no square of the field has more sides outside
        return all(is_outside(laid, s, options) for s in empty)
    return not empty


def is_satisfied(laid: Field, square: Square, options: Options) -> bool:
    """Whether an animal is complete with just the acorns it wants."""
    wanted = laid[square][1]
    plain, magic = acorns_around(laid, square, options)
    return is_complete(laid, square, options) and wanted - MAGIC_WORTH * magic <= plain <= wanted


def newly_complete(before: Field, after: Field, options: Options) -> list[Square]:
    """The animals complete now that were not before, row by row."""
    old = {s for s in animals(before) if is_complete(before, s, options)}
    return [s for s in animals(after) if s not in old and is_complete(after, s, options)]


# ------------------------------------------------------------------- placing


def lay(laid: Field, tile: Tile, animal: Square, acorn: Square) -> Field:
    """A copy of the field with one tile more."""
    return {**laid, animal: ("animal", tile[0]), acorn: ("acorn", tile[1])}


def fits(laid: Field, animal: Square, acorn: Square, options: Options) -> bool:
    """Whether a tile, whatever it shows, may lie there: free, adjoining, alternating, in the box."""
    if animal in laid or acorn in laid:
        return False
    beside_animal = [laid[s][0] for s in neighbours(animal) if s in laid]
    if "animal" in beside_animal:
        return False
    beside_acorn = [laid[s][0] for s in neighbours(acorn) if s in laid]
    if "acorn" in beside_acorn or not (beside_animal or beside_acorn):
        return False
    return max(box_size(lay(laid, (0, 0), animal, acorn))) <= options.field_size


def feeds_well(laid: Field, tile: Tile, animal: Square, acorn: Square, options: Options) -> bool:
    """Whether no animal gets too many acorns and, if forbidden, none is completed short.

    Only animals beside the acorn get any (the tile's own is one of them), and only they can become complete,
    unless edges count and the box grows: then one may settle.
    """
    after = lay(laid, tile, animal, acorn)
    fed = [s for s in neighbours(acorn) if is_animal(after, s)]
    if any(is_overfed(after, s, options) for s in fed):
        return False
    if options.underfed == "allowed":
        return True
    changed = animals(after) if options.edge_scoring == "true" and box(after) != box(laid) else fed
    completed = (
        s for s in changed if is_complete(after, s, options) and not (s in laid and is_complete(laid, s, options))
    )
    return all(is_satisfied(after, s, options) for s in completed)


def legal_moves(laid: Field, hand: list[int], options: Options = Options(), tiles: list[Tile] = TILES) -> list[Move]:
    """Every way to place a tile of the hand (tile numbers from 1); no way gives an empty list.

    Of equal tiles only the one with the lowest number is tried.
    """
    if not laid or any(is_overfed(laid, s, options) for s in animals(laid)):  # the first tile, by its own acorns
        return []
    lowest: dict[Tile, int] = {}
    for number in sorted(hand):
        wanted, acorns = tiles[number - 1]
        worthless = acorns == "magic" and options.magic == "none"
        lowest.setdefault((wanted, 0 if worthless else acorns), number)
    left, right, top, bottom = box(laid)
    moves = []
    for y in range(top - 2, bottom + 3):
        for x in range(left - 2, right + 3):
            if (x, y) in laid:
                continue
            for acorn in neighbours((x, y)):
                if fits(laid, (x, y), acorn, options):
                    moves += [
                        Move(number, x, y, *acorn)
                        for tile, number in lowest.items()
                        if feeds_well(laid, tile, (x, y), acorn, options)
                    ]
    return sorted(moves)


# ------------------------------------------------------------------ the game

# decide(ply, round, seat, phase, legal options) -> the option taken
Decide = Callable[[int, int, int, str, list[Move]], Move]


class Score(NamedTuple):
    """One line of the score sheet: an animal that scored."""

    seat: int
    category: str
    slot: str
    points: int
    x: int
    y: int
    acorns: int
    magic: int
    turn: int


@dataclass
class Game:
    """One game; `decide` is asked for every decision in turn."""

    n_seats: int
    dealt: list[int]
    tiles: list[Tile]
    rules: Options
    decide: Decide
    laid: Field = field(default_factory=dict)
    hands: list[list[int]] = field(default_factory=list)
    pile: list[int] = field(default_factory=list)  # next tile first
    options: list[int] = field(default_factory=list)  # legal options per ply
    scores: list[Score] = field(default_factory=list)
    rounds: list[tuple[int, int, int]] = field(default_factory=list)  # round, seat, points so far
    passes: int = 0
    finder: int | None = None
    magic_by: int | None = None
    magic_turn: int | None = None

    def play(self) -> None:
        """Deal, then turns clockwise until no seat can place a tile."""
        self.deal()
        while True:
            seat = len(self.options) % self.n_seats
            moves = self.placements(seat)
            if not moves and not any(self.placements(other) for other in range(self.n_seats)):
                break
            self.take_turn(seat, moves)
            if len(self.options) % self.n_seats == 0:
                self.note_round()
        if len(self.options) % self.n_seats:
            self.note_round()

    def deal(self) -> None:
        """The hands seat by seat, the first tile, the draw pile."""
        self.pile = list(self.dealt)
        self.hands = [[] for _ in range(self.n_seats)]
        for seat in range(self.n_seats):
            for _ in range(self.rules.hand_size):
                self.draw(seat)
        self.laid = lay({}, self.tiles[self.pile.pop(0) - 1], (0, 0), (1, 0))

    def draw(self, seat: int) -> None:
        """One tile from the draw pile, if there is one."""
        if self.pile:
            number = self.pile.pop(0)
            self.hands[seat].append(number)
            if self.is_magic(number) and self.finder is None:
                self.finder = seat

    def is_magic(self, number: int) -> bool:
        """Whether the tile shows a Magic Acorn."""
        return self.tiles[number - 1][1] == "magic"

    def placements(self, seat: int) -> list[Move]:
        """What a seat could place now."""
        return legal_moves(self.laid, self.hands[seat], self.rules, self.tiles)

    def take_turn(self, seat: int, moves: list[Move]) -> None:
        """Place a tile, score, draw; or pass if no tile of the hand fits."""
        ply = len(self.options)
        phase = "place" if moves else "pass"
        legal = moves or [PASS]
        self.options.append(len(legal))
        move = self.decide(ply, 1 + ply // self.n_seats, seat, phase, legal)
        if move == PASS:
            self.passes += 1
            return
        before = self.laid
        animal, acorn = (move.animal_x, move.animal_y), (move.acorn_x, move.acorn_y)
        self.laid = lay(before, self.tiles[move.tile - 1], animal, acorn)
        self.hands[seat].remove(move.tile)
        if self.is_magic(move.tile) and self.magic_by is None:
            self.magic_by, self.magic_turn = seat, ply + 1
        self.score(seat, newly_complete(before, self.laid, self.rules), turn=ply + 1)
        self.draw(seat)

    def score(self, seat: int, completed: list[Square], turn: int) -> None:
        """The satisfied ones of the completed animals score, as far as the pieces reach.

        Short of pieces, the greatest numbers come first, among equal ones the first row by row.
        """
        satisfied = [s for s in completed if is_satisfied(self.laid, s, self.rules)]
        if self.rules.pieces:
            left = self.rules.pieces - sum(line.seat == seat for line in self.scores)
            greatest_first = sorted(satisfied, key=lambda s: -self.laid[s][1])
            satisfied = [s for s in satisfied if s in greatest_first[:left]]
        for square in satisfied:
            wanted = self.laid[square][1]
            plain, magic = acorns_around(self.laid, square, self.rules)
            self.scores.append(Score(seat, "animal", str(wanted), wanted, *square, plain, magic, turn))

    def points(self, seat: int) -> int:
        """What a seat has scored so far."""
        return sum(line.points for line in self.scores if line.seat == seat)

    def note_round(self) -> None:
        """The points at the end of a round, or of the game if it ends within one."""
        round_ = 1 + (len(self.options) - 1) // self.n_seats
        self.rounds += [(round_, seat, self.points(seat)) for seat in range(self.n_seats)]


# -------------------------------------------------------------------- result


@dataclass
class Replay:
    """What a replayed game comes to; lists by number hold the animals wanting 1..20."""

    options: list[int]
    scores: list[tuple]
    rounds: list[tuple[int, int, int]]
    totals: list[int]
    winners: list[int]
    rank: list[int]
    win_share: list[float]
    placed: int
    left: int
    in_hands: int
    width: int
    height: int
    satisfied: int
    starved: int
    unfinished: int
    finder: int | None
    magic_by: int | None
    magic_turn: int | None
    passes: int
    starved_by_number: list[int]
    satisfied_by_number: list[int]
    placed_by_number: list[int]
    laid: Field


def count_by_number(laid: Field, squares: list[Square]) -> list[int]:
    """How many of the animals want 1, 2, ... 20 acorns."""
    wanted = [laid[s][1] for s in squares]
    return [wanted.count(number) for number in range(1, NUMBERS + 1)]


def build_replay(game: Game) -> Replay:
    """Count everything a finished game is asked for; equal totals share the win."""
    laid, rules = game.laid, game.rules
    placed = animals(laid)
    complete = [s for s in placed if is_complete(laid, s, rules)]
    satisfied = [s for s in complete if is_satisfied(laid, s, rules)]
    starved = [s for s in complete if s not in satisfied]
    totals = [game.points(seat) for seat in range(game.n_seats)]
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    width, height = box_size(laid)
    return Replay(
        options=game.options,
        scores=[tuple(line) for line in game.scores],
        rounds=game.rounds,
        totals=totals,
        winners=winners,
        rank=[1 + sum(other > mine for other in totals) for mine in totals],
        win_share=[1 / len(winners) if seat in winners else 0.0 for seat in range(game.n_seats)],
        placed=len(placed),
        left=len(game.pile),
        in_hands=sum(len(hand) for hand in game.hands),
        width=width,
        height=height,
        satisfied=len(satisfied),
        starved=len(starved),
        unfinished=len(placed) - len(complete),
        finder=game.finder,
        magic_by=game.magic_by,
        magic_turn=game.magic_turn,
        passes=game.passes,
        starved_by_number=count_by_number(laid, starved),
        satisfied_by_number=count_by_number(laid, satisfied),
        placed_by_number=count_by_number(laid, placed),
        laid=laid,
    )


def check_setup(n_seats: int, dealt: list[int], tiles: list[Tile], options: Options) -> None:
    """Seats, options and tiles within their ranges, and every tile dealt once."""
    problems = {
        "2 to 4 seats can play": n_seats not in SEATS,
        "edge_scoring must be false or true": options.edge_scoring not in ("false", "true"),
        "underfed must be allowed or forbidden": options.underfed not in ("allowed", "forbidden"),
        "field_size must be 4 to 12": options.field_size not in range(4, 13),
        "hand_size must be 1 to 8": options.hand_size not in range(1, 9),
        "pieces must be 0 to 40": options.pieces not in range(41),
        "magic must be wild or none": options.magic not in ("wild", "none"),
        "3 to 100 tiles": not 3 <= len(tiles) <= 100,
        "an animal wants 1 to 20": any(animal not in range(1, NUMBERS + 1) for animal, _ in tiles),
        "a tile has 0 to 9 acorns or magic": any(n != "magic" and n not in range(10) for _, n in tiles),
        "too few tiles for hands and a first tile": len(tiles) < n_seats * options.hand_size + 1,
        "every tile must be dealt once": sorted(dealt) != list(range(1, len(tiles) + 1)),
    }
    for reason, broken in problems.items():
        if broken:
            raise RuleError(None, reason)


def replay(
    n_seats: int,
    dealt: list[int],
    moves: list[dict],
    tiles: list[Tile] = TILES,
    options: Options = Options(),
) -> Replay:
    """Play the recorded moves by the rules; RuleError at the first that does not fit."""
    check_setup(n_seats, dealt, tiles, options)

    def next_recorded(ply, round_, seat, phase, legal):
        if ply >= len(moves):
            raise RuleError(ply, f"no move recorded for seat {seat}, {phase}, round {round_}")
        recorded = moves[ply]
        asked = {"ply": ply, "round": round_, "seat": seat, "phase": phase}
        for key, expected in asked.items():
            if recorded.get(key) != expected:
                raise RuleError(ply, f"{key} is {recorded.get(key)!r}, expected {expected!r}")
        move = Move(*(recorded.get(key) for key in Move._fields))
        if move not in legal:
            raise RuleError(ply, f"{phase} of seat {seat} is not legal: {move}")
        return move

    game = Game(n_seats, dealt, tiles, options, next_recorded)
    game.play()
    if len(moves) > len(game.options):
        raise RuleError(len(game.options), "moves go on after the end of the game")
    return build_replay(game)


def random_game(
    n_seats: int,
    rng: random.Random,
    tiles: list[Tile] = TILES,
    options: Options = Options(),
) -> tuple[list[int], list[dict]]:
    """Deal at random and play random legal moves: (dealt, moves)."""
    dealt = list(range(1, len(tiles) + 1))
    rng.shuffle(dealt)
    check_setup(n_seats, dealt, tiles, options)
    moves: list[dict] = []

    def pick(ply, round_, seat, phase, legal):
        move = rng.choice(legal)
        moves.append({"ply": ply, "round": round_, "seat": seat, "phase": phase, **move._asdict()})
        return move

    Game(n_seats, dealt, tiles, options, pick).play()
    return dealt, moves
