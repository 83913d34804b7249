"""What a game and a player are to the rest of the toolkit, and how they are found by name.

Nothing here compiles or imports a game's rules until they are asked for: listing games must be instant.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from meeplecarlo.errors import UsageError, unknown

SHIPPED_GAMES = {
    "fujiyama": "meeplecarlo.games.fujiyama",
    "great-fujiyama": "meeplecarlo.games.great_fujiyama",
    "fuji-san": "meeplecarlo.games.fuji_san",
    "acornism": "meeplecarlo.games.acornism",
    "heizei": "meeplecarlo.games.heizei",
    "momiji": "meeplecarlo.games.momiji",
}
ENTRY_POINTS = "meeplecarlo.games"
MARKS = ("printed", "public", "derived", "assumed")


@dataclass(frozen=True)
class Option:
    """A number or choice of the rules that ``--set name=value`` changes.

    Attributes
    ----------
    default : int, str or tuple of int
        Value in the box. A str is one of `choices`; a tuple has a fixed length.
    mark : str
        Where the default comes from: printed, public, derived or assumed.
    low, high : int
        Range of a number, or of each number of a tuple, both ends allowed.
    """

    name: str
    default: int | str | tuple[int, ...]
    meaning: str
    mark: str
    choices: tuple[str, ...] = ()
    low: int = -999
    high: int = 999


@dataclass(frozen=True)
class Component:
    """A file of components, CSV or plain text: ``--tiles FILE`` and the like replace the default.

    Attributes
    ----------
    shipped : tuple of str
        File names in the ``components`` folder; the first is the default. A user may name a shipped one by its
        stem.
    package : str
        Import path of the package that holds the ``components`` folder; by default the game's own.
    """

    name: str
    meaning: str
    mark: str
    shipped: tuple[str, ...]
    package: str = ""


@dataclass(frozen=True)
class Weight:
    """A named number of a player that its spec can set: ``harvester(summer=2)``."""

    name: str
    default: float
    meaning: str


@dataclass(frozen=True)
class Player:
    """A scripted player: one function over the view of the seat to move.

    Attributes
    ----------
    choose : callable
        ``choose(rules, view, moves, n, weights, memory, rng) -> index`` into ``moves[:n]``; plain Python that
        numba can compile.
    prepare : callable, optional
        ``prepare(rules, weights) -> ndarray of float64``, called once a run: the weights, and behind them whatever
        the player derives from them and the rules. This is what `choose` then gets as its weights.
    """

    name: str
    choose: Callable
    summary: str
    weights: tuple[Weight, ...] = ()
    prepare: Callable | None = None


def weighted_player(
    name: str,
    summary: str,
    choose: Callable,
    weights: tuple[Weight, ...],
    prepare: Callable | None = None,
    **changed: float,
) -> Player:
    """Return a player with these weights, some of their defaults changed.

    Raises
    ------
    ValueError
        If a changed weight is none of `weights`.
    """
    unknown_names = set(changed) - {w.name for w in weights}
    if unknown_names:
        raise ValueError(f"{name}: unknown weights {unknown_names}")
    own = tuple(Weight(w.name, float(changed.get(w.name, w.default)), w.meaning) for w in weights)
    return Player(name, choose, summary, own, prepare)


@dataclass(frozen=True)
class Game:
    """Everything the toolkit knows about a game before its rules are compiled.

    Attributes
    ----------
    package : str
        Import path of the folder holding ``state``, ``rules``, ``players``, ``variant``, ``view``, ``report``.
    seats : tuple of int
        Least and greatest number of seats.
    rules_version : int
        Raised when the rules behave differently, never for speed.
    phases, categories, slots : tuple of str
        Names of the codes in the logs, by code.
    ties : tuple of str
        Names of the tie-break values in the order they are compared.
    decisions_per_seat : int
        No game asks a seat more often; a game that would is truncated.
    max_options, lines_per_seat, max_rounds : int
        Sizes of the buffers the game loop allocates.
    shared_result : bool
        All seats win or lose together; every seat is credited with all points, and nobody has a rank.
    perfect_information : bool
        Nothing is ever hidden: every view is a copy of the position, and there is nothing to guess.
    chance : bool
        Whether deals differ. Where they do not, only the players' own randomness makes games differ.
    """

    name: str
    title: str
    summary: str
    package: str
    seats: tuple[int, int]
    rules_version: int
    phases: tuple[str, ...]
    categories: tuple[str, ...]
    slots: tuple[str, ...]
    ties: tuple[str, ...]
    decisions_per_seat: int
    max_options: int
    lines_per_seat: int
    max_rounds: int
    options: tuple[Option, ...] = ()
    components: tuple[Component, ...] = ()
    shared_result: bool = False
    perfect_information: bool = False
    chance: bool = True
    _compiled: dict[Any, Callable] = field(default_factory=dict, repr=False, compare=False)

    def module(self, role: str) -> ModuleType:
        """Import one of the game's modules by its role (``state``, ``rules``, ``players``, ...)."""
        return importlib.import_module(f"{self.package}.{role}")

    def option(self, name: str) -> Option:
        """Return the rule option called `name`; raise `UsageError` with the nearest name otherwise."""
        for option in self.options:
            if option.name == name:
                return option
        raise UsageError(unknown(f"rule option of {self.name}", name, [o.name for o in self.options]))

    def component(self, name: str) -> Component:
        """Return the component file called `name`; raise `UsageError` otherwise."""
        for component in self.components:
            if component.name == name:
                return component
        raise UsageError(unknown(f"component of {self.name}", name, [c.name for c in self.components]))

    @cached_property
    def players(self) -> dict[str, Player]:
        """The game's scripted players by name, ``random`` first."""
        return {player.name: player for player in self.module("players").PLAYERS}

    def player(self, name: str) -> Player:
        """Return the player called `name`; raise `UsageError` with the nearest name otherwise."""
        if name not in self.players:
            raise UsageError(unknown(f"player of {self.name}", name, self.players))
        return self.players[name]

    @cached_property
    def signatures(self):
        """The numba types of this game's protocol functions."""
        from meeplecarlo.compiled import Signatures

        state = self.module("state")
        return Signatures(state.RULES, state.STATE, state.LINE)

    def compile_once(self, key: Any, compile_it: Callable[[], Callable]) -> Callable:
        """Return what `compile_it` returned the first time this `key` was asked for."""
        if key not in self._compiled:
            self._compiled[key] = compile_it()
        return self._compiled[key]

    def compiled(self, name: str) -> Callable:
        """Return one of the six protocol functions, compiled (from the disk cache where possible)."""
        return self.compile_once(name, lambda: self.signatures.compile(name, getattr(self.module("rules"), name)))

    def compiled_player(self, player: Player) -> Callable:
        """Return a player's ``choose``, compiled (from the disk cache where possible)."""
        return self.compile_once(player.choose, lambda: self.signatures.compile("choose", player.choose))

    def max_decisions(self, n_seats: int) -> int:
        """Most decisions a game of `n_seats` may take before it is truncated."""
        return self.decisions_per_seat * n_seats

    def check_seats(self, n_seats: int) -> None:
        """Raise `UsageError` unless the game can be played by `n_seats`."""
        low, high = self.seats
        if not low <= n_seats <= high:
            named = f"{n_seats} player was" if n_seats == 1 else f"{n_seats} players were"
            raise UsageError(f"{self.title} is for {self.seats_in_words(' to ')} seats, but {named} named.")

    def seats_in_words(self, joint: str) -> str:
        """Return the numbers of seats the game allows, the least and the greatest joined: ``2-5``, or ``2``."""
        return joint.join(str(n) for n in dict.fromkeys(self.seats))


@cache
def game_paths() -> dict[str, str]:
    """Return the import path of every known game: the shipped ones, then installed ones by entry point."""
    others = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return {**others, **SHIPPED_GAMES}


def list_games() -> list[Game]:
    """Return all known games, the shipped ones included, ordered by name."""
    return [get_game(name) for name in sorted(game_paths())]


@cache
def get_game(name: str) -> Game:
    """Return the game called `name`.

    Raises
    ------
    UsageError
        If there is none; the message names the nearest.
    """
    paths = game_paths()
    if name not in paths:
        raise UsageError(unknown("game", name, sorted(paths)))
    module, _, attribute = paths[name].partition(":")
    return getattr(importlib.import_module(module), attribute or "GAME")
