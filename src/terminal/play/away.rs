//! Absences, returns, substitutes, and the absence policy of a table.

use chrono_tz::Tz;

use super::gm;
use super::session::{Result, TerminalSession};
use crate::mail;
use desk::TableChange;
use letters::Moment;
use tables::Absence;
use tables::absence::{Period, PeriodFault, says_none};
use tables::time::Time;

/// Declares an absence to all of the player's tables, or shows the declared ones.
pub(super) async fn away(session: &TerminalSession, text: &str, now: Time) -> Result {
    let zone = session.zone();
    let period = (!text.is_empty()).then(|| Period::read(text, zone, now));
    Ok(session.speaker(now).away(period, zone).await?.written())
}

/// Names a substitute until a time, dismisses the substitute, or shows the present one.
pub(super) async fn substitute(session: &TerminalSession, input: &str, now: Time) -> Result {
    session.sight.seated()?;
    let (code, account) = (&session.sight.code, &session.guest.account);
    // A dismissal ignores any time.
    let is_nobody = |(name, _): (&str, Time)| says_none(name);
    if says_none(input) || named_until(input, session.zone(), now).is_ok_and(is_nobody) {
        desk::dismiss_substitute(&session.desk, code, account, now).await?;
    } else if !input.is_empty() {
        let (name, until) = match named_until(input, session.zone(), now) {
            Ok(named) => named,
            Err(fault) => return Ok(session.letters.period_fault(&session.reader, &fault)?),
        };
        if let Some(text) = gm::no_name(session, name)? {
            return Ok(text);
        }
        desk::delegate(&session.desk, code, account, gm::known(session, name), until, now).await?;
    }
    let substitute = session.conversation(now).substitute().await?;
    let stands_in = substitute.as_ref().map(|(address, until)| {
        let name = mail::name(address.as_str());
        (name, Moment::end_at(*until, session.zone()))
    });
    Ok(session.letters.standing_in(&session.reader, stands_in)?)
}

/// Sets the absence policy for the host, or shows it.
pub(super) async fn absence(session: &mut TerminalSession, line: &str, now: Time) -> Result {
    if !line.is_empty() {
        match Absence::read(line, &session.sight.supposed_absence()) {
            Ok(absence) => {
                let (code, account) = (&session.sight.code, &session.guest.account);
                desk::change_table(
                    &session.desk,
                    code,
                    account,
                    TableChange::Absence(absence),
                    now,
                )
                .await?;
                session.refresh(now).await?;
            }
            Err(fault) => return Ok(session.letters.absence_fault(&session.reader, &fault)?),
        }
    }
    Ok(session.letters.absence(&session.reader, &session.sight.absence)?)
}

/// Parses a name, which may contain spaces, followed by a time.
fn named_until(input: &str, zone: Tz, now: Time) -> Result<(&str, Time), PeriodFault> {
    let mut fault = PeriodFault::NoEnd;
    for (at, _) in input.match_indices(char::is_whitespace) {
        let (name, until) = (input[..at].trim_end(), input[at..].trim_start());
        match Period::read(until, zone, now) {
            Ok(period) => return Ok((name, period.until)),
            Err(no_time) => fault = no_time,
        }
    }
    Err(fault)
}
