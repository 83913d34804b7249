"""The rules of Fujiyama: deal, legal, apply, observe, redeal, tally. Clause numbers refer to RULES.md.

Everything here runs compiled and as plain Python with equal results: explicit loops, no I/O, no globals that change.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from meeplecarlo.compiled import MAX_SEATS, copy_record, helper
from meeplecarlo.games.fujiyama.mountain import FLATLAND_AT, FOREST_AT, N_CELLS, N_FLATLANDS, N_FORESTS
from meeplecarlo.games.fujiyama.state import (
    CHOOSE,
    FLATLAND,
    HIDDEN,
    LEFT,
    MAX_BOARDS,
    MIXED,
    NONE,
    OVER,
    PASS,
    PLACE,
    RIGHT,
    ROUNDS,
    SOURCE_STEP,
    TRUMP,
    TRUMP_SOURCE,
)
from meeplecarlo.games.season_tiles import AUTUMN, MAX_TILES, SPRING, SUMMER, WINTER
from meeplecarlo.streams import below, shuffle

# --- how tokens may lie on a tile ----------------------------------------------------------------------------------
# An arrangement is top + 4 * lower_left + 16 * lower_right, each 0 for an empty segment or 1 + animal.
N_ARRANGEMENTS = 64


def _arrangement_tables():
    """Distinct arrangements for every multiset of tokens (rabbits + 4 * squirrels + 16 * foxes), ascending."""
    table = np.full((N_ARRANGEMENTS, 6), -1, np.int64)
    count = np.zeros(N_ARRANGEMENTS, np.int64)
    keys = np.zeros(N_ARRANGEMENTS, np.int64)
    for code in range(N_ARRANGEMENTS):
        segments = (code % 4, code // 4 % 4, code // 16)
        key = sum(segments.count(1 + animal) * 4**animal for animal in range(3))
        table[key, count[key]] = code
        count[key] += 1
        keys[code] = key
    return table, count, keys


ARRANGEMENTS, ARRANGEMENT_COUNT, ARRANGEMENT_KEY = _arrangement_tables()
KINDS = np.array([sum(bits) for bits in product((0, 1), repeat=3)], np.int8)  # bits set in 0..7


@helper
def place_code(tile, cell, turn, arrangement):
    """Return the move that lays `tile` on `cell`, turned clockwise by `turn` thirds, with these tokens (R5.2)."""
    return ((tile * N_CELLS + cell) * 3 + turn) * N_ARRANGEMENTS + arrangement


@helper
def tile_in_play(state, seat):
    """Return the tile `seat` chose and has not laid yet."""
    source = state.chosen[seat]
    return np.int64(state.trump[seat] if source == TRUMP_SOURCE else state.choice[seat, source])


@helper
def icon_at(rules, tile, turn, corner):
    """Return the icon at a corner (0 bottom, 1 upper left, 2 upper right) of a tile turned clockwise by thirds."""
    return np.int64(rules.icons[tile, (corner - turn + 3) % 3])


@helper
def turns_of(rules, tile):
    """Return in how many different ways `tile` can be laid: one, or three where turning is allowed and shows."""
    icons = rules.icons
    same = icons[tile, 0] == icons[tile, 1] and icons[tile, 1] == icons[tile, 2]
    return 3 if rules.turn_thirds == 1 and not same else 1


@helper
def tokens_key(state, seat):
    """Return the multiset of tokens `seat` has to place, as the key of ARRANGEMENTS."""
    received = state.received
    return np.int64(received[seat, 0]) + 4 * np.int64(received[seat, 1]) + 16 * np.int64(received[seat, 2])


# --- scoring -------------------------------------------------------------------------------------------------------
@helper
def forest_points(rules, season, total, winter_forests):
    """Return the points of a complete forest (R6.1-R6.5).

    Parameters
    ----------
    season : int
        Season or MIXED.
    total : int
        What `state.forest_sum` holds.
    winter_forests : int
        Complete winter forests on the mountain.
    """
    if season == SPRING:
        return rules.spring_base + rules.spring_per_blossom * total
    if season == SUMMER:
        return rules.summer_base + rules.summer_factor * (total & 15) * (total >> 4)
    if season == AUTUMN:
        return rules.autumn_points[KINDS[total & 7]]
    if season == WINTER:
        return rules.winter_base + rules.winter_per_forest * winter_forests
    return rules.mixed_points


@helper
def add_icon(state, seat, forest, icon):
    """Add an icon to a forest of `seat`. Written without branches: which season meets which cannot be foreseen."""
    season = icon >> 8
    value = icon & 255
    before = np.int64(state.forest_season[seat, forest])
    total = np.int64(state.forest_sum[seat, forest])
    icons = state.forest_icons[seat, forest] + 1
    same = season if before == season else np.int64(MIXED)
    state.forest_icons[seat, forest] = icons
    state.forest_season[seat, forest] = season if before == NONE else same
    # The sum of a mixed forest means nothing, it only has to fit.
    state.forest_sum[seat, forest] = (total | value if season == AUTUMN else total + value) & 255
    state.winter_forests[seat] += 1 if icons == 3 and same == WINTER else 0


# --- deal ----------------------------------------------------------------------------------------------------------
@helper
def draw(rules, state, seat):
    """Draw the next tile of `seat`'s deck and return it."""
    place = seat * rules.deck_size + state.drawn[seat]
    tile = state.stock[place]
    state.stock[place] = NONE
    state.drawn[seat] += 1
    return tile


def deal(rules, state, rng):
    """Set up a game (R2): shuffle and deal boards and tiles; every seat draws three tiles."""
    boards = np.empty(MAX_BOARDS, np.int8)
    for i in range(rules.n_boards):
        boards[i] = i
    shuffle(rng, boards, rules.n_boards)
    order = np.empty(MAX_TILES, np.int8)
    for i in range(MAX_TILES):
        order[i] = i if i < rules.n_tiles else NONE
    shuffle(rng, order, rules.n_tiles)
    for i in range(MAX_TILES):
        state.stock[i] = order[i]
    for i in range(2):
        for j in range(ROUNDS):
            state.discard[i, j] = NONE
    for seat in range(MAX_SEATS):
        state.board[seat] = boards[seat] if seat < rules.n_seats else NONE
        _clear_seat(state, seat)
        if seat < rules.n_seats:
            for i in range(3):
                state.hand[seat, i] = draw(rules, state, seat)
            for forest in range(N_FORESTS):
                for i in range(2):
                    icon = np.int64(rules.print[state.board[seat], forest, i])
                    if icon != NONE:
                        add_icon(state, seat, forest, icon)
    state.seat = 0
    state.phase = TRUMP
    state.round_number = 1


@helper
def _clear_seat(state, seat):
    """Empty everything that lies before `seat`."""
    state.drawn[seat] = 0
    state.trump[seat] = NONE
    state.pending[seat] = NONE
    state.chosen[seat] = NONE
    state.winter_forests[seat] = 0
    for i in range(2):
        state.choice[seat, i] = NONE
    for i in range(3):
        state.hand[seat, i] = NONE
        state.shown[seat, i] = 0
        state.received[seat, i] = 0
    for cell in range(N_CELLS):
        state.cell[seat, cell] = NONE
        state.turn[seat, cell] = 0
        state.tokens[seat, cell] = 0
    for flatland in range(N_FLATLANDS):
        state.flatland[seat, flatland] = 0
    for forest in range(N_FORESTS):
        state.forest_icons[seat, forest] = 0
        state.forest_season[seat, forest] = NONE
        state.forest_sum[seat, forest] = 0


# --- legal ---------------------------------------------------------------------------------------------------------
def legal(rules, state, moves):
    """Write the moves of `state.seat`, ascending, to `moves` and return their number; 0 once the game is over."""
    seat = state.seat
    if seat == OVER:
        return 0
    if state.phase == PLACE:
        return _legal_places(rules, state, seat, moves)
    if state.phase == CHOOSE:
        moves[0] = SOURCE_STEP * LEFT + np.int64(state.choice[seat, LEFT])
        moves[1] = SOURCE_STEP * RIGHT + np.int64(state.choice[seat, RIGHT])
        if state.trump[seat] == NONE or rules.trump_allowed == 0:
            return 2
        moves[2] = SOURCE_STEP * TRUMP_SOURCE + np.int64(state.trump[seat])
        return 3
    if state.phase == PASS:
        moves[0] = min(state.hand[seat, 0], state.hand[seat, 1])
        moves[1] = max(state.hand[seat, 0], state.hand[seat, 1])
        return 2
    for i in range(3):  # insertion sort of the three tiles in hand
        tile = state.hand[seat, i]
        j = i
        while j > 0 and moves[j - 1] > tile:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = tile
    return 3


@helper
def _legal_places(rules, state, seat, moves):
    key = tokens_key(state, seat)
    tile = tile_in_play(state, seat)
    turns = turns_of(rules, tile)
    arrangements = ARRANGEMENT_COUNT[key]
    n = 0
    for cell in range(N_CELLS):
        # Written for every cell and kept for the free ones: which are free is a guess the processor often misses.
        m = n
        for turn in range(turns):
            for i in range(arrangements):
                moves[m] = place_code(tile, cell, turn, ARRANGEMENTS[key, i])
                m += 1
        n = m if state.cell[seat, cell] == NONE else n
    return n


# --- apply ---------------------------------------------------------------------------------------------------------
def apply(rules, state, move):
    """Play `move` for `state.seat`; return False and change nothing if it is not legal."""
    seat = state.seat
    if seat == OVER or move < 0:
        return False
    if state.phase == PLACE:
        if not _place(rules, state, seat, move):
            return False
    else:
        if state.phase == CHOOSE:
            if not _is_choice(rules, state, seat, move):
                return False
        elif not _holds(state, seat, move):
            return False
        state.pending[seat] = move
    if seat + 1 < rules.n_seats:
        state.seat = seat + 1
        return True
    state.seat = 0
    if state.phase == TRUMP:
        _set_trumps(rules, state)
        state.phase = PASS
    elif state.phase == PASS:
        _hand_over(rules, state)
        state.phase = CHOOSE
    elif state.phase == CHOOSE:
        _send_tokens(rules, state)
        state.phase = PLACE
    elif state.round_number == ROUNDS:
        state.seat = OVER
    else:
        state.round_number += 1
        _replenish(rules, state)
        state.phase = PASS
    return True


@helper
def _holds(state, seat, tile):
    hand = state.hand
    return (hand[seat, 0] == tile) | (hand[seat, 1] == tile) | (hand[seat, 2] == tile)


@helper
def _is_choice(rules, state, seat, move):
    source = move // SOURCE_STEP
    tile = move % SOURCE_STEP
    if source == TRUMP_SOURCE:
        return rules.trump_allowed == 1 and state.trump[seat] == tile
    return source < TRUMP_SOURCE and state.choice[seat, source] == tile


@helper
def _set_trumps(rules, state):
    """Lay every trump face up; the other two tiles are the hand (R3.1)."""
    for seat in range(rules.n_seats):
        for i in range(2):
            if state.hand[seat, i] == state.pending[seat]:
                state.hand[seat, i] = state.hand[seat, 2]
        state.trump[seat] = state.pending[seat]
        state.hand[seat, 2] = NONE
        state.pending[seat] = NONE


@helper
def _hand_over(rules, state):
    """Pass the tiles and flip them: from here on everybody sees them (R3.3, R3.4).

    A tile for the left neighbour lies in that seat's right choice area: it came from its right neighbour.
    """
    n = rules.n_seats
    for seat in range(n):
        given = 0 if state.hand[seat, 0] == state.pending[seat] else 1
        kept = 1 - given
        if n == 2:
            state.choice[1 - seat, LEFT] = state.hand[seat, given]
            state.discard[seat, state.round_number - 1] = state.hand[seat, kept]
            state.choice[seat, RIGHT] = draw(rules, state, seat)
        else:
            state.choice[(seat + 1) % n, RIGHT] = state.hand[seat, given]
            state.choice[(seat + n - 1) % n, LEFT] = state.hand[seat, kept]
        state.pending[seat] = NONE
        for i in range(2):
            state.hand[seat, i] = NONE
            state.shown[seat, i] = 0


@helper
def token_receiver(n_seats, seat, source):
    """Return the seat that gets the token when `seat` chooses from `source`, or NONE (R5.1).

    It is the seat that gave the tile; with two seats nobody gave the right one, and its token leaves the game.
    """
    if source == TRUMP_SOURCE:
        return seat
    if source == LEFT:
        return (seat + 1) % n_seats
    return NONE if n_seats == 2 else (seat + n_seats - 1) % n_seats


@helper
def _send_tokens(rules, state):
    """Reveal the choices and pass every token to the giver of the tile (R4, R5.1)."""
    n = rules.n_seats
    for seat in range(n):
        for animal in range(3):
            state.received[seat, animal] = 0
    for seat in range(n):
        source = state.pending[seat] // SOURCE_STEP
        receiver = token_receiver(n, seat, source)
        if receiver != NONE:
            state.received[receiver, rules.animals[state.board[seat], state.round_number - 1]] += 1
        state.chosen[seat] = source
        state.pending[seat] = NONE


@helper
def _place(rules, state, seat, move):
    """Lay the chosen tile and all received tokens (R5.2, R5.3); return False if the move is not legal."""
    arrangement = move % N_ARRANGEMENTS
    turn = move // N_ARRANGEMENTS % 3
    cell = move // (3 * N_ARRANGEMENTS) % N_CELLS
    tile = move // (3 * N_ARRANGEMENTS * N_CELLS)
    if tile != tile_in_play(state, seat) or state.cell[seat, cell] != NONE or turn >= turns_of(rules, tile):
        return False
    if ARRANGEMENT_KEY[arrangement] != tokens_key(state, seat):
        return False
    if state.chosen[seat] == TRUMP_SOURCE:
        state.trump[seat] = NONE
    else:
        state.choice[seat, state.chosen[seat]] = NONE
    state.cell[seat, cell] = tile
    state.turn[seat, cell] = turn
    state.tokens[seat, cell] = arrangement
    for corner in range(3):
        forest = np.int64(FOREST_AT[cell, corner])
        if forest >= 0:
            add_icon(state, seat, forest, icon_at(rules, tile, turn, corner))
        token = (arrangement >> (2 * corner)) & 3
        state.flatland[seat, FLATLAND_AT[cell, corner]] |= (1 << token) >> 1  # no bit where there is no token
    return True


@helper
def _replenish(rules, state):
    """Take back the choice tiles that were not laid and draw up to two (R3.2)."""
    for seat in range(rules.n_seats):
        n = 0
        for source in range(2):
            if state.choice[seat, source] != NONE:
                state.hand[seat, n] = state.choice[seat, source]
                state.shown[seat, n] = 1
                state.choice[seat, source] = NONE
                n += 1
        while n < 2:
            state.hand[seat, n] = draw(rules, state, seat)
            state.shown[seat, n] = 0
            n += 1
        state.chosen[seat] = NONE
        for animal in range(3):
            state.received[seat, animal] = 0


# --- observe, redeal -----------------------------------------------------------------------------------------------
def observe(rules, state, seat, view):
    """Copy `state` to `view` and put HIDDEN wherever `seat` cannot know what lies there (R7)."""
    # Every seat and every tile the box could hold is gone over: loops of fixed length without branches are faster.
    copy_record(view, state)
    for i in range(MAX_TILES):
        view.stock[i] = HIDDEN if state.stock[i] >= 0 else NONE
    for other in range(MAX_SEATS):
        for i in range(3):
            secret = state.hand[other, i] >= 0 and state.shown[other, i] == 0 and other != seat
            view.hand[other, i] = HIDDEN if secret else state.hand[other, i]
        secret = state.pending[other] >= 0 and other != seat
        view.pending[other] = HIDDEN if secret else state.pending[other]


@helper
def mark_seen(rules, view, seen):
    """Set ``seen[tile]`` (uint8, MAX_TILES) to 1 for every tile whose place is known in `view`, 0 for the others."""
    for i in range(MAX_TILES):
        seen[i] = 0
    for seat in range(rules.n_seats):
        for i in range(3):
            if view.hand[seat, i] >= 0:
                seen[view.hand[seat, i]] = 1
        for i in range(2):
            if view.choice[seat, i] >= 0:
                seen[view.choice[seat, i]] = 1
        if view.trump[seat] >= 0:
            seen[view.trump[seat]] = 1
        for cell in range(N_CELLS):
            if view.cell[seat, cell] >= 0:
                seen[view.cell[seat, cell]] = 1
    if rules.n_seats == 2:
        for seat in range(2):
            for i in range(ROUNDS):
                if view.discard[seat, i] >= 0:
                    seen[view.discard[seat, i]] = 1


def redeal(rules, view, rng):
    """Replace every HIDDEN of `view` by a random guess that agrees with all the seat knows."""
    seen = np.empty(MAX_TILES, np.uint8)
    mark_seen(rules, view, seen)
    unseen = np.empty(MAX_TILES, np.int8)
    n = 0
    for tile in range(rules.n_tiles):
        if seen[tile] == 0:
            unseen[n] = tile
            n += 1
    shuffle(rng, unseen, n)
    for i in range(rules.n_tiles):
        if view.stock[i] == HIDDEN:
            n -= 1
            view.stock[i] = unseen[n]
    for seat in range(rules.n_seats):
        for i in range(3):
            if view.hand[seat, i] == HIDDEN:
                n -= 1
                view.hand[seat, i] = unseen[n]
    for seat in range(rules.n_seats):
        if view.pending[seat] == HIDDEN:
            view.pending[seat] = _guess_pending(rules, view, seat, rng)


@helper
def _guess_pending(rules, view, seat, rng):
    """Return a random legal answer of `seat` to the simultaneous question that is being asked."""
    if view.phase == CHOOSE:
        options = 3 if view.trump[seat] != NONE and rules.trump_allowed == 1 else 2
        source = below(rng, options)
        tile = view.trump[seat] if source == TRUMP_SOURCE else view.choice[seat, source]
        return SOURCE_STEP * source + np.int64(tile)
    return np.int64(view.hand[seat, below(rng, 3 if view.phase == TRUMP else 2)])


# --- tally ---------------------------------------------------------------------------------------------------------
def tally(rules, state, lines, ties):
    """Write the scored items of the position to `lines` and return their number (R6).

    Complete forests score, mixed ones too (usually 0), and every flatland with an animal on it. In the middle of a
    game this is what stands on the mountains so far. ``ties[seat, 0]`` becomes the seasonal points.
    """
    n = 0
    for seat in range(rules.n_seats):
        seasonal = 0
        for forest in range(N_FORESTS):
            if state.forest_icons[seat, forest] < 3:
                continue
            season = np.int64(state.forest_season[seat, forest])
            total = np.int64(state.forest_sum[seat, forest])
            line = lines[n]
            line.seat = seat
            line.category = season
            line.slot = forest
            line.points = forest_points(rules, season, total, np.int64(state.winter_forests[seat]))
            line.blossoms = total if season == SPRING else 0
            line.conifers = total & 15 if season == SUMMER else 0
            line.broadleaves = total >> 4 if season == SUMMER else 0
            line.kinds = KINDS[total & 7] if season == AUTUMN else 0
            seasonal += line.points
            n += 1
        for flatland in range(N_FLATLANDS):
            kinds = KINDS[state.flatland[seat, flatland]]
            if kinds == 0:
                continue
            line = lines[n]
            line.seat = seat
            line.category = FLATLAND
            line.slot = N_FORESTS + flatland
            line.points = rules.flatland_points[kinds]
            line.blossoms = 0
            line.conifers = 0
            line.broadleaves = 0
            line.kinds = kinds
            n += 1
        ties[seat, 0] = seasonal if rules.tie_seasonal == 1 else 0
    return n
