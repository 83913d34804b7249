"""Sequential tests and confidence sequences: formulas by hand, error rates by simulation with fixed seeds."""

import math

import numpy as np
import pytest

from meeplecarlo.stats.intervals import Interval
from meeplecarlo.stats.sequential import (
    CONTINUE,
    H0,
    H1,
    LEAST_DEALS,
    confidence_sequence,
    precise_enough,
    sequential_test,
)


def test_the_log_likelihood_ratio_by_hand():
    x = np.array([0.0, 0.5, 1.0, 0.5] * 20)
    found = sequential_test(x, 0.48, 0.52)
    assert found.llr == pytest.approx(80 * 0.04 * (1.0 - 1.0) / (2 * 0.125))
    found = sequential_test(x + 0.1, 0.48, 0.52)
    assert found.llr == pytest.approx(80 * 0.04 * 0.2 / (2 * 0.125))
    assert (found.lower, found.upper) == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))
    assert (found.decision, found.deals) == (CONTINUE, 80)


def test_nothing_is_decided_on_too_few_deals():
    surely = np.ones(LEAST_DEALS - 1)
    assert sequential_test(surely, 0.5, 0.52).decision == CONTINUE
    assert sequential_test(np.ones(LEAST_DEALS), 0.5, 0.52).decision == H1
    assert sequential_test(np.zeros(LEAST_DEALS), 0.5, 0.52).decision == H0
    assert sequential_test(np.full(LEAST_DEALS, 0.5), 0.48, 0.52).decision == CONTINUE


@pytest.mark.parametrize(("s0", "s1", "alpha"), [(0.5, 0.5, 0.05), (0.52, 0.5, 0.05), (0.5, 0.52, 0.5), (0.5, 0.52, 0)])
def test_senseless_hypotheses_are_refused(s0, s1, alpha):
    with pytest.raises(ValueError, match="must"):
        sequential_test(np.zeros(100), s0, s1, alpha)


def decisions(mean: float, studies: int = 300) -> list[str]:
    """Return what studies of seat-swapped pairs decide between 0.5 and 0.56, looked at after every 32 deals."""
    rng = np.random.default_rng(7)
    made = []
    for _ in range(studies):
        pairs = (rng.random((3000, 2)) < mean).mean(axis=1)
        for m in range(LEAST_DEALS, 3000, 32):
            decision = sequential_test(pairs[:m], 0.5, 0.56).decision
            if decision != CONTINUE:
                break
        made.append(decision)
    return made


def test_wrong_decisions_are_as_rare_as_asked_for():
    """At most 5 % of the studies but for chance: looking at batches of deals, the test stops beyond its bounds."""
    for mean, wrong, right in ((0.5, H1, H0), (0.56, H0, H1)):
        made = decisions(mean)
        assert made.count(wrong) / 300 < 0.08
        assert made.count(right) / 300 > 0.9


def test_a_confidence_sequence_by_hand():
    x = np.array([0.2, 0.4, 0.6, 0.8] * 125)
    found = confidence_sequence(x)
    r = (-2 * math.log(0.05) + math.log(1 - 2 * math.log(0.05))) / 500
    half = math.sqrt(0.05) * math.sqrt(2 * (500 * r + 1) / (500**2 * r) * math.log(math.sqrt(500 * r + 1) / 0.05))
    assert (found.lo, found.hi) == (pytest.approx(0.5 - half), pytest.approx(0.5 + half))
    assert half / (1.96 * math.sqrt(0.05 / 500)) == pytest.approx(1.55, abs=0.01)


def test_a_confidence_sequence_holds_at_every_look():
    """In at most 5 % of the studies does any of the intervals from 20 deals on leave out the truth."""
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(300):
        x = rng.random(2000)
        looks = (confidence_sequence(x[:m]) for m in (20, 30, 45, 70, 100, 150, 230, 350, 500, 800, 1200, 2000))
        missed += any(not found.lo <= 0.5 <= found.hi for found in looks)
    assert missed / 300 <= 0.06


def test_no_interval_without_variation():
    for x in (np.zeros(1), np.full(100, 0.5)):
        assert math.isnan(confidence_sequence(x).lo)


def test_precision_needs_deals_and_a_known_width():
    def of(half, deals):
        return Interval(0.5, 0.5 - half, 0.5 + half, 0.1, deals, deals)

    assert precise_enough(of(0.0099, 64), 0.01)
    assert not precise_enough(of(0.011, 64), 0.01)
    assert not precise_enough(of(0.001, 63), 0.01)
    assert not precise_enough(of(math.nan, 100), 0.01)
