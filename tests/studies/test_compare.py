"""Comparisons: who meets whom, when they stop, what they say, and that they can be gone on with."""

import json
import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import meeplecarlo as mc
from meeplecarlo.errors import UsageError
from meeplecarlo.registry import get_game
from meeplecarlo.stats.shape import comebacks, lead_changes
from meeplecarlo.studies import answer
from meeplecarlo.studies.compare import Standing, compare, line_ups
from meeplecarlo.studies.present import compare_and_report, live_line


def compared(tmp_path, game="fujiyama", players=("greedy", "random"), **more):
    settings = {"until": "games=400", "seed": 1, "out": tmp_path / "study", "quiet": True} | more
    return compare(game, list(players), **settings)


# --- who sits where ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "players", "seats", "expected"),
    [
        ("fujiyama", ["greedy", "random"], None, [["greedy", "random"]]),
        ("fujiyama", ["greedy", "random"], 4, [["greedy", "random"] * 2]),
        ("fujiyama", ["greedy", "random", "steady"], None, [["greedy", "random", "steady"]]),
        ("great-fujiyama", ["planner", "random"], None, [["planner"] * 2, ["random"] * 2]),
        ("great-fujiyama", ["planner", "random"], 1, [["planner"], ["random"]]),
    ],
)
def test_players_share_the_seats_evenly(game, players, seats, expected):
    assert line_ups(get_game(game), players, seats) == expected


@pytest.mark.parametrize(
    ("game", "players", "seats", "message"),
    [
        ("fujiyama", ["greedy"], None, "at least two players, got 1"),
        ("fujiyama", ["greedy", "greedy"], None, "greedy is named twice"),
        ("fujiyama", ["steady", "steady(summer=1)"], None, "steady is named twice"),
        ("fujiyama", ["greedy", "random"], 3, r"cannot share 3 seats.* Possible: 2, 4 seats"),
        ("fuji-san", ["greedy", "random", "mirror"], None, r"3 players cannot share its 2 seats of Fuji-san evenly"),
        ("great-fujiyama", ["planner", "random"], 6, "Great Fujiyama is for 1 to 5 seats"),
        ("fujiyama", ["greedy", "randon"], None, "did you mean 'random'"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(game, players, seats, message):
    if players == ["steady", "steady(summer=1)"]:
        weights = {w.name: w.default for w in get_game(game).player("steady").weights}
        players = ["steady", f"steady(summer={weights['summer']:g})"]
    with pytest.raises(UsageError, match=message):
        line_ups(get_game(game), players, seats)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"until": "sprt=2pp", "players": ["greedy", "random", "steady"]}, "tells two players apart, but 3"),
        ({"until": "games=3"}, "at least two deals, that is 4 games; 3 were asked for"),
        ({"margin": 0}, "margin must be above 0"),
        ({"max_games": 0}, "max_games must be a whole number"),
        ({"until": "ci=1"}, "at most 50pp"),
    ],
)
def test_wrong_settings_leave_nothing_behind(tmp_path, changes, message):
    with pytest.raises(UsageError, match=message):
        compared(tmp_path, **changes)
    assert not (tmp_path / "study").exists()


# --- what it finds -------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return compared(tmp_path_factory.mktemp("compare"), players=("steady", "greedy", "random"), until="games=900")


def test_means_and_pairs_are_those_of_the_run(study):
    seats = study.runs[0].seats.with_columns(pl.col("player").cast(pl.String)).collect()
    share = dict(seats.group_by("player").agg(pl.col("win_share").mean()).iter_rows())
    assert {p: m.estimate for p, m in study.standing.means.items()} == pytest.approx(share)
    for pair in answer.pairs_of(study):
        assert pair.difference.estimate == pytest.approx(share[pair.player] - share[pair.other])
        rows = seats.pivot(index="game", on="player", values=["rank", "win_share"])
        a, b = (rows[f"rank_{who}"].cast(int).to_numpy() for who in (pair.player, pair.other))
        assert pair.outranks.estimate == pytest.approx(np.mean((a < b) + 0.5 * (a == b)))
        lead = (rows[f"win_share_{pair.player}"] - rows[f"win_share_{pair.other}"]).to_numpy()
        expected = math.ceil((1.6448536 * lead.std(ddof=1) / lead.mean()) ** 2)
        assert pair.games_to_lead == max(1, expected)


def test_strong_and_weak_are_told_apart_and_the_order_of_names_swaps_the_rows(study, tmp_path):
    verdicts = {(p.player, p.other): p.verdict for p in answer.pairs_of(study)}
    assert verdicts["steady", "random"] == verdicts["greedy", "random"] == "stronger"
    mirrored = compared(tmp_path, players=("random", "greedy", "steady"), until="games=900")
    for pair in answer.pairs_of(mirrored):
        assert {"stronger": "weaker", "weaker": "stronger"}.get(pair.verdict, pair.verdict) == verdicts[
            pair.other, pair.player
        ]


def test_swapping_two_names_swaps_the_rows_exactly(study):
    means = study.standing.means
    swapped = replace(study, standing=Standing(dict(reversed(means.items())), study.standing.samples))
    found = {(p.player, p.other): p for p in answer.pairs_of(swapped)}
    for pair in answer.pairs_of(study):
        other = found[pair.other, pair.player]
        assert (other.difference.estimate, other.difference.lo) == (-pair.difference.estimate, -pair.difference.hi)
        assert other.p_holm == pair.p_holm
        assert other.outranks.estimate == pytest.approx(1 - pair.outranks.estimate)


def test_how_games_go_agrees_with_the_rows(study):
    run = study.runs[0]
    rounds = run.rounds.sort("game", "round", "seat").collect()["points"].to_numpy().reshape(900, -1, 3)
    ranks = run.seats.sort("game", "seat").collect()["rank"].to_numpy().reshape(900, 3)
    found = answer.shape_of(study.standing.samples[0])
    behind, last = comebacks(rounds[:, rounds.shape[1] // 2 - 1], ranks)
    assert found["lead_changes"].estimate == pytest.approx(lead_changes(rounds).mean())
    assert found["from_behind"].estimate == pytest.approx(behind.mean())
    assert found["from_last"].estimate == pytest.approx(last.mean())


def test_teams_are_compared_on_the_same_deals_in_points(tmp_path):
    found = compared(tmp_path, "great-fujiyama", ("planner", "random"), until="games=300")
    assert [run.lineup for run in found.runs] == [["planner"] * 2, ["random"] * 2]
    deals = [run.deals.collect() for run in found.runs] if found.runs[0].has("deals") else []
    assert not deals
    points = [run.seats.filter(pl.col("seat") == 0).sort("game").collect()["points"] for run in found.runs]
    (pair,) = answer.pairs_of(found)
    assert pair.difference.estimate == pytest.approx((points[0] - points[1]).mean())
    assert pair.verdict == "stronger"
    assert pair.outranks is None
    assert "points" in answer.verdict_words(found, pair)


# --- when it stops -------------------------------------------------------------------------------------------------
def test_it_stops_once_it_is_precise_enough(tmp_path):
    looks = []
    found = compared(tmp_path, until="ci=3pp", on_look=lambda standing, rule: looks.append(live_line(standing, rule)))
    assert found.reached
    assert found.looks == len(looks)
    share = answer.tables.players(found.standing.samples[0]).filter(measure="win_share")
    assert ((share["hi"] - share["lo"]) / 2 <= 0.03).all()
    assert all("at any look" in line for line in looks)
    before = compared(tmp_path, until="ci=3pp", out=tmp_path / "again", jobs=2)
    assert before.standing.games == found.standing.games


def test_it_stops_once_the_test_has_decided(tmp_path):
    found = compared(tmp_path, until="sprt=5pp")
    (pair,) = answer.pairs_of(found)
    assert (found.reached, pair.verdict) == (True, "stronger")
    assert math.isnan(pair.p_holm)
    assert any("says: ahead" in line for line in answer.lines(found))


def test_it_gives_up_at_the_cap_and_says_so(tmp_path):
    found = compared(tmp_path, players=("steady", "steady(noise=0.001)"), until="ci=0.1pp", max_games=1000)
    assert not found.reached
    assert found.standing.games == 1000
    assert "stopped at the cap on games" in answer.header(found)
    (pair,) = answer.pairs_of(found)
    assert pair.verdict == "undecided"
    assert "does not make them equal" in answer.verdict_words(found, pair)


def test_more_precision_goes_on_from_what_is_there(tmp_path):
    first = compared(tmp_path, until="games=400")
    stamp = (tmp_path / "study" / "seats" / "part-00000.parquet").stat().st_mtime_ns
    more = compared(tmp_path, until="games=1000", resume=True)
    assert (first.standing.games, more.standing.games) == (400, 1000)
    whole = compared(tmp_path, until="games=1000", out=tmp_path / "whole")
    assert more.standing.means["greedy"].estimate == whole.standing.means["greedy"].estimate
    assert (tmp_path / "study" / "seats" / "part-00000.parquet").stat().st_mtime_ns >= stamp


def test_a_repeated_game_is_no_evidence(tmp_path, monkeypatch):
    found = compared(tmp_path, "fuji-san", ("greedy", "random"), until="games=40")
    monkeypatch.setattr(type(found.standing), "identical", True)
    (pair,) = answer.pairs_of(found)
    assert pair.verdict == "undecided"
    assert "one and the same game" in answer.verdict_words(found, pair)


# --- page and JSON -------------------------------------------------------------------------------------------------
def test_the_page_begins_with_the_answer(tmp_path):
    found = compare_and_report(
        "fujiyama",
        ["greedy", "random"],
        margin=None,
        out=tmp_path / "c",
        show=None,
        until="games=200",
        seed=1,
        quiet=True,
    )
    html = (tmp_path / "c" / "report" / "index.html").read_text(encoding="utf-8")
    assert html.index("The answer") < html.index("How good is each player?")
    assert "greedy is better than random" in html
    values = json.loads(found.json)
    assert values == json.loads((tmp_path / "c" / "answer.json").read_text(encoding="utf-8"))
    assert values["pairs"][0]["verdict"] == "stronger"
    assert values["games"] == 200
    run = mc.open_run(tmp_path / "c")
    assert run.n_games == 200
