//! The subject of a panel, and the part of a draft that it shows.

use std::fmt;

use crate::panel::SheetQuestion;
use crate::{Letters, Reader, UnreadPiece};
use rules::{Asked, Declaration, Fault, Forms, Interview, Key, SealWarning};

/// The input of drawing a panel.
#[derive(Clone, Copy)]
pub struct PanelDrawing<'a> {
    pub letters: &'a Letters,
    pub reader: &'a Reader,
    /// The interview of the reader.
    pub form: Forms<'a>,
    /// The answers so far.
    pub draft: &'a Declaration,
    /// The last declaration, if it can be repeated.
    pub before: Option<&'a Declaration>,
    /// The part of the draft to show.
    pub view: &'a View,
    /// The pieces of the last input that could not be parsed.
    pub unread: &'a [UnreadPiece],
    /// The subject of the panel.
    pub subject: PanelSubject,
}

/// The subject of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelSubject {
    /// A declaration, which is drafted and sealed.
    Declaration,
    /// An immediate act, without a seal: every question has to be answered.
    Act,
    /// Standing orders: each answer is stored immediately.
    Orders,
    /// The declaration for the next window: each answer is stored immediately.
    Next,
}

impl fmt::Debug for PanelDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PanelDrawing")
    }
}

/// The part of a draft that a panel shows, for one drawing; the draft does not store the part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The question shown; `None` for the first with a fault, or the first that waits.
    pub question: Option<Key>,
    /// The page of the question's options, from 0.
    pub page: u16,
    /// The page of the list of questions, from 0; `None` for the page of the question.
    pub leaf: Option<u16>,
    /// True if the panel shows the reserves.
    pub reserves: bool,
    /// The seal warning to confirm; `None` without one.
    pub warned: Option<SealWarning>,
}

impl View {
    /// Returns the view of a question.
    pub(super) fn at(question: &Key) -> Self {
        Self { question: Some(question.clone()), ..Self::default() }
    }

    /// Returns the view of the next question that waits after this one, or else before it.
    pub(super) fn after(found: &Interview, question: &Key) -> Self {
        let at = found.asked.iter().position(|asked| asked.question.key == *question);
        let (before, behind) = found.asked.split_at(at.unwrap_or_default());
        let others = behind.iter().skip(1).chain(before).chain(behind.first());
        let next = others.into_iter().find(|asked| asked.waits());
        Self { question: next.map(|asked| asked.question.key.clone()), ..Self::default() }
    }

    /// Returns the face of the panel: the chosen question, or the first with a fault; else the questions side
    /// by side, if there are several, unless only a question outside of them waits; or the first that waits,
    /// or that has a remark. Without any, the draft is complete.
    pub(super) fn face(&self, found: &Interview, sheet: Vec<SheetQuestion>) -> PanelFace {
        if self.warned.is_some() {
            return PanelFace::Warned;
        }
        let place = |fits: &dyn Fn(&Asked) -> bool| found.asked.iter().position(fits);
        let looked = self.question.as_ref();
        let looked = looked
            .and_then(|key| place(&|asked| asked.question.key == *key))
            .or_else(|| place(&|asked| is_at_fault(&found.faults, &asked.question.key)));
        if let Some(at) = looked {
            return PanelFace::Question(at);
        }
        if self.leaf.is_some() {
            return PanelFace::List;
        }
        if sheet.len() > 1 {
            let waits_there = sheet.iter().any(|question| found.asked[question.at].waits());
            let alone = || place(&|asked| asked.is_open() && asked.only_answer().is_none());
            return match alone().filter(|_| !waits_there) {
                Some(at) => PanelFace::Question(at),
                None => PanelFace::Sheet(sheet),
            };
        }
        let rest =
            place(&Asked::waits).or_else(|| place(&|asked| is_faulty(found, &asked.question.key)));
        rest.map_or(PanelFace::Complete, PanelFace::Question)
    }
}

/// The content of a panel.
#[derive(Clone, Debug)]
pub(crate) enum PanelFace {
    /// A seal warning.
    Warned,
    /// Several questions side by side.
    Sheet(Vec<SheetQuestion>),
    /// The reserves for each part.
    Reserves(Vec<SheetQuestion>),
    /// One question, at this position in the interview.
    Question(usize),
    /// The list of all questions.
    List,
    /// The note that the draft is complete.
    Complete,
}

impl PanelFace {
    /// Returns the position of the question shown; `None` if the panel shows several or none.
    pub(super) fn question(&self) -> Option<usize> {
        match self {
            Self::Question(at) => Some(*at),
            Self::Warned | Self::Sheet(_) | Self::Reserves(_) | Self::List | Self::Complete => None,
        }
    }
}

/// True if the answer to a question has a fault or a remark.
pub(super) fn is_faulty(found: &Interview, key: &Key) -> bool {
    is_at_fault(&found.faults, key) || is_at_fault(&found.remarks, key)
}

fn is_at_fault(faults: &[Fault], key: &Key) -> bool {
    faults.iter().any(|fault| fault.key == *key)
}
