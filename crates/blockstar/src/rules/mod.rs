//! Which steps are legal, what they cost, and how the rest of the way is estimated.

pub(crate) mod cost;
pub(crate) mod heuristic;
pub(crate) mod moves;
pub(crate) mod slope;

/// Writes and reads the values of a type, all of them in `ALL`, by their names.
macro_rules! by_name {
    ($type:ty, $what:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = crate::Error;

            fn from_str(name: &str) -> Result<Self, crate::Error> {
                let found = Self::ALL.iter().copied().find(|value| value.name() == name);
                found.ok_or_else(|| crate::Error::UnknownName {
                    what: $what,
                    name: name.into(),
                    known: Self::ALL.iter().map(|value| value.name()).collect(),
                })
            }
        }
    };
}
pub(crate) use by_name;
