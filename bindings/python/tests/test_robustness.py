"""Whatever is thrown at it: an answer or a typed exception, no crash, no leak, no wrong answer."""

import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import blockstar
from blockstar import Grid, Planner, Slope

CALLS = int(os.environ.get("BLOCKSTAR_FUZZED_CALLS", 100_000))

#: What a call may end in, besides an answer.
TYPED = (blockstar.Error, IndexError, TypeError, OverflowError)


class Fuzzer:
    """Makes calls with arguments that are right, nearly right and nonsense."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.grid = Grid(self.rng.random((24, 32)) > 0.3)
        self.names = [row["name"] for row in blockstar.planners()]
        self.planners = [Planner(self.grid), Planner(self.grid, "astar", "four"),
                         Planner(self.grid, "anya", "any-angle", xy=True)]
        self.searches = []
        self.answers = self.refusals = 0

    def one_of(self, *values):
        return values[self.rng.integers(0, len(values))]

    def nonsense(self):
        return self.one_of(
            None, True, -1, 0, 3, 2**31, 2**63, 2**64, 10**30, -(2**70), 1.5, float("nan"),
            float("inf"), -0.0, 1e300, "", "jps", "auto", "\0", "é" * 100, b"bytes", (), (1,), [1, 2, 3],
            (1, 2), ("a", "b"), {}, {"a": 1}, object(), np.nan, np.float32(1.5), np.int8(-3),
            np.array([]), np.array(5), np.zeros((2, 2, 2)), np.ones((3, 3), complex),
            np.array([["a"]]), np.array([None, 1], object), np.zeros((0, 2)), slice(None), Ellipsis,
            lambda *_: 1 / 0, Grid, self.grid, self.planners[0], Slope(1.0),
        )

    def place(self):
        if self.rng.random() < 0.1:
            return self.nonsense()
        row, column = (int(number) for number in self.rng.integers(-1, [25, 33]))
        return self.one_of((row, column), [row, column], np.array([row, column]),
                           (row + 0.25, column - 0.5), (np.int16(row), np.uint64(abs(column))))

    def table(self):
        if self.rng.random() < 0.1:
            return self.nonsense()
        rows = self.rng.integers(0, 6)
        table = self.rng.integers(-2, 34, (rows, 2))
        kind = self.one_of(np.int64, np.int32, np.uint8, np.float64, np.float32, object, bool, "U3")
        table = table.astype(kind)
        return self.one_of(table, table.T, table[::-1], np.asfortranarray(table), table.tolist())

    def options(self):
        options = {}
        for _ in range(self.rng.integers(0, 3)):
            key = self.one_of("nearest", "weight", "heuristic", "max_cost", "max_expansions", "partial",
                              "reuse", "avoid", "trace", "typo")
            good = {"nearest": True, "weight": 1.5, "heuristic": "octile", "max_cost": 9.0,
                    "max_expansions": 5, "partial": True, "reuse": True, "trace": True,
                    "avoid": self.rng.random((24, 32)) > 0.9}
            options[key] = self.nonsense() if self.rng.random() < 0.3 else good.get(key)
        return options

    def key(self):
        part = lambda: self.one_of(  # noqa: E731
            int(self.rng.integers(-30, 40)), slice(*sorted(self.rng.integers(-5, 40, 2).tolist())),
            slice(None), self.nonsense())
        return self.one_of(part(), (part(), part()), (part(), part(), part()))

    def values(self):
        return self.one_of(True, False, self.rng.random((3, 2)) > 0.5, self.rng.random((24, 32)) * 3,
                           self.rng.integers(0, 3, (24, 32)), self.nonsense())

    def path(self):
        return self.one_of(*self.planners).find((3, 4), (20, 20), nearest=True)

    def call(self):
        planner = self.one_of(*self.planners)
        act = self.rng.integers(0, 16)
        if act < 4:
            return planner.find(self.place(), self.place(), **self.options())
        if act < 6:
            return planner.find_many(
                self.table(), self.table(), paths=self.one_of("turns", "cells", None, self.nonsense()),
                threads=self.one_of(1, 1, 2, None, self.nonsense() if act == 5 else 1),
                **self.options())
        if act == 6:
            self.grid[self.key()] = self.values()
        elif act == 7:
            edit = self.one_of(self.grid.set_costs, self.grid.set_heights)
            edit(self.key(), self.values())
        elif act == 8:
            return self.grid[self.key()]
        elif act == 9:
            make = self.one_of(Grid, Grid.from_costs, Grid.from_heights, Grid.from_text)
            return make(self.values())
        elif act == 10:
            name = self.one_of(*self.names, self.nonsense())
            if isinstance(name, str) and name in ("cpd", "lddb"):  # which take seconds to prepare
                name = "jps"
            moves = self.one_of("eight", "four", "any-angle", self.nonsense())
            slope = self.one_of(None, None, Slope(self.nonsense(), climb=self.nonsense()))
            settings = self.one_of({}, {}, {"sector": self.nonsense()}, {"tables": "off"})
            if self.rng.random() < 0.1:
                return Planner(self.grid, name, moves, slope=slope, **settings)
            return repr(self.grid)
        elif act == 11:
            self.searches = self.searches[-5:] + [planner.begin(self.place(), self.place())]
        elif act == 12 and self.searches:
            search = self.one_of(*self.searches)
            search.resume(self.one_of(1, 1, 5, 50, self.nonsense()))
            return search.status, search.path.cost
        elif act == 13:
            field = planner.distance_map(*[self.place() for _ in range(self.rng.integers(0, 3))])
            return field.distance(self.place()), field.next_step(self.place()), field.path_from(self.place())
        elif act == 14:
            path = self.path()
            return (path.position_at(self.one_of(1, 2.5, self.nonsense())), path.smoothed().cost,
                    path.check(self.one_of(None, self.grid, self.nonsense())), path[self.one_of(0, 99, ...)])
        else:
            data = self.one_of(b"", b"BSTR" + bytes(64), bytes(self.rng.integers(0, 256, 200, np.uint8)))
            return Planner.open(self.grid, data, self.one_of("dba-star", "pra-star", "jps"))

    def run(self, calls):
        for _ in range(calls):
            try:
                self.call()
                self.answers += 1
            except TYPED:
                self.refusals += 1
            # Costs and heights make most planners refuse: a plain map again, every now and then.
            if self.rng.random() < 0.002:
                self.__init__(self.rng.integers(0, 2**31))


def test_fuzzed_calls_end_in_an_answer_or_a_typed_exception():
    fuzzers = [Fuzzer(seed) for seed in range(4)]
    # Two share a map and planners, so edits come between the calls of another thread.
    fuzzers[1].grid, fuzzers[1].planners = fuzzers[0].grid, fuzzers[0].planners
    problems = []

    def work(fuzzer):
        try:
            fuzzer.run(CALLS // len(fuzzers))
        except BaseException as problem:  # noqa: BLE001
            problems.append(problem)
            raise

    threads = [threading.Thread(target=work, args=[fuzzer]) for fuzzer in fuzzers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, repr(problems[0])


def resident():
    """Megabytes of memory in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_a_million_queries_leave_no_memory_behind(cave, places):
    grid = Grid(cave)
    planner = Planner(grid)
    starts, goals = places
    pairs = [((a, b), (c, d)) for (a, b), (c, d) in zip(starts.tolist(), goals.tolist())]
    many = np.tile(starts, (20, 1)), np.tile(goals, (20, 1))

    def some():
        for start, goal in pairs:
            planner.find(start, goal).cells
        planner.find_many(*many, threads=2)
        grid[3, 3] = not grid[3, 3]
        try:
            planner.find((-1, 0), "x")
        except blockstar.Error:
            pass

    # 500 one by one and 10,000 together each time. What the allocator keeps for its threads comes at
    # any time; a leak comes in every quarter: 8 bytes a query would be 2 MB.
    sizes = []
    for _ in range(5):
        for _ in range(250_000 // 10_500 + 1):
            some()
        gc.collect()
        sizes.append(resident())
    grown = [after - before for before, after in zip(sizes, sizes[1:])]
    assert min(grown) < 1, f"it grows by {grown} MB"


@pytest.mark.parametrize("name", ["auto", "jps", "astar", "block-astar", "dba-star"])
def test_while_a_map_is_edited_every_answer_is_of_one_state(name, cave, places):
    """One thread turns the map between two states, each in one edit; others ask. Every answer must
    be that of one state, and a whole table that of one and the same."""
    grid = Grid(cave)
    planner = Planner(grid, name)
    starts, goals = (column[:60] for column in places)
    other = cave.copy()
    other[20:40, 30:50] = ~other[20:40, 30:50]
    costs, fields = [], []
    source = tuple(starts[0])
    for state in (cave, other):
        costs.append(Planner(state, name).find_many(starts, goals, nearest=True).cost)
        fields.append(Planner(state, name).distance_map(source).to_array())
    stop, problems, seen = threading.Event(), [], set()
    field = planner.distance_map(source)

    def edit():
        while not stop.is_set():
            for state in (other, cave):
                grid[20:40, 30:50] = state[20:40, 30:50]
                time.sleep(0.0005)

    def single():
        for index, (start, goal) in 10 * list(enumerate(zip(starts, goals))):
            cost = planner.find(start, goal, nearest=True).cost
            if cost not in (costs[0][index], costs[1][index]):
                problems.append((index, cost))

    def table():
        for _ in range(100):
            cost = planner.find_many(starts, goals, nearest=True, threads=2).cost
            state = [index for index in (0, 1) if np.array_equal(cost, costs[index])]
            seen.update(state)
            if not state:
                problems.append("a table of two states")
            now = field.to_array()
            if not any(np.array_equal(now, values) for values in fields):
                problems.append("distances of two states")

    askers = [threading.Thread(target=target) for target in (single, single, table)]
    editor = threading.Thread(target=edit)
    for thread in (editor, *askers):
        thread.start()
    for thread in askers:
        thread.join()
    stop.set()
    editor.join()
    assert not problems, problems[:3]
    assert seen == {0, 1}, "both states were there to be seen"


def test_progress_may_ask_but_not_edit(cave, places):
    grid = Grid(cave)
    planner = Planner(grid)
    told = []

    def tell(done, count):
        told.append(planner.find((0, 0), (0, 0), nearest=True).status)
        with pytest.raises(blockstar.Error, match="afterwards"):
            grid[0, 0] = False

    planner.find_many(*places, progress=tell)
    assert told
    grid[0, 0] = False

    def fail(done, count):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        planner.find_many(*places, progress=fail)


# Threads of the test itself would take the interpreter from the signal: a process of its own.
INTERRUPTED = """
import numpy as np, os, signal, threading, time
import blockstar
rng = np.random.default_rng(1)
free = rng.random((512, 512)) > 0.3
planner = blockstar.Planner(free, "astar")
cells = np.argwhere(free)
starts, goals = cells[rng.integers(0, len(cells), (2, 1_000_000))]
sent = []
def press():
    time.sleep(0.5)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
try:
    planner.find_many(starts, goals, threads=THREADS)
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_a_long_job_within_a_tenth_of_a_second(threads):
    program = INTERRUPTED.replace("THREADS", str(threads))
    # The best of three: on a busy machine a thread may wait for its turn.
    taken = [
        float(subprocess.check_output([sys.executable, "-c", program], text=True))
        for _ in range(3)
    ]
    assert min(taken) < 0.1, taken
