//! What slopes mean, on the command line.

use crate::argument;
use crate::height_file::Ground;
use blockstar::{Slope, papers};
use std::error::Error;

/// The slope rule of a query. Maps with heights have one unless it is switched off.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "What slopes mean, on maps with heights")]
pub struct SlopeOptions {
    /// Ignore heights
    #[arg(long, conflicts_with_all = ["planar", "climb_cost", "descent_cost", "max_climb", "max_descent", "published_costs"])]
    pub flat: bool,

    /// Steps cost their length in the plane, not in space
    #[arg(long)]
    pub planar: bool,

    /// The extra cost of a metre up, in metres walked [default: 0]
    #[arg(long, value_name = "METRES", value_parser = argument::number, allow_hyphen_values = true)]
    pub climb_cost: Option<f64>,

    /// The extra cost of a metre down, in metres walked [default: 0]
    #[arg(long, value_name = "METRES", value_parser = argument::number, allow_hyphen_values = true)]
    pub descent_cost: Option<f64>,

    /// The steepest way up: as rise over run (0.5), in percent (50%) or in degrees (26.6deg)
    /// [default: none]
    #[arg(long, value_name = "SLOPE", value_parser = parse_slope, allow_hyphen_values = true)]
    pub max_climb: Option<f64>,

    /// The steepest way down, likewise [default: as --max-climb]
    #[arg(long, value_name = "SLOPE", value_parser = parse_slope, allow_hyphen_values = true)]
    pub max_descent: Option<f64>,

    /// The costs of the A*MOD paper: a step costs K (1 + |difference of heights|), K its length;
    /// the cell size matters only for --max-climb and --max-descent
    #[arg(long, conflicts_with_all = ["planar", "climb_cost", "descent_cost"])]
    pub published_costs: bool,
}

impl SlopeOptions {
    /// The rule for a map, if slopes count there.
    pub fn slope(&self, ground: Option<&Ground>) -> Result<Option<Slope>, Box<dyn Error>> {
        let given = [
            ("--flat", self.flat),
            ("--planar", self.planar),
            ("--climb-cost", self.climb_cost.is_some()),
            ("--descent-cost", self.descent_cost.is_some()),
            ("--max-climb", self.max_climb.is_some()),
            ("--max-descent", self.max_descent.is_some()),
            ("--published-costs", self.published_costs),
        ];
        let Some(ground) = ground else {
            return match given.into_iter().find(|(_, given)| *given) {
                None => Ok(None),
                Some((option, _)) => Err(format!(
                    "{option} is for maps with heights, and this one has none: read a picture or \
                     a .csv file with --as heights, or a .hgt or .asc file"
                )
                .into()),
            };
        };
        if self.flat {
            return Ok(None);
        }
        let mut slope = Slope::new(ground.cell_size);
        if self.planar {
            slope = slope.planar();
        }
        slope = slope.penalties(self.climb_cost.unwrap_or(0.0), self.descent_cost.unwrap_or(0.0));
        if self.published_costs {
            slope = papers::astar_mod_slope(ground.cell_size);
        }
        let climb = self.max_climb.unwrap_or(f64::INFINITY);
        let descent = self.max_descent.or(self.max_climb).unwrap_or(f64::INFINITY);
        Ok(Some(slope.limits(climb, descent)))
    }
}

/// A slope as rise over run.
fn parse_slope(text: &str) -> Result<f64, String> {
    let word = text.trim();
    let number = |digits: &str| digits.trim().parse::<f64>().ok();
    let slope = if let Some(percent) = word.strip_suffix('%') {
        number(percent).map(|percent| percent / 100.0)
    } else if let Some(degrees) = word.strip_suffix("deg").or_else(|| word.strip_suffix('°')) {
        number(degrees).filter(|degrees| *degrees < 90.0).map(|degrees| degrees.to_radians().tan())
    } else {
        number(word)
    };
    slope.filter(|slope| *slope >= 0.0).ok_or_else(|| {
        format!(
            "`{}` is not a slope: write it as rise over run (0.5), in percent (50%) or in degrees below \
             90 (26.6deg)",
            text.escape_debug()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_read_in_three_units() {
        assert_eq!(parse_slope("0.5"), Ok(0.5));
        assert_eq!(parse_slope("50%"), Ok(0.5));
        assert!((parse_slope("45deg").unwrap() - 1.0).abs() < 1e-12);
        for bad in ["", "-1", "x", "90deg", "nan", "-5%"] {
            assert!(parse_slope(bad).unwrap_err().contains("is not a slope"), "{bad}");
        }
    }
}
