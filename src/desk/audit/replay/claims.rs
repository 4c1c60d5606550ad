//! Checks that the rows of a table do not contradict one another: the order of the journal, the windows and
//! the seats asked in them, the declarations and the decisions.
//!
//! None of these checks needs the rules of a game.

use std::collections::{BTreeMap, BTreeSet};

use crate::audit::replay::Playing;
use crate::audit::replay::difference::{Difference, Differs};
use crate::model::overrides::{Override, undone};
use crate::record::event::Event;
use crate::record::values::Brings;
use letters::MixedValue;
use rules::seat::MAX_SEATS;
use rules::{Receipt, Round, Seat};
use store::{
    DeclarationRow, Seats, Session, StoreError, WindowRow, overrides, read_hex, read_json,
    write_json,
};
use tables::ids::{OverrideNumber, WindowNumber};

impl Playing<'_> {
    /// Loads every window, and checks that it counts the declarations of another window exactly if a decision
    /// made it do so.
    pub(crate) async fn hold_windows(&mut self, session: &mut Session) -> Result<(), StoreError> {
        for (number, _) in session.followed(&self.table.code).await? {
            let row = session.window(&self.table.code, number).await?;
            self.windows.extend(row.map(|row| (number, row)));
        }
        let written =
            |number: Option<WindowNumber>| number.map(|n| n.to_string()).unwrap_or_default();
        let mut odd = Vec::new();
        for row in self.windows.values() {
            let counts = self.taken_over(row);
            if row.again != counts {
                odd.push((
                    row.number,
                    Difference::of(Differs::Seal, &written(counts), &written(row.again)),
                ));
            }
        }
        let named = odd.into_iter().map(|(number, differs)| differs.in_window(number, Round::DEAL));
        self.found.differences.extend(named);
        Ok(())
    }

    /// Returns the window whose sealings a window takes over: the stored one if a decision agrees, otherwise
    /// the one that follows from the decision; `None` without such a decision.
    fn taken_over(&self, row: &WindowRow) -> Option<WindowNumber> {
        let takes = self.touched.iter().find_map(|(_, touched, what)| match what {
            _ if *touched != Some(row.number) => None,
            Override::Judge { window, .. } if Some(*window) != *touched => Some(Some(*window)),
            Override::Undo { number } => self.closed_by(*number).map(Some),
            Override::Edit { .. } => Some(None),
            _ => None,
        })?;
        let newest = || self.windows.range(..row.number).next_back().map(|(number, _)| *number);
        let from = row.again.and_then(|number| self.windows.get(&number));
        let fits = from.filter(|from| from.number < row.number && from.follows == row.follows);
        let judged = |from: &&WindowRow| {
            takes.is_none_or(|judged| self.counting(from.number).contains(&judged))
        };
        fits.filter(judged).map(|from| from.number).or(takes).or_else(newest)
    }

    /// Returns the window that a decision has closed, `None` for any other decision: undoing it asks the
    /// window again.
    fn closed_by(&self, number: OverrideNumber) -> Option<WindowNumber> {
        let closes = |what: &Override| matches!(what, Override::Close);
        let of = self.touched.iter().find(|(of, _, what)| *of == number && closes(what));
        of.and_then(|(_, window, _)| *window)
    }

    /// Returns a window and those whose sealings count in it, the newest first.
    pub(crate) fn counting(&self, number: WindowNumber) -> Vec<WindowNumber> {
        let (mut counting, mut next) = (Vec::new(), Some(number));
        while let Some(number) = next {
            counting.push(number);
            let again = self.windows.get(&number).and_then(|row| row.again);
            // Sealings are only taken over from earlier windows.
            next = again.filter(|again| *again < number);
        }
        counting
    }

    /// Checks that the value of each seat is the one brought when joining, or follows from the seed, and that
    /// every seat is taken.
    pub(crate) fn hold_values(&mut self) {
        self.found.values.clear();
        for row in self.seats {
            let brings = self.values.at(row.seat);
            let expected = self.values.value(self.table, row.seat).unwrap_or_default();
            if expected != row.value {
                let differs = Difference::of(Differs::Value, &expected, &row.value);
                self.found.differences.push(differs.at(row.seat));
            }
            self.found.values.push(MixedValue {
                seat: row.seat,
                value: row.value.clone(),
                chosen: matches!(brings, Some(Brings::Value(_) | Brings::Kept(_))),
                promised: matches!(brings, Some(Brings::Kept(_))),
            });
        }
        let chairs = self.values.chairs().unwrap_or_default();
        let chairs = chairs.min(MAX_SEATS);
        let is_full = self.seats.iter().map(|row| row.seat).eq(Seat::all(chairs));
        if !is_full || self.values.joined() != self.seats.len() {
            let (expected, found) = (self.values.joined(), self.seats.len());
            let differs = Difference::of(Differs::Value, &expected.to_string(), &found.to_string());
            self.found.differences.push(differs);
        }
    }

    /// Checks that the table was formed, with the stored number of seats.
    pub(crate) fn hold_chairs(&mut self) {
        let Some(chairs) = self.values.chairs() else {
            let differs = Difference::of(Differs::Commitment, &self.table.commitment, "");
            self.found.differences.push(differs);
            return;
        };
        if chairs != self.table.chairs {
            let (expected, found) = (chairs.to_string(), self.table.chairs.to_string());
            self.found.differences.push(Difference::of(Differs::Options, &expected, &found));
        }
    }

    /// Checks that a window closes once and after the windows that it depends on, or after the deal, and that
    /// it awaited exactly the asked seats without a sealing.
    pub(crate) fn hold_close(&mut self, happened: &Event, stored: &[DeclarationRow]) {
        let Event::Closed { number, awaited, .. } = happened else { return };
        let Some(row) = self.windows.get(number) else { return };
        let before = |other: WindowNumber| self.closed.contains(&other);
        let follows = row.follows.map_or(!self.dealt.is_empty(), before);
        let judged = self.touched.iter().any(|(_, touched, what)| {
            *touched == Some(*number)
                && matches!(what, Override::Judge { window, .. } if window != number)
        });
        let again = !judged || row.again.is_none_or(before);
        if before(*number) || !follows || !again {
            let found = format!("\"number\":{number}");
            self.found.differences.push(Difference::of(Differs::Order, "", &found));
        }
        let has_sealed = |seat: &Seat| stored.iter().any(|row| row.seat == *seat && row.sealed.0);
        let missing: Vec<Seat> =
            row.asked.0.iter().filter(|seat| !has_sealed(seat)).copied().collect();
        if missing != *awaited {
            let written = |seats: &[Seat]| Seats(seats.to_vec()).to_string();
            let differs = Difference::of(Differs::Asked, &written(&missing), &written(awaited));
            self.found.differences.push(differs);
        }
        self.closed.push(*number);
    }

    /// Checks that decisions are numbered consecutively, and that the window opened by one had not closed
    /// before.
    pub(crate) fn hold_opened(
        &mut self,
        number: OverrideNumber,
        window: Option<WindowNumber>,
        what: &Override,
    ) {
        let is_of_open = matches!(
            what,
            Override::Void
                | Override::TakeBack { .. }
                | Override::Edit { .. }
                | Override::Rollback { .. }
        );
        let expected = self.found.touched.iter().fold(OverrideNumber::FIRST, |next, _| next.next());
        if number != expected {
            let (expected, found) = (expected.to_string(), number.to_string());
            self.found.differences.push(Difference::of(Differs::Decision, &expected, &found));
        } else if let Some(window) =
            window.filter(|window| is_of_open && self.closed.contains(window))
        {
            let found = format!("\"number\":{window}");
            self.found.differences.push(Difference::of(Differs::Order, "", &found));
        }
    }

    /// Returns the decisions in the journal.
    fn journaled(&self) -> BTreeMap<OverrideNumber, &Override> {
        self.touched.iter().map(|(number, _, what)| (*number, what)).collect()
    }

    /// True if a decision stands according to the journal.
    pub(crate) fn stands(&self, number: OverrideNumber) -> bool {
        undone(&self.journaled()).get(&number).is_none_or(Option::is_none)
    }

    /// Checks that the stored decisions and their undo states are those of the journal.
    pub(crate) async fn hold_decisions(&mut self, session: &mut Session) -> Result<(), StoreError> {
        let journaled = self.journaled();
        let undone = undone(&journaled);
        let stored = overrides::all(session, &self.table.code).await?;
        let written = |what: Option<&Override>, undone: Option<OverrideNumber>| match what {
            Some(what) => write_json(what).map(|what| match undone {
                Some(by) => format!("{what} \"undone\":{by}"),
                None => what,
            }),
            None => Ok(String::new()),
        };
        let mut differences = Vec::new();
        let numbers = journaled.keys().copied().chain(stored.iter().map(|row| row.number));
        for number in numbers.collect::<BTreeSet<_>>() {
            let row = stored.iter().find(|row| row.number == number);
            let what = row.map(|row| read_json::<Override>(&row.what)).transpose()?;
            let by = undone.get(&number).copied().flatten();
            let expected = written(journaled.get(&number).copied(), by)?;
            let found = written(what.as_ref(), row.and_then(|row| row.undone))?;
            if expected != found {
                differences.push(Difference::of(Differs::Decision, &expected, &found));
            }
        }
        self.found.differences.extend(differences);
        Ok(())
    }

    /// Checks that every sealed declaration has its receipt, even in a window that never closed, and that
    /// late ones and drafts have none.
    pub(crate) async fn hold_declarations(
        &mut self,
        session: &mut Session,
    ) -> Result<(), StoreError> {
        for (number, late, opened) in session.all_declared(&self.table.code).await? {
            let is_bound = opened.salt.is_some() && opened.hash.is_some();
            let is_bare = opened.salt.is_none() && opened.hash.is_none();
            let fits = if opened.sealed.0 { is_bound && !late } else { is_bare };
            let is_there = self.windows.contains_key(&number);
            let was_held = self.closed.contains(&number) && !late;
            let follows = || {
                let salt = read_hex(opened.salt.as_deref()?).ok()?;
                let receipt = |number: WindowNumber| {
                    let code = &self.table.code;
                    let receipt = Receipt::of(
                        code.as_str(),
                        number.get(),
                        opened.seat,
                        &salt,
                        &opened.answers,
                    );
                    Some(hex::encode(receipt.hash()))
                };
                let any = self.counting(number).into_iter().any(|n| receipt(n) == opened.hash);
                (!any).then(|| receipt(number)).flatten()
            };
            let expected = if opened.sealed.0 && !was_held { follows() } else { None };
            if !fits || !is_there || expected.is_some() {
                let found = match (late && opened.sealed.0, &opened.hash) {
                    (true, _) => "\"late\":1",
                    (_, hash) => hash.as_deref().unwrap_or_default(),
                };
                let expected = expected.unwrap_or_default();
                let differs = Difference::of(Differs::Seal, &expected, found).at(opened.seat);
                self.found.differences.push(differs.in_window(number, Round::DEAL));
            }
        }
        Ok(())
    }
}
