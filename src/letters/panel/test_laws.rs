//! Laws for every panel of every game.

use kit::toy_game::TOY;
use smol_str::SmolStr;

use crate::Reader;
use crate::panel::test_kit::{Person, chance, position};
use crate::panel::{SheetQuestion, *};
use games::GAMES;
use games::any::RANDOM;
use rules::dice::Stream;
use rules::text::Lang;
use rules::{Answer, Asked, Declaration, Key, Question, Shape, Suppose, TextForm, Value, text};

/// The number of positions of each game.
const POSITIONS: u8 = 13;

fn below(chance: &mut Stream, length: usize) -> usize {
    chance.below(length.try_into().unwrap()) as usize
}

/// Visits every seat asked at some positions of every game, and of the engine's own.
fn everybody(mut meet: impl FnMut(u8, Person<'_>)) {
    for game in GAMES.iter().copied().chain([TOY]) {
        for number in 0..POSITIONS {
            let windows = u32::from(number);
            let contest = position(game, number, windows);
            for seat in contest.asked() {
                let lang = Lang::ALL[usize::from(number) % 2];
                meet(number, Person::new(game, &*contest, seat, lang));
            }
        }
    }
}

#[test]
fn whatever_is_pressed_the_next_panel_fits_and_offers_what_is_legal() {
    everybody(|number, mut person| {
        let mut chance = chance(number, "press");
        for _ in 0..12 {
            let panel = person.panel();
            assert_offers_are_legal(&person, &panel);
            let actions: Vec<PanelAction> = panel.actions().collect();
            let action = actions[below(&mut chance, actions.len())];
            if let Some(modal) = person.press(action) {
                let own = modal.fields[0].value.clone();
                let typed = ["", "なぞ x2 3B", "1", "-", "3A 4B\n5A", own.as_str(), "大×1 中1"];
                let typed = typed[below(&mut chance, typed.len())];
                person.fill(modal.blank, typed);
            }
            person.sealed = false;
        }
    });
}

/// Checks that no optional question takes the place of one that a die would decide, among those side by side.
#[test]
fn what_a_die_would_decide_is_there_before_what_can_be_gone_without() {
    everybody(|number, mut person| {
        let mut chance = chance(number, "side by side");
        for _ in 0..8 {
            let (found, sheet) = (person.found(), person.sheet());
            let courses = sheet.iter().flat_map(|at| &at.courses);
            let there: Vec<&Key> =
                courses.flat_map(|course| &course.answers).map(|(key, _)| key).collect();
            let is_by_die = |asked: &&Asked| {
                let Question { shape, suppose, .. } = &asked.question;
                let Shape::Choose { options, .. } = shape else { return false };
                let waits = asked.is_open() && asked.only_answer().is_none() && !asked.standing;
                waits && *suppose == Suppose::Die && options.len() < 20
            };
            let left = found.asked.iter().filter(is_by_die);
            let left = left.filter(|asked| !there.contains(&&asked.question.key)).count();
            let spare = |at: &&SheetQuestion| found.asked[at.at].question.can_pass();
            let spare = sheet.iter().filter(spare).filter(|at| at.courses.len() == 1).count();
            assert!(left == 0 || spare == 0 || sheet.len() < 2, "{number}: {left} are not there");
            let actions: Vec<PanelAction> = person.panel().actions().collect();
            person.press(actions[below(&mut chance, actions.len())]);
            person.sealed = false;
        }
    });
}

fn assert_offers_are_legal(person: &Person<'_>, panel: &Panel) {
    let before = person.found();
    if !(before.faults.is_empty() && before.remarks.is_empty()) {
        return;
    }
    for action in panel.actions() {
        let (PanelAction::Answer { question, .. } | PanelAction::Course { question, .. }) = action
        else {
            continue;
        };
        let key = &before.asked[usize::from(question)].question.key;
        let mut after = Person { draft: person.after(action), ..person.clone() };
        let found = after.found();
        // A question asked several times may have used up its options.
        let times = found.asked.iter().filter(|asked| asked.question.key == *key).count();
        if times > 1 {
            continue;
        }
        let faults = found.faults.iter().chain(&found.remarks);
        let of_it: Vec<_> = faults.filter(|fault| fault.key == *key).collect();
        assert!(of_it.is_empty(), "{of_it:?}");
        assert!(matches!(after.draft.remove(key), Some(Answer::Given(_))));
    }
}

#[test]
fn the_first_thing_offered_leads_to_a_complete_declaration_and_a_seal() {
    everybody(|number, mut person| {
        for presses in 0.. {
            assert!(presses < 80, "{number}: {:?}", person.found().faults);
            person.press_first();
            if person.sealed {
                break;
            }
        }
        let found = person.found();
        let waits = |asked: &&Asked| asked.is_open() && asked.only_answer().is_none();
        assert!(found.faults.is_empty() && found.remarks.is_empty());
        assert_eq!(found.asked.iter().find(waits), None);
    });
}

#[test]
fn what_can_be_said_in_text_can_be_pressed() {
    let mut count = 0;
    for game in GAMES.iter().copied().chain([TOY]) {
        for number in 0..POSITIONS {
            let contest = position(game, number, u32::from(number));
            for seat in contest.asked() {
                let chance = chance(number, "say");
                let mut wanted = contest.declare(seat, RANDOM, chance).unwrap();
                let mut person = Person::new(game, &*contest, seat, Lang::Ja);
                let asked = contest.interview(seat, &wanted).asked;
                if let [only] = &person.found().asked[..]
                    && only.only_answer().is_some()
                {
                    // A question with a single answer has no control to press.
                    wanted.remove(&only.question.key);
                }
                for asked in asked {
                    let key = asked.question.key;
                    // A pick of nothing leaves the question out.
                    if let Some(Answer::Given(Value::Picks(ids))) = wanted.get(&key)
                        && ids.is_empty()
                    {
                        wanted.remove(&key);
                    }
                    let Some(answer) = wanted.get(&key) else { continue };
                    say(&mut person, &key, answer);
                    count += 1;
                }
                assert_eq!(person.draft, wanted);
                assert_text_says_the_same(&person);
            }
        }
    }
    assert!(count > 300, "{count}");
}

/// Presses the controls that give this question this answer.
fn say(person: &mut Person<'_>, key: &Key, answer: &Answer) {
    let found = person.found();
    let is_it = |at: usize| found.asked[at].question.key == *key;
    if !person.shown().is_some_and(is_it) {
        let looks =
            |_: &Person<'_>, action| matches!(action, PanelAction::Look(at) if is_it(at.into()));
        let look = find(person, looks)
            .unwrap_or_else(|| panic!("{key} can be looked at: {:?}", found.asked));
        person.press(look);
    }
    let gives = |answer: Answer| {
        move |person: &Person<'_>, action| {
            matches!(action, PanelAction::Answer { .. } | PanelAction::LeaveOut(_))
                && person.after(action).get(key) == Some(&answer)
        }
    };
    if let Answer::Given(Value::Picks(ids)) = answer {
        for count in 1..=ids.len() {
            let some = Answer::Given(Value::Picks(ids[..count].to_vec()));
            let one_more = find(person, gives(some));
            let one_more = one_more.unwrap_or_else(|| panic!("{key} can be {answer:?}"));
            person.press(one_more);
        }
        return;
    }
    if let Some(action) = find(person, gives(answer.clone())) {
        person.press(action);
        return;
    }
    let write = person
        .panel()
        .actions()
        .find(|action| matches!(action, PanelAction::Write(Blank::Question(_))));
    let modal = person.press(write.expect("it can be written")).unwrap();
    let typed = match answer {
        Answer::Given(Value::Text(text)) => text.clone(),
        Answer::Given(Value::Payment(pieces)) => {
            let Reader { words, lang, .. } = person.reader;
            let piece = |(id, n): &(SmolStr, u8)| format!("{}×{n}", words.name(id, lang));
            pieces.iter().map(piece).collect::<Vec<_>>().join(" ")
        }
        answer => panic!("{answer:?} is not offered"),
    };
    person.fill(modal.blank, &typed);
    assert_eq!(person.draft.get(key), Some(answer), "{typed}");
}

/// Finds a control with this action, on any page of the menus.
fn find(
    person: &mut Person<'_>,
    does: impl Fn(&Person<'_>, PanelAction) -> bool,
) -> Option<PanelAction> {
    let mut seen = Vec::new();
    let mut pages = vec![person.clone()];
    while let Some(page) = pages.pop() {
        let actions: Vec<PanelAction> = page.panel().actions().collect();
        if let Some(found) = actions.iter().find(|action| does(&page, **action)) {
            *person = page;
            return Some(*found);
        }
        for action in actions {
            let turns = matches!(
                action,
                PanelAction::Turn { .. } | PanelAction::Leaf(_) | PanelAction::LeafBeside { .. }
            );
            if turns && !seen.contains(&action) {
                seen.push(action);
                let mut other = page.clone();
                other.press(action);
                pages.push(other);
            }
        }
    }
    None
}

/// Checks that a draft reads back from its text, in which a list that is left out has no mark.
fn assert_text_says_the_same(person: &Person<'_>) {
    let found = person.found();
    let text = text::write(&person.draft, &found, &person.words, Lang::Ja);
    let mut other = Person { draft: Declaration::default(), ..person.clone() };
    other.fill(Blank::Whole, &text);
    let mut expected = person.draft.clone();
    for Asked { question, .. } in &found.asked {
        let is_list = matches!(question.shape, Shape::Text { form: TextForm::List, .. });
        if is_list && expected.get(&question.key) == Some(&Answer::LeftOut) {
            expected.remove(&question.key);
        }
    }
    assert_eq!(other.draft, expected, "{}: {text}", person.reader.game.key());
}

/// Checks that any reserve picked reads back from its text, and can be removed.
#[test]
fn what_can_be_held_in_reserve_is_said_in_text_too() {
    let (mut held, mut parts) = (0, 0);
    everybody(|number, mut person| {
        let mut chance = chance(number, "reserve");
        let declared =
            person.contest.declare(person.seat, RANDOM, self::chance(number, "say")).unwrap();
        person.draft = declared.clone();
        // Adds up to four reserves at random.
        for _ in 0..4 {
            let fresh = Person { view: View::default(), ..person.clone() };
            if !fresh.panel().actions().any(|action| action == PanelAction::Reserves) {
                return;
            }
            person.press(PanelAction::Reserves);
            let offered: Vec<PanelAction> = person.panel().actions().collect();
            let holds = |action: &&PanelAction| matches!(action, PanelAction::Reserve { .. });
            let holds: Vec<&PanelAction> = offered.iter().filter(holds).collect();
            if holds.is_empty() {
                break;
            }
            let before = person.found();
            person.press(*holds[below(&mut chance, holds.len())]);
            let found = person.found();
            assert_eq!(found.superfluous, before.superfluous);
            assert_eq!(found.asked, before.asked, "what is said first counts");
            assert_text_says_the_same(&person);
            held += 1;
        }
        person.press(PanelAction::Reserves);
        let takes_back = |person: &Person<'_>| {
            let panel = person.panel();
            panel.actions().find(|action| matches!(action, PanelAction::NoReserve(_)))
        };
        while let Some(action) = takes_back(&person) {
            person.press(action);
            person.press(PanelAction::Reserves);
            parts += 1;
        }
        assert_eq!(person.draft, declared);
    });
    assert!(held > 60 && parts > 30, "{held} {parts}");
}

#[test]
fn a_press_on_what_is_not_there_has_moved() {
    everybody(|_, person| {
        let found = person.found();
        let none = u16::try_from(found.asked.len()).unwrap();
        let form = |draft: &Declaration| {
            let mut found = person.found();
            found.asked.retain(|_| draft.is_empty());
            found
        };
        let draft = Declaration::default();
        for action in [
            PanelAction::Look(none),
            PanelAction::Answer { question: none, option: 0 },
            PanelAction::Answer { question: 0, option: u16::MAX },
            PanelAction::Course { question: none, option: 0 },
            PanelAction::Course { question: 0, option: u16::MAX },
            PanelAction::Reserves,
            PanelAction::Reserve { question: 0, option: 0 },
            PanelAction::NoReserve(0),
            PanelAction::Same,
            PanelAction::LeaveOut(none),
            PanelAction::Undo(0),
            PanelAction::Write(Blank::Question(none)),
            PanelAction::LeafBeside { question: none, page: 0 },
        ] {
            assert_eq!(take(action, &form, &draft, None).err(), Some(OutdatedPanel), "{action}");
        }
        let typed = ["1".to_owned()];
        let blank = Blank::Question(none);
        assert!(submit(blank, &typed, &form, &draft, &person.words).is_err());
    });
}
