"""Geometry of the mountain: which forest and which flatland each corner of each tile touches.

Nine pointy-top hexes lie in rows of two, three and four. A hex is (row from the top, half-column): neighbours in a
row are two half-columns apart, the hex below to the left is one row down and one half-column left. Season icons
sit at a tile's bottom, upper left and upper right corners, animal segments at its top, lower left and lower right,
so three icons (or three segments) meet wherever three tiles do. Everything else follows from that.
"""

import numpy as np

ROWS = (2, 3, 4)
HEXES = tuple((row, 2 * k - (width - 1)) for row, width in enumerate(ROWS) for k in range(width))
CELLS = tuple(f"{'ABC'[row]}{k + 1}" for row, width in enumerate(ROWS) for k in range(width))
SEGMENTS = ("top", "lower_left", "lower_right")

N_CELLS = len(HEXES)


def _icon_points(row, column):
    """The points where a tile's icons lie, each named by the hex whose bottom corner it is."""
    return (row, column), (row - 1, column - 1), (row - 1, column + 1)


def _segment_points(row, column):
    """The points where a tile's segments lie, each named by the hex whose top corner it is."""
    return (row, column), (row + 1, column - 1), (row + 1, column + 1)


# Below the lowest row no forest is counted: there is neither print nor neighbour.
_FOREST_POINTS = sorted({p for h in HEXES for p in _icon_points(*h) if p[0] < len(ROWS) - 1})
_FLATLAND_POINTS = sorted({p for h in HEXES for p in _segment_points(*h)})

N_FORESTS = len(_FOREST_POINTS)
N_FLATLANDS = len(_FLATLAND_POINTS)
FORESTS = tuple(f"F{i + 1}" for i in range(N_FORESTS))
FLATLANDS = tuple(f"L{i + 1}" for i in range(N_FLATLANDS))

# Forest at each icon corner of each cell, shape (9, 3), -1 where the icon is unused (bottoms of the lowest row).
FOREST_AT = np.array(
    [[_FOREST_POINTS.index(p) if p in _FOREST_POINTS else -1 for p in _icon_points(*h)] for h in HEXES], np.int8
)
# Flatland at each segment of each cell, shape (9, 3).
FLATLAND_AT = np.array([[_FLATLAND_POINTS.index(p) for p in _segment_points(*h)] for h in HEXES], np.int8)

# Cells touching each flatland, shape (14, 3), -1 where there are fewer than three.
CELLS_AT = np.array(
    [[*np.flatnonzero((FLATLAND_AT == f).any(axis=1)), -1, -1][:3] for f in range(N_FLATLANDS)], np.int8
)

# Tile icons meeting at each forest, and icons the board prints there to make three.
TILE_ICONS = np.array([(FOREST_AT == f).sum() for f in range(N_FORESTS)], np.int8)
PRINTED_ICONS = (3 - TILE_ICONS).astype(np.int8)
# Segments meeting at each flatland: only those with three can hold three animals.
FLATLAND_SEGMENTS = np.array([(FLATLAND_AT == f).sum() for f in range(N_FLATLANDS)], np.int8)

# Places in units of a hex's half-width, y downwards, for pictures: the corners of a hex lie at distance 2/sqrt(3).
_HEIGHT = np.sqrt(3)
HEX_CENTRES = np.array([(column, row * _HEIGHT) for row, column in HEXES])
FOREST_PLACES = np.array([(c, r * _HEIGHT + 2 / np.sqrt(3)) for r, c in _FOREST_POINTS])
FLATLAND_PLACES = np.array([(c, r * _HEIGHT - 2 / np.sqrt(3)) for r, c in _FLATLAND_POINTS])
