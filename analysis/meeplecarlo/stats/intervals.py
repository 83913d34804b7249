"""Intervals of shares, means, standard deviations and differences. The unit is the deal, never the game.

All of them are two-sided and have the given level (95 % by default). None is made up: from fewer than two deals, or
where nothing varied between deals so that the error cannot be estimated, `lo` and `hi` are nan.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from meeplecarlo.stats.linear import Linear, log_sd, ratio

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """An estimate with its Monte Carlo error.

    Attributes
    ----------
    estimate, lo, hi : float
        In the units of what was estimated; nan where it is not known.
    se : float
        Standard error of the estimate over deals.
    deals : int
        Deals the estimate rests on.
    n : float
        Observations (seats held, forests, games) in those deals.
    p : float
        For differences: two-sided p value of "no difference"; otherwise nan.
    """

    estimate: float
    lo: float
    hi: float
    se: float
    deals: int
    n: float
    p: float = np.nan


@lru_cache(maxsize=1024)
def t_quantile(df: float, level: float = LEVEL) -> float:
    """Return the half-width, in standard errors, of a t interval with `df` degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))


def t_test(estimate: float, se: float | None, deals: int) -> float:
    """Return the two-sided p value of "the true value is 0"; nan where the error is not known."""
    return _t_tail(estimate / se, deals - 1) if se and se > 0 else np.nan


def _t_tail(t: float, df: float) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


def without_interval(statistic: Linear) -> Interval:
    """Return the bare estimate: for what is fixed by construction, so that an interval would mean nothing."""
    return Interval(statistic.estimate, np.nan, np.nan, statistic.se, statistic.deals, statistic.n)


def t_interval(statistic: Linear, level: float = LEVEL) -> Interval:
    """Return ``estimate -+ t * se`` with one degree of freedom fewer than deals that hold observations."""
    se = statistic.se
    if not se > 0:
        return without_interval(statistic)
    half = t_quantile(statistic.deals - 1, level) * se
    e = statistic.estimate
    return Interval(e, e - half, e + half, se, statistic.deals, statistic.n)


def mean_interval(sums: np.ndarray, counts: np.ndarray | float = 1, level: float = LEVEL) -> Interval:
    """Return the mean per observation with its t interval over deals.

    Parameters
    ----------
    sums : ndarray, shape (B,)
        Sum of the quantity over each deal; the deal means themselves if `counts` is 1.
    counts : ndarray, shape (B,), or float
        Observations of each deal. They may differ and may be 0 (ratio estimator, see `stats.linear`).
    level : float
        Between 0 and 1.
    """
    return t_interval(ratio(sums, counts), level)


def share_interval(block_means: np.ndarray, k: float, level: float = LEVEL) -> Interval:
    """Return a share in [0, 1] from the shares of B deals of `k` observations each.

    See `share_of_sums` for the formula.

    Parameters
    ----------
    block_means : ndarray, shape (B,)
        Share in each deal, 0 to 1.
    k : float
        Observations per deal (games, or games times copies of a player).
    """
    return share_of_sums(np.asarray(block_means, np.float64) * k, k, level)


def share_of_sums(successes: np.ndarray, trials: np.ndarray | float, level: float = LEVEL) -> Interval:
    """Return the share ``sum(successes) / sum(trials)`` with its Wilson interval, deals being clusters.

    Parameters
    ----------
    successes : ndarray, shape (B,)
        Successes in each deal, from 0 to its trials; shared wins count as fractions.
    trials : ndarray, shape (B,), or float
        Trials in each deal; may differ and may be 0.
    level : float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If a deal has fewer than 0 successes or more than trials.

    Notes
    -----
    Wilson's score interval in which the effective number of observations ``p (1 - p) / var`` (var over deals) stands
    for the number of trials and the t quantile with B - 1 degrees of freedom for the normal one. The effective number
    may exceed the number of games: that is the gain from playing a deal in all seatings. Where nothing varied between
    deals (no success at all, say) the deals count as the observations, so 0 of n has an upper end.

    References
    ----------
    Wilson 1927; Franco, Little, Louis & Slud 2019 (effective sample size for clustered data, PMC6690503).
    """
    successes = np.asarray(successes, np.float64)
    if np.any(successes < 0) or np.any(successes > np.asarray(trials) * (1 + 1e-9)):
        raise ValueError("successes of a deal must lie between 0 and its trials.")
    statistic = ratio(successes, trials)
    p, variance = statistic.estimate, statistic.variance
    if statistic.deals < 2:
        return without_interval(statistic)
    n = p * (1 - p) / variance if variance > 0 else statistic.deals
    c = t_quantile(statistic.deals - 1, level)
    middle = (p + c * c / (2 * n)) / (1 + c * c / n)
    half = c * np.sqrt(max(p * (1 - p), 0.0) / n + c * c / (4 * n * n)) / (1 + c * c / n)
    # At 0 and 1 the ends meet the estimate but for rounding.
    lo, hi = min(max(0.0, middle - half), p), max(min(1.0, middle + half), p)
    return Interval(p, float(lo), float(hi), statistic.se, statistic.deals, statistic.n)


def sd_interval(counts: np.ndarray, sums: np.ndarray, squares: np.ndarray, level: float = LEVEL) -> Interval:
    """Return the standard deviation of single observations with its interval over deals.

    Parameters
    ----------
    counts, sums, squares : ndarray, shape (B,)
        Observations of each deal, the sum of their values and of their squared values.

    Returns
    -------
    Interval
        Estimate 0 without an interval where all observations are equal; nan with fewer than two observations.

    Notes
    -----
    With N observations in B deals, mean m and ``s^2 = sum(squares) / N - m^2 + var(m)``, the logarithm of s has the
    contributions u_d of single deals, to first order

        u_d = (squares_d - 2 m sums_d + m^2 counts_d - (s^2 - var(m)) counts_d) / (2 N s^2)
        se(log s) = sqrt(B / (B - 1) * sum_d u_d^2)
        interval = s * exp(-+ t * se(log s)),    se(s) = s * se(log s)

    and better by leaving out one deal at a time (`stats.linear.log_sd`).

    On the logarithmic scale the ends stay positive and the distribution is nearly symmetric.
    """
    statistic = log_sd(counts, sums, squares)
    if not np.isfinite(statistic.estimate):
        sd = 0.0 if statistic.n >= 2 else np.nan
        return Interval(sd, np.nan, np.nan, np.nan, statistic.deals, statistic.n)
    return _exponentiated(t_interval(statistic, level))


def quotient_interval(first: Linear, second: Linear, level: float = LEVEL) -> Interval:
    """Return how many times `first` is `second`, both logarithms (`stats.linear.log_sd`) of the same deals."""
    return _exponentiated(t_interval(first - second, level))


def _exponentiated(log: Interval) -> Interval:
    value = float(np.exp(log.estimate))
    return Interval(value, float(np.exp(log.lo)), float(np.exp(log.hi)), value * log.se, log.deals, log.n)


def difference(first: Linear, second: Linear, level: float = LEVEL) -> Interval:
    """Return ``first - second`` of two statistics of the same deals, with interval and p value."""
    statistic = first - second
    found = t_interval(statistic, level)
    if not found.se > 0:
        # The same in every deal: surely no difference if it is 0, and no measure of chance if it is not.
        return found if found.estimate != 0 or found.deals < 2 else Interval(**{**vars(found), "p": 1.0})
    return Interval(**{**vars(found), "p": _t_tail(found.estimate / found.se, found.deals - 1)})


def paired_difference(x: np.ndarray, y: np.ndarray, level: float = LEVEL) -> Interval:
    """Return the mean of ``x - y`` with a paired t interval and p value.

    Parameters
    ----------
    x, y : ndarray, shape (B,)
        Means of two players, or of two rule sets, in the same B deals.
    """
    return difference(ratio(x, 1), ratio(y, 1), level)


def independent_difference(first: Linear, second: Linear, level: float = LEVEL) -> Interval:
    """Return ``first - second`` of statistics of different deals: Welch's t, with interval and p value."""
    variances = np.array([first.variance, second.variance])
    estimate, deals = first.estimate - second.estimate, min(first.deals, second.deals)
    n = min(first.n, second.n)
    if not variances.sum() > 0:
        return Interval(estimate, np.nan, np.nan, float(np.sqrt(variances.sum())), deals, n)
    df = variances.sum() ** 2 / np.sum(variances**2 / np.array([first.deals - 1, second.deals - 1]))
    se = float(np.sqrt(variances.sum()))
    half = t_quantile(float(df), level) * se
    return Interval(estimate, estimate - half, estimate + half, se, deals, n, _t_tail(estimate / se, float(df)))
