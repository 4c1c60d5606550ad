//! Mistakes of hosts and players, each answered with its remedy.

use std::time::Duration;

use serenity::all::Permissions;

use super::{Bot, PLAIN, closes, people, table};
use double::Discord;

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_make_threads_is_told_so() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    discord.forbids(discord.channel("general"), Permissions::CREATE_PUBLIC_THREADS);
    let told = alice.command("table new").await;
    // The missing permission is named, with the alternative.
    assert!(told.text().contains("公開スレッドの作成"), "{}", told.text());
    assert!(told.text().contains("卓を立てられません"), "{}", told.text());
    let told = bob.command("table new").with("seats", 7).await;
    assert!(told.text().contains("2 to 6"), "{}", told.text());
    let formed = bob.command("table new").with("place", "here").await;
    assert!(formed.text().contains("<#"), "{}", formed.text());
    assert!(formed.text().contains("Create Public Threads"), "{}", formed.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_does_not_begin_without_anybody_and_a_thread_holds_one() {
    let discord = Discord::start();
    let [alice, bob, _, dan] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    alice.command("table new").with("sit", "no").await;
    let thread = discord.thread("えいつく").await;
    for person in [&alice, &bob, &dan] {
        person.goes_to(thread);
    }
    let refused = alice.command("table start").await;
    assert!(refused.text().contains("まだ参加者がいません"), "{}", refused.text());
    let refused = bob.command("table new").with("place", "here").await;
    assert!(refused.text().contains("There is already a table here"), "{}", refused.text());
    // In a thread, the table gets another thread beside it.
    let formed = bob.command("table new").await;
    assert!(formed.text().contains("<#"), "{}", formed.text());
    discord.thread("bob").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_game_is_formed_once_and_by_those_who_sat_there() {
    let discord = Discord::start();
    let [alice, bob, _, dan] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let thread = table(&discord, &[&alice, &bob], 2).await;
    dan.goes_to(thread);
    alice.press("始める").await;
    alice.sees("締め切り").await;
    let early = alice.command("why").await;
    assert!(early.text().contains("まだ開いている理由"), "{}", early.text());
    assert!(!early.text().contains("裁定"), "{}", early.text());
    closes(&alice).await;
    let asked = alice.command("table end").await;
    alice.press("卓を打ち切る").on(&asked).await;
    let over = alice.sees("もう一度遊べます").await;
    assert!(over.buttons().iter().any(|button| button == "もう一度遊ぶ"), "{}", over.text());
    let refused = dan.press("もう一度遊ぶ").await;
    assert!(refused.text().contains("have not joined"), "{}", refused.text());
    let formed = alice.press("もう一度遊ぶ").await;
    assert!(formed.text().contains("<#"), "{}", formed.text());
    let twice = bob.press("もう一度遊ぶ").await;
    assert!(twice.text().contains("There is already a table here"), "{}", twice.text());
    alice.sees("参加者募集").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn elsewhere_it_is_asked_which_table_is_meant() {
    let discord = Discord::start();
    let [alice, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    for _ in 0..2 {
        let formed = alice.command("table new").await;
        assert!(formed.text().contains("<#"), "{}", formed.text());
    }
    let asked = alice.command("hand").await;
    assert!(asked.text().contains("2つあります"), "{}", asked.text());
    alice.goes_to_the_bot();
    let own = alice.command("my").await;
    assert!(own.text().contains("<#"), "{}", own.text());
    let refused = alice.command("table new").await;
    assert!(refused.text().contains("サーバー"), "{}", refused.text());
}

/// A refusal is the deferred answer itself, and no follow-up to an answer that never comes.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_promised_is_kept_where_there_is_but_a_refusal() {
    let discord = Discord::start();
    let [_, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    for words in ["declare", "act"] {
        let refused = bob.command(words).await;
        assert!(refused.text().contains("not the thread of a table"), "{}", refused.text());
    }
    assert_eq!(discord.requests("POST /webhooks/*/*").len(), 0);
}

/// Discord rejects a press on a control that a message does not have. Even without that, nobody's cards would
/// be shown publicly.
#[tokio::test(flavor = "multi_thread")]
async fn a_private_panel_is_never_drawn_on_a_public_post() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let thread = table(&discord, &[&alice, &bob], 2).await;
    alice.press("始める").await;
    let post = alice.sees("[宣言する]").await;
    if !post.text().contains("第1回受付") {
        // A player who threw a six is asked first.
        closes(&alice).await;
    }
    let post = alice.sees("第1回受付").await;
    discord.quiet_for(Duration::from_millis(700)).await;
    let panel = alice.command("declare").await;
    let before = discord.shows(thread);
    let forged = panel.message().forged_on(&post);
    let refused = alice.press("すべて省略して提出").on(&forged).await;
    assert!(refused.is_private(), "{}", refused.text());
    assert!(refused.text().contains("操作は行っていません"), "{}", refused.text());
    assert_eq!(discord.shows(thread), before);
}

/// The end of a table publishes as much of a long reason as was shown before.
#[tokio::test(flavor = "multi_thread")]
async fn a_reason_full_of_emoji_ends_a_table_all_the_same() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    table(&discord, &[&alice, &bob], 2).await;
    let asked = alice.command("table end").with("reason", "🎬".repeat(80)).await;
    let shown = asked.text().matches('🎬').count();
    assert!((30..80).contains(&shown), "{}", asked.text());
    alice.press("卓を打ち切る").on(&asked).await;
    let over = alice.sees("途中で打ち切られました").await;
    assert_eq!(over.text().matches('🎬').count(), shown, "{}", over.text());
}
