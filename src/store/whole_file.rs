//! Files that are written completely, or not at all.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Creates a file that only its owner can read or write, whatever the umask is.
///
/// # Errors
/// If it exists already, or cannot be created.
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// The readers of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayRead {
    /// Access for the owner only.
    Owner,
    /// Access for everybody allowed by the umask.
    Anybody,
}

/// A file that is being written beside its target. Without its `finish`, it is deleted.
#[derive(Debug)]
pub struct WholeFile {
    file: NamedTempFile,
    target: PathBuf,
}

impl WholeFile {
    /// Begins a file with this target.
    ///
    /// # Errors
    /// If the target exists already, or its folder cannot be written.
    pub(crate) fn begin(target: &Path, readers: MayRead) -> io::Result<Self> {
        if target.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
        let mode = if readers == MayRead::Owner { 0o600 } else { 0o666 };
        let file = Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".part")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder_of(target))?;
        Ok(Self { file, target: target.to_owned() })
    }

    /// Returns the path at which it is being written.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Moves the file to its target, once its content would survive a power loss.
    ///
    /// # Errors
    /// If it cannot be written, or the target exists by now.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist_noclobber(&self.target).map_err(|unmoved| unmoved.error)?;
        File::open(folder_of(&self.target))?.sync_all()
    }

    /// Writes a whole text.
    ///
    /// # Errors
    /// If the target exists already, or cannot be written.
    pub fn put(target: &Path, readers: MayRead, text: &str) -> io::Result<()> {
        let mut whole = Self::begin(target, readers)?;
        whole.file.write_all(text.as_bytes())?;
        whole.finish()
    }
}

/// Returns the folder that contains a path.
pub fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_written_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table.jsonl");
        WholeFile::put(&file, MayRead::Owner, "secret").unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(
            (mode & 0o777, std::fs::read_to_string(&file).unwrap()),
            (0o600, "secret".into())
        );
        let again = WholeFile::put(&file, MayRead::Anybody, "again").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists, "nothing is overwritten");
        drop(WholeFile::begin(&folder.path().join("half"), MayRead::Owner).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
