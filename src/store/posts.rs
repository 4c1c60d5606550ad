//! Tables that are played in public: where that is, and the post there that shows how the open
//! window stands.
//!
//! Whatever makes it look different stirs the table's row; whoever brings the post up to date
//! notes what they have shown. So it shows the newest in the end, however much happens at once.

use sqlx::{FromRow, query, query_as};

use super::StoreError;
use super::session::Session;
use super::tables::Touched;
use crate::rules::Seat;

/// The post that shows how a table's open window stands.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Post {
    /// The table.
    pub code: String,
    /// The message.
    #[sqlx(rename = "post")]
    pub message: String,
    /// Of which window it is; -1 before the first.
    #[sqlx(rename = "post_window")]
    pub window: i64,
    /// How often the table had been stirred when it was drawn.
    pub shown: i64,
}

/// A post that has to be brought up to date.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct StalePost {
    /// The table.
    pub code: String,
    /// Where it is.
    pub place: String,
    /// The message.
    #[sqlx(rename = "post")]
    pub message: String,
    /// Of which window it is; -1 before the first.
    #[sqlx(rename = "post_window")]
    pub window: i64,
    /// How often the table has been stirred.
    pub stirred: i64,
}

/// Whose account sits where.
#[derive(FromRow)]
struct Sitter {
    #[sqlx(try_from = "i64")]
    seat: Seat,
    account: String,
}

impl Session {
    /// The newest table of a place.
    pub async fn table_at(&mut self, place: &str) -> Result<Option<String>, StoreError> {
        let question = query_as::<_, (String,)>(
            "select code from tables where place = $1 order by formed_at desc limit 1",
        );
        Ok(self.one(question.bind(place.to_owned())).await?.map(|(code,)| code))
    }

    /// Whether a table that is not over is in a place.
    pub async fn is_played_at(&mut self, place: &str) -> Result<bool, StoreError> {
        let question = query_as::<_, (i64,)>(
            "select count(*) from tables where place = $1 and stage <> 'over'",
        );
        let played = self.one(question.bind(place.to_owned())).await?;
        Ok(played.is_some_and(|(count,)| count > 0))
    }

    /// The accounts of those who sit at a table, by seat.
    pub async fn accounts(&mut self, code: &str) -> Result<Vec<(Seat, String)>, StoreError> {
        let question = query_as(
            "select seat, account from seats join people on people.person = seats.person
             where code = $1 order by seat",
        );
        let sitters: Vec<Sitter> = self.all(question.bind(code.to_owned())).await?;
        Ok(sitters.into_iter().map(|sitter| (sitter.seat, sitter.account)).collect())
    }

    /// How often a table has been stirred.
    pub async fn stirred(&mut self, code: &str) -> Result<i64, StoreError> {
        let question = query_as::<_, (i64,)>("select stirred from tables where code = $1");
        Ok(self.one(question.bind(code.to_owned())).await?.map_or(0, |(stirred,)| stirred))
    }

    /// The post of a table, if there is one yet.
    pub async fn post(&mut self, code: &str) -> Result<Option<Post>, StoreError> {
        let question = query_as(
            "select code, post, post_window, shown from tables
             where code = $1 and post is not null",
        );
        self.one(question.bind(code.to_owned())).await
    }

    /// Posts that have to be brought up to date, of places that begin like this.
    pub async fn stale_posts(
        &mut self,
        scheme: &str,
        limit: i64,
    ) -> Result<Vec<StalePost>, StoreError> {
        let question = query_as(
            "select code, place, post, post_window, stirred from tables
             where shown < stirred and post is not null and place like $1 order by code limit $2",
        );
        self.all(question.bind(format!("{scheme}%")).bind(limit)).await
    }

    /// Notes which message is the post now.
    pub async fn note_post(&mut self, post: &Post) -> Result<(), StoreError> {
        let statement =
            query("update tables set post = $2, post_window = $3, shown = $4 where code = $1");
        let statement = statement
            .bind(post.code.clone())
            .bind(post.message.clone())
            .bind(post.window)
            .bind(post.shown);
        self.execute(statement).await.map(drop)
    }

    /// Notes what a post shows now, if it is the post still.
    pub async fn note_shown(&mut self, stale: &StalePost) -> Result<(), StoreError> {
        let statement =
            query("update tables set shown = $3 where code = $1 and post = $2 and shown < $3");
        let statement =
            statement.bind(stale.code.clone()).bind(stale.message.clone()).bind(stale.stirred);
        self.execute(statement).await.map(drop)
    }
}

impl Touched<'_> {
    /// How the open window stands is to look different where it is shown.
    pub async fn stir(&mut self) -> Result<(), StoreError> {
        if self.table.place.is_none() {
            return Ok(());
        }
        let statement = query("update tables set stirred = stirred + 1 where code = $1");
        self.session.execute(statement.bind(self.table.code.clone())).await.map(drop)
    }
}
