//! Votes of the table: the voters, the majority, and the end of a vote.

use crate::model::{Desk, Gm, NotDone, Override, Verb, Vote};
use crate::overrides::ballot::{
    Ballot, Balloted, VoteFault, read as read_ballot, read_options as read_ballot_options,
};
use crate::overrides::decision::{Decision, MadeOverride, Remark};
use crate::record::{Event, Letter, Part};
use crate::table::form::Form;
use crate::tests::kit::decision;
use crate::tests::record::forget::found;
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, VALUE, account, desk, execute, form, guest, looks, refused, rows,
    seal, see, verify,
};
use crate::tick::TickOutcome;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{OverrideRefused, Refused, Spent, VoteRefused};
use rules::{Sealing, Seat};
use tables::pace::Announce;
use tables::{
    CloseReason, EndKind, HoldReason, OverrideNumber, Pace, Stage, TableCode, VoteNumber,
    VoteOutcome,
};

const DAY: i64 = 24 * HOUR;
const PEOPLE: [&str; 4] = ["sakura", "kaede", "momiji", "ume"];

/// A table of the first of the people, with windows of an hour, dealt at the time 0.
struct Table {
    database: Database,
    desk: Desk,
    code: TableCode,
}

impl Table {
    async fn of(people: usize) -> Self {
        Self::with("toy", people, Announce::AtOnce, HOUR).await
    }

    async fn with(game: &str, people: usize, announce: Announce, window: i64) -> Self {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let pace =
            Pace { reminders: Vec::new(), announce, ..Pace::play(span(window), chrono_tz::UTC) };
        let chairs = people.max(2);
        let code =
            crate::form(&desk, Form { chairs, pace, ..form(game) }, time(0)).await.unwrap().code;
        for name in &PEOPLE[..people] {
            crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
        }
        crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
        Self { database, desk, code }
    }

    async fn proposes(&self, name: &str, motion: Override, now: i64) -> Result<Vote, NotDone> {
        crate::propose_vote(&self.desk, &self.code, &account(name), motion, time(now)).await
    }

    /// Returns the motion to extend the open window by a window's length.
    async fn extension(&self, now: i64) -> Override {
        let sight = see(&self.desk, &self.code, "sakura", now).await;
        match read_ballot("extend", &sight, time(now)) {
            Ok(Ballot::Propose(motion)) => motion,
            other => panic!("{other:?}"),
        }
    }

    async fn says(
        &self,
        name: &str,
        number: VoteNumber,
        yes: bool,
        now: i64,
    ) -> Result<Vote, NotDone> {
        crate::give_voice(&self.desk, &self.code, &account(name), number, yes, time(now)).await
    }

    async fn agrees(&self, name: &str, number: VoteNumber, now: i64) -> Option<VoteOutcome> {
        self.says(name, number, true, now).await.unwrap().outcome
    }

    /// 桜 makes the motion, and the others agree until it passes.
    async fn passes(&self, motion: Override, now: i64) -> Result<Vote, NotDone> {
        let mut vote = self.proposes("sakura", motion, now).await?;
        for name in &PEOPLE[1..] {
            if vote.outcome.is_none() {
                vote = self.says(name, vote.number, true, now).await?;
            }
        }
        assert_eq!(vote.outcome, Some(VoteOutcome::Passed));
        Ok(vote)
    }

    async fn vote(&self, number: VoteNumber) -> Vote {
        let votes = crate::votes(&self.desk, &self.code).await.unwrap();
        votes.into_iter().find(|vote| vote.number == number).unwrap()
    }

    async fn closes(&self) -> i64 {
        let times = "select closes_at from windows
                     where number = (select open_window from tables)";
        rows::<(i64,)>(&self.database, times).await[0].0
    }

    /// Returns the votes in the letters to a player, in order.
    async fn told(&self, name: &str) -> Vec<(u32, Option<VoteOutcome>)> {
        let question = format!(
            "select body from outbox where address = '{}' order by send_at, letter",
            account(name)
        );
        let letters: Vec<(String,)> = rows(&self.database, &question).await;
        let parts = |(body,): (String,)| serde_json::from_str::<Letter>(&body).unwrap().parts;
        let votes = letters.into_iter().flat_map(parts).filter_map(|part| match part {
            Part::Vote { vote } => Some((vote.number.get(), vote.outcome)),
            _ => None,
        });
        votes.collect()
    }

    /// Returns the overrides that the table has decided by votes.
    async fn decided(&self) -> Vec<Override> {
        let gm = Gm { account: account("ume"), roles: Vec::new() };
        let logged = crate::overrides(&self.desk, &self.code, &gm).await.unwrap();
        logged.into_iter().filter(|logged| logged.voted).map(|logged| logged.what).collect()
    }

    async fn decide(&self, what: Override, now: i64) -> Result<MadeOverride, NotDone> {
        let gm = Gm { account: account("shiori"), roles: Vec::new() };
        crate::appoint(
            &self.desk,
            &self.code,
            &account("sakura"),
            gm.account.as_str(),
            true,
            time(0),
        )
        .await?;
        crate::decide(&self.desk, &self.code, &gm, decision(what), time(now)).await
    }
}

fn replace(seat: Seat) -> Override {
    Override::House { seat, policy: "random".to_owned() }
}

fn spent<T: std::fmt::Debug>(done: Result<T, NotDone>) -> Spent {
    match done.unwrap_err() {
        NotDone::Spent(spent) => spent,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn two_thirds_put_a_deadline_off() {
    let table = Table::of(4).await;
    let vote = table.proposes("sakura", table.extension(1).await, 1).await.unwrap();
    assert_eq!((vote.by, vote.yes, vote.no, vote.needed), (Some(P1), 1, 0, 3));
    assert_eq!((vote.closes, vote.what), (time(HOUR), Override::Extend { closes: time(2 * HOUR) }));
    assert_eq!(table.agrees("kaede", VoteNumber::new(0), 2).await, None);
    assert_eq!(
        table.agrees("kaede", VoteNumber::new(0), 3).await,
        None,
        "a double press is one voice"
    );
    assert_eq!(table.closes().await, HOUR);
    assert_eq!(table.agrees("ume", VoteNumber::new(0), 4).await, Some(VoteOutcome::Passed));
    assert_eq!(table.closes().await, 2 * HOUR);
    assert_eq!(table.told("momiji").await, [(0, None), (0, Some(VoteOutcome::Passed))]);
    assert_eq!(table.decided().await, [Override::Extend { closes: time(2 * HOUR) }]);
    assert_eq!(
        refused(table.says("momiji", VoteNumber::new(0), true, 5).await),
        VoteRefused::VoteOver
    );
    assert_eq!(table.decided().await.len(), 1);
    assert_eq!(looks(&table.desk, &table.code, HOUR).await, TickOutcome::Nothing);
    assert_eq!(
        looks(&table.desk, &table.code, 2 * HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn only_those_who_sit_there_vote_and_may_change_their_voice() {
    let table = Table::of(3).await;
    let (desk, code) = (&table.desk, &table.code);
    assert_eq!(
        refused(table.proposes("ume", table.extension(1).await, 1).await),
        Refused::NotSeated
    );
    table.proposes("sakura", table.extension(1).await, 1).await.unwrap();
    crate::delegate(desk, code, &account("kaede"), guest("ume"), time(9 * HOUR), time(1))
        .await
        .unwrap();
    assert_eq!(refused(table.says("ume", VoteNumber::new(0), true, 2).await), Refused::NotSeated);
    assert_eq!(
        refused(table.says("kaede", VoteNumber::new(7), true, 2).await),
        VoteRefused::VoteOver
    );
    let vote = table.says("kaede", VoteNumber::new(0), false, 2).await.unwrap();
    assert_eq!((vote.yes, vote.no, vote.outcome), (1, 1, None));
    let vote = table.says("sakura", VoteNumber::new(0), false, 3).await.unwrap();
    assert_eq!(
        (vote.no, vote.outcome),
        (2, Some(VoteOutcome::Rejected)),
        "it cannot pass any more"
    );
    let vote = table.proposes("sakura", table.extension(4).await, 4).await.unwrap();
    table.says("kaede", vote.number, false, 5).await.unwrap();
    assert_eq!(table.agrees("kaede", vote.number, 6).await, Some(VoteOutcome::Passed));
    let vote = table.vote(vote.number).await;
    assert_eq!((vote.yes, vote.no), (2, 0));
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn the_clock_closes_a_vote_with_its_window_and_after_a_day() {
    let table = Table::of(3).await;
    let (desk, code) = (&table.desk, &table.code);
    table.proposes("sakura", table.extension(1).await, 1).await.unwrap();
    // A deadline that has come is not extended any more, whoever is first.
    assert_eq!(
        refused(table.says("kaede", VoteNumber::new(0), true, HOUR).await),
        VoteRefused::VoteOver
    );
    assert_eq!(table.vote(VoteNumber::new(0)).await.outcome, Some(VoteOutcome::Expired));
    assert_eq!(table.told("kaede").await, [(0, None), (0, Some(VoteOutcome::Expired))]);
    assert_eq!(looks(desk, code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));

    let long = Table::with("toy", 3, Announce::AtOnce, 3 * DAY).await;
    let (desk, code) = (&long.desk, &long.code);
    let vote = long.proposes("sakura", long.extension(MINUTE).await, MINUTE).await.unwrap();
    assert_eq!(vote.closes, time(DAY + MINUTE));
    assert_eq!(crate::next_due(desk).await.unwrap(), Some(time(DAY + MINUTE)));
    assert_eq!(crate::due(desk, time(DAY), 9).await.unwrap(), [""; 0]);
    assert_eq!(crate::due(desk, time(DAY + MINUTE), 9).await.unwrap(), std::slice::from_ref(code));
    assert_eq!(looks(desk, code, DAY).await, TickOutcome::Nothing);
    assert_eq!(looks(desk, code, DAY + MINUTE).await, TickOutcome::Voted);
    assert_eq!(looks(desk, code, DAY + MINUTE).await, TickOutcome::Nothing);
    assert_eq!(crate::next_due(desk).await.unwrap(), Some(time(3 * DAY)));
    assert_eq!(long.told("kaede").await, [(0, None), (0, Some(VoteOutcome::Expired))]);
    assert_eq!(long.decided().await, []);
    verify(&long.database, desk).await;
}

/// A vote is carried out only in the window in which it was opened.
#[tokio::test]
async fn a_vote_is_over_with_the_window_in_which_it_was_opened() {
    let table = Table::of(3).await;
    let (desk, code) = (&table.desk, &table.code);
    table.proposes("sakura", table.extension(1).await, 1).await.unwrap();
    for name in &PEOPLE[..3] {
        seal(desk, code, name, BID, 2).await;
    }
    assert_eq!(looks(desk, code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    let next = table.closes().await;
    assert_eq!(crate::due(desk, time(2), 9).await.unwrap(), std::slice::from_ref(code));
    assert_eq!(
        refused(table.says("kaede", VoteNumber::new(0), true, 2).await),
        VoteRefused::VoteOver
    );
    assert_eq!(table.vote(VoteNumber::new(0)).await.outcome, Some(VoteOutcome::Overtaken));
    assert_eq!((table.closes().await, table.decided().await), (next, Vec::new()));
    // A vote also ends if a game master asks the window again.
    table.proposes("sakura", table.extension(3).await, 3).await.unwrap();
    table.decide(Override::Void, 4).await.unwrap();
    assert_eq!(looks(desk, code, 4).await, TickOutcome::Voted);
    assert_eq!(table.vote(VoteNumber::new(1)).await.outcome, Some(VoteOutcome::Overtaken));
    verify(&table.database, desk).await;
}

/// If seals are secret, a vote shows nobody that all have sealed and the window has closed.
#[tokio::test]
async fn a_vote_tells_nothing_of_what_is_sealed() {
    let after = Announce::After(span(30 * MINUTE));
    let table = Table::with("toy-hidden", 3, after, HOUR).await;
    let (desk, code) = (&table.desk, &table.code);
    let sight = see(desk, code, "sakura", 0).await;
    assert_eq!(sight.play.unwrap().contest.procedure().sealing, Sealing::Hidden);
    table.proposes("sakura", Override::End, 1).await.unwrap();
    let before = table.vote(VoteNumber::new(0)).await;
    for name in &PEOPLE[..3] {
        seal(desk, code, name, BID, 2).await;
    }
    let stirred = "select stirred from votes";
    assert_eq!(rows::<(i64,)>(&table.database, stirred).await, [(0,)]);
    let settles: Vec<(Option<i64>,)> =
        rows(&table.database, "select settles_at from windows").await;
    let settles = settles[0].0.unwrap();
    assert!(settles < HOUR);
    assert_eq!(looks(desk, code, settles).await, TickOutcome::Closed(CloseReason::AllSealed));
    // The window has closed, and nothing is announced: the vote looks unchanged.
    assert_eq!(table.vote(VoteNumber::new(0)).await, before);
    assert_eq!(looks(desk, code, settles + 1).await, TickOutcome::Nothing);
    assert_eq!(table.vote(VoteNumber::new(0)).await, before);
    assert_eq!(table.told("kaede").await, [(0, None)]);
    assert_eq!(
        refused(table.says("kaede", VoteNumber::new(0), true, settles + 1).await),
        Refused::NotYet
    );
    assert_eq!(
        refused(table.proposes("kaede", table.extension(settles + 1).await, settles + 1).await),
        Refused::NotYet
    );
    let opens: Vec<(i64,)> =
        rows(&table.database, "select opens_at from windows order by number desc").await;
    let opens = opens[0].0.min(before.closes.milliseconds());
    assert_eq!(crate::next_due(desk).await.unwrap(), Some(time(opens)));
    assert_eq!(looks(desk, code, opens).await, TickOutcome::Voted);
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn of_a_kind_one_vote_is_open_at_a_time() {
    let table = Table::of(3).await;
    table.proposes("sakura", table.extension(1).await, 1).await.unwrap();
    for name in ["sakura", "kaede"] {
        let later = Override::Extend { closes: time(3 * HOUR) };
        assert_eq!(refused(table.proposes(name, later, 2).await), VoteRefused::VoteOpen);
    }
    table.proposes("kaede", Override::Pause { until: time(DAY) }, 2).await.unwrap();
    table.proposes("momiji", Override::End, 2).await.unwrap();
    let ballot = async |ballot: Ballot| {
        crate::ballot(&table.desk, &table.code, &account("ume"), &ballot, time(3)).await
    };
    let shown = ballot(Ballot::Show).await.unwrap();
    let Balloted::Shown(open) = shown else { panic!("{shown:?}") };
    assert_eq!(
        open.iter().map(|vote| vote.what.verb()).collect::<Vec<_>>(),
        [Verb::Extend, Verb::Pause, Verb::End]
    );
    let several = ballot(Ballot::Voice { yes: true, kind: None }).await.unwrap();
    assert!(matches!(several, Balloted::Several(open) if open.len() == 3));
    let none = ballot(Ballot::Voice { yes: true, kind: Some(Verb::House) }).await;
    assert_eq!(refused(none), VoteRefused::NoVote);
    let pause = Ballot::Voice { yes: true, kind: Some(Verb::Pause) };
    let counted =
        crate::ballot(&table.desk, &table.code, &account("sakura"), &pause, time(3)).await.unwrap();
    assert!(
        matches!(counted, Balloted::Counted { yes: true, vote } if vote.outcome == Some(VoteOutcome::Passed))
    );
    assert_eq!(see(&table.desk, &table.code, "ume", 3).await.held, Some(HoldReason::Pause));
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn two_voices_at_once_carry_it_out_once() {
    let table = Table::of(4).await;
    let other = crate::tests::support::desk(&table.database).await;
    table.proposes("sakura", table.extension(1).await, 1).await.unwrap();
    table.says("kaede", VoteNumber::new(0), true, 1).await.unwrap();
    let (momiji, ume) = (account("momiji"), account("ume"));
    let (here, there) = tokio::join!(
        crate::give_voice(&table.desk, &table.code, &momiji, VoteNumber::new(0), true, time(2)),
        crate::give_voice(&other, &table.code, &ume, VoteNumber::new(0), true, time(2))
    );
    let outcomes = [&here, &there].map(|done| done.as_ref().ok().and_then(|vote| vote.outcome));
    assert_eq!(outcomes.into_iter().flatten().collect::<Vec<_>>(), [VoteOutcome::Passed]);
    assert_eq!((table.decided().await.len(), table.closes().await), (1, 2 * HOUR));
    verify(&table.database, &table.desk).await;
}

/// Extensions by game masters and by votes share one limit.
#[tokio::test]
async fn extension_pressed_six_times() {
    // The limit is two window lengths, if that is more than a day.
    let table = Table::with("toy", 2, Announce::AtOnce, 20 * HOUR).await;
    let mut done = Vec::new();
    for press in 0..6 {
        let closes = table.closes().await;
        let by_vote = press % 2 == 0;
        let result = if by_vote {
            table.passes(table.extension(MINUTE).await, MINUTE).await.map(drop)
        } else {
            let what = Override::Extend { closes: time(closes + 20 * HOUR) };
            table.decide(what, MINUTE).await.map(drop)
        };
        done.push(result.is_ok());
        if let Err(error) = result {
            assert_eq!(spent(Err::<(), _>(error)), Spent::Extension { left: span(0) });
        }
    }
    assert_eq!(done, [true, true, false, false, false, false]);
    assert_eq!(table.closes().await, 60 * HOUR);
    // An extension that is taken back can be given again, and the refusal names the time left.
    table.decide(Override::Extend { closes: time(50 * HOUR) }, 2).await.unwrap();
    let further = Override::Extend { closes: time(60 * HOUR + 1) };
    let left = Spent::Extension { left: span(10 * HOUR) };
    assert_eq!(spent(table.proposes("sakura", further.clone(), 3).await), left);
    let sooner = Override::Extend { closes: time(49 * HOUR) };
    assert_eq!(refused(table.proposes("sakura", sooner, 3).await), OverrideRefused::NoLater);
    let extended = Override::Extend { closes: time(60 * HOUR) };
    let made = table.decide(extended, 3).await.unwrap();
    let undo = Override::Undo { number: made.number };
    table.decide(undo, 4).await.unwrap();
    assert_eq!(spent(table.proposes("sakura", further, 4).await), left, "as it was before");
    verify(&table.database, &table.desk).await;
    // The next window has the whole limit.
    table.decide(Override::Close, 5).await.unwrap();
    table.passes(table.extension(6).await, 6).await.unwrap();

    // The limit is a day for shorter windows.
    let short = Table::of(2).await;
    let day = Override::Extend { closes: time(HOUR + DAY) };
    short.passes(day, 1).await.unwrap();
    let more = Override::Extend { closes: time(HOUR + DAY + 1) };
    assert_eq!(spent(short.decide(more, 2).await), Spent::Extension { left: span(0) });
}

/// A pause ends by itself, and a table that has used up its pauses goes on.
#[tokio::test]
async fn a_pause_without_end() {
    let table = Table::of(2).await;
    let (desk, code) = (&table.desk, &table.code);
    let mut now = MINUTE;
    for by_vote in [true, false] {
        let until = now + 30 * DAY;
        let long = Override::Pause { until: time(until + 1) };
        assert_eq!(
            refused(table.proposes("sakura", long.clone(), now).await),
            OverrideRefused::TooLongPause
        );
        if by_vote {
            table.passes(Override::Pause { until: time(until) }, now).await.unwrap();
        } else {
            table.decide(Override::Pause { until: time(until) }, now).await.unwrap();
        }
        assert_eq!(refused(table.proposes("sakura", long, now).await), OverrideRefused::Still);
        assert_eq!(looks(desk, code, until - 1).await, TickOutcome::Nothing);
        assert_eq!(looks(desk, code, until).await, TickOutcome::Extended, "it ends by itself");
        assert_eq!(see(desk, code, "kaede", until).await.held, None);
        now = until;
    }
    let none = Spent::Pause { left: span(0) };
    let motion = Override::Pause { until: time(now + 1) };
    assert_eq!(spent(table.proposes("sakura", motion, now).await), none);
    assert_eq!(spent(table.decide(Override::Pause { until: time(now + 1) }, now).await), none);
    verify(&table.database, desk).await;
}

/// The unused rest of a pause can be used another time.
#[tokio::test]
async fn a_pause_counts_for_as_long_as_it_lasted() {
    let table = Table::of(2).await;
    let paused = async || rows::<(i64,)>(&table.database, "select paused from tables").await[0].0;
    table.passes(Override::Pause { until: time(20 * DAY) }, 0).await.unwrap();
    assert_eq!(paused().await, 20 * DAY);
    table.decide(Override::Resume, 5 * DAY).await.unwrap();
    assert_eq!(paused().await, 5 * DAY);
    table.decide(Override::Pause { until: time(20 * DAY) }, 5 * DAY).await.unwrap();
    table.decide(Override::Close, 6 * DAY).await.unwrap();
    assert_eq!(paused().await, 6 * DAY);
    let now = 6 * DAY;
    let made = table.decide(Override::Pause { until: time(now + 9 * DAY) }, now).await.unwrap();
    let undo = Override::Undo { number: made.number };
    table.decide(undo, now + DAY).await.unwrap();
    assert_eq!(paused().await, 7 * DAY, "it stood still until it was undone");
    let left = Spent::Pause { left: span(23 * DAY) };
    let now = 7 * DAY;
    table.passes(Override::Pause { until: time(now + 30 * DAY) }, now).await.unwrap();
    table.decide(Override::Resume, now + 30 * DAY).await.unwrap();
    let now = now + 30 * DAY;
    let motion = Override::Pause { until: time(now + 24 * DAY) };
    assert_eq!(spent(table.proposes("sakura", motion, now).await), left);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn the_seat_that_is_replaced_neither_votes_nor_counts() {
    let table = Table::of(4).await;
    let (desk, code) = (&table.desk, &table.code);
    let seat = Seat::new(3);
    let replace = replace(seat);
    assert_eq!(refused(table.proposes("ume", replace.clone(), 1).await), VoteRefused::NoVoice);
    let vote = table.proposes("sakura", replace.clone(), 1).await.unwrap();
    assert_eq!(vote.needed, 2);
    assert_eq!(
        refused(table.says("ume", VoteNumber::new(0), false, 2).await),
        VoteRefused::NoVoice
    );
    assert_eq!(table.agrees("kaede", VoteNumber::new(0), 3).await, Some(VoteOutcome::Passed));
    assert_eq!(see(desk, code, "kaede", 3).await.house, [seat]);
    assert_eq!(see(desk, code, "ume", 3).await.seat, None);
    assert_eq!(
        table.told("ume").await.last(),
        Some(&(0, Some(VoteOutcome::Passed))),
        "they are told"
    );
    for name in &PEOPLE[..3] {
        seal(desk, code, name, BID, 4).await;
    }
    assert_eq!(
        looks(desk, code, 4).await,
        TickOutcome::Closed(CloseReason::AllSealed),
        "nobody is waited for"
    );
    assert_eq!(refused(table.proposes("sakura", replace, 5).await), Refused::NoSeat);
    verify(&table.database, desk).await;
}

/// A vote about a player does not hold for the next player of the seat.
#[tokio::test]
async fn a_vote_about_a_seat_is_about_whose_it_was() {
    let table = Table::of(3).await;
    table.proposes("sakura", replace(P2), 1).await.unwrap();
    let what = Override::Replace { seat: P2 };
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    let taken = Decision { guest: Some(guest("ume")), ..decision(what) };
    crate::decide(&table.desk, &table.code, &gm, taken, time(2)).await.unwrap();
    let vote = table.vote(VoteNumber::new(0)).await;
    assert_eq!(vote.outcome, Some(VoteOutcome::Overtaken));
    assert_eq!(vote.about.as_deref(), Some("kaede"), "who has left is named still");
    assert_eq!(
        refused(table.says("momiji", VoteNumber::new(0), true, 3).await),
        VoteRefused::VoteOver
    );
    assert_eq!(see(&table.desk, &table.code, "ume", 3).await.seat, Some(P2));
    assert_eq!(table.told("momiji").await, [(0, None), (0, Some(VoteOutcome::Overtaken))]);
    verify(&table.database, &table.desk).await;
}

/// Two of four agree where three are needed: as soon as one leaves, in whatever way, two are enough.
#[tokio::test]
async fn whoever_goes_is_counted_no_more_from_then_on() {
    let seat = Seat::new(3);
    let house = Override::House { seat, policy: "random".to_owned() };
    for goes in [Some(house), Some(Override::Kick { seat }), None] {
        let table = Table::of(4).await;
        table.proposes("sakura", table.extension(1).await, 1).await.unwrap();
        assert_eq!(table.agrees("kaede", VoteNumber::new(0), 2).await, None);
        match goes.clone() {
            Some(goes) => drop(table.decide(goes, 3).await.unwrap()),
            None => assert!(crate::forget(&table.desk, &account("ume"), time(3)).await.unwrap()),
        }
        let vote = table.vote(VoteNumber::new(0)).await;
        assert_eq!((vote.yes, vote.needed), (2, 2), "{goes:?}");
        assert_eq!(vote.outcome, Some(VoteOutcome::Passed), "{goes:?}");
        assert_eq!(table.closes().await, 2 * HOUR, "{goes:?}");
        assert_eq!(
            table.told("momiji").await,
            [(0, None), (0, Some(VoteOutcome::Passed))],
            "{goes:?}"
        );
        verify(&table.database, &table.desk).await;
    }
}

/// A player who comes is counted too, and a unanimous vote is drawn again.
#[tokio::test]
async fn whoever_comes_is_counted_from_then_on() {
    let table = Table::of(3).await;
    let (desk, code) = (&table.desk, &table.code);
    let house = Override::House { seat: Seat::new(2), policy: "random".to_owned() };
    table.decide(house, 1).await.unwrap();
    table.decide(Override::Call { seat: Seat::new(2) }, 2).await.unwrap();
    let draw = table.proposes("sakura", Override::End, 3).await.unwrap();
    assert_eq!((draw.yes, draw.needed), (1, 2));
    crate::take_seat(desk, code, None, guest("ume"), time(4)).await.unwrap();
    assert_eq!(table.vote(VoteNumber::new(0)).await.needed, 3);
    let stirred = "select stirred from votes";
    assert_eq!(rows::<(i64,)>(&table.database, stirred).await, [(1,)]);
    assert_eq!(table.agrees("kaede", VoteNumber::new(0), 5).await, None);
    assert_eq!(table.agrees("ume", VoteNumber::new(0), 6).await, Some(VoteOutcome::Passed));
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn a_vote_that_is_to_close_is_counted_first() {
    let table = Table::with("toy", 3, Announce::AtOnce, 3 * DAY).await;
    table.proposes("sakura", Override::End, MINUTE).await.unwrap();
    execute(
        &table.database,
        "insert into voices (code, number, person, yes)
         select code, 0, person, 1 from seats where seat > 0",
    )
    .await;
    assert_eq!(looks(&table.desk, &table.code, DAY + MINUTE).await, TickOutcome::Voted);
    assert_eq!(table.vote(VoteNumber::new(0)).await.outcome, Some(VoteOutcome::Passed));
    assert_eq!(table.decided().await, [Override::End]);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn nobody_replaces_alone_who_is_there() {
    let table = Table::of(2).await;
    let replace = replace(P2);
    assert_eq!(refused(table.proposes("sakura", replace.clone(), 1).await), VoteRefused::OneVoice);
    let gone = "insert into attendance (code, seat, person, misses, put_off, inactive_at)
        select code, seat, person, 2, 0, 1 from seats where seat = 1";
    execute(&table.database, gone).await;
    let vote = table.proposes("sakura", replace, 2).await.unwrap();
    assert_eq!((vote.needed, vote.outcome), (1, Some(VoteOutcome::Passed)));
    assert_eq!(table.told("sakura").await, [(0, Some(VoteOutcome::Passed))], "it was never open");
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_table_ends_as_a_draw() {
    let table = Table::of(3).await;
    let (desk, code) = (&table.desk, &table.code);
    table.proposes("kaede", table.extension(1).await, 1).await.unwrap();
    table.passes(Override::End, 2).await.unwrap();
    assert_eq!(see(desk, code, "momiji", 2).await.stage, Stage::Over);
    assert_eq!(
        refused(table.says("momiji", VoteNumber::new(0), true, 3).await),
        VoteRefused::VoteOver
    );
    let like = format!("select body from outbox where letter = '{code}-end-P3'");
    let letter: Vec<(String,)> = rows(&table.database, &like).await;
    let parts = serde_json::from_str::<Letter>(&letter[0].0).unwrap().parts;
    assert!(matches!(&parts[0], Part::Vote { vote } if vote.outcome == Some(VoteOutcome::Passed)));
    assert!(matches!(
        &parts[1],
        Part::Event(Event::Over { how: EndKind::Drawn, reason: None, .. })
    ));
    // The clock ends the votes that were open.
    let table = Table::of(3).await;
    table.proposes("kaede", table.extension(1).await, 1).await.unwrap();
    table.passes(Override::End, 2).await.unwrap();
    assert_eq!(
        crate::due(&table.desk, time(3), 9).await.unwrap(),
        std::slice::from_ref(&table.code)
    );
    assert_eq!(looks(&table.desk, &table.code, 3).await, TickOutcome::Voted);
    assert_eq!(crate::next_due(&table.desk).await.unwrap(), None);
    assert_eq!(refused(table.proposes("sakura", table.extension(4).await, 4).await), Refused::Over);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_game_master_who_plays_needs_a_second_voice_for_a_pause() {
    let table = Table::of(4).await;
    let (desk, code) = (&table.desk, &table.code);
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    let pause = Override::Pause { until: time(DAY) };
    let shown = crate::rehearse(desk, code, &gm, pause.clone(), None, time(1)).await.unwrap();
    assert_eq!(shown.remarks, [Remark::SecondVoice { seat: P1 }]);
    assert_eq!(
        crate::votes(&table.desk, code).await.unwrap(),
        [],
        "nothing is put to the vote by it"
    );
    let pressed = Decision { foundation: Some(shown.foundation), ..decision(pause) };
    let made = crate::decide(desk, code, &gm, pressed.clone(), time(1)).await.unwrap();
    assert_eq!(
        made,
        MadeOverride { number: OverrideNumber::new(0), before: false, vote: true, is_final: false }
    );
    let again = crate::decide(desk, code, &gm, pressed, time(2)).await.unwrap();
    assert_eq!(
        again,
        MadeOverride { number: OverrideNumber::new(0), before: true, vote: true, is_final: false },
        "a double press is one"
    );
    assert_eq!(see(desk, code, "kaede", 2).await.held, None);
    let vote = table.vote(VoteNumber::new(0)).await;
    assert_eq!((vote.needed, vote.second, vote.reason.as_str()), (2, true, "it is only fair"));
    table.says("kaede", VoteNumber::new(0), false, 3).await.unwrap();
    assert_eq!(
        table.agrees("ume", VoteNumber::new(0), 4).await,
        Some(VoteOutcome::Passed),
        "one other is enough"
    );
    assert_eq!(see(desk, code, "kaede", 4).await.held, Some(HoldReason::Pause));
    let logged = crate::overrides(desk, code, &gm).await.unwrap();
    assert!(logged.len() == 1 && logged[0].voted);
    verify(&table.database, desk).await;

    // With bot players alone, there is nobody to ask.
    let alone = Table::of(1).await;
    let pause = decision(Override::Pause { until: time(DAY) });
    let made = crate::decide(&alone.desk, &alone.code, &gm, pause, time(1)).await.unwrap();
    assert!(!made.vote);
    assert_eq!(see(&alone.desk, &alone.code, "sakura", 1).await.held, Some(HoldReason::Pause));
}

#[tokio::test]
async fn what_the_table_has_decided_can_be_undone() {
    let table = Table::of(3).await;
    table.passes(table.extension(1).await, 1).await.unwrap();
    table.decide(Override::Undo { number: OverrideNumber::new(0) }, 2).await.unwrap();
    assert_eq!(table.closes().await, HOUR);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_table_that_is_not_played_does_not_vote() {
    let table = Table::of(2).await;
    let code = crate::form(&table.desk, form("toy"), time(0)).await.unwrap().code;
    crate::join(&table.desk, &code, guest("sakura"), None, time(0)).await.unwrap();
    let sakura = account("sakura");
    let extension = Override::Extend { closes: time(2 * HOUR) };
    let early = crate::propose_vote(&table.desk, &code, &sakura, extension.clone(), time(1)).await;
    assert_eq!(refused(early), Refused::NotBegun);
    let nowhere =
        crate::propose_vote(&table.desk, &"nowhere".into(), &sakura, extension, time(1)).await;
    assert_eq!(refused(nowhere), Refused::NoTable);
    assert_eq!(
        refused(table.proposes("sakura", table.extension(HOUR).await, HOUR).await),
        Refused::NotYet
    );
    let past = Override::Pause { until: time(MINUTE) };
    assert_eq!(refused(table.proposes("sakura", past, MINUTE).await), OverrideRefused::Past);
}

#[tokio::test]
async fn how_somebody_has_voted_is_theirs_and_is_forgotten() {
    let table = Table::of(4).await;
    let (desk, code) = (&table.desk, &table.code);
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    let pause = Decision {
        reason: "sakura is ill".to_owned(),
        ..decision(Override::Pause { until: time(DAY) })
    };
    crate::decide(desk, code, &gm, pause, time(1)).await.unwrap();
    table.proposes("kaede", table.extension(1).await, 1).await.unwrap();
    table.says("sakura", VoteNumber::new(1), false, 2).await.unwrap();
    let kept = crate::personal_data(desk, &account("sakura"), time(2)).await.unwrap().unwrap();
    assert_eq!(kept["proposed"][0]["reason"], "sakura is ill");
    assert_eq!(kept["proposed"][0]["what"]["does"], "pause");
    assert_eq!(kept["voices"].as_array().unwrap().len(), 2);
    assert_eq!((&kept["voices"][1]["number"], &kept["voices"][1]["yes"]), (&1.into(), &0.into()));
    assert!(crate::forget(desk, &account("sakura"), time(3)).await.unwrap());
    assert_eq!(found(&table.database, "sakura").await, [""; 0]);
    let vote = table.vote(VoteNumber::new(1)).await;
    assert_eq!((vote.yes, vote.no, vote.needed), (1, 0, 2), "their voice counts no more");
    assert_eq!(table.vote(VoteNumber::new(0)).await.by, None);
    assert_eq!(table.agrees("ume", VoteNumber::new(1), 4).await, Some(VoteOutcome::Passed));
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn what_is_said_about_votes_is_read_in_both_languages() {
    let table = Table::of(3).await;
    let sight = see(&table.desk, &table.code, "sakura", 0).await;
    let read = |text: &str| read_ballot(text, &sight, time(MINUTE));
    let propose = |motion: Override| Ok(Ballot::Propose(motion));
    assert_eq!(read(" "), Ok(Ballot::Show));
    for text in ["extend", "延長", "ＥＸＴＥＮＤ"] {
        assert_eq!(read(text), propose(Override::Extend { closes: time(2 * HOUR) }));
    }
    let closes = time(HOUR + DAY);
    for text in ["extend 24h", "延長 24時間", "延長24時間"] {
        assert_eq!(read(text), propose(Override::Extend { closes }), "{text}");
    }
    for text in ["pause 3d", "休止 3日", "休止3日"] {
        assert_eq!(
            read(text),
            propose(Override::Pause { until: time(MINUTE + 3 * DAY) }),
            "{text}"
        );
    }
    for text in ["replace 2", "replace P2", "交代 ２", "交代　kaede"] {
        assert_eq!(read(text), propose(replace(P2)), "{text}");
    }
    assert_eq!(read("引き分け"), propose(Override::End));
    let voice = |yes, kind| Ok(Ballot::Voice { yes, kind });
    assert_eq!(read("yes"), voice(true, None));
    assert_eq!(read("反対 休止"), voice(false, Some(Verb::Pause)));
    assert_eq!(read("賛成延長"), voice(true, Some(Verb::Extend)));
    let unknown = |said: &str| Err(VoteFault::Unknown { said: said.to_owned() });
    assert_eq!(read("dance @here"), unknown("dance @here"));
    assert_eq!(read("draw now"), unknown("now"));
    assert_eq!(read("yes maybe"), unknown("maybe"));
    assert_eq!(read("pause"), Err(VoteFault::NoTime { said: String::new() }));
    assert_eq!(read("extend 25:99"), Err(VoteFault::NoTime { said: "25:99".to_owned() }));
    assert!(matches!(read("replace 9"), Err(VoteFault::NoSeat { said, .. }) if said == "9"));
}

#[tokio::test]
async fn what_is_picked_about_votes_is_read_as_if_it_were_written() {
    let table = Table::of(3).await;
    let sight = see(&table.desk, &table.code, "sakura", 0).await;
    let now = time(MINUTE);
    for (what, rest) in [
        ("", ""),
        ("", "22:00"),
        ("extend", ""),
        ("extend", "24h"),
        ("extend", "25:99"),
        ("pause", "3d"),
        ("pause", ""),
        ("replace", "P2"),
        ("replace", "9"),
        ("draw", ""),
        ("draw", "now"),
        ("yes", ""),
        ("no", "maybe"),
    ] {
        let written = read_ballot(&format!("{what} {rest}"), &sight, now);
        assert_eq!(read_ballot_options(what, rest, None, &sight, now), written, "{what} {rest}");
    }
    let of_seat = read_ballot_options("replace", "kaede", Some(P2), &sight, now);
    assert_eq!(of_seat, Ok(Ballot::Propose(replace(P2))));
}

/// Players can object to a pause while it is new.
#[tokio::test]
async fn the_table_objects_to_a_pause() {
    let table = Table::of(3).await;
    let resume = || Override::Resume;
    let refusal = async |now: i64| refused(table.proposes("kaede", Override::Resume, now).await);
    assert_eq!(refusal(1).await, VoteRefused::NotPaused);
    table.decide(Override::Pause { until: time(9 * DAY) }, 10 * MINUTE).await.unwrap();
    let vote = table.proposes("kaede", resume(), HOUR).await.unwrap();
    assert_eq!((vote.what.verb(), vote.closes), (Verb::Resume, time(HOUR + DAY)));
    assert_eq!(table.agrees("sakura", vote.number, 2 * HOUR).await, Some(VoteOutcome::Passed));
    assert_eq!(see(&table.desk, &table.code, "ume", 2 * HOUR).await.held, None);
    assert_eq!(table.closes().await, HOUR + 2 * HOUR - 10 * MINUTE);
    assert_eq!(table.decided().await, [Override::Resume]);
    verify(&table.database, &table.desk).await;
    // A day later the pause stands.
    let began = 2 * HOUR + 1;
    table.decide(Override::Pause { until: time(9 * DAY) }, began).await.unwrap();
    assert_eq!(refusal(began + DAY + 1).await, VoteRefused::PauseStands);
    let vote = table.proposes("kaede", resume(), began + DAY).await.unwrap();
    assert_eq!(vote.outcome, None);
}

/// A vote cannot lift a game master's lock.
#[tokio::test]
async fn nobody_objects_to_a_lock() {
    let table = Table::of(3).await;
    table.decide(Override::Lock { stops: true }, 10 * MINUTE).await.unwrap();
    let objected = table.proposes("kaede", Override::Resume, HOUR).await;
    assert_eq!(refused(objected), VoteRefused::NotPaused);
}
