//! The audience of overrides, their log, and its state after a person is erased.

use crate::model::{Judgement, Override};
use crate::overrides::decision::{Audience, Because, Decision};
use crate::overrides::read::reader::OverrideRequest;
use crate::overrides::show::log as log_of_decisions;
use crate::record::{Event, Letter, Part};
use crate::tests::kit::{LATER, Table, decision, gm, gm_called, judge, skip};
use crate::tests::record::forget::found;
use crate::tests::support::{
    BID, DRAW, HOUR, MINUTE, account, draft, guest, looks, refused, rows, say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2, said};
use letters::{ChangedLine, Changes, DeclarationRefused, OverrideRefused, Refused};
use rules::Seat;
use rules::text::Lang;
use tables::{
    AccountId, Announce, CloseReason, Notified, OverrideNumber, TableSetting, WindowNumber,
};

fn quietly(what: Override) -> Decision {
    Decision { notified: Notified::Private, ..decision(what) }
}

fn words(words: &str) -> String {
    words.to_owned()
}

#[tokio::test]
async fn a_private_notice_reaches_only_those_it_is_about() {
    let table = Table::new().await;
    table.bid(1).await;
    table.sent(1).await;
    let decide = async |what| {
        crate::decide(&table.desk, &table.code, &gm(), quietly(what), time(2)).await.unwrap();
    };
    decide(skip(1, P2)).await;
    decide(Override::Extend { closes: time(5 * HOUR) }).await;
    assert_eq!(table.told_to("sakura", 2).await, []);
    let told = table.told_to("kaede", 2).await;
    let [
        Part::Event(Event::Overridden {
            number: OverrideNumber::FIRST,
            what,
            reason,
            alone: Some(_),
            ..
        }),
    ] = &told[..]
    else {
        panic!("{told:?}")
    };
    assert_eq!((what, reason.as_str()), (&skip(1, P2), "it is only fair"));
    let of_players = crate::overrides(&table.desk, &table.code, &gm_called("kaede")).await.unwrap();
    assert_eq!(of_players, [], "the log of what is private is for game masters");
    assert_eq!(crate::overrides(&table.desk, &table.code, &gm()).await.unwrap().len(), 2);
    table.sent(2).await;
    decide(Override::Rule { words: words("that is so") }).await;
    for name in ["sakura", "kaede"] {
        assert_eq!(table.told_to(name, 2).await, [], "{name}");
    }
    // A message to one player is sent to them alone, and so is its undoing.
    let say = Override::Say { words: words("hello"), to: vec![P2] };
    for what in [say, Override::Undo { number: OverrideNumber::new(3) }] {
        crate::decide(&table.desk, &table.code, &gm(), decision(what), time(2)).await.unwrap();
        assert_eq!(table.told_to("sakura", 2).await, []);
        let told = table.told_to("kaede", 2).await;
        assert!(
            matches!(told[..], [Part::Event(Event::Overridden { alone: Some(_), .. })]),
            "{told:?}"
        );
        table.sent(2).await;
    }
    let log = crate::overrides(&table.desk, &table.code, &gm()).await.unwrap();
    let told: Vec<(bool, Vec<Seat>)> =
        log.into_iter().map(|logged| (logged.public, logged.alone)).collect();
    let alone = |seats: &[Seat]| (false, seats.to_vec());
    assert_eq!(told, [alone(&[P2]), alone(&[]), alone(&[]), alone(&[P2]), alone(&[P2])]);
    // An override that cannot be hidden from the table cannot be private, and its preview says so.
    for (what, because) in [
        (Override::Open, Because::Watched),
        (Override::Call { seat: P2 }, Because::Sought),
        (Override::Void, Because::Asked),
        (Override::Edit { said: said("gold.who=P2 gold.count=9") }, Because::Asked),
        (skip(0, P2), Because::Result),
        (Override::Close, Because::Closed),
        (Override::Rollback { number: WindowNumber::new(0), round: None }, Because::Dice),
        (Override::Cancel, Because::Over),
    ] {
        let shown = table.rehearse(&what, 2).await.unwrap();
        assert_eq!(shown.audience, Audience::Everybody { because }, "{what:?}");
        let before = table.whole().await;
        let decided = crate::decide(&table.desk, &table.code, &gm(), quietly(what), time(2)).await;
        assert_eq!(refused(decided), OverrideRefused::NotQuietly);
        assert_eq!(table.whole().await, before);
    }
    verify(&table.database, &table.desk).await;
}

/// The overrides of a game master who plays are always public.
#[tokio::test]
async fn nothing_is_decided_quietly_by_who_plays() {
    let table = Table::new().await;
    let (desk, code, host) = (&table.desk, &table.code, gm_called("sakura"));
    table.sent(0).await;
    for what in [
        Override::Say { words: words("hello"), to: vec![P2] },
        Override::Rule { words: words("that is so") },
        skip(0, P2),
    ] {
        let shown = crate::rehearse(desk, code, &host, what.clone(), None, time(1)).await.unwrap();
        assert_eq!(shown.audience, Audience::Everybody { because: Because::Playing });
        let decided = crate::decide(desk, code, &host, quietly(what.clone()), time(1)).await;
        assert_eq!(refused(decided), OverrideRefused::NotQuietly);
        crate::decide(desk, code, &host, decision(what), time(1)).await.unwrap();
        for name in ["sakura", "kaede"] {
            let told = table.told_to(name, 1).await;
            assert!(
                matches!(told[..], [Part::Event(Event::Overridden { alone: None, .. })]),
                "{told:?}"
            );
        }
        table.sent(1).await;
    }
}

/// An undoing names the undone override and the present state, but nothing that was private.
#[tokio::test]
async fn an_undoing_says_what_it_undid() {
    let table = Table::in_words(Announce::AtOnce).await;
    let letters = crate::tests::support::letters_with_toys();
    let letter = async |id: &str| {
        let question = format!(
            "select body from outbox where letter = '{}-{id}' and sent_at is null",
            table.code
        );
        let (body,) = rows::<(String,)>(&table.database, &question).await.remove(0);
        let letter: crate::record::letter::Letter = serde_json::from_str(&body).unwrap();
        letter.write(&letters, games::GAMES).unwrap()
    };
    table.decide(Override::Extend { closes: time(2 * HOUR) }, 1).await;
    table.decide(Override::Undo { number: OverrideNumber::FIRST }, 2).await;
    let told = letter("override-1-P2").await;
    assert!(told.contains("Undone: Deadline moved to "), "{told}");
    assert!(told.contains("Deadline now: Thu 1 Jan, 01:00"), "{told}");
    crate::decide(&table.desk, &table.code, &gm(), quietly(skip(0, P2)), time(3)).await.unwrap();
    // The second game master of this table is a player.
    table.appoint(account("kaede").as_str()).await;
    let undo = decision(Override::Undo { number: OverrideNumber::new(2) });
    crate::decide(&table.desk, &table.code, &gm_called("kaede"), undo, time(4)).await.unwrap();
    let told = letter("override-3-P1").await;
    assert!(told.contains("GM action #3 undone") && !told.contains("skipped"), "{told}");
}

#[tokio::test]
async fn the_log_tells_who_when_what_and_why() {
    let table = Table::new().await;
    table.decide(Override::Extend { closes: time(2 * HOUR) }, 7).await;
    table.decide(Override::Undo { number: OverrideNumber::FIRST }, 8).await;
    let log = crate::overrides(&table.desk, &table.code, &gm()).await.unwrap();
    assert_eq!(
        (log[0].number, log[0].at, log[0].undone),
        (OverrideNumber::FIRST, time(7), Some(OverrideNumber::new(1)))
    );
    assert_eq!(log[0].by, Some(account("momiji")));
    assert_eq!(
        (log[1].what.clone(), log[1].reason.as_str()),
        (Override::Undo { number: OverrideNumber::FIRST }, "it is only fair")
    );
    let nowhere = crate::overrides(&table.desk, &"nowhere".into(), &gm()).await;
    assert_eq!(refused(nowhere), Refused::NoTable);
}

/// The log has the preview in its reader's language and, for game masters, the declarations; a notice has the
/// number of the override.
#[tokio::test]
async fn the_log_tells_what_it_changed() {
    let table = Table::new().await;
    let letters = crate::tests::support::letters_with_toys();
    let line = |sign, text: &str| ChangedLine { sign, text: text.to_owned() };
    let changes = [line('−', "Deadline: 1:00"), line('+', "Deadline: 2:00")];
    let what = Override::Extend { closes: time(2 * HOUR) };
    let others = vec![line('+', "2:00")];
    let shown = Changes([(Lang::En, changes.to_vec()), (Lang::Ja, others)].into());
    let decided = Decision { shown, ..decision(what) };
    crate::decide(&table.desk, &table.code, &gm(), decided, time(7)).await.unwrap();
    let answers = said("bid.gold=6");
    table.decide(judge(0, Judgement::Declare { seat: P2, answers }), 8).await;
    let words = async |who: &str, lang| {
        let log = crate::overrides(&table.desk, &table.code, &gm_called(who)).await.unwrap();
        let sight = see(&table.desk, &table.code, who, 8).await;
        let reader = sight.reader(lang).in_plain_text();
        log_of_decisions(&log, &letters, &reader, chrono_tz::UTC, AccountId::to_string).unwrap()
    };
    let (of_gm, of_player) = (words("momiji", Lang::En).await, words("kaede", Lang::En).await);
    let in_japanese = words("momiji", Lang::Ja).await;
    assert!(in_japanese.contains("+ 2:00") && !in_japanese.contains("Deadline"), "{in_japanese}");
    for line in &changes {
        assert!(of_gm.contains(&format!("{} {}", line.sign, line.text)), "{of_gm}");
    }
    assert!(of_gm.contains(": 6"), "{of_gm}");
    assert!(of_player.contains("Declaration of kaede") && !of_player.contains(": 6"));
    let (_, parts) = table.told("override-1-%").await.remove(0);
    assert!(
        matches!(parts[..], [Part::Event(Event::Overridden { number, .. })] if number == OverrideNumber::new(1)),
        "{parts:?}"
    );
    // The names in a preview are erased with the person.
    crate::forget(&table.desk, &account("kaede"), time(9)).await.unwrap();
    let log = crate::overrides(&table.desk, &table.code, &gm()).await.unwrap();
    assert!(log.iter().all(|logged| logged.shown.is_empty()));
}

#[tokio::test]
async fn at_an_open_table_it_is_known_that_the_game_master_looks() {
    let table = Table::new().await;
    assert!(!see(&table.desk, &table.code, "kaede", 1).await.has(TableSetting::Open));
    table.decide(Override::Open, 1).await;
    assert!(see(&table.desk, &table.code, "kaede", 1).await.has(TableSetting::Open));
}

/// Drafts are shown to their players alone, at an open table too.
#[tokio::test]
async fn an_open_table_shows_no_draft() {
    let table = Table::new().await;
    table.decide(Override::Open, 1).await;
    draft(&table.desk, &table.code, "sakura", BID, 2).await;
    seal(&table.desk, &table.code, "kaede", BID, 2).await;
    let gm_view = crate::gm_view(&table.desk, &table.code, &gm(), time(3)).await.unwrap();
    let declared = gm_view.open.unwrap().declared.unwrap();
    assert_eq!((declared[P1].clone(), declared[P2].clone()), (None, Some(said(BID))));
    // At the close, a draft counts like a seal.
    assert_eq!(
        looks(&table.desk, &table.code, HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    let gm_view = crate::gm_view(&table.desk, &table.code, &gm(), time(HOUR)).await.unwrap();
    assert_eq!(gm_view.last.unwrap().declared.unwrap()[P1], Some(said(BID)));
}

/// Each round can be rolled back to once, whatever was asked again or resolved again.
#[tokio::test]
async fn the_windows_to_go_back_to_are_the_rounds() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(Override::Void, 2).await;
    let number = table.open().await;
    table.both(DRAW, DRAW, 3).await;
    table.decide(skip(number, P2), 3).await;
    let windows = crate::gm_view(&table.desk, &table.code, &gm(), time(3)).await.unwrap().windows;
    let rounds: Vec<u32> = windows.iter().map(|opened| opened.round.get()).collect();
    assert_eq!(rounds, [0, 1, 2]);
    assert!(
        windows.iter().all(|opened| opened.number != WindowNumber::new(number)),
        "it was resolved anew"
    );
    for opened in windows {
        let back = Override::Rollback { number: opened.number, round: Some(opened.round) };
        table.rehearse(&back, 4).await.unwrap();
    }
}

#[tokio::test]
async fn a_pause_says_when_it_is_over() {
    let table = Table::in_words(Announce::AtOnce).await;
    table.decide(Override::Pause { until: time(5 * HOUR) }, MINUTE).await;
    let gm_view = crate::gm_view(&table.desk, &table.code, &gm(), time(MINUTE)).await.unwrap();
    let reader = gm_view.sight.reader(Lang::En).in_plain_text();
    let letters = crate::tests::support::letters_with_toys();
    let position = gm_view.sight.position(&letters, &reader, false).unwrap();
    for words in [gm_view.words(&letters, &reader).unwrap(), position] {
        assert!(words.contains("It resumes by itself on") && words.contains("05:00"), "{words}");
        assert!(!words.contains("Deadline:"), "{words}");
    }
}

#[tokio::test]
async fn what_is_published_is_shown_once() {
    let table = Table::in_words(Announce::After(span(LATER))).await;
    table.both("", "", MINUTE).await;
    let words = table.words(Override::Publish, None, 2 * MINUTE).await;
    let lines: Vec<&str> = words.lines().filter(|line| line.starts_with("+ ")).collect();
    let heads = lines.iter().filter(|line| line.starts_with("+ ▼") || line.starts_with("+ ◆"));
    let mut heads: Vec<_> = heads.collect();
    let all = heads.len();
    heads.sort_unstable();
    heads.dedup();
    assert!(all > 0 && heads.len() == all, "{words}");
    assert!(!words.lines().any(|line| line.starts_with("− ")), "{words}");
}

// --- Erasure ---

#[tokio::test]
async fn of_a_game_master_who_is_forgotten_no_word_is_left() {
    let table = Table::new().await;
    let because = Decision {
        reason: words("momiji says so"),
        ..decision(Override::Extend { closes: time(2 * HOUR) })
    };
    crate::decide(&table.desk, &table.code, &gm(), because, time(1)).await.unwrap();
    let kept =
        crate::personal_data(&table.desk, &account("momiji"), time(1)).await.unwrap().unwrap();
    assert_eq!(kept["game_master_of"][0], table.code.as_str());
    assert_eq!(kept["decided"][0]["reason"], "momiji says so");
    assert_eq!(kept["decided"][0]["what"]["does"], "extend");
    let others =
        crate::personal_data(&table.desk, &account("kaede"), time(1)).await.unwrap().unwrap();
    assert_eq!(others["decided"], serde_json::json!([]));
    assert!(crate::forget(&table.desk, &account("momiji"), time(2)).await.unwrap());
    assert_eq!(found(&table.database, "momiji").await, [""; 0]);
    let decided =
        crate::decide(&table.desk, &table.code, &gm(), decision(Override::Open), time(2)).await;
    assert_eq!(refused(decided), OverrideRefused::NotGm);
    let log = crate::overrides(&table.desk, &table.code, &gm_called("sakura")).await.unwrap();
    assert_eq!((log.len(), log[0].by.clone(), log[0].reason.as_str()), (1, None, ""));
    let told = table.told_to("kaede", 2).await;
    assert!(
        told.iter().any(|part| matches!(part, Part::Event(Event::Overridden { .. }))),
        "what was decided stays"
    );
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn whoever_was_replaced_is_forgotten_too() {
    let table = Table::new().await;
    let replace = Override::Replace { seat: P2 };
    seal(&table.desk, &table.code, "sakura", BID, 1).await;
    seal(&table.desk, &table.code, "kaede", "bid.gold=5 bid.motto=mine", 1).await;
    table.closes(1).await;
    seal(&table.desk, &table.code, "kaede", DRAW, 1).await;
    table.decide_with(replace, Some(guest("ume")), 1).await;
    seal(&table.desk, &table.code, "ume", DRAW, 1).await;
    let declared = async |name| {
        let kept =
            crate::personal_data(&table.desk, &account(name), time(1)).await.unwrap().unwrap();
        let numbers = kept["declarations"].as_array().unwrap().iter();
        (numbers.map(|of| of["number"].clone()).collect::<Vec<_>>(), kept["left"].clone())
    };
    let (of_ume, left) = declared("ume").await;
    assert_eq!((of_ume, left), (vec![1.into()], serde_json::json!([])));
    let (of_kaede, left) = declared("kaede").await;
    assert_eq!((of_kaede, left[0]["name"].clone()), (vec![0.into()], "kaede".into()));
    crate::forget(&table.desk, &account("kaede"), time(2)).await.unwrap();
    assert_eq!(found(&table.database, "kaede").await, [""; 0]);
    let undo = Override::Undo { number: OverrideNumber::FIRST };
    assert_eq!(table.refuses(undo, 3).await, OverrideRefused::Final);
    crate::forget(&table.desk, &account("ume"), time(3)).await.unwrap();
    assert_eq!(found(&table.database, "ume").await, [""; 0]);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn what_came_too_late_goes_with_whom_it_was_of() {
    let table = Table::announced_later().await;
    seal(&table.desk, &table.code, "sakura", BID, 1).await;
    assert_eq!(
        looks(&table.desk, &table.code, HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    let late = say(
        &table.desk,
        &table.code,
        "kaede",
        "bid.gold=2 bid.motto=mine",
        DeclarationStatus::Draft,
        HOUR,
    )
    .await;
    assert_eq!(refused(late), DeclarationRefused::Late);
    crate::forget(&table.desk, &account("kaede"), time(HOUR + 1)).await.unwrap();
    assert_eq!(found(&table.database, "mine").await, [""; 0]);
    let accept = judge(0, Judgement::AcceptLate { seat: P2 });
    assert_eq!(table.refuses(accept, HOUR + 1).await, OverrideRefused::NothingLate);
    let house = "select house from seats where seat = 1";
    assert_eq!(rows::<(String,)>(&table.database, house).await[0].0, "random");
    seal(&table.desk, &table.code, "sakura", DRAW, HOUR + LATER).await;
    verify(&table.database, &table.desk).await;
}

/// Players are sent the public part of a correction, in its letter and in the log: which budget cards, and
/// the number of the others. The game master is shown which.
#[tokio::test]
async fn a_correction_is_told_alike_wherever_it_is_public() {
    let table = Table::in_words(Announce::AtOnce).await;
    let letters = crate::tests::support::letters_with_toys();
    table.both("", "", 1).await;
    table.decide(Override::Open, 2).await;
    let gm_view = crate::gm_view(&table.desk, &table.code, &gm(), time(2)).await.unwrap();
    let wish =
        OverrideRequest::read("edit give: P2 Large\u{d7}1 Strike", &gm_view, time(2)).unwrap();
    table.decide(wish.what, 2).await;
    let question = format!(
        "select body from outbox where address = '{}' and letter like '%-opening%'
         order by send_at desc, letter desc limit 1",
        account("sakura")
    );
    let (body,) = rows::<(String,)>(&table.database, &question).await.remove(0);
    let letter: Letter = serde_json::from_str(&body).unwrap();
    let reader = see(&table.desk, &table.code, "sakura", 2).await.reader(Lang::En).in_plain_text();
    let told = letter.write_for(&letters, &reader).unwrap();
    let log = async |who: &str| {
        let log = crate::overrides(&table.desk, &table.code, &gm_called(who)).await.unwrap();
        log_of_decisions(&log, &letters, &reader, chrono_tz::UTC, AccountId::to_string).unwrap()
    };
    let public = "gets Budget Large \u{d7}1, 1 card.";
    for told in [told, log("kaede").await] {
        assert!(told.contains(public) && !told.contains("Strike \u{d7}1"), "{told}");
    }
    let of_gm = log("momiji").await;
    assert!(of_gm.contains("gets Budget Large \u{d7}1, Strike \u{d7}1."), "{of_gm}");
}
