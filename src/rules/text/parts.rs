//! The parts of a declaration by the names shown to people, and lines with nothing but a name.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::text::fold::fold;
use crate::text::lexicon::{Lang, Lexicon, Names};
use crate::text::scan::{is_bracket, is_space};
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::question::Key;

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
    fn names_question(&self, key: &Key, lexicon: &Lexicon) -> bool {
        let labels = lexicon.labels_of(key).into_iter();
        let labels = labels.flat_map(|names| Lang::ALL.map(|lang| squeezed(names.shown(lang))));
        labels.into_iter().any(|label| {
            let before = self.name.strip_suffix(label.as_str());
            before.map(|before| before.trim_end_matches(':')).is_some_and(|before| {
                before.is_empty()
                    || lexicon.calls(&key.section).any(|part| squeezed(part) == before)
            })
        })
    }

    /// Returns a declaration without the answers of this part; if it is not a part, without the parts that
    /// choose the piece of this name. Parts to which one more can be added close up.
    pub fn taken_from(&self, declaration: &Declaration, lexicon: &Lexicon) -> Declaration {
        let is_part = declaration.iter().any(|(key, _)| self.is_of(key, lexicon));
        let chooses = |answer: &Answer| match answer.value() {
            Some(Value::Choice(id)) => lexicon.is_called(id, &self.name),
            _ => false,
        };
        let is_taken = |key: &Key| {
            let mut of_part = declaration.iter().filter(|(other, _)| other.whole() == key.whole());
            if is_part { self.is_of(key, lexicon) } else { of_part.any(|(_, it)| chooses(it)) }
        };
        let rest: Vec<(&Key, &Answer)> =
            declaration.iter().filter(|(key, _)| !is_taken(key)).collect();
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
    fn calls<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a str> {
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

#[cfg(test)]
mod tests {
    use crate::text::parts::{NameAlone, NamedPart};
    use crate::text::tests::form::WORDS;
    use crate::vocabulary::declaration::{Answer, Declaration};
    use crate::vocabulary::question::Key;

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
