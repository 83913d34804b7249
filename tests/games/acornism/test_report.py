"""The report on Acornism: its numbers counted again from the logs, what the page says, and what it says of pairs."""

import re

import numpy as np
import polars as pl
import pytest

from meeplecarlo.games.acornism.report import chapter, charts, comparison, field, tables, worth
from meeplecarlo.report import page, style
from meeplecarlo.report.page import write_report
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.sections import Chart, Table
from meeplecarlo.simulation.run import simulate
from meeplecarlo.stats.intervals import paired_difference, share_interval

STUPID = re.compile(r"\b(nan|NaN|inf|None|null)\b")
NUMBERS = range(5, 11)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a function that plays a run, or returns the one it played before."""
    runs, folder = {}, tmp_path_factory.mktemp("runs")

    def play(players="nogift,greedy", games=60, tables=None, seed=1, **options):
        key = (players, games, repr(tables), seed, repr(options))
        if key not in runs:
            runs[key] = simulate(
                "acornism", players.split(","), games=games, seed=seed, options=options, out=folder / f"r{len(runs)}",
                tables=tables, quiet=True,
            )  # fmt: skip
        return runs[key]

    return play


@pytest.fixture(scope="module", params=["false", "true"])
def run(played, request):
    return played(edge_scoring=request.param)


def games_of(run):
    """Return the games of a run as plain dictionaries, with all that belongs to them."""
    found = {g["game"]: g | {"seats": [], "lines": [], "moves": []} for g in run.games.collect().to_dicts()}
    for name, table in (("seats", run.seats), ("lines", run.scores), ("moves", run.moves)):
        for row in table.collect().to_dicts():
            found[row["game"]][name].append(row)
    for game in found.values():
        game["seats"].sort(key=lambda row: row["seat"])
        game["moves"].sort(key=lambda row: row["ply"])
    return [found[g] for g in sorted(found)]


@pytest.fixture(scope="module")
def games(run):
    return games_of(run)


@pytest.fixture
def undrawn(monkeypatch):
    """Leave out what takes the time of a report: turning charts into pictures."""
    monkeypatch.setattr(page, "figure_files", lambda figure, kinds: {kind: kind.encode() for kind in kinds})


def text_of(path):
    html = re.sub(r"<style>.*?</style>|data:image[^\"]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&#39;", "'").replace("&amp;", "&").split())


def estimates(table, *keys):
    return {tuple(r[k] for k in keys): r["estimate"] for r in table.to_dicts()}


def mean(values):
    return pytest.approx(np.mean(list(values)))


# --- tables --------------------------------------------------------------------------------------------------------
def test_seats_are_counts_of_games(run, games):
    found = estimates(tables.by_seat(run), "seat", "measure")
    for s in range(2):
        own = [g["seats"][s]["points"] for g in games]
        other = [g["seats"][1 - s]["points"] for g in games]
        wins = [g["seats"][s]["win_share"] for g in games]
        assert found[s, "win_share"] == mean(wins)
        assert found[s, "edge"] == pytest.approx(np.mean(wins) - 0.5)
        assert found[s, "points"] == mean(own)
        assert found[s, "lead"] == mean(np.array(own) - other)
        assert found[s, "animals"] == mean(sum(line["seat"] == s for line in g["lines"]) for g in games)
        assert found[s, "tiles"] == mean(
            sum(m["seat"] == s and m["tile"] is not None for m in g["moves"]) for g in games
        )
    by_player = estimates(tables.by_player_and_seat(run), "player", "seat")
    assert by_player["greedy", 1] == mean(
        g["seats"][1]["win_share"] for g in games if g["seats"][1]["player"] == "greedy"
    )
    assert len(by_player) == 4


def test_intervals_are_over_deals(run, games):
    wins = np.array([g["seats"][0]["win_share"] for g in games]).reshape(-1, 2)
    expected = share_interval(wins.mean(axis=1), 2)
    row = tables.by_seat(run).filter(seat=0, measure="edge").row(0, named=True)
    assert (row["lo"], row["hi"]) == pytest.approx((expected.lo - 0.5, expected.hi - 0.5))
    assert (row["deals"], row["games"], row["n"]) == (30, 60, 60)


def test_animals_by_number(run, games):
    found = estimates(tables.numbers(run), "number", "measure")
    all_points = sum(line["points"] for g in games for line in g["lines"])
    for number in NUMBERS:
        placed = sum(g["placed_by_number"][number - 1] for g in games)
        lines = [line for g in games for line in g["lines"] if line["slot"] == str(number)]
        starved = sum(g["starved_by_number"][number - 1] for g in games)
        assert found[str(number), "placed"] == pytest.approx(placed / 60)
        assert found[str(number), "satisfied"] == pytest.approx(len(lines) / placed)
        assert found[str(number), "starved"] == pytest.approx(starved / placed)
        assert sum(found[str(number), fate] for fate in tables.FATES) == pytest.approx(1)
        assert found[str(number), "points"] == pytest.approx(number * len(lines) / placed)
        assert found[str(number), "share"] == pytest.approx(number * len(lines) / all_points)
    assert found["all", "placed"] == mean(g["placed"] for g in games)
    assert found["all", "starved"] * found["all", "placed"] == mean(g["starved"] for g in games)
    assert found["all", "points"] * found["all", "placed"] * 60 == pytest.approx(all_points)
    chase = estimates(tables.chase(run), "number", "measure")
    lesser = [line["points"] for g in games for line in g["lines"] if line["slot"] != "10"]
    placed = sum(g["placed"] - g["placed_by_number"][9] for g in games)
    assert chase[10, "points"] == pytest.approx(found["10", "points"] - sum(lesser) / placed)
    assert chase[10, "satisfied"] == pytest.approx(found["10", "satisfied"] - len(lesser) / placed)


def test_animals_by_player(run, games):
    found = estimates(tables.numbers_by_player(run), "player", "number")
    for player in ("nogift", "greedy"):
        seats = {(g["game"], s["seat"]) for g in games for s in g["seats"] if s["player"] == player}
        lines = [line for g in games for line in g["lines"] if (line["game"], line["seat"]) in seats]
        assert found[player, "all"] == pytest.approx(sum(line["points"] for line in lines) / 60)
        assert found[player, "7"] == pytest.approx(sum(line["points"] for line in lines if line["slot"] == "7") / 60)


def test_without_scores_points_are_known_but_with_limited_pieces(played):
    whole, bare = played(), played(tables=[])
    columns = ["number", "measure", "estimate", "n"]
    assert tables.numbers(bare).select(columns).equals(tables.numbers(whole).select(columns))
    few = played(tables=[], pieces=2)
    assert "points" not in set(tables.numbers(few)["measure"])
    assert not tables.chase(few).height
    scored = estimates(tables.numbers(played(pieces=2)), "number", "measure")
    assert scored["all", "points"] < scored["all", "satisfied"] * 10


def test_the_finder_of_the_magic_acorn(run, games):
    found = estimates(tables.magic(run), "measure")
    of = [g for g in games if g["finder"] is not None]
    own = [g["seats"][g["finder"]] for g in of]
    other = [g["seats"][1 - g["finder"]] for g in of]
    assert found["found",] == pytest.approx(len(of) / 60)
    assert found["win_share",] == mean(s["win_share"] for s in own)
    assert found["edge",] == pytest.approx(found["win_share",] - 0.5)
    assert found["points",] == mean(s["points"] for s in own)
    assert found["lead",] == mean(a["points"] - b["points"] for a, b in zip(own, other, strict=True))
    assert found["played",] == mean(g["magic_turn"] is not None for g in of)
    assert found["turn",] == mean(g["magic_turn"] for g in of if g["magic_turn"] is not None)
    beside = [(line["seat"] == g["finder"], line["points"]) for g in of for line in g["lines"] if line["magic"]]
    assert found["beside_own",] == pytest.approx(sum(p for finds, p in beside if finds) / len(of))
    assert found["beside_others",] == pytest.approx(sum(p for finds, p in beside if not finds) / len(of))
    by_player = estimates(tables.magic_by_player(run), "player", "measure")
    finds = [s["win_share"] for s in own if s["player"] == "nogift"]
    does_not = [s["win_share"] for s in other if s["player"] == "nogift"]
    assert by_player["nogift", "finds"] == mean(finds)
    assert by_player["nogift", "change"] == pytest.approx(np.mean(finds) - np.mean(does_not))


def test_how_games_end(run, games):
    found = estimates(tables.ending(run), "measure")
    for name in ("placed", "left", "in_hands", "passes", "satisfied", "starved", "unfinished"):
        assert found[name,] == mean(g[name] for g in games)
    assert found["placed",] + found["left",] + found["in_hands",] == pytest.approx(40)
    assert found["filled",] == mean(2 * g["placed"] / 64 for g in games)
    assert found["turns",] == mean(len(g["moves"]) for g in games)
    assert found["empty",] == mean(g["left"] == 0 for g in games)
    assert found["passing",] == mean(any(m["phase"] == "pass" for m in g["moves"]) for g in games)
    assert found["settled",] == mean(g["width"] == 8 and g["height"] == 8 for g in games)
    spread = estimates(tables.spread(run), "what", "value")
    for what in ("over", "left", "placed", "passes", "satisfied"):
        assert sum(v for k, v in spread.items() if k[0] == what) == pytest.approx(1)
    over = [g["left"] + g["in_hands"] for g in games]
    assert spread["over", over[0]] == mean(x == over[0] for x in over)


def test_options_by_turn(run, games):
    found = {r["turn"]: r for r in tables.choices(run).to_dicts()}
    placing = [m for g in games for m in g["moves"] if m["phase"] == "place"]
    for turn in (None, 1, 2, 20):
        options = [m["options"] for m in placing if turn in (None, m["ply"] + 1)]
        assert (found[turn]["estimate"], found[turn]["n"]) == (mean(options), len(options))
        for name, q in tables.QUANTILES.items():
            assert found[turn][name] == np.quantile(options, q, method="inverted_cdf")


def test_squares_of_the_settled_field(run, games):
    squares, zones = field.field(run)
    found = estimates(squares, "measure", "x", "y")
    settled = [g for g in games if g["width"] == g["height"] == 8]
    counts = {m: np.zeros((8, 8)) for m in ("animal", "filled", "satisfied")}
    for g in settled:
        moves = [m for m in g["moves"] if m["tile"] is not None]
        animals = [(0, 0), *((m["animal_x"], m["animal_y"]) for m in moves)]
        acorns = [(1, 0), *((m["acorn_x"], m["acorn_y"]) for m in moves)]
        low = np.min(animals + acorns, axis=0)
        assert (np.max(animals + acorns, axis=0) - low == 7).all()
        for measure, of in (
            ("animal", animals),
            ("filled", animals + acorns),
            ("satisfied", [(line["x"], line["y"]) for line in g["lines"]]),
        ):
            for x, y in np.array(of, int).reshape(-1, 2) - low:
                counts[measure][x, y] += 1
    for measure, n in counts.items():
        shares = np.array([[found[measure, x, y] for y in range(8)] for x in range(8)])
        np.testing.assert_allclose(shares, n / len(settled))
    by_zone = estimates(zones, "zone", "measure")
    corners = counts["filled"][np.ix_([0, 7], [0, 7])].sum()
    assert by_zone["corner", "filled"] == pytest.approx(corners / (4 * len(settled)))
    middle = np.s_[3:5, 3:5]
    assert by_zone["line 4 from the edge", "satisfied"] == pytest.approx(
        counts["satisfied"][middle].sum() / counts["animal"][middle].sum()
    )
    assert zones.filter(measure="filled").select("zone", "squares").rows() == [
        ("corner", 4), ("edge without corners", 24), ("line 2 from the edge", 20), ("line 3 from the edge", 12),
        ("line 4 from the edge", 4),
    ]  # fmt: skip
    edge = zones.filter(zone="corner", measure="satisfied").row(0, named=True)
    possible = tables.options_of(run)["edge_scoring"] == "true"
    assert (edge["lo"] is not None) == possible
    assert possible or edge["estimate"] == 0


def test_zones_hold_every_square_once():
    for size in range(4, 13):
        zones = field.zones_of(size)
        squares = [square for of in zones.values() for square in of]
        assert len(squares) == len(set(squares)) == size * size
        assert all(field.zone_of(x, y, size) == zone for zone, of in zones.items() for x, y in of)


# --- pairs of runs -------------------------------------------------------------------------------------------------
def test_what_edge_scoring_changes_is_paired_by_deal(played):
    off, on = (Sample.of(played(edge_scoring=value)) for value in ("false", "true"))
    assert [(p.base, p.other) for p in worth.pairs_of([on, off], "edge_scoring")] == [(1, 0)]
    assert not worth.pairs_of([on, off], "magic")
    found = {r["measure"]: r for r in worth.worth([on, off], "edge_scoring").to_dicts()}
    deals = [np.array([g["satisfied"] for g in games_of(s.run)]).reshape(-1, 2).mean(axis=1) for s in (on, off)]
    expected = paired_difference(*deals)
    row = found["satisfied"]
    assert (row["estimate"], row["lo"], row["hi"]) == pytest.approx((expected.estimate, expected.lo, expected.hi))
    assert (row["before"], row["after"]) == pytest.approx((deals[1].mean(), deals[0].mean()))
    assert (row["paired"], row["p"]) == (1, pytest.approx(expected.p))
    points = [np.array([s["points"] for g in games_of(run.run) for s in g["seats"]]) for run in (on, off)]
    assert found["points"]["estimate"] == pytest.approx(points[0].mean() - points[1].mean())
    assert found["unfinished"]["estimate"] < 0 < found["starved"]["estimate"]


def test_the_worth_of_the_magic_acorn_is_that_of_the_same_finders(played):
    wild, none = played(), played(magic="none")
    with_it, without = games_of(wild), games_of(none)
    assert [g["finder"] for g in with_it] == [g["finder"] for g in without]
    own = [[g["seats"][g["finder"]]["win_share"] for g in of if g["finder"] is not None] for of in (with_it, without)]
    found = {r["measure"]: r for r in worth.worth([Sample.of(none), Sample.of(wild)], "magic").to_dicts()}
    assert found["finder_win"]["estimate"] == pytest.approx(np.mean(own[0]) - np.mean(own[1]))
    assert found["finder_win"]["paired"] == 1
    assert found["finder_win"]["n"] == len(own[0])


def test_other_deals_are_not_paired(played):
    table = worth.worth([Sample.of(played()), Sample.of(played(seed=2, edge_scoring="true"))], "edge_scoring")
    assert set(table["paired"]) == {0}
    assert table["lo"].is_not_null().all()


def test_first_player_effect_by_number_of_seats(played):
    samples = [Sample.of(played("random," * (n - 1) + "random", 20)) for n in (2, 3, 4)]
    table = worth.edge_by_run(samples, ["a", "b", "c"])
    assert table.group_by("run", maintain_order=True).len()["len"].to_list() == [2, 3, 4]
    for _, rows in table.group_by("run"):
        assert rows["estimate"].sum() == pytest.approx(0)
    found = comparison(samples, ["a", "b", "c"], False)
    assert [s.key for s in found.sections] == ["first_by_run"]
    assert "c: " in found.findings[0]


# --- charts and page -----------------------------------------------------------------------------------------------
def drawn(figure, start):
    return {a.get_gid().removeprefix(start): a for a in figure.findobj() if str(a.get_gid() or "").startswith(start)}


def test_the_map_has_every_square_with_its_number(run):
    squares, _ = field.field(run)
    ax = charts.field_map(squares, "satisfied")
    values = {f"{r['x']}-{r['y']}": r["estimate"] for r in squares.filter(measure="satisfied").to_dicts()}
    assert set(drawn(ax, "square-")) == set(values)
    for square, text in drawn(ax, "value-").items():
        assert float(text.get_text()) == pytest.approx(100 * values[square], abs=0.51)
    assert style.figure_files(ax.figure, ["png"])["png"].startswith(b"\x89PNG")


def test_the_chapter_answers_what_is_asked(run):
    found = chapter(Sample.of(run))
    assert [s.key for s in found.sections] == ["first", "numbers", "magic", "field", "ending", "choices"]
    for section in found.sections:
        of_charts = {b.table for b in section.blocks if isinstance(b, Chart)} - {""}
        assert of_charts <= {b.name for b in section.blocks if isinstance(b, Table)}
    words = " ".join(found.findings)
    for question in ("How large is the first-player effect with 2 seats", "Is the 10 worth chasing?",
                     "What goes with finding the Magic Acorn?", "Which squares get filled?", "When the game ends",
                     "options on average"):  # fmt: skip
        assert question in words
    limits = " ".join(found.limits)
    other = {"false": "true", "true": "false"}[tables.options_of(run)["edge_scoring"]]
    assert f"-edge_scoring-{other} && meeplecarlo report" in limits
    assert "--set magic=none" in limits


def test_the_page_has_all_charts_in_words_and_pictures(run, tmp_path, undrawn):
    text = text_of(write_report([run], tmp_path))
    assert not STUPID.search(text)
    names = {p.stem for p in (tmp_path / "figures").iterdir()}
    assert {
        "first_player", "players_by_seat", "fates", "points_by_number", "finder", "field_filled", "field_satisfied",
        "left", "choices",
    } <= names  # fmt: skip


def test_runs_side_by_side_get_a_page(played, tmp_path, undrawn):
    runs = [played(), played(edge_scoring="true"), played(magic="none"), played(underfed="forbidden")]
    text = text_of(write_report(runs, tmp_path, each=False))
    assert not STUPID.search(text)
    for question in ("What does edge scoring change?", "What does the Magic Acorn add", "no animal may starve?"):
        assert question in text
    assert {p.stem for p in (tmp_path / "figures").iterdir()} == {
        "comparison_first_by_run", "comparison_worth_edge_scoring", "comparison_worth_magic",
        "comparison_worth_underfed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("players", "count", "kept", "options"),
    [
        ("greedy,random", 20, [], {}),
        ("greedy,random", 20, ["moves"], {}),
        ("greedy,random", 20, ["scores"], {"magic": "none"}),
        ("greedy,greedy", 20, None, {"pieces": 1}),
        ("greedy,random,random", 21, None, {"edge_scoring": "true"}),
        ("greedy,random,random,random", 20, None, {"edge_scoring": "true"}),
        ("random,random", 10, None, {"field_size": 4}),
        ("random,random", 10, None, {"field_size": 12}),
        ("random,random", 10, None, {"hand_size": 1, "field_size": 5}),
        ("greedy,random", 2, None, {}),
        ("greedy,random", 1, None, {}),
    ],
)
def test_any_run_gets_a_page(played, tmp_path, undrawn, players, count, kept, options):
    text = text_of(write_report([played(players, count, kept, **options)], tmp_path))
    assert not STUPID.search(text)
    assert "How large is the first-player effect" in text
    names = {p.stem for p in (tmp_path / "figures").iterdir()}
    assert ("choices" in names) == (kept is None or "moves" in kept)
    assert "fates" in names
    for path in (tmp_path / "tables").iterdir():
        assert not re.search(r"\b(NaN|nan|inf)\b", path.read_text())


def test_tiles_without_magic_acorn_and_of_one_number(tmp_path, undrawn):
    tiles = tmp_path / "tiles.csv"
    tiles.write_text("animal,acorns\n" + "6,1\n6,2\n" * 20)
    run = simulate("acornism", ["greedy", "random"], games=20, seed=1, components={"tiles": str(tiles)},
                   out=tmp_path / "run", quiet=True)  # fmt: skip
    text = text_of(write_report([run], tmp_path / "report"))
    assert not STUPID.search(text)
    assert "Nobody found a Magic Acorn" in text
    assert "worth chasing?" not in text.split("Does it help to begin?")[0]


def test_of_games_left_out_nothing_is_counted(played):
    whole, more = played("greedy,random,random", 21), played("greedy,random,random", 23)
    assert Sample.of(more).left_out == 2
    for table in (tables.by_seat, tables.numbers, tables.magic, tables.ending, tables.spread, tables.choices,
                  lambda run: field.field(run)[0]):  # fmt: skip
        assert table(more).equals(table(whole))


def test_a_field_that_never_settles_is_said_to(played):
    run = played("random,random", 10, field_size=12)
    games = run.games.filter((pl.col("width") == 12) & (pl.col("height") == 12)).collect().height
    squares, _ = field.field(run)
    assert bool(squares.height) == bool(games)
    if not games:
        section = next(s for s in chapter(Sample.of(run)).sections if s.key == "field")
        assert "did rows and columns settle" in section.blocks[0].words


def test_a_share_fixed_by_the_players_has_no_interval():
    half = tables.win_share(np.full(50, 1.0), np.full(50, 2.0))
    assert half.estimate == 0.5
    assert np.isnan([half.lo, half.hi]).all()
    assert tables.win_share(np.zeros(50), np.full(50, 2.0)).hi > 0
