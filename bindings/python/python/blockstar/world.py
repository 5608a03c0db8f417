"""Units that live on a map."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _arrays, _blockstar
from .errors import Error
from .grid import Grid, rectangle

#: What happened: the tick, the event's name and the unit, if it is about one.
Event = tuple[int, str, "int | None"]


class World(_blockstar.World):
    """Thousands of units on a map that changes under their feet, in ticks.

    Each tick spends a bounded amount of work; no two units share a cell, none walks through a wall,
    and the same commands lead to the same world on every machine. Units are numbers (uint64), and
    what is known of all of them are columns: `ids`, `cells`, `positions`, `headings`, `states`, as
    of the last tick. Places are (row, column).

    `classes` maps names to keywords: `size` in cells, `speed` in cells per second, and `planner`.
    `stepping` is "cells", "plane" (at any angle, as discs) or "ghost" (as if alone); `under_unit` says
    what becomes of a unit when a wall is built on it: "push", "refuse" or "crush".

    >>> import numpy as np, blockstar
    >>> world = blockstar.World(np.ones((48, 64), dtype=bool), {"scout": {"speed": 6}, "tank": {"size": 2}})
    >>> scouts = world.spawn([(2, column) for column in range(2, 22)], "scout")
    >>> tank = world.spawn([(20, 2)], "tank")
    >>> world.go(scouts, (24, 50))
    >>> world.go(tank, (20, 40))
    >>> cut = world.edit((slice(4, 44), 30), False)          # a wall in their way
    >>> events = world.tick(1500)
    >>> len([unit for _, event, unit in events if event == "arrived"])
    21
    >>> set(np.array(world.STATES)[world.states].tolist())
    {'arrived'}
    """

    classes: list[str]

    def __new__(
        cls,
        grid: Grid | npt.ArrayLike,
        classes: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        moves: str = "eight",
        ticks_per_second: int = 30,
        stepping: str = "cells",
        under_unit: str = "push",
    ) -> World:
        map = grid if isinstance(grid, Grid) else Grid(grid)
        rows = []
        for name, given in (classes or {"unit": {}}).items():
            unknown = set(given) - {"size", "speed", "planner"}
            if unknown:
                raise Error(f"class {name} has {unknown.pop()!r}: use size, speed and planner")
            kept = (given.get("size", 1), given.get("speed", 4.0), given.get("planner", ""))
            rows.append((name, *kept))
        world = super().__new__(cls, map, rows, moves, ticks_per_second, stepping, under_unit)
        world.classes = [name for name, *_ in rows]
        return world

    def spawn(self, cells: Any, kind: str | int = 0, *, team: int = 0) -> npt.NDArray[np.uint64]:
        """Makes a unit on each of some cells, all or none; their numbers."""
        if isinstance(kind, str):
            if kind not in self.classes:
                raise Error(f"there is no class {kind}: there are {', '.join(self.classes)}")
            kind = self.classes.index(kind)
        places = _arrays.places("cells", cells)
        if places.dtype != np.int64:
            raise Error(f"cells have the type {places.dtype}: give whole numbers")
        return self.spawn_cells(places, kind, team)

    def despawn(self, units: Any) -> None:
        """Takes units away."""
        self.despawn_units(_units(units))

    def go(self, units: Any, *to: Any, near: int = 0, queue: bool = False) -> None:
        """Sends units to a cell, within `near` cells of it, or to the nearest of several cells;
        instead of what they do, or after it with `queue=True`."""
        if not to:
            raise Error("there is no goal: give at least one (row, column)")
        self.order(_units(units), "go", list(to), (near, 0), None, queue)

    def stop(self, units: Any) -> None:
        """Units end what they do."""
        self.order(_units(units), "stop", [], (0, 0), None, False)

    def hold(self, units: Any, *, queue: bool = False) -> None:
        """Units stay where they are and make way for nobody."""
        self.order(_units(units), "hold", [], (0, 0), None, queue)

    def wait(self, units: Any, ticks: int, *, queue: bool = True) -> None:
        """Units wait, by default after what they do."""
        self.order(_units(units), "wait", [], (ticks, 0), None, queue)

    def patrol(self, units: Any, stops: Sequence[Any], *, cycle: bool = True, queue: bool = False) -> None:
        """Units go from stop to stop, around or back and forth."""
        self.order(_units(units), "patrol", list(stops), (int(cycle), 0), None, queue)

    def follow(
        self, units: Any, whom: int, *, least: int = 1, most: int = 3, queue: bool = False
    ) -> None:
        """Units follow another, at a distance."""
        self.order(_units(units), "follow", [], (least, most), int(whom), queue)

    def flee(self, units: Any, whom: int, distance: int, *, queue: bool = False) -> None:
        """Units keep away from another."""
        self.order(_units(units), "flee", [], (distance, 0), int(whom), queue)

    def edit(self, key: Any, free: Any) -> int:
        """Frees or blocks the cells of an index or of slices, as `Grid` does; the number of units
        whose way that cuts."""
        rows, columns = rectangle(key, self.shape)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        values = _arrays.spread("what is assigned", free, shape)
        patch = _arrays.free_cells("what is assigned", values)
        return self.patch(rows.start, columns.start, patch)[0]

    def __setitem__(self, key: Any, free: Any) -> None:
        self.edit(key, free)

    def tick(self, count: int = 1) -> list[Event]:
        """Goes on for some ticks; what happened, in order."""
        return self.ticks(count)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self.save(), self.classes, type(self))

    @classmethod
    def load(cls, saved: bytes) -> World:
        """The world that was saved; it goes on just as that one does."""
        return _load(saved, [], cls)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<World of {rows} rows and {columns} columns, {len(self)} units, tick {self.now}>"


def _load(saved: bytes, classes: list[str], cls: type[World]) -> World:
    world = cls(np.ones((1, 1), dtype=bool))
    world.load_bytes(saved)
    world.classes = classes
    return world


def _units(units: Any) -> list[int]:
    array = np.atleast_1d(np.asarray(units))
    if array.size and array.dtype.kind not in "iu":
        raise Error(f"units have the type {array.dtype}: give those of `spawn` or `ids`")
    return [int(unit) for unit in array.reshape(-1)]
