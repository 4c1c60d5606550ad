//! Commands of people about themselves and their server, in both languages.

use std::time::Duration;

use serde_json::Value;
use serenity::all::Permissions;
use sqlx::Connection;

use super::scenes::assert_told;
use super::{Bot, CHANCE};
use double::{Answer, Discord, Locale, Person, Place};

/// People at a table, with a transcript of commands and answers.
struct Scene {
    discord: Discord,
    bot: Bot,
    locale: Locale,
    alice: Person,
    bob: Person,
    carol: Person,
    told: String,
    /// The codes of tables, in the order in which they were seen.
    codes: Vec<String>,
}

impl Scene {
    async fn set(locale: Locale) -> Self {
        let discord = Discord::start();
        let person = |name| discord.person(name, locale);
        let (alice, bob, carol) = (person("alice"), person("bob"), person("carol"));
        // The machine may lack the font of pictures.
        let set = [(CHANCE, "person"), ("SHIMEKIRI_PICTURES_SHOW", "false")];
        let bot = Bot::start_with(&discord, &set).await;
        Self { discord, bot, locale, alice, bob, carol, told: String::new(), codes: Vec::new() }
    }

    /// Returns the text in the language of the scene.
    fn say<'a>(&self, ja: &'a str, en: &'a str) -> &'a str {
        match self.locale {
            Locale::Ja => ja,
            Locale::En => en,
        }
    }

    /// Forms a table hosted by alice in a channel, and seats alice and bob.
    async fn table(&self, channel: &str, pace: &str) -> Place {
        self.table_of("eitsuku", self.say("えいつく", "Eitsuku"), channel, pace).await
    }

    async fn table_of(&self, game: &str, called: &str, channel: &str, pace: &str) -> Place {
        let channel = self.discord.channel(channel);
        let formed = self.alice.command("table new").in_channel(channel).with("game", game);
        let formed = formed.with("seats", 3).with("pace", pace).await;
        assert!(formed.text().contains("<#"), "{}", formed.text());
        let thread = self.discord.thread(called).await;
        // The post of the previous table may still have its buttons for a moment.
        self.discord.is_posted_in(thread).await;
        for person in [&self.alice, &self.bob] {
            person.goes_to(thread);
            person.press(self.say("着席する", "Join")).await;
        }
        thread
    }

    async fn begins(&self) {
        self.alice.press(self.say("始める", "Start")).await;
        // With this chance, a bot player has thrown a six and is asked first: that window closes by itself,
        // and the one for people follows.
        self.bob.sees(self.say("第1回受付", "window 1")).await;
    }

    /// Types a command as a person.
    async fn types(&mut self, person: &Person, words: &str) -> Answer {
        let answer = person.command(words).await;
        assert!(answer.is_private(), "{}", answer.text());
        self.note(person, &format!("/{words}"), &answer);
        answer
    }

    /// Presses a button as a person.
    async fn presses(&mut self, person: &Person, button: &str) -> Answer {
        let answer = person.press(button).await;
        self.note(person, button, &answer);
        answer
    }

    fn note(&mut self, person: &Person, what: &str, answer: &Answer) {
        let text = answer.text().trim_end().replace('\n', "\n  ");
        let text = self.numbered(&self.named(&text));
        let told = format!("{}: {what}\n> {text}\n", person.name());
        self.told.push_str(&told);
    }

    /// Replaces ids by the names of channels, and removes timestamps, which differ in every run.
    fn named(&self, text: &str) -> String {
        let mut parts = text.split('<');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            if let Some(moment) = part.strip_prefix("t:") {
                out.push_str("<t:");
                out.push_str(&moment[digits(moment)..]);
            } else if let Some(channel) = part.strip_prefix('#') {
                let (id, rest) = channel.split_at(digits(channel));
                out += &self.discord.name_of(Place(id.parse().unwrap()));
                out += rest.strip_prefix('>').unwrap();
            } else {
                out.push('<');
                out.push_str(part);
            }
        }
        out
    }

    /// Replaces the codes of tables by numbers: the drawn codes depend on the number of earlier letters.
    fn numbered(&mut self, text: &str) -> String {
        let table = self.say("卓", "Table ");
        let mut parts = text.split(table);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            out.push_str(table);
            let code = part.get(..5).filter(|code| {
                code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            });
            let Some(code) = code else {
                out.push_str(part);
                continue;
            };
            let known = self.codes.iter().position(|known| known == code);
            let at = known.unwrap_or_else(|| {
                self.codes.push(code.to_owned());
                self.codes.len() - 1
            });
            for piece in ["<", &(at + 1).to_string(), ">", &part[5..]] {
                out.push_str(piece);
            }
        }
        out
    }

    /// Compares the answers so far with a snapshot, and clears them.
    fn is_told(&mut self, name: &str) {
        assert_told(name, self.locale, &std::mem::take(&mut self.told));
    }
}

const LOCALES: [Locale; 2] = [Locale::Ja, Locale::En];

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_their_own_tables_and_those_that_are_played_here() {
    for locale in LOCALES {
        let mut scene = Scene::set(locale).await;
        let (alice, bob, carol) = (scene.alice.clone(), scene.bob.clone(), scene.carol.clone());
        scene.types(&carol, "my").await;
        scene.types(&carol, "table list").await;
        scene.table("general", "2h").await;
        for person in [&alice, &bob, &carol] {
            scene.types(person, "my").await;
        }
        scene.begins().await;
        scene.types(&alice, "my").await;
        alice.command("declare").with("text", "3A").await;
        scene.types(&alice, "my").await;
        alice.command("seal").await;
        // A table with a later deadline comes below, and a forming one at the end. Its first window asks
        // everybody, whatever is drawn.
        for channel in ["side", "far"] {
            scene.discord.opens_channel(channel);
        }
        let called = scene.say("ザ・ギャング", "The Gang");
        scene.table_of("the_gang", called, "side", "6h").await;
        scene.begins().await;
        scene.table("far", "1h").await;
        scene.types(&alice, "my").await;
        scene.types(&carol, "table list").await;
        scene.types(&bob, "table list").await;
        scene.is_told("person_my");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_is_told_taken_out_and_erased() {
    for locale in LOCALES {
        let mut scene = Scene::set(locale).await;
        let (alice, bob, carol) = (scene.alice.clone(), scene.bob.clone(), scene.carol.clone());
        scene.types(&carol, "privacy").await;
        scene.types(&carol, "data export").await;
        scene.types(&carol, "data erase").await;
        scene.table("general", "2h").await;
        scene.begins().await;
        alice.command("declare").with("text", "3A").await;
        bob.command("declare").with("text", "3A 5A").await;
        scene.discord.opens_channel("side");
        scene.table("side", "6h").await;

        let exported = scene.types(&alice, "data export").await;
        let (name, bytes) = &exported.message().files()[0];
        let kept: Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!(name, "shimekiri.json");
        assert_eq!(kept["account"], format!("discord:{}", alice.id()));
        assert_eq!(kept["tables"].as_array().unwrap().len(), 2);
        let declared = kept["declarations"].to_string();
        assert!(declared.contains("3A") && !declared.contains("5A"), "{declared}");

        let before = scene.types(&alice, "data erase").await;
        assert_eq!(before.buttons(), [scene.say("消去する", "Erase")]);
        assert!(!leads_to(&scene.bot, &alice).await.is_empty());
        let erased = scene.presses(&alice, scene.say("消去する", "Erase")).await;
        assert_eq!(erased.buttons(), [""; 0], "it cannot be pressed twice");
        assert_eq!(leads_to(&scene.bot, &alice).await, [""; 0]);
        scene.types(&alice, "my").await;
        scene.types(&alice, "data export").await;
        // The window's post no longer names her, and the forming table has ended.
        let (unnamed, over) =
            scene.say2(("未宣言：P1", "は終了しました"), ("Not declared: P1", "is over"));
        bob.sees(unnamed).await;
        bob.sees(over).await;
        scene.types(&bob, "my").await;
        scene.is_told("person_data");
    }
}

impl Scene {
    fn say2<'a>(&self, ja: (&'a str, &'a str), en: (&'a str, &'a str)) -> (&'a str, &'a str) {
        (self.say(ja.0, en.0), self.say(ja.1, en.1))
    }
}

/// Returns the texts in the database that contain a person's name or id.
async fn leads_to(bot: &Bot, person: &Person) -> Vec<String> {
    sqlx::any::install_default_drivers();
    let mut connection = sqlx::AnyConnection::connect(&bot.database.url).await.unwrap();
    let question = "select account from people union all select name from seats
        union all select coalesce(address, '') from seats union all select address from outbox
        union all select body from outbox union all select body from journal
        union all select state from snapshots union all select answers from declarations";
    let found: Vec<(String,)> = sqlx::query_as(question).fetch_all(&mut connection).await.unwrap();
    let (name, id) = (person.name().to_owned(), person.id().to_string());
    let found = found.into_iter().map(|(text,)| text);
    found.filter(|text| text.contains(&name) || text.contains(&id)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_told_what_the_bot_lacks_in_each_channel() {
    for locale in LOCALES {
        let mut scene = Scene::set(locale).await;
        let (alice, bob) = (scene.alice.clone(), scene.bob.clone());
        assert!(bob.command("setup check").can_be_done().is_err(), "it is for who manages it");
        alice.may(Permissions::MANAGE_GUILD);
        let general = scene.discord.channel("general");
        scene.table("general", "2h").await;
        alice.goes_to(general);
        scene.types(&alice, "setup check").await;
        let side = scene.discord.opens_channel("side");
        let far = scene.discord.opens_channel("far");
        scene.table("side", "6h").await;
        scene.table("far", "6h").await;
        scene.discord.quiet_for(Duration::from_millis(500)).await;
        scene.discord.forbids(general, Permissions::EMBED_LINKS | Permissions::ATTACH_FILES);
        scene.discord.forbids(side, Permissions::CREATE_PUBLIC_THREADS);
        scene.discord.forbids(far, Permissions::VIEW_CHANNEL);
        alice.goes_to(general);
        scene.types(&alice, "setup check").await;
        for channel in [general, side, far] {
            scene.discord.allows(channel);
        }
        scene.is_told("person_setup");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn help_is_for_who_one_is_at_a_table_and_for_its_game() {
    for locale in LOCALES {
        let mut scene = Scene::set(locale).await;
        let (alice, bob, carol) = (scene.alice.clone(), scene.bob.clone(), scene.carol.clone());
        scene.types(&carol, "help").await;
        let thread = scene.table("general", "2h").await;
        carol.goes_to(thread);
        for person in [&alice, &bob, &carol] {
            scene.types(person, "help").await;
        }
        scene.begins().await;
        for person in [&alice, &bob, &carol] {
            scene.types(person, "help").await;
        }
        scene.is_told("person_help");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_too_much_at_once_waits_and_nobody_else() {
    let discord = Discord::start();
    let person = |name, locale| discord.person(name, locale);
    let (alice, bob) = (person("alice", Locale::Ja), person("bob", Locale::En));
    let _bot = Bot::start_with(&discord, &[("SHIMEKIRI_DISCORD_PER_PERSON", "3")]).await;
    for person in [&alice, &bob] {
        let mut waits = Vec::new();
        for _ in 0..4 {
            let answer = person.command("my").await;
            assert!(answer.is_private());
            waits.push(answer.text().contains("10"));
        }
        assert_eq!(waits, [false, false, false, true], "{}", person.transcript());
        // Completions above the rate limit are empty.
        for _ in 0..8 {
            let choices = person.complete("declare", "text", "3").await.choices();
            assert_eq!(choices, [""; 0]);
        }
    }
    assert!(alice.sees("操作は10秒に3回まで").await.is_private());
    assert!(bob.sees("You can act 3 times").await.is_private());
}

/// A person's settings for all tables are shown and stored, and a seat is chosen by its number.
#[tokio::test(flavor = "multi_thread")]
async fn settings_are_kept_and_a_seat_is_chosen() {
    for locale in LOCALES {
        let mut scene = Scene::set(locale).await;
        let (bob, carol) = (scene.bob.clone(), scene.carol.clone());
        scene.types(&carol, "me").await;
        let set = carol.command("me").with("zone", "Europe/Berlin").with("quiet", "23:00-7:00");
        let answer = set.with("calls", "thread").with("when", "deadline").await;
        scene.note(&carol, "/me zone quiet calls when", &answer);
        let answer = carol.command("me").with("zone", "Europe/Berln").await;
        scene.note(&carol, "/me zone:Europe/Berln", &answer);
        scene.types(&carol, "me").await;
        let thread = scene.table("general", "2h").await;
        carol.goes_to(thread);
        for seat in ["P1", "P9", "P3"] {
            let answer = carol.command("table join").with("seat", seat).await;
            scene.note(&carol, &format!("/table join seat:{seat}"), &answer);
        }
        bob.command("table leave").await;
        let moved = carol.command("table join").with("seat", "P2").await;
        assert!(moved.text().contains("P2"), "{}", moved.text());
        scene.is_told("me");
    }
}
