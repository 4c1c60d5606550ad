//! The source of a table: a file of its own, or the configured database.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{MAIN_SEPARATOR, Path};

use super::misuse::Misuse;
use super::services::open;
use super::texts::Unverified;
use crate::config::Config;
use desk::conversation::table_code;
use desk::{Desk, NotVerified, Unpacked};
use games::GAMES;
use store::Access;
use tables::ids::TableCode;

/// The source of a table.
pub(super) enum TableSource {
    /// A file written by `shimekiri export`.
    File(Unpacked),
    /// The database, with the table's code.
    Database(Desk, TableCode),
}

impl TableSource {
    /// Opens the source that the input names: a file, or else a table's code.
    pub(super) async fn open(input: &str, config: &Config) -> Result<Self, Misuse> {
        if !input.contains(['.', MAIN_SEPARATOR]) && !Path::new(input).is_file() {
            let store = open(config, Access::Read).await?;
            return Ok(Self::Database(Desk::new(store, GAMES), table_code(input)));
        }
        let bytes = bytes_of(Path::new(input)).map_err(|error| Misuse::unread(input, &error))?;
        Unpacked::of(&bytes, GAMES).await.map(Self::File).map_err(|error| match error {
            NotVerified::Fault(fault) => Misuse::bad_file(input, &fault),
            error => Unverified { code: input, why: error.to_string() }.into(),
        })
    }

    pub(super) fn desk(&self) -> &Desk {
        match self {
            Self::File(unpacked) => &unpacked.desk,
            Self::Database(desk, _) => desk,
        }
    }

    pub(super) fn code(&self) -> &TableCode {
        match self {
            Self::File(unpacked) => &unpacked.heading.table,
            Self::Database(_, code) => code,
        }
    }
}

/// The maximum size of a file, in bytes: a hundred times the size of a usual table.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Reads a file of untrusted origin.
pub(super) fn bytes_of(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= LARGEST) {
        return Ok(bytes);
    }
    Err(io::ErrorKind::FileTooLarge.into())
}
