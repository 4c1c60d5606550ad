//! Checks that the rows of a table do not contradict one another: the order of the journal, the windows and
//! the seats asked in them, the declarations and the decisions.
//!
//! None of these checks needs the rules of a game.

use std::collections::{BTreeMap, BTreeSet};

use crate::audit::replay::Playing;
use crate::audit::replay::difference::{Difference, Differs, in_utc};
use crate::model::{Judgement, Override, undone};
use crate::record::{Brings, Event, drafts_hash};
use letters::MixedValue;
use rules::seat::MAX_SEATS;
use rules::{Receipt, Round, Seat, receipt};
use store::{
    DeclarationRow, JournalRow, OverrideRow, Result, Seats, Session, StoreError, WindowRow,
    absences, overrides, people, read_hex, read_json, windows, write_json,
};
use tables::{CloseReason, EndKind, Notified, OverrideNumber, PersonId, Stage, Time, WindowNumber};

impl Playing<'_> {
    /// Loads every window, and checks that it counts the declarations of another window exactly if a decision
    /// made it do so.
    pub(crate) async fn hold_windows(&mut self, db: &mut Session) -> Result<()> {
        for (number, ..) in absences::lineage(db, &self.table.code).await? {
            let row = windows::window(db, &self.table.code, number).await?;
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
                    Difference::of(Differs::Seal, written(counts), written(row.again)),
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
            self.differs(Differs::Value, self.values.joined(), self.seats.len());
        }
    }

    /// Checks that the table was formed, with the stored number of seats.
    pub(crate) fn hold_chairs(&mut self) {
        let Some(chairs) = self.values.chairs() else {
            self.differs(Differs::Commitment, &self.table.commitment, "");
            return;
        };
        if chairs != self.table.chairs {
            self.differs(Differs::Options, chairs, self.table.chairs);
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
        let is_ordered = !before(*number) && follows && again;
        let has_sealed = |seat: &Seat| stored.iter().any(|row| row.seat == *seat && row.sealed.0);
        let missing: Vec<Seat> =
            row.asked.0.iter().filter(|seat| !has_sealed(seat)).copied().collect();
        if !is_ordered {
            self.differs(Differs::Order, "", format_args!("\"number\":{number}"));
        }
        if missing != *awaited {
            let written = |seats: &[Seat]| Seats(seats.to_vec()).to_string();
            self.differs(Differs::Asked, written(&missing), written(awaited));
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
            self.differs(Differs::Decision, expected, number);
        } else if let Some(window) =
            window.filter(|window| is_of_open && self.closed.contains(window))
        {
            self.differs(Differs::Order, "", format_args!("\"number\":{window}"));
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
    pub(crate) async fn hold_decisions(&mut self, db: &mut Session) -> Result<()> {
        let journaled = self.journaled();
        let undone = undone(&journaled);
        let stored = overrides::all(db, &self.table.code).await?;
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
    pub(crate) async fn hold_declarations(&mut self, db: &mut Session) -> Result<()> {
        for (number, late, opened) in windows::all_declared(db, &self.table.code).await? {
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

    /// Follows the people on the seats through the next entry.
    pub(crate) fn hear_who_sits(&mut self, happened: &Event) -> Result<()> {
        if !self.seating.hear(happened) {
            let found = write_json(happened)?;
            self.differs(Differs::Seating, "", &found);
        }
        let policy = match happened {
            Event::Joined { house, .. } | Event::Seated { house, .. } => house.as_ref(),
            Event::Replaced { house, .. } => Some(house),
            _ => None,
        };
        if let Some(policy) = policy {
            self.found.other_policies |= !self.knows_policies();
            if !self.game.policies().contains(&policy.as_str()) {
                self.differs(Differs::Seating, "", policy);
            }
        }
        Ok(())
    }

    /// Follows the open window through the next entry. A decision names the window that it touched or opened.
    pub(crate) fn hear_what_opens(&mut self, happened: &Event) {
        let opened = match happened {
            Event::Dealt { number, .. } => Some(*number),
            Event::Closed { number, .. } => {
                // A window resolved anew has a number of its own, and opens and closes immediately.
                self.newest = self.newest.max(Some(*number));
                let next = self.next_window();
                self.windows.contains_key(&next).then_some(next)
            }
            Event::Overridden { window, what, .. } => self.hear_decision(*window, what),
            _ => None,
        };
        if let Some(opened) = opened {
            self.open = Some(opened);
            self.newest = self.newest.max(Some(opened));
            self.sat_at.entry(opened).or_insert_with(|| self.seating.sitters().clone());
        }
    }

    /// Returns the number of the window that opens next.
    fn next_window(&self) -> WindowNumber {
        self.newest.map_or(WindowNumber::FIRST, WindowNumber::next)
    }

    /// Returns the window that a decision opens, if any: an undo can reopen an earlier one.
    fn hear_decision(
        &mut self,
        window: Option<WindowNumber>,
        what: &Override,
    ) -> Option<WindowNumber> {
        let opens = matches!(
            what,
            Override::Void
                | Override::Edit { .. }
                | Override::Rollback { .. }
                | Override::Undo { .. }
        );
        let is_before = matches!(what, Override::Undo { .. }) && window <= self.newest;
        if opens && window.is_some() && (is_before || window == Some(self.next_window())) {
            return window;
        }
        // The entry names the window that was closed, not the one opened then.
        let last = self.closed.last().copied();
        let is_judged = |judged: WindowNumber| Some(judged) != window;
        let names_closed = match what {
            Override::Close => true,
            Override::Judge { window: judged, .. } => is_judged(*judged),
            _ => false,
        };
        let expected = if names_closed { last } else { self.open };
        let fits = window == expected || window == self.open && !names_closed;
        if !fits {
            let written =
                |number: Option<WindowNumber>| number.map_or(String::new(), |n| n.to_string());
            self.differs(Differs::Decision, written(expected), written(window));
        }
        None
    }

    /// Records the end of the table, and the events after it.
    pub(crate) fn hear_the_end(&mut self, happened: &Event) {
        match (happened, &mut self.end) {
            (Event::Over { how, .. }, _) => self.end = Some((*how, Vec::new())),
            (other, Some((_, behind))) => behind.push(other.clone()),
            (_, None) => {}
        }
    }

    /// Checks that the end of a table is followed by nothing but the decision that caused it, and decisions
    /// made before its announcement.
    pub(crate) fn hold_what_followed(&mut self) {
        let Some((how, behind)) = self.end.take() else { return };
        if self.table.stage != Stage::Over {
            return;
        }
        let written = |event: &Event| write_json(event).unwrap_or_default();
        let is_unannounced = how == EndKind::Played;
        let fits = |(nth, event): (usize, &Event)| {
            let Event::Overridden { what, .. } = event else { return false };
            match what {
                Override::End => nth == 0 && matches!(how, EndKind::Ended | EndKind::Drawn),
                Override::Cancel => nth == 0 && how == EndKind::Cancelled,
                Override::Rule { .. }
                | Override::Say { .. }
                | Override::Hold
                | Override::Publish
                | Override::Undo { .. } => is_unannounced,
                Override::Extend { .. }
                | Override::Pause { .. }
                | Override::Lock { .. }
                | Override::Pace { .. }
                | Override::Absence { .. } => false,
                _ => nth == 0 && is_unannounced,
            }
        };
        let odd = behind.iter().enumerate().filter(|(nth, event)| !fits((*nth, *event)));
        let odd: Vec<Difference> =
            odd.map(|(_, event)| Difference::of(Differs::End, "", written(event))).collect();
        self.found.differences.extend(odd);
    }

    /// Compares the people in the seat rows with those in the journal. Erased or hidden people have no salt,
    /// and cannot be checked.
    pub(crate) async fn hold_seats(&mut self, db: &mut Session) -> Result<()> {
        let mut odd = Vec::new();
        for row in self.seats {
            let journaled = self.seating.at(row.seat).cloned().unwrap_or_default();
            let who = match (&row.person, &row.salt) {
                (Some(person), Some(salt)) => Some(identity(db, person, salt, &row.name).await?),
                (None, _) => None,
                (Some(_), None) => {
                    self.found.unnamed += 1;
                    let is_named = !row.name.is_empty();
                    if is_named { Some(String::new()) } else { journaled.who.clone() }
                }
            };
            if (&journaled.house, &journaled.who) != (&row.house, &who) {
                let written = |house: &Option<String>, who: &Option<String>| {
                    house.clone().or(who.clone()).unwrap_or_default()
                };
                let expected = written(&journaled.house, &journaled.who);
                let differs = Difference::of(Differs::Seating, expected, written(&row.house, &who));
                odd.push(differs.at(row.seat));
            }
        }
        for former in store::tables::all_former_seats(db, &self.table.code).await? {
            let Some(salt) = &former.salt else {
                self.found.unnamed += 1;
                continue;
            };
            let who = identity(db, &former.person, salt, &former.name).await?;
            if !self.seating.has_sat(former.seat, &who) {
                odd.push(Difference::of(Differs::Seating, "", &who).at(former.seat));
            }
        }
        self.found.differences.extend(odd);
        Ok(())
    }

    /// Checks the authors, reasons, times and audiences of decisions against the journal.
    pub(crate) async fn hold_authors(
        &mut self,
        db: &mut Session,
        rows: &[JournalRow],
    ) -> Result<()> {
        let stored = overrides::all(db, &self.table.code).await?;
        let mut odd = Vec::new();
        for entry in rows {
            let Event::Overridden { number, window, what, voted, alone, by, shown, .. } =
                read_json(&entry.body)?
            else {
                continue;
            };
            let Some(row) = stored.iter().find(|row| row.number == number) else { continue };
            let (notice, is_told) = match alone {
                Some(_) => (Notified::Private, row.notice == Notified::Private),
                None => (Notified::Public, row.notice == Notified::Public),
            };
            if !is_told {
                let (expected, found) = (json(notice)?, json(row.notice)?);
                odd.push(Difference::of(Differs::Decision, &expected, &found));
            }
            if row.vote.is_some() != voted {
                odd.push(Difference::of_flag(Differs::Decision, "voted", voted, !voted));
            }
            if (row.at, row.entries) != (entry.at, entry.entry.get() + 1) {
                let expected = [in_utc(entry.at), (entry.entry.get() + 1).to_string()];
                let found = [in_utc(row.at), row.entries.to_string()];
                odd.push(Difference::of_each(Differs::Times, &expected, &found));
            }
            odd.extend(self.hold_author(db, row, (&by, shown.as_deref())).await?);
            odd.extend(self.hold_declared(db, number, window, &what).await?);
        }
        self.found.differences.extend(odd);
        Ok(())
    }

    async fn hold_author(
        &mut self,
        db: &mut Session,
        row: &OverrideRow,
        (by, shown): (&str, Option<&str>),
    ) -> Result<Vec<Difference>> {
        let Some(salt) = &row.salt else {
            self.found.unnamed += 1;
            let is_named = !row.reason.is_empty() || row.shown.is_some();
            let differs = || Difference::of(Differs::Decision, by, &row.reason);
            return Ok(is_named.then(differs).into_iter().collect());
        };
        let account = people::account_of(db, &row.person).await?.unwrap_or_default();
        let author = hex::encode(receipt::authorship(salt, account.as_str(), &row.reason));
        let mut odd = Vec::new();
        if author != by {
            odd.push(Difference::of(Differs::Decision, by, &author));
        }
        if let Some(text) = &row.shown {
            let hash = hex::encode(receipt::showing(salt, text));
            if shown != Some(hash.as_str()) {
                odd.push(Difference::of(Differs::Decision, shown.unwrap_or_default(), &hash));
            }
        }
        Ok(odd)
    }

    /// Checks that a declaration made by a decision has counted for its seat, and answers only questions
    /// asked there.
    async fn hold_declared(
        &self,
        db: &mut Session,
        number: OverrideNumber,
        window: Option<WindowNumber>,
        what: &Override,
    ) -> Result<Option<Difference>> {
        let Override::Judge { window: judged, change } = what else { return Ok(None) };
        let (Judgement::Declare { seat, answers }, Some(window)) = (change, window) else {
            return Ok(None);
        };
        let counted = self.closed.contains(&window) && self.stands(number);
        let Some(row) = self.windows.get(&window).filter(|_| counted) else { return Ok(None) };
        let stored = windows::declared(db, &self.table.code, window).await?;
        let stored = stored.into_iter().find(|row| row.seat == *seat);
        let saved = self.saved(db, row).await?;
        let superfluous =
            self.load(&saved).map(|contest| contest.interview(*seat, answers).superfluous);
        let is_asked = superfluous.is_ok_and(|superfluous| superfluous.is_empty());
        // In an open window the player may have declared anew since.
        let is_last = *judged != window || !self.is_person(*seat);
        let is_kept = stored.as_ref().is_some_and(|row| !is_last || row.answers == *answers);
        let differs = || {
            let found = stored.map(|row| write_json(&row.answers)).transpose()?.unwrap_or_default();
            let differs = Difference::of(Differs::Decision, &write_json(answers)?, &found);
            Ok::<_, StoreError>(differs.at(*seat).in_window(window, Round::DEAL))
        };
        if is_asked && is_kept { Ok(None) } else { differs().map(Some) }
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.seats.iter().any(|row| row.seat == seat && row.house.is_none())
    }

    /// Checks the times, the closing reason, the awaited seats and the unsealed drafts of each window against
    /// the journal.
    pub(crate) async fn hold_times(&mut self, db: &mut Session, rows: &[JournalRow]) -> Result<()> {
        let code = &self.table.code;
        let stored = windows::all_closed(db, code).await?;
        let mut count = 0;
        let mut odd = Vec::new();
        for entry in rows {
            let Event::Closed { number, round, why, awaited, opens, closes, drafts, .. } =
                read_json(&entry.body)?
            else {
                continue;
            };
            count += 1;
            let Some(row) = self.windows.get(&number) else { continue };
            let closed = stored.iter().find(|row| row.number == number);
            let written = |from: Time, to: Time, end: Option<(Time, CloseReason, &Seats)>| {
                let end = end
                    .map(|(at, why, awaited)| [in_utc(at), why.to_string(), awaited.to_string()]);
                [vec![in_utc(from), in_utc(to)], Vec::from(end.unwrap_or_default())].concat()
            };
            let expected = written(opens, closes, Some((entry.at, why, &Seats(awaited))));
            let end = closed.map(|row| (row.closed_at, row.why, &row.awaited));
            let found = written(row.opens_at, row.closes_at, end);
            if expected != found {
                let differs = Difference::of_each(Differs::Times, &expected, &found);
                odd.push(differs.in_window(number, round));
            }
            let lay = drafts_hash(&windows::declared(db, code, number).await?)?;
            if lay != drafts {
                let differs = Difference::of(Differs::Seal, &drafts, &lay);
                odd.push(differs.in_window(number, round));
            }
        }
        let counted = format!("{} {}", self.table.entries, self.table.windows);
        let held = format!("{} {}", rows.len(), self.windows.len());
        if counted != held {
            odd.push(Difference::of(Differs::Order, &held, &counted));
        }
        if count != stored.len() {
            odd.push(Difference::of(Differs::Times, count, stored.len()));
        }
        self.found.differences.extend(odd);
        Ok(())
    }
}

async fn identity(db: &mut Session, person: &PersonId, salt: &str, name: &str) -> Result<String> {
    let account = people::account_of(db, person).await?.unwrap_or_default();
    Ok(hex::encode(receipt::identity(salt, account.as_str(), name)))
}

fn json(notice: Notified) -> Result<String> {
    write_json(&notice)
}
