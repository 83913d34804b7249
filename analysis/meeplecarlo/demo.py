"""The demo: a small real study of Fujiyama, from simulation to a page, and three lines on what was found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from meeplecarlo.games.fujiyama.report.tables import forests
from meeplecarlo.report import tables
from meeplecarlo.report.formats import format_estimate
from meeplecarlo.report.page import write_report
from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.dataset import Run

PLAYERS = ["harvester", "gambler", "frost", "spiteful"]
BOARDS = ("boards_safe_summer", "boards_risky_summer")  # beside the default: nobody here has seen the printed boards


def run_demo(out: Path, games: int, seed: int, jobs: int, progress: bool) -> Iterator[str]:
    """Simulate, report, and yield lines to print.

    Parameters
    ----------
    out : path
        Folder of the study; runs of an earlier demo in it are replaced.
    games : int
        Games of each of the three runs.
    """
    yield f"Playing {games:,} games of Fujiyama with {', '.join(PLAYERS)}, on three kinds of boards each ..."
    common = {"seed": seed, "jobs": jobs, "progress": progress, "overwrite": True}
    main = simulate("fujiyama", PLAYERS, games=games, out=out / "boards", **common)
    others = [
        simulate("fujiyama", PLAYERS, games=games, out=out / name, components={"boards": name}, **common)
        for name in BOARDS
    ]
    yield "Drawing the report ..."
    page = write_report([main, *others], out / "report")
    yield ""
    yield f"1. {_best_player(main)}"
    yield f"2. {_summer(main, others)}"
    yield f"3. {_pleasing(main)}"
    yield ""
    yield f"All of it, with charts: {page}"
    yield f"A game move by move:    meeplecarlo replay {main.path} 0"
    yield "Your own question:      meeplecarlo simulate fujiyama --players harvester,random --set winter_base=2"


def _row(frame, **wanted) -> dict:
    """Return the one row of a table that has these values."""
    return next(row for row in frame.to_dicts() if all(row[key] == value for key, value in wanted.items()))


def _words(row: dict, **form) -> str:
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], **form)


def _percent(row: dict) -> str:
    return _words(row, scale=100, unit=" %")


def _best_player(run: Run) -> str:
    shares = tables.players(run)
    best = max((r for r in shares.to_dicts() if r["measure"] == "win_share"), key=lambda r: r["estimate"])
    points = _row(shares, player=best["player"], measure="points")
    return (
        f"{best['player']} wins most of these four: {_percent(best)} of its games, where equal players win 25 %, "
        f"with {_words(points)} points a game."
    )


def _summer(main: Run, others: list[Run]) -> str:
    def zeros(run: Run) -> str:
        return _percent(_row(forests(run), player="all players", season="summer", measure="zeros"))

    table = forests(main)
    spread = {
        season: _words(_row(table, player="all players", season=season, measure="sd"))
        for season in ("summer", "autumn")
    }
    safe, risky = map(zeros, others)
    return (
        f"The points of a summer forest have a standard deviation of {spread['summer']}, those of an autumn forest of "
        f"{spread['autumn']}; {zeros(main)} of summer forests score 0, against {safe} if the boards print safer "
        f"summers and {risky} if riskier ones."
    )


def _pleasing(run: Run) -> str:
    spiteful = _row(tables.players(run), player="spiteful", measure="win_share")
    return (
        f"spiteful, which passes what helps its neighbours least, wins {_percent(spiteful)} where equal players win "
        "25 %: a tile that is chosen sends an animal back to its giver."
    )
