//! The registry: one row per planner. Tests, command line, benchmarks and explorer read it; a new
//! algorithm is one file in `search/` and one row here.

use crate::search::ap_theta::ApTheta;
use crate::search::astar::{AStar, DEFAULT_WEIGHT, Kind};
use crate::search::block_astar::{BlockAStar, Settings};
use crate::search::cpd::PathDatabase;
use crate::search::dba_star::{self, DbaStar, Trim};
use crate::search::field_d_star::FieldDStar;
use crate::search::guided::{
    Bounds, dynamic, dynamic::Dynamic, knn, knn::Knn, trees, trees::Trees,
};
use crate::search::hcdps::{Hcdps, Settings as HcdpsSettings, Shortcuts};
use crate::search::lrta::{LrtaStar, local::Lookahead};
use crate::search::pra_cliques::{Estimate, PraCliques};
use crate::search::pra_star::{self, PraStar};
use crate::search::rea_star::ReaStar;
use crate::search::sectors::{Centre, Sectors};
use crate::search::tba_star::TbaStar;
use crate::search::theta::{Kind as ThetaKind, Reopen, Theta};
use crate::search::visibility::VisibilityGraph;
use crate::search::{anya::Anya, bidirectional::Bidirectional, ida_star::IdaStar, jps::Jps};
use crate::{DatabaseKind, Error, Grid, Heuristic, Lddb, Moves, Planner, Rule};
use std::sync::Arc;

/// What a planner promises about the cost of its paths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// No path costs less.
    Optimal,
    /// At most this many times the optimum (for planners with a weight: at their default).
    Within(f64),
    /// A path is found if there is one; its cost is not bounded.
    Complete,
    /// Moves come after a bounded amount of work each; the walk may be longer than need be.
    RealTime,
}

/// A parameter of a planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, as in `planner:name=value`.
    pub name: &'static str,
    /// The values it takes.
    pub values: &'static str,
    /// The value it has if none is given.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// A planner in the registry.
///
/// ```
/// use blockstar::{Algorithm, Grid, Moves};
/// for algorithm in Algorithm::all() {
///     println!("{}: {}", algorithm.name, algorithm.summary);
/// }
/// let grid = Grid::new(8, 8)?;
/// let planner = Algorithm::named("ida-star:table=off")?.prepare(&grid, Moves::FOUR)?;
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Debug)]
pub struct Algorithm {
    /// The name, as on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What it promises.
    pub promise: Promise,
    /// The movement rules it supports.
    pub rules: &'static [Rule],
    /// Whether it takes terrain costs into account; if not, it refuses grids that have them.
    pub terrain: bool,
    /// Whether it takes heights into account.
    pub heights: bool,
    /// Whether start and goal may be any points under the any-angle rules.
    pub free_points: bool,
    /// Whether it steps between the corner points of cells under the any-angle rules, as published
    /// comparisons have their A* do: what it promises then holds among such paths only.
    pub lattice: bool,
    /// Whether its any-angle paths are straight only from one block boundary to the next: what it
    /// promises then holds among such paths only.
    pub blocks: bool,
    /// Whether it takes the [weight](crate::Query::weight) of a query.
    pub weight: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    make: Constructor,
}

type Constructor = fn(&Choice, &Grid, Moves) -> Result<Box<dyn Planner>, Error>;

/// An [`Algorithm`] with values for its parameters: what [`Algorithm::named`] reads from text.
#[derive(Clone, Debug)]
pub struct Choice {
    algorithm: &'static Algorithm,
    given: Vec<(&'static str, String)>,
    lddb: Option<Lddb>,
    saved: Option<Saved>,
}

/// The bytes of a file of prepared data, wherever they are.
#[derive(Clone)]
struct Saved(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl std::fmt::Debug for Saved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", (*self.0).as_ref().len())
    }
}

const CELLS: &[Rule] = &Rule::CELLS;
const EIGHTS: &[Rule] = &[Rule::Eight, Rule::EightCutOne, Rule::EightCutAny];
const ALL: &[Rule] = &Rule::ALL;
const ANY_ANGLES: &[Rule] = &[Rule::AnyAngle, Rule::AnyAngleSqueeze];

const WORK: Parameter = Parameter {
    name: "work",
    values: "1-1000000",
    default: "32",
    meaning: "the most expansions for one move",
};
const AVOID: Parameter = Parameter {
    name: "avoid",
    values: "on|off",
    default: "on",
    meaning: "leave dead ends by going where the least has been learned",
};

const GUIDED_WORK: Parameter = Parameter {
    name: "work",
    values: "1-1000000",
    default: "1000",
    meaning: "the most cells looked around from for one move, in thought or to search",
};
const LOOKAHEAD: Parameter = Parameter {
    name: "lookahead",
    values: "1-1000000",
    default: "32",
    meaning: "the most expansions among them, for an agent without a guide",
};

/// The size of the sectors of [`Sectors`].
const SECTOR: Parameter = Parameter {
    name: "sector",
    values: "4-256|WxH",
    default: "16",
    meaning: "the cells along the side of a sector, or its width and height",
};

/// How a region's centre is chosen.
const CENTRE: Parameter = Parameter {
    name: "centre",
    values: "mean|tuned",
    default: "mean",
    meaning: "which cell stands for a region: next to the mean, or easy to get to from its neighbours",
};

static ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "astar",
        summary: "A*: the yardstick; expands in order of cost so far plus estimate",
        source: "Hart, Nilsson & Raphael 1968",
        promise: Promise::Optimal,
        rules: ALL,
        terrain: true,
        heights: false,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| {
            Ok(Box::new(AStar::new(choice.name(), Kind::AStar, grid, moves)))
        },
    },
    Algorithm {
        name: "dijkstra",
        summary: "Dijkstra's algorithm: A* without an estimate",
        source: "Dijkstra 1959",
        promise: Promise::Optimal,
        rules: ALL,
        terrain: true,
        heights: false,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| {
            Ok(Box::new(AStar::new(choice.name(), Kind::Dijkstra, grid, moves)))
        },
    },
    Algorithm {
        name: "greedy",
        summary: "Greedy best-first search: runs for the goal, whatever the detour",
        source: "Doran & Michie 1966",
        promise: Promise::Complete,
        rules: ALL,
        terrain: true,
        heights: false,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| {
            Ok(Box::new(AStar::new(choice.name(), Kind::Greedy, grid, moves)))
        },
    },
    Algorithm {
        name: "weighted-astar",
        summary: "Weighted A*: at most w times the optimum (query weight, default 1.5), sooner",
        source: "Pohl 1970",
        promise: Promise::Within(DEFAULT_WEIGHT),
        rules: ALL,
        terrain: true,
        heights: false,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: true,
        parameters: &[],
        make: |choice, grid, moves| {
            Ok(Box::new(AStar::new(choice.name(), Kind::Weighted, grid, moves)))
        },
    },
    Algorithm {
        name: "bidirectional-astar",
        summary: "Bidirectional A*: from both ends, stops by a proven bound (NBA*)",
        source: "Pijls & Post 2009",
        promise: Promise::Optimal,
        rules: CELLS,
        terrain: true,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| Ok(Box::new(Bidirectional::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "ida-star",
        summary: "Iterative deepening A*: little memory, good on almost straight paths",
        source: "Korf 1985",
        promise: Promise::Optimal,
        rules: CELLS,
        terrain: true,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[Parameter {
            name: "table",
            values: "on|off",
            default: "on",
            meaning: "keep a transposition table, 16 bytes per cell",
        }],
        make: |choice, grid, moves| {
            let table = choice.switch("table")?;
            Ok(Box::new(IdaStar::new(choice.name(), grid, moves, table)))
        },
    },
    Algorithm {
        name: "jps",
        summary: "Jump point search: A* that skips over open ground, 56 cells at a time",
        source: "Harabor & Grastien 2011, 2014",
        promise: Promise::Optimal,
        rules: EIGHTS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| Ok(Box::new(Jps::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "block-astar",
        summary: "Block A*: blocks of cells at a time, by tables of the distances inside them",
        source: "Yap, Burch, Holte & Schaeffer 2011",
        promise: Promise::Optimal,
        rules: ALL,
        terrain: true,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: true,
        weight: true,
        parameters: &[
            Parameter {
                name: "block",
                values: "2-16|auto",
                default: "auto",
                meaning: "the cells along the side of a block: 12, under any-angle rules on terrain 6",
            },
            Parameter {
                name: "memory",
                values: "0-65536",
                default: "256",
                meaning: "the MiB that tables may take; what needs more is made by each query",
            },
        ],
        make: |choice, grid, moves| {
            let side = match choice.value("block") {
                "auto" => None,
                _ => Some(choice.number("block", Settings::SIDES)?),
            };
            let memory = (choice.number("memory", 0..=65536)? as usize) << 20;
            let settings = Settings { side, memory, source: choice.lddb.clone() };
            Ok(Box::new(BlockAStar::new(choice.name(), grid, moves, settings)))
        },
    },
    Algorithm {
        name: "anya",
        summary: "ANYA: shortest any-angle paths, by searching intervals instead of points",
        source: "Harabor, Grastien, Öz & Aksakalli 2016",
        promise: Promise::Optimal,
        rules: ANY_ANGLES,
        terrain: false,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| Ok(Box::new(Anya::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "theta-star",
        summary: "Theta*: A* over corners whose parents may be any corner in sight",
        source: "Nash, Daniel, Koenig & Felner 2007",
        promise: Promise::Complete,
        rules: ANY_ANGLES,
        terrain: true,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[Parameter {
            name: "reopen",
            values: "on|off",
            default: "on",
            meaning: "expand corners again that improve after they were expanded",
        }],
        make: |choice, grid, moves| {
            let reopen = choice.reopen()?;
            Ok(Box::new(Theta::new(choice.name(), ThetaKind::Basic, reopen, grid, moves)))
        },
    },
    Algorithm {
        name: "lazy-theta-star",
        summary: "Lazy Theta*: looks once per expansion, not once per successor",
        source: "Nash, Koenig & Tovey 2010",
        promise: Promise::Complete,
        rules: ANY_ANGLES,
        terrain: false,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| {
            Ok(Box::new(Theta::new(choice.name(), ThetaKind::Lazy, Reopen::No, grid, moves)))
        },
    },
    Algorithm {
        name: "strict-theta-star",
        summary: "Recursive Strict Theta*: only taut paths, next to optimal",
        source: "Oh & Leong 2016",
        promise: Promise::Complete,
        rules: ANY_ANGLES,
        terrain: false,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[Parameter {
            name: "reopen",
            values: "on|off",
            default: "off",
            meaning: "expand corners again that improve after they were expanded",
        }],
        make: |choice, grid, moves| {
            let reopen = choice.reopen()?;
            Ok(Box::new(Theta::new(choice.name(), ThetaKind::Strict, reopen, grid, moves)))
        },
    },
    Algorithm {
        name: "visibility-graph",
        summary: "Sparse visibility graph: taut edges prepared, shortest any-angle paths",
        source: "Oh & Leong 2017",
        promise: Promise::Optimal,
        rules: &[Rule::AnyAngle, Rule::AnyAngleSqueeze],
        terrain: false,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |_, grid, moves| Ok(Box::new(VisibilityGraph::build(grid, moves, &|_, _| ())?)),
    },
    Algorithm {
        name: "rea-star",
        summary: "Rectangle expansion A*: intervals that grow over whole free rectangles",
        source: "Zhang, Li & Bi 2016",
        promise: Promise::Optimal,
        rules: &[Rule::Eight],
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| Ok(Box::new(ReaStar::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "ap-theta-star",
        summary: "Angle-Propagation Theta*: Theta* with angles instead of looking",
        source: "Daniel, Nash, Koenig & Felner 2010",
        promise: Promise::Complete,
        rules: ANY_ANGLES,
        terrain: false,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| Ok(Box::new(ApTheta::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "field-d-star",
        summary: "Field D*: crosses edges anywhere, by costs interpolated between corners",
        source: "Ferguson & Stentz 2005, 2006",
        promise: Promise::Complete,
        rules: ANY_ANGLES,
        terrain: true,
        heights: false,
        free_points: true,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        make: |choice, grid, moves| Ok(Box::new(FieldDStar::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "lrta-star",
        summary: "LRTA*: moves after a bounded look around, and learns from where it has been",
        source: "Korf 1990; Koenig & Sun 2009; Hernández & Baier 2012",
        promise: Promise::RealTime,
        rules: CELLS,
        terrain: true,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[WORK, AVOID],
        make: |choice, grid, moves| {
            let lookahead = choice.lookahead()?;
            Ok(Box::new(LrtaStar::new(choice.name(), grid, moves, lookahead)))
        },
    },
    Algorithm {
        name: "tba-star",
        summary: "Time-bounded A*: one A* spread over the moves of an agent that follows its best path",
        source: "Björnsson, Bulitko & Sturtevant 2009",
        promise: Promise::RealTime,
        rules: CELLS,
        terrain: true,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            WORK,
            Parameter {
                name: "trace",
                values: "1-10000000|auto",
                default: "auto",
                meaning: "the most cells traced back for one move: ten times the work",
            },
        ],
        make: |choice, grid, moves| {
            let work = choice.number(WORK.name, 1..=1_000_000)?;
            let trace = match choice.value("trace") {
                "auto" => 10 * work,
                _ => choice.number("trace", 1..=10_000_000)?,
            };
            Ok(Box::new(TbaStar::new(choice.name(), grid, moves, work, trace)))
        },
    },
    Algorithm {
        name: "knn-lrta-star",
        summary: "kNN LRTA*: follows the most similar of many problems solved beforehand",
        source: "Bulitko, Björnsson & Lawrence 2010",
        promise: Promise::RealTime,
        rules: CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            Parameter {
                name: "records",
                values: "0-1000000|auto",
                default: "auto",
                meaning: "how many problems are solved beforehand: one for 16 free cells, at most 10,000",
            },
            Parameter {
                name: "nearest",
                values: "0-1000",
                default: "10",
                meaning: "how many of the most similar ones are looked at",
            },
            GUIDED_WORK,
            LOOKAHEAD,
            AVOID,
        ],
        make: |choice, grid, moves| {
            let settings = choice.knn_settings()?;
            Ok(Box::new(Knn::build(grid, moves, settings, &|_, _| ())))
        },
    },
    Algorithm {
        name: "subgoal-lrta-star",
        summary: "LRTA* with subgoal trees: for some goals, the next subgoal from everywhere",
        source: "Hernández & Baier 2011",
        promise: Promise::RealTime,
        rules: CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            Parameter {
                name: "goals",
                values: "0-100000|auto",
                default: "auto",
                meaning: "how many goals get a tree: one for 400 free cells, at most 256",
            },
            GUIDED_WORK,
            LOOKAHEAD,
            AVOID,
        ],
        make: |choice, grid, moves| {
            let settings = choice.tree_settings()?;
            Ok(Box::new(Trees::build(grid, moves, settings, &|_, _| ())))
        },
    },
    Algorithm {
        name: "d-lrta-star",
        summary: "D LRTA*: subgoals by where agent and goal are on an abstract map",
        source: "Bulitko, Luštrek, Schaeffer, Björnsson & Sigmundarson 2008",
        promise: Promise::RealTime,
        rules: CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            Parameter {
                name: "level",
                values: "1-30|auto",
                default: "auto",
                meaning: "the level of the clique abstraction: the lowest with at most 400 nodes, each for 100 cells",
            },
            Parameter { default: "512", ..WORK },
            Parameter { default: "off", ..AVOID },
        ],
        make: |choice, grid, moves| {
            let settings = choice.pair_settings()?;
            Ok(Box::new(Dynamic::build(grid, moves, settings, &|_, _| ())))
        },
    },
    Algorithm {
        name: "pra-star",
        summary: "PRA*: A* over the regions of sectors, refined hop by hop, as in Dragon Age",
        source: "Sturtevant & Buro 2005, Sturtevant 2007",
        promise: Promise::Complete,
        rules: CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            Parameter {
                name: "abstraction",
                values: "sectors|cliques",
                default: "sectors",
                meaning: "regions of sectors, or cliques of cells, cliques of cliques and so on (PRA*(∞))",
            },
            Parameter {
                name: "ring",
                values: "0-16",
                default: "1",
                meaning: "cliques: how many steps beside a path are searched one level below",
            },
            Parameter {
                name: "estimate",
                values: "along|straight",
                default: "along",
                meaning: "cliques: what is left to go by the path one level above, or straight",
            },
            SECTOR,
            Parameter {
                name: "trim",
                values: "0-90",
                default: "10",
                meaning: "how much of each hop, in %, is dropped before the next is planned",
            },
            CENTRE,
        ],
        make: |choice, grid, moves| {
            match choice.value("abstraction") {
                "sectors" => {}
                "cliques" => {
                    let ring = choice.number("ring", 0..=16)?;
                    let estimate = match choice.value("estimate") {
                        "along" => Estimate::Along,
                        "straight" => Estimate::Straight,
                        other => {
                            let given = format!("estimate={other}");
                            return Err(choice.refuse(&given, "use along or straight".into()));
                        }
                    };
                    return Ok(Box::new(PraCliques::new(grid, moves, ring, estimate)));
                }
                other => {
                    let given = format!("abstraction={other}");
                    return Err(choice.refuse(&given, "use sectors or cliques".into()));
                }
            }
            let settings = pra_star::Settings {
                side: choice.sector()?,
                centre: choice.centre()?,
                trim: choice.number("trim", pra_star::Settings::TRIMS)?,
            };
            Ok(Box::new(PraStar::new(grid, moves, settings)?))
        },
    },
    Algorithm {
        name: "dba-star",
        summary: "DBA*: paths between neighbouring regions prepared, walked by hill climbing",
        source: "Lee & Lawrence 2013",
        promise: Promise::RealTime,
        rules: CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            SECTOR,
            Parameter {
                name: "depth",
                values: "1-4",
                default: "2",
                meaning: "how many regions on a prepared path may lead",
            },
            Parameter {
                name: "trim",
                values: "none|ends|all",
                default: "all",
                meaning: "where corners are cut: nowhere, at start and goal, wherever paths meet",
            },
            CENTRE,
            Parameter {
                name: "matrix",
                values: "on|off",
                default: "on",
                meaning: "keep where to go next for every two regions; off: search for it each time",
            },
        ],
        make: |choice, grid, moves| {
            Ok(Box::new(DbaStar::new(grid, moves, choice.dba_settings()?)?))
        },
    },
    Algorithm {
        name: "cpd",
        summary: "Compressed path database: every first move stored, no search at all",
        source: "Botea 2011; Strasser, Harabor & Botea 2014",
        promise: Promise::Optimal,
        rules: CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[Parameter {
            name: "memory",
            values: "0-1048576",
            default: "1024",
            meaning: "the MiB that the database may take; a map that needs more is refused",
        }],
        make: |choice, grid, moves| {
            let memory = (choice.number("memory", 0..=1 << 20)? as usize) << 20;
            Ok(Box::new(PathDatabase::build(grid, moves, memory, &|_, _| ())?))
        },
    },
    Algorithm {
        name: "hcdps",
        summary: "HCDPS: climbs from subgoal to subgoal between hill-climbable regions",
        source: "Lawrence & Bulitko 2013",
        promise: Promise::RealTime,
        rules: CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            Parameter {
                name: "depth",
                values: "1-4",
                default: "2",
                meaning: "how many regions apart base paths may lead",
            },
            Parameter {
                name: "cut-off",
                values: "1-10000",
                default: "64",
                meaning: "the most steps of a climb",
            },
            Parameter {
                name: "shortcuts",
                values: "all|ends",
                default: "all",
                meaning: "look for shortcuts everywhere or at both ends of the walk only",
            },
            Parameter {
                name: "memory",
                values: "0-1048576",
                default: "256",
                meaning: "the MiB that the database may take; a map that needs more is refused",
            },
        ],
        make: |choice, grid, moves| {
            Ok(Box::new(Hcdps::build(grid, moves, choice.hcdps_settings()?)?))
        },
    },
];

impl Algorithm {
    /// Every planner.
    pub fn all() -> &'static [Self] {
        ALGORITHMS
    }

    /// The planner of a name, with parameters after colons: `ida-star:table=off`.
    pub fn named(text: &str) -> Result<Choice, Error> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(algorithm) = ALGORITHMS.iter().find(|algorithm| algorithm.name == name) else {
            let known: Vec<_> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
            return Err(Error::UnknownPlanner { name: name.into(), known: known.join(", ") });
        };
        let mut choice = Choice { algorithm, given: Vec::new(), lddb: None, saved: None };
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let parameter = algorithm.parameters.iter().find(|p| p.name == name);
            let Some(parameter) = parameter else {
                let known: Vec<_> = algorithm.parameters.iter().map(|p| p.name).collect();
                let reason = match known.len() {
                    0 => "it has no parameters".into(),
                    _ => format!("its parameters are {}", known.join(", ")),
                };
                return Err(choice.refuse(part, reason));
            };
            choice.given.push((parameter.name, value.into()));
        }
        Ok(choice)
    }

    /// The planner with its default parameters.
    pub fn choose(&'static self) -> Choice {
        Choice { algorithm: self, given: Vec::new(), lddb: None, saved: None }
    }

    /// What the planner promises under a movement rule: see [`Algorithm::lattice`] and
    /// [`Algorithm::blocks`].
    pub fn promise_under(&self, rule: Rule) -> Promise {
        let relative = self.lattice || self.blocks;
        if relative && rule.is_any_angle() { Promise::Complete } else { self.promise }
    }

    /// The heuristic that the planner uses under a movement rule if the query names none. A path that
    /// may take any angle is not bound to the steps that the octile estimate counts.
    pub fn default_heuristic(&self, moves: Moves) -> Heuristic {
        if moves.rule().is_any_angle() && !self.lattice {
            Heuristic::Euclidean
        } else {
            Heuristic::default_for(moves)
        }
    }

    /// Whether the planner supports a movement rule.
    pub fn supports(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }
}

impl Choice {
    /// The row of the registry.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        self.algorithm.name
    }

    /// The same with tables that were made before, for planners with blocks. The database decides the
    /// size of a block, and so must the movement rule be its own.
    pub fn with_lddb(mut self, lddb: &Lddb) -> Result<Self, Error> {
        const BLOCK: &str = "block";
        let Some(parameter) = self.algorithm.parameters.iter().find(|p| p.name == BLOCK) else {
            return Err(Error::Unsupported {
                planner: self.name(),
                what: "a local distance database".into(),
                remedy: "use `block-astar`".into(),
            });
        };
        let block = lddb.block().to_string();
        if let Some((_, other)) =
            self.given.iter().find(|(name, value)| *name == BLOCK && *value != block)
        {
            let reason =
                format!("the database is for blocks of {block} cells a side: leave it out");
            return Err(self.refuse(&format!("{BLOCK}={other}"), reason));
        }
        if !self.given.iter().any(|(name, _)| *name == BLOCK) {
            self.given.push((parameter.name, block));
        }
        self.lddb = Some(lddb.clone());
        Ok(self)
    }

    /// The same with what a planner of this choice has [saved](Planner::save): [`Choice::prepare`] then
    /// [opens](Choice::open) it. The bytes may be a memory map.
    #[must_use]
    pub fn with_saved(mut self, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        self.saved = Some(Saved(Arc::new(bytes)));
        self
    }

    /// Makes the planner for a map and a movement rule.
    pub fn prepare(&self, grid: &Grid, moves: Moves) -> Result<Box<dyn Planner>, Error> {
        if let Some(Saved(bytes)) = &self.saved {
            return self.open((**bytes).as_ref(), grid, moves);
        }
        self.check(grid, moves)?;
        if let Some(lddb) = self.lddb.as_ref().filter(|lddb| lddb.moves() != moves) {
            return Err(DatabaseKind::Lddb
                .refuse(format!("it was made for the rule {}, not for {moves}", lddb.moves())));
        }
        (self.algorithm.make)(self, grid, moves)
    }

    /// Opens what a planner of this choice has [saved](Planner::save) for the same map and movement rule,
    /// instead of preparing it. Everything else is refused: other files, damaged ones, those of another
    /// map, of the same map before an edit, or of another rule.
    ///
    /// ```
    /// use blockstar::{Algorithm, Grid, Moves, Planner};
    /// let grid = Grid::new(20, 20)?;
    /// let choice = Algorithm::named("knn-lrta-star:records=50")?;
    /// let saved = choice.prepare(&grid, Moves::EIGHT)?.save().unwrap();
    /// let planner = choice.open(&saved, &grid, Moves::EIGHT)?;
    /// assert!(choice.open(&saved[..100], &grid, Moves::EIGHT).is_err());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn open(&self, bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Box<dyn Planner>, Error> {
        self.check(grid, moves)?;
        Ok(match self.name() {
            "visibility-graph" => Box::new(VisibilityGraph::open(bytes, grid, moves)?),
            "knn-lrta-star" => Box::new(Knn::open(bytes, grid, moves, self.knn_settings()?)?),
            "subgoal-lrta-star" => {
                Box::new(Trees::open(bytes, grid, moves, self.tree_settings()?)?)
            }
            "cpd" => Box::new(PathDatabase::open(bytes, grid, moves)?),
            "hcdps" => {
                let opened = Hcdps::open(bytes, grid, moves)?;
                let HcdpsSettings { depth, cut_off, shortcuts, .. } = self.hcdps_settings()?;
                let made = opened.settings();
                for (name, wanted, made) in
                    [("depth", depth, made.depth), ("cut-off", cut_off, made.cut_off)]
                {
                    if self.given(name, |_| Ok(()))?.is_some() && wanted != made {
                        let reason = format!("the database was made with {made}: leave it out");
                        return Err(self.refuse(&format!("{name}={wanted}"), reason));
                    }
                }
                Box::new(opened.with_shortcuts(shortcuts))
            }
            "pra-star" if self.value("abstraction") != "sectors" => {
                return Err(Error::Unsupported {
                    planner: self.name(),
                    what: "a file of cliques".into(),
                    remedy: "reading one takes as long as making them: prepare it".into(),
                });
            }
            "pra-star" => {
                let wanted = (
                    self.given(SECTOR.name, Self::sector)?,
                    self.given(CENTRE.name, Self::centre)?,
                );
                let trim = self.number("trim", pra_star::Settings::TRIMS)?;
                Box::new(PraStar::open(bytes, grid, moves, wanted, trim)?)
            }
            "dba-star" => {
                let wanted = dba_star::Wanted {
                    side: self.given(SECTOR.name, Self::sector)?,
                    depth: self
                        .given("depth", |c| c.number("depth", dba_star::Settings::DEPTHS))?,
                    centre: self.given(CENTRE.name, Self::centre)?,
                    matrix: self.given("matrix", |c| c.switch("matrix"))?,
                };
                Box::new(DbaStar::open(bytes, grid, moves, wanted, self.trim()?)?)
            }
            "d-lrta-star" => Box::new(Dynamic::open(bytes, grid, moves, self.pair_settings()?)?),
            _ => {
                return Err(Error::Unsupported {
                    planner: self.name(),
                    what: "a file of prepared data".into(),
                    remedy: "prepare it".into(),
                });
            }
        })
    }

    /// Whether the planner can work on a map under a rule.
    fn check(&self, grid: &Grid, moves: Moves) -> Result<(), Error> {
        if !self.algorithm.supports(moves.rule()) {
            let known: Vec<_> = self.algorithm.rules.iter().map(|rule| rule.name()).collect();
            return Err(Error::Unsupported {
                planner: self.name(),
                what: format!("the movement rule `{}`", moves.rule().name()),
                remedy: format!("it supports {}", known.join(", ")),
            });
        }
        if grid.has_costs() && !self.algorithm.terrain {
            return Err(Error::no_terrain(self.name(), moves));
        }
        Ok(())
    }

    /// The value of a parameter: as given, or its default.
    fn value(&self, name: &str) -> &str {
        let given = self.given.iter().rev().find(|given| given.0 == name);
        let default = || self.algorithm.parameters.iter().find(|p| p.name == name);
        given.map_or_else(|| default().map_or("", |p| p.default), |given| &given.1)
    }

    fn switch(&self, name: &str) -> Result<bool, Error> {
        match self.value(name) {
            "on" => Ok(true),
            "off" => Ok(false),
            other => Err(self.refuse(&format!("{name}={other}"), "use on or off".into())),
        }
    }

    fn number(&self, name: &str, range: std::ops::RangeInclusive<u32>) -> Result<u32, Error> {
        let value = self.value(name);
        value.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let reason = format!("use a whole number from {} to {}", range.start(), range.end());
            self.refuse(&format!("{name}={value}"), reason)
        })
    }

    fn lookahead(&self) -> Result<Lookahead, Error> {
        let work = self.number(WORK.name, 1..=1_000_000)?;
        Ok(Lookahead { work, avoid: self.switch(AVOID.name)?, sparing: false })
    }

    fn bounds(&self) -> Result<Bounds, Error> {
        let work = self.number(LOOKAHEAD.name, 1..=1_000_000)?;
        let lookahead = Lookahead { work, avoid: self.switch(AVOID.name)?, sparing: false };
        Ok(Bounds::new(self.number(WORK.name, 1..=1_000_000)?, lookahead))
    }

    /// A number, or `None` for "auto".
    fn automatic(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<u32>, Error> {
        if self.value(name) == "auto" {
            return Ok(None);
        }
        self.number(name, range).map(Some)
    }

    fn knn_settings(&self) -> Result<knn::Settings, Error> {
        let records = self.automatic("records", 0..=1_000_000)?;
        let nearest = self.number("nearest", 0..=1000)?;
        Ok(knn::Settings { records, nearest, bounds: self.bounds()? })
    }

    fn tree_settings(&self) -> Result<trees::Settings, Error> {
        let goals = self.automatic("goals", 0..=100_000)?;
        Ok(trees::Settings { goals, bounds: self.bounds()? })
    }

    fn pair_settings(&self) -> Result<dynamic::Settings, Error> {
        let level = self.automatic("level", 1..=30)?;
        let lookahead = Lookahead { sparing: true, ..self.lookahead()? };
        Ok(dynamic::Settings { level, lookahead })
    }

    /// The size of a sector: `16` or `16x12`.
    fn sector(&self) -> Result<(u32, u32), Error> {
        let value = self.value(SECTOR.name);
        let (width, height) = value.split_once('x').unwrap_or((value, value));
        let sides = Sectors::MIN_SIDE..=Sectors::MAX_SIDE;
        let side = |text: &str| text.parse().ok().filter(|side| sides.contains(side));
        side(width).zip(side(height)).ok_or_else(|| {
            let reason = format!(
                "use a whole number from {} to {}, or two as in 16x12",
                sides.start(),
                sides.end()
            );
            self.refuse(&format!("{}={value}", SECTOR.name), reason)
        })
    }

    fn centre(&self) -> Result<Centre, Error> {
        match self.value(CENTRE.name) {
            "mean" => Ok(Centre::Mean),
            "tuned" => Ok(Centre::Tuned),
            other => Err(self.refuse(&format!("centre={other}"), "use mean or tuned".into())),
        }
    }

    /// A parameter, if a value was given for it: what was prepared before decides the others.
    fn given<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.given.iter().any(|given| given.0 == name).then(|| read(self)).transpose()
    }

    fn trim(&self) -> Result<Trim, Error> {
        match self.value("trim") {
            "none" => Ok(Trim::None),
            "ends" => Ok(Trim::Ends),
            "all" => Ok(Trim::All),
            other => Err(self.refuse(&format!("trim={other}"), "use none, ends or all".into())),
        }
    }

    fn dba_settings(&self) -> Result<dba_star::Settings, Error> {
        Ok(dba_star::Settings {
            side: self.sector()?,
            depth: self.number("depth", dba_star::Settings::DEPTHS)?,
            centre: self.centre()?,
            trim: self.trim()?,
            matrix: self.switch("matrix")?,
        })
    }

    fn hcdps_settings(&self) -> Result<HcdpsSettings, Error> {
        Ok(HcdpsSettings {
            depth: self.number("depth", 1..=4)?,
            cut_off: self.number("cut-off", 1..=10_000)?,
            shortcuts: match self.value("shortcuts") {
                "all" => Shortcuts::All,
                "ends" => Shortcuts::Ends,
                other => {
                    let given = format!("shortcuts={other}");
                    return Err(self.refuse(&given, "use all or ends".into()));
                }
            },
            memory: (self.number("memory", 0..=1 << 20)? as usize) << 20,
        })
    }

    fn reopen(&self) -> Result<Reopen, Error> {
        Ok(if self.switch("reopen")? { Reopen::Yes } else { Reopen::No })
    }

    fn refuse(&self, given: &str, reason: String) -> Error {
        Error::Parameter { planner: self.name(), given: given.into(), reason }
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.algorithm.name)?;
        for (name, value) in &self.given {
            write!(f, ":{name}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parameters_are_read_and_refused_with_a_sentence() {
        let message = |text: &str| match Algorithm::named(text) {
            Err(error) => error.to_string(),
            Ok(choice) => match choice.prepare(&Grid::new(2, 2).unwrap(), Moves::EIGHT) {
                Err(error) => error.to_string(),
                Ok(_) => "fine".into(),
            },
        };
        assert_eq!(message("ida-star:table=off"), "fine");
        assert!(message("a-star").contains("`a-star`; the planners are astar, dijkstra"));
        assert!(message("astar:speed=9").contains("no parameters"));
        assert!(message("ida-star:tabel=on").contains("its parameters are table"));
        assert!(message("ida-star:table=maybe").contains("use on or off"));
        let four = Algorithm::named("jps").unwrap().prepare(&Grid::new(2, 2).unwrap(), Moves::FOUR);
        assert!(four.err().unwrap().to_string().contains("it supports eight, eight-cut-one"));
        assert_eq!(
            Algorithm::named("ida-star:table=off").unwrap().to_string(),
            "ida-star:table=off"
        );
    }
}
