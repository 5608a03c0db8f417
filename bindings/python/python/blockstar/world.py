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


#: Formation and pace of units that go each for itself.
ALONE = ("none", "own")


class World(_blockstar.World):
    """Thousands of units on a map that changes under their feet, in ticks.

    Each tick spends a bounded amount of work; no two units share a cell, none walks through a wall,
    and the same commands lead to the same world on every machine. Units are numbers (uint64), and
    what is known of all of them are columns: `ids`, `cells`, `positions`, `headings`, `states`, as
    of the last tick. Places are (row, column).

    `classes` maps names to keywords: `size` in cells, `speed` in cells per second, `planner`, `radius`
    in cells (in the plane) and `keys`, the doors that they pass when these are closed.
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
            unknown = set(given) - {"size", "speed", "planner", "radius", "keys"}
            if unknown:
                raise Error(
                    f"class {name} has {unknown.pop()!r}: use size, speed, planner, radius and keys"
                )
            kept = (given.get("size", 1), given.get("speed", 4.0), given.get("planner", ""))
            keys = sum(1 << _key(key) for key in set(given.get("keys", ())))
            rows.append((name, *kept, given.get("radius"), keys))
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

    def go(
        self,
        units: Any,
        *to: Any,
        near: int = 0,
        formation: str = "none",
        pace: str = "own",
        queue: bool = False,
    ) -> None:
        """Sends units to a cell, within `near` cells of it, or to the nearest of several cells;
        instead of what they do, or after it with `queue=True`. A group stands at its goal in a
        `formation`, "square", "line" or "column", and goes at the pace of its "slowest" if asked.
        """
        if not to:
            raise Error("there is no goal: give at least one (row, column)")
        self.order(_units(units), "go", list(to), (near, 0), None, (formation, pace), queue)

    def go_beside(self, units: Any, key: Any, *, queue: bool = False) -> None:
        """Sends units next to the cells of an index or of slices: to a building."""
        rows, columns = rectangle(key, self.shape)
        size = (rows.stop - rows.start, columns.stop - columns.start)
        corner = (rows.start, columns.start)
        self.order(_units(units), "beside", [corner], size, None, ALONE, queue)

    def stop(self, units: Any) -> None:
        """Units end what they do."""
        self.order(_units(units), "stop", [], (0, 0), None, ALONE, False)

    def hold(self, units: Any, *, queue: bool = False) -> None:
        """Units stay where they are and make way for nobody."""
        self.order(_units(units), "hold", [], (0, 0), None, ALONE, queue)

    def wait(self, units: Any, ticks: int, *, queue: bool = True) -> None:
        """Units wait, by default after what they do."""
        self.order(_units(units), "wait", [], (ticks, 0), None, ALONE, queue)

    def patrol(self, units: Any, stops: Sequence[Any], *, cycle: bool = True, queue: bool = False) -> None:
        """Units go from stop to stop, around or back and forth."""
        self.order(_units(units), "patrol", list(stops), (int(cycle), 0), None, ALONE, queue)

    def follow(
        self, units: Any, whom: int, *, least: int = 1, most: int = 3, queue: bool = False
    ) -> None:
        """Units follow another, at a distance."""
        self.order(_units(units), "follow", [], (least, most), int(whom), ALONE, queue)

    def flee(self, units: Any, whom: int, distance: int, *, queue: bool = False) -> None:
        """Units keep away from another."""
        self.order(_units(units), "flee", [], (distance, 0), int(whom), ALONE, queue)

    def edit(self, key: Any, free: Any) -> int:
        """Frees or blocks the cells of an index or of slices, as `Grid` does; the number of units
        whose way that cuts."""
        rows, columns = rectangle(key, self.shape)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        values = _arrays.spread("what is assigned", free, shape)
        patch = _arrays.free_cells("what is assigned", values)
        return self.patch(rows.start, columns.start, patch)[0]

    def add_door(self, key: Any, *, lock: int = 0) -> int:
        """Puts a door over the free cells of an index or of slices, open at first; its number. When
        it is closed, only classes with the key of its `lock` pass.

        >>> import numpy as np, blockstar
        >>> free = np.ones((5, 9), dtype=bool)
        >>> free[[0, 1, 3, 4], 4] = False
        >>> world = blockstar.World(free, {"guest": {}, "guard": {"keys": [3]}})
        >>> door = world.add_door((2, 4), lock=3)
        >>> world.turn_door(door, False)
        0
        >>> guest, guard = world.spawn([(0, 0)], "guest"), world.spawn([(4, 0)], "guard")
        >>> world.go(guest, (0, 8))
        >>> world.go(guard, (4, 8))
        >>> events = world.tick(200)
        >>> [event for _, event, unit in events if unit == guest[0] and event == "unreachable"]
        ['unreachable']
        >>> world.cells[world.ids == guard].tolist()
        [[4, 8]]
        """
        rows, columns = rectangle(key, self.shape)
        return self.put_door((rows.start, rows.stop), (columns.start, columns.stop), _key(lock))

    def turn_door(self, door: int, open: bool) -> int:
        """Opens or closes a door; the number of units whose way that cuts."""
        if not 0 <= door < len(self.doors):
            raise Error(f"there is no door {door}: there are {len(self.doors)}, numbered from 0")
        return self.set_door(door, open)[0]

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


def _key(key: Any) -> int:
    if not isinstance(key, int) or not 0 <= key < 32:
        raise Error(f"the key {key!r} is none: use whole numbers from 0 to 31")
    return key


def _units(units: Any) -> list[int]:
    array = np.atleast_1d(np.asarray(units))
    if array.size and array.dtype.kind not in "iu":
        raise Error(f"units have the type {array.dtype}: give those of `spawn` or `ids`")
    return [int(unit) for unit in array.reshape(-1)]
