//! The settings of a table, and its post from the forming to the end.

use std::time::Duration;

use super::scenes::assert_told;
use super::{Bot, CHANCE, PLAIN, closes, table};
use double::transcript::headless;
use double::{Discord, Locale, Person};

/// The texts of the controls in one language. Public letters are in the other one once the host has changed
/// that.
struct Words {
    join: &'static str,
    chairs: &'static str,
    weekends: &'static str,
    write: &'static str,
    rewrite: &'static str,
    field: &'static str,
    faulty: &'static str,
    right: &'static str,
    open: &'static str,
    language: &'static str,
    count: &'static str,
    absence: &'static str,
    moved: &'static str,
    start: &'static str,
    gathered: &'static str,
    closed: &'static str,
    end: &'static str,
    reason: &'static str,
    ended: &'static str,
}

const JA: Words = Words {
    join: "着席する",
    chairs: "2席",
    weekends: "週末の昼と夜",
    write: "自分で書く…",
    rewrite: "書き直す",
    field: "進行",
    faulty: "毎日33:00",
    right: "毎日20:00 催促1時間前 Europe/Berlin",
    open: "手札は全員に公開する",
    language: "投稿を英語にする",
    count: "提出した人数だけ見せる",
    absence: "欠席ルールを変える…",
    moved: "操作は行っていません",
    start: "Start",
    gathered: "sign-up is over",
    closed: "window 1 is over",
    end: "卓を打ち切る",
    reason: "雨が降った:中止",
    ended: "The seed and the record are posted above",
};

const EN: Words = Words {
    join: "Join",
    chairs: "2 seats",
    weekends: "At weekends, at noon and at night",
    write: "Write it yourself …",
    rewrite: "Write it again",
    field: "Pace",
    faulty: "daily 33:00",
    right: "daily 20:00 remind 1h Europe/Berlin",
    open: "Hands are open to everyone",
    language: "Post in Japanese",
    count: "Show only how many have submitted",
    absence: "Absence policy …",
    moved: "out of date",
    start: "始める",
    gathered: "募集は終わりました",
    closed: "第1回受付は終了しました",
    end: "End the table",
    reason: "rain: called off",
    ended: "シードと記録は上の投稿にあります",
};

async fn rest(discord: &Discord) {
    discord.quiet_for(Duration::from_millis(700)).await;
}

/// Masks timestamps, ids and journal heads, which differ in every run.
pub(super) fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut digits = String::new();
    for c in headless(text).chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        masked.push_str(if digits.len() < 10 { &digits } else { "№" });
        digits.clear();
        masked.push(c);
    }
    masked.trim_end().to_owned()
}

/// Returns the public messages that contain one of the words, as a person sees them now, the oldest first.
fn in_public(person: &Person, words: &[&str]) -> String {
    let mut seen = person.finds("");
    seen.sort_by_key(|message| message.id);
    let public = seen.iter().filter(|message| !message.is_private());
    let told = public.filter(|message| words.iter().any(|word| message.text().contains(word)));
    told.map(|message| masked(message.text())).collect::<Vec<_>>().join("\n----\n")
}

/// The prefix of the heading that every post has, and no letter.
const HEADING: &str = "## ";

/// Returns a person's actions and private messages, in order.
fn in_private(person: &Person) -> String {
    let mut told = String::new();
    let mut private = false;
    for line in person.transcript().lines() {
        if !line.starts_with(' ') {
            private = !line.starts_with('>')
                || line.contains("private to ")
                || line.contains("form for ");
        }
        if private {
            // The number of a timestamp depends on earlier public messages.
            let mut parts = line.split('№');
            told.push_str(parts.next().unwrap_or_default());
            for part in parts {
                told.push('№');
                told.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
            }
            told.push('\n');
        }
    }
    told
}

/// Changes all settings of a table, plays a window, and ends the table. Returns the visible messages.
async fn sets_a_table(discord: &Discord, people: [&Person; 2], words: &Words) -> [String; 4] {
    let [host, other] = people;
    let formed = host.command("table new").with("pace", "daily 21:00").await;
    assert!(formed.is_private() && formed.buttons().contains(&words.count.to_owned()));
    let thread = discord.thread("").await;
    for person in people {
        person.goes_to(thread);
        person.press(words.join).await;
    }
    host.choose(&[words.chairs]).await;
    // The previous panel is outdated.
    let stale = host.press(words.count).on(&formed).await;
    assert!(stale.text().contains(words.moved), "{}", stale.text());
    host.choose(&[words.weekends]).await;
    let form = host.choose(&[words.write]).await;
    host.submit(&form, &[(words.field, words.faulty)]).await;
    let form = host.press(words.rewrite).await;
    assert_eq!(form.field(words.field).as_deref(), Some(words.faulty), "what was typed is kept");
    host.submit(&form, &[(words.field, words.right)]).await;
    host.choose(&[words.open]).await;
    host.press(words.language).await;
    host.press(words.count).await;
    rest(discord).await;
    let forming = in_public(other, &[HEADING]);
    let read = other.command("table settings").await;
    assert!(read.is_private() && read.buttons().is_empty() && read.options().is_empty());

    other.sees(words.start).await;
    host.press(words.start).await;
    other.sees(words.gathered).await;
    rest(discord).await;
    closes(host).await;
    other.sees(words.closed).await;
    rest(discord).await;
    let playing = in_public(other, &[HEADING]);
    let late = host.command("table settings").await;
    assert_eq!(late.buttons(), [words.absence], "nothing else can be set any more");
    let asked = host.command("table end").with("reason", words.reason).await;
    assert!(asked.text().contains(words.reason), "{}", asked.text());
    let denied = other.command("table end").await;
    assert!(denied.buttons().is_empty(), "{}", denied.text());
    host.press(words.end).await;
    other.sees(words.ended).await;
    rest(discord).await;
    let ended = in_public(other, &[HEADING, words.reason]);
    [forming, playing, ended, in_private(host)]
}

async fn holds(locale: Locale, other: Locale, words: &Words) {
    let discord = Discord::start();
    let (alice, bob) = (discord.person("alice", locale), discord.person("bob", other));
    let _bot = Bot::start_with(&discord, &[(CHANCE, &locale.word()[..2]), PLAIN]).await;
    let [forming, playing, ended, private] = sets_a_table(&discord, [&alice, &bob], words).await;
    assert_told("settings_forming", locale, &forming);
    assert_told("settings_playing", locale, &playing);
    assert_told("settings_ended", locale, &ended);
    assert_told("settings_private", locale, &private);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_set_in_both_languages() {
    let (ja, en) = (Locale::Ja, Locale::En);
    tokio::join!(holds(ja, en, &JA), holds(en, ja, &EN));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_that_is_over_names_who_sat_down_and_for_whom_it_waited() {
    let discord = Discord::start();
    let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::En));
    let _bot = Bot::start_with(&discord, &[(CHANCE, "names 1"), PLAIN]).await;
    table(&discord, &[&alice, &bob], 3).await;
    alice.press("始める").await;
    let forming = bob.sees("募集は終わりました").await;
    assert!(forming.text().contains("P3 Bot"), "{}", forming.text());
    assert!(forming.text().contains("P2 bob") && forming.buttons().is_empty());
    let asked = alice.command("table close").await;
    assert!(asked.text().contains("◆未提出：alice、bob"), "{}", asked.text());
    alice.press("今すぐ締め切る").await;
    let over = bob.sees("受付は終了しました").await;
    assert!(over.text().contains("未提出：alice、bob"), "{}", over.text());
    assert!(over.buttons().is_empty());
    let again = alice.press("今すぐ締め切る").on(&asked).await;
    assert!(again.text().contains("卓の状況が変わった"), "{}", again.text());
    assert_eq!(again.buttons(), ["今すぐ締め切る"], "it is asked of the window that is open now");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_formed_with_a_line_of_options_and_its_settings_write_them_back() {
    let discord = Discord::start();
    let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::En));
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let formed = async |person: &Person, line: &str| {
        let formed = person.command("table new").with("game", "the_gang").with("place", "here");
        formed.with("options", line).await
    };
    let unknown = formed(&alice, "超超上級、希望2回").await;
    assert!(unknown.text().contains("もしかして：超上級。「超上級者向け、"), "{}", unknown.text());
    let twice = formed(&bob, "master, 2 passes, 3 passes").await;
    assert!(twice.text().contains("“2 passes” and “3 passes” are values"), "{}", twice.text());
    let idle = formed(&bob, "live chips, 2 passes").await;
    assert!(
        idle.text().contains("counts only with “Chips by sealed wishes” (G2.3)"),
        "{}",
        idle.text()
    );
    formed(&alice, "超上級、チップはすぐ・移動２回").await;
    let line = "超上級者向け、チップはすぐ取る、希望3回、移動2回、早締めあり";
    let settings = alice.command("table settings").await;
    assert!(settings.text().contains(&format!("設定を一行で：{line}")), "{}", settings.text());
    bob.press("着席する").await;
    let settings = bob.command("table settings").await;
    let line = "Options in a line: master, live chips, 3 passes, 2 moves, early close";
    assert!(settings.text().contains(line), "{}", settings.text());
}
