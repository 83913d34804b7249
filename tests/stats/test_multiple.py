"""Tests of several things at once against values worked out by hand."""

import numpy as np
import pytest

from meeplecarlo.stats.intervals import paired_difference
from meeplecarlo.stats.multiple import holm, seat_test


def test_holm_by_hand():
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])


def test_holm_never_exceeds_one_and_leaves_out_tests_not_made():
    assert holm(np.array([0.9, np.nan, 0.8])) == pytest.approx([1.0, np.nan, 1.0], nan_ok=True)
    assert holm(np.array([])).shape == (0,)
    assert np.isnan(holm(np.array([np.nan]))).all()


def test_seat_test_of_two_seats_is_the_t_test():
    first = np.random.default_rng(1).random(40)
    assert seat_test(np.column_stack([first, 1 - first])) == pytest.approx(paired_difference(first, 1 - first).p)


@pytest.mark.parametrize(
    "shares", [np.zeros((0, 3)), np.full((1, 4), 0.25), np.full((50, 4), 0.25), np.tile([1.0, 0.0, 0.0], (9, 1))]
)
def test_seat_test_says_nothing_without_enough_variation(shares):
    assert np.isnan(seat_test(shares))
