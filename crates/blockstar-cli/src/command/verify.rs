//! `blockstar verify`: whether a file of prepared data is right.

use crate::{Outcome, database_file, output};
use blockstar::{Database, DatabaseKind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Check a file that was prepared by this library: everything in it is computed anew
///
/// Exit codes: 0 if it is right, 2 with a sentence if it is not. What depends on a map cannot be
/// computed without it; of such files only the checksum is looked at.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file
    file: PathBuf,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        let name = self.file.display();
        let clock = Instant::now();
        let bytes = database_file::bytes(&self.file)?;
        let database =
            Database::inspect(bytes.as_ref()).map_err(|error| format!("{name}: {error}"))?;
        let verdict = if database.kind() == DatabaseKind::Lddb {
            let lddb = database_file::lddb(&self.file)?;
            let tables = lddb.verify().map_err(|error| format!("{name}: {error}"))?;
            let tables = super::route::thousands(tables as u64);
            format!("all {tables} tables are right, {:.2} s", clock.elapsed().as_secs_f64())
        } else {
            format!(
                "a whole {}; what is in it could be checked on its map only",
                database.kind().name()
            )
        };
        output::print(&format!("{name}: {verdict}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
