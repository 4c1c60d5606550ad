//! The player's own data: their tables, their settings, and their words in the seed.

use super::session::{Result, TerminalSession};
use desk::conversation::{named_chair, names_chair};
use desk::{Mine, Sight};
use letters::SeatRefused;
use tables::PersonSettings;
use tables::ids::Address;
use tables::time::Time;

/// Shows the player's tables, the soonest deadline first, and how reliably they declare.
pub(super) async fn my(session: &TerminalSession, now: Time) -> Result {
    let line = |mine: &Mine| {
        let reader = mine.sight.reader(session.guest.language).in_plain_text();
        mine.sight.line_of_own(&session.letters, &reader, None)
    };
    Ok(session.speaker(now).my(line).await?.written())
}

/// Changes or shows the player's settings for all of their tables: the time zone, and when and how to
/// call them.
pub(super) async fn me(session: &mut TerminalSession, line: &str, now: Time) -> Result {
    let change = |settings: PersonSettings| {
        if line.is_empty() { Ok(settings) } else { settings.read(line) }
    };
    let text = session.speaker(now).me(change).await?.written();
    session.refresh(now).await?;
    Ok(text)
}

/// Shows the tables that the person hosts or is a game master of.
pub(super) async fn dashboard(session: &TerminalSession, now: Time) -> Result {
    let dashboard = desk::dashboard(&session.desk, &session.guest.account, None, now).await?;
    let lang = session.guest.language;
    let reader_of = |sight: &Sight| sight.reader(lang).in_plain_text();
    let (letters, nowhere) = (&session.letters, |_: &Address| None);
    Ok(dashboard.written(letters, reader_of, &session.reader, nowhere, usize::MAX)?)
}

/// Mixes words into the seed for the player's seat, or moves the player to the named chair; without
/// words, shows those mixed in.
pub(super) async fn join(session: &mut TerminalSession, words: &str, now: Time) -> Result {
    let own = session.sight.seated()?;
    if words.is_empty() {
        return Ok(session.sight.mixed_in(&session.letters, &session.reader, None)?);
    }
    let (code, guest) = (session.sight.code.clone(), session.guest.clone());
    if names_chair(words) {
        let chair = named_chair(&session.sight, words)?;
        if chair == own {
            return session.refuse(SeatRefused::OwnChair(own), words);
        }
        desk::conversation::join(&session.desk, &code, guest, (None, Some(chair)), now).await?;
        session.refresh(now).await?;
        return Ok(session.sight.forming(&session.letters, &session.reader)?);
    }
    desk::conversation::join(&session.desk, &code, guest, (Some(words), None), now).await?;
    session.refresh(now).await?;
    Ok(session.sight.mixed_in(&session.letters, &session.reader, Some(words))?)
}
