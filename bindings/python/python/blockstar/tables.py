"""Routes for the rows of a table, as functions that DuckDB and DataFusion call for whole columns.

(For Polars see `blockstar.polars`, and for tables on disk `blockstar.distributed`.)
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .planner import Planner


def route_cost(planner: Planner, **options: Any) -> Callable[[Any, Any, Any, Any], Any]:
    """A function of four Arrow columns, start row and column and goal row and column (or x and y, if
    the planner has `xy=True`), that gives a column of costs: infinite where there is no path, and for
    places off the map. Options are those of `Planner.find_many`.

    >>> import duckdb, numpy as np, blockstar
    >>> from blockstar.tables import route_cost
    >>> planner = blockstar.Planner(np.ones((10, 10), dtype=bool))
    >>> base = duckdb.connect()
    >>> cost = route_cost(planner)
    >>> _ = base.create_function("route_cost", cost, ["BIGINT"] * 4, "DOUBLE", type="arrow")
    >>> base.sql("select route_cost(0, 0, row, 9) from range(0, 10, 3) t(row)").fetchall()[1]
    (10.242640687119286,)

    >>> import pyarrow as pa
    >>> from datafusion import SessionContext, udf
    >>> context = SessionContext()
    >>> context.register_udf(udf(cost, [pa.int64()] * 4, pa.float64(), "immutable", "route_cost"))
    >>> context.sql("select route_cost(0, 0, 3, 9) as cost").to_pydict()
    {'cost': [10.242640687119286]}
    """

    def cost(start_row: Any, start_column: Any, goal_row: Any, goal_column: Any) -> Any:
        import pyarrow

        starts = np.stack([np.asarray(start_row), np.asarray(start_column)], 1)
        goals = np.stack([np.asarray(goal_row), np.asarray(goal_column)], 1)
        return pyarrow.array(planner.find_many(starts, goals, **{"paths": None, **options}).cost)

    return cost
