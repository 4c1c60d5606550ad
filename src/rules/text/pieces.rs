//! One piece of an answer: an option, a payment of one kind, a number; and the parts named beside them.

use std::collections::BTreeSet;

use smol_str::SmolStr;
use strsim::generic_damerau_levenshtein;

use crate::text::fold::{fold_word, is_bracket, is_space};
use crate::text::words::edge;
use crate::text::{Edge, Folded, Hit, Lang, Lexicon, Meaning, Names, Words, fold};
use crate::{Answer, Declaration, Key, Question, Shape, Value};

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

/// The name of a part as typed: a mark or its label, in any language, with the number of one of several
/// occurrences: `3#2`, `Set phase (2)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPart {
    /// The name, folded for comparison.
    name: String,
    /// The occurrence, `None` if it was not typed.
    pub number: Option<u8>,
}

impl NamedPart {
    /// Parses a typed name.
    pub fn read(input: &str) -> Self {
        let name = squeezed(input.trim().trim_end_matches([':', '：']));
        let numbered = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
        let numbered = numbered.or_else(|| name.rsplit_once('#'));
        let numbered = numbered.and_then(|(name, number)| Some((name, number.parse().ok()?)));
        match numbered {
            Some((name, number)) => Self { name: name.to_owned(), number: Some(number) },
            None => Self { name, number: None },
        }
    }

    /// True if a part has this name, whatever its number.
    pub fn names(&self, part: &Key, lexicon: &Lexicon) -> bool {
        lexicon.calls(&part.section).any(|called| squeezed(called) == self.name)
    }

    /// True if a question, or its part, has this name.
    pub fn is_of(&self, key: &Key, lexicon: &Lexicon) -> bool {
        let is_it = self.names(key, lexicon) || self.names_question(key, lexicon);
        is_it && self.number.is_none_or(|number| number == key.number)
    }

    /// True if a question has this name: its label, alone or after the name of its part.
    pub fn names_question(&self, key: &Key, lexicon: &Lexicon) -> bool {
        let labels = lexicon.labels_of(key).into_iter();
        let labels = labels.flat_map(|names| Lang::ALL.map(|lang| squeezed(names.shown(lang))));
        labels.into_iter().any(|label| {
            let before = self.name.strip_suffix(label.as_str());
            before.map(|before| before.trim_end_matches([':', ','])).is_some_and(|before| {
                before.is_empty()
                    || lexicon.calls(&key.section).any(|part| squeezed(part) == before)
            })
        })
    }

    /// Returns the answers of this part in a declaration; if it is not a part, those of the parts that choose
    /// the piece of this name.
    pub fn within(&self, declaration: &Declaration, lexicon: &Lexicon) -> Declaration {
        let is_part = declaration.iter().any(|(key, _)| self.is_of(key, lexicon));
        let chooses = |answer: &Answer| match answer.value() {
            Some(Value::Choice(id)) => lexicon.is_called(id, &self.name),
            _ => false,
        };
        let is_taken = |key: &Key| {
            let mut of_part = declaration.iter().filter(|(other, _)| other.whole() == key.whole());
            if is_part { self.is_of(key, lexicon) } else { of_part.any(|(_, it)| chooses(it)) }
        };
        let mut within = declaration.clone();
        within.retain(is_taken);
        within
    }

    /// Returns a declaration without the answers of this part. Parts to which one more can be added close up.
    pub fn taken_from(&self, declaration: &Declaration, lexicon: &Lexicon) -> Declaration {
        let taken = self.within(declaration, lexicon);
        let rest = declaration.iter().filter(|(key, _)| taken.get(key).is_none());
        let rest: Vec<(&Key, &Answer)> = rest.collect();
        let parts: BTreeSet<Key> = rest.iter().map(|(key, _)| key.whole()).collect();
        let mut left = Declaration::default();
        for (key, answer) in rest {
            let before = parts.iter().filter(|part| part.section == key.section);
            let place = before.filter(|part| part.number < key.number).count() + 1;
            let number = u8::try_from(place).unwrap_or(u8::MAX);
            let adds = lexicon.adding.contains(&key.section);
            let number = if adds { number } else { key.number };
            let answer = match answer {
                Answer::InReserve(reserves) => Answer::InReserve(
                    reserves.iter().map(|reserve| reserve.with_number(number)).collect(),
                ),
                answer => answer.clone(),
            };
            left.set(key.clone().nth(number), answer);
        }
        left
    }
}

impl Lexicon {
    /// Returns all names of a section: its id, its marks and its label.
    pub fn calls<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a str> {
        let marks = self.section(section).into_iter().flat_map(Names::all);
        let part = Key { section: section.into(), number: 1, name: SmolStr::default() };
        let labels = self.labels_of(&part).into_iter();
        let labels = labels.flat_map(|names| Lang::ALL.map(|lang| names.shown(lang)));
        let marks = marks.map(|mark| mark.trim_end_matches([':', '：']));
        std::iter::once(section).chain(marks).chain(labels)
    }
}

/// A line taken as a name alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAlone {
    /// The line without the surrounding brackets and punctuation.
    pub name: String,
    /// True if a question mark follows the name.
    pub asks: bool,
}

impl NameAlone {
    /// Strips the characters around a name.
    pub fn read(line: &str) -> Self {
        let is_mark = |c: char| matches!(c, '?' | '\u{ff1f}' | '!' | '\u{ff01}' | '.' | '。');
        let is_around = |c: char| is_space(c) || is_bracket(c) || c == '\n';
        let name = line.trim_start_matches(is_around);
        let bare = name.trim_end_matches(|c| is_mark(c) || is_around(c));
        // A bracket opened within the name belongs to it: `Jack (J)`.
        let closed = name[bare.len()..].chars().next().filter(|_| bare.contains(is_bracket));
        let end = bare.len() + closed.filter(|c| is_bracket(*c)).map_or(0, char::len_utf8);
        Self { name: name[..end].to_owned(), asks: name[end..].contains(['?', '\u{ff1f}']) }
    }
}

/// Folds a name for comparison, without spaces.
fn squeezed(text: &str) -> String {
    fold(text).chars().filter(|c| !c.is_whitespace()).collect()
}

/// The number of suggestions, plus those as near as the last one.
const OFFERED: usize = 3;
pub(super) const MOST: usize = 6;

/// The maximum length of a slip of the pen.
pub(super) const LONGEST: usize = 40;

/// Returns the options with the names nearest to a word, best first, without any that differ in more than
/// half.
pub(super) fn nearest(word: &[char], options: &[SmolStr], words: &Words<'_>) -> Vec<SmolStr> {
    if word.len() > LONGEST {
        return Vec::new();
    }
    let mut near: Vec<(usize, &SmolStr)> = Vec::new();
    for id in options {
        let best = words.names(id).into_iter().filter_map(|name| likeness(word, name)).min();
        if let Some(best) = best
            && !near.iter().any(|(_, other)| *other == id)
        {
            near.push((best, id));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    let last = near.get(OFFERED - 1).map(|(distance, _)| *distance);
    let near =
        near.into_iter().take_while(|(distance, _)| last.is_none_or(|last| *distance <= last));
    near.take(MOST).map(|(_, id)| id.clone()).collect()
}

/// The least length of the beginning of a name that stands for it.
const BEGINNING: usize = 3;

/// Returns the distance of two words in thousandths, `None` if it is more than half. The beginning of a name
/// is nearest to it.
fn likeness(word: &[char], name: &[char]) -> Option<usize> {
    if word.len() >= BEGINNING && name.starts_with(word) {
        return Some(0);
    }
    let distance = generic_damerau_levenshtein(word, name);
    let longer = word.len().max(name.len());
    (distance * 2 <= longer).then(|| distance * 1000 / longer)
}

#[cfg(test)]
mod tests {
    use crate::text::tests::form::WORDS;
    use crate::text::{NameAlone, NamedPart};
    use crate::{Answer, Declaration, Key};

    fn left(part: &str) -> String {
        let mut declaration = Declaration::default();
        for key in [
            Key::new("2", "card"),
            Key::new("3", "card"),
            Key::new("3", "pay"),
            Key::new("3", "card").nth(2),
            Key::new("strike", "way"),
        ] {
            declaration.set(key, Answer::LeftOut);
        }
        let left = NamedPart::read(part).taken_from(&declaration, WORDS.lexicon());
        left.iter().map(|(key, _)| key.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_part_is_taken_back_by_every_name_under_which_it_is_told() {
        for name in ["3", "３：", " 3: ", "セットフェイズ", "Set phase", "SETPHASE"] {
            assert_eq!(left(name), "2.card strike.way", "{name}");
        }
        for name in ["3#2", "３＃２", "set phase (2)", "セットフェイズ（2）"] {
            assert_eq!(left(name), "2.card 3.card 3.pay strike.way", "{name}");
        }
        assert_eq!(left("3#1"), "2.card 3#2.card strike.way");
        for name in ["もしストライキなら:", "if struck"] {
            assert_eq!(left(name), "2.card 3.card 3.pay 3#2.card", "{name}");
        }
        for name in ["", "4", "3#x", "phase"] {
            assert_eq!(left(name), "2.card 3.card 3.pay 3#2.card strike.way", "{name}");
        }
    }

    #[test]
    fn a_name_is_bare_of_what_stands_around_it() {
        for (line, name, asks) in [
            ("GUN", "GUN", false),
            (" 【GUN】？", "GUN", true),
            ("AP-BULLET ?!", "AP-BULLET", true),
            ("拳銃。", "拳銃", false),
            ("「予算小(1)」?", "予算小(1)", true),
            ("Jack (J)", "Jack (J)", false),
            ("?", "", true),
        ] {
            assert_eq!(NameAlone::read(line), NameAlone { name: name.to_owned(), asks }, "{line}");
        }
    }
}
