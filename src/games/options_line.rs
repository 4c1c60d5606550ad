//! The options of a game in one line, as hosts type them: `超上級、チップは封、希望2回`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::any::{AnyGame, SetOption};
use crate::cards::sets::OPTION;
use rules::built_in_file;
use rules::data::{BuiltIn, DataFault, nearest, parse};
use rules::text::{Lang, OptionWord, fold};

/// The file of the negating words.
const FILE: (&str, &str) = built_in_file!("data/options.toml");

static DENIALS: BuiltIn<Denials> = BuiltIn::new(Denials::built_in);

/// The separators between the values of a line.
const MARKS: [char; 9] = ['、', '，', ',', '・', '／', '/', ';', '；', '\n'];

/// A line that cannot be parsed into a game's options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum OptionsFault {
    /// No value of an option has this name.
    Unknown {
        input: String,
        /// The most similar name, a negated one only for negated input; `None` if none is similar.
        nearest: Option<String>,
        /// The name of one value of each option.
        known: Vec<ValueName>,
    },
    /// Two different values of one option.
    Twice { first: String, second: String },
}

/// The short name of a value in each language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueName {
    pub ja: String,
    pub en: String,
}

/// The negating words in each language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Denials {
    ja: Vec<String>,
    en: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsFile {
    denial: Denials,
}

impl Denials {
    fn built_in() -> Result<Self, DataFault> {
        let (file, text) = FILE;
        let OptionsFile { denial } = parse(file, text)?;
        Ok(denial)
    }

    /// True if a text denies something.
    fn are_in(&self, text: &str) -> bool {
        let text = fold(text);
        let is_gap = |c: char| !c.is_alphanumeric() && c != '\'';
        self.ja.iter().any(|word| text.contains(word.as_str()))
            || text.split(is_gap).any(|word| self.en.iter().any(|denial| denial == word))
    }
}

/// Returns the fault of the built-in negating words, `None` if they have none.
pub fn check() -> Option<DataFault> {
    DENIALS.fault()
}

/// Parses a line of values into a game's options. Options that the line does not name are left out.
///
/// # Errors
/// If a word names no value, or two name different values of one option.
pub fn read(game: &dyn AnyGame, line: &str) -> Result<Map<String, Json>, OptionsFault> {
    let lexicon = game.lexicon();
    let mut chosen: Vec<(&OptionWord, &str)> = Vec::new();
    let parts = line.split(MARKS).map(str::trim).filter(|input| !input.is_empty());
    for input in parts.flat_map(|part| names_in(game, part)) {
        let Some(word) = lexicon.option_called(input) else {
            let names = lexicon.options().iter().flat_map(|word| word.names.all());
            let denies = DENIALS.are_in(input);
            let names = names.filter(|name| DENIALS.are_in(name) == denies);
            let nearest = nearest(input, names).map(str::to_owned);
            let input = input.to_owned();
            return Err(OptionsFault::Unknown { input, nearest, known: examples(game) });
        };
        let other = chosen.iter().find(|(other, _)| other.option == word.option);
        if let Some((_, first)) = other.filter(|(other, _)| other.value != word.value) {
            let (first, second) = ((*first).to_owned(), input.to_owned());
            return Err(OptionsFault::Twice { first, second });
        }
        chosen.push((word, input));
    }
    let value =
        |(word, _): (&OptionWord, &str)| (word.option.to_string(), Json::from(word.value.as_str()));
    Ok(chosen.into_iter().map(value).collect())
}

/// Returns the names of values between which a text has nothing but spaces; the whole text if it has
/// anything else.
fn names_in<'t>(game: &dyn AnyGame, text: &'t str) -> Vec<&'t str> {
    let ends = |text: &str| -> Vec<usize> {
        let gaps = text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
        gaps.chain([text.len()]).collect()
    };
    let (mut names, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let is_name = |end: &usize| game.lexicon().option_called(&rest[..*end]).is_some();
        let Some(end) = ends(rest).into_iter().rfind(is_name) else { return vec![text] };
        names.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    names
}

/// The names of the last value of each option.
fn examples(game: &dyn AnyGame) -> Vec<ValueName> {
    let options = game.options(&Json::Null);
    let last = options.iter().filter_map(|set| Some((set.option.key, *set.option.values.last()?)));
    last.filter_map(|(option, value)| word_of(game, option, value))
        .map(|word| {
            let shown = |lang| word.names.shown(lang).to_owned();
            ValueName { ja: shown(Lang::Ja), en: shown(Lang::En) }
        })
        .collect()
}

fn word_of<'a>(game: &'a dyn AnyGame, option: &str, value: &str) -> Option<&'a OptionWord> {
    let mut words = game.lexicon().options().iter();
    words.find(|word| word.option == option && word.value == value)
}

/// Returns the options that differ from their defaults.
pub fn chosen(game: &dyn AnyGame, options: &Json) -> Vec<SetOption> {
    let usual = game.options(&Json::Null);
    let mut set = game.options(options);
    set.retain(|set| !usual.contains(set));
    set
}

/// Writes options as one line, which [`read`] parses into the same options.
pub fn write(game: &dyn AnyGame, options: &Json, lang: Lang) -> String {
    line(game, &game.options(options), lang)
}

/// Writes these options as one line.
pub fn line(game: &dyn AnyGame, set: &[SetOption], lang: Lang) -> String {
    let name_of_set = |word: &str| {
        let set = game.set().or_else(|| game.sets()?.called(word))?;
        Some(set.name(lang))
    };
    let names = set.iter().filter_map(|set| match set.option.key {
        OPTION => name_of_set(&set.value),
        key => word_of(game, key, &set.value).map(|word| word.names.shown(lang)),
    });
    let mark = if lang == Lang::Ja { "、" } else { ", " };
    names.collect::<Vec<_>>().join(mark)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{OptionsFault, read, write};
    use crate::GAMES;
    use rules::text::Lang;

    #[test]
    fn every_value_of_every_option_is_written_and_read_back() {
        for game in GAMES {
            for set in game.options(&Json::Null) {
                for value in set.option.values {
                    let options = json!({ set.option.key: value });
                    for lang in Lang::ALL {
                        let line = write(*game, &options, lang);
                        let read = Json::Object(read(*game, &line).unwrap());
                        assert_eq!(game.options(&read), game.options(&options), "{line}");
                    }
                    let name = format!("{}={value}", set.option.key);
                    assert_eq!(read(*game, &name).map(Json::Object), Ok(options), "{name}");
                }
            }
            let count: usize =
                game.options(&Json::Null).iter().map(|set| set.option.values.len()).sum();
            assert_eq!(
                game.lexicon().options().len(),
                count,
                "{}: a name without a value",
                game.key()
            );
        }
    }

    #[test]
    fn a_line_is_read_as_hosts_write_it() {
        let gang = crate::find("the_gang").unwrap();
        let read = |line| read(gang, line).map(Json::Object);
        let line = read("超上級、チップは封・希望２回");
        assert_eq!(line, Ok(json!({ "mode": "master", "chips": "sealed", "passes": "2" })));
        assert_eq!(read(" Master, MASTER "), Ok(json!({ "mode": "master" })));
        assert_eq!(read("超上級 希望2回"), Ok(json!({ "mode": "master", "passes": "2" })));
        assert_eq!(read("live chips 5 passes"), Ok(json!({ "chips": "live", "passes": "5" })));
        assert_eq!(read(""), Ok(json!({})));
    }

    #[test]
    fn a_word_that_is_none_is_told_with_the_nearest_and_two_values_with_both() {
        let gang = crate::find("the_gang").unwrap();
        let Err(OptionsFault::Unknown { input, nearest, known }) = read(gang, "mastr") else {
            panic!("it is read")
        };
        assert_eq!((input.as_str(), nearest.as_deref()), ("mastr", Some("master")));
        let known: Vec<&str> = known.iter().map(|name| name.en.as_str()).collect();
        assert_eq!(known, ["master", "live chips", "5 passes", "5 moves", "no early close"]);
        for (input, suggested) in [
            ("no early", Some("no early close")),
            ("not early", None),
            ("early close off", Some("no early close")),
            ("early closing", Some("early close")),
            ("早締めしない", Some("早締めなし")),
            ("早締めは無し", Some("早締めなし")),
            ("早締め有り", Some("早締めあり")),
        ] {
            match read(gang, input) {
                Err(OptionsFault::Unknown { nearest, .. }) => {
                    assert_eq!(nearest.as_deref(), suggested, "{input}");
                }
                read => panic!("{input}: {read:?}"),
            }
        }
        let twice = OptionsFault::Twice { first: "中級".to_owned(), second: "上級".to_owned() };
        assert_eq!(read(gang, "中級、上級"), Err(twice));
    }
}
