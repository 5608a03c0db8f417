"""Grid path planning for maps that change: arrays in, paths out.

>>> import numpy as np, blockstar
>>> free = np.ones((100, 100), dtype=bool)
>>> free[20:90, 50] = False
>>> path = blockstar.find(free, (50, 10), (50, 90))
>>> path.status, round(path.cost, 2)
('found', 105.68)

Places are (row, column), as in the array, everywhere; a `Planner` with `xy=True` takes and gives (x,
y) instead.
"""

from ._blockstar import DistanceMap, Path, Search, Trace, __version__, planners
from .errors import (
    Error,
    FileError,
    OutsideError,
    StaleError,
    UnknownNameError,
    UnsupportedError,
)
from .explorer import Explorer, explore
from .grid import Grid
from .planner import Planner, Slope, find
from .routes import STATUSES, Routes
from .world import World

__all__ = [
    "STATUSES",
    "DistanceMap",
    "Error",
    "Explorer",
    "FileError",
    "Grid",
    "OutsideError",
    "Path",
    "Planner",
    "Routes",
    "Search",
    "Slope",
    "StaleError",
    "Trace",
    "UnknownNameError",
    "UnsupportedError",
    "World",
    "__version__",
    "explore",
    "find",
    "planners",
]
