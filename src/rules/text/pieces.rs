//! One piece of an answer: an option, a payment of one kind, a number.

use smol_str::SmolStr;

use crate::text::fold::{Folded, fold_word};
use crate::text::words::{Edge, Hit, Meaning, Words, edge};
use crate::vocabulary::declaration::{Answer, Value};
use crate::vocabulary::question::{Question, Shape};

/// A piece that answers a question, or adds to its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReadPiece {
    Choice(SmolStr),
    Picks(SmolStr, usize),
    Payment(SmolStr, u32),
    Number(i64),
}

/// A piece found for a question.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) piece: ReadPiece,
    pub(super) end: usize,
    /// The weight of the piece: the number of matched characters.
    pub(super) weight: usize,
    /// True if the piece is one of the options. Another piece of the same group is accepted too, so that the
    /// interview can name the clause against it.
    pub(super) legal: bool,
}

/// Returns the piece here as an answer to this question.
pub(super) fn fit(
    question: &Question,
    text: &Folded<'_>,
    at: usize,
    words: &Words<'_>,
) -> Option<Fit> {
    match &question.shape {
        Shape::Choose { options, barred } => {
            let named = named((options, barred), text, at, words, false)?;
            Some(Fit { piece: ReadPiece::Choice(named.id.clone()), ..named.fit() })
        }
        Shape::Pick { options, max, .. } => {
            let before = text.numeral(at).filter(|(_, end)| text.char(*end) == Some(' '));
            if let Some((count, end)) = before {
                let named = named((options, &[]), text, text.skip_inline(end), words, false)?;
                let count = usize::try_from(count).unwrap_or(usize::MAX).min(usize::from(*max) + 1);
                return Some(Fit {
                    piece: ReadPiece::Picks(named.id.clone(), count),
                    ..named.fit()
                });
            }
            let named = named((options, &[]), text, at, words, true)?;
            let last_is_digit = text.char(named.end - 1).is_some_and(|c| c.is_ascii_digit());
            let bare = || text.count(named.end).filter(|_| !last_is_digit);
            let particle = || text.particle_count(named.end);
            let count = text.times(named.end).or_else(bare).or_else(particle);
            let (count, end) = count.unwrap_or((1, named.end));
            // One pick more than the maximum is a fault already.
            let count = usize::try_from(count).unwrap_or(usize::MAX).min(usize::from(*max) + 1);
            Some(Fit { piece: ReadPiece::Picks(named.id.clone(), count), end, ..named.fit() })
        }
        Shape::Pay { purse, .. } => {
            let ids: Vec<SmolStr> = purse.iter().map(|kind| kind.id.clone()).collect();
            pay(&ids, text, at, words)
        }
        Shape::Number { .. } => {
            let (number, end) = text.number(at)?;
            Some(Fit { piece: ReadPiece::Number(number), end, weight: end - at, legal: true })
        }
        Shape::Text { .. } => None,
    }
}

/// Parses `大×1`, `大1`, `大`, `large x1`, `large 1` or `1 large`.
fn pay(purse: &[SmolStr], text: &Folded<'_>, at: usize, words: &Words<'_>) -> Option<Fit> {
    let written = || text.numeral(at).filter(|(_, end)| text.char(*end) == Some(' '));
    let before = text.digits(at).or_else(written).map(|(count, end)| (count, text.counter(end)));
    let name = before.map_or(at, |(_, end)| text.times_sign(text.skip_inline(end)));
    let named = named((purse, &[]), text, name, words, true)?;
    let (count, end) = match before {
        // `12 大×1` has one count, not the number before it.
        Some(_) if text.times(named.end).is_some() => return None,
        // The `l` of `大×l` is not a card.
        _ if text.is_miscounted(named.end) => return None,
        Some((count, _)) => (count, named.end),
        None => text
            .times(named.end)
            .or_else(|| text.count(named.end))
            .or_else(|| text.loose_count(named.end))
            .or_else(|| text.particle_count(named.end))
            .unwrap_or((1, named.end)),
    };
    Some(Fit { piece: ReadPiece::Payment(named.id.clone(), count), end, ..named.fit() })
}

struct NamedPiece {
    id: SmolStr,
    end: usize,
    weight: usize,
    legal: bool,
}

impl NamedPiece {
    fn fit(&self) -> Fit {
        let piece = ReadPiece::Choice(self.id.clone());
        Fit { piece, end: self.end, weight: self.weight, legal: self.legal }
    }
}

/// Returns the option, barred option or piece of the same group named here: the one with the longest name.
fn named(
    (options, barred): (&[SmolStr], &[SmolStr]),
    text: &Folded<'_>,
    at: usize,
    words: &Words<'_>,
    counted: bool,
) -> Option<NamedPiece> {
    let hits = words.hits(text, at);
    let is_piece = |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Piece { .. });
    let nameless = |id: &SmolStr| words.names(id).is_empty();
    // Nearly all places have no candidate.
    if !hits.iter().any(is_piece) && !options.iter().any(nameless) {
        return None;
    }
    let fits = |edge: Edge| edge == Edge::Clean || (counted && edge == Edge::Counted);
    let groups = words.groups(&[options, barred].concat());
    let of_hit = |hit: Hit<'_>| {
        let Meaning::Piece { group, id } = hit.meaning else { return None };
        if !fits(hit.edge) {
            return None;
        }
        let of = |id: &SmolStr, legal| {
            Some(NamedPiece { id: id.clone(), end: hit.end, weight: hit.word.len(), legal })
        };
        if options.contains(id) {
            of(id, true)
        } else if let Some(option) = only_numbered(options, hit.word, words) {
            of(option, true)
        } else if let Some(option) = only_numbered(barred, hit.word, words) {
            of(option, false)
        } else {
            groups.contains(group).then(|| of(id, false))?
        }
    };
    // An option without words is typed by its id.
    let of_id = |id: &SmolStr| {
        let word = fold_word(id);
        let end = words.names(id).is_empty().then(|| text.spells(at, &word))??;
        let weight = word.len();
        fits(edge(text, *word.last()?, end)).then(|| NamedPiece {
            id: id.clone(),
            end,
            weight,
            legal: true,
        })
    };
    let named = hits.iter().filter_map(|&hit| of_hit(hit)).chain(options.iter().filter_map(of_id));
    // Of two equally good pieces the first counts.
    let best = named.reduce(|best, next| {
        let rank = |named: &NamedPiece| (named.weight, named.legal);
        if rank(&next) > rank(&best) { next } else { best }
    })?;
    // `役者大賞` is not a `役者`, whatever the question.
    let other = |hit: &Hit<'_>| {
        let whole = hit.end - at == hit.word.len() && hit.edge == Edge::Clean;
        whole && hit.word.len() > best.weight && matches!(hit.meaning, Meaning::Piece { .. })
    };
    (!hits.iter().any(other)).then_some(best)
}

/// Returns the option named by this word with a number after it, if there is only one: `Wolf` for `Wolf 1`.
fn only_numbered<'o>(
    options: &'o [SmolStr],
    word: &[char],
    words: &Words<'_>,
) -> Option<&'o SmolStr> {
    let is_numbered = |name: &[char]| {
        let rest = name.strip_prefix(word);
        rest.is_some_and(|rest| !rest.is_empty() && rest.iter().all(char::is_ascii_digit))
    };
    let mut all = options.iter().filter(|id| words.names(id).into_iter().any(is_numbered));
    let only = all.next();
    only.filter(|_| all.next().is_none())
}

impl Folded<'_> {
    /// Returns the place after the counter of a count before its name: `2枚の大`.
    fn counter(&self, at: usize) -> usize {
        let counts = self.char(at) == Some('枚') && self.char(at + 1) == Some('の');
        if counts { at + 2 } else { at }
    }

    /// Returns the place after a multiplication sign, if one is here: `2×大`.
    fn times_sign(&self, at: usize) -> usize {
        match self.char(at) {
            Some('×' | '*' | '✕') => self.skip_inline(at + 1),
            _ => at,
        }
    }
}

/// Returns the answer with this piece added, `None` if its count overflows.
pub(super) fn added(
    question: &Question,
    before: Option<&Answer>,
    piece: ReadPiece,
) -> Option<Answer> {
    Some(Answer::Given(match (piece, before) {
        (ReadPiece::Choice(id), _) => Value::Choice(id),
        (ReadPiece::Number(number), _) => Value::Number(number),
        (ReadPiece::Picks(id, count), before) => {
            let mut picks = match before {
                Some(Answer::Given(Value::Picks(picks))) => picks.clone(),
                _ => Vec::new(),
            };
            picks.extend(std::iter::repeat_n(id, count));
            Value::Picks(picks)
        }
        (ReadPiece::Payment(id, count), before) => {
            let mut pieces = match before {
                Some(Answer::Given(Value::Payment(pieces))) => pieces.clone(),
                _ => Vec::new(),
            };
            let count = u8::try_from(count).ok()?;
            match pieces.iter_mut().find(|(of, _)| *of == id) {
                Some((_, sum)) => *sum = sum.checked_add(count)?,
                None if count > 0 => pieces.push((id, count)),
                None => {}
            }
            // The order of the purse makes equal payments equal answers.
            if let Shape::Pay { purse, .. } = &question.shape {
                pieces.sort_by_key(|(id, _)| {
                    purse.iter().position(|kind| kind.id == *id).unwrap_or(usize::MAX)
                });
            }
            Value::Payment(pieces)
        }
    }))
}
