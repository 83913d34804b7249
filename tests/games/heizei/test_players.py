"""What the scripted players of Heizei have to do whatever they are called and however they are weighted."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from meeplecarlo.compiled import MEMORY_SIZE
from meeplecarlo.games.heizei import COLOURS, SIZES
from meeplecarlo.games.heizei.cards import cards_of, count_of
from meeplecarlo.games.heizei.state import LAST, PLAY, PREPARE
from meeplecarlo.registry import get_game
from tests.table import Table, stream

GAME = "heizei"
PLAYERS = tuple(get_game(GAME).players)
SIMPLE = tuple(name for name in PLAYERS if name not in ("random", "pricer", "planner"))
every_player = pytest.mark.parametrize("player", PLAYERS)


def choice(table: Table, player: str, weights: np.ndarray, seed: int = 1) -> int:
    """Return the index a player chooses with these weights; whatever it is given is as it was afterwards."""
    weights = np.array(weights if len(weights) else [0.0])
    moves = np.full(table.game.max_options, -7, np.int32)
    n = table.game.compiled("legal")(table.rules, table.state, moves)
    view = table.view()
    given = (view, moves, weights, table.rules, table.state)
    before = [thing.tobytes() for thing in given]
    choose = table.game.compiled_player(table.game.player(player))
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
    """In positions all along games of every size and with every option that changes what a seat knows or scores."""
    rng = random.Random(f"{player} {kind}")
    for n_seats, options in product(SIZES, ({}, {"memory": "table"}, {"penalty": "none"}, {"track": 12})):
        table = Table(GAME, n_seats, options, seed=rng.randrange(99))
        while not table.over:
            picked = choice(table, player, some_weights(player, rng, kind), rng.randrange(99))
            assert 0 <= picked < len(table.legal())
            table.play(table.legal()[picked if rng.random() < 0.5 else rng.randrange(len(table.legal()))])


@every_player
def test_one_weight_alone_is_enough(player):
    """With all others 0, whatever the one that is left, a player still chooses among its options."""
    weights = get_game(GAME).player(player).weights
    for weight, value in product(range(len(weights)), (1.0, -1.0, 1e6)):
        alone = np.zeros(len(weights))
        alone[weight] = value
        table = Table(GAME, 3, seed=weight)
        while not table.over:
            picked = choice(table, player, alone)
            assert 0 <= picked < len(table.legal()), weights[weight].name
            table.play(table.legal()[picked])


@every_player
def test_from_the_same_view_and_stream_comes_the_same_choice(player):
    for plies in (0, 7, 60):
        table = Table(GAME, 4, seed=5).play_random(5, plies)
        for seed in range(5):
            weights = some_weights(player, random.Random(seed), "small")
            assert len({choice(table, player, weights, seed) for _ in range(3)}) == 1


@pytest.mark.parametrize("player", [name for name in PLAYERS if name != "random"])
def test_equal_options_are_drawn_by_lot(player):
    """With no wishes at all every option is worth the same."""
    zero = np.zeros(len(get_game(GAME).player(player).weights))
    table = Table(GAME, 4, seed=2)
    assert len({choice(table, player, zero, seed) for seed in range(60)}) == len(table.legal())


# --- each does what it is called for --------------------------------------------------------------------------------
def decisions(player: str, phase: int, games: int = 6):
    """Yield (table, move) for every decision of a kind in games in which `player` sits in every seat."""
    weights = some_weights(player, random.Random(0), "default")
    for seed in range(games):
        table = Table(GAME, 4, seed=seed)
        while not table.over:
            move = table.legal()[choice(table, player, weights, seed)]
            if table.state.phase == phase:
                yield table, move
            table.play(move)


def held(table: Table) -> list[int]:
    """Return how many cards of each colour the seat to decide holds."""
    return [int(count_of(table.state.hand[table.state.seat], colour)) for colour in range(len(COLOURS))]


def sizes(move: int) -> list[int]:
    """Return how many cards of each colour a move consists of."""
    return [int(count_of(move, colour)) for colour in range(len(COLOURS))]


def test_dump_longest_plays_the_most_cards_it_can():
    for table, move in decisions("dump_longest", PLAY):
        assert sum(sizes(move)) == max(held(table))


def test_one_at_a_time_plays_one_card():
    assert {sum(sizes(move)) for _, move in decisions("one_at_a_time", PLAY)} == {1}


def test_rusher_plays_whole_colours_and_lays_a_card_of_its_shortest():
    for table, move in decisions("rusher", PLAY):
        colour = next(c for c, n in enumerate(sizes(move)) if n)
        assert sizes(move)[colour] == held(table)[colour]
    for table, move in decisions("rusher", PREPARE):
        colour = next(c for c, n in enumerate(sizes(move)) if n)
        # More than seven cards move a cube no further than seven, so an eighth can be missed.
        assert held(table)[colour] in (min(n for n in held(table) if n), max(8, *held(table)))


def test_of_the_colour_that_counts_negative_no_more_is_taken_than_needed():
    """Round 2: five blue and four red, blue ahead. A fifth red changes nothing, a sixth blue costs twice."""
    table = Table(GAME, 3, seed=1)
    state = table.state
    state.round_number, state.phase, state.seat = 2, LAST, 0
    for seat in range(3):
        state.hand[seat], state.n_hand[seat], state.collected[seat] = 0, 0, cards_of(2, 5)
    state.hand[1] = state.n_hand[1] = 1
    state.went_out[1, 2] = state.n_out = 1
    state.space[:] = 30, 40, 20, 10
    state.collected[0] = cards_of(0, 4) + cards_of(1, 5) + cards_of(2, 3) + cards_of(3, 3)
    state.n_collected[:3] = 15
    state.table = cards_of(0, 1) + cards_of(1, 1)
    assert table.legal() == [cards_of(0, 1), cards_of(1, 1)]
    for player in ("balancer", "pricer", "planner"):
        weights = some_weights(player, random.Random(0), "default")
        assert choice(table, player, weights) == 0, player


# --- strength -------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def share(engine_of):
    """Return a function that returns the win share of the first of some players and its standard error over deals."""

    def measure(*lineup: str, games: int = 6000, seed: int = 5) -> tuple[float, float]:
        n = len(lineup)
        games -= games % n
        played = engine_of(GAME, list(lineup), games=games, seed=seed).play_games(np.arange(games), keep=False)
        first = played["seating"][:, :n] == 0
        deals = played["standings"]["win_share"][:, :n][first].reshape(-1, n).mean(axis=1)
        return float(deals.mean()), float(deals.std(ddof=1) / np.sqrt(len(deals)))

    return measure


@pytest.mark.parametrize("n_seats", SIZES)
def test_planner_beats_pricer_clearly(n_seats, share):
    mean, error = share("planner", *["pricer"] * (n_seats - 1))
    assert mean > 1 / n_seats + 6 * error, (mean, error)


@pytest.mark.parametrize("simple", [name for name in SIMPLE if name != "racer"])
@pytest.mark.parametrize("n_seats", SIZES)
def test_pricer_beats_the_simple_players_clearly(simple, n_seats, share):
    mean, error = share("pricer", *[simple] * (n_seats - 1))
    assert mean > 1 / n_seats + 5 * error, (mean, error)


@pytest.mark.parametrize("n_seats", SIZES)
def test_pricer_beats_racer(n_seats, share):
    """Racing the own colour comes close, so this takes more games."""
    mean, error = share("pricer", *["racer"] * (n_seats - 1), games=16000)
    assert mean > 1 / n_seats + 3 * error, (mean, error)


@pytest.mark.parametrize("player", SIMPLE)
@pytest.mark.parametrize("n_seats", SIZES)
def test_the_simple_players_beat_random_clearly(player, n_seats, share):
    mean, error = share(player, *["random"] * (n_seats - 1))
    assert mean > 1 / n_seats + 4 * error, (mean, error)
