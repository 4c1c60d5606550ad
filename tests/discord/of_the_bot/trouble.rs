//! What keeps letters from arriving: its host is told once, with what to do.

use std::time::Duration;

use serenity::all::Permissions;

use super::settings::masked;
use super::{Bot, CHANCE, PLAIN};
use crate::double::{Discord, Locale, Person, Place};

async fn rest(discord: &Discord) {
    discord.quiet_for(Duration::from_millis(500)).await;
}

/// A table of somebody's that waits for its start, in its thread.
async fn forming(discord: &Discord, host: &Person) -> Place {
    host.command("table new").with("seats", 2).await;
    let thread = discord.thread("").await;
    host.goes_to(thread);
    host.command("table join").await;
    host.sees("SHA-256").await;
    rest(discord).await;
    thread
}

/// What is told is a letter of its own language.
fn holds(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, masked(text));
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_is_told_once_what_the_bot_may_not_do() {
    for (locale, words) in [(Locale::Ja, "届いていません"), (Locale::En, "do not arrive")] {
        let discord = Discord::start();
        let (host, guest) = (discord.person("alice", locale), discord.person("bob", Locale::En));
        let _bot = Bot::start_with(&discord, &[(CHANCE, "forbidden"), PLAIN]).await;
        forming(&discord, &host).await;
        discord.forbids(discord.channel("general"), Permissions::SEND_MESSAGES_IN_THREADS);
        host.command("table start").await;
        let told = host.sees(words).await;
        assert!(!told.is_private(), "it is a direct message");
        holds(&format!("trouble_forbidden_{}", locale.word()), told.text());
        host.command("table list").await;
        rest(&discord).await;
        assert_eq!(host.times_told(words), 1, "{}", host.transcript());
        assert_eq!(guest.times_told(words), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_who_takes_no_letters_is_told_when_they_next_do_something() {
    for (locale, words) in [(Locale::Ja, "届いていません"), (Locale::En, "do not arrive")] {
        let discord = Discord::start();
        let (host, guest) = (discord.person("alice", locale), discord.person("bob", Locale::En));
        let _bot = Bot::start_with(&discord, &[(CHANCE, "gone"), PLAIN]).await;
        let thread = forming(&discord, &host).await;
        host.closes_dms(true);
        discord.deletes(thread);
        host.goes_to(discord.channel("general"));
        host.command("table start").await;
        // The letter that would tell of it is tried, and refused.
        while discord.requests("POST /users/*/channels").is_empty() {
            rest(&discord).await;
        }
        rest(&discord).await;
        assert_eq!(host.times_told(words), 0);
        host.command("table list").await;
        let told = host.sees(words).await;
        assert!(told.is_private());
        holds(&format!("trouble_gone_{}", locale.word()), told.text());
        host.command("table list").await;
        rest(&discord).await;
        assert_eq!(host.times_told(words), 1, "{}", host.transcript());
        assert_eq!(guest.times_told(words), 0);
    }
}
