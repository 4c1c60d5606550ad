//! The policies of タッグルールG.
//!
//! - `baseline` attacks the weakest opponent with the strongest cards, and lets every attack pass.
//! - `house` weighs each card by its verbs, plays magic or fights, whichever is worth more, and answers attacks
//!   with the summon or card that is worth least and suffices.
//!
//! To measure them: `shimekiri simulate tag_g --policy house --games 1000`.

mod worth;

use smol_str::SmolStr;

use super::cards::card::choices;
use super::cards::{Card, CardKind, Choice, Moment};
use super::orders::saved;
use super::reactions::{self, LET_PASS};
use super::state::{PlannedAttack, State, TagG};
use super::things::{Aim, Means, Thing, Unit};
use super::{deeds, effects, plans};
use crate::answer::{anything, first_of, offers, option, option_of, worst_picks};
use rules::dice::Stream;
use rules::playout::Random;
use rules::{Offer, Piece, Policy, Reply, Seat};

/// The damage from which an attack is answered.
const ANSWERED: i16 = 2;

/// The number of cards of the hand below which more are drawn.
const HAND: usize = 4;

/// The stamina above which more cards are drawn.
const STAMINA: usize = 8;

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
            ("attack", "target") => option_of(offer, |id| sight.target.as_deref() == Some(id)),
            ("answer", "with") if self.plays => sight.answer(offer),
            ("answer", "with") => option(offer, LET_PASS),
            ("discard", _) => Some(worst_picks(offer, |id| sight.keeps(id))),
            _ => Some(Reply::LeftOut),
        };
        reply.unwrap_or(Reply::LeftOut)
    }
}

/// A seat with its view, and what it has decided on.
struct Sight {
    seat: Seat,
    view: State,
    /// The answers to the questions of an act, by their names.
    answers: Vec<(&'static str, SmolStr)>,
    /// The target of the attack that is being declared.
    target: Option<SmolStr>,
    /// The targets of the attacks declared so far, with the damage planned on each.
    planned: Vec<(Aim, i16)>,
}

impl Sight {
    fn new(seat: Seat, view: State) -> Self {
        let (answers, planned) = (Vec::new(), Vec::new());
        Self { seat, view, answers, target: None, planned }
    }

    /// True if this is the decided answer to a question of an act.
    fn named(&self, name: &str, id: &str) -> bool {
        self.answers.iter().any(|(of, answer)| *of == name && answer == id)
    }

    /// Decides on an act.
    fn deed(&mut self, offer: &Offer<'_>, plays: bool) -> Option<Reply> {
        let player = &self.view.players[self.seat];
        let draws = player.hand.len() < HAND && player.stamina.len() > STAMINA;
        if draws && offers(offer, "draw-more") {
            return option(offer, "draw-more");
        }
        if !plays {
            return None;
        }
        if offers(offer, "play")
            && let Some(card) = self.card()
        {
            self.say("card", card.id());
            self.say("wearer", self.wearer(card).id());
            self.name(card.choices());
            return option(offer, "play");
        }
        if offers(offer, "ability")
            && let Some(unit) = self.ability()
        {
            self.say("source", unit.id());
            self.name(choices(unit.card.at(Moment::Main).next()));
            return option(offer, "ability");
        }
        None
    }

    fn say(&mut self, name: &'static str, id: SmolStr) {
        self.answers.push((name, id));
    }

    /// Names the best things for choices.
    fn name(&mut self, choices: Vec<Choice>) {
        for (name, choice) in deeds::NAMED.into_iter().zip(choices) {
            let things = effects::nameable(&self.view, self.seat, choice).into_iter();
            let worth = |thing: &Thing| worth::of_thing(&self.view, self.seat, *thing);
            if let Some(thing) = things.max_by_key(worth) {
                self.say(name, thing.id());
            }
        }
    }

    /// The card to play at once; none if fighting or keeping is worth more.
    fn card(&self) -> Option<Card> {
        let (view, seat) = (&self.view, self.seat);
        let (cards, _) = deeds::cards(view, seat);
        let worth = |card: &Card| worth::played(view, seat, *card);
        let is_item =
            |card: &&Card| matches!(card.kind(), CardKind::Item(_)) && self.is_wanted(**card);
        if let Some(item) = cards.iter().filter(is_item).find(|card| worth(card) > 12) {
            return Some(*item);
        }
        let magic = cards.iter().copied().filter(|card| card.magic().is_some());
        let best = magic.max_by_key(worth).filter(|card| worth(card) > 12);
        let spells = plans::spells(view, seat).saturating_sub(view.turn.spells).max(1);
        let is_magic = best.is_some_and(|card| {
            view.turn.spells > 0 || worth(&card) * i32::from(spells) > self.fighting()
        });
        if is_magic {
            return best;
        }
        let fights = self.fights_left();
        let attacks = self.attack_worths().len();
        let motions = cards.into_iter().filter(|card| matches!(card.kind(), CardKind::Motion));
        let is_spare =
            |card: &Card| worth(card) > 8 && (fights > attacks || fights > 1 && attacks > 0);
        motions.filter(is_spare).max_by_key(worth)
    }

    fn fights_left(&self) -> usize {
        plans::fights(&self.view, self.seat).saturating_sub(self.view.turn.fights).into()
    }

    /// True if the slot of a piece of equipment is free on somebody.
    fn is_wanted(&self, card: Card) -> bool {
        card.slot().is_none() || self.is_free(self.wearer(card), card)
    }

    fn is_free(&self, seat: Seat, card: Card) -> bool {
        effects::in_the_way(&self.view, seat, card).is_none()
    }

    /// The player who gets a piece of equipment: oneself if the slot is free.
    fn wearer(&self, card: Card) -> Seat {
        let partners = self.view.partners(self.seat);
        let mut all = std::iter::once(self.seat).chain(partners);
        all.find(|seat| self.is_free(*seat, card)).unwrap_or(self.seat)
    }

    /// The permanent whose ability is worth its cost.
    fn ability(&self) -> Option<Unit> {
        let worth = |unit: &Unit| {
            unit.card
                .at(Moment::Main)
                .next()
                .map_or(0, |effect| worth::of_effect(&self.view, self.seat, effect))
        };
        let is_rich = self.view.players[self.seat].stamina.len() > 2 * STAMINA;
        let units = deeds::abilities(&self.view, self.seat).into_iter();
        units.max_by_key(worth).filter(|unit| is_rich && worth(unit) > 5)
    }

    /// The worths of the attack cards that reach somebody, the strongest first.
    fn attack_worths(&self) -> Vec<i32> {
        let reaching = |card: &Card| {
            card.attack().is_some()
                && !plans::targets(&self.view, self.seat, Means::Card(*card)).0.is_empty()
        };
        let cards = self.view.players[self.seat].cards().filter(reaching);
        let worth = |card: Card| card.attack().map_or(0, |attack| 10 * i32::from(attack.damage));
        let mut worths: Vec<i32> = cards.map(worth).collect();
        worths.sort_unstable_by(|one, other| other.cmp(one));
        worths
    }

    /// The worth of fighting in this turn.
    fn fighting(&self) -> i32 {
        self.attack_worths().into_iter().take(self.fights_left()).sum()
    }

    /// The next attack: the one that does most, on the target that is worth most.
    fn means(&mut self, offer: &Offer<'_>) -> Option<Reply> {
        let (view, seat) = (&self.view, self.seat);
        let held = view.players[seat].distinct_hand().into_iter().map(Means::Card);
        let means = held.chain(view.controlled(seat).into_iter().map(Means::Unit));
        let means = means.filter(|by| offers(offer, &by.id()));
        let best = means
            .flat_map(|by| plans::targets(view, seat, by).0.into_iter().map(move |on| (by, on)))
            .map(|(by, on)| (self.worth(by, on), by, on))
            .max_by_key(|(worth, ..)| *worth)?;
        let (worth, by, on) = best;
        if worth <= 0 {
            return None;
        }
        self.planned.push((on, self.damage(by, on)));
        self.target = Some(on.id());
        option(offer, &by.id())
    }

    fn damage(&self, by: Means, on: Aim) -> i16 {
        self.view.expected(PlannedAttack { number: 1, by, on })
    }

    /// The worth of an attack on a target, with the attacks planned so far.
    fn worth(&self, by: Means, on: Aim) -> i32 {
        let damage = self.damage(by, on);
        let before: i16 = self.planned.iter().filter(|(at, _)| *at == on).map(|(_, it)| it).sum();
        let left = effects::left(&self.view, on) - before;
        match on {
            Aim::Character(_) => {
                let kills = damage > left;
                10 * i32::from(damage) + if kills { 200 } else { 40 - i32::from(left.min(40)) }
            }
            Aim::Unit(unit) => {
                let kills = left > 0 && damage >= left;
                if kills { 18 * i32::from(self.view.attack(unit)) + 20 } else { 0 }
            }
        }
    }

    /// The answer to an attack: the weakest that suffices.
    fn answer(&mut self, offer: &Offer<'_>) -> Option<Reply> {
        let attack = *reactions::open_attacks(&self.view)
            .iter()
            .find(|attack| attack.number == offer.key.number)?;
        let damage = self.view.expected(attack);
        if damage < ANSWERED {
            return option(offer, LET_PASS);
        }
        let own = self.view.controlled(self.seat).into_iter();
        let blocks = own.filter(|unit| offers(offer, &unit.id()));
        let loss = |unit: &Unit| {
            let dies = effects::left(&self.view, Aim::Unit(*unit)) <= damage;
            if dies { 18 * i32::from(self.view.attack(*unit)) + 5 } else { 0 }
        };
        let block = blocks.map(|unit| (loss(&unit), unit.id())).min_by_key(|(loss, _)| *loss);
        let cards = self.view.players[self.seat].distinct_hand().into_iter();
        let defences = cards.filter(|card| {
            matches!(card.kind(), CardKind::Defence(_)) && offers(offer, &card.id())
        });
        let spent = |card: &Card| {
            let rest = i32::from(damage) - i32::from(saved(*card));
            10 * rest.max(0) + 5 + i32::from(saved(*card).min(9))
        };
        let defence =
            defences.map(|card| (spent(&card), card.id())).min_by_key(|(spent, _)| *spent);
        let best = block.into_iter().chain(defence).min_by_key(|(loss, _)| *loss);
        match best.filter(|(loss, _)| *loss < 10 * i32::from(damage)) {
            Some((_, id)) => option(offer, &id),
            None => option(offer, LET_PASS),
        }
    }

    /// The worth of keeping a card above the limit of the hand.
    fn keeps(&self, id: &SmolStr) -> i32 {
        Card::find(id).map_or(0, |card| worth::held(&self.view, self.seat, card))
    }
}
