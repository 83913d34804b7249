"""Options of several numbers and sizes there is no room for: what may be set, and how the rest is refused."""

from __future__ import annotations

import pytest

from meeplecarlo.errors import UsageError
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from tests.games.heizei.by_hand import GAME, LETTERS, SIZES, hands, lines, new_table, phase, where, with_cards
from tests.table import Table

WHOLE = range(4, 21)  # cards of a colour that the option can say
FIT = {3: (6, 9, 12, 15, 18), 4: tuple(range(4, 21)), 5: (5, 10, 15, 20)}


def refusal(n_seats: int, options: dict) -> str:
    """Return the message with which options are refused: one sentence on one line."""
    with pytest.raises(UsageError) as caught:
        Table(GAME, n_seats, options)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def cards(n_seats: int, each: int) -> tuple[int, ...]:
    return tuple(each if n == n_seats else 15 for n in SIZES)


def test_no_file_lists_the_cards():
    assert get_game(GAME).components == ()
    with pytest.raises(UsageError):
        Table(GAME, 3, components={"cards": "cards.csv"})


# --- cards ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n_seats", SIZES)
def test_numbers_of_cards_that_can_be_dealt_play_to_the_end(n_seats):
    for each in FIT[n_seats]:
        table = with_cards(n_seats, each)
        assert {len(hand) for hand in hands(table)} == {4 * each // n_seats}
        decisions = 0
        for seed in range(3):
            table.deal(seed).play_random(seed)
            assert table.over
            assert where(table) == dict.fromkeys(LETTERS, each)
            decisions = max(decisions, 4 * n_seats + 2 * int(table.state.turns.sum()))
        assert decisions <= get_game(GAME).max_decisions(n_seats)


@pytest.mark.parametrize("n_seats", SIZES)
def test_numbers_of_cards_that_cannot_are_refused(n_seats):
    for each in WHOLE:
        if each not in FIT[n_seats]:
            message = refusal(n_seats, {"cards_per_colour": cards(n_seats, each)})
            assert "cards_per_colour" in message
            assert f"{each} cards" in message
            assert f"{n_seats} seats" in message
            if 4 * each % n_seats:
                assert f"{4 * each % n_seats} would be left over" in message


def test_numbers_of_cards_that_do_not_concern_the_seats_at_the_table_are_not_looked_at():
    assert where(new_table(4, cards_per_colour=(4, 15, 4))).total() == 60


def test_the_largest_hands_and_the_longest_games_have_room():
    """24 cards in hand, one played at a time: as many decisions as there may be, and nothing is cut off."""
    table = with_cards(3, 18)
    decisions = 0
    while not table.over:
        table.play(table.legal()[0])
        decisions += 1
    assert decisions == 2 * 3 * 2 * 24 == get_game(GAME).max_decisions(3)
    run = simulate(GAME, ["one_at_a_time"] * 3, games=20, seed=1, options={"cards_per_colour": (18, 15, 15)})
    games = run.games.collect()
    assert set(games["decisions"]) == {288}
    assert not games["truncated"].any()


@pytest.mark.parametrize("n_seats", SIZES)
def test_the_largest_hand_of_one_colour_can_be_played_at_once(n_seats):
    """Twenty cards of a colour, or eighteen, all in one hand: they take the largest numbers a set can hold."""
    each = FIT[n_seats][-1]
    table = with_cards(n_seats, each)
    state, size = table.state, 4 * each // n_seats
    n = min(each, size)
    rest = "".join(letter * (each - (n if letter == "K" else 0)) for letter in LETTERS)
    dealt = ["K" * n + rest[: size - n]]
    rest = rest[size - n :]
    dealt += [rest[size * seat : size * (seat + 1)] for seat in range(n_seats - 1)]
    for seat, hand in enumerate(dealt):
        state.hand[seat] = sum(32 ** LETTERS.index(letter) for letter in hand)
    table.play(table.legal()[-1])
    table.play_random(1, n_seats - 1)
    assert phase(table) == "play"
    assert len(table.legal()) == size - 1
    table.play(table.legal()[-1])
    assert (state.played, state.n_hand[0]) == ((n - 1) * 32**3, size - n)
    assert len(table.legal()) == 1
    table.play_random(1)
    assert where(table) == dict.fromkeys(LETTERS, each)


# --- other numbers -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("track", range(1, 8))
def test_a_track_shorter_than_eight_spaces_is_refused(track):
    message = refusal(3, {"track": track})
    assert "track" in message
    assert "at least 8" in message
    assert f"got {track}" in message


@pytest.mark.parametrize(
    ("option", "low", "high"),
    [("steps", 0, 99), ("first_values", 0, 20), ("second_values", 0, 20), ("tiles_3", 0, 20), ("tiles_4", 0, 20),
     ("tiles_5", 0, 20), ("cards_per_colour", 4, 20)],
)  # fmt: skip
def test_lists_of_numbers_are_checked_one_by_one(option, low, high):
    length = len(get_game(GAME).option(option).default)
    for n in (length - 1, length + 1):
        message = refusal(4, {option: (low,) * n})
        assert f"{option} takes {length} numbers" in message
    for i in range(length):
        for value in (low - 1, high + 1, "many", 2.5):
            numbers = [5] * length
            numbers[i] = value
            message = refusal(4, {option: tuple(numbers)})
            assert f"{option} must be a whole number from {low} to {high}" in message
            assert str(value) in message


@pytest.mark.parametrize(("option", "value"), [("track", -1), ("track", 201), ("penalty", "least"), ("memory", "all")])
def test_single_values_out_of_range_are_refused(option, value):
    message = refusal(4, {option: value})
    assert option in message
    assert str(value) in message


def test_options_can_be_given_as_text():
    table = Table(GAME, 4, {"steps": "2, 4,6,8,10,12,14", "tiles_4": "5,0,2", "penalty": "None "})
    assert table.rules.steps.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    assert table.rules.tiles[1:5].tolist() == [5, 2, 0, 0]
    assert table.rules.penalty == 0


EXTREMES = {
    "nothing moves": {"steps": (0,) * 7},
    "everything runs": {"steps": (99,) * 7},
    "shortest track": {"track": 8},
    "longest track": {"track": 200, "steps": (99,) * 7},
    "nothing counts": {"first_values": (0,) * 4, "second_values": (0,) * 4, "tiles_3": (0,) * 2, "tiles_4": (0,) * 3,
                       "tiles_5": (0,) * 4},
    "everything counts": {"first_values": (20,) * 4, "second_values": (20,) * 4, "tiles_3": (20,) * 2,
                          "tiles_4": (20,) * 3, "tiles_5": (20,) * 4, "penalty": "none"},
}  # fmt: skip


@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("extreme", EXTREMES)
def test_extreme_options_play_to_the_end(n_seats, extreme):
    said = EXTREMES[extreme]
    for seed in range(4):
        table = new_table(n_seats, seed=seed, cards_per_colour=(18, 20, 20), **said).play_random(seed)
        assert table.over
        size = 4 * (18 if n_seats == 3 else 20) // n_seats
        if extreme == "nothing counts":
            assert table.points() == [0] * n_seats
            assert {line[3] for line in lines(table)} == {0}
        if extreme == "everything counts":
            assert sorted(table.points())[0] >= 2 * 20 * size
            assert sum(table.points()) == 2 * 20 * (size * n_seats + n_seats - 1)
            assert table.state.first_points[:n_seats].sum() == 20 * (size * n_seats + n_seats - 1)
        if extreme == "nothing moves":
            assert table.state.space.max() < 4 + n_seats + 4  # as far as the cards laid get them
        if extreme == "longest track":
            assert table.state.space.min() >= 200
