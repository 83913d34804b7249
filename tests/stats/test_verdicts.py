"""Verdicts and planning figures against values worked out by hand."""

import math

import numpy as np
import pytest

from meeplecarlo.stats.intervals import share_interval, t_quantile
from meeplecarlo.stats.linear import ratio
from meeplecarlo.stats.verdicts import (
    EQUIVALENT,
    STRONGER,
    UNDECIDED,
    WEAKER,
    deals_needed,
    design_effect,
    detectable,
    elo_of_share,
    equivalence_p,
    games_to_lead,
    verdict,
)


def spread(mean: float, sd: float, deals: int):
    """Return a statistic of deals with exactly this mean and standard deviation."""
    x = np.tile([-1.0, 1.0], deals // 2)
    return ratio(mean + sd * x * math.sqrt((deals - 1) / deals), 1)


@pytest.mark.parametrize(
    ("mean", "sd", "deals", "expected"),
    [
        (0.03, 0.2, 400, STRONGER),
        (-0.03, 0.2, 400, WEAKER),
        (0.001, 0.1, 400, EQUIVALENT),
        (0.012, 0.1, 400, STRONGER),  # sure, though small
        (0.01, 0.2, 400, UNDECIDED),
        (0.0, 0.5, 20, UNDECIDED),
    ],
)
def test_the_four_verdicts(mean, sd, deals, expected):
    assert verdict(spread(mean, sd, deals)) == expected


def test_nothing_varied():
    assert verdict(ratio(np.zeros(50), 1)) == EQUIVALENT
    assert verdict(ratio(np.full(50, 0.3), 1)) == STRONGER  # 50 deals, all in favour of the same
    assert verdict(ratio(np.full(50, -0.3), 1)) == WEAKER
    assert verdict(ratio(np.full(5, 0.3), 1)) == UNDECIDED
    assert verdict(ratio(np.ones(1), 1)) == UNDECIDED


def test_equivalence_agrees_with_its_interval():
    """The two one-sided tests reject at 5 % exactly when the 90 % interval lies within the margin."""
    for mean in np.linspace(-0.03, 0.03, 25):
        statistic = spread(mean, 0.1, 200)
        half = t_quantile(199, 0.9) * statistic.se
        assert (equivalence_p(statistic, 0.02) < 0.05) == (abs(mean) + half < 0.02)


def test_what_could_be_found():
    assert detectable(1.0) == pytest.approx(2.8016, abs=1e-4)
    assert deals_needed(0.01, 0.5) == 19_623
    assert detectable(0.5 / math.sqrt(deals_needed(0.01, 0.5))) == pytest.approx(0.01, rel=1e-3)


def test_the_design_effect_of_swapped_pairs():
    """In pairs that are always won once nothing varies; half of them decided twice gives half the naive variance."""
    block_means = np.tile([0.0, 0.5, 1.0, 0.5], 100)
    found = design_effect(share_interval(block_means, 2), 800)
    assert found == pytest.approx(0.125 * 400 / 399 / 400 / (0.25 / 800))
    assert math.isnan(design_effect(share_interval(np.full(100, 0.5), 2), 200))


def test_elo():
    assert elo_of_share(0.5, 2) == 0
    assert elo_of_share(0.51, 2) == pytest.approx(6.95, abs=0.01)
    assert elo_of_share(1 / 4, 4) == pytest.approx(0)
    assert elo_of_share(0.26, 4) == pytest.approx(9.1, abs=0.1)
    assert (elo_of_share(0.0, 2), elo_of_share(1.0, 2)) == (-math.inf, math.inf)


def test_games_until_the_better_leads():
    assert games_to_lead(1.0, 1.0) == math.ceil(1.6449**2)
    assert games_to_lead(0.02, 1.0) == math.ceil((1.644854 / 0.02) ** 2)
    assert games_to_lead(0.0, 1.0) == math.inf
    assert games_to_lead(0.5, 0.0) == 1
    assert math.isnan(games_to_lead(0.5, math.nan))
