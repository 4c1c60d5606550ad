//! The letters of a game and of declarations, each with its input.

use minijinja::value::{Serde, Value};
use serde::Serialize;
use serde_json::Value as Json;

use crate::rules::{ClauseView, clauses};
use crate::template::letters::template_name;
use crate::template::typed::{letters, sampled};
use crate::template::views::{HistoryLine, TurnView, decided, ruling_of, turns};
use crate::template::{DeclaredAnswers, Draw, EACH_GAME, QuestionView, Sampled};
use crate::{DESK, Letters, Moment, Reader, Result, UnreadPiece};
use rules::text::{Choices, Example};
use rules::{Asked, Clause, Entry, Fault, Interview, Key, Outcome, Round, Ruling, Seat};
use tables::ResultForm;

letters! {
    /// The letters that each game has.
    LETTERS in EACH_GAME;

    /// The name of a game.
    "name" pub(super) struct GameName {}

    /// An opening window.
    "opening" pub struct WindowOpening<'a> {
        /// The number of the root window; 0 is the deal.
        pub window: Round,
        /// True if the window is within a root window: then only its open questions are asked.
        pub suspended: bool,
        pub asked: &'a [Seat],
        /// The deadline (締め切り); `None` if the window closes as soon as all have sealed.
        pub closes: Option<Moment>,
        /// The time of the announcement (告知), if it differs from the close.
        pub announced: Option<Moment>,
        /// True if the table is held, and no time runs.
        pub still: bool,
        /// True if the window may close early.
        pub early: bool,
        /// The earliest time of an early close; `None` if it can be immediate.
        pub soonest: Option<Moment>,
        /// The clause that skips the turn of a seat without a declaration; `None` if defaults apply instead.
        pub missing: Option<&'a Clause>,
        /// True if the letter shows the position; false below a result, which has shown it.
        pub position: bool,
        /// The report of the state, as the reader may know it.
        pub report: &'a Json,
    }

    /// The name of a window: the part of the game, and below it the name within that part.
    "window" struct NamedWindow<'a> {
        report: &'a Json,
        suspended: bool,
        after: Option<&'a Json>,
    }

    /// The result of a window or of an immediate act, and the position.
    "result" struct WhatCame<'a> {
        turns: Vec<TurnView<'a>>,
        report: &'a Json,
        at_once: bool,
        full: bool,
    }

    /// A skipped turn: the reason, and what was carried out nevertheless.
    "skip" struct SkippedTurn<'a> { seat: Seat, ruling: &'a Ruling, turns: Vec<TurnView<'a>> }

    /// The final scores.
    "scores" pub struct FinalScores<'a> { pub report: &'a Json }

    /// A player's own cards. The report is limited to what that seat may know.
    "hand" pub struct OwnHand<'a> { pub seat: Seat, pub report: &'a Json }

    /// All fields and the middle of the table, as the reader may know them; a line for each player if
    /// `brief`.
    "board" pub struct WholeBoard<'a> { pub report: &'a Json, pub brief: bool }

    /// The alternative text of a table's picture; shorter if `brief`.
    "alt" pub struct PictureText<'a> { pub report: &'a Json, pub brief: bool }

    /// The forecast of a side's drafts; the report is of the state after them.
    "plan" pub struct SidePlan<'a> { pub report: &'a Json }

    /// The position, in the state lines of stories.
    "position" pub struct LinesOfState<'a> { pub report: &'a Json }
}

letters! {
    /// Letters about declarations and their results.
    DESK_LETTERS in DESK;

    /// A ruling as one line of a letter, with value and reason if the reader may know them.
    "ruling" pub struct RulingLine<'a> { pub ruling: &'a Ruling }

    /// Faults, one line each.
    "fault" pub struct FaultLines<'a> { pub faults: &'a [Fault] }

    /// The check of a deck of one's own, with all its faults and notes.
    "deck" pub struct CheckedDeck<'a> {
        pub faults: &'a [Fault],
        pub notes: &'a [Fault],
        /// The clause about decks.
        pub clause: &'a str = ["T2.1"],
    }

    /// The pieces that could not be parsed, one line each.
    "unread" pub struct UnreadLines<'a> { pub unread: &'a [UnreadPiece] }

    /// The echo of a declaration to its author: the parsed answers, what is left out, and the defaults for
    /// it.
    "echo" pub struct Echoed<'a> {
        /// The parsed answers.
        pub heard: DeclaredAnswers,
        /// The pieces of the text that could not be parsed.
        pub unread: &'a [UnreadPiece],
        /// True if the declaration is sealed, false for a draft.
        pub sealed: bool,
        /// True if the declaration was sealed before, and is a draft now.
        pub unsealed: bool,
        /// True if a game master has decided that the declaration does not count.
        pub skipped: bool,
        /// The deadline of the window; `None` if the window is closing now.
        pub closes: Option<Moment>,
        /// The time of an early close, if no seat is waited for any more.
        pub settles: Option<Moment>,
        /// The earliest time of an early close; `None` if it can be immediate.
        pub soonest: Option<Moment>,
        /// The receipt of the seal.
        pub receipt: Option<&'a str>,
    }

    /// The open questions; `empty` is true if no answer is given.
    "questions" struct OpenQuestions { questions: Vec<QuestionView>, empty: bool }

    /// The acts that can be done immediately.
    "acts" struct CanBeDone<'a> {
        questions: Vec<QuestionView>,
        unread: &'a [UnreadPiece],
        examples: &'a [Example] => some_examples,
    }

    /// The confirmation of an immediate act that cannot be undone.
    "sure" pub struct SureToAct<'a> {
        /// The act, as it could be typed.
        pub act: &'a str = ["GUN"],
        /// The id of the loss or risk.
        pub at_stake: &'a str =
            ["secrecy", "attacks", "card-by-die", "concession", "cost", "equipment"],
    }

    /// A player's standing orders, and the questions that take one.
    "orders" pub struct OrdersShown<'a> {
        /// The questions with their standing orders.
        pub questions: Vec<QuestionView>,
        /// The pieces of the input that could not be parsed; the orders are then unchanged.
        pub unread: &'a [UnreadPiece],
        /// The faults of the input; the orders are then unchanged.
        pub faults: &'a [Fault],
        /// The parts of a declaration stored as standing orders.
        pub kept: &'a [Key],
        /// The parts of a declaration that cannot become standing orders.
        pub unkept: &'a [Key],
        /// True if menus follow below; otherwise the letter explains how to change orders.
        pub by_menus: bool,
        /// True if the letter follows a player's hand: then only the orders are shown.
        pub beside_hand: bool,
    }

    /// A player's declaration for the next window.
    "next" pub struct NextDeclarationShown<'a> {
        /// The answers, read in the current state.
        pub heard: DeclaredAnswers,
        /// The pieces of the input that could not be parsed.
        pub unread: &'a [UnreadPiece],
        /// True if menus follow below; otherwise the letter explains how to change the declaration.
        pub by_menus: bool,
        /// True if the letter follows a player's hand: then only the declaration is shown.
        pub beside_hand: bool,
    }

    /// The parts of a declaration that its author has withdrawn.
    "withdrawn" pub struct WithdrawnParts<'a> {
        /// The parts, as they could be typed, a line each.
        pub parts: &'a str = ["Attack: Stepping Cut P3"],
    }

    /// The result of repeating a player's last declaration.
    "said_again" pub struct SaidAgain<'a> {
        /// The faults of the repeated answers.
        pub faults: &'a [Fault],
        /// The repeated answers to questions not asked now.
        pub superfluous: &'a [Key],
        /// True if the repetition replaces another declaration.
        pub replaces: bool,
    }

    /// Rulings, and the text of the clauses they cite.
    "why" struct WhyRuled<'a> { rulings: Vec<HistoryLine<'a>>, clauses: Vec<ClauseView> }

    /// The events of all windows so far.
    "log" struct TableLog<'a> { windows: Vec<LoggedWindow<'a>> }

    /// The events of a window that only the reader may know.
    "own_result" struct OwnResult<'a> { number: Round, turns: Vec<TurnView<'a>> }

    /// The possible inputs; without those about declarations if the open window has only immediate acts.
    "help" struct WhatCanBeTyped {
        openly: bool,
        /// True for all inputs, false for the most important ones only.
        more: bool,
    }

    /// The use of a command, shown below its one-line description.
    "help_on" pub struct HelpOn<'a> { pub command: &'a str = HELPED }

    /// The note that a word is not input.
    "no_word" pub struct NoSuchWord<'a> { pub said: &'a str, pub nearest: Option<&'a str> }
}

sampled! {
    /// A window and its events.
    struct LoggedWindow<'a> { number: Round, turns: Vec<TurnView<'a>> }
}

impl Sampled for UnreadPiece {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Self {
            text: Sampled::sample(draw),
            section: Sampled::sample(draw),
            why: draw.one_of(&Self::reasons()),
            nearest: Sampled::sample(draw),
            faults: Sampled::sample(draw),
        }
    }
}

/// The commands with a help text beyond the line that describes them.
pub const HELPED: [&str; 5] = ["orders", "next", "me", "declare", "withdraw"];

fn some_examples<'a>(draw: &mut Draw<'_>) -> &'a [Example] {
    let (key, options) = (Key::new("3", "card"), vec!["P1".into()]);
    let choices = Choices { key, options, numbers: None };
    let example = |choices| Example { text: "3B".to_owned(), choices };
    let some = draw.one_of(&[vec![], vec![example(vec![]), example(vec![choices])]]);
    Vec::leak(some)
}

impl Echoed<'_> {
    /// Returns the echo of a draft in a window with these closing times.
    pub fn of(interview: &Interview, closing: ClosingTimes) -> Self {
        let ClosingTimes { closes, settles, soonest } = closing;
        Self {
            heard: DeclaredAnswers::new(interview),
            unread: &[],
            sealed: false,
            unsealed: false,
            skipped: false,
            closes,
            settles,
            soonest,
            receipt: None,
        }
    }
}

impl OrdersShown<'_> {
    /// Returns the letter of standing orders from their interview.
    pub fn of(standing: &Interview) -> Self {
        let questions = standing.asked.iter().map(QuestionView::new).collect();
        Self {
            questions,
            unread: &[],
            faults: &[],
            kept: &[],
            unkept: &[],
            by_menus: false,
            beside_hand: false,
        }
    }
}

impl NextDeclarationShown<'_> {
    /// Returns the letter of a declaration for the next window from its interview.
    pub fn of(interview: &Interview) -> Self {
        let heard = DeclaredAnswers::new(interview);
        Self { heard, unread: &[], by_menus: false, beside_hand: false }
    }
}

/// The closing times of a window, as shown to its players.
#[derive(Clone, Debug, Default)]
pub struct ClosingTimes {
    /// The deadline; `None` if the window is closing now.
    pub closes: Option<Moment>,
    /// The time of an early close, if no seat is waited for any more.
    pub settles: Option<Moment>,
    /// The earliest time of an early close; `None` if it can be immediate.
    pub soonest: Option<Moment>,
}

/// A closed window and its events.
#[derive(Clone, Debug)]
pub struct WindowResult<'a> {
    /// The number of the root window; 0 is the deal.
    pub number: Round,
    /// The events and rulings, as the reader may know them.
    pub entries: &'a [Entry<Json>],
}

/// The name of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WindowName {
    /// The part of the game; empty if the game has no parts.
    pub part: String,
    /// The name within that part.
    pub name: String,
}

/// Letters of a game.
impl Letters {
    /// Writes the name of a window: the part of the game, if there are parts, and the name within it.
    /// `report` is the report at the opening; `after` is the report at the close, if the window has closed.
    pub fn window(
        &self,
        reader: &Reader,
        report: &Json,
        suspended: bool,
        after: Option<&Json>,
    ) -> Result<WindowName> {
        let text = self.write(reader, &NamedWindow { report, suspended, after })?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut lines = lines.map(str::to_owned);
        let (first, second) = (lines.next().unwrap_or_default(), lines.next());
        Ok(match second {
            Some(name) => WindowName { part: first, name },
            None => WindowName { part: String::new(), name: first },
        })
    }

    /// Writes the result of a window and the position after it, in this form. Entries and report are limited
    /// to what the reader may know.
    pub fn result(
        &self,
        reader: &Reader,
        entries: &[Entry<Json>],
        report: &Json,
        form: ResultForm,
    ) -> Result<String> {
        let (turns, full) = (turns(reader, entries), form == ResultForm::Full);
        self.write(reader, &WhatCame { turns, report, at_once: false, full })
    }

    /// Writes the result of an immediate act in an open window.
    pub fn acted(&self, reader: &Reader, entries: &[Entry<Json>], report: &Json) -> Result<String> {
        let turns = turns(reader, entries);
        self.write(reader, &WhatCame { turns, report, at_once: true, full: false })
    }

    /// Writes to a skipped player the reason, the clause, and what was carried out nevertheless. `None` if
    /// this seat's turn was not skipped.
    pub fn skip(
        &self,
        reader: &Reader,
        seat: Seat,
        entries: &[Entry<Json>],
    ) -> Result<Option<String>> {
        let of_seat = |ruling: &&Ruling| ruling.seat == seat;
        let skipped = |ruling: &&Ruling| ruling.outcome == Outcome::Skipped;
        let own: Vec<Entry<Json>> =
            entries.iter().filter(|entry| entry.turn == Some(seat)).cloned().collect();
        let ruling = own.iter().filter_map(ruling_of).filter(of_seat).find(skipped);
        let Some(ruling) = ruling else { return Ok(None) };
        let rest: Vec<Entry<Json>> =
            own.iter().filter(|entry| ruling_of(entry) != Some(ruling)).cloned().collect();
        let turns = turns(reader, &rest);
        self.write(reader, &SkippedTurn { seat, ruling, turns }).map(Some)
    }

    /// Writes an event as one line of a letter.
    pub fn event(&self, reader: &Reader, event: &Json) -> Result<String> {
        let kind = event["kind"].as_str().unwrap_or_default().replace('-', "_");
        let events = template_name(reader.game.key(), reader.lang, "events");
        self.say(&events, reader, &kind, Value::from(Serde(event)))
    }
}

/// Letters shared by all games.
impl Letters {
    /// Writes the questions that a die or a default will answer, with the legal answers, including those left
    /// out on purpose, and the optional ones that a panel still asks.
    pub fn questions(&self, reader: &Reader, interview: &Interview) -> Result<String> {
        let is_open = |asked: &&Asked| asked.is_left() || asked.waits();
        let open = interview.asked.iter().filter(is_open).map(QuestionView::new).collect();
        let empty = interview.says_nothing();
        self.write(reader, &OpenQuestions { questions: open, empty })
    }

    /// Writes the acts that can be done immediately, by an example of each or by the next question of the one
    /// begun, and the pieces of the input that could not be parsed.
    pub fn acts(
        &self,
        reader: &Reader,
        interview: &Interview,
        unread: &[UnreadPiece],
        examples: &[Example],
    ) -> Result<String> {
        let waits = |asked: &&Asked| asked.answer.is_none() && asked.question.is_answerable();
        let asked = interview.asked.iter().filter(waits);
        let questions: Vec<QuestionView> = asked.map(QuestionView::new).collect();
        self.write(reader, &CanBeDone { questions, unread, examples })
    }

    /// Writes each ruling of a window, with its reason if the reader may know it, the text of the clauses,
    /// and the events decided in a player's stead.
    pub fn why(&self, reader: &Reader, entries: &[Entry<Json>]) -> Result<String> {
        let rulings = decided(reader, entries);
        let clauses = clauses(reader, rulings.iter().filter_map(HistoryLine::cites));
        self.write(reader, &WhyRuled { rulings, clauses })
    }

    /// Writes the events of a window that only the reader may know.
    pub fn own_result(
        &self,
        reader: &Reader,
        number: Round,
        entries: &[Entry<Json>],
    ) -> Result<String> {
        self.write(reader, &OwnResult { number, turns: turns(reader, entries) })
    }

    /// Writes the events of all windows so far.
    pub fn log(&self, reader: &Reader, windows: &[WindowResult<'_>]) -> Result<String> {
        let windows = windows
            .iter()
            .map(|WindowResult { number, entries }| LoggedWindow {
                number: *number,
                turns: turns(reader, entries),
            })
            .collect();
        self.write(reader, &TableLog { windows })
    }

    /// Writes a point in time.
    pub fn when(&self, reader: &Reader, moment: &Moment) -> Result<String> {
        let times = template_name(DESK, reader.lang, "times");
        let text = self.say(&times, reader, "when", Value::from(Serde(moment)))?;
        Ok(text.trim().to_owned())
    }

    /// Writes the possible inputs: without those about declarations if the open window has only immediate
    /// acts, and only the most important ones unless `more` is true.
    pub fn help(&self, reader: &Reader, openly: bool, more: bool) -> Result<String> {
        self.write(reader, &WhatCanBeTyped { openly, more })
    }
}
