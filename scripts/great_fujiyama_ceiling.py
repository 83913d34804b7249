"""How far below the best possible play did the players of a Great Fujiyama run stay?

    python scripts/great_fujiyama_ceiling.py RUN [--deals N] [--positions CAP] [--out FILE.csv] [--json]

Solves the first deals of a run with the whole deck known to all seats, and compares with what the players of that run
reached on the same deals. This is a limit for studies, no player: it looks into the deck, and no honest team can pass
it. A deal that is not settled within the cap is reported as an interval from the best line of play found to the limit
proved, and counts as such in every figure.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time

import numpy as np
import polars as pl
from great_fujiyama.solve import Ceiling, solve

import meeplecarlo as mc
from meeplecarlo.errors import MeeplecarloError, UsageError
from meeplecarlo.games.season_tiles.icons import read_tiles
from meeplecarlo.report.formats import format_estimate
from meeplecarlo.stats.intervals import mean_interval, paired_difference, share_interval

__all__ = ["Ceiling", "main", "solve"]

GAME = "great-fujiyama"


def solve_run(run, n_deals: int | None, positions: int, tell=None) -> list[dict]:
    """Solve the first deals of a run.

    Parameters
    ----------
    run : meeplecarlo Run
    n_deals : int or None
        How many deals, from deal 0 on; all if None.
    positions : int
        Cap on the positions of a deal.
    tell : callable, optional
        Called with every row as soon as it is known.

    Returns
    -------
    list of dict
        One a deal: deal, lower, upper, positions, seconds, and the mean stations of the run's games on it.

    Raises
    ------
    UsageError
        If the run is of another game.
    StoreError
        If the run did not keep its deals.
    """
    if run.manifest["game"]["name"] != GAME:
        raise UsageError(f"{run.path} is a run of {run.game.title}; only deals of Great Fujiyama can be solved.")
    options = run.manifest["game"]["options"]
    tiles = run.manifest["game"]["components"]["tiles"]
    seasons = read_tiles(tiles["file"], tiles["text"]) // 256
    reached = run.games.group_by("deal").agg(pl.col("stations").cast(pl.Float64).mean().alias("players"))
    deals = run.deals.select("deal", "tiles").join(reached, on="deal").sort("deal").collect()
    rows = []
    for deal in deals.head(n_deals if n_deals is not None else deals.height).iter_rows(named=True):
        start = time.perf_counter()
        ceiling = solve(
            deal["tiles"],
            run.n_seats,
            options["turn"] == "thirds",
            options["width"],
            options["hand_size"],
            positions,
            seasons,
        )
        rows.append(
            {
                "deal": deal["deal"],
                "lower": ceiling.lower,
                "upper": ceiling.upper,
                "positions": ceiling.positions,
                "seconds": round(time.perf_counter() - start, 3),
                "players": deal["players"],
            }
        )
        if tell is not None:
            tell(rows[-1])
    return rows


def summary(run, rows: list[dict], positions: int) -> dict:
    """Return the figures of solved deals as plain values; intervals are over deals."""
    options = run.manifest["game"]["options"]
    lower, upper, players = (np.array([row[name] for row in rows], float) for name in ("lower", "upper", "players"))
    steps = range(1, options["width"] + 1)
    return {
        "run": str(run.path),
        "seats": run.n_seats,
        "turn": options["turn"],
        "width": options["width"],
        "hand_size": options["hand_size"],
        "players": run.lineup,
        "deals": len(rows),
        "cap": positions,
        "settled": float(np.mean(lower == upper)),
        "lower": _plain(mean_interval(lower)),
        "upper": _plain(mean_interval(upper)),
        "reach_lower": [_plain(share_interval(lower >= s, 1)) for s in steps],
        "reach_upper": [_plain(share_interval(upper >= s, 1)) for s in steps],
        "reached": _plain(mean_interval(players)),
        "difference_lower": _plain(paired_difference(lower, players)),
        "difference_upper": _plain(paired_difference(upper, players)),
        "positions": sum(row["positions"] for row in rows),
        "seconds_a_deal": sum(row["seconds"] for row in rows) / len(rows),
    }


def _plain(interval) -> dict:
    """Return an interval as JSON has it: null for what is not known."""
    values = {name: float(getattr(interval, name)) for name in ("estimate", "lo", "hi", "se")}
    return {name: value if np.isfinite(value) else None for name, value in values.items()}


def print_summary(figures: dict) -> None:
    """Print the figures as text."""
    exact = figures["settled"] == 1
    bounds = [("exact", "lower")] if exact else [("lower bound", "lower"), ("upper bound", "upper")]
    turning = "tiles turned by thirds" if figures["turn"] == "thirds" else "tiles never turned"
    print(f"Great Fujiyama, {figures['seats']} seats, {turning}, width {figures['width']}, hands of "
          f"{figures['hand_size']}; {figures['deals']:,} deals of {figures['run']}\n")  # fmt: skip
    print("What a team that knows the whole deck can complete (95 % intervals over deals):")
    for label, key in bounds:
        print(f"  mean stations, {label}: {format_estimate(**figures[key])}")
    print(f"  settled exactly within {figures['cap']:,} positions a deal: {100 * figures['settled']:.1f} % of deals")
    print("  P(at least s stations):")
    for s in range(figures["width"]):
        shares = [
            f"{label} {format_estimate(**figures[f'reach_{key}'][s], scale=100, unit=' %')}" for label, key in bounds
        ]
        print(f"    {s + 1:>2}: {'; '.join(shares)}")
    print(f"\nThe players ({', '.join(figures['players'])}) on the same deals: {format_estimate(**figures['reached'])}")
    for label, key in bounds:
        print(f"  they stay below it by, {label}: {format_estimate(**figures[f'difference_{key}'])}")
    print(f"\n{figures['positions']:,} positions, {figures['seconds_a_deal']:.2f} seconds a deal")


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", help="folder of a great-fujiyama run that kept its deals")
    parser.add_argument("--deals", type=int, help="solve the first N deals (default: all)")
    parser.add_argument("--positions", type=float, default=1e7, help="cap on the positions of a deal (default: 1e7)")
    parser.add_argument("--out", help="write a CSV file with a row a deal")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    if options.positions < 1 or (options.deals is not None and options.deals < 1):
        parser.error("--positions and --deals are 1 at least")
    positions = int(options.positions)

    def tell(row: dict) -> None:
        if sys.stderr.isatty():
            print(f"\rdeal {row['deal']}: {row['lower']} to {row['upper']}   ", end="", file=sys.stderr, flush=True)

    try:
        run = mc.open_run(options.run)
        rows = solve_run(run, options.deals, positions, tell)
    except MeeplecarloError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    if options.out:
        with open(options.out, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    figures = summary(run, rows, positions)
    if options.json:
        print(json.dumps(figures, indent=1))
    else:
        print_summary(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
