"""Closed shares of variance: on results whose parts are known."""

import numpy as np
import pytest

from meeplecarlo.stats.luck import closed_share


def test_the_shares_of_a_sum_of_independent_parts():
    """A result that is skill + deal + rest with variances 1, 2 and 3."""
    rng = np.random.default_rng(2)
    n = 20_000

    def part(variance):
        return np.sqrt(variance) * rng.standard_normal(n)

    skill, deal = part(1), part(2)
    same_skill = closed_share(skill + part(2) + part(3), skill + part(2) + part(3))
    same_both = closed_share(skill + deal + part(3), skill + deal + part(3))
    nothing = closed_share(skill + deal + part(3), part(6))
    assert same_skill.estimate == pytest.approx(1 / 6, abs=0.03)
    assert same_both.estimate == pytest.approx(1 / 2, abs=0.03)
    assert nothing.estimate == pytest.approx(0, abs=0.03)
    assert abs(same_both.estimate - 1 / 2) < 4 * same_both.se


def test_equal_results_share_all():
    y = np.array([0.0, 1.0, 0.5, 1.0])
    assert closed_share(y, y).estimate == pytest.approx(1)
    assert closed_share(y.reshape(2, 2), y.reshape(2, 2)).deals == 2


def test_nothing_varies():
    assert np.isnan(closed_share(np.ones(10), np.ones(10)).estimate)


def test_results_must_be_paired():
    with pytest.raises(ValueError, match="pairs"):
        closed_share(np.zeros(3), np.zeros(4))
