"""Ratings of a pool of players from ranked games: Plackett-Luce with seat effects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

PULL = 1e-3  # of a normal prior on every effect: keeps a player that always wins from rating infinity


@dataclass(frozen=True)
class Ratings:
    """Worths on a logarithmic scale; `elo` turns differences into the familiar unit.

    Attributes
    ----------
    players : ndarray, shape (K,)
        Log-worth of each player; they sum to 0.
    seats : ndarray, shape (P,)
        What each seat adds; they sum to 0.
    players_se : ndarray, shape (K,)
        Bootstrap standard errors over deals; nan without replications.
    """

    players: np.ndarray
    seats: np.ndarray
    players_se: np.ndarray

    @property
    def elo(self) -> np.ndarray:
        """Ratings of the players in Elo points around a mean of 0 (400 / log 10 a unit)."""
        return self.players * 400 / np.log(10)

    @property
    def elo_se(self) -> np.ndarray:
        """Their standard errors."""
        return self.players_se * 400 / np.log(10)


def plackett_luce(
    players: np.ndarray,
    ranks: np.ndarray,
    deals: np.ndarray,
    n_players: int,
    replications: int = 200,
    seed: int = 0,
) -> Ratings:
    """Return the Plackett-Luce ratings of greatest likelihood, with a term for each seat.

    Parameters
    ----------
    players : ndarray of int, shape (G, P)
        Who sat in each seat, 0 to `n_players` - 1.
    ranks : ndarray of int, shape (G, P)
        Final ranks, 1 is best; tied seats share a rank.
    deals : ndarray of int, shape (G,)
        Deal of each game: what the bootstrap draws.
    n_players : int
        Players in the pool, at least 2.
    replications : int
        Bootstrap replications for the standard errors; 0 for none.
    seed : int
        Of the bootstrap.

    Notes
    -----
    A game's ranking is a series of choices of the next best seat, each with probability proportional to
    ``exp(player + seat)`` among those left. Without seat terms, ratings shrink where the seat matters. Ties: every tied
    seat is chosen from all seats that are not ranked better (Breslow's approximation to the mean over all orders).

    References
    ----------
    Luce 1959; Plackett 1975; Breslow 1974 (ties).
    """
    players, ranks = np.asarray(players), np.asarray(ranks)
    _, deal_index = np.unique(np.asarray(deals), return_inverse=True)
    # A seat competes, at each stage, with all seats that are not ranked better: one stage a seat.
    beaten = ranks[:, :, None] <= ranks[:, None, :]  # [g, i, j]: seat j is still there when seat i is chosen
    n_seats = players.shape[1]

    def fit(weights: np.ndarray, start: np.ndarray) -> np.ndarray:
        from scipy.optimize import minimize

        def loss(model):
            worth = model[:n_players][players] + model[n_players:]
            worth_max = worth.max(axis=1, keepdims=True)
            odds = np.exp(worth - worth_max)
            below = np.einsum("gij,gj->gi", beaten, odds)
            value = np.sum(weights[:, None] * (np.log(below) + worth_max - worth)) + PULL / 2 * np.sum(model**2)
            # Derivative by the worth of seat j: its odds over each stage it took part in, less 1 for being chosen.
            slope = (np.einsum("gij,gi->gj", beaten, 1 / below) * odds - 1) * weights[:, None]
            by_player = np.bincount(players.ravel(), slope.ravel(), n_players)
            return value, np.concatenate([by_player, slope.sum(axis=0)]) + PULL * model

        return minimize(loss, start, jac=True, method="L-BFGS-B").x

    n_deals = int(deal_index.max()) + 1
    model = fit(np.ones(len(players)), np.zeros(n_players + n_seats))
    found = np.full((replications, n_players), np.nan)
    rng = np.random.default_rng(seed)
    for r in range(replications):
        drawn = np.bincount(rng.integers(0, n_deals, n_deals), minlength=n_deals)[deal_index].astype(np.float64)
        worths = fit(drawn, model)[:n_players]
        found[r] = worths - worths.mean()
    se = found.std(axis=0, ddof=1) if replications > 1 else np.full(n_players, np.nan)
    worths, seats = model[:n_players], model[n_players:]
    return Ratings(worths - worths.mean(), seats - seats.mean(), se)
