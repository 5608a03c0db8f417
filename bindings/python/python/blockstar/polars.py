"""Routes for the rows of a Polars frame.

>>> import numpy as np, polars as pl, blockstar, blockstar.polars
>>> planner = blockstar.Planner(np.ones((10, 10), dtype=bool))
>>> frame = pl.DataFrame({"start": [[0, 0], [5, 5]], "goal": [[9, 9], [5, 0]]})
>>> answers = frame.select(pl.struct("start", "goal").blockstar.route(planner))
>>> answers["route"].struct.field("cost").round(3).to_list()
[12.728, 5.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from .planner import Planner
from .routes import Routes


def answer(planner: Planner, starts: Any, goals: Any, **options: Any) -> Routes:
    """Routes for two columns of (row, column) pairs: lists, arrays or structs of two numbers.

    The same function serves every table that gives columns as Arrow or numpy arrays.
    """
    return planner.find_many(_pairs(starts), _pairs(goals), **options)


def _pairs(column: Any) -> Any:
    """A column of pairs as an (n, 2) array."""
    series = column if isinstance(column, pl.Series) else pl.Series(values=column)
    if series.null_count():
        missing = int(series.is_null().arg_max() or 0)
        raise ValueError(f"row {missing} has no place: drop or fill rows without start or goal")
    if isinstance(series.dtype, pl.Struct):
        return np.stack([series.struct.field(name).to_numpy() for name in series.struct.fields], 1)
    if isinstance(series.dtype, pl.Array):
        return series.to_numpy()
    lengths = series.list.len()
    if len(series) and (lengths != 2).any():
        wrong = int((lengths != 2).arg_max() or 0)
        raise ValueError(f"row {wrong} has {lengths[wrong]} numbers: give a row and a column")
    return series.list.to_array(2).to_numpy() if len(series) else np.zeros((0, 2), dtype=np.int64)


@pl.api.register_expr_namespace("blockstar")
class _Expressions:
    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def route(self, planner: Planner, **options: Any) -> pl.Expr:
        """For a struct of `start` and `goal`: a struct of `status`, `cost` and `path`."""

        def plan(batch: pl.Series) -> pl.Series:
            routes = answer(
                planner, batch.struct.field("start"), batch.struct.field("goal"), **options
            )
            return pl.DataFrame(routes).to_struct("route")

        number = pl.Float64 if planner.moves.startswith("any-angle") else pl.Int32
        if options.get("paths") == "cells":
            number = pl.Int32
        answer_type = pl.Struct(
            {"status": pl.UInt8, "cost": pl.Float64, "path": pl.List(pl.Array(number, 2))}
        )
        return self._expression.map_batches(plan, return_dtype=answer_type).alias("route")
