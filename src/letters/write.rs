//! Each letter with what it needs, so that no caller can forget any of it: what a game tells, and how
//! declarations are answered.

use minijinja::value::{Serde, Value};
use serde::Serialize;
use serde_json::Value as Json;

use crate::checking::samples;
use crate::rules::{ClauseView, clauses};
use crate::template::letters::{DESK, LetterFault, Letters, template_name};
use crate::template::reader::Reader;
use crate::template::typed::{Draw, EACH_GAME, letters, sampled, sampled_from};
use crate::template::views::{
    DeclaredAnswers, HistoryLine, Moment, QuestionView, TurnView, UnreadPiece, decided, ruling_of,
    turns,
};
use rules::text::{Choices, Example};
use rules::{Asked, Clause, Entry, Fault, Interview, Key, Outcome, Round, Ruling, Seat};
use tables::ResultForm;

letters! {
    /// The letters that each game has.
    LETTERS in EACH_GAME;

    /// What a game is called.
    "name" pub(super) struct GameName {}

    /// A window opens.
    "opening" pub struct WindowOpening<'a> {
        /// The root window, counted from 0, which is the deal.
        pub window: Round,
        /// True if it is a window within a root window: only what is open there is asked.
        pub suspended: bool,
        pub asked: &'a [Seat],
        /// When it closes (締め切り); none where it closes as soon as all have sealed.
        pub closes: Option<Moment>,
        /// When the result is announced (告知), if that is not when it closes.
        pub announced: Option<Moment>,
        /// True if the table stands still, and no time runs.
        pub still: bool,
        /// True if it may close early.
        pub early: bool,
        /// The soonest time of that, if it is not at once.
        pub soonest: Option<Moment>,
        /// The clause by which the turn of who declares nothing is skipped; none if everything goes by
        /// default.
        pub missing: Option<&'a Clause>,
        /// True if where everybody stands is told with it; not below a result, which has told it.
        pub position: bool,
        /// The state as its readers may know it.
        pub report: &'a Json,
    }

    /// What a window is called: of which part of the game it is, and below that what it is there.
    "window" struct NamedWindow<'a> {
        report: &'a Json,
        suspended: bool,
        after: Option<&'a Json>,
    }

    /// What the close of a window brought, or what somebody did at once, and where everybody stands.
    "result" struct WhatCame<'a> {
        turns: Vec<TurnView<'a>>,
        report: &'a Json,
        at_once: bool,
        full: bool,
    }

    /// A turn that was skipped: why, and what was carried out all the same.
    "skip" struct SkippedTurn<'a> { seat: Seat, ruling: &'a Ruling, turns: Vec<TurnView<'a>> }

    /// The final scores.
    "scores" pub struct FinalScores<'a> { pub report: &'a Json }

    /// A player's own cards. The report is as that seat may know it.
    "hand" pub struct OwnHand<'a> { pub seat: Seat, pub report: &'a Json }

    /// Everybody's field, and what lies in the middle, as the reader may know them.
    "board" pub struct WholeBoard<'a> { pub report: &'a Json }

    /// What the picture of a table says, for those who do not see it: shorter if it is to be brief.
    "alt" pub struct PictureText<'a> { pub report: &'a Json, pub brief: bool }

    /// What the drafts of a side come to; the report is of the state that they would leave.
    "plan" pub struct SidePlan<'a> { pub report: &'a Json }

    /// Where everything stands, in the lines of state of stories.
    "position" pub struct LinesOfState<'a> { pub report: &'a Json }
}

letters! {
    /// Letters about declarations and what became of them.
    DESK_LETTERS in DESK;

    /// One ruling, as a line of a letter: with value and reason if the reader may know them.
    "ruling" pub struct RulingLine<'a> { pub ruling: &'a Ruling }

    /// Faults, one line each.
    "fault" pub struct FaultLines<'a> { pub faults: &'a [Fault] }

    /// What could not be read, one line each.
    "unread" pub struct UnreadLines<'a> { pub unread: &'a [UnreadPiece] }

    /// How a declaration was read, what is left out of it and what will become of that: for its
    /// author alone.
    "echo" pub struct Echoed<'a> {
        /// How it reads.
        pub heard: DeclaredAnswers,
        /// What of its text could not be read.
        pub unread: &'a [UnreadPiece],
        /// Sealed, or a draft.
        pub sealed: bool,
        /// True if a game master has decided that nothing of it counts.
        pub skipped: bool,
        /// The deadline of the window; none if it is closing now.
        pub closes: Option<Moment>,
        /// When it closes before that, as nobody is waited for any more.
        pub settles: Option<Moment>,
        /// The soonest time at which it closes early, if that is not at once.
        pub soonest: Option<Moment>,
        /// The receipt given for the seal.
        pub receipt: Option<&'a str>,
    }

    /// What is open.
    "questions" struct OpenQuestions { questions: Vec<QuestionView> }

    /// What can be done at once.
    "acts" struct CanBeDone<'a> {
        questions: Vec<QuestionView>,
        unread: &'a [UnreadPiece],
        examples: &'a [Example] => some_examples,
    }

    /// Somebody is about to do something at once that stands for good.
    "sure" pub struct SureToAct<'a> {
        /// What they would do, as it could be typed.
        pub act: &'a str = ["GUN"],
    }

    /// What somebody has ordered for as long as they like, and can order.
    "orders" pub struct OrdersShown<'a> {
        /// How they read.
        pub questions: Vec<QuestionView>,
        /// What of a text that was to change them could not be read: it has changed nothing.
        pub unread: &'a [UnreadPiece],
        /// What of it cannot stand: likewise.
        pub faults: &'a [Fault],
        /// What of a declaration was kept as orders.
        pub kept: &'a [Key],
        /// The parts of it that cannot be ordered.
        pub unkept: &'a [Key],
        /// True if menus stand below it; or else it says how orders are changed.
        pub by_menus: bool,
        /// True if it stands below their hand: then only what is ordered.
        pub beside_hand: bool,
    }

    /// What somebody has declared for the next window.
    "next" pub struct NextDeclarationShown<'a> {
        /// How it reads as things stand now.
        pub heard: DeclaredAnswers,
        /// What of a text could not be read.
        pub unread: &'a [UnreadPiece],
        /// True if menus stand below it; or else it says how it is changed.
        pub by_menus: bool,
        /// True if it stands below their hand: then only what is declared.
        pub beside_hand: bool,
    }

    /// What somebody declares again has become of what they declared the last time.
    "said_again" pub struct SaidAgain<'a> {
        /// What of it cannot stand now.
        pub faults: &'a [Fault],
        /// What of it nobody asks now.
        pub superfluous: &'a [Key],
        /// True if something else had been declared, in whose place it is.
        pub replaces: bool,
    }

    /// Rulings, and what the clauses say that they cite.
    "why" struct WhyRuled<'a> { rulings: Vec<HistoryLine<'a>>, clauses: Vec<ClauseView> }

    /// Everything that happened so far.
    "log" struct TableLog<'a> { windows: Vec<LoggedWindow<'a>> }

    /// What of a result the reader alone may know.
    "own_result" struct OwnResult<'a> { number: Round, turns: Vec<TurnView<'a>> }

    /// What can be typed: where all that is asked in the open window is done openly and at once,
    /// nothing of declarations.
    "help" struct WhatCanBeTyped {
        openly: bool,
        /// All of it, or only what is needed most.
        more: bool,
    }

    /// How a command is used, below the line that says what it does.
    "help_on" pub struct HelpOn<'a> { pub command: &'a str = HELPED }

    /// That nothing can be typed that goes by a word.
    "no_word" pub struct NoSuchWord<'a> { pub said: &'a str, pub nearest: Option<&'a str> }
}

sampled! {
    /// A window and what happened in it.
    struct LoggedWindow<'a> { number: Round, turns: Vec<TurnView<'a>> }
}

sampled_from! {
    UnreadPiece: samples::unread();
}

/// The commands about which there is more to say than what they do.
pub const HELPED: [&str; 5] = ["orders", "next", "me", "declare", "withdraw"];

fn some_examples<'a>(draw: &mut Draw<'_>) -> &'a [Example] {
    let choices = Choices { key: Key::new("3", "card"), options: vec!["P1".into()] };
    let example = |choices| Example { text: "3B".to_owned(), choices };
    let some = draw.one_of(&[vec![], vec![example(vec![]), example(vec![choices])]]);
    Vec::leak(some)
}

impl Echoed<'_> {
    /// How a draft reads in a window that closes then.
    pub fn of(interview: &Interview, closing: ClosingTimes) -> Self {
        let ClosingTimes { closes, settles, soonest } = closing;
        Self {
            heard: DeclaredAnswers::new(interview),
            unread: &[],
            sealed: false,
            skipped: false,
            closes,
            settles,
            soonest,
            receipt: None,
        }
    }
}

impl OrdersShown<'_> {
    /// How orders read, and what can be ordered.
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
    /// How it reads as things stand now.
    pub fn of(interview: &Interview) -> Self {
        let heard = DeclaredAnswers::new(interview);
        Self { heard, unread: &[], by_menus: false, beside_hand: false }
    }
}

/// When a window closes, as its players are told.
#[derive(Clone, Debug, Default)]
pub struct ClosingTimes {
    /// Its deadline; none if it is closing now.
    pub closes: Option<Moment>,
    /// When it closes before that, as nobody is waited for any more.
    pub settles: Option<Moment>,
    /// The soonest time at which it closes early, if that is not at once.
    pub soonest: Option<Moment>,
}

/// A closed window and what happened in it.
#[derive(Clone, Debug)]
pub struct WindowResult<'a> {
    /// The root window, counted from 0, which is the deal.
    pub number: Round,
    /// What the reader may know of what happened.
    pub entries: &'a [Entry<Json>],
}

/// What a window is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WindowName {
    /// Of which part of the game it is; empty where there are no parts.
    pub part: String,
    /// What it is there.
    pub name: String,
}

/// Letters of a game.
impl Letters {
    /// What a window is called: of which part of the game it is, where there are such parts, and
    /// what it is there. The report is that of its opening, and, once it is closed, of what came of
    /// it.
    pub fn window(
        &self,
        reader: &Reader,
        report: &Json,
        suspended: bool,
        after: Option<&Json>,
    ) -> Result<WindowName, LetterFault> {
        let said = self.write(reader, &NamedWindow { report, suspended, after })?;
        let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut lines = lines.map(str::to_owned);
        let (first, second) = (lines.next().unwrap_or_default(), lines.next());
        Ok(match second {
            Some(name) => WindowName { part: first, name },
            None => WindowName { part: String::new(), name: first },
        })
    }

    /// What the close of a window brought, and where everybody stands now, in this form. Entries
    /// and report are as the reader may know them.
    pub fn result(
        &self,
        reader: &Reader,
        entries: &[Entry<Json>],
        report: &Json,
        form: ResultForm,
    ) -> Result<String, LetterFault> {
        let (turns, full) = (turns(reader, entries), form == ResultForm::Full);
        self.write(reader, &WhatCame { turns, report, at_once: false, full })
    }

    /// What somebody did at once in an open window.
    pub fn acted(
        &self,
        reader: &Reader,
        entries: &[Entry<Json>],
        report: &Json,
    ) -> Result<String, LetterFault> {
        let turns = turns(reader, entries);
        self.write(reader, &WhatCame { turns, report, at_once: true, full: false })
    }

    /// To a skipped player: why, by which clause, and what was carried out all the same. `None`
    /// if this seat's turn was not skipped.
    pub fn skip(
        &self,
        reader: &Reader,
        seat: Seat,
        entries: &[Entry<Json>],
    ) -> Result<Option<String>, LetterFault> {
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

    /// One event, as a line of a letter.
    pub fn event(&self, reader: &Reader, event: &Json) -> Result<String, LetterFault> {
        let kind = event["kind"].as_str().unwrap_or_default().replace('-', "_");
        let events = template_name(reader.game, reader.lang, "events");
        self.say(&events, reader, &kind, Value::from(Serde(event)))
    }
}

/// Letters that are the same in every game.
impl Letters {
    /// The questions that a die or a default will answer, those left out on purpose among them, with
    /// what is legal. Where nothing has been said yet and nothing need be, those that can be
    /// answered all the same.
    pub fn questions(&self, reader: &Reader, interview: &Interview) -> Result<String, LetterFault> {
        let left = |asked: &&Asked| asked.is_left();
        let mut open: Vec<QuestionView> =
            interview.asked.iter().filter(left).map(QuestionView::new).collect();
        if open.is_empty() && interview.says_nothing() {
            let busy = interview.asked.iter().filter(|asked| !asked.is_idle());
            open = busy.map(QuestionView::new).collect();
        }
        self.write(reader, &OpenQuestions { questions: open })
    }

    /// What somebody can do at once, by an example of each thing, or by what is asked about the one
    /// that they have begun; and what of their words was not understood.
    pub fn acts(
        &self,
        reader: &Reader,
        interview: &Interview,
        unread: &[UnreadPiece],
        examples: &[Example],
    ) -> Result<String, LetterFault> {
        let waits = |asked: &&Asked| asked.answer.is_none() && asked.question.is_answerable();
        let asked = interview.asked.iter().filter(waits);
        let questions: Vec<QuestionView> = asked.map(QuestionView::new).collect();
        self.write(reader, &CanBeDone { questions, unread, examples })
    }

    /// Each ruling of a window, with its reason where the reader may know it, and what the clauses
    /// say; and what an event tells that was decided in a player's stead.
    pub fn why(&self, reader: &Reader, entries: &[Entry<Json>]) -> Result<String, LetterFault> {
        let rulings = decided(reader, entries);
        let clauses = clauses(reader, rulings.iter().filter_map(HistoryLine::cites));
        self.write(reader, &WhyRuled { rulings, clauses })
    }

    /// What the reader alone may know of what a window brought.
    pub fn own_result(
        &self,
        reader: &Reader,
        number: Round,
        entries: &[Entry<Json>],
    ) -> Result<String, LetterFault> {
        self.write(reader, &OwnResult { number, turns: turns(reader, entries) })
    }

    /// Everything that happened so far.
    pub fn log(
        &self,
        reader: &Reader,
        windows: &[WindowResult<'_>],
    ) -> Result<String, LetterFault> {
        let windows = windows
            .iter()
            .map(|WindowResult { number, entries }| LoggedWindow {
                number: *number,
                turns: turns(reader, entries),
            })
            .collect();
        self.write(reader, &TableLog { windows })
    }

    /// A point in time.
    pub fn when(&self, reader: &Reader, moment: &Moment) -> Result<String, LetterFault> {
        let times = template_name(DESK, reader.lang, "times");
        let said = self.say(&times, reader, "when", Value::from(Serde(moment)))?;
        Ok(said.trim().to_owned())
    }

    /// What can be typed: where all that is asked in the open window is done openly and at once,
    /// nothing of declarations; and only what is needed most, unless more is asked for.
    pub fn help(&self, reader: &Reader, openly: bool, more: bool) -> Result<String, LetterFault> {
        self.write(reader, &WhatCanBeTyped { openly, more })
    }
}
