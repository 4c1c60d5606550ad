//! What a game master decides.
//!
//! An override is rehearsed before it is made: the very work that would be done is done and undone
//! again, and what would be different then is shown. It has a reason, an entry in the log and one in
//! the journal, and can itself be undone as long as nothing else has followed from it. Nothing that
//! was is ever changed: a window that is asked or resolved again is a window of its own.

pub(in crate::desk) mod bench;
pub(in crate::desk) mod calls;
pub(in crate::desk) mod deciding;
pub(in crate::desk) mod decision;
pub(in crate::desk) mod edit;
pub(in crate::desk) mod history;
pub(in crate::desk) mod host;
pub(in crate::desk) mod image;
pub(in crate::desk) mod judge;
pub(in crate::desk) mod log;
pub(in crate::desk) mod propose;
pub(in crate::desk) mod read;
pub(in crate::desk) mod rehearsing;
pub(in crate::desk) mod seats;
pub(in crate::desk) mod settings;
pub(in crate::desk) mod show;
pub(in crate::desk) mod spent;
pub(in crate::desk) mod taking_back;
pub(in crate::desk) mod telling;
pub(in crate::desk) mod vote;
pub(in crate::desk) mod windows;

use crate::desk::model::desk::{Desk, NotDone};
use crate::desk::model::draw;
use crate::desk::model::overrides::{Gm, Override};
use crate::desk::model::people::Guest;
use crate::desk::overrides::deciding::Deciding;
use crate::desk::overrides::decision::{Decision, Made, Rehearsal};
use crate::desk::overrides::rehearsing::Rehearsing;
use crate::ids::TableCode;
use crate::letters::OverrideRefused;
use crate::time::Time;

impl Desk {
    /// Shows what an override would make of a table. Nothing is changed.
    pub async fn rehearse(
        &self,
        code: &TableCode,
        gm: &Gm,
        what: Override,
        guest: Option<Guest>,
        now: Time,
    ) -> Result<Rehearsal, NotDone> {
        let decision = Decision { guest, ..what.into() };
        self.carry_out(Rehearsing(self.deciding(code, gm, decision, now))).await
    }

    /// Makes an override.
    /// Refused if it is no game master of the table who asks, no reason is given, it cannot be made
    /// now, or the table is not any more as it was when it was rehearsed.
    pub async fn decide(
        &self,
        code: &TableCode,
        gm: &Gm,
        decision: Decision,
        now: Time,
    ) -> Result<Made, NotDone> {
        if decision.reason.trim().is_empty() {
            return Err(OverrideRefused::NoReason.into());
        }
        self.carry_out(self.deciding(code, gm, decision, now)).await
    }

    fn deciding(&self, code: &TableCode, gm: &Gm, decision: Decision, now: Time) -> Deciding {
        let drawn = [draw::person(), draw::person()];
        Deciding { drawn, ..Deciding::new(self.games, code.to_owned(), gm.clone(), decision, now) }
    }
}
