"""Small boards, counted out: options by hand, whole games by walking through all of them."""

from __future__ import annotations

from fractions import Fraction

from tests.games.fuji_san.by_hand import RING, fill, move, new_table, options, pieces, play, set_position
from tests.table import Table

ONE_EACH = {"pieces": (1, 1, 1)}


def ring() -> Table:
    """Six spaces in a ring, and one pyramid of each size a seat."""
    return Table("fuji-san", 2, ONE_EACH, RING)


# --- options by hand -----------------------------------------------------------------------------------------------
def test_options_of_every_decision_of_a_game_on_the_ring():
    table = ring()
    # Placing: empty spaces times own sizes left.
    for k, kind in enumerate(["0s", "1s", "0m", "1m", "0l", "1l"]):
        assert len(table.legal()) == (6 - k) * (3 - k // 2)
        table.play(move(table, ["A1", "A2", "A3", "B3", "B2", "B1"][k], kind))
    # A1 0s, A2 1s, A3 0m, B3 1m, B2 0l, B1 1l: the two colours alternate around the ring.
    assert len(table.legal()) == 6  # remove any
    play(table, "B1 1l")
    assert len(table.legal()) == 5  # take any of the five left
    play(table, "A2 1s")
    assert len(table.legal()) == 4  # and any of four
    play(table, "B2 0l")
    # Two different pyramids in hand, three empty spaces: the one removed and the two taken.
    assert options(table) == ["A2 0l", "A2 1s", "B1 0l", "B1 1s", "B2 0l", "B2 1s"]
    play(table, "B2 0l")
    # B3 1m stands between A3 0m and B2 0l: capture it or not.
    assert options(table) == ["B3 1m", "nothing"]
    play(table, "B3 1m")
    # A1 0s, A3 0m, B2 0l are left, seat 1 moves: three, then two, then two kinds on the five empty spaces.
    assert table.state.seat == 1
    assert len(table.legal()) == 3
    play(table, "A1 0s")
    assert len(table.legal()) == 2
    play(table, "A3 0m")
    assert len(table.legal()) == 10
    play(table, "A1 0s")
    # Seat 1 has nothing to surround with, so it is not asked. Two are left: take both, put one on six spaces.
    assert (table.state.seat, len(table.legal())) == (0, 2)
    play(table, "A1 0s")
    assert len(table.legal()) == 1
    play(table, "B2 0l")
    assert len(table.legal()) == 12
    play(table, "B1 0l")
    assert table.over
    assert pieces(table) == {"B1": "0l"}
    assert table.points() == [2, 0]


def test_options_on_the_mountain():
    table = new_table()
    assert len(table.legal()) == 30 * 3
    table.play(table.legal()[0])
    assert len(table.legal()) == 29 * 3
    table = new_table()
    fill(table, [f"{k % 2}{'sml'[k // 2 % 3]}" for k in range(30)])
    assert len(table.legal()) == 30
    table.play(table.legal()[0])
    assert len(table.legal()) == 29
    table.play(table.legal()[0])
    assert len(table.legal()) == 28


def test_two_equal_pyramids_in_hand_are_one_choice():
    table = set_position(new_table(), 0, {"A1": "0s", "A2": "0s", "A4": "1l", "B1": "1s"})
    play(table, "A1 0s", "A2 0s")
    assert len(table.legal()) == 28  # 30 spaces, two of them taken
    table = set_position(new_table(), 0, {"A1": "0s", "A2": "0m", "A4": "1l", "B1": "1s"})
    play(table, "A1 0s", "A2 0m")
    assert len(table.legal()) == 2 * 28


# --- whole games ---------------------------------------------------------------------------------------------------
AROUND = (0, 1, 2, 5, 4, 3)  # the spaces of the ring in the order one meets them going around


def turned_sets() -> list[list[int]]:
    """Return what every set of spaces becomes under each of the twelve symmetries of the ring."""
    tables = []
    for start in range(6):
        for way in (1, -1):
            image = {space: AROUND[(start + way * i) % 6] for i, space in enumerate(AROUND)}
            tables.append([sum(1 << image[s] for s in range(6) if bits >> s & 1) for bits in range(64)])
    return tables


class Walk:
    """Walks through all games on the ring, by the compiled rules, and remembers every position met.

    What the future does not depend on is left out of what tells positions apart: when and where something was
    captured or discarded, and how the ring is turned.
    """

    def __init__(self):
        self.met: dict[tuple, tuple] = {}
        self.turned = turned_sets()

    def key(self, table: Table) -> tuple:
        state = table.state
        sets = [*state.owned.tolist(), *state.sized.tolist()]
        least = min([turned[s] for s in sets] for turned in self.turned)
        unplaced = tuple(state.unplaced.ravel().tolist())
        return (*least, int(state.seat), int(state.phase), unplaced, *sorted(state.hand.tolist()), *table.points())

    def outcomes(self, table: Table) -> tuple[int, tuple]:
        """Return (number of games from here, probabilities of draw, win of seat 0, win of seat 1 in random play)."""
        if table.over:
            zero, one = table.points()
            return 1, (Fraction(zero == one), Fraction(zero > one), Fraction(one > zero))
        key = self.key(table)
        if key not in self.met:
            games, chances = 0, (Fraction(0),) * 3
            legal = table.legal()
            for code in legal:
                after = table.copy()
                after.play(code)
                n, further = self.outcomes(after)
                games += n
                chances = tuple(c + f / len(legal) for c, f in zip(chances, further, strict=True))
            self.met[key] = games, chances
        return self.met[key]


def test_the_random_game_on_the_ring_has_exact_chances():
    games, (draw, first, second) = Walk().outcomes(ring())
    assert (draw, first, second) == (Fraction(89, 100), Fraction(9, 100), Fraction(1, 50))
    assert games == 2_586_662_387_712  # ways to play it
