//! The results of a bench: printed, and with `SHIMEKIRI_TEST_UPDATE=1` written into their table in
//! `docs/figures.md`, with the date, the commit and the machine.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::written::{self, Part};

/// The document with all figures.
const DOCUMENT: &str = "docs/figures.md";

/// A table of figures.
#[derive(Debug)]
pub struct Figures {
    name: String,
    command: String,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Figures {
    /// Returns an empty table of this name, written by `cargo COMMAND`: a figure and its value in a row.
    pub fn new(name: &str, command: &str) -> Self {
        Self::with_heads(name, command, &["figure", "value"])
    }

    /// Returns an empty table with these heads.
    pub fn with_heads(name: &str, command: &str, heads: &[&str]) -> Self {
        let heads = heads.iter().map(|head| (*head).to_owned()).collect();
        Self { name: name.to_owned(), command: command.to_owned(), heads, rows: Vec::new() }
    }

    /// Adds a row: the name of a figure, and its values.
    pub fn add(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// Prints the table, and writes it into the document if `SHIMEKIRI_TEST_UPDATE` is set.
    ///
    /// # Errors
    /// If the document has no such table, or cannot be written.
    pub fn tell(&self) -> Result<(), String> {
        let table = self.table();
        say(&format!("{}\n\n{table}", self.name));
        if written::is_updated() {
            let said = format!("{table}\n{}", measured());
            Part::of(DOCUMENT, &self.name, &self.command)?.write(&said)?;
        }
        Ok(())
    }

    fn table(&self) -> String {
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let under = self.heads.iter().enumerate();
        let under = under.map(|(at, _)| if at == 0 { "---" } else { "---:" });
        let mut table = row(&self.heads);
        table += &row(&under.map(str::to_owned).collect::<Vec<_>>());
        for cells in &self.rows {
            table += &row(cells);
        }
        table
    }
}

/// Returns the median measured by criterion under this name, in nanoseconds.
///
/// # Errors
/// If it has measured nothing.
pub fn median(of: &str) -> Result<f64, String> {
    // A bench is in the folder `deps` of its profile.
    let bench = std::env::current_exe().map_err(|why| why.to_string())?;
    let target = bench.ancestors().nth(3).unwrap_or(Path::new("target"));
    let file = target.join("criterion").join(of).join("new/estimates.json");
    let text = fs::read_to_string(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    let estimates: serde_json::Value =
        serde_json::from_str(&text).map_err(|why| why.to_string())?;
    estimates["median"]["point_estimate"].as_f64().ok_or_else(|| format!("{of} has no median"))
}

/// Formats a whole number with commas between thousands.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// Returns the date, the commit and the machine of the measurement.
fn measured() -> String {
    #[expect(clippy::disallowed_methods, reason = "a bench is done when it is done")]
    let today = chrono::Utc::now().format("%Y-%m-%d");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok();
        let said = output.filter(|output| output.status.success())?.stdout;
        Some(String::from_utf8_lossy(&said).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=7", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    // A change of the documents is no change of the measured program.
    let changed = git(&["status", "--porcelain", "--", ".", ":!docs", ":!README.md"]);
    let mut said = format!("{today}, commit {commit}");
    if changed.is_some_and(|changed| !changed.is_empty()) {
        said += " with changes";
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = write!(said, ", {cores} cores of {}", std::env::consts::ARCH);
    said
}

#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
fn say(line: &str) {
    println!("{line}");
}
