"""The one game loop: it serves every game, every line-up and every kind of compiled player.

It is compiled once per game; rules and players come in as first-class functions. It checks every index a player
returns, stops a game that asks too many questions (an explicit *truncated* outcome), and writes decisions, scored
items and points by round into arrays the caller has allocated.
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
    array_of,
    borrowed_row,
    compile_with,
    copy_record,
    helper,
    types,
)
from meeplecarlo.registry import Game
from meeplecarlo.simulation.search import GAVE_UP, VIEW, search_signature
from meeplecarlo.streams import CHANCE, PLAYER, seed_stream

DECISION = np.dtype(
    [
        ("game", np.uint32),
        ("move", np.int32),
        ("ply", np.uint16),  # decisions before this one in the game
        ("options", np.uint16),  # legal moves there were
        ("seat", np.uint8),
        ("phase", np.uint8),
        ("round", np.uint8),
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("decisions", np.uint16),
        ("rounds", np.uint8),
        ("truncated", np.bool_),  # stopped at the cap on decisions: nobody has won
    ],
    align=True,
)

STANDING = np.dtype(
    [
        ("points", np.int32),
        ("rank", np.uint8),  # 1 is best, equal standings share a rank; 0 in a truncated game
        ("win_share", np.float64),  # 1 / number of winners for a winner, 0 for the others
        ("ties", np.int32, (MAX_TIES,)),  # tie-break values
    ],
    align=True,
)

ROUND_POINTS = np.dtype(
    [("game", np.uint32), ("points", np.int32), ("round", np.uint8), ("seat", np.uint8)], align=True
)

# How far the loop has come, and why it returned: indices of the `progress` array.
GAMES_DONE, N_DECISIONS, N_LINES, N_ROUNDS, STATUS, BAD_PLY, BAD_SEAT, BAD_INDEX, BAD_OPTIONS = range(9)
PROGRESS_SIZE = 9
FINISHED, STOPPED, BAD_PLAYER, BAD_RULES = range(4)


@helper
def rank_seats(n_seats, points, ties, truncated, standings):
    """Fill `standings` (a record a seat): rank by points, then by tie-break values; equal winners share the win."""
    winners = 0
    for seat in range(n_seats):
        better = 0
        for other in range(n_seats):
            ahead = points[other] - points[seat]
            for k in range(MAX_TIES):
                if ahead == 0:
                    ahead = ties[other, k] - ties[seat, k]
            if ahead > 0:
                better += 1
        standing = standings[seat]
        standing.points = points[seat]
        standing.rank = 0 if truncated else better + 1
        for k in range(MAX_TIES):
            standing.ties[k] = ties[seat, k]
        if better == 0:
            winners += 1
    for seat in range(n_seats):
        standings[seat].win_share = 1.0 / winners if standings[seat].rank == 1 else 0.0


@helper
def sum_points(lines, n, points):
    """Set ``points[seat]`` to the sum of the seat's lines."""
    for seat in range(MAX_SEATS):
        points[seat] = 0
    for i in range(n):
        points[lines[i].seat] += lines[i].points


def play(
    rules_array, states, max_decisions, max_rounds, shared, seed, games, deals, seating,
    deal, legal, apply, observe, redeal, tally, search,
    players, weights, simulations, moves, scratch_lines,
    keep, decisions, lines, line_games, rounds, outcomes, standings, finals, progress, stop,
):  # fmt: skip
    """Play all `games`, one after the other.

    Parameters
    ----------
    rules_array : array of RULES, shape (1,)
    states : array of STATE, shape (N_STATES,)
        Working space: the position, the view of the seat to move, and three more for search.
    max_decisions : int
        Decisions after which a game is truncated.
    max_rounds : int
        Rounds of a game whose points are recorded; later ones are not.
    shared : bool
        Whether all seats share the result (search then values points instead of wins).
    seed : uint64
    games, deals : ndarray of int64, shape (n,)
        Number of each game, and of the deal it is played on.
    seating : ndarray of int64, shape (n, MAX_SEATS)
        Line-up index of the player in each seat.
    deal, legal, apply, observe, redeal, tally : compiled protocol functions
    search : compiled `search.search_index`, or its stand-in
    players : tuple of MAX_SEATS compiled choose functions, by line-up index
    weights : ndarray of float64, shape (MAX_SEATS, MAX_WEIGHTS), by line-up index
    simulations : ndarray of int64, shape (MAX_SEATS,), by line-up index
        0: the player decides itself; N: it is the policy of a search with N playouts a decision.
    moves : ndarray of int32, shape (max_options,)
    scratch_lines : array of LINE, shape (lines a game,)
    keep : bool
        Whether decisions, lines and rounds are recorded.
    decisions, lines, rounds : arrays of DECISION, LINE, ROUND_POINTS
        Large enough for the longest games there can be.
    line_games : ndarray of uint32
        The game of each line.
    outcomes, standings : arrays of OUTCOME, shape (n,), and STANDING, shape (n, MAX_SEATS)
    finals : array of STATE, shape (n,) or (0,)
        The position each game ended in; without rows it is not kept.
    progress : ndarray of int64, shape (PROGRESS_SIZE,)
        Games done, which another thread may watch; at the end rows written, status, and who broke the protocol where.
    stop : ndarray of uint8, shape (1,)
        Another thread sets it to 1 to stop the loop after the game it is in.
    """
    rules = rules_array[0]
    state = states[0]
    view = states[VIEW]
    n_seats = rules.n_seats
    chance = np.empty(4, np.uint64)
    noise = np.empty((MAX_SEATS, 4), np.uint64)
    memory = np.empty((MAX_SEATS, MEMORY_SIZE), np.int64)
    points = np.empty(MAX_SEATS, np.int64)
    ties = np.zeros((MAX_SEATS, MAX_TIES), np.int32)
    n_decisions = np.int64(0)
    n_lines = np.int64(0)
    n_rounds = np.int64(0)
    progress[STATUS] = FINISHED
    progress[GAMES_DONE] = 0
    for g in range(games.shape[0]):
        if stop[0] != 0:
            progress[STATUS] = STOPPED
            break
        seed_stream(chance, seed, deals[g], CHANCE)
        for seat in range(n_seats):
            seed_stream(noise[seat], seed, games[g], PLAYER + seat)
            for i in range(MEMORY_SIZE):
                memory[seat, i] = 0
        deal(rules, state, chance)
        ply = 0
        n_scored = np.int64(0)
        while state.seat >= 0 and ply < max_decisions:
            seat = state.seat
            who = seating[g, seat]
            n = legal(rules, state, moves)
            observe(rules, state, seat, view)
            own_weights, own_noise = borrowed_row(weights, who), borrowed_row(noise, seat)
            if simulations[who] > 0:
                index = search(
                    rules, states, shared, legal, apply, observe, redeal, tally, players[who], own_weights,
                    simulations[who], moves, n, max_decisions, own_noise, scratch_lines, stop,
                )  # fmt: skip
            else:
                index = players[who](rules, view, moves, n, own_weights, borrowed_row(memory, seat), own_noise)
            if index == GAVE_UP and stop[0] != 0:
                progress[STATUS] = STOPPED
                return
            if index < 0 or index >= n:
                progress[STATUS] = BAD_PLAYER
                progress[BAD_PLY] = ply
                progress[BAD_SEAT] = seat
                progress[BAD_INDEX] = index
                progress[BAD_OPTIONS] = n
                return
            if keep:
                row = decisions[n_decisions]
                row.game = games[g]
                row.move = moves[index]
                row.ply = ply
                row.options = n
                row.seat = seat
                row.phase = state.phase
                row.round = state.round_number
                n_decisions += 1
            ply += 1
            round_before = state.round_number
            if not apply(rules, state, moves[index]):
                progress[STATUS] = BAD_RULES
                progress[BAD_PLY] = ply - 1
                progress[BAD_SEAT] = seat
                progress[BAD_INDEX] = moves[index]
                return
            if keep and (state.seat < 0 or state.round_number != round_before) and round_before <= max_rounds:
                n_scored = tally(rules, state, scratch_lines, ties)
                sum_points(scratch_lines, n_scored, points)
                for other in range(n_seats):
                    mark = rounds[n_rounds]
                    mark.game = games[g]
                    mark.points = points[other]
                    mark.round = round_before
                    mark.seat = other
                    n_rounds += 1
        truncated = state.seat >= 0
        n_scored = tally(rules, state, scratch_lines, ties)
        sum_points(scratch_lines, n_scored, points)
        if keep:
            for i in range(n_scored):
                lines[n_lines] = scratch_lines[i]
                line_games[n_lines] = games[g]
                n_lines += 1
        rank_seats(n_seats, points, ties, truncated, standings[g])
        if finals.shape[0] > 0:
            copy_record(finals[g], state)
        outcome = outcomes[g]
        outcome.decisions = ply
        outcome.rounds = state.round_number
        outcome.truncated = truncated
        progress[GAMES_DONE] = g + 1
    progress[N_DECISIONS] = n_decisions
    progress[N_LINES] = n_lines
    progress[N_ROUNDS] = n_rounds


def deal_many(rules_array, states, seed, deals, deal):
    """Set ``states[i]`` to the freshly dealt position of ``deals[i]``."""
    chance = np.empty(4, np.uint64)
    for i in range(deals.shape[0]):
        seed_stream(chance, seed, deals[i], CHANCE)
        deal(rules_array[0], states[i], chance)


def play_kernel(game: Game) -> Callable:
    """Return `play` compiled for the records of `game`."""

    def compile_play():
        s = game.signatures
        f = s.function_type
        integers = array_of(INT)
        signature = types.void(
            array_of(s.rules), array_of(s.state), INT, INT, BOOL, types.uint64, integers, integers, array_of(INT, 2),
            f("deal"), f("legal"), f("apply"), f("observe"), f("redeal"), f("tally"),
            types.FunctionType(search_signature(game)), types.UniTuple(f("choose"), MAX_SEATS),
            array_of(types.float64, 2), integers, MOVES, array_of(s.line),
            BOOL, array_of(DECISION), array_of(s.line), array_of(types.uint32), array_of(ROUND_POINTS),
            array_of(OUTCOME), array_of(STANDING, 2), array_of(s.state), integers, array_of(types.uint8),
        )  # fmt: skip
        return compile_with(play, signature)

    return game.compile_once("play", compile_play)


def deal_kernel(game: Game) -> Callable:
    """Return `deal_many` compiled for the records of `game`."""

    def compile_deal_many():
        s = game.signatures
        signature = types.void(
            array_of(s.rules), array_of(s.state), types.uint64, array_of(INT), s.function_type("deal")
        )
        return compile_with(deal_many, signature)

    return game.compile_once("deal_many", compile_deal_many)
