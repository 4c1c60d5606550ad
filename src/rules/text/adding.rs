//! Texts that add to a draft: one more part of its kind, or more of a list.

use crate::text::{Lang, Read, Reading, Words, read};
use crate::{Answer, Declaration, Fault, Forms, Key, ListFault, Reason, Value};

/// `None` unless a text is about parts of the draft to which one more can be added, such as attacks, and gives no
/// number. Returns the reading with its part in place of a faulty one, else behind those of the draft, else in
/// place of the one with the same piece, else behind those of the draft as a fault. A part typed again changes
/// nothing.
pub(super) fn one_more(
    reading: &Reading,
    draft: &Declaration,
    form: Forms<'_>,
    words: &Words<'_>,
) -> Option<Reading> {
    let section = &reading.lines.first()?.key.section;
    let is_of_it = |key: &Key| key.section == *section;
    // A part that is left out ends the list, and is no part of it.
    let in_draft: Vec<u8> = draft
        .iter()
        .filter(|(key, answer)| is_of_it(key) && **answer != Answer::LeftOut)
        .map(|(key, _)| key.number)
        .collect();
    let last = *in_draft.iter().max()?;
    let is_alone = reading.lines.iter().all(|read| is_of_it(&read.key));
    let is_first = reading.lines.iter().any(|read| read.key.number == 1);
    let reserves: Vec<(&Key, &Vec<Declaration>)> = reading
        .declaration
        .iter()
        .filter(|(key, it)| is_of_it(key) && draft.get(key) != Some(*it))
        .filter_map(|(key, it)| match it {
            Answer::InReserve(reserves) => Some((key, reserves)),
            _ => None,
        })
        .collect();
    let adds = words.lexicon().adding.contains(section);
    if !adds || !is_alone || !is_first || !reading.says_all() {
        return None;
    }
    let moved = |to: &dyn Fn(u8) -> Option<u8>| {
        let mut moved = Reading { declaration: draft.clone(), ..reading.clone() };
        for read in &mut moved.lines {
            let first = reading.first(read).clone();
            read.key.number = to(read.key.number)?;
            moved.declaration.set(read.key.clone(), first);
        }
        for (part, reserves) in &reserves {
            let number = to(part.number)?;
            let renumbered = reserves.iter().map(|reserve| reserve.with_number(number)).collect();
            moved.declaration.set((*part).clone().nth(number), Answer::InReserve(renumbered));
        }
        Some(moved)
    };
    let has = |number: u8, read: &Read| {
        draft.get(&read.key.clone().nth(number)) == Some(reading.first(read))
    };
    let is_there = |part: u8| {
        let mut of_part = reading.lines.iter().filter(|read| read.key.number == part);
        in_draft.iter().any(|number| of_part.clone().all(|read| has(*number, read)))
            && of_part.next().is_some()
    };
    if reserves.is_empty() && reading.lines.iter().all(|read| is_there(read.key.number)) {
        return Some(Reading { declaration: draft.clone(), ..reading.clone() });
    }
    let found = form(draft);
    let counts = |moved: &Reading| {
        let comes_to = form(&moved.declaration);
        let is_asked = |read: &Read| comes_to.question(&read.key).is_some();
        moved.lines.iter().all(is_asked) && comes_to.is_as_sound_as(&found)
    };
    let at = |place: u8| moved(&|number| (number == 1).then_some(place)).filter(counts);
    if let Some(faulty) = found.faults.iter().find(|fault| is_of_it(&fault.key)) {
        return at(faulty.key.number);
    }
    let more = moved(&|number| number.checked_add(last))?;
    if counts(&more) {
        return Some(more);
    }
    let opening = reading.lines.iter().find(|read| read.key.number == 1)?;
    let same = in_draft.iter().find(|number| has(**number, opening)).and_then(|same| at(*same));
    same.or(Some(more))
}

/// `None` unless a text is more of a list in the draft, such as one more card of a deck, and nothing else.
/// Returns the reading with the text behind the list.
pub(super) fn added_to_list(
    text: &str,
    draft: &Declaration,
    form: Forms<'_>,
    words: &Words<'_>,
) -> Option<Reading> {
    let found = form(draft);
    let list = found.asked.iter().find(|asked| asked.question.is_list())?;
    let Some(Value::Text(before)) = list.answer.as_ref().and_then(Answer::value) else {
        return None;
    };
    let key = &list.question.key;
    let alone = read(text, draft, form, words);
    if alone.is_whole() && !alone.lines.is_empty() {
        return None;
    }
    let mark = words.lexicon().mark(&key.section, Lang::En).unwrap_or(&key.section);
    let reading = read(&format!("{mark}#{}: {before}\n{text}", key.number), draft, form, words);
    if !reading.is_whole() {
        return None;
    }
    let is_unknown = |fault: &Fault| {
        let wrong =
            matches!(&fault.reason, Reason::Listed { wrong: ListFault::Unknown { .. }, .. });
        wrong && fault.key == *key
    };
    let mut refused = form(&reading.declaration).faults;
    refused.retain(|fault| is_unknown(fault) && !found.faults.contains(fault));
    if refused.is_empty() {
        return Some(reading);
    }
    // Without a number, unknown words need not be meant for the list.
    let is_counted = text.chars().any(char::is_numeric);
    is_counted.then(|| Reading { declaration: draft.clone(), refused, ..Reading::default() })
}
