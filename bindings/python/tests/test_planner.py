import pickle
import threading

import numpy as np
import pytest
from conftest import dijkstra

import blockstar
from blockstar import Error, Grid, Planner


@pytest.mark.parametrize("name", ["jps", "astar", "block-astar", "bidirectional-astar", "auto"])
def test_costs_are_those_of_dijkstra(name, cave, places):
    planner = Planner(cave, name)
    starts, goals = places
    routes = planner.find_many(starts, goals)
    for index in range(0, 500, 25):
        distances = dijkstra(cave, tuple(starts[index]))
        assert routes.cost[index] == pytest.approx(distances[tuple(goals[index])])


def test_one_by_one_and_together_are_the_same(cave, places):
    planner = Planner(cave)
    starts, goals = places
    for paths in ("turns", "cells"):
        routes = planner.find_many(starts, goals, paths=paths, threads=1)
        again = planner.find_many(starts, goals, paths=paths, threads=3)
        for column in ("status", "cost", "offsets", "points"):
            assert (getattr(routes, column) == getattr(again, column)).all()
        for index, (start, goal) in enumerate(zip(starts, goals)):
            path = planner.find(start, goal)
            assert path.cost == routes.cost[index]
            assert blockstar.STATUSES[routes.status[index]] == path.status
            assert (getattr(path, "points" if paths == "turns" else "cells") == routes[index]).all()
            if path:
                path.check()
                assert cave[tuple(path.cells.T)].all()
    nothing = planner.find_many(starts, goals, paths=None)
    assert (nothing.cost == routes.cost).all() and len(nothing.points) == 0


def test_a_planner_follows_edits(cave, rng):
    grid = Grid(cave)
    planner = Planner(grid)
    path = planner.find((0, 0), (0, 0), nearest=True)
    for _ in range(60):
        row, column = rng.integers(0, 55), rng.integers(0, 70)
        grid[row : row + 4, column : column + 4] = bool(rng.integers(0, 2))
        start, goal = np.argwhere(grid.free)[rng.integers(0, grid.free_cells, 2)]
        path = planner.find(start, goal)
        assert path.cost == pytest.approx(dijkstra(grid.free, tuple(start))[tuple(goal)])
    grid[...] = False
    assert not path.still_valid() or len(path) == 1
    with pytest.raises(Error):
        path.check()


def test_no_path_does_not_look_like_one():
    planner = Planner(np.eye(5) == 0)
    path = planner.find((0, 4), (4, 0))
    assert not path and len(path) == 0 and path.cost == np.inf and path.status == "no-path"
    assert path.points.shape == (0, 2) and path.position_at(1) is None
    near = planner.find((0, 4), (4, 0), nearest=True)
    assert near.status == "nearest" and near
    routes = planner.find_many([(0, 4)], [(4, 0)])
    assert routes.status[0] == 2 and routes.cost[0] == np.inf and len(routes[0]) == 0


def test_options_are_honoured(cave):
    planner = Planner(np.ones((9, 9), bool), "astar")
    wall = np.zeros((9, 9), bool)
    wall[1:, 4] = True
    assert planner.find((8, 0), (8, 8)).cost == 8
    assert planner.find((8, 0), (8, 8), avoid=wall).cost > 14
    assert planner.find((8, 0), (8, 8), max_expansions=1).status == "limit-reached"
    assert planner.find((8, 0), (8, 8), max_cost=3, partial=True).cost <= 3
    with pytest.raises(Error, match="nearst"):
        planner.find((8, 0), (8, 8), nearst=True)
    with pytest.raises(Error, match="shape"):
        planner.find((8, 0), (8, 8), avoid=wall[:4])
    with pytest.raises(Error, match="weight"):
        Planner(cave, "weighted-astar").find((0, 0), (1, 1), weight=0.5)


def test_any_angle_points_are_in_the_arrays_coordinates():
    free = np.ones((6, 6), bool)
    free[0:3, 3] = False
    planner = Planner(free, "anya", "any-angle")
    path = planner.find((0, 0), (0, 5))
    assert path.points.dtype == np.float64
    assert path.points[0].tolist() == [0, 0] and path.points[-1].tolist() == [0, 5]
    # Around the two lower corners of the wall, which lie half a cell from its centres.
    assert path.points[1:-1].tolist() == [[2.5, 2.5], [2.5, 3.5]]
    assert planner.find((0.25, 0.25), (4.5, 4.5)).points[0].tolist() == [0.25, 0.25]
    routes = planner.find_many([(0, 0)], [(0, 5)])
    assert (routes.points == path.points).all()
    smoothed = Planner(free).find((0, 0), (0, 5)).smoothed()
    assert smoothed.cost >= path.cost
    # To the first corner, and half a cell along the wall; places are snapped to 1/1024.
    to_corner = 2.5 * 2**0.5
    assert path.position_at(to_corner + 0.5) == pytest.approx((2.5, 3.0), abs=1e-3)
    assert path.position_at(1e9) == (0, 5) and path.position_at(0) == (0, 0)


def test_slices_give_the_same_path(cave, places):
    planner = Planner(cave, "astar")
    for start, goal in zip(*(column[:30] for column in places)):
        search = planner.begin(start, goal)
        while not search.resume(3):
            assert search.status == "working"
        whole = planner.find(start, goal)
        assert search.path.cost == whole.cost and (search.path.points == whole.points).all()


def test_an_edit_ends_a_search_under_way(cave):
    grid = Grid(np.ones((40, 40), bool))
    planner = Planner(grid, "astar")
    search = planner.begin((0, 0), (39, 20))
    assert not search.resume(2)
    grid[5, 5] = False
    with pytest.raises(blockstar.StaleError):
        search.resume(10)


def test_distance_maps_are_dijkstras(cave):
    grid = Grid(cave)
    planner = Planner(grid)
    source = tuple(np.argwhere(cave)[100])
    field = planner.distance_map(source)
    assert np.allclose(field.to_array(), dijkstra(cave, source))
    grid[20:25, 20:40] = False
    assert np.allclose(field.to_array(), dijkstra(grid.free, source))
    with pytest.raises(Error):
        planner.distance_map((99, 0))


@pytest.mark.parametrize("name", ["jps", "dba-star", "pra-star", "block-astar", "visibility-graph"])
def test_planners_survive_pickling_and_files(name, tmp_path, cave, places):
    moves = "any-angle" if name == "visibility-graph" else "eight"
    planner = Planner(cave, name, moves)
    copy = pickle.loads(pickle.dumps(planner))
    assert copy.spec == planner.spec and copy.grid == planner.grid
    saved = planner.save()
    others = [copy]
    if saved is not None:
        (tmp_path / "saved").write_bytes(saved)
        others.append(Planner.open(planner.grid, tmp_path / "saved", name, moves))
        with pytest.raises(blockstar.FileError):
            Planner.open(planner.grid, saved[: len(saved) // 2], name, moves)
    expected = planner.find_many(*places)
    for other in others:
        assert (other.find_many(*places).cost == expected.cost).all()


def test_settings_are_keywords(cave):
    planner = Planner(cave, "dba-star", sector=8, matrix=False)
    assert planner.spec == "dba-star:sector=8:matrix=off"
    with pytest.raises(Error, match="sector"):
        Planner(cave, "dba-star", sektor=8)
    with pytest.raises(blockstar.UnknownNameError, match="did you mean"):
        Planner(cave, "astra")
    with pytest.raises(blockstar.UnsupportedError):
        Planner(cave, "jps", "four")


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        ((0, 99), blockstar.OutsideError),
        ((-1, 0), Error),
        ("ab", Error),
        ((1,), Error),
        (None, Error),
        ((np.nan, 0.0), Error),
        ((10**30, 0), Error),
    ],
)
def test_bad_places_are_refused(start, kind, cave):
    with pytest.raises(kind):
        Planner(cave).find(start, (0, 0))


def test_a_bad_row_does_not_spoil_the_others(cave, places):
    starts, goals = (column.astype(np.int64).copy() for column in places)
    expected = Planner(cave).find_many(starts, goals)
    starts[17] = (999, 0)
    goals[20] = (-3, 4)
    routes = Planner(cave).find_many(starts, goals)
    assert sorted(routes.errors) == [17, 20] and routes.status[17] == 255
    assert "999" in routes.errors[17] and "-3" in routes.errors[20]
    kept = np.ones(500, bool)
    kept[[17, 20]] = False
    assert (routes.cost[kept] == expected.cost[kept]).all()


@pytest.mark.parametrize(
    ("starts", "goals", "words"),
    [
        (np.zeros((3, 3)), np.zeros((3, 2)), "shape"),
        (np.zeros((3, 2)), np.zeros((4, 2)), "3 starts and 4 goals"),
        (np.array([["a", "b"]]), np.zeros((1, 2)), "type"),
        (np.zeros(5), np.zeros(5), "shape"),
    ],
)
def test_bad_tables_are_refused(starts, goals, words, cave):
    with pytest.raises(Error, match=words):
        Planner(cave).find_many(starts, goals)


def test_empty_tables_and_single_places(cave, places):
    planner = Planner(cave)
    assert len(planner.find_many([], [])) == 0
    starts, _ = places
    routes = planner.find_many(starts, starts[0])
    assert routes.cost[0] == 0 and len(routes) == 500


def test_threads_may_share_a_planner(cave, places):
    grid = Grid(cave)
    planner = Planner(grid)
    expected = planner.find_many(*places).cost
    wrong = []

    def ask():
        for index, (start, goal) in enumerate(zip(*places)):
            if planner.find(start, goal).cost != expected[index]:
                wrong.append(index)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_progress_is_told(cave, places, capsys):
    told = []
    Planner(cave).find_many(*places, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (500, 500)
    Planner(cave).find_many(*places, progress=True)
    assert "500 of 500 routes" in capsys.readouterr().err


def test_pictures_show_themselves(cave):
    path = Planner(cave).find((0, 0), (30, 30), nearest=True)
    assert path._repr_png_().startswith(b"\x89PNG") and path._repr_svg_().startswith("<svg")


def test_the_benchmark_lengths_are_met(maps):
    file = maps / "dao" / "arena2.map"
    planner = Planner(Grid.open(file))
    lines = (maps / "dao" / "arena2.map.scen").read_text().splitlines()[1:]
    rows = np.array([line.split()[4:9] for line in lines if line.strip()], dtype=float)
    columns = rows[:, :4].astype(np.int64)
    routes = planner.find_many(columns[:, [1, 0]], columns[:, [3, 2]])
    # A length of 0 stands for no path, too.
    known = (rows[:, 4] > 0) | (columns[:, :2] == columns[:, 2:]).all(1)
    assert known.sum() > 900
    assert np.allclose(routes.cost[known], rows[known, 4], atol=1e-5)


@pytest.mark.parametrize("moves", ["eight", "any-angle"])
def test_xy_is_the_same_with_the_numbers_turned(moves, cave, places):
    rows = Planner(cave, moves=moves)
    xy = Planner(rows.grid, moves=moves, xy=True)
    starts, goals = places
    one, other = rows.find_many(starts, goals), xy.find_many(starts[:, ::-1], goals[:, ::-1])
    assert np.array_equal(one.cost, other.cost)
    assert np.array_equal(one.points, other.points[:, ::-1])
    for start, goal in zip(starts[:20], goals[:20]):
        path, turned = rows.find(start, goal), xy.find(start[::-1], goal[::-1])
        assert np.array_equal(path.points, turned.points[:, ::-1])
        assert np.array_equal(path.cells, turned.cells[:, ::-1])
        if path:
            assert path.position_at(3.3) == turned.position_at(3.3)[::-1]
    if moves == "eight":
        field, turned = rows.distance_map(starts[0]), xy.distance_map(starts[0][::-1])
        assert np.array_equal(field.to_array(), turned.to_array())
        assert field.next_step(goals[0]) == turned.next_step(goals[0][::-1])[::-1]
    with pytest.raises(blockstar.OutsideError, match=r"start \(99, 0\), \(row, column\)"):
        rows.find((99, 0), (0, 0))
    with pytest.raises(blockstar.OutsideError, match=r"start \(99, 0\), \(x, y\)"):
        xy.find((99, 0), (0, 0))
    assert pickle.loads(pickle.dumps(xy)).xy


def test_slopes_are_part_of_a_planner():
    heights = np.add.outer(np.arange(20.0) ** 1.5, np.arange(30.0))
    grid = Grid.from_heights(heights)
    slope = blockstar.Slope(2.0, climb=3.0, max_climb=3.0)
    planner = Planner(grid, slope=slope)
    up, down = planner.find((0, 0), (19, 29)), planner.find((19, 29), (0, 0))
    assert up.cost > down.cost > Planner(grid).find((0, 0), (19, 29)).cost
    copy = pickle.loads(pickle.dumps(planner))
    assert copy.slope == slope and copy.find((0, 0), (19, 29)).cost == up.cost
    assert planner.distance_map((19, 29)).distance((0, 0)) == pytest.approx(up.cost)
    with pytest.raises(Error):
        Planner(grid, slope=blockstar.Slope(-1.0))
    with pytest.raises(Error, match="no number"):
        Planner(grid, slope=blockstar.Slope("two"))


@pytest.mark.parametrize(
    ("name", "moves"),
    [("astar", "eight"), ("jps", "eight"), ("block-astar", "eight"), ("anya", "any-angle"),
     ("bidirectional-astar", "eight"), ("dba-star", "eight")],
)
def test_traces_tell_what_the_search_did(name, moves, cave, places):
    planner = Planner(cave, name, moves)
    start, goal = (column[0] for column in places)
    path = planner.find(start, goal, trace=True)
    trace, plain = path.trace, planner.find(start, goal)
    assert plain.trace is None and path.cost == plain.cost and path.stats == plain.stats
    assert len(trace) == len(trace.kinds) == len(trace.at) == len(trace.g) > 0
    assert trace.origins.shape == (len(trace), 2) and trace.dropped == 0
    if name == "astar":
        expanded = trace.kinds == trace.KINDS.index("expanded")
        assert expanded.sum() == path.stats["expanded"]
        assert cave[tuple(trace.at[expanded].astype(int).T)].all()
        assert (np.diff(trace.f[expanded]) > -1e-9).all()
    assert trace._repr_png_().startswith(b"\x89PNG") and trace._repr_svg_().startswith("<svg")
    assert planner.grid._repr_png_().startswith(b"\x89PNG")
    search = planner.begin(start, goal, trace=True)
    while not search.resume(7):
        pass
    assert np.array_equal(search.path.trace.kinds, trace.kinds)


def test_nothing_here_knows_the_planners_by_name(cave):
    """Every planner of the library can be had, whatever it is called."""
    for row in blockstar.planners():
        moves = "eight" if "eight" in row["moves"] else row["moves"][0]
        path = Planner(cave[:20, :20], row["name"], moves).find((0, 0), (0, 0), nearest=True)
        assert path.status in ("found", "nearest")
