"""Bundles of cards, stacks and goals of Momiji: what rules and players both look at. Clauses refer to RULES.md."""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper
from meeplecarlo.games.choosing import count_bits
from meeplecarlo.games.momiji.state import (
    CARDS_OF_TYPE,
    CARDS_OF_VALUE,
    CLOSED_STACKS,
    NONE,
    SUM_OF_TOPS,
)

_ONES = 0x1111111111111111  # bit 4 * face of every face
_BYTES = 0x0F0F0F0F0F0F0F0F


# --- bundles -------------------------------------------------------------------------------------------------------
@helper
def one(face):
    """Return the bundle that holds one card of `face`; as a mask, the bit of the face."""
    return np.int64(1) << (4 * np.int64(face))


@helper
def count_of(bundle, face):
    """Return how many cards of `face` a bundle holds."""
    return (bundle >> (4 * np.int64(face))) & 15


@helper
def faces_of(bundle):
    """Return which faces a bundle holds: a mask with bit 4 * face."""
    halves = bundle | (bundle >> 1)
    return (halves | (halves >> 2)) & _ONES


@helper
def cards_in(bundle):
    """Return how many cards a bundle holds."""
    pairs = (bundle & _BYTES) + ((bundle >> 4) & _BYTES)
    pairs += pairs >> 8
    pairs += pairs >> 16
    return (pairs + (pairs >> 32)) & 255


@helper
def first_face(mask):
    """Return the least face of a mask that is not empty."""
    return count_bits((mask & -mask) - 1) >> 2


# --- stacks --------------------------------------------------------------------------------------------------------
@helper
def top_value(rules, state, seat, kind):
    """Return the value on top of the stack of a type, 0 where there is none."""
    face = state.top[seat, kind]
    return np.int64(rules.value[face]) if face != NONE else np.int64(0)


@helper
def acorns_meet(rules, left_face, right_face):
    """Return 1 if the facing corners of two neighbouring tops both show an acorn, else 0 (R4.6)."""
    return np.int64(rules.right_acorn[left_face] & rules.left_acorn[right_face])


@helper
def count_pairs(rules, state, seat):
    """Return the pairs of facing acorn corners among the tops of `seat` (R4.6)."""
    pairs = np.int64(0)
    for i in range(1, state.stacks[seat]):
        left, right = state.in_line[seat, i - 1], state.in_line[seat, i]
        pairs += acorns_meet(rules, state.top[seat, left], state.top[seat, right])
    return pairs


# --- goals ---------------------------------------------------------------------------------------------------------
@helper
def measure_of(rules, state, seat, goal):
    """Return how far `seat` has come at a goal (R7.4)."""
    measure, argument = rules.measure[goal], rules.argument[goal]
    if measure == CARDS_OF_TYPE:
        return np.int64(state.stack_cards[seat, argument])
    if measure == CARDS_OF_VALUE:
        return np.int64(state.of_value[seat, argument])
    if measure == SUM_OF_TOPS:
        return np.int64(state.tops[seat])
    if measure == CLOSED_STACKS:
        return np.int64(state.shut[seat])
    return np.int64(state.longest[seat])


@helper
def best_measure(rules, state, goal):
    """Return the best value any seat has at a goal."""
    best = np.int64(0)
    for seat in range(rules.n_seats):
        best = max(best, measure_of(rules, state, seat, goal))
    return best
