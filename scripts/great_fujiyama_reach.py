"""How many stations do teams of Great Fujiyama complete, by number of seats, reading of turning, talk and player?

python scripts/great_fujiyama_reach.py [--player planner] [--games 20000] [--seats 1,2,3,4,5] [--out results/reach]

Plays the player and `random` on the same deals under both readings of turning and both limits of table talk, prints
one Markdown table (shares in per cent with 95 % intervals over deals) and writes it as CSV with a page that compares
all runs. Runs that are in the folder already are kept if they are the same.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

import polars as pl

import meeplecarlo as mc
from meeplecarlo.errors import MeeplecarloError, UsageError
from meeplecarlo.games.great_fujiyama.report.charts import decimals_of
from meeplecarlo.games.great_fujiyama.report.tables import reach
from meeplecarlo.report.formats import format_estimate, format_number
from meeplecarlo.report.page import write_report
from meeplecarlo.report.tables import shared_result

GAME = "great-fujiyama"
STATIONS = 10


def study(player: str, games: int, seats: list[int], out: Path, jobs: int, seed: int) -> list:
    """Play all runs of the study and return them; a run of one seat has nobody to talk to."""
    runs = []
    for who, n, turn, talk in itertools.product(
        dict.fromkeys([player, "random"]), seats, ("none", "thirds"), ("none", "open")
    ):
        if n == 1 and talk == "open":
            continue
        name = f"{''.join(c if c.isalnum() else '-' for c in who)}-{n}-turn-{turn}-talk-{talk}"
        print(f"{name}: {games:,} games", file=sys.stderr, flush=True)
        runs.append(
            mc.simulate(
                GAME,
                [who] * n,
                games=games,
                seed=seed,
                jobs=jobs,
                options={"turn": turn, "talk": talk},
                out=out / "runs" / name,
                tables=["games", "seats"],
                resume=True,
                progress=sys.stderr.isatty(),
            )
        )
    return runs


def row_of(run) -> list[dict]:
    """Return the mean stations and reach rates of a run, a row a measure."""
    options = run.manifest["game"]["options"]
    labels = {"seats": run.n_seats, "turn": options["turn"], "talk": options["talk"], "player": run.lineup[0]}
    mean = shared_result(run).row(0, named=True)
    rates = reach(run).to_dicts()
    rows = [labels | {"measure": "mean"} | mean]
    rows += [labels | {"measure": f"at least {r['station']}"} | r for r in rates]
    return [{k: v for k, v in row.items() if k != "station"} for row in rows]


def cell(row: dict) -> str:
    """Return a rate in per cent with its interval, or the bound on what never happened."""
    if row["estimate"] == 0 and row["hi"] is not None:
        return f"0 (at most {format_number(100 * row['hi'], decimals_of(row['hi']))})"
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100)


def markdown(rows: list[list[dict]]) -> str:
    """Return the table of the study."""
    head = ["seats", "turn", "talk", "player", "mean stations", *(f"≥ {s}, %" for s in range(1, STATIONS + 1))]
    lines = [head, ["---"] * len(head)]
    for mean, *rates in rows:
        labels = [str(mean["seats"]), mean["turn"], mean["talk"] if mean["seats"] > 1 else "–", f"`{mean['player']}`"]
        numbers = format_estimate(mean["estimate"], mean["lo"], mean["hi"], mean["se"])
        lines.append([*labels, numbers, *(cell(r) for r in rates)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(words: list[str] | None = None) -> int:
    """Play, print and write the study; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="planner", help="a player spec; default planner")
    parser.add_argument("--games", type=int, default=20_000, help="games, and deals, of each run")
    parser.add_argument("--seats", default="1,2,3,4,5", help="numbers of seats; default 1,2,3,4,5")
    parser.add_argument("--out", type=Path, default=Path("results/reach"), help="folder; default results/reach")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    try:
        try:
            seats = [int(n) for n in arguments.seats.split(",")]
        except ValueError:
            raise UsageError(f"--seats is numbers with commas between them, got {arguments.seats!r}.") from None
        runs = study(arguments.player, arguments.games, seats, arguments.out, arguments.jobs, arguments.seed)
        rows = [row_of(run) for run in runs]
        pl.DataFrame([row for of in rows for row in of], infer_schema_length=None).write_csv(
            arguments.out / "reach.csv"
        )
        print(markdown(rows), flush=True)
        page = write_report(runs, arguments.out / "report", each=False)
    except MeeplecarloError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(f"\n{arguments.games:,} deals each, seed {arguments.seed}; pointwise 95 % Wilson intervals over deals, t for "
          f"the mean.\nTable: {arguments.out / 'reach.csv'}. Page: {page}", file=sys.stderr)  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
