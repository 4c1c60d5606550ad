//! The display of a table, and of its rules.

use super::{LOCALES, Scene};

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_a_board_and_rulings_are_shown_to_one_alone() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, "explore", 2).await;
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        scene.discord.forgets();
        alice.command("why").await;
        alice.command("hand").await;
        carol.command("hand").await;
        carol.command("table show").await;
        scene.is_told("look_hand_and_board");
        alice.command("declare").with("text", "3A 4B 5A").await;
        scene.closes().await;
        scene.discord.forgets();
        alice.command("why").await;
        bob.press(scene.say("裁定", "Rulings")).await;
        scene.is_told("look_why");
        scene.discord.forgets();
        let log = alice.command("log").await;
        assert!(log.is_private());
        scene.is_told("look_log");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_read_whole_or_by_clause() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        scene.table(2).await;
        scene.discord.forgets();
        let whole = scene.alice.command("rules").with("clause", "all").await;
        let (name, bytes) = whole.message().files()[0].clone();
        assert_eq!(name, "letter.md");
        let whole = String::from_utf8(bytes).unwrap();
        let [told, other] = match scene.say("ja", "en") {
            "ja" => ["ゲームの進行", "Game flow"],
            _ => ["Game flow", "ゲームの進行"],
        };
        assert!(whole.contains("**E4.3** ") && whole.contains(&format!("E2 {told}\n")));
        assert!(!whole.contains(other), "{whole}");
        scene.discord.forgets();
        scene.alice.command("rules").await;
        scene.alice.press("rules:eitsuku:E6").await;
        for clause in ["e4.3", scene.say("方針転換", "change of plan"), "E9.9", "*x*"] {
            scene.alice.command("rules").with("clause", clause).await;
        }
        scene.is_told("look_rules");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_card_does_is_told_wherever_it_is() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, "explore", 2).await;
        scene.discord.forgets();
        let alice = &scene.alice;
        let hand = alice.command("hand").await;
        assert!(hand.is_private(), "{}", hand.text());
        let cards = alice.press(scene.say("カードの効果", "What these cards do")).await;
        assert!(cards.is_private(), "{}", cards.text());
        alice.command("card").with("name", scene.say("ストライク", "strikes")).await;
        alice.command("card").with("name", scene.say("スト", "strike")).await;
        // A card of another game is found as well.
        alice.command("card").with("name", scene.say("マッスル", "Muscle")).await;
        alice.command("card").completing("name", scene.say("役者大", "award")).await;
        scene.carol.command("rules").completing("clause", scene.say("得点", "scoring")).await;
        scene.is_told("look_cards");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_shown_from_its_forming_to_its_first_result() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        let general = scene.discord.channel("general");
        scene.alice.command("table list").await;
        let thread = scene.table(3).await;
        scene.carol.press(scene.say("着席する", "Join")).await;
        scene.carol.command("table leave").await;
        scene.alice.command("table show").await;
        scene.bob.command("table show").await;
        scene.carol.command("table show").await;
        scene.alice.command("table list").in_channel(general).await;
        scene.is_told("life_forming");
        scene.is_still().await;
        scene.tells("life_forming_thread", &scene.discord.shows(thread));
        scene.begins().await;
        scene.alice.command("table list").await;
        scene.alice.command("declare").with("text", "3A 4B").await;
        scene.alice.command("seal").await;
        scene.closes().await;
        scene.is_still().await;
        // Only a bot player is asked in the setup window, which closes immediately: its post may or may not
        // have been posted by then.
        let closed = scene.say("準備の受付は終了しました", "setup window is over");
        let shown = scene.discord.shows(thread);
        let shown: Vec<&str> = shown.lines().filter(|line| !line.ends_with(closed)).collect();
        scene.tells("life_playing_thread", &shown.join("\n"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_waits_for_its_host_is_resumed() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        let thread = scene.table_by(scene.say("6h 障害時は待機", "6h outage wait"), 2).await;
        scene.begins().await;
        scene.misses_a_deadline().await;
        scene.bob.sees(scene.say("停止中", "Stopped")).await;
        scene.discord.forgets();
        scene.bob.command("declare").with("text", "3A").await;
        scene.bob.command("table resume").await;
        scene.alice.command("table show").await;
        scene.alice.command("table resume").await;
        scene.bob.sees(scene.say("締め切りの延長", "Deadline extended")).await;
        scene.is_told("life_resumed");
        scene.is_still().await;
        let shown = scene.discord.shows(thread);
        let held = shown.rfind(scene.say("◆停止中", "◆ Stopped")).unwrap();
        scene.tells("life_resumed_thread", &shown[held..]);
    }
}
