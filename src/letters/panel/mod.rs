//! The declaration panel: a private form for the questions of any interview, in any game.
//!
//! A panel is drawn from a draft alone, and every control carries its action as a short text: the caller
//! stores only the draft between two presses. [`draw()`] makes the panel, [`take()`] handles a press,
//! [`modal()`] makes a form to type into and [`submit()`] reads it. The same inputs give the same outputs,
//! without any channel, clock or database. All texts come from templates.

mod action;
mod choices;
mod controls;
mod courses;
mod draw;
mod drawing;
mod focus;
mod menus;
mod modal;
mod payments;
mod reserves;
mod submit;
mod take;
mod text;

#[cfg(test)]
mod test_kit;
#[cfg(test)]
mod test_laws;
#[cfg(test)]
mod test_shown;

pub use action::{Blank, PanelAction, ParseActionError, ParseRevisionError, Revision};
pub use choices::InterviewOf;
pub use controls::shortened;
pub use controls::{Button, ControlRow, Field, Menu, MenuEntry, Modal, Panel, Style, limits};
pub use draw::draw;
pub use drawing::{PanelDrawing, PanelSubject};
pub use focus::View;
pub use modal::modal;
pub use submit::submit;
pub use take::{EditedDraft, OutdatedPanel, PressOutcome, take};
