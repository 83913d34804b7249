"""Logged games, read back from Parquet, replayed by the independent implementation in reference.py.

The two share no code. They must agree on how many options every decision had, on every scored animal, on the points
after every round, and on everything the logs say about a game as a whole.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import polars as pl
import pytest

from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.dataset import open_run
from tests.games.acornism import reference
from tests.games.acornism.by_hand import (
    BOX,
    GAME,
    PASS,
    SIZES,
    Line,
    Placed,
    Tile,
    deal_in_order,
    field,
    lines,
    new_table,
    options,
    tile_file,
    where,
)

PLAYERS = [name for name in get_game(GAME).players if name != "random"]
MOVE = ("ply", "round", "seat", "phase", "tile", "animal_x", "animal_y", "acorn_x", "acorn_y")
COLUMNS = (
    "placed", "left", "in_hands", "width", "height", "satisfied", "starved", "unfinished", "finder", "magic_by",
    "magic_turn", "passes", "starved_by_number", "satisfied_by_number", "placed_by_number",
)  # fmt: skip


def some_box(seed: int, n_tiles: int, wild: float = 0.2) -> list[Tile]:
    """Return a box of modest animals at random, some of whose own acorns are too many, and wild acorns."""
    rng = random.Random(seed)
    return [
        Tile(rng.randint(1, 12), "?" if rng.random() < wild else str(rng.choice((0, 1, 1, 2, 3, 4, 9))))
        for _ in range(n_tiles)
    ]


# Options of each run, its games, and its box; small fields most, as the reference is slow in large ones.
RUNS = (
    ({"field_size": 4}, 110, BOX),
    ({"field_size": 4, "magic": "none", "hand_size": 2}, 15, BOX),
    ({"field_size": 5, "pieces": 1, "hand_size": 3}, 25, BOX),
    ({"field_size": 5, "magic": "none"}, 8, some_box(1, 24)),
    ({"field_size": 6, "hand_size": 3}, 5, some_box(2, 15)),
    ({"field_size": 7, "hand_size": 8, "pieces": 2}, 2, some_box(3, 60, 0.5)),
    ({"field_size": 12, "hand_size": 1}, 2, BOX[:14]),
    ({}, 5, BOX),
)
GROUPS = [
    (n_seats, {"edge_scoring": edge, "underfed": underfed})
    for n_seats, edge, underfed in product(SIZES, ("false", "true"), ("allowed", "forbidden"))
]


def lineup(n_seats: int, turn: int) -> list[str]:
    """Return random and scripted players, others in every run."""
    names = [PLAYERS[(turn + seat) % len(PLAYERS)] for seat in range(n_seats)]
    return ["random"] * n_seats if turn % 4 == 0 else ["random", *names[1:]] if turn % 2 else names


@pytest.fixture(scope="module", params=GROUPS, ids=lambda group: f"{group[0]} {' '.join(group[1].values())}")
def logged(request, tmp_path_factory):
    """Return (number of seats, runs), the runs written to disk and opened again: (options, box, run)."""
    n_seats, common = request.param
    base = tmp_path_factory.mktemp("reference")
    runs = []
    for turn, (more, games, box) in enumerate(RUNS):
        path = base / f"{turn}.csv"
        path.write_text(tile_file(box))
        said = common | more
        players = lineup(n_seats, turn + GROUPS.index(request.param))
        simulate(GAME, players, games=games, seed=7, options=said, components={"tiles": path}, out=base / f"{turn}")
        runs.append((said, box, open_run(base / f"{turn}")))
    return n_seats, runs


def reference_tiles(box: list[Tile]) -> list[tuple]:
    return [(want, "magic" if acorns == "?" else int(acorns)) for want, acorns in box]


def rows_by_game(frame: pl.LazyFrame, columns: tuple[str, ...], *order: str) -> dict[int, list[dict]]:
    """Return the rows of each game as dicts, in the order given."""
    table = frame.sort("game", *order).select("game", *columns).collect()
    return {
        game: part.to_dicts() for (game,), part in table.partition_by("game", as_dict=True, include_key=False).items()
    }


def check_run(n_seats: int, said: dict, box: list[Tile], run) -> int:
    """Compare every game of a run with its replay; return how many there are."""
    deals = {row["deal"]: row["tiles"] for row in run.deals.collect().to_dicts()}
    games = {row["game"]: row for row in run.games.collect().to_dicts()}
    moves = rows_by_game(run.moves, (*MOVE, "options"), "ply")
    # The log's own order of scored animals is part of the comparison, so it is not sorted.
    scores = run.scores.collect().partition_by("game", as_dict=True, include_key=False)
    seats = rows_by_game(run.seats, ("seat", "points", "rank", "win_share"), "seat")
    rounds = rows_by_game(run.rounds, ("round", "seat", "points"), "round", "seat")
    assert sorted(games) == list(range(len(games)))
    for game, row in games.items():
        own = moves.get(game, [])
        replayed = reference.replay(n_seats, deals[row["deal"]], own, reference_tiles(box), reference.Options(**said))
        assert [move["options"] for move in own] == replayed.options, game
        assert (scores[(game,)].rows() if (game,) in scores else []) == replayed.scores, game
        assert {name: row[name] for name in COLUMNS} == {name: getattr(replayed, name) for name in COLUMNS}, game
        assert [tuple(mark.values()) for mark in rounds.get(game, [])] == replayed.rounds, game
        assert [seat["points"] for seat in seats[game]] == replayed.totals, game
        assert [seat["rank"] for seat in seats[game]] == replayed.rank, game
        assert [seat["win_share"] for seat in seats[game]] == pytest.approx(replayed.win_share), game
        assert row["winners"] == replayed.winners, game
        assert row["decisions"] == len(own) == len(replayed.options)
        assert (row["n_seats"], row["truncated"]) == (n_seats, False)
        assert row["rounds"] == max(len(replayed.rounds) // n_seats, 1), game
    return len(games)


def test_logged_games_agree_with_the_reference(logged):
    n_seats, runs = logged
    assert sum(check_run(n_seats, *run) for run in runs) >= 170  # in each of twelve variants


def test_these_games_are_worth_comparing(logged):
    """Passes, the Magic Acorn, scores and hungry animals occur, and edges settle, or stay open."""
    _, runs = logged
    seen = Counter()
    for said, _, run in runs:
        for row in run.games.collect().to_dicts():
            seen["passes"] += row["passes"] > 0
            seen["wide"] += row["width"] == said.get("field_size", 8)
            seen["narrow"] += row["width"] < said.get("field_size", 8)
            seen["magic placed"] += row["magic_turn"] is not None
            seen["no magic"] += row["finder"] is None
            seen["satisfied"] += row["satisfied"] > 0
            seen["pile left"] += row["left"] > 0
            seen["pile empty"] += row["left"] == 0
            seen["starved" if row["starved"] else "not starved"] += 1
            assert said["underfed"] == "allowed" or row["starved"] == 0
        seen["magic scored"] += run.scores.filter(pl.col("magic") > 0).collect().height
    wanted = {"passes", "wide", "narrow", "magic placed", "no magic", "satisfied", "pile left", "pile empty"}
    wanted |= {"magic scored", "not starved"}
    assert [name for name in sorted(wanted) if seen[name] == 0] == []
    assert (seen["starved"] > 3) == (runs[0][0]["underfed"] == "allowed")


# --- the comparison can fail ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def one_game(tmp_path_factory):
    """Return (deal, moves) of the longest of some logged games with two seats."""
    folder = tmp_path_factory.mktemp("one") / "run"
    simulate(GAME, ["random", PLAYERS[0]], games=12, seed=3, options={"field_size": 6, "hand_size": 2}, out=folder)
    run = open_run(folder)
    longest = run.games.filter(pl.col("passes") > 0).sort("decisions", "game").last().collect().to_dicts()[0]
    deal = run.deals.filter(deal=longest["deal"]).collect().to_dicts()[0]["tiles"]
    return deal, rows_by_game(run.moves.filter(game=longest["game"]), MOVE, "ply")[longest["game"]]


def overfeeding(deal: list[int], moves: list[dict], said: reference.Options) -> tuple[int, dict]:
    """Return a ply and a move that differs from the options there by giving an animal too much, and by nothing else."""
    laid = reference.lay({}, reference.TILES[deal[2 * said.hand_size] - 1], (0, 0), (1, 0))
    for ply, move in enumerate(moves):
        if move["phase"] == "pass":
            continue
        tile = reference.TILES[move["tile"] - 1]
        for x, y in product(range(-6, 8), repeat=2):
            for acorn in reference.neighbours((x, y)):
                if reference.fits(laid, (x, y), acorn, said) and not reference.feeds_well(
                    laid, tile, (x, y), acorn, said
                ):
                    return ply, dict(zip(MOVE[5:], (x, y, *acorn), strict=True))
        laid = reference.lay(laid, tile, (move["animal_x"], move["animal_y"]), (move["acorn_x"], move["acorn_y"]))
    raise AssertionError("no animal is ever nearly full")


def test_the_reference_notices_a_wrong_log(one_game):
    """A changed tile, square, turn or deal or a missing move does not replay."""
    deal, moves = one_game
    said = reference.Options(field_size=6, hand_size=2)

    def with_change(index: int, **change) -> list[dict]:
        return [*moves[:index], moves[index] | change, *moves[index + 1 :]]

    replayed = reference.replay(2, deal, moves, options=said)
    assert len(replayed.options) == len(moves) > 10
    last, passed = moves[-1], next(move["ply"] for move in moves if move["phase"] == "pass")
    nothing = dict.fromkeys(MOVE[4:])
    first = moves[0]
    swapped = {
        "animal_x": first["acorn_x"], "animal_y": first["acorn_y"], "acorn_x": first["animal_x"],
        "acorn_y": first["animal_y"],
    }  # fmt: skip
    overfed, too_much = overfeeding(deal, moves, said)
    wrong = {
        "a tile that lies already": with_change(2, tile=first["tile"]),
        "a tile of the pile": with_change(0, tile=deal[-1]),
        "a tile of the other hand": with_change(0, tile=deal[2]),
        "squares that are taken": with_change(1, **{name: first[name] for name in MOVE[5:]}),
        "animal and acorn exchanged": with_change(0, **swapped),
        "squares far away": with_change(0, animal_x=8, animal_y=0, acorn_x=9, acorn_y=0),
        "squares apart": with_change(0, acorn_x=first["animal_x"], acorn_y=first["animal_y"] + 3),
        "too many acorns": with_change(overfed, **too_much),
        "another seat": with_change(1, seat=0),
        "another round": with_change(1, round=2),
        "another phase": with_change(1, phase="pass"),
        "a pass though a tile fits": with_change(0, phase="pass", **nothing),
        "no pass": [*moves[:passed], *moves[passed + 1 :]],
        "the end is missing": moves[:-1],
        "a move after the end": [*moves, last | {"ply": last["ply"] + 1}],
        "a move twice": [*moves[:2], moves[1], *moves[2:]],
    }
    for name, broken in wrong.items():
        with pytest.raises(reference.RuleError):
            raise_if_replayed(name, deal, broken, said)
    for other in (deal[::-1], deal[:-1], [*deal[:-1], deal[0]]):
        with pytest.raises(reference.RuleError):
            reference.replay(2, other, moves, options=said)
    for other in (reference.Options(field_size=5, hand_size=2), reference.Options(field_size=6, hand_size=3)):
        with pytest.raises(reference.RuleError):
            reference.replay(2, deal, moves, options=other)


def raise_if_replayed(name: str, deal: list[int], moves: list[dict], said: reference.Options) -> None:
    """Replay a log that must not replay."""
    reference.replay(2, deal, moves, options=said)
    raise AssertionError(f"the reference replays a game with {name}")


MISREADINGS = {
    "the Magic Acorn is worth five": ("MAGIC_WORTH", lambda own: 5),
    "as many as it wants is too many": (
        "is_overfed", lambda own: lambda laid, s, o: reference.acorns_around(laid, s, o)[0] >= laid[s][1]
    ),
    "edges never settle": ("is_outside", lambda own: lambda laid, square, o: False),
    "hungry animals score, too": ("is_satisfied", lambda own: reference.is_complete),
    "from below": ("newly_complete", lambda own: lambda *a: own(*a)[::-1]),
    "three sides are always enough": (
        "is_complete",
        lambda own: lambda laid, square, o: sum(s in laid for s in reference.neighbours(square)) >= 3,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def run_with_everything(tmp_path_factory):
    """Return (options, box, run) of games in which the edge scores and there are many Magic Acorns."""
    folder = tmp_path_factory.mktemp("everything")
    box, said = some_box(4, 30, 0.3), {"edge_scoring": "true", "field_size": 5, "underfed": "allowed"}
    (folder / "box.csv").write_text(tile_file(box))
    files = {"tiles": folder / "box.csv"}
    simulate(GAME, ["random", "random"], games=30, seed=5, options=said, components=files, out=folder / "run")
    return said, box, open_run(folder / "run")


@pytest.mark.parametrize("name", [None, *MISREADINGS])
def test_the_comparison_notices_a_rule_read_wrong(name, run_with_everything, monkeypatch):
    """Each of these readings of the rules, planted in the reference, disagrees with some of thirty games."""
    if name is None:
        assert check_run(2, *run_with_everything) == 30
        return
    attribute, make = MISREADINGS[name]
    monkeypatch.setattr(reference, attribute, make(getattr(reference, attribute)))
    with pytest.raises((AssertionError, reference.RuleError)):
        check_run(2, *run_with_everything)


# --- the other direction -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("edge_scoring", ["false", "true"])
@pytest.mark.parametrize("underfed", ["allowed", "forbidden"])
def test_the_reference_s_own_games_are_legal_here(n_seats, edge_scoring, underfed):
    """Games the reference made up play move by move through the package's rules."""
    rng = random.Random(n_seats)
    common = {"edge_scoring": edge_scoring, "underfed": underfed}
    for more, box, games in (
        ({"field_size": 4}, BOX, 5),
        ({"field_size": 5, "hand_size": 2, "pieces": 1}, some_box(5, 20), 4),
        ({"field_size": 6, "magic": "none"}, some_box(6, 30), 2),
        ({}, BOX, 1),
    ):
        said, shown = common | more, reference_tiles(box)
        for _ in range(games):
            dealt, moves = reference.random_game(n_seats, rng, shown, reference.Options(**said))
            replayed = reference.replay(n_seats, dealt, moves, shown, reference.Options(**said))
            table = deal_in_order(new_table(n_seats, box=box, **said), [number - 1 for number in dealt])
            for move, n_options in zip(moves, replayed.options, strict=True):
                assert (table.state.seat, table.state.round_number) == (move["seat"], move["round"])
                found = options(table)
                assert len(found) == n_options
                table.play(found[step_of(move, box)])
            assert table.over
            assert lines(table) == [
                Line(seat, points, (x, y), *rest) for seat, _, _, points, x, y, *rest in replayed.scores
            ]
            assert table.points() == replayed.totals
            assert field(table) == {
                square: content if kind == "animal" else str(content).replace("magic", "?")
                for square, (kind, content) in replayed.laid.items()
            }
            assert where(table) == dict.fromkeys(range(len(box)), 1)


def step_of(move: dict, box: list[Tile]) -> Placed:
    """Return a move of the reference in the words used here."""
    if move["phase"] == "pass":
        return PASS
    squares = (move["animal_x"], move["animal_y"]), (move["acorn_x"], move["acorn_y"])
    return Placed(box[move["tile"] - 1], *squares)


def test_both_know_the_same_tiles():
    assert reference_tiles(BOX) == reference.TILES


def test_the_reference_s_options_have_the_package_s_defaults():
    assert vars(reference.Options()) == {option.name: option.default for option in get_game(GAME).options}
