//! The replay of a table from its rows, compared with its journal.
//!
//! No stored value is trusted. The seed is compared with its commitment; the deal and each closed window are
//! resolved again from their declarations; the opening state of each window must be the result of the one
//! before, or of a decision in the journal; and every judgement applied to a window must be in the journal
//! too.

pub(crate) mod claims;
pub(crate) mod difference;
pub(crate) mod ground;

use std::collections::BTreeMap;
use std::fmt::Display;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::audit::replay::difference::{
    Difference, Differs, Heads, SeatingHistory, Sitters, safely,
};
use crate::model::{Desk, Games, NotDone, Override, Struck, dice};
use crate::record::{BroughtValues, Event, sealed_hashes};
use crate::window::close::is_done_openly;
use games::any::{AnyContest, AnyGame};
use letters::{MixedValue, Refused};
use rules::dice::commitment;
use rules::{
    Act, BySeat, Cast, Declaration, Dice, LoadError, Receipt, Round, Saved, Seat, WindowKind,
    Witness, receipt,
};
use store::{
    DeclarationRow, JournalRow, Result, SeatRow, Session, TableRow, WindowRow, read_hex, read_json,
    windows, write_json,
};
use tables::{EndKind, EntryNumber, OverrideNumber, Stage, TableCode, Time, WindowNumber};

/// The result of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The first entry of the journal whose hash does not follow from the entries before; `None` if the whole
    /// chain holds.
    pub broken: Option<EntryNumber>,
    /// All other differences, in the order of the journal.
    pub differences: Vec<Difference>,
    /// The closed windows, in the order of their closing.
    pub windows: Vec<Replayed>,
    /// The decisions of game masters: the number of the override, the window that it touched, and the
    /// decision.
    pub touched: Vec<(OverrideNumber, Option<WindowNumber>, Override)>,
    /// The dice thrown, with the number of their window; those of the deal have the number of the window that
    /// the deal opened.
    pub dice: Vec<(WindowNumber, Cast)>,
    /// True if the verified file contains no dice; false without a file.
    pub dice_untold: bool,
    /// True if bot players have played by another version of the policies than this program's, so that
    /// their moves could not be checked.
    pub other_policies: bool,
    /// The number of hidden or erased names of players and deciders.
    pub unnamed: usize,
    /// The commitment of the dice, in hex digits.
    pub commitment: String,
    /// The name of the table in its dice keys.
    pub name: String,
    /// The values that the seats have mixed into the seed.
    pub values: Vec<MixedValue>,
    /// The heads of the journal.
    pub heads: Heads,
    /// True if the game is over.
    pub is_over: bool,
}

/// A replayed window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub number: WindowNumber,
    /// The root window, counted from 0, which is the deal.
    pub window: Round,
    /// True if the replay has the same events and the same state.
    pub is_same: bool,
}

impl Replay {
    /// True if the replay agrees with the journal.
    pub fn is_sound(&self) -> bool {
        self.broken.is_none() && self.differences.is_empty()
    }
}

/// Replays a table, without changing anything.
/// Refused if the table does not exist, or this program does not know its rules.
pub async fn replay(desk: &Desk, code: &TableCode) -> Result<Replay, NotDone> {
    let mut db = desk.store.read().await?;
    replay_within(&mut db, desk.games, code).await
}

/// Replays a table within a session.
pub(crate) fn replay_within<'a>(
    db: &'a mut Session,
    games: Games,
    code: &'a TableCode,
) -> BoxFuture<'a, Result<Replay, NotDone>> {
    let replayed = async move {
        let table = db.table(code).await?.ok_or(Refused::NoTable)?;
        let game = games.learned(db, &table).await??;
        let seats = db.seats(code).await?;
        let rows = store::tables::journal(db, code, EntryNumber::FIRST).await?;
        let witness = Witness::default();
        let dice = dice(&table, &seats)?.watched_by(&witness);
        let mut playing = Playing {
            game,
            table: &table,
            seats: &seats,
            dice,
            witness,
            values: BroughtValues::default(),
            windows: BTreeMap::new(),
            touched: decisions(&rows)?,
            closed: Vec::new(),
            dealt: BTreeMap::new(),
            after: BTreeMap::new(),
            acts: BTreeMap::new(),
            reached_end: None,
            is_over: false,
            seating: SeatingHistory::default(),
            entry: (EntryNumber::FIRST, Time::default()),
            open: None,
            newest: None,
            sat_at: BTreeMap::new(),
            struck: BTreeMap::new(),
            policies: None,
            end: None,
            found: Replay {
                broken: broken(&table, &rows),
                commitment: table.commitment.clone(),
                name: table.dice.clone(),
                is_over: table.stage == Stage::Over,
                ..Replay::default()
            },
        };
        playing.hold_windows(db).await?;
        for row in &rows {
            let happened: Event = read_json(&row.body)?;
            playing.found.heads.hear(row, &happened);
            playing.entry = (row.entry, row.at);
            let number = happened.closed_window();
            if let Some(done) = safely(playing.play(db, happened)).await {
                done?;
            } else {
                playing.broke_off(number);
            }
        }
        playing.hold_end();
        playing.hold_what_followed();
        playing.hold_chairs();
        playing.hold_decisions(db).await?;
        playing.hold_seats(db).await?;
        playing.hold_authors(db, &rows).await?;
        playing.hold_times(db, &rows).await?;
        playing.hold_declarations(db).await?;
        if let Some(done) = safely(playing.hold_grounds(db)).await {
            done?;
        } else {
            playing.broke_off(None);
        }
        Ok(playing.found)
    };
    replayed.boxed()
}

/// Returns the first entry whose hash does not follow from those before it.
pub(crate) fn broken(table: &TableRow, rows: &[JournalRow]) -> Option<EntryNumber> {
    let mut chain = receipt::BEGINNING;
    for (entry, row) in (0..).map(EntryNumber::new).zip(rows) {
        chain = receipt::chain(&chain, &row.line());
        if row.entry != entry || row.hash != hex::encode(chain) {
            return Some(entry);
        }
    }
    let is_last = table.chain == hex::encode(chain);
    (!is_last).then(|| rows.iter().fold(EntryNumber::FIRST, |next, _| next.next()))
}

/// Returns the decisions of game masters in the journal.
fn decisions(rows: &[JournalRow]) -> Result<Vec<(OverrideNumber, Option<WindowNumber>, Override)>> {
    let mut decisions = Vec::new();
    for row in rows {
        if let Event::Overridden { number, window, what, .. } = read_json(&row.body)? {
            decisions.push((number, window, what));
        }
    }
    Ok(decisions)
}

/// An act done openly, with its journal entry; or the taking back of the last act.
enum ReplayedAct {
    Done {
        act: Act,
        entries: Vec<difference::StoredEntry>,
        state: String,
        /// The journal entry, and the policy if a bot player acted.
        entry: EntryNumber,
        policy: Option<String>,
    },
    TakenBack,
}

/// A window resolved again.
struct Resolved {
    /// The contest after the close.
    contest: Box<dyn AnyContest>,
    entries: Vec<difference::StoredEntry>,
    /// True if nothing could be sealed in the window.
    was_open: bool,
}

/// A table during its replay.
struct Playing<'a> {
    game: &'static dyn AnyGame,
    table: &'a TableRow,
    seats: &'a [SeatRow],
    dice: Dice,
    witness: Witness,
    /// The values that seats have brought, according to the journal.
    values: BroughtValues,
    windows: BTreeMap<WindowNumber, WindowRow>,
    /// All decisions of game masters, according to the journal.
    touched: Vec<(OverrideNumber, Option<WindowNumber>, Override)>,
    /// The windows closed so far, in the order of their closing.
    closed: Vec<WindowNumber>,
    /// The state after each deal, by the number of the window that it opened.
    dealt: BTreeMap<WindowNumber, Saved>,
    /// The state after each closed window.
    after: BTreeMap<WindowNumber, Saved>,
    /// The acts done and taken back in each window, according to the journal.
    acts: BTreeMap<WindowNumber, Vec<ReplayedAct>>,
    /// True if the last deal or window has ended the game; `None` after a decision.
    reached_end: Option<bool>,
    /// True if the journal has the end of the table.
    is_over: bool,
    /// The people on the seats, according to the journal.
    seating: SeatingHistory,
    /// The current entry of the replay, and its time.
    entry: (EntryNumber, Time),
    /// The open window at the current entry, according to the journal.
    open: Option<WindowNumber>,
    /// The newest window opened so far.
    newest: Option<WindowNumber>,
    /// The people on the seats at the opening of each window.
    sat_at: BTreeMap<WindowNumber, Sitters>,
    /// The seats that were struck in each window.
    struck: BTreeMap<WindowNumber, Vec<Struck>>,
    /// The version of the bot players' policies.
    policies: Option<u32>,
    /// The last end of the table, and the later events.
    end: Option<(EndKind, Vec<Event>)>,
    found: Replay,
}

impl Playing<'_> {
    /// Notes a difference between the file and what was played again.
    fn differs(&mut self, what: Differs, expected: impl Display, found: impl Display) {
        self.found.differences.push(Difference::of(what, expected, found));
    }

    /// Reports that the rules failed on the stored data, which they can never have reached.
    fn broke_off(&mut self, closed: Option<(WindowNumber, Round)>) {
        self.witness.take();
        let differs = Difference::of(Differs::Ground, "", "");
        let differs = match closed {
            Some((number, window)) => differs.in_window(number, window),
            None => differs,
        };
        self.found.differences.push(differs);
    }

    async fn play(&mut self, db: &mut Session, happened: Event) -> Result<()> {
        if !self.values.hear(&happened) {
            let found = write_json(&happened)?;
            self.differs(Differs::Order, "", &found);
        }
        self.hear_who_sits(&happened)?;
        self.hear_what_opens(&happened);
        self.hear_the_end(&happened);
        match happened {
            Event::Formed { commitment, dice, game, edition, data, options, policies, .. } => {
                self.policies = Some(policies);
                self.hold_seed(&commitment);
                self.hold_seed(&self.table.commitment.clone());
                if dice != self.table.dice {
                    self.differs(Differs::Name, &dice, &self.table.dice);
                }
                self.set(&game, &edition, &data, &options);
            }
            Event::SettingsChanged { game, edition, data, options, policies, .. } => {
                self.policies = Some(policies);
                self.found.differences.retain(|differs| differs.what != Differs::Options);
                self.set(&game, &edition, &data, &options);
            }
            Event::Dealt { number, entries, state } => {
                self.hold_values();
                self.deal(number, &entries, &state)?;
            }
            closed @ Event::Closed { .. } => self.close(db, &closed).await?,
            Event::Acted { number, act, entries, state, .. } => {
                let policy = self.seating.at(act.seat).and_then(|sitter| sitter.house.clone());
                let entry = self.entry.0;
                let done = ReplayedAct::Done { act, entries, state, entry, policy };
                self.acts.entry(number).or_default().push(done);
            }
            Event::Struck { number, struck } => {
                self.struck.entry(number).or_default().extend(struck);
            }
            Event::Overridden { number, window, what, .. } => {
                self.hold_opened(number, window, &what);
                if let (Override::TakeBack { .. }, Some(window)) = (&what, window)
                    && self.stands(number)
                {
                    self.acts.entry(window).or_default().push(ReplayedAct::TakenBack);
                }
                self.found.touched.push((number, window, what));
                self.reached_end = None;
            }
            Event::Over { seed, how, .. } => {
                let differs = (seed != self.table.seed)
                    .then(|| Difference::of(Differs::Seed, &self.table.seed, &seed));
                self.found.differences.extend(differs);
                self.over(how != EndKind::Played);
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks that only an unfinished game was ended early.
    fn over(&mut self, early: bool) {
        if self.reached_end == Some(early) {
            let differs = Difference::of_flag(Differs::End, "ended", !early, early);
            self.found.differences.push(differs);
        }
        (self.is_over, self.reached_end) = (true, None);
    }

    /// Checks that a table that is over has its end in the journal, and the other way round unless a decision
    /// made the game go on.
    fn hold_end(&mut self) {
        let is_kept = self.table.stage == Stage::Over;
        let was_decided = !self.found.touched.is_empty();
        let is_reached = self.reached_end == Some(true);
        let is_odd = if is_kept { !self.is_over } else { self.is_over && !was_decided };
        if is_odd || is_reached {
            let is_over = self.is_over || is_reached;
            let differs = Difference::of_flag(Differs::End, "over", is_over, !is_over);
            self.found.differences.push(differs);
        }
    }

    /// Checks that the commitment follows from the seed.
    fn hold_seed(&mut self, committed: &str) {
        let follows = read_hex(&self.table.seed)
            .map(|seed| hex::encode(commitment(&self.table.dice, &seed)))
            .unwrap_or_default();
        if follows != committed {
            self.differs(Differs::Commitment, &follows, committed);
        }
    }

    /// Checks that the stored settings are the latest ones in the journal.
    fn set(&mut self, game: &str, edition: &str, data: &str, options: &serde_json::Value) {
        let table = self.table;
        let stored = format!("{} {} {} {}", table.game, table.edition, table.data, table.options);
        let kept_options = read_json::<serde_json::Value>(&table.options).ok();
        let is_same = (game, edition, data)
            == (table.game.as_str(), table.edition.as_str(), table.data.as_str())
            && kept_options.as_ref() == Some(options);
        if !is_same {
            let journaled = format!("{game} {edition} {data} {options}");
            self.differs(Differs::Options, &journaled, &stored);
        }
    }

    fn load(&self, saved: &Saved) -> Result<Box<dyn AnyContest>, LoadError> {
        self.game.load(saved, self.dice.clone())
    }

    /// Returns the stored state of a window.
    async fn saved(&self, db: &mut Session, row: &WindowRow) -> Result<Saved> {
        let root = windows::state(db, &self.table.code, row.root).await?;
        Ok(Saved { root, said: row.said.clone() })
    }

    /// Records the dice thrown since the last call.
    fn note_dice(&mut self, number: WindowNumber) {
        let fell = self.witness.take();
        self.found.dice.extend(fell.into_iter().map(|cast| (number, cast)));
    }

    fn deal(
        &mut self,
        number: WindowNumber,
        entries: &[difference::StoredEntry],
        state: &str,
    ) -> Result<()> {
        self.witness.take();
        let opened = if let Some(first) = self.dealt.values().next() {
            self.load(first).ok().and_then(|mut contest| {
                self.witness.take();
                let opening = contest.ask_again(number.get()).ok()??;
                Some((contest, opening))
            })
        } else {
            let options = read_json(&self.table.options)?;
            self.game.open(&options, self.seats.len(), self.dice.clone()).ok()
        };
        self.note_dice(number);
        let Some((contest, opening)) = opened else {
            self.found
                .differences
                .push(Difference::of(Differs::Deal, "", state).in_window(number, Round::DEAL));
            return Ok(());
        };
        let dealt = hex::encode(contest.state_hash());
        let differs = difference::of_entries(&opening.entries, entries)
            .or_else(|| (dealt != state).then(|| Difference::of(Differs::State, &dealt, state)));
        self.found
            .differences
            .extend(differs.map(|differs| differs.in_window(number, Round::DEAL)));
        self.reached_end = Some(contest.standing().is_some());
        self.dealt.insert(number, contest.save());
        Ok(())
    }

    /// Resolves a window again, and compares the result with its entry.
    async fn close(&mut self, db: &mut Session, happened: &Event) -> Result<()> {
        let Event::Closed { number, round, openly, sealed, entries, state, .. } = happened else {
            return Ok(());
        };
        let (number, round) = (*number, *round);
        let before = self.found.differences.len();
        let stored = windows::declared(db, &self.table.code, number).await?;
        let again = self.counting(number);
        self.hold_seals(number, &again, &stored, sealed);
        self.hold_close(happened, &stored);
        if let Some(row) = self.windows.get(&number).cloned() {
            let saved = self.saved(db, &row).await?;
            self.hold_policies(&again, &saved, &stored);
            let resolved = self.resolve(&saved, row.kind, stored);
            self.note_dice(number);
            match resolved {
                Ok(Resolved { contest, entries: replayed, was_open }) => {
                    let reached = hex::encode(contest.state_hash());
                    let differs = difference::of_entries(&replayed, entries).or_else(|| {
                        (reached != *state).then(|| Difference::of(Differs::State, &reached, state))
                    });
                    self.found.differences.extend(differs);
                    if was_open != *openly {
                        let flag = Difference::of_flag(Differs::Asked, "openly", was_open, *openly);
                        self.found.differences.push(flag);
                    }
                    self.reached_end = Some(contest.standing().is_some());
                    self.after.insert(number, contest.save());
                }
                Err(why) => {
                    self.differs(Differs::Ground, "", &why);
                }
            }
        } else {
            self.differs(Differs::Ground, "", "");
        }
        for differs in &mut self.found.differences[before..] {
            (differs.number, differs.window) = (Some(number), Some(round));
        }
        let is_same = self.found.differences.len() == before;
        self.found.windows.push(Replayed { number, window: round, is_same });
        Ok(())
    }

    /// Returns the contest after the close of a window of this kind.
    fn resolve(
        &self,
        saved: &Saved,
        kind: WindowKind,
        stored: Vec<DeclarationRow>,
    ) -> Result<Resolved, String> {
        let mut contest = self.load(saved).map_err(|error| error.to_string())?;
        if contest.procedure().kind != kind {
            return Err(kind.to_string());
        }
        self.witness.take();
        let mut declared: BTreeMap<Seat, Declaration> =
            stored.into_iter().map(|opened| (opened.seat, opened.answers)).collect();
        let declared = BySeat::new(self.table.chairs, |seat| declared.remove(&seat));
        let was_open = is_done_openly(&*contest);
        let entries = contest.close(declared).map_err(|held| held.to_string())?.entries;
        Ok(Resolved { contest, entries, was_open })
    }

    /// Checks that the declarations that counted were sealed: in this window, or in one whose sealings it
    /// takes over.
    fn hold_seals(
        &mut self,
        number: WindowNumber,
        again: &[WindowNumber],
        stored: &[DeclarationRow],
        sealed: &[(Option<Seat>, String)],
    ) {
        let code = &self.table.code;
        for opened in stored {
            if opened.sealed.0 != opened.hash.is_some() {
                let (expected, found) = (opened.hash.is_some(), opened.sealed.0);
                let differs = Difference::of_flag(Differs::Seal, "sealed", expected, found);
                self.found.differences.push(differs.at(opened.seat));
            }
            let Some(hash) = &opened.hash else { continue };
            let salt = opened.salt.as_deref().and_then(|salt| read_hex(salt).ok());
            let follows = |number: &WindowNumber| {
                let receipt =
                    Receipt::of(code.as_str(), number.get(), opened.seat, &salt?, &opened.answers);
                Some(hex::encode(receipt.hash()))
            };
            if !again.iter().any(|number| follows(number).as_ref() == Some(hash)) {
                let follows = follows(&number).unwrap_or_default();
                let differs = Difference::of(Differs::Seal, &follows, hash);
                self.found.differences.push(differs.at(opened.seat));
            }
        }
        let as_kept = sealed_hashes(stored);
        if as_kept != sealed {
            let written = |sealed: &[(Option<Seat>, String)]| {
                let name = |seat: &Option<Seat>| seat.map_or("", |seat| seat.name());
                let each = sealed.iter().map(|(seat, hash)| format!("{} {hash}", name(seat)));
                each.collect::<Vec<_>>().join(", ")
            };
            self.differs(Differs::Seal, written(sealed), written(&as_kept));
        }
    }
}
