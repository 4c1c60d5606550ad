//! The acts and deeds of `house` in its own turn.

use super::interest::SeatView;
use crate::gangster_paradise::cards::{Card, Category, Life};
use crate::gangster_paradise::deeds::{is_affordable, playable};
use crate::gangster_paradise::uses::hindrance_of;
use crate::gangster_paradise::victory::would_win_with;
use rules::Seat;

/// The cards that the policy shoots with, the best first.
const WEAPONS: [Card; 10] = [
    Card::Killer,
    Card::Machinegun,
    Card::RocketLauncher,
    Card::SniperRifle,
    Card::Magnum,
    Card::Shotgun,
    Card::Katana,
    Card::TheChefish,
    Card::Gun,
    Card::AssaultRifle,
];

/// The cards that take from other players, the best first.
const TAKERS: [Card; 5] =
    [Card::Phantom, Card::Stealer, Card::Spy, Card::Snatcher, Card::Negotiator];

/// A card to use and its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedUse {
    pub(super) card: Card,
    pub(super) on: Option<Seat>,
}

/// An immediate deed, and its card.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedDeed {
    pub(super) deed: &'static str,
    pub(super) card: Option<Card>,
}

impl PlannedDeed {
    fn about(deed: &'static str, card: Card) -> Self {
        Self { deed, card: Some(card) }
    }
}

impl SeatView {
    fn can_use(&self, card: Card) -> bool {
        self.own().holds(card) && hindrance_of(&self.view, self.seat, card).is_none()
    }

    /// The use that the policy seals; `None` to end the turn.
    pub(super) fn planned_use(&self) -> Option<PlannedUse> {
        let shot = self.target().and_then(|on| {
            let card = WEAPONS.into_iter().find(|card| self.can_use(*card))?;
            Some(PlannedUse { card, on: Some(on) })
        });
        let pick_up = || {
            let has_money = self.has_on_field(Card::is_money);
            let card = Some(Card::Hustler).filter(|card| has_money && self.can_use(*card))?;
            Some(PlannedUse { card, on: None })
        };
        let take = || {
            let card = TAKERS.into_iter().find(|card| self.can_use(*card))?;
            Some(PlannedUse { card, on: self.purse() })
        };
        if self.is_fighter() {
            shot.or_else(pick_up).or_else(take)
        } else {
            pick_up().or(shot).or_else(take)
        }
    }

    /// True if the policy shoots again in this turn.
    pub(super) fn shoots_on(&self) -> bool {
        self.is_fighter() && self.own().count(Card::is_bullet) > 1
    }

    /// The immediate deed to do; `None` if there is none.
    pub(super) fn planned_deed(&self) -> Option<PlannedDeed> {
        let planned = self.planned_use();
        let is_shot = planned.is_some_and(|planned| WEAPONS.contains(&planned.card));
        let ready = || self.own().life() == Some(Life::Black) && is_shot && self.is_on_the_brink();
        self.winning_purchase()
            .or_else(|| {
                let reveals = !self.own().revealed && self.own().is_alive() && ready();
                reveals.then_some(PlannedDeed { deed: "reveal", card: None })
            })
            .or_else(|| self.played(&[Card::Porno, Card::TheConfident]))
            .or_else(|| {
                let cost = planned.map_or(0, |planned| planned.card.printed().actions.unwrap_or(0));
                let needed = if is_shot && self.shoots_on() { u8::MAX } else { cost };
                (self.view.turn.actions > needed).then(|| self.spare_action()).flatten()
            })
    }

    fn can_buy(&self, card: Card) -> bool {
        self.view.turn.actions > 0
            && self.view.field.contains(&card)
            && is_affordable(&self.view, self.seat, card)
    }

    /// P7.2: a purchase that completes a way of winning.
    fn winning_purchase(&self) -> Option<PlannedDeed> {
        let wins =
            |card: &Card| self.can_buy(*card) && would_win_with(&self.view, self.seat, *card);
        self.view.field.iter().copied().find(wins).map(|card| PlannedDeed::about("buy", card))
    }

    /// Uses the first playable of these cards.
    fn played(&self, cards: &[Card]) -> Option<PlannedDeed> {
        let playable = playable(&self.view, self.seat);
        let card = cards.iter().find(|card| playable.contains(card))?;
        Some(PlannedDeed::about("play", *card))
    }

    /// A deed for a spare action.
    fn spare_action(&self) -> Option<PlannedDeed> {
        let has_boss = self.own().count(Card::is_boss) > 0;
        let decoys = self.own().count(Card::is_decoy);
        let has_weapon = WEAPONS.iter().any(|card| self.own().holds(*card));
        let has_bullet = self.own().count(Card::is_bullet) > 0;
        let has_money_there = self.has_on_field(|card| card == Card::Money);
        let wanted = [
            (Card::Gangster, has_boss || decoys == 0),
            (Card::Vanguard, decoys == 0),
            (Card::Porno, true),
            (Card::Bullet, self.is_fighter() && has_weapon && !has_bullet),
            (Card::Gun, self.is_fighter() && has_bullet && !has_weapon),
        ];
        let bought = wanted.into_iter().find(|(card, is_wanted)| *is_wanted && self.can_buy(*card));
        bought
            .map(|(card, _)| PlannedDeed::about("buy", card))
            .or_else(|| {
                let spares = !has_boss && decoys > 2 && has_money_there;
                if spares { self.played(&[Card::Gangster]) } else { None }
            })
            .or_else(|| self.sale().filter(|_| has_money_there))
            .or_else(|| {
                let drawable = !self.view.deck.is_empty();
                drawable.then_some(PlannedDeed { deed: "draw-more", card: None })
            })
    }

    /// The sale of the dearest weapon that is not needed; `None` for a side that fights.
    fn sale(&self) -> Option<PlannedDeed> {
        let weapons = self.own().cards().filter(|card| card.is_of(Category::Weapon));
        let spare =
            weapons.filter(|card| *card != Card::Gun).max_by_key(|card| card.printed().cost)?;
        (!self.is_fighter()).then(|| PlannedDeed::about("sell", spare))
    }
}
