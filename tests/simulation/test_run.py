"""Runs as a user starts them: checked input, exact numbers of games, interruption."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

import meeplecarlo as mc
from meeplecarlo.errors import Interrupted, UsageError
from meeplecarlo.simulation import run as running
from meeplecarlo.simulation.plan import make_plan
from meeplecarlo.simulation.replay import replay_game


@pytest.mark.parametrize("games", [1, 2, 5, 7, 40])
def test_exactly_the_games_asked_for_are_played(games):
    run = mc.simulate("fujiyama", ["steady", "random", "random"], games=games, seed=3, part_deals=2)
    table = run.games.collect()
    assert table["game"].to_list() == list(range(games))
    assert table["deal"].to_list() == [g // 3 for g in range(games)]
    held = run.seats.group_by("player", "seat").len().collect()
    steady = held.filter(pl.col("player") == "steady")["len"].to_list() + [0] * 3
    assert max(steady[:3]) - min(steady[:3]) <= 1 or games < 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "fujiyma"}, "did you mean 'fujiyama'"),
        ({"games": 0}, "from 1 to"),
        ({"games": -5}, "got -5"),
        ({"games": 10**12}, "got 1000000000000"),
        ({"games": 1.5}, "got 1.5"),
        ({"games": True}, "got True"),
        ({"part_deals": 1.5}, "got 1.5"),
        ({"games": 4 * 10**9, "players": ["search(steady,sims=1000000)", "random"]}, "parts, more than"),
        ({"seed": -1}, "seed must be"),
        ({"seed": 2**64}, "seed must be"),
        ({"jobs": 0}, "jobs must be"),
        ({"jobs": 10**6}, "jobs must be"),
        ({"backend": "thread"}, "did you mean 'threading'"),
        ({"tables": ["move"]}, "did you mean 'moves'"),
        ({"options": {"winter_bas": 1}}, "did you mean 'winter_base'"),
        ({"options": {"winter_base": "many"}}, "whole number from -999 to 999, got 'many'"),
        ({"options": {"winter_base": 1000}}, "got '1000'"),
        ({"options": {"turn": "third"}}, "did you mean 'thirds'"),
        ({"options": {"flatland_points": "1,2"}}, "takes 3 numbers"),
        ({"options": {"flatland_points": "1,2,x"}}, "got 'x'"),
        ({"components": {"tile": "x.csv"}}, "did you mean 'tiles'"),
        ({"part_deals": 0}, "part_deals"),
        ({"overwrite": True, "resume": True}, "exclude each other"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(tmp_path, changes, words):
    arguments = {"game": "fujiyama", "players": ["random", "random"], "games": 2, "seed": 1, "out": tmp_path / "r"}
    arguments |= changes
    with pytest.raises(UsageError) as caught:
        mc.simulate(arguments.pop("game"), arguments.pop("players"), **arguments)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "r").exists()


def test_numbers_may_be_numpy_integers():
    assert mc.simulate("fujiyama", ["random", "random"], games=np.int64(4), seed=np.uint64(1)).n_games == 4


def test_different_weights_are_different_players():
    plan = make_plan("fujiyama", "steady(summer=1.2345671),steady(summer=1.2345672)", 4, 1)
    assert len({spec.label for spec in plan.lineup}) == 2
    assert plan.design.seatings == 2


def test_options_may_be_python_values():
    by_text = make_plan("fujiyama", "random,random", 1, 1, {"flatland_points": "1,2,3", "winter_base": "2"})
    by_value = make_plan("fujiyama", "random,random", 1, 1, {"flatland_points": [1, 2, 3], "winter_base": 2})
    assert by_text == by_value
    assert by_text.variant.changes == {"flatland_points": "1,2,3", "winter_base": "2"}


def test_a_variant_is_played_on_the_same_deals():
    runs = [
        mc.simulate("fujiyama", ["random", "random"], games=20, seed=4, options={"winter_base": base})
        for base in (3, 2)
    ]
    assert runs[0].deals.collect().equals(runs[1].deals.collect())
    assert runs[0].moves.collect().equals(runs[1].moves.collect())  # random players do not look at points
    assert not runs[0].seats.collect().equals(runs[1].seats.collect())


def test_the_parts_of_a_run_do_not_depend_on_the_machine():
    plan = make_plan("fujiyama", "steady,random", 100_000, 1)
    assert plan.part_deals == 4000
    assert make_plan("fujiyama", "search(steady,sims=100),random", 100_000, 1).part_deals < 500
    assert make_plan("fujiyama", "steady,random", 400, 1).n_parts >= 8


def test_stopping_keeps_what_is_finished(tmp_path, monkeypatch):
    real = running.play_part

    def stops_after_three(plan, part, folder, stop=None, done=None):
        if part == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return real(plan, part, folder, stop, done)

    monkeypatch.setattr(running, "play_part", stops_after_three)
    before = signal.getsignal(signal.SIGINT)
    arguments = {"games": 60, "seed": 1, "out": tmp_path / "r", "part_deals": 5}
    with pytest.raises(Interrupted, match=r"stopped after 30 of 60 games.*--resume"):
        mc.simulate("fujiyama", ["random", "steady"], **arguments)
    monkeypatch.undo()
    assert signal.getsignal(signal.SIGINT) is before
    assert mc.open_run(tmp_path / "r").n_games == 30
    resumed = mc.simulate("fujiyama", ["random", "steady"], resume=True, **arguments)
    whole = mc.simulate("fujiyama", ["random", "steady"], games=60, seed=1, part_deals=5)
    assert resumed.moves.collect().equals(whole.moves.collect())


@pytest.mark.skipif(os.name == "nt", reason="signals to another process differ on Windows")
@pytest.mark.parametrize(
    ("players", "backend", "finished"),
    [
        ("harvester,steady", "threading", True),
        ("harvester,steady", "loky", True),
        ("search(harvester,sims=500000),random", "threading", False),  # its first decision takes minutes
    ],
)
def test_ctrl_c_on_the_command_line_ends_soon_with_130(tmp_path, players, backend, finished):
    folder = tmp_path / "r"
    command = [
        sys.executable, "-m", "meeplecarlo", "simulate", "fujiyama", "--players", players, "--games", "5e6",
        "--part-deals", "2000", "--seed", "1", "--jobs", "2", "--backend", backend, "--out", str(folder),
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 120
    while not (list((folder / "parts").glob("*.json")) if finished else (folder / "run.json").exists()):
        assert process.poll() is None
        assert time.monotonic() < deadline, "the run did not start"
        time.sleep(0.05)
    time.sleep(0 if finished else 3)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "Stopped" in stderr
    assert "Traceback" not in stderr
    assert (mc.open_run(folder).n_games > 0) == finished


@pytest.mark.parametrize("kept", [None, ["seats"]])
def test_any_game_can_be_replayed_with_or_without_its_log(kept):
    whole = mc.simulate("fujiyama", ["steady", "random", "greedy"], games=12, seed=5)
    run = whole if kept is None else mc.simulate(
        "fujiyama", ["steady", "random", "greedy"], games=12, seed=5, tables=kept
    )  # fmt: skip
    for number in (0, 7, 11):
        game = replay_game(run, number)
        seats = whole.seats.filter(pl.col("game") == number).sort("seat").collect()
        lines = game.score_lines()
        points = [int(lines["points"][lines["seat"] == seat].sum()) for seat in range(3)]
        assert points == seats["points"].to_list()
        assert game.seating == seats["player"].cast(pl.String).to_list()
        text = "\n".join(game.lines())
        assert all(f"{p} points" in text for p in points)


def test_replaying_a_game_that_is_not_there_names_the_range():
    run = mc.simulate("fujiyama", ["random", "random"], games=3, seed=5)
    with pytest.raises(UsageError, match="games 0 to 2, got 3"):
        replay_game(run, 3)
