"""Planners, and the one-line way to use them."""

from __future__ import annotations

import os
import sys
from pathlib import Path as FilePath
from typing import Any, Callable, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _blockstar
from .errors import Error
from .grid import Grid
from .routes import Routes


class Planner(_blockstar.Planner):
    """An algorithm prepared for a grid and a movement rule.

    `name` is one of `blockstar.planners()`, `moves` one of "four", "eight" (no corners cut),
    "eight-cut-one", "eight-cut-any", "any-angle" and "any-angle-squeeze"; other keywords are the
    planner's own settings. After an edit of the grid the next query repairs what was prepared.

    >>> import numpy as np, blockstar
    >>> grid = blockstar.Grid(np.ones((5, 9), dtype=bool))
    >>> grid[1:, 4] = False
    >>> planner = blockstar.Planner(grid, "jps")
    >>> path = planner.find((4, 0), (4, 8))
    >>> round(path.cost, 3), path.points.tolist()
    (12.485, [[4, 0], [1, 3], [0, 3], [0, 5], [3, 8], [4, 8]])
    >>> grid[4, 4] = True
    >>> planner.find((4, 0), (4, 8)).cost
    8.0
    """

    grid: Grid

    def __new__(
        cls, grid: Grid | npt.ArrayLike, name: str = "jps", moves: str = "eight", **settings: Any
    ) -> Planner:
        map = grid if isinstance(grid, Grid) else Grid(grid)
        return _reopen(map, _spec(name, settings), moves, None, cls)

    @classmethod
    def open(
        cls,
        grid: Grid,
        saved: bytes | str | os.PathLike[str],
        name: str,
        moves: str = "eight",
        **settings: Any,
    ) -> Planner:
        """A planner from what one has saved for the same map: bytes or a file."""
        data = saved if isinstance(saved, bytes) else FilePath(saved).read_bytes()
        return _reopen(grid, _spec(name, settings), moves, data, cls)

    def find_many(
        self,
        starts: Any,
        goals: Any,
        *,
        paths: Literal["turns", "cells"] | None = "turns",
        threads: int | None = None,
        progress: bool | Callable[[int, int], object] = False,
        **options: Any,
    ) -> Routes:
        """Many paths at once, on all cores: `starts` and `goals` are (n, 2) arrays, or one of them
        a single place for all.

        Each path is kept as the points where it turns, as all its cells, or not at all. The answers
        do not depend on `threads`. A place off the map is noted in `errors` of the result, and the
        others are answered.

        >>> import numpy as np, blockstar
        >>> planner = blockstar.Planner(np.ones((20, 30), dtype=bool))
        >>> routes = planner.find_many([(0, 0), (3, 3), (0, 99)], (19, 29))
        >>> routes.status.tolist(), routes[0].tolist()
        ([0, 0, 255], [[0, 0], [19, 19], [19, 29]])
        >>> routes.errors[2]
        'start (99, 0) lies outside the map of 30 x 20 cells'
        """
        if threads is not None and threads < 1:
            raise Error(f"threads is {threads}: give a number from 1, or None for all cores")
        all_starts, all_goals = _pairs(starts, goals)
        tell = _ProgressBar() if progress is True else (progress or None)
        native = _blockstar.Routes.find(
            self, all_starts, all_goals, paths, threads, tell, options
        )
        return Routes(native)

    def distance_map(self, *sources: tuple[int, int]) -> _blockstar.DistanceMap:
        """The cheapest ways between every cell and the nearest of some sources.

        >>> import numpy as np, blockstar
        >>> planner = blockstar.Planner(np.ones((2, 3), dtype=bool), "astar", "four")
        >>> planner.distance_map((0, 0)).to_array()
        array([[0., 1., 2.],
               [1., 2., 3.]])
        """
        return _blockstar.DistanceMap(self.grid, list(sources), self.moves)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self.grid, self.spec, self.moves, self.save(), type(self))

    def __repr__(self) -> str:
        rows, columns = self.grid.shape
        return f"<Planner {self.spec} ({self.moves}) on {rows} x {columns} cells>"


def find(grid: Grid | npt.ArrayLike, start: Any, goal: Any, **options: Any) -> _blockstar.Path:
    """A shortest path on an array in one line; for more than one path make a `Planner`.

    `planner` and `moves` choose how, everything else is an option of `Planner.find`.

    >>> import blockstar
    >>> blockstar.find([[1, 1, 1], [0, 0, 1], [1, 1, 1]], (0, 0), (2, 0)).cost
    6.0
    """
    name, moves = options.pop("planner", "jps"), options.pop("moves", "eight")
    return Planner(grid, name, moves).find(start, goal, **options)


def _spec(name: str, settings: dict[str, Any]) -> str:
    """A planner's name with settings, as the command line writes them."""
    words = {True: "on", False: "off"}
    parts = [
        f"{key.replace('_', '-')}={words[value] if isinstance(value, bool) else value}"
        for key, value in settings.items()
    ]
    return ":".join([name, *parts])


def _reopen(grid: Grid, spec: str, moves: str, saved: bytes | None, cls: Any) -> Planner:
    planner: Planner = _blockstar.Planner.__new__(cls, grid, spec, moves, saved)
    planner.__dict__["grid"] = grid
    return planner


def _pairs(starts: Any, goals: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Starts and goals, as many of one as of the other."""
    pairs = []
    for what, values in (("starts", starts), ("goals", goals)):
        array = np.asarray(values)
        single = array.ndim == 1 and array.shape == (2,)
        pairs.append((_arrays.places(what, array.reshape(1, 2) if single else array), single))
    (first, one), (second, other) = pairs
    if one and not other:
        first = np.ascontiguousarray(np.broadcast_to(first, second.shape))
    if other and not one:
        second = np.ascontiguousarray(np.broadcast_to(second, first.shape))
    return first, second


class _ProgressBar:
    """A line on standard error."""

    def __call__(self, done: int, count: int) -> None:
        width = 30
        full = width * done // max(count, 1)
        end = "\n" if done == count else ""
        bar = "#" * full + "." * (width - full)
        sys.stderr.write(f"\r{bar} {done:,} of {count:,} routes{end}")
        sys.stderr.flush()
