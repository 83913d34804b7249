"""Monte Carlo search over guesses of what is hidden, for every game and with any compiled player as policy.

``search(base, sims=N)`` guesses the hidden part of its view (a *determinization*), tries its moves in that guess and
plays each to the end with `base` in every seat (a *policy rollout*). The N playouts of a decision are shared out by
sequential halving: every round plays all surviving moves equally often, on the same guesses with the same player
noise, and keeps the better half.

References
----------
Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from meeplecarlo.compiled import (
    BOOL,
    INT,
    MAX_SEATS,
    MAX_TIES,
    MEMORY_SIZE,
    MOVES,
    RNG,
    WEIGHTS,
    array_of,
    borrowed_row,
    compile_with,
    copy_record,
    helper,
    types,
)
from meeplecarlo.registry import Game
from meeplecarlo.streams import next_u64, seed_stream

# Places in the array of working states that the game loop hands over.
VIEW, GUESS, PLAYOUT, PLAYOUT_VIEW = 1, 2, 3, 4
N_STATES = 5

# Instead of an index: told to stop, or the policy returned an index that is none of a legal move.
GAVE_UP, BAD_POLICY = -2, -3


@helper
def play_out(rules, states, legal, apply, observe, policy, weights, moves, memory, noise, limit):
    """Play ``states[PLAYOUT]`` to its end with `policy` in every seat, or for `limit` decisions.

    Return False, and leave it where it is, if the policy returns an index that is none of a legal move.
    """
    state = states[PLAYOUT]
    view = states[PLAYOUT_VIEW]
    for seat in range(MAX_SEATS):
        for i in range(MEMORY_SIZE):
            memory[seat, i] = 0
    for _ in range(limit):
        if state.seat < 0:
            return True
        seat = state.seat
        n = legal(rules, state, moves)
        observe(rules, state, seat, view)
        index = policy(rules, view, moves, n, weights, borrowed_row(memory, seat), noise)
        if index < 0 or index >= n:
            return False
        apply(rules, state, moves[index])
    return True


@helper
def playout_value(rules, state, seat, shared, tally, lines, ties, points):
    """Return what the end of a playout is worth to `seat`.

    The share of the win, plus a hundredth of the lead over the best other seat in points: a single win or loss says
    little, the lead says by how much. Where all seats share the result, the points.
    """
    n_seats = rules.n_seats
    for other in range(n_seats):
        points[other] = 0
    for i in range(tally(rules, state, lines, ties)):
        points[lines[i].seat] += lines[i].points
    if shared or n_seats == 1:
        return float(points[seat])
    best = -(2**30)
    winners = 1
    ahead = True
    for other in range(n_seats):
        if other != seat:
            best = max(best, points[other])
            lead = points[seat] - points[other]
            for k in range(MAX_TIES):
                if lead == 0:
                    lead = ties[seat, k] - ties[other, k]
            if lead < 0:
                ahead = False
            elif lead == 0:
                winners += 1
    return (1.0 / winners if ahead else 0.0) + 0.01 * (points[seat] - best)


def search_index(
    rules, states, shared, legal, apply, observe, redeal, tally,
    policy, weights, simulations, moves, n, limit, rng, lines, stop,
):  # fmt: skip
    """Return the index of the move the search prefers for the seat to move in ``states[VIEW]``.

    Parameters
    ----------
    simulations : int
        Playouts for this decision; every move gets at least one.
    moves, n : ndarray of int32, int
        The legal moves.
    limit : int
        Most decisions of a playout.
    rng : ndarray of uint64, shape (4,)
        The searching seat's own stream.
    lines : array of LINE
        Working space of `tally`.
    stop : ndarray of uint8, shape (1,)
        Set to 1 from another thread to give up; the answer is then GAVE_UP.

    Returns
    -------
    int
        The index, or GAVE_UP or BAD_POLICY.
    """
    if n == 1:
        return 0
    seat = states[VIEW].seat
    playout_moves = np.empty(moves.shape[0], np.int32)
    memory = np.empty((MAX_SEATS, MEMORY_SIZE), np.int64)
    noise = np.empty(4, np.uint64)
    ties = np.zeros((MAX_SEATS, MAX_TIES), np.int32)
    points = np.empty(MAX_SEATS, np.int64)
    alive = np.empty(n, np.int64)
    total = np.zeros(n)
    for i in range(n):
        alive[i] = i
    n_alive = n
    halvings = 0
    while (1 << halvings) < n:
        halvings += 1
    for _ in range(halvings):
        worlds = max(1, simulations // (halvings * n_alive))
        for _ in range(worlds):
            if stop[0] != 0:
                return GAVE_UP
            copy_record(states[GUESS], states[VIEW])
            redeal(rules, states[GUESS], rng)
            key = next_u64(rng)
            for a in range(n_alive):
                copy_record(states[PLAYOUT], states[GUESS])
                seed_stream(noise, key, 0, 0)
                apply(rules, states[PLAYOUT], moves[alive[a]])
                if not play_out(
                    rules, states, legal, apply, observe, policy, weights, playout_moves, memory, noise, limit
                ):
                    return BAD_POLICY
                total[alive[a]] += playout_value(rules, states[PLAYOUT], seat, shared, tally, lines, ties, points)
        # Insertion sort, best first; all survivors have had equally many playouts, so totals compare.
        for i in range(1, n_alive):
            j = i
            while j > 0 and total[alive[j - 1]] < total[alive[j]]:
                kept = alive[j]
                alive[j] = alive[j - 1]
                alive[j - 1] = kept
                j -= 1
        n_alive = (n_alive + 1) // 2
    return alive[0]


def no_search(
    rules, states, shared, legal, apply, observe, redeal, tally,
    policy, weights, simulations, moves, n, limit, rng, lines, stop,
):  # fmt: skip
    """Stand in for `search_index` in a line-up without search, which then need not be compiled."""
    return -1


def search_signature(game: Game):
    """Return the numba signature of `search_index` for the records of `game`."""
    s = game.signatures
    protocol = [s.function_type(name) for name in ("legal", "apply", "observe", "redeal", "tally", "choose")]
    return INT(
        s.rules,
        array_of(s.state),
        BOOL,
        *protocol,
        WEIGHTS,
        INT,
        MOVES,
        INT,
        INT,
        RNG,
        array_of(s.line),
        array_of(types.uint8),
    )


def search_kernel(game: Game, needed: bool) -> Callable:
    """Return `search_index` compiled for the records of `game`, or its stand-in if no player searches."""
    function = search_index if needed else no_search
    return game.compile_once(function, lambda: compile_with(function, search_signature(game)))
