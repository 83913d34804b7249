"""Line-ups, specs and seatings."""

import numpy as np
import pytest

from meeplecarlo.compiled import MAX_SEATS
from meeplecarlo.errors import UsageError
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.design import Design, make_design, parse_lineup, parse_spec, seat_players, split_specs

FUJIYAMA = get_game("fujiyama")


def seatings(n_deals, n_seats, seed=1):
    games = np.arange(n_deals * n_seats)
    seating = np.full((len(games), MAX_SEATS), -1, np.int64)
    seat_players(np.uint64(seed), games // n_seats, games % n_seats, n_seats, seating)
    return seating[:, :n_seats].reshape(n_deals, n_seats, n_seats)


def test_commas_inside_parentheses_do_not_split():
    assert split_specs("a,b(x=1,y=2),search(c(z=3),sims=5)") == ["a", "b(x=1,y=2)", "search(c(z=3),sims=5)"]


def test_labels_are_the_shortest_form():
    assert parse_spec(FUJIYAMA, "steady( summer = 2 , noise=0 )").label == "steady(summer=2)"
    assert parse_spec(FUJIYAMA, "steady()").label == "steady"
    search = parse_spec(FUJIYAMA, "search( steady(summer=2), sims=20 )")
    assert (search.label, search.simulations) == ("search(steady(summer=2),sims=20)", 20)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("stedy", ["unknown player", "did you mean 'steady'"]),
        ("steady(sumer=2)", ["unknown weight", "did you mean 'summer'"]),
        ("steady(summer)", ["name=value"]),
        ("steady(summer=lots)", ["summer", "'lots'"]),
        ("steady(summer=nan)", ["summer", "'nan'"]),
        ("steady(summer=1e99)", ["summer", "1e9"]),
        ("random(summer=1)", ["no weights"]),
        ("search(steady)", ["search(player,sims=N)"]),
        ("search(steady,sims=0)", ["sims", "1 to"]),
        ("search(steady,sims=1e3)", ["sims", "'1e3'"]),
        ("search(search(steady,sims=2),sims=2)", ["scripted player"]),
        ("steady(summer=2", ["cannot read"]),
        ("", ["cannot read"]),
        ("a b", ["cannot read"]),
    ],
)
def test_bad_specs_say_what_is_wrong(spec, words):
    with pytest.raises(UsageError) as caught:
        parse_spec(FUJIYAMA, spec)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize("n", [1, 6])
def test_a_line_up_must_fit_the_game(n):
    with pytest.raises(UsageError, match="2 to 5 seats"):
        parse_lineup(FUJIYAMA, ["random"] * n)


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_every_player_holds_every_seat_once_a_deal(n_seats):
    for deal in seatings(50, n_seats):
        assert all(sorted(game) == list(range(n_seats)) for game in deal)
        assert all(sorted(seat) == list(range(n_seats)) for seat in deal.T)


def test_neighbours_change_from_deal_to_deal():
    # A fixed cyclic order would always seat the same player behind the same other one.
    left_of_0 = [int(game[(list(game).index(0) + 1) % 4]) for game in seatings(600, 4)[:, 0]]
    counts = np.bincount(left_of_0, minlength=4)
    assert counts[0] == 0
    assert all(abs(c - 200) < 60 for c in counts[1:])


def test_seats_depend_on_the_deal_alone():
    assert (seatings(20, 4)[7] == seatings(8, 4)[7]).all()


def test_equal_players_are_seated_once_a_deal():
    lineup = parse_lineup(FUJIYAMA, "steady,steady( ),steady(noise=0)")
    assert make_design(lineup, 100) == Design(100, 3, 1)


def test_exactly_the_games_asked_for_are_designed():
    design = make_design(parse_lineup(FUJIYAMA, "steady,random,random,steady"), 10)
    assert (design.n_games, design.n_deals, design.complete_deals) == (10, 3, 2)
