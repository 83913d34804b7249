"""``python -m meeplecarlo``: the command line."""

from meeplecarlo.cli import main

if __name__ == "__main__":
    main(prog_name="meeplecarlo")
