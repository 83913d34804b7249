"""Intervals against values worked out by hand, and where there is nothing to make one from."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeplecarlo.stats.intervals import (
    difference,
    independent_difference,
    mean_interval,
    paired_difference,
    quotient_interval,
    sd_interval,
    share_interval,
    share_of_sums,
    t_interval,
    t_quantile,
    t_test,
)
from meeplecarlo.stats.linear import log_sd, ratio

NAN = pytest.approx(math.nan, nan_ok=True)


def test_t_quantile_is_the_textbook_value():
    assert t_quantile(4) == pytest.approx(2.7764, abs=1e-4)
    assert t_quantile(1e9) == pytest.approx(1.95996, abs=1e-4)


def test_mean_interval_by_hand():
    found = mean_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    se = math.sqrt(2.5 / 5)
    assert (found.estimate, found.se) == (3.0, pytest.approx(se))
    assert (found.lo, found.hi) == (pytest.approx(3 - 2.7764 * se, abs=1e-4), pytest.approx(3 + 2.7764 * se, abs=1e-4))
    assert (found.deals, found.n) == (5, 5)


def test_mean_of_unequal_deals_counts_observations_and_not_deals():
    """Two forests of 3 points in one deal, none in the second, four of 6 in the third: 30 points in 6 forests."""
    found = mean_interval(np.array([6.0, 0.0, 24.0]), np.array([2.0, 0.0, 4.0]))
    assert found.estimate == 5.0
    parts = np.array([6 - 5 * 2, 0, 24 - 5 * 4]) / 6
    assert found.se == pytest.approx(math.sqrt(3 / 2 * np.sum(parts**2)))
    assert found.deals == 2  # the empty deal says nothing
    assert found.hi - found.estimate == pytest.approx(t_quantile(1) * found.se)


def test_share_interval_is_wilson_when_games_are_independent():
    """With the variance of independent games, the effective number is the number of games (times B / (B - 1))."""
    rng = np.random.default_rng(1)
    wins = (rng.random(4000) < 0.3).astype(float)
    p, n, z = wins.mean(), len(wins) - 1, t_quantile(3999)
    found = share_interval(wins, 1)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert (found.lo, found.hi) == (pytest.approx(middle - half), pytest.approx(middle + half))


def test_share_interval_of_the_reference_formula():
    """The reference in full: effective number of games by the design effect, t quantile."""
    x, k = np.array([0.25, 0.5, 0.25, 0.75, 0.0, 0.5]), 4
    n_deals, p = len(x), x.mean()
    variance = x.var(ddof=1) / n_deals
    deff = variance / (p * (1 - p) / (n_deals * k))
    n, c = n_deals * k / deff, t_quantile(n_deals - 1)
    middle, d = (p + c * c / (2 * n)) / (1 + c * c / n), 1 + c * c / n
    half = c * math.sqrt(p * (1 - p) / n + c * c / (4 * n * n)) / d
    found = share_interval(x, k)
    assert (found.estimate, found.lo, found.hi) == (p, pytest.approx(middle - half), pytest.approx(middle + half))
    assert (found.deals, found.n) == (6, 24)


@pytest.mark.parametrize(("won", "lo_is_0", "hi_is_1"), [(0.0, True, False), (1.0, False, True)])
def test_share_of_none_and_of_all_has_a_finite_open_end(won, lo_is_0, hi_is_1):
    found = share_interval(np.full(200, won), 4)
    assert (found.lo == 0, found.hi == 1) == (lo_is_0, hi_is_1)
    open_end = found.hi if lo_is_0 else 1 - found.lo
    assert open_end == pytest.approx(0.0191, abs=2e-4)  # 200 deals count, not 800 games


@pytest.mark.parametrize("deals", [0, 1])
def test_no_interval_from_fewer_than_two_deals(deals):
    ones = np.ones(deals)
    spread = sd_interval(4 * ones, ones, ones)
    for found in (mean_interval(ones), share_interval(ones, 4), paired_difference(ones, 0 * ones), spread):
        assert (found.lo, found.hi, found.p) == (NAN, NAN, NAN)
        assert found.deals == deals


def test_no_interval_where_nothing_varies():
    same = np.full(10, 2.0)
    for found in (
        mean_interval(same),
        sd_interval(same * 2, same * 3 * 2, same * 9 * 2),
        paired_difference(same, same + 1),
    ):
        assert (found.lo, found.hi, found.p) == (NAN, NAN, NAN)
    assert sd_interval(same, same * 3, same * 9).estimate == 0
    equal = paired_difference(same, same)
    assert (equal.estimate, equal.p) == (0.0, 1.0)


def test_paired_difference_by_hand():
    x, y = np.array([3.0, 5.0, 4.0, 8.0]), np.array([1.0, 4.0, 4.0, 5.0])
    found = paired_difference(x, y)
    se = np.array([2.0, 1.0, 0.0, 3.0]).std(ddof=1) / 2
    assert (found.estimate, found.se) == (1.5, pytest.approx(se))
    assert found.p == pytest.approx(0.1027, abs=1e-4)  # scipy.stats.ttest_rel
    assert t_test(1.5, se, 4) == pytest.approx(found.p)


def test_independent_difference_is_welchs():
    x, y = np.array([3.0, 5.0, 4.0, 8.0, 1.0]), np.array([1.0, 4.0, 4.5])
    found = independent_difference(ratio(x, 1), ratio(y, 1))
    # scipy.stats.ttest_ind(x, y, equal_var=False)
    assert (found.p, found.lo, found.hi) == tuple(pytest.approx(v, abs=1e-4) for v in (0.5423, -2.9444, 5.0111))


def test_pairing_needs_the_same_deals():
    with pytest.raises(ValueError, match="3 and 2 deals"):
        difference(ratio(np.ones(3), 1), ratio(np.ones(2), 1))


def test_sd_of_independent_observations_is_the_sample_standard_deviation():
    x = np.random.default_rng(2).normal(5, 3, 50)
    assert sd_interval(np.ones(50), x, x**2).estimate == pytest.approx(x.std(ddof=1))


def test_sd_interval_agrees_with_a_bootstrap_of_deals():
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 6, 300).astype(float)
    values = [rng.gamma(2, 3, int(n)) + rng.normal(0, 2) for n in counts]
    sums, squares = (np.array([np.sum(v**power) for v in values]) for power in (1, 2))
    found = sd_interval(counts, sums, squares)
    draws = rng.integers(0, 300, (4000, 300))
    n, s, q = (a[draws].sum(axis=1) for a in (counts, sums, squares))
    spread = np.sqrt(q / n - (s / n) ** 2)
    assert found.se == pytest.approx(spread.std(), rel=0.06)
    assert (found.lo, found.hi) == tuple(pytest.approx(np.quantile(spread, x), rel=0.02) for x in (0.025, 0.975))


def test_quotient_of_a_spread_with_twice_itself_is_a_half_without_error():
    x = np.random.default_rng(4).normal(0, 1, (60, 3))
    single = log_sd(np.full(60, 3.0), x.sum(1), (x**2).sum(1))
    double = log_sd(np.full(60, 3.0), 2 * x.sum(1), 4 * (x**2).sum(1))
    found = quotient_interval(single, double)
    assert found.estimate == pytest.approx(0.5)
    assert found.se == NAN or found.se < 1e-12


def test_impossible_input_is_refused():
    with pytest.raises(ValueError, match="between 0 and its trials"):
        share_of_sums(np.array([2.0]), np.array([1.0]))
    with pytest.raises(ValueError, match="must not be negative"):
        ratio(np.array([1.0]), np.array([-1.0]))
    with pytest.raises(ValueError, match="one entry a deal"):
        ratio(np.ones(2), np.ones(3))


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=0, max_size=12).map(
        lambda rows: [(min(a, b), b) for a, b in rows]
    )
)
def test_a_share_interval_always_holds_the_share_and_stays_in_range(rows):
    wins, games = (np.array([r[i] for r in rows], float) for i in range(2))
    found = share_of_sums(wins, games)
    if np.count_nonzero(games) < 2:
        assert found.lo == NAN
    else:
        assert 0 <= found.lo <= found.estimate <= found.hi <= 1
        assert found.hi > found.lo
        turned = share_of_sums(games - wins, games)
        assert (turned.lo, turned.hi) == (pytest.approx(1 - found.hi), pytest.approx(1 - found.lo))


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.integers(-50, 50), max_size=5), min_size=2, max_size=8),
    st.integers(-100, 100),
    st.integers(1, 9),
)
def test_intervals_move_and_stretch_with_the_data(deals, shift, factor):
    """Adding a constant moves a mean and leaves a spread; a factor stretches both."""

    def sums(transform):
        return tuple(
            np.array([sum(transform(x) ** power for x in deal) for deal in deals], float) for power in (0, 1, 2)
        )

    plain, moved = sums(float), sums(lambda x: factor * x + shift)
    mean, other = t_interval(ratio(plain[1], plain[0])), t_interval(ratio(moved[1], moved[0]))
    spread, wider = sd_interval(*plain), sd_interval(*moved)
    assert other.estimate == pytest.approx(factor * mean.estimate + shift, abs=1e-9, nan_ok=True)
    assert other.lo == pytest.approx(factor * mean.lo + shift, abs=1e-6, nan_ok=True)
    assert wider.estimate == pytest.approx(factor * spread.estimate, abs=1e-6, nan_ok=True)
    assert wider.hi == pytest.approx(factor * spread.hi, rel=1e-6, nan_ok=True)
