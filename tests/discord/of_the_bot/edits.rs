//! How often a post is drawn anew: in a storm it rests in between, and its last state is shown.

use std::time::{Duration, Instant};

use super::scenes::Scene;
use crate::double::Locale;

/// How long a post rests at least between two drawings.
pub(super) const REST: Duration = Duration::from_secs(2);

impl Scene {
    /// How often a message in a channel has been changed.
    pub(super) fn edits(&self) -> usize {
        self.discord.requests("PATCH /channels/*/messages/*").len()
    }
}

/// At most so many times a post is drawn anew in this time.
pub(super) fn most(time: Duration) -> usize {
    let rests = time.as_millis() / REST.as_millis();
    usize::try_from(rests).expect("a test takes no years") + 1
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_drafts_is_shown_in_a_few_steps_and_to_its_end() {
    let scene = Scene::playing(Locale::Ja, "explore", 2).await;
    scene.is_still().await;
    tokio::time::sleep(REST).await;
    let (alice, before, began) = (&scene.alice, scene.edits(), Instant::now());
    for _ in 0..6 {
        alice.command("declare").with("text", "3A 4B 5A").await;
        alice.command("withdraw").await;
    }
    alice.command("declare").with("text", "3A 4B 5A").await;
    alice.command("seal").await;
    alice.sees("alice:封をした").await;
    let (edits, most) = (scene.edits() - before, most(began.elapsed()));
    assert!((1..=most).contains(&edits), "{edits} drawings where {most} are enough");
}
