//! Numbers and names as arguments. A name that is not known is answered with the one that was
//! probably meant.

use blockstar::{Algorithm, Error, Heuristic, Moves, PlannerSpec, Rule};

/// A number, infinities included; the library knows the ranges.
pub fn number(text: &str) -> Result<f64, String> {
    parse(text, |number| !number.is_nan())
}

/// A finite number.
pub fn finite(text: &str) -> Result<f64, String> {
    parse(text, f64::is_finite)
}

fn parse(text: &str, is_valid: impl Fn(f64) -> bool) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|&number| is_valid(number));
    number.ok_or_else(|| format!("`{}` is not a number: write it as in 1.5", text.escape_debug()))
}

/// A movement rule.
pub fn moves(text: &str) -> Result<Moves, String> {
    let known = Rule::ALL.map(Rule::name);
    text.parse().map_err(|error| meant("movement rule", text, known).unwrap_or(error))
}

/// A heuristic.
pub fn heuristic(text: &str) -> Result<Heuristic, String> {
    let known = Heuristic::ALL.map(Heuristic::name);
    text.parse().map_err(|error| meant("heuristic", text, known).unwrap_or(error))
}

/// A planner with its parameters.
pub fn planner(text: &str) -> Result<PlannerSpec, String> {
    Algorithm::named(text).map_err(|error| match &error {
        Error::UnknownPlanner { name, .. } => {
            let known = Algorithm::all().iter().map(|row| row.name);
            meant("planner", name, known).unwrap_or_else(|| {
                format!("there is no planner `{name}`: `blockstar planners` lists them")
            })
        }
        Error::Parameter { planner, given, .. } => {
            let name = given.split('=').next().unwrap_or_default();
            let row = Algorithm::all().iter().find(|row| row.name == *planner);
            let known = || row.into_iter().flat_map(|row| row.parameters).map(|p| p.name);
            // A parameter that is known has a wrong value, of which the error speaks.
            let wrong_name = !known().any(|known| known == name);
            let what = format!("parameter of {planner}");
            meant(&what, name, known()).filter(|_| wrong_name).unwrap_or_else(|| error.to_string())
        }
        _ => error.to_string(),
    })
}

/// A sentence that names the known name most like an unknown one, if any is like it.
fn meant(what: &str, name: &str, known: impl IntoIterator<Item = &'static str>) -> Option<String> {
    let distance = |other: &str| strsim::damerau_levenshtein(&name.to_lowercase(), other);
    let nearest = known.into_iter().map(|other| (distance(other), other)).min()?;
    // A third of the letters may be wrong; of the beginning of a name, which is often all that
    // is remembered, none.
    let like = nearest.0 <= 1.max(nearest.1.len().max(name.len()) / 3)
        || (name.len() >= 3 && nearest.1.starts_with(name));
    like.then(|| {
        let shown = name.escape_debug();
        format!("there is no {what} `{shown}`: did you mean `{}`?", nearest.1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_understood() {
        let planner = |text: &str| planner(text).unwrap_err();
        for (slip, name) in [
            ("jsp", "jps"),
            ("astr", "astar"),
            ("a-star", "astar"),
            ("Astar", "astar"),
            ("thetastar", "theta-star"),
            ("block-astr:block=4", "block-astar"),
        ] {
            assert!(planner(slip).ends_with(&format!("did you mean `{name}`?")), "{slip}");
        }
        assert!(planner("block-astar:blok=4").ends_with("did you mean `block`?"));
        assert!(planner("block-astar:block=x").contains("block=x"));
        let lost = planner("xyzzy-quux");
        assert!(lost.contains("`blockstar planners` lists them") && lost.len() < 100, "{lost}");
        assert!(moves("eihgt").unwrap_err().ends_with("did you mean `eight`?"));
        assert!(moves("nine").unwrap_err().contains("there is no movement rule `nine`"));
        assert!(heuristic("octal").unwrap_err().ends_with("did you mean `octile`?"));
        assert_eq!(moves("four"), Ok(Moves::FOUR));
    }
}
