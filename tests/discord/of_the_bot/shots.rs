//! A game in which other players react to an act, each on a form that is the same for all.

use std::time::Duration;

use super::game::play_to_the_end;
use super::scenes::{LOCALES, Scene, in_both};
use super::{Bot, CHANCE, PLAIN, closes, people, table_of};
use double::{Discord, Locale, Person, Seen};

/// The query for the number of immediate acts.
const ACTS: &str = r#"select count(*) from journal where body like '%"kind":"acted"%'"#;

impl Scene {
    /// Starts a table of alice and bob among bot players.
    async fn gangsters(locale: Locale) -> Self {
        let scene = Self::set_with(locale, &[(CHANCE, "shots 0")]).await;
        let formed = scene.alice.command("table new").with("game", "gangster_paradise");
        formed.with("seats", 4).with("pace", "6h").await;
        let thread =
            scene.discord.thread(scene.say("ギャングスターパラダイス", "Gangster Paradise")).await;
        scene.discord.is_posted_in(thread).await;
        for person in [&scene.alice, &scene.bob] {
            person.goes_to(thread);
            person.command("table join").await;
        }
        scene.alice.command("table start").await;
        scene.is_at(1).await;
        scene
    }

    /// Waits for the post of a window.
    async fn is_at(&self, window: usize) {
        let heading = self.say("：第#回受付", ": window #").replace('#', &window.to_string());
        self.alice.sees(&heading).await;
    }

    /// Lets alice shoot bob, who is asked the same as everybody else.
    async fn shoots_bob(&self) {
        let (declare, seal) =
            (self.say("宣言する", "Declare"), self.say("提出（封をする）", "Submit (seal)"));
        let before = self.windows().await;
        let first = self.say("GUN P3 BULLET、GUN P4", "GUN P3 BULLET, GUN P4");
        self.alice.command("declare").with("text", first).await;
        // A second declaration replaces the first.
        let said = self.say("GUN P2 BULLET 終了", "GUN P2 BULLET end");
        let panel = self.alice.command("declare").with("text", said).await;
        assert!(panel.text().contains("・行動 GUN") || panel.text().contains("・Act GUN"));
        self.alice.press(seal).await;
        closes(&self.alice).await;
        self.follows(before).await;
        self.is_still().await;
        self.discord.forgets();
        let panel = self.bob.press(declare).await;
        assert!(self.rows_of_panel(&panel.text()) <= 15, "{}", panel.text());
        self.is_told("shots_reaction");
        self.bob.command("declare").with("text", self.say("対応 GRENADE", "React GRENADE")).await;
        self.bob.press(seal).await;
        self.is_still().await;
        self.discord.forgets();
        closes(&self.alice).await;
        // Posts of windows that wait for bot players alone appear only briefly.
        self.bob.sees(self.say("がライフを失う（P7.1）", "loses the life (P7.1)")).await;
        self.bob.sees(self.say("殺害ボーナス：", "Kill bonus: ")).await;
    }

    /// Returns the number of the latest window.
    async fn windows(&self) -> i64 {
        self.count("select max(number) from windows").await
    }

    /// Returns the number of rows of a panel: its text, and one for each menu and each row of buttons.
    fn rows_of_panel(&self, panel: &str) -> usize {
        let is_control = |line: &&str| line.trim_start_matches(['|', ' ']).starts_with(['{', '[']);
        let (controls, words): (Vec<&str>, Vec<&str>) = panel.lines().partition(is_control);
        self.rows(&words.join("\n")) + controls.len()
    }

    /// Closes windows until it is alice's turn.
    async fn comes_to_alices_turn(&self) {
        let asked = self.say("使うカード", "card to use");
        for _ in 0..40 {
            // A window that waits for bot players alone closes by itself.
            self.is_still().await;
            let panel = self.alice.command("declare").await;
            if panel.text().contains(asked) || panel.buttons().iter().any(|it| it.contains(asked)) {
                return;
            }
            let before = self.windows().await;
            closes(&self.alice).await;
            self.follows(before).await;
        }
        panic!("it is never alice's turn: {}", self.discord.transcript());
    }

    async fn follows(&self, before: i64) {
        for _ in 0..200 {
            if self.windows().await > before {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("nothing follows the close: {}", self.discord.transcript());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_act_is_sealed_and_answered_on_a_form_that_fits_a_phone() {
    for locale in LOCALES {
        let scene = Scene::gangsters(locale).await;
        scene.discord.forgets();
        scene.alice.press(scene.say("宣言する", "Declare")).await;
        scene.is_told("shots_opening");
        scene.comes_to_alices_turn().await;
        scene.is_still().await;
        scene.discord.forgets();
        let before = scene.count(ACTS).await;
        let panel = scene.alice.command("declare").await;
        assert!(scene.rows_of_panel(&panel.text()) <= 15, "{}", panel.text());
        scene.alice.command("hand").await;
        // The name of a card alone is answered with the card's effect, and nothing is done.
        let money = scene.say("MONEY\u{ff1f}", "MONEY?");
        scene.alice.command("declare").with("text", money).await;
        assert_eq!(scene.count(ACTS).await, before);
        // An immediate act is offered as a button, wherever it is typed; an irrevocable act needs a
        // confirmation.
        let draw = scene.say("ワンモアドロー", "One more draw");
        scene.alice.command("declare").with("text", draw).await;
        scene.alice.press(scene.say("実行する", "Act")).await;
        scene.is_told("shots_turn");
        scene.shoots_bob().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dispute_over_a_reaction_is_decided_by_a_gm() {
    for locale in LOCALES {
        let scene = Scene::gangsters(locale).await;
        let Scene { alice, bob, carol, .. } = &scene;
        let thread =
            scene.discord.thread(scene.say("ギャングスターパラダイス", "Gangster Paradise")).await;
        carol.goes_to(thread);
        scene.comes_to_alices_turn().await;
        scene.is_still().await;
        scene.discord.forgets();
        alice.command("gm seat appoint").with("who", carol.id().to_string()).await;
        let (seal, before) =
            (scene.say("提出（封をする）", "Submit (seal)"), scene.windows().await);
        let said = scene.say("GUN P2 BULLET 終了", "GUN P2 BULLET end");
        alice.command("declare").with("text", said).await;
        alice.press(seal).await;
        closes(alice).await;
        scene.follows(before).await;
        // Windows are counted from 0 in the database, and from 1 for people.
        let reaction = scene.windows().await;
        closes(alice).await;
        bob.sees(scene.say("がライフを失う（P7.1）", "loses the life (P7.1)")).await;
        scene.is_still().await;
        let asked = carol.command("gm table rollback").with("window", reaction + 1).await;
        let why = scene.say("用紙に間違いがあった", "the form was wrong");
        scene.decided(carol, &asked, why).await;
        scene.follows(reaction).await;
        bob.command("declare").with("text", scene.say("対応 GRENADE", "React GRENADE")).await;
        bob.press(seal).await;
        scene.is_still().await;
        carol.command("gm table log").await;
        scene.is_told("shots_dispute");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trade_is_offered_and_accepted_by_presses_alone() {
    for locale in LOCALES {
        let scene = Scene::gangsters(locale).await;
        scene.comes_to_alices_turn().await;
        scene.is_still().await;
        scene.discord.forgets();
        let Scene { alice, bob, .. } = &scene;
        let (act, next) = (scene.say("実行する", "Act"), scene.say("次へ", "Next"));
        let given = scene.say("BULLET 弾丸", "BULLET");
        alice.press(scene.say("取引…", "Trade…")).await;
        alice.press("bob").await;
        alice.choose(&[given]).await;
        alice.press(next).await;
        alice.choose(&["1"]).await;
        alice.press(scene.say("省略：使いません", "Leave out: not used")).await;
        let done = alice.press(act).await;
        assert!(done.text().contains('✅'), "{}", done.text());
        bob.command("act").await;
        let picks = bob.press(scene.say("応じる", "Accept")).await;
        bob.choose(&[&*picks.options()[0]]).await;
        let done = bob.press(act).await;
        assert!(done.text().contains('✅'), "{}", done.text());
        scene.is_still().await;
        scene.is_told("shots_trade");
    }
}

const DONE: &str = "✅ Done.";

/// Plays a draw by the post and a trade by panels, with each button tapped twice, `apart` from each other.
async fn draws_and_trades(apart: Duration) {
    let scene = Scene::gangsters(Locale::En).await;
    scene.comes_to_alices_turn().await;
    scene.is_still().await;
    let Scene { alice, bob, .. } = &scene;
    let is_post = |seen: &Seen| !seen.is_private();
    let post = alice.finds("[One more draw]").into_iter().rfind(is_post).unwrap();
    let before = scene.count(ACTS).await;
    alice.press("One more draw").on(&post).await;
    taps_act_twice(&scene, alice, apart, before + 1).await;

    alice.press("Trade…").await;
    alice.press("bob").await;
    alice.choose(&["BULLET"]).await;
    alice.press("Next").await;
    alice.choose(&["1"]).await;
    alice.press("Leave out: not used").await;
    taps_act_twice(&scene, alice, apart, before + 2).await;
    bob.command("act").await;
    let picks = bob.press("Accept").await;
    bob.choose(&[&*picks.options()[0]]).await;
    taps_act_twice(&scene, bob, apart, before + 3).await;
}

/// Taps the button of a panel twice, and asserts that the act was carried out once.
async fn taps_act_twice(scene: &Scene, person: &Person, apart: Duration, acts: i64) {
    let panel = person.finds("If it is right, act").pop().unwrap();
    let done = person.transcript().matches(DONE).count();
    scene.taps_twice((person, "Act", &panel), apart, (ACTS, acts)).await;
    let transcript = person.transcript();
    assert_eq!(transcript.matches(DONE).count(), done + 1, "{apart:?}: {transcript}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deed_that_is_tapped_twice_is_done_once_and_both_taps_are_answered() {
    let [at_once, soon, late] = [0, 150, 300].map(Duration::from_millis);
    tokio::join!(draws_and_trades(at_once), draws_and_trades(soon), draws_and_trades(late));
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_react_to_an_act_or_let_it_pass() {
    in_both(async |locale| {
        let scene = Scene::gangsters(locale).await;
        scene.is_still().await;
        scene.discord.forgets();
        scene.bob.command("orders").await;
        scene.bob.choose(&[scene.say("GRENADE 手榴弾", "GRENADE")]).await;
        let panel = scene.bob.press(scene.say("ほかは通す", "The rest passes")).await;
        assert!(scene.rows_of_panel(&panel.text()) <= 15, "{}", panel.text());
        scene.bob.command("orders").with("text", scene.say("HERO なし", "HERO none")).await;
        scene.is_told("shots_orders");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_gangsters_play_a_whole_game() {
    let discord = Discord::start();
    let people = people(&discord);
    let [alice, ..] = &people;
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let game = ["gangster_paradise", "ギャングスターパラダイス"];
    table_of(&discord, game, &people.each_ref(), 4).await;
    alice.press("始める").await;
    alice.sees("締め切り・告知：").await;
    let words = ["GUN P2 BULLET", "GUN P3 BULLET", "GUN P4 BULLET", "GUN P1 BULLET"];
    let windows = play_to_the_end(&people, words, 250).await;
    assert!(windows > 8, "{windows}");
}
