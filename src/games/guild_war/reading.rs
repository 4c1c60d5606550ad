//! W10.1: the parsing of a set's file, with every fault at once.

use std::collections::BTreeMap;

use serde::Deserialize;
use smol_str::SmolStr;

use super::edition::{Deck, EDITION};
use super::effects::{Attack, Effect, Stat};
use super::set::{
    BUILT_IN, CardKind, Equipment, LinePlace, Printed, PrintedLine, Scope, Set, Slot, Stats, Usable,
};
use super::state::GuildWar;
use super::texts;
use crate::card_texts::{CardTexts, InBoth};
use crate::cards::fault::{SetFault, sentence, unknown};
use crate::cards::hash::{MARK_SIGN, SetHash, unmarked};
use crate::cards::names::Name;
use crate::cards::reader::{Row, SetEntry, SetReader};
use crate::cards::sets::{CardSet, ReadyMade};
use rules::Key;
use rules::data::DataFault;
use rules::text::Lexicon;

/// The faults of the built-in set and of the sentences about sets.
pub(super) fn faults() -> Vec<DataFault> {
    let set = BUILT_IN.as_ref().err().into_iter().flatten().cloned();
    texts::check().into_iter().chain(set.map(DataFault::from)).collect()
}

/// The name of a set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    #[serde(rename = "game")]
    _game: String,
    name: Name,
    version: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineEntry {
    id: String,
    name: Name,
    levels: Vec<Stats>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillEntry {
    id: String,
    name: Name,
    line: String,
    frame: u8,
    scope: Scope,
    #[serde(default)]
    rest: bool,
    effect: Vec<Effect>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemEntry {
    id: String,
    name: Name,
    frame: u8,
    scope: Scope,
    consumed: bool,
    #[serde(default)]
    rest: bool,
    effect: Vec<Effect>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EquipmentEntry {
    id: String,
    name: Name,
    slot: Slot,
    #[serde(default)]
    lines: Vec<String>,
    bonus: BTreeMap<Stat, i16>,
    normal: Option<Stat>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeckEntry {
    #[serde(rename = "id")]
    _id: String,
    line: String,
    cards: Vec<String>,
}

impl CardSet for Set {
    const CLAUSE: &'static str = "W10.1";
    const DECK: Key = Key::new("deck", "line");

    fn parse(file: &str, text: &str) -> Result<Self, Vec<SetFault>> {
        Parsing::of(file, text)
    }

    fn name(&self) -> InBoth {
        self.name.clone()
    }

    fn lexicon(&self) -> Lexicon {
        let lines = self.lines.iter().map(|line| (&*line.id, &line.name));
        let cards = self.cards.iter().map(|card| (&*card.id, &card.name));
        let lexicon = Lexicon::clone(GuildWar::words()).with_pieces("line", lines.map(named));
        lexicon.with_pieces("card", cards.map(named))
    }

    fn texts(&self) -> CardTexts {
        texts::texts(self)
    }

    fn decks(&self) -> Vec<ReadyMade> {
        let card = |place: &usize| self.cards[*place].id.clone();
        let deck = |line: &PrintedLine| ReadyMade::of(line.id.clone(), line.deck.iter().map(card));
        self.lines.iter().map(deck).collect()
    }

    fn examples(&self) -> BTreeMap<&'static str, SmolStr> {
        let first = self.cards.first().map(|card| card.id.clone()).unwrap_or_default();
        let of = |is_it: &dyn Fn(&Printed) -> bool| {
            let card = self.cards.iter().find(|card| is_it(card));
            card.map_or_else(|| first.clone(), |card| card.id.clone())
        };
        let is_scoped = |card: &Printed, responds: bool| match &card.kind {
            CardKind::Skill(usable) => usable.scope.responds() == responds,
            _ => false,
        };
        let is_level = |card: &Printed| matches!(&card.kind, CardKind::Character { stats, .. } if stats.level > 1);
        let line = self.lines.first().map(|line| line.id.clone());
        BTreeMap::from([
            ("line", line.unwrap_or_default()),
            ("attack", of(&|card| is_scoped(card, false))),
            ("response", of(&|card| is_scoped(card, true))),
            ("item", of(&|card| matches!(card.kind, CardKind::Item(_)))),
            ("gear", of(&|card| matches!(card.kind, CardKind::Equipment(_)))),
            ("level", of(&is_level)),
        ])
    }
}

fn named<'a>((id, name): (&'a str, &'a InBoth)) -> (&'a str, &'a str, &'a str) {
    (id, &name.ja, &name.en)
}

/// A set that is being parsed, with the faults found so far.
struct Parsing<'t> {
    reader: SetReader<'t>,
    mark: String,
    /// The words of the game, which are not names.
    words: Lexicon,
    set: Set,
}

impl<'t> Parsing<'t> {
    /// Parses a set, and checks it against the rules.
    ///
    /// # Errors
    /// Every fault of the file.
    fn of(file: &'t str, text: &'t str) -> Result<Set, Vec<SetFault>> {
        let mut reader = SetReader::new(file, text)?;
        let about: Option<About> = reader.table("set");
        let (name, version) =
            about.map_or_else(Default::default, |about| (about.name.both(), about.version));
        let set =
            Set { name, version, lines: Vec::new(), cards: Vec::new(), by_id: BTreeMap::new() };
        let (mark, words) = (SetHash::of(text).mark(), Lexicon::clone(GuildWar::words()));
        let mut parsing = Self { reader, mark, words, set };
        parsing.lines();
        parsing.skills();
        parsing.items();
        parsing.equipment();
        parsing.decks();
        parsing.texts();
        let known = ["set", "line", "skill", "item", "equipment", "deck"];
        let faults = parsing.reader.finish(&known);
        if faults.is_empty() { Ok(parsing.set) } else { Err(faults) }
    }

    fn lines(&mut self) {
        let entries: Vec<SetEntry<LineEntry>> = self.reader.entries("line");
        if entries.is_empty() {
            self.reader.fault(0, None, sentence("missing-part", &[("input", "line".to_owned())]));
        }
        for entry in entries {
            let place = LinePlace(self.set.lines.len());
            let LineEntry { id, name, levels } = &entry.read;
            let begins = levels.first().is_some_and(|first| first.level == 1);
            let rises = levels.windows(2).all(|pair| pair[0].level < pair[1].level);
            if !begins || !rises {
                self.reader.fault_in(&entry, id, texts::fault("levels", &[]));
            }
            if levels.iter().any(|level| level.vit == 0) {
                self.reader.fault_in(&entry, id, sentence("vit", &[]));
            }
            let is_new = !self.set.lines.iter().any(|line| line.id == self.marked(id));
            self.reader.check_names(&entry, id, name, is_new, &self.words);
            let line = PrintedLine {
                id: self.marked(id),
                place,
                name: name.both(),
                large_deck: Vec::new(),
                beginner: self.set.cards.len(),
                deck: Vec::new(),
            };
            self.set.lines.push(line);
            for stats in levels {
                let of = |name: &str, gap: &str| format!("{name}{gap}{}", stats.level);
                let name =
                    Name { ja: of(&name.ja, ""), en: name.en.as_ref().map(|name| of(name, " ")) };
                let kind = CardKind::Character { line: place, stats: *stats };
                self.add(&entry, &of(id, "-"), &name, kind);
            }
        }
    }

    fn skills(&mut self) {
        for entry in self.reader.entries::<SkillEntry>("skill") {
            let SkillEntry { id, name, frame, scope, rest, effect: effects, .. } = &entry.read;
            let line = self.line(&entry, &entry.read.line);
            let (frame, scope, effects, rest) = (*frame, *scope, effects.clone(), *rest);
            let usable = Usable { line, frame, scope, effects, rest, consumed: true };
            self.check(&entry, &usable);
            self.add(&entry, id, name, CardKind::Skill(usable));
        }
    }

    fn items(&mut self) {
        for entry in self.reader.entries::<ItemEntry>("item") {
            let ItemEntry { id, name, frame, scope, rest, consumed, effect: effects } = &entry.read;
            let (frame, scope, effects, rest) = (*frame, *scope, effects.clone(), *rest);
            let usable = Usable { line: None, frame, scope, effects, rest, consumed: *consumed };
            self.check(&entry, &usable);
            self.add(&entry, id, name, CardKind::Item(usable));
        }
    }

    fn equipment(&mut self) {
        for entry in self.reader.entries::<EquipmentEntry>("equipment") {
            let EquipmentEntry { id, name, slot, lines, bonus, normal } = &entry.read;
            let lines = lines.iter().filter_map(|line| self.line(&entry, line)).collect();
            let (slot, bonus, normal) = (*slot, bonus.clone(), normal.unwrap_or(Stat::Atk));
            let equipment = Equipment { slot, lines, bonus, normal };
            self.add(&entry, id, name, CardKind::Equipment(equipment));
        }
    }

    /// Parses the ready-made deck of each line.
    fn decks(&mut self) {
        let entries: Vec<SetEntry<DeckEntry>> = self.reader.entries("deck");
        for entry in &entries {
            let Some(line) = self.line(entry, &entry.read.line) else { continue };
            let deck = self.deck(entry);
            let of_line = &mut self.set.lines[line.0];
            let is_large = deck.len() == EDITION.deck.most;
            let place = if is_large { &mut of_line.large_deck } else { &mut of_line.deck };
            if !place.is_empty() {
                let values = [("input", entry.read.line.clone())];
                self.reader.fault_in(entry, &entry.read.line, sentence("twice", &values));
            }
            *place = deck;
        }
        let without = self.set.lines.iter().filter(|line| line.deck.is_empty());
        let without: Vec<String> = without.map(|line| line.name.ja.clone()).collect();
        for line in without {
            self.reader.fault(0, None, texts::fault("no-deck", &[("line", line)]));
        }
    }

    /// Parses the cards of a deck, small or large (W1.2), within the copies of W11.1.
    fn deck(&mut self, entry: &SetEntry<DeckEntry>) -> Vec<usize> {
        let (mut cards, mut left_out, mut is_read): (Vec<usize>, usize, bool) =
            (Vec::new(), 0, true);
        for row in &entry.read.cards {
            let (count, place) = match self.reader.row(entry, row, &self.set.by_id) {
                Row::Cards { count, place } => (count, place),
                Row::LeftOut { count } => {
                    left_out += count;
                    continue;
                }
                Row::Faulty => {
                    is_read = false;
                    continue;
                }
            };
            let laid = cards.iter().filter(|card| **card == place).count() + count;
            if laid > EDITION.deck.copies {
                let values = [("most", EDITION.deck.copies.to_string())];
                self.reader.fault_in(entry, row, texts::fault("copies", &values));
            }
            cards.extend(std::iter::repeat_n(place, count.min(EDITION.deck.most)));
        }
        let count = cards.len() + left_out;
        let Deck { least, most, .. } = EDITION.deck;
        if is_read && count != least && count != most {
            let sizes = [("least", least), ("most", most), ("count", count)];
            let values = sizes.map(|(name, number)| (name, number.to_string()));
            self.reader.fault_in(entry, &entry.id, texts::fault("deck-size", &values));
        }
        cards
    }

    /// Refuses a card whose text is longer than a menu has room for.
    fn texts(&mut self) {
        let long = self.set.cards.iter().filter(|card| !texts::fits(&self.set, card));
        let long: Vec<String> = long.map(|card| unmarked(&card.id).to_owned()).collect();
        for id in long {
            self.reader.fault_at(&id, texts::fault("text", &[]));
        }
    }

    fn marked(&self, id: &str) -> SmolStr {
        SmolStr::new(format!("{id}{MARK_SIGN}{}", self.mark))
    }

    /// The line with this id; none is a fault.
    fn line<T>(&mut self, entry: &SetEntry<T>, id: &str) -> Option<LinePlace> {
        let marked = self.marked(id);
        let line = self.set.lines.iter().find(|line| line.id == marked).map(|line| line.place);
        if line.is_none() && !self.reader.has_left_out(id) {
            let known = self.set.lines.iter().map(|line| unmarked(&line.id));
            let what = unknown("unknown-word", id, known);
            self.reader.fault_in(entry, id, what);
        }
        line
    }

    fn add<T>(&mut self, entry: &SetEntry<T>, id: &str, name: &Name, kind: CardKind) {
        let is_new = !self.set.by_id.contains_key(id);
        self.reader.check_names(entry, id, name, is_new, &self.words);
        let name = name.both();
        let same = self.set.cards.iter().any(|card| card.name.is_same(&name));
        if same && is_new {
            let values = [("input", name.ja.clone())];
            self.reader.fault_in(entry, &name.ja, sentence("same-name", &values));
        }
        let place = self.set.cards.len();
        self.set.by_id.insert(id.to_owned(), place);
        self.set.cards.push(Printed { id: self.marked(id), place, name, kind });
    }

    /// Refuses a card whose printed values cannot be carried out.
    fn check<T>(&mut self, entry: &SetEntry<T>, usable: &Usable) {
        if !(1..=EDITION.frames.last).contains(&usable.frame) {
            let values = [("most", EDITION.frames.last.to_string())];
            self.reader.fault_in(entry, &entry.id, texts::fault("frame", &values));
        }
        if usable.effects.is_empty() {
            self.reader.fault_in(entry, &entry.id, texts::fault("no-effect", &[]));
        }
        let is_on_foes = matches!(usable.scope, Scope::OneEnemy | Scope::AllEnemies);
        for attack in usable.effects.iter().filter_map(Effect::attack) {
            if !is_on_foes || !is_powered(attack) {
                self.reader.fault_in(entry, &entry.id, texts::fault("attack", &[]));
            }
        }
    }
}

fn is_powered(attack: &Attack) -> bool {
    let is_one = attack.percent.is_some() != attack.power.is_some();
    is_one && matches!(attack.with, Stat::Atk | Stat::Matk)
}
