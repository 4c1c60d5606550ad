//! Votes of a table, in words.

use serde::Serialize;

use crate::decision::ShownDecision;
use crate::template::letters::DESK;
use crate::template::typed::{Draw, Sampled, letters, sampled, sampled_from};
use crate::template::views::Moment;
use rules::Seat;
use tables::time::{HOUR, Span};

letters! {
    /// Letters about votes.
    LETTERS in DESK;

    /// A vote, as it is told.
    "vote" pub struct Ballots<'a> {
        /// Where the one sits who proposed it, if they sit there still.
        pub by: Option<Seat>,
        /// The name of the player whose seat it is about, if anybody knows.
        pub about: Option<&'a str> = [None, Some("kaede")],
        /// What was proposed.
        pub decision: ShownDecision<'a> => proposal,
        pub closes: Moment,
        /// How it stands.
        pub tally: VoteTally,
        /// True if one voice beside that of who proposed it is enough, as they decide at the table.
        pub second: bool,
        /// The word for what came of it; none while it is open.
        pub outcome: Option<&'a str> = OUTCOMES,
    }

    /// A voice has been counted.
    "voice" pub struct Voice<'a> {
        pub agrees: bool,
        pub tally: VoteTally,
        pub outcome: Option<&'a str> = OUTCOMES,
    }

    /// The reader's voice alone ends the game, and they are asked whether they want that.
    "own_voice" pub struct OwnVoiceAlone {}

    /// What a table can decide by a vote, and how.
    "voting" pub struct Voting {}

    /// What a game master who plays wanted is put to the vote.
    "second" pub struct PutToTheVote {}

    /// What can be done only so much would be too much by now.
    "spent" pub struct TooMuch { pub spent: Spent }
}

sampled! {
    /// How a vote stands.
    #[derive(Copy, PartialEq, Eq)]
    pub struct VoteTally {
        /// How many agree.
        pub yes: usize,
        /// How many do not.
        pub no: usize,
        /// How many of those who can vote have to agree.
        pub needed: usize,
    }
}

/// Something that can be done to a table on demand only so much, and how much of it is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Spent {
    /// A window can be put off.
    Extension {
        /// By so much more.
        left: Span,
    },
    /// A table can stand still.
    Pause {
        /// For so much longer.
        left: Span,
    },
}

sampled_from! {
    Spent: [Span::ZERO, HOUR].map(|left| [Spent::Extension { left }, Spent::Pause { left }]).concat();
}

/// What can come of a vote, by its word.
const OUTCOMES: [Option<&str>; 5] =
    [None, Some("passed"), Some("rejected"), Some("expired"), Some("overtaken")];

/// Something that can be proposed: with a reason, or without.
fn proposal<'a>(draw: &mut Draw<'_>) -> ShownDecision<'a> {
    const PROPOSED: [&str; 5] = ["extend", "pause", "resume", "house", "end"];
    let mut all = draw.stock.decisions.clone();
    all.retain(|decision| PROPOSED.contains(&decision.what["does"].as_str().unwrap_or_default()));
    let decision = draw.one_of(&all);
    if bool::sample(draw) { ShownDecision { reason: "", ..decision } } else { decision }
}
