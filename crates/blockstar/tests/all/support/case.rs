//! Planners × rules × maps: the one loop that every test over the registry runs.
//!
//! A [`Ground`] is a map and a rule; its [cases](Ground::cases) are the planners that can work on
//! it. Maps, grounds and cases draw from random streams of their own, seeded by what they are, so
//! no planner changes what another one is asked. A case that is dropped in a panic says what it was
//! about.

use super::hills::{Numbers, hills};
use super::place::prepare;
use super::{
    Edit, Record, all_costs, all_moves, close, random_edit, random_free_cell, random_grid,
    random_point, record,
};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Diagonal, Error, Grid, Moves, Path, Planner, PlannerSpec, Point, Promise,
    Query, Rule, Scratch, Slope, Stats, Status,
};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Parameters that are also tested with a value other than the default, in every row that has them:
/// small blocks, so that small maps have many; the least work per move; the other abstraction.
const VARIANTS: &[(&str, &str)] =
    &[("block", "3"), ("block", "5x3"), ("work", "1"), ("abstraction", "cliques"), ("leaf", "4")];

/// Planners that are left out on maps with more cells than this.
const SMALL_MAPS_ONLY: &[(&str, u32, &str)] =
    &[("cpd", 900, "floods the map once per cell; `cpd.rs` covers larger maps")];

/// Edits and then questions that all planners on a ground go through, see [`Ground::script`].
pub struct Stage {
    pub edits: Vec<Edit>,
    pub questions: Vec<Question>,
}

impl Stage {
    /// The questions, the first with the edits that come before it.
    pub fn asked(&self) -> impl Iterator<Item = (&[Edit], &Question)> {
        let edits = std::iter::once(&self.edits[..]).chain(std::iter::repeat(&[][..]));
        edits.zip(&self.questions)
    }
}

/// A question between cells.
#[derive(Clone, Copy)]
pub struct Question {
    pub start: Cell,
    pub goal: Cell,
    /// The cost of the cheapest path; infinite if there is none.
    pub best: f64,
}

/// A map and a movement rule.
pub struct Ground {
    seed: u64,
    pub round: u64,
    pub grid: Grid,
    pub moves: Moves,
    /// The numbers behind the slope of the rule, if it has one.
    pub numbers: Option<Numbers>,
    /// Random numbers for the questions that all planners get.
    pub random: Random,
}

/// The random stream of a seed and whatever else tells it from others.
pub(super) fn stream(seed: u64, name: &str) -> Random {
    let mut hash = Fnv::new();
    hash.add(seed);
    name.bytes().for_each(|byte| hash.add(byte.into()));
    Random::new(hash.0)
}

/// FNV-1a over words.
pub struct Fnv(pub u64);

impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Random maps, every third one weighted, each under all the given rules.
pub fn grounds(seed: u64, rounds: u64, rules: &[Moves]) -> impl Iterator<Item = Ground> {
    let map = move |round| random_grid(&mut stream(seed, &format!("map {round}")), round % 3 == 2);
    grounds_on(seed, (0..rounds).map(map), rules)
}

/// The given maps under all the given rules.
pub fn grounds_on(
    seed: u64,
    maps: impl IntoIterator<Item = Grid>,
    rules: &[Moves],
) -> impl Iterator<Item = Ground> {
    (0..).zip(maps).flat_map(move |(round, grid)| {
        let ground = move |moves: &Moves| Ground::new(seed, round, grid.clone(), *moves, None);
        rules.iter().map(ground)
    })
}

/// Random hills with a random slope each, under a random cell rule.
pub fn cell_hills(seed: u64, rounds: u64) -> impl Iterator<Item = Ground> {
    (0..rounds).map(move |round| Ground::hilly(seed, round, random_cell_moves))
}

/// The same under the any-angle rules in turn.
pub fn any_angle_hills(seed: u64, rounds: u64) -> impl Iterator<Item = Ground> {
    (0..rounds).map(move |round| match round % 2 {
        0 => Ground::hilly(seed, round, |_| Moves::ANY_ANGLE),
        _ => Ground::hilly(seed, round, |_| Moves::ANY_ANGLE_SQUEEZE),
    })
}

/// As many of both.
pub fn all_hills(seed: u64, rounds: u64) -> impl Iterator<Item = Ground> {
    cell_hills(seed, rounds).chain(any_angle_hills(seed, rounds))
}

pub fn random_cell_moves(random: &mut Random) -> Moves {
    let moves = Moves::new(Rule::CELLS[random.below(4) as usize]);
    if random.chance(1, 4) { moves.with_diagonal(Diagonal::OnePointFour) } else { moves }
}

/// Every planner on random maps under all the given rules.
pub fn cases(seed: u64, rounds: u64, rules: &[Moves]) -> impl Iterator<Item = Case> {
    grounds(seed, rounds, rules).flat_map(|ground| ground.into_cases())
}

/// Every planner that takes slopes on random hills.
pub fn cases_on_hills(seed: u64, rounds: u64) -> impl Iterator<Item = Case> {
    all_hills(seed, rounds).flat_map(|ground| ground.into_cases())
}

/// Every planner on one map under all the given rules.
pub fn cases_on(grid: &Grid, rules: &[Moves]) -> impl Iterator<Item = Case> {
    grounds_on(0, [grid.clone()], rules).flat_map(|ground| ground.into_cases())
}

/// Every planner under every rule on a small open map: on plain ground, with terrain costs, and with
/// slopes.
pub fn cases_of_every_kind() -> impl Iterator<Item = Case> {
    let plain = Grid::new(9, 9).unwrap();
    let mut weighted = plain.clone();
    weighted.set_cost((2, 2), 3.0).unwrap();
    let slope = |moves: Moves| moves.with_slope(Slope::new(1.0));
    [plain.clone(), weighted]
        .into_iter()
        .flat_map(|grid| all_moves().into_iter().map(move |moves| (grid.clone(), moves)))
        .chain(all_moves().into_iter().map(move |moves| (plain.clone(), slope(moves))))
        .flat_map(|(grid, moves)| Ground::new(0, 0, grid, moves, None).into_cases())
}

/// The choices of the registry that can work on a map under a rule, with their [`VARIANTS`].
pub fn choices(grid: &Grid, moves: Moves) -> Vec<PlannerSpec> {
    let able =
        |row: &&Algorithm| can_work(row, moves, grid.has_costs()) && is_small_enough(row, grid);
    let mut names = Vec::new();
    for row in Algorithm::all().iter().filter(able) {
        names.push(row.name.to_string());
        for (parameter, value) in VARIANTS {
            if row.parameters.iter().any(|known| known.name == *parameter) {
                names.push(format!("{}:{parameter}={value}", row.name));
            }
        }
    }
    names.iter().map(|name| Algorithm::named(name).unwrap()).collect()
}

/// Whether a map is small enough to be prepared for in a test.
pub fn is_small_enough(row: &Algorithm, grid: &Grid) -> bool {
    let cells = grid.width() * grid.height();
    SMALL_MAPS_ONLY.iter().all(|(name, most, _)| *name != row.name || cells <= *most)
}

/// Runs a check on every case, with one scratch memory for all of them. A planner that fails is not
/// asked again; the others go on in new memory. In the end the test fails with the names of all
/// that failed.
pub fn for_each_planner(
    cases: impl Iterator<Item = Case>,
    mut check: impl FnMut(&mut Case, &mut Scratch),
) {
    let mut scratch = Scratch::new();
    let mut failed: Vec<String> = Vec::new();
    for mut case in cases {
        let name = case.spec.to_string();
        if failed.contains(&name) {
            continue;
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| check(&mut case, &mut scratch)));
        if outcome.is_err() {
            eprintln!("{case}");
            failed.push(name);
            scratch = Scratch::new();
        }
    }
    assert!(failed.is_empty(), "these planners failed: {}", failed.join(", "));
}

/// Asks every planner some queries on each ground, and runs a check on each path that is found.
pub fn for_each_path(
    cases: impl Iterator<Item = Case>,
    queries: usize,
    query: fn(&mut Case) -> Query,
    mut check: impl FnMut(&mut Case, &Query, &Path),
) {
    for_each_planner(cases, |case, scratch| {
        for _ in 0..queries {
            let query = query(case);
            if case.find(&query, scratch) == Status::Found {
                check(case, &query, scratch.path());
            }
        }
    });
}

/// Whether a row says that it takes a rule and terrain costs. Slopes need heights, and blocks take
/// them under the cell rules only.
pub fn can_work(row: &Algorithm, moves: Moves, weighted: bool) -> bool {
    let sloped = moves.slope().is_some();
    let flat_only = !row.heights || row.blocks && moves.rule().is_any_angle();
    row.supports(moves.rule()) && (row.terrain || !weighted) && !(sloped && flat_only)
}

impl Ground {
    fn new(seed: u64, round: u64, grid: Grid, moves: Moves, numbers: Option<Numbers>) -> Self {
        let random = stream(seed, &format!("ground {round} {moves}"));
        Self { seed, round, grid, moves, numbers, random }
    }

    fn hilly(seed: u64, round: u64, rule: fn(&mut Random) -> Moves) -> Self {
        let mut random = stream(seed, &format!("hills {round}"));
        let grid = hills(&mut random, round % 3 == 2);
        let numbers = Numbers::random(&mut random);
        let moves = rule(&mut random).with_slope(numbers.slope());
        Self::new(seed, round, grid, moves, Some(numbers))
    }

    /// The planners that can work here, each with a copy of the map.
    pub fn cases(&self) -> impl Iterator<Item = Case> {
        choices(&self.grid, self.moves).into_iter().map(|spec| Case::new(self, spec))
    }

    pub fn into_cases(self) -> impl Iterator<Item = Case> {
        self.into_cases_of(|_| true)
    }

    /// The same for some rows only.
    pub fn into_cases_of(self, wanted: fn(&Algorithm) -> bool) -> impl Iterator<Item = Case> {
        choices(&self.grid, self.moves)
            .into_iter()
            .filter(move |spec| wanted(spec.algorithm()))
            .map(move |spec| Case::new(&self, spec))
    }

    /// One planner of each such row, with these settings where it has them.
    pub fn into_cases_with(
        self,
        settings: &'static [(&str, &str)],
        wanted: fn(&Algorithm) -> bool,
    ) -> impl Iterator<Item = Case> {
        let weighted = self.grid.has_costs();
        let able = |row: &&Algorithm| can_work(row, self.moves, weighted) && wanted(row);
        let name = |row: &Algorithm| {
            let has = |name: &str| row.parameters.iter().any(|known| known.name == name);
            let given = settings.iter().filter(|(name, _)| has(name));
            given.fold(row.name.to_string(), |text, (name, value)| format!("{text}:{name}={value}"))
        };
        let names: Vec<_> = Algorithm::all().iter().filter(able).map(name).collect();
        names.into_iter().map(move |name| Case::new(&self, Algorithm::named(&name).unwrap()))
    }

    /// The costs of the cheapest paths over cells, from one cell to each.
    pub fn costs(&self, grid: &Grid, start: Cell) -> Vec<f64> {
        match self.numbers {
            Some(numbers) => numbers.all_costs(grid, self.moves, start),
            None => all_costs(grid, self.moves, start),
        }
    }

    /// Two questions on the map as it is.
    pub fn questions(&mut self) -> [Question; 2] {
        let grid = self.grid.clone();
        [(); 2].map(|()| self.question(&grid))
    }

    fn question(&mut self, grid: &Grid) -> Question {
        let start = random_free_cell(&mut self.random, grid);
        let goal = random_free_cell(&mut self.random, grid);
        let best = self.costs(grid, start)[cell_index(grid, goal)];
        Question { start, goal, best }
    }

    /// Stages of two questions each; the first is on the map as it is, each later one comes after
    /// one to `most` edits.
    pub fn script(&mut self, stages: usize, most: u64) -> Vec<Stage> {
        let mut grid = self.grid.clone();
        (0..stages)
            .map(|stage| {
                let count = if stage == 0 { 0 } else { 1 + self.random.below(most) };
                let edits = (0..count).map(|_| self.random_edit(&mut grid)).collect();
                let questions = (0..2).map(|_| self.question(&grid)).collect();
                Stage { edits, questions }
            })
            .collect()
    }

    /// Makes an edit, of heights too where they count.
    pub fn random_edit(&mut self, grid: &mut Grid) -> Edit {
        let edit = match self.numbers.is_some() && self.random.chance(1, 3) {
            true => Edit::random_height(&mut self.random, grid),
            false => Edit::random(&mut self.random, grid, self.round % 3 == 2),
        };
        edit.apply(grid);
        edit
    }
}

/// The index of a cell in a list of all, row by row.
pub fn cell_index(grid: &Grid, cell: Cell) -> usize {
    (cell.y * grid.width() + cell.x) as usize
}

/// A planner prepared for a map and a rule.
pub struct Case {
    pub row: &'static Algorithm,
    pub spec: PlannerSpec,
    pub moves: Moves,
    pub grid: Grid,
    pub planner: Box<dyn Planner>,
    /// Random numbers for the questions to this planner alone.
    pub random: Random,
    weighted: bool,
    asked: Option<Query>,
}

impl Case {
    fn new(ground: &Ground, spec: PlannerSpec) -> Self {
        let grid = ground.grid.clone();
        let planner = spec.prepare(&grid, ground.moves).unwrap_or_else(|error| {
            panic!("{spec} {}: {error}\n{}", ground.moves, blockstar::format::ascii::draw(&grid))
        });
        let random = stream(ground.seed, &format!("{spec} {} {}", ground.moves, ground.round));
        let (row, moves) = (spec.algorithm(), ground.moves);
        let weighted = grid.has_costs();
        Self { row, spec, moves, grid, planner, random, weighted, asked: None }
    }

    /// The promise of the row under this rule.
    pub fn promise(&self) -> Promise {
        self.row.promise_under(self.moves.rule())
    }

    pub fn is_real_time(&self) -> bool {
        self.row.walks()
    }

    /// A start or goal of a kind that the planner takes.
    pub fn point(&mut self) -> Point {
        random_point(&mut self.random, &self.grid, self.moves, self.row.free_points)
    }

    pub fn free_cell(&mut self) -> Cell {
        random_free_cell(&mut self.random, &self.grid)
    }

    /// A query between points of a kind that the planner takes.
    pub fn query(&mut self) -> Query {
        let start = self.point();
        Query::new(start, self.point())
    }

    /// A query between cells.
    pub fn cell_query(&mut self) -> Query {
        let start = self.free_cell();
        Query::new(start, self.free_cell())
    }

    /// [`Case::query`] with limits, a substitute goal or a weight now and then.
    pub fn query_with_options(&mut self) -> Query {
        let query = self.query();
        match self.random.below(7) {
            0 if !self.floods() => query.nearest(),
            1 => query.max_cost(self.random.below(30) as f64),
            2 => query.max_expansions(self.random.below(100)),
            3 if self.row.weight => query.weight(50.0),
            _ => query,
        }
    }

    /// Whether reachability takes a flood, as it does with slope limits: any-angle planners then
    /// refuse to look for the nearest cell.
    fn floods(&self) -> bool {
        self.moves.rule().is_any_angle() && self.moves.slope().is_some()
    }

    /// Notes what is asked, for the report of a failure.
    pub fn note(&mut self, query: &Query) {
        self.asked = Some(query.clone());
    }

    /// Asks; an error is a failure.
    pub fn find(&mut self, query: &Query, scratch: &mut Scratch) -> Status {
        let status = self.try_find(query, scratch).unwrap();
        let partial = status == Status::LimitReached && query.wants_partial();
        assert_eq!(status.has_path() || partial, !scratch.path().is_empty(), "{status:?}");
        status
    }

    pub fn try_find(&mut self, query: &Query, scratch: &mut Scratch) -> Result<Status, Error> {
        self.note(query);
        self.planner.find(&self.grid, query, scratch)
    }

    /// Asks, and holds the answer to the promise: a path is found exactly where the oracle has one,
    /// is legal, leads from end to end, and [costs what it may](Case::check_cost). Whether there is
    /// one.
    pub fn keeps_promise(&mut self, query: &Query, best: f64, scratch: &mut Scratch) -> bool {
        let status = self.find(query, scratch);
        assert_eq!(status, if best.is_finite() { Status::Found } else { Status::NoPath });
        if status == Status::Found {
            self.check_ends(scratch.path(), query.start(), query.goal());
            self.check_cost(self.row.promise, scratch, best);
        }
        status == Status::Found
    }

    /// A path is legal and leads from one point to another.
    pub fn check_ends(&self, path: &Path, start: Point, goal: Point) {
        path.check(&self.grid, self.moves).unwrap_or_else(|fault| panic!("{fault}: {path}"));
        let ends = (path.points().first(), path.points().last());
        assert_eq!(ends, (Some(&start), Some(&goal)), "{path}");
    }

    /// The path in the scratch memory costs what a promise permits, where the cheapest way over
    /// cells or corners costs `best`. No promise permits less than the cheapest, but paths at any
    /// angle may cut the corners of the lattice. A planner that moves in real time also keeps to
    /// the work that it may do for a move.
    pub fn check_cost(&self, promise: Promise, scratch: &Scratch, best: f64) {
        let (path, cost) = (scratch.path(), scratch.path().cost());
        let any_angle = self.moves.rule().is_any_angle();
        let slack = match self.moves.slope() {
            // What is left of a cost between free points after rounding to 1/195025 of a cell.
            _ if any_angle => 1e-5 * best.max(1.0),
            Some(_) => 1e-6,
            None => 1e-9,
        };
        let least = match any_angle && !self.row.lattice {
            true if self.grid.has_costs() => 0.0,
            true => path.points()[0].distance(path.points()[path.points().len() - 1]),
            false => best,
        };
        let most = match promise {
            // Held against an oracle of their own, in `block_any_angle.rs`.
            Promise::Optimal if any_angle && self.row.blocks => f64::INFINITY,
            Promise::Optimal => best,
            Promise::Within(factor) => best * factor,
            Promise::RealTime => {
                self.check_walk(path, scratch.stats());
                f64::INFINITY
            }
            Promise::Complete => f64::INFINITY,
            promise => panic!("what may a path cost under {promise:?}?"),
        };
        let context = || format!("cost {cost}, optimum {best}: {path}");
        assert!(cost >= least - slack || close(cost, least), "{}", context());
        assert!(cost <= most + slack || close(cost, most), "{}", context());
    }

    /// A walk goes from cell to cell, and its moves take no more expansions than is documented.
    fn check_walk(&self, path: &Path, stats: &Stats) {
        let cells: Vec<_> = path.cells().collect();
        let apart =
            |pair: &[Cell]| pair[0].x.abs_diff(pair[1].x).max(pair[0].y.abs_diff(pair[1].y));
        assert!(cells.windows(2).all(|pair| apart(pair) == 1), "{path}");
        assert_eq!(stats.moves as usize + 1, cells.len());
        let (first, any) = self.most_per_move();
        assert!(stats.first_response <= first && stats.largest_move <= any, "{stats:?}");
    }

    /// The most expansions before the first move and for any move.
    fn most_per_move(&self) -> (u64, u64) {
        let text = self.spec.to_string();
        let work = self.row.parameters.iter().find(|parameter| parameter.name == "work");
        let given = text.split(':').find_map(|part| part.strip_prefix("work="));
        match (self.row.name, work) {
            (_, Some(work)) => [given.unwrap_or(work.default).parse().unwrap(); 2].into(),
            // A sector of 16 x 16 cells; its later moves are not bounded.
            ("dba-star", _) => (256, u64::MAX),
            // Four climbs of 64 steps and a move, and after an edit a search of the regions.
            ("hcdps", _) => [4 * 64 + 1 + self.grid.free_cells() as u64; 2].into(),
            _ => panic!("{text} moves in real time: how much may it do for a move?"),
        }
    }

    /// Asks and returns the complete answer.
    pub fn answer(&mut self, query: &Query, scratch: &mut Scratch) -> Record {
        let status = self.find(query, scratch);
        record(status, scratch)
    }

    /// The answer in memory that was never used.
    pub fn fresh_answer(&mut self, query: &Query) -> Record {
        self.answer(query, &mut Scratch::new())
    }

    /// A second planner, prepared for the map as it is now.
    pub fn prepare_again(&self) -> Box<dyn Planner> {
        self.spec.prepare(&self.grid, self.moves).unwrap()
    }

    /// Edits the map, with terrain costs only if it had some and the planner takes them.
    pub fn edit(&mut self) {
        let weighted = self.weighted && self.row.terrain;
        random_edit(&mut self.random, &mut self.grid, weighted);
    }

    pub fn apply(&mut self, edits: &[Edit]) {
        edits.iter().for_each(|edit| edit.apply(&mut self.grid));
    }

    pub fn update(&mut self) {
        self.planner.update(&self.grid).unwrap();
    }

    /// Whether edits have given the map terrain costs that the planner does not take.
    pub fn is_out_of_its_depth(&self) -> bool {
        self.grid.has_costs() && !self.row.terrain
    }

    /// The planner that a refusal names, prepared for the same map.
    pub fn named_instead(&self, refusal: &Error) -> Box<dyn Planner> {
        assert!(matches!(refusal, Error::Unsupported { .. }), "{refusal}");
        let text = refusal.to_string();
        let name = text.split('`').nth(1).unwrap_or_else(|| panic!("nobody is named: {text}"));
        prepare(name, &self.grid, self.moves)
    }

    /// After [such edits](Case::is_out_of_its_depth) the planner says so.
    pub fn expect_refusal(&mut self, query: &Query, scratch: &mut Scratch) {
        self.note(query);
        let updated = self.planner.update(&self.grid).map(|_| ());
        let answer = updated.and_then(|()| self.planner.find(&self.grid, query, scratch));
        assert!(matches!(answer, Err(Error::Unsupported { .. })), "{answer:?}");
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.grid.width(), self.grid.height());
        let asked = self.asked.as_ref().map_or("nothing yet".into(), |query| format!("{query:?}"));
        write!(f, "{} under {}, asked {asked}, on ", self.spec, self.moves)?;
        match width * height {
            ..10_000 => write!(f, "\n{}", blockstar::format::ascii::draw(&self.grid)),
            _ => write!(f, "a map of {width} x {height} cells"),
        }
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{self}");
        }
    }
}
