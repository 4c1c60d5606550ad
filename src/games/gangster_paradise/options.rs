//! What a host can set for a table.

use serde::{Deserialize, Serialize};

use crate::switch::Switch;

/// What a host can set for a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many LEGEND cards join the deck (P1.2).
    pub legends: Legends,
    /// True if unused GANGSTER, MONEY and BULLET join it too (P1.2).
    pub unused_to_deck: Switch,
    /// After how many rounds a game is drawn (P2.4).
    pub max_rounds: MaxRounds,
    /// True if hints, whispers and signals are forbidden (P2.5).
    pub tournament_rules: Switch,
    /// What becomes of UNDERTAKER that found nothing before DOCTOR paid (P6.3).
    pub undertaker_after_doctor: UndertakerAfterDoctor,
    /// True if GRAY and PURPLE that are seen die in the first round too (P6.8).
    pub exposure_in_round_1: Switch,
    /// The number of games that are a set (P8.1).
    pub games: Games,
    /// Whose deaths count for betrayal with four players (P9.7).
    pub betrayal_with_four: BetrayalWithFour,
    /// Which acts people answer in a reaction window (P9.11).
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

/// A number that a host writes, of a few.
macro_rules! numbers {
    ($(#[$doc:meta])* $name:ident of $type:ty { $($member:ident => $word:literal $number:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $(#[serde(rename = $word)] $member,)+
        }

        impl $name {
            /// What a host can say.
            pub const VALUES: &'static [&'static str] = &[$($word,)+];

            pub fn get(self) -> $type {
                match self { $(Self::$member => $number,)+ }
            }
        }
    };
}

numbers! {
    /// How many LEGEND cards join the deck (P1.2).
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
    /// After how many rounds a game is drawn (P2.4).
    MaxRounds of u8 {
        Six => "6" 6,
        Eight => "8" 8,
        Twelve => "12" 12,
        Twenty => "20" 20,
    }
}

numbers! {
    /// The number of games that are a set (P8.1).
    Games of u8 {
        One => "1" 1,
        Three => "3" 3,
    }
}

/// What becomes of UNDERTAKER that found nothing before DOCTOR paid (P6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UndertakerAfterDoctor {
    /// It was not used, and its moment is gone.
    Missed,
    /// It may pick up what DOCTOR has paid.
    Picks,
}

/// Whose deaths count for betrayal with four players (P9.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BetrayalWithFour {
    /// Of all but BLACK and GRAY.
    All,
    /// Of RED and BLUE.
    Colours,
}

/// Which acts people answer in a reaction window (P9.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reactions {
    /// Every act that can be answered.
    Window,
    /// Acts that can do harm, and trades; standing orders answer all else.
    Harm,
    /// None: standing orders answer everything.
    Orders,
}
