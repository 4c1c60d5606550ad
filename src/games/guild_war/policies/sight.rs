//! The view of a policy, and its decision functions.

use super::super::deeds::Action;
use super::super::state::State;
use rules::Seat;

/// A seat and the state filtered for the seat.
pub(super) struct SeatView {
    pub(super) seat: Seat,
    pub(super) view: State,
}

/// Chooses an action of a seat; `None` if it passes.
pub(super) type FindAction = fn(&mut SeatView) -> Option<Action>;

/// The decision functions of a policy.
pub(super) struct Ways {
    pub(super) act: FindAction,
    pub(super) respond: FindAction,
    /// The order that the policy chooses as captain (W4.3).
    pub(super) order: fn(&SeatView) -> &'static str,
}
