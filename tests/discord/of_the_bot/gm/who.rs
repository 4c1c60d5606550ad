//! The people who may decide, and the refusals for all others.

use super::super::scenes::{LOCALES, Scene};

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_sees_more_than_a_refusal() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let bob = &scene.bob;
        for words in [
            "gm window show",
            "gm window close",
            "gm window resume",
            "gm window void",
            "gm window hold",
            "gm window publish",
            "gm table open",
            "gm table end",
            "gm table log",
        ] {
            bob.command(words).await;
        }
        bob.command("gm window extend").with("time", "22:00").await;
        bob.command("gm turn declare").with("seat", "P1").with("text", "3B").await;
        bob.command("gm seat swap").with("seat", "P1").with("other", "P2").await;
        bob.complete("gm turn skip", "seat", "").await;
        let own = bob.id().to_string();
        bob.command("gm seat appoint").with("who", own).await;
        let asked = scene.alice.command("gm window void").await;
        // The button is private, and a forged press on it is refused.
        let button = scene.say("実行して全員に知らせる", "Do it and notify everyone");
        let form = bob.press(button).on(&asked).await;
        bob.submit(&form, &[("0", scene.say("私のもの", "it is mine"))]).await;
        scene.is_told("gm_refused");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_the_host_appoints_decides_by_a_role_or_by_name() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, carol) = (&scene.alice, &scene.carol);
        let judges = scene.discord.makes_role("judges");
        carol.command("gm window show").await;
        alice.command("gm seat appoint").with("who", judges.0.to_string()).await;
        carol.gets(judges);
        let asked = carol.command("gm window extend").with("time", "+1h").await;
        scene.decided(carol, &asked, scene.say("招待された", "asked to")).await;
        alice.command("gm seat dismiss").with("who", judges.0.to_string()).await;
        carol.command("gm window show").await;
        alice.command("gm seat appoint").with("who", scene.bob.id().to_string()).await;
        scene.bob.command("gm window show").await;
        let asked = scene.bob.command("gm window extend").with("time", "+1h").await;
        assert_eq!(asked.buttons().len(), 1, "who plays decides before everybody's eyes");
        alice.command("gm table log").await;
        scene.is_told("gm_appointed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_called_but_those_who_are_named() {
    let scene = Scene::plays(LOCALES[1]).await;
    let (alice, bob) = (&scene.alice, &scene.bob);
    let everybody = format!("@everyone <@{}> listen", scene.carol.id());
    let asked = alice.command("gm table rule").with("text", everybody.clone()).await;
    scene.decided(alice, &asked, "@everyone").await;
    let words = format!("it is late, {everybody}");
    let asked = alice.command("gm table say").with("text", words).with("to", "bob").await;
    scene.quietly(alice, &asked, "to call him").await;
    bob.sees("it is late").await;
    // A game master who plays cannot write to one player alone.
    alice.command("gm seat appoint").with("who", bob.id().to_string()).await;
    let asked = bob.command("gm table say").with("text", "too late").with("to", "bob").await;
    scene.decided(bob, &asked, "to be called").await;
    scene.carol.sees("too late").await;
    scene.is_still().await;
    let told = scene.discord.transcript();
    let pinging =
        |name: &str| told.lines().filter(|line| line.contains(&format!("pings {name}"))).count();
    assert!(pinging("bob") > 0, "{told}");
    assert_eq!(pinging("carol"), 0, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_can_be_formed_where_game_masters_see_what_is_sealed() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.sits(&[("pace", "daily 21:00"), ("gm", say("見る", "open"))]).await;
        let seen = say(
            "締め切りの前でも、封の中身を見",
            "can see sealed declarations before the deadline",
        );
        alice.sees(seen).await;
        let shown = alice.command("table settings").await;
        assert!(shown.text().contains(seen), "{}", shown.text());
        let keeps = say("封の中身をGMに見せない", "Hide sealed declarations from GMs");
        let blind = alice.press(keeps).on(&shown).await;
        assert!(!blind.text().contains(seen), "{}", blind.text());
        alice.press(say("封の中身をGMに見せる", "Show sealed declarations to GMs")).await;
        scene.begins().await;
        let shown = alice.command("gm window show").await;
        assert!(shown.text().contains("P2"), "what house players declared: {}", shown.text());
    }
}
