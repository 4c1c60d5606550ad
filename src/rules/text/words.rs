//! The words that a text may contain, and their search at a place.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use crate::text::fold::{NUMERALS, fold_name, fold_word};
use crate::text::{Folded, Lang, Lexicon, Names};
use crate::vocabulary::seat::MAX_SEATS;
use crate::{Answer, BySeat, Key, Seat, Value};

/// The group of all seats.
const SEATS: &str = "seat";

/// The minimum length of the beginning of a name that is taken for the name, in bytes: four Latin letters, or
/// two Japanese characters.
const BEGINNING: usize = 4;

/// The words of a game and the names of the players at one table.
#[derive(Clone, Debug)]
pub struct Words<'l> {
    lexicon: &'l Lexicon,
    aliases: Vec<Alias>,
    /// The aliases by first character.
    by_first: BTreeMap<char, Vec<usize>>,
    /// The aliases and the groups of each piece.
    by_piece: BTreeMap<SmolStr, (Vec<usize>, Vec<SmolStr>)>,
}

#[derive(Clone, Debug)]
struct Alias {
    name: Vec<char>,
    /// The name without its spaces.
    word: Vec<char>,
    meaning: Meaning,
}

/// The meaning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A piece that can be an answer.
    Piece {
        group: SmolStr,
        id: SmolStr,
    },
    /// The mark of a section; some count only with their colon.
    Section {
        id: SmolStr,
        colon: bool,
    },
    Noise,
    /// A verb for some pieces and parts; next to them, the verb adds no meaning.
    Verb(VerbMeaning),
    /// A word between two declared things, without meaning.
    Joint,
    /// "I go on without it."
    Pass,
    /// "None of it", where the rules allow that.
    Nothing,
    /// "If that cannot stand …"
    Reserve,
}

/// The meaning of a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VerbMeaning {
    /// The pieces and parts that the verb belongs to.
    pub(super) of: Vec<SmolStr>,
    /// The numbers that the verb gives if the text gives none.
    pub(super) says: Vec<(Key, i64)>,
}

impl Meaning {
    /// True for going on without an answer, in either way.
    pub(super) fn leaves_out(&self) -> bool {
        matches!(self, Self::Pass | Self::Nothing)
    }
}

/// A word found at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit<'w> {
    pub(super) meaning: &'w Meaning,
    pub(super) word: &'w [char],
    pub(super) end: usize,
    pub(super) edge: Edge,
}

/// The end of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// The word ends here.
    Clean,
    /// A count follows directly: the 2 of `large2`.
    Counted,
    /// The letters begin a longer word.
    Torn,
}

impl<'l> Words<'l> {
    /// Collects the words of a game and the other names of each seat. A seat always answers to its name, such
    /// as `P1`.
    pub fn new(lexicon: &'l Lexicon, names: &BySeat<Vec<String>>) -> Self {
        let mut words = Self {
            lexicon,
            aliases: Vec::new(),
            by_first: BTreeMap::new(),
            by_piece: BTreeMap::new(),
        };
        for piece in &lexicon.pieces {
            let (_, groups) = words.by_piece.entry(piece.id.clone()).or_default();
            groups.push(piece.group.clone());
            for name in piece.names.all() {
                let meaning = Meaning::Piece { group: piece.group.clone(), id: piece.id.clone() };
                if let Some(name) = in_kanji(name) {
                    words.add(&name, meaning.clone());
                }
                words.add(name, meaning);
            }
        }
        let seat_piece = |seat: Seat| Meaning::Piece {
            group: SEATS.into(),
            id: SmolStr::new_static(seat.name()),
        };
        // All seats, even those not at this table: naming one is a fault, not an unknown word.
        for seat in Seat::all(MAX_SEATS) {
            words.add(seat.name(), seat_piece(seat));
        }
        for (seat, names) in names.iter() {
            for name in names {
                words.add(name, seat_piece(seat));
            }
        }
        for (id, names) in &lexicon.sections {
            for name in names.all() {
                let bare = name.trim_end_matches([':', '：']);
                words.add(bare, Meaning::Section { id: id.clone(), colon: bare != name });
            }
        }
        // Without a question for a player, "my" has no meaning.
        for name in lexicon.noise.iter().chain(&lexicon.own) {
            words.add(name, Meaning::Noise);
        }
        for verb in &lexicon.verbs {
            for name in verb.names.all() {
                let (of, says) = (verb.of.clone(), verb.says.clone());
                words.add(name, Meaning::Verb(VerbMeaning { of, says }));
            }
        }
        for name in &lexicon.joints {
            words.add(name, Meaning::Joint);
        }
        for name in lexicon.pass.iter().map(String::as_str).chain(["-"]) {
            words.add(name, Meaning::Pass);
        }
        for name in &lexicon.nothing {
            words.add(name, Meaning::Nothing);
        }
        for name in lexicon.reserve.iter().flat_map(Names::all) {
            words.add(name, Meaning::Reserve);
        }
        words
    }

    /// Adds the words of the player on a seat: "my" names that seat.
    #[must_use]
    pub fn of(mut self, seat: Seat) -> Self {
        let id = SmolStr::new_static(seat.name());
        for name in &self.lexicon.own {
            self.add_unnamed(name, Meaning::Piece { group: SEATS.into(), id: id.clone() });
        }
        self
    }

    /// Returns the words of the game.
    pub fn lexicon(&self) -> &'l Lexicon {
        self.lexicon
    }

    /// Returns the reserve word.
    pub(super) fn else_word(&self, lang: Lang) -> &str {
        self.lexicon.reserve.as_ref().map_or("", |names| names.shown(lang))
    }

    /// True if a text begins with the mark of a section.
    pub fn opens_part(&self, text: &str) -> bool {
        self.opens_part_beyond("", text)
    }

    /// True if a text begins with the mark of a section that is longer than a word.
    pub fn opens_part_beyond(&self, word: &str, text: &str) -> bool {
        let opens = |hit: &Hit<'_>| {
            matches!(hit.meaning, Meaning::Section { colon: false, .. }) && hit.edge == Edge::Clean
        };
        let mut hits = self.hits(&Folded::new(text), 0).into_iter().filter(opens);
        hits.any(|hit| hit.word.len() > word.chars().count())
    }

    /// Returns the parts whose names a text begins with.
    pub(super) fn parts_opened_by(&self, text: &str) -> BTreeSet<SmolStr> {
        let hits = self.hits(&Folded::new(text), 0).into_iter();
        let name = |hit: Hit<'_>| match hit.meaning {
            Meaning::Section { id, .. } if hit.edge == Edge::Clean => Some(id.clone()),
            _ => None,
        };
        hits.filter_map(name).collect()
    }

    /// Returns the parts whose names a text begins or ends with.
    pub(super) fn parts_at_the_ends(&self, text: &str) -> BTreeSet<SmolStr> {
        let mut parts = self.parts_opened_by(text.trim_start());
        parts.append(&mut self.parts_closed_by(text));
        parts
    }

    /// Returns the parts whose names a text ends with: `剣士60にレベルアップ`.
    pub(super) fn parts_closed_by(&self, text: &str) -> BTreeSet<SmolStr> {
        let folded = Folded::new(text.trim_end_matches(|c: char| !c.is_alphanumeric()));
        let hits = (1..folded.len()).flat_map(|at| self.hits(&folded, at));
        let name = |hit: Hit<'_>| match hit.meaning {
            Meaning::Section { id, .. } if !hit.word.iter().all(char::is_ascii_digit) => {
                (hit.end == folded.len()).then(|| id.clone())
            }
            _ => None,
        };
        hits.filter_map(name).collect()
    }

    /// True if an answer belongs to a part that must be named, and the text does not name the part.
    pub(super) fn lacks_name(&self, text: &str, part: &SmolStr) -> bool {
        let folded = Folded::new(text);
        let names_it =
            |hit: Hit<'_>| matches!(hit.meaning, Meaning::Section { id, .. } if id == part);
        self.lexicon.named.contains(part)
            && !(0..folded.len()).any(|at| self.hits(&folded, at).into_iter().any(names_it))
    }

    /// Returns the parts named in a text whose names open them only with a colon.
    pub(super) fn parts_named_in(&self, text: &str) -> BTreeSet<SmolStr> {
        let folded = Folded::new(text);
        let hits = (0..folded.len()).flat_map(|at| self.hits(&folded, at));
        let name = |hit: Hit<'_>| match hit.meaning {
            Meaning::Section { id, colon: true } if hit.edge == Edge::Clean => Some(id.clone()),
            _ => None,
        };
        hits.filter_map(name).collect()
    }

    /// True if an answer to a part named after a piece is another piece of its kind: a card in the part of
    /// another card.
    pub(super) fn is_another(&self, part: &SmolStr, answer: &Answer) -> bool {
        let groups = |id: &SmolStr| self.by_piece.get(id).map_or(&[][..], |(_, groups)| groups);
        let is_another = |id: &SmolStr| {
            id != part && groups(id).iter().any(|group| groups(part).contains(group))
        };
        match answer {
            Answer::Given(Value::Choice(id)) => is_another(id),
            Answer::Given(Value::Picks(ids)) => ids.iter().any(is_another),
            _ => false,
        }
    }

    fn add(&mut self, name: &str, meaning: Meaning) {
        let (piece, alias) = (meaning.clone(), self.aliases.len());
        self.add_unnamed(name, meaning);
        if let Meaning::Piece { id, .. } = piece
            && self.aliases.len() > alias
        {
            self.by_piece.entry(id).or_default().0.push(alias);
        }
    }

    /// Adds a word that is not a name of its piece, and is never suggested for a mistyped name.
    fn add_unnamed(&mut self, name: &str, meaning: Meaning) {
        let word = fold_word(name);
        // A player's name may be nothing but spaces.
        let Some(&first) = word.first() else { return };
        self.by_first.entry(first).or_default().push(self.aliases.len());
        self.aliases.push(Alias { name: fold_name(name), word, meaning });
    }

    /// Returns the words at this place.
    pub(super) fn hits<'w>(&'w self, text: &Folded<'_>, at: usize) -> Vec<Hit<'w>> {
        let first = text.char(at).and_then(|first| self.by_first.get(&first));
        let aliases = first.into_iter().flatten().map(|&index| &self.aliases[index]);
        let hit = |alias: &'w Alias| {
            let end = text.spells(at, &alias.name)?;
            let edge = edge(text, *alias.word.last()?, end);
            Some(Hit { meaning: &alias.meaning, word: &alias.word, end, edge })
        };
        aliases.filter_map(hit).collect()
    }

    /// True if pieces have this folded name and a number: `composer`, as in `Composer 4`.
    pub(super) fn is_numbered(&self, name: &[char]) -> bool {
        let begins = name.first().and_then(|first| self.by_first.get(first));
        let name: Vec<char> = name.iter().filter(|c| !c.is_whitespace()).copied().collect();
        begins.into_iter().flatten().any(|&alias| {
            let number = self.aliases[alias].word.strip_prefix(name.as_slice());
            number
                .is_some_and(|number| !number.is_empty() && number.iter().all(char::is_ascii_digit))
        })
    }

    /// Returns the similarity of this word to the most similar word of the game, or to the first word of the
    /// most similar name, from 0 to 1.
    pub fn likeness(&self, word: &str) -> f64 {
        let word: String = fold_word(word).into_iter().collect();
        let like = |alias: &Alias| {
            let whole: String = alias.word.iter().collect();
            let first: String = alias.name.iter().take_while(|c| c.is_alphanumeric()).collect();
            let like = |name: &str| {
                let begins = word.len() >= BEGINNING && name.starts_with(&word);
                if begins { 1.0 } else { strsim::normalized_damerau_levenshtein(&word, name) }
            };
            like(&whole).max(like(&first))
        };
        self.aliases.iter().map(like).fold(0.0, f64::max)
    }

    /// Returns the folded names of a piece, empty if it has none.
    pub(super) fn names(&self, id: &SmolStr) -> Vec<&[char]> {
        let of_it = self.by_piece.get(id).into_iter().flat_map(|(aliases, _)| aliases);
        of_it.map(|&alias| self.aliases[alias].word.as_slice()).collect()
    }

    /// Returns the groups that an answer may belong to: those that contain all options, or else those that
    /// contain any.
    pub(super) fn groups(&self, options: &[SmolStr]) -> Vec<SmolStr> {
        let groups_of = |id: &SmolStr| -> Vec<SmolStr> {
            if Seat::all(MAX_SEATS).any(|seat| seat.name() == id) {
                return vec![SEATS.into()];
            }
            self.by_piece.get(id).map(|(_, groups)| groups.clone()).unwrap_or_default()
        };
        let of_each: Vec<Vec<SmolStr>> = options.iter().map(groups_of).collect();
        let mut any: Vec<SmolStr> = of_each.iter().flatten().cloned().collect();
        any.sort_unstable();
        any.dedup();
        let in_all = |group: &&SmolStr| of_each.iter().all(|groups| groups.contains(group));
        let all: Vec<SmolStr> = any.iter().filter(in_all).cloned().collect();
        if all.is_empty() { any } else { all }
    }

    /// Returns the name under which a piece is written.
    pub(super) fn written<'a>(&'a self, id: &'a str, lang: Lang) -> &'a str {
        self.lexicon.name(id, lang)
    }
}

/// Returns a Japanese name with its only digit in kanji: `役者五` for `役者5`.
fn in_kanji(name: &str) -> Option<String> {
    let digits: Vec<char> = name.chars().filter(char::is_ascii_digit).collect();
    let [digit] = digits[..] else { return None };
    let numeral = NUMERALS[usize::try_from(digit.to_digit(10)?).ok()?.checked_sub(1)?];
    let is_japanese =
        name.chars().any(char::is_alphabetic) && !name.chars().any(|c| c.is_ascii_alphabetic());
    is_japanese.then(|| name.replace(digit, numeral.encode_utf8(&mut [0; 4])))
}

/// Classifies the end of a word with this last letter.
pub(super) fn edge(text: &Folded<'_>, last: char, end: usize) -> Edge {
    match text.char(end) {
        // The `一` of `役者一枚` is a count.
        Some('枚') if NUMERALS.contains(&last) => Edge::Torn,
        Some(next) if last.is_ascii_alphabetic() && next.is_ascii_digit() => Edge::Counted,
        // The `P1` of `P13` is not a seat.
        Some(next) if last.is_ascii_digit() && next.is_ascii_digit() => Edge::Torn,
        Some(next) if crate::text::fold::is_one_word(last, next) => {
            let counted = next == 'x' && text.times(end).is_some();
            if counted { Edge::Counted } else { Edge::Torn }
        }
        _ => Edge::Clean,
    }
}
