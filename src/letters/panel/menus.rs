//! Menus: the options of a question, and the list of questions, in pages.

use crate::panel::action::place_number;
use crate::panel::choices::{AnswerNote, Course, OfferedAnswer};
use crate::panel::view::{PanelDrawing, PanelSubject, is_faulty};
use crate::panel::{ControlRow, Menu, MenuEntry, PanelAction, SheetQuestion, limits, shortened};
use crate::{Caption, Result};
use rules::{Answer, Asked, Interview, Value};

/// The number of entries on one of several pages: two more turn the page.
const PAGE: usize = limits::ENTRIES - 2;

/// Returns the menu of a question's options.
pub(super) fn options(
    drawing: &PanelDrawing<'_>,
    asked: &Asked,
    question: u16,
    choices: &[OfferedAnswer],
) -> Result<Menu> {
    let page = MenuPage::of(choices.len(), drawing.view.page);
    let on_page = choices.iter().enumerate().filter(|(at, _)| page.holds(*at));
    let mut plans: Vec<EntryPlan<'_>> = Vec::new();
    let shown: Vec<&Value> = choices.iter().map(|choice| &choice.shown).collect();
    let cards = drawing.reader.about_cards(&shown);
    for (at, choice) in on_page {
        let about = choice.note.map(about).or(cards[at].map(Caption::About));
        let action = PanelAction::Answer { question, option: place_number(at) };
        let chosen = asked.answer.as_ref() == Some(&choice.answer);
        plans.push((action, Caption::Offer(&choice.shown), about, chosen));
    }
    plans.extend(page.turns(|page| PanelAction::Turn { question, page }));
    menu(drawing, Caption::Options(asked), &plans)
}

/// Returns the menu of a question shown side by side with others.
pub(super) fn courses(
    drawing: &PanelDrawing<'_>,
    found: &Interview,
    question: &SheetQuestion,
) -> Result<Menu> {
    let (asked, place) = (&found.asked[question.at], place_number(question.at));
    let draft = found.taking_up(drawing.draft, &asked.question.key.whole());
    let chosen = question.courses.iter().position(|course| course.is_said(&draft));
    let action = |option| PanelAction::Course { question: place, option };
    let mut plans = course_plans(drawing, question, chosen, action);
    let is_order = drawing.subject == PanelSubject::Orders;
    let placeholder = if is_order { Caption::Ordering(asked) } else { Caption::Beside(asked) };
    if !is_order || asked.question.can_pass() {
        let left_out = asked.answer == Some(Answer::LeftOut);
        plans.push((PanelAction::LeaveOut(place), Caption::LeaveOut(asked), None, left_out));
    }
    if is_order {
        plans.push((PanelAction::Back(place), Caption::NoOrder, None, asked.answer.is_none()));
    }
    menu(drawing, placeholder, &plans)
}

/// Returns the menu of reserves for the part of a question.
pub(super) fn in_reserve(
    drawing: &PanelDrawing<'_>,
    found: &Interview,
    question: &SheetQuestion,
) -> Result<Menu> {
    let (asked, place) = (&found.asked[question.at], place_number(question.at));
    let action = |option| PanelAction::Reserve { question: place, option };
    let mut plans = course_plans(drawing, question, None, action);
    if !drawing.draft.reserves(&asked.question.key.whole()).is_empty() {
        plans.push((PanelAction::NoReserve(place), Caption::NoReserve, None, false));
    }
    menu(drawing, Caption::InReserve(asked), &plans)
}

/// Returns the entries of a question's courses, each with its action; the course at position `chosen` is
/// chosen.
fn course_plans<'a>(
    drawing: &'a PanelDrawing<'_>,
    question: &'a SheetQuestion,
    chosen: Option<usize>,
    action: impl Fn(u16) -> PanelAction,
) -> Vec<EntryPlan<'a>> {
    // The description is the effect of the card, or else the meaning of the action.
    let last = question.courses.iter().filter_map(|course| course.shown.last());
    let cards = drawing.reader.about_cards(&last.collect::<Vec<_>>());
    let plan = |(option, course): (usize, &'a Course)| {
        let card = cards.get(option).copied().flatten().map(Caption::About);
        let action_of = course.shown.first().filter(|_| course.shown.len() > 1);
        let described = course.note.map(about).or(card).or(action_of.map(Caption::Meaning));
        let (action, label) = (action(place_number(option)), Caption::Course(&course.shown));
        (action, label, described, Some(option) == chosen)
    };
    question.courses.iter().enumerate().map(plan).collect()
}

fn about<'a>(note: AnswerNote) -> Caption<'a> {
    match note {
        AnswerNote::Over(over) => Caption::Over(over),
        AnswerNote::Left(left) => Caption::Left(left),
    }
}

/// Returns the menu of all questions; `None` if there is only one.
pub(super) fn questions<'a>(
    drawing: &PanelDrawing<'_>,
    found: &'a Interview,
    shown: Option<usize>,
) -> Result<Option<ControlRow>> {
    let count = found.asked.len();
    if count < 2 {
        return Ok(None);
    }
    let page = match drawing.view.leaf {
        Some(leaf) => MenuPage::of(count, leaf),
        None => MenuPage::with(count, shown.unwrap_or_default()),
    };
    let on_page = found.asked.iter().enumerate().filter(|(at, _)| page.holds(*at));
    let plan = |(at, asked): (usize, &'a Asked)| {
        let state = Caption::State(asked, is_faulty(found, &asked.question.key));
        let (action, caption) = (PanelAction::Look(place_number(at)), Caption::Question(asked));
        (action, caption, Some(state), Some(at) == shown)
    };
    let mut plans: Vec<EntryPlan<'_>> = on_page.map(plan).collect();
    let leaf = |page| match shown.map(place_number) {
        Some(question) => PanelAction::LeafBeside { question, page },
        None => PanelAction::Leaf(page),
    };
    plans.extend(page.turns(leaf));
    menu(drawing, Caption::Questions, &plans).map(ControlRow::Menu).map(Some)
}

/// An entry before its texts are written: its action, its label, its description, and true if it is chosen.
type EntryPlan<'a> = (PanelAction, Caption<'a>, Option<Caption<'a>>, bool);

fn menu(
    drawing: &PanelDrawing<'_>,
    placeholder: Caption<'_>,
    plans: &[EntryPlan<'_>],
) -> Result<Menu> {
    let labels = plans.iter().map(|(_, label, _, _)| *label);
    let abouts = plans.iter().filter_map(|(_, _, about, _)| *about);
    let captions: Vec<Caption<'_>> =
        [placeholder].into_iter().chain(labels).chain(abouts).collect();
    let mut texts = drawing.letters.captions(drawing.reader, &captions)?.into_iter();
    let placeholder = shortened(texts.next().unwrap_or_default(), limits::MENU);
    let mut texts = texts.map(|text| shortened(text, limits::ENTRY));
    let labels: Vec<String> = texts.by_ref().take(plans.len()).collect();
    let entry = |(&(action, _, about, chosen), label): (&EntryPlan<'_>, String)| {
        let description = about.and_then(|_| texts.next()).filter(|text| !text.is_empty());
        MenuEntry { action, label, description, chosen }
    };
    Ok(Menu { placeholder, entries: plans.iter().zip(labels).map(entry).collect() })
}

/// A page of a list: the whole list, if it fits into one menu.
struct MenuPage {
    number: usize,
    size: usize,
    count: usize,
}

impl MenuPage {
    /// Returns the page of this number, or the last page if there are fewer.
    fn of(count: usize, number: u16) -> Self {
        let size = if count <= limits::ENTRIES { limits::ENTRIES } else { PAGE };
        let last = count.saturating_sub(1) / size;
        Self { number: usize::from(number).min(last), size, count }
    }

    /// Returns the page with this position.
    fn with(count: usize, place: usize) -> Self {
        let first = Self::of(count, 0);
        Self { number: place / first.size, ..first }
    }

    fn holds(&self, at: usize) -> bool {
        at / self.size == self.number
    }

    /// Returns the entries that turn the page.
    fn turns<'a>(&self, turn: impl Fn(u16) -> PanelAction) -> Vec<EntryPlan<'a>> {
        let before = self.number.checked_sub(1).map(|before| (before, Caption::Earlier));
        let more = (self.number + 1) * self.size < self.count;
        let after = more.then_some((self.number + 1, Caption::Later));
        let plan = |(page, caption)| (turn(place_number(page)), caption, None, false);
        before.into_iter().chain(after).map(plan).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_one_page_or_leaves_room_to_turn() {
        let held = |page: &MenuPage| (0..page.count).filter(|at| page.holds(*at)).count();
        let turned =
            |page: &MenuPage| page.turns(|page| PanelAction::Turn { question: 0, page }).len();
        for (count, number, holds, turns) in [
            (25, 0, 25, 0),
            (25, 7, 25, 0),
            (26, 0, 23, 1),
            (26, 1, 3, 1),
            (60, 1, 23, 2),
            (60, 9, 14, 1),
        ] {
            let page = MenuPage::of(count, number);
            assert_eq!((held(&page), turned(&page)), (holds, turns), "{count} {number}");
            assert!(holds + turns <= limits::ENTRIES);
        }
        assert_eq!(MenuPage::with(60, 22).number, 0);
        assert_eq!(MenuPage::with(60, 23).number, 1);
        assert_eq!(MenuPage::with(25, 24).number, 0);
    }
}
