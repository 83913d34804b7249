"""The rules of Fuji-san: deal, legal, apply, observe, redeal, tally. Clause numbers refer to RULES.md.

Everything here runs compiled and as plain Python with equal results: explicit loops, no I/O, no globals that change.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import copy_record, helper
from meeplecarlo.games.choosing import count_bits
from meeplecarlo.games.fuji_san import MAX_CAPTURES
from meeplecarlo.games.fuji_san.state import (
    CAPTURE,
    NONE,
    NOTHING,
    OVER,
    PLACE,
    PUT,
    REMOVE,
    TAKE_FIRST,
    TAKE_SECOND,
)


# --- spaces and what stands on them --------------------------------------------------------------------------------
@helper
def bit(space):
    """Return the set that holds just `space`."""
    return np.int64(1) << np.int64(space)


@helper
def has(spaces, space):
    """Return whether a set holds a space."""
    return (spaces >> np.int64(space)) & 1 == 1


@helper
def kind_at(state, space):
    """Return the kind of the pyramid on a space that holds one."""
    place = np.int64(space)
    return ((state.sized[1] >> place) & 1) + 2 * ((state.sized[2] >> place) & 1) + 3 * ((state.owned[1] >> place) & 1)


@helper
def is_surrounded(rules, state, space, seat):
    """Return whether all neighbours of a space hold pyramids of `seat` (R4.5)."""
    return rules.neighbours[space] & ~state.owned[seat] == 0


@helper
def first_of(spaces):
    """Return the least space of a set that is not empty."""
    return count_bits((spaces & -spaces) - 1)


@helper
def without_first(spaces):
    """Return a set that is not empty without its least space."""
    return spaces & (spaces - 1)


@helper
def pits_of(rules, pieces):
    """Return the set of the spaces whose neighbours are all in `pieces`."""
    others = rules.board & ~pieces
    beside = np.int64(0)
    for i in range(rules.n_steps):
        step, origins = rules.step[i], rules.step_from[i]
        beside |= ((others >> step) & origins) | ((others & origins) << step)
    return rules.board & ~beside


@helper
def count_neighbours(rules, pieces):
    """Return how many neighbours of each space are in `pieces`, 0 to 3, as two sets: the ones and the twos."""
    ones, twos = np.int64(0), np.int64(0)
    for i in range(rules.n_steps):
        step, origins = rules.step[i], rules.step_from[i]
        above, below = (pieces >> step) & origins, (pieces & origins) << step
        twos ^= (ones & above) | ((ones ^ above) & below)
        ones ^= above ^ below
    return ones, twos


@helper
def put_on(state, space, kind):
    """Put a pyramid on an empty space."""
    state.owned[kind // 3] |= bit(space)
    state.sized[kind % 3] |= bit(space)


@helper
def take_off(state, space, kind):
    """Take a pyramid off its space."""
    state.owned[kind // 3] &= ~bit(space)
    state.sized[kind % 3] &= ~bit(space)


# --- deal ----------------------------------------------------------------------------------------------------------
def deal(rules, state, rng):
    """Set up a game (R2): an empty board; there is no chance in it, so `rng` is not used."""
    state.seat = 0
    state.phase = PLACE
    state.round_number = 1
    for seat in range(2):
        state.owned[seat] = 0
        state.hand[seat] = NONE
        state.n_captured[seat] = 0
        for size in range(3):
            state.unplaced[seat, size] = rules.pieces[size]
            state.discarded[seat, size] = 0
        for i in range(MAX_CAPTURES):
            state.captured_space[seat, i] = NONE
            state.captured_size[seat, i] = NONE
            state.captured_round[seat, i] = NONE
    for size in range(3):
        state.sized[size] = 0


# --- legal, apply --------------------------------------------------------------------------------------------------
def legal(rules, state, moves):
    """Write the moves of `state.seat`, ascending, to `moves` and return their number; 0 once the game is over."""
    seat = state.seat
    if seat == OVER:
        return 0
    phase = state.phase
    occupied = state.owned[0] | state.owned[1]
    empty = rules.board & ~occupied
    n = 0
    if phase == PLACE:
        while empty != 0:
            space = first_of(empty)
            empty = without_first(empty)
            for size in range(3):
                if state.unplaced[seat, size] > 0:
                    moves[n] = 8 * space + 3 * seat + size
                    n += 1
        return n
    if phase == PUT:
        low = min(state.hand[0], state.hand[1])
        high = max(state.hand[0], state.hand[1])
        while empty != 0:
            space = first_of(empty)
            empty = without_first(empty)
            moves[n] = 8 * space + low
            n += 1
            if high != low:
                moves[n] = 8 * space + high
                n += 1
        return n
    if phase == CAPTURE:
        occupied = pits_of(rules, state.owned[seat]) & state.owned[1 - seat]
    while occupied != 0:
        space = first_of(occupied)
        occupied = without_first(occupied)
        moves[n] = 8 * space + kind_at(state, space)
        n += 1
    if phase == CAPTURE:
        moves[n] = NOTHING
        n += 1
    return n


def apply(rules, state, move):
    """Play `move` for `state.seat`; return False and change nothing if it is not legal."""
    seat, phase = state.seat, state.phase
    if seat == OVER or move < 0 or move > NOTHING:
        return False
    if move == NOTHING:
        if phase != CAPTURE:
            return False
        _next_turn(rules, state)
        return True
    space = np.int64(move) // 8
    kind = np.int64(move) % 8
    if kind > 5 or space >= rules.n_spaces:
        return False
    occupied = state.owned[0] | state.owned[1]
    if phase == PLACE or phase == PUT:
        if has(occupied, space):
            return False
        if phase == PUT:
            return _put(rules, state, space, kind)
        return _place(rules, state, space, kind)
    if not has(occupied, space) or kind_at(state, space) != kind:
        return False
    if phase == CAPTURE:
        if kind // 3 == seat or not is_surrounded(rules, state, space, seat):
            return False
        take_off(state, space, kind)
        i = state.n_captured[seat]
        state.captured_space[seat, i] = space
        state.captured_size[seat, i] = kind % 3
        state.captured_round[seat, i] = state.round_number
        state.n_captured[seat] += 1
        _next_turn(rules, state)
        return True
    take_off(state, space, kind)
    if phase == REMOVE:
        state.discarded[kind // 3, kind % 3] += 1
        _next_turn(rules, state)
    elif phase == TAKE_FIRST:
        state.hand[0] = kind
        state.phase = TAKE_SECOND
    else:
        state.hand[1] = kind
        state.phase = PUT
    return True


@helper
def _place(rules, state, space, kind):
    """Place an own pyramid (R3.1); the board is full at some point, and then the other player removes one (R4.1)."""
    seat = state.seat
    if kind // 3 != seat or state.unplaced[seat, kind % 3] == 0:
        return False
    state.unplaced[seat, kind % 3] -= 1
    put_on(state, space, kind)
    state.round_number += 1
    if state.owned[0] | state.owned[1] == rules.board:
        state.phase = REMOVE
        state.seat = 1
    else:
        state.seat = 1 - seat
    return True


@helper
def _put(rules, state, space, kind):
    """Put one of the two pyramids in hand and discard the other (R4.3, R4.4)."""
    if kind == state.hand[0]:
        other = np.int64(state.hand[1])
    elif kind == state.hand[1]:
        other = np.int64(state.hand[0])
    else:
        return False
    put_on(state, space, kind)
    state.discarded[other // 3, other % 3] += 1
    state.hand[0] = NONE
    state.hand[1] = NONE
    if pits_of(rules, state.owned[state.seat]) & state.owned[1 - state.seat] != 0:
        state.phase = CAPTURE
    else:
        _next_turn(rules, state)
    return True


@helper
def _next_turn(rules, state):
    """Pass the turn on, or end the game if fewer than two pyramids are left for it (R5.1)."""
    if count_bits(state.owned[0] | state.owned[1]) < 2:
        state.seat = OVER
        return
    state.round_number += 1
    state.phase = TAKE_FIRST
    state.seat = 1 - state.seat


# --- observe, redeal -----------------------------------------------------------------------------------------------
def observe(rules, state, seat, view):
    """Copy `state` to `view`: nothing is hidden (R6.1)."""
    copy_record(view, state)


def redeal(rules, view, rng):
    """Change nothing: there is nothing to guess (R6.1)."""


# --- tally ---------------------------------------------------------------------------------------------------------
def tally(rules, state, lines, ties):
    """Write a line for every captured pyramid, seat by seat in the order captured, and return their number (R5.2)."""
    n = 0
    for seat in range(2):
        for i in range(state.n_captured[seat]):
            size = np.int64(state.captured_size[seat, i])
            line = lines[n]
            line.seat = seat
            line.category = 0
            line.slot = size
            line.points = rules.pips[size]
            line.space = state.captured_space[seat, i]
            line.turn = state.captured_round[seat, i]
            n += 1
    return n
