//! The rest of a text: words without meaning, and words that are not understood.

use std::ops::Range;

use smol_str::SmolStr;

use crate::text::effort::MISREAD;
use crate::text::nearest::{LONGEST, nearest};
use crate::text::read::{DeclarationReader, SaidVerb, legal, options, part, place};
use crate::text::reading::{Misread, UnreadReason};
use crate::text::scan::{is_bracket, is_break, is_one_word, is_space};
use crate::text::words::{Edge, Hit, Meaning, VerbMeaning};
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::question::{Key, Question};

/// The maximum number of alternatives shown for a misplaced piece.
pub(super) const FEW: usize = 6;

/// True if a word has no meaning by itself.
pub(super) fn means_nothing(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Noise | Meaning::Joint | Meaning::Verb(_))
}

/// True if a declaration names one of these pieces or answers in one of these parts, also in reserve.
fn says_any(declaration: &Declaration, of: &[SmolStr]) -> bool {
    declaration.iter().any(|(key, answer)| {
        let names = match (answer, answer.value()) {
            (Answer::InReserve(all), _) => all.iter().any(|declaration| says_any(declaration, of)),
            (_, Some(Value::Choice(id))) => of.contains(id),
            (_, Some(Value::Picks(ids))) => ids.iter().any(|id| of.contains(id)),
            (_, Some(Value::Payment(pieces))) => pieces.iter().any(|(id, _)| of.contains(id)),
            _ => false,
        };
        names || of.contains(&key.section)
    })
}

impl DeclarationReader<'_> {
    /// Returns the end of the meaningless words here, `None` if there are none.
    pub(super) fn noise(&self, at: usize) -> Option<usize> {
        let hits = self.words.hits(&self.text, at).into_iter();
        let noise = hits.filter(|hit| means_nothing(hit.meaning) && hit.edge == Edge::Clean);
        noise.map(|hit| hit.end).max()
    }

    /// Stores the verb here, if the words have no other meaning.
    pub(super) fn note_verb(&mut self, place: Range<usize>) {
        let hits = self.words.hits(&self.text, place.start).into_iter();
        let hits: Vec<Hit<'_>> =
            hits.filter(|hit| hit.end == place.end && hit.edge == Edge::Clean).collect();
        let nothing = |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Noise | Meaning::Joint);
        let of = hits.iter().filter_map(|hit| match hit.meaning {
            Meaning::Verb(verb) => Some(verb),
            _ => None,
        });
        let verbs: Vec<&VerbMeaning> = of.collect();
        let of: Vec<SmolStr> = verbs.iter().flat_map(|verb| verb.of.clone()).collect();
        let says = verbs.iter().flat_map(|verb| verb.says.clone()).collect();
        if !of.is_empty() && !hits.iter().any(nothing) {
            self.verbs.push(SaidVerb { place, of, says });
        }
    }

    /// Adds the numbers that the only verb gives.
    pub(super) fn add_what_verbs_say(&mut self) {
        let [verb] = &self.verbs[..] else { return };
        for (key, number) in verb.says.clone() {
            let open = self.found.question(&key).filter(|asked| asked.answer.is_none());
            let Some(question) = open.map(|asked| asked.question.clone()) else { continue };
            let place = self.verbs[0].place.clone();
            self.set(question, Answer::Given(Value::Number(number)), place);
        }
    }

    /// Marks verbs as not understood if their pieces and parts are not in the parts that the text answers.
    pub(super) fn miss_idle_verbs(&mut self) {
        let here = self.here.iter().map(|(section, number)| part(section, *number));
        let parts: Vec<Key> = self.lines.iter().map(|line| line.key.whole()).chain(here).collect();
        let mut declaration = self.declaration.clone();
        declaration.retain(|key| parts.contains(&key.whole()));
        for SaidVerb { place, of, .. } in self.verbs.clone() {
            let is_here = self.here.as_ref().is_some_and(|(section, _)| of.contains(section));
            if !is_here && !says_any(&declaration, &of) {
                let section = self.here.as_ref().map(|(section, number)| part(section, *number));
                self.miss(place, section, UnreadReason::Unknown, &[]);
            }
        }
    }

    pub(super) fn skip_unknown(&mut self, at: usize, end: usize) -> usize {
        if let Some(after) = self.skip_unasked_part(at, end) {
            return after;
        }
        let section = self.here.as_ref().map(|(section, number)| part(section, *number));
        if self.misread.len() > MISREAD {
            // After very many misread words, only the next part is parsed again.
            let stop = self.next_mark(at, end).max(at + 1);
            self.miss(at..stop, section, UnreadReason::Unknown, &[]);
            return stop;
        }
        let is_digit = |at: usize| self.text.char(at).is_some_and(|c| c.is_ascii_digit());
        let gap = |c: char| is_break(c) || is_bracket(c);
        let is_piece = |hit: &&Hit<'_>| {
            let piece = matches!(hit.meaning, Meaning::Piece { .. });
            piece && hit.edge != Edge::Torn && !is_digit(hit.end)
        };
        let hits = self.words.hits(&self.text, at);
        // A known word may be a slip of a longer one only up to the maximum length of a slip.
        let far = if hits.iter().any(|hit| is_piece(&hit)) { at + LONGEST } else { end };
        let mut stop = at + 1;
        while stop < end
            && stop <= far
            && self.text.char(stop).is_some_and(|c| !gap(c))
            && !self.effort.is_spent()
            && !self.resumes(stop)
        {
            stop += 1;
        }
        let begins = self.word_begins(at);
        let word = &self.text.chars()[begins..stop];
        let near = nearest(word, &self.legal_here(), self.words);
        let is_known = |hit: &&Hit<'_>| {
            // `役者大章` is a slip rather than an actor and another word.
            let slip = hit.end < stop && !near.is_empty();
            is_piece(hit) && !slip
        };
        if let Some(stop) = hits.iter().filter(is_known).map(|hit| hit.end).max() {
            let counted = self.text.times(stop).map(|(_, stop)| stop);
            let miscounted = || {
                let sign = self.text.skip_inline(stop) + 1;
                let word = self.text.skip(sign, is_space);
                self.text.skip(word, |c| !gap(c))
            };
            let is_miscounted = self.text.is_miscounted(stop);
            let stop = counted.or_else(|| is_miscounted.then(miscounted)).unwrap_or(stop).min(end);
            if let Some(named) = self.named_instead(&hits) {
                self.miss(at..stop, section, UnreadReason::OneOnly, &[named]);
                return stop;
            }
            let legal = self.open_questions().next().map(legal).unwrap_or_default();
            let near = if legal.len() <= FEW && !is_miscounted { legal } else { Vec::new() };
            self.miss(at..stop, section, UnreadReason::NotHere, &near);
            return stop;
        }
        if self.text_question().is_some() {
            let stop = self.next_mark(stop, self.text.line_end(at).min(end));
            self.miss(begins..stop, section, UnreadReason::Unquoted, &[]);
            return stop;
        }
        // A smiley deserves no complaint.
        let is_word = word.iter().any(|c| c.is_alphanumeric());
        if is_digit(stop - 1) && self.text.is_line_start(at) && self.text.char(stop) == Some(':') {
            // The text of a section that does not exist belongs to no other one.
            stop = self.next_mark(stop, self.text.line_end(at).min(end));
        } else if let Some((_, counted)) = self.text.times(stop) {
            // The count of an unknown word goes with it.
            stop = counted.min(end);
        }
        if let Some(begins) = self.misnumbered(begins..stop) {
            let near = nearest(&self.text.chars()[begins..stop], &self.legal_here(), self.words);
            self.miss(begins..stop, section, UnreadReason::Unknown, &near);
        } else if is_word {
            self.miss(begins..stop, section, UnreadReason::Unknown, &near);
        }
        stop
    }

    /// Returns the option that this text has already named for the same question as the word here, if only
    /// one can be named.
    fn named_instead(&self, hits: &[Hit<'_>]) -> Option<SmolStr> {
        let here = self.here.as_ref()?;
        let is_here = |id: &SmolStr| {
            let is_it =
                |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Piece { id: it, .. } if it == id);
            hits.iter().any(is_it)
        };
        let answered = self.answered.values().filter(|question| place(&question.key) == *here);
        answered.into_iter().find_map(|question| {
            let Some(Answer::Given(Value::Choice(named))) = self.declaration.get(&question.key)
            else {
                return None;
            };
            let is_other = options(question).unwrap_or_default().iter().any(is_here);
            (is_other && !is_here(named)).then(|| named.clone())
        })
    }

    /// Returns the start of a piece with a name and a number that do not go together, and removes the answer
    /// read from its name.
    fn misnumbered(&mut self, number: Range<usize>) -> Option<usize> {
        let chars = self.text.chars();
        chars[number.clone()].iter().all(char::is_ascii_digit).then_some(())?;
        let key = self.last.clone()?;
        let read = self.lines.iter().find(|line| line.key == key)?;
        matches!(read.answer, Answer::Given(Value::Choice(_))).then_some(())?;
        let begins = (0..number.start).find(|at| self.text.start(*at) >= read.span.start)?;
        let end = (begins..number.start).rev().find(|at| !is_space(chars[*at]))? + 1;
        let is_next = self.text.span(begins..end) == read.span;
        (is_next && self.words.is_numbered(&chars[begins..end])).then_some(())?;
        self.declaration.remove(&key);
        self.answered.remove(&key);
        self.lines.retain(|line| line.key != key);
        self.last = None;
        self.found = self.interview(&self.declaration);
        Some(begins)
    }

    /// Returns the start of an unknown word whose beginning was taken for a meaningless word, such as the `で`
    /// of `でたらめ`.
    pub(super) fn word_begins(&self, at: usize) -> usize {
        let gap = |c: &char| is_break(*c) || is_bracket(*c);
        let is_cut = |from: &usize| {
            let before = from.checked_sub(1).and_then(|before| self.text.chars().get(before));
            before.is_none_or(gap) && self.noise(*from) == Some(at)
        };
        let chars = &self.text.chars()[..at];
        let near = chars.iter().rev().take(LONGEST).take_while(|c| !gap(c)).count();
        (at - near..at).find(is_cut).unwrap_or(at)
    }

    /// True if the parse can resume in the middle of an unknown word, as Japanese has no spaces.
    pub(super) fn resumes(&self, at: usize) -> bool {
        let chars = self.text.chars();
        !is_one_word(chars[at - 1], chars[at])
            && self.open_fit(at).is_some_and(|(_, fit)| fit.weight >= 2 && fit.legal)
    }

    /// Returns the possible words here: the options of the open questions, or of the whole section, or of all
    /// questions.
    pub(super) fn legal_here(&self) -> Vec<SmolStr> {
        let of = |questions: Vec<&Question>| -> Vec<SmolStr> {
            questions.into_iter().flat_map(legal).collect()
        };
        let open = of(self.open_questions().collect());
        if !open.is_empty() {
            return open;
        }
        let here = self.here.iter().flat_map(|here| self.questions_of(here)).collect();
        let here = of(here);
        if here.is_empty() {
            return of(self.found.asked.iter().map(|asked| &asked.question).collect());
        }
        here
    }

    pub(super) fn miss(
        &mut self,
        place: Range<usize>,
        section: Option<Key>,
        why: UnreadReason,
        near: &[SmolStr],
    ) {
        let span = self.text.span(place);
        let whole = &self.text.original()[span.clone()];
        let text = whole.trim();
        let start = span.start + (whole.len() - whole.trim_start().len());
        let span = start..start + text.len();
        let text = text.to_owned();
        // A piece listed several times is named once.
        let mut nearest = near.to_vec();
        nearest.dedup();
        self.misread.push(Misread { span, text, section, why, nearest });
    }
}
