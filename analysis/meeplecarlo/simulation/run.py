"""Playing a whole run: parts of deals in parallel, each written as soon as it is played.

A part is a fixed number of deals, whatever the number of jobs, so the files of a run do not depend on who played
which part when. Kernels release the GIL: threads scale, need no start-up and no pickling.
"""

from __future__ import annotations

import atexit
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import joblib
import numpy as np

from meeplecarlo.errors import Interrupted, UsageError, unknown
from meeplecarlo.registry import get_game
from meeplecarlo.simulation import play
from meeplecarlo.simulation.engine import engine_for, warm_up
from meeplecarlo.simulation.plan import Plan, make_plan, whole
from meeplecarlo.store import dataset
from meeplecarlo.store.provenance import describe
from meeplecarlo.store.tables import build_tables


def play_part(plan: Plan, part: int, folder: str, stop: np.ndarray | None = None, done=None) -> dict | None:
    """Play one part and write it; return its record, or None if the run was stopped meanwhile."""
    if stop is None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # in a worker process: the parent decides when to stop
    elif stop is not None and stop[0]:
        return None
    engine = engine_for(plan)
    games = plan.games_of(part)
    keep = any(table in plan.tables for table in ("moves", "scores", "rounds"))
    played = engine.play_games(games, keep, stop, done)
    if not played:
        return None
    if "deals" in plan.tables:
        played["dealt"] = np.unique(played["deals"])
        played["dealt_states"] = engine.dealt(played["dealt"])
    labels = [spec.label for spec in plan.lineup]
    frames = build_tables(engine.game, labels, engine.rules, played, plan.tables)
    return dataset.write_part(Path(folder), part, len(games), frames)


def simulate(
    game: str,
    players: str | list[str],
    *,
    games: int,
    seed: int | None = None,
    jobs: int = 1,
    options: dict | None = None,
    components: dict | None = None,
    out: str | Path | None = None,
    tables: Iterable[str] | None = None,
    part_deals: int | None = None,
    overwrite: bool = False,
    resume: bool = False,
    progress: bool = False,
    quiet: bool = False,
    backend: str = "threading",
    command: list[str] | None = None,
) -> dataset.Run:
    """Play a run and return it.

    Parameters
    ----------
    game : str
        Name of a game.
    players : str or list of str
        A player spec for every seat: ``["harvester", "random", "steady(summer=2)"]``.
    games : int
        Games to play, exactly. A multiple of the number of seats fills every deal.
    seed : int, optional
        0 to 2^64 - 1; drawn and recorded when left out. The same seed gives the same tables, byte for byte, for any
        number of jobs and any backend.
    jobs : int
        Parts played at the same time; -1 for one a core.
    options, components : dict, optional
        Rule options by name, and component files by name (``{"boards": "my_boards.csv"}``).
    out : path, optional
        Run folder to write; without it the run lives in a temporary folder until the process ends.
    tables : iterable of str, optional
        Tables to keep, of games, seats, scores, rounds, moves, deals; games and seats always are. Default: all.
    part_deals : int, optional
        Deals per part. Changes how rows are spread over files, not the rows.
    overwrite, resume : bool
        Replace a run that is in `out`, or go on with it: with what is missing of it, or with more games.
    progress : bool
        Show a progress bar on stderr.
    quiet : bool
        Do not even say on stderr that compiling takes a while.
    backend : str
        A joblib backend: ``threading`` or ``loky`` (processes).
    command : list of str, optional
        For the provenance: the words of the command that started this.

    Returns
    -------
    Run

    Raises
    ------
    UsageError, ComponentError
        If something asked for does not exist or is out of range; nothing has been written then.
    StoreError
        If the folder cannot be written.
    Interrupted
        On Ctrl-C; finished parts stay, and ``resume=True`` goes on.
    """
    jobs = -1 if jobs == -1 else whole("jobs", jobs, 1, 1024)
    if backend not in ("threading", "loky"):
        raise UsageError(unknown("backend", backend, ["threading", "loky"]))
    if overwrite and resume:
        raise UsageError("--overwrite and --resume exclude each other.")
    if resume and out is not None and (Path(out) / dataset.MANIFEST).is_file():
        # A drawn seed need not be known to go on, nor how many deals made a part when fewer games were asked for.
        old = dataset.read_manifest(Path(out))
        seed = old.get("seed") if seed is None else seed
        part_deals = old.get("settings", {}).get("part_deals") if part_deals is None else part_deals
    drawn = secrets.randbits(53) if seed is None else seed
    plan = make_plan(game, players, games, drawn, options, components, tables, part_deals)
    temporary = out is None
    folder = Path(tempfile.mkdtemp(dir=_temporary_folder())) if temporary else Path(out)
    settings = {"tables": list(plan.tables), "part_deals": plan.part_deals}
    provenance = describe(get_game(game), plan.variant, plan.lineup, plan.design, plan.seed, settings, command)
    parts = dataset.create_folder(folder, provenance, overwrite, resume)
    # When more games are asked for than before, the last part may have to grow.
    parts = {part: record for part, record in parts.items() if record["games"] == len(plan.games_of(part))}
    started = time.perf_counter()
    stop = np.zeros(1, np.uint8)
    with _stopping(stop):  # compiling, too, is not to be torn apart by a Ctrl-C
        warm_up(plan, lambda line: quiet or print(line, file=sys.stderr, flush=True))
        todo = [part for part in range(plan.n_parts) if part not in parts]
        for record in _play_parts(plan, todo, folder, jobs, backend, progress, stop):
            parts[record["part"]] = record
    if len(parts) < plan.n_parts:
        done = sum(record["games"] for record in parts.values())
        kept = "" if temporary else f"; what is finished is in {folder}, and --resume goes on from there"
        raise Interrupted(f"stopped after {done:,} of {plan.design.n_games:,} games{kept}.")
    dataset.finish(folder, provenance, parts.values(), time.perf_counter() - started)
    return dataset.Run(folder)


@cache
def _temporary_folder() -> Path:
    """Return a folder for runs nobody gave one, deleted when the process ends: frames read from them may outlive
    the `Run` they were asked of."""
    folder = Path(tempfile.mkdtemp(prefix="meeplecarlo-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _play_parts(plan: Plan, parts: list[int], folder: Path, jobs: int, backend: str, progress: bool, stop: np.ndarray):
    """Yield the records of parts as they are finished; stop early once `stop` is set."""
    threads = backend == "threading" or jobs == 1
    counters = {part: np.zeros(play.PROGRESS_SIZE, np.int64) for part in parts} if threads else {}
    tasks = (
        joblib.delayed(play_part)(plan, part, str(folder), stop if threads else None, counters.get(part))
        for part in parts
    )
    with _progress_bar(plan, parts, counters, progress) as finished:
        parallel = joblib.Parallel(
            n_jobs=jobs, backend="threading" if threads else backend, return_as="generator_unordered"
        )
        for record in parallel(tasks):
            if record is not None:
                finished(record)
                yield record
            if stop[0] and not threads:
                break


@contextmanager
def _stopping(stop: np.ndarray):
    """Let Ctrl-C set `stop` instead of raising somewhere; a second Ctrl-C raises at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def ask_to_stop(*_):
        stop[0] = 1
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress_bar(plan: Plan, parts: list[int], counters: dict[int, np.ndarray], show: bool):
    """Show games done, games/s and time left; yields a function to call with every finished part."""
    if not show:
        yield lambda record: None
        return
    from tqdm.auto import tqdm

    total = sum(len(plan.games_of(part)) for part in parts)
    over = threading.Event()
    done: dict[int, int] = {}
    with tqdm(total=total, unit=" games", unit_scale=True, smoothing=0.1, leave=False) as bar:

        def refresh():
            running = sum(int(c[play.GAMES_DONE]) for part, c in counters.items() if part not in done)
            bar.update(running + sum(done.values()) - bar.n)

        def watch():
            while not over.wait(0.2):
                refresh()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield lambda record: done.__setitem__(record["part"], record["games"])
        finally:
            over.set()
            watcher.join()
            refresh()
