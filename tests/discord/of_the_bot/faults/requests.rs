//! Faults of requests.

use std::time::Duration;

use super::evening::{Evening, assert_same};
use double::{Discord, Scope};

const MESSAGE: &str = "POST /channels/*/messages";
const EDIT: &str = "PATCH /channels/*/messages/*";
const CALLBACK: &str = "POST /interactions/*/*/callback";
const ANSWER: &str = "PATCH /webhooks/*/*/messages/@original";
const DIRECT: &str = "POST /users/@me/channels";

const SOON: Duration = Duration::from_millis(400);
const LATE: Duration = Duration::from_millis(1500);

/// The name of a fault in one window, and its cause.
type Trouble = (&'static str, fn(&Discord));

/// The faults, one for each window.
const TROUBLES: &[Trouble] = &[
    ("500", |discord| discord.when(MESSAGE).answers(500)),
    ("502 twice, then 503", |discord| {
        discord.when(MESSAGE).nth(2).times(2).answers(502);
        discord.when(MESSAGE).nth(4).answers(503);
    }),
    ("500 after it took effect", |discord| {
        discord.when(MESSAGE).takes_effect_and_answers(500);
        discord.when(MESSAGE).nth(3).takes_effect_and_answers(502);
    }),
    ("lost before", |discord| discord.when(MESSAGE).nth(2).gets_lost()),
    ("lost after", |discord| {
        discord.when(MESSAGE).takes_effect_and_its_answer_is_lost();
        discord.when(MESSAGE).nth(3).takes_effect_and_its_answer_is_lost();
    }),
    ("429 of the route", |discord| {
        discord.when(MESSAGE).times(2).comes_too_early(SOON, Scope::User);
    }),
    ("429 of the bot", |discord| {
        discord.when(MESSAGE).nth(2).comes_too_early(SOON, Scope::Global);
    }),
    ("429 of the channel", |discord| {
        discord.when(MESSAGE).comes_too_early(SOON, Scope::Shared);
        discord.when(EDIT).comes_too_early(SOON, Scope::Shared);
    }),
    ("slow before and after", |discord| {
        discord.when(MESSAGE).comes_late(LATE);
        discord.when(MESSAGE).nth(2).takes_effect_and_answers_late(LATE);
    }),
    ("edits", |discord| {
        discord.when(EDIT).answers(500);
        discord.when(EDIT).nth(2).takes_effect_and_its_answer_is_lost();
    }),
    ("answers to people", |discord| {
        discord.when(CALLBACK).takes_effect_and_its_answer_is_lost();
        discord.when(ANSWER).answers(502);
        discord.when(ANSWER).nth(3).takes_effect_and_its_answer_is_lost();
    }),
    ("conversations", |discord| {
        discord.when(DIRECT).answers(500);
        discord.when(DIRECT).nth(2).takes_effect_and_its_answer_is_lost();
    }),
];

/// Returns the messages seen after each window.
async fn evening(is_troubled: bool) -> Vec<String> {
    let mut evening = Evening::begins().await;
    let mut seen = Vec::new();
    for (name, trouble) in TROUBLES {
        if is_troubled {
            if *name == "conversations" {
                // A restarted program has no conversations in its cache.
                evening.bot.is_killed();
                evening.bot.starts_again(&evening.discord, &[]).await;
            }
            trouble(&evening.discord);
        }
        evening.declare().await;
        if *name == "conversations" {
            evening.is_brought_near().await;
            evening.settles().await;
        }
        evening.closes().await;
        evening.settles().await;
        seen.push(evening.seen());
    }
    // The first acknowledgement took effect although its response was lost.
    assert_eq!(evening.discord.forgive("40060"), usize::from(is_troubled));
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_everything_once_though_requests_go_wrong() {
    let (troubled, calm) = tokio::join!(evening(true), evening(false));
    for (at, (name, _)) in TROUBLES.iter().enumerate() {
        assert_same(&troubled[at], &calm[at], name);
    }
    assert!(calm.last().unwrap().contains("ターン12"), "{}", calm.last().unwrap());
}
