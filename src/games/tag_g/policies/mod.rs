//! The policies of タッグルールG.
//!
//! - `baseline` attacks the weakest opponent with the strongest cards, and lets every attack pass.
//! - `house` weighs each card by its verbs, plays magic or fights, whichever is worth more, and answers attacks
//!   with the summon or card that is worth least and suffices.
//!
//! To measure them: `shimekiri simulate tag_g --policy house --games 1000`.

mod choice;
mod worth;

use super::reactions::LET_PASS;
use super::state::{State, TagG};
use crate::answer::{anything, first_of, option, option_of, worst_picks};
use choice::Sight;
use rules::dice::Stream;
use rules::random::Random;
use rules::{Offer, Policy, Reply, Seat};

/// Creates the policy that attacks.
pub(super) fn baseline(chance: Stream) -> Box<dyn Policy<TagG>> {
    Box::new(Fighter { random: Random::new(chance), plays: false, sight: None })
}

/// Creates the policy that weighs.
pub(super) fn house(chance: Stream) -> Box<dyn Policy<TagG>> {
    Box::new(Fighter { random: Random::new(chance), plays: true, sight: None })
}

/// A policy that answers each question from its view.
struct Fighter {
    random: Random,
    /// True if the policy plays cards at once, and answers attacks.
    plays: bool,
    sight: Option<Sight>,
}

impl Policy<TagG> for Fighter {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> State) {
        self.sight = Some(Sight::new(seat, look()));
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        let (section, name) = (offer.key.section.as_str(), offer.key.name.as_str());
        let Some(sight) = &mut self.sight else { return anything(offer) };
        let reply = match (section, name) {
            ("deck", _) => Some(Policy::<TagG>::reply(&mut self.random, offer)),
            ("first", "order") => first_of(offer, ["first"]),
            ("skip", _) => first_of(offer, ["draw-phase"]),
            ("act", "do") => sight.deed(offer, self.plays),
            ("act", _) => option_of(offer, |id| sight.named(name, id)),
            ("attack", "with") => sight.means(offer),
            ("attack", "target") => option_of(offer, |id| sight.is_target(id)),
            ("answer", "with") if self.plays => sight.answer(offer),
            ("answer", "with") => option(offer, LET_PASS),
            ("discard", _) => Some(worst_picks(offer, |id| sight.keeps(id))),
            _ => Some(Reply::LeftOut),
        };
        reply.unwrap_or(Reply::LeftOut)
    }
}
