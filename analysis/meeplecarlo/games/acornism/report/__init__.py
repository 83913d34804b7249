"""What only a report on Acornism has: the first-player effect, which animals are satisfied, the Magic Acorn, the field.

The tables take a `Run` or `Sample` and return frames like those of `meeplecarlo.report.tables`; the charts take such
frames. What a rule changes (edge scoring, the Magic Acorn, underfed animals) is for several runs side by side, on the
same deals: `comparison`.
"""

from meeplecarlo.games.acornism.report.chapter import chapter
from meeplecarlo.games.acornism.report.comparison import comparison

CATEGORY_COLOURS = {"animal": "#5790fc"}

__all__ = ["CATEGORY_COLOURS", "chapter", "comparison"]
