"""The report on Heizei: its numbers counted again from the logs, and what the page says and does not say."""

import re
from itertools import product

import numpy as np
import polars as pl
import pytest

from meeplecarlo.games.heizei import COLOURS
from meeplecarlo.games.heizei.report import chapter, charts, race, tables
from meeplecarlo.games.heizei.report.changes import changes
from meeplecarlo.report import page, style
from meeplecarlo.report.page import write_report
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chart, Table
from meeplecarlo.simulation.run import simulate
from meeplecarlo.stats.intervals import paired_difference, share_interval

STUPID = re.compile(r"\b(nan|NaN|inf|None|null)\b")
PLAYERS = "pricer,rusher,racer,random"
GAMES = 120
SEATS = range(4)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a function that plays a run, or returns the one it played before."""
    runs, folder = {}, tmp_path_factory.mktemp("runs")

    def play(players=PLAYERS, games=GAMES, tables=None, **options):
        key = repr((players, games, tables, options))
        if key not in runs:
            runs[key] = simulate(
                "heizei", players.split(","), games=games, seed=1, options=options, out=folder / f"r{len(runs)}",
                tables=tables, quiet=True,
            )  # fmt: skip
        return runs[key]

    return play


@pytest.fixture(scope="module")
def run(played):
    return played()


@pytest.fixture(scope="module")
def sample(run):
    return Sample.of(run)


@pytest.fixture(scope="module")
def games(run):
    """The games of the run as plain dictionaries, with their seats, score lines, deal and order of going out."""
    found = {g["game"]: g | {"lines": [], "seats": [], "out": {1: [], 2: []}} for g in run.games.collect().to_dicts()}
    deals = {d["deal"]: d for d in run.deals.collect().to_dicts()}
    for row in run.seats.sort("game", "seat").collect().to_dicts():
        found[row["game"]]["seats"].append(row)
    for row in run.scores.collect().to_dicts():
        found[row["game"]]["lines"].append(row)
    for row in run.moves.filter(pl.col("phase") == "last").sort("game", "ply").collect().to_dicts():
        found[row["game"]]["out"][row["round"]].append(row["seat"])
    for game in found.values():
        game |= {k: deals[game["deal"]][k] for k in ("circles", "hands")}
    return [found[g] for g in sorted(found)]


@pytest.fixture
def undrawn(monkeypatch):
    """Leave out what takes the time of a report: turning charts into pictures."""
    monkeypatch.setattr(page, "figure_files", lambda figure, kinds: {kind: kind.encode() for kind in kinds})


def text_of(path):
    html = re.sub(r"<style>.*?</style>|data:image[^\"]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&#39;", "'").replace("&amp;", "&").split())


def estimates(table, *keys):
    return {tuple(r[k] for k in keys): r["estimate"] for r in table.to_dicts()}


def points_of(game, seat, number, *, cards=True, tile=True):
    return sum(
        line["points"]
        for line in game["lines"]
        if (line["seat"], line["in_round"]) == (seat, number) and (tile if line["slot"] == "tile" else cards)
    )


def starter(game, number):
    return 0 if number == 1 else game["start_2"]


# --- seats ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("order", [tables.OUT, tables.TURN])
def test_seats_by_the_order_of_going_out_and_of_turns(sample, games, order):
    sums = tables.order_sums(sample, order)
    found = estimates(tables.by_order(sample, sums, order), "player", "round", order, "measure")
    for number, place, player in product((1, 2), range(1, 5), (tables.ALL, "rusher")):
        held = []
        for g in games:
            in_turn = [(starter(g, number) + k) % 4 for k in SEATS]
            seat = (g["out"][number] if order == tables.OUT else in_turn)[place - 1]
            if player in (tables.ALL, g["seats"][seat]["player"]):
                held.append((g, seat))
        if not held:
            assert (player, number, place, "points") not in found
            continue
        mean = {
            "cards": np.mean([points_of(g, s, number, tile=False) for g, s in held]),
            "tile": np.mean([points_of(g, s, number, cards=False) for g, s in held]),
            "points": np.mean([points_of(g, s, number) for g, s in held]),
            "above": np.mean(
                [points_of(g, s, number) - np.mean([points_of(g, k, number) for k in SEATS]) for g, s in held]
            ),
            "win_share": np.mean([g["seats"][s]["win_share"] for g, s in held]),
        }
        for measure, value in mean.items():
            assert found[player, number, place, measure] == pytest.approx(value), (player, number, place, measure)


def test_the_first_to_go_out_against_the_others(sample, games):
    table = tables.first_against_later(sample, tables.order_sums(sample, tables.OUT))
    row = table.row(by_predicate=(pl.col("player") == tables.ALL) & (pl.col("round") == 2)
                    & (pl.col("measure") == "points"), named=True)  # fmt: skip
    first = np.array([points_of(g, g["out"][2][0], 2) for g in games]).reshape(-1, 4).mean(axis=1)
    later = np.array([[points_of(g, s, 2) for s in g["out"][2][1:]] for g in games]).reshape(-1, 12).mean(axis=1)
    expected = paired_difference(first, later)
    assert (row["estimate"], row["lo"], row["hi"]) == pytest.approx((expected.estimate, expected.lo, expected.hi))


def test_tiles_that_are_alike_leave_the_order_to_the_moves(played):
    alike = played(games=20, tiles_4="2,2,2")
    order = tables.seat_rounds(alike).collect()
    assert sorted(order["out"].unique()) == [1, 2, 3, 4]
    first = order.filter((pl.col("out") == 1) & (pl.col("round") == 1)).sort("game")
    assert first["seat"].to_list() == alike.games.sort("game").collect()["first_out_1"].to_list()
    without_moves = played(games=20, tables=["scores"], tiles_4="2,2,2")
    assert not tables.order_sums(Sample.of(without_moves), tables.OUT)


def test_points_of_the_rounds(sample, games):
    found = estimates(tables.round_points(sample), "player", "round", "measure")
    spread = estimates(tables.round_spread(sample), "round", "points")
    for number in (1, 2):
        points = np.array([points_of(g, s, number) for g in games for s in SEATS])
        assert found[tables.ALL, number, "mean"] == pytest.approx(points.mean())
        assert found[tables.ALL, number, "sd"] == pytest.approx(points.std(ddof=1), rel=0.01)
        assert found[tables.ALL, number, "negative"] == pytest.approx((points < 0).mean())
        assert sum(v for k, v in spread.items() if k[0] == number) == pytest.approx(1)
        assert spread[number, int(points[0])] == pytest.approx((points == points[0]).mean())


# --- the penalty and the tiles -------------------------------------------------------------------------------------
def test_the_colour_that_counts_negative(sample, games):
    found = estimates(tables.penalty(sample), "player", "measure")
    lines = [line for g in games for line in g["lines"] if line["category"] == "second_penalty"]
    assert len(lines) == 4 * GAMES
    assert found[tables.ALL, "points"] == pytest.approx(np.mean([x["points"] for x in lines]))
    assert found[tables.ALL, "cards"] == pytest.approx(np.mean([x["cards"] for x in lines]))
    assert found[tables.ALL, "place_4"] == pytest.approx(np.mean([x["place"] == 4 for x in lines]))


def winners(game, change, tie=True):
    """Return the win share of each seat after `change` (points by seat) was taken from it."""
    keys = [(row["points"] - change[row["seat"]], row["tile_2"] if tie else 0) for row in game["seats"]]
    best = np.array([key == max(keys) for key in keys], float)
    return best / best.sum()


def parts_of(game):
    found = {name: np.zeros(4) for name in ("penalty", "tile_1", "tile_2")}
    for line in game["lines"]:
        if line["category"] == "second_penalty":
            found["penalty"][line["seat"]] += line["points"]
        elif line["slot"] == "tile":
            found[f"tile_{line['in_round']}"][line["seat"]] += line["points"]
    return found


def test_winners_counted_again(sample, games):
    changed = {
        tables.PENALTY: (lambda p: 2 * p["penalty"], True),
        tables.HALF: (lambda p: p["penalty"], True),
        tables.TILES: (lambda p: p["tile_1"] + p["tile_2"], False),
        tables.FIRST_TILES: (lambda p: p["tile_1"], True),
        tables.SECOND_TILES: (lambda p: p["tile_2"], False),
    }
    table = tables.deciders(sample)
    found = estimates(table, "without", "measure")
    moved = {}
    for name, (change, tie) in changed.items():
        real = [np.array([row["win_share"] for row in g["seats"]]) for g in games]
        parts = [change(parts_of(g)) for g in games]
        new = [winners(g, part, tie) for g, part in zip(games, parts, strict=True)]
        moved[name] = np.array([np.maximum(a - b, 0).sum() for a, b in zip(real, new, strict=True)])
        assert found[name, "moved"] == pytest.approx(moved[name].mean())
        assert found[name, "changed"] == pytest.approx(
            np.mean([(a != b).any() for a, b in zip(real, new, strict=True)])
        )
        own = np.concatenate([part - part.mean() for part in parts])
        assert found[name, "sd"] == pytest.approx(own.std(), rel=0.01)
    by_deal = {name: x.reshape(-1, 4).mean(axis=1) for name, x in moved.items()}
    for label, name in tables.DIFFERENCES.items():
        expected = paired_difference(by_deal[name], by_deal[tables.TILES])
        row = table.row(by_predicate=(pl.col("without") == label) & (pl.col("measure") == "moved"), named=True)
        assert (row["lo"], row["hi"], row["p"]) == pytest.approx((expected.lo, expected.hi, expected.p))


def test_the_score_lines_give_the_winners_of_the_log(games):
    for game in games:
        assert winners(game, np.zeros(4)).tolist() == [row["win_share"] for row in game["seats"]]


def test_intervals_are_over_deals(sample, games):
    row = tables.by_order(sample, tables.order_sums(sample, tables.TURN), tables.TURN).row(
        by_predicate=(pl.col("player") == tables.ALL) & (pl.col("round") == 1) & (pl.col("turn") == 1)
        & (pl.col("measure") == "win_share"), named=True,
    )  # fmt: skip
    wins = np.array([g["seats"][0]["win_share"] for g in games]).reshape(-1, 4)
    expected = share_interval(wins.mean(axis=1), 4)
    assert (row["lo"], row["hi"]) == pytest.approx((expected.lo, expected.hi))


# --- cubes ---------------------------------------------------------------------------------------------------------
def start_of(game, number):
    return game["circles"] if number == 1 else game["order_1"][::-1]


def test_where_cubes_end_by_their_circle(sample, games):
    found = estimates(race.circles(sample), "round", "circle", "measure")
    for number, circle in product((1, 2), range(1, 5)):
        places = [g[f"order_{number}"].index(start_of(g, number)[circle - 1]) + 1 for g in games]
        assert found[number, circle, "place"] == pytest.approx(np.mean(places))
        for place in range(1, 5):
            assert found[number, circle, f"place_{place}"] == pytest.approx(np.mean([p == place for p in places]))


def hands_of(game, number):
    """Return {(seat, colour): cards} at the start of a round."""
    if number == 1:
        return {(s, c): game["hands"][4 * s + i] for s in SEATS for i, c in enumerate(COLOURS)}
    return {(x["seat"], x["slot"]): x["cards"] for x in game["lines"] if x["in_round"] == 1 and x["slot"] != "tile"}


def test_what_tells_which_colour_ends_first(sample, games):
    found = estimates(race.foretold(sample), "round", "by", "measure")
    for number in (1, 2):
        heads, longest = [], []
        for g in games:
            order, hands = g[f"order_{number}"], hands_of(g, number)
            heads.append(order.index(start_of(g, number)[-1]) + 1)
            longest.append([order.index(c) + 1 for (_, c), n in hands.items() if n == max(hands.values())])
        first = {
            race.HEAD: np.mean([place == 1 for place in heads]),
            race.LONGEST: np.mean([np.mean([place == 1 for place in places]) for places in longest]),
        }
        for by, value in first.items():
            assert found[number, by, "first"] == pytest.approx(value)
        assert found[number, race.LONGEST, "place"] == pytest.approx(np.mean([np.mean(x) for x in longest]))
        assert found[number, race.DIFFERENCE, "first"] == pytest.approx(first[race.HEAD] - first[race.LONGEST])


def test_what_it_brings_to_collect_a_colour(sample, games):
    collected = estimates(race.collected(sample), "round", "cards", "measure")
    rows = []
    for g, number, seat, colour in product(games, (1, 2), SEATS, COLOURS):
        of = [x for x in g["lines"] if (x["in_round"], x["seat"], x["slot"]) == (number, seat, colour)]
        line = of[0] if of else {"cards": 0, "points": 0, "category": ""}
        rows.append((number, line["cards"], g[f"order_{number}"].index(colour) + 1, line["points"],
                     line["category"] == "second_penalty"))  # fmt: skip
    for number, cards in sorted({row[:2] for row in rows}):
        of = [row for row in rows if row[:2] == (number, cards)]
        assert collected[number, cards, "place"] == pytest.approx(np.mean([row[2] for row in of]))
        if cards:
            assert collected[number, cards, "points"] == pytest.approx(np.mean([row[3] for row in of]))
        if cards and number == 2:
            assert collected[2, cards, "negative"] == pytest.approx(np.mean([row[4] for row in of]))
    worth = estimates(race.by_place(sample), "place", "measure")
    for place in range(1, 5):
        of = [row for row in rows if row[0] == 2 and row[2] == place]
        cards = sum(row[1] for row in of)
        assert worth[place, "per_card"] == pytest.approx(sum(row[3] for row in of) / cards)
        assert worth[place, "negative"] == pytest.approx(sum(row[1] for row in of if row[4]) / cards)


def test_the_race_ends_where_the_log_says(sample, games):
    table = race.race(sample)
    found = estimates(table, "round", "turns", "cube", "which", "measure")
    assert table["n"].unique().to_list() == [GAMES]
    for number in (1, 2):
        spaces = np.array([sorted(g[f"steps_{number}"], reverse=True) for g in games])
        for place in range(1, 5):
            assert found[number, 100, "final", place, "space"] == pytest.approx(spaces[:, place - 1].mean())
            assert found[number, 100, "final", place, "place"] == place
        for circle in range(1, 5):
            ends = [g[f"order_{number}"].index(start_of(g, number)[circle - 1]) + 1 for g in games]
            assert found[number, 100, "circle", circle, "place"] == pytest.approx(np.mean(ends))
        assert found[number, 100, "leader", 1, "first"] == 1
        for turns in race.LOOKS:
            of = [found[number, turns, "circle", k, "place"] for k in range(1, 5)]
            assert sum(of) == pytest.approx(10)


def test_the_race_begins_after_the_preparation(run, sample, games):
    """The cards laid move the cubes from the tail on; occupied spaces are not counted."""
    found = estimates(race.race(sample), "round", "turns", "cube", "which", "measure")
    laid = run.moves.filter(pl.col("phase") == "prepare").group_by("game", "round").agg(pl.col(COLOURS).sum())
    cards = {(r["game"], r["round"]): r for r in laid.collect().to_dicts()}
    for number in (1, 2):
        after = []
        for g in games:
            space = {c: k for k, c in enumerate(start_of(g, number), start=1)}
            for colour in start_of(g, number):
                for _ in range(cards[g["game"], number][colour]):
                    others = {s for c, s in space.items() if c != colour}
                    space[colour] += 1
                    while space[colour] in others:
                        space[colour] += 1
            after.append([space[c] for c in start_of(g, number)])
        for circle in range(1, 5):
            assert found[number, 0, "circle", circle, "space"] == pytest.approx(np.mean(after, axis=0)[circle - 1])


def test_the_race_is_followed_in_a_part_of_the_games(sample):
    table = race.race(sample, 20)
    assert table["n"].unique().to_list() == [20]
    assert table["deals"].unique().to_list() == [5]
    assert table["games"].unique().to_list() == [20]


def test_a_race_whose_moves_are_not_legal_has_no_rows(sample, monkeypatch):
    monkeypatch.setattr(race, "_spaces_by_round", lambda *_: None)
    assert not race.race(sample).height
    assert "cannot be played over" in chapter(sample).sections[-1].blocks[0].words


def test_the_race_on_a_track_with_an_end(played):
    table = race.race(Sample.of(played(games=20, track=12)))
    spaces = table.filter(measure="space")
    assert spaces["estimate"].max() <= 12
    assert spaces.filter(turns=100, cube="final", which=1, round=1)["estimate"].item() == 12


# --- several runs --------------------------------------------------------------------------------------------------
def test_changes_are_paired_over_deals(played, run):
    other = played(penalty="none")
    table = changes([Sample.of(r) for r in (run, other)], ["most", "none"], paired=True)
    row = table.row(by_predicate=(pl.col("run") == "none") & (pl.col("measure") == "wins of rusher"), named=True)
    wins = [
        r.seats.filter(pl.col("player") == "rusher").sort("game").collect()["win_share"].to_numpy().reshape(-1, 4)
        for r in (other, run)
    ]
    expected = paired_difference(*(w.mean(axis=1) for w in wins))
    assert (row["change"], row["change_lo"]) == pytest.approx((expected.estimate, expected.lo))
    assert row["change_p_holm"] >= row["change_p"]
    assert table.filter(run="most")["change"].is_null().all()
    margins = [
        np.sort(r.seats.sort("game", "seat").collect()["points"].to_numpy().reshape(-1, 4)) for r in (other, run)
    ]
    found = estimates(table, "run", "measure")
    assert found["none", "margin of the winner in points"] == pytest.approx(
        np.mean(margins[0][:, 3] - margins[0][:, 2])
    )


def test_runs_are_compared_on_one_page(played, run, tmp_path, undrawn):
    text = text_of(write_report([run, played(penalty="none")], tmp_path, each=False))
    assert "penalty = none against penalty = most: " in text
    assert not STUPID.search(text)
    text = text_of(write_report([run, played(games=20, tables=[])], tmp_path, each=False))
    assert "Fewer than two of the runs kept their scores" in text


# --- charts and page -----------------------------------------------------------------------------------------------
def drawn(figure, start):
    return {a.get_gid().removeprefix(start): a for a in figure.findobj() if str(a.get_gid() or "").startswith(start)}


def test_charts_show_the_numbers(sample):
    table = tables.by_order(sample, tables.order_sums(sample, tables.OUT), tables.OUT)
    ax = charts.out_points_chart(table)
    tile = drawn(ax, "tile-")["1-1"]
    assert tile.get_width() == 3
    circles = race.circles(sample)
    of = estimates(circles, "round", "circle", "measure")
    assert drawn(charts.circles_chart(circles), "bar-")["2-4-1"].get_width() == pytest.approx(of[2, 4, "place_1"])
    figure = charts.race_figure(race.race(sample, 20), "final", "space", "How far?")
    assert len(drawn(figure, "line-")) == 8


def test_the_chapter_answers_what_is_asked(sample):
    found = chapter(sample)
    assert [s.key for s in found.sections] == ["rounds_apart", "penalty", "out", "start", "colours", "race"]
    for section in found.sections:
        of_charts = {b.table for b in section.blocks if isinstance(b, Chart)} - {""}
        assert of_charts <= {b.name for b in section.blocks if isinstance(b, Table)}
    words = " ".join(found.findings)
    for question in (
        "Does round 2's penalty or do the tiles decide more?",
        "Is going out first worth the tile?",
        "How strong is the start player?",
        "Does the cube order decide more than the hand?",
        "Does it pay to collect the colour that ends first?",
    ):
        assert question in words
    assert "assumed" in " ".join(found.limits)


def test_limits_name_what_was_assumed_only(played):
    words = " ".join(chapter(Sample.of(played(games=20, tables=[], tiles_4="2,2,2", track=12))).limits)
    assert "tiles are assumed" not in words
    assert "no end" not in words


def test_the_page_has_all_charts_in_words_and_pictures(run, tmp_path, undrawn):
    text = text_of(write_report([run], tmp_path))
    assert not STUPID.search(text)
    names = {p.stem for p in (tmp_path / "figures").iterdir()}
    assert {"deciders", "negative", "out_points", "out_wins", "first_out", "turn_points", "turn_wins", "first_turn",
            "circles", "foretold", "collected_place", "collected_points", "by_place", "race_space", "race_circles",
            "race_leader", "round_spread"} <= names  # fmt: skip


def test_a_chart_can_be_drawn(sample):
    figure = charts.race_figure(race.race(sample, 20), "circle", "place", "How long does the order last?")
    assert style.figure_files(figure, ["png"])["png"].startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("players", "count", "kept", "options"),
    [
        (PLAYERS, 20, [], {}),
        (PLAYERS, 20, ["scores"], {}),
        (PLAYERS, 20, ["moves"], {}),
        (PLAYERS, 20, ["deals"], {}),
        (PLAYERS, 20, ["scores"], {"tiles_4": "2,2,2"}),
        (PLAYERS, 4, None, {}),
        (PLAYERS, 2, None, {}),
        ("random,random,random", 1, None, {}),
        ("pricer,rusher,random", 18, None, {"penalty": "none"}),
        ("pricer,rusher,racer,random,random", 20, None, {}),
        ("random,random,random,random", 12, None, {"steps": "0,0,0,0,0,0,0", "tiles_4": "0,0,0"}),
    ],
)
def test_any_run_gets_a_page(played, tmp_path, undrawn, players, count, kept, options):
    text = text_of(write_report([played(players, count, kept, **options)], tmp_path))
    assert not STUPID.search(text)
    names = {p.stem for p in (tmp_path / "figures").iterdir()}
    assert ("race_space" in names) == (kept is None or "moves" in kept)
    assert ("deciders" in names) == (kept is None or "scores" in kept)
    for path in (tmp_path / "tables").iterdir():
        assert not re.search(r"\b(NaN|nan|inf)\b", path.read_text())
