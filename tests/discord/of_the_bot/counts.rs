//! The program's own counters on Discord.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::{Bot, CHANCE, people, table};
use double::{Discord, Scope};

/// Returns a counter of the metrics page; 0 if there is none.
fn figure(address: &str, name: &str) -> f64 {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let asked = format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    let name = format!("shimekiri_{name} ");
    let value = page.lines().find_map(|line| line.strip_prefix(&name));
    value.map_or(0.0, |value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_people_do_and_what_goes_wrong_is_counted() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let set = [
        ("SHIMEKIRI_HEALTH_ADDRESS", "127.0.0.1:0"),
        ("SHIMEKIRI_LOG_LEVEL", "info"),
        (CHANCE, "ja"),
    ];
    let mut bot = Bot::start_with(&discord, &set).await;
    bot.running.hear("address=127.0.0.1:");
    let port = bot.running.hear("\n");
    let port: String = port.chars().take_while(char::is_ascii_digit).collect();
    let address = format!("127.0.0.1:{port}");
    let early = discord.when("POST /channels/*/messages").nth(1);
    early.comes_too_early(Duration::from_millis(100), Scope::User);
    table(&discord, &[&alice, &bob], 2).await;
    alice.complete("declare", "text", "3").await;
    alice.press("始める").await;
    alice.sees("第1回受付").await;
    alice.press("宣言する").await;
    let form = alice.press("文章で入力").await;
    alice.submit(&form, &[("宣言", "3A")]).await;
    discord.dispatches_nonsense();
    discord.quiet_for(Duration::from_millis(1500)).await;
    for (name, least) in [
        ("interactions_total{kind=\"command\"}", 1.0),
        ("interactions_total{kind=\"completion\"}", 1.0),
        ("interactions_total{kind=\"press\"}", 5.0),
        ("interactions_total{kind=\"form\"}", 1.0),
        ("letters_sent_total{channel=\"discord\"}", 2.0),
        ("rate_limited_total", 1.0),
        ("unknown_dispatches_total", 1.0),
        ("gateway_up", 1.0),
    ] {
        let count = figure(&address, name);
        assert!(count > least - 0.1, "{name}: {count}");
    }
    let commands = figure(&address, "interactions_total{kind=\"command\"}");
    assert!(commands < 1.1, "each once: {commands}");
}
