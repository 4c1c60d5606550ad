//! W12: the vocabulary of a set.

use serde::Deserialize;

use crate::pieces::pieces;

pieces! {
    /// A value that modifiers and equipment change (W11.2).
    Stat {
        /// ATK
        Atk => "atk",
        /// MATK
        Matk => "matk",
        /// DEF
        Def => "def",
        /// AGI
        Agi => "agi",
    }
}

/// The length of an effect (W7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Duration {
    /// This step.
    Step,
    /// To the end of the same step of the next frame.
    Frame,
}

/// A verb of a card, done to whoever its scope names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// W12.1: it joins the pool of its target.
    Attack(Attack),
    /// W12.2: a value is higher or lower for a while.
    Modify { stat: Stat, amount: i16, until: Duration },
    /// W12.3: cards from the top of the deck become HP, up to VIT.
    Heal { cards: u8 },
    /// W12.4: cards are drawn.
    Draw { cards: u8 },
    /// W12.5: cards of the hand are discarded by die.
    Discard { cards: u8 },
    /// W12.6: 行動不能.
    Disable { until: Duration },
    /// W12.7: no attack on a single target reaches it.
    Hide { until: Duration },
    /// W12.8: attacks on it alone in this step hit whoever covers it.
    Cover,
    /// W12.9: a piece of equipment that is set is discarded by die.
    Break,
    /// W12.10: it costs one HP in each of so many rests.
    Poison { rests: u8 },
    /// W12.11: 行動不能, poison and lowered values end.
    Cleanse,
}

/// W12.1: an attack. Its power is a share of a value of the attacker, or is printed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// ATK; MATK for magic (W7.2).
    pub with: Stat,
    /// The share of that value, in percent (W11.3).
    pub percent: Option<u16>,
    /// The power, where it depends on nobody's value.
    pub power: Option<u16>,
    /// The printed damage, in HP cards.
    pub damage: u8,
    /// W7.5: its pool hits whatever AGI is.
    #[serde(default)]
    pub sure: bool,
    /// W7.5: its damage never becomes the single point.
    #[serde(default)]
    pub pierces: bool,
    /// The effects that follow if its pool hits (W7.1).
    #[serde(default)]
    pub hit: Vec<Effect>,
}

impl Attack {
    /// True for magic (W7.2).
    pub fn is_magic(&self) -> bool {
        self.with == Stat::Matk
    }
}

impl Effect {
    /// The attack, if it is one.
    pub fn attack(&self) -> Option<&Attack> {
        match self {
            Self::Attack(attack) => Some(attack),
            _ => None,
        }
    }
}
