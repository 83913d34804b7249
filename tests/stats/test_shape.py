"""How a game goes, on games made by hand, and the model of win probabilities on games with a known one."""

import math

import numpy as np
import pytest

from meeplecarlo.stats import shape


def test_margins():
    points = np.array([[10, 7, 3], [5, 5, 1], [4, 2, 4], [9, 9, 9]])
    ranks = np.array([[1, 2, 3], [1, 2, 3], [1, 3, 1], [0, 0, 0]])
    assert shape.margins(points, ranks) == pytest.approx([3, 0, 0, math.nan], nan_ok=True)


def test_a_tie_keeps_the_leader_and_the_first_leader_is_no_change():
    game = [[0, 0], [3, 1], [3, 3], [4, 3], [4, 6], [6, 6], [7, 6]]
    assert shape.leaders(np.array([game])).tolist() == [[-1, 0, 0, 0, 1, 1, 0]]
    assert shape.lead_changes(np.array([game, [[1, 0]] * 7, [[2, 2]] * 7])).tolist() == [2, 0, 0]


def test_comebacks():
    halftime = np.array([[5, 3, 1], [5, 3, 1], [5, 3, 1], [4, 4, 4], [5, 1, 1]])
    ranks = np.array([[1, 2, 3], [2, 1, 3], [3, 2, 1], [2, 1, 3], [2, 1, 1]])
    behind, last = shape.comebacks(halftime, ranks)
    assert behind.tolist() == [False, True, True, False, True]
    assert last.tolist() == [False, False, True, False, True]
    assert not any(part.any() for part in shape.comebacks(halftime, np.zeros((5, 3), int)))


def test_when_a_game_was_decided():
    p = np.array([[0.5, 0.95, 0.8, 0.92, 0.97], [0.95] * 5, [0.1] * 5, [0.95] * 5])
    probabilities = np.stack([p, 1 - p], axis=2)
    shares = np.array([[1, 0], [1, 0], [1, 0], [0.5, 0.5]])
    assert shape.decided_at(probabilities, shares).tolist() == [0.8, 0.2, 1.0, 1.0]


def test_drama_is_the_mean_root_of_what_the_winner_lacked_while_behind():
    p = np.array([[0.5, 0.32, 0.4, 0.9], [0.6, 0.7, 0.8, 0.9], [0.5] * 4])
    probabilities = np.stack([p, 1 - p], axis=2)
    shares = np.array([[1, 0], [1, 0], [0.5, 0.5]])
    expected = (math.sqrt(0.36) + math.sqrt(0.2)) / 2
    assert shape.drama(probabilities, shares) == pytest.approx([expected, 0, math.nan], nan_ok=True)


def test_entropy_of_choices():
    assert shape.choice_entropy(np.array([5, 5, 5])) == pytest.approx(1)
    assert shape.choice_entropy(np.array([5, 0, 0])) == 0
    assert shape.choice_entropy(np.array([1, 3])) == pytest.approx(-(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75)))
    assert math.isnan(shape.choice_entropy(np.array([3])))
    assert math.isnan(shape.choice_entropy(np.zeros(3)))


def random_walks(games: int, rounds: int = 6, seats: int = 3):
    """Return points by round and win shares of games in which seat 0 gets a point more a round."""
    rng = np.random.default_rng(11)
    steps = rng.integers(0, 7, (games, rounds, seats)) + np.array([1, 0, 0])
    by_round = steps.cumsum(axis=1)
    best = by_round[:, -1] == by_round[:, -1].max(axis=1, keepdims=True)
    return by_round, best / best.sum(axis=1, keepdims=True)


def test_probabilities_are_calibrated_and_sum_to_one():
    by_round, shares = random_walks(4000)
    fold = np.arange(4000) % 2 == 0
    p = shape.win_probabilities(by_round, shares, fold)
    assert p.sum(axis=2) == pytest.approx(np.ones((4000, 6)))
    expected = np.repeat(shares[:, None, :], 6, axis=1)
    assert shape.calibration_error(p[:, :5], expected[:, :5]) < 0.02
    assert p[:, 0].mean(axis=0) == pytest.approx(shares.mean(axis=0), abs=0.02)
    assert p[:, -1].max(axis=1).mean() > 0.9  # after the last round the points say all


def test_a_game_does_not_help_to_predict_itself():
    by_round, shares = random_walks(400)
    fold = np.arange(400) < 200
    p = shape.win_probabilities(by_round, shares, fold)
    shares[fold] = shares[fold][::-1]
    again = shape.win_probabilities(by_round, shares, fold)
    assert np.array_equal(p[fold], again[fold])
    assert not np.array_equal(p[~fold], again[~fold])


def test_calibration_error_by_hand():
    p = np.array([0.25, 0.25, 0.75, 0.75])
    assert shape.calibration_error(p, np.array([0, 0, 1, 1])) == pytest.approx(0.25)
    assert shape.calibration_error(p, np.array([0, 0.5, 1, 0.5])) == pytest.approx(0)
