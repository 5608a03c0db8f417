//! PRA* over cliques: complete, near the optimum, and as good after edits as before.

use crate::support::maps::{dragon_age, excess};
use crate::support::{assert_same_answers, on, prepare, refusal, rounds, with_one_cell_changed};
use blockstar::{Algorithm, Database, Grid, Moves, Planner, Query, Scratch, Status, generate};

/// Thousands of maps and edits, every rule, several rings, both estimates: found exactly if there
/// is a way, by legal steps; and an updated planner answers like a fresh one.
#[test]
fn paths_are_found_whenever_there_are_some() {
    let mut scratch = Scratch::new();
    let (mut found, mut longer) = (0, 0);
    for mut round in rounds(2005, 2000) {
        let moves = round.cell_moves();
        let (ring, estimate) = (round.random.below(3), round.pick(&["along", "straight"]));
        let name = format!("pra-star:abstraction=cliques:ring={ring}:estimate={estimate}");
        let mut planner = prepare(&name, &round.grid, moves);
        for edit in 0..4 {
            if edit > 0 {
                round.edit(&mut [&mut planner]);
            }
            let (query, grid) = (round.cell_query(), &round.grid);
            if let Some(best) = on(grid, moves).optimum_if_found(&planner, &query, &mut scratch) {
                found += 1;
                longer += u32::from(scratch.path().cost() > best + 1e-6);
            }
            assert_same_answers(&planner, &prepare(&name, grid, moves), grid, &[query]);
        }
    }
    assert!(found > 5000 && longer > 20, "{found} {longer}");
}

/// A wider corridor makes shorter paths, and all of them are near the optimum.
#[test]
fn a_wider_corridor_makes_shorter_paths() {
    let maps = [generate::rooms(200, 200, 12, 5).unwrap(), generate::caves(250, 250, 6).unwrap()];
    let mut scratch = Scratch::new();
    let mut over = |ring: u32| {
        let (mut sum, mut count, mut expanded) = (0.0, 0, 0);
        for grid in &maps {
            let name = format!("pra-star:abstraction=cliques:ring={ring}:estimate=straight");
            let planner = prepare(&name, grid, Moves::EIGHT);
            let astar = prepare("astar", grid, Moves::EIGHT);
            for (start, goal) in generate::queries(grid, 60, 7) {
                let query = Query::new(start, goal);
                assert_eq!(astar.find(grid, &query, &mut scratch), Ok(Status::Found));
                let best = scratch.path().cost();
                assert_eq!(planner.find(grid, &query, &mut scratch), Ok(Status::Found));
                expanded += scratch.stats().expanded;
                if best > 0.0 {
                    sum += scratch.path().cost() / best - 1.0;
                    count += 1;
                }
            }
        }
        (100.0 * sum / f64::from(count), expanded)
    };
    let [none, one, two] = [0, 1, 2].map(&mut over);
    eprintln!("% above the optimum and expansions: {none:?} {one:?} {two:?}");
    assert!(none.0 > one.0 && one.0 > two.0 && none.1 < one.1 && one.1 < two.1);
    assert!(one.0 < 6.0, "{one:?}");
}

#[test]
fn other_abstractions_are_refused_with_a_sentence() {
    let error = Algorithm::named("pra-star:abstraction=squares").unwrap_err().to_string();
    assert!(error.contains("use sectors or cliques"), "{error}");
}

/// The published figure, about 1 % above the optimum, on Dragon Age's maps.
#[test]
fn about_one_per_cent_above_the_optimum_on_dragon_age_maps() {
    let mut scratch = Scratch::new();
    let (mut sums, mut count, mut expanded) = ([0.0; 2], 0, [0; 3]);
    for name in ["hrt000d", "orz100d", "ost000t", "arena2"] {
        let Some((grid, scenarios)) = dragon_age(name) else { return };
        let planners = ["", ":estimate=straight"]
            .map(|end| prepare(&format!("pra-star:abstraction=cliques{end}"), &grid, Moves::EIGHT));
        let astar = prepare("astar", &grid, Moves::EIGHT);
        for scenario in scenarios.iter().step_by(25) {
            let query = Query::new(scenario.start, scenario.goal);
            for (at, planner) in planners.iter().enumerate() {
                let excess = excess(planner, &grid, scenario, &mut scratch);
                expanded[at] += scratch.stats().expanded;
                if let Some(excess) = excess {
                    sums[at] += excess;
                    count += 1;
                }
            }
            astar.find(&grid, &query, &mut scratch).unwrap();
            expanded[2] += scratch.stats().expanded;
        }
    }
    let means = sums.map(|sum| 200.0 * sum / f64::from(count));
    eprintln!("{} problems, % above the optimum {means:.2?}, expansions {expanded:?}", count / 2);
    assert!(count > 400 && means[0] < 2.0 && means[1] < 1.0, "{means:?}");
    assert!(8 * expanded[0] < expanded[2] && 3 * expanded[1] < expanded[2], "{expanded:?}");
}

/// A saved abstraction answers like the one it was, after edits too, whether or not it is said what
/// it is.
#[test]
fn a_saved_abstraction_answers_like_the_one_it_was() {
    const NAME: &str = "pra-star:abstraction=cliques";
    for mut round in rounds(6, 120) {
        let moves = round.cell_moves();
        let mut built = prepare(NAME, &round.grid, moves);
        let bytes = built.save().unwrap();
        let maker = Database::inspect(&bytes).unwrap().maker().unwrap();
        assert_eq!(prepare(&maker, &round.grid, moves).save().unwrap(), bytes);
        let spec = Algorithm::named(round.turn(&[NAME, "pra-star"])).unwrap();
        let mut opened = spec.open(&bytes, &round.grid, moves).unwrap();
        for _ in 0..4 {
            assert_eq!(opened.save(), built.save());
            round.assert_same_answers_through_edits(&mut built, &mut opened, 1);
        }
    }
}

#[test]
fn foreign_damaged_and_wrong_files_are_refused_with_a_sentence() {
    let grid = generate::random(20, 20, 25.0, 3).unwrap();
    let spec = Algorithm::named("pra-star:abstraction=cliques").unwrap();
    let bytes = prepare("pra-star:abstraction=cliques", &grid, Moves::EIGHT).save().unwrap();
    let refused = |grid: &Grid, moves| refusal(spec.open(&bytes, grid, moves));
    let told = refused(&grid, Moves::FOUR);
    assert!(told.contains("made for the rule eight, not for the rule four"), "{told}");
    let sectors = prepare("pra-star", &grid, Moves::EIGHT).save().unwrap();
    let told = refusal(spec.open(&sectors, &grid, Moves::EIGHT));
    assert!(told.contains("it is a file of regions"), "{told}");
    let other = Algorithm::named("pra-star:abstraction=sectors").unwrap();
    let told = other.open(&bytes, &grid, Moves::EIGHT).err().unwrap().to_string();
    assert!(told.contains("it is a file of cliques"), "{told}");
    assert!(refused(&with_one_cell_changed(&grid), Moves::EIGHT).contains("another map"));
}
