"""A run folder: created, filled part by part, finished, and read back.

```
run.json                      provenance; at the end with all parts and their checksums
games/part-00000.parquet      one file a table and part
parts/part-00000.json         written last of a part: the part counts only when this is there; gone at the end
```
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from meeplecarlo.errors import SchemaError, StoreError
from meeplecarlo.registry import Game, get_game
from meeplecarlo.store.files import file_hash, make_durable, saying_why, write_atomically, write_json
from meeplecarlo.store.provenance import difference, extends
from meeplecarlo.store.schema import FORMAT, TABLES, VERSION

MANIFEST = "run.json"
ROW_GROUP = 262_144  # fixed, so that the bytes do not depend on how many threads write


def create_folder(folder: Path, provenance: dict, overwrite: bool, resume: bool) -> dict[int, dict]:
    """Make `folder` ready for a run and return the records of parts that are already in it (when resuming).

    Raises
    ------
    StoreError
        If the folder holds a run and neither `overwrite` nor `resume` is given, holds something else, or holds a
        different run than the one to resume.
    """
    with saying_why(folder):
        holds_run = (folder / MANIFEST).is_file()
        if folder.exists() and not holds_run and (not folder.is_dir() or any(folder.iterdir())):
            raise StoreError(f"{folder} exists and is not a run folder; choose another name for the run.")
        if holds_run and resume:
            return _resumable_parts(folder, provenance)
        if holds_run and not overwrite:
            raise StoreError(
                f"{folder} already holds a run; choose another name, --overwrite to replace it, or --resume to go on."
            )
        if holds_run:
            _remove_run(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "parts").mkdir(exist_ok=True)
    write_json(folder / MANIFEST, provenance)
    return {}


def _remove_run(folder: Path) -> None:
    """Delete a run, and nothing else that lies in its folder; raise `SchemaError` if it is none of ours."""
    read_manifest(folder)
    for name in (*TABLES, "parts"):
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
    (folder / MANIFEST).unlink()


def _resumable_parts(folder: Path, provenance: dict) -> dict[int, dict]:
    old = read_manifest(folder)
    differs = difference(old, provenance)
    if differs:
        raise StoreError(f"{folder} cannot be resumed: its {differs} differs from what was asked for now.")
    records = old["parts"] if old["complete"] else _records(folder)
    if extends(old, provenance):
        # From now on it is an unfinished run of more games: stopped here, it can be resumed as that.
        for record in records:
            _write_record(folder, record)
        write_json(folder / MANIFEST, provenance)
    return {record["part"]: record for record in records if not damaged_files(folder, record)}


def _records(folder: Path) -> list[dict]:
    """Return the records of the parts of an unfinished run; one that cannot be read counts as not written."""
    records = []
    for path in sorted((folder / "parts").glob("part-*.json")):
        with suppress(ValueError, TypeError):
            record = json.loads(path.read_text(encoding="utf-8"))
            records += [record] if {"part", "games", "files"} <= set(record) else []
    return records


def damaged_files(folder: Path, record: dict) -> list[str]:
    """Return the files of a part that are missing or differ from their checksums."""
    return [
        name
        for name, file in record["files"].items()
        if not (folder / name).is_file() or file_hash(folder / name) != file["sha256"]
    ]


def part_path(table: str, part: int) -> str:
    """Return the path of a part inside the run folder."""
    return f"{table}/part-{part:05d}.parquet"


def write_part(folder: Path, part: int, n_games: int, frames: dict[str, pl.DataFrame]) -> dict:
    """Write the tables of a part, then its record; return the record.

    Nothing waits for the disk here: after a power failure a part that did not reach it differs from its checksums,
    and is played again when the run is resumed. `finish` waits for all parts at once.
    """
    files = {}
    for table, frame in frames.items():
        buffer = io.BytesIO()
        frame.write_parquet(buffer, compression="zstd", row_group_size=ROW_GROUP)
        name = part_path(table, part)
        content = buffer.getvalue()
        checksum = write_atomically(folder / name, content, durable=False)
        files[name] = {"rows": frame.height, "bytes": len(content), "sha256": checksum}
    record = {"part": part, "games": n_games, "files": files}
    _write_record(folder, record)
    return record


def _write_record(folder: Path, record: dict) -> None:
    write_json(folder / "parts" / f"part-{record['part']:05d}.json", record, durable=False)


def finish(folder: Path, provenance: dict, records: Iterable[dict], seconds: float) -> None:
    """Write the final manifest: from now on the run is complete."""
    parts = sorted(records, key=lambda r: r["part"])
    make_durable(folder / name for record in parts for name in record["files"])
    done = {
        **provenance,
        "complete": True,
        "resources": {"seconds": round(seconds, 3)},
        "parts": parts,
    }
    write_json(folder / MANIFEST, done)
    shutil.rmtree(folder / "parts", ignore_errors=True)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the provenance of a run folder.

    Raises
    ------
    SchemaError
        If it is no run folder, or of a format this version cannot read.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise SchemaError(f"{folder} is not a run folder: there is no {MANIFEST} in it.")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        name, version = manifest["format"]["name"], manifest["format"]["version"]
        major, minor = map(int, version)
    except (ValueError, KeyError, TypeError):
        raise SchemaError(f"{path} is not the manifest of a meeplecarlo run.") from None
    if name != FORMAT:
        raise SchemaError(f"{path} is of the format {name!r}, not {FORMAT!r}.")
    if major > VERSION[0]:
        raise SchemaError(f"{path} is of format {major}.{minor}, newer than this program's {VERSION[0]}.{VERSION[1]}; "
                          "update meeplecarlo to read it.")  # fmt: skip
    if major < VERSION[0]:
        raise SchemaError(f"{path} is of format {major}.{minor}, older than this program reads; simulate it again "
                          "with the command in the manifest.")  # fmt: skip
    return manifest


@contextmanager
def reading(path: Path):
    """Turn the complaint of a Parquet reader into a `StoreError` that names what was being read."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise StoreError(f"{path}: a table cannot be read ({reason}); was a file damaged or changed?") from None


class Run:
    """A run on disk. Its tables are polars LazyFrames: nothing is read before it is needed.

    Attributes
    ----------
    path : pathlib.Path
    manifest : dict
        The provenance, as in ``run.json``.
    games, seats, scores, rounds, moves, deals : polars.LazyFrame
        The tables; a run that was told to leave one out raises `StoreError` when it is asked for.
    """

    def __init__(self, path: Path):
        self.path = Path(path)
        self.manifest = read_manifest(self.path)

    @property
    def complete(self) -> bool:
        """Whether all parts were played."""
        return bool(self.manifest["complete"])

    @property
    def game(self) -> Game:
        """The game that was played."""
        return get_game(self.manifest["game"]["name"])

    @property
    def players(self) -> list[str]:
        """Labels of the line-up, each once, in the order given."""
        return list(dict.fromkeys(p["label"] for p in self.manifest["players"]))

    @property
    def lineup(self) -> list[str]:
        """Labels of the line-up, one a seat."""
        return [p["label"] for p in self.manifest["players"]]

    @property
    def n_seats(self) -> int:
        """Number of seats."""
        return self.manifest["design"]["seats"]

    @property
    def seatings(self) -> int:
        """Games per deal."""
        return self.manifest["design"]["seatings"]

    def parts(self) -> list[dict]:
        """Return the records of the parts that are there."""
        if self.complete:
            return self.manifest["parts"]
        return _records(self.path)

    @property
    def n_games(self) -> int:
        """Games that were played and written."""
        return sum(record["games"] for record in self.parts())

    def has(self, table: str) -> bool:
        """Whether the run kept a table."""
        return table in self.manifest["settings"]["tables"]

    def table(self, name: str) -> pl.LazyFrame:
        """Return a table lazily; raise `StoreError` if the run has none of that name."""
        if name not in TABLES or not self.has(name):
            kept = ", ".join(self.manifest["settings"]["tables"])
            raise StoreError(f"{self.path} has no table {name!r}; it kept {kept}.")
        sizes = {
            self.path / part_path(name, record["part"]): record["files"][part_path(name, record["part"])]["bytes"]
            for record in self.parts()
        }
        for file, size in sizes.items():
            if not file.is_file():
                raise StoreError(f"{self.path}: {file.name} of {name!r} is missing; --resume plays it again.")
            if file.stat().st_size != size:
                raise StoreError(
                    f"{self.path}: {file.name} of {name!r} is damaged, it has {file.stat().st_size} bytes instead of "
                    f"{size}; --resume plays it again."
                )
        if not sizes:
            raise StoreError(f"{self.path}: no part of the run is finished.")
        return pl.scan_parquet(list(sizes))

    games = property(lambda self: self.table("games"))
    seats = property(lambda self: self.table("seats"))
    scores = property(lambda self: self.table("scores"))
    rounds = property(lambda self: self.table("rounds"))
    moves = property(lambda self: self.table("moves"))
    deals = property(lambda self: self.table("deals"))

    def __repr__(self) -> str:
        who, seed = ", ".join(self.lineup), self.manifest["seed"]
        return f"<Run of {self.game.title}: {self.n_games:,} games, {who}, seed {seed}>"


def open_run(path: str | Path) -> Run:
    """Open a run folder.

    Raises
    ------
    SchemaError
        If `path` is no run folder, or of a format this version cannot read.
    """
    return Run(Path(path))
