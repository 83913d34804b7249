"""Great Fujiyama (Nanatsumu, 2021): the cooperative option of Fujiyama, one pyramid for all; 1 to 5 seats."""

from dataclasses import replace

from meeplecarlo.games.season_tiles import TILES
from meeplecarlo.registry import Game, Option

MAX_WIDTH = 10  # tiles of station 1, and stations, at most: the buffers below are made for so many
MAX_HAND = 8

GAME = Game(
    name="great-fujiyama",
    title="Great Fujiyama",
    summary="Cooperative tile laying: all seats build one pyramid of up to ten stations from the 64 season tiles.",
    package=__name__,
    seats=(1, 5),
    rules_version=1,
    phases=("place",),
    categories=("station",),
    slots=tuple(f"station {s}" for s in range(1, MAX_WIDTH + 1)),
    ties=(),
    decisions_per_seat=54,
    max_options=MAX_HAND * (MAX_WIDTH + 1) * 3,
    lines_per_seat=MAX_WIDTH,
    max_rounds=54,
    options=(
        Option(
            "talk",
            "none",
            "what talking at the table conveys: nothing, or everything (open: teammates see each other's hands)",
            "assumed",
            ("none", "open"),
        ),
        Option(
            "turn",
            "none",
            "whether a tile may be turned by thirds when laid; the rulebook, read literally, never turns one",
            "printed",
            ("none", "thirds"),
        ),
        Option("width", MAX_WIDTH, "tiles of station 1; station s holds width + 1 - s", "printed", (), 1, MAX_WIDTH),
        Option("hand_size", 3, "tiles in a hand", "printed", (), 1, MAX_HAND),
    ),
    components=(replace(TILES, meaning="64 tiles: every ordered triple of seasons once", mark="derived"),),
    shared_result=True,
)
