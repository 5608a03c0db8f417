//! The rows of the registry, and how each planner reads its parameters.

use super::{Algorithm, Choice, Parameter, Promise};
use crate::planner::any_angle::anya::Anya;
use crate::planner::any_angle::ap_theta::ApTheta;
use crate::planner::any_angle::field_d_star::FieldDStar;
use crate::planner::any_angle::theta::{Kind as ThetaKind, Reopen, Theta};
use crate::planner::any_angle::visibility::VisibilityGraph;
use crate::planner::block::block_astar::{BlockAStar, Settings};
use crate::planner::cell;
use crate::planner::cell::astar_mod::{AStarMod, Kind as ModKind};
use crate::planner::cell::bidirectional::Bidirectional;
use crate::planner::cell::ida_star::IdaStar;
use crate::planner::cell::rea_star::ReaStar;
use crate::planner::real_time::guided::{
    Bounds, dynamic, dynamic::Dynamic, knn, knn::Knn, trees, trees::Trees,
};
use crate::planner::real_time::lrta::{LrtaStar, local::Lookahead};
use crate::planner::real_time::tba_star::TbaStar;
use crate::planner::stored;
use crate::planner::stored::cpd::PathDatabase;
use crate::{Error, Heuristic, Lddb, Rule};

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

/// The post-processing of A*MOD.
const POST: Parameter = Parameter {
    name: "post",
    values: "on|off",
    default: "on",
    meaning: "remove the vertices in the middle of straight stretches",
};

pub(super) static ALGORITHMS: &[Algorithm] = &[
    cell::astar::ASTAR,
    cell::astar::DIJKSTRA,
    cell::astar::GREEDY,
    cell::astar::WEIGHTED_ASTAR,
    Algorithm {
        name: "bidirectional-astar",
        summary: "Bidirectional A*: from both ends, stops by a proven bound (NBA*)",
        source: "Pijls & Post 2009",
        promise: Promise::Optimal,
        terrain: true,
        heights: true,
        make: |choice, grid, moves| Ok(Box::new(Bidirectional::new(choice.name(), grid, moves))),
        ..Algorithm::BASE
    },
    Algorithm {
        name: "ida-star",
        summary: "Iterative deepening A*: little memory, good on almost straight paths",
        source: "Korf 1985",
        promise: Promise::Optimal,
        terrain: true,
        heights: true,
        parameters: &[Parameter {
            name: "table",
            values: "on|off",
            default: "on",
            meaning: "keep a transposition table, 16 bytes per cell",
        }],
        make: |choice, grid, moves| {
            let table = choice.is_on("table");
            Ok(Box::new(IdaStar::new(choice.name(), grid, moves, table)))
        },
        ..Algorithm::BASE
    },
    cell::jps::ROW,
    Algorithm {
        name: "block-astar",
        summary: "Block A*: blocks of cells at a time, by tables of the distances inside them",
        source: "Yap, Burch, Holte & Schaeffer 2011",
        promise: Promise::Optimal,
        rules: ALL,
        terrain: true,
        heights: true,
        free_points: true,
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
            choice.without_saved().with_lddb(&Lddb::open(bytes.to_vec())?)?.prepare(grid, moves)
        }),
        make: |choice, grid, moves| {
            let side = choice.number_or_word("block");
            if moves.slope().is_some() && moves.rule().is_any_angle() {
                return Err(Error::no_slopes(choice.name(), moves));
            }
            let memory = choice.mebibytes("memory");
            let settings = Settings { side, memory, source: choice.lddb().cloned() };
            Ok(Box::new(BlockAStar::new(choice.name(), grid, moves, settings)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "anya",
        summary: "ANYA: shortest any-angle paths, by searching intervals instead of points",
        source: "Harabor, Grastien, Öz & Aksakalli 2016",
        promise: Promise::Optimal,
        rules: ANY_ANGLES,
        free_points: true,
        make: |choice, grid, moves| Ok(Box::new(Anya::new(choice.name(), grid, moves))),
        ..Algorithm::BASE
    },
    Algorithm {
        name: "theta-star",
        summary: "Theta*: A* over corners whose parents may be any corner in sight",
        source: "Nash, Daniel, Koenig & Felner 2007",
        rules: ANY_ANGLES,
        terrain: true,
        heights: true,
        free_points: true,
        parameters: &[Parameter {
            name: "reopen",
            values: "on|off",
            default: "on",
            meaning: "expand corners again that improve after they were expanded",
        }],
        make: |choice, grid, moves| {
            let reopen = choice.reopen();
            Ok(Box::new(Theta::new(choice.name(), ThetaKind::Basic, reopen, grid, moves)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "lazy-theta-star",
        summary: "Lazy Theta*: looks once per expansion, not once per successor",
        source: "Nash, Koenig & Tovey 2010",
        rules: ANY_ANGLES,
        free_points: true,
        make: |choice, grid, moves| {
            Ok(Box::new(Theta::new(choice.name(), ThetaKind::Lazy, Reopen::No, grid, moves)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "strict-theta-star",
        summary: "Recursive Strict Theta*: only taut paths, next to optimal",
        source: "Oh & Leong 2016",
        rules: ANY_ANGLES,
        free_points: true,
        parameters: &[Parameter {
            name: "reopen",
            values: "on|off",
            default: "off",
            meaning: "expand corners again that improve after they were expanded",
        }],
        make: |choice, grid, moves| {
            let reopen = choice.reopen();
            Ok(Box::new(Theta::new(choice.name(), ThetaKind::Strict, reopen, grid, moves)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "visibility-graph",
        summary: "Sparse visibility graph: taut edges prepared, shortest any-angle paths",
        source: "Oh & Leong 2017",
        promise: Promise::Optimal,
        rules: &[Rule::AnyAngle, Rule::AnyAngleSqueeze],
        free_points: true,
        open: Some(|_, bytes, grid, moves| {
            Ok(Box::new(VisibilityGraph::open(bytes, grid, moves)?))
        }),
        make: |_, grid, moves| Ok(Box::new(VisibilityGraph::build(grid, moves, &|_, _| ())?)),
        ..Algorithm::BASE
    },
    Algorithm {
        name: "rea-star",
        summary: "Rectangle expansion A*: intervals that grow over whole free rectangles",
        source: "Zhang, Li & Bi 2016",
        promise: Promise::Optimal,
        rules: &[Rule::Eight],
        make: |choice, grid, moves| Ok(Box::new(ReaStar::new(choice.name(), grid, moves))),
        ..Algorithm::BASE
    },
    Algorithm {
        name: "ap-theta-star",
        summary: "Angle-Propagation Theta*: Theta* with angles instead of looking",
        source: "Daniel, Nash, Koenig & Felner 2010",
        rules: ANY_ANGLES,
        free_points: true,
        make: |choice, grid, moves| Ok(Box::new(ApTheta::new(choice.name(), grid, moves))),
        ..Algorithm::BASE
    },
    Algorithm {
        name: "field-d-star",
        summary: "Field D*: crosses edges anywhere, by costs interpolated between corners",
        source: "Ferguson & Stentz 2005, 2006",
        rules: ANY_ANGLES,
        terrain: true,
        free_points: true,
        make: |choice, grid, moves| Ok(Box::new(FieldDStar::new(choice.name(), grid, moves))),
        ..Algorithm::BASE
    },
    Algorithm {
        name: "lrta-star",
        summary: "LRTA*: moves after a bounded look around, and learns from where it has been",
        source: "Korf 1990; Koenig & Sun 2009; Hernández & Baier 2012",
        promise: Promise::RealTime,
        terrain: true,
        parameters: &[WORK, AVOID],
        make: |choice, grid, moves| {
            let lookahead = choice.lookahead();
            Ok(Box::new(LrtaStar::new(choice.name(), grid, moves, lookahead)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "tba-star",
        summary: "Time-bounded A*: one A* spread over the moves of an agent that follows its best path",
        source: "Björnsson, Bulitko & Sturtevant 2009",
        promise: Promise::RealTime,
        terrain: true,
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
            let work = choice.number(WORK.name);
            let trace = choice.number_or_word("trace").unwrap_or(10 * work);
            Ok(Box::new(TbaStar::new(choice.name(), grid, moves, work, trace)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "knn-lrta-star",
        summary: "kNN LRTA*: follows the most similar of many problems solved beforehand",
        source: "Bulitko, Björnsson & Lawrence 2010",
        promise: Promise::RealTime,
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
            let settings = choice.knn_settings();
            let wanted = choice.given("records").map(|_| settings.records);
            Ok(Box::new(Knn::open(bytes, grid, moves, settings, wanted)?))
        }),
        make: |choice, grid, moves| {
            let settings = choice.knn_settings();
            Ok(Box::new(Knn::build(grid, moves, settings)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "subgoal-lrta-star",
        summary: "LRTA* with subgoal trees: for some goals, the next subgoal from everywhere",
        source: "Hernández & Baier 2011",
        promise: Promise::RealTime,
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
            let settings = choice.tree_settings();
            let wanted = choice.given("goals").map(|_| settings.goals);
            Ok(Box::new(Trees::open(bytes, grid, moves, settings, wanted)?))
        }),
        make: |choice, grid, moves| {
            let settings = choice.tree_settings();
            Ok(Box::new(Trees::build(grid, moves, settings)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "d-lrta-star",
        summary: "D LRTA*: subgoals by where agent and goal are on an abstract map",
        source: "Bulitko, Luštrek, Schaeffer, Björnsson & Sigmundarson 2008",
        promise: Promise::RealTime,
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
            let settings = choice.pair_settings();
            let wanted = choice.given("level").map(|_| settings.level);
            Ok(Box::new(Dynamic::open(bytes, grid, moves, settings, wanted)?))
        }),
        make: |choice, grid, moves| {
            let settings = choice.pair_settings();
            Ok(Box::new(Dynamic::build(grid, moves, settings)))
        },
        ..Algorithm::BASE
    },
    stored::pra_star::ROW,
    stored::dba_star::ROW,
    Algorithm {
        name: "cpd",
        summary: "Compressed path database: every first move stored, no search at all",
        source: "Botea 2011; Strasser, Harabor & Botea 2014",
        promise: Promise::Optimal,
        parameters: &[Parameter {
            name: "memory",
            values: "0-1048576",
            default: "1024",
            meaning: "the MiB that the database may take; a map that needs more is refused",
        }],
        open: Some(|choice, bytes, grid, moves| {
            let memory = choice.given("memory").map(|_| choice.mebibytes("memory"));
            let opened = PathDatabase::open_shared(choice.shared(bytes), grid, moves)?;
            Ok(Box::new(match memory {
                Some(memory) => opened.with_memory(memory),
                None => opened,
            }))
        }),
        make: |choice, grid, moves| {
            Ok(Box::new(PathDatabase::build(grid, moves, choice.mebibytes("memory"), &|_, _| ())?))
        },
        ..Algorithm::BASE
    },
    stored::hcdps::ROW,
    Algorithm {
        name: "astar-mod",
        summary: "A*MOD as published: fewer bends, estimates of diagonal arrivals times √2",
        source: "Smołka, Miszta, Skublewska-Paszkowska & Łukasik 2019",
        promise: Promise::Within(std::f64::consts::SQRT_2),
        // Without a cost of level ground the estimate has nothing to do with costs.
        promise_with: Some(|choice| match choice.word("base") {
            "0" => Promise::Complete,
            _ => Promise::Within(std::f64::consts::SQRT_2),
        }),
        // The first of the paper's three changes.
        heuristic: Some(Heuristic::Chebyshev),
        terrain: true,
        heights: true,
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
        make: |choice, grid, moves| {
            let base = choice.word("base") == "1";
            let kind = ModKind::Published { base, multiplier: choice.is_on("multiplier") };
            let post = choice.is_on("post");
            Ok(Box::new(AStarMod::new(choice.name(), kind, post, grid, moves)))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "astar-mod-fixed",
        summary: "A*MOD put right: cheapest paths, of these straight ones, simplified with care",
        source: "Smołka, Miszta, Skublewska-Paszkowska & Łukasik 2019, corrected here",
        promise: Promise::Optimal,
        heuristic: Some(Heuristic::Chebyshev),
        terrain: true,
        heights: true,
        parameters: &[
            POST,
            Parameter {
                name: "deviation",
                values: "METRES|off",
                default: "off",
                meaning: "how far the simplified path may leave the ground",
            },
        ],
        make: |choice, grid, moves| {
            let kind = ModKind::Fixed { deviation: choice.metres("deviation") };
            let post = choice.is_on("post");
            Ok(Box::new(AStarMod::new(choice.name(), kind, post, grid, moves)))
        },
        ..Algorithm::BASE
    },
];

impl Choice {
    fn lookahead(&self) -> Lookahead {
        Lookahead { work: self.number(WORK.name), avoid: self.is_on(AVOID.name), sparing: false }
    }

    fn bounds(&self) -> Bounds {
        let work = self.number(LOOKAHEAD.name);
        let lookahead = Lookahead { work, avoid: self.is_on(AVOID.name), sparing: false };
        Bounds::new(self.number(WORK.name), lookahead)
    }
    fn knn_settings(&self) -> knn::Settings {
        let records = self.number_or_word("records");
        knn::Settings { records, nearest: self.number("nearest"), bounds: self.bounds() }
    }

    fn tree_settings(&self) -> trees::Settings {
        trees::Settings { goals: self.number_or_word("goals"), bounds: self.bounds() }
    }

    fn pair_settings(&self) -> dynamic::Settings {
        let lookahead = Lookahead { sparing: true, ..self.lookahead() };
        dynamic::Settings { level: self.number_or_word("level"), lookahead }
    }
    fn reopen(&self) -> Reopen {
        if self.is_on("reopen") { Reopen::Yes } else { Reopen::No }
    }
}
