//! The state of a session between two lines of input.

use desk::{Decision, Sight};
use rules::Declaration;
use tables::ids::WindowNumber;
use tables::time::{Span, Time};

/// The minimum time between two reports of other players' acts, so that many acts are shown in few reports.
const REST: Span = Span::seconds(2);

/// The immediate acts that the person has been shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActsShown {
    /// The latest window whose opening was shown: acts of the next window come after the letter that opens
    /// it.
    pub(super) window: Option<WindowNumber>,
    /// The number of acts shown in the window.
    pub(super) acts: usize,
    /// The time of the latest report.
    pub(super) at: Time,
}

impl ActsShown {
    /// Counts all acts of a table as shown.
    pub(super) fn all(sight: &Sight) -> Self {
        let play = sight.play.as_ref();
        let acts = play.map_or(0, |play| play.contest.acts_done());
        Self { acts, ..Self::of_window(play.map(|play| play.number)) }
    }

    /// Counts no act of a window as shown.
    pub(super) fn of_window(window: Option<WindowNumber>) -> Self {
        Self { window, acts: 0, at: Time::BEGINNING }
    }

    /// True if the opening of this window was shown.
    pub(super) fn is_of(&self, window: Option<WindowNumber>) -> bool {
        self.window == window
    }

    /// True if the minimum time since the latest report has passed.
    pub(super) fn has_rested(&self, now: Time) -> bool {
        self.at + REST <= now
    }
}

/// The maximum length of a line, and of a declaration's text, in characters: the limit of a form on Discord.
pub(super) const LONGEST: usize = 4000;

/// The person's draft in the open window.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) declared: Declaration,
    /// The latest heading on a line of its own.
    pub(super) heading: String,
    /// True after the first warning about sealing a faulty or empty draft.
    pub(super) warned: bool,
}

impl Draft {
    /// Loads the stored draft of a table.
    pub(super) fn of(sight: &Sight) -> Self {
        let declared = sight.play.as_ref().map(|play| play.own.clone());
        Self { declared: declared.unwrap_or_default(), ..Self::default() }
    }

    /// Takes over a draft that was changed elsewhere: at another terminal, by a substitute, or by a game
    /// master.
    pub(super) fn catch_up(&mut self, sight: &Sight) {
        let stored = Self::of(sight).declared;
        if stored != self.declared {
            (self.declared, self.warned) = (stored, false);
        }
    }
}

/// A decision after its dry run, which waits for its reason. It stays while its author looks at other things,
/// and after it was made, as a second confirmation means the same decision.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) decision: Decision,
    pub(super) is_final: bool,
    pub(super) is_made: bool,
}
