//! Losses of the connection to the gateway.

use std::future::IntoFuture;
use std::time::Duration;

use futures_util::future::join_all;

use super::super::PLAIN;
use super::evening::{Evening, assert_same};
use double::{Discord, Settings};

/// The name of a fault of the connection, and its cause.
type Trouble = (&'static str, fn(&Discord));

/// The faults after which a session is resumed: events in between arrive later.
const RESUMED: &[Trouble] = &[
    ("a cut", |discord| discord.cuts_the_gateway()),
    ("op 7", |discord| discord.asks_to_reconnect()),
    ("op 9, resumable", |discord| discord.invalidates(true)),
    ("4000", |discord| discord.closes_the_gateway(4000)),
    ("4001", |discord| discord.closes_the_gateway(4001)),
    ("4002", |discord| discord.closes_the_gateway(4002)),
    ("4005", |discord| discord.closes_the_gateway(4005)),
    ("4008", |discord| discord.closes_the_gateway(4008)),
    ("an event twice", |discord| discord.repeats_the_next_event()),
    ("nonsense", |discord| discord.dispatches_nonsense()),
];

const UNANSWERED: &str = "a heartbeat without an answer";

/// The faults after which a new session begins: events in between are lost.
const BEGUN_ANEW: &[Trouble] = &[
    ("op 9", |discord| discord.invalidates(false)),
    ("4003", |discord| discord.closes_the_gateway(4003)),
    ("4007", |discord| discord.closes_the_gateway(4007)),
    ("4009", |discord| discord.closes_the_gateway(4009)),
    ("4010", |discord| discord.closes_the_gateway(4010)),
    ("4011", |discord| discord.closes_the_gateway(4011)),
    ("4012", |discord| discord.closes_the_gateway(4012)),
    (UNANSWERED, |discord| discord.is_deaf_to_heartbeats(true)),
];

/// The close codes that end the gateway until a person has mended the fault.
const FATAL: [u16; 3] = [4004, 4013, 4014];

/// Returns the messages seen after each window.
async fn evening(is_troubled: bool) -> Vec<String> {
    let mut evening = Evening::begins_with(Settings::default(), &[PLAIN]).await;
    let mut seen = Vec::new();
    for (_, trouble) in RESUMED {
        if is_troubled {
            trouble(&evening.discord);
        }
        evening.declare().await;
        evening.closes().await;
        evening.settles().await;
        seen.push(evening.seen());
    }
    // A repeated event is refused at its second acknowledgement.
    assert_eq!(evening.discord.forgive("40060"), usize::from(is_troubled));
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_while_a_connection_is_lost_is_done_once() {
    let (troubled, calm) = tokio::join!(evening(true), evening(false));
    for (at, (name, _)) in RESUMED.iter().enumerate() {
        assert_same(&troubled[at], &calm[at], name);
    }
}

/// Returns the messages of one window after a fault.
async fn window(trouble: Option<&Trouble>) -> String {
    let mut settings = Settings::default();
    if trouble.is_some_and(|(name, _)| *name == UNANSWERED) {
        settings.heartbeat = Duration::from_millis(1500);
    }
    let mut evening = Evening::begins_with(settings, &[PLAIN]).await;
    if let Some((_, trouble)) = trouble {
        trouble(&evening.discord);
        evening.discord.has_identified(2).await;
        evening.discord.is_deaf_to_heartbeats(false);
        let (opened, ..) = evening.discord.connections();
        assert!(opened <= 4, "{opened} connections were opened");
    }
    evening.declare().await;
    evening.runs_out().await;
    evening.settles().await;
    evening.seen()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_begun_anew_and_everything_goes_on() {
    let troubled = join_all(BEGUN_ANEW.iter().map(|trouble| window(Some(trouble))));
    let (troubled, calm) = tokio::join!(troubled, window(None));
    for ((name, _), troubled) in BEGUN_ANEW.iter().zip(troubled) {
        assert_same(&troubled, &calm, name);
    }
}

/// Returns the messages of a window whose deadline comes after the gateway has ended.
async fn deaf_window(code: Option<u16>) -> String {
    let mut evening = Evening::begins_with(Settings::default(), &[PLAIN]).await;
    evening.declare().await;
    if let Some(code) = code {
        evening.discord.closes_the_gateway(code);
        let said = evening.bot.running.hear("Discord rejects this bot");
        assert_eq!(said.matches("ERROR").count(), 0, "{code}: {said}");
    }
    evening.runs_out().await;
    evening.settles().await;
    let seen = evening.seen();
    if let Some(code) = code {
        let (opened, ..) = evening.discord.connections();
        assert_eq!(opened, 1, "{code} is not survived");
        let said = evening.bot.is_told_to_stop();
        assert!(!said.contains("Discord rejects this bot"), "{code}: once: {said}");
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_are_kept_though_nothing_can_be_heard_any_more() {
    let deaf = join_all(FATAL.map(|code| deaf_window(Some(code))));
    let (deaf, calm) = tokio::join!(deaf, deaf_window(None));
    for (code, deaf) in FATAL.iter().zip(deaf) {
        assert_same(&deaf, &calm, &code.to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_is_answered_in_whichever_order_it_is_heard() {
    let evening = Evening::begins_with(Settings::default(), &[PLAIN]).await;
    evening.discord.reverses_the_next_events(3);
    let acts = [
        evening.alice.command("hand"),
        evening.bob.command("table show"),
        evening.alice.command("declare").with("text", "3A"),
    ];
    let answers = join_all(acts.map(IntoFuture::into_future)).await;
    assert!(answers[0].text().contains("手札"), "{}", answers[0].text());
    assert!(answers[1].text().contains("宣言の状況"), "{}", answers[1].text());
    assert!(answers[2].text().contains("3A"), "{}", answers[2].text());
}
