"""What a report on Acornism says about the animals and the Magic Acorn."""

from __future__ import annotations

from meeplecarlo.games.acornism.report import charts, tables
from meeplecarlo.games.acornism.report.tables import ALL, FATES
from meeplecarlo.games.acornism.report.words import MOST_PLAYERS, by_measure, complete_words, difference_of, pp
from meeplecarlo.report.formats import join_words, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.store.dataset import Run

DRAWN = (
    "Who finds the Magic Acorn is decided by the shuffle and by whose turn it is when it is drawn, not by playing "
    "well. Still, what its finder wins above others is what goes with finding it, the animal on its tile included; "
    "what the acorn itself does is shown by playing the same deals with and without it."
)


def numbers(sample: Sample) -> Chapter:
    """Return what becomes of the animals, by the acorns they want, and which are worth it."""
    run, table = sample.run, tables.numbers(sample)
    by = by_measure(table, "number", "measure")
    wants = list(dict.fromkeys(table["number"]))
    known = (ALL, "points") in by
    rows = [
        [
            "all animals" if n == ALL else n,
            number_of(by[n, "placed"]),
            *(percent_of(by[n, f]) for f in FATES),
            *((number_of(by[n, "points"]), percent_of(by[n, "share"])) if known else ()),
            f"{by[n, 'satisfied']['n']:,}",
        ]
        for n in wants
    ]
    words = "; ".join(
        f"{'all' if n == ALL else n}: " + ", ".join(f"{f} {percent_of(by[n, f])}" for f in FATES) for n in wants
    )
    blocks: list = [
        Chart(
            "fates",
            charts.fates_chart(table).figure,
            f"What becomes of animals, by the acorns they want. {words}.",
            complete_words(run) + " A satisfied animal scores its number for whoever placed the last tile beside it.",
            "numbers",
        )
    ]
    if known and by[ALL, "points"]["lo"] is not None:
        blocks.append(
            Chart(
                "points_by_number",
                charts.worth_of_numbers_chart(table).figure,
                "Points scored per animal placed: "
                + "; ".join(f"{n} {number_of(by[n, 'points'])}" for n in wants if n != ALL)
                + ".",
                "The number times the share that is satisfied: a great animal brings more when it is satisfied, but "
                f"may be so less often.{_magic_words(run)}",
                "numbers",
            )
        )
    blocks.append(
        Table(
            "numbers",
            "Which animals are satisfied? (n counts animals placed)",
            ["Wants", "Placed per game", "Satisfied", "Starved", "Never complete",
             *(("Points each", "Part of all points") if known else ()), "n"],
            rows,
            table,
            "Shares of the animals placed, the first tile's included. Starved: complete with too few acorns. Points "
            "each: per animal placed, satisfied or not. 95 % intervals over deals, each for itself.",
        )
    )  # fmt: skip
    if run.has("scores"):
        blocks.append(_by_player(sample, wants))
    findings = [
        f"Of {number_of(by[ALL, 'placed'])} animals placed per game, {percent_of(by[ALL, 'satisfied'])} are satisfied, "
        f"{percent_of(by[ALL, 'starved'])} starve with too few acorns and {percent_of(by[ALL, 'unfinished'])} are "
        "never complete."
    ]
    return Chapter(
        [Section("numbers", "Which animals are worth it?", blocks)], findings + _chase_findings(sample, by, wants)
    )


def _magic_words(run: Run) -> str:
    found = tables.magic_numbers(run)
    if not found:
        return ""
    wants = join_words([str(n) for n in found])
    return (
        f" An animal that wants {wants} shares a tile with the Magic Acorn, always lies beside it, and can do with "
        "up to 10 acorns fewer."
    )


def _chase_findings(sample: Sample, by: dict, wants: list[str]) -> list[str]:
    table = tables.chase(sample)
    if not table.height:
        return []
    change = by_measure(table, "measure")
    n, points, satisfied = table["number"][0], change["points"], change["satisfied"]
    if points["estimate"] is None:
        return []
    head = (
        f"Is the {n} worth chasing? A {n} on the field brings {number_of(by[str(n), 'points'])} points, whoever scores "
        f"it, {number_of(points, sign=True)} against the other animals; {percent_of(by[str(n), 'satisfied'])} of them "
        f"are satisfied, {difference_of(satisfied)} against the others. "
    )
    if points["lo"] is None:
        return [head + "No interval, so nothing more to say."]
    if points["lo"] > 0:
        head += "So a place on the field brings more with it than with another animal, at these tables. "
    elif points["hi"] < 0:
        head += "So it is satisfied too seldom to be worth its greater number, at these tables. "
    else:
        head += "So no difference could be shown. "
    known = [m for m in wants if m != ALL and by[m, "points"]["estimate"] is not None]
    best = max(known, key=lambda m: by[m, "points"]["estimate"])
    return [head + f"Most points per animal placed: {best}, {number_of(by[best, 'points'])}."]


def _by_player(sample: Sample, wants: list[str]) -> Table:
    table = tables.numbers_by_player(sample)
    by = by_measure(table, "player", "number")
    players = list(dict.fromkeys(table["player"]))
    return Table(
        "numbers_by_player",
        "For which animals does a player score? (points per game; n counts seats held)",
        ["Player", *("All" if n == ALL else f"Wants {n}" for n in wants), "n"],
        [[p, *(number_of(by[p, n]) for n in wants), f"{by[p, ALL]['n']:,}"] for p in players],
        table,
        "Mean points per game and seat held.",
    )


def magic(sample: Sample) -> Chapter:
    """Return what goes with finding the Magic Acorn."""
    run, table = sample.run, tables.magic(sample)
    by = by_measure(table, "measure")
    title = "The Magic Acorn"
    if "win_share" not in by:
        return Chapter([Section("magic", title, [Text("Nobody found a Magic Acorn in any game of this run.")])])
    by_player = tables.magic_by_player(sample)
    players = list(dict.fromkeys(by_player["player"]))
    plain = tables.options_of(run)["magic"] == "none"
    measures = {
        "found": "Games in which somebody finds it",
        "played": "It is placed, of these games",
        "turn": "Turn in which it is placed",
        "win_share": "Win share of its finder",
        "points": "Points of its finder",
        "lead": "Finder ahead of the mean of the others by, points",
        "beside_own": "Points its finder scores with animals beside it",
        "beside_others": "Points all others score with animals beside it",
    }
    shares, signed = {"found", "played", "win_share"}, {"lead"}
    rows = [
        [words, percent_of(by[m]) if m in shares else number_of(by[m], sign=m in signed), f"{by[m]['n']:,}"]
        for m, words in measures.items()
        if m in by and not (plain and m.startswith("beside"))
    ]
    off = "In this run the Magic Acorn is worth 0 acorns (magic = none): what its finder wins here has other reasons."
    blocks: list = [Text(off if plain else DRAWN)]
    if by["win_share"]["lo"] is not None:
        shown = by_player if len(players) <= MOST_PLAYERS else by_player.clear()
        blocks.append(
            Chart(
                "finder",
                charts.finder_chart(table, shown, run.n_seats).figure,
                f"Win share of whoever finds the Magic Acorn: {percent_of(by['win_share'])}.",
                "First row: all players. Then each player in games in which it finds the Magic Acorn, and in games in "
                "which another seat does: the distance is what goes with finding it."
                if shown.height
                else "Right of the dashed line: the finder wins more often than its fair share.",
                "magic",
            )
        )
    blocks.append(
        Table(
            "magic",
            "What goes with finding the Magic Acorn? (n counts games)",
            ["", "Estimate", "n"],
            rows,
            table,
            "The finder is the seat that first has it in its hand, dealt or drawn. It may never be drawn, or be the "
            "first tile of the field, so not every game has a finder. 95 % intervals over deals.",
        )
    )
    if players:
        own = by_measure(by_player, "player", "measure")
        blocks.append(
            Table(
                "magic_by_player",
                "Does a player win more when it finds the Magic Acorn? (win shares; n counts seats held)",
                ["Player", "When it finds it", "When another does", "Difference, pp", "n (finds)", "n (another)"],
                [
                    [
                        p,
                        percent_of(own[p, "finds"]),
                        percent_of(own[p, "other"]),
                        pp(own[p, "change"]),
                        f"{own[p, 'finds']['n']:,}",
                        f"{own[p, 'other']['n']:,}",
                    ]
                    for p in players
                ],
                by_player,
                "Each player is compared with itself, so that its strength does not count.",
            )
        )
    return Chapter([Section("magic", title, blocks)], [_magic_finding(by, plain)])


def _magic_finding(by: dict, plain: bool) -> str:
    win = by["win_share"]
    if plain:
        return (
            f"With a Magic Acorn that is worth nothing, the seat that finds it wins {percent_of(win)}: compare it with "
            "a run with magic = wild on the same deals."
        )
    words = (
        f"What goes with finding the Magic Acorn? Its finder wins {percent_of(win)}, {difference_of(by['edge'])} "
        f"against a fair share; its points less the mean of the others': {number_of(by['lead'], sign=True)}. Somebody "
        f"finds it in {percent_of(by['found'])} of the games."
    )
    if "beside_own" in by:
        words += (
            f" With animals beside it the finder scores {number_of(by['beside_own'])} points, all others together "
            f"{number_of(by['beside_others'])}."
        )
    return words
