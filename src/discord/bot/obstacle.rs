//! What keeps letters from arriving on Discord, and what to do about it.

use std::time::Duration;

use crate::address::Destination;
use crate::api::{Refusal, SendError};
use crate::bot::permissions::PERMISSIONS;
use desk::Obstacle;
use desk::courier::{RetryWhen, Undelivered};
use letters::discord::ObstacleText;
use letters::{AboutTable, LetterFault, Letters, Reader};
use tables::ids::{Address, TableCode};

/// How long it is until what a person must mend is tried again.
const MENDING: Duration = Duration::from_mins(10);

/// What has been deleted.
const GONE: &str = "gone";
/// What the bot may not see, or not write in.
const FORBIDDEN: &str = "forbidden";
/// A thread that is locked.
const LOCKED: &str = "locked";
/// Somebody who takes no letters, and cannot be called anywhere else.
const CLOSED: &str = "closed";
/// Anything else that Discord refuses.
const REFUSED: &str = "refused";

/// Why a letter did not arrive at an address.
pub(crate) fn undelivered(unsent: &SendError, at: &Address) -> Undelivered {
    if let SendError::Later { after } = unsent {
        return Undelivered::Later(*after);
    }
    let Some(refusal) = unsent.refusal() else {
        return Undelivered::Failed(unsent.to_string());
    };
    let (why, again) = match refusal {
        Refusal::DirectMessagesTooFast => return Undelivered::Later(MENDING),
        Refusal::UnknownChannel => match Destination::parse(at) {
            Some(Destination::Channel(_)) => (GONE, RetryWhen::Elsewhere),
            _ => (GONE, RetryWhen::Never),
        },
        Refusal::CannotSendToUser => (CLOSED, RetryWhen::Never),
        Refusal::MissingAccess | Refusal::MissingPermissions => {
            (FORBIDDEN, RetryWhen::After(MENDING))
        }
        Refusal::Locked | Refusal::Archived => (LOCKED, RetryWhen::After(MENDING)),
        _ => (REFUSED, RetryWhen::After(MENDING)),
    };
    tracing::error!(%unsent, "Discord refuses a letter");
    barred(why, at, again)
}

/// Somebody takes no letters, and is at no table that could call them.
pub(crate) fn closed(at: &Address) -> Undelivered {
    barred(CLOSED, at, RetryWhen::Never)
}

fn barred(why: &str, at: &Address, again: RetryWhen) -> Undelivered {
    let obstacle = Obstacle { why: why.to_owned(), at: at.clone() };
    Undelivered::Barred { obstacle, again }
}

/// What is wrong, and what to do about it, for the host of a table.
pub(crate) fn words(
    code: &TableCode,
    obstacle: &Obstacle,
    letters: &Letters,
    reader: &Reader,
) -> Result<String, LetterFault> {
    let (channel, user) = match Destination::parse(&obstacle.at) {
        Some(Destination::Channel(channel)) => (Some(channel.to_string()), None),
        Some(Destination::User(user)) => (None, Some(user.to_string())),
        None => (None, None),
    };
    let permissions = PERMISSIONS.iter().map(|permission| permission.name.of(reader.lang));
    let thread = channel.as_deref().filter(|_| obstacle.why != GONE);
    let about = letters.write(reader, &AboutTable { code, thread })?;
    let permissions = permissions.collect();
    let told = ObstacleText { code, why: &obstacle.why, channel, user, permissions };
    Ok(format!("{about}\n{}", letters.write(reader, &told)?))
}
