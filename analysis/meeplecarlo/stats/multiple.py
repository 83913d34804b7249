"""Tests of several things at once."""

from __future__ import annotations

import numpy as np


def holm(p: np.ndarray) -> np.ndarray:
    """Return p values adjusted for their number (Holm 1979).

    Parameters
    ----------
    p : ndarray of float, shape (m,)
        0 to 1; nan for a test that could not be made, which stays nan and does not count.

    Returns
    -------
    ndarray of float64, shape (m,)
        ``max over the smaller ones of (m - rank) * p``, at most 1. Comparing each with 5 % wrongly finds anything in
        at most 5 % of all studies.
    """
    p = np.asarray(p, np.float64)
    adjusted = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    weights = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * weights)) if len(order) else []
    return adjusted


def seat_test(seat_shares: np.ndarray) -> float:
    """Return the p value of "all seats win equally often" (Hotelling's T2 over deals).

    Parameters
    ----------
    seat_shares : ndarray, shape (B, P)
        Win share of each seat in each deal; rows sum to 1.

    Returns
    -------
    float
        nan with too few deals (at most P - 1) or where the shares do not vary enough to be tested.

    Notes
    -----
    One seat is left out since shares sum to 1: with d the mean of the other q = P - 1 minus 1/P and S their covariance,
    ``F = (B - q) / (q (B - 1)) * B d' S^-1 d`` has an F distribution with q and B - q degrees of freedom.
    """
    from scipy.special import fdtrc

    shares = np.asarray(seat_shares, np.float64)
    n_deals, n_seats = shares.shape
    q = n_seats - 1
    if q < 1 or n_deals <= q + 1:
        return np.nan
    d = shares[:, :q].mean(axis=0) - 1 / n_seats
    covariance = np.cov(shares[:, :q], rowvar=False).reshape(q, q)
    if np.linalg.matrix_rank(covariance) < q:
        return np.nan
    f = n_deals * (d @ np.linalg.solve(covariance, d)) * (n_deals - q) / (q * (n_deals - 1))
    return float(fdtrc(q, n_deals - q, f))
