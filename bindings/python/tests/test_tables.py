import sys

import numpy as np
import pytest

from blockstar import Error, Grid, Planner, Slope
from blockstar.distributed import Job, cost_matrix, pieces, run, run_matrix


@pytest.mark.parametrize("moves", ["eight", "any-angle"])
def test_arrow_takes_the_answers_as_they_are(moves, cave, places):
    pyarrow = pytest.importorskip("pyarrow")
    routes = Planner(cave, moves=moves).find_many(*places)
    table = pyarrow.table(routes)
    table.validate(full=True)
    assert table.num_rows == 500
    assert np.array_equal(table["cost"].to_numpy(), routes.cost)
    assert table["path"].to_pylist() == [path.tolist() for path in routes]
    # The memory is the arrays' own, and lives on when they are gone.
    buffers = table["cost"].chunk(0).buffers()
    assert buffers[1].address == routes.cost.ctypes.data
    expected = routes.cost.copy()
    del routes
    assert np.array_equal(table["cost"].to_numpy(), expected)


def test_arrow_streams_are_let_go(cave, places):
    routes = Planner(cave).find_many(*places)
    before = sys.getrefcount(routes.cost)
    for _ in range(100):
        routes.__arrow_c_stream__()
    untaken = sys.getrefcount(routes.cost)
    pyarrow = pytest.importorskip("pyarrow")
    for _ in range(100):
        pyarrow.table(routes)
        pyarrow.RecordBatchReader.from_stream(routes)  # which nobody reads
    taken = sys.getrefcount(routes.cost)
    assert (untaken, taken) == (before, before)


def test_empty_answers_are_tables_too(cave):
    pyarrow = pytest.importorskip("pyarrow")
    planner = Planner(cave)
    assert pyarrow.table(planner.find_many([], [])).num_rows == 0
    none = pyarrow.table(planner.find_many([(0, 0)], [(0, 1)], paths=None))
    assert none["path"].to_pylist() == [[]]


def test_polars_and_duckdb_take_the_answers_as_they_are(cave, places):
    routes = Planner(cave).find_many(*places)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(routes)
    assert np.array_equal(frame["cost"].to_numpy(), routes.cost)
    assert frame["path"].to_list() == [path.tolist() for path in routes]
    duckdb = pytest.importorskip("duckdb")
    [(found, longest)] = duckdb.sql(
        "select count(*), max(len(path)) from routes where status = 0"
    ).fetchall()
    assert found == (routes.status == 0).sum()
    assert longest == np.diff(routes.offsets).max()


def test_polars_plans_for_each_row(cave, places):
    polars = pytest.importorskip("polars")
    import blockstar.polars  # noqa: F401

    planner = Planner(cave)
    starts, goals = places
    frame = polars.DataFrame({"start": starts.tolist(), "goal": goals.tolist()})
    answers = frame.select(polars.struct("start", "goal").blockstar.route(planner))["route"]
    assert np.array_equal(answers.struct.field("cost").to_numpy(), planner.find_many(starts, goals).cost)
    with pytest.raises(Exception, match="row 1"):
        blockstar.polars.answer(planner, polars.Series([[1, 2], None]), polars.Series([[1, 2], [3, 4]]))


def parquet(folder, starts, goals):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    names = ("start_row", "start_column", "goal_row", "goal_column")
    columns = np.concatenate([starts, goals], 1).T
    pyarrow.parquet.write_table(pyarrow.table(dict(zip(names, columns))), folder / "routes.parquet")
    return folder / "routes.parquet"


def read(folder):
    import pyarrow.dataset

    files = sorted(folder.glob("*.parquet"))
    return pyarrow.dataset.dataset([str(file) for file in files]).to_table()


def test_a_job_in_pieces_equals_one_call(tmp_path, cave, places):
    table = parquet(tmp_path, *places)
    assert run(Job(cave, paths="turns"), table, tmp_path / "answers", rows=64) == 500
    answers, routes = read(tmp_path / "answers"), Planner(cave).find_many(*places)
    assert np.array_equal(answers["cost"].to_numpy(), routes.cost)
    assert answers["path"][7].as_py() == routes[7].tolist()
    with pytest.raises(Error, match="empty folder"):
        run(Job(cave), table, tmp_path / "answers")


def test_a_job_that_was_stopped_goes_on_where_it_was(tmp_path, cave, places):
    table, job, folder = parquet(tmp_path, *places), Job(cave), tmp_path / "answers"

    class PowerCut(Exception):
        pass

    def cut(done):
        if done > 200:
            raise PowerCut

    with pytest.raises(PowerCut):
        run(job, table, folder, rows=50, progress=cut)
    kept = {file: file.stat().st_mtime_ns for file in folder.glob("*.parquet")}
    assert 0 < len(kept) < 10
    assert run(job, table, folder, rows=50) == 500
    assert all(file.stat().st_mtime_ns == time for file, time in kept.items())
    assert np.array_equal(read(folder)["cost"].to_numpy(), Planner(cave).find_many(*places).cost)


def test_a_map_by_its_file_is_the_same_everywhere(tmp_path, cave, places):
    from blockstar import distributed

    file = tmp_path / "cave.map"
    Grid(cave).save(file)
    packed = Job(file).packed()
    starts, goals = places
    rows = np.concatenate([starts, goals], 1).astype(np.int64)
    expected = Planner(cave).find_many(starts, goals).cost
    assert np.array_equal(distributed.answer(packed, rows)["cost"], expected)
    Grid(~cave).save(file)
    distributed._kept.clear()
    with pytest.raises(Error, match="another map"):
        distributed.answer(packed, rows)


def test_bad_jobs_are_refused(tmp_path, cave, places):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"start_row": [1]}), tmp_path / "bad.parquet")
    with pytest.raises(Error, match="start_column"):
        list(pieces(tmp_path / "bad.parquet"))
    with pytest.raises(Error, match="0 rows"):
        list(pieces(parquet(tmp_path, *places), 0))


def test_matrices_of_costs_do_not_depend_on_their_shape(cave):
    cells = np.argwhere(cave)
    planner, few, many = Planner(cave), cells[5:9], cells[100:200:7]
    matrix = cost_matrix(planner, few, many)
    assert np.array_equal(matrix, cost_matrix(planner, many, few).T)
    routes = planner.find_many(np.repeat(few, len(many), 0), np.tile(many, (len(few), 1)))
    assert np.allclose(matrix.reshape(-1), routes.cost)
    whole = run_matrix(Job(cave), many, few, rows=4)
    assert np.array_equal(whole, matrix.T)


def test_matrices_on_slopes_know_there_from_back():
    heights = np.array([[0.0, 3.0, 9.0]])
    planner = Planner(Grid.from_heights(heights), slope=Slope(1.0, climb=2.0, planar=True))
    assert cost_matrix(planner, [(0, 0)], [(0, 2)])[0, 0] == pytest.approx(20)
    assert cost_matrix(planner, [(0, 2)], [(0, 0)])[0, 0] == pytest.approx(2)
    assert cost_matrix(planner, [(0, 0), (0, 2)], [(0, 0)])[:, 0] == pytest.approx([0, 2])
