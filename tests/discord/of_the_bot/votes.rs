//! Votes of the table: a proposal is posted in the thread with two buttons, and the post is kept up to date.

use super::scenes::{LOCALES, Scene};
use double::{Locale, Seen};

impl Scene {
    /// Starts a table of alice, bob, carol and a bot player.
    async fn votes(locale: Locale) -> Self {
        let scene = Self::set(locale, "explore").await;
        let thread = scene.table(4).await;
        scene.carol.goes_to(thread);
        scene.carol.command("table join").await;
        scene.begins().await;
        scene.discord.forgets();
        scene
    }

    /// Returns the posts in the thread that contain `words`, the newest last.
    fn posts(&self, words: &str) -> Vec<Seen> {
        let mut found = self.bob.finds(words);
        found.retain(|message| !message.is_private());
        found.sort_by_key(|message| message.id);
        found
    }

    /// Waits until the newest post that contains `words` has this many buttons.
    async fn comes(&self, words: &str, buttons: usize) -> Seen {
        for _ in 0..200 {
            let post = self.posts(words).pop();
            if let Some(post) = post.filter(|post| post.buttons().len() == buttons) {
                return post;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{words}: {}", self.bob.transcript());
    }

    /// Waits until no vote in the thread has buttons.
    async fn closes_all(&self) {
        for _ in 0..200 {
            let posts = self.posts(self.say("卓の投票", "vote"));
            if posts.iter().all(|post| post.buttons().is_empty()) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("a vote stays open: {}", self.bob.transcript());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_votes_by_one_press() {
    for locale in LOCALES {
        let scene = Scene::votes(locale).await;
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        let (yes, no) = (scene.say("賛成", "Yes"), scene.say("反対", "No"));
        let vote = || alice.command("vote");
        vote().await;
        vote().with("what", "extend").with("time", scene.say("いつか", "some day")).await;
        vote().with("what", "pause").await;
        vote().with("what", "pause").with("time", "+90d").await;
        vote().with("what", "replace").await;
        vote().with("what", "replace").with("player", alice.id().to_string()).await;
        vote().with("what", "yes").await;
        vote().with("what", "pace").with("text", scene.say("いつか", "some day")).await;
        vote().with("what", "extend").await;
        let open = scene.say("◆投票中\n", "Vote in progress");
        let post = scene.comes(open, 2).await;
        assert_eq!(post.buttons(), [yes, no]);
        vote().with("what", "extend").await;
        bob.press(no).on(&post).await;
        scene.comes(scene.say("賛成1、反対1", "Yes 1, no 1"), 2).await;
        bob.press(no).on(&post).await;
        carol.command("vote").await;
        carol.press(yes).on(&post).await;
        let passed = scene.comes(scene.say("賛成2、反対1", "Yes 2, no 1"), 0).await;
        assert!(passed.text().contains(scene.say("可決", "Vote passed")), "{}", passed.text());
        scene.closes_all().await;
        // A press on an outdated button is answered with the end of the vote.
        bob.press(yes).on(&post).await;
        alice.command("gm table log").await;
        scene.is_told("vote");
        shows(&scene, "vote_thread");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_changes_hands_and_a_table_ends_by_votes() {
    for locale in LOCALES {
        let scene = Scene::votes(locale).await;
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        let (yes, no) = (scene.say("賛成", "Yes"), scene.say("反対", "No"));
        let open = scene.say("◆投票中\n", "Vote in progress");
        let replace = alice.command("vote").with("what", "replace");
        replace.with("player", carol.id().to_string()).await;
        let post = scene.comes(open, 2).await;
        carol.press(no).on(&post).await;
        alice.command("vote").with("what", "pause").with("time", "+3d").await;
        bob.command("vote").with("what", "yes").await;
        bob.command("vote").await;
        bob.press(yes).on(&post).await;
        carol.sees(scene.say("提案の通りにします", "It is carried out as proposed")).await;
        carol.command("hand").await;
        let pause = scene.posts(scene.say("卓を休止する", "Pause the table")).pop().unwrap();
        carol.press(yes).on(&pause).await;
        bob.press(no).on(&pause).await;
        scene.comes(scene.say("◆投票：否決", "Vote failed"), 0).await;
        bob.command("vote").with("what", "draw").await;
        let draw = scene.comes(scene.say("引き分けとして", "as a draw"), 2).await;
        alice.press(yes).on(&draw).await;
        alice.sees(scene.say("もう一度遊ぶ", "Play again")).await;
        scene.closes_all().await;
        scene.is_told("vote_seat");
        shows(&scene, "vote_seat_thread");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_master_who_plays_asks_for_a_second_voice() {
    for locale in LOCALES {
        let scene = Scene::votes(locale).await;
        let (alice, carol) = (&scene.alice, &scene.carol);
        let time = scene.say("3日", "3d");
        let asked = alice.command("gm window pause").with("time", time).await;
        let decide = scene.say("実行して全員に知らせる", "Do it and notify everyone");
        assert_eq!(asked.buttons(), [decide], "it is not decided quietly");
        let form = alice.press(decide).await;
        alice.submit(&form, &[("0", scene.say("祭り", "a feast"))]).await;
        let post = scene.comes(scene.say("◆投票中\n", "Vote in progress"), 2).await;
        carol.press(scene.say("賛成", "Yes")).on(&post).await;
        scene.comes(scene.say("◆投票：可決", "Vote passed"), 0).await;
        scene.closes_all().await;
        carol.command("declare").with("text", "3A").await;
        carol.command("seal").await;
        alice.command("gm table log").await;
        scene.is_told("vote_second");
    }
}

/// Compares the thread's posts about votes with a snapshot.
#[track_caller]
fn shows(scene: &Scene, name: &str) {
    let heading = scene.say("卓の投票", "vote");
    let posts = scene.posts(heading);
    let text: Vec<String> =
        posts.iter().map(|post| format!("{}\n{:?}\n", post.text(), post.buttons())).collect();
    let text: String = timeless(&double::transcript::headless(&text.join("\n")));
    scene.tells(name, &text);
}

/// Masks timestamps, which are those of the day.
fn timeless(text: &str) -> String {
    let mut pieces = text.split("<t:");
    let mut timeless = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        timeless += "<t:…";
        timeless += piece.split_once(':').map_or(piece, |(_, rest)| rest);
    }
    timeless
}

/// A draw that one vote decides needs a confirmation by the button below the question.
#[tokio::test(flavor = "multi_thread")]
async fn a_draw_by_ones_own_voice_is_asked_about() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        scene.table(3).await;
        scene.bob.command("table leave").await;
        scene.begins().await;
        let asked = scene.alice.command("vote").with("what", "draw").await;
        let question = scene.say(
            "ほかに投票する人がいないため、ゲームはすぐに引き分けで終わり、元に戻せません。",
            "Nobody else votes on this: the game ends as a draw at once, for good.",
        );
        assert!(asked.text().contains(question), "{}", asked.text());
        let draw = scene.say("引き分けで終える", "End the game as a draw");
        assert_eq!(asked.buttons(), [draw]);
        scene.alice.press(draw).await;
        scene.alice.sees(scene.say("引き分け", "draw")).await;
        scene.comes_to("select count(*) from tables where stage = 'over'", 1).await;
    }
}
