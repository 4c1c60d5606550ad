//! The verification of a table that is over.

use std::collections::BTreeMap;

use serde_json::json;

use crate::audit::replay::{Replay, broken, replay, replay_within};
use crate::model::{Desk, NotDone, Written, announced_stage, refuse_if};
use letters::{Letters, PlayedAgain, Reader, Refused, TouchedWindow};
use rules::receipt::Head;
use store::{Result, StoreError, windows};
use tables::ids::or_before_first;
use tables::{EntryNumber, Stage, TableCode, Time, WindowNumber};

/// Replays a table that is over, without changing anything.
/// Refused if the table does not exist, its end has not been announced, or this program does not know its
/// rules.
pub async fn verify(desk: &Desk, code: &TableCode, now: Time) -> Result<Replay, NotDone> {
    let mut db = desk.store.read().await?;
    let table = db.table(code).await?.ok_or(Refused::NoTable)?;
    let open = windows::window(&mut db, code, table.open_window).await?;
    refuse_if(announced_stage(&table, open.as_ref(), now) != Stage::Over, Refused::NotOver)?;
    replay_within(&mut db, desk.games, code).await
}

impl Replay {
    /// True if the replay agrees with the journal, and the journal has the posted heads.
    pub fn holds(&self, heads: &[Head]) -> bool {
        self.is_sound() && self.heads.hold(heads).iter().all(|head| head.found && !head.followed)
    }

    /// Writes the result of the replay, and the verdict on the heads, in words.
    pub fn written(
        &self,
        letters: &Letters,
        reader: &Reader,
        code: &TableCode,
        heads: &[Head],
    ) -> Written {
        letters.write(
            reader,
            &PlayedAgain {
                code,
                closed: self.windows.len(),
                dice: self.dice.len(),
                dice_untold: self.dice_untold,
                other_policies: self.other_policies,
                unnamed: self.unnamed,
                broken: self.broken,
                difference: json!(self.differences.first()),
                touched: self.touched_windows(),
                commitment: &self.commitment,
                name: &self.name,
                values: self.values.clone(),
                heads: self.heads.hold(heads),
                over: self.is_over,
            },
        )
    }

    /// Returns the numbers of decisions by the root window that they touched, in order.
    fn touched_windows(&self) -> Vec<TouchedWindow> {
        let mut numbers: BTreeMap<Option<WindowNumber>, Vec<u32>> = BTreeMap::new();
        for (decision, number, _) in &self.touched {
            numbers.entry(*number).or_default().push(decision.from_one());
        }
        let mut touched: Vec<TouchedWindow> = Vec::new();
        for (number, decisions) in numbers {
            let closed = |number| self.windows.iter().find(|window| window.number == number);
            let window = match number {
                Some(number) => closed(number).map(|of| of.window.get().into()),
                None => Some(or_before_first::BEFORE_FIRST),
            };
            match touched.last_mut().filter(|last| last.window == window) {
                Some(last) => last.decisions.extend(decisions),
                None => touched.push(TouchedWindow { window, decisions }),
            }
        }
        touched
    }
}

/// The result of the inspection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspected {
    pub tables: usize,
    /// The number of tables whose rules this program does not know, so that only the hashes of their journals
    /// were checked.
    pub by_hash_alone: usize,
    /// The tables that contradict their journals.
    pub faulty: Vec<TableCode>,
}

/// Checks every table against its journal: the hashes of the entries and the replay. Nothing is changed.
pub async fn inspect(desk: &Desk) -> Result<Inspected> {
    let mut inspected = Inspected::default();
    let codes = store::tables::codes(&mut desk.store.read().await?).await?;
    for code in codes {
        inspected.tables += 1;
        let is_sound = match replay(desk, &code).await {
            Ok(replay) => replay.is_sound(),
            Err(NotDone::Refused(Refused::OtherEdition)) => {
                inspected.by_hash_alone += 1;
                is_chained(desk, &code).await?
            }
            Err(NotDone::Store(error @ StoreError::Unreachable(_))) => return Err(error),
            Err(_) => false,
        };
        if !is_sound {
            inspected.faulty.push(code);
        }
    }
    Ok(inspected)
}

/// True if the hash of each entry of a table's journal follows from the entries before.
async fn is_chained(desk: &Desk, code: &TableCode) -> Result<bool> {
    let mut db = desk.store.read().await?;
    let Some(table) = db.table(code).await? else { return Ok(false) };
    let rows = store::tables::journal(&mut db, code, EntryNumber::FIRST).await?;
    Ok(broken(&table, &rows).is_none())
}
