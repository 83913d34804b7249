"""The promise of an interval: of 95 % intervals about 95 in 100 hold the true value, games of a deal being alike."""

import numpy as np
import pytest

from meeplecarlo.stats.intervals import paired_difference, sd_interval, share_interval
from meeplecarlo.stats.multiple import seat_test

STUDIES = 1000


def holds(intervals, truth):
    """Share of intervals that hold the truth."""
    return np.mean([found.lo <= truth <= found.hi for found in intervals])


@pytest.mark.parametrize("deals", [20, 200])
@pytest.mark.parametrize("p", [0.06, 0.25])
def test_share_interval_covers_when_games_of_a_deal_are_alike(deals, p):
    """Four games a deal, with the win probability drawn for each deal (intraclass correlation 0.3)."""
    rng = np.random.default_rng([deals, int(100 * p)])
    a, b = p * (1 / 0.3 - 1), (1 - p) * (1 / 0.3 - 1)
    shares = rng.binomial(4, rng.beta(a, b, (STUDIES, deals))) / 4
    assert 0.925 <= holds([share_interval(x, 4) for x in shares], p) <= 0.985


def test_share_interval_is_narrower_where_seatings_cancel_the_luck():
    """Exactly one of two seatings won, nearly always: far better known than from independent games."""
    rng = np.random.default_rng(5)
    shares = np.where(rng.random((STUDIES, 100)) < 0.1, rng.integers(0, 2, (STUDIES, 100)), 0.5)
    found = [share_interval(x, 2) for x in shares]
    assert 0.93 <= holds(found, 0.5) <= 0.975
    independent = 2 * 1.96 * np.sqrt(0.25 / 200)
    assert np.mean([f.hi - f.lo for f in found]) < 0.5 * independent


@pytest.mark.parametrize("deals", [30, 300])
def test_sd_interval_covers_with_clusters_of_unequal_size(deals):
    """Skewed values with an effect of the deal, none to five of them a deal."""
    rng = np.random.default_rng(deals)
    truth = np.sqrt(2 * 3**2 + 2**2)
    found = []
    for _ in range(STUDIES):
        counts = rng.integers(0, 6, deals)
        deal = np.repeat(np.arange(deals), counts)
        x = rng.gamma(2, 3, len(deal)) + rng.normal(0, 2, deals)[deal]
        found.append(sd_interval(*(np.bincount(deal, x**power, deals) for power in (0, 1, 2))))
    assert (0.91 if deals == 30 else 0.93) <= holds(found, truth) <= 0.97


def test_paired_difference_and_seat_test_are_wrong_in_one_of_twenty():
    rng = np.random.default_rng(6)
    wrong_pair = wrong_seats = 0
    for _ in range(STUDIES):
        winner = rng.integers(0, 3, 60)
        shares = 0.4 * np.eye(3)[winner] + 0.2
        wrong_pair += paired_difference(shares[:, 0], shares[:, 1]).p < 0.05
        wrong_seats += seat_test(shares) < 0.05
    assert 0.03 <= wrong_pair / STUDIES <= 0.07
    assert 0.03 <= wrong_seats / STUDIES <= 0.07
