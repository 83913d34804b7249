"""The scripted players of Fuji-san."""

from meeplecarlo.games.choosing import choose_random
from meeplecarlo.registry import Player

PLAYERS = (
    Player("random", choose_random, "Any legal move, all equally likely: the floor every other player must beat."),
)
