"""A game in play through its compiled protocol functions, one call at a time: what most tests of rules stand on."""

from __future__ import annotations

import random

import numpy as np

from meeplecarlo.compiled import MAX_SEATS, MAX_TIES, MEMORY_SIZE, records
from meeplecarlo.registry import Game, get_game
from meeplecarlo.simulation.design import parse_spec
from meeplecarlo.streams import seed_stream
from meeplecarlo.variant import make_variant


def stream(seed: int, key: int = 0, name: int = 0) -> np.ndarray:
    """Return a fresh random stream."""
    rng = np.zeros(4, np.uint64)
    seed_stream(rng, np.uint64(seed), np.int64(key), np.int64(name))
    return rng


class Table:
    """One position of a game and the rules it is played by.

    Parameters
    ----------
    game : str or Game
    n_seats : int
    options, components : dict, optional
        As in `meeplecarlo.simulate`.
    seed : int
        Of the deal.
    """

    def __init__(self, game: str | Game, n_seats: int, options=None, components=None, seed: int = 1):
        self.game = get_game(game) if isinstance(game, str) else game
        self.n_seats = n_seats
        self.rules = make_variant(self.game, options, components).make_rules(n_seats)[0]
        self.dtype = self.game.module("state").STATE
        self._weights: dict[str, np.ndarray] = {}  # by player; copies share it
        self._states = records(1, self.dtype)
        self.state = self._states[0]
        self.deal(seed)

    def deal(self, seed: int) -> Table:
        """Deal anew."""
        self.game.compiled("deal")(self.rules, self.state, stream(seed))
        return self

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.seat < 0)

    def bytes(self) -> bytes:
        """Return the position, byte for byte."""
        return self.state.tobytes()

    def copy(self) -> Table:
        """Return another table with the same rules and an equal position."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin._states = records(1, self.dtype)  # a numpy copy would leave the bytes between fields unset
        twin._states.view(np.ndarray)[0] = self.state
        twin.state = twin._states[0]
        return twin

    def legal(self) -> list[int]:
        """Return the legal moves of the seat to decide."""
        moves = np.full(self.game.max_options, -7, np.int32)
        n = self.game.compiled("legal")(self.rules, self.state, moves)
        return moves[:n].tolist()

    def apply(self, move: int) -> bool:
        """Play a move; return what the rules say about it."""
        return bool(self.game.compiled("apply")(self.rules, self.state, int(move)))

    def play(self, *moves: int) -> Table:
        """Play moves that must be legal."""
        for move in moves:
            assert self.apply(move), f"move {move} was refused; legal: {self.legal()}"
        return self

    def play_random(self, choose: random.Random | int, plies: int | None = None) -> Table:
        """Play random moves to the end, or at most `plies` of them."""
        rng = random.Random(choose) if isinstance(choose, int) else choose
        while not self.over and plies != 0:
            self.play(rng.choice(self.legal()))
            plies = None if plies is None else plies - 1
        return self

    def view(self, seat: int | None = None):
        """Return what `seat` (default: the one to decide) can see, a record of its own."""
        view = records(1, self.dtype)[0]
        self.game.compiled("observe")(self.rules, self.state, self.state.seat if seat is None else seat, view)
        return view

    def at(self, position) -> Table:
        """Return another table with the same rules, at a copy of `position`."""
        twin = self.copy()
        twin._states.view(np.ndarray)[0] = position
        return twin

    def redealt(self, view, seed: int) -> Table:
        """Return a table at a guess of what `view` hides."""
        twin = self.at(view)
        self.game.compiled("redeal")(self.rules, twin.state, stream(seed, 0, 99))
        return twin

    def weights(self, player: str) -> np.ndarray:
        """Return the weights of a scripted player, ``name`` or ``name(weight=value)``, as its `choose` gets them."""
        if player not in self._weights:
            spec = parse_spec(self.game, player)
            entry = self.game.player(spec.player)
            weights = np.array([value for _, value in spec.weights])
            weights = entry.prepare(self.rules, weights) if entry.prepare else weights
            self._weights[player] = weights if len(weights) else np.zeros(1)
        return self._weights[player]

    def choice(self, player: str, view=None, seed: int = 1) -> int:
        """Return the index a scripted player chooses."""
        moves = np.full(self.game.max_options, -7, np.int32)
        n = self.game.compiled("legal")(self.rules, self.state, moves)
        memory = np.zeros(MEMORY_SIZE, np.int64)
        view = self.view() if view is None else view
        choose = self.game.compiled_player(self.game.player(player.partition("(")[0]))
        return int(choose(self.rules, view, moves, n, self.weights(player), memory, stream(seed)))

    def tally(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (lines, ties) of the position: LINE, shape (n,), and int32, shape (n_seats, MAX_TIES)."""
        lines = records(self.game.lines_per_seat * self.n_seats, self.game.module("state").LINE)
        ties = np.zeros((MAX_SEATS, MAX_TIES), np.int32)
        n = self.game.compiled("tally")(self.rules, self.state, lines, ties)
        return lines[:n].view(np.ndarray).copy(), ties[: self.n_seats]

    def points(self) -> list[int]:
        """Return the points of every seat."""
        lines, _ = self.tally()
        return [int(lines["points"][lines["seat"] == seat].sum()) for seat in range(self.n_seats)]
