//! Japan's public holidays, from `data/desk/holidays.toml`.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};
use serde::Deserialize;

use rules::data::{BuiltIn, DataFault, parse};

const FILE: &str = "data/desk/holidays.toml";
const TEXT: &str = include_str!("../../../data/desk/holidays.toml");

/// The holidays. `shimekiri check` and a test rule out a faulty file.
static HOLIDAYS: BuiltIn<Holidays> = BuiltIn::new(|| read(FILE, TEXT));

/// The public holidays of some years.
#[derive(Debug)]
pub struct Holidays {
    /// The names of the holidays, by day.
    names: BTreeMap<NaiveDate, String>,
}

impl Holidays {
    pub fn built_in() -> &'static Self {
        &HOLIDAYS
    }

    pub fn has(&self, day: NaiveDate) -> bool {
        self.names.contains_key(&day)
    }

    /// Returns the first and the last known year.
    pub(super) fn years(&self) -> (i32, i32) {
        let year = |of: Option<&NaiveDate>| of.map_or(0, NaiveDate::year);
        (year(self.names.keys().next()), year(self.names.keys().next_back()))
    }
}

/// Returns the fault of the file, `None` if it has none.
pub fn check_holidays() -> Option<DataFault> {
    HOLIDAYS.fault()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HolidayFile {
    source: String,
    day: BTreeMap<String, String>,
}

fn read(file: &str, text: &str) -> Result<Holidays, DataFault> {
    let HolidayFile { source, day } = parse(file, text)?;
    let fault = |key: &str, what: &str| Err(DataFault::at_key(file, text, key, what));
    if source.trim().is_empty() {
        return fault("source", "it does not say where the days come from");
    }
    let mut names = BTreeMap::new();
    for (key, name) in day {
        match key.parse::<NaiveDate>() {
            Ok(date) if !name.trim().is_empty() => names.insert(date, name),
            Ok(_) => return fault(&key, "it has no name"),
            Err(_) => return fault(&key, "it is no day such as 2027-01-01"),
        };
    }
    if names.is_empty() { fault("[day]", "there are no days") } else { Ok(Holidays { names }) }
}

#[cfg(test)]
mod tests {
    use chrono::{Days, Weekday};

    use super::*;

    #[test]
    fn the_days_are_those_of_the_law() {
        assert_eq!(check_holidays(), None);
        let names = &HOLIDAYS.names;
        let holiday = |day: NaiveDate| {
            names.get(&day).is_some_and(|name| !matches!(name.as_str(), "振替休日" | "国民の休日"))
        };
        let (first, last) = HOLIDAYS.years();
        let days = NaiveDate::from_ymd_opt(first, 1, 1).unwrap().iter_days();
        let mut owed = false;
        for day in days.take_while(|day| day.year() <= last) {
            let name = names.get(&day).map(String::as_str);
            let between = holiday(day - Days::new(1)) && holiday(day + Days::new(1));
            owed |= holiday(day) && day.weekday() == Weekday::Sun;
            // Article 3 of the law: a holiday on a Sunday is made up for, and a day between two holidays is
            // free.
            if !holiday(day) {
                assert_eq!(name == Some("振替休日"), owed, "{day}");
                assert_eq!(name == Some("国民の休日"), between && !owed, "{day}");
                owed = false;
            }
            let monday = matches!(name, Some("成人の日" | "海の日" | "敬老の日" | "スポーツの日"));
            assert!(!monday || day.weekday() == Weekday::Mon, "{day}");
        }
        // Article 2 names 16 holidays.
        for year in first..=last {
            assert_eq!(
                names.keys().filter(|day| day.year() == year && holiday(**day)).count(),
                16,
                "{year}"
            );
        }
    }

    #[test]
    fn a_fault_has_its_line() {
        for (text, line) in [
            ("source = \"\"\n[day]\n", 1),
            ("source = \"x\"\n[day]\n", 2),
            ("source = \"x\"\n[day]\n2027-02-30 = \"x\"\n", 3),
            ("source = \"x\"\n[day]\n2027-02-20 = \"\"\n", 3),
        ] {
            assert_eq!(read("f", text).unwrap_err().line, line, "{text}");
        }
    }
}
