//! The rows of the registry, and how each planner reads its parameters.

use super::{Algorithm, Choice, Parameter, Promise};
use crate::planner::any_angle::anya::Anya;
use crate::planner::any_angle::ap_theta::ApTheta;
use crate::planner::any_angle::field_d_star::FieldDStar;
use crate::planner::any_angle::theta::{Kind as ThetaKind, Reopen, Theta};
use crate::planner::any_angle::visibility::VisibilityGraph;
use crate::planner::block;
use crate::planner::cell;
use crate::planner::cell::bidirectional::Bidirectional;
use crate::planner::cell::ida_star::IdaStar;
use crate::planner::cell::rea_star::ReaStar;
use crate::planner::real_time::guided::{
    Bounds, dynamic, dynamic::Dynamic, knn, knn::Knn, trees, trees::Trees,
};
use crate::planner::real_time::lrta::{LrtaStar, local::Lookahead};
use crate::planner::real_time::tba_star::TbaStar;
use crate::planner::stored;
use crate::planner::stored::dba_star::{self, DbaStar, Trim};
use crate::planner::stored::hcdps::{Hcdps, Settings as HcdpsSettings, Shortcuts};
use crate::planner::stored::pra_cliques::{Estimate, PraCliques};
use crate::planner::stored::pra_star::{self, PraStar};
use crate::regions::sectors::{Centre, Sectors};
use crate::{Error, Heuristic, Lddb, Rule};

/// What PRA* searches first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Abstraction {
    Sectors,
    Cliques,
}

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
    cell::astar::ASTAR,
    cell::astar::DIJKSTRA,
    cell::astar::GREEDY,
    cell::astar::WEIGHTED_ASTAR,
    cell::bidirectional::ROW,
    cell::ida_star::ROW,
    cell::jps::ROW,
    block::block_astar::ROW,
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
    cell::rea_star::ROW,
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
    Algorithm {
        name: "pra-star",
        summary: "PRA*: A* over the regions of sectors, refined hop by hop, as in Dragon Age",
        source: "Sturtevant & Buro 2005, Sturtevant 2007",
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
            let told = choice.given("abstraction").map(|_| choice.abstraction());
            let cliques = PraCliques::is_saved(bytes);
            if told.map_or(cliques, |told| told == Abstraction::Cliques) {
                let (ring, estimate) = choice.corridor();
                return Ok(Box::new(PraCliques::open(bytes, grid, moves, ring, estimate)?));
            }
            let wanted = (
                choice.given(SECTOR.name).map(|_| choice.sector()),
                choice.given(CENTRE.name).map(|_| choice.centre()),
            );
            let trim = choice.number("trim");
            Ok(Box::new(PraStar::open(bytes, grid, moves, wanted, trim)?))
        }),
        make: |choice, grid, moves| {
            if choice.abstraction() == Abstraction::Cliques {
                let (ring, estimate) = choice.corridor();
                return Ok(Box::new(PraCliques::new(grid, moves, ring, estimate)));
            }
            let settings = pra_star::Settings {
                side: choice.sector(),
                centre: choice.centre(),
                trim: choice.number("trim"),
            };
            Ok(Box::new(PraStar::new(grid, moves, settings)?))
        },
        ..Algorithm::BASE
    },
    Algorithm {
        name: "dba-star",
        summary: "DBA*: paths between neighbouring regions prepared, walked by hill climbing",
        source: "Lee & Lawrence 2013",
        promise: Promise::RealTime,
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
                side: choice.given(SECTOR.name).map(|_| choice.sector()),
                depth: choice.given("depth").map(|_| choice.number("depth")),
                centre: choice.given(CENTRE.name).map(|_| choice.centre()),
                matrix: choice.given("matrix").map(|_| choice.is_on("matrix")),
            };
            Ok(Box::new(DbaStar::open(bytes, grid, moves, wanted, choice.trim())?))
        }),
        make: |choice, grid, moves| Ok(Box::new(DbaStar::new(grid, moves, choice.dba_settings())?)),
        ..Algorithm::BASE
    },
    stored::cpd::ROW,
    Algorithm {
        name: "hcdps",
        summary: "HCDPS: climbs from subgoal to subgoal between hill-climbable regions",
        source: "Lawrence & Bulitko 2013",
        promise: Promise::RealTime,
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
            let HcdpsSettings { depth, cut_off, shortcuts, .. } = choice.hcdps_settings();
            let made = opened.settings();
            for (name, wanted, made) in
                [("depth", depth, made.depth), ("cut-off", cut_off, made.cut_off)]
            {
                if choice.given(name).is_some() && wanted != made {
                    let reason = format!("the database was made with {made}: leave it out");
                    return Err(choice.refuse(&format!("{name}={wanted}"), reason));
                }
            }
            let memory =
                choice.given("memory").map(|_| choice.mebibytes("memory")).unwrap_or(made.memory);
            Ok(Box::new(opened.with_shortcuts(shortcuts).with_memory(memory)))
        }),
        make: |choice, grid, moves| {
            Ok(Box::new(Hcdps::build(grid, moves, choice.hcdps_settings())?))
        },
        ..Algorithm::BASE
    },
    cell::astar_mod::PUBLISHED,
    cell::astar_mod::FIXED,
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

    fn abstraction(&self) -> Abstraction {
        match self.word("abstraction") {
            "cliques" => Abstraction::Cliques,
            _ => Abstraction::Sectors,
        }
    }

    /// The width of the corridors of PRA*(∞), and its estimate.
    fn corridor(&self) -> (u32, Estimate) {
        let estimate = match self.word("estimate") {
            "straight" => Estimate::Straight,
            _ => Estimate::Along,
        };
        (self.number("ring"), estimate)
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

    /// The size of a sector: `16` or `16x12`.
    fn sector(&self) -> (u32, u32) {
        self.sides(SECTOR.name)
    }

    fn centre(&self) -> Centre {
        match self.word(CENTRE.name) {
            "tuned" => Centre::Tuned,
            _ => Centre::Mean,
        }
    }

    fn trim(&self) -> Trim {
        match self.word("trim") {
            "none" => Trim::None,
            "ends" => Trim::Ends,
            _ => Trim::All,
        }
    }

    fn dba_settings(&self) -> dba_star::Settings {
        dba_star::Settings {
            side: self.sector(),
            depth: self.number("depth"),
            centre: self.centre(),
            trim: self.trim(),
            matrix: self.is_on("matrix"),
        }
    }

    fn hcdps_settings(&self) -> HcdpsSettings {
        HcdpsSettings {
            depth: self.number("depth"),
            cut_off: self.number("cut-off"),
            shortcuts: match self.word("shortcuts") {
                "ends" => Shortcuts::Ends,
                _ => Shortcuts::All,
            },
            memory: self.mebibytes("memory"),
        }
    }

    fn reopen(&self) -> Reopen {
        if self.is_on("reopen") { Reopen::Yes } else { Reopen::No }
    }
}
