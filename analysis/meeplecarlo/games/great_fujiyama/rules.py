"""The rules of Great Fujiyama: deal, legal, apply, observe, redeal, tally. Clause numbers refer to RULES.md.

Everything here runs compiled and as plain Python with equal results: explicit loops, no I/O, no globals that change.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import MAX_SEATS, copy_record, helper, inlined
from meeplecarlo.games.great_fujiyama import MAX_HAND, MAX_WIDTH
from meeplecarlo.games.great_fujiyama.state import (
    ANY,
    BOTTOM,
    COLUMNS,
    COMPLETE,
    FIRST,
    HAND_EMPTY,
    HIDDEN,
    MAX_OPEN,
    MAX_TILES,
    N_PLACES,
    NO_TILE_FITS,
    NONE,
    OVER,
    PLACE,
    UPPER_LEFT,
    UPPER_RIGHT,
)
from meeplecarlo.streams import shuffle


# --- places and what fits there ------------------------------------------------------------------------------------
@helper
def move_code(place, turn, tile):
    """Return the move that lays `tile`, turned clockwise by `turn` thirds, on `place` (R4.1)."""
    return (place * 3 + turn) * MAX_TILES + tile


@inlined
def fitting(rules, state, i, turn):
    """Return the set of tiles that fit on the i-th open place when turned by `turn` thirds (R5.2)."""
    bottom = state.open_need[i, BOTTOM]
    left = state.open_need[i, UPPER_LEFT]
    right = state.open_need[i, UPPER_RIGHT]
    showing = rules.showing
    return showing[turn, BOTTOM, bottom] & showing[turn, UPPER_LEFT, left] & showing[turn, UPPER_RIGHT, right]


@inlined
def season_at(rules, state, place, corner):
    """Return the season at a corner of the tile on `place`."""
    return np.int64(rules.seasons[state.tile[place], (corner - state.turn[place] + 3) % 3])


@helper
def box_set(rules):
    """Return the set of all tiles in the box."""
    return ~np.int64(0) if rules.n_tiles == MAX_TILES else (np.int64(1) << rules.n_tiles) - 1


@helper
def fits_somewhere(rules, state):
    """Return the set of tiles that fit on at least one open place, turned as the rules allow."""
    found = np.int64(0)
    for i in range(state.n_open):
        for turn in range(rules.turns):
            found |= fitting(rules, state, i, turn)
    return found


@helper
def hand_set(rules, state, seat):
    """Return the set of the tiles in the hand of `seat`; hidden ones are not in it."""
    found = np.int64(0)
    for i in range(rules.hand_size):
        tile = np.int64(state.hand[seat, i])
        if tile >= 0:
            found |= np.int64(1) << tile
    return found


# --- deal ----------------------------------------------------------------------------------------------------------
@helper
def draw(state):
    """Draw the next tile of the deck and return it."""
    tile = np.int64(state.stock[state.drawn])
    state.stock[state.drawn] = NONE
    state.drawn += 1
    return tile


@helper
def take_into_hand(state, seat, size, tile):
    """Put a tile into a hand of `size` tiles, keeping them ascending."""
    i = size
    while i > 0 and state.hand[seat, i - 1] > tile:
        state.hand[seat, i] = state.hand[seat, i - 1]
        i -= 1
    state.hand[seat, i] = tile


def deal(rules, state, rng):
    """Set up a game (R2): shuffle, lay the first tile, deal the hands; the game may end at once (R3.3)."""
    for i in range(MAX_TILES):
        state.stock[i] = i if i < rules.n_tiles else NONE
    shuffle(rng, state.stock, rules.n_tiles)
    for place in range(N_PLACES):
        state.tile[place] = NONE
        state.turn[place] = 0
    for i in range(MAX_OPEN):
        _clear_open(state, i)
    for s in range(MAX_WIDTH):
        state.count[s] = 0
    state.n_open = 0
    state.drawn = 0
    state.laid = 0
    state.round_number = 1
    state.phase = PLACE
    state.seat = 0
    state.ended = NONE
    lay(rules, state, FIRST, 0, draw(state))
    for seat in range(MAX_SEATS):
        for i in range(MAX_HAND):
            state.hand[seat, i] = NONE
        if seat < rules.n_seats:
            for i in range(rules.hand_size):
                take_into_hand(state, seat, i, draw(state))
    _end_or_go_on(rules, state)


@helper
def _clear_open(state, i):
    state.open_place[i] = NONE
    for corner in range(3):
        state.open_need[i, corner] = ANY


@helper
def _end_or_go_on(rules, state):
    """End the game if the pyramid is complete or the seat to move cannot place anything (R3.3)."""
    if state.count[rules.width - 1] == 1:
        state.ended = COMPLETE
    elif state.hand[state.seat, 0] == NONE:
        state.ended = HAND_EMPTY
    elif hand_set(rules, state, state.seat) & fits_somewhere(rules, state) == 0:
        state.ended = NO_TILE_FITS
    if state.ended != NONE:
        state.seat = OVER


# --- laying a tile -------------------------------------------------------------------------------------------------
@helper
def lay(rules, state, place, turn, tile):
    """Lay a tile on an open place (or the first tile) and bring the open places up to date (R5.1, R5.3)."""
    state.tile[place] = tile
    state.turn[place] = turn
    state.laid |= np.int64(1) << np.int64(tile)
    station, column = place // COLUMNS, place % COLUMNS
    state.count[station] += 1
    left, right = season_at(rules, state, place, UPPER_LEFT), season_at(rules, state, place, UPPER_RIGHT)
    _close(state, place)
    # On station 1 the neighbours become places; higher up they are places only if they are open already.
    grows = station == 0 and state.count[0] < rules.width
    if column > 0:
        if state.tile[place - 1] != NONE:
            _open_above(rules, state, place + COLUMNS - 1, left)
        elif grows:
            _open(state, place - 1, UPPER_RIGHT, left)
        else:
            _need(state, place - 1, UPPER_RIGHT, left)
    if column < COLUMNS - 1:
        if state.tile[place + 1] != NONE:
            _open_above(rules, state, place + COLUMNS, right)
        elif grows:
            _open(state, place + 1, UPPER_LEFT, right)
        else:
            _need(state, place + 1, UPPER_LEFT, right)
    if station == 0 and not grows:  # R5.1: station 1 is full, its ends are no places any more
        while state.n_open > 0 and state.open_place[0] < COLUMNS:
            _close(state, np.int64(state.open_place[0]))


@helper
def _open_above(rules, state, place, bottom):
    """Open a place on two tiles whose touching corners show `bottom`, next to what lies there already."""
    _open(state, place, BOTTOM, bottom)
    column = place % COLUMNS
    if column > 0 and state.tile[place - 1] != NONE:
        _need(state, place, UPPER_LEFT, season_at(rules, state, place - 1, UPPER_RIGHT))
    if column < COLUMNS - 1 and state.tile[place + 1] != NONE:
        _need(state, place, UPPER_RIGHT, season_at(rules, state, place + 1, UPPER_LEFT))


@helper
def _need(state, place, corner, season):
    """Let a place, if it is open, need a season at a corner."""
    for i in range(state.n_open):
        if state.open_place[i] == place:
            state.open_need[i, corner] = season


@helper
def _open(state, place, corner, season):
    """Add a place to the open ones, keeping them ascending, and let it need a season at a corner."""
    i = state.n_open
    while i > 0 and state.open_place[i - 1] >= place:
        i -= 1
    if i < state.n_open and state.open_place[i] == place:
        state.open_need[i, corner] = season
        return
    for j in range(state.n_open, i, -1):
        state.open_place[j] = state.open_place[j - 1]
        for k in range(3):
            state.open_need[j, k] = state.open_need[j - 1, k]
    _clear_open(state, i)
    state.open_place[i] = place
    state.open_need[i, corner] = season
    state.n_open += 1


@helper
def _close(state, place):
    """Take a place from the open ones, if it is one."""
    found = False
    for i in range(state.n_open):
        found |= state.open_place[i] == place
        if found and i + 1 < state.n_open:
            state.open_place[i] = state.open_place[i + 1]
            for k in range(3):
                state.open_need[i, k] = state.open_need[i + 1, k]
    if found:
        state.n_open -= 1
        _clear_open(state, state.n_open)


# --- legal, apply --------------------------------------------------------------------------------------------------
def legal(rules, state, moves):
    """Write the moves of `state.seat`, ascending, to `moves` and return their number; 0 once the game is over."""
    seat = state.seat
    if seat == OVER:
        return 0
    held = hand_set(rules, state, seat)
    n = 0
    for i in range(state.n_open):
        place = np.int64(state.open_place[i])
        for turn in range(rules.turns):
            fit = fitting(rules, state, i, turn) & held
            if fit == 0:
                continue
            for k in range(rules.hand_size):
                tile = np.int64(state.hand[seat, k])
                if tile >= 0 and (fit >> tile) & 1 == 1:
                    moves[n] = move_code(place, turn, tile)
                    n += 1
    return n


def apply(rules, state, move):
    """Play `move` for `state.seat`; return False and change nothing if it is not legal."""
    seat = state.seat
    if seat == OVER or move < 0 or move >= N_PLACES * 3 * MAX_TILES:
        return False
    tile = move % MAX_TILES
    turn = move // MAX_TILES % 3
    place = move // (3 * MAX_TILES)
    if turn >= rules.turns or (hand_set(rules, state, seat) >> tile) & 1 == 0:
        return False
    fits = False
    for i in range(state.n_open):
        fits |= state.open_place[i] == place and (fitting(rules, state, i, turn) >> tile) & 1 == 1
    if not fits:
        return False
    lay(rules, state, place, turn, tile)
    _replace(rules, state, seat, tile)
    if state.count[rules.width - 1] == 0 and seat + 1 == rules.n_seats:
        state.round_number += 1
    state.seat = (seat + 1) % rules.n_seats
    _end_or_go_on(rules, state)
    return True


@helper
def _replace(rules, state, seat, tile):
    """Take a tile out of a hand and draw another, if there is one (R3.1, R3.2)."""
    found = False
    for i in range(rules.hand_size - 1):
        found |= state.hand[seat, i] == tile
        if found:
            state.hand[seat, i] = state.hand[seat, i + 1]
    state.hand[seat, rules.hand_size - 1] = NONE
    if state.drawn < rules.n_tiles:
        take_into_hand(state, seat, rules.hand_size - 1, draw(state))


# --- observe, redeal -----------------------------------------------------------------------------------------------
def observe(rules, state, seat, view):
    """Copy `state` to `view` and put HIDDEN wherever `seat` cannot know what lies there (R6)."""
    copy_record(view, state)
    for i in range(MAX_TILES):
        view.stock[i] = HIDDEN if state.stock[i] >= 0 else NONE
    if rules.talk_open == 0:
        for other in range(MAX_SEATS):
            for i in range(MAX_HAND):
                secret = state.hand[other, i] >= 0 and other != seat
                view.hand[other, i] = HIDDEN if secret else state.hand[other, i]


@helper
def unseen_set(rules, view):
    """Return the set of the tiles whose place is not known in `view`: in the deck or in a hidden hand."""
    seen = view.laid
    for seat in range(rules.n_seats):
        seen |= hand_set(rules, view, seat)
    return box_set(rules) & ~seen


def redeal(rules, view, rng):
    """Replace every HIDDEN of `view` by a random guess that agrees with all the seat knows."""
    unseen = np.empty(MAX_TILES, np.int8)
    left = unseen_set(rules, view)
    n = 0
    for tile in range(rules.n_tiles):
        if (left >> tile) & 1 == 1:
            unseen[n] = tile
            n += 1
    shuffle(rng, unseen, n)
    for i in range(rules.n_tiles):
        if view.stock[i] == HIDDEN:
            n -= 1
            view.stock[i] = unseen[n]
    for seat in range(rules.n_seats):
        size = 0
        for i in range(rules.hand_size):
            if view.hand[seat, i] == HIDDEN:
                n -= 1
                take_into_hand(view, seat, size, np.int64(unseen[n]))
            size += view.hand[seat, i] != NONE


# --- tally ---------------------------------------------------------------------------------------------------------
def tally(rules, state, lines, ties):
    """Write a line for every seat and completed station and return their number (R7): all share the result."""
    n = 0
    for seat in range(rules.n_seats):
        for s in range(rules.width):
            if state.count[s] == rules.width - s:
                line = lines[n]
                line.seat = seat
                line.category = 0
                line.slot = s
                line.points = 1
                n += 1
    return n
