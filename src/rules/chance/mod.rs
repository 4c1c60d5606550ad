//! What falls: dice and what is drawn by them, written down to be checked.

pub mod dice;
pub(super) mod die;
pub mod random;
pub mod receipt;
pub mod witness;
