//! Declaring on the panel.

use super::{LOCALES, Scene};

/// With this word alice holds Writer 4, Private Network and Change of Plan, among three players.
const HAND: &str = "hand 2414";

/// And with this one Promoter's Intervention, among six.
const PROMOTER: &str = "page 14";

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_put_together_by_buttons_menus_and_forms() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.press(say("宣言する", "Declare")).await;
        alice.press(say("独自の情報網", "Private Network")).await;
        alice.press(say("3B 役割を1枚配置する", "3B place a role")).await;
        alice.press(say("脚本家4", "Writer 4")).await;
        let form = alice.press(say("文字で書く", "Write it")).await;
        alice.submit(&form, &[("0", say("小×4 中×1", "Small×4 Medium×1"))]).await;
        alice.press(say("4A 役割を1枚引く", "4A draw a role")).await;
        alice.press(say("音楽家", "Composer")).await;
        alice.press(say("役割", "Roles")).await;
        alice.press(say("役者", "Actor")).await;
        alice.press(say("演出家", "Director")).await;
        alice.press(say("戻る", "Back")).await;
        scene.is_told("panel_put_together");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_an_event_aims_at_is_picked_from_a_menu() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, PROMOTER, 6).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("declare").await;
        alice.press(say("プロモーターの介入", "Promoter's Intervention")).await;
        alice.choose(&["bob"]).await;
        scene.is_told("panel_menu");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_replaces_the_draft_and_is_sealed_and_taken_back() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("declare").with("text", say("3B 脚本家4", "3B Writer 4")).await;
        let form = alice.press(say("全文で書く", "Write it as text")).await;
        let words = say("3A\n4B\n5A 「撮影快調」", "3A\n4B\n5A \"All goes well\"");
        alice.submit(&form, &[("0", words)]).await;
        let other = say("5:エンドフェイズ「ロールプレイ」", "5: End phase, “role-play”");
        alice.choose(&[other]).await;
        let form = alice.press(say("文字で書く", "Write it")).await;
        alice.submit(&form, &[("0", say("「撮影は順調です」", "\"All is well\""))]).await;
        alice.press(say("封をする", "Seal")).await;
        alice.command("declare").await;
        alice.press(say("全て消す", "Clear all")).await;
        scene.is_told("panel_text_and_seal");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_is_told_and_asked_about_before_it_is_sealed() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("declare").await;
        alice.press(say("封をする", "Seal")).await;
        alice.press(say("封をせずに戻る", "Go on writing")).await;
        alice.command("declare").with("text", say("3B 役者6 4A", "3B Actor 6 4A")).await;
        alice.press(say("封をする", "Seal")).await;
        alice.press(say("封をせずに戻る", "Go on writing")).await;
        alice.press(say("封をする", "Seal")).await;
        alice.press(say("このまま封をする", "Seal all the same")).await;
        scene.is_told("panel_fault");
    }
}
