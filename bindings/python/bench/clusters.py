"""A million routes through Ray and through Dask on this machine, a worker killed in the middle.

    python bench/clusters.py [--map boxes|rooms] [--routes 1000000] [--rows 10000] [--engine ray dask]

Each engine answers the table with one worker and with two, and then with two of which one is killed by
its process id when half is done; every answer must be that of one process, bit for bit. Times are
processor time of all processes that the job needs, and of the clock; processor time is what counts on
a machine that has other things to do.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

import blockstar
from blockstar.distributed import COLUMNS, Dask, Engine, Job, Ray, run

TICK = os.sysconf("SC_CLK_TCK")


def family() -> dict[int, tuple[str, float]]:
    """This process and all that came from it: title and seconds of processor time, with those of
    children that have ended."""
    everyone: dict[int, tuple[int, str, float]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            title = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            seconds = sum(map(int, fields[11:15])) / TICK
            everyone[int(folder.name)] = (int(fields[1]), title, seconds)
    found = {os.getpid()}
    for _ in range(6):
        found |= {pid for pid, (parent, *_) in everyone.items() if parent in found}
    return {pid: everyone[pid][1:] for pid in found if pid in everyone}


def processor_time() -> float:
    return sum(seconds for _, seconds in family().values())


@contextlib.contextmanager
def ray_cluster(workers: int) -> Iterator[tuple[Engine, Callable[[], list[int]]]]:
    # Without this Ray asks for an address that others can reach.
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False,
             object_store_memory=400 * 2**20)
    try:
        yield Ray(), lambda: [
            pid for pid, (title, _) in family().items() if title.startswith("ray::answer")
        ]
    finally:
        ray.shutdown()


@contextlib.contextmanager
def dask_cluster(workers: int) -> Iterator[tuple[Engine, Callable[[], list[int]]]]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
                     dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield Dask(client), lambda: list(client.run(os.getpid).values())


def made_map(kind: str, rng: np.random.Generator) -> np.ndarray:
    """512 x 512 cells: 300 boxes in the open, or rooms with a door in each wall and things in them."""
    free = np.ones((512, 512), dtype=bool)
    if kind == "boxes":
        for row, column, height, width in zip(
            *rng.integers(0, 508, (2, 300)), *rng.integers(4, 40, (2, 300))
        ):
            free[row : row + height, column : column + width] = False
        return free
    free &= rng.random(free.shape) > 0.05
    free[::16] = free[:, ::16] = False
    for wall in range(0, 512, 16):
        for room in range(0, 512, 16):
            for side in ((wall, room + rng.integers(2, 15)), (room + rng.integers(2, 15), wall)):
                free[side] = True
    return free


def check(folder: Path, expected: blockstar.Routes) -> None:
    files = sorted(folder.glob("*.parquet"))
    answers = pyarrow.dataset.dataset([str(file) for file in files]).to_table()
    assert np.array_equal(answers["status"].to_numpy(), expected.status)
    assert np.array_equal(answers["cost"].to_numpy(), expected.cost)
    paths = answers["path"].combine_chunks()
    assert np.array_equal(np.diff(paths.offsets.to_numpy()), np.diff(expected.offsets))
    assert np.array_equal(paths.flatten().flatten().to_numpy(), expected.points.reshape(-1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--map", default="boxes", choices=["boxes", "rooms"])
    parser.add_argument("--routes", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--engine", nargs="+", default=["ray", "dask"], choices=["ray", "dask"])
    arguments = parser.parse_args()
    rng = np.random.default_rng(9)
    free = made_map(arguments.map, rng)
    cells = np.argwhere(free)
    starts, goals = cells[rng.integers(0, len(cells), (2, arguments.routes))]
    planner = blockstar.Planner(free)
    begin = time.process_time()
    expected = planner.find_many(starts, goals, threads=1)
    alone = time.process_time() - begin
    print(f"{arguments.routes:,} routes, {int(expected.found.sum()):,} found; one process: "
          f"{alone:.1f} s of processor time, {1e6 * alone / arguments.routes:.1f} µs a route")
    clusters: dict[str, Any] = {"ray": ray_cluster, "dask": dask_cluster}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "routes.parquet"
        columns = np.concatenate([starts, goals], 1).T
        pyarrow.parquet.write_table(pyarrow.table(dict(zip(COLUMNS, columns))), table)
        few = folder / "few.parquet"
        pyarrow.parquet.write_table(pyarrow.table(dict(zip(COLUMNS, columns[:, ::100]))), few)
        job = Job(free, paths="turns")
        for engine in arguments.engine:
            for workers, kill, shared in (
                (1, False, False), (2, False, False), (2, False, True), (2, True, False),
            ):
                with clusters[engine](workers) as (on, pids):
                    killed: list[int] = []

                    def progress(done: int) -> None:
                        if kill and not killed and 2 * done >= arguments.routes and pids():
                            killed.append(pids()[0])
                            os.kill(killed[0], signal.SIGKILL)

                    # The workers start, and each prepares the map.
                    first = folder / f"{engine}-{workers}-{kill}-{shared}-first"
                    run(job, few, first, on=on, rows=len(starts) // 1000 + 1)
                    answers = folder / f"{engine}-{workers}-{kill}-{shared}"
                    before, clock = processor_time(), time.monotonic()
                    own = time.process_time()
                    done = run(job, table, answers, on=on, rows=arguments.rows, progress=progress,
                               shared=shared)
                    own = time.process_time() - own
                    seconds, clock = processor_time() - before, time.monotonic() - clock
                assert done == arguments.routes and bool(killed) == kill
                check(answers, expected)
                note = f"worker {killed[0]} killed" if kill else f"{100 * (seconds / alone - 1):+.1f} %"
                who = "workers write" if shared else "the driver writes"
                print(f"{engine}, {workers} workers, {who}: {seconds:.1f} s of processor time "
                      f"({1000 * own * arguments.rows / done:.1f} ms of the driver for each piece), "
                      f"{done / clock:,.0f} routes a second by the clock, {note}; equal")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
