//! The command line as its users meet it: what it prints, which files it writes and how it ends.
//!
//! One binary for all commands, because each would link the same code again.

mod bench;
mod commands;
mod cpd;
mod dba;
mod explore;
mod files;
mod height_files;
mod heights;
mod lddb;
mod reproduce;
mod scenarios;
mod support;
