//! The rows of the registry, and how each planner reads its parameters.

use super::{Algorithm, Choice, Parameter, Promise};
use crate::planner::any_angle::anya::Anya;
use crate::planner::any_angle::ap_theta::ApTheta;
use crate::planner::any_angle::field_d_star::FieldDStar;
use crate::planner::any_angle::theta::{Kind as ThetaKind, Reopen, Theta};
use crate::planner::any_angle::visibility::VisibilityGraph;
use crate::planner::block::block_astar::{BlockAStar, Settings};
use crate::planner::cell::astar::{AStar, DEFAULT_WEIGHT, Kind};
use crate::planner::cell::astar_mod::{AStarMod, Kind as ModKind};
use crate::planner::cell::bidirectional::Bidirectional;
use crate::planner::cell::ida_star::IdaStar;
use crate::planner::cell::jps::Jps;
use crate::planner::cell::rea_star::ReaStar;
use crate::planner::real_time::guided::{
    Bounds, dynamic, dynamic::Dynamic, knn, knn::Knn, trees, trees::Trees,
};
use crate::planner::real_time::lrta::{LrtaStar, local::Lookahead};
use crate::planner::real_time::tba_star::TbaStar;
use crate::planner::stored::cpd::PathDatabase;
use crate::planner::stored::dba_star::{self, DbaStar, Trim};
use crate::planner::stored::hcdps::{Hcdps, Settings as HcdpsSettings, Shortcuts};
use crate::planner::stored::pra_cliques::{Estimate, PraCliques};
use crate::planner::stored::pra_star::{self, PraStar};
use crate::regions::sectors::{Centre, Sectors};
use crate::{Error, Lddb, Rule};

/// What PRA* searches first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Abstraction {
    Sectors,
    Cliques,
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

/// The post-processing of A*MOD.
const POST: Parameter = Parameter {
    name: "post",
    values: "on|off",
    default: "on",
    meaning: "remove the vertices in the middle of straight stretches",
};

pub(super) static ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "astar",
        summary: "A*: the yardstick; expands in order of cost so far plus estimate",
        source: "Hart, Nilsson & Raphael 1968",
        promise: Promise::Optimal,
        rules: ALL,
        terrain: true,
        heights: true,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: false,
        parameters: &[],
        open: None,
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
        heights: true,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: false,
        parameters: &[],
        open: None,
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
        heights: true,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: false,
        parameters: &[],
        open: None,
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
        heights: true,
        free_points: true,
        lattice: true,
        blocks: false,
        weight: true,
        parameters: &[],
        open: None,
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
        heights: true,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[],
        open: None,
        make: |choice, grid, moves| Ok(Box::new(Bidirectional::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "ida-star",
        summary: "Iterative deepening A*: little memory, good on almost straight paths",
        source: "Korf 1985",
        promise: Promise::Optimal,
        rules: CELLS,
        terrain: true,
        heights: true,
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
        open: None,
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
        open: None,
        make: |choice, grid, moves| Ok(Box::new(Jps::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "block-astar",
        summary: "Block A*: blocks of cells at a time, by tables of the distances inside them",
        source: "Yap, Burch, Holte & Schaeffer 2011",
        promise: Promise::Optimal,
        rules: ALL,
        terrain: true,
        heights: true,
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
        open: Some(|choice, bytes, grid, moves| {
            let mut choice = choice.clone();
            choice.saved = None;
            choice.with_lddb(&Lddb::open(bytes.to_vec())?)?.prepare(grid, moves)
        }),
        make: |choice, grid, moves| {
            let side = match choice.value("block") {
                "auto" => None,
                _ => Some(choice.number("block", Settings::SIDES)?),
            };
            if moves.slope().is_some() && moves.rule().is_any_angle() {
                return Err(Error::no_slopes(choice.name(), moves));
            }
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
        open: None,
        make: |choice, grid, moves| Ok(Box::new(Anya::new(choice.name(), grid, moves))),
    },
    Algorithm {
        name: "theta-star",
        summary: "Theta*: A* over corners whose parents may be any corner in sight",
        source: "Nash, Daniel, Koenig & Felner 2007",
        promise: Promise::Complete,
        rules: ANY_ANGLES,
        terrain: true,
        heights: true,
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
        open: None,
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
        open: None,
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
        open: None,
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
        open: Some(|_, bytes, grid, moves| {
            Ok(Box::new(VisibilityGraph::open(bytes, grid, moves)?))
        }),
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
        open: None,
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
        open: None,
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
        open: None,
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
        open: None,
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
        open: None,
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
        open: Some(|choice, bytes, grid, moves| {
            let settings = choice.knn_settings()?;
            let wanted = choice.given("records", |_| Ok(settings.records))?;
            Ok(Box::new(Knn::open(bytes, grid, moves, settings, wanted)?))
        }),
        make: |choice, grid, moves| {
            let settings = choice.knn_settings()?;
            Ok(Box::new(Knn::build(grid, moves, settings)))
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
        open: Some(|choice, bytes, grid, moves| {
            let settings = choice.tree_settings()?;
            let wanted = choice.given("goals", |_| Ok(settings.goals))?;
            Ok(Box::new(Trees::open(bytes, grid, moves, settings, wanted)?))
        }),
        make: |choice, grid, moves| {
            let settings = choice.tree_settings()?;
            Ok(Box::new(Trees::build(grid, moves, settings)))
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
        open: Some(|choice, bytes, grid, moves| {
            let settings = choice.pair_settings()?;
            let wanted = choice.given("level", |_| Ok(settings.level))?;
            Ok(Box::new(Dynamic::open(bytes, grid, moves, settings, wanted)?))
        }),
        make: |choice, grid, moves| {
            let settings = choice.pair_settings()?;
            Ok(Box::new(Dynamic::build(grid, moves, settings)))
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
        open: Some(|choice, bytes, grid, moves| {
            // What the file holds decides, unless told.
            let told = choice.given("abstraction", |c| c.abstraction())?;
            let cliques = PraCliques::is_saved(bytes);
            if told.map_or(cliques, |told| told == Abstraction::Cliques) {
                let (ring, estimate) = choice.corridor()?;
                return Ok(Box::new(PraCliques::open(bytes, grid, moves, ring, estimate)?));
            }
            let wanted = (
                choice.given(SECTOR.name, Choice::sector)?,
                choice.given(CENTRE.name, Choice::centre)?,
            );
            let trim = choice.number("trim", pra_star::Settings::TRIMS)?;
            Ok(Box::new(PraStar::open(bytes, grid, moves, wanted, trim)?))
        }),
        make: |choice, grid, moves| {
            if choice.abstraction()? == Abstraction::Cliques {
                let (ring, estimate) = choice.corridor()?;
                return Ok(Box::new(PraCliques::new(grid, moves, ring, estimate)));
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
        open: Some(|choice, bytes, grid, moves| {
            let wanted = dba_star::Wanted {
                side: choice.given(SECTOR.name, Choice::sector)?,
                depth: choice.given("depth", |c| c.number("depth", dba_star::Settings::DEPTHS))?,
                centre: choice.given(CENTRE.name, Choice::centre)?,
                matrix: choice.given("matrix", |c| c.switch("matrix"))?,
            };
            Ok(Box::new(DbaStar::open(bytes, grid, moves, wanted, choice.trim()?)?))
        }),
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
        open: Some(|choice, bytes, grid, moves| {
            let memory = choice.given("memory", Choice::memory)?;
            let opened = PathDatabase::open_shared(choice.shared(bytes), grid, moves)?;
            Ok(Box::new(match memory {
                Some(memory) => opened.with_memory(memory),
                None => opened,
            }))
        }),
        make: |choice, grid, moves| {
            Ok(Box::new(PathDatabase::build(grid, moves, choice.memory()?, &|_, _| ())?))
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
        open: Some(|choice, bytes, grid, moves| {
            let opened = Hcdps::open(bytes, grid, moves)?;
            let HcdpsSettings { depth, cut_off, shortcuts, .. } = choice.hcdps_settings()?;
            let made = opened.settings();
            for (name, wanted, made) in
                [("depth", depth, made.depth), ("cut-off", cut_off, made.cut_off)]
            {
                if choice.given(name, |_| Ok(()))?.is_some() && wanted != made {
                    let reason = format!("the database was made with {made}: leave it out");
                    return Err(choice.refuse(&format!("{name}={wanted}"), reason));
                }
            }
            let memory = choice.given("memory", Choice::memory)?.unwrap_or(made.memory);
            Ok(Box::new(opened.with_shortcuts(shortcuts).with_memory(memory)))
        }),
        make: |choice, grid, moves| {
            Ok(Box::new(Hcdps::build(grid, moves, choice.hcdps_settings()?)?))
        },
    },
    Algorithm {
        name: "astar-mod",
        summary: "A*MOD as published: fewer bends, estimates of diagonal arrivals times √2",
        source: "Smołka, Miszta, Skublewska-Paszkowska & Łukasik 2019",
        promise: Promise::Within(std::f64::consts::SQRT_2),
        rules: CELLS,
        terrain: true,
        heights: true,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            POST,
            Parameter {
                name: "base",
                values: "0|1",
                default: "1",
                meaning: "whether the length of a step counts, or only its difference of heights",
            },
            Parameter {
                name: "multiplier",
                values: "on|off",
                default: "on",
                meaning: "count the estimates of diagonal arrivals √2 times",
            },
        ],
        open: None,
        make: |choice, grid, moves| {
            let base = choice.number("base", 0..=1)? == 1;
            let kind = ModKind::Published { base, multiplier: choice.switch("multiplier")? };
            let post = choice.switch("post")?;
            Ok(Box::new(AStarMod::new(choice.name(), kind, post, grid, moves)))
        },
    },
    Algorithm {
        name: "astar-mod-fixed",
        summary: "A*MOD put right: cheapest paths, of these straight ones, simplified with care",
        source: "Smołka, Miszta, Skublewska-Paszkowska & Łukasik 2019, corrected here",
        promise: Promise::Optimal,
        rules: CELLS,
        terrain: true,
        heights: true,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        parameters: &[
            POST,
            Parameter {
                name: "deviation",
                values: "METRES|off",
                default: "off",
                meaning: "how far the simplified path may leave the ground",
            },
        ],
        open: None,
        make: |choice, grid, moves| {
            let kind = ModKind::Fixed { deviation: choice.metres("deviation")? };
            let post = choice.switch("post")?;
            Ok(Box::new(AStarMod::new(choice.name(), kind, post, grid, moves)))
        },
    },
];

impl Choice {
    fn lookahead(&self) -> Result<Lookahead, Error> {
        let work = self.number(WORK.name, 1..=1_000_000)?;
        Ok(Lookahead { work, avoid: self.switch(AVOID.name)?, sparing: false })
    }

    fn bounds(&self) -> Result<Bounds, Error> {
        let work = self.number(LOOKAHEAD.name, 1..=1_000_000)?;
        let lookahead = Lookahead { work, avoid: self.switch(AVOID.name)?, sparing: false };
        Ok(Bounds::new(self.number(WORK.name, 1..=1_000_000)?, lookahead))
    }

    fn abstraction(&self) -> Result<Abstraction, Error> {
        match self.value("abstraction") {
            "sectors" => Ok(Abstraction::Sectors),
            "cliques" => Ok(Abstraction::Cliques),
            other => {
                let given = format!("abstraction={other}");
                Err(self.refuse(&given, "use sectors or cliques".into()))
            }
        }
    }

    /// The width of the corridors of PRA*(∞), and its estimate.
    fn corridor(&self) -> Result<(u32, Estimate), Error> {
        let ring = self.number("ring", 0..=16)?;
        let estimate = match self.value("estimate") {
            "along" => Estimate::Along,
            "straight" => Estimate::Straight,
            other => {
                let given = format!("estimate={other}");
                return Err(self.refuse(&given, "use along or straight".into()));
            }
        };
        Ok((ring, estimate))
    }

    /// A limit of memory in bytes.
    fn memory(&self) -> Result<usize, Error> {
        Ok((self.number("memory", 0..=1 << 20)? as usize) << 20)
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
}
