"""A study from start to page: play with a live line, write the page and the answer, and hand back what to print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from meeplecarlo.registry import get_game
from meeplecarlo.report.page import FOLDER, write_report
from meeplecarlo.stats.sequential import confidence_sequence
from meeplecarlo.stats.verdicts import MARGIN
from meeplecarlo.store.files import write_json
from meeplecarlo.studies import answer
from meeplecarlo.studies.compare import Comparison, Standing, compare
from meeplecarlo.studies.stopping import SPRT, Stopping

ANSWER = "answer.json"
TEAM_MARGIN = 0.05  # points of a team that do not matter, unless told otherwise


@dataclass(frozen=True)
class Answer:
    """What to print at the end.

    Attributes
    ----------
    comparison : Comparison
    lines : list of str
    json : str
    """

    comparison: Comparison
    lines: list[str]
    json: str


def compare_and_report(
    game: str, players: list[str], *, margin: str | None, out: Path, show: Callable[[str], None] | None, **settings
) -> Answer:
    """Compare players, write the page and ``answer.json``, and return what to print.

    Parameters
    ----------
    margin : str or None
        ``2pp``, or a number of points where all seats share the result.
    show : callable or None
        Gets the live line at every look.

    Other parameters as in `compare`.
    """
    shared = get_game(game).shared_result
    within = (TEAM_MARGIN if shared else MARGIN) if margin is None else Stopping.parse(f"ci={margin}", shared).value

    def on_look(standing: Standing, stopping: Stopping) -> None:
        if show is not None:
            show(live_line(standing, stopping))

    comparison = compare(game, players, margin=within, out=out, on_look=on_look, **settings)
    values = answer.as_json(comparison)
    write_json(Path(out) / ANSWER, values)
    page = write_report(comparison.runs, Path(out) / FOLDER, front=("The answer", answer.chapter(comparison)))
    lines = [*answer.lines(comparison), "", f"Page: {page}"]
    return Answer(comparison, lines, json.dumps(values, indent=2, ensure_ascii=False))


def live_line(standing: Standing, stopping: Stopping) -> str:
    """Return one line on a study that is running; its interval may be looked at as often as one likes."""
    first, second = list(standing.means)[:2]
    lead = confidence_sequence(standing.lead())
    unit = {"unit": " points"} if standing.shared_result else {"scale": 100, "unit": " pp"}
    what = f"{first} over {second}" if standing.shared_result else f"{first} over parity"
    words = answer.format_estimate(
        lead.estimate, *(None if x != x else x for x in (lead.lo, lead.hi)), lead.se, sign=True, **unit
    )
    so_far = f", test so far: {stopping.decision(standing.lead())}" if stopping.kind == SPRT else ""
    return f"{standing.games:>9,} games: lead of {what} {words} (at any look){so_far}"
