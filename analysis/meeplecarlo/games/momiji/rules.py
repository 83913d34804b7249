"""The rules of Momiji: deal, legal, apply, observe, redeal, tally. Clause numbers refer to RULES.md.

Everything here runs compiled and as plain Python with equal results: explicit loops, no I/O, no globals that change.
What the landscape powers do is in `landscapes`.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import copy_record, helper, inlined
from meeplecarlo.games.momiji import MAX_GOALS, MAX_PAIRS, MAX_TYPES, ROWS
from meeplecarlo.games.momiji.cards import (
    best_measure,
    cards_in,
    count_of,
    count_pairs,
    faces_of,
    first_face,
    measure_of,
    one,
    top_value,
)
from meeplecarlo.games.momiji.landscapes import add_powers, extends_play, is_ready, use_power
from meeplecarlo.games.momiji.state import (
    A_ACTIVATE,
    A_COLLECT,
    A_DISCARD,
    A_END,
    A_LANDSCAPE,
    A_PAIR,
    A_PASS,
    A_PLAY,
    A_REVEAL,
    A_STOP,
    A_TRADE,
    ACORNS,
    ACTION,
    AFTER,
    CODES,
    COLLECT,
    DECK_SIZE,
    DISCARD,
    DISPLAY,
    GOAL,
    HIDDEN,
    MAIN,
    MORE,
    N_SEATS,
    NONE,
    OVER,
    PAIR_CODE,
    ROW,
    STACK,
    TRADE,
    VALUES,
)
from meeplecarlo.games.momiji.table import (
    add_places,
    can_claim,
    can_place,
    claim,
    discard,
    is_legal_side,
    lay,
    pay,
    place,
    take_type,
)
from meeplecarlo.streams import below, shuffle


# --- deal ----------------------------------------------------------------------------------------------------------
def deal(rules, state, rng):
    """Set up a game (R2): deal hands, display and deck, goals, and the landscapes of every seat."""
    cards = np.empty(DECK_SIZE, np.int8)
    for i in range(DECK_SIZE):
        cards[i] = rules.box[i]
    shuffle(rng, cards, rules.n_cards)
    goals = np.empty(MAX_GOALS, np.int8)
    for i in range(MAX_GOALS):
        goals[i] = rules.usable[i]
    shuffle(rng, goals, rules.n_usable)
    for i in range(DECK_SIZE):
        state.deck[i] = cards[i]
    for kind in range(MAX_TYPES):
        in_play = kind < rules.n_types
        state.display[kind] = 0
        state.discarded[kind] = 0
        state.unseen[kind] = rules.copies if in_play else 0
        state.goal[kind] = goals[kind] if in_play else NONE
        state.holder[kind] = NONE
    for seat in range(N_SEATS):
        _clear_seat(rules, state, seat)
        if seat < rules.n_seats:
            for i in range(seat * rules.hand_size, (seat + 1) * rules.hand_size):
                state.hand[seat, cards[i] >> 4] += one(cards[i] & 15)
                state.deck[i] = NONE
            for row in range(len(ROWS)):
                drawn = below(rng, rules.n_in_row[row]) if rules.random_landscapes == 1 else 0
                state.landscape[seat, row] = rules.in_row[row, drawn]
    state.deck_left = rules.n_cards - rules.n_seats * rules.hand_size
    state.display_cards = 0
    state.closed = 0
    state.trigger = NONE
    state.trigger_round = 0
    state.acorns_paid = 0
    state.seat = 0
    state.round_number = 1
    _begin_turn(state)
    lay(rules, state, DISPLAY)


@helper
def _clear_seat(rules, state, seat):
    """Set `seat` up with acorns and nothing else."""
    in_play = seat < rules.n_seats
    state.acorns[seat] = rules.start_acorns if in_play else 0
    state.hand_cards[seat] = rules.hand_size if in_play else 0
    state.stacks[seat] = 0
    state.tops[seat] = 0
    state.shut[seat] = 0
    state.longest[seat] = 0
    state.used[seat] = 0
    for kind in range(MAX_TYPES):
        state.hand[seat, kind] = 0
        state.known[seat, kind] = 0
        state.top[seat, kind] = NONE
        state.stack_cards[seat, kind] = 0
        state.in_line[seat, kind] = NONE
    for value in range(VALUES):
        state.of_value[seat, value] = 0
    for row in range(len(ROWS)):
        state.landscape[seat, row] = NONE


@helper
def _begin_turn(state):
    """Make everything a turn allows once possible again."""
    state.phase = MAIN
    state.traded = 0
    state.powered = 0
    state.revealed = 0
    state.collected = NONE
    state.placed = 0
    state.n_placed = 0
    state.back = MAIN


# --- legal ---------------------------------------------------------------------------------------------------------
@helper
def _can_reveal(state):
    """Return whether the paid reveal is open, in main or collect (R3.1)."""
    return state.revealed == 0 and state.deck_left > 0 and state.acorns[state.seat] >= 1


@helper
def _may_place_type(state, kind):
    """Return whether the present play allows a card of this type (R4.2, R4.3)."""
    return state.n_placed < 2 or (state.placed >> kind) & 1 == 0


@helper
def _can_trade(state):
    """Return whether two cards may be traded for an acorn now (R5.1)."""
    return state.traded == 0 and state.hand_cards[state.seat] >= 2


@inlined
def _add_cards(rules, state, seat, base, moves, n):
    """Write a move for every distinct card in hand."""
    for kind in range(rules.n_types):
        faces = faces_of(state.hand[seat, kind])
        while faces != 0:
            moves[n] = base + 16 * kind + first_face(faces)
            n += 1
            faces &= faces - 1
    return n


@inlined
def _add_trades(rules, state, seat, moves):
    """Write a move for every distinct pair of cards in hand; return their number."""
    cards = _add_cards(rules, state, seat, 0, moves, MAX_PAIRS) - MAX_PAIRS  # noted behind the moves
    n = 0
    for i in range(cards):
        card = np.int64(moves[MAX_PAIRS + i])
        moves[n] = PAIR_CODE + 129 * card
        n += count_of(state.hand[seat, card >> 4], card & 15) > 1
        for j in range(MAX_PAIRS + i + 1, MAX_PAIRS + cards):
            moves[n] = PAIR_CODE + 128 * card + moves[j]
            n += 1
    return n


def legal(rules, state, moves):
    """Write the moves of `state.seat`, ascending, to `moves` and return their number; 0 once the game is over."""
    seat = state.seat
    if seat == OVER:
        return 0
    phase = state.phase
    if phase == TRADE:
        return _add_trades(rules, state, seat, moves)
    if phase == DISCARD:
        return _add_cards(rules, state, seat, ACTION * A_DISCARD, moves, 0)
    n = 0
    if phase == MAIN or phase == COLLECT:
        for kind in range(rules.n_types):
            moves[n] = kind
            n += state.display[kind] != 0  # counted without a branch: what will lie there cannot be foreseen
        if _can_reveal(state):
            moves[n] = ACTION * A_REVEAL
            n += 1
        if phase == COLLECT:
            return n
    plain = n
    if phase == MAIN or phase == MORE:
        for kind in range(rules.n_types):
            if _may_place_type(state, kind):
                faces = faces_of(state.hand[seat, kind]) & rules.may_follow[state.top[seat, kind] + 1]
                n = add_places(state, seat, kind, faces, ACTION * A_PLAY, moves, n)
        plain = n
        if is_ready(state, seat):
            for row in range(1, len(ROWS) + 1):
                if extends_play(rules, state, seat, row):
                    reach = rules.reach[state.landscape[seat, row - 1]]
                    for kind in range(rules.n_types):
                        if _may_place_type(state, kind):
                            faces = faces_of(state.hand[seat, kind]) & reach[state.top[seat, kind] + 1]
                            n = add_places(state, seat, kind, faces, ACTION * A_PLAY + ROW * row, moves, n)
        if phase == MORE:
            moves[n] = ACTION * A_STOP
            return n + 1
        if can_claim(rules, state, seat, rules.goal_cost):
            before = n
            for goal in range(rules.n_types):
                moves[n] = ACTION * A_ACTIVATE + goal
                n += state.holder[goal] == NONE
            plain += n - before
    if _can_trade(state):
        moves[n] = ACTION * A_TRADE
        n += 1
    if is_ready(state, seat):
        n = add_powers(rules, state, seat, moves, n)
    if phase == AFTER:
        moves[n] = ACTION * A_END
        return n + 1
    if plain == 0:
        moves[n] = ACTION * A_PASS
        n += 1
    return n


# --- apply ---------------------------------------------------------------------------------------------------------
def apply(rules, state, move):
    """Play `move` for `state.seat`; return False, and change nothing, if it is not legal."""
    seat = state.seat
    if seat == OVER or move < 0 or move >= CODES:
        return False
    phase = state.phase
    action = min(move // ACTION, A_PAIR)
    operand = move - ACTION * action
    if action == A_PLAY:
        return (phase == MAIN or phase == MORE) and _play(rules, state, seat, operand)
    if action == A_END:
        if phase != AFTER or operand != 0:
            return False
        _end_turn(rules, state, seat)
        return True
    if action == A_PAIR:
        return phase == TRADE and _trade(rules, state, seat, operand)
    if action == A_DISCARD:
        return phase == DISCARD and _discard(rules, state, seat, operand)
    if action == A_COLLECT:
        if (phase != MAIN and phase != COLLECT) or operand >= rules.n_types or state.display[operand] == 0:
            return False
        take_type(rules, state, seat, operand)
        state.collected = operand
        state.phase = AFTER
        return True
    if action == A_STOP:
        if phase != MORE or operand != 0:
            return False
        if state.n_placed > 1:
            state.acorns[seat] += rules.pair_acorns * count_pairs(rules, state, seat)
        state.phase = AFTER
        return True
    if action == A_TRADE:
        if (phase != MAIN and phase != AFTER) or operand != 0 or not _can_trade(state):
            return False
        state.traded = 1
        state.back = phase
        state.phase = TRADE
        return True
    if action == A_LANDSCAPE:
        return (phase == MAIN or phase == AFTER) and use_power(rules, state, seat, operand // ROW, operand % ROW)
    if action == A_REVEAL:
        if (phase != MAIN and phase != COLLECT) or operand != 0 or not _can_reveal(state):
            return False
        pay(state, seat, 1)
        state.revealed = 1
        lay(rules, state, DISPLAY)
        state.phase = COLLECT
        return True
    if action == A_ACTIVATE:
        if phase != MAIN or operand >= rules.n_types or state.holder[operand] != NONE:
            return False
        if not can_claim(rules, state, seat, rules.goal_cost):
            return False
        claim(state, seat, operand, rules.goal_cost)
        state.phase = AFTER
        return True
    if phase != MAIN or operand != 0 or not _must_pass(rules, state, seat):  # A_PASS
        return False
    state.phase = AFTER
    return True


@helper
def _play(rules, state, seat, operand):
    """Lay a card as part of a play (R4); return False if that is not legal."""
    row, card, side = operand // ROW, operand % ROW // 4, operand % 4
    kind, face = card >> 4, card & 15
    if kind >= rules.n_types or not _may_place_type(state, kind):
        return False
    if row == 0:
        if not can_place(rules, state, seat, kind, face):
            return False
    else:
        if not is_ready(state, seat) or not extends_play(rules, state, seat, row):
            return False
        reach = rules.reach[state.landscape[seat, row - 1], state.top[seat, kind] + 1]
        if faces_of(state.hand[seat, kind]) & reach & one(face) == 0:
            return False
    if not is_legal_side(state, seat, kind, side):
        return False
    if row != 0:
        pay(state, seat, 1)
        state.used[seat] |= 1 << (row - 1)
        state.powered = 1
    same = state.n_placed == 1 and (state.placed >> kind) & 1 == 1
    place(rules, state, seat, kind, face, side)
    state.n_placed += 1
    state.placed |= 1 << kind
    state.phase = AFTER if same else MORE
    return True


@helper
def _trade(rules, state, seat, operand):
    """Discard two cards for an acorn (R5.1); return False if that is not legal."""
    first, second = operand // 128, operand % 128
    kind, face, other_kind, other_face = first >> 4, first & 15, second >> 4, second & 15
    if second < first or other_kind >= rules.n_types:
        return False
    if count_of(state.hand[seat, kind], face) < (2 if first == second else 1):
        return False
    if count_of(state.hand[seat, other_kind], other_face) == 0:
        return False
    discard(state, seat, kind, face)
    discard(state, seat, other_kind, other_face)
    state.acorns[seat] += 1
    state.phase = state.back
    return True


@helper
def _discard(rules, state, seat, card):
    """Discard a card above the hand limit (R6.1); return False if that is not legal."""
    kind, face = card >> 4, card & 15
    if kind >= rules.n_types or count_of(state.hand[seat, kind], face) == 0:
        return False
    discard(state, seat, kind, face)
    _end_turn(rules, state, seat)
    return True


@helper
def _must_pass(rules, state, seat):
    """Return whether nothing can be collected, revealed, claimed or played without a landscape (R3.5)."""
    if state.display_cards > 0 or _can_reveal(state):
        return False
    for kind in range(rules.n_types):
        if faces_of(state.hand[seat, kind]) & rules.may_follow[state.top[seat, kind] + 1] != 0:
            return False
    if can_claim(rules, state, seat, rules.goal_cost):
        for goal in range(rules.n_types):
            if state.holder[goal] == NONE:
                return False
    return True


@helper
def _end_turn(rules, state, seat):
    """Ask for discards while the hand is too large (R6.1); then the next seat, or the end (R6.2-R6.4)."""
    if state.hand_cards[seat] > rules.hand_limit:
        state.phase = DISCARD
        return
    _begin_turn(state)
    last = seat + 1 == rules.n_seats
    if state.trigger != NONE:
        over = last and state.round_number > state.trigger_round if rules.last_round == 1 else True
        if over:
            state.seat = OVER
            return
    state.seat = 0 if last else seat + 1
    if last:
        state.round_number += 1


# --- observe, redeal -----------------------------------------------------------------------------------------------
def observe(rules, state, seat, view):
    """Copy `state` to `view` and put HIDDEN wherever `seat` cannot know what lies there (R8)."""
    copy_record(view, state)
    for i in range(DECK_SIZE):
        view.deck[i] = HIDDEN if state.deck[i] >= 0 else NONE
    for other in range(N_SEATS):  # loops of fixed length without branches are faster
        secret = (other != seat) & (other < rules.n_seats)
        for kind in range(MAX_TYPES):
            view.hand[other, kind] = HIDDEN if secret else state.hand[other, kind]


def redeal(rules, view, rng):
    """Deal the cards that were never shown to the hidden places of hands and deck, all ways equally likely (R8.3)."""
    cards = np.empty(DECK_SIZE, np.int8)
    n = 0
    for kind in range(rules.n_types):
        left = view.unseen[kind]
        for seat in range(rules.n_seats):
            if view.hand[seat, kind] != HIDDEN:
                left -= view.hand[seat, kind] - view.known[seat, kind]
        while left != 0:
            face = first_face(faces_of(left))
            cards[n] = 16 * kind + face
            n += 1
            left -= one(face)
    shuffle(rng, cards, n)
    for i in range(DECK_SIZE):
        if view.deck[i] == HIDDEN:
            n -= 1
            view.deck[i] = cards[n]
    for seat in range(rules.n_seats):
        if view.hand[seat, 0] != HIDDEN:
            continue
        unknown = np.int64(view.hand_cards[seat])
        for kind in range(MAX_TYPES):
            view.hand[seat, kind] = view.known[seat, kind]
            unknown -= cards_in(view.known[seat, kind])
        for _ in range(unknown):
            n -= 1
            view.hand[seat, cards[n] >> 4] += one(cards[n] & 15)


# --- tally ---------------------------------------------------------------------------------------------------------
def tally(rules, state, lines, ties):
    """Write the scored items of the position to `lines` and return their number (R7).

    Seat by seat: started stacks by type, acorns, active goals by place, zeros included. In the middle of a game this
    is what the seats would score if it ended now. There are no tie-breaks.
    """
    best = np.zeros(MAX_TYPES, np.int64)
    for goal in range(rules.n_types):
        if state.holder[goal] != NONE:
            best[goal] = best_measure(rules, state, state.goal[goal])
    n = 0
    for seat in range(rules.n_seats):
        for kind in range(rules.n_types):
            cards = np.int64(state.stack_cards[seat, kind])
            if cards > 0:
                value = top_value(rules, state, seat, kind)
                _write(lines[n], seat, STACK, kind, value * cards, cards, value)
                n += 1
        _write(lines[n], seat, ACORNS, MAX_TYPES, np.int64(state.acorns[seat]), 0, 0)
        n += 1
        for goal in range(rules.n_types):
            holder = state.holder[goal]
            if holder != NONE:
                own = measure_of(rules, state, seat, state.goal[goal])
                wins = own == best[goal] and (own > 0 or rules.zero_scores == 1)
                worth = rules.goal_points if holder == seat else rules.other_goal_points
                _write(lines[n], seat, GOAL, MAX_TYPES + 1 + goal, worth if wins else 0, own, holder == seat)
                n += 1
    return n


@helper
def _write(line, seat, category, slot, points, cards, top):
    """Fill one scored item."""
    line.seat = seat
    line.category = category
    line.slot = slot
    line.points = points
    line.cards = cards
    line.top = top
