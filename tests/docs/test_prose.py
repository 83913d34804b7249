"""All prose that shows code is run: README commands and snippets, docstring examples, notebooks."""

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import meeplecarlo

ROOT = Path(__file__).parents[2]
FEW = "60"  # games played where prose asks for many: the command is what is tested here, not the numbers


def blocks(path, language):
    """Return the fenced code blocks of a Markdown file in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def commands(path):
    """Return the meeplecarlo commands shown in a Markdown file, continuation lines joined."""
    lines = "\n".join(blocks(path, "sh")).replace("\\\n", " ").splitlines()
    return [line.split(" #")[0].strip() for line in lines if line.startswith("meeplecarlo ")]


def fewer_games(text):
    return re.sub(r"(games[= ])[\d_e]+", rf"\g<1>{FEW}", text)


def test_the_readme_starts_with_the_two_commands():
    first = blocks(ROOT / "README.md", "sh")[0]
    assert "make demo" in first
    assert "make test" in first


def test_readme_commands_run_in_order(tmp_path):
    shown = commands(ROOT / "README.md")
    assert len(shown) > 8
    for command in shown:
        arguments = shlex.split(fewer_games(command))[1:]
        if arguments[0] == "demo":
            arguments += ["--games", FEW]
        done = subprocess.run(
            [sys.executable, "-m", "meeplecarlo", *[a for a in arguments if a != "--open"]],
            cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr}"


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_python_snippets_run_in_order(tmp_path, document):
    snippets = [fewer_games(block) for block in blocks(ROOT / document, "python")]
    if not snippets:
        pytest.skip("no snippets")
    code = "import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(snippets)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-c", code],
        cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_files_the_readme_names_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target


def modules():
    return ["meeplecarlo", *(m.name for m in pkgutil.walk_packages(meeplecarlo.__path__, "meeplecarlo."))]


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.name)
def test_notebooks_run_and_are_stored_executed(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code), "store the executed copy"
    assert not [o for cell in code for o in cell.outputs if o.output_type == "error"]
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
