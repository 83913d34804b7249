"""What there is: games, their players and their rules."""

from __future__ import annotations

from pathlib import Path

import click

from meeplecarlo.cli.group import main
from meeplecarlo.cli.options import echo_table


@main.command()
def games() -> None:
    """List the games."""
    from meeplecarlo.registry import list_games

    echo_table([(g.name, f"{g.seats_in_words('-')} seats", g.summary) for g in list_games()])
    click.echo("\nNext: meeplecarlo players GAME, meeplecarlo rules GAME")


@main.command()
@click.argument("game")
@click.option("--weights", is_flag=True, help="Also list every weight with its default and meaning.")
def players(game: str, weights: bool) -> None:
    """List the players of GAME, and what can be set on them."""
    from meeplecarlo.registry import get_game
    from meeplecarlo.simulation.design import SEARCH_SUMMARY

    entry = get_game(game)
    rows = [(p.name, p.summary) for p in entry.players.values()]
    echo_table([*rows, ("search(BASE,sims=N)", SEARCH_SUMMARY)])
    tuned = [p for p in entry.players.values() if p.weights]
    if not tuned:
        return
    example = tuned[-1]
    if weights:
        for player in tuned:
            click.echo(f"\n{player.name}:")
            echo_table([(w.name, f"{w.default:g}", w.meaning) for w in player.weights])
    first = example.weights[0]
    click.echo(f"\nSet weights in the spec, as in {example.name}({first.name}={first.default * 2:g}); "
               f"--weights lists them all.")  # fmt: skip


@main.command()
@click.argument("game")
@click.option("--full", is_flag=True, help="Print the numbered rules with their marks.")
def rules(game: str, full: bool) -> None:
    """List every rule option of GAME: default, mark (printed, public, derived, assumed) and meaning."""
    from meeplecarlo.registry import get_game
    from meeplecarlo.variant import components_folder, format_value

    entry = get_game(game)
    if full:
        click.echo(Path(entry.module("state").__file__).with_name("RULES.md").read_text(encoding="utf-8"))
        return
    click.echo(f"{entry.title}, {entry.seats_in_words(' to ')} seats, rules version {entry.rules_version}.")
    click.echo("\nOptions (--set NAME=VALUE):")
    echo_table(
        [
            (
                o.name,
                format_value(o.default),
                o.mark,
                o.meaning + (f"; one of {', '.join(o.choices)}" if o.choices else ""),
            )
            for o in entry.options
        ]
    )
    if entry.components:
        click.echo("\nComponents (--NAME FILE, or one of the shipped files):")
        echo_table([(c.name, ", ".join(c.shipped), c.mark, c.meaning) for c in entry.components])
        click.echo("\nTo change one, copy it, edit it in a spreadsheet, and pass the copy:")
        for component in entry.components:
            click.echo(f"  {components_folder(entry, component) / component.shipped[0]}")
    click.echo("\nprinted: in the rulebook. public: in a review. derived: forced by counting. assumed: our guess, "
               "correct it if you own the box.\nAll clauses: "
               f"meeplecarlo rules {entry.name} --full")  # fmt: skip
