//! A game master's decisions: choices, dry runs, and confirmations.

use super::remembered::Pending;
use super::session::{Result, TerminalSession};
use crate::misuse::LONGEST_NAME;
use crate::{mail, misuse};
use desk::{
    ConfirmingDecision, Contact, Decision, DecisionFault, Gm, GmView, OverrideReply,
    OverrideRequest, Remark, log_of_decisions,
};
use letters::{AppointedGm, Deciding, DroppedDecision, MadeDecision, PutToTheVote, Reader, follow};
use rules::text::Completion;
use tables::Notified;
use tables::ids::AccountId;
use tables::time::Time;

fn gm(session: &TerminalSession) -> Gm {
    Gm { account: session.guest.account.clone(), roles: Vec::new() }
}

/// Loads the table with a game master's view.
pub(super) async fn look_as_gm(session: &mut TerminalSession, now: Time) -> Result<&GmView> {
    let gm_view = desk::gm_view(&session.desk, &session.sight.code, &gm(session), now).await?;
    Ok(session.gm_view.insert(GmView { lang: session.reader.lang, ..gm_view }))
}

/// Answers the input after `gm`.
pub(super) async fn decide(session: &mut TerminalSession, input: &str, now: Time) -> Result {
    let reply = OverrideReply::read(input);
    if let Some((OverrideReply::Log, "")) = reply {
        return decided(session).await;
    }
    if let Some((reply @ (OverrideReply::Appoint | OverrideReply::Dismiss), name)) = reply {
        session.pending = None;
        return appoint(session, name, reply == OverrideReply::Appoint, now).await;
    }
    if let Some((OverrideReply::No, "")) = reply {
        return match session.pending.take() {
            Some(_) => Ok(session.write(&DroppedDecision {})?),
            None => misread(session, &DecisionFault::Nothing),
        };
    }
    look_as_gm(session, now).await?;
    // Commands that only show something leave the pending decision in place.
    let looks = input.is_empty()
        || matches!(
            reply,
            Some((OverrideReply::Show | OverrideReply::Preview | OverrideReply::Help, ""))
        );
    if !looks && !matches!(reply, Some((OverrideReply::Yes | OverrideReply::Quietly, _))) {
        session.pending = None;
    }
    match reply {
        Some((OverrideReply::Yes, reason)) => make(session, Notified::Public, reason, now).await,
        Some((OverrideReply::Quietly, reason)) => {
            make(session, Notified::Private, reason, now).await
        }
        Some((OverrideReply::Show, "")) => bench_shown(session),
        Some((OverrideReply::Preview, "")) => result_previewed(session),
        Some((OverrideReply::Help, "")) => Ok(session.write(&Deciding {})?),
        _ if input.is_empty() => Ok(session.write(&Deciding {})?),
        _ => rehearse(session, input, now).await,
    }
}

/// Shows the dry run of a decision.
async fn rehearse(session: &mut TerminalSession, input: &str, now: Time) -> Result {
    let Some(gm_view) = &session.gm_view else { return Ok(String::new()) };
    let wish = match OverrideRequest::read(input, gm_view, now) {
        Ok(wish) => wish,
        Err(fault) => return misread(session, &fault),
    };
    let OverrideRequest { what, guest } = wish;
    let guest = guest.map(|name| known(session, &name));
    let (code, gm) = (&session.sight.code, gm(session));
    let rehearsal =
        desk::rehearse(&session.desk, code, &gm, what.clone(), guest.clone(), now).await?;
    // The audit log is read by others too, so its times are in the table's zone.
    let shown = rehearsal.changes(&what, &session.letters)?;
    let rehearsal = rehearsal.in_zone(session.zone());
    let (lang, year) = (session.reader.lang, session.reader.year);
    let plain = |reader: Reader| reader.in_plain_text().in_the_year(year);
    let mut text = rehearsal.words(&what, "", &session.letters, lang, plain)?;
    let confirming = ConfirmingDecision { audience: &rehearsal.audience };
    follow(&mut text, &session.write(&confirming)?);
    let is_final = rehearsal.remarks.contains(&Remark::Final);
    let foundation = Some(rehearsal.foundation);
    let decision = Decision { guest, foundation, shown, ..what.into() };
    session.pending = Some(Pending { decision, is_final, is_made: false });
    Ok(text)
}

/// Makes the pending decision.
async fn make(
    session: &mut TerminalSession,
    notified: Notified,
    reason: &str,
    now: Time,
) -> Result {
    let pending = session.pending.as_ref().filter(|pending| !pending.is_made || !reason.is_empty());
    let Some(Pending { decision, is_final, .. }) = pending else {
        return misread(session, &DecisionFault::Nothing);
    };
    let shown = decision.what.shown(reason, session.zone());
    let decision = Decision { reason: reason.to_owned(), notified, ..decision.clone() };
    let made =
        desk::decide(&session.desk, &session.sight.code, &gm(session), decision, now).await?;
    if made.vote {
        return Ok(session.write(&PutToTheVote {})?);
    }
    let (number, before) = (made.number.from_one(), made.before);
    let text =
        session.write(&MadeDecision { number, before, is_final: *is_final, decision: &shown })?;
    if let Some(pending) = &mut session.pending {
        pending.is_made = true;
    }
    Ok(text)
}

/// Lets a person make decisions, or revokes that.
async fn appoint(session: &TerminalSession, name: &str, may: bool, now: Time) -> Result {
    if let Some(text) = no_name(session, name)? {
        return Ok(text);
    }
    let (code, host, who) =
        (&session.sight.code, &session.guest.account, known(session, name).account);
    desk::appoint(&session.desk, code, host, who.as_str(), may, now).await?;
    Ok(session.write(&AppointedGm { who: name, may })?)
}

/// Returns the guest of a name at a terminal.
pub(super) fn known(session: &TerminalSession, name: &str) -> Contact {
    mail::guest(name, session.guest.language)
}

/// Returns the fault of a name that nobody can have; `None` if the name is valid.
pub(super) fn no_name(session: &TerminalSession, name: &str) -> Result<Option<String>> {
    if misuse::name(name, true).is_ok() {
        return Ok(None);
    }
    let quoted = name.chars().take(LONGEST_NAME).collect();
    misread(session, &DecisionFault::NoName { said: quoted, longest: LONGEST_NAME }).map(Some)
}

fn misread(session: &TerminalSession, fault: &DecisionFault) -> Result {
    Ok(fault.words(&session.letters, &session.reader)?)
}

/// Returns the log of the table's decisions.
async fn decided(session: &TerminalSession) -> Result {
    let logged = desk::overrides(&session.desk, &session.sight.code, &gm(session)).await?;
    let name = |account: &AccountId| mail::name(account.as_str()).to_owned();
    Ok(log_of_decisions(&logged, &session.letters, &session.reader, session.zone(), name)?)
}

/// Returns the progress of the seals, with their content if the game master may see it.
fn bench_shown(session: &TerminalSession) -> Result {
    match &session.gm_view {
        Some(gm_view) => Ok(gm_view.words(&session.letters, &session.reader)?),
        None => Ok(session.sight.position(&session.letters, &session.reader, false)?),
    }
}

/// Returns the preview of the window's result.
fn result_previewed(session: &TerminalSession) -> Result {
    let Some(gm_view) = &session.gm_view else { return Ok(String::new()) };
    Ok(gm_view.preview_words(&session.letters, &session.reader)?)
}

/// Returns the completions of a decision, after its command.
pub(super) fn complete_decision(
    session: &TerminalSession,
    line: &str,
    input: &str,
) -> Vec<Completion> {
    let Some(gm_view) = &session.gm_view else { return Vec::new() };
    let offset = line.len() - input.len();
    let found = desk::complete_decision(input, gm_view, session.reader.lang).into_iter();
    found.map(|next| Completion { start: next.start + offset, ..next }).collect()
}
