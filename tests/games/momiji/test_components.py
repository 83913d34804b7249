"""The card, goal and landscape files: what others may be, and how wrong ones are refused."""

from __future__ import annotations

from importlib.resources import files

import pytest

from meeplecarlo.errors import ComponentError
from meeplecarlo.registry import get_game
from tests.games.momiji.by_hand import GAME, SIZES

FOLDER = files("meeplecarlo.games.momiji") / "components"
SHIPPED = {name: (FOLDER / f"{name}.csv").read_text(encoding="utf-8") for name in ("cards", "goals", "powers")}
HEADS = {name: text.splitlines()[0] for name, text in SHIPPED.items()}


def rules_of(n_seats: int = 2, options: dict | None = None, **texts: str):
    """Return the rules with files of these texts."""
    game = get_game(GAME)
    defaults = {option.name: option.default for option in game.options}
    said = {name: (f"my_{name}.csv", text) for name, text in (SHIPPED | texts).items()}
    return game.module("variant").make_rules(n_seats, defaults | (options or {}), said)[0]


def table_of(name: str, *rows: str) -> str:
    """Return the text of a file with these rows."""
    return "\n".join([HEADS[name], *rows]) + "\n"


def changed(name: str, old: str, new: str) -> str:
    """Return a shipped file with one row changed."""
    assert SHIPPED[name].count(f"\n{old}\n") == 1
    return SHIPPED[name].replace(f"\n{old}\n", f"\n{new}\n")


WRONG = {
    "value 4": ("cards", changed("cards", "3,0,0,2", "4,0,0,2"), "value"),
    "value -1": ("cards", changed("cards", "3,0,0,2", "-1,0,0,2"), "value"),
    "no number": ("cards", changed("cards", "3,0,0,2", "x,0,0,2"), "value"),
    "acorn 2": ("cards", changed("cards", "3,0,0,2", "3,2,0,2"), "left_acorn"),
    "right acorn": ("cards", changed("cards", "3,0,0,2", "3,0,,2"), "right_acorn"),
    "no copies": ("cards", changed("cards", "3,0,0,2", "3,0,0,0"), "copies"),
    "16 copies": ("cards", changed("cards", "3,0,0,2", "3,0,0,16"), "copies"),
    "a face twice": ("cards", changed("cards", "3,0,0,2", "0,1,1,2"), "there already"),
    "too few cards": ("cards", table_of("cards", "0,1,1,3"), "need 16 to 120"),
    "too many cards": ("cards", table_of("cards", "0,1,1,15", "1,0,1,15", "2,0,0,1"), "need 16 to 120"),
    "unknown measure": ("goals", changed("goals", "most 0s,cards_of_value,0", "most 0s,zeros,0"), "measure"),
    "type 7": ("goals", changed("goals", "most cards of type 6,cards_of_type,6", "x,cards_of_type,7"), "argument"),
    "type 0": ("goals", changed("goals", "most cards of type 6,cards_of_type,6", "x,cards_of_type,0"), "argument"),
    "a goal of value 4": ("goals", changed("goals", "most 0s,cards_of_value,0", "x,cards_of_value,4"), "argument"),
    "no argument": ("goals", changed("goals", "most 0s,cards_of_value,0", "x,cards_of_value,"), "argument"),
    "not asked for": ("goals", changed("goals", "longest stack,longest_stack,", "x,longest_stack,2"), "takes none"),
    "too few goals": ("goals", table_of("goals", "a,sum_of_tops,", "b,longest_stack,", "c,cards_of_type,1"), "has 3"),
    "goals of other types": ("goals", table_of("goals", *(f"t,cards_of_type,{t}" for t in (1, 2, 3, 5, 6))), "has 3"),
    "25 goals": ("goals", table_of("goals", *["x,sum_of_tops,"] * 25), "at most 24"),
    "row D": ("powers", changed("powers", "B2,B,jump,2", "B2,D,jump,2"), "row"),
    "unknown effect": ("powers", changed("powers", "B2,B,jump,2", "B2,B,fly,2"), "effect"),
    "amount for none": ("powers", changed("powers", "B1,B,place_extra,", "B1,B,place_extra,1"), "takes none"),
    "no amount": ("powers", changed("powers", "B2,B,jump,2", "B2,B,jump,"), "amount"),
    "a row without": ("powers", table_of("powers", "x,A,gain,1", "y,B,gain,1"), "row C has no landscape"),
    "two rows without": ("powers", table_of("powers", "x,B,gain,1"), "row A and C has no landscape"),
    "13 landscapes": ("powers", table_of("powers", *["x,A,gain,1"] * 13), "at most 12"),
    "a column less": ("powers", "name,row,effect\nx,A,gain\n", "amount"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_are_refused_in_a_sentence(case):
    name, text, said = WRONG[case]
    with pytest.raises(ComponentError) as refused:
        rules_of(**{name: text})
    message = str(refused.value)
    assert message.startswith(f"my_{name}.csv")
    assert said in message
    assert message.endswith(".")
    assert "\n" not in message


RANGES = {"reveal_collect": (1, 20), "jump": (2, 3), "start_with": (1, 3), "gain": (1, 20), "claim_goal": (0, 20),
          "draw": (1, 20)}  # fmt: skip


@pytest.mark.parametrize("effect", RANGES)
def test_amounts_have_a_range(effect):
    low, high = RANGES[effect]
    for amount in (low, high):
        rules = rules_of(powers=table_of("powers", f"x,A,{effect},{amount}", "y,B,gain,1", "z,C,gain,1"))
        assert rules.amount[0] == amount
    for amount in (low - 1, high + 1, "1.5"):
        with pytest.raises(ComponentError, match="amount"):
            rules_of(powers=table_of("powers", f"x,A,{effect},{amount}", "y,B,gain,1", "z,C,gain,1"))


@pytest.mark.parametrize("n_seats", SIZES)
def test_the_cards_must_suffice_for_hands_and_display(n_seats):
    """With one card of each type and hands of one card, the display is just filled for no number of seats."""
    text = table_of("cards", "0,1,1,2")
    rules = rules_of(n_seats, {"hand_size": 1}, cards=text)
    assert rules.n_cards == 2 * (n_seats + 2)
    assert rules.box[: int(rules.n_cards)].tolist() == [16 * kind for kind in range(n_seats + 2) for _ in range(2)]
    with pytest.raises(ComponentError, match="need"):
        rules_of(n_seats, {"hand_size": 5}, cards=text)


def test_goals_of_types_not_in_play_are_left_out():
    for n_seats in SIZES:
        rules = rules_of(n_seats)
        usable = rules.usable[: int(rules.n_usable)].tolist()
        assert usable == [goal for goal in range(12) if goal not in range(n_seats + 2, 6)]


def test_12_faces_are_the_most():
    rows = [f"{value},{left},{right},1" for value in range(4) for left in (0, 1) for right in (0, 1)]
    assert rules_of(2, {"hand_size": 4}, cards=table_of("cards", *rows[:12])).n_faces == 12
    with pytest.raises(ComponentError, match="at most 12 faces"):
        rules_of(cards=table_of("cards", *rows[:13]))
