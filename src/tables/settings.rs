//! The settings of a table that are on or off.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString, IntoStaticStr};

use crate::ResultForm;

/// A setting that the host turns on or off, named by what is true while it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(Display, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum TableSetting {
    /// Only the number of seals is public, not the seats.
    CountOnly,
    /// The game masters see sealed declarations, not only the seats that have sealed.
    Open,
    /// The file and the page of the table are posted when it is over.
    Files,
    /// The game begins as soon as somebody takes the last chair.
    BeginsWhenFull,
    /// The results of windows are shown in full.
    FullResults,
}

/// The settings of a table that are on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableSettings(BTreeSet<TableSetting>);

impl Default for TableSettings {
    fn default() -> Self {
        Self([TableSetting::Files].into())
    }
}

impl TableSettings {
    /// True if a setting is on.
    pub fn has(&self, setting: TableSetting) -> bool {
        self.0.contains(&setting)
    }

    /// Turns a setting on or off.
    pub fn set(&mut self, setting: TableSetting, on: bool) {
        if on {
            self.0.insert(setting);
        } else {
            self.0.remove(&setting);
        }
    }

    /// Returns these settings with one more turned on or off.
    #[must_use]
    pub fn with(mut self, setting: TableSetting, on: bool) -> Self {
        self.set(setting, on);
        self
    }

    /// Returns the form of results.
    pub fn results(&self) -> ResultForm {
        if self.has(TableSetting::FullResults) { ResultForm::Full } else { ResultForm::Short }
    }
}
