"""The season tiles that Fujiyama and Great Fujiyama are played with: how icons are coded, and the tile file.

An icon is ``256 * season + value``, its value being what it adds to a forest: blossoms for spring, conifers + 16 *
broadleaves for summer, a bit per fruit (mushroom 1, chestnut 2, grape 4) for autumn, 0 for winter. A tile has an icon
at its bottom, upper left and upper right corner. Tiles are numbered from 0 inside the program and from 1 in files.
"""

from __future__ import annotations

from meeplecarlo.registry import Component

MAX_TILES = 96
SEASONS = ("spring", "summer", "autumn", "winter")
SPRING, SUMMER, AUTUMN, WINTER = range(4)
TREES = ("conifer", "broadleaf")
FRUITS = ("mushroom", "chestnut", "grape")
CORNERS = ("bottom", "upper_left", "upper_right")
SEASON_COLOURS = ("#e377a9", "#2e8b57", "#c97b2a", "#4878b8")  # pink, green, brown, blue as in the rulebook

TILES = Component(
    "tiles",
    "64 tiles: every ordered triple of seasons once (derived); the pictures inside a season are assumed",
    "assumed",
    ("tiles.csv",),
    package=__name__,
)
