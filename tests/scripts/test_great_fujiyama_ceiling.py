"""The full-knowledge solver of Great Fujiyama against plain recursion, an independent checker and real runs."""

from __future__ import annotations

import csv
import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

import meeplecarlo as mc

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

from great_fujiyama import search, table  # noqa: E402
from great_fujiyama_ceiling import main, solve  # noqa: E402


# --- an independent reading of the rules, plain and slow ------------------------------------------------------------
class Table:
    """A game in progress: tiles by place, hands, deck."""

    def __init__(self, tiles, n_seats, turn, width, hand_size):
        self.n_seats, self.turns, self.width = n_seats, (0, 1, 2) if turn else (0,), width
        self.laid = {(1, 0): triple(tiles[0], 0)}
        self.hands = [list(tiles[1 + hand_size * i : 1 + hand_size * (i + 1)]) for i in range(n_seats)]
        self.deck = list(tiles[1 + hand_size * n_seats :])
        self.seat = 0

    def moves(self):
        """All (tile, station, column, turn) of the seat to move."""
        return [
            (tile, s, x, turn)
            for tile in self.hands[self.seat]
            for s in range(1, self.width + 1)
            for x in range(-self.width, self.width + 1)
            for turn in self.turns
            if self.may_lie(s, x, triple(tile, turn))
        ]

    def may_lie(self, s, x, corners):
        """Whether a tile showing `corners` (bottom, upper left, upper right) may be laid on station s, column x."""
        bottom, left, right = corners
        if (s, x) in self.laid:
            return False
        if s == 1:
            ground = [column for station, column in self.laid if station == 1]
            if len(ground) == self.width or ((1, x - 1) not in self.laid and (1, x + 1) not in self.laid):
                return False
        else:
            below = self.laid.get((s - 1, x)), self.laid.get((s - 1, x + 1))
            if None in below or below[0][2] != bottom or below[1][1] != bottom:
                return False
        beside = self.laid.get((s, x - 1)), self.laid.get((s, x + 1))
        return (beside[0] is None or beside[0][2] == left) and (beside[1] is None or beside[1][1] == right)

    def play(self, move):
        """Lay a tile and draw."""
        tile, s, x, turn = move
        self.laid[s, x] = triple(tile, turn)
        self.hands[self.seat].remove(tile)
        if self.deck:
            self.hands[self.seat].append(self.deck.pop(0))
        self.seat = (self.seat + 1) % self.n_seats

    def stations(self):
        """Completed stations."""
        return sum(
            sum(station == s for station, _ in self.laid) == self.width + 1 - s for s in range(1, self.width + 1)
        )

    def copy(self):
        """A copy that shares nothing that changes."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.laid, other.hands, other.deck = dict(self.laid), [list(h) for h in self.hands], list(self.deck)
        return other


def triple(tile, turn):
    """Seasons at bottom, upper left, upper right of a tile of the box turned clockwise: bottom goes to upper left."""
    corners = [(tile - 1) // 16, (tile - 1) // 4 % 4, (tile - 1) % 4]
    for _ in range(turn):
        corners = [corners[2], corners[0], corners[1]]
    return tuple(corners)


def brute_force(game):
    """The most stations over all lines of play, by recursion without any short cut."""
    return max([game.stations()] + [brute_force(after(game, move)) for move in game.moves()])


def after(game, move):
    """The game after a move."""
    game = game.copy()
    game.play(move)
    return game


def check_line(ceiling, tiles, n_seats, turn=False, width=10, hand_size=3):
    """The line found must be legal tile by tile and complete what is claimed."""
    game = Table(tiles, n_seats, turn, width, hand_size)
    for move in ceiling.line:
        assert move in game.moves()
        game.play(move)
    assert game.stations() == ceiling.lower <= ceiling.upper <= width


def shuffled(seed, tiles=range(1, 65)):
    """A deal."""
    tiles = list(tiles)
    random.Random(seed).shuffle(tiles)
    return tiles


# --- small boxes, completely ----------------------------------------------------------------------------------------
FEW_SEASONS = [tile for tile in range(1, 65) if max(triple(tile, 0)) <= 1]  # 8 tiles of two seasons: much fits


@pytest.mark.parametrize(
    ("n_seats", "turn", "width", "hand_size", "tiles"),
    [
        (1, False, 3, 3, range(1, 65)),
        (2, False, 3, 2, range(1, 65)),
        (1, False, 3, 2, FEW_SEASONS),
        (2, False, 3, 2, FEW_SEASONS),
        (3, False, 3, 2, FEW_SEASONS),
        (2, False, 3, 3, range(1, 65, 2)),
        (3, False, 2, 1, range(1, 65, 3)),
        (4, False, 2, 2, range(1, 65)),
        (1, False, 2, 2, range(1, 17)),
        (1, True, 3, 1, FEW_SEASONS),
        (2, True, 3, 1, FEW_SEASONS),
        (2, True, 2, 2, range(1, 65, 5)),
    ],
)
def test_agrees_with_brute_force(n_seats, turn, width, hand_size, tiles):
    found = set()
    for seed in range(12):
        deal = shuffled(seed, tiles)[: 1 + n_seats * hand_size + 5]
        expected = brute_force(Table(deal, n_seats, turn, width, hand_size))
        ceiling = solve(deal, n_seats, turn, width, hand_size)
        assert (ceiling.lower, ceiling.upper) == (expected, expected)
        check_line(ceiling, deal, n_seats, turn, width, hand_size)
        found.add(expected)
    assert len(found) > 1, "deals all alike test nothing"


@pytest.mark.parametrize(("n_seats", "width"), [(1, 5), (2, 4)])
def test_agrees_with_brute_force_on_the_whole_deck(n_seats, width):
    found = []
    for seed in range(60):
        deal = shuffled(seed)
        ceiling = solve(deal, n_seats, width=width)
        if 10 < ceiling.positions < 60:  # few enough for plain recursion
            assert ceiling.exact
            assert ceiling.lower == brute_force(Table(deal, n_seats, False, width, 3))
            found.append(ceiling.lower)
    assert len(found) > 3
    assert len(set(found)) > 1


@pytest.mark.parametrize("cap", [1, 300, 3_000, 10**6])
def test_bounds_hold_whatever_the_cap(cap):
    for seed in range(40, 46):
        deal = shuffled(seed)
        exact = solve(deal, 1)
        assert exact.exact
        bounded = solve(deal, 1, positions=cap)
        assert bounded.lower <= exact.lower <= bounded.upper
        check_line(bounded, deal, 1)


def test_width_one_is_complete_with_the_first_tile():
    ceiling = solve(shuffled(1), 2, width=1)
    assert (ceiling.lower, ceiling.upper, ceiling.line) == (1, 1, [])


def test_seat_that_cannot_begin_ends_it():
    # First tile: spring everywhere. The hand shows winter at both upper corners.
    ceiling = solve([1, 16, 32, 48, *(t for t in range(1, 65) if t not in (1, 16, 32, 48))], 1)
    assert (ceiling.lower, ceiling.upper, ceiling.positions) == (0, 0, 0)


# --- the whole box --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("n_seats", "turn"), [(1, False), (2, False), (3, False), (5, False), (1, True), (3, True)])
def test_lines_are_legal_and_no_random_team_passes_the_limit(n_seats, turn):
    chance = random.Random(n_seats)
    for seed in range(2):
        deal = shuffled(seed)
        ceiling = solve(deal, n_seats, turn, positions=20_000)
        check_line(ceiling, deal, n_seats, turn)
        for _ in range(3):
            game = Table(deal, n_seats, turn, 10, 3)
            while moves := game.moves():
                game.play(chance.choice(moves))
            assert game.stations() <= ceiling.upper


def test_same_deal_same_answer():
    deal = shuffled(3)
    assert solve(deal, 2, positions=20_000) == solve(deal, 2, positions=20_000)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="different tiles"):
        solve([1, 1, 2, 3], 1)
    with pytest.raises(ValueError, match="different tiles"):
        solve([1, 2, 3], 1)
    with pytest.raises(ValueError, match="numbered"):
        solve([1, 2, 3, 65], 1)


# --- positions as numbers -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("width", [1, 2, 5, 10])
def test_packed_positions_come_back(width):
    chance = random.Random(width)
    for _ in range(100):
        height, point = np.zeros(table.COLUMNS, np.int64), np.full((table.COLUMNS, table.STATIONS), table.ANY, np.int8)
        # Random tiles, each as its place needs it, until nothing can be laid or enough is.
        n, left = 0, table.LEFT
        for _ in range(chance.randint(1, 55)):
            places = [x for x in range(left - 1, left + n + 1) if table.is_place(height, x, left, n, width)]
            places = [table.LEFT] if n == 0 else [x for x in places if x >= 1 and x < table.COLUMNS - 2]
            if not places:
                break
            x = chance.choice(places)
            s = int(height[x]) + 1
            needs = [point[x, s - 1] if s > 1 else table.ANY, point[x - 1, s], point[x, s]]
            seasons = [chance.randrange(4) if need == table.ANY else need for need in needs]
            table.lay(height, point, x, s, *seasons, np.zeros(3, np.int8))
            left, n = min(left, x), n + (s == 1)
        code = table.pack(height, point, left, n, width)
        assert 0 < code < 1 << 60
        again, points = np.zeros(table.COLUMNS, np.int64), np.zeros((table.COLUMNS, table.STATIONS), np.int8)
        assert table.unpack(code, width, again, points) == n
        assert again[table.LEFT : table.LEFT + n].tolist() == height[left : left + n].tolist()
        assert table.pack(again, points, table.LEFT, n, width) == code
        # What each place of now needs is the same as before.
        for x in range(n - 1):
            if table.is_place(height, left + x, left, n, width):
                s = int(height[left + x]) + 1
                for column, station in ((x, s - 1), (x - 1, s), (x, s)):
                    assert points[table.LEFT + column, station] == point[left + column, station]


def test_box_has_every_triple_once():
    assert [tuple(row) for row in search.box_seasons()] == [triple(tile, 0) for tile in range(1, 65)]


# --- the command ----------------------------------------------------------------------------------------------------
def test_command_compares_with_the_players_of_a_run(tmp_path, capsys):
    mc.simulate("great-fujiyama", ["random"], games=12, seed=5, quiet=True, out=tmp_path / "run")
    arguments = [str(tmp_path / "run"), "--deals", "10", "--out", str(tmp_path / "ceiling.csv")]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "10 deals" in text
    assert "exact" in text
    with (tmp_path / "ceiling.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["deal"]) for row in rows] == list(range(10))
    assert all(float(row["players"]) <= int(row["upper"]) for row in rows)
    assert main([*arguments, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["deals"] == 10
    assert summary["settled"] == 1.0
    lower = sum(int(row["lower"]) for row in rows) / 10
    assert summary["lower"]["estimate"] == pytest.approx(lower)
    assert summary["difference_lower"]["estimate"] == pytest.approx(
        lower - sum(float(row["players"]) for row in rows) / 10
    )


def test_command_uses_the_rules_of_the_run(tmp_path, capsys):
    options = {"width": 4, "hand_size": 2, "turn": "thirds"}
    mc.simulate(
        "great-fujiyama", ["random", "random"], games=3, seed=5, quiet=True, options=options, out=tmp_path / "r"
    )
    assert main([str(tmp_path / "r"), "--json", "--positions", "20000"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["turn"] == "thirds"
    assert summary["width"] == 4
    assert len(summary["reach_lower"]) == 4


def test_command_refuses_what_it_cannot_solve(tmp_path, capsys):
    mc.simulate("great-fujiyama", ["random"], games=2, seed=5, quiet=True, out=tmp_path / "other")
    manifest = tmp_path / "other" / "run.json"
    manifest.write_text(manifest.read_text().replace('"name": "great-fujiyama"', '"name": "fujiyama"'))
    assert main([str(tmp_path / "other")]) == 2  # another game
    mc.simulate("great-fujiyama", ["random"], games=2, seed=5, quiet=True, tables=["games"], out=tmp_path / "bare")
    assert main([str(tmp_path / "bare")]) == 4  # no deals
    assert main([str(tmp_path / "nothing")]) == 4
    assert "deals" in capsys.readouterr().err
