//! Commands of people about themselves: their tables, and the stored data about them.

use crate::address::{self, thread_of};
use crate::answer::PrivateAnswer;
use crate::api::Attachment;
use crate::controls::buttons;
use crate::controls::control::Control;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use crate::interactions::{called, conversation};
use desk::commands::Command;
use desk::{LISTED, Mine, Sight, clock};
use letters::Moment;
use letters::discord::{
    EraseAsked, ErasedNote, KeptAsFile, ListedTable, PrivacyNotice, TablesHere,
};
use letters::panel::Style;
use store::{people, places};
use tables::calling::SettingsTopic;
use tables::ids::TableCode;
use tables::{HoldReason, PersonSettings};

/// The name of the exported file.
const FILE: &str = "shimekiri.json";

/// Shows a person's tables, the soonest deadline first, and how reliably they declare.
pub(super) async fn my(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let lang = incoming.person.lang;
    let line = |mine: &Mine| {
        let thread = mine.place.as_ref().and_then(thread_of);
        let reader = mine.sight.reader(lang).with_stamps();
        mine.sight.line_of_own(&handler.letters, &reader, thread.as_deref())
    };
    let (account, reader) = (address::account(incoming.person.id), plain_reader(lang));
    let answer = handler.speaker(&account, &reader).my(line).await?;
    conversation::shown(handler, &TableCode::default(), &reader, answer)
}

/// `/me`: changes or shows a person's settings for all of their tables.
pub(super) async fn me(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    let reader = plain_reader(incoming.person.lang);
    let topics = [
        ("zone", SettingsTopic::Zone),
        ("quiet", SettingsTopic::Quiet),
        ("calls", SettingsTopic::Calls),
        ("when", SettingsTopic::Calls),
    ];
    let change = |settings: PersonSettings| {
        let mut set =
            topics.iter().filter_map(|(name, topic)| Some((*topic, arguments.get(*name)?)));
        set.try_fold(settings, |settings, (topic, value)| settings.set(topic, value))
    };
    let answer = handler.speaker(&account, &reader).me(change).await?;
    conversation::shown(handler, &TableCode::default(), &reader, answer)
}

/// Lists the tables in this channel, the soonest deadline first.
pub(super) async fn list(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let (place, now) = (address::place(incoming.channel), clock::now());
    let mut codes =
        places::tables_around(&mut handler.desk.store().read().await?, &place, now).await?;
    let more = codes.len().saturating_sub(LISTED);
    codes.truncate(LISTED);
    let sights = sights(handler, incoming, codes).await?;
    let tables = sights.into_iter().map(|(sight, thread)| listed(&sight, thread)).collect();
    handler.say(incoming.person.lang, &TablesHere { tables, more })
}

async fn own_tables(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<Vec<(Sight, Option<String>)>, InteractionError> {
    let (account, now) = (address::account(incoming.person.id), clock::now());
    let codes = places::tables_of(&mut handler.desk.store().read().await?, &account, now).await?;
    sights(handler, incoming, codes).await
}

/// Returns the tables as the person sees them, with the thread of each. A table whose rules this program
/// does not know is left out.
async fn sights(
    handler: &InteractionHandler,
    incoming: &Incoming,
    codes: Vec<TableCode>,
) -> Result<Vec<(Sight, Option<String>)>, InteractionError> {
    let mut sights = Vec::new();
    for code in codes {
        let sight = match handler.see(incoming, &code).await {
            Ok((sight, _)) => sight,
            Err(error) if error.refused().is_some() => continue,
            Err(error) => return Err(error),
        };
        let table = handler.desk.store().read().await?.table(&code).await?;
        let place = table.and_then(|table| table.place);
        sights.push((sight, place.as_ref().and_then(thread_of)));
    }
    Ok(sights)
}

/// Shows the privacy notice.
pub(super) fn privacy(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let lang = incoming.person.lang;
    let (export, erase) = (Command::Export.called(lang), Command::Erase.called(lang));
    handler.say(lang, &PrivacyNotice { export, erase })
}

/// Exports the stored data about a person as a file.
pub(super) async fn export(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    let stored = desk::personal_data(&handler.desk, &account, clock::now()).await?;
    let file = KeptAsFile { known: stored.is_some() };
    let mut answer = handler.say(incoming.person.lang, &file)?;
    if let Some(stored) = stored {
        let bytes = serde_json::to_vec_pretty(&stored).unwrap_or_default();
        answer.files.push(Attachment { name: FILE.to_owned(), kind: "application/json", bytes });
    }
    Ok(answer)
}

/// Asks for confirmation before a person's data is erased, and lists their tables.
pub(super) async fn erase(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let lang = incoming.person.lang;
    let account = address::account(incoming.person.id);
    let known = people::person(&mut handler.desk.store().read().await?, &account).await?.is_some();
    let sights = own_tables(handler, incoming).await?;
    let tables = sights.into_iter().map(|(sight, thread)| listed(&sight, thread)).collect();
    let mut answer = handler.say(lang, &EraseAsked { known, tables })?;
    if known {
        let (reader, style) = (plain_reader(lang), Style::Grave);
        answer.rows = buttons::one(&handler.letters, &reader, "erase", style, &Control::Erase)?;
    }
    Ok(answer)
}

/// Erases a person's data after their confirmation.
pub(super) async fn forget(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    called::delete_thread_pings(handler, incoming).await?;
    let known = desk::forget(&handler.desk, &account, clock::now()).await?;
    (handler.ring)();
    handler.say(incoming.person.lang, &ErasedNote { known })
}

/// Returns a table's entry in a list.
fn listed(sight: &Sight, thread: Option<String>) -> ListedTable {
    let play = sight.play.as_ref();
    let shut = play.and_then(|play| play.shut);
    let progress = play.zip(sight.seat).map(|(play, seat)| play.progress[seat]);
    ListedTable {
        code: sight.code.clone(),
        game: sight.game.key(),
        thread,
        stage: sight.stage.into_str(),
        held: sight.held.as_ref().map(HoldReason::into_str),
        host: sight.is_host,
        seat: sight.seat,
        taken: sight.taken.len(),
        chairs: sight.chairs,
        progress,
        closes: sight.closes().map(|at| Moment::at(at, sight.pace.zone)),
        announced: shut.map(|shut| Moment::at(shut.announced, sight.pace.zone)),
    }
}
