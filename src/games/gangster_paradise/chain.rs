//! P4, P5.6: what an act is, and the queue of what is still to be handled of it.
//!
//! Nothing is handled by recursion: whatever answers something puts what follows from it in front of
//! what is left, so that a chain can stop at any step, ask somebody, and go on.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::cards::Card;
use super::edition::EDITION;
use crate::pieces::pieces;
use rules::{Piece, Seat};
use smol_str::{SmolStr, format_smolstr};

pieces! {
    /// One of the ways in which a card can be used.
    Way {
        /// Peek and no more: SPY, SNIPER RIFLE
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
    /// All from the first on.
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
    /// What is discarded in place of the life (P3.4).
    Decoys {
        /// GANGSTER before VANGUARD
        GangsterFirst => "gangster-first",
        /// VANGUARD before GANGSTER
        VanguardFirst => "vanguard-first",
        /// Nothing: the life is lost
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

/// One bullet, or one use of a card that needs none, on somebody.
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
    /// The card that it is printed on.
    pub card: Card,
    /// The number of the effect in the act as announced; none for those of a reaction.
    pub number: Option<Ordinal>,
}

/// A trade that both parties have settled (P3.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trade {
    pub partner: Seat,
    /// What the turn player gives; a card that the viewer may not know is none.
    pub gives: Vec<Option<Card>>,
    pub gets: Vec<Option<Card>>,
}

impl Trade {
    /// What somebody gives in it.
    pub fn given_by(&self, seat: Seat) -> &[Option<Card>] {
        if seat == self.partner { &self.gets } else { &self.gives }
    }

    /// Likewise, to change.
    pub fn given_by_mut(&mut self, seat: Seat) -> &mut Vec<Option<Card>> {
        if seat == self.partner { &mut self.gets } else { &mut self.gives }
    }

    /// True if PHANTOM may take part (P6.5).
    pub fn is_large(&self) -> bool {
        self.count() >= EDITION.effect.traded
    }

    /// How many cards change hands.
    pub fn count(&self) -> usize {
        self.gives.len() + self.gets.len()
    }

    pub(super) fn cover(&mut self) {
        self.gives.iter_mut().chain(&mut self.gets).for_each(|card| *card = None);
    }
}

/// An act that others can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnouncedAct {
    pub by: Seat,
    /// The card that is used; none for a trade.
    pub card: Option<Card>,
    pub way: Option<Way>,
    pub on: Option<Seat>,
    /// The shots as they were announced, and behind them what is added to them (P5.1).
    pub shots: Vec<Shot>,
    /// At whom bullets are shot that are won on the way (P5.1).
    pub more: Option<Seat>,
    /// The card of the field that GUNSMITH or THE DON is about, or what HUSTLER sells.
    pub item: Option<Card>,
    pub trade: Option<Trade>,
    /// True if the turn ends with it.
    pub end: bool,
}

impl AnnouncedAct {
    /// This card, used by this player; all else is left open.
    pub fn of(by: Seat, card: Option<Card>) -> Self {
        let (way, on, more, item, trade) = (None, None, None, None, None);
        Self { by, card, way, on, shots: Vec::new(), more, item, trade, end: false }
    }
}

/// What is still to be handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChainStep {
    /// The card is used, if BEAUTY does not take it, and what it does comes up.
    Use,
    /// A shot of the act, by its number from 1.
    Shot(u8),
    Damage(DamageUnit),
    /// TORTURER of whoever has dealt damage (P5.4).
    Torture {
        by: Seat,
    },
    /// GRENADE and FLASH BANG of whoever was hit.
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
    /// The card steals of a hand (P0).
    Steal {
        count: u8,
    },
    /// The card does something with the field.
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

/// Somebody who has lost the life in this shot: dead once the deaths are handled (P9.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    pub seat: Seat,
    /// Who has done it by a kill.
    pub by: Option<Seat>,
}

/// A card that was discarded in place of a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decoyed {
    pub seat: Seat,
    pub card: Card,
}

/// What the shot has done that is being handled.
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
    /// Whose GRENADE has gone off, if one has: from then on P4.5 counts from the cause.
    pub cause: Seat,
}

impl Chain {
    /// An act before anything of it is handled.
    pub fn of(act: AnnouncedAct) -> Self {
        let cause = act.by;
        let queue = VecDeque::from([ChainStep::Use]);
        Self { act, queue, harm: Harm::default(), shot: 0, cause }
    }

    /// These come before all that is left, in this order.
    pub fn put_first(
        &mut self,
        steps: impl IntoIterator<Item = ChainStep, IntoIter: DoubleEndedIterator>,
    ) {
        for step in steps.into_iter().rev() {
            self.queue.push_front(step);
        }
    }

    /// True if somebody has lost the life in this shot.
    pub fn has_lost(&self, seat: Seat) -> bool {
        self.harm.lost.iter().any(|lost| lost.seat == seat)
    }
}

/// Cards that change a trade, in the order in which they are used unless their player says another
/// (P9.16).
pub(super) const TRICKS: [Card; 2] = [Card::Trickster, Card::Phantom];

/// What somebody is asked in the middle of an act (P3.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateChoice {
    pub of: Seat,
    /// Whose cards it is about.
    pub on: Seat,
    pub what: ChoiceKind,
    pub count: u8,
    /// The cards that it is about, where they are not the own hand; a card that the viewer may not
    /// know is none.
    pub seen: Vec<Option<Card>>,
}

pieces! {
    /// What a choice in the middle of an act is about.
    ChoiceKind {
        /// 捨札
        Discard => "choose-discard",
        /// SPY takes one of those seen
        Take => "choose-take",
        /// TORTURER discards one of those seen
        Torture => "choose-torture",
        /// JOURNALIST publishes of those seen
        Publish => "choose-publish",
        /// NEGOTIATOR gives
        Give => "choose-give",
        /// PHANTOM takes of a trade
        Plunder => "choose-plunder",
    }
}

/// How somebody reacts to an act, whatever they hold (P3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionAnswers {
    /// The damage effects that HERO cancels.
    pub hero: Vec<Ordinal>,
    /// Whom HERO shields from a GRENADE (P9.12).
    pub shield: Vec<Seat>,
    pub decoys: Decoys,
    /// Other cards that are used when their moment comes; for a trade in this order (P9.16).
    pub uses: Vec<Card>,
    /// The card that UNDERTAKER picks up first, and the announced shot from which on it is used.
    pub undertaker: Option<Card>,
    pub undertaker_at: u8,
    /// What DOCTOR pays with first.
    pub doctor: Option<Card>,
    /// The decoy that DOCTOR is used for; none for the first there is (P9.12).
    pub doctor_for: Option<Card>,
    /// The MONEY CARD that the own act picks up, takes or pays before the other (P9.3).
    pub money: Option<Card>,
    /// The bullets that MAGAZINE takes before others (P9.10).
    pub reload: Vec<Card>,
    /// The cards that BEAUTY takes.
    pub beauty: Vec<Card>,
    /// What is discarded against ALCOHOL (P6.5).
    pub against_alcohol: Option<Card>,
    /// What is taken of a dead player's cards, the dearest first (P9.8).
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

/// An act as it is sealed, with the own reactions that belong to it (P3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedAct {
    pub act: AnnouncedAct,
    pub answers: ReactionAnswers,
    /// True if SILENCER spares its actions.
    pub is_silent: bool,
}

/// True if something is still to be asked before a chain goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    GoesOn,
    /// Somebody chooses first (P3.4).
    Asks,
}
