//! P4, P5.6: acts, and the queue of their unhandled steps.
//!
//! Steps are not handled by recursion: a step puts the steps that follow from it in front of the queue, so
//! that a chain can stop at any step, ask a player, and go on.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::cards::Card;
use super::edition::EDITION;
use crate::pieces::pieces;
use rules::{Piece, Seat};
use smol_str::{SmolStr, format_smolstr};

pieces! {
    /// One of several ways to use a card.
    Way {
        /// Only peek: SPY, SNIPER RIFLE
        Look => "way-look",
        /// Peek and take: SPY
        Take => "way-take",
        /// Kill: SNIPER RIFLE, ASSAULT RIFLE
        Kill => "way-kill",
        /// Discard: ASSAULT RIFLE
        Discard => "way-discard",
    }
}

/// The number of a damage effect in the act as announced, from 1 (P5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ordinal(u8);

impl Ordinal {
    /// All numbers from the first on.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=u8::MAX).map(Self)
    }
}

impl Piece for Ordinal {
    fn id(&self) -> SmolStr {
        format_smolstr!("effect-{}", self.0)
    }
}

pieces! {
    /// The card that is discarded in place of the life (P3.4).
    Decoys {
        /// GANGSTER before VANGUARD
        GangsterFirst => "gangster-first",
        /// VANGUARD before GANGSTER
        VanguardFirst => "vanguard-first",
        /// None: the life is lost
        NoDecoy => "no-decoy",
    }
}

pieces! {
    /// A kind of damage effect (P0).
    Effect {
        /// 殺害
        Kill => "kill",
        /// 即死
        InstantDeath => "instant-death",
        /// 捨札
        Discard => "discard",
    }
}

/// One bullet, or one use of a card that needs none, at a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    pub bullet: Option<Card>,
    pub on: Seat,
}

/// One damage effect (P5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageUnit {
    pub by: Seat,
    pub on: Seat,
    pub effect: Effect,
    pub count: u8,
    /// The card on which the effect is printed.
    pub card: Card,
    /// `None` for the effects of a reaction; otherwise the number of the effect in the act as announced.
    pub number: Option<Ordinal>,
}

/// A trade that both parties have settled (P3.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trade {
    pub partner: Seat,
    /// The cards that the turn player gives; `None` for a card that the viewer may not know.
    pub gives: Vec<Option<Card>>,
    pub gets: Vec<Option<Card>>,
}

impl Trade {
    /// The cards that a party gives.
    pub fn given_by(&self, seat: Seat) -> &[Option<Card>] {
        if seat == self.partner { &self.gets } else { &self.gives }
    }

    /// The cards that a party gives, mutably.
    pub fn given_by_mut(&mut self, seat: Seat) -> &mut Vec<Option<Card>> {
        if seat == self.partner { &mut self.gets } else { &mut self.gives }
    }

    /// True if PHANTOM may take part (P6.5).
    pub fn is_large(&self) -> bool {
        self.count() >= EDITION.effect.traded
    }

    /// The number of cards that change hands.
    pub fn count(&self) -> usize {
        self.gives.len() + self.gets.len()
    }

    pub(super) fn cover(&mut self) {
        self.gives.iter_mut().chain(&mut self.gets).for_each(|card| *card = None);
    }
}

/// An act that other players can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnouncedAct {
    pub by: Seat,
    /// `None` for a trade; otherwise the card that is used.
    pub card: Option<Card>,
    pub way: Option<Way>,
    pub on: Option<Seat>,
    /// The announced shots, and after them the added ones (P5.1).
    pub shots: Vec<Shot>,
    /// The target of bullets won during the volley (P5.1); `None` to shoot none.
    pub more: Option<Seat>,
    /// The card of the field that GUNSMITH or THE DON takes, or the weapon that HUSTLER sells.
    pub item: Option<Card>,
    pub trade: Option<Trade>,
    /// True if the act ends the turn.
    pub end: bool,
}

impl AnnouncedAct {
    /// An act of this player with this card, without any other choice.
    pub fn of(by: Seat, card: Option<Card>) -> Self {
        let (way, on, more, item, trade) = (None, None, None, None, None);
        Self { by, card, way, on, shots: Vec::new(), more, item, trade, end: false }
    }
}

/// A step that is still to be handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChainStep {
    /// The use of the card: unless BEAUTY takes it, its steps follow.
    Use,
    /// A shot of the act, by its number from 1.
    Shot(u8),
    Damage(DamageUnit),
    /// TORTURER of the player who has dealt damage (P5.4).
    Torture {
        by: Seat,
    },
    /// GRENADE and FLASH BANG of the players hit.
    Blast,
    /// THE CHEFISH's pick-up (P6.4).
    Cook,
    /// UNDERTAKER and DOCTOR (P6.3).
    Bury,
    Deaths,
    Check,
    /// The card shows cards of a hand (P0).
    Look {
        count: u8,
    },
    /// The card steals cards of a hand (P0).
    Steal {
        count: u8,
    },
    /// The card's effect on the field.
    Field,
    Alcohol,
    /// TRICKSTER or PHANTOM of one player (P6.5).
    Trick {
        seat: Seat,
        card: Card,
    },
    Swap,
}

/// A damage effect that was not cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageHit {
    pub by: Seat,
    pub on: Seat,
}

/// A player who has lost the life in this shot: dead once the deaths are handled (P9.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    pub seat: Seat,
    /// The player who took the life; `None` if nobody earns a bonus for it.
    pub by: Option<Seat>,
}

/// A card that was discarded in place of a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decoyed {
    pub seat: Seat,
    pub card: Card,
}

/// The harm done by the shot that is being handled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Harm {
    pub hits: Vec<DamageHit>,
    pub decoys: Vec<Decoyed>,
    pub lost: Vec<Lost>,
}

/// An act that is being handled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    pub act: AnnouncedAct,
    pub queue: VecDeque<ChainStep>,
    pub harm: Harm,
    /// The number of the shot being handled, from 1; 0 before the first.
    pub shot: u8,
    /// The user of the latest GRENADE, otherwise the player of the act; P4.5 counts from here.
    pub cause: Seat,
}

impl Chain {
    /// A chain of which no step is handled yet.
    pub fn of(act: AnnouncedAct) -> Self {
        let cause = act.by;
        let queue = VecDeque::from([ChainStep::Use]);
        Self { act, queue, harm: Harm::default(), shot: 0, cause }
    }

    /// Puts these steps in front of the queue, in this order.
    pub fn put_first(
        &mut self,
        steps: impl IntoIterator<Item = ChainStep, IntoIter: DoubleEndedIterator>,
    ) {
        for step in steps.into_iter().rev() {
            self.queue.push_front(step);
        }
    }

    /// True if this player has lost the life in this shot.
    pub fn has_lost(&self, seat: Seat) -> bool {
        self.harm.lost.iter().any(|lost| lost.seat == seat)
    }
}

/// The cards that change a trade, in the order of use unless their player declares another (P9.16).
pub(super) const TRICKS: [Card; 2] = [Card::Trickster, Card::Phantom];

/// A question to one player in the middle of an act (P3.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateChoice {
    pub of: Seat,
    /// The player whose cards are chosen from.
    pub on: Seat,
    pub what: ChoiceKind,
    pub count: u8,
    /// The cards to choose from, unless they are the own hand; `None` for a card that the viewer may not
    /// know.
    pub seen: Vec<Option<Card>>,
}

pieces! {
    /// The subject of a choice in the middle of an act.
    ChoiceKind {
        /// 捨札
        Discard => "choose-discard",
        /// SPY takes one of the seen cards
        Take => "choose-take",
        /// TORTURER discards one of the seen cards
        Torture => "choose-torture",
        /// JOURNALIST publishes some of the seen cards
        Publish => "choose-publish",
        /// NEGOTIATOR gives
        Give => "choose-give",
        /// PHANTOM takes from a trade
        Plunder => "choose-plunder",
    }
}

/// A player's reactions to an act, independent of the cards held (P3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionAnswers {
    /// The damage effects that HERO cancels.
    pub hero: Vec<Ordinal>,
    /// The players whom HERO shields from a GRENADE (P9.12).
    pub shield: Vec<Seat>,
    pub decoys: Decoys,
    /// The other cards to use when possible; for a trade in this order (P9.16).
    pub uses: Vec<Card>,
    /// The card that UNDERTAKER picks up first, and the announced shot from which on it is used.
    pub undertaker: Option<Card>,
    pub undertaker_at: u8,
    /// The card that DOCTOR pays with first.
    pub doctor: Option<Card>,
    /// The decoy that DOCTOR is used for; `None` for the first one (P9.12).
    pub doctor_for: Option<Card>,
    /// The MONEY CARD that the own act prefers to pick up, take or pay (P9.3).
    pub money: Option<Card>,
    /// The bullets that MAGAZINE takes first (P9.10).
    pub reload: Vec<Card>,
    /// The cards that BEAUTY takes.
    pub beauty: Vec<Card>,
    /// The card that is discarded against ALCOHOL (P6.5).
    pub against_alcohol: Option<Card>,
    /// The kill bonus from a dead player's cards, the most wanted first (P9.8).
    pub bonus: Vec<Card>,
    /// True if BLACK overlooks GRAY's life (P6.8).
    pub overlooks: bool,
}

impl ReactionAnswers {
    pub fn uses(&self, card: Card) -> bool {
        self.uses.contains(&card)
    }
}

impl Default for ReactionAnswers {
    fn default() -> Self {
        Self {
            hero: Vec::new(),
            shield: Vec::new(),
            decoys: Decoys::GangsterFirst,
            uses: Vec::new(),
            undertaker: None,
            undertaker_at: 1,
            doctor: None,
            doctor_for: None,
            money: None,
            reload: Vec::new(),
            beauty: Vec::new(),
            against_alcohol: None,
            bonus: Vec::new(),
            overlooks: false,
        }
    }
}

/// A sealed act, with the player's own reactions to it (P3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedAct {
    pub act: AnnouncedAct,
    pub answers: ReactionAnswers,
    /// True if SILENCER spares the act's actions.
    pub is_silent: bool,
}

/// The state of a chain after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    GoesOn,
    /// A player must choose first (P3.4).
    Asks,
}
