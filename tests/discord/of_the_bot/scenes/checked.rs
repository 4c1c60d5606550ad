//! The verification of a table that is over: its file and its page in the thread, and a replay on request.

use std::time::Duration;

use sqlx::{AnyConnection, Connection, query};

use super::{LOCALES, Scene};
use double::Locale;
use kit::program::shimekiri;

/// Texts in the messages with the table's file and with its page.
const BROUGHT: [&str; 2] = ["`shimekiri verify ", "`shimekiri replay "];

impl Scene {
    /// Ends the table as the host.
    async fn ends(&self) {
        let asked = self.alice.command("table end").await;
        for button in asked.buttons() {
            self.alice.press(&button).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_is_brought_the_file_and_the_page_and_anybody_can_verify() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, "moon", 3).await;
        scene.is_still().await;
        scene.discord.forgets();
        let early = scene.bob.command("verify").await;
        assert!(early.is_private() && !early.text().contains("OK"), "{}", early.text());
        scene.bob.command("declare").with("text", "3A 4B").await;
        scene.bob.command("seal").await;
        scene.closes().await;
        scene.is_still().await;
        scene.ends().await;
        let mut brought = Vec::new();
        for words in BROUGHT {
            scene.bob.sees(words).await;
            scene.is_still().await;
            let mut found = scene.bob.finds(words);
            assert_eq!(found.len(), 1, "{}", scene.bob.transcript());
            brought.extend(found.pop());
        }
        let texts: Vec<_> = brought.iter().map(|seen| seen.text().to_owned()).collect();
        scene.tells("checked_files", &texts.join("\n----\n"));
        let [(name, table), (page_name, page)] =
            [&brought[0].files()[0], &brought[1].files()[0]].map(Clone::clone);
        let code = name.strip_suffix(".jsonl").unwrap();
        assert_eq!(page_name, format!("{code}.html"));
        let page = String::from_utf8(page).unwrap();
        assert!(page.trim_start().to_lowercase().starts_with("<!doctype html>"));
        assert!(page.contains(code) && page.contains("</html>"));
        let text = String::from_utf8(table.clone()).unwrap();
        assert!(!text.contains("bob") && !text.contains("discord:"), "nobody stands in it by name");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(&name);
        std::fs::write(&file, &table).unwrap();
        let words = format!("verify {} --lang en", file.display());
        let verified = shimekiri(&scene.bot.database.url, &words).output().unwrap();
        let said = [verified.stdout, verified.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(verified.status.success() && said.contains("OK: "), "{said}");

        // The posts can be compared with the file, by people and by the bot.
        let record = scene.say("記録：", "Record: ");
        let seen = scene.bob.finds(record);
        let told = |line: &str| Some(line.strip_prefix("-# ")?.strip_prefix(record)?.to_owned());
        let heads: Vec<String> =
            seen.iter().flat_map(|seen| seen.text().lines().filter_map(told)).collect();
        assert!(heads.len() > 1, "{heads:?}");
        for (head, is_right) in [(heads.join(" "), true), ("0000-0000-0000-0000".to_owned(), false)]
        {
            let words = format!("verify {} --lang en --head {head}", file.display());
            let verified = shimekiri(&scene.bot.database.url, &words).output().unwrap();
            let said = String::from_utf8_lossy(&verified.stdout).into_owned();
            assert_eq!(verified.status.success(), is_right, "{said}");
            assert_eq!(said.contains("It matches its posts"), is_right, "{said}");
        }

        for person in [&scene.bob, &scene.carol] {
            let verified = person.command("verify").await;
            assert!(verified.is_private() && verified.text().contains("OK"), "{}", verified.text());
            let held = scene.say("投稿の通りの記録です", "It matches its posts");
            assert!(verified.text().contains(held), "{}", verified.text());
        }
        scene.is_told("checked");
    }
}

/// The program dies after Discord has accepted one of the messages at the end, each in turn.
#[tokio::test(flavor = "multi_thread")]
async fn no_file_is_brought_twice_by_a_program_that_was_killed() {
    let mut scene = Scene::playing(Locale::En, "stars", 2).await;
    scene.is_still().await;
    let messages = scene.discord.requests("POST /channels/*/messages").len();
    scene.ends().await;
    for words in BROUGHT {
        scene.bob.sees(words).await;
    }
    scene.is_still().await;
    let told = scene.discord.requests("POST /channels/*/messages").len() - messages;

    for number in [told - 1, told] {
        scene.alice.press("Play again").await;
        let thread = scene.discord.thread("Eitsuku").await;
        for person in [&scene.alice, &scene.bob] {
            person.goes_to(thread);
            person.command("table join").await;
        }
        scene.alice.command("table start").await;
        scene.is_still().await;
        let before = BROUGHT.map(|words| scene.bob.finds(words).len());
        let message = scene.discord.when("POST /channels/*/messages").nth(number);
        message.takes_effect_and_answers_late(Duration::from_mins(1));
        scene.ends().await;
        while !scene.discord.faults_left().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        scene.bot.is_killed();
        let mut database = AnyConnection::connect(&scene.bot.database.url).await.unwrap();
        let attempts = "update outbox set attempted_at = attempted_at - 60000, wait_until = null
             where sent_at is null";
        query(attempts).execute(&mut database).await.unwrap();
        let chance = format!("again{number}");
        let set = [(super::CHANCE, chance.as_str()), super::PLAIN];
        scene.bot.starts_again(&scene.discord, &set).await;
        scene.comes_to("select count(*) from outbox where sent_at is null", 0).await;
        scene.is_still().await;
        let after = BROUGHT.map(|words| scene.bob.finds(words).len());
        assert_eq!(after, before.map(|count| count + 1), "{}", scene.bob.transcript());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_is_brought_where_the_host_wants_none() {
    let scene = Scene::set(Locale::En, "cloud").await;
    scene.table(2).await;
    scene.alice.command("table settings").await;
    let set = scene.alice.press("Post no files at the end").await;
    assert!(set.text().contains("no files are posted"), "{}", set.text());
    assert!(set.buttons().contains(&"Post its files at the end".to_owned()));
    scene.begins().await;
    scene.ends().await;
    scene.bob.sees("Seed:").await;
    scene.comes_to("select count(*) from outbox where sent_at is null", 0).await;
    scene.is_still().await;
    for words in BROUGHT {
        assert!(scene.bob.finds(words).is_empty(), "{}", scene.bob.transcript());
    }
}
