//! The state that a game goes on from, left by the last game of its kind in the same channel.

use serde_json::{Map, Value as Json};

use crate::model::load::{Games, contest};
use crate::record::event::{Event, record};
use crate::record::history::History;
use crate::record::values::CARRIED;
use store::{StoreError, Touched, places, read_json, write_json};
use tables::EndKind;
use tables::time::Time;

/// Sets a table that is about to be dealt to the state left by the last game of its kind in the same channel,
/// if there is one.
pub(crate) async fn carry_on(
    touched: &mut Touched<'_>,
    games: Games,
    now: Time,
) -> Result<(), StoreError> {
    let Some(carried) = left_behind(touched, games).await? else { return Ok(()) };
    let mut options: Json = read_json(&touched.table.options)?;
    if !options.is_object() {
        options = Json::Object(Map::new());
    }
    options[CARRIED] = carried;
    touched.table.options = write_json(&options)?;
    touched.keep_settings().await?;
    let table = &touched.table;
    let settled = Event::SettingsChanged {
        game: table.game.clone(),
        edition: table.edition.clone(),
        data: table.data.clone(),
        options,
        chairs: table.chairs,
        policies: games.policies_version(&table.game),
    };
    record(touched, &settled, now)
}

async fn left_behind(touched: &mut Touched<'_>, games: Games) -> Result<Option<Json>, StoreError> {
    let Some(place) = touched.table.place.clone() else { return Ok(None) };
    let kind = touched.table.game.clone();
    let session = touched.session();
    for code in places::over_around(session, &place, &kind).await? {
        let Some(table) = session.table(&code).await? else { continue };
        // This edition may not understand the state left by another.
        let Ok(game) = games.of(&table) else { continue };
        let Some(window) = session.window(&code, table.open_window).await? else { continue };
        let history = History::load(session, &code).await?;
        let end = history.events().rev().find(|event| matches!(event, Event::Over { .. }));
        // A cancelled game does not count.
        if matches!(end, Some(Event::Over { how: EndKind::Cancelled, .. })) {
            continue;
        }
        let seats = session.seats(&code).await?;
        let Ok(contest) = contest(session, game, &table, &seats, &window).await else { continue };
        return Ok(contest.carried());
    }
    Ok(None)
}
