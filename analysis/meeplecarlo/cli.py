"""The command line: each command parses, makes one call, and prints.

Heavy modules are imported inside the commands: ``meeplecarlo --help`` must answer at once.

Exit codes: 0 done, 1 other errors of the toolkit, 2 wrong usage, 3 component file, 4 run folder or disk,
5 a player broke the protocol, 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import re
import sys
import webbrowser
from pathlib import Path

import click

from meeplecarlo.errors import Interrupted, MeeplecarloError, UsageError


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


class Group(click.Group):
    """A command group that turns the toolkit's errors into one sentence and an exit code."""

    def get_command(self, ctx, name):
        command = super().get_command(ctx, name)
        if command is None and not name.startswith("-"):
            from meeplecarlo.errors import unknown

            ctx.fail(unknown("command", name, self.list_commands(ctx)))
        return command

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except MeeplecarloError as error:
            prefix = "Stopped" if isinstance(error, Interrupted) else "Error"
            click.echo(f"{prefix}: {error}", err=True)
            ctx.exit(error.exit_code)
        except MemoryError:
            click.echo("Error: this needs more memory than there is; play fewer deals a part (--part-deals).", err=True)
            ctx.exit(MeeplecarloError.exit_code)
        except KeyboardInterrupt:
            click.echo("Stopped.", err=True)
            ctx.exit(Interrupted.exit_code)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="meeplecarlo", message="%(prog)s %(version)s")
def main() -> None:
    """Monte Carlo strategy analysis for tabletop games.

    Simulate seeded games of scripted players, keep every move and score as Parquet, and report with honest
    intervals. Start with:  meeplecarlo demo

    Exit codes: 0 done, 2 wrong usage, 3 component file, 4 run folder or disk, 5 a player broke the protocol,
    130 stopped with Ctrl-C, 1 anything else.
    """


def _table(rows: list[tuple[str, ...]], indent: str = "  ") -> None:
    """Print rows as aligned columns, wrapping the last one."""
    import textwrap

    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    left = len(indent) + sum(widths) + 2 * len(widths)
    for row in rows:
        head = indent + "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        text = textwrap.wrap(row[-1], max(30, 100 - left)) or [""]
        click.echo((head + text[0]).rstrip())
        for line in text[1:]:
            click.echo(" " * left + line)


@main.command()
def games() -> None:
    """List the games."""
    from meeplecarlo.registry import list_games

    _table([(g.name, f"{g.seats_in_words('-')} seats", g.summary) for g in list_games()])
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
    _table([*rows, ("search(BASE,sims=N)", SEARCH_SUMMARY)])
    tuned = [p for p in entry.players.values() if p.weights]
    if not tuned:
        return
    example = tuned[-1]
    if weights:
        for player in tuned:
            click.echo(f"\n{player.name}:")
            _table([(w.name, f"{w.default:g}", w.meaning) for w in player.weights])
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
    _table(
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
        _table([(c.name, ", ".join(c.shipped), c.mark, c.meaning) for c in entry.components])
        click.echo("\nTo change one, copy it, edit it in a spreadsheet, and pass the copy:")
        for component in entry.components:
            click.echo(f"  {components_folder(entry, component) / component.shipped[0]}")
    click.echo("\nprinted: in the rulebook. public: in a review. derived: forced by counting. assumed: our guess, "
               "correct it if you own the box.\nAll clauses: "
               f"meeplecarlo rules {entry.name} --full")  # fmt: skip


def _settings(pairs: tuple[str, ...]) -> dict[str, str]:
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"write --set NAME=VALUE, got {pair!r}.")
        options[name.strip()] = value.strip()
    return options


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
        options=_settings(settings),
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
        options=_settings(settings),
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


if __name__ == "__main__":
    main(prog_name="meeplecarlo")
