//! Folders that are not the project's own, which an environment variable names. Tests that need one
//! pass without it, but not silently: they are counted and named where everybody sees it. Where
//! `CI` is set, a test that did not run must not look like one that passed: there a missing folder
//! is a failure, unless the variable is set to nothing on purpose.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The tests that were skipped, or a part of them.
static SKIPPED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The folder that a variable names. Without it the test that asks is skipped.
pub fn folder(variable: &str) -> Option<PathBuf> {
    match read(variable, std::env::var_os(variable), is_judged()) {
        Ok(folder) => Some(folder),
        Err(Absence::Excused(why)) => {
            report(&why);
            None
        }
        Err(Absence::Fault(why)) => panic!("{why}"),
    }
}

/// A file or folder below such a folder. Without it what needs it is skipped.
pub fn below(variable: &str, folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    let why = format!("{name} is not below {variable}");
    assert!(!is_judged(), "{why}, and CI is set: {}", remedy(variable));
    report(&why);
    None
}

/// Whether this is a CI machine.
fn is_judged() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !["", "0", "false"].contains(&&*value.to_string_lossy()))
}

/// Why a folder is not used.
#[derive(Debug, PartialEq)]
enum Absence {
    Excused(String),
    Fault(String),
}

fn read(variable: &str, value: Option<OsString>, judged: bool) -> Result<PathBuf, Absence> {
    match value {
        None if judged => Err(Absence::Fault(format!(
            "CI is set and {variable} is not, so this test would pass without having run: {}",
            remedy(variable)
        ))),
        None => Err(Absence::Excused(format!("{variable} is not set"))),
        Some(value) if value.is_empty() => {
            Err(Absence::Excused(format!("{variable} is empty on purpose")))
        }
        Some(value) => {
            let folder = PathBuf::from(value);
            let fault = format!("{variable} names {}, which is no folder", folder.display());
            if folder.is_dir() { Ok(folder) } else { Err(Absence::Fault(fault)) }
        }
    }
}

fn remedy(variable: &str) -> String {
    format!(
        "set {variable} to the folder that has everything, or to nothing (`{variable}=`) to skip \
         these tests on purpose"
    )
}

/// Says that the current test is skipped, past the capture of test output.
fn report(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    let mut skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
    if skipped.insert(test.clone()) {
        // In one go, because tests run side by side.
        let line = format!("skipped ({} so far): {test}: {why}\n", skipped.len());
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

#[test]
fn an_absent_folder_is_excused_to_users_and_a_fault_where_changes_are_judged() {
    let read = |value: Option<&str>, judged| read("MAPS", value.map(Into::into), judged);
    let excuse = |why: &str| Err(Absence::Excused(why.into()));
    assert_eq!(read(None, false), excuse("MAPS is not set"));
    assert_eq!(read(Some(""), false), excuse("MAPS is empty on purpose"));
    assert_eq!(read(Some(""), true), excuse("MAPS is empty on purpose"));
    let Err(Absence::Fault(why)) = read(None, true) else { panic!("it was excused") };
    assert!(why.contains("CI is set and MAPS is not") && why.contains("`MAPS=`"), "{why}");
    for judged in [false, true] {
        let fault = Absence::Fault("MAPS names no/such/folder, which is no folder".into());
        assert_eq!(read(Some("no/such/folder"), judged), Err(fault));
        assert_eq!(read(Some("src"), judged), Ok(PathBuf::from("src")));
    }
}
