//! What a policy sees, and what it decides by.

use super::super::deeds::Action;
use super::super::state::State;
use rules::Seat;

/// What a seat knows, and whose it is.
pub(super) struct SeatView {
    pub(super) seat: Seat,
    pub(super) view: State,
}

/// Finds what a seat does; nothing if it passes.
pub(super) type FindAction = fn(&mut SeatView) -> Option<Action>;

/// What tells one policy from another.
pub(super) struct Ways {
    pub(super) act: FindAction,
    pub(super) respond: FindAction,
    /// What its guild takes as captain (W4.3).
    pub(super) order: fn(&SeatView) -> &'static str,
}
