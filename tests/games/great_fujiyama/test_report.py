"""The report on Great Fujiyama: its numbers counted again from the logs, and what the page says and does not say."""

import re
import runpy
import shlex
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from meeplecarlo.games.great_fujiyama.report import chapter, charts, comparison, tables
from meeplecarlo.games.great_fujiyama.view import RANKS
from meeplecarlo.registry import get_game
from meeplecarlo.report import comparison as of_runs
from meeplecarlo.report import page, shared
from meeplecarlo.report import tables as general
from meeplecarlo.report.page import write_report
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chart, Table
from meeplecarlo.simulation.run import simulate
from meeplecarlo.stats.intervals import paired_difference, share_interval
from meeplecarlo.store.dataset import open_run

SCRIPT = Path(__file__).parents[3] / "scripts" / "great_fujiyama_reach.py"
STUPID = re.compile(r"[Ww]in share|wins? most|won most|margin|\b(nan|NaN|inf|None|null)\b|parity")


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Return a function that plays a run, or returns the one it played before."""
    runs = {}
    folder = tmp_path_factory.mktemp("runs")

    def play(seats=3, games=300, seed=1, players=None, tables=None, **options):
        key = repr((seats, games, seed, players, tables, sorted(options.items())))
        if key not in runs:
            line_up = list(players or ["careful"] * seats)
            out = folder / f"r{len(runs)}"
            runs[key] = simulate(
                "great-fujiyama", line_up, games=games, seed=seed, options=options, out=out, tables=tables, quiet=True
            )
        return runs[key]

    return play


@pytest.fixture(scope="session")
def run(played):
    """Three seats that never turn a tile."""
    return played()


@pytest.fixture(scope="session")
def turned(played):
    """The same deals, tiles turned."""
    return played(turn="thirds")


@pytest.fixture
def undrawn(monkeypatch):
    """Leave out what takes the time of a report: turning charts into pictures."""
    monkeypatch.setattr(page, "figure_files", lambda figure, kinds: {kind: kind.encode() for kind in kinds})


def text_of(path):
    html = re.sub(r"<style>.*?</style>|data:image[^\"]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&#39;", "'").replace("&amp;", "&").split())


def alts(path):
    return re.findall(r'<img src="[^"]*" alt="([^"]*)"', path.read_text(encoding="utf-8"))


# --- tables --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("which", ["run", "turned"])
def test_reach_rates_hazards_and_ranks_are_counts_of_games(which, request):
    run = request.getfixturevalue(which)
    stations = run.games.collect()["stations"].to_numpy()
    reach, hazards = tables.reach(run), tables.hazards(run)
    assert reach["station"].to_list() == hazards["station"].to_list() == list(range(1, 11))
    for s, rate, hazard in zip(range(1, 11), reach.to_dicts(), hazards.to_dicts(), strict=True):
        wilson = share_interval((stations >= s).astype(float), 1)
        assert (rate["estimate"], rate["n"]) == (pytest.approx((stations >= s).mean()), len(stations))
        assert (rate["lo"], rate["hi"]) == (pytest.approx(wilson.lo), pytest.approx(wilson.hi))
        below = stations >= s - 1
        assert hazard["n"] == below.sum()
        if below.any():
            assert hazard["estimate"] == pytest.approx((stations[below] < s).mean())
        else:
            assert hazard["estimate"] is None
    names = {
        (0, 0): "no station",
        (1, 3): RANKS[0],
        (4, 5): RANKS[1],
        (6, 7): RANKS[2],
        (8, 9): RANKS[3],
        (10, 10): RANKS[4],
    }
    for row in tables.ranks(run).to_dicts():
        assert names[row["least"], row["most"]] == row["rank"]
        assert row["estimate"] == pytest.approx(((stations >= row["least"]) & (stations <= row["most"])).mean())
    assert tables.ranks(run)["estimate"].sum() == pytest.approx(1)


def test_what_never_happened_has_an_upper_bound_of_about_four_over_the_number_of_deals(run):
    never = tables.reach(run).filter(pl.col("estimate") == 0)
    assert never.height
    for row in never.to_dicts():
        assert row["lo"] == 0
        assert 3 / 300 < row["hi"] < 4 / 300


def test_tiles_heights_and_endings_are_counts_of_games(turned):
    games = turned.games.collect()
    tiles = dict(tables.tiles_laid(turned).select("tiles", "estimate").iter_rows())
    assert tiles == pytest.approx({t: n / 300 for t, n in games["tiles"].value_counts().iter_rows()})
    heights = tables.heights(turned)
    for measure, column in (("begun", "highest"), ("completed", "stations")):
        shares = dict(heights.filter(measure=measure).select("station", "estimate").iter_rows())
        assert shares == pytest.approx({s: (games[column] == s).mean() for s in range(11)})
    ended = dict(tables.endings(turned).select("ended", "estimate").iter_rows())
    assert ended.pop(tables.BEFORE) == pytest.approx((games["decisions"] == 0).mean())
    assert ended == pytest.approx({e: (games["ended"] == e).mean() for e in ended})
    assert sum(ended.values()) == pytest.approx(1)


def test_exactly_so_many_deals_end_before_the_first_decision(run, turned, played):
    assert tables.exactly_before(run) == Fraction(1275, 7564)
    assert tables.exactly_before(played(seats=1)) == Fraction(1275, 7564)
    # Turned, a tile fits if it shows one of the first tile's upper seasons anywhere.
    same, other = (64 - 37, 64 - 56)  # of all 64 tiles, those without one season, and without two
    expected = sum(
        share * Fraction(comb(without - (not on), 3), comb(63, 3))
        for share, without, on in ((Fraction(1, 4), same, True), (Fraction(3, 4), other, True))
    )
    assert tables.exactly_before(turned) == expected
    assert tables.exactly_before(played(width=1)) is None
    share = tables.endings(run).filter(ended=tables.BEFORE).row(0, named=True)
    assert share["lo"] < 1275 / 7564 < share["hi"]


def test_the_best_game_has_most_stations_then_tiles_then_the_lowest_number(turned):
    games = turned.games.collect().to_dicts()
    best = max(games, key=lambda g: (g["stations"], g["tiles"], -g["game"]))
    assert tables.best_game(turned)["game"] == best["game"]


def test_turning_and_talk_are_paired_differences_on_the_same_deals(run, turned, played):
    of = [played(talk="open"), run, turned]
    samples = [Sample.of(r) for r in of]
    turn, talk = (tables.worth(samples, option) for option in ("turn", "talk"))
    stations = [r.games.collect()["stations"].to_numpy().astype(float) for r in of]
    for table, first, second in ((turn, stations[1], stations[2]), (talk, stations[1], stations[0])):
        assert table["measure"].to_list() == ["mean", "at least 1", "at least 2", "at least 3"]
        assert set(table["paired"]) == {1.0}
        expected = paired_difference(second, first)
        mean = table.row(0, named=True)
        assert (mean["estimate"], mean["lo"], mean["hi"]) == pytest.approx(
            (expected.estimate, expected.lo, expected.hi)
        )
        rate = paired_difference((second >= 1).astype(float), (first >= 1).astype(float))
        assert table["estimate"][1] == pytest.approx(rate.estimate)
    other = played(seed=2, turn="thirds")
    assert tables.worth([samples[1], Sample.of(other)], "turn")["paired"].to_list() == [0.0] * 4


def test_one_seat_has_nobody_to_talk_to(played):
    samples = [Sample.of(played(seats=1, talk=talk)) for talk in ("none", "open")]
    assert not tables.worth(samples, "talk").height
    assert not tables.worth(samples, "turn").height


def test_runs_that_differ_in_more_than_the_option_are_no_pair(run, played):
    samples = [Sample.of(run), Sample.of(played(seats=2, turn="thirds")), Sample.of(played(turn="thirds", talk="open"))]
    assert not tables.worth(samples, "turn").height


# --- the shared result, as of any game -----------------------------------------------------------------------------
def test_the_shared_result_counts_every_game_once(turned):
    stations = turned.games.collect()["stations"].to_numpy().astype(float)
    by = {r["measure"]: r for r in general.shared_result(turned).to_dicts()}
    assert (by["mean"]["estimate"], by["mean"]["n"]) == (pytest.approx(stations.mean()), 300)
    assert by["mean"]["se"] == pytest.approx(stations.std(ddof=1) / np.sqrt(300))
    assert by["p50"]["estimate"] == np.quantile(stations, 0.5, method="nearest")
    assert by["truncated"]["estimate"] == 0
    spread = dict(general.shared_spread(turned).select("points", "estimate").iter_rows())
    assert spread == pytest.approx({int(s): (stations == s).mean() for s in np.unique(stations)})


def test_rounds_keep_games_that_ended(run):
    table = general.shared_rounds(run)
    games = run.games.collect()
    rounds = run.rounds.filter(pl.col("seat") == 0).collect()
    final = dict(games.select("game", "stations").iter_rows())
    for number in range(1, rounds["round"].max() + 1):
        now = dict(rounds.filter(pl.col("round") == number).select("game", "points").iter_rows())
        points = [now.get(g, final[g] if g not in now else None) for g in final]
        row = table.filter((pl.col("round") == number) & (pl.col("measure") == "points")).row(0, named=True)
        assert (row["estimate"], row["n"]) == (pytest.approx(np.mean(points)), 300)
        last = rounds.group_by("game").agg(pl.col("round").max())
        going = table.filter((pl.col("round") == number) & (pl.col("measure") == "going")).row(0, named=True)
        assert going["estimate"] == pytest.approx((last["round"] > number).sum() / 300)
    before = table.filter(pl.col("round") == 0).row(0, named=True)
    assert before["estimate"] == pytest.approx((games["decisions"] > 0).mean())


def test_teams_of_other_players_and_seats_are_compared_on_the_same_deals(run, played):
    samples = [Sample.of(r) for r in (run, played(players=["random"] * 3), played(seats=2))]
    assert of_runs.same_deals(samples)
    names = of_runs.labels([s.run for s in samples])
    assert names == ["3 seats; careful", "3 seats; random", "2 seats; careful"]
    table = shared.overview(samples, names, True).data.filter(measure="change")
    stations = [s.run.games.collect()["stations"].to_numpy().astype(float) for s in samples]
    for row, of in zip(table.to_dicts(), stations[1:], strict=True):
        assert row["estimate"] == pytest.approx((of - stations[0]).mean())
        assert row["se"] == pytest.approx((of - stations[0]).std(ddof=1) / np.sqrt(300))


# --- charts --------------------------------------------------------------------------------------------------------
def drawn(figure, start):
    return {a.get_gid().removeprefix(start): a for a in figure.findobj() if str(a.get_gid() or "").startswith(start)}


def test_the_reach_curve_steps_at_the_rates_and_marks_what_never_happened(run):
    table = tables.reach(run)
    figure = charts.reach_figure([("", table)], "How many?")
    linear, log = figure.axes
    (line,) = drawn(linear, "line-").values()
    assert line.get_ydata()[:-1] == pytest.approx(table["estimate"].to_numpy())
    assert line.get_xdata()[:-1] == pytest.approx(np.arange(1, 11) - 0.5)
    first = table.filter(pl.col("estimate") == 0).row(0, named=True)
    bound = drawn(log, "bound-")[""]
    assert (bound.get_xdata()[0], bound.get_ydata()[0]) == (first["station"], pytest.approx(first["hi"]))
    assert log.get_yscale() == "log"
    assert min(drawn(log, "line-")[""].get_ydata()) > log.get_ylim()[0] > 0
    assert "pointwise 95 %" in " ".join(drawn(figure, "footer")[""].get_text().split())


def test_both_readings_stand_in_one_chart(run, turned):
    samples = [Sample.of(run), Sample.of(turned)]
    found = comparison(samples, of_runs.labels([run, turned]), True)
    reach = found.sections[0].blocks
    (chart,) = (b for b in reach if isinstance(b, Chart))
    assert set(drawn(chart.picture.axes[0], "line-")) == {"turn = none", "turn = thirds"}
    assert "has all tiles lie the same way up as in the standard game" in reach[0].words
    assert [s.key for s in found.sections] == ["reach", "worth_turn"]


def test_lines_look_the_same_in_both_panels_and_none_is_missing(played):
    runs = [played(seats=n, turn=t) for t in ("none", "thirds") for n in (1, 2, 3)] + [played(seats=4, turn="thirds")]
    found = comparison([Sample.of(r) for r in runs], of_runs.labels(runs), True)
    (chart,) = (b for b in found.sections[0].blocks if isinstance(b, Chart))
    left, right = (drawn(ax, "line-") for ax in chart.picture.axes[:2])
    assert set(left) == {"1 seat", "2 seats", "3 seats"}
    assert set(right) == {*left, "4 seats"}
    for name, line in left.items():
        assert line.get_color() == right[name].get_color()
    assert "by number of seats" in chart.picture.get_suptitle().replace("\n", " ")


def test_many_runs_are_split_over_charts_with_lines_that_can_be_told_apart(played):
    runs = [
        played(seats=n, turn=t, talk=k, players=[p] * n, games=40)
        for n in (1, 2, 3)
        for t in ("none", "thirds")
        for k in ("none", "open")
        for p in ("careful", "random")
    ]
    names = of_runs.labels(runs)
    found = comparison([Sample.of(r) for r in runs], names, True)
    shown = [b for b in found.sections[0].blocks if isinstance(b, Chart)]
    assert [c.name for c in shown] == [f"reach_seats_{k}" for k in range(1, 5)] + [
        f"reach_teams_{k}" for k in range(1, 4)
    ]
    assert all(len(drawn(ax, "line-")) <= charts.MOST_LINES for c in shown for ax in c.picture.axes)
    assert sum(len(drawn(ax, "line-")) for c in shown for ax in c.picture.axes[:2]) == 2 * len(runs)
    assert found.sections[0].blocks[-1].data["run"].unique(maintain_order=True).to_list() == names


def test_the_other_charts_show_their_tables(turned):
    hazards = tables.hazards(turned).drop_nulls("estimate")
    rows = drawn(charts.hazard_chart(tables.hazards(turned)), "row-")
    values = [rows[str(i)].get_xdata()[0] for i in range(len(rows))]
    assert values == pytest.approx(hazards["estimate"].to_list()[::-1])
    laid = tables.tiles_laid(turned)
    ax = charts.tiles_chart(laid, 10)
    assert [bar.get_height() for bar in ax.patches] == pytest.approx(laid["estimate"].to_list())
    assert set(drawn(ax, "end-")) == {"1", "55"}
    heights = charts.heights_chart(tables.heights(turned))
    assert [len(c) for c in heights.containers] == [11, 11]
    labels = [t.get_text() for t in charts.rank_chart(tables.ranks(turned)).get_yticklabels()]
    assert labels[0] == "Great Fujiyama (10)"
    assert labels[-2:] == ["sandbox pile (1–3)", "no station"]


# --- the page ------------------------------------------------------------------------------------------------------
def test_the_page_of_one_run_says_how_far_teams_get_and_which_reading_it_used(run, tmp_path, undrawn):
    path = write_report([run], tmp_path)
    text = text_of(path)
    assert not STUPID.search(text)
    assert "tiles are never turned (turn = none)" in text
    assert f"--seed 1 --set turn=thirds --out {run.path}-turn-thirds && meeplecarlo report {run.path}" in text
    assert "careful,careful,careful --games 300" in text
    assert "1275/7564 = 16.86 %" in text
    assert "no statement about people at a table" in text
    assert "every ordered triple of seasons once" in text
    names = {p.stem for p in (tmp_path / "figures").iterdir()}
    assert {"reach", "hazards", "tiles", "heights", "ranks", "best", "result", "shared_rounds", "duration"} == names
    assert {"reach", "hazards", "ranks", "endings", "result"} <= {p.stem for p in (tmp_path / "tables").iterdir()}
    assert "players" not in {p.stem for p in (tmp_path / "tables").iterdir()}
    for alt in alts(path):
        assert len(alt) > 30
        assert not STUPID.search(alt)


def test_a_turned_run_names_the_literal_reading_as_the_other(turned, tmp_path, undrawn):
    text = text_of(write_report([turned], tmp_path))
    assert "tiles may be turned by thirds (turn = thirds)" in text
    assert f"--seed 1 --out {turned.path}-turn-none" in text


def test_the_command_for_the_other_reading_keeps_all_else_and_can_be_typed(played):
    from click.testing import CliRunner

    from meeplecarlo.cli import main
    from meeplecarlo.games.great_fujiyama.report.chapter import other_reading

    weights = [w.name for w in get_game("great-fujiyama").player("planner").weights[:2]]
    tuned = f"planner({','.join(f'{name}=0.5' for name in weights)})"
    run = played(players=[tuned, "random"], talk="open", width=4, games=20)
    simulate_words, report_words = other_reading(run)
    done = CliRunner().invoke(main, [*shlex.split(simulate_words)[1:], "--quiet"])
    assert done.exit_code == 0, done.output
    other = open_run(Path(f"{run.path}-turn-thirds"))
    assert tables.options(other) == tables.options(run) | {"turn": "thirds"}
    assert (other.lineup, other.n_games) == (run.lineup, 20)
    assert str(other.path) in report_words


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"seats": 1}, "300 games of Great Fujiyama with 1 seat: careful in every seat"),
        ({"players": ["careful", "random"]}, "says nothing about a single player in it"),
        ({"width": 3}, "300 games"),
        ({"width": 3, "turn": "thirds", "talk": "open"}, "turn = thirds"),
        ({"games": 1}, "Fewer than two complete deals"),
        ({"games": 3}, "Only 3 deals"),
        ({"tables": []}, "kept no table of scores, rounds, moves and deals"),
        ({"width": 1}, "Every deal ended with exactly the same result"),
    ],
)
def test_any_run_gets_a_page(played, tmp_path, undrawn, more, words):
    text = text_of(write_report([played(**more)], tmp_path))
    assert words in text
    assert not STUPID.search(text)
    for path in (tmp_path / "tables").iterdir():
        assert not re.search(r"\b(NaN|nan|inf)\b", path.read_text())


def test_a_run_in_which_nobody_completes_anything_gets_bounds(played, tmp_path, undrawn):
    run = played(players=["random"], games=5)
    assert run.games.collect()["stations"].sum() == 0
    text = text_of(write_report([run], tmp_path))
    assert "No game completed 1 station" in text
    assert "complete no station at all" in text
    assert not STUPID.search(text)


def test_the_page_is_drawn_whole(played, tmp_path):
    path = write_report([played(seats=2, turn="thirds")], tmp_path, ["png"])
    assert len(alts(path)) == len(list((tmp_path / "figures").iterdir())) == 9


def test_comparisons_of_unequal_seats_and_widths(played, tmp_path, undrawn):
    runs = [played(seats=2), played(seats=3), played(seats=3, width=3)]
    text = text_of(write_report(runs, tmp_path))
    assert "3 runs compared" in text
    assert "All these runs use one of two readings of the rules" in text
    assert not STUPID.search(text)
    table = pl.read_csv(tmp_path / "tables" / "comparison_reach_by_run.csv")
    assert table.group_by("run", maintain_order=True).len()["len"].to_list() == [10, 10, 3]


def test_runs_that_differ_in_their_seed_alone_are_lines_of_their_own(run, played):
    other = played(seed=2)
    names = of_runs.labels([run, other])
    found = comparison([Sample.of(run), Sample.of(other)], names, False)
    (chart,) = (b for b in found.sections[0].blocks if isinstance(b, Chart))
    assert set(drawn(chart.picture.axes[0], "line-")) == set(names)


def test_a_comparison_alone_has_no_part_for_each_run(run, turned, tmp_path, undrawn):
    write_report([run, turned], tmp_path, each=False)
    assert all(p.stem.startswith("comparison_") for p in (tmp_path / "tables").iterdir())


def test_the_chapter_holds_what_it_is_asked_for(run):
    found = chapter(Sample.of(run))
    assert [s.key for s in found.sections] == ["reach", "stuck", "ranks", "best"]
    for section in found.sections:
        of_charts = {b.table for b in section.blocks if isinstance(b, Chart)} - {""}
        assert of_charts <= {b.name for b in section.blocks if isinstance(b, Table)}


# --- the study -----------------------------------------------------------------------------------------------------
def test_the_reach_study_prints_one_table_and_writes_csv_and_page(tmp_path, capsys, undrawn):
    main = runpy.run_path(str(SCRIPT))["main"]
    words = ["--player", "careful", "--games", "30", "--seats", "1,2", "--jobs", "1", "--out", str(tmp_path)]
    assert main(words) == 0
    lines = capsys.readouterr().out.strip().split("\n")
    assert len(lines) == 2 + 2 * (2 + 4)
    assert {line.count("|") for line in lines} == {16}
    table = pl.read_csv(tmp_path / "reach.csv")
    assert table.height == 12 * 11
    games = open_run(tmp_path / "runs" / "careful-2-turn-thirds-talk-none").games.collect()
    row = table.filter(seats=2, turn="thirds", talk="none", player="careful", measure="at least 1").row(0, named=True)
    assert row["estimate"] == pytest.approx((games["stations"] >= 1).mean())
    assert (tmp_path / "report" / "index.html").is_file()
    assert main([*words[:-2], "--out", str(tmp_path), "--seats", "x"]) == 1
