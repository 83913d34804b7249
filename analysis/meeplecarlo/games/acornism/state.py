"""Record types of Acornism: the rule options, a position and a scored item. Every field is documented here once.

Scalars are int64, so that compiled code needs one version of each function; arrays are as small as they can be.

Tiles are numbered from 0 inside the program and from 1 in files and logs. Squares are (x, y), x to the right and y
downwards, the first tile's animal on (0, 0); animals lie where x + y is even, acorns where it is odd.

A *square* number is ``16 * (y mod 16) + x mod 16``: the field and what is beside it is never wider than 14, so no two
squares share one, wherever the field grows.

A *set* of animal squares, or of acorn squares, holds a bit per square of a window of ``2 * lane`` columns and
``n_words * word_rows`` rows that contains every square a tile can reach. A word holds `word_rows` rows of `lane` bits:
of two squares side by side one is an animal's and one an acorn's, and they have the same bit, each in its own kind of
set. So "which animal squares have such an acorn square beside them" is a shift, whatever the direction.
"""

import numpy as np

from meeplecarlo.games.acornism import MAX_ACORNS, MAX_HAND, MAX_LAID, MAX_TILES, MAX_WANT

MAX_PLAYERS = 4
WORDS = 2  # of a set
TORUS = 16  # squares are numbered modulo this in both directions
PLACE, PASS = range(2)  # phases
OVER = -1  # state.seat once the game has ended
NONE = -1  # nothing lies here
HIDDEN = -128  # something lies here that the seat looking at this view cannot know

# Where the acorn lies as seen from its animal: on the square with the same bit, beside the animal on its other side,
# above it, below it. In rows of even y the first is the right-hand square, in the others the left-hand one.
NEAR, FAR, ABOVE, BELOW = range(4)

# state.done_result
STARVED, UNPAID, SCORED = range(3)  # too few acorns; satisfied, but no piece left; satisfied and scored

RULES = np.dtype(
    [
        ("n_seats", np.int64),  # 2..4
        ("field_size", np.int64),  # 4..MAX_FIELD
        ("hand_size", np.int64),  # 1..MAX_HAND
        ("pieces", np.int64),  # animals each seat can score; as many as there are for no limit
        ("edge_scoring", np.int64),  # 1: squares beyond settled edges are not needed
        ("forbidden", np.int64),  # 1: no tile may complete an animal without satisfying it
        ("n_tiles", np.int64),  # 3..MAX_TILES
        ("most_acorns", np.int64),  # most acorns on a tile, 0..MAX_ACORNS
        ("most_wanted", np.int64),  # most acorns an animal wants, 1..MAX_WANT
        ("n_words", np.int64),  # words of a set in use, 1 or 2
        ("lane", np.int64),  # bits of a row
        ("word_rows", np.int64),  # rows in a word
        ("word_bits", np.int64),  # word_rows * lane, at most 63
        ("full", np.int64, (WORDS,)),  # all bits of each word
        # Bits in rows of even y that have a bit to their left, and in rows of odd y that have one to their right, in
        # each word; first for a window whose upper row is even, then for an odd one.
        ("far_left", np.int64, (2, WORDS)),
        ("far_right", np.int64, (2, WORDS)),
        ("row_starts", np.int64, (2, WORDS)),  # first bits of the rows of even y, likewise for either window
        ("step", np.int16, (WORDS, 64)),  # 11 * row + column of each bit: what it adds to the place of the first one
        ("want", np.int8, (MAX_TILES,)),  # acorns each tile's animal wants, 1..MAX_WANT
        ("acorns", np.int8, (MAX_TILES,)),  # acorns on each tile, the Magic Acorn counting 0
        ("magic", np.int8, (MAX_TILES,)),  # 1: its acorn is worth up to 10 to each neighbour
        ("is_magic", np.int8, (MAX_TILES,)),  # 1: the Magic Acorn, whatever it is worth
        ("kind", np.int8, (MAX_TILES,)),  # the first tile that is equal to each
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seat", np.int64),  # seat to decide, OVER at the end
        ("phase", np.int64),  # PLACE, or PASS if the seat to decide cannot place a tile
        ("round_number", np.int64),  # 1..MAX_LAID, a turn of each seat
        ("turn", np.int64),  # turns made, passes included
        ("placed", np.int64),  # tiles on the field, the first included
        ("drawn", np.int64),  # tiles of `pile` dealt and drawn
        ("n_done", np.int64),  # complete animals
        ("finder", np.int64),  # seat that first had a Magic Acorn in its hand, NONE if nobody
        ("magic_turn", np.int64),  # number of the turn in which one was first placed, from 1; 0: not yet, or by nobody
        ("x_low", np.int64),  # box that bounds the field, -10..11
        ("x_high", np.int64),
        ("y_low", np.int64),  # -11..11
        ("y_high", np.int64),
        ("x_origin", np.int64),  # upper left corner of the window, x even
        ("y_origin", np.int64),
        # Sets of squares, see above; bits outside the window are 0.
        ("animals", np.int64, (WORDS,)),  # animals on the field
        ("acorn_squares", np.int64, (WORDS,)),  # acorn squares on the field
        ("beside_acorns", np.int64, (WORDS,)),  # animal squares beside an acorn square on the field
        ("beside_animals", np.int64, (WORDS,)),  # acorn squares beside an animal on the field
        ("open_animals", np.int64, (WORDS,)),  # empty animal squares the box can reach
        ("open_acorns", np.int64, (WORDS,)),  # empty acorn squares the box can reach
        ("complete", np.int64, (WORDS,)),  # animals that need no further neighbour
        # Animal squares whose neighbour NEAR, FAR, ABOVE, BELOW lies beyond a settled edge and is not needed.
        ("walls", np.int64, (4, WORDS)),
        # Animal squares where a tile may lie whose acorn is NEAR, FAR, ABOVE, BELOW, whatever is on it.
        ("pairs", np.int64, (4, WORDS)),
        # Animal squares where each tile in hand of the seat to decide can be placed with its acorn NEAR, FAR, ABOVE,
        # BELOW; nowhere for a tile that is equal to an earlier one.
        ("fits", np.int64, (4, WORDS, MAX_HAND)),
        ("fits_any", np.int64, (4, WORDS)),  # where any of these tiles can be placed
        # Animal squares with at most so many acorns around them; none in the last row, for numbers below 0.
        ("sums_up_to", np.int64, (MAX_WANT + 2, WORDS)),
        # Acorn squares that may hold at least so many acorns: no animal beside them has room for less.
        ("room_for", np.int64, (MAX_ACORNS + 1, WORDS)),
        # By animal square number // 2: acorns the animal still lacks (the Magic Acorn counting 0); for an empty square
        # what lies around it already, as a negative number.
        ("lacks", np.int8, (TORUS * TORUS // 2,)),
        ("tile", np.int8, (TORUS * TORUS,)),  # tile on each square number; NONE
        ("hand", np.int8, (MAX_PLAYERS, MAX_HAND)),  # tiles in hand, ascending, NONE behind
        ("pile", np.int8, (MAX_TILES,)),  # all tiles in the order dealt and drawn; NONE behind
        ("pieces_left", np.int8, (MAX_PLAYERS,)),
        ("done_square", np.uint8, (MAX_LAID,)),  # square numbers of complete animals in order of completion; 0 behind
        ("done_result", np.int8, (MAX_LAID,)),  # STARVED, UNPAID or SCORED; NONE behind
        ("done_turn", np.int16, (MAX_LAID,)),  # number of the turn that completed it, from 1; 0 behind
    ],
    align=True,
)

LINE = np.dtype(
    [
        ("seat", np.int8),  # who scored
        ("category", np.int8),  # 0
        ("slot", np.int8),  # number wanted - 1
        ("points", np.int32),  # the number wanted
        ("x", np.int8),  # where the animal lies
        ("y", np.int8),
        ("acorns", np.uint8),  # plain acorns around it
        ("magic", np.uint8),  # Magic Acorns beside it
        ("turn", np.uint16),  # number of the turn, passes included, from 1
    ],
    align=True,
)
