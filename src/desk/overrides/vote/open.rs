//! The opening of votes.

use crate::model::desk::NotDone;
use crate::model::overrides::Override;
use crate::model::vote::{Vote, about};
use crate::overrides::verbs;
use crate::overrides::vote::tell;
use letters::VoteRefused;
use store::{StoreError, Touched, VoteRow, WindowRow, read_json, votes, write_json};
use tables::ids::{PersonId, VoteNumber};
use tables::time::{Span, Time};

/// The maximum time of an open vote.
const LONGEST: Span = Span::days(1);

/// A vote to be opened.
pub(crate) struct ProposeVote<'a> {
    /// The proposer.
    pub(crate) person: &'a PersonId,
    pub(crate) what: Override,
    pub(crate) reason: &'a str,
    /// True if one vote besides the proposer's is enough.
    pub(crate) second: bool,
    pub(crate) now: Time,
}

impl ProposeVote<'_> {
    /// Opens the vote, if it could be carried out now. True if the same person had opened it before.
    pub(crate) async fn open(
        self,
        touched: &mut Touched<'_>,
        window: &WindowRow,
    ) -> Result<(VoteRow, bool), NotDone> {
        let Self { person, what, reason, second, now } = self;
        let seats = touched.seats().await?;
        let votes = votes::all_at(touched).await?;
        for row in votes.iter().filter(|row| row.ended.is_none()) {
            let open: Override = read_json(&row.what)?;
            if open.verb() != what.verb() {
                continue;
            }
            if row.person != *person || open != what || !second {
                return Err(VoteRefused::VoteOpen.into());
            }
            return Ok((row.clone(), true));
        }
        verbs::check(touched, window, &what, now).await?;
        let about = about(&what).and_then(|seat| seats.iter().find(|row| row.seat == seat));
        let row = VoteRow {
            number: votes.last().map_or(VoteNumber::FIRST, |row| row.number.next()),
            opened_at: now,
            closes_at: closes(touched, window, &what, now),
            opened_in: window.number,
            what: write_json(&what)?,
            person: person.to_owned(),
            about: about.and_then(|row| row.person.clone()),
            reason: reason.to_owned(),
            second,
            ended: None,
        };
        votes::open_vote(touched, &row).await?;
        votes::keep_voice(touched, row.number, person, true).await?;
        Ok((row, false))
    }
}

/// Notifies everybody of the open vote.
pub(crate) async fn tell_open(
    touched: &mut Touched<'_>,
    row: &VoteRow,
    vote: &Vote,
) -> Result<(), StoreError> {
    tell(touched, format!("vote-{}", row.number), vote, row.opened_at).await
}

/// Returns the end of a vote: after a day, at the deadline, or at the end of the pause, whichever is first.
fn closes(touched: &Touched<'_>, window: &WindowRow, what: &Override, now: Time) -> Time {
    let mut closes = now + LONGEST;
    if touched.table.held.is_none() {
        closes = closes.min(window.closes_at);
    }
    match what {
        Override::Pause { until } | Override::Extend { closes: until } => closes.min(*until),
        Override::Resume => touched.table.look_at.map_or(closes, |until| closes.min(until)),
        _ => closes,
    }
}
