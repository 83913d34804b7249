"""Runs: playing, reporting and replaying them."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import click

from meeplecarlo.cli.group import main
from meeplecarlo.cli.options import Count, GameCommand, settings_of


@main.command(cls=GameCommand)
@click.argument("game")
@click.option("--players", required=True, metavar="A,B,...", help="A player spec for every seat.")
@click.option("--games", "n_games", type=Count(), default=10_000, show_default=True, help="Games to play.")
@click.option("--seed", type=Count(), help="0 to 2^64 - 1; drawn and recorded when left out.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Parts played at once; -1: one a core.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a rule option; may be repeated.")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder; default: results/GAME-SEED.")
@click.option("--overwrite", is_flag=True, help="Replace a run that is in the folder.")
@click.option("--resume", is_flag=True, help="Go on with a stopped run, or with more games.")
@click.option("--no-moves", is_flag=True, help="Leave out the moves table.")
@click.option("--tables", metavar="A,B,...", help="Keep only these tables (games and seats always are).")
@click.option("--part-deals", type=Count(), help="Deals per part file.")
@click.option("--backend", default="threading", show_default=True, help="joblib backend: threading or loky.")
@click.option("--quiet", is_flag=True, help="No progress bar and no summary.")
def simulate(
    game, players, n_games, seed, jobs, settings, out, overwrite, resume, no_moves, tables, part_deals, backend, quiet,
    **files,
):  # fmt: skip
    """Play GAME many times and write a run folder.

    \b
    meeplecarlo simulate fujiyama --players harvester,random,random --games 1e5 --seed 1 --jobs 2
    """
    import secrets
    import time

    from meeplecarlo.simulation.run import simulate as run_games
    from meeplecarlo.store.schema import TABLES

    if seed is None and out is None:
        seed = secrets.randbits(53)  # it names the folder
    kept = [t.strip() for t in tables.split(",")] if tables else list(TABLES)
    started = time.perf_counter()
    run = run_games(
        game,
        players,
        games=n_games,
        seed=seed,
        jobs=jobs,
        options=settings_of(settings),
        components={name: file for name, file in files.items() if file},
        out=out or Path("results") / f"{game}-{seed}",
        tables=[t for t in kept if not (no_moves and t == "moves")],
        part_deals=part_deals,
        overwrite=overwrite,
        resume=resume,
        progress=not quiet and sys.stderr.isatty(),
        quiet=quiet,
        backend=backend,
        command=["meeplecarlo", *sys.argv[1:]],
    )
    if not quiet:
        seconds = time.perf_counter() - started
        seed = run.manifest["seed"]
        click.echo(f"{run.n_games:,} games of {run.game.title} in {seconds:.1f} s, seed {seed}, in {run.path}")
        click.echo(f"Next: meeplecarlo report {run.path}")


@main.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the report; default: RUN/report.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
def report(runs: tuple[Path, ...], out: Path | None, open_page: bool) -> None:
    """Turn one or more RUNS of a game into a page with charts and tables."""
    from meeplecarlo.report.page import write_report
    from meeplecarlo.store.dataset import open_run, reading

    with reading(Path(", ".join(map(str, runs)))):
        page = write_report([open_run(run) for run in runs], out)
    click.echo(f"Report: {page}")
    if open_page:
        webbrowser.open(page.resolve().as_uri())


@main.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("number", metavar="GAME", type=Count())
@click.option("--picture", type=click.Path(path_type=Path), help="Also draw the final position into this PNG or SVG.")
def replay(run: Path, number: int, picture: Path | None) -> None:
    """Print GAME of RUN move by move, replayed from its seed."""
    from meeplecarlo.simulation.replay import replay_game
    from meeplecarlo.store.dataset import open_run, reading

    with reading(run):
        game = replay_game(open_run(run), number)
    for line in game.lines():
        click.echo(line)
    if picture:
        game.save_picture(picture)
        click.echo(f"Picture: {picture}")


@main.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/demo"), show_default=True)
@click.option(
    "--games", "n_games", type=Count(), default=4_000, show_default=True, help="Games on each kind of boards."
)
@click.option("--seed", type=Count(), default=1, show_default=True)
@click.option("--jobs", type=int, default=-1, show_default=True, help="-1: one a core.")
def demo(out: Path, n_games: int, seed: int, jobs: int) -> None:
    """A small real study of Fujiyama: simulate, report, and where to look next."""
    from meeplecarlo.demo import run_demo

    for line in run_demo(out, n_games, seed, jobs, progress=sys.stderr.isatty()):
        click.echo(line)
