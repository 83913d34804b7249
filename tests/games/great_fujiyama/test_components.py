"""The tile file: what is shipped, what another one may be, and how a wrong one is refused."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from meeplecarlo.errors import ComponentError, UsageError
from meeplecarlo.games.great_fujiyama.state import ANY, COMPLETE
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from tests.games.great_fujiyama.by_hand import BOX, GAME, SEASONS, SIZES, turned
from tests.table import Table

SHARED = "meeplecarlo.games.season_tiles"
TILES = (files(SHARED) / "components" / "tiles.csv").read_text(encoding="utf-8")
HEAD, *ROWS = TILES.splitlines()


def rules_of(n_seats: int, text: str = TILES, **options):
    """Return the rules with a tile file of this text."""
    game = get_game(GAME)
    defaults = {option.name: option.default for option in game.options}
    return game.module("variant").make_rules(n_seats, defaults | options, {"tiles": ("my_tiles.csv", text)})[0]


def first_tiles(n: int) -> str:
    """Return a file of so many tiles: the shipped ones, then winter."""
    rows = ROWS[:n] + [f"{i},winter,winter,winter" for i in range(len(ROWS) + 1, n + 1)]
    return "\n".join([HEAD, *rows]) + "\n"


# --- what is shipped -----------------------------------------------------------------------------------------------
def test_both_games_share_one_tile_file():
    here, there = (get_game(game).component("tiles") for game in (GAME, "fujiyama"))
    assert (here.package, here.shipped) == (there.package, there.shipped) == (SHARED, ("tiles.csv",))


def test_64_tiles_and_48_icons_of_each_season():
    rules = rules_of(2)
    assert rules.n_tiles == 64
    assert Counter(rules.seasons.ravel().tolist()) == dict.fromkeys(range(4), 48)


@pytest.mark.parametrize("turn", ["none", "thirds"])
def test_the_sets_of_tiles_by_corner_hold_what_they_say(turn):
    """Also when turned; tiles of one season are in the sets of turn 0 only, so that they have one turn."""
    showing = rules_of(1, turn=turn).showing
    for thirds in range(3):
        for corner in range(3):
            for season in range(5):
                bits = int(showing[thirds, corner, season]) % 2**64
                expected = {
                    tile
                    for tile in BOX
                    if (thirds == 0 or len(set(tile)) > 1)
                    and season in (ANY, SEASONS.index(turned(tile, thirds)[corner]))
                }
                assert {tile for i, tile in enumerate(BOX) if bits >> i & 1} == expected


def test_each_season_is_at_each_corner_of_16_tiles():
    showing = rules_of(1).showing
    for corner in range(3):
        sizes = [(int(showing[0, corner, season]) % 2**64).bit_count() for season in range(5)]
        assert sizes == [16, 16, 16, 16, 64]
        sizes = [(int(showing[1, corner, season]) % 2**64).bit_count() for season in range(5)]
        assert sizes == [15, 15, 15, 15, 60]


# --- too short, too long -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("size", [1, 3, 8])
def test_a_file_too_short_for_the_hands_is_refused_and_just_long_enough_is_not(n_seats, size):
    needed = 1 + n_seats * size
    assert rules_of(n_seats, first_tiles(needed), hand_size=size).n_tiles == needed
    with pytest.raises(ComponentError) as caught:
        rules_of(n_seats, first_tiles(needed - 1), hand_size=size)
    for part in ("my_tiles.csv", f"{n_seats} seat", f"at least {needed}", f"has {needed - 1}"):
        assert part in str(caught.value)


@pytest.mark.parametrize("n", [65, 96])
def test_a_file_of_more_than_64_tiles_is_refused(n):
    assert rules_of(2, first_tiles(64)).n_tiles == 64
    with pytest.raises(ComponentError, match=rf"my_tiles\.csv.*at most 64.*has {n}"):
        rules_of(2, first_tiles(n))


def test_more_tiles_than_a_tile_file_can_have_are_refused_with_their_row():
    with pytest.raises(ComponentError, match=r"my_tiles\.csv, row 98"):
        rules_of(2, first_tiles(97))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["row 1"]),
        (HEAD + "\n", ["at least 7", "has 0"]),
        (TILES.replace("upper_left", "left", 1), ["row 1", "upper_left"]),
        (TILES.replace("\n3,spring", "\n3,sprng"), ["row 4", "column bottom", "did you mean 'spring'"]),
        (TILES.replace("\n3,", "\n4,"), ["row 4", "column tile", "3 is due"]),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(text, parts):
    with pytest.raises(ComponentError) as caught:
        rules_of(2, text)
    message = str(caught.value)
    assert [part for part in ["my_tiles.csv", *parts] if part not in message] == []
    assert "\n" not in message


# --- other boxes ---------------------------------------------------------------------------------------------------
def test_the_shortest_file_plays_to_the_end(tmp_path):
    """All tiles in hands, nothing to draw; in the logs too."""
    (tmp_path / "few.csv").write_text(first_tiles(16))
    run = simulate(GAME, ["random"] * 5, games=40, seed=1, components={"tiles": tmp_path / "few.csv"})
    games = run.games.collect()
    assert games["tiles"].max() <= 16
    assert games["decisions"].max() > 3
    assert set(run.deals.collect()["tiles"].list.len()) == {16}
    assert all(sorted(tiles) == list(range(1, 17)) for tiles in run.deals.collect()["tiles"].to_list())


def test_a_box_of_equal_tiles_builds_all_of_it(tmp_path):
    """Every tile has its own bit even if no two can be told apart; with 64 tiles the last bit is the sign."""
    rows = [f"{i},winter,winter,winter" for i in range(1, 65)]
    (tmp_path / "winter.csv").write_text("\n".join([HEAD, *rows]))
    for n_seats in SIZES:
        for turn in ("none", "thirds"):
            table = Table(GAME, n_seats, {"turn": turn}, {"tiles": tmp_path / "winter.csv"}, seed=n_seats)
            table.play_random(n_seats)
            assert table.state.ended == COMPLETE
            assert table.points() == [10] * n_seats
            assert int(table.state.laid).bit_count() > 0
            assert (int(table.state.laid) % 2**64).bit_count() == 55


@pytest.mark.parametrize(("option", "value"), [("width", 0), ("width", 11), ("hand_size", 0), ("hand_size", 9)])
def test_sizes_there_is_no_room_for_are_refused(option, value):
    with pytest.raises(UsageError, match=option):
        Table(GAME, 2, {option: value})
