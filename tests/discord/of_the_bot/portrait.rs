//! A picture of a table on Discord for README: the fake Discord's messages as a web page.
//!
//! ```sh
//! cargo test --test discord portrait -- --ignored
//! chromium --headless --hide-scrollbars --window-size=390,850 --force-device-scale-factor=2 --screenshot=docs/pictures/discord.png target/portrait.html
//! ```

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::HtmlEscape;

use super::game::seals;
use super::{Bot, people, table};
use double::{Discord, Seen};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it draws a picture for README"]
async fn a_table_as_it_looks() {
    let discord = Discord::start();
    let people = people(&discord);
    let [alice, ..] = &people;
    let _bot = Bot::start(&discord).await;
    table(&discord, &people.each_ref(), 4).await;
    alice.press("始める").await;
    alice.sees("締め切り").await;
    let posts = |words: &str| alice.finds(words);
    if posts("ターン1：宣言の受付").is_empty() {
        super::closes(alice).await;
    }
    let sealed = ["3B 4A", "3B 4A", "3A 4A", "3B 4B"];
    for turn in 1..4 {
        alice.sees(&format!("第{turn}回受付")).await;
        for (person, words) in people.iter().zip(sealed) {
            seals(person, words).await;
        }
    }
    alice.sees("第4回受付").await;
    for (person, words) in people.iter().zip(sealed).skip(2) {
        seals(person, words).await;
    }
    alice.sees("封済み ✅：chiaki").await;
    let post = posts("第4回受付").pop().unwrap();
    let panel = alice.command("declare").with("text", "3A").await;
    std::fs::write("target/portrait.html", page(&[&post, panel.as_ref()])).unwrap();
}

fn page(messages: &[&Seen]) -> String {
    let messages: String = messages.iter().map(|message| article(message)).collect();
    format!("<!doctype html><meta charset=utf-8><style>{STYLE}</style>{messages}")
}

const STYLE: &str = "
body { background: #313338; color: #dbdee1; font: 15px/1.4 'BIZ UDPGothic', sans-serif; margin: 8px }
article { padding: 8px 0 8px 48px; position: relative }
article::before { content: '締'; position: absolute; left: 0; top: 10px; width: 40px; height: 40px;
    border-radius: 50%; background: #b3541e; color: #fff; font-size: 22px; line-height: 40px; text-align: center }
b.name { color: #fff } i { background: #5865f2; color: #fff; border-radius: 3px; font: 10px sans-serif; padding: 1px 4px }
h2 { color: #fff; font-size: 20px; margin: 4px 0 } img { border-radius: 8px; width: 100%; margin: 6px 0; display: block }
mark { background: #3c4270; color: #c9cdfb; border-radius: 3px; padding: 0 2px } time { background: #3f4147; border-radius: 3px }
button { border: 0; border-radius: 4px; background: #4e5058; color: #fff; font: 14px 'BIZ UDPGothic', sans-serif; margin: 4px 6px 0 0; padding: 7px 10px }
article:first-of-type button:first-child { background: #5865f2 }
select { width: 100%; padding: 8px; background: #1e1f22; color: #949ba4; border: 0; border-radius: 4px; margin-top: 6px }
blockquote { border-left: 4px solid #b3541e; background: #2b2d31; border-radius: 4px; margin: 4px 0; padding: 8px 12px; white-space: pre-wrap }
small { color: #949ba4; display: block; margin-top: 4px }
";

/// The drawing of the check mark, which text fonts lack.
const TICK: &str = "<svg width=16 height=16 viewBox='0 0 16 16'><rect width=16 height=16 rx=3 fill=#77b255 />\
    <path d='M4,8 L7,11 L12,4' fill=none stroke=#fff stroke-width=2 /></svg>";

fn article(message: &Seen) -> String {
    let mut html = "<article><b class=name>Shimekiri</b> <i>APP</i>".to_owned();
    let mut lines = message.text().lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("<table.png") {
            // The alternative text ends with the picture.
            let mut last = line;
            while !last.ends_with('>') {
                last = lines.next().unwrap();
            }
            let (_, picture) = &message.files()[0];
            let picture = STANDARD.encode(picture);
            write!(html, "<img src='data:image/png;base64,{picture}'>").unwrap();
        } else if let Some(row) = line.strip_prefix('[') {
            let labels = row.trim_end_matches(']').split("] [");
            let buttons = labels.map(|label| format!("<button>{}</button>", HtmlEscape(label)));
            write!(html, "<div>{}</div>", buttons.collect::<String>()).unwrap();
        } else if let Some((asked, _)) =
            line.strip_prefix('{').and_then(|menu| menu.split_once(':'))
        {
            write!(html, "<select><option>{}</select>", HtmlEscape(asked)).unwrap();
        } else if let Some(quoted) = line.strip_prefix("| ") {
            let mut quote = said(quoted);
            while let Some(more) = lines.peek().and_then(|line| line.strip_prefix("| ")) {
                write!(quote, "\n{}", said(more)).unwrap();
                lines.next();
            }
            write!(html, "<blockquote>{quote}</blockquote>").unwrap();
        } else if let Some(heading) = line.strip_prefix("## ") {
            write!(html, "<h2>{}</h2>", said(heading)).unwrap();
        } else {
            write!(html, "<div>{}</div>", said(line)).unwrap();
        }
    }
    if message.is_private() {
        html.push_str("<small>これらはあなただけに表示されています</small>");
    }
    html + "</article>"
}

/// Formats a line with its mentions and its timestamps.
fn said(line: &str) -> String {
    let line = HtmlEscape(line).to_string().replace("**", "").replace('✅', TICK);
    let words = line.split(' ').map(|word| match word.strip_prefix('@') {
        Some(_) => format!("<mark>{word}</mark>"),
        None => word.to_owned(),
    });
    let mut html = words.collect::<Vec<_>>().join(" ");
    while let Some((before, rest)) = html.split_once("&lt;t:") {
        let (stamp, after) = rest.split_once("&gt;").unwrap();
        let (at, form) = stamp.split_once(':').unwrap();
        let at = chrono::DateTime::from_timestamp(at.parse().unwrap(), 0).unwrap();
        let at = at.with_timezone(&chrono_tz::Asia::Tokyo);
        let time = if form == "R" {
            "6時間後".to_owned()
        } else {
            at.format("%Y年%-m月%-d日 %H:%M").to_string()
        };
        html = format!("{before}<time>{time}</time>{after}");
    }
    html
}
