"""Several runs of Great Fujiyama side by side: reach curves, and what talk and turning are worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from meeplecarlo.games.great_fujiyama.report import charts, tables
from meeplecarlo.games.great_fujiyama.report.chapter import WHY_BOTH, limits, other_reading, reading
from meeplecarlo.report.comparison import distinctions
from meeplecarlo.report.formats import UNKNOWN, format_estimate, format_p, join_words, number_of, percent_of
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chapter, Chart, Section, Table, Text
from meeplecarlo.report.tables import shared_result

FEW = 6  # no more sentences of a kind than these
MANY = 8  # with more pairs of runs, a chart of three marks for each is left out: the table has them
# Title of the section, the two questions, and what it is in a sentence.
_WORDS = {
    "turn": (
        "Value of turning",
        "What is turning tiles worth?",
        "How much more often are stations completed if tiles may be turned?",
        "Turning tiles",
    ),
    "talk": (
        "Value of table talk",
        "What is table talk worth?",
        "How much more often are stations completed with table talk?",
        "Table talk",
    ),
}


def comparison(samples: list[Sample], names: list[str], paired: bool) -> Chapter:
    """Return the reach curves of the runs together, and what talk and turning change."""
    parts = [_reach(samples, names), _worth(samples, "turn"), _worth(samples, "talk")]
    return Chapter(
        [s for p in parts for s in p.sections],
        [f for p in parts for f in p.findings],
        [x for p in parts for x in p.limits] + limits([s.run for s in samples]),
    )


def _reach(samples: list[Sample], names: list[str]) -> Chapter:
    runs = [s.run for s in samples]
    table = tables.reach_by_run(samples, names)
    means = [shared_result(s).row(0, named=True) for s in samples]
    rates = {(r["run"], r["station"]): r for r in table.iter_rows(named=True)}
    stations = range(1, table["station"].max() + 1)
    rows = [
        [name, number_of(mean), *(percent_of(rates[name, s]) if (name, s) in rates else UNKNOWN for s in stations)]
        for name, mean in zip(names, means, strict=True)
    ]
    readings = dict.fromkeys(tables.options(run)["turn"] for run in runs)
    both = len(readings) > 1
    words, missing = WHY_BOTH, []
    if not both:
        simulate, report = other_reading(runs[0])
        missing = [
            f"All these runs use one of two readings of the rules: {reading(runs[0])}. Play the other one too and "
            f"report both; for the first run: {simulate} && {report}"
        ]
        words = f"In all these runs {reading(runs[0])}. {WHY_BOTH}"
    blocks: list = [Text(words)]
    blocks += _charts(_curves(samples, names, means))
    blocks.append(
        Table(
            "reach_by_run",
            "How many stations does each team complete? (shares of games)",
            ["Run", "Mean stations", *(f"At least {s}" for s in stations)],
            rows,
            table,
            "Pointwise 95 % Wilson intervals over deals; the mean with a t interval. Where no game got so far, the "
            "upper end says how often it may still happen.",
        )
    )
    order = sorted(range(len(runs)), key=lambda i: -means[i]["estimate"])
    findings = []
    if len(runs) <= FEW:
        findings += [_sentence(names[i], means[i], rates) for i in range(len(runs))]
    else:
        findings.append(f"Furthest: {_sentence(names[order[0]], means[order[0]], rates)}")
        findings.append(f"Least far: {_sentence(names[order[-1]], means[order[-1]], rates)}")
    return Chapter([Section("reach", "Station reach rates", blocks)], findings, missing)


def _sentence(name: str, mean: dict, rates: dict) -> str:
    words = (
        f"{name}: {number_of(mean)} stations on average; {percent_of(rates[name, 1])} of the games complete at least 1"
    )
    return words + (f", {percent_of(rates[name, 2])} at least 2." if (name, 2) in rates else ".")


@dataclass(frozen=True)
class _Curve:
    """A run as a line of a chart: its reading of turning, seats, and the team, which is all else it differs in."""

    turn: str
    seats: str
    team: str
    name: str
    rates: pl.DataFrame
    mean: dict

    @property
    def seated(self) -> str:
        """The team with its seats, in the words that are in the run's name."""
        return "; ".join(x for x in (self.seats, self.team) if x)


def _curves(samples: list[Sample], names: list[str], means: list[dict]) -> list[_Curve]:
    parts = [distinctions(s.run) for s in samples]
    differing = [k for k in parts[0] if len({p.get(k) for p in parts}) > 1]
    return [
        _Curve(
            p["turn"],
            p["seats"] if "seats" in differing else "",
            "; ".join(p[k] for k in differing if k not in ("turn", "seats")),
            name,
            tables.reach(sample),
            mean,
        )
        for p, sample, name, mean in zip(parts, samples, names, means, strict=True)
    ]


def _charts(curves: list[_Curve]) -> Iterator[Chart]:
    """Yield charts of reach curves, none with more lines than can be told apart."""
    if len({(c.turn, c.seated) for c in curves}) < len(curves):
        # Some differ in nothing but seed or length: every run is a line of its own.
        question = "How many stations do teams complete?"
        lines = [(c.name, c) for c in curves]
        for k in range(0, len(lines), charts.MOST_LINES):
            yield _chart(f"reach_{k // charts.MOST_LINES + 1}", lines[k : k + charts.MOST_LINES], question, "", False)
    elif len({c.seated for c in curves}) <= charts.MOST_LINES:
        yield _chart("reach", [(c.seated, c) for c in curves], _question(curves))
    else:
        yield from _many(curves)


def _many(curves: list[_Curve]) -> Iterator[Chart]:
    """Yield a chart of the numbers of seats for each team, and charts of the teams for each number of seats."""
    of_team, of_seats = (_grouped(curves, key) for key in ("team", "seats"))
    for k, (team, some) in enumerate(of_team.items(), start=1):
        if len({c.seats for c in some}) > 1:
            question = "How many stations do teams complete, by number of seats?"
            yield _chart(f"reach_seats_{k}", [(c.seats, c) for c in some], question, team)
    k = 0
    for seats, some in of_seats.items():
        teams = list(dict.fromkeys(c.team for c in some))
        for start in range(0, len(teams) if len(teams) > 1 else 0, charts.MOST_LINES):
            k, chosen = k + 1, teams[start : start + charts.MOST_LINES]
            question = f"How many stations do teams complete{f' with {seats}' if seats else ''}?"
            yield _chart(f"reach_teams_{k}", [(c.team, c) for c in some if c.team in chosen], question)


def _grouped(curves: list[_Curve], key: str) -> dict[str, list[_Curve]]:
    groups: dict[str, list[_Curve]] = {}
    for curve in curves:
        groups.setdefault(getattr(curve, key), []).append(curve)
    return groups


def _chart(key: str, lines: list[tuple[str, _Curve]], question: str, note: str = "", by_reading: bool = True) -> Chart:
    """Return a chart of named curves, the readings of turning side by side, or as two lines where one team has both.

    Parameters
    ----------
    note : str
        Added to the footer.
    by_reading : bool
        Whether names are to be told apart by the reading of turning; otherwise they are different already.
    """
    readings = list(dict.fromkeys(c.turn for _, c in lines))
    order = list(dict.fromkeys(name for name, _ in lines))
    details = None
    if by_reading and len(readings) > 1 and len(order) > 1:
        # All curves in the order of all names, so that a name looks the same in both panels.
        panels = [
            (turn, [(n, c) for n in order for name, c in lines if name == n and c.turn == turn]) for turn in readings
        ]
    else:
        if by_reading and len(readings) > 1:
            lines = [(c.turn, c) for _, c in lines]
            order = readings
        elif by_reading:
            note = "; ".join(x for x in (note, *readings) if x)
        details = {n: f"mean {format_estimate(c.mean['estimate'], se=c.mean['se'])}" for n, c in lines}
        panels = [("", lines)]
    framed = [
        (title, pl.concat(c.rates.select(pl.lit(n).alias("run"), pl.all()) for n, c in some)) for title, some in panels
    ]
    sides = f", {join_words([title for title, _ in panels])}" if len(panels) > 1 else ""
    return Chart(
        key,
        charts.reach_figure(framed, question, note, details, order),
        f"{question} Share of games that complete at least so many stations, for {join_words(order)}{sides}; the "
        "numbers are in the table.",
        "A step is the share of games that complete at least so many stations. The bands hold for each step by itself.",
        "reach_by_run",
    )


def _question(curves: list[_Curve]) -> str:
    seats, teams = (len(_grouped(curves, key)) > 1 for key in ("seats", "team"))
    if seats and not teams:
        return "How many stations do teams complete, by number of seats?"
    if not seats and not teams:
        return "How many stations do teams complete, under both readings of turning?"
    if all("=" not in c.team for c in curves):
        return "How many stations do teams complete, by player?" if not seats else "How far do these teams get?"
    if not seats and {c.team.split(" = ")[0] for c in curves} == {"talk"} and all(";" not in c.team for c in curves):
        return "How many stations do teams complete, with and without table talk?"
    return "How many stations do these teams complete?"


def _worth(samples: list[Sample], option: str) -> Chapter:
    """Return what an option changes; an empty chapter if no two runs differ in it alone."""
    table = tables.worth(samples, option)
    if not table.height:
        return Chapter([])
    base = next(o.default for o in samples[0].run.game.options if o.name == option)
    others = {tables.options(s.run)[option] for s in samples} - {base}
    other = "/".join(sorted(others))
    change = f"{option} = {other} minus {option} = {base}"
    title, question, rates, changing = _WORDS[option]
    by = {(r["pair"], r["measure"]): r for r in table.iter_rows(named=True)}
    pairs = list(dict.fromkeys(table["pair"]))
    measures = [m for m in dict.fromkeys(table["measure"]) if m != "mean"]
    words = "; ".join(f"{p}: {number_of(by[p, 'mean'], sign=True)}" for p in pairs)
    blocks: list = []
    if table["lo"].is_not_null().any():
        blocks = [
            Chart(
                f"worth_{option}",
                charts.worth_chart(table, question, change).figure,
                f"Difference of mean stations, {change}. {words}.",
                "A row compares two runs that differ in this option only. A bar that does not touch the dashed line is "
                "a difference by itself; with several rows, trust the Holm-adjusted p in the table.",
                f"worth_{option}",
            ),
        ]
    if blocks and len(pairs) <= MANY:
        blocks.append(
            Chart(
                f"worth_{option}_rates",
                charts.worth_rates_chart(table, rates, change).figure,
                f"Differences of the share of games that complete at least 1, 2, 3 stations, {change}; the numbers are "
                "in the table.",
                "The same pairs of runs; a mark is the difference of the share of games that complete at least so many "
                "stations.",
                f"worth_{option}",
            )
        )
    rows = [
        [
            p,
            number_of(by[p, "mean"], sign=True),
            format_p(by[p, "mean"]["p_holm"]),
            *(_points(by[p, m]) if (p, m) in by else UNKNOWN for m in measures),
            "the same" if by[p, "mean"]["paired"] else "others",
            f"{by[p, 'mean']['deals']:,}",
        ]
        for p in pairs
    ]
    blocks.append(
        Table(
            f"worth_{option}",
            f"{question} ({change})",
            ["Runs", "Mean stations", "p (Holm)", *(f"{m.capitalize()}, pp" for m in measures), "Deals", "n"],
            rows,
            table,
            "95 % t intervals, each for itself: paired over deals where both runs played the same ones, otherwise "
            "Welch's. p adjusted for the number of rows. A bare 0 where both runs are the same in every deal. n counts "
            "deals.",
        )
    )
    shown = pairs[:FEW]
    findings = [
        f"{changing} ({change}) changes the mean number of stations by "
        + "; ".join(f"{number_of(by[p, 'mean'], sign=True)} for {p}" for p in shown)
        + (f" (and {len(pairs) - FEW} more in the table)." if len(pairs) > FEW else ".")
    ]
    return Chapter([Section(f"worth_{option}", title, blocks)], findings)


def _points(row: dict) -> str:
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, sign=True)
