"""Heizei for human eyes: the columns of its logs, and positions as text and as pictures."""

from __future__ import annotations

import numpy as np
import polars as pl

from meeplecarlo.columns import Column, enum_series, nullable
from meeplecarlo.games.heizei import COLOURS
from meeplecarlo.games.heizei.cards import BITS, MOST
from meeplecarlo.games.heizei.state import HIDDEN, LAST, N_COLOURS, NONE, OVER, PLAY, PREPARE, TAKE

NAMES = pl.Enum(COLOURS)
NOT_SCORED = "null: the round was not played to its end"

GAME_COLUMNS = [
    *(Column(f"order_{r}", pl.List(NAMES), f"colours by the final place of their cubes in round {r}, first to last; "
                                           f"{NOT_SCORED}") for r in (1, 2)),
    *(Column(f"first_out_{r}", pl.UInt8(), f"seat that went out first in round {r}; null: nobody did")
      for r in (1, 2)),
    Column("start_2", pl.UInt8(), "seat that started round 2; null: there was none"),
    *(Column(f"turns_{r}", pl.UInt8(), f"turns played in round {r}") for r in (1, 2)),
    *(Column(f"steps_{r}", pl.List(pl.UInt16()), f"space of the red, blue, yellow and black cube at the end of round "
                                                 f"{r}, from 1 at the tail circle; {NOT_SCORED}") for r in (1, 2)),
]  # fmt: skip
DETAIL_COLUMNS = [
    Column("in_round", pl.UInt8(), "round it was scored in, 1 or 2"),
    Column("cards", pl.UInt8(), "cards of this colour that the seat collected; 0 for a tile"),
    Column("place", pl.UInt8(), "final place of their cube, 1 is first; 0 for a tile"),
]
MOVE_COLUMNS = [Column(c, pl.UInt8(), f"{c} cards that are laid, played or taken") for c in COLOURS]
DEAL_COLUMNS = [
    Column("circles", pl.List(NAMES), "colours of the cubes on the circles, from the tail to the head"),
    Column("hands", pl.List(pl.UInt8()), "red, blue, yellow and black cards of every hand, seat by seat"),
]


def split_cards(cards: np.ndarray) -> np.ndarray:
    """Return the numbers of red, blue, yellow and black cards of sets of cards: a last axis of 4 is added."""
    return np.asarray(cards)[..., None] >> BITS * np.arange(N_COLOURS) & MOST


def _from_tail(space: np.ndarray) -> np.ndarray:
    """Return the colours from the cube furthest back to the one furthest ahead, for spaces of shape (n, 4)."""
    return np.argsort(space, axis=1)


def _name_lists(name: str, colours: np.ndarray) -> pl.Series:
    """Return colours, shape (n, 4), as a column of lists of their names."""
    return enum_series(name, colours.ravel(), COLOURS).reshape(colours.shape).arr.to_list()


def game_columns(rules: np.ndarray, finals: np.ndarray) -> list[pl.Series]:
    """Return GAME_COLUMNS for the positions games ended in (STATE, shape (n,))."""
    fields = {name: np.ascontiguousarray(finals[name]) for name in finals.dtype.names}
    scored = (fields["round_number"] == 2, fields["seat"] == OVER)
    spaces = (fields["first_space"], fields["space"])
    is_first = fields["went_out"] == 1
    columns = []
    for r, (space, known) in enumerate(zip(spaces, scored, strict=True), start=1):
        order = _name_lists(f"order_{r}", _from_tail(space)[:, ::-1])
        steps = pl.Series(f"steps_{r}", np.minimum(space, int(rules["track"][0]))).arr.to_list()
        first = is_first[:, r - 1]
        columns += [
            nullable(f"order_{r}", order, known, pl.List(NAMES)),
            nullable(f"first_out_{r}", first.argmax(axis=1), first.any(axis=1), pl.UInt8()),
            pl.Series(f"turns_{r}", fields["turns"][:, r - 1]),
            nullable(f"steps_{r}", steps, known, pl.List(pl.UInt16())),
        ]
    starter = fields["starter"]
    columns.append(nullable("start_2", starter, starter != NONE, pl.UInt8()))
    return columns


def move_columns(phase: np.ndarray, move: np.ndarray) -> list[pl.Series]:
    """Return MOVE_COLUMNS for arrays of phases and move codes."""
    counts = split_cards(move)
    return [pl.Series(colour, counts[:, i]) for i, colour in enumerate(COLOURS)]


def deal_columns(rules: np.ndarray, states: np.ndarray) -> list[pl.Series]:
    """Return DEAL_COLUMNS for freshly dealt positions (STATE, shape (n,))."""
    hands = split_cards(states["hand"][:, : int(rules["n_seats"][0])]).astype(np.uint8)
    return [
        _name_lists("circles", _from_tail(np.ascontiguousarray(states["space"]))),
        pl.Series("hands", hands.reshape(len(states), -1)).cast(pl.List(pl.UInt8)),
    ]


# --- text ----------------------------------------------------------------------------------------------------------
def cards_text(cards: int) -> str:
    """Return a set of cards in words: ``2 red, 1 black``."""
    if cards == HIDDEN:
        return "hidden"
    words = [f"{n} {colour}" for n, colour in zip(split_cards(cards).tolist(), COLOURS, strict=True) if n]
    return ", ".join(words) or "none"


def describe_move(rules: np.ndarray, states: np.ndarray, move: int) -> str:
    """Return what `move` means in the position, in words."""
    words = {
        PREPARE: "lays {}",
        PLAY: "plays {}",
        TAKE: "takes {}",
        LAST: "takes {} as the last card and goes out",
    }
    return words[int(states[0]["phase"])].format(cards_text(move))


def final_places(rules: np.ndarray, space: np.ndarray) -> list[tuple[str, int]]:
    """Return the colour and space of every cube, the one furthest ahead first."""
    end = int(rules["track"][0])
    return [(COLOURS[c], min(int(space[c]), end)) for c in np.argsort(-np.asarray(space))]


def tile_text(rules: np.ndarray, went_out: int) -> str:
    """Return what the seat that went out as this one got: ``tile 3``, ``no tile``, or nothing for a seat still in."""
    if not went_out:
        return ""
    return "no tile" if went_out == int(rules["n_seats"][0]) else f"tile {int(rules['tiles'][0, went_out])}"


def position_text(rules: np.ndarray, states: np.ndarray) -> list[str]:
    """Return the cubes from first to last, the table, and what every seat holds, has collected and has scored."""
    state = states[0]
    cubes = ", ".join(f"{colour} {space}" for colour, space in final_places(rules, state["space"]))
    lines = [f"round {state['round_number']}; cubes and their spaces, first to last: {cubes}"]
    lines.append(f"on the table: {cards_text(int(state['table']))}")
    if state["played"]:
        lines.append(f"just played: {cards_text(int(state['played']))}")
    this_round = int(state["round_number"]) - 1
    for seat in range(int(rules["n_seats"][0])):
        parts = [
            f"hand {cards_text(int(state['hand'][seat]))}",
            f"collected {cards_text(int(state['collected'][seat]))}",
            tile_text(rules, int(state["went_out"][this_round, seat])),
        ]
        if state["laid"][seat]:
            parts.insert(1, f"laid {cards_text(int(state['laid'][seat]))}")
        if this_round:
            first = f"{cards_text(int(state['first'][seat]))} for {int(state['first_points'][seat])} points"
            parts.append(f"round 1 {first}")
        lines.append(f"seat {seat}: {'; '.join(part for part in parts if part)}")
    return lines


# --- pictures ------------------------------------------------------------------------------------------------------
CARD_COLOURS = {"red": "#c8442f", "blue": "#2d6cb5", "yellow": "#e9bd37", "black": "#3a3a3a"}
TEXT_COLOURS = {"red": "white", "blue": "white", "yellow": "black", "black": "white"}
ROW_OF_TRACK = 20  # spaces drawn in one line
_CARD = (0.8, 1.1)  # width and height


def draw_cards(ax, cards: int, x: float, y: float) -> None:
    """Draw a set of cards: one card a colour, with the number of them, from (x, y) at the upper left."""
    from matplotlib.patches import FancyBboxPatch

    if cards == HIDDEN:
        ax.text(x, y + _CARD[1] / 2, "hidden", va="center", fontsize=7, color="#777777")
        return
    for i, (colour, n) in enumerate(zip(COLOURS, split_cards(cards).tolist(), strict=True)):
        if n:
            left = x + i
            style = {"facecolor": CARD_COLOURS[colour], "edgecolor": "#222222", "linewidth": 0.8}
            ax.add_patch(FancyBboxPatch((left, y), *_CARD, boxstyle="round,pad=0,rounding_size=0.12", **style))
            ax.text(left + _CARD[0] / 2, y + _CARD[1] / 2, str(n), ha="center", va="center", fontsize=8,
                    weight="bold", color=TEXT_COLOURS[colour])  # fmt: skip


def draw_track(ax, rules: np.ndarray, space: np.ndarray) -> float:
    """Draw the track with its cubes, ROW_OF_TRACK spaces a line from the left, and return its lower edge.

    The circles are round; a track without an end is drawn some spaces beyond the first cube.
    """
    from matplotlib.patches import Circle, Rectangle

    cubes = final_places(rules, space)
    end = int(rules["track"][0])
    shown = min(end, -(-(cubes[0][1] + 3) // ROW_OF_TRACK) * ROW_OF_TRACK)
    for number in range(1, shown + 1):
        line, column = divmod(number - 1, ROW_OF_TRACK)
        x, y = column + 0.5, 1.5 * line + 0.5
        if number <= N_COLOURS:
            ax.add_patch(Circle((x, y), 0.45, facecolor="#f7f5f0", edgecolor="#888888", linewidth=0.8))
        else:
            ax.add_patch(Rectangle((x - 0.45, y - 0.45), 0.9, 0.9, facecolor="#f7f5f0", edgecolor="#888888",
                                   linewidth=0.8))  # fmt: skip
        here = [colour for colour, place in cubes if place == number]
        if not here:
            ax.text(x, y, str(number), ha="center", va="center", fontsize=6, color="#999999")
        for i, colour in enumerate(here):  # several only at the end of a track, the first to arrive at the left
            width = 0.7 / len(here)
            ax.add_patch(Rectangle((x - 0.35 + i * width, y - 0.35), width, 0.7, facecolor=CARD_COLOURS[colour],
                                   edgecolor="#222222", linewidth=0.8))  # fmt: skip
        if len(here) == 1:
            ax.text(x, y, str(number), ha="center", va="center", fontsize=6, color=TEXT_COLOURS[here[0]])
    return 1.5 * ((shown - 1) // ROW_OF_TRACK + 1)


def draw_position(rules: np.ndarray, states: np.ndarray, names: list[str], figure) -> None:
    """Draw a position into `figure`, a matplotlib Figure, under the names of its players."""
    state = states[0]
    n_seats = int(rules["n_seats"][0])
    this_round = int(state["round_number"]) - 1
    ax = figure.subplots()
    top = draw_track(ax, rules, state["space"]) + 0.6
    heads = [("hand", 5.0), ("collected", 10.0)] + ([("collected in round 1", 15.0)] if this_round else [])
    ax.text(0, top + 0.9, "on the table", va="center", fontsize=8)
    draw_cards(ax, int(state["table"]), 5.0, top + 0.3)
    if state["played"]:
        ax.text(9.3, top + 0.9, "just played", va="center", fontsize=8)
        draw_cards(ax, int(state["played"]), 12.0, top + 0.3)
    for head, x in heads:
        ax.text(x, top + 2.1, head, va="center", fontsize=7, color="#555555")
    for seat in range(n_seats):
        y = top + 2.5 + 1.7 * seat
        tile = tile_text(rules, int(state["went_out"][this_round, seat]))
        scored = f"round 1: {int(state['first_points'][seat])} points" if this_round else ""
        below = ", ".join(part for part in (tile, scored) if part)
        ax.text(0, y + 0.35, f"seat {seat}: {names[seat]}", va="center", fontsize=8)
        ax.text(0, y + 0.9, below, va="center", fontsize=6.5, color="#555555")
        for name, (_, x) in zip(("hand", "collected", "first"), heads, strict=False):
            draw_cards(ax, int(state[name][seat]), x, y)
        if state["laid"][seat]:
            ax.text(9.0, y + 0.55, "+ 1 laid", va="center", fontsize=6)
    bottom = top + 2.5 + 1.7 * n_seats
    ax.set_xlim(-0.3, ROW_OF_TRACK + 0.3)
    ax.set_ylim(bottom, -0.3)
    ax.set_aspect("equal")
    ax.axis("off")
    figure.set_size_inches(8.0, 0.42 * (bottom + 0.3) + 0.6)
    phase = "the end" if state["seat"] == OVER else f"seat {int(state['seat'])} to decide"
    ax.set_title(f"round {this_round + 1}, {phase}", fontsize=9)
