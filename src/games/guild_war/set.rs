//! W10: the cards, from `data/guild_war/sets/starter.toml`, read once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use super::edition::EDITION;
use super::effects::{Attack, Effect, Stat};
use crate::card_texts::InBoth;
use crate::pieces::pieces;
use rules::Piece;
use rules::data::{self, DataFault, nearest};
use rules::text::Lexicon;

/// The path and text of the set's file.
pub(super) const FILE: (&str, &str) =
    rules::built_in_file!("data/", "guild_war", "/sets/starter.toml");

/// The built-in set.
pub static SET: LazyLock<Set> = LazyLock::new(|| data::built_in(Set::parse(FILE.0, FILE.1)));

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFile {
    #[serde(rename = "set")]
    about: About,
    line: Vec<LineEntry>,
    skill: Vec<SkillEntry>,
    item: Vec<ItemEntry>,
    equipment: Vec<EquipmentEntry>,
    deck: Vec<DeckEntry>,
}

/// The name of a set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    name: InBoth,
    version: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineEntry {
    id: String,
    name: InBoth,
    levels: Vec<Stats>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillEntry {
    id: String,
    name: InBoth,
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
    name: InBoth,
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
    name: InBoth,
    slot: Slot,
    #[serde(default)]
    lines: Vec<String>,
    bonus: BTreeMap<Stat, i16>,
    normal: Option<Stat>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeckEntry {
    id: String,
    line: String,
    cards: Vec<String>,
}

/// A line of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(u8);

/// A card of the set, in the order of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// A skill or an item.
#[derive(Clone, Debug)]
pub struct Usable {
    /// `None` for an item. The line of the skill.
    pub line: Option<Line>,
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
    pub lines: Vec<Line>,
    pub bonus: BTreeMap<Stat, i16>,
    /// The value that normal attacks use (W5.4).
    pub normal: Stat,
}

/// A kind of card, with its printed values.
#[derive(Clone, Debug)]
pub enum CardKind {
    Character { line: Line, stats: Stats },
    Skill(Usable),
    Item(Usable),
    Equipment(Equipment),
}

#[derive(Clone, Debug)]
struct Printed {
    id: String,
    name: InBoth,
    kind: CardKind,
}

/// A set of cards.
#[derive(Clone, Debug)]
pub struct Set {
    about: About,
    lines: Vec<(String, InBoth)>,
    cards: Vec<Printed>,
    /// The ready-made deck of each line.
    decks: Vec<Vec<Card>>,
}

impl Line {
    /// All lines, in the order of the set.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SET.lines.len()).filter_map(|index| u8::try_from(index).ok()).map(Self)
    }

    /// The line's id in the set.
    pub fn word(self) -> &'static str {
        &SET.lines[usize::from(self.0)].0
    }

    /// The cards of the line's ready-made deck (W1.2).
    pub fn deck(self) -> &'static [Card] {
        &SET.decks[usize::from(self.0)]
    }

    /// The line's character card of level 1 (W3.1).
    ///
    /// # Panics
    /// Never: a set without one is not read.
    pub fn beginner(self) -> Card {
        let is_first = |card: &Card| card.stats_of(self).is_some_and(|stats| stats.level == 1);
        Card::all().find(is_first).expect("a line begins at level 1")
    }
}

impl Card {
    /// All cards, in the order of the set.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SET.cards.len()).filter_map(|index| u8::try_from(index).ok()).map(Self)
    }

    /// The card's id in the set.
    pub fn word(self) -> &'static str {
        &SET.cards[usize::from(self.0)].id
    }

    /// The card's kind, with its printed values.
    pub fn kind(self) -> &'static CardKind {
        &SET.cards[usize::from(self.0)].kind
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
            CardKind::Character { line, stats } if *line == of => Some(stats),
            _ => None,
        }
    }
}

impl Piece for Line {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self.word())
    }
}

impl Piece for Card {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self.word())
    }
}

/// Serializes a type by its id.
macro_rules! by_word {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = SmolStr::deserialize(deserializer)?;
                let found = Self::all().find(|one| one.word() == word);
                found.ok_or_else(|| serde::de::Error::custom(format!("{word:?} is in no set")))
            }
        }
    };
}

by_word!(Line);
by_word!(Card);

/// A fault at an id of the file.
type Fault<'a> = &'a dyn Fn(&str, String) -> DataFault;

impl Set {
    /// The name of the set, for letters.
    pub(super) fn about(&self) -> serde_json::Value {
        let About { name, version } = &self.about;
        serde_json::json!({ "ja": name.ja, "en": name.en, "version": version })
    }

    /// The name of a line.
    pub(super) fn name_of(&self, line: Line) -> &InBoth {
        &self.lines[usize::from(line.0)].1
    }

    /// Parses a set, and checks it against the rules.
    ///
    /// # Errors
    /// The file, the line and what would be right.
    pub fn parse(file: &str, text: &str) -> Result<Self, DataFault> {
        let read: SetFile = data::parse(file, text)?;
        let fault = |word: &str, what: String| DataFault::at_word(file, text, word, what);
        let lines = read.line.iter().map(|line| (line.id.clone(), line.name.clone())).collect();
        let mut set = Self { about: read.about, lines, cards: Vec::new(), decks: Vec::new() };
        for line in read.line {
            set.add_characters(line, &fault)?;
        }
        for entry in read.skill {
            let line = Some(set.line(&entry.line, &fault)?);
            let SkillEntry { frame, scope, rest, effect: effects, .. } = entry;
            let usable = Usable { line, frame, scope, effects, rest, consumed: true };
            check(&entry.id, &usable, &fault)?;
            set.add(entry.id, entry.name, CardKind::Skill(usable), &fault)?;
        }
        for entry in read.item {
            let ItemEntry { frame, scope, rest, consumed, effect: effects, .. } = entry;
            let usable = Usable { line: None, frame, scope, effects, rest, consumed };
            check(&entry.id, &usable, &fault)?;
            set.add(entry.id, entry.name, CardKind::Item(usable), &fault)?;
        }
        for entry in read.equipment {
            let lines = entry.lines.iter().map(|line| set.line(line, &fault));
            let (lines, slot) = (lines.collect::<Result<_, _>>()?, entry.slot);
            let normal = entry.normal.unwrap_or(Stat::Atk);
            let equipment = Equipment { slot, lines, bonus: entry.bonus, normal };
            set.add(entry.id, entry.name, CardKind::Equipment(equipment), &fault)?;
        }
        set.add_decks(&read.deck, &fault)?;
        Ok(set)
    }

    fn line(&self, id: &str, fault: Fault<'_>) -> Result<Line, DataFault> {
        let place = self.lines.iter().position(|(known, _)| known == id);
        let line = place.and_then(|place| u8::try_from(place).ok()).map(Line);
        line.ok_or_else(|| fault(id, format!("there is no line `{id}`")))
    }

    fn add_characters(&mut self, entry: LineEntry, fault: Fault<'_>) -> Result<(), DataFault> {
        let line = self.line(&entry.id, fault)?;
        if entry.levels.first().is_none_or(|first| first.level != 1) {
            return Err(fault(&entry.id, "a line begins at level 1 (W3.1)".to_owned()));
        }
        for stats in entry.levels {
            let of = |name: &str, gap: &str| format!("{name}{gap}{}", stats.level);
            let name = InBoth { ja: of(&entry.name.ja, ""), en: of(&entry.name.en, " ") };
            let kind = CardKind::Character { line, stats };
            self.add(of(&entry.id, "-"), name, kind, fault)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        id: String,
        name: InBoth,
        kind: CardKind,
        fault: Fault<'_>,
    ) -> Result<(), DataFault> {
        if self.cards.iter().any(|card| card.id == id) {
            return Err(fault(&id, format!("`{id}` stands twice")));
        }
        self.cards.push(Printed { id, name, kind });
        Ok(())
    }

    fn add_decks(&mut self, decks: &[DeckEntry], fault: Fault<'_>) -> Result<(), DataFault> {
        for (id, _) in &self.lines {
            let of_line = decks.iter().find(|deck| deck.line == *id);
            let deck = of_line.ok_or_else(|| fault(id, format!("`{id}` has no deck (W1.2)")))?;
            let cards = self.cards_of(deck, fault)?;
            self.decks.push(cards);
        }
        Ok(())
    }

    /// Parses the cards of a deck, which must have the number of cards of W1.2 and W11.1.
    fn cards_of(&self, deck: &DeckEntry, fault: Fault<'_>) -> Result<Vec<Card>, DataFault> {
        let mut cards = Vec::new();
        for row in &deck.cards {
            let wrong = || fault(row, format!("{row:?} is no count and card of the set"));
            let (count, id) = row.split_once(' ').ok_or_else(wrong)?;
            let count: usize = count.parse().map_err(|_| wrong())?;
            let Some(place) = self.cards.iter().position(|card| card.id == id) else {
                let known = self.cards.iter().map(|card| card.id.as_str());
                let near = nearest(id, known).unwrap_or("no card");
                return Err(fault(row, format!("there is no card `{id}`: `{near}` is like it")));
            };
            if count > EDITION.deck.copies {
                let most = EDITION.deck.copies;
                return Err(fault(row, format!("at most {most} of a name (W11.1)")));
            }
            cards.extend(u8::try_from(place).map(Card).iter().cycle().take(count));
        }
        if cards.len() != EDITION.deck.cards {
            let right = EDITION.deck.cards;
            let what = format!("a deck has {right} cards, not {} (W1.2)", cards.len());
            return Err(fault(&deck.id, what));
        }
        Ok(cards)
    }
}

/// Refuses a card whose printed values cannot be carried out.
fn check(id: &str, usable: &Usable, fault: Fault<'_>) -> Result<(), DataFault> {
    if !(1..=EDITION.frames.last).contains(&usable.frame) {
        return Err(fault(id, format!("a frame is 1 to {} (W5.3)", EDITION.frames.last)));
    }
    let is_on_foes = matches!(usable.scope, Scope::OneEnemy | Scope::AllEnemies);
    for attack in usable.effects.iter().filter_map(Effect::attack) {
        if !is_on_foes || !is_powered(attack) {
            let what = "an attack is on enemies, with a percentage or a power (W12.1)";
            return Err(fault(id, what.to_owned()));
        }
    }
    Ok(())
}

fn is_powered(attack: &Attack) -> bool {
    let is_one = attack.percent.is_some() != attack.power.is_some();
    is_one && matches!(attack.with, Stat::Atk | Stat::Matk)
}

/// The words of the game, extended by the names of the lines and cards.
pub(super) fn words(lexicon: Lexicon) -> Lexicon {
    let lines = SET.lines.iter().map(|(id, name)| (id.as_str(), &name.ja[..], &name.en[..]));
    let cards =
        SET.cards.iter().map(|card| (card.id.as_str(), &card.name.ja[..], &card.name.en[..]));
    lexicon.with_pieces("line", lines).with_pieces("card", cards)
}
