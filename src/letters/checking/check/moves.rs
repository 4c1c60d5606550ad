//! The check of the game master's moves: each has its sentence.

use std::collections::BTreeSet;

use serde_json::json;
use smol_str::SmolStr;

use crate::checking::check::Check;
use crate::decision::{Move, ShownDecision};
use crate::decisions::Decided;
use crate::template::reader::Reader;
use games::any::{AnyContest, AnyGame};
use rules::{Answer, Declaration, Question, Shape, Value, Viewer};

/// The maximum number of questions answered for a move.
const LONGEST: usize = 8;

impl Check<'_> {
    /// Checks that every move of a game possible now has a macro, that there are no others, and writes each.
    pub(super) fn moves(&mut self, game: &dyn AnyGame, reader: &Reader, contest: &dyn AnyContest) {
        let asked = contest.rehearse(&Declaration::default(), Viewer::All).asked;
        let parts: BTreeSet<SmolStr> =
            asked.into_iter().map(|asked| asked.question.key.section).collect();
        let wanted: Vec<&str> = parts.iter().map(SmolStr::as_str).collect();
        self.macros(game.key(), reader.lang, "moves", &wanted);
        for part in &parts {
            let mut declared = Declaration::default();
            for _ in 0..LONGEST {
                // Writes the incomplete move, too.
                let what = json!({ "does": "edit", "said": declared });
                let (moves, time, reason) = (Move::all(&declared), None, "");
                let (pace, absence) = (None, None);
                let decision = ShownDecision {
                    what,
                    moves,
                    pace,
                    absence,
                    time,
                    reason,
                    undone: None,
                    closes: None,
                };
                self.note(self.letters.stands(reader, &decision));
                let decided = Decided { number: None, alone: false, decision: &decision };
                self.note(self.letters.write(reader, &decided));
                let asked = contest.rehearse(&declared, Viewer::All).asked;
                let open = asked.iter().filter(|asked| asked.answer.is_none());
                let mut questions = open.map(|asked| &asked.question);
                let next = questions.find_map(|question| {
                    let value = first(question).filter(|_| question.key.section == *part)?;
                    Some((question.key.clone(), value))
                });
                let Some((key, value)) = next else { break };
                declared.set(key, Answer::Given(value));
            }
        }
    }
}

/// Returns the first legal answer, if it is a piece or a number.
fn first(question: &Question) -> Option<Value> {
    match &question.shape {
        Shape::Choose { options, .. } => options.first().cloned().map(Value::Choice),
        Shape::Pick { options, .. } => {
            options.first().map(|option| Value::Picks(vec![option.clone()]))
        }
        Shape::Number { min, .. } => Some(Value::Number(*min)),
        Shape::Pay { .. } | Shape::Text { .. } => None,
    }
}
