"""Playing a whole run: parts of deals in parallel, each written as soon as it is played.

A part is a fixed number of deals, whatever the number of jobs, so the files of a run do not depend on who played
which part when. Kernels release the GIL: threads scale, need no start-up and no pickling.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import joblib
import numpy as np

from meeplecarlo import compiled
from meeplecarlo.compiled import MAX_SEATS, records
from meeplecarlo.errors import Interrupted, MeeplecarloError, PlayerError, UsageError, unknown
from meeplecarlo.registry import get_game
from meeplecarlo.simulation import play
from meeplecarlo.simulation.design import Design, PlayerSpec, make_design, parse_lineup, seat_players, weight_rows
from meeplecarlo.simulation.search import search_kernel
from meeplecarlo.variant import Variant, make_variant

MAX_GAMES = 2**32 - 1  # game numbers are 32 bits in the logs
PART_GAMES = 8_000
LEAST_PARTS = 8  # so that a small run can be shared between cores too
SEARCH_COST = 10  # a search with this many playouts makes parts half as large


@dataclass(frozen=True)
class Plan:
    """A run as plain values: everything a worker needs to play any part of it.

    Attributes
    ----------
    tables : tuple of str
        Tables to write.
    part_deals : int
        Deals per part.
    """

    variant: Variant
    lineup: tuple[PlayerSpec, ...]
    design: Design
    seed: int
    tables: tuple[str, ...]
    part_deals: int

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return -(-self.design.n_deals // self.part_deals)

    def games_of(self, part: int) -> np.ndarray:
        """Return the numbers of the games of a part (int64)."""
        first = part * self.part_deals * self.design.seatings
        last = min(first + self.part_deals * self.design.seatings, self.design.n_games)
        return np.arange(first, last, dtype=np.int64)


def part_deals_for(lineup: tuple[PlayerSpec, ...], design: Design) -> int:
    """Return how many deals make a part: a function of the run alone, never of the machine."""
    effort = 1 + sum(spec.simulations for spec in lineup) / SEARCH_COST
    by_size = PART_GAMES / design.seatings / effort
    by_number = design.n_deals / LEAST_PARTS
    return max(1, round(min(by_size, max(by_number, 16))))


class Engine:
    """The compiled game and line-up of a plan, ready to play any of its games."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.game = game = get_game(plan.variant.game)
        self.rules = plan.variant.make_rules(len(plan.lineup))
        self.weights = weight_rows(game.name, plan.lineup, self.rules)
        chosen = [game.compiled_player(game.player(spec.player)) for spec in plan.lineup]
        self.players = tuple(chosen + chosen[:1] * (MAX_SEATS - len(chosen)))
        self.simulations = np.zeros(MAX_SEATS, np.int64)
        self.simulations[: len(plan.lineup)] = [spec.simulations for spec in plan.lineup]
        self.protocol = {name: game.compiled(name) for name in game.signatures.functions}
        self.search = search_kernel(game, needed=bool(self.simulations.any()))
        self.play = play.play_kernel(game)
        self.deal_many = play.deal_kernel(game)
        self.max_decisions = game.max_decisions(len(plan.lineup))

    def seating_of(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (deals, seating) of games: int64, shapes (n,) and (n, MAX_SEATS)."""
        seatings = self.plan.design.seatings
        deals = games // seatings
        seating = np.zeros((len(games), MAX_SEATS), np.int64)
        seat_players(np.uint64(self.plan.seed), deals, games % seatings, len(self.plan.lineup), seating)
        return deals, seating

    def dealt(self, deals: np.ndarray) -> np.ndarray:
        """Return freshly dealt positions, STATE, shape (n,)."""
        states = records(len(deals), self.game.module("state").STATE)
        self.deal_many(self.rules, states, np.uint64(self.plan.seed), deals, self.protocol["deal"])
        return states

    def play_games(self, games: np.ndarray, keep: bool, stop: np.ndarray | None = None, done=None) -> dict:
        """Play games by number and return the records of what happened.

        Parameters
        ----------
        games : ndarray of int64
        keep : bool
            Whether to record decisions, scored items and points by round.
        stop : ndarray of uint8, shape (1,), optional
            Set to 1 from another thread to give up; the result is then empty.
        done : ndarray of int64, optional
            Its first entry counts the games played, for a progress bar in another thread.

        Raises
        ------
        PlayerError
            If a player returns an index that is not one of a legal move.
        """
        game, n = self.game, len(self.plan.lineup)
        state = game.module("state")
        deals, seating = self.seating_of(games)
        per_game = (self.max_decisions, game.lines_per_seat * n, game.max_rounds * n)
        rows = [count * len(games) if keep else 0 for count in per_game]
        decisions = records(rows[0], play.DECISION)
        lines, line_games = records(rows[1], state.LINE), np.empty(rows[1], np.uint32)
        rounds = records(rows[2], play.ROUND_POINTS)
        outcomes = records(len(games), play.OUTCOME)
        standings = records((len(games), MAX_SEATS), play.STANDING)
        progress = np.zeros(play.PROGRESS_SIZE, np.int64) if done is None else done
        progress[:] = 0
        self.play(
            self.rules, records(5, state.STATE), self.max_decisions, game.max_rounds, game.shared_result,
            np.uint64(self.plan.seed), games, deals, seating, *self.protocol.values(), self.search,
            self.players, self.weights, self.simulations,
            np.empty(game.max_options, np.int32), records(per_game[1], state.LINE), keep, decisions, lines, line_games, rounds, outcomes, standings, progress,
            np.zeros(1, np.uint8) if stop is None else stop,
        )  # fmt: skip
        self._raise_on_fault(progress, games, seating)
        if progress[play.STATUS] == play.STOPPED:
            return {}
        return {
            "games": games,
            "deals": deals,
            "rotations": games % self.plan.design.seatings,
            "seating": seating,
            "decisions": decisions[: progress[play.N_DECISIONS]],
            "lines": lines[: progress[play.N_LINES]],
            "line_games": line_games[: progress[play.N_LINES]],
            "rounds": rounds[: progress[play.N_ROUNDS]],
            "outcomes": outcomes,
            "standings": standings,
        }

    def _raise_on_fault(self, progress: np.ndarray, games: np.ndarray, seating: np.ndarray) -> None:
        status = progress[play.STATUS]
        if status not in (play.BAD_PLAYER, play.BAD_RULES):
            return
        index = progress[play.GAMES_DONE]
        seat, ply = progress[play.BAD_SEAT], progress[play.BAD_PLY]
        label = self.plan.lineup[seating[index, seat]].label
        where = f"at game {games[index]}, ply {ply} (seed {self.plan.seed})"
        if status == play.BAD_RULES:
            raise MeeplecarloError(f"the rules of {self.game.title} refuse their own move {progress[play.BAD_INDEX]} "
                                   f"of seat {seat} {where}.")  # fmt: skip
        raise PlayerError(
            f"player {label!r} (seat {seat}) returned the index {progress[play.BAD_INDEX]} {where}; "
            f"it must be from 0 to {progress[play.BAD_OPTIONS] - 1}."
        )


@lru_cache(maxsize=4)
def engine_for(plan: Plan) -> Engine:
    """Return the engine of a plan; a worker process builds it once."""
    return Engine(plan)


def compile_one(game: str, kind: str, name: str) -> None:
    """Compile one function of a game into the disk cache: a ``player``, a ``protocol`` function or a ``kernel``."""
    entry = get_game(game)
    if kind == "player":
        entry.compiled_player(entry.player(name))
    elif kind == "protocol":
        entry.compiled(name)
    else:
        kernels = {"play": play.play_kernel, "search": lambda g: search_kernel(g, needed=True)}
        kernels[name](entry)


def warm_up(plan: Plan, say: Callable[[str], None]) -> Engine:
    """Compile all that the plan needs, before any thread or worker does, and say so if it will take a while.

    Functions are independent of each other, so the first time each is compiled by a process of its own, as many at a
    time as there are cores; then all are loaded from the disk cache.
    """
    game = plan.variant.game
    items = [("kernel", "play")]
    items += [("kernel", "search")] if any(spec.simulations for spec in plan.lineup) else []
    items += [("player", name) for name in sorted({spec.player for spec in plan.lineup})]
    items += [("protocol", name) for name in ("apply", "deal", "legal", "redeal", "tally", "observe")]
    missing = [item for item in items if not compiled.is_compiled("-".join((game, *item)))]
    if missing:
        say(f"Compiling {game} for this machine (once; some seconds) ...")
        if compiled.cache_is_shared() and len(missing) > 1:
            with suppress(OSError):  # no processes here: then everything is compiled below, one after the other
                jobs = min(len(missing), os.cpu_count() or 1)
                joblib.Parallel(n_jobs=jobs)(joblib.delayed(compile_one)(game, *item) for item in missing)
    engine = engine_for(plan)
    engine.seating_of(np.zeros(1, np.int64))
    for item in missing:
        compiled.mark_compiled("-".join((game, *item)))
    return engine


def play_part(plan: Plan, part: int, folder: str, stop: np.ndarray | None = None, done=None) -> dict | None:
    """Play one part and write it; return its record, or None if the run was stopped meanwhile."""
    if stop is not None and stop[0]:
        return None
    from meeplecarlo.store.dataset import write_part
    from meeplecarlo.store.tables import build_tables

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
    return write_part(Path(folder), part, len(games), frames)


def make_plan(
    game: str,
    players: str | list[str],
    games: int,
    seed: int,
    options: dict | None = None,
    components: dict | None = None,
    tables: Iterable[str] | None = None,
    part_deals: int | None = None,
) -> Plan:
    """Check everything a user asked for and return it as a plan; parameters as in `simulate`."""
    from meeplecarlo.store.schema import REQUIRED, TABLES

    entry = get_game(game)
    lineup = parse_lineup(entry, players)
    if not isinstance(games, int) or isinstance(games, bool) or not 1 <= games <= MAX_GAMES:
        raise UsageError(f"games must be a whole number from 1 to {MAX_GAMES}, got {games!r}.")
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise UsageError(f"seed must be a whole number from 0 to 2^64 - 1, got {seed!r}.")
    kept = set(TABLES if tables is None else tables) | set(REQUIRED)
    for name in kept - set(TABLES):
        raise UsageError(unknown("table", name, TABLES))
    variant = make_variant(entry, options, components)
    variant.make_rules(len(lineup))  # an inconsistent component file is reported before anything is written
    design = make_design(lineup, games)
    if part_deals is None:
        part_deals = part_deals_for(lineup, design)
    elif not 1 <= part_deals <= 10_000_000:
        raise UsageError(f"part_deals must be a whole number from 1 to 10000000, got {part_deals!r}.")
    return Plan(variant, lineup, design, seed, tuple(t for t in TABLES if t in kept), part_deals)


def plan_of(manifest: dict) -> Plan:
    """Return the plan a run was made from, out of its manifest."""
    game, design = manifest["game"], manifest["design"]
    entry = get_game(game["name"])
    options = tuple(
        (name, tuple(value) if isinstance(value, list) else value) for name, value in game["options"].items()
    )
    components = tuple((name, c["file"], c["text"]) for name, c in game["components"].items())
    lineup = tuple(
        PlayerSpec(p["label"], p["player"], tuple(p["weights"].items()), p["simulations"]) for p in manifest["players"]
    )
    settings = manifest["settings"]
    return Plan(
        Variant(entry.name, options, components),
        lineup,
        Design(design["games"], design["seats"], design["seatings"]),
        manifest["seed"],
        tuple(settings["tables"]),
        settings["part_deals"],
    )


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
):
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
        Run folder to write; without it the run lives in a temporary folder as long as the result does.
    tables : iterable of str, optional
        Tables to keep, of games, seats, scores, rounds, moves, deals; games and seats always are. Default: all.
    part_deals : int, optional
        Deals per part. Changes how rows are spread over files, not the rows.
    overwrite, resume : bool
        Replace a run that is in `out`, or go on with it.
    progress : bool
        Show a progress bar on stderr.
    quiet : bool
        Do not even say on stderr that compiling takes a while.
    backend : str
        A joblib backend: ``threading`` or ``loky`` (processes).

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
    from meeplecarlo.store import dataset
    from meeplecarlo.store.provenance import describe

    if not isinstance(jobs, int) or jobs == 0 or not -64 <= jobs <= 1024:
        raise UsageError(f"jobs must be a whole number from 1 to 1024, or -1 for one a core, got {jobs!r}.")
    if backend not in ("threading", "loky"):
        raise UsageError(unknown("backend", backend, ["threading", "loky"]))
    if overwrite and resume:
        raise UsageError("--overwrite and --resume exclude each other.")
    drawn = secrets.randbits(53) if seed is None else seed
    plan = make_plan(game, players, games, drawn, options, components, tables, part_deals)
    temporary = Path(tempfile.mkdtemp(prefix="meeplecarlo-")) if out is None else None
    folder = temporary / "run" if temporary else Path(out)
    settings = {"tables": list(plan.tables), "part_deals": plan.part_deals}
    provenance = describe(get_game(game), plan.variant, plan.lineup, plan.design, plan.seed, settings)
    parts = dataset.create_folder(folder, provenance, overwrite, resume)
    started = time.perf_counter()
    warm_up(plan, lambda line: quiet or print(line, file=sys.stderr, flush=True))
    todo = [part for part in range(plan.n_parts) if part not in parts]
    for record in _play_parts(plan, todo, folder, jobs, backend, progress):
        parts[record["part"]] = record
    if len(parts) < plan.n_parts:
        done = sum(record["games"] for record in parts.values())
        kept = "" if temporary else f"; what is finished is in {folder}, and --resume goes on from there"
        raise Interrupted(f"stopped after {done:,} of {plan.design.n_games:,} games{kept}.")
    dataset.finish(folder, provenance, parts.values(), time.perf_counter() - started)
    run = dataset.Run(folder)
    if temporary:
        weakref.finalize(run, shutil.rmtree, temporary, ignore_errors=True)
    return run


def _play_parts(plan: Plan, parts: list[int], folder: Path, jobs: int, backend: str, progress: bool):
    """Yield the records of parts as they are finished; stop early on Ctrl-C."""
    stop = np.zeros(1, np.uint8)
    threads = backend == "threading"
    counters = {part: np.zeros(play.PROGRESS_SIZE, np.int64) for part in parts} if threads else {}
    tasks = (
        joblib.delayed(play_part)(plan, part, str(folder), stop if threads else None, counters.get(part))
        for part in parts
    )
    with _stopping(stop), _progress_bar(plan, parts, counters, progress) as finished:
        parallel = joblib.Parallel(n_jobs=jobs, backend=backend, return_as="generator_unordered")
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
