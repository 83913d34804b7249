"""What several commands share: kinds of values, options of component files, and aligned output."""

from __future__ import annotations

import re
import textwrap

import click

from meeplecarlo.errors import UsageError


class Count(click.ParamType):
    """A whole number that may be written as 100000, 10_000, 1e5 or 2.5e6."""

    name = "number"

    def convert(self, value, param, ctx):
        if isinstance(value, int):
            return value
        grouped = re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+", value)
        text = value.replace("_", "").replace(",", "" if grouped else ",")
        try:
            number = int(text)
        except ValueError:
            try:
                number = int(float(text)) if float(text).is_integer() and abs(float(text)) < 2**53 else None
            except (ValueError, OverflowError):
                number = None
        if number is None:
            self.fail(f"{value!r} is not a whole number; write it as 100000, 10_000 or 1e5.", param, ctx)
        return number


class GameCommand(click.Command):
    """A command with an option for every kind of component file that any known game has, passed on by name."""

    def get_params(self, ctx):
        """Return the parameters, those of component files behind the others."""
        from meeplecarlo.registry import list_games

        users: dict[str, list[str]] = {}
        for game in list_games():
            for component in game.components:
                users.setdefault(component.name, []).append(game.name)
        files = [
            click.Option([f"--{name}"], metavar="FILE", help=f"Component file, or a shipped one ({', '.join(games)}).")
            for name, games in users.items()
        ]
        *others, help_option = super().get_params(ctx)
        return [*others, *files, help_option]


def settings_of(pairs: tuple[str, ...]) -> dict[str, str]:
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"write --set NAME=VALUE, got {pair!r}.")
        options[name.strip()] = value.strip()
    return options


def echo_table(rows: list[tuple[str, ...]], indent: str = "  ") -> None:
    """Print rows as aligned columns, wrapping the last one."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    left = len(indent) + sum(widths) + 2 * len(widths)
    for row in rows:
        head = indent + "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        text = textwrap.wrap(row[-1], max(30, 100 - left)) or [""]
        click.echo((head + text[0]).rstrip())
        for line in text[1:]:
            click.echo(" " * left + line)
