"""A slow, plain reference implementation of Momiji (2-4 seats).

It is written from the rulebook and the game page alone and shares nothing with
the simulator, so that recorded games can be replayed here and compared.

A card is a pair (type, face): types count from 1, faces are rows of the cards
file and count from 0. Goals, landscapes and rounds count from 1, seats and plies
from 0. P is the number of seats plus two: leaf types, goals laid out and torii.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

SEATS = (2, 3, 4)
MAX_ROUNDS = 100
DISPLAY_SIZE = 4
REVEALED = 4  # cards a paid reveal adds to the display
REVEAL_COST = LANDSCAPE_COST = 1
TRADE_CARDS, TRADE_ACORNS = 2, 1
CLOSING_VALUE = 3
ROWS = "ABC"

WHERE_KEYS = ("ply", "round", "seat", "phase")
MOVE_KEYS = (*WHERE_KEYS, "action", "landscape", "goal", "type", "face", "side", "type_2", "face_2")


class RuleError(Exception):
    """A recorded game breaks a rule; `ply` is None when the setup does."""

    def __init__(self, ply: int | None, reason: str):
        super().__init__(f"ply {ply}: {reason}")
        self.ply, self.reason = ply, reason


# ---------------------------------------------------------------- components


class Face(NamedTuple):
    """One row of the cards file: every type has `copies` such cards."""

    value: int  # 0 to 3
    left_acorn: int  # 1 when the lower left corner shows an acorn
    right_acorn: int
    copies: int


class Goal(NamedTuple):
    """What a goal token counts; the argument is a type or a value, or None."""

    name: str
    measure: str
    argument: int | None


class Landscape(NamedTuple):
    """A power of row A, B or C that a seat may use once."""

    name: str
    row: str
    effect: str
    amount: int | None


CARDS = (
    Face(0, 1, 1, 5),
    Face(1, 1, 0, 2),
    Face(1, 0, 1, 2),
    Face(2, 1, 0, 1),
    Face(2, 0, 1, 1),
    Face(2, 0, 0, 1),
    Face(3, 0, 0, 2),
)

GOALS = (
    *(Goal(f"most cards of type {t}", "cards_of_type", t) for t in range(1, 7)),
    *(Goal(f"most {v}s", "cards_of_value", v) for v in range(3)),
    Goal("highest sum of tops", "sum_of_tops", None),
    Goal("most closed stacks", "closed_stacks", None),
    Goal("longest stack", "longest_stack", None),
)

LANDSCAPES = (
    Landscape("A1", "A", "collect_second", None),
    Landscape("A2", "A", "reveal_collect", 2),
    Landscape("A3", "A", "take_other", None),
    Landscape("B1", "B", "place_extra", None),
    Landscape("B2", "B", "jump", 2),
    Landscape("B3", "B", "start_with", 1),
    Landscape("C1", "C", "gain", 3),
    Landscape("C2", "C", "claim_goal", 2),
    Landscape("C3", "C", "draw", 2),
)


@dataclass
class Options:
    """The rule options of a game."""

    landscapes: str = "starter"  # starter, random
    display_refill: str = "to_four"  # to_four, when_empty
    last_round: bool = True
    zero_goal: str = "nobody"  # nobody, scores
    start_acorns: int = 2
    hand_size: int = 6
    hand_limit: int = 8
    goal_cost: int = 3
    goal_points: int = 10
    other_goal_points: int = 3
    pair_acorns: int = 2
    activation: str = "allowed"  # allowed, forbidden


OPTION_VALUES = {
    "landscapes": ("starter", "random"),
    "display_refill": ("to_four", "when_empty"),
    "last_round": (True, False),
    "zero_goal": ("nobody", "scores"),
    "start_acorns": range(21),
    "hand_size": range(1, 9),
    "hand_limit": range(1, 21),
    "goal_cost": range(21),
    "goal_points": range(51),
    "other_goal_points": range(51),
    "pair_acorns": range(11),
    "activation": ("allowed", "forbidden"),
}


# -------------------------------------------------------------------- setup


def usable_goals(n_seats: int, goals) -> list[int]:
    """Numbers of the goals that can be laid out: goals of a type not in play cannot."""
    return [
        number
        for number, goal in enumerate(goals, start=1)
        if goal.measure != "cards_of_type" or goal.argument <= n_seats + 2
    ]


def landscapes_of_row(row: str, landscapes, options: Options) -> list[int]:
    """Numbers of the landscapes that a seat may get in this row."""
    numbers = [number for number, landscape in enumerate(landscapes, start=1) if landscape.row == row]
    return numbers[:1] if options.landscapes == "starter" else numbers


def all_cards(n_seats: int, cards) -> list[int]:
    """Every card in play as a number: (type - 1) * number of faces + face."""
    return [
        (t - 1) * len(cards) + face
        for t in range(1, n_seats + 3)
        for face, row in enumerate(cards)
        for _ in range(row.copies)
    ]


def deal(n_seats: int, rng: random.Random, cards=CARDS, goals=GOALS, landscapes=LANDSCAPES, options=None) -> dict:
    """Shuffle the cards, draw P goals and give every seat one landscape a row."""
    options = options or Options()
    goals, landscapes = [Goal(*g) for g in goals], [Landscape(*x) for x in landscapes]
    deck = all_cards(n_seats, [Face(*c) for c in cards])
    rng.shuffle(deck)
    return {
        "deck": deck,
        "goals": rng.sample(usable_goals(n_seats, goals), n_seats + 2),
        "landscapes": [rng.choice(landscapes_of_row(row, landscapes, options)) for _ in range(n_seats) for row in ROWS],
    }


def check_setup(n_seats: int, deal: dict, cards, goals, landscapes, options: Options) -> None:
    """Known options, every card once, P different usable goals, one landscape a row and seat."""
    for name, values in OPTION_VALUES.items():
        if getattr(options, name) not in values:
            raise RuleError(None, f"option {name} cannot be {getattr(options, name)!r}")
    if n_seats not in SEATS:
        raise RuleError(None, "2 to 4 seats can play")
    if sorted(deal["deck"]) != sorted(all_cards(n_seats, cards)):
        raise RuleError(None, "the deal is not every card of the types in play once")
    if len(deal["deck"]) < n_seats * options.hand_size + DISPLAY_SIZE:
        raise RuleError(None, "too few cards for the hands and the display")
    laid = deal["goals"]
    if len(laid) != n_seats + 2 or len(set(laid)) < len(laid) or not set(laid) <= set(usable_goals(n_seats, goals)):
        raise RuleError(None, "the goals are not P different usable ones")
    if len(deal["landscapes"]) != n_seats * len(ROWS):
        raise RuleError(None, "every seat has three landscapes")
    for place, number in enumerate(deal["landscapes"]):
        if number not in landscapes_of_row(ROWS[place % len(ROWS)], landscapes, options):
            raise RuleError(None, f"seat {place // len(ROWS)} cannot have landscape {number} there")


# ----------------------------------------------------------------- position

Card = tuple[int, int]  # (type, face)


@dataclass
class Stack:
    """The cards of one type in front of a seat, lowest first."""

    type: int
    faces: list[int]
    helped: list[str | None]  # per card: the landscape effect that allowed it, if any


@dataclass
class Player:
    """Everything a seat owns."""

    hand: list[Card]
    acorns: int
    landscapes: list[Landscape]  # rows A, B, C
    used: list[bool] = field(default_factory=lambda: [False] * len(ROWS))  # once a game
    row: list[Stack] = field(default_factory=list)  # left to right

    def stack_of(self, leaf: int) -> Stack | None:
        """The own stack of this type."""
        return next((stack for stack in self.row if stack.type == leaf), None)


@dataclass
class Turn:
    """What happened in the turn so far."""

    collected: int | None = None  # type the main action collected
    revealed: bool = False  # the paid reveal
    traded: bool = False
    landscape: bool = False  # one landscape a turn
    played: list[int] = field(default_factory=list)  # types placed in the play, in order
    back: str = "main"  # phase to go to after the trade


@dataclass
class Position:
    """A whole game at one moment; phase `over` when it has ended."""

    n_seats: int
    options: Options
    cards: tuple[Face, ...]
    goals: list[Goal]  # in the order laid out
    players: list[Player]
    display: list[Card]
    deck: list[Card]  # next card first
    holders: list[int]  # per goal laid out: seat or -1
    torii: int  # tokens left
    gone: list[Card] = field(default_factory=list)  # traded and discarded
    ply: int = 0
    round: int = 1
    seat: int = 0
    phase: str = "main"
    turn: Turn = field(default_factory=Turn)
    trigger: str | None = None
    trigger_round: int | None = None
    truncated: bool = False
    acorns_paid: int = 0
    rounds: list[tuple[int, int, int]] = field(default_factory=list)  # (round, seat, points)

    @property
    def player(self) -> Player:
        """The seat whose turn it is."""
        return self.players[self.seat]

    def value(self, face: int) -> int:
        """Printed value of a face."""
        return self.cards[face].value

    def top(self, stack: Stack) -> int:
        """Value of the top card."""
        return self.value(stack.faces[-1])

    def closed(self, player: Player) -> int:
        """Closed stacks of one seat."""
        return sum(self.top(stack) == CLOSING_VALUE for stack in player.row)


def start(n_seats: int, deal: dict, cards=CARDS, goals=GOALS, landscapes=LANDSCAPES, options=None) -> Position:
    """The position before the first move."""
    options = options or Options()
    cards = tuple(Face(*c) for c in cards)
    goals, landscapes = [Goal(*g) for g in goals], [Landscape(*x) for x in landscapes]
    check_setup(n_seats, deal, cards, goals, landscapes, options)
    deck = [(number // len(cards) + 1, number % len(cards)) for number in deal["deck"]]
    players = []
    for seat in range(n_seats):
        hand = [deck.pop(0) for _ in range(options.hand_size)]
        own = [landscapes[number - 1] for number in deal["landscapes"][3 * seat : 3 * seat + 3]]
        players.append(Player(hand, options.start_acorns, own))
    position = Position(
        n_seats=n_seats,
        options=options,
        cards=cards,
        goals=[goals[number - 1] for number in deal["goals"]],
        players=players,
        display=[deck.pop(0) for _ in range(DISPLAY_SIZE)],
        deck=deck,
        holders=[-1] * (n_seats + 2),
        torii=n_seats + 2,
    )
    watch_end(position)
    return position


# -------------------------------------------------------------- legal moves


def legal_moves(position: Position) -> list[dict]:
    """Every distinct move the seat to decide has, as full rows of the log; none when the game is over."""
    choices = {
        "main": main_choices,
        "collect": lambda p: collect_choices(p) + reveal_choices(p),
        "more": lambda p: [*more_choices(p), {"action": "stop"}],
        "trade": trade_pairs,
        "after": lambda p: [*trade_choices(p), *landscape_choices(p), {"action": "end"}],
        "discard": discard_choices,
        "over": lambda p: [],
    }[position.phase](position)
    where = {key: getattr(position, key) for key in WHERE_KEYS}
    return [dict.fromkeys(MOVE_KEYS) | where | choice for choice in choices]


def main_choices(position: Position) -> list[dict]:
    """The start of a turn; passing is only for a seat that can do nothing without a landscape."""
    can_do = (
        collect_choices(position)
        + reveal_choices(position)
        + play_choices(position, helped=False)
        + activate_choices(position)
    )
    extras = play_choices(position, helped=True) + trade_choices(position) + landscape_choices(position)
    return can_do + extras + ([] if can_do else [{"action": "pass"}])


def collect_choices(position: Position) -> list[dict]:
    """Every type in the display."""
    return [{"action": "collect", "type": leaf} for leaf in sorted({leaf for leaf, _ in position.display})]


def reveal_choices(position: Position) -> list[dict]:
    """The paid reveal, once a turn."""
    possible = not position.turn.revealed and position.deck and position.player.acorns >= REVEAL_COST
    return [{"action": "reveal"}] if possible else []


def fits(position: Position, card: Card, help_: Landscape | None) -> bool:
    """Whether the card may be placed; with a landscape only when it may not without."""
    leaf, face = card
    value, stack = position.value(face), position.player.stack_of(leaf)
    if stack is None:
        if help_ is None:
            return value == 0
        return help_.effect == "start_with" and value == help_.amount and value != 0
    top = position.top(stack)
    if top == CLOSING_VALUE:
        return False
    if help_ is None:
        return value in (top, top + 1)
    return help_.effect == "jump" and top + 1 < value <= top + help_.amount


def placements(position: Position, help_: Landscape | None = None) -> list[dict]:
    """Every way to place a hand card; a new stack goes to either end of a row that has one."""
    player = position.player
    choices = []
    for leaf, face in sorted(set(player.hand)):
        if fits(position, (leaf, face), help_):
            new_end = player.row and player.stack_of(leaf) is None
            for side in ("left", "right") if new_end else (None,):
                choices.append({"type": leaf, "face": face, "side": side})
    return choices


def open_landscapes(position: Position) -> list[tuple[int, Landscape]]:
    """The seat's landscapes (1 to 3) it may still use this turn and can pay for."""
    player = position.player
    if position.turn.landscape or player.acorns < LANDSCAPE_COST:
        return []
    return [(k, player.landscapes[k - 1]) for k in (1, 2, 3) if not player.used[k - 1]]


def play_choices(position: Position, helped: bool) -> list[dict]:
    """Cards of the play, either all that need no landscape or all that need one."""
    if not helped:
        return [{"action": "play"} | spot for spot in placements(position)]
    return [
        {"action": "play", "landscape": k} | spot
        for k, landscape in open_landscapes(position)
        for spot in placements(position, landscape)
    ]


def more_choices(position: Position) -> list[dict]:
    """The next card: any type after the first card, a type not yet placed after that."""
    played = position.turn.played
    plays = play_choices(position, helped=False) + play_choices(position, helped=True)
    return [play for play in plays if len(played) == 1 or play["type"] not in played]


def activate_choices(position: Position) -> list[dict]:
    """Unclaimed goals, if the seat has the acorns."""
    return [{"action": "activate"} | goal for goal in claimable(position, position.options.goal_cost)]


def claimable(position: Position, cost: int) -> list[dict]:
    """Goals that nobody holds, when goals may be activated and the cost can be paid."""
    if position.options.activation == "forbidden" or position.player.acorns < cost:
        return []
    return [{"goal": place} for place, holder in enumerate(position.holders, start=1) if holder == -1]


def trade_choices(position: Position) -> list[dict]:
    """The wish to trade, once a turn."""
    possible = not position.turn.traded and len(position.player.hand) >= TRADE_CARDS
    return [{"action": "trade"}] if possible else []


def trade_pairs(position: Position) -> list[dict]:
    """Every distinct pair of hand cards, the lower one first."""
    hand = sorted(position.player.hand)
    pairs = {(a, b) for i, a in enumerate(hand) for b in hand[i + 1 :]}
    return [{"action": "trade", "type": a[0], "face": a[1], "type_2": b[0], "face_2": b[1]} for a, b in sorted(pairs)]


def discard_choices(position: Position) -> list[dict]:
    """Every distinct hand card."""
    return [{"action": "discard", "type": leaf, "face": face} for leaf, face in sorted(set(position.player.hand))]


def landscape_choices(position: Position) -> list[dict]:
    """Landscapes used as a move of their own, with what they need."""
    return [
        {"action": "landscape", "landscape": k} | need
        for k, landscape in open_landscapes(position)
        for need in landscape_needs(position, landscape)
    ]


def landscape_needs(position: Position, landscape: Landscape) -> list[dict]:
    """What one landscape can be used on now; nothing when it would have no effect."""
    effect, amount = landscape.effect, landscape.amount
    others = []  # display cards a seat may take after a collect
    if position.phase == "after" and position.turn.collected is not None:
        others = sorted({card for card in position.display if card[0] != position.turn.collected})
    if effect == "collect_second":
        return [{"type": leaf} for leaf in sorted({leaf for leaf, _ in others})]
    if effect == "take_other":
        return [{"type": leaf, "face": face} for leaf, face in others]
    if effect == "reveal_collect":
        return [{}] if position.phase == "main" and position.deck and amount else []
    if effect == "place_extra":
        return placements(position)
    if effect == "gain":
        return [{}] if amount else []
    if effect == "claim_goal":
        return claimable(position, LANDSCAPE_COST + amount)
    if effect == "draw":
        return [{}] if position.deck and amount else []
    return []  # jump and start_with are used within a play


# ------------------------------------------------------------ making a move


def apply(position: Position, move: dict) -> int:
    """Make one move and return how many were legal; RuleError when it is not one of them."""
    wanted = {key: move.get(key) for key in MOVE_KEYS}
    if position.phase == "over":
        raise RuleError(position.ply, "moves go on after the end of the game")
    for key in WHERE_KEYS:
        if wanted[key] != getattr(position, key):
            raise RuleError(position.ply, f"{key} is {wanted[key]!r}, expected {getattr(position, key)!r}")
    legal = legal_moves(position)
    if wanted not in legal:
        raise RuleError(position.ply, f"not legal: {wanted}")
    {
        "collect": make_collect,
        "reveal": make_reveal,
        "play": make_play,
        "activate": make_activate,
        "trade": make_trade,
        "landscape": make_landscape,
        "pass": make_pass,
        "stop": make_stop,
        "end": make_end,
        "discard": make_discard,
    }[wanted["action"]](position, wanted)
    watch_end(position)
    position.ply += 1
    return len(legal)


def pay(position: Position, acorns: int) -> None:
    """Acorns of the seat go back to the supply."""
    position.player.acorns -= acorns
    position.acorns_paid += acorns


def lay(position: Position, count: int) -> None:
    """Up to so many deck cards join the display."""
    for _ in range(min(count, len(position.deck))):
        position.display.append(position.deck.pop(0))


def take(position: Position, cards: list[Card]) -> None:
    """Display cards go to the seat's hand, then the display is filled again."""
    for card in cards:
        position.display.remove(card)
        position.player.hand.append(card)
    if position.options.display_refill == "to_four":
        lay(position, max(0, DISPLAY_SIZE - len(position.display)))
    elif not position.display:
        lay(position, DISPLAY_SIZE)


def of_type(position: Position, leaf: int) -> list[Card]:
    """All display cards of a type."""
    return [card for card in position.display if card[0] == leaf]


def place(position: Position, move: dict, effect: str | None) -> None:
    """A hand card goes on its stack or starts one; a 3 closes it with a torii, if one is left."""
    leaf, face = move["type"], move["face"]
    player = position.player
    player.hand.remove((leaf, face))
    stack = player.stack_of(leaf)
    if stack is None:
        stack = Stack(leaf, [], [])
        player.row.insert(0 if move["side"] == "left" else len(player.row), stack)
    stack.faces.append(face)
    stack.helped.append(effect)
    if position.value(face) == CLOSING_VALUE:
        position.torii = max(0, position.torii - 1)


def claim(position: Position, goal: int, cost: int) -> None:
    """The seat pays and becomes the holder of a goal."""
    pay(position, cost)
    position.holders[goal - 1] = position.seat


def use_landscape(position: Position, number: int) -> Landscape:
    """Mark a landscape as used and pay for it."""
    position.player.used[number - 1] = True
    position.turn.landscape = True
    pay(position, LANDSCAPE_COST)
    return position.player.landscapes[number - 1]


def make_collect(position: Position, move: dict) -> None:
    """All display leaves of a type."""
    position.turn.collected = move["type"]
    take(position, of_type(position, move["type"]))
    position.phase = "after"


def make_reveal(position: Position, move: dict) -> None:
    """Pay for up to four more cards; a collect must follow."""
    position.turn.revealed = True
    pay(position, REVEAL_COST)
    lay(position, REVEALED)
    position.phase = "collect"


def make_play(position: Position, move: dict) -> None:
    """One card of the play; the second card of one type ends it."""
    effect = None if move["landscape"] is None else use_landscape(position, move["landscape"]).effect
    place(position, move, effect)
    played = position.turn.played
    played.append(move["type"])
    position.phase = "after" if played == [move["type"]] * 2 else "more"


def make_stop(position: Position, move: dict) -> None:
    """End of a play; one of different types earns acorns for pairs of neighbouring tops."""
    if len(position.turn.played) >= 2:
        position.player.acorns += position.options.pair_acorns * acorn_pairs(position)
    position.phase = "after"


def acorn_pairs(position: Position) -> int:
    """Neighbours in the seat's row whose top cards show acorns at the corners facing each other."""
    tops = [position.cards[stack.faces[-1]] for stack in position.player.row]
    return sum(bool(tops[i].right_acorn and tops[i + 1].left_acorn) for i in range(len(tops) - 1))


def make_activate(position: Position, move: dict) -> None:
    """Claim a goal as the main action."""
    claim(position, move["goal"], position.options.goal_cost)
    position.phase = "after"


def make_trade(position: Position, move: dict) -> None:
    """First the wish, then the two cards for an acorn."""
    if position.phase != "trade":
        position.turn.back, position.phase = position.phase, "trade"
        return
    for card in ((move["type"], move["face"]), (move["type_2"], move["face_2"])):
        drop(position, card)
    position.player.acorns += TRADE_ACORNS
    position.turn.traded = True
    position.phase = position.turn.back


def drop(position: Position, card: Card) -> None:
    """A hand card leaves the game."""
    position.player.hand.remove(card)
    position.gone.append(card)


def make_landscape(position: Position, move: dict) -> None:
    """A landscape used as a move of its own; only reveal_collect changes the phase."""
    landscape = use_landscape(position, move["landscape"])
    if landscape.effect == "collect_second":
        take(position, of_type(position, move["type"]))
    elif landscape.effect == "take_other":
        take(position, [(move["type"], move["face"])])
    elif landscape.effect == "reveal_collect":
        lay(position, landscape.amount)
        position.phase = "collect"
    elif landscape.effect == "place_extra":
        place(position, move, None)
    elif landscape.effect == "gain":
        position.player.acorns += landscape.amount
    elif landscape.effect == "claim_goal":
        claim(position, move["goal"], landscape.amount)
    else:  # draw
        for _ in range(min(landscape.amount, len(position.deck))):
            position.player.hand.append(position.deck.pop(0))


def make_pass(position: Position, move: dict) -> None:
    """No main action."""
    position.phase = "after"


def make_end(position: Position, move: dict) -> None:
    """The turn is over but for the hand limit."""
    check_hand(position)


def make_discard(position: Position, move: dict) -> None:
    """One card too many leaves the game."""
    drop(position, (move["type"], move["face"]))
    check_hand(position)


def check_hand(position: Position) -> None:
    """Discard down to the hand limit, then the next seat."""
    if len(position.player.hand) > position.options.hand_limit:
        position.phase = "discard"
    else:
        next_turn(position)


# -------------------------------------------------------------- end of game


def watch_end(position: Position) -> None:
    """Note what first triggers the end: an empty deck or the last torii."""
    if position.trigger is None and (not position.deck or position.torii == 0):
        position.trigger = "deck" if not position.deck else "torii"
        position.trigger_round = position.round


def next_turn(position: Position) -> None:
    """Hand over to the next seat, or end the round or the game."""
    position.phase, position.turn = "main", Turn()
    if position.trigger and not position.options.last_round:
        end_round(position)
        position.phase = "over"
    elif position.seat < position.n_seats - 1:
        position.seat += 1
    else:
        end_round(position)
        if position.trigger and position.round > position.trigger_round:
            position.phase = "over"
        elif position.round == MAX_ROUNDS:
            position.phase, position.truncated = "over", True
        else:
            position.round, position.seat = position.round + 1, 0


def end_round(position: Position) -> None:
    """Record what every seat would score now (also in a round cut short by the end)."""
    position.rounds += [(position.round, seat, points) for seat, points in enumerate(totals(position))]


class Line(NamedTuple):
    """One line of the score sheet."""

    seat: int
    category: str  # stack, acorns, goal
    slot: str
    points: int
    cards: int  # stack: its cards; goal: the seat's measure
    top: int  # stack: its top value; goal: 1 for the holder


def measure(position: Position, player: Player, goal: Goal) -> int:
    """What one seat has of a goal; whole stacks count, closed ones too."""
    values = {stack.type: [position.value(face) for face in stack.faces] for stack in player.row}
    if goal.measure == "cards_of_type":
        return len(values.get(goal.argument, []))
    if goal.measure == "cards_of_value":
        return sum(stack.count(goal.argument) for stack in values.values())
    if goal.measure == "sum_of_tops":
        return sum(stack[-1] for stack in values.values())
    if goal.measure == "closed_stacks":
        return position.closed(player)
    if goal.measure == "longest_stack":
        return max((len(stack) for stack in values.values()), default=0)
    raise RuleError(None, f"unknown measure {goal.measure}")


def goal_points(position: Position, seat: int, place_: int) -> int:
    """Points of one seat for the active goal at a place (from 0)."""
    amounts = [measure(position, player, position.goals[place_]) for player in position.players]
    if amounts[seat] < max(amounts) or (max(amounts) == 0 and position.options.zero_goal == "nobody"):
        return 0
    holder = position.holders[place_] == seat
    return position.options.goal_points if holder else position.options.other_goal_points


def score_lines(position: Position) -> list[Line]:
    """By seat: started stacks by type, acorns, active goals by place."""
    lines = []
    for seat, player in enumerate(position.players):
        for stack in sorted(player.row, key=lambda s: s.type):
            count, top = len(stack.faces), position.top(stack)
            lines.append(Line(seat, "stack", f"type {stack.type}", count * top, count, top))
        lines.append(Line(seat, "acorns", "acorns", player.acorns, 0, 0))
        for place_, holder in enumerate(position.holders):
            if holder != -1:
                points = goal_points(position, seat, place_)
                amount = measure(position, player, position.goals[place_])
                lines.append(Line(seat, "goal", f"goal {place_ + 1}", points, amount, int(holder == seat)))
    return lines


def totals(position: Position) -> list[int]:
    """Points of every seat if the game ended now."""
    points = [0] * position.n_seats
    for line in score_lines(position):
        points[line.seat] += line.points
    return points


# -------------------------------------------------------------------- result


@dataclass
class Replay:
    """What a replayed game comes to."""

    options: list[int]  # number of legal moves at each ply
    scores: list[tuple]  # (seat, category, slot, points, cards, top)
    rounds: list[tuple[int, int, int]]  # (round, seat, points so far) at the end of each round
    totals: list[int]
    winners: list[int]
    rank: list[int]
    win_share: list[float]
    n_rounds: int
    trigger: str | None  # deck, torii
    trigger_round: int | None
    closed: int  # closed stacks of all seats
    deck_left: int
    claimed: int
    holders: list[int]  # per goal laid out: seat or -1
    acorns_paid: int  # by all seats, for reveals, goals and landscapes
    truncated: bool


def build_replay(position: Position, options: list[int]) -> Replay:
    """Score a finished game; an overall tie is shared."""
    points = totals(position)
    winners = [seat for seat in range(position.n_seats) if points[seat] == max(points)]
    return Replay(
        options=options,
        scores=[tuple(line) for line in score_lines(position)],
        rounds=position.rounds,
        totals=points,
        winners=winners,
        rank=[1 + sum(other > mine for other in points) for mine in points],
        win_share=[1 / len(winners) if seat in winners else 0.0 for seat in range(position.n_seats)],
        n_rounds=position.round,
        trigger=position.trigger,
        trigger_round=position.trigger_round,
        closed=sum(position.closed(player) for player in position.players),
        deck_left=len(position.deck),
        claimed=sum(holder != -1 for holder in position.holders),
        holders=list(position.holders),
        acorns_paid=position.acorns_paid,
        truncated=position.truncated,
    )


def check_position(position: Position, everything: Counter) -> None:
    """What must hold at every moment, whatever was played; `everything` counts all cards in play."""
    laid = [(stack.type, face) for player in position.players for stack in player.row for face in stack.faces]
    held = [card for player in position.players for card in player.hand]
    closed = sum(position.closed(player) for player in position.players)
    problems = {
        "cards were lost or made": Counter(laid + held + position.display + position.deck + position.gone)
        != everything,
        "acorns are negative": any(player.acorns < 0 for player in position.players),
        "wrong number of torii": position.n_seats + 2 - position.torii != min(closed, position.n_seats + 2),
        "two stacks of one type": any(len({s.type for s in p.row}) < len(p.row) for p in position.players),
        "a stack is not built by the rules": not all(
            stack_is_sound(position, stack) for player in position.players for stack in player.row
        ),
    }
    for reason, broken in problems.items():
        if broken:
            raise RuleError(position.ply, reason)


def stack_is_sound(position: Position, stack: Stack) -> bool:
    """Starts with 0, never falls, rises by one at most, ends at a 3; else a landscape allowed it."""
    values = [position.value(face) for face in stack.faces]
    if (values[0] == 0) == (stack.helped[0] == "start_with"):
        return False
    for below, above, effect in zip(values, values[1:], stack.helped[1:], strict=False):
        if above < below or below == CLOSING_VALUE or (above > below + 1) != (effect == "jump"):
            return False
    return values.count(CLOSING_VALUE) <= 1


def replay(
    n_seats: int, deal: dict, moves: list[dict], cards=CARDS, goals=GOALS, landscapes=LANDSCAPES, options=None
) -> Replay:
    """Play the recorded moves by the rules; RuleError at the first that does not fit."""
    position = start(n_seats, deal, cards, goals, landscapes, options)
    everything = Counter((n // len(cards) + 1, n % len(cards)) for n in deal["deck"])
    counts = []
    for move in moves:
        counts.append(apply(position, move))
        if position.phase in ("main", "over"):
            check_position(position, everything)
    if position.phase != "over":
        raise RuleError(position.ply, f"no move recorded for seat {position.seat}, {position.phase}")
    return build_replay(position, counts)


def random_game(
    n_seats: int, rng: random.Random, cards=CARDS, goals=GOALS, landscapes=LANDSCAPES, options=None
) -> tuple[dict, list[dict]]:
    """Deal at random and play random legal moves: (deal, moves)."""
    dealt = deal(n_seats, rng, cards, goals, landscapes, options)
    position = start(n_seats, dealt, cards, goals, landscapes, options)
    moves = []
    while position.phase != "over":
        moves.append(rng.choice(legal_moves(position)))
        apply(position, moves[-1])
    return dealt, moves
