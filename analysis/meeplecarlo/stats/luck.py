"""How much of a result is skill, seat and luck of the deal: closed shares of variance by pick-freeze."""

from __future__ import annotations

import numpy as np

from meeplecarlo.stats.linear import Linear, ratio


def closed_share(first: np.ndarray, second: np.ndarray) -> Linear:
    """Return the share of the variance of a result that is explained by what two plays have in common.

    Parameters
    ----------
    first, second : ndarray, shape (n,) or (B, k)
        Results of a focal seat in pairs of games that share some factors (the strategy, say) and have everything else
        drawn anew. Rows are deals or other independent units; with one dimension every pair is one.

    Returns
    -------
    Linear
        ``cov(first, second) / var``, with what each unit contributes to it; estimate nan where nothing varies. May come
        out slightly below 0.

    Notes
    -----
    With m the mean of both, ``sum((first - m)(second - m)) / sum(((first - m)^2 + (second - m)^2) / 2)``.

    References
    ----------
    Sobol 1993; Janon, Klein, Lagnoux, Nodet & Prieur 2014 (this estimator).
    """
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.shape != second.shape:
        raise ValueError(f"results must come in pairs, got shapes {first.shape} and {second.shape}.")
    first, second = first.reshape(len(first), -1), second.reshape(len(second), -1)
    m = (first.mean() + second.mean()) / 2
    products = ((first - m) * (second - m)).sum(axis=1)
    squares = (((first - m) ** 2 + (second - m) ** 2) / 2).sum(axis=1)
    return ratio(products, squares)
