//! Neither used memory nor threads change an answer.

use crate::support::{Record, all_moves, at_least, cases, cases_on, for_each_planner, record};
use blockstar::{Batch, Moves, Query, Scratch, generate};

/// One scratch memory for maps of all sizes, all planners in turn, narrow and wide searches: as
/// good as a new one each time.
#[test]
fn used_scratch_memory_equals_fresh() {
    let mut compared = 0;
    for_each_planner(cases(31, 100, &all_moves()), |case, used| {
        for _ in 0..2 {
            let query = case.query_with_options();
            assert_eq!(case.answer(&query, used), case.fresh_answer(&query));
            compared += 1;
        }
    });
    at_least("queries", compared, 7_000);
}

/// Any number of threads, any number of queries: the same answers in the order asked.
#[test]
fn batches_do_not_depend_on_the_number_of_threads() {
    let mut batches = [1, 2, 5].map(Batch::with_threads);
    let mut scratch = Scratch::new();
    let mut asked = 0;
    for mut case in cases(33, 12, &all_moves()) {
        let count = [0, 1, 2, 3, 40][case.random.below(5) as usize];
        let mut queries: Vec<_> = (0..count).map(|_| case.cell_query()).collect();
        if count > 2 {
            queries[1] = queries[1].clone().max_cost(-1.0); // an error among the answers
        }
        let mut ask = |query| {
            let status = case.try_find(query, &mut scratch)?;
            Ok(record(status, &scratch))
        };
        let one_by_one: Vec<_> = queries.iter().map(&mut ask).collect();
        for batch in &mut batches {
            let answers = batch.find_all(&case.planner, &case.grid, &queries);
            let answers = answers.into_iter().map(|answer| {
                answer.map(|answer| Record {
                    status: answer.status,
                    points: answer.path.points().to_vec(),
                    cost_bits: answer.path.cost().to_bits(),
                    stats: answer.stats,
                })
            });
            assert_eq!(answers.collect::<Vec<_>>(), one_by_one);
        }
        asked += count;
    }
    at_least("queries", asked, 10_000);
}

/// The same question asked of two planners made the same way for two equal maps.
#[test]
fn equal_maps_have_equal_answers() {
    let grid = generate::rooms(80, 60, 9, 11).unwrap();
    let mut scratch = Scratch::new();
    let rules = [Moves::EIGHT, Moves::ANY_ANGLE];
    for (mut a, mut b) in cases_on(&grid, &rules).zip(cases_on(&grid, &rules)) {
        for (start, goal) in generate::queries(&grid, 10, 12) {
            let query = Query::new(start, goal);
            assert_eq!(a.answer(&query, &mut scratch), b.answer(&query, &mut scratch));
        }
    }
}
