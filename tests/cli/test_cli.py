"""The command line through a real subprocess: output, errors, exit codes."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

import meeplecarlo as mc
from meeplecarlo.variant import components_folder


def cli(*arguments, cwd=None, **environment):
    return subprocess.run(
        [sys.executable, "-m", "meeplecarlo", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | environment,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "x"
    done = cli("simulate", "fujiyama", "--players", "harvester,steady,random", "--games", "60", "--seed", "1",
               "--out", folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "60 games of Fujiyama" in done.stdout
    assert f"meeplecarlo report {folder}" in done.stdout
    return folder


def test_help_names_every_command_and_the_exit_codes():
    done = cli("--help")
    assert done.returncode == 0
    for word in ("demo", "games", "players", "replay", "report", "rules", "simulate", "Exit codes"):
        assert word in done.stdout


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from click.testing import CliRunner; from meeplecarlo.cli import main; "
        "CliRunner().invoke(main, ['--help']); CliRunner().invoke(main, ['games']); "
        "print(sorted({'numba', 'polars', 'pandas', 'scipy', 'matplotlib', 'joblib', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_version():
    assert cli("--version").stdout.strip().endswith("0.1.0")


def test_games_lists_the_seats():
    listed = cli("games").stdout
    assert re.search(r"^ +fujiyama +2-5 seats ", listed, flags=re.MULTILINE)
    assert re.search(r"^ +great-fujiyama +1-5 seats ", listed, flags=re.MULTILINE)


def test_players_lists_all_and_their_weights():
    plain, full = cli("players", "fujiyama").stdout, cli("players", "fujiyama", "--weights").stdout
    for name in (*mc.get_game("fujiyama").players, "search(BASE,sims=N)"):
        assert f"  {name} " in plain
    assert "chance that a forest with two of three icons is completed in season" in full


def test_rules_lists_every_option_with_default_and_mark():
    text = cli("rules", "fujiyama").stdout
    for option in mc.get_game("fujiyama").options:
        assert option.name in text
        assert option.mark in text
    assert "boards_risky_summer.csv" in text
    assert "assumed" in text


def test_rules_in_full_prints_the_clauses():
    assert "| R6.4 | printed |" in cli("rules", "fujiyama", "--full").stdout


@pytest.mark.parametrize("games", ["1e2", "1_00", "100"])
def test_numbers_may_be_written_in_several_ways(tmp_path, games):
    done = cli("simulate", "fujiyama", "--players", "random,random", "--games", games, "--seed", "1e3",
               "--out", tmp_path / "r", "--no-moves", "--quiet")  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    run = mc.open_run(tmp_path / "r")
    assert (run.n_games, run.manifest["seed"]) == (100, 1000)
    assert not run.has("moves")


def test_options_and_components_reach_the_rules(tmp_path):
    done = cli("simulate", "fujiyama", "--players", "random,random", "--games", "4", "--seed", "1", "--out",
               tmp_path / "r", "--set", "winter_base=2", "--set", "flatland_points=1,2,3",
               "--boards", "boards_risky_summer")  # fmt: skip
    assert done.returncode == 0, done.stderr
    changes = mc.open_run(tmp_path / "r").manifest["game"]["changes"]
    assert changes == {"winter_base": "2", "flatland_points": "1,2,3", "boards": "boards_risky_summer.csv"}


GOOD = ("--players", "random,random", "--games", "4", "--seed", "1")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("simulat",), 2, "did you mean 'simulate'"),
        (("players", "fujiyma"), 2, "did you mean 'fujiyama'"),
        (("simulate", "fujiyma", *GOOD), 2, "did you mean 'fujiyama'"),
        (("simulate", "fujiyama"), 2, "--players"),
        (("simulate", "fujiyama", *GOOD[:2], "--games", "many"), 2, "'many' is not a whole number"),
        (("simulate", "fujiyama", *GOOD[:2], "--games", "0"), 2, "from 1 to"),
        (("simulate", "fujiyama", *GOOD[:2], "--games", "1e30"), 2, "not a whole number"),
        (("simulate", "fujiyama", *GOOD[:2], "--games", "1.5"), 2, "not a whole number"),
        (("simulate", "fujiyama", *GOOD[:2], "--games", "1,5"), 2, "not a whole number"),
        (("simulate", "fujiyama", *GOOD, "--part-deals", "1e7"), 2, "part_deals must be"),
        (("simulate", "fujiyama", "--players", "random"), 2, "2 to 5 seats"),
        (("simulate", "fujiyama", "--players", "random,harvestr"), 2, "did you mean 'harvester'"),
        (("simulate", "fujiyama", "--players", "random,harvester(sumer=1)"), 2, "did you mean 'summer'"),
        (("simulate", "fujiyama", *GOOD, "--set", "wintr_base=2"), 2, "did you mean 'winter_base'"),
        (("simulate", "fujiyama", *GOOD, "--set", "winter_base"), 2, "NAME=VALUE"),
        (("simulate", "fujiyama", *GOOD, "--boards", "nowhere.csv"), 3, "no file 'nowhere.csv'"),
        (("simulate", "fujiyama", *GOOD, "--boards", "boards_risky_sumer"), 3, "did you mean"),
        (("simulate", "fujiyama", *GOOD, "--tiles", "."), 3, "cannot be read"),
        (("simulate", "fujiyama", *GOOD, "--jobs", "0"), 2, "jobs must be"),
        (("simulate", "fujiyama", *GOOD, "--tables", "mooves"), 2, "did you mean 'moves'"),
        (("simulate", "fujiyama", *GOOD, "--bogus"), 2, "bogus"),
        (("report", "nowhere"), 4, "not a run folder"),
        (("replay", "nowhere", "1"), 4, "not a run folder"),
    ],
)
def test_bad_input_has_one_sentence_its_exit_code_and_no_traceback(tmp_path, arguments, code, words):
    done = cli(*arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    error = done.stderr.strip().splitlines()[-1]
    assert error.startswith("Error: ")
    assert words in error
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_existing_run_is_not_overwritten(run_folder):
    before = (run_folder / "run.json").read_bytes()
    done = cli("simulate", "fujiyama", *GOOD, "--out", run_folder)
    assert done.returncode == 4
    assert "already holds a run" in done.stderr
    assert (run_folder / "run.json").read_bytes() == before


def test_a_component_file_error_names_file_row_and_column(tmp_path):
    game = mc.get_game("fujiyama")
    shipped = components_folder(game, game.component("tiles")) / "tiles.csv"
    text = shipped.read_text().replace("autumn grape", "autumn grap", 1)
    (tmp_path / "mine.csv").write_text(text)
    done = cli("simulate", "fujiyama", *GOOD, "--tiles", "mine.csv", "--out", "r", cwd=tmp_path)
    assert done.returncode == 3
    assert "mine.csv, row 4, column upper_right" in done.stderr
    assert "did you mean 'grape'" in done.stderr
    assert not (tmp_path / "r").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on file sizes to play a full disk with")
def test_a_disk_that_takes_no_more(tmp_path):
    """A limit on the size of files stands for the full disk: the operating system refuses the write."""
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)); "
        "from meeplecarlo.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "simulate", "fujiyama", "--players", "random,random", "--games", "20000",
               "--seed", "1", "--out", tmp_path / "r"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 4, done.stderr
    assert "larger than allowed here" in done.stderr.strip().splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("*.tmp"))
    assert mc.open_run(tmp_path / "r").n_games < 20_000


def test_replay_prints_every_decision_and_draws_a_picture(run_folder, tmp_path):
    done = cli("replay", run_folder, "7", "--picture", tmp_path / "game.png")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("  place   ") == 27
    assert (tmp_path / "game.png").read_bytes().startswith(b"\x89PNG")


def test_replay_of_a_game_that_is_not_there(run_folder):
    done = cli("replay", run_folder, "60")
    assert done.returncode == 2
    assert "games 0 to 59, got 60" in done.stderr


def test_a_run_does_not_depend_on_files_in_the_working_folder(tmp_path):
    for name in ("random.py", "signal.py", "types.py", "polars.py"):
        (tmp_path / name).write_text("raise RuntimeError('shadowed')")
    command = os.path.join(os.path.dirname(sys.executable), "meeplecarlo")
    if not os.path.exists(command):
        pytest.skip("the command is not installed beside this Python")
    done = subprocess.run(
        [command, "simulate", "fujiyama", *GOOD, "--jobs", "2", "--out", "r", "--backend", "threading"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_no_progress_bar_in_a_pipe(tmp_path):
    done = cli("simulate", "fujiyama", *GOOD, "--out", tmp_path / "r")
    assert "games/s" not in done.stderr


def test_a_corrupted_table_is_one_sentence(run_folder, tmp_path):
    copy = shutil.copytree(run_folder, tmp_path / "copy", ignore=shutil.ignore_patterns("report"))
    for table in ("seats", "moves"):
        for part in (copy / table).iterdir():
            part.write_bytes(b"x" * part.stat().st_size)
    for command in (("report", copy), ("replay", copy, "0")):
        done = cli(*command)
        assert done.returncode == 4, done.stderr
        assert "cannot be read" in done.stderr.strip().splitlines()[-1]
        assert "Traceback" not in done.stderr


# --- compare -------------------------------------------------------------------------------------------------------
def test_compare_answers_on_one_screen_and_on_a_page(tmp_path):
    asked = ("compare", "fujiyama", "greedy", "random", "--seed", "1", "--out", tmp_path / "c")
    done = cli(*asked, "--until", "games=200")
    assert done.returncode == 0, done.stderr
    assert "greedy is better than random" in done.stdout
    assert "200 games: lead of greedy over parity" in done.stderr
    assert (tmp_path / "c" / "report" / "index.html").is_file()
    again = cli(*asked, "--until", "games=200")
    assert again.returncode == 4
    assert "already holds a run" in again.stderr
    more = cli(*asked, "--until", "games=300", "--resume", "--json")
    assert more.returncode == 0, more.stderr
    assert not more.stderr
    assert json.loads(more.stdout)["games"] == 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fujiyama", "greedy"), "compare needs at least two players, got 1."),
        (("fujiyama", "greedy", "greedy"), "greedy is named twice"),
        (("fujiyama", "greedy", "random", "--until", "cii=1pp"), "unknown stopping rule 'cii'; did you mean 'ci'?"),
        (("fujiyama", "greedy", "random", "--margin", "two"), "cannot read 'two'"),
        (("fujiyama", "greedy", "random", "--until", "games=2"), "at least two deals"),
        (("fujiyama", "greedy", "random", "--set", "wnter_base=2"), "did you mean 'winter_base'?"),
        (("great-fujiyama", "planner", "random", "--until", "ci=1pp"), "is in points, not in pp"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_one_sentence(tmp_path, arguments, message):
    done = cli("compare", *arguments, "--out", tmp_path / "c")
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "c").exists()
