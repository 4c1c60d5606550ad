//! The start of the bot, and the commands of hosts.

use std::process::Command;
use std::time::Duration;

use discord::permissions::invitation;

use super::{Bot, PLAIN, people, serve, table};
use double::{ChannelKind, Discord, Locale};
use kit::database::Database;

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_are_told_once() {
    let discord = Discord::start();
    let mut bot = Bot::start(&discord).await;
    let told = || discord.requests("PUT /applications/*/commands").len();
    assert_eq!(told(), 1);
    bot.is_killed_and_starts_again(&discord).await;
    assert_eq!(told(), 1, "they have not changed");
    let names = discord.commands();
    assert!(names.iter().any(|name| name.contains("declare")), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_of_one_server_are_told_again_when_the_bot_comes_back_to_it() {
    let discord = Discord::start();
    let guild = discord.guild().to_string();
    let _bot = Bot::start_with(&discord, &[PLAIN, ("SHIMEKIRI_DISCORD_GUILD", &guild)]).await;
    let told = || discord.requests("PUT /applications/*/guilds/*/commands").len();
    discord.quiet_for(Duration::from_millis(500)).await;
    assert_eq!(told(), 1);
    discord.throws_the_bot_out();
    discord.takes_the_bot_back();
    discord.quiet_for(Duration::from_millis(700)).await;
    assert_eq!(told(), 2);
    assert!(discord.commands().iter().any(|name| name == "declare"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_played_right_there_where_no_thread_can_be_made() {
    let discord = Discord::start();
    let [_, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let forum = discord.opens_channel_for("games", ChannelKind::Forum);
    let media = discord.opens_channel_for("pictures", ChannelKind::Media);
    for place in [
        discord.opens_channel_for("lounge", ChannelKind::Voice),
        discord.opens_channel_for("hall", ChannelKind::Stage),
        discord.opens_post(forum, "a game tonight?", &bob),
        discord.opens_post(media, "look at this", &bob),
    ] {
        let formed = bob.command("table new").in_channel(place).await;
        assert!(formed.text().contains("No thread can be made here"), "{}", formed.text());
        bob.sees("join now").await;
        discord.is_posted_in(place).await;
        assert!(discord.shows(place).contains("join now"), "{}", discord.shows(place));
        let again = bob.command("table new").in_channel(place).await;
        assert!(again.text().contains("There is already a table here"), "{}", again.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_says_how_many_more_there_are() {
    let discord = Discord::start();
    let [_, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    for _ in 0..28 {
        bob.command("table new").with("sit", "no").await;
    }
    for command in ["my", "table list"] {
        discord.forgets();
        bob.command(command).await;
        bob.sees("And 3 more").await;
        let listed = bob.transcript().matches("- Table ").count();
        assert_eq!(listed, 25, "{command}: {}", bob.transcript());
    }
    let unclear = bob.command("table settings").await;
    assert!(unclear.text().contains("you have 28"), "{}", unclear.text());
    assert!(unclear.text().contains("And 3 more"), "{}", unclear.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_looked_at_and_left() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start(&discord).await;
    table(&discord, &[&alice, &bob], 3).await;
    alice.sees("P2 bob").await;
    let left = bob.press("離席する").await;
    assert!(left.text().contains("P2"), "{}", left.text());
    alice.sees("P2 空席").await;
    for (command, words) in [
        ("help", "/卓 新規"),
        ("table list", "参加者募集中"),
        ("rules", "えいつく"),
        ("table show", "空席"),
    ] {
        let said = alice.command(command).await;
        assert!(said.is_private() && said.text().contains(words), "{command}: {}", said.text());
    }
    let clause = alice.command("rules").with("clause", "e4.3").await;
    assert!(clause.text().contains("E4.3"), "{}", clause.text());
    let nothing = bob.command("declare").await;
    assert!(nothing.text().contains("have not joined"), "{}", nothing.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_played_in_the_channel_it_was_formed_in_if_that_is_wished() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let formed = alice.command("table new").with("place", "here").await;
    assert!(formed.text().contains("<#"), "{}", formed.text());
    bob.sees("参加者募集").await;
    let sits = bob.press("着席する").await;
    assert!(sits.is_private(), "{}", sits.text());
    let taken = bob.command("table new").with("place", "here").await;
    assert!(taken.text().contains("There is already a table here"), "{}", taken.text());
}

#[test]
fn without_a_token_it_says_what_is_missing_and_how_to_play() {
    for (lang, words) in [("ja_JP.UTF-8", "shimekiri play"), ("en_US.UTF-8", "DISCORD_TOKEN")] {
        let mut command = Command::new(kit::program::path());
        command.env_remove("DISCORD_TOKEN").env_remove("DISCORD_TOKEN_FILE");
        let ended = command.env("LC_ALL", lang).env("LANG", lang).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_link_that_brings_it_to_a_server_is_told_when_it_starts() {
    let discord = Discord::start();
    let link = invitation(discord.bot());
    let mut bot = Bot::start(&discord).await;
    bot.running.hear(&link);
    // `--check` reports the same link.
    let mut check = Command::new(kit::program::path());
    check.args(["serve", "--check"]).env("SHIMEKIRI_DATABASE_URL", &bot.database.url);
    check.env("DISCORD_TOKEN", discord.token()).env("SHIMEKIRI_DISCORD_API", discord.address());
    let said = check.env("SHIMEKIRI_PICTURES_SHOW", "false").output().unwrap();
    assert!(String::from_utf8(said.stderr).unwrap().contains(&link));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_discord_does_not_know_is_told_of_once_and_the_deadlines_are_kept() {
    let discord = Discord::start();
    let database = Database::fresh().await;
    let wrong = format!("{}.wrong.token", discord.token().split_once('.').unwrap().0);
    let mut running = serve(&discord, &database, &[("DISCORD_TOKEN", &wrong), PLAIN]);
    let said = running.hear("only the deadlines are kept");
    assert!(said.contains("Reset Token") && !said.contains(&wrong), "{said}");
    assert!(running.child.try_wait().unwrap().is_none(), "it goes on");
    let _ = running.child.kill();
    for (lang, words) in [("en", "the token is not valid"), ("ja", "トークンを受け付けません")]
    {
        let mut check = Command::new(kit::program::path());
        check.args(["serve", "--check", "--lang", lang]).env("DISCORD_TOKEN", &wrong);
        check.env("SHIMEKIRI_DATABASE_URL", &database.url).env("SHIMEKIRI_PICTURES_SHOW", "false");
        let said = check.env("SHIMEKIRI_DISCORD_API", discord.address()).output().unwrap();
        assert_eq!(said.status.code(), Some(2));
        let said = String::from_utf8(said.stderr).unwrap();
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(discord.forgive("401"), 3, "it is asked once each time");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_is_no_network_it_is_said_and_tried_again() {
    let discord = Discord::start();
    let database = Database::fresh().await;
    let set = [("SHIMEKIRI_DISCORD_API", "http://127.0.0.1:9"), PLAIN];
    let mut running = serve(&discord, &database, &set);
    let said = running.hear("keeps the deadlines meanwhile");
    assert_eq!(said.matches("Discord cannot be reached").count(), 1, "{said}");
    let _ = running.child.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_sits_down_unless_they_say_otherwise_and_the_last_one_begins_it() {
    let discord = Discord::start();
    let [alice, bob, chiaki, _] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let formed = alice.command("table new").with("seats", 2).with("begin", "full").await;
    assert!(formed.text().contains("P1に参加しました"), "{}", formed.text());
    assert!(formed.text().contains("参加 1"), "{}", formed.text());
    bob.goes_to(discord.thread("えいつく").await);
    bob.sees("P1 alice").await;
    let sits = bob.press("着席する").await;
    assert!(sits.text().contains("it has begun"), "{}", sits.text());
    bob.sees("宣言する").await;

    let formed = chiaki.command("table new").with("sit", "no").await;
    assert!(formed.text().contains("参加 0"), "{}", formed.text());
    assert!(!formed.text().contains("に参加しました"), "{}", formed.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_has_set_spares_its_hosts_the_settings() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let owner = discord.owner("olga", Locale::En);
    let (hosts, players) = (discord.makes_role("hosts"), discord.makes_role("players"));
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let shown = owner.command("setup defaults").await;
    assert!(
        shown.text().contains("everyone") && shown.text().contains("21:00"),
        "{}",
        shown.text()
    );
    let set = owner.command("setup defaults").with("pace", "2h").with("language", "en");
    let set = set.with("absence", "allowance 2").with("begin", "full");
    let set = set.with("hosts", hosts.0.to_string()).with("call", players.0.to_string()).await;
    for words in ["every 2h", "2 extensions", "English", "all seats", "server managers"] {
        assert!(set.text().contains(words), "{words}: {}", set.text());
    }
    let fault = owner.command("setup defaults").with("pace", "sometimes").await;
    assert!(fault.text().contains("sometimes"), "{}", fault.text());

    let refused = alice.command("table new").await;
    assert!(refused.text().contains("このサーバーで卓を立てられるのは"), "{}", refused.text());
    alice.gets(hosts);
    let formed = alice.command("table new").with("seats", 2).with("absence", "猶予1回").await;
    for words in ["2時間ごと", "1人1回まで", "投稿の言語：英語", "すべての席が埋まった時"]
    {
        assert!(formed.text().contains(words), "{words}: {}", formed.text());
    }
    bob.goes_to(discord.thread("Eitsuku").await);
    bob.sees("alice is looking for players").await;
    let role = players.0.to_string();
    let posted = discord.requests("POST /channels/*/messages");
    let roles = posted.iter().map(|request| &request.body["allowed_mentions"]["roles"][0]);
    assert_eq!(roles.filter(|called| **called == role.as_str()).count(), 1, "they may be called");
    bob.press("Join").await;
    bob.sees("[Declare]").await;

    let set = owner.command("setup defaults").with("forget", "all").with("language", "ja").await;
    assert!(set.text().contains("everyone") && set.text().contains("Japanese"), "{}", set.text());
}
