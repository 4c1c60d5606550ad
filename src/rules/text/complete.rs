//! Completion: the pieces that can come next in a text.

use smol_str::SmolStr;

use crate::text::fold::{fold_word, is_bracket, is_break, is_bullet, is_one_word};
use crate::text::read::place;
use crate::text::write::{is_lettered, section_mark};
use crate::text::{DeclarationReader, Folded, Lang, Mark, Words};
use crate::{Declaration, Forms, Question, Shape};

/// The maximum number of completions, as many as a menu holds.
const MOST: usize = 25;

/// The maximum number of word starts that are tried, back from the end of the text.
const STARTS: usize = 12;

/// A continuation of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The byte from which the completion replaces the text.
    pub start: usize,
    pub text: String,
    /// The piece that the completion names, `None` if it names none.
    pub id: Option<SmolStr>,
}

impl Completion {
    /// Returns the completion with a word that is not a piece of a game.
    pub fn word(start: usize, text: impl Into<String>) -> Self {
        Self { start, text: text.into(), id: None }
    }
}

/// Returns the legal next pieces of a text. A word begun is completed under any name of its piece; after the
/// end of a word all pieces that can follow are returned.
pub fn complete(
    text: &str,
    draft: &Declaration,
    form: Forms<'_>,
    words: &Words<'_>,
    lang: Lang,
) -> Vec<Completion> {
    let folded = Folded::new(text);
    let next = |start: usize, partial: &[char]| {
        let mut reader = DeclarationReader::new(&text[..start], draft, form, words);
        reader.read_all();
        reader.next_pieces(partial, lang)
    };
    let last = folded.chars().last().copied();
    let ended = last.is_none_or(|c| (is_break(c) && c != '×') || is_bracket(c));
    let gap = if last.is_none_or(leads_on) { "" } else { " " };
    let follow = |gap: &str| {
        let next = next(text.len(), &[]).into_iter();
        let completion = |next: NextPiece| {
            let (start, text) = (text.len(), format!("{gap}{}", next.text));
            Completion { start, text, id: next.id }
        };
        next.map(completion).take(MOST).collect::<Vec<_>>()
    };
    for start in starts(&folded) {
        let (start, partial) = (folded.start(start), fold_word(folded.piece(start..folded.len())));
        let found = next(start, &partial);
        if found.is_empty() {
            continue;
        }
        let whole = found.iter().any(|next| next.is(&partial));
        if whole && ended {
            // The last word is finished, with a gap after it.
            return follow(gap);
        }
        let completion = |next: NextPiece| Completion { start, text: next.text, id: next.id };
        let mut completions: Vec<Completion> = found.into_iter().map(completion).collect();
        if whole {
            completions.extend(follow(" "));
        }
        completions.truncate(MOST);
        return completions;
    }
    if ended { follow(gap) } else { Vec::new() }
}

/// True if the next piece follows this character without a space.
fn leads_on(c: char) -> bool {
    c.is_whitespace() || is_bracket(c) || is_bullet(c) || matches!(c, ':' | ',' | '、' | '。')
}

/// Returns the possible starts of the word being typed, the longest word first. Names contain spaces, and
/// Japanese has none between words.
fn starts(text: &Folded<'_>) -> Vec<usize> {
    let chars = text.chars();
    let line = chars.iter().rposition(|&c| c == '\n').map_or(0, |newline| newline + 1);
    let line = text.skip(line, |c| is_bullet(c) || (c.is_whitespace() && c != '\n'));
    let gap = |c: char| is_break(c) || is_bracket(c);
    let begins = |&at: &usize| {
        // A count is not a word of its own.
        let counts = at > 0 && matches!(chars[at - 1], '×' | '*' | '✕');
        !gap(chars[at])
            && !counts
            && (at == line || gap(chars[at - 1]) || !is_one_word(chars[at - 1], chars[at]))
    };
    let mut starts: Vec<usize> = (line..chars.len()).rev().filter(begins).take(STARTS).collect();
    starts.reverse();
    starts
}

/// A possible next piece, with every name under which it may have been begun.
struct NextPiece {
    text: String,
    names: Vec<Vec<char>>,
    id: Option<SmolStr>,
}

impl NextPiece {
    /// True if the piece is already typed in full.
    fn is(&self, partial: &[char]) -> bool {
        fold_word(self.text.trim_end_matches(':')) == partial
    }
}

impl DeclarationReader<'_> {
    /// Returns the possible next pieces that begin with the typed letters.
    fn next_pieces(&self, partial: &[char], lang: Lang) -> Vec<NextPiece> {
        let mut next: Vec<NextPiece> = Vec::new();
        for question in self.unfinished().into_iter().chain(self.open_questions()) {
            next.extend(self.pieces_of(question, lang));
        }
        for asked in &self.found.asked {
            let key = &asked.question.key;
            let mark = Mark::plain(key.section.clone());
            // The section being parsed is open already.
            let here = self.here.as_ref() == Some(&place(key));
            if !here && self.number_for(&mark) == Ok(key.number) {
                next.extend(self.marks_of(&asked.question, lang));
            }
        }
        let mut begun: Vec<NextPiece> = Vec::new();
        for next in next {
            let begins = next.names.iter().any(|name| name.starts_with(partial));
            if begins && !begun.iter().any(|other| other.text == next.text) {
                begun.push(next);
            }
        }
        begun
    }

    fn named(&self, id: &SmolStr, text: String) -> NextPiece {
        let mut names: Vec<Vec<char>> =
            self.words.names(id).into_iter().map(<[char]>::to_vec).collect();
        names.push(fold_word(&text));
        NextPiece { text, names, id: Some(id.clone()) }
    }

    fn pieces_of(&self, question: &Question, lang: Lang) -> Vec<NextPiece> {
        let name = |id| self.words.written(id, lang);
        match &question.shape {
            Shape::Choose { options, .. } | Shape::Pick { options, .. } => {
                options.iter().map(|id| self.named(id, name(id).to_owned())).collect()
            }
            Shape::Pay { purse, .. } => {
                let held = purse.iter().filter(|kind| kind.count > 0);
                held.map(|kind| self.named(&kind.id, format!("{}×", name(&kind.id)))).collect()
            }
            &Shape::Number { min, max } => {
                let numbers = (min..=max).take(MOST).map(|number| number.to_string());
                let piece =
                    |text: String| NextPiece { names: vec![fold_word(&text)], text, id: None };
                numbers.map(piece).collect()
            }
            Shape::Text { .. } => Vec::new(),
        }
    }

    /// Returns the mark of a section, or the lettered alternatives in its place.
    fn marks_of(&self, question: &Question, lang: Lang) -> Vec<NextPiece> {
        let key = &question.key;
        let first = self.questions_of(&place(key)).next();
        if first.is_none_or(|first| first.key != *key) {
            return Vec::new();
        }
        if let Shape::Choose { options, .. } = &question.shape
            && options.iter().all(|id| is_lettered(&key.section, id, self.words, lang))
        {
            return self.pieces_of(question, lang);
        }
        let names = self.words.lexicon().section(&key.section);
        let names =
            names.into_iter().flat_map(crate::text::lexicon::Names::all).map(fold_word).collect();
        let text = section_mark(&key.section, None, self.words, lang);
        vec![NextPiece { text, names, id: None }]
    }
}
