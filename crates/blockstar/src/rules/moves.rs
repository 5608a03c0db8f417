//! Movement rules as data: which steps are legal and what they cost.

use crate::rules::by_name;
#[cfg(feature = "serde")]
use crate::written::MovesText;
use crate::{Error, Slope};
use std::{fmt, str::FromStr};

/// Which ways may be walked.
///
/// Whether a diagonal step may pass blocked cells has many names in other libraries:
///
/// | here | PathFinding.js, Godot, python-pathfinding | a diagonal step needs |
/// |---|---|---|
/// | [`Moves::FOUR`] | Never | no diagonals at all |
/// | [`Moves::EIGHT`] | OnlyWhenNoObstacles | both orthogonal neighbours free (MovingAI, GPPC) |
/// | [`Moves::EIGHT_CUT_ONE`] | IfAtMostOneObstacle, AtLeastOneWalkable | one of the two free |
/// | [`Moves::EIGHT_CUT_ANY`] | Always | nothing: it squeezes between two blocked cells |
///
/// Any-angle paths run straight between any two points that see each other; the two any-angle rules
/// differ at a *double corner*, where two blocked cells touch diagonally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Rule {
    /// Steps to the four edge neighbours.
    Four,
    /// Eight steps; a diagonal needs both orthogonal cells free.
    Eight,
    /// Eight steps; a diagonal needs at least one of the orthogonal cells free.
    EightCutOne,
    /// Eight steps; a diagonal needs only its target to be free.
    EightCutAny,
    /// Straight segments between points; none passes through a double corner.
    AnyAngle,
    /// Straight segments between points; double corners may be passed.
    AnyAngleSqueeze,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: &[Self] = &[
        Self::Four,
        Self::Eight,
        Self::EightCutOne,
        Self::EightCutAny,
        Self::AnyAngle,
        Self::AnyAngleSqueeze,
    ];

    /// The four rules with steps from cell to cell.
    pub const CELLS: &[Self] = &[Self::Four, Self::Eight, Self::EightCutOne, Self::EightCutAny];

    /// The name used on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Four => "four",
            Self::Eight => "eight",
            Self::EightCutOne => "eight-cut-one",
            Self::EightCutAny => "eight-cut-any",
            Self::AnyAngle => "any-angle",
            Self::AnyAngleSqueeze => "any-angle-squeeze",
        }
    }

    /// Whether paths run between points instead of stepping from cell to cell.
    pub const fn is_any_angle(self) -> bool {
        matches!(self, Self::AnyAngle | Self::AnyAngleSqueeze)
    }

    /// Whether two cells that touch only at a corner are connected when the corner's other two
    /// cells are blocked.
    pub const fn squeezes(self) -> bool {
        matches!(self, Self::EightCutAny | Self::AnyAngleSqueeze)
    }
}

/// The length of a diagonal step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Diagonal {
    /// √2, the true length and the default.
    #[default]
    Sqrt2,
    /// 1.4, as in Dragon Age and the DBA* paper.
    OnePointFour,
}

impl Diagonal {
    /// The length as a number.
    pub const fn length(self) -> f64 {
        match self {
            Self::Sqrt2 => std::f64::consts::SQRT_2,
            Self::OnePointFour => 1.4,
        }
    }
}

/// A movement rule, with the length of its diagonal steps and its [`Slope`], if any.
///
/// Without a [`Slope`], planners ignore the heights of a map.
///
/// ```
/// use blockstar::{Diagonal, Moves};
/// let moves = Moves::EIGHT.with_diagonal(Diagonal::OnePointFour);
/// assert_eq!("eight-cut-any".parse(), Ok(Moves::EIGHT_CUT_ANY));
/// assert_eq!(moves.to_string(), "eight with diagonals of 1.4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "MovesText", into = "MovesText"))]
pub struct Moves {
    rule: Rule,
    diagonal: Diagonal,
    slope: Option<Slope>,
}

impl Moves {
    /// See [`Rule::Four`].
    pub const FOUR: Self = Self::new(Rule::Four);
    /// See [`Rule::Eight`]. The default.
    pub const EIGHT: Self = Self::new(Rule::Eight);
    /// See [`Rule::EightCutOne`].
    pub const EIGHT_CUT_ONE: Self = Self::new(Rule::EightCutOne);
    /// See [`Rule::EightCutAny`].
    pub const EIGHT_CUT_ANY: Self = Self::new(Rule::EightCutAny);
    /// See [`Rule::AnyAngle`].
    pub const ANY_ANGLE: Self = Self::new(Rule::AnyAngle);
    /// See [`Rule::AnyAngleSqueeze`].
    pub const ANY_ANGLE_SQUEEZE: Self = Self::new(Rule::AnyAngleSqueeze);

    /// The rule with diagonals of length √2.
    pub const fn new(rule: Rule) -> Self {
        Self { rule, diagonal: Diagonal::Sqrt2, slope: None }
    }

    /// The same rule with diagonal steps of another length. Any-angle segments always have their
    /// true length.
    #[must_use]
    pub const fn with_diagonal(self, diagonal: Diagonal) -> Self {
        if self.rule.is_any_angle() { self } else { Self { diagonal, ..self } }
    }

    /// Which ways may be walked.
    pub const fn rule(self) -> Rule {
        self.rule
    }

    /// The length of a diagonal step.
    pub const fn diagonal(self) -> Diagonal {
        self.diagonal
    }

    /// The any-angle rule that also permits every path of this rule.
    #[must_use]
    pub const fn any_angle(self) -> Self {
        let moves = if self.rule.squeezes() { Self::ANY_ANGLE_SQUEEZE } else { Self::ANY_ANGLE };
        Self { slope: self.slope, ..moves }
    }

    /// The same rule on slopes: the [`Slope`] says what heights cost and what is too steep.
    #[must_use]
    pub const fn with_slope(self, slope: Slope) -> Self {
        Self { slope: Some(slope), ..self }
    }

    /// The same rule without slopes: the heights of a map are ignored.
    #[must_use]
    pub const fn without_slope(self) -> Self {
        Self { slope: None, ..self }
    }

    /// What slopes mean, if they matter.
    pub const fn slope(self) -> Option<Slope> {
        self.slope
    }
}

impl Default for Moves {
    fn default() -> Self {
        Self::EIGHT
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule.name())?;
        match self.diagonal {
            Diagonal::Sqrt2 => {}
            Diagonal::OnePointFour => f.write_str(" with diagonals of 1.4")?,
        }
        self.slope.map_or(Ok(()), |slope| write!(f, ", {slope}"))
    }
}

by_name! { Rule, "movement rule" }

impl From<Rule> for Moves {
    fn from(rule: Rule) -> Self {
        Self::new(rule)
    }
}

/// Reads the name of the rule.
impl FromStr for Moves {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        name.parse().map(Self::new)
    }
}

/// The eight directions, clockwise from north; odd ones are diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Direction(pub u8);

impl Direction {
    pub const DX: [i32; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
    pub const DY: [i32; 8] = [-1, -1, 0, 1, 1, 1, 0, -1];

    /// The direction of a step, straight or exactly diagonal, of any length.
    pub fn of(dx: i32, dy: i32) -> Option<Self> {
        if (dx, dy) == (0, 0) || (dx != 0 && dy != 0 && dx.abs() != dy.abs()) {
            return None;
        }
        let (sx, sy) = (dx.signum(), dy.signum());
        (0..8).find(|&d| Self::DX[d] == sx && Self::DY[d] == sy).map(|d| Self(d as u8))
    }

    pub fn is_diagonal(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn dx(self) -> i32 {
        Self::DX[self.0 as usize & 7]
    }

    pub fn dy(self) -> i32 {
        Self::DY[self.0 as usize & 7]
    }
}

/// The directions in which a step is legal, one bit each, for every pattern of the 3x3 cells around
/// a cell ([`Bits::around`](crate::grid::bits::Bits::around)).
pub(crate) type StepTable = [u8; 512];

/// The table of a rule, one of those that a constant function makes for each set of steps.
macro_rules! by_steps {
    ($rule:expr, $table:ty, $make:ident) => {{
        use crate::Rule;
        const FOUR: $table = $make(Rule::Four);
        const EIGHT: $table = $make(Rule::Eight);
        const CUT_ONE: $table = $make(Rule::EightCutOne);
        const CUT_ANY: $table = $make(Rule::EightCutAny);
        match $rule {
            Rule::Four => &FOUR,
            Rule::Eight => &EIGHT,
            Rule::EightCutOne | Rule::AnyAngle => &CUT_ONE,
            Rule::EightCutAny | Rule::AnyAngleSqueeze => &CUT_ANY,
        }
    }};
}
pub(crate) use by_steps;

/// The steps that a cell rule permits; for an any-angle rule, its steps on the cell lattice.
pub(crate) const fn step_table(rule: Rule) -> &'static StepTable {
    by_steps!(rule, StepTable, make_step_table)
}

const fn make_step_table(rule: Rule) -> StepTable {
    let mut table = [0; 512];
    let mut around = 0;
    while around < 512 {
        table[around] = legal_steps(around, rule);
        around += 1;
    }
    table
}

const fn legal_steps(around: usize, rule: Rule) -> u8 {
    let mut free = [false; 8];
    let mut d = 0;
    while d < 8 {
        free[d] = (around >> (4 + Direction::DX[d] + 3 * Direction::DY[d])) & 1 != 0;
        d += 1;
    }
    let mut legal = 0;
    d = 0;
    while d < 8 {
        let (left, right) = (free[(d + 7) % 8], free[(d + 1) % 8]);
        let permitted = d % 2 == 0
            || match rule {
                Rule::Four => false,
                Rule::Eight => left && right,
                Rule::EightCutOne | Rule::AnyAngle => left || right,
                Rule::EightCutAny | Rule::AnyAngleSqueeze => true,
            };
        if free[d] && permitted {
            legal |= 1 << d;
        }
        d += 1;
    }
    legal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_corner_rules_differ_exactly_at_the_diagonal() {
        // Around the middle cell: N blocked or free, E blocked or free, NE free.
        let around = |north: bool, east: bool| {
            usize::from(north) << 1 | 1 << 2 | 1 << 4 | usize::from(east) << 5
        };
        let north_east = |rule, north, east| step_table(rule)[around(north, east)] >> 1 & 1 != 0;
        for (rule, both, one, none) in [
            (Rule::Four, false, false, false),
            (Rule::Eight, true, false, false),
            (Rule::EightCutOne, true, true, false),
            (Rule::EightCutAny, true, true, true),
        ] {
            assert_eq!(north_east(rule, true, true), both, "{rule:?}");
            assert_eq!(north_east(rule, true, false), one, "{rule:?}");
            assert_eq!(north_east(rule, false, true), one, "{rule:?}");
            assert_eq!(north_east(rule, false, false), none, "{rule:?}");
        }
    }

    #[test]
    fn names_parse_back() {
        for &rule in Rule::ALL {
            assert_eq!(rule.name().parse(), Ok(Moves::new(rule)));
        }
        assert!("nine".parse::<Moves>().unwrap_err().to_string().contains("eight-cut-one"));
    }
}
