//! What a paper claims, what was found, and whether the claim holds.

use crate::page::Grid;
use blockstar_draw::escaped;
use serde::Serialize;

/// Whether a claim was confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It was.
    Holds,
    /// It was not.
    DoesNotHold,
    /// It could not be tested here.
    NotTested,
}

impl Verdict {
    /// For people, and with dashes the class on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::NotTested => "not tested",
        }
    }

    /// Whether it holds.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNotHold }
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
    /// Our numbers.
    pub ours: String,
    /// What they say together.
    pub verdict: Verdict,
    /// Why they differ, or what to keep in mind.
    pub remark: String,
}

/// The claims as a table of the page.
pub fn table(claims: &[Claim]) -> String {
    let mut grid = Grid::new(&["", "claim", "the paper", "here", ""]);
    for claim in claims {
        let name = claim.verdict.name();
        let remark = match claim.remark.as_str() {
            "" => String::new(),
            remark => format!("<small>{}</small>", escaped(remark)),
        };
        grid.row(
            "",
            &[
                claim.id.into(),
                escaped(claim.claim),
                escaped(&claim.paper),
                escaped(&claim.ours) + &remark,
                format!("<span class=\"verdict {}\">{name}</span>", name.replace(' ', "-")),
            ],
        );
    }
    grid.finish("claims")
}
