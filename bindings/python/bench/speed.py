"""What Python costs: the same queries through the package and in Rust, in turns.

    python bench/speed.py [MAP] [--queries 100000] [--rounds 5]

Times are processor time; the lowest of all rounds counts, because other work on the machine only ever
adds to it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import blockstar

HERE = Path(__file__).parent


def rust_program() -> Path:
    package = HERE.parent
    command = ["cargo", "build", "--release", "--quiet", "-p", "routes-in-rust"]
    subprocess.run(command, cwd=package, check=True)
    return package / "target" / "release" / "routes-in-rust"


def in_rust(program: Path, map: Path, queries: Path, planner: str, threads: int) -> list[float]:
    """Nanoseconds: singles by processor and clock, many by processor and clock."""
    command = [program, map, queries, planner, str(threads)]
    return [float(word) for word in subprocess.check_output(command, text=True).split()]


def in_python(
    planner: blockstar.Planner, places: np.ndarray, threads: int, singly: bool
) -> list[float]:
    """The same here."""
    pairs = [((a, b), (c, d)) for a, b, c, d in places.tolist()] if singly else []
    find = planner.find
    kept = []
    keep = kept.append
    begin, clock = time.process_time_ns(), time.perf_counter_ns()
    for start, goal in pairs:
        keep(find(start, goal))
    singles = [time.process_time_ns() - begin, time.perf_counter_ns() - clock]
    begin, clock = time.process_time_ns(), time.perf_counter_ns()
    planner.find_many(places[:, :2], places[:, 2:], threads=threads)
    return [*singles, time.process_time_ns() - begin, time.perf_counter_ns() - clock]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("map", nargs="?", type=Path)
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--planner", default="jps")
    arguments = parser.parse_args()
    program = rust_program()
    rng = np.random.default_rng(5)
    with tempfile.TemporaryDirectory() as folder:
        map = arguments.map
        if map is None:
            map = Path(folder) / "made.map"
            blockstar.Grid(rng.random((128, 128)) > 0.2).save(map)
        grid = blockstar.Grid.open(map)
        planner = blockstar.Planner(grid, arguments.planner)
        cells = np.argwhere(grid.free)
        starts, goals = cells[rng.integers(0, len(cells), (2, arguments.queries))]
        # A cell to itself: no search to speak of, so what is left is the call.
        for name, places in [
            ("find, nothing to search", np.concatenate([starts, starts], 1)),
            ("find_many", np.concatenate([starts, goals], 1)),
        ]:
            queries = Path(folder) / "queries"
            places.astype("<i8").tofile(queries)
            best: dict[tuple[str, int], list[float]] = {}
            for _ in range(arguments.rounds):
                for threads in (1, 2) if name == "find_many" else (1,):
                    for where, times in [
                        ("Rust", in_rust(program, map, queries, arguments.planner, threads)),
                        ("Python", in_python(planner, places, threads, name != "find_many")),
                    ]:
                        before = best.get((where, threads), times)
                        best[where, threads] = [min(pair) for pair in zip(before, times)]
            count = len(places)
            rust, python = best["Rust", 1], best["Python", 1]
            if name == "find_many":
                ratio = python[2] / rust[2]
                print(f"find_many of {count:,}: {rust[2] / count:.0f} ns each in Rust, "
                      f"{python[2] / count:.0f} in Python: {ratio:.3f} times")
                two = best["Python", 2]
                print(f"two threads: {python[3] / two[3]:.2f} times as fast by the clock, "
                      f"{two[2] / python[2]:.3f} times the processor time")
            else:
                print(f"{name}: {rust[0] / count:.0f} ns in Rust, {python[0] / count:.0f} in Python: "
                      f"{(python[0] - rust[0]) / count:.0f} ns more")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
