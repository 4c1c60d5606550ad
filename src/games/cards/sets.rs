//! The sets known to this program: the built-in one, those of the operator's folder, and those of tables.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use smol_str::SmolStr;

use super::fault::{SetFault, sentence};
use super::hash::{MARK_SIGN, SetHash};
use super::phrases::Phrases;
use crate::card_texts::{CardTexts, InBoth};
use rules::Key;
use rules::data::{BuiltIn, DataFault};
use rules::text::{Lang, Lexicon};

/// The option that names the set of a table.
pub const OPTION: &str = "set";

/// The set of a game, without the types of the game.
#[derive(Debug)]
pub struct SetAbout {
    pub hash: SetHash,
    /// The word by which hosts name the set: the name of its file without the ending.
    pub word: SmolStr,
    name: InBoth,
    /// The text of the file.
    pub text: String,
    pub lexicon: Lexicon,
    pub cards: CardTexts,
    /// The question that asks for a ready-made deck, and the decks.
    pub decks: (Key, Vec<ReadyMade>),
    /// The ids of cards for examples, by the names that the game's letters use.
    pub examples: BTreeMap<&'static str, SmolStr>,
}

impl SetAbout {
    /// Returns the name of the set.
    pub fn name(&self, lang: Lang) -> &str {
        self.name.of(lang)
    }
}

/// A ready-made deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyMade {
    /// The answer that names the deck.
    pub id: SmolStr,
    /// The cards with the number of their copies, in the order of the file.
    pub cards: Vec<(SmolStr, usize)>,
}

impl ReadyMade {
    /// Counts the copies of a deck's cards.
    pub(crate) fn of(id: SmolStr, all: impl Iterator<Item = SmolStr>) -> Self {
        let mut cards: Vec<(SmolStr, usize)> = Vec::new();
        for card in all {
            match cards.iter_mut().find(|(other, _)| *other == card) {
                Some((_, copies)) => *copies += 1,
                None => cards.push((card, 1)),
            }
        }
        Self { id, cards }
    }
}

/// A game's own type of sets.
pub(crate) trait CardSet: Debug + Send + Sync + Sized + 'static {
    /// The clause of the option that names a set.
    const CLAUSE: &'static str;
    /// The question that asks for a ready-made deck.
    const DECK: Key;

    /// Parses a set, and checks it against the rules.
    ///
    /// # Errors
    /// Every fault of the file.
    fn parse(file: &str, text: &str) -> Result<Self, Vec<SetFault>>;
    fn name(&self) -> InBoth;
    /// Returns the words of the game, extended by the names of the cards.
    fn lexicon(&self) -> Lexicon;
    fn texts(&self) -> CardTexts;
    /// Returns its ready-made decks.
    fn decks(&self) -> Vec<ReadyMade>;
    /// Returns the ids of cards for examples, by the names that the game's letters use.
    fn examples(&self) -> BTreeMap<&'static str, SmolStr>;
}

/// A known set.
#[derive(Debug)]
pub(crate) struct KnownSet<S> {
    pub(crate) about: SetAbout,
    pub(crate) set: S,
}

/// The sets of a game that this program knows. A known set stays for as long as the program runs: states and
/// events refer to its cards.
#[derive(Debug)]
pub(crate) struct Sets<S: 'static> {
    known: RwLock<Vec<&'static KnownSet<S>>>,
    offer: RwLock<Offer<S>>,
}

/// The sets that hosts can choose, the built-in one first.
#[derive(Debug)]
struct Offer<S: 'static> {
    sets: Vec<&'static KnownSet<S>>,
    /// Their words.
    words: &'static [&'static str],
    /// The words of the game with the cards of the built-in set and the names of all these sets.
    lexicon: &'static Lexicon,
}

impl<S: CardSet> Offer<S> {
    fn of(sets: Vec<&'static KnownSet<S>>) -> Self {
        let words: Vec<&str> = sets.iter().map(|set| set.about.word.as_str()).collect();
        let names = sets.iter().map(|set| {
            let about = &set.about;
            (about.word.as_str(), about.name(Lang::Ja), about.name(Lang::En))
        });
        let lexicon = sets[0].about.lexicon.clone().with_option(OPTION, names);
        Self { words: words.leak(), lexicon: Box::leak(Box::new(lexicon)), sets }
    }
}

impl<S: CardSet> Sets<S> {
    /// Returns the faults of a game's built-in set and of its phrases.
    pub(crate) fn faults(
        built_in: &Result<Self, Vec<SetFault>>,
        phrases: &BuiltIn<Phrases>,
    ) -> Vec<DataFault> {
        let set = built_in.as_ref().err().into_iter().flatten().cloned();
        phrases.fault().into_iter().chain(set.map(DataFault::from)).collect()
    }

    /// Returns the built-in set alone.
    ///
    /// # Errors
    /// Every fault of its file.
    pub(crate) fn new((file, text): (&str, &str)) -> Result<Self, Vec<SetFault>> {
        let built_in = known(file, text)?;
        let known = RwLock::new(vec![built_in]);
        Ok(Self { known, offer: RwLock::new(Offer::of(vec![built_in])) })
    }

    pub(crate) fn built_in(&self) -> &'static KnownSet<S> {
        read(&self.offer).sets[0]
    }

    /// Returns the set with cards of this mark.
    pub(crate) fn of_mark(&self, mark: &str) -> Option<&'static KnownSet<S>> {
        read(&self.known).iter().copied().find(|set| set.about.hash.mark() == mark)
    }

    /// Returns the offered set with this word, or the known set with this hash.
    pub(crate) fn called(&self, input: &str) -> Option<&'static KnownSet<S>> {
        let offered = read(&self.offer).sets.iter().copied().find(|set| set.about.word == input);
        offered.or_else(|| self.of_hash(input.parse().ok()?))
    }

    fn of_hash(&self, hash: SetHash) -> Option<&'static KnownSet<S>> {
        read(&self.known).iter().copied().find(|set| set.about.hash == hash)
    }

    fn learn(&self, file: &str, text: &str) -> Result<&'static KnownSet<S>, Vec<SetFault>> {
        let hash = SetHash::of(text);
        if let Some(known) = self.of_hash(hash) {
            return Ok(known);
        }
        if self.of_mark(&hash.mark()).is_some() {
            return Err(vec![twice(file, hash.mark())]);
        }
        let set = known(file, text)?;
        write(&self.known).push(set);
        Ok(set)
    }
}

/// The sets of a game, without the types of the game.
pub trait AnySets: Debug + Send + Sync {
    /// Returns the sets that hosts can choose, the built-in one first.
    fn offered(&self) -> Vec<&'static SetAbout>;
    /// Returns the clause of the option that names a set.
    fn clause(&self) -> &'static str;
    /// Returns the words of the offered sets.
    fn words(&self) -> &'static [&'static str];
    /// Returns the words of the game for a table that is bound to no set.
    fn lexicon(&self) -> &'static Lexicon;
    /// Returns the offered set with this word, or the known set with this hash.
    fn called(&self, input: &str) -> Option<&'static SetAbout>;
    /// Returns the known set that has the card with this id.
    fn of_card(&self, id: &str) -> Option<&'static SetAbout>;
    /// Returns the set with this text, parsed at the first time.
    ///
    /// # Errors
    /// Every fault of the file, or another known set with the same mark.
    fn learn(&self, file: &str, text: &str) -> Result<&'static SetAbout, Vec<SetFault>>;
    /// Returns every fault of the file of a set.
    fn check(&self, file: &str, text: &str) -> Vec<SetFault>;
    /// Lets hosts choose a set.
    ///
    /// # Errors
    /// Every fault of the file, or another offered set with the same word, name or text.
    fn offer(&self, file: &str, text: &str) -> Result<(), Vec<SetFault>>;
}

impl<S: CardSet> AnySets for Sets<S> {
    fn offered(&self) -> Vec<&'static SetAbout> {
        read(&self.offer).sets.iter().map(|set| &set.about).collect()
    }

    fn clause(&self) -> &'static str {
        S::CLAUSE
    }

    fn words(&self) -> &'static [&'static str] {
        read(&self.offer).words
    }

    fn lexicon(&self) -> &'static Lexicon {
        read(&self.offer).lexicon
    }

    fn called(&self, input: &str) -> Option<&'static SetAbout> {
        Self::called(self, input).map(|set| &set.about)
    }

    fn of_card(&self, id: &str) -> Option<&'static SetAbout> {
        let (_, mark) = id.split_once(MARK_SIGN)?;
        self.of_mark(mark).map(|set| &set.about)
    }

    fn learn(&self, file: &str, text: &str) -> Result<&'static SetAbout, Vec<SetFault>> {
        Self::learn(self, file, text).map(|set| &set.about)
    }

    fn check(&self, file: &str, text: &str) -> Vec<SetFault> {
        S::parse(file, text).err().unwrap_or_default()
    }

    fn offer(&self, file: &str, text: &str) -> Result<(), Vec<SetFault>> {
        let set = Self::learn(self, file, text)?;
        let mut offer = write(&self.offer);
        let fault = |key, input: &str| {
            let what = sentence(key, &[("input", input.to_owned())]);
            Err(vec![SetFault::new(file, 1, None, what)])
        };
        let word = word_of(file);
        for other in &offer.sets {
            let is_alike = |lang| set.about.name(lang) == other.about.name(lang);
            if std::ptr::eq(*other, set) {
                let is_it = other.about.word == word;
                return if is_it { Ok(()) } else { fault("same-text", &other.about.word) };
            }
            if other.about.word == word {
                return fault("same-word", &word);
            }
            if let Some(lang) = Lang::ALL.into_iter().find(|lang| is_alike(*lang)) {
                return fault("same-title", set.about.name(lang));
            }
        }
        let sets = offer.sets.iter().copied().chain([set]).collect();
        *offer = Offer::of(sets);
        Ok(())
    }
}

/// Parses a set, which then stays for as long as the program runs.
fn known<S: CardSet>(file: &str, text: &str) -> Result<&'static KnownSet<S>, Vec<SetFault>> {
    let set = S::parse(file, text)?;
    let (lexicon, cards) = (set.lexicon(), set.texts());
    let about = SetAbout {
        hash: SetHash::of(text),
        word: word_of(file),
        name: set.name(),
        text: text.to_owned(),
        lexicon,
        cards,
        decks: (S::DECK, set.decks()),
        examples: set.examples(),
    };
    Ok(Box::leak(Box::new(KnownSet { about, set })))
}

/// Returns the word by which hosts name the set of a file.
fn word_of(file: &str) -> SmolStr {
    SmolStr::new(file.rsplit('/').next().unwrap_or(file).trim_end_matches(".toml"))
}

fn twice(file: &str, input: String) -> SetFault {
    SetFault::new(file, 1, None, sentence("twice", &[("input", input)]))
}

/// Returns the guard even after a panic of a thread that held it: every stored set is complete.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
