//! Plain sentences: texts with only one possible meaning, even without marks.
//!
//! A text entirely in the notation of the rules is parsed as such. Otherwise each clause is tried in every
//! part that is asked, under each alternative with which a part begins, and in each part named after a card.
//! If it can be parsed to its end in one way, that is its meaning.

use std::ops::Range;

use smol_str::SmolStr;

use crate::text::adding::{added_to_list, one_more};
use crate::text::fold::is_one_word;
use crate::text::read::{is_of_another, is_text, legal, place};
use crate::text::{
    Edge, Folded, Hit, Lang, Meaning, Misread, Read, Reading, UnreadReason, Words, read, read_anew,
    write,
};
use crate::{Answer, Declaration, Fault, Forms, Interview, Key, Question, Reason, Shape, Value};

/// The maximum length of a plain sentence, in characters.
const LONGEST: usize = 120;

/// The maximum number of clauses in a sentence.
const CLAUSES: usize = 6;

/// Parses a text about a draft, as [`read_anew`] does. If a piece stays unread, the text gets the only
/// meaning that it can have. One more of a part that may come several times is added.
pub fn read_sentence(
    text: &str,
    draft: &Declaration,
    form: Forms<'_>,
    words: &Words<'_>,
) -> Reading {
    let reading = only_meaning(text, draft, form, words);
    if reading.numbered {
        return reading;
    }
    one_more(&reading, draft, form, words).unwrap_or(reading)
}

fn only_meaning(text: &str, draft: &Declaration, form: Forms<'_>, words: &Words<'_>) -> Reading {
    let plain = read_anew(text, draft, form, words);
    let is_long = text.chars().count() > LONGEST || text.contains('\n');
    let sentence = Sentence { text, form, words };
    if sentence.stands(&plain, draft) || sentence.is_barred_in_its_part(&plain) || is_long {
        return sentence.with_what_goes_on(plain);
    }
    let clauses = clauses(text, words);
    if clauses.is_empty() || clauses.len() > CLAUSES {
        return plain;
    }
    match sentence.read(&clauses, draft) {
        Some(reading) => sentence.with_what_goes_on(reading),
        None => sentence.several(draft).unwrap_or(plain),
    }
}

/// Parses typed lines over a draft, as [`read_sentence`] does. A line with a misread piece does not count, and
/// neither does a text that would make a legally answered part of the draft faulty.
pub fn read_typed(text: &str, draft: &Declaration, form: Forms<'_>, words: &Words<'_>) -> Reading {
    if let Some(reading) = added_to_list(text, draft, form, words) {
        return reading;
    }
    let reading = of_understood_lines(text, draft, |text| {
        missing_unasked(text, read_sentence(text, draft, form, words), form)
    });
    let refused = spoilt(&reading, draft, form);
    if refused.is_empty() {
        return reading;
    }
    let (lines, verbs) = (Vec::new(), Vec::new());
    Reading { declaration: draft.clone(), lines, verbs, refused, ..reading }
}

/// Returns the reading of a text with every answer that nothing asks for among its misread pieces.
fn missing_unasked(text: &str, mut reading: Reading, form: Forms<'_>) -> Reading {
    let unasked = form(&reading.declaration).superfluous;
    for read in reading.lines.iter().filter(|read| unasked.contains(&read.key)) {
        let piece = text.get(read.span.clone()).unwrap_or(text).trim().to_owned();
        let (section, why) = (Some(read.key.whole()), UnreadReason::NotAsked);
        let span = read.span.clone();
        reading.misread.push(Misread { span, text: piece, section, why, nearest: Vec::new() });
    }
    reading
}

/// Returns the faults of a reading that makes a draft faulty that is not, or a part that the draft answers
/// legally: all of the first faulty part.
fn spoilt(reading: &Reading, draft: &Declaration, form: Forms<'_>) -> Vec<Fault> {
    if draft.is_empty() || reading.lines.is_empty() {
        return Vec::new();
    }
    let of_part = |found: &Interview, part: &Key| -> Vec<Fault> {
        let all = found.faults.iter().chain(&found.remarks);
        all.filter(|fault| fault.key.whole() == *part).cloned().collect()
    };
    let (before, after) = (form(draft), form(&reading.declaration));
    // A list that is begun has faults until it is whole.
    let is_begun = |fault: &&Fault| {
        matches!(fault.reason, Reason::Listed { .. })
            && draft.of_part(&fault.key.whole()).is_empty()
    };
    if before.faults.is_empty()
        && let Some(fault) = after.faults.iter().find(|fault| !is_begun(fault))
    {
        return of_part(&after, &fault.key.whole());
    }
    let mut parts: Vec<Key> = reading.lines.iter().map(|read| read.key.whole()).collect();
    parts.retain(|part| !draft.of_part(part).is_empty() && of_part(&before, part).is_empty());
    let spoilt = parts.iter().map(|part| of_part(&after, part));
    spoilt.into_iter().find(|faults| !faults.is_empty()).unwrap_or_default()
}

/// Parses a text over a draft, ignoring every line with a misread piece.
pub fn of_understood_lines(
    text: &str,
    draft: &Declaration,
    reads: impl Fn(&str) -> Reading,
) -> Reading {
    let reading = reads(text);
    if reading.misread.is_empty() {
        return reading;
    }
    let mut kept = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let place = start..start + line.len();
        start = place.end;
        let is_in = |misread: &Misread| {
            misread.span.start < place.end
                && place.start < misread.span.end.max(misread.span.start + 1)
        };
        kept.push_str(if reading.misread.iter().any(is_in) { "\n" } else { line });
    }
    let rest = if kept.trim().is_empty() { Reading::default() } else { reads(&kept) };
    let nothing = || Reading { declaration: draft.clone(), ..Reading::default() };
    let rest = if rest.says_all() { rest } else { nothing() };
    Reading { misread: reading.misread, moot: reading.moot, ..rest }
}

/// True if a reading chooses once more for a question for which an earlier reading of the same text chooses: another
/// option, or the same again.
fn chooses_again(reading: &Reading, behind: &Reading) -> bool {
    let chooses = |read: &&Read| matches!(read.answer, Answer::Given(Value::Choice(_)));
    let mut chosen = behind.lines.iter().filter(chooses);
    chosen.any(|read| reading.lines.iter().filter(chooses).any(|before| before.key == read.key))
}

/// A piece of a text between two places at which another statement may begin.
#[derive(Clone, Debug)]
struct Clause {
    place: Range<usize>,
    /// True if the clause begins with a reserve word.
    in_reserve: bool,
    /// The byte after the reserve word.
    after: usize,
}

/// Returns the clauses of a text, empty if nothing follows a reserve word.
fn clauses(text: &str, words: &Words<'_>) -> Vec<Clause> {
    let folded = Folded::new(text);
    let mut clauses = Vec::new();
    let mut open = Clause { place: 0..0, in_reserve: false, after: 0 };
    let mut at = 0;
    while at < folded.len() {
        let is_gap = matches!(folded.char(at), Some(',' | '、' | '。' | ';' | '!'));
        let begins = at == 0 || !is_one_word(folded.chars()[at - 1], folded.chars()[at]);
        let hits = words.hits(&folded, at).into_iter().filter(|hit| hit.edge == Edge::Clean);
        let joint = hits
            .filter(|hit| begins && matches!(hit.meaning, Meaning::Joint | Meaning::Reserve))
            .max_by_key(|hit| hit.end);
        let (next, in_reserve) = match joint {
            Some(hit) => (hit.end, *hit.meaning == Meaning::Reserve),
            None if is_gap => (at + 1, false),
            None => {
                at += 1;
                continue;
            }
        };
        open.place.end = folded.start(at);
        let start = if in_reserve { open.place.end } else { folded.start(next) };
        let after = folded.start(next);
        let begun = Clause { place: start..start, in_reserve, after };
        clauses.push(std::mem::replace(&mut open, begun));
        at = next;
    }
    open.place.end = text.len();
    clauses.push(open);
    let says =
        |clause: &Clause| !text[clause.after..clause.place.end.max(clause.after)].trim().is_empty();
    if clauses.iter().any(|clause| clause.in_reserve && !says(clause)) {
        return Vec::new();
    }
    clauses.retain(says);
    clauses
}

struct Sentence<'a> {
    text: &'a str,
    form: Forms<'a>,
    words: &'a Words<'a>,
}

impl Sentence<'_> {
    /// Parses clauses in order; tries the longest run of clauses together first.
    fn read(&self, clauses: &[Clause], draft: &Declaration) -> Option<Reading> {
        for count in (1..=clauses.len()).rev() {
            let (first, rest) = clauses.split_at(count);
            // A reserve belongs to the clause right before it.
            let Some(reading) = self.read_together(first, draft) else { continue };
            if rest.is_empty() {
                return Some(reading);
            }
            // "Cut P2, P4" names two where one is asked for: neither is meant more than the other.
            if let Some(behind) = self.read(rest, &reading.declaration)
                && !chooses_again(&reading, &behind)
            {
                return Some(joined(reading, behind));
            }
        }
        None
    }

    /// Parses clauses together, if they have only one meaning.
    fn read_together(&self, clauses: &[Clause], draft: &Declaration) -> Option<Reading> {
        let (first, last) = (clauses.first()?, clauses.last()?);
        let (whole, said) = (first.place.start..last.place.end, first.after..last.place.end);
        let plain = read_anew(&self.text[whole.clone()], draft, self.form, self.words);
        let mut meant = Vec::new();
        if self.stands(&plain, draft) {
            meant.push(plain);
        } else {
            let lead = if first.in_reserve { self.words.else_word(Lang::En) } else { "" };
            let mut found = self.under_each(lead, &self.text[said.clone()], draft);
            found.retain(|(reading, _)| self.stands(reading, draft));
            // A barred alternative that is named wins over one that is not.
            if !found.iter().any(|(_, is_named)| *is_named) && !self.opens_unasked_part(draft) {
                let barred = self.under_barred(lead, &self.text[said], draft);
                found = if barred.is_empty() { found } else { barred };
            }
            // A reading that names its alternative wins over the others.
            if found.iter().any(|(_, is_named)| *is_named) {
                found.retain(|(_, is_named)| *is_named);
            }
            meant = found.into_iter().map(|(reading, _)| reading).collect();
        }
        let mut only = meant.pop()?;
        meant.iter().all(|other| other.declaration == only.declaration).then_some(())?;
        for read in &mut only.lines {
            read.span = whole.clone();
        }
        Some(only)
    }

    /// Completes the reserves of a sentence, which only give the differences: "shot with one card or cut with
    /// another" means the same player.
    fn with_what_goes_on(&self, mut reading: Reading) -> Reading {
        if reading.verbs.is_empty() || !reading.says_all() {
            return reading;
        }
        let held: Vec<Key> = reading
            .declaration
            .iter()
            .filter(|(_, answer)| matches!(answer, Answer::InReserve(_)))
            .map(|(key, _)| key.clone())
            .collect();
        for part in held {
            let first = reading.declaration.of_part(&part);
            let mut reserves = reading.declaration.reserves(&part).to_vec();
            for reserve in &mut reserves {
                let mut alone = reading.declaration.clone();
                alone.retain(|key| key.whole() != part && *key != part);
                for (key, answer) in first.iter().filter(|(key, _)| **key != part) {
                    let mut with = alone.clone();
                    with.extend(reserve.clone());
                    let asked = (self.form)(&with);
                    let is_open = asked.question(key).is_some_and(|asked| asked.answer.is_none());
                    with.set(key.clone(), answer.clone());
                    if is_open && (self.form)(&with).is_as_sound_as(&asked) {
                        reserve.set(key.clone(), answer.clone());
                    }
                }
            }
            reading.declaration.set(part, Answer::InReserve(reserves));
        }
        reading
    }

    /// True if the text has answers, all of it is understood, and it adds no fault to those of the draft.
    fn stands(&self, reading: &Reading, draft: &Declaration) -> bool {
        let comes_to = || (self.form)(&reading.declaration);
        reading.says_all() && comes_to().is_as_sound_as(&(self.form)(draft))
    }

    /// True if all of the text is understood in the part whose name it begins or ends with, and the rules bar
    /// the answer there: the text means no other part in which the same card is legal.
    fn is_barred_in_its_part(&self, reading: &Reading) -> bool {
        let named = self.words.parts_at_the_ends(self.text);
        let faults = || (self.form)(&reading.declaration).faults;
        let is_barred = |fault: &Fault| matches!(fault.reason, Reason::Barred { .. });
        reading.says_all()
            && reading.lines.iter().all(|read| named.contains(&read.key.section))
            && faults().iter().any(|fault| named.contains(&fault.key.section) && is_barred(fault))
    }

    /// True if the text begins with the name of a part that is not asked.
    fn opens_unasked_part(&self, draft: &Declaration) -> bool {
        let opened = self.words.parts_opened_by(self.text.trim_start());
        let asked = (self.form)(draft).asked;
        let is_asked = |part: &SmolStr| asked.iter().any(|it| it.question.key.section == *part);
        !opened.is_empty() && !opened.iter().any(is_asked)
    }

    /// Returns the readings of a text under each alternative with which a part begins, and in each part named
    /// in the text; true if the text names the alternative.
    fn under_each(&self, lead: &str, text: &str, draft: &Declaration) -> Vec<(Reading, bool)> {
        let found = (self.form)(draft);
        let named = self.named(text);
        let mut meant = Vec::new();
        let mut parts: Vec<&SmolStr> = Vec::new();
        for asked in &found.asked {
            let question = &asked.question;
            if parts.contains(&&question.key.section)
                || asked.is_idle() && !self.opens(text, question)
            {
                continue;
            }
            parts.push(&question.key.section);
            for option in legal(question) {
                if !matches!(question.shape, Shape::Choose { .. }) {
                    break;
                }
                if self.speaks_of(question, &option, &named, draft) {
                    meant.extend(self.under(lead, text, draft, (question, &option)));
                }
            }
            let named = self.in_named_part(lead, text, draft, question);
            meant.extend(named.map(|reading| (reading, true)));
        }
        meant
    }

    /// Returns the readings of a text under each barred alternative that the text names, whose fault says why
    /// it is barred.
    fn under_barred(&self, lead: &str, text: &str, draft: &Declaration) -> Vec<(Reading, bool)> {
        let mut meant = Vec::new();
        for asked in (self.form)(draft).asked {
            let question = &asked.question;
            let Shape::Choose { barred, .. } = &question.shape else { continue };
            let under = |option| self.under(lead, text, draft, (question, option));
            meant.extend(barred.iter().filter_map(under).filter(|(_, is_named)| *is_named));
        }
        meant
    }

    /// True if the text has the mark of a question's part.
    fn opens(&self, text: &str, question: &Question) -> bool {
        self.without_mark(text, &question.key.section).is_some()
    }

    /// Returns the pieces that a text names, and those of its verbs.
    fn named(&self, text: &str) -> (Vec<SmolStr>, Vec<SmolStr>) {
        let folded = Folded::new(text);
        let (mut pieces, mut done) = (Vec::new(), Vec::new());
        for at in 0..folded.len() {
            for hit in self.words.hits(&folded, at) {
                match hit.meaning {
                    Meaning::Piece { id, .. } if hit.edge != Edge::Torn => pieces.push(id.clone()),
                    Meaning::Verb(verb) if hit.edge == Edge::Clean => {
                        done.extend(verb.of.clone());
                    }
                    _ => {}
                }
            }
        }
        (pieces, done)
    }

    /// True if a text has a verb of an alternative, or names an option of the alternative's questions.
    fn speaks_of(
        &self,
        question: &Question,
        option: &SmolStr,
        (pieces, done): &(Vec<SmolStr>, Vec<SmolStr>),
        draft: &Declaration,
    ) -> bool {
        if done.contains(option) || pieces.contains(option) {
            return true;
        }
        let found = (self.form)(&with(draft, &question.key, option));
        let of_it = found.asked.iter().map(|asked| &asked.question);
        let behind = of_it.filter(|it| place(&it.key) == place(&question.key));
        behind
            .filter(|it| it.key != question.key)
            .any(|it| legal(it).iter().any(|id| pieces.contains(id)))
    }

    /// Returns the reading of a text under an alternative, if the text fits it well enough.
    fn under(
        &self,
        lead: &str,
        text: &str,
        draft: &Declaration,
        (question, option): (&Question, &SmolStr),
    ) -> Option<(Reading, bool)> {
        let alone = with(&Declaration::default(), &question.key, option);
        let bare = with(draft, &question.key, option);
        let mark = write(&alone, &(self.form)(&bare), self.words, Lang::En);
        let names_it =
            |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Piece { id, .. } if id == option);
        let named = self.without(text, names_it);
        let rest = named.as_deref().unwrap_or(text);
        let marked = self.without_mark(rest, &question.key.section);
        let rest = marked.as_deref().unwrap_or(rest);
        let reading = read(&format!("{lead} {mark} {rest}"), draft, self.form, self.words);
        // A verb alone does not replace an earlier answer.
        let said = draft.get(&question.key).and_then(Answer::value);
        let is_new =
            !lead.is_empty() || said.is_none_or(|said| *said == Value::Choice(option.clone()));
        let is_named = named.is_some() || is_new && reading.verbs.contains(option);
        let is_said = is_named || is_new && reading.lines.len() > 2;
        let of_part = |key: &Key| place(key) == place(&question.key);
        let is_its_own = reading.lines.iter().all(|read| of_part(&read.key));
        let chooses = reading.lines.iter().any(|read| {
            read.key == question.key && read.answer == Answer::Given(Value::Choice(option.clone()))
        });
        let chooses = chooses || !lead.is_empty();
        let is_barred = !legal(question).contains(option);
        // The rest of a text about a barred option is not asked.
        let is_read = reading.says_all() || is_barred && reading.misread.is_empty();
        let is_meant = is_read && is_said && is_its_own && chooses;
        let is_meant = is_meant
            && !is_of_another(text, &reading, self.words)
            && !self.words.lacks_name(text, &question.key.section);
        (is_meant && quotes(&reading, text)).then_some((reading, is_named))
    }

    /// Returns the reading of a text in a part that the text names: `use HERO` in the part of HERO.
    fn in_named_part(
        &self,
        lead: &str,
        text: &str,
        draft: &Declaration,
        question: &Question,
    ) -> Option<Reading> {
        let section = &question.key.section;
        let rest = self.without_name(text, section)?;
        let mark = self.words.lexicon().mark(section, Lang::En)?;
        let text = format!("{lead} {mark}: {rest}");
        let mut reading = read(&text, draft, self.form, self.words);
        let is_its_own = reading.lines.iter().all(|read| read.key.section == *section);
        (reading.is_whole() && is_its_own).then_some(())?;
        if reading.lines.is_empty() {
            // The name of a phase alone declares nothing; the name of a card does.
            let is_card = self.words.lexicon().names(section).next().is_some();
            (is_card || !reading.verbs.is_empty()).then_some(())?;
            let only = only_answer(question).or_else(|| first_answer(question))?;
            reading.declaration.set(question.key.clone(), only.clone());
            let read = Read { span: 0..0, key: question.key.clone(), answer: only };
            reading.lines.push(read);
        }
        (!is_text(question) && quotes(&reading, &rest)).then_some(reading)
    }

    /// Returns a text without the name of a part, if the text has that name and the name needs a colon to
    /// open the part.
    fn without_name(&self, text: &str, section: &SmolStr) -> Option<String> {
        let names_it = |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Section { id, colon: true } if id == section);
        self.without(text, names_it)
    }

    /// Returns a text without the mark of a part, `None` if there is none. A number that does not begin the
    /// text counts something.
    fn without_mark(&self, text: &str, section: &SmolStr) -> Option<String> {
        let begins = self.words.hits(&Folded::new(text.trim_start()), 0);
        let is_mark = |hit: &Hit<'_>| {
            let is_number = hit.word.iter().all(char::is_ascii_digit);
            let begins = || begins.iter().any(|first| first.word == hit.word);
            matches!(hit.meaning, Meaning::Section { id, .. } if id == section)
                && (!is_number || begins())
        };
        self.without(text, is_mark)
    }

    /// Returns a text without the first word of this meaning, `None` if there is none.
    fn without(&self, text: &str, means: impl Fn(&Hit<'_>) -> bool) -> Option<String> {
        let folded = Folded::new(text);
        let is_name = |at: &usize| {
            let begins = *at == 0 || !is_one_word(folded.chars()[at - 1], folded.chars()[*at]);
            let hits = self.words.hits(&folded, *at).into_iter().filter(|_| begins);
            let names = hits.filter(|hit| hit.edge == Edge::Clean && means(hit));
            names.map(|hit| hit.end).max()
        };
        let (at, end) = (0..folded.len()).find_map(|at| Some((at, is_name(&at)?)))?;
        let (at, end) = (folded.start(at), folded.start(end));
        Some(format!("{} {}", &text[..at], &text[end..]))
    }

    /// Returns a misreading if the text names a part and could mean several options there.
    fn several(&self, draft: &Declaration) -> Option<Reading> {
        let found = (self.form)(draft);
        for asked in &found.asked {
            let question = &asked.question;
            let section = &question.key.section;
            let alone = || self.without_mark(self.text, section).filter(|it| it.trim().is_empty());
            let Some(rest) = self.without_name(self.text, section).or_else(alone) else { continue };
            let mark = self.words.lexicon().mark(&question.key.section, Lang::En)?;
            let reading = read(&format!("{mark}: {rest}"), draft, self.form, self.words);
            if reading.is_whole() && reading.lines.is_empty() && legal(question).len() > 1 {
                let misread = Misread {
                    span: 0..self.text.len(),
                    text: self.text.trim().to_owned(),
                    section: Some(question.key.whole()),
                    why: UnreadReason::Several,
                    nearest: legal(question),
                };
                let declaration = draft.clone();
                return Some(Reading { declaration, misread: vec![misread], ..Reading::default() });
            }
        }
        None
    }
}

/// True if the text has quotation marks around all that the reading took for the player's own words.
fn quotes(reading: &Reading, text: &str) -> bool {
    reading.lines.iter().all(|read| match &read.answer {
        Answer::Given(Value::Text(words)) => {
            let behind = text.find(words.as_str()).map(|at| &text[at + words.len()..]);
            behind.is_some_and(|behind| behind.starts_with(['」', '』', '”', '"', '》', '〉']))
        }
        _ => true,
    })
}

/// Returns the only possible answer to a question, `None` if there are several.
fn only_answer(question: &Question) -> Option<Answer> {
    match &question.shape {
        Shape::Choose { options, .. } => match &options[..] {
            [only] => Some(Answer::Given(Value::Choice(only.clone()))),
            _ => None,
        },
        Shape::Pick { options, .. } => match &options[..] {
            [only] => Some(Answer::Given(Value::Picks(vec![only.clone()]))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the first option of a question that can be left out: the answer of a text that only says to act.
fn first_answer(question: &Question) -> Option<Answer> {
    let Shape::Choose { options, .. } = &question.shape else { return None };
    let first = options.first().filter(|_| question.can_pass())?;
    Some(Answer::Given(Value::Choice(first.clone())))
}

fn with(draft: &Declaration, key: &Key, option: &SmolStr) -> Declaration {
    let mut with = draft.clone();
    with.set(key.clone(), Answer::Given(Value::Choice(option.clone())));
    with
}

/// Returns the first reading followed by the second.
fn joined(first: Reading, behind: Reading) -> Reading {
    let mut joined = behind;
    joined.lines.retain(|read| first.lines.iter().all(|other| other.key != read.key));
    joined.lines.splice(0..0, first.lines);
    joined.verbs.splice(0..0, first.verbs);
    joined
}
