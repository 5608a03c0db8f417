"""What the tests share: maps, an independent planner, the folder of benchmark maps."""

from __future__ import annotations

import heapq
import math
import os
from pathlib import Path

import numpy as np
import pytest

STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def dijkstra(free, start):
    """Distances from a cell with eight moves that cut no corners: slow, and obviously right."""
    distances = np.full(free.shape, np.inf)
    if not free[start]:
        return distances
    distances[start] = 0.0
    queue = [(0.0, start)]
    while queue:
        cost, (row, column) = heapq.heappop(queue)
        if cost > distances[row, column]:
            continue
        for down, right in STEPS:
            r, c = row + down, column + right
            if not (0 <= r < free.shape[0] and 0 <= c < free.shape[1] and free[r, c]):
                continue
            if down and right and not (free[row, c] and free[r, column]):
                continue
            total = cost + math.hypot(down, right)
            if total < distances[r, c] - 1e-9:
                distances[r, c] = total
                heapq.heappush(queue, (total, (r, c)))
    return distances


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def cave(rng):
    """A map of 60 x 80 cells, a quarter of them blocked."""
    return rng.random((60, 80)) > 0.25


@pytest.fixture
def places(rng, cave):
    """500 starts and goals on free cells."""
    cells = np.argwhere(cave)
    return cells[rng.integers(0, len(cells), 500)], cells[rng.integers(0, len(cells), 500)]


@pytest.fixture
def maps():
    folder = os.environ.get("BLOCKSTAR_MAPS")
    if folder is None and os.environ.get("CI"):
        pytest.fail("BLOCKSTAR_MAPS is not set: set it to nothing to skip the benchmark maps")
    if not folder:
        pytest.skip("BLOCKSTAR_MAPS is not set: the benchmark maps are skipped")
    return Path(folder)
