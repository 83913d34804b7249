"""Studies: runs that answer a question."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from meeplecarlo.cli.group import main
from meeplecarlo.cli.options import Count, GameCommand, settings_of


@main.command(cls=GameCommand)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="A B [C...]")
@click.option(
    "--until",
    default="games=10000",
    show_default=True,
    metavar="RULE",
    help="games=N; ci=1pp: every win share is known to that; sprt=2pp: a lead of A over parity is told from none.",
)
@click.option("--seats", type=int, help="Seats; default: the fewest that the players can share evenly.")
@click.option("--margin", metavar="SIZE", help="Smaller differences do not matter.  [default: 2pp]")
@click.option("--max-games", type=Count(), default=1_000_000, show_default=True, help="Where ci and sprt give up.")
@click.option("--seed", type=Count(), help="0 to 2^64 - 1; drawn and recorded when left out.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Parts played at once; -1: one a core.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a rule option; may be repeated.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder; default: results/compare-GAME-SEED.")
@click.option("--overwrite", is_flag=True, help="Replace a comparison that is in the folder.")
@click.option("--resume", is_flag=True, help="Go on with a stopped comparison, or to more precision.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="No live line.")
def compare(
    game, players, until, seats, margin, max_games, seed, jobs, settings, out, overwrite, resume, as_json, quiet,
    **files,
):  # fmt: skip
    """Tell which of two or more players of GAME is better, and by how much.

    \b
    meeplecarlo compare fujiyama harvester spiteful --until ci=1pp
    meeplecarlo compare fujiyama steady "steady(spite=1)" --seats 4 --until sprt=2pp
    """
    import secrets

    from meeplecarlo.studies.present import compare_and_report

    if seed is None and out is None:
        seed = secrets.randbits(53)  # it names the folder
    show = None if quiet or as_json else lambda line: click.echo(line, err=True)
    answer = compare_and_report(
        game,
        list(players),
        until=until,
        seats=seats,
        margin=margin,
        max_games=max_games,
        seed=seed,
        jobs=jobs,
        options=settings_of(settings),
        components={name: file for name, file in files.items() if file},
        out=out or Path("results") / f"compare-{game}-{seed}",
        overwrite=overwrite,
        resume=resume,
        quiet=quiet or as_json,
        command=["meeplecarlo", *sys.argv[1:]],
        show=show,
    )
    for line in [answer.json] if as_json else answer.lines:
        click.echo(line)
