//! Absences, substitutes, late and inactive players: the commands, and the public posts.

use super::scenes::{LOCALES, Scene, in_both};
use double::{Answer, Person};

/// Compares a person's direct messages with a snapshot, without the remaining time.
#[track_caller]
fn shows(scene: &Scene, name: &str, person: &Person) {
    let shown = scene.discord.shows(person.goes_to_the_bot());
    let near = scene.say("まもなく締め切り", "Deadline soon");
    // The remaining time depends on the machine's speed.
    let timeless = |line: &str| match line.split_once(near) {
        Some((before, left)) => {
            format!("{before}{near}{}\n", left.replace(|c: char| c.is_ascii_digit(), ""))
        }
        None => format!("{line}\n"),
    };
    let shown: String = shown.lines().map(timeless).collect();
    scene.tells(name, &shown);
}

/// Returns the newest public message that contains `words`.
fn post(person: &Person, words: &str) -> String {
    let mut found = person.finds(words);
    found.sort_by_key(|message| message.id);
    let last = found.iter().rfind(|message| !message.is_private());
    last.unwrap_or_else(|| panic!("{words}: {}", person.transcript())).text().to_owned()
}

/// Waits until the newest public message with `heading` contains `words`.
async fn comes(scene: &Scene, heading: &str, words: &str) {
    for _ in 0..200 {
        if post(&scene.bob, heading).contains(words) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{words}: {}", post(&scene.bob, heading));
}

fn id(person: &Person) -> String {
    person.id().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_away_says_so_shows_it_and_takes_it_back() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, "explore", 3).await;
        scene.discord.forgets();
        let (alice, carol) = (&scene.alice, &scene.carol);
        alice.command("away").await;
        alice.command("away").with("until", scene.say("そのうち", "soon")).await;
        alice.command("away").with("from", scene.say("明日", "tomorrow")).await;
        alice.command("away").with("until", "+90d").await;
        alice.command("away").with("from", "+5d").with("until", "+3d").await;
        let asked = alice.command("away").with("from", scene.say("明日", "tomorrow"));
        asked.with("until", "+5d").await;
        alice.press(scene.say("留守を取り消す", "Cancel vacation")).await;
        alice.command("away").with("until", scene.say("+3日", "+3d")).await;
        scene.bob.sees(scene.say("さんの留守：", "is on vacation")).await;
        alice.command("away").await;
        alice.command("back").await;
        alice.command("away").await;
        carol.command("away").with("until", "+3d").await;
        carol.command("back").await;
        scene.is_told("absence_away");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_substitute_sees_and_declares_for_that_seat_alone() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, "explore", 3).await;
        scene.discord.forgets();
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        let bot = scene.discord.bot().to_string();
        alice.command("substitute").await;
        alice.command("substitute").with("user", id(carol)).await;
        alice.command("substitute").with("user", id(bob)).with("until", "+3d").await;
        alice.command("substitute").with("user", bot).with("until", "+3d").await;
        carol.command("substitute").with("user", id(bob)).with("until", "+3d").await;
        carol.command("hand").await;
        let named = alice.command("substitute").with("user", id(carol)).with("until", "+3d").await;
        assert_eq!(named.buttons().len(), 1, "{}", named.text());
        // The letter to the substitute about the seat's questions.
        let briefed = carol.sees(scene.say("さんの代理です", "You are the substitute for")).await;
        assert_eq!(briefed.buttons(), [scene.say("宣言する", "Declare")]);
        let hand = |answer: Answer| answer.text();
        let (theirs, own) = (hand(carol.command("hand").await), hand(alice.command("hand").await));
        assert_eq!(theirs, own);
        assert_ne!(theirs, hand(bob.command("hand").await));
        let panel = carol.command("declare").await;
        let of_alice = alice.command("declare").await;
        assert_eq!(panel.text(), of_alice.text());
        carol.command("declare").with("text", "3A 4B").await;
        carol.command("my").await;
        carol.command("seal").await;
        alice.command("table show").await;
        // In a direct conversation with the bot, the table is the only one that they can mean.
        let private = carol.goes_to_the_bot();
        carol.command("hand").in_channel(private).await;
        alice.press(scene.say("代理を取り消す", "End substitution")).on(&named).await;
        carol.command("hand").in_channel(private).await;
        alice.command("substitute").await;
        scene.is_still().await;
        scene.is_told("absence_substitute");
        shows(&scene, "absence_substitute_letters", carol);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_becomes_of_missing_players_is_set_on_the_panel_and_while_it_is_played() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        let (alice, bob, say) = (&scene.alice, &scene.bob, |ja, en| scene.say(ja, en));
        let faulty = alice.command("table new").with("absence", say("猶予9回", "allowance 9"));
        faulty.await;
        let thread = scene.table(3).await;
        let line = say("延長1回 遅刻受付2時間 留守は延長", "extensions 1, grace 2h, away: extend");
        scene.discord.forgets();
        alice.goes_to(thread);
        alice.command("table settings").await;
        let field = say("欠席ルール", "Absence policy");
        let form = alice.press(say("欠席ルールを変える…", "Absence policy …")).await;
        alice.submit(&form, &[(field, say("猶予一杯", "allowance plenty"))]).await;
        let form = alice.press(say("欠席ルールを書き直す", "Edit absence policy")).await;
        assert_eq!(form.field(field).as_deref(), Some(say("猶予一杯", "allowance plenty")));
        alice.submit(&form, &[(field, line)]).await;
        bob.command("table settings").await;
        comes(
            &scene,
            "## ",
            say("1人1回まで、遅刻の受付は2時間", "1 extension per player, a grace period of 2h"),
        )
        .await;
        scene.begins().await;
        let set = alice.command("table settings").await;
        assert_eq!(set.buttons(), [say("欠席ルールを変える…", "Absence policy …")]);
        let form = alice.press(say("欠席ルールを変える…", "Absence policy …")).on(&set).await;
        alice.submit(&form, &[(field, say("不在1回で代打", "inactive after 1: house"))]).await;
        bob.sees(say("次の受付から", "From the next window on")).await;
        let read = bob.command("table settings").await;
        assert!(read.buttons().is_empty(), "{:?}", read.buttons());
        scene.is_told("absence_settings");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_formed_with_it_and_formed_so_once_more() {
    let scene = Scene::set(LOCALES[1], "explore").await;
    let (alice, bob) = (&scene.alice, &scene.bob);
    let formed = alice.command("table new").with("game", "eitsuku").with("seats", 2);
    let formed = formed.with("absence", "allowance 2, inactive after 3: house").await;
    let line =
        "2 extensions per player, no grace period, a bot declares after 3 missed windows in a row";
    assert!(formed.text().contains(line), "{}", formed.text());
    let thread = scene.discord.thread("Eitsuku").await;
    for person in [alice, bob] {
        person.goes_to(thread);
        person.press("Join").await;
    }
    scene.begins().await;
    alice.command("table end").await;
    alice.press("End the table").await;
    bob.sees("You can play again").await;
    alice.press("Play again").await;
    bob.sees("join now").await;
    comes(&scene, "join now", line).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_is_put_off_then_the_late_have_grace_and_who_is_gone_comes_back_by_one_press() {
    in_both(async |locale| {
        let scene = Scene::set(locale, "explore").await;
        let (alice, bob, say) = (&scene.alice, &scene.bob, |ja, en| scene.say(ja, en));
        let thread = scene.table_by("6h, last call 0m", 3).await;
        let line =
            say("猶予1回 遅刻2時間 不在1回で休み", "allowance 1, grace 2h, inactive after 1: skip");
        alice.command("table settings").await;
        let form = alice.press(say("欠席ルールを変える…", "Absence policy …")).await;
        alice.submit(&form, &[(say("欠席ルール", "Absence policy"), line)]).await;
        scene.begins().await;
        scene.is_still().await;
        scene.discord.forgets();
        alice.command("declare").with("text", "3A 4B").await;
        alice.command("seal").await;
        // Only players with missing answers are reminded, with the button that helps.
        let reminded = bob.sees(say("まもなく締め切り", "Deadline soon")).await;
        assert_eq!(reminded.buttons(), [say("宣言する", "Declare")]);
        assert!(alice.finds(say("まもなく締め切り", "Deadline soon")).is_empty());

        let heading = say("第1回受付", "window 1");
        scene.is_due_in(-1).await;
        comes(&scene, heading, say("延長1回", "extended once")).await;
        scene.is_due_in(-1).await;
        comes(&scene, heading, say("（遅刻）", "(late)")).await;
        let frozen = alice.command("declare").with("text", "3B").await;
        assert!(frozen.text().contains(say("締め切り後のため", "The deadline has passed")));
        scene.is_due_in(-1).await;
        let heading = say("第2回受付", "window 2");
        bob.sees(heading).await;
        comes(
            &scene,
            heading,
            say("自動で進める席（連続無宣言）：bob", "Inactive (not awaited): bob"),
        )
        .await;
        scene.is_still().await;
        let shown = scene.discord.shows(thread);
        let post = shown.rfind("## ").unwrap();
        let post = shown[..post].rfind("\n>").map_or(&shown[..], |line| &shown[line + 1..]);
        // The post pings nobody whom the window does not wait for.
        assert!(post.contains("pings alice)"), "{post}");
        scene.bob.press(say("復帰する", "End vacation")).await;
        bob.sees(say("bobさんが復帰しました", "bob is back")).await;
        scene.is_still().await;
        assert!(
            !self::post(bob, heading).contains(say("自動で進める席", "Inactive (not awaited)"))
        );
        scene.is_told("absence_late");
        scene.tells("absence_late_thread", &scene.discord.shows(thread));
        shows(&scene, "absence_late_letters", bob);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_was_sent_is_kept_true() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "explore").await;
        let (alice, bob, say) = (&scene.alice, &scene.bob, |ja, en| scene.say(ja, en));
        scene.table_by("6h, last call 0m", 3).await;
        scene.begins().await;
        alice.command("declare").with("text", "3A 4B").await;
        alice.command("seal").await;
        let near = say("まもなく締め切り", "Deadline soon");
        let reminded = bob.sees(near).await;
        assert!(reminded.text().contains(say("まだ宣言していません", "not declared yet")));
        // The reminder about a draft names it as such, with its open questions.
        bob.command("declare").with("text", "3A").await;
        let reminded = bob.sees(say("下書きは締め切りの時に", "is a draft: it is used")).await;
        assert_eq!(reminded.buttons(), [say("宣言する", "Declare")]);
        bob.command("seal").await;
        let settled =
            bob.sees(say("このリマインドは不要になりました", "reminder no longer applies")).await;
        assert_eq!((settled.id, settled.buttons()), (reminded.id, Vec::new()));
        assert!(bob.finds(near).is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_is_put_off_for_who_is_away_and_their_post_says_so() {
    in_both(async |locale| {
        let scene = Scene::set(locale, "explore").await;
        let (alice, bob, say) = (&scene.alice, &scene.bob, |ja, en| scene.say(ja, en));
        let thread = scene.table(2).await;
        alice.command("table settings").await;
        let form = alice.press(say("欠席ルールを変える…", "Absence policy …")).await;
        let line = say("留守は延長", "away: extend");
        alice.submit(&form, &[(say("欠席ルール", "Absence policy"), line)]).await;
        scene.begins().await;
        scene.is_still().await;
        let heading = say("第1回受付", "window 1");
        bob.command("away").with("until", "+3d").await;
        comes(&scene, heading, say("留守：bob", "On vacation: bob")).await;
        scene.is_due_in(-1).await;
        comes(&scene, heading, say("延長3回", "extended 3 times")).await;
        // The notice of the absence has the button that takes it back.
        let notice = bob.sees(say("bobさんの留守：", "bob is on vacation")).await;
        assert_eq!(notice.buttons(), [say("復帰する", "End vacation")]);
        bob.press(say("復帰する", "End vacation")).on(&notice).await;
        bob.sees(say("bobさんの留守は終わりました", "bob is back from vacation")).await;
        scene.is_still().await;
        assert!(!post(bob, heading).contains(say("留守：", "On vacation:")));
        let shown = scene.discord.shows(thread);
        let begins = shown.find(say("◆bobさんの留守：", "◆ bob is on vacation")).unwrap();
        scene.tells("absence_away_thread", &shown[begins..]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_missed_too_much_is_told_what_a_table_requires() {
    in_both(async |locale| {
        let scene = Scene::set(locale, "explore").await;
        let (alice, bob, carol, say) =
            (&scene.alice, &scene.bob, &scene.carol, |ja, en| scene.say(ja, en));
        scene.table(3).await;
        scene.begins().await;
        scene.is_due_in(-1).await;
        let missed = "select count(*) from reputation where kept = 'missed'";
        scene.comes_to(missed, 2).await;
        scene.is_still().await;
        scene.discord.forgets();
        bob.command("my").await;
        let line = say("参加は直近10回で欠席0回まで", "join: at most 0 missed of the last 10");
        let side = scene.discord.opens_channel("side");
        for person in [alice, bob, carol] {
            person.goes_to(side);
        }
        let formed = alice.command("table new").with("game", "eitsuku").with("seats", 2);
        formed.with("place", "here").with("absence", line).await;
        bob.command("table join").await;
        // A person who has played nowhere may join.
        carol.command("table join").await;
        scene.is_told("absence_required");
    })
    .await;
}
