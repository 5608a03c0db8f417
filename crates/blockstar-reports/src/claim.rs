//! What a paper claims, what was found, and whether the claim holds.

use crate::page::Grid;
use crate::table::Cells;
use blockstar_draw::escaped;
use serde::Serialize;
use std::fmt;

/// Whether a claim was confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It was.
    Holds,
    /// It was not.
    DoesNotHold,
    /// It was in some of the repeats, but not in others.
    WithinNoise,
    /// It could not be tested here.
    NotTested,
}

impl Verdict {
    /// For people, and with dashes the class on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::WithinNoise => "within noise",
            Self::NotTested => "not tested",
        }
    }

    /// Whether it holds.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNotHold }
    }

    /// Whether at least this many of some claims hold.
    pub fn of_most(claims: &[Self], needed: usize) -> Self {
        let count = |verdict| claims.iter().filter(|&&claim| claim == verdict).count();
        match count(Self::Holds) {
            holds if holds >= needed => Self::Holds,
            holds if holds + count(Self::WithinNoise) >= needed => Self::WithinNoise,
            _ => Self::DoesNotHold,
        }
    }

    /// The verdict of a claim that requires both: a failure decides, then an open question.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let order = [Self::DoesNotHold, Self::NotTested, Self::WithinNoise];
        let worst = order.into_iter().find(|&verdict| self == verdict || other == verdict);
        worst.unwrap_or(Self::Holds)
    }

    /// The same, unless there was nothing to test it on.
    #[must_use]
    pub fn tested(self, tested: bool) -> Self {
        if tested { self } else { Self::NotTested }
    }
}

/// A claim of the paper.
#[derive(Debug, Serialize)]
pub struct Claim {
    /// Its number.
    pub id: &'static str,
    /// What is claimed.
    pub claim: &'static str,
    /// The paper's numbers.
    pub paper: String,
    /// Our numbers, and what they say together.
    pub ours: String,
    pub verdict: Verdict,
    /// Why they differ, or what to keep in mind.
    pub remark: String,
}

/// For a terminal.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>13}  {} {}: {}", self.verdict.name(), self.id, self.claim, self.ours)
    }
}

/// The claims as a table of the page.
pub fn table(claims: &[Claim]) -> String {
    let mut grid = Grid::new(" | claim | claimed | here | ");
    for claim in claims {
        let name = claim.verdict.name();
        let remark = match claim.remark.as_str() {
            "" => String::new(),
            remark => format!("<small>{}</small>", escaped(remark)),
        };
        let badge = format!("<span class=\"verdict {}\">{name}</span>", name.replace(' ', "-"));
        let cells = Cells::of(claim.id).text(escaped(claim.claim)).text(escaped(&claim.paper));
        grid.row("", cells.text(escaped(&claim.ours) + &remark).text(badge));
    }
    grid.finish("claims")
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, DoesNotHold, Holds, NotTested, WithinNoise};

    #[test]
    fn what_fails_decides_then_what_is_open() {
        assert_eq!(Holds.and(Holds), Holds);
        assert_eq!(Holds.and(WithinNoise), WithinNoise);
        assert_eq!(WithinNoise.and(DoesNotHold), DoesNotHold);
        assert_eq!(NotTested.and(WithinNoise), NotTested);
        assert_eq!(Holds.tested(false), NotTested);
        let claims = [Holds, WithinNoise, DoesNotHold];
        let verdicts = [1, 2, 3].map(|needed| Verdict::of_most(&claims, needed));
        assert_eq!(verdicts, claims);
    }
}
