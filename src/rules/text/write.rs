//! The writer of declarations, as texts that parse as the same declaration.

use smol_str::SmolStr;

use crate::text::fold::fold_word;
use crate::text::leftover::quoted;
use crate::text::read::{legal, part, place};
use crate::text::{Folded, Lang, SectionPlace, Words};
use crate::{Answer, Asked, Declaration, Interview, Question, Shape, TextForm, Value};

/// Writes a declaration as text, one line for each section, in the interview's order. An answer without a
/// question is left out.
pub fn write(
    declaration: &Declaration,
    interview: &Interview,
    words: &Words<'_>,
    lang: Lang,
) -> String {
    let mut places: Vec<SectionPlace> = Vec::new();
    for asked in &interview.asked {
        let place = place(&asked.question.key);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let mut lines = Vec::new();
    let mut written: Vec<&SectionPlace> = Vec::new();
    for at in &places {
        let held = interview.reserves.iter().find(|held| place(&held.part) == *at);
        let asked = held.and_then(|held| held.asked.first()).unwrap_or(&interview.asked);
        let section = Section::of(at, asked, declaration, words, lang);
        let Some(mut body) = section.body() else { continue };
        for (passed, asked) in held.iter().flat_map(|held| held.asked.iter().enumerate().skip(1)) {
            let declaration = declaration.passing_over(&part(&at.0, at.1), passed);
            let reserve = Section::of(at, asked, &declaration, words, lang).body();
            body = format!("{body}\n{} {}", words.else_word(lang), reserve.unwrap_or_default());
        }
        let number = (!follows(at, &written, &places)).then_some(at.1);
        if number.is_none() && section.is_lettered() {
            lines.push(body);
        } else {
            lines.push(format!("{} {body}", section_mark(&at.0, number, words, lang)));
        }
        written.push(at);
    }
    lines.join("\n")
}

/// Returns the mark of a section with its colon, and with its number if that is not clear.
pub(super) fn section_mark(
    section: &SmolStr,
    number: Option<u8>,
    words: &Words<'_>,
    lang: Lang,
) -> String {
    let names = words.lexicon().section(section);
    let name = names.map_or(section.as_str(), |names| names.shown(lang));
    let name = name.trim_end_matches([':', '：']);
    number.map_or_else(|| format!("{name}:"), |number| format!("{name}#{number}:"))
}

/// True if an alternative is named after its section, as `3A` is.
pub(super) fn is_lettered(section: &SmolStr, id: &SmolStr, words: &Words<'_>, lang: Lang) -> bool {
    let name = fold_word(words.written(id, lang));
    let Some(marks) = words.lexicon().section(section) else { return false };
    let called = |mark: Vec<char>| {
        let numbered = mark.last().is_some_and(char::is_ascii_digit);
        numbered && name.len() > mark.len() && name.starts_with(&mark)
    };
    marks.all().map(fold_word).any(called)
}

/// True if the parser takes the next mark of this section for this occurrence.
fn follows(
    (section, number): &SectionPlace,
    written: &[&SectionPlace],
    places: &[SectionPlace],
) -> bool {
    let before = written.iter().rfind(|(other, _)| other == section).map(|(_, number)| number);
    let numbers = places.iter().filter(|(other, _)| other == section).map(|(_, number)| number);
    numbers.filter(|&number| before.is_none_or(|before| number > before)).min() == Some(number)
}

/// One occurrence of a section.
struct Section<'a> {
    questions: Vec<&'a Question>,
    declaration: &'a Declaration,
    words: &'a Words<'a>,
    lang: Lang,
}

impl<'a> Section<'a> {
    fn of(
        at: &SectionPlace,
        asked: &'a [Asked],
        declaration: &'a Declaration,
        words: &'a Words<'a>,
        lang: Lang,
    ) -> Self {
        let asked = asked.iter().map(|asked| &asked.question);
        let questions = asked.filter(|question| place(&question.key) == *at).collect();
        Self { questions, declaration, words, lang }
    }
}

impl Section<'_> {
    /// Returns all answers of the section, `None` if there are none.
    fn body(&self) -> Option<String> {
        let mut body = self.pieces();
        // The player's own words end their line, or the section, so they come last.
        let mut block = false;
        for (index, question) in self.questions.iter().enumerate() {
            let Shape::Text { form, .. } = question.shape else { continue };
            let Some(answer) = self.declaration.get(&question.key) else { continue };
            let text = match answer.value() {
                Some(Value::Text(text)) if form.has_lines() => quoted(text, self.marks()),
                Some(Value::Text(text)) => quoted(&text.replace('\n', " "), self.marks()),
                // A list that is left out has no mark.
                _ if form == TextForm::List => continue,
                _ => "-".to_owned(),
            };
            let labelled = block || self.is_gap_before(index);
            let text = if labelled { self.labelled(question, &text) } else { text };
            let ended = body.contains('\n') || self.has_text_before(index);
            let gap = if body.is_empty() {
                ""
            } else if ended {
                "\n"
            } else {
                " "
            };
            body = format!("{body}{gap}{text}");
            block = form.has_lines();
        }
        (!body.is_empty()).then_some(body)
    }

    /// Returns the answers that are not texts.
    fn pieces(&self) -> String {
        let mut body = String::new();
        let mut before: Option<(&Question, String)> = None;
        let mut text_before = false;
        for (index, question) in self.questions.iter().enumerate() {
            if matches!(question.shape, Shape::Text { .. }) {
                text_before = true;
                continue;
            }
            let Some(answer) = self.declaration.get(&question.key) else { continue };
            let mut piece = self.piece(question, answer);
            let ambiguous =
                before.as_ref().is_some_and(|(other, _)| self.takes_too(other, question));
            if text_before
                || ambiguous
                || self.is_gap_before(index)
                || self.is_doubtful(question, answer)
            {
                piece = self.labelled(question, &piece);
            }
            if let Some((other, last)) = &before {
                body.push_str(self.gap(other, last, &piece));
            }
            body.push_str(&piece);
            before = Some((question, piece));
        }
        body
    }

    fn piece(&self, question: &Question, answer: &Answer) -> String {
        let name = |id: &SmolStr| self.words.written(id, self.lang).to_owned();
        let counted = |(id, count): (&SmolStr, usize)| format!("{}×{count}", name(id));
        // Paying or picking nothing is not the same as giving no answer.
        let none = || legal(question).first().map_or("-".to_owned(), |id| counted((id, 0)));
        match answer.value() {
            None | Some(Value::Text(_)) => "-".to_owned(),
            Some(Value::Choice(id)) => name(id),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Picks(ids)) if ids.is_empty() => none(),
            Some(Value::Payment(pieces)) if pieces.is_empty() => none(),
            Some(Value::Picks(ids)) => {
                let runs = ids.chunk_by(|a, b| a == b);
                let run = |run: &[SmolStr]| match run {
                    [id] => name(id),
                    run => counted((&run[0], run.len())),
                };
                runs.map(run).collect::<Vec<_>>().join(" ")
            }
            Some(Value::Payment(pieces)) => {
                let pieces = pieces.iter().map(|(id, count)| counted((id, usize::from(*count))));
                pieces.collect::<Vec<_>>().join(" ")
            }
        }
    }

    fn labelled(&self, question: &Question, text: &str) -> String {
        format!("{}: {text}", self.words.lexicon().label(&question.key, self.lang))
    }

    /// True if an earlier question has no answer, so that the parser would try it first.
    fn is_gap_before(&self, index: usize) -> bool {
        self.questions[..index].iter().any(|question| self.declaration.get(&question.key).is_none())
    }

    fn has_text_before(&self, index: usize) -> bool {
        let is_text = |q: &&&Question| matches!(q.shape, Shape::Text { .. });
        let before = self.questions[..index].iter().filter(is_text);
        before.into_iter().any(|question| self.declaration.get(&question.key).is_some())
    }

    /// True if the second answer could be parsed as more of the first.
    fn takes_too(&self, before: &Question, question: &Question) -> bool {
        let several = matches!(before.shape, Shape::Pick { .. } | Shape::Pay { .. });
        let groups = self.words.groups(&legal(before));
        let ids = legal(before);
        let shared = self.words.groups(&legal(question)).iter().any(|group| groups.contains(group));
        several && (shared || legal(question).iter().any(|id| ids.contains(id)))
    }

    /// Returns the separator of two pieces: a comma if they could be parsed as one.
    fn gap(&self, question: &Question, before: &str, next: &str) -> &'static str {
        let joined = format!("{before} {next}");
        let text = Folded::new(&joined);
        let length = Folded::new(before).len();
        let longer = |at: usize| self.words.hits(&text, at).iter().any(|hit| hit.end > length);
        let number = matches!(question.shape, Shape::Number { .. })
            || next.starts_with(|c: char| c.is_ascii_digit());
        match self.lang {
            _ if !number && !(0..length).any(longer) => " ",
            Lang::Ja => "、",
            Lang::En => ", ",
        }
    }

    /// Returns the quotation marks of the language.
    fn marks(&self) -> (char, char) {
        match self.lang {
            Lang::Ja => ('『', '』'),
            Lang::En => ('“', '”'),
        }
    }

    /// True if the section begins with a lettered alternative, which serves as its mark.
    fn is_lettered(&self) -> bool {
        let Some(first) = self.questions.first() else { return false };
        let answer = self.declaration.get(&first.key).and_then(Answer::value);
        let Some(Value::Choice(id)) = answer else { return false };
        is_lettered(&first.key.section, id, self.words, self.lang)
    }

    /// True if an answer names an illegal piece that another question could take.
    fn is_doubtful(&self, question: &Question, answer: &Answer) -> bool {
        let options = legal(question);
        let named: Vec<&SmolStr> = match answer.value() {
            Some(Value::Choice(id)) => vec![id],
            Some(Value::Picks(ids)) => ids.iter().collect(),
            Some(Value::Payment(pieces)) => pieces.iter().map(|(id, _)| id).collect(),
            _ => return false,
        };
        let takes = |other: &&&Question, id: &SmolStr| {
            let groups = self.words.groups(&legal(other));
            let mut of_id = self.words.lexicon().groups(id);
            legal(other).contains(id)
                || of_id.any(|group| groups.iter().any(|other| other == group))
        };
        let others = || self.questions.iter().filter(|other| other.key != question.key);
        named.iter().any(|id| !options.contains(id) && others().any(|other| takes(&other, id)))
    }
}
