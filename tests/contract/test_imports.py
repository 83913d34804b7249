"""Imports go one way: a module may use what stands before its own layer, never what stands behind it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import meeplecarlo
from meeplecarlo.registry import SHIPPED_GAMES

PACKAGE = Path(meeplecarlo.__file__).parent
REPOSITORY = Path(__file__).parents[2]

# From the bottom up; modules of one layer may use each other.
LAYERS = (
    ("errors",),
    ("compiled",),
    ("streams",),
    ("registry", "columns"),
    ("variant", "component_file"),
    ("games",),
    ("store",),
    ("simulation",),
    ("stats",),
    ("report",),
    ("games.*.report",),  # a game's own charts and tables stand on the general ones
    ("studies",),  # play runs and let the report show them
    ("demo",),
    ("cli",),
    ("__init__", "__main__"),
)
# What the command line may load before it knows what it was asked for.
LIGHT = {"click", "cli", "errors", "registry", "variant"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def dotted(path: Path) -> str:
    """Return a file's module name inside the package: ``games.fujiyama.rules``."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def layer(module: str) -> int:
    """Return the place of a module among the layers, or fail."""
    if re.match(r"games\.[^.]+\.report(\.|$)", module):
        module = "games.*.report"
    for place, names in enumerate(LAYERS):
        if module in names or (module != "games.*.report" and module.split(".")[0] in names):
            return place
    raise AssertionError(f"{module} belongs to no layer; add it to LAYERS where it may stand")


def imports(path: Path):
    """Yield (line, module inside the package) for every import of the package in a file, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written out in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names] if node.module else []
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            inside = name.removeprefix("meeplecarlo.")
            if name.startswith("meeplecarlo."):
                yield node.lineno, inside
            elif name == "meeplecarlo":
                yield node.lineno, "__init__"


def offences(paths: list[Path]) -> list[str]:
    """Return every import that goes the wrong way, with its place."""
    wrong = []
    for path in paths:
        own = layer(dotted(path))
        for line, target in imports(path):
            if layer(target) > own:
                wrong.append(f"{path.relative_to(PACKAGE.parent)}:{line}: {dotted(path)} must not use {target}")
    return wrong


def test_imports_go_one_way():
    assert offences(modules()) == []


def test_every_module_has_a_layer():
    for path in modules():
        assert layer(dotted(path)) >= 0


def test_games_do_not_use_each_other():
    """But they may share what is no game, such as the tiles of two games from one box."""
    shipped = {path.split(".")[-1] for path in SHIPPED_GAMES.values()}
    kits = {p.stem for p in (PACKAGE / "games").iterdir()} - shipped
    wrong = []
    for path in (PACKAGE / "games").rglob("*.py"):
        own = dotted(path).split(".")
        for line, target in imports(path):
            parts = target.split(".")
            if parts[0] == "games" and len(parts) > 1 and len(own) > 1 and parts[1] not in kits | {own[1]}:
                wrong.append(f"{path}:{line}: {dotted(path)} uses {target}")
    assert not wrong


def test_a_games_rules_and_players_use_nothing_but_the_core():
    """What is compiled has no input, output, tables or pictures."""
    allowed = {"__future__", "itertools", "numpy", "collections", "functools", "math", "meeplecarlo"}
    own = {"errors", "compiled", "streams", "registry", "games"}
    wrong = []
    for path in (PACKAGE / "games").glob("*/*.py"):
        if path.name in ("rules.py", "players.py", "state.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    names = [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                    wrong += [f"{path}:{node.lineno}: {n}" for n in names if n.split(".")[0] not in allowed]
            wrong += [f"{path}:{line}: {target}" for line, target in imports(path) if target.split(".")[0] not in own]
    assert not wrong


def test_the_command_line_loads_nothing_heavy_at_its_start():
    wrong = []
    for path in sorted((PACKAGE / "cli").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
                first_names = [name.removeprefix("meeplecarlo.").split(".")[0] for name in names]
                allowed = LIGHT | {"meeplecarlo"} | sys.stdlib_module_names
                wrong += [f"{path.name}:{node.lineno}: {name}" for name in first_names if name not in allowed]
    assert not wrong


def test_listing_games_loads_no_compiler_and_no_tables():
    """Measured in a process of its own, because this one has loaded everything."""
    code = (
        "import sys, meeplecarlo.cli; from meeplecarlo.registry import list_games\n"
        "names = [g.name for g in list_games()];"
        "heavy = {'numba', 'polars', 'matplotlib', 'pandas', 'scipy', 'joblib', 'numpy'} & set(sys.modules);"
        "assert 'fujiyama' in names; print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_public_names_stay_what_they_are_whatever_was_imported_before():
    """``mc.simulate`` is a function before and after the packages of similar names have been loaded."""
    code = (
        "import meeplecarlo as mc, meeplecarlo.store.dataset, meeplecarlo.simulation.run, meeplecarlo.games.fujiyama\n"
        "for name in mc.__all__:\n"
        "    assert callable(getattr(mc, name)), f'mc.{name} is {getattr(mc, name)}'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("store/files.py", "from meeplecarlo.report import page"),
        ("games/fujiyama/rules.py", "from meeplecarlo.simulation import run"),
        ("games/fujiyama/view.py", "def later():\n    import meeplecarlo.report.charts"),
        ("report/charts.py", "from meeplecarlo.games.fujiyama.report import charts"),
        ("streams.py", "from meeplecarlo import registry"),
        ("errors.py", "import meeplecarlo"),
    ],
)
def test_an_import_the_wrong_way_is_noticed(module, line, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path / "meeplecarlo")
    path = tmp_path / "meeplecarlo" / module
    path.parent.mkdir(parents=True)
    path.write_text(f"import numpy\n{line}\n")
    (offence,) = offences([path])
    assert f"meeplecarlo/{module}:{2 + line.count(chr(10))}: " in offence


# --- what files must not say ---------------------------------------------------------------------------------------
LOCAL = re.compile(r"""(?<![\w./~<-])/(?:home|root|tmp|work|usr|Users|var|opt|mnt)/\w|\b[A-Z]:\\\w""")
ADDRESS = re.compile(r"https?://[\w.-]+")
# Names of XML formats look like addresses and are fetched by nobody.
NAMES_OF_FORMATS = ("http://www.w3.org/",)


def sources() -> list[Path]:
    suffixes = {".py", ".csv", ".jinja", ".html", ".css", ".js", ".txt"}
    folders = [PACKAGE, REPOSITORY / "tests", REPOSITORY / "scripts"]
    return [
        p
        for folder in folders
        for p in sorted(folder.rglob("*"))
        if p.suffix in suffixes and "__pycache__" not in p.parts
    ]


def test_no_file_names_a_place_on_one_machine_or_an_address_on_the_net():
    wrong = []
    for path in sources():
        if path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            addresses = [
                a for a in ADDRESS.findall(line) if not a.startswith(tuple(n.rstrip("/") for n in NAMES_OF_FORMATS))
            ]
            if LOCAL.search(line) or addresses:
                wrong.append(f"{path}:{number}: {line.strip()[:100]}")
    assert not wrong


def test_places_and_addresses_are_noticed():
    assert LOCAL.search('open("/tmp/x")')
    assert LOCAL.search(r'open("C:\x")')
    assert not LOCAL.search("results/tmp/x and a/home/b")
    assert ADDRESS.search("see https://example.org/x")
