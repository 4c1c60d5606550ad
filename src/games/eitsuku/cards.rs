//! E0, E1: what the game is made of. Every number of the rules comes from `data/eitsuku/edition.toml`.

use std::ops::{Index, IndexMut};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::data::{DataFault, parse};
use crate::games::pieces::pieces;
use crate::rules::{Denomination, Piece};

/// Where the numbers are, and what stands there.
pub const FILE: (&str, &str) =
    ("data/eitsuku/edition.toml", include_str!("../../../data/eitsuku/edition.toml"));

/// The edition that is built in. `shimekiri check` and a test hold it against its rules.
pub static EDITION: LazyLock<Edition> = LazyLock::new(|| {
    Edition::parse(FILE.0, FILE.1).unwrap_or_else(|fault| panic!("built-in data: {fault}"))
});

/// Every number of the rules; each field's clause stands in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct Edition {
    pub edition: String,
    pub source: String,
    pub dated: String,
    pub players: Players,
    pub supply: Budgets,
    pub worth: Budgets,
    pub decks: DeckSizes,
    pub hand: Deal,
    pub flow: Flow,
    pub set: SetCosts,
    pub scout: ScoutCosts,
    pub events: EventNumbers,
    pub release: Release,
    pub scoring: Scoring,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct Players {
    pub least: usize,
    pub most: usize,
    pub recommended: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct DeckSizes {
    pub role_copies: [u8; 6],
    pub event_copies: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct Deal {
    pub small: u8,
    pub medium: u8,
    pub large: u8,
    pub events: u8,
    pub roles: u8,
    pub die: Vec<DieSide>,
}

/// What a side of the dealing die gives.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the families explain themselves")]
pub enum DieSide {
    Actor,
    Writer,
    Composer,
    Director,
    /// E1.5: the player chooses the family.
    Choice,
}

impl DieSide {
    /// The family, unless the player chooses it.
    pub fn family(self) -> Option<Family> {
        match self {
            Self::Actor => Some(Family::Actor),
            Self::Writer => Some(Family::Writer),
            Self::Composer => Some(Family::Composer),
            Self::Director => Some(Family::Director),
            Self::Choice => None,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct Flow {
    pub turns: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct SetCosts {
    pub cost_above_number: u32,
    pub pieces_a_turn: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct ScoutCosts {
    pub medium: u32,
    pub large: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct EventNumbers {
    pub chance_draws: u8,
    pub award: u8,
    pub monopoly_roles: usize,
    pub monopoly_number: u8,
    pub monopoly_cost: u32,
    pub network_draws: u8,
    pub network_returns: usize,
    pub strike_per_role: u32,
    pub promoter_least: u8,
    pub promoter_most: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct Release {
    pub roles: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the file names the clause of each number")]
pub struct Scoring {
    pub late: i16,
    pub tie_in: i16,
    pub rush: i16,
    pub five_of_a_kind: i16,
    pub four_of_a_kind: i16,
    pub full_house: i16,
    pub three_of_a_kind: i16,
    pub two_pair: i16,
    pub one_pair: i16,
}

impl Edition {
    /// Reads an edition and holds it against what the rules need.
    ///
    /// # Errors
    /// The file, the line and what would be right.
    pub fn parse(file: &str, text: &str) -> Result<Self, DataFault> {
        let edition: Self = parse(file, text)?;
        let fault = |key, right| Err(DataFault::at_key(file, text, key, right));
        if edition.players.least < 2 || edition.players.most > 6 {
            return fault("[players]", "2 to 6 can play (E1.1)");
        }
        if edition.decks.role_copies.iter().map(|&n| usize::from(n)).sum::<usize>() != ROLE_DECK {
            return fault("role_copies", "a family has 15 cards (E1.3)");
        }
        if usize::from(edition.decks.event_copies) * EventCard::ALL.len() != EVENT_DECK {
            return fault("event_copies", "there are 60 event cards (E1.3)");
        }
        if edition.hand.die.len() != 6 {
            return fault("die", "a die has six sides (E1.4)");
        }
        if !(1..=12).contains(&edition.flow.turns) {
            return fault("turns", "1 to 12 turns (E2.1)");
        }
        Ok(edition)
    }
}

/// Cards in a family's deck.
pub const ROLE_DECK: usize = 15;
/// Cards in the event deck.
pub const EVENT_DECK: usize = 60;

pieces! {
    /// 予算: a budget card.
    Budget {
        /// 小
        Small => "small",
        /// 中
        Medium => "medium",
        /// 大
        Large => "large",
    }
}

pieces! {
    /// 役割の系統: a family of role cards, each with its own deck.
    Family {
        /// 役者
        Actor => "actor",
        /// 脚本家
        Writer => "writer",
        /// 音楽家
        Composer => "composer",
        /// 演出家
        Director => "director",
    }
}

pieces! {
    /// A place for a role on a player's field.
    Slot {
        /// 主演: the first actor.
        Lead => "lead",
        /// 助演: the second actor.
        Support => "support",
        /// 脚本家
        Writer => "writer",
        /// 音楽家
        Composer => "composer",
        /// 演出家
        Director => "director",
    }
}

pieces! {
    /// イベント: the fifteen kinds of event card, in the order of E5.
    EventCard {
        /// タイアップキャンペーン (E5.1)
        TieIn => "tie-in",
        /// 巻きを入れる (E5.2)
        Rush => "rush",
        /// 新たなるチャンス (E5.5)
        Chance => "chance",
        /// 広告代理店の努力 (E5.6)
        Agency => "agency",
        /// 電撃発表 (E5.7)
        Scoop => "scoop",
        /// 地元の協力 (E5.8)
        Local => "local",
        /// 役者大賞 (E5.9)
        ActorAward => "actor-award",
        /// 脚本家大賞 (E5.9)
        WriterAward => "writer-award",
        /// 音楽家大賞 (E5.9)
        ComposerAward => "composer-award",
        /// 演出家大賞 (E5.9)
        DirectorAward => "director-award",
        /// 話題の独占 (E5.11)
        Monopoly => "monopoly",
        /// 独自の情報網 (E5.12)
        Network => "network",
        /// ストライキ (E5.13)
        Strike => "strike",
        /// プロモーターの介入 (E5.14)
        Promoter => "promoter",
        /// 方針転換 (E5.15)
        Turnaround => "turnaround",
    }
}

impl Family {
    /// The slots for this family, in the order in which they are filled (E3.4).
    pub fn slots(self) -> &'static [Slot] {
        match self {
            Self::Actor => &[Slot::Lead, Slot::Support],
            Self::Writer => &[Slot::Writer],
            Self::Composer => &[Slot::Composer],
            Self::Director => &[Slot::Director],
        }
    }
}

impl Slot {
    /// The family that belongs here.
    pub fn family(self) -> Family {
        match self {
            Self::Lead | Self::Support => Family::Actor,
            Self::Writer => Family::Writer,
            Self::Composer => Family::Composer,
            Self::Director => Family::Director,
        }
    }
}

impl EventCard {
    /// The family an award raises (E5.9).
    pub fn award(self) -> Option<Family> {
        match self {
            Self::ActorAward => Some(Family::Actor),
            Self::WriterAward => Some(Family::Writer),
            Self::ComposerAward => Some(Family::Composer),
            Self::DirectorAward => Some(Family::Director),
            _ => None,
        }
    }
}

/// 役割: a role card, of a family and with a number from 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role {
    /// The family.
    pub family: Family,
    /// The printed number.
    pub number: u8,
}

/// The ids of the role cards: by family, then by number.
const ROLE_IDS: [[&str; 6]; 4] = [
    ["actor-1", "actor-2", "actor-3", "actor-4", "actor-5", "actor-6"],
    ["writer-1", "writer-2", "writer-3", "writer-4", "writer-5", "writer-6"],
    ["composer-1", "composer-2", "composer-3", "composer-4", "composer-5", "composer-6"],
    ["director-1", "director-2", "director-3", "director-4", "director-5", "director-6"],
];

/// How many different role cards there are.
pub const ROLES: usize = 24;

impl Role {
    /// All role cards, by family and number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ROLES).map(Self::from_index)
    }

    /// The position among all role cards.
    pub fn index(self) -> usize {
        self.family.index() * 6 + usize::from(self.number) - 1
    }

    /// The role card at this position.
    ///
    /// # Panics
    /// If there is no such role card.
    pub fn from_index(index: usize) -> Self {
        let number = u8::try_from(index % 6 + 1).expect("1 to 6");
        Self { family: Family::ALL[index / 6], number }
    }

    /// The id in `words.toml`.
    pub fn word(self) -> &'static str {
        ROLE_IDS[self.family.index()][usize::from(self.number) - 1]
    }
}

impl Piece for Role {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self.word())
    }
}

impl Serialize for Role {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let role = Self::all().find(|role| role.word() == word);
        role.ok_or_else(|| serde::de::Error::custom(format!("{word:?} is no role card")))
    }
}

/// A card of either kind that can be held in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HandCard {
    /// A role card.
    Role(Role),
    /// An event card.
    Event(EventCard),
}

impl Piece for HandCard {
    fn id(&self) -> SmolStr {
        match self {
            Self::Role(role) => role.id(),
            Self::Event(card) => card.id(),
        }
    }
}

/// So many budget cards of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// 小
    pub small: u8,
    /// 中
    pub medium: u8,
    /// 大
    pub large: u8,
}

impl Index<Budget> for Budgets {
    type Output = u8;

    fn index(&self, budget: Budget) -> &u8 {
        match budget {
            Budget::Small => &self.small,
            Budget::Medium => &self.medium,
            Budget::Large => &self.large,
        }
    }
}

impl IndexMut<Budget> for Budgets {
    fn index_mut(&mut self, budget: Budget) -> &mut u8 {
        match budget {
            Budget::Small => &mut self.small,
            Budget::Medium => &mut self.medium,
            Budget::Large => &mut self.large,
        }
    }
}

impl Budgets {
    /// One of these, or more.
    pub fn of(budget: Budget, count: u8) -> Self {
        let mut budgets = Self::default();
        budgets[budget] = count;
        budgets
    }

    /// From how many of each, in the order small, medium, large.
    pub fn from_pieces(pieces: crate::rules::Pieces) -> Self {
        Self { small: pieces[0], medium: pieces[1], large: pieces[2] }
    }

    /// As a purse to pay from.
    pub fn purse(self) -> [Denomination; 3] {
        [Budget::Small, Budget::Medium, Budget::Large].map(|budget| Denomination {
            id: budget.id(),
            worth: EDITION.worth[budget].into(),
            count: self[budget],
        })
    }

    /// What they are worth together.
    pub fn worth(self) -> u32 {
        Budget::ALL.iter().map(|&b| u32::from(self[b]) * u32::from(EDITION.worth[b])).sum()
    }

    /// How many cards they are.
    pub fn count(self) -> u8 {
        self.small + self.medium + self.large
    }

    /// Puts these to those.
    pub fn add(&mut self, other: Self) {
        for &budget in Budget::ALL {
            self[budget] += other[budget];
        }
    }

    /// Takes these away, which are there.
    pub fn subtract(&mut self, other: Self) {
        for &budget in Budget::ALL {
            self[budget] -= other[budget];
        }
    }
}
