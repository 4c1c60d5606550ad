//! The database of a test: a file, or a database on the PostgreSQL server named by `SHIMEKIRI_TEST_DATABASE`.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::migrate::Migrator;
use sqlx::{AnyConnection, AssertSqlSafe, Connection};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// The variable that names a PostgreSQL server, as `postgres://USER@HOST:PORT/DATABASE`.
const SERVER: &str = "SHIMEKIRI_TEST_DATABASE";

/// The number of databases created by this process on the server.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The migrations of the program.
static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

async fn connect(url: &str) -> AnyConnection {
    sqlx::any::install_default_drivers();
    AnyConnection::connect(url).await.unwrap()
}

async fn execute(connection: &mut AnyConnection, statement: &str) {
    sqlx::query(AssertSqlSafe(statement)).execute(connection).await.unwrap();
}

async fn migrate(url: &str) {
    let mut connection = connect(url).await;
    MIGRATIONS.run_direct(None, &mut connection, false).await.unwrap();
    connection.close().await.unwrap();
}

/// Returns the address of another database on the same server.
fn beside(server: &str, name: &str) -> String {
    let (server, _) = server.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

/// Returns the name of the database on the server that all databases of tests are copied from. The first
/// process creates the template; the name follows from the migrations.
async fn template_on(server: &str) -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    let name = NAME.get_or_init(async || {
        let newest = MIGRATIONS.iter().last().unwrap();
        let name = format!("ready_{}_{:x?}", newest.version, &newest.checksum[..4]);
        let name = name.replace(['[', ',', ' ', ']'], "");
        let mut connection = connect(server).await;
        execute(&mut connection, "select pg_advisory_lock(1)").await;
        let question = sqlx::query_scalar("select count(*) from pg_database where datname = $1");
        let count: i64 = question.bind(&name).fetch_one(&mut connection).await.unwrap();
        if count == 0 {
            let making = format!("making_{name}");
            execute(&mut connection, &format!("drop database if exists {making}")).await;
            execute(&mut connection, &format!("create database {making}")).await;
            migrate(&beside(server, &making)).await;
            execute(&mut connection, &format!("alter database {making} rename to {name}")).await;
        }
        // Closing the connection unlocks.
        connection.close().await.unwrap();
        name
    });
    name.await
}

/// A database on the server, dropped with this value: a thousand databases of 8 MB fill a disk.
#[derive(Debug)]
struct OnServer {
    server: String,
    name: String,
}

impl Drop for OnServer {
    /// Drops the database, with whatever is still connected. A server that is gone has nothing to drop.
    fn drop(&mut self) {
        let Self { server, name } = self;
        let dropping = async {
            let mut connection = AnyConnection::connect(server).await?;
            let statement = format!("drop database if exists {name} with (force)");
            sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await
        };
        // A runtime of its own: the test's runtime is running, or has ended.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let runtime =
                    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(dropping).ok();
            });
        });
    }
}

/// A database of a test.
#[derive(Debug)]
pub struct Database {
    pub url: String,
    /// A folder that exists as long as the test.
    pub folder: TempDir,
    /// `None` for a file.
    _on_server: Option<OnServer>,
}

impl Database {
    /// Creates a database with the program's schema and nothing in it.
    pub async fn fresh() -> Self {
        static FILE: OnceCell<Vec<u8>> = OnceCell::const_new();
        let Ok(server) = std::env::var(SERVER) else {
            let migrated = FILE.get_or_init(async || {
                let database = Self::in_file();
                migrate(&format!("{}?mode=rwc", database.url)).await;
                std::fs::read(database.file().unwrap()).unwrap()
            });
            let fresh = Self::in_file();
            std::fs::write(fresh.file().unwrap(), migrated.await).unwrap();
            return fresh;
        };
        let template = template_on(&server).await;
        Self::on_server(&server, &format!("template {template}")).await
    }

    /// Creates a database without a schema.
    pub async fn empty() -> Self {
        match std::env::var(SERVER) {
            Ok(server) => Self::on_server(&server, "").await,
            Err(_) => Self::in_file(),
        }
    }

    fn in_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shimekiri.db");
        Self { url: format!("sqlite:{}", file.display()), folder, _on_server: None }
    }

    async fn on_server(server: &str, options: &str) -> Self {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{count}", std::process::id());
        execute(&mut connect(server).await, &format!("create database {name} {options}")).await;
        let url = beside(server, &name);
        let on_server = OnServer { server: server.to_owned(), name };
        Self { url, folder: tempfile::tempdir().unwrap(), _on_server: Some(on_server) }
    }

    /// The file of the database; `None` on a server.
    fn file(&self) -> Option<&str> {
        self.url.strip_prefix("sqlite:")
    }

    /// Creates a copy of the database, which must not be open.
    pub async fn copy(&self) -> Self {
        if let Some(from) = self.file() {
            let copy = Self::in_file();
            std::fs::copy(from, copy.file().unwrap()).unwrap();
            return copy;
        }
        let (_, name) = self.url.rsplit_once('/').unwrap();
        Self::on_server(&std::env::var(SERVER).unwrap(), &format!("template {name}")).await
    }

    /// Runs statements on the database, without the program's knowledge.
    pub async fn change(&self, statements: &[String]) {
        let mut connection = connect(&self.url).await;
        for statement in statements {
            execute(&mut connection, statement).await;
        }
    }

    /// Returns the number selected by a query.
    pub async fn number(&self, question: &str) -> i64 {
        let mut connection = connect(&self.url).await;
        let question = sqlx::query_scalar(sqlx::AssertSqlSafe(question.to_owned()));
        question.fetch_one(&mut connection).await.unwrap()
    }

    /// True if the database is a file.
    pub fn is_embedded(&self) -> bool {
        self.url.starts_with("sqlite:")
    }
}
