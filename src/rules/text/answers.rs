//! The choice of the question that a piece answers, and the storing of the parsed answers.

use std::collections::BTreeSet;
use std::ops::Range;

use smol_str::SmolStr;

use crate::text::fold::{is_bracket, is_break, is_space};
use crate::text::leftover::FEW;
use crate::text::pieces::{Fit, ReadPiece, added, fit};
use crate::text::read::{is_text, legal, options, part, place};
use crate::text::{DeclarationReader, Edge, Hit, Meaning, Read, SectionPlace, UnreadReason};
use crate::{Answer, Key, Question, Shape, Value};

impl DeclarationReader<'_> {
    pub(super) fn add(&mut self, question: Question, piece: ReadPiece, place: Range<usize>) {
        let before = self.answered.get(&question.key).and_then(|q| self.declaration.get(&q.key));
        match added(&question, before, piece) {
            Some(answer) => self.set(question, answer, place),
            None => self.miss(place, Some(question.key.whole()), UnreadReason::TooMany, &[]),
        }
    }

    pub(super) fn set(&mut self, question: Question, answer: Answer, place: Range<usize>) {
        let key = question.key.clone();
        let span = self.text.span(place);
        if !self.has_read(&key.section, key.number) {
            // A new answer to a part also replaces its reserves.
            self.declaration.remove(&key.whole());
        }
        self.forget_what_hangs_on(&question, &answer);
        self.declaration.set(key.clone(), answer.clone());
        match self.lines.iter_mut().find(|line| line.key == key) {
            Some(line) if self.answered.contains_key(&key) => {
                line.span = line.span.start.min(span.start)..line.span.end.max(span.end);
                line.answer = answer;
            }
            Some(line) => *line = Read { span, key: key.clone(), answer },
            None => self.lines.push(Read { span, key: key.clone(), answer }),
        }
        self.answered.insert(key.clone(), question);
        self.last = Some(key);
        self.only = None;
        self.found = self.interview(&self.declaration);
    }

    /// Removes the answers that depend on a changed one. A draft's `3B 役者5 大×2` that becomes `3A` has neither
    /// a card nor a payment any more, and one that is typed again as `3B 役者5` has no payment.
    fn forget_what_hangs_on(&mut self, question: &Question, answer: &Answer) {
        let key = &question.key;
        let decides = options(question).is_some() && !self.answered.contains_key(key);
        let Some(before) = self.declaration.get(key).filter(|_| decides) else { return };
        let changes = before != answer;
        let here = place(key);
        let is_first = self.questions_of(&here).next().is_some_and(|first| first.key == *key);
        // The same card typed again drops its payment.
        let is_paid = |other: &Question| !is_first && matches!(other.shape, Shape::Pay { .. });
        let behind = self.questions_of(&here).skip_while(|other| other.key != *key).skip(1);
        let behind = behind.filter(|other| changes || is_paid(other));
        // A question asked whatever this answer is does not depend on it.
        let mut without = self.declaration.clone();
        without.remove(key);
        let without = self.interview(&without).asked;
        let is_asked = |other: &&Question| without.iter().any(|asked| asked.question == **other);
        let behind = behind.filter(|other| !is_asked(other));
        let behind: Vec<Key> = behind
            .map(|other| other.key.clone())
            .filter(|other| !self.answered.contains_key(other))
            .collect();
        for other in behind {
            self.declaration.remove(&other);
        }
    }

    /// Parses `-`, `なし` or `pass` as leaving a question out.
    pub(super) fn read_pass(&mut self, at: usize) -> Option<usize> {
        if let Some(end) = self.read_none_of_it(at) {
            return Some(end);
        }
        let question = self.open_questions().next()?.clone();
        let passes = self.words.hits(&self.text, at).into_iter();
        let pass = passes.filter(|hit| hit.meaning.leaves_out() && hit.edge == Edge::Clean);
        let hit = pass.max_by_key(|hit| hit.word.len())?;
        let rest = self.text.char(hit.end);
        // A dash before a word is a bullet or a part of the word.
        let ends = rest.is_none_or(|c| is_break(c) || is_bracket(c));
        let alone = self.text.skip(hit.end, is_space) >= self.text.line_end(hit.end);
        let arrow = self.noise(at).is_some_and(|end| end > hit.end);
        if arrow || (hit.word == ['-'] && !ends) || (is_text(&question) && !alone) {
            return None;
        }
        if self.open_fit(at).is_some_and(|(_, fit)| fit.weight >= hit.word.len()) {
            return None;
        }
        let does = |hit: &Hit<'_>| match hit.meaning {
            Meaning::Verb(verb) => {
                let does = |option: &SmolStr| verb.of.contains(option);
                options(&question).is_some_and(|options| options.iter().any(does))
            }
            _ => false,
        };
        if self.words.hits(&self.text, at).iter().any(does) {
            return None;
        }
        let (end, wants_none) = (hit.end, *hit.meaning == Meaning::Nothing);
        self.leave_out(question, wants_none, at..end);
        Some(end)
    }

    /// Leaves a question out. A word for nothing is misread where the rules demand an answer.
    fn leave_out(&mut self, question: Question, wants_none: bool, place: Range<usize>) {
        if !wants_none || question.can_be_nothing() {
            return self.set(question, Answer::LeftOut, place);
        }
        let legal = legal(&question);
        let near = if legal.len() <= FEW { legal } else { Vec::new() };
        self.miss(place, Some(question.key.whole()), UnreadReason::Needed, &near);
    }

    /// Parses `通す` alone as leaving everything out, if every question can be left out. `なし` keeps the
    /// answers that the draft has.
    pub(super) fn reads_as_pass(&mut self) -> bool {
        let gap = |at| self.text.skip(at, |c| is_break(c) || is_bracket(c));
        let mut begins = gap(0);
        // "Discard none" where no discard is asked leaves out nothing else.
        let is_asked =
            |id: &SmolStr| self.found.asked.iter().any(|asked| asked.question.key.section == *id);
        let is_elsewhere =
            |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Section { id, .. } if !is_asked(id));
        if self.words.hits(&self.text, begins).iter().any(is_elsewhere) {
            return false;
        }
        while let Some(after) = self.noise(begins).filter(|_| self.pass_word(begins).is_none()) {
            begins = gap(after);
        }
        let Some((end, is_nothing)) = self.pass_word(begins) else { return false };
        let is_alone = self.text.skip(end, |c| is_break(c) || is_bracket(c)) >= self.text.len();
        let asked = || self.found.asked.iter().map(|asked| &asked.question);
        let are_several = asked().map(|question| &question.key.section).collect::<BTreeSet<_>>();
        if !is_alone || are_several.len() < 2 {
            return false;
        }
        let open = self.found.asked.iter().filter(|asked| asked.answer.is_none());
        let open = open.map(|asked| &asked.question).filter(|question| question.can_pass());
        let open: Vec<Question> = open.cloned().collect();
        let keeps = is_nothing && !self.declaration.is_empty();
        let can_pass = asked().all(Question::can_pass) || keeps && begins == gap(0);
        if !can_pass || keeps && open.is_empty() {
            return false;
        }
        let left_out = if keeps { open } else { asked().cloned().collect() };
        for question in left_out {
            self.set(question, Answer::LeftOut, begins..end);
        }
        true
    }

    /// Returns the end of a word for passing, and true if the word is for nothing.
    fn pass_word(&self, at: usize) -> Option<(usize, bool)> {
        let hits = self.words.hits(&self.text, at).into_iter();
        let passes = hits.filter(|hit| hit.meaning.leaves_out() && hit.edge == Edge::Clean);
        let is_word = |c: &char| c.is_alphanumeric();
        let words = passes.filter(|hit| hit.word.iter().any(is_word));
        let longest = words.max_by_key(|hit| hit.word.len());
        longest.map(|hit| (hit.end, *hit.meaning == Meaning::Nothing))
    }

    /// Parses `GRENADEなし`: a passing word attached to a choice takes the choice away again, as it does after
    /// the only option of a question (`GRENADE none`).
    fn read_none_of_it(&mut self, at: usize) -> Option<usize> {
        let line = self.lines.last().filter(|line| line.span.end <= self.text.start(at))?;
        matches!(line.answer, Answer::Given(Value::Choice(_))).then_some(())?;
        let question = self.answered.get(&line.key)?.clone();
        let between = &self.text.original()[line.span.end..self.text.start(at)];
        let is_only = options(&question).is_some_and(|options| options.len() == 1);
        let is_beside = between.is_empty() || (is_only && between.trim_matches(' ').is_empty());
        is_beside.then_some(())?;
        let (end, wants_none) = self.pass_word(at)?;
        self.leave_out(question, wants_none, at..end);
        Some(end)
    }

    pub(super) fn read_text(&mut self, raw: usize, end: usize) -> usize {
        let Some(question) = self.text_question().cloned() else { return end };
        let Shape::Text { form, .. } = question.shape else { return end };
        let (text, after) = if form.has_lines() {
            self.take_block(raw, end)
        } else {
            self.take_line(&question, raw, end)
        };
        if let Some(text) = text {
            self.set(question, Answer::Given(Value::Text(text)), raw..after);
        }
        after
    }

    /// Returns the end of a piece here that every answer includes without a word, such as the red of a red chip. Another piece of its kind is misread together with the answer it
    /// belongs to: a player who types the yellow chip does not mean the red one that they have.
    pub(super) fn tacit(&mut self, at: usize, here: &SectionPlace) -> Option<usize> {
        let of = |question: &Question| question.tacit.clone();
        let tacit = self.questions_of(here).find_map(of)?;
        let groups = self.words.groups(std::slice::from_ref(&tacit));
        let hits = self.words.hits(&self.text, at);
        let of_its_kind = |hit: &Hit<'_>| match hit.meaning {
            Meaning::Piece { group, id } if hit.edge != Edge::Torn && groups.contains(group) => {
                Some((hit.end, *id == tacit))
            }
            _ => None,
        };
        let (end, is_it) = hits.iter().filter_map(of_its_kind).max_by_key(|(end, _)| *end)?;
        if is_it {
            return Some(end);
        }
        let mut next = end;
        while let Some(after) = self.noise(self.behind_gap(next)) {
            next = after;
        }
        let end = self.open_fit(self.behind_gap(next)).map_or(end, |(_, fit)| fit.end);
        self.miss(at..end, Some(part(&here.0, here.1)), UnreadReason::Tacit, &[tacit]);
        Some(end)
    }

    fn behind_gap(&self, at: usize) -> usize {
        self.text.skip(at, |c| is_space(c) || is_bracket(c))
    }
}

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

    fn takes_more(&self, question: &Question) -> bool {
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
