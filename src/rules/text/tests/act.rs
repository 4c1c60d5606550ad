//! Acts in few words.

use std::sync::LazyLock;

use crate::text::tests::form::Form;
use crate::text::tests::read::summary;
use crate::text::{Lang, Lexicon, Words, acts, read_act};
use crate::{BySeat, Declaration, Interview};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let words = r#"
        [piece.deed]
        take = { ja = ["取る"], en = ["take"] }
        drop = { ja = ["置く"], en = ["drop"] }
        ask = { ja = ["頼む"], en = ["ask"] }
        [piece.fruit]
        apple = { ja = ["りんご"], en = ["apple"] }
        pear = { ja = ["梨"], en = ["pear"] }
        fig = { ja = ["無花果"], en = ["fig"] }
        [piece.colour]
        red = { ja = ["赤"], en = ["red"] }
        green = { ja = ["緑"], en = ["green"] }
        [section]
        now = { ja = ["今"], en = ["now"] }
        [question]
        "now.do" = { ja = "する事", en = "what to do" }
        "now.fruit" = { ja = "果物", en = "fruit" }
        [pass]
        ja = ["なし"]
        en = ["none"]
        [noise]
        ja = ["を", "の"]
        en = ["the"]
    "#;
    Lexicon::parse("words.toml", words).unwrap()
});

static WORDS: LazyLock<Words<'_>> =
    LazyLock::new(|| Words::new(&LEXICON, &BySeat::new(2, |_| Vec::new())));

/// A form in which red apples and pears can be taken, apples dropped, and figs asked for.
fn form(said: &Declaration) -> Interview {
    let mut form = Form::new(said);
    let fruits: &[&str] = match form.choose("now.do", &["take", "drop", "ask"]) {
        Some("take") => &["apple", "pear"],
        Some("drop") => &["apple"],
        Some(_) => &["fig"],
        None => return form.done(),
    };
    let fruit = form.choose("now.fruit", fruits);
    form.goes_without_saying("red");
    if fruit.is_some_and(|fruit| !fruits.contains(&fruit)) {
        form.fault("now.fruit");
    }
    form.done()
}

#[test]
fn the_verb_stands_anywhere_or_is_left_out() {
    for (text, said) in [
        ("take pear", "now.do=take now.fruit=pear"),
        ("梨を取る", "now.do=take now.fruit=pear"),
        ("apple drop", "now.do=drop now.fruit=apple"),
        // Only taking offers pears.
        ("the pear", "now.do=take now.fruit=pear"),
        ("無花果", "now.do=ask now.fruit=fig"),
        ("now: pear", "now.do=take now.fruit=pear"),
        ("drop", "now.do=drop"),
        ("apple", "<now|apple|Several|take,drop>"),
        // The answer is clear, and illegal.
        ("pear drop", "now.do=drop now.fruit=pear"),
        ("plum", "<now|plum|Unknown|>"),
        ("plum pear", "<now|plum|Unknown|> <now|pear|NotHere|take,drop,ask>"),
        ("", ""),
    ] {
        assert_eq!(summary(&read_act(text, &form, &WORDS)), said, "{text}");
    }
}

#[test]
fn what_goes_without_saying_can_be_said_and_nothing_else() {
    for (text, said) in [
        ("take red pear", "now.do=take now.fruit=pear"),
        ("赤の梨", "now.do=take now.fruit=pear"),
        ("pear red take", "now.do=take now.fruit=pear"),
        ("take the green pear", "now.do=take <now|green pear|Tacit|red>"),
        ("緑の無花果を頼む", "now.do=ask <now|緑の無花果|Tacit|red>"),
        ("take green", "now.do=take <now|green|Tacit|red>"),
    ] {
        assert_eq!(summary(&read_act(text, &form, &WORDS)), said, "{text}");
    }
}

#[test]
fn an_example_of_each_reads_as_that() {
    let said = |lang| acts(&form, &WORDS, lang).into_iter().map(|example| example.text);
    assert!(said(Lang::En).eq(["take apple", "drop apple", "ask fig"]));
    for (text, said) in said(Lang::Ja).zip(["take", "drop", "ask"]) {
        let read = summary(&read_act(&text, &form, &WORDS));
        assert!(read.starts_with(&format!("now.do={said} now.fruit=")), "{text}: {read}");
    }
}

#[test]
fn all_that_can_be_said_is_told_where_there_is_a_choice() {
    let examples = acts(&form, &WORDS, Lang::En).into_iter();
    let choices: Vec<Vec<String>> = examples
        .map(|example| example.choices.iter().map(|one| one.options.join(" ")).collect())
        .collect();
    assert_eq!(choices, [vec!["apple pear"], vec![], vec![]]);
}
