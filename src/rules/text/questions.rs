//! The choice of the question that a piece of text answers.

use smol_str::SmolStr;

use crate::text::pieces::{Fit, ReadPiece, fit};
use crate::text::read::{DeclarationReader, SectionPlace, is_text, place};
use crate::text::scan::{is_bracket, is_space};
use crate::text::words::{Edge, Hit, Meaning};
use crate::vocabulary::declaration::{Answer, Value};
use crate::vocabulary::question::{Key, Question, Shape};

impl DeclarationReader<'_> {
    /// Returns the questions of an occurrence of a section, in order.
    pub(super) fn questions_of(
        &self,
        (section, number): &SectionPlace,
    ) -> impl Iterator<Item = &Question> {
        let questions = self.found.asked.iter().map(|asked| &asked.question);
        questions.filter(move |q| q.key.section == *section && q.key.number == *number)
    }

    /// Returns the questions of the current section that this text has not answered yet, in order.
    pub(super) fn open_questions(&self) -> impl Iterator<Item = &Question> {
        let here = self.here.as_ref();
        here.into_iter().flat_map(|here| self.questions_of(here)).filter(|question| {
            let meant = self.only.as_ref().is_none_or(|only| *only == question.key);
            meant && !self.answered.contains_key(&question.key)
        })
    }

    /// Returns the next question for free text. Text alone, added to a draft, goes to a question that the
    /// draft does not answer.
    pub(super) fn text_question(&self) -> Option<&Question> {
        let mut texts = self.open_questions().filter(|question| is_text(question));
        let first = texts.next()?;
        let begun = self.has_read(&first.key.section, first.key.number) || self.only.is_some();
        let is_said = |question: &Question| self.declaration.get(&question.key).is_some();
        if begun || !is_said(first) {
            return Some(first);
        }
        texts.find(|question| !is_said(question)).or(Some(first))
    }

    /// Returns the best match at this position among the open questions before the first free-text question.
    pub(super) fn open_fit(&self, at: usize) -> Option<(Question, Fit)> {
        self.best(at, self.open_questions().take_while(|question| !is_text(question)))
    }

    pub(super) fn best<'q>(
        &self,
        at: usize,
        questions: impl Iterator<Item = &'q Question>,
    ) -> Option<(Question, Fit)> {
        let questions = questions.inspect(|_| self.effort.look());
        let fits = questions.filter_map(|q| Some((q, fit(q, &self.text, at, self.words)?)));
        let rank = |fit: &Fit| (fit.weight, fit.legal);
        let best =
            fits.reduce(|best, next| if rank(&next.1) > rank(&best.1) { next } else { best });
        best.map(|(question, fit)| (question.clone(), fit))
    }

    /// Returns the piece here: more of the last answer, an answer to an open question, or more of another
    /// answer with several pieces.
    pub(super) fn piece(&self, at: usize, here: &SectionPlace) -> Option<(Question, Fit)> {
        let more = self.best(at, self.unfinished().into_iter()).filter(|(_, fit)| fit.legal);
        more.or_else(|| self.open_fit(at)).or_else(|| {
            let several = |q: &&Question| {
                place(&q.key) == *here && matches!(q.shape, Shape::Pick { .. } | Shape::Pay { .. })
            };
            self.best(at, self.answered.values().filter(several))
        })
    }

    /// Returns the last answered question, if its answer can have more pieces.
    pub(super) fn unfinished(&self) -> Option<&Question> {
        let last = self.last.as_ref().filter(|_| self.only.is_none())?;
        self.answered.get(last).filter(|question| self.takes_more(question))
    }

    pub(super) fn takes_more(&self, question: &Question) -> bool {
        match (&question.shape, self.declaration.get(&question.key)) {
            (Shape::Pick { max, .. }, Some(Answer::Given(Value::Picks(picks)))) => {
                picks.len() < usize::from(*max)
            }
            (Shape::Pay { .. }, Some(Answer::Given(_))) => true,
            _ => false,
        }
    }

    /// Returns an option followed by a number, if a number is asked for as well: `脚本家/6`, which is also the
    /// name of a card.
    pub(super) fn numbered(&self, at: usize) -> Option<(Question, Fit)> {
        self.open_questions().find(|q| matches!(q.shape, Shape::Number { .. }))?;
        let hits = self.words.hits(&self.text, at);
        for question in self.open_questions() {
            let Shape::Choose { options, .. } = &question.shape else { continue };
            let named = hits.iter().filter_map(|hit| {
                let Meaning::Piece { id, .. } = hit.meaning else { return None };
                let gap = |c| is_space(c) || is_bracket(c) || matches!(c, '/' | '・' | '-' | '−');
                let number = self.text.skip(hit.end, gap);
                let is_whole = hit.edge != Edge::Torn;
                let counts = is_whole && options.contains(id) && self.text.number(number).is_some();
                let (weight, piece) = (hit.word.len(), ReadPiece::Choice(id.clone()));
                counts.then_some(Fit { piece, end: number, weight, legal: true })
            });
            if let Some(fit) = named.max_by_key(|fit| fit.weight) {
                return Some((question.clone(), fit));
            }
        }
        None
    }

    /// Returns a piece that begins the next occurrence of the section: `2: ストライキ タイアップ`.
    pub(super) fn rolled_on(&self, at: usize, here: &SectionPlace) -> Option<(u8, Question, Fit)> {
        let number = self.number_after(&here.0, here.1)?;
        if !self.has_read(&here.0, here.1) {
            return None;
        }
        let next = (here.0.clone(), number);
        let first = self.questions_of(&next).next()?;
        let (question, fit) = self.best(at, std::iter::once(first))?;
        Some((number, question, fit))
    }

    /// Returns a question that is asked only once it is answered, because nothing is legal: a card that
    /// nobody could play now. The interview then names the clause against it.
    pub(super) fn hidden(&self, at: usize, here: &SectionPlace) -> Option<(Question, Fit)> {
        let hits = self.words.hits(&self.text, at);
        let piece = |hit: &&Hit<'_>| {
            matches!(hit.meaning, Meaning::Piece { .. }) && hit.edge == Edge::Clean
        };
        let longest = hits.iter().filter(piece).map(|hit| hit.word.len()).max()?;
        let named = hits.iter().filter(piece).filter(|hit| hit.word.len() == longest);
        // A counted piece is a payment, and a purse is always there to ask about.
        let is_counted = |at| self.text.times(at).or_else(|| self.text.count(at)).is_some();
        let named = named.filter(|hit| !is_counted(hit.end));
        let named: Vec<(&SmolStr, usize)> = named
            .filter_map(|hit| match hit.meaning {
                Meaning::Piece { id, .. } => Some((id, hit.end)),
                _ => None,
            })
            .collect();
        let keys = self.words.lexicon().keys(&here.0).map(|key| key.clone().nth(here.1));
        let keys = keys
            .filter(|key| self.found.question(key).is_none() && !self.answered.contains_key(key));
        keys.flat_map(|key| named.iter().map(move |named| (key.clone(), *named))).find_map(
            |(key, (id, end))| {
                let (question, piece) = self.asked_if_said(&key, id)?;
                Some((question, Fit { piece, end, weight: longest, legal: false }))
            },
        )
    }

    /// Returns the question that comes up with this answer, if the answer can be meant for it.
    fn asked_if_said(&self, key: &Key, id: &SmolStr) -> Option<(Question, ReadPiece)> {
        if self.effort.is_spent() {
            return None;
        }
        let mut declaration = self.declaration.clone();
        declaration.set(key.clone(), Answer::Given(Value::Choice(id.clone())));
        let question = self.interview(&declaration).question(key)?.question.clone();
        let (options, piece) = match &question.shape {
            Shape::Choose { options, .. } => (options, ReadPiece::Choice(id.clone())),
            Shape::Pick { options, .. } => (options, ReadPiece::Picks(id.clone(), 1)),
            _ => return None,
        };
        let kin = self.words.groups(options);
        let is_kin =
            || self.words.groups(std::slice::from_ref(id)).iter().any(|of| kin.contains(of));
        (options.is_empty() || options.contains(id) || is_kin()).then_some((question, piece))
    }
}
