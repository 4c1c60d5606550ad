//! The redraws of a post: at intervals in a storm of changes, and to the last state.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::scenes::Scene;
use super::{CHANCE, RESTED};
use double::Locale;

const EDIT: &str = "PATCH /channels/*/messages/*";

/// The minimum time between two redraws of a post.
pub(super) const REST: Duration = Duration::from_secs(2);

/// The maximum time by which a busy machine delays the double's note of a request.
const DELAY: Duration = Duration::from_millis(500);

impl Scene {
    /// Returns the number of edits of messages in channels.
    pub(super) fn edits(&self) -> usize {
        self.discord.requests(EDIT).len()
    }

    /// True if the post with this heading has buttons.
    fn can_be_pressed(&self, heading: &str) -> bool {
        let posts = self.alice.finds(heading).into_iter().filter(|seen| !seen.is_private());
        posts.map(|post| post.buttons().len()).sum::<usize>() > 0
    }

    /// Asserts that no message was edited again within the minimum time.
    #[track_caller]
    pub(super) fn has_rested(&self) {
        let mut before = BTreeMap::new();
        for edit in self.discord.requests(EDIT) {
            let message = edit.route.segments().join("/");
            if let Some(before) = before.insert(message, edit.at) {
                let rest = edit.at.saturating_sub(before);
                assert!(
                    rest + DELAY >= REST,
                    "{rest:?}: {} {}",
                    edit.route.segments().join("/"),
                    edit.body
                );
            }
        }
    }
}

/// Returns the maximum number of redraws of a post in this time.
pub(super) fn most(time: Duration) -> usize {
    let rests = time.as_millis() / REST.as_millis();
    usize::try_from(rests).expect("a test takes no years") + 1
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_drafts_is_shown_in_a_few_steps_and_to_its_end() {
    let scene = Scene::playing_with(Locale::Ja, &[(CHANCE, "explore"), RESTED], 2).await;
    scene.is_still().await;
    tokio::time::sleep(REST).await;
    let (alice, before, began) = (&scene.alice, scene.edits(), Instant::now());
    for _ in 0..6 {
        alice.command("declare").with("text", "3A 4B 5A").await;
        alice.command("withdraw").await;
    }
    alice.command("declare").with("text", "3A 4B 5A").await;
    alice.command("seal").await;
    alice.sees("封済み ✅：alice").await;
    let (edits, most) = (scene.edits() - before, most(began.elapsed()));
    assert!((1..=most).contains(&edits), "{edits} drawings where {most} are enough");
    // The window closes while its post rests.
    scene.closes().await;
    scene.is_still().await;
    assert!(!scene.can_be_pressed("第1回受付"));
    scene.has_rested();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_that_is_past_is_drawn_so_by_a_program_that_is_started_again() {
    let chance = (CHANCE, "explore");
    let slow = [chance, ("SHIMEKIRI_DISCORD_REST", "1h")];
    let mut scene = Scene::playing_with(Locale::Ja, &slow, 2).await;
    scene.alice.command("declare").with("text", "3A 4B 5A").await;
    scene.comes_to("select count(*) from tables where shown = stirred", 1).await;
    scene.closes().await;
    let waits = "select count(*) from past_posts join tables on tables.code = past_posts.code
         where number = open_window - 1";
    scene.comes_to(waits, 1).await;
    assert!(scene.can_be_pressed("第1回受付"));
    scene.starts_again_with(&[RESTED]).await;
    scene.is_still().await;
    assert!(!scene.can_be_pressed("第1回受付"));
    scene.has_rested();
}
