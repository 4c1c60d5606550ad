//! The policies of ギルドウォー.
//!
//! - `baseline` makes the attack that does most harm by itself, and never responds.
//! - `house` plans the attacks of its guild together from the guild's knowledge, keeps a response if that is
//!   worth more, and chooses the order by the position.
//!
//! To measure them: `shimekiri simulate guild_war --policy house --games 1000`.

mod baseline;
mod house;
mod plan;
mod rest;
mod sight;
mod worth;

use super::deeds::Action;
use super::state::{GuildWar, State};
use crate::answer::{anything, option};
use rules::dice::Stream;
use rules::playout::Random;
use rules::{Offer, Piece, Policy, Reply, Seat};
use sight::{FindAction, SeatView, Ways};

/// Creates the policy that attacks by itself.
pub(super) fn baseline(chance: Stream) -> Box<dyn Policy<GuildWar>> {
    Box::new(Fighter::new(chance, &baseline::WAYS))
}

/// Creates the policy that plans with its guild.
pub(super) fn house(chance: Stream) -> Box<dyn Policy<GuildWar>> {
    Box::new(Fighter::new(chance, &house::WAYS))
}

/// A policy that decides its action once, and answers the questions accordingly.
struct Fighter {
    random: Random,
    ways: &'static Ways,
    sight: Option<SeatView>,
    action: Option<Action>,
}

impl Fighter {
    fn new(chance: Stream, ways: &'static Ways) -> Self {
        Self { random: Random::new(chance), ways, sight: None, action: None }
    }

    /// Decides the action at its first question; the later answers follow from it.
    fn deed(&mut self, offer: &Offer<'_>, find: FindAction) -> Option<Reply> {
        let sight = self.sight.as_mut()?;
        match offer.key.name.as_str() {
            "card" => {
                self.action = find(sight);
                let deed = self.action.map(|action| action.deed.id());
                deed.map_or(Some(Reply::LeftOut), |id| option(offer, &id))
            }
            "target" => option(offer, self.action?.target?.name()),
            _ => option(offer, self.action?.discarded?.word()),
        }
    }
}

impl Policy<GuildWar> for Fighter {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> State) {
        (self.sight, self.action) = (Some(SeatView { seat, view: look() }), None);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        let ways = self.ways;
        let reply = match offer.key.section.as_str() {
            "deck" => Some(Policy::<GuildWar>::reply(&mut self.random, offer)),
            "use" => self.deed(offer, ways.act),
            "respond" => self.deed(offer, ways.respond),
            "rest" => self.deed(offer, rest::action),
            "order" => self.sight.as_ref().and_then(|sight| option(offer, (ways.order)(sight))),
            _ => self.sight.as_ref().map(|sight| rest::reply(sight, offer)),
        };
        reply.unwrap_or_else(|| anything(offer))
    }
}
