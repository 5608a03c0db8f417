//! A question in other languages: as a command line, and as a Rust program.

use crate::fields::SlopeFields;
use crate::question::Question;
use blockstar::{Diagonal, Moves, PlannerSpec, Point, Rule};

/// The command line that asks the same.
pub(crate) fn command(spec: &PlannerSpec, question: &Question, file: &str) -> String {
    let Question { moves, query, .. } = question;
    let place = |point: Point| match point.as_centre() {
        Some(cell) => format!("{},{}", cell.x, cell.y),
        None => format!("{:?},{:?}", point.x(), point.y()),
    };
    let mut text = format!(
        "blockstar route {} --from {} --to {} --planner {} --moves {}",
        quoted(file),
        place(query.start()),
        place(query.goal()),
        quoted(&spec.to_string()),
        moves.rule()
    );
    let mut add = |option: String| text.push_str(&format!(" {option}"));
    if moves.diagonal() == Diagonal::OnePointFour {
        add("--diagonal 1.4".into());
    }
    if let Some(slope) = question.slope {
        add(format!("--cell-size {}", slope.cell_size));
        for (name, metres) in [("climb", slope.climb), ("descent", slope.descent)] {
            if metres != 0.0 && !slope.published {
                add(format!("--{name}-cost {metres}"));
            }
        }
        for (name, limit) in [("climb", slope.max_climb), ("descent", slope.max_descent)] {
            if let Some(limit) = limit {
                add(format!("--max-{name} {limit}"));
            }
        }
        if slope.published {
            add("--published-costs".into());
        } else if slope.planar {
            add("--planar".into());
        }
    }
    if let Some(heuristic) = query.chosen_heuristic() {
        add(format!("--heuristic {heuristic}"));
    }
    if let Some(weight) = query.chosen_weight() {
        add(format!("--weight {weight}"));
    }
    if let Some(limit) = query.cost_limit() {
        add(format!("--max-cost {limit}"));
    }
    if let Some(limit) = query.expansion_limit() {
        add(format!("--max-expansions {limit}"));
    }
    if query.wants_nearest() {
        add("--nearest".into());
    }
    text
}

/// A Rust program that asks the same.
pub(crate) fn program(spec: &PlannerSpec, question: &Question, file: &str) -> String {
    let Question { moves, query, .. } = question;
    let place = |point: Point| match point.as_centre() {
        Some(cell) => format!("({}, {})", cell.x, cell.y),
        None => format!("({:?}, {:?})", point.x(), point.y()),
    };
    let mut asked = format!("Query::new({}, {})", place(query.start()), place(query.goal()));
    let mut add = |option: String| asked.push_str(&option);
    if let Some(heuristic) = query.chosen_heuristic() {
        add(format!(".heuristic(Heuristic::{heuristic:?})"));
    }
    if let Some(weight) = query.chosen_weight() {
        add(format!(".weight({weight:?})"));
    }
    if let Some(limit) = query.cost_limit() {
        add(format!(".max_cost({limit:?})"));
    }
    if let Some(limit) = query.expansion_limit() {
        add(format!(".max_expansions({limit})"));
    }
    for (on, option) in [
        (query.wants_nearest(), ".nearest()"),
        (query.wants_partial(), ".partial()"),
        (!query.wants_smoothing(), ".without_smoothing()"),
        (query.wants_learning_kept(), ".keep_learning()"),
    ] {
        if on {
            add(option.into());
        }
    }
    let mut names = vec!["Algorithm", "Moves", "Planner", "Query", "Scratch"];
    let rule = ruled(*moves, question.slope, &mut names);
    if query.chosen_heuristic().is_some() {
        names.push("Heuristic");
    }
    blockstar::sort::ascending(&mut names);
    format!(
        "use blockstar::format::movingai;\n\
         use blockstar::{{{}}};\n\n\
         fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
         let grid = movingai::parse_map(&std::fs::read({file:?})?)?;\n    \
         let planner = Algorithm::named({:?})?.prepare(&grid, {rule})?;\n    \
         let mut scratch = Scratch::new();\n    \
         let query = {asked};\n    \
         let status = planner.find(&grid, &query, &mut scratch)?;\n    \
         println!(\"{{status}}: {{}}, cost {{}}\", scratch.path(), scratch.path().cost());\n    \
         Ok(())\n\
         }}\n",
        names.join(", "),
        spec.to_string()
    )
}

/// The movement rule as an expression.
fn ruled(moves: Moves, slope: Option<SlopeFields>, names: &mut Vec<&str>) -> String {
    let mut text = String::from(match moves.rule() {
        Rule::Four => "Moves::FOUR",
        Rule::Eight => "Moves::EIGHT",
        Rule::EightCutOne => "Moves::EIGHT_CUT_ONE",
        Rule::EightCutAny => "Moves::EIGHT_CUT_ANY",
        Rule::AnyAngle => "Moves::ANY_ANGLE",
        Rule::AnyAngleSqueeze => "Moves::ANY_ANGLE_SQUEEZE",
        other => return format!("\"{other}\".parse::<Moves>()?"),
    });
    if moves.diagonal() == Diagonal::OnePointFour {
        names.push("Diagonal");
        text.push_str(".with_diagonal(Diagonal::OnePointFour)");
    }
    if let Some(slope) = slope {
        names.push(if slope.published { "papers" } else { "Slope" });
        let make = if slope.published { "papers::astar_mod_slope" } else { "Slope::new" };
        text.push_str(&format!(".with_slope({make}({:?})", slope.cell_size));
        if slope.planar && !slope.published {
            text.push_str(".planar()");
        }
        if (slope.climb, slope.descent) != (0.0, 0.0) && !slope.published {
            text.push_str(&format!(".penalties({:?}, {:?})", slope.climb, slope.descent));
        }
        if slope.max_climb.is_some() || slope.max_descent.is_some() {
            let limit = |limit: Option<f64>| {
                limit.map_or("f64::INFINITY".to_owned(), |limit| format!("{limit:?}"))
            };
            let (climb, descent) = (slope.max_climb, slope.max_descent.or(slope.max_climb));
            text.push_str(&format!(".limits({}, {})", limit(climb), limit(descent)));
        }
        text.push(')');
    }
    text
}

/// A word of a shell's command line.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
