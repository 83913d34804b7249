"""The numbers of a report against the rows of a run, counted in another way."""

import numpy as np
import polars as pl
import pytest

from meeplecarlo.games.fujiyama.report import tables as fuji
from meeplecarlo.report import tables
from meeplecarlo.report.sample import ESTIMATE_COLUMNS, Sample
from meeplecarlo.stats.intervals import share_interval

COMPLETE = 400  # games of the fixture `run` that are in complete deals


@pytest.fixture(scope="module")
def seats(run):
    return run.seats.collect().filter(pl.col("game") < COMPLETE)


def estimate(table, **where):
    return table.filter(**where).row(0, named=True)


def test_only_complete_deals_count(run):
    sample = Sample.of(run)
    assert (len(sample.deals), sample.games, sample.left_out) == (100, COMPLETE, 2)


@pytest.mark.parametrize(
    "table",
    [tables.players, tables.pairs, tables.seats, tables.closeness, tables.categories, tables.rounds, tables.totals,
     fuji.forests, fuji.forest_points, fuji.places, fuji.trump_use, fuji.boards],
)  # fmt: skip
def test_every_table_has_the_columns_of_estimates_and_ordered_ends(run, table):
    found = table(run)
    assert set(ESTIMATE_COLUMNS) <= set(found.columns)
    assert found.height
    known = found.drop_nulls(["lo", "hi"])
    assert (known["lo"] <= known["estimate"] + 1e-12).all()
    assert (known["estimate"] <= known["hi"] + 1e-12).all()
    assert not found.select(pl.col("estimate", "lo", "hi", "se").is_nan().any()).to_numpy().any()
    assert (found["deals"] <= 100).all()


def test_players(run, seats):
    table = tables.players(run)
    for player in run.players:
        rows = seats.filter(pl.col("player") == player)
        assert estimate(table, player=player, measure="points")["estimate"] == pytest.approx(rows["points"].mean())
        assert estimate(table, player=player, measure="rank")["estimate"] == pytest.approx(rows["rank"].mean())
        assert estimate(table, player=player, measure="p50")["estimate"] == rows["points"].quantile(0.5, "nearest")
        assert estimate(table, player=player, measure="sd")["estimate"] == pytest.approx(rows["points"].std(), rel=0.02)
        win = estimate(table, player=player, measure="win_share")
        means = rows.group_by(pl.col("game") // 4, maintain_order=True).agg(pl.col("win_share").mean())["win_share"]
        by_deal = share_interval(means.to_numpy(), 4)
        assert (win["estimate"], win["lo"], win["hi"]) == pytest.approx((by_deal.estimate, by_deal.lo, by_deal.hi))
        assert (win["n"], win["deals"], win["games"]) == (400, 100, 400)
        assert estimate(table, player=player, measure="edge")["lo"] == pytest.approx(win["lo"] - 0.25)


def test_win_shares_of_all_seats_add_up_to_one_win_a_game(played):
    """Two copies are one player: its share is per copy."""
    run = played(["steady", "steady", "random"], 300)
    shares = tables.players(run).filter(measure="win_share")
    assert shares["n"].to_list() == [600, 300]
    assert shares["estimate"] @ np.array([2.0, 1.0]) == pytest.approx(1.0)


def test_pairs(run, seats):
    table = tables.pairs(run)
    assert table.height == 2 * 6
    mean = dict(seats.group_by("player").agg(pl.col("points").mean()).iter_rows())
    for row in table.filter(measure="points").iter_rows(named=True):
        assert row["estimate"] == pytest.approx(mean[row["player"]] - mean[row["other"]])
        assert row["p_holm"] >= row["p"]


def test_seats_and_closeness(run, seats):
    table = tables.seats(run)
    for seat in range(4):
        rows = seats.filter(seat=seat)
        assert estimate(table, seat=seat, measure="win_share")["estimate"] == pytest.approx(rows["win_share"].mean())
    best = seats.group_by("game").agg(
        pl.col("points").sort(descending=True), pl.col("rank").eq(1).sum().alias("winners")
    )
    margin = best["points"].list.get(0) - best["points"].list.get(1)
    close = tables.closeness(run)
    assert estimate(close, measure="margin")["estimate"] == pytest.approx(margin.mean())
    assert estimate(close, measure="close")["estimate"] == pytest.approx((margin <= tables.CLOSE).mean())
    assert estimate(close, measure="shared_win")["estimate"] == pytest.approx((best["winners"] > 1).mean())
    assert estimate(close, measure="tie_break")["estimate"] == pytest.approx(
        ((margin == 0) & (best["winners"] == 1)).mean()
    )


def test_categories_and_rounds_add_up_to_the_total(run):
    points = tables.players(run).filter(measure="points")
    parts = tables.categories(run).group_by("player", maintain_order=True).agg(pl.col("estimate").sum())
    last = tables.rounds(run).filter(round=9)
    assert parts["estimate"].to_list() == pytest.approx(points["estimate"].to_list())
    assert last["estimate"].to_list() == pytest.approx(points["estimate"].to_list())


def test_totals_rise_to_one(run, seats):
    for (player,), rows in tables.totals(run).group_by("player", maintain_order=True):
        assert rows["points"].is_sorted()
        assert rows["estimate"].is_sorted()
        assert rows["estimate"][-1] == 1
        own = seats.filter(pl.col("player") == player)["points"]
        middle = rows.row(rows.height // 2, named=True)
        assert middle["estimate"] == pytest.approx((own <= middle["points"]).mean())


def test_forests(run):
    scores = run.scores.filter(pl.col("game") < COMPLETE).join(run.seats, on=["game", "seat"]).collect()
    summer = scores.filter(pl.col("category") == "summer")
    table = fuji.forests(run)
    for player in (fuji.ALL, *run.players):
        rows = summer if player == fuji.ALL else summer.filter(pl.col("player") == player)
        found = {r["measure"]: r for r in table.filter(player=player, season="summer").iter_rows(named=True)}
        held = COMPLETE * (4 if player == fuji.ALL else 1)
        assert found["per_game"]["estimate"] == pytest.approx(rows.height / held)
        assert found["mean"]["estimate"] == pytest.approx(rows["points"].mean())
        assert found["sd"]["estimate"] == pytest.approx(rows["points"].std(), rel=0.02)
        assert found["zeros"]["estimate"] == pytest.approx((rows["points"] == 0).mean())
        assert found["zeros"]["n"] == rows.height
    per_game = table.filter(player=fuji.ALL, measure="per_game")["estimate"].sum()
    assert per_game == pytest.approx(12)  # every forest is full at the end
    shares = fuji.forest_points(run).group_by("season").agg(pl.col("estimate").sum())["estimate"]
    assert shares.to_list() == pytest.approx([1.0] * 4)


def test_places_add_up_to_the_total_for_all_and_for_one(run):
    points = tables.players(run).filter(measure="points")
    assert fuji.places(run).filter(measure="points")["estimate"].sum() == pytest.approx(points["estimate"].mean())
    for player, mean in points.select("player", "estimate").iter_rows():
        assert fuji.places(run, player).filter(measure="points")["estimate"].sum() == pytest.approx(mean)


def test_the_trump_is_laid_once_or_never(run):
    table = fuji.trump_use(run)
    assert table.group_by("player").agg(pl.col("estimate").sum())["estimate"].to_list() == pytest.approx([1.0] * 4)
    moves = run.moves.filter((pl.col("game") < COMPLETE) & (pl.col("source") == "trump") & (pl.col("round") == 1))
    rows = moves.join(run.seats, on=["game", "seat"]).filter(pl.col("player") == "random").collect()
    assert estimate(table, player="random", round=1)["estimate"] == pytest.approx(rows.height / COMPLETE)


def test_boards_are_those_of_the_deal(run, seats):
    boards = run.deals.collect()
    board_of = {(row["deal"], seat): b for row in boards.iter_rows(named=True) for seat, b in enumerate(row["boards"])}
    wins = {}
    for row in seats.iter_rows(named=True):
        wins.setdefault(board_of[row["game"] // 4, row["seat"]], []).append(row["win_share"])
    table = fuji.boards(run).filter(measure="win_share")
    assert table["board"].to_list() == sorted(wins)
    assert table["estimate"].to_list() == pytest.approx([np.mean(wins[b]) for b in sorted(wins)])
    assert table["n"].to_list() == [len(wins[b]) for b in sorted(wins)]


def test_one_player_in_every_seat_has_no_interval_of_its_share(played):
    table = tables.players(played(["steady"] * 3, 60))
    win = estimate(table, measure="win_share")
    assert (win["estimate"], win["lo"], win["n"]) == (pytest.approx(1 / 3), None, 180)
    assert estimate(table, measure="points")["lo"] is not None


@pytest.mark.parametrize("games", [1, 2])
def test_fewer_games_than_seats_give_estimates_without_intervals(played, games):
    run = played(["steady", "random", "random"], games)
    for table in (tables.players(run), tables.seats(run), tables.closeness(run), fuji.forests(run), fuji.places(run)):
        assert table["lo"].is_null().all()
        assert table["estimate"].is_not_null().any()


def test_summer_by_run_pairs_equal_deals(played):
    """A rule that touches nothing of summer changes nothing, deal by deal."""
    lineup = ["random", "random", "steady"]
    same = [Sample.of(played(lineup, 90)), Sample.of(played(lineup, 90, options={"tie_break": "shared"}))]
    changes = fuji.summer_by_run(same, ["a", "b"], True).filter(run="b")
    by = {r["measure"]: r["change"] for r in changes.iter_rows(named=True)}
    assert by == {"per_game": 0, "mean": 0, "sd": 1, "zeros": 0}
