//! A seat's knowledge, and the interest of its side.

use crate::gangster_paradise::cards::{Card, Life};
use crate::gangster_paradise::edition::EDITION;
use crate::gangster_paradise::state::{Player, State};
use crate::gangster_paradise::victory::deaths;
use rules::Seat;

/// A seat and the state as it sees it.
#[derive(Debug)]
pub(super) struct SeatView {
    pub(super) seat: Seat,
    pub(super) view: State,
}

impl SeatView {
    pub(super) fn own(&self) -> &Player {
        &self.view.players[self.seat]
    }

    /// True if the seat's side wins by deaths.
    pub(super) fn is_fighter(&self) -> bool {
        matches!(self.own().life(), Some(Life::Black | Life::Gray))
    }

    /// The other living players, in turn order.
    pub(super) fn others(&self) -> impl Iterator<Item = Seat> {
        self.view.living_from(self.seat).into_iter().filter(|other| *other != self.seat)
    }

    pub(super) fn has_on_field(&self, is_it: impl Fn(Card) -> bool) -> bool {
        self.view.field.iter().any(|card| is_it(*card))
    }

    /// True if one more death may make BLACK win.
    pub(super) fn is_on_the_brink(&self) -> bool {
        let is_black = |(_, player): (Seat, &Player)| player.lost == Some(Life::Black);
        deaths(&self.view) + 1 >= EDITION.ways.deaths && !self.view.players.iter().any(is_black)
    }

    /// The gain of the own side from the loss of a player of this side.
    fn gain(&self, side: Life) -> i32 {
        let brink = self.is_on_the_brink();
        match (self.own().life(), side) {
            (Some(Life::Red), Life::Red) | (Some(Life::Blue), Life::Blue) => -30,
            (Some(Life::Gray), Life::Black) => -60,
            (Some(Life::Black | Life::Gray), Life::Red | Life::Blue)
            | (Some(Life::Purple), Life::Black) => 30,
            (Some(Life::Black), Life::Gray) => -20,
            (Some(Life::Red | Life::Blue), Life::Black) => 40,
            (Some(Life::Red | Life::Blue | Life::Purple), Life::Red | Life::Blue) if brink => -40,
            (Some(Life::Red | Life::Blue), Life::Red | Life::Blue | Life::Gray) => 20,
            _ => 10,
        }
    }

    /// The relative odds of each side for a player with an unknown life (P1.2): RED, BLUE and BLACK are
    /// certain to be in the game, and the other lives are drawn from four.
    fn odds(&self, side: Life) -> i32 {
        let extra = i32::try_from(self.view.players.count()).map_or(0, |count| count - 3);
        let certain = if matches!(side, Life::Gray | Life::Purple) { 0 } else { 4 };
        let drawn = if side == Life::Black { 0 } else { extra };
        let known = self.view.players.iter().filter(|(_, player)| player.life() == Some(side));
        let known = i32::try_from(known.count()).unwrap_or(0);
        (certain + drawn - 4 * known).max(0)
    }

    /// The expected gain of the own side from the loss of this player.
    pub(super) fn gain_without(&self, other: Seat) -> i32 {
        let player = &self.view.players[other];
        let near = i32::try_from(player.count(|card| card == Card::Money)).unwrap_or(0);
        let threat = if near > 3 && !self.is_on_the_brink() { 8 * (near - 3) } else { 0 };
        if let Some(side) = player.life() {
            return self.gain(side) + if self.gain(side) > 0 { threat } else { 0 };
        }
        let odds = Life::ALL.iter().map(|side| (self.odds(*side), self.gain(*side)));
        let (sum, all) =
            odds.fold((0, 0), |(sum, all), (odds, gain)| (sum + odds * gain, all + odds));
        if all == 0 { 0 } else { sum / all + threat }
    }

    /// The best player to hit: a loss that helps most, with the fewest decoys and cards; `None` if no loss
    /// helps.
    pub(super) fn target(&self) -> Option<Seat> {
        let liking = |other: &Seat| {
            let player = &self.view.players[*other];
            let decoys = i32::try_from(player.count(Card::is_decoy)).unwrap_or(0);
            let cards = i32::try_from(player.hand.len()).unwrap_or(0);
            self.gain_without(*other) - 6 * decoys - cards
        };
        self.others().filter(|other| self.gain_without(*other) > 0).max_by_key(liking)
    }

    /// The best player to take cards from: the most valuable hand, preferably no friend.
    pub(super) fn purse(&self) -> Option<Seat> {
        let liking = |other: &Seat| {
            let player = &self.view.players[*other];
            let worth: i32 = player.cards().map(|card| self.worth(card)).sum();
            worth + 3 * i32::try_from(player.unknown()).unwrap_or(0) + self.gain_without(*other)
        };
        let others = self.view.from(self.seat).into_iter().skip(1);
        others.filter(|other| !self.view.players[*other].hand.is_empty()).max_by_key(liking)
    }

    /// The worth of holding a card.
    pub(super) fn worth(&self, card: Card) -> i32 {
        let own = self.own();
        let has_boss = own.count(Card::is_boss) > 0;
        match card {
            Card::Money => 10,
            Card::TheBoss | Card::TheDon => 9,
            Card::Gangster => {
                if has_boss {
                    12
                } else {
                    8
                }
            }
            Card::Vanguard => 7,
            Card::Killer | Card::Hero | Card::Beauty => 11,
            Card::Porno => 12,
            Card::Stealer | Card::Hustler => 8,
            Card::FakeMoney => 3,
            _ => 2 + i32::from(card.printed().cost.unwrap_or(0)),
        }
    }
}
