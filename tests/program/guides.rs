//! The texts of README and the guides about the program, compared with its output and behaviour.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use desk::commands::{Command, CommandPlace};
use discord::permissions::PERMISSIONS;
use games::GAMES;
use letters::{Letters, Reader};
use rules::text::Lang;
use tables::{Absence, Pace};

use kit::database::Database;
use kit::program::{Running, shimekiri};
use kit::written::{Part, UPDATE, is_updated};

const README: &str = "README.md";

/// Compares a part of a document with its expected text.
fn holds(document: &'static str, name: &str, should: &str) {
    let part = Part::of(document, name, "test --test program guides").unwrap();
    if is_updated() {
        part.write(should).unwrap();
    } else {
        assert_eq!(part.stands, should, "{document}: {UPDATE}=1 cargo test --test program guides");
    }
}

/// Returns the path of a guide in a language.
fn guide(lang: Lang, name: &str) -> &'static str {
    match (lang, name) {
        (Lang::Ja, "playing") => "docs/ja/playing.md",
        (Lang::En, "playing") => "docs/en/playing.md",
        (Lang::Ja, "hosting") => "docs/ja/hosting.md",
        (Lang::En, "hosting") => "docs/en/hosting.md",
        (Lang::Ja, "options") => "docs/ja/options.md",
        (Lang::En, "options") => "docs/en/options.md",
        (Lang::Ja, "glossary") => "docs/ja/glossary.md",
        (Lang::En, "glossary") => "docs/en/glossary.md",
        (Lang::Ja, _) => "docs/ja/operating.md",
        (Lang::En, _) => "docs/en/operating.md",
    }
}

/// The generated parts of each document are written one after the other, as several are in one file.
#[tokio::test]
async fn what_the_guides_say_is_what_the_program_says() {
    for lang in Lang::ALL {
        let (playing, hosting) = (guide(lang, "playing"), guide(lang, "hosting"));
        holds(playing, &format!("commands of players, {lang}"), &commands(lang, false));
        holds(hosting, &format!("commands of hosts, {lang}"), &commands(lang, true));
        holds(guide(lang, "options"), &format!("options, {lang}"), &options(lang));
        holds(guide(lang, "glossary"), &format!("terms, {lang}"), &glossary(lang));
        let operating = guide(lang, "operating");
        holds(operating, &format!("permissions, {lang}"), &permissions(lang));
        holds(operating, &format!("figures, {lang}"), &figures(lang, &FIGURES));
        let told = Told::by_the_program(lang).await;
        holds(playing, &format!("session, {lang}"), &told.session);
        holds(hosting, &format!("action, {lang}"), &told.action);
        if lang == Lang::En {
            holds(README, "session", &told.echo);
        }
    }
}

/// The figures of the guides, by their table and the beginning of their row in `docs/figures.md`, with the
/// Japanese label.
const FIGURES: [(&str, &str, &str); 5] = [
    ("answers, Discord", "acknowledged after, 99 %", "Discordへの応答（12,000回の99 %）"),
    ("storm, SQLite", "10,000 tables due", "同時に締め切られた10,000卓をすべて処理"),
    ("sealing, SQLite", "sealings a second", "1秒間に受け付ける封（1,000卓、32人）"),
    ("memory, SQLite", "resident memory with 10,000", "10,000卓でのメモリー"),
    (
        "startup, SQLite",
        "from the opening of the database to the first look, 10,000",
        "10,000卓での起動",
    ),
];

fn figures(lang: Lang, of: &[(&str, &str, &str)]) -> String {
    let document = std::fs::read_to_string("docs/figures.md").unwrap();
    let mut table = match lang {
        Lang::Ja => "| 項目 | 値 |\n| --- | ---: |\n".to_owned(),
        Lang::En => "| figure | value |\n| --- | ---: |\n".to_owned(),
    };
    for (name, begins, in_japanese) in of {
        let part = document.split_once(&format!("<!-- {name}, ")).unwrap().1;
        let line = part.lines().find(|line| line.starts_with(&format!("| {begins}"))).unwrap();
        let (figure, value) = line.trim_matches(['|', ' ']).split_once(" | ").unwrap();
        // The details of a figure are only for those who measure.
        let value = value.split_once(": ").map_or(value, |(value, _)| value);
        let figure = if lang == Lang::Ja { in_japanese } else { figure };
        writeln!(table, "| {figure} | {value} |").unwrap();
    }
    table
}

/// Returns a table for each game of its options: each value, what it comes to, and the clause.
fn options(lang: Lang) -> String {
    let (letters, mut tables) = (Letters::built_in(), String::new());
    for game in GAMES {
        let reader = Reader::new(*game, lang);
        let names = std::fs::read_to_string(format!("templates/{}/name.md", game.key())).unwrap();
        let tag = format!("{lang}| ");
        let name = names.lines().find_map(|line| line.strip_prefix(&tag)).unwrap();
        let head = match lang {
            Lang::Ja => "| 設定 | 意味 | 項目 |",
            Lang::En => "| option | what it does | clause |",
        };
        writeln!(tables, "## {name}\n\n{head}\n| --- | --- | --- |").unwrap();
        for set in game.options(&serde_json::Value::Null) {
            for value in set.option.values {
                let means = letters.option(&reader, *game, set.option.key, value).unwrap();
                let supposed = match (lang, *value == set.value) {
                    (_, false) => "",
                    (Lang::Ja, true) => "（標準）",
                    (Lang::En, true) => " (default)",
                };
                let (key, clause) = (set.option.key, set.option.clause);
                writeln!(tables, "| `{key}={value}`{supposed} | {means} | {clause} |").unwrap();
            }
        }
        tables.push('\n');
    }
    tables.truncate(tables.trim_end().len());
    tables.push('\n');
    tables
}

/// Returns the table of the terms in both languages, by that of the reader.
fn glossary(lang: Lang) -> String {
    let text = std::fs::read_to_string("data/terms.toml").unwrap();
    let terms: toml::Table = toml::from_str(&text).unwrap();
    let term = |term: &toml::Value| {
        let word = |key: &str| term.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        let [ja, en] = [word("ja"), word("en")].map(str::to_owned);
        if lang == Lang::Ja { (ja, en) } else { (en, ja) }
    };
    let mut rows: Vec<_> = terms["term"].as_array().unwrap().iter().map(term).collect();
    rows.sort();
    let mut table = match lang {
        Lang::Ja => "| 日本語 | 英語 |\n| --- | --- |\n".to_owned(),
        Lang::En => "| English | Japanese |\n| --- | --- |\n".to_owned(),
    };
    for (own, other) in rows {
        writeln!(table, "| {own} | {other} |").unwrap();
    }
    table
}

/// True if a command is for those who host a table or a server, and false if it is for all players.
fn is_for_hosts(command: Command) -> bool {
    use Command as C;
    matches!(
        command,
        C::New
            | C::Settings
            | C::Absence
            | C::GmWindow
            | C::GmTurn
            | C::GmTable
            | C::GmSeat
            | C::Gm
            | C::Dashboard
            | C::Start
            | C::Move
            | C::Resume
            | C::Close
            | C::End
            | C::Check
            | C::Defaults
    )
}

fn commands(lang: Lang, for_hosts: bool) -> String {
    let mut table = match lang {
        Lang::Ja => "| Discord | 端末 | すること |\n| --- | --- | --- |\n".to_owned(),
        Lang::En => "| Discord | terminal | what it does |\n| --- | --- | --- |\n".to_owned(),
    };
    let is_at = |place, command| Command::at(place).any(|known| known == command);
    let of = Command::ALL.iter().copied().filter(|command| is_for_hosts(*command) == for_hosts);
    for command in of {
        let (manifest, called) = (command.manifest(), command.called(lang));
        let cell = |place, words| if is_at(place, command) { words } else { String::new() };
        for below in manifest.below() {
            let (name, does) = (below.called(lang), below.described(lang));
            let terminal = cell(CommandPlace::Terminal, format!("`{called} {name}`"));
            writeln!(table, "| `/{called} {name}` | {terminal} | {does} |").unwrap();
        }
        if manifest.below().next().is_some() {
            continue;
        }
        let discord = cell(CommandPlace::Discord, format!("`/{called}`"));
        let terminal = cell(CommandPlace::Terminal, format!("`{}`", manifest.called(lang)));
        writeln!(table, "| {discord} | {terminal} | {} |", manifest.described(lang)).unwrap();
    }
    table
}

fn permissions(lang: Lang) -> String {
    let mut table = match lang {
        Lang::Ja => "| 権限 | 理由 |\n| --- | --- |\n".to_owned(),
        Lang::En => "| permission | why |\n| --- | --- |\n".to_owned(),
    };
    for permission in PERMISSIONS.iter() {
        writeln!(table, "| {} | {} |", permission.name.of(lang), permission.why.of(lang)).unwrap();
    }
    table
}

/// The program's output to a player who plays a turn and makes a decision.
struct Told {
    /// The echo of a declaration.
    echo: String,
    /// The echo, the seal and the beginning of the result.
    session: String,
    /// A game master's decision.
    action: String,
}

/// An input whose one-line refusal marks the end of all earlier output.
const REFUSED: (&str, [&str; 2]) = ("受領証 1", ["「受領証」", "“受領証”"]);

/// The number of lines of a result that are shown.
const LINES: usize = 24;

impl Told {
    async fn by_the_program(lang: Lang) -> Self {
        let database = Database::fresh().await;
        let words = match lang {
            Lang::Ja => [
                "桜",
                "2: タイアップ 3B 演出家3 4A 役者",
                "封",
                "gm 延長 2時間",
                "gm はい 電車の遅れ",
            ],
            Lang::En => [
                "Ann",
                "2: Tie-in 3B Director 3 4A Actor",
                "seal",
                "gm extend +2h",
                "gm yes the trains are late",
            ],
        };
        let [name, declared, seal, extend, yes] = words;
        let play = format!("play eitsuku --lang {lang} --seed 1182 --as {name} --pace");
        let mut command = shimekiri(&database.url, &play);
        command.arg("weekly sun 21:00 Asia/Tokyo");
        let mut person = Running::start(command);
        person.hear_one_of(&["ターン1", "turn 1", "Turn 1"]);
        answer(&mut person, None);
        let echo = shown(lang, declared, &answer(&mut person, Some(declared)));
        let rehearsed = shown(lang, extend, &answer(&mut person, Some(extend)));
        // The message to the table follows at some later time.
        let decided = answer(&mut person, Some(yes));
        let decided = shown(lang, yes, decided.lines().next().unwrap());
        person.type_lines(&[seal]);
        let sealed = person.hear_one_of(&["ターン2", "turn 2", "Turn 2"]);
        let lines: Vec<&str> = sealed.lines().filter(|line| !line.trim().is_empty()).collect();
        let is_result = |line: &&str| line.contains("行動結果") || line.contains("Results");
        let result = lines.iter().position(is_result).unwrap();
        // The lines after the phases are unpredictable, for example receipts.
        let done = (1..).zip(&lines[result..]);
        let done = done.take_while(|(line, text)| *line == 1 || !text.starts_with('●'));
        let result = done.map(|(_, text)| *text).take(LINES).collect::<Vec<_>>().join("\n");
        let sealed = shown(lang, seal, &format!("…\n{result}\n…"));
        let fenced = |text: &str| format!("```text\n{text}```\n");
        person.type_lines(&["quit"]);
        let _ = person.end();
        Self {
            session: fenced(&format!("{echo}{sealed}")),
            echo: fenced(&echo),
            action: fenced(&format!("{rehearsed}{decided}")),
        }
    }
}

/// Returns the output to a line or, without one, the remaining output.
fn answer(person: &mut Running, line: Option<&str>) -> String {
    person.type_lines(line.as_slice());
    person.type_lines(&[REFUSED.0]);
    let mut said = person.hear_one_of(&REFUSED.1);
    person.hear("\n");
    said.truncate(said.rfind('\n').map_or(0, |end| end + 1));
    said
}

/// Returns a line with its output, with fixed dates.
fn shown(lang: Lang, line: &str, said: &str) -> String {
    let mut shown = format!("> {line}\n");
    for line in said.lines().filter(|line| !line.trim().is_empty()) {
        let line = on_a_day(lang, line.trim_end());
        writeln!(shown, "{line}").unwrap();
    }
    shown
}

/// Replaces all dates in a line by a fixed one.
fn on_a_day(lang: Lang, line: &str) -> String {
    let (day, is_day): (&str, fn(&str) -> Option<usize>) = match lang {
        Lang::Ja => ("11月22日", |text| {
            let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            let month = digits(text);
            let rest = text[month..].strip_prefix('月').filter(|_| month > 0)?;
            let days = digits(rest);
            rest[days..].strip_prefix('日').filter(|_| days > 0).map(|rest| text.len() - rest.len())
        }),
        Lang::En => ("Sun 22 Nov", |text| {
            let weekday = text.get(..4).filter(|it| it.trim_end() == "Sun" && it.ends_with(' '))?;
            let (number, rest) = text[weekday.len()..].split_once(' ')?;
            let month =
                rest.get(..3).filter(|it| it.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
            number.parse::<u8>().ok()?;
            Some(weekday.len() + number.len() + 1 + month.len())
        }),
    };
    let mut told = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        if let Some(length) = is_day(rest) {
            told.push_str(day);
            rest = &rest[length..];
        } else {
            told.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    told
}

#[test]
fn days_are_those_of_the_document() {
    assert_eq!(on_a_day(Lang::Ja, "締め切り：1月3日(日)21:00"), "締め切り：11月22日(日)21:00");
    assert_eq!(on_a_day(Lang::En, "(Sun 3 Jan, 21:00 JST)"), "(Sun 22 Nov, 21:00 JST)");
    assert_eq!(on_a_day(Lang::Ja, "3月"), "3月");
}

/// Returns the section of a document with a heading of the second level.
fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let (_, from) = document.split_once(&format!("\n## {heading}\n")).unwrap();
    from.split_once("\n## ").map_or(from, |(section, _)| section)
}

/// Returns the texts in backquotes in the first cells of a section's tables.
fn examples(section: &str) -> impl Iterator<Item = &str> {
    let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2))
}

#[test]
fn whatever_the_guides_write_of_pace_and_absence_is_understood() {
    let tokyo = chrono_tz::Asia::Tokyo;
    for (lang, [pace, absence]) in
        [(Lang::Ja, ["進行", "欠席ルール"]), (Lang::En, ["Pace", "Absence policy"])]
    {
        let document = std::fs::read_to_string(guide(lang, "hosting")).unwrap();
        let [pace, absence] = [section(&document, pace), section(&document, absence)];
        for example in examples(pace) {
            let alone = Pace::read(example, tokyo);
            let added = Pace::read(&format!("2h {example}"), tokyo);
            let daily = Pace::read(&format!("daily 21:00 {example}"), tokyo);
            assert!(alone.is_ok() || added.is_ok() || daily.is_ok(), "{example}: {daily:?}");
        }
        for example in examples(absence) {
            let read = Absence::read(example, &Absence::default());
            assert!(read.is_ok(), "{example}: {read:?}");
        }
        for (file, section) in [("pace", pace), ("absence", absence)] {
            let section = section.to_lowercase();
            let is_said =
                |words: &[String]| words.iter().any(|word| section.contains(word.as_str()));
            let words = words_of(file, lang).into_iter();
            let unsaid = words.filter(|(_, words)| !words.is_empty() && !is_said(words));
            assert_eq!(unsaid.collect::<Vec<_>>(), [], "{lang}: what is not explained of {file}");
        }
    }
}

/// Returns the words of a data file for a line that a host sets, by their meaning.
fn words_of(file: &str, lang: Lang) -> BTreeMap<String, Vec<String>> {
    let data = std::fs::read_to_string(format!("data/desk/{file}.toml")).unwrap();
    let data: toml::Table = toml::from_str(&data).unwrap();
    let words = data["word"].as_table().unwrap().iter();
    let of = |list: &toml::Value| {
        let list = list[lang.code()].as_array().unwrap().iter();
        list.map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    words.map(|(concept, list)| (concept.clone(), of(list))).collect()
}

#[test]
fn every_metric_that_is_watched_is_explained() {
    let watched: String = ["deploy/alerts.yaml", "deploy/grafana.json"]
        .map(|file| std::fs::read_to_string(file).unwrap())
        .concat();
    let names = watched.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    for name in names.filter_map(|name| name.strip_prefix("shimekiri_")) {
        let name = name.trim_end_matches("_bucket").trim_end_matches("_count");
        for lang in Lang::ALL {
            let guide = std::fs::read_to_string(guide(lang, "operating")).unwrap();
            assert!(guide.contains(name.trim_end_matches("_sum")), "{lang}: {name}");
        }
    }
}

/// Returns the paths of all documents.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        ["README.md", "README.ja.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(PathBuf::from).into();
    let mut folders = vec![PathBuf::from("docs"), PathBuf::from("tests/stories")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|it| it.is_alphanumeric() || [' ', '-', '_'].contains(it));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// Returns the link targets of a document, with those of its pictures.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let behind = |mark: &'static str, end: char| {
        text.split(mark).skip(1).filter_map(move |rest| rest.split_once(end).map(|(link, _)| link))
    };
    behind("](", ')').chain(behind("src=\"", '"')).filter(|link| !link.contains("://"))
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for link in links(&text) {
            let (file, heading) = link.split_once('#').map_or((link, None), |(f, h)| (f, Some(h)));
            let path = match file {
                "" => document.clone(),
                file => document.parent().unwrap().join(file),
            };
            assert!(path.exists(), "{}: {link}", document.display());
            if let Some(heading) = heading {
                let text = std::fs::read_to_string(&path).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let is_it = |line: &str| anchor(line.trim_start_matches('#')) == heading;
                assert!(headings.any(is_it), "{}: {link}", document.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} links");
}

/// Every document that the program or its files name exists.
#[test]
fn every_document_that_is_named_is_there() {
    let mut named = 0;
    for folder in ["src", "templates", "commands", "data", "deploy", "benches"] {
        for file in files(Path::new(folder)) {
            named += documents_named_in(&file);
        }
    }
    for file in ["config.toml", "compose.yaml", "Dockerfile"] {
        named += documents_named_in(Path::new(file));
    }
    assert!(named > 4, "{named} documents");
}

fn documents_named_in(file: &Path) -> usize {
    let Ok(text) = std::fs::read_to_string(file) else { return 0 };
    let mut named = 0;
    for (at, _) in text.match_indices("docs/") {
        let rest = &text[at..];
        let Some(end) = rest.find(".md") else { continue };
        let path = &rest[..end + 3];
        if path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/_.".contains(&byte)) {
            assert!(Path::new(path).exists(), "{}: {path}", file.display());
            named += 1;
        }
    }
    named
}

/// Returns all files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Every guide exists in both languages, with headings of the same levels in the same order.
#[test]
fn the_guides_of_both_languages_have_the_same_headings() {
    let headings = |path: &Path| -> Vec<usize> {
        let text = std::fs::read_to_string(path).unwrap();
        let mut is_code = false;
        let mut levels = Vec::new();
        for line in text.lines() {
            is_code ^= line.starts_with("```");
            let level = line.chars().take_while(|c| *c == '#').count();
            levels.extend((level > 0 && !is_code).then_some(level));
        }
        levels
    };
    let names = |lang: &str| -> BTreeSet<OsString> {
        let entries = std::fs::read_dir(format!("docs/{lang}")).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(names("ja"), names("en"));
    for name in names("en") {
        let [ja, en] =
            ["docs/ja", "docs/en"].map(|folder| headings(&Path::new(folder).join(&name)));
        assert_eq!(ja, en, "{}", name.display());
    }
}

/// The length of README allows reading it whole.
#[test]
fn readme_is_short() {
    let text = std::fs::read_to_string(README).unwrap();
    let words = text.split_whitespace().count();
    assert!(words <= 1500, "{words} words");
}
