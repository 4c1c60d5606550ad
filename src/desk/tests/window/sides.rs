//! Drafts, seals and lines that a side shares in the open window, and nobody else sees.

use crate::audit::file::Extent;
use crate::model::{Desk, NotDone, Override};
use crate::record::{Letter, Part};
use crate::table::form::Form;
use crate::tests::kit::{LATER, decision, gm};
use crate::tests::record::forget::found;
use crate::tests::support::{
    Database, HOUR, VALUE, account, desk, form, guest, looks, refused, rows, see, table,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus::{self, Draft, Sealed};
use games::GAMES;
use kit::time::{span, time};
use letters::{DeclarationRefused, Letters, Refused, SeatRefused};
use rules::text::Lang;
use rules::window::Progress;
use rules::{Declaration, Dice, Key, Label, Seat, Viewer};
use tables::{Announce, Pace, Stage, TableCode};

/// The players by seat: odd seats are one guild, even seats the other.
pub(super) const NAMES: [&str; 6] = ["sakura", "kaede", "ume", "fuji", "kiku", "yuri"];

const WORDS: &str = "we all strike P2";

/// A table of two guilds, dealt at the time 0, at which decks are chosen.
pub(super) struct SideTable {
    pub(super) database: Database,
    pub(super) desk: Desk,
    pub(super) code: TableCode,
}

impl SideTable {
    pub(super) async fn new(pace: Pace, thread: Option<&str>) -> Self {
        Self::of("guild_war", &NAMES, pace, thread).await
    }

    /// A table of a game with these players.
    async fn of(game: &str, names: &[&str], pace: Pace, thread: Option<&str>) -> Self {
        let database = Database::fresh().await;
        let desk = Desk::new(desk(&database).await.store().clone(), GAMES);
        let chairs = names.len();
        let form = Form { chairs, pace, place: thread.map(Into::into), ..form(game) };
        let code = crate::form(&desk, form, time(0)).await.unwrap().code;
        for name in names {
            crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
        }
        let host = account("sakura");
        crate::appoint(&desk, &code, &host, account("momiji").as_str(), true, time(0))
            .await
            .unwrap();
        crate::start(&desk, &code, &host, "random", time(0)).await.unwrap();
        Self { database, desk, code }
    }

    /// With windows of an hour, and without reminders.
    async fn plain() -> Self {
        let pace = Pace { reminders: Vec::new(), ..Pace::play(span(HOUR), chrono_tz::UTC) };
        Self::new(pace, None).await
    }

    /// Declares what a text says, in place of what was there.
    async fn says(&self, name: &str, text: &str, status: DeclarationStatus, now: i64) {
        let sight = see(&self.desk, &self.code, name, now).await;
        let said = sight.read(text, &Declaration::default()).declaration;
        let account = account(name);
        let declared =
            crate::declare(&self.desk, &self.code, &account, &said, status, None, time(now));
        declared.await.unwrap();
    }

    pub(super) async fn writes(&self, name: &str, words: &str, now: i64) -> Result<(), NotDone> {
        let sight = see(&self.desk, &self.code, name, now).await;
        crate::write_to_side(&self.desk, &sight, &account(name), words, time(now)).await
    }

    /// Returns the text of a person's side; empty without a side.
    pub(super) async fn shown(&self, name: &str, now: i64) -> Option<String> {
        let sight = see(&self.desk, &self.code, name, now).await;
        let own = sight.play.as_ref().map(|play| play.own.clone()).unwrap_or_default();
        let side = crate::side(&self.desk, &sight, &own, 30).await.unwrap()?;
        let reader = sight.reader(Lang::En).in_plain_text();
        Some(sight.side_shown(&side, &Letters::built_in(), &reader).unwrap())
    }

    /// The letters to somebody that are of their side.
    async fn side_letters(&self, name: &str) -> Vec<Part> {
        let address = account(name);
        let question =
            format!("select body from outbox where address = '{address}' order by letter");
        let bodies: Vec<(String,)> = rows(&self.database, &question).await;
        let letters = bodies.iter().map(|(body,)| serde_json::from_str::<Letter>(body).unwrap());
        letters.filter(Letter::is_of_side).flat_map(|letter| letter.parts).collect()
    }

    /// Decides something as a game master about a seat that somebody takes.
    async fn decides(&self, what: Override, guest_name: Option<&str>) -> Result<(), NotDone> {
        let guest = guest_name.map(guest);
        let (by, now) = (gm(), time(9));
        crate::rehearse(&self.desk, &self.code, &by, what.clone(), guest.clone(), now).await?;
        let decided = crate::overrides::decision::Decision { guest, ..decision(what) };
        crate::decide(&self.desk, &self.code, &by, decided, now).await.map(drop)
    }
}

#[tokio::test]
async fn partners_see_each_others_drafts_and_seals_and_nobody_else_does() {
    let table = SideTable::plain().await;
    table.says("sakura", "Swordfighter", Draft, 1).await;
    table.says("ume", "Caster", Sealed, 1).await;
    let shown = table.shown("kiku", 1).await.unwrap();
    let lines: Vec<&str> = shown.lines().collect();
    let drafted = ["  ・sakura: draft: Deck: Swordfighter", "  ・ume: sealed: Deck: Caster"];
    assert_eq!(lines[1..], drafted, "{shown}");
    let progress = async |name| {
        let play = see(&table.desk, &table.code, name, 1).await.play.unwrap();
        play.progress.iter().map(|(_, progress)| *progress).collect::<Vec<_>>()
    };
    let none = Progress::NothingDeclared;
    let (draft, sealed) = (Progress::Draft, Progress::SealedComplete);
    assert_eq!(progress("kiku").await, [draft, none, sealed, none, none, none]);
    for other in ["kaede", "momiji", "nobody"] {
        assert_eq!(progress(other).await, [none; 6], "{other}");
    }
    let others = table.shown("kaede", 1).await.unwrap();
    assert!(!others.contains("Swordfighter") && !others.contains("sakura"), "{others}");
    for nobody in ["momiji", "nobody"] {
        assert_eq!(table.shown(nobody, 1).await, None, "{nobody}");
    }
}

#[tokio::test]
async fn decks_that_clash_are_told_to_their_side_before_the_seal() {
    let pace = Pace { reminders: Vec::new(), ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let table = SideTable::of("tag_g", &["sakura", "kaede", "ume", "fuji"], pace, None).await;
    table.says("sakura", "Deck Hiiragi's Two Blades", Draft, 1).await;
    table.says("kaede", "Deck Hiiragi's High Guard, Daimon's Maul", Draft, 2).await;
    let expected = "  ・kaede: Hiiragi's High Guard cannot be used; sakura has the character Hiiragi the Blade too\n  ・kaede: Daimon's Maul";
    for name in ["sakura", "kaede"] {
        let shown = table.shown(name, 3).await.unwrap();
        assert!(shown.contains(expected), "{shown}");
    }
    let others = table.shown("ume", 3).await.unwrap_or_default();
    assert!(!others.contains("Hiiragi") && !others.contains("Daimon"), "{others}");
}

#[tokio::test]
async fn whoever_stands_in_sees_what_the_side_shares_while_they_do() {
    let table = SideTable::plain().await;
    let (desk, code) = (&table.desk, &table.code);
    table.says("sakura", "Swordfighter", Draft, 1).await;
    let (until, now) = (time(100), time(1));
    crate::delegate(desk, code, &account("ume"), guest("tsubaki"), until, now).await.unwrap();
    assert_eq!(table.shown("tsubaki", 99).await, table.shown("ume", 99).await);
    assert_eq!(table.shown("tsubaki", 100).await, None);
    table.writes("tsubaki", WORDS, 50).await.unwrap();
    assert!(table.shown("kiku", 51).await.unwrap().contains(WORDS));
    assert_eq!(refused(table.writes("tsubaki", WORDS, 100).await), Refused::NotSeated);
}

#[tokio::test]
async fn a_change_after_a_partner_has_sealed_is_told_to_the_partners_once() {
    let table = SideTable::plain().await;
    table.says("sakura", "Swordfighter", Draft, 1).await;
    table.says("sakura", "Caster", Draft, 2).await;
    table.says("ume", "Caster", Sealed, 3).await;
    table.says("kiku", "Caster", Draft, 4).await;
    assert_eq!(table.side_letters("ume").await, [], "nothing has changed since the seal");
    table.says("sakura", "Caster", Sealed, 5).await;
    assert_eq!(table.side_letters("ume").await, [], "it is the same");
    table.says("sakura", "Archer", Draft, 6).await;
    table.says("sakura", "Shade", Draft, 7).await;
    let changed = Part::SideChanged { by: Seat::new(0) };
    for name in ["ume", "kiku"] {
        assert_eq!(table.side_letters(name).await, std::slice::from_ref(&changed), "{name}");
    }
    for name in ["sakura", "kaede", "fuji", "yuri", "momiji"] {
        assert_eq!(table.side_letters(name).await, [], "{name}");
    }
}

#[tokio::test]
async fn whoever_seals_anew_is_told_of_the_next_change() {
    let table = SideTable::plain().await;
    table.says("sakura", "Swordfighter", Draft, 1).await;
    table.says("ume", "Caster", Sealed, 2).await;
    table.says("sakura", "Archer", Draft, 3).await;
    table.says("ume", "Caster", Sealed, 4).await;
    table.says("sakura", "Shade", Draft, 5).await;
    table.says("sakura", "Votary", Draft, 6).await;
    assert_eq!(table.side_letters("ume").await.len(), 2);
    assert_eq!(table.side_letters("kiku").await.len(), 1);
    table.says("kiku", "Caster", Sealed, 7).await;
    table.says("sakura", "Swordfighter", Draft, 8).await;
    for name in ["ume", "kiku"] {
        let changed = [Seat::new(0); 2].map(|by| Part::SideChanged { by });
        assert_eq!(table.side_letters(name).await, changed, "{name}");
    }
}

#[tokio::test]
async fn nothing_is_told_of_a_change_where_a_house_player_alone_has_sealed() {
    let table = SideTable::plain().await;
    let house = Override::House { seat: Seat::new(4), policy: "random".to_owned() };
    table.decides(house, None).await.unwrap();
    assert!(table.shown("ume", 10).await.unwrap().contains("・P5: sealed"));
    table.says("sakura", "Swordfighter", Draft, 10).await;
    table.says("sakura", "Caster", Draft, 11).await;
    assert_eq!(table.side_letters("ume").await, []);
}

#[tokio::test]
async fn a_line_is_read_by_the_side_alone_and_stands_in_no_letter() {
    let table = SideTable::plain().await;
    let (desk, code) = (&table.desk, &table.code);
    let entries = crate::tests::support::journal(desk, code).await.len();
    table.writes("sakura", WORDS, 1).await.unwrap();
    table.writes("kaede", "they will strike me", 2).await.unwrap();
    for name in ["sakura", "ume", "kiku"] {
        let shown = table.shown(name, 3).await.unwrap();
        assert!(shown.contains(WORDS) && !shown.contains("they will"), "{name}: {shown}");
    }
    let theirs = table.shown("fuji", 3).await.unwrap();
    assert!(!theirs.contains(WORDS) && theirs.contains("they will"), "{theirs}");
    assert_eq!(table.side_letters("ume").await, [Part::SideLine { by: Seat::new(0) }]);
    assert_eq!(table.side_letters("sakura").await, []);
    for name in ["momiji", "nobody"] {
        assert_eq!(table.shown(name, 3).await, None);
        assert_eq!(refused(table.writes(name, WORDS, 3).await), Refused::NotSeated);
    }
    assert_eq!(found(&table.database, WORDS).await, [format!("side_lines.words: {WORDS}")]);
    assert_eq!(crate::tests::support::journal(desk, code).await.len(), entries);
    let extent = Extent { secrets: true, nameless: false };
    let file = crate::export(desk, code, extent, time(3)).await.unwrap();
    assert!(file.contains("sakura") && !file.contains(WORDS));
}

#[tokio::test]
async fn a_line_has_five_hundred_characters_at_most() {
    let table = SideTable::plain().await;
    let longest = "\u{5473}".repeat(500);
    table.writes("sakura", &longest, 1).await.unwrap();
    let longer = format!("{longest}!");
    let refusal = refused(table.writes("sakura", &longer, 1).await);
    assert_eq!(refusal, DeclarationRefused::LineTooLong);
}

#[tokio::test]
async fn nobody_writes_to_a_side_in_a_game_without_sides() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    let sight = see(&desk, &code, "sakura", 1).await;
    let written = crate::write_to_side(&desk, &sight, &account("sakura"), WORDS, time(1)).await;
    assert_eq!(refused(written), DeclarationRefused::NoSide);
    assert!(crate::side(&desk, &sight, &Declaration::default(), 30).await.unwrap().is_none());
}

#[tokio::test]
async fn a_line_goes_with_its_writer_and_all_of_them_with_the_table() {
    let table = SideTable::plain().await;
    let (desk, code) = (&table.desk, &table.code);
    table.writes("ume", WORDS, 1).await.unwrap();
    table.writes("kiku", "as you like", 1).await.unwrap();
    let kept = crate::personal_data(desk, &account("ume"), time(2)).await.unwrap().unwrap();
    assert_eq!(kept["side_lines"].as_array().unwrap().len(), 1);
    assert!(crate::forget(desk, &account("ume"), time(2)).await.unwrap());
    assert_eq!(found(&table.database, WORDS).await, [""; 0]);
    assert!(table.shown("sakura", 3).await.unwrap().contains("as you like"));
    let revision = see(desk, code, "sakura", 3).await.revision;
    crate::end(desk, code, &account("sakura"), None, Some(&revision), time(3)).await.unwrap();
    let left: Vec<(String,)> = rows(&table.database, "select words from side_lines").await;
    assert_eq!(left, []);
}

#[tokio::test]
async fn nobody_takes_a_seat_who_has_had_one_of_the_other_side() {
    let table = SideTable::plain().await;
    let replace = |seat| Override::Replace { seat: Seat::new(seat) };
    table.decides(replace(0), Some("tsubaki")).await.unwrap();
    let taken = table.decides(replace(1), Some("sakura")).await;
    assert_eq!(refused(taken), SeatRefused::OtherSide);
    table.decides(replace(2), Some("sakura")).await.unwrap();
    let swap = |a, b| Override::Swap { a: Seat::new(a), b: Seat::new(b) };
    assert_eq!(refused(table.decides(swap(0, 1), None).await), SeatRefused::OtherSide);
    table.decides(swap(0, 2), None).await.unwrap();
    // A substitute knows the secrets of the seat.
    let (desk, code, now) = (&table.desk, &table.code, time(9));
    crate::delegate(desk, code, &account("kaede"), guest("ran"), time(HOUR), now).await.unwrap();
    assert_eq!(refused(table.decides(replace(4), Some("ran")).await), SeatRefused::OtherSide);
}

#[tokio::test]
async fn a_reminder_names_the_partners_one_waits_for() {
    let pace = Pace { reminders: vec![span(HOUR / 2)], ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let table = SideTable::new(pace, None).await;
    let (desk, code) = (&table.desk, &table.code);
    table.says("sakura", "Swordfighter", Sealed, 1).await;
    assert_eq!(looks(desk, code, HOUR / 2).await, TickOutcome::Reminded);
    let bodies: Vec<(String, String)> =
        rows(&table.database, "select address, body from outbox order by letter").await;
    let waits_for = |name: &str| {
        let own = bodies.iter().filter(|(address, _)| *address == account(name).as_str());
        let letters = own.map(|(_, body)| serde_json::from_str::<Letter>(body).unwrap());
        let mut parts = letters.flat_map(|letter| letter.parts);
        parts.find_map(|part| match part {
            Part::Reminder { partners, .. } => Some(partners),
            _ => None,
        })
    };
    let seats = |seats: &[usize]| Some(seats.iter().map(|seat| Seat::new(*seat)).collect());
    assert_eq!(waits_for("sakura"), seats(&[2, 4]));
    assert_eq!(waits_for("ume"), seats(&[4]));
    assert_eq!(waits_for("kaede"), seats(&[3, 5]));
}

#[tokio::test]
async fn lines_stay_until_the_end_of_the_game_is_announced() {
    let announce = Announce::After(span(LATER));
    let pace = Pace { reminders: Vec::new(), announce, ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let table = SideTable::new(pace, None).await;
    let (desk, code) = (&table.desk, &table.code);
    table.writes("sakura", WORDS, 1).await.unwrap();
    let lines =
        async || -> Vec<(String,)> { rows(&table.database, "select words from side_lines").await };
    let mut now = 1;
    loop {
        let play = see(desk, code, "sakura", now).await.play.unwrap();
        for seat in play.asked.iter().copied() {
            let dice = Dice::new([7; 32], "t").of_window(play.number.get(), 0);
            let chance = dice.stream(&Label::of(seat, Key::part("said")));
            let said = play.contest.declare(seat, "random", chance).unwrap();
            let account = account(NAMES[seat.index()]);
            crate::declare(desk, code, &account, &said, Sealed, None, time(now)).await.unwrap();
        }
        let closed = now + HOUR;
        assert!(matches!(looks(desk, code, closed).await, TickOutcome::Closed(_)));
        assert_eq!(see(desk, code, "sakura", closed).await.stage, Stage::Playing);
        assert!(table.shown("ume", closed).await.unwrap().contains(WORDS));
        assert_eq!(lines().await.len(), 1);
        now = closed + LATER;
        looks(desk, code, now).await;
        if see(desk, code, "sakura", now).await.stage == Stage::Over {
            break;
        }
    }
    assert_eq!(lines().await, []);
    let (file, report) = (Extent::default(), table.shown("ume", now).await);
    assert!(!crate::export(desk, code, file, time(now)).await.unwrap().contains(WORDS));
    assert_eq!(report, None);
}

#[tokio::test]
async fn a_side_is_shown_what_its_drafts_come_to_together() {
    let table = SideTable::plain().await;
    let (desk, code) = (&table.desk, &table.code);
    for name in ["sakura", "ume", "kiku"] {
        table.says(name, "Swordfighter", Sealed, 1).await;
    }
    for name in ["kaede", "fuji", "yuri"] {
        table.says(name, "Caster", Sealed, 1).await;
    }
    looks(desk, code, 1 + HOUR).await;
    for (name, order) in [("sakura", "Order first"), ("kaede", "Order second")] {
        table.says(name, order, Sealed, 2 + HOUR).await;
    }
    looks(desk, code, 2 + 2 * HOUR).await;
    let now = 3 + 2 * HOUR;
    let report = |play: &crate::view::see::PlayView| play.contest.report(Viewer::Public);
    let play = see(desk, code, "nobody", now).await.play.unwrap();
    assert_eq!(report(&play)["acting"], "guild-a");
    let [atk, def, agi] = [(0, "atk"), (1, "def"), (1, "agi")]
        .map(|(seat, value)| report(&play)["players"][seat][value].as_i64().unwrap());
    assert!(!table.shown("ume", now).await.unwrap().contains("together"));
    let hit = async |name: &str| {
        let sight = see(desk, code, name, now).await;
        let report = sight.play.as_ref().unwrap().contest.report(sight.viewer());
        let card = report["players"][sight.seat.unwrap().index()]["hand"][0].clone();
        let card = sight.game.lexicon().name(card.as_str().unwrap(), Lang::En).to_owned();
        table.says(name, &format!("normal attack P2 {card}"), Draft, now).await;
    };
    hit("sakura").await;
    hit("ume").await;
    let shown = table.shown("kiku", now).await.unwrap();
    let wanted = format!("On kaede: together {} against DEF {def} and AGI {agi};", 2 * atk);
    assert!(shown.contains(&wanted), "{wanted}: {shown}");
    let theirs = table.shown("kaede", now).await.unwrap();
    assert!(!theirs.contains("together"), "{theirs}");
}
