import os
import shutil
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import blockstar
from blockstar import Error, Grid, explore


@pytest.fixture
def command(monkeypatch):
    built = Path(__file__).parents[3] / "target" / "release" / "blockstar"
    found = os.environ.get("BLOCKSTAR_COMMAND") or shutil.which("blockstar")
    if found is None and not built.exists():
        pytest.skip("there is no command `blockstar`: `cargo build --release` makes it")
    return found or str(built)


@pytest.mark.parametrize(
    "grid",
    [
        Grid(np.eye(9, 12) == 0),
        Grid.from_costs(np.arange(1, 25).reshape(4, 6) / 4),
        Grid.from_heights(np.arange(24.0).reshape(4, 6)),
    ],
    ids=["walls", "costs", "heights"],
)
def test_the_explorer_serves_the_map(command, grid):
    with explore(grid, open=False, command=command) as explorer:
        assert explorer.address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(explorer.address) as page:
            assert b"<html" in page.read().lower()
    with pytest.raises(OSError):
        urllib.request.urlopen(explorer.address)


def test_without_the_command_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("BLOCKSTAR_COMMAND", raising=False)
    with pytest.raises(Error, match="cargo install"):
        explore(np.ones((3, 3), bool))
    with pytest.raises(Error, match="cannot be run"):
        explore(np.ones((3, 3), bool), command=str(tmp_path / "nothing"))
    with pytest.raises(Error, match="does not explore"):
        explore(np.ones((3, 3), bool), command="/bin/false")
    assert blockstar.Explorer
