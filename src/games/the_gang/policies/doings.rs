//! The common parts of the policies: cards to part with, and acts.

use super::super::cards::Card;
use super::super::extra_cards::Specialist;
use super::super::percentile::percentile;
use super::super::state::{Star, State, WindowStage};
use super::guessing;
use super::outlook::GuessedPocket;
use crate::answer::{best, first_of, option};
use rules::{Offer, Piece, Reply, Seat};

/// A seat and the state as it sees it.
#[derive(Clone, Debug)]
pub(super) struct SeatView {
    pub(super) seat: Seat,
    pub(super) view: State,
}

impl SeatView {
    /// The seat's own pocket.
    pub(super) fn pocket(&self) -> GuessedPocket {
        self.view.players[self.seat].pocket.iter().flatten().copied().collect()
    }

    /// Chooses a card to part with. To discard: the one that leaves the best hand (G6.5, G6.7); to show: the
    /// highest (G6.1); to pass on: the lowest (G6.6).
    pub(super) fn card(&self, offer: &Offer<'_>) -> Option<Reply> {
        let pocket = self.pocket();
        let card = |id: &str| pocket.iter().copied().find(|card| card.word() == id);
        let value = |id: &str| card(id).map(Card::value);
        let informs = |card| card == Specialist::Informant;
        match self.view.stage {
            WindowStage::Passing => best(offer, |id| std::cmp::Reverse(value(id))),
            _ if self.view.specialist.is_some_and(|hired| informs(hired.card)) => {
                best(offer, |id| value(id))
            }
            _ => best(offer, |id| {
                let is_left = |other: &Card| Some(*other) != card(id);
                let left: GuessedPocket = pocket.iter().copied().filter(is_left).collect();
                percentile(&left, &self.view.board)
            }),
        }
    }

    /// Chooses an act. The policy takes the `wanted` live chip, says OK if it holds the best one, and agrees
    /// to every proposal.
    pub(super) fn act(&self, offer: &Offer<'_>, wanted: impl Fn(&Self) -> Option<Star>) -> Reply {
        let reply = match offer.key.name.as_str() {
            "do" => self.deed(offer, wanted),
            "star" => wanted(self).and_then(|star| option(offer, star.word())),
            "value" | "ranking" => {
                guessing::guess(&self.view).and_then(|guess| option(offer, &guess.id()))
            }
            _ => None,
        };
        reply.unwrap_or(Reply::LeftOut)
    }

    fn deed(&self, offer: &Offer<'_>, wanted: impl Fn(&Self) -> Option<Star>) -> Option<Reply> {
        let agree = option(offer, "agree");
        if agree.is_some() {
            return agree;
        }
        match self.view.stage {
            WindowStage::Guessing { .. } => {
                let guess = guessing::guess(&self.view)?;
                let is_said = self.view.players[self.seat].guess == Some(guess);
                option(offer, "guess").filter(|_| !is_said)
            }
            WindowStage::Taking => {
                let wanted = wanted(self);
                let held = self.view.held(self.seat);
                if wanted.is_none() || wanted == held {
                    option(offer, "ok")
                } else {
                    first_of(offer, ["take", "ok"])
                }
            }
            _ => None,
        }
    }
}
