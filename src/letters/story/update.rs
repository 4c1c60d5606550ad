//! The update of a story's expected lines.

use super::compare::{Produced, is_about};
use super::run::StoryOutcome;
use super::written::{Beginning, Expected, Story};

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
