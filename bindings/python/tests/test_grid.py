import copy
import pickle

import numpy as np
import pytest

import blockstar
from blockstar import Error, Grid


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int8, np.int32, np.int64, np.uint64])
def test_any_array_of_whole_numbers_is_a_map(dtype, cave):
    grid = Grid(cave.astype(dtype))
    assert grid.shape == cave.shape and (grid.free == cave).all()
    assert grid.free_cells == cave.sum()


@pytest.mark.parametrize(
    "view",
    [lambda a: a[::2, ::3], lambda a: a[::-1], lambda a: a.T, np.asfortranarray],
    ids=["strided", "reversed", "transposed", "by columns"],
)
def test_arrays_in_any_order_are_read_as_they_look(view, cave):
    assert (Grid(view(cave)).free == view(cave)).all()


def test_read_only_arrays_and_lists_are_fine(cave):
    cave.flags.writeable = False
    assert Grid(cave) == Grid(cave.tolist())


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (np.ones(5, bool), "1 dimensions"),
        (np.ones((2, 2, 2), bool), "3 dimensions"),
        (np.ones((2, 2)), "float64"),
        (np.array([["a", "b"]]), "U1"),
        (np.ones((0, 3), bool), "0"),
        (np.ones((1, 16385), bool), "16385"),
    ],
)
def test_what_is_no_map_is_refused_by_name(bad, words):
    with pytest.raises(Error, match=words):
        Grid(bad)


def test_a_slice_is_one_edit(cave):
    grid = Grid(cave)
    before = grid.version
    expected = cave.copy()
    for key, value in [
        (np.s_[10:20, 5], False),
        (np.s_[3, :], True),
        (np.s_[-4:, -2:], np.eye(4, 2, dtype=bool)),
        (np.s_[7, 7], False),
        (np.s_[...], None),
    ]:
        value = ~expected if value is None else value
        expected[key] = value
        grid[key] = value
        assert (grid.free == expected).all()
    assert grid.version > before
    version = grid.version
    grid[2:5, 2:5] = expected[2:5, 2:5]
    assert grid.version == version, "an edit that changes nothing is none"


def test_edits_off_the_map_and_odd_keys_are_refused():
    grid = Grid(np.ones((4, 4), bool))
    for key in [(4, 0), (0, -5)]:
        with pytest.raises(IndexError):
            grid[key] = False
    for key in [np.s_[::2, 0], "a", (1, 2, 3), 1.5]:
        with pytest.raises(Error):
            grid[key] = False
    with pytest.raises(Error, match="does not fit"):
        grid[0:2, 0:2] = np.ones((3, 3), bool)
    assert grid.free_cells == 16


def test_costs_and_heights():
    costs = np.array([[1.0, 2.5, 0.0], [np.inf, 1.0, 0.25]])
    grid = Grid.from_costs(costs)
    assert (grid.costs == np.where(np.isinf(costs), 0, costs)).all()
    grid.set_costs(np.s_[0, :], 3)
    assert grid.costs[0].tolist() == [3, 3, 3]
    with pytest.raises(Error, match=r"\(1, 2\) is not a number"):
        Grid.from_costs([[1, 1, 1], [1, 1, np.nan]])
    with pytest.raises(Error, match="256"):
        Grid.from_costs([[1, 256]])
    hills = Grid.from_heights([[0.0, 1.5], [np.nan, 2.0]])
    assert hills.free.tolist() == [[True, True], [False, True]]
    assert hills.heights[0].tolist() == [0.0, 1.5]


def test_files_copies_and_pickles(tmp_path, cave):
    grid = Grid(cave)
    grid.save(tmp_path / "cave.map")
    assert Grid.open(tmp_path / "cave.map") == grid
    (tmp_path / "bad.map").write_bytes(b"type octile\nheight 99999999999\nwidth 3\nmap\n...")
    with pytest.raises(blockstar.Error):
        Grid.open(tmp_path / "bad.map")
    weighted = Grid.from_costs(np.where(cave, 2.0, 0.0))
    weighted.set_heights(np.s_[...], np.arange(cave.size).reshape(cave.shape))
    for other in (pickle.loads(pickle.dumps(weighted)), copy.copy(weighted), weighted.copy()):
        assert other == weighted and other.content_hash == weighted.content_hash
        assert (other.heights == weighted.heights).all()
    other[0, 0] = not other[0, 0]
    assert other != weighted
