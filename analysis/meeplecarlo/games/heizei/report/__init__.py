"""What only a report on Heizei has: going out, the start player, the race of the cubes, the penalty and the tiles.

The tables take a `Run` or `Sample` and return frames like those of `meeplecarlo.report.tables`; the charts take such
frames.
"""

from meeplecarlo.games.heizei.report.chapter import chapter
from meeplecarlo.games.heizei.report.comparison import comparison

CATEGORY_COLOURS = {
    "first_cards": "#5790fc",
    "first_tile": "#9c9ca1",
    "second_cards": "#f89c20",
    "second_penalty": "#e42536",
    "second_tile": "#7a21dd",
}

__all__ = ["CATEGORY_COLOURS", "chapter", "comparison"]
