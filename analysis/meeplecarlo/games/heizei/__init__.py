"""The Major Four of Heizei: cards are shed and four cubes race, in two rounds; 3 to 5 seats."""

from meeplecarlo.registry import Game, Option

COLOURS = ("red", "blue", "yellow", "black")
SIZES = range(3, 6)  # numbers of seats
MAX_HAND = 24  # cards dealt to a seat
MAX_STEPS = 7  # length of the step table: 1..6 cards, and 7 or more
SPARE = 8  # moves that `legal` may write behind the last one

GAME = Game(
    name="heizei",
    title="The Major Four of Heizei",
    summary="Card shedding and a race of four cubes; what is collected in round 1 is the hand of round 2.",
    package=__name__,
    seats=(3, 5),
    rules_version=1,
    phases=("prepare", "play", "take", "last"),
    categories=("first_cards", "first_tile", "second_cards", "second_penalty", "second_tile"),
    slots=(*COLOURS, "tile"),
    ties=("tile_2",),
    decisions_per_seat=2 * (1 + 2 * (MAX_HAND - 1) + 1),
    max_options=MAX_HAND + SPARE,
    lines_per_seat=2 * (len(COLOURS) + 1),
    max_rounds=2,
    options=(
        Option("cards_per_colour", (12, 15, 15), "cards of each colour with 3, 4, 5 seats", "printed", (), 4, 20),
        Option("steps", (1, 3, 6, 10, 15, 21, 28), "spaces a cube moves for 1..6 and for 7 or more cards", "printed",
               (), 0, 99),
        Option("first_values", (3, 2, 1, 0), "points per card in round 1, by the place of its cube", "printed",
               (), 0, 20),
        Option("second_values", (4, 3, 2, 1), "points per card in round 2, by the place of its cube", "printed",
               (), 0, 20),
        Option("tiles_3", (1, 2), "values of the point tiles with 3 seats", "assumed", (), 0, 20),
        Option("tiles_4", (1, 2, 3), "values of the point tiles with 4 seats", "assumed", (), 0, 20),
        Option("tiles_5", (1, 2, 3, 4), "values of the point tiles with 5 seats", "assumed", (), 0, 20),
        Option("track", 0, "spaces of the track, the four circles included (8 or more); 0: it has no end", "assumed",
               (), 0, 200),
        Option("penalty", "most", "round 2: the colour a seat holds most of counts negative, or none does", "printed",
               ("most", "none")),
        Option("memory", "perfect", "who collected what is remembered, or only what lies on the table is known",
               "assumed", ("perfect", "table")),
    ),
)  # fmt: skip
