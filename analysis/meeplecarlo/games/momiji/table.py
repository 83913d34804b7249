"""What happens on the table of Momiji: cards drawn, taken, placed and discarded, acorns paid, goals claimed.

These functions take legality for granted unless they are named after the question. Clauses refer to RULES.md.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper, inlined
from meeplecarlo.games.momiji.cards import cards_in, count_of, faces_of, first_face, one
from meeplecarlo.games.momiji.state import BY_DECK, BY_TORII, CLOSING, DISPLAY, LEFT, NO_SIDE, NONE, RIGHT


# --- deck and display ----------------------------------------------------------------------------------------------
@helper
def draw(rules, state):
    """Take the next card from a deck that has one and return it."""
    at = rules.n_cards - state.deck_left
    card = np.int64(state.deck[at])
    state.deck[at] = NONE
    state.deck_left -= 1
    return card


@helper
def lay(rules, state, n):
    """Lay up to `n` cards from the deck into the display (R3.1)."""
    for _ in range(min(n, state.deck_left)):
        card = draw(rules, state)
        state.display[card >> 4] += one(card & 15)
        state.unseen[card >> 4] -= one(card & 15)
        state.display_cards += 1
    trigger_if_deck_is_empty(state)


@helper
def refill(rules, state):
    """Refill the display after something was taken from it (R3.3)."""
    if rules.to_four == 1 or state.display_cards == 0:
        lay(rules, state, DISPLAY - state.display_cards)


@helper
def take_type(rules, state, seat, kind):
    """Take all cards of a type from the display into the hand of `seat`, where all know them (R3.2)."""
    bundle = state.display[kind]
    cards = cards_in(bundle)
    state.hand[seat, kind] += bundle
    state.known[seat, kind] += bundle
    state.hand_cards[seat] += cards
    state.display[kind] = 0
    state.display_cards -= cards
    refill(rules, state)


@helper
def take_card(rules, state, seat, kind, face):
    """Take one card from the display into the hand of `seat`, where all know it (R5.7)."""
    state.display[kind] -= one(face)
    state.display_cards -= 1
    state.hand[seat, kind] += one(face)
    state.known[seat, kind] += one(face)
    state.hand_cards[seat] += 1
    refill(rules, state)


@helper
def draw_unseen(rules, state, seat, n):
    """Draw up to `n` cards from the deck into the hand of `seat`; nobody else sees them (R5.11)."""
    for _ in range(min(n, state.deck_left)):
        card = draw(rules, state)
        state.hand[seat, card >> 4] += one(card & 15)
        state.hand_cards[seat] += 1
    trigger_if_deck_is_empty(state)


# --- the end -------------------------------------------------------------------------------------------------------
@helper
def trigger_if_deck_is_empty(state):
    """Note that the deck has run out (R6.2)."""
    if state.deck_left == 0 and state.trigger == NONE:
        state.trigger = BY_DECK
        state.trigger_round = state.round_number


# --- hands ---------------------------------------------------------------------------------------------------------
@helper
def _let_go(state, seat, kind, face):
    """Take a card out of the hand of `seat`; everybody sees it (R8.2)."""
    card = one(face)
    state.hand[seat, kind] -= card
    state.hand_cards[seat] -= 1
    if count_of(state.known[seat, kind], face) > 0:
        state.known[seat, kind] -= card
    else:
        state.unseen[kind] -= card


@helper
def discard(state, seat, kind, face):
    """Put a card from the hand of `seat` out of the game."""
    _let_go(state, seat, kind, face)
    state.discarded[kind] += one(face)


# --- placing cards -------------------------------------------------------------------------------------------------
@helper
def can_place(rules, state, seat, kind, face):
    """Return whether `seat` holds this card and may lay it without a landscape (R4.4)."""
    faces = faces_of(state.hand[seat, kind]) & rules.may_follow[state.top[seat, kind] + 1]
    return faces & one(face) != 0


@helper
def is_legal_side(state, seat, kind, side):
    """Return whether a side is named if and only if the card starts a stack beside others (R4.5)."""
    if state.top[seat, kind] == NONE and state.stacks[seat] > 0:
        return side == LEFT or side == RIGHT
    return side == NO_SIDE


@inlined
def add_places(state, seat, kind, faces, base, moves, n):
    """Write a move for every way to lay cards of these faces; return how many moves there are then."""
    start = base + 64 * kind
    two_sides = state.top[seat, kind] == NONE and state.stacks[seat] > 0
    while faces != 0:
        code = start + 4 * first_face(faces)
        faces &= faces - 1
        if two_sides:
            moves[n] = code + LEFT
            moves[n + 1] = code + RIGHT
            n += 2
        else:
            moves[n] = code
            n += 1
    return n


@helper
def place(rules, state, seat, kind, face, side):
    """Lay a card from the hand of `seat` on its stack, or start the stack at a side (R4.4, R4.5)."""
    _let_go(state, seat, kind, face)
    old = state.top[seat, kind]
    if old == NONE:
        n = state.stacks[seat]
        if side == LEFT:
            for i in range(n, 0, -1):
                state.in_line[seat, i] = state.in_line[seat, i - 1]
            state.in_line[seat, 0] = kind
        else:
            state.in_line[seat, n] = kind
        state.stacks[seat] = n + 1
    value = rules.value[face]
    state.top[seat, kind] = face
    state.tops[seat] += value - (rules.value[old] if old != NONE else 0)
    state.stack_cards[seat, kind] += 1
    state.longest[seat] = max(state.longest[seat], state.stack_cards[seat, kind])
    state.of_value[seat, value] += 1
    if value == CLOSING:
        state.shut[seat] += 1
        state.closed += 1
        if state.closed == rules.n_types and state.trigger == NONE:
            state.trigger = BY_TORII
            state.trigger_round = state.round_number


# --- acorns and goals ----------------------------------------------------------------------------------------------
@helper
def pay(state, seat, acorns):
    """Pay acorns `seat` has."""
    state.acorns[seat] -= acorns
    state.acorns_paid += acorns


@helper
def can_claim(rules, state, seat, acorns):
    """Return whether `seat` could claim a goal for so many acorns, if one is left (R5.2)."""
    return rules.activation == 1 and state.acorns[seat] >= acorns


@helper
def claim(state, seat, goal, acorns):
    """Claim the goal in a place for so many acorns (R5.2)."""
    pay(state, seat, acorns)
    state.holder[goal] = seat
