//! Secret seals: nothing shows them before the result does.

use crate::model::{Desk, Gm, Judgement, Override};
use crate::overrides::decision::Remark;
use crate::table::form::{Form, TableChange};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, SEED, VALUE, account, desk, execute, form, guest, looks,
    progress, rows, say, seal, see, table, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use games::GAMES;
use kit::time::{span, time};
use kit::toy::{P2, said};
use letters::Letters;
use rules::window::Progress::{NothingDeclared, SealedComplete};
use rules::{Answer, Declaration, Key, Value};
use tables::absence::Inactive;
use tables::{Absence, CloseReason, WindowNumber};

/// The interval of the times at which windows of an hour close.
/// The setting of a table that shows only the number of seals.
const COUNT_ONLY: &str = "[\"count-only\"]";

const STEP: i64 = 5 * MINUTE;

#[tokio::test]
async fn nobody_sees_that_others_have_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    let viewers = ["sakura", "kaede", "nobody"];
    let timing = see(&desk, &code, "nobody", 1).await.play.unwrap().timing;
    let letters = sent(&database).await;
    for (name, text, said) in [
        ("kaede", BID, DeclarationStatus::Draft),
        ("sakura", BID, DeclarationStatus::Sealed),
        ("kaede", BID, DeclarationStatus::Sealed),
        ("sakura", "bid.gold=4", DeclarationStatus::Sealed),
    ] {
        let received = say(&desk, &code, name, text, said, MINUTE).await.unwrap();
        assert_eq!(received.timing, timing, "nor is it told to who seals last");
        for viewer in viewers {
            let play = see(&desk, &code, viewer, MINUTE).await.play.unwrap();
            assert_eq!(play.timing, timing);
            assert!(viewer != "nobody" || play.own.is_empty());
        }
        assert_eq!(progress(&desk, &code, "nobody", MINUTE).await, [NothingDeclared; 2]);
    }
    let step = see(&desk, &code, "sakura", 1).await.closing_step();
    assert_eq!(step, Some(span(5 * MINUTE)));
    assert_eq!(progress(&desk, &code, "sakura", 1).await, [SealedComplete, NothingDeclared]);
    assert_eq!(progress(&desk, &code, "kaede", 1).await, [NothingDeclared, SealedComplete]);
    assert_eq!(looks(&desk, &code, STEP - 1).await, TickOutcome::Nothing);
    assert_eq!(sent(&database).await, letters, "no letter tells of it");
    assert_eq!(looks(&desk, &code, STEP).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(sent(&database).await.len(), letters.len() + 2);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn nor_does_a_game_master_who_plays() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    say(&desk, &code, "kaede", BID, DeclarationStatus::Sealed, MINUTE).await.unwrap();
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    let gm_view = crate::gm_view(&desk, &code, &gm, time(MINUTE)).await.unwrap();
    let progress = gm_view.open.unwrap().progress;
    assert_eq!(progress.iter().map(|(_, seen)| *seen).collect::<Vec<_>>(), [NothingDeclared; 2]);
}

/// An override can be tried in a dry run and dropped, and nobody hears of it.
#[tokio::test]
async fn nor_does_what_a_decision_would_take_back() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
    }
    assert_eq!(looks(&desk, &code, STEP).await, TickOutcome::Closed(CloseReason::AllSealed));
    let (gm, now) = (Gm { account: account("sakura"), roles: Vec::new() }, STEP + MINUTE);
    let otherwise = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    let declare = Judgement::Declare { seat: P2, answers: said(DRAW) };
    let decisions = [
        Override::Judge { window: WindowNumber::new(0), change: otherwise },
        Override::Judge { window: WindowNumber::new(1), change: declare },
        Override::Void,
        Override::Rollback { number: WindowNumber::new(0), round: None },
        Override::Kick { seat: P2 },
        Override::House { seat: P2, policy: "random".to_owned() },
    ];
    let mut shown: Vec<Vec<String>> = Vec::new();
    for step in [None, Some(DeclarationStatus::Draft), Some(DeclarationStatus::Sealed)] {
        if let Some(step) = step {
            say(&desk, &code, "kaede", DRAW, step, now).await.unwrap();
        }
        let mut told = Vec::new();
        for what in &decisions {
            let seen =
                crate::rehearse(&desk, &code, &gm, what.clone(), None, time(now)).await.unwrap();
            told.push(format!("{:?} {:?} {:?}", seen.remarks, seen.before, seen.after));
        }
        shown.push(told);
    }
    for (nothing, others) in shown[0].iter().zip(shown[1].iter().zip(&shown[2])) {
        assert_eq!((nothing, nothing), others);
    }
}

/// A correction may reveal secrets of other players, so a player may not look at it first.
#[tokio::test]
async fn who_plays_sees_no_board_before_it_is_corrected() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    let what = Override::Edit { said: said("gold.who=P2 gold.count=9") };
    for game in ["toy", "toy-hidden"] {
        let code = table(&desk, game).await;
        for name in ["sakura", "kaede"] {
            seal(&desk, &code, name, BID, 1).await;
        }
        assert_eq!(looks(&desk, &code, STEP).await, TickOutcome::Closed(CloseReason::AllSealed));
        let now = time(STEP + MINUTE);
        let shown = crate::rehearse(&desk, &code, &gm, what.clone(), None, now).await.unwrap();
        let unseen = Remark::Unseen { missing: Vec::new() };
        assert!(shown.after.is_none(), "{game}");
        assert!(shown.remarks.contains(&unseen), "{game}");
    }
}

#[tokio::test]
async fn a_seal_within_the_last_step_brings_nothing_forward() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    assert_eq!(looks(&desk, &code, 48 * MINUTE).await, TickOutcome::Reminded);
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 56 * MINUTE).await;
    }
    assert_eq!(looks(&desk, &code, HOUR - 1).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
}

#[tokio::test]
async fn a_reminder_goes_to_all_where_it_is_not_told_who_has_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (game, set, reminded) in [("toy-hidden", "[]", 2), ("toy", COUNT_ONLY, 2), ("toy", "[]", 1)]
    {
        let code = table(&desk, game).await;
        execute(&database, &format!("update tables set settings = '{set}'")).await;
        seal(&desk, &code, "sakura", BID, MINUTE).await;
        assert_eq!(looks(&desk, &code, 48 * MINUTE).await, TickOutcome::Reminded);
        let question = format!(
            "select address, body from outbox where letter like '{code}-0-reminder-%'
             order by address"
        );
        let letters: Vec<(String, String)> = rows(&database, &question).await;
        let addresses: Vec<&str> = letters.iter().map(|(address, _)| address.as_str()).collect();
        assert_eq!(addresses, &["terminal:kaede", "terminal:sakura"][..reminded], "{game}");
        if let Some((_, body)) = letters.get(1) {
            assert!(body.contains("\"progress\":\"sealed\""), "{body}");
        }
    }
}

#[tokio::test]
async fn a_count_is_told_only_where_the_game_hides_nothing() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (game, count) in [("toy-hidden", None), ("toy", Some((1, 2)))] {
        let code = table(&desk, game).await;
        execute(&database, &format!("update tables set settings = '{COUNT_ONLY}'")).await;
        seal(&desk, &code, "sakura", BID, 1).await;
        for (name, own) in [("nobody", 0), ("sakura", 1)] {
            let sight = see(&desk, &code, name, 1).await;
            let standing = sight.window_progress(sight.play.as_ref().unwrap());
            assert_eq!(standing.seats.len(), own, "{game}: of others nobody is named to {name}");
            assert_eq!(standing.count.map(|count| (count.sealed, count.asked)), count, "{game}");
        }
    }
}

#[tokio::test]
async fn nobody_is_named_at_the_deadline_where_it_is_not_told_who_has_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (game, set, named) in
        [("toy-hidden", "[]", "[]"), ("toy", COUNT_ONLY, "[]"), ("toy", "[]", "[1]")]
    {
        let code = table(&desk, game).await;
        execute(&database, &format!("update tables set settings = '{set}'")).await;
        seal(&desk, &code, "sakura", BID, MINUTE).await;
        looks(&desk, &code, 48 * MINUTE).await;
        assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
        let closed = format!("\"awaited\":{named}");
        let letters = sent(&database).await;
        let told = letters.iter().filter(|(letter, _)| letter.starts_with(&format!("{code}-1-")));
        assert_eq!(told.filter(|(_, body)| body.contains(&closed)).count(), 2, "{game} {set}");
    }
}

async fn sent(database: &Database) -> Vec<(String, String)> {
    rows(database, "select letter, body from outbox order by letter").await
}

/// G1.4, G7.4: a silent player who keeps a chip, or one with an invalid wish, looks the same as one who
/// wishes for it: every letter, the log and the rulings are the same for all other players.
#[tokio::test]
async fn a_silent_wish_is_not_told_from_an_explicit_one() {
    let explicit = wished(Some("3")).await;
    let silent = wished(None).await;
    let void = wished(Some("9")).await;
    assert!(explicit.len() > 6, "{}", explicit.len());
    for ((said, left_out), void) in explicit.iter().zip(&silent).zip(&void) {
        assert_eq!(said, left_out);
        assert_eq!(said, void);
    }
    assert_eq!((explicit.len(), silent.len()), (silent.len(), void.len()));
}

/// Returns everything that players other than P1 have read and can look up, of a heist in whose second pass
/// P1 makes this wish about the chip they hold.
async fn wished(own: Option<&str>) -> Vec<String> {
    let database = Database::fresh().await;
    let desk = Desk::new(desk(&database).await.store().clone(), GAMES);
    let form = Form { chairs: 3, seed: Some((SEED.0, SEED.1.to_owned())), ..form("the_gang") };
    let code = crate::form(&desk, form, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede", "ume"] {
        crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    crate::start(&desk, &code, &account("sakura"), "house", time(0)).await.unwrap();
    let wishes = |pass: i64| {
        let own = if pass == 0 { Some("3") } else { own };
        [("sakura", own), ("kaede", Some("1")), ("ume", (pass == 0).then_some("1"))]
    };
    for pass in 0..2 {
        for (name, wish) in wishes(pass) {
            let Some(wish) = wish else { continue };
            let mut said = Declaration::default();
            said.set(Key::new("chip", "star"), Answer::Given(Value::Choice(wish.into())));
            let account = account(name);
            crate::declare(
                &desk,
                &code,
                &account,
                &said,
                DeclarationStatus::Sealed,
                None,
                time(pass * HOUR + 1),
            )
            .await
            .unwrap();
        }
        while looks(&desk, &code, (pass + 1) * HOUR).await == TickOutcome::Reminded {}
    }
    let now = 2 * HOUR;
    let question = "select letter, body from outbox where address <> 'terminal:sakura'
         order by send_at, letter";
    let letters: Vec<(String, String)> = rows(&database, question).await;
    let mut known: Vec<String> =
        letters.into_iter().map(|(letter, body)| format!("{letter} {body}")).collect();
    for name in ["nobody", "kaede", "ume"] {
        let sight = see(&desk, &code, name, now).await;
        let past = crate::past(&desk, &sight, time(now)).await.unwrap();
        assert_eq!(past.len(), 3, "the deal, and two passes");
        known.push(format!("{past:?}"));
        let reader = sight.reader(rules::text::Lang::En);
        let last = past.last().unwrap().entries.as_slice();
        known.push(Letters::built_in().why(&reader, last).unwrap());
        known.push(sight.position(&Letters::built_in(), &reader, false).unwrap());
    }
    // Their own player is shown the clause by which the chip is kept.
    let sight = see(&desk, &code, "sakura", now).await;
    let past = crate::past(&desk, &sight, time(now)).await.unwrap();
    let own_rulings = format!("{:?}", past.last().unwrap().entries);
    assert_eq!(own_rulings.contains("G2.5"), own != Some("3"), "{own_rulings}");
    verify(&database, &desk).await;
    known.into_iter().map(|known| headless(&known.replace(code.as_str(), "CODE"))).collect()
}

/// Returns a letter without the heads of the journal: each is also a hash over 32 random bytes, which nobody
/// knows before the end.
fn headless(letter: &str) -> String {
    const HEAD: &str = r#""head":""#;
    let mut parts = letter.split(HEAD);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, part| told + HEAD + &part[64..])
}

/// In games where a silent seat spoils the play for everybody, a bot player takes it.
#[tokio::test]
async fn whoever_is_gone_is_played_for_where_the_game_says_so() {
    let database = Database::fresh().await;
    let desk = Desk::new(desk(&database).await.store().clone(), GAMES);
    for (game, inactive) in [("the_gang", Inactive::House), ("eitsuku", Inactive::Skip)] {
        let code =
            crate::form(&desk, Form { chairs: 3, ..form(game) }, time(0)).await.unwrap().code;
        let absence = see(&desk, &code, "sakura", 0).await.absence;
        assert_eq!(absence, Absence { inactive, ..Absence::default() });
        // The settings follow the game, unless its host has changed them.
        let other = if game == "eitsuku" { "the_gang" } else { "eitsuku" };
        let change = |game: &str| TableChange::Game(game.to_owned());
        crate::change_table(&desk, &code, &account("sakura"), change(other), time(0))
            .await
            .unwrap();
        let follows = see(&desk, &code, "sakura", 0).await.absence;
        assert_ne!(follows.inactive, inactive);
        let set = Absence { allowance: 1, ..follows };
        crate::change_table(&desk, &code, &account("sakura"), TableChange::Absence(set), time(0))
            .await
            .unwrap();
        crate::change_table(&desk, &code, &account("sakura"), change(game), time(0)).await.unwrap();
        assert_eq!(see(&desk, &code, "sakura", 0).await.absence, set);
    }
}
