//! A person's own receipts.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;

use crate::model::desk::{Desk, NotDone};
use crate::record::event::Event;
use crate::record::history::History;
use crate::view::see::Sight;
use letters::{LetterFault, Letters, Moment, OwnReceipt, OwnReceipts, Reader, Refused};
use rules::Round;
use rules::receipt::Receipt;
use store::{KeptDeclaration, Session, StoreError, people, read_hex, read_json, traces};
use tables::Stage;
use tables::ids::{AccountId, TableCode, WindowNumber};
use tables::time::Time;

/// A person's own receipts at a table, in order.
#[derive(Debug)]
pub struct Receipts {
    table: TableCode,
    all: Vec<Own>,
    /// True if the table is over, so that the seals are no secret any more.
    over: bool,
}

/// A person's own receipt.
pub(crate) struct Own {
    /// The root window, counted from 0, which is the deal; `None` if the window was rewound.
    window: Option<Round>,
    /// True if the window belonged to a root window that was being resolved.
    suspended: bool,
    /// The time when the window closed; `None` if it has not, or never did.
    closed: Option<Time>,
    /// The deadline of the window, if it is open.
    closes: Option<Time>,
    receipt: Receipt,
    /// The text that the receipt is the hash of.
    text: String,
}

impl std::fmt::Debug for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A declaration must not reach a log.
        f.debug_struct("Own").field("receipt", &self.receipt).finish_non_exhaustive()
    }
}

/// Returns the receipts of the person's seals at a table, for themselves.
/// Refused if they do not sit there and never did.
pub async fn receipts(
    desk: &Desk,
    sight: &Sight,
    account: &AccountId,
    now: Time,
) -> Result<Receipts, NotDone> {
    let mut session = desk.store.read().await?;
    let person = people::person(&mut session, account).await?;
    let mut stored = match &person {
        Some(person) => traces::kept_declarations(&mut session, person).await?,
        None => Vec::new(),
    };
    // A substitute declares in the open window, and has no value of their own.
    let stands_in = sight.seat.filter(|_| sight.value.is_none());
    if let (Some(seat), Some(play)) = (stands_in, &sight.play) {
        stored
            .extend(traces::kept_declaration(&mut session, &sight.code, play.number, seat).await?);
    }
    let last = sight.play.as_ref().map(|play| play.number);
    stored.retain(|row| row.code == sight.code && row.sealed.0 && Some(row.number) <= last);
    if stored.is_empty() && sight.seat.is_none() {
        return Err(Refused::NotSeated.into());
    }
    let windows = windows(&mut session, &sight.code).await?;
    let (mut all, mut known) = (Vec::new(), BTreeSet::new());
    for row in stored {
        let Some((number, receipt, text)) = bound(&mut session, &row).await? else { continue };
        // A declaration that is taken over into another window has one receipt only.
        if known.insert(*receipt.hash()) {
            all.push(own(&mut session, sight, &windows, number, (receipt, text), now).await?);
        }
    }
    let over = sight.stage == Stage::Over;
    Ok(Receipts { table: sight.code.clone(), all, over })
}

/// Reads the root window of each closed window, with true if the window belonged to a root window that was
/// being resolved.
pub(crate) async fn windows(
    session: &mut Session,
    code: &TableCode,
) -> Result<BTreeMap<WindowNumber, (Round, bool)>, StoreError> {
    let mut windows = BTreeMap::new();
    let history = History::load(session, code).await?;
    for (number, round) in history.events().filter_map(Event::closed_window) {
        let root = session.window(code, number).await?.map(|row| row.root);
        // A deal that asks anybody is a root window that is being resolved.
        windows.insert(number, (round, root != Some(number) || round == Round::DEAL));
    }
    Ok(windows)
}

/// `None` if the declaration has no receipt; otherwise the window in which it was sealed, its receipt, and
/// the text that the receipt is the hash of. A seal of one window may count in another.
pub(crate) async fn bound(
    session: &mut Session,
    row: &KeptDeclaration,
) -> Result<Option<(WindowNumber, Receipt, String)>, StoreError> {
    let (Some(salt), Some(hash)) = (&row.salt, &row.hash) else { return Ok(None) };
    let (salt, hash) = (read_hex(salt)?, read_hex(hash)?);
    let seat = row.seat;
    let declaration = read_json(&row.answers)?;
    for number in session.again(&row.code, row.number).await? {
        let window = number.get();
        let receipt = Receipt::of(row.code.as_str(), window, seat, &salt, &declaration);
        if *receipt.hash() == hash {
            let text = Receipt::text(row.code.as_str(), window, seat, &salt, &declaration);
            return Ok(Some((number, receipt, text)));
        }
    }
    Ok(None)
}

pub(crate) async fn own(
    session: &mut Session,
    sight: &Sight,
    windows: &BTreeMap<WindowNumber, (Round, bool)>,
    number: WindowNumber,
    (receipt, text): (Receipt, String),
    now: Time,
) -> Result<Own, StoreError> {
    let open = sight.play.as_ref().filter(|play| play.number == number);
    let open = open.filter(|play| sight.stage == Stage::Playing && now < play.timing.closes);
    if let Some(play) = open {
        return Ok(Own {
            window: Some(play.contest.round()),
            suspended: play.contest.is_suspended(),
            closed: play.shut.map(|shut| shut.closed),
            closes: play.shut.is_none().then_some(play.timing.closes),
            receipt,
            text,
        });
    }
    let (window, suspended) = windows.get(&number).copied().unzip();
    let closed = session.closed(&sight.code, number).await?.map(|(at, _)| at);
    let suspended = suspended.unwrap_or_default();
    Ok(Own { window, suspended, closed, closes: None, receipt, text })
}

impl Receipts {
    /// Returns the short codes of the receipts.
    pub fn codes(&self) -> Vec<String> {
        self.all.iter().map(|own| own.receipt.code()).collect()
    }

    /// Writes the receipts.
    pub fn written(
        &self,
        letters: &Letters,
        reader: &Reader,
        zone: Tz,
    ) -> Result<String, LetterFault> {
        let shown = |own: &Own| OwnReceipt {
            window: own.window,
            suspended: own.suspended,
            closed: own.closed.map(|at| Moment::at(at, zone)),
            closes: own.closes.map(|at| Moment::at(at, zone)),
            code: own.receipt.code(),
            hash: hex::encode(own.receipt.hash()),
        };
        let shown: Vec<OwnReceipt> = self.all.iter().map(shown).collect();
        let (code, receipts, over) = (&self.table, &shown[..], self.over);
        letters.write(reader, &OwnReceipts { code, receipts, over })
    }

    /// Returns the shell commands that compute each receipt again; empty before the table is over.
    pub fn commands(&self) -> String {
        if !self.over {
            return String::new();
        }
        let command = |own: &Own| {
            let text = own.text.replace('\'', r"'\''");
            let (code, hash) = (own.receipt.code(), hex::encode(own.receipt.hash()));
            format!("# {code} = {hash}\nprintf %s '{text}' | sha256sum\n")
        };
        self.all.iter().map(command).collect::<Vec<_>>().join("\n")
    }
}
