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
    /// The current step.
    Step,
    /// The time to the end of the same step in the next frame.
    Frame,
}

/// A verb of a card, applied to the characters of its scope.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// W12.1: an attack that joins the pool of its target.
    Attack(Attack),
    /// W12.2: changes a value for a while.
    Modify { stat: Stat, amount: i16, until: Duration },
    /// W12.3: turns cards from the top of the deck into HP, up to VIT.
    Heal { cards: u8 },
    /// W12.4: draws cards.
    Draw { cards: u8 },
    /// W12.5: discards cards of the hand by die.
    Discard { cards: u8 },
    /// W12.6: 行動不能.
    Disable { until: Duration },
    /// W12.7: hides the character from attacks on a single target.
    Hide { until: Duration },
    /// W12.8: redirects attacks on the character alone in this step to the user.
    Cover,
    /// W12.9: discards a set piece of equipment by die.
    Break,
    /// W12.10: costs one HP in each of this number of rests.
    Poison { rests: u8 },
    /// W12.11: ends 行動不能, poison and lowered values.
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
    /// The printed power, independent of any value.
    pub power: Option<u16>,
    /// The printed damage, in HP cards.
    pub damage: u8,
    /// W7.5: true if its pool hits regardless of AGI.
    #[serde(default)]
    pub sure: bool,
    /// W7.5: true if its damage is never reduced to the single point.
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
    /// `None` unless the effect is an attack.
    pub fn attack(&self) -> Option<&Attack> {
        match self {
            Self::Attack(attack) => Some(attack),
            _ => None,
        }
    }
}
