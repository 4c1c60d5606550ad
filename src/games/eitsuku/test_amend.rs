//! The GM's moves in words: every section is offered, parsed in both languages, and completed.

use std::collections::BTreeSet;

use super::cards::{EventCard, Family, Role};
use super::state::{Eitsuku, Known, Options, State};
use crate::playable::GameFiles;
use rules::text::{Lang, Words, complete, read, write};
use rules::{Answer, BySeat, Contest, Declaration, Dice, Seat, Value, Viewer};

const P1: Seat = Seat::new(0);

/// P1 holds cards of all kinds, and has a lead, an award on it and a strike; P2's promoter lies in P1's
/// composer slot.
fn position() -> Contest<Eitsuku> {
    let state = State::bare(&Options::default(), 3);
    let mut contest = Contest::at(state, Dice::new([0; 32], "amend"));
    for text in [
        "手札 P1 小×2 役者5 ストライキ",
        "配置 P1 主演 役者3",
        "介入 P2 P1 音楽家 6",
        "設置 P1 役者大賞 主演",
        "設置 P1 役者大賞 助演",
        "設置 P1 ストライキ",
    ] {
        carry_out(&mut contest, text);
    }
    contest
}

fn read_in(contest: &Contest<Eitsuku>, text: &str) -> Declaration {
    let form = |said: &Declaration| contest.rehearse(said, Viewer::All);
    let reading = read(text, &Declaration::default(), &form, &words());
    assert_eq!((reading.misread, reading.moot), (vec![], vec![]), "{text}");
    reading.declaration
}

fn carry_out(contest: &mut Contest<Eitsuku>, text: &str) {
    let said = read_in(contest, text);
    contest.amend(&said).unwrap();
}

fn words() -> Words<'static> {
    Words::new(Eitsuku::lexicon(), &BySeat::new(3, |_| Vec::new()))
}

fn summary(said: &Declaration) -> String {
    let value = |answer: &Answer| match answer {
        Answer::Given(Value::Choice(id)) => id.to_string(),
        Answer::Given(Value::Picks(ids)) => ids.join(","),
        Answer::Given(Value::Number(number)) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let said: Vec<String> =
        said.iter().map(|(key, answer)| format!("{key}={}", value(answer))).collect();
    said.join(" ")
}

const MOVES: [(&str, &str, &str); 19] = [
    ("手札: P2 大×1 役者5", "Give: P2 Large×1 Actor 5", "give.cards=large,actor-5 give.who=P2"),
    (
        "没収 P1 小×2 役者5",
        "Take: P1 Small×2 Actor 5",
        "take.cards=small,small,actor-5 take.who=P1",
    ),
    (
        "譲渡 P1 P2 小×1 ストライキ",
        "Transfer P1 P2 Small×1 Strike",
        "transfer.cards=small,strike transfer.to=P2 transfer.who=P1",
    ),
    (
        "配置 P2 主演 役者3",
        "Place: P2 Lead Actor 3",
        "place.role=actor-3 place.slot=lead place.who=P2",
    ),
    ("設置 P2 ストライキ", "Lay: P2 Strike", "lay.event=strike lay.who=P2"),
    (
        "介入 P2 P3 主演 6",
        "Promote: P2 P3 Lead 6",
        "promote.number=6 promote.owner=P3 promote.slot=lead promote.who=P2",
    ),
    (
        "移動 P1 主演 P2 助演",
        "Move: P1 Lead P2 Support",
        "move.card=lead move.slot=support move.to=P2 move.who=P1",
    ),
    (
        "移動 P1 主演 P1 助演",
        "Move: P1 Lead P1 Support",
        "move.card=lead move.slot=support move.to=P1 move.who=P1",
    ),
    (
        "移動 P1 音楽家 P3 演出家",
        "Move: P1 Composer P3 Director",
        "move.card=composer move.slot=director move.to=P3 move.who=P1",
    ),
    ("移動 P1 ストライキ P3", "Move: P1 Strike P3", "move.card=strike move.to=P3 move.who=P1"),
    (
        "移動 P1 役者大賞 主演 P2 助演",
        "Move: P1 Actor Award Lead P2 Support",
        "move.card=actor-award move.from=lead move.slot=support move.to=P2 move.who=P1",
    ),
    ("撤去 P1 主演", "Lift: P1 Lead", "lift.card=lead lift.who=P1"),
    (
        "撤去 P1 役者大賞 助演",
        "Lift: P1 Actor Award Support",
        "lift.card=actor-award lift.from=support lift.who=P1",
    ),
    ("山札 役者2 ストライキ", "Stack: Actor 2 Strike", "stack.cards=actor-2,strike"),
    ("空 イベント", "Empty: Event", "empty.deck=event"),
    ("公開 P1 2", "Release: P1 2", "release.turn=2 release.who=P1"),
    ("加点 P2 5点", "Bonus: P2 5", "bonus.points=5 bonus.who=P2"),
    ("減点 P2 5", "Penalty: P2 5", "penalty.points=5 penalty.who=P2"),
    ("ターン 4", "Turn: 4", "set-turn.turn=4"),
];

#[test]
fn every_move_is_read_and_written_in_both_languages() {
    let contest = position();
    let words = words();
    let form = |said: &Declaration| contest.rehearse(said, Viewer::All);
    for (ja, en, expected) in MOVES {
        for (text, lang) in [(ja, Lang::Ja), (en, Lang::En)] {
            let said = read_in(&contest, text);
            assert_eq!(summary(&said), expected, "{text}");
            contest.clone().amend(&said).unwrap();
            let written = write(&said, &form(&said), &words, lang);
            let again = read(&written, &Declaration::default(), &form, &words);
            assert_eq!(again.declaration, said, "{written}");
        }
    }
}

#[test]
fn every_section_is_offered_and_every_question_has_its_label() {
    let contest = position();
    let words = words();
    let form = |said: &Declaration| contest.rehearse(said, Viewer::All);
    let mut sections = BTreeSet::new();
    for asked in contest.rehearse(&Declaration::default(), Viewer::All).asked {
        sections.insert(asked.question.key.section.clone());
    }
    for (_, text, _) in MOVES {
        for asked in contest.rehearse(&read_in(&contest, text), Viewer::All).asked {
            let key = asked.question.key;
            // A question without a label would be labelled by its name.
            assert_ne!(words.lexicon().label(&key, Lang::Ja), key.name, "{key}");
        }
        let section = read_in(&contest, text).iter().next().unwrap().0.section.clone();
        assert!(sections.contains(&section), "{text}");
    }
    for lang in Lang::ALL {
        let offered = complete("", &Declaration::default(), &form, &words, lang);
        assert_eq!(offered.len(), sections.len(), "{offered:?}");
        let said: BTreeSet<_> = MOVES
            .iter()
            .map(|(ja, en, _)| if lang == Lang::Ja { ja } else { en })
            .map(|text| text.split([' ', ':']).next().unwrap().to_owned() + ":")
            .collect();
        assert_eq!(offered.into_iter().map(|offered| offered.text).collect::<BTreeSet<_>>(), said);
    }
}

/// A GM who does not see the hands and decks is asked the same questions, whatever the cards.
#[test]
fn no_move_is_offered_with_a_card_that_its_game_master_does_not_see() {
    let dealt = |text: &str| {
        let mut contest = Contest::at(State::bare(&Options::default(), 3), Dice::new([0; 32], "a"));
        carry_out(&mut contest, text);
        contest
    };
    let hands = ["手札 P1 小×2 役者5 ストライキ", "手札 P1 小×2 役者2 方針転換"];
    let positions: Vec<_> = hands.into_iter().map(dealt).collect();
    let all = |said: &Declaration, viewer| {
        let asked = positions.iter().map(|contest| contest.rehearse(said, viewer));
        asked.map(|interview| format!("{:?}", interview.asked)).collect::<Vec<_>>()
    };
    let mut differ = 0;
    for (text, ..) in MOVES {
        let said = read_in(&position(), text);
        // The draft grows answer by answer: nothing, then the seat, then the slot.
        for length in 0..said.iter().count() {
            let mut draft = Declaration::default();
            said.iter()
                .take(length)
                .for_each(|(key, answer)| draft.set(key.clone(), answer.clone()));
            let blind = all(&draft, Viewer::Public);
            assert_eq!(blind[0], blind[1], "{text}: {}", summary(&draft));
            let open = all(&draft, Viewer::All);
            differ += usize::from(open[0] != open[1]);
        }
    }
    assert!(differ > 0);
}

/// The completions of a text, each with the typed start.
fn completed(text: &str, lang: Lang) -> Vec<String> {
    let contest = position();
    let form = |said: &Declaration| contest.rehearse(said, Viewer::All);
    let completions = complete(text, &Declaration::default(), &form, &words(), lang);
    completions
        .into_iter()
        .map(|completion| format!("{}{}", &text[..completion.start], completion.text))
        .collect()
}

#[test]
fn a_move_is_completed_with_what_is_legal() {
    let begins = |text, lang, expected: &[&str]| {
        let completed = completed(text, lang);
        assert_eq!(completed[..expected.len().min(completed.len())], *expected, "{text}");
    };
    begins("没", Lang::Ja, &["没収:"]);
    begins("give: P", Lang::En, &["give: P1", "give: P2", "give: P3"]);
    begins("没収: P1 ", Lang::Ja, &["没収: P1 小", "没収: P1 役者5", "没収: P1 ストライキ"]);
    begins("Transfer: P1 ", Lang::En, &["Transfer: P1 P2", "Transfer: P1 P3"]);
    begins("移動: P1 主演 P2 ", Lang::Ja, &["移動: P1 主演 P2 主演", "移動: P1 主演 P2 助演"]);
    begins("移動: P1 主演 P1 ", Lang::Ja, &["移動: P1 主演 P1 助演"]);
    begins(
        "Lift: P1 ",
        Lang::En,
        &["Lift: P1 Lead", "Lift: P1 Composer", "Lift: P1 Actor Award", "Lift: P1 Strike"],
    );
}

#[test]
fn what_lay_in_a_slot_goes_back_on_top_where_it_is_known() {
    let mut contest = position();
    for text in ["配置 P1 主演 役者6", "配置 P1 音楽家 音楽家1", "没収 P1 ストライキ"]
    {
        carry_out(&mut contest, text);
    }
    let state = contest.state();
    let replaced = Role { family: Family::Actor, number: 3 };
    assert_eq!(state.roles[Family::Actor.index()].last(), Some(&Some(replaced)));
    assert_eq!(state.events[55..], [EventCard::Promoter, EventCard::Strike].map(Some)[..]);
    assert_eq!((state.known.roles, state.known.events), ([1, 0, 0, 0], 2));
    assert_eq!(state.seen_by(Viewer::Seat(P1)).known, Known::default());
}
