"""Fujiyama (Nanatsumu, 2021): nine rounds of passing, choosing and laying season tiles; 2 to 5 seats."""

from meeplecarlo.games.season_tiles import TILES
from meeplecarlo.registry import Component, Game, Option

GAME = Game(
    name="fujiyama",
    title="Fujiyama",
    summary="Tile drafting and laying in nine rounds: seasonal forests and animals on a mountain of nine tiles.",
    package=__name__,
    seats=(2, 5),
    rules_version=1,
    phases=("trump", "pass", "choose", "place"),
    categories=("spring", "summer", "autumn", "winter", "mixed", "flatland"),
    slots=(*(f"F{i}" for i in range(1, 13)), *(f"L{i}" for i in range(1, 15))),
    ties=("seasonal",),
    decisions_per_seat=28,
    max_options=9 * 3 * 6,
    lines_per_seat=12 + 14,
    max_rounds=9,
    options=(
        Option("spring_base", 0, "points of a spring forest before its blossoms are counted", "printed"),
        Option("spring_per_blossom", 1, "points per cherry blossom in a spring forest", "printed"),
        Option("summer_base", 0, "points of a summer forest before conifers x broadleaves", "printed"),
        Option("summer_factor", 1, "points per conifer-broadleaf pair of a summer forest", "printed"),
        Option("autumn_points", (4, 4, 9), "points of an autumn forest with 1, 2, 3 kinds of fruit", "printed"),
        Option("winter_base", 3, "points of each winter forest before winter forests are counted", "printed"),
        Option("winter_per_forest", 1, "points of each winter forest per winter forest on the mountain", "printed"),
        Option("mixed_points", 0, "points of a forest of more than one season", "printed"),
        Option("flatland_points", (3, 8, 15), "points of a flatland with 1, 2, 3 kinds of animals", "printed"),
        Option(
            "tie_break",
            "seasonal",
            "equal totals: more seasonal points win, or the victory is shared at once",
            "printed",
            ("seasonal", "shared"),
        ),
        Option("trump", "once", "how often a seat may play its trump tile", "printed", ("once", "never")),
        Option(
            "turn",
            "none",
            "whether a tile may be turned by thirds when laid; the rulebook lays all the same way up",
            "printed",
            ("none", "thirds"),
        ),
    ),
    components=(
        TILES,
        Component(
            "boards",
            "five mountain boards: printed icons and animal rows",
            "assumed",
            ("boards.csv", "boards_safe_summer.csv", "boards_risky_summer.csv"),
        ),
    ),
)
