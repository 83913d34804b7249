"""What the scripted players of several games share: a random choice, and keeping the best of many options."""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper, inlined
from meeplecarlo.streams import below, uniform

VERY_LOW = -1e30  # below the value of any option


def choose_random(rules, view, moves, n, weights, memory, rng):
    """Any legal move, all equally likely."""
    return below(rng, n)


@inlined
def keep_better(value, i, best, index, equal, noise, rng):
    """Return (best, index, equal) after option `i` of this `value` was looked at; equal ones are drawn by lot."""
    if noise > 0.0:
        value += noise * uniform(rng)
    if value < best:
        return best, index, equal
    equal = 1 if value > best else equal + 1
    if equal == 1 or below(rng, equal) == 0:
        index = i
    return value, index, equal


@helper
def count_bits(bits):
    """Return how many bits of an int64 are set (the compiler makes one instruction of this)."""
    x = np.uint64(bits)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
