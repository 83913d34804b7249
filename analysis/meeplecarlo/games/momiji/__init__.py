"""Momiji (Massarenti and Testini, 2021): leaf cards collected and stacked, goals, landscape powers; 2 to 4 seats."""

from meeplecarlo.registry import Component, Game, Option

MAX_TYPES = 6  # leaf types, goals laid out and torii: seats + 2
MAX_FACES = 12  # kinds of cards within a type
MAX_CARDS = 120
MAX_PAIRS = MAX_TYPES * MAX_FACES * (MAX_TYPES * MAX_FACES + 1) // 2  # of different cards, to trade
MAX_COPIES = 15  # of a face within a type: counts take four bits
MAX_GOALS = 24  # goals in the box
MAX_LANDSCAPES = 12
ROWS = ("A", "B", "C")  # of landscapes
TYPE_NAMES = tuple(f"type {t}" for t in range(1, MAX_TYPES + 1))
GOAL_NAMES = tuple(f"goal {g}" for g in range(1, MAX_TYPES + 1))

GAME = Game(
    name="momiji",
    title="Momiji",
    summary="Leaf cards are collected and laid in stacks of rising value; acorns pay for goals and landscape powers.",
    package=__name__,
    seats=(2, 4),
    rules_version=1,
    phases=("main", "collect", "more", "trade", "after", "discard"),
    categories=("stack", "acorns", "goal"),
    slots=(*TYPE_NAMES, "acorns", *GOAL_NAMES),
    ties=(),
    decisions_per_seat=500,
    max_options=MAX_PAIRS + MAX_TYPES * MAX_FACES,  # behind the pairs, room for `legal` to note the cards themselves
    lines_per_seat=MAX_TYPES + 1 + MAX_TYPES,
    max_rounds=100,
    options=(
        Option(
            "landscapes",
            "starter",
            "the first landscape of each row for all seats, or one of each row drawn for every seat",
            "printed",
            ("random", "starter"),
        ),
        Option(
            "display_refill",
            "to_four",
            "after a taking the display is filled up to four, or four are laid only once it is empty",
            "assumed",
            ("to_four", "when_empty"),
        ),
        Option(
            "last_round",
            "true",
            "true: the round in which the end is triggered is finished and one more is played; false: the game ends "
            "after that turn",
            "assumed",
            ("true", "false"),
        ),
        Option(
            "zero_goal",
            "nobody",
            "who scores an active goal whose best value is 0: nobody, or all that tie at 0",
            "assumed",
            ("nobody", "scores"),
        ),
        Option(
            "activation",
            "allowed",
            "forbidden: no goal can be claimed in any way; for measuring what goals are worth",
            "printed",
            ("allowed", "forbidden"),
        ),
        Option("start_acorns", 2, "acorns of each seat at the start", "assumed", (), 0, 20),
        Option("hand_size", 6, "cards dealt to each seat", "printed", (), 1, 8),
        Option("hand_limit", 8, "cards a seat may hold at the end of its turn", "public", (), 1, 20),
        Option("goal_cost", 3, "acorns that claiming a goal costs", "printed", (), 0, 20),
        Option("goal_points", 10, "points of an active goal for its holder if nobody is better", "printed", (), 0, 50),
        Option("other_goal_points", 3, "points for every other seat that is best at it", "printed", (), 0, 50),
        Option("pair_acorns", 2, "acorns for each pair of facing acorn corners", "printed", (), 0, 10),
    ),
    components=(
        Component("cards", "faces of the cards of each type; the corners with acorns are assumed", "assumed",
                  ("cards.csv",)),
        Component("goals", "goals: three are attested, the others assumed", "assumed", ("goals.csv",)),
        Component("powers", "landscapes: their names, rows, effects and amounts", "assumed", ("powers.csv",)),
    ),
)  # fmt: skip
