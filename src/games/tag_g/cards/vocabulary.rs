//! T8.1: the vocabulary of a set: ten verbs, thirteen moments, the targets, four durations, the amounts and
//! four keywords. A file that has another word is faulty.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::pieces::pieces;

/// The maximum number of permanents of one card in play.
pub const FIELD: u8 = 16;

/// T2.1: the maximum number of cards of one name in the decks of a side.
pub const COPIES: usize = 4;

pieces! {
    /// The moment of an effect (T8.3). The steps are those of a segment (T4).
    Moment {
        /// The use of the card, after its costs; for an attack or a defence card the step of its use.
        Use => "use",
        /// Right after the declaration.
        Step2 => "step-2",
        /// Right after the naming of a blocker.
        Step4 => "step-4",
        /// Right after the defence card.
        Step6 => "step-6",
        /// The damage.
        Step7 => "step-7",
        /// Right after the damage.
        Step8 => "step-8",
        /// The end of the segment.
        Step9 => "step-9",
        /// Right after the end.
        Step10 => "step-10",
        /// The permanent comes into play.
        Enters => "enters",
        /// The permanent is destroyed.
        Destroyed => "destroyed",
        /// The setup phase of the controller.
        Setup => "setup",
        /// The main phase of the controller, for a cost, as often as the controller can pay.
        Main => "main",
        /// As long as the permanent is in play.
        Always => "always",
    }
}

pieces! {
    /// The end of a change (T8.5).
    Duration {
        /// The end of the segment.
        Segment => "segment",
        /// The end of the turn.
        Turn => "turn",
        /// The beginning of the user's next turn.
        NextTurn => "next-turn",
        /// The end of the permanent. Only at [`Moment::Always`].
        InPlay => "in-play",
    }
}

pieces! {
    /// A keyword of a card (T10.2).
    Keyword {
        /// 反感: the used card becomes resentment of its user.
        Resentment => "resentment",
        /// 再生: the destroyed permanent goes on top of its owner's damage pile.
        Regeneration => "regeneration",
        /// 騎乗: the summon can be ridden.
        Mount => "mount",
        /// カバー: the defence card protects partners and summons of the side, too.
        Cover => "cover",
    }
}

pieces! {
    /// A value that an effect changes.
    Value {
        /// The speed of a character or summon.
        Speed => "speed",
        /// The attack of a summon.
        Attack => "attack",
        /// The defence of a summon.
        Defence => "defence",
        /// The damage of a character's attack cards.
        Damage => "damage",
    }
}

pieces! {
    /// An answer that an effect forbids.
    Forbidden {
        /// Summons do not block attacks on the target; a summon as target does not block.
        Block => "block",
        /// No defence card is used against attacks on the target.
        Defence => "defence",
    }
}

pieces! {
    /// A kind of target that is chosen, or of which all are meant.
    What {
        Character => "character",
        Summon => "summon",
        /// A summon, shape or piece of equipment.
        Permanent => "permanent",
        Equipment => "equipment",
        /// A card in a discard pile.
        Card => "card",
    }
}

pieces! {
    /// The players whose cards are possible targets.
    Whose {
        /// The user.
        Own => "own",
        /// The user's side, the user included.
        Team => "team",
        /// The opposing sides.
        Opposing => "opposing",
    }
}

pieces! {
    /// A thing by the number of which an amount grows.
    Per {
        /// A tower of the side's field of level 1 or more.
        Tower => "tower",
        /// A summon that the user controls.
        Summon => "summon",
        /// A resentment card of the user.
        Resentment => "resentment",
    }
}

/// The things among which a target is chosen, or which are all meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub what: What,
    pub of: Whose,
}

/// The target of a verb (T8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The character of the user; of a permanent, that of its controller.
    User,
    /// The characters of the user's partners.
    Partner,
    /// The present target of the attack: the blocker if there is one.
    Attacked,
    /// The attacking character or summon.
    Attacker,
    /// The blocker of the attack, if there is one.
    Blocker,
    /// The permanent itself; of an attack card, this attack alone.
    This,
    /// One of these, named when the card or ability is played.
    One(Choice),
    /// All of these.
    All(Choice),
}

impl Target {
    /// `None` unless the target is named when the card is played.
    pub fn choice(self) -> Option<Choice> {
        if let Self::One(choice) = self { Some(choice) } else { None }
    }
}

/// The number of a verb (T8.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Number(u8),
    All,
    /// `each` for each of these things, counted when the verb is carried out.
    Each {
        each: u8,
        per: Per,
    },
}

/// The change of a value. All additions come before all multiplications and divisions (T4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Add(i8),
    Times(u8),
    /// Fractions are rounded down.
    Divide(u8),
}

/// A verb of a card (T8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[strum(serialize_all = "kebab-case")]
pub enum Verb {
    /// Damages a character or summon.
    Damage { amount: Amount, on: Target },
    /// Reduces the damage of this attack to the target; at [`Moment::Always`] of every attack.
    Reduce { amount: Amount, on: Target },
    /// Heals a character, or removes damage from a summon.
    Heal { amount: Amount, on: Target },
    /// Draws cards from stamina.
    Draw { amount: Amount, on: Target },
    /// Discards cards of a hand by die.
    Discard { amount: Amount, on: Target },
    /// Takes a card of a discard pile into the user's hand.
    Return { on: Target },
    /// Destroys a permanent.
    Destroy { on: Target },
    /// Changes a value for a while.
    Modify { what: Value, by: Change, on: Target, until: Duration },
    /// Forbids an answer for a while.
    Forbid { what: Forbidden, on: Target, until: Duration },
    /// Gives resentment: without `until` cards of the user's stamina, else a number that ends with the turn.
    Resent { amount: Amount, on: Target, until: Option<Duration> },
}

impl Verb {
    /// The verb's word in a set.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// `None` for a verb without a number.
    pub fn amount(self) -> Option<Amount> {
        match self {
            Self::Damage { amount, .. }
            | Self::Reduce { amount, .. }
            | Self::Heal { amount, .. }
            | Self::Draw { amount, .. }
            | Self::Discard { amount, .. }
            | Self::Resent { amount, .. } => Some(amount),
            _ => None,
        }
    }

    /// `None` for a verb that is done with at once; otherwise the end of its change.
    pub fn until(self) -> Option<Duration> {
        match self {
            Self::Modify { until, .. } | Self::Forbid { until, .. } => Some(until),
            Self::Reduce { .. } => Some(Duration::Segment),
            Self::Resent { until, .. } => until,
            _ => None,
        }
    }

    /// The target of the verb.
    pub fn on(self) -> Target {
        match self {
            Self::Damage { on, .. }
            | Self::Reduce { on, .. }
            | Self::Heal { on, .. }
            | Self::Draw { on, .. }
            | Self::Discard { on, .. }
            | Self::Return { on }
            | Self::Destroy { on }
            | Self::Modify { on, .. }
            | Self::Forbid { on, .. }
            | Self::Resent { on, .. } => on,
        }
    }
}

/// A cost (T3). A player who cannot pay all of it cannot pay it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Cards from the top of the payer's stamina to the discard pile.
    #[serde(default)]
    pub stamina: u8,
    /// Cards of the payer's hand, by die.
    #[serde(default)]
    pub discard: u8,
    /// True if the permanent itself is destroyed. Only of an ability.
    #[serde(default)]
    pub this: bool,
}

/// An effect of a card: verbs at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    pub at: Moment,
    /// The cost of an ability. Only at [`Moment::Main`].
    #[serde(default)]
    pub cost: Cost,
    /// True if the effect needs an attack that did damage in its step 7. Only in steps 8 to 10.
    #[serde(default)]
    pub damaged: bool,
    pub does: Vec<Verb>,
}

/// The form of an amount that grows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Each {
    each: u8,
    per: Per,
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount")
            }

            fn visit_i64<E: Error>(self, input: i64) -> Result<Amount, E> {
                let number = u8::try_from(input).ok().filter(|number| *number > 0);
                let wrong = || E::invalid_value(Unexpected::Signed(input), &self);
                number.map(Amount::Number).ok_or_else(wrong)
            }

            fn visit_str<E: Error>(self, input: &str) -> Result<Amount, E> {
                if input == "all" {
                    Ok(Amount::All)
                } else {
                    Err(E::unknown_variant(input, &["all"]))
                }
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Amount, M::Error> {
                let Each { each, per } = Each::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Amount::Each { each, per })
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
