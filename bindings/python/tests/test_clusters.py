"""Jobs on Ray and on Dask, on this machine's loopback alone, with a worker killed in the middle."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
from test_tables import parquet, read

from blockstar import Planner
from blockstar.distributed import Dask, Job, Ray, run, run_matrix

pytest.importorskip("pyarrow")
ROUTES = 20_000


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    """A map, a table of routes and what one process answers."""
    rng = np.random.default_rng(3)
    free = rng.random((128, 128)) > 0.2
    cells = np.argwhere(free)
    starts, goals = cells[rng.integers(0, len(cells), (2, ROUTES))]
    folder = tmp_path_factory.mktemp("job")
    expected = Planner(free).find_many(starts, goals)
    return Job(free, paths="turns"), parquet(folder, starts, goals), expected, cells


def engine_or_skip(name):
    if os.environ.get("CI"):
        return __import__(name)
    return pytest.importorskip(name)


@pytest.fixture(scope="module")
def ray():
    # Without this Ray asks for an address that others can reach, even for 127.0.0.1.
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    ray = engine_or_skip("ray")
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1",
        object_store_memory=100 * 2**20, configure_logging=False,
    )
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def dask():
    engine_or_skip("distributed")
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def kill_one(kill):
    """Tells progress, and kills a worker when half the work is done."""
    killed = []

    def progress(done):
        if not killed and done >= ROUTES // 2:
            killed.append(kill())

    return progress, killed


def check(folder, expected):
    answers = read(folder)
    assert np.array_equal(answers["status"].to_numpy(), expected.status)
    assert np.array_equal(answers["cost"].to_numpy(), expected.cost)
    assert answers["path"].to_pylist() == [path.tolist() for path in expected]


def test_ray_answers_like_one_process_though_a_worker_is_killed(ray, job, tmp_path):
    job, table, expected, _ = job

    def kill():
        pid = ray_workers()[0]
        os.kill(pid, signal.SIGKILL)
        return pid

    progress, killed = kill_one(kill)
    assert run(job, table, tmp_path / "out", on=Ray(), rows=1000, progress=progress) == ROUTES
    assert killed
    check(tmp_path / "out", expected)


def ray_workers():
    """The processes of this cluster that run pieces, by the titles that Ray gives them; those at
    work first."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            title = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            ours = os.getpid() in ancestors(int(folder.name))
        except (OSError, ValueError):
            continue
        if ours and title.startswith(("ray::answer", "ray::IDLE")):
            found.append((title.startswith("ray::IDLE"), int(folder.name)))
    return [pid for _, pid in sorted(found)]


def ancestors(pid):
    """The parents of a process."""
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        yield pid


def test_dask_answers_like_one_process_though_a_worker_is_killed(dask, job, tmp_path):
    job, table, expected, _ = job

    def kill():
        pid = next(iter(dask.run(os.getpid).values()))
        os.kill(pid, signal.SIGKILL)
        return pid

    progress, killed = kill_one(kill)
    assert run(job, table, tmp_path / "out", on=Dask(dask), rows=1000, progress=progress) == ROUTES
    assert killed
    check(tmp_path / "out", expected)


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_workers_write_into_a_folder_that_they_share(engine, request, job, tmp_path):
    job, table, expected, _ = job
    cluster = request.getfixturevalue(engine)
    on = Ray() if engine == "ray" else Dask(cluster)
    assert run(job, table, tmp_path / "out", on=on, rows=3000, shared=True) == ROUTES
    assert not list((tmp_path / "out").glob("*.part"))
    check(tmp_path / "out", expected)


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_matrices_of_costs_come_whole(engine, request, job):
    job, _, _, cells = job
    cluster = request.getfixturevalue(engine)
    on = Ray() if engine == "ray" else Dask(cluster)
    sources, targets = cells[5:200:13], cells[300:900:17]
    assert np.array_equal(
        run_matrix(job, sources, targets, on=on, rows=4), run_matrix(job, sources, targets)
    )
