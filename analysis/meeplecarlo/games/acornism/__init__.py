"""Acornism (Kotori, PhantomLab): dominoes of animals and acorns on a growing field, all hands open; 2 to 4 seats."""

from meeplecarlo.registry import Component, Game, Option

MAX_FIELD = 12  # squares along one side of the field
MAX_HAND = 8
MAX_TILES = 100
MAX_WANT = 20  # acorns an animal may want
MAX_ACORNS = 9  # acorns on one square
MAX_LAID = MAX_FIELD * MAX_FIELD // 2  # tiles that fit on the field
# Pairs of neighbouring squares in the field and two squares around it, which is as far as a tile can reach.
MAX_PAIRS = 2 * (MAX_FIELD + 2) * (MAX_FIELD + 1)

GAME = Game(
    name="acornism",
    title="Acornism",
    summary="Domino laying with open hands: whoever completes an animal with just the acorns it wants scores them.",
    package=__name__,
    seats=(2, 4),
    rules_version=1,
    phases=("place", "pass"),
    categories=("animal",),
    slots=tuple(str(number) for number in range(1, MAX_WANT + 1)),
    ties=(),
    decisions_per_seat=MAX_LAID - 1,  # some seat places a tile in every round
    max_options=MAX_HAND * MAX_PAIRS + 1,
    lines_per_seat=MAX_LAID // 2,  # of the 72 that two seats can share
    max_rounds=MAX_LAID,
    options=(
        Option(
            "edge_scoring",
            "false",
            "whether an animal on a settled edge or corner is complete with three or two neighbours",
            "printed",
            ("false", "true"),
        ),
        Option(
            "underfed",
            "allowed",
            "whether a tile may complete an animal that then lacks acorns",
            "assumed",
            ("allowed", "forbidden"),
        ),
        Option("field_size", 8, "rows and columns of the field", "printed", (), 4, MAX_FIELD),
        Option("hand_size", 4, "tiles in a hand", "printed", (), 1, MAX_HAND),
        Option("pieces", 0, "animals a seat can score, 0: any number", "assumed", (), 0, 40),
        Option(
            "magic",
            "wild",
            "what the Magic Acorn is worth: up to 10 acorns to each neighbour, or none",
            "printed",
            ("wild", "none"),
        ),
    ),
    components=(
        Component("tiles", "40 tiles: an animal by the acorns it wants, and the acorns beside it", "assumed",
                  ("tiles.csv",)),
    ),
)  # fmt: skip
