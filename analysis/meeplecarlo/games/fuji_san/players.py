"""The scripted players of Fuji-san.

All but ``random`` look at a position in one way. A *pit* of a seat is a space whose neighbours all hold its pyramids:
whatever opposing pyramid stands there can be captured, and since a turn may put a pyramid of either seat, so can any
opposing pyramid that is carried there. So what a seat can capture in its next turn follows from its pits and from the
spaces that lack one neighbour to be one, without trying all turns (`worth`).

In the capture phase a player plans a whole turn when it is asked for its first pyramid: which pyramid is discarded,
which one is moved (or put back) and where, and what is captured then. The plan is kept in memory for the other
decisions of the turn; asked in the middle of a turn without one, the player plans the rest.

A player is a set of weights, so every difference between players has a name and can be set in a player spec.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper
from meeplecarlo.games.choosing import VERY_LOW, choose_random, count_bits, keep_better
from meeplecarlo.games.fuji_san import MAX_SPACES
from meeplecarlo.games.fuji_san.rules import bit, count_neighbours, first_of, has, kind_at, pits_of, without_first
from meeplecarlo.games.fuji_san.state import CAPTURE, NONE, NOTHING, PLACE, PUT, REMOVE, TAKE_FIRST
from meeplecarlo.registry import Player, Weight, weighted_player
from meeplecarlo.streams import uniform

# Weights by index; WEIGHTS below names and explains them.
(
    W_CAPTURE,
    W_ANSWER,
    W_NEXT,
    W_PITS,
    W_RIVAL_PITS,
    W_ALMOST,
    W_MEN,
    W_BURDEN,
    W_BUILD,
    W_BLOCK,
    W_SMALL_FIRST,
    W_LARGE_LAST,
    W_SAFE,
    W_AXIS,
    W_GRAB,
    W_NOISE,
) = range(16)

# Memory of a turn: the round it was planned in, and the moves planned for the decisions after the first.
PLANNED_ROUND, PLANNED_SECOND, PLANNED_PUT, PLANNED_CAPTURE = range(4)
OPEN = -1  # planned move: decide when asked

CAPTURES = NOTHING + 1  # moves of a capture, for packing one behind a turn

N_DISCARDS, N_MOVES = 8, 16  # discards and moves, best on their own, that are tried together


# --- what a position is worth --------------------------------------------------------------------------------------
@helper
def pips_at(rules, medium, large, space):
    """Return the pips of the pyramid on a space, from the sets of medium and large ones."""
    if has(large, space):
        return rules.pips[2]
    return rules.pips[1] if has(medium, space) else rules.pips[0]


@helper
def most_pips(rules, pieces, medium, large):
    """Return the pips of the most valuable pyramid in a set; 0 for none."""
    most = np.int64(0)
    if pieces & ~(medium | large) != 0:
        most = max(most, rules.pips[0])
    if pieces & medium != 0:
        most = max(most, rules.pips[1])
    if pieces & large != 0:
        most = max(most, rules.pips[2])
    return most


@helper
def sum_pips(rules, pieces, medium, large):
    """Return the pips of all pyramids in a set."""
    small = pieces & ~(medium | large)
    return (
        rules.pips[0] * count_bits(small)
        + rules.pips[1] * count_bits(pieces & medium)
        + rules.pips[2] * count_bits(pieces & large)
    )


@helper
def worth(rules, weights, mine, theirs, medium, large):
    """Return what a position is worth to a seat whose turn has just ended.

    Parameters
    ----------
    mine, theirs, medium, large : int64
        Sets of spaces with pyramids of the seat, of its opponent, and of these sizes.
    """
    men, rivals = count_bits(mine), count_bits(theirs)
    total = men + rivals
    # A capture needs the captured pyramid, those around it, and one more to discard.
    three = rules.three if total >= 5 else np.int64(0)
    two = rules.board & ~rules.three if total >= 4 else np.int64(0)
    ones, twos = count_neighbours(rules, mine)
    pits = (two & twos & ~ones) | (three & twos & ones)
    almost = (two & ones & ~twos) | (three & twos & ~ones)
    ones, twos = count_neighbours(rules, theirs)
    rival_pits = (two & twos & ~ones) | (three & twos & ones)
    rival_almost = (two & ones & ~twos) | (three & twos & ~ones)
    # With a pit, any opposing pyramid can be captured; with one neighbour lacking, and a pyramid left to fill in, the
    # one that stands there.
    if pits != 0:
        prey = theirs
    else:
        prey = almost & theirs & ((two if men >= 2 else 0) | (three if men >= 3 else 0))
    if rival_pits != 0:
        rival_prey = mine
    else:
        rival_prey = rival_almost & mine & ((two if rivals >= 2 else 0) | (three if rivals >= 3 else 0))
    return (
        weights[W_NEXT] * most_pips(rules, prey, medium, large)
        - weights[W_ANSWER] * most_pips(rules, rival_prey, medium, large)
        + weights[W_PITS] * count_bits(pits)
        - weights[W_RIVAL_PITS] * count_bits(rival_pits)
        + weights[W_ALMOST] * (count_bits(almost) - count_bits(rival_almost))
        + weights[W_MEN] * (men - rivals)
        - weights[W_BURDEN] * (sum_pips(rules, mine, medium, large) - sum_pips(rules, theirs, medium, large))
    )


@helper
def turn_worth(rules, weights, mine, theirs, medium, large):
    """Return what a turn is worth after its put: the best capture there is now, and the position then."""
    prey = pits_of(rules, mine) & theirs
    best = 0.0
    if prey != 0:
        most = most_pips(rules, prey, medium, large)
        best = weights[W_CAPTURE] * most
        while pips_at(rules, medium, large, first_of(prey)) != most:
            prey = without_first(prey)
        left = ~bit(first_of(prey))
        theirs &= left
        medium &= left
        large &= left
    return best + worth(rules, weights, mine, theirs, medium, large)


@helper
def change_worth(rules, weights, view, seat, gone, kind, place):
    """Return what a turn is worth that takes the set `gone` off the board and puts `kind` on `place` (or nothing)."""
    mine, theirs = view.owned[seat] & ~gone, view.owned[1 - seat] & ~gone
    medium, large = view.sized[1] & ~gone, view.sized[2] & ~gone
    if kind != NONE:
        if kind // 3 == seat:
            mine |= bit(place)
        else:
            theirs |= bit(place)
        if kind % 3 == 1:
            medium |= bit(place)
        elif kind % 3 == 2:
            large |= bit(place)
    return turn_worth(rules, weights, mine, theirs, medium, large)


# --- planning a turn -----------------------------------------------------------------------------------------------
@helper
def keep_top(values, plans, size, value, plan):
    """Keep `plan` if its `value` is among the `size` greatest; both arrays are ordered, greatest first."""
    if value <= values[size - 1]:
        return
    i = size - 1
    while i > 0 and values[i - 1] < value:
        values[i] = values[i - 1]
        plans[i] = plans[i - 1]
        i -= 1
    values[i] = value
    plans[i] = plan


@helper
def pack(discard, moved, place):
    """Return a turn as one number: the spaces of the discarded and of the moved pyramid, and where that is put."""
    return (np.int64(discard) * MAX_SPACES + moved) * MAX_SPACES + place


@helper
def plan_turn(rules, weights, view, seat, rng):
    """Return the best turn found, packed.

    Discards and moves are judged on their own first; then the best of them together, and all exchanges (a pyramid put
    where the discarded one stood) that can surround or carry something: own pyramids in the place of opposing ones,
    and opposing ones into own pits.
    """
    noise = weights[W_NOISE]
    occupied = view.owned[0] | view.owned[1]
    mine, theirs = view.owned[seat], view.owned[1 - seat]
    discard_values, discards = np.full(N_DISCARDS, VERY_LOW), np.zeros(N_DISCARDS, np.int64)
    move_values, moves = np.full(N_MOVES, VERY_LOW), np.zeros(N_MOVES, np.int64)
    best, index, equal = VERY_LOW, np.int64(-1), np.int64(0)
    none = np.int64(NONE)
    for space in range(rules.n_spaces):
        if not has(occupied, space):
            continue
        value = change_worth(rules, weights, view, seat, bit(space), none, none)
        keep_top(discard_values, discards, N_DISCARDS, value + 1e-9 * uniform(rng), np.int64(space))
        kind = kind_at(view, space)
        for place in range(rules.n_spaces):
            if not has(occupied, place):
                value = change_worth(rules, weights, view, seat, bit(space), kind, np.int64(place))
                keep_top(move_values, moves, N_MOVES, value + 1e-9 * uniform(rng), pack(0, space, place))
    for i in range(N_DISCARDS):
        if discard_values[i] == VERY_LOW:
            break
        discard = discards[i]
        # Put the other one back where it was: which one does not matter.
        other = np.int64(0)
        while other == discard or not has(occupied, other):
            other += 1
        best, index, equal = keep_better(discard_values[i], pack(discard, other, other), best, index, equal, noise, rng)
        for j in range(N_MOVES):
            if move_values[j] == VERY_LOW:
                break
            moved, place = moves[j] // MAX_SPACES, moves[j] % MAX_SPACES
            if moved != discard:
                gone = bit(discard) | bit(moved)
                value = change_worth(rules, weights, view, seat, gone, kind_at(view, moved), place)
                best, index, equal = keep_better(value, pack(discard, moved, place), best, index, equal, noise, rng)
    for discard in range(rules.n_spaces):
        if not has(occupied, discard):
            continue
        useful = np.int64(0)
        if has(theirs, discard):
            useful = mine
        if rules.neighbours[discard] & ~mine == 0:
            useful |= theirs
        useful &= ~bit(discard)
        for moved in range(rules.n_spaces):
            if has(useful, moved):
                gone = bit(discard) | bit(moved)
                value = change_worth(rules, weights, view, seat, gone, kind_at(view, moved), np.int64(discard))
                best, index, equal = keep_better(value, pack(discard, moved, discard), best, index, equal, noise, rng)
    return index


@helper
def find(moves, n, move):
    """Return the index of a move among the legal ones, -1 if it is none of them."""
    for i in range(n):
        if moves[i] == move:
            return np.int64(i)
    return np.int64(-1)


@helper
def planned(view, moves, n, memory):
    """Return the index of the move planned for this decision, -1 if there is none."""
    if memory[PLANNED_ROUND] != view.round_number or view.phase == TAKE_FIRST:
        return np.int64(-1)
    return find(moves, n, memory[PLANNED_SECOND + view.phase - TAKE_FIRST - 1])


@helper
def begin(view, moves, n, memory, turn, capture):
    """Remember a packed turn and return the index of its first move: the pyramid that will be put is taken first."""
    discard, moved, place = turn // MAX_SPACES**2, turn // MAX_SPACES % MAX_SPACES, turn % MAX_SPACES
    kind = kind_at(view, moved)
    memory[PLANNED_ROUND] = view.round_number
    memory[PLANNED_SECOND] = 8 * discard + kind_at(view, discard)
    memory[PLANNED_PUT] = 8 * place + kind
    memory[PLANNED_CAPTURE] = capture
    return find(moves, n, 8 * moved + kind)


@helper
def best_second(rules, weights, view, moves, n, rng):
    """Return the index of the best second pyramid to take, with the best put then."""
    seat = view.seat
    noise = weights[W_NOISE]
    occupied = view.owned[0] | view.owned[1]
    first = np.int64(view.hand[0])
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        space, kind = np.int64(moves[i]) // 8, np.int64(moves[i]) % 8
        value = VERY_LOW
        for place in range(rules.n_spaces):
            if place == space or not has(occupied, place):
                value = max(value, change_worth(rules, weights, view, seat, bit(space), first, np.int64(place)))
                value = max(value, change_worth(rules, weights, view, seat, bit(space), kind, np.int64(place)))
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


@helper
def best_change(rules, weights, view, moves, n, rng):
    """Return the index of the best removal, put or capture."""
    seat, phase = view.seat, view.phase
    noise = weights[W_NOISE]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    for i in range(n):
        space, kind = np.int64(moves[i]) // 8, np.int64(moves[i]) % 8
        if phase == PUT:
            value = change_worth(rules, weights, view, seat, np.int64(0), kind, space)
        else:
            left = np.int64(-1) if moves[i] == NOTHING else ~bit(space)
            value = worth(
                rules, weights, view.owned[seat] & left, view.owned[1 - seat] & left, view.sized[1] & left,
                view.sized[2] & left,
            )  # fmt: skip
            if phase == CAPTURE and moves[i] != NOTHING:
                value += weights[W_CAPTURE] * rules.pips[kind % 3]
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


# --- placing -------------------------------------------------------------------------------------------------------
@helper
def place_worth(rules, weights, mine, theirs, space):
    """Return what it is worth to have a pyramid of any size on an empty space."""
    build, block = 0.0, 0.0
    around = rules.neighbours[space]
    while around != 0:
        near = rules.neighbours[first_of(around)]
        around = without_first(around)
        size = count_bits(near)
        own, foreign = count_bits(near & mine), count_bits(near & theirs)
        if foreign == 0:
            build += (2 * own + 1) / (size * size)
        if own == 0:
            block += foreign * foreign / (size * size)
    return weights[W_BUILD] * build + weights[W_BLOCK] * block


@helper
def size_worth(rules, weights, theirs, space, size):
    """Return what it is worth that the pyramid placed on a space has this size."""
    near = rules.neighbours[space]
    danger = count_bits(near & theirs) / count_bits(near)
    value = -weights[W_SMALL_FIRST] * size - weights[W_SAFE] * danger * rules.pips[size]
    return value - weights[W_LARGE_LAST] if size == 2 else value


@helper
def best_place(rules, weights, view, moves, n, rng):
    """Return the index of the best placement."""
    seat = view.seat
    noise = weights[W_NOISE]
    mine, theirs = view.owned[seat], view.owned[1 - seat]
    best, index, equal = VERY_LOW, np.int64(0), np.int64(0)
    before, shared = np.int64(-1), 0.0
    for i in range(n):
        space, size = np.int64(moves[i]) // 8, np.int64(moves[i]) % 8 % 3
        if space != before:
            before, shared = space, place_worth(rules, weights, mine, theirs, space)
        value = shared + size_worth(rules, weights, theirs, space, size)
        best, index, equal = keep_better(value, i, best, index, equal, noise, rng)
    return index


@helper
def decide(rules, view, moves, n, weights, memory, rng):
    """Return the index of the move the weights prefer."""
    if n == 1:
        return np.int64(0)
    if view.phase == PLACE:
        return best_place(rules, weights, view, moves, n, rng)
    index = planned(view, moves, n, memory)
    if index >= 0:
        return index
    if view.phase == TAKE_FIRST:
        turn = plan_turn(rules, weights, view, view.seat, rng)
        return begin(view, moves, n, memory, turn, np.int64(OPEN))
    if view.phase in (PUT, CAPTURE, REMOVE):
        return best_change(rules, weights, view, moves, n, rng)
    return best_second(rules, weights, view, moves, n, rng)


def choose_by_worth(rules, view, moves, n, weights, memory, rng):
    """The move after which the position is worth most, as the weights see it."""
    return decide(rules, view, moves, n, weights, memory, rng)


# --- the mirror ----------------------------------------------------------------------------------------------------
@helper
def image_of(rules, weights, space):
    """Return where the mirror sees a space.

    By the half-turn if the board has one, else by the reflection; with `axis` by the reflection if there is one.
    """
    image = np.int64(rules.half_turn[space])
    if image == NONE or (weights[W_AXIS] > 0.0 and rules.reflection[space] != NONE):
        image = np.int64(rules.reflection[space])
    return image


@helper
def mirrored(kind):
    """Return the kind of the same size of the other seat; NONE stays NONE."""
    return np.int64(NONE) if kind < 0 else (kind + 3) % 6


@helper
def copy_place(rules, weights, view, moves, n, rng):
    """Return the index of a placement that answers an unanswered one, or goes onto the axis; -1 for none.

    An opposing pyramid is unanswered while its image is empty; it is answered by the same size there or, when that
    has run out, by any. On the axis, it places the sizes of which the opponent has placed more.
    """
    theirs = view.owned[1 - view.seat]
    best, index, equal = 0.0, np.int64(-1), np.int64(0)
    for i in range(n):
        space, kind = np.int64(moves[i]) // 8, np.int64(moves[i]) % 8
        image = image_of(rules, weights, space)
        size = kind % 3
        value = 1.5 if view.unplaced[view.seat, size] > view.unplaced[1 - view.seat, size] else 1.0
        if image != space:
            if not has(theirs, image):
                continue
            value = 3.0 if kind_at(view, image) == mirrored(kind) else 2.0
        best, index, equal = keep_better(value, i, best, index, equal, 0.0, rng)
    return index


@helper
def broken(rules, weights, kinds, space):
    """Return whether a space and its image, two different ones, do not mirror each other."""
    image = image_of(rules, weights, space)
    return image > space and kinds[image] != mirrored(kinds[space])


@helper
def mending_capture(rules, weights, kinds, mine, seat):
    """Return the capture of a seat after which the board mirrors itself; NONE if there is none.

    On a board that mirrors itself already: NOTHING, or with `grab` the best capture there is. That one breaks the
    symmetry (a captured pyramid stood between own ones, its image stands between opposing ones), but the opponent
    could make the same capture next, and making it restores the symmetry.

    Parameters
    ----------
    kinds : ndarray of int64, shape (MAX_SPACES,)
        Kind of the pyramid on every space, NONE without one.
    mine : int64
        Set of the spaces with pyramids of the seat.
    """
    n_broken, wrong = 0, np.int64(0)
    grabbed, most = np.int64(NOTHING), np.int64(0)
    for space in range(rules.n_spaces):
        if broken(rules, weights, kinds, space):
            n_broken += 1
            wrong = np.int64(space)
        kind = kinds[space]
        if kind != NONE and kind // 3 != seat and rules.neighbours[space] & ~mine == 0 and rules.pips[kind % 3] > most:
            grabbed, most = 8 * space + kind, rules.pips[kind % 3]
    if n_broken == 0:
        return grabbed if weights[W_GRAB] > 0.0 else np.int64(NOTHING)
    image = image_of(rules, weights, wrong)
    victim, other = (image, wrong) if kinds[wrong] == NONE else (wrong, image)
    if n_broken > 1 or kinds[other] != NONE or kinds[victim] // 3 == seat or rules.neighbours[victim] & ~mine != 0:
        return np.int64(NONE)
    return 8 * victim + kinds[victim]


@helper
def mending_turn(rules, weights, view, kinds, discard, moved, place):
    """Return a turn packed with its `mending_capture`, and the pips of that; (NONE, 0) if it mends nothing.

    `kinds` is the board before the turn; it is left as it was.
    """
    seat = view.seat
    gone, kind = kinds[discard], kinds[moved]
    kinds[discard] = NONE
    kinds[moved] = NONE
    kinds[place] = kind
    mine = view.owned[seat] & ~bit(discard) & ~bit(moved)
    if kind // 3 == seat:
        mine |= bit(place)
    capture = mending_capture(rules, weights, kinds, mine, seat)
    pips = np.int64(0)
    if capture >= 0 and capture != NOTHING:
        pips = rules.pips[capture % 8 % 3]
    kinds[place] = NONE
    kinds[moved] = kind
    kinds[discard] = gone
    if capture == NONE:
        return np.int64(NONE), pips
    return pack(discard, moved, place) * CAPTURES + capture, pips


@helper
def copy_turn(rules, weights, view, memory, moves, n, rng):
    """Return the index of the first move of a turn that makes the board mirror itself again; -1 if there is none.

    Spaces that are their own image are left out of account, so pyramids there can be taken and put freely. Among such
    turns, one that captures most.
    """
    kinds = np.full(MAX_SPACES, NONE, np.int64)
    occupied = view.owned[0] | view.owned[1]
    useful, n_broken = np.int64(0), 0
    for space in range(rules.n_spaces):
        if has(occupied, space):
            kinds[space] = kind_at(view, space)
    for space in range(rules.n_spaces):
        image = image_of(rules, weights, space)
        if image == space:
            useful |= bit(space)
        elif broken(rules, weights, kinds, space):
            useful |= bit(space) | bit(image)
            n_broken += 1
    if n_broken > 4:  # a turn changes at most four spaces
        return np.int64(-1)
    best, index, equal = -1.0, np.int64(-1), np.int64(0)
    discards = useful & occupied
    while discards != 0:
        discard = first_of(discards)
        discards = without_first(discards)
        others = occupied & ~bit(discard)
        back = first_of(others)  # one turn that puts the other pyramid back stands for all of them
        turn, pips = mending_turn(rules, weights, view, kinds, discard, back, back)
        if turn != NONE:
            best, index, equal = keep_better(float(pips), turn, best, index, equal, 0.0, rng)
        others &= useful
        while others != 0:
            moved = first_of(others)
            others = without_first(others)
            places = (useful & ~occupied) | bit(discard)
            while places != 0:
                turn, pips = mending_turn(rules, weights, view, kinds, discard, moved, first_of(places))
                places = without_first(places)
                if turn != NONE:
                    best, index, equal = keep_better(float(pips), turn, best, index, equal, 0.0, rng)
    if index < 0:
        return np.int64(-1)
    return begin(view, moves, n, memory, index // CAPTURES, index % CAPTURES)


def choose_mirror(rules, view, moves, n, weights, memory, rng):
    """Copy the opponent by the board's symmetry; `copy_place` and `copy_turn` say how; where that fails, as greedy."""
    if n == 1:
        return 0
    if rules.half_turn[0] == NONE and rules.reflection[0] == NONE:
        return decide(rules, view, moves, n, weights, memory, rng)
    if view.phase == PLACE:
        index = copy_place(rules, weights, view, moves, n, rng)
        if index >= 0:
            return index
    elif view.phase == REMOVE:
        best, index, equal = VERY_LOW, np.int64(-1), np.int64(0)
        for i in range(n):
            space = np.int64(moves[i]) // 8
            if image_of(rules, weights, space) == space:
                value = 0.0 if has(view.owned[view.seat], space) else 1.0
                best, index, equal = keep_better(value, i, best, index, equal, 0.0, rng)
        if index >= 0:
            return index
    elif view.phase == TAKE_FIRST:
        index = copy_turn(rules, weights, view, memory, moves, n, rng)
        if index >= 0:
            return index
    return decide(rules, view, moves, n, weights, memory, rng)


# --- the players ---------------------------------------------------------------------------------------------------
WEIGHTS = (
    Weight("capture", 1.0, "of the pips captured in this turn"),
    Weight("answer", 0.0, "of the pips the opponent can capture in its next turn, counted against the turn"),
    Weight("next", 0.0, "of the pips one could capture in one's own next turn if the opponent did nothing"),
    Weight("pits", 0.0, "of each space whose neighbours all hold own pyramids"),
    Weight("rival_pits", 0.0, "of each space whose neighbours all hold opposing pyramids, counted against the turn"),
    Weight("almost", 0.0, "of each space that lacks one own neighbour to be a pit, less those of the opponent"),
    Weight("men", 0.0, "of each own pyramid on the board, less those of the opponent"),
    Weight("burden", 0.0, "of each pip of own pyramids on the board, less those of the opponent, against the turn"),
    Weight("build", 0.0, "placing: of what a space adds to pits to be"),
    Weight("block", 0.0, "placing: of what a space spoils of the opponent's pits to be"),
    Weight("small_first", 0.0, "placing: against each step in size, so that small pyramids come first"),
    Weight("large_last", 0.0, "placing: against a large pyramid, so that these come last"),
    Weight("safe", 0.0, "placing: against each pip times the share of neighbours that are opposing"),
    Weight("axis", 0.0, "mirror: above 0, copies by reflection even where the board has a half-turn"),
    Weight("grab", 0.0, "mirror: above 0, captures what it can once it has restored the symmetry, and so breaks it"),
    Weight("noise", 0.0, "random addition to the worth of every option, from 0 to so much; not of copied moves"),
)


def by_worth(name: str, summary: str, choose=choose_by_worth, **weights: float) -> Player:
    """Return a player with some weights changed from their defaults."""
    return weighted_player(name, summary, choose, WEIGHTS, **weights)


PLAYERS = (
    Player("random", choose_random, "Any legal move, all equally likely: the floor every other player must beat."),
    by_worth("greedy", "Places anywhere; captures the most it can in every turn, and looks no further."),
    by_worth("small_first", "Places small pyramids first and large ones last, anywhere; then plays as greedy.",
             small_first=1.0),
    by_worth("big_last", "Keeps its large pyramids for last and puts pyramids where few opposing ones stand; then "
             "plays as greedy.", large_last=10.0, safe=1.0),
    by_worth("cluster", "Places its pyramids around common spaces, so that it surrounds; then plays as greedy.",
             build=1.0),
    by_worth("trapper", "Places as cluster; in its turns captures, and makes as many pits as it can.",
             build=1.0, pits=0.1, almost=0.02),
    by_worth("defender", "Breaks up the opponent's clusters while placing; in its turns captures, and leaves the "
             "opponent as little to capture as it can.", build=0.2, block=1.0, answer=1.0, rival_pits=0.1),
    by_worth("mirror", "Copies the opponent by the board's half-turn or reflection, placements and whole turns, and "
             "plays as greedy where it cannot. Spaces on the axis are filled and emptied as pairs, not copied. "
             "Captures what it can once it has restored the symmetry.",
             choose=choose_mirror, grab=1.0),
    by_worth("lookahead", "Plans whole turns: what it captures, what the opponent can capture then, and the pits of "
             "both; places to surround and to break up.",
             answer=0.9, next=0.3, pits=0.1, rival_pits=0.1, almost=0.02, men=0.02, burden=0.02, build=1.0,
             block=1.0, small_first=0.01),
)  # fmt: skip
