//! Limits on cost and expansions are kept exactly.

use crate::support::{
    Case, all_moves, at_least, cases, cases_on_hills, expect_more, for_each_path, for_each_planner,
};
use blockstar::{Promise, Query, Scratch, Status};

/// A limit exactly at the cost of the path is kept; below it the answer is that a limit was
/// reached, not that there is no path; and where there is none, no limit changes that.
#[test]
fn a_cost_limit_is_reached_exactly_when_every_path_costs_more() {
    let [mut none, mut found, mut reached] = [0; 3];
    for_each_planner(cases(41, 53, &all_moves()), |case, scratch| {
        for _ in 0..2 {
            let query = case.query();
            let any_angle = case.moves.rule().is_any_angle();
            // How much more than the best path the planner may need.
            let slack = match case.row.promise {
                Promise::Optimal => 1.0,
                Promise::Within(factor) => factor,
                _ => f64::INFINITY,
            };
            let mut find = |query: Query| {
                let status = case.find(&query, scratch);
                (status, scratch.path().cost())
            };
            let (status, cost) = find(query.clone());
            if status == Status::NoPath {
                none += 1;
                for limit in [0.0, 1.0, 1e6, f64::INFINITY] {
                    let limited = find(query.clone().max_cost(limit));
                    assert_eq!(limited.0, Status::NoPath, "limit {limit}");
                }
                continue;
            }
            assert_eq!(status, Status::Found);
            for part in [0.0, 0.3, 0.9, 1.0 - 1e-6, 1.0, 1.0 + 1e-6, 1.3, 3.0] {
                let limit = cost * part;
                let (status, limited) = find(query.clone().max_cost(limit));
                if status == Status::Found {
                    found += 1;
                    assert!(limited <= limit, "{limited} > {limit}");
                } else {
                    reached += 1;
                    assert_eq!(status, Status::LimitReached, "limit {limit}");
                }
                if slack == 1.0 {
                    // Free points are rounded to 1/195025 of a cell: no finer than that.
                    let near = (limit - cost).abs() < 1e-5 * cost.max(1.0) && part != 1.0;
                    if !near || !any_angle {
                        assert_eq!(
                            status == Status::Found,
                            limit >= cost,
                            "limit {limit} of {cost}"
                        );
                    }
                } else if part >= slack {
                    assert_eq!(status, Status::Found, "limit {limit} of {cost}");
                }
            }
        }
    });
    expect_more!(none > 800, found > 800, reached > 800);
}

#[test]
fn a_cost_limit_is_kept_on_slopes() {
    let mut limited = 0;
    for_each_path(cases_on_hills(44, 150), 1, Case::cell_query, |case, query, path| {
        let (mut scratch, cost) = (Scratch::new(), path.cost());
        if cost == 0.0 {
            return;
        }
        limited += 1;
        let exact = case.find(&query.clone().max_cost(cost), &mut scratch);
        let short = case.find(&query.clone().max_cost(cost * 0.99), &mut scratch);
        if case.promise() == Promise::Optimal {
            assert_eq!((exact, short), (Status::Found, Status::LimitReached), "{cost}");
        }
        assert!(short == Status::LimitReached || scratch.path().cost() <= cost * 0.99);
    });
    at_least("limited searches", limited, 800);
}

#[test]
fn an_expansion_limit_is_kept_and_changes_nothing_when_it_is_large_enough() {
    for_each_planner(cases(42, 30, &all_moves()), |case, scratch| {
        for _ in 0..2 {
            let query = case.cell_query();
            let status = case.find(&query, scratch);
            let path = scratch.path().clone();
            let needed = scratch.stats().expanded;
            for limit in [0, 1, needed / 2, needed.saturating_sub(1), needed + 1, u64::MAX] {
                let limited = query.clone().max_expansions(limit);
                let got = case.find(&limited, scratch);
                assert!(scratch.stats().expanded <= limit);
                if limit > needed {
                    assert_eq!((got, scratch.path()), (status, &path));
                } else if limit < needed {
                    assert_eq!(got, Status::LimitReached, "needs {needed}");
                }
            }
        }
    });
}
