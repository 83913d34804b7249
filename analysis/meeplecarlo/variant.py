"""From what a user says (``--set winter_base=2 --boards my.csv``) to checked option values and component texts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

from meeplecarlo.errors import ComponentError, UsageError, did_you_mean
from meeplecarlo.registry import Component, Game, Option, get_game

MAX_COMPONENT_BYTES = 1_000_000


@dataclass(frozen=True)
class Variant:
    """The rules of one run, as plain values that can be written down, sent to a worker and compared.

    Attributes
    ----------
    game : str
    options : tuple of (name, value)
        Every option of the game, defaults included.
    components : tuple of (name, file name, text)
        Every component file, as it was read.
    """

    game: str
    options: tuple[tuple[str, int | str | tuple[int, ...]], ...]
    components: tuple[tuple[str, str, str], ...]

    def make_rules(self, n_seats: int):
        """Return the RULES record of this variant, shape (1,)."""
        files = {name: (file, text) for name, file, text in self.components}
        return get_game(self.game).module("variant").make_rules(n_seats, dict(self.options), files)

    @cached_property
    def changes(self) -> dict[str, str]:
        """What differs from the box: option or component name to its value as text."""
        game = get_game(self.game)
        changed = {name: format_value(value) for name, value in self.options if value != game.option(name).default}
        for name, file, text in self.components:
            component = game.component(name)
            if text != _read_shipped(game, component, component.shipped[0])[1]:
                changed[name] = file
        return changed

    @property
    def rules_hash(self) -> str:
        """Hash of all options and components (12 hex digits): equal rules, equal hash."""
        content = repr((self.game, self.options, [(name, text) for name, _, text in self.components]))
        return hashlib.sha256(content.encode()).hexdigest()[:12]


def make_variant(game: Game, options: dict | None = None, components: dict | None = None) -> Variant:
    """Return the variant of `game` with some options and component files replaced.

    Parameters
    ----------
    options : dict, optional
        Option name to its value, as text or as a Python value.
    components : dict, optional
        Component name to a path, or to the name of a shipped file with or without its suffix.

    Raises
    ------
    UsageError
        For an unknown option or component, or a value out of its range.
    ComponentError
        For a file that cannot be read.
    """
    values = {option.name: option.default for option in game.options}
    for name, value in (options or {}).items():
        values[game.option(name).name] = parse_value(game.option(name), value)
    files = {component.name: _read_shipped(game, component, component.shipped[0]) for component in game.components}
    for name, path in (components or {}).items():
        files[name] = _read_component(game, game.component(name), str(path))
    return Variant(game.name, tuple(values.items()), tuple((name, file, text) for name, (file, text) in files.items()))


def parse_value(option: Option, value: object) -> int | str | tuple[int, ...]:
    """Return a value of `option` from text or from a Python value; raise `UsageError` if it is none."""
    if option.choices:
        text = str(value).strip().lower()
        if text not in option.choices:
            guess = did_you_mean(text, option.choices)
            raise UsageError(f"{option.name} must be one of {', '.join(option.choices)}, got {str(value)!r}{guess}.")
        return text
    if isinstance(option.default, tuple):
        parts = value.split(",") if isinstance(value, str) else value
        length = len(option.default)
        if not isinstance(parts, list | tuple) or len(parts) != length:
            raise UsageError(
                f"{option.name} takes {length} numbers separated by commas, such as "
                f"{format_value(option.default)}, got {value!r}."
            )
        return tuple(_parse_number(option, part) for part in parts)
    return _parse_number(option, value)


def _parse_number(option: Option, value: object) -> int:
    try:
        number = int(str(value).strip())
    except ValueError:
        number = None
    if number is None or not option.low <= number <= option.high:
        raise UsageError(
            f"{option.name} must be a whole number from {option.low} to {option.high}, got {str(value)!r}."
        )
    return number


def format_value(value: int | str | tuple[int, ...]) -> str:
    """Return an option's value as ``--set`` takes it.

    >>> format_value((3, 8, 15))
    '3,8,15'
    """
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def components_folder(game: Game, component: Component) -> Path:
    """Return the folder with the shipped files of a component."""
    return Path(import_module(component.package or game.package).__file__).parent / "components"


def _read_shipped(game: Game, component: Component, file: str) -> tuple[str, str]:
    """Return the name and text of a shipped component file."""
    return file, (components_folder(game, component) / file).read_text(encoding="utf-8")


def _read_component(game: Game, component: Component, path: str) -> tuple[str, str]:
    """Return the name and text of a component file given by path or by a shipped name."""
    file = Path(path)
    if not file.exists():
        shipped = {name: name for name in component.shipped} | {Path(name).stem: name for name in component.shipped}
        if path in shipped:
            return _read_shipped(game, component, shipped[path])
        guess = did_you_mean(path, shipped)
        raise ComponentError(
            f"{component.name}: there is no file {path!r}{guess}; the shipped ones are {', '.join(component.shipped)}."
        )
    try:
        if file.stat().st_size > MAX_COMPONENT_BYTES:
            raise ComponentError(f"{path}: larger than {MAX_COMPONENT_BYTES} bytes, so not a component file.")
        return file.name, file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ComponentError(f"{path}: not a text file in UTF-8; save it as CSV (UTF-8).") from None
    except OSError as error:
        raise ComponentError(f"{path}: cannot be read ({error.strerror}).") from None
