"""Random streams against their authors' reference output, and what the toolkit promises about them."""

import numpy as np
import pytest
from scipy import stats

from meeplecarlo import streams

# Published test vectors: splitmix64 from seed 1234567, xoshiro256** from the state 1, 2, 3, 4.
SPLITMIX64 = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
XOSHIRO256 = [
    11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600, 16172922978634559625,
    8476171486693032832, 10595114339597558777, 2904607092377533576,
]  # fmt: skip
GOLDEN = 0x9E3779B97F4A7C15


def stream(seed=1, key=2, number=3):
    rng = np.zeros(4, np.uint64)
    streams.seed_stream(rng, np.uint64(seed), np.int64(key), np.int64(number))
    return rng


def test_splitmix64_gives_the_published_output():
    counters = [np.uint64((1234567 + i * GOLDEN) % 2**64) for i in range(len(SPLITMIX64))]
    assert [int(streams.splitmix64(c)) for c in counters] == SPLITMIX64


def test_xoshiro256_gives_the_published_output():
    rng = np.array([1, 2, 3, 4], np.uint64)
    assert [int(streams.next_u64(rng)) for _ in XOSHIRO256] == XOSHIRO256


def test_streams_differ_in_every_part_of_their_name():
    names = [(s, k, n) for s in (0, 1, 2**64 - 1) for k in (0, 1, 10**9) for n in (0, 1, 16, 20)]
    first = {tuple(stream(*name)) for name in names}
    assert len(first) == len(names)


def test_neighbouring_streams_are_unrelated():
    draws = np.array([[streams.uniform(rng) for _ in range(64)] for rng in (stream(key=k) for k in range(400))])
    flat = stats.kstest(draws.ravel(), "uniform")
    assert flat.pvalue > 0.001
    correlation = np.corrcoef(draws[:-1].ravel(), draws[1:].ravel())[0, 1]
    assert abs(correlation) < 4 / np.sqrt(draws[1:].size)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 64, 1000])
def test_bounded_draws_are_in_range_and_even(n):
    rng = stream()
    draws = np.array([streams.below(rng, n) for _ in range(200 * min(n, 100))])
    assert draws.min() >= 0
    assert draws.max() < n
    if 1 < n <= 64:
        assert stats.chisquare(np.bincount(draws, minlength=n)).pvalue > 0.001


def test_bounded_draws_reject_what_would_bias_them():
    # With n = 3 * 2**30, plain multiplication would give a third of all results twice as often.
    n = 3 * 2**30
    rng = stream()
    thirds = np.bincount([streams.below(rng, n) % 3 for _ in range(6000)], minlength=3)
    assert stats.chisquare(thirds).pvalue > 0.001


def test_every_order_of_a_shuffle_is_equally_likely():
    rng = stream()
    seen = {}
    for _ in range(6000):
        items = np.arange(4)
        streams.shuffle(rng, items, np.int64(4))
        seen[tuple(items)] = seen.get(tuple(items), 0) + 1
    assert len(seen) == 24
    assert stats.chisquare(list(seen.values())).pvalue > 0.001


def test_a_shuffle_leaves_the_rest_alone():
    items = np.arange(10)
    streams.shuffle(stream(), items, np.int64(4))
    assert sorted(items[:4]) == [0, 1, 2, 3]
    assert list(items[4:]) == [4, 5, 6, 7, 8, 9]
