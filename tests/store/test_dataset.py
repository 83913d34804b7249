"""Run folders: what is in them, reading them back, and refusing what is not one."""

import errno
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import meeplecarlo as mc
from meeplecarlo.errors import SchemaError, StoreError, UsageError
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.replay import replay_game
from meeplecarlo.store import dataset, files
from meeplecarlo.store.schema import TABLES, VERSION, tables

PLAYERS = ["steady", "random", "steady(summer=2)"]
BIG_SEED = 2**64 - 1


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    return mc.simulate("fujiyama", PLAYERS, games=60, seed=BIG_SEED, out=folder, part_deals=5)


@pytest.fixture
def copy(run, tmp_path):
    return shutil.copytree(run.path, tmp_path / "copy")


def test_every_table_has_exactly_the_declared_columns(run):
    for name, columns in tables(get_game("fujiyama"), run.players).items():
        schema = run.table(name).collect_schema()
        assert list(schema.items()) == [(c.name, c.dtype) for c in columns], name
        assert all(c.meaning for c in columns)


def test_all_parts_have_one_schema_and_the_rows_add_up(run):
    rows = {name: run.table(name).select(pl.len()).collect().item() for name in TABLES}
    assert rows["games"] == run.n_games == 60
    assert rows["seats"] == 180
    assert rows["rounds"] == 60 * 3 * 9
    assert rows["moves"] == 60 * 3 * 28
    assert rows["deals"] == 20
    for record in run.manifest["parts"]:
        for file, facts in record["files"].items():
            assert pl.read_parquet(run.path / file).height == facts["rows"]
            assert files.file_hash(run.path / file) == facts["sha256"]


def test_points_are_the_sum_of_the_score_lines(run):
    sums = run.scores.group_by("game", "seat").agg(pl.col("points").cast(pl.Int32).sum().alias("sum"))
    both = run.seats.join(sums, on=["game", "seat"]).collect()
    assert both.height == 180
    assert (both["points"] == both["sum"]).all()


def test_the_last_round_is_the_result(run):
    last = run.rounds.filter(pl.col("round") == 9).select("game", "seat", pl.col("points").alias("last"))
    assert run.seats.join(last, on=["game", "seat"]).filter(pl.col("points") != pl.col("last")).collect().is_empty()


def test_win_shares_sum_to_one_and_agree_with_the_winners(run):
    shares = run.seats.group_by("game").agg(
        pl.col("win_share").sum(), pl.col("seat").filter(pl.col("rank") == 1).alias("winners")
    )
    both = shares.join(run.games.select("game", pl.col("winners").alias("logged")), on="game").collect()
    assert both["win_share"].to_list() == pytest.approx([1.0] * 60)
    assert both["winners"].list.sort().to_list() == both["logged"].to_list()


def test_pandas_and_plain_parquet_readers_read_it(run):
    frame = pd.read_parquet(run.path / "seats")
    assert len(frame) == 180
    assert set(frame["player"].astype(str)) == set(PLAYERS)
    assert run.seats.collect().to_pandas()["points"].tolist() == frame["points"].tolist()


def test_a_seed_of_64_bits_survives(run):
    assert json.loads((run.path / "run.json").read_text())["seed"] == BIG_SEED
    assert mc.open_run(run.path).manifest["seed"] == BIG_SEED


def test_a_drawn_seed_is_recorded():
    drawn = mc.simulate("fujiyama", ["random", "random"], games=3)
    again = mc.simulate("fujiyama", ["random", "random"], games=3, seed=drawn.manifest["seed"])
    assert drawn.moves.collect().equals(again.moves.collect())


def test_a_run_without_a_folder_lives_until_the_process_ends():
    code = (
        "import meeplecarlo as mc\n"
        "frame = mc.simulate('fujiyama', ['random', 'random'], games=3, seed=1, quiet=True).seats\n"
        "assert frame.collect().height == 6\n"
        "print(mc.simulate('fujiyama', ['random', 'random'], games=3, seed=1, quiet=True).path)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not Path(done.stdout.strip()).exists()
    assert not Path(done.stdout.strip()).parent.exists()


def test_the_provenance_says_what_was_played(run):
    manifest = run.manifest
    assert manifest["game"]["options"]["winter_base"] == 3
    assert manifest["game"]["changes"] == {}
    assert manifest["game"]["components"]["tiles"]["text"].startswith("tile,bottom")
    assert [p["label"] for p in manifest["players"]] == PLAYERS
    assert manifest["players"][2]["weights"]["summer"] == 2
    assert manifest["design"] == {"games": 60, "seats": 3, "seatings": 3, "deals": 20, "complete_deals": 20}
    assert set(manifest["software"]) >= {"meeplecarlo", "numba", "sources"}


def test_tables_can_be_left_out(tmp_path):
    run = mc.simulate("fujiyama", ["random", "random"], games=4, seed=1, out=tmp_path / "r", tables=["scores"])
    assert run.manifest["settings"]["tables"] == ["games", "seats", "scores"]
    assert not (run.path / "moves").exists()
    with pytest.raises(StoreError, match="no table 'moves'; it kept games, seats, scores"):
        run.moves  # noqa: B018


def test_nothing_is_overwritten_unasked(run):
    before = {p: p.read_bytes() for p in run.path.rglob("*") if p.is_file()}
    with pytest.raises(StoreError, match="already holds a run"):
        mc.simulate("fujiyama", PLAYERS, games=6, seed=1, out=run.path)
    assert {p: p.read_bytes() for p in run.path.rglob("*") if p.is_file()} == before


def test_a_folder_that_is_no_run_is_never_replaced(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    for options in ({}, {"overwrite": True}, {"resume": True}):
        with pytest.raises(StoreError, match="not a run folder"):
            mc.simulate("fujiyama", PLAYERS, games=6, seed=1, out=tmp_path, **options)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_overwriting_leaves_what_is_not_the_runs(copy, tmp_path):
    (copy / "notes.txt").write_text("mine")
    mc.simulate("fujiyama", ["random", "random"], games=4, seed=1, out=copy, overwrite=True)
    assert (copy / "notes.txt").read_text() == "mine"
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "run.json").write_text("{}")
    with pytest.raises(SchemaError, match="not the manifest"):
        mc.simulate("fujiyama", ["random", "random"], games=4, out=tmp_path / "project", overwrite=True)
    assert (tmp_path / "project" / "run.json").read_text() == "{}"


def test_overwriting_replaces_the_whole_run(copy):
    run = mc.simulate("fujiyama", ["random", "random"], games=4, seed=1, out=copy, overwrite=True)
    assert run.n_games == 4
    assert len(list((copy / "games").iterdir())) == len(run.manifest["parts"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "not a run folder"),
        ("", "not the manifest"),
        ("[]", "not the manifest"),
        ("{", "not the manifest"),
        ('{"format": {"name": "other", "version": [1, 0]}}', "of the format 'other'"),
        (json.dumps({"format": {"name": "meeplecarlo-run", "version": [VERSION[0] + 1, 0]}}), "newer"),
        (json.dumps({"format": {"name": "meeplecarlo-run", "version": [0, 9]}}), "older"),
    ],
)
def test_what_is_no_run_of_this_format_is_refused_in_one_sentence(tmp_path, content, words):
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(SchemaError, match=words):
        mc.open_run(tmp_path)


def test_a_missing_part_is_named(copy):
    run = mc.open_run(copy)
    (copy / "seats" / "part-00001.parquet").unlink()
    with pytest.raises(StoreError, match=r"part-00001\.parquet"):
        run.seats  # noqa: B018


def unfinish(folder, lost_part):
    """Turn a finished run into one that was stopped before `lost_part` was written."""
    manifest = json.loads((folder / "run.json").read_text())
    parts = manifest.pop("parts")
    manifest["complete"] = False
    (folder / "run.json").write_text(json.dumps(manifest))
    (folder / "parts").mkdir()
    for record in parts:
        if record["part"] == lost_part:
            for file in record["files"]:
                (folder / file).unlink()
        else:
            (folder / "parts" / f"part-{record['part']:05d}.json").write_text(json.dumps(record))


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in sorted(folder.rglob("*.parquet"))}


def resume(folder, **changes):
    arguments = {"games": 60, "seed": BIG_SEED, "out": folder, "part_deals": 5, "resume": True} | changes
    return mc.simulate("fujiyama", PLAYERS, **arguments)


def test_resuming_gives_the_same_bytes(run, copy):
    unfinish(copy, lost_part=2)
    assert mc.open_run(copy).n_games == 45
    resumed = resume(copy)
    assert resumed.complete
    assert resumed.n_games == 60
    assert contents(copy) == contents(run.path)
    assert resumed.manifest["parts"] == run.manifest["parts"]


def test_resuming_plays_a_damaged_part_again(run, copy):
    unfinish(copy, lost_part=0)
    damaged = copy / "moves" / "part-00003.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-40])
    resume(copy)
    assert contents(copy) == contents(run.path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"part": 3}'])
def test_resuming_plays_a_part_with_an_unreadable_record_again(run, copy, content):
    unfinish(copy, lost_part=0)
    (copy / "parts" / "part-00003.json").write_text(content)
    resume(copy)
    assert contents(copy) == contents(run.path)


def test_resuming_a_damaged_finished_run_mends_it(run, copy):
    damaged = copy / "seats" / "part-00001.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-40])
    with pytest.raises(StoreError, match="of 'seats' is damaged"):
        mc.open_run(copy).seats  # noqa: B018
    resume(copy)
    assert contents(copy) == contents(run.path)


def test_resuming_needs_no_seed(tmp_path):
    first = mc.simulate("fujiyama", PLAYERS, games=60, out=tmp_path / "r", part_deals=5)
    before = contents(tmp_path / "r")
    unfinish(tmp_path / "r", lost_part=1)
    again = resume(tmp_path / "r", seed=None)
    assert again.manifest["seed"] == first.manifest["seed"]
    assert contents(tmp_path / "r") == before


def hostile(manifest, path, value):
    *parents, last = path
    for key in parents:
        manifest = manifest[key]
    manifest[last] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("game", "options"), {}),
        (("game", "options", "winter_base"), "x"),
        (("game", "options", "autumn_points"), [1]),
        (("design", "seatings"), 0),
        (("design", "games"), -1),
        (("seed",), -1),
        (("players", 2, "weights"), {}),
        (("players", 2, "player"), "nobody"),
        (("settings", "part_deals"), "many"),
    ],
)
def test_a_manifest_that_cannot_be_is_refused_in_one_sentence(copy, path, value):
    manifest = json.loads((copy / "run.json").read_text())
    hostile(manifest, path, value)
    (copy / "run.json").write_text(json.dumps(manifest))
    with pytest.raises(SchemaError, match="cannot be played again"):
        replay_game(mc.open_run(copy), 0)


def test_a_game_that_was_not_finished_cannot_be_replayed(copy):
    unfinish(copy, lost_part=2)
    with pytest.raises(UsageError, match="game 31 is not among the 45 games"):
        replay_game(mc.open_run(copy), 31)


def test_resuming_a_finished_run_changes_nothing(run, copy):
    resume(copy)
    assert contents(copy) == contents(run.path)


@pytest.mark.parametrize(("changes", "part"), [({"seed": 1}, "seed"), ({"games": 57}, "design")])
def test_a_different_run_is_not_resumed(copy, changes, part):
    unfinish(copy, lost_part=2)
    with pytest.raises(StoreError, match=f"its {part} differs"):
        resume(copy, **changes)


@pytest.mark.parametrize("unfinished", [False, True])
@pytest.mark.parametrize("games", [66, 90])
def test_a_run_grows_to_the_bytes_of_a_longer_one(copy, tmp_path, games, unfinished):
    """From 60 games in four parts of 15; 66 make the fifth part incomplete, 90 make six."""
    if unfinished:
        unfinish(copy, lost_part=1)
    grown = resume(copy, games=games)
    whole = mc.simulate("fujiyama", PLAYERS, games=games, seed=BIG_SEED, out=tmp_path / "whole", part_deals=5)
    assert contents(copy) == contents(whole.path)
    assert grown.manifest["parts"] == whole.manifest["parts"]
    again = resume(copy, games=96, part_deals=None)  # the last part of 66 games grows too
    assert again.n_games == 96
    longer = mc.simulate("fujiyama", PLAYERS, games=96, seed=BIG_SEED, out=tmp_path / "longer", part_deals=5)
    assert contents(copy) == contents(longer.path)


def test_a_run_that_was_stopped_while_growing_is_resumed_as_the_longer_one(copy, tmp_path, monkeypatch):
    real = dataset.write_part

    def stops(folder, part, n_games, frames):
        if part == 5:
            raise StoreError("stopped")
        return real(folder, part, n_games, frames)

    monkeypatch.setattr(dataset, "write_part", stops)
    with pytest.raises(StoreError, match="stopped"):
        resume(copy, games=90)
    monkeypatch.undo()
    assert not mc.open_run(copy).complete
    assert mc.open_run(copy).n_games == 75
    resume(copy, games=90)
    whole = mc.simulate("fujiyama", PLAYERS, games=90, seed=BIG_SEED, out=tmp_path / "whole", part_deals=5)
    assert contents(copy) == contents(whole.path)


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path, monkeypatch):
    written = []
    real = dataset.write_atomically

    def fills_up(path, content, durable=True):
        if len(written) == 13:  # in the middle of the third part
            raise StoreError(f"cannot write {path}: the disk is full.") from OSError(errno.ENOSPC, "full")
        written.append(path)
        return real(path, content, durable)

    monkeypatch.setattr(dataset, "write_atomically", fills_up)
    with pytest.raises(StoreError, match="the disk is full"):
        mc.simulate("fujiyama", PLAYERS, games=60, seed=BIG_SEED, out=tmp_path / "r", part_deals=5)
    monkeypatch.undo()
    assert mc.open_run(tmp_path / "r").n_games == 30
    assert resume(tmp_path / "r").n_games == 60


@pytest.mark.parametrize(
    ("code", "reason"),
    [(errno.ENOSPC, "the disk is full"), (errno.EACCES, "permission was denied"), (errno.EROFS, "read-only")],
)
def test_a_failed_write_leaves_no_file(tmp_path, monkeypatch, code, reason):
    def fail(_):
        raise OSError(code, "no")

    monkeypatch.setattr(files.os, "fsync", fail)
    with pytest.raises(StoreError, match=reason):
        files.write_atomically(tmp_path / "sub" / "file", b"content")
    assert list((tmp_path / "sub").iterdir()) == []
