//! The events at a table. The journal stores them whole, enough to play the game again; the part that a
//! viewer may know is decided here and nowhere else ([`Event::visible_to`]).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::model::{Override, Struck, undone};
use games::any::AnyContest;
use rules::{Act, Declaration, Entry, Round, Sealing, Seat, Viewer, receipt};
use store::{
    DeclarationRow, JournalRow, Result, Session, TableRow, Touched, WindowRow, absences, read_json,
    write_json,
};
use tables::absence::{Away, Condition, Deed};
use tables::ids::or_before_first;
use tables::{
    Absence, CloseReason, EndKind, EntryNumber, HoldReason, OverrideNumber, Span, TableCode,
    TableSetting, Time, WindowNumber,
};

/// Returns the hashes of the seals, by seat.
pub(crate) fn sealed_hashes(opened: &[DeclarationRow]) -> Vec<(Option<Seat>, String)> {
    opened.iter().filter_map(|row| Some((Some(row.seat), row.hash.clone()?))).collect()
}

/// Returns the hash of the unsealed drafts of a window, in hex digits; empty if there are none. A draft can
/// count when its window closes, so it must not change afterwards.
pub(crate) fn drafts_hash(opened: &[DeclarationRow]) -> Result<String> {
    let drafts = opened.iter().filter(|row| !row.sealed.0);
    let line = |row: &DeclarationRow| Ok((row.seat, write_json(&row.answers)?));
    let drafts = drafts.map(line).collect::<Result<Vec<_>>>()?;
    Ok(if drafts.is_empty() { String::new() } else { hex::encode(receipt::drafts(&drafts)) })
}

/// Writes an event into the journal.
pub(crate) fn record(tx: &mut Touched<'_>, event: &Event) -> Result<()> {
    tx.record(write_json(&event.clone().without_reason())?)
}

/// An event at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// The table was formed.
    Formed {
        game: String,
        /// The edition of the game's rules.
        edition: String,
        /// The hash of the edition's data files, in hex digits.
        data: String,
        options: Json,
        chairs: usize,
        /// The key of the dice, in addition to the seed.
        dice: String,
        /// The hash of seed and key, in hex digits.
        commitment: String,
        /// The version of the game's policies, by which bot players declare.
        policies: u32,
        /// A random salt, in hex digits, against guessing the hidden parts of the journal from its head.
        salt: String,
    },
    /// The host changed the settings of the table.
    #[serde(rename = "settled")]
    SettingsChanged {
        game: String,
        /// The edition of the game's rules.
        edition: String,
        /// The hash of the edition's data files, in hex digits.
        data: String,
        options: Json,
        chairs: usize,
        /// The version of the game's policies, by which bot players declare.
        policies: u32,
    },
    /// A player sat down.
    Joined {
        seat: Seat,
        /// The policy of a bot player.
        house: Option<String>,
        /// The value mixed into the seed, in hex digits; `None` if it follows from the drawn seed, or is
        /// promised.
        value: Option<String>,
        /// The promise of the value, in hex digits.
        promise: Option<String>,
        /// The player's identity, as [`rules::receipt::identity`] hashes it; `None` for a bot player.
        who: Option<String>,
    },
    /// A player left before the start.
    Left {
        seat: Seat,
        /// True if a promise had been fulfilled by then: all promises end, and all values are brought anew.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anew: bool,
    },
    /// The host wants to begin, and the promised values are to be revealed.
    Due {
        /// The seats that have promised a value.
        seats: Vec<Seat>,
    },
    /// A player revealed their promised value.
    Kept {
        seat: Seat,
        /// The value mixed into the seed, in hex digits.
        value: String,
    },
    /// A seat of a game in play has a new player. Announced together with its cause.
    Seated {
        seat: Seat,
        /// The policy of a bot player.
        house: Option<String>,
        /// The player's identity, as [`rules::receipt::identity`] hashes it; `None` for a bot player.
        who: Option<String>,
    },
    /// A bot player took the seat of a player who is gone.
    Replaced { seat: Seat, house: String },
    /// The game was dealt.
    Dealt {
        /// The number of the window that opened with the deal.
        number: WindowNumber,
        /// The log entries, whole.
        entries: Vec<Entry<Json>>,
        /// The hash of the resulting state, in hex digits.
        state: String,
    },
    /// A window was closed and resolved.
    Closed {
        number: WindowNumber,
        /// The root window, counted from 0, which is the deal.
        #[serde(rename = "window")]
        round: Round,
        why: CloseReason,
        /// The seats that the window had waited for.
        awaited: Vec<Seat>,
        /// True if nothing was sealed in the window, because everything asked was done by acts.
        openly: bool,
        /// The salted hashes of the seals, with their seats as far as these may be known.
        sealed: Vec<(Option<Seat>, String)>,
        /// The time when the result is announced.
        announced: Time,
        /// The opening and the deadline of the window.
        opens: Time,
        closes: Time,
        /// The hash of the unsealed drafts, in hex digits; empty if there are none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        drafts: String,
        /// The log entries, whole.
        entries: Vec<Entry<Json>>,
        /// The hash of the resulting state, in hex digits.
        state: String,
    },
    /// A player acted in an open window.
    Acted {
        number: WindowNumber,
        /// The root window, counted from 0, which is the deal.
        #[serde(rename = "window")]
        round: Round,
        act: Act,
        /// The log entries, whole.
        entries: Vec<Entry<Json>>,
        /// The hash of the resulting state, in hex digits.
        state: String,
    },
    /// A deadline was moved because no process had run then.
    Extended {
        number: WindowNumber,
        /// The new deadline.
        closes: Time,
        /// The length of the outage.
        outage: Span,
        /// True if the table was paused.
        paused: bool,
        /// True if the table was locked.
        #[serde(default)]
        locked: bool,
        /// The previous deadline.
        before: Time,
    },
    /// A deadline was extended for missing players.
    PutOff {
        number: WindowNumber,
        /// The seats that had sent nothing.
        missing: Vec<Seat>,
        away: Vec<Seat>,
        /// The new deadline.
        closes: Time,
    },
    /// A deadline has passed, and late seats may still seal.
    Grace {
        number: WindowNumber,
        late: Vec<Seat>,
        /// True if nothing is sealed in the window, because everything asked is done by acts.
        openly: bool,
        /// The interval of the clock times, counted from the full hour, at which the window closes after the
        /// late seals; `None` if it closes immediately.
        step: Option<Span>,
        until: Time,
    },
    /// Turns were filled for players who had declared nothing for them.
    Struck { number: WindowNumber, struck: Vec<Struck> },
    /// Windows wait for a seat again.
    Back { seat: Seat },
    /// A player is away, or back.
    Away {
        seat: Seat,
        /// The start and the end of the absence; `None` if the player is back.
        away: Option<(Time, Time)>,
        /// The rule for deadlines during the absence.
        rule: Away,
    },
    /// A substitute plays for a seat, or no longer does.
    StoodIn {
        seat: Seat,
        /// The end of the substitution; `None` if there is none any more.
        until: Option<Time>,
    },
    /// The host changed the absence settings, from the next window on.
    Absence { absence: Absence },
    /// The table waits for its host.
    Held {
        number: WindowNumber,
        why: HoldReason,
        /// The time at which the table resumes by itself, if that is known.
        until: Option<Time>,
    },
    /// A player took a seat that was open to new players.
    Taken {
        seat: Seat,
        /// The new deadline of the open window; `None` if it was not extended.
        closes: Option<Time>,
    },
    /// A game master decided an override.
    Overridden {
        /// The number of the override at the table, from 0.
        number: OverrideNumber,
        /// The window that the override touched.
        #[serde(with = "or_before_first")]
        window: Option<WindowNumber>,
        what: Override,
        /// True if the table decided it by a vote.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        voted: bool,
        /// The reason, in the game master's words. Not in the journal, where it could not be erased.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        /// The seats that alone are sent the override; `None` if the whole table is.
        alone: Option<Vec<Seat>>,
        /// The override that this one undoes.
        undone: Option<Undone>,
        /// The time when the open window closes after an undoing.
        closes: Option<Time>,
        /// The author and the reason, as [`rules::receipt::authorship`] hashes them.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        /// The preview shown to the author, as [`rules::receipt::showing`] hashes it, if there was one.
        shown: Option<String>,
    },
    /// The game is over, or was ended.
    Over {
        how: EndKind,
        /// The seed, in hex digits.
        seed: String,
        /// The reason for ending the game, in the host's words. Not in the journal, where it could not be
        /// erased.
        reason: Option<String>,
    },
}

/// An override that another undoes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    pub what: Override,
    /// True if the table was sent the override.
    pub public: bool,
}

impl Event {
    /// Returns the window that the event closes, and its root window.
    pub(crate) fn closed_window(&self) -> Option<(WindowNumber, Round)> {
        match self {
            Self::Closed { number, round, .. } => Some((*number, *round)),
            _ => None,
        }
    }

    /// `None` if the viewer may not know of the event; otherwise the part of it that they may know.
    /// [`Viewer::All`] sees the whole event.
    pub(crate) fn visible_to(&self, viewer: Viewer, secrecy: &Secrecy<'_>) -> Option<Self> {
        if viewer == Viewer::All {
            return Some(self.clone());
        }
        let is_own = |seat: Seat| viewer == Viewer::Seat(seat);
        // If seals are secret, no other seat is named.
        let named = |seats: &[Seat]| -> Vec<Seat> {
            seats.iter().copied().filter(|seat| secrecy.is_named() || is_own(*seat)).collect()
        };
        let mut seen = self.clone();
        match &mut seen {
            // Without the salt, the hidden parts cannot be guessed from the journal's head.
            Self::Formed { salt, .. } => salt.clear(),
            // A player who knew the values of others could choose the dice by their own.
            Self::Joined { seat, value, who, .. } => {
                *value = value.take().filter(|_| is_own(*seat));
                *who = None;
            }
            Self::Seated { who, .. } => *who = None,
            Self::Kept { seat, value } => {
                if !is_own(*seat) {
                    value.clear();
                }
            }
            Self::Dealt { entries, state, .. } => {
                *entries = secrecy.entries(entries, viewer);
                state.clear();
            }
            Self::Closed { awaited, sealed, entries, state, drafts, .. } => {
                drafts.clear();
                if !secrecy.is_named() {
                    awaited.clear();
                }
                *sealed = secrecy.sealed(sealed);
                *entries = secrecy.entries(entries, viewer);
                state.clear();
            }
            Self::Acted { act, entries, state, .. } => {
                if !is_own(act.seat) {
                    *act = Act { seat: act.seat, declaration: Declaration::default() };
                }
                *entries = secrecy.entries(entries, viewer);
                state.clear();
            }
            Self::PutOff { missing, away, .. } => {
                (*missing, *away) = (named(missing), named(away));
            }
            Self::Grace { late, .. } => *late = named(late),
            Self::Struck { struck, .. } => {
                struck.retain(|struck| is_own(struck.seat) || struck.public && struck.is_news());
                if struck.is_empty() {
                    return None;
                }
            }
            // An inactive seat had not sealed, which may be secret.
            Self::Back { seat } => {
                if !secrecy.is_named() && !is_own(*seat) {
                    return None;
                }
            }
            Self::Held { why, .. } => *why = why.in_public(),
            Self::Overridden { alone, undone, by, shown, .. } => {
                match alone {
                    Some(alone) if !alone.iter().copied().any(is_own) => return None,
                    Some(_) => {}
                    // The undoing must not reveal an override that was secret.
                    None => *undone = undone.take().filter(|undone| undone.public),
                }
                by.clear();
                *shown = None;
            }
            Self::SettingsChanged { .. }
            | Self::Left { .. }
            | Self::Due { .. }
            | Self::Replaced { .. }
            | Self::Extended { .. }
            | Self::Away { .. }
            | Self::StoodIn { .. }
            | Self::Absence { .. }
            | Self::Taken { .. }
            | Self::Over { .. } => {}
        }
        Some(seen)
    }

    /// Returns the event of an override that is sent to everybody.
    pub(crate) fn decided(
        number: OverrideNumber,
        window: Option<WindowNumber>,
        what: Override,
        reason: String,
    ) -> Self {
        let (voted, alone, undone, closes) = (false, None, None, None);
        let (by, shown) = (String::new(), None);
        Self::Overridden { number, window, what, voted, reason, alone, undone, closes, by, shown }
    }

    /// Returns the log entries of the event and their root window; `None` if it has none.
    pub(crate) fn brought(self) -> Option<(Round, Vec<Entry<Json>>)> {
        match self {
            Self::Dealt { entries, .. } => Some((Round::DEAL, entries)),
            Self::Closed { round, entries, .. } | Self::Acted { round, entries, .. } => {
                Some((round, entries))
            }
            _ => None,
        }
    }

    /// Returns the event without its seals and its result.
    pub(crate) fn without_result(mut self) -> Self {
        if let Self::Closed { awaited, sealed, entries, state, drafts, .. } = &mut self {
            (*awaited, *sealed, *entries) = (Vec::new(), Vec::new(), Vec::new());
            state.clear();
            drafts.clear();
        }
        self
    }

    /// Returns the event without the words of its author, which are stored where they can be erased.
    #[must_use]
    pub fn without_reason(mut self) -> Self {
        match &mut self {
            Self::Overridden { reason, .. } => reason.clear(),
            Self::Over { reason, .. } => *reason = None,
            _ => {}
        }
        self
    }
}

impl Struck {
    /// True if the strike is news to others: the result already shows that a seat had not sealed and was
    /// skipped.
    fn is_news(&self) -> bool {
        let plain = matches!(self.condition, Condition::NothingSent | Condition::Delegated);
        self.inactive || !plain || self.deed != Deed::Skipped
    }
}

/// The secrets of a table, by its game and by its host's settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Secrecy<'a> {
    /// The contest whose rules apply; `None` if it is unknown, and everything is hidden.
    contest: Option<&'a dyn AnyContest>,
    /// True if only the number of seals is public.
    count_only: bool,
}

impl<'a> Secrecy<'a> {
    /// The secrecy of a table of which nothing is known.
    pub(crate) const HIDDEN: Self = Self { contest: None, count_only: true };

    pub(crate) fn of(table: &TableRow, contest: Option<&'a dyn AnyContest>) -> Self {
        Self { contest, count_only: table.settings.has(TableSetting::CountOnly) }
    }

    /// Returns the secrecy for a view of a contest.
    pub(crate) fn seen(count_only: bool, contest: &'a dyn AnyContest) -> Self {
        Self { contest: Some(contest), count_only }
    }

    fn sealing(&self) -> Sealing {
        self.contest.map_or(Sealing::Hidden, |contest| contest.procedure().sealing)
    }

    /// True if the number of seals is public.
    pub(crate) fn is_counted(&self) -> bool {
        self.sealing() == Sealing::Open
    }

    /// True if the seats that have sealed are public.
    pub(crate) fn is_named(&self) -> bool {
        self.is_counted() && !self.count_only
    }

    /// Returns the log entries that the game lets a viewer see.
    fn entries(&self, entries: &[Entry<Json>], viewer: Viewer) -> Vec<Entry<Json>> {
        self.contest.map(|contest| contest.seen(entries, viewer)).unwrap_or_default()
    }

    /// Returns the public hashes of the seals: none if their number is secret; if only the number is public,
    /// without seats and in an order that gives nothing away.
    pub(crate) fn sealed(&self, sealed: &[(Option<Seat>, String)]) -> Vec<(Option<Seat>, String)> {
        if !self.is_counted() {
            return Vec::new();
        }
        let named = |(seat, hash): &(Option<Seat>, String)| {
            (seat.filter(|_| !self.count_only), hash.clone())
        };
        let mut sealed: Vec<_> = sealed.iter().map(named).collect();
        sealed.sort();
        sealed
    }
}

/// An entry of a table's journal.
#[derive(Debug)]
pub(crate) struct JournalEvent {
    pub(crate) row: JournalRow,
    pub(crate) event: Event,
}

/// All entries of a table's journal, in order.
#[derive(Debug)]
pub(crate) struct History(pub(crate) Vec<JournalEvent>);

impl History {
    pub(crate) async fn load(db: &mut Session, code: &TableCode) -> Result<Self> {
        let rows = store::tables::journal(db, code, EntryNumber::FIRST).await?.into_iter();
        let read = |row: JournalRow| Ok(JournalEvent { event: read_json(&row.body)?, row });
        Ok(Self(rows.map(read).collect::<Result<_>>()?))
    }

    pub(crate) fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.0.iter().map(|happened| &happened.event)
    }

    /// Returns the entries with acts that have been taken back.
    fn taken_back(&self) -> BTreeSet<EntryNumber> {
        let decided = self.events().filter_map(|event| match event {
            Event::Overridden { number, what, .. } => Some((*number, what)),
            _ => None,
        });
        let undone = undone(&decided.collect());
        let mut acts: BTreeMap<WindowNumber, Vec<EntryNumber>> = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for JournalEvent { row, event } in &self.0 {
            match event {
                Event::Acted { number, .. } => acts.entry(*number).or_default().push(row.entry),
                Event::Overridden {
                    number,
                    window: Some(window),
                    what: Override::TakeBack { .. },
                    ..
                } if undone.get(number).is_none_or(Option::is_none) => {
                    taken.extend(acts.get_mut(window).and_then(Vec::pop));
                }
                _ => {}
            }
        }
        taken
    }

    /// Returns the events without the acts that have been taken back.
    pub(crate) fn standing(&self) -> impl Iterator<Item = &Event> {
        let taken = self.taken_back();
        let standing = self.0.iter().filter(move |happened| !taken.contains(&happened.row.entry));
        standing.map(|happened| &happened.event)
    }

    /// Returns the whole event that opened a window: the close of the window that it follows, or the deal.
    pub(crate) fn into_opening(self, opened: &WindowRow) -> Option<Event> {
        self.0.into_iter().map(|happened| happened.event).rev().find(|event| match event {
            Event::Closed { number, .. } => Some(*number) == opened.follows,
            Event::Dealt { number, .. } => opened.follows.is_none() && *number <= opened.number,
            _ => false,
        })
    }
}

/// The succession of a table's windows.
pub(crate) struct Lineage {
    /// The window whose seals count in each window, by the latter's number.
    again: BTreeMap<WindowNumber, Option<WindowNumber>>,
    /// The windows that led to the open one, and the open one itself. Windows that were asked again, resolved
    /// again or rewound are left out.
    pub(crate) line: BTreeSet<WindowNumber>,
}

impl Lineage {
    pub(crate) async fn of(db: &mut Session, table: &TableRow) -> Result<Self> {
        let all = absences::lineage(db, &table.code).await?;
        let follows: BTreeMap<WindowNumber, Option<WindowNumber>> =
            all.iter().map(|(number, follows, _)| (*number, *follows)).collect();
        let again = all.iter().map(|(number, _, again)| (*number, *again)).collect();
        let (mut line, mut next) = (BTreeSet::new(), table.open_window);
        while let Some(number) = next
            && line.insert(number)
        {
            next = follows.get(&number).copied().flatten();
        }
        Ok(Self { again, line })
    }

    /// Returns a window and those whose seals count in it, the newest first.
    pub(crate) fn again(&self, number: WindowNumber) -> Vec<WindowNumber> {
        let next = |number: &WindowNumber| self.again.get(number).copied().flatten();
        std::iter::successors(Some(number), next).collect()
    }
}
