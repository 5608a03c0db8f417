"""Every example in the docstrings and in the README runs, and prints what it says."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import blockstar

MODULES = ["blockstar"] + [
    f"blockstar.{module.name}" for module in pkgutil.iter_modules(blockstar.__path__)
]

NEEDED = {"blockstar.polars": ["polars"], "blockstar.tables": ["pyarrow", "duckdb", "datafusion"]}


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    for needed in NEEDED.get(name, []):
        pytest.importorskip(needed)
    module = importlib.import_module(name)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for test in finder.find(module, module=False if name.endswith("_blockstar") else None):
        runner.run(test)
    assert not runner.failures
    if name in ("blockstar", "blockstar.grid", "blockstar.planner", "blockstar._blockstar"):
        assert runner.tries > 0, "its examples were not found"


def test_readme(tmp_path, monkeypatch):
    readme = Path(__file__).parents[1] / "README.md"
    examples = doctest.DocTestParser().get_doctest(
        readme.read_text(), {}, "README.md", str(readme), 0
    )
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner()
    runner.run(examples)
    assert not runner.failures and runner.tries > 3


def test_notebook():
    """It runs from the first cell to the last, and its pictures are there."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(Path(__file__).parents[1] / "paths.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 4
