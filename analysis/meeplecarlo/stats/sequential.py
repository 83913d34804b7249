"""Looking at a study while it runs: when to stop, and intervals that hold however often one looks.

Looking at an ordinary interval after every deal, and stopping once it leaves out zero, finds an effect where there is
none in most studies. What may be watched: a sequential test, a confidence sequence, or the precision of the estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from meeplecarlo.stats.intervals import LEVEL, Interval
from meeplecarlo.stats.linear import ratio

LEAST_DEALS = 64  # with fewer, the variance is estimated too badly for a sequential decision
H0, H1, CONTINUE = "h0", "h1", "continue"


@dataclass(frozen=True)
class SequentialTest:
    """State of a sequential test after some deals.

    Attributes
    ----------
    llr : float
        Log-likelihood ratio of H1 against H0; 0 before `LEAST_DEALS` deals.
    lower, upper : float
        Bounds: H0 is accepted at or below `lower`, H1 at or above `upper`.
    decision : str
        `H0`, `H1` or `CONTINUE`.
    deals : int
    """

    llr: float
    lower: float
    upper: float
    decision: str
    deals: int


def sequential_test(
    block_means: np.ndarray, s0: float, s1: float, alpha: float = 0.05, beta: float = 0.05, least: int = LEAST_DEALS
) -> SequentialTest:
    """Return where a generalised sequential probability ratio test stands: is the mean `s0`, or rather `s1`?

    Parameters
    ----------
    block_means : ndarray, shape (m,)
        Mean of each deal (a win share, or a paired difference), in deal order.
    s0, s1 : float
        The means of the two hypotheses, in the same units; ``s0 < s1``.
    alpha, beta : float
        Probability of accepting H1 where the mean is `s0`, and H0 where it is `s1`; between 0 and 1/2.
    least : int
        Deals before which nothing is decided.

    Raises
    ------
    ValueError
        If ``s0 < s1`` or the ranges of `alpha` and `beta` do not hold.

    Notes
    -----
    With mean x and variance v (of single deals, the nuisance parameter, set to its estimate):
    ``llr = m (s1 - s0) (2 x - s0 - s1) / (2 v)``, the normal approximation of the generalised likelihood ratio. Bounds
    are Wald's, ``log(beta / (1 - alpha))`` and ``log((1 - beta) / alpha)``. Where nothing varied between deals the side
    of the middle that x is on decides.

    References
    ----------
    Wald 1945; M. Van den Bergh, "A practical introduction to the GSPRT" (normal approximation, used for chess engines).
    """
    if not s0 < s1:
        raise ValueError(f"s0 must be less than s1, got {s0} and {s1}.")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ValueError(f"alpha and beta must lie between 0 and 1/2, got {alpha} and {beta}.")
    x = np.asarray(block_means, np.float64)
    m = len(x)
    lower, upper = float(np.log(beta / (1 - alpha))), float(np.log((1 - beta) / alpha))
    if m < max(least, 2):
        return SequentialTest(0.0, lower, upper, CONTINUE, m)
    lead = 2 * x.mean() - s0 - s1
    variance = x.var()
    if variance > 0:
        llr = float(m * (s1 - s0) * lead / (2 * variance))
    else:
        llr = float(np.copysign(np.inf, lead)) if lead else 0.0
    decision = H1 if llr >= upper else H0 if llr <= lower else CONTINUE
    return SequentialTest(llr, lower, upper, decision, m)


def confidence_sequence(block_means: np.ndarray, tuned_for: int = 500, level: float = LEVEL) -> Interval:
    """Return an interval of the mean that may be looked at after every deal.

    With probability `level` all the intervals of a study hold the mean at once (asymptotically), so one may stop
    whenever one likes.

    Parameters
    ----------
    block_means : ndarray, shape (m,)
        Mean of each deal so far.
    tuned_for : int
        Number of deals at which the sequence is narrowest compared with a fixed interval (1.55 times as wide there).
    level : float
        Between 0 and 1.

    Notes
    -----
    Half-width ``sd sqrt(2 (m r + 1) / (m^2 r) log(sqrt(m r + 1) / a))`` with ``a = 1 - level`` and
    ``r = (-2 log a + log(1 - 2 log a)) / tuned_for``.

    References
    ----------
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, "Time-uniform central limit theory and asymptotic confidence
    sequences", Annals of Statistics 52, 2024.
    """
    statistic = ratio(block_means, 1)
    m, alpha = statistic.deals, 1 - level
    if m < 2 or not statistic.se > 0:
        return Interval(statistic.estimate, np.nan, np.nan, statistic.se, m, statistic.n)
    r = (-2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))) / tuned_for
    sd = float(np.std(block_means))
    half = sd * float(np.sqrt(2 * (m * r + 1) / (m * m * r) * np.log(np.sqrt(m * r + 1) / alpha)))
    e = statistic.estimate
    return Interval(e, e - half, e + half, statistic.se, m, statistic.n)


def precise_enough(interval: Interval, half_width: float, least: int = LEAST_DEALS) -> bool:
    """Return whether an ordinary interval is at most `half_width` to either side on average.

    Stopping once it is does not spoil the interval's coverage, as long as there are at least `least` deals: the width
    depends on the spread of the deals, hardly on where their mean lies.
    """
    return interval.deals >= least and bool((interval.hi - interval.lo) / 2 <= half_width)
