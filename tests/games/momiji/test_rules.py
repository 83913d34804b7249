"""Every clause of RULES.md, by hand. Tests are named after the clauses."""

from __future__ import annotations

from collections import Counter

import pytest

from meeplecarlo.games.momiji.state import EFFECTS, MEASURES
from tests.games.momiji.by_hand import (
    COPIES,
    FACES,
    SIZES,
    box,
    cards,
    deck,
    display,
    everywhere,
    faces_of,
    goal_points,
    hand,
    lines,
    new_table,
    options,
    phase,
    play,
    plays,
    powers,
    row,
    start,
)

every_size = pytest.mark.parametrize("n_seats", SIZES)
MANY = "d*0* d*0* d*0* d*0*"  # a deck that lasts


def acorns(table) -> list[int]:
    """Return the acorns of every seat."""
    return table.state.acorns[: table.n_seats].tolist()


def landscape_file(folder, *entries: str) -> dict:
    """Write a file of landscapes, a row of it for each of ``row,effect,amount``; return it as components."""
    path = folder / "powers.csv"
    path.write_text("\n".join(["name,row,effect,amount", *(f"l{i},{entry}" for i, entry in enumerate(entries))]))
    return {"powers": path}


# --- R1 components -------------------------------------------------------------------------------------------------
@every_size
def test_r1_1_to_r1_4_cards(n_seats):
    table = new_table(n_seats)
    letters = "abcdef"[: n_seats + 2]
    assert box(table) == {letter + face: n for letter in letters for face, n in zip(FACES, COPIES, strict=True)}
    assert sum(COPIES) == 14
    assert table.rules.n_cards == 14 * (n_seats + 2) <= 84
    by_value = Counter()
    for face, copies in zip(faces_of(table), COPIES, strict=True):
        by_value[int(face[1])] += copies
    assert by_value == {0: 5, 1: 4, 2: 3, 3: 2}
    assert everywhere(table) == box(table)


def test_r1_5_goals():
    rules = new_table(4).rules
    shipped = [(MEASURES[m], int(a)) for m, a in zip(rules.measure, rules.argument, strict=True)][:12]
    assert shipped == [
        *(("cards_of_type", kind) for kind in range(6)),
        *(("cards_of_value", value) for value in range(3)),
        ("sum_of_tops", 0), ("closed_stacks", 0), ("longest_stack", 0),
    ]  # fmt: skip
    assert rules.n_usable == 12


def test_r1_6_landscapes():
    rules = new_table().rules
    found = [(EFFECTS[rules.effect[i]], int(rules.amount[i])) for i in range(9)]
    assert found == [
        ("collect_second", 0), ("reveal_collect", 2), ("take_other", 0),
        ("place_extra", 0), ("jump", 2), ("start_with", 1),
        ("gain", 3), ("claim_goal", 2), ("draw", 2),
    ]  # fmt: skip
    assert rules.in_row[:, :3].tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_r1_7_acorns_have_no_limit():
    table = start(acorns=[5000, 0])
    assert acorns(play(table, "use C")) == [5002, 0]


# --- R2 setup ------------------------------------------------------------------------------------------------------
@every_size
@pytest.mark.parametrize("size", [6, 1, 8])
def test_r2_1_hands_and_display(n_seats, size):
    table = new_table(n_seats, hand_size=size)
    assert [len(hand(table, seat)) for seat in range(n_seats)] == [size] * n_seats
    assert len(display(table)) == 4
    assert len(deck(table)) == 14 * (n_seats + 2) - 4 - n_seats * size
    assert not table.state.known.any()
    assert not table.state.discarded.any()
    assert table.rules.hand_size == size


@every_size
def test_r2_2_goals(n_seats):
    laid = Counter()
    for seed in range(400):
        goals = new_table(n_seats, seed).state.goal.tolist()
        in_play = goals[: n_seats + 2]
        assert len(set(in_play)) == n_seats + 2
        assert set(goals[n_seats + 2 :]) <= {-1}
        laid.update(in_play)
    usable = [goal for goal in range(12) if not n_seats + 2 <= goal < 6]
    assert sorted(laid) == usable
    mean = 400 * (n_seats + 2) / len(usable)
    assert all(0.7 * mean < n < 1.3 * mean for n in laid.values())
    assert not any(holder != -1 for holder in new_table(n_seats).state.holder)


def test_r2_3_landscapes():
    assert new_table(3).state.landscape[:3].tolist() == [[0, 3, 6]] * 3
    drawn = [Counter() for _ in range(9)]
    pairs = Counter()
    for seed in range(600):
        found = new_table(3, seed, landscapes="random").state.landscape[:3].ravel().tolist()
        for place, landscape in enumerate(found):
            drawn[place][landscape] += 1
        pairs[found[0], found[3], found[1]] += 1
    for place, counts in enumerate(drawn):
        assert sorted(counts) == [3 * (place % 3) + i for i in range(3)]
        assert min(counts.values()) > 150
    assert len(pairs) == 27
    assert max(pairs.values()) < 50


@pytest.mark.parametrize("n", [2, 0, 20])
def test_r2_4_acorns_at_the_start(n):
    assert acorns(new_table(4, start_acorns=n)) == [n] * 4
    assert acorns(new_table(2)) == [2, 2]


# --- R3 the turn ---------------------------------------------------------------------------------------------------
def test_r3_1_a_paid_reveal():
    table = start(deck="c*0* c*1. d*0* d*1. d.3.")
    play(table, "reveal")
    assert (phase(table), acorns(table), table.state.acorns_paid) == ("collect", [1, 2], 1)
    assert display(table) == "a*0* a*0* b*0* b*0* c*0* c*1. d*0* d*1.".split()
    assert options(table) == ["collect a", "collect b", "collect c", "collect d"]  # no second reveal, and no way back
    assert phase(play(table, "collect c")) == "after"
    assert hand(table, 0) == ["c*0*", "c*1."]


def test_r3_1_a_reveal_needs_a_card_and_an_acorn():
    table = play(start(deck="c*0*"), "reveal")
    assert len(display(table)) == 5
    assert deck(table) == []
    assert "reveal" not in options(start(deck=""))
    assert "reveal" not in options(start(deck="c*0*", acorns=[0, 2]))
    assert "reveal" in options(start(deck="c*0*", acorns=[1, 0]))


def test_r3_2_all_cards_of_one_type_are_collected():
    table = start(["a*1.", ""], display="a*0* a*0* a.3. b*0*", deck=MANY)
    play(table, "collect a")
    assert hand(table, 0) == ["a*0*", "a*0*", "a*1.", "a.3."]
    assert display(table) == ["b*0*", "d*0*", "d*0*", "d*0*"]
    assert hand(table, 1) == []


def test_r3_3_the_display_is_filled_to_four():
    assert len(display(play(start(deck="c*0*"), "collect a"))) == 3  # while the deck lasts
    large = start(display="a*0* b*0* b*0* b*0* b*0* b*1.", deck=MANY)
    assert display(play(large, "collect a")) == ["b*0*"] * 4 + ["b*1."]
    assert len(deck(large)) == 4  # more than four stay


def test_r3_3_or_four_are_laid_once_it_is_empty():
    table = start(deck="c*0* c*1. d*0* d*1. d.3.", display_refill="when_empty")
    assert display(play(table, "collect a", "end")) == ["b*0*", "b*0*"]
    assert display(play(table, "collect b")) == ["c*0*", "c*1.", "d*0*", "d*1."]
    assert deck(table) == ["d.3."]
    few = play(start(display="a*0*", deck="c*0*", display_refill="when_empty"), "collect a")
    assert display(few) == ["c*0*"]


@pytest.mark.parametrize("moves", [["collect a"], ["play c*0*", "stop"], ["claim 1"]])
def test_r3_4_one_main_action(moves):
    table = start(["c*0* c*1.", ""], deck=MANY, acorns=[5, 0])
    assert {text.split()[0] for text in options(table)} == {"collect", "reveal", "play", "claim", "trade", "use"}
    play(table, *moves)
    assert phase(table) == "after"
    assert {text.split()[0] for text in options(table)} <= {"trade", "use", "end"}
    assert int(play(table, "end").state.seat) == 1


def test_r3_5_passing_when_there_is_nothing_else():
    empty = {"display": "", "landscapes": "A1 B2 C2"}
    table = start(["a*1. b.3.", "c*0*"], acorns=[0, 0], **empty)
    assert options(table) == ["trade", "pass"]
    assert phase(play(table, "pass")) == "after"
    assert options(start(["a*0*", ""], acorns=[0, 0], **empty)) == ["play a*0*"]
    assert "pass" not in options(start(["a*1.", ""], acorns=[3, 0], **empty))  # a goal could be claimed
    assert "pass" in options(start(["a*1.", ""], acorns=[3, 0], goal_cost=4, **empty))
    assert "pass" in options(start(["a*1.", ""], acorns=[3, 0], activation="forbidden", **empty))
    assert "pass" in options(start(["a*1.", ""], acorns=[3, 0], holders=[0, 1, 1, 1], **empty))
    assert "pass" not in options(start(["a*1.", ""], acorns=[1, 0], deck="c*0*", **empty))  # revealing could go on
    assert "pass" in options(start(["a*1.", ""], acorns=[0, 0], deck="c*0*", **empty))


def test_r3_5_what_a_landscape_allows_does_not_keep_from_passing():
    table = start(["a*1.", ""], acorns=[1, 0], display="", landscapes="A1 B3 C1")
    assert options(table) == ["play a*1. with B", "use C", "pass"]
    play(table, "use C")  # now three acorns are there
    assert options(table) == [f"claim {place}" for place in (1, 2, 3, 4)]


def test_r3_6_forced_decisions_are_asked():
    table = start(["a*0*", ""], acorns=[0, 0], deck=MANY)
    assert options(play(table, "play a*0*")) == ["stop"]
    assert options(play(table, "stop")) == ["end"]
    table = start(["a*0* a.3.", ""], acorns=[0, 0], display="", deck=MANY)
    assert options(play(table, "trade")) == ["trade a*0* a.3."]


# --- R4 playing ----------------------------------------------------------------------------------------------------
def test_r4_1_r4_2_one_or_two_cards_of_a_type():
    table = start(["a*0* a*0* a*1. b*0*", ""], deck=MANY)
    single = play(table.copy(), "play a*0*", "stop")
    assert row(single, 0) == ["a*0* x1"]
    assert phase(single) == "after"
    play(table, "play a*0*", "play a*0*")
    assert (phase(table), row(table, 0)) == ("after", ["a*0* x2"])
    assert hand(table, 0) == ["a*1.", "b*0*"]


def test_r4_1_r4_3_of_different_types_one_each():
    table = start(["a*0* a*1. b*0* b*1. c*0*", ""], deck=MANY)
    play(table, "play a*0*")
    assert plays(table) == ["a*1.", "b*0* left", "b*0* right", "c*0* left", "c*0* right"]
    play(table, "play b*0* right")
    assert plays(table) == ["c*0* left", "c*0* right"]
    assert options(play(table, "play c*0* left")) == ["stop"]
    assert row(table, 0) == ["c*0* x1", "a*0* x1", "b*0* x1"]
    assert phase(play(table, "stop")) == "after"


@pytest.mark.parametrize(
    ("stack", "allowed"),
    [
        ("", "*0*"),
        ("a*0*", "*0* *1. .1*"),
        ("a*0* *1.", "*1. .1* *2. .2* .2."),
        ("a*0* .1* .2.", "*2. .2* .3."),
        ("a*0* .1* .2. .3.", ""),
    ],
)
def test_r4_4_each_card_equals_the_top_or_is_one_higher(stack, allowed):
    held = "a*0* a*1. a.1* a*2. a.2* a.2. a.3."
    if ".2." in stack:
        held = held.replace(" a.2.", "")
    table = start([held, ""], [stack], display="b*0*", deck=MANY, acorns=[0, 0])
    assert plays(table) == ["a" + face for face in allowed.split()]


def test_r4_4_stacks_are_the_seat_s_own():
    table = start(["a*1.", ""], ["", "a*0*"], deck=MANY)
    assert plays(table) == []


def test_r4_5_a_new_stack_goes_to_either_end():
    table = start(["a*0* b*0* c*0*", ""], deck=MANY)
    assert plays(table) == ["a*0*", "b*0*", "c*0*"]
    play(table, "play b*0*")
    assert row(play(table.copy(), "play a*0* left", "play c*0* left"), 0) == ["c*0* x1", "a*0* x1", "b*0* x1"]
    assert row(play(table.copy(), "play a*0* right", "play c*0* left"), 0) == ["c*0* x1", "b*0* x1", "a*0* x1"]
    assert row(play(table.copy(), "play a*0* left", "play c*0* right"), 0) == ["a*0* x1", "b*0* x1", "c*0* x1"]


@pytest.mark.parametrize(
    ("rows", "moves", "pairs"),
    [
        ("", ["a*0*", "b*0* right"], 1),
        ("", ["a*0*", "b*0* right", "c*0* left"], 2),
        ("", ["a*0*"], 0),  # one card
        ("", ["a*0*", "a*0*"], 0),  # of one type
        ("c*0*, d*0*", ["a*0* right", "b*0* right"], 3),  # neighbours where nothing was laid count too
        ("c*0*, d*0*", ["a*0* left", "a*0*"], 0),
        ("a*0*, b*0*", ["a*1.", "b*1."], 0),  # .1 before *1: one corner is bare
        ("a*0*, b*0*", ["a.1*", "b*1."], 1),
        ("b*0*, a*0*", ["a.1*", "b*1."], 0),  # the acorns look away
        ("a*0*, c*0* .1* .2. .3., b*0*", ["a*0*", "b*0*"], 0),  # a closed stack between them
    ],
)
@pytest.mark.parametrize("worth", [2, 0, 5])
def test_r4_6_acorns_for_pairs(rows, moves, pairs, worth):
    hand_ = "a*0* a*0* a*1. a.1* b*0* b*1. c*0*"
    table = start([hand_, ""], [rows, "a*0*, b*0*"], display="d*0*", deck="d*1. d*1.", pair_acorns=worth)
    play(table, *(f"play {move}" for move in moves))
    assert acorns(table) == [2, 2]  # not before the play has ended
    if phase(table) == "more":
        play(table, "stop")
    assert acorns(table) == [2 + worth * pairs, 2]


def test_r4_6_closed_stacks_count(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_text("value,left_acorn,right_acorn,copies\n0,1,1,6\n1,0,0,4\n2,0,0,2\n3,1,1,2\n")
    table = start(
        ["a*0* c*0*", ""], ["a*0*, b*0* .1. .2. *3*, c*0*"], display="d*0*", deck=MANY, components={"cards": path}
    )
    assert acorns(play(table, "play a*0*", "play c*0*", "stop")) == [6, 2]


def test_r4_7_closed_stacks_beyond_the_last_torii():
    full = "a*0* .1* .2. .3., b*0* .1* .2. .3."
    other = "c*0* .1* .2. .3., d*0* .1* .2."
    table = start(["c.3.", "d.3."], [full.replace(".2.", ".2*") + ", c*0* .1* .2*", other], deck="d*0* d*0*")
    play(table, "play c.3.", "stop", "end")
    assert (int(table.state.closed), int(table.state.trigger), int(table.state.trigger_round)) == (4, 1, 1)
    play(table, "play d.3.", "stop")
    assert (int(table.state.closed), int(table.state.trigger)) == (5, 1)
    assert table.state.shut[:2].tolist() == [3, 2]


# --- R5 trade, goals, landscapes -----------------------------------------------------------------------------------
def test_r5_1_a_trade():
    table = start(["a*1. a*1. b.3. c.2.", ""], deck=MANY)
    play(table, "trade")
    pairs = ["a*1. a*1.", "a*1. b.3.", "a*1. c.2.", "b.3. c.2."]
    assert options(table) == [f"trade {pair}" for pair in pairs]
    before = Counter(cards(table, table.state.discarded))
    play(table, "trade a*1. a*1.")
    assert (phase(table), acorns(table), hand(table, 0)) == ("main", [3, 2], ["b.3.", "c.2."])
    assert Counter(cards(table, table.state.discarded)) - before == {"a*1.": 2}
    assert "trade" not in options(table)
    assert "trade" not in options(play(table, "collect a"))
    assert table.state.acorns_paid == 0


def test_r5_1_a_trade_after_the_main_action():
    table = play(start(["b.3.", "c*1. c*1."], deck=MANY), "collect a", "trade", "trade a*0* b.3.")
    assert (phase(table), hand(table, 0), acorns(table)) == ("after", ["a*0*"], [3, 2])
    assert options(table) == ["use A b", "use A d", "use B a*0*", "use C", "end"]
    assert "trade" in options(play(table, "end"))  # the next turn has its own


def test_r5_1_a_trade_takes_two_cards():
    assert "trade" not in options(start(["b.3.", ""], deck=MANY))
    assert "trade" not in options(play(start(["", ""], display="a*0* b*0*", deck=MANY), "collect a"))


@pytest.mark.parametrize("cost", [3, 0, 20])
def test_r5_2_claiming_a_goal(cost):
    table = start(["", ""], deck=MANY, acorns=[cost, cost], goal_cost=cost)
    claims = [text for text in options(table) if text.startswith("claim")]
    assert claims == ["claim 1", "claim 2", "claim 3", "claim 4"]
    play(table, "claim 2")
    assert (phase(table), acorns(table), int(table.state.acorns_paid)) == ("after", [0, cost], cost)
    assert table.state.holder[:4].tolist() == [-1, 0, -1, -1]
    play(table, "end")
    assert [text for text in options(table) if text.startswith("claim")] == ["claim 1", "claim 3", "claim 4"]
    if cost:
        poor = start(["", ""], deck=MANY, acorns=[cost - 1, 5], goal_cost=cost)
        assert not any(text.startswith("claim") for text in options(poor))


def test_r5_2_activation_can_be_forbidden():
    table = start(["", ""], deck=MANY, acorns=[20, 20], landscapes="A1 B1 C2", activation="forbidden")
    assert options(table) == ["collect a", "collect b", "reveal"]
    assert options(play(table, "collect a")) == ["trade", "use A b", "use A d", "use B a*0*", "end"]


def test_r5_3_a_landscape_once_a_turn_and_once_a_game():
    table = start(["a*0*", ""], display="b*0* c*0*", deck="d*0* " * 5, acorns=[3, 3])
    assert powers(table) == ["B a*0*", "C"]
    play(table, "use C")
    assert (phase(table), acorns(table), int(table.state.acorns_paid)) == ("main", [5, 3], 1)
    assert powers(table) == []
    play(table, "collect b")
    assert powers(table) == []
    play(table, "end")
    assert powers(table) == ["C"]  # seat 1 has its own
    play(table, "collect c", "end")
    assert powers(table) == ["B a*0*", "B b*0*"]
    assert powers(start(["a*0*", ""], acorns=[0, 2])) == []


def test_r5_4_the_acorn_is_paid_first():
    table = start(["", ""], acorns=[1, 0], landscapes="A1 B1 C1")
    assert acorns(play(table, "use C")) == [3, 0]
    assert powers(start(["", ""], acorns=[2, 0], landscapes="A1 B1 C2", deck=MANY)) == []  # 1 and 2 more are needed
    assert powers(start(["", ""], acorns=[3, 0], landscapes="A1 B1 C2", deck=MANY)) == [f"C {i}" for i in range(1, 5)]


def test_r5_4_only_what_does_something_can_be_used():
    assert powers(start(["a*1.", ""], landscapes="A2 B1 C3", deck="")) == []  # no deck, no card to lay
    assert powers(start(["", ""], acorns=[9, 0], landscapes="A1 B1 C2", holders=[0, 1, 1, 0])) == []
    for landscapes in ("A1 B2 C2", "A3 B2 C2"):
        table = play(start(["", ""], display="a*0* a*0*", deck="a*0*", landscapes=landscapes), "collect a")
        assert powers(table) == []  # no other type in the display


def test_r5_5_collect_second():
    table = start(["", ""], display="a*0* b*0* b*1. c*0*", deck="a*1. c*1. d*0* d*1.")
    assert not any(text.startswith("A") for text in powers(table))
    play(table, "collect a")
    assert [text for text in powers(table) if text[0] == "A"] == ["A b", "A c"]  # not the type collected
    play(table, "use A b")
    assert (phase(table), acorns(table)) == ("after", [1, 2])
    assert hand(table, 0) == ["a*0*", "b*0*", "b*1."]
    assert display(table) == ["a*1.", "c*0*", "c*1.", "d*0*"]
    assert cards(table, table.state.known[0]) == hand(table, 0)


@pytest.mark.parametrize("landscapes", ["A1 B2 C2", "A3 B2 C2"])
@pytest.mark.parametrize("moves", [["play a*0*", "stop"], ["claim 1"]])
def test_r5_5_r5_7_only_after_a_collect(landscapes, moves):
    table = start(["a*0*", ""], deck=MANY, acorns=[8, 0], landscapes=landscapes, activation="allowed")
    assert not any(text[0] == "A" for text in powers(play(table, *moves)))


def test_r5_6_reveal_collect():
    table = start(["", ""], deck="c*0* d*0* d*1. d.3. d.2.", landscapes="A2 B1 C1")
    assert "A" in powers(table)
    play(table, "use A")
    assert (phase(table), acorns(table)) == ("collect", [1, 2])
    assert display(table) == ["a*0*", "a*0*", "b*0*", "b*0*", "c*0*", "d*0*"]
    assert options(table) == ["collect a", "collect b", "collect c", "collect d", "reveal"]
    play(table, "reveal")
    assert (phase(table), acorns(table), len(display(table))) == ("collect", [0, 2], 9)
    assert options(table) == ["collect a", "collect b", "collect c", "collect d"]
    assert options(play(table, "collect d")) == ["trade", "end"]
    assert hand(table, 0) == ["d*0*", "d*1.", "d.2.", "d.3."]


def test_r5_6_reveal_collect_only_in_main_and_with_a_deck():
    assert powers(start(["", ""], landscapes="A2 B2 C2")) == []
    table = start(["", ""], deck="c*0* " * 3, landscapes="A2 B2 C2")
    assert powers(table) == ["A"]
    assert "use A" not in options(play(table.copy(), "reveal"))
    assert powers(play(table, "collect a")) == []


def test_r5_7_take_other():
    table = start(["", ""], display="a*0* b*0* b*0* b*1.", deck="a*1. c*0* c*1.", landscapes="A3 B2 C2")
    assert powers(table) == []
    play(table, "collect a")
    assert powers(table) == ["A b*0*", "A b*1."]  # not the other a, and equal cards once
    play(table, "use A b*0*")
    assert (phase(table), hand(table, 0)) == ("after", ["a*0*", "b*0*"])
    assert display(table) == ["a*1.", "b*0*", "b*1.", "c*0*"]
    assert acorns(table) == [1, 2]
    assert cards(table, table.state.known[0]) == ["a*0*", "b*0*"]


def test_r5_8_place_extra_is_no_part_of_a_play():
    table = start(["a*0* b*0* b*1. c*1.", ""], ["d*0*"], deck="c*0* " * 3)
    assert powers(table) == ["B a*0* left", "B a*0* right", "B b*0* left", "B b*0* right", "C"]
    play(table, "use B b*0* left")
    assert (phase(table), acorns(table), row(table, 0)) == ("main", [1, 2], ["b*0* x1", "d*0* x1"])
    play(table, "play b*1.", "stop")  # a play of one card: no acorns for any pair
    assert acorns(table) == [1, 2]
    table = start(["a*0* b*0* b*1.", ""], ["d*0*"], deck="c*0* " * 3)
    play(table, "play a*0* left", "play b*0* left", "stop")
    assert acorns(table) == [6, 2]
    assert powers(table) == ["B b*1.", "C"]
    assert acorns(play(table, "use B b*1.")) == [5, 2]
    assert options(table) == ["end"]


def test_r5_8_place_extra_follows_the_rules_of_stacks():
    table = start(["a*0* a.2. b*1. c.3.", ""], ["a*0* .1*, c*0* .1* .2. .3."], landscapes="A1 B1 C2")
    assert powers(table) == ["B a.2."]
    assert phase(play(table, "collect a", "use B a.2.")) == "after"
    assert row(table, 0)[0] == "a.2. x3"


def test_r5_8_place_extra_may_trigger_the_end():
    rows = ["a*0* .1* .2., b*0* .1* .2. .3.", "c*0* .1* .2. .3., d*0* .1* .2. .3."]
    table = play(start(["a.3. a*1.", ""], rows, deck="a*0*"), "use B a.3.")
    assert (int(table.state.trigger), phase(table)) == (1, "main")


def test_r5_9_jump():
    held = "a*0* a*1. a.1* a*2. a.2* a.3. b.2. b*1."
    table = start([held, ""], ["a*0*, c*0*"], deck=MANY, landscapes="A1 B2 C2")
    assert plays(table) == ["a*0*", "a*1.", "a.1*", "a*2. with B", "a.2* with B"]  # not the 3, no new stacks
    play(table, "play a*2. with B")
    assert (phase(table), acorns(table), row(table, 0)[0]) == ("more", [1, 2], "a*2. x2")
    assert plays(table) == ["a.2*", "a.3."]  # the landscape of the turn is used up
    table = start(["a.3. c*0*", ""], ["a*0* .1*, c*0*"], deck=MANY, landscapes="A1 B2 C2")
    assert plays(play(table, "play c*0*")) == ["a.3. with B"]
    play(table, "play a.3. with B", "stop")
    assert (int(table.state.closed), acorns(table)) == (1, [1, 2])
    table = start(["a*1. a.3.", ""], ["a*0*"], deck=MANY, landscapes="A1 B2 C2")
    play(table, "play a*1.", "play a.3. with B")  # two of one type: the play has ended
    assert (phase(table), row(table, 0)) == ("after", ["a.3. x3"])
    assert powers(table) == []


def test_r5_9_nothing_jumps_onto_a_closed_stack():
    table = start(["a.3.", ""], ["a*0* .1* .2. .3."], deck=MANY, landscapes="A1 B2 C2")
    assert plays(table) == []


def test_r5_10_start_with():
    held = "a*0* a*1. b.1* b.2. c*1."
    table = start([held, ""], ["c*0*"], deck=MANY, landscapes="A1 B3 C2")
    assert plays(table) == [
        "a*0* left", "a*0* right", "c*1.",
        "a*1. left with B", "a*1. right with B", "b.1* left with B", "b.1* right with B",
    ]  # fmt: skip
    play(table, "play b.1* left with B")
    assert (row(table, 0), acorns(table)) == (["b.1* x1", "c*0* x1"], [1, 2])
    assert plays(table) == ["a*0* left", "a*0* right", "b.2.", "c*1."]
    play(table, "play c*1.", "stop")
    assert acorns(table) == [3, 2]  # .1* next to *1.
    first = start(["a*1.", ""], deck=MANY, landscapes="A1 B3 C2")
    assert plays(first) == ["a*1. with B"]  # no side for the first stack
    assert plays(start(["a*1.", ""], acorns=[0, 0], deck=MANY, landscapes="A1 B3 C2")) == []


def test_r5_9_r5_10_not_within_place_extra(tmp_path):
    components = landscape_file(tmp_path, "A,place_extra,", "B,jump,3", "C,start_with,1")
    table = start(["a.3. a.2. b*1. c*0*", ""], ["a*0*"], deck=MANY, components=components, landscapes="A1 A2 A3")
    assert powers(table) == ["A c*0* left", "A c*0* right"]
    assert [text for text in plays(table) if "with" in text] == [
        "a.2. with B", "a.3. with B", "b*1. left with C", "b*1. right with C",
    ]  # fmt: skip


def test_r5_11_gain_and_draw():
    table = start(["", ""], deck=MANY)
    assert acorns(play(table.copy(), "use C")) == [4, 2]
    assert phase(play(table, "collect a", "use C")) == "after"
    assert acorns(table) == [4, 2]
    drawing = start(["a.3.", ""], deck="c*0* c*1. d*0*", landscapes="A1 B1 C3")
    play(drawing, "use C")
    assert (phase(drawing), hand(drawing, 0), deck(drawing)) == ("main", ["a.3.", "c*0*", "c*1."], ["d*0*"])
    assert not drawing.state.known.any()
    assert cards(drawing, drawing.view(1).hand[0]) == []
    assert int(drawing.view(1).hand_cards[0]) == 3
    few = play(start(["", ""], deck="c*0*", landscapes="A1 B1 C3"), "use C")
    assert hand(few, 0) == ["c*0*"]
    assert int(few.state.trigger) == 0  # the deck is empty now
    assert powers(start(["", ""], landscapes="A1 B1 C3")) == []
    after = start(["", ""], display="a*0* " * 5, deck=MANY + " d*0*", landscapes="A1 B2 C3")
    assert powers(play(after, "collect a")) == ["A d", "C"]
    assert hand(play(after, "use C"), 0) == ["a*0*"] * 5 + ["d*0*"]


def test_r5_12_claim_goal_beside_the_main_action():
    table = start(["", ""], deck=MANY, acorns=[6, 0], landscapes="A1 B1 C2", holders=[1])
    play(table, "use C 3")
    assert (phase(table), acorns(table), int(table.state.acorns_paid)) == ("main", [3, 0], 3)
    assert table.state.holder[:4].tolist() == [1, -1, 0, -1]
    play(table, "claim 2", "end")
    assert table.state.holder[:4].tolist() == [1, 0, 0, -1]
    table = start(["", ""], deck=MANY, acorns=[6, 0], landscapes="A1 B1 C2", goal_cost=9)
    assert powers(play(table, "collect a"))[-4:] == ["C 1", "C 2", "C 3", "C 4"]  # its own price counts
    assert phase(play(table, "use C 4")) == "after"


def test_r5_4_landscapes_can_be_composed(tmp_path):
    """Other rows and amounts, and several landscapes of one effect."""
    components = landscape_file(tmp_path, "A,gain,7", "B,gain,1", "C,draw,4")
    table = start(["", ""], deck="c*0* " * 5, components=components, landscapes="A1 A2 A3")
    assert powers(table) == ["A", "B", "C"]
    assert acorns(play(table.copy(), "use A")) == [8, 2]
    assert acorns(play(table.copy(), "use B")) == [2, 2]
    assert hand(play(table.copy(), "use C"), 0) == ["c*0*"] * 4
    play(table, "use B", "collect a", "end", "use A", "collect b", "end")
    assert powers(table) == ["A", "C"]  # one seat's use is not another's


def test_r5_4_amounts_of_composed_landscapes(tmp_path):
    components = landscape_file(tmp_path, "A,claim_goal,0", "B,start_with,3", "C,reveal_collect,5")
    table = start(["a.3. a.2.", ""], deck="c*0* " * 5 + "d*0*", acorns=[1, 0], components=components,
                  landscapes="A1 A2 A3")  # fmt: skip
    assert plays(table) == ["a.3. with B"]
    assert powers(table) == ["A 1", "A 2", "A 3", "A 4", "C"]
    assert acorns(play(table.copy(), "use A 1")) == [0, 0]
    assert len(display(play(table.copy(), "use C"))) == 9
    play(table, "play a.3. with B", "stop")
    assert (int(table.state.closed), lines(table)[0]) == (1, (0, "type 1", 3, 1, 3))
    components = landscape_file(tmp_path, "A,start_with,2", "B,start_with,1", "C,jump,3")
    table = start(["a.2. b*1. c.3.", ""], ["c*0*"], deck=MANY, components=components, landscapes="A1 A2 A3",
                  hand_limit=9)  # fmt: skip
    assert plays(table)[:4] == ["a.2. left with A", "a.2. right with A", "b*1. left with B", "b*1. right with B"]
    assert plays(table)[4:] == ["c.3. with C"]


# --- R6 the end ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("limit", [8, 1, 3])
def test_r6_1_the_hand_limit(limit):
    held = "a*1. a*1. b*1. b*1. c.3. c.3." if limit == 8 else "a*1. b*1."
    table = start([held, ""], display="d*0* d*0* d*0* d*0* a*0*", deck="b*0* " * 5, acorns=[0, 0], hand_limit=limit)
    play(table, "collect d")
    n = len(hand(table, 0))
    assert n == len(held.split()) + 4 > limit
    play(table, "end")
    for left in range(n, limit, -1):
        assert (phase(table), int(table.state.seat), len(hand(table, 0))) == ("discard", 0, left)
        assert options(table) == [f"discard {one}" for one in sorted(set(hand(table, 0)))]
        play(table, options(table)[0])
    assert (phase(table), int(table.state.seat), len(hand(table, 0))) == ("main", 1, limit)


def test_r6_1_at_the_limit_nothing_is_discarded():
    table = start(["a*1. a*1. b*1. b*1. c*1. c*1.", ""], deck=MANY)
    play(table, "collect a", "end")
    assert len(hand(table, 0)) == 8
    assert int(table.state.seat) == 1


@pytest.mark.parametrize(
    ("moves", "deck_"),
    [
        (["collect a"], "c*0* c*0*"),
        (["reveal"], "c*0* c*0* c*0* c*0*"),
        (["collect a", "use A b"], "c*0* c*0* c*0* c*0*"),
    ],
)
def test_r6_2_an_empty_deck_triggers_the_end(moves, deck_):
    table = start(deck=deck_)
    play(table, *moves[:-1])
    assert table.state.trigger == -1
    play(table, moves[-1])
    assert (int(table.state.trigger), int(table.state.trigger_round)) == (0, 1)


@every_size
def test_r6_2_torii_trigger_the_end(n_seats):
    """P closed stacks of all seats together, and not fewer."""
    rows = [", ".join(f"{letter}*0* .1* {two} .3." for letter in "abcdef"[: n_seats + 2 - last])
            for two, last in ((".2.", 1), (".2*", 9))]  # fmt: skip
    letter = "abcdef"[n_seats + 1]
    rows[1] = f"{letter}*0* .1* .2."
    hands = ["", f"{letter}.3.", *[""] * (n_seats - 2)]
    table = start(hands, rows, display="a*0* b*0*", deck="a*0* b*0* b*0*", goals="closed")
    assert (int(table.state.closed), int(table.state.trigger)) == (n_seats + 1, -1)
    table.state.seat = 1
    play(table, f"play {letter}.3.")
    assert (int(table.state.closed), int(table.state.trigger), int(table.state.trigger_round)) == (n_seats + 2, 1, 1)


@every_size
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("last_round", ["true", "false"])
def test_r6_3_when_the_game_ends(n_seats, seat, last_round):
    table = start([""] * n_seats, display="a*0* b*0* c*0* d*0* a*1. b*1. c*1.", deck="c*0*", acorns=[2] * n_seats,
                  last_round=last_round, hand_limit=20)  # fmt: skip
    table.state.seat = seat
    table.state.round_number = 3
    play(table, "reveal")
    assert table.state.trigger_round == 3
    turns = []
    while not table.over:
        if phase(table) in ("main", "collect"):
            turns.append((int(table.state.round_number), int(table.state.seat)))
            collect = [text for text in options(table) if text.startswith("collect")]
            play(table, *(collect[:1] or ["pass" if "pass" in options(table) else options(table)[0]]))
        while phase(table) == "more":
            play(table, "stop")
        play(table, "end")
    expected = [(3, other) for other in range(seat, n_seats)] + [(4, other) for other in range(n_seats)]
    assert turns == (expected if last_round == "true" else [(3, seat)])
    assert table.legal() == []


@every_size
def test_r6_4_rounds_go_from_seat_0(n_seats):
    table = new_table(n_seats)
    for turn in range(3 * n_seats):
        assert (int(table.state.round_number), int(table.state.seat)) == (turn // n_seats + 1, turn % n_seats)
        play(table, next(text for text in options(table) if text.startswith("collect")), "end")
        while phase(table) == "discard":
            play(table, options(table)[0])


# --- R7 score ------------------------------------------------------------------------------------------------------
def test_r7_1_r7_2_stacks_and_acorns():
    table = start(rows=["b*0* .1* .2. .3., a*0* *0*, c*0* .1* .1*", ""], display="a*0* d*0*", acorns=[4, 0])
    assert lines(table) == [
        (0, "type 1", 0, 2, 0),
        (0, "type 2", 12, 4, 3),
        (0, "type 3", 3, 3, 1),
        (0, "acorns", 4, 0, 0),
        (1, "acorns", 0, 0, 0),
    ]
    assert table.points() == [19, 0]


ROWS = {  # a measure: rows of three seats, and what each has
    "most a": (["a*0* *0* .1*, b*0*", "a*0* *0*", ""], [3, 2, 0]),
    "most b": (["b*0* .1* .2. .3.", "b*0* *0* *1. *2.", "a*0*"], [4, 4, 0]),
    "0s": (["a*0* *0* .1*, b*0*", "a*0*, b*0* .1*, c*0*", "d*0*"], [3, 3, 1]),
    "1s": (["a*0* .1* .1* .2.", "b*0* .1*", "c*0* .1*, d*0* .1*"], [2, 1, 2]),
    "2s": (["a*0* .1* .2. .2* .3.", "b*0* .1* .2.", ""], [2, 1, 0]),
    "tops": (["a*0* .1* .2. .3., b*0*", "c*0* .1* .2., d*0* .1*", "a*0* .1*, b*0* .1*"], [3, 3, 2]),
    "closed": (["a*0* .1* .2. .3.", "b*0* .1* .2. .3.", "c*0*"], [1, 1, 0]),
    "longest": (["a*0* *0*, b*0* .1* .2. .3.", "c*0* *0* .1*", "d*0*"], [4, 3, 1]),
}


@pytest.mark.parametrize("goal", ROWS)
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_r7_3_r7_4_every_measure(goal, holder):
    """The best score, all that tie do: the holder 10 and anybody else 3. Cards in hand do not count."""
    rows, measures = ROWS[goal]
    table = start(["", "", "c*0* d*0* d*1."], rows, display="e*0*", goals=goal, holders=[holder])
    found = [line for line in lines(table) if line[1] == "goal 1"]
    best = max(measures)
    expected = [(10 if seat == holder else 3) if mine == best else 0 for seat, mine in enumerate(measures)]
    assert found == [
        (seat, "goal 1", expected[seat], measures[seat], int(seat == holder)) for seat in range(3)
    ]  # fmt: skip


def test_r7_3_points_are_options_and_unclaimed_goals_score_nothing():
    said = {"rows": ["a*0*", "b*0*"], "display": "c*0*", "goals": "0s, closed, longest, tops"}
    assert goal_points(start(**said)) == []
    assert goal_points(start(holders=[None, None, 1], **said)) == [[3, 10]]
    assert goal_points(start(holders=[0, None, 1], goal_points=7, other_goal_points=9, **said)) == [[7, 9], [9, 7]]


def test_r7_5_a_best_of_zero():
    said = {"rows": ["a*0*", "b*0*"], "display": "c*0*", "goals": "closed, tops, 2s, most c", "holders": [0, 1, 1, 0]}
    assert goal_points(start(**said)) == [[0, 0]] * 4
    assert goal_points(start(zero_goal="scores", **said)) == [[10, 3], [3, 10], [3, 10], [10, 3]]
    assert goal_points(start(["", ""], display="c*0*", goals="longest", holders=[1])) == [[0, 0]]


def test_r7_6_there_are_no_tie_breaks():
    table = start()
    assert table.game.ties == ()
    assert not table.tally()[1].any()


# --- R8 who knows what ---------------------------------------------------------------------------------------------
def test_r8_1_what_a_view_shows():
    table = start(["a.3. b.3.", "c.3. c*0*"], known=["", "c*0*"], deck=MANY)
    view = table.view(0)
    assert cards(table, view.hand[0]) == ["a.3.", "b.3."]
    assert cards(table, view.hand[1]) == []
    assert cards(table, view.known[1]) == ["c*0*"]
    assert view.hand_cards[:2].tolist() == [2, 2]
    assert set(view.deck.tolist()) == {-1, -2}


def test_r8_2_cards_taken_openly_are_known_until_they_leave():
    table = start(["a*0*", ""], deck=MANY)
    play(table, "collect a")
    assert cards(table, table.state.known[0]) == ["a*0*", "a*0*"]
    assert cards(table, table.view(1).known[0]) == ["a*0*", "a*0*"]
    play(table, "end", "collect b", "end", "play a*0*")
    assert cards(table, table.state.known[0]) == ["a*0*"]  # taken for one of those known
    assert hand(table, 0) == ["a*0*", "a*0*"]


def test_r8_2_trades_and_discards_are_seen():
    table = start(["a*0* a.3. b.3.", ""], known=["a*0*"], deck=MANY)
    unseen = Counter(cards(table, table.state.unseen))
    play(table, "trade", "trade a*0* a.3.")
    assert cards(table, table.state.known[0]) == []
    assert unseen - Counter(cards(table, table.state.unseen)) == {"a.3.": 1}
