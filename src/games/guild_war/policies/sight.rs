//! The view of a policy, and the functions by which it decides.

use super::super::deeds::Action;
use super::super::state::State;
use rules::Seat;

/// A seat and the state as it may know it.
pub(super) struct SeatView {
    pub(super) seat: Seat,
    pub(super) view: State,
}

/// Finds what a seat does; nothing if it passes.
pub(super) type FindAction = fn(&mut SeatView) -> Option<Action>;

/// The functions that tell one policy from another.
pub(super) struct Ways {
    pub(super) act: FindAction,
    pub(super) respond: FindAction,
    /// The order that it leaves as captain (W4.3).
    pub(super) order: fn(&SeatView) -> &'static str,
}
