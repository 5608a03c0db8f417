//! What the paper states, what was found, and whether the statements hold.

use super::edits::{Edits, MOST_SEARCHES};
use super::measure::Row;
use super::{Report, figure};
use crate::claim::{Claim, Verdict};
use crate::table::bytes;
use blockstar::{Algorithm, Cell, Grid, Moves, Planner, Query, Scratch};

/// All statements, judged.
pub fn judge(report: &Report) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut add = |id, claim, paper: &str, ours: String, verdict, remark: &str| {
        claims.push(Claim { id, claim, paper: paper.into(), ours, verdict, remark: remark.into() });
    };
    let rows = || report.rows.iter().chain(&report.ablation);
    let find = |name: &str| rows().find(|row| row.planner == name);
    let all = |series: &str| -> Vec<&Row> {
        report.rows.iter().filter(|row| row.series.starts_with(series)).collect()
    };
    let dba = |sector: u32, depth: u32| find(&format!("dba-star:sector={sector}:depth={depth}"));
    let percent =
        |row: Option<&Row>| row.map_or("-".into(), |row| format!("{:.2} %", row.suboptimality));
    let real = report.real_maps;
    let judged = |holds: bool| if real { Verdict::of(holds) } else { Verdict::NotTested };

    add(
        "D1-D2",
        "Sector formula, one look at each cell",
        "formula (1); O(n)",
        "not to be seen from here".into(),
        Verdict::NotTested,
        "Tests of the library do: the_sector_of_a_cell_is_that_of_the_formula, \
         each_free_cell_is_labelled_once.",
    );
    let matrix = figure::matrix();
    let wrong = figure::misprints(&matrix);
    add(
        "D3",
        "The matrix of Figure 2 follows from the costs between neighbours in it",
        "Figure 2",
        if wrong.is_empty() {
            "all 21 entries do".into()
        } else {
            let list = wrong.iter().map(|(pair, printed, right)| {
                format!("{pair} is printed as {printed:.1} and is {right:.1}")
            });
            format!("{} of 21 do; {}", 21 - wrong.len(), list.collect::<Vec<_>>().join(", "))
        },
        Verdict::of(wrong.is_empty()),
        "Computed here from the twelve costs; misprints, as the others agree.",
    );
    let (next, cost) = figure::way(&matrix, 'E', 'G');
    add(
        "D4",
        "From E to G the next region is B, at a cost of 43.6",
        "running example",
        format!("{next}, {cost:.1}"),
        Verdict::of(next == 'B' && cost == 43.6),
        "",
    );
    let (plain, ends, trimmed) = (
        find("dba-star:sector=16:depth=1:trim=none"),
        find("dba-star:sector=16:depth=1:trim=ends"),
        dba(16, 1),
    );
    let deeper = dba(16, 2);
    let falls = |rows: &[Option<&Row>]| {
        rows.windows(2).all(|pair| match pair {
            [Some(a), Some(b)] => a.suboptimality > b.suboptimality,
            _ => false,
        })
    };
    add(
        "D5",
        "Cutting corners helps, and so do deeper base paths",
        "23 % to 11 %, then 0 % on one problem",
        format!(
            "{} without, {} at both ends, {} everywhere, {} with depth 2 (all problems, sectors of 16)",
            percent(plain),
            percent(ends),
            percent(trimmed),
            percent(deeper)
        ),
        Verdict::of(falls(&[plain, ends, trimmed, deeper])),
        "The map of the example is lost; the order is what was tested.",
    );
    let series = all("DBA*");
    let default = deeper;
    let less = |a: &&&Row, b: &&&Row| a.suboptimality.total_cmp(&b.suboptimality);
    let best = series.iter().min_by(less).copied();
    let consistency = |row: Option<&Row>| {
        row.map_or("-".into(), |row| {
            format!(
                "{:.2} % (spread {:.2}, most {:.1}) on the longest, {:.2} % ({:.2}, {:.1}) evenly",
                row.suboptimality,
                row.spread,
                row.worst,
                row.evenly,
                row.evenly_spread,
                row.evenly_worst
            )
        })
    };
    let good = |row: &Row| row.suboptimality < 3.0 && row.evenly < 3.0;
    let within = series.iter().filter(|row| good(row)).count();
    add(
        "D6",
        "Suboptimality below 3 % in the best configurations, and consistent",
        "under 3 % on the longest problems",
        format!(
            "default: {}; best, {}: {}; {within} of {} configurations below 3 % on both",
            consistency(default),
            best.map_or("-", |row| &row.planner),
            consistency(best),
            series.len()
        ),
        judged(default.is_some_and(good) && best.is_some_and(good)),
        "Spread is the standard deviation, in points of percent.",
    );
    let pra = find("pra-star:sector=16");
    add(
        "D6b",
        "PRA* with trimming at most about 6 %",
        "about 6 %",
        consistency(pra),
        judged(pra.is_some_and(|row| row.suboptimality < 7.0 && row.evenly < 7.0)),
        "It holds below 7 %. PRA* here skips the first and the last centre, which the paper's may not.",
    );
    let by_sector: Vec<_> = [16, 32, 64, 128].map(|sector| dba(sector, 1)).into();
    let rises = by_sector.windows(2).all(|pair| match pair {
        [Some(a), Some(b)] => a.suboptimality < b.suboptimality,
        _ => false,
    });
    add(
        "D7",
        "Larger sectors make longer paths",
        "for DBA* and for PRA*",
        format!(
            "DBA* {}",
            by_sector.iter().map(|row| percent(*row)).collect::<Vec<_>>().join(", ")
        ),
        judged(rises),
        "Sectors of 16, 32, 64, 128 with base paths one region deep.",
    );
    let slowest = |series: &str, but: &str| {
        let rows = all(series);
        let rows = rows.iter().filter(|row| !row.planner.contains(but));
        rows.map(|row| row.move_us).fold(0.0, f64::max)
    };
    let fastest = |series: &str| all(series).iter().map(|row| row.move_us).fold(f64::MAX, f64::min);
    let (ours, theirs, hcdps) = (slowest("DBA*", "=128"), fastest("PRA*"), fastest("HCDPS"));
    let large = find("pra-star:sector=128").map_or(f64::NAN, |row| row.move_us);
    add(
        "D8",
        "A move takes less time than with HCDPS and PRA*, except for sectors of 128",
        "PRA* with sectors of 128: 20 µs",
        format!(
            "DBA* at most {ours:.3} µs, PRA* {theirs:.3} µs and more, with sectors of 128 {large:.2} µs, \
             HCDPS {}",
            if hcdps < f64::MAX { format!("{hcdps:.3} µs and more") } else { "missing".into() }
        ),
        judged(ours < theirs && ours < hcdps),
        "",
    );
    let split = |row: &Row| {
        let part = |(name, size): &(String, f64)| format!("{name} {}", bytes(*size as usize));
        row.parts.iter().map(part).collect::<Vec<_>>().join(", ")
    };
    add(
        "D9",
        "The database takes 50 to 250 KB",
        "50 to 250 KB, less than 200 KB on average in all",
        default.map_or("-".into(), |row| {
            format!(
                "{} with sectors of 16, depth 2: {}; {} with the labels of what is connected",
                bytes(row.bytes as usize),
                split(row),
                bytes((row.bytes + row.label_bytes) as usize)
            )
        }),
        judged(default.is_some_and(|row| row.bytes < 250_000.0)),
        "It holds if the default has less than 250 KB on average. A matrix of two bytes for every two \
         regions would take a megabyte by itself; here its rows are compressed. Every planner keeps the \
         labels, to say at once that there is no path.",
    );
    add(
        "D10",
        "Preparation takes 1 to 10 s",
        "1 to 10 s",
        trimmed.map_or("-".into(), |row| {
            format!(
                "{:.0} ms with sectors of 16, depth 1 (slowest map {:.0} ms); {:.0} ms at depth 2",
                row.prepare_ms,
                row.slowest_prepare_ms,
                deeper.map_or(f64::NAN, |row| row.prepare_ms)
            )
        }),
        judged(trimmed.is_some_and(|row| row.slowest_prepare_ms < 200.0)),
        "It holds if no map takes 0.2 s of one core with sectors of 16, depth 1.",
    );
    let cells = |planner: &str| -> u64 {
        let side = planner.split("sector=").nth(1).and_then(|rest| rest.split(':').next());
        side.and_then(|side| side.parse::<u64>().ok()).map_or(0, |side| side * side)
    };
    let changed = report.edits.iter().filter(|edits| edits.planner.starts_with("dba-star"));
    let after = changed.clone().find(|edits| edits.planner.contains("sector=16"));
    let after = after.map_or(0, |edits| edits.first_response);
    let walkers = rows().filter(|row| row.planner.starts_with("dba-star"));
    let responses = walkers.map(|row| (&row.planner, row.first_response));
    let mut responses =
        responses.chain(changed.map(|edits| (&edits.planner, edits.first_response)));
    let bounded = responses.all(|(planner, first)| first <= cells(planner));
    add(
        "D11",
        "The agent moves after looking at no more than the cells of a sector",
        "n x n",
        default.map_or("-".into(), |row| {
            format!(
                "at most {} expansions of 256 with sectors of 16, {} without a matrix, {after} after edits",
                row.first_response,
                find("dba-star:sector=16:depth=2:matrix=off").map_or(0, |row| row.first_response)
            )
        }),
        Verdict::of(bounded),
        "All configurations were held against their own bound, on all problems.",
    );
    let hcdps = all("HCDPS");
    // Against HCDPS of the same depth, for every size of sectors.
    let depth = |row: &Row| row.planner.split("depth=").nth(1).map(str::to_string);
    let beats = |ours: &&&Row| {
        let rival = hcdps.iter().find(|row| depth(row) == depth(ours));
        rival.is_some_and(|row| ours.bytes < row.bytes && ours.prepare_ms < row.prepare_ms)
    };
    let better = series.iter().filter(beats).count();
    let range = |rows: &[&Row]| {
        let list = rows
            .iter()
            .map(|row| format!("{} in {:.0} ms", bytes(row.bytes as usize), row.prepare_ms));
        list.collect::<Vec<_>>().join(", ")
    };
    add(
        "D12",
        "DBA* has a smaller database than HCDPS and makes it faster in most configurations",
        "Figure 8",
        if hcdps.is_empty() {
            "HCDPS is missing".into()
        } else {
            format!("in {better} of {}; HCDPS {}", series.len(), range(&hcdps))
        },
        if hcdps.is_empty() { Verdict::NotTested } else { judged(2 * better > series.len()) },
        "Both smaller and faster to make than HCDPS of the same depth.",
    );
    let trees = all("LRTA*");
    add(
        "D13",
        "LRTA* with subgoals is nearly optimal and needs far more memory and preparation",
        "Figures 6 to 8",
        trees.first().map_or("it is missing".into(), |row| {
            format!(
                "{:.2} %, {} in {:.0} ms",
                row.suboptimality,
                bytes(row.bytes as usize),
                row.prepare_ms
            )
        }),
        match (trees.first(), default) {
            (Some(trees), Some(ours)) => {
                judged(trees.suboptimality < ours.suboptimality && trees.bytes > ours.bytes)
            }
            _ => Verdict::NotTested,
        },
        "",
    );
    let speed = |row: Option<&Row>| row.map_or("-".into(), |row| format!("{:.0} times", row.speed));
    add(
        "S1",
        "DBA* is at least 50 times as fast as A*, whole path included",
        "not stated; in the logs of the authors 75 to 100 times, without trimming",
        format!("{} by default, {} with depth 1", speed(default), speed(trimmed)),
        judged(default.is_some_and(|row| row.speed >= 50.0)),
        "Judged by the default.",
    );
    add(
        "S2",
        "PRA* is at least 10 times as fast as A*",
        "not stated; in the logs of the authors 23 to 27 times",
        speed(pra),
        judged(pra.is_some_and(|row| row.speed >= 10.0)),
        "",
    );
    let changed = |planner: &str| report.edits.iter().find(|edits| edits.planner == planner);
    let eager = changed("dba-star:sector=16:depth=2");
    let lazy = changed("pra-star:sector=16");
    let shown = |edits: Option<&Edits>| {
        edits.map_or("-".into(), |edits| {
            format!(
                "{:.3} ms ({:.3} of an A* query of median length)",
                edits.edit_us / 1e3,
                edits.edit_over_astar
            )
        })
    };
    add(
        "D14",
        "Future work: updating what was prepared",
        "not done; by the authors in 2024: 0.9 ms a change when repaired at once, 0.06 ms when lazily",
        format!("an edit with repair takes {} with DBA*, {} with PRA*", shown(eager), shown(lazy)),
        eager.zip(lazy).map_or(Verdict::NotTested, |(a, b)| {
            Verdict::of([a, b].iter().all(|e| e.equal_to_fresh && e.edit_over_astar <= 0.2))
        }),
        "It holds if that is at most a fifth of the query, and every path afterwards costs what it costs \
         with a new planner (without a matrix, which edits invalidate): that was checked.",
    );
    let wins = |k: u32| {
        let at =
            |edits: &Edits| edits.points.iter().find(|point| point.0 == k).map(|point| point.1);
        eager.and_then(at).zip(lazy.and_then(at)).is_some_and(|(eager, lazy)| lazy < eager)
    };
    let count = (0..=MOST_SEARCHES).filter(|&k| wins(k)).count();
    add(
        "D15",
        "What is repaired lazily takes less time, up to 14 searches per change",
        "in the logs of the authors PRA* that keeps paths wins at every k, plain PRA* up to 10",
        format!("PRA* takes less time than DBA* in {count} of {} cases", MOST_SEARCHES + 1),
        match (eager, lazy) {
            (Some(_), Some(_)) => judged(count as u32 == MOST_SEARCHES + 1),
            _ => Verdict::NotTested,
        },
        "PRA* prepares regions only and is the lazy one here; DBA* repairs every cost at once, as routes \
         need them all.",
    );
    claims
}

/// A small example: the walk past a region's centre, with and without cutting corners.
pub fn example() -> Result<Vec<(String, f64)>, blockstar::Error> {
    let grid = Grid::new(48, 32)?;
    let query = Query::new(Cell::new(2, 14), Cell::new(45, 20));
    let mut scratch = Scratch::new();
    let mut rows = Vec::new();
    for (label, planner) in [
        ("optimum", "astar"),
        ("through every centre", "dba-star:sector=16:depth=1:trim=none"),
        ("cut at both ends", "dba-star:sector=16:depth=1:trim=ends"),
        ("cut everywhere", "dba-star:sector=16:depth=1"),
        ("cut everywhere, depth 2", "dba-star:sector=16:depth=2"),
    ] {
        let planner = Algorithm::named(planner)?.prepare(&grid, Moves::EIGHT)?;
        planner.find(&grid, &query, &mut scratch)?;
        rows.push((label.into(), scratch.path().cost()));
    }
    Ok(rows)
}
