"""Record types of Heizei: the rule options, a position and a scored item. Every field is documented here once.

Scalars are int64, so that compiled code needs one version of each function; arrays are as small as they can be.

Colours are numbered as in `COLOURS`: red 0, blue 1, yellow 2, black 3. A set of cards is one number with five bits for
each colour, red lowest (see `cards`); a move is the set of the cards that it lays, plays or takes.
"""

import numpy as np

from meeplecarlo.compiled import MAX_SEATS
from meeplecarlo.games.heizei import COLOURS, MAX_STEPS

PREPARE, PLAY, TAKE, LAST = range(4)  # state.phase

FIRST_CARDS, FIRST_TILE, SECOND_CARDS, SECOND_PENALTY, SECOND_TILE = range(5)  # line.category
TILE = len(COLOURS)  # line.slot of a tile

OVER = -1  # state.seat once the game has ended
NONE = -1  # state.starter before round 1 has been scored
HIDDEN = -2  # a set of cards that the seat looking at this view cannot know
ENDLESS = 2**40  # rules.track without an end: further than any cube gets

N_COLOURS = len(COLOURS)

RULES = np.dtype(
    [
        ("n_seats", np.int64),  # 3..5
        ("hand_size", np.int64),  # cards dealt to each seat, 4..MAX_HAND
        ("all_cards", np.int64),  # set of all cards dealt: 4..20 of each colour
        ("steps", np.int64, (MAX_STEPS + 1,)),  # spaces for 1..6 cards and for 7 or more, 0..99; index 0 unused
        ("values", np.int64, (2, N_COLOURS)),  # points per card, 0..20, by round (from 0) and place (from 0)
        ("tiles", np.int64, (MAX_SEATS + 1,)),  # value of the tile of the first, second, .. to go out, from index 1;
        # 0 for the last to go out, and at index 0
        ("track", np.int64),  # spaces of the track, 8..200, or ENDLESS
        ("penalty", np.int64),  # 1: in round 2 the most frequent colour counts negative
        ("remembered", np.int64),  # 1: everybody remembers who collected what, 0: nobody does
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seat", np.int64),  # seat to decide, 0..4; OVER at the end
        ("phase", np.int64),  # PREPARE, PLAY, TAKE or LAST
        ("round_number", np.int64),  # 1 or 2, the preparation included
        ("table", np.int64),  # set of the cards on the table, at most a card a seat, without those just played
        ("played", np.int64),  # set of the cards just played, of one colour; empty unless the phase is TAKE
        ("n_out", np.int64),  # seats that have gone out in this round, 0..5
        ("starter", np.int64),  # seat that starts round 2; NONE before
        # Space of each cube, from 1 at the tail circle; no two are equal. On a track with an end, of L spaces, the
        # cubes that reached it have L + 3, L + 2, L + 1, L in the order of their arrival.
        ("space", np.int64, (N_COLOURS,)),
        ("first_space", np.int64, (N_COLOURS,)),  # the same at the end of round 1; 0 before
        ("turns", np.int64, (2,)),  # turns played in each round
        ("hand", np.int32, (MAX_SEATS,)),  # set of the cards in hand
        ("collected", np.int32, (MAX_SEATS,)),  # set of the cards collected in this round
        ("laid", np.int32, (MAX_SEATS,)),  # the card laid face down in a preparation that is not over yet, or 0
        ("first", np.int32, (MAX_SEATS,)),  # set of the cards collected in round 1; 0 before it has been scored
        ("first_points", np.int16, (MAX_SEATS,)),  # points of round 1, the tile included; 0 before
        ("n_hand", np.int8, (MAX_SEATS,)),  # cards in hand, 0..24, without the card laid
        ("n_collected", np.int8, (MAX_SEATS,)),  # cards collected in this round, 0..24
        ("went_out", np.int8, (2, MAX_SEATS)),  # by round: 1 for the first seat to go out, 2 for the next; 0: still in
    ],
    align=True,
)

LINE = np.dtype(
    [
        ("seat", np.int8),
        ("category", np.int8),  # FIRST_CARDS..SECOND_TILE
        ("slot", np.int8),  # colour of the cards, or TILE
        ("points", np.int32),
        ("in_round", np.int8),  # 1 or 2
        ("cards", np.int8),  # cards of this colour that the seat collected; 0 for a tile
        ("place", np.int8),  # place of their cube at the end of the round, 1 is first; 0 for a tile
    ],
    align=True,
)
