//! The texts of the declaration panel.

use minijinja::value::{Serde, Value as Argument};
use serde::Serialize;
use smol_str::SmolStr;
use strum::{IntoStaticStr, VariantNames};

use crate::template::letters::template_name;
use crate::template::typed::letters;
use crate::template::{DeclaredAnswers, QuestionView};
use crate::{Letters, Reader, Result, UnreadPiece};
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

/// The text of a control. The name of a caption is the name of its macro.
#[derive(Clone, Copy, Debug, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "snake_case")]
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
        let argument = match self {
            Self::InReserve(asked)
            | Self::Ordering(asked)
            | Self::LeaveOut(asked)
            | Self::Beside(asked)
            | Self::Question(asked)
            | Self::Label(asked)
            | Self::Hint(asked)
            | Self::Options(asked) => seen(QuestionView::new(asked)),
            Self::State(asked, faulty) => {
                seen(AskedState { question: QuestionView::new(asked), faulty })
            }
            Self::Value(value) | Self::Offer(value) | Self::Meaning(value) => seen(value),
            Self::Course(values) => seen(values),
            Self::All(options) | Self::More(options) => seen(options),
            Self::Over(over) => seen(over),
            Self::Left(count) | Self::LeftOutLines(count) => seen(count),
            Self::About(about) => seen(about),
            _ => Argument::from(()),
        };
        (self.into(), argument)
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
    pub fn drafted(&self, reader: &Reader, drafted: &DraftView<'_>) -> Result<String> {
        let DraftView { interview, unread, sealing, at_once } = *drafted;
        let heard = DeclaredAnswers::new(interview);
        self.write(reader, &Drafted { heard, unread, sealing, at_once })
    }

    /// Writes the question shown by a panel, the default for no answer, and the consequences of a seal.
    pub fn panel_question(&self, reader: &Reader, question: &PanelQuestion<'_>) -> Result<String> {
        let PanelQuestion { interview, asked, beside, reserves, warned, at_once } = *question;
        let (question, heard) = (asked.map(QuestionView::new), DeclaredAnswers::new(interview));
        self.write(reader, &AskedOnPanel { question, beside, reserves, heard, warned, at_once })
    }

    /// Writes the texts of several controls, each on one line.
    pub fn captions(&self, reader: &Reader, captions: &[Caption<'_>]) -> Result<Vec<String>> {
        let calls = captions.iter().map(|caption| caption.called());
        let template = template_name(PANEL, reader.lang, "captions");
        let texts = self.say_all(&template, reader, calls.collect())?;
        Ok(texts.iter().map(|text| text.trim().to_owned()).collect())
    }

    /// Writes the text of one control.
    pub fn caption(&self, reader: &Reader, caption: Caption<'_>) -> Result<String> {
        self.captions(reader, &[caption]).map(|texts| texts.concat())
    }
}
