//! Snapshots of panels in both languages.

use crate::UnreadPiece;
use crate::panel::test_kit::{Person, chance, position, shown};
use crate::panel::*;
use games::GAMES;
use games::any::{AnyContest, RANDOM};
use rules::text::Lang;
use rules::{Answer, Asked, Declaration, Key, Seat, Shape, Value};

/// Calls a function with a new person in each language.
fn each(contest: &dyn AnyContest, seat: Seat, mut look: impl FnMut(Lang, Person<'_>)) {
    for lang in Lang::ALL {
        look(lang, Person::new(GAMES[0], contest, seat, lang));
    }
}

fn assert_shown(name: &str, lang: Lang, person: &Person<'_>) {
    insta::assert_snapshot!(format!("{name}_{lang}"), shown(&person.panel()));
}

/// Returns the first window of the deal, and one within the game.
fn deal() -> Box<dyn AnyContest> {
    let contest = position(GAMES[0], 1, 0);
    assert!(contest.is_suspended());
    contest
}

fn turn() -> Box<dyn AnyContest> {
    let contest = position(GAMES[0], 1, 4);
    assert!(!contest.is_suspended());
    contest
}

#[test]
fn panels_of_the_deal_and_of_a_turn() {
    let (deal, turn) = (deal(), turn());
    each(&*deal, deal.asked()[0], |lang, person| assert_shown("deal", lang, &person));
    each(&*turn, turn.asked()[0], |lang, mut person| {
        assert_shown("turn", lang, &person);
        person.press(PanelAction::Seal);
        assert_shown("turn_sealed_empty", lang, &person);
        person.press(PanelAction::Fresh);
        person.press(PanelAction::Leaf(0));
        assert_shown("turn_list", lang, &person);
        person.press(PanelAction::Fresh);
        while !seals_next(&person) {
            person.press_first();
        }
        assert_shown("turn_complete", lang, &person);
        let modal = person.modal(Blank::Whole);
        let field = &modal.fields[0];
        let lines = [&modal.title, &field.label, &field.placeholder, &field.value];
        insta::assert_snapshot!(format!("whole_{lang}"), lines.map(String::as_str).join("\n"));
    });
}

#[test]
fn who_declares_nothing_is_told_of_the_skip_where_there_is_one() {
    let (deal, turn) = (deal(), turn());
    assert_eq!(deal.interview(deal.asked()[0], &Declaration::default()).missing, None);
    each(&*turn, turn.asked()[0], |_, mut person| {
        assert!(person.panel().text.contains("E4.1"));
        person.press(PanelAction::LeaveOut(0));
        assert!(!person.draft.is_empty());
        assert!(!person.panel().text.contains("E4.1"));
    });
}

/// True if the seal is the recommended next step.
fn seals_next(person: &Person<'_>) -> bool {
    let seals = |button: &Button| button.action == PanelAction::Seal && button.style == Style::Main;
    let seals = |row: &ControlRow| matches!(row, ControlRow::Buttons(all) if all.iter().any(seals));
    person.panel().rows.iter().any(seals)
}

/// Calls a function with the first position with a payment that can be made in several ways.
fn payment(mut look: impl FnMut(Lang, Person<'_>)) {
    for number in 0..50 {
        let contest = position(GAMES[0], number, 3);
        for seat in contest.asked() {
            let mut draft = contest.declare(seat, RANDOM, chance(number, "pay")).unwrap();
            let found = contest.interview(seat, &draft);
            let several = |asked: &&Asked| {
                let pays = matches!(asked.question.shape, Shape::Pay { cost: Some(3..), .. });
                pays && super::choices::choices(asked).len() > 3
            };
            let Some(asked) = found.asked.iter().find(several) else { continue };
            draft.remove(&asked.question.key);
            let view = View::at(&asked.question.key);
            each(&*contest, seat, |lang, person| {
                look(lang, Person { draft: draft.clone(), view: view.clone(), ..person });
            });
            return;
        }
    }
    panic!("nobody had anything to pay");
}

#[test]
fn panels_of_a_payment_and_of_a_fault() {
    payment(|lang, mut person| {
        assert_shown("payment", lang, &person);
        let key = person.view.question.clone().unwrap();
        let at = person.found().asked.iter().position(|asked| asked.question.key == key);
        let blank = Blank::Question(at.unwrap().try_into().unwrap());
        person.fill(blank, "小×1");
        assert!(!person.found().faults.is_empty());
        assert_shown("fault", lang, &person);
        person.press(PanelAction::Seal);
        assert_shown("fault_sealed", lang, &person);
    });
}

#[test]
fn a_fault_is_shown_before_what_waits() {
    let turn = turn();
    each(&*turn, turn.asked()[0], |_, mut person| {
        let key = Key::new("5", "end");
        person.draft.set(key.clone(), Answer::Given(Value::Choice("5B".into())));
        let found = person.found();
        assert_eq!(found.faults.len(), 1);
        let shown = person.shown().unwrap();
        assert_eq!(found.asked[shown].question.key, key);
        assert!(found.asked[..shown].iter().any(rules::Asked::waits));
    });
}

/// Returns the panel of a person who typed this many unknown words of this length, and the heading above
/// them.
fn misread(person: &mut Person<'_>, count: usize, long: usize) -> (String, String) {
    let unread = |number| UnreadPiece {
        text: format!("{number} {}", "長".repeat(long)),
        section: None,
        why: "unknown",
        nearest: Vec::new(),
        faults: Vec::new(),
    };
    person.unread = vec![unread(0)];
    let few = person.panel().text;
    let heading = few.lines().take_while(|line| !line.contains('長')).last().unwrap().to_owned();
    person.unread = (0..count).map(unread).collect();
    (person.panel().text, heading)
}

#[test]
fn a_text_that_is_too_long_keeps_its_headings_and_the_question() {
    let turn = turn();
    each(&*turn, turn.asked()[0], |_, mut person| {
        let whole = person.panel().text;
        for (count, long) in [(1, 3990), (60, 90), (900, 3)] {
            let (text, heading) = misread(&mut person, count, long);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.contains(&heading.as_str()), "{text}");
            // Only the pieces that could not be parsed lose lines, and never the first.
            assert!(whole.lines().all(|line| lines.contains(&line)), "{text}");
            let pieces: Vec<&&str> = lines.iter().filter(|line| line.contains('長')).collect();
            assert!(pieces[0].contains("0 長長長"));
            assert!(text.encode_utf16().count() > limits::TEXT - 200 || pieces.len() == count);
            let left_out = (count - pieces.len()).to_string();
            let is_counted =
                lines.iter().any(|line| !line.contains('長') && line.contains(&left_out));
            assert!(pieces.len() == count || is_counted, "{text}");
        }
    });
}

#[test]
fn a_removed_answer_takes_its_followers_along_but_not_own_words() {
    let turn = turn();
    each(&*turn, turn.asked()[0], |_, mut person| {
        let words = Answer::Given(Value::Text("さあ".into()));
        let roleplay = Key::new("5", "roleplay");
        person.draft.set(Key::new("5", "end"), Answer::Given(Value::Choice("5A".into())));
        person.draft.set(roleplay.clone(), words.clone());
        let at = person.found().asked.iter().position(|asked| asked.question.key.name == "end");
        person.press(PanelAction::LeaveOut(at.unwrap().try_into().unwrap()));
        assert_eq!(person.draft.get(&roleplay), Some(&words));
        person.press(PanelAction::Clear);
        assert_eq!(person.draft, Declaration::default());
    });
}

#[test]
fn the_whole_text_replaces_the_draft_unless_nothing_of_it_can_be_read() {
    let turn = turn();
    each(&*turn, turn.asked()[0], |_, mut person| {
        person.fill(Blank::Whole, "3A\n5A");
        let before = person.draft.clone();
        assert_eq!(before.iter().count(), 2);
        person.fill(Blank::Whole, "なぞなぞ");
        assert_eq!((&person.draft, person.unread.len()), (&before, 1));
        assert!(person.panel().text.contains("なぞなぞ"));
        person.fill(Blank::Whole, "4A 役者 なぞ");
        assert_eq!((&person.draft, person.unread.len()), (&before, 1));
        person.fill(Blank::Whole, "4A 役者\n3A なぞ");
        let keys: Vec<String> = person.draft.iter().map(|(key, _)| key.to_string()).collect();
        assert_eq!(
            (keys.as_slice(), person.unread.len()),
            (&["4.family", "4.scout"].map(str::to_owned)[..], 1)
        );
        // The pieces that could not be parsed are shown once.
        person.press(PanelAction::Fresh);
        assert!(!person.panel().text.contains("なぞ"));
    });
}

#[test]
fn back_takes_back_the_answer_before_and_asks_it_again() {
    let turn = turn();
    each(&*turn, turn.asked()[0], |_, mut person| {
        let asked: Vec<Key> =
            person.found().asked.into_iter().map(|asked| asked.question.key).take(2).collect();
        person.press(PanelAction::LeaveOut(0));
        assert_eq!(person.view, View::default());
        person.press(PanelAction::Look(1));
        person.press(PanelAction::Back(0));
        assert_eq!(person.view.question.as_ref(), Some(&asked[0]));
        assert!(person.draft.is_empty());
        // The panel goes on to the next question that waits.
        person.press(PanelAction::Next(0));
        assert!(person.view.question.is_some() && person.view.question.as_ref() != Some(&asked[0]));
    });
}

#[test]
fn one_pick_says_an_action_and_what_it_is_about() {
    let turn = turn();
    each(&*turn, turn.asked()[0], |_, mut person| {
        let family = Key::new("4", "family");
        let says = |person: &Person<'_>, action: &PanelAction| {
            matches!(action, PanelAction::Course { .. })
                && person.after(*action).get(&family).is_some()
        };
        let pick = person.panel().actions().find(|action| says(&person, action)).unwrap();
        person.press(pick);
        let scout = person.draft.get(&Key::new("4", "scout"));
        assert_eq!(scout, Some(&Answer::Given(Value::Choice("4A".into()))));
        // The follow-up question is not asked separately, and another action removes its answer.
        let at = person.found().asked.iter().position(|asked| asked.question.key == family);
        let picks = |action| matches!(action, PanelAction::Course { question, .. } if Some(usize::from(question)) == at);
        assert!(!person.panel().actions().any(picks));
        let other = person.panel().actions().find(|action| {
            matches!(action, PanelAction::Course { .. })
                && person.after(*action).get(&family).is_none()
                && person.after(*action).get(&Key::new("4", "scout")).is_some()
        });
        person.press(other.unwrap());
        assert_eq!(person.draft.get(&family), None);
    });
}

#[test]
fn what_was_said_the_last_time_is_said_again_as_far_as_it_can_stand() {
    let turn = turn();
    each(&*turn, turn.asked()[0], |_, mut person| {
        let mut before = Declaration::default();
        for (key, choice) in [("3.set", "3A"), ("4.scout", "4A"), ("4.family", "actor")] {
            before.set(key.parse().unwrap(), Answer::Given(Value::Choice(choice.into())));
        }
        let mut more = before.clone();
        more.set(Key::new("5", "end"), Answer::Given(Value::Choice("5B".into())));
        more.set(Key::new("5", "roleplay"), Answer::Given(Value::Text("さあ".into())));
        more.set(Key::new("network", "kind"), Answer::Given(Value::Choice("roles".into())));
        let offers = |person: &Person<'_>| {
            person.panel().actions().any(|action| action == PanelAction::Same)
        };
        assert!(!offers(&person));
        person.before = Some(more);
        assert!(offers(&person));
        person.press(PanelAction::Same);
        assert_eq!(person.draft, before);
        assert!(!offers(&person));
    });
}
