"""Logged games, read back from Parquet, replayed by the independent implementation in reference.py.

The two share no code. They must agree on how many options every decision had, on every scored item, on the points
after every round, and on totals, ranks, win shares and winners.
"""

from __future__ import annotations

import polars as pl
import pytest

from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.dataset import open_run
from tests.games.fujiyama import reference

GAMES = 252  # divisible by every number of seats but 5, where the last deal stays incomplete
LINEUPS = {
    2: ["steady", "random"],
    3: ["steady", "random", "steady(winter=3,animals=0.2)"],
    4: ["steady", "random", "steady(summer=3,noise=4)", "steady(animals=3,trump_price=-5)"],
    5: ["steady(spring=3)", "random", "steady", "steady(autumn=2,trump_price=-9)", "random"],
}
MOVE = ("ply", "round", "seat", "phase", "tile", "source", "cell", "turn", "top", "lower_left", "lower_right")
SCORE = ("seat", "category", "slot", "points", "blossoms", "conifers", "broadleaves", "kinds")


@pytest.fixture(scope="module", params=[(n, turn) for n in LINEUPS for turn in ("none", "thirds")], ids=str)
def logged(request, tmp_path_factory):
    """Return (number of seats, turn option, run) of a run written to disk and opened again."""
    n_seats, turn = request.param
    folder = tmp_path_factory.mktemp("reference") / "run"
    simulate("fujiyama", LINEUPS[n_seats], games=GAMES, seed=10 * n_seats, options={"turn": turn}, out=folder)
    return n_seats, turn, open_run(folder)


def rows_by_game(frame: pl.LazyFrame, columns: tuple[str, ...], order: tuple[str, ...]) -> dict[int, list[dict]]:
    """Return the rows of each game as dicts, in the order given."""
    table = frame.sort("game", *order).select("game", *columns).collect()
    return {
        game: part.to_dicts() for (game,), part in table.partition_by("game", as_dict=True, include_key=False).items()
    }


def test_logged_games_agree_with_the_reference(logged):
    n_seats, turn, run = logged
    deals = {row["deal"]: row for row in run.deals.collect().to_dicts()}
    games = {row["game"]: row for row in run.games.collect().to_dicts()}
    moves = rows_by_game(run.moves, (*MOVE, "options"), ("ply",))
    # The log's own order of scored items is part of the comparison, so it is not sorted.
    scores = run.scores.collect().partition_by("game", as_dict=True, include_key=False)
    seats = rows_by_game(run.seats, ("points", "rank", "win_share", "seasonal"), ("seat",))
    rounds = rows_by_game(run.rounds, ("points",), ("round", "seat"))
    assert sorted(games) == list(range(GAMES))
    assert len(deals) == -(-GAMES // n_seats)
    for game, row in games.items():
        deal = deals[row["deal"]]
        assert row["deal"] == game // n_seats
        replayed = reference.replay(n_seats, deal["boards"], deal["decks"], moves[game], turn=turn)
        assert [move["options"] for move in moves[game]] == replayed.options, game
        assert scores[(game,)].select(SCORE).rows() == replayed.scores, game
        assert [seat["points"] for seat in seats[game]] == replayed.totals, game
        assert [seat["seasonal"] for seat in seats[game]] == replayed.seasonal, game
        assert [seat["rank"] for seat in seats[game]] == replayed.rank, game
        assert [seat["win_share"] for seat in seats[game]] == replayed.win_share, game
        assert row["winners"] == replayed.winners, game
        assert [mark["points"] for mark in rounds[game]] == [p for after in replayed.rounds for p in after], game
        assert (row["n_seats"], row["decisions"], row["rounds"], row["truncated"]) == (n_seats, 28 * n_seats, 9, False)


def test_these_games_are_worth_comparing(logged):
    """Every kind of decision and of scored item occurs, and with turning allowed tiles are turned."""
    n_seats, turn, run = logged
    kinds = run.scores.select("category", "kinds").unique().collect().rows()
    assert {category for category, _ in kinds} == {"spring", "summer", "autumn", "winter", "mixed", "flatland"}
    assert {(c, k) for c, k in kinds if c in ("autumn", "flatland")} == {
        (c, k) for c in ("autumn", "flatland") for k in (1, 2, 3)
    }
    placed = run.moves.filter(pl.col("phase") == "place")
    assert set(placed.select("turn").unique().collect()["turn"]) == ({0, 1, 2} if turn == "thirds" else {0})
    trumps = run.moves.filter(pl.col("source") == "trump").select("round").unique().collect()["round"]
    assert set(trumps) == set(range(1, 10))
    shown = placed.select(
        pl.sum_horizontal(pl.col(s).is_not_null() for s in ("top", "lower_left", "lower_right")).alias("tokens")
    )
    assert set(shown.unique().collect()["tokens"]) == set(range(3 if n_seats == 2 else 4))


def test_the_reference_notices_a_wrong_log(logged):
    """The comparison can fail: a changed tile, cell, deck or a missing move does not replay."""
    n_seats, turn, run = logged
    deal = run.deals.first().collect().to_dicts()[0]
    moves = rows_by_game(run.moves.filter(pl.col("game") == 0), MOVE, ("ply",))[0]
    first_place = next(i for i, move in enumerate(moves) if move["phase"] == "place")
    second_place = next(i for i, move in enumerate(moves) if move["phase"] == "place" and move["round"] == 2)
    seat = moves[second_place]["seat"]
    before = next(m["cell"] for m in moves if m["phase"] == "place" and m["seat"] == seat)

    def with_change(index: int, **change) -> list[dict]:
        return [*moves[:index], moves[index] | change, *moves[index + 1 :]]

    wrong = [
        with_change(second_place, cell=before),
        with_change(first_place, tile=moves[first_place]["tile"] % 64 + 1),
        moves[:-1],
        [*moves, moves[-1]],
    ]
    for broken in wrong:
        with pytest.raises(reference.RuleError):
            reference.replay(n_seats, deal["boards"], deal["decks"], broken, turn=turn)
    with pytest.raises(reference.RuleError):
        reference.replay(n_seats, deal["boards"], [deck[::-1] for deck in deal["decks"]], moves, turn=turn)


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_the_reference_s_own_games_are_legal_here(n_seats):
    """The other direction: games the reference made up play move by move through the package's rules."""
    import random

    from meeplecarlo.games.fujiyama.state import ANIMALS, SOURCES
    from tests.games.fujiyama.by_hand import Table, choose_move, items, place_move

    short = {"top": "top", "lower_left": "ll", "lower_right": "lr"}
    for seed in range(10):
        boards, decks, moves = reference.random_game(n_seats, random.Random(seed))
        table = Table("fujiyama", n_seats)
        set_deal(table, boards, decks)
        for move in moves:
            assert (table.state.seat, table.state.round_number) == (move["seat"], move["round"])
            if move["phase"] == "place":
                tokens = {short[s]: move[s] for s in short if move[s] is not None}
                assert set(tokens.values()) <= set(ANIMALS)
                table.play(place_move(move["tile"] - 1, move["cell"], move["turn"], **tokens))
            elif move["phase"] == "choose":
                assert move["source"] in SOURCES
                table.play(choose_move(table, move["source"]))
            else:
                table.play(move["tile"] - 1)
        assert table.over
        assert [tuple(item) for item in items(table)] == reference.replay(n_seats, boards, decks, moves).scores


def set_deal(table, boards: list[int], decks: list[list[int]]) -> None:
    """Put the given boards and decks (numbered from 1) on the table, as if just dealt."""
    from meeplecarlo.games.fujiyama.rules import add_icon
    from meeplecarlo.games.fujiyama.state import NONE

    state, size = table.state, int(table.rules.deck_size)
    state.stock[:] = NONE
    for seat, (board, deck) in enumerate(zip(boards, decks, strict=True)):
        assert len(deck) == size
        state.board[seat] = board - 1
        state.stock[seat * size : (seat + 1) * size] = [tile - 1 for tile in deck]
        state.stock[seat * size : seat * size + 3] = NONE
        state.hand[seat] = [tile - 1 for tile in deck[:3]]
        state.forest_icons[seat], state.forest_season[seat], state.forest_sum[seat] = 0, NONE, 0
        state.winter_forests[seat] = 0
        for forest in range(12):
            for icon in table.rules.print[board - 1, forest]:
                if icon != NONE:
                    add_icon(state, seat, forest, int(icon))
