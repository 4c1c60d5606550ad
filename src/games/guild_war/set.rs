//! W10: the cards, from files such as `data/guild_war/sets/starter.toml`.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use super::edition::EDITION;
use super::effects::{Attack, Effect, Stat};
use super::texts;
use crate::card_texts::{CardTexts, InBoth};
use crate::cards::fault::{SetFault, sentence, unknown};
use crate::cards::hash::SetHash;
use crate::cards::reader::{SetEntry, SetReader};
use crate::cards::sets::{CardSet, KnownSet, Sets};
use crate::pieces::pieces;
use rules::Piece;
use rules::data::{DataFault, nearest};
use rules::text::{Lang, Lexicon};

/// The path and text of the built-in set's file.
const FILE: (&str, &str) = rules::built_in_file!("data/", "guild_war", "/sets/starter.toml");

/// The sets that this program knows.
pub(super) static SETS: LazyLock<Sets<Set>> = LazyLock::new(|| {
    Sets::new(FILE).unwrap_or_else(|faults| panic!("built-in data: {}", faults[0].told(Lang::En)))
});

/// The faults of the built-in set and of the sentences about sets.
pub(super) fn faults() -> Vec<DataFault> {
    let set = Set::parse(FILE.0, FILE.1).err().unwrap_or_default();
    texts::check().into_iter().chain(set.into_iter().map(DataFault::from)).collect()
}

pieces! {
    /// The slot of a piece of equipment (W11.2).
    Slot {
        /// 武器
        Weapon => "weapon",
        /// 盾
        Shield => "shield",
        /// 鎧
        Armour => "armour",
        /// 頭
        Head => "head",
        /// 足
        Feet => "feet",
        /// 装飾品
        Accessory => "accessory",
    }
}

impl Slot {
    /// The number of pieces that the slot holds (W11.2).
    pub fn room(self) -> usize {
        if self == Self::Accessory { EDITION.gear.accessories } else { 1 }
    }
}

pieces! {
    /// The characters that a card is used on (W6.1).
    Scope {
        /// 単体・敵
        OneEnemy => "one-enemy",
        /// 全体・敵
        AllEnemies => "all-enemies",
        /// 自身
        Oneself => "self",
        /// 単体・味方, oneself among them (W11.8)
        OneAlly => "one-ally",
        /// パーティー
        Party => "party",
    }
}

impl Scope {
    /// True if one character must be named.
    pub fn is_single(self) -> bool {
        matches!(self, Self::OneEnemy | Self::OneAlly)
    }

    /// W6.1: true if a card of this scope can be a response.
    pub fn responds(self) -> bool {
        matches!(self, Self::OneAlly | Self::Oneself | Self::Party)
    }
}

/// The values printed on a character card (W11.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stats {
    pub level: u8,
    pub vit: u8,
    pub atk: i16,
    pub matk: i16,
    pub def: i16,
    pub agi: i16,
    pub luk: u8,
    pub capacity: u8,
}

impl Stats {
    pub fn of(&self, stat: Stat) -> i16 {
        match stat {
            Stat::Atk => self.atk,
            Stat::Matk => self.matk,
            Stat::Def => self.def,
            Stat::Agi => self.agi,
        }
    }
}

/// The maximum length of a name in characters.
const NAME: usize = 40;

/// The maximum length of an id in characters.
const ID: usize = 24;

/// The name of a set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    name: Name,
    version: u32,
}

/// A name. Without an English one, the Japanese one stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    ja: String,
    en: Option<String>,
}

impl Name {
    /// True if both languages have a name of a possible length.
    fn is_whole(&self) -> bool {
        let is_whole = |name: &str| (1..=NAME).contains(&name.trim().chars().count());
        is_whole(&self.ja) && self.en.as_deref().is_none_or(is_whole)
    }

    fn both(&self) -> InBoth {
        InBoth { ja: self.ja.clone(), en: self.en.clone().unwrap_or_else(|| self.ja.clone()) }
    }
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

/// The place of a line in its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinePlace(usize);

/// A skill or an item.
#[derive(Clone, Debug)]
pub struct Usable {
    /// `None` for an item. The line of the skill.
    pub line: Option<LinePlace>,
    /// The earliest frame of use (W5.3).
    pub frame: u8,
    pub scope: Scope,
    pub effects: Vec<Effect>,
    /// True if the card may be used at rest (W8.1).
    pub rest: bool,
    /// True if the card goes to the discard pile after use.
    pub consumed: bool,
}

/// A piece of equipment.
#[derive(Clone, Debug)]
pub struct Equipment {
    pub slot: Slot,
    /// The lines that can set the piece; empty for all.
    pub lines: Vec<LinePlace>,
    pub bonus: BTreeMap<Stat, i16>,
    /// The value that normal attacks use (W5.4).
    pub normal: Stat,
}

/// A kind of card, with its printed values.
#[derive(Clone, Debug)]
pub enum CardKind {
    Character { line: LinePlace, stats: Stats },
    Skill(Usable),
    Item(Usable),
    Equipment(Equipment),
}

/// A printed card of a set.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The id in the file, with the mark of the set: no two cards of all sets have the same.
    pub(super) id: SmolStr,
    place: usize,
    pub(super) name: InBoth,
    pub(super) kind: CardKind,
}

/// A printed line of a set.
#[derive(Clone, Debug)]
pub struct PrintedLine {
    /// The id in the file, with the mark of the set.
    id: SmolStr,
    place: LinePlace,
    pub(super) name: InBoth,
    /// The character card of level 1 (W3.1), by its place.
    beginner: usize,
    /// The ready-made deck (W1.2), by the places of its cards.
    deck: Vec<usize>,
}

/// A set of cards.
#[derive(Clone, Debug)]
pub struct Set {
    name: InBoth,
    version: u32,
    lines: Vec<PrintedLine>,
    pub(super) cards: Vec<Printed>,
    /// The places of the cards by their ids in the file.
    by_id: BTreeMap<String, usize>,
}

impl Set {
    pub(super) fn line(&self, place: LinePlace) -> &PrintedLine {
        &self.lines[place.0]
    }
}

/// A line of characters.
#[derive(Clone, Copy, Debug)]
pub struct Line(&'static PrintedLine);

/// A card of a known set.
#[derive(Clone, Copy, Debug)]
pub struct Card(&'static Printed);

/// The set of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableSet(&'static KnownSet<Set>);

impl TableSet {
    /// All lines, in the order of the set.
    pub fn lines(self) -> impl Iterator<Item = Line> {
        self.0.set.lines.iter().map(Line)
    }

    /// All cards, in the order of the set.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        self.0.set.cards.iter().map(Card)
    }

    /// The cards of the line's ready-made deck (W1.2).
    pub fn deck(self, of: Line) -> impl Iterator<Item = Card> {
        of.0.deck.iter().map(move |place| Card(&self.0.set.cards[*place]))
    }

    /// The line's character card of level 1 (W3.1).
    pub fn beginner(self, of: Line) -> Card {
        Card(&self.0.set.cards[of.0.beginner])
    }

    /// The name and the version of the set, for letters.
    pub(super) fn about(self) -> serde_json::Value {
        let Set { name, version, .. } = &self.0.set;
        serde_json::json!({ "ja": name.ja, "en": name.en, "version": version })
    }
}

impl Default for TableSet {
    fn default() -> Self {
        Self(SETS.built_in())
    }
}

impl PartialEq for TableSet {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for TableSet {}

impl Serialize for TableSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.about.hash)
    }
}

impl<'de> Deserialize<'de> for TableSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let said = SmolStr::deserialize(deserializer)?;
        let known = SETS.called(&said).map(Self);
        known.ok_or_else(|| serde::de::Error::custom(format!("there is no set {said:?}")))
    }
}

impl Line {
    pub fn place(self) -> LinePlace {
        self.0.place
    }

    /// `None` if no known set has a line with this id.
    fn find(id: &str) -> Option<Self> {
        let (set, id) = set_of(id)?;
        set.lines.iter().find(|line| bare(&line.id) == id).map(Self)
    }
}

impl Card {
    /// The id of the card.
    pub fn word(self) -> &'static str {
        &self.0.id
    }

    /// The card's kind, with its printed values.
    pub fn kind(self) -> &'static CardKind {
        &self.0.kind
    }

    /// `None` unless the card is a skill or an item. The printed part.
    pub fn usable(self) -> Option<&'static Usable> {
        match self.kind() {
            CardKind::Skill(usable) | CardKind::Item(usable) => Some(usable),
            CardKind::Character { .. } | CardKind::Equipment(_) => None,
        }
    }

    pub fn equipment(self) -> Option<&'static Equipment> {
        match self.kind() {
            CardKind::Equipment(equipment) => Some(equipment),
            _ => None,
        }
    }

    pub fn is_item(self) -> bool {
        matches!(self.kind(), CardKind::Item(_))
    }

    /// `None` unless the card is a character card. The printed values.
    pub fn stats(self) -> Option<&'static Stats> {
        match self.kind() {
            CardKind::Character { stats, .. } => Some(stats),
            _ => None,
        }
    }

    /// `None` unless the card is a character card of this line. The printed values.
    pub fn stats_of(self, of: Line) -> Option<&'static Stats> {
        match self.kind() {
            CardKind::Character { line, stats } if *line == of.place() => Some(stats),
            _ => None,
        }
    }

    /// `None` if no known set has a card with this id.
    pub fn find(id: &str) -> Option<Self> {
        let (set, id) = set_of(id)?;
        set.by_id.get(id).map(|place| Self(&set.cards[*place]))
    }
}

/// The sign between an id of a set's file and the mark of the set.
const MARK: char = '@';

/// Returns the set of a card or line, and its id in the file. An id without a mark is of the built-in set.
fn set_of(id: &str) -> Option<(&'static Set, &str)> {
    match id.split_once(MARK) {
        Some((id, mark)) => SETS.of_mark(mark).map(|known| (&known.set, id)),
        None => Some((&SETS.built_in().set, id)),
    }
}

/// The id of a card or line as its file has it.
fn bare(id: &str) -> &str {
    id.split_once(MARK).map_or(id, |(id, _)| id)
}

/// Compares a card or line by its id, which no other has, and orders it as its set does.
macro_rules! by_id {
    ($name:ident) => {
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.0, other.0)
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.0.place.cmp(&other.0.place).then_with(|| self.0.id.cmp(&other.0.id))
            }
        }

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.id.hash(state);
            }
        }

        impl Piece for $name {
            fn id(&self) -> SmolStr {
                self.0.id.clone()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0.id)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let id = SmolStr::deserialize(deserializer)?;
                let found = Self::find(&id);
                found.ok_or_else(|| serde::de::Error::custom(format!("{id:?} is in no set")))
            }
        }
    };
}

by_id!(Line);
by_id!(Card);

impl CardSet for Set {
    const CLAUSE: &'static str = "W10.1";

    fn parse(file: &str, text: &str) -> Result<Self, Vec<SetFault>> {
        Parsing::of(file, text)
    }

    fn name(&self) -> InBoth {
        self.name.clone()
    }

    fn lexicon(&self) -> Lexicon {
        let lines = self.lines.iter().map(|line| (&*line.id, &line.name));
        let cards = self.cards.iter().map(|card| (&*card.id, &card.name));
        let lexicon = texts::words().with_pieces("line", lines.map(named));
        lexicon.with_pieces("card", cards.map(named))
    }

    fn texts(&self) -> CardTexts {
        texts::texts(self)
    }
}

fn named<'a>((id, name): (&'a str, &'a InBoth)) -> (&'a str, &'a str, &'a str) {
    (id, &name.ja, &name.en)
}

/// A set that is being parsed, with the faults found so far.
struct Parsing<'t> {
    reader: SetReader<'t>,
    mark: String,
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
        let mut parsing = Self { reader, mark: SetHash::of(text).mark(), set };
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
            self.reader.fault(0, None, sentence("missing-part", &[("said", "line".to_owned())]));
        }
        for entry in entries {
            let place = LinePlace(self.set.lines.len());
            let LineEntry { id, name, levels } = &entry.read;
            let begins = levels.first().is_some_and(|first| first.level == 1);
            let rises = levels.windows(2).all(|pair| pair[0].level < pair[1].level);
            if !begins || !rises {
                self.reader.fault_in(&entry, id, texts::fault("levels", &[]));
            }
            let is_new = !self.set.lines.iter().any(|line| line.id == self.marked(id));
            self.check_names(&entry, id, name, is_new);
            let line = PrintedLine {
                id: self.marked(id),
                place,
                name: name.both(),
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
        let mut missing: Vec<bool> = vec![true; self.set.lines.len()];
        let entries: Vec<SetEntry<DeckEntry>> = self.reader.entries("deck");
        for entry in &entries {
            let Some(line) = self.line(entry, &entry.read.line) else { continue };
            if !std::mem::take(&mut missing[line.0]) {
                let said = [("said", entry.read.line.clone())];
                self.reader.fault_in(entry, &entry.read.line, sentence("twice", &said));
            }
            let deck = self.deck(entry);
            self.set.lines[line.0].deck = deck;
        }
        let of_lines = self.set.lines.iter().zip(missing).filter(|(_, missing)| *missing);
        let without: Vec<String> = of_lines.map(|(line, _)| line.name.ja.clone()).collect();
        for line in without {
            self.reader.fault(0, None, texts::fault("no-deck", &[("line", line)]));
        }
    }

    /// Parses the cards of a deck, which must have the number of cards of W1.2 and W11.1.
    fn deck(&mut self, entry: &SetEntry<DeckEntry>) -> Vec<usize> {
        let (mut cards, mut left_out): (Vec<usize>, usize) = (Vec::new(), 0);
        for row in &entry.read.cards {
            let counted = row.split_once(' ');
            let counted = counted.and_then(|(count, id)| Some((count.parse().ok()?, id)));
            let Some((count, id)): Option<(usize, &str)> = counted else {
                self.reader.fault_in(entry, row, sentence("no-row", &[("said", row.clone())]));
                continue;
            };
            let Some(place) = self.set.by_id.get(id).copied() else {
                if self.reader.has_left_out(id) {
                    left_out += count;
                    continue;
                }
                let what = no_card(id, self.set.by_id.keys().map(String::as_str));
                self.reader.fault_in(entry, row, what);
                continue;
            };
            let laid = cards.iter().filter(|card| **card == place).count() + count;
            if laid > EDITION.deck.copies {
                let values = [("most", EDITION.deck.copies.to_string())];
                self.reader.fault_in(entry, row, texts::fault("copies", &values));
            }
            cards.extend(std::iter::repeat_n(place, count.min(EDITION.deck.cards)));
        }
        let said = cards.len() + left_out;
        if said != EDITION.deck.cards {
            let values = [("right", EDITION.deck.cards.to_string()), ("said", said.to_string())];
            self.reader.fault_in(entry, &entry.id, texts::fault("deck-size", &values));
        }
        cards
    }

    fn marked(&self, id: &str) -> SmolStr {
        SmolStr::new(format!("{id}{MARK}{}", self.mark))
    }

    /// The line with this id; none is a fault.
    fn line<T>(&mut self, entry: &SetEntry<T>, id: &str) -> Option<LinePlace> {
        let marked = self.marked(id);
        let line = self.set.lines.iter().find(|line| line.id == marked).map(|line| line.place);
        if line.is_none() && !self.reader.has_left_out(id) {
            let known = self.set.lines.iter().map(|line| bare(&line.id));
            let what = unknown("unknown-word", id, known);
            self.reader.fault_in(entry, id, what);
        }
        line
    }

    fn add<T>(&mut self, entry: &SetEntry<T>, id: &str, name: &Name, kind: CardKind) {
        let is_new = !self.set.by_id.contains_key(id);
        self.check_names(entry, id, name, is_new);
        let name = name.both();
        let same = self.set.cards.iter().any(|card| is_same_name(&card.name, &name));
        if same && is_new {
            let said = [("said", name.ja.clone())];
            self.reader.fault_in(entry, &name.ja, sentence("same-name", &said));
        }
        let place = self.set.cards.len();
        self.set.by_id.insert(id.to_owned(), place);
        self.set.cards.push(Printed { id: self.marked(id), place, name, kind });
    }

    /// Refuses an id or a name that cannot be used, and an id that stands twice.
    fn check_names<T>(&mut self, entry: &SetEntry<T>, id: &str, name: &Name, is_new: bool) {
        let said = [("said", id.to_owned())];
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.is_empty() || id.len() > ID || !id.chars().all(is_plain) {
            self.reader.fault_in(entry, id, sentence("no-id", &said));
        } else if !is_new {
            self.reader.fault_in(entry, id, sentence("twice", &said));
        }
        if !name.is_whole() {
            self.reader.fault_in(entry, &name.ja, sentence("no-name", &[]));
        }
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

impl Parsing<'_> {
    /// Refuses a card whose text is longer than a menu has room for.
    fn texts(&mut self) {
        let long = self.set.cards.iter().filter(|card| !texts::fits(&self.set, card));
        let long: Vec<String> = long.map(|card| bare(&card.id).to_owned()).collect();
        for id in long {
            self.reader.fault_at(&id, texts::fault("text", &[]));
        }
    }
}

fn is_powered(attack: &Attack) -> bool {
    let is_one = attack.percent.is_some() != attack.power.is_some();
    is_one && matches!(attack.with, Stat::Atk | Stat::Matk)
}

fn is_same_name(one: &InBoth, other: &InBoth) -> bool {
    one.ja == other.ja || one.en.eq_ignore_ascii_case(&other.en)
}

fn no_card<'a>(said: &str, known: impl Iterator<Item = &'a str>) -> InBoth {
    let near = nearest(said, known).map(str::to_owned);
    let near = near.map(|near| sentence("near", &[("said", near)])).unwrap_or_default();
    let of = |near: String| sentence("no-card", &[("said", said.to_owned()), ("near", near)]);
    InBoth { ja: of(near.ja).ja, en: of(near.en).en }
}
