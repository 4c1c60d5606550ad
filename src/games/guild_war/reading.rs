//! W10.1: the parsing of a set's file, with every fault at once.

use std::collections::BTreeMap;

use serde::Deserialize;
use smol_str::SmolStr;

use super::edition::{Deck, EDITION};
use super::effects::{Attack, Effect, Stat};
use super::set::{
    CardKind, Equipment, LinePlace, PHRASES, Printed, PrintedLine, Scope, Set, Slot, Stats, Usable,
};
use super::state::GuildWar;
use super::texts;
use crate::card_texts::{CardTexts, InBoth};
use crate::cards::fault::{SetFault, sentence, unknown};
use crate::cards::hash::unmarked;
use crate::cards::names::Name;
use crate::cards::reader::{SetEntry, SetReader};
use crate::cards::sets::{CardSet, ReadyMade};
use rules::Key;
use rules::text::Lexicon;

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
        let lines = self.lines.iter().map(|line| line.name.named(&line.id));
        let cards = self.cards.iter().map(|card| card.name.named(&card.id));
        Lexicon::clone(GuildWar::words()).with_pieces("line", lines).with_pieces("card", cards)
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

/// A set that is being parsed, with the faults found so far.
struct Parsing<'t> {
    reader: SetReader<'t>,
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
        let (name, version) = reader.about();
        let set =
            Set { name, version, lines: Vec::new(), cards: Vec::new(), by_id: BTreeMap::new() };
        let mut parsing = Self { reader, words: Lexicon::clone(GuildWar::words()), set };
        parsing.lines();
        parsing.skills();
        parsing.items();
        parsing.equipment();
        parsing.decks();
        parsing.reader.finish(parsing.set)
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
                self.reader.fault_in(&entry, id, PHRASES.sentence("levels", &[]));
            }
            if levels.iter().any(|level| level.vit == 0) {
                self.reader.fault_in(&entry, id, sentence("vit", &[]));
            }
            let is_new = !self.set.lines.iter().any(|line| line.id == self.reader.marked(id));
            self.reader.check_names(&entry, id, name, is_new, &self.words);
            let line = PrintedLine {
                id: self.reader.marked(id),
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
            self.reader.fault(0, None, PHRASES.sentence("no-deck", &[("line", line)]));
        }
    }

    /// Parses the cards of a deck, small or large (W1.2), within the copies of W11.1.
    fn deck(&mut self, entry: &SetEntry<DeckEntry>) -> Vec<usize> {
        let Deck { least, most, copies } = EDITION.deck;
        let too_many = |_, laid| (laid > copies).then(|| fault("copies", &[("most", copies)]));
        let deck = self.reader.deck(entry, &entry.read.cards, &self.set.by_id, too_many);
        if let Some(count) = deck.count.filter(|count| ![least, most].contains(count)) {
            let sizes = [("least", least), ("most", most), ("count", count)];
            self.reader.fault_in(entry, &entry.id, fault("deck-size", &sizes));
        }
        deck.cards
    }

    /// The line with this id; none is a fault.
    fn line<T>(&mut self, entry: &SetEntry<T>, id: &str) -> Option<LinePlace> {
        let marked = self.reader.marked(id);
        let line = self.set.lines.iter().find(|line| line.id == marked).map(|line| line.place);
        if line.is_none() && !self.reader.has_left_out(id) {
            let known = self.set.lines.iter().map(|line| unmarked(&line.id));
            let what = unknown("unknown-word", id, known);
            self.reader.fault_in(entry, id, what);
        }
        line
    }

    fn add<T>(&mut self, entry: &SetEntry<T>, id: &str, name: &Name, kind: CardKind) {
        let names = self.set.cards.iter().map(|card| &card.name);
        self.reader.check_card(entry, id, name, &self.set.by_id, names, &self.words);
        let name = name.both();
        let place = self.set.cards.len();
        self.set.by_id.insert(id.to_owned(), place);
        self.set.cards.push(Printed { id: self.reader.marked(id), place, name, kind });
    }

    /// Refuses a card whose printed values cannot be carried out.
    fn check<T>(&mut self, entry: &SetEntry<T>, usable: &Usable) {
        if !(1..=EDITION.frames.last).contains(&usable.frame) {
            let most = usize::from(EDITION.frames.last);
            self.reader.fault_in(entry, &entry.id, fault("frame", &[("most", most)]));
        }
        if usable.effects.is_empty() {
            self.reader.fault_in(entry, &entry.id, PHRASES.sentence("no-effect", &[]));
        }
        let is_on_foes = matches!(usable.scope, Scope::OneEnemy | Scope::AllEnemies);
        for attack in usable.effects.iter().filter_map(Effect::attack) {
            if !is_on_foes || !is_powered(attack) {
                self.reader.fault_in(entry, &entry.id, PHRASES.sentence("attack", &[]));
            }
        }
    }
}

/// A sentence about a fault with numbers.
fn fault(key: &str, numbers: &[(&str, usize)]) -> InBoth {
    let values: Vec<_> = numbers.iter().map(|(name, it)| (*name, it.to_string())).collect();
    PHRASES.sentence(key, &values)
}

fn is_powered(attack: &Attack) -> bool {
    let is_one = attack.percent.is_some() != attack.power.is_some();
    is_one && matches!(attack.with, Stat::Atk | Stat::Matk)
}
