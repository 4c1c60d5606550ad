//! The configuration: its file, the environment over it, and a sentence for every fault.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use terminal::config::{BUILT_IN, Config, ConfigFaults};
use toml::Table;

fn read(variables: &[(&str, &str)]) -> Result<Config, ConfigFaults> {
    Config::read(variables.iter().map(|(name, value)| (OsString::from(name), value.into())))
}

/// Returns every section, key and default of the built-in file.
fn keys() -> Vec<(String, String, toml::Value)> {
    let sections: Table = toml::from_str(BUILT_IN).unwrap();
    let mut keys = Vec::new();
    for (section, values) in sections {
        for (key, value) in values.as_table().unwrap().clone() {
            keys.push((section.clone(), key, value));
        }
    }
    keys
}

fn variable(section: &str, key: &str) -> String {
    format!("SHIMEKIRI_{}_{}", section.to_uppercase(), key.to_uppercase())
}

#[test]
fn the_file_is_what_is_built_in_and_in_effect() {
    assert_eq!(fs::read_to_string("config.toml").unwrap(), BUILT_IN);
    let effective = read(&[]).unwrap().to_toml();
    let effective: Table = toml::from_str(&effective).unwrap();
    let mut said: Table = toml::from_str(BUILT_IN).unwrap();
    // A time is written in the largest units.
    said["clock"]["outage"] = "1m".into();
    assert_eq!(effective, said);
}

#[test]
fn every_key_is_explained_in_both_languages_above_it() {
    let lines: Vec<&str> = BUILT_IN.lines().collect();
    for (section, key, _) in keys() {
        let start = lines.iter().position(|line| *line == format!("[{section}]")).unwrap();
        let at = lines[start..].iter().position(|line| line.starts_with(&format!("{key} = ")));
        let above = lines[..start + at.unwrap()].iter().rev();
        let above: Vec<&&str> = above.take_while(|line| line.starts_with("# ")).collect();
        assert!(above.len() >= 2, "{section}.{key}");
        assert!(!above[0].is_ascii(), "{section}.{key} in Japanese");
        assert!(above.iter().any(|line| line.is_ascii()), "{section}.{key} in English");
        assert!(above.iter().any(|line| line.contains("Example: ")), "{section}.{key}");
    }
}

#[test]
fn every_key_can_be_overridden_by_the_environment() {
    for (section, key, default) in keys() {
        let other = match (section.as_str(), key.as_str()) {
            ("host", "language") => "ja",
            ("pace", "default") => "weekly sat 9:00",
            ("pace", "zone") => "Europe/Berlin",
            ("letters", "folder") => "letters",
            ("discord", "api") => "https://discord.example",
            ("discord", "guild") => "7",
            ("discord", "per_person") => "10",
            ("discord", "rest") => "3s",
            ("pictures", "font") => "font.ttf",
            ("pictures", "show") => "false",
            ("database", "url") => "postgres://u@host/db",
            ("database", "connections") => "20",
            ("backup", "every") => "12h",
            ("backup", "keep") => "14",
            ("backup", "folder") => "copies",
            ("data", "sets") => "sets",
            ("courier", "retry") => "1m",
            ("clock", "beat") => "5s",
            ("clock", "outage") => "2m",
            ("health", "address") => "0.0.0.0:80",
            ("log", "level") => "debug,sqlx=warn",
            ("log", "format") => "json",
            unknown => panic!("{unknown:?} has no example here"),
        };
        let config = read(&[(&variable(&section, &key), other)]).unwrap();
        let effective: Table = toml::from_str(&config.to_toml()).unwrap();
        let effective = &effective[&section][&key];
        assert_eq!(effective.to_string().trim_matches('"'), other);
        assert_ne!(effective, &default);
        assert_eq!(config.log.is_set, key == "level");
    }
}

// --- The program ---

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let of_process = format!("shimekiri-config-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(of_process);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs `check --config` in this folder. Returns the output, the complaints and the exit code.
    fn check(&self, variables: &[(&str, &str)]) -> (String, String, i32) {
        let mut command = Command::new(kit::program::path());
        command.args(["check", "--config"]).current_dir(&self.0);
        let ended = command.envs(variables.iter().copied()).output().unwrap();
        let (out, complaints) = (String::from_utf8(ended.stdout), String::from_utf8(ended.stderr));
        (out.unwrap(), complaints.unwrap(), ended.status.code().unwrap())
    }

    fn file(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The temporary folder is the place for files that cannot be removed.
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Case {
    file: &'static str,
    variables: &'static [(&'static str, &'static str)],
    /// The essential words of each sentence, in both languages.
    told: [&'static [&'static [&'static str]]; 2],
}

const SECRET: &str = "hunter2";

const CASES: &[Case] = &[
    Case {
        file: "# mine\n[clok]\nbeat = \"5s\"\n",
        variables: &[],
        told: [
            &[&["config.toml:2：", "[clok] はありません", "[clock]"]],
            &[&["config.toml:2: ", "no section [clok]", "did you mean [clock]?"]],
        ],
    },
    Case {
        file: "language = \"ja\"\n",
        variables: &[],
        told: [
            &[&["config.toml:1：", "language", "[host] の下"]],
            &[&["config.toml:1: ", "language", "below [host]"]],
        ],
    },
    Case {
        file: "[clock]\n\nbaet = \"5s\"\n",
        variables: &[],
        told: [
            &[&["config.toml:3：", "baet という項目はありません", "もしかして：beat"]],
            &[&["config.toml:3: ", "no key baet", "did you mean beat?"]],
        ],
    },
    Case {
        file: "log = 3\n",
        variables: &[],
        told: [
            &[&["config.toml:1：", "log にはセクション", "整数は使えません"]],
            &[&["config.toml:1: ", "log takes a section", "not a whole number"]],
        ],
    },
    // All faults together, in the order of their lines, and the environment last.
    Case {
        file: "[clock]\nbeat = 5\noutage = \"2d\"\n[database]\nconnections = \"many\"\n",
        variables: &[
            ("SHIMEKIRI_COURIER_RETRY", "99ms"),
            ("SHIMEKIRI_DATABASE_CONNECTIONS", "101"),
            ("SHIMEKIRI_LOG_FROMAT", "json"),
        ],
        told: [
            &[
                &["config.toml:2：", "clock.beat には引用符付きの文字列", "整数は", "10s"],
                &["config.toml:3：", "100ms から 1day まで", "2d は"],
                &["config.toml:5：", "database.connections には整数", "文字列は", "8"],
                &["SHIMEKIRI_COURIER_RETRY：", "100ms から 1day まで", "99ms は"],
                &["SHIMEKIRI_DATABASE_CONNECTIONS：", "1 から 100 まで", "101 は"],
                &["SHIMEKIRI_LOG_FROMAT：", "環境変数はありません", "SHIMEKIRI_LOG_FORMAT"],
            ],
            &[
                &["config.toml:2: ", "clock.beat takes a text", "not a whole", "\"10s\""],
                &["config.toml:3: ", "from 100ms to 1day, not 2d"],
                &["config.toml:5: ", "connections takes a whole number", "not a text", "8"],
                &["SHIMEKIRI_COURIER_RETRY: ", "from 100ms to 1day, not 99ms"],
                &["SHIMEKIRI_DATABASE_CONNECTIONS: ", "from 1 to 100, not 101"],
                &["SHIMEKIRI_LOG_FROMAT: ", "no such", "SHIMEKIRI_LOG_FORMAT"],
            ],
        ],
    },
    Case {
        file: "[clock]\noutage = \"5s\"\n[courier]\nretry = \"10\"\n[pace]\nzone = \"Asia/Tokio\"\n\
               [log]\nlevel = \"inof\"\nformat = \"jsno\"\n[database]\nconnections = 0\n",
        variables: &[("SHIMEKIRI_DATABASE_URL", "mysql://u:hunter2@host/db")],
        told: [
            &[
                &["config.toml:2：", "clock.outage（5s）", "clock.beat（10s）より長く"],
                &["config.toml:4：", "「10」は courier.retry の値として読み取れません", "「30s」"],
                &["config.toml:6：", "「Asia/Tokio」", "もしかして：Asia/Tokyo"],
                &["config.toml:8：", "「inof」", "もしかして：info", "warn"],
                &["config.toml:9：", "「jsno」", "もしかして：json", "text"],
                &["config.toml:11：", "1 から 100 まで", "0 は"],
                &["SHIMEKIRI_DATABASE_URL：", "使えるデータベースを指していません", "postgres://"],
            ],
            &[
                &["config.toml:2: ", "clock.outage (5s) must be longer than clock.beat (10s)"],
                &["config.toml:4: ", "“10” cannot be read as courier.retry", "“30s”"],
                &["config.toml:6: ", "“Asia/Tokio”", "“Asia/Tokyo”"],
                &["config.toml:8: ", "“inof”", "“info”", "warn"],
                &["config.toml:9: ", "“jsno”", "“json”", "text"],
                &["config.toml:11: ", "from 1 to 100, not 0"],
                &["SHIMEKIRI_DATABASE_URL: ", "not a known database", "postgres://"],
            ],
        ],
    },
    Case {
        file: "[pictures]\nshow = \"no\"\n",
        variables: &[("SHIMEKIRI_PICTURES_SHOW", "flase")],
        told: [
            &[
                &["config.toml:2：", "pictures.show には", "true"],
                &["SHIMEKIRI_PICTURES_SHOW：", "「flase」", "もしかして：false", "true"],
            ],
            &[
                &["config.toml:2: ", "pictures.show takes true or false", "not a text"],
                &["SHIMEKIRI_PICTURES_SHOW: ", "“flase”", "“false”", "true"],
            ],
        ],
    },
    Case {
        file: "[database]\nurl = \"postgres://u:hunter2@host/db\"\n",
        variables: &[],
        told: [
            &[&[
                "config.toml:2：",
                "database.url にパスワードは書けません",
                "SHIMEKIRI_DATABASE_URL ",
            ]],
            &[&["config.toml:2: ", "database.url must not hold a password", "URL_FILE"]],
        ],
    },
    Case {
        file: "[database]\nurl = \"postgres://u:hunter2@host/db\n",
        variables: &[],
        told: [
            &[&["config.toml:2：", "TOMLとして読み取れません"]],
            &[&["config.toml:2: ", "not TOML", "beat = \"10s\""]],
        ],
    },
    Case {
        file: "",
        variables: &[("SHIMEKIRI_CONFIG", "missing.toml")],
        told: [
            &[&["SHIMEKIRI_CONFIG：", "missing.toml を読めません"]],
            &[&["SHIMEKIRI_CONFIG: ", "missing.toml cannot be read"]],
        ],
    },
    Case {
        file: "",
        variables: &[("SHIMEKIRI_DATABASE_URL_FILE", "missing")],
        told: [
            &[&["SHIMEKIRI_DATABASE_URL_FILE：", "missing を読めません"]],
            &[&["SHIMEKIRI_DATABASE_URL_FILE: ", "missing cannot be read"]],
        ],
    },
    Case {
        file: "",
        variables: &[
            ("SHIMEKIRI_DATABASE_URL_FILE", "url"),
            ("SHIMEKIRI_DATABASE_URL", "postgres://u:hunter2@host/db"),
        ],
        told: [
            &[&["SHIMEKIRI_DATABASE_URL_FILE：", "SHIMEKIRI_DATABASE_URL も", "どちらか一方"]],
            &[&["SHIMEKIRI_DATABASE_URL_FILE: ", "SHIMEKIRI_DATABASE_URL is set too", "one"]],
        ],
    },
    Case {
        file: "[log]\nlevel = \"lots\"\n",
        variables: &[],
        told: [
            &[&["config.toml:2：", "「lots」は使えません。（一覧：off、error"]],
            &[&["config.toml:2: ", "cannot be “lots” (available: off, error"]],
        ],
    },
    // Faults that only the parsers of paces and folders find.
    Case {
        file: "[pace]\ndefault = \"banana\"\n[letters]\nfolder = \"nowhere\"\n",
        variables: &[],
        told: [
            &[
                &[
                    "config.toml:2：",
                    "pace.default の「banana」",
                    "「banana」は進行の言葉にありません",
                ],
                &[
                    "config.toml:4：",
                    "letters.folder の「nowhere」",
                    "フォルダとして使えません：見つかりません。",
                ],
            ],
            &[
                &[
                    "config.toml:2: ",
                    "“banana” of pace.default",
                    "“banana” is not a word for the pace",
                ],
                &["config.toml:4: ", "letters.folder is not a readable folder", "“nowhere”"],
            ],
        ],
    },
    Case {
        file: "",
        variables: &[("SHIMEKIRI_PACE_DEFAULT", "daily 21:00 postgres://u:hunter2@host/db")],
        told: [
            &[&["SHIMEKIRI_PACE_DEFAULT：", "u:***@host"]],
            &[&["SHIMEKIRI_PACE_DEFAULT: ", "u:***@host"]],
        ],
    },
    // Both kinds of faults together.
    Case {
        file: "[pace]\ndefault = \"sometimes\"\nzone = \"Asia/Tokio\"\n",
        variables: &[("SHIMEKIRI_DATABASE_URL", "sqlite:")],
        told: [
            &[
                &["config.toml:3：", "「Asia/Tokio」", "もしかして：Asia/Tokyo"],
                &["SHIMEKIRI_DATABASE_URL：", "database.url にファイルの名前がありません"],
                &["config.toml:2：", "pace.default の「sometimes」"],
            ],
            &[
                &["config.toml:3: ", "“Asia/Tokio”", "“Asia/Tokyo”"],
                &[
                    "SHIMEKIRI_DATABASE_URL: ",
                    "database.url has no file name",
                    "sqlite:shimekiri.db",
                ],
                &["config.toml:2: ", "“sometimes” of pace.default"],
            ],
        ],
    },
    // A password in the wrong place.
    Case {
        file: "[log]\nlevel = \"postgres://u:hunter2@host/db\"\n",
        variables: &[("SHIMEKIRI_PACE_ZONE", "postgres://u:hunter2@host/db")],
        told: [
            &[&["config.toml:2：", "log.level"], &["SHIMEKIRI_PACE_ZONE：", "u:***@host"]],
            &[&["config.toml:2: ", "log.level"], &["SHIMEKIRI_PACE_ZONE: ", "u:***@host"]],
        ],
    },
];

#[test]
fn whatever_is_wrong_is_told_at_once_and_ends_with_two() {
    let folder = Folder::new("faults");
    for case in CASES {
        folder.file("config.toml", case.file);
        for (lang, told) in ["ja", "en"].into_iter().zip(case.told) {
            let mut variables = vec![("SHIMEKIRI_HOST_LANGUAGE", lang)];
            variables.extend(case.variables);
            let (out, complaints, code) = folder.check(&variables);
            assert_eq!((out.as_str(), code), ("", 2), "{complaints}");
            let lines: Vec<&str> = complaints.lines().collect();
            assert_eq!(lines.len(), told.len(), "{complaints}");
            for (line, words) in lines.iter().zip(told) {
                for word in *words {
                    assert!(line.contains(word), "{word:?} is not in\n{line}");
                }
                assert!(line.starts_with(words[0]), "{line}");
            }
            assert!(!complaints.contains(SECRET), "{complaints}");
        }
    }
}

#[test]
fn a_language_that_is_said_counts_more_than_the_configured_one() {
    let folder = Folder::new("said");
    folder.file("config.toml", "[host]\nlanguage = \"ja\"\n[pace]\ndefault = \"banana\"\n");
    for verb in ["check", "serve --check", "backup copy.db", "simulate eitsuku"] {
        let mut command = Command::new(kit::program::path());
        let words = verb.split(' ').chain(["--lang", "en"]);
        let ended = command.args(words).current_dir(&folder.0).output().unwrap();
        let complaints = String::from_utf8(ended.stderr).unwrap();
        assert!(complaints.starts_with("config.toml:4: the pace"), "{verb}: {complaints}");
        assert_eq!(ended.status.code(), Some(2), "{verb}");
    }
}

#[test]
fn a_language_that_does_not_exist_is_told() {
    let folder = Folder::new("language");
    let (_, complaints, code) = folder.check(&[("SHIMEKIRI_HOST_LANGUAGE", "jp")]);
    assert_eq!(code, 2);
    for word in ["SHIMEKIRI_HOST_LANGUAGE", "jp", "ja", "en"] {
        assert!(complaints.contains(word), "{complaints}");
    }
}

#[test]
fn a_font_that_is_none_is_told() {
    let folder = Folder::new("font");
    folder.file("font.ttf", "no font");
    let font = ("SHIMEKIRI_PICTURES_FONT", "font.ttf");
    let (out, complaints, code) = folder.check(&[("SHIMEKIRI_HOST_LANGUAGE", "ja"), font]);
    assert_eq!((complaints.as_str(), code), ("", 1));
    assert!(out.contains("pictures.font のフォント") && out.contains("font.ttf"), "{out}");
    let (out, _, code) = folder.check(&[font, ("SHIMEKIRI_PICTURES_SHOW", "false")]);
    assert!(out.ends_with("ok\n") && code == 0, "without pictures no font is needed: {out}");
}

#[test]
fn what_is_in_effect_is_shown_without_its_password() {
    let folder = Folder::new("effect");
    folder.file("config.toml", "[clock]\nbeat = \"1s\"\n");
    folder.file("mine.toml", "[clock]\nbeat = \"2s\"\noutage = \"2m\"\n");
    folder.file("url", "postgres://u:hunter2@host/db\n");
    let told = |variables: &[(&str, &str)]| {
        let (out, complaints, code) = folder.check(variables);
        assert_eq!((complaints.as_str(), code), ("", 0));
        assert!(out.contains("url = \"postgres://u:***@host/db\""), "{out}");
        assert!(out.ends_with("ok\n"), "{out}");
        assert!(!out.contains(SECRET), "{out}");
        out
    };
    let url = ("SHIMEKIRI_DATABASE_URL", "postgres://u:hunter2@host/db");
    let out = told(&[url, ("SHIMEKIRI_DIE_AT", "x")]);
    assert!(out.contains("beat = \"1s\""), "{out}");
    let file = ("SHIMEKIRI_DATABASE_URL_FILE", "url");
    let of_mine = [("SHIMEKIRI_CONFIG", "mine.toml"), ("SHIMEKIRI_CLOCK_BEAT", "3s")];
    let out = told(&[file, ("SHIMEKIRI_TEST_CLOCK", "x"), of_mine[0], of_mine[1]]);
    assert!(out.contains("beat = \"3s\"") && out.contains("outage = \"2m\""), "{out}");
}

#[test]
fn the_whole_url_is_there_to_connect_with_and_printed_nowhere() {
    let url = "postgres://u:hunter2@host/db";
    let config = read(&[("SHIMEKIRI_DATABASE_URL", url)]).unwrap();
    assert_eq!(config.database.url.with_password(), url);
    assert!(!config.database.url.is_sqlite());
    assert!(read(&[]).unwrap().database.url.is_sqlite());
    for shown in [format!("{config:?}"), config.to_toml(), config.database.url.to_string()] {
        assert!(!shown.contains(SECRET), "{shown}");
    }
}
