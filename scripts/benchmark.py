"""Measure speed, start-up and memory, and print them beside their targets.

    python scripts/benchmark.py             # some minutes
    python scripts/benchmark.py --memory    # also peak memory of 100,000 and of 1,000,000 games, all logs: longer
    python scripts/benchmark.py --json out.json

Machines are noisy and differ by factors: every rate is the best of several tries, and every ratio is of two figures
measured right after each other. ``draws`` is the machine's yardstick: random numbers a second from the generator.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from meeplecarlo.compiled import CACHE_VARIABLE, helper
from meeplecarlo.simulation.engine import Engine
from meeplecarlo.simulation.plan import make_plan
from meeplecarlo.simulation.run import simulate
from meeplecarlo.streams import next_u64

GAME = "fujiyama"
BEST = "harvester"


@helper
def draw_many(rng, n):
    """Return the exclusive or of n draws."""
    result = np.uint64(0)
    for _ in range(n):
        result ^= next_u64(rng)
    return result


def best_time(task, tries: int = 5) -> float:
    """Return the shortest of several wall times of `task`, in seconds."""
    times = []
    for _ in range(tries):
        started = time.perf_counter()
        task()
        times.append(time.perf_counter() - started)
    return min(times)


def decisions_per_second(players: list[str], games: int) -> float:
    """Return decisions a second of one core, nothing recorded."""
    engine = Engine(make_plan(GAME, players, games, 1))
    numbers = np.arange(games)
    decisions = int(engine.play_games(numbers, keep=False)["outcomes"]["decisions"].sum())
    return decisions / best_time(lambda: engine.play_games(numbers, keep=False))


def run_time(players: list[str], games: int, jobs: int, tables: list[str] | None) -> float:
    """Return the wall time of a run into a fresh folder, in seconds."""

    def task():
        with tempfile.TemporaryDirectory() as folder:
            simulate(GAME, players, games=games, seed=1, jobs=jobs, out=Path(folder) / "r", tables=tables)

    return best_time(task, 3)


def command_time(arguments: list[str], tries: int = 5, **environment: str) -> float:
    """Return the shortest wall time of a Python command in a fresh process, in seconds."""

    def task():
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=os.environ | environment)

    return best_time(task, tries)


FIRST_GAME = f"""
import numpy
from meeplecarlo.simulation.engine import warm_up
from meeplecarlo.simulation.plan import make_plan
plan = make_plan({GAME!r}, [{BEST!r}, "steady", "random", "random"], 1, 1)
warm_up(plan, print).play_games(plan.games_of(0), keep=True)
"""

PEAK_MEMORY = """
import resource, sys, tempfile
from meeplecarlo.simulation.run import simulate
with tempfile.TemporaryDirectory() as folder:
    simulate("{game}", ["{best}"] * 4, games={games}, seed=1, jobs=2, out=folder + "/r", quiet=True)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_memory(games: int) -> float:
    """Return the peak memory of a run of `games` with all logs, in MiB."""
    code = PEAK_MEMORY.format(game=GAME, best=BEST, games=games)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def measure(memory: bool):
    """Yield (what, figure, unit, target) one after the other."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    draw_many(rng, 1)
    yield "draws of the generator", 1e7 / best_time(lambda: draw_many(rng, 10_000_000)) / 1e6, "million/s", ""

    best = [BEST] * 4
    random_rate = decisions_per_second(["random"] * 4, 20_000)
    yield "random self-play, 4 seats, one core, no logs", random_rate / 1e6, "million decisions/s", ">= 8"
    best_rate = decisions_per_second(best, 5_000)
    yield f"{BEST} self-play, 4 seats, one core, no logs", best_rate / 1e6, "million decisions/s", ">= 1.5"
    yield f"{BEST} self-play, games", best_rate / 112, "games/s", ""

    games = 16_000
    engine = Engine(make_plan(GAME, best, games, 1))
    playing = best_time(lambda: engine.play_games(np.arange(games), keep=False), 3)
    logging = run_time(best, games, 1, None)
    yield f"{BEST}, all six tables, wall time of playing alone", logging / playing, "times", "<= 2"

    games = 64_000
    one, two = run_time(best, games, 1, None), run_time(best, games, 2, None)
    yield "two jobs against one, all tables", one / two, "times faster", ">= 1.8"
    one, two = run_time(best, games, 1, ["seats"]), run_time(best, games, 2, ["seats"])
    yield "two jobs against one, results only", one / two, "times faster", ">= 1.8"

    with tempfile.TemporaryDirectory() as folder:
        run = simulate(GAME, best, games=8_000, seed=1, out=Path(folder) / "r")
        for table, rows in (("moves", 112 * 8_000), ("scores", None)):
            files = [f for p in run.parts() for name, f in p["files"].items() if name.startswith(table)]
            size = sum(f["bytes"] for f in files) / (rows or sum(f["rows"] for f in files))
            yield f"size of a row of {table}", size, "bytes", ""

    with tempfile.TemporaryDirectory() as cache:
        cold = command_time(["-c", FIRST_GAME], 1, **{CACHE_VARIABLE: cache})
        yield "first use: start to first game, compiling", cold, "s", "<= 15"
        yield "later: start to first game", command_time(["-c", FIRST_GAME], 5, **{CACHE_VARIABLE: cache}), "s", "<= 1"
    yield "--help", command_time(["-m", "meeplecarlo", "--help"]), "s", "<= 0.4"

    if memory:
        small, large = peak_memory(100_000), peak_memory(1_000_000)
        yield "peak memory, 100,000 games, all tables, two jobs", small, "MiB", ""
        yield "peak memory, 1,000,000 games", large, "MiB", ""
        yield "ratio of the two", large / small, "times", "<= 1.2"


def main() -> None:
    """Print the table; write it as JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memory", action="store_true", help="also measure peak memory of long runs")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    arguments = parser.parse_args()
    rows = []
    for what, figure, unit, target in measure(arguments.memory):
        print(f"{what:<52} {figure:10.3g} {unit:<20} {target}", flush=True)
        rows.append({"what": what, "figure": figure, "unit": unit, "target": target})
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
