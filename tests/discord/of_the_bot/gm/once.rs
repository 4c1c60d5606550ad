//! A decision is made once, and only in the state that was shown.

use super::super::scenes::{LOCALES, Scene};

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_that_is_pressed_twice_is_made_once() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let asked = alice.command("gm window extend").with("time", "+2h").await;
        let button = say("実行して全員に知らせる", "Do it and notify everyone");
        let first = alice.press(button).on(&asked).await;
        let second = alice.press(button).on(&asked).await;
        alice.submit(&first, &[("0", say("一度目", "the first"))]).await;
        alice.submit(&second, &[("0", say("二度目", "the second"))]).await;
        alice.command("gm table log").await;
        let told = scene.alice.finds(say("理由：一度目", "Reason: the first"));
        assert!(!told.is_empty(), "the reason is kept");
        let asked = alice.press(say("取り消す", "Undo")).await;
        scene.decided(alice, &asked, say("やめた", "thought better of it")).await;
        alice.command("gm table log").await;
        scene.is_told("gm_twice");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_table_has_moved_on_it_is_shown_anew() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let asked = alice.command("gm window void").await;
        let other = alice.command("gm window extend").with("time", "+1h").await;
        scene.quietly(alice, &other, say("先に", "first")).await;
        let anew = scene.decided(alice, &asked, say("見たまま", "as it was")).await;
        scene.decided(alice, &anew, "  ").await;
        scene.decided(alice, &anew, say("今の通り", "as it is")).await;
        scene.is_told("gm_moved");
    }
}
