import pickle

import numpy as np
import pytest

import blockstar
from blockstar import Error, World


def crowd(cave):
    """A world with 60 units that are on their way."""
    world = World(cave, {"scout": {"speed": 6.0}, "tank": {"size": 2, "speed": 3.0}})
    cells = np.argwhere(cave)
    scouts = world.spawn(cells[:200:4], "scout", team=1)
    world.go(scouts, cells[-1])
    world.wait(scouts[:10], 20)
    return world, scouts


def test_columns_are_arrays_of_one_order(cave):
    world, scouts = crowd(cave)
    world.tick()
    assert world.ids.dtype == np.uint64 and set(world.ids) == set(scouts) and len(world) == 50
    assert world.cells.shape == world.positions.shape == world.headings.shape == (50, 2)
    assert world.states.shape == (50,) and cave[tuple(world.cells.T)].all()
    assert np.abs(world.positions - world.cells).max() <= 1
    world.despawn(scouts[:5])
    world.tick()
    assert len(world.ids) == 45 and not set(scouts[:5].tolist()) & set(world.ids.tolist())
    with pytest.raises(Error, match="no unit"):
        world.go(scouts[:1], (0, 0))


def test_nobody_shares_a_cell_or_walks_through_walls(cave):
    world, _ = crowd(cave)
    free = cave.copy()
    for tick in range(200):
        if tick == 40:
            free[30:33, 20:60] = False
            world[30:33, 20:60] = False
        world.tick()
        assert len(np.unique(world.cells, axis=0)) == 50
        if tick > 42:
            assert free[tuple(world.cells.T)].all()


def test_the_same_commands_lead_to_the_same_world(cave):
    one, _ = crowd(cave)
    other, _ = crowd(cave)
    other.set_threads(2)
    one.tick(60)
    for _ in range(60):
        other.tick()
    assert one.state_hash == other.state_hash
    third = pickle.loads(pickle.dumps(one))
    fourth = World.load(one.save())
    for world in (one, third, fourth):
        world.tick(60)
    assert one.state_hash == third.state_hash == fourth.state_hash
    assert np.array_equal(one.positions, third.positions) and third.classes == ["scout", "tank"]


def test_orders_of_all_kinds():
    world = World(np.ones((30, 30), bool))
    a, b = world.spawn([(5, 5), (20, 20)])
    world.patrol([a], [(5, 5), (5, 20)])
    world.follow([b], a)
    world.tick(100)
    places = dict(zip(world.ids.tolist(), world.cells.tolist()))
    assert np.abs(np.subtract(places[int(a)], places[int(b)])).max() <= 6
    world.hold([a])
    world.flee([b], int(a), 8)
    world.tick(200)
    places = dict(zip(world.ids.tolist(), world.cells.tolist()))
    assert np.abs(np.subtract(places[int(a)], places[int(b)])).max() >= 6
    world.go([b], (0, 0), (29, 29), near=0)
    world.stop([b])


@pytest.mark.parametrize("stepping", ["cells", "plane", "ghost"])
def test_units_arrive_however_they_step(stepping):
    free = np.ones((30, 40), bool)
    free[5:25, 20] = False
    world = World(free, stepping=stepping)
    units = world.spawn([(15, 5), (16, 5), (17, 5)])
    world.go(units, (15, 35))
    arrived = [unit for _, event, unit in world.tick(900) if event == "arrived"]
    assert sorted(arrived) == sorted(units.tolist())


def test_bad_worlds_and_orders_are_refused(cave):
    with pytest.raises(Error, match="speed"):
        World(cave, {"a": {"speed": -1}})
    with pytest.raises(Error, match="colour"):
        World(cave, {"a": {"colour": "red"}})
    with pytest.raises(Error, match="under_unit"):
        World(cave, under_unit="eat")
    with pytest.raises(Error, match="stepping"):
        World(cave, stepping="jump")
    world = World(cave)
    wall = np.argwhere(~cave)[0]
    free = np.argwhere(cave)[:3]
    with pytest.raises(Error, match=f"\\({wall[0]}, {wall[1]}\\)"):
        world.spawn([*free, wall])
    assert len(world) == 0, "all or none"
    with pytest.raises(blockstar.OutsideError, match="99"):
        world.spawn([(99, 0)])
    with pytest.raises(Error, match="no class"):
        world.spawn(free, "tank")
    units = world.spawn(free)
    for bad in (lambda: world.go(units), lambda: world.go(["a"], (0, 0)), lambda: world.go(units, "ab"),
                lambda: world.edit((99, 0), True), lambda: World.load(b"nonsense")):
        with pytest.raises((Error, IndexError)):
            bad()


def test_groups_stand_in_formation_at_one_pace():
    world = World(np.ones((40, 80), dtype=bool), {"fast": {"speed": 8.0}, "slow": {"speed": 2.0}})
    units = np.concatenate([
        world.spawn([(row, 2) for row in range(10, 16)], "fast"),
        world.spawn([(row, 4) for row in range(10, 16)], "slow"),
    ])
    world.go(units, (20, 60), formation="line", pace="slowest")
    world.tick(60)
    rows, columns = world.cells.T
    assert columns.max() - columns.min() < 12, "the fast ones wait for the slow ones"
    world.tick(1500)
    assert (world.states == World.STATES.index("arrived")).all()
    rows, columns = world.cells.T
    assert min(len(set(rows)), len(set(columns))) <= 3, world.cells
    for wrong in ({"formation": "star"}, {"pace": "quick"}):
        with pytest.raises(Error, match="use one of"):
            world.go(units, (20, 60), **wrong)


def test_doors_let_those_with_the_key_pass():
    free = np.ones((9, 21), dtype=bool)
    free[:, 10] = False
    free[3:6, 10] = True
    world = World(free, {"guest": {}, "guard": {"keys": [3, 5]}})
    door = world.add_door((slice(3, 6), 10), lock=3)
    assert world.doors == [True]
    guest, guard = world.spawn([(4, 2)], "guest"), world.spawn([(6, 2)], "guard")
    world.go(guest, (4, 18))
    world.go(guard, (6, 18))
    world.tick()
    assert world.turn_door(door, False) >= 1 and world.doors == [False]
    world.tick(400)
    columns = dict(zip(world.ids.tolist(), world.cells[:, 1].tolist()))
    assert columns[guest[0]] < 10 and columns[guard[0]] == 18
    world.turn_door(door, True)
    world.go(guest, (4, 18))
    world.tick(400)
    assert world.cells[:, 1].min() > 10
    with pytest.raises(Error, match="no door 1"):
        world.turn_door(1, True)
    with pytest.raises(Error, match="0 to 31"):
        world.add_door((0, 0), lock=32)
    with pytest.raises(Error, match="radius"):
        World(free, {"disc": {"radius": 9.0}}, stepping="plane")


def test_units_gather_beside_a_building():
    free = np.ones((30, 30), dtype=bool)
    free[12:18, 12:18] = False
    world = World(free)
    units = world.spawn([(2, column) for column in range(3, 9)])
    world.go_beside(units, (slice(12, 18), slice(12, 18)))
    world.tick(600)
    rows, columns = world.cells.T
    beside = (rows >= 10) & (rows <= 19) & (columns >= 10) & (columns <= 19)
    assert beside.all() and free[rows, columns].all(), world.cells
