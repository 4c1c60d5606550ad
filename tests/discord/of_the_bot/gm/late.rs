//! Late declarations that a game master accepts.

use crate::of_the_bot::scenes::{LOCALES, Scene};

use super::HAND;

#[tokio::test(flavor = "multi_thread")]
async fn a_declaration_that_came_too_late_counts_and_is_no_miss() {
    for locale in LOCALES {
        let scene = Scene::set(locale, HAND).await;
        let line = scene.say("不在1回で休み", "inactive after 1");
        scene.sits(&[("pace", "daily 21:00, announce after 2h"), ("absence", line)]).await;
        let (alice, bob, say) = (&scene.alice, &scene.bob, |ja, en| scene.say(ja, en));
        alice.command("table start").await;
        alice.sees(say("[宣言する]", "[Declare]")).await;
        scene.is_still().await;
        scene.discord.forgets();
        scene.is_due_in(-1).await;
        scene.comes_to("select count(*) from windows where closed_at is not null", 1).await;
        let late = bob.command("declare").with("text", "3A 4B").await;
        assert!(late.text().contains(say("間に合わなかった", "too late")), "{}", late.text());
        let asked = alice.command("gm turn accept-late").with("seat", "bob");
        let asked = asked.with("window", "last").await;
        scene.decided(alice, &asked, say("電車が遅れた", "the train was late")).await;
        // Before the announcement, nobody sees the result.
        bob.command("my").await;
        let asked = alice.command("gm window publish").await;
        scene.decided(alice, &asked, say("待たせない", "nobody is to wait")).await;
        bob.sees(say("ターン2：宣言の受付", "Turn 2: declare")).await;
        scene.is_still().await;
        bob.command("my").await;
        scene.is_told("gm_late");
    }
}
