//! A report: what all reports share, and how one becomes a folder with a page for people,
//! `index.html`, and all numbers, `report.json`.

use crate::Progress;
use crate::claim::{self, Claim, Verdict};
use crate::page::Page;
use blockstar_draw::escaped;
use blockstar_files::write_file;
use serde::Serialize;
use std::error::Error;
use std::path::Path;

/// A finished report, beside its files.
#[derive(Clone, Debug)]
pub struct Published {
    /// All numbers as JSON; the content of `report.json`.
    pub json: String,
    /// The numbers in short, for a terminal.
    pub summary: String,
}

/// The version of what was measured.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A part of a page.
pub(crate) type Section<R> = fn(&mut Page, &R);

/// The numbers of an experiment, and how they are presented.
pub(crate) trait Report: Serialize + Sized + 'static {
    /// Its name on the command line.
    const SUBJECT: &'static str;
    /// The paper.
    const SOURCE: &'static str;
    /// The heading of the page.
    const TITLE: &'static str;
    /// The parts of the page after the claims, in order.
    const SECTIONS: &'static [Section<Self>];

    /// What was run, as HTML: the end of a sentence.
    fn extent(&self) -> String;

    /// The first sentence of the page, as HTML.
    fn lead(&self) -> String {
        format!(
            "The experiments of <i>{}</i>, run again by blockstar {VERSION} {}",
            escaped(Self::SOURCE),
            self.extent()
        )
    }

    /// Numbers that sum it up, each with a few words.
    fn cards(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What the paper claims, compared with the numbers.
    fn judge(&self) -> Vec<Claim>;

    /// The numbers in short, as tables for a terminal of this width.
    fn tables(&self, columns: usize) -> String;
}

/// Everything that goes into `report.json`.
#[derive(Serialize)]
struct Document<'a, R> {
    subject: &'static str,
    source: &'static str,
    version: &'static str,
    notes: &'a [String],
    #[serde(flatten)]
    numbers: &'a R,
    claims: &'a [Claim],
}

/// Creates the folder of a report: before the work, so that a bad path is noticed early.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("{} cannot be made: {error}", folder.display()))
}

/// Judges the claims and writes the report and its page to the folder. The notes say what the reader
/// should know, such as maps that are missing.
pub(crate) fn publish<R: Report>(
    folder: &Path,
    report: &R,
    notes: &[String],
    progress: &dyn Progress,
) -> Result<Published, Box<dyn Error>> {
    let claims = report.judge();
    let mut page = Page::new(R::TITLE, &report.lead());
    page.cards(report.cards());
    for note in notes {
        page.html(&format!("<p class=\"note\">{}</p>", escaped(note)));
    }
    page.section("claims", "Claims");
    page.paragraph(&(tally(&claims) + "."));
    page.html(&claim::table(&claims));
    for section in R::SECTIONS {
        section(&mut page, report);
    }
    let index = folder.join("index.html");
    write_file(&index, page.finish().as_bytes())?;

    let (subject, source) = (R::SUBJECT, R::SOURCE);
    let document =
        Document { subject, source, version: VERSION, notes, numbers: report, claims: &claims };
    let json = serde_json::to_string_pretty(&document)? + "\n";
    write_file(&folder.join("report.json"), json.as_bytes())?;

    let judged: String = claims.iter().map(|claim| claim.to_string() + "\n").collect();
    let notes: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    let summary = format!(
        "{}\n{judged}{notes}{}\nreport: {}\n",
        report.tables(progress.columns()),
        tally(&claims),
        index.display()
    );
    Ok(Published { json, summary })
}

/// How many claims hold.
fn tally(claims: &[Claim]) -> String {
    let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    format!(
        "{} of {} claims hold; {} do not, {} are within noise, {} were not tested",
        count(Verdict::Holds),
        claims.len(),
        count(Verdict::DoesNotHold),
        count(Verdict::WithinNoise),
        count(Verdict::NotTested)
    )
}
