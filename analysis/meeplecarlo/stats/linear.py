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

ROUNDING = 1e-12  # relative size below which a difference between deals is an error of arithmetic


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
    parts[np.abs(parts) * total <= ROUNDING * (np.abs(sums) + np.abs(estimate) * counts)] = 0.0
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
    m is wrong by is missing from the squared distances to it. To first order a deal contributes

        (squares - 2 m sums + m^2 counts - spread counts) / (2 N var)        with spread = var - v

    to the logarithm of the standard deviation (delta method). What is used is the delete-one-deal jackknife, the same
    but for terms of the order 1 / B, with ``l_d`` the logarithm without deal d and ``l`` the mean of these:

        (B - 1) / B * (l - l_d)

    With few deals and skewed values its intervals hold the truth more often (30 deals of up to five values from a gamma
    distribution: 92 % instead of 90 %; 10 deals: 91 % instead of 85 %). Where leaving out one deal leaves no spread,
    the first-order contributions stand in.
    """
    counts, sums, squares = (np.asarray(a, np.float64) for a in (counts, sums, squares))
    n_deals, total, mean = len(counts), counts.sum(), ratio(sums, counts)
    unknown = Linear(np.nan, np.zeros(n_deals), mean.deals, float(total))
    if total < 2:
        return unknown
    m, second = mean.estimate, squares.sum() / total
    # Sums of squared distances to the mean, per deal: never negative but for rounding.
    distances = np.maximum(squares - 2 * m * sums + m * m * counts, 0.0)
    spread = distances.sum() / total
    if spread <= ROUNDING * second:
        return unknown
    variance = spread + (mean.variance if mean.deals >= 2 else spread / (total - 1))
    first_order = distances - spread * counts
    first_order[np.abs(first_order) <= ROUNDING * (squares + (m * m + spread) * counts)] = 0.0
    parts = first_order / (2 * total * variance)
    others = total - counts
    if np.any(first_order) and np.all(others > 0):
        # The distances are to m; without a deal the mean is off m by `shift`.
        shift = (sums.sum() - sums - m * others) / others
        without = (distances.sum() - distances) / others - shift**2
        if np.all(without > ROUNDING * second):
            logs = np.log(without) / 2
            parts = (n_deals - 1) / n_deals * (logs.mean() - logs)
    return Linear(float(np.log(variance) / 2), parts, mean.deals, float(total))
