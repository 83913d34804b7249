"""Who plays whom, on which deal and in which seat: line-ups, player specs and seatings.

A deal is played in as many seatings as there are players: a fresh random order per deal and its rotations. So every
player holds every seat equally often, nobody always sits behind the same neighbour, and the deal is the unit of all
statistics. When all players are the same, one game a deal says everything.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from meeplecarlo.compiled import MAX_SEATS, helper
from meeplecarlo.errors import UsageError, unknown
from meeplecarlo.registry import Game, Player, get_game
from meeplecarlo.streams import SEATING, seed_stream, shuffle

MAX_SIMULATIONS = 1_000_000
SEARCH = "search"
SEARCH_SUMMARY = "Monte Carlo search: guesses what is hidden and plays every option to the end with BASE, N times."


@dataclass(frozen=True)
class PlayerSpec:
    """A player of a line-up with its weights.

    Attributes
    ----------
    label : str
        The spec in its shortest form; equal labels are equal players.
    player : str
        Name of the scripted player, or of the rollout policy of a search.
    weights : tuple of (name, value)
        All named weights, in the player's order.
    simulations : int
        0, or the playouts a decision of a search.
    """

    label: str
    player: str
    weights: tuple[tuple[str, float], ...]
    simulations: int = 0


@dataclass(frozen=True)
class Design:
    """How many games are played on how many deals.

    Attributes
    ----------
    n_games, n_seats : int
    seatings : int
        Games per deal: the number of seats, or 1 when all players are the same.
    """

    n_games: int
    n_seats: int
    seatings: int

    @property
    def n_deals(self) -> int:
        """Deals dealt; the last may be played in fewer seatings than the others."""
        return -(-self.n_games // self.seatings)

    @property
    def complete_deals(self) -> int:
        """Deals played in all their seatings: those that intervals are made from."""
        return self.n_games // self.seatings


def make_design(lineup: tuple[PlayerSpec, ...], n_games: int) -> Design:
    """Return the design of a run of `n_games` with this line-up."""
    same = len({spec.label for spec in lineup}) == 1
    return Design(n_games, len(lineup), 1 if same else len(lineup))


def split_specs(text: str) -> list[str]:
    """Split a line-up at the commas that are not inside parentheses.

    >>> split_specs("steady, harvester(summer=2,noise=0.1),random")
    ['steady', 'harvester(summer=2,noise=0.1)', 'random']
    """
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return parts


def parse_lineup(game: Game, players: str | list[str]) -> tuple[PlayerSpec, ...]:
    """Return the line-up written as ``"a,b(weight=1),c"`` or as a list of such specs.

    Raises
    ------
    UsageError
        For an unknown player or weight, a malformed spec, or a number of seats the game does not have.
    """
    specs = split_specs(players) if isinstance(players, str) else [str(p).strip() for p in players]
    game.check_seats(len(specs))
    return tuple(parse_spec(game, spec) for spec in specs)


def parse_spec(game: Game, text: str) -> PlayerSpec:
    """Return the player written as ``name``, ``name(weight=value,...)`` or ``search(spec,sims=N)``."""
    match = re.fullmatch(r"([\w-]+)\s*(?:\((.*)\))?", text.strip(), flags=re.DOTALL)
    if match is None or text.count("(") != text.count(")"):
        raise UsageError(
            f"cannot read the player {text!r}: write a name, name(weight=value,...) or search(name,sims=100)."
        )
    name, inside = match[1], match[2]
    arguments = split_specs(inside) if inside and inside.strip() else []
    if name == SEARCH:
        return _parse_search(game, text, arguments)
    if name not in game.players:
        raise UsageError(unknown(f"player of {game.name}", name, [*game.players, SEARCH]))
    return _with_weights(game.players[name], arguments)


def _with_weights(player: Player, arguments: list[str]) -> PlayerSpec:
    values = {w.name: w.default for w in player.weights}
    for argument in arguments:
        name, equals, number = (part.strip() for part in argument.partition("="))
        if not equals:
            raise UsageError(f"{player.name}: write its weights as name=value, got {argument!r}.")
        if name not in values:
            raise UsageError(unknown(f"weight of {player.name}", name, values) if values else
                             f"the player {player.name!r} has no weights, got {argument!r}.")  # fmt: skip
        values[name] = _finite(player.name, name, number)
    changed = [f"{w.name}={_shortest(values[w.name])}" for w in player.weights if values[w.name] != w.default]
    label = f"{player.name}({','.join(changed)})" if changed else player.name
    return PlayerSpec(label, player.name, tuple(values.items()))


def _shortest(value: float) -> str:
    """Return a number so that different numbers read differently."""
    return str(int(value)) if value.is_integer() else repr(value)


def _finite(player: str, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= 1e9:
        raise UsageError(f"{player}: the weight {name} must be a number between -1e9 and 1e9, got {text!r}.")
    return value


def _parse_search(game: Game, text: str, arguments: list[str]) -> PlayerSpec:
    named = [a for a in arguments if re.match(r"sims\s*=", a)]
    bases = [a for a in arguments if a not in named]
    if len(bases) != 1 or len(named) != 1:
        raise UsageError(f"a search is written search(player,sims=N), got {text!r}.")
    count = named[0].partition("=")[2].strip()
    if not count.isdecimal() or not 1 <= int(count) <= MAX_SIMULATIONS:
        raise UsageError(f"search: sims must be a whole number from 1 to {MAX_SIMULATIONS}, got {count!r}.")
    base = parse_spec(game, bases[0])
    if base.simulations:
        raise UsageError(f"the base of a search must be a scripted player, got {bases[0]!r}.")
    return PlayerSpec(f"search({base.label},sims={int(count)})", base.player, base.weights, int(count))


@helper
def seat_players(seed, deals, rotations, n_seats, seating):
    """Set ``seating[g, seat]`` to the line-up index of the player there in game g (int64, shape (n, MAX_SEATS)).

    The order of a deal is a random permutation from the stream (seed, deal, SEATING), rotated by ``rotations[g]``.
    """
    order = np.empty(MAX_SEATS, np.int64)
    rng = np.empty(4, np.uint64)
    for g in range(deals.shape[0]):
        seed_stream(rng, seed, deals[g], np.int64(SEATING))
        for i in range(n_seats):
            order[i] = i
        shuffle(rng, order, n_seats)
        for seat in range(n_seats):
            seating[g, seat] = order[(seat + rotations[g]) % n_seats]


def weight_rows(game_name: str, lineup: tuple[PlayerSpec, ...], rules) -> np.ndarray:
    """Return the weights of a line-up as its players get them, shape (MAX_SEATS, longest), rows by line-up index."""
    game = get_game(game_name)
    rows = []
    for spec in lineup:
        row = np.array([value for _, value in spec.weights])
        prepare = game.player(spec.player).prepare
        rows.append(prepare(rules[0], row) if prepare else row)
    table = np.zeros((MAX_SEATS, max(1, *(len(row) for row in rows))))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
