//! Calls for players and invitations, taking a seat, and being sent away.

use std::collections::BTreeMap;

use tokio::task::JoinSet;

use crate::model::{Desk, NotDone, Override};
use crate::overrides::decision::{Decision, Remark};
use crate::record::{Event, Letter, Part};
use crate::table::form::Form;
use crate::tests::absence::deadline::{dealt_with, quietly};
use crate::tests::kit::{Table, decision, gm};
use crate::tests::record::forget::found;
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, VALUE, account, desk, form, guest, happened, looks, passes,
    progress, refused, rows, say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{OverrideRefused, Refused, SeatRefused};
use rules::window::Progress;
use rules::{Seat, Viewer};
use tables::{Absence, CloseReason, EndKind, OverrideNumber, Stage, TableCode};

const CALL: Override = Override::Call { seat: P2 };
const KICK: Override = Override::Kick { seat: P2 };

fn invite(seat: Option<Seat>) -> Override {
    Override::Invite { seat }
}

/// Lets a guest of this name take the seat of 楓.
async fn takes(table: &Table, name: &str, now: i64) -> Result<Seat, NotDone> {
    crate::take_seat(&table.desk, &table.code, Some(P2), guest(name), time(now)).await
}

async fn calls(database: &Database) -> Vec<(Option<i64>, i64)> {
    let question = "select seat, case when person is null then 0 else 1 end from calls order by 1";
    rows(database, question).await
}

#[tokio::test]
async fn a_seat_is_played_on_until_somebody_takes_it_and_then_has_a_whole_window() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.bid(1).await;
    table.sent(9 * MINUTE).await;
    let (_, closes) = table.times().await;
    assert_eq!(table.decide(CALL, 10 * MINUTE).await, []);
    let called = Part::Called { seat: P2, closes: time(closes) };
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, 10 * MINUTE).await;
        let [Part::Event(Event::Overridden { what: CALL, reason, .. }), told] = &parts[..] else {
            panic!("{parts:?}")
        };
        assert_eq!((reason.as_str(), told), ("it is only fair", &called));
    }
    assert_eq!(see(desk, code, "nobody", 10 * MINUTE).await.sought, [P2]);
    seal(desk, code, "kaede", DRAW, 20 * MINUTE).await;
    table.sent(20 * MINUTE).await;

    let now = 30 * MINUTE;
    assert_eq!(refused(takes(&table, "sakura", now).await), SeatRefused::Seated);
    assert_eq!(refused(takes(&table, "kaede", now).await), SeatRefused::Seated);
    assert_eq!(takes(&table, "ume", now).await.unwrap(), P2);
    let play = see(desk, code, "ume", now).await.play.unwrap();
    assert_eq!((play.timing.closes, play.own.is_empty()), (time(now + HOUR), true));
    assert_eq!(progress(desk, code, "ume", now).await[1], Progress::NothingDeclared);
    assert_eq!(
        refused(say(desk, code, "kaede", DRAW, DeclarationStatus::Draft, now).await),
        Refused::NotSeated
    );
    let taken = Event::Taken { seat: P2, closes: Some(time(now + HOUR)) };
    let told = Part::Event(taken.clone());
    assert_eq!(table.told_to("sakura", now).await, std::slice::from_ref(&told));
    let left = [Part::Gone { seat: P2 }, told.clone()];
    assert_eq!(table.told_to("kaede", now).await, left, "who has left looks on");
    let parts = table.told_to("ume", now).await;
    let is_opening =
        |part: &Part| matches!(part, Part::Opening { closes, .. } if *closes == time(now + HOUR));
    assert!(parts.iter().any(is_opening) && parts.contains(&told), "{parts:?}");
    let last = happened(desk, code).await.pop();
    assert_eq!(last, Some(taken));
    assert_eq!(calls(&table.database).await, []);
    assert_eq!(refused(takes(&table, "tsubaki", now).await), SeatRefused::NotSought);

    // A player who has sat there knows secrets that the next player of the seat may not.
    table.decide(CALL, now).await;
    assert_eq!(refused(takes(&table, "kaede", now).await), SeatRefused::HasLeft);
    seal(desk, code, "sakura", DRAW, now).await;
    assert_eq!(looks(desk, code, closes).await, TickOutcome::Nothing, "it is theirs to the end");
    seal(desk, code, "ume", DRAW, closes).await;
    table.closes(closes).await;
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn a_call_tells_no_more_than_everybody_sees() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(CALL, 2).await;
    table.decide_with(invite(Some(P1)), Some(guest("ume")), 3).await;
    let report = see(&table.desk, &table.code, "nobody", 3).await.play.unwrap();
    let public = report.contest.report(Viewer::Public);
    let question = "select body from outbox where letter like '%-invited-%'";
    let letters: Vec<(String,)> = rows(&table.database, question).await;
    let [(body,)] = &letters[..] else { panic!("{letters:?}") };
    let letter: Letter = serde_json::from_str(body).unwrap();
    assert_eq!((letter.seat, &letter.report), (None, &public));
    assert!(letter.report["hands"][0][0].is_null() && letter.report["hands"][1][0].is_null());
}

/// Two presses at the same time: exactly one takes the seat.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_seat_is_taken_once() {
    let database = Database::fresh().await;
    let desks = [desk(&database).await, desk(&database).await];
    let mut winners: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..12 {
        let code = crate::form(&desks[0], form("toy"), time(0)).await.unwrap().code;
        for name in ["sakura", "kaede"] {
            crate::join(&desks[0], &code, guest(name), Some(VALUE), time(0)).await.unwrap();
        }
        crate::start(&desks[0], &code, &account("sakura"), "random", time(0)).await.unwrap();
        decides(&desks[0], &code, CALL, 1).await;
        let mut pressing = JoinSet::new();
        for (at, name) in ["ume", "tsubaki", "momiji"].into_iter().enumerate() {
            let (desk, code) = (desks[(at + round) % 2].clone(), code.clone());
            pressing.spawn(async move {
                let taken = crate::take_seat(&desk, &code, None, guest(name), time(2)).await;
                (name, taken)
            });
        }
        let mut won = Vec::new();
        while let Some(pressed) = pressing.join_next().await {
            match pressed.unwrap() {
                (name, Ok(seat)) => won.push((name, seat)),
                (_, taken) => assert_eq!(refused(taken), SeatRefused::NotSought),
            }
        }
        let [(name, P2)] = won[..] else { panic!("{won:?}") };
        assert_eq!(see(&desks[1], &code, name, 2).await.seat, Some(P2));
        *winners.entry(name.to_owned()).or_default() += 1;
        let taken = happened(&desks[0], &code).await;
        let taken = taken.iter().filter(|one| matches!(one, Event::Taken { .. }));
        assert_eq!(taken.count(), 1);
    }
    assert_eq!(winners.values().sum::<usize>(), 12);
    verify(&database, &desks[0]).await;
}

/// The host makes an override without a dry run.
async fn decides(desk: &Desk, code: &TableCode, what: Override, now: i64) {
    let host = crate::tests::kit::gm_called("sakura");
    crate::decide(desk, code, &host, decision(what), time(now)).await.unwrap();
}

#[tokio::test]
async fn a_call_is_taken_back_and_undone() {
    let table = Table::new().await;
    let before = calls(&table.database).await;
    table.decide(CALL, 1).await;
    assert_eq!(table.refuses(CALL, 1).await, OverrideRefused::Sought);
    assert_eq!(table.refuses(Override::Call { seat: Seat::new(3) }, 1).await, Refused::NoSeat);
    let standing = table.standing().await;
    table.undone(&standing, 2).await;
    assert_eq!(calls(&table.database).await, before);
    assert_eq!(refused(takes(&table, "ume", 2).await), SeatRefused::NotSought);
    let recall = Override::Recall { seat: P2 };
    assert_eq!(table.refuses(recall.clone(), 2).await, SeatRefused::NotSought);

    table.decide(CALL, 3).await;
    table.decide(recall, 3).await;
    assert_eq!(refused(takes(&table, "ume", 3).await), SeatRefused::NotSought);
    table.undone(&standing, 4).await;
    let number = table.newest().await;
    takes(&table, "ume", 4).await.unwrap();
    assert_eq!(table.refuses(Override::Undo { number }, 5).await, OverrideRefused::OnlyRollback);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn whoever_is_asked_takes_the_seat_and_nobody_else() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.bid(1).await;
    table.sent(1).await;
    let remarks = table.decide_with(invite(Some(P2)), Some(guest("ume")), 2).await;
    assert_eq!(remarks, []);
    let (_, closes) = table.times().await;
    let asked = Part::Invited { seat: Some(P2), closes: Some(time(closes)) };
    assert_eq!(table.told_to("ume", 2).await, [asked]);
    let told = table.told_to("sakura", 2).await;
    assert!(matches!(
        told[..],
        [Part::Event(Event::Overridden { what: Override::Invite { .. }, .. })]
    ));
    assert_eq!(see(desk, code, "nobody", 2).await.sought, [], "everybody else is not");
    for name in ["tsubaki", "momiji"] {
        let taken = crate::take_seat(desk, code, None, guest(name), time(3)).await;
        assert_eq!(refused(taken), SeatRefused::NotSought);
    }
    assert_eq!(refused(ask(&table, invite(Some(P2)), "tsubaki").await), OverrideRefused::Sought);
    assert_eq!(refused(ask(&table, invite(Some(P1)), "ume").await), OverrideRefused::Sought);
    assert_eq!(refused(ask(&table, invite(Some(P1)), "kaede").await), OverrideRefused::SitsHere);
    assert_eq!(refused(ask(&table, invite(None), "tsubaki").await), Refused::NoSeat);
    assert_eq!(table.refuses(invite(Some(P1)), 3).await, OverrideRefused::NoPerson);
    // The invited guest is seated first, and the others may take what is left.
    table.decide(Override::Call { seat: P1 }, 4).await;
    assert_eq!(crate::take_seat(desk, code, None, guest("ume"), time(5)).await.unwrap(), P2);
    assert_eq!(crate::take_seat(desk, code, None, guest("tsubaki"), time(6)).await.unwrap(), P1);
    verify(&table.database, desk).await;
}

/// Returns the outcome of inviting a guest.
async fn ask(table: &Table, what: Override, name: &str) -> Result<(), NotDone> {
    let decision = Decision { guest: Some(guest(name)), ..decision(what) };
    crate::decide(&table.desk, &table.code, &gm(), decision, time(3)).await.map(drop)
}

#[tokio::test]
async fn whoever_is_asked_no_more_is_told() {
    let table = Table::new().await;
    table.decide_with(invite(Some(P2)), Some(guest("ume")), 1).await;
    table.sent(1).await;
    table.decide(Override::Recall { seat: P2 }, 2).await;
    let told = table.told_to("ume", 2).await;
    assert!(
        matches!(told[..], [Part::Event(Event::Overridden { what: Override::Recall { .. }, .. })]),
        "{told:?}"
    );
    assert_eq!(refused(takes(&table, "ume", 2).await), SeatRefused::NotSought);
}

#[tokio::test]
async fn it_is_said_which_of_several_seats_is_taken() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.decide(CALL, 1).await;
    table.decide(Override::Call { seat: P1 }, 1).await;
    let taken = crate::take_seat(desk, code, None, guest("ume"), time(2)).await;
    assert_eq!(refused(taken), SeatRefused::WhichSeat);
    // The call for a seat follows the player of the seat.
    takes(&table, "ume", 2).await.unwrap();
    table.decide(Override::Swap { a: P1, b: P2 }, 3).await;
    assert_eq!(calls(&table.database).await, [(Some(1), 0)]);
    assert_eq!(crate::take_seat(desk, code, None, guest("tsubaki"), time(4)).await.unwrap(), P2);
    assert_eq!(see(desk, code, "sakura", 4).await.seat, None);
    assert_eq!(see(desk, code, "ume", 4).await.seat, Some(P1));
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn nobody_takes_a_seat_of_a_table_that_does_not_play() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.decide(CALL, 1).await;
    table.decide(Override::Pause { until: time(5 * HOUR) }, 2).await;
    takes(&table, "ume", 10 * MINUTE).await.unwrap();
    assert_ne!(looks(desk, code, 5 * HOUR).await, TickOutcome::Nothing);
    // The new player still has the whole window that they were given.
    let (_, closes) = table.times().await;
    assert!(closes >= 5 * HOUR + HOUR, "{closes}");
    table.decide(CALL, 5 * HOUR).await;
    table.decide(Override::End, 5 * HOUR).await;
    assert_eq!(refused(takes(&table, "tsubaki", 5 * HOUR).await), Refused::Over);
    assert_eq!(calls(&table.database).await, []);
    let forming = crate::form(desk, form("toy"), time(0)).await.unwrap().code;
    let taken = crate::take_seat(desk, &forming, Some(P1), guest("ume"), time(1)).await;
    assert_eq!(refused(taken), Refused::NotBegun);
    assert_eq!(
        refused(crate::take_seat(desk, &"NONE".into(), None, guest("ume"), time(1)).await),
        Refused::NoTable
    );
}

/// A call ends with the game.
#[tokio::test]
async fn nobody_is_sought_for_a_game_that_is_over() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.decide(CALL, 1).await;
    let mut now = 1;
    while see(desk, code, "nobody", now).await.stage == Stage::Playing {
        assert_eq!(see(desk, code, "nobody", now).await.sought, [P2]);
        now += 3 * HOUR;
        passes(desk, code, now).await;
    }
    assert_eq!(see(desk, code, "nobody", now).await.sought, []);
    assert_eq!(refused(takes(&table, "ume", now).await), Refused::Over);
    verify(&table.database, desk).await;
}

/// The freeze for players who were in time does not hold for a player who has just come.
#[tokio::test]
async fn whoever_takes_a_seat_in_the_time_of_grace_may_declare() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { grace: span(HOUR / 2), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    decides(&desk, &code, CALL, 1).await;
    seal(&desk, &code, "kaede", BID, 2).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    let now = HOUR + MINUTE;
    crate::take_seat(&desk, &code, Some(P2), guest("ume"), time(now)).await.unwrap();
    let closes = see(&desk, &code, "ume", now).await.play.unwrap().timing.closes;
    assert_eq!(closes, time(now + HOUR));
    assert_eq!(looks(&desk, &code, HOUR + HOUR / 2).await, TickOutcome::Nothing);
    seal(&desk, &code, "sakura", BID, (closes - span(2)).milliseconds()).await;
    seal(&desk, &code, "ume", BID, (closes - span(1)).milliseconds()).await;
    // All late players have sealed, so the window need not wait for the end of the grace period.
    assert_eq!(
        looks(&desk, &code, (closes - span(1)).milliseconds()).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    verify(&database, &desk).await;
}

/// Forms a table of 桜 with 楓 as a player and 紅葉 as its game master.
async fn forming() -> Table {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, Form { chairs: 3, ..form("toy") }, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    let table = Table { database, desk, code };
    table.appoint(account("momiji").as_str()).await;
    table
}

#[tokio::test]
async fn somebody_is_asked_to_sit_down_before_the_game_begins() {
    let table = forming().await;
    let (desk, code) = (&table.desk, &table.code);
    table.decide_with(invite(None), Some(guest("ume")), 1).await;
    assert_eq!(table.told_to("ume", 1).await, [Part::Invited { seat: None, closes: None }]);
    assert_eq!(refused(ask(&table, invite(Some(P1)), "tsubaki").await), Refused::NotBegun);
    assert_eq!(refused(ask(&table, invite(None), "kaede").await), OverrideRefused::SitsHere);
    table.undone(&table.standing().await, 2).await;
    assert_eq!(calls(&table.database).await, []);
    table.decide_with(invite(None), Some(guest("ume")), 3).await;
    assert_eq!(
        crate::join(desk, code, guest("ume"), Some(VALUE), time(4)).await.unwrap(),
        Seat::new(2)
    );
    assert_eq!(calls(&table.database).await, []);
    assert_eq!(refused(ask(&table, invite(None), "tsubaki").await), SeatRefused::Full);
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn who_is_sent_away_stands_up_and_does_not_sit_down_again() {
    let table = forming().await;
    let (desk, code) = (&table.desk, &table.code);
    table.decide(KICK, 1).await;
    assert_eq!(see(desk, code, "nobody", 1).await.taken, [P1]);
    let told = table.told_to("kaede", 1).await;
    assert!(
        matches!(told.last(), Some(Part::Event(Event::Overridden { what: KICK, .. }))),
        "{told:?}"
    );
    let joined = crate::join(desk, code, guest("kaede"), Some(VALUE), time(2)).await;
    assert_eq!(refused(joined), SeatRefused::SentAway);
    assert_eq!(table.refuses(KICK, 2).await, Refused::NoSeat);
    // Once this is undone the player may join, and so may an invited one.
    table.undone(&table.standing().await, 3).await;
    assert_eq!(crate::join(desk, code, guest("kaede"), Some(VALUE), time(4)).await.unwrap(), P2);
    table.decide(KICK, 5).await;
    table.decide_with(invite(None), Some(guest("kaede")), 6).await;
    assert_eq!(crate::join(desk, code, guest("kaede"), Some(VALUE), time(7)).await.unwrap(), P2);
    for what in [Override::Void, CALL, Override::End] {
        assert_eq!(table.refuses(what, 8).await, Refused::NotBegun);
    }
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn a_house_player_plays_on_for_who_is_sent_away() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.sent(0).await;
    let before = table.standing().await;
    assert_eq!(table.decide(KICK, 1).await, [Remark::Seek { seat: P2 }]);
    assert_eq!(see(desk, code, "kaede", 1).await.house, [P2]);
    let told = table.told_to("kaede", 1).await;
    assert!(matches!(told[..], [Part::Event(Event::Overridden { what: KICK, .. })]), "{told:?}");
    table.undone(&before, 2).await;
    table.decide(KICK, 3).await;
    assert_eq!(calls(&table.database).await, [], "a call is proposed, and not made");
    assert_eq!(table.refuses(KICK, 4).await, Refused::NoSeat, "a house player is not sent away");
    table.decide(CALL, 4).await;
    assert_eq!(refused(takes(&table, "kaede", 5).await), SeatRefused::SentAway);
    takes(&table, "ume", 5).await.unwrap();
    // A game master who invites a player sent away does so on purpose.
    table.decide_with(invite(Some(P1)), Some(guest("kaede")), 6).await;
    assert_eq!(crate::take_seat(desk, code, None, guest("kaede"), time(7)).await.unwrap(), P1);
    verify(&table.database, desk).await;
}

/// The rounds played are scored if a table is ended, and not if it is cancelled.
#[tokio::test]
async fn a_table_that_is_ended_is_scored_as_it_stands() {
    let table = Table::new().await;
    table.decide(Override::Say { words: "-".to_owned(), to: Vec::new() }, 0).await;
    table.bid(1).await;
    table.sent(1).await;
    seal(&table.desk, &table.code, "kaede", DRAW, 2).await;
    table.sent(2).await;
    table.decide(Override::End, 3).await;
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, 3).await;
        let [Part::Scores, Part::Event(Event::Over { how: EndKind::Ended, .. })] = &parts[..]
        else {
            panic!("{parts:?}")
        };
    }
    // A game that was only dealt has nothing to score.
    let dealt = Table::new().await;
    dealt.sent(0).await;
    dealt.decide(Override::End, 1).await;
    let parts = dealt.told_to("sakura", 1).await;
    assert!(
        matches!(parts[..], [Part::Event(Event::Over { how: EndKind::Ended, .. })]),
        "{parts:?}"
    );
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_table_is_called_off_without_a_result() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(CALL, 2).await;
    table.sent(2).await;
    assert_eq!(table.decide(Override::Cancel, 3).await, [Remark::Final]);
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, 3).await;
        let [Part::Event(Event::Over { how: EndKind::Cancelled, reason: Some(reason), .. })] =
            &parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!(reason, "it is only fair");
    }
    let last = happened(&table.desk, &table.code).await;
    let over = |one: &Event| matches!(one, Event::Over { how: EndKind::Cancelled, .. });
    assert!(last.iter().any(over), "{last:?}");
    for what in [
        Override::Cancel,
        Override::End,
        Override::Undo { number: OverrideNumber::new(1) },
        CALL,
        KICK,
    ] {
        assert_eq!(table.refuses(what, 4).await, Refused::Over);
    }
    assert_eq!(refused(takes(&table, "ume", 4).await), Refused::Over);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_table_is_called_off_before_it_begins() {
    let table = forming().await;
    table.decide_with(invite(None), Some(guest("ume")), 1).await;
    table.decide(Override::Cancel, 2).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", 2).await.stage, Stage::Over);
    let told = table.told_to("kaede", 2).await;
    assert!(
        matches!(told.last(), Some(Part::Event(Event::Over { how: EndKind::Cancelled, .. }))),
        "{told:?}"
    );
    assert_eq!(calls(&table.database).await, []);
    let joined = crate::join(&table.desk, &table.code, guest("ume"), None, time(3)).await;
    assert_eq!(refused(joined), Refused::Over);
    verify(&table.database, &table.desk).await;
}

/// An invited person, or one sent away, finds this in the data stored about them, and it is erased with them.
#[tokio::test]
async fn who_is_asked_or_sent_away_is_forgotten() {
    let table = Table::new().await;
    table.decide_with(invite(Some(P1)), Some(guest("ume")), 1).await;
    table.decide(KICK, 2).await;
    let kept = async |name: &str| {
        crate::personal_data(&table.desk, &account(name), time(3)).await.unwrap().unwrap()
    };
    let asked = kept("ume").await;
    assert_eq!(asked["asked_for"][0]["code"], table.code.as_str());
    assert_eq!(asked["letters"].as_array().unwrap().len(), 1, "{asked}");
    let away = kept("kaede").await;
    assert_eq!(away["sent_away_from"][0], table.code.as_str());
    for name in ["ume", "kaede"] {
        assert!(crate::forget(&table.desk, &account(name), time(4)).await.unwrap());
        assert_eq!(found(&table.database, name).await, [""; 0]);
    }
    assert_eq!(calls(&table.database).await, []);
    verify(&table.database, &table.desk).await;
}
