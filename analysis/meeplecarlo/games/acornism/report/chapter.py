"""What a report on one run of Acornism says beyond what it says about every game."""

from __future__ import annotations

import shlex

import polars as pl

from meeplecarlo.games.acornism.report import animals, charts, course, tables
from meeplecarlo.games.acornism.report.words import MOST_PLAYERS, by_measure, difference_of, pp
from meeplecarlo.games.acornism.report.worth import CHANGES
from meeplecarlo.report.formats import UNKNOWN, format_number, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table
from meeplecarlo.store.dataset import Run

TILES = (
    "Which acorns lie beside which animal is assumed. How often animals are satisfied, by the acorns they want, and "
    "what the Magic Acorn is worth may differ with the tiles of a real box (--tiles)."
)


def chapter(sample: Sample) -> Chapter:
    """Return what only a report on Acornism has."""
    run = sample.run
    parts = [_first(sample), animals.numbers(sample), animals.magic(sample)]
    if run.has("moves"):
        parts.append(course.whole_field(sample))
    parts.append(course.ending(sample))
    if run.has("moves"):
        parts.append(course.choices(sample))
    return Chapter(
        [s for p in parts for s in p.sections],
        [f for p in parts for f in p.findings],
        [x for p in parts for x in p.limits] + limits(run),
    )


def limits(run: Run) -> list[str]:
    """Return what no run can say."""
    found = []
    if run.manifest["game"]["components"]["tiles"]["file"] in run.game.components[0].shipped:
        found.append(TILES)
    options = tables.options_of(run)
    for option, words in (("edge_scoring", "What edge scoring changes"), ("magic", "What the Magic Acorn is worth")):
        simulate, report = with_option(run, option)
        found.append(
            f"{words} is not to be seen in one run (here {option} = {options[option]}). Play the same deals the other "
            f"way and report both: {simulate} && {report}"
        )
    return found


def with_option(run: Run, option: str) -> tuple[str, str]:
    """Return the commands that play a run with the other value of an option, and report both."""
    manifest, options = run.manifest, tables.options_of(run)
    one, two = CHANGES[option]
    value = two if options[option] == one else one
    default = next(o.default for o in run.game.options if o.name == option)
    changes = {k: v for k, v in manifest["game"]["changes"].items() if k != option}
    if value != default:
        changes[option] = value
    components = {c.name for c in run.game.components}
    out = f"{run.path.name}-{option}-{value}"
    words = ["meeplecarlo", "simulate", run.game.name, "--players", ",".join(run.lineup)]
    words += ["--games", str(manifest["design"]["games"]), "--seed", str(manifest["seed"])]
    for name, changed in changes.items():
        words += [f"--{name}", str(changed)] if name in components else ["--set", f"{name}={changed}"]
    return shlex.join([*words, "--out", out]), shlex.join(["meeplecarlo", "report", run.path.name, out])


def _first(sample: Sample) -> Chapter:
    run = sample.run
    table, by_player = tables.by_seat(sample), tables.by_player_and_seat(sample)
    by = by_measure(table, "seat", "measure")
    seats = range(run.n_seats)
    measures = {"animals": "Animals scored", "tiles": "Tiles placed"}
    shown = {m: words for m, words in measures.items() if (0, m) in by}
    rows = [
        [
            f"seat {s}",
            percent_of(by[s, "win_share"]),
            pp(by[s, "edge"]),
            number_of(by[s, "points"]),
            number_of(by[s, "lead"], sign=True),
            *(number_of(by[s, m]) for m in shown),
            f"{by[s, 'win_share']['n']:,}",
        ]
        for s in seats
    ]
    words = "; ".join(f"seat {s} {difference_of(by[s, 'edge'])}" for s in seats)
    blocks: list = []
    if by[0, "edge"]["lo"] is not None:
        blocks.append(
            Chart(
                "first_player",
                charts.first_chart(table).figure,
                f"Win share of each seat less its fair share. {words}.",
                "Right of the dashed line: the seat wins more often than its fair share, whoever sits there.",
                "by_seat",
            )
        )
    blocks.append(
        Table(
            "by_seat",
            "What does each seat get? (n counts games)",
            ["Seat", "Win share", "Over fair share, pp", "Points", "Ahead of others by", *shown.values(), "n"],
            rows,
            table,
            "Over all seatings, so that every player held every seat equally often. Seat 0 begins. Ahead of others by: "
            "points of the seat less the mean of the others. The first tile lies there before the first turn and is "
            "placed by nobody. 95 % intervals over deals, each for itself.",
        )
    )
    if by_player.height:
        blocks += _players_by_seat(run, by_player)
    limits = []
    if len(run.players) > 1:
        equal = ",".join([run.players[0]] * run.n_seats)
        limits.append(
            "Between players of unequal strength the stronger one wins from any seat, which hides part of what a seat "
            "is worth. To see that alone, let one player sit in every seat: "
            f"{shlex.join(['meeplecarlo', 'simulate', 'acornism', '--players', equal])}"
        )
    return Chapter([Section("first", "Does it help to begin?", blocks)], [_first_finding(run, by)], limits)


def _players_by_seat(run: Run, table: pl.DataFrame) -> list[Chart | Table]:
    by = by_measure(table, "player", "seat")
    players, seats = list(dict.fromkeys(table["player"])), range(run.n_seats)
    cells = {p: [percent_of(by[p, s]) if (p, s) in by else UNKNOWN for s in seats] for p in players}
    blocks: list[Chart | Table] = []
    if len(players) <= MOST_PLAYERS and table["lo"].is_not_null().any():
        blocks.append(
            Chart(
                "players_by_seat",
                charts.player_seat_chart(table).figure,
                "Win share of each player by seat. " + "; ".join(f"{p}: {', '.join(c)}" for p, c in cells.items()),
                "Compare the marks of one player: what it gains or loses by where it sits.",
                "players_by_seat",
            )
        )
    blocks.append(
        Table(
            "players_by_seat",
            "How does each player do in each seat? (win shares; n counts seats held)",
            ["Player", *(f"Seat {s}" for s in seats), "n in each seat"],
            [[p, *cells[p], f"{by[p, 0]['n'] if (p, 0) in by else 0:,}"] for p in players],
            table,
        )
    )
    return blocks


def _first_finding(run: Run, by: dict) -> str:
    seats, whose = run.n_seats, "all rotations of the players" if len(run.players) > 1 else f"{run.players[0]} alone"
    edge, win, lead = by[0, "edge"], by[0, "win_share"], by[0, "lead"]
    head = f"How large is the first-player effect with {seats} seats ({whose})? "
    fair = format_number(100 / seats, 0 if 100 % seats == 0 else 1)
    if edge["lo"] is None:
        why = "with one deal nothing more can be said" if win["deals"] < 2 else "in every deal it is the same"
        return head + f"Seat 0 wins {percent_of(win)}, where {fair} % is fair; {why}."
    head += f"Seat 0, which begins, wins {percent_of(win)}, where {fair} % is fair: {difference_of(edge)}"
    if edge["lo"] > 0:
        head += ", so beginning helps. "
    elif edge["hi"] < 0:
        head += ", so beginning hurts. "
    else:
        head += "; no effect of beginning could be shown. "
    head += f"Its points less the mean of the others': {number_of(lead, sign=True)}."
    if seats > 2:
        head += " Win shares less the fair share of the others: "
        head += "; ".join(f"seat {s} {difference_of(by[s, 'edge'])}" for s in range(1, seats)) + "."
    return head
