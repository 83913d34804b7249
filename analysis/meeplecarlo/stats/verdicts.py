"""From an estimate to what may be said about it: four verdicts, and what a study could have missed."""

from __future__ import annotations

import math

import numpy as np

from meeplecarlo.stats.intervals import Interval, t_interval, t_test
from meeplecarlo.stats.linear import Linear

STRONGER, WEAKER, EQUIVALENT, UNDECIDED = "stronger", "weaker", "equivalent", "undecided"
VERDICTS = (STRONGER, WEAKER, EQUIVALENT, UNDECIDED)
MARGIN = 0.02  # of win share: what counts as no difference worth speaking of, unless told otherwise
POWER = 0.8


def equivalence_p(statistic: Linear, margin: float) -> float:
    """Return the p value of "the true value lies outside -margin to margin" (two one-sided t tests).

    Parameters
    ----------
    statistic : Linear
        A difference, in the units of `margin`.
    margin : float
        Positive.

    Returns
    -------
    float
        nan where the error is not known.

    References
    ----------
    Schuirmann 1987 (TOST).
    """
    from scipy.special import stdtr

    if not statistic.se > 0:
        return np.nan
    below = (statistic.estimate + margin) / statistic.se
    above = (margin - statistic.estimate) / statistic.se
    return float(stdtr(statistic.deals - 1, -min(below, above)))


def difference_p(statistic: Linear) -> float:
    """Return the two-sided p value of "the true difference is 0".

    A t test over deals. Where the difference is the same in every deal, so that its error cannot be estimated, a sign
    test: that B deals all favour the same side has the probability 2^(1 - B). nan with fewer than two deals.
    """
    if statistic.deals < 2:
        return np.nan
    if statistic.se > 0:
        return t_test(statistic.estimate, statistic.se, statistic.deals)
    return 1.0 if statistic.estimate == 0 else 2.0 ** (1 - statistic.deals)


def verdict(statistic: Linear, margin: float = MARGIN, level: float = 0.95) -> str:
    """Return one of `VERDICTS` on a difference.

    Stronger or weaker if its two-sided interval leaves out 0; else equivalent if the interval of two one-sided tests
    at the same error (90 % for 95 %) lies within the margin; else undecided. An effect can be sure and smaller than the
    margin: it is then called stronger or weaker, and its size says that it does not matter.

    Parameters
    ----------
    statistic : Linear
        The difference: of a win share and parity, of two players, of two rule sets.
    margin : float
        Positive, in units of the statistic.
    """
    if statistic.deals < 2:
        return UNDECIDED
    if not statistic.se > 0:
        if statistic.estimate == 0:
            return EQUIVALENT
        sure = difference_p(statistic) < 1 - level
        return UNDECIDED if not sure else STRONGER if statistic.estimate > 0 else WEAKER
    wide = t_interval(statistic, level)
    if wide.lo > 0:
        return STRONGER
    if wide.hi < 0:
        return WEAKER
    narrow = t_interval(statistic, 2 * level - 1)
    return EQUIVALENT if -margin < narrow.lo and narrow.hi < margin else UNDECIDED


def detectable(se: float, power: float = POWER, level: float = 0.95) -> float:
    """Return the smallest true difference that a study with this standard error would find with probability `power`.

    ``(z(1 - (1 - level) / 2) + z(power)) * se``: 2.80 standard errors by default.
    """
    return _z(level, power) * se


def deals_needed(difference: float, sd: float, power: float = POWER, level: float = 0.95) -> int:
    """Return how many deals a study needs to find a true difference with probability `power`.

    Parameters
    ----------
    difference : float
        Not 0.
    sd : float
        Standard deviation of single deals, in the same units.
    """
    return math.ceil((_z(level, power) * sd / difference) ** 2)


def _z(level: float, power: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2) + ndtri(power))


def design_effect(interval: Interval, games: float) -> float:
    """Return the variance of a share over what it were for as many independent games; nan where it is not known.

    Below 1 is the gain from playing a deal in all its seatings: games saved by a factor of its reciprocal.
    """
    naive = interval.estimate * (1 - interval.estimate) / games
    return interval.se**2 / naive if naive > 0 and interval.se > 0 else np.nan


def elo_of_share(share: float, n_seats: int) -> float:
    """Return the rating difference that gives a win share among `n_seats` - 1 equal opponents.

    ``400 log10(share (n - 1) / (1 - share))``: ordinary Elo with two seats, Plackett-Luce log-odds with more. Infinite
    at 0 and 1.
    """
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share * (n_seats - 1) / (1 - share))


def games_to_lead(mean: float, sd: float, probability: float = 0.95) -> float:
    """Return after how many games the better of two leads with this probability.

    Parameters
    ----------
    mean, sd : float
        Of the difference of their results in one game.

    Returns
    -------
    float
        ``ceil((z(probability) sd / mean)^2)``; infinite where the mean is 0, nan where the spread is not known.
    """
    from scipy.special import ndtri

    if not sd >= 0:
        return np.nan
    return math.inf if mean == 0 else float(max(1, math.ceil((float(ndtri(probability)) * sd / mean) ** 2)))
