"""Estimates as sums over deals: ratios, standard deviations and their differences, with cluster-robust errors.

The games of a deal share its cards and are not independent; deals are. So each statistic is written as its value
plus a sum of one contribution per deal (its linearisation, also called influence values), and its variance is read
off the contributions:

    var = B / (B - 1) * sum(contribution ** 2)        for B deals

This is the delta method with deals as clusters. It needs no equal number of observations per deal (a deal may hold
three summer forests or none), and the difference of two statistics of the same deals is the difference of their
contributions, so pairing costs nothing.

References
----------
Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3 (ratio estimator); Wolter, Introduction to Variance
Estimation, 2nd ed., 2007, chapter 6 (linearisation with clusters).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Linear:
    """A statistic and what each deal contributes to its deviation.

    Attributes
    ----------
    estimate : float
        nan if there were no observations.
    parts : ndarray of float64, shape (B,)
        Contribution of each deal, in units of the estimate; they sum to 0.
    deals : int
        Deals that hold at least one observation, at most B.
    n : float
        Observations.
    """

    estimate: float
    parts: np.ndarray
    deals: int
    n: float

    @property
    def variance(self) -> float:
        """Estimated variance of the estimate; nan with fewer than two deals that hold observations."""
        n_deals = len(self.parts)
        if self.deals < 2 or not np.isfinite(self.estimate):
            return np.nan
        return float(n_deals / (n_deals - 1) * np.sum(self.parts**2))

    @property
    def se(self) -> float:
        """Standard error of the estimate; nan with fewer than two deals that hold observations."""
        return float(np.sqrt(self.variance))

    def __sub__(self, other: Linear) -> Linear:
        """Return the difference of two statistics of the same deals, in the same order."""
        if len(self.parts) != len(other.parts):
            raise ValueError(
                f"statistics of {len(self.parts)} and {len(other.parts)} deals cannot be paired; "
                "use `intervals.independent_difference`."
            )
        deals = min(self.deals, other.deals)
        return Linear(self.estimate - other.estimate, self.parts - other.parts, deals, min(self.n, other.n))


def ratio(sums: np.ndarray, counts: np.ndarray | float) -> Linear:
    """Return the mean per observation, ``sum(sums) / sum(counts)``.

    Parameters
    ----------
    sums : ndarray, shape (B,)
        Sum of the quantity over the observations of each deal.
    counts : ndarray, shape (B,), or float
        Observations of each deal, at least 0; a number when all deals hold as many.

    Raises
    ------
    ValueError
        If the shapes differ or a count is negative.
    """
    sums = np.asarray(sums, np.float64)
    counts = np.broadcast_to(np.asarray(counts, np.float64), sums.shape) if np.ndim(counts) == 0 else counts
    counts = np.asarray(counts, np.float64)
    if sums.ndim != 1 or sums.shape != counts.shape:
        raise ValueError(f"sums and counts need one entry a deal each, got shapes {sums.shape} and {counts.shape}.")
    if np.any(counts < 0):
        raise ValueError(f"counts must not be negative, got {counts.min()}.")
    total = counts.sum()
    if total == 0:
        return Linear(np.nan, np.zeros(len(sums)), 0, 0)
    estimate = sums.sum() / total
    parts = (sums - estimate * counts) / total
    # What rounding leaves of equal deals is no variation.
    parts[np.abs(parts) * total <= 1e-12 * (np.abs(sums) + np.abs(estimate) * counts)] = 0.0
    return Linear(float(estimate), parts, int(np.count_nonzero(counts)), float(total))


def log_sd(counts: np.ndarray, sums: np.ndarray, squares: np.ndarray) -> Linear:
    """Return the natural logarithm of the standard deviation of single observations.

    Parameters
    ----------
    counts, sums, squares : ndarray, shape (B,)
        Observations of each deal, the sum of their values and of their squared values.

    Returns
    -------
    Linear
        Its estimate is nan where the standard deviation is 0 or there are fewer than two observations. Exponentiate
        the estimate to get the standard deviation; a difference of two is the logarithm of their quotient.

    Notes
    -----
    With N observations of mean m, ``var = sum(squares) / N - m^2 + v``, where v is the variance of m over deals: what
    m is wrong by is missing from the squared distances to it. A deal contributes
    ``(squares - 2 m sums + m^2 counts - var counts) / (2 N var)`` to the logarithm of the standard deviation.
    """
    counts, sums, squares = (np.asarray(a, np.float64) for a in (counts, sums, squares))
    mean = ratio(sums, counts)
    total, m = counts.sum(), mean.estimate
    if total < 2:
        return Linear(np.nan, np.zeros(len(counts)), mean.deals, float(total))
    # Sums of squared distances to the mean, per deal: never negative but for rounding.
    distances = np.maximum(squares - 2 * m * sums + m * m * counts, 0.0)
    spread = distances.sum() / total
    if spread <= 1e-12 * max(1.0, m * m):
        return Linear(np.nan, np.zeros(len(counts)), mean.deals, float(total))
    variance = spread + (mean.variance if mean.deals >= 2 else spread / (total - 1))
    parts = (distances - spread * counts) / (2 * total * variance)
    return Linear(float(np.log(variance) / 2), parts, mean.deals, float(total))
