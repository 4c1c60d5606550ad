//! `baseline`: makes the attack that does most harm by itself.

use super::super::actions::Occasion;
use super::super::deeds::Action;
use super::super::resolve::{Covers, Doing};
use super::plan::{harm, options};
use super::sight::{SeatView, Ways};

pub(super) static WAYS: Ways = Ways { act, respond: |_| None, order: |_| "first" };

fn act(sight: &mut SeatView) -> Option<Action> {
    let SeatView { seat, view } = sight;
    let options = options(view, *seat, Occasion::Step);
    let alone =
        |action: &Action| harm(view, &[Doing { seat: *seat, action: *action }], &Covers::new());
    options.into_iter().max_by_key(alone)
}
