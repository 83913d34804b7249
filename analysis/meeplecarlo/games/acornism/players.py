"""The scripted players of Acornism."""

from __future__ import annotations

from meeplecarlo.games.choosing import choose_random
from meeplecarlo.registry import Player

PLAYERS = (
    Player("random", choose_random, "Places any tile anywhere it fits: the floor every other player must beat."),
)
