//! The dashboard of a host, and its updates.

use std::time::Duration;

use serenity::all::Permissions;

use super::scenes::{LOCALES, Scene, in_both};
use double::Place;

/// Waits until a message in a place contains `words`, and returns the message.
async fn shows(scene: &Scene, place: Place, words: &str) -> String {
    for _ in 0..300 {
        let mut shown = scene.discord.stands_in(place);
        if let Some(at) = shown.iter().position(|(_, text)| text.contains(words)) {
            return shown.swap_remove(at).1;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{words} is nowhere in\n{}", scene.discord.shows(place));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dashboard_stays_up_to_date_until_it_is_deleted() {
    in_both(async |locale| {
        let mut scene = Scene::set(locale, "explore").await;
        let (alice, bob, carol) = (scene.alice.clone(), scene.bob.clone(), scene.carol.clone());
        let say = |ja: &'static str, en: &'static str| {
            if locale == LOCALES[0] { ja } else { en }
        };
        let desk = scene.discord.opens_channel("desk");
        let thread = scene.table(3).await;
        for person in [&alice, &bob, &carol] {
            person.goes_to(desk);
        }
        scene.discord.forgets();
        // A person without a table of their own gets no dashboard.
        bob.command("dashboard").await;
        alice.command("dashboard").await;
        shows(&scene, desk, say("参加者募集中（2/3）", "waiting for players (2/3)")).await;
        // A second command posts the dashboard again, and deletes the first one.
        alice.command("dashboard").await;
        assert_eq!(scene.discord.stands_in(desk).len(), 1);
        for person in [&alice, &bob, &carol] {
            person.goes_to(thread);
        }
        scene.begins().await;
        shows(&scene, desk, say("　未提出：alice、bob", "  Not submitted: alice, bob")).await;
        alice.command("declare").with("text", "3A 4B").await;
        alice.command("seal").await;
        shows(&scene, desk, say("未提出：bob", "Not submitted: bob")).await;
        bob.command("away").with("until", "+3d").await;
        // The next window opens without bob.
        shows(&scene, desk, say("未提出：alice", "Not submitted: alice")).await;
        shows(&scene, desk, say("留守：bob", "On vacation: bob")).await;
        // The dashboard survives a restart.
        scene.starts_again().await;
        alice.command("gm window pause").with("time", say("3日", "3d")).await;
        let form = alice.press(say("実行して全員に知らせる", "Do it and notify everyone")).await;
        alice.submit(&form, &[("0", say("祭り", "a feast"))]).await;
        // She plays, so the decision needs another vote.
        scene.is_still().await;
        bob.press(say("賛成", "Yes")).await;
        shows(&scene, desk, say("⏸ 休止中", "⏸ paused")).await;
        scene.is_still().await;
        scene.is_told("dashboard");
        scene.tells("dashboard_shown", &scene.discord.shows(desk));
        // A deleted dashboard is not posted again.
        scene.discord.wipes(desk);
        alice.command("gm window resume").await;
        let form = alice.press(say("実行して全員に知らせる", "Do it and notify everyone")).await;
        alice.submit(&form, &[("0", say("祭りが終わった", "the feast is over"))]).await;
        scene.comes_to("select count(*) from dashboards", 0).await;
        assert!(scene.discord.stands_in(desk).is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_posted_only_where_its_host_may_post() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        let desk = scene.discord.opens_channel("desk");
        scene.table(3).await;
        let alice = &scene.alice;
        alice.goes_to(desk);
        scene.discord.forgets();
        scene.discord.hushes(alice, desk, Permissions::SEND_MESSAGES);
        alice.command("dashboard").await;
        assert!(scene.discord.stands_in(desk).is_empty());
        // The bot lacks the permission to post.
        scene.discord.hushes(alice, desk, Permissions::empty());
        scene.discord.forbids(desk, Permissions::SEND_MESSAGES);
        alice.command("dashboard").await;
        // Everybody may post in a direct conversation with the bot.
        let private = alice.goes_to_the_bot();
        alice.command("dashboard").await;
        let shown = scene.say("卓の一覧（締め切りの近い順）", "Tables, soonest deadline first");
        shows(&scene, private, shown).await;
        scene.is_told("dashboard_where");
    }
}
