//! The answers that a seat can give by one press of a control.
//!
//! They are derived from public knowledge, so that a control that everybody sees reveals nothing. The press
//! itself checks that its answer is still possible.

use smol_str::SmolStr;

use crate::engine::contest::Contest;
use crate::engine::interview;
use crate::engine::interview::Interview;
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::game::Game;
use crate::vocabulary::question::{Key, Shape};
use crate::vocabulary::seat::{Seat, Viewer};
use crate::vocabulary::window::WindowKind;

/// The maximum number of answers to one question that are offered as presses.
const MOST: usize = 10;

/// An answer or act that one press declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Press {
    pub declaration: Declaration,
    /// The chosen options, in the order of their questions; empty for a pass.
    pub options: Vec<SmolStr>,
    /// True if the press is complete; if not, more questions follow.
    pub whole: bool,
}

impl Press {
    fn ends_with_a_player(&self) -> bool {
        self.options.last().is_some_and(|option| option.parse::<Seat>().is_ok())
    }
}

impl<G: Game> Contest<G> {
    /// Returns the answers to the only question of the open window, if all seats that are asked have the same
    /// one and each answer is complete; else, in a reaction window, the pass on all its questions. Empty if
    /// there is neither.
    pub fn common_answers(&self) -> Vec<Press> {
        if self.is_suspended() {
            return Vec::new();
        }
        let seen = G::seen_by(&self.root, Viewer::Public);
        let answers = self.common(|seat| answers::<G>(&seen, seat));
        if answers.is_empty() && self.procedure().kind == WindowKind::Reaction {
            return self.common(|seat| pass::<G>(&seen, seat));
        }
        answers
    }

    /// Returns the presses of the seats that are asked, if they are the same for all. Else empty.
    fn common(&self, presses: impl Fn(Seat) -> Vec<Press>) -> Vec<Press> {
        let mut all = self.asked().into_iter().map(presses);
        let first = all.next().unwrap_or_default();
        if all.all(|other| other == first) { first } else { Vec::new() }
    }

    /// Returns the acts that one seat or another can do immediately. An act that takes two answers is offered
    /// with both, unless the second has too many options, or is a player: a name alone says too little.
    pub fn common_acts(&self) -> Vec<Press> {
        if self.is_suspended() || self.standing.is_some() {
            return Vec::new();
        }
        let seen = G::seen_by(&self.root, Viewer::Public);
        let mut all: Vec<Press> = Vec::new();
        for (seat, _) in G::asked(&self.root).iter() {
            for begun in next::<G>(&seen, seat, &Press::default()) {
                let ended = if begun.whole { Vec::new() } else { next::<G>(&seen, seat, &begun) };
                let fit = (1..=MOST).contains(&ended.len())
                    && ended.iter().all(|press| press.whole && !press.ends_with_a_player());
                for press in if fit { ended } else { vec![begun] } {
                    if !all.contains(&press) {
                        all.push(press);
                    }
                }
            }
        }
        all
    }
}

/// Returns the answers to the only question that a seat is asked.
fn answers<G: Game>(seen: &G::State, seat: Seat) -> Vec<Press> {
    let form = |declaration: &Declaration| interview::interview::<G>(seen, seat, declaration);
    let found = form(&Declaration::default());
    let Some((key, options)) = choice(&found).filter(|_| found.asked.len() == 1) else {
        return Vec::new();
    };
    let mut answers = each(&Press::default(), key, options, &form);
    answers.retain(|press| press.whole);
    if answers.len() <= MOST { answers } else { Vec::new() }
}

/// Returns the pass on all questions that a seat is asked; empty if a question cannot be passed.
fn pass<G: Game>(seen: &G::State, seat: Seat) -> Vec<Press> {
    let form = |declaration: &Declaration| interview::interview::<G>(seen, seat, declaration);
    let found = form(&Declaration::default());
    let passing = found.letting_rest_pass(&Declaration::default());
    let passing = passing.filter(|declaration| form(declaration).is_complete());
    passing
        .map(|declaration| Press { declaration, options: Vec::new(), whole: true })
        .into_iter()
        .collect()
}

/// Returns an act with each answer to its next question.
fn next<G: Game>(seen: &G::State, seat: Seat, begun: &Press) -> Vec<Press> {
    let form = |declaration: &Declaration| interview::acting::<G>(seen, seat, declaration);
    let found = form(&begun.declaration);
    choice(&found).map_or_else(Vec::new, |(key, options)| each(begun, key, options, &form))
}

/// Returns the first unanswered question, if it is a choice.
fn choice(found: &Interview) -> Option<(&Key, &[SmolStr])> {
    let waiting = found.asked.iter().find(|asked| asked.answer.is_none())?;
    match &waiting.question.shape {
        Shape::Choose { options, .. } => Some((&waiting.question.key, options)),
        _ => None,
    }
}

fn each(
    begun: &Press,
    key: &Key,
    options: &[SmolStr],
    form: &dyn Fn(&Declaration) -> Interview,
) -> Vec<Press> {
    let with = |option: &SmolStr| {
        let mut press = begun.clone();
        press.declaration.set(key.clone(), Answer::Given(Value::Choice(option.clone())));
        press.options.push(option.clone());
        press.whole = form(&press.declaration).is_all_said();
        press
    };
    options.iter().map(with).collect()
}
