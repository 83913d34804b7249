"""Logged games, read back from Parquet, replayed by the independent implementation in reference.py.

The two share no code. They must agree on how many options every decision had, on every scored item, on the points
after both rounds, and on everything the logs say about a game as a whole.
"""

from __future__ import annotations

import random
from collections import Counter

import polars as pl
import pytest

from meeplecarlo.games.heizei import COLOURS
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.dataset import open_run
from tests.games.heizei import reference
from tests.games.heizei.by_hand import (
    GAME,
    LETTERS,
    NAME,
    SIZES,
    all_options,
    code,
    lines,
    new_table,
    options,
    phase,
    start,
    where,
)

GAMES = {"printed": 40, "few cards": 200}  # of each number of seats and line-up
OTHERWISE = 20
VARIANTS = {
    "printed": {},
    "short track": {"track": 8, "penalty": "none", "memory": "table"},
    "track": {"track": 30, "cards_per_colour": (18, 20, 20), "steps": (2, 0, 5, 5, 30, 1, 99)},
    "few cards": {"cards_per_colour": (6, 4, 5), "memory": "table", "first_values": (1, 1, 0, 7)},
    "values": {"first_values": (0, 20, 3, 3), "second_values": (2, 2, 0, 20), "tiles_3": (0, 0), "tiles_4": (5, 5, 1),
               "tiles_5": (20, 3, 7, 3)},
    "even": {"first_values": (1, 1, 1, 1), "second_values": (1, 1, 1, 1), "tiles_3": (1, 1), "tiles_4": (0, 0, 0),
             "tiles_5": (2, 2, 2, 2), "penalty": "none"},
    "standing": {"steps": (0, 0, 0, 0, 0, 0, 0), "track": 200},
}  # fmt: skip
MOVE = ("ply", "round", "seat", "phase", *COLOURS)
SCORE = ("seat", "category", "slot", "points", "in_round", "cards", "place")
GAME_FIELDS = (
    "order_1", "order_2", "first_out_1", "first_out_2", "start_2", "turns_1", "turns_2", "steps_1", "steps_2",
    "winners",
)  # fmt: skip


def lineup(n_seats: int, variant: str) -> list[str]:
    """Return random and scripted players, others for other variants and numbers of seats, so that all have a turn."""
    names = [name for name in get_game(GAME).players if name != "random"]
    first = list(VARIANTS).index(variant) * len(SIZES) + SIZES.index(n_seats)
    return ["random", *(names[(2 * first + i) % len(names)] for i in range(n_seats - 1))]


@pytest.fixture(scope="module", params=[(n, variant) for n in SIZES for variant in VARIANTS], ids=str)
def logged(request, tmp_path_factory):
    """Return (number of seats, variant, runs of mixed and of random players), written to disk and opened again."""
    n_seats, variant = request.param
    base = tmp_path_factory.mktemp("reference")
    runs = []
    for name, players in (("mixed", lineup(n_seats, variant)), ("random", ["random"] * n_seats)):
        simulate(GAME, players, games=GAMES.get(variant, OTHERWISE), seed=7, options=VARIANTS[variant],
                 out=base / name)  # fmt: skip
        runs.append(open_run(base / name))
    return n_seats, variant, runs


def rows_by_game(frame: pl.LazyFrame, columns: tuple[str, ...], order: tuple[str, ...]) -> dict[int, list[dict]]:
    """Return the rows of each game as dicts, in the order given."""
    table = frame.sort("game", *order).select("game", *columns).collect()
    return {
        game: part.to_dicts() for (game,), part in table.partition_by("game", as_dict=True, include_key=False).items()
    }


def deals_of(run) -> dict[int, tuple[list, list]]:
    """Return the circles and hands of every deal."""
    return {row["deal"]: (row["circles"], row["hands"]) for row in run.deals.collect().to_dicts()}


def check_run(n_seats: int, said: dict, run) -> int:
    """Compare every game of a run with its replay; return how many there are."""
    deals = deals_of(run)
    moves = rows_by_game(run.moves, (*MOVE, "options"), ("ply",))
    # The log's own order of scored items is part of the comparison, so it is not sorted.
    scores = run.scores.collect().partition_by("game", as_dict=True, include_key=False)
    seats = rows_by_game(run.seats, ("points", "rank", "win_share", "tile_2"), ("seat",))
    rounds = rows_by_game(run.rounds, ("round", "seat", "points"), ("round", "seat"))
    games = {row["game"]: row for row in run.games.collect().to_dicts()}
    assert sorted(games) == list(range(len(games)))
    for game, row in games.items():
        replayed = reference.replay(n_seats, *deals[row["deal"]], moves[game], reference.Options(**said))
        assert [move["options"] for move in moves[game]] == replayed.options, game
        assert scores[(game,)].select(SCORE).rows() == replayed.scores, game
        assert [(mark["round"], mark["seat"], mark["points"]) for mark in rounds[game]] == replayed.rounds, game
        for name, expected in (
            ("points", replayed.totals),
            ("rank", replayed.rank),
            ("win_share", replayed.win_share),
            ("tile_2", replayed.tile_2),
        ):
            assert [seat[name] for seat in seats[game]] == expected, (game, name)
        expected = {name: getattr(replayed, name) for name in GAME_FIELDS}
        assert {name: row[name] for name in expected} == expected, game
        assert row["decisions"] == len(replayed.options)
        assert (row["n_seats"], row["rounds"], row["truncated"]) == (n_seats, 2, False)
    return len(games)


def test_logged_games_agree_with_the_reference(logged):
    n_seats, variant, runs = logged
    compared = sum(check_run(n_seats, VARIANTS[variant], run) for run in runs)
    assert compared == 2 * GAMES.get(variant, OTHERWISE)


def test_these_are_2000_games():
    assert len(SIZES) * 2 * sum(GAMES.get(variant, OTHERWISE) for variant in VARIANTS) >= 2000


def test_no_column_of_the_games_table_is_left_out(logged):
    _, _, runs = logged
    compared = {*GAME_FIELDS, "decisions", "n_seats", "rounds", "truncated"}
    assert set(runs[0].games.collect_schema()) - compared == {"game", "deal", "seating"}
    assert set(runs[0].moves.collect_schema()) - set(MOVE) == {"game", "options", "move"}
    assert tuple(runs[0].scores.collect_schema()) == ("game", *SCORE)


def test_every_player_is_in_one_of_the_line_ups():
    seen = {name for n_seats in SIZES for variant in VARIANTS for name in lineup(n_seats, variant)}
    assert seen == set(get_game(GAME).players)


def test_these_games_are_worth_comparing(logged):
    """Turns of many lengths, decisions with few and with many options, and both rounds with every outcome occur."""
    n_seats, variant, runs = logged
    games = pl.concat([run.games.collect() for run in runs])
    moves = pl.concat([run.moves.select("phase", "options", *COLOURS).collect() for run in runs])
    assert games["first_out_1"].n_unique() == n_seats
    assert games["turns_1"].n_unique() > 2
    if variant != "even":  # where round 1 scores cards alike
        assert games["start_2"].n_unique() == n_seats
    if variant == "printed":
        assert games["order_2"].n_unique() > 20
        plays = moves.filter(pl.col("phase") == "play").select(pl.sum_horizontal(*COLOURS)).to_series()
        assert set(plays) >= set(range(1, 8))
        takes = moves.filter(pl.col("phase") == "take")
        assert set(takes["options"]) >= set(range(1, min(n_seats, 4) + 1))
    if variant == "short track":
        ends = Counter(spaces.count(8) for spaces in games["steps_1"].to_list())
        assert ends.most_common(1)[0][0] >= 3
    if variant == "even":
        assert (games["winners"].list.len() > 1).any()


def test_the_reference_notices_a_wrong_log(logged):
    """The comparison can fail: another colour, number, seat, phase or deal or a missing move does not replay."""
    n_seats, variant, runs = logged
    run, rules = runs[1], reference.Options(**VARIANTS[variant])
    circles, hands = deals_of(run)[run.games.filter(game=0).collect()["deal"][0]]
    moves = rows_by_game(run.moves.filter(game=0), MOVE, ("ply",))[0]
    reference.replay(n_seats, circles, hands, moves, rules)

    def first_of(asked: str) -> int:
        return next(i for i, move in enumerate(moves) if move["phase"] == asked)

    def changed(i: int, **change) -> list[dict]:
        return [*moves[:i], moves[i] | change, *moves[i + 1 :]]

    play, take, last = first_of("play"), first_of("take"), first_of("last")
    nothing = dict.fromkeys(COLOURS, 0)
    wrong = {
        "two cards laid": changed(0, **nothing | {"red": 1, "blue": 1}),
        "no card laid": changed(0, **nothing),
        "two colours played": changed(play, **dict.fromkeys(COLOURS, 1)),
        "more played than held": changed(play, **nothing | {"red": 1 + max(hands)}),
        "nothing played": changed(play, **nothing),
        "too many taken": changed(take, **{name: moves[take][name] + 1 for name in COLOURS}),
        "nothing taken": changed(take, **nothing),
        "two last cards": changed(last, **{name: 2 * moves[last][name] for name in COLOURS}),
        "another phase": changed(take, phase="last"),
        "another round": changed(take, round=2),
        "another seat": changed(play, seat=1),
        "another ply": changed(play, ply=play + 1),
        "the end is missing": moves[:-1],
        "a move after the end": [*moves, moves[-1] | {"ply": len(moves)}],
        "a move twice": [*moves[: play + 1], moves[play], *moves[play + 1 :]],
        "a turn left out": [*moves[:play], *moves[play + 2 :]],
    }
    for name, broken in wrong.items():
        with pytest.raises(reference.RuleError):
            raise_if_replayed(name, n_seats, circles, hands, broken, rules)
    for cubes, cards in (
        ([circles[0], *circles[:3]], hands),
        (circles, [hands[0] + 1, *hands[1:]]),
        (circles, hands[4:]),
        (circles, [hands[0] + 1, hands[1] - 1, *hands[2:]]),
    ):
        with pytest.raises(reference.RuleError):
            reference.replay(n_seats, cubes, cards, moves, rules)


def raise_if_replayed(name: str, n_seats: int, circles, hands, moves: list[dict], rules: reference.Options) -> None:
    """Replay a log that must not replay."""
    reference.replay(n_seats, circles, hands, moves, rules)
    raise AssertionError(f"the reference replays a game with {name}")


@pytest.mark.parametrize("n_seats", SIZES)
def test_the_reference_scores_otherwise_with_other_options(n_seats):
    """The comparison of points can fail, too."""
    rng = random.Random(n_seats)
    for _ in range(3):
        circles, hands, moves = reference.random_game(n_seats, rng)
        true = reference.replay(n_seats, circles, hands, moves)
        for said in ({"penalty": "none"}, {"second_values": (4, 3, 2, 0)}, {"second_values": (3, 4, 2, 1)}):
            other = reference.replay(n_seats, circles, hands, moves, reference.Options(**said))
            assert other.scores != true.scores
            assert other.options == true.options
    with pytest.raises(reference.RuleError):
        reference.replay(n_seats, circles, hands, moves, reference.Options(cards_per_colour=(6, 4, 5)))


@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_reference_s_own_games_are_legal_here(n_seats, variant):
    """The other direction: games the reference made up play move by move through the package's rules."""
    said, rng = VARIANTS[variant], random.Random(n_seats)
    rules = reference.Options(**said)
    more = {name: value for name, value in said.items() if name != "cards_per_colour"}
    letter = {name: one for one, name in NAME.items()}
    for _ in range(8):
        circles, dealt, moves = reference.random_game(n_seats, rng, rules)
        replayed = reference.replay(n_seats, circles, dealt, moves, rules)
        hands = ["".join(LETTERS[i] * dealt[4 * seat + i] for i in range(4)) for seat in range(n_seats)]
        table = start("".join(letter[name] for name in circles), *hands, **more)
        for move, n_options in zip(moves, replayed.options, strict=True):
            assert (table.state.seat, table.state.round_number) == (move["seat"], move["round"])
            assert phase(table) == move["phase"]
            assert len(options(table)) == n_options == len(all_options(table))
            table.play(code("".join(one * move[NAME[one]] for one in LETTERS)))
        assert table.over
        assert lines(table) == replayed.scores
        assert table.points() == replayed.totals
        assert table.tally()[1][:, 0].tolist() == replayed.tile_2
        assert table.state.turns.tolist() == [replayed.turns_1, replayed.turns_2]
        assert where(table) == dict.fromkeys(LETTERS, rules.cards(n_seats))


def test_both_have_the_same_options():
    """Names and printed values."""
    printed = {option.name: option.default for option in get_game(GAME).options}
    assert vars(reference.Options()) == printed


def test_both_deal_the_same_cards():
    rng = random.Random(1)
    for n_seats in SIZES:
        circles, hands = reference.deal(n_seats, rng)
        assert sorted(circles) == sorted(COLOURS)
        table = new_table(n_seats)
        assert [sum(hands[i::4]) for i in range(4)] == [where(table)[letter] for letter in LETTERS]
