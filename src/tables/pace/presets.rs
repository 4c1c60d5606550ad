//! The paces of `data/desk/presets.toml`, which a host can pick by a name.

use chrono_tz::Tz;
use serde::Deserialize;

use crate::Pace;
use rules::data::{BuiltIn, DataFault, parse};

const FILE: &str = "data/desk/presets.toml";
const TEXT: &str = include_str!("../../../data/desk/presets.toml");

/// The paces, in the order in which they are offered. `shimekiri check` and a test rule out a faulty pace.
pub static PRESETS: BuiltIn<Vec<Preset>> = BuiltIn::new(|| read(FILE, TEXT));

/// A named pace.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The key of the preset.
    pub key: String,
    /// The pace, as a line.
    pace: String,
}

impl Preset {
    /// Returns the pace in a zone.
    pub fn pace(&self, zone: Tz) -> Option<Pace> {
        Pace::read(&self.pace, zone).ok()
    }
}

/// Returns the fault of the file, `None` if it has none.
pub fn check_presets() -> Option<DataFault> {
    PRESETS.fault()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetFile {
    preset: Vec<Preset>,
}

fn read(file: &str, text: &str) -> Result<Vec<Preset>, DataFault> {
    let PresetFile { preset: presets } = parse(file, text)?;
    for (at, Preset { key, pace }) in presets.iter().enumerate() {
        let fault =
            |what: String| Err(DataFault::at_key(file, text, &format!("key = \"{key}\""), what));
        if let Err(why) = Pace::read(pace, Tz::UTC) {
            return fault(format!("{key} is no pace: {why:?}"));
        }
        if presets[..at].iter().any(|before| before.key == *key) {
            return fault(format!("there are two {key}"));
        }
    }
    Ok(presets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_another_pace() {
        assert_eq!(check_presets(), None);
        let mut paces: Vec<Pace> =
            PRESETS.iter().map(|preset| preset.pace(Tz::Asia__Tokyo).unwrap()).collect();
        let count = paces.len();
        paces.dedup();
        assert!(count > 4 && paces.len() == count);
    }

    #[test]
    fn a_faulty_preset_is_told_with_its_line() {
        let one = |key: &str, pace| format!("[[preset]]\nkey = \"{key}\"\npace = \"{pace}\"\n");
        for (text, line) in
            [(one("a", "whenever"), 2), (one("a", "daily 21:00") + &one("b", ""), 5)]
        {
            assert_eq!(read("f", &text).unwrap_err().line, line, "{text}");
        }
        assert!(read("f", &(one("a", "2h") + &one("a", "3h"))).is_err());
    }
}
