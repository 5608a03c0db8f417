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
use crate::planner::real_time;
use crate::planner::stored::cpd::PathDatabase;
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
    real_time::lrta::ROW,
    real_time::tba_star::ROW,
    real_time::guided::knn::ROW,
    real_time::guided::trees::ROW,
    real_time::guided::dynamic::ROW,
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
