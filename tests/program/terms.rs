//! One term for one thing: texts for people use the terms of `data/terms.toml`, in one spelling and with one
//! punctuation. The words that people may type are wider, and are not checked.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use letters::Letters;
use toml::{Table, Value};

/// The placeholder of a template's value.
const FILLED: char = '\u{fffc}';

/// Files that quote, or that show input, with the reason.
const LEFT_OUT: [(&str, &str); 11] = [
    ("data/terms.toml", "it is the table itself"),
    ("desk/ja/times.md", "half width stays in a time, such as 11月24日(火)21:00"),
    ("eitsuku/ja/position.md", "the lines of state of stories, which are typed"),
    ("the_gang/ja/position.md", "the lines of state of stories, which are typed"),
    ("eitsuku/ja/samples.md", "examples of what is typed"),
    ("the_gang/ja/samples.md", "examples of what is typed"),
    ("gangster_paradise/ja/samples.md", "examples of what is typed"),
    ("guild_war/ja/position.md", "the lines of state of stories, which are typed"),
    ("guild_war/ja/samples.md", "examples of what is typed"),
    ("tag_g/ja/position.md", "the lines of state of stories, which are typed"),
    ("tag_g/ja/samples.md", "examples of what is typed"),
];

/// Words that contain a wrong term as a part.
const OTHER_WORDS: [&str; 16] = [
    "その他の",
    "部分か",
    "自分か",
    "半分か",
    "0分か",
    "5分か",
    "の事前",
    "フルハウス",
    "小(1)",
    "中(2)",
    "大(3)",
    "ジャック(J)",
    // Prefixes in declarations and promises, which are typed.
    "チャンス:",
    "情報網:",
    "もしストライキなら:",
    "sha256:",
];

/// Texts that may contain the second spelling of 締め切り, since it is typed or a name there.
const CLOSE: [&str; 3] = ["締切（close）", "締切：投稿で", "# 締切 Shimekiri"];

/// A line that people read.
struct Line {
    file: String,
    number: usize,
    is_japanese: bool,
    text: String,
}

/// The wrong terms, each with the right one.
struct Terms {
    not_ja: Vec<(String, String)>,
    not_en: Vec<(String, String)>,
    spelling: Vec<(String, String)>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_default()
}

fn parsed(file: &str) -> Table {
    toml::from_str(&read(file)).unwrap_or_default()
}

impl Terms {
    fn new() -> Self {
        let table = parsed("data/terms.toml");
        let mut terms = Self { not_ja: Vec::new(), not_en: Vec::new(), spelling: Vec::new() };
        for term in table["term"].as_array().into_iter().flatten() {
            for (not, right, all) in
                [("not_ja", "ja", &mut terms.not_ja), ("not_en", "en", &mut terms.not_en)]
            {
                for word in term.get(not).and_then(Value::as_array).into_iter().flatten() {
                    let right = term[right].as_str().unwrap_or_default();
                    all.push((word.as_str().unwrap_or_default().to_owned(), right.to_owned()));
                }
            }
        }
        for (word, right) in table["spelling"].as_table().into_iter().flatten() {
            let right = right.as_str().unwrap_or_default();
            terms.spelling.push((word.clone(), right.to_owned()));
        }
        terms
    }
}

/// Returns the files below a folder, in order.
fn files(folder: &str) -> Vec<String> {
    let mut all: Vec<PathBuf> = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(at) = open.pop() {
        if at.is_dir() {
            open.extend(fs::read_dir(&at).into_iter().flatten().flatten().map(|at| at.path()));
        } else {
            all.push(at);
        }
    }
    all.sort();
    let name = |at: &PathBuf| at.strip_prefix(root()).ok()?.to_str().map(str::to_owned);
    let all = all.iter().filter_map(name);
    all.filter(|file| is_read(file)).collect()
}

fn is_read(file: &str) -> bool {
    LEFT_OUT.iter().all(|(out, _)| *out != file)
}

const fn is_japanese(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '々')
}

/// Returns the text of a template: without its comments, with its strings, and with a placeholder for each
/// value.
fn of_template(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some(at) =
        rest.find("{{").into_iter().chain(rest.find("{%")).chain(rest.find("{#")).min()
    {
        let (before, tag) = rest.split_at(at);
        text.push_str(before);
        let close = if tag.starts_with("{{") {
            "}}"
        } else if tag.starts_with("{%") {
            "%}"
        } else {
            "#}"
        };
        let end = tag.find(close).map_or(tag.len(), |end| end + close.len());
        let (tag, after) = tag.split_at(end);
        if tag.starts_with("{{") {
            text.push(FILLED);
        }
        if !tag.starts_with("{#") {
            // A string within a tag is visible to readers.
            let strings =
                tag.split('"').skip(1).step_by(2).filter(|said| said.contains(is_japanese));
            strings.for_each(|said| text.push_str(said));
        }
        text.extend(tag.chars().filter(|c| *c == '\n'));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Returns a text without input in backticks, blocks of code, and link targets.
fn without_code(text: &str) -> String {
    let mut said = String::new();
    let mut is_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            let pieces: Vec<&str> = line.split('`').step_by(2).collect();
            let mut pieces = pieces.join("`");
            while let Some(at) = pieces.find("](") {
                let end = pieces[at..].find(')').map_or(pieces.len(), |end| at + end + 1);
                pieces.replace_range(at..end, "]");
            }
            said.push_str(&pieces);
        }
        said.push('\n');
    }
    said
}

fn lines(file: &str, text: &str, japanese: Option<bool>, all: &mut Vec<Line>) {
    for (at, line) in text.lines().enumerate() {
        let count = |is: fn(char) -> bool| line.chars().filter(|c| is(*c)).count();
        let is_mostly = count(is_japanese) > count(|c| c.is_ascii_alphabetic());
        let is_japanese = japanese.unwrap_or(is_mostly);
        let (file, text) = (file.to_owned(), line.to_owned());
        all.push(Line { file, number: at + 1, is_japanese, text });
    }
}

/// Collects the texts of a data file: the values under `ja` or `en`, and of a list of names the first one,
/// which is shown.
fn words(value: &Value, is_command: bool, all: &mut Vec<(bool, String)>) {
    if let Value::Array(list) = value {
        for value in list {
            words(value, is_command, all);
        }
    }
    for (key, value) in value.as_table().into_iter().flatten() {
        let lang = match key.as_str() {
            "ja" => Some(true),
            "en" => Some(false),
            "description" if is_command => Some(false),
            _ => None,
        };
        let first = value.as_array().and_then(|list| list.first()).unwrap_or(value);
        match (lang, first.as_str()) {
            (Some(is_japanese), Some(text)) => all.push((is_japanese, text.to_owned())),
            // The name of a command is typed.
            _ if key == "name_localizations" && !value.is_str() => {}
            _ => words(value, is_command, all),
        }
    }
}

/// Returns every line that people read. The rules in docs/rules quote their sources and keep their spelling.
fn all() -> Vec<Line> {
    let mut all = Vec::new();
    for (name, source) in Letters::built_in().texts() {
        if !is_read(&name) {
            continue;
        }
        if let [_, lang, _] = *name.split('/').collect::<Vec<_>>() {
            let text = without_code(&of_template(&source));
            lines(&name, &text, Some(lang == "ja"), &mut all);
        }
    }
    for lang in ["ja", "en"] {
        let page = format!("templates/page/{lang}/words.html");
        let text = without_code(&of_template(&read(&page)));
        lines(&page, &text, Some(lang == "ja"), &mut all);
    }
    let help = "templates/terminal/ja/help.toml";
    lines(help, &without_code(&read(help)), Some(true), &mut all);
    for (folder, is_command) in [("commands", true), ("data", false)] {
        for file in files(folder) {
            let mut said = Vec::new();
            words(&Value::Table(parsed(&file)), is_command, &mut said);
            for (is_japanese, text) in said {
                all.push(Line { file: file.clone(), number: 0, is_japanese, text });
            }
        }
    }
    for lang in ["ja", "en"] {
        for file in files(&format!("docs/{lang}")) {
            lines(&file, &without_code(&read(&file)), Some(lang == "ja"), &mut all);
        }
    }
    lines("README.md", &without_code(&read("README.md")), None, &mut all);
    lines("README.ja.md", &without_code(&read("README.ja.md")), Some(true), &mut all);
    let config = read("config.toml");
    let comments: Vec<&str> = config
        .lines()
        .map(|line| line.find('#').map_or("", |at| &line[at..]))
        .map(|line| if line.contains(is_japanese) { line } else { "" })
        .collect();
    lines("config.toml", &comments.join("\n"), Some(true), &mut all);
    all
}

/// Finds a half-width mark in a Japanese sentence.
fn half_width(text: &str) -> Option<char> {
    let said: Vec<char> = text.chars().collect();
    let is_said =
        |c: &char| *c == FILLED || is_japanese(*c) || "「」『』【】（）、。：★".contains(*c);
    said.iter().enumerate().find_map(|(at, mark)| {
        let before = at.checked_sub(1).and_then(|at| said.get(at));
        let is_near = before.is_some_and(is_said) || said.get(at + 1).is_some_and(is_said);
        (is_near && ":()!?".contains(*mark)).then_some(*mark)
    })
}

/// True if 締切 is used for 締め切り, neither in input nor in a pace.
fn is_short_for_deadline(text: &str) -> bool {
    let prose = CLOSE.iter().fold(text.to_owned(), |text, it| text.replace(it, ""));
    let pieces: Vec<&str> = prose.split("締切").collect();
    pieces.windows(2).any(|around| {
        let (before, after) = (around[0], around[1]);
        let is_pace = before.ends_with(|c: char| c.is_ascii_digit() || c == FILLED);
        let is_quoted = before.ends_with('「') && after.starts_with('」');
        let is_typed = before.ends_with("gm ") || before.is_empty() && after.is_empty();
        !(is_pace || is_quoted || is_typed || before.ends_with('　') && after.starts_with('（'))
    })
}

/// Returns the faults of a line.
fn faults(line: &Line, terms: &Terms) -> Vec<String> {
    let mut found = Vec::new();
    if !line.is_japanese {
        let text = line.text.to_lowercase();
        for (word, right) in &terms.not_en {
            if text.contains(&word.to_lowercase()) {
                found.push(format!("“{word}” is called “{right}”"));
            }
        }
        return found;
    }
    let text = OTHER_WORDS.iter().fold(line.text.clone(), |text, it| text.replace(it, ""));
    for (word, right) in &terms.not_ja {
        if text.contains(word.as_str()) {
            found.push(format!("「{word}」 is called 「{right}」"));
        }
    }
    for (word, right) in &terms.spelling {
        if text.contains(word.as_str()) {
            found.push(format!("「{word}」 is spelt 「{right}」"));
        }
    }
    if is_short_for_deadline(&text) {
        found.push("「締切」 is spelt 「締め切り」".to_owned());
    }
    if let Some(mark) = half_width(&text) {
        found.push(format!("“{mark}” is half-width in a Japanese sentence"));
    }
    found
}

#[test]
fn one_word_for_one_thing() {
    let (all, terms) = (all(), Terms::new());
    assert!(all.len() > 5_000 && terms.not_ja.len() > 40, "too little is looked at");
    let mut told = String::new();
    let mut count = 0;
    for line in &all {
        for fault in faults(line, &terms) {
            count += 1;
            let (file, number, text) = (&line.file, line.number, line.text.trim());
            let _ = writeln!(told, "{file}:{number}: {fault}: {text}");
        }
    }
    assert!(told.is_empty(), "{count} words that are not used:\n{told}");
}

#[test]
fn what_is_not_used_is_found() {
    let terms = Terms::new();
    let found = |is_japanese, text: &str| {
        let text = text.to_owned();
        faults(&Line { file: String::new(), number: 1, is_japanese, text }, &terms).len()
    };
    for wrong in
        ["ハウスプレイヤー", "出来る", "理由:はい", "席(P1)", "今すぐ締切ります", "分からない"]
    {
        assert!(found(true, wrong) > 0, "{wrong}");
    }
    for right in
        ["理由：はい", "席（P1）", "21:00まで", "「締切」と入力", "部分から", "その他のもの"]
    {
        assert_eq!(found(true, right), 0, "{right}");
    }
    assert!(found(false, "A house player sits here") > 0);
    assert_eq!(found(false, "A bot sits here"), 0);
}
