//! The sets of cards that tables are bound to.

use sqlx::{FromRow, query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::table::tables::Touched;

/// A set of cards.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SetRow {
    /// The SHA-256 of the text, in hex digits.
    pub hash: String,
    /// The key of the game.
    pub game: String,
    /// The text of the set's file.
    pub text: String,
}

/// Returns the set with this hash, `None` if no table was bound to it.
pub async fn set(session: &mut Session, hash: &str) -> Result<Option<SetRow>, StoreError> {
    session.row("select hash, game, text from sets where hash = $1", (hash,)).await
}

/// Returns the hash and the game of every set.
pub async fn set_hashes(session: &mut Session) -> Result<Vec<(String, String)>, StoreError> {
    session.all(query_as("select hash, game from sets order by hash")).await
}

/// Stores a set, once.
pub async fn keep_set(session: &mut Session, set: &SetRow) -> Result<(), StoreError> {
    let statement = query(
        "insert into sets (hash, game, text) values ($1, $2, $3) on conflict (hash) do nothing",
    );
    let SetRow { hash, game, text } = set.clone();
    session.execute(statement.bind(hash).bind(game).bind(text)).await?;
    Ok(())
}

/// Binds the table to a set of cards, for good.
pub async fn bind_set(touched: &mut Touched<'_>, set: &SetRow) -> Result<(), StoreError> {
    keep_set(touched.session, set).await?;
    let text = "update tables set card_set = $1 where code = $2";
    touched.session.write(text, (&set.hash, &touched.table.code)).await?;
    touched.table.card_set = Some(set.hash.clone());
    Ok(())
}
