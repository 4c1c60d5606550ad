//! People playing whole games.

use super::{Bot, PLAIN, closes, people, table};
use double::{Discord, Person};

/// Seals a declaration in the person's language, with confirmation if needed.
pub(super) async fn seals(person: &Person, words: &str) {
    let (seal, anyway) = if person.name() == "bob" || person.name() == "dan" {
        ("Submit (seal)", "Submit anyway")
    } else {
        ("提出（封をする）", "このまま提出")
    };
    let panel = person.command("declare").with("text", words).await;
    if !panel.buttons().iter().any(|button| button == seal) {
        // The window asks nothing of them.
        return;
    }
    let sealed = person.press(seal).await;
    if sealed.buttons().iter().any(|button| button == anyway) {
        person.press(anyway).await;
    }
}

/// Plays until the game is over: everybody makes the same declaration in every window, and the host closes
/// it. Returns the number of windows, which is less than `most`.
pub(super) async fn play_to_the_end(people: &[Person], words: [&str; 4], most: usize) -> usize {
    let host = &people[0];
    let is_over = || !host.finds("記録は上の投稿").is_empty();
    let mut windows = 0;
    while !is_over() {
        windows += 1;
        assert!(windows < most, "the game does not end");
        for (person, words) in people.iter().zip(words) {
            seals(person, words).await;
        }
        let opened = host.finds("締め切り").len();
        closes(host).await;
        let mut looks = 0;
        while !is_over() && host.finds("締め切り").len() == opened {
            looks += 1;
            assert!(looks < 200, "nothing follows the close");
            if looks % 40 == 0 {
                // A window in which all have sealed closes by itself, and a confirmation for it closes no
                // other window.
                closes(host).await;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
    windows
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_a_whole_game_to_its_scores() {
    let discord = Discord::start();
    let people = people(&discord);
    let [alice, bob, ..] = &people;
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    table(&discord, &people.each_ref(), 4).await;
    let refused = bob.press("始める").await;
    assert!(refused.text().contains("Only"), "{}", refused.text());
    alice.press("始める").await;
    alice.sees("締め切り・告知：").await;
    let windows = play_to_the_end(&people, ["3A", "3A 4B", "3A 4B", "3A"], 40).await;
    bob.sees("記録は上の投稿").await;
    for turn in 1..=3 {
        let heading = format!("ターン{turn}：宣言の受付");
        assert_eq!(bob.times_told(&heading), 1, "{heading}: {}", bob.transcript());
    }
    assert!(windows > 4, "{windows}");
    let log = bob.command("log").await;
    assert!(log.is_private());
    let again = bob.press("もう一度遊ぶ").await;
    assert!(again.text().contains("<#"), "{}", again.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declaration_is_made_on_the_panel_and_seen_by_nobody_else() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    table(&discord, &[&alice, &bob], 2).await;
    alice.press("始める").await;
    alice.sees("締め切り").await;
    if alice.finds("ターン1：宣言の受付").is_empty() {
        closes(&alice).await;
    }
    alice.sees("ターン1：宣言の受付").await;
    alice.sees("第1回受付").await;

    let panel = alice.press("宣言する").await;
    assert!(panel.is_private());
    let form = alice.press("文章で入力").await;
    assert!(form.is_form());
    let field = form.field("宣言").is_some();
    assert!(field, "the form has a field for the whole declaration");
    let before = panel.clone();
    let read = alice.submit(&form, &[("宣言", "3A")]).await;
    assert!(read.text().contains("3A") || read.text().contains("イベント"), "{}", read.text());

    // An outdated panel says so, and shows the present state.
    let stale = alice.press("文章で入力").on(&before).await;
    assert!(stale.text().contains("操作は行っていません"), "{}", stale.text());

    alice.press("提出（封をする）").await;
    bob.sees("封済み").await;
    let hidden = bob.transcript();
    assert!(!hidden.contains("private to alice"), "{hidden}");
    assert!(!bob.finds("受領証").iter().any(|seen| seen.text().contains("受領証")));

    let hand = bob.press("手札").await;
    assert!(hand.is_private() && hand.text().contains("Hand"), "{}", hand.text());
}
