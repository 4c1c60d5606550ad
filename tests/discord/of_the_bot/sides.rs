//! Shared data of a side, shown to its seats immediately and to nobody else.

use std::time::Duration;

use super::scenes::{Scene, in_both};
use double::Locale;

/// A table of two guilds at which decks are chosen: alice and carol are of one, bob of the other.
async fn decks(locale: Locale) -> Scene {
    let scene = Scene::set(locale, "sides").await;
    let formed = scene.alice.command("table new").with("game", "guild_war").with("seats", 6);
    formed.with("pace", "6h").await;
    let thread = scene.discord.thread(scene.say("ギルドウォー", "Guild War")).await;
    scene.discord.is_posted_in(thread).await;
    for person in [&scene.alice, &scene.bob, &scene.carol] {
        person.goes_to(thread);
        person.command("table join").await;
    }
    let own = scene
        .say("🟦 ギルドA：P1 alice、P3 carol、P5 空席", "🟦 Guild A: P1 alice, P3 carol, P5 free");
    scene.alice.sees(own).await;
    scene.alice.sees(scene.say("🟥 ギルドB：P2 bob、P4 空席", "🟥 Guild B: P2 bob, P4 free")).await;
    scene.alice.command("table start").await;
    scene.alice.sees(&format!("[{}]", scene.say("宣言する", "Declare"))).await;
    scene.is_still().await;
    scene
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_sees_what_it_drafts_seals_and_writes() {
    in_both(async |locale| {
        let scene = decks(locale).await;
        scene.discord.forgets();
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        alice.command("declare").with("text", scene.say("剣士", "Swordfighter")).await;
        let panel = carol.command("declare").await;
        let partners = scene.say("◆味方の宣言", "◆ What your partners have declared");
        assert!(panel.is_private() && panel.text().contains(partners), "{}", panel.text());
        let line = scene.say("P2を狙おう", "all on P2");
        let written = carol.command("side").with("text", line).await;
        assert!(written.is_private() && written.text().contains(line), "{}", written.text());
        let told =
            alice.sees(scene.say("あなたの側に書きました", "has written to your side")).await;
        let shown = alice.press(scene.say("味方を見る", "Show your side")).on(&told).await;
        assert!(shown.is_private() && shown.text().contains(line), "{}", shown.text());
        bob.command("side").await;
        carol.command("declare").with("text", scene.say("術士", "Caster")).await;
        carol.command("seal").await;
        alice.command("declare").with("text", scene.say("弓手", "Archer")).await;
        let changed = scene.say("封の後で宣言を変えました", "has changed what they declared");
        carol.sees(changed).await;
        alice.command("declare").with("text", scene.say("剣士", "Swordfighter")).await;
        carol.command("side").await;
        let dialogue = scene.discord.dialogue();
        assert_eq!(carol.times_told(changed), 1, "{}", carol.transcript());
        for secret in [line, partners, changed, scene.say("あなたの側に", "to your side (")] {
            let theirs = bob.transcript();
            assert!(secret == partners || !theirs.contains(secret), "{secret}: {theirs}");
        }
        scene.tells("sides", &dialogue);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_takes_no_direct_messages_is_not_called_in_the_thread_for_their_side() {
    let scene = decks(Locale::En).await;
    scene.carol.closes_dms(true);
    scene.discord.forgets();
    let before = [&scene.bob, &scene.carol].map(double::Person::transcript);
    scene.alice.command("side").with("text", "all on P2").await;
    scene.comes_to("select count(*) from outbox where sent_at is null", 0).await;
    scene.discord.quiet_for(Duration::from_secs(1)).await;
    let after = [&scene.bob, &scene.carol].map(double::Person::transcript);
    assert_eq!(before, after, "nobody else sees that there is a letter");
    let shown = scene.carol.command("side").await;
    assert!(shown.text().contains("all on P2"), "{}", shown.text());
    let kept = "select (select count(*) from barred) + (select count(*) from obstacles)";
    assert_eq!(scene.count(kept).await, 0, "the host is not told");
    scene.discord.forgive("50007");
}
