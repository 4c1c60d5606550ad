//! Who is missing, late or away, and who plays for them.

pub(in crate::desk) mod attendance;
pub(in crate::desk) mod away;
pub(in crate::desk) mod call;
pub(in crate::desk) mod delegate;
pub(in crate::desk) mod reputation;
pub(in crate::desk) mod take_over;
