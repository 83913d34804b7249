"""The command line: each command parses, makes one call, and prints.

Heavy modules are imported inside the commands: ``meeplecarlo --help`` must answer at once.

Exit codes: 0 done, 1 other errors of the toolkit, 2 wrong usage, 3 component file, 4 run folder or disk,
5 a player broke the protocol, 130 stopped with Ctrl-C.
"""

from meeplecarlo.cli import catalogue, runs, studies  # noqa: F401  (each adds its commands to the group)
from meeplecarlo.cli.group import main

__all__ = ["main"]
