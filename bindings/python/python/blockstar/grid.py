"""The map, from arrays and back."""

from __future__ import annotations

import operator
import os
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _blockstar
from .errors import Error

Key = Any


class Grid(_blockstar.Grid):
    """A map of cells, from an array: `True` or any number but 0 is free.

    Places are (row, column), as in the array. Edits by index or slice are one change each, and
    planners made for the grid follow them by themselves.

    >>> import numpy as np, blockstar
    >>> grid = blockstar.Grid(np.ones((4, 6), dtype=bool))
    >>> grid[1:3, 2] = False
    >>> print(str(grid).replace(".", "-"))
    ------
    --#---
    --#---
    ------
    >>> grid.shape, grid.free_cells
    ((4, 6), 22)
    """

    #: The distance between neighbouring cells, if the file that the map came from tells it.
    cell_size: float | None = None

    def __new__(cls, free: Any) -> Grid:
        return super().__new__(cls, _arrays.free_cells("the map", free))

    @classmethod
    def from_costs(cls, costs: Any) -> Grid:
        """A map whose cells cost more or less to cross; 0 and infinity are blocked.

        A step costs the mean of its two cells times its length. Costs are kept to 1/256, up to 255.

        >>> import blockstar
        >>> grid = blockstar.Grid.from_costs([[1, 1, 9], [1, 0, 1]])
        >>> grid.costs
        array([[1., 1., 9.],
               [1., 0., 1.]])
        """
        costs = cls._usable_costs(costs)
        grid = cls(costs != 0)
        grid.patch_costs(0, 0, costs)
        return grid

    @classmethod
    def from_heights(cls, heights: Any, free: Any = None) -> Grid:
        """A map with a height per cell; cells without a number (NaN) are blocked."""
        heights = _arrays.numbers("the heights", heights)
        known = np.isfinite(heights)
        grid = cls(known if free is None else known & (np.asarray(free) != 0))
        grid.patch_heights(0, 0, np.where(known, heights, 0.0))
        return grid

    @classmethod
    def from_text(cls, text: str) -> Grid:
        """A map from a drawing, one line per row: `.` is free, `#` is blocked.

        >>> import blockstar
        >>> blockstar.Grid.from_text("..#\\n...").free_cells
        5
        """
        return cls(_blockstar.Grid.parse_ascii(text).free_array())

    @classmethod
    def open(cls, file: str | os.PathLike[str]) -> Grid:
        """A map from a file: `.map` (MovingAI), `.txt` (a drawing), or heights as `.hgt` (SRTM) or
        `.asc` (ESRI). The cell size of heights, if the file tells it, is in `cell_size`.
        """
        path = FilePath(file)
        kind, data = path.suffix.lower(), path.read_bytes()
        if kind in (".hgt", ".asc"):
            heights, cell_size = _blockstar.parse_heights(data, kind[1:])
            grid = cls.from_heights(heights)
            grid.cell_size = cell_size
            return grid
        if kind == ".txt":
            return cls.from_text(data.decode("utf-8", "replace"))
        if kind != ".map":
            raise Error(f"{path} ends in {kind!r}: use .map, .txt, .hgt or .asc, or give an array")
        native = _blockstar.Grid.parse_movingai(data)
        grid = cls(native.free_array())
        if native.has_costs:
            grid.patch_costs(0, 0, native.cost_array())
        return grid

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the map as a file in MovingAI's format; terrain costs are not kept."""
        FilePath(file).write_text(self.movingai_text())

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        """Which cells are free, as an array; a copy."""
        return self.free_array().view(np.bool_)

    @property
    def costs(self) -> npt.NDArray[np.float64]:
        """The cost of each cell, 0 where it is blocked; a copy."""
        return self.cost_array()

    @property
    def heights(self) -> npt.NDArray[np.float32] | None:
        """The height of each cell, if there are any; a copy."""
        return self.height_array() if self.has_heights else None

    @staticmethod
    def _usable_costs(costs: Any) -> npt.NDArray[np.float64]:
        numbers = _arrays.numbers("the costs", costs)
        if np.isnan(numbers).any():
            row, column = np.argwhere(np.isnan(numbers))[0]
            raise Error(f"the cost at ({row}, {column}) is not a number: use 0 for blocked cells")
        return np.where(np.isposinf(numbers), 0.0, numbers)

    def __setitem__(self, key: Key, free: Any) -> None:
        """Frees or blocks cells: one edit, however many cells."""
        rows, columns = rectangle(key, self.shape)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        values = _arrays.spread("what is assigned", free, shape)
        self.patch(rows.start, columns.start, _arrays.free_cells("what is assigned", values))

    def set_costs(self, key: Key, costs: Any) -> None:
        """Gives the cells of an index or of slices new costs, as one edit; 0 blocks.

        >>> import numpy as np, blockstar
        >>> grid = blockstar.Grid(np.ones((2, 3), dtype=bool))
        >>> grid.set_costs(np.s_[:, 1], 2.5)
        >>> grid.costs
        array([[1. , 2.5, 1. ],
               [1. , 2.5, 1. ]])
        """
        rows, columns = rectangle(key, self.shape)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        values = _arrays.spread("the costs", costs, shape)
        self.patch_costs(rows.start, columns.start, self._usable_costs(values))

    def set_heights(self, key: Key, heights: Any) -> None:
        """Gives the cells of an index or of slices new heights, as one edit."""
        rows, columns = rectangle(key, self.shape)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        values = _arrays.spread("the heights", heights, shape)
        self.patch_heights(rows.start, columns.start, _arrays.numbers("the heights", values))

    def __getitem__(self, key: Key) -> Any:
        """Whether cells are free: a boolean for an index, an array for slices."""
        rows, columns = rectangle(key, self.shape)
        if isinstance(key, tuple) and not any(isinstance(part, slice) for part in key):
            return self.is_free(rows.start, columns.start)
        return self.free[key]

    def copy(self) -> Grid:
        """Another grid that looks the same; edits of one do not show in the other."""
        return _restore(*self.__reduce__()[1])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.free if dtype is None else self.free.astype(dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.same_as(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        costs = self.costs if self.has_costs else None
        packed = np.packbits(self.free, axis=1)
        return _restore, (packed, self.shape[1], costs, self.heights, type(self))

    def __str__(self) -> str:
        return "\n".join("".join(".#"[not cell] for cell in row) for row in self.free)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<Grid of {rows} x {columns} cells, {self.free_cells} free>"


def _restore(packed: Any, columns: int, costs: Any, heights: Any, cls: type[Grid] = Grid) -> Grid:
    grid = cls(np.unpackbits(packed, axis=1, count=columns))
    if costs is not None:
        grid.patch_costs(0, 0, costs)
    if heights is not None:
        grid.patch_heights(0, 0, heights.astype(np.float64))
    return grid


def rectangle(key: Key, shape: tuple[int, int]) -> tuple[slice, slice]:
    """The rows and columns that an index or a pair of slices means."""
    parts = key if isinstance(key, tuple) else (key,)
    if len(parts) == 1 and parts[0] is Ellipsis:
        parts = ()
    if len(parts) > 2:
        raise Error(f"{len(parts)} indices are too many for a map: give [row, column] or slices")
    found = []
    for part, length in zip((*parts, *[slice(None)] * (2 - len(parts))), shape):
        try:
            if isinstance(part, slice):
                first, last, step = part.indices(length)
            else:
                index = operator.index(part)
                first, last, step = index % length, index % length + 1, 1
        except (TypeError, ValueError):
            raise Error(f"{part!r:.60} is no index: give whole numbers or slices") from None
        if not isinstance(part, slice) and not -length <= index < length:
            raise IndexError(f"index {index} is out of range for {length} cells")
        if step != 1:
            raise Error(f"a slice has the step {step}: edits are of whole rectangles")
        found.append(slice(first, max(first, last)))
    return found[0], found[1]
