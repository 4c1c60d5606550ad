//! What the tables of a server have if their hosts say nothing else.

use sqlx::{query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;

impl Session {
    /// What is set for a server, as JSON; none if nothing ever was.
    pub async fn server_defaults(&mut self, server: &str) -> Result<Option<String>, StoreError> {
        let question =
            query_as::<_, (String,)>("select body from server_defaults where server = $1");
        Ok(self.one(question.bind(server.to_owned())).await?.map(|(body,)| body))
    }

    /// What is set for a server, which nobody else can set until this has been written: this, if
    /// nothing ever was.
    pub async fn hold_server_defaults(
        &mut self,
        server: &str,
        body: &str,
    ) -> Result<String, StoreError> {
        let question = query_as::<_, (String,)>(
            "insert into server_defaults (server, body) values ($1, $2)
             on conflict (server) do update set body = server_defaults.body returning body",
        );
        let held = self.one(question.bind(server.to_owned()).bind(body.to_owned())).await?;
        Ok(held.map_or_else(|| body.to_owned(), |(body,)| body))
    }

    /// Sets what the tables of a server have.
    pub async fn set_server_defaults(
        &mut self,
        server: &str,
        body: String,
    ) -> Result<(), StoreError> {
        let statement = query("update server_defaults set body = $2 where server = $1");
        self.execute(statement.bind(server.to_owned()).bind(body)).await.map(drop)
    }
}
