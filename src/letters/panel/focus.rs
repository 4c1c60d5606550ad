//! Which question a panel shows.

use super::choices::waits;
use super::courses::SheetQuestion;
use rules::{Asked, Fault, Interview, Key, SealWarning};

/// What a panel shows of a draft. It is none of the draft's business and lasts for one drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The question that is looked at; without one, the first with a fault, or that waits.
    pub question: Option<Key>,
    /// The page of what is offered for it.
    pub page: u16,
    /// The page of the list of questions; without one, that on which the question stands.
    pub leaf: Option<u16>,
    /// True if it is what can be held in reserve.
    pub reserves: bool,
    /// A seal was wanted and is asked about once.
    pub warned: Option<SealWarning>,
}

impl View {
    /// Looks at a question.
    pub(super) fn at(question: &Key) -> Self {
        Self { question: Some(question.clone()), ..Self::default() }
    }

    /// Looks at the next question that waits after this one, or before it.
    pub(super) fn after(found: &Interview, question: &Key) -> Self {
        let at = found.asked.iter().position(|asked| asked.question.key == *question);
        let (before, behind) = found.asked.split_at(at.unwrap_or_default());
        let others = behind.iter().skip(1).chain(before).chain(behind.first());
        let next = others.into_iter().find(|asked| waits(asked));
        Self { question: next.map(|asked| asked.question.key.clone()), ..Self::default() }
    }

    /// What is shown: the question that is looked at, or the first with a fault; else the questions
    /// that stand side by side, if there are several, but for what has no place there and waits
    /// alone; or the first that waits, or that counts as left out. Without any, everything is said.
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
            let waits_there = sheet.iter().any(|question| waits(&found.asked[question.at]));
            let alone = || place(&|asked| asked.is_open() && asked.only_answer().is_none());
            return match alone().filter(|_| !waits_there) {
                Some(at) => PanelFace::Question(at),
                None => PanelFace::Sheet(sheet),
            };
        }
        let rest = place(&waits).or_else(|| place(&|asked| is_faulty(found, &asked.question.key)));
        rest.map_or(PanelFace::Complete, PanelFace::Question)
    }
}

/// What a panel shows.
#[derive(Clone, Debug)]
pub(super) enum PanelFace {
    /// That a seal was wanted, and what it would mean.
    Warned,
    /// Several questions side by side.
    Sheet(Vec<SheetQuestion>),
    /// What can be held in reserve for each part.
    Reserves(Vec<SheetQuestion>),
    /// One question, at this place of the interview.
    Question(usize),
    /// The list of all questions.
    List,
    /// That everything is said.
    Complete,
}

impl PanelFace {
    /// The place of the one question that is shown.
    pub(super) fn question(&self) -> Option<usize> {
        match self {
            Self::Question(at) => Some(*at),
            Self::Warned | Self::Sheet(_) | Self::Reserves(_) | Self::List | Self::Complete => None,
        }
    }
}

/// True if what is said to a question cannot stand.
pub(super) fn is_faulty(found: &Interview, key: &Key) -> bool {
    is_at_fault(&found.faults, key) || is_at_fault(&found.remarks, key)
}

fn is_at_fault(faults: &[Fault], key: &Key) -> bool {
    faults.iter().any(|fault| fault.key == *key)
}
