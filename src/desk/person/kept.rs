//! What is kept about somebody, as they may have it.

use serde::Serialize;
use serde_json::Value as Json;

use crate::model::desk::Desk;
use store::{
    AskedFor, AwayRow, FormerSeat, KeptAttendance, KeptDashboard, KeptDeclaration, KeptLetter,
    KeptNextDeclaration, KeptOrders, KeptOverride, KeptSideLine, KeptTable, KeptVoice, KeptVote,
    KeptWindow, StandIn, StoreError, read_json,
};
use tables::PersonSettings;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

/// Everything that is kept about somebody and is theirs. Of others it tells nothing, and nothing
/// that has not been announced.
#[derive(Clone, Debug, Serialize)]
pub struct PersonalData {
    /// Who they are outside of this house.
    pub account: AccountId,
    /// The language they read.
    pub language: String,
    /// What they set for all of their tables.
    pub settings: PersonSettings,
    /// Their tables, and the seats at which they sit.
    pub tables: Vec<KeptTable>,
    /// The seats that they have left to others.
    pub left: Vec<FormerSeat>,
    /// What they have declared, with the salts and hashes of what was sealed.
    pub declarations: Vec<ExportedDeclaration>,
    /// The letters that were written to them alone.
    pub letters: Vec<Written>,
    /// How they have kept their windows, where they have missed any.
    pub attendance: Vec<KeptAttendance>,
    /// How they have kept each of them.
    pub windows: Vec<KeptWindow>,
    /// The messages that show them how their tables stand.
    pub dashboards: Vec<KeptDashboard>,
    /// When they are away.
    pub away: Option<AwayRow>,
    /// Their standing orders.
    pub orders: Vec<ExportedOrders>,
    /// What they have declared for windows to come.
    pub next_declarations: Vec<ExportedNextDeclaration>,
    /// What they have written to their sides.
    pub side_lines: Vec<KeptSideLine>,
    /// The seats for which they stand in.
    pub stands_in: Vec<StandIn>,
    /// The seats that they are asked to take.
    pub asked_for: Vec<AskedFor>,
    /// The tables that they were sent away from.
    pub sent_away_from: Vec<TableCode>,
    /// The tables at which they may decide beside the host.
    pub game_master_of: Vec<TableCode>,
    /// What they have decided as a game master.
    pub decided: Vec<ExportedOverride>,
    /// What they have proposed to their tables.
    pub proposed: Vec<Proposed>,
    /// How they have voted about what was proposed.
    pub voices: Vec<KeptVoice>,
}

/// Something that somebody has proposed to a table.
#[derive(Clone, Debug, Serialize)]
pub struct Proposed {
    #[serde(flatten)]
    row: KeptVote,
    what: Json,
}

/// Something that somebody has decided as a game master.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedOverride {
    #[serde(flatten)]
    row: KeptOverride,
    what: Json,
}

/// What somebody has declared in a window.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedDeclaration {
    #[serde(flatten)]
    row: KeptDeclaration,
    answers: Json,
}

/// What somebody lets their seat answer.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedOrders {
    #[serde(flatten)]
    row: KeptOrders,
    answers: Json,
}

/// What somebody has declared for a window to come.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedNextDeclaration {
    #[serde(flatten)]
    row: KeptNextDeclaration,
    answers: Json,
}

/// A letter to somebody alone.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    #[serde(flatten)]
    row: KeptLetter,
    /// Nothing, once it has been sent.
    body: Option<Json>,
}

impl Desk {
    /// What is kept about an account; nothing if it is not known.
    pub async fn kept(
        &self,
        account: &AccountId,
        now: Time,
    ) -> Result<Option<PersonalData>, StoreError> {
        let mut session = self.store.read().await?;
        let Some(person) = session.person(account).await? else { return Ok(None) };
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
        let orders = session.kept_orders(&person).await?;
        let next = session.kept_next_declarations(&person).await?;
        let votes = session.kept_votes(&person).await?;
        let decided = session.kept_overrides(&person).await?;
        let declarations = session.kept_declarations(&person).await?;
        let letters = session.kept_letters(&person, now).await?;
        Ok(Some(PersonalData {
            account: account.to_owned(),
            attendance: session.kept_attendance(&person).await?,
            windows: session.kept_windows(&person, now).await?,
            dashboards: session.kept_dashboards(&person).await?,
            away: session.away(&person).await?,
            orders: orders.into_iter().map(ordered).collect::<Result<_, StoreError>>()?,
            next_declarations: next
                .into_iter()
                .map(declared_next)
                .collect::<Result<_, StoreError>>()?,
            side_lines: session.kept_side_lines(&person).await?,
            stands_in: session.stand_ins(&person).await?,
            settings: session.settings_of(account).await?.unwrap_or_default(),
            language: session.language_of(account).await?.unwrap_or_default(),
            tables: session.kept_tables(&person).await?,
            left: session.former_seats(&person).await?,
            declarations: declarations
                .into_iter()
                .map(declared)
                .collect::<Result<_, StoreError>>()?,
            asked_for: session.asked_for(&person).await?,
            sent_away_from: session.sent_away_from(&person).await?,
            game_master_of: session.appointed_at(account).await?,
            proposed: votes.into_iter().map(proposed).collect::<Result<_, StoreError>>()?,
            voices: session.kept_voices(&person).await?,
            decided: decided.into_iter().map(ruled).collect::<Result<_, StoreError>>()?,
            letters: letters.into_iter().map(written).collect::<Result<_, StoreError>>()?,
        }))
    }
}
