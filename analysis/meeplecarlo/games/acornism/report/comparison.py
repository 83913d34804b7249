"""Several runs of Acornism side by side: beginning by number of seats, and what a rule changes on the same deals."""

from __future__ import annotations

from meeplecarlo.games.acornism.report import charts
from meeplecarlo.games.acornism.report.words import by_measure, difference_of, pp
from meeplecarlo.games.acornism.report.worth import CHANGES, edge_by_run, is_share, worth
from meeplecarlo.report.formats import UNKNOWN, format_estimate, format_number, format_p, number_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table

FEW = 6  # no more runs or pairs than these in a sentence or in a chart of several marks each
_MEASURES = {
    "points": "Points of a seat",
    "satisfied": "Animals satisfied",
    "starved": "Animals starved",
    "unfinished": "Animals never complete",
    "placed": "Tiles on the field",
    "passes": "Passes",
    "first": "Win share of seat 0, pp",
    "finder_win": "Win share of the Magic Acorn's finder, pp",
    "finder_points": "Points of the finder",
    "finder_lead": "Finder ahead of the mean of the others by",
}
# Option: title, question, the measure that is drawn, its name on the axis.
_QUESTIONS = {
    "edge_scoring": (
        "Edge scoring",
        "What does edge scoring change?",
        "satisfied",
        "Satisfied animals per game",
    ),
    "magic": (
        "Value of the Magic Acorn",
        "What does the Magic Acorn add to its finder's wins?",
        "finder_win",
        "Win share of the finder, percentage points",
    ),
    "underfed": (
        "Forbidding to starve animals",
        "What does it change that no animal may starve?",
        "satisfied",
        "Satisfied animals per game",
    ),
}


def comparison(samples: list[Sample], names: list[str], paired: bool) -> Chapter:
    """Return the first-player effect of each run, and what edge scoring, the Magic Acorn and underfeeding change.

    Pairs of runs are found among all of them and paired deal by deal where they can be, so `paired` is not needed.
    """
    parts = [_first(samples, names), *(_worth(samples, option) for option in CHANGES)]
    return Chapter([s for p in parts for s in p.sections], [f for p in parts for f in p.findings])


def _first(samples: list[Sample], names: list[str]) -> Chapter:
    table = edge_by_run(samples, names)
    by = by_measure(table, "run", "seat")
    most = max(s.run.n_seats for s in samples)
    rows = [
        [
            name,
            *(pp(by[name, s]) if (name, s) in by else UNKNOWN for s in range(most)),
            format_number(100 / sample.run.n_seats, 1),
            f"{by[name, 0]['n']:,}",
        ]
        for sample, name in zip(samples, names, strict=True)
    ]
    blocks: list = []
    if len(samples) <= FEW and table["lo"].is_not_null().any():
        blocks.append(
            Chart(
                "first_by_run",
                charts.edge_by_run_chart(table).figure,
                "Win share of each seat less the fair share. "
                + "; ".join(f"{name}: seat 0 {difference_of(by[name, 0])}" for name in names)
                + ".",
                "Right of the dashed line a seat wins more than its fair share. Seat 0 begins. Runs with different "
                "numbers of seats or players are different deals, not paired.",
                "first_by_run",
            )
        )
    blocks.append(
        Table(
            "first_by_run",
            "How far is each seat from its fair share of wins, in percentage points? (n counts games)",
            ["Run", *(f"Seat {s}" for s in range(most)), "Fair share, %", "n"],
            rows,
            table,
            "95 % intervals over deals, each for itself. Over all seatings, so that every player held every seat "
            "equally often.",
        )
    )
    shown = "; ".join(f"{name}: {difference_of(by[name, 0])}" for name in names[:FEW])
    more = f" (and {len(names) - FEW} more in the table)" if len(names) > FEW else ""
    findings = [f"How much more than its fair share does seat 0 win, which begins? {shown}{more}."]
    return Chapter([Section("first_by_run", "Does it help to begin?", blocks)], findings)


def _changed(row: dict) -> str:
    return pp(row) if is_share(row["measure"]) else number_of(row, sign=True)


def _plain(row: dict, end: str) -> str:
    scale = 100 if is_share(row["measure"]) else 1
    return format_estimate(row[end], se=row["se"] or None, scale=scale)


def _worth(samples: list[Sample], option: str) -> Chapter:
    """Return what an option changes; an empty chapter if no two runs differ in it alone."""
    table = worth(samples, option)
    if not table.height:
        return Chapter([])
    title, question, drawn, axis = _QUESTIONS[option]
    before, after = (f"{option} = {value}" for value in CHANGES[option])
    by = by_measure(table, "pair", "measure")
    pairs = list(dict.fromkeys(table["pair"]))
    blocks: list = []
    if table.filter(measure=drawn)["lo"].is_not_null().any():
        blocks.append(
            Chart(
                f"worth_{option}",
                charts.worth_chart(table, drawn, question, f"{axis}:\n{after} minus {before}").figure,
                f"{axis}, {after} minus {before}. "
                + "; ".join(f"{p}: {_changed(by[p, drawn])}" for p in pairs if (p, drawn) in by)
                + ".",
                "A row compares two runs that differ in this option only. A bar that does not touch the dashed line is "
                "a difference by itself; with several rows, trust the Holm-adjusted p in the table.",
                f"worth_{option}",
            )
        )
    rows = [
        [
            pair,
            words,
            _plain(row, "before"),
            _plain(row, "after"),
            _changed(row),
            format_p(row["p_holm"]),
            "the same" if row["paired"] else "others",
            f"{row['deals']:,}",
        ]
        for pair in pairs
        for measure, words in _MEASURES.items()
        if (row := by.get((pair, measure))) is not None
    ]
    blocks.append(
        Table(
            f"worth_{option}",
            f"{question} ({after} minus {before})",
            ["Runs", "", before, after, "Change", "p (Holm)", "Deals", "n"],
            rows,
            table,
            "95 % t intervals, each for itself: paired over deals where both runs played the same ones, otherwise "
            "Welch's. p adjusted for the number of pairs. n counts deals. Win shares in per cent, their changes in "
            "percentage points; all else per game. The finder is the seat that first has the Magic Acorn in its hand, "
            "over the games in which somebody has.",
        )
    )
    return Chapter([Section(f"worth_{option}", title, blocks)], [_finding(option, by, pairs, question)])


def _finding(option: str, by: dict, pairs: list[str], question: str) -> str:
    before, after = (f"{option} = {value}" for value in CHANGES[option])
    sentences = []
    for pair in pairs[:FEW]:
        row = {m: by[pair, m] for m in _MEASURES if (pair, m) in by}
        if option == "magic":
            if "finder_win" not in row:
                sentences.append(f"{pair}: nobody finds it")
                continue
            words = (
                f"{pair}: the finder's win share changes by {difference_of(row['finder_win'])} (from "
                f"{_plain(row['finder_win'], 'before')} to {_plain(row['finder_win'], 'after')} %), its lead over the "
                f"others by {_changed(row['finder_lead'])} points"
            )
        else:
            words = (
                f"{pair}: {_changed(row['satisfied'])} satisfied animals per game (from "
                f"{_plain(row['satisfied'], 'before')} to {_plain(row['satisfied'], 'after')}), "
                f"{_changed(row['starved'])} starved, {_changed(row['points'])} points for a seat, win share of seat 0 "
                f"{difference_of(row['first'])}"
            )
        sentences.append(words + ("" if row["points"]["paired"] else " (not the same deals)"))
    more = f" (and {len(pairs) - FEW} more in the table)" if len(pairs) > FEW else ""
    return f"{question} ({after} minus {before}) {'; '.join(sentences)}{more}."
