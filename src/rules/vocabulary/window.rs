//! A window (受付): declarations are sealed in it, and can be opened only once it is closed.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray};

use crate::vocabulary::declaration::Declaration;
use crate::vocabulary::seat::{BySeat, Seat};

/// Something nobody can look at before the window is closed: there is no accessor, and
/// `Debug` prints nothing of it.
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

/// What may be known of a window's sealings while it is open: a game's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sealing {
    /// Who has sealed.
    Open,
    /// Nothing: neither count nor order nor time, so that none of them can be a signal.
    Hidden,
}

/// What a root window is for: a game's word. How long it is open goes by it, and what becomes of
/// those who let it pass. The windows of a suspension are of the kind of their root window.
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
    /// The game is prepared.
    Setup,
    /// Whoever is asked has their turn.
    #[default]
    Turn,
    /// Others may answer what somebody has done; whoever lets it pass has missed nothing.
    Reaction,
    /// Somebody chooses in the middle of a turn, such as after a look at cards.
    Choice,
}

impl WindowKind {
    /// True if letting it pass is no miss: nothing is put off for it, nobody is late, and who is
    /// gone is not waited for.
    pub fn is_optional(self) -> bool {
        self == Self::Reaction
    }
}

/// What a seat has done about a window. The five are never confused.
#[derive(Debug)]
enum SeatDeclaration {
    /// It is not asked.
    NothingToDeclare,
    /// It is asked and has said nothing.
    NothingDeclared,
    /// It counts at the deadline as it stands, but nobody is to close early for it.
    Draft(Sealed<Declaration>),
    /// Handed in. Whether anything is left open in it is known without looking inside.
    HandedIn { declaration: Sealed<Declaration>, complete: bool },
}

/// How far a seat is with its declaration, as far as it may be known before the close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    /// Nothing is asked of it in this window.
    NothingToDeclare,
    /// It is asked and has said nothing.
    NothingDeclared,
    /// It has said something and not sealed it.
    Draft,
    /// Sealed, with questions left open.
    SealedIncomplete,
    /// Sealed, with nothing left open.
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

    /// Keeps a draft: it counts at the deadline as it stands. An empty one withdraws.
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

    /// Seals a declaration: the seat waits for the others.
    pub fn seal(&mut self, seat: Seat, declaration: Declaration, complete: bool) {
        if !matches!(self.0[seat], SeatDeclaration::NothingToDeclare) {
            self.0[seat] =
                SeatDeclaration::HandedIn { declaration: Sealed::new(declaration), complete };
        }
    }

    /// How far a seat is.
    pub fn progress(&self, seat: Seat) -> Progress {
        match &self.0[seat] {
            SeatDeclaration::NothingToDeclare => Progress::NothingToDeclare,
            SeatDeclaration::NothingDeclared => Progress::NothingDeclared,
            SeatDeclaration::Draft(_) => Progress::Draft,
            SeatDeclaration::HandedIn { complete: false, .. } => Progress::SealedIncomplete,
            SeatDeclaration::HandedIn { complete: true, .. } => Progress::SealedComplete,
        }
    }

    /// The seats it still waits for.
    pub fn awaited(&self) -> impl Iterator<Item = Seat> + '_ {
        self.0.iter().filter_map(|(seat, filing)| {
            matches!(filing, SeatDeclaration::NothingDeclared | SeatDeclaration::Draft(_))
                .then_some(seat)
        })
    }

    /// Closes it, once, and opens what was sealed in it (`None`: nothing declared).
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

#[cfg(test)]
mod tests {
    use crate::vocabulary::declaration::{Answer, Value};
    use crate::vocabulary::window::*;

    fn said(word: &str) -> Declaration {
        let mut declaration = Declaration::default();
        declaration.set("3.set".parse().unwrap(), Answer::Given(Value::Choice(word.into())));
        declaration
    }

    #[test]
    fn a_sealed_declaration_prints_nothing() {
        let mut window = Window::open(2, &[Seat::new(0)]);
        window.seal(Seat::new(0), said("secret"), true);
        assert!(!format!("{window:?}").contains("secret"));
    }

    #[test]
    fn a_draft_counts_and_an_empty_one_does_not() {
        let seats: Vec<Seat> = Seat::all(3).collect();
        let mut window = Window::open(3, &seats[..2]);
        window.draft(seats[0], said("a"));
        window.draft(seats[1], said("b"));
        window.draft(seats[1], Declaration::default());
        window.seal(seats[2], said("c"), true);
        assert_eq!(window.progress(seats[0]), Progress::Draft);
        assert_eq!(window.progress(seats[1]), Progress::NothingDeclared);
        assert_eq!(window.progress(seats[2]), Progress::NothingToDeclare);
        assert_eq!(window.awaited().count(), 2);
        let closed = window.close();
        assert_eq!(closed[seats[0]], Some(said("a")));
        assert_eq!(closed[seats[1]], None);
        assert_eq!(closed[seats[2]], None);
    }
}
