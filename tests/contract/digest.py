"""Plays games and prints digests of what came out, so that processes can be compared (``python -m``).

The argument is a JSON list of jobs ``[game, line-up, number of games, seed, options, cap on decisions or null]``. The
result is ``{"digests": [...], "compiled": number of functions that were compiled instead of found in the cache}``.
With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import secrets
import sys
import time
from contextlib import contextmanager
from unittest import mock

import numpy as np

RECORDS = ("decisions", "lines", "line_games", "rounds", "outcomes", "standings")


@contextmanager
def no_clock_and_no_entropy():
    """Let every way to the clock or to randomness other than the keyed streams raise."""
    names = [
        (time, ("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic")),
        (os, ("urandom",)),
        (random, ("random", "randint", "randrange", "choice", "shuffle", "getrandbits")),
        (secrets, ("randbits", "token_bytes")),
        (np.random, ("default_rng", "random", "rand", "randint", "choice", "shuffle", "seed")),
    ]
    patches = [
        mock.patch.object(module, name, side_effect=AssertionError(f"{module.__name__}.{name} was used"))
        for module, functions in names
        for name in functions
    ]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()


def engine_of(game: str, lineup: list[str], games: int, seed: int, options: dict, cap: int | None):
    """Return the engine of a job."""
    from meeplecarlo.simulation.engine import Engine
    from meeplecarlo.simulation.plan import make_plan

    engine = Engine(make_plan(game, lineup, games, seed, options=options))
    if cap is not None:
        engine.max_decisions = cap
    return engine


def content(records: np.ndarray) -> bytes:
    """Return the values of records without the padding between them."""
    return b"".join(np.ascontiguousarray(records[name]).tobytes() for name in records.dtype.names or ())


def digest(played: dict) -> str:
    """Return a hash of everything that was recorded."""
    total = hashlib.sha256()
    for name in RECORDS:
        records = played[name]
        total.update(f"{name} {records.shape}".encode())
        total.update(content(records) if records.dtype.names else records.tobytes())
    return total.hexdigest()


def run_jobs(jobs: list) -> list[str]:
    """Return the digest of each job."""
    results = []
    for game, lineup, games, seed, options, cap in jobs:
        engine = engine_of(game, lineup, games, seed, options, cap)
        with no_clock_and_no_entropy():
            played = engine.play_games(np.arange(games, dtype=np.int64), keep=True)
        results.append(digest(played))
    return results


def compiled_functions(games: set[str]) -> int:
    """Return how many of the protocol functions, players and kernels had to be compiled in this process."""
    from meeplecarlo.registry import get_game

    functions = [f for game in games for f in get_game(game)._compiled.values() if hasattr(f, "stats")]
    return sum(sum(f.stats.cache_misses.values()) for f in functions)


if __name__ == "__main__":
    np.seterr(over="ignore")  # the streams' arithmetic wraps around on purpose; numpy scalars warn about it
    todo = json.loads(sys.argv[1])
    print(json.dumps({"digests": run_jobs(todo), "compiled": compiled_functions({job[0] for job in todo})}))
