"""Sets of cards as one number: five bits for each colour, red lowest, so that laying cards down is a subtraction.

A set holds at most 31 cards of a colour; `n_cards` needs one of at most 30 cards in all, as any hand, collection and
table is.
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper
from meeplecarlo.streams import below

BITS = 5  # of each colour
MOST = 31  # cards of a colour in a set
EACH = 0b00001_00001_00001_00001  # one card of each colour
ALL = MOST * EACH  # no set is greater
TOP = 0b10000_10000_10000_10000  # the highest bit of each colour, 0 in sets of at most 15 of a colour


@helper
def cards_of(colour, count):
    """Return the set of `count` cards of one colour."""
    return np.int64(count) << (BITS * np.int64(colour))


@helper
def count_of(cards, colour):
    """Return how many cards of a colour a set holds."""
    return (np.int64(cards) >> (BITS * np.int64(colour))) & MOST


@helper
def n_cards(cards):
    """Return how many cards a set of at most 30 cards holds: 32 is 1 modulo 31."""
    return np.int64(cards) % MOST


@helper
def colour_of(cards):
    """Return the colour of a set that holds cards of one colour only; of others, the last colour it holds."""
    return (1 if cards > MOST else 0) + (1 if cards >> 2 * BITS > 0 else 0) + (1 if cards >> 3 * BITS > 0 else 0)


@helper
def is_part_of(cards, few):
    """Return whether a set is part of `few`, a set of at most 15 cards of each colour."""
    return cards & TOP == 0 and ((few | TOP) - cards) & TOP == TOP


@helper
def draw_card(cards, n, rng):
    """Return a random card of a set that holds `n` cards, all equally likely."""
    pick = below(rng, n)
    red = count_of(cards, 0)
    blue = red + count_of(cards, 1)
    yellow = blue + count_of(cards, 2)
    colour = (1 if pick >= red else 0) + (1 if pick >= blue else 0) + (1 if pick >= yellow else 0)
    return cards_of(colour, 1)
