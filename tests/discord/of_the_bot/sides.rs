//! Shared data of a side, shown to its seats immediately and to nobody else.

use std::time::Duration;

use super::scenes::{Scene, above_controls, in_both};
use super::{CHANCE, closes};
use double::{Locale, Person};

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
        let partners = scene.say("◆味方の宣言", "◆ Your partners (for your side");
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

/// Declares the first of these texts that the window takes, and seals it. Does nothing in a window that asks
/// nothing of the person.
async fn declares(person: &Person, texts: &[&str]) {
    for text in texts {
        let panel = person.command("declare").with("text", *text).await;
        let told = panel.text();
        if !panel.buttons().iter().any(|button| button == "Submit (seal)") {
            return;
        }
        let is_taken = !["● Invalid", "stays as it was", "not understood", "not needed"]
            .iter()
            .any(|fault| told.contains(fault));
        if is_taken {
            let sealed = person.press("Submit (seal)").await;
            if sealed.buttons().iter().any(|button| button == "Submit anyway") {
                person.press("Submit anyway").await;
            }
            return;
        }
    }
}

const OVER: &str = "select count(*) from tables where stage = 'over'";
const WINDOWS: &str = "select count(*) from windows";

/// Letters of openings that are not posted yet.
const UNPOSTED: &str =
    "select count(*) from outbox where sent_at is null and letter like '%-opening-%'";

/// Waits until the next window is open and posted or the game is over; the host closes the window after a
/// second.
async fn goes_on(scene: &Scene, open: i64) {
    let closed = async || scene.count(WINDOWS).await > open || scene.count(OVER).await > 0;
    for look in 0..2400 {
        if closed().await {
            return scene.comes_to(UNPOSTED, 0).await;
        }
        if look == 40 {
            closes(&scene.alice).await;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("nothing follows: {}", scene.discord.transcript());
}

/// Six people play with a set that one of them wrote, one of them with a deck of their own; one is replaced
/// in the middle, and one is silent. `GUILD_WAR_MATCH="best of three"` plays a whole match.
#[tokio::test(flavor = "multi_thread")]
async fn six_people_play_a_whole_3on3_with_their_own_cards() {
    let folder = tempfile::tempdir().unwrap();
    let set = include_str!("../sets/evening.toml");
    std::fs::write(folder.path().join("evening.toml"), set).unwrap();
    let sets = folder.path().display().to_string();
    let set = [(CHANCE, "evening"), ("SHIMEKIRI_DATA_SETS", sets.as_str())];
    let scene = Scene::set_with(Locale::En, &set).await;
    let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
    let [dan, erin, frank, gina] =
        ["dan", "erin", "frank", "gina"].map(|name| scene.discord.person(name, Locale::En));
    let formed = alice.command("table new").with("game", "guild_war").with("pace", "6h");
    let length = std::env::var("GUILD_WAR_MATCH").unwrap_or_else(|_| "one game".to_owned());
    formed.with("options", format!("3on3, Evening set, {length}")).await;
    let thread = scene.discord.thread("Guild War").await;
    scene.discord.is_posted_in(thread).await;
    for person in [alice, bob, carol, &dan, &erin, &frank, &gina] {
        person.goes_to(thread);
    }
    for person in [alice, bob, carol, &dan, &erin, &frank] {
        person.command("table join").await;
    }
    alice.command("table start").await;
    alice.sees("the set “Evening set”").await;

    let deck = "Guard. My deck: 4 Push, 4 Swing, 4 Brace, 4 Rally, 4 Spear, 4 Bandage, 4 Torch, 2 Guard 10";
    declares(alice, &[deck]).await;
    let lines = ["Seer", "Guard", "Seer", "Seer", "Guard"];
    for (person, line) in [bob, carol, &dan, &erin, &frank].into_iter().zip(lines) {
        declares(person, &[line]).await;
    }
    let card = alice.command("card").with("name", "Push").await;
    assert!(card.text().contains("130% of ATK"), "{}", card.text());

    let on_b = ["Push P2", "normal attack P2", "normal attack P4", "normal attack P6", "none"];
    let on_a = ["normal attack P1", "normal attack P3", "normal attack P5", "none"];
    let (mut is_replaced, mut is_counted, mut has_passed) = (false, false, false);
    while scene.count(OVER).await == 0 {
        let open = scene.count(WINDOWS).await;
        assert!(open < 150, "the match does not end");
        let fifth = if is_replaced { &gina } else { &erin };
        if !is_counted && open > 2 {
            scene.discord.forgets();
            let panel = alice.press("Declare").await;
            is_counted = panel.text().contains("[normal attack]");
            if is_counted {
                alice.press("normal attack").await;
                alice.choose(&["normal attack bob"]).await;
                alice.press("Submit (seal)").await;
                scene.takes("an attack: taps", 4);
            }
        }
        if !has_passed && !alice.finds("[Pass]").is_empty() {
            scene.discord.forgets();
            has_passed = alice.press("Pass").await.text().contains("(sealed");
            if has_passed {
                scene.takes("a response: taps", 1);
            }
        }
        for person in [alice, carol, fifth] {
            declares(person, &on_b).await;
        }
        if (3..12).contains(&open) {
            let panel = alice.command("declare").await.text();
            let what = "panel with the drafts of two partners";
            scene.has_rows(what, &above_controls(&panel), 25);
        }
        for person in [bob, &dan] {
            declares(person, &on_a).await;
        }
        // Frank is silent for a while, so that the host closes the windows.
        let is_silent = (4..8).contains(&open);
        if !is_silent {
            declares(&frank, &on_a).await;
        }
        goes_on(&scene, open).await;
        if open == 8 {
            let user = gina.id().to_string();
            let asked = alice.command("gm seat replace").with("seat", "erin").with("user", user);
            scene.decided(alice, &asked.await, "erin is on holiday").await;
            is_replaced = true;
        }
    }
    assert!(is_counted && has_passed);
    let ended = bob.sees("is over. Thank you for playing").await;
    assert!(!ended.text().contains('@'), "{}", ended.text());
    let verified = frank.command("verify").await;
    assert!(verified.text().contains("OK: "), "{}", verified.text());
    for person in [alice, bob, &frank] {
        let transcript = person.transcript();
        let ids = transcript.lines().filter(|line| line.contains("-1@") || line.contains("sh@"));
        assert_eq!(ids.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}

/// Two people of a side, one with a deck of their own, play タッグルールG against two bots.
#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_a_whole_2v2_against_bots() {
    let scene = Scene::set_with(Locale::En, &[(CHANCE, "pair")]).await;
    let (alice, bob) = (&scene.alice, &scene.bob);
    alice.command("table new").with("game", "tag_g").with("pace", "6h").await;
    let thread = scene.discord.thread("Tag Rule G").await;
    scene.discord.is_posted_in(thread).await;
    for person in [alice, bob] {
        person.goes_to(thread);
        person.command("table join").await;
    }
    alice.command("table start").await;
    alice.sees("Seal the ready-made decks").await;
    let deck = "My deck: Hiiragi the Blade, 4 Shadow Step, 4 Second Blade, 4 Iron Flash, 4 Answering Cut, \
        2 High Stance, 1 Edge Wind, 1 Probing Jab, 1 Stepping Cut, 1 Full Swing, 1 Parry, 1 Read the Blow, \
        1 Step Between, 1 Deep Breath, 1 Close In, 1 Iron Sword, 1 Oak Shield, 1 Salve";
    let (_, cards) = deck.split_once(": ").unwrap();
    let checked = alice.command("deck check").with("cards", cards).await;
    assert!(checked.is_private() && checked.text().contains("can be played (T2.1)"), "{checked:?}");
    let faulty = format!("{cards}, 4 Salve");
    let checked = alice.command("deck check").with("cards", faulty).await.text();
    assert!(checked.contains("at most 4 copies, not 5"), "{checked}");
    let elsewhere = alice.command("deck check").with("cards", cards).with("game", "the_gang");
    let refused = elsewhere.await.text();
    assert!(refused.contains("No deck of one’s own is used here"), "{refused}");
    declares(alice, &[deck]).await;
    declares(bob, &["Deck Daimon's Maul"]).await;
    let [third, fourth] = ["P3", "P4"].map(|on| {
        ["Shadow Step", "Second Blade", "Iron Flash", "Stepping Cut", "Great Maul", "Leg Sweep"]
            .map(|card| format!("Attack {card} {on}"))
    });
    let answers = ["Answer Answering Cut", "Answer Parry", "Let pass", "none"].map(str::to_owned);
    let texts: Vec<String> = third.into_iter().chain(fourth).chain(answers).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (mut is_counted, mut has_answered) = (false, false);
    while scene.count(OVER).await == 0 {
        let open = scene.count(WINDOWS).await;
        assert!(open < 200, "the game does not end");
        let is_measured = is_counted && has_answered;
        if !is_measured && !alice.finds("[Declare]").is_empty() {
            scene.discord.forgets();
            let panel = alice.press("Declare").await;
            let is_new = !panel.text().contains("This is sealed");
            if !is_counted && is_new && panel.text().contains("{One more card") {
                alice.choose(&["Extra draw"]).await;
                is_counted = panel.text().contains("Attack card or summon");
                if is_counted {
                    alice.choose(&["Stepping Cut P3"]).await;
                    alice.press("Submit (seal)").await;
                    scene.takes("a turn with an extra draw and an attack: taps", 5);
                }
            } else if !has_answered && is_new && panel.text().contains("[Let pass] [Parry]") {
                scene.has_rows("answer to an attack", &above_controls(&panel.text()), 15);
                alice.press("Parry").await;
                alice.press("Submit (seal)").await;
                scene.takes("an answer to an attack: taps", 3);
                has_answered = true;
            }
        }
        for person in [alice, bob] {
            declares(person, &texts).await;
        }
        goes_on(&scene, open).await;
    }
    assert!(is_counted && has_answered);
    bob.sees("is over. Thank you for playing").await;
    let verified = bob.command("verify").await;
    assert!(verified.text().contains("OK: "), "{}", verified.text());
}
