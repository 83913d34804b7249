"""A slow, plain reference implementation of Great Fujiyama (1-5 seats).

It is written from the rulebook and the game page alone and shares nothing with
the simulator, so that recorded games can be replayed here and compared.

A place is (station, column). The first tile lies at (1, 0), and the tile at (s, x)
lies on those at (s - 1, x) and (s - 1, x + 1).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import NamedTuple

MOST_SEATS = 5
WIDEST = 10  # tiles on station 1, and so the number of stations, of the full pyramid
SEASONS = ("spring", "summer", "autumn", "winter")
RANKS = {  # name -> the numbers of completed stations it stands for
    "sandbox pile": (1, 2, 3),
    "normal mountain": (4, 5),
    "reputed mountain": (6, 7),
    "Fujiyama": (8, 9),
    "Great Fujiyama": (10,),
}


class RuleError(Exception):
    """A recorded game breaks a rule; `ply` is None when the setup does."""

    def __init__(self, ply: int | None, reason: str):
        super().__init__(f"ply {ply}: {reason}")
        self.ply, self.reason = ply, reason


# --------------------------------------------------------------------- tiles

Triple = tuple[str, str, str]  # seasons at the bottom, upper left and upper right corner

# Every ordered triple of seasons once, numbered from 1, the upper right corner changing fastest.
TILES: dict[int, Triple] = dict(enumerate(product(SEASONS, repeat=3), start=1))


def turned(triple: Triple, turn: int) -> Triple:
    """The seasons (bottom, upper left, upper right) after `turn` clockwise thirds of a turn."""
    bottom, upper_left, upper_right = triple
    for _ in range(turn):
        bottom, upper_left, upper_right = upper_right, bottom, upper_left
    return bottom, upper_left, upper_right


def different_turns(tile: int, rule: str) -> list[int]:
    """The turns that make a difference: only 0 for a tile of one season, or if no tile is turned."""
    if rule == "none" or len(set(TILES[tile])) == 1:
        return [0]
    return [0, 1, 2]


# ------------------------------------------------------------------ the table

Place = tuple[int, int]  # (station, column)
Point = tuple[int, int]  # where corners of tiles meet


def corner_points(place: Place) -> tuple[Point, Point, Point]:
    """Where the bottom, upper left and upper right corners of the tile at a place are.

    A tile is a pointy-top hex 2 units wide and 4 units high (y grows upwards), so
    stations are 3 apart and each starts 1 further right than the one below it.
    """
    station, column = place
    x, y = 2 * column + station - 1, 3 * (station - 1)
    return (x, y - 2), (x - 1, y + 1), (x + 1, y + 1)


class Table:
    """The pyramid built so far."""

    def __init__(self, width: int):
        self.width = width
        self.tiles: dict[Place, int] = {}  # in the order they were laid
        self.seasons: dict[Point, str] = {}

    def lay(self, tile: int, place: Place, turn: int) -> None:
        """Put a tile at a place, which has to be open and to match."""
        self.tiles[place] = tile
        self.seasons.update(zip(corner_points(place), turned(TILES[tile], turn), strict=True))

    def open_places(self) -> list[Place]:
        """The free places a tile may go to if its seasons match.

        Those are both ends of station 1 until it is full, and above it every free
        place on two neighbouring tiles.
        """
        ground = [column for station, column in self.tiles if station == 1]
        places = []
        if len(ground) < self.width:
            places += [(1, min(ground) - 1), (1, max(ground) + 1)]
        for station, column in self.tiles:
            above = (station + 1, column)
            if (station, column + 1) in self.tiles and above not in self.tiles:
                places.append(above)
        return sorted(places)

    def matches(self, tile: int, place: Place, turn: int) -> bool:
        """Whether all corners of the tile show the season that is already where they go."""
        corners = zip(corner_points(place), turned(TILES[tile], turn), strict=True)
        return all(self.seasons.get(point, season) == season for point, season in corners)

    def per_station(self) -> list[int]:
        """How many tiles lie on each of the stations 1-10."""
        stations = [station for station, _ in self.tiles]
        return [stations.count(station) for station in range(1, WIDEST + 1)]

    def completed(self) -> int:
        """The number of full stations; a station can only be full if all below it are."""
        stations = range(1, self.width + 1)
        return sum(laid == self.width + 1 - s for s, laid in zip(stations, self.per_station(), strict=False))


class Option(NamedTuple):
    """One distinct result a decision can have; also the content of a move."""

    tile: int
    station: int
    column: int
    turn: int


def legal_moves(table: Table, hand: Iterable[int], turn: str = "none") -> list[Option]:
    """Everything a seat with this hand may do."""
    return [
        Option(tile, *place, thirds)
        for tile in sorted(hand)
        for place in table.open_places()
        for thirds in different_turns(tile, turn)
        if table.matches(tile, place, thirds)
    ]


# ------------------------------------------------------------------- the game

# decide(ply, round, seat, the game so far) -> the option taken
Decide = Callable[[int, int, int, "Game"], Option]


class Game:
    """One game; `decide` is asked for every decision in turn."""

    def __init__(self, n_seats: int, tiles: list[int], turn: str, width: int, hand_size: int):
        """Lay the first tile, then deal seat 0 its whole hand, then seat 1, and so on."""
        self.n, self.turn = n_seats, turn
        self.deck = list(tiles)  # next tile first
        self.table = Table(width)
        self.table.lay(self.deck.pop(0), (1, 0), 0)
        self.hands = [[self.deck.pop(0) for _ in range(hand_size)] for _ in range(n_seats)]
        self.options: list[int] = []  # legal options per ply
        self.points_after: list[list[int]] = []  # per round and seat
        self.ended = ""
        self.rounds = 0

    def legal(self, seat: int) -> list[Option]:
        """What this seat may do now."""
        return legal_moves(self.table, self.hands[seat], self.turn)

    def play(self, decide: Decide) -> None:
        """Take turns until the pyramid is complete or the active seat cannot place."""
        while not self.ended:
            ply = len(self.options)
            round_, seat = 1 + ply // self.n, ply % self.n
            legal = self.legal(seat)
            if self.table.completed() == self.table.width:
                self.ended = "complete"
                self.rounds = max(1, 1 + (ply - 1) // self.n)  # the round of the decision before
            elif not legal:
                self.ended = "no tile fits" if self.hands[seat] else "hand empty"
                self.rounds = round_
            else:
                option = decide(ply, round_, seat, self)
                self.options.append(len(legal))
                self.take(seat, option)
                if seat == self.n - 1:
                    self.points_after.append(self.points())
        if len(self.options) % self.n != 0:
            self.points_after.append(self.points())

    def take(self, seat: int, option: Option) -> None:
        """Lay a tile from the hand, then draw one unless the deck is empty."""
        self.hands[seat].remove(option.tile)
        self.table.lay(option.tile, (option.station, option.column), option.turn)
        if self.deck:
            self.hands[seat].append(self.deck.pop(0))

    def points(self) -> list[int]:
        """Every seat has as many points as there are completed stations."""
        return [self.table.completed()] * self.n


# --------------------------------------------------------------------- result


@dataclass
class Replay:
    """What a replayed game comes to."""

    options: list[int]
    stations: int
    rank_name: str | None
    highest: int
    tiles: int
    per_station: list[int]
    ended: str
    rounds: int
    decisions: int
    scores: list[tuple]
    round_points: list[list[int]]


def rank_name(stations: int) -> str | None:
    """The printed rank for a number of completed stations; no station has none."""
    for name, numbers in RANKS.items():
        if stations in numbers:
            return name
    return None


def build_result(game: Game) -> Replay:
    """Count the completed stations and what else is worth knowing."""
    stations = game.table.completed()
    return Replay(
        options=game.options,
        stations=stations,
        rank_name=rank_name(stations),
        highest=max(station for station, _ in game.table.tiles),
        tiles=len(game.table.tiles),
        per_station=game.table.per_station(),
        ended=game.ended,
        rounds=game.rounds,
        decisions=len(game.options),
        scores=[(seat, "station", f"station {s}", 1) for seat in range(game.n) for s in range(1, stations + 1)],
        round_points=game.points_after,
    )


def check_setup(n_seats: int, tiles: list[int], turn: str, width: int, hand_size: int) -> None:
    """Known options, all 64 tiles once, and enough of them for all hands."""
    problems = {
        "1 to 5 seats can play": not 1 <= n_seats <= MOST_SEATS,
        "turn must be none or thirds": turn not in ("none", "thirds"),
        "station 1 holds 1 to 10 tiles": not 1 <= width <= WIDEST,
        "a hand holds at least one tile": hand_size < 1,
        "there are too few tiles for these hands": 1 + n_seats * hand_size > len(TILES),
        "all tiles must be dealt once": sorted(tiles) != sorted(TILES),
    }
    for reason, broken in problems.items():
        if broken:
            raise RuleError(None, reason)


def check_option(ply: int, seat: int, option: Option, game: Game) -> None:
    """Name the rule that an illegal option breaks."""
    tile, place = option.tile, (option.station, option.column)
    if tile not in game.hands[seat]:
        raise RuleError(ply, f"tile {tile!r} is not in the hand of seat {seat}")
    if place not in game.table.open_places():
        raise RuleError(ply, f"place {place!r} is not open")
    if option.turn not in different_turns(tile, game.turn):
        raise RuleError(ply, f"turn {option.turn!r} is not an option for tile {tile}")
    if not game.table.matches(tile, place, option.turn):
        raise RuleError(ply, f"the seasons of tile {tile} do not match at {place}")


def replay(
    n_seats: int, tiles: list[int], moves: list[dict], turn: str = "none", width: int = WIDEST, hand_size: int = 3
) -> Replay:
    """Play the recorded moves by the rules; RuleError at the first that does not fit."""
    check_setup(n_seats, tiles, turn, width, hand_size)

    def next_recorded(ply: int, round_: int, seat: int, game: Game) -> Option:
        if ply >= len(moves):
            raise RuleError(ply, f"no move recorded for seat {seat}, round {round_}")
        move = moves[ply]
        asked = {"ply": ply, "round": round_, "seat": seat, "phase": "place"}
        for key, expected in asked.items():
            if move.get(key) != expected:
                raise RuleError(ply, f"{key} is {move.get(key)!r}, expected {expected!r}")
        option = Option(*(move.get(key) for key in Option._fields))
        check_option(ply, seat, option, game)
        return option

    game = Game(n_seats, tiles, turn, width, hand_size)
    game.play(next_recorded)
    if len(moves) > len(game.options):
        raise RuleError(len(game.options), "moves go on after the end of the game")
    return build_result(game)


def random_game(
    n_seats: int, rng: random.Random, turn: str = "none", width: int = WIDEST, hand_size: int = 3
) -> tuple[list[int], list[dict]]:
    """Deal at random and play random legal options: (tiles, moves)."""
    tiles = rng.sample(sorted(TILES), len(TILES))
    check_setup(n_seats, tiles, turn, width, hand_size)
    moves: list[dict] = []

    def pick(ply: int, round_: int, seat: int, game: Game) -> Option:
        option = rng.choice(game.legal(seat))
        moves.append({"ply": ply, "round": round_, "seat": seat, "phase": "place", **option._asdict()})
        return option

    Game(n_seats, tiles, turn, width, hand_size).play(pick)
    return tiles, moves


# ---------------------------------------------------------------- known facts

# A full pyramid without turning: the tiles of each station from column 0 on, found by a backtracking search.
PYRAMID = (
    (25, 49, 18, 39, 44, 15, 26, 22, 5, 52),
    (3, 11, 28, 48, 62, 40, 29, 19, 10),
    (37, 33, 50, 55, 27, 57, 4, 46),
    (1, 2, 24, 47, 42, 6, 54),
    (16, 30, 56, 45, 20, 31),
    (53, 17, 51, 12, 64),
    (7, 9, 36, 61),
    (34, 8, 63),
    (23, 59),
    (38,),
)


def complete_pyramid() -> list[tuple[int, int, int]]:
    """(tile, station, column) of a full pyramid, in an order in which it can be laid."""
    return [(tile, station, column) for station, row in enumerate(PYRAMID, start=1) for column, tile in enumerate(row)]


def p_no_first_move() -> Fraction:
    """Probability that seat 0 cannot place at all: three tiles in hand, tiles never turned.

    For every first tile, count the hands of three out of the other 63 tiles in
    which no tile fits at either end of it.
    """
    hands = comb(len(TILES) - 1, 3)
    stuck = 0
    for first in TILES:
        table = Table(WIDEST)
        table.lay(first, (1, 0), 0)
        misfits = [tile for tile in TILES if tile != first and not legal_moves(table, [tile])]
        stuck += comb(len(misfits), 3)
    return Fraction(stuck, len(TILES) * hands)
