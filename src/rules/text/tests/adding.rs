//! Parts whose name adds one more to a draft.

use std::sync::LazyLock;

use crate::text::tests::form::Form;
use crate::text::{Lexicon, NamedPart, UnreadReason, Words, read_typed};
use crate::{Answer, BySeat, Declaration, Interview, Suppose};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let words = r#"
        adding = ["gear"]
        [piece.card]
        hood = { ja = ["頭巾"], en = ["Hood"] }
        shoes = { ja = ["靴"], en = ["Shoes"] }
        charm = { ja = ["お守り"], en = ["Charm"] }
        [piece.order]
        first = { ja = ["先攻"], en = ["first"] }
        second = { ja = ["後攻"], en = ["second"] }
        [section]
        gear = { ja = ["装備"], en = ["Gear", "Wear"] }
        order = { ja = ["順番"], en = ["Order"] }
        [question]
        "gear.card" = { ja = "カード", en = "card" }
        "order.take" = { ja = "順番", en = "order" }
        [pass]
        ja = ["なし"]
        en = ["none"]
        [reserve]
        ja = ["だめなら"]
        en = ["else"]
        [noise]
        ja = ["を"]
        en = ["the"]
    "#;
    Lexicon::parse("words.toml", words).unwrap()
});

static WORDS: LazyLock<Words<'_>> =
    LazyLock::new(|| Words::new(&LEXICON, &BySeat::new(2, |_| Vec::new())));

/// A form that sets cards of a hand, three at most, one Charm twice, and asks for an order.
fn form(said: &Declaration) -> Interview {
    let mut form = Form::new(said);
    let mut hand = vec!["hood", "shoes", "charm", "charm"];
    for number in 1..=3 {
        let key = if number == 1 { "gear.card".to_owned() } else { format!("gear#{number}.card") };
        let mut options = hand.clone();
        options.dedup();
        let Some(card) = form.choose(&key, &options) else { break };
        match hand.iter().position(|held| *held == card) {
            Some(place) => drop(hand.remove(place)),
            None => form.fault(&key),
        }
    }
    form.choose("order.take", &["first", "second"]);
    let mut found = form.done();
    for asked in &mut found.asked {
        asked.question.suppose = Suppose::Nothing;
    }
    found
}

/// Types lines one after the other, and returns the draft.
fn draft(lines: &[&str]) -> Declaration {
    lines.iter().fold(Declaration::default(), |draft, line| {
        read_typed(line, &draft, &form, &WORDS).declaration
    })
}

fn shown(draft: &Declaration) -> String {
    let answers = draft.iter().map(|(key, answer)| {
        let value = answer.value().map_or_else(|| "-".to_owned(), |value| format!("{value:?}"));
        format!("{key}={value}")
    });
    let shown = answers.collect::<Vec<_>>().join(" ");
    shown.replace("Choice(\"", "").replace("\")", "")
}

#[test]
fn the_name_of_the_part_adds_one_more() {
    let both = "gear.card=hood gear#2.card=shoes";
    for lines in [
        &["Gear Hood", "Gear Shoes"][..],
        &["gear hood, shoes"],
        &["Gear: Hood", "wear the Shoes"],
        &["装備 頭巾", "装備 靴"],
        &["Gear Hood", "Gear 2 Shoes"],
        &["Gear Hood", "Shoes"],
        &["Gear Charm", "Gear Shoes", "Gear 1 Hood"],
    ] {
        assert_eq!(shown(&draft(lines)), both, "{lines:?}");
    }
    let charms = draft(&["Gear Charm", "Gear 2 Charm"]);
    assert_eq!(shown(&charms), "gear.card=charm gear#2.card=charm");
}

#[test]
fn what_is_typed_again_stays_and_what_cannot_be_added_changes_nothing() {
    let both = "gear.card=hood gear#2.card=shoes";
    for line in ["Gear Hood, Shoes", "Gear Hood", "Gear Shoes", "Gear Hood Hood"] {
        assert_eq!(shown(&draft(&["Gear Hood, Shoes", line])), both, "{line}");
    }
    let changed = draft(&["Gear Hood, Shoes, Charm", "Order first", "Gear#1 Charm"]);
    let expected = "gear.card=charm gear#2.card=shoes gear#3.card=charm order.take=first";
    assert_eq!(shown(&changed), expected);
}

#[test]
fn one_more_than_there_may_be_does_not_replace_a_single_part() {
    let one = |said: &Declaration| {
        let mut form = Form::new(said);
        form.choose("gear.card", &["hood", "shoes"]);
        if form.choose("gear#2.card", &[]).is_some() {
            form.fault("gear#2.card");
        }
        form.done()
    };
    let hood = read_typed("Gear Hood", &Declaration::default(), &one, &WORDS).declaration;
    let reading = read_typed("Gear Shoes", &hood, &one, &WORDS);
    assert_eq!(reading.declaration, hood);
}

#[test]
fn a_part_that_is_left_out_is_no_part_of_the_list() {
    let mut before = draft(&["Gear Hood"]);
    before.set("gear#2.card".parse().unwrap(), Answer::LeftOut);
    let after = read_typed("Gear Charm", &before, &form, &WORDS).declaration;
    assert_eq!(shown(&after), "gear.card=hood gear#2.card=charm");
}

#[test]
fn the_next_part_begins_with_its_name_behind_a_whole_one() {
    let all = draft(&["装備 頭巾 装備 靴"]);
    assert_eq!(shown(&all), "gear.card=hood gear#2.card=shoes");
}

#[test]
fn of_two_answers_to_a_question_the_second_is_one_too_many() {
    let reading = read_typed("Order first first", &Declaration::default(), &form, &WORDS);
    assert_eq!(
        reading.misread.iter().map(|it| it.why).collect::<Vec<_>>(),
        [UnreadReason::OneOnly]
    );
}

#[test]
fn an_answer_that_nothing_asks_for_is_told() {
    let mut before = draft(&["Gear Hood"]);
    before.set("gear#2.card".parse().unwrap(), Answer::LeftOut);
    let reading = read_typed("Gear#3 Charm", &before, &form, &WORDS);
    assert_eq!(
        reading.misread.iter().map(|it| it.why).collect::<Vec<_>>(),
        [UnreadReason::NotAsked]
    );
    assert_eq!(reading.declaration, before);
}

#[test]
fn a_part_is_taken_back_with_its_reserves_and_the_others_keep_theirs() {
    let lines = ["Gear Hood, Shoes", "Gear Charm, else Hood", "Gear Hood, else Charm"];
    let all = draft(&lines);
    assert_eq!(all.reserves(&"gear".parse().unwrap()).len(), 1);
    for name in ["gear#1", "Hood"] {
        let left = NamedPart::read(name).taken_from(&all, &LEXICON);
        assert_eq!(shown(&firsts(&left)), "gear.card=shoes gear#2.card=charm", "{name}");
        assert_eq!(left.reserves(&"gear".parse().unwrap()), [], "{name}");
        let kept = left.reserves(&"gear#2".parse().unwrap());
        assert_eq!(kept.iter().map(shown).collect::<Vec<_>>(), ["gear#2.card=hood"], "{name}");
    }
}

/// Returns the answers that count first.
fn firsts(draft: &Declaration) -> Declaration {
    let mut firsts = draft.clone();
    firsts.retain(|key| *key != key.whole());
    firsts
}

#[test]
fn a_part_with_a_reserve_is_added_or_takes_the_place_of_its_own() {
    let shown_with = |lines: &[&str]| {
        let draft = draft(lines);
        let reserves = |part: &str| {
            let reserves = draft.reserves(&part.parse().unwrap()).iter().map(shown);
            reserves.collect::<Vec<_>>().join("; ")
        };
        [shown(&firsts(&draft)), reserves("gear#2"), reserves("gear#3")]
    };
    let added = shown_with(&["Gear Hood, Shoes", "Gear Charm, else Hood"]);
    let all = "gear.card=hood gear#2.card=shoes gear#3.card=charm";
    assert_eq!(added, [all, "", "gear#3.card=hood"]);
    let replaced = shown_with(&["Gear Hood, Shoes, Charm", "Gear Shoes, else Charm"]);
    assert_eq!(replaced, [all, "gear#2.card=charm", ""]);
}

#[test]
fn a_card_is_taken_back_by_its_name_and_the_rest_closes_up() {
    let all = draft(&["Gear Hood, Shoes, Charm", "Order first"]);
    let without = |name| shown(&NamedPart::read(name).taken_from(&all, &LEXICON));
    let rest = "gear.card=shoes gear#2.card=charm order.take=first";
    assert_eq!([without("Hood"), without("gear#1"), without("頭巾")], [rest; 3]);
    assert_eq!(without("Gear"), "order.take=first");
    assert_eq!(without("Sword"), shown(&all));
}
