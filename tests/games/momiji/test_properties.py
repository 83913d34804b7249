"""What holds in every position of Momiji, whatever is played."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeplecarlo.games.momiji.state import CODES
from tests.games.momiji.by_hand import LETTERS, SIZES, box, everywhere, faces_of, lines, new_table, options, row, words
from tests.table import Table

SAID = st.fixed_dictionaries(
    {
        "landscapes": st.sampled_from(["random", "starter"]),
        "display_refill": st.sampled_from(["to_four", "when_empty"]),
        "last_round": st.sampled_from(["true", "false"]),
        "zero_goal": st.sampled_from(["nobody", "scores"]),
        "activation": st.sampled_from(["allowed", "allowed", "forbidden"]),
        "start_acorns": st.sampled_from([0, 2, 8]),
        "hand_size": st.sampled_from([1, 6, 8]),
        "hand_limit": st.sampled_from([1, 8, 20]),
        "goal_cost": st.sampled_from([0, 3]),
        "pair_acorns": st.sampled_from([0, 2]),
    }
)


class Watch:
    """The stacks of a game as they grow, told by its moves in words, and what must hold after each of them."""

    def __init__(self, table: Table):
        self.table = table
        self.stacks: dict[tuple[int, str], list[str]] = {}  # (seat, type): faces from the first card to the top
        self.holders: dict[int, int] = {}

    def play(self, move: int) -> None:
        """Play a move and look at everything."""
        table, state = self.table, self.table.state
        seat, text = int(state.seat), words(table, move)
        before = state.closed, state.deck_left, state.trigger
        table.play(move)
        parts = text.split()
        laid = parts[1] if parts[0] == "play" else parts[2] if text.startswith("use B") and len(parts) > 2 else None
        if laid is not None:
            self.lay(seat, laid[0], laid[1:], "with" in parts)
        everywhere_now = everywhere(table)
        assert everywhere_now == box(table)
        assert (state.acorns >= 0).all()
        for place, holder in enumerate(state.holder.tolist()):
            if place in self.holders:
                assert holder == self.holders[place], "a goal changed hands"
            elif holder >= 0:
                self.holders[place] = holder
        self.compare()
        closed = sum(faces[-1][1] == "3" for faces in self.stacks.values())
        assert state.closed == closed
        assert state.closed >= before[0]
        assert state.deck_left <= before[1]
        ended = closed >= table.n_seats + 2 or state.deck_left == 0
        assert (state.trigger >= 0) == ended
        if before[2] >= 0:
            assert state.trigger == before[2]

    def lay(self, seat: int, letter: str, face: str, helped: bool) -> None:
        """Note a card laid, which must follow on its stack (R4.4) or need a landscape."""
        faces = self.stacks.setdefault((seat, letter), [])
        value, top = int(face[1]), int(faces[-1][1]) if faces else None
        assert top != 3
        if top is None:
            assert (value == 0) != helped
        else:
            assert value >= top
            assert (value <= top + 1) != helped
        faces.append(face)

    def compare(self) -> None:
        """Compare rows, counts and scores with the stacks noted."""
        table, state = self.table, self.table.state
        for seat in range(table.n_seats):
            own = {letter: faces for (other, letter), faces in self.stacks.items() if other == seat}
            assert sorted(row(table, seat)) == sorted(
                f"{letter}{faces[-1]} x{len(faces)}" for letter, faces in own.items()
            )
            values = Counter(int(face[1]) for faces in own.values() for face in faces)
            assert state.of_value[seat].tolist() == [values[value] for value in range(4)]
            assert state.tops[seat] == sum(int(faces[-1][1]) for faces in own.values())
            assert state.longest[seat] == max((len(faces) for faces in own.values()), default=0)
            assert state.shut[seat] == values[3]
        found = lines(table)
        n_goals = len(self.holders)
        assert len(found) == len(self.stacks) + table.n_seats * (1 + n_goals)
        for (seat, letter), faces in self.stacks.items():
            top = int(faces[-1][1])
            line = (seat, f"type {LETTERS.index(letter) + 1}", top * len(faces), len(faces), top)
            assert line in found
        for seat in range(table.n_seats):
            assert (seat, "acorns", int(state.acorns[seat]), 0, 0) in found


@settings(max_examples=8)
@given(st.sampled_from(SIZES), SAID, st.integers(0, 10**6), st.sampled_from(["", "play", "use"]))
def test_every_position_is_sound(n_seats, said, seed, liked):
    """Cards are kept, acorns never negative, stacks as R4.4 says, goals keep their holders, scores add up."""
    rng = random.Random(seed)
    watch = Watch(new_table(n_seats, seed, **said))
    table = watch.table
    for _ in range(110):
        if table.over:
            break
        moves = table.legal()
        assert moves
        preferred = [move for move in moves if liked and words(table, move).startswith(liked)]
        watch.play(rng.choice(preferred if preferred and rng.random() < 0.7 else moves))


def test_all_other_codes_are_refused_and_change_nothing():
    """In a position of every phase, every code below the largest and some that are no codes."""
    rng = random.Random(3)
    table = new_table(3, 1, landscapes="random", start_acorns=6, hand_limit=4)
    seen = set()
    while not table.over:
        if int(table.state.phase) not in seen:
            seen.add(int(table.state.phase))
            legal, before = set(table.legal()), table.bytes()
            refused = [code for code in (-1, *range(CODES), CODES, 2**31 - 1) if code not in legal]
            assert not any(table.apply(code) for code in refused)
            assert table.bytes() == before
        table.play(rng.choice(table.legal()))
    assert len(seen) >= 5
    assert not table.apply(0)


@pytest.mark.parametrize("n_seats", SIZES)
def test_each_thing_at_most_once(n_seats):
    """A trade, a landscape and a reveal once a turn; each landscape once a game by its seat."""
    for seed in range(2):
        rng = random.Random(seed)
        table = new_table(n_seats, seed, landscapes="random", start_acorns=9)
        used, turn = Counter(), Counter()
        while not table.over:
            where = int(table.state.round_number), int(table.state.seat)
            legal = table.legal()
            move = rng.choice(legal)
            text = words(table, move)
            if text == "trade" or text == "reveal":
                turn[where, text] += 1
            if text.startswith("use") or " with " in text:
                letter = text.split()[1] if text.startswith("use") else text[-1]
                turn[where, "landscape"] += 1
                used[where[1], letter] += 1
            table.play(move)
        assert set(used.values()) == {1}
        assert set(turn.values()) == {1}


def test_equal_cards_are_one_option():
    table = new_table(4, 2, hand_size=8)
    assert len(options(table)) == len(set(options(table)))
    assert len(faces_of(table)) == 7
