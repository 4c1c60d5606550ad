//! Places that refuse letters, and a stop while letters are being sent.

use std::time::Duration;

use serenity::all::Permissions;

use super::super::{Bot, PLAIN, people, table};
use super::evening::{Evening, assert_same};
use double::{Discord, Scope, Settings};

async fn begins() -> Evening {
    Evening::begins_with(Settings::default(), &[PLAIN]).await
}

/// Plays one window without a fault.
async fn calm() -> Evening {
    let mut evening = begins().await;
    evening.declare().await;
    evening.runs_out().await;
    evening.settles().await;
    evening
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_no_direct_messages_is_called_in_the_thread_and_shown_alone() {
    let mut evening = begins().await;
    evening.alice.closes_dms(true);
    evening.declare().await;
    evening.is_brought_near().await;
    evening.settles().await;
    let thread = evening.discord.shows(evening.thread);
    assert_eq!(thread.matches("> (pings alice) @alice お知らせがあります").count(), 1, "{thread}");
    assert!(!thread.contains("まもなく締め切り"), "what was meant for one alone: {thread}");
    assert_eq!(evening.bob.times_told("まもなく締め切り"), 1, "{}", evening.bob.transcript());
    let call = evening.alice.sees("お知らせがあります").await;
    let told = evening.alice.press("お知らせを見る").on(&call).await;
    assert!(told.is_private() && told.text().contains("まもなく締め切り"), "{}", told.text());
    let shown = evening.alice.press("宣言する").on(&told).await;
    assert!(shown.is_private() && shown.text().contains("・3A"), "{}", shown.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_posted_is_posted_once_when_it_may_be() {
    let troubled = async {
        let mut evening = begins().await;
        let general = evening.discord.channel("general");
        evening.declare().await;
        evening.settles().await;
        evening.discord.forbids(general, Permissions::SEND_MESSAGES_IN_THREADS);
        evening.runs_out().await;
        let posts = || evening.discord.requests("POST /channels/*/messages");
        while !posts().iter().any(|post| post.status == 403) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        evening.discord.allows(general);
        while !evening.is_told().await {
            evening.waits().await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        evening
    };
    let (troubled, calm) = tokio::join!(troubled, calm());
    let shown = |evening: &Evening| evening.discord.shows(evening.thread);
    assert_same(&shown(&troubled), &shown(&calm), "not allowed to post");
    troubled.discord.forgive("50013");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_whose_thread_is_deleted_keeps_no_other_from_going_on() {
    let mut evening = begins().await;
    evening.discord.deletes(evening.thread);
    let general = evening.discord.channel("general");
    for person in [&evening.alice, &evening.bob] {
        person.goes_to(general);
    }
    evening.runs_out().await;
    let formed = evening.bob.command("table new").with("game", "eitsuku").with("seats", 2);
    formed.await;
    let other = evening.discord.thread("bobさんの卓").await;
    evening.bob.goes_to(other);
    evening.bob.sees("参加者募集").await;
    let hand = evening.alice.command("hand").await;
    assert!(hand.is_private() && hand.text().contains("手札"), "{}", hand.text());
    evening.discord.forgive("10003");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_stops_in_time_in_the_midst_of_letters() {
    let troubled = async {
        let mut evening = begins().await;
        evening.declare().await;
        evening.settles().await;
        let late = evening.discord.when("POST /channels/*/messages");
        late.takes_effect_and_answers_late(Duration::from_secs(2));
        evening.runs_out().await;
        while !evening.discord.faults_left().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        evening.bot.is_told_to_stop();
        evening.waits().await;
        evening.bot.starts_again(&evening.discord, &[PLAIN]).await;
        evening.settles().await;
        evening
    };
    let (troubled, calm) = tokio::join!(troubled, calm());
    assert_same(&troubled.seen(), &calm.seen(), "told to stop");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_thread_is_brought_back() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start(&discord).await;
    let thread = table(&discord, &[&alice, &bob], 2).await;
    discord.quiet_for(Duration::from_millis(700)).await;
    discord.archives(thread);
    let early = discord.when("PATCH /channels/*").nth(1);
    early.comes_too_early(Duration::from_millis(300), Scope::Shared);
    alice.press("始める").await;
    bob.sees("締め切り・告知：").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_to_what_is_settled_is_taken_back() {
    let mut evening = begins().await;
    evening.alice.closes_dms(true);
    evening.is_brought_near().await;
    evening.settles().await;
    evening.alice.sees("お知らせがあります").await;
    evening.alice.command("declare").with("text", "3A 4B 5A").await;
    evening.alice.command("seal").await;
    let settled = evening.alice.sees("お知らせは済みました").await;
    let told = evening.alice.press("お知らせを見る").on(&settled).await;
    assert!(told.text().contains("このリマインドは不要になりました"), "{}", told.text());
}
