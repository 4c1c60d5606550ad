//! A draft held against its questions: what of it nobody asks any more, and what can be said again of
//! what was said the last time.

use crate::rules::engine::interview::Interview;
use crate::rules::vocabulary::declaration::{Answer, Declaration, Value};
use crate::rules::vocabulary::question::Key;

/// What can be said again of what was said the last time: all that is asked again and can stand, but
/// for the player's own words. None if that is nothing.
pub fn said_again(
    form: &dyn Fn(&Declaration) -> Interview,
    before: &Declaration,
) -> Option<Declaration> {
    let mut draft = Declaration::default();
    // Standing orders are asked as they stand now.
    for (key, answer) in before.without_orders().iter() {
        if !matches!(answer, Answer::Given(Value::Text(_))) {
            draft.set(key.clone(), answer.clone());
        }
    }
    loop {
        let found = tidy(&mut draft, form);
        let faulty: Vec<&Key> = found.faults.iter().chain(&found.remarks).map(|f| &f.key).collect();
        let mut mended = draft.clone();
        for key in &faulty {
            mended.remove(key);
        }
        if mended == draft {
            // What cannot stand for another reason is not said for them.
            let says = draft.iter().any(|(_, answer)| matches!(answer, Answer::Given(_)));
            return Some(draft).filter(|_| says && faulty.is_empty());
        }
        draft = mended;
    }
}

/// Takes out of a draft what nobody asks any more.
pub fn tidy(draft: &mut Declaration, form: &dyn Fn(&Declaration) -> Interview) -> Interview {
    let found = form(draft);
    if found.superfluous.is_empty() {
        return found;
    }
    for key in &found.superfluous {
        draft.remove(key);
    }
    form(draft)
}
