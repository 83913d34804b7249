"""Numbers as text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meeplecarlo.report.formats import decimals_for, format_estimate, format_number, format_p, join_words, plural


@pytest.mark.parametrize(
    ("se", "decimals"), [(0.35, 1), (0.07, 2), (0.6, 1), (1.2, 0), (12, 0), (1e-9, 4), (0, 1), (math.nan, 1), (None, 1)]
)
def test_decimals_follow_the_error(se, decimals):
    assert decimals_for(se) == decimals


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None])
def test_what_is_not_known_is_a_dash(value):
    assert format_number(value) == format_estimate(value, value, value) == format_p(value) == "–"


def test_an_estimate_without_interval_has_no_parentheses():
    assert format_estimate(0.25, math.nan, None, scale=100, unit=" %") == "25.0 %"


def test_signs_of_differences():
    assert format_estimate(0.02, -0.01, 0.05, scale=100, sign=True) == "+2 (−1 to +5)"
    assert format_number(0, sign=True) == format_number(-0.001, 1)[0:1] == "0"


def test_no_more_than_four_figures():
    assert format_estimate(32.95215, 32.93, 32.97, 1e-5) == "32.95 (32.93 to 32.97)"
    assert format_estimate(-24.98, se=1e-6) == "−24.98"


@given(st.floats(allow_nan=True, allow_infinity=True), st.floats(allow_nan=True, allow_infinity=True))
def test_no_nan_or_infinity_is_ever_written(value, other):
    for text in (
        format_estimate(value, other, value, other),
        format_estimate(value, None, None, other),
        format_p(value),
    ):
        assert "nan" not in text
        assert "inf" not in text


def test_words():
    assert join_words([]) == ""
    assert plural(0, "deal") == "0 deals"
