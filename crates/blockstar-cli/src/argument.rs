//! Numbers and names as arguments. For an unknown name, the error suggests the one that was
//! probably meant.

use blockstar::{Error, Heuristic, Moves, PlannerSpec};

/// A number, including infinities; the library knows the ranges.
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
    text.parse().map_err(|error: Error| error.to_string())
}

/// A heuristic.
pub fn heuristic(text: &str) -> Result<Heuristic, String> {
    text.parse().map_err(|error: Error| error.to_string())
}

/// A planner with its parameters.
pub fn planner(text: &str) -> Result<PlannerSpec, String> {
    text.parse().map_err(|error: Error| match &error {
        // A list of thirty names helps nobody.
        Error::UnknownName { name, .. } if error.suggestion().is_none() => {
            let name = name.escape_debug();
            format!("there is no planner `{name}`: `blockstar planners` lists them")
        }
        _ => error.to_string(),
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
