"""Record types of Fuji-san: the rule options, a position and a scored item. Every field is documented here once.

Scalars are int64, so that compiled code needs one version of each function; arrays are as small as they can be.

Spaces are numbered from 0, row by row, left to right. A set of spaces is an int64 with a bit per space. The *kind* of
a pyramid is ``3 * owner + size``, with sizes small, medium, large as 0, 1, 2. A move is ``8 * space + kind``: the
pyramid that is placed, removed, taken, put or captured, and where; NOTHING is the move that captures nothing.
"""

import numpy as np

from meeplecarlo.games.fuji_san import MAX_CAPTURES, MAX_SPACES, MAX_STEPS

PLACE, REMOVE, TAKE_FIRST, TAKE_SECOND, PUT, CAPTURE = range(6)  # state.phase

OVER = -1  # state.seat once the game has ended
NONE = -1  # no pyramid; no space
NOTHING = 8 * MAX_SPACES  # move: capture nothing

RULES = np.dtype(
    [
        ("n_seats", np.int64),  # 2
        ("n_spaces", np.int64),  # 4..MAX_SPACES
        ("pips", np.int64, (3,)),  # points of a captured pyramid, by size, 1..9
        ("pieces", np.int64, (3,)),  # pyramids of each seat, by size, 0..10
        ("neighbours", np.int64, (MAX_SPACES,)),  # set of the two or three spaces that share an edge with each
        ("board", np.int64),  # set of all spaces
        ("three", np.int64),  # set of the spaces with three neighbours; the others have two
        # The same neighbours once more, for all spaces at once: the spaces of step_from[i], and only these, have a
        # neighbour whose number is greater by step[i].
        ("n_steps", np.int64),  # 1..MAX_STEPS
        ("step", np.int64, (MAX_STEPS,)),  # 1..63
        ("step_from", np.int64, (MAX_STEPS,)),
        # Where each space goes when the board is turned by a half, or reflected (left and right exchanged or, if only
        # that fits, top and bottom); NONE everywhere if the board does not look the same afterwards.
        ("half_turn", np.int8, (MAX_SPACES,)),
        ("reflection", np.int8, (MAX_SPACES,)),
        ("line", np.int8, (MAX_SPACES,)),  # row of each space in the picture of the board, from 0 at the top
        ("column", np.int8, (MAX_SPACES,)),  # its column, from 0 at the left
        ("points_up", np.int8, (MAX_SPACES,)),  # 1: the triangle points up, 0: down
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seat", np.int64),  # seat to decide, 0..1; OVER at the end
        ("phase", np.int64),  # PLACE..CAPTURE
        ("round_number", np.int64),  # 1..127: placements made, removals made and turns made, plus 1
        ("owned", np.int64, (2,)),  # set of the spaces that hold a pyramid of each seat
        ("sized", np.int64, (3,)),  # set of the spaces that hold a pyramid of each size
        ("hand", np.int8, (2,)),  # kinds of the pyramids taken in this turn, in the order taken; NONE behind
        ("unplaced", np.int8, (2, 3)),  # pyramids of each seat not yet placed, by size
        ("discarded", np.int8, (2, 3)),  # pyramids of each seat out of the game, by size: nobody scores them
        ("n_captured", np.int8, (2,)),  # captures made by each seat, 0..MAX_CAPTURES
        ("captured_space", np.int8, (2, MAX_CAPTURES)),  # where each of them was made, NONE behind
        ("captured_size", np.int8, (2, MAX_CAPTURES)),  # size of the captured pyramid, NONE behind
        ("captured_round", np.int8, (2, MAX_CAPTURES)),  # round in which it was captured, NONE behind
    ],
    align=True,
)

LINE = np.dtype(
    [
        ("seat", np.int8),  # who captured
        ("category", np.int8),  # 0
        ("slot", np.int8),  # size of the captured pyramid
        ("points", np.int32),  # its pips
        ("space", np.uint8),  # where it was captured, from 0
        ("turn", np.uint8),  # round in which it was captured
    ],
    align=True,
)
