"""Millions of routes on a cluster, by Ray or by Dask.

A job is a table of routes, as a Parquet file or folder with the columns `start_row`, `start_column`,
`goal_row` and `goal_column`, and a map with the name of a planner. It is cut into pieces of some
thousand rows, about a second's work each. A piece needs nothing but itself and the map: workers keep
the planners of the last jobs, a worker that dies costs its pieces' time and nothing else, and the
answers are those of one machine, bit for bit and in order.

    run(Job("/shared/city.map"), "routes.parquet", "answers", on=Ray())

The answer is a folder of Parquet files, one for each piece, numbered in order, with the columns
`status`, `cost` and, if asked for, `path`. Places are (row, column), or (x, y) with `xy=True`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, Callable, Iterable, Iterator, Literal, Protocol

import numpy as np
import numpy.typing as npt

from . import _blockstar
from .errors import Error
from .grid import Grid
from .planner import Planner, Slope

#: Rows of one piece of work.
PIECE = 10_000

#: The columns of a table of routes.
COLUMNS = ("start_row", "start_column", "goal_row", "goal_column")

#: Told how many routes are done.
Progress = Callable[[int], object]


@dataclass(frozen=True)
class Job:
    """A map, a planner and what is wanted of each route.

    A map that is named by its file is opened by every worker, so the file must be where all of them
    see it; that it is the same one everywhere is checked. An array or a grid travels with the job.
    """

    grid: Any
    planner: str = "auto"
    moves: str = "eight"
    paths: Literal["turns", "cells"] | None = None
    slope: Slope | None = None
    xy: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    def packed(self) -> bytes:
        """Everything that a worker needs."""
        grid, expected = self.grid, None
        if isinstance(grid, (str, FilePath)):
            grid = FilePath(grid).resolve()
            expected = Grid.open(grid).content_hash
        elif not isinstance(grid, Grid):
            grid = Grid(grid)
        planner = (self.planner, self.moves, self.slope, self.xy)
        return pickle.dumps((grid, expected, planner, self.paths, self.options))


@dataclass(frozen=True)
class _Prepared:
    planner: Planner
    paths: Literal["turns", "cells"] | None
    options: dict[str, Any]


# The planners of the last jobs, in each worker process.
_kept: OrderedDict[bytes, _Prepared] = OrderedDict()


def _prepared(packed: bytes) -> _Prepared:
    """The planner of a job: made on a worker's first piece of it, and kept."""
    name = hashlib.sha256(packed).digest()
    if name not in _kept:
        grid, expected, (planner, moves, slope, xy), paths, options = pickle.loads(packed)
        if expected is not None:
            file, grid = grid, Grid.open(grid)
            if grid.content_hash != expected:
                raise Error(f"{file} is another map here than where the job began")
        _kept[name] = _Prepared(Planner(grid, planner, moves, slope=slope, xy=xy), paths, options)
        while len(_kept) > 4:
            _kept.popitem(last=False)
    return _kept[name]


def answer(packed: bytes, places: npt.NDArray[np.int64]) -> dict[str, Any]:
    """The columns that answer one piece of a table: what workers run."""
    job = _prepared(packed)
    routes = job.planner.find_many(
        places[:, :2], places[:, 2:], paths=job.paths, threads=1, **job.options
    )
    columns: dict[str, Any] = {"status": routes.status, "cost": routes.cost}
    if job.paths is not None:
        columns |= {"offsets": routes.offsets, "points": routes.points}
    return columns


def answer_to_file(packed: bytes, piece: tuple[npt.NDArray[np.int64], str]) -> int:
    """The same, written where it belongs; the number of rows."""
    places, file = piece
    _write(FilePath(file), answer(packed, places))
    return len(places)


def answer_matrix(packed: bytes, places: tuple[Any, Any]) -> npt.NDArray[np.float64]:
    """Some rows of a matrix of costs: what workers run."""
    return cost_matrix(_prepared(packed).planner, *places)


class Engine(Protocol):
    """Who does the work: `Here`, `Ray` or `Dask`."""

    def map(
        self, work: Callable[[bytes, Any], Any], packed: bytes, pieces: Iterable[Any]
    ) -> Iterator[tuple[int, Any]]:
        """The results of all pieces with their numbers, as they come; few are under way at once."""


class Here:
    """This process alone: what the others must equal."""

    def map(
        self, work: Callable[[bytes, Any], Any], packed: bytes, pieces: Iterable[Any]
    ) -> Iterator[tuple[int, Any]]:
        for number, piece in enumerate(pieces):
            yield number, work(packed, piece)


class Ray:
    """The Ray cluster that is connected, or one that is started on this machine.

    A piece whose worker dies is done again by Ray, up to `retries` times.
    """

    def __init__(self, *, in_flight: int | None = None, retries: int = 5) -> None:
        self.in_flight, self.retries = in_flight, retries

    def map(
        self, work: Callable[[bytes, Any], Any], packed: bytes, pieces: Iterable[Any]
    ) -> Iterator[tuple[int, Any]]:
        import ray

        if not ray.is_initialized():
            ray.init(log_to_driver=False)
        remote = ray.remote(max_retries=self.retries, num_cpus=1)(work)
        shared = ray.put(packed)
        cores = int(ray.cluster_resources().get("CPU", 1))

        def first(handles: list[Any]) -> tuple[Any, Any]:
            (ready, *_), _ = ray.wait(handles, num_returns=1)
            return ready, ray.get(ready)

        def submit(piece: Any) -> Any:
            return remote.remote(shared, piece)

        yield from _bounded(pieces, self.in_flight or 2 * cores + 2, submit, first)


class Dask:
    """A Dask cluster, by a `distributed.Client`.

    The map travels with each piece: data that Dask scatters is lost with the worker that holds it.
    Name large maps by their file.
    """

    def __init__(self, client: Any, *, in_flight: int | None = None, retries: int = 5) -> None:
        self.client, self.in_flight, self.retries = client, in_flight, retries

    def map(
        self, work: Callable[[bytes, Any], Any], packed: bytes, pieces: Iterable[Any]
    ) -> Iterator[tuple[int, Any]]:
        from distributed import wait

        cores = sum(self.client.nthreads().values()) or 1

        def first(futures: list[Any]) -> tuple[Any, Any]:
            ready = wait(futures, return_when="FIRST_COMPLETED").done.pop()
            return ready, ready.result()

        def submit(piece: Any) -> Any:
            return self.client.submit(work, packed, piece, pure=False, retries=self.retries)

        yield from _bounded(pieces, self.in_flight or 2 * cores + 2, submit, first)


def _bounded(
    pieces: Iterable[Any],
    most: int,
    submit: Callable[[Any], Any],
    first: Callable[[list[Any]], tuple[Any, Any]],
) -> Iterator[tuple[int, Any]]:
    """Keeps some pieces under way, and gives each result as it comes."""
    under_way: dict[Any, int] = {}
    for number, piece in enumerate(pieces):
        if len(under_way) >= most:
            handle, result = first(list(under_way))
            yield under_way.pop(handle), result
        under_way[submit(piece)] = number
    while under_way:
        handle, result = first(list(under_way))
        yield under_way.pop(handle), result


def run(
    job: Job,
    table: Any,
    folder: Any,
    *,
    on: Engine | None = None,
    rows: int = PIECE,
    progress: Progress | None = None,
    shared: bool = False,
) -> int:
    """Answers a table of routes, on this machine or on a cluster, and returns their number.

    A folder that has answers already is gone on with: pieces that are there are not done again. With
    `shared=True`, for a folder that all workers see, they write their answers themselves, and nothing
    but numbers comes back.
    """
    target, packed = FilePath(folder).resolve(), job.packed()
    target.mkdir(parents=True, exist_ok=True)
    _claim(target, f"{hashlib.sha256(packed).hexdigest()} {FilePath(table).resolve()} {rows}")
    done = 0
    waiting: list[FilePath] = []

    def missing() -> Iterator[Any]:
        nonlocal done
        for number, places in enumerate(pieces(table, rows)):
            file = target / f"{number:08}.parquet"
            if file.exists():
                done += len(places)
            else:
                waiting.append(file)
                yield (places, str(file)) if shared else places

    work = answer_to_file if shared else answer
    for index, result in (on or Here()).map(work, packed, missing()):
        if not shared:
            _write(waiting[index], result)
        done += result if shared else len(result["status"])
        if progress is not None:
            progress(done)
    return done


def _claim(folder: FilePath, what: str) -> None:
    """Notes which job a folder belongs to, and refuses one of another."""
    note = folder / "job"
    if note.exists() and note.read_text() != what or not note.exists() and any(folder.iterdir()):
        raise Error(f"{folder} has something else in it: give an empty folder, or that of this job")
    note.write_text(what)


def pieces(table: Any, rows: int = PIECE) -> Iterator[npt.NDArray[np.int64]]:
    """The places of a Parquet file or folder, some rows at a time, without reading it all."""
    import pyarrow.dataset

    if rows < 1:
        raise Error(f"a piece of {rows} rows is none: give a number from 1")
    source = pyarrow.dataset.dataset(str(table), format="parquet")
    missing = [name for name in COLUMNS if name not in source.schema.names]
    if missing:
        raise Error(f"{table} has no column {missing[0]}: it needs {', '.join(COLUMNS)}")
    left: list[npt.NDArray[np.int64]] = []
    count = 0
    for batch in source.to_batches(columns=list(COLUMNS)):
        if any(batch.column(name).null_count for name in COLUMNS):
            raise Error(f"{table} has rows without a number: drop or fill them")
        left.append(np.stack([np.asarray(batch.column(name), np.int64) for name in COLUMNS], 1))
        count += len(left[-1])
        if count >= rows:
            whole = np.concatenate(left)
            for first in range(0, count - count % rows, rows):
                yield whole[first : first + rows]
            left = [whole[count - count % rows :]]
            count = len(left[0])
    if count:
        yield np.concatenate(left)


def _write(place: FilePath, columns: dict[str, Any]) -> None:
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
    # Two workers may be at the same piece, if one of them was given up too early.
    beside = place.with_suffix(f".{socket.gethostname()}-{os.getpid()}.part")
    # Half the time of the defaults: hardly any number of a path comes twice in a row.
    pyarrow.parquet.write_table(
        pyarrow.table(table), beside, compression="lz4", use_dictionary=False
    )
    beside.replace(place)


def cost_matrix(planner: Planner, sources: Any, targets: Any) -> npt.NDArray[np.float64]:
    """The costs from each source to each target, infinite where there is no path, by a distance map
    for each source; or for each target, if these are fewer and there is no slope to make the way
    back another.

    >>> import numpy as np, blockstar
    >>> planner = blockstar.Planner(np.ones((3, 5), dtype=bool), "astar", "four")
    >>> from blockstar.distributed import cost_matrix
    >>> cost_matrix(planner, [(0, 0), (2, 4)], [(0, 4), (2, 0), (1, 1)])
    array([[4., 2., 2.],
           [2., 4., 4.]])
    """
    rows, columns = list(np.asarray(sources).reshape(-1, 2)), list(np.asarray(targets).reshape(-1, 2))
    if len(columns) < len(rows) and planner.slope is None:
        return np.ascontiguousarray(_blockstar.DistanceMap.matrix(planner, columns, rows).T)
    return _blockstar.DistanceMap.matrix(planner, rows, columns)


def run_matrix(
    job: Job, sources: Any, targets: Any, *, on: Engine | None = None, rows: int = 16
) -> npt.NDArray[np.float64]:
    """The same on a cluster, some sources in each piece."""
    starts, goals = np.asarray(sources).reshape(-1, 2), np.asarray(targets).reshape(-1, 2)
    if rows < 1:
        raise Error(f"a piece of {rows} rows is none: give a number from 1")
    matrix = np.empty((len(starts), len(goals)))
    cut = range(0, len(starts), rows)
    parts = ((starts[first : first + rows], goals) for first in cut)
    for number, part in (on or Here()).map(answer_matrix, job.packed(), parts):
        matrix[cut[number] : cut[number] + rows] = part
    return matrix
