//! The declaration panel: a private form that asks whatever an interview asks, in any game.
//!
//! It is drawn from a draft alone, and every control says what it does in a short text of its own:
//! whoever shows panels keeps the draft between two presses and nothing else. [`draw()`] makes the
//! panel, [`take()`] says what a press comes to, [`modal()`] makes a form to type into and
//! [`submit()`] reads it. The same inputs give the same outputs, and there is no channel, clock or
//! database here. Every word is a template's.

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
