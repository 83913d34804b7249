"""The landscape powers of Momiji: when each effect can be used, and what it does. Clauses refer to RULES.md.

Which landscapes there are, their rows and amounts is data (`RULES.effect`, `RULES.amount`); an effect is code. Two of
them, jump and start_with, are used within a play and so are no moves of their own: see `extends_play`.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper, inlined
from meeplecarlo.games.momiji import ROWS
from meeplecarlo.games.momiji.cards import count_of, faces_of, first_face
from meeplecarlo.games.momiji.state import (
    A_LANDSCAPE,
    ACTION,
    AFTER,
    CLAIM_GOAL,
    COLLECT,
    COLLECT_SECOND,
    DRAW,
    GAIN,
    JUMP,
    MAIN,
    NO_SIDE,
    NONE,
    NOTHING,
    OF_GOAL,
    OF_TYPE,
    PLACE_EXTRA,
    REVEAL_COLLECT,
    ROW,
    START_WITH,
    TAKE_OTHER,
)
from meeplecarlo.games.momiji.table import (
    add_places,
    can_claim,
    can_place,
    claim,
    draw_unseen,
    is_legal_side,
    lay,
    pay,
    place,
    take_card,
    take_type,
)


@helper
def is_ready(state, seat):
    """Return whether `seat` has an acorn, a landscape left, and has used none in this turn (R5.3)."""
    return state.powered == 0 and state.acorns[seat] >= 1 and state.used[seat] != (1 << len(ROWS)) - 1


@helper
def _is_left(state, seat, row):
    """Return whether the landscape of a row, 1..3, has not been used yet."""
    return (state.used[seat] >> (row - 1)) & 1 == 0


@helper
def extends_play(rules, state, seat, row):
    """Return whether the landscape of a row is unused and lets more cards be laid (R5.7, R5.8)."""
    effect = rules.effect[state.landscape[seat, row - 1]]
    return _is_left(state, seat, row) and (effect == JUMP or effect == START_WITH)


@helper
def _is_timely(rules, state, effect, amount):
    """Return whether the phase and the turn so far allow an effect, and it can do something."""
    phase = state.phase
    if effect == COLLECT_SECOND or effect == TAKE_OTHER:
        return phase == AFTER and state.collected != NONE
    if effect == REVEAL_COLLECT:
        return phase == MAIN and state.deck_left > 0
    if effect == DRAW:
        return state.deck_left > 0
    if effect == CLAIM_GOAL:
        return can_claim(rules, state, state.seat, 1 + amount)
    return effect == PLACE_EXTRA or effect == GAIN


@inlined
def add_powers(rules, state, seat, moves, n):
    """Write the moves that use a landscape of a seat that `is_ready`; return how many moves there are then."""
    for row in range(1, len(ROWS) + 1):
        landscape = state.landscape[seat, row - 1]
        effect, amount = rules.effect[landscape], np.int64(rules.amount[landscape])
        if not _is_left(state, seat, row) or not _is_timely(rules, state, effect, amount):
            continue
        base = ACTION * A_LANDSCAPE + ROW * row
        if effect == COLLECT_SECOND:
            for kind in range(rules.n_types):
                if kind != state.collected and state.display[kind] != 0:
                    moves[n] = base + OF_TYPE + kind
                    n += 1
        elif effect == TAKE_OTHER:
            for kind in range(rules.n_types):
                faces = faces_of(state.display[kind]) if kind != state.collected else 0
                while faces != 0:
                    moves[n] = base + 64 * kind + 4 * first_face(faces)
                    n += 1
                    faces &= faces - 1
        elif effect == PLACE_EXTRA:
            for kind in range(rules.n_types):
                faces = faces_of(state.hand[seat, kind]) & rules.may_follow[state.top[seat, kind] + 1]
                n = add_places(state, seat, kind, faces, base, moves, n)
        elif effect == CLAIM_GOAL:
            for goal in range(rules.n_types):
                if state.holder[goal] == NONE:
                    moves[n] = base + OF_GOAL + goal
                    n += 1
        else:
            moves[n] = base + NOTHING
            n += 1
    return n


@helper
def use_power(rules, state, seat, row, operand):
    """Use the landscape of a row, 1..3 (R5.3-R5.11); return False, and change nothing, if that is not legal."""
    if row == 0 or not is_ready(state, seat) or not _is_left(state, seat, row):
        return False
    landscape = state.landscape[seat, row - 1]
    effect, amount = rules.effect[landscape], np.int64(rules.amount[landscape])
    if not _is_timely(rules, state, effect, amount) or not _is_named(rules, state, seat, effect, operand):
        return False
    pay(state, seat, 1)
    state.used[seat] |= 1 << (row - 1)
    state.powered = 1
    kind, face, side = operand // 64, operand // 4 % 16, operand % 4
    if effect == COLLECT_SECOND:
        take_type(rules, state, seat, operand - OF_TYPE)
    elif effect == TAKE_OTHER:
        take_card(rules, state, seat, kind, face)
    elif effect == PLACE_EXTRA:
        place(rules, state, seat, kind, face, side)
    elif effect == CLAIM_GOAL:
        claim(state, seat, operand - OF_GOAL, amount)
    elif effect == REVEAL_COLLECT:
        lay(rules, state, amount)
        state.phase = COLLECT
    elif effect == GAIN:
        state.acorns[seat] += amount
    else:
        draw_unseen(rules, state, seat, amount)
    return True


@helper
def _is_named(rules, state, seat, effect, operand):
    """Return whether a move names what an effect needs, and that can be had."""
    if effect == COLLECT_SECOND:
        kind = operand - OF_TYPE
        return 0 <= kind < rules.n_types and kind != state.collected and state.display[kind] != 0
    if effect == CLAIM_GOAL:
        goal = operand - OF_GOAL
        return 0 <= goal < rules.n_types and state.holder[goal] == NONE
    kind, face, side = operand // 64, operand // 4 % 16, operand % 4
    if effect == TAKE_OTHER:
        if kind >= rules.n_types or kind == state.collected or side != NO_SIDE:
            return False
        return count_of(state.display[kind], face) > 0
    if effect == PLACE_EXTRA:
        if kind >= rules.n_types or not can_place(rules, state, seat, kind, face):
            return False
        return is_legal_side(state, seat, kind, side)
    return operand == NOTHING
