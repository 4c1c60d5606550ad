//! The votes of a table, and the recipients of overrides.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

/// The outcome of a vote.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum VoteOutcome {
    /// The vote has passed, and its decision is carried out.
    Passed,
    /// The vote has too many objections to pass any more.
    Rejected,
    /// The vote has expired.
    Expired,
    /// The window has closed, or the decision is no longer possible.
    Overtaken,
}

/// The recipients of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Notified {
    Public,
    /// The players of the affected seats.
    Private,
}
