//! The proofs of players against the house: their values, the commitment, and their receipts.

use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use crate::model::{Desk, Judgement};
use crate::record::{Event, Letter, Part};
use crate::tests::kit::{Table, judge};
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, MOTTO_ONLY, account, desk, draft, execute, form, guest, happened,
    looks, refused, rows, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::view::past::Receipts;
use kit::time::{span, time};
use kit::toy::{P1, P2, said};
use letters::Refused;
use rules::Seat;
use rules::dice::value_of;
use tables::pace::Announce;
use tables::{CloseReason, TableCode, WindowNumber};

async fn parts(database: &Database, like: &str) -> Vec<Part> {
    let question = format!(
        "select body from outbox where letter like '{like}'
             and letter not like '%-onlooker-%' order by letter"
    );
    let letters: Vec<(String,)> = rows(database, &question).await;
    letters.iter().flat_map(|(body,)| serde_json::from_str::<Letter>(body).unwrap().parts).collect()
}

/// Returns the receipts in the letters with such ids.
async fn shown(database: &Database, like: &str) -> Vec<Vec<(Option<Seat>, String)>> {
    let receipts = |part| match part {
        Part::Receipts { sealed, .. } => Some(sealed),
        _ => None,
    };
    parts(database, like).await.into_iter().filter_map(receipts).collect()
}

/// Returns the hashes of a window's seals from the journal.
async fn sealed(desk: &Desk, code: &TableCode, number: u32) -> Vec<(Seat, String)> {
    for happened in happened(desk, code).await {
        if let Event::Closed { number: closed, sealed, .. } = happened
            && closed == WindowNumber::new(number)
        {
            return sealed.into_iter().map(|(seat, hash)| (seat.unwrap(), hash)).collect();
        }
    }
    panic!("window {number} was not closed");
}

async fn own(desk: &Desk, code: &TableCode, name: &str, now: i64) -> Receipts {
    let sight = see(desk, code, name, now).await;
    crate::receipts(desk, &sight, &account(name), time(now)).await.unwrap()
}

#[tokio::test]
async fn everybody_chooses_their_value_until_the_game_begins_and_then_it_is_shown() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, form("toy"), time(0)).await.unwrap().code;
    let join = |name, words: Option<&'static str>| {
        crate::join(&desk, &code, guest(name), words.map(value_of), time(0))
    };
    let value = async |name| see(&desk, &code, name, 0).await.value;
    assert_eq!(join("sakura", None).await.unwrap(), P1);
    assert_eq!(join("kaede", Some("rain")).await.unwrap(), P2);
    let drawn = value("sakura").await.unwrap();
    assert_eq!(value("kaede").await, Some(hex::encode(Sha256::digest("rain"))));
    assert_eq!(value("nobody").await, None);
    // A player who names no words keeps their value, and so does one who repeats theirs.
    join("sakura", None).await.unwrap();
    assert_eq!(value("sakura").await.as_ref(), Some(&drawn));
    let entries = happened(&desk, &code).await.len();
    join("kaede", Some("rain")).await.unwrap();
    assert_eq!(happened(&desk, &code).await.len(), entries);
    assert_eq!(join("sakura", Some("snow")).await.unwrap(), P1, "the chair stays theirs");
    let snow = hex::encode(value_of("snow"));
    assert_eq!(value("sakura").await.as_ref(), Some(&snow));
    crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    for words in ["hail", "rain"] {
        assert_eq!(refused(join("sakura", Some(words)).await), Refused::Begun);
    }
    join("sakura", Some("snow")).await.unwrap();
    assert_eq!(value("sakura").await.as_ref(), Some(&snow));
    let values = [(P1, snow.clone()), (P2, hex::encode(value_of("rain")))];
    let welcomes: Vec<_> = parts(&database, "%-0-opening-%").await;
    let welcomes = welcomes.into_iter().filter_map(|part| match part {
        Part::Welcome { values, .. } => Some(values),
        _ => None,
    });
    assert_eq!(welcomes.collect::<Vec<_>>(), [values.clone(), values]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn what_was_sealed_is_shown_by_hashes_when_the_window_is_over() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::tests::support::table(&desk, "toy").await;
    seal(&desk, &code, "kaede", BID, 1).await;
    draft(&desk, &code, "sakura", BID, 1).await;
    assert_eq!(shown(&database, "%").await, [[], []]);
    looks(&desk, &code, 48 * MINUTE).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let first = sealed(&desk, &code, 0).await;
    assert_eq!(first.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [P2]);
    let told = vec![(Some(P2), first[0].1.clone())];
    assert_eq!(shown(&database, "%-1-opening-%").await, [told.clone(), told]);
    for name in ["kaede", "sakura"] {
        seal(&desk, &code, name, "", HOUR + 1).await;
    }
    looks(&desk, &code, HOUR + 1).await;
    let both = sealed(&desk, &code, 1).await;
    let told: Vec<_> = both.into_iter().map(|(seat, hash)| (Some(seat), hash)).collect();
    assert_eq!((told.len(), told[0].0), (2, Some(P1)), "in the order of the seats");
    assert_eq!(shown(&database, "%-2-opening-%").await, [told.clone(), told]);
}

#[tokio::test]
async fn where_it_is_not_told_who_has_sealed_no_hash_has_a_seat() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::tests::support::table(&desk, "toy").await;
    execute(&database, "update tables set settings = '[\"count-only\"]'").await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
    }
    looks(&desk, &code, 15 * MINUTE).await;
    let mut hashes: Vec<_> =
        sealed(&desk, &code, 0).await.into_iter().map(|(_, hash)| (None, hash)).collect();
    hashes.sort();
    assert_eq!(hashes.len(), 2);
    let told = shown(&database, &format!("{code}-1-opening-%")).await;
    assert_eq!(told, [hashes.clone(), hashes]);
}

#[tokio::test]
async fn where_sealings_are_hidden_nothing_tells_how_many_there_were() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for names in [vec!["sakura"], vec!["sakura", "kaede"]] {
        let code = crate::tests::support::table(&desk, "toy-hidden").await;
        for name in &names {
            seal(&desk, &code, name, BID, 1).await;
        }
        looks(&desk, &code, HOUR).await;
        assert_eq!(sealed(&desk, &code, 0).await.len(), names.len());
        let told = shown(&database, &format!("{code}-1-opening-%")).await;
        assert!(told.iter().all(Vec::is_empty), "{told:?}");
    }
}

#[tokio::test]
async fn a_window_that_is_resolved_anew_shows_no_hash_twice() {
    for (announce, sent) in [
        (Announce::AtOnce, true),
        (Announce::AtOnce, false),
        (Announce::After(span(30 * MINUTE)), true),
    ] {
        let later = announce != Announce::AtOnce;
        let table = Table::of("toy", announce).await;
        table.bid(1).await;
        let (first, hashes) = (table.open().await, sealed(&table.desk, &table.code, 0).await);
        if sent {
            table.sent(1).await;
        }
        let other = Judgement::Declare { seat: P1, answers: said("bid.gold=6") };
        table.decide(judge(0, other), 2).await;
        let anew = sealed(&table.desk, &table.code, first + 1).await;
        assert_ne!(anew[0], hashes[0]);
        assert_eq!(anew[1], hashes[1], "what was sealed counts on");
        let new: Vec<_> = anew.into_iter().map(|(seat, hash)| (Some(seat), hash)).collect();
        // A player who has not been shown the first seals is shown them now.
        let new = if sent && !later { new[..1].to_vec() } else { new };
        let open = table.open().await;
        let told = shown(&table.database, &format!("%-{open}-opening-%")).await;
        assert_eq!(told, [new.clone(), new], "{later} {sent}");
        verify(&table.database, &table.desk).await;
    }
}

#[tokio::test]
async fn what_was_not_announced_shows_its_hashes_when_a_decision_about_it_is_undone() {
    let table = Table::announced_later().await;
    table.bid(1).await;
    let hashes = sealed(&table.desk, &table.code, 0).await;
    let other = Judgement::Declare { seat: P1, answers: said("bid.gold=6") };
    table.decide(judge(0, other), 2).await;
    let number = table.newest().await;
    table.decide(crate::model::overrides::Override::Undo { number }, 3).await;
    let told: Vec<_> = hashes.into_iter().map(|(seat, hash)| (Some(seat), hash)).collect();
    assert_eq!(shown(&table.database, "%-1-opening-%").await, [told.clone(), told]);
}

#[tokio::test]
async fn everybody_has_their_own_receipts_and_at_the_end_all_to_compute_them_with() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    let codes = async |name, now| {
        let receipts = own(desk, code, name, now).await;
        receipts.codes()
    };
    assert_eq!(codes("sakura", 0).await, [""; 0]);
    let momiji = see(desk, code, "momiji", 0).await;
    let refusal = refused(crate::receipts(desk, &momiji, &account("momiji"), time(0)).await);
    assert_eq!(refusal, Refused::NotSeated);
    draft(desk, code, "sakura", MOTTO_ONLY, 1).await;
    assert_eq!(codes("sakura", 1).await, [""; 0], "a draft is not sealed");
    table.bid(1).await;
    let first = codes("sakura", 1).await;
    assert_eq!(first.len(), 1);
    assert_ne!(first, codes("kaede", 1).await);
    // A seal made by a game master, or counted in another window, is listed once.
    let other = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    table.decide(judge(0, other), 2).await;
    assert_eq!(codes("sakura", 2).await, first);
    assert_eq!(codes("kaede", 2).await.len(), 2);
    seal(desk, code, "sakura", "act.way=draw", 3).await;
    assert_eq!(codes("sakura", 3).await.len(), 2);
    assert_eq!(own(desk, code, "sakura", 3).await.commands(), "");
    crate::end(desk, code, &account("sakura"), None, None, time(4)).await.unwrap();
    for name in ["sakura", "kaede"] {
        let receipts = own(desk, code, name, 4).await;
        let commands = receipts.commands();
        let claimed = commands.lines().filter_map(|line| line.strip_prefix("# "));
        let claimed: Vec<_> = claimed.map(|line| line.split(" = ").nth(1).unwrap()).collect();
        let computed = run(&commands);
        let computed: Vec<_> = computed.lines().map(|line| &line[..64]).collect();
        assert_eq!((computed.len(), &computed), (2, &claimed), "{commands}");
        for hash in claimed {
            assert!(receipts.codes().iter().any(|known| hash_begins(hash, known)), "{hash}");
        }
    }
}

#[tokio::test]
async fn whoever_stands_in_has_the_receipt_of_what_they_seal() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    seal(desk, code, "sakura", BID, 1).await;
    crate::delegate(desk, code, &account("kaede"), guest("ume"), time(9 * HOUR), time(1))
        .await
        .unwrap();
    let sealed = crate::tests::support::say(
        desk,
        code,
        "ume",
        BID,
        crate::window::declare::DeclarationStatus::Sealed,
        2,
    )
    .await;
    let receipt = sealed.unwrap().receipt.unwrap();
    assert_eq!(own(desk, code, "ume", 2).await.codes(), [receipt.as_str()]);
    assert_eq!(own(desk, code, "kaede", 2).await.codes(), [receipt.as_str()]);
    assert_ne!(own(desk, code, "sakura", 2).await.codes(), [receipt.as_str()]);
}

/// True if a short code is the beginning of a hash.
fn hash_begins(hash: &str, code: &str) -> bool {
    let hash = hex::decode(hash).unwrap().try_into().unwrap();
    rules::receipt::Receipt::from_hash(hash).code() == code
}

/// Returns the output of a shell for these commands.
fn run(commands: &str) -> String {
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", commands]).stderr(Stdio::inherit()).output().unwrap();
    String::from_utf8(shell.stdout).unwrap()
}

#[tokio::test]
async fn a_quote_in_own_words_ends_no_command() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    seal(desk, code, "sakura", "bid.gold=3 bid.motto=it's$(false)`\\%", 1).await;
    crate::end(desk, code, &account("sakura"), None, None, time(2)).await.unwrap();
    let commands = own(desk, code, "sakura", 2).await.commands();
    assert!(commands.contains("it'\\''s"), "{commands}");
    assert!(commands.contains(&run(&commands)[..64]), "{commands}");
}
