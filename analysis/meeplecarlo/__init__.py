"""meeplecarlo: Monte Carlo strategy analysis for tabletop games.

>>> import meeplecarlo as mc
>>> run = mc.simulate("fujiyama", players=["steady", "random"], games=100, seed=1)
>>> run.seats.collect().height
200
"""

from importlib import import_module

_PUBLIC = {
    "simulate": "meeplecarlo.simulation.run",
    "open_run": "meeplecarlo.store.dataset",
    "Run": "meeplecarlo.store.dataset",
    "get_game": "meeplecarlo.registry",
    "list_games": "meeplecarlo.registry",
    "MeeplecarloError": "meeplecarlo.errors",
}
__all__ = sorted(_PUBLIC)


def __getattr__(name: str):
    # Imported on first use: the command line must answer --help without loading numba and polars.
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'meeplecarlo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
