//! The people on the seats and the policies of bot players, according to the journal.

use std::collections::BTreeMap;

use crate::model::overrides::Override;
use crate::record::event::Event;
use rules::Seat;

/// The player on a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sitter {
    /// The policy of a bot player, `None` for a person.
    pub(crate) house: Option<String>,
    /// The hash of the person's identity, `None` for a bot player.
    pub(crate) who: Option<String>,
}

pub(crate) type Sitters = BTreeMap<Seat, Sitter>;

/// The current and the earlier people on the seats.
#[derive(Debug, Default)]
pub(crate) struct SeatingHistory {
    now: Sitters,
    /// The people on the seats before the seatings of the current decision.
    before: Sitters,
    /// Every player who has ever sat on a seat.
    all: Vec<(Seat, Sitter)>,
    /// The people before and after each decision, by its number, for undos.
    made: BTreeMap<u32, (Sitters, Sitters)>,
}

impl SeatingHistory {
    /// Follows the next entry. False if the entry contradicts the seats.
    pub(crate) fn hear(&mut self, happened: &Event) -> bool {
        match happened {
            Event::Joined { seat, house, who, .. } => {
                self.sit(*seat, house.clone(), who.clone());
                self.before = self.now.clone();
                house.is_some() != who.is_some()
            }
            Event::Left { seat, .. } => {
                self.now.remove(seat);
                self.before = self.now.clone();
                true
            }
            Event::Replaced { seat, house } => {
                self.sit(*seat, Some(house.clone()), None);
                self.before = self.now.clone();
                true
            }
            Event::Seated { seat, house, who } => {
                self.sit(*seat, house.clone(), who.clone());
                house.is_some() != who.is_some()
            }
            Event::Taken { seat, .. } => {
                let fits = self.changed() == [*seat] && self.is_person(*seat);
                self.before = self.now.clone();
                fits
            }
            Event::Overridden { number, what, .. } => {
                let fits = self.fits(what);
                let before = std::mem::replace(&mut self.before, self.now.clone());
                self.made.insert(number.get(), (before, self.now.clone()));
                fits
            }
            _ => true,
        }
    }

    /// Returns the current people on the seats.
    pub(crate) fn sitters(&self) -> &Sitters {
        &self.now
    }

    /// Returns the current player on a seat.
    pub(crate) fn at(&self, seat: Seat) -> Option<&Sitter> {
        self.now.get(&seat)
    }

    /// True if a person with this hash has ever sat on the seat.
    pub(crate) fn has_sat(&self, seat: Seat, who: &str) -> bool {
        self.all.iter().any(|(of, sitter)| *of == seat && sitter.who.as_deref() == Some(who))
    }

    fn sit(&mut self, seat: Seat, house: Option<String>, who: Option<String>) {
        let sitter = Sitter { house, who };
        self.all.push((seat, sitter.clone()));
        self.now.insert(seat, sitter);
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.at(seat).is_some_and(|sitter| sitter.who.is_some())
    }

    /// Returns the seats whose player has changed.
    fn changed(&self) -> Vec<Seat> {
        let changed =
            self.now.iter().filter(|(seat, sitter)| self.before.get(seat) != Some(*sitter));
        changed.map(|(seat, _)| *seat).collect()
    }

    /// True if the changes of seats are those that the decision makes.
    fn fits(&self, what: &Override) -> bool {
        let changed = self.changed();
        let only = |seat: &Seat| changed.iter().all(|other| other == seat);
        match what {
            Override::House { seat, policy } => {
                only(seat) && self.at(*seat).is_some_and(|of| of.house.as_ref() == Some(policy))
            }
            Override::Kick { seat } => only(seat) && !self.is_person(*seat),
            Override::Replace { seat } => changed == [*seat] && self.is_person(*seat),
            Override::Swap { a, b } => {
                let was = |seat: &Seat| self.before.get(seat);
                a != b && self.at(*a) == was(b) && self.at(*b) == was(a)
            }
            Override::Undo { number } => {
                // An undo restores the people from before the undone decision.
                let made = self.made.get(&number.get());
                changed.iter().all(|seat| {
                    made.is_some_and(|(before, _)| before.get(seat) == self.now.get(seat))
                })
            }
            _ => changed.is_empty(),
        }
    }
}
