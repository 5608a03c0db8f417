//! Files, to come.
