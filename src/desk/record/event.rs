//! What happens at a table. The journal keeps it whole, enough to play the game again; everybody is
//! told of it what they may know, which is decided here and nowhere else ([`Event::visible_to`]).

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use strum::VariantNames;

use crate::model::overrides::Override;
use crate::model::struck::Struck;
use games::any::AnyContest;
use rules::{Act, Declaration, Entry, Round, Sealing, Seat, Viewer, receipt};
use store::{DeclarationRow, StoreError, TableRow, Touched, write_json};
use tables::absence::{Away, Condition, Deed};
use tables::ids::{OverrideNumber, WindowNumber, or_before_first};
use tables::time::{Span, Time};
use tables::{Absence, CloseReason, EndKind, HoldReason};

/// The times in samples.
pub(crate) const SOON: Time = Time::from_milliseconds(1_795_262_700_000);
pub(crate) const LATER: Time = Time::from_milliseconds(1_795_363_200_000);

/// The hashes of what was sealed, by seat.
pub(crate) fn sealed_hashes(opened: &[DeclarationRow]) -> Vec<(Option<Seat>, String)> {
    opened.iter().filter_map(|row| Some((Some(row.seat), row.hash.clone()?))).collect()
}

/// The hash of what was declared in a window and not sealed, in hex digits; empty for nothing. A draft
/// can count where its window closes, so it must not be another afterwards.
pub(crate) fn drafts_hash(opened: &[DeclarationRow]) -> Result<String, StoreError> {
    let drafts = opened.iter().filter(|row| !row.sealed.0);
    let line = |row: &DeclarationRow| Ok((row.seat, write_json(&row.answers)?));
    let drafts = drafts.map(line).collect::<Result<Vec<_>, StoreError>>()?;
    Ok(if drafts.is_empty() { String::new() } else { hex::encode(receipt::drafts(&drafts)) })
}

/// Writes into the journal what has happened.
pub(crate) fn record(
    touched: &mut Touched<'_>,
    event: &Event,
    now: Time,
) -> Result<(), StoreError> {
    touched.record(write_json(&event.clone().without_reason())?, now)
}

/// Something that has happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// The table was formed.
    Formed {
        /// The game's word.
        game: String,
        /// The edition of its rules.
        edition: String,
        /// The hash of that edition's data files, in hex digits.
        data: String,
        options: Json,
        chairs: usize,
        /// What the dice are keyed by beside the seed.
        dice: String,
        /// The hash of both, in hex digits.
        commitment: String,
        /// The version of the game's policies, by which house players declare.
        policies: u32,
        /// Nothing but chance, in hex digits: no head of the journal can be guessed by what it
        /// does not tell yet.
        salt: String,
    },
    /// The host has set the table otherwise.
    #[serde(rename = "settled")]
    SettingsChanged {
        /// The game's word.
        game: String,
        /// The edition of its rules.
        edition: String,
        /// The hash of that edition's data files, in hex digits.
        data: String,
        options: Json,
        chairs: usize,
        /// The version of the game's policies, by which house players declare.
        policies: u32,
    },
    /// Somebody sat down.
    Joined {
        seat: Seat,
        /// The policy, of a house player.
        house: Option<String>,
        /// What they mix into the seed, in hex digits; none if it follows from the drawn one, or is
        /// promised.
        value: Option<String>,
        /// The promise of it, in hex digits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        promise: Option<String>,
        /// Who they are, as [`rules::receipt::identity`] hashes it; none of a house player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<String>,
    },
    /// Somebody stood up before the start.
    Left {
        seat: Seat,
        /// True if a promise had been kept by then: all promises end, and everybody who brings
        /// something brings it anew.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anew: bool,
    },
    /// The host would begin, and whoever has promised a value is to tell it.
    Due {
        /// Those who have promised one.
        seats: Vec<Seat>,
    },
    /// Somebody told the value that they had promised.
    Kept {
        seat: Seat,
        /// What they mix into the seed, in hex digits.
        value: String,
    },
    /// Somebody else sits on a seat of a game that is played. It is told with what has brought it.
    Seated {
        seat: Seat,
        /// The policy, of a house player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        house: Option<String>,
        /// Who they are, as [`rules::receipt::identity`] hashes it; none of a house player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<String>,
    },
    /// A house player took the seat of somebody who is gone.
    Replaced { seat: Seat, house: String },
    /// The game was dealt.
    Dealt {
        /// The number of the window that opened with it.
        number: WindowNumber,
        /// What happened, whole.
        entries: Vec<Entry<Json>>,
        /// The state it came to, as a hash in hex digits.
        state: String,
    },
    /// A window was closed and resolved.
    Closed {
        number: WindowNumber,
        /// The root window, counted from 0, which is the deal.
        #[serde(rename = "window")]
        round: Round,
        /// Why it was closed.
        why: CloseReason,
        /// For whom it had waited.
        awaited: Vec<Seat>,
        /// True if nothing was sealed in it, as all that was asked was done at once.
        openly: bool,
        /// The salted hashes of what was sealed, and whose each is, as far as that may be known.
        sealed: Vec<(Option<Seat>, String)>,
        /// The time when the result is announced.
        announced: Time,
        /// When it opened, and its deadline.
        opens: Time,
        closes: Time,
        /// The hash of what was declared in it and not sealed, in hex digits; empty for nothing.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        drafts: String,
        /// What happened, whole.
        entries: Vec<Entry<Json>>,
        /// The state it came to, as a hash in hex digits.
        state: String,
    },
    /// Somebody did something at once in an open window.
    Acted {
        /// The window's number.
        number: WindowNumber,
        /// The root window, counted from 0, which is the deal.
        #[serde(rename = "window")]
        round: Round,
        /// Who did what.
        act: Act,
        /// What happened, whole.
        entries: Vec<Entry<Json>>,
        /// The state it came to, as a hash in hex digits.
        state: String,
    },
    /// A deadline was moved, because nobody had kept it.
    Extended {
        number: WindowNumber,
        /// The new deadline.
        closes: Time,
        /// The time for which nobody had kept the deadlines.
        outage: Span,
        /// True if the table was paused.
        paused: bool,
        /// True if it was locked.
        #[serde(default)]
        locked: bool,
        /// The deadline before.
        before: Time,
    },
    /// A deadline was put off for somebody.
    PutOff {
        number: WindowNumber,
        /// Those who had sent nothing.
        missing: Vec<Seat>,
        away: Vec<Seat>,
        /// The new deadline.
        closes: Time,
    },
    /// After a deadline, those who are late may still seal.
    Grace {
        number: WindowNumber,
        late: Vec<Seat>,
        /// True if nothing is sealed in the window, as all that is asked is done at once.
        openly: bool,
        /// The step of the clock, from the full hour on, on which the window closes once they have
        /// sealed; none if it does so at once.
        step: Option<Span>,
        until: Time,
    },
    /// Turns came to something that their players had not declared.
    Struck { number: WindowNumber, struck: Vec<Struck> },
    /// Windows wait for a seat again.
    Back { seat: Seat },
    /// Somebody is away, or there again.
    Away {
        seat: Seat,
        /// From when until when; none if they are there again.
        away: Option<(Time, Time)>,
        /// What becomes of a deadline within that time.
        rule: Away,
    },
    /// Somebody stands in for a seat, or nobody does any more.
    StoodIn {
        seat: Seat,
        /// Until when; none if nobody does.
        until: Option<Time>,
    },
    /// The host has set what becomes of those who are missing, from the next window on.
    Absence { absence: Absence },
    /// The table waits for its host.
    Held {
        number: WindowNumber,
        why: HoldReason,
        /// When it goes on by itself, where that is known.
        until: Option<Time>,
    },
    /// Somebody took a seat for which a player was sought.
    Taken {
        seat: Seat,
        /// When the open window closes, if it was put off for them.
        closes: Option<Time>,
    },
    /// A game master has decided something.
    Overridden {
        /// Its number at the table, from 0.
        number: OverrideNumber,
        /// The window that it touched.
        #[serde(with = "or_before_first")]
        window: Option<WindowNumber>,
        what: Override,
        /// True if it was the table, by a vote.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        voted: bool,
        /// Why, in their words. Not in the journal, where it could not be forgotten.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        /// Who alone is told, where the table is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alone: Option<Vec<Seat>>,
        /// What it undoes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undone: Option<Undone>,
        /// The time when the open window closes now that something was undone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closes: Option<Time>,
        /// Who decided it and why, as [`rules::receipt::authorship`] hashes it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        /// What they were shown, as [`rules::receipt::showing`] hashes it, if they were shown anything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<String>,
    },
    /// The game is over, or was ended.
    Over {
        how: EndKind,
        /// The seed, in hex digits.
        seed: String,
        /// Why it was ended, in the host's words. Not in the journal, where it could not be
        /// forgotten.
        reason: Option<String>,
    },
}

/// An override that another undoes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    pub what: Override,
    /// True if the table had been told of it.
    pub public: bool,
}

impl Event {
    /// What of it somebody may know; none if they are not to know that it happened. Who sees
    /// everything sees it whole.
    pub(crate) fn visible_to(&self, viewer: Viewer, secrecy: &Secrecy<'_>) -> Option<Self> {
        if viewer == Viewer::All {
            return Some(self.clone());
        }
        let is_own = |seat: Seat| viewer == Viewer::Seat(seat);
        // Where it is not told who has sealed, nobody else is named.
        let told = |seats: &[Seat]| -> Vec<Seat> {
            seats.iter().copied().filter(|seat| secrecy.is_named() || is_own(*seat)).collect()
        };
        let mut seen = self.clone();
        match &mut seen {
            // What could be guessed by what the head of the journal does not tell yet.
            Self::Formed { salt, .. } => salt.clear(),
            // Who knew the values of others could choose the dice by their own.
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
                    *act = Act { seat: act.seat, said: Declaration::default() };
                }
                *entries = secrecy.entries(entries, viewer);
                state.clear();
            }
            Self::PutOff { missing, away, .. } => {
                (*missing, *away) = (told(missing), told(away));
            }
            Self::Grace { late, .. } => *late = told(late),
            Self::Struck { struck, .. } => {
                struck.retain(|struck| is_own(struck.seat) || struck.public && struck.is_news());
                if struck.is_empty() {
                    return None;
                }
            }
            // Who was inactive had not sealed.
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
                    // What was kept from the table is not told by its undoing.
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

    /// A game master has decided something, and everybody is told.
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

    /// The root window of what something has brought, and that.
    pub(crate) fn brought(self) -> Option<(Round, Vec<Entry<Json>>)> {
        match self {
            Self::Dealt { entries, .. } => Some((Round::DEAL, entries)),
            Self::Closed { round, entries, .. } | Self::Acted { round, entries, .. } => {
                Some((round, entries))
            }
            _ => None,
        }
    }

    /// That a window closed, and nothing of what was sealed in it or came of it.
    pub(crate) fn without_result(mut self) -> Self {
        if let Self::Closed { awaited, sealed, entries, state, drafts, .. } = &mut self {
            (*awaited, *sealed, *entries) = (Vec::new(), Vec::new(), Vec::new());
            state.clear();
            drafts.clear();
        }
        self
    }

    /// It without the words of whoever decided it, which stand where they can be forgotten.
    #[must_use]
    pub fn without_reason(mut self) -> Self {
        match &mut self {
            Self::Overridden { reason, .. } => reason.clear(),
            Self::Over { reason, .. } => *reason = None,
            _ => {}
        }
        self
    }

    /// Everything that happens and is told so.
    pub(crate) fn samples() -> Vec<Self> {
        let (one, other, number) = (Seat::new(0), Seat::new(1), WindowNumber::new(3));
        let lists = [vec![], vec![one], vec![one, other]];
        let flags = [false, true];
        let mut all = vec![
            Self::Due { seats: vec![one, other] },
            Self::Back { seat: one },
            Self::Away { seat: one, away: None, rule: Away::Skip },
            Self::Absence { absence: Absence::default() },
            Self::StoodIn { seat: one, until: None },
            Self::StoodIn { seat: one, until: Some(LATER) },
            Self::Taken { seat: one, closes: None },
            Self::Taken { seat: one, closes: Some(SOON) },
        ];
        let away = |rule| Self::Away { seat: one, away: Some((SOON, LATER)), rule };
        all.extend([Away::Extend, Away::House, Away::Skip, Away::Substitute].map(away));
        let extended = |(paused, locked)| {
            let outage = Span::hours(26);
            Self::Extended { number, closes: SOON, outage, paused, locked, before: SOON }
        };
        all.extend([(false, false), (true, false), (false, true)].map(extended));
        for some in &lists {
            let (awaited, missing, late) = (some.clone(), some.clone(), some.clone());
            let whys = [CloseReason::Deadline, CloseReason::AllSealed, CloseReason::GameMaster];
            all.extend(
                whys.into_iter()
                    .flat_map(|why| flags.map(|openly| closed(why, awaited.clone(), openly))),
            );
            all.extend(lists.clone().map(|away| Self::PutOff {
                number,
                missing: missing.clone(),
                away,
                closes: SOON,
            }));
            let steps = [(false, None), (false, Some(Span::minutes(15))), (true, None)];
            all.extend(steps.map(|(openly, step)| Self::Grace {
                number,
                late: late.clone(),
                openly,
                step,
                until: SOON,
            }));
        }
        for why in HoldReason::VARIANTS {
            let held = |until| Self::Held { number, why: (*why).to_owned().into(), until };
            all.extend([None, Some(SOON)].map(held));
        }
        for reason in [None, Some("rain".to_owned())] {
            let over = |how| Self::Over { how, seed: "5eed".to_owned(), reason: reason.clone() };
            all.extend(EndKind::ALL.map(over));
        }
        all.extend(strikes().map(|struck| Self::Struck { number, struck: vec![struck] }));
        all
    }
}

impl Struck {
    /// True if others learn something by it: that somebody had not sealed and was skipped, the
    /// result tells them.
    fn is_news(&self) -> bool {
        let plain = matches!(self.condition, Condition::NothingSent | Condition::Delegated);
        self.inactive || !plain || self.deed != Deed::Skipped
    }
}

/// What a table keeps secret, by its game and as its host has set it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Secrecy<'a> {
    /// By whose rules it is played; none where that is not known, and everything is hidden.
    contest: Option<&'a dyn AnyContest>,
    /// True if it is only told how many have sealed.
    count_only: bool,
}

impl<'a> Secrecy<'a> {
    /// Where nothing is known of the table.
    pub(crate) const HIDDEN: Self = Self { contest: None, count_only: true };

    pub(crate) fn of(table: &TableRow, contest: Option<&'a dyn AnyContest>) -> Self {
        Self { contest, count_only: table.count_only }
    }

    /// Of what somebody looks at.
    pub(crate) fn seen(count_only: bool, contest: &'a dyn AnyContest) -> Self {
        Self { contest: Some(contest), count_only }
    }

    fn sealing(&self) -> Sealing {
        self.contest.map_or(Sealing::Hidden, |contest| contest.procedure().sealing)
    }

    /// True if it is told how many have sealed.
    pub(crate) fn is_counted(&self) -> bool {
        self.sealing() == Sealing::Open
    }

    /// True if it is told who has sealed and who has not.
    pub(crate) fn is_named(&self) -> bool {
        self.is_counted() && !self.count_only
    }

    /// What the game lets be seen.
    fn entries(&self, entries: &[Entry<Json>], viewer: Viewer) -> Vec<Entry<Json>> {
        self.contest.map(|contest| contest.seen(entries, viewer)).unwrap_or_default()
    }

    /// What was sealed: nothing if nobody is told how many have. Where only their number is told, no
    /// seat is named, and the order tells nothing.
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

fn closed(why: CloseReason, awaited: Vec<Seat>, openly: bool) -> Event {
    Event::Closed {
        number: WindowNumber::new(3),
        round: Round::new(2),
        why,
        awaited,
        openly,
        sealed: Vec::new(),
        announced: SOON,
        opens: SOON,
        closes: SOON,
        drafts: String::new(),
        entries: Vec::new(),
        state: String::new(),
    }
}

/// Every deed in every condition that it can come to, of each the first and the last miss.
fn strikes() -> impl Iterator<Item = Struck> {
    let conditions =
        [Condition::NothingSent, Condition::Delegated, Condition::Away, Condition::Inactive];
    let deeds = [Deed::Skipped, Deed::ByDefault, Deed::ByHouse];
    let misses = [(0, 2, false), (1, 2, false), (2, 2, true), (3, 0, false)];
    let all = conditions.into_iter().flat_map(move |condition| deeds.map(|deed| (condition, deed)));
    let all = all.flat_map(move |what| misses.map(|missed| (what, missed)));
    all.flat_map(|((condition, deed), (misses, most, inactive))| {
        let seat = Seat::new(0);
        [false, true].map(|openly| Struck {
            seat,
            condition,
            deed,
            misses,
            most,
            inactive,
            openly,
            public: true,
        })
    })
}
