//! Letters in the outbox: their contents as data, written out on delivery.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::model::{Judgement, Obstacle, Override, Vote, Written, bound};
use crate::record::event::Event;
use games::any::AnyGame;
use letters::{
    AboutTable, Decided, FinalScores, LetterFault, Letters, Moment, Reader, ReceiptLine, Sample,
    SealProgress, SealedThen, ShownDecision, WindowOpening, declared_answers, follow,
    open_questions, samples,
};
use rules::data::{BuiltIn, parse_lines};
use rules::text::Lang;
use rules::{Clause, Entry, Fault, Item, Key, Outcome, Round, Seat, built_in_file, receipt};
use store::read_hex;
use tables::absence::Deed;
use tables::{HoldReason, ResultForm, Span, TableCode, Time, WindowNumber};

/// A letter in the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub code: TableCode,
    pub game: String,
    /// The hash of the set of cards that the table is bound to, `None` if it is bound to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card_set: Option<String>,
    /// The reader's seat; `None` if the letter is public.
    pub seat: Option<Seat>,
    /// The language of the reader.
    pub language: String,
    /// The time zone of the times in the letter.
    pub zone: Tz,
    /// The year of sending: times of another year are written with theirs.
    pub year: Option<i32>,
    /// The names of all players, by seat.
    pub names: Vec<String>,
    /// The report of the state for the reader.
    pub report: Json,
    /// The hash of the last journal entry at the time of writing, in hex digits.
    pub head: String,
    /// The form of the results.
    #[serde(default)]
    pub results: ResultForm,
    /// True if the reader is pinged about the letter in the thread of the table, if there is one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_thread: bool,
    /// The contents, in order.
    pub parts: Vec<Part>,
}

/// A part of a letter: an event, or other news for its reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tells", rename_all = "kebab-case")]
pub enum Part {
    /// An event, as the reader may know it.
    Event(Event),
    /// The table waits for its players.
    Forming,
    /// The game begins.
    Welcome {
        seats: usize,
        /// The name of the table in the key of the dice.
        table: String,
        /// The hash of the seed.
        commitment: String,
        /// The values that the seats have mixed into the seed, in hex digits.
        values: Vec<(Seat, String)>,
        /// The seats of bot players.
        #[serde(default)]
        house: Vec<Seat>,
        /// The options that differ from their defaults, as a line by language; empty if there are none.
        #[serde(default)]
        options: BTreeMap<Lang, String>,
    },
    /// The window is resolved late, because no process ran at the deadline.
    Late {
        /// The deadline that was missed.
        closed: Time,
    },
    /// The reader is the substitute of a seat.
    StandIn { seat: Seat, until: Time },
    /// The table was never begun, and ends by itself.
    Unbegun {
        /// True if no seat is taken.
        #[serde(default)]
        empty: bool,
    },
    /// The new announcement time of a window whose deadline has moved.
    Announcement { announced: Time },
    /// The window has closed early, and its result is announced later.
    Shut {
        closed: Time,
        /// The time when the result is announced.
        announced: Time,
    },
    /// The result of a deal, a window, an act, or an override.
    Result {
        /// The root window, counted from 0, which is the deal.
        #[serde(default)]
        #[serde(rename = "window")]
        round: Round,
        /// The log entries that the reader may know.
        entries: Vec<Entry<Json>>,
        /// True if the result is that of an act in an open window.
        at_once: bool,
    },
    /// The part of a result that the reader alone may know, in addition to the public part.
    Own {
        #[serde(rename = "window")]
        round: Round,
        entries: Vec<Entry<Json>>,
    },
    /// The seals of the closed window and the head of the journal, as hashes only.
    Receipts {
        /// The hashes of the seals in hex digits, with their seats if these are public.
        sealed: Vec<(Option<Seat>, String)>,
        /// The hash of the last journal entry, in hex digits.
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
        /// True if the window belongs to a root window that is being resolved.
        suspended: bool,
        asked: Vec<Seat>,
        closes: Time,
        /// The announcement time of the result, if the window closes by the clock.
        announced: Time,
        /// True if the window may close early.
        early: bool,
        /// The soonest time of an early close, `None` if that is immediately.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        soonest: Option<Time>,
        /// The clause by which a turn without a declaration is skipped; `None` if it is not.
        missing: Option<Clause>,
        /// True if the table is held, and no time runs.
        still: bool,
    },
    /// A window has opened, for readers whom its post does not call.
    Opened {
        number: WindowNumber,
        /// The root window.
        #[serde(rename = "window")]
        round: Round,
        /// True if the window belongs to a root window that is being resolved.
        suspended: bool,
        closes: Time,
    },
    /// The deadline is near.
    Reminder {
        closes: Time,
        /// The time left until the deadline.
        left: Span,
        /// The progress of the reader.
        progress: SealProgress,
        number: WindowNumber,
        /// The open questions and their fate; null if the draft has faults.
        open: Json,
        /// The faults of the draft.
        faults: Vec<Fault>,
        /// The fate of the reader if they send nothing; `None` if something counts already.
        fate: Option<Deed>,
        /// The clause by which the reader's turn would be skipped.
        missing: Option<Clause>,
        /// True if the reader is the last one awaited.
        last: bool,
        /// True if nothing is sealed in the window.
        openly: bool,
        /// The partners of the reader whom the window waits for.
        #[serde(default)]
        partners: Vec<Seat>,
    },
    /// The table has moved to the place where the letter is read.
    Relocated,
    /// Letters of the table cannot arrive; for its host alone.
    Obstacle {
        /// The obstacle and its place.
        obstacle: Obstacle,
    },
    /// A player is sought for a seat.
    Called {
        seat: Seat,
        /// The time when the open window closes.
        closes: Time,
    },
    /// The reader is invited to play.
    Invited {
        /// The seat; `None` before the game begins, when any chair will do.
        seat: Option<Seat>,
        /// The time when the open window closes.
        closes: Option<Time>,
    },
    /// Another player has taken the reader's seat.
    Gone { seat: Seat },
    /// The reader's declaration for the next window has become their draft there.
    BecameDraft {
        /// The answers of the draft.
        heard: Json,
        /// The faults, which were left out of the draft.
        faults: Vec<Fault>,
        /// The answers without a question there, which were left out too.
        superfluous: Vec<Key>,
    },
    /// Somebody has written to the reader's side. The text is in no letter.
    SideLine { by: Seat },
    /// A partner has declared something else after another of the side had sealed.
    SideChanged { by: Seat },
    /// A game master has declared for the reader, or returned a part of their declaration.
    Entered { change: Judgement },
    /// A vote is open, or has had an effect.
    Vote {
        /// The state of the vote.
        vote: Vote,
    },
    /// The files of the table that is over, which are made on delivery.
    Files,
}

impl Part {
    /// Returns the part about a held table, with the reason that is public.
    pub(crate) fn held(number: WindowNumber, held: &HoldReason, until: Option<Time>) -> Self {
        Self::Event(Event::Held { number, why: held.in_public(), until })
    }
}

/// A letter that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Unwritten {
    /// The game of the letter is not known here.
    #[error("no game goes by {0}")]
    NoGame(String),
    /// A template is faulty.
    #[error(transparent)]
    Letter(#[from] LetterFault),
}

impl Letter {
    /// Writes the letter for a reader at a terminal.
    pub fn write(
        &self,
        letters: &Letters,
        games: &[&'static dyn AnyGame],
    ) -> Result<String, Unwritten> {
        let reader = self.reader(games)?.in_plain_text();
        self.write_to_one(letters, &reader, None)
    }

    /// Writes the letter for a single reader, who may sit at several tables: a heading names the table and
    /// its thread.
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

    /// Returns the reader of the letter.
    pub fn reader(&self, games: &[&'static dyn AnyGame]) -> Result<Reader, Unwritten> {
        let game = games.iter().copied().find(|game| game.key() == self.game);
        let game = game.and_then(|game| bound(game, self.card_set.as_deref()));
        let game = game.ok_or_else(|| Unwritten::NoGame(self.game.clone()))?;
        let language = Lang::ALL.into_iter().find(|lang| lang.code() == self.language);
        let reader = Reader::new(game, language.unwrap_or(Lang::Ja)).with_names(&self.names);
        Ok(reader.in_the_year(self.year).in_zone(self.zone))
    }

    /// True if the letter may be out of date when it is sent: it calls to an open window, or is about an
    /// obstacle.
    pub(crate) fn is_dated(&self) -> bool {
        let dated = |part: &Part| matches!(part, Part::Reminder { .. } | Part::Opened { .. });
        self.seat.is_some() && self.parts.iter().any(dated) || self.obstacle().is_some()
    }

    /// True if the letter is updated after it has arrived.
    pub fn is_kept_true(&self) -> bool {
        let is_updated =
            |part: &Part| matches!(part, Part::Reminder { .. } | Part::Obstacle { .. });
        self.parts.iter().any(is_updated)
    }

    /// True if the letter is private to one side: nobody else may even learn that the letter exists.
    pub fn is_of_side(&self) -> bool {
        let is_ordered = |entry: &Entry<Json>| matches!(&entry.item, Item::Ruling(ruling) if ruling.outcome == Outcome::Ordered);
        let is_of_side = |part: &Part| match part {
            Part::SideLine { .. } | Part::SideChanged { .. } => true,
            // The existence of standing orders is known to their own seat only.
            Part::Own { entries, .. } => entries.iter().all(is_ordered),
            _ => false,
        };
        self.parts.iter().all(is_of_side) && !self.parts.is_empty()
    }

    /// Returns the obstacle that the letter is about, if it is about one.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.parts.iter().find_map(|part| match part {
            Part::Obstacle { obstacle } => Some(obstacle),
            _ => None,
        })
    }

    /// Returns the vote that the letter is about, if it is public and about one.
    pub fn vote(&self) -> Option<&Vote> {
        self.parts.iter().find_map(|part| match part {
            Part::Vote { vote } if self.seat.is_none() => Some(vote),
            _ => None,
        })
    }

    /// Writes the letter as this reader sees it.
    pub fn write_for(&self, letters: &Letters, reader: &Reader) -> Written {
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
            // The reason for a close is the first line of its result.
            is_heading = matches!(part, Part::Event(Event::Closed { .. }));
        }
        Ok(text)
    }

    fn part(&self, part: &Part, letters: &Letters, reader: &Reader) -> Written {
        match part {
            // Front ends show these themselves: the current table, advice about the obstacle, and the files.
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
                letters.of_sample(reader, &sample)
            }
        }
    }

    /// Returns the template of a part and the fields it reads: those of the part, the reader's seat, and the
    /// state.
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

    fn result(&self, entries: &[Entry<Json>], letters: &Letters, reader: &Reader) -> Written {
        let mut text = letters.result(reader, entries, &self.report, self.results)?;
        if let Some(you) = self.seat
            && let Some(skip) = letters.skip(reader, you, entries)?
        {
            follow(&mut text, &skip);
        }
        Ok(text)
    }

    /// Writes the questions of a window and its deadline.
    fn opening(&self, part: &Part, letters: &Letters, reader: &Reader) -> Written {
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

    /// Writes an override.
    fn decided(&self, event: &Event, letters: &Letters, reader: &Reader) -> Written {
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

/// Returns the seals as a letter shows them.
fn given(sealed: &[(Option<Seat>, String)]) -> Vec<ReceiptLine> {
    let one = |(seat, hash): &(Option<Seat>, String)| ReceiptLine {
        seat: *seat,
        code: receipt_code(hash),
        hash: hash.clone(),
    };
    sealed.iter().map(one).collect()
}

/// Returns the short code of a hash in hex digits.
fn receipt_code(hash: &str) -> String {
    read_hex(hash).map(|hash| receipt::code(&hash)).unwrap_or_default()
}

/// The marker for the opening of a window in the ids of letters, after the window's number.
pub(crate) const OPENING: &str = "opening";

/// The marker for an act in the ids of letters, after the window's number.
pub(crate) const ACT: &str = "then";

/// A kind of letter that is known by its id.
#[derive(Clone, Copy, Debug)]
pub enum LetterKind {
    /// A letter about the opening of this window.
    Opening(WindowNumber),
    /// A letter about an act.
    Act,
}

impl LetterKind {
    /// True if a letter with this id is of this kind.
    pub fn is_of(self, id: &str) -> bool {
        match self {
            Self::Opening(number) => id.contains(&format!("-{number}-{OPENING}-")),
            Self::Act => id.contains(&format!("-{ACT}-")),
        }
    }
}

/// The samples: a part on each line, as letters are stored.
static SAMPLES: BuiltIn<Vec<Part>> =
    BuiltIn::new(|| parse_lines(built_in_file!("templates/table/samples.jsonl")));

/// Returns each part as sent to everybody, to the seat concerned and to another seat; of these overrides, the
/// parts sent to the seat whose declaration they change.
pub(crate) fn letter_samples(decided: &[Override]) -> Vec<Sample> {
    let entered = decided.iter().filter_map(|what| match what {
        Override::Judge { change, .. } => Some(Part::Entered { change: change.clone() }),
        _ => None,
    });
    let parts: Vec<Part> = SAMPLES.iter().cloned().map(of_declaration).chain(entered).collect();
    let readers = [None, Some(Seat::new(0)), Some(Seat::new(1))];
    let samples = readers.into_iter().flat_map(|seat| {
        let letter = letter(seat);
        parts.iter().map(move |part| letter.sample(part)).collect::<Vec<_>>()
    });
    let mut samples: Vec<Sample> = samples.collect();
    // The settings are one line, which is checked separately.
    for sample in samples.iter_mut().filter(|sample| sample.name == "absence") {
        sample.context["absence"] = "grace 1h".into();
    }
    samples
}

fn letter(seat: Option<Seat>) -> Letter {
    Letter {
        code: "K7Q2T".into(),
        game: String::new(),
        card_set: None,
        seat,
        language: String::new(),
        zone: Tz::UTC,
        year: None,
        names: Vec::new(),
        report: Json::Null,
        head: "00ff".to_owned(),
        results: ResultForm::default(),
        in_thread: false,
        parts: Vec::new(),
    }
}

/// Returns a part with the questions or answers of a sample declaration, if it shows them.
fn of_declaration(mut part: Part) -> Part {
    let declared = || samples::interview(&samples::faults([]));
    match &mut part {
        Part::Reminder { open, openly: false, .. } => *open = open_questions(&declared()),
        Part::BecameDraft { heard, .. } if heard.is_null() => {
            *heard = declared_answers(&declared());
        }
        _ => {}
    }
    part
}
