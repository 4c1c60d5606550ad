//! A window (受付): it takes sealed declarations, and only its close opens them; and the rounds of a game.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray};

use crate::{BySeat, Declaration, Seat};

/// A content that nobody can read before the window is closed: it has no accessor, and `Debug` prints nothing
/// of it.
pub struct Sealed<T>(T);

impl<T> Sealed<T> {
    pub fn new(content: T) -> Self {
        Self(content)
    }
}

impl<T> fmt::Debug for Sealed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed")
    }
}

/// The public knowledge of a window's sealings while the window is open, chosen by the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sealing {
    /// The seats that have sealed are public.
    Open,
    /// Nothing is public, neither count nor order nor time, so that none of them can be a signal.
    Hidden,
}

/// The purpose of a root window, chosen by the game. It decides how long the window is open, and the
/// treatment of seats that let it pass. The windows of a suspension have the kind of their root window.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum WindowKind {
    /// Players prepare the game.
    Setup,
    /// Each seat that is asked takes its turn.
    #[default]
    Turn,
    /// Seats may answer an act of another; a seat that lets the window pass has missed nothing.
    Reaction,
    /// A seat chooses in the middle of a turn, such as after a look at cards.
    Choice,
}

impl WindowKind {
    /// True if letting the window pass is not a miss: the window is not put off, no seat counts as late, and
    /// no absent player is waited for.
    pub fn is_optional(self) -> bool {
        self == Self::Reaction
    }
}

/// The declaration of a seat in a window. The four states are never confused.
#[derive(Debug)]
enum SeatDeclaration {
    /// The seat is not asked.
    NothingToDeclare,
    /// The seat is asked and has declared nothing.
    NothingDeclared,
    /// A draft: it counts at the deadline, but the window does not close early for it.
    Draft(Sealed<Declaration>),
    /// A sealed declaration. `complete` makes open questions known without a look inside.
    HandedIn { declaration: Sealed<Declaration>, complete: bool },
}

/// The progress of a seat's declaration, as far as it may be known before the close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    /// The seat is not asked in this window.
    NothingToDeclare,
    /// The seat is asked and has declared nothing.
    NothingDeclared,
    /// The seat has a draft that it has not sealed.
    Draft,
    /// The seat has sealed with questions left open.
    SealedIncomplete,
    /// The seat has sealed with no question left open.
    SealedComplete,
}

/// An open window.
#[derive(Debug)]
pub struct Window(BySeat<SeatDeclaration>);

impl Window {
    /// Opens a window for `count` seats, of which these are asked.
    pub fn open(count: usize, asked: &[Seat]) -> Self {
        Self(BySeat::new(count, |seat| {
            if asked.contains(&seat) {
                SeatDeclaration::NothingDeclared
            } else {
                SeatDeclaration::NothingToDeclare
            }
        }))
    }

    /// Stores a draft, which counts at the deadline. An empty draft withdraws the declaration.
    pub fn draft(&mut self, seat: Seat, declaration: Declaration) {
        if matches!(self.0[seat], SeatDeclaration::NothingToDeclare) {
            return;
        }
        self.0[seat] = if declaration.is_empty() {
            SeatDeclaration::NothingDeclared
        } else {
            SeatDeclaration::Draft(Sealed::new(declaration))
        };
    }

    /// Seals a declaration: the seat now waits for the others.
    pub fn seal(&mut self, seat: Seat, declaration: Declaration, complete: bool) {
        if !matches!(self.0[seat], SeatDeclaration::NothingToDeclare) {
            self.0[seat] =
                SeatDeclaration::HandedIn { declaration: Sealed::new(declaration), complete };
        }
    }

    /// Returns the progress of a seat.
    pub fn progress(&self, seat: Seat) -> Progress {
        match &self.0[seat] {
            SeatDeclaration::NothingToDeclare => Progress::NothingToDeclare,
            SeatDeclaration::NothingDeclared => Progress::NothingDeclared,
            SeatDeclaration::Draft(_) => Progress::Draft,
            SeatDeclaration::HandedIn { complete: false, .. } => Progress::SealedIncomplete,
            SeatDeclaration::HandedIn { complete: true, .. } => Progress::SealedComplete,
        }
    }

    /// Returns the seats that the window still waits for.
    pub fn awaited(&self) -> impl Iterator<Item = Seat> + '_ {
        self.0.iter().filter_map(|(seat, filing)| {
            matches!(filing, SeatDeclaration::NothingDeclared | SeatDeclaration::Draft(_))
                .then_some(seat)
        })
    }

    /// Closes the window and returns its declarations, `None` for a seat without one.
    pub fn close(self) -> BySeat<Option<Declaration>> {
        let mut filings = self.0;
        BySeat::new(filings.count(), |seat| {
            match std::mem::replace(&mut filings[seat], SeatDeclaration::NothingToDeclare) {
                SeatDeclaration::NothingToDeclare | SeatDeclaration::NothingDeclared => None,
                SeatDeclaration::Draft(Sealed(declaration))
                | SeatDeclaration::HandedIn { declaration: Sealed(declaration), .. } => {
                    Some(declaration)
                }
            }
        })
    }
}

/// The number of a root window, counted from 0, which is the deal.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Round(u32);

impl Round {
    pub const DEAL: Self = Self(0);
    pub const FIRST: Self = Self(1);

    /// Returns the round with this many rounds before it.
    pub const fn new(before: u32) -> Self {
        Self(before)
    }

    /// Returns the number of rounds before this one.
    pub const fn get(self) -> u32 {
        self.0
    }

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl FromStr for Round {
    type Err = std::num::ParseIntError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        digits.parse().map(Self)
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Value};

    fn declaration(word: &str) -> Declaration {
        let mut declaration = Declaration::default();
        declaration.set("3.set".parse().unwrap(), Answer::Given(Value::Choice(word.into())));
        declaration
    }

    #[test]
    fn a_sealed_declaration_prints_nothing() {
        let mut window = Window::open(2, &[Seat::new(0)]);
        window.seal(Seat::new(0), declaration("secret"), true);
        assert!(!format!("{window:?}").contains("secret"));
    }

    #[test]
    fn a_draft_counts_and_an_empty_one_does_not() {
        let seats: Vec<Seat> = Seat::all(3).collect();
        let mut window = Window::open(3, &seats[..2]);
        window.draft(seats[0], declaration("a"));
        window.draft(seats[1], declaration("b"));
        window.draft(seats[1], Declaration::default());
        window.seal(seats[2], declaration("c"), true);
        assert_eq!(window.progress(seats[0]), Progress::Draft);
        assert_eq!(window.progress(seats[1]), Progress::NothingDeclared);
        assert_eq!(window.progress(seats[2]), Progress::NothingToDeclare);
        assert_eq!(window.awaited().count(), 2);
        let closed = window.close();
        assert_eq!(closed[seats[0]], Some(declaration("a")));
        assert_eq!(closed[seats[1]], None);
        assert_eq!(closed[seats[2]], None);
    }
}
