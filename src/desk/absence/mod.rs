//! Missing, late and absent players, and the substitutes who play for them.

pub(crate) mod attendance;
pub(crate) mod away;
pub(crate) mod reputation;
