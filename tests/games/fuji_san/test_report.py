"""The report on Fuji-san: its numbers counted again from the logs, and what the page says and does not say."""

import re

import numpy as np
import polars as pl
import pytest

from meeplecarlo.games.fuji_san.report import chapter, charts, tables
from meeplecarlo.report import page, style
from meeplecarlo.report.page import write_report
from meeplecarlo.report.sample import Sample, games_are_identical
from meeplecarlo.report.sections import Chart, Table
from meeplecarlo.simulation.run import simulate
from meeplecarlo.stats.intervals import share_interval
from meeplecarlo.store.dataset import Run

STUPID = re.compile(r"\b(nan|NaN|inf|None|null)\b")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a function that plays a run, or returns the one it played before."""
    runs, folder = {}, tmp_path_factory.mktemp("runs")

    def play(players="greedy,mirror", games=80, board="mountain30.txt", tables=None):
        key = (players, games, board, repr(tables))
        if key not in runs:
            runs[key] = simulate(
                "fuji-san", players.split(","), games=games, seed=1, components={"board": board},
                out=folder / f"r{len(runs)}", tables=tables, quiet=True,
            )  # fmt: skip
        return runs[key]

    return play


@pytest.fixture(scope="module")
def run(played):
    return played()


@pytest.fixture(scope="module")
def games(run):
    """The games of the run as plain dictionaries."""
    found = {g["game"]: g | {"pips": [0, 0], "who": ["", ""]} for g in run.games.collect().to_dicts()}
    for row in run.seats.collect().to_dicts():
        found[row["game"]]["pips"][row["seat"]] = row["points"]
        found[row["game"]]["who"][row["seat"]] = row["player"]
    for game, rows in run.scores.collect().group_by("game"):
        found[game[0]]["lines"] = sorted(rows.to_dicts(), key=lambda r: r["turn"])
    return [found[g] for g in sorted(found)]


class Repeated(Run):
    """A run that repeats the first deal of another run."""

    def __init__(self, run, times=10, change=None):
        super().__init__(run.path)
        self.first, self.times, self.change = run, times, change

    def table(self, name):
        rows = self.first.table(name).collect()
        if name == "deals":
            return rows.lazy()
        n = self.seatings
        rows = rows.filter(pl.col("game") < n)
        kind = rows.schema["game"]
        parts = [rows.with_columns(game=(pl.col("game") + k * n).cast(kind)) for k in range(self.times)]
        found = pl.concat(parts)
        if "deal" in found.columns:
            found = found.with_columns(deal=(pl.col("game") // n).cast(found.schema["deal"]))
        if name == "moves" and self.change is not None:
            found = found.with_columns(
                move=pl.when((pl.col("game") == self.change) & (pl.col("ply") == 0))
                .then(pl.col("move") + 8)
                .otherwise(pl.col("move"))
            )
        return found.lazy()


@pytest.fixture
def undrawn(monkeypatch):
    """Leave out what takes the time of a report: turning charts into pictures."""
    monkeypatch.setattr(page, "figure_files", lambda figure, kinds: {kind: kind.encode() for kind in kinds})


def text_of(path):
    html = re.sub(r"<style>.*?</style>|data:image[^\"]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&#39;", "'").replace("&amp;", "&").split())


def estimates(table, *keys):
    return {tuple(r[k] for k in keys): r["estimate"] for r in table.to_dicts()}


# --- tables --------------------------------------------------------------------------------------------------------
def test_movers_are_counts_of_games(run, games):
    found = estimates(tables.movers(run), "order", "measure")
    for order in ("all games", "greedy", "mirror"):
        of = [g for g in games if order in ("all games", g["who"][0])]
        assert len(of) == (80 if order == "all games" else 40)
        leads = np.array([g["pips"][0] - g["pips"][1] for g in of])
        assert found[order, "won_0"] == pytest.approx((leads > 0).mean())
        assert found[order, "won_1"] == pytest.approx((leads < 0).mean())
        assert found[order, "draw"] == pytest.approx((leads == 0).mean())
        assert found[order, "win_share_0"] == pytest.approx(((leads > 0) + 0.5 * (leads == 0)).mean())
        assert found[order, "win_share_0"] + found[order, "win_share_1"] == pytest.approx(1)
        assert found[order, "lead"] == pytest.approx(leads.mean())
        assert found[order, "pips_1"] == pytest.approx(np.mean([g["pips"][1] for g in of]))


def test_intervals_are_over_deals(run, games):
    leads = np.array([g["pips"][0] - g["pips"][1] for g in games]).reshape(-1, 2)
    expected = share_interval(((leads > 0) + 0.5 * (leads == 0)).mean(axis=1), 2)
    row = tables.movers(run).row(by_predicate=(pl.col("order") == "all games") & (pl.col("measure") == "win_share_0"),
                                 named=True)  # fmt: skip
    assert (row["lo"], row["hi"]) == pytest.approx((expected.lo, expected.hi))


def test_turns_captures_and_their_spread(run, games):
    found = estimates(tables.turns(run), "measure")
    for name in ("turns", "captures"):
        assert found[name,] == pytest.approx(np.mean([g[name] for g in games]))
    assert found["turns",] + found["captures",] == pytest.approx(28)
    assert found["turns_0",] == pytest.approx(np.mean([-(-g["turns"] // 2) for g in games]))
    assert found["turns_0",] + found["turns_1",] == pytest.approx(found["turns",])
    assert found["pips",] == pytest.approx(np.mean([sum(g["pips"]) for g in games]))
    spread = estimates(tables.spread(run), "what", "value")
    for what in ("seat 0", "seat 1", "captures", "turns", "lead"):
        assert sum(v for k, v in spread.items() if k[0] == what) == pytest.approx(1)
    most = max(g["turns"] for g in games)
    assert spread["turns", most] == pytest.approx(np.mean([g["turns"] == most for g in games]))


def test_captures_by_size_space_and_first_capture(run, games):
    lines = [line | {"who": g["who"][line["seat"]]} for g in games for line in g["lines"]]
    sizes = estimates(tables.sizes(run), "whose", "size")
    assert sizes["both seats", "large"] == pytest.approx(sum(x["slot"] == "large" for x in lines) / 80)
    assert sizes["seat 1", "any"] == pytest.approx(sum(x["seat"] == 1 for x in lines) / 80)
    assert sizes["mirror", "medium"] == pytest.approx(
        sum(x["who"] == "mirror" and x["slot"] == "medium" for x in lines) / 80
    )
    spaces = estimates(tables.spaces(run), "whose", "space")
    assert sum(spaces["both seats", s] for s in range(30)) == pytest.approx(len(lines) / 80)
    assert spaces["seat 0", 29] == pytest.approx(sum(x["seat"] == 0 and x["space"] == 29 for x in lines) / 80)
    kinds = tables.edges(run)
    assert kinds.select("neighbours", "spaces").rows() == [(2, 14), (3, 16)]
    assert (kinds["estimate"] * kinds["spaces"]).sum() == pytest.approx(len(lines) / 80)
    first = estimates(tables.first_captures(run), "by", "measure")
    firsts = [g["lines"][0] for g in games]
    won = [g["pips"][f["seat"]] - g["pips"][1 - f["seat"]] for g, f in zip(games, firsts, strict=True)]
    assert first["seat 0", "makes"] == pytest.approx(np.mean([f["seat"] == 0 for f in firsts]))
    assert first["either seat", "wins"] == pytest.approx(np.mean(np.array(won) > 0))
    assert first["either seat", "draws"] == pytest.approx(np.mean(np.array(won) == 0))
    assert first["either seat", "turn"] == pytest.approx(np.mean([f["turn"] - 31 for f in firsts]))


def test_options_by_phase_and_turn(run):
    moves = run.moves.collect()
    by_phase = {r["phase"]: r for r in tables.options_by_phase(run).to_dicts()}
    for (phase,), rows in moves.group_by(pl.col("phase").cast(pl.String())):
        row, options = by_phase[phase], rows["options"].to_numpy()
        assert (row["estimate"], row["n"]) == (pytest.approx(options.mean()), len(options))
        for name, q in tables.QUANTILES.items():
            assert row[name] == np.quantile(options, q, method="inverted_cdf")
    by_turn = {(r["phase"], r["turn"]): r for r in tables.options_by_turn(run).to_dicts()}
    assert by_turn["place", 1]["estimate"] == 90
    assert by_turn["remove", 1]["estimate"] == 30
    assert by_turn["take_first", 1]["estimate"] == 29
    assert by_turn["take_first", 1]["n"] == 80


def test_the_mirror_player_by_seat(run, games):
    found = estimates(tables.mirror(run), "seat", "measure")
    for seat in range(2):
        leads = [g["pips"][seat] - g["pips"][1 - seat] for g in games if g["who"][seat] == "mirror"]
        assert found[f"seat {seat}", "wins"] == pytest.approx(np.mean([x > 0 for x in leads]))
        assert found[f"seat {seat}", "lead"] == pytest.approx(np.mean(leads))
    assert "reflection, under which 4 of the 30" in tables.symmetry_words(run)


def test_a_mirror_player_alone_or_missing_has_no_part(played):
    for players in ("mirror,mirror", "greedy,random"):
        assert not tables.mirror(played(players, 10)).height


def test_the_half_turn_is_named_where_it_is_used(played):
    run = played("mirror,random", 10, "hexagon24.txt")
    assert "half-turn, under which 0 of the 24" in tables.symmetry_words(run)


def test_the_half_turn_is_named_too_where_a_mirror_of_the_axis_finds_none(played, tmp_path):
    board = tmp_path / "turned.txt"
    board.write_text("^v^v^.\nv^v^v^\n.v^v^v\n")
    run = played("mirror(axis=1),random", 10, str(board))
    assert "half-turn, under which 0 of the 16" in tables.symmetry_words(run)


def test_a_share_fixed_by_the_players_has_no_interval():
    half = tables._share(np.full(50, 1.0), np.full(50, 2.0))
    assert half.estimate == 0.5
    assert np.isnan([half.lo, half.hi]).all()
    assert tables._share(np.zeros(50), np.full(50, 2.0)).hi > 0


# --- runs that repeat one game -------------------------------------------------------------------------------------
def test_repeated_games_are_noticed_and_get_no_interval(run, tmp_path, undrawn):
    same = Repeated(run)
    assert games_are_identical(same)
    assert not games_are_identical(run)
    assert not games_are_identical(Repeated(run, times=1))
    for table in (tables.movers, tables.turns, tables.spread, tables.sizes, tables.first_captures, tables.spaces,
                  tables.edges, tables.options_by_phase, tables.options_by_turn, tables.mirror):  # fmt: skip
        found = table(same)
        assert found.height
        assert found["lo"].is_null().all()
        assert found["hi"].is_null().all()
    found = chapter(Sample.of(same))
    assert not any(re.search(r"\d \([+−\d.]+ to ", f) for f in found.findings)


def test_one_other_move_makes_games_differ(run):
    assert not games_are_identical(Repeated(run, change=5))


def test_without_moves_nothing_is_said_about_equal_games(played):
    assert not games_are_identical(Repeated(played("greedy,random", 20, tables=[])))


def test_a_player_that_wins_nearly_always_hides_the_seat(played):
    words = chapter(Sample.of(played("lookahead,random", 40))).findings[0]
    assert "no room to see what a seat is worth" in words


# --- charts and page -----------------------------------------------------------------------------------------------
def drawn(figure, start):
    return {a.get_gid().removeprefix(start): a for a in figure.findobj() if str(a.get_gid() or "").startswith(start)}


def test_the_map_has_every_space_with_its_number(run):
    table = tables.spaces(run)
    ax = charts.capture_map(table, tables.rules_of(run))
    assert len(drawn(ax, "space-")) == 30
    values = {r["name"]: r["estimate"] for r in table.filter(whose="both seats").to_dicts()}
    for name, text in drawn(ax, "value-").items():
        assert float(text.get_text()) == pytest.approx(values[name], abs=0.051)


def test_the_chapter_answers_what_is_asked(run):
    found = chapter(Sample.of(run))
    assert [s.key for s in found.sections] == ["first", "mirror", "captures", "map", "options"]
    for section in found.sections:
        of_charts = {b.table for b in section.blocks if isinstance(b, Chart)} - {""}
        assert of_charts <= {b.name for b in section.blocks if isinstance(b, Table)}
    words = " ".join(found.findings)
    for question in ("Does placing first or capturing first help?", "Does mirroring break the game?", "is it a draw?"):
        assert question in words
    assert "cannot separate" in " ".join(found.limits)


def test_the_page_has_all_charts_in_words_and_pictures(run, tmp_path, undrawn):
    text = text_of(write_report([run], tmp_path))
    assert not STUPID.search(text)
    names = {p.stem for p in (tmp_path / "figures").iterdir()}
    assert {"movers", "outcomes", "mirror", "pips", "length", "capture_map", "options"} <= names


def test_a_map_can_be_drawn(run):
    ax = charts.capture_map(tables.spaces(run), tables.rules_of(run), whose="seat 1")
    assert style.figure_files(ax.figure, ["png"])["png"].startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("players", "count", "board", "kept"),
    [
        ("greedy,random", 20, "mountain30.txt", []),
        ("greedy,random", 20, "mountain30.txt", ["moves"]),
        ("greedy,greedy", 20, "mountain30.txt", None),
        ("random,random", 20, "rows33.txt", None),
        ("mirror,random", 2, "hexagon24.txt", None),
        ("mirror,random", 1, "hexagon24.txt", None),
    ],
)
def test_any_run_gets_a_page(played, tmp_path, undrawn, players, count, board, kept):
    text = text_of(write_report([played(players, count, board, kept)], tmp_path))
    assert not STUPID.search(text)
    assert "Does placing first or capturing first help?" in text
    names = {p.stem for p in (tmp_path / "figures").iterdir()}
    assert ("capture_map" in names) == (kept is None)
    assert ("options" in names) == (kept is None or "moves" in kept)
    for path in (tmp_path / "tables").iterdir():
        assert not re.search(r"\b(NaN|nan|inf)\b", path.read_text())
