"""The few errors meeplecarlo raises on purpose, and the exit code each one has on the command line.

Every message is one sentence that says the rule, the value seen and the choices.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MeeplecarloError(Exception):
    """Base of all errors a user can cause or must know about. Exit code 1."""

    exit_code = 1


class UsageError(MeeplecarloError, ValueError):
    """A name, number or combination of them that the toolkit cannot work with. Exit code 2."""

    exit_code = 2


class ComponentError(MeeplecarloError, ValueError):
    """A component file (tiles, boards, ...) that is malformed or inconsistent. Exit code 3."""

    exit_code = 3


class StoreError(MeeplecarloError, OSError):
    """A run folder that cannot be written or read. Exit code 4."""

    exit_code = 4


class SchemaError(StoreError):
    """A run folder of another format version, or something that is no run folder. Exit code 4."""


class PlayerError(MeeplecarloError, RuntimeError):
    """A player that broke the protocol, with the game and ply at which it did. Exit code 5."""

    exit_code = 5


class Interrupted(MeeplecarloError):
    """The run was stopped by the user; what was finished is kept. Exit code 130."""

    exit_code = 130


def did_you_mean(value: str, choices: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest choice, or an empty string if none is near."""
    near = difflib.get_close_matches(str(value).lower(), list(choices), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def unknown(kind: str, value: str, choices: Iterable[str]) -> str:
    """Return the sentence for a name that is not among `choices`.

    >>> unknown("game", "fujiyma", ["fujiyama", "momiji"])
    "unknown game 'fujiyma'; did you mean 'fujiyama'? Choose from: fujiyama, momiji."
    """
    names = list(choices)
    guess = did_you_mean(value, names) or "."
    return f"unknown {kind} {value!r}{guess} Choose from: {', '.join(names)}."
