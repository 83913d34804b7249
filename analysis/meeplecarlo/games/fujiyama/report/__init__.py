"""What only a report on Fujiyama has: forests by season, places on the mountain, the trump, boards.

The tables take a `Run` or `Sample` and return frames like those of `meeplecarlo.report.tables`; the charts take such
frames. The headline is how much the points of a summer forest vary, against the other seasons.
"""

from meeplecarlo.games.fujiyama.report.chapter import chapter
from meeplecarlo.games.fujiyama.report.charts import CATEGORY_COLOURS
from meeplecarlo.games.fujiyama.report.comparison import comparison

__all__ = ["CATEGORY_COLOURS", "chapter", "comparison"]
