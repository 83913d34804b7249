"""Keyed random streams: every stream is named by (seed, key, stream), never shared and never positioned by use.

The generator is xoshiro256** of Blackman and Vigna, its four state words drawn from splitmix64, as its authors
advise. All functions run compiled and as plain Python with equal results.

Chance of a game uses ``(seed, deal, CHANCE)``: a deal does not depend on who plays it. A player's own noise uses
``(seed, game, PLAYER + seat)``. The seating of a deal uses ``(seed, deal, SEATING)``.

References
----------
D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021).
D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
"""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import helper

CHANCE = 0
SEATING = 1
PLAYER = 16  # plus the seat

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U5, _U7, _U9, _U11, _U17, _U19 = (np.uint64(k) for k in (5, 7, 9, 11, 17, 19))
_U27, _U30, _U31, _U32, _U45, _U57 = (np.uint64(k) for k in (27, 30, 31, 32, 45, 57))
_LOW = np.uint64(0xFFFFFFFF)
_TO_UNIT = 2.0**-53


@helper
def splitmix64(x):
    """Return splitmix64's output for the counter value `x` (uint64): a bijection that mixes every bit."""
    z = x + _GOLDEN
    z = (z ^ (z >> _U30)) * _MIX_1
    z = (z ^ (z >> _U27)) * _MIX_2
    return z ^ (z >> _U31)


@helper
def seed_stream(rng, seed, key, stream):
    """Set `rng` (uint64, shape (4,)) to the start of the stream named (seed, key, stream).

    The three words are absorbed one after the other, each through splitmix64, so neighbouring seeds, deals and
    streams have unrelated starts.
    """
    x = splitmix64(np.uint64(seed))
    x = splitmix64(x ^ np.uint64(key))
    x = splitmix64(x ^ np.uint64(stream))
    for i in range(4):
        rng[i] = splitmix64(x)
        x = x + _GOLDEN


@helper
def next_u64(rng):
    """Return the next 64 random bits of xoshiro256** and advance `rng`."""
    s1 = rng[1]
    x = s1 * _U5
    result = ((x << _U7) | (x >> _U57)) * _U9
    t = s1 << _U17
    rng[2] ^= rng[0]
    rng[3] ^= s1
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= t
    s3 = rng[3]
    rng[3] = (s3 << _U45) | (s3 >> _U19)
    return result


@helper
def below(rng, n):
    """Return an unbiased random integer in ``0 <= x < n``, n up to 2**32 (Lemire's method with rejection)."""
    bound = np.uint64(n)
    product = (next_u64(rng) >> _U32) * bound
    if (product & _LOW) < bound:
        threshold = ((_LOW - bound) + np.uint64(1)) % bound  # 2**32 mod n
        while (product & _LOW) < threshold:
            product = (next_u64(rng) >> _U32) * bound
    return np.int64(product >> _U32)


@helper
def uniform(rng):
    """Return a random float in ``0 <= x < 1`` with 53 random bits."""
    return np.float64(next_u64(rng) >> _U11) * _TO_UNIT


@helper
def shuffle(rng, items, n):
    """Shuffle ``items[:n]`` in place; all n! orders equally likely (Fisher-Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
