//! Obstacles that keep letters from arriving on Discord, and their remedies.

use std::time::Duration;

use crate::address::Destination;
use crate::api::{Refusal, SendError};
use crate::bot::permissions::PERMISSIONS;
use desk::Obstacle;
use desk::courier::{RetryWhen, Undelivered};
use letters::discord::ObstacleText;
use letters::{AboutTable, LetterFault, Letters, Reader};
use tables::ids::{Address, TableCode};

/// The delay before a retry after direct messages were opened too fast.
const TOO_FAST: Duration = Duration::from_mins(10);

/// A place that was deleted.
const GONE: &str = "gone";
/// A place that the bot cannot see or write in.
const FORBIDDEN: &str = "forbidden";
/// A thread that is locked.
const LOCKED: &str = "locked";
/// A user who accepts no direct messages and cannot be called in a thread.
const CLOSED: &str = "closed";
/// A user who takes no direct messages and is called in the thread.
const UNREACHABLE: &str = "unreachable";
/// A place that takes no files.
const FILES: &str = "files";
/// Any other refusal of Discord.
const REFUSED: &str = "refused";

/// Returns the reason why a letter did not arrive at an address.
pub(crate) fn undelivered(unsent: &SendError, at: &Address) -> Undelivered {
    if let SendError::Later { after } = unsent {
        return Undelivered::Later(*after);
    }
    let Some(refusal) = unsent.refusal() else {
        return Undelivered::Failed(unsent.to_string());
    };
    let again = match refusal {
        Refusal::DirectMessagesTooFast => return Undelivered::Later(TOO_FAST),
        Refusal::UnknownChannel if is_channel(at) => RetryWhen::Elsewhere,
        Refusal::UnknownChannel | Refusal::CannotSendToUser => RetryWhen::Never,
        _ => RetryWhen::WhenMended,
    };
    tracing::error!(%unsent, "Discord refuses a letter");
    Undelivered::Barred { obstacle: of_place(unsent, at), again }
}

fn is_channel(at: &Address) -> bool {
    matches!(Destination::parse(at), Some(Destination::Channel(_)))
}

/// Returns the obstacle that made a place refuse something.
pub(crate) fn of_place(unsent: &SendError, at: &Address) -> Obstacle {
    let why = match unsent.refusal() {
        Some(Refusal::UnknownChannel) => GONE,
        Some(Refusal::CannotSendToUser) => CLOSED,
        Some(Refusal::MissingAccess | Refusal::MissingPermissions) => FORBIDDEN,
        Some(Refusal::Locked | Refusal::Archived) => LOCKED,
        _ => REFUSED,
    };
    obstacle(why, at)
}

/// Returns all obstacles of an address except [`FILES`], which are over once a letter arrives there.
pub(crate) fn all_at(at: &Address) -> Vec<Obstacle> {
    [GONE, FORBIDDEN, LOCKED, CLOSED, UNREACHABLE, REFUSED].map(|why| obstacle(why, at)).into()
}

/// Returns the obstacle of a place that takes no files.
pub(crate) fn files(at: &Address) -> Obstacle {
    obstacle(FILES, at)
}

/// Returns the obstacle of a user who takes no direct messages and is called in the thread.
pub(crate) fn unreachable(at: &Address) -> Obstacle {
    obstacle(UNREACHABLE, at)
}

/// Returns the failure to reach a user who accepts no direct messages and has no table with a thread.
pub(crate) fn closed(at: &Address) -> Undelivered {
    Undelivered::Barred { obstacle: obstacle(CLOSED, at), again: RetryWhen::Never }
}

fn obstacle(why: &str, at: &Address) -> Obstacle {
    Obstacle { why: why.to_owned(), at: at.clone() }
}

/// Writes an obstacle for the host of a table: the fault and its remedy, or that the fault is fixed.
pub(crate) fn words(
    code: &TableCode,
    obstacle: &Obstacle,
    is_mended: bool,
    (letters, reader): (&Letters, &Reader),
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
    let (why, mended) = (obstacle.why.as_str(), is_mended);
    let text = ObstacleText { code, why, channel, user, permissions, mended };
    Ok(format!("{about}\n{}", letters.write(reader, &text)?))
}
