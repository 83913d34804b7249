"""What the contract tests run over: every registered game, number of seats, rule variant and player."""

from __future__ import annotations

import pytest

from meeplecarlo.registry import Game, list_games

GAMES = list_games()


def all_seats(game: Game) -> range:
    """Return the numbers of seats a game allows."""
    return range(game.seats[0], game.seats[1] + 1)


def variants(game: Game) -> list[dict]:
    """Return the game as it is in the box, and with every choice among rules made another way, one at a time."""
    others = [{o.name: choice} for o in game.options for choice in o.choices if choice != o.default]
    return [{}, *others]


def scripted(game: Game) -> list[str]:
    """Return the names of the scripted players but ``random``."""
    return [name for name in game.players if name != "random"]


def _label(game: Game, n_seats: int, options: dict) -> str:
    return "-".join([game.name, str(n_seats), *(f"{name}={value}" for name, value in options.items())])


every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
every_size = pytest.mark.parametrize(
    ("game", "n_seats"),
    [pytest.param(game, n, id=_label(game, n, {})) for game in GAMES for n in all_seats(game)],
)
every_variant = pytest.mark.parametrize(
    ("game", "n_seats", "options"),
    [
        pytest.param(game, n, options, id=_label(game, n, options))
        for game in GAMES
        for n in all_seats(game)
        for options in variants(game)
    ],
)
every_player = pytest.mark.parametrize(
    ("game", "player"),
    [pytest.param(game, name, id=f"{game.name}-{name}") for game in GAMES for name in game.players],
)
every_scripted_player = pytest.mark.parametrize(
    ("game", "player"),
    [pytest.param(game, name, id=f"{game.name}-{name}") for game in GAMES for name in scripted(game)],
)


def lineups(game: Game) -> list[list[str]]:
    """Return line-ups that together hold every player, full tables first, filled up with ``random``."""
    size, names = game.seats[1], list(game.players)
    return [(names[i : i + size] + ["random"] * size)[:size] for i in range(0, len(names), size)]
