//! The texts of the declaration panel.

use minijinja::value::{Serde, Value as Argument};
use serde::Serialize;
use smol_str::SmolStr;

use crate::template::letters::{LetterFault, Letters, template_name};
use crate::template::reader::Reader;
use crate::template::typed::letters;
use crate::template::views::{DeclaredAnswers, QuestionView, UnreadPiece};
use rules::{Asked, Interview, Value};

/// The template folder of the declaration panel.
pub const PANEL: &str = "panel";

/// A draft, shown to its author only.
#[derive(Clone, Debug)]
pub struct DraftView<'a> {
    /// The interview of the draft.
    pub interview: &'a Interview,
    /// The pieces of the last input that could not be parsed.
    pub unread: &'a [UnreadPiece],
    /// True if the letter asks for confirmation of a seal: the draft is then shown with what it leaves out.
    pub sealing: bool,
    /// True if the answers are carried out immediately, without a seal.
    pub at_once: bool,
}

/// The question that a panel shows, with the consequences of a seal.
#[derive(Clone, Debug)]
pub struct PanelQuestion<'a> {
    /// The interview of the draft.
    pub interview: &'a Interview,
    /// The question; `None` if the panel shows several or none.
    pub asked: Option<&'a Asked>,
    /// True if several questions are shown side by side.
    pub beside: bool,
    /// True if the panel shows the reserves.
    pub reserves: bool,
    /// The reason for a seal warning: `faulty` or `empty`; `None` without a warning.
    pub warned: Option<&'a str>,
    /// True if the answers are carried out immediately, without a seal.
    pub at_once: bool,
}

/// The text of a control.
#[derive(Clone, Copy, Debug)]
pub enum Caption<'a> {
    /// Takes back the previous answer.
    Back,
    /// Clears the draft.
    Clear,
    /// Passes on every question of a window.
    Pass,
    /// Passes on every question without a standing order.
    PassRest,
    /// Opens the whole declaration as text.
    Whole,
    Seal,
    /// Seals an empty declaration.
    SealEmpty,
    /// Repeats the last declaration.
    Same,
    /// Shows the other questions.
    Others,
    /// Shows the questions side by side.
    ToSheet,
    /// Shows the reserves.
    Reserves,
    /// The menu of reserves for the part of a question.
    InReserve(&'a Asked),
    /// Removes the reserves of a part.
    NoReserve,
    /// Carries out the answers immediately.
    Do,
    /// Seals in spite of a warning.
    SealAnyway,
    /// Cancels a seal after a warning.
    Fresh,
    /// Removes a standing order, so that the question is asked in each window.
    NoOrder,
    /// The menu of a question that takes a standing order.
    Ordering(&'a Asked),
    /// Goes on to the next question.
    Next,
    /// Removes the last pick.
    Undo,
    /// Opens a field to type an answer into.
    Write,
    /// Leaves out a question on purpose.
    LeaveOut(&'a Asked),
    Value(&'a Value),
    /// An offered answer, with its meaning if its name does not say it.
    Offer(&'a Value),
    /// The meaning of an answer, if its name does not say it.
    Meaning(&'a Value),
    /// Several answers given by one pick, the last with its meaning.
    Course(&'a [Value]),
    /// The menu of a question shown side by side with others, and the default for no answer.
    Beside(&'a Asked),
    /// Several options given by one press, in order.
    All(&'a [SmolStr]),
    /// Several options given by one press, after which more options can be given.
    More(&'a [SmolStr]),
    /// The value of a payment above the cost.
    Over(u32),
    /// The number of times that an option can still be picked.
    Left(usize),
    /// The effect of a card.
    About(&'a str),
    /// A question with its position.
    Question(&'a Asked),
    /// A question without its position.
    Label(&'a Asked),
    /// The state of a question; true if its answer cannot stand.
    State(&'a Asked, bool),
    /// The hint on what can be typed for a question.
    Hint(&'a Asked),
    /// The menu of the options of a question.
    Options(&'a Asked),
    /// The menu of the questions.
    Questions,
    /// The previous page.
    Earlier,
    /// The next page.
    Later,
    /// The title of the form for the whole declaration.
    WholeTitle,
    WholeLabel,
    /// The hint in the form for the whole declaration.
    WholeHint,
    /// The number of lines left out here.
    LeftOutLines(usize),
}

impl Caption<'_> {
    /// Returns the name of the caption's macro, and the macro's argument.
    fn called(self) -> (&'static str, Argument) {
        let view = |asked: &Asked| seen(QuestionView::new(asked));
        let nothing = || Argument::from(());
        match self {
            Self::Back => ("back", nothing()),
            Self::Clear => ("clear", nothing()),
            Self::Pass => ("pass", nothing()),
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

/// Returns a value as the argument of a macro.
fn seen(it: impl Serialize) -> Argument {
    Argument::from(Serde(&it))
}

/// A question; `faulty` is true if its answer cannot stand.
#[derive(Serialize)]
struct AskedState {
    question: QuestionView,
    faulty: bool,
}

/// The names of the macros of all captions.
pub(crate) const CAPTIONS: [&str; 44] = [
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
    "pass",
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

/// Returns the captions of a question and of a value, and every caption that needs neither.
pub(crate) fn captions<'a>(asked: &'a Asked, value: &'a Value) -> Vec<Caption<'a>> {
    use Caption::{
        About, Back, Beside, Clear, Course, Do, Earlier, Fresh, Hint, InReserve, Label, Later,
        LeaveOut, Left, LeftOutLines, Meaning, Next, NoOrder, NoReserve, Offer, Options, Ordering,
        Others, Over, Pass, PassRest, Question, Questions, Reserves, Same, Seal, SealAnyway,
        SealEmpty, State, ToSheet, Undo, Whole, WholeHint, WholeLabel, WholeTitle, Write,
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
        SealAnyway, Fresh, NoOrder, Pass, PassRest, Next, Undo, Write, Questions, Earlier, Later,
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

    /// The question shown by the panel.
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
    /// Writes the answers of a draft, its faults, and the defaults for what it leaves out.
    pub fn drafted(&self, reader: &Reader, drafted: &DraftView<'_>) -> Result<String, LetterFault> {
        let DraftView { interview, unread, sealing, at_once } = *drafted;
        let heard = DeclaredAnswers::new(interview);
        self.write(reader, &Drafted { heard, unread, sealing, at_once })
    }

    /// Writes the question shown by a panel, the default for no answer, and the consequences of a seal.
    pub fn panel_question(
        &self,
        reader: &Reader,
        question: &PanelQuestion<'_>,
    ) -> Result<String, LetterFault> {
        let PanelQuestion { interview, asked, beside, reserves, warned, at_once } = *question;
        let (question, heard) = (asked.map(QuestionView::new), DeclaredAnswers::new(interview));
        self.write(reader, &AskedOnPanel { question, beside, reserves, heard, warned, at_once })
    }

    /// Writes the texts of several controls, each on one line.
    pub fn captions(
        &self,
        reader: &Reader,
        captions: &[Caption<'_>],
    ) -> Result<Vec<String>, LetterFault> {
        let calls = captions.iter().map(|caption| caption.called());
        let template = template_name(PANEL, reader.lang, "captions");
        let texts = self.say_all(&template, reader, calls.collect())?;
        Ok(texts.iter().map(|text| text.trim().to_owned()).collect())
    }

    /// Writes the text of one control.
    pub fn caption(&self, reader: &Reader, caption: Caption<'_>) -> Result<String, LetterFault> {
        self.captions(reader, &[caption]).map(|texts| texts.concat())
    }
}
