//! The declaration panel: a private form for the questions of any interview, in any game.
//!
//! A panel is drawn from a draft alone, and every control carries its action as a short text: the caller
//! stores only the draft between two presses. [`draw()`] makes the panel, [`take()`] handles a press,
//! [`modal()`] makes a form to type into and [`submit()`] reads it. The same inputs give the same outputs,
//! without any channel, clock or database. All texts come from templates.

mod action;
mod choices;
mod draw;
mod menus;
mod modal;
mod take;
#[cfg(test)]
mod test_kit;
#[cfg(test)]
mod test_laws;
#[cfg(test)]
mod test_shown;
mod view;

use crate::panel::choices::SheetQuestion;

pub use crate::panel::action::{
    Blank, Button, ControlRow, Field, Menu, MenuEntry, Modal, Panel, PanelAction, ParseActionError,
    ParseRevisionError, Revision, Style, limits, shortened,
};
pub use crate::panel::draw::draw;
pub use crate::panel::modal::{modal, submit};
pub use crate::panel::take::{EditedDraft, OutdatedPanel, PressOutcome, take};
pub use crate::panel::view::{PanelDrawing, PanelSubject, View};
