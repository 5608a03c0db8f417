"""Many answers as columns."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from . import _blockstar

#: What the numbers in `Routes.status` mean; 255 is a query that was refused.
STATUSES = {0: "found", 1: "nearest", 2: "no-path", 3: "limit-reached", 255: "refused"}


class Routes:
    """The answers to `Planner.find_many`, in order: four arrays, and views of them by index.

    `status` is uint8 (see `blockstar.STATUSES`), `cost` is float64 and infinite where there is no
    path, the points of path i are `points[offsets[i]:offsets[i + 1]]`, (row, column) each. `errors`
    has the sentences for queries that were refused, by their number.
    """

    def __init__(self, native: _blockstar.Routes) -> None:
        self.status: npt.NDArray[np.uint8] = native.status
        self.cost: npt.NDArray[np.float64] = native.cost
        self.offsets: npt.NDArray[np.int64] = native.offsets
        self.points: npt.NDArray[Any] = native.points
        self.errors: dict[int, str] = native.errors

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, index: int) -> npt.NDArray[Any]:
        """The points of one path, a view; none where there is no path."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} routes, and no number {index}")
        index %= len(self)
        return self.points[self.offsets[index] : self.offsets[index + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        return (self[index] for index in range(len(self)))

    @property
    def found(self) -> npt.NDArray[np.bool_]:
        """Which queries have a path."""
        return np.isfinite(self.cost)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The answers as a stream of one batch, without a copy, for pyarrow, Polars, DuckDB and
        others: columns `status` and `cost`, and `path`, lists of (row, column) pairs.
        """
        return _blockstar.route_stream(self.status, self.cost, self.offsets, self.points)

    def __repr__(self) -> str:
        return f"<{len(self)} routes, {int(self.found.sum())} found>"
