"""A slow, plain reference implementation of The Major Four of Heizei (3-5 seats).

It is written from the rulebook and the game page alone and shares nothing with
the simulator, so that recorded games can be replayed here and compared.

Cards are dicts colour -> number with all four colours as keys. Cubes are dicts
colour -> space, listed in the order in which the cubes last moved; spaces count
from 1 (tail circle) upwards, a higher space is further ahead.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

COLOURS = ("red", "blue", "yellow", "black")
SEATS = (3, 4, 5)


class RuleError(Exception):
    """A recorded game breaks a rule; `ply` is None when the setup does."""

    def __init__(self, ply: int | None, reason: str):
        super().__init__(f"ply {ply}: {reason}")
        self.ply, self.reason = ply, reason


@dataclass(frozen=True)
class Options:
    """The rules that can be varied."""

    cards_per_colour: tuple[int, ...] = (12, 15, 15)  # for 3, 4, 5 seats
    steps: tuple[int, ...] = (1, 3, 6, 10, 15, 21, 28)  # for 1..6 and 7 or more cards
    first_values: tuple[int, ...] = (3, 2, 1, 0)  # per card, by place of its cube
    second_values: tuple[int, ...] = (4, 3, 2, 1)
    tiles_3: tuple[int, ...] = (1, 2)
    tiles_4: tuple[int, ...] = (1, 2, 3)
    tiles_5: tuple[int, ...] = (1, 2, 3, 4)
    track: int = 0  # 0: endless, else the last space
    penalty: str = "most"  # or none
    memory: str = "perfect"  # or table; changes what players know, not what is legal

    def cards(self, n_seats: int) -> int:
        """Cards of each colour in the game."""
        return self.cards_per_colour[SEATS.index(n_seats)]

    def tiles(self, n_seats: int) -> tuple[int, ...]:
        """Values of the point tiles in the game."""
        return {3: self.tiles_3, 4: self.tiles_4, 5: self.tiles_5}[n_seats]


# --------------------------------------------------------------------- cards

Cards = dict[str, int]
Choice = tuple[int, int, int, int]  # red, blue, yellow, black cards; the content of a move


def as_cards(numbers) -> Cards:
    """Four numbers in colour order as cards."""
    return dict(zip(COLOURS, numbers, strict=True))


def no_cards() -> Cards:
    """None of any colour."""
    return as_cards((0, 0, 0, 0))


def number_of(cards: Cards) -> int:
    """How many cards there are altogether."""
    return sum(cards.values())


def plus(cards: Cards, more: Cards) -> Cards:
    """Both sets of cards together."""
    return {colour: cards[colour] + more[colour] for colour in COLOURS}


def minus(cards: Cards, fewer: Cards) -> Cards:
    """What is left of the first set without the second."""
    return {colour: cards[colour] - fewer[colour] for colour in COLOURS}


def of_one_colour(colour: str, number: int) -> Choice:
    """A number of cards of a single colour."""
    return tuple(number if c == colour else 0 for c in COLOURS)


def single_cards(cards: Cards) -> list[Choice]:
    """Every way to pick one card; cards of one colour are alike."""
    return [of_one_colour(colour, 1) for colour in COLOURS if cards[colour] > 0]


def plays(hand: Cards) -> list[Choice]:
    """Every way to play one or more cards of one colour."""
    return [of_one_colour(colour, k) for colour in COLOURS for k in range(1, hand[colour] + 1)]


def takes(table: Cards, played: Cards) -> list[Choice]:
    """Every way to take as many cards as were played, the played ones only when the table is too small."""
    k = number_of(played)
    missing = k - number_of(table)
    if missing >= 0:
        (colour,) = (c for c in COLOURS if played[c] > 0)
        everything = plus(table, as_cards(of_one_colour(colour, missing)))
        return [tuple(everything[c] for c in COLOURS)]
    return [choice for choice in product(*(range(table[c] + 1) for c in COLOURS)) if sum(choice) == k]


# --------------------------------------------------------------------- cubes


def cubes_on_circles(circles) -> dict[str, int]:
    """The cubes on spaces 1 to 4; `circles` lists the colours from tail to head."""
    return {colour: space for space, colour in enumerate(circles, start=1)}


def move_cube(positions: dict[str, int], colour: str, steps: int, track: int = 0) -> dict[str, int]:
    """Where the cubes stand after one has moved.

    Each step leads to the next space without another cube. On a finite track a cube
    that would go beyond the last space goes to the last space, and there it stays.
    The moved cube is listed last, so cubes on the last space stay in order of arrival.
    """
    space = positions[colour]
    if track and space == track:
        return dict(positions)
    others = {c: s for c, s in positions.items() if c != colour}
    for _ in range(steps):
        if track and space == track:
            break
        space += 1
        while space in others.values():
            space += 1
        if track and space > track:
            space = track
    return {**others, colour: space}


def move_prepared(positions: dict[str, int], laid: Cards, track: int = 0) -> dict[str, int]:
    """The cubes after the preparation: from the tail forward, one step for each card laid."""
    for colour in reversed(cube_order(positions)):
        positions = move_cube(positions, colour, laid[colour], track)
    return positions


def move_played(positions: dict[str, int], colour: str, number: int, options: Options) -> dict[str, int]:
    """The cubes after a number of cards of one colour was played."""
    steps = options.steps[min(number, 7) - 1]
    return move_cube(positions, colour, steps, options.track)


def cube_order(positions: dict[str, int]) -> list[str]:
    """The colours from the first cube to the last; on a shared last space the earlier arrival is ahead."""
    # Sorting is stable, so equal spaces keep the order in which the cubes arrived.
    return sorted(positions, key=lambda colour: -positions[colour])


def places_of(order: list[str]) -> dict[str, int]:
    """Place (1 = first) of each colour's cube."""
    return {colour: place for place, colour in enumerate(order, start=1)}


# ------------------------------------------------------------------- scoring


class Row(NamedTuple):
    """One line of the score sheet."""

    seat: int
    category: str
    slot: str
    points: int
    in_round: int
    cards: int
    place: int


def penalty_colour(cards: Cards, places: dict[str, int]) -> str:
    """The colour with most cards; of several, the one whose cube is further ahead."""
    most = max(cards.values())
    return min((c for c in COLOURS if cards[c] == most), key=lambda c: places[c])


def first_rows(seat: int, cards: Cards, places: dict[str, int], options: Options) -> list[Row]:
    """Card lines of round 1."""
    values = options.first_values
    return [
        Row(seat, "first_cards", c, cards[c] * values[places[c] - 1], 1, cards[c], places[c])
        for c in COLOURS
        if cards[c] > 0
    ]


def second_rows(seat: int, cards: Cards, places: dict[str, int], options: Options) -> list[Row]:
    """Card lines of round 2: the most frequent colour counts negative."""
    bad = penalty_colour(cards, places) if options.penalty == "most" else None
    rows = []
    for colour in COLOURS:
        if cards[colour] > 0:
            points = cards[colour] * options.second_values[places[colour] - 1]
            category = "second_penalty" if colour == bad else "second_cards"
            signed = -points if colour == bad else points
            rows.append(Row(seat, category, colour, signed, 2, cards[colour], places[colour]))
    return rows


def score_first(cards: Cards, places: dict[str, int], options: Options | None = None) -> int:
    """Points one seat's cards are worth in round 1, without the tile."""
    return sum(row.points for row in first_rows(0, cards, places, options or Options()))


def score_second(cards: Cards, places: dict[str, int], options: Options | None = None) -> int:
    """Points one seat's cards are worth in round 2, without the tile."""
    return sum(row.points for row in second_rows(0, cards, places, options or Options()))


# ------------------------------------------------------------------ the game

# decide(ply, round, seat, phase, legal choices) -> the choice made
Decide = Callable[[int, int, int, str, list[Choice]], Choice]


@dataclass
class Player:
    """What one seat holds."""

    hand: Cards
    collected: Cards = field(default_factory=no_cards)
    tile: int | None = None  # value of the tile got this round
    out: bool = False


@dataclass
class RoundRecord:
    """How one round went."""

    order: list[str]  # colours by final place of the cubes
    spaces: list[int]  # final space of each colour's cube
    first_out: int
    start: int
    turns: int
    tiles: list[int]  # value of the tile of each seat, 0 without one


class Game:
    """One game; `decide` is asked for every decision in turn."""

    def __init__(self, circles: list[str], hands: list[int], decide: Decide, options: Options):
        self.n = len(hands) // 4
        self.players = [Player(as_cards(hands[4 * s : 4 * s + 4])) for s in range(self.n)]
        self.hand_size = number_of(self.players[0].hand)
        self.decide, self.rules = decide, options
        self.colour_size = options.cards(self.n)
        self.cubes = cubes_on_circles(circles)
        self.table = no_cards()
        self.played = no_cards()  # just played, not yet on the table
        self.used = no_cards()  # laid or played this round
        self.tiles_left: list[int] = []
        self.round = 0
        self.options: list[int] = []  # legal choices per ply
        self.scores: list[Row] = []
        self.points_after: list[tuple[int, int, int]] = []  # round, seat, points so far
        self.records: list[RoundRecord] = []

    # asking and checking

    def ask(self, seat: int, phase: str, choices: list[Choice]) -> Cards:
        """Put one decision to `decide` and count its choices."""
        self.check_ply()
        self.require(len(set(choices)) == len(choices) > 0, "choices must be distinct and there must be one")
        ply = len(self.options)
        self.options.append(len(choices))
        return as_cards(self.decide(ply, self.round, seat, phase, choices))

    def require(self, holds: bool, reason: str) -> None:
        """Something that is true in every game played by the rules."""
        if not holds:
            raise RuleError(len(self.options), reason)

    def check_ply(self) -> None:
        """No card appears or disappears, and no two cubes share a space (but the last of a finite track)."""
        everything = plus(self.table, self.played)
        for player in self.players:
            self.require(min(player.hand.values()) >= 0, "a hand holds fewer than no cards")
            everything = plus(everything, plus(player.hand, player.collected))
        self.require(min(self.table.values()) >= 0, "the table holds fewer than no cards")
        self.require(all(everything[c] == self.colour_size for c in COLOURS), "cards are not conserved")
        spaces = [s for s in self.cubes.values() if not (self.rules.track and s == self.rules.track)]
        self.require(len(set(spaces)) == len(spaces), "cubes share a space")
        if self.rules.track:
            self.require(max(self.cubes.values()) <= self.rules.track, "a cube left the track")

    def check_table(self) -> None:
        """One card on the table for each player who is in."""
        still_in = sum(not player.out for player in self.players)
        self.require(number_of(self.table) == still_in, "cards on the table differ from players in")

    def check_round_end(self) -> None:
        """Everybody collected a full hand and every card was laid or played once."""
        self.require(number_of(self.table) == 0, "cards are left on the table after the round")
        for player in self.players:
            self.require(number_of(player.hand) == 0, "a player still has cards after the round")
            self.require(number_of(player.collected) == self.hand_size, "a player collected too many or too few cards")
        self.require(all(self.used[c] == self.colour_size for c in COLOURS), "not every card was used once")

    def check_points(self) -> None:
        """Card points and tiles of the round just scored add up to what the game holds."""
        values = self.rules.first_values if self.round == 1 else self.rules.second_values
        rows = [row for row in self.scores if row.in_round == self.round]
        card_points = sum(abs(row.points) for row in rows if row.slot != "tile")
        tile_points = sum(row.points for row in rows if row.slot == "tile")
        self.require(card_points == sum(values) * self.colour_size, "card points do not add up")
        self.require(tile_points == sum(self.rules.tiles(self.n)), "tile points do not add up")

    # the course of the game

    def play(self) -> None:
        """Two rounds; what was collected in the first is the hand of the second."""
        start = 0
        for self.round in (1, 2):
            if self.round == 2:
                start = self.second_start()
                self.cubes = cubes_on_circles(reversed(cube_order(self.cubes)))
                self.players = [Player(hand=player.collected) for player in self.players]
            self.play_round(start)
            self.score_round()
        self.require(len(self.options) <= 16 * self.colour_size, "too many decisions")

    def second_start(self) -> int:
        """The seat with most points after round 1, then the smaller tile, then the lower seat."""
        points = {seat: p for round_, seat, p in self.points_after if round_ == 1}
        tiles = self.records[0].tiles
        return min(range(self.n), key=lambda seat: (-points[seat], tiles[seat], seat))

    def play_round(self, start: int) -> None:
        """Preparation, then turns clockwise until nobody is in."""
        self.used = no_cards()
        self.tiles_left = list(self.rules.tiles(self.n))
        self.prepare()
        seat, turns, out = start, 0, []
        while len(out) < self.n:
            if not self.players[seat].out:
                self.take_turn(seat)
                turns += 1
                if self.players[seat].out:
                    out.append(seat)
            seat = (seat + 1) % self.n
        self.check_round_end()
        order = cube_order(self.cubes)
        spaces = [self.cubes[c] for c in COLOURS]
        tiles = [player.tile or 0 for player in self.players]
        self.records.append(RoundRecord(order, spaces, out[0], start, turns, tiles))

    def prepare(self) -> None:
        """Everybody picks a card before any is laid; then the cubes move from the tail forward."""
        picked = [self.ask(seat, "prepare", single_cards(p.hand)) for seat, p in enumerate(self.players)]
        for player, card in zip(self.players, picked, strict=True):
            player.hand = minus(player.hand, card)
            self.table = plus(self.table, card)
        self.used = dict(self.table)
        self.cubes = move_prepared(self.cubes, self.table, self.rules.track)

    def take_turn(self, seat: int) -> None:
        """Play cards, move the cube, take as many cards; without a hand take one more and a tile."""
        player = self.players[seat]
        self.check_table()
        self.played = self.ask(seat, "play", plays(player.hand))
        player.hand = minus(player.hand, self.played)
        self.used = plus(self.used, self.played)
        (colour,) = (c for c in COLOURS if self.played[c] > 0)
        self.cubes = move_played(self.cubes, colour, self.played[colour], self.rules)

        taken = self.ask(seat, "take", takes(self.table, self.played))
        player.collected = plus(player.collected, taken)
        self.table = minus(plus(self.table, self.played), taken)
        self.played = no_cards()
        self.check_table()

        if number_of(player.hand) == 0:
            card = self.ask(seat, "last", single_cards(self.table))
            player.collected = plus(player.collected, card)
            self.table = minus(self.table, card)
            if self.tiles_left:
                player.tile = max(self.tiles_left)
                self.tiles_left.remove(player.tile)
            player.out = True

    def score_round(self) -> None:
        """Card lines by colour and then the tile, seat by seat."""
        places = places_of(cube_order(self.cubes))
        card_rows = first_rows if self.round == 1 else second_rows
        tile_category = "first_tile" if self.round == 1 else "second_tile"
        for seat, player in enumerate(self.players):
            self.scores += card_rows(seat, player.collected, places, self.rules)
            if player.tile is not None:
                self.scores.append(Row(seat, tile_category, "tile", player.tile, self.round, 0, 0))
        self.check_points()
        self.points_after += [(self.round, seat, self.points(seat)) for seat in range(self.n)]

    def points(self, seat: int) -> int:
        """All points of a seat so far."""
        return sum(row.points for row in self.scores if row.seat == seat)


# -------------------------------------------------------------------- result


@dataclass
class Replay:
    """What a replayed game comes to."""

    options: list[int]  # legal moves at each ply
    scores: list[tuple]  # seat, category, slot, points, in_round, cards, place
    rounds: list[tuple[int, int, int]]  # round, seat, points so far
    totals: list[int]
    tile_2: list[int]  # per seat, 0 without a tile
    winners: list[int]
    rank: list[int]
    win_share: list[float]
    order_1: list[str]  # colours by final place of the cubes, first to last
    order_2: list[str]
    first_out_1: int
    first_out_2: int
    start_2: int
    turns_1: int
    turns_2: int
    steps_1: list[int]  # final space of the red, blue, yellow, black cube
    steps_2: list[int]


def build_replay(game: Game) -> Replay:
    """Most points win; ties go to the bigger tile of round 2, then are shared."""
    first, second = game.records
    totals = [game.points(seat) for seat in range(game.n)]
    standings = list(zip(totals, second.tiles, strict=True))
    winners = [seat for seat, standing in enumerate(standings) if standing == max(standings)]
    return Replay(
        options=game.options,
        scores=[tuple(row) for row in game.scores],
        rounds=game.points_after,
        totals=totals,
        tile_2=second.tiles,
        winners=winners,
        rank=[1 + sum(other > mine for other in standings) for mine in standings],
        win_share=[1 / len(winners) if seat in winners else 0.0 for seat in range(game.n)],
        order_1=first.order,
        order_2=second.order,
        first_out_1=first.first_out,
        first_out_2=second.first_out,
        start_2=second.start,
        turns_1=first.turns,
        turns_2=second.turns,
        steps_1=first.spaces,
        steps_2=second.spaces,
    )


def check_options(n_seats: int, options: Options) -> None:
    """Seats and options are in range and deal out evenly."""
    if n_seats not in SEATS:
        raise RuleError(None, "3 to 5 seats can play")

    def all_between(numbers, length: int, low: int, high: int) -> bool:
        return len(numbers) == length and all(low <= number <= high for number in numbers)

    tiles_fit = all(all_between(options.tiles(n), n - 1, 0, 20) for n in SEATS)
    problems = {
        "cards_per_colour: three numbers from 4 to 20": not all_between(options.cards_per_colour, 3, 4, 20),
        "steps: seven numbers from 0 to 99": not all_between(options.steps, 7, 0, 99),
        "first_values: four numbers from 0 to 20": not all_between(options.first_values, 4, 0, 20),
        "second_values: four numbers from 0 to 20": not all_between(options.second_values, 4, 0, 20),
        "tiles: one fewer than seats, each from 0 to 20": not tiles_fit,
        "track must be 0 or 8 to 200": options.track != 0 and not 8 <= options.track <= 200,
        "penalty must be most or none": options.penalty not in ("most", "none"),
        "memory must be perfect or table": options.memory not in ("perfect", "table"),
    }
    for reason, broken in problems.items():
        if broken:
            raise RuleError(None, reason)
    hand_size, rest = divmod(4 * options.cards(n_seats), n_seats)
    if rest or hand_size > 24:
        raise RuleError(None, "the cards must deal out evenly, at most 24 to a hand")


def check_deal(n_seats: int, circles, hands, options: Options) -> None:
    """All four cubes on the circles and all cards in equal hands."""
    size = options.cards(n_seats)
    problems = {
        "each colour once on the circles": sorted(circles) != sorted(COLOURS),
        "four numbers of cards a seat, none negative": len(hands) != 4 * n_seats or min(hands) < 0,
        "hands must be equally big": any(sum(hands[4 * s : 4 * s + 4]) * n_seats != 4 * size for s in range(n_seats)),
        "every card must be dealt once": any(sum(hands[c::4]) != size for c in range(4)),
    }
    for reason, broken in problems.items():
        if broken:
            raise RuleError(None, reason)


def replay(n_seats: int, circles, hands, moves: list[dict], options: Options | None = None) -> Replay:
    """Play the recorded moves by the rules; RuleError at the first that does not fit.

    `circles` lists colour names from tail to head, `hands` holds the numbers of red,
    blue, yellow and black cards of seat 0, then of seat 1 and so on, in one list.
    """
    options = options or Options()
    circles, hands = list(circles), [int(number) for number in hands]
    check_options(n_seats, options)
    check_deal(n_seats, circles, hands, options)

    def next_recorded(ply, round_, seat, phase, choices):
        if ply >= len(moves):
            raise RuleError(ply, f"no move recorded for seat {seat}, {phase}, round {round_}")
        move = moves[ply]
        asked = {"ply": ply, "round": round_, "seat": seat, "phase": phase}
        for key, expected in asked.items():
            if move.get(key) != expected:
                raise RuleError(ply, f"{key} is {move.get(key)!r}, expected {expected!r}")
        choice = tuple(move.get(colour) for colour in COLOURS)
        if choice not in choices:
            raise RuleError(ply, f"{phase} of seat {seat} is not legal: {choice}")
        return choice

    game = Game(circles, hands, next_recorded, options)
    game.play()
    if len(moves) > len(game.options):
        raise RuleError(len(game.options), "moves go on after the end of the game")
    return build_replay(game)


def deal(n_seats: int, rng: random.Random, options: Options | None = None) -> tuple[list[str], list[int]]:
    """A random order of the cubes and random hands: (circles, hands)."""
    options = options or Options()
    check_options(n_seats, options)
    circles = rng.sample(COLOURS, 4)
    deck = [colour for colour in COLOURS for _ in range(options.cards(n_seats))]
    rng.shuffle(deck)
    size = len(deck) // n_seats
    hands = [deck[size * s : size * (s + 1)].count(colour) for s in range(n_seats) for colour in COLOURS]
    return circles, hands


def random_game(n_seats: int, rng: random.Random, options: Options | None = None):
    """Deal at random and play random legal choices: (circles, hands, moves)."""
    options = options or Options()
    circles, hands = deal(n_seats, rng, options)
    moves: list[dict] = []

    def pick(ply, round_, seat, phase, choices):
        choice = rng.choice(choices)
        move = {"ply": ply, "round": round_, "seat": seat, "phase": phase}
        moves.append({**move, **as_cards(choice)})
        return choice

    Game(circles, hands, pick, options).play()
    return circles, hands, moves
