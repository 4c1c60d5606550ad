//! What a game master sees of the open window: who has sealed, and what only where they are no blind
//! ones.

use super::{BLIND, Gm, Seat, Sight, see};
use crate::desk::{Desk, NotDone, by_seat};
use crate::letters::{LetterFault, Letters, Reader, Refused, SealedText, SeatProgress, Watched};
use crate::rules::text::{self, Lang};
use crate::rules::window::Progress;
use crate::rules::{BySeat, Declaration};
use crate::store::{Session, StoreError, TableRow};

/// The open window, as a game master sees it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Watch {
    /// The table as they see it.
    pub sight: Sight,
    /// How far each seat is.
    pub progress: BySeat<Progress>,
    /// What is sealed, where they see it.
    sealed: Vec<(Seat, Declaration)>,
}

/// Whether somebody decides at a table.
pub(super) async fn may_decide(
    session: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Result<bool, StoreError> {
    let masters = session.game_masters(&table.code).await?;
    let is_named = |who: &String| *who == gm.account || gm.roles.contains(who);
    let person = session.person(&gm.account).await?;
    Ok(person.as_ref() == Some(&table.host) || masters.iter().any(is_named))
}

impl Desk {
    /// Refuses whoever is no game master of a table.
    ///
    /// # Errors
    /// If they are none, or there is no such table.
    pub async fn admit(&self, code: &str, gm: &Gm) -> Result<(), NotDone> {
        let mut session = self.store.read().await?;
        let table = session.table(code).await?.ok_or(Refused::NoTable)?;
        let may = may_decide(&mut session, &table, gm).await?;
        if may { Ok(()) } else { Err(Refused::NotGm.into()) }
    }

    /// Shows a game master how far everybody is.
    ///
    /// # Errors
    /// If it is no game master of the table who asks, or no window is open.
    pub async fn watch(&self, code: &str, gm: &Gm, now: i64) -> Result<Watch, NotDone> {
        self.admit(code, gm).await?;
        let mut session = self.store.read().await?;
        let table = session.table(code).await?.ok_or(Refused::NoTable)?;
        let sight = see::sight(&mut session, self.games, code, &gm.account, now).await?;
        let number = sight.play.as_ref().ok_or(Refused::NotBegun)?.number;
        let window = session.window(code, number).await?.ok_or(Refused::NotBegun)?;
        let filings = session.filings(code, number).await?;
        let progress = by_seat(table.chairs, |seat| see::progress(&window, &filings, seat));
        let mut sealed = Vec::new();
        for filing in filings.iter().filter(|row| row.sealed != 0 && table.oversight != BLIND) {
            let own = session.own_declaration(code, number, filing.seat).await?;
            sealed.extend(own.map(|own| (filing.seat, own.answers)));
        }
        sealed.sort_by_key(|(seat, _)| *seat);
        Ok(Watch { sight, progress, sealed })
    }
}

impl Watch {
    /// In words.
    ///
    /// # Errors
    /// If a template is faulty.
    pub fn words(&self, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        let seats =
            self.progress.iter().map(|(seat, progress)| SeatProgress { seat, progress: *progress });
        let closes = self.sight.play.as_ref().and_then(|play| self.sight.standing(play).closes);
        let watched = Watched {
            seats: seats.collect(),
            closes,
            open: self.sight.is_open,
            sealed: self.texts(reader.lang),
        };
        letters.watched(reader, &watched)
    }

    fn texts(&self, lang: Lang) -> Vec<SealedText> {
        let Some(play) = &self.sight.play else { return Vec::new() };
        let words = self.sight.words();
        let written = |(seat, said): &(Seat, Declaration)| SealedText {
            seat: *seat,
            text: text::write(said, &play.contest.interview(*seat, said), &words, lang),
        };
        self.sealed.iter().map(written).collect()
    }
}
