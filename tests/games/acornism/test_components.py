"""The tile file: what another one may be, and how a wrong one is refused."""

from __future__ import annotations

import pytest

from meeplecarlo.errors import ComponentError, UsageError
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from tests.games.acornism.by_hand import BOX, GAME, SIZES, SPARE, Tile, rules_of, tile_file, tiles
from tests.table import Table

HEAD = "animal,acorns\n"
TILES = tile_file(BOX)


def rules_from(text: str, n_seats: int = 2, **options):
    """Return the rules with a tile file of this text."""
    game = get_game(GAME)
    defaults = {option.name: option.default for option in game.options}
    return game.module("variant").make_rules(n_seats, defaults | options, {"tiles": ("my_tiles.csv", text)})[0]


def refused(text: str, n_seats: int = 2, **options) -> str:
    """Return the sentence a file is refused with."""
    with pytest.raises(ComponentError) as caught:
        rules_from(text, n_seats, **options)
    message = str(caught.value)
    assert message.startswith("my_tiles.csv")
    assert "\n" not in message
    assert message.endswith((".", "?"))
    return message


# --- what a file may look like -------------------------------------------------------------------------------------
def test_columns_in_any_order_blanks_and_empty_lines():
    rules = rules_from("Acorns , ANIMAL, note\n 3,7,x\n\n magic,8\nMAGIC, 9,\n0,1,\n", hand_size=1)
    assert rules.n_tiles == 4
    assert rules.want[:4].tolist() == [7, 8, 9, 1]
    assert rules.acorns[:4].tolist() == [3, 0, 0, 0]
    assert rules.magic[:4].tolist() == rules.is_magic[:4].tolist() == [0, 1, 1, 0]


def test_equal_tiles_are_of_the_kind_of_the_first():
    for magic, kinds in (("wild", [0, 1, 0, 3, 4, 3, 6]), ("none", [0, 1, 0, 3, 3, 3, 6])):
        rules = rules_of(2, tiles("7(3) 7(2) 7(3) 8(0) 8(?) 8(0) 7(0)"), hand_size=1, magic=magic)[0]
        assert rules.kind[:7].tolist() == kinds
    rules = rules_of(2, tiles("8(?) 8(0) 8(?) 9(1)"), hand_size=1, magic="none")[0]
    assert rules.kind[:4].tolist() == [0, 0, 0, 3]
    assert rules.is_magic[:4].tolist() == [1, 0, 1, 0]
    assert rules.magic[:4].tolist() == [0, 0, 0, 0]


# --- too short, too long -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("size", [1, 4, 8])
def test_a_file_too_short_for_the_hands_is_refused_and_just_long_enough_is_not(n_seats, size):
    needed = n_seats * size + 1
    assert rules_from(tile_file([SPARE] * needed), n_seats, hand_size=size).n_tiles == needed
    message = refused(tile_file([SPARE] * (needed - 1)), n_seats, hand_size=size)
    for part in (f"{n_seats} seats", f"hands of {size}", f"at least {needed}", f"has {needed - 1}"):
        assert part in message


def test_a_file_of_more_than_100_tiles_is_refused():
    assert rules_from(tile_file([SPARE] * 100)).n_tiles == 100
    for n in (101, 500):
        message = refused(tile_file([SPARE] * n))
        assert "at most 100" in message
        assert f"has {n}" in message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["row 1"]),
        (HEAD, ["at least 9", "has 0"]),
        (TILES.replace("animal", "beast", 1), ["row 1", "animal"]),
        (TILES.replace("acorns", "nuts", 1), ["row 1", "acorns"]),
        (TILES.replace("animal,acorns", "animal,acorns,animal", 1), ["row 1", "animal", "twice"]),
        (TILES.replace("5,0", "0,0", 1), ["row 2", "column animal", "1 to 20", "'0'"]),
        (TILES.replace("5,1", "21,1", 1), ["row 3", "column animal", "1 to 20", "'21'"]),
        (TILES.replace("5,1", "-5,1", 1), ["row 3", "column animal", "'-5'"]),
        (TILES.replace("5,2", "five,2", 1), ["row 4", "column animal", "'five'"]),
        (TILES.replace("5,2", "5.0,2", 1), ["row 4", "column animal", "'5.0'"]),
        (TILES.replace("5,3", "5,10", 1), ["row 5", "column acorns", "0 to 9", "magic", "'10'"]),
        (TILES.replace("5,3", "5,-1", 1), ["row 5", "column acorns", "'-1'"]),
        (TILES.replace("5,3", "5,?", 1), ["row 5", "column acorns", "magic", "'?'"]),
        (TILES.replace("8,magic", "8,magick", 1), ["row 41", "column acorns", "'magick'"]),
        (TILES.replace("8,magic", "magic,8", 1), ["row 41", "column animal", "'magic'"]),
        (TILES.replace("5,4", "5,", 1), ["row 6", "column acorns", "''"]),
        (TILES.replace("5,4", "5", 1), ["row 6", "column acorns", "''"]),
        (TILES.replace("5,4", "5,4,3", 1), ["row 6", "3 cells"]),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(text, parts):
    message = refused(text)
    assert [part for part in parts if part not in message] == []


# --- options -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("field_size", 3), ("field_size", 13), ("hand_size", 0), ("hand_size", 9), ("pieces", -1), ("pieces", 41),
        ("edge_scoring", "yes"), ("underfed", "never"), ("magic", "tame"), ("field_size", "8.5"),
    ],
)  # fmt: skip
def test_values_out_of_range_are_refused(option, value):
    with pytest.raises(UsageError, match=option):
        Table(GAME, 2, {option: value})


@pytest.mark.parametrize("n_seats", [1, 5])
def test_other_numbers_of_seats_are_refused(n_seats):
    with pytest.raises(UsageError):
        simulate(GAME, ["random"] * n_seats, games=1, seed=1)


# --- other boxes in play -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("box", "said"),
    [
        (tiles("20(0) 20(1) 20(2)"), {"hand_size": 1}),
        ([SPARE] * 100, {"field_size": 12, "hand_size": 8}),
        ([Tile(20, "9")] * 100, {"field_size": 12, "hand_size": 8, "edge_scoring": "true"}),
        ([Tile(20, "?")] * 100, {"field_size": 12, "edge_scoring": "true", "underfed": "forbidden"}),
        ([Tile(1, "0")] * 60, {"field_size": 4, "edge_scoring": "true"}),
        ([Tile(1, "9")] * 60, {}),
    ],
    ids=["three tiles", "no acorns", "nines", "all magic", "no acorns for ones", "nothing fits"],
)
def test_odd_boxes_play_to_the_end_in_the_logs_too(tmp_path, box, said):
    (tmp_path / "odd.csv").write_text(tile_file(box))
    run = simulate(
        GAME, ["random", "random"], games=12, seed=1, options=said, components={"tiles": tmp_path / "odd.csv"}
    )
    games = run.games.collect()
    assert (games["placed"] + games["left"] + games["in_hands"] == len(box)).all()
    assert (games["satisfied"] + games["starved"] + games["unfinished"] == games["placed"]).all()
    assert (games["placed"] + games["passes"] - 1 == games["decisions"]).all()
    assert not games["truncated"].any()
    wants = {each.want for each in box}
    by_number = games["placed_by_number"].to_list()
    assert {number + 1 for counts in by_number for number, n in enumerate(counts) if n} == wants
    assert [sum(counts) for counts in by_number] == games["placed"].to_list()
