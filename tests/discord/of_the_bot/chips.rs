//! A game whose windows ask everybody one thing or allow immediate acts, played with the buttons of its post.

use std::time::{Duration, Instant};

use super::edits::{REST, most};
use super::scenes::{LOCALES, Scene, in_both};
use super::{CHANCE, RESTED};
use double::{Locale, Person, Place};

const ACTS: &str = r#"select count(*) from journal where body like '%"kind":"acted"%'"#;

impl Scene {
    /// Starts a table of alice, bob and carol with this option.
    async fn heist(locale: Locale, option: [&str; 2], set: &[(&str, &str)]) -> (Self, Place) {
        let scene = Self::set_with(locale, &[&[(CHANCE, "heist 0")], set].concat()).await;
        let formed = scene.alice.command("table new").with("game", "the_gang").with("seats", 3);
        formed.with("pace", "6h").await;
        let thread = scene.discord.thread(scene.say("ザ・ギャング", "The Gang")).await;
        scene.discord.is_posted_in(thread).await;
        for person in scene.gang() {
            person.goes_to(thread);
            person.command("table join").await;
        }
        scene.alice.command("table settings").await;
        scene.alice.choose(&[scene.say(option[0], option[1])]).await;
        scene.alice.command("table start").await;
        scene.opens(1).await;
        (scene, thread)
    }

    fn gang(&self) -> [&Person; 3] {
        [&self.alice, &self.bob, &self.carol]
    }

    /// Waits for the post of a window.
    async fn opens(&self, window: usize) {
        let heading = self.say("：第#回受付", ": window #").replace('#', &window.to_string());
        self.alice.sees(&heading).await;
    }

    /// Uses the Informant after a failed heist: alice shows bob a card.
    async fn uses_the_informant(&self) {
        let [alice, bob, carol] = self.gang();
        self.discord.forgets();
        alice.press(self.say("提案…", "Propose…")).await;
        alice.press("alice").await;
        alice.press("bob").await;
        alice.press(self.say("実行する", "Act")).await;
        for (at, person) in (2..).zip([bob, carol]) {
            person.press(self.say("同意", "Agree")).acknowledged().await;
            self.comes_to(ACTS, at).await;
        }
        self.opens(7).await;
        bob.press(self.say("宣言する", "Declare")).await;
        let asked = alice.press(self.say("宣言する", "Declare")).await;
        let is_card = |button: &String| button.starts_with(['♠', '♥', '♦', '♣']);
        let card = asked.buttons().into_iter().find(is_card).unwrap();
        alice.press(&card).await;
        alice.press(self.say("提出（封をする）", "Submit (seal)")).await;
        super::closes(alice).await;
        self.opens(8).await;
        bob.press(self.say("宣言する", "Declare")).await;
        self.is_told("chips_informant");
    }

    /// Presses a chip for everybody, and closes the window.
    async fn wishes(&self, window: usize, chips: [&str; 3]) {
        for (person, chip) in self.gang().into_iter().zip(chips) {
            person.press(chip).await;
        }
        super::closes(&self.alice).await;
        self.opens(window + 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heist_is_played_with_one_press_for_each_wish() {
    const ADVANCED: [&str; 2] = [
        "中級者向け：成功の後はチャレンジカード、失敗の後はスペシャリストカード",
        "Advanced: a challenge after a success, a specialist after a failure",
    ];
    for locale in LOCALES {
        let (scene, thread) = Scene::heist(locale, ADVANCED, &[]).await;
        scene.is_still().await;
        scene.discord.forgets();
        let edits = scene.edits();
        let sealed = scene.alice.press("★1").await;
        assert!(sealed.is_private(), "{}", sealed.text());
        scene.takes("a chip: taps", 1);
        assert!(scene.rows(&sealed.text()) <= 8, "{}", sealed.text());
        // The last press counts.
        scene.alice.press("★2").await;
        scene.alice.command("declare").await;
        scene.is_still().await;
        assert_eq!(scene.edits(), edits, "nobody is to see when anything is sealed");
        scene.wishes(1, ["★2", "★2", "★3"]).await;
        scene.wishes(2, ["★1", "★2", "★3"]).await;
        scene.wishes(3, ["★1", "★2", "★3"]).await;
        scene.wishes(4, ["★2", "★1", "★3"]).await;
        scene.wishes(5, ["★1", "★2", "★3"]).await;
        scene.alice.command("declare").await;
        scene.is_still().await;
        scene.is_told("chips_sealed");
        scene.tells("chips_sealed_thread", &scene.discord.shows(thread));
        scene.uses_the_informant().await;
    }
}

const LIVE: [&str; 2] = ["チップを1枚ずつすぐに取る", "Chips taken one by one, openly"];

/// Plays every deed of live chips by the buttons of the post, each tapped twice, `apart` from each other.
async fn takes_chips(apart: Duration) {
    let (scene, _) = Scene::heist(Locale::En, LIVE, &[]).await;
    let [alice, bob, carol] = scene.gang();
    scene.is_still().await;
    let deeds = [
        (alice, "Take ★1"),
        (bob, "Take ★1"),
        (carol, "Take ★3"),
        (alice, "Take ★2"),
        (bob, "OK"),
        (alice, "OK"),
    ];
    for (at, (person, button)) in (1..).zip(deeds) {
        let post = person.finds(": window 1").pop().unwrap();
        scene.taps_twice((person, button, &post), apart, (ACTS, at)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chip_that_is_tapped_twice_is_taken_once() {
    let [at_once, soon, late] = [0, 150, 300].map(Duration::from_millis);
    tokio::join!(takes_chips(at_once), takes_chips(soon), takes_chips(late));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_of_live_chips_is_played_by_presses_and_shown_in_a_few_steps() {
    in_both(async |locale| {
        let (scene, thread) = Scene::heist(locale, LIVE, &[RESTED]).await;
        let [alice, bob, carol] = scene.gang();
        let ok = "OK".to_owned();
        let take = |chip| format!("{} ★{chip}", scene.say("取る", "Take"));
        scene.is_still().await;
        tokio::time::sleep(REST).await;
        scene.discord.forgets();
        let post = scene.alice.finds(scene.say("：第1回受付", ": window 1")).pop().unwrap();
        let (edits, began) = (scene.edits(), Instant::now());
        let acts = [
            (alice, take(1)),
            (bob, take(1)),
            (alice, take(2)),
            (alice, ok.clone()),
            (carol, take(3)),
            (alice, take(3)),
            (carol, take(2)),
            (bob, take(2)),
            (carol, take(1)),
            (alice, ok.clone()),
            (bob, ok.clone()),
            (carol, ok.clone()),
        ];
        for (at, (person, chip)) in (1..).zip(acts) {
            if at == 10 {
                // Each drawn button is pressed once by a seat: alice has said OK before.
                tokio::time::sleep(REST).await;
                scene.is_still().await;
            }
            // OK is possible only once a player has a chip.
            let press = person.press(&chip);
            let press = if chip == ok { press } else { press.on(&post) };
            press.acknowledged().await;
            scene.comes_to(ACTS, at).await;
            if at == 9 {
                // The button on the previous post has already had its effect.
                alice.press(&take(1)).on(&post).acknowledged().await;
                let words = scene.say("もう実行済みです", "That is done already");
                assert!(alice.sees(words).await.is_private());
            }
        }
        scene.opens(2).await;
        let (edits, most) = (scene.edits() - edits, most(began.elapsed()));
        assert!((1..=most).contains(&edits), "{edits} drawings where {most} are enough");
        // A press in the previous round is answered as outdated.
        bob.press(&take(1)).on(&post).await;
        // The chips of this round are yellow.
        alice.command("act").with("text", scene.say("白★3", "white ★3")).await;
        alice.command("act").with("text", scene.say("★3を取る", "take ★3")).await;
        alice.command("act").with("text", "OK").await;
        alice.command("declare").await;
        scene.is_still().await;
        scene.is_told("chips_live");
        scene.tells("chips_live_thread", &scene.discord.shows(thread));
        scene.has_rested();
    })
    .await;
}
