//! The comparison of a story's expected lines with the results, and their update.

use std::collections::BTreeSet;

use crate::story::{Beginning, Expected, Story};
use rules::Clause;

/// The results of a story.
#[derive(Clone, Debug, Default)]
pub struct StoryOutcome {
    /// The differences between the results and the expected lines.
    pub differences: Vec<StoryDifference>,
    /// The results of the deal, if there is one, then of each window: its acts and its close.
    pub produced: Vec<Produced>,
    pub met: BTreeSet<Clause>,
}

/// A difference between the story and the results.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct StoryDifference {
    /// The number of the line in the file.
    pub line: usize,
    pub what: String,
}

/// The results of a window of a story, or of an act within it.
#[derive(Clone, Debug, Default)]
pub struct Produced {
    /// The rulings, each as a line.
    pub rulings: Vec<String>,
    /// The events, each as a line.
    pub events: Vec<String>,
    /// The state, each part as a line.
    pub states: Vec<String>,
}

pub(super) fn differs(line: usize, what: impl Into<String>) -> StoryDifference {
    StoryDifference { line, what: what.into() }
}

/// Returns every difference between the results and the expected lines.
pub(super) fn compare(produced: &Produced, expected: &Expected) -> Vec<StoryDifference> {
    let mut differences = Vec::new();
    compare_rulings(produced, expected, &mut differences);
    compare_events(produced, expected, &mut differences);
    compare_states(produced, expected, &mut differences);
    differences
}

/// Compares the rulings: all of them must be listed, in order.
fn compare_rulings(
    produced: &Produced,
    expected: &Expected,
    differences: &mut Vec<StoryDifference>,
) {
    let written: Vec<&(usize, String)> =
        expected.lines.iter().filter(|(_, line)| line.starts_with('!')).collect();
    let lines: Vec<&str> = written.iter().map(|(_, line)| line.as_str()).collect();
    let happened: Vec<&str> = produced.rulings.iter().map(String::as_str).collect();
    for change in similar::capture_diff_slices(similar::Algorithm::Myers, &lines, &happened) {
        let (_, old, new) = change.as_tag_tuple();
        if lines[old.clone()] == happened[new.clone()] {
            continue;
        }
        for (line, text) in &written[old] {
            differences.push(differs(*line, format!("did not happen: {text}")));
        }
        for text in &happened[new] {
            let what = format!("happened and is not written here: {text}");
            differences.push(differs(expected.after, what));
        }
    }
}

/// Checks that the listed events happened in this order.
fn compare_events(
    produced: &Produced,
    expected: &Expected,
    differences: &mut Vec<StoryDifference>,
) {
    let mut events = produced.events.iter();
    for (line, text) in expected.lines.iter().filter(|(_, line)| line.starts_with('*')) {
        let before = events.clone();
        if !events.any(|event| event == text) {
            let instead: Vec<&str> = before.map(String::as_str).collect();
            let what = format!("did not happen: {text}\n    but: {}", instead.join("\n         "));
            differences.push(differs(*line, what));
        }
    }
}

/// Checks that the listed states hold.
fn compare_states(
    produced: &Produced,
    expected: &Expected,
    differences: &mut Vec<StoryDifference>,
) {
    for (line, text) in expected.lines.iter().filter(|(_, line)| !line.starts_with(['!', '*'])) {
        if !produced.states.contains(text) {
            let instead = produced.states.iter().filter(|state| is_about(state, text));
            let instead: Vec<&str> = instead.map(String::as_str).collect();
            let what = format!("is not so: {text}\n    but: {}", instead.join("\n         "));
            differences.push(differs(*line, what));
        }
    }
}

/// True if a state line has the subject of a written line: the words before the first value, or the first of
/// them.
fn is_about(state: &str, written: &str) -> bool {
    subject(state).starts_with(&subject(written))
}

fn subject(line: &str) -> Vec<&str> {
    let is_seat = |word: &str| word.len() == 2 && word.starts_with('P');
    let tells = |word: &str| word.contains([':', '|']) || word.chars().any(char::is_numeric);
    line.split_whitespace().take_while(|word| is_seat(word) || !tells(word)).collect()
}

/// Returns the story's text with the results as its expected lines. The author's choice stays: events if
/// some were listed or nothing was, and only the states that were listed. A story worked out by hand is
/// returned unchanged, and so are windows that were not reached.
pub fn update(text: &str, story: &Story, outcome: &StoryOutcome) -> String {
    if story.by_hand {
        return text.to_owned();
    }
    let mut blocks: Vec<&Expected> = Vec::new();
    if let Beginning::Dealt { expected, .. } = &story.beginning {
        blocks.push(expected);
    }
    for scene in &story.scenes {
        blocks.extend(scene.acts.iter().map(|act| &act.expected));
        blocks.push(&scene.expected);
    }
    // Windows that were not reached have no results.
    let reached: Vec<(&Expected, &Produced)> = blocks.into_iter().zip(&outcome.produced).collect();
    let written: Vec<usize> =
        reached.iter().flat_map(|(block, _)| block.lines.iter().map(|(line, _)| *line)).collect();
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !written.contains(&(index + 1)) {
            lines.push(line.to_owned());
        }
        let block = reached.iter().find(|(block, _)| block.after == index + 1);
        if let Some((block, produced)) = block {
            lines.extend(chosen(block, produced).map(|line| format!("  {line}")));
        }
    }
    lines.join("\n") + "\n"
}

fn chosen<'a>(block: &'a Expected, produced: &'a Produced) -> impl Iterator<Item = &'a String> {
    let listed = |mark: char| block.lines.iter().any(|(_, line)| line.starts_with(mark));
    let with_events = block.lines.is_empty() || listed('*');
    let events = produced.events.iter().filter(move |_| with_events);
    let states = produced.states.iter().filter(|state| {
        let of_same = |(_, line): &(usize, String)| is_about(state, line);
        block.lines.iter().any(of_same)
    });
    produced.rulings.iter().chain(events).chain(states)
}
