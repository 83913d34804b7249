"""``python -m meeplecarlo``: the command line."""

from meeplecarlo.cli import main

main(prog_name="meeplecarlo")
