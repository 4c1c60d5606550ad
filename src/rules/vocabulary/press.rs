//! What can be said by one press, by whoever is asked.
//!
//! It is found over what the public may know, so that a control that everybody sees tells nobody
//! anything. Whether an answer is still possible is found out when it is pressed.

use smol_str::SmolStr;

use crate::engine::contest::Contest;
use crate::engine::interview;
use crate::engine::interview::Interview;
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::game::Game;
use crate::vocabulary::question::{Key, Shape};
use crate::vocabulary::seat::{Seat, Viewer};

/// More answers to one question than this are no matter of one press.
const MOST: usize = 10;

/// Something that can be said by one press.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Press {
    pub said: Declaration,
    /// The options that it is made of, in the order in which they are asked for.
    pub options: Vec<SmolStr>,
    /// True if that is all that has to be said; if not, more is asked.
    pub whole: bool,
}

impl Press {
    fn ends_with_a_player(&self) -> bool {
        self.options.last().is_some_and(|option| option.parse::<Seat>().is_ok())
    }
}

impl<G: Game> Contest<G> {
    /// The answers to the one question that everybody who is asked in the open window is asked
    /// alike, as far as they are all that there is to say; none if there is no such question.
    pub fn common_answers(&self) -> Vec<Press> {
        if self.is_suspended() {
            return Vec::new();
        }
        let seen = G::seen_by(&self.root, Viewer::Public);
        let mut answers = self.asked().into_iter().map(|seat| answers::<G>(&seen, seat));
        let first = answers.next().unwrap_or_default();
        let alike = !first.is_empty() && answers.all(|other| other == first);
        if alike { first } else { Vec::new() }
    }

    /// What one or another can do at once. What takes two answers is there with both, unless there
    /// are too many of the second, or it is a player: a name alone says too little.
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

/// The answers to the only question that a seat is asked.
fn answers<G: Game>(seen: &G::State, seat: Seat) -> Vec<Press> {
    let form = |said: &Declaration| interview::interview::<G>(seen, seat, said);
    let found = form(&Declaration::default());
    let Some((key, options)) = choice(&found).filter(|_| found.asked.len() == 1) else {
        return Vec::new();
    };
    let mut answers = each(&Press::default(), key, options, &form);
    answers.retain(|press| press.whole);
    if answers.len() <= MOST { answers } else { Vec::new() }
}

/// What an act comes to with each answer to what is asked about it next.
fn next<G: Game>(seen: &G::State, seat: Seat, begun: &Press) -> Vec<Press> {
    let form = |said: &Declaration| interview::acting::<G>(seen, seat, said);
    let found = form(&begun.said);
    choice(&found).map_or_else(Vec::new, |(key, options)| each(begun, key, options, &form))
}

/// The first question that waits, if it is for one of several.
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
        press.said.set(key.clone(), Answer::Given(Value::Choice(option.clone())));
        press.options.push(option.clone());
        press.whole = form(&press.said).is_all_said();
        press
    };
    options.iter().map(with).collect()
}
