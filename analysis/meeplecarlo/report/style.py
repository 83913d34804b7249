"""How charts look: colours, lines, labels, footers; and figures as bytes that are the same on every run."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

# Petroff 2021 (arXiv 2107.02270): told apart with every common kind of colour blindness.
PALETTE = ("#5790fc", "#e42536", "#964a8b", "#f89c20", "#7a21dd", "#9c9ca1")
# Colour is never alone: lines and markers tell the same, in greyscale too.
LINES = ("-", (0, (6, 2)), (0, (1.2, 1.2)), (0, (6, 2, 1.2, 2)), (0, (3, 1.5)), (0, (9, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "////", "....", "\\\\\\\\", "xx", "--")
INK, QUIET, GRID = "#1a1a1a", "#595959", "#e3e3e3"
WIDTH = 6.2  # inches: text stays readable at half of it
ROW = 0.46  # inches a row of a chart with one label a row takes

_RC = {
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.labelsize": 10.5,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "lines.linewidth": 2,
    "hatch.linewidth": 0.6,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "meeplecarlo",
    "svg.fonttype": "path",
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style inside the ``with`` block, whatever the user's settings are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_RC)
        yield


def new_axes(ax: Axes | None, height: float, width: float = WIDTH) -> Axes:
    """Return `ax`, or the axes of a new figure of its own that no window is opened for."""
    if ax is not None:
        return ax
    with house_style():
        return Figure(figsize=(width, height)).subplots()


def finish(ax: Axes, question: str, footer: str, width: int = 54, above: float = 0) -> Axes:
    """Put the question a chart answers on top and what its numbers rest on at the foot; return `ax`.

    Parameters
    ----------
    width : int
        Letters after which the title is broken.
    above : float
        Points of height taken by what stands between the axes and the title.
    """
    ax.set_title("\n".join(textwrap.wrap(question, width)), loc="left", fontsize=12, fontweight="bold", pad=10 + above)
    if not ax.get_xlabel():
        ax.set_xlabel(" ")
    ax.annotate(
        "\n".join(textwrap.wrap(footer, int(width * 1.45))),
        xy=(0, 0),
        xycoords=("axes fraction", ax.xaxis.label),
        xytext=(0, -8),
        textcoords="offset points",
        va="top",
        ha="left",
        fontsize=8,
        color=QUIET,
        gid="footer",
        annotation_clip=False,
    )
    return ax


def footer_of(ax: Axes) -> str:
    """Return the footer of a chart as one line."""
    return " ".join(" ".join(t.get_text().split()) for t in ax.texts if t.get_gid() == "footer")


def wrap_label(label: str, width: int = 18) -> str:
    """Return a player's label broken at its commas and parentheses, no line much longer than `width`.

    >>> wrap_label("harvester(noise=0.1,summer=2)")
    'harvester\\n(noise=0.1,\\nsummer=2)'
    """
    if len(label) <= width:
        return label
    pieces = label.replace("(", "\0(").replace(",", ",\0").replace(" ", " \0").split("\0")
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    broken = (part for line in lines for part in textwrap.wrap(line, max(width, 12)) or [""])
    return "\n".join(line.strip() for line in broken if line.strip())


def spread_labels(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Return heights for labels near their wanted `places`, at least `gap` apart and between `low` and `high`."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    placed = [0.0] * len(places)
    edge = low
    for i in order:
        placed[i] = edge = max(places[i], edge)
        edge += gap
    edge = high
    for i in reversed(order):
        placed[i] = edge = min(placed[i], edge)
        edge -= gap
    return placed


def lay_out(figure: Figure) -> Bbox:
    """Fix where everything in a figure stands and return the part to save, in inches: all that is drawn."""
    with house_style():
        if figure.get_layout_engine() is not None:
            figure.draw_without_rendering()
            with matplotlib.rc_context({"figure.constrained_layout.use": False}):
                figure.set_layout_engine(None)  # done; otherwise each file format would do it again
        return figure.get_tightbbox().padded(0.12)


def figure_files(figure: Figure, kinds: Iterable[str]) -> dict[str, bytes]:
    """Return a figure as the bytes of ``png`` and ``svg`` files, without a date in them, by kind."""
    part, found = lay_out(figure), {}
    for kind in kinds:
        buffer = io.BytesIO()
        metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        with house_style():
            figure.savefig(buffer, format=kind, dpi=160, bbox_inches=part, metadata=metadata)
        found[kind] = buffer.getvalue()
    return found
