"""The rules of Acornism: deal, legal, apply, observe, redeal, tally. Clause numbers refer to RULES.md.

Everything here runs compiled and as plain Python with equal results: explicit loops, no I/O, no globals that change.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import copy_record, helper
from meeplecarlo.games.acornism import MAX_ACORNS, MAX_HAND, MAX_LAID, MAX_TILES, MAX_WANT
from meeplecarlo.games.acornism.field import (
    N_PLACES,
    PLACE_COLUMNS,
    X_FIRST,
    Y_FIRST,
    above,
    around,
    below,
    columns_of,
    far,
    first_bit,
    place_x,
    place_y,
    rows_of,
    square_at,
    step_x,
    step_y,
)
from meeplecarlo.games.acornism.state import (
    ABOVE,
    BELOW,
    FAR,
    HIDDEN,
    MAX_PLAYERS,
    NEAR,
    NONE,
    OVER,
    PASS,
    PLACE,
    SCORED,
    STARVED,
    TORUS,
    UNPAID,
    WORDS,
)
from meeplecarlo.streams import shuffle

TILE_CODES = 128  # codes of tiles
PLACE_CODES = 256  # and of places
PASS_MOVE = 4 * PLACE_CODES * TILE_CODES


# --- moves ---------------------------------------------------------------------------------------------------------
@helper
def move_code(tile, direction, place):
    """Return the move that places the animal of `tile` on `place`, its acorn in a direction from it (R3.1)."""
    return (direction * PLACE_CODES + place) * TILE_CODES + tile


@helper
def first_place(state):
    """Return the place of the window's first animal bit."""
    return (state.y_origin - Y_FIRST) * PLACE_COLUMNS + ((state.x_origin - X_FIRST) >> 1)


@helper
def spot_of(rules, state, x, y):
    """Return where a square is in sets of its kind, 64 times the word plus the bit; NONE outside the window."""
    row, column = y - state.y_origin, (x - state.x_origin) >> 1
    if row < 0 or row >= rules.n_words * rules.word_rows or column < 0 or column >= rules.lane:
        return NONE
    w = np.int64(row >= rules.word_rows)
    return 64 * w + (row - w * rules.word_rows) * rules.lane + column


@helper
def fitting(rules, state, direction, w, tile):
    """Return the animal squares in a word where `tile` fits with its acorn in a direction (R3.2 to R3.5)."""
    acorns = np.int64(rules.acorns[tile])
    spare = np.int64(rules.want[tile]) - acorns
    if spare < 0:
        return np.int64(0)
    # Its animal needs a square with few acorns around it, its acorn one whose animals have room for it.
    this = state.room_for[acorns, w]
    if direction == FAR:
        this = far(rules, state.y_origin & 1, w, this)
    elif direction == ABOVE:
        this = above(rules, w, this, state.room_for[acorns, 0] if w > 0 else np.int64(0))
    elif direction == BELOW:
        this = below(rules, w, this, state.room_for[acorns, 1] if w == 0 else np.int64(0))
    return state.pairs[direction, w] & state.sums_up_to[spare, w] & this


# --- who would starve (only asked where that is forbidden) ---------------------------------------------------------
@helper
def _is_left_hungry(rules, state, x, y, lacks, tile, acorn_x, acorn_y, box):
    """Return whether the animal on (x, y), which `lacks` so many acorns, is complete but not satisfied.

    The acorn of `tile` counts as lying on (acorn_x, acorn_y), the field as bounded by `box`.
    """
    x_low, x_high, y_low, y_high = box
    wide, high = x_high - x_low + 1 == rules.field_size, y_high - y_low + 1 == rules.field_size
    reach = 0  # acorns the Magic Acorns beside it can stand for
    for k in range(4):
        beside_x, beside_y = x + step_x(y, k), y + step_y(k)
        if beside_x == acorn_x and beside_y == acorn_y:
            reach += 10 * rules.magic[tile]
            lacks -= rules.acorns[tile]
            continue
        other = state.tile[square_at(beside_x, beside_y)]
        if other != NONE:
            reach += 10 * rules.magic[other]
            continue
        beyond = (wide and (beside_x < x_low or beside_x > x_high)) or (high and not y_low <= beside_y <= y_high)
        if rules.edge_scoring == 0 or not beyond:
            return False
    return lacks > reach


@helper
def starves_one(rules, state, tile, x, y, acorn_x, acorn_y):
    """Return whether placing `tile` there would complete an animal without satisfying it (R6.3)."""
    x_low, x_high = min(state.x_low, x, acorn_x), max(state.x_high, x, acorn_x)
    y_low, y_high = min(state.y_low, y, acorn_y), max(state.y_high, y, acorn_y)
    box = (x_low, x_high, y_low, y_high)
    own = np.int64(rules.want[tile]) + state.lacks[square_at(x, y) >> 1]
    if _is_left_hungry(rules, state, x, y, own, tile, acorn_x, acorn_y, box):
        return True
    size = rules.field_size
    settles = (x_high - x_low + 1 == size and state.x_high - state.x_low + 1 < size) or (
        y_high - y_low + 1 == size and state.y_high - state.y_low + 1 < size
    )
    if rules.edge_scoring == 0 or not settles:  # then only animals beside the acorn can become complete
        x_low, x_high, y_low, y_high = acorn_x - 1, acorn_x + 1, acorn_y - 1, acorn_y + 1
    for other_y in range(y_low, y_high + 1):
        for other_x in range(x_low, x_high + 1):
            square = square_at(other_x, other_y)
            if (other_x + other_y) & 1 == 0 and state.tile[square] != NONE:
                if is_complete(rules, state, other_x, other_y):
                    continue
                lacks = np.int64(state.lacks[square >> 1])
                if _is_left_hungry(rules, state, other_x, other_y, lacks, tile, acorn_x, acorn_y, box):
                    return True
    return False


@helper
def is_complete(rules, state, x, y):
    """Return whether the animal on (x, y) needs no further neighbour."""
    spot = spot_of(rules, state, x, y)
    return spot != NONE and (state.complete[spot >> 6] >> (spot & 63)) & 1 == 1


@helper
def starves_at(rules, state, tile, direction, place):
    """Return whether placing `tile` by this move would complete an animal without satisfying it (R6.3)."""
    x, y = place_x(place), place_y(place)
    return starves_one(rules, state, tile, x, y, x + step_x(y, direction), y + step_y(direction))


# --- legal ---------------------------------------------------------------------------------------------------------
def legal(rules, state, moves):
    """Write the moves of `state.seat`, ascending, to `moves` and return their number; 0 once the game is over."""
    seat = state.seat
    if seat == OVER:
        return 0
    if state.phase == PASS:
        moves[0] = PASS_MOVE
        return 1
    origin = first_place(state)
    n = 0
    for direction in range(4):
        for w in range(WORDS):
            squares = state.fits_any[direction, w]
            while squares != 0:
                bit = first_bit(squares)
                squares &= squares - 1
                code = move_code(0, direction, origin + rules.step[w, bit])
                for i in range(rules.hand_size):  # a tile that does not fit is written too, and then written over
                    moves[np.uint64(n)] = code + state.hand[seat, i]
                    n += (state.fits[direction, w, i] >> bit) & 1
    return n


@helper
def find_fits(rules, state, seat):
    """Find where each tile of a seat can be placed; return whether any can (R3.2 to R3.6, R6.3)."""
    for direction in range(4):
        for w in range(WORDS):
            state.fits_any[direction, w] = 0
    seen, seen_above = np.int64(0), np.int64(0)
    for i in range(rules.hand_size):
        tile = np.int64(state.hand[seat, i])
        wanted = tile >= 0
        if wanted:
            kind = np.int64(rules.kind[tile])
            bit = np.int64(1) << (kind & 63)
            if kind < 64:
                wanted = seen & bit == 0
                seen |= bit
            else:
                wanted = seen_above & bit == 0
                seen_above |= bit
        for w in range(WORDS):
            if w == rules.n_words:
                break
            for direction in range(4):
                fits = fitting(rules, state, direction, w, tile) if wanted else np.int64(0)
                if rules.forbidden == 1:
                    fits = _without_starving(rules, state, direction, w, tile, fits)
                state.fits[direction, w, i] = fits
                state.fits_any[direction, w] |= fits
    found = np.int64(0)
    for direction in range(4):
        for w in range(WORDS):
            found |= state.fits_any[direction, w]
    return found != 0


@helper
def _without_starving(rules, state, direction, w, tile, fits):
    """Return those of the animal squares `fits` where placing `tile` starves no animal."""
    kept = np.int64(0)
    while fits != 0:
        bit = fits & -fits
        fits ^= bit
        if not starves_at(rules, state, tile, direction, first_place(state) + rules.step[w, first_bit(bit)]):
            kept |= bit
    return kept


# --- deal ----------------------------------------------------------------------------------------------------------
@helper
def draw(rules, state, seat, size):
    """Draw the next tile of the pile into a hand of `size` tiles, keeping them ascending."""
    tile = np.int64(state.pile[state.drawn])
    state.drawn += 1
    if rules.is_magic[tile] == 1 and state.finder == NONE:
        state.finder = seat
    i = size
    while i > 0 and state.hand[seat, i - 1] > tile:
        state.hand[seat, i] = state.hand[seat, i - 1]
        i -= 1
    state.hand[seat, i] = tile


def deal(rules, state, rng):
    """Set up a game (R2): shuffle, deal the hands, lay the first tile; the game may end at once (R7.2)."""
    for i in range(MAX_TILES):
        state.pile[i] = i if i < rules.n_tiles else NONE
    shuffle(rng, state.pile, rules.n_tiles)
    for square in range(TORUS * TORUS):
        state.tile[square] = NONE
    for animal in range(TORUS * TORUS // 2):
        state.lacks[animal] = 0
    for i in range(MAX_LAID):
        state.done_square[i] = 0
        state.done_result[i] = NONE
        state.done_turn[i] = 0
    for w in range(WORDS):
        for k in range(MAX_WANT + 1):
            state.sums_up_to[k, w] = rules.full[w]
        state.sums_up_to[MAX_WANT + 1, w] = 0
        for k in range(MAX_ACORNS + 1):
            state.room_for[k, w] = rules.full[w]
        state.animals[w] = 0
        state.acorn_squares[w] = 0
        state.beside_acorns[w] = 0
        state.beside_animals[w] = 0
        state.complete[w] = 0
        for k in range(4):
            state.walls[k, w] = 0
            state.pairs[k, w] = 0
            for i in range(MAX_HAND):
                state.fits[k, w, i] = 0
    state.drawn = 0
    state.placed = 0
    state.n_done = 0
    state.finder = NONE
    state.magic_turn = 0
    for seat in range(MAX_PLAYERS):
        for i in range(MAX_HAND):
            state.hand[seat, i] = NONE
        state.pieces_left[seat] = rules.pieces if seat < rules.n_seats else 0
        if seat < rules.n_seats:
            for i in range(rules.hand_size):
                draw(rules, state, seat, i)
    state.x_low, state.x_high, state.y_low, state.y_high = 0, 1, 0, 0
    state.x_origin = -2
    state.y_origin = -2
    _bound(rules, state)
    first = np.int64(state.pile[state.drawn])
    state.drawn += 1
    lay(rules, state, first, 0, 0, 1, 0)
    if state.lacks[0] < 0:  # R3.8: its own acorn is too much for it, and whatever is placed does not help
        for w in range(WORDS):
            state.open_animals[w] = 0
    state.turn = 0
    state.round_number = 1
    state.seat = 0
    _end_or_go_on(rules, state, 0)


@helper
def _end_or_go_on(rules, state, seat):
    """Let `seat` place or pass, or end the game if no seat can place a tile (R7.1, R7.2)."""
    find_pairs(rules, state)
    state.seat = seat
    state.phase = PLACE
    if find_fits(rules, state, seat):
        return
    for k in range(1, rules.n_seats):
        if find_fits(rules, state, (seat + k) % rules.n_seats):
            state.phase = PASS
            find_fits(rules, state, seat)
            return
    state.seat = OVER


# --- the box and the window ----------------------------------------------------------------------------------------
@helper
def _grow(rules, state, x, y, acorn_x, acorn_y):
    """Let the box take in the squares of a tile; return whether it has grown (R4.1)."""
    x_low, x_high = min(state.x_low, x, acorn_x), max(state.x_high, x, acorn_x)
    y_low, y_high = min(state.y_low, y, acorn_y), max(state.y_high, y, acorn_y)
    if x_low == state.x_low and x_high == state.x_high and y_low == state.y_low and y_high == state.y_high:
        return False
    state.x_low, state.x_high, state.y_low, state.y_high = x_low, x_high, y_low, y_high
    # The window moves only to the left and up, and by as much as must be, so that it never leaves the field.
    columns = max((state.x_origin - max(x_low - 2, x_high - rules.field_size + 1) + 1) >> 1, 0)
    rows = max(state.y_origin - max(y_low - 2, y_high - rules.field_size + 1), 0)
    if columns > 0 or rows > 0:
        _move_window(rules, state, columns, rows)
    return True


@helper
def _moved(rules, this, before, shift):
    """Return a word of a set whose bits move up by `shift`, the bits of the word before coming in."""
    return ((this << shift) | (before >> (rules.word_bits - shift))) & rules.full[0]


@helper
def _move_window(rules, state, columns, rows):
    """Move the window by so many bits to the left and rows up: what comes in is empty and has nothing beside it."""
    shift = rows * rules.lane + columns
    last = rules.n_words - 1
    for w in range(last, -1, -1):
        before = w - 1 if w > 0 else w
        keep = np.int64(w > 0)  # 0 for the first word, where nothing comes in from the word before
        state.animals[w] = _moved(rules, state.animals[w], keep * state.animals[before], shift)
        state.acorn_squares[w] = _moved(rules, state.acorn_squares[w], keep * state.acorn_squares[before], shift)
        state.beside_acorns[w] = _moved(rules, state.beside_acorns[w], keep * state.beside_acorns[before], shift)
        state.beside_animals[w] = _moved(rules, state.beside_animals[w], keep * state.beside_animals[before], shift)
        state.complete[w] = _moved(rules, state.complete[w], keep * state.complete[before], shift)
        for k in range(rules.most_wanted + 1):
            others = state.sums_up_to[k, before] if w > 0 else rules.full[0]
            state.sums_up_to[k, w] = _moved(rules, state.sums_up_to[k, w], others, shift)
        for k in range(rules.most_acorns + 1):
            others = state.room_for[k, before] if w > 0 else rules.full[0]
            state.room_for[k, w] = _moved(rules, state.room_for[k, w], others, shift)
    state.x_origin -= 2 * columns
    state.y_origin -= rows


@helper
def _bound(rules, state):
    """Find the squares the box can reach, and the edges that are settled (R4.1 to R4.3, R5.2)."""
    size, lane, odd = rules.field_size, rules.lane, state.y_origin & 1
    x_low, x_high, y_low, y_high = state.x_low, state.x_high, state.y_low, state.y_high
    x_first, x_last = max(x_low - 2, x_high - size + 1), min(x_high + 2, x_low + size - 1)
    y_first, y_last = max(y_low - 2, y_high - size + 1), min(y_high + 2, y_low + size - 1)
    left = state.x_origin
    for w in range(WORDS):
        if w == rules.n_words:
            break
        top = state.y_origin + w * rules.word_rows
        even_rows, odd_rows = rules.row_starts[odd, w], rules.row_starts[1 - odd, w]
        within = rows_of(rules, top, y_first, y_last)
        even, uneven = columns_of(lane, left, x_first, x_last), columns_of(lane, left + 1, x_first, x_last)
        state.open_animals[w] = (even * even_rows + uneven * odd_rows) & within & ~state.animals[w]
        state.open_acorns[w] = (uneven * even_rows + even * odd_rows) & within & ~state.acorn_squares[w]
        if rules.edge_scoring == 1 and x_high - x_low + 1 == size:
            first, last = columns_of(lane, left, x_low, x_low), columns_of(lane, left, x_high, x_high)
            odd_first, odd_last = columns_of(lane, left + 1, x_low, x_low), columns_of(lane, left + 1, x_high, x_high)
            state.walls[NEAR, w] = last * even_rows + odd_first * odd_rows
            state.walls[FAR, w] = first * even_rows + odd_last * odd_rows
        if rules.edge_scoring == 1 and y_high - y_low + 1 == size:
            state.walls[ABOVE, w] = rows_of(rules, top, y_low, y_low)
            state.walls[BELOW, w] = rows_of(rules, top, y_high, y_high)


@helper
def find_pairs(rules, state):
    """Find the pairs of empty squares a tile can lie on: within reach, and one of them beside a tile (R3.2, R4.1)."""
    odd = state.y_origin & 1
    for w in range(WORDS):
        if w == rules.n_words:
            break
        animals, acorns = state.open_animals[w], state.open_acorns[w]
        before = state.open_acorns[0] if w > 0 else np.int64(0)
        after = state.open_acorns[1] if w == 0 else np.int64(0)
        edge_before = before & state.beside_animals[0]
        edge_after = after & state.beside_animals[1]
        edge = acorns & state.beside_animals[w]
        inner = animals & state.beside_acorns[w]
        state.pairs[NEAR, w] = (inner & acorns) | (animals & edge)
        state.pairs[FAR, w] = (inner & far(rules, odd, w, acorns)) | (animals & far(rules, odd, w, edge))
        state.pairs[ABOVE, w] = (inner & above(rules, w, acorns, before)) | (
            animals & above(rules, w, edge, edge_before)
        )
        state.pairs[BELOW, w] = (inner & below(rules, w, acorns, after)) | (animals & below(rules, w, edge, edge_after))


# --- laying a tile -------------------------------------------------------------------------------------------------
@helper
def _word_of(bit, w, v):
    """Return the word `v` of a set that holds only a bit of word `w`."""
    return bit if v == w else np.int64(0)


@helper
def beside(rules, odd, v, w, bit):
    """Return the word `v` of the squares beside the acorn square `bit` of word `w`; of an animal with ``1 - odd``."""
    before = _word_of(bit, w, 0) if v > 0 else np.int64(0)
    after = _word_of(bit, w, 1) if v == 0 else np.int64(0)
    return around(rules, odd, v, _word_of(bit, w, v), before, after)


@helper
def _add_acorns(rules, state, w, squares, acorns):
    """Let these animal squares of a word have so many more acorns around them."""
    for k in range(rules.most_wanted, -1, -1):
        before = state.sums_up_to[k - acorns if k >= acorns else MAX_WANT + 1, w]
        state.sums_up_to[k, w] = (state.sums_up_to[k, w] & ~squares) | (before & squares)


@helper
def _lacking(state, x, y, acorns):
    """Let an animal square have so many more acorns around it; return what it lacks then."""
    place = square_at(x, y) >> 1
    lacks = state.lacks[place] - acorns
    state.lacks[place] = lacks
    return lacks


@helper
def _feed(rules, state, x, y, w, bit, acorns):
    """Let the animal squares beside the acorn square (x, y), `bit` of word `w`, have so many more acorns around them.

    Where an animal lies there, the acorn squares beside it then have room for no more than it lacks.
    """
    odd = state.y_origin & 1
    aside = step_x(y, NEAR)
    near_lacks, far_lacks = _lacking(state, x - aside, y, acorns), _lacking(state, x + aside, y, acorns)
    lower_lacks, upper_lacks = _lacking(state, x, y + 1, acorns), _lacking(state, x, y - 1, acorns)
    first, second = _word_of(bit, w, 0), _word_of(bit, w, 1)
    far_0, far_1 = far(rules, odd, 0, first), far(rules, odd, 1, second)
    lower_0, lower_1 = above(rules, 0, first, 0), above(rules, 1, second, first)
    upper_0, upper_1 = below(rules, 0, first, second), below(rules, 1, second, 0)
    if acorns > 0:
        _add_acorns(rules, state, 0, first | far_0 | lower_0 | upper_0, acorns)
        if rules.n_words == 2:
            _add_acorns(rules, state, 1, second | far_1 | lower_1 | upper_1, acorns)
    for k in range(1, rules.most_acorns + 1):
        near, is_far, lower, upper = near_lacks < k, far_lacks < k, lower_lacks < k, upper_lacks < k
        these = _any_of(near, first, is_far, far_0, lower, lower_0, upper, upper_0) & state.animals[0]
        those = _any_of(near, second, is_far, far_1, lower, lower_1, upper, upper_1) & state.animals[1]
        state.room_for[k, 0] &= ~around(rules, 1 - odd, 0, these, 0, those)
        if rules.n_words == 2:
            state.room_for[k, 1] &= ~around(rules, 1 - odd, 1, those, these, 0)


@helper
def _any_of(first, first_bits, second, second_bits, third, third_bits, fourth, fourth_bits):
    """Return the union of those sets whose condition holds."""
    none = np.int64(0)
    return (
        (first_bits if first else none)
        | (second_bits if second else none)
        | (third_bits if third else none)
        | (fourth_bits if fourth else none)
    )


@helper
def lay(rules, state, tile, x, y, acorn_x, acorn_y):
    """Lay a tile: bring the box, what lies where, and what may lie beside it up to date."""
    grown = _grow(rules, state, x, y, acorn_x, acorn_y)
    spot, acorn_spot = spot_of(rules, state, x, y), spot_of(rules, state, acorn_x, acorn_y)
    w, acorn_w = spot >> 6, acorn_spot >> 6
    bit, acorn_bit = np.int64(1) << (spot & 63), np.int64(1) << (acorn_spot & 63)
    state.animals[w] |= bit
    state.acorn_squares[acorn_w] |= acorn_bit
    odd = state.y_origin & 1
    for v in range(WORDS):
        if v == rules.n_words:
            break
        state.beside_animals[v] |= beside(rules, 1 - odd, v, w, bit)
        state.beside_acorns[v] |= beside(rules, odd, v, acorn_w, acorn_bit)
    square = square_at(x, y)
    state.tile[square] = tile
    state.tile[square_at(acorn_x, acorn_y)] = tile
    state.lacks[square >> 1] += rules.want[tile]
    acorns = np.int64(rules.acorns[tile])
    _feed(rules, state, acorn_x, acorn_y, acorn_w, acorn_bit, acorns)
    if grown:
        _bound(rules, state)
    else:
        state.open_animals[w] &= ~bit
        state.open_acorns[acorn_w] &= ~acorn_bit
    state.placed += 1


# --- completing animals --------------------------------------------------------------------------------------------
@helper
def newly_complete(rules, state, w):
    """Return the animals in a word that need no further neighbour but did before (R5.1, R5.2)."""
    this = state.acorn_squares[w]
    before = state.acorn_squares[0] if w > 0 else np.int64(0)
    after = state.acorn_squares[1] if w == 0 else np.int64(0)
    return (
        state.animals[w]
        & ~state.complete[w]
        & (this | state.walls[NEAR, w])
        & (far(rules, state.y_origin & 1, w, this) | state.walls[FAR, w])
        & (above(rules, w, this, before) | state.walls[ABOVE, w])
        & (below(rules, w, this, after) | state.walls[BELOW, w])
    )


@helper
def magic_beside(rules, state, x, y):
    """Return how many Magic Acorns lie beside a square."""
    n = 0
    for k in range(4):
        other = state.tile[square_at(x + step_x(y, k), y + step_y(k))]
        if other != NONE:
            n += rules.magic[other]
    return n


@helper
def _complete_animals(rules, state, seat):
    """Complete what the tile just laid completes, and score what it satisfies for `seat` (R5)."""
    first = state.n_done
    hungry = True
    for w in range(WORDS):
        if w == rules.n_words:
            break
        new = newly_complete(rules, state, w)
        state.complete[w] |= new
        while new != 0:
            step = np.int64(rules.step[w, first_bit(new)])
            new &= new - 1
            place = first_place(state) + step
            x, y = place_x(place), place_y(place)
            square = square_at(x, y)
            lacks = state.lacks[square >> 1]
            satisfied = lacks == 0 or lacks <= 10 * magic_beside(rules, state, x, y)
            i = state.n_done
            state.done_square[i] = square
            state.done_result[i] = UNPAID if satisfied else STARVED
            state.done_turn[i] = state.turn + 1
            state.n_done += 1
            hungry = hungry and not satisfied
    while not hungry and state.pieces_left[seat] > 0:  # R6.4: the greatest first
        best = -1
        most = 0
        for i in range(first, state.n_done):
            want = np.int64(rules.want[state.tile[state.done_square[i]]])
            if state.done_result[i] == UNPAID and want > most:
                best = i
                most = want
        if best < 0:
            break
        state.done_result[best] = SCORED
        state.pieces_left[seat] -= 1


# --- apply ---------------------------------------------------------------------------------------------------------
def apply(rules, state, move):
    """Play `move` for `state.seat`; return False and change nothing if it is not legal."""
    seat = state.seat
    if seat == OVER or move < 0 or move > PASS_MOVE:
        return False
    if (move == PASS_MOVE) != (state.phase == PASS):
        return False
    if move != PASS_MOVE:
        tile = np.int64(move) % TILE_CODES
        place = np.int64(move) // TILE_CODES % PLACE_CODES
        direction = np.int64(move) // (TILE_CODES * PLACE_CODES)
        held = _held_at(rules, state, seat, tile)
        if held == NONE or not _may_place(rules, state, held, direction, place):
            return False
        x, y = place_x(place), place_y(place)
        lay(rules, state, tile, x, y, x + step_x(y, direction), y + step_y(direction))
        _complete_animals(rules, state, seat)
        if rules.is_magic[tile] == 1 and state.magic_turn == 0:
            state.magic_turn = state.turn + 1
        _replace(rules, state, seat, held)
    state.turn += 1
    _end_or_go_on(rules, state, (seat + 1) % rules.n_seats)
    if seat + 1 == rules.n_seats and state.seat != OVER:
        state.round_number += 1
    return True


@helper
def _held_at(rules, state, seat, tile):
    """Return where in a hand a tile is, NONE if it is not."""
    for i in range(rules.hand_size):
        if state.hand[seat, i] == tile:
            return i
    return NONE


@helper
def _may_place(rules, state, held, direction, place):
    """Return whether a tile in hand fits on a place with its acorn in a direction."""
    if place >= N_PLACES:
        return False
    spot = spot_of(rules, state, place_x(place), place_y(place))
    return spot != NONE and (state.fits[direction, spot >> 6, held] >> (spot & 63)) & 1 == 1


@helper
def _replace(rules, state, seat, held):
    """Take a tile out of a hand and draw another, if there is one (R3.7)."""
    last = rules.hand_size - 1
    for i in range(held, last):
        state.hand[seat, i] = state.hand[seat, i + 1]
    state.hand[seat, last] = NONE
    if state.drawn < rules.n_tiles:
        draw(rules, state, seat, last)


# --- observe, redeal -----------------------------------------------------------------------------------------------
def observe(rules, state, seat, view):
    """Copy `state` to `view` and put HIDDEN wherever the order of the pile is not known (R8)."""
    copy_record(view, state)
    for i in range(state.drawn, rules.n_tiles):
        view.pile[i] = HIDDEN


def redeal(rules, view, rng):
    """Put the tiles left in the pile in a random order."""
    unseen = np.empty(MAX_TILES, np.int8)
    seen = np.zeros(MAX_TILES, np.int8)
    for i in range(view.drawn):
        seen[view.pile[i]] = 1
    n = 0
    for tile in range(rules.n_tiles):
        if seen[tile] == 0:
            unseen[n] = tile
            n += 1
    shuffle(rng, unseen, n)
    for i in range(n):
        view.pile[view.drawn + i] = unseen[i]


# --- tally ---------------------------------------------------------------------------------------------------------
def tally(rules, state, lines, ties):
    """Write a line for every scored animal, in the order scored, and return their number (R5.3)."""
    n = 0
    for i in range(state.n_done):
        if state.done_result[i] != SCORED:
            continue
        square = np.int64(state.done_square[i])
        want = np.int64(rules.want[state.tile[square]])
        x, y = square_x(state, square), square_y(state, square)
        line = lines[n]
        line.seat = (state.done_turn[i] - 1) % rules.n_seats
        line.category = 0
        line.slot = want - 1
        line.points = want
        line.x = x
        line.y = y
        line.acorns = want - state.lacks[square >> 1]
        line.magic = magic_beside(rules, state, x, y)
        line.turn = state.done_turn[i]
        n += 1
    return n


@helper
def square_x(state, square):
    """Return the x of a square number in the field."""
    return state.x_low + ((square - state.x_low) & (TORUS - 1))


@helper
def square_y(state, square):
    """Return the y of a square number in the field."""
    return state.y_low + ((square // TORUS - state.y_low) & (TORUS - 1))
