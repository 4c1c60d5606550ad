//! Several people at one table, each in a terminal of their own.

use crate::held::{Held, connect};
use kit::database::Database;
use kit::program::{Running, code_in, shimekiri};
use sha2::{Digest, Sha256};

/// Starts a person's terminal.
fn sits(url: &str, words: &str, name: &str) -> Running {
    Running::start(shimekiri(url, &format!("play {words} --lang en --as {name}")))
}

/// Types lines, and seals.
fn seals(person: &mut Running, lines: &[&str]) {
    person.type_lines(lines);
    person.type_lines(&["seal"]);
    person.hear("Receipt: ");
}

/// Asserts that no line is shown both as removed and as added.
fn only_changed(shown: &str) {
    let signed = |sign| shown.lines().filter_map(move |line| line.strip_prefix(sign));
    for gone in signed("- ") {
        assert!(signed("+ ").all(|comes| comes != gone), "{gone}: {shown}");
    }
}

async fn look(url: &str, code: &str) -> Held {
    Held::read(&mut connect(url).await, code).await
}

/// Waits until a condition holds, and returns the contents of the database.
async fn comes_to(url: &str, code: &str, so: impl Fn(&Held) -> bool) -> Held {
    for _ in 0..300 {
        let held = look(url, code).await;
        if so(&held) {
            return held;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("it does not come to that: {:?}", look(url, code).await);
}

/// Starts a table of 桜, 楓 and a bot player, up to its first turn. Returns both terminals and the code.
async fn table(url: &str) -> (Running, Running, String) {
    let mut sakura = sits(url, "eitsuku --people 2 --seats 3 --pace 10m", "sakura");
    sakura.hear("◆ Table ");
    let code = sakura.hear(" ").trim().to_owned();
    sakura.hear("Type “start”");
    let mut kaede = sits(url, &format!("--table {}", code.to_lowercase()), "kaede");
    kaede.hear("when the host (sakura) types “start”");
    assert!(sakura.hear("Type “start”").contains("kaede"), "the host sees who joins");
    sakura.type_lines(&["start"]);
    sakura.hear("Deadline: ");
    // A player who has thrown a six in the deal is asked first.
    let asked = sqlx::query_as::<_, (String, String)>(
        "select asked, said from windows where code = $1 and number = 0",
    );
    let asked = asked.bind(&code).fetch_one(&mut connect(url).await).await.unwrap();
    if asked.1.contains("\"suspended\":true") {
        for (person, seat) in [(&mut sakura, "P1"), (&mut kaede, "P2")] {
            if asked.0.contains(seat) {
                person.type_lines(&["seal", "seal"]);
            }
        }
        sakura.hear("◆ Turn 1: declare");
    }
    sakura.hear("◆ Still open");
    kaede.hear("◆ Turn 1: declare");
    kaede.hear("◆ Still open");
    (sakura, kaede, code)
}

/// One command repeats the previous declaration, as far as it is asked for again.
#[tokio::test]
async fn the_same_as_last_turn_is_declared_in_a_word() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let (mut sakura, mut kaede, _) = table(url).await;
    sakura.type_lines(&["same"]);
    sakura.hear("Nothing that you declared before can be declared again now.");
    seals(&mut sakura, &["3A 4A Actor 5A “to be continued”"]);
    // There may be no Small left to take.
    seals(&mut kaede, &["3A"]);
    sakura.hear("◆ Turn 2: declare");
    sakura.type_lines(&["again"]);
    let echo = sakura.hear("At the deadline");
    assert!(echo.contains("・3A") && echo.contains("・4A Actor"), "{echo}");
    assert!(!echo.contains("to be continued"), "own words are not said again: {echo}");
    kaede.hear("◆ Turn 2: declare");
    kaede.type_lines(&["前回と同じ", "seal"]);
    assert!(kaede.hear("Receipt: ").contains("・3A"));
    seals(&mut sakura, &[]);
}

/// The same declaration once more lifts no seal, and a change that does is told.
#[tokio::test]
async fn a_seal_is_lifted_by_a_change_alone() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, _) = table(&database.url).await;
    seals(&mut sakura, &["3A 4A Actor 5A"]);
    sakura.type_lines(&["3A"]);
    sakura.hear("◆ Declaration (sealed");
    sakura.type_lines(&["4B"]);
    sakura.hear("so it is sealed no longer");
    seals(&mut sakura, &[]);
    seals(&mut kaede, &["3A"]);
    sakura.hear("◆ Turn 2: declare");
}

/// A person who plays alone needs no name, neither then nor later.
#[tokio::test]
async fn who_played_alone_looks_back_without_a_name() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let start = |words: &str| {
        let mut command = shimekiri(url, &format!("play {words} --lang en"));
        command.env("TZ", "Europe/Berlin");
        Running::start(command)
    };
    let mut alone = start("eitsuku --seed 10715");
    let opening = alone.hear("Hand: ");
    // The deadline is in a week: whoever reads the rules first loses no turn.
    assert!(opening.contains("Deadline: ") && opening.contains(" CE"), "{opening}");
    let open = sqlx::query_as::<_, (i64,)>("select max(closes_at - opens_at) from windows");
    let (length,) = open.fetch_one(&mut connect(url).await).await.unwrap();
    assert_eq!(length, 7 * 24 * 3_600_000);
    alone.type_lines(&["3A", "seal", "end", "end"]);
    let told = alone.hear("verify your receipts.");
    let (_, command) = told.split_once("“shimekiri play ").unwrap();
    let (words, _) = command.split_once('”').unwrap();
    assert_eq!(alone.end().1, Some(0));
    let mut back = start(words);
    back.type_lines(&["log", "receipt", "quit"]);
    let shown = back.hear("sha256sum");
    assert!(shown.contains("● Results phase by phase") || shown.contains("Turn 1"), "{shown}");
    assert_eq!(back.end().1, Some(0));
    // A person without a name cannot see another person's table.
    let mut sakura = sits(url, "eitsuku", "sakura");
    let code = code_in(&sakura.hear(". You are")).to_owned();
    let mut stranger = start(&format!("--table {code}"));
    stranger.hear("--as NAME");
    assert_eq!(stranger.end().1, Some(2));
}

/// A question about help or a reason declares nothing.
#[tokio::test]
async fn what_asks_for_help_declares_nothing() {
    let database = Database::fresh().await;
    let mut person = sits(&database.url, "eitsuku --seed 10715", "sakura");
    person.hear("Hand: ");
    person.type_lines(&["help 3B", "why 3A", "rules 3B", "declare"]);
    person.hear("◆ Declaration (");
    let shown = person.hear("your turn is skipped");
    assert!(!shown.contains("・3"), "{shown}");
    // A person who leaves is shown the consequences for the deadlines.
    person.type_lines(&["quit"]);
    let told = person.end().0;
    assert!(told.contains("they are extended") && !told.contains("deadlines come"), "{told}");
}

/// After an outage, a returning player is shown the window, and not only its new deadline.
#[tokio::test]
async fn who_comes_back_after_an_outage_is_shown_what_is_asked() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let start = |words: &str| {
        let mut command = shimekiri(url, &format!("play {words} --lang en --as sakura"));
        command.env("SHIMEKIRI_CLOCK_BEAT", "100ms").env("SHIMEKIRI_CLOCK_OUTAGE", "1s");
        Running::start(command)
    };
    let mut person = start("eitsuku --seed 10715 --pace 10s");
    person.hear("Hand: ");
    // By then the letters have been read.
    person.type_lines(&["hand"]);
    person.hear("Hand");
    person.child.kill().unwrap();
    assert_eq!(person.end().1, None);
    tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    let mut person = start("--resume");
    let shown = person.hear("◆ Still open");
    for words in ["Deadline extended", "◆ Turn 1: declare", " Small, "] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    person.type_lines(&["quit"]);
    person.end();
}

#[tokio::test]
async fn two_people_play_in_two_terminals_and_come_back_after_a_kill() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let (mut sakura, mut kaede, code) = table(url).await;
    seals(&mut sakura, &["3A"]);
    // Both get the letter, whichever terminal closes the window.
    seals(&mut kaede, &["3A"]);
    for person in [&mut sakura, &mut kaede] {
        let letter = person.hear("◆ Turn 2: declare");
        assert!(letter.contains("● Results phase by phase"), "{letter}");
        person.hear("◆ Still open");
    }
    sakura.type_lines(&["3A"]);
    sakura.hear("your draft is used as it is");
    sakura.child.kill().unwrap();
    assert_eq!(sakura.end().1, None);
    // The other player goes on meanwhile.
    seals(&mut kaede, &["3A"]);
    let mut sakura = sits(url, "--resume", "sakura");
    let shown = sakura.hear("your draft is used as it is");
    assert!(shown.contains("・3A") && !shown.contains("● Results phase by phase"), "{shown}");
    seals(&mut sakura, &[]);
    for person in [&mut sakura, &mut kaede] {
        person.hear("◆ Turn 3: declare");
    }
    let is_read = |held: &Held| held.is_delivered() && held.mail.values().all(Option::is_some);
    let held = comes_to(url, &code, is_read).await;
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
    assert!(held.open_window >= 2);
}

#[tokio::test]
async fn what_others_do_at_once_is_told_in_every_terminal() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let words = "the_gang --people 3 --seats 3 --option chips=live --pace 2h";
    let mut sakura = sits(url, words, "sakura");
    sakura.hear("◆ Table ");
    let code = sakura.hear(" ").trim().to_owned();
    sakura.hear("Type “start”");
    let mut kaede = sits(url, &format!("--table {code}"), "kaede");
    kaede.hear("when the host (sakura) types “start”");
    let mut ren =
        Running::start(shimekiri(url, &format!("play --table {code} --lang ja --as ren")));
    ren.hear("開始");
    sakura.hear("ren");
    sakura.type_lines(&["start"]);
    for person in [&mut sakura, &mut kaede] {
        person.hear("◆ What you can do now");
    }
    ren.hear("◆実行できること");
    // The loser of a chip is shown the acts, in their order and once.
    kaede.type_lines(&["take ★3"]);
    kaede.hear("kaede takes ★3 from the middle\n");
    sakura.hear("kaede takes ★3 from the middle\n");
    ren.hear("kaedeが★3を中央から取る\n");
    sakura.type_lines(&["take ★3"]);
    sakura.hear("sakura takes ★3 from kaede\n");
    assert_eq!(kaede.hear("sakura takes ★3 from kaede\n"), "sakura takes ★3 from kaede\n");
    assert_eq!(ren.hear("kaedeから取る\n"), "sakuraが★3をkaedeから取る\n");
    // Consecutive acts are shown in few steps, and all of them before their result.
    kaede.type_lines(&["take ★2"]);
    kaede.hear("kaede takes ★2 from the middle\n");
    ren.type_lines(&["★1を取る"]);
    ren.hear("renが★1を中央から取る\n");
    // A move takes every OK back.
    kaede.type_lines(&["OK"]);
    kaede.hear("kaede says OK\n");
    ren.type_lines(&["OK"]);
    ren.hear("renがOKを出す\n");
    let told = sakura.hear("ren says OK\n");
    for act in ["kaede takes ★2", "kaede says OK", "ren takes ★1"] {
        assert_eq!(told.matches(act).count(), 1, "{act}: {told}");
    }
    sakura.type_lines(&["OK"]);
    for person in [&mut sakura, &mut kaede] {
        let told = person.hear("◆ What you can do now");
        assert_eq!(told.matches("sakura says OK\n").count(), 1, "{told}");
        assert!(told.find("sakura says OK") < told.find("● Round 2"), "{told}");
    }
    for words in ["show", "gm show"] {
        sakura.type_lines(&[words]);
        let told = sakura.hear("Deadline: ");
        assert!(told.contains("Nothing is submitted in this window"), "{told}");
        assert!(!told.contains("not declared"), "{told}");
    }
    sakura.type_lines(&["my", "dashboard"]);
    assert!(sakura.hear("Deadline: ").contains("not acted yet"));
    sakura.hear("Not acted yet: sakura, kaede, ren");
    sakura.type_lines(&["help more"]);
    let told = sakura.hear("  log  ");
    assert!(told.contains("What you can do (at once; everyone sees it)"), "{told}");
    assert!(!told.contains("  seal  ") && !told.contains("  withdraw  "), "{told}");
    sakura.type_lines(&["gm hold"]);
    sakura.hear("No result is waiting to be announced");
    sakura.type_lines(&["gm end"]);
    let told = sakura.hear("! This cannot be undone.");
    assert!(told.contains("\n− Deadline: "), "{told}");
    assert!(!told.contains("Nothing is submitted"), "{told}");
    // Chips left over are dealt at the close, and “why” names the clause.
    sakura.type_lines(&["close", "close"]);
    for person in [&mut sakura, &mut kaede] {
        person.hear("◆ What you can do now");
        person.type_lines(&["why"]);
        person.hear("◆ Rulings");
        let told = person.hear(", which was left");
        assert!(told.contains("[Ruling G2.5] "), "{told}");
    }
    for person in [sakura, kaede, ren] {
        let (rest, ended) = person.end();
        assert!(!rest.contains("OK\n") && ended == Some(0), "{rest}");
    }
}

#[tokio::test]
async fn the_last_one_to_come_begins_it_if_its_host_wants_that() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let words = "the_gang --people 3 --seats 3 --pace 2h --begin-when-full";
    let mut sakura = sits(url, words, "sakura");
    sakura.hear("◆ Table ");
    let code = sakura.hear(" ").trim().to_owned();
    sakura.hear("It begins when every seat is taken");
    let mut kaede = sits(url, &format!("--table {code}"), "kaede");
    kaede.hear("when every seat is taken or the host (sakura) types “start”");
    let mut ume = sits(url, &format!("--table {code}"), "ume");
    for person in [&mut sakura, &mut kaede] {
        person.hear("◆ Still open");
    }
    ume.hear("Pocket: ");
}

#[tokio::test]
async fn what_is_said_of_sealing_where_nobody_sees_who_has() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let mut sakura = sits(url, "the_gang --people 2 --seats 3 --pace 2h", "sakura");
    sakura.hear("◆ Table ");
    let code = sakura.hear(" ").trim().to_owned();
    sakura.hear("Type “start”");
    let mut kaede = sits(url, &format!("--table {code}"), "kaede");
    kaede.hear("when the host (sakura) types “start”");
    sakura.hear("kaede");
    sakura.type_lines(&["start"]);
    for person in [&mut sakura, &mut kaede] {
        person.hear("◆ Still open");
    }
    seals(&mut kaede, &["★3"]);
    // Unread input and a heading alone lift no seal.
    for (line, told, end) in
        [("ありがとう", "ありがとう", "nothing has changed"), ("wish:", "sealed", "withdraw it")]
    {
        kaede.type_lines(&[line]);
        let echo = kaede.hear(end);
        assert!(echo.contains(told) && !echo.contains("(draft"), "{line}: {echo}");
    }
    kaede.type_lines(&["show"]);
    kaede.hear("sealed: kaede");
    // A player who is a game master sees no secrets of others.
    sakura.type_lines(&["gm show"]);
    let told = sakura.hear("stay hidden until the deadline");
    assert!(told.contains("not declared: sakura"), "{told}");
    assert!(!told.contains("kaede") && !told.contains("P3"), "{told}");
    // A part is withdrawn by the name under which it is shown.
    kaede.type_lines(&["withdraw wish"]);
    kaede.hear("Nothing is written yet.");
    // A sealed wish for a chip of one colour does not count for another colour.
    seals(&mut kaede, &["★3"]);
    sakura.type_lines(&["gm edit board ♠2 ♥2 ♦2"]);
    // A game master who plays is not shown whose declaration becomes invalid, as that could reveal a hand.
    let told = sakura.hear("To carry it out");
    assert!(!told.contains("become invalid"), "{told}");
    sakura.type_lines(&["gm yes the wrong heist"]);
    sakura.hear("◆ Done: GM action #1.");
    kaede.hear("Reason: the wrong heist");
    kaede.hear("◆ Still open");
    kaede.type_lines(&["declare"]);
    kaede.hear("Nothing is written yet.");
    sakura.type_lines(&["gm skip P2"]);
    let told = sakura.hear("gm yes");
    assert!(told.contains("Declaration of kaede skipped."), "{told}");
    sakura.type_lines(&["gm yes as agreed"]);
    kaede.hear("Reason: as agreed");
    let skipped = "your declaration in this window is invalid";
    kaede.type_lines(&["★3"]);
    let told = kaede.hear(skipped);
    assert!(!told.contains("your draft is used as it is"), "{told}");
    kaede.type_lines(&["seal"]);
    kaede.hear("Receipt: ");
    kaede.hear(skipped);
    sakura.type_lines(&[
        "★1",
        "gm edit",
        "rules",
        "rules 7",
        "rules E9",
        "card muscel",
        "card muscle",
    ]);
    assert!(!sakura.hear("your draft is used as it is").contains(skipped));
    let told = sakura.hear("For example: “vaults: 1”");
    assert!(told.contains("\n  Vaults: gold vaults\n"), "{told}");
    // A quick start and the chapters, then one chapter, without any markup.
    let told = sakura.hear("“rules all” everything.");
    assert!(
        told.contains("◆ How to play The Gang") && told.contains("\n  G1 The game\n"),
        "{told}"
    );
    let told = sakura.hear("\nG7.4 Rulings\n");
    assert!(told.contains("◆ G7 Board procedure") && !told.contains("**"), "{told}");
    sakura.hear("no chapter, clause or card “E9”");
    sakura.hear("no card “muscel”. Did you mean Muscle?");
    sakura.hear("Muscle (G6.10)\nIn the showdown, ");
    for person in [sakura, kaede] {
        assert_eq!(person.end().1, Some(0));
    }
}

#[tokio::test]
async fn a_copy_made_while_they_play_goes_on() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let (mut sakura, mut kaede, code) = table(url).await;
    seals(&mut sakura, &["3A"]);
    kaede.type_lines(&["3A"]);
    kaede.hear("your draft is used as it is");
    // A pending letter in the backup would be retried only after a while.
    comes_to(url, &code, Held::is_delivered).await;
    let copy = database.folder.path().join("copy");
    let backup = || Running::start(shimekiri(url, &format!("backup {}", copy.display()))).end();
    let (told, ended) = backup();
    assert_eq!(ended, Some(0), "{told}");
    let (told, ended) = backup();
    assert!(told.contains("is not overwritten") && ended == Some(2), "{told}");
    seals(&mut kaede, &["3A"]);
    sakura.hear("◆ Turn 2: declare");
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
    let original = look(url, &code).await;
    let verified = |said: &str| Running::start(shimekiri(url, &format!("verify {said}"))).end();
    let (told, ended) = verified(&format!("{} --lang en", code.to_lowercase()));
    assert_eq!(ended, Some(0), "{told}");
    assert!(told.contains("OK:") && !told.contains("NOT"), "{told}");
    assert!(told.ends_with('\n') && !told.ends_with("\n\n"), "{told}");
    let (told, ended) = verified(&format!("{code} --lang ja"));
    assert!(told.contains("検証OK：受付") && ended == Some(0), "{told}");
    let (told, ended) = verified("nowhere --lang ja");
    assert!(told.contains("「nowhere」という卓はありません") && ended == Some(2), "{told}");

    let empty = Database::empty().await;
    let copied = if database.is_embedded() {
        format!("sqlite:{}", copy.display())
    } else {
        let restore = std::process::Command::new("pg_restore")
            .args(["--no-owner", &format!("--dbname={}", empty.url)])
            .arg(&copy)
            .output();
        let restore = restore.unwrap();
        assert!(restore.status.success(), "{}", String::from_utf8_lossy(&restore.stderr));
        empty.url.clone()
    };
    let mut kaede = sits(&copied, "--resume", "kaede");
    assert!(kaede.hear("your draft is used as it is").contains("・3A"));
    seals(&mut kaede, &["3A"]);
    kaede.hear("◆ Turn 2: declare");
    let held = comes_to(&copied, &code, Held::is_delivered).await;
    assert_eq!(kaede.end().1, Some(0));
    assert_eq!(held.states(), original.states(), "the same dice are thrown again");
}

#[tokio::test]
async fn letters_arrive_in_every_terminal_of_a_person() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let (mut sakura, mut kaede, _) = table(url).await;
    let mut again = sits(url, "--resume", "sakura");
    assert!(!again.hear("◆ Still open").contains("Welcome"), "what was read before is not news");
    seals(&mut sakura, &["3A"]);
    seals(&mut kaede, &["3A"]);
    for person in [&mut sakura, &mut kaede, &mut again] {
        person.hear("● Results phase by phase");
        person.hear("◆ Turn 2: declare");
    }
    for person in [sakura, kaede, again] {
        let (rest, code) = person.end();
        assert_eq!(
            (rest.matches("● Results phase by phase").count(), code),
            (0, Some(0)),
            "{rest}"
        );
    }
}

#[tokio::test]
async fn who_comes_back_in_another_language_has_their_letters_in_it() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let words = "play eitsuku --seed 10715 --as sakura --lang ja";
    let mut sakura = Running::start(shimekiri(url, words));
    sakura.hear("◆ターン1：宣言の受付");
    sakura.end();
    let mut sakura = sits(url, "--resume", "sakura");
    sakura.hear("◆ Still open");
    seals(&mut sakura, &["3A"]);
    let letter = sakura.hear("◆ Turn 2: declare");
    assert!(
        letter.contains("● Results phase by phase") && !letter.contains("行動結果"),
        "{letter}"
    );
    sakura.end();
}

#[tokio::test]
async fn a_window_that_closed_early_says_when_its_result_is_announced() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let mut command = shimekiri(url, "play eitsuku --seed 10715 --as sakura --lang en --pace");
    command.arg("10m, announced 30m later");
    let mut sakura = Running::start(command);
    sakura.hear("Hand: ");
    sakura.type_lines(&["close"]);
    let asked = sakura.hear("type “close” again.");
    assert!(asked.contains("Until then it can be undone (“gm undo”)"), "{asked}");
    sakura.type_lines(&["close"]);
    let told = sakura.hear(". The result is announced on ");
    assert_eq!(told.matches("◆ The window closed on ").count(), 1, "{told}");
    // The host's own action is also announced as a decision.
    sakura.hear("Reason: (the host's own action)");
    sakura.hear(". The result is announced on ");
    sakura.type_lines(&["show"]);
    let told = sakura.hear(". The result is announced on ");
    assert!(told.contains("● ") && !told.contains("Declarations"), "{told}");
    sakura.type_lines(&["questions"]);
    sakura.hear(". The result is announced on ");
    sakura.type_lines(&["3A"]);
    let told = sakura.hear(". The result is announced on ");
    assert!(told.contains("too late and invalid"), "{told}");
    sakura.end();
    let mut sakura = sits(url, "--resume", "sakura");
    let told = sakura.hear(". The result is announced on ");
    assert!(!told.contains("◆ Turn 1: declare"), "{told}");
    let (rest, _) = sakura.end();
    assert!(!rest.contains("Still open"), "{rest}");
}

#[tokio::test]
async fn before_the_start_everybody_hears_how_to_come_back() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let mut command = shimekiri(url, "play eitsuku --people 2 --seats 3 --as sa_ku*ra --lang en");
    command.args(["--pace", "daily 21:00 America/New_York"]);
    let mut sakura = Running::start(command);
    sakura.hear("◆ Table ");
    let code = sakura.hear(" ").trim().to_owned();
    let lobby = sakura.hear("Type “start”");
    for words in ["America/New_York", "sa_ku*ra (you)", &format!("--table {code} --as NAME")] {
        assert!(lobby.contains(words), "{lobby}");
    }
    let mut kaede = sits(url, &format!("--table {code}"), "kaede");
    assert!(kaede.hear("when the host (sa_ku*ra) types “start”").contains("sa_ku*ra"));
    kaede.type_lines(&["end"]);
    kaede.hear("Only the host and the GMs");
    kaede.type_lines(&["leave"]);
    let told = kaede.hear(&format!("“shimekiri play --table {code} --as kaede”"));
    assert!(told.contains("You have left your seat"), "{told}");
    assert_eq!(kaede.end().1, Some(0));
    sakura.type_lines(&["quit"]);
    let told = sakura.hear("“shimekiri play --resume --as sa_ku*ra”");
    assert!(!told.contains("deadlines come"), "{told}");
    assert_eq!(sakura.end().1, Some(0));
}

#[tokio::test]
async fn who_is_away_tells_the_table_and_the_host_says_what_becomes_of_it() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, _) = table(&database.url).await;
    sakura.type_lines(&["absence allowance plenty"]);
    sakura.hear("“plenty” is not a word");
    sakura.type_lines(&["absence allowance 1, away: extend"]);
    sakura.hear(
        "1 extension per player, no grace period, no waiting after 2 missed windows in a row",
    );
    kaede.hear("From the next window on: 1 extension per player, no grace period");
    kaede.type_lines(&["absence allowance 4", "absence"]);
    kaede.hear("Only the host and the GMs");
    kaede.hear("1 extension per player, no grace period");
    kaede.type_lines(&["away", "away soon", "away from tomorrow", "away +90d", "away +3d"]);
    kaede.hear("“away tomorrow to +7d” sets one for all your tables");
    kaede.hear("“soon” cannot be read as a day or time within a year");
    kaede.hear("The end is missing");
    kaede.hear("can last 60 days at most");
    let told = kaede.hear("deadlines are extended until you are back");
    assert!(told.contains("◆ Vacation from "), "{told}");
    sakura.hear("◆ kaede is on vacation");
    kaede.type_lines(&["back", "留守"]);
    kaede.hear("◆ Welcome back");
    sakura.hear("◆ kaede is back from vacation");
    kaede.hear("You have no vacation planned");
    kaede.type_lines(&["dashboard", "my"]);
    kaede.hear("No table is open or in play");
    kaede.hear("not declared. Deadline: ");
    kaede.hear("Still open: ");
    sakura.type_lines(&["全卓"]);
    sakura.hear("◆ Your tables");
    sakura.hear("Not submitted: sakura, kaede");
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
}

#[tokio::test]
async fn a_game_master_decides_after_a_rehearsal_and_everybody_who_is_meant_hears_it() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, _) = table(database.url.as_str()).await;
    kaede.type_lines(&["gm close"]);
    kaede.hear("Only a GM of this table can do that.");
    sakura.type_lines(&["gm yes so be it"]);
    sakura.hear("There is no action to carry out yet.");

    sakura.type_lines(&["gm extend +2h"]);
    let shown = sakura.hear("type “gm yes REASON”");
    assert!(shown.contains("◆ Preview: nothing has been done yet."), "{shown}");
    assert!(shown.contains("\n− Deadline: ") && shown.contains("\n+ Deadline: "), "{shown}");
    assert!(shown.contains("! You play here yourself (P1)"), "{shown}");
    sakura.type_lines(&["gm yes"]);
    sakura.hear("The reason is missing.");
    sakura.type_lines(&["gm yes the trains are late"]);
    sakura.hear("◆ Done: GM action #1.");
    kaede.hear("Deadline moved to ");
    kaede.hear("Reason: the trains are late");
    // A second confirmation means the same decision.
    sakura.type_lines(&["gm yes the trains are late"]);
    sakura.hear("◆ Already done: pressing twice does it once.");
    sakura.hear("◆ Done: GM action #1.");
    sakura.hear("  Deadline moved to ");

    sakura.type_lines(&["gm undo", "gm yes they are not"]);
    assert!(sakura.hear("◆ Done: GM action #2.").contains("GM action #1 undone."));
    let told = kaede.hear("Reason: they are not");
    assert!(told.contains("Undone: Deadline moved to "), "{told}");
    assert!(told.contains("Deadline now: "), "{told}");
    // A decision is not made again without a request.
    sakura.type_lines(&["gm quietly"]);
    sakura.hear("There is no action to carry out yet.");
    sakura.type_lines(&["gm undo 1"]);
    sakura.hear("That GM action has already been undone.");

    // A game master who plays cannot pause their own game alone.
    sakura.type_lines(&["gm pause +1h", "gm yes dinner"]);
    sakura.hear("◆ Put to a vote.");
    let asked = kaede.hear("Type “vote yes” or “vote no”.");
    assert!(asked.contains("Proposed by sakura."), "{asked}");
    assert!(asked.contains("Reason: dinner\n"), "{asked}");
    kaede.type_lines(&["vote yes"]);
    kaede.hear("Your vote: yes. Yes 2, no 0");
    for person in [&mut sakura, &mut kaede] {
        person.hear("It is carried out as proposed.");
    }
    sakura.type_lines(&["gm resume", "gm yes dinner is over"]);
    sakura.hear("◆ Done: GM action #4.");
    kaede.hear("Reason: dinner is over");

    seals(&mut sakura, &["3A"]);
    seals(&mut kaede, &["3A"]);
    for person in [&mut sakura, &mut kaede] {
        person.hear("◆ Turn 2: declare");
        person.hear("◆ Still open");
    }
    sakura.type_lines(&["gm rollback"]);
    let listed = sakura.hear("window 1, opened ");
    assert!(listed.contains("The windows so far"), "{listed}");
    sakura.type_lines(&["gm rollback last"]);
    let shown = sakura.hear("type “gm yes REASON”");
    assert!(
        shown.contains("! Information that was already public cannot be taken back."),
        "{shown}"
    );
    assert!(shown.contains("! Posts that were already made stay."), "{shown}");
    kaede.type_lines(&["show"]);
    kaede.hear("Deadline: ");
    sakura.type_lines(&["gm yes a rule was read wrongly"]);
    sakura.hear("◆ Done: GM action #5.");
    for person in [&mut sakura, &mut kaede] {
        let letter = person.hear("◆ Turn 1: declare");
        assert!(letter.contains("Table rolled back to the opening of window"), "{letter}");
        assert!(letter.contains("Reason: a rule was read wrongly"), "{letter}");
    }

    sakura.type_lines(&["gm show"]);
    sakura.hear("Sealed declarations stay hidden until the deadline");
    for person in [&mut sakura, &mut kaede] {
        person.type_lines(&["gm log"]);
        let log = person.hear("Reason: a rule was read wrongly");
        for piece in ["1. ", "sakura (undone by #2)", "2. ", "5. ", "Reason: dinner\n"] {
            assert!(log.contains(piece), "{piece:?}: {log}");
        }
    }
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
}

#[tokio::test]
async fn a_player_is_sought_and_takes_the_seat_from_another_terminal() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let (mut sakura, mut kaede, code) = table(url).await;
    sakura.type_lines(&["gm cancel"]);
    only_changed(&sakura.hear("type “gm yes REASON”"));
    sakura.type_lines(&["gm call P2"]);
    let shown = sakura.hear("type “gm yes REASON”");
    assert!(shown.contains("\n+ ● Replacement wanted: P2"), "{shown}");
    only_changed(&shown);
    sakura.type_lines(&["gm yes kaede has no time"]);
    sakura.hear("◆ Done: GM action #1.");
    let letter = kaede.hear("--take P2 --as NAME”");
    assert!(letter.contains("Reason: kaede has no time"), "{letter}");
    // The position is shown as everywhere else.
    let letter = kaede.hear("Decks: ");
    assert!(letter.contains("▼ P1") && !letter.contains("\n= "), "{letter}");
    sakura.type_lines(&["gm recall P2"]);
    only_changed(&sakura.hear("type “gm yes REASON”"));
    // The former player goes on until another person takes the seat.
    kaede.type_lines(&["3A"]);
    kaede.hear("your draft is used as it is");

    let takes = format!("--table {} --take p2", code.to_lowercase());
    let mut ume = sits(url, &takes, "ume");
    let letter = ume.hear("◆ Still open");
    assert!(letter.contains("◆ Turn 1: declare"), "{letter}");
    kaede.hear("Another player has taken your seat (P2)");
    let told = sakura.hear("The deadline is extended to a whole window");
    assert!(told.contains("ume has taken the seat of P2"), "{told}");
    for (name, why) in [
        ("tsubaki", "No replacement is wanted for that seat"),
        ("ume", "You have already joined this table."),
    ] {
        let mut other = sits(url, &takes, name);
        other.hear(why);
        assert_eq!(other.end().1, Some(2));
    }
    let mut nowhere = sits(url, &format!("--table {code} --take P99"), "tsubaki");
    nowhere.hear("--take <SEAT> cannot be “P99”");
    assert_eq!(nowhere.end().1, Some(2));
    seals(&mut ume, &["3A"]);
    seals(&mut sakura, &["3A"]);
    for person in [&mut sakura, &mut ume] {
        person.hear("◆ Turn 2: declare");
    }
    sakura.type_lines(&["gm cancel", "gm yes nobody is left"]);
    let told = ume.hear("Reason: nobody is left");
    assert!(told.contains("was cancelled"), "{told}");
    drop(kaede.end());
    assert_eq!((sakura.end().1, ume.end().1), (Some(0), Some(0)));
}

#[tokio::test]
async fn only_what_was_shown_last_can_be_decided() {
    let database = Database::fresh().await;
    let (mut sakura, kaede, code) = table(database.url.as_str()).await;
    let nothing = "There is no action to carry out yet.";
    for other in ["gm edn", "gm pause", "gm die P2 6", "gm resume"] {
        sakura.type_lines(&["gm end"]);
        sakura.hear("type “gm yes REASON”");
        sakura.type_lines(&[other, "gm yes typo"]);
        let told = sakura.hear(nothing);
        assert!(!told.contains("Done: GM action #"), "{other}: {told}");
    }
    // A decision that was made is not made again by another command; showing commands leave it pending.
    sakura.type_lines(&["gm rule both count", "gm show", "gm log", "gm", "gm yes"]);
    sakura.hear("The reason is missing.");
    sakura.type_lines(&["gm 公開 結果を"]);
    sakura.hear("There is no GM action “公開”");
    sakura.type_lines(&["gm rule both count", "gm yes it is late"]);
    sakura.hear("◆ Done: GM action #1.");
    sakura.hear("  Ruling: both count");
    sakura.type_lines(&["gm die P2 6", "gm yes it is wrong"]);
    sakura.hear("Dice are hidden from GMs");
    sakura.hear(nothing);
    assert_eq!(look(&database.url, &code).await.stage, "playing");
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
}

/// The second command closes the window that was shown, and a third one asks about the next window.
#[tokio::test]
async fn a_close_is_asked_about_and_closes_one_window() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, code) = table(database.url.as_str()).await;
    kaede.type_lines(&["close", "close"]);
    for _ in 0..2 {
        kaede.hear("Only the host and the GMs");
    }
    let window = look(&database.url, &code).await.open_window;
    sakura.type_lines(&["close", "gm rule both count", "gm yes it is late", "close"]);
    let asked = sakura.hear("type “close” again.");
    assert!(asked.contains("Not submitted yet: sakura, kaede"), "{asked}");
    assert!(asked.contains("only a rollback with new dice"), "{asked}");
    // A close is confirmed by the very next line alone.
    sakura.hear("type “close” again.");
    sakura.type_lines(&["close", "close"]);
    sakura.hear("◆ Turn 2: declare");
    let asked = sakura.hear("type “close” again.");
    assert!(asked.contains("If window 2 "), "{asked}");
    assert_eq!(look(&database.url, &code).await.open_window, window + 1, "one was closed");
    sakura.type_lines(&["start"]);
    sakura.hear("The game at this table has begun");
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
}

#[tokio::test]
async fn who_is_away_is_seen_where_the_table_is() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, _) = table(database.url.as_str()).await;
    kaede.type_lines(&["away +2d"]);
    kaede.hear("◆ Vacation from ");
    sakura.type_lines(&["show", "gm show"]);
    for _ in 0..2 {
        sakura.hear("● On vacation: kaede (until ");
    }
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
}

#[tokio::test]
async fn a_player_sees_what_is_kept_of_theirs_whoever_declared_it() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, code) = table(database.url.as_str()).await;
    kaede.type_lines(&["4B"]);
    kaede.hear("(draft, for you alone)");
    sakura.type_lines(&["gm declare P2 3A", "gm yes it was said aloud"]);
    sakura.hear("◆ Done: GM action #1.");
    kaede.hear("Reason: it was said aloud");
    let before = look(&database.url, &code).await.declared;
    for word in ["declare", "宣言"] {
        kaede.type_lines(&[word]);
        kaede.hear("(sealed, for you alone)");
        let told = kaede.hear("withdraw it");
        assert!(told.contains("・3A") && !told.contains("・4B"), "{told}");
    }
    assert_eq!(look(&database.url, &code).await.declared, before, "looking changes nothing");
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
}

#[tokio::test]
async fn who_is_replaced_is_told_and_sees_what_everybody_sees() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, code) = table(database.url.as_str()).await;
    sakura.type_lines(&["gm replace P2 ume", "gm yes kaede is ill"]);
    sakura.hear("◆ Done: GM action #1.");
    kaede.hear("Reason: kaede is ill");
    kaede.hear(&format!("You no longer have a seat at table {code}."));
    kaede.type_lines(&["hand", "questions", "declare", "3A", "seal", "show"]);
    for _ in 0..5 {
        kaede.hear("You have not joined this table.");
    }
    let shown = kaede.hear("Deadline: ");
    assert!(!shown.contains("for you alone"), "{shown}");
    kaede.type_lines(&["quit"]);
    let told = kaede.hear(&format!("You leave table {code}."));
    assert!(!told.contains("--resume"), "{told}");
    assert_eq!((sakura.end().1, kaede.end().1), (Some(0), Some(0)));
}

#[tokio::test]
async fn somebody_stands_in_and_somebody_decides_beside_the_host() {
    let database = Database::fresh().await;
    let (mut sakura, mut kaede, code) = table(database.url.as_str()).await;
    kaede.type_lines(&["substitute", "substitute ume", "substitute ume until soon"]);
    kaede.hear("You have no substitute at this table.");
    kaede.hear("The end is missing");
    kaede.hear("“soon” cannot be read as a day or time within a year");
    kaede.type_lines(&["substitute ume until tomorrow"]);
    kaede.hear("◆ Your substitute: ume, until ");
    sakura.hear("◆ kaede has a substitute until ");
    let mut ume = sits(&database.url, &format!("--table {code}"), "ume");
    ume.hear("◆ Still open");
    ume.type_lines(&["3A"]);
    ume.hear("(draft, for you alone)");
    kaede.type_lines(&["declare"]);
    assert!(kaede.hear("your draft is used as it is").contains("・3A"));
    kaede.type_lines(&["substitute nobody until tomorrow"]);
    kaede.hear("You have no substitute at this table.");
    ume.hear("You no longer have a seat");
    kaede.type_lines(&["gm appoint kaede", "gm show"]);
    kaede.hear("Only the host can do that");
    kaede.hear("Only a GM of this table can do that");
    sakura.type_lines(&["gm appoint P2", "gm appoint kaede"]);
    sakura.hear("“P2” cannot be a name");
    sakura.hear("◆ kaede is now a GM of this table.");
    kaede.type_lines(&["gm show"]);
    kaede.hear("Sealed declarations stay hidden until the deadline");
    sakura.type_lines(&["gm 解任 kaede"]);
    sakura.hear("◆ kaede is no longer a GM of this table.");
    kaede.type_lines(&["gm show"]);
    kaede.hear("Only a GM of this table can do that");
    assert_eq!((sakura.end().1, kaede.end().1, ume.end().1), (Some(0), Some(0), Some(0)));
}

#[tokio::test]
async fn a_game_master_decides_in_japanese() {
    let database = Database::fresh().await;
    let words = "play eitsuku --seed 10715 --as sakura --lang ja";
    let mut sakura = Running::start(shimekiri(database.url.as_str(), words));
    sakura.hear("手札 ");
    sakura.type_lines(&["gm"]);
    sakura.hear("gm 延長 22:00");
    sakura.type_lines(&["gm 延長 2時間"]);
    let shown = sakura.hear("「gm はい 理由」");
    assert!(shown.contains("◆確認：まだ実行していません。"), "{shown}");
    sakura.type_lines(&["gm はい 電車が遅れたため"]);
    sakura.hear("◆実行しました（GM操作 #1）。");
    sakura.type_lines(&["gm 休止 明日12時", "gm はい 夜なので"]);
    sakura.hear("◆実行しました（GM操作 #2）。");
    sakura.type_lines(&["gm 取消", "gm はい 続けたいので"]);
    sakura.hear("◆実行しました（GM操作 #3）。");
    sakura.type_lines(&["締切"]);
    let asked = sakura.hear("もう一度「締切」と入力してください。");
    assert!(asked.contains("ダイスを振り直す巻き戻しでしか元に戻せません"), "{asked}");
    sakura.type_lines(&["締切"]);
    sakura.hear("◆ターン2：宣言の受付");
    sakura.type_lines(&["gm 巻き戻し 前回"]);
    let shown = sakura.hear("「gm はい 理由」");
    assert!(shown.contains("誰も知らない山札の中身は混ぜ直し"), "{shown}");
    sakura.type_lines(&["gm はい 読み違えたため"]);
    sakura.hear("◆実行しました（GM操作 #5）。");
    sakura.hear("◆ターン1：宣言の受付");
    sakura.type_lines(&["gm 訂正 手札: P2 大×1"]);
    sakura.hear("「gm はい 理由」");
    sakura.type_lines(&["gm はい 配り忘れ"]);
    sakura.hear("◆実行しました（GM操作 #6）。");
    let told = sakura.hear("理由：配り忘れ\n");
    assert!(told.contains("訂正しました：P2に【予算・大】を1枚渡す。"), "{told}");
    sakura.type_lines(&["gm 記録"]);
    let log = sakura.hear("理由：配り忘れ\n");
    for piece in
        ["理由：電車が遅れたため", "（#3で取り消し）", "理由：続けたいので", "理由：読み違えたため"]
    {
        assert!(log.contains(piece), "{piece:?}: {log}");
    }
    assert_eq!(sakura.end().1, Some(0));
}

/// Returns the hex digits after a text.
fn digits_behind(text: &str, words: &str) -> String {
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("{words:?} is not in: {text}"));
    rest.trim_start().chars().take_while(char::is_ascii_hexdigit).collect()
}

/// However a table ends, whoever saw it form can verify its seed by the closing letter.
#[tokio::test]
async fn the_seed_that_is_told_at_the_end_is_the_one_that_was_promised() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    for (lines, how) in [
        (&["end", "end"][..], "was ended early"),
        (&["gm cancel", "gm yes rain"], "was cancelled"),
        (&["start", "end", "end"], "was ended early"),
        (&["start", "gm cancel", "gm yes rain"], "was cancelled"),
    ] {
        let mut sakura = sits(url, "eitsuku --people 2 --seats 3 --value rain", "sakura");
        let lobby = sakura.hear("Type “start”");
        let table = lobby.split_once("◆ Table ").unwrap().1.split(' ').next().unwrap().to_owned();
        let commitment = digits_behind(&lobby, "Seed hash:");
        let value = hex::encode(Sha256::digest("rain"));
        assert_eq!(digits_behind(&lobby, "You mix in:"), value[..16]);
        sakura.type_lines(lines);
        sakura.hear(how);
        sakura.hear("Seed: ");
        let (rest, code) = sakura.end();
        let seed: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
        assert_eq!(seed.len(), 64, "{rest}");
        let committed = Sha256::digest(format!("shimekiri seed v1\n{table}\n{seed}"));
        assert_eq!(hex::encode(committed), commitment);
        assert_eq!(code, Some(0));
    }
}

#[tokio::test]
async fn values_are_chosen_and_receipts_given_and_both_can_be_checked() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let mut sakura = sits(url, "eitsuku --people 2 --seats 2 --seed 1", "sakura");
    sakura.hear("◆ Table ");
    let code = sakura.hear(" ").trim().to_owned();
    sakura.hear("Type “start”");
    let mut kaede = sits(url, &format!("--table {code} --value rain"), "kaede");
    let rain = hex::encode(Sha256::digest("rain"));
    assert!(kaede.hear("when the host (sakura) types “start”").contains(&rain[..16]));
    sakura.type_lines(&["join", "join The trains are late"]);
    sakura.hear("“join WORDS”");
    sakura.hear("SHA-256 of your words “The trains are late”");
    sakura.type_lines(&["start"]);
    let late = hex::encode(Sha256::digest("The trains are late"));
    for person in [&mut sakura, &mut kaede] {
        let welcome = person.hear("The seed is published");
        assert!(welcome.contains(&format!("P1 {} P2 {}\n", &late[..16], &rain[..16])), "{welcome}");
    }
    sakura.hear("◆ Still open");
    sakura.type_lines(&["join snow"]);
    sakura.hear("The game at this table has begun already.");
    sakura.type_lines(&["3A", "seal"]);
    sakura.hear("Receipt: ");
    let receipt = sakura.hear("\n").trim().to_owned();
    sakura.type_lines(&["receipt"]);
    assert!(sakura.hear("After the game, the salts").contains(&receipt));
    sakura.type_lines(&["close", "close"]);
    kaede.hear("Receipt: ");
    let shown = kaede.hear("◆ ");
    assert!(shown.contains(&receipt.replace('-', "")), "{shown}");
    kaede.type_lines(&["受領証"]);
    kaede.hear("You have not submitted anything here yet");
    sakura.type_lines(&["gm end", "gm yes late"]);
    sakura.hear("Seed: ");
    sakura.end();
    // A returning player can view everything, and leaves when they want.
    let mut sakura = sits(url, &format!("--table {code}"), "sakura");
    sakura.type_lines(&["receipt", "quit"]);
    sakura.hear(&format!("# {receipt} = "));
    let hash = sakura.hear("\n").trim().to_owned();
    let command = sakura.hear("sha256sum");
    let shell = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
    assert!(String::from_utf8(shell.stdout).unwrap().starts_with(&hash), "{command}");
    assert_eq!(sakura.end().1, Some(0));
}

#[tokio::test]
async fn tables_that_are_over_are_counted() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let count = |words: &str| Running::start(shimekiri(url, &format!("stats {words}"))).end();
    let mut sakura = sits(url, "eitsuku --people 2 --seats 2", "sakura");
    sakura.hear("Type “start”");
    let (told, ended) = count("--lang en");
    assert_eq!((told.trim(), ended), ("There are no finished tables yet.", Some(0)));
    assert_eq!(count("--lang ja").0.trim(), "終わった卓はまだありません。");
    sakura.type_lines(&["end", "end"]);
    sakura.hear("Seed: ");
    sakura.end();
    // Empty seals leave everything to the defaults, to the end.
    let mut sakura = sits(url, "eitsuku --seats 3 --seed 10715 --house random", "sakura");
    sakura.type_lines(&["seal"; 60]);
    let played = sakura.hear("◆ Final scores");
    sakura.end();
    // A returning player sees the end, and no open window.
    let code = code_in(&played);
    let back = format!("play --table {code} --as sakura --lang en");
    let (told, ended) = Running::start(shimekiri(url, &back)).end();
    assert!(told.starts_with("◆ Final scores") && ended == Some(0), "{told}");
    assert!(!told.contains("Deadline"), "{told}");
    let (told, ended) = count("--lang en");
    assert_eq!(ended, Some(0));
    let cells = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in
        ["| played to the end | 1 |", "| ended early | 1 |", "| of these, never begun | 1 |"]
    {
        assert!(cells.contains(line), "{told}");
    }
    for words in ["## Eitsuku: 1 table\n", "| sakura ", "| bot: random ", "| P3 "] {
        assert!(told.contains(words), "{words}: {told}");
    }
    for left in ["{{", "{%", "none", "undefined", "\n\n\n"] {
        assert!(!told.contains(left), "{left:?} in {told}");
    }
    assert!(count("--lang ja").0.contains("## えいつく：1卓"));
    let plot = database.folder.path().join("plot.svg");
    let (json, ended) = count(&format!("--json --plot {}", plot.display()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(ended, Some(0));
    assert_eq!((&json["tables"]["played"], &json["tables"]["unbegun"]), (&1.into(), &1.into()));
    assert_eq!(json["games"][0]["players_by_name"][0]["tables"], 1);
    assert_eq!(json["people"][0]["name"], "sakura");
    let picture = std::fs::read_to_string(plot).unwrap();
    let picture = roxmltree::Document::parse(&picture).unwrap();
    let of = |class: &str| {
        picture.descendants().filter(|node| node.attribute("class") == Some(class)).count()
    };
    assert_eq!((of("seat"), of("policy")), (3, 2));
    assert!(
        count("--person kaede --lang en").0.contains("There are no finished tables of kaede yet")
    );
    let (told, ended) = count("--game eitsuke --lang en");
    assert!(told.contains("did you mean “eitsuku”?") && ended == Some(2), "{told}");
    let (told, ended) = count("--plot /no/such/folder/plot.svg --lang en");
    assert!(told.contains("/no/such/folder/plot.svg") && ended == Some(2), "{told}");
}

/// A player who hands their seat to a bot player sees the game to its scores, and can return to it.
#[tokio::test]
async fn who_hands_a_seat_over_hears_how_it_goes_on() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let mut sakura = sits(url, "the_gang --seats 4 --seed 5", "sakura");
    sakura.hear("Deadline: ");
    sakura.type_lines(&["gm house P1"]);
    sakura.hear("To carry it out");
    sakura.type_lines(&["gm yes I am tired"]);
    let told = sakura.hear("The gang: ");
    assert!(told.contains("Seat P1 handed to a bot"), "{told}");
    assert!(told.matches("● Round").count() > 3, "{told}");
    // At the end the output tells how to look back, and not how to leave.
    let (rest, ended) = sakura.end();
    assert_eq!(ended, Some(0));
    assert!(rest.contains("You can look back at table"), "{rest}");
    assert!(!rest.contains("You no longer have a seat"), "{rest}");
    // With other players, the game goes on, and the spectator can return.
    let (mut sakura, mut kaede, _) = table(url).await;
    sakura.type_lines(&["gm house P2"]);
    sakura.hear("To carry it out");
    sakura.type_lines(&["gm yes kaede asked for it"]);
    kaede.hear("From now on you are a spectator");
    assert_eq!(kaede.end().1, Some(0));
    let mut kaede = sits(url, "--resume", "kaede");
    kaede.hear("◆ Turn 1: declare");
    seals(&mut sakura, &["3A"]);
    assert!(kaede.hear("◆ Turn 2: declare").contains("● Results phase by phase"));
    for person in [sakura, kaede] {
        assert_eq!(person.end().1, Some(0));
    }
}

/// A game master without a seat may come in, and nobody else.
#[tokio::test]
async fn a_game_master_without_a_seat_comes_in() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let (mut sakura, mut kaede, code) = table(url).await;
    let nobody = sits(url, &format!("--table {code}"), "zoe");
    assert_ne!(nobody.end().1, Some(0));
    sakura.type_lines(&["gm appoint zoe"]);
    sakura.hear("zoe");
    let mut zoe = sits(url, &format!("--table {code}"), "zoe");
    zoe.hear("◆ Turn 1: declare");
    seals(&mut kaede, &["3A"]);
    zoe.type_lines(&["gm show"]);
    let shown = zoe.hear("sealed: kaede");
    assert!(!shown.contains("for you alone"), "{shown}");
    zoe.type_lines(&["gm close"]);
    zoe.hear("To carry it out");
    zoe.type_lines(&["gm yes it is late"]);
    assert!(zoe.hear("◆ Turn 2: declare").contains("● Results phase by phase"));
    for person in [sakura, kaede, zoe] {
        assert_eq!(person.end().1, Some(0));
    }
}

/// Two of one guild see each other's drafts and write to each other; who is of the other guild sees
/// nothing of it.
#[tokio::test]
async fn partners_share_drafts_and_lines() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let mut sakura = sits(url, "guild_war --people 3 --seats 6 --pace 10m", "sakura");
    sakura.hear("◆ Table ");
    let code = sakura.hear(" ").trim().to_owned();
    let [mut kaede, mut ume] = ["kaede", "ume"].map(|name| {
        let mut joined = sits(url, &format!("--table {code}"), name);
        joined.hear("when the host (sakura) types “start”");
        joined
    });
    sakura.hear("Guild A: P1 sakura (you), P3 ume, P5 free");
    sakura.hear("Guild B: P2 kaede, P4 free, P6 free");
    sakura.type_lines(&["start"]);
    for person in [&mut sakura, &mut kaede, &mut ume] {
        person.hear("◆ Still open");
    }
    sakura.type_lines(&["Swordfighter"]);
    sakura.hear("(draft, for you alone)");
    ume.type_lines(&["show"]);
    ume.hear("◆ Your partners (for your side alone)");
    let shown = ume.hear("Deck: Swordfighter");
    assert!(shown.contains("・sakura: draft"), "{shown}");
    ume.type_lines(&["side all on kaede"]);
    ume.hear("◆ Lines to your side (for your side alone)");
    ume.hear("): all on kaede");
    sakura.hear("◆ ume has written to your side (for your side alone). “side” shows it.");
    sakura.type_lines(&["味方"]);
    sakura.hear("): all on kaede");
    kaede.type_lines(&["partners", "show", "quit"]);
    kaede.hear("◆ Your partners");
    let (theirs, ended) = kaede.end();
    // A bot player may have chosen the same deck.
    assert!(!theirs.contains("・sakura: ") && !theirs.contains("all on"), "{theirs}");
    assert_eq!((sakura.end().1, ended, ume.end().1), (Some(0), Some(0), Some(0)));
}

#[tokio::test]
async fn a_deck_is_checked_before_it_is_declared() {
    let database = Database::fresh().await;
    let mut sakura = sits(&database.url, "tag_g --seed 1", "sakura");
    sakura.hear("◆ Setup: decks and order");
    sakura.type_lines(&["deck check Hiiragi, 5 Leg Sweep, 6 Parry, 3 Swordd, 1 Deep Breath"]);
    let shown = sakura.hear("29 to 33 cards are needed, not 15 (T2.1).");
    for fault in ["“5 Leg Sweep”: at most 4 copies, not 5", "“6 Parry”: at most 4 copies, not 6"]
    {
        assert!(shown.contains(fault), "{fault}: {shown}");
    }
    assert!(shown.contains("“3 Swordd”: there is no card of this name"), "{shown}");
    assert!(!shown.contains("“Hiiragi”"), "{shown}");
    // The check declares nothing.
    sakura.type_lines(&["seal", "デッキ 確認 ヒイラギ"]);
    sakura.hear("Nothing is written yet.");
    sakura.hear("29 to 33 cards are needed, not 0");
    assert_eq!(sakura.end().1, Some(0));
    let mut ume = sits(&database.url, "eitsuku --seed 1", "ume");
    ume.hear("Deadline:");
    ume.type_lines(&["deck check 3 Strike"]);
    ume.hear("No deck of one’s own is used here");
    assert_eq!(ume.end().1, Some(0));
}
