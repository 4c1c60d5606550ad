//! A real client that answers interactions.

use std::time::Duration;

use super::bot::Bot;
use double::{Answer, Discord, Locale, Seen};

fn is_fresh(panel: &Answer) -> bool {
    panel.is_private() && panel.buttons() == ["封をする", "文で書く"]
}

#[tokio::test]
async fn a_real_client_answers_a_command_a_button_a_menu_and_a_form() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::Ja);
    let bot = Bot::start(&discord).await;

    let choices = alice.complete("宣言", "宣言文", "3B").await;
    assert_eq!(choices.choices(), ["3B 役者5", "3B 演出家3"]);

    let panel = alice.command("declare").with("text", "3B 役者5").await;
    assert!(is_fresh(&panel));
    assert_eq!(panel.options(), ["役者5", "演出家3"]);

    let chosen = alice.choose(&["演出家3"]).from("役").await;
    assert!(chosen.text().starts_with("演出家3にします"));
    assert!(!chosen.is_form());

    let form = alice.press("文で書く").await;
    assert!(form.is_form() && !form.is_message());
    assert_eq!(form.field("宣言文").as_deref(), Some("3B"));
    alice.submit(&form, &[("宣言文", "3A")]).await;

    let sealed = alice.press("封をする").on(&panel).await;
    assert_eq!(sealed.text(), "封をしました");

    assert_eq!((bot.met.unknown(), bot.met.guilds()), (0, 1));
    assert_eq!(discord.transcript(), STORY.trim_start());
}

const STORY: &str = "
alice: /declare 宣言文:3B…
> choices for alice: 3B 役者5 / 3B 演出家3
alice: /declare text:3B 役者5
> private to alice: 3B 役者5
  [封をする] [文で書く] (まだ)
  {役: 役者5 / 演出家3}
alice: {演出家3}
> edit private to alice: 演出家3にします
  [封をする] [文で書く] (まだ)
  {役: 役者5 / 演出家3}
alice: [文で書く]
> form for alice: 文で書く
  宣言文: ‹3B›
alice: 文で書く 宣言文: ‹3A›
> edit private to alice: 3A
  [封をする] [文で書く] (まだ)
  {役: 役者5 / 演出家3}
alice: [封をする]
> edit private to alice: 封をしました
";

#[tokio::test]
async fn a_deferred_answer_a_thread_a_picture_and_another_message() {
    let discord = Discord::start();
    let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::En));
    let _bot = Bot::start(&discord).await;

    let opened = alice.command("table new").await;
    assert_eq!(opened.text(), "卓を開きました");
    assert!(!opened.is_private());
    let thread = discord.thread("卓").await;
    assert_eq!(discord.name_of(thread), "#卓");
    let began: Seen = bob.sees("受付を始めます").await;
    assert_eq!(began.files(), [("board.png".to_owned(), b"picture".to_vec())]);
    alice.sees("これで全部です").await;
    assert_eq!(bob.times_told("これで全部です"), 0);

    let seen = "
> #general: 卓を開きました
> #卓 is opened in #general
> #卓 is joined by alice
> #卓 (pings alice): @alice 受付を始めます
  <board.png: 盤の絵>
";
    assert_eq!(bob.transcript(), seen.trim_start());
}

#[tokio::test]
async fn a_test_need_not_wait_for_the_whole_answer() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::Ja);
    let _bot = Bot::start(&discord).await;
    discord.when("PATCH /webhooks/*/*/messages/@original").comes_late(Duration::from_millis(100));
    let taken = alice.command("table new").acknowledged().await;
    assert_eq!(taken.text(), "…");
    alice.sees("これで全部です").await;
    discord.deletes(discord.thread("卓").await);
    assert!(discord.transcript().ends_with("> #卓 is deleted\n"));
    assert!(alice.finds("受付を始めます").is_empty());
    assert_eq!(alice.times_told("受付を始めます"), 1);
}

#[tokio::test]
async fn people_are_chosen_and_talk_with_the_bot_alone() {
    let discord = Discord::start();
    let (alice, _) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::En));
    let bot = Bot::start(&discord).await;
    alice.command("hand").await;
    let shown = alice.choose(&["bob"]).from("誰に").await;
    assert_eq!(shown.text(), "@bobに見せます");
    alice.goes_to_the_bot();
    alice.command("hand").await;
    let told = "
alice: /hand
> #general: 手札
  {誰に}
alice: {bob}
> private to alice: @bobに見せます
alice: /hand
> DM of alice: 手札：なし
  {誰に}
";
    assert_eq!(discord.transcript(), told.trim_start());
    assert_eq!(bot.met.unknown(), 0);
}
