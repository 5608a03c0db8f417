//! Competition instances: how their files are read, and how crowds do on them.

use crate::crowd_pitfalls::finish;
use blockstar::random::Random;
use blockstar::{Cell, Grid, Rule, format::movingai};
use blockstar_world::crowd::instance::{parse_agents, parse_tasks};
use blockstar_world::crowd::{Crowd, Stepping, Tasks};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn bad_files_get_a_line_and_a_sentence() {
    let grid = Grid::from_ascii("...\n.#.").unwrap();
    let agents = |text: &str, team| parse_agents(text.as_bytes(), &grid, team);
    assert_eq!(agents("# one\n2\n0\n\n5\n", 2).unwrap(), [Cell::new(0, 0), Cell::new(2, 1)]);
    for (text, team, line, piece) in [
        ("", 1, 1, "number of agents is missing"),
        ("two\n", 1, 1, "`two` is not the number"),
        ("1\n0\n", 2, 1, "has 1 agents, but the team has 2"),
        ("2\n0\n", 2, 2, "ends after 1 agents"),
        ("2\n0\n-1\n", 2, 3, "`-1` is not a location: write row * 3 + column"),
        ("2\n0\n6\n", 2, 3, "outside the map of 3 x 2 cells, whose last location is 5"),
        ("2\n0\n99999999999999999999\n", 2, 3, "is not a location"),
        ("# a\n2\n0\n4\n", 2, 4, "(1, 1), which is blocked"),
        ("2\n3\n3\n", 2, 3, "the agent of line 2 starts on (0, 1) as well"),
    ] {
        let error = agents(text, team).unwrap_err();
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.to_string().contains(piece), "{text:?}: {error}");
    }
    let tasks = |text: &str| parse_tasks(text.as_bytes(), &grid);
    assert_eq!(tasks("1\n0, 5").unwrap(), [[Cell::new(0, 0), Cell::new(2, 1)]]);
    for (text, line, piece) in [
        ("2\n0,1\n", 2, "ends after 1 tasks, but says it has 2"),
        ("1\n0,,1\n", 2, "`` is not a location"),
        ("1\n0,4\n", 2, "blocked"),
        ("99999999999999\n0\n", 2, "ends after 1 tasks"),
    ] {
        let error = tasks(text).unwrap_err();
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.to_string().contains(piece), "{text:?}: {error}");
    }
    let mut random = Random::new(9);
    for _ in 0..5000 {
        // Any answer will do, but there must be one.
        let _ = parse_agents(&random.damage(b"# c\n3\n0\n1\n2\n"), &grid, 3);
        let _ = parse_tasks(&random.damage(b"3\n0,1\n1\n2,3\n"), &grid);
    }
}

/// The folder of the instances.
fn folder() -> Option<PathBuf> {
    let root = std::env::var_os("BLOCKSTAR_CROWDS").map(PathBuf::from);
    if root.is_none() {
        eprintln!("BLOCKSTAR_CROWDS is not set: the crowd instances are not tested");
    }
    root
}

/// Map, starts and tasks of an instance.
fn instance(folder: &Path) -> (Grid, Vec<Cell>, Vec<Vec<Cell>>) {
    let only = |part: &str| {
        let mut files = std::fs::read_dir(folder.join(part)).unwrap();
        std::fs::read(files.next().unwrap().unwrap().path()).unwrap()
    };
    let grid = movingai::parse_map(&only("maps")).unwrap();
    let agents = only("agents");
    let team = String::from_utf8_lossy(&agents).lines().count() - 2;
    let starts = parse_agents(&agents, &grid, team).unwrap();
    let tasks = parse_tasks(&only("tasks"), &grid).unwrap();
    (grid, starts, tasks)
}

#[test]
fn one_goal_each_on_the_random_instance() {
    let Some(folder) = folder() else { return };
    let (grid, starts, tasks) = instance(&folder.join("random"));
    let mut taken = BTreeSet::new();
    let firsts = tasks.iter().map(|task| task[0]).filter(|&goal| taken.insert(goal));
    let goals: Vec<Cell> = firsts.take(starts.len()).collect();
    let mut crowd = Crowd::new(grid, Rule::Four, &starts, Stepping::Cooperative).unwrap();
    crowd.set_goals(&goals).unwrap();
    let least = crowd.lower_bound() as f64;
    finish(&mut crowd, 1000).expect("all arrive");
    let ratio = crowd.sum_of_costs() as f64 / least;
    assert!(ratio <= 1.35, "{ratio}");
}

#[test]
fn tasks_on_small_instances_and_greedy_steps_lose() {
    let Some(folder) = folder() else { return };
    for name in ["maze", "random"] {
        let finished = |stepping| {
            let (grid, starts, tasks) = instance(&folder.join(name));
            let mut crowd = Crowd::new(grid, Rule::Four, &starts, stepping).unwrap();
            crowd.set_tasks(Tasks::new(tasks, starts.len() * 3 / 2)).unwrap();
            // Nobody is at a goal for long, so this goes on to the end.
            finish(&mut crowd, 200);
            crowd.tasks_finished()
        };
        let (together, alone) = (finished(Stepping::Cooperative), finished(Stepping::Greedy));
        assert!(together > 5 * alone, "{name}: {together} against {alone}");
    }
}

#[test]
fn a_thousand_units_on_a_large_map() {
    let Some(folder) = folder() else { return };
    let (grid, starts, tasks) = instance(&folder.join("game"));
    let mut crowd = Crowd::new(grid, Rule::Four, &starts, Stepping::Cooperative).unwrap();
    crowd.set_tasks(Tasks::new(tasks, starts.len() * 3 / 2)).unwrap();
    finish(&mut crowd, 60);
    assert!(crowd.tasks_finished() > 20);
    assert!(crowd.unit_bytes() / starts.len() < 8192);
}
