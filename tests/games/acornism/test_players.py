"""What the scripted players of Acornism have to do whatever they are called and however they are weighted."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from meeplecarlo.compiled import MEMORY_SIZE
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import make_plan
from tests.table import Table, stream

GAME = "acornism"
PLAYERS = tuple(get_game(GAME).players)
DECIDING = tuple(name for name in PLAYERS if name != "random")
every_player = pytest.mark.parametrize("player", PLAYERS)
VARIANTS = (
    {},
    {"edge_scoring": "true"},
    {"underfed": "forbidden", "hand_size": 2},
    {"field_size": 12, "pieces": 2},
    {"field_size": 5, "magic": "none", "hand_size": 1},
    {"field_size": 9, "edge_scoring": "true", "hand_size": 8},
)


def choice(table: Table, player: str, weights: np.ndarray, seed: int = 1) -> int:
    """Return the index a player chooses with these weights; whatever it is given is as it was afterwards."""
    entry = table.game.player(player)
    weights = np.array(weights if len(weights) else [0.0])
    weights = entry.prepare(table.rules, weights) if entry.prepare else weights
    moves = np.full(table.game.max_options, -7, np.int32)
    n = table.game.compiled("legal")(table.rules, table.state, moves)
    view = table.view()
    given = (view, moves, weights, table.rules, table.state)
    before = [thing.tobytes() for thing in given]
    choose = table.game.compiled_player(entry)
    picked = int(choose(table.rules, view, moves, n, weights, np.zeros(MEMORY_SIZE, np.int64), stream(seed)))
    assert [thing.tobytes() for thing in given] == before, player
    return picked


def some_weights(player: str, rng: random.Random, kind: str) -> np.ndarray:
    """Return weights of a kind: the defaults, all 0, or at random: as small as the defaults, or huge, of any sign."""
    weights = get_game(GAME).player(player).weights
    if kind == "default":
        return np.array([w.default for w in weights])
    scale = {"zero": 0.0, "small": 2.0, "huge": 1e9}[kind]
    return np.array([scale * rng.uniform(-1, 1) for _ in weights])


@pytest.mark.parametrize("kind", ["default", "zero", "small", "huge"])
@every_player
def test_choices_are_legal_and_touch_nothing_with_any_weights(player, kind):
    """In positions all along games of every size and of very different rules."""
    rng = random.Random(f"{player} {kind}")
    asked = 0
    for options in VARIANTS:
        n_seats = rng.choice([2, 3, 4])
        table = Table(GAME, n_seats, options, seed=rng.randrange(99))
        while not table.over:
            picked = choice(table, player, some_weights(player, rng, kind), rng.randrange(99))
            assert 0 <= picked < len(table.legal())
            asked += 1
            table.play(table.legal()[picked if rng.random() < 0.5 else rng.randrange(len(table.legal()))])
    assert asked > 80


@every_player
def test_from_the_same_view_and_stream_comes_the_same_choice(player):
    table = Table(GAME, 3, seed=5).play_random(5, 8)
    for seed in range(5):
        weights = some_weights(player, random.Random(seed), "small")
        assert len({choice(table, player, weights, seed) for _ in range(3)}) == 1


def test_random_chooses_every_option_equally_often():
    table = Table(GAME, 2, {"hand_size": 1}, seed=3).play_random(3, 2)
    n = len(table.legal())
    counts = np.bincount([choice(table, "random", np.zeros(0), seed) for seed in range(200 * n)], minlength=n)
    assert n >= 5
    assert ((counts - 200) ** 2 / 200).sum() < n - 1 + 5 * np.sqrt(2 * (n - 1))


def gain(table: Table, move: int) -> int:
    """Return the points the seat to decide scores by a move."""
    seat = int(table.state.seat)
    return table.copy().play(move).points()[seat] - table.points()[seat]


@pytest.mark.parametrize(
    "options", [{}, {"underfed": "forbidden", "hand_size": 2}, {"field_size": 12, "magic": "none"}]
)
def test_greedy_takes_the_most_points_there_are(options):
    """Greedy finds out by itself what an option scores; here every option is tried out."""
    compared = 0
    for seed in range(4):
        table, rng = Table(GAME, 2, options, seed=seed), random.Random(seed)
        while not table.over:
            gains = [gain(table, move) for move in table.legal()]
            if max(gains) > 0:
                assert gains[choice(table, "greedy", some_weights("greedy", rng, "default"))] == max(gains)
                compared += 1
            table.play(rng.choice(table.legal()))
    assert compared > 10


def test_nogift_leaves_less_to_the_next_hand_than_greedy_does():
    """Most points the next seat can score after the choice of each, in positions along games of nogift."""
    left = {"greedy": 0, "nogift": 0}
    for seed in range(8):
        table = Table(GAME, 2, seed=seed)
        while not table.over:
            moves = table.legal()
            picked = {
                name: moves[choice(table, name, some_weights(name, random.Random(0), "default"))] for name in left
            }
            for name, move in picked.items():
                after = table.copy().play(move)
                left[name] += 0 if after.over else max(gain(after, reply) for reply in after.legal())
            table.play(picked["nogift"])
    assert 0 < left["nogift"] < 0.8 * left["greedy"]


# --- strength ------------------------------------------------------------------------------------------------------
def win_share(first: str, second: str, games: int = 600, seed: int = 7) -> tuple[float, float]:
    """Return the win share of `first` against `second` and its standard error over deals."""
    engine = Engine(make_plan(GAME, [first, second], games, seed))
    played = engine.play_games(np.arange(games), keep=False)
    mine = played["standings"]["win_share"][:, :2][played["seating"][:, :2] == 0].reshape(-1, 2).mean(axis=1)
    return float(mine.mean()), float(mine.std(ddof=1) / np.sqrt(len(mine)))


@pytest.mark.parametrize("player", DECIDING)
def test_every_player_beats_random(player):
    share, error = win_share(player, "random")
    assert share - 4 * error > 0.9


def test_players_stand_in_the_order_they_should():
    """Each clearly beats the one after it."""
    for better, worse in pairwise(("planner", "nogift", "greedy", "random")):
        share, error = win_share(better, worse)
        assert share - 4 * error > 0.55, (better, worse, share)
