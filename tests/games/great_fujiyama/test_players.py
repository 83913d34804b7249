"""What the scripted players of Great Fujiyama have to do whatever they are called and however they are weighted."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from meeplecarlo.compiled import MEMORY_SIZE
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from tests.games.great_fujiyama.by_hand import GAME, SIZES, Laid, new_table, read, start
from tests.table import Table, stream

PLAYERS = tuple(get_game(GAME).players)
DECIDING = tuple(name for name in PLAYERS if name != "random")
every_player = pytest.mark.parametrize("player", PLAYERS)


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
    """In positions all along games of every size, both turns, closed and open hands, small and large ones."""
    rng = random.Random(f"{player} {kind}")
    asked = 0
    for n_seats in SIZES:
        for turn in ("none", "thirds"):
            for talk in ("none", "open"):
                size, width = rng.choice([1, 3, 3, 8]), rng.choice([4, 10, 10])
                table = new_table(n_seats, rng.randrange(99), turn=turn, talk=talk, hand_size=size, width=width)
                while not table.over:
                    picked = choice(table, player, some_weights(player, rng, kind), rng.randrange(99))
                    assert 0 <= picked < len(table.legal())
                    asked += 1
                    table.play(table.legal()[picked if rng.random() < 0.5 else rng.randrange(len(table.legal()))])
    assert asked > 40


@every_player
def test_one_weight_alone_is_enough(player):
    """With all others 0, whatever the one that is left, a player still chooses among its options."""
    weights = get_game(GAME).player(player).weights
    for weight, value in product(range(len(weights)), (1.0, -1.0, 1e6)):
        alone = np.zeros(len(weights))
        alone[weight] = value
        table = new_table(2, weight, turn="thirds", talk="open")
        while not table.over and len(table.state.tile[table.state.tile >= 0]) < 12:
            picked = choice(table, player, alone)
            assert 0 <= picked < len(table.legal()), weights[weight].name
            table.play(table.legal()[picked])


@every_player
def test_from_the_same_view_and_stream_comes_the_same_choice(player):
    table = new_table(3, 5, turn="thirds").play_random(5, 3)
    for seed in range(5):
        weights = some_weights(player, random.Random(seed), "small")
        assert len({choice(table, player, weights, seed) for _ in range(3)}) == 1


def test_random_chooses_every_option_equally_often():
    table = start("PPP", "PPS PSP SPP WPP", turn="thirds")
    n = len(table.legal())
    counts = np.bincount([choice(table, "random", np.zeros(0), seed) for seed in range(200 * n)], minlength=n)
    assert n >= 8
    assert ((counts - 200) ** 2 / 200).sum() < n - 1 + 5 * np.sqrt(2 * (n - 1))


# Three tiles fit on the right of the first one; the next seat goes on only if what it shows there is summer.
TRAP = ("PPP", "WPS WPA WPW", "ASW SSW WSW")


def test_players_that_see_a_mate_stuck_do_not_get_it_stuck():
    """With open hands two of the three options end the game at once."""
    table = start(*TRAP, talk="open")
    assert len(table.legal()) == 3
    ends = {read(move).tile: table.copy().play(move).over for move in table.legal()}
    assert ends == {"WPS": False, "WPA": True, "WPW": True}
    defaults = {name: {w.name: w.default for w in get_game(GAME).player(name).weights} for name in DECIDING}
    looking = [name for name in DECIDING if defaults[name].get("risk", 0) > 0]
    assert looking
    for name in looking:
        weights = some_weights(name, random.Random(0), "default")
        for seed in range(10):
            picked = read(table.legal()[choice(table, name, weights, seed)])
            assert picked == Laid("WPS", 1, 1), name


def test_players_that_cannot_see_the_trap_do_not_avoid_it():
    """The same with closed hands: whatever is chosen does not depend on what the mate holds."""
    table = start(*TRAP)
    other = start(TRAP[0], TRAP[1], "APW SPW WAW")
    for name in DECIDING:
        weights = some_weights(name, random.Random(0), "default")
        assert choice(table, name, weights) == choice(other, name, weights)


# --- strength ------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def stations():
    """Return a function that returns the stations a team of three equal players completes, on the same deals."""
    known = {}

    def completed(player: str, turn: str) -> np.ndarray:
        if (player, turn) not in known:
            run = simulate(GAME, [player] * 3, games=600, seed=31, options={"turn": turn})
            known[player, turn] = run.games.sort("game").collect()["stations"].to_numpy().astype(float)
        return known[player, turn]

    return completed


def surely_better(mine: np.ndarray, theirs: np.ndarray, by: float = 0.0) -> bool:
    """Return whether the means differ by more than `by` and four standard errors of a pair of games."""
    margin = mine - theirs
    return margin.mean() > by + 4 * margin.std() / np.sqrt(len(margin))


@pytest.mark.parametrize("turn", ["none", "thirds"])
@pytest.mark.parametrize("player", DECIDING)
def test_every_player_beats_random(player, turn, stations):
    assert surely_better(stations(player, turn), stations("random", turn))


def test_planner_is_better_than_careful_and_careful_better_than_random(stations):
    """Where tiles may be turned, which gives room for it: by more than a station, and by a tenth of one."""
    if not {"planner", "careful"} <= set(PLAYERS):
        pytest.skip("no such players")
    assert surely_better(stations("planner", "thirds"), stations("careful", "thirds"), by=1.0)
    assert surely_better(stations("careful", "thirds"), stations("random", "thirds"), by=0.1)


def test_the_measured_means_of_random_play_are_those_an_independent_program_found():
    """0.19, 0.28, 0.32, 0.35, 0.37 stations for one to five seats, tiles never turned."""
    for n_seats, mean in zip(SIZES, (0.19, 0.28, 0.32, 0.35, 0.37), strict=True):
        run = simulate(GAME, ["random"] * n_seats, games=3000, seed=n_seats)
        completed = run.games.collect()["stations"].to_numpy().astype(float)
        assert abs(completed.mean() - mean) < 0.005 + 4 * completed.std() / np.sqrt(len(completed))
