//! Letters on their way: what they tell, as data, for whoever carries them to write.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::model::load::names;
use crate::model::obstacle::Obstacle;
use crate::model::overrides::Judgement;
use crate::model::vote::Vote;
use crate::record::event::Event;
use games::any::{AnyContest, AnyGame};
use letters::{
    AboutTable, Decided, FinalScores, LetterFault, Letters, Moment, Reader, ReceiptLine, Sample,
    SealProgress, SealedThen, ShownDecision, WindowOpening, follow,
};
use rules::text::Lang;
use rules::{Clause, Entry, Fault, Key, Round, Seat, receipt};
use store::{Outgoing, SeatRow, StoreError, TableRow, Touched, read_hex, write_json};
use tables::absence::Deed;
use tables::calling::CallTo;
use tables::ids::{Address, TableCode, WindowNumber};
use tables::time::{Span, Time};
use tables::{HoldReason, PersonSettings, ResultForm};

/// A letter on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub code: TableCode,
    /// The game's word.
    pub game: String,
    /// Where its reader sits; none if it is public.
    pub seat: Option<Seat>,
    /// The language of its reader.
    pub language: String,
    /// The zone in which times are told.
    pub zone: Tz,
    /// The year in which it is sent: times of another one are told with theirs.
    pub year: Option<i32>,
    /// Everybody's names, by seat.
    pub names: Vec<String>,
    /// The state as its reader may know it.
    pub report: Json,
    /// The hash of the last entry of the journal by then, in hex digits.
    pub head: String,
    /// How results are told in it.
    #[serde(default)]
    pub results: ResultForm,
    /// True if its reader is called to it in the thread of the table, where there is one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_thread: bool,
    /// What it tells, in order.
    pub parts: Vec<Part>,
}

/// A part of a letter: something that has happened, or what else its reader is to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tells", rename_all = "kebab-case")]
pub enum Part {
    /// What has happened, as its reader may know it.
    Event(Event),
    /// The table waits for its players.
    Forming,
    /// The game begins.
    Welcome {
        seats: usize,
        /// What the table is called where its dice are keyed.
        table: String,
        /// The hash of the seed.
        commitment: String,
        /// What each seat has mixed into it, in hex digits.
        values: Vec<(Seat, String)>,
        /// Those whom a bot plays.
        #[serde(default)]
        house: Vec<Seat>,
    },
    /// The window is resolved late: nobody kept the deadline.
    Late {
        /// The deadline that was missed.
        closed: Time,
    },
    /// The reader stands in for a seat.
    StandIn { seat: Seat, until: Time },
    /// Nobody has begun the table, and it ends by itself.
    Unbegun {
        /// True if nobody sits there.
        #[serde(default)]
        empty: bool,
    },
    /// When the result is announced, of a window whose deadline has moved.
    Announcement { announced: Time },
    /// The window has closed early, and its result is announced later.
    Shut {
        closed: Time,
        /// The time when the result is announced.
        announced: Time,
    },
    /// What something has brought: a deal, a window, an act, a move of the game master's.
    Result {
        /// The root window, counted from 0, which is the deal.
        #[serde(default)]
        #[serde(rename = "window")]
        round: Round,
        /// As the reader may know it.
        entries: Vec<Entry<Json>>,
        /// True if it was done at once in an open window.
        at_once: bool,
    },
    /// What of a result the reader alone may know, beside what everybody is told.
    Own {
        #[serde(rename = "window")]
        round: Round,
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
        number: WindowNumber,
        /// The root window.
        #[serde(rename = "window")]
        round: Round,
        /// True if it belongs to a root window that is being resolved.
        suspended: bool,
        asked: Vec<Seat>,
        closes: Time,
        /// When the result is announced, if all goes by the clock.
        announced: Time,
        /// True if it may close early.
        early: bool,
        /// The soonest time of that, if it is not at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        soonest: Option<Time>,
        /// The clause by which the turn of who declares nothing is skipped; none if it is not.
        missing: Option<Clause>,
        /// True if the table stands still, and no time runs.
        still: bool,
    },
    /// A window has opened: for whom its post does not call.
    Opened {
        number: WindowNumber,
        /// The root window.
        #[serde(rename = "window")]
        round: Round,
        /// True if it belongs to a root window that is being resolved.
        suspended: bool,
        closes: Time,
    },
    /// The deadline is near.
    Reminder {
        closes: Time,
        /// How far off that is.
        left: Span,
        /// How far the reader is.
        progress: SealProgress,
        number: WindowNumber,
        /// What they have left open, and what becomes of it; nothing where their draft is at fault.
        open: Json,
        /// What of their draft cannot stand.
        faults: Vec<Fault>,
        /// What becomes of them if they send nothing; none if something is there that counts.
        fate: Option<Deed>,
        /// The clause by which their turn would be skipped.
        missing: Option<Clause>,
        /// True if they are the last one who is waited for.
        last: bool,
        /// True if nothing is sealed in the window.
        openly: bool,
        /// For which of their partners it waits.
        #[serde(default)]
        partners: Vec<Seat>,
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
        /// The time when the open window closes.
        closes: Time,
    },
    /// The reader is asked to play.
    Invited {
        /// On which seat; none before the game begins, where it is any chair.
        seat: Option<Seat>,
        /// The time when the open window closes.
        closes: Option<Time>,
    },
    /// Somebody else has taken the reader's seat.
    Gone { seat: Seat },
    /// What the reader had declared for the window before it opened is their draft there.
    BecameDraft {
        /// How the draft reads.
        heard: Json,
        /// What cannot stand there, and was left out.
        faults: Vec<Fault>,
        /// What nobody asks there, likewise.
        superfluous: Vec<Key>,
    },
    /// Somebody has written to the reader's side. What it says stands in no letter.
    SideLine { by: Seat },
    /// A partner has declared something else after another of the side had sealed.
    SideChanged { by: Seat },
    /// A game master has declared something for the reader, or returned a part of what they have.
    Entered { change: Judgement },
    /// A vote is open, or something came of it.
    Vote {
        /// How it stands.
        vote: Vote,
    },
    /// The files of the table that is over. Whoever carries it makes them.
    Files,
}

impl Part {
    /// The table stands still: since when its journal tells, and why everybody may know.
    pub(crate) fn still(number: WindowNumber, held: &HoldReason, until: Option<Time>) -> Self {
        Self::Event(Event::Held { number, why: held.in_public(), until })
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
        let about = letters.write(reader, &AboutTable { code: &self.code, thread })?;
        Ok(format!("{about}\n{text}"))
    }

    /// For whom it is.
    pub fn reader(&self, games: &[&'static dyn AnyGame]) -> Result<Reader, Unwritten> {
        let game = games.iter().find(|game| game.key() == self.game);
        let game = game.ok_or_else(|| Unwritten::NoGame(self.game.clone()))?;
        let language = Lang::ALL.into_iter().find(|lang| lang.code() == self.language);
        let reader = Reader::new(*game, language.unwrap_or(Lang::Ja)).with_names(&self.names);
        Ok(reader.in_the_year(self.year).in_zone(self.zone))
    }

    /// True if the news may be over by the time it is sent: it calls to an open window, or
    /// tells of an obstacle.
    pub(crate) fn is_dated(&self) -> bool {
        let dated = |part: &Part| matches!(part, Part::Reminder { .. } | Part::Opened { .. });
        self.seat.is_some() && self.parts.iter().any(dated) || self.obstacle().is_some()
    }

    /// True if it is kept true after it has arrived.
    pub fn is_kept_true(&self) -> bool {
        let kept = |part: &Part| matches!(part, Part::Reminder { .. } | Part::Obstacle { .. });
        self.parts.iter().any(kept)
    }

    /// True if it tells of what one side does among itself: nobody else may so much as see that there
    /// is such a letter.
    pub fn is_of_side(&self) -> bool {
        let is_of_side =
            |part: &Part| matches!(part, Part::SideLine { .. } | Part::SideChanged { .. });
        self.parts.iter().any(is_of_side)
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
    pub fn write_for(&self, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        let (mut text, mut is_heading) = (String::new(), false);
        for part in &self.parts {
            let below = self.part(part, letters, reader)?;
            if is_heading && !below.is_empty() {
                text.truncate(text.trim_end().len());
                text.push('\n');
                text.push_str(&below);
            } else {
                follow(&mut text, &below);
            }
            // Why a window closed is the first line of what it brought.
            is_heading = matches!(part, Part::Event(Event::Closed { .. }));
        }
        Ok(text)
    }

    fn part(&self, part: &Part, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        match part {
            // Whoever shows a table shows it as it is by then, whoever met an obstacle knows what to
            // do about it, and whoever brings files what they are.
            Part::Forming | Part::Obstacle { .. } | Part::Files => Ok(String::new()),
            Part::Receipts { sealed, head } => {
                let (sealed, head) = (given(sealed), receipt_code(head));
                letters.write(reader, &SealedThen { sealed: &sealed, head: &head })
            }
            Part::Result { entries, at_once: true, .. } => {
                letters.acted(reader, entries, &self.report)
            }
            Part::Result { entries, at_once: false, .. } => self.result(entries, letters, reader),
            Part::Own { round, entries } => letters.own_result(reader, *round, entries),
            Part::Scores => letters.write(reader, &FinalScores { report: &self.report }),
            Part::Opening { .. } => self.opening(part, letters, reader),
            Part::Event(event @ Event::Overridden { .. }) => self.decided(event, letters, reader),
            Part::Vote { vote } => vote.words(letters, reader, self.zone),
            _ => {
                let mut sample = self.sample(part);
                if let Part::Event(Event::Absence { absence }) = part {
                    sample.context["absence"] = letters.absence(reader, absence)?.into();
                }
                letters.told(reader, &sample)
            }
        }
    }

    /// By which template a part of it is told, and what that sees: what the part holds, and of the
    /// letter whose it is and where everything stands.
    pub(crate) fn sample(&self, part: &Part) -> Sample {
        let mut context = serde_json::to_value(part).unwrap_or_default();
        let tag = if matches!(part, Part::Event(_)) { "kind" } else { "tells" };
        let name = context[tag].as_str().unwrap_or_default().replace('-', "_");
        context["code"] = self.code.as_str().into();
        context["you"] = serde_json::json!(self.seat);
        context["head"] = self.head.as_str().into();
        context["report"] = self.report.clone();
        Sample { name, context }
    }
}

impl Letter {
    fn result(
        &self,
        entries: &[Entry<Json>],
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let mut text = letters.result(reader, entries, &self.report, self.results)?;
        if let Some(you) = self.seat
            && let Some(skip) = letters.skip(reader, you, entries)?
        {
            follow(&mut text, &skip);
        }
        Ok(text)
    }

    /// What is asked until when.
    fn opening(
        &self,
        part: &Part,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let Part::Opening {
            round,
            suspended,
            asked,
            closes,
            announced,
            early,
            soonest,
            missing,
            still,
            ..
        } = part
        else {
            return Ok(String::new());
        };
        let moment = |at: Time| Moment::at(at, self.zone);
        let opening = WindowOpening {
            window: *round,
            suspended: *suspended,
            asked,
            closes: (!still).then(|| moment(*closes)),
            announced: (!still && announced != closes).then(|| moment(*announced)),
            still: *still,
            early: *early,
            soonest: soonest.map(moment),
            missing: missing.as_ref(),
            position: !self
                .parts
                .iter()
                .any(|part| matches!(part, Part::Result { at_once: false, .. })),
            report: &self.report,
        };
        letters.write(reader, &opening)
    }

    /// What a game master has decided.
    fn decided(
        &self,
        event: &Event,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let Event::Overridden { number, what, reason, alone, undone, closes, .. } = event else {
            return Ok(String::new());
        };
        let undone = undone.as_ref().map(|undone| Box::new(undone.what.shown("", self.zone)));
        let closes = closes.map(|at| Moment::at(at, self.zone));
        let decision = ShownDecision { undone, closes, ..what.shown(reason, self.zone) };
        let (number, alone) = (Some(number.from_one()), alone.is_some());
        letters.write(reader, &Decided { number, alone, decision: &decision })
    }
}

/// What was sealed, as a letter shows it.
fn given(sealed: &[(Option<Seat>, String)]) -> Vec<ReceiptLine> {
    let one = |(seat, hash): &(Option<Seat>, String)| ReceiptLine {
        seat: *seat,
        code: receipt_code(hash),
        hash: hash.clone(),
    };
    sealed.iter().map(one).collect()
}

/// The short code of a hash that is in hex digits.
fn receipt_code(hash: &str) -> String {
    read_hex(hash).map(|hash| receipt::code(&hash)).unwrap_or_default()
}

/// What these parts of a letter have brought, in order.
fn results(parts: &[Part]) -> impl Iterator<Item = (Round, &Entry<Json>)> {
    let brought = parts.iter().filter_map(|part| match part {
        Part::Result { round, entries, .. } => Some(entries.iter().map(|entry| (*round, entry))),
        _ => None,
    });
    brought.flatten()
}

/// What of a result is told in one letter and not in another.
fn own_of(own: &[Part], public: &[Part]) -> Option<Part> {
    let is_public = |entry| results(public).any(|(_, other)| other == entry);
    let mut round = None;
    let entries = results(own).filter(|(_, entry)| !is_public(*entry)).map(|(of, entry)| {
        round.get_or_insert(of);
        entry.clone()
    });
    let entries: Vec<_> = entries.collect();
    Some(Part::Own { round: round?, entries })
}

/// To what letters call their readers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) to: CallTo,
    /// The time when it is of no use any more.
    pub(crate) too_late: Time,
}

/// What the ids of letters say, behind the number of a window, that tell of its opening.
pub(crate) const OPENING: &str = "opening";

/// The same of letters that tell of what was done in it at once.
pub(crate) const ACT: &str = "then";

/// Letters that are known by their ids.
#[derive(Clone, Copy, Debug)]
pub enum LetterKind {
    /// They tell that this window opens.
    Opening(WindowNumber),
    /// They tell what was done at once.
    Act,
}

impl LetterKind {
    /// True if a letter with this id is one of them.
    pub fn is_of(self, id: &str) -> bool {
        match self {
            Self::Opening(number) => id.contains(&format!("-{number}-{OPENING}-")),
            Self::Act => id.contains(&format!("-{ACT}-")),
        }
    }
}

/// What is to be told, and when.
pub(crate) struct Notice<'a> {
    pub(crate) seats: &'a [SeatRow],
    pub(crate) zone: Tz,
    /// The state that is shown with it; none where it tells nothing of the game.
    pub(crate) contest: Option<&'a dyn AnyContest>,
    /// The letters' ids begin with it; it is used but once at a table.
    pub(crate) id: String,
    /// Never before this time.
    pub(crate) send_at: Time,
}

impl Notice<'_> {
    /// Puts what everybody is told into the outbox: one letter in public, if the table is played
    /// in public, or else one for each. Who is told nothing gets none. Beside a public letter each
    /// is told alone what of a result only they may know.
    pub(crate) async fn post(
        &self,
        touched: &mut Touched<'_>,
        parts: impl Fn(Option<Seat>) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let Some(place) = touched.table.place.clone() else {
            self.post_to_each(touched, |seat| parts(Some(seat))).await?;
            return self.post_to_onlookers(touched, &parts(None)).await;
        };
        let public = parts(None);
        if public.is_empty() {
            return Ok(());
        }
        let letter = self.letter(&touched.table, None, public.clone());
        let outgoing = self.outgoing(&letter, "all", place)?;
        touched.post(vec![outgoing]);
        self.post_own(touched, &public, parts).await
    }

    /// Puts one letter in public into the outbox as it is dated, also ahead of those that were written
    /// before.
    pub(crate) fn post_ahead(
        &self,
        touched: &mut Touched<'_>,
        place: Address,
        parts: Vec<Part>,
    ) -> Result<(), StoreError> {
        let letter = self.letter(&touched.table, None, parts);
        touched.post_ahead(vec![self.outgoing(&letter, "all", place)?]);
        Ok(())
    }

    /// Tells each alone what of a result only they may know, beside what everybody is told of it.
    async fn post_own(
        &self,
        touched: &mut Touched<'_>,
        public: &[Part],
        parts: impl Fn(Option<Seat>) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let own = |seat: Seat| Vec::from_iter(own_of(&parts(Some(seat)), public));
        // Most of what is told brings nothing.
        if self.seats.iter().all(|row| own(row.seat).is_empty()) {
            return Ok(());
        }
        let id = format!("{}-own", self.id);
        let (seats, zone, contest, send_at) = (self.seats, self.zone, None, self.send_at);
        Notice { seats, zone, contest, id, send_at }.post_to_each(touched, own).await
    }

    /// Puts what each is told alone into the outbox. Who is told nothing, or has no address, gets
    /// none.
    pub(crate) async fn post_to_each(
        &self,
        touched: &mut Touched<'_>,
        parts: impl Fn(Seat) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        self.post_each(touched, None, &parts)?;
        self.post_to_substitutes(touched, parts).await
    }

    /// The same where it calls its readers: each as they wish to be called.
    pub(crate) async fn call_each(
        &self,
        touched: &mut Touched<'_>,
        call: Call,
        parts: impl Fn(Seat) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        self.post_each(touched, Some(call), &parts)?;
        self.post_each_substitute(touched, Some(call), &parts).await
    }

    fn post_each(
        &self,
        touched: &mut Touched<'_>,
        call: Option<Call>,
        parts: &(impl Fn(Seat) -> Vec<Part> + Send + Sync),
    ) -> Result<(), StoreError> {
        let mut letters = Vec::new();
        for row in self.seats {
            let Some(address) = &row.address else { continue };
            let parts = parts(row.seat);
            if parts.is_empty() {
                continue;
            }
            let letter = self.letter(&touched.table, Some(row), parts);
            let outgoing = self.outgoing(&letter, row.seat.name(), address.clone());
            letters.extend(self.as_called(call, &row.settings, &letter, outgoing?)?);
        }
        touched.post(letters);
        Ok(())
    }

    /// A letter on its way, as its reader is called to it; none if they are not.
    fn as_called(
        &self,
        call: Option<Call>,
        settings: &PersonSettings,
        letter: &Letter,
        outgoing: Outgoing,
    ) -> Result<Option<Outgoing>, StoreError> {
        let Some(Call { to, too_late }) = call else { return Ok(Some(outgoing)) };
        if !settings.is_called(to) {
            return Ok(None);
        }
        let send_at = settings.called_at(self.send_at, too_late, self.zone);
        let letter = Letter { in_thread: settings.is_called_in_thread(to), ..letter.clone() };
        Ok(Some(Outgoing { send_at, body: write_json(&letter)?, ..outgoing }))
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
    pub(crate) fn post_to(
        &self,
        touched: &mut Touched<'_>,
        address: &Address,
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
    pub(crate) async fn post_to_substitutes(
        &self,
        touched: &mut Touched<'_>,
        parts: impl Fn(Seat) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        self.post_each_substitute(touched, None, &parts).await
    }

    async fn post_each_substitute(
        &self,
        touched: &mut Touched<'_>,
        call: Option<Call>,
        parts: &(impl Fn(Seat) -> Vec<Part> + Send + Sync),
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
            let (language, settings) = (Some(substitute.language), substitute.settings);
            let row = SeatRow { language, settings, ..row.clone() };
            let letter = self.letter(&touched.table, Some(&row), parts);
            let whom = format!("{}-substitute", seat.name());
            let outgoing = self.outgoing(&letter, &whom, substitute.address)?;
            letters.extend(self.as_called(call, &settings, &letter, outgoing)?);
        }
        touched.post(letters);
        Ok(())
    }

    fn outgoing(
        &self,
        letter: &Letter,
        whom: &str,
        address: Address,
    ) -> Result<Outgoing, StoreError> {
        Ok(Outgoing {
            letter: format!("{}-{}-{whom}", letter.code, self.id),
            address,
            send_at: self.send_at,
            body: write_json(letter)?,
            attempts: 0,
            refused_at: None,
        })
    }

    /// A letter to one of them, or in public.
    fn letter(&self, table: &TableRow, row: Option<&SeatRow>, parts: Vec<Part>) -> Letter {
        let seat = row.map(|row| row.seat);
        let report = self.contest.map(|contest| contest.report(seat.into()));
        let language = row.and_then(|row| row.language.clone());
        let zone = row.map_or(self.zone, |row| row.settings.zone_at(self.zone));
        Letter {
            code: table.code.clone(),
            game: table.game.clone(),
            seat,
            language: language.unwrap_or_else(|| table.language.clone()),
            zone,
            year: Some(Moment::at(self.send_at, zone).year),
            names: names(self.seats),
            report: report.unwrap_or_default(),
            head: table.chain.clone(),
            results: table.results,
            in_thread: false,
            parts,
        }
    }
}
