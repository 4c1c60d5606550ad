//! Declarations by a typed line and by commands alone.

use super::{LOCALES, Scene};

const HAND: &str = "explore";

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_completed_piece_by_piece() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        for typed in ["", "3", "3B ", say("3B 脚本家4 ", "3B Writer 4 "), "4A ", "?"] {
            alice.complete("declare", "text", typed).await;
        }
        scene.carol.complete("declare", "text", "3").await;
        scene.is_told("line_completed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_declared_is_read_sealed_and_withdrawn() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("withdraw").await;
        alice.command("seal").await;
        let words = say("3B 脚本家4 4A 音楽家 バナナ", "3B Writer 4 4A Composer banana");
        alice.command("declare").with("text", words).await;
        let words = say("3B 脚本家4 4A 音楽家", "3B Writer 4 4A Composer");
        alice.command("declare").with("text", words).await;
        alice.command("withdraw").with("section", "4").await;
        alice.command("withdraw").with("section", "9").await;
        alice.command("seal").await;
        alice.command("withdraw").await;
        alice.command("declare").with("text", say("3B 役者6", "3B Actor 6")).await;
        alice.command("seal").await;
        scene.is_told("line_read_and_sealed");
    }
}
