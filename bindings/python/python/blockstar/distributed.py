"""Millions of routes on a cluster, by Ray or by Dask.

A job is a table of routes, as a Parquet file or folder with the columns `start_row`, `start_column`,
`goal_row` and `goal_column`, and a map with the name of a planner. It is cut into pieces of some
thousand rows, about a second's work each. A piece needs nothing but itself and the map: workers keep
the planner of the last jobs, a worker that dies costs its pieces' time and nothing else, and the
answers are those of one machine, bit for bit and in order.

    job = Job("city.map", "jps")
    run_on_ray(job, "routes.parquet", "answers/")

The answer is a folder of Parquet files, one for each piece, numbered in order, with the columns
`status`, `cost` and, if asked for, `path`.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, Callable, Iterator, Literal

import numpy as np

from .errors import Error
from .grid import Grid
from .planner import Planner

#: Rows of one piece of work.
PIECE = 10_000

#: The columns of a table of routes.
COLUMNS = ("start_row", "start_column", "goal_row", "goal_column")


@dataclass(frozen=True)
class Job:
    """A map, a planner and what is wanted of each route."""

    grid: Any
    planner: str = "jps"
    moves: str = "eight"
    paths: Literal["turns", "cells"] | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def packed(self) -> bytes:
        """Everything that a worker needs."""
        grid = self.grid if isinstance(self.grid, Grid) else _read_map(self.grid)
        return pickle.dumps((grid, self.planner, self.moves, self.paths, self.options))


def _read_map(map: Any) -> Grid:
    return Grid.open(map) if isinstance(map, (str, FilePath)) else Grid(map)


# The planners of the last jobs, in each worker process.
_prepared: OrderedDict[str, tuple[Planner, Any, dict[str, Any]]] = OrderedDict()


def answer(packed: bytes, places: Any) -> dict[str, Any]:
    """The columns that answer one piece: what workers run."""
    name = hashlib.sha256(packed).hexdigest()
    if name not in _prepared:
        grid, planner, moves, paths, options = pickle.loads(packed)
        _prepared[name] = (Planner(grid, planner, moves), paths, options)
        while len(_prepared) > 4:
            _prepared.popitem(last=False)
    planner, paths, options = _prepared[name]
    routes = planner.find_many(places[:, :2], places[:, 2:], paths=paths, threads=1, **options)
    columns = {"status": routes.status, "cost": routes.cost}
    if paths is not None:
        columns |= {"offsets": routes.offsets, "points": routes.points}
    return columns


def pieces(table: Any, rows: int = PIECE) -> Iterator[Any]:
    """The places of a Parquet file or folder, some rows at a time, without reading it all."""
    import pyarrow.dataset

    if rows < 1:
        raise Error(f"a piece of {rows} rows is none: give a number from 1")
    source = pyarrow.dataset.dataset(str(table), format="parquet")
    missing = [name for name in COLUMNS if name not in source.schema.names]
    if missing:
        raise Error(f"{table} has no column {missing[0]}: it needs {', '.join(COLUMNS)}")
    left = np.zeros((0, 4), dtype=np.int64)
    for batch in source.to_batches(columns=list(COLUMNS)):
        new = np.stack([np.asarray(batch.column(name), dtype=np.int64) for name in COLUMNS], 1)
        left = np.concatenate([left, new])
        while len(left) >= rows:
            yield left[:rows]
            left = left[rows:]
    if len(left):
        yield left


def _write(folder: FilePath, number: int, columns: dict[str, Any]) -> None:
    """Writes the answer to one piece beside its place and moves it there: never half a file."""
    import pyarrow
    import pyarrow.parquet

    table = {"status": pyarrow.array(columns["status"]), "cost": pyarrow.array(columns["cost"])}
    if "points" in columns:
        pairs = pyarrow.FixedSizeListArray.from_arrays(
            pyarrow.array(columns["points"].reshape(-1)), 2
        )
        table["path"] = pyarrow.LargeListArray.from_arrays(
            pyarrow.array(columns["offsets"]), pairs
        )
    place = folder / f"{number:08}.parquet"
    beside = place.with_suffix(".part")
    pyarrow.parquet.write_table(pyarrow.table(table), beside)
    beside.replace(place)


Progress = Callable[[int], object]


def _collect(
    job: Job,
    table: Any,
    folder: Any,
    rows: int,
    progress: Progress | None,
    in_flight: int,
    submit: Callable[[bytes, Any], Any],
    wait_for: Callable[[list[Any]], tuple[Any, dict[str, Any]]],
    packed: Any,
) -> int:
    """Keeps some pieces under way, and writes each answer as it comes. The number of routes."""
    target = FilePath(folder)
    target.mkdir(parents=True, exist_ok=True)
    if any(target.glob("*.parquet")):
        raise Error(f"{target} has answers already: give an empty folder")
    under_way: dict[Any, int] = {}
    done = 0

    def finish_one() -> None:
        nonlocal done
        handle, columns = wait_for(list(under_way))
        _write(target, under_way.pop(handle), columns)
        done += len(columns["status"])
        if progress is not None:
            progress(done)

    for number, places in enumerate(pieces(table, rows)):
        if len(under_way) >= in_flight:
            finish_one()
        under_way[submit(packed, places)] = number
    while under_way:
        finish_one()
    return done


def run_on_ray(
    job: Job,
    table: Any,
    folder: Any,
    *,
    rows: int = PIECE,
    in_flight: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Answers a table of routes on the Ray cluster that is connected, or on this machine.

    The number of routes is returned. A piece whose worker dies is done again by Ray.
    """
    import ray

    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    remote = ray.remote(max_retries=5, num_cpus=1)(answer)
    packed = ray.put(job.packed())
    cores = int(ray.cluster_resources().get("CPU", 1))

    def wait_for(handles: list[Any]) -> tuple[Any, dict[str, Any]]:
        (ready, *_), _ = ray.wait(handles, num_returns=1)
        return ready, ray.get(ready)

    return _collect(
        job, table, folder, rows, progress, in_flight or 2 * cores + 2, remote.remote, wait_for, packed
    )


def run_on_dask(
    client: Any,
    job: Job,
    table: Any,
    folder: Any,
    *,
    rows: int = PIECE,
    in_flight: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Answers a table of routes on a Dask cluster, by a `distributed.Client`.

    The map travels with each piece: data that Dask scatters is lost with the worker that holds it.
    Workers keep the planner, so a map is prepared once for each.
    """
    from distributed import wait

    packed = job.packed()
    cores = sum(client.nthreads().values()) or 1

    def submit(packed: bytes, places: Any) -> Any:
        return client.submit(answer, packed, places, pure=False, retries=5)

    def wait_for(futures: list[Any]) -> tuple[Any, dict[str, Any]]:
        finished = wait(futures, return_when="FIRST_COMPLETED").done.pop()
        columns = finished.result()
        return finished, columns

    return _collect(
        job, table, folder, rows, progress, in_flight or 2 * cores + 2, submit, wait_for, packed
    )


def run_here(
    job: Job, table: Any, folder: Any, *, rows: int = PIECE, progress: Progress | None = None
) -> int:
    """The same on this machine alone, in this process: what the others must equal."""
    packed = job.packed()
    results: dict[int, dict[str, Any]] = {}

    def submit(packed: bytes, places: Any) -> int:
        results[len(results)] = answer(packed, places)
        return len(results) - 1

    def wait_for(handles: list[int]) -> tuple[int, dict[str, Any]]:
        columns = results[handles[0]]
        results[handles[0]] = {}
        return handles[0], columns

    return _collect(job, table, folder, rows, progress, 1, submit, wait_for, packed)


def cost_matrix(planner: Planner, sources: Any, targets: Any) -> Any:
    """The costs from each source to each target, infinite where there is no path, by a distance map
    for each of the fewer. (On slopes, where there and back differ, from the sources.)

    >>> import numpy as np, blockstar
    >>> planner = blockstar.Planner(np.ones((3, 5), dtype=bool), "astar", "four")
    >>> from blockstar.distributed import cost_matrix
    >>> cost_matrix(planner, [(0, 0), (2, 4)], [(0, 4), (2, 0), (1, 1)])
    array([[4., 2., 2.],
           [2., 4., 4.]])
    """
    rows = [tuple(map(int, place)) for place in np.asarray(sources).reshape(-1, 2)]
    columns = [tuple(map(int, place)) for place in np.asarray(targets).reshape(-1, 2)]
    turned = len(columns) < len(rows)
    near, far = (columns, rows) if turned else (rows, columns)
    matrix = np.empty((len(near), len(far)))
    for index, place in enumerate(near):
        costs = planner.distance_map(place).to_array()
        matrix[index] = [costs[cell] for cell in far]
    return matrix.T.copy() if turned else matrix
