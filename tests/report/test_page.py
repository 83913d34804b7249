"""The page as a reader gets it: whole, self-contained, and with sentences where there is nothing to measure."""

import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser

import polars as pl
import pytest

from meeplecarlo.errors import StoreError, UsageError
from meeplecarlo.registry import get_game
from meeplecarlo.report import comparison, page
from meeplecarlo.report.page import write_report
from meeplecarlo.store.dataset import open_run


class Parsed(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, html: str):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))


def parsed(path):
    return Parsed(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def written(run, tmp_path_factory):
    """The one page that is drawn in full."""
    return write_report([run], tmp_path_factory.mktemp("report"), formats=["svg"])


@pytest.fixture
def undrawn(monkeypatch):
    """Leave out what takes the time of a report: turning charts into pictures."""
    monkeypatch.setattr(page, "figure_files", lambda figure, kinds: {kind: kind.encode() for kind in kinds})


def test_the_page_asks_no_other_host_and_runs_no_script(written):
    found = parsed(written)
    html = written.read_text(encoding="utf-8")
    assert not found.all("script")
    assert not re.search(r"url\(|@import|javascript:", html)
    for tag, attrs in found.tags:
        for name in ("src", "href", "srcset", "action", "poster", "data"):
            assert not re.match(r"(https?:)?//", attrs.get(name) or ""), (tag, attrs)
        assert not any(name.startswith("on") for name in attrs)


def test_every_figure_has_words_for_those_who_cannot_see_it(written):
    found = parsed(written)
    images = found.all("img")
    assert len(images) == len(found.all("figcaption")) >= 14
    for image in images:
        assert image["src"].startswith("data:image/svg+xml;base64,")
        assert len(image["alt"]) > 30
        assert "nan" not in image["alt"]


def test_every_link_leads_somewhere(written):
    found = parsed(written)
    ids = [attrs["id"] for _, attrs in found.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for link in found.all("a"):
        target = link["href"]
        assert target[1:] in ids if target.startswith("#") else (written.parent / target).is_file(), target


def test_figures_and_tables_lie_beside_the_page(written):
    figures = {p.name for p in (written.parent / "figures").iterdir()}
    assert {"forest_points.svg", "win_share.svg", "mountain.svg"} <= figures
    table = pl.read_csv(written.parent / "tables" / "players.csv")
    assert {"player", "measure", "estimate", "lo", "hi", "deals", "games"} <= set(table.columns)
    assert not list(written.parent.rglob("*.tmp"))


def test_the_summary_says_what_was_played_left_out_and_assumed(written):
    text = parsed(written).text
    assert "402 games of Fujiyama with 4 seats" in text
    assert "2 games at the end belong to a deal that was not played in all its seatings" in text
    assert "tiles (tiles.csv) and boards (boards.csv)" in text
    assert "is assumed" in text
    for word in ("Rules hash", "Seed", "Command", "summer_factor", "printed", "sources"):
        assert word in text
    assert "balanced" not in text
    assert not re.search(r"\b(nan|inf|None|null)\b", text)


def test_the_same_run_gives_the_same_page(run, written, tmp_path, undrawn):
    again = parsed(write_report([run], tmp_path, formats=["svg"]))
    assert again.text == parsed(written).text
    assert [i["alt"] for i in again.all("img")] == [i["alt"] for i in parsed(written).all("img")]


def test_only_the_formats_asked_for_are_written(played, tmp_path):
    bare = played(["steady", "random"], 100, tables=[])
    found = parsed(write_report([bare], tmp_path, formats=["png"]))
    assert {p.suffix for p in (tmp_path / "figures").iterdir()} == {".png"}
    assert all(image["src"].startswith("data:image/png;base64,") for image in found.all("img"))
    with pytest.raises(UsageError, match="did you mean 'png'"):
        write_report([bare], tmp_path, formats=["pgn"])


def test_the_report_lies_in_the_run_folder_by_default(played, undrawn):
    bare = played(["steady", "random"], 100, tables=[])
    assert write_report([bare]) == bare.path / "report" / "index.html"


def test_tables_that_were_not_kept_are_left_out_and_named(played, tmp_path, undrawn):
    found = parsed(write_report([played(["steady", "random"], 100, tables=[])], tmp_path))
    assert "kept no table of scores, rounds, moves and deals" in found.text
    assert {p.stem for p in (tmp_path / "tables").iterdir()} == {"players", "pairs", "seats", "totals", "closeness"}


@pytest.mark.parametrize(
    ("players", "games", "words"),
    [
        (["steady"] * 4, 1, "Fewer than two complete deals"),
        (["steady", "random", "random"], 2, "Fewer than two complete deals"),
        (["random", "steady"], 4, "Only 2 deals"),
        (["steady"] * 3, 30, "by construction"),
    ],
)
def test_runs_too_small_for_intervals_get_sentences(played, tmp_path, players, games, words, undrawn):
    html = write_report([played(players, games)], tmp_path)
    text = parsed(html).text
    assert words in text
    assert not re.search(r"\b(nan|inf|None|null)\b", text)
    for path in (tmp_path / "tables").iterdir():
        assert not re.search(r"\b(NaN|nan|inf)\b", path.read_text())


def test_equal_games_are_warned_about(played, tmp_path, monkeypatch, undrawn):
    """Every deal the same: nothing can be said about chance."""
    run = played(["steady", "random"], 100, tables=[])
    one = run.seats.filter(pl.col("game") < 2).collect()
    rows = pl.concat([one.with_columns((pl.col("game") + 2 * k).cast(pl.UInt32)) for k in range(50)])
    monkeypatch.setattr(type(run), "seats", rows.lazy())
    text = parsed(write_report([run], tmp_path)).text
    assert "Every deal ended with exactly the same points" in text


def unfinished(run, folder, parts):
    """A copy of a run that was stopped after some parts."""
    shutil.copytree(run.path, folder)
    manifest = json.loads((folder / "run.json").read_text())
    (folder / "parts").mkdir()
    for part in manifest.pop("parts")[:parts]:
        (folder / "parts" / f"part-{part['part']:05d}.json").write_text(json.dumps(part))
    (folder / "run.json").write_text(json.dumps(manifest | {"complete": False}))
    return open_run(folder)


def test_an_unfinished_run_is_reported_with_a_warning(run, tmp_path, undrawn):
    stopped = unfinished(run, tmp_path / "stopped", 2)
    text = parsed(write_report([stopped], tmp_path / "report")).text
    assert f"This run is not finished: {stopped.n_games} games of 402 are reported" in text
    with pytest.raises(UsageError, match="holds no finished game yet"):
        write_report([unfinished(run, tmp_path / "empty", 0)], tmp_path / "none")


def test_names_from_data_are_escaped(run, tmp_path, monkeypatch, undrawn):
    evil = "<script>alert('x')</script>&\"<img src=x onerror=y>"
    monkeypatch.setitem(run.manifest["game"]["changes"], evil, evil)
    monkeypatch.setitem(run.manifest, "command", ["meeplecarlo", evil])
    renamed = run.seats.collect().with_columns(pl.col("player").cast(pl.String).replace("random", evil))
    monkeypatch.setattr(type(run), "seats", renamed.lazy())
    monkeypatch.setattr(
        type(run),
        "players",
        [evil if p == "random" else p for p in dict.fromkeys(p["label"] for p in run.manifest["players"])],
    )
    found = parsed(write_report([run], tmp_path))
    assert not found.all("script")
    assert not [i for i in found.all("img") if not i["src"].startswith("data:")]
    assert "alert('x')" in found.text


def test_several_runs_are_compared(played, tmp_path, undrawn):
    lineup = ["steady", "random"]
    names = ("boards", "boards_safe_summer", "boards_risky_summer")
    runs = [played(lineup, 100, components={"boards": name}, tables=["scores"]) for name in names]
    assert comparison.labels(runs) == [f"boards = {name}.csv" for name in names]
    found = parsed(write_report(runs, tmp_path))
    assert "3 runs compared" in found.text
    assert "taken deal by deal" in found.text
    table = pl.read_csv(tmp_path / "tables" / "comparison_summer_by_run.csv")
    assert table["run"].unique(maintain_order=True).to_list() == comparison.labels(runs)
    assert (tmp_path / "tables" / "run2_forests.csv").is_file()
    zeros = dict(table.filter(pl.col("measure") == "zeros").select("run", "estimate").iter_rows())
    assert zeros["boards = boards_safe_summer.csv"] < zeros["boards = boards_risky_summer.csv"]


def test_runs_of_other_deals_are_compared_as_independent(played, tmp_path, undrawn):
    runs = [played(["steady", "random"], games, seed=9, tables=["scores"]) for games in (60, 100)]
    assert len(set(comparison.labels(runs))) == 2
    assert "independent of each other" in parsed(write_report(runs, tmp_path)).text


def test_labels_of_equal_runs_differ(run):
    names = comparison.labels([run, run])
    assert len(set(names)) == 2


def test_runs_of_different_games_are_refused(run, tmp_path, undrawn):
    other = open_run(run.path)
    other.manifest["game"]["name"] = "momiji"
    with pytest.raises(UsageError, match="fujiyama and momiji"):
        write_report([run, other], tmp_path)
    with pytest.raises(UsageError, match="at least one run"):
        write_report([], tmp_path)


def test_a_folder_that_cannot_be_written_is_named(played, tmp_path, undrawn):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        write_report([played(["steady", "random"], 100, tables=[])], tmp_path / "file")


def test_a_game_without_a_report_module_gets_what_every_game_has():
    game = replace(get_game("fujiyama"), package="meeplecarlo.games")
    assert page.report_module(game) is None
