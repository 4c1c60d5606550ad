//! A table with a game master who does not play, for the tests of overrides.

use crate::model::{Contact, Desk, Gm, Judgement, NotDone, Override};
use crate::overrides::decision::{Decision, MadeOverride, Rehearsal, Remark};
use crate::record::{Event, Letter, Part};
use crate::table::form::Form;
use crate::tests::record::forget;
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, account, dealt, desk, form, happened, looks, refused, rows, seal,
};
use crate::tick::TickOutcome;
use games::GAMES;
use kit::time::{span, time};
use letters::{Changes, Letters, Reader, Refused};
use rules::Seat;
use rules::text::Lang;
use tables::pace::Announce;
use tables::{CloseReason, Notified, OverrideNumber, Pace, TableCode, WindowNumber};

pub(crate) const LATER: i64 = 30 * MINUTE;

/// Returns the game master of these tests: 紅葉, who does not play.
pub(crate) fn gm() -> Gm {
    gm_called("momiji")
}

pub(crate) fn gm_called(name: &str) -> Gm {
    Gm { account: account(name), roles: Vec::new() }
}

/// A table of 桜 and 楓, dealt at the time 0.
pub(crate) struct Table {
    pub(crate) database: Database,
    pub(crate) desk: Desk,
    pub(crate) code: TableCode,
}

/// Returns a public decision with a reason.
pub(crate) fn decision(what: Override) -> Decision {
    Decision {
        what,
        guest: None,
        reason: "it is only fair".to_owned(),
        notified: Notified::Public,
        foundation: None,
        shown: Changes::default(),
    }
}

impl Table {
    /// Deals a table without reminders, with results announced immediately.
    pub(crate) async fn new() -> Self {
        Self::of("toy", Announce::AtOnce).await
    }

    /// Deals a table with results announced later.
    pub(crate) async fn announced_later() -> Self {
        Self::of("toy", Announce::After(span(LATER))).await
    }

    pub(crate) async fn of(game: &str, announce: Announce) -> Self {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let pace =
            Pace { reminders: Vec::new(), announce, ..Pace::play(span(HOUR), chrono_tz::UTC) };
        let code = dealt(&desk, Form { pace, ..form(game) }).await;
        let table = Self { database, desk, code };
        table.appoint(account("momiji").as_str()).await;
        table
    }

    /// Deals a table of a game that has letters of its own.
    pub(crate) async fn in_words(announce: Announce) -> Self {
        let database = Database::fresh().await;
        let desk = Desk::new(desk(&database).await.store().clone(), GAMES);
        let pace =
            Pace { reminders: Vec::new(), announce, ..Pace::play(span(HOUR), chrono_tz::UTC) };
        let code = dealt(&desk, Form { pace, ..form("eitsuku") }).await;
        let table = Self { database, desk, code };
        table.appoint(account("momiji").as_str()).await;
        table
    }

    /// Returns the text of an override's preview.
    pub(crate) async fn words(&self, what: Override, guest: Option<Contact>, now: i64) -> String {
        let shown = crate::rehearse(&self.desk, &self.code, &gm(), what.clone(), guest, time(now))
            .await
            .unwrap();
        shown.words(&what, "", &Letters::built_in(), Lang::En, Reader::in_plain_text).unwrap()
    }

    pub(crate) async fn appoint(&self, who: &str) {
        crate::appoint(&self.desk, &self.code, &account("sakura"), who, true, time(0))
            .await
            .unwrap();
    }

    /// Both players bid, and the deal is resolved.
    pub(crate) async fn bid(&self, now: i64) {
        self.both(BID, BID, now).await;
    }

    /// Both players seal, and the window closes.
    pub(crate) async fn both(&self, p1: &str, p2: &str, now: i64) {
        seal(&self.desk, &self.code, "sakura", p1, now).await;
        seal(&self.desk, &self.code, "kaede", p2, now).await;
        self.closes(now).await;
    }

    /// Closes the window because all have sealed.
    pub(crate) async fn closes(&self, now: i64) {
        assert_eq!(
            looks(&self.desk, &self.code, now).await,
            TickOutcome::Closed(CloseReason::AllSealed)
        );
    }

    pub(crate) async fn rehearse(&self, what: &Override, now: i64) -> Result<Rehearsal, NotDone> {
        crate::rehearse(&self.desk, &self.code, &gm(), what.clone(), None, time(now)).await
    }

    /// Makes an override after a dry run, and checks that the dry run changes nothing and shows the outcome.
    pub(crate) async fn decide(&self, what: Override, now: i64) -> Vec<Remark> {
        self.decide_with(what, None, now).await
    }

    pub(crate) async fn decide_with(
        &self,
        what: Override,
        guest: Option<Contact>,
        now: i64,
    ) -> Vec<Remark> {
        let before = self.whole().await;
        let shown =
            crate::rehearse(&self.desk, &self.code, &gm(), what.clone(), guest.clone(), time(now))
                .await;
        let shown = shown.unwrap();
        same(&self.whole().await, &before);
        let foundation = Some(shown.foundation.clone());
        let decision = Decision { guest, foundation, ..decision(what) };
        let made = crate::decide(&self.desk, &self.code, &gm(), decision.clone(), time(now))
            .await
            .unwrap();
        assert!(!made.before);
        let after = self.whole().await;
        assert_ne!(after, before);
        let again =
            crate::decide(&self.desk, &self.code, &gm(), decision, time(now)).await.unwrap();
        assert_eq!(again, MadeOverride { before: true, ..made }, "a double press is one");
        same(&self.whole().await, &after);
        let say = Override::Say { words: "-".to_owned(), to: Vec::new() };
        // At a table that is over after the override, nothing more is decided.
        if let (Some(shown), Ok(came)) = (&shown.after, self.rehearse(&say, now).await) {
            let mut came = came.before;
            // A preview does not show what nobody may know.
            came.last = came.last.filter(|_| shown.last.is_some());
            assert_eq!(format!("{shown:?}"), format!("{came:?}"), "as it was shown");
        }
        let replay = crate::replay(&self.desk, &self.code).await.unwrap();
        assert!(replay.is_sound(), "{:?}", replay.differences);
        shown.remarks
    }

    /// Checks that the override is refused, in a dry run too, and changes nothing; returns the refusal.
    pub(crate) async fn refuses(&self, what: Override, now: i64) -> Refused {
        let before = self.whole().await;
        let rehearsed = refused(self.rehearse(&what, now).await);
        let decided =
            refused(crate::decide(&self.desk, &self.code, &gm(), decision(what), time(now)).await);
        assert_eq!(rehearsed, decided);
        same(&self.whole().await, &before);
        decided
    }

    /// Returns every value that is stored in the database.
    pub(crate) async fn whole(&self) -> Vec<String> {
        let mut whole = forget::everything(&self.database).await;
        whole.retain(|value| !value.starts_with("tables.touched: "));
        whole.sort();
        whole
    }

    /// Returns the state of the table, without its journal, its log and its letters.
    pub(crate) async fn standing(&self) -> Vec<String> {
        let mut standing = Vec::new();
        for (of, columns, which) in [
            (
                "tables",
                "stage || '/' || coalesce(held, '') || '/' || coalesce(held_at, -1) || '/' || open_window || '/' || coalesce(look_at, -1) || '/' || settings",
                "true",
            ),
            (
                "seats",
                "seat || '/' || coalesce(person, '') || '/' || coalesce(house, '') || '/' || name || '/' || value || '/' || coalesce(address, '')",
                "true",
            ),
            (
                "windows",
                "number || '/' || root || '/' || said || '/' || asked || '/' || opens_at || '/' || closes_at || '/' || coalesce(settles_at, -1) || '/' || reminded_at || '/' || coalesce(follows, -1)",
                "number = (select open_window from tables)",
            ),
            (
                "declarations",
                "seat || '/' || answers || '/' || sealed || '/' || complete || '/' || coalesce(salt, '') || '/' || coalesce(hash, '')",
                "number = (select open_window from tables)",
            ),
        ] {
            let question = format!("select {columns} from {of} where {which} order by 1");
            let rows: Vec<(String,)> = rows(&self.database, &question).await;
            standing.extend(rows.into_iter().map(|(row,)| format!("{of} {row}")));
        }
        standing
    }

    /// Undoes the newest override, and checks that the table is as it was.
    pub(crate) async fn undone(&self, before: &[String], now: i64) {
        let number = self.newest().await;
        self.decide(Override::Undo { number }, now).await;
        same(&self.standing().await, before);
    }

    /// Returns the number of the newest override.
    pub(crate) async fn newest(&self) -> OverrideNumber {
        crate::overrides(&self.desk, &self.code, &gm()).await.unwrap().last().unwrap().number
    }

    /// Returns the parts of the unsent letters with such ids, in order.
    pub(crate) async fn told(&self, like: &str) -> Vec<(String, Vec<Part>)> {
        let question = format!(
            "select letter, body from outbox where letter like '{}-{like}' and sent_at is null
             and letter not like '%-onlooker-%' order by letter",
            self.code
        );
        let letters: Vec<(String, String)> = rows(&self.database, &question).await;
        let read = |body: &str| serde_json::from_str::<Letter>(body).unwrap().parts;
        letters.into_iter().map(|(letter, body)| (letter, read(&body))).collect()
    }

    /// Returns the parts of the letters to a player that are due by now.
    pub(crate) async fn told_to(&self, name: &str, now: i64) -> Vec<Part> {
        self.letters_to(name, now).await.into_iter().flat_map(|letter| letter.parts).collect()
    }

    /// Returns the letters to a player that are due by now.
    pub(crate) async fn letters_to(&self, name: &str, now: i64) -> Vec<Letter> {
        let question = format!(
            "select body from outbox where address = '{}' and send_at <= {now}
             and sent_at is null order by send_at, letter",
            account(name)
        );
        let letters: Vec<(String,)> = rows(&self.database, &question).await;
        letters.iter().map(|(body,)| serde_json::from_str(body).unwrap()).collect()
    }

    /// Marks the letters that are due by now as sent.
    pub(crate) async fn sent(&self, now: i64) {
        let statement = format!(
            "update outbox set sent_at = {now}, body = '' where send_at <= {now} and sent_at is null"
        );
        crate::tests::support::execute(&self.database, &statement).await;
    }

    /// Returns the result of a window, one line for each entry.
    pub(crate) async fn result(&self, number: u32) -> Vec<String> {
        for happened in happened(&self.desk, &self.code).await {
            if let Event::Closed { number: closed, entries, .. } = happened
                && closed == WindowNumber::new(number)
            {
                return entries.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
            }
        }
        panic!("window {number} was not closed");
    }

    /// Returns the number of the open window, announced or not.
    pub(crate) async fn open(&self) -> u32 {
        let open = rows::<(i64,)>(&self.database, "select open_window from tables").await[0].0;
        open.try_into().unwrap()
    }

    /// Returns the opening and the deadline of the open window.
    pub(crate) async fn times(&self) -> (i64, i64) {
        let times = "select opens_at, closes_at from windows
                     where number = (select open_window from tables)";
        rows(&self.database, times).await[0]
    }
}

/// Checks that both lists have the same elements.
fn same(now: &[String], before: &[String]) {
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|value| !those.contains(value)).cloned().collect()
    };
    assert_eq!((only(now, before), only(before, now)), (Vec::new(), Vec::new()));
    assert_eq!(now.len(), before.len());
}

pub(crate) fn judge(window: u32, change: Judgement) -> Override {
    Override::Judge { window: WindowNumber::new(window), change }
}

pub(crate) fn skip(window: u32, seat: Seat) -> Override {
    judge(window, Judgement::Skip { seat })
}
