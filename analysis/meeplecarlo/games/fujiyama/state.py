"""Record types of Fujiyama: the rule options, a position and a scored item. Every field is documented here once.

Scalars are int64, so that compiled code needs one version of each function; arrays are as small as they can be.

Tiles are numbered from 0 inside the program and from 1 in files; icons are coded as in `season_tiles`. Seats count
from 0; the left neighbour of seat s is seat s + 1.
"""

import numpy as np

from meeplecarlo.compiled import MAX_SEATS
from meeplecarlo.games.fujiyama.mountain import N_CELLS, N_FLATLANDS, N_FORESTS
from meeplecarlo.games.season_tiles import MAX_TILES

MAX_BOARDS = 16

MIXED = 4  # season of a forest of several seasons
FLATLAND = 5  # category of an animal score, after the four seasons and the mixed forests
ANIMALS = ("rabbit", "squirrel", "fox")
SOURCES = ("left", "right", "trump")
LEFT, RIGHT, TRUMP_SOURCE = range(3)

TRUMP, PASS, CHOOSE, PLACE = range(4)  # phases
ROUNDS = 9
OVER = -1  # state.seat once the game has ended

NONE = -1  # nothing lies here
HIDDEN = -2  # something lies here that the seat looking at this view cannot know

# Move codes. trump, pass: the tile. choose: SOURCE_STEP * source + tile. place: see `rules.place_code`.
SOURCE_STEP = MAX_TILES

RULES = np.dtype(
    [
        ("n_seats", np.int64),  # 2..5
        ("turn_thirds", np.int64),  # 1: tiles may be turned by 120 degrees
        ("trump_allowed", np.int64),  # 0: the trump may never be played
        ("tie_seasonal", np.int64),  # 1: seasonal points break ties
        ("spring_base", np.int64),  # points
        ("spring_per_blossom", np.int64),
        ("summer_base", np.int64),
        ("summer_factor", np.int64),  # points per conifer-broadleaf pair
        ("autumn_points", np.int64, (4,)),  # by number of kinds; index 0 unused
        ("winter_base", np.int64),
        ("winter_per_forest", np.int64),
        ("mixed_points", np.int64),
        ("flatland_points", np.int64, (4,)),  # by number of kinds; index 0 is 0
        ("n_tiles", np.int64),  # tiles in the box, up to MAX_TILES
        ("n_boards", np.int64),  # boards in the box, up to MAX_BOARDS
        ("deck_size", np.int64),  # tiles dealt to each seat: 11, or half the box with 2 seats
        ("icons", np.int16, (MAX_TILES, 3)),  # icon at bottom, upper left, upper right of each tile
        ("print", np.int16, (MAX_BOARDS, N_FORESTS, 2)),  # printed icons; NONE where there is none
        ("animals", np.int8, (MAX_BOARDS, ROUNDS)),  # animal row, leftmost first: 0 rabbit, 1 squirrel, 2 fox
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seat", np.int64),  # seat to decide, OVER at the end
        ("phase", np.int64),  # TRUMP, PASS, CHOOSE or PLACE
        ("round_number", np.int64),  # 1..9 (a field named "round" would hide behind a method of numpy records)
        ("stock", np.int8, (MAX_TILES,)),  # seat s draws from stock[s * deck_size:] onwards; NONE once drawn
        ("drawn", np.int8, (MAX_SEATS,)),  # tiles drawn from the own deck so far
        ("hand", np.int8, (MAX_SEATS, 3)),  # tiles in hand, packed to the front, NONE behind
        ("shown", np.int8, (MAX_SEATS, 3)),  # 1 where every seat has seen this hand tile before
        ("choice", np.int8, (MAX_SEATS, 2)),  # left and right choice tile
        ("trump", np.int8, (MAX_SEATS,)),  # face-up trump tile, NONE before it is set and after it is played
        ("board", np.int8, (MAX_SEATS,)),  # mountain board, 0-based
        ("pending", np.int16, (MAX_SEATS,)),  # move given in a simultaneous phase that is not over yet
        ("chosen", np.int8, (MAX_SEATS,)),  # source of the tile being laid this round
        ("received", np.int8, (MAX_SEATS, 3)),  # tokens to place this round, by animal
        ("discard", np.int8, (2, ROUNDS)),  # tiles discarded face up, two seats only
        ("cell", np.int8, (MAX_SEATS, N_CELLS)),  # tile lying on each cell
        ("turn", np.int8, (MAX_SEATS, N_CELLS)),  # thirds by which it was turned clockwise, 0..2
        ("tokens", np.int8, (MAX_SEATS, N_CELLS)),  # arrangement of tokens on it, see `rules.ARRANGEMENTS`
        ("flatland", np.int8, (MAX_SEATS, N_FLATLANDS)),  # kinds of animals there, a bit each
        # What lies at each forest so far, kept up to date so that nobody has to look at the corners again:
        ("forest_icons", np.int8, (MAX_SEATS, N_FORESTS)),  # icons there, 0..3
        ("forest_season", np.int8, (MAX_SEATS, N_FORESTS)),  # their season, MIXED, or NONE while there is none
        ("forest_sum", np.uint8, (MAX_SEATS, N_FORESTS)),  # blossoms, conifers + 16 * broadleaves, or fruit bits
        ("winter_forests", np.int8, (MAX_SEATS,)),  # complete winter forests
    ],
    align=True,
)

LINE = np.dtype(
    [
        ("seat", np.int8),
        ("category", np.int8),  # season, MIXED or FLATLAND
        ("slot", np.int8),  # forest 0..11, or 12 + flatland
        ("points", np.int32),
        ("blossoms", np.int8),  # spring forests; 0 elsewhere
        ("conifers", np.int8),  # summer forests; 0 elsewhere
        ("broadleaves", np.int8),  # summer forests; 0 elsewhere
        ("kinds", np.int8),  # kinds of fruit (autumn) or of animals (flatland); 0 elsewhere
    ],
    align=True,
)
