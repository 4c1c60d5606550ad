//! How a table decides, and who is told.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumCount, EnumString, IntoStaticStr};

/// What a vote is about: of each kind, one is open at a time.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Display,
    EnumCount,
    EnumString,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum VoteKind {
    Extend,
    Pause,
    Resume,
    Replace,
    Pace,
    Absence,
    TakeBack,
    Draw,
}

/// What came of a vote.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum VoteOutcome {
    /// It has passed, and is carried out.
    Passed,
    /// So many do not agree that it cannot pass any more.
    Rejected,
    /// Its time is over.
    Expired,
    /// The window has closed, or what was to be decided cannot be any more.
    Overtaken,
}

/// Who is told of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Notified {
    Public,
    /// Those whose seats it is about.
    Private,
}
