//! Declarations on the panel.

use super::{LOCALES, Scene};

/// The chance in which alice holds Writer 4, Private Network and Change of Plan, among three players.
const HAND: &str = "hand 2414";

/// The chance in which alice holds Promoter's Intervention, among six players.
const PROMOTER: &str = "page 14";

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_put_together_by_buttons_menus_and_forms() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.press(say("宣言する", "Declare")).await;
        alice.choose(&[say("独自の情報網", "Private Network")]).await;
        alice.choose(&[say("3B 脚本家4", "3B Writer 4")]).await;
        alice.press(say("ほかの質問", "Other questions")).await;
        let payment = "3：セットフェイズ「破棄する予算」";
        let payment = say(payment, "3: Set phase, “budget cards to destroy”");
        alice.choose(&[payment]).await;
        let form = alice.press(say("入力する", "Write it")).await;
        alice.submit(&form, &[("0", say("小×4 中×1", "Small×4 Medium×1"))]).await;
        alice.choose(&[say("4A 音楽家", "4A Composer")]).await;
        scene.is_told("panel_put_together");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_an_event_aims_at_is_picked_from_a_menu() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, PROMOTER, 6).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("declare").await;
        alice.choose(&[say("プロモーターの介入 bob", "Promoter's Intervention bob")]).await;
        scene.is_told("panel_menu");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_replaces_the_draft_and_is_sealed_and_taken_back() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("declare").with("text", say("3B 脚本家4", "3B Writer 4")).await;
        let form = alice.press(say("文章で入力", "Write it as text")).await;
        let words = say("3A\n4B\n5A 「撮影快調」", "3A\n4B\n5A \"All goes well\"");
        alice.submit(&form, &[("0", words)]).await;
        alice.press(say("ほかの質問", "Other questions")).await;
        let other = say("5：エンドフェイズ「ロールプレイ」", "5: End phase, “role-play”");
        alice.choose(&[other]).await;
        let form = alice.press(say("入力する", "Write it")).await;
        alice.submit(&form, &[("0", say("「撮影は順調です」", "\"All is well\""))]).await;
        alice.press(say("提出（封をする）", "Submit (seal)")).await;
        alice.command("declare").await;
        alice.press(say("すべて消す", "Clear all")).await;
        scene.is_told("panel_text_and_seal");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_is_told_and_asked_about_before_it_is_sealed() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("declare").with("text", say("3B 役者6 4A", "3B Actor 6 4A")).await;
        alice.press(say("提出（封をする）", "Submit (seal)")).await;
        alice.press(say("提出せずに戻る", "Do not submit")).await;
        alice.press(say("提出（封をする）", "Submit (seal)")).await;
        alice.press(say("このまま提出", "Submit anyway")).await;
        scene.is_told("panel_fault");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn standing_orders_are_left_by_menu_by_text_and_by_one_press_after_a_seal() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("orders").await;
        alice.command("orders").with("text", say("もしストライキなら B", "If struck B")).await;
        alice.command("orders").with("text", say("もしストライキなら C", "If struck C")).await;
        alice.command("declare").with("text", say("3A 4B 5A", "3A 4B 5A")).await;
        alice.press(say("提出（封をする）", "Submit (seal)")).await;
        alice.press(say("これからもこうする", "Always do this")).await;
        alice.command("orders").with("text", say("なし", "none")).await;
        scene.is_told("orders");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_reserve_is_written_behind_a_word() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        let text = say(
            "3B 役者3、だめなら3A 4A 役者、だめなら4B",
            "3B Actor 3, else 3A 4A Actor, else 4B",
        );
        alice.command("declare").with("text", text).await;
        scene.is_told("in_reserve");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declaration_is_written_ahead_by_menu_and_by_text() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.command("next").await;
        alice.choose(&[say("4A 役者", "4A Actor")]).await;
        alice.command("next").with("text", "3A 5A").await;
        alice.command("next").with("text", say("3B 役者9", "3B Actor 9")).await;
        alice.command("hand").await;
        alice.command("next").with("text", say("なし", "none")).await;
        scene.is_told("next");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_in_reserve_is_picked_from_a_menu() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let reserves = say("だめなら…", "In reserve");
        alice.press(say("宣言する", "Declare")).await;
        alice.choose(&[say("3B 役者3", "3B Actor 3")]).await;
        scene.discord.forgets();
        alice.press(reserves).await;
        alice.choose(&[say("3A イベントを1枚引く", "3A draw an event")]).await;
        alice.press(reserves).await;
        alice.choose(&[say("3B 脚本家4", "3B Writer 4")]).await;
        alice.press(reserves).await;
        alice.choose(&[say("「だめなら」を取り消す", "Nothing in reserve")]).await;
        alice.press(reserves).await;
        alice.choose(&[say("3A イベントを1枚引く", "3A draw an event")]).await;
        alice.press(say("提出（封をする）", "Submit (seal)")).await;
        scene.is_told("reserve");
    }
}

impl Scene {
    /// Returns the number of alice's interactions since the transcript was cleared.
    pub(in crate::of_the_bot) fn taps(&self) -> usize {
        self.discord.dialogue().lines().filter(|line| line.starts_with("alice: ")).count()
    }

    /// Asserts the maximum number of alice's taps, and prints the number.
    pub(in crate::of_the_bot) fn takes(&self, what: &str, most: usize) {
        self.counts(what, self.taps(), most, &self.discord.dialogue());
    }

    /// Asserts the maximum number of a text's rows on a phone, and prints the number.
    pub(in crate::of_the_bot) fn has_rows(&self, what: &str, text: &str, most: usize) {
        self.counts(&format!("{what}: rows"), self.rows(text), most, text);
    }

    #[expect(clippy::print_stdout, reason = "whoever asks with --nocapture wants the figures")]
    fn counts(&self, what: &str, count: usize, most: usize, shown: &str) {
        let locale = self.say("ja", "en");
        println!("{locale} {what} {count}, at most {most}");
        assert!(count <= most, "{locale} {what} {count}: {shown}");
    }
}

/// Returns the text above the first control.
pub(in crate::of_the_bot) fn above_controls(text: &str) -> String {
    let is_control = |line: &&str| line.starts_with(['[', '{']);
    let lines = text.lines().take_while(|line| !is_control(line));
    lines.map(|line| line.strip_prefix("| ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_takes_few_taps_and_its_panel_few_rows() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 4).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        let seal = say("提出（封をする）", "Submit (seal)");
        let same = say("前回と同じ手", "Same as last turn");
        // The usual turn: draw an event, draw a role, end.
        scene.discord.forgets();
        alice.press(say("宣言する", "Declare")).await;
        alice.choose(&[say("3A イベントを1枚引く", "3A draw an event")]).await;
        alice.choose(&[say("4A 役者", "4A Actor")]).await;
        let echo = alice.press(seal).await;
        scene.takes("draw an event, draw a role, end: taps", 4);
        scene.has_rows("echo of a seal", &echo.text(), 8);
        scene.closes().await;
        // The usual turn once more, by the button for the same declaration.
        scene.discord.forgets();
        let panel = alice.press(say("宣言する", "Declare")).await;
        scene.has_rows("panel before its first control", &above_controls(&panel.text()), 15);
        let again = alice.press(same).await;
        let above = above_controls(&again.text());
        scene.has_rows("panel with a draft before its first control", &above, 15);
        let echo = alice.press(seal).await;
        scene.takes("the same as last turn: taps", 3);
        scene.has_rows("echo of a seal", &echo.text(), 8);
        scene.is_told("panel_few_taps");
        scene.closes().await;
        // Leaving everything out takes one press more than opening the panel.
        scene.discord.forgets();
        alice.press(say("宣言する", "Declare")).await;
        alice.press(say("すべて省略して提出", "Submit, all left out")).await;
        scene.takes("everything left out: taps", 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_with_own_choices_everywhere_takes_few_taps() {
    for locale in LOCALES {
        let scene = Scene::playing(locale, HAND, 3).await;
        let (alice, say) = (&scene.alice, |ja, en| scene.say(ja, en));
        scene.discord.forgets();
        alice.press(say("宣言する", "Declare")).await;
        alice.choose(&[say("方針転換", "Change of Plan")]).await;
        alice.choose(&[say("3B 脚本家4", "3B Writer 4")]).await;
        alice.choose(&[say("小×4 中×1", "Small×4 Medium×1")]).await;
        alice.choose(&[say("4A 音楽家", "4A Composer")]).await;
        let echo = alice.press(say("提出（封をする）", "Submit (seal)")).await;
        scene.takes("own choices everywhere: taps", 7);
        scene.has_rows("echo of a seal", &echo.text(), 8);
        scene.closes().await;
        // The parts of the repeated declaration that are no longer possible are named.
        alice.press(say("宣言する", "Declare")).await;
        let again = alice.press(say("前回と同じ手", "Same as last turn")).await;
        scene.tells("panel_same_left_out", &above_controls(&again.text()));
    }
}
