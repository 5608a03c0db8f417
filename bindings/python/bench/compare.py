"""The package against others that plan on arrays: the same queries, one process, processor time.

    bench/run.sh [MAP …] [--queries 20]

Every package is asked under its own movement rule, and every cost is checked against Dijkstra's
algorithm (SciPy's) under that rule. Maps are MovingAI files with their scenarios beside them; without
any, three of `BLOCKSTAR_MAPS` are taken, or made ones. The table in README.md is written anew.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

import blockstar

HERE = Path(__file__).parent
ROOT = 2**0.5
Place = tuple[int, int]
#: Answers one query: the path as an (n, 2) array of rows and columns, or None.
Ask = Callable[[Place, Place], Any]


class Rule:
    """Eight moves: whether diagonal ones cut corners, and what they cost."""

    def __init__(self, name: str, cuts: bool, diagonal: float) -> None:
        self.name, self.cuts, self.diagonal = name, cuts, diagonal

    def graph(self, free: np.ndarray) -> Any:
        """The moves as a matrix, for SciPy."""
        number = np.arange(free.size).reshape(free.shape)
        rows, columns, costs = [], [], []
        for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
            height, width = free.shape[0] - down, free.shape[1] - abs(right)
            left = max(0, -right)
            a = np.s_[:height, left : left + width]
            b = np.s_[down : down + height, left + right : left + right + width]
            possible = free[a] & free[b]
            if down and right and not self.cuts:
                beside = np.s_[:height, left + right : left + right + width]
                below = np.s_[down : down + height, left : left + width]
                possible &= free[beside] & free[below]
            rows.append(number[a][possible])
            columns.append(number[b][possible])
            costs.append(np.full(len(rows[-1]), self.diagonal if down and right else 1.0))
        entries = np.concatenate(costs), (np.concatenate(rows), np.concatenate(columns))
        return coo_matrix(entries, shape=(free.size, free.size)).tocsr()

    def price(self, free: np.ndarray, path: Any) -> float:
        """The cost of a path, infinite if a step is none."""
        cells = np.asarray(path)
        if not free[tuple(cells.T)].all():
            return np.inf
        steps = np.abs(np.diff(cells, axis=0))
        if len(steps) and (steps.max() > 1 or steps.sum(1).min() == 0):
            return np.inf
        diagonal = steps.sum(1) == 2
        if not self.cuts:
            first, second = cells[:-1][diagonal], cells[1:][diagonal]
            if not (free[first[:, 0], second[:, 1]] & free[second[:, 0], first[:, 1]]).all():
                return np.inf
        return float((~diagonal).sum() + self.diagonal * diagonal.sum())


NO_CUTS = Rule("no corners cut", cuts=False, diagonal=ROOT)
CUTS = Rule("corners cut", cuts=True, diagonal=ROOT)
STEPS = Rule("corners cut, diagonals cost 1", cuts=True, diagonal=1.0)


def ours(free: np.ndarray, moves: str) -> Ask:
    planner = blockstar.Planner(free, "jps", moves)

    def ask(start: Place, goal: Place) -> Any:
        path = planner.find(start, goal)
        return path.cells if path else None

    return ask


def nano_astar(free: np.ndarray) -> Ask:
    from nano_astar import astar

    walls = np.ascontiguousarray(~free).view(np.uint8)

    def ask(start: Place, goal: Place) -> Any:
        found = astar(walls, start, goal)
        return None if found is None else found[0]

    return ask


def w9(free: np.ndarray) -> Ask:
    from w9_pathfinding.envs import DiagonalMovement, Grid
    from w9_pathfinding.pf import AStar

    grid = Grid(
        np.where(free, 1.0, -1.0).tolist(),
        diagonal_movement=DiagonalMovement.only_when_no_obstacle,
        diagonal_movement_cost_multiplier=ROOT,
    )
    finder = AStar(grid)

    def ask(start: Place, goal: Place) -> Any:
        path = finder.find_path(start[::-1], goal[::-1])
        return np.array(path)[:, ::-1] if path else None

    return ask


def tcod(free: np.ndarray) -> Ask:
    import tcod.path

    finder = tcod.path.AStar(free.astype(np.int8), diagonal=ROOT)

    def ask(start: Place, goal: Place) -> Any:
        path = finder.get_path(*start, *goal)
        return np.array([start, *path]) if path else None

    return ask


def scikit_image(free: np.ndarray) -> Ask:
    from skimage.graph import route_through_array

    costs = np.where(free, 1.0, -1.0)

    def ask(start: Place, goal: Place) -> Any:
        path, _ = route_through_array(costs, start, goal, fully_connected=True, geometric=True)
        return np.array(path)

    return ask


def networkx(free: np.ndarray) -> Ask:
    import networkx

    moves = NO_CUTS.graph(free).tocoo()
    graph = networkx.Graph()
    width = free.shape[1]
    graph.add_weighted_edges_from(
        (divmod(a, width), divmod(b, width), cost)
        for a, b, cost in zip(moves.row.tolist(), moves.col.tolist(), moves.data.tolist())
    )

    def octile(a: Place, b: Place) -> float:
        down, right = abs(a[0] - b[0]), abs(a[1] - b[1])
        return max(down, right) + (ROOT - 1) * min(down, right)

    def ask(start: Place, goal: Place) -> Any:
        return np.array(networkx.astar_path(graph, start, goal, octile))

    return ask


def pathfinding(free: np.ndarray) -> Ask:
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    grid = Grid(matrix=free.astype(int).tolist())
    finder = AStarFinder(diagonal_movement=DiagonalMovement.only_when_no_obstacle)

    def ask(start: Place, goal: Place) -> Any:
        grid.cleanup()
        path, _ = finder.find_path(grid.node(*start[::-1]), grid.node(*goal[::-1]), grid)
        return np.array([(node.y, node.x) for node in path]) if path else None

    return ask


def pyastar2d(free: np.ndarray) -> Ask:
    from pyastar2d import astar_path

    weights = np.where(free, 1.0, np.inf).astype(np.float32)
    return lambda start, goal: astar_path(weights, start, goal, allow_diagonal=True)


#: Name, module, its maker of planners and its own rule.
OTHERS: list[tuple[str, str, Callable[[np.ndarray], Ask], Rule]] = [
    ("nano-astar", "nano_astar", nano_astar, NO_CUTS),
    ("w9-pathfinding", "w9_pathfinding", w9, NO_CUTS),
    ("networkx", "networkx", networkx, NO_CUTS),
    ("pathfinding", "pathfinding", pathfinding, NO_CUTS),
    ("tcod", "tcod", tcod, CUTS),
    ("scikit-image", "skimage", scikit_image, CUTS),
    ("pyastar2d", "pyastar2d", pyastar2d, STEPS),
]


def maps(given: list[Path]) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Names, free cells and queries as rows of start and goal."""
    folder = os.environ.get("BLOCKSTAR_MAPS")
    if not given and folder:
        names = ["dao/arena2.map", "dao/hrt000d.map", "bg512/AR0011SR.map"]
        given = [Path(folder) / name for name in names]
    if given:
        found = []
        for file in given:
            lines = Path(f"{file}.scen").read_text().splitlines()[1:]
            numbers = np.array([line.split()[-5:-1] for line in lines if line.strip()], dtype=np.int64)
            found.append((file.stem, blockstar.Grid.open(file).free, numbers[:, [1, 0, 3, 2]]))
        return found
    rng = np.random.default_rng(2)
    made = []
    for name, size, blocked in [("random 10 %", 200, 0.1), ("random 30 %", 300, 0.3)]:
        free = rng.random((size, size)) > blocked
        field = blockstar.Planner(free).distance_map(tuple(np.argwhere(free)[0])).to_array()
        cells = np.argwhere(np.isfinite(field))
        made.append((name, free, cells[rng.integers(0, len(cells), (500, 2))].reshape(-1, 4)))
    return made


def with_path(free: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """The queries that have an answer: benchmark files hold others too."""
    _, parts = connected_components(NO_CUTS.graph(free), directed=False)
    parts = parts.reshape(free.shape)
    rows, columns, to_rows, to_columns = queries.T
    there = free[rows, columns] & free[to_rows, to_columns]
    there &= parts[rows, columns] == parts[to_rows, to_columns]
    return queries[there & ((rows != to_rows) | (columns != to_columns))]


def spread(queries: np.ndarray, count: int) -> np.ndarray:
    """Some queries, from the first to the last in even steps."""
    return queries[np.linspace(0, len(queries) - 1, min(count, len(queries))).astype(int)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("maps", nargs="*", type=Path)
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    there = []
    for name, module, make, rule in OTHERS:
        try:
            importlib.import_module(module)
        except ImportError as problem:
            print(f"{name} is left out: {problem}")
            continue
        there.append((f"{name} {importlib.metadata.version(name)}", make, rule))
    rows: list[tuple[str, Callable[[np.ndarray], Ask], Rule]] = [
        ("**blockstar jps**", lambda free: ours(free, "eight"), NO_CUTS),
        *[row for row in there if row[2] is NO_CUTS],
        ("**blockstar jps**", lambda free: ours(free, "eight-cut-any"), CUTS),
        *[row for row in there if row[2] is not NO_CUTS],
    ]
    worlds = maps(arguments.maps)
    milliseconds = np.full((len(rows), len(worlds)), np.inf)
    excess = np.zeros(len(rows))
    for column, (map_name, free, queries) in enumerate(worlds):
        queries = spread(with_path(free, queries), arguments.queries)
        pairs = [((a, b), (c, d)) for a, b, c, d in queries.tolist()]
        starts = sorted({a * free.shape[1] + b for a, b, _, _ in queries.tolist()})
        shortest = {}
        for rule in (NO_CUTS, CUTS, STEPS):
            distances = dijkstra(rule.graph(free), directed=False, indices=starts)
            shortest[rule.name] = [
                distances[starts.index(a * free.shape[1] + b), c * free.shape[1] + d]
                for a, b, c, d in queries.tolist()
            ]
        askers = [make(free) for _, make, _ in rows]
        for _ in range(arguments.rounds):
            for index, (ask, (name, _, rule)) in enumerate(zip(askers, rows)):
                begin = time.process_time()
                answers = [ask(start, goal) for start, goal in pairs]
                taken = 1000 * (time.process_time() - begin) / len(pairs)
                milliseconds[index, column] = min(milliseconds[index, column], taken)
                for number, (pair, path) in enumerate(zip(pairs, answers)):
                    assert path is not None and len(path), f"{name}: no path for {pair}"
                    ends = tuple(map(int, path[0])), tuple(map(int, path[-1]))
                    assert ends == pair, f"{name}: {ends} instead of {pair}"
                    cost = rule.price(free, path)
                    best = shortest[rule.name][number]
                    assert np.isfinite(cost), f"{name}: an illegal path for {pair} on {map_name}"
                    excess[index] = max(excess[index], cost / max(best, 1e-9) - 1)
    write(rows, worlds, milliseconds, excess, arguments)


def write(rows: Any, worlds: Any, milliseconds: Any, excess: Any, arguments: Any) -> None:
    """Puts the table into the README."""
    ours = {rule.name: index for index, (name, _, rule) in enumerate(rows) if "blockstar" in name}
    names = [name for name, *_ in worlds]
    lines = [
        f"| package | its rule | {' | '.join(f'{name} ms' for name in names)} | times ours | longer by |",
        "|---|---|" + "---|" * (len(names) + 2),
    ]
    for index, (name, _, rule) in enumerate(rows):
        base = ours.get(rule.name, ours[CUTS.name])
        ratios = milliseconds[index] / milliseconds[base]
        times = "1" if index == base else f"{ratios.min():.0f} to {ratios.max():.0f}"
        cells = " | ".join(f"{value:.3g}" for value in milliseconds[index])
        longer = "0" if excess[index] < 1e-6 else f"up to {100 * excess[index]:.2g} %"
        lines.append(f"| {name} | {rule.name} | {cells} | {times} | {longer} |")
    table = "\n".join(lines)
    print(table)
    readme = HERE / "README.md"
    text = readme.read_text()
    before, _, rest = text.partition("<!-- table -->")
    _, _, after = rest.partition("<!-- /table -->")
    readme.write_text(f"{before}<!-- table -->\n{table}\n<!-- /table -->{after}")


if __name__ == "__main__":
    main()
