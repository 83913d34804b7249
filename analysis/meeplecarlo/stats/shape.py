"""How a game goes: margins, lead changes, comebacks, when it was decided, drama.

All functions take arrays of games and return one number a game (or a mask with it); averaging over deals, with
intervals, is left to `stats.intervals`.
"""

from __future__ import annotations

import numpy as np


def margins(points: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return by how many points the winner is ahead of the runner-up.

    Parameters
    ----------
    points : ndarray, shape (G, P)
        Final points by seat, P at least 2.
    ranks : ndarray of int, shape (G, P)
        Final ranks by seat, 1 is best; tie-breaks count. 0 throughout a truncated game.

    Returns
    -------
    ndarray of float64, shape (G,)
        0 in a game that was shared or won on a tie-break; nan in a truncated game.
    """
    points = np.asarray(points, np.float64)
    order = np.sort(points, axis=1)
    lead = order[:, -1] - order[:, -2]
    return np.where(np.asarray(ranks).max(axis=1) == 0, np.nan, lead)


def leaders(by_round: np.ndarray) -> np.ndarray:
    """Return who led after each round: the last seat that was ahead of all others alone.

    Parameters
    ----------
    by_round : ndarray, shape (G, T, P)
        Points so far after each of T rounds.

    Returns
    -------
    ndarray of int64, shape (G, T)
        -1 as long as no seat has been ahead alone. A tie keeps the old leader.
    """
    by_round = np.asarray(by_round)
    best = by_round.max(axis=2, keepdims=True)
    alone = (by_round == best).sum(axis=2) == 1
    first = by_round.argmax(axis=2)
    led = np.full(first.shape, -1, np.int64)
    before = np.full(len(first), -1, np.int64)
    for t in range(first.shape[1]):
        before = np.where(alone[:, t], first[:, t], before)
        led[:, t] = before
    return led


def lead_changes(by_round: np.ndarray) -> np.ndarray:
    """Return how often the lead passed from one seat to another.

    The first leader is no change, nor is a tie or its end in favour of the old leader.

    Parameters
    ----------
    by_round : ndarray, shape (G, T, P)
        Points so far after each of T rounds.

    Returns
    -------
    ndarray of int64, shape (G,)
    """
    led = leaders(by_round)
    return ((led[:, 1:] != led[:, :-1]) & (led[:, :-1] >= 0)).sum(axis=1)


def comebacks(halftime: np.ndarray, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return in which games a winner was behind at half-time, and was last.

    Parameters
    ----------
    halftime : ndarray, shape (G, P)
        Points at half-time.
    ranks : ndarray of int, shape (G, P)
        Final ranks; 1 is best.

    Returns
    -------
    behind, last : ndarray of bool, shape (G,)
        No winner was among the leaders at half-time; every winner was last (and not all were level).
    """
    halftime = np.asarray(halftime)
    won = np.asarray(ranks) == 1
    led = halftime == halftime.max(axis=1, keepdims=True)
    trailed = (halftime == halftime.min(axis=1, keepdims=True)) & ~led
    any_winner = won.any(axis=1)
    return any_winner & ~(won & led).any(axis=1), any_winner & (~won | trailed).all(axis=1)


def win_probabilities(by_round: np.ndarray, win_shares: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Return each seat's estimated probability of winning after each round.

    A multinomial logit per round on the points less the table's mean, with a constant for each seat. Games of one fold
    are judged by the model fitted to the others, so that no game helps to predict itself.

    Parameters
    ----------
    by_round : ndarray, shape (G, T, P)
        Points so far after each of T rounds.
    win_shares : ndarray, shape (G, P)
        1 / number of winners for a winner, 0 for others; rows sum to 1.
    fold : ndarray of bool, shape (G,)
        Which half a game belongs to; all games of a deal in the same.

    Returns
    -------
    ndarray of float64, shape (G, T, P)
    """
    by_round, win_shares = np.asarray(by_round, np.float64), np.asarray(win_shares, np.float64)
    fold = np.asarray(fold, bool)
    found = np.empty(by_round.shape)
    centred = by_round - by_round.mean(axis=2, keepdims=True)
    for t in range(by_round.shape[1]):
        for half in (False, True):
            train, test = fold != half, fold == half
            model = _fit_logit(centred[train, t], win_shares[train])
            found[test, t] = _logit(model, centred[test, t])
    return found


def _logit(model: np.ndarray, x: np.ndarray) -> np.ndarray:
    worth = model[0] * x + np.append(0.0, model[1:])
    worth -= worth.max(axis=1, keepdims=True)
    odds = np.exp(worth)
    return odds / odds.sum(axis=1, keepdims=True)


def _fit_logit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return slope and seat constants (seat 0 has none) of greatest likelihood; a weak pull to 0 keeps them finite."""
    from scipy.optimize import minimize

    n_seats = x.shape[1]
    scale = x.std() or 1.0

    def loss(model):
        p = _logit(model, x / scale)
        error = p - y
        value = -np.sum(y * np.log(np.maximum(p, 1e-300))) + 0.5 * np.sum(model**2)
        slope = np.concatenate([[np.sum(error * x / scale)], error[:, 1:].sum(axis=0)]) + model
        return value, slope

    model = minimize(loss, np.zeros(n_seats), jac=True, method="BFGS").x
    return np.concatenate([[model[0] / scale], model[1:]])


def calibration_error(probabilities: np.ndarray, outcomes: np.ndarray, bins: int = 10) -> float:
    """Return the expected calibration error: by how much probabilities differ from what then happened, on average.

    Parameters
    ----------
    probabilities, outcomes : ndarray, any equal shape
        0 to 1.
    bins : int
        Equally wide bins of probability.
    """
    p, y = np.ravel(probabilities), np.ravel(outcomes)
    index = np.minimum((p * bins).astype(int), bins - 1)
    gap = np.bincount(index, p - y, bins)
    return float(np.abs(gap).sum() / len(p))


def decided_at(probabilities: np.ndarray, win_shares: np.ndarray, sure: float = 0.9) -> np.ndarray:
    """Return the share of the game after which the eventual winner's probability stays at least `sure`.

    Parameters
    ----------
    probabilities : ndarray, shape (G, T, P)
    win_shares : ndarray, shape (G, P)

    Returns
    -------
    ndarray of float64, shape (G,)
        Of T rounds, 1/T to 1; 1 where it never was sure before the end, or the game was shared.
    """
    won = _of_winner(probabilities, win_shares)
    n_rounds = won.shape[1]
    unsure = ~(won >= sure)  # nan, in a shared game, is not sure
    last = np.where(unsure.any(axis=1), n_rounds - np.argmax(unsure[:, ::-1], axis=1), 0)
    return np.minimum(last + 1, n_rounds) / n_rounds


def drama(probabilities: np.ndarray, win_shares: np.ndarray) -> np.ndarray:
    """Return how far behind the eventual winner was while it was behind.

    The mean, over the rounds after which the winner's probability is not the greatest, of the square root of what it
    lacked to the greatest; 0 if it was never behind, nan in a shared game.

    Parameters
    ----------
    probabilities : ndarray, shape (G, T, P)
    win_shares : ndarray, shape (G, P)

    Returns
    -------
    ndarray of float64, shape (G,), 0 to 1

    References
    ----------
    Browne & Maire, "Evolutionary game design", IEEE TCIAIG 2, 2010.
    """
    won = _of_winner(probabilities, win_shares)
    gap = np.asarray(probabilities).max(axis=2) - won
    behind = gap > 0
    total = np.where(behind, np.sqrt(np.where(behind, gap, 0.0)), 0.0).sum(axis=1)
    found = total / np.maximum(behind.sum(axis=1), 1)
    return np.where(np.isnan(won).any(axis=1), np.nan, found)


def _of_winner(probabilities: np.ndarray, win_shares: np.ndarray) -> np.ndarray:
    """Return the winner's probability by round, shape (G, T); nan where the win was shared or there was none."""
    probabilities, win_shares = np.asarray(probabilities, np.float64), np.asarray(win_shares, np.float64)
    winner = win_shares.argmax(axis=1)
    found = np.take_along_axis(probabilities, winner[:, None, None], axis=2)[:, :, 0]
    return np.where((win_shares.max(axis=1) == 1)[:, None], found, np.nan)


def choice_entropy(picks: np.ndarray) -> float:
    """Return how evenly options are picked: Shannon's entropy over its greatest value.

    Parameters
    ----------
    picks : ndarray, shape (m,)
        How often each option was picked.

    Returns
    -------
    float
        0 (always the same) to 1 (all equally often); nan for fewer than two options or no picks.
    """
    picks = np.asarray(picks, np.float64)
    if len(picks) < 2 or picks.sum() == 0:
        return np.nan
    p = picks[picks > 0] / picks.sum()
    return float(-(p * np.log(p)).sum() / np.log(len(picks)))
