"""The scripted players of Momiji."""

from __future__ import annotations

from meeplecarlo.games.choosing import choose_random
from meeplecarlo.registry import Player

PLAYERS = (Player("random", choose_random, "Any legal move, all equally likely: the floor others must beat."),)
