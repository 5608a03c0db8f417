//! What the paper states, what was found, and whether the one bears out the other.

use super::Report;
use super::measure::Row;
use crate::command::reproduce::block_astar::claims::{Claim, Verdict};
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
        "D1-D4",
        "Sector formula, one look at each cell, the matrix of Figure 2, E to G over B at 43.6",
        "formula (1); O(n); Figure 2",
        "unit tests of the library; three entries of Figure 2 (A-C, A-F, D-F) are not what its own \
         costs between neighbours add up to"
            .into(),
        Verdict::Holds,
        "The corrected entries are 28.6, 25.6 and 33.4.",
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
    let best = series.iter().map(|row| row.suboptimality).fold(f64::MAX, f64::min);
    let within = series.iter().filter(|row| row.suboptimality < 3.0).count();
    let pra = find("pra-star:sector=16");
    add(
        "D6",
        "Suboptimality below 3 %, PRA* about 6 %",
        "DBA* under 3 % in its best configurations, PRA* about 6 %",
        format!(
            "DBA* {best:.2} % at best, {within} of {} configurations below 3 %; PRA* {}",
            series.len(),
            percent(pra)
        ),
        judged(best < 3.0 && pra.is_some_and(|row| row.suboptimality < 7.0)),
        "PRA* here skips the first and the last centre, which the paper's may not.",
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
        "A move takes less time than with HCDPS and PRA*, but for sectors of 128",
        "PRA* with sectors of 128: 20 µs",
        format!(
            "DBA* at most {ours:.3} µs, PRA* {theirs:.3} µs and more, with sectors of 128 {large:.2} µs, \
             HCDPS {}",
            if hcdps < f64::MAX { format!("{hcdps:.3} µs and more") } else { "not there".into() }
        ),
        judged(ours < theirs && ours < hcdps),
        "",
    );
    let default = dba(16, 2);
    let split = |row: &Row| {
        let part = |(name, size): &(String, f64)| format!("{name} {}", bytes(*size as usize));
        row.parts.iter().map(part).collect::<Vec<_>>().join(", ")
    };
    add(
        "D9",
        "The database takes 50 to 250 KB",
        "50 to 250 KB, less than 200 KB on average in all",
        default.map_or("-".into(), |row| {
            format!("{} with sectors of 16, depth 2: {}", bytes(row.bytes as usize), split(row))
        }),
        judged(default.is_some_and(|row| row.bytes < 250_000.0)),
        "A matrix of two bytes for every two regions would take a megabyte by itself; here its rows are \
         compressed.",
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
        judged(trimmed.is_some_and(|row| row.prepare_ms < 10_000.0)),
        "",
    );
    let bounded = series.iter().all(|row| {
        let side: u64 = row
            .planner
            .split("sector=")
            .nth(1)
            .and_then(|rest| rest.split(':').next().and_then(|side| side.parse().ok()))
            .unwrap_or(0);
        row.first_response <= side * side + 1
    });
    add(
        "D11",
        "The agent moves after looking at no more than the cells of a sector",
        "n x n",
        default.map_or("-".into(), |row| {
            format!("at most {} expansions of 256 with sectors of 16", row.first_response)
        }),
        Verdict::of(bounded),
        "All configurations were held against their own bound.",
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
            "HCDPS is not there".into()
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
        trees.first().map_or("it is not there".into(), |row| {
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
    let edits = report.edits.iter().find(|edits| edits.planner.starts_with("dba-star"));
    add(
        "D14",
        "Future work: updating what was prepared",
        "not done; by the authors in 2024: 0.9 ms a change when repaired at once, 0.06 ms when lazily",
        edits.map_or("-".into(), |edits| {
            format!(
                "{:.3} ms an edit ({}), {:.2} of an A* query of median length",
                edits.edit_us / 1e3,
                edits.planner,
                edits.edit_over_astar
            )
        }),
        edits.map_or(Verdict::NotTested, |edits| {
            Verdict::of(edits.equal_to_fresh && edits.edit_over_astar <= 0.2)
        }),
        "Afterwards every path costs what it costs with a planner made anew: that was checked.",
    );
    claims
}

/// A little picture in words: the walk past a region's centre, with and without cutting corners.
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
