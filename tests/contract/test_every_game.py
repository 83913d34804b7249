"""The contract of rules: it holds for every registered game, every number of seats and every choice of rules."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from meeplecarlo.compiled import MAX_SEATS, MAX_TIES, records
from meeplecarlo.registry import MARKS, Game
from meeplecarlo.simulation import play
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import make_plan
from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.schema import TABLES
from tests.contract.cases import GAMES, every_game, every_size, every_variant, lineups
from tests.contract.digest import RECORDS, content, digest, run_jobs
from tests.table import Table

ROOT = Path(__file__).parents[2]
CARDS_ALIKE = ("heizei",)  # there are few ways to deal them, so some deals, and some guesses, are equal


def assert_same(left: dict, right: dict) -> None:
    """Compare everything two calls of the game loop recorded."""
    for name in RECORDS:
        if left[name].dtype.names:
            for field in left[name].dtype.names:
                assert (left[name][field] == right[name][field]).all(), (name, field)
        else:
            assert (left[name] == right[name]).all(), name


# --- what a game says about itself ---------------------------------------------------------------------------------
def test_there_are_games():
    assert "fujiyama" in [game.name for game in GAMES]


@every_game
def test_names_and_sizes_make_sense(game):
    assert 1 <= game.seats[0] <= game.seats[1] <= MAX_SEATS
    assert len(game.ties) <= MAX_TIES
    changeable = [*(o.name for o in game.options), *(c.name for c in game.components)]
    for names in (game.phases, game.categories, game.slots, game.ties, changeable):
        assert len(set(names)) == len(names)
    assert next(iter(game.players)) == "random"
    for option in game.options:
        assert option.mark in MARKS
        assert option.meaning
        values = option.default if isinstance(option.default, tuple) else (option.default,)
        for value in values:
            assert value in option.choices if option.choices else option.low <= value <= option.high
    for component in game.components:
        assert component.mark in MARKS
        assert component.shipped


@every_game
def test_record_types_suit_compiled_code_and_plain_python(game):
    """A field called like an attribute of numpy's records would be read as that attribute in plain Python."""
    state = game.module("state")
    for dtype in (state.RULES, state.STATE, state.LINE):
        assert dtype.isalignedstruct
        for name in dtype.names:
            assert not hasattr(np.record, name), name
            assert not hasattr(np.recarray, name), name
            assert dtype[name].base.itemsize <= 8
            assert dtype[name].base.kind in "iufb"
    assert {"n_seats"} <= set(state.RULES.names)
    assert {"seat", "phase", "round_number"} <= set(state.STATE.names)
    assert state.LINE.names[:4] == ("seat", "category", "slot", "points")


# --- legal, apply --------------------------------------------------------------------------------------------------
@every_variant
def test_legal_moves_are_some_distinct_ascending_and_within_the_buffer(game, n_seats, options):
    rng = random.Random(n_seats)
    guard, spare = -(2**31), 64
    for seed in range(3):
        table = Table(game, n_seats, options, seed=seed)
        decisions = 0
        while not table.over:
            memory = np.full(game.max_options + spare, guard, np.int32)
            n = game.compiled("legal")(table.rules, table.state, memory[: game.max_options])
            moves = memory[:n].tolist()
            assert 1 <= n <= game.max_options
            assert moves == sorted(set(moves))
            assert moves[0] >= 0
            assert (memory[game.max_options :] == guard).all(), "legal wrote behind its buffer"
            assert 0 <= table.state.seat < n_seats
            assert 0 <= table.state.phase < len(game.phases)
            assert 1 <= table.state.round_number <= game.max_rounds
            table.play(rng.choice(moves))
            decisions += 1
        assert decisions <= game.max_decisions(n_seats)
        assert table.legal() == []


@every_variant
def test_looking_changes_nothing(game, n_seats, options):
    table = Table(game, n_seats, options)
    rules = table.rules.tobytes()
    while not table.over:
        before = table.bytes()
        table.legal()
        table.tally()
        for seat in range(n_seats):
            table.view(seat)
        assert table.bytes() == before
        table.play(table.legal()[-1])
    assert table.rules.tobytes() == rules


@every_variant
def test_illegal_moves_are_refused_and_change_nothing(game, n_seats, options):
    rng = random.Random(7)
    table = Table(game, n_seats, options)
    extremes = [-1, -2, -(2**31), -(2**63), 2**31 - 1, 2**31, 2**63 - 1]
    seen: set[int] = set()  # moves of other phases, rounds and seats
    while not table.over:
        legal = table.legal()
        some = rng.sample(legal, min(len(legal), 6))
        wrong = {
            *extremes,
            *range(4),
            *(m + d for m in some for d in (-192, -64, -1, 1, 64, 192)),
            *rng.sample(sorted(seen), min(len(seen), 25)),
        }
        before = table.bytes()
        for move in wrong - set(legal):
            assert not table.apply(move), f"{move} was played in phase {table.state.phase}; legal: {legal}"
            assert table.bytes() == before, move
        seen.update(some)
        table.play(rng.choice(legal))
    after = table.bytes()
    for move in [*extremes, *range(4), *rng.sample(sorted(seen), min(len(seen), 25))]:
        assert not table.apply(move)
        assert table.bytes() == after


@every_game
def test_exactly_the_legal_moves_are_accepted(game):
    """All codes up to well above the highest legal one, in one position of every phase."""
    rng = random.Random(5)
    table = Table(game, game.seats[0])
    done = set()
    while len(done) < len(game.phases):
        if table.over:  # some kinds of decision do not come up in every game
            table.deal(rng.randrange(2**32))
        if table.state.phase not in done:
            done.add(int(table.state.phase))
            legal = table.legal()
            low, high = max(0, legal[0] - 500), legal[-1] + 500
            accepted = [move for move in range(low, high) if table.copy().apply(move)]
            assert accepted == legal
        table.play(rng.choice(table.legal()))


@every_variant
def test_a_copy_plays_identically(game, n_seats, options):
    table = Table(game, n_seats, options)
    rng = random.Random(3)
    while not table.over:
        twin = table.copy()
        choices = random.Random(int(rng.random() * 1e9))
        table.play_random(choices, plies=rng.randint(1, 9))
        choices = random.Random(0)
        moved = twin.bytes()
        replay = twin.copy()
        assert replay.bytes() == moved
        replay.play_random(choices, plies=5)
        again = twin.copy().play_random(random.Random(0), plies=5)
        assert again.bytes() == replay.bytes()
        assert twin.bytes() == moved, "playing a copy changed the original"


# --- observe, redeal -----------------------------------------------------------------------------------------------
def positions(game: Game, n_seats: int, options: dict, every: int = 3):
    """Yield tables along one random game."""
    table = Table(game, n_seats, options, seed=n_seats)
    rng = random.Random(11)
    while not table.over:
        yield table
        table.play_random(rng, plies=rng.randint(1, every))
    yield table


@every_variant
def test_a_guess_of_what_is_hidden_looks_the_same_to_who_guessed(game, n_seats, options):
    """observe -> redeal -> observe gives the same view byte for byte, and redeal fills in what was hidden only."""
    if game.perfect_information:
        for table in positions(game, n_seats, options):
            for seat in range(n_seats):
                assert table.view(seat).tobytes() == table.redealt(table.view(seat), 1).bytes() == table.bytes()
        return
    hidden = game.module("state").HIDDEN
    changed = 0
    for table in positions(game, n_seats, options):
        for seat in range(n_seats):
            view = table.view(seat)
            guess = table.redealt(view, seed=changed + seat)
            assert guess.view(seat).tobytes() == view.tobytes()
            for name in table.dtype.names:
                seen, guessed = np.asarray(view[name]), np.asarray(guess.state[name])
                assert (guessed[seen != hidden] == seen[seen != hidden]).all(), name
                assert not (guessed == hidden).any(), name
            changed += guess.bytes() != table.bytes()
    assert changed > 0, "nothing was ever hidden"


@every_variant
def test_a_guess_is_a_position_that_can_be_played_to_its_end(game, n_seats, options):
    for i, table in enumerate(positions(game, n_seats, options, every=9)):
        guess = table.redealt(table.view(i % n_seats), seed=i)
        if not guess.over:
            assert guess.legal() == table.legal() or guess.state.seat != i % n_seats
        guess.play_random(i)
        assert len(guess.points()) == n_seats


@every_size
def test_guesses_vary_and_the_truth_is_not_known(game, n_seats):
    table = Table(game, n_seats)
    view = table.view()
    if game.perfect_information:
        assert {table.redealt(view, seed).bytes() for seed in range(50)} == {table.bytes()}
        return
    guesses = [table.redealt(view, seed).bytes() for seed in range(50)]
    least, right = (25, 5) if game.name in CARDS_ALIKE else (40, 0)
    assert len(set(guesses)) >= least
    assert guesses.count(table.bytes()) <= right


@every_size
def test_what_the_seat_to_move_may_do_follows_from_its_view(game, n_seats):
    """`legal` says the same of the view: a player is never offered what it cannot know."""
    for table in positions(game, n_seats, {}):
        if not table.over:
            assert table.at(table.view()).legal() == table.legal()


# --- tally and the game loop ---------------------------------------------------------------------------------------
@every_variant
def test_points_are_the_sum_of_items_and_standings_follow_from_them(game, n_seats, options, engine_of):
    engine = engine_of(game.name, ["random"] * n_seats, games=150, seed=5, options=options)
    played = engine.play_games(np.arange(150), keep=True)
    lines, games = played["lines"], played["line_games"]
    assert len(lines) <= 150 * n_seats * game.lines_per_seat
    assert set(np.unique(lines["seat"])) <= set(range(n_seats))
    assert 0 <= lines["category"].min() <= lines["category"].max() < len(game.categories)
    assert 0 <= lines["slot"].min() <= lines["slot"].max() < len(game.slots)
    sums = np.zeros((150, n_seats), np.int64)
    np.add.at(sums, (games, lines["seat"]), lines["points"])
    standings, outcomes = played["standings"][:, :n_seats], played["outcomes"]
    assert (standings["points"] == sums).all()
    assert not outcomes["truncated"].any()
    assert (outcomes["decisions"] <= game.max_decisions(n_seats)).all()
    assert (outcomes["rounds"] <= game.max_rounds).all()
    assert standings["win_share"].sum(axis=1) == pytest.approx(np.ones(150))
    for game_standings in standings:
        keys = [(s["points"], *s["ties"]) for s in game_standings]
        assert game_standings["rank"].tolist() == [1 + sum(other > key for other in keys) for key in keys]
        winners = [key == max(keys) for key in keys]
        assert game_standings["win_share"].tolist() == [w / sum(winners) for w in winners]
    if not game.shared_result:
        last = played["rounds"]
        last = last[last["round"] == outcomes["rounds"][last["game"]]]
        assert (standings["points"][last["game"], last["seat"]] == last["points"]).all()


@every_size
def test_the_game_loop_records_what_was_played(game, n_seats, engine_of):
    """Every recorded decision replays through the protocol, with the seat, phase, round and options recorded."""
    engine = engine_of(game.name, ["random"] * n_seats, games=3, seed=9)
    played = engine.play_games(np.arange(3), keep=True)
    table = Table(game, n_seats)
    for number in range(3):
        table = table.at(engine.dealt(np.array([number]))[0])
        for ply, row in enumerate(played["decisions"][played["decisions"]["game"] == number]):
            state = table.state
            assert (row["ply"], row["seat"], row["phase"], row["round"]) == (
                ply, state.seat, state.phase, state.round_number,
            )  # fmt: skip
            assert row["options"] == len(table.legal())
            table.play(row["move"])
        assert table.over
        assert table.points() == played["standings"]["points"][number, :n_seats].tolist()
        lines, _ = table.tally()
        assert content(lines) == content(played["lines"][played["line_games"] == number])


@every_size
def test_keeping_no_records_changes_no_result(game, n_seats, engine_of):
    engine = engine_of(game.name, ["random"] * n_seats, games=50, seed=9)
    kept, bare = (engine.play_games(np.arange(50), keep=keep) for keep in (True, False))
    assert content(kept["standings"]) == content(bare["standings"])
    assert content(kept["outcomes"]) == content(bare["outcomes"])


@every_size
def test_a_game_at_the_cap_is_truncated_and_nobody_wins(game, n_seats):
    engine = Engine(make_plan(game.name, ["random"] * n_seats, 20, 3))
    length = engine.play_games(np.arange(20), keep=True)["outcomes"]["decisions"]
    cap = engine.max_decisions = 5
    played = engine.play_games(np.arange(20), keep=True)
    cut = length > cap
    assert cut.any()
    assert (played["outcomes"]["truncated"] == cut).all()
    assert (played["outcomes"]["decisions"] == np.minimum(length, cap)).all()
    assert len(played["decisions"]) == np.minimum(length, cap).sum()
    assert not played["standings"]["rank"][cut, :n_seats].any()
    assert not played["standings"]["win_share"][cut].any()


@every_game
def test_truncated_games_are_logged_as_such(game, monkeypatch):
    n_seats = game.seats[0]
    monkeypatch.setattr(Game, "max_decisions", lambda self, n: 4)
    run = simulate(game.name, ["random"] * n_seats, games=12, seed=2**40 + 1)
    games = run.games.collect()
    cut = games.filter("truncated")
    assert cut.height > 0
    assert cut["decisions"].to_list() == [4] * cut.height
    assert (games.filter(~pl.col("truncated"))["decisions"] <= 4).all()
    assert run.moves.collect().height == games["decisions"].sum()
    seats = run.seats.join(run.games.filter("truncated").select("game"), on="game").collect()
    assert seats.height == cut.height * n_seats
    if not game.shared_result:
        assert cut["winners"].to_list() == [[]] * cut.height
        assert set(seats["rank"]) == {0}
        assert set(seats["win_share"]) == {0.0}


@every_game
def test_a_shared_result_names_no_winner(game):
    run = simulate(game.name, ["random"] * game.seats[1], games=30, seed=5)
    games, seats = run.games.collect(), run.seats.collect()
    if game.shared_result:
        assert games["winners"].null_count() == 30
        assert seats["rank"].null_count() == seats["win_share"].null_count() == seats.height
        assert (seats.group_by("game").agg(pl.col("points").n_unique())["points"] == 1).all()
    else:
        assert games["winners"].null_count() == seats["rank"].null_count() == seats["win_share"].null_count() == 0


# --- repeatable ----------------------------------------------------------------------------------------------------
@every_size
def test_a_thousand_deals_differ_and_every_seed_has_its_own(game, n_seats, engine_of):
    deals = [
        {state.tobytes() for state in engine_of(game.name, ["random"] * n_seats, seed=s).dealt(np.arange(1000))}
        for s in (1, 2)
    ]
    if not game.chance:
        assert deals[0] == deals[1]
        assert len(deals[0]) == 1
        return
    equal = 50 if game.name in CARDS_ALIKE else 0
    assert min(map(len, deals)) >= 1000 - equal
    assert len(deals[0] & deals[1]) <= equal


@every_game
def test_a_deal_does_not_depend_on_players_or_on_rules_that_do_not_touch_it(game, engine_of):
    n_seats, view = game.seats[0], game.module("view")

    def dealt(player: str, options: dict | None = None) -> pl.DataFrame:
        engine = engine_of(game.name, [player] * n_seats, seed=4, options=options)
        return pl.DataFrame(view.deal_columns(engine.rules, engine.dealt(np.arange(50))))

    plain = dealt("random")
    assert dealt(list(game.players)[-1]).equals(plain)
    for option in game.options:
        if option.choices:
            assert dealt("random", {option.name: option.choices[-1]}).equals(plain), option.name


@every_size
def test_games_played_alone_or_backwards_are_the_same_games(game, n_seats, engine_of):
    names = list(game.players)
    engine = engine_of(game.name, (names * n_seats)[:n_seats], games=24, seed=8)
    whole = engine.play_games(np.arange(24), keep=True)
    backwards = engine.play_games(np.arange(24)[::-1].copy(), keep=True)
    for name in ("outcomes", "standings"):
        assert content(backwards[name][::-1]) == content(whole[name])
    for number in (0, 7, 23):
        alone = engine.play_games(np.array([number]), keep=True)
        for other in (whole, backwards):
            assert content(alone["decisions"]) == content(other["decisions"][other["decisions"]["game"] == number])
            assert content(alone["lines"]) == content(other["lines"][other["line_games"] == number])
            assert content(alone["rounds"]) == content(other["rounds"][other["rounds"]["game"] == number])


def checksums(run) -> dict[str, str]:
    """Return the checksum of every Parquet file of a run."""
    return {name: file["sha256"] for part in run.parts() for name, file in part["files"].items()}


@every_size
def test_one_and_two_jobs_write_the_same_bytes(game, n_seats):
    lineup = (list(game.players) * n_seats)[:n_seats]
    runs = [simulate(game.name, lineup, games=6 * n_seats + 1, seed=3, part_deals=2, jobs=jobs) for jobs in (1, 2)]
    sums = [checksums(run) for run in runs]
    assert len(sums[0]) == 4 * len(TABLES)
    assert sums[0] == sums[1]


@every_game
def test_processes_write_the_same_bytes_as_threads(game):
    n_seats = game.seats[0]
    lineup = (list(game.players) * n_seats)[:n_seats]
    settings = {"games": 4 * n_seats, "seed": 3, "part_deals": 2}
    threads = simulate(game.name, lineup, **settings)
    processes = simulate(game.name, lineup, **settings, jobs=2, backend="loky")
    assert checksums(threads) == checksums(processes)


@every_game
def test_the_size_of_parts_changes_no_row(game):
    n_seats = game.seats[1]
    lineup = (list(game.players) * n_seats)[:n_seats]
    runs = [simulate(game.name, lineup, games=61, seed=3, part_deals=size, jobs=2) for size in (1, 5, 100)]
    assert [len(run.parts()) for run in runs] == [-(-61 // n_seats), -(-61 // (5 * n_seats)), 1]
    for name in TABLES:
        tables = [run.table(name).collect() for run in runs]
        assert tables[0].height > 0
        assert tables[0].equals(tables[1]), name
        assert tables[0].equals(tables[2]), name


@every_game
def test_another_seed_gives_other_games_and_the_same_seed_the_same(game):
    lineup = ["random"] * game.seats[0]
    first, again, other = (simulate(game.name, lineup, games=5, seed=seed) for seed in (1, 1, 2))
    assert checksums(first) == checksums(again)
    same = {sum_ for name, sum_ in checksums(first).items() if not game.chance and name.startswith("deals")}
    assert not set(checksums(first).values()) & set(checksums(other).values()) - same


@every_game
def test_moves_and_deals_fill_every_column_they_declare(game):
    """A column that is always empty is a column nobody can trust."""
    run = simulate(game.name, ["random"] * game.seats[1], games=40, seed=1)
    meaningless = {"rank", "win_share", "winners"} if game.shared_result else set()
    for name in TABLES:
        frame = run.table(name).collect()
        empty = {c for c in frame.columns if frame[c].null_count() == frame.height}
        assert empty <= meaningless, (name, empty)
    per_game = run.moves.group_by("game").agg(decisions=pl.len()).collect()
    games = run.games.filter(pl.col("decisions") > 0).select("game", "decisions").collect()
    assert dict(per_game.rows()) == dict(games.rows())


# --- compiled and plain --------------------------------------------------------------------------------------------
def jobs_of(game: Game) -> list:
    """Return jobs that use every player, every variant and a search, short enough for plain Python."""
    jobs = [[game.name, lineup, 1, 5, {}, None] for lineup in lineups(game)]
    few = game.seats[0]
    for option in game.options:
        for choice in option.choices:
            if choice != option.default:
                jobs.append([game.name, [list(game.players)[-1]] * few, 1, 6, {option.name: choice}, None])
    # With a cap on decisions, playouts are short too; there is one an option at least.
    cap = few + 1 if game.max_options > 1000 else 5 * few
    jobs.append([game.name, [f"search({list(game.players)[-1]},sims=4)"] + ["random"] * (few - 1), 1, 7, {}, cap])
    return jobs


def in_another_process(jobs: list, plain: bool = False) -> dict:
    """Play jobs in a fresh process, compiled or as plain Python."""
    import os

    environment = os.environ | {"PYTHONHASHSEED": "random"} | ({"NUMBA_DISABLE_JIT": "1"} if plain else {})
    command = [sys.executable, "-W", "error", "-m", "tests.contract.digest", json.dumps(jobs)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "a run that goes well says nothing"
    return json.loads(done.stdout)


@every_game
def test_two_fresh_processes_play_the_same_games_without_compiling_again(game):
    jobs = jobs_of(game)
    here = run_jobs(jobs)
    there = in_another_process(jobs)
    assert there["digests"] == here
    assert there["compiled"] == 0, "a second process must find everything in the disk cache"
    assert len(set(here)) == len(here)


@every_game
def test_compiled_code_and_plain_python_play_the_same_games(game):
    jobs = jobs_of(game)
    plain = in_another_process(jobs, plain=True)
    assert plain["digests"] == run_jobs(jobs)


def test_digests_notice_a_single_changed_value(engine_of):
    """The comparison above can fail."""
    engine = engine_of(GAMES[0].name, ["random"] * GAMES[0].seats[0], games=2, seed=1)
    played = engine.play_games(np.arange(2), keep=True)
    before = digest(played)
    for name in RECORDS:
        twin = {**played, name: played[name].copy()}
        if twin[name].dtype.names:
            field = twin[name].dtype.names[0]
            twin[name][field].flat[-1] ^= 1
        else:
            twin[name].flat[-1] ^= 1
        assert digest(twin) != before, name
    assert digest(engine.play_games(np.arange(2), keep=True)) == before


# --- faults --------------------------------------------------------------------------------------------------------
def test_records_of_a_refused_move_name_the_rules(engine_of, monkeypatch):
    """Rules that refuse their own moves are an error of the game, not of the player."""
    from meeplecarlo.errors import MeeplecarloError

    engine = engine_of(GAMES[0].name, ["random"] * GAMES[0].seats[0], games=2, seed=1)

    def refuse(*arguments):
        progress = arguments[-2]
        progress[play.STATUS], progress[play.BAD_PLY], progress[play.BAD_SEAT], progress[play.BAD_INDEX] = (
            play.BAD_RULES, 3, 1, 77,
        )  # fmt: skip

    monkeypatch.setattr(engine, "play", refuse)
    with pytest.raises(MeeplecarloError, match="refuse their own move 77 of seat 1 at game 0, ply 3"):
        engine.play_games(np.arange(2), keep=False)


def test_states_are_zeroed_before_use():
    """`records` gives zeroes, so that padding and unused seats never differ between runs."""
    state = GAMES[0].module("state").STATE
    assert not records(3, state).tobytes().strip(b"\0")
