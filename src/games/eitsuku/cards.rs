//! E0, E1: the pieces of the game.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::pieces::pieces;
use rules::Piece;

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
    /// The family of this slot.
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
    /// The family that an award raises (E5.9).
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

/// The number of different role cards.
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

/// Numbers of budget cards of each kind.
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
    /// This number of one kind of budget card.
    pub fn of(budget: Budget, count: u8) -> Self {
        let mut budgets = Self::default();
        budgets[budget] = count;
        budgets
    }

    /// Converts counts in the order small, medium, large.
    pub fn from_pieces(pieces: rules::Pieces) -> Self {
        Self { small: pieces[0], medium: pieces[1], large: pieces[2] }
    }

    /// The number of cards.
    pub fn count(self) -> u8 {
        self.small + self.medium + self.large
    }

    /// Adds these cards.
    pub fn add(&mut self, other: Self) {
        for &budget in Budget::ALL {
            self[budget] += other[budget];
        }
    }

    /// Removes these cards, which must be present.
    pub fn subtract(&mut self, other: Self) {
        for &budget in Budget::ALL {
            self[budget] -= other[budget];
        }
    }
}
