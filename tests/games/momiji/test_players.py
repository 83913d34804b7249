"""What the scripted players of Momiji have to do whatever they are called and however they are weighted."""

from __future__ import annotations

import random

import numpy as np
import pytest

from meeplecarlo.compiled import MEMORY_SIZE
from meeplecarlo.games.momiji.state import A_ACTIVATE, A_LANDSCAPE, ACTION, NOTHING, OF_GOAL, ROW
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import make_plan
from tests.table import Table, stream

GAME = "momiji"
PLAYERS = tuple(get_game(GAME).players)
DECIDING = tuple(name for name in PLAYERS if name != "random")
every_player = pytest.mark.parametrize("player", PLAYERS)


def choice(table: Table, player: str, weights: np.ndarray, seed: int = 1) -> int:
    """Return the index a player chooses with these weights; whatever it is given is as it was afterwards."""
    entry = table.game.player(player)
    weights = np.array(weights if len(weights) else [0.0])
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
    """In positions all along games of every size, with the landscapes dealt, both refills, small and large hands."""
    rng = random.Random(f"{player} {kind}")
    asked = 0
    for n_seats in (2, 3, 4):
        for refill in ("to_four", "when_empty"):
            options = {
                "landscapes": "random",
                "display_refill": refill,
                "start_acorns": rng.choice([0, 2, 20]),
                "hand_limit": rng.choice([1, 8, 20]),
            }
            table = Table(GAME, n_seats, options, seed=rng.randrange(99))
            while not table.over:
                picked = choice(table, player, some_weights(player, rng, kind), rng.randrange(99))
                legal = table.legal()
                assert 0 <= picked < len(legal)
                asked += 1
                table.play(legal[picked if rng.random() < 0.5 else rng.randrange(len(legal))])
    assert asked > 300


@every_player
def test_one_weight_alone_is_enough(player):
    """With all others 0, whatever the one that is left, a player still chooses among its options."""
    weights = get_game(GAME).player(player).weights
    for weight in range(len(weights)):
        for value in (1.0, -1.0, 1e6):
            alone = np.zeros(len(weights))
            alone[weight] = value
            table = Table(GAME, 2, seed=weight)
            for _ in range(40):
                picked = choice(table, player, alone)
                assert 0 <= picked < len(table.legal()), weights[weight].name
                table.play(table.legal()[picked])


@every_player
def test_from_the_same_view_and_stream_comes_the_same_choice(player):
    table = Table(GAME, 3, seed=5).play_random(5, 30)
    for seed in range(5):
        weights = some_weights(player, random.Random(seed), "small")
        assert len({choice(table, player, weights, seed) for _ in range(3)}) == 1


def test_random_chooses_every_option_equally_often():
    table = Table(GAME, 4, seed=3)
    n = len(table.legal())
    counts = np.bincount([choice(table, "random", np.zeros(0), seed) for seed in range(200 * n)], minlength=n)
    assert n >= 5
    assert ((counts - 200) ** 2 / 200).sum() < n - 1 + 5 * np.sqrt(2 * (n - 1))


def is_claim(move: int) -> bool:
    """Return whether a move claims a goal, as the main action or by a landscape."""
    if move // ACTION == A_LANDSCAPE:
        return OF_GOAL <= move % ROW < NOTHING
    return move // ACTION == A_ACTIVATE


@pytest.mark.parametrize("player", DECIDING)
def test_a_player_told_never_to_claim_goals_claims_none(player):
    """Neither as the main action nor by a landscape, unless nothing else is left to do."""
    names = [w.name for w in get_game(GAME).player(player).weights]
    weights = some_weights(player, random.Random(0), "default")
    weights[names.index("activate")] = -1e6
    offered = 0
    for seed in range(12):
        table = Table(GAME, 2 + seed % 3, {"landscapes": "random", "start_acorns": 20}, seed=seed)
        while not table.over:
            legal = table.legal()
            claims = [m for m in legal if is_claim(m)]
            holders = table.state.holder.copy()
            picked = choice(table, player, weights, seed)
            others = len(legal) > len(claims)
            offered += bool(claims)
            table.play(legal[picked])
            if others:
                assert (table.state.holder == holders).all()
    assert offered > 50


# --- strength ------------------------------------------------------------------------------------------------------
def share(player: str, other: str, n_seats: int, deals: int = 400) -> tuple[float, float]:
    """Return the win share of one `player` among `other` ones on fixed deals, and its standard error over deals."""
    games = deals * n_seats
    engine = Engine(make_plan(GAME, [player] + [other] * (n_seats - 1), games, 31))
    played = engine.play_games(np.arange(games), keep=False)
    mine = played["seating"][:, :n_seats] == 0
    shares = played["standings"]["win_share"][:, :n_seats][mine].reshape(-1, n_seats).mean(axis=1)
    return float(shares.mean()), float(shares.std(ddof=1) / np.sqrt(deals))


@pytest.mark.parametrize("n_seats", [2, 3, 4])
@pytest.mark.parametrize("player", DECIDING)
def test_every_player_beats_random(player, n_seats):
    mean, error = share(player, "random", n_seats)
    assert mean - 4 * error > 1 / n_seats


@pytest.mark.parametrize("n_seats", [2, 3, 4])
def test_balanced_is_better_than_builder_and_builder_better_than_random(n_seats):
    """By wide margins: half as many wins again as its part against builders, and more than twice against random."""
    mean, error = share("balanced", "builder", n_seats)
    assert mean - 4 * error > 1.25 / n_seats
    mean, error = share("builder", "random", n_seats)
    assert mean - 4 * error > 1.6 / n_seats


@pytest.mark.parametrize("other", [name for name in DECIDING if name != "balanced"])
def test_balanced_beats_every_other_player(other):
    mean, error = share("balanced", other, 2)
    assert mean - 4 * error > 0.5
