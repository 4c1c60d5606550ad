//! Presses that come late, twice, or from another person: nothing is lost, and each is answered.

use std::future::IntoFuture;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::sleep;

use super::scenes::Scene;
use double::{Answer, Locale};

const MOVED: &str = "操作は行っていません";

/// The refusal of a decision about a table that has changed.
const TABLE_MOVED: &str = "卓の状況が変わった";

/// Starts a scene up to its first turn: alice holds Tie-in Campaign and Change of Plan.
async fn turn() -> Scene {
    Scene::playing(Locale::Ja, "hand 1018", 2).await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_devices_of_one_person_see_the_same_draft() {
    let scene = turn().await;
    let alice = &scene.alice;
    let [phone, desktop] = [alice.command("declare").await, alice.command("declare").await];
    alice.choose(&["タイアップキャンペーン"]).on(&phone).await;
    let stale = alice.choose(&["方針転換"]).on(&desktop).await;
    assert!(stale.text().contains(MOVED), "{}", stale.text());
    assert!(stale.text().contains("・2 タイアップキャンペーン"), "{}", stale.text());
    let mended = alice.choose(&["3A イベントを1枚引く"]).on(&stale).await;
    assert!(!mended.text().contains(MOVED), "{}", mended.text());
    assert!(mended.text().contains("・2 タイアップキャンペーン"), "{}", mended.text());
    assert!(mended.text().contains("・3A"), "{}", mended.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_that_is_pressed_twice_at_once_counts_once() {
    let scene = Scene::set(Locale::Ja, "explore").await;
    scene.table(2).await;
    let post = scene.alice.sees("参加者募集").await;
    let start = || scene.alice.press("始める").on(&post).into_future();
    let started = join_all([start(), start()]).await;
    let said: Vec<String> = started.iter().map(double::Answer::text).collect();
    assert_eq!(said.iter().filter(|said| said.contains("完了しました")).count(), 1, "{said:?}");
    assert_eq!(said.iter().filter(|said| said.contains("もう始まって")).count(), 1, "{said:?}");
    scene.alice.sees("ターン1：宣言の受付").await;

    let alice = &scene.alice;
    let panel = alice.command("declare").with("text", "2: 方針転換 3A 4B 5A").await;
    let seal = || alice.press("提出（封をする）").on(&panel).into_future();
    join_all([seal(), seal()]).await;
    let sealed = alice.finds("宣言（封済み");
    assert_eq!(sealed.len(), 1, "{}", alice.transcript());
    alice.sees("封済み ✅：alice").await;
    let after = alice.command("declare").await;
    assert!(after.text().contains("封済みです"), "{}", after.text());
    assert!(after.text().contains("・2 方針転換"), "{}", after.text());
}

/// A double tap closes one window, however long the first press has to wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_close_that_is_tapped_twice_closes_one_window() {
    const CLOSED: &str = "select count(*) from windows where closed_at is not null";
    const ENDED: &str = "select count(*) from journal where body like '%\"kind\":\"over\"%'";
    const OVER_OR_DONE: [&str; 2] = ["完了しました", "終わっています"];
    let scene = turn().await;
    let alice = &scene.alice;
    let mut stale = 0;
    for apart in [0, 150, 300].map(Duration::from_millis) {
        let before = scene.count(CLOSED).await;
        let asked = alice.command("table close").await;
        assert!(asked.text().contains("ダイスを振り直す巻き戻し"), "{}", asked.text());
        let tap = async |after| {
            sleep(after).await;
            alice.press("今すぐ締め切る").on(&asked).await.text()
        };
        let wait = scene.keeps_writers_waiting(Duration::from_millis(700));
        let (first, second, ()) = tokio::join!(
            tap(Duration::from_millis(50)),
            tap(apart + Duration::from_millis(50)),
            wait
        );
        // Both answers replace the question, one after the other.
        let told = format!("{first} {second} {}", alice.transcript());
        assert!(told.contains("完了しました"), "{apart:?}: {told}");
        stale += 1;
        for _ in 0..100 {
            if alice.transcript().matches(TABLE_MOVED).count() >= stale {
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(alice.transcript().matches(TABLE_MOVED).count(), stale, "{apart:?}: {told}");
        assert_eq!(scene.count(CLOSED).await, before + 1, "{apart:?}");
    }
    let asked = alice.command("table end").await;
    let end = || alice.press("卓を打ち切る").on(&asked).into_future();
    let said: Vec<String> = join_all([end(), end()]).await.iter().map(Answer::text).collect();
    // The question's message may have been read when it contained the other answer.
    let is_answer = |said: &String| OVER_OR_DONE.iter().any(|words| said.contains(words));
    assert!(said.iter().all(is_answer), "{said:?}");
    assert_eq!(scene.count(ENDED).await, 1, "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_a_past_window_leads_to_the_one_of_now() {
    let scene = turn().await;
    let alice = &scene.alice;
    let post = alice.sees("第1回受付").await;
    let panel = alice.command("declare").await;
    let form = alice.press("文章で入力").on(&panel).await;
    scene.closes().await;
    alice.sees("第2回受付").await;

    let from_post = alice.press("宣言する").on(&post).await;
    assert!(from_post.text().contains("◆宣言（下書き"), "{}", from_post.text());
    let from_panel = alice.choose(&["タイアップキャンペーン"]).on(&panel).await;
    assert!(from_panel.text().contains(MOVED), "{}", from_panel.text());
    assert!(!from_panel.text().contains("・2 タイアップ"), "{}", from_panel.text());
    let words = "3A\n4B\n5A 「長い長い台詞」";
    let from_form = alice.submit(&form, &[("宣言", words)]).await;
    assert!(from_form.text().contains(MOVED), "{}", from_form.text());
    let back = alice.sees("宣言に入っていません").await;
    assert!(back.is_private() && back.text().contains("5A 「長い長い台詞」"), "{}", back.text());
    let draft = alice.command("declare").await;
    assert!(draft.text().contains("一回休みです"), "{}", draft.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_pressed_at_another_table_is_about_that_one() {
    let scene = turn().await;
    let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
    let panel = alice.command("declare").await;
    let post = alice.sees("第1回受付").await;

    // A press on another person's panel shows the presser's own panel, or a refusal.
    let stolen = carol.choose(&["タイアップキャンペーン"]).on(&panel).await;
    assert!(!stolen.is_message() || !stolen.text().contains("・2 タイアップ"));
    assert!(!carol.finds("この卓に参加していません").is_empty(), "{}", carol.transcript());
    for button in ["宣言する", "手札"] {
        let refused = carol.press(button).on(&post).await;
        assert!(refused.text().contains("参加していません"), "{}", refused.text());
    }
    let shown = carol.press("結果の全文").on(&post).await;
    assert!(shown.is_private() && shown.text().contains("非公開2枚"), "{}", shown.text());
    let own = bob.command("declare").await;
    assert!(own.text().contains("一回休みです"), "{}", own.text());

    // With another table of the same people, a control of the first still acts on the first.
    let general = scene.discord.channel("general");
    let formed = bob.command("table new").with("game", "eitsuku").with("seats", 2);
    formed.in_channel(general).await;
    let other = scene.discord.thread("bobさんの卓").await;
    alice.goes_to(other);
    alice.command("table join").await;
    let answered = alice.choose(&["タイアップキャンペーン"]).on(&panel).await;
    assert!(answered.text().contains("・2 タイアップキャンペーン"), "{}", answered.text());
    let refused = alice.command("declare").await;
    assert!(refused.text().contains("まだ始まっていません"), "{}", refused.text());
}
