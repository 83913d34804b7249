"""Component files: what is shipped obeys the game page, and whatever is wrong with a file is said with its place."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meeplecarlo as mc
from meeplecarlo.errors import ComponentError
from meeplecarlo.games.fujiyama.state import ANIMALS, NONE
from meeplecarlo.games.season_tiles import MAX_TILES
from meeplecarlo.games.season_tiles.icons import format_icon, parse_icon
from meeplecarlo.registry import get_game
from meeplecarlo.variant import make_variant
from tests.games.fujiyama.by_hand import FORESTS

GAME = get_game("fujiyama")
TILES = (files("meeplecarlo.games.season_tiles") / "components" / "tiles.csv").read_text(encoding="utf-8")
FOLDER = files("meeplecarlo.games.fujiyama") / "components"
BOARDS = (FOLDER / "boards.csv").read_text(encoding="utf-8")
SEASONS = {"P": "spring", "S": "summer", "A": "autumn", "W": "winter"}
PRINTED_AT = ("F1", "F2", "F3", "F4", "F7", "F8", "F12")
BOARD_SEASONS = ("PSAWPSA", "SAWPSAW", "AWPSAWP", "WPSAWPS", "PASWAPS")
ANIMAL_ROWS = ("RSFRSFRSF", "SFRSFRSFR", "FRSFRSFRS", "RFSRFSRFS", "SRFSRFSRF")


def rules_of(n_seats: int = 2, **texts: str):
    """Return the rules with component files of these texts: ``rules_of(2, tiles="tile,bottom,...")``."""
    files = {"tiles": ("tiles.csv", TILES), "boards": ("boards.csv", BOARDS)}
    files |= {name: (f"my_{name}.csv", text) for name, text in texts.items()}
    options = {option.name: option.default for option in GAME.options}
    return GAME.module("variant").make_rules(n_seats, options, files)[0]


# --- what is shipped -----------------------------------------------------------------------------------------------
def test_tiles_run_over_all_triples_with_variants_dealt_in_turn():
    """The page's construction: seasons P S A W, bottom slowest; pictures corner by corner, by tile number."""
    variants = {
        "P": [f"spring {n}" for n in (1, 2, 3)],
        "S": [f"summer {kind} {n}" for kind in ("conifer", "broadleaf") for n in (1, 2, 3)],
        "A": [f"autumn {fruit}" for fruit in ("mushroom", "chestnut", "grape")],
        "W": ["winter"],
    }
    triples = list(product("PSAW", repeat=3))
    expected = [[] for _ in triples]
    dealt = Counter()
    for corner in range(3):
        for tile, triple in enumerate(triples):
            season = triple[corner]
            expected[tile].append(variants[season][dealt[season] % len(variants[season])])
            dealt[season] += 1
    rules = rules_of()
    assert rules.n_tiles == 64
    assert [[format_icon(icon) for icon in icons] for icons in rules.icons[:64]] == expected
    assert set(dealt.values()) == {48}


def test_tiles_hold_16_8_and_16_of_each_picture():
    counts = Counter(format_icon(icon) for icon in rules_of().icons[:64].ravel())
    by_season = {
        season: sorted(n for icon, n in counts.items() if icon.startswith(season)) for season in SEASONS.values()
    }
    assert by_season == {"spring": [16] * 3, "summer": [8] * 6, "autumn": [16] * 3, "winter": [48]}


@pytest.mark.parametrize("board", range(5))
def test_boards_have_the_page_s_seasons_and_animal_rows(board):
    rules = rules_of()
    seasons = [int(rules.print[board, list(FORESTS).index(slot), 0]) >> 8 for slot in PRINTED_AT]
    assert seasons == ["PSAW".index(letter) for letter in BOARD_SEASONS[board]]
    assert "".join(ANIMALS[a][0].upper() for a in rules.animals[board]) == ANIMAL_ROWS[board]


# What a summer slope prints: one kind of tree twice, or one of each.
SAFE, RISKY = "summer conifer 2 + summer broadleaf 2", "summer conifer 2 + summer conifer 2"


@pytest.mark.parametrize(
    ("file", "left", "right"),
    [("boards", SAFE, RISKY), ("boards_safe_summer", SAFE, SAFE), ("boards_risky_summer", RISKY, RISKY)],
)
def test_shipped_boards_print_what_the_page_says(file, left, right):
    rules = make_variant(GAME, components={"boards": file}).make_rules(5)[0]
    summers = Counter()
    for board, slot in product(range(5), FORESTS):
        icons = [int(icon) for icon in rules.print[board, list(FORESTS).index(slot)] if icon != NONE]
        assert len(icons) == FORESTS[slot][1]
        if not icons:
            continue
        text = " + ".join(format_icon(icon) for icon in icons)
        season = text.split()[0]
        full = {
            "spring": "spring 2 + spring 2",
            "summer": left if slot in ("F4", "F8", "F1") else right,
            "autumn": "autumn mushroom + autumn chestnut",
            "winter": "winter + winter",
        }[season]
        assert text == (full.split(" + ")[0] if slot == "F2" else full), (board, slot)
        summers[slot in ("F4", "F8", "F1")] += season == "summer" and slot != "F2"
    assert summers[True] > 0
    assert summers[False] > 0


def test_the_three_board_files_differ_in_summer_prints_only():
    texts = [(FOLDER / name).read_text(encoding="utf-8").splitlines() for name in GAME.component("boards").shipped]
    assert len({tuple(text) for text in texts}) == 3
    for rows in zip(*texts, strict=True):
        if len(set(rows)) > 1:
            assert all("summer" in row for row in rows)


# --- icons as text -------------------------------------------------------------------------------------------------
icons = st.one_of(
    st.integers(1, 15).map(lambda n: f"spring {n}"),
    st.tuples(st.sampled_from(["conifer", "broadleaf"]), st.integers(1, 3)).map(lambda t: f"summer {t[0]} {t[1]}"),
    st.tuples(st.integers(1, 3), st.integers(1, 3)).map(lambda t: f"summer conifer {t[0]} broadleaf {t[1]}"),
    st.sampled_from(["autumn mushroom", "autumn chestnut", "autumn grape", "winter"]),
)


@given(icons)
def test_icons_survive_being_written_and_read(text):
    assert format_icon(parse_icon(text)) == text
    assert parse_icon(f"  {text.upper().replace(' ', '   ')} ") == parse_icon(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "starts with spring, summer, autumn or winter, got ''"),
        ("sprng 2", "did you mean 'spring'"),
        ("spring", "spring icon"),
        ("spring 0", "spring icon"),
        ("spring 16", "spring icon"),
        ("spring -1", "spring icon"),
        ("spring 2 2", "spring icon"),
        ("spring two", "spring icon"),
        ("summer", "summer icon"),
        ("summer 2", "summer icon"),
        ("summer conifer", "summer icon"),
        ("summer conifer 4", "summer icon"),
        ("summer oak 2", "summer icon"),
        ("summer conifer 1 conifer 1", "summer icon"),
        ("autumn", "autumn icon"),
        ("autumn grapes", "did you mean 'grape'"),
        ("autumn grape 2", "autumn icon"),
        ("winter 1", "winter icon"),
    ],
)
def test_malformed_icons_are_refused_with_a_reason(text, message):
    with pytest.raises(ValueError, match=message):
        parse_icon(text)


@given(st.text(max_size=30))
def test_any_text_is_an_icon_or_a_value_error(text):
    try:
        icon = parse_icon(text)
    except ValueError:
        return
    assert parse_icon(format_icon(icon)) == icon


# --- other files ---------------------------------------------------------------------------------------------------
def edited(text: str, row: int, old: str, new: str) -> str:
    """Return a CSV text with one replacement in one row, rows counted from 1 as spreadsheets do."""
    lines = text.splitlines()
    assert old in lines[row - 1], lines[row - 1]
    lines[row - 1] = lines[row - 1].replace(old, new, 1)
    return "\n".join(lines) + "\n"


def same_rules(left, right) -> bool:
    return left.tobytes() == right.tobytes()


def test_a_byte_order_mark_other_column_order_blank_rows_and_spaces_change_nothing():
    plain = rules_of(4)
    rows = [line.split(",") for line in TILES.splitlines()]
    reordered = "\n".join(",".join(f" {cell} " for cell in (r[3], r[0], r[2], r[1])) for r in rows)
    blank = "\n\n,,,\n".join(TILES.splitlines())
    windows = TILES.replace("\n", "\r\n")
    old_mac = TILES.replace("\n", "\r")
    extra = "\n".join(f"{line},{'note' if i == 0 else 'a remark'}" for i, line in enumerate(TILES.splitlines()))
    capitals = TILES.replace("spring", "Spring").replace("tile,bottom", "Tile,Bottom")
    semicolons, tabs = TILES.replace(",", ";"), TILES.replace(",", "\t")
    for text in ("\ufeff" + TILES, reordered, blank, windows, old_mac, extra, capitals, semicolons, tabs):
        assert same_rules(rules_of(4, tiles=text), plain)
    boards = BOARDS.splitlines()
    backwards = "\n".join([boards[0], *reversed(boards[1:])])
    for text in ("\ufeff" + BOARDS, backwards, "\n,,,\n".join(boards), BOARDS.replace("animal 1", "Animal  1")):
        assert same_rules(rules_of(4, boards=text), plain)


def test_more_tiles_than_in_the_box_are_dealt_too():
    more = TILES + "".join(f"{n},winter,winter,winter\n" for n in range(65, 71))
    rules = rules_of(2, tiles=more)
    assert rules.n_tiles == 70
    assert rules.deck_size == 35
    assert rules_of(5, tiles=more).deck_size == 11
    assert [format_icon(icon) for icon in rules.icons[69]] == ["winter"] * 3


def test_fewer_tiles_and_boards_suffice_for_fewer_seats():
    tiles = "\n".join(TILES.splitlines()[:45])
    assert rules_of(4, tiles=tiles).n_tiles == 44
    two = "\n".join(line for line in BOARDS.splitlines() if not line.startswith(("3", "4", "5")))
    assert rules_of(2, boards=two).n_boards == 2


def test_a_file_given_by_path_plays_like_the_same_text_shipped(tmp_path):
    path = tmp_path / "designs" / "safe.csv"
    path.parent.mkdir()
    path.write_bytes((FOLDER / "boards_safe_summer.csv").read_bytes())
    mine = make_variant(GAME, components={"boards": path})
    shipped = make_variant(GAME, components={"boards": "boards_safe_summer"})
    assert same_rules(mine.make_rules(3)[0], shipped.make_rules(3)[0])
    assert mine.rules_hash == shipped.rules_hash
    assert mine.changes == {"boards": "safe.csv"}


T, B = "my_tiles.csv", "my_boards.csv"
WRONG_TILES = {
    "empty file": ("", [T, "row 1", "'tile'"]),
    "missing column": (edited(TILES, 1, "upper_left", "left"), [T, "row 1", "'upper_left'", "header"]),
    "column twice": (edited(TILES, 1, "tile,bottom", "bottom,tile,bottom"), [T, "row 1", "'bottom' is there twice"]),
    "a quotation mark that is never closed": (
        edited(TILES, 3, "2,spring", '2,"spring') + "," * 200_000, [T, "not a CSV table"],
    ),
    "a quotation mark in the header": ('"' + TILES + "," * 200_000, [T, "row 66", "not a CSV table"]),
    "unknown season": (edited(TILES, 5, "winter", "wintre"),
                       [T, "row 5", "column upper_right", "did you mean 'winter'"]),
    "unknown fruit": (edited(TILES, 4, "grape", "grpe"), [T, "row 4", "column upper_right", "did you mean 'grape'"]),
    "blossoms out of range": (edited(TILES, 2, "spring 3", "spring 30"), [T, "row 2", "upper_right", "'spring 30'"]),
    "empty cell": (edited(TILES, 3, "spring 3", ""), [T, "row 3", "column upper_left", "''"]),
    "short row": (edited(TILES, 3, ",summer conifer 3", ""), [T, "row 3", "column upper_right", "''"]),
    "extra cell": (edited(TILES, 7, ",", ",winter,"), [T, "row 7", "5 cells", "4 columns"]),
    "number is no number": (edited(TILES, 6, "5,", "five,"), [T, "row 6", "column tile", "'five'"]),
    "number out of range": (edited(TILES, 6, "5,", "0,"), [T, "row 6", "column tile", "1 to 96", "'0'"]),
    "number twice": (edited(TILES, 6, "5,", "4,"), [T, "row 6", "column tile", "5 is due", "got 4"]),
    "tile left out": ("\n".join(line for line in TILES.splitlines() if not line.startswith("9,")),
                      [T, "row 10", "9 is due"]),
    "after blank rows the row is still the file's": (
        edited(TILES, 1, "tile", "\n\ntile").lstrip("\n").replace("\n5,", "\n\n\n55,"),
        [T, "row 8", "5 is due", "got 55"],
    ),
    "too many": (TILES + "".join(f"{n},winter,winter,winter\n" for n in range(65, 98)), [T, "row 98", "at most 96"]),
}  # fmt: skip
WRONG_BOARDS = {
    "empty file": ("", [B, "row 1", "'board'"]),
    "missing column": (edited(BOARDS, 1, "second", "2nd"), [B, "row 1", "'second'"]),
    "unknown season": (edited(BOARDS, 3, "summer", "sumer"), [B, "row 3", "column first", "did you mean 'summer'"]),
    "unknown fruit": (edited(BOARDS, 4, "chestnut", "chesnut"),
                      [B, "row 4", "column second", "did you mean 'chestnut'"]),
    "unknown animal": (edited(BOARDS, 9, "rabbit", "rabit"), [B, "row 9", "column first", "did you mean 'rabbit'"]),
    "unknown position": (edited(BOARDS, 2, "F1", "F5"), [B, "row 2", "column position", "'F5'", "Choose from: F1, F2"]),
    "misspelt position": (edited(BOARDS, 9, "animal", "anmal"), [B, "row 9", "position", "did you mean 'animal 1'"]),
    "duplicate position": (edited(BOARDS, 3, "F2", "F1"), [B, "row 3", "column position", "board 1", "F1 twice"]),
    "missing position": ("\n".join(BOARDS.splitlines()[:-1]), [B, "board 5 lacks animal 9"]),
    "board left out": (
        "\n".join(line for line in BOARDS.splitlines() if not line.startswith("2,")), [B, "board 2 lacks F1"],
    ),
    "board number out of range": (edited(BOARDS, 2, "1,", "17,"), [B, "row 2", "column board", "1 to 16", "'17'"]),
    "missing second icon": (edited(BOARDS, 2, "spring 2,spring 2", "spring 2,"), [B, "row 2", "column second", "''"]),
    "second icon too many": (edited(BOARDS, 3, "conifer 2,", "conifer 2,winter"), [B, "row 3", "column second", "F2"]),
    "second animal": (edited(BOARDS, 9, "rabbit,", "rabbit,fox"), [B, "row 9", "column second", "animal 1", "'fox'"]),
    "extra cell": (edited(BOARDS, 2, "spring 2", "spring 2,winter"), [B, "row 2", "5 cells"]),
}  # fmt: skip


def check_refusal(parts: list[str], n_seats: int, **texts: str) -> None:
    with pytest.raises(ComponentError) as caught:
        rules_of(n_seats, **texts)
    message = str(caught.value)
    assert [part for part in parts if part not in message] == [], message
    assert "\n" not in message
    assert re.search(r"[^?.][.?]$", message), message
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("case", WRONG_TILES)
def test_a_wrong_tile_file_is_refused_with_file_row_and_column(case):
    text, parts = WRONG_TILES[case]
    check_refusal(parts, 2, tiles=text)


@pytest.mark.parametrize("case", WRONG_BOARDS)
def test_a_wrong_board_file_is_refused_with_file_row_and_column(case):
    text, parts = WRONG_BOARDS[case]
    check_refusal(parts, 2, boards=text)


@pytest.mark.parametrize(("n_seats", "needed"), [(2, 40), (3, 33), (4, 44), (5, 55)])
def test_too_few_tiles_for_the_seats_are_refused_and_just_enough_are_not(n_seats, needed):
    lines = TILES.splitlines()
    assert rules_of(n_seats, tiles="\n".join(lines[: needed + 1])).n_tiles == needed
    check_refusal([T, str(needed), str(needed - 1), f"{n_seats} seats"], n_seats, tiles="\n".join(lines[:needed]))
    check_refusal([T, "has 0"], n_seats, tiles=lines[0])


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_too_few_boards_for_the_seats_are_refused(n_seats):
    few = "\n".join(line for line in BOARDS.splitlines() if not line[0].isdecimal() or int(line[0]) < n_seats)
    check_refusal([B, f"{n_seats} seats", str(n_seats - 1)], n_seats, boards=few)


@given(st.lists(st.tuples(st.integers(0, len(TILES) - 1), st.sampled_from("0,\n x\"9'")), min_size=1, max_size=4))
def test_any_damage_to_a_tile_file_is_read_or_refused_in_one_sentence(damage):
    letters = list(TILES)
    for place, letter in damage:
        letters[place] = letter
    message = ""
    try:
        assert 40 <= rules_of(2, tiles="".join(letters)).n_tiles <= MAX_TILES
    except ComponentError as error:
        message = str(error)
    assert not message or message.startswith(T)


def test_extreme_options_and_icons_do_not_overflow(tmp_path):
    """The richest tiles under the largest option score what they should, in the logged table too."""
    rows = [f"{i + 1},{','.join(['spring 15'] * 3)}" for i in range(64)]
    (tmp_path / "tiles.csv").write_text("\n".join(["tile,bottom,upper_left,upper_right", *rows]))
    printed = re.sub(r"(F\d+),.*", lambda m: f"{m[1]},spring 15,{'' if m[1] == 'F2' else 'spring 15'}", BOARDS)
    (tmp_path / "boards.csv").write_text(printed)
    run = mc.simulate(
        "fujiyama", ["random", "harvester"], games=2, seed=1, options={"spring_per_blossom": 999},
        components={"tiles": tmp_path / "tiles.csv", "boards": tmp_path / "boards.csv"},
    )  # fmt: skip
    forests = run.scores.filter(pl.col("category") == "spring").collect()
    assert forests.height == 2 * 2 * 12
    assert set(forests["points"]) == {45 * 999}
    assert run.seats.select(pl.col("points").min()).collect().item() > 12 * 45 * 999
