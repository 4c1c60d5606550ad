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

    /// A vote.
    "vote" pub struct Ballots<'a> {
        /// The seat of the proposer; `None` if they no longer sit at the table.
        pub by: Option<Seat>,
        /// The name of the player whose seat the vote is about; `None` if unknown.
        pub about: Option<&'a str> = [None, Some("kaede")],
        /// The proposed decision.
        pub decision: ShownDecision<'a> => proposal,
        pub closes: Moment,
        /// The state of the count.
        pub tally: VoteTally,
        /// True if one vote besides the proposer's is enough, as the players decide at the table.
        pub second: bool,
        /// The word for the outcome; `None` while the vote is open.
        pub outcome: Option<&'a str> = OUTCOMES,
    }

    /// A counted ballot.
    "voice" pub struct Voice<'a> {
        pub agrees: bool,
        pub tally: VoteTally,
        pub outcome: Option<&'a str> = OUTCOMES,
    }

    /// The question to a reader whose vote alone ends the game.
    "own_voice" pub struct OwnVoiceAlone {}

    /// The decisions that a table can make by a vote.
    "voting" pub struct Voting {}

    /// A decision of a game master who plays, put to the vote.
    "second" pub struct PutToTheVote {}

    /// A request above the remaining allowance of a limited action.
    "spent" pub struct TooMuch { pub spent: Spent }
}

sampled! {
    /// The state of a vote's count.
    #[derive(Copy, PartialEq, Eq)]
    pub struct VoteTally {
        pub yes: usize,
        pub no: usize,
        /// The number of votes needed to pass.
        pub needed: usize,
    }
}

/// A limited action on demand, and the amount left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Spent {
    /// A deadline extension.
    Extension {
        /// The time left.
        left: Span,
    },
    /// A pause.
    Pause {
        /// The time left.
        left: Span,
    },
}

sampled_from! {
    Spent: [Span::ZERO, HOUR].map(|left| [Spent::Extension { left }, Spent::Pause { left }]).concat();
}

/// The words for the outcomes of a vote; `None` while it is open.
const OUTCOMES: [Option<&str>; 5] =
    [None, Some("passed"), Some("rejected"), Some("expired"), Some("overtaken")];

/// Returns a sample decision that can be proposed, with a reason or without.
fn proposal<'a>(draw: &mut Draw<'_>) -> ShownDecision<'a> {
    const PROPOSED: [&str; 5] = ["extend", "pause", "resume", "house", "end"];
    let mut all = draw.stock.decisions.clone();
    all.retain(|decision| PROPOSED.contains(&decision.what["does"].as_str().unwrap_or_default()));
    let decision = draw.one_of(&all);
    if bool::sample(draw) { ShownDecision { reason: "", ..decision } } else { decision }
}
