//! Refusals and their texts.

use super::{LOCALES, Scene};

#[tokio::test(flavor = "multi_thread")]
async fn who_sits_nowhere_is_told_so() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        let carol = &scene.carol;
        let words = [
            "declare",
            "seal",
            "withdraw",
            "hand",
            "table show",
            "log",
            "why",
            "rules",
            "table join",
            "table leave",
            "table start",
            "table close",
            "table resume",
            "table list",
        ];
        for command in words {
            carol.command(command).await;
        }
        scene.is_told("refused_nowhere");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn before_it_begins_nothing_is_played() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        scene.table(2).await;
        scene.discord.forgets();
        for command in
            ["declare", "seal", "withdraw", "hand", "log", "why", "table close", "table resume"]
        {
            scene.alice.command(command).await;
        }
        scene.carol.command("table join").await;
        scene.carol.command("table leave").await;
        scene.bob.command("table start").await;
        scene.bob.command("table join").await;
        scene.is_told("refused_before_it_begins");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_is_played_others_only_look() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, "explore", 2).await;
        scene.discord.forgets();
        let (carol, bob) = (&scene.carol, &scene.bob);
        for command in [
            "declare",
            "seal",
            "withdraw",
            "hand",
            "table join",
            "table leave",
            "table start",
            "table close",
            "table resume",
        ] {
            carol.command(command).await;
        }
        carol.press(scene.say("宣言する", "Declare")).await;
        carol.press(scene.say("手札", "Hand")).await;
        bob.command("table leave").await;
        bob.command("table close").await;
        scene.alice.command("table start").await;
        scene.alice.command("table resume").await;
        scene.is_told("refused_while_it_is_played");
    }
}
