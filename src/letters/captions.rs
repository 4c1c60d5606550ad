//! The words of the declaration panel.

use minijinja::value::{Serde, Value as Argument};
use serde::Serialize;
use smol_str::SmolStr;

use crate::template::letters::{LetterFault, Letters, template_name};
use crate::template::reader::Reader;
use crate::template::typed::letters;
use crate::template::views::{DeclaredAnswers, QuestionView, UnreadPiece};
use rules::{Asked, Interview, Value};

/// The folder of the declaration panel.
pub const PANEL: &str = "panel";

/// A draft, for its author alone.
#[derive(Clone, Debug)]
pub struct DraftView<'a> {
    /// What the interview makes of it.
    pub interview: &'a Interview,
    /// What could not be read of what was typed just now.
    pub unread: &'a [UnreadPiece],
    /// True if a seal is asked about: then what is left out is told with what is said.
    pub sealing: bool,
    /// True if it is done at once, and not sealed.
    pub at_once: bool,
}

/// The question that a panel shows, and what a seal would mean.
#[derive(Clone, Debug)]
pub struct PanelQuestion<'a> {
    /// What the interview makes of the draft.
    pub interview: &'a Interview,
    /// The question, if it is one alone.
    pub asked: Option<&'a Asked>,
    /// True if several questions stand side by side.
    pub beside: bool,
    /// True if it is what can be held in reserve.
    pub reserves: bool,
    /// Why a seal is asked about: `faulty` or `empty`.
    pub warned: Option<&'a str>,
    /// True if the answers are something that is done at once, and not sealed.
    pub at_once: bool,
}

/// What stands on a control.
#[derive(Clone, Copy, Debug)]
pub enum Caption<'a> {
    /// Takes back the answer before.
    Back,
    /// Takes back everything.
    Clear,
    /// Lets pass whatever nothing is ordered of.
    PassRest,
    /// Opens the whole declaration as a text.
    Whole,
    Seal,
    /// Seals with everything left out.
    SealEmpty,
    /// Says again what was said the last time.
    Same,
    /// Shows the other questions.
    Others,
    /// Shows the questions that stand side by side.
    ToSheet,
    /// Shows what can be held in reserve.
    Reserves,
    /// The menu of what can be held in reserve for the part of a question.
    InReserve(&'a Asked),
    /// Holds nothing in reserve any more.
    NoReserve,
    /// Does it at once.
    Do,
    /// Seals all the same.
    SealAnyway,
    /// Does not seal yet.
    Fresh,
    /// Orders nothing: it is said anew in each window.
    NoOrder,
    /// The menu of a question that takes an order.
    Ordering(&'a Asked),
    /// Goes on to the next question.
    Next,
    /// Takes back what was picked last.
    Undo,
    /// Opens a field to type an answer into.
    Write,
    /// Leaves a question out on purpose.
    LeaveOut(&'a Asked),
    Value(&'a Value),
    /// An answer that is offered: with what it stands for, if its name does not say it.
    Offer(&'a Value),
    /// What an answer stands for, if its name does not say it.
    Meaning(&'a Value),
    /// Several answers that are given by one pick: with what the last stands for, as an offer.
    Course(&'a [Value]),
    /// The menu of a question that stands beside others, and what happens without an answer.
    Beside(&'a Asked),
    /// Several options in the order in which they are said, by one press.
    All(&'a [SmolStr]),
    /// Several options like those, after which more is asked.
    More(&'a [SmolStr]),
    /// By how much a payment is worth more than the cost.
    Over(u32),
    /// How often something can be picked still.
    Left(usize),
    /// What a card does.
    About(&'a str),
    /// A question, with its place.
    Question(&'a Asked),
    /// A question without its place.
    Label(&'a Asked),
    /// How far a question is, and whether what is said to it cannot stand.
    State(&'a Asked, bool),
    /// What can be typed for a question.
    Hint(&'a Asked),
    /// The menu of what is offered for a question.
    Options(&'a Asked),
    /// The menu of the questions.
    Questions,
    /// The page before.
    Earlier,
    /// The page after.
    Later,
    /// The title of the whole declaration as a text.
    WholeTitle,
    WholeLabel,
    /// What can be typed there.
    WholeHint,
    /// So many more lines are left out here.
    LeftOutLines(usize),
}

impl Caption<'_> {
    /// The macro that says it, and what the macro is told.
    fn told(self) -> (&'static str, Argument) {
        let view = |asked: &Asked| seen(QuestionView::new(asked));
        let nothing = || Argument::from(());
        match self {
            Self::Back => ("back", nothing()),
            Self::Clear => ("clear", nothing()),
            Self::PassRest => ("pass_rest", nothing()),
            Self::Whole => ("whole", nothing()),
            Self::Seal => ("seal", nothing()),
            Self::SealEmpty => ("seal_empty", nothing()),
            Self::Same => ("same", nothing()),
            Self::Others => ("others", nothing()),
            Self::ToSheet => ("to_sheet", nothing()),
            Self::Reserves => ("reserves", nothing()),
            Self::InReserve(asked) => ("in_reserve", view(asked)),
            Self::NoReserve => ("no_reserve", nothing()),
            Self::Do => ("do", nothing()),
            Self::SealAnyway => ("seal_anyway", nothing()),
            Self::Fresh => ("fresh", nothing()),
            Self::NoOrder => ("no_order", nothing()),
            Self::Ordering(asked) => ("ordering", view(asked)),
            Self::Next => ("next", nothing()),
            Self::Undo => ("undo", nothing()),
            Self::Write => ("write", nothing()),
            Self::LeaveOut(asked) => ("leave_out", view(asked)),
            Self::Value(value) => ("value", seen(value)),
            Self::Offer(value) => ("offer", seen(value)),
            Self::Meaning(value) => ("meaning", seen(value)),
            Self::Course(values) => ("course", seen(values)),
            Self::Beside(asked) => ("beside", view(asked)),
            Self::All(options) => ("all", seen(options)),
            Self::More(options) => ("more", seen(options)),
            Self::Over(over) => ("over", seen(over)),
            Self::Left(left) => ("left", seen(left)),
            Self::About(about) => ("about", seen(about)),
            Self::Question(asked) => ("question", view(asked)),
            Self::Label(asked) => ("label", view(asked)),
            Self::State(asked, faulty) => {
                ("state", seen(AskedState { question: QuestionView::new(asked), faulty }))
            }
            Self::Hint(asked) => ("hint", view(asked)),
            Self::Options(asked) => ("options", view(asked)),
            Self::Questions => ("questions", nothing()),
            Self::Earlier => ("earlier", nothing()),
            Self::Later => ("later", nothing()),
            Self::WholeTitle => ("whole_title", nothing()),
            Self::WholeLabel => ("whole_label", nothing()),
            Self::WholeHint => ("whole_hint", nothing()),
            Self::LeftOutLines(lines) => ("left_out_lines", seen(lines)),
        }
    }
}

/// What a macro is told.
fn seen(it: impl Serialize) -> Argument {
    Argument::from(Serde(&it))
}

/// A question, and whether what is said to it cannot stand.
#[derive(Serialize)]
struct AskedState {
    question: QuestionView,
    faulty: bool,
}

/// Every macro of a caption.
pub(crate) const CAPTIONS: [&str; 43] = [
    "back",
    "clear",
    "whole",
    "seal",
    "seal_empty",
    "same",
    "others",
    "to_sheet",
    "reserves",
    "in_reserve",
    "no_reserve",
    "do",
    "seal_anyway",
    "fresh",
    "no_order",
    "pass_rest",
    "ordering",
    "next",
    "undo",
    "write",
    "leave_out",
    "value",
    "offer",
    "meaning",
    "course",
    "beside",
    "all",
    "more",
    "over",
    "left",
    "about",
    "question",
    "label",
    "state",
    "hint",
    "options",
    "questions",
    "earlier",
    "later",
    "whole_title",
    "whole_label",
    "whole_hint",
    "left_out_lines",
];

/// Every caption that has to do with this question, and those that have to do with none.
pub(crate) fn captions<'a>(asked: &'a Asked, value: &'a Value) -> Vec<Caption<'a>> {
    use Caption::{
        About, Back, Beside, Clear, Course, Do, Earlier, Fresh, Hint, InReserve, Label, Later,
        LeaveOut, Left, LeftOutLines, Meaning, Next, NoOrder, NoReserve, Offer, Options, Ordering,
        Others, Over, PassRest, Question, Questions, Reserves, Same, Seal, SealAnyway, SealEmpty,
        State, ToSheet, Undo, Whole, WholeHint, WholeLabel, WholeTitle, Write,
    };
    let of_question = [
        LeaveOut(asked),
        Question(asked),
        Label(asked),
        State(asked, false),
        State(asked, true),
        Hint(asked),
        Options(asked),
        Caption::Value(value),
        Offer(value),
        Meaning(value),
        Course(std::slice::from_ref(value)),
        Beside(asked),
        Ordering(asked),
        InReserve(asked),
        Caption::All(&[]),
        Caption::More(&[]),
    ];
    let plain = [
        Back, Clear, Whole, Seal, SealEmpty, Same, Others, ToSheet, Reserves, NoReserve, Do,
        SealAnyway, Fresh, NoOrder, PassRest, Next, Undo, Write, Questions, Earlier, Later,
        WholeTitle, WholeLabel, WholeHint,
    ];
    let counted = [Over(0), Over(2), Left(2), About("x"), LeftOutLines(3)];
    [&of_question[..], &plain, &counted].concat()
}

letters! {
    /// Letters of the declaration panel.
    LETTERS in PANEL;

    /// A draft.
    "drafted" struct Drafted<'a> {
        heard: DeclaredAnswers,
        unread: &'a [UnreadPiece],
        sealing: bool,
        at_once: bool,
    }

    /// The question that is shown.
    "question" struct AskedOnPanel<'a> {
        question: Option<QuestionView>,
        beside: bool,
        reserves: bool,
        heard: DeclaredAnswers,
        warned: Option<&'a str> = [None, Some("faulty"), Some("empty")],
        at_once: bool,
    }
}

/// Letters of the declaration panel.
impl Letters {
    /// What is said in a draft, what cannot stand, and what becomes of what is left out.
    pub fn drafted(&self, reader: &Reader, drafted: &DraftView<'_>) -> Result<String, LetterFault> {
        let DraftView { interview, unread, sealing, at_once } = *drafted;
        let heard = DeclaredAnswers::new(interview);
        self.write(reader, &Drafted { heard, unread, sealing, at_once })
    }

    /// The question that is shown, what happens without an answer, and what a seal would mean.
    pub fn panel_question(
        &self,
        reader: &Reader,
        question: &PanelQuestion<'_>,
    ) -> Result<String, LetterFault> {
        let PanelQuestion { interview, asked, beside, reserves, warned, at_once } = *question;
        let (question, heard) = (asked.map(QuestionView::new), DeclaredAnswers::new(interview));
        self.write(reader, &AskedOnPanel { question, beside, reserves, heard, warned, at_once })
    }

    /// What stands on controls, each on one line.
    pub fn captions(
        &self,
        reader: &Reader,
        captions: &[Caption<'_>],
    ) -> Result<Vec<String>, LetterFault> {
        let told = captions.iter().map(|caption| caption.told());
        let template = template_name(PANEL, reader.lang, "captions");
        let said = self.say_all(&template, reader, told.collect())?;
        Ok(said.iter().map(|said| said.trim().to_owned()).collect())
    }

    /// What stands on one control.
    pub fn caption(&self, reader: &Reader, caption: Caption<'_>) -> Result<String, LetterFault> {
        self.captions(reader, &[caption]).map(|said| said.concat())
    }
}
