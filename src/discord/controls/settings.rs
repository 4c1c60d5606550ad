//! The settings of a table, with controls for its host while the table waits for players.

use std::collections::VecDeque;

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use strum::IntoEnumIterator;

use crate::answer::PrivateAnswer;
use crate::controls::buttons::button;
use crate::controls::{Control, SettingChange, SettingsReference, TypedSetting, buttons};
use desk::Sight;
use games::{GAMES, options_line};
use letters::discord::SettingCaption;
use letters::panel::{Field, Style, limits, shortened};
use letters::{Editable, Letters, Moment, OptionLine, Reader, Result, Settings};
use rules::Sealing;
use rules::text::Lang;
use tables::pace::presets::PRESETS;
use tables::time::Time;
use tables::{Pace, Stage, TableSetting};

/// The number of deadlines that are shown.
const CLOSINGS: usize = 3;

/// The settings that have a button.
const BUTTONS: [TableSetting; 3] =
    [TableSetting::CountOnly, TableSetting::Open, TableSetting::Files];

/// The maximum length of a typed setting.
const LINE: usize = 200;

/// The data that the settings are drawn from.
#[derive(Clone, Copy)]
pub(crate) struct SettingsDrawing<'a> {
    pub(crate) sight: &'a Sight,
    pub(crate) letters: &'a Letters,
    pub(crate) reader: &'a Reader,
    pub(crate) now: Time,
}

/// Returns the version of a table's settings.
pub(crate) fn settings_reference(sight: &Sight) -> SettingsReference {
    let set = json!([
        sight.game.key(),
        sight.options,
        sight.pace,
        sight.absence,
        sight.chairs,
        sight.language.code(),
        sight.settings,
    ]);
    let hash = Sha256::digest(set.to_string());
    let revision = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
    SettingsReference { code: sight.code.clone(), revision }
}

/// True if the viewer can change all settings.
pub(crate) fn is_editable(sight: &Sight) -> bool {
    sight.leads && sight.stage == Stage::Forming
}

/// True if the viewer can change a typed setting.
pub(crate) fn takes(sight: &Sight, line: TypedSetting) -> bool {
    match line {
        TypedSetting::Pace => is_editable(sight),
        TypedSetting::Absence => sight.leads && sight.stage != Stage::Over,
    }
}

impl SettingsDrawing<'_> {
    /// Draws the settings, with controls if the viewer can change them. An input with faults is shown for
    /// correction.
    pub(crate) fn draw(&self, typed: Option<(TypedSetting, &str)>) -> Result<PrivateAnswer> {
        let text = self.words()?;
        let rows = self.rows(typed.map(|(line, _)| line))?;
        Ok(PrivateAnswer {
            text,
            rows,
            input: typed.map(|(_, text)| text.to_owned()),
            ..PrivateAnswer::default()
        })
    }

    fn words(&self) -> Result<String> {
        let Self { sight, letters, reader, .. } = *self;
        let option = |set: &games::any::SetOption| {
            let words = letters.option(reader, sight.game, set.option.key, &set.value)?;
            Ok(OptionLine { words, clause: set.option.clause })
        };
        let options = sight.game.options(&sight.options);
        let next_pace = sight.next_pace.as_ref().map(|next| letters.pace(reader, next));
        letters.write(
            reader,
            &Settings {
                code: &sight.code,
                host: sight.host_name(),
                chairs: sight.chairs,
                taken: sight.taken.len(),
                pace: &letters.pace(reader, &sight.pace)?,
                next_pace: next_pace.transpose()?,
                absence: &letters.absence(reader, &sight.absence)?,
                closings: if sight.stage == Stage::Forming { self.closings() } else { Vec::new() },
                options: options.iter().map(option).collect::<Result<_>>()?,
                line: options_line::write(sight.game, &sight.options, reader.lang),
                language: sight.language.code(),
                hidden: sight.sealing() == Sealing::Hidden,
                settings: &sight.settings,
                editable: if is_editable(sight) {
                    Editable::Everything
                } else if takes(sight, TypedSetting::Absence) {
                    Editable::Absence
                } else {
                    Editable::Nothing
                },
            },
        )
    }

    /// Returns the next deadlines if the game began now and nobody sealed.
    fn closings(&self) -> Vec<Moment> {
        let pace = &self.sight.pace;
        let next = |opens: &Time| {
            let closes = pace.deadline(*opens);
            Some(pace.announced(*opens, closes))
        };
        let opens = std::iter::successors(Some(self.now), next).take(CLOSINGS);
        opens.map(|opens| Moment::at(pace.deadline(opens), pace.zone)).collect()
    }

    fn rows(&self, typed: Option<TypedSetting>) -> Result<Vec<Json>> {
        let buttons = buttons::rows(&self.buttons(typed)?);
        if !is_editable(self.sight) {
            return Ok(buttons);
        }
        let mut menus = VecDeque::from([self.chairs()?, self.paces()?]);
        if GAMES.len() > 1 {
            menus.push_front(self.games()?);
        }
        menus.push_back(self.options()?);
        let mut rows: Vec<Json> =
            menus.into_iter().enumerate().map(|(row, menu)| self.menu(row, menu)).collect();
        rows.extend(buttons);
        Ok(rows)
    }

    fn caption(&self, what: &str, value: &str) -> Result<String> {
        let caption = self.letters.write(self.reader, &SettingCaption { what, value })?;
        Ok(caption.trim().to_owned())
    }

    fn games(&self) -> Result<SettingsMenu> {
        let entry = |game: &&'static dyn games::any::AnyGame| {
            let label = self.letters.game_name(*game, self.reader.lang)?;
            let chosen = game.key() == self.sight.game.key();
            Ok(SettingsEntry::new(SettingChange::Game(game.key().to_owned()), label, chosen))
        };
        let entries = GAMES.iter().map(entry).collect::<Result<_>>()?;
        Ok(SettingsMenu { placeholder: self.caption("games", "")?, entries })
    }

    fn chairs(&self) -> Result<SettingsMenu> {
        let entry = |chairs: usize| {
            let label = self.caption("chairs", &chairs.to_string())?;
            Ok(SettingsEntry::new(
                SettingChange::Chairs(chairs),
                label,
                chairs == self.sight.chairs,
            ))
        };
        let entries = self.sight.game.seat_counts().into_iter().map(entry);
        let mut entries = entries.collect::<Result<Vec<_>>>()?;
        entries.push(self.switch(TableSetting::BeginsWhenFull)?);
        Ok(SettingsMenu { placeholder: self.caption("seats", "")?, entries })
    }

    fn paces(&self) -> Result<SettingsMenu> {
        let (zone, now) = (self.sight.pace.zone, &self.sight.pace);
        let mut entries = Vec::new();
        for preset in PRESETS.iter() {
            let Some(pace) = preset.pace(zone) else { continue };
            let label = self.letters.preset(self.reader, &preset.key)?;
            let mut entry =
                SettingsEntry::new(SettingChange::Preset(preset.key.clone()), label, pace == *now);
            entry.description = Some(self.letters.pace(self.reader, &pace)?);
            entries.push(entry);
        }
        let write = SettingChange::Write(TypedSetting::Pace);
        entries.push(SettingsEntry::new(write, self.caption("write", "")?, false));
        let words = self.letters.pace(self.reader, now)?;
        Ok(SettingsMenu { placeholder: self.caption("pace", &words)?, entries })
    }

    /// Returns the entry that turns a setting on or off. The present value is shown in the text above.
    fn switch(&self, setting: TableSetting) -> Result<SettingsEntry> {
        let on = !self.sight.has(setting);
        let label = self.caption(setting.into_str(), if on { "on" } else { "off" })?;
        Ok(SettingsEntry::new(SettingChange::Set(setting, on), label, false))
    }

    /// Returns the menu of the settings that stand nowhere else and of the game's options, each without the
    /// present value, which the text above shows.
    fn options(&self) -> Result<SettingsMenu> {
        let rest = TableSetting::iter().filter(|setting| {
            !BUTTONS.contains(setting) && *setting != TableSetting::BeginsWhenFull
        });
        let mut entries =
            rest.map(|setting| self.switch(setting)).collect::<Result<Vec<_>, _>>()?;
        for set in self.sight.game.options(&self.sight.options) {
            let key = set.option.key;
            for value in set.option.values.iter().filter(|value| set.value != **value) {
                let label = self.letters.option(self.reader, self.sight.game, key, value)?;
                let change =
                    SettingChange::Option { key: key.to_owned(), value: (*value).to_owned() };
                let mut entry = SettingsEntry::new(change, label, false);
                entry.description = Some(set.option.clause.to_owned());
                entries.push(entry);
            }
        }
        entries.truncate(limits::ENTRIES);
        let placeholder = self.caption("options", "")?;
        Ok(SettingsMenu { placeholder, entries })
    }

    fn menu(&self, row: usize, menu: SettingsMenu) -> Json {
        let control = Control::Settings { settings_reference: settings_reference(self.sight), row };
        let entry = |entry: SettingsEntry| {
            let label = shortened(entry.label, limits::ENTRY);
            let about = entry.description.map(|about| shortened(about, limits::ENTRY));
            buttons::entry(&entry.change, &label, about.as_deref(), entry.chosen)
        };
        let entries: Vec<Json> = menu.entries.into_iter().map(entry).collect();
        buttons::menu(&control, &shortened(menu.placeholder, limits::MENU), &entries)
    }

    fn buttons(&self, typed: Option<TypedSetting>) -> Result<Vec<Json>> {
        let mut buttons = Vec::new();
        if let Some(line) = typed.filter(|line| takes(self.sight, *line)) {
            let what = match line {
                TypedSetting::Pace => "rewrite",
                TypedSetting::Absence => "rewrite_absence",
            };
            buttons.push((Style::Main, SettingChange::Rewrite(line), self.caption(what, "")?));
        }
        if is_editable(self.sight) {
            let other = match self.sight.language {
                Lang::Ja => Lang::En,
                Lang::En => Lang::Ja,
            };
            let label = self.caption("language", other.code())?;
            buttons.push((Style::Plain, SettingChange::Language(other), label));
            for setting in BUTTONS {
                let is_shown = match setting {
                    TableSetting::CountOnly => self.sight.sealing() == Sealing::Open,
                    // A row has room for five.
                    TableSetting::Files => typed.is_none(),
                    _ => true,
                };
                if is_shown {
                    let entry = self.switch(setting)?;
                    buttons.push((Style::Plain, entry.change, entry.label));
                }
            }
        }
        if takes(self.sight, TypedSetting::Absence) {
            let label = self.caption("absence", "")?;
            buttons.push((Style::Plain, SettingChange::Write(TypedSetting::Absence), label));
        }
        let drawn = |(style, change, label): (Style, SettingChange, String)| {
            let control =
                Control::Set { settings_reference: settings_reference(self.sight), change };
            button(style, &shortened(label, limits::BUTTON), &control)
        };
        Ok(buttons.into_iter().map(drawn).collect())
    }

    /// Returns the title and the field of the form for a typed setting, filled with the earlier input or the
    /// present setting.
    pub(crate) fn form(&self, line: TypedSetting, typed: Option<&str>) -> Result<(String, Field)> {
        let plain = self.reader.clone().in_plain_text();
        let now = match line {
            TypedSetting::Pace => self.letters.pace_line(&plain, &self.sight.pace)?,
            TypedSetting::Absence => self.letters.absence_line(&plain, &self.sight.absence)?,
        };
        let caption = |what: &str| self.caption(&format!("{line}_{what}"), "");
        let field = Field {
            label: shortened(caption("label")?, limits::TITLE),
            placeholder: shortened(caption("hint")?, limits::ENTRY),
            value: typed.map_or(now, str::to_owned).chars().take(LINE).collect(),
            min: 1,
            max: LINE,
            lines: false,
            required: true,
        };
        Ok((shortened(caption("title")?, limits::TITLE), field))
    }
}

/// Returns a preset pace in the table's time zone; `None` if there is none of this name.
pub(crate) fn preset(sight: &Sight, key: &str) -> Option<Pace> {
    PRESETS.iter().find(|preset| preset.key == key)?.pace(sight.pace.zone)
}

struct SettingsMenu {
    placeholder: String,
    entries: Vec<SettingsEntry>,
}

struct SettingsEntry {
    change: SettingChange,
    label: String,
    description: Option<String>,
    chosen: bool,
}

impl SettingsEntry {
    fn new(change: SettingChange, label: String, chosen: bool) -> Self {
        Self { change, label, description: None, chosen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_can_be_picked_fits_into_menus() {
        let letters = Letters::built_in();
        let length = |text: &str| text.encode_utf16().count();
        assert!(PRESETS.len() < limits::ENTRIES, "and one to write");
        for lang in Lang::ALL {
            for game in GAMES {
                let reader = Reader::new(*game, lang).with_stamps();
                let options = game.options(&Json::Null);
                let values = options
                    .iter()
                    .flat_map(|set| set.option.values.iter().map(|value| (set.option.key, *value)));
                let values: Vec<(&str, &str)> = values.collect();
                let unset = values.len() - options.len();
                assert!(unset < limits::ENTRIES && game.seats().count() < limits::ENTRIES);
                for (key, value) in values {
                    let label = letters.option(&reader, *game, key, value).unwrap();
                    assert!((1..=limits::ENTRY).contains(&length(&label)), "{label}");
                }
                for preset in PRESETS.iter() {
                    let pace = preset.pace(chrono_tz::America::Argentina::Buenos_Aires).unwrap();
                    let words = letters.pace(&reader, &pace).unwrap();
                    let label = letters.preset(&reader, &preset.key).unwrap();
                    assert!(length(&words) <= limits::ENTRY && length(&label) <= limits::ENTRY);
                }
            }
        }
    }
}
