"""Momiji for human eyes: the columns of its logs, and positions as text and as pictures."""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.columns import Column, enum_series, nullable
from meeplecarlo.games.momiji import MAX_FACES, MAX_TYPES, ROWS
from meeplecarlo.games.momiji.cards import measure_of
from meeplecarlo.games.momiji.state import (
    A_ACTIVATE,
    A_COLLECT,
    A_DISCARD,
    A_LANDSCAPE,
    A_PLAY,
    A_TRADE,
    ACTION,
    ACTIONS,
    CARDS_OF_TYPE,
    CARDS_OF_VALUE,
    CLOSED_STACKS,
    CLOSING,
    EFFECTS,
    HIDDEN,
    LEFT,
    NO_SIDE,
    NONE,
    NOTHING,
    OF_GOAL,
    OF_TYPE,
    PAIR_CODE,
    ROW,
    SIDES,
    SUM_OF_TOPS,
    TRIGGERS,
)

GAME_COLUMNS = [
    Column("trigger", pl.Enum(TRIGGERS), "what triggered the end first: the deck ran out, or the last torii was used"),
    Column("trigger_round", pl.UInt8(), "round in which it did; null: nothing triggered the end"),
    Column("closed", pl.UInt8(), "closed stacks of all seats"),
    Column("deck_left", pl.UInt8(), "cards left in the deck"),
    Column("claimed", pl.UInt8(), "goals claimed"),
    Column("holders", pl.List(pl.Int8()), "seat that claimed each goal, in the order laid out; -1: nobody"),
    Column("acorns_paid", pl.UInt16(), "acorns paid by all seats, for reveals, goals and landscapes"),
]
DETAIL_COLUMNS = [
    Column("cards", pl.UInt8(), "cards of a stack; how far the seat has come at a goal; 0 for acorns"),
    Column("top", pl.UInt8(), "value on top of a stack; 1 for the holder of a goal; else 0"),
]
MOVE_COLUMNS = [
    Column("action", pl.Enum(ACTIONS), "what is done"),
    Column("landscape", pl.UInt8(), "row of the landscape used, 1 for A to 3 for C; also for a play it makes legal"),
    Column("goal", pl.UInt8(), "place of the goal that is claimed, from 1"),
    Column("type", pl.UInt8(), "type that is collected, or of the card"),
    Column("face", pl.UInt8(), "face of the card: its row in the card file, from 0"),
    Column("side", pl.Enum(SIDES), "end of the row for a card that starts a stack beside others"),
    Column("type_2", pl.UInt8(), "trade: type of the second card"),
    Column("face_2", pl.UInt8(), "trade: face of the second card"),
]
DEAL_COLUMNS = [
    Column("deck", pl.List(pl.UInt8()), "cards in the order dealt, (type - 1) * faces + face: hands seat by seat, "
                                        "four to the display, the deck in the order drawn"),
    Column("goals", pl.List(pl.UInt8()), "goals in the order laid out, as rows of the goal file from 1"),
    Column("landscapes", pl.List(pl.UInt8()), "landscapes of rows A, B, C seat by seat, as rows of their file from 1"),
]  # fmt: skip


def game_columns(rules: np.ndarray, finals: np.ndarray) -> list[pl.Series]:
    """Return GAME_COLUMNS for the positions games ended in (STATE, shape (n,))."""
    final = {name: np.ascontiguousarray(finals[name]) for name in
             ("trigger", "trigger_round", "closed", "deck_left", "acorns_paid", "holder")}  # fmt: skip
    holders = final["holder"][:, : int(rules["n_types"][0])]
    return [
        enum_series("trigger", final["trigger"], TRIGGERS),
        nullable("trigger_round", final["trigger_round"], final["trigger"] != NONE, pl.UInt8()),
        pl.Series("closed", final["closed"]),
        pl.Series("deck_left", final["deck_left"]),
        pl.Series("claimed", (holders != NONE).sum(axis=1)),
        pl.Series("holders", np.ascontiguousarray(holders)).cast(pl.List(pl.Int8)),
        pl.Series("acorns_paid", final["acorns_paid"]),
    ]


def split_move(move):
    """Return what move codes say, as a dict of int arrays by name; NONE where a move says nothing about it.

    ``action`` is an index of ACTIONS; ``landscape`` counts from 1, the others from 0; ``type_2`` and ``face_2`` are
    the second card of a trade.
    """
    move = np.asarray(move).astype(np.int64)
    pair = move >= PAIR_CODE
    action = np.where(pair, A_TRADE, move // ACTION)
    operand = np.where(pair, move - PAIR_CODE, move % ACTION)
    power = action == A_LANDSCAPE
    rest = np.where(power | (action == A_PLAY), operand % ROW, operand)
    placing = (action == A_PLAY) | (power & (rest < OF_TYPE))
    row = np.where(power | (action == A_PLAY), operand // ROW, 0)
    card = np.select([pair, placing, action == A_DISCARD], [operand // 128, rest // 4, operand], NONE)
    kind = np.where(card != NONE, card // 16, NONE)
    kind = np.where(action == A_COLLECT, operand, kind)
    kind = np.where(power & (rest >= OF_TYPE) & (rest < OF_GOAL), rest - OF_TYPE, kind)
    goal = np.where(action == A_ACTIVATE, operand, NONE)
    return {
        "action": action,
        "landscape": np.where(row > 0, row, NONE),
        "goal": np.where(power & (rest >= OF_GOAL) & (rest < NOTHING), rest - OF_GOAL, goal),
        "type": kind,
        "face": np.where(card != NONE, card % 16, NONE),
        "side": np.where(placing & (rest % 4 != NO_SIDE), rest % 4 - LEFT, NONE),
        "type_2": np.where(pair, operand % 128 // 16, NONE),
        "face_2": np.where(pair, operand % 16, NONE),
    }


def move_columns(phase: np.ndarray, move: np.ndarray) -> list[pl.Series]:
    """Return MOVE_COLUMNS for arrays of phases and move codes."""
    said = split_move(move)
    from_one = {"goal", "type", "type_2"}
    named = {"action": ACTIONS, "side": SIDES}
    return [
        enum_series(name, values, named[name])
        if name in named
        else nullable(name, values + (name in from_one), values != NONE, pl.UInt8())
        for name, values in said.items()
    ]


def _counts(bundles, n_faces: int = MAX_FACES) -> np.ndarray:
    """Return how many cards of each face bundles hold; one more dimension than `bundles`, faces last."""
    return (np.asarray(bundles)[..., None] >> 4 * np.arange(n_faces)) & 15


def deal_columns(rules: np.ndarray, states: np.ndarray) -> list[pl.Series]:
    """Return DEAL_COLUMNS for freshly dealt positions (STATE, shape (n,))."""
    n, n_seats, n_types, n_faces, n_cards = len(states), *(int(rules[name][0]) for name in
                                                           ("n_seats", "n_types", "n_faces", "n_cards"))  # fmt: skip
    # Hands seat by seat, then the display, each ascending; every deal has as many cards there.
    bundles = np.concatenate([states["hand"][:, :n_seats, :n_types], states["display"][:, None, :n_types]], axis=1)
    codes = np.tile(np.arange(n_types * n_faces), n * (n_seats + 1))
    dealt = np.repeat(codes, _counts(bundles, n_faces).ravel()).reshape(n, -1)
    deck = states["deck"][:, dealt.shape[1] : n_cards].astype(np.int64)
    cards = np.concatenate([dealt, n_faces * (deck >> 4) + (deck & 15)], axis=1)
    goals = states["goal"][:, :n_types] + 1
    landscapes = states["landscape"][:, :n_seats].reshape(n, -1) + 1
    return [
        pl.Series(name, np.ascontiguousarray(values).astype(np.uint8)).cast(pl.List(pl.UInt8))
        for name, values in (("deck", cards), ("goals", goals), ("landscapes", landscapes))
    ]


# --- text ----------------------------------------------------------------------------------------------------------
def cards_of(bundles) -> list[tuple[int, int]]:
    """Return the cards of a row of bundles, shape (types,), as (type, face), ascending, equal ones repeated."""
    counts = _counts(bundles)
    return [(kind, face) for kind, face in np.argwhere(counts).tolist() for _ in range(counts[kind, face])]


def face_text(rules: np.ndarray, face: int) -> str:
    """Return a face as its value between its lower corners, ``*`` for an acorn: ``*0*``, ``.1*``."""
    left, value, right = (int(rules[name][0, face]) for name in ("left_acorn", "value", "right_acorn"))
    return f"{'.*'[left]}{value}{'.*'[right]}"


def card_text(rules: np.ndarray, kind: int, face: int) -> str:
    """Return a card as its type and face: ``t2 *1.``."""
    return f"t{kind + 1} {face_text(rules, face)}"


def bundle_text(rules: np.ndarray, bundles) -> str:
    """Return a row of bundles as text, the faces of a type together: ``t1 *0* *0* .1*, t3 .3.``."""
    cards = cards_of(bundles)
    kinds = sorted({kind for kind, _ in cards})
    words = [f"t{k + 1} " + " ".join(face_text(rules, f) for kind, f in cards if kind == k) for k in kinds]
    return ", ".join(words) or "none"


def goal_text(rules: np.ndarray, goal: int) -> str:
    """Return what a goal asks for."""
    measure, argument = int(rules["measure"][0, goal]), int(rules["argument"][0, goal])
    if measure == CARDS_OF_TYPE:
        return f"most cards of type {argument + 1}"
    if measure == CARDS_OF_VALUE:
        return f"most {argument}s"
    return {SUM_OF_TOPS: "highest sum of tops", CLOSED_STACKS: "most closed stacks"}.get(measure, "longest stack")


def power_text(rules: np.ndarray, landscape: int) -> str:
    """Return the effect of a landscape and its amount, if it has one."""
    effect, amount = EFFECTS[rules["effect"][0, landscape]], int(rules["amount"][0, landscape])
    return f"{effect} {amount}" if amount else effect


def describe_move(rules: np.ndarray, states: np.ndarray, move: int) -> str:
    """Return what `move` means in the position, in words."""
    state = states[0]
    said = {name: int(value) for name, value in split_move(move).items()}
    action, kind, face = ACTIONS[said["action"]], said["type"], said["face"]
    card = card_text(rules, kind, face) if face != NONE else f"type {kind + 1}"
    goal = f"goal {said['goal'] + 1}"
    if said["goal"] != NONE:
        goal += f" ({goal_text(rules, int(state['goal'][said['goal']]))})"
    if said["side"] != NONE:
        card += f" at the {SIDES[said['side']]} end"
    if said["landscape"] != NONE:
        power = int(state["landscape"][int(state["seat"]), said["landscape"] - 1])
        what = goal if said["goal"] != NONE else card if kind != NONE else ""
        used = f"landscape {ROWS[said['landscape'] - 1]} ({power_text(rules, power)})"
        return f"plays {card} with {used}" if action == "play" else f"uses {used}" + (f": {what}" if what else "")
    if action == "trade":
        if move < PAIR_CODE:
            return "trades two cards for an acorn"
        return f"trades {card} and {card_text(rules, said['type_2'], said['face_2'])}"
    return {
        "collect": f"collects {card}",
        "reveal": "pays an acorn and reveals cards",
        "play": f"plays {card}",
        "activate": f"claims {goal}",
        "discard": f"discards {card}",
        "pass": "passes",
        "stop": "stops playing cards",
        "end": "ends its turn",
    }[action]


def _hand_text(rules: np.ndarray, state, seat: int) -> str:
    """Return a hand as text; in a view of another seat, what is known of it and how many cards are not."""
    n = int(state["hand_cards"][seat])
    if HIDDEN not in state["hand"][seat]:
        return f"{n} cards: {bundle_text(rules, state['hand'][seat])}"
    return f"{n} cards, known: {bundle_text(rules, state['known'][seat])}"


def stacks_of(rules: np.ndarray, state, seat: int) -> list[tuple[int, int, int, bool]]:
    """Return the stacks of `seat` from left to right: (type, face on top, cards, whether it is closed)."""
    line = [int(kind) for kind in state["in_line"][seat] if kind != NONE]
    tops = [int(state["top"][seat, kind]) for kind in line]
    return [
        (kind, top, int(state["stack_cards"][seat, kind]), int(rules["value"][0, top]) == CLOSING)
        for kind, top in zip(line, tops, strict=True)
    ]


def position_text(rules: np.ndarray, states: np.ndarray) -> list[str]:
    """Return display, goals and the rows of all seats as text."""
    state = states[0]
    lines = [
        f"display: {bundle_text(rules, state['display'])}; deck {int(state['deck_left'])}; discarded: "
        f"{bundle_text(rules, state['discarded'])}"
    ]
    for place in range(int(rules["n_types"][0])):
        holder = int(state["holder"][place])
        goal = int(state["goal"][place])
        owner = "unclaimed" if holder == NONE else f"held by seat {holder}"
        values = ", ".join(
            str(int(measure_of(rules[0], state, seat, goal))) for seat in range(int(rules["n_seats"][0]))
        )
        lines.append(f"goal {place + 1}: {goal_text(rules, goal)}, {owner}; seats have {values}")
    for seat in range(int(rules["n_seats"][0])):
        powers = [
            f"{ROWS[row]} {power_text(rules, int(power))}" + (" (used)" if int(state["used"][seat]) >> row & 1 else "")
            for row, power in enumerate(state["landscape"][seat])
        ]
        lines.append(f"seat {seat}: {int(state['acorns'][seat])} acorns; landscapes {', '.join(powers)}")
        stacks = [
            f"{card_text(rules, kind, top)} x{cards}" + (" closed" if closed else "")
            for kind, top, cards, closed in stacks_of(rules, state, seat)
        ]
        lines.append(f"  row: {' | '.join(stacks) or 'empty'}")
        lines.append(f"  hand: {_hand_text(rules, state, seat)}")
    lines.append("a card: its type, then value between left and right corner, * an acorn; x: cards in the stack")
    return lines


# --- pictures ------------------------------------------------------------------------------------------------------
TYPE_COLOURS = ("#D55E00", "#E69F00", "#009E73", "#56B4E9", "#0072B2", "#CC79A7")  # of Okabe and Ito, by type
_WIDTH, _HEIGHT = 0.86, 1.2  # of a card; stacks are 1 apart


def draw_card(ax, rules: np.ndarray, kind: int, face: int, left: float, bottom: float) -> None:
    """Draw a card: its type's colour and number, its value, and a disc in each corner with an acorn."""
    from matplotlib.patches import Circle, Rectangle

    ax.add_patch(Rectangle((left, bottom), _WIDTH, _HEIGHT, facecolor="white", edgecolor="#333333", linewidth=0.8))
    ax.add_patch(Rectangle((left, bottom + 0.92), _WIDTH, 0.28, facecolor=TYPE_COLOURS[kind], edgecolor="none"))
    ax.text(left + _WIDTH / 2, bottom + 1.06, f"t{kind + 1}", ha="center", va="center", fontsize=6, color="white")
    ax.text(left + _WIDTH / 2, bottom + 0.55, str(int(rules["value"][0, face])), ha="center", va="center", fontsize=12,
            weight="bold")  # fmt: skip
    for name, x in (("left_acorn", 0.14), ("right_acorn", _WIDTH - 0.14)):
        if rules[name][0, face]:
            ax.add_patch(
                Circle((left + x, bottom + 0.14), 0.09, facecolor="#8B5A2B", edgecolor="#333333", linewidth=0.5)
            )


def draw_row(ax, rules: np.ndarray, state, seat: int) -> None:
    """Draw the row of stacks of `seat`: tops, how many cards lie in each stack, and a torii over closed ones."""
    ax.set_xlim(-0.1, MAX_TYPES + 0.1)
    ax.set_ylim(-0.55, 1.75)
    ax.set_aspect("equal")
    ax.axis("off")
    for place, (kind, top, cards, closed) in enumerate(stacks_of(rules, state, seat)):
        draw_card(ax, rules, kind, top, place, 0.0)
        words = f"{cards} card" + ("s" if cards > 1 else "")
        ax.text(place + _WIDTH / 2, -0.12, words, ha="center", va="top", fontsize=6.5)
        if closed:
            _draw_torii(ax, place + _WIDTH / 2)
    if not state["stacks"][seat]:
        ax.text(MAX_TYPES / 2, 0.6, "no stack yet", ha="center", va="center", fontsize=8, color="#888888")


def _draw_torii(ax, middle: float) -> None:
    """Draw a torii above the card whose middle is here."""
    style = {"color": "#B22222", "linewidth": 1.6, "solid_capstyle": "round"}
    ax.plot([middle - 0.28, middle + 0.28], [1.62, 1.62], **style)
    ax.plot([middle - 0.22, middle + 0.22], [1.5, 1.5], **style)
    for x in (-0.15, 0.15):
        ax.plot([middle + x, middle + x], [1.26, 1.62], **style)


def draw_position(rules: np.ndarray, states: np.ndarray, names: list[str], figure) -> None:
    """Draw a position into `figure`, a matplotlib Figure, under the names of its players."""
    state = states[0]
    n_seats, n_types = int(rules["n_seats"][0]), int(rules["n_types"][0])
    figure.set_size_inches(9.6, 2.1 * ((n_seats + 1) // 2) + 2.3)
    grid = figure.add_gridspec((n_seats + 1) // 2 + 1, 2)
    for seat in range(n_seats):
        ax = figure.add_subplot(grid[seat // 2, seat % 2])
        draw_row(ax, rules, state, seat)
        ax.set_title(
            f"seat {seat}: {names[seat]}; {int(state['acorns'][seat])} acorns, {int(state['hand_cards'][seat])} cards",
            fontsize=9,
        )
    ax = figure.add_subplot(grid[-1, 0])
    ax.set_xlim(-0.1, 8.1)
    ax.set_ylim(-0.3, 1.6)
    ax.set_aspect("equal")
    ax.axis("off")
    cards = cards_of(state["display"])
    for place, (kind, face) in enumerate(cards):
        draw_card(ax, rules, kind, face, place * min(1.0, 7.1 / max(1, len(cards) - 1)), 0.0)
    ax.set_title(f"display; {int(state['deck_left'])} cards in the deck", fontsize=9)
    ax = figure.add_subplot(grid[-1, 1])
    ax.axis("off")
    ax.set_title("goals", fontsize=9)
    for place in range(n_types):
        holder = int(state["holder"][place])
        owner = "unclaimed" if holder == NONE else f"seat {holder}"
        words = f"{place + 1}. {goal_text(rules, int(state['goal'][place]))}: {owner}"
        ax.text(0.02, 0.95 - 0.17 * place, words, transform=ax.transAxes, va="top", fontsize=7.5)
    figure.text(
        0.5, 0.005, "a card shows its type, its value and the corners with acorns; a gate over it: the stack is closed",
        ha="center", va="bottom", fontsize=7,
    )  # fmt: skip
