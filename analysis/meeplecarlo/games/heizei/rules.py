"""The rules of Heizei: deal, legal, apply, observe, redeal, tally. Clause numbers refer to RULES.md.

Everything here runs compiled and as plain Python with equal results: explicit loops, no I/O, no globals that change.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import MAX_SEATS, copy_record, helper, inlined
from meeplecarlo.games.heizei import MAX_STEPS, SPARE
from meeplecarlo.games.heizei.cards import (
    ALL,
    BITS,
    EACH,
    MOST,
    cards_of,
    colour_of,
    count_of,
    draw_card,
    is_part_of,
    n_cards,
)
from meeplecarlo.games.heizei.state import (
    FIRST_CARDS,
    FIRST_TILE,
    HIDDEN,
    LAST,
    N_COLOURS,
    NONE,
    OVER,
    PLAY,
    PREPARE,
    SECOND_CARDS,
    SECOND_PENALTY,
    SECOND_TILE,
    TAKE,
    TILE,
)
from meeplecarlo.streams import below

# All sets of two cards, ascending.
PAIRS = np.array(sorted((1 << BITS * a) + (1 << BITS * b) for a in range(N_COLOURS) for b in range(a + 1)), np.int64)
N_PAIRS = len(PAIRS)

MOST_SWAPS = 5000  # tried when a guess of forgotten hands is fitted to the points they scored


# --- cubes ---------------------------------------------------------------------------------------------------------
@helper
def landing(rules, state, colour, steps):
    """Return the space where a cube gets by so many steps; spaces that hold other cubes are not counted (R3.2).

    At the end of a track with an end, the return value also says in which order cubes arrived, see `state.space`.
    """
    start = state.space[colour]
    if steps == 0 or start >= rules.track:
        return start
    a, b, c = state.space[colour ^ 1], state.space[colour ^ 2], state.space[colour ^ 3]
    low, high = min(a, b), max(a, b)
    first, second, third = min(low, c), max(low, min(high, c)), max(high, c)
    end = start + steps
    end += 1 if start < first and first <= end else 0
    end += 1 if start < second and second <= end else 0
    end += 1 if start < third and third <= end else 0
    if end >= rules.track:
        end = rules.track + N_COLOURS - 1
        end -= (1 if a >= rules.track else 0) + (1 if b >= rules.track else 0) + (1 if c >= rules.track else 0)
    return end


@inlined
def place_of(space, colour):
    """Return the place of a cube, 0 is first, from the spaces of all cubes."""
    here = space[colour]
    return (
        (1 if space[colour ^ 1] > here else 0)
        + (1 if space[colour ^ 2] > here else 0)
        + (1 if space[colour ^ 3] > here else 0)
    )


# --- deal ----------------------------------------------------------------------------------------------------------
def deal(rules, state, rng):
    """Set up a game (R2): deal all cards, put the cubes on the circles in a random order."""
    state.seat = 0
    state.phase = PREPARE
    state.round_number = 1
    state.table = 0
    state.played = 0
    state.n_out = 0
    state.starter = NONE
    state.turns[0] = 0
    state.turns[1] = 0
    free = np.int64(EACH)  # circles, as a set of one card each
    for colour in range(N_COLOURS):
        circle = draw_card(free, N_COLOURS - colour, rng)
        free -= circle
        state.space[colour] = colour_of(circle) + 1
        state.first_space[colour] = 0
    cards = rules.all_cards
    left = rules.n_seats * rules.hand_size
    for seat in range(MAX_SEATS):
        hand = np.int64(0)
        if seat < rules.n_seats:
            for _ in range(rules.hand_size):
                card = draw_card(cards, left, rng)
                cards -= card
                hand += card
                left -= 1
        state.hand[seat] = hand
        state.n_hand[seat] = rules.hand_size if seat < rules.n_seats else 0
        state.collected[seat] = 0
        state.n_collected[seat] = 0
        state.laid[seat] = 0
        state.first[seat] = 0
        state.first_points[seat] = 0
        state.went_out[0, seat] = 0
        state.went_out[1, seat] = 0


# --- legal ---------------------------------------------------------------------------------------------------------
# Moves are written first and kept if they are legal: which are is a guess the processor would often miss.
def legal(rules, state, moves):
    """Write the moves of `state.seat`, ascending, to `moves` and return their number; 0 once the game is over."""
    seat = state.seat
    if seat == OVER:
        return 0
    if state.phase == TAKE:
        return _legal_takes(rules, state, moves)
    if state.phase == LAST:
        return _single_cards(state.table, moves)
    hand = np.int64(state.hand[seat])
    if state.phase == PREPARE:
        return _single_cards(hand, moves)
    n = np.int64(0)
    for colour in range(N_COLOURS):
        card = cards_of(colour, 1)
        for i in range(SPARE):
            moves[n + i] = card * (i + 1)
        count = count_of(hand, colour)
        for i in range(SPARE, count):
            moves[n + i] = card * (i + 1)
        n += count
    return n


@helper
def _single_cards(cards, moves):
    """Write one card of each colour of a set to `moves` and return their number."""
    n = 0
    for colour in range(N_COLOURS):
        moves[n] = cards_of(colour, 1)
        n += 1 if count_of(cards, colour) > 0 else 0
    return n


@helper
def _legal_takes(rules, state, moves):
    """Write every set of as many cards as were played that the table offers (R4.3).

    The table holds at most a card a seat, so at most two cards are taken or at most two are left; what is taken then
    ascends as what is left descends.
    """
    table = state.table
    wanted = n_cards(state.played)
    left = rules.n_seats - state.n_out - wanted
    if left <= 0:
        moves[0] = _all_and_own(state, -left)
        return 1
    n = 0
    if wanted == 1 or left == 1:
        for i in range(N_COLOURS):
            colour = i if wanted == 1 else N_COLOURS - 1 - i
            card = cards_of(colour, 1)
            moves[n] = card if wanted == 1 else table - card
            n += 1 if count_of(table, colour) > 0 else 0
        return n
    for i in range(N_PAIRS):
        pair = PAIRS[i if wanted == 2 else N_PAIRS - 1 - i]
        moves[n] = pair if wanted == 2 else table - pair
        n += 1 if is_part_of(pair, table) else 0
    return n


@helper
def _all_and_own(state, lacking):
    """Return what is taken when the table offers too few cards: all of it, the rest of those just played (R4.3)."""
    return state.table + cards_of(colour_of(state.played), lacking)


# --- apply ---------------------------------------------------------------------------------------------------------
def apply(rules, state, move):
    """Play `move` for `state.seat`; return False and change nothing if it is not legal."""
    seat = state.seat
    if seat == OVER or move <= 0 or move > ALL:
        return False
    if state.phase == PLAY:
        return _play(rules, state, seat, move)
    if state.phase == TAKE:
        return _take(rules, state, seat, move)
    if not _is_one_card(move):
        return False
    if state.phase == LAST:
        return _take_last(rules, state, seat, move)
    return _lay(rules, state, seat, move)


@helper
def _is_one_card(move):
    return move & (move - 1) == 0 and move & EACH != 0


@helper
def _play(rules, state, seat, move):
    """Play cards of one colour and move its cube (R4.1, R4.2)."""
    colour = colour_of(move)
    count = count_of(move, colour)
    if cards_of(colour, count) != move or count > count_of(state.hand[seat], colour):
        return False
    state.hand[seat] -= move
    state.n_hand[seat] -= count
    state.played = move
    state.space[colour] = landing(rules, state, colour, rules.steps[min(count, MAX_STEPS)])
    state.turns[state.round_number - 1] += 1
    state.phase = TAKE
    return True


@helper
def _take(rules, state, seat, move):
    """Take as many cards as were played; the played ones join the table (R4.3, R4.4)."""
    wanted = n_cards(state.played)
    left = rules.n_seats - state.n_out - wanted
    if left <= 0:
        if move != _all_and_own(state, -left):
            return False
    elif not is_part_of(move, state.table) or n_cards(move) != wanted:
        return False
    state.collected[seat] += move
    state.n_collected[seat] += wanted
    state.table += state.played - move
    state.played = 0
    if state.n_hand[seat] == 0:
        state.phase = LAST
    else:
        _next_turn(rules, state, seat)
    return True


@helper
def _take_last(rules, state, seat, move):
    """Take one more card and the biggest tile left, and go out (R4.5)."""
    if not is_part_of(move, state.table):
        return False
    state.collected[seat] += move
    state.n_collected[seat] += 1
    state.table -= move
    state.n_out += 1
    state.went_out[state.round_number - 1, seat] = state.n_out
    if state.n_out < rules.n_seats:
        _next_turn(rules, state, seat)
    elif state.round_number == 1:
        _end_first_round(rules, state)
    else:
        state.seat = OVER
    return True


@helper
def _next_turn(rules, state, seat):
    """Pass the turn clockwise to the next seat that is still in (R4.6)."""
    state.phase = PLAY
    for _ in range(rules.n_seats):
        seat += 1
        if seat == rules.n_seats:
            seat = 0
        if state.n_hand[seat] > 0:
            break
    state.seat = seat


@helper
def _lay(rules, state, seat, move):
    """Lay a card face down; after the last seat all are turned up and the cubes move (R3.1, R3.2)."""
    if state.hand[seat] & (MOST * move) == 0:
        return False
    state.hand[seat] -= move
    state.n_hand[seat] -= 1
    state.laid[seat] = move
    if seat + 1 < rules.n_seats:
        state.seat = seat + 1
        return True
    for other in range(rules.n_seats):
        state.table += state.laid[other]
        state.laid[other] = 0
    # All cubes still stand on the circles, so this lists the colours from the tail to the head, two bits each.
    order = np.int64(0)
    for colour in range(N_COLOURS):
        order |= colour << (2 * (state.space[colour] - 1))
    for i in range(N_COLOURS):
        colour = (order >> (2 * i)) & 3
        state.space[colour] = landing(rules, state, colour, count_of(state.table, colour))
    state.phase = PLAY
    state.seat = 0 if state.round_number == 1 else state.starter
    return True


@helper
def _end_first_round(rules, state):
    """Score round 1 and set up round 2 (R5): collections become hands, the cubes return to the circles in order."""
    for seat in range(rules.n_seats):
        points = rules.tiles[state.went_out[0, seat]]
        for colour in range(N_COLOURS):
            points += rules.values[0, place_of(state.space, colour)] * count_of(state.collected[seat], colour)
        state.first_points[seat] = points
        state.first[seat] = state.collected[seat]
        state.hand[seat] = state.collected[seat]
        state.n_hand[seat] = state.n_collected[seat]
        state.collected[seat] = 0
        state.n_collected[seat] = 0
    state.starter = 0
    for seat in range(1, rules.n_seats):
        more = state.first_points[seat] - state.first_points[state.starter]
        smaller = rules.tiles[state.went_out[0, state.starter]] - rules.tiles[state.went_out[0, seat]]
        if more > 0 or (more == 0 and smaller > 0):
            state.starter = seat
    for colour in range(N_COLOURS):
        state.first_space[colour] = state.space[colour]
    for colour in range(N_COLOURS):
        state.space[colour] = N_COLOURS - place_of(state.first_space, colour)
    state.n_out = 0
    state.round_number = 2
    state.phase = PREPARE
    state.seat = 0


# --- observe, redeal -----------------------------------------------------------------------------------------------
def observe(rules, state, seat, view):
    """Copy `state` to `view` and put HIDDEN wherever `seat` cannot know what lies there (R7)."""
    copy_record(view, state)
    if state.round_number == 1 or rules.remembered == 0:
        for other in range(MAX_SEATS):
            secret = (other != seat) & (state.n_hand[other] > 0)
            view.hand[other] = HIDDEN if secret else state.hand[other]
    if state.phase == PREPARE:
        for other in range(MAX_SEATS):
            if other != seat and state.laid[other] != 0:
                view.laid[other] = HIDDEN
                view.hand[other] = HIDDEN  # a hand of round 2 is as unknown as the card that was laid from it
    if rules.remembered == 0:
        for other in range(MAX_SEATS):
            if other != seat and state.n_collected[other] > 0:
                view.collected[other] = HIDDEN
            if other != seat and state.first[other] != 0:
                view.first[other] = HIDDEN


def redeal(rules, view, rng):
    """Replace every HIDDEN of `view` by a random guess that agrees with all the seat knows (R7.4)."""
    if rules.remembered == 1 and view.round_number == 2:
        for seat in range(rules.n_seats):
            if view.laid[seat] == HIDDEN:
                view.laid[seat] = draw_card(view.first[seat], rules.hand_size, rng)
                view.hand[seat] = view.first[seat] - view.laid[seat]
        return
    if view.round_number == 2:
        _redeal_forgotten(rules, view, rng)
        return
    unseen = unseen_cards(rules, view)
    n = np.int64(0)
    for seat in range(rules.n_seats):
        n += _n_hidden(view, seat)
    for seat in range(rules.n_seats):
        unseen, n = _fill(view, seat, unseen, n, rng)


@helper
def unseen_cards(rules, view):
    """Return the set of the cards whose place is hidden in `view`: more than 30 of them are possible."""
    unseen = rules.all_cards - view.table - view.played
    for seat in range(rules.n_seats):
        unseen -= max(0, view.hand[seat]) + max(0, view.laid[seat]) + max(0, view.collected[seat])
    return unseen


@helper
def _n_hidden(view, seat):
    """Return how many cards of a seat are hidden."""
    n = np.int64(0)
    if view.hand[seat] == HIDDEN:
        n += view.n_hand[seat]
    if view.laid[seat] == HIDDEN:
        n += 1
    if view.collected[seat] == HIDDEN:
        n += view.n_collected[seat]
    return n


@helper
def draw_cards(cards, n, count, rng):
    """Return a random set of `count` cards of a set that holds `n`."""
    drawn = np.int64(0)
    for _ in range(count):
        card = draw_card(cards, n, rng)
        cards -= card
        n -= 1
        drawn += card
    return drawn


@helper
def _fill(view, seat, unseen, n, rng):
    """Fill what is hidden of a seat from `unseen`, a set of `n` cards; return what is left of the set and its size."""
    if view.hand[seat] == HIDDEN:
        view.hand[seat] = draw_cards(unseen, n, view.n_hand[seat], rng)
        unseen -= view.hand[seat]
        n -= view.n_hand[seat]
    if view.laid[seat] == HIDDEN:
        view.laid[seat] = draw_cards(unseen, n, 1, rng)
        unseen -= view.laid[seat]
        n -= 1
    if view.collected[seat] == HIDDEN:
        view.collected[seat] = draw_cards(unseen, n, view.n_collected[seat], rng)
        unseen -= view.collected[seat]
        n -= view.n_collected[seat]
    return unseen, n


@helper
def _redeal_forgotten(rules, view, rng):
    """Guess round 2 where nobody remembers who collected what: hands, collections and what was collected in round 1."""
    own = 0
    while view.first[own] == HIDDEN:
        own += 1
    before = np.int64(view.first[own] - view.hand[own] - view.laid[own])  # played or laid in public by the own seat
    seen = view.table + view.played + view.collected[own]
    owed = np.int64(0)  # what others must have taken: cards the own seat gave away that it does not see any more
    n_owed = np.int64(0)
    for colour in range(N_COLOURS):
        gone = max(0, count_of(before, colour) - count_of(seen, colour))
        owed += cards_of(colour, gone)
        n_owed += gone
    n_unseen, n_taken, n_played = np.int64(0), np.int64(0), np.int64(0)
    for seat in range(rules.n_seats):
        if seat != own:
            n_unseen += _n_hidden(view, seat)
            n_taken += view.n_collected[seat]
            n_played += _n_played(rules, view, seat)
    unseen = unseen_cards(rules, view)
    taken = owed + draw_cards(unseen - owed, n_unseen - n_owed, n_taken - n_owed, rng)
    played = taken + seen - before
    unseen -= taken
    n_unseen -= n_taken
    for seat in range(rules.n_seats):
        if view.collected[seat] == HIDDEN:
            view.collected[seat] = draw_cards(taken, n_taken, view.n_collected[seat], rng)
            taken -= view.collected[seat]
            n_taken -= view.n_collected[seat]
    for seat in range(rules.n_seats):
        if seat != own:
            unseen, n_unseen = _fill(view, seat, unseen, n_unseen, rng)
            part = draw_cards(played, n_played, _n_played(rules, view, seat), rng)
            played -= part
            n_played -= _n_played(rules, view, seat)
            view.first[seat] = view.hand[seat] + view.laid[seat] + part
    _fit_to_points(rules, view, own, rng)


@helper
def _n_played(rules, view, seat):
    """Return how many cards of its hand a seat has played or laid in public in this round."""
    return rules.hand_size - view.n_hand[seat] - (1 if view.laid[seat] != 0 else 0)


@helper
def _fit_to_points(rules, view, own, rng):
    """Swap cards between guessed hands, or between guessed played cards, until round 1 scores what it did.

    With place values far apart the last points may not fit within MOST_SWAPS attempts.
    """
    excess = np.zeros(MAX_SEATS, np.int64)  # points by which the guess is too good for the seat
    wrong = np.int64(0)
    for seat in range(rules.n_seats):
        excess[seat] = rules.tiles[view.went_out[0, seat]] - view.first_points[seat]
        for colour in range(N_COLOURS):
            excess[seat] += rules.values[0, place_of(view.first_space, colour)] * count_of(view.first[seat], colour)
        wrong += abs(excess[seat])
    for _ in range(MOST_SWAPS):
        if wrong == 0:
            break
        a, b = below(rng, rules.n_seats), below(rng, rules.n_seats)
        if a == b or a == own or b == own:
            continue
        in_hand = below(rng, 2) == 0
        n_a = np.int64(view.n_hand[a]) if in_hand else _n_played(rules, view, a)
        n_b = np.int64(view.n_hand[b]) if in_hand else _n_played(rules, view, b)
        if n_a == 0 or n_b == 0:
            continue
        from_a = view.hand[a] if in_hand else view.first[a] - view.hand[a] - view.laid[a]
        from_b = view.hand[b] if in_hand else view.first[b] - view.hand[b] - view.laid[b]
        card_a, card_b = draw_card(from_a, n_a, rng), draw_card(from_b, n_b, rng)
        gain = rules.values[0, place_of(view.first_space, colour_of(card_b))]
        gain -= rules.values[0, place_of(view.first_space, colour_of(card_a))]
        change = abs(excess[a] + gain) + abs(excess[b] - gain) - abs(excess[a]) - abs(excess[b])
        if change > 0:
            continue
        excess[a] += gain
        excess[b] -= gain
        wrong += change
        view.first[a] += card_b - card_a
        view.first[b] += card_a - card_b
        if in_hand:
            view.hand[a] += card_b - card_a
            view.hand[b] += card_a - card_b


# --- tally ---------------------------------------------------------------------------------------------------------
def tally(rules, state, lines, ties):
    """Write the lines of the rounds scored so far and return their number; set the tie-break values (R5, R6)."""
    n = 0
    if state.round_number == 2:
        for seat in range(rules.n_seats):
            for colour in range(N_COLOURS):
                count = count_of(state.first[seat], colour)
                if count > 0:
                    place = place_of(state.first_space, colour)
                    points = count * rules.values[0, place]
                    n = _write(lines, n, seat, FIRST_CARDS, colour, points, 1, count, place + 1)
            n = _write_tile(rules, lines, n, seat, FIRST_TILE, 1, state.went_out[0, seat])
    scored = state.seat == OVER
    for seat in range(rules.n_seats):
        ties[seat, 0] = rules.tiles[state.went_out[1, seat]] if scored else 0
        if scored:
            negative = most_frequent(state, seat) if rules.penalty == 1 else N_COLOURS
            for colour in range(N_COLOURS):
                count = count_of(state.collected[seat], colour)
                if count > 0:
                    place = place_of(state.space, colour)
                    points = count * rules.values[1, place]
                    if colour == negative:
                        n = _write(lines, n, seat, SECOND_PENALTY, colour, -points, 2, count, place + 1)
                    else:
                        n = _write(lines, n, seat, SECOND_CARDS, colour, points, 2, count, place + 1)
            n = _write_tile(rules, lines, n, seat, SECOND_TILE, 2, state.went_out[1, seat])
    return n


@helper
def most_frequent(state, seat):
    """Return the colour a seat has collected most of; of several, the one whose cube is furthest ahead (R6.2)."""
    best, most = 0, -1
    for colour in range(N_COLOURS):
        rank = N_COLOURS * count_of(state.collected[seat], colour) + N_COLOURS - 1 - place_of(state.space, colour)
        if rank > most:
            best, most = colour, rank
    return best


@helper
def _write_tile(rules, lines, n, seat, category, in_round, went_out):
    """Write the line of a seat's tile, if it got one, and return the number of lines."""
    if went_out == 0 or went_out == rules.n_seats:
        return n
    return _write(lines, n, seat, category, TILE, rules.tiles[went_out], in_round, 0, 0)


@helper
def _write(lines, n, seat, category, slot, points, in_round, cards, place):
    line = lines[n]
    line.seat = seat
    line.category = category
    line.slot = slot
    line.points = points
    line.in_round = in_round
    line.cards = cards
    line.place = place
    return n + 1
