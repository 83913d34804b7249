"""Print the figures the README quotes, as Markdown, from the games they come from.

python scripts/readme_numbers.py            # some minutes
"""

from __future__ import annotations

import argparse

import polars as pl

import meeplecarlo as mc
from meeplecarlo.games.acornism.report.tables import finder_statistics, numbers
from meeplecarlo.games.fuji_san.report.tables import ALL, movers
from meeplecarlo.games.fujiyama.report.tables import boards, forests
from meeplecarlo.games.heizei.report.tables import deciders
from meeplecarlo.registry import get_game
from meeplecarlo.report import tables
from meeplecarlo.report.formats import format_estimate
from meeplecarlo.report.sample import Sample
from meeplecarlo.stats.intervals import t_interval

GAME = "fujiyama"
SEED = 1


def play(players: list[str], games: int, **more):
    """Return a run of the README's seed."""
    kept = more.pop("tables", ["seats"])
    return mc.simulate(GAME, players, games=games, seed=SEED, jobs=-1, tables=kept, quiet=True, **more)


def words(frame: pl.DataFrame, scale: float = 1, unit: str = "", **wanted) -> str:
    """Return the one estimate of a table with these values, and its interval."""
    (row,) = (r for r in frame.to_dicts() if all(r[key] == value for key, value in wanted.items()))
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=scale, unit=unit)


def share(run, player: str) -> str:
    """Return a player's win share in a run, in per cent."""
    return words(tables.players(run), 100, " %", player=player, measure="win_share")


def print_findings(games: int) -> None:
    """Print what was found about summer, passing, seats and boards."""
    line_up = ["harvester", "gambler", "frost", "steady"]
    of_boards = {
        name: play(line_up, games, components={"boards": name}, tables=["scores", "deals"])
        for name in ("boards", "boards_safe_summer", "boards_risky_summer")
    }
    main = of_boards["boards"]
    table = forests(main)

    def of(season: str, measure: str, frame=table, **form) -> str:
        return words(frame, player="all players", season=season, measure=measure, **form)

    zeros = {name: of("summer", "zeros", forests(run), scale=100, unit=" %") for name, run in of_boards.items()}
    print(f"Line-up {', '.join(line_up)}; {games:,} games.\n")
    print(f"Summer: mean {of('summer', 'mean')}, sd {of('summer', 'sd')}; zeros by boards {zeros}")
    print("sd by boards", {name: of("summer", "sd", forests(run)) for name, run in of_boards.items()})
    for season in ("spring", "autumn", "winter"):
        print(f"{season}: mean {of(season, 'mean')}, sd {of(season, 'sd')}")
    for row in boards(main).to_dicts():
        if row.get("measure", "win_share") == "win_share":
            print(
                "board", row.get("board"), format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100)
            )
    spite = play(["steady(spite=1)", "steady", "steady", "steady"], games)
    please = play(["steady(spite=-0.5)", "steady", "steady", "steady"], games)
    print("spite=1 among three steady:", share(spite, "steady(spite=1)"))
    print("spite=-0.5 among three steady:", share(please, "steady(spite=-0.5)"))
    never = play(line_up, games, options={"trump": "never"})
    print("points with and without trump:", *(words(tables.players(r), player="harvester", measure="points")
                                              for r in (main, never)))  # fmt: skip
    for seats in (2, 3, 4, 5):
        same = play(["harvester"] * seats, games)
        shares = tables.seats(same).filter(pl.col("measure") == "win_share")
        print(f"{seats} seats, first seat:", words(shares, 100, " %", seat=0))


def print_players(games: int) -> None:
    """Print the table of players: each against random, among steady players, and the best against each."""
    print("\n| player | against one random | among three steady | against one harvester |\n|---|---|---|---|\n"
          "| *equal players* | *50 %* | *25 %* | *50 %* |")  # fmt: skip
    for name in get_game(GAME).players:
        cells = [
            share(play([name, "random"], games), name) if name != "random" else "–",
            share(play([name, "steady", "steady", "steady"], 2 * games), name) if name != "steady" else "–",
            share(play([name, "harvester"], games), name) if name != "harvester" else "–",
        ]
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
    search = "search(harvester,sims=100)"
    print(f"| `{search}` | – | – | {share(play([search, 'harvester'], games // 10), search)} |")


def print_fuji_san(games: int) -> None:
    """Print who wins Fuji-san from which seat, what mirroring gets, and how often it is a draw."""
    for players in (["lookahead", "lookahead"], ["lookahead", "mirror"], ["greedy", "mirror"], ["random", "mirror"]):
        number = games // 5 if players[0] == players[1] else games
        run = mc.simulate("fuji-san", players, games=number, seed=SEED, jobs=-1, tables=["seats"], quiet=True)
        of = {(r["order"], r["measure"]): r for r in movers(run).to_dicts()}
        drawn, first = (
            format_estimate(r["estimate"], r["lo"], r["hi"], r["se"], scale=100, unit=" %")
            for r in (of[ALL, "draw"], of[ALL, "win_share_0"])
        )
        print(f"fuji-san {', '.join(players)}: seat 0 {first}, draws {drawn}", end="")
        print(f", {players[1]} {share(run, players[1])}" if players[0] != players[1] else "", flush=True)


def print_acornism(games: int) -> None:
    """Print what each seat wins, and what the Magic Acorn and edge scoring do."""
    for seats in (2, 3, 4):
        run = mc.simulate("acornism", ["planner"] * seats, games=games, seed=SEED, jobs=-1, tables=[], quiet=True)
        print(f"acornism, {seats} seats:", *(words(tables.seats(run), 100, " %", seat=s, measure="win_share")
                                              for s in range(seats)))  # fmt: skip
    finders = {}
    for options in ({}, {"magic": "none"}, {"edge_scoring": "true"}):
        run = mc.simulate("acornism", ["planner"] * 2, games=games, seed=SEED, jobs=-1, tables=["scores"],
                          options=options, quiet=True)  # fmt: skip
        finders[str(options)] = finder_statistics(Sample.of(run))["win_share"]
        finder = t_interval(finders[str(options)])
        print(options, "finder", format_estimate(finder.estimate, finder.lo, finder.hi, finder.se, scale=100))
        fates = numbers(run)
        for number, measure, form in (
            ("all", "satisfied", {"scale": 100}),
            ("all", "starved", {"scale": 100}),
            ("10", "satisfied", {"scale": 100}),
            ("10", "points", {}),
            ("8", "points", {}),
        ):
            print("  ", number, measure, words(fates, number=number, measure=measure, **form))  # fmt: skip
    change = t_interval(finders["{}"] - finders["{'magic': 'none'}"])
    print("finder, wild minus none", format_estimate(change.estimate, change.lo, change.hi, change.se, scale=100))


def print_heizei(games: int) -> None:
    """Print what each seat wins, and whether the penalty or the tiles decide more."""
    for seats in (3, 4, 5):
        run = mc.simulate("heizei", ["planner"] * seats, games=games, seed=SEED, jobs=-1, tables=["scores"], quiet=True)
        print(f"heizei, {seats} seats:", *(words(tables.seats(run), 100, " %", seat=s, measure="win_share")
                                            for s in range(seats)))  # fmt: skip
        for row in deciders(run).filter(measure="moved").to_dicts():
            share_moved = format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, unit=" %")
            print(f"   wins that would go to another seat, {row['without']}: {share_moved}", flush=True)


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    arguments = parser.parse_args()
    print_findings(arguments.games)
    print_players(arguments.games // 5)
    print_fuji_san(arguments.games)
    print_acornism(arguments.games)
    print_heizei(arguments.games)


if __name__ == "__main__":
    main()
