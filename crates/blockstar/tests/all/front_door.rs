//! What a program meets first: types for planners, settings with names, values that can be
//! compared, copied, shared between threads and read back.

use blockstar::{
    Algorithm, Anya, Astar, Batch, BlockAstar, Budget, Cell, DbaStar, Dijkstra, DistanceMap, Grid,
    Heuristic, IdaStar, Jps, KnnLrtaStar, Lddb, Memory, Moves, Path, Planner, PlannerSpec, Point,
    PraStar, Promise, Query, Rule, Scratch, Slope, Stats, Status, Tile, Trace, generate,
};
use std::collections::HashSet;

/// The settings of a builder, as the command line writes them.
macro_rules! written {
    ($builder:expr) => {
        $builder.spec().unwrap().to_string()
    };
}

#[test]
fn typed_settings_are_those_of_the_command_line() {
    assert_eq!(written!(Jps::builder()), "jps");
    assert_eq!(written!(IdaStar::builder().without_table()), "ida-star:table=off");
    assert_eq!(
        written!(BlockAstar::builder().block(8).memory(64)),
        "block-astar:block=8:memory=64"
    );
    assert_eq!(
        written!(DbaStar::builder().sector_size(16, 12).depth(3).trim_ends_only().without_matrix()),
        "dba-star:sector=16x12:depth=3:trim=ends:matrix=off"
    );
    assert_eq!(
        written!(PraStar::builder().cliques().ring(2).straight_estimate()),
        "pra-star:abstraction=cliques:ring=2:estimate=straight"
    );
    // The last word counts.
    assert_eq!(written!(DbaStar::builder().depth(1).depth(4)), "dba-star:depth=4");
}

#[test]
fn the_first_setting_out_of_range_is_named_when_the_planner_is_built() {
    let grid = Grid::new(8, 8).unwrap();
    let refused = DbaStar::builder().depth(9).sector(1).build(&grid, Moves::EIGHT).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "dba-star cannot take `depth=9`: use a whole number from 1 to 4"
    );
    let unsupported = Jps::new(&grid, Moves::FOUR).unwrap_err().to_string();
    assert!(unsupported.contains("jps") && unsupported.contains("four"), "{unsupported}");
}

#[test]
fn a_planner_tells_what_it_is() {
    let grid = Grid::new(8, 8).unwrap();
    let boxed: Box<dyn Planner> = Anya::new(&grid, Moves::ANY_ANGLE).unwrap().into();
    assert_eq!((boxed.name(), boxed.moves()), ("anya", Moves::ANY_ANGLE));
    assert_eq!(boxed.row().promise, Promise::Optimal);
    assert!(format!("{boxed:?}").starts_with("anya for any-angle"));
    for row in Algorithm::all() {
        let moves = Moves::new(row.rules[0]);
        let planner = row.choose().prepare(&grid, moves).unwrap();
        assert_eq!((planner.name(), planner.moves()), (row.name, moves));
        assert!(format!("{planner:?}").to_lowercase().contains(row.name), "{planner:?}");
    }
}

#[test]
fn a_clone_is_a_planner_of_its_own() {
    let mut grid = generate::rooms(40, 40, 8, 3).unwrap();
    let query = Query::new((1, 1), (38, 38)).nearest();
    for row in Algorithm::all() {
        let moves = Moves::new(row.rules[0]);
        let original = row.choose().prepare(&grid, moves).unwrap();
        let (mut one, mut other) = (Scratch::new(), Scratch::new());
        let mut clone = original.clone();
        let status = original.find(&grid, &query, &mut one).unwrap();
        assert_eq!(clone.find(&grid, &query, &mut other).unwrap(), status, "{}", row.name);
        assert_eq!(one.path(), other.path(), "{}", row.name);
        // The clone follows an edit, the original does not and says so.
        let cell = grid.is_free((20, 20));
        grid.set((20, 20), if cell { Tile::Blocked } else { Tile::Free }).unwrap();
        clone.update(&grid).unwrap();
        clone.find(&grid, &query, &mut other).unwrap();
        assert!(original.find(&grid, &query, &mut one).is_err(), "{}", row.name);
        // A search of the one is not resumed by the other.
        clone.begin(&grid, &query, &mut other).unwrap();
        assert!(clone.clone().resume(&grid, &mut other, Budget::UNLIMITED).is_err());
    }
}

#[test]
fn prepared_data_is_saved_and_opened_by_type() {
    let grid = generate::caves(48, 48, 7).unwrap();
    let settings = KnnLrtaStar::builder().records(30);
    let saved = settings.clone().build(&grid, Moves::EIGHT).unwrap().save().unwrap();
    let opened = settings.open(&saved, &grid, Moves::EIGHT).unwrap();
    assert_eq!(opened.save(), Some(saved));
}

#[test]
fn cells_are_written_as_they_come() {
    let mut grid = Grid::new(9, 9).unwrap();
    grid.set([4, 4], Tile::Blocked).unwrap();
    assert!(grid.is_free((3, 4)) && !grid.is_free([4, 4]) && grid.contains((8, 8)));
    assert_eq!((grid.cost((4, 4)), grid.height_at((0, 0))), (0.0, None));
    let centre = Query::new(Cell::new(3, 4), (5, 2));
    assert_eq!(centre, Query::new(Point::new(3.5, 4.5), (5.5, 2.5)));
    grid.set_costs(&[1u8; 81]).unwrap();
    grid.set_heights(&[2.0f32; 81]).unwrap();
    grid.set_heights(&[3u16; 81]).unwrap();
}

#[test]
fn every_option_of_a_query_can_be_read_back() {
    let query = Query::new((0, 0), (5, 2));
    assert_eq!((query.chosen_heuristic(), query.chosen_weight()), (None, None));
    assert_eq!((query.cost_limit(), query.expansion_limit()), (None, None));
    assert!(query.wants_smoothing() && !query.wants_nearest());
    let query = query.nearest().weight(2.0).max_cost(9.0).max_expansions(7).without_smoothing();
    let query = query.heuristic(Heuristic::Zero).reuse().keep_learning();
    assert_eq!(query.chosen_heuristic(), Some(Heuristic::Zero));
    assert_eq!((query.chosen_weight(), query.cost_limit()), (Some(2.0), Some(9.0)));
    assert_eq!(query.expansion_limit(), Some(7));
    assert!(query.wants_nearest() && query.wants_reuse() && query.wants_learning_kept());
    assert!(!query.wants_smoothing());
}

#[test]
fn values_can_be_compared_hashed_and_read() {
    let query = Query::new((0, 0), (5, 2)).max_cost(0.0);
    let same = HashSet::from([query.clone(), query.clone().max_cost(-0.0), query.nearest()]);
    assert_eq!(same.len(), 2);
    let (mut grid, other) = (Grid::new(9, 9).unwrap(), Grid::new(9, 9).unwrap());
    assert_eq!(grid, other);
    grid.set_height((1, 1), 2.0).unwrap();
    assert_ne!(grid, other);
    let distances = |grid: &Grid| DistanceMap::new(grid, Moves::EIGHT, [(0, 0)]).unwrap();
    assert_eq!(distances(&grid), distances(&grid));
    assert_eq!(Budget::expansions(5), Budget::expansions(5));
    assert_eq!(Budget::expansions(5).expansion_limit(), Some(5));
    let spec: PlannerSpec = "dba-star:sector=16:depth=2".parse().unwrap();
    assert_eq!(spec, "dba-star:depth=2".parse().unwrap());
    assert_ne!(spec, "dba-star:depth=3".parse().unwrap());
    assert_eq!("eight-cut-any".parse(), Ok(Rule::EightCutAny));
    assert_eq!("octile".parse(), Ok(Heuristic::Octile));
    assert_eq!("(3, 4)".parse(), Ok(Cell::new(3, 4)));
    assert_eq!(
        (Status::NoPath.to_string(), Rule::Four.to_string()),
        ("no-path".into(), "four".into())
    );
    let meant = "ocitle".parse::<Heuristic>().unwrap_err().to_string();
    assert_eq!(meant, "there is no heuristic `ocitle`: did you mean `octile`?");
}

#[test]
fn admissible_is_said_truly_for_any_angle() {
    for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        let admissible = Heuristic::ALL
            .iter()
            .map(|heuristic| heuristic.is_admissible(moves))
            .collect::<Vec<_>>();
        assert_eq!(admissible, [true, false, true, false, true]);
        assert_eq!(Heuristic::default_for(moves), Heuristic::Euclidean);
        // Paths over the corner lattice are longer than the octile distance.
        let lattice = Algorithm::named("astar").unwrap().algorithm();
        assert!(lattice.lattice && lattice.admits(Heuristic::Octile, moves));
        assert_eq!(lattice.default_heuristic(moves), Heuristic::Octile);
    }
}

#[test]
fn a_batch_takes_any_planner() {
    let grid = Grid::new(20, 20).unwrap();
    let planners: [Box<dyn Planner>; 2] = [
        Astar::new(&grid, Moves::EIGHT).unwrap().into(),
        Dijkstra::new(&grid, Moves::EIGHT).unwrap().into(),
    ];
    let queries = [Query::new((0, 0), (19, 3))];
    for planner in &planners {
        let answers = Batch::new().find_all(&**planner, &grid, &queries);
        assert_eq!(answers[0].as_ref().unwrap().status, Status::Found);
    }
}

#[test]
fn everything_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<(Grid, Query, Path, Scratch, Stats, Status, Trace, Budget)>();
    shared::<(Jps, DbaStar, Box<dyn Planner>, PlannerSpec, Batch, DistanceMap, Lddb)>();
    shared::<(Moves, Slope, Memory, Algorithm, blockstar::Error)>();
}
