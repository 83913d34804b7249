"""The command group: errors of the toolkit become one sentence and an exit code."""

from __future__ import annotations

import click

from meeplecarlo.errors import Interrupted, MeeplecarloError


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
