"""Settings and fixtures shared by all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# Failures must be repeatable and no test may depend on how fast the machine is.
settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
# HYPOTHESIS_PROFILE=search looks for new examples, with fresh randomness and many more of them.
settings.register_profile("search", settings.get_profile("ci"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def engine_of():
    """Return a function that returns the engine of a line-up; engines are kept for the session.

    ``engine_of("fujiyama", ["steady", "random"], games=10, seed=1, options={...})``
    """
    from meeplecarlo.simulation.engine import Engine
    from meeplecarlo.simulation.plan import make_plan

    engines = {}

    def build(game: str, players: list[str], games: int = 1, seed: int = 1, options: dict | None = None):
        key = (game, tuple(players), games, seed, tuple(sorted((options or {}).items())))
        if key not in engines:
            engines[key] = Engine(make_plan(game, players, games, seed, options=options))
        return engines[key]

    return build
