"""Planners, and the one-line way to use them."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Callable, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _blockstar
from .errors import Error
from .grid import Grid
from .routes import Routes


@dataclass(frozen=True)
class Slope:
    """What heights mean to movement; without one, planners ignore the heights of a map.

    `cell_size` is the distance between the centres of neighbouring cells, in the unit of the
    heights. Each metre up costs as much as another `climb` metres of way, each metre down as much as
    another `descent` metres; steps steeper than `max_climb` up or `max_descent` down, as rise over
    run, are impossible. Steps cost their length in space, or in the plane if `planar`.

    >>> import numpy as np, blockstar
    >>> grid = blockstar.Grid.from_heights([[0, 5, 0], [0, 5, 0], [0, 1, 0]])
    >>> hike = blockstar.Slope(cell_size=2.0, max_climb=0.6)
    >>> blockstar.find(grid, (0, 0), (0, 2), moves="four", slope=hike).cells[:, 0].tolist()
    [0, 1, 2, 2, 2, 1, 0]
    """

    cell_size: float
    climb: float = 0.0
    descent: float = 0.0
    max_climb: float = math.inf
    max_descent: float | None = None
    planar: bool = False

    def numbers(self) -> tuple[float, float, float, float, float, bool]:
        """All of it; the steepest way down is that up if nothing else is said."""
        down = self.max_climb if self.max_descent is None else self.max_descent
        given = (self.cell_size, self.climb, self.descent, self.max_climb, down)
        try:
            size, climb, descent, up, down = map(float, given)
        except (TypeError, ValueError):
            raise Error(f"{self} has something that is no number") from None
        return size, climb, descent, up, down, bool(self.planar)


class Planner(_blockstar.Planner):
    """An algorithm prepared for a grid and a movement rule.

    `name` is one of `blockstar.planners()`; "auto" takes the one that suits map and rule. `moves` is
    "four", "eight" (no corners cut), "eight-cut-one", "eight-cut-any", "any-angle" or
    "any-angle-squeeze"; `slope` says what heights mean, and other keywords are the planner's own
    settings. After an edit of the grid the next query repairs what was prepared.

    Places are (row, column), as in the array; with `xy=True` they are (x, y), in and out.

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
    >>> blockstar.Planner(grid, xy=True).find((0, 4), (8, 4)).points.tolist()
    [[0, 4], [8, 4]]
    """

    grid: Grid
    slope: Slope | None
    xy: bool

    def __new__(
        cls,
        grid: Grid | npt.ArrayLike,
        name: str = "auto",
        moves: str = "eight",
        *,
        slope: Slope | None = None,
        xy: bool = False,
        **settings: Any,
    ) -> Planner:
        map = grid if isinstance(grid, Grid) else Grid(grid)
        return _reopen(map, _spec(name, settings), moves, slope, xy, None, cls)

    @classmethod
    def open(
        cls,
        grid: Grid,
        saved: bytes | str | os.PathLike[str],
        name: str,
        moves: str = "eight",
        *,
        slope: Slope | None = None,
        xy: bool = False,
        **settings: Any,
    ) -> Planner:
        """A planner from what one has saved for the same map: bytes or a file.

        >>> import numpy as np, blockstar
        >>> grid = blockstar.Grid(np.ones((20, 20), dtype=bool))
        >>> saved = blockstar.Planner(grid, "dba-star").save()
        >>> blockstar.Planner.open(grid, saved, "dba-star").find((0, 0), (9, 9)).status
        'found'
        """
        data = saved if isinstance(saved, bytes) else FilePath(saved).read_bytes()
        return _reopen(grid, _spec(name, settings), moves, slope, xy, data, cls)

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
        others are answered. `progress` is True for a line on standard error, or a function that is
        told how many are done and of how many. Options are those of `find`.

        >>> import numpy as np, blockstar
        >>> planner = blockstar.Planner(np.ones((20, 30), dtype=bool))
        >>> routes = planner.find_many([(0, 0), (3, 3), (0, 99)], (19, 29))
        >>> routes.status.tolist(), routes[0].tolist()
        ([0, 0, 255], [[0, 0], [19, 19], [19, 29]])
        >>> routes.errors[2]
        'start (0, 99), (row, column), lies outside the map of 20 rows and 30 columns'
        """
        if not (threads is None or isinstance(threads, int) and threads > 0):
            raise Error(f"threads is {threads!r}: give a number from 1, or None for all cores")
        if not (paths is None or isinstance(paths, str)):
            raise Error(f"paths is {paths!r}: use \"turns\", \"cells\" or None")
        if not (isinstance(progress, bool) or progress is None or callable(progress)):
            raise Error(f"progress is {progress!r}: give True, False or a function")
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
        return _blockstar.DistanceMap(self, list(sources))

    def __reduce__(self) -> tuple[Any, ...]:
        made = (self.grid, self.spec, self.moves, self.slope, self.xy, self.save(), type(self))
        return _reopen, made

    def __repr__(self) -> str:
        rows, columns = self.grid.shape
        return f"<Planner {self.spec} ({self.moves}) on {rows} rows and {columns} columns>"


def find(grid: Grid | npt.ArrayLike, start: Any, goal: Any, **options: Any) -> _blockstar.Path:
    """A shortest path on an array in one line; for more than one path make a `Planner`.

    `planner`, `moves`, `slope` and `xy` choose how, as for a `Planner`; everything else is an option
    of `Planner.find`. Places are (row, column), unless `xy=True`.

    >>> import blockstar
    >>> blockstar.find([[1, 1, 1], [0, 0, 1], [1, 1, 1]], (0, 0), (2, 0)).cost
    6.0
    """
    name, moves = options.pop("planner", "auto"), options.pop("moves", "eight")
    slope, xy = options.pop("slope", None), options.pop("xy", False)
    return Planner(grid, name, moves, slope=slope, xy=xy).find(start, goal, **options)


def _spec(name: str, settings: dict[str, Any]) -> str:
    """A planner's name with settings, as the command line writes them."""
    if not isinstance(name, str):
        raise Error(f"{name!r} is no planner: give its name, one of blockstar.planners()")
    words = {True: "on", False: "off"}
    parts = [
        f"{key.replace('_', '-')}={words[value] if isinstance(value, bool) else value}"
        for key, value in settings.items()
    ]
    return ":".join([name, *parts])


def _reopen(
    grid: Grid,
    spec: str,
    moves: str,
    slope: Slope | None,
    xy: bool,
    saved: bytes | None,
    cls: type[Planner],
) -> Planner:
    if not isinstance(grid, Grid):
        raise Error(f"{grid!r} is no map: give a blockstar.Grid")
    if not (isinstance(moves, str) and isinstance(xy, bool)):
        raise Error(f"moves is {moves!r} and xy {xy!r}: give a name, and True or False")
    if not (slope is None or isinstance(slope, Slope)):
        raise Error(f"slope is {slope!r}: give a blockstar.Slope")
    numbers = None if slope is None else slope.numbers()
    planner: Planner = _blockstar.Planner.__new__(cls, grid, spec, moves, numbers, xy, saved)
    vars(planner).update(grid=grid, slope=slope, xy=xy)
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
