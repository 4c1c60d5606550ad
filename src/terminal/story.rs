//! `shimekiri story`: runs transcripts and shows differences.

use std::path::PathBuf;

use super::Exit;
use super::misuse::{Console, Done};
use letters::Letters;
use letters::story::{self, Story};

/// The arguments of `shimekiri story`.
#[derive(Clone, Debug, clap::Args)]
pub struct StoryArguments {
    /// The stories
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the expected lines anew, but for what was worked out by hand
    #[arg(long)]
    pub update: bool,
}

/// Runs the stories. Differences go to `out`, with file and line.
pub(super) fn run(args: &StoryArguments, console: &mut Console<'_>) -> Done {
    let letters = Letters::built_in();
    let (mut passed, mut failed) = (0_usize, 0_usize);
    for file in &args.files {
        let name = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                console.line(&format!("{name}: {error}"))?;
                return Ok(Exit::Misuse);
            }
        };
        let story: Story = match story::parse(&name, &text) {
            Ok(story) => story,
            Err(fault) => {
                console.line(&format!("{fault}"))?;
                failed += 1;
                continue;
            }
        };
        let outcome = story::run(&story, &letters);
        if outcome.differences.is_empty() {
            passed += 1;
        } else {
            failed += 1;
        }
        for difference in &outcome.differences {
            console.line(&format!("{name}:{}: {}", difference.line, difference.what))?;
        }
        if args.update {
            let updated = story::update(&text, &story, &outcome);
            if updated != text {
                std::fs::write(file, updated)?;
                console.line(&format!("{name}: updated"))?;
            }
        }
    }
    console.line(&format!("{passed} passed, {failed} failed"))?;
    Ok(if failed == 0 { Exit::Fine } else { Exit::Finding })
}
