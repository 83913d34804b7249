"""Small runs to report on, each played once for the whole session."""

from __future__ import annotations

import pytest

from meeplecarlo.simulation.run import simulate

PLAYERS = ["steady", "random", "steady(summer=2)", "steady(animals=2,winter=0.5)"]


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Return a function that plays a run, or returns the one it played before."""
    runs = {}
    folder = tmp_path_factory.mktemp("runs")

    def play(players, games, seed=1, **more):
        key = repr((players, games, seed, sorted(more.items())))
        if key not in runs:
            runs[key] = simulate(
                "fujiyama", list(players), games=games, seed=seed, out=folder / f"r{len(runs)}", **more
            )
        return runs[key]

    return play


@pytest.fixture(scope="session")
def run(played):
    """A run of four different players with all tables; the last deal is not complete."""
    return played(PLAYERS, 402)
