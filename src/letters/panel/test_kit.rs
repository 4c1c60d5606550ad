//! Test persons who press the controls of a panel.

use std::sync::LazyLock;

use serde_json::Value as Json;

use crate::panel::action::length;
use crate::panel::{SheetQuestion, *};
use crate::{Letters, Reader, UnreadPiece};
use games::any::{AnyContest, AnyGame, RANDOM};
use rules::dice::Stream;
use rules::text::{Lang, Words};
use rules::{BySeat, Declaration, Dice, Forms, Interview, Key, Label, Seat};

pub(super) static LETTERS: LazyLock<Letters> = LazyLock::new(|| {
    let folder = kit::toy_game::letters_folder();
    Letters::with_folder_for(folder.path(), &[kit::toy_game::TOY, kit::toy_game::HIDDEN]).unwrap()
});

/// Returns a game after this many windows of random play, with the next window open.
pub(super) fn position(game: &dyn AnyGame, number: u8, windows: u32) -> Box<dyn AnyContest> {
    let dice = || Dice::new([number; 32], "panel");
    let counts = game.seat_counts();
    let seats = counts[usize::from(number % 3).min(counts.len() - 1)];
    let (mut contest, _) = game.open(&Json::Null, seats, dice()).unwrap();
    let chance = dice().of_window(0, 9);
    for window in 0..windows {
        if contest.standing().is_some() {
            return position(game, number, window - 1);
        }
        let asked = contest.asked();
        let declared = BySeat::new(seats, |seat| {
            let label = Label::of(seat, Key::part("policy").nth(u8::try_from(window).unwrap()));
            let declare = || contest.declare(seat, RANDOM, chance.stream(&label)).unwrap();
            asked.contains(&seat).then(declare)
        });
        contest.close(declared).unwrap();
    }
    contest
}

pub(super) fn chance(number: u8, what: &'static str) -> Stream {
    Dice::new([number; 32], "panel").of_window(0, 7).stream(&Label::table(Key::part(what)))
}

/// One person before a panel.
#[derive(Clone)]
pub(super) struct Person<'c> {
    pub(super) contest: &'c dyn AnyContest,
    pub(super) seat: Seat,
    pub(super) reader: Reader,
    pub(super) words: Words<'static>,
    pub(super) draft: Declaration,
    /// The last declaration.
    pub(super) before: Option<Declaration>,
    pub(super) view: View,
    pub(super) unread: Vec<UnreadPiece>,
    pub(super) sealed: bool,
}

impl<'c> Person<'c> {
    pub(super) fn new(
        game: &'static dyn AnyGame,
        contest: &'c dyn AnyContest,
        seat: Seat,
        lang: Lang,
    ) -> Self {
        let names = BySeat::new(contest.seats(), |_| Vec::new());
        Self {
            contest,
            seat,
            reader: Reader::new(game, lang),
            words: Words::new(game.lexicon(), &names),
            draft: Declaration::default(),
            before: None,
            view: View::default(),
            unread: Vec::new(),
            sealed: false,
        }
    }

    pub(super) fn found(&self) -> Interview {
        self.contest.interview(self.seat, &self.draft)
    }

    fn form(&self) -> impl Fn(&Declaration) -> Interview + use<'c> {
        let (contest, seat) = (self.contest, self.seat);
        move |draft| contest.interview(seat, draft)
    }

    /// Returns the position of the question shown; `None` if the panel shows several or none.
    pub(super) fn shown(&self) -> Option<usize> {
        self.view.face(&self.found(), self.sheet()).question()
    }

    /// Returns the questions side by side.
    pub(super) fn sheet(&self) -> Vec<SheetQuestion> {
        crate::panel::choices::sheet(&self.form(), &self.draft, &self.found())
    }

    pub(super) fn panel(&self) -> Panel {
        let form = self.form();
        let panel = draw(&self.drawing(&form)).unwrap();
        assert_fits(&panel);
        panel
    }

    fn drawing<'a>(&'a self, form: Forms<'a>) -> PanelDrawing<'a> {
        let Self { reader, draft, view, unread, .. } = self;
        let (letters, before) = (&*LETTERS, self.before.as_ref());
        PanelDrawing {
            letters,
            reader,
            form,
            draft,
            before,
            view,
            unread,
            subject: PanelSubject::Declaration,
        }
    }

    pub(super) fn modal(&self, blank: Blank) -> Modal {
        let form = self.form();
        let modal = modal(&self.drawing(&form), &self.words, blank).unwrap();
        assert_modal_fits(&modal);
        modal
    }

    /// Presses a control, and returns the modal if one opens.
    pub(super) fn press(&mut self, action: PanelAction) -> Option<Modal> {
        match take(action, &self.form(), &self.draft, self.before.as_ref()).unwrap() {
            PressOutcome::Kept(edited) => self.keep(edited),
            PressOutcome::SaysAgain(again) => self.keep(EditedDraft::of(again.draft)),
            PressOutcome::Opens(blank) => return Some(self.modal(blank)),
            PressOutcome::Seals(_) => self.sealed = true,
        }
        None
    }

    pub(super) fn fill(&mut self, blank: Blank, typed: &str) {
        let typed = [typed.to_owned()];
        let edited = submit(blank, &typed, &self.form(), &self.draft, &self.words).unwrap();
        self.keep(edited);
    }

    fn keep(&mut self, edited: EditedDraft) {
        (self.draft, self.view, self.unread) = (edited.draft, edited.view, edited.unread);
    }

    /// Returns the draft after a press.
    pub(super) fn after(&self, action: PanelAction) -> Declaration {
        match take(action, &self.form(), &self.draft, self.before.as_ref()).unwrap() {
            PressOutcome::Kept(edited) => edited.draft,
            PressOutcome::SaysAgain(again) => again.draft,
            PressOutcome::Opens(_) | PressOutcome::Seals(_) => self.draft.clone(),
        }
    }

    /// Presses the first control that needs no typing, in menus only if no entry is picked.
    pub(super) fn press_first(&mut self) {
        let types = |action: &PanelAction| matches!(action, PanelAction::Write(_));
        let panel = self.panel();
        let is_picked = |row: &&ControlRow| matches!(row, ControlRow::Menu(menu) if menu.entries.iter().any(|entry| entry.chosen));
        let rows = panel.rows.iter().filter(|row| !is_picked(row));
        let first = rows.flat_map(ControlRow::actions).find(|action| !types(action)).unwrap();
        self.press(first);
    }
}

fn within(text: &str, most: usize) {
    assert!((1..=most).contains(&length(text)), "{}: {text}", length(text));
    assert!(!text.trim().is_empty());
}

fn assert_fits(panel: &Panel) {
    within(&panel.text, limits::TEXT);
    assert!((1..=limits::ROWS).contains(&panel.rows.len()));
    for row in &panel.rows {
        match row {
            ControlRow::Buttons(buttons) => {
                assert!((1..=limits::BUTTONS).contains(&buttons.len()));
                for button in buttons {
                    within(&button.label, limits::BUTTON);
                }
            }
            ControlRow::Menu(menu) => {
                within(&menu.placeholder, limits::MENU);
                assert!((1..=limits::ENTRIES).contains(&menu.entries.len()));
                assert!(menu.entries.iter().filter(|entry| entry.chosen).count() <= 1);
                for entry in &menu.entries {
                    within(&entry.label, limits::ENTRY);
                    let description = entry.description.as_ref();
                    description.inspect(|text| within(text, limits::ENTRY));
                }
            }
        }
    }
    let mut actions: Vec<String> = panel.actions().map(|action| action.to_string()).collect();
    for (action, text) in panel.actions().zip(&actions) {
        assert!(text.len() <= 40 && text.is_ascii(), "{text}");
        assert_eq!(text.parse(), Ok(action));
    }
    let count = actions.len();
    actions.sort();
    actions.dedup();
    assert_eq!(actions.len(), count, "one control is there twice");
}

fn assert_modal_fits(modal: &Modal) {
    within(&modal.title, limits::TITLE);
    assert!((1..=limits::FIELDS).contains(&modal.fields.len()));
    for field in &modal.fields {
        within(&field.label, limits::TITLE);
        within(&field.placeholder, limits::ENTRY);
        assert!(field.min <= field.max && (1..=limits::FIELD).contains(&field.max));
        assert!(length(&field.value) <= field.max);
    }
}

/// Returns a panel as text: the label and the action of each control.
pub(super) fn shown(panel: &Panel) -> String {
    let mut lines = vec![panel.text.clone()];
    for row in &panel.rows {
        match row {
            ControlRow::Buttons(buttons) => {
                let button = |b: &Button| format!("[{}]{} {:?}", b.label, b.action, b.style);
                lines.push(format!(
                    "\n{}",
                    buttons.iter().map(button).collect::<Vec<_>>().join("  ")
                ));
            }
            ControlRow::Menu(menu) => {
                lines.push(format!("\n<{}>", menu.placeholder));
                for entry in &menu.entries {
                    let mark = if entry.chosen { "*" } else { "-" };
                    let about = entry.description.as_deref().unwrap_or_default();
                    lines.push(format!("{mark} {} | {about} | {}", entry.label, entry.action));
                }
            }
        }
    }
    lines.join("\n")
}
