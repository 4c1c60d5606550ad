//! Chance: dice, draws and shuffles, recorded for later checks.

pub mod dice;
pub(super) mod die;
pub mod random;
pub mod receipt;
pub mod witness;
