//! Letters on their way: what they tell, as data, for whoever carries them to write.

use chrono::DateTime;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::desk::model::load::names;
use crate::desk::model::overrides::{Change as Judgement, Override};
use crate::desk::model::struck::Struck;
use crate::desk::model::text::write_json;
use crate::desk::model::vote::Vote;
use crate::desk::record::obstacle::Obstacle;
use crate::desk::record::receipts;
use crate::games::any::{AnyContest, AnyGame};
use crate::ids::{OverrideNumber, WindowNumber};
use crate::letters::{
    ClosedUnannounced, Deadline, Decree, EndKind, Grace, LetterFault, Letters, Moment, Reader,
    SealProgress, TableEnded, TableWaits, Welcome, WindowOpening,
};
use crate::rules::Round;
use crate::rules::text::Lang;
use crate::rules::{Clause, Entry, Seat, Viewer};
use crate::store::{Outgoing, SeatRow, StoreError, TableRow, Touched};
use crate::tables::Absence;
use crate::tables::absence::{Away, Deed};
use crate::time::{Span, Time};

/// A letter on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub code: String,
    /// The game's word.
    pub game: String,
    /// Where its reader sits; none if it is public.
    #[serde(default)]
    pub seat: Option<Seat>,
    /// The language of its reader.
    pub language: String,
    /// The zone in which times are told.
    pub zone: Tz,
    /// The year in which it is sent: times of another one are told with theirs.
    #[serde(default)]
    pub year: Option<i32>,
    /// Everybody's names, by seat.
    pub names: Vec<String>,
    /// The state as its reader may know it.
    pub report: Json,
    /// What it tells, in order.
    pub parts: Vec<Part>,
}

/// A part of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tells", rename_all = "kebab-case")]
pub enum Part {
    /// The table waits for its players.
    Forming,
    /// The game is about to begin, and these are to tell the values that they have promised.
    Due { seats: Vec<Seat> },
    /// The game begins.
    Welcome {
        /// The reader's seat; none if it is public.
        you: Option<Seat>,
        seats: usize,
        /// What the table is called where its dice are keyed.
        table: String,
        /// The hash of the seed.
        commitment: String,
        /// What each seat has mixed into it, in hex digits.
        #[serde(default)]
        values: Vec<(Seat, String)>,
    },
    /// The deadline came, and these had not sealed.
    Closed {
        awaited: Vec<Seat>,
        /// Whether nothing was sealed in the window, and they were waited for all the same.
        #[serde(default)]
        openly: bool,
    },
    /// The window is resolved late: nobody kept the deadline.
    Late {
        /// The deadline that was missed.
        closed: Time,
    },
    /// The deadline is moved: nobody kept it, or the table stood still.
    Extended {
        /// The new deadline.
        closes: Time,
        /// By how long.
        by: Span,
        /// Whether the table was paused.
        #[serde(default)]
        paused: bool,
    },
    /// The deadline is put off for somebody.
    PutOff {
        /// Those who had sent nothing, as far as the reader is told.
        missing: Vec<Seat>,
        /// Those who are away, as far as the reader is told.
        away: Vec<Seat>,
        /// The new deadline.
        closes: Time,
    },
    /// The deadline came, and those who are late may still seal.
    Grace {
        /// Those, as far as the reader is told.
        late: Vec<Seat>,
        /// Whether the reader is one of them.
        is_late: bool,
        /// Whether nothing is sealed in the window, as all that is asked is done at once.
        #[serde(default)]
        openly: bool,
        /// Whether the window closes on a full quarter of an hour once they have sealed.
        #[serde(default)]
        on_a_quarter: bool,
        until: Time,
    },
    /// Turns came to something that their players had not declared.
    Struck {
        /// Whose, and to what, as far as the reader is told.
        struck: Vec<Struck>,
    },
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
    /// The reader stands in for a seat.
    StandIn { seat: Seat, until: Time },
    /// From the next window on, something else becomes of those who are missing.
    Absence { absence: Absence },
    /// Nobody has begun the table, and it ends by itself.
    Unbegun,
    /// When the result is announced, of a window whose deadline has moved.
    Announcement { announced: Time },
    /// The window has closed early, and its result is announced later.
    Shut {
        closed: Time,
        /// When the result is announced.
        announced: Time,
    },
    /// The table waits for its host.
    Waiting {
        /// A word for why.
        why: String,
        /// When it goes on by itself, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Time>,
    },
    Result {
        /// The reader's seat; none if it is public.
        you: Option<Seat>,
        /// As the reader may know it.
        entries: Vec<Entry<Json>>,
    },
    /// What somebody did at once.
    Acted {
        /// As the reader may know it.
        entries: Vec<Entry<Json>>,
    },
    /// What was sealed in the window that is over, and the head of the journal: nothing but hashes.
    Receipts {
        /// Whose each is, where it is told who had sealed; and its hash, in hex digits.
        sealed: Vec<(Option<Seat>, String)>,
        /// The hash of the last entry of the journal, in hex digits.
        head: String,
    },
    /// The final scores.
    Scores,
    /// A window opens.
    Opening {
        #[serde(default)]
        number: WindowNumber,
        /// The root window.
        window: Round,
        /// Whether it belongs to a root window that is being resolved.
        suspended: bool,
        asked: Vec<Seat>,
        closes: Time,
        /// When the result is announced, if all goes by the clock.
        announced: Time,
        /// Whether it may close early.
        early: bool,
        /// The clause by which the turn of who declares nothing is skipped; none if it is not.
        #[serde(default)]
        missing: Option<Clause>,
        /// Whether the table stands still, and no time runs.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        still: bool,
    },
    /// The deadline is near.
    Reminder {
        closes: Time,
        /// How far off that is.
        left: Span,
        /// How far the reader is.
        progress: SealProgress,
        #[serde(default)]
        number: WindowNumber,
        /// What they have left open, and what becomes of it.
        #[serde(default)]
        open: Json,
        /// What becomes of them if they send nothing; none if something is there that counts.
        #[serde(default)]
        fate: Option<Deed>,
        /// The clause by which their turn would be skipped.
        #[serde(default)]
        missing: Option<Clause>,
        /// Whether they are the last one who is waited for.
        #[serde(default)]
        last: bool,
        /// Whether nothing is sealed in the window.
        #[serde(default)]
        openly: bool,
    },
    /// The table goes on in another place, where this is read.
    Relocated,
    /// Letters of the table cannot arrive: for its host alone.
    Obstacle {
        /// Why, and where.
        obstacle: Obstacle,
    },
    /// A player is sought for a seat.
    Called {
        seat: Seat,
        /// When the open window closes.
        closes: Time,
    },
    /// The reader is asked to play.
    Invited {
        /// On which seat; none before the game begins, where it is any chair.
        seat: Option<Seat>,
        /// When the open window closes.
        closes: Option<Time>,
    },
    /// Somebody took a seat for which a player was sought.
    Taken {
        seat: Seat,
        /// When the open window closes, if it was put off for them.
        closes: Option<Time>,
        /// Whether it was the reader's.
        gone: bool,
    },
    /// A game master has decided something.
    Override {
        /// Its number at the table, from 0.
        #[serde(default)]
        number: Option<OverrideNumber>,
        what: Override,
        /// Why, in their words.
        reason: String,
        /// Whether only those are told whom it is about.
        #[serde(default)]
        alone: bool,
        /// What it undoes, as far as its reader may know it.
        #[serde(default)]
        undone: Option<Override>,
        /// When the open window closes now that something was undone.
        #[serde(default)]
        closes: Option<Time>,
    },
    /// A game master has declared something for the reader, or returned a part of what they have.
    Entered { change: Judgement },
    /// A vote is open, or something came of it.
    Vote {
        /// How it stands.
        vote: Vote,
    },
    /// The table is over.
    Over {
        /// Whether it was ended before its end.
        ended: bool,
        /// Whether it was called off: nothing of it counts.
        #[serde(default)]
        cancelled: bool,
        seed: String,
        /// The hash of the last entry of the journal, in hex digits.
        head: String,
        /// Why it was ended, in the host's words.
        #[serde(default)]
        reason: Option<String>,
    },
    /// The files of the table that is over. Whoever carries it makes them.
    Files,
}

impl Part {
    /// A game master has decided this, and everybody is told.
    pub(in crate::desk) fn decided(
        number: Option<OverrideNumber>,
        what: Override,
        reason: String,
    ) -> Self {
        Self::Override { number, what, reason, alone: false, undone: None, closes: None }
    }
}

/// A letter that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Unwritten {
    /// Its game is not known here.
    #[error("no game goes by {0}")]
    NoGame(String),
    /// A template is faulty.
    #[error(transparent)]
    Letter(#[from] LetterFault),
}

impl Letter {
    /// Writes it for somebody who reads it in a terminal.
    ///
    /// # Errors
    /// If a template is faulty, or its game is not known here.
    pub fn write(
        &self,
        letters: &Letters,
        games: &[&'static dyn AnyGame],
    ) -> Result<String, Unwritten> {
        let reader = self.reader(games)?.in_plain_text();
        self.write_to_one(letters, &reader, None)
    }

    /// Writes it for the one person who reads it, who may sit at several tables: above it stands
    /// which it is about, and in which thread that is played.
    ///
    /// # Errors
    /// If a template is faulty.
    pub fn write_to_one(
        &self,
        letters: &Letters,
        reader: &Reader,
        thread: Option<&str>,
    ) -> Result<String, Unwritten> {
        let text = self.write_for(letters, reader)?;
        if text.is_empty() {
            return Ok(text);
        }
        let about = letters.about(reader, &self.code, thread)?;
        Ok(format!("{about}\n{text}"))
    }

    /// For whom it is.
    ///
    /// # Errors
    /// If its game is not known here.
    pub fn reader(&self, games: &[&'static dyn AnyGame]) -> Result<Reader, Unwritten> {
        let game = games.iter().find(|game| game.key() == self.game);
        let game = game.ok_or_else(|| Unwritten::NoGame(self.game.clone()))?;
        let language = Lang::ALL.into_iter().find(|lang| lang.code() == self.language);
        let reader = Reader::new(*game, language.unwrap_or(Lang::Ja)).with_names(&self.names);
        Ok(reader.in_the_year(self.year))
    }

    /// The obstacle that it tells of, if it does.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.parts.iter().find_map(|part| match part {
            Part::Obstacle { obstacle } => Some(obstacle),
            _ => None,
        })
    }

    /// The vote that it tells of, if it is public and does.
    pub fn vote(&self) -> Option<&Vote> {
        self.parts.iter().find_map(|part| match part {
            Part::Vote { vote } if self.seat.is_none() => Some(vote),
            _ => None,
        })
    }

    /// Writes it as it is shown to this reader.
    ///
    /// # Errors
    /// If a template is faulty.
    pub fn write_for(&self, letters: &Letters, reader: &Reader) -> Result<String, Unwritten> {
        let mut text = String::new();
        for part in &self.parts {
            follow(&mut text, &self.part(part, letters, reader)?);
        }
        Ok(text)
    }

    fn part(&self, part: &Part, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        let moment = |at: Time| moment(at, self.zone);
        match part {
            // Whoever shows a table shows it as it is by then, whoever met an obstacle knows what to
            // do about it, and whoever brings files what they are.
            Part::Forming | Part::Obstacle { .. } | Part::Files => Ok(String::new()),
            Part::Welcome { you, seats, table, commitment, values } => {
                let commitment = Some(commitment.as_str());
                let (code, you, seats) = (&self.code, *you, *seats);
                letters.welcome(reader, &Welcome { code, table, seats, you, commitment, values })
            }
            Part::Receipts { sealed, head } => {
                letters.receipts(reader, &receipts::shown(sealed), &receipts::code_of(head))
            }
            Part::Due { seats } => letters.due(reader, seats),
            Part::Closed { awaited, openly } => letters.closed(reader, awaited, *openly),
            Part::Late { closed } => letters.late(reader, &moment(*closed)),
            Part::Extended { closes, by, paused } => {
                letters.extended(reader, &moment(*closes), by.milliseconds(), *paused)
            }
            Part::PutOff { missing, away, closes } => {
                letters.put_off(reader, missing, away, &moment(*closes))
            }
            &Part::Grace { ref late, is_late, openly, on_a_quarter, until } => {
                let until = moment(until);
                letters.grace(reader, &Grace { late, is_late, openly, on_a_quarter, until })
            }
            Part::Struck { struck } => letters.struck(reader, self.seat, struck),
            Part::Back { seat } => letters.back(reader, self.seat, *seat),
            Part::Away { seat, away, rule } => {
                let away = away.map(|(from, until)| (moment(from), end_of(until, self.zone)));
                letters.away(reader, *seat, away, *rule)
            }
            Part::StoodIn { seat, until } => {
                letters.stood_in(reader, *seat, until.map(|at| end_of(at, self.zone)).as_ref())
            }
            Part::StandIn { seat, until } => {
                letters.stand_in(reader, *seat, &end_of(*until, self.zone))
            }
            Part::Absence { absence } => letters.absence_set(reader, absence),
            Part::Unbegun => letters.unbegun(reader),
            Part::Announcement { announced } => letters.announcement(reader, &moment(*announced)),
            Part::Shut { closed, announced } => {
                let (closed, announced) = (moment(*closed), moment(*announced));
                letters.shut(reader, &ClosedUnannounced { closed, announced })
            }
            Part::Waiting { why, until } => {
                let until = until.map(moment);
                letters.waiting(reader, &TableWaits { code: &self.code, why, until })
            }
            Part::Result { you, entries } => {
                let mut text = letters.result(reader, entries, &self.report)?;
                if let Some(you) = you
                    && let Some(skip) = letters.skip(reader, *you, entries)?
                {
                    follow(&mut text, &skip);
                }
                Ok(text)
            }
            Part::Acted { entries } => letters.acted(reader, entries, &self.report),
            Part::Scores => letters.scores(reader, &self.report),
            Part::Opening { .. } | Part::Reminder { .. } => self.asking(part, letters, reader),
            Part::Override { .. } => self.decided(part, letters, reader),
            Part::Called { .. } | Part::Invited { .. } | Part::Taken { .. } | Part::Relocated => {
                self.seating(part, letters, reader)
            }
            Part::Entered { change } => letters.entered(reader, &serde_json::json!(change)),
            Part::Vote { vote } => vote.words(letters, reader, self.zone),
            Part::Over { ended, cancelled, seed, head, reason } => {
                let drawn = self.parts.iter().any(|part| matches!(part, Part::Vote { .. }));
                let how = match (drawn, *cancelled, *ended) {
                    (true, ..) => EndKind::Drawn,
                    (_, true, _) => EndKind::Cancelled,
                    (_, _, true) => EndKind::Ended,
                    _ => EndKind::Played,
                };
                let (code, reason) = (&self.code, reason.as_deref());
                // Where everybody is written to alone, no files are posted.
                let files = self.seat.is_some();
                letters.ended(reader, &TableEnded { code, how, seed, head, reason, files })
            }
        }
    }
}

impl Letter {
    /// What is asked until when.
    fn asking(
        &self,
        part: &Part,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let moment = |at: Time| moment(at, self.zone);
        match part {
            Part::Opening {
                window,
                suspended,
                asked,
                closes,
                announced,
                early,
                missing,
                still,
                ..
            } => {
                let opening = WindowOpening {
                    window: *window,
                    suspended: *suspended,
                    asked,
                    closes: (!still).then(|| moment(*closes)),
                    announced: (!still).then(|| moment(*announced)),
                    still: *still,
                    early: *early,
                    missing: missing.as_ref(),
                    position: !self.parts.iter().any(|part| matches!(part, Part::Result { .. })),
                    report: &self.report,
                };
                letters.opening(reader, &opening)
            }
            Part::Reminder {
                closes, left, progress, open, fate, missing, last, openly, ..
            } => {
                let (closes, left, progress) = (moment(*closes), left.milliseconds(), *progress);
                let (fate, missing, last, openly) = (*fate, missing.as_ref(), *last, *openly);
                let deadline =
                    Deadline { closes, left, progress, open, fate, missing, last, openly };
                letters.deadline(reader, &deadline)
            }
            _ => Ok(String::new()),
        }
    }

    /// What a game master has decided.
    fn decided(
        &self,
        part: &Part,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let Part::Override { number, what, reason, alone, undone, closes } = part else {
            return Ok(String::new());
        };
        let undone = undone.as_ref().map(|undone| Box::new(undone.decree("", self.zone)));
        let closes = closes.map(|at| moment(at, self.zone));
        let decree = Decree { undone, closes, ..what.decree(reason, self.zone) };
        letters.decided(reader, number.map(OverrideNumber::from_one), *alone, &decree)
    }

    /// Who is sought for a seat, who has taken one, and where all of them sit now.
    fn seating(
        &self,
        part: &Part,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let (code, moment) = (&self.code, |at: Time| moment(at, self.zone));
        let mut text = match part {
            Part::Called { seat, closes } => letters.called(reader, code, *seat, &moment(*closes)),
            Part::Invited { seat, closes } => {
                letters.invited(reader, code, *seat, closes.map(moment).as_ref())
            }
            Part::Taken { seat, closes, gone } => {
                return letters.taken(reader, *seat, closes.map(moment).as_ref(), *gone);
            }
            Part::Relocated => return letters.relocated(reader),
            _ => return Ok(String::new()),
        }?;
        if !self.report.is_null() {
            follow(&mut text, &letters.board(reader, &self.report)?);
        }
        Ok(text)
    }
}

/// Adds a letter below another, with a blank line between them.
pub(crate) fn follow(text: &mut String, below: &str) {
    text.truncate(text.trim_end().len());
    if !text.is_empty() && !below.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(below);
}

/// A time as the calendar of a zone has it.
pub(crate) fn moment(at: Time, zone: Tz) -> Moment {
    let at =
        DateTime::from_timestamp_millis(at.milliseconds()).unwrap_or_default().with_timezone(&zone);
    let name = at.format("%Z").to_string();
    Moment::new(&at, name)
}

/// The end of a stretch of days as the calendar of a zone has it: midnight is the end of the day
/// before, and is told by its last minute.
pub(crate) fn end_of(at: Time, zone: Tz) -> Moment {
    let told = moment(at, zone);
    if told.clock == "00:00" { moment(at - Span::minutes(1), zone) } else { told }
}

/// What is to be told, and when.
pub(in crate::desk) struct Notice<'a> {
    pub(in crate::desk) seats: &'a [SeatRow],
    pub(in crate::desk) zone: Tz,
    /// The state that is shown with it; none where it tells nothing of the game.
    pub(in crate::desk) contest: Option<&'a dyn AnyContest>,
    /// The letters' ids begin with it; it is used but once at a table.
    pub(in crate::desk) id: String,
    /// Never before this time.
    pub(in crate::desk) send_at: Time,
}

impl Notice<'_> {
    /// Puts what everybody is told into the outbox: one letter in public, if the table is played
    /// in public, or else one for each. Who is told nothing gets none.
    pub(in crate::desk) async fn post(
        &self,
        touched: &mut Touched<'_>,
        parts: impl Fn(Option<Seat>) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let Some(place) = touched.table.place.clone() else {
            self.post_to_each(touched, |seat| parts(Some(seat))).await?;
            return self.post_to_onlookers(touched, &parts(None)).await;
        };
        let letter = self.letter(&touched.table, None, parts(None));
        let outgoing = self.outgoing(&letter, "all", place)?;
        touched.post(vec![outgoing]);
        Ok(())
    }

    /// Puts what each is told alone into the outbox. Who is told nothing, or has no address, gets
    /// none.
    pub(in crate::desk) async fn post_to_each(
        &self,
        touched: &mut Touched<'_>,
        parts: impl Fn(Seat) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let mut letters = Vec::new();
        for row in self.seats {
            let Some(address) = &row.address else { continue };
            let parts = parts(row.seat);
            if parts.is_empty() {
                continue;
            }
            let letter = self.letter(&touched.table, Some(row), parts);
            letters.push(self.outgoing(&letter, row.seat.name(), address.clone())?);
        }
        touched.post(letters);
        self.post_to_substitutes(touched, parts).await
    }

    /// Puts what is told in public into the outbox of those who look on.
    async fn post_to_onlookers(
        &self,
        touched: &mut Touched<'_>,
        parts: &[Part],
    ) -> Result<(), StoreError> {
        if parts.is_empty() {
            return Ok(());
        }
        let onlookers = touched.onlookers().await?;
        if onlookers.is_empty() {
            return Ok(());
        }
        let letter = self.letter(&touched.table, None, parts.to_vec());
        let mut letters = Vec::new();
        for (index, onlooker) in onlookers.into_iter().enumerate() {
            let language = onlooker.language.unwrap_or_else(|| letter.language.clone());
            let letter = Letter { language, ..letter.clone() };
            let whom = format!("onlooker-{index}");
            letters.push(self.outgoing(&letter, &whom, onlooker.address)?);
        }
        touched.post(letters);
        Ok(())
    }

    /// Puts what somebody is told who does not sit at the table into the outbox.
    pub(in crate::desk) fn post_to(
        &self,
        touched: &mut Touched<'_>,
        address: &str,
        language: Option<&str>,
        parts: Vec<Part>,
    ) -> Result<(), StoreError> {
        let mut letter = self.letter(&touched.table, None, parts);
        if let Some(language) = language {
            language.clone_into(&mut letter.language);
        }
        let outgoing = self.outgoing(&letter, "guest", address.to_owned())?;
        touched.post(vec![outgoing]);
        Ok(())
    }

    /// Puts what each is told alone into the outbox of whoever stands in for them at that time:
    /// what the seat may know, and nothing else.
    pub(in crate::desk) async fn post_to_substitutes(
        &self,
        touched: &mut Touched<'_>,
        parts: impl Fn(Seat) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let mut letters = Vec::new();
        for substitute in touched.substitutes().await? {
            let seat = substitute.seat;
            let row = self.seats.iter().find(|row| row.seat == seat);
            let parts = parts(seat);
            let Some(row) = row.filter(|_| substitute.until_at > self.send_at) else { continue };
            if parts.is_empty() {
                continue;
            }
            let row = SeatRow { language: Some(substitute.language), ..row.clone() };
            let letter = self.letter(&touched.table, Some(&row), parts);
            let whom = format!("{}-substitute", seat.name());
            letters.push(self.outgoing(&letter, &whom, substitute.address)?);
        }
        touched.post(letters);
        Ok(())
    }

    fn outgoing(
        &self,
        letter: &Letter,
        whom: &str,
        address: String,
    ) -> Result<Outgoing, StoreError> {
        Ok(Outgoing {
            letter: format!("{}-{}-{whom}", letter.code, self.id),
            address,
            send_at: self.send_at,
            body: write_json(letter)?,
            attempts: 0,
        })
    }

    /// A letter to one of them, or in public.
    fn letter(&self, table: &TableRow, row: Option<&SeatRow>, parts: Vec<Part>) -> Letter {
        let seat = row.map(|row| row.seat);
        let viewer = seat.map_or(Viewer::Public, Viewer::Seat);
        let report = self.contest.map(|contest| contest.report(viewer));
        let language = row.and_then(|row| row.language.clone());
        Letter {
            code: table.code.clone(),
            game: table.game.clone(),
            seat,
            language: language.unwrap_or_else(|| table.language.clone()),
            zone: self.zone,
            year: Some(moment(self.send_at, self.zone).year),
            names: names(self.seats),
            report: report.unwrap_or_default(),
            parts,
        }
    }
}
