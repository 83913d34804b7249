"""When a study stops: after so many games, once it is precise enough, or once a sequential test has decided."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from meeplecarlo.errors import UsageError, unknown
from meeplecarlo.stats.intervals import Interval
from meeplecarlo.stats.sequential import CONTINUE, H1, LEAST_DEALS, SequentialTest, precise_enough, sequential_test

GAMES, CI, SPRT = "games", "ci", "sprt"
KINDS = (GAMES, CI, SPRT)


@dataclass(frozen=True)
class Stopping:
    """A stopping rule.

    Attributes
    ----------
    kind : str
        ``games``, ``ci`` or ``sprt``.
    value : float
        Games; the half-width every interval must reach; or the difference the test must tell from none. The latter
        two in units of what is compared: win share, or points where all seats share the result.
    """

    kind: str
    value: float

    @classmethod
    def parse(cls, text: str, shared_result: bool = False) -> Stopping:
        """Read ``games=20000``, ``ci=1pp`` or ``sprt=2pp``; pp are percentage points of win share.

        Raises
        ------
        UsageError
            If it is none of these. Where all seats share the result there is no win share: plain points are needed.
        """
        kind, equals, rest = text.strip().partition("=")
        if kind not in KINDS or not equals:
            named = unknown("stopping rule", kind, KINDS) if kind not in KINDS else f"--until {kind} needs a value."
            raise UsageError(f"{named} Write games=20000, ci=1pp or sprt=2pp.")
        match = re.fullmatch(r"(\d[\d_]*(?:\.\d+)?(?:e\d+)?)\s*(pp)?", rest.strip())
        if match is None:
            raise UsageError(f"cannot read {rest!r} in --until {text}; write a number, as in games=20000 or ci=1pp.")
        value, unit = float(match[1].replace("_", "")), match[2]
        if kind == GAMES:
            if unit or value < 1 or value != int(value):
                raise UsageError(f"--until games needs a whole number of games from 1, got {rest!r}.")
            return cls(kind, value)
        if shared_result and unit:
            raise UsageError(f"all seats share the result of this game, so --until {kind} is in points, not in pp.")
        value = value / 100 if unit else value
        if not (0 < value if shared_result else 0 < value <= 0.5):
            top = "" if shared_result else " and at most 50pp (0.5)"
            raise UsageError(f"--until {kind} must be above 0{top}, got {rest!r}.")
        return cls(kind, value)

    def text(self) -> str:
        """Return the rule as it is written."""
        return f"{self.kind}={int(self.value) if self.kind == GAMES else f'{self.value:g}'}"

    def most_games(self, cap: int) -> int:
        """Return how many games the study may take at most."""
        return int(self.value) if self.kind == GAMES else cap

    def reached(self, intervals: list[Interval], lead: np.ndarray | None) -> bool:
        """Return whether the study may stop.

        Parameters
        ----------
        intervals : list of Interval
            Of everything that is to be precise (`CI`).
        lead : ndarray, shape (B,), or None
            What the test is about, by deal (`SPRT`).
        """
        if self.kind == CI:
            return all(precise_enough(interval, self.value) for interval in intervals)
        if self.kind == SPRT:
            return len(lead) >= LEAST_DEALS and all(test.decision != CONTINUE for test in self.tests(lead))
        return False

    def tests(self, lead: np.ndarray) -> tuple[SequentialTest, SequentialTest]:
        """Return two tests of "no difference": against a lead, and against being behind, by the value.

        Each is wrong in at most 5 % of the studies, where there is no difference and where there is one so large.
        """
        return sequential_test(lead, 0.0, self.value), sequential_test(-np.asarray(lead), 0.0, self.value)

    def decision(self, lead: np.ndarray) -> str:
        """Return what the tests say: ``ahead``, ``behind``, ``no such difference`` or ``open``."""
        ahead, behind = (test.decision for test in self.tests(lead))
        if ahead == H1:
            return "ahead"
        if behind == H1:
            return "behind"
        return "open" if CONTINUE in (ahead, behind) else "no such difference"
