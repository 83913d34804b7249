"""A slow, plain reference implementation of Fujiyama (2-5 seats).

It is written from the rulebook and the game page alone and shares nothing with
the simulator, so that recorded games can be replayed here and compared.

Seats sit in a circle: the left neighbour of seat s is s + 1, the right one s - 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import NamedTuple

ROUNDS = 9
ANIMALS = {"R": "rabbit", "S": "squirrel", "F": "fox"}
SEASONS = {"P": "spring", "S": "summer", "A": "autumn", "W": "winter"}
FLATLAND_POINTS = {1: 3, 2: 8, 3: 15}
DECK_SIZE = {2: 32, 3: 11, 4: 11, 5: 11}


class RuleError(Exception):
    """A recorded game breaks a rule; `ply` is None when the setup does."""

    def __init__(self, ply: int | None, reason: str):
        super().__init__(f"ply {ply}: {reason}")
        self.ply, self.reason = ply, reason


# ---------------------------------------------------------------- components


class Icon(NamedTuple):
    """One seasonal icon: what it shows and how many of it."""

    season: str  # spring, summer, autumn, winter
    kind: str  # blossom; conifer, broadleaf; mushroom, chestnut, grape; snow
    count: int


class Board(NamedTuple):
    """One mountain board: the icons printed at its forests and its animal row."""

    printed: dict[str, tuple[Icon, ...]]  # forest slot -> printed icons
    animals: tuple[str, ...]  # leftmost first


VARIANTS = {
    "P": [Icon("spring", "blossom", n) for n in (1, 2, 3)],
    "S": [Icon("summer", kind, n) for kind in ("conifer", "broadleaf") for n in (1, 2, 3)],
    "A": [Icon("autumn", kind, 1) for kind in ("mushroom", "chestnut", "grape")],
    "W": [Icon("winter", "snow", 1)],
}


def build_tiles() -> dict[int, tuple[Icon, Icon, Icon]]:
    """Every ordered triple (bottom, upper left, upper right) of seasons once.

    The variants of a season are dealt in turn to its icons: first all bottom
    icons by tile number, then the upper left ones, then the upper right ones.
    """
    seasons = list(product("PSAW", repeat=3))
    icons: list[list[Icon]] = [[] for _ in seasons]
    dealt = dict.fromkeys(SEASONS, 0)
    for corner in range(3):
        for tile, triple in enumerate(seasons):
            season = triple[corner]
            variants = VARIANTS[season]
            icons[tile].append(variants[dealt[season] % len(variants)])
            dealt[season] += 1
    return {number: tuple(three) for number, three in enumerate(icons, start=1)}


PRINTED_SLOTS = ("F1", "F2", "F3", "F4", "F7", "F8", "F12")
LEFT_SLOPE = ("F1", "F4", "F8")


def printed_icons(slot: str, season: str) -> tuple[Icon, ...]:
    """The icons a board prints at a forest of the given season (F2 prints one)."""
    conifers, broadleaves = Icon("summer", "conifer", 2), Icon("summer", "broadleaf", 2)
    pair = {
        "P": (Icon("spring", "blossom", 2), Icon("spring", "blossom", 2)),
        "S": (conifers, broadleaves if slot in LEFT_SLOPE else conifers),
        "A": (Icon("autumn", "mushroom", 1), Icon("autumn", "chestnut", 1)),
        "W": (Icon("winter", "snow", 1), Icon("winter", "snow", 1)),
    }[season]
    return pair[:1] if slot == "F2" else pair


def build_board(seasons: str, animals: str) -> Board:
    """A board from its season letters (in PRINTED_SLOTS order) and animal letters."""
    printed = {slot: printed_icons(slot, s) for slot, s in zip(PRINTED_SLOTS, seasons, strict=True)}
    return Board(printed, tuple(ANIMALS[letter] for letter in animals))


TILES = build_tiles()
BOARDS: dict[int, Board] = {
    1: build_board("PSAWPSA", "RSFRSFRSF"),
    2: build_board("SAWPSAW", "SFRSFRSFR"),
    3: build_board("AWPSAWP", "FRSFRSFRS"),
    4: build_board("WPSAWPS", "RFSRFSRFS"),
    5: build_board("PASWAPS", "SRFSRFSRF"),
}


# ------------------------------------------------------------------ geometry

ICON_CORNERS = {"bottom": (0, 2), "upper_left": (-1, -1), "upper_right": (1, -1)}
SEGMENT_CORNERS = {"top": (0, -2), "lower_left": (-1, 1), "lower_right": (1, 1)}


def cell_centres() -> dict[str, tuple[int, int]]:
    """Centres of the nine pointy-top hexes in rows of 2, 3 and 4.

    A hex is 2 units wide and 4 units high (y grows downwards), so rows are 3 apart
    and every row starts 1 further left than the one above it.
    """
    return {
        f"{name}{i + 1}": (2 * i - row, 3 * row)
        for row, (name, length) in enumerate((("A", 2), ("B", 3), ("C", 4)))
        for i in range(length)
    }


def meeting_points(corners: dict[str, tuple[int, int]], prefix: str) -> dict[str, list]:
    """Group the corners of all cells by the point where they meet.

    Slots are numbered row by row from the top, left to right. Icons at the foot
    of the mountain (bottom corners of row C) belong to no forest.
    """
    points: dict[tuple[int, int], list] = {}
    for cell, (x, y) in CELLS.items():
        for corner, (dx, dy) in corners.items():
            if not (cell[0] == "C" and corner == "bottom"):
                points.setdefault((y + dy, x + dx), []).append((cell, corner))
    return {f"{prefix}{i}": points[p] for i, p in enumerate(sorted(points), start=1)}


CELLS = cell_centres()
FORESTS = meeting_points(ICON_CORNERS, "F")  # slot -> [(cell, corner), ...]
FLATLANDS = meeting_points(SEGMENT_CORNERS, "L")  # slot -> [(cell, segment), ...]


# ------------------------------------------------------------------- scoring


class Row(NamedTuple):
    """One line of the score sheet."""

    seat: int
    category: str
    slot: str
    points: int
    blossoms: int
    conifers: int
    broadleaves: int
    kinds: int


@dataclass
class Mountain:
    """A board with the tiles and animals laid on it so far."""

    board: Board
    icons: dict[tuple[str, str], Icon] = field(default_factory=dict)  # (cell, corner)
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)  # (cell, segment)
    cells: dict[str, int] = field(default_factory=dict)  # cell -> tile


def complete_forests(mountain: Mountain) -> dict[str, list[Icon]]:
    """The forests all of whose three icons (tiles and print) are there."""
    forests = {}
    for slot, corners in FORESTS.items():
        icons = list(mountain.board.printed.get(slot, ()))
        icons += [mountain.icons[c] for c in corners if c in mountain.icons]
        if len(icons) == 3:
            forests[slot] = icons
    return forests


def forest_category(icons: list[Icon]) -> str:
    """The season all icons share, or "mixed"."""
    seasons = {icon.season for icon in icons}
    return seasons.pop() if len(seasons) == 1 else "mixed"


def amount(icons: list[Icon], kind: str) -> int:
    """How many blossoms or trees of one kind the icons show together."""
    return sum(icon.count for icon in icons if icon.kind == kind)


def forest_row(seat: int, slot: str, icons: list[Icon], winter_forests: int) -> Row:
    """Seasonal points of one complete forest."""
    category = forest_category(icons)
    points = blossoms = conifers = broadleaves = kinds = 0
    if category == "spring":
        points = blossoms = amount(icons, "blossom")
    elif category == "summer":
        conifers, broadleaves = amount(icons, "conifer"), amount(icons, "broadleaf")
        points = conifers * broadleaves
    elif category == "autumn":
        kinds = len({icon.kind for icon in icons})
        points = 9 if kinds == 3 else 4
    elif category == "winter":
        points = winter_forests + 3
    return Row(seat, category, slot, points, blossoms, conifers, broadleaves, kinds)


def score_rows(seat: int, mountain: Mountain) -> list[Row]:
    """Complete forests in slot order, then flatlands with at least one animal."""
    forests = complete_forests(mountain)
    winter = sum(forest_category(icons) == "winter" for icons in forests.values())
    rows = [forest_row(seat, slot, icons, winter) for slot, icons in forests.items()]
    for slot, segments in FLATLANDS.items():
        kinds = len({mountain.tokens[s] for s in segments if s in mountain.tokens})
        if kinds:
            rows.append(Row(seat, "flatland", slot, FLATLAND_POINTS[kinds], 0, 0, 0, kinds))
    return rows


def mountain_points(rows: list[Row]) -> int:
    """Seasonal and animal points together."""
    return sum(row.points for row in rows)


def seasonal_points(rows: list[Row]) -> int:
    """Points of the forests alone; they break ties."""
    return sum(row.points for row in rows if row.category != "flatland")


# ------------------------------------------------------------------ the game


class Option(NamedTuple):
    """One distinct result a decision can have; also the content of a move."""

    tile: int
    source: str | None = None
    cell: str | None = None
    turn: int | None = None
    top: str | None = None
    lower_left: str | None = None
    lower_right: str | None = None


# decide(ply, round, seat, phase, legal options) -> the option taken
Decide = Callable[[int, int, int, str, set[Option]], Option]


@dataclass
class Player:
    """Everything that lies in front of one seat."""

    mountain: Mountain
    deck: list[int]  # next tile first
    animals: list[str]  # remaining row, leftmost first
    drawn: int = 0
    hand: list[int] = field(default_factory=list)
    areas: dict[str, int] = field(default_factory=dict)  # left, right, trump -> tile
    chosen: int | None = None
    received: list[str] = field(default_factory=list)

    def draw(self) -> int:
        """Take the top tile of the own deck."""
        self.drawn += 1
        return self.deck.pop(0)


class Game:
    """One game; `decide` is asked for every decision in turn."""

    def __init__(self, boards, decks, decide: Decide, turn: str, tiles, boards_table):
        self.players = [
            Player(Mountain(boards_table[b]), list(deck), list(boards_table[b].animals))
            for b, deck in zip(boards, decks, strict=True)
        ]
        self.n = len(self.players)
        self.decide, self.turn, self.tiles = decide, turn, tiles
        self.round = 0
        self.options: list[int] = []  # legal options per ply
        self.points_after: list[list[int]] = []  # per round and seat
        self.discarded_tiles: list[int] = []
        self.discarded_tokens: list[str] = []

    def ask(self, seat: int, phase: str, options: set[Option]) -> Option:
        """Put one decision to `decide` and count its options."""
        ply = len(self.options)
        self.options.append(len(options))
        return self.decide(ply, self.round, seat, phase, options)

    def ask_all(self, phase: str, options_of: Callable[[Player], set[Option]]) -> list[Option]:
        """A simultaneous phase: everybody decides before anything happens."""
        return [self.ask(s, phase, options_of(p)) for s, p in enumerate(self.players)]

    def play(self) -> None:
        """Nine rounds of passing, choosing and placing."""
        for self.round in range(1, ROUNDS + 1):
            self.replenish()
            self.pass_tiles()
            self.choose_tiles()
            self.place_tiles()
            self.points_after.append([mountain_points(score_rows(s, p.mountain)) for s, p in enumerate(self.players)])

    # phase A

    def replenish(self) -> None:
        """Round 1: three tiles, one becomes the trump. Later: leftovers, then draw to two."""
        for player in self.players:
            if self.round == 1:
                player.hand = [player.draw() for _ in range(3)]
            else:
                player.hand = [player.areas.pop(a) for a in ("left", "right") if a in player.areas]
                while len(player.hand) < 2:
                    player.hand.append(player.draw())
        if self.round == 1:
            trumps = self.ask_all("trump", lambda p: {Option(tile) for tile in p.hand})
            for player, option in zip(self.players, trumps, strict=True):
                player.hand.remove(option.tile)
                player.areas["trump"] = option.tile

    def pass_tiles(self) -> None:
        """One hand tile to each neighbour, or with two seats one to the opponent.

        A tile for the left neighbour lies on that player's right and vice versa. With
        two seats the gift lies on the opponent's left, the other hand tile is
        discarded and the own right area gets a fresh tile.
        """
        passed = self.ask_all("pass", lambda p: {Option(tile) for tile in p.hand})
        for seat, (player, option) in enumerate(zip(self.players, passed, strict=True)):
            player.hand.remove(option.tile)
            other = player.hand.pop()
            left_neighbour = self.players[(seat + 1) % self.n]
            right_neighbour = self.players[(seat - 1) % self.n]
            if self.n == 2:
                left_neighbour.areas["left"] = option.tile
                self.discarded_tiles.append(other)
                player.areas["right"] = player.draw()
            else:
                left_neighbour.areas["right"] = option.tile
                right_neighbour.areas["left"] = other

    # phase B

    def choose_tiles(self) -> None:
        """Pick a choice tile or the unused trump; the leftmost animal thanks its giver."""
        choices = self.ask_all("choose", lambda p: {Option(tile, source) for source, tile in p.areas.items()})
        for player in self.players:
            player.received = []
        for seat, (player, option) in enumerate(zip(self.players, choices, strict=True)):
            player.chosen = player.areas.pop(option.source)
            animal = player.animals.pop(0)
            recipient = self.token_recipient(seat, option.source)
            if recipient is None:
                self.discarded_tokens.append(animal)
            else:
                self.players[recipient].received.append(animal)

    def token_recipient(self, seat: int, source: str) -> int | None:
        """Left tile: the left neighbour. Right tile: the right one (two seats: nobody). Trump: self."""
        if source == "trump":
            return seat
        if source == "left":
            return (seat + 1) % self.n
        return None if self.n == 2 else (seat - 1) % self.n

    # phase C

    def place_tiles(self) -> None:
        """Everybody lays the chosen tile with all received animals on it."""
        for seat, player in enumerate(self.players):
            option = self.ask(seat, "place", self.placements(player))
            mountain = player.mountain
            mountain.cells[option.cell] = player.chosen
            for corner, icon in zip(ICON_CORNERS, turned(self.tiles[player.chosen], option.turn), strict=True):
                mountain.icons[option.cell, corner] = icon
            for segment in SEGMENT_CORNERS:
                if getattr(option, segment) is not None:
                    mountain.tokens[option.cell, segment] = getattr(option, segment)

    def placements(self, player: Player) -> set[Option]:
        """Any free cell, any distinct turn allowed, any distinct spread of the animals."""
        return {
            Option(player.chosen, None, cell, turn, *spread)
            for cell in CELLS
            if cell not in player.mountain.cells
            for turn in distinct_turns(self.tiles[player.chosen], self.turn)
            for spread in animal_spreads(player.received)
        }


def turned(icons: tuple, turn: int) -> tuple:
    """Icons (bottom, upper left, upper right) after `turn` clockwise thirds of a turn."""
    bottom, upper_left, upper_right = icons
    for _ in range(turn):
        bottom, upper_left, upper_right = upper_right, bottom, upper_left
    return bottom, upper_left, upper_right


def distinct_turns(icons: tuple, rule: str) -> list[int]:
    """The turns that make a difference; a tile of three equal icons has only turn 0."""
    results: dict[tuple, int] = {}
    for turn in range(3 if rule == "thirds" else 1):
        results.setdefault(turned(icons, turn), turn)
    return list(results.values())


def animal_spreads(received: list[str]) -> set[tuple]:
    """All animals on (top, lower left, lower right), at most one on each segment."""
    return set(permutations(received + [None] * (3 - len(received))))


# -------------------------------------------------------------------- result


@dataclass
class Result:
    """What a replayed game comes to."""

    options: list[int]
    scores: list[tuple]
    totals: list[int]
    seasonal: list[int]
    winners: list[int]
    win_share: list[float]
    rank: list[int]
    rounds: list[list[int]]
    tiles_drawn: list[int]


def build_result(game: Game) -> Result:
    """Score all mountains; ties go to more seasonal points, then are shared."""
    rows = [score_rows(seat, p.mountain) for seat, p in enumerate(game.players)]
    totals = [mountain_points(r) for r in rows]
    seasonal = [seasonal_points(r) for r in rows]
    standings = list(zip(totals, seasonal, strict=True))
    winners = [s for s, standing in enumerate(standings) if standing == max(standings)]
    return Result(
        options=game.options,
        scores=[tuple(row) for seat_rows in rows for row in seat_rows],
        totals=totals,
        seasonal=seasonal,
        winners=winners,
        win_share=[1 / len(winners) if s in winners else 0.0 for s in range(game.n)],
        rank=[1 + sum(other > mine for other in standings) for mine in standings],
        rounds=game.points_after,
        tiles_drawn=[p.drawn for p in game.players],
    )


def check_setup(n_seats, boards, decks, turn, tiles, boards_table) -> None:
    """Different boards for everybody, full decks, no tile twice."""
    dealt = [tile for deck in decks for tile in deck]
    problems = {
        "2 to 5 seats can play": n_seats not in DECK_SIZE,
        "turn must be none or thirds": turn not in ("none", "thirds"),
        "one board and one deck a seat": not len(boards) == len(decks) == n_seats,
        "boards must be known and different": len(set(boards)) < len(boards) or not set(boards) <= set(boards_table),
        "wrong deck size": any(len(deck) != DECK_SIZE.get(n_seats) for deck in decks),
        "tiles must be known and dealt once": len(set(dealt)) < len(dealt) or not set(dealt) <= set(tiles),
    }
    for reason, broken in problems.items():
        if broken:
            raise RuleError(None, reason)


def replay(n_seats, boards, decks, moves, *, turn="none", tiles=TILES, boards_table=BOARDS) -> Result:
    """Play the recorded moves by the rules; RuleError at the first that does not fit."""
    check_setup(n_seats, boards, decks, turn, tiles, boards_table)

    def next_recorded(ply, round_, seat, phase, options):
        if ply >= len(moves):
            raise RuleError(ply, f"no move recorded for seat {seat}, {phase}, round {round_}")
        move = moves[ply]
        asked = {"ply": ply, "round": round_, "seat": seat, "phase": phase}
        for key, expected in asked.items():
            if move.get(key) != expected:
                raise RuleError(ply, f"{key} is {move.get(key)!r}, expected {expected!r}")
        option = Option(*(move.get(key) for key in Option._fields))
        if option not in options:
            raise RuleError(ply, f"{phase} of seat {seat} is not legal: {option}")
        return option

    game = Game(boards, decks, next_recorded, turn, tiles, boards_table)
    game.play()
    if len(moves) > len(game.options):
        raise RuleError(len(game.options), "moves go on after the end of the game")
    return build_result(game)


def random_game(n_seats: int, rng: random.Random, turn: str = "none"):
    """Deal at random and play random legal options: (boards, decks, moves)."""
    boards = rng.sample(sorted(BOARDS), n_seats)
    shuffled = rng.sample(sorted(TILES), len(TILES))
    size = DECK_SIZE[n_seats]
    decks = [shuffled[s * size : (s + 1) * size] for s in range(n_seats)]
    moves: list[dict] = []

    def pick(ply, round_, seat, phase, options):
        option = rng.choice(sorted(options, key=str))
        moves.append({"ply": ply, "round": round_, "seat": seat, "phase": phase, **option._asdict()})
        return option

    Game(boards, decks, pick, turn, TILES, BOARDS).play()
    return boards, decks, moves
