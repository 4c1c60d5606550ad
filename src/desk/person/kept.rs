//! The export of a person's data.

use serde::Serialize;
use serde_json::Value as Json;

use crate::model::desk::Desk;
use store::{
    AskedFor, AwayRow, FormerSeat, KeptAttendance, KeptDashboard, KeptDeclaration, KeptLetter,
    KeptNextDeclaration, KeptOrders, KeptOverride, KeptSideLine, KeptTable, KeptVoice, KeptVote,
    KeptWindow, StandIn, StoreError, absences, calls, dashboards, people, read_json, said_ahead,
    side_lines, traces, votes,
};
use tables::PersonSettings;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

/// The stored data of a person, without anything about others or not yet announced.
#[derive(Clone, Debug, Serialize)]
pub struct PersonalData {
    /// The account outside of this program.
    pub account: AccountId,
    /// The language of the reader.
    pub language: String,
    /// The settings for all of their tables.
    pub settings: PersonSettings,
    /// The tables, and the seats there.
    pub tables: Vec<KeptTable>,
    /// The seats left to others.
    pub left: Vec<FormerSeat>,
    /// The declarations, with the salts and hashes of the sealed ones.
    pub declarations: Vec<ExportedDeclaration>,
    /// The letters to this person alone.
    pub letters: Vec<Written>,
    /// The attendance at each table, if any window was missed.
    pub attendance: Vec<KeptAttendance>,
    /// The attendance in each window.
    pub windows: Vec<KeptWindow>,
    /// The messages that show them their tables.
    pub dashboards: Vec<KeptDashboard>,
    /// The time of absence.
    pub away: Option<AwayRow>,
    /// The standing orders.
    pub orders: Vec<ExportedOrders>,
    /// The declarations for later windows.
    pub next_declarations: Vec<ExportedNextDeclaration>,
    /// Their lines to their sides.
    pub side_lines: Vec<KeptSideLine>,
    /// The seats for which they stand in.
    pub stands_in: Vec<StandIn>,
    /// The seats to which they are invited.
    pub asked_for: Vec<AskedFor>,
    /// The tables from which they were sent away.
    pub sent_away_from: Vec<TableCode>,
    /// The tables at which they are an appointed game master.
    pub game_master_of: Vec<TableCode>,
    /// The decisions as a game master.
    pub decided: Vec<ExportedOverride>,
    /// The proposals to their tables.
    pub proposed: Vec<Proposed>,
    /// The votes on proposals.
    pub voices: Vec<KeptVoice>,
}

/// A proposal to a table.
#[derive(Clone, Debug, Serialize)]
pub struct Proposed {
    #[serde(flatten)]
    row: KeptVote,
    what: Json,
}

/// A decision as a game master.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedOverride {
    #[serde(flatten)]
    row: KeptOverride,
    what: Json,
}

/// A declaration in a window.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedDeclaration {
    #[serde(flatten)]
    row: KeptDeclaration,
    answers: Json,
}

/// The standing orders for a seat.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedOrders {
    #[serde(flatten)]
    row: KeptOrders,
    answers: Json,
}

/// A declaration for a later window.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedNextDeclaration {
    #[serde(flatten)]
    row: KeptNextDeclaration,
    answers: Json,
}

/// A letter to this person alone.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    #[serde(flatten)]
    row: KeptLetter,
    /// The text of the letter; `None` once it has been sent.
    body: Option<Json>,
}

/// Returns the stored data of an account; `None` if it is unknown.
pub async fn personal_data(
    desk: &Desk,
    account: &AccountId,
    now: Time,
) -> Result<Option<PersonalData>, StoreError> {
    let mut session = desk.store.read().await?;
    let Some(person) = people::person(&mut session, account).await? else { return Ok(None) };
    let declared = |row: KeptDeclaration| {
        let answers = read_json(&row.answers)?;
        Ok(ExportedDeclaration { row, answers })
    };
    let ordered = |row: KeptOrders| {
        let answers = read_json(&row.answers)?;
        Ok(ExportedOrders { row, answers })
    };
    let declared_next = |row: KeptNextDeclaration| {
        let answers = read_json(&row.answers)?;
        Ok(ExportedNextDeclaration { row, answers })
    };
    let written = |row: KeptLetter| {
        let unsent = !row.body.is_empty();
        let body = unsent.then(|| read_json(&row.body)).transpose()?;
        Ok(Written { row, body })
    };
    let ruled = |row: KeptOverride| {
        let what = read_json(&row.what)?;
        Ok(ExportedOverride { row, what })
    };
    let proposed = |row: KeptVote| {
        let what = read_json(&row.what)?;
        Ok(Proposed { row, what })
    };
    let orders = said_ahead::kept_orders(&mut session, &person).await?;
    let next = said_ahead::kept_next_declarations(&mut session, &person).await?;
    let votes = votes::kept_votes(&mut session, &person).await?;
    let decided = traces::kept_overrides(&mut session, &person).await?;
    let declarations = traces::kept_declarations(&mut session, &person).await?;
    let letters = traces::kept_letters(&mut session, &person, now).await?;
    Ok(Some(PersonalData {
        account: account.to_owned(),
        attendance: absences::kept_attendance(&mut session, &person).await?,
        windows: absences::kept_windows(&mut session, &person, now).await?,
        dashboards: dashboards::kept_dashboards(&mut session, &person).await?,
        away: absences::away(&mut session, &person).await?,
        orders: orders.into_iter().map(ordered).collect::<Result<_, StoreError>>()?,
        next_declarations: next
            .into_iter()
            .map(declared_next)
            .collect::<Result<_, StoreError>>()?,
        side_lines: side_lines::kept_side_lines(&mut session, &person).await?,
        stands_in: absences::stand_ins(&mut session, &person).await?,
        settings: people::settings_of(&mut session, account).await?.unwrap_or_default(),
        language: traces::language_of(&mut session, account).await?.unwrap_or_default(),
        tables: traces::kept_tables(&mut session, &person).await?,
        left: traces::former_seats(&mut session, &person).await?,
        declarations: declarations.into_iter().map(declared).collect::<Result<_, StoreError>>()?,
        asked_for: calls::asked_for(&mut session, &person).await?,
        sent_away_from: calls::sent_away_from(&mut session, &person).await?,
        game_master_of: traces::appointed_at(&mut session, account).await?,
        proposed: votes.into_iter().map(proposed).collect::<Result<_, StoreError>>()?,
        voices: votes::kept_voices(&mut session, &person).await?,
        decided: decided.into_iter().map(ruled).collect::<Result<_, StoreError>>()?,
        letters: letters.into_iter().map(written).collect::<Result<_, StoreError>>()?,
    }))
}
