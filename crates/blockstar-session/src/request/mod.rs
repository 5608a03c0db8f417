//! One file per request.

pub(crate) mod cell;
pub(crate) mod compare;
pub(crate) mod edit;
pub(crate) mod export;
pub(crate) mod hello;
pub(crate) mod load;
pub(crate) mod maps;
pub(crate) mod plan;
pub(crate) mod queries;
pub(crate) mod scenarios;
pub(crate) mod state;
pub(crate) mod structure;
pub(crate) mod units;
