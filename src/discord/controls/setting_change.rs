//! The changes of a table's settings in a text short enough for a control's id.

use strum::{Display, EnumString};

use crate::controls::UnknownControl;
use rules::text::Lang;
use tables::{TableSetting, text_form};

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
    /// A setting, turned on or off.
    Set(TableSetting, bool),
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

text_form!(SettingChange, '.', UnknownControl, {
    "game" => Game { 0 },
    "chairs" => Chairs { 0 },
    "pace" => Preset { 0 },
    "write" => Write { 0 },
    "rewrite" => Rewrite { 0 },
    "option" => Option { key, value },
    "language" => Language { 0 },
    "set" => Set { 0, 1 },
});

#[cfg(test)]
mod tests {
    use crate::controls::setting_change::*;
    use games::GAMES;
    use strum::IntoEnumIterator;

    #[test]
    fn a_pick_reads_back_as_it_is_written_and_is_short() {
        let mut picks = vec![
            SettingChange::Chairs(16),
            SettingChange::Preset("twice_a_week".to_owned()),
            SettingChange::Write(TypedSetting::Pace),
            SettingChange::Rewrite(TypedSetting::Absence),
            SettingChange::Language(Lang::Ja),
        ];
        for setting in TableSetting::iter() {
            picks.extend([true, false].map(|on| SettingChange::Set(setting, on)));
        }
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
        for text in [
            "",
            "game",
            "chairs.x",
            "language.fr",
            "set.files",
            "set.all.true",
            "option.a",
            "write.x",
        ] {
            assert_eq!(text.parse::<SettingChange>(), Err(UnknownControl), "{text}");
        }
    }
}
