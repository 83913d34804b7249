"""The contract of players: it holds for every registered player of every registered game."""

from __future__ import annotations

import random
import re
from itertools import combinations

import numpy as np
import pytest

from meeplecarlo.compiled import MEMORY_SIZE
from meeplecarlo.errors import PlayerError
from meeplecarlo.registry import Game, Player
from meeplecarlo.streams import below, next_u64
from tests.contract.cases import GAMES, every_game, every_player, every_scripted_player, every_size, scripted
from tests.contract.digest import content
from tests.table import Table, stream


def situations(game: Game, n_seats: int, wanted: int) -> list[Table]:
    """Return positions with a real decision, from games in which all players take turns at deciding."""
    names, tables = list(game.players), []
    rng = random.Random(n_seats)
    start, seed = Table(game, n_seats), 0
    while len(tables) < wanted:
        table = start.copy().deal(seed)
        seed += 1
        while not table.over and len(tables) < wanted:
            if len(table.legal()) > 1 and rng.random() < 0.25:
                tables.append(table.copy())
            table.play(table.legal()[table.choice(rng.choice(names), seed=rng.randrange(2**32))])
    return tables


@pytest.fixture(scope="module")
def situations_of():
    """Return a function like `situations` that keeps what it made."""
    made: dict[tuple, list[Table]] = {}

    def get(game: Game, n_seats: int, wanted: int) -> list[Table]:
        key = (game.name, n_seats, wanted)
        if key not in made:
            made[key] = situations(game, n_seats, wanted)
        return made[key]

    return get


# --- what a player says about itself -------------------------------------------------------------------------------
@every_player
def test_names_weights_and_summaries_make_sense(game, player):
    entry = game.players[player]
    assert entry.name == player
    assert re.fullmatch(r"[a-z][a-z0-9_]*", player)
    assert entry.summary
    assert entry.summary.endswith(".")
    assert len({w.name for w in entry.weights}) == len(entry.weights)
    for weight in entry.weights:
        assert np.isfinite(weight.default)
        assert weight.meaning


@every_game
def test_no_two_players_are_the_same_by_their_weights(game):
    entries = [(p.choose, tuple(w.default for w in p.weights)) for p in game.players.values()]
    assert len(set(entries)) == len(entries)


# --- decisions -----------------------------------------------------------------------------------------------------
@every_player
def test_choices_are_legal_repeatable_and_touch_nothing(game, player, situations_of):
    """The same view, moves, weights, memory and random stream give the same choice; a player only reads."""
    entry = game.players[player]
    choose, legal = game.compiled_player(entry), game.compiled("legal")
    for n_seats in (game.seats[0], game.seats[1]):
        for i, table in enumerate(situations_of(game, n_seats, 150)):
            weights = table.weights(player)
            moves = np.full(game.max_options, -7, np.int32)
            n = legal(table.rules, table.state, moves)
            view = table.view()
            before = (view.tobytes(), moves.tobytes(), weights.tobytes(), table.rules.tobytes())
            picked = [
                choose(table.rules, view, moves, n, weights, np.zeros(MEMORY_SIZE, np.int64), stream(i))
                for _ in range(2)
            ]
            assert picked[0] == picked[1]
            assert 0 <= picked[0] < n
            assert (view.tobytes(), moves.tobytes(), weights.tobytes(), table.rules.tobytes()) == before


@every_player
def test_what_is_hidden_changes_no_choice(game, player, situations_of):
    """With hidden tiles, decks and answers replaced, the player decides the same."""
    changed = 0
    for i, table in enumerate(situations_of(game, game.seats[1], 150)):
        guess = table.redealt(table.view(), seed=i)
        changed += guess.bytes() != table.bytes()
        assert guess.choice(player, seed=i) == table.choice(player, seed=i)
    assert (changed == 0) == game.perfect_information


@every_game
def test_players_really_differ(game, situations_of):
    """Any two players decide differently in more than 2 % of the same situations of some kind of decision.

    Two players may share all but one habit, such as when to play a trump, so each kind is looked at by itself.
    """
    for n_seats in {game.seats[0], game.seats[1]}:
        tables = situations_of(game, n_seats, 400)
        phases = np.array([int(table.state.phase) for table in tables])
        choices = {name: np.array([t.choice(name, seed=i) for i, t in enumerate(tables)]) for name in game.players}
        alike = {}
        for a, b in combinations(game.players, 2):
            differ = choices[a] != choices[b]
            most = max(float(differ[phases == phase].mean()) for phase in np.unique(phases))
            if most <= 0.02:
                alike[a, b] = most
        assert not alike, n_seats


# --- strength ------------------------------------------------------------------------------------------------------
def share_of_wins(engine_of, game: Game, player: str, n_seats: int, games: int, seed: int) -> tuple[float, float]:
    """Return the win share of one `player` among ``random`` ones and its standard error over deals."""
    games -= games % n_seats  # whole deals
    engine = engine_of(game.name, [player] + ["random"] * (n_seats - 1), games=games, seed=seed)
    played = engine.play_games(np.arange(games), keep=False)
    mine = played["seating"][:, :n_seats] == 0
    shares = played["standings"]["win_share"][:, :n_seats][mine]
    deals = shares.reshape(-1, n_seats).mean(axis=1)
    return float(shares.mean()), float(deals.std(ddof=1) / np.sqrt(len(deals)))


def mean_points(engine_of, game: Game, players: list[str], games: int, seed: int) -> tuple[float, float]:
    """Return the mean points of a table where all share the result, and their standard error."""
    engine = engine_of(game.name, players, games=games, seed=seed)
    points = engine.play_games(np.arange(games), keep=False)["standings"]["points"][:, 0]
    return float(points.mean()), float(points.std(ddof=1) / np.sqrt(games))


@pytest.mark.parametrize("n_seats", [2, 4])
@every_scripted_player
def test_every_scripted_player_beats_random_clearly(game, player, n_seats, engine_of):
    if not game.seats[0] <= n_seats <= game.seats[1]:
        n_seats = game.seats[0]
    if game.shared_result:
        mine, error = mean_points(engine_of, game, [player] * n_seats, 400, 1)
        theirs, noise = mean_points(engine_of, game, ["random"] * n_seats, 400, 1)
        assert mine - theirs > 4 * np.hypot(error, noise)
        return
    share, error = share_of_wins(engine_of, game, player, n_seats, 400, seed=1)
    assert share - 4 * error > 1 / n_seats, f"{share:.3f} +- {error:.3f}"


@every_game
def test_a_search_is_much_stronger_than_its_policy(game, engine_of):
    """Even with random playouts and few of them."""
    n_seats, searcher = game.seats[0], "search(random,sims=40)"
    lineup = [searcher] + ["random"] * (n_seats - 1)
    if game.shared_result:
        lineup = [searcher] * n_seats
        mine, error = mean_points(engine_of, game, lineup, 200, 2)
        theirs, noise = mean_points(engine_of, game, ["random"] * n_seats, 2000, 2)
        assert mine - theirs > 3 * np.hypot(error, noise)
        return
    engine = engine_of(game.name, lineup, games=20 * n_seats, seed=2)
    played = engine.play_games(np.arange(20 * n_seats), keep=False)
    shares = played["standings"]["win_share"][:, :n_seats][played["seating"][:, :n_seats] == 0]
    assert shares.mean() > (1 + 1 / n_seats) / 2


# --- players that do what they should not --------------------------------------------------------------------------
def choose_first(rules, view, moves, n, weights, memory, rng):
    """The first move."""
    return 0


def choose_first_after_burning(rules, view, moves, n, weights, memory, rng):
    """The first move, after a number of random draws that differs from decision to decision."""
    for _ in range(1 + below(rng, 20)):
        next_u64(rng)
    return 0


def choose_beyond(rules, view, moves, n, weights, memory, rng):
    """The first move three times, then one that does not exist."""
    memory[0] += 1
    return n if memory[0] > 3 else 0


def choose_negative(rules, view, moves, n, weights, memory, rng):
    """A move before the first."""
    return -1


def choose_by_memory(rules, view, moves, n, weights, memory, rng):
    """The first move as long as memory holds what this player has put there in this game, else none."""
    memory[15] += 1
    memory[0] += memory[15]
    return 0 if 2 * memory[0] == memory[15] * (memory[15] + 1) else -1


@pytest.fixture
def guests(monkeypatch):
    """Register the players above for the time of a test."""
    functions = (choose_first, choose_first_after_burning, choose_beyond, choose_negative, choose_by_memory)
    for game in GAMES:
        for function in functions:
            name = function.__name__.removeprefix("choose_")
            monkeypatch.setitem(game.players, name, Player(name, function, function.__doc__))


def play_with(game: Game, lineup: list[str], games: int, seed: int) -> dict:
    from meeplecarlo.simulation.engine import Engine
    from meeplecarlo.simulation.plan import make_plan

    return Engine(make_plan(game.name, lineup, games, seed)).play_games(np.arange(games), keep=True)


@every_size
@pytest.mark.usefixtures("guests")
def test_random_draws_of_a_player_change_nothing_but_its_own_decisions(game, n_seats):
    """Neither deals nor the noise of the other seats move when one player draws more."""
    others = ["random"] * (n_seats - 1)
    plain = play_with(game, ["first", *others], 40, 6)
    burnt = play_with(game, ["first_after_burning", *others], 40, 6)
    for name in ("decisions", "lines", "rounds", "outcomes", "standings"):
        assert content(plain[name]) == content(burnt[name])


@every_game
@pytest.mark.usefixtures("guests")
@pytest.mark.parametrize(("name", "seen"), [("beyond", r"(\d+)"), ("negative", "(-1)")])
def test_a_player_that_breaks_the_protocol_is_named_with_game_ply_and_choices(game, name, seen):
    n_seats = game.seats[0]
    with pytest.raises(PlayerError) as caught:
        play_with(game, ["first"] * (n_seats - 1) + [name], 10 * n_seats, 12)
    message = str(caught.value)
    found = re.fullmatch(
        rf"player '{name}' \(seat (\d)\) returned the index {seen} at game (\d+), ply (\d+) \(seed 12\); "
        r"it must be from 0 to (\d+)\.",
        message,
    )
    assert found, message
    seat, index, number, ply, last = map(int, found.groups())
    assert caught.value.exit_code == 5
    assert (seat < n_seats, number) == (True, 0)
    assert index == (last + 1 if name == "beyond" else -1)
    asked_before = 3 if name == "beyond" else 0
    assert ply >= asked_before


@every_size
@pytest.mark.usefixtures("guests")
def test_memory_is_kept_for_a_game_and_cleared_for_the_next(game, n_seats):
    played = play_with(game, ["by_memory"] * n_seats, 5, 3)
    assert not played["outcomes"]["truncated"].any()


@every_game
@pytest.mark.usefixtures("guests")
def test_guests_are_gone_after_the_test(game):
    """Without the fixture above the same names are unknown: nothing leaks into other tests."""
    assert "beyond" in game.players
    assert len(set(scripted(game)) - {"first", "first_after_burning", "beyond", "negative", "by_memory"}) >= 6


@every_game
@pytest.mark.usefixtures("guests")
def test_a_policy_that_breaks_the_protocol_inside_a_search_is_named(game):
    n_seats = game.seats[0]
    with pytest.raises(PlayerError, match=r"the policy of 'search\(negative,sims=2\)' \(seat \d\) returned an index"):
        play_with(game, ["search(negative,sims=2)"] * n_seats, 10 * n_seats, 12)
