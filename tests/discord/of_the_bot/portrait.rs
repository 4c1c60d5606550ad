//! Pictures of a table on Discord for README, drawn from the fake Discord's messages as web pages: the post
//! that everybody sees, and the panel that one player sees, in both languages.
//!
//! ```sh
//! cargo test --test discord portrait -- --ignored
//! for picture in post-ja panel-ja post-en panel-en; do
//!   chromium --headless --hide-scrollbars --window-size=400,560 --force-device-scale-factor=2 \
//!     --screenshot=docs/pictures/discord-$picture.png target/portrait-$picture.html
//! done
//! ```

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::HtmlEscape;

use super::Bot;
use double::{Discord, Locale, Person, Seen};

/// The people of a picture and the words that they press and look for.
struct Scene {
    locale: Locale,
    lang: &'static str,
    names: [&'static str; 4],
    join: &'static str,
    start: &'static str,
    seal: &'static str,
    anyway: &'static str,
    /// The window before and behind its number.
    window: [&'static str; 2],
    sealed: &'static str,
    /// The note below a private message.
    private: &'static str,
    /// The time until the deadline.
    until: &'static str,
}

const JA: Scene = Scene {
    locale: Locale::Ja,
    lang: "ja",
    names: ["さくら", "かえで", "ちあき", "なぎさ"],
    join: "着席する",
    start: "始める",
    seal: "提出（封をする）",
    anyway: "このまま提出",
    window: ["第", "回受付"],
    sealed: "封済み ✅：ちあき",
    private: "これらはあなただけに表示されています",
    until: "6時間後",
};

const EN: Scene = Scene {
    locale: Locale::En,
    lang: "en",
    names: ["Alice", "Ben", "Clara", "Dan"],
    join: "Join",
    start: "Start",
    seal: "Submit (seal)",
    anyway: "Submit anyway",
    window: ["window ", ""],
    sealed: "Sealed ✅: Clara",
    private: "Only you can see this",
    until: "in 6 hours",
};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it draws pictures for README"]
async fn a_table_as_it_looks() {
    for scene in [JA, EN] {
        scene.draw().await;
    }
}

impl Scene {
    async fn draw(&self) {
        let discord = Discord::start();
        let people = self.names.map(|name| discord.person(name, self.locale));
        let [host, ..] = &people;
        let _bot = Bot::start(&discord).await;
        host.command("table new").with("game", "eitsuku").with("seats", 4).with("pace", "6h").await;
        let thread = discord.thread(if self.lang == "ja" { "えいつく" } else { "Eitsuku" }).await;
        for person in &people {
            person.goes_to(thread);
            person.press(self.join).await;
        }
        host.press(self.start).await;
        let [before, behind] = self.window;
        let sealed = ["3B 4A", "3B 4A", "3A 4A", "3B 4B"];
        for turn in 1..4 {
            // The setup asks nobody for anything that they could not leave out.
            if turn == 1 && host.finds(&format!("{before}1{behind}")).is_empty() {
                super::closes(host).await;
            }
            host.sees(&format!("{before}{turn}{behind}")).await;
            for (person, words) in people.iter().zip(sealed) {
                self.seals(person, words).await;
            }
        }
        host.sees(&format!("{before}4{behind}")).await;
        for (person, words) in people.iter().zip(sealed).skip(2) {
            self.seals(person, words).await;
        }
        host.sees(self.sealed).await;
        let post = host.finds(&format!("{before}4{behind}")).pop().unwrap();
        let panel = host.command("declare").with("text", "3A").await;
        for (what, message) in [("post", &post), ("panel", panel.as_ref())] {
            let file = format!("target/portrait-{what}-{}.html", self.lang);
            std::fs::write(file, self.page(message)).unwrap();
        }
    }

    /// Seals a declaration, with confirmation if needed.
    async fn seals(&self, person: &Person, words: &str) {
        person.command("declare").with("text", words).await;
        let sealed = person.press(self.seal).await;
        if sealed.buttons().iter().any(|button| button == self.anyway) {
            person.press(self.anyway).await;
        }
    }

    fn page(&self, message: &Seen) -> String {
        let article = self.article(message);
        format!(
            "<!doctype html><html lang={}><meta charset=utf-8><style>{STYLE}</style>{article}",
            self.lang
        )
    }
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
div:has(> button):not(div:has(> button) ~ div) > button:first-child { background: #5865f2 }
select { width: 100%; padding: 8px; background: #1e1f22; color: #949ba4; border: 0; border-radius: 4px; margin-top: 6px }
blockquote { border-left: 4px solid #b3541e; background: #2b2d31; border-radius: 4px; margin: 4px 0; padding: 8px 12px; white-space: pre-wrap }
small { color: #949ba4; display: block; margin-top: 4px }
";

/// The drawing of the check mark, which text fonts lack.
const TICK: &str = "<svg width=16 height=16 viewBox='0 0 16 16'><rect width=16 height=16 rx=3 fill=#77b255 />\
    <path d='M4,8 L7,11 L12,4' fill=none stroke=#fff stroke-width=2 /></svg>";

impl Scene {
    fn article(&self, message: &Seen) -> String {
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
            } else if let Some(menu) = line.strip_prefix('{') {
                // A colon in brackets belongs to the question.
                let asked = match menu.split_once("):") {
                    Some((asked, _)) => format!("{asked})"),
                    None => menu.split(':').next().unwrap_or_default().to_owned(),
                };
                write!(html, "<select><option>{}</select>", HtmlEscape(&asked)).unwrap();
            } else if let Some(quoted) = line.strip_prefix("| ") {
                let mut quote = self.said(quoted);
                while let Some(more) = lines.peek().and_then(|line| line.strip_prefix("| ")) {
                    write!(quote, "\n{}", self.said(more)).unwrap();
                    lines.next();
                }
                write!(html, "<blockquote>{quote}</blockquote>").unwrap();
            } else if let Some(heading) = line.strip_prefix("## ") {
                write!(html, "<h2>{}</h2>", self.said(heading)).unwrap();
            } else {
                write!(html, "<div>{}</div>", self.said(line)).unwrap();
            }
        }
        if message.is_private() {
            write!(html, "<small>{}</small>", self.private).unwrap();
        }
        html + "</article>"
    }

    /// Formats a line with its mentions and its timestamps.
    fn said(&self, line: &str) -> String {
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
                self.until.to_owned()
            } else if self.lang == "ja" {
                at.format("%Y年%-m月%-d日 %H:%M").to_string()
            } else {
                at.format("%-d %B %Y, %H:%M").to_string()
            };
            html = format!("{before}<time>{time}</time>{after}");
        }
        html
    }
}
