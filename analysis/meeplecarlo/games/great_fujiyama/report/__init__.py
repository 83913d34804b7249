"""What only a report on Great Fujiyama has: reach rates, where games get stuck, talk, turning, the best pyramid.

The tables take a `Run` or `Sample` and return frames like those of `meeplecarlo.report.tables`; the charts take such
frames. The headline is the reach curve: the share of games that complete at least so many stations.
"""

from meeplecarlo.games.great_fujiyama.report.chapter import chapter
from meeplecarlo.games.great_fujiyama.report.comparison import comparison

__all__ = ["chapter", "comparison"]
