//! The folder of `--data`: files that replace the built-in data of games.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::misuse::Misuse;
use crate::texts::NoDataFile;
use games::GAMES;
use rules::data;

/// Replaces the built-in data of games by the files of a folder that is laid out like `data`. Files that it
/// lacks stay built in.
///
/// # Errors
/// If a file cannot be read, or is none that can be replaced.
pub(crate) fn read(folder: &Path) -> Result<(), Misuse> {
    let known: Vec<&str> = GAMES.iter().flat_map(|game| game.replaceable()).copied().collect();
    let mut read = BTreeMap::new();
    for file in files(folder)? {
        let shown = file.display().to_string();
        let inside = file.strip_prefix(folder).unwrap_or(&file);
        let path = Path::new("data").join(inside).to_string_lossy().into_owned();
        if !known.contains(&&*path) {
            let known = known.iter().filter_map(|path| path.strip_prefix("data/")).collect();
            return Err(NoDataFile { file: &shown, known }.into());
        }
        let text = fs::read_to_string(&file).map_err(|error| Misuse::unread(&shown, &error))?;
        read.insert(path, (shown, text));
    }
    data::replace(read);
    Ok(())
}

/// Returns every file of a folder and of the folders within.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Misuse> {
    let unread = |error| Misuse::unread(&folder.display().to_string(), &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}
