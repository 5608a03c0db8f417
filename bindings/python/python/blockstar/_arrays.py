"""Arrays as the native half takes them: contiguous, of one type, checked by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import Error


def _two_dimensional(what: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if array.ndim != 2:
        raise Error(f"{what} has {array.ndim} dimensions: give an array of rows and columns")
    return array


def free_cells(what: str, values: Any) -> npt.NDArray[np.uint8]:
    """One byte per cell, 1 where it is free, from booleans or whole numbers (0 is blocked)."""
    array = _two_dimensional(what, np.asarray(values))
    if array.dtype.kind not in "biu":
        raise Error(
            f"{what} has the type {array.dtype}: give booleans or whole numbers, or use "
            "Grid.from_costs for costs and Grid.from_heights for heights"
        )
    return np.ascontiguousarray(array != 0).view(np.uint8)


def numbers(what: str, values: Any) -> npt.NDArray[np.float64]:
    """One number per cell."""
    array = _two_dimensional(what, np.asarray(values))
    if array.dtype.kind not in "biuf":
        raise Error(f"{what} has the type {array.dtype}: give numbers")
    return np.ascontiguousarray(array, dtype=np.float64)


def places(what: str, values: Any) -> npt.NDArray[Any]:
    """An (n, 2) array of rows and columns: int64 for cells, float64 for points."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.reshape(0, 2)
        if array.dtype.kind not in "iuf":
            array = array.astype(np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise Error(f"{what} has the shape {array.shape}: give (n, 2), a row and a column each")
    if array.dtype.kind in "iu":
        if array.dtype == np.uint64 and array.size and int(array.max()) > 2**62:
            raise Error(f"{what} holds {array.max()}: rows and columns are below 16384")
        return np.ascontiguousarray(array, dtype=np.int64)
    if array.dtype.kind == "f":
        return np.ascontiguousarray(array, dtype=np.float64)
    raise Error(f"{what} has the type {array.dtype}: give whole numbers for cells, or floats")


def spread(what: str, value: Any, shape: tuple[int, int]) -> npt.NDArray[Any]:
    """A value for each cell of a rectangle: one for all, or an array of its shape."""
    array = np.asarray(value)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise Error(
            f"{what} has the shape {array.shape}, which does not fit {shape[0]} rows of {shape[1]}"
        ) from None


def mask(values: Any, shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """The cells to avoid: an array of the map's shape."""
    array = free_cells("avoid", values)
    if array.shape != shape:
        raise Error(f"avoid has the shape {array.shape}, the map {shape}")
    return array
