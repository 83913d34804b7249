"""Compile every game with all its players into the disk cache, so that what follows need not."""

import sys

from meeplecarlo.registry import list_games
from meeplecarlo.simulation.design import SEARCH
from meeplecarlo.simulation.engine import warm_up
from meeplecarlo.simulation.plan import make_plan


def main() -> None:
    """Warm the cache for every registered game."""
    for game in list_games():
        seats = game.seats[0]
        names = list(game.players)
        search = f"{SEARCH}({names[0]},sims=1)"
        for first in range(0, len(names), seats):
            lineup = (names[first : first + seats] + [search] * seats)[:seats]
            warm_up(make_plan(game.name, lineup, 1, 0), lambda line: print(line, file=sys.stderr))
        warm_up(make_plan(game.name, [search] * seats, 1, 0), lambda line: None)


if __name__ == "__main__":
    main()
