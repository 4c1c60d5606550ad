//! What is done at once, in the players' own words, and what could be.

use serde::Serialize;
use smol_str::SmolStr;

use crate::engine::interview::Interview;
use crate::text::effort::{ACT, Effort};
use crate::text::lexicon::Lang;
use crate::text::read::{DeclarationReader, Misread, Read, Reading, UnreadReason, place};
use crate::text::words::Words;
use crate::text::write::{section_mark, write};
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::question::{Key, Question, Shape};

/// More questions than this are asked about no example.
const LONGEST: usize = 8;

/// Reads a text as something that is done at once. What is to be done, which is asked first, may be
/// said behind what it is about, or not at all: then it is the one thing under which all the rest
/// can be read, and if there are several, that is what is wrong with the text.
pub fn read_act(
    text: &str,
    form: &dyn Fn(&Declaration) -> Interview,
    words: &Words<'_>,
) -> Reading {
    let plain = read_over(text, &Declaration::default(), form, words);
    let Some((deed, mut deeds, barred)) = deed(form) else { return plain };
    deeds.extend(barred);
    let deeds = match plain.declaration.get(&deed.key) {
        _ if is_all_read(&plain) => return plain,
        None => deeds,
        Some(Answer::Given(Value::Choice(said))) => vec![said.clone()],
        Some(_) => return plain,
    };
    let under = |deed_said: SmolStr| {
        let answer = Answer::Given(Value::Choice(deed_said.clone()));
        let mut draft = Declaration::default();
        draft.set(deed.key.clone(), answer.clone());
        let mut reading = read_over(text, &draft, form, words);
        // A verb may be all that is said of it: "yes".
        if reading.lines.is_empty() && reading.verbs.contains(&deed_said) {
            let (span, key) = (0..text.len(), deed.key.clone());
            reading.lines.push(Read { span, key, answer: answer.clone() });
        }
        let is_meant = reading.declaration.get(&deed.key) == Some(&answer) && is_grasped(&reading);
        is_meant.then_some((deed_said, reading))
    };
    let mut meant: Vec<(SmolStr, Reading)> = deeds.into_iter().filter_map(under).collect();
    // What cannot stand is only meant if nothing else is.
    let stands = |(_, reading): &(SmolStr, Reading)| {
        reading.misread.is_empty() && form(&reading.declaration).faults.is_empty()
    };
    if meant.iter().any(stands) {
        meant.retain(stands);
    }
    match meant.len() {
        0 => plain,
        1 => meant.remove(0).1,
        _ => several(text, &deed, meant.into_iter().map(|(deed, _)| deed).collect()),
    }
}

/// Something that can be done at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// A text that does it: with the first that is legal for all that is asked then.
    pub text: String,
    /// What else can be said in it, where there is a choice.
    pub choices: Vec<Choices>,
}

/// Everything that can be answered to a question about something that is done at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choices {
    pub key: Key,
    /// What is legal, whatever is answered to the questions before it.
    pub options: Vec<SmolStr>,
}

/// Each thing that can be done at once, and what can be said about it.
pub fn acts(
    form: &dyn Fn(&Declaration) -> Interview,
    words: &Words<'_>,
    lang: Lang,
) -> Vec<Example> {
    let Some((deed, deeds, _)) = deed(form) else { return Vec::new() };
    let example = |choice: SmolStr| {
        let mut choices = Vec::new();
        let mut bare = Declaration::default();
        bare.set(deed.key.clone(), Answer::Given(Value::Choice(choice)));
        let said = complete(form, bare.clone(), &mut choices);
        // What is asked later may hang on the first answer: who is left, when somebody is named.
        if let Some(Choices { key, options }) = choices.first().cloned() {
            for option in options {
                let mut other = bare.clone();
                other.set(key.clone(), Answer::Given(Value::Choice(option)));
                complete(form, other, &mut choices);
            }
        }
        choices.retain(|choices| choices.options.len() > 1);
        for Choices { options, .. } in &mut choices {
            options.sort_by_cached_key(|id| (words.lexicon().place(id), id.clone()));
        }
        Example { text: written_act(&said, &form(&said), words, lang), choices }
    };
    deeds.into_iter().map(example).collect()
}

/// Something that is done at once, as it could be typed: the mark of its part goes without saying.
pub fn written_act(
    said: &Declaration,
    interview: &Interview,
    words: &Words<'_>,
    lang: Lang,
) -> String {
    let text = write(said, interview, words, lang);
    let first = interview.asked.first();
    let mark = first.map(|asked| section_mark(&asked.question.key.section, None, words, lang));
    let body = mark.as_deref().and_then(|mark| text.strip_prefix(mark));
    body.unwrap_or(&text).trim_start().to_owned()
}

/// Answers whatever is asked with the first that is legal, and notes what else would be.
fn complete(
    form: &dyn Fn(&Declaration) -> Interview,
    mut said: Declaration,
    choices: &mut Vec<Choices>,
) -> Declaration {
    for _ in 0..LONGEST {
        let found = form(&said);
        let Some((question, answer)) = found.open().find_map(|asked| {
            let question = &asked.question;
            Some((question, first(question).filter(|_| asked.answer.is_none())?))
        }) else {
            break;
        };
        if let Shape::Choose { options, .. } = &question.shape {
            note(choices, &question.key, options);
        }
        said.set(question.key.clone(), Answer::Given(answer));
    }
    said
}

fn note(choices: &mut Vec<Choices>, key: &Key, options: &[SmolStr]) {
    let at = choices.iter().position(|choices| choices.key == *key).unwrap_or_else(|| {
        choices.push(Choices { key: key.clone(), options: Vec::new() });
        choices.len() - 1
    });
    for option in options {
        if !choices[at].options.contains(option) {
            choices[at].options.push(option.clone());
        }
    }
}

/// The question what is to be done, what can be, and what is barred for now.
fn deed(
    form: &dyn Fn(&Declaration) -> Interview,
) -> Option<(Question, Vec<SmolStr>, Vec<SmolStr>)> {
    let first = form(&Declaration::default()).asked.into_iter().next()?.question;
    let Shape::Choose { options, barred } = &first.shape else { return None };
    let (options, barred) = (options.clone(), barred.clone());
    Some((first, options, barred))
}

/// The first legal answer, if it is a single piece or a number.
fn first(question: &Question) -> Option<Value> {
    match &question.shape {
        Shape::Choose { options, .. } => options.first().cloned().map(Value::Choice),
        Shape::Number { min, .. } => Some(Value::Number(*min)),
        Shape::Pick { .. } | Shape::Pay { .. } | Shape::Text { .. } => None,
    }
}

/// Reads a text in the part that is asked first: it needs no mark.
fn read_over(
    text: &str,
    draft: &Declaration,
    form: &dyn Fn(&Declaration) -> Interview,
    words: &Words<'_>,
) -> Reading {
    let mut reader = DeclarationReader::new(text, draft, form, words);
    let first = reader.found.asked.first().map(|asked| place(&asked.question.key));
    if let (None, Some((section, number))) = (&reader.here, first) {
        reader.open(section, number);
    }
    reader.effort = Effort::new(ACT);
    reader.read_all();
    reader.finish()
}

/// True if something is said, and all of it is understood.
fn is_all_read(reading: &Reading) -> bool {
    !reading.lines.is_empty() && reading.misread.is_empty() && reading.moot.is_empty()
}

/// True if it is at least clear what was meant.
fn is_grasped(reading: &Reading) -> bool {
    let slip = |misread: &Misread| matches!(misread.why, UnreadReason::Tacit);
    let says = !reading.lines.is_empty() || !reading.misread.is_empty();
    says && reading.moot.is_empty() && reading.misread.iter().all(slip)
}

/// Nothing is read of what could mean several things.
fn several(text: &str, deed: &Question, deeds: Vec<SmolStr>) -> Reading {
    let misread = Misread {
        span: 0..text.len(),
        text: text.trim().to_owned(),
        section: Some(deed.key.whole()),
        why: UnreadReason::Several,
        nearest: deeds,
    };
    let declaration = Declaration::default();
    Reading { declaration, misread: vec![misread], ..Reading::default() }
}
