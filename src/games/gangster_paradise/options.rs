//! The host's options for a table.

use serde::{Deserialize, Serialize};

use crate::switch::Switch;

/// The host's options for a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The number of LEGEND cards that join the deck (P1.2).
    pub legends: Legends,
    /// On if unused GANGSTER, MONEY and BULLET join the deck too (P1.2).
    pub unused_to_deck: Switch,
    /// The number of rounds after which a game is drawn (P2.4).
    pub max_rounds: MaxRounds,
    /// On if hints, whispers and signals are forbidden (P2.5).
    pub tournament_rules: Switch,
    /// The fate of an UNDERTAKER that found nothing before DOCTOR paid (P6.3).
    pub undertaker_after_doctor: UndertakerAfterDoctor,
    /// On if GRAY and PURPLE die when seen in the first round too (P6.8).
    pub exposure_in_round_1: Switch,
    /// The number of games in a set (P8.1).
    pub games: Games,
    /// The players whose deaths count for betrayal with four players (P9.7).
    pub betrayal_with_four: BetrayalWithFour,
    /// The acts that people answer in a reaction window (P9.11).
    pub reactions: Reactions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            legends: Legends::One,
            unused_to_deck: Switch::Off,
            max_rounds: MaxRounds::Twelve,
            tournament_rules: Switch::On,
            undertaker_after_doctor: UndertakerAfterDoctor::Missed,
            exposure_in_round_1: Switch::Off,
            games: Games::One,
            betrayal_with_four: BetrayalWithFour::All,
            reactions: Reactions::Harm,
        }
    }
}

/// A number from a few that a host can choose.
macro_rules! numbers {
    ($(#[$doc:meta])* $name:ident of $type:ty { $($member:ident => $word:literal $number:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $(#[serde(rename = $word)] $member,)+
        }

        impl $name {
            /// The values that a host can choose.
            pub const VALUES: &'static [&'static str] = &[$($word,)+];

            pub fn get(self) -> $type {
                match self { $(Self::$member => $number,)+ }
            }
        }
    };
}

numbers! {
    /// The number of LEGEND cards that join the deck (P1.2).
    Legends of usize {
        None => "0" 0,
        One => "1" 1,
        Two => "2" 2,
        Three => "3" 3,
        Four => "4" 4,
        Five => "5" 5,
    }
}

numbers! {
    /// The number of rounds after which a game is drawn (P2.4).
    MaxRounds of u8 {
        Six => "6" 6,
        Eight => "8" 8,
        Twelve => "12" 12,
        Twenty => "20" 20,
    }
}

numbers! {
    /// The number of games in a set (P8.1).
    Games of u8 {
        One => "1" 1,
        Three => "3" 3,
    }
}

/// The fate of an UNDERTAKER that found nothing before DOCTOR paid (P6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UndertakerAfterDoctor {
    /// UNDERTAKER counts as not used, and cannot be used any more.
    Missed,
    /// UNDERTAKER may pick up DOCTOR's payment.
    Picks,
}

/// The players whose deaths count for betrayal with four players (P9.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BetrayalWithFour {
    /// All except BLACK and GRAY.
    All,
    /// RED and BLUE.
    Colours,
}

/// The acts that people answer in a reaction window (P9.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reactions {
    /// Every act that can be answered.
    Window,
    /// Acts that can do harm, and trades; standing orders answer the other acts.
    Harm,
    /// None: standing orders answer every act.
    Orders,
}
