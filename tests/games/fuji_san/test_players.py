"""What sets the players of Fuji-san apart: which of them are stronger, and what each does on purpose."""

from __future__ import annotations

import numpy as np
import pytest

from meeplecarlo.games.fuji_san.state import CAPTURE, PLACE, REMOVE, TAKE_FIRST
from tests.games.fuji_san.by_hand import names_of, new_table, piece, pieces, play, set_position, words
from tests.table import Table, stream


def share(engine_of, player: str, other: str, games: int = 200) -> float:
    """Return the win share of `player` against `other`, each as often in either seat."""
    engine = engine_of("fuji-san", [player, other], games=games, seed=5)
    played = engine.play_games(np.arange(games), keep=False)
    return float(played["standings"]["win_share"][:, :2][played["seating"][:, :2] == 0].mean())


@pytest.mark.parametrize(
    ("stronger", "weaker", "least"),
    [
        ("greedy", "random", 0.97),
        ("lookahead", "greedy", 0.97),
        ("lookahead", "mirror", 0.9),
        ("lookahead", "trapper", 0.8),
        ("lookahead", "defender", 0.6),
        ("defender", "greedy", 0.9),
        ("trapper", "greedy", 0.55),
    ],
)
def test_who_beats_whom(engine_of, stronger, weaker, least):
    assert share(engine_of, stronger, weaker) > least


def decide(table: Table, player: str, memory: np.ndarray, seed: int = 1) -> int:
    """Return the move of a player that keeps its memory."""
    moves = np.full(table.game.max_options, -7, np.int32)
    n = table.game.compiled("legal")(table.rules, table.state, moves)
    choose = table.game.compiled_player(table.game.player(player.partition("(")[0]))
    index = choose(table.rules, table.view(), moves, n, table.weights(player), memory, stream(seed))
    return int(moves[index])


def play_turn(table: Table, player: str, seed: int = 1) -> list[str]:
    """Let a player play a whole turn; return its moves in words."""
    memory, seat, done = np.zeros(16, np.int64), int(table.state.seat), []
    phase = TAKE_FIRST
    while not table.over and table.state.seat == seat and (phase == TAKE_FIRST or table.state.phase != TAKE_FIRST):
        code = decide(table, player, memory, seed)
        done.append(words(table, code))
        table.play(code)
        phase = -1
    return done


# --- turns ---------------------------------------------------------------------------------------------------------
PLANNERS = ("greedy", "small_first", "cluster", "trapper", "defender", "lookahead")


@pytest.mark.parametrize("player", PLANNERS)
def test_planners_find_every_kind_of_capture(player):
    """What stands surrounded, what lacks one neighbour, and what can be carried into a pit."""
    surrounded = {"A1": "0s", "A3": "0m", "A2": "1l", "D1": "0l", "D9": "1s"}
    lacking = {"A1": "0s", "A2": "1l", "D1": "0m", "D9": "1s"}
    blocked = {"A1": "0s", "A3": "1s", "A2": "1l", "D1": "0m", "C5": "0m"}
    pit = {"A1": "0s", "A3": "0m", "D1": "1l", "D9": "1s"}
    filled = {"A1": "0s", "A3": "0m", "A2": "0s", "D1": "1l", "D9": "1s"}
    for position in (surrounded, lacking, blocked, pit, filled):
        table = set_position(new_table(), 0, position)
        moves = play_turn(table, player)
        assert moves[-1].endswith("1l"), (position, moves)
        assert table.points() == [3, 0], (position, moves)


def test_defender_and_lookahead_leave_nothing_where_they_can():
    """Seat 1 threatens to carry a large pyramid into the pit A2; one of A1 and A3 has to go."""
    position = {"A1": "1s", "A3": "1m", "D1": "0l", "D5": "0l", "C1": "0s", "B7": "1s"}
    for player in ("defender", "lookahead"):
        table = set_position(new_table(), 0, position)
        play_turn(table, player)
        standing = pieces(table)
        assert not (standing.get("A1", "0")[0] == "1" and standing.get("A3", "0")[0] == "1"), player
        reply = play_turn(table, "greedy")
        assert table.points() == [0, 0], (player, reply)


def test_plans_are_only_kept_for_their_turn():
    """A memory from another round or another position does no harm."""
    for seed in range(20):
        table = new_table().play_random(seed, plies=31 + seed)
        while table.state.phase == PLACE:
            table.play_random(seed, plies=1)
        stale = np.zeros(16, np.int64)
        stale[:4] = int(table.state.round_number), 77, 5, 12
        assert decide(table, "lookahead", stale) in table.legal()


# --- placing -------------------------------------------------------------------------------------------------------
def placed_sizes(player: str) -> list[str]:
    """Return the sizes seat 0 places in order, as letters."""
    table, sizes = new_table(), []
    for seed in range(30):
        before = int(table.state.seat)
        code = decide(table, player if before == 0 else "random", np.zeros(16, np.int64), seed)
        if before == 0:
            sizes.append("sml"[code % 8 % 3])
        table.play(code)
    return sizes


def test_small_first_and_big_last():
    assert placed_sizes("small_first") == list("sssssmmmmmlllll")
    assert placed_sizes("big_last")[10:] == list("lllll")


def test_cluster_surrounds():
    """With A1 its own, a space around the same pit A2, B2 or B1 is worth more than one far away."""
    table = new_table()
    play(table, "A1 0s", "D9 1s")
    chosen = {words(table, decide(table, "cluster", np.zeros(16, np.int64), seed)).split()[0] for seed in range(30)}
    assert chosen <= {"A3", "B1", "B3"}


# --- the mirror ----------------------------------------------------------------------------------------------------
def image(table: Table, space: int) -> int:
    half = int(table.rules.half_turn[space])
    return half if half >= 0 else int(table.rules.reflection[space])


def unlike(table: Table) -> int:
    """Return how many pairs of spaces do not mirror each other with the seats exchanged; the axis is left out."""
    standing, names = pieces(table), names_of(table)
    wrong = 0
    for space, name in enumerate(names):
        other = image(table, space)
        if other > space:
            a, b = standing.get(name), standing.get(names[other])
            wrong += (a is None) != (b is None) or (a is not None and piece(a) != (piece(b) + 3) % 6)
    return wrong


@pytest.mark.parametrize(("board", "seat"), [("mountain30", 1), ("hexagon24", 1), ("mountain30", 0)])
def test_the_mirror_copies_placements(board, seat):
    """Whatever the other seat does, all pairs of spaces mirror each other once the board is full."""
    for seed in range(5):
        table = new_table(board)
        while table.state.phase == PLACE:
            player = "mirror" if table.state.seat == seat else "random"
            table.play(decide(table, player, np.zeros(16, np.int64), 100 * seed + int(table.state.round_number)))
        standing, names = pieces(table), names_of(table)
        pairs = [(name, names[image(table, s)]) for s, name in enumerate(names) if image(table, s) > s]
        assert len(pairs) == (13 if board == "mountain30" else 12)
        assert all(standing[a][0] != standing[b][0] for a, b in pairs)


def full_mirror(board: str) -> Table:
    """Return a table at the removal, all pairs mirrored, size for size."""
    table = new_table(board)
    seed = 0
    while table.state.phase == PLACE:
        player = "small_first" if table.state.seat == 0 else "mirror"
        table.play(decide(table, player, np.zeros(16, np.int64), seed))
        seed += 1
    assert unlike(table) == 0
    return table


def test_the_mirror_answers_the_removal_and_whole_turns():
    """On the hexagon seat 0 restores the half-turn after the removal, and seat 1, on the mountain, removes from the
    axis and then answers turn for turn; both as long as there is an answer."""
    table = full_mirror("hexagon24")
    table.play(decide(table, "greedy", np.zeros(16, np.int64)))
    assert unlike(table) == 1
    play_turn(table, "mirror(grab=0)")
    assert unlike(table) == 0
    table = full_mirror("mountain30")
    assert table.state.phase == REMOVE
    removed = decide(table, "mirror(grab=0)", np.zeros(16, np.int64))
    assert image(table, removed // 8) == removed // 8
    table.play(removed)
    restored = 0
    for seed in range(8):
        play_turn(table, "greedy", seed)
        broken = unlike(table)
        play_turn(table, "mirror(grab=0)", seed)
        restored += broken > 0 and unlike(table) == 0
        if unlike(table):
            break
    assert restored >= 1


def test_the_mirror_copies_a_capture_too():
    """Seat 0 moved A1 away and discarded C1, and captured on D2; the image of all this is open to seat 1."""
    before = {"D1": "0s", "D3": "0m", "D2": "1l", "A1": "0s", "A5": "1s", "C1": "0s", "C9": "1s"}
    before |= {"D9": "1s", "D7": "1m", "D8": "0l"}
    table = set_position(new_table(), 0, before)
    assert unlike(table) == 0
    play(table, "A1 0s", "C1 0s", "B1 0s", "D2 1l")
    moves = play_turn(table, "mirror(grab=0)")
    assert moves[-1] == "D8 0l"
    assert pieces(table)["B7"] == "1s"
    assert unlike(table) == 0
    assert table.points() == [3, 3]


def test_a_restored_symmetry_is_broken_again_for_a_capture_unless_told_not_to():
    """A2 lies between its own A1 and A3, its image D4 between pyramids of seat 1: who captures first is ahead.

    Seat 1 has discarded from B4, the image of C4, and gone from C7 to B7, the images of B1 and C1.
    """
    position = {"A1": "0s", "A2": "1l", "A3": "0s", "D5": "1s", "D4": "0l", "D3": "1s"}
    position |= {"C4": "0s", "B1": "0m", "B7": "1m"}
    table = set_position(new_table("hexagon24"), 0, position)
    assert unlike(table) == 3
    assert play_turn(table, "mirror")[-1] == "A2 1l"
    table = set_position(new_table("hexagon24"), 0, position)
    assert play_turn(table, "mirror(grab=0)")[-1] == "nothing"
    assert unlike(table) == 0


def test_a_board_with_a_half_turn_alone_is_copied_by_it_whatever_the_axis(tmp_path):
    path = tmp_path / "turned.txt"
    path.write_text("^v^v^.\nv^v^v^\n.v^v^v\n")
    table = new_table(str(path))
    assert table.rules.half_turn[0] >= 0 > table.rules.reflection[0]
    for seed in range(6):
        table = new_table(str(path)).play_random(seed, plies=2 * seed + 1)
        assert table.choice("mirror(axis=1)", seed=seed) == table.choice("mirror", seed=seed)


def test_without_symmetry_the_mirror_is_greedy(tmp_path):
    path = tmp_path / "crooked.txt"
    path.write_text("^v^v^v^\nv^v^v^v\n.v^v...\n")
    table = new_table(str(path))
    assert table.rules.half_turn[0] == table.rules.reflection[0] == -1
    for seed in range(6):
        assert table.choice("mirror", seed=seed) == table.choice("greedy", seed=seed)


def test_captures_are_declined_only_by_those_who_weigh_it():
    table = set_position(new_table(), 0, {"A1": "0s", "A3": "0m", "A2": "1s", "D9": "1l", "D8": "0s"})
    play(table, "D9 1l", "D8 0s", "D9 1l")
    assert table.state.phase == CAPTURE
    for player in PLANNERS:
        assert words(table, decide(table, player, np.zeros(16, np.int64))) == "A2 1s"
