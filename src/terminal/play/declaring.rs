//! The player's declaration: a draft line by line, a seal, and withdrawals.

use super::session::{Result, TerminalSession};
use desk::commands::{Command, CommandPlace};
use desk::conversation::ConversationError;
use desk::{DeclarationStatus, NotDone};
use letters::{DeclarationRefused, FaultLines, Refused, UnreadLines, UnreadPiece, follow};
use rules::text::{Reading, UnreadReason};
use rules::{Declaration, SealWarning, text, tidy};
use tables::time::Time;

/// Shows the declaration so far, below the unread parts of the input, without a change.
pub(super) fn declared(session: &TerminalSession, unread: &[UnreadPiece], now: Time) -> Result {
    match asks_nothing(session)? {
        Some(refused) => Ok(refused),
        None => echo(session, unread, now),
    }
}

/// Returns the refusal if the player has nothing to declare now; `None` otherwise.
fn asks_nothing(session: &TerminalSession) -> Result<Option<String>> {
    let (play, seat) = session.sight.seated_in_game()?;
    if let Some(shut) = session.shut()? {
        return Ok(Some(shut));
    }
    if !play.asked.contains(&seat) {
        return session.refuse(DeclarationRefused::NotAsked, "").map(Some);
    }
    Ok(None)
}

/// Adds the answers of a line to the draft. A heading on a line of its own, as in the source's template,
/// applies to the following lines. If no part of the line can be parsed, the command `meant` is
/// suggested.
pub(super) async fn declare(
    session: &mut TerminalSession,
    line: &str,
    meant: Option<&str>,
    now: Time,
) -> Result {
    if !line.is_empty() {
        session.sight.refuse_standstill()?;
    }
    let mut reading = read(session, line);
    if reading.lines.is_empty() && reading.is_whole() {
        line.clone_into(&mut session.draft.heading);
    } else if !reading.misread.is_empty() && !session.draft.heading.is_empty() {
        let under = read(session, &format!("{}\n{line}", session.draft.heading));
        if under.misread.len() < reading.misread.len() {
            reading = under;
        } else {
            session.draft.heading.clear();
        }
    }
    let mut unread = UnreadPiece::of(&reading);
    // A line without a letter or digit is not a heading.
    if !line.is_empty() && !line.chars().any(char::is_alphanumeric) && reading.lines.is_empty() {
        let text = line.to_owned();
        let (section, nearest, faults) = (None, Vec::new(), Vec::new());
        unread = vec![UnreadPiece { text, section, why: "unknown", nearest, faults }];
    }
    // A line without answers changes nothing, and a seal stays.
    if reading.lines.is_empty() && reading.declaration == session.draft.declared {
        // A first word that was understood is not a mistyped command.
        let is_strange = reading
            .misread
            .first()
            .is_some_and(|piece| piece.span.start == 0 && piece.why != UnreadReason::NotAsked);
        if let Some(meant) = meant.filter(|_| is_strange) {
            return session.refuse(DeclarationRefused::Mistyped, meant);
        }
        if unread.is_empty() {
            return declared(session, &[], now);
        }
        if let Some(refused) = asks_nothing(session)? {
            return Ok(refused);
        }
        let text = session.write(&UnreadLines { unread: &unread })?;
        return if reading.refused.is_empty() { pointing_to_help(session, text) } else { Ok(text) };
    }
    // The same once more lifts no seal.
    if reading.declaration == session.draft.declared && session.sight.has_sealed() {
        return echo(session, &unread, now);
    }
    keep(session, reading.declaration, now, &unread).await
}

/// Adds a hint at help to the text about an unread line.
pub(super) fn pointing_to_help(session: &TerminalSession, mut text: String) -> Result {
    follow(&mut text, &session.refuse(DeclarationRefused::NotUnderstood, "")?);
    Ok(text)
}

/// Parses a line over the draft.
pub(super) fn read(session: &TerminalSession, line: &str) -> Reading {
    session.sight.read(line, &session.draft.declared)
}

/// Stores a draft, without answers that are no longer asked, and returns its echo, with the plan of the side if it
/// changes.
async fn keep(
    session: &mut TerminalSession,
    mut draft: Declaration,
    now: Time,
    unread: &[UnreadPiece],
) -> Result {
    tidy(&mut draft, &|draft| session.sight.form(draft));
    session.draft.warned = false;
    let before = session.conversation(now).plan_beside(&session.draft.declared).await?;
    let received = session.conversation(now).declare(&draft, DeclarationStatus::Draft).await;
    // A late draft is stored in the session too, as later lines add to it.
    if matches!(
        &received,
        Ok(_)
            | Err(ConversationError::NotDone(NotDone::Refused(Refused::Declaration(
                DeclarationRefused::Late
            ))))
    ) {
        session.draft.declared = draft;
    }
    let received = received?;
    let conversation = session.conversation(now);
    let mut text = conversation.echo_of(&received, unread)?;
    let plan = conversation.plan_beside(&session.draft.declared).await?;
    if plan != before {
        follow(&mut text, &plan);
    }
    Ok(text)
}

/// Returns the declaration for display, below the unread parts of the input.
pub(super) fn echo(session: &TerminalSession, unread: &[UnreadPiece], now: Time) -> Result {
    session.conversation(now).echo(&session.sight.form(&session.draft.declared), unread)
}

/// Seals the draft. A draft with a fault, or an empty one that leaves something to a die or a default, is
/// sealed only by the second command.
pub(super) async fn seal(session: &mut TerminalSession, now: Time) -> Result {
    session.sight.seated_in_game()?;
    session.sight.refuse_standstill()?;
    let interview = session.sight.form(&session.draft.declared);
    if !session.draft.warned
        && let Some(warning) = interview.seal_warning(&session.draft.declared)
    {
        session.draft.warned = true;
        return match warning {
            SealWarning::Faulty => {
                let faults = FaultLines { faults: &interview.faults };
                let faults = session.write(&faults)?;
                Ok(format!("{faults}\n{}", session.refuse(DeclarationRefused::Faulty, "")?))
            }
            SealWarning::Empty => session.refuse(DeclarationRefused::Empty, ""),
        };
    }
    let conversation = session.conversation(now);
    let sealed = DeclarationStatus::Sealed;
    let received = conversation.declare_as_read(&session.draft.declared, interview, sealed).await?;
    let echo = conversation.echo_of(&received, &[])?;
    session.sealed = session.number();
    Ok(echo)
}

/// Replaces the draft by the player's previous declaration.
pub(super) async fn same(session: &mut TerminalSession, now: Time) -> Result {
    if let Some(shut) = session.shut()? {
        return Ok(shut);
    }
    let (again, mut note) = session.conversation(now).same(&session.draft.declared).await?;
    follow(&mut note, &keep(session, again, now, &[]).await?);
    Ok(note)
}

/// Withdraws the whole draft, or one section.
pub(super) async fn withdraw(session: &mut TerminalSession, section: &str, now: Time) -> Result {
    if Command::find(CommandPlace::Terminal, &text::fold(section)) == Some(Command::Next) {
        return Ok(session.conversation(now).withdraw_next().await?.written());
    }
    let (left, mut note) = session.conversation(now).without(&session.draft.declared, section)?;
    follow(&mut note, &keep(session, left, now, &[]).await?);
    Ok(note)
}
