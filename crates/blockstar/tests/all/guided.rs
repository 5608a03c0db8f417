//! Guided agents: prepared data saved, opened and refused, and what guidance is worth.

use crate::support::{refusal, rounds, with_one_cell_changed};
use blockstar::{
    Algorithm, Cell, Database, Error, Grid, Moves, Promise, Query, Scratch, Status, Tile, generate,
};

/// The real-time planners that can be saved, with what they are asked to prepare here.
const SAVED: [&str; 3] = ["knn-lrta-star:records=30", "subgoal-lrta-star:goals=4", "d-lrta-star"];

/// An opened planner answers like the one that was saved, and is saved to the same bytes.
#[test]
fn what_was_saved_is_what_is_opened() {
    for mut round in rounds(84, 60) {
        let moves = round.cell_moves();
        for name in SAVED {
            let spec = Algorithm::named(name).unwrap();
            assert_eq!(spec.algorithm().promise, Promise::RealTime);
            let made = spec.prepare(&round.grid, moves).unwrap();
            let bytes = made.save().unwrap();
            let opened = spec.open(&bytes, &round.grid, moves).unwrap();
            assert_eq!(opened.save().unwrap(), bytes, "{name}");
            let database = Database::inspect(&bytes).unwrap();
            let map = Some(round.grid.content_hash());
            assert_eq!((database.moves(), database.map()), (moves, map));
            round.assert_same_answers(&made, &opened, 5);
        }
    }
}

#[test]
fn foreign_damaged_and_wrong_files_are_refused_with_a_sentence() {
    for name in SAVED {
        let grid = generate::random(20, 20, 25.0, 3).unwrap();
        let spec = Algorithm::named(name).unwrap();
        let bytes = spec.prepare(&grid, Moves::EIGHT).unwrap().save().unwrap();
        let refused = |grid: &Grid, moves| refusal(spec.open(&bytes, grid, moves));
        let told = refused(&grid, Moves::FOUR);
        assert!(told.contains("made for the rule eight, not for the rule four"), "{told}");
        for other in SAVED.into_iter().filter(|other| *other != name) {
            let other = Algorithm::named(other).unwrap().open(&bytes, &grid, Moves::EIGHT);
            assert!(other.err().unwrap().to_string().contains("it is a database of"));
        }
        assert!(matches!(
            Algorithm::named("astar").unwrap().open(&bytes, &grid, Moves::EIGHT),
            Err(Error::Unsupported { .. })
        ));
        let told = refused(&with_one_cell_changed(&grid), Moves::EIGHT);
        assert!(told.contains("another map"), "{name}: {told}");
    }
}

/// A file contains its parameters: they can be read, they are kept through edits, and asking for
/// others is refused with a message that names both.
#[test]
fn files_know_their_parameters() {
    let mut grid = generate::caves(40, 40, 4).unwrap();
    for (name, made, other) in [
        ("knn-lrta-star", "records=30", "records=31"),
        ("subgoal-lrta-star", "goals=4", "goals=auto"),
        ("d-lrta-star", "level=3", "level=2"),
        ("knn-lrta-star", "records=auto", "records=0"),
    ] {
        let spec = Algorithm::named(&format!("{name}:{made}")).unwrap();
        let mut built = spec.prepare(&grid, Moves::EIGHT).unwrap();
        let bytes = built.save().unwrap();
        let maker = Database::inspect(&bytes).unwrap().maker().unwrap();
        assert_eq!(maker, format!("{name}:{made}"));
        let anew = Algorithm::named(&maker).unwrap().prepare(&grid, Moves::EIGHT).unwrap();
        assert_eq!(anew.save().unwrap(), bytes, "the maker makes the same file");
        let asked = Algorithm::named(&format!("{name}:{other}")).unwrap();
        let told = asked.open(&bytes, &grid, Moves::EIGHT).err().unwrap().to_string();
        assert!(told.contains(&format!("made with {made}, not with {other}")), "{told}");
        // Opened without settings, an edit rebuilds it as it was.
        let plain = Algorithm::named(name).unwrap();
        let mut opened = plain.open(&bytes, &grid, Moves::EIGHT).unwrap();
        let free = grid.is_free(Cell::new(9, 9));
        grid.set((9, 9), if free { Tile::Blocked } else { Tile::Free }).unwrap();
        opened.update(&grid).unwrap();
        built.update(&grid).unwrap();
        assert_eq!(opened.save(), built.save(), "{name}:{made}");
    }
}

/// On caves and rooms an agent with a guide walks much less than one without.
#[test]
fn guides_save_detours() {
    let mut scratch = Scratch::new();
    for grid in [generate::caves(150, 120, 8).unwrap(), generate::rooms(120, 120, 11, 9).unwrap()] {
        let queries = generate::queries(&grid, 30, 10);
        let mut walked = |name: &str| {
            let planner = Algorithm::named(name).unwrap().prepare(&grid, Moves::EIGHT).unwrap();
            let cost = |&(start, goal): &(Cell, Cell)| {
                let status = planner.find(&grid, &Query::new(start, goal), &mut scratch).unwrap();
                assert_eq!(status, Status::Found);
                scratch.path().cost()
            };
            queries.iter().map(cost).sum::<f64>()
        };
        let best = walked("astar");
        let lrta = walked("lrta-star:work=1");
        let [knn, trees, pairs] =
            ["knn-lrta-star:records=2000", "subgoal-lrta-star:goals=200", "d-lrta-star:level=3"]
                .map(&mut walked);
        assert!(knn < lrta && trees < lrta && pairs < lrta, "{lrta} {knn} {trees} {pairs}");
        assert!(trees < 1.05 * best, "{best} {trees}");
        assert!(pairs < 1.3 * best, "{best} {pairs}");
    }
}

/// Paths of more steps than 32 bits hold the cost of: `knn-lrta-star` added up the costs between
/// subgoals in 32 bits.
#[test]
fn the_cost_of_a_record_may_exceed_32_bits() {
    let grid = crate::support::serpentine(1999, 1999);
    let spec = Algorithm::named("knn-lrta-star:records=8").unwrap();
    let planner = spec.prepare(&grid, Moves::FOUR).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(1998, 1998));
    let mut scratch = Scratch::new();
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
}
