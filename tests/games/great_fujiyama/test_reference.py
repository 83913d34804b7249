"""Logged games, read back from Parquet, replayed by the independent implementation in reference.py.

The two share no code. They must agree on how many options every decision had, on every scored item, on the points
after every round, and on everything the logs say about a game as a whole.
"""

from __future__ import annotations

import random
from collections import Counter
from math import comb

import polars as pl
import pytest

from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.dataset import open_run
from tests.games.great_fujiyama import reference
from tests.games.great_fujiyama.by_hand import BOX, GAME, SIZES, Laid, code, deal_in_order, new_table, options, where

# Width of station 1, hand size, games for each line-up: the printed game most, and smaller and larger ones.
SHAPES = ((10, 3, 80), (10, 8, 10), (6, 2, 16), (4, 3, 30), (2, 4, 30), (3, 1, 40), (1, 3, 4))
MOVE = ("ply", "round", "seat", "phase", "tile", "station", "column", "turn")


def lineup(n_seats: int) -> list[str]:
    """Return random and scripted players in turn, others for another number of seats; the strongest plays alone."""
    others = [name for name in get_game(GAME).players if name != "random"]
    if n_seats == 1:
        return others[-1:]
    names = ["random", *others[::-1]]
    return [names[0 if seat == 0 else (seat * n_seats + 1) % len(names)] for seat in range(n_seats)]


@pytest.fixture(scope="module", params=[(n, turn) for n in SIZES for turn in ("none", "thirds")], ids=str)
def logged(request, tmp_path_factory):
    """Return (number of seats, turn option, runs by shape), the runs written to disk and opened again."""
    n_seats, turn = request.param
    base = tmp_path_factory.mktemp("reference")
    runs = {}
    for width, size, games in SHAPES:
        said = {"turn": turn, "width": width, "hand_size": size, "talk": ("none", "open")[size % 2]}
        for name, players in (("mixed", lineup(n_seats)), ("random", ["random"] * n_seats)):
            if name == "mixed" or n_seats == 1:
                folder = base / f"{name}-{width}-{size}"
                simulate(GAME, players, games=games, seed=10 * n_seats + width, options=said, out=folder)
                runs[width, size, name] = open_run(folder)
    return n_seats, turn, runs


def rows_by_game(frame: pl.LazyFrame, columns: tuple[str, ...], order: tuple[str, ...]) -> dict[int, list[dict]]:
    """Return the rows of each game as dicts, in the order given."""
    table = frame.sort("game", *order).select("game", *columns).collect()
    return {
        game: part.to_dicts() for (game,), part in table.partition_by("game", as_dict=True, include_key=False).items()
    }


def check_run(n_seats: int, turn: str, width: int, size: int, run) -> int:
    """Compare every game of a run with its replay; return how many there are."""
    deals = {row["deal"]: row["tiles"] for row in run.deals.collect().to_dicts()}
    games = {row["game"]: row for row in run.games.collect().to_dicts()}
    moves = rows_by_game(run.moves, (*MOVE, "options"), ("ply",))
    # The log's own order of scored items is part of the comparison, so it is not sorted.
    scores = run.scores.collect().partition_by("game", as_dict=True, include_key=False)
    seats = rows_by_game(run.seats, ("points",), ("seat",))
    rounds = rows_by_game(run.rounds, ("round", "seat", "points"), ("round", "seat"))
    assert sorted(games) == list(range(len(games)))
    for game, row in games.items():
        own = moves.get(game, [])
        replayed = reference.replay(n_seats, deals[row["deal"]], own, turn=turn, width=width, hand_size=size)
        assert [move["options"] for move in own] == replayed.options, game
        logged_scores = scores[(game,)].rows() if (game,) in scores else []
        assert logged_scores == replayed.scores, game
        for name in ("stations", "rank_name", "highest", "tiles", "per_station", "ended", "rounds", "decisions"):
            assert row[name] == getattr(replayed, name), (game, name)
        assert [seat["points"] for seat in seats[game]] == [replayed.stations] * n_seats, game
        marks = [(mark["round"], mark["seat"], mark["points"]) for mark in rounds.get(game, [])]
        assert marks == [
            (number, seat, points)
            for number, after in enumerate(replayed.round_points, start=1)
            for seat, points in enumerate(after)
        ], game
        assert (row["n_seats"], row["truncated"], row["winners"]) == (n_seats, False, None)
    return len(games)


def test_logged_games_agree_with_the_reference(logged):
    n_seats, turn, runs = logged
    compared = sum(check_run(n_seats, turn, width, size, run) for (width, size, _), run in runs.items())
    assert compared >= 200  # in each of ten variants


def test_these_games_are_worth_comparing(logged):
    """Turns, ends and results of every kind occur, and decisions have few options and many."""
    _, turn, runs = logged
    printed = runs[10, 3, "mixed"]
    assert set(printed.moves.collect()["turn"]) == ({0, 1, 2} if turn == "thirds" else {0})
    ended = Counter()
    for (width, size, _), run in runs.items():
        games = run.games.collect()
        ended.update(games["ended"].to_list())
        if width > 2 and (turn, size) != ("none", 1):
            assert games["tiles"].n_unique() > 1
    assert ended["complete"] > 10  # the smallest pyramids
    assert ended["no tile fits"] > 50
    assert ended["hand empty"] == 0  # cannot be with 64 tiles
    results = {stations for run in runs.values() for stations in run.games.collect()["stations"]}
    assert results >= ({0, 1, 2, 3} if turn == "thirds" else {0, 1, 2})
    if turn == "thirds":
        assert printed.moves.collect()["station"].max() >= 4
    assert printed.moves.collect()["options"].n_unique() > 5


def test_the_reference_notices_a_wrong_log(logged):
    """The comparison can fail: a changed tile, place, turn, seat or deck or a missing move does not replay."""
    n_seats, turn, runs = logged
    run = runs[10, 3, "mixed"]
    longest = run.games.sort("decisions", "game").last().collect().to_dicts()[0]
    deal = run.deals.filter(deal=longest["deal"]).collect().to_dicts()[0]["tiles"]
    moves = rows_by_game(run.moves.filter(game=longest["game"]), MOVE, ("ply",))[longest["game"]]
    assert len(moves) >= 4

    def with_change(index: int, **change) -> list[dict]:
        return [*moves[:index], moves[index] | change, *moves[index + 1 :]]

    last = moves[-1]
    wrong = {
        "a tile that lies already": with_change(3, tile=moves[0]["tile"]),
        "a tile of the deck": with_change(0, tile=deal[-1]),
        "a place that is taken": with_change(3, station=1, column=0),
        "a gap on the ground": with_change(0, station=1, column=2),
        "nothing below": with_change(0, station=2, column=0),
        "a turn there is not": with_change(0, turn=3),
        "another seat": with_change(1, seat=(moves[1]["seat"] + 1) % n_seats if n_seats > 1 else 1),
        "another round": with_change(1, round=moves[1]["round"] + 1),
        "the end is missing": moves[:-1],
        "a move after the end": [*moves, last | {"ply": last["ply"] + 1}],
        "a move twice": [*moves[:2], moves[1], *moves[2:]],
    }
    assert reference.replay(n_seats, deal, moves, turn=turn).decisions == len(moves)
    for name, broken in wrong.items():
        with pytest.raises(reference.RuleError):
            raise_if_replayed(name, n_seats, deal, broken, turn)
    for deck in (deal[::-1], deal[:-1], [*deal[:-1], deal[0]]):
        with pytest.raises(reference.RuleError):
            reference.replay(n_seats, deck, moves, turn=turn)
    if turn == "thirds":
        with pytest.raises(reference.RuleError):
            reference.replay(n_seats, deal, moves, turn="none")
    if longest["per_station"][0] > 3:
        with pytest.raises(reference.RuleError):
            reference.replay(n_seats, deal, moves, turn=turn, width=3)
    with pytest.raises(reference.RuleError):
        reference.replay(n_seats, deal, moves, turn=turn, hand_size=1)


def raise_if_replayed(name: str, n_seats: int, deal: list[int], moves: list[dict], turn: str) -> None:
    """Replay a log that must not replay."""
    reference.replay(n_seats, deal, moves, turn=turn)
    raise AssertionError(f"the reference replays a game with {name}")


@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("turn", ["none", "thirds"])
def test_the_reference_s_own_games_are_legal_here(n_seats, turn):
    """The other direction: games the reference made up play move by move through the package's rules."""
    rng = random.Random(n_seats)
    for width, size, _ in SHAPES:
        table = new_table(n_seats, turn=turn, width=width, hand_size=size)
        for _ in range(6):
            said = {"turn": turn, "width": width, "hand_size": size}
            tiles, moves = reference.random_game(n_seats, rng, **said)
            replayed = reference.replay(n_seats, tiles, moves, **said)
            deal_in_order(table, [BOX[tile - 1] for tile in tiles])
            for move, n_options in zip(moves, replayed.options, strict=True):
                assert (table.state.seat, table.state.round_number) == (move["seat"], move["round"])
                assert len(options(table)) == n_options
                table.play(code(Laid(BOX[move["tile"] - 1], move["station"], move["column"], move["turn"])))
            assert table.over
            assert table.points() == [replayed.stations] * n_seats
            assert table.state.count.tolist() == replayed.per_station
            assert table.state.round_number == replayed.rounds
            assert where(table) == dict.fromkeys(BOX, 1)


def test_both_know_the_same_tiles():
    letters = dict(zip(reference.SEASONS, "PSAW", strict=True))
    assert ["".join(letters[season] for season in reference.TILES[tile]) for tile in range(1, 65)] == list(BOX)


def test_the_full_pyramid_of_the_reference_is_one():
    tiles, stations, columns = zip(*reference.complete_pyramid(), strict=True)
    assert len(set(tiles)) == len(tiles) == comb(11, 2)
    assert Counter(stations) == {station: 11 - station for station in range(1, 11)}
    assert all(0 <= column < 11 - station for station, column in zip(stations, columns, strict=True))
