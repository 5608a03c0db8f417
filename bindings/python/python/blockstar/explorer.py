"""The explorer: watch planners think, in the browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import Error
from .grid import Grid


class Explorer:
    """An explorer that runs on this machine until it is closed or forgotten."""

    #: Where to look at it.
    address: str

    def __init__(self, process: subprocess.Popen[str], folder: str, address: str) -> None:
        self.address = address
        self._end = weakref.finalize(self, _end, process, folder)

    def close(self) -> None:
        """Ends it."""
        self._end()

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Explorer at {self.address}>"

    def _repr_html_(self) -> str:
        return f'<a href="{self.address}" target="_blank">{self.address}</a>'


def explore(
    grid: Grid | npt.ArrayLike, *, open: bool = True, command: str | None = None
) -> Explorer:
    """Opens a map in the explorer of the command line, in the browser or, with `open=False`, at its
    `address`.

    It needs the command `blockstar` (`cargo install --path crates/blockstar-cli`), which is looked for
    on the path unless `command` or the variable BLOCKSTAR_COMMAND names it.
    """
    map = grid if isinstance(grid, Grid) else Grid(grid)
    program = command or os.environ.get("BLOCKSTAR_COMMAND") or shutil.which("blockstar")
    if program is None:
        raise Error(
            "there is no command `blockstar`: `cargo install --path crates/blockstar-cli` installs it"
        )
    folder = tempfile.mkdtemp(prefix="blockstar-")
    try:
        arguments = [program, "explore", *_written(map, FilePath(folder))]
        if not open:
            arguments.append("--no-open")
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except OSError as problem:
        shutil.rmtree(folder, ignore_errors=True)
        raise Error(f"{program} cannot be run: {problem}") from None
    address = process.stdout.readline().strip() if process.stdout else ""
    if not address.startswith("http"):
        _end(process, folder)
        said = process.stderr.read().strip() if process.stderr else ""
        raise Error(f"{program} does not explore: {said or address or 'it said nothing'}")
    return Explorer(process, folder, address)


def _written(grid: Grid, folder: FilePath) -> list[str]:
    """A file with the map, and how it is to be read."""
    heights = grid.heights
    if heights is None and not grid.has_costs:
        file = folder / "array.map"
        grid.save(file)
        return [str(file)]
    file = folder / "array.csv"
    numbers = grid.costs if heights is None else np.where(grid.free, heights, np.nan)
    lines = (",".join("" if np.isnan(n) else repr(float(n)) for n in row) for row in numbers)
    file.write_text("\n".join(lines) + "\n")
    return [str(file), "--as", "costs" if heights is None else "heights"]


def _end(process: subprocess.Popen[str], folder: str) -> None:
    process.terminate()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
