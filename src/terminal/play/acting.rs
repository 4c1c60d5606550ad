//! Immediate acts, which everybody sees.

use super::declaring;
use super::remembered::ActsShown;
use super::session::{Result, TerminalSession};
use desk::conversation::{NextStep, SaidAct};
use letters::{DeclarationRefused, FaultLines, UnreadPiece};
use rules::Declaration;
use tables::time::Time;

/// True if only immediate acts are possible in the open window.
pub(super) fn only_acts(session: &TerminalSession) -> bool {
    session.sight.form(&Declaration::default()).asked.is_empty() && can_act(session)
}

/// True if the player has a possible immediate act.
pub(super) fn can_act(session: &TerminalSession) -> bool {
    session.sight.acting(&Declaration::default()).is_asking()
}

/// Returns the possible acts, below the unread parts of the input.
pub(super) fn acts(session: &TerminalSession, unread: &[UnreadPiece]) -> Result {
    let found = session.sight.acting(&Declaration::default());
    let examples = session.sight.acts(session.reader.lang);
    Ok(session.letters.acts(&session.reader, &found, unread, &examples)?)
}

/// Carries out the act of a line, or shows the possible acts. If no part of the line can be parsed, the
/// command `meant` is suggested.
pub(super) async fn act(
    session: &mut TerminalSession,
    line: &str,
    meant: Option<&str>,
    now: Time,
) -> Result {
    session.sight.seated()?;
    session.sight.playing()?;
    if let Some(shut) = session.shut()? {
        return Ok(shut);
    }
    if !line.is_empty() {
        session.sight.refuse_standstill()?;
    }
    let SaidAct { declared, found, unread, is_named } = session.conversation(now).read_act(line);
    if !found.faults.is_empty() {
        return Ok(session.write(&FaultLines { faults: &found.faults })?);
    }
    let is_open = !found.is_all_said();
    if let Some(meant) = meant.filter(|_| declared.is_empty() && !unread.is_empty()) {
        return session.refuse(DeclarationRefused::Mistyped, meant);
    }
    if declared.is_empty() && !unread.is_empty() {
        return declaring::pointing_to_help(session, acts(session, &unread)?);
    }
    if declared.is_empty() || !(is_open || unread.is_empty()) {
        return acts(session, &unread);
    }
    if is_open {
        session.asked_about = Some(NextStep::Act { declared });
        return Ok(session.letters.acts(&session.reader, &found, &unread, &[])?);
    }
    if let Some(asked) = session.conversation(now).ask_before(&declared, is_named)? {
        session.asked_about = Some(NextStep::Act { declared });
        return Ok(asked);
    }
    do_act(session, &declared, now).await
}

/// Carries out an act, and returns the news.
pub(super) async fn do_act(
    session: &mut TerminalSession,
    declared: &Declaration,
    now: Time,
) -> Result {
    session.conversation(now).act(declared, None).await?;
    session.refresh(now).await?;
    acted(session, now).await
}

/// Returns the acts of all players since the last news.
pub(super) async fn acted(session: &mut TerminalSession, now: Time) -> Result {
    if session.acts_shown.is_of(session.number())
        && session.acts_shown.acts == ActsShown::all(&session.sight).acts
    {
        return Ok(String::new());
    }
    let ActsShown { window, acts: behind, .. } = session.acts_shown;
    let (acts, count) = desk::acts(&session.desk, &session.sight, window, behind).await?;
    session.acts_shown.acts = count;
    if acts.is_empty() {
        return Ok(String::new());
    }
    session.acts_shown.at = now;
    let report = session.sight.playing()?.contest.report(session.sight.viewer());
    Ok(session.letters.acted(&session.reader, &acts, &report)?)
}
