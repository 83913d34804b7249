"""Fuji-san (Gregory Lattanzio, 2014): pyramids placed on triangles, taken away and captured; 2 seats, no chance."""

from meeplecarlo.registry import Component, Game, Option

MAX_SPACES = 64  # bits of a set of spaces
MAX_STEPS = 33  # differences between the numbers of neighbours: one within rows, and at most one per pair in a column
MAX_CAPTURES = MAX_SPACES // 2  # of one seat, which takes every other turn
SIZES = ("small", "medium", "large")

GAME = Game(
    name="fuji-san",
    title="Fuji-san",
    summary="Pyramids on a board of triangles: fill it, then take two, put one and capture what is surrounded.",
    package=__name__,
    seats=(2, 2),
    rules_version=1,
    phases=("place", "remove", "take_first", "take_second", "put", "capture"),
    categories=("captured",),
    slots=SIZES,
    ties=(),
    decisions_per_seat=MAX_SPACES // 2 + 1 + 4 * MAX_CAPTURES,
    max_options=3 * MAX_SPACES,
    lines_per_seat=MAX_CAPTURES,
    max_rounds=2 * MAX_SPACES,
    options=(
        Option("pips", (1, 2, 3), "points of a captured small, medium, large pyramid", "printed", (), 1, 9),
        Option("pieces", (5, 5, 5), "small, medium, large pyramids of each seat", "printed", (), 0, 10),
    ),
    components=(
        Component(
            "board",
            "the spaces: row lengths, or a picture of ^ and v",
            "assumed",
            ("mountain30.txt", "hexagon24.txt", "rows33.txt"),
        ),
    ),
    perfect_information=True,
    chance=False,
)
