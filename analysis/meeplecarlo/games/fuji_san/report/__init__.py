"""What only a report on Fuji-san has: who moves first, captures and where, length, options, and the mirror player.

The tables take a `Run` or `Sample` and return frames like those of `meeplecarlo.report.tables`; the charts take such
frames. Where all games of a run are the same, no table has an interval: there is no chance to measure.
"""

from meeplecarlo.games.fuji_san.report.chapter import chapter

CATEGORY_COLOURS = {"captured": "#5790fc"}

__all__ = ["CATEGORY_COLOURS", "chapter"]
