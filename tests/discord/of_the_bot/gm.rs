//! A game master's decisions: shown first, then given a reason, and made once.

mod late;
mod once;
mod seeking;
mod who;

use super::scenes::{LOCALES, Scene};
use double::{Answer, Person};

/// The chance in which alice has cards to declare with.
const HAND: &str = "hand 2414";

impl Scene {
    /// Makes a proposed decision with a reason, and notifies the table.
    pub(super) async fn decided(&self, by: &Person, asked: &Answer, why: &str) -> Answer {
        self.decided_by(
            by,
            asked,
            self.say("実行して全員に知らせる", "Do it and notify everyone"),
            why,
        )
        .await
    }

    /// Makes a proposed decision with a reason, without notifying the table.
    async fn quietly(&self, by: &Person, asked: &Answer, why: &str) -> Answer {
        self.decided_by(by, asked, self.say("内々に実行", "Do it quietly"), why).await
    }

    async fn decided_by(&self, by: &Person, asked: &Answer, button: &str, why: &str) -> Answer {
        assert!(asked.is_private());
        let form = by.press(button).await;
        by.submit(&form, &[("0", why)]).await
    }

    /// Starts a table hosted by alice where bob plays among bot players, up to its first turn.
    async fn plays(locale: double::Locale) -> Self {
        let scene = Self::set(locale, HAND).await;
        scene.sits(&[("pace", "daily 21:00")]).await;
        scene.begins().await;
        scene.discord.forgets();
        scene
    }

    /// Forms a table hosted by alice with these options, and seats bob.
    async fn sits(&self, options: &[(&str, &str)]) {
        let mut formed = self.alice.command("table new").with("game", "eitsuku").with("seats", 3);
        formed = formed.with("sit", "no");
        for (name, value) in options {
            formed = formed.with(name, *value);
        }
        formed.await;
        let thread = self.discord.thread(self.say("えいつく", "Eitsuku")).await;
        for person in [&self.alice, &self.bob, &self.carol] {
            person.goes_to(thread);
        }
        self.bob.command("table join").await;
    }
}

/// A message to one player is read by that player alone, and does not appear in the thread. A decision that
/// the table must see has no button for a private one.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_to_one_is_read_by_one() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let (words, why) =
            (say("あなたは人狼です", "You are the wolf"), say("役を配る", "casting"));
        let asked = alice.command("gm table say").with("text", words).with("to", "bob").await;
        assert!(asked.text().contains(say("bobだけ", "only bob")), "{}", asked.text());
        assert_eq!(asked.buttons(), [say("内々に実行", "Do it quietly")]);
        scene.quietly(alice, &asked, why).await;
        let told = scene.bob.sees(words).await;
        assert!(told.text().contains("bob") && !told.text().contains(why), "{}", told.text());
        let asked = alice.command("gm turn skip").with("seat", "bob").await;
        scene.quietly(alice, &asked, why).await;
        scene.bob.sees(why).await;
        let asked = alice.command("gm table rule").with("text", words).await;
        scene.quietly(alice, &asked, why).await;
        alice.command("gm table log").await;
        for said in [words, why] {
            assert!(scene.carol.finds(said).is_empty(), "{said}: {}", scene.carol.transcript());
        }
        let asked = alice.command("gm table rollback").with("window", 1).await;
        assert_eq!(asked.buttons(), [say("実行して全員に知らせる", "Do it and notify everyone")]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_put_off_stopped_and_asked_again() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let alice = &scene.alice;
        alice.command("gm window show").await;
        alice.command("gm window extend").with("time", scene.say("いつか", "some day")).await;
        let asked = alice.command("gm window extend").with("time", "+2h").await;
        scene.decided(alice, &asked, scene.say("回線が切れた", "the line was cut")).await;
        let asked = alice.command("gm window pause").with("time", scene.say("3日", "3d")).await;
        scene.quietly(alice, &asked, scene.say("祭り", "a feast")).await;
        let asked = alice.command("gm window resume").await;
        scene.decided(alice, &asked, scene.say("祭りが終わった", "the feast is over")).await;
        let asked = alice.command("gm window void").await;
        scene.decided(alice, &asked, scene.say("誤った告知", "a wrong post")).await;
        alice.command("gm window publish").await;
        let asked = alice.command("gm window close").await;
        scene.decided(alice, &asked, scene.say("全員の合意", "all agreed")).await;
        scene.is_told("gm_window");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_looked_at_before_it_is_announced() {
    for locale in LOCALES {
        let scene = Scene::set(locale, HAND).await;
        scene.sits(&[("pace", "daily 21:00, announce after 2h")]).await;
        let alice = &scene.alice;
        alice.command("table start").await;
        alice.sees(scene.say("[宣言する]", "[Declare]")).await;
        scene.discord.forgets();
        alice.command("gm window hold").await;
        crate::of_the_bot::closes(alice).await;
        let asked = alice.command("gm window hold").await;
        scene.quietly(alice, &asked, scene.say("確かめたい", "to be checked")).await;
        alice.command("gm window show").await;
        let asked = alice.command("gm window publish").await;
        scene.decided(alice, &asked, scene.say("正しかった", "it was right")).await;
        scene.is_told("gm_result");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_judged() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        alice.complete("gm turn skip", "seat", "b").await;
        let asked = alice.command("gm turn skip").with("seat", "P2").await;
        scene.decided(alice, &asked, say("合意", "agreed")).await;
        let asked = alice.command("gm turn unskip").with("seat", "bob").await;
        scene.quietly(alice, &asked, say("許した", "forgiven")).await;
        let typing = alice.command("gm turn declare").with("seat", "bob");
        typing.completing("text", "4A ").await;
        let asked = alice.command("gm turn declare").with("seat", "bob").with("text", "4A").await;
        scene.decided(alice, &asked, say("電話で聞いた", "told by telephone")).await;
        // All have sealed: the window closes, and the next one opens.
        alice.sees(say("ターン2：宣言の受付", "Turn 2: declare")).await;
        let typing = alice.command("gm turn return").with("seat", "bob");
        typing.completing("part", "").await;
        let asked = alice.command("gm turn return").with("seat", "bob").with("part", "4").await;
        scene.decided(alice, &asked, say("書き間違い", "a slip of the pen")).await;
        let asked = alice.command("gm turn choose").with("seat", "bob").with("text", "4B").await;
        scene.quietly(alice, &asked, say("取り決め", "as agreed")).await;
        alice.command("gm turn die").with("seat", "bob").with("text", "1").await;
        alice.command("gm turn accept-late").with("seat", "bob").await;
        let last = alice.command("gm turn skip").with("seat", "P2").with("window", "last");
        last.await;
        alice.command("gm turn skip").with("seat", "P9").await;
        scene.is_told("gm_turn");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_die_shows_something_else() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let asked = alice.command("gm table open").await;
        scene.decided(alice, &asked, say("卓の合意", "the table wants it")).await;
        alice.command("gm window show").await;
        let asked = alice.command("gm turn declare").with("seat", "bob").with("text", "5A").await;
        scene.decided(alice, &asked, say("電話で聞いた", "told by telephone")).await;
        // All have sealed: the window closes, and the next one opens.
        alice.sees(say("ターン2：宣言の受付", "Turn 2: declare")).await;
        let die = || alice.command("gm turn die").with("seat", "bob").with("window", "last");
        let thrown = die().completing("text", "").await;
        let first = thrown.choices().first().cloned().unwrap_or_default();
        let faces = die().completing("text", &first).await;
        let face = faces.choices().get(1).cloned().unwrap_or_default();
        let asked = die().with("text", face).await;
        scene.decided(alice, &asked, say("振り直し", "thrown again")).await;
        scene.is_told("gm_die");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_corrected_ruled_and_taken_back() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        alice.command("gm table log").await;
        alice.complete("gm table edit", "text", "").await;
        let give = say("手札: bob 大×1", "give: bob Large×1");
        let asked = alice.command("gm table edit").with("text", give).await;
        scene.decided(alice, &asked, say("数え間違い", "it was miscounted")).await;
        let words = say("両方数える @everyone", "both count @everyone");
        let asked = alice.command("gm table rule").with("text", words).await;
        scene.decided(alice, &asked, say("規則が黙る", "the rules are silent")).await;
        let asked =
            alice.command("gm table say").with("text", say("あと一人です", "one is missing"));
        let asked = asked.with("to", "bob").await;
        scene.quietly(alice, &asked, say("呼ぶため", "to call")).await;
        alice.complete("gm table rollback", "window", "").await;
        alice.command("gm table rollback").with("window", 9).await;
        let asked = alice.command("gm table rollback").with("window", 1).await;
        scene.decided(alice, &asked, say("最初から", "from the beginning")).await;
        alice.complete("gm table undo", "number", "").await;
        alice.command("gm table undo").with("number", 9).await;
        let asked = alice.command("gm table undo").with("number", 4).await;
        scene.decided(alice, &asked, say("やめた", "thought better of it")).await;
        alice.command("gm table log").await;
        let asked = alice.command("gm table end").await;
        scene.decided(alice, &asked, say("期限切れ", "out of time")).await;
        scene.is_told("gm_table");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_set_otherwise_while_it_is_played() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let pace = |text: &str| alice.command("gm table pace").with("text", text);
        pace(say("そのうち", "sometime")).await;
        let asked = pace(say("平日22:00 祝日は休み", "weekdays 22:00 except holidays")).await;
        scene.decided(alice, &asked, say("忙しい", "we are busy")).await;
        let asked = alice.command("gm table absence");
        let asked = asked.with("text", say("延長1回", "extensions 1")).await;
        scene.decided(alice, &asked, say("旅行", "a journey")).await;
        alice.command("table settings").await;
        // A game master who plays gets no preview.
        alice.command("gm window preview").await;
        scene.is_told("gm_settings");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_change_hands() {
    for locale in LOCALES {
        let scene = Scene::plays(locale).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let carol = scene.carol.id().to_string();
        let asked = alice.command("gm seat replace").with("seat", "bob").with("user", carol).await;
        scene.decided(alice, &asked, say("bobが去った", "bob has gone")).await;
        scene.carol.command("hand").await;
        scene.bob.command("hand").await;
        let asked = alice.command("gm seat swap").with("seat", "carol").with("other", "P2").await;
        scene.decided(alice, &asked, say("座り間違い", "they sat wrongly")).await;
        alice.complete("gm seat house", "policy", "").await;
        let asked = alice.command("gm seat house").with("seat", "carol").await;
        scene.quietly(alice, &asked, say("急用", "called away")).await;
        scene.is_told("gm_seat");
    }
}
