"""Stopping rules: how they are written, and when they are met."""

import math

import numpy as np
import pytest

from meeplecarlo.errors import UsageError
from meeplecarlo.stats.intervals import Interval
from meeplecarlo.studies.stopping import CI, GAMES, SPRT, Stopping


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("games=20000", GAMES, 20_000),
        ("games=1e5", GAMES, 100_000),
        ("games=10_000", GAMES, 10_000),
        ("ci=1pp", CI, 0.01),
        ("ci=0.5 pp", CI, 0.005),
        ("ci=0.01", CI, 0.01),
        (" sprt=2pp ", SPRT, 0.02),
    ],
)
def test_rules_are_read(text, kind, value):
    found = Stopping.parse(text)
    assert (found.kind, found.value) == (kind, pytest.approx(value))
    assert Stopping.parse(found.text()) == found


def test_where_the_result_is_shared_sizes_are_points():
    assert Stopping.parse("ci=0.05", shared_result=True).value == 0.05
    assert Stopping.parse("sprt=2", shared_result=True).value == 2
    with pytest.raises(UsageError, match="in points, not in pp"):
        Stopping.parse("ci=1pp", shared_result=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game=9", "unknown stopping rule 'game'; did you mean 'games'"),
        ("ci", "--until ci needs a value"),
        ("ci=", "cannot read ''"),
        ("ci=-1pp", "cannot read '-1pp'"),
        ("ci=1%", "cannot read '1%'"),
        ("ci=0", "must be above 0 and at most 50pp"),
        ("ci=51pp", "must be above 0 and at most 50pp"),
        ("games=0", "whole number of games"),
        ("games=1.5", "whole number of games"),
        ("games=5pp", "whole number of games"),
    ],
)
def test_what_is_no_rule_is_refused_in_one_sentence(text, message):
    with pytest.raises(UsageError, match=message):
        Stopping.parse(text)


def test_precision_must_hold_for_every_interval():
    def of(half, deals=100):
        return Interval(0.5, 0.5 - half, 0.5 + half, half / 2, deals, deals)

    rule = Stopping(CI, 0.01)
    assert rule.reached([of(0.009), of(0.005)], None)
    assert not rule.reached([of(0.009), of(0.02)], None)
    assert not rule.reached([of(0.009), of(math.nan)], None)


def test_the_test_decides_both_ways_and_for_nothing():
    rng = np.random.default_rng(4)
    rule = Stopping(SPRT, 0.05)
    noise = 0.5 * rng.standard_normal(4000)
    noise -= noise.mean()
    assert rule.decision(noise + 0.05) == "ahead"
    assert rule.decision(noise - 0.05) == "behind"
    assert rule.decision(noise) == "no such difference"
    assert rule.decision(noise[:70] - noise[:70].mean()) == "open"
    assert rule.reached([], noise + 0.05)
    assert not rule.reached([], noise[:63] + 5)
