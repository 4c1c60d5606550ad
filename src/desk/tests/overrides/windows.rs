//! Overrides about the open window and the last result.

use serde_json::json;

use crate::model::{Gm, Judgement, Override};
use crate::overrides::decision::{Decision, Remark, TableSnapshot};
use crate::overrides::gm_view::LoggedOverride;
use crate::record::{Event, Part};
use crate::table::form::Form;
use crate::tests::kit::{LATER, Table, decision, gm, gm_called, judge, skip};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, account, dealt, desk, draft, execute, form, happened, looks,
    passes, progress, refused, rows, say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::view::see::PendingResult;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2, said};
use letters::{DeclarationRefused, OverrideRefused, Refused, VoteRefused};
use rules::Round;
use rules::window::Progress;
use tables::{
    Announce, CloseReason, HoldReason, OverrideNumber, Pace, Quiet, Stage, TimeOfDay, WindowNumber,
};

const DAY: i64 = 24 * HOUR;

fn extend(closes: i64) -> Override {
    Override::Extend { closes: time(closes) }
}

fn pause(until: i64) -> Override {
    Override::Pause { until: time(until) }
}

#[tokio::test]
async fn two_presses_at_once_are_one_override() {
    let table = Table::new().await;
    let other = crate::tests::support::desk(&table.database).await;
    let shown = table.rehearse(&extend(2 * HOUR), 1).await.unwrap();
    let decision = Decision { foundation: Some(shown.foundation), ..decision(extend(2 * HOUR)) };
    let gm = gm();
    let (here, there) = tokio::join!(
        crate::decide(&table.desk, &table.code, &gm, decision.clone(), time(1)),
        crate::decide(&other, &table.code, &gm, decision.clone(), time(1))
    );
    let (here, there) = (here.unwrap(), there.unwrap());
    assert_eq!((here.number, here.before != there.before), (there.number, true));
    assert_eq!(crate::overrides(&table.desk, &table.code, &gm).await.unwrap().len(), 1);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_table_that_has_moved_on_refuses() {
    let table = Table::new().await;
    let shown = table.rehearse(&extend(2 * HOUR), 1).await.unwrap();
    let decision = Decision { foundation: Some(shown.foundation), ..decision(extend(2 * HOUR)) };
    table.decide(pause(HOUR), 2).await;
    let before = table.whole().await;
    let decided = crate::decide(&table.desk, &table.code, &gm(), decision, time(3)).await;
    assert_eq!(refused(decided), Refused::MovedOn);
    assert_eq!(table.whole().await, before);
}

#[tokio::test]
async fn nothing_is_decided_without_a_reason_or_by_anybody_else() {
    let table = Table::new().await;
    let before = table.whole().await;
    let unreasoned = Decision { reason: " \n".to_owned(), ..decision(extend(2 * HOUR)) };
    let decided = crate::decide(&table.desk, &table.code, &gm(), unreasoned, time(1)).await;
    assert_eq!(refused(decided), OverrideRefused::NoReason);
    let desk = &table.desk;
    let by = async |gm: &Gm| {
        crate::decide(desk, &table.code, gm, decision(extend(2 * HOUR)), time(1)).await
    };
    let with_role = |role: &str| Gm { account: account("ume"), roles: vec![role.to_owned()] };
    for stranger in [gm_called("kaede"), gm_called("ume"), with_role("discord:role:2")] {
        assert_eq!(refused(by(&stranger).await), OverrideRefused::NotGm);
        let rehearsed =
            crate::rehearse(desk, &table.code, &stranger, extend(2 * HOUR), None, time(1)).await;
        assert_eq!(refused(rehearsed), OverrideRefused::NotGm);
    }
    assert_eq!(table.whole().await, before);
    // A game master by role need not have been here before.
    table.appoint("discord:role:2").await;
    by(&with_role("discord:role:2")).await.unwrap();
    by(&gm_called("sakura")).await.unwrap();
    crate::appoint(desk, &table.code, &account("sakura"), "discord:role:2", false, time(0))
        .await
        .unwrap();
    assert_eq!(refused(by(&with_role("discord:role:2")).await), OverrideRefused::NotGm);
    let appointed = crate::appoint(
        desk,
        &table.code,
        &account("kaede"),
        account("kaede").as_str(),
        true,
        time(0),
    )
    .await;
    assert_eq!(refused(appointed), Refused::NotHost);
    let nowhere =
        crate::decide(desk, &"nowhere".into(), &gm(), decision(extend(2 * HOUR)), time(1)).await;
    assert_eq!(refused(nowhere), Refused::NoTable);
}

#[tokio::test]
async fn a_forming_table_has_nothing_to_decide() {
    let table = Table::new().await;
    let code = crate::form(&table.desk, form("toy"), time(0)).await.unwrap().code;
    for what in [extend(2 * HOUR), Override::End, Override::Open] {
        let decided =
            crate::decide(&table.desk, &code, &gm_called("sakura"), decision(what), time(1)).await;
        assert_eq!(refused(decided), Refused::NotBegun);
    }
}

#[tokio::test]
async fn a_window_is_extended_to_a_time() {
    let table = Table::new().await;
    seal(&table.desk, &table.code, "kaede", BID, 1).await;
    let before = table.standing().await;
    assert_eq!(table.refuses(extend(MINUTE), MINUTE).await, OverrideRefused::Past);
    table.decide(extend(3 * HOUR), MINUTE).await;
    assert_eq!(table.times().await, (0, 3 * HOUR));
    table.undone(&before, MINUTE).await;
    table.decide(extend(3 * HOUR), MINUTE).await;
    assert_eq!(looks(&table.desk, &table.code, HOUR).await, TickOutcome::Nothing);
    draft(&table.desk, &table.code, "sakura", BID, 3 * HOUR - 1).await;
    assert_eq!(
        looks(&table.desk, &table.code, 3 * HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    verify(&table.database, &table.desk).await;
}

/// An announcement at a time of day moves with the deadline, and is written in the same letter.
#[tokio::test]
async fn what_is_extended_is_announced_as_long_after_it() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace = Pace::read("daily 21:00 announce 22:00", chrono_tz::UTC).unwrap();
    let code = dealt(&desk, Form { pace, ..form("toy") }).await;
    let host = gm_called("sakura");
    let at = |hour: i64, minute: i64| hour * HOUR + minute * MINUTE;
    let shown =
        crate::rehearse(&desk, &code, &host, extend(at(22, 30)), None, time(HOUR)).await.unwrap();
    let times = |standing: &TableSnapshot| {
        let play = standing.sight.play.as_ref().unwrap();
        let told = standing.sight.window_progress(play);
        [told.closes, told.announced].map(|at| at.map(|at| at.clock))
    };
    let clock = |text: &str| Some(text.to_owned());
    assert_eq!(times(&shown.before), [clock("21:00"), clock("22:00")]);
    assert_eq!(times(&shown.after.unwrap()), [clock("22:30"), clock("23:30")]);
    crate::decide(&desk, &code, &host, decision(extend(at(22, 30))), time(HOUR)).await.unwrap();
    let told: Vec<(String,)> =
        rows(&database, "select body from outbox where letter like '%-override-0-%'").await;
    let moved = format!("\"announced\":{}", at(23, 30));
    assert!(told.len() == 2 && told.iter().all(|(body,)| body.contains(&moved)), "{told:?}");
    crate::close(&desk, &code, &account("sakura"), None, time(at(20, 0))).await.unwrap();
    let play = see(&desk, &code, "kaede", at(20, 0)).await.play.unwrap();
    let shut = PendingResult { closed: time(at(20, 0)), announced: time(at(21, 0)) };
    assert_eq!(play.shut, Some(shut), "not 23 hours later");
    verify(&database, &desk).await;
}

/// The time of the result is announced immediately when a window is closed in quiet hours, also to the host.
#[tokio::test]
async fn a_close_in_quiet_hours_is_told_when_it_is_decided() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace = Pace::read("12h quiet 0:00-7:00", chrono_tz::UTC).unwrap();
    let code = dealt(&desk, Form { pace, ..form("toy") }).await;
    let host = gm_called("sakura");
    for name in ["sakura", "kaede"] {
        let received = say(&desk, &code, name, BID, DeclarationStatus::Sealed, HOUR).await.unwrap();
        let closing =
            see(&desk, &code, name, HOUR).await.closing_times(received.timing, time(HOUR));
        let until = (name == "kaede").then(|| "07:00".to_owned());
        assert_eq!(closing.settles.map(|at| at.clock.clone()), until, "{name}");
    }
    let sight = see(&desk, &code, "nobody", HOUR).await;
    let told = sight.window_progress(sight.play.as_ref().unwrap());
    assert!(told.settles.is_some(), "everybody sees until when it stays open");
    let shown =
        crate::rehearse(&desk, &code, &host, Override::Close, None, time(2 * HOUR)).await.unwrap();
    let announced = Remark::Announced { announced: time(7 * HOUR) };
    assert!(shown.remarks.contains(&announced), "{:?}", shown.remarks);
    crate::decide(&desk, &code, &host, decision(Override::Close), time(2 * HOUR)).await.unwrap();
    let words = Override::Say { words: "Patience".to_owned(), to: Vec::new() };
    crate::decide(&desk, &code, &host, decision(words), time(2 * HOUR + 1)).await.unwrap();
    let question = "select send_at, body from outbox where body like '%\"kind\":\"overridden\"%'
         and address = 'terminal:kaede' order by send_at, letter";
    let told: Vec<(i64, String)> = rows(&database, question).await;
    let at: Vec<i64> = told.iter().map(|(at, _)| *at).collect();
    assert_eq!(at, [2 * HOUR, 2 * HOUR + 1], "{told:?}");
    assert!(told[0].1.contains("\"tells\":\"shut\""), "and when the result comes");
    verify(&database, &desk).await;
}

/// Seals made since count, also for the close of the window.
#[tokio::test]
async fn an_extension_that_is_undone_takes_nothing_back_that_was_sealed_since() {
    let table = Table::new().await;
    table.decide(extend(3 * HOUR), MINUTE).await;
    for name in ["sakura", "kaede"] {
        seal(&table.desk, &table.code, name, BID, 2 * MINUTE).await;
    }
    table.decide(Override::Undo { number: OverrideNumber::new(0) }, 3 * MINUTE).await;
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
    let unseen = Remark::Unseen { missing: vec![P2] };
    assert_eq!(remarks, [unseen, Remark::OnlyRollback, Remark::Final]);
    assert_eq!(table.open().await, 1);
    let (_, parts) = table.told("1-opening-P2").await.remove(0);
    assert!(matches!(parts[0], Part::Event(Event::Overridden { what: Override::Close, .. })));
    assert_eq!(
        table.refuses(Override::Undo { number: OverrideNumber::FIRST }, 6).await,
        OverrideRefused::Final
    );
    verify(&table.database, &table.desk).await;
    let hidden = Table::of("toy-hidden", tables::pace::Announce::AtOnce).await;
    seal(&hidden.desk, &hidden.code, "sakura", BID, 1).await;
    let remarks = hidden.decide(Override::Close, 5).await;
    assert_eq!(remarks[0], Remark::Unseen { missing: Vec::new() }, "nobody learns who has sealed");
}

/// A confirmation is bound to what was shown: of several presses only one counts.
#[tokio::test]
async fn a_host_closes_the_window_that_was_shown_and_no_other() {
    let table = Table::new().await;
    let (desk, code, host) = (&table.desk, &table.code, account("sakura"));
    let shown = see(desk, code, "sakura", 5).await.revision;
    let close = async |now| crate::close(desk, code, &host, Some(&shown), now).await;
    let (here, there, late) = tokio::join!(close(time(5)), close(time(5)), close(time(6)));
    let done = [&here, &there, &late].map(Result::is_ok);
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    for done in [here, there, late].into_iter().filter(Result::is_err) {
        assert_eq!(refused(done), Refused::MovedOn);
    }
    assert_eq!(table.open().await, 1, "one window was closed");
    for what in ["close", "end", "resume"] {
        let done = match what {
            "close" => crate::close(desk, code, &host, Some(&shown), time(7)).await,
            "end" => crate::end(desk, code, &host, None, Some(&shown), time(7)).await,
            _ => crate::resume(desk, code, &host, Some(&shown), time(7)).await,
        };
        assert_eq!(refused(done), Refused::MovedOn, "{what}");
    }
    let shown = see(desk, code, "sakura", 7).await.revision;
    crate::end(desk, code, &host, None, Some(&shown), time(7)).await.unwrap();
    let again = crate::end(desk, code, &host, None, Some(&shown), time(7)).await;
    assert_eq!(refused(again), Refused::Over);
    verify(&table.database, desk).await;
}

/// A game begins once, however often the button is pressed, and a vote counts in its own ballot.
#[tokio::test]
async fn a_start_and_a_vote_that_are_pressed_twice_are_one() {
    let forming = Table::new().await;
    let desk = &forming.desk;
    let code = crate::form(desk, form("toy"), time(0)).await.unwrap().code;
    crate::join(desk, &code, crate::tests::support::guest("sakura"), None, time(0)).await.unwrap();
    let host = account("sakura");
    let start = async || crate::start(desk, &code, &host, "random", time(1)).await;
    let (here, there) = tokio::join!(start(), start());
    assert!(here.is_ok() != there.is_ok());
    assert_eq!(refused(if here.is_ok() { there } else { here }), Refused::Begun);
    let table = Table::new().await;
    let (desk, code, kaede) = (&table.desk, &table.code, account("kaede"));
    let motion = Override::Extend { closes: time(2 * HOUR) };
    let vote = crate::propose_vote(desk, code, &host, motion, time(1)).await.unwrap();
    let yes = async || crate::give_voice(desk, code, &kaede, vote.number, true, time(2)).await;
    let (here, there) = tokio::join!(yes(), yes());
    assert!(here.is_ok() != there.is_ok());
    assert_eq!(refused(if here.is_ok() { there } else { here }), VoteRefused::VoteOver);
    assert_eq!(table.times().await.1, 2 * HOUR, "it is put off once");
}

/// A close can be undone until its result is announced, and all declarations still count.
#[tokio::test]
async fn a_close_is_undone_before_its_result_is_told() {
    let table = Table::announced_later().await;
    let (desk, code) = (&table.desk, &table.code);
    seal(desk, code, "sakura", "bid.gold=6", 1).await;
    crate::close(desk, code, &account("sakura"), None, time(10 * MINUTE)).await.unwrap();
    let whole = table.told("%opening%").await;
    assert!(!whole.is_empty());
    table.decide(Override::Hold, 11 * MINUTE).await;
    let shown = table
        .rehearse(&Override::Undo { number: OverrideNumber::new(0) }, 20 * MINUTE)
        .await
        .unwrap();
    assert!(shown.before.last.is_none() && shown.after.unwrap().last.is_none());
    table.decide(Override::Undo { number: OverrideNumber::new(0) }, 20 * MINUTE).await;
    assert_eq!(table.times().await, (20 * MINUTE, 70 * MINUTE), "nobody has less time");
    let sight = see(desk, code, "sakura", 20 * MINUTE).await;
    assert_eq!((sight.held, sight.stage), (None, Stage::Playing));
    let play = sight.play.unwrap();
    assert_eq!(
        (play.number, play.contest.round(), play.shut),
        (WindowNumber::new(2), Round::DEAL, None)
    );
    let (sealed, nothing) = (Progress::SealedComplete, Progress::NothingDeclared);
    assert_eq!(progress(desk, code, "kaede", 20 * MINUTE).await, [sealed, nothing]);
    assert_eq!(table.told("1-%").await, [], "nobody hears what it brought");
    seal(desk, code, "kaede", BID, 21 * MINUTE).await;
    table.closes(21 * MINUTE).await;
    let sight = see(desk, code, "kaede", 21 * MINUTE).await;
    assert_eq!(sight.play.unwrap().shut.unwrap().closed, time(21 * MINUTE));
    let kept = crate::reputation(desk, &account("kaede"), time(3 * HOUR)).await.unwrap();
    assert_eq!(kept, crate::reputation(desk, &account("sakura"), time(3 * HOUR)).await.unwrap());
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn a_close_stands_once_its_result_is_told() {
    let table = Table::announced_later().await;
    let remarks = table.decide(Override::Close, 5).await;
    let announced = Remark::Announced { announced: time(5 + LATER) };
    assert_eq!(remarks, [Remark::Unseen { missing: vec![P1, P2] }, announced, Remark::UntilTold]);
    let undo = Override::Undo { number: OverrideNumber::new(0) };
    table.rehearse(&undo, 5 + LATER - 1).await.unwrap();
    assert_eq!(table.refuses(undo, 5 + LATER).await, OverrideRefused::OnlyRollback);
}

#[tokio::test]
async fn a_pause_ends_by_itself_with_the_time_that_was_left() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    let since = 10 * MINUTE;
    assert_eq!(table.refuses(Override::Resume, since).await, OverrideRefused::NotHeld);
    assert_eq!(table.refuses(pause(since), since).await, OverrideRefused::Past);
    assert_eq!(
        table.refuses(pause(since + 30 * DAY + 1), since).await,
        OverrideRefused::TooLongPause
    );
    let before = table.standing().await;
    table.decide(pause(since + 30 * DAY), since).await;
    table.undone(&before, since).await;
    table.decide(pause(2 * HOUR), since).await;
    assert_eq!(see(desk, code, "kaede", since).await.held, Some(HoldReason::Pause));
    assert_eq!(table.refuses(pause(3 * HOUR), since).await, OverrideRefused::Still);
    for said in [DeclarationStatus::Draft, DeclarationStatus::Sealed] {
        assert_eq!(
            refused(say(desk, code, "kaede", BID, said, since).await),
            DeclarationRefused::Paused
        );
    }
    assert_eq!(looks(desk, code, 2 * HOUR - 1).await, TickOutcome::Nothing);
    assert_eq!(crate::next_due(desk).await.unwrap(), Some(time(2 * HOUR)));
    assert_eq!(looks(desk, code, 2 * HOUR).await, TickOutcome::Extended);
    let left = 50 * MINUTE;
    assert_eq!(table.times().await.1, 2 * HOUR + left);
    seal(desk, code, "kaede", BID, 2 * HOUR + left - 1).await;
    assert_eq!(
        looks(desk, code, 2 * HOUR + left).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
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
    crate::resume(&table.desk, &table.code, &account("sakura"), None, time(HOUR)).await.unwrap();
    assert_eq!(table.times().await.1, HOUR + 50 * MINUTE);
    table.decide(pause(DAY), HOUR).await;
    crate::close(&table.desk, &table.code, &account("sakura"), None, time(HOUR)).await.unwrap();
    let sight = see(&table.desk, &table.code, "kaede", HOUR).await;
    assert_eq!((sight.held, sight.play.unwrap().number), (None, WindowNumber::new(1)));
    table.decide(pause(DAY), HOUR).await;
    table.decide(Override::Close, HOUR).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", HOUR).await.held, None);
    verify(&table.database, &table.desk).await;
}

/// A host's command is an override like any other, and can be looked up and undone like one.
#[tokio::test]
async fn a_host_resumes_and_closes_as_a_game_master_does() {
    let table = Table::new().await;
    let host = account("sakura");
    table.decide(pause(DAY), 10 * MINUTE).await;
    crate::resume(&table.desk, &table.code, &host, None, time(HOUR)).await.unwrap();
    let told = table.told("0-extended%").await;
    assert_eq!(told.len(), 2, "once to each");
    for (_, parts) in told {
        assert!(
            matches!(parts[..], [Part::Event(Event::Extended { paused: true, .. })]),
            "{parts:?}"
        );
    }
    table.decide(Override::Undo { number: OverrideNumber::new(1) }, HOUR).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", HOUR).await.held, Some(HoldReason::Pause));
    crate::close(&table.desk, &table.code, &host, None, time(HOUR)).await.unwrap();
    let logged = crate::overrides(&table.desk, &table.code, &gm()).await.unwrap();
    let does = |logged: &LoggedOverride| json!(logged.what)["does"].clone();
    let said = logged.iter().map(|logged| (logged.by.as_ref(), does(logged)));
    let by = |name: &str| Some(account(name));
    let (sakura, momiji) = (by("sakura"), by("momiji"));
    let expected = [
        (momiji.as_ref(), json!("pause")),
        (sakura.as_ref(), json!("resume")),
        (momiji.as_ref(), json!("undo")),
        (sakura.as_ref(), json!("close")),
    ];
    assert_eq!(said.collect::<Vec<_>>(), expected);
    for (_, parts) in table.told("1-opening%").await {
        let close = Part::Event(Event::decided(
            OverrideNumber::new(3),
            Some(WindowNumber::FIRST),
            Override::Close,
            String::new(),
        ));
        assert_eq!(parts[0], close);
    }
    verify(&table.database, &table.desk).await;
}

/// Undoing a pause later gives back the time for which the table was held.
#[tokio::test]
async fn a_pause_that_is_undone_costs_nobody_time() {
    let table = Table::new().await;
    table.decide(pause(DAY), 10 * MINUTE).await;
    table.decide(Override::Undo { number: OverrideNumber::new(0) }, 40 * MINUTE).await;
    assert_eq!(table.times().await.1, HOUR + 30 * MINUTE);
    assert_eq!(crate::next_due(&table.desk).await.unwrap(), Some(time(HOUR + 30 * MINUTE)));
}

/// An override at a held table does not resume it.
#[tokio::test]
async fn a_pause_outlasts_what_is_decided_in_it() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(pause(DAY), 10 * MINUTE).await;
    let paused = async |now| {
        let sight = see(&table.desk, &table.code, "kaede", now).await;
        assert_eq!(sight.held, Some(HoldReason::Pause));
        assert_eq!(crate::next_due(&table.desk).await.unwrap(), Some(time(DAY)));
    };
    let give = kit::toy::said("gold.who=P2 gold.count=9");
    for what in [
        Override::Void,
        Override::Edit { said: give },
        extend(5 * HOUR),
        skip(0, P1),
        Override::Rollback { number: WindowNumber::new(1), round: None },
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
    assert_eq!(
        looks(&table.desk, &table.code, 4 + HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    let closed = happened(&table.desk, &table.code).await.pop().unwrap();
    let Event::Closed { number, awaited, sealed, .. } = closed else { panic!("{closed:?}") };
    assert_eq!((number, awaited, sealed), (WindowNumber::new(3), vec![P1, P2], Vec::new()));
    verify(&table.database, &table.desk).await;
}

/// The reason for a close is announced immediately, to the host too, and is not repeated with the result.
#[tokio::test]
async fn why_a_window_is_closed_is_told_before_its_result() {
    let table = Table::announced_later().await;
    seal(&table.desk, &table.code, "sakura", BID, 1).await;
    table.decide(Override::Close, 5).await;
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, 5).await;
        let [
            ..,
            Part::Event(Event::Overridden { what: Override::Close, .. }),
            Part::Shut { closed, .. },
        ] = &parts[..]
        else {
            panic!("{name}: {parts:?}")
        };
        assert_eq!(*closed, time(5), "{name}");
    }
    let is_close = |part: &Part| matches!(part, Part::Event(Event::Overridden { what: Override::Close, reason, .. }) if !reason.is_empty());
    table.sent(5).await;
    table.decide(Override::Hold, 6).await;
    let declare = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    table.decide(judge(0, declare), 7).await;
    table.decide(Override::Publish, 8).await;
    let parts = table.told_to("kaede", 8).await;
    assert!(!parts.iter().any(is_close), "{parts:?}");
}

/// If there is no time to announce the reason before the result, it comes with the final result.
#[tokio::test]
async fn why_a_window_was_closed_stays_with_its_result() {
    let table = Table::announced_later().await;
    // In quiet hours nothing is announced before the result.
    let to = TimeOfDay::new(6, 0).unwrap();
    let quiet = Some(Quiet { from: TimeOfDay::MIDNIGHT, to });
    let announce = Announce::AtOnce;
    let pace = Pace { announce, quiet, ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let pace = serde_json::to_string(&pace).unwrap();
    execute(&table.database, &format!("update tables set pace = '{pace}'")).await;
    table.decide(Override::Close, 5).await;
    table.decide(Override::Hold, 6).await;
    let declare = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    table.decide(judge(0, declare), 7).await;
    table.decide(Override::Publish, 8 * HOUR).await;
    let parts = table.told_to("kaede", 8 * HOUR).await;
    let told =
        |part: &&Part| matches!(part, Part::Event(Event::Overridden { what: Override::Close, .. }));
    assert_eq!(parts.iter().filter(told).count(), 1, "{parts:?}");
}

/// Closes the deal at one minute, to be announced later.
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
    assert_eq!(table.refuses(Override::Hold, 2 * MINUTE).await, OverrideRefused::Still);
    assert_eq!(crate::next_due(desk).await.unwrap(), None);
    assert_eq!(looks(desk, code, announced + DAY).await, TickOutcome::Nothing);
    assert_eq!(table.told("1-opening%").await, []);
    let sight = see(desk, code, "sakura", announced + DAY).await;
    assert_eq!(
        crate::past(desk, &sight, time(announced + DAY)).await.unwrap().len(),
        1,
        "nothing but the deal"
    );
    assert!(
        crate::gone(desk, code, WindowNumber::new(0), time(announced + DAY))
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        (sight.held, sight.play.unwrap().number),
        (Some(HoldReason::Review), WindowNumber::FIRST)
    );
    let early = say(desk, code, "sakura", DRAW, DeclarationStatus::Sealed, announced + DAY).await;
    assert_eq!(refused(early), Refused::NotYet);
    let resumed = crate::resume(desk, code, &account("sakura"), None, time(announced + DAY)).await;
    assert_eq!(refused(resumed), Refused::NotYet);

    let published = announced + DAY;
    assert_eq!(table.decide(Override::Publish, published).await, [Remark::Final]);
    assert_eq!(table.times().await, (published, published + HOUR));
    let told = table.told("1-opening%").await;
    assert_eq!(told.len(), 2, "once to each");
    for (_, parts) in told {
        let [
            Part::Event(Event::Overridden { .. }),
            Part::Event(Event::Closed { why: CloseReason::AllSealed, .. }),
            Part::Result { .. },
            Part::Receipts { sealed, .. },
            Part::Opening { closes, .. },
        ] = &parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!((sealed.len(), *closes), (2, time(published + HOUR)));
    }
    let sight = see(desk, code, "sakura", published).await;
    let past = crate::past(desk, &sight, time(published)).await.unwrap();
    assert_eq!((sight.held, past.len()), (None, 2));
    assert!(
        crate::gone(desk, code, WindowNumber::new(0), time(published)).await.unwrap().is_some()
    );
    for what in [Override::Publish, Override::Hold] {
        assert_eq!(table.refuses(what, published).await, OverrideRefused::Announced);
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
    // Only the journal has gone on.
    let without_heads = |mut letters: Vec<(String, Vec<Part>)>| {
        for part in letters.iter_mut().flat_map(|(_, parts)| parts) {
            if let Part::Receipts { head, .. } = part {
                head.clear();
            }
        }
        letters
    };
    let told = table.told("1-opening%").await;
    assert_ne!(told, letters);
    assert_eq!(without_heads(told), without_heads(letters));
    let send_at: Vec<(i64,)> =
        rows(&table.database, "select send_at from outbox where letter like '%1-opening-P%'").await;
    assert_eq!(send_at, [(announced,), (announced,)]);
    table.decide(Override::Hold, 4 * MINUTE).await;
    table.decide(Override::Undo { number: OverrideNumber::new(2) }, announced + MINUTE).await;
    assert_eq!(table.times().await.0, announced + MINUTE, "at once, if that has passed");
    table.both(DRAW, DRAW, announced + MINUTE).await;
    verify(&table.database, &table.desk).await;
}

/// At a table with a result held back, resuming publishes it.
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
    while let Some(due) = crate::next_due(&table.desk).await.unwrap() {
        now = due.milliseconds();
        passes(&table.desk, &table.code, now).await;
    }
    for what in [Override::End, extend(now + DAY), Override::Close] {
        assert_eq!(table.refuses(what, now).await, Refused::NotYet, "that it is over is not known");
    }
    table.decide(Override::Hold, now).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", now + DAY).await.stage, Stage::Playing);
    let scores =
        "select letter from outbox where body like '%scores%' and letter not like '%onlooker%'";
    assert_eq!(rows::<(String,)>(&table.database, scores).await, []);
    table.decide(Override::Publish, now + DAY).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", now + DAY).await.stage, Stage::Over);
    assert_eq!(rows::<(String,)>(&table.database, scores).await.len(), 2);
    for what in [
        Override::Hold,
        Override::Publish,
        Override::Void,
        Override::Rollback { number: WindowNumber::new(0), round: None },
        Override::Undo { number: OverrideNumber::new(0) },
        Override::End,
        Override::Open,
        skip(6, P1),
    ] {
        assert_eq!(table.refuses(what, now + DAY).await, Refused::Over);
    }
    verify(&table.database, &table.desk).await;
}
