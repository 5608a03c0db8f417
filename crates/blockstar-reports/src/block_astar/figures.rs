//! The worked examples of the paper's four figures, run here and drawn.
//!
//! The map of Figures 1 and 2 is [`block_astar_example`].

use crate::board::Board;
use blockstar::papers::{Case, block_astar_example};
use blockstar::{
    Algorithm, Cell, Error, Event, Grid, Heuristic, Moves, Path, Point, Query, Rect, Scratch,
};
use serde::Serialize;
use std::collections::BTreeMap;

const BLOCK: u32 = 5;
/// The blocks by rows.
const NAMES: [&str; 6] = ["goal", "D", "A", "C", "start", "B"];

/// A block and its place in the queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Queued {
    /// The block.
    pub block: &'static str,
    /// Its heap value.
    pub key: f64,
}

/// One expansion of Figure 2.
#[derive(Debug, Serialize)]
pub struct Step {
    /// The block that was expanded.
    pub block: &'static str,
    /// Its heap value.
    pub key: f64,
    /// Whether that is what Algorithm 1 computes from the costs before it.
    pub as_computed: bool,
    /// The blocks that this step queued, or queued again with a lower value.
    pub queued: Vec<Queued>,
    /// All blocks in the queue after it.
    pub open: Vec<Queued>,
    #[serde(skip)]
    rect: Rect,
    #[serde(skip)]
    known: Costs,
}

/// The cost of each cell that has one.
type Costs = BTreeMap<(u32, u32), f64>;

/// What Figure 1 shows: the block A before and after its expansion.
#[derive(Debug, Serialize)]
pub struct Expansion {
    /// The costs of the cells by which A can be left, by the names of the figure.
    pub exits: BTreeMap<String, f64>,
    /// The heap values without a heuristic.
    pub keys: Vec<Queued>,
    /// The cost of E1, which is not improved.
    pub e1: f64,
}

/// What Figure 3 shows: lengths around one blocked cell.
#[derive(Debug, Serialize)]
pub struct Lengths {
    /// Block A*.
    pub block_astar: f64,
    /// Theta*.
    pub theta_star: f64,
    /// A* with eight moves between vertices.
    pub astar: f64,
    /// Four moves.
    pub four: f64,
}

/// What Figure 4 shows: computations on an empty map without a heuristic.
#[derive(Debug, Serialize)]
pub struct Overhead {
    /// Costs of boundary vertices that Block A* computed.
    pub block_astar: f64,
    /// Costs that A* computed.
    pub astar: f64,
    /// Costs that Theta* computed, and steps along the lines of sight that it checked.
    pub theta_star: f64,
}

/// All figures.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Figure 1.
    pub expansion: Expansion,
    /// Figure 2, step by step.
    pub steps: Vec<Step>,
    /// The length of the path of Figure 2.
    pub length: f64,
    /// Figure 3.
    pub lengths: Lengths,
    /// Figure 4.
    pub overhead: Overhead,
    /// The pictures of each figure as HTML.
    #[serde(skip)]
    pub html: [String; 4],
}

impl Figures {
    /// Runs the examples and draws them.
    pub fn make() -> Result<Self, Error> {
        let example = block_astar_example()?;
        let (path, steps) = watch(&example)?;
        let (expansion, first) = figure_1(&example.grid, &steps);
        let second = figure_2(&example, &path, &steps)?;
        let (lengths, third) = figure_3()?;
        let (overhead, fourth) = figure_4()?;
        let html = [first, second, third, fourth];
        Ok(Self { expansion, steps, length: path.cost(), lengths, overhead, html })
    }
}

fn block_at(x: u32, y: u32) -> usize {
    (y / BLOCK * 2 + x / BLOCK) as usize
}

/// The name of a cell in the figure.
fn cell_name(x: u32, y: u32) -> String {
    format!("{}{}", char::from(b'A' + x as u8), 11 - y as i32)
}

/// Runs Figure 2 and recomputes the queue from the costs in the trace, as Algorithm 1 has it.
fn watch(example: &Case) -> Result<(Path, Vec<Step>), Error> {
    let (grid, goal) = (&example.grid, example.goal);
    let manhattan = |x: u32, y: u32| f64::from(x.abs_diff(goal.x) + y.abs_diff(goal.y));
    let planner = Algorithm::named("block-astar:block=5")?.prepare(grid, Moves::FOUR)?;
    let mut scratch = Scratch::new();
    scratch.record(10_000);
    planner.find(grid, &Query::new(example.start, goal), &mut scratch)?;
    let events: Vec<_> = scratch.trace().map_or(Vec::new(), |trace| trace.events().collect());
    let (mut known, mut keys) = (Costs::new(), [f64::INFINITY; 6]);
    let mut steps: Vec<Step> = Vec::new();
    let mut events = events.into_iter().peekable();
    while let Some(event) = events.next() {
        let Event::Block { rect, f: key } = event else { continue };
        let mut changed = Vec::new();
        while let Some(&Event::Improved { at, g, .. }) = events.peek() {
            changed.extend(at.as_centre().map(|cell| (cell.x, cell.y, g)));
            events.next();
        }
        let block = block_at(rect.x, rect.y);
        let as_computed = steps.is_empty() || keys[block] == key;
        keys[block] = f64::INFINITY;
        known.extend(changed.iter().map(|&(x, y, g)| ((x, y), g)));
        let mut queued = Vec::new();
        for (next, key) in pass_on(grid, &mut known, &changed, manhattan) {
            if key < keys[next] {
                keys[next] = key;
                queued.push(Queued { block: NAMES[next], key });
            }
        }
        let open = (0..6).filter(|&block| keys[block].is_finite());
        let mut open: Vec<_> =
            open.map(|block| Queued { block: NAMES[block], key: keys[block] }).collect();
        open.sort_by(|a, b| a.key.total_cmp(&b.key));
        let block = NAMES[block];
        steps.push(Step { block, key, as_computed, queued, open, rect, known: known.clone() });
    }
    Ok((scratch.take_path(), steps))
}

/// Lines 4 to 8 of Algorithm 1: passes costs on to the neighbours in other blocks, and returns the
/// value of each block in which something improved.
fn pass_on(
    grid: &Grid,
    known: &mut Costs,
    changed: &[(u32, u32, f64)],
    estimate: impl Fn(u32, u32) -> f64,
) -> BTreeMap<usize, f64> {
    let mut blocks = BTreeMap::new();
    for &(x, y, g) in changed {
        for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
            let (nx, ny) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            let outside = !grid.is_free(Cell::new(nx, ny)) || block_at(nx, ny) == block_at(x, y);
            if outside || known.get(&(nx, ny)).is_some_and(|&old| old <= g + 1.0) {
                continue;
            }
            known.insert((nx, ny), g + 1.0);
            let least = blocks.entry(block_at(nx, ny)).or_insert(f64::INFINITY);
            *least = least.min(g + 1.0 + estimate(nx, ny));
        }
    }
    blocks
}

/// The board of Figures 1 and 2, from `top` on.
fn cell_board(grid: &Grid, top: u32, width: u32, height: u32) -> Board {
    let mut board = Board::new(width, height);
    let columns: Vec<_> = (0..width).map(|x| char::from(b'A' + x as u8).to_string()).collect();
    let rows: Vec<_> = (0..height).map(|y| (11 - (top + y) as i32).to_string()).collect();
    board.names(&columns, &rows, 0.5);
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        if !grid.is_free(Cell::new(x, top + y)) {
            board.cell(x.into(), y.into(), "wall");
        }
    }
    board
}

fn figure_1(grid: &Grid, steps: &[Step]) -> (Expansion, String) {
    // The rows and columns around A that the figure shows.
    const TOP: u32 = 4;
    let Some(index) = steps.iter().position(|step| step.block == "A").filter(|&index| index > 0)
    else {
        return (Expansion { exits: BTreeMap::new(), keys: Vec::new(), e1: 0.0 }, String::new());
    };
    let (before, after, rect) = (&steps[index - 1].known, &steps[index].known, steps[index].rect);
    let inside = |x: u32, y: u32| {
        (rect.x..rect.x + rect.width).contains(&x) && (rect.y..rect.y + rect.height).contains(&y)
    };
    let changed: Vec<_> =
        after.iter().filter(|((x, y), _)| inside(*x, *y)).map(|(&(x, y), &g)| (x, y, g)).collect();
    // The same again from the costs before, this time without a heuristic.
    let keys = pass_on(grid, &mut before.clone(), &changed, |_, _| 0.0);
    let keys = keys.into_iter().map(|(block, key)| Queued { block: NAMES[block], key }).collect();
    let leads_out = |x: u32, y: u32| {
        [(0, -1), (1, 0), (0, 1), (-1, 0)].iter().any(|&(dx, dy)| {
            let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            grid.is_free(Cell::new(x, y)) && !inside(x, y)
        })
    };
    let exits = changed.iter().filter(|&&(x, y, _)| leads_out(x, y));
    let exits = exits.map(|&(x, y, g)| (cell_name(x, y), g)).collect();
    let e1 = after.get(&(4, 10)).copied().unwrap_or(f64::INFINITY);
    let draw = |costs: &Costs, caption: &str| {
        let mut board = cell_board(grid, TOP, 6, 7);
        for (&(x, y), g) in costs.range(..) {
            if x < 6 && (TOP..TOP + 7).contains(&y) {
                let (column, row) = (f64::from(x), f64::from(y - TOP));
                let class = match (before.get(&(x, y)) != Some(g), inside(x, y)) {
                    (true, _) => "new",
                    (false, true) => "now",
                    (false, false) => "ring",
                };
                board.cell(column, row, class);
                board.text(column + 0.5, row + 0.5, &g.to_string(), "cost");
            }
        }
        board.rect((0.0, 1.0, 5.0, 5.0), "border");
        figure(&board.svg(30.0, "block A and the cells around it"), caption)
    };
    let html = [
        draw(before, "<b>Before.</b> Block A (framed) was entered at E2 with cost 3."),
        draw(
            after,
            "<b>After.</b> New costs are green: the exits of A by its table, and the cells beyond \
             them one step more. E1 keeps its 2.",
        ),
    ];
    (Expansion { exits, keys, e1 }, html.concat())
}

fn figure_2(example: &Case, path: &Path, steps: &[Step]) -> Result<String, Error> {
    let grid = &example.grid;
    let ends = [(example.start, "S"), (example.goal, "G")];
    let board = || cell_board(grid, 0, grid.width(), grid.height());
    let mark = |board: &mut Board| {
        for (cell, name) in ends {
            board.text(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5, name, "end-mark");
        }
    };
    let frames = |board: &mut Board| {
        for (x, y) in [(0.0, 0.0), (5.0, 0.0), (0.0, 5.0), (5.0, 5.0), (0.0, 10.0), (5.0, 10.0)] {
            board.rect((x, y, 5.0, 5.0), "border");
        }
    };
    let visited = expanded(grid, "astar", Moves::FOUR, &Query::new(example.start, example.goal))?;
    let mut first = board();
    for cell in visited.iter().filter_map(|at| at.as_centre()) {
        first.cell(cell.x.into(), cell.y.into(), "visited");
    }
    mark(&mut first);
    frames(&mut first);
    let caption = format!("<b>The map.</b> A* expands {} cells (green).", visited.len());
    let mut html = figure(&first.svg(24.0, "the map of Figure 2"), &caption);
    for (number, step) in steps.iter().enumerate() {
        let mut board = board();
        mark(&mut board);
        let inside = |x: u32, y: u32| {
            let Rect { x: left, y: top, width, height } = step.rect;
            (left..left + width).contains(&x) && (top..top + height).contains(&y)
        };
        let is_expanded = |x, y| steps[..=number].iter().any(|s| NAMES[block_at(x, y)] == s.block);
        for (&(x, y), g) in &step.known {
            let class = match (inside(x, y), is_expanded(x, y)) {
                (true, _) => "now",
                (false, true) => "visited",
                (false, false) => continue,
            };
            board.cell(x.into(), y.into(), class);
            board.text(f64::from(x) + 0.5, f64::from(y) + 0.5, &g.to_string(), "cost");
        }
        frames(&mut board);
        let list = |queued: &[Queued]| {
            let names: Vec<_> =
                queued.iter().map(|entry| format!("{} {}", entry.block, entry.key)).collect();
            if names.is_empty() { "nothing".into() } else { names.join(", ") }
        };
        let caption = format!(
            "<b>{}. Block {}</b>, key {}. Queues {}.<br>Open: {}.",
            number + 1,
            step.block,
            step.key,
            list(&step.queued),
            list(&step.open)
        );
        html += &figure(&board.svg(24.0, &format!("expansion {}", number + 1)), &caption);
    }
    let mut last = board();
    frames(&mut last);
    let points: Vec<_> = path.points().iter().map(|point| (point.x(), point.y())).collect();
    last.line(&points, "route");
    for (cell, name) in ends {
        let dx = if name == "S" { 0.2 } else { 0.8 };
        last.text(f64::from(cell.x) + dx, f64::from(cell.y) + 0.5, name, "end-mark");
    }
    let caption =
        format!("<b>The path.</b> Length {}, after {} expansions.", path.cost(), steps.len());
    Ok(html + &figure(&last.svg(24.0, "the path of Figure 2"), &caption))
}

fn figure_3() -> Result<(Lengths, String), Error> {
    // Vertices A to G and 1 to 7; the obstacle between C4 and D5.
    let grid = Grid::from_fn(6, 6, |cell| cell != Cell::new(2, 2))?;
    let query = Query::new(Point::new(1.0, 6.0), Point::new(4.0, 1.0)).without_smoothing();
    let find = |planner: &str| answer(&grid, planner, Moves::ANY_ANGLE_SQUEEZE, &query);
    let paths = [find("block-astar:block=6")?, find("theta-star:reopen=off")?, find("astar")?];
    // Four moves between vertices are four moves between as many cells.
    let vertices = Grid::new(7, 7)?;
    let steps = Query::new(Cell::new(1, 6), Cell::new(4, 1));
    let four = answer(&vertices, "astar", Moves::FOUR, &steps)?.cost();
    let mut board = Board::new(6, 6);
    board.cell(2.0, 2.0, "wall");
    let columns: Vec<_> = ('A'..='G').map(String::from).collect();
    let rows: Vec<_> = (1..=7).rev().map(|row: u32| row.to_string()).collect();
    board.names(&columns, &rows, 0.0);
    for (path, class) in paths.iter().zip(["line s3", "line s2", "line s1"]).rev() {
        let points: Vec<_> = path.points().iter().map(|point| (point.x(), point.y())).collect();
        board.line(&points, class);
        for &(x, y) in &points {
            board.disc(x, y, 0.13, class.replace("line", "point").as_str(), 1.0);
        }
    }
    let swatch = |colour: &str, label: &str, cost: f64| {
        format!(
            "<span><svg width=\"26\" height=\"10\"><path class=\"line {colour}\" d=\"M1 5H25\"/></svg>\
             {label} {cost:.4}</span><br>"
        )
    };
    let caption = [
        swatch("s3", "Block A*", paths[0].cost()),
        swatch("s2", "Theta*", paths[1].cost()),
        swatch("s1", "A* with eight moves", paths[2].cost()),
        format!("Four moves: {four}."),
    ];
    let html = figure(&board.svg(44.0, "three paths around one blocked cell"), &caption.concat());
    let [block_astar, theta_star, astar] = paths.map(|path| path.cost());
    Ok((Lengths { block_astar, theta_star, astar, four }, html))
}

fn figure_4() -> Result<(Overhead, String), Error> {
    let side = 12;
    let grid = Grid::new(side, side)?;
    let (start, goal) = (Point::new(0.0, side.into()), Point::new(side.into(), 0.0));
    let query = Query::new(start, goal).heuristic(Heuristic::Zero).without_smoothing();
    let moves = Moves::ANY_ANGLE_SQUEEZE;
    let mut work = [(); 3].map(|()| Work::new(side));

    // Each expansion of a block computes the cost of all vertices on its boundary.
    for event in record(&grid, "block-astar:block=4", moves, &query)? {
        let Event::Block { rect, .. } = event else { continue };
        for (x, y) in boundary(rect) {
            work[0].add(x, y);
        }
    }
    // Each expansion of a vertex computes the costs of its neighbours.
    for at in expanded(&grid, "astar", moves, &query)? {
        for (x, y) in work[1].neighbours(at) {
            work[1].add(x, y);
        }
    }
    // The same and, from each neighbour that is not done, a check of the line to the start, which
    // on an empty map is the parent of every vertex.
    let mut done = Vec::new();
    for at in expanded(&grid, "theta-star:reopen=off", moves, &query)? {
        done.push(at);
        for (x, y) in work[2].neighbours(at) {
            work[2].add(x, y);
            if !done.contains(&Point::new(x.into(), y.into())) {
                work[2].look((x, y), (0, side));
            }
        }
    }
    let most = work.iter().map(Work::most).fold(1.0, f64::max);
    let labels = [
        ("Block A*", "costs computed on the boundaries of blocks"),
        ("A*", "costs computed at vertices"),
        ("Theta*", "costs computed, and steps along lines of sight"),
    ];
    let mut html = String::new();
    for (work, (name, what)) in work.iter().zip(labels) {
        let mut board = Board::new(side, side);
        for (x, y) in (0..=side).flat_map(|y| (0..=side).map(move |x| (x, y))) {
            let part = work.at(x, y).ln_1p() / most.ln_1p();
            if part > 0.0 {
                board.disc(x.into(), y.into(), 0.42, "fill s2", part.clamp(0.06, 1.0));
            }
        }
        for block in (0..side).step_by(4).flat_map(|y| (0..side).step_by(4).map(move |x| (x, y))) {
            if name == "Block A*" {
                board.rect((block.0.into(), block.1.into(), 4.0, 4.0), "border");
            }
        }
        board.text(-0.4, side.into(), "S", "end-mark");
        board.text(f64::from(side) + 0.4, 0.0, "G", "end-mark");
        let caption = format!("<b>{name}</b>: {} {what}", work.total());
        html += &figure(&board.svg(24.0, name), &caption);
    }
    let [block_astar, astar, theta_star] = work.map(|work| work.total());
    Ok((Overhead { block_astar, astar, theta_star }, html))
}

/// Computations at each vertex of a square map.
struct Work {
    side: u32,
    counts: Vec<f64>,
}

impl Work {
    fn new(side: u32) -> Self {
        Self { side, counts: vec![0.0; ((side + 1) * (side + 1)) as usize] }
    }

    fn at(&self, x: u32, y: u32) -> f64 {
        self.counts[(y * (self.side + 1) + x) as usize]
    }

    fn add(&mut self, x: u32, y: u32) {
        self.counts[(y * (self.side + 1) + x) as usize] += 1.0;
    }

    /// A step at each vertex nearest to the line.
    fn look(&mut self, (x, y): (u32, u32), (to_x, to_y): (u32, u32)) {
        let steps = x.abs_diff(to_x).max(y.abs_diff(to_y));
        let between = |a: u32, b: u32, step: u32| {
            let part = f64::from(step) / f64::from(steps.max(1));
            (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u32
        };
        for step in 0..steps {
            self.add(between(x, to_x, step), between(y, to_y, step));
        }
    }

    fn neighbours(&self, at: Point) -> Vec<(u32, u32)> {
        let (x, y) = at.as_corner().unwrap_or_default();
        let near = |v: u32| v.saturating_sub(1)..=(v + 1).min(self.side);
        let all = near(y).flat_map(|ny| near(x).map(move |nx| (nx, ny)));
        all.filter(|&place| place != (x, y)).collect()
    }

    fn most(&self) -> f64 {
        self.counts.iter().copied().fold(0.0, f64::max)
    }

    fn total(&self) -> f64 {
        self.counts.iter().sum()
    }
}

/// The vertices on the boundary of a block.
fn boundary(rect: Rect) -> Vec<(u32, u32)> {
    let (right, bottom) = (rect.x + rect.width, rect.y + rect.height);
    let all = (rect.y..=bottom).flat_map(|y| (rect.x..=right).map(move |x| (x, y)));
    all.filter(|&(x, y)| x == rect.x || x == right || y == rect.y || y == bottom).collect()
}

fn answer(grid: &Grid, planner: &str, moves: Moves, query: &Query) -> Result<Path, Error> {
    let mut scratch = Scratch::new();
    Algorithm::named(planner)?.prepare(grid, moves)?.find(grid, query, &mut scratch)?;
    Ok(scratch.take_path())
}

fn record(grid: &Grid, planner: &str, moves: Moves, query: &Query) -> Result<Vec<Event>, Error> {
    let mut scratch = Scratch::new();
    scratch.record(100_000);
    Algorithm::named(planner)?.prepare(grid, moves)?.find(grid, query, &mut scratch)?;
    Ok(scratch.trace().map_or(Vec::new(), |trace| trace.events().collect()))
}

fn expanded(grid: &Grid, planner: &str, moves: Moves, query: &Query) -> Result<Vec<Point>, Error> {
    let events = record(grid, planner, moves, query)?;
    let at = |event| match event {
        Event::Expanded { at, .. } => Some(at),
        _ => None,
    };
    Ok(events.into_iter().filter_map(at).collect())
}

fn figure(svg: &str, caption: &str) -> String {
    format!("<figure>{svg}<figcaption>{caption}</figcaption></figure>")
}
