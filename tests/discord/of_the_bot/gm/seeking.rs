//! Calls for players, invitations, takeovers of seats, and kicks.

use super::super::scenes::{LOCALES, Scene};
use double::{Answer, Person};

impl Scene {
    /// Returns the button that takes a seat.
    fn take(&self) -> &'static str {
        self.say("席を引き継ぐ", "Take the seat")
    }

    /// True if the answer says that the person has the seat.
    fn has_taken(&self, answer: &Answer) -> bool {
        answer.text().contains(self.say("の席を引き継ぎました", "You now have the seat of"))
    }

    /// Adds another person to the table's thread.
    async fn comes_in(&self, name: &str) -> Person {
        let person = self.discord.person(name, self.locale());
        person.goes_to(self.discord.thread(self.say("えいつく", "Eitsuku")).await);
        person
    }

    /// Makes a decision with a reason, for example an invitation or a kick.
    async fn decides(&self, words: &str, with: &[(&str, &str)], why: &str) -> Answer {
        let mut asked = self.alice.command(words);
        for (name, value) in with {
            asked = asked.with(name, *value);
        }
        let asked = asked.await;
        self.decided(&self.alice, &asked, why).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_sought_and_takes_the_seat() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        let say = |ja, en| scene.say(ja, en);
        carol.command("table take").await;
        alice.complete("gm seat call", "seat", "b").await;
        scene.decides("gm seat call", &[("seat", "bob")], say("bobは忙しい", "bob is busy")).await;
        carol.sees(&format!("[{}]", scene.take())).await;
        carol.command("table show").await;
        bob.press(scene.take()).await;
        carol.command("table take").with("seat", "P9").await;
        let taken = carol.press(scene.take()).await;
        assert!(taken.is_private() && scene.has_taken(&taken), "{}", taken.text());
        carol.sees(say("の席をcarolが引き継ぎました", "carol has taken the seat of")).await;
        bob.sees(say("別の人が引き継ぎました", "Another player has taken your seat")).await;
        carol.command("hand").await;
        bob.command("hand").await;
        carol.press(scene.take()).await;
        scene.decides("gm seat call", &[("seat", "carol")], say("もう一度", "once more")).await;
        alice.command("gm seat call").with("seat", "carol").await;
        bob.command("table take").await;
        scene.decides("gm seat recall", &[("seat", "carol")], say("やめた", "a mistake")).await;
        bob.command("table take").with("seat", "carol").await;
        alice.command("gm seat recall").with("seat", "carol").await;
        scene.is_told("gm_call");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_presses_first_has_the_seat() {
    let scene = Scene::plays(LOCALES[1]).await;
    let (dan, erin) = (scene.comes_in("dan").await, scene.comes_in("erin").await);
    scene.decides("gm seat call", &[("seat", "bob")], "he is busy").await;
    let call = scene.carol.sees(&format!("[{}]", scene.take())).await;
    let press = async |person: &Person| person.press(scene.take()).on(&call).await;
    let (one, two, three) = tokio::join!(press(&scene.carol), press(&dan), press(&erin));
    let won = [&one, &two, &three].iter().filter(|answer| scene.has_taken(answer)).count();
    assert_eq!(won, 1, "{} {} {}", one.text(), two.text(), three.text());
    scene.is_still().await;
    let taken = dan.finds("has taken the seat of");
    assert_eq!(taken.len(), 1, "it is said once, in public");
    let post = dan.sees(": window 1").await;
    assert!(!post.text().contains("Replacement wanted"), "{}", post.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_is_asked_to_play() {
    for locale in LOCALES {
        let scene = Scene::set(locale, super::HAND).await;
        scene.sits(&[("pace", "daily 21:00")]).await;
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        let say = |ja, en| scene.say(ja, en);
        let dan = scene.comes_in("dan").await;
        scene.discord.forgets();
        let (carol_id, dan_id) = (carol.id().to_string(), dan.id().to_string());
        scene
            .decides("gm seat invite", &[("user", &carol_id)], say("3人がよい", "three are better"))
            .await;
        carol.sees(say("への招待", "You are invited to this table")).await;
        carol.goes_to_the_bot();
        carol.press(say("着席する", "Join")).await;
        scene
            .decides("gm seat kick", &[("seat", "carol")], say("人違い", "another was meant"))
            .await;
        carol.press(say("着席する", "Join")).await;
        scene.begins().await;
        alice.command("gm seat invite").with("user", dan_id.clone()).await;
        let asked = [("user", dan_id.as_str()), ("seat", "bob")];
        scene.decides("gm seat invite", &asked, say("bobは忙しい", "bob is busy")).await;
        dan.sees(say("あなただけへの招待", "nobody else can")).await;
        bob.command("table take").await;
        carol.command("table take").await;
        let taken = dan.press(scene.take()).await;
        assert!(scene.has_taken(&taken), "{}", taken.text());
        dan.command("hand").await;
        scene.is_told("gm_invite");
    }
}

/// A person who takes no direct messages is invited in the thread.
#[tokio::test(flavor = "multi_thread")]
async fn who_takes_no_direct_messages_is_asked_in_the_thread() {
    let scene = Scene::plays(LOCALES[1]).await;
    let carol = &scene.carol;
    carol.closes_dms(true);
    let id = carol.id().to_string();
    scene.decides("gm seat invite", &[("user", &id), ("seat", "bob")], "he is busy").await;
    let call = carol.sees("You have a message").await;
    assert!(!call.is_private());
    let told = carol.press("Show the message").on(&call).await;
    assert!(told.text().contains("You are invited to take the seat"), "{}", told.text());
    let taken = carol.press(scene.take()).on(&told).await;
    assert!(scene.has_taken(&taken), "{}", taken.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_free_again_when_somebody_is_sent_away() {
    for locale in LOCALES {
        let scene = Scene::set(locale, super::HAND).await;
        scene.sits(&[("pace", "daily 21:00")]).await;
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        let say = |ja, en| scene.say(ja, en);
        // Another person stays, or the bot players would play to the end.
        scene.comes_in("dan").await.command("table join").await;
        scene.begins().await;
        scene.discord.forgets();
        scene.decides("gm seat kick", &[("seat", "bob")], say("荒らした", "he was rude")).await;
        bob.sees(say("荒らした", "he was rude")).await;
        bob.command("hand").await;
        alice.command("gm seat kick").with("seat", "P1").await;
        scene.decides("gm seat call", &[("seat", "P1")], say("空いた", "it is free")).await;
        carol.sees(&format!("[{}]", scene.take())).await;
        bob.press(scene.take()).await;
        carol.press(scene.take()).await;
        scene.decides("gm table cancel", &[], say("全員の合意", "all agreed")).await;
        carol.sees(say("中止になりました", "was cancelled")).await;
        alice.command("gm table cancel").await;
        carol.press(scene.take()).await;
        scene.is_told("gm_kick");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_called_off_before_it_begins() {
    let scene = Scene::set(LOCALES[1], super::HAND).await;
    scene.sits(&[("pace", "daily 21:00")]).await;
    scene.decides("gm table cancel", &[], "nobody comes").await;
    let told = scene.bob.sees("was cancelled").await;
    assert!(told.text().contains("nobody comes"), "{}", told.text());
    let again = scene.carol.command("table join").await;
    assert!(again.text().contains("is over"), "{}", again.text());
}
