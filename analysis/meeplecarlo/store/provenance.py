"""Where a run comes from: everything needed to know, repeat and trust it, as one JSON document."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from meeplecarlo.compiled import sources_hash
from meeplecarlo.registry import Game
from meeplecarlo.store.schema import FORMAT, VERSION
from meeplecarlo.variant import Variant

PACKAGES = ("meeplecarlo", "numba", "numpy", "polars", "joblib")


def package_version(name: str) -> str:
    """Return the installed version of a package, or ``"not installed"``."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def describe(
    game: Game, variant: Variant, lineup, design, seed: int, settings: dict, command: list[str] | None = None
) -> dict:
    """Return the provenance of a run before it starts.

    Parameters
    ----------
    lineup : sequence of PlayerSpec
    design : Design
    seed : int
        Recorded also when it was drawn.
    settings : dict
        Whatever else decides which bytes are written (part size, tables).
    command : list of str, optional
        Words of the command that started the run; None if it was started from Python.
    """
    return {
        "format": {"name": FORMAT, "version": list(VERSION)},
        "complete": False,
        "game": {
            "name": game.name,
            "rules_version": game.rules_version,
            "rules_hash": variant.rules_hash,
            "options": dict(variant.options),
            "components": {name: {"file": file, "text": text} for name, file, text in variant.components},
            "changes": variant.changes,
        },
        "players": [
            {"label": s.label, "player": s.player, "weights": dict(s.weights), "simulations": s.simulations}
            for s in lineup
        ],
        "design": {
            "games": design.n_games,
            "seats": design.n_seats,
            "seatings": design.seatings,
            "deals": design.n_deals,
            "complete_deals": design.complete_deals,
        },
        "seed": seed,
        "settings": settings,
        "software": {name: package_version(name) for name in PACKAGES} | {"sources": sources_hash()},
        "environment": {
            "python": platform.python_version(),
            "platform": platform.platform(),
            "cpus": os.cpu_count(),
        },
        "command": command,
    }


# What must be equal for two runs to be the same run, so that one can go on where the other stopped.
IDENTITY = ("format", "game", "players", "design", "seed", "settings", "software")


def difference(old: dict, new: dict) -> str | None:
    """Return the first part of the identity in which two provenances differ, or None if one can go on from the other.

    More games of the same design are no difference: the first ones are the same games.
    """
    for key in IDENTITY:
        if _plain(old.get(key)) != _plain(new.get(key)) and not (key == "design" and extends(old, new)):
            return key
    return None


def extends(old: dict, new: dict) -> bool:
    """Return whether the new design is the old one with more games."""
    before, after = old["design"], new["design"]
    return after["games"] > before["games"] and all(before[k] == after[k] for k in ("seats", "seatings"))


def _plain(value):
    """Make tuples lists, as JSON does."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value
