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

impl Session {
    /// Returns the set with this hash, `None` if no table was bound to it.
    pub async fn set(&mut self, hash: &str) -> Result<Option<SetRow>, StoreError> {
        let question = query_as("select hash, game, text from sets where hash = $1");
        self.one(question.bind(hash.to_owned())).await
    }

    /// Returns the hash and the game of every set.
    pub async fn set_hashes(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        self.all(query_as("select hash, game from sets order by hash")).await
    }

    /// Stores a set, once.
    pub async fn keep_set(&mut self, set: &SetRow) -> Result<(), StoreError> {
        let statement = query(
            "insert into sets (hash, game, text) values ($1, $2, $3) on conflict (hash) do nothing",
        );
        let SetRow { hash, game, text } = set.clone();
        self.execute(statement.bind(hash).bind(game).bind(text)).await?;
        Ok(())
    }
}

impl Touched<'_> {
    /// Binds the table to a set of cards, for good.
    pub async fn bind_set(&mut self, set: &SetRow) -> Result<(), StoreError> {
        self.session.keep_set(set).await?;
        let statement = query("update tables set card_set = $1 where code = $2");
        let statement = statement.bind(set.hash.clone()).bind(self.table.code.clone());
        self.session.execute(statement).await?;
        self.table.card_set = Some(set.hash.clone());
        Ok(())
    }
}
