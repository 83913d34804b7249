"""Logged games, read back from Parquet, replayed by the independent implementation in reference.py.

The two share no code. They must agree on the boards, on how many options every decision had, on every scored item,
and on totals, ranks, win shares and winners.
"""

from __future__ import annotations

import random

import polars as pl
import pytest

from meeplecarlo.errors import ComponentError
from meeplecarlo.games.fuji_san import board as own
from meeplecarlo.games.fuji_san.state import NOTHING
from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.dataset import open_run
from tests.games.fuji_san import reference
from tests.games.fuji_san.by_hand import new_table

GAMES = 120
CASES = {
    "random on the mountain": ("mountain30", ["random", "random"], {}),
    "lookahead on the mountain": ("mountain30", ["lookahead", "mirror"], {}),
    "noise": ("mountain30", ["trapper(noise=0.5)", "defender(noise=0.3)"], {"pips": (2, 3, 7)}),
    "hexagon": ("hexagon24", ["cluster", "random"], {"pieces": (3, 4, 8)}),
    "mirrors": ("hexagon24", ["mirror", "mirror(axis=1)"], {"pips": (3, 1, 2)}),
    "ring": ("rows33", ["random", "greedy"], {"pieces": (1, 1, 1)}),
    "odd": ("3 5 5", ["big_last", "small_first"], {"pieces": (2, 0, 6)}),
}
MOVE = ("ply", "round", "seat", "phase", "space", "owner", "size")
SCORE = ("seat", "category", "slot", "points", "space", "turn")


@pytest.fixture(scope="module", params=CASES)
def logged(request, tmp_path_factory):
    """Return (board, options, run) of a run written to disk and opened again."""
    board, lineup, options = CASES[request.param]
    folder = tmp_path_factory.mktemp("reference")
    path = folder / "board.txt"
    path.write_text(reference.BOARDS.get(board, board))
    simulate("fuji-san", lineup, games=GAMES, seed=7, options=options, components={"board": path}, out=folder / "run")
    return reference.read_board(path.read_text()), options, open_run(folder / "run")


def rows_by_game(frame: pl.LazyFrame, columns: tuple[str, ...], order: str) -> dict[int, list[dict]]:
    """Return the rows of each game as dicts, in the order given."""
    table = frame.sort("game", order).select("game", *columns).collect()
    return {
        game: part.to_dicts() for (game,), part in table.partition_by("game", as_dict=True, include_key=False).items()
    }


def test_logged_games_agree_with_the_reference(logged):
    board, options, run = logged
    moves = rows_by_game(run.moves, (*MOVE, "options"), "ply")
    # The log's own order of scored items is part of the comparison, so it is not sorted.
    scores = run.scores.collect().partition_by("game", as_dict=True, include_key=False)
    seats = rows_by_game(run.seats, ("points", "rank", "win_share"), "seat")
    games = {row["game"]: row for row in run.games.collect().to_dicts()}
    assert sorted(games) == list(range(GAMES))
    assert set(run.deals.collect()["spaces"]) == {len(board.spaces)}
    for game, row in games.items():
        replayed = reference.replay(board, moves[game], **options)
        assert [move["options"] for move in moves[game]] == replayed.options, game
        scored = scores[(game,)].select(SCORE).rows() if (game,) in scores else []
        assert scored == replayed.scores, game
        assert [seat["points"] for seat in seats[game]] == replayed.totals, game
        assert [seat["rank"] for seat in seats[game]] == replayed.rank, game
        assert [seat["win_share"] for seat in seats[game]] == replayed.win_share, game
        expected = {name: getattr(replayed, name) for name in ("winners", "rounds", "decisions", "left", "captures")}
        assert {name: row[name] for name in expected} == expected, game
        assert (row["turns"], row["n_seats"], row["truncated"]) == (replayed.turns, 2, False)


def test_the_reference_notices_a_wrong_log(logged):
    """The comparison can fail: a changed space, owner, size, phase or a missing move does not replay."""
    board, options, run = logged
    moves = rows_by_game(run.moves.filter(pl.col("game") == 0), MOVE, "ply")[0]
    put = next(i for i, move in enumerate(moves) if move["phase"] == "put")
    take = next(i for i, move in enumerate(moves) if move["phase"] == "take_first")
    reference.replay(board, moves, **options)
    for i, change in (
        (0, {"space": len(board.spaces)}),
        (1, {"space": moves[0]["space"]}),
        (1, {"owner": 0}),
        (put, {"size": None}),
        (take, {"owner": 1 - moves[take]["owner"]}),
        (take, {"phase": "take_second"}),
    ):
        with pytest.raises(reference.RuleError):
            reference.replay(board, [*moves[:i], moves[i] | change, *moves[i + 1 :]], **options)
    for wrong in (moves[:-1], [*moves, moves[-1]]):
        with pytest.raises(reference.RuleError):
            reference.replay(board, wrong, **options)


@pytest.mark.parametrize("name", sorted(reference.BOARDS))
def test_the_reference_s_own_games_are_legal_here(name):
    """The other direction: games the reference made up play move by move through the package's rules."""
    board = reference.read_board(reference.BOARDS[name])
    start = new_table(name)
    for seed in range(20):
        moves = reference.random_game(board, random.Random(seed))
        table = start.copy()
        for move in moves:
            assert (table.state.seat, table.state.round_number) == (move["seat"], move["round"])
            assert table.game.phases[int(table.state.phase)] == move["phase"]
            if move["space"] is None:
                table.play(NOTHING)
            else:
                table.play(8 * move["space"] + 3 * move["owner"] + reference.SIZES.index(move["size"]))
        assert table.over
        replayed = reference.replay(board, moves)
        assert table.points() == replayed.totals


@pytest.mark.parametrize(
    "text",
    [
        *reference.BOARDS.values(), "5 7 9 9", "5-7,7 5", "3 3", "3 5 5", "7 9 9", "15 15 15 15", "4 6", "4 4", "3 5",
        "# x\n^v^v^v^\nv^v^v^v\n.v^v...\n", "^v^\nvvv", "^v^.^v^\nv^v.v^v", "^v^", "5 6 7", "0 3", "9 9 9 9 9 9 9 9",
        "^v^\nvxv", "...", "13 15 17 19", "6 8 8 6", "8 8", "2 2", "5 5", "9 7 5", "9 9 7 5",
    ],
)  # fmt: skip
def test_boards_are_read_and_refused_alike(text):
    def ours():
        try:
            board = own.read_board("x", text)
        except ComponentError:
            return None
        return board.neighbours, [board.points_up(*place) for place in board.spaces]

    def theirs():
        try:
            board = reference.read_board(text)
        except reference.RuleError:
            return None
        return [sorted(n) for n in board.neighbours], [space.points == "^" for space in board.spaces]

    assert ours() == theirs()
