//! What is remembered of a person between two lines.

use desk::{Decision, Sight};
use rules::Declaration;
use tables::ids::WindowNumber;
use tables::time::{Span, Time};

/// The time for which it is quiet at least after it was told what others did: a storm of
/// acts is told in a few steps.
const REST: Span = Span::seconds(2);

/// How far somebody has been told what is done at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActsShown {
    /// The window that was opened last before their eyes: what is done in the next one comes after
    /// the letter that opens it.
    pub(super) window: Option<WindowNumber>,
    /// How many acts in it.
    pub(super) acts: usize,
    /// When.
    pub(super) at: Time,
}

impl ActsShown {
    /// Everything, as the table is seen.
    pub(super) fn all(sight: &Sight) -> Self {
        let play = sight.play.as_ref();
        let acts = play.map_or(0, |play| play.contest.acts_done());
        Self { acts, ..Self::of_window(play.map(|play| play.number)) }
    }

    /// Nothing of a window yet.
    pub(super) fn of_window(window: Option<WindowNumber>) -> Self {
        Self { window, acts: 0, at: Time::BEGINNING }
    }

    /// True if they have been told of this window at all.
    pub(super) fn is_of(&self, window: Option<WindowNumber>) -> bool {
        self.window == window
    }

    /// True if it has been quiet for long enough.
    pub(super) fn has_rested(&self, now: Time) -> bool {
        self.at + REST <= now
    }
}

/// The longest line, and text of a declaration, in characters: what fits into a form on Discord.
pub(super) const LONGEST: usize = 4000;

/// What a person has said in the open window.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) said: Declaration,
    /// The heading that they wrote last on a line of its own.
    pub(super) heading: String,
    /// True if a seal on a faulty or empty draft has been asked about once.
    pub(super) warned: bool,
}

impl Draft {
    /// What they said before they came here.
    pub(super) fn of(sight: &Sight) -> Self {
        let said = sight.play.as_ref().map(|play| play.own.clone());
        Self { said: said.unwrap_or_default(), ..Self::default() }
    }

    /// Takes over what has been declared elsewhere: at another terminal, by a substitute, or by a
    /// game master.
    pub(super) fn catch_up(&mut self, sight: &Sight) {
        let kept = Self::of(sight).said;
        if kept != self.said {
            (self.said, self.warned) = (kept, false);
        }
    }
}

/// A decision that has been rehearsed, and waits for its reason. It stays while its author looks at
/// something, and when it has been made, as a second press is the same one.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) decision: Decision,
    pub(super) is_final: bool,
    pub(super) is_made: bool,
}
