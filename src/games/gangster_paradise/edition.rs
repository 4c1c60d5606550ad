//! The numbers of the rules, from `data/gangster_paradise/edition.toml`, and the printed values of the cards.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::cards::{Card, Category};
use crate::registration::edition;

edition! {
    "gangster_paradise" {
        /// The number of players (P1.1).
        players: Players { least: usize, most: usize },
        /// The numbers of cards turned up (P1.2, P2.2).
        setup: Setup { turned_up: usize, after_shuffle: usize },
        /// The limits of a turn (P2.1, P3.5).
        turn: Turn { actions: u8, actions_of_black: u8, proposals: u8 },
        /// The conditions of winning (P7.2).
        ways: Ways { gangsters: usize, money: usize, deaths: usize, greats_from_round: u8 },
        /// The numbers of effects (P5.2, P6.5, P9.12).
        effect: Effect {
            kills: u8, kills_of_black: u8, many_cards: usize, traded: usize, magazine: usize,
        },
        /// The points of each way of winning in a set (P8.2).
        points: Points {
            virtue: u8, money: u8, greats: u8, betrayal: u8, side: u8, alone: u8, no_game: u8,
        },
        cards: PrintedCards,
    }
}

/// The printed values of each card.
pub type PrintedCards = BTreeMap<Card, Printed>;

/// The printed values of a card (P1.1).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    pub category: Category,
    /// The cost of a purchase; `None` if the card is not for sale.
    pub cost: Option<u8>,
    pub copies: usize,
    /// The number of copies that are dealt into opening hands.
    #[serde(default)]
    pub hand: usize,
    /// The number of copies that begin on the field.
    #[serde(default)]
    pub field: usize,
    #[serde(default)]
    pub legend: bool,
    /// 摘発対象
    #[serde(default)]
    pub seizable: bool,
    /// 弾丸
    #[serde(default)]
    pub bullet: bool,
    /// The actions that a use in one's own turn costs; `None` if the card has no such use.
    pub actions: Option<u8>,
    /// 使用制限: the maximum uses per player and turn.
    pub limit: Option<u8>,
}

impl Card {
    /// The printed values of the card.
    pub fn printed(self) -> &'static Printed {
        &EDITION.cards[&self]
    }

    /// True if the use of the card is sealed, so that other players can answer it.
    pub(super) fn is_sealed(self) -> bool {
        match self.category() {
            Category::Specialist => !matches!(self, Self::Bartender | Self::TheConfident),
            Category::Weapon => true,
            _ => self == Self::TheDon,
        }
    }

    /// The category of the card.
    pub fn category(self) -> Category {
        self.printed().category
    }

    /// True if the card is of this category.
    pub fn is_of(self, category: Category) -> bool {
        self.category() == category
    }

    /// True if the card is a life.
    pub fn is_life(self) -> bool {
        self.is_of(Category::Life)
    }

    /// True if the card pays (P0).
    pub fn is_money(self) -> bool {
        self.is_of(Category::Money)
    }

    /// True if the card can be discarded in place of a life (P0).
    pub fn is_decoy(self) -> bool {
        self.is_of(Category::Gangster)
    }

    /// True if the card can be shot (P0).
    pub fn is_bullet(self) -> bool {
        self.printed().bullet
    }
}

impl Edition {
    fn needs(&self) -> [(bool, &'static str, &'static str); 4] {
        let (players, cards) = (&self.players, &self.cards);
        let dealt = |category: Category| -> usize {
            let of = cards.values().filter(|printed| printed.category == category);
            of.map(|printed| printed.hand).sum()
        };
        let enough = [Category::Gangster, Category::Money, Category::Specialist, Category::Weapon];
        [
            (players.least >= 4 && players.most <= 7, "[players]", "4 to 7 can play (P1.1)"),
            (cards.len() == Card::ALL.len(), "[cards.red-life]", "every card stands here (P1.1)"),
            (
                cards.values().all(|printed| printed.hand + printed.field <= printed.copies),
                "[cards.red-life]",
                "no more copies begin somewhere than there are (P1.1)",
            ),
            (
                enough.iter().all(|category| dealt(*category) >= players.most),
                "[cards.red-life]",
                "each opening hand has one of each pool (P1.2)",
            ),
        ]
    }
}
