"""Record types of Great Fujiyama: the rule options, a position and a scored item. Every field is documented here once.

Scalars are int64, so that compiled code needs one version of each function; arrays are as small as they can be.

Tiles are numbered from 0 inside the program and from 1 in files. A *place* of the pyramid is numbered
``19 * (station - 1) + 9 + column``: the first tile lies at station 1, column 0, and tile (s, x) lies on (s - 1, x) and
(s - 1, x + 1). A set of tiles is an int64 with a bit per tile, so that "which tiles fit here" is two bit operations.
"""

import numpy as np

from meeplecarlo.compiled import MAX_SEATS
from meeplecarlo.games.great_fujiyama import MAX_HAND, MAX_WIDTH

MAX_TILES = 64  # bits of a set
N_SEASONS = 4
ANY = 4  # instead of a season: nothing touches that corner
BOTTOM, UPPER_LEFT, UPPER_RIGHT = range(3)  # corners, in the order of the tile file

COLUMNS = 2 * MAX_WIDTH - 1  # station 1 may grow to either side of its first tile
FIRST = MAX_WIDTH - 1  # place of the first tile
N_PLACES = MAX_WIDTH * COLUMNS
MAX_OPEN = MAX_WIDTH + 1  # places that can be open at once: one on every diagonal, and two ends of station 1

PLACE = 0  # the only phase
OVER = -1  # state.seat once the game has ended
NONE = -1  # nothing lies here
HIDDEN = -2  # something lies here that the seat looking at this view cannot know

# state.ended
NO_TILE_FITS, HAND_EMPTY, COMPLETE = range(3)
ENDINGS = ("no tile fits", "hand empty", "complete")

RULES = np.dtype(
    [
        ("n_seats", np.int64),  # 1..5
        ("turns", np.int64),  # ways a tile may be turned: 1, or 3 when turning by thirds is allowed
        ("talk_open", np.int64),  # 1: every seat sees every hand
        ("width", np.int64),  # tiles of station 1, and stations of the whole pyramid, 1..MAX_WIDTH
        ("hand_size", np.int64),  # 1..MAX_HAND
        ("n_tiles", np.int64),  # tiles in the box, up to MAX_TILES
        ("seasons", np.int8, (MAX_TILES, 3)),  # season at bottom, upper left, upper right of each tile
        # Sets of tiles that show a season at a corner when turned clockwise by 0, 1, 2 thirds; the last season is ANY.
        # A tile that looks the same however it is turned is only in the sets of turn 0.
        ("showing", np.int64, (3, 3, N_SEASONS + 1)),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seat", np.int64),  # seat to decide, OVER at the end
        ("phase", np.int64),  # PLACE
        ("round_number", np.int64),  # 1..54, a turn of each seat
        ("ended", np.int64),  # why the game ended, an index of ENDINGS; NONE while it goes on
        ("laid", np.int64),  # set of the tiles on the table
        ("drawn", np.int64),  # tiles gone from the deck, the first one laid and the hands included
        ("n_open", np.int64),  # places where a tile could be laid, 0..MAX_OPEN
        ("open_place", np.int16, (MAX_OPEN,)),  # these places, ascending, NONE behind
        ("open_need", np.int8, (MAX_OPEN, 3)),  # season needed there at bottom, upper left, upper right; ANY behind
        ("stock", np.int8, (MAX_TILES,)),  # the deck in the order it is drawn; NONE once drawn
        ("hand", np.int8, (MAX_SEATS, MAX_HAND)),  # tiles in hand, ascending, NONE behind
        ("count", np.int8, (MAX_WIDTH,)),  # tiles on each station
        ("tile", np.int8, (N_PLACES,)),  # tile lying on each place
        ("turn", np.int8, (N_PLACES,)),  # thirds by which it was turned clockwise, 0..2
    ],
    align=True,
)

LINE = np.dtype(
    [
        ("seat", np.int8),  # every seat is credited with every completed station
        ("category", np.int8),  # 0
        ("slot", np.int8),  # station - 1
        ("points", np.int32),  # 1
    ],
    align=True,
)
