"""What is drawn, read back from the artists: it must be what the table says, under the right name."""

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from meeplecarlo.games.fujiyama.report import charts as fuji_charts
from meeplecarlo.games.fujiyama.report import tables as fuji
from meeplecarlo.report import charts, tables
from meeplecarlo.report.style import figure_files, footer_of, lay_out, spread_labels, wrap_label

LONG = ["steady", "random", "steady(summer=2,noise=0.1)", "steady(winter=2,animals=2,noise=0.1)", "steady(winter=0.5)"]


def by_gid(ax, start):
    """Artists of the axes by gid without its start."""
    found = [a for a in ax.findobj() if str(a.get_gid() or "").startswith(start)]
    return {a.get_gid().removeprefix(start): a for a in found}


def drawn_rows(ax):
    """Label to drawn value of a dot chart."""
    labels = {round(y, 6): t.get_text() for y, t in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)}
    return {labels[round(line.get_ydata()[0], 6)]: line.get_xdata()[0] for line in by_gid(ax, "row-").values()}


@pytest.fixture(scope="module")
def long(played):
    """Five players, some with long names."""
    return played(LONG, 100)


def all_charts(run):
    """Every chart of a run by name."""
    forests, places = fuji.forests(run), fuji.places(run)
    return {
        "win_share": charts.win_share_chart(tables.players(run)),
        "seats": charts.seat_chart(tables.seats(run)),
        "pairs": charts.pairs_chart(tables.pairs(run)),
        "pairs_points": charts.pairs_chart(tables.pairs(run), "points"),
        "totals": charts.totals_chart(tables.totals(run)),
        "rounds": charts.rounds_chart(tables.rounds(run)),
        "composition": charts.composition_chart(tables.categories(run), fuji_charts.CATEGORY_COLOURS),
        "forest_points": fuji_charts.forest_points_chart(fuji.forest_points(run), forests),
        "forest_sd": fuji_charts.forest_sd_chart(forests),
        "summer_zeros": fuji_charts.summer_zeros_chart(forests),
        **{f"mountain_{m}": fuji_charts.mountain_chart(places, m) for m in fuji.PLACE_MEASURES},
        "trump": fuji_charts.trump_chart(fuji.trump_use(run)),
        "boards": fuji_charts.boards_chart(fuji.boards(run), run.n_seats),
    }


def test_every_chart_asks_a_question_and_says_what_it_rests_on(run):
    for name, ax in all_charts(run).items():
        assert ax.get_title(loc="left").endswith("?"), name
        footer = footer_of(ax)
        assert "deal" in footer, name
        assert "games" in footer, name
        assert "nterval" in footer, name
        assert "nan" not in " ".join(t.get_text() for t in ax.texts), name


def test_charts_draw_on_the_axes_they_are_given(run):
    ax = Figure().subplots()
    assert charts.win_share_chart(tables.players(run), ax) is ax
    assert fuji_charts.mountain_chart(fuji.places(run), ax=Figure().subplots()).patches


def test_win_shares_drawn_are_those_of_the_table(run):
    table = tables.players(run)
    found = drawn_rows(charts.win_share_chart(table))
    shares = table.filter(measure="win_share")
    assert found == {wrap_label(p): pytest.approx(x) for p, x in shares.select("player", "estimate").iter_rows()}
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_a_player_missing_from_the_table_moves_no_label(run):
    table = tables.players(run).filter(pl.col("player") != "random")
    found = drawn_rows(charts.win_share_chart(table))
    shares = table.filter(measure="win_share").select("player", "estimate").iter_rows()
    assert found == {wrap_label(p): pytest.approx(x) for p, x in shares}


def test_seats_drawn_are_those_of_the_table(run):
    table = tables.seats(run).filter(measure="win_share")
    assert list(drawn_rows(charts.seat_chart(tables.seats(run))).values()) == table["estimate"].to_list()


def test_pairs_are_turned_to_be_positive(run):
    ax = charts.pairs_chart(tables.pairs(run))
    table = tables.pairs(run).filter(measure="win_share")
    assert sorted(drawn_rows(ax).values()) == pytest.approx(sorted(abs(x) * 100 for x in table["estimate"]))
    shares = dict(tables.players(run).filter(measure="win_share").select("player", "estimate").iter_rows())
    for label, value in drawn_rows(ax).items():
        better, worse = ("".join(x.split()) for x in label.split("over "))
        assert value == pytest.approx(100 * (shares[better] - shares[worse]))


def test_pieces_of_the_total_are_as_long_as_the_table_says(run):
    table = tables.categories(run)
    ax = charts.composition_chart(table)
    for player, category, points in (
        table.filter(pl.col("estimate") > 0).select("player", "category", "estimate").rows()
    ):
        bar = by_gid(ax, f"bar-{player}-{category}")[""]
        assert bar.get_width() == pytest.approx(points)
        label = ax.get_yticklabels()[list(ax.get_yticks()).index(round(bar.get_y() + bar.get_height() / 2))]
        assert label.get_text() == wrap_label(player)


def test_lines_are_those_of_the_table(run):
    rounds, totals, trump = tables.rounds(run), tables.totals(run), fuji.trump_use(run)
    axes = [charts.rounds_chart(rounds), charts.totals_chart(totals), fuji_charts.trump_chart(trump)]
    for player in run.players:
        lines = [by_gid(ax, "line-")[player].get_ydata() for ax in axes]
        for line, table in zip(lines, (rounds, totals, trump.drop_nulls("round")), strict=True):
            assert list(line) == table.filter(player=player)["estimate"].to_list()
        never = trump.filter(pl.col("round").is_null(), player=player)["estimate"][0]
        assert by_gid(axes[2], "never-")[player].get_ydata()[0] == never


def test_bars_of_forest_points_are_those_of_the_table(run):
    points = fuji.forest_points(run)
    ax = fuji_charts.forest_points_chart(points, fuji.forests(run))
    tallest = points["estimate"].max()
    for season in ("spring", "summer", "autumn", "winter"):
        bars = [p for p in ax.patches if p.get_gid() == f"bars-{season}"]
        found = {round(b.get_x() + b.get_width() / 2): b.get_height() / 0.78 * tallest for b in bars}
        rows = points.filter(season=season)
        assert found == {x: pytest.approx(y) for x, y in rows.select("points", "estimate").iter_rows()}


def test_marks_of_the_season_chart_are_those_of_the_table(run):
    table = fuji.forests(run)
    marks = by_gid(fuji_charts.forest_sd_chart(table), "mark-")
    for row in table.filter((pl.col("measure") == "sd") & (pl.col("season") != "mixed")).iter_rows(named=True):
        if row["player"] != fuji.ALL:
            assert marks[f"{row['season']}-{row['player']}"].get_xdata()[0] == row["estimate"]


def test_places_stand_where_the_mountain_has_them(run):
    from meeplecarlo.games.fujiyama.mountain import FLATLAND_PLACES, FLATLANDS, FOREST_PLACES, FORESTS

    table = fuji.places(run)
    ax = fuji_charts.mountain_chart(table)
    values = by_gid(ax, "value-")
    assert set(values) == {*FORESTS, *FLATLANDS}
    for slots, where in ((FORESTS, FOREST_PLACES), (FLATLANDS, FLATLAND_PLACES)):
        for slot, place in zip(slots, where, strict=True):
            assert values[slot].get_position() == tuple(place)
            mean = table.filter(slot=slot, measure="points")["estimate"][0]
            assert float(values[slot].get_text()) == pytest.approx(mean, abs=0.06)


def test_nothing_is_cut_off_or_printed_over_each_other(long):
    """With five players and long names: texts of an axes do not overlap, and all lie inside the saved picture."""
    for name, ax in all_charts(long).items():
        figure = ax.figure
        outer = lay_out(figure)
        renderer = figure._get_renderer()
        legend = ax.get_legend()
        ticks = [
            text
            for axis in (ax.xaxis, ax.yaxis)
            for place, text in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
            if min(axis.get_view_interval()) <= place <= max(axis.get_view_interval())
        ]
        texts = [
            *ax.texts,
            *ticks,
            ax.xaxis.label,
            ax.yaxis.label,
            ax._left_title,
        ]
        texts += legend.get_texts() if legend else []
        boxes = [
            (t.get_text(), t.get_window_extent(renderer)) for t in texts if t.get_text().strip() and t.get_visible()
        ]
        for text, box in boxes:
            assert box.width < figure.bbox.width * 1.25, (name, text)
            assert outer.x0 - 0.01 <= box.x0 / figure.dpi, (name, text)
            assert box.x1 / figure.dpi <= outer.x1 + 0.01, (name, text)
        for i, (text, box) in enumerate(boxes):
            for other, second in boxes[i + 1 :]:
                overlap = (
                    min(box.x1, second.x1) - max(box.x0, second.x0),
                    min(box.y1, second.y1) - max(box.y0, second.y0),
                )
                assert min(overlap) < 2, (name, text, other)


def test_the_same_chart_is_the_same_bytes(run):
    pictures = [charts.seat_chart(tables.seats(run)).figure for _ in range(2)]
    first, second = (figure_files(picture, ["svg", "png"]) for picture in pictures)
    assert first == second


def test_long_labels_break_where_they_can_be_read():
    assert wrap_label("harvester(noise=0.1,summer=2)") == "harvester\n(noise=0.1,\nsummer=2)"
    assert wrap_label("steady") == "steady"
    for label in (*LONG, "search(harvester(noise=0.1,summer=2),sims=2000)", "x" * 70):
        assert "".join(wrap_label(label).split()) == "".join(label.split())
        assert max(map(len, wrap_label(label).split("\n"))) <= 24


def test_labels_are_spread_without_changing_their_order():
    found = np.array(spread_labels([1.0, 1.1, 5.0, 1.05], 1.0, 0.0, 6.0))
    assert np.all(np.diff(np.sort(found)) >= 1 - 1e-9)
    assert found.argsort().tolist() == [0, 3, 1, 2]
