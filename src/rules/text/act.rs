//! The acts in the players' own words: parsing them, and examples of them; and single answers without
//! their part.

use serde::Serialize;
use smol_str::SmolStr;

use crate::text::read::{ACT, Effort, place};
use crate::text::write::section_mark;
use crate::text::{
    DeclarationReader, Lang, Misread, Read, Reading, UnreadReason, Words, fold, read, write,
};
use crate::vocabulary::Lapse;
use crate::{
    Answer, Asked, Clause, Declaration, Forms, Interview, Key, Question, Seat, Shape, Suppose,
    Value,
};

/// The maximum number of questions that an example answers.
const LONGEST: usize = 8;

/// Parses a text as an act. The deed, which is asked for first, may be typed after its details or left out:
/// then the only deed under which the rest can be parsed is meant. Several such deeds make the text a
/// misreading.
pub fn read_act(text: &str, form: Forms<'_>, words: &Words<'_>) -> Reading {
    let plain = read_over(text, &Declaration::default(), form, words);
    let Some((deed, mut deeds, barred)) = deed(form) else { return plain };
    deeds.extend(barred);
    let deeds = match plain.declaration.get(&deed.key) {
        _ if is_all_read(&plain) => return plain,
        None => deeds,
        Some(Answer::Given(Value::Choice(declared))) => vec![declared.clone()],
        Some(_) => return plain,
    };
    let under = |declared: SmolStr| {
        let answer = Answer::Given(Value::Choice(declared.clone()));
        let mut draft = Declaration::default();
        draft.set(deed.key.clone(), answer.clone());
        let mut reading = read_over(text, &draft, form, words);
        // A verb may be the whole text: "yes".
        if reading.lines.is_empty() && reading.verbs.contains(&declared) {
            let (span, key) = (0..text.len(), deed.key.clone());
            reading.lines.push(Read { span, key, answer: answer.clone() });
        }
        let is_meant = reading.declaration.get(&deed.key) == Some(&answer) && is_grasped(&reading);
        is_meant.then_some((declared, reading))
    };
    let mut meant: Vec<(SmolStr, Reading)> = deeds.into_iter().filter_map(under).collect();
    // A deed that cannot stand is only meant if no other deed is.
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

impl Reading {
    /// True if an act names its deed, which this question asks for: by the deed's word or by a verb.
    pub fn names(&self, deed: &Key) -> bool {
        let does = self.declaration.get(deed).and_then(Answer::value);
        let is_done = |value: &Value| matches!(value, Value::Choice(id) if self.verbs.contains(id));
        let is_it = |read: &Read| read.key == *deed && read.answer != Answer::LeftOut;
        self.lines.iter().any(is_it) || does.is_some_and(is_done)
    }
}

/// An example of an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// A text for the act, with the first legal answer to each question.
    pub text: String,
    /// The other possible answers, for questions with a choice.
    pub choices: Vec<Choices>,
}

/// The possible answers to a question about an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choices {
    pub key: Key,
    /// The legal options, whatever the answers to the questions before.
    pub options: Vec<SmolStr>,
    /// The lowest and highest legal number as they are written, `None` for a choice.
    pub numbers: Option<[String; 2]>,
}

/// Returns an example of each possible act, with its choices.
pub fn acts(form: Forms<'_>, words: &Words<'_>, lang: Lang) -> Vec<Example> {
    let Some((deed, deeds, _)) = deed(form) else { return Vec::new() };
    let example = |choice: SmolStr| {
        let mut choices = Vec::new();
        let mut bare = Declaration::default();
        bare.set(deed.key.clone(), Answer::Given(Value::Choice(choice)));
        let declaration = complete(form, bare.clone(), &mut choices);
        let found = form(&declaration);
        // An act without a legal answer to one of its questions is impossible.
        if found.asked.iter().any(|asked| asked.answer.is_none() && is_impossible(&asked.question))
        {
            return None;
        }
        // Later questions may depend on the first answer, such as the cards left once a player is named.
        if let Some(Choices { key, options, .. }) = choices.first().cloned() {
            for option in options {
                let mut other = bare.clone();
                other.set(key.clone(), Answer::Given(Value::Choice(option)));
                complete(form, other, &mut choices);
            }
        }
        choices.retain(|choices| choices.options.len() > 1);
        choices.extend(found.open().filter_map(|asked| numbers(&asked.question)));
        for Choices { options, .. } in &mut choices {
            options.sort_by_cached_key(|id| (words.lexicon().place(id), id.clone()));
        }
        Some(Example { text: written_act(&declaration, &found, words, lang), choices })
    };
    deeds.into_iter().filter_map(example).collect()
}

/// Writes an act as a player could type it, without the mark of its part.
pub fn written_act(
    declaration: &Declaration,
    interview: &Interview,
    words: &Words<'_>,
    lang: Lang,
) -> String {
    let text = write(declaration, interview, words, lang);
    let first = interview.asked.first();
    let mark = first.map(|asked| section_mark(&asked.question.key.section, None, words, lang));
    let body = mark.as_deref().and_then(|mark| text.strip_prefix(mark));
    body.unwrap_or(&text).trim_start().to_owned()
}

/// Answers each open question with the first legal option, and notes the other options.
fn complete(
    form: Forms<'_>,
    mut declaration: Declaration,
    choices: &mut Vec<Choices>,
) -> Declaration {
    for _ in 0..LONGEST {
        let found = form(&declaration);
        let Some((question, answer)) = found.open().find_map(|asked| {
            let question = &asked.question;
            Some((question, first(question).filter(|_| asked.answer.is_none())?))
        }) else {
            break;
        };
        if let Shape::Choose { options, .. } = &question.shape {
            note(choices, &question.key, options);
        }
        declaration.set(question.key.clone(), Answer::Given(answer));
    }
    declaration
}

fn note(choices: &mut Vec<Choices>, key: &Key, options: &[SmolStr]) {
    let at = choices.iter().position(|choices| choices.key == *key).unwrap_or_else(|| {
        choices.push(Choices { key: key.clone(), options: Vec::new(), numbers: None });
        choices.len() - 1
    });
    for option in options {
        if !choices[at].options.contains(option) {
            choices[at].options.push(option.clone());
        }
    }
}

/// Returns the question for the deed, with its legal and its barred options.
fn deed(form: Forms<'_>) -> Option<(Question, Vec<SmolStr>, Vec<SmolStr>)> {
    let first = form(&Declaration::default()).asked.into_iter().next()?.question;
    let Shape::Choose { options, barred } = &first.shape else { return None };
    let (options, barred) = (options.clone(), barred.clone());
    Some((first, options, barred))
}

/// Returns the first legal answer, if it is a single piece.
fn first(question: &Question) -> Option<Value> {
    match &question.shape {
        Shape::Choose { options, .. } => options.first().cloned().map(Value::Choice),
        Shape::Number { .. } | Shape::Pick { .. } | Shape::Pay { .. } | Shape::Text { .. } => None,
    }
}

/// Returns the legal numbers, `None` for a question without a number.
fn numbers(question: &Question) -> Option<Choices> {
    let Shape::Number { min, max, .. } = question.shape else { return None };
    let (key, options) = (question.key.clone(), Vec::new());
    Some(Choices { key, options, numbers: Some([min, max].map(|number| number.to_string())) })
}

/// True if the question needs an answer, and has no legal one.
fn is_impossible(question: &Question) -> bool {
    let is_empty = matches!(&question.shape, Shape::Choose { options, .. } if options.is_empty());
    is_empty && question.suppose != Suppose::Nothing
}

/// Parses a text in the part that is asked first, which needs no mark.
fn read_over(text: &str, draft: &Declaration, form: Forms<'_>, words: &Words<'_>) -> Reading {
    let mut reader = DeclarationReader::new(text, draft, form, words);
    let first = reader.found.asked.first().map(|asked| place(&asked.question.key));
    if let (None, Some((section, number))) = (&reader.here, first) {
        reader.open(section, number);
    }
    reader.effort = Effort::new(ACT);
    reader.read_all();
    reader.finish()
}

/// True if the text has answers, and all of it is understood.
fn is_all_read(reading: &Reading) -> bool {
    !reading.lines.is_empty() && reading.misread.is_empty() && reading.moot.is_empty()
}

/// True if the meaning of the text is clear at least.
fn is_grasped(reading: &Reading) -> bool {
    let slip = |misread: &Misread| matches!(misread.why, UnreadReason::Tacit);
    let says = !reading.lines.is_empty() || !reading.misread.is_empty();
    says && reading.moot.is_empty() && reading.misread.iter().all(slip)
}

/// Returns the misreading of a text with several possible meanings, and no answer.
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

/// Parses the answer to a question of this shape.
///
/// # Errors
/// The misread pieces, empty if the text has no answer.
pub fn read_one(text: &str, shape: &Shape, words: &Words<'_>) -> Result<Value, Vec<Misread>> {
    if let Some(id) = named(text, shape, words) {
        return Ok(Value::Choice(id));
    }
    let Some((section, names)) = words.lexicon().sections.first() else { return Err(Vec::new()) };
    let key = Key { section: section.clone(), number: 1, name: SmolStr::new_static("answer") };
    let form = |declaration: &Declaration| {
        let question = Question {
            seat: Seat::new(0),
            key: key.clone(),
            clause: Clause::new(""),
            shape: shape.clone(),
            suppose: Suppose::Die,
            default: Clause::new(""),
            tacit: None,
        };
        let (answer, standing, lapse) = (declaration.get(&key).cloned(), false, Lapse::Returned);
        let asked = vec![Asked { question, answer, standing, lapse }];
        Interview { asked, ..Interview::default() }
    };
    let mark = names.ja[0].trim_end_matches([':', '：']);
    let reading = read(&format!("{mark}: {text}"), &Declaration::default(), &form, words);
    let misread: Vec<Misread> = reading.misread.into_iter().chain(reading.moot).collect();
    match reading.lines.into_iter().next().map(|line| line.answer) {
        Some(Answer::Given(value)) if misread.is_empty() => Ok(value),
        _ => Err(misread),
    }
}

/// Returns the only option with exactly this name, even if the name begins like a section's mark.
fn named(text: &str, shape: &Shape, words: &Words<'_>) -> Option<SmolStr> {
    let Shape::Choose { options, .. } = shape else { return None };
    let text = fold(text.trim());
    let goes_by = |id: &&SmolStr| {
        Lang::ALL.into_iter().any(|lang| fold(words.lexicon().name(id, lang)) == text)
    };
    let mut found = options.iter().filter(goes_by);
    found.next().filter(|_| found.next().is_none()).cloned()
}
