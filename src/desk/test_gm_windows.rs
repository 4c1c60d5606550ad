//! What a game master decides about the window that is open, and about what the last one brought.

use super::test_gm_kit::{LATER, Table, decision, gm, gm_called, judge, skip};
use super::test_support::{
    BID, DRAW, HOUR, MINUTE, account, draft, execute, form, happened, looks, progress, refused,
    rows, say, seal, see, verify,
};
use super::{Decision, Gm, Happened, Judgement, Looked, Override, Part, Remark, Said};
use crate::letters::Refused;
use crate::rules::test_game::{P1, P2, said};
use crate::rules::window::Progress;
use crate::tables::{Announce, Pace, Quiet, Stage, TimeOfDay, Why};

const DAY: i64 = 24 * HOUR;

fn extend(closes: i64) -> Override {
    Override::Extend { closes }
}

fn pause(until: i64) -> Override {
    Override::Pause { until }
}

#[tokio::test]
async fn two_presses_at_once_are_one_override() {
    let table = Table::new().await;
    let other = super::test_support::desk(&table.database).await;
    let shown = table.rehearse(&extend(2 * HOUR), 1).await.unwrap();
    let decision = Decision { foundation: Some(shown.foundation), ..decision(extend(2 * HOUR)) };
    let gm = gm();
    let (here, there) = tokio::join!(
        table.desk.decide(&table.code, &gm, decision.clone(), 1),
        other.decide(&table.code, &gm, decision.clone(), 1)
    );
    let (here, there) = (here.unwrap(), there.unwrap());
    assert_eq!((here.number, here.before != there.before), (there.number, true));
    assert_eq!(table.desk.overrides(&table.code, &gm).await.unwrap().len(), 1);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_table_that_has_moved_on_refuses() {
    let table = Table::new().await;
    let shown = table.rehearse(&extend(2 * HOUR), 1).await.unwrap();
    let decision = Decision { foundation: Some(shown.foundation), ..decision(extend(2 * HOUR)) };
    table.decide(pause(HOUR), 2).await;
    let before = table.whole().await;
    let decided = table.desk.decide(&table.code, &gm(), decision, 3).await;
    assert_eq!(refused(decided), Refused::MovedOn);
    assert_eq!(table.whole().await, before);
}

#[tokio::test]
async fn nothing_is_decided_without_a_reason_or_by_anybody_else() {
    let table = Table::new().await;
    let before = table.whole().await;
    let unreasoned = Decision { reason: " \n".to_owned(), ..decision(extend(2 * HOUR)) };
    let decided = table.desk.decide(&table.code, &gm(), unreasoned, 1).await;
    assert_eq!(refused(decided), Refused::NoReason);
    let desk = &table.desk;
    let by = async |gm: &Gm| desk.decide(&table.code, gm, decision(extend(2 * HOUR)), 1).await;
    let with_role = |role: &str| Gm { account: account("ume"), roles: vec![role.to_owned()] };
    for stranger in [gm_called("kaede"), gm_called("ume"), with_role("discord:role:2")] {
        assert_eq!(refused(by(&stranger).await), Refused::NotGm);
        let rehearsed = desk.rehearse(&table.code, &stranger, extend(2 * HOUR), None, 1).await;
        assert_eq!(refused(rehearsed), Refused::NotGm);
    }
    assert_eq!(table.whole().await, before);
    // Who has a role need not have been here before.
    table.appoint("discord:role:2").await;
    by(&with_role("discord:role:2")).await.unwrap();
    by(&gm_called("sakura")).await.unwrap();
    desk.appoint(&table.code, &account("sakura"), "discord:role:2", false).await.unwrap();
    assert_eq!(refused(by(&with_role("discord:role:2")).await), Refused::NotGm);
    let appointed = desk.appoint(&table.code, &account("kaede"), &account("kaede"), true).await;
    assert_eq!(refused(appointed), Refused::NotHost);
    let nowhere = desk.decide("nowhere", &gm(), decision(extend(2 * HOUR)), 1).await;
    assert_eq!(refused(nowhere), Refused::NoTable);
}

#[tokio::test]
async fn a_forming_table_has_nothing_to_decide() {
    let table = Table::new().await;
    let code = table.desk.form(form("toy"), 0).await.unwrap().code;
    for what in [extend(2 * HOUR), Override::End, Override::Open] {
        let decided = table.desk.decide(&code, &gm_called("sakura"), decision(what), 1).await;
        assert_eq!(refused(decided), Refused::NotBegun);
    }
}

#[tokio::test]
async fn a_window_is_extended_to_a_time() {
    let table = Table::new().await;
    seal(&table.desk, &table.code, "kaede", BID, 1).await;
    let before = table.standing().await;
    assert_eq!(table.refuses(extend(MINUTE), MINUTE).await, Refused::Past);
    table.decide(extend(3 * HOUR), MINUTE).await;
    assert_eq!(table.times().await, (0, 3 * HOUR));
    table.undone(&before, MINUTE).await;
    table.decide(extend(3 * HOUR), MINUTE).await;
    assert_eq!(looks(&table.desk, &table.code, HOUR).await, Looked::Nothing);
    draft(&table.desk, &table.code, "sakura", BID, 3 * HOUR - 1).await;
    assert_eq!(looks(&table.desk, &table.code, 3 * HOUR).await, Looked::Closed(Why::Deadline));
    verify(&table.database, &table.desk).await;
}

/// What has been sealed since counts, also for when the window closes.
#[tokio::test]
async fn an_extension_that_is_undone_takes_nothing_back_that_was_sealed_since() {
    let table = Table::new().await;
    table.decide(extend(3 * HOUR), MINUTE).await;
    for name in ["sakura", "kaede"] {
        seal(&table.desk, &table.code, name, BID, 2 * MINUTE).await;
    }
    table.decide(Override::Undo { number: 0 }, 3 * MINUTE).await;
    assert_eq!(table.times().await, (0, HOUR));
    table.closes(3 * MINUTE).await;
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_close_shows_nothing_before_it_is_decided() {
    let table = Table::new().await;
    seal(&table.desk, &table.code, "sakura", "bid.gold=6", 1).await;
    let shown = table.rehearse(&Override::Close, 5).await.unwrap();
    assert!(shown.after.is_none());
    let remarks = table.decide(Override::Close, 5).await;
    assert_eq!(remarks, [Remark::Unseen { missing: vec![P2] }, Remark::Final]);
    assert_eq!(table.open().await, 1);
    let (_, parts) = table.told("1-opening-P2").await.remove(0);
    assert!(matches!(parts[0], Part::Override { what: Override::Close, .. }));
    assert_eq!(table.refuses(Override::Undo { number: 0 }, 6).await, Refused::Final);
    verify(&table.database, &table.desk).await;
    let hidden = Table::of("toy-hidden", crate::tables::pace::Announce::AtOnce).await;
    seal(&hidden.desk, &hidden.code, "sakura", BID, 1).await;
    let remarks = hidden.decide(Override::Close, 5).await;
    assert_eq!(remarks[0], Remark::Unseen { missing: Vec::new() }, "nobody learns who has sealed");
}

#[tokio::test]
async fn a_pause_ends_by_itself_with_the_time_that_was_left() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    let since = 10 * MINUTE;
    assert_eq!(table.refuses(Override::Resume, since).await, Refused::NotHeld);
    assert_eq!(table.refuses(pause(since), since).await, Refused::Past);
    assert_eq!(table.refuses(pause(since + 30 * DAY + 1), since).await, Refused::TooLongPause);
    let before = table.standing().await;
    table.decide(pause(since + 30 * DAY), since).await;
    table.undone(&before, since).await;
    table.decide(pause(2 * HOUR), since).await;
    assert_eq!(see(desk, code, "kaede", since).await.held, Some("pause"));
    assert_eq!(table.refuses(pause(3 * HOUR), since).await, Refused::Still);
    for said in [Said::Draft, Said::Sealed] {
        assert_eq!(refused(say(desk, code, "kaede", BID, said, since).await), Refused::Paused);
    }
    assert_eq!(looks(desk, code, 2 * HOUR - 1).await, Looked::Nothing);
    assert_eq!(desk.next_due().await.unwrap(), Some(2 * HOUR));
    assert_eq!(looks(desk, code, 2 * HOUR).await, Looked::Extended);
    let left = 50 * MINUTE;
    assert_eq!(table.times().await.1, 2 * HOUR + left);
    seal(desk, code, "kaede", BID, 2 * HOUR + left - 1).await;
    assert_eq!(looks(desk, code, 2 * HOUR + left).await, Looked::Closed(Why::Deadline));
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn a_paused_table_is_resumed_or_closed_by_hand() {
    let table = Table::new().await;
    table.decide(pause(DAY), 10 * MINUTE).await;
    let before = table.standing().await;
    table.decide(Override::Resume, HOUR).await;
    assert_eq!(table.times().await.1, HOUR + 50 * MINUTE);
    table.undone(&before, HOUR).await;
    table.desk.resume(&table.code, &account("sakura"), HOUR).await.unwrap();
    assert_eq!(table.times().await.1, HOUR + 50 * MINUTE);
    table.decide(pause(DAY), HOUR).await;
    table.desk.close(&table.code, &account("sakura"), HOUR).await.unwrap();
    let sight = see(&table.desk, &table.code, "kaede", HOUR).await;
    assert_eq!((sight.held, sight.play.unwrap().number), (None, 1));
    table.decide(pause(DAY), HOUR).await;
    table.decide(Override::Close, HOUR).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", HOUR).await.held, None);
    verify(&table.database, &table.desk).await;
}

/// A host's own word is a decision like any other, and can be looked up and undone like one.
#[tokio::test]
async fn a_host_resumes_and_closes_as_a_game_master_does() {
    let table = Table::new().await;
    let host = account("sakura");
    table.decide(pause(DAY), 10 * MINUTE).await;
    table.desk.resume(&table.code, &host, HOUR).await.unwrap();
    let told = table.told("0-extended%").await;
    assert_eq!(told.len(), 2, "once to each");
    for (_, parts) in told {
        assert!(matches!(parts[..], [Part::Extended { paused: true, .. }]), "{parts:?}");
    }
    table.decide(Override::Undo { number: 1 }, HOUR).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", HOUR).await.held, Some("pause"));
    table.desk.close(&table.code, &host, HOUR).await.unwrap();
    let logged = table.desk.overrides(&table.code, &gm()).await.unwrap();
    let said = logged.iter().map(|logged| (logged.by.as_deref(), logged.what.word()));
    let by = |name: &str| Some(account(name));
    let (sakura, momiji) = (by("sakura"), by("momiji"));
    let expected = [
        (momiji.as_deref(), "pause"),
        (sakura.as_deref(), "resume"),
        (momiji.as_deref(), "undo"),
        (sakura.as_deref(), "close"),
    ];
    assert_eq!(said.collect::<Vec<_>>(), expected);
    for (_, parts) in table.told("1-opening%").await {
        let (number, reason) = (Some(3), String::new());
        let close = Part::Override { number, what: Override::Close, reason };
        assert_eq!(parts[0], close);
    }
    verify(&table.database, &table.desk).await;
}

/// Whoever undoes a pause later gives back the time for which the table stood still.
#[tokio::test]
async fn a_pause_that_is_undone_costs_nobody_time() {
    let table = Table::new().await;
    table.decide(pause(DAY), 10 * MINUTE).await;
    table.decide(Override::Undo { number: 0 }, 40 * MINUTE).await;
    assert_eq!(table.times().await.1, HOUR + 30 * MINUTE);
    assert_eq!(table.desk.next_due().await.unwrap(), Some(HOUR + 30 * MINUTE));
}

/// What is decided while a table stands still does not let it go on.
#[tokio::test]
async fn a_pause_outlasts_what_is_decided_in_it() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(pause(DAY), 10 * MINUTE).await;
    let paused = async |now| {
        let sight = see(&table.desk, &table.code, "kaede", now).await;
        assert_eq!(sight.held, Some("pause"));
        assert_eq!(table.desk.next_due().await.unwrap(), Some(DAY));
    };
    let give = crate::rules::test_game::said("gold.who=P2 gold.count=9");
    for what in [
        Override::Void,
        Override::Edit { said: give },
        extend(5 * HOUR),
        skip(0, P1),
        Override::Rollback { number: 1, round: None },
    ] {
        table.decide(what, 20 * MINUTE).await;
        paused(20 * MINUTE).await;
    }
    table.decide(Override::Undo { number: table.newest().await }, 30 * MINUTE).await;
    paused(30 * MINUTE).await;
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_window_that_is_asked_again_knows_nothing_of_the_first_time() {
    let table = Table::new().await;
    table.bid(1).await;
    let said: Vec<(String,)> =
        rows(&table.database, "select said from windows where number = 1").await;
    seal(&table.desk, &table.code, "sakura", DRAW, 2).await;
    draft(&table.desk, &table.code, "kaede", DRAW, 2).await;
    table.decide(skip(1, P1), 3).await;
    let before = table.standing().await;
    let remarks = table.decide(Override::Void, 4).await;
    assert_eq!(remarks, [Remark::Lost { seats: vec![P1, P2] }]);
    assert_eq!((table.open().await, table.times().await), (2, (4, 4 + HOUR)));
    table.undone(&before, 4).await;
    table.decide(Override::Void, 4).await;
    let number = table.open().await;
    assert_eq!(number, 3, "a number never comes again");
    let nothing = [Progress::NothingDeclared; 2];
    assert_eq!(progress(&table.desk, &table.code, "kaede", 4).await, nothing);
    let again = format!("select said from windows where number = {number}");
    assert_eq!(rows::<(String,)>(&table.database, &again).await, said);
    assert_eq!(looks(&table.desk, &table.code, 4 + HOUR).await, Looked::Closed(Why::Deadline));
    let closed = happened(&table.desk, &table.code).await.pop().unwrap();
    let Happened::Closed { number: 3, awaited, sealed, .. } = closed else { panic!("{closed:?}") };
    assert_eq!((awaited, sealed), (vec![P1, P2], Vec::new()));
    verify(&table.database, &table.desk).await;
}

/// Why a window was closed is told at once, to the host too; the result does not say it again.
#[tokio::test]
async fn why_a_window_is_closed_is_told_before_its_result() {
    let table = Table::announced_later().await;
    seal(&table.desk, &table.code, "sakura", BID, 1).await;
    table.decide(Override::Close, 5).await;
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, 5).await;
        let [.., Part::Override { what: Override::Close, .. }, Part::Shut { closed: 5, .. }] =
            &parts[..]
        else {
            panic!("{name}: {parts:?}")
        };
    }
    let is_close = |part: &Part| matches!(part, Part::Override { what: Override::Close, reason, .. } if !reason.is_empty());
    table.sent(5).await;
    table.decide(Override::Hold, 6).await;
    let declare = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    table.decide(judge(0, declare), 7).await;
    table.decide(Override::Publish, 8).await;
    let parts = table.told_to("kaede", 8).await;
    assert!(!parts.iter().any(is_close), "{parts:?}");
}

/// Where there is no time to tell it before the result, it comes with whatever the result becomes.
#[tokio::test]
async fn why_a_window_was_closed_stays_with_its_result() {
    let table = Table::announced_later().await;
    // In quiet hours nobody is told anything before the result.
    let to = TimeOfDay::new(6, 0).unwrap();
    let quiet = Some(Quiet { from: TimeOfDay::MIDNIGHT, to });
    let announce = Announce::AtOnce;
    let pace = Pace { announce, quiet, ..Pace::play(HOUR, chrono_tz::UTC) };
    let pace = serde_json::to_string(&pace).unwrap();
    execute(&table.database, &format!("update tables set pace = '{pace}'")).await;
    table.decide(Override::Close, 5).await;
    table.decide(Override::Hold, 6).await;
    let declare = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    table.decide(judge(0, declare), 7).await;
    table.decide(Override::Publish, 8 * HOUR).await;
    let parts = table.told_to("kaede", 8 * HOUR).await;
    let told = |part: &&Part| matches!(part, Part::Override { what: Override::Close, .. });
    assert_eq!(parts.iter().filter(told).count(), 1, "{parts:?}");
}

/// Closes the deal at a minute; it is announced later.
async fn pending() -> Table {
    let table = Table::announced_later().await;
    table.bid(MINUTE).await;
    table
}

#[tokio::test]
async fn a_result_is_held_back_until_it_is_published() {
    let table = pending().await;
    let (desk, code) = (&table.desk, &table.code);
    let announced = MINUTE + LATER;
    for what in [extend(DAY), Override::Close, pause(DAY), Override::Void] {
        assert_eq!(table.refuses(what, 2 * MINUTE).await, Refused::NotYet);
    }
    table.decide(Override::Hold, 2 * MINUTE).await;
    assert_eq!(table.refuses(Override::Hold, 2 * MINUTE).await, Refused::Still);
    assert_eq!(desk.next_due().await.unwrap(), None);
    assert_eq!(looks(desk, code, announced + DAY).await, Looked::Nothing);
    assert_eq!(table.told("1-opening%").await, []);
    let sight = see(desk, code, "sakura", announced + DAY).await;
    assert_eq!(desk.past(&sight, announced + DAY).await.unwrap().len(), 1, "nothing but the deal");
    assert!(desk.gone(code, 0, announced + DAY).await.unwrap().is_none());
    assert_eq!((sight.held, sight.play.unwrap().number), (Some("review"), 0));
    let early = say(desk, code, "sakura", DRAW, Said::Sealed, announced + DAY).await;
    assert_eq!(refused(early), Refused::NotYet);
    let resumed = desk.resume(code, &account("sakura"), announced + DAY).await;
    assert_eq!(refused(resumed), Refused::NotYet);

    let published = announced + DAY;
    assert_eq!(table.decide(Override::Publish, published).await, [Remark::Final]);
    assert_eq!(table.times().await, (published, published + HOUR));
    let told = table.told("1-opening%").await;
    assert_eq!(told.len(), 2, "once to each");
    for (_, parts) in told {
        let [
            Part::Override { .. },
            Part::Result { .. },
            Part::Receipts { sealed },
            Part::Opening { closes, .. },
        ] = &parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!((sealed.len(), *closes), (2, published + HOUR));
    }
    let sight = see(desk, code, "sakura", published).await;
    assert_eq!((sight.held, desk.past(&sight, published).await.unwrap().len()), (None, 2));
    assert!(desk.gone(code, 0, published).await.unwrap().is_some());
    for what in [Override::Publish, Override::Hold] {
        assert_eq!(table.refuses(what, published).await, Refused::Announced);
    }
    table.both(DRAW, DRAW, published).await;
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn a_result_that_is_not_held_back_any_more_goes_out_at_its_time() {
    let table = pending().await;
    let announced = MINUTE + LATER;
    let (before, letters) = (table.standing().await, table.told("1-opening%").await);
    assert_eq!(letters.len(), 2);
    table.decide(Override::Hold, 2 * MINUTE).await;
    table.undone(&before, 3 * MINUTE).await;
    assert_eq!(table.told("1-opening%").await, letters);
    let send_at: Vec<(i64,)> =
        rows(&table.database, "select send_at from outbox where letter like '%1-opening%'").await;
    assert_eq!(send_at, [(announced,), (announced,)]);
    table.decide(Override::Hold, 4 * MINUTE).await;
    table.decide(Override::Undo { number: 2 }, announced + MINUTE).await;
    assert_eq!(table.times().await.0, announced + MINUTE, "at once, if that has passed");
    table.both(DRAW, DRAW, announced + MINUTE).await;
    verify(&table.database, &table.desk).await;
}

/// Resuming is publishing, where something is held back.
#[tokio::test]
async fn what_is_held_back_is_published_by_going_on() {
    let table = pending().await;
    table.decide(Override::Hold, 2 * MINUTE).await;
    table.decide(Override::Resume, 3 * MINUTE).await;
    assert_eq!(table.times().await.0, 3 * MINUTE);
    assert_eq!(table.told("1-opening%").await.len(), 2);
}

#[tokio::test]
async fn the_end_of_a_game_can_be_held_back() {
    let table = Table::announced_later().await;
    let mut now = 0;
    while let Some(due) = table.desk.next_due().await.unwrap() {
        now = due;
        looks(&table.desk, &table.code, now).await;
    }
    for what in [Override::End, extend(now + DAY), Override::Close] {
        assert_eq!(table.refuses(what, now).await, Refused::NotYet, "that it is over is not known");
    }
    table.decide(Override::Hold, now).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", now + DAY).await.stage, Stage::Playing);
    let scores = "select letter from outbox where body like '%scores%'";
    assert_eq!(rows::<(String,)>(&table.database, scores).await, []);
    table.decide(Override::Publish, now + DAY).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", now + DAY).await.stage, Stage::Over);
    assert_eq!(rows::<(String,)>(&table.database, scores).await.len(), 2);
    for what in [
        Override::Hold,
        Override::Publish,
        Override::Void,
        Override::Rollback { number: 0, round: None },
        Override::Undo { number: 0 },
        Override::End,
        Override::Open,
        skip(6, P1),
    ] {
        assert_eq!(table.refuses(what, now + DAY).await, Refused::Over);
    }
    verify(&table.database, &table.desk).await;
}
