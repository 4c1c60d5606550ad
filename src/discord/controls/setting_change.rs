//! The changes of a table's settings in a text short enough for a control's id.

use std::fmt;
use std::str::FromStr;

use strum::{Display, EnumString};

use crate::controls::UnknownControl;
use rules::text::Lang;
use tables::ResultForm;

/// A change of one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SettingChange {
    /// The game, by its key.
    Game(String),
    Chairs(usize),
    /// A preset pace, by its name.
    Preset(String),
    /// Opens the form of a typed setting.
    Write(TypedSetting),
    /// Opens the form of a typed setting again, with the earlier input.
    Rewrite(TypedSetting),
    /// An option of the game.
    Option {
        key: String,
        value: String,
    },
    /// The language of public letters.
    Language(Lang),
    /// True if people see only the number of those who have sealed.
    CountOnly(bool),
    /// True if game masters see sealed declarations.
    Open(bool),
    /// True if files are posted at the end.
    Files(bool),
    /// True if the game begins as soon as the last chair is taken.
    BeginsWhenFull(bool),
    /// The form of results.
    Results(ResultForm),
}

/// A setting that the host types as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum TypedSetting {
    /// The pace of the windows.
    Pace,
    /// The absence policy.
    Absence,
}

const COUNT: &str = "count";
const NAMES: &str = "names";
const OPEN: &str = "open";
const BLIND: &str = "blind";
const YES: &str = "yes";
const NO: &str = "no";
const FULL: &str = "full";
const HOST: &str = "host";

impl fmt::Display for SettingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(word) => write!(f, "game.{word}"),
            Self::Chairs(count) => write!(f, "chairs.{count}"),
            Self::Preset(key) => write!(f, "pace.{key}"),
            Self::Write(line) => write!(f, "write.{line}"),
            Self::Rewrite(line) => write!(f, "rewrite.{line}"),
            Self::Option { key, value } => write!(f, "option.{key}.{value}"),
            Self::Language(lang) => write!(f, "language.{}", lang.code()),
            Self::CountOnly(only) => write!(f, "post.{}", if *only { COUNT } else { NAMES }),
            Self::Files(files) => write!(f, "files.{}", if *files { YES } else { NO }),
            Self::Results(form) => write!(f, "results.{form}"),
            Self::BeginsWhenFull(full) => {
                write!(f, "begin.{}", if *full { FULL } else { HOST })
            }
            Self::Open(open) => write!(f, "gm.{}", if *open { OPEN } else { BLIND }),
        }
    }
}

impl FromStr for SettingChange {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let parts: Vec<&str> = text.split('.').collect();
        Ok(match parts[..] {
            ["game", word] => Self::Game(word.to_owned()),
            ["chairs", count] => Self::Chairs(count.parse().map_err(|_| UnknownControl)?),
            ["pace", key] => Self::Preset(key.to_owned()),
            ["write", line] => Self::Write(line.parse().map_err(|_| UnknownControl)?),
            ["rewrite", line] => Self::Rewrite(line.parse().map_err(|_| UnknownControl)?),
            ["option", key, value] => Self::Option { key: key.to_owned(), value: value.to_owned() },
            ["language", code] => Self::Language(code.parse().map_err(|_| UnknownControl)?),
            ["post", COUNT] => Self::CountOnly(true),
            ["post", NAMES] => Self::CountOnly(false),
            ["gm", OPEN] => Self::Open(true),
            ["gm", BLIND] => Self::Open(false),
            ["files", YES] => Self::Files(true),
            ["files", NO] => Self::Files(false),
            ["results", form] => Self::Results(form.parse().map_err(|_| UnknownControl)?),
            ["begin", FULL] => Self::BeginsWhenFull(true),
            ["begin", HOST] => Self::BeginsWhenFull(false),
            _ => return Err(UnknownControl),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::controls::setting_change::*;
    use games::GAMES;

    #[test]
    fn a_pick_reads_back_as_it_is_written_and_is_short() {
        let mut picks = vec![
            SettingChange::Chairs(16),
            SettingChange::Preset("twice_a_week".to_owned()),
            SettingChange::Write(TypedSetting::Pace),
            SettingChange::Rewrite(TypedSetting::Absence),
            SettingChange::Language(Lang::Ja),
            SettingChange::CountOnly(true),
            SettingChange::CountOnly(false),
            SettingChange::Open(true),
            SettingChange::Open(false),
            SettingChange::Files(true),
            SettingChange::Files(false),
            SettingChange::BeginsWhenFull(true),
            SettingChange::BeginsWhenFull(false),
            SettingChange::Results(ResultForm::Short),
            SettingChange::Results(ResultForm::Full),
        ];
        for game in GAMES {
            picks.push(SettingChange::Game(game.key().to_owned()));
            for set in game.options(&serde_json::Value::Null) {
                let key = set.option.key.to_owned();
                picks.push(SettingChange::Option { key, value: set.value });
            }
        }
        for change in picks {
            let text = change.to_string();
            assert_eq!(text.parse(), Ok(change), "{text}");
            assert!(text.len() <= 60 && !text.contains(':'), "{text}");
        }
        for text in ["", "game", "chairs.x", "language.fr", "post.all", "option.a", "write.x"] {
            assert_eq!(text.parse::<SettingChange>(), Err(UnknownControl), "{text}");
        }
    }
}
