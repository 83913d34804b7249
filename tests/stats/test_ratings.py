"""Plackett-Luce ratings: planted worths and seat effects come back, and symmetries hold."""

import numpy as np
import pytest

from meeplecarlo.stats.ratings import plackett_luce

WORTHS = np.array([0.6, 0.1, -0.2, -0.5])
SEATS = np.array([0.4, 0.0, -0.4])


def ranked_games(deals: int, seed: int = 5):
    """Return (players, ranks, deals) of games drawn from the model, three of four players at a time."""
    rng = np.random.default_rng(seed)
    games, ranks = [], []
    for _ in range(deals):
        base = rng.permutation(4)[:3]
        for rotation in range(3):
            players = np.roll(base, rotation)
            # Plackett-Luce is the order of worths with Gumbel noise.
            noisy = WORTHS[players] + SEATS + rng.gumbel(size=3)
            games.append(players)
            ranks.append((-noisy).argsort().argsort() + 1)
    return np.array(games), np.array(ranks), np.repeat(np.arange(deals), 3)


def test_planted_worths_and_seats_come_back_within_their_errors():
    found = plackett_luce(*ranked_games(1500), 4, replications=60)
    assert found.players == pytest.approx(WORTHS - WORTHS.mean(), abs=0.09)
    assert found.seats == pytest.approx(SEATS, abs=0.09)
    assert np.all((found.players_se > 0.01) & (found.players_se < 0.06))
    assert np.all(np.abs(found.players - (WORTHS - WORTHS.mean())) < 4 * found.players_se)
    assert found.elo == pytest.approx(found.players * 173.7178, rel=1e-5)


def test_renaming_the_players_renames_the_ratings():
    players, ranks, deals = ranked_games(200)
    found = plackett_luce(players, ranks, deals, 4, replications=0)
    renamed = plackett_luce(3 - players, ranks, deals, 4, replications=0)
    assert renamed.players[::-1] == pytest.approx(found.players, abs=1e-4)
    assert np.isnan(found.players_se).all()


def test_ties_make_equals():
    players = np.tile([[0, 1, 2], [1, 2, 0], [2, 0, 1]], (50, 1))
    found = plackett_luce(players, np.ones_like(players), np.repeat(np.arange(50), 3), 3, replications=0)
    assert found.players == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_player_that_always_wins_has_a_finite_rating():
    players = np.tile([[0, 1], [1, 0]], (100, 1))
    ranks = np.where(players == 0, 1, 2)
    found = plackett_luce(players, ranks, np.repeat(np.arange(100), 2), 2, replications=5)
    assert 3 < found.players[0] < 20
    assert np.isfinite(found.players_se).all()


def test_two_players_follow_the_share_of_wins():
    """With two seats the rating is the log-odds of the wins."""
    players = np.tile([[0, 1], [1, 0]], (500, 1))
    wins = np.arange(1000) % 10 < 6  # of player 0, as often in either seat
    ranks = np.where((players == 0) == wins[:, None], 1, 2)
    found = plackett_luce(players, ranks, np.repeat(np.arange(500), 2), 2, replications=0)
    assert found.players[0] - found.players[1] == pytest.approx(np.log(0.6 / 0.4), abs=0.01)
