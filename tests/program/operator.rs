//! Situations of an operator: full disks, missing, incomplete or read-only databases, and the help of the
//! command line.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use games::GAMES;
use serde_json::Value as Json;
use sqlx::{AnyConnection, Connection, Executor};

use kit::database::Database;
use kit::program::{Running, shimekiri, shimekiri_at};

/// Runs a program. Returns its output, its complaints, and its exit code.
fn ended(mut command: Command) -> (String, String, i32) {
    command.env("LANG", "C").env("SHIMEKIRI_PICTURES_SHOW", "false");
    // Tests run concurrently, and would find the port in use.
    if !command.get_envs().any(|(name, _)| name == "SHIMEKIRI_HEALTH_ADDRESS") {
        command.env("SHIMEKIRI_HEALTH_ADDRESS", "");
    }
    let ended = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(ended.stdout), text(ended.stderr), ended.status.code().unwrap())
}

/// Runs the program with a limit on the size of its files, in pieces of 512 bytes.
fn short_of_room(url: &str, pieces: u32, words: &[&str]) -> (String, String, i32) {
    let mut command = Command::new("sh");
    let script = format!("ulimit -f {pieces}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, &kit::program::path()]).args(words);
    command.env("SHIMEKIRI_DATABASE_URL", url);
    ended(command)
}

/// Plays a table to its end. Returns its code.
fn over(url: &str) -> String {
    let mut command = shimekiri(url, "play eitsuku --lang en --seed 10715");
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"end\nend\n").unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let (_, code) = said.split_once("You can look back at table ").unwrap();
    code[..5].to_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn check(what: &str, told: &str, words: &[&str]) {
    for word in words {
        assert!(told.contains(word), "{what}: {word:?} is not in\n{told}");
    }
}

/// An incomplete file is removed, so that a retry can write it.
#[tokio::test]
async fn what_could_not_be_written_whole_is_not_there() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let code = over(url);
    // The files beside an open embedded database have their full length.
    sqlx::any::install_default_drivers();
    let mut open = AnyConnection::connect(url).await.unwrap();
    open.execute("select count(*) from tables").await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (copy, file, page) = (place("copy"), place("table.jsonl"), place("page.html"));
    for (words, made) in [
        (vec!["backup", &copy], "was backed up"),
        (vec!["export", &code, &file], "written"),
        (vec!["replay", &code, "--html", &page], "written"),
    ] {
        let (out, complaint, exit) = short_of_room(url, 8, &words);
        assert_eq!((out.as_str(), exit), ("", 2), "{words:?} {complaint}");
        assert_eq!(complaint.trim().lines().count(), 1, "{complaint}");
        assert_eq!(names(folder.path()), [""; 0], "{words:?}");
        let (out, complaint, exit) = ended(shimekiri(url, &words.join(" ")));
        assert_eq!((complaint.as_str(), exit), ("", 0), "{words:?}");
        check("made", &out, &[made]);
        let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let rights = file.metadata().unwrap().permissions().mode();
        assert!(words[0] != "backup" || rights.trailing_zeros() >= 6, "{rights:o}");
        let (_, complaint, exit) = ended(shimekiri(url, &words.join(" ")));
        check("again", &complaint, &["already exists"]);
        assert_eq!(exit, 2);
        fs::remove_file(file).unwrap();
    }
}

/// The reason of a failure is in the reader's language, even if the system's message is in English.
#[tokio::test]
async fn what_is_in_the_way_is_told_in_japanese() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    let code = over(url);
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere").join("file").display().to_string();
    let page = folder.path().join("page.html").display().to_string();
    let in_japanese = |told: (String, String, i32), word: &str| {
        let (out, complaint, exit) = told;
        assert_eq!((out.as_str(), exit), ("", 2), "{complaint}");
        check("why", &complaint, &[word]);
        for english in ["error", "room", "database ", "directory", "denied"] {
            assert!(!complaint.contains(english), "{complaint}");
        }
    };
    for words in [
        format!("backup {nowhere} --lang ja"),
        format!("export {code} {nowhere} --lang ja"),
        format!("replay {code} --html {nowhere} --lang ja"),
        format!("verify {nowhere} --lang ja"),
    ] {
        in_japanese(ended(shimekiri(url, &words)), "ません");
    }
    // The files beside an open embedded database have their full length.
    sqlx::any::install_default_drivers();
    let mut open = AnyConnection::connect(url).await.unwrap();
    open.execute("select count(*) from tables").await.unwrap();
    let words = ["replay", &code, "--html", &page, "--lang", "ja"];
    in_japanese(short_of_room(url, 8, &words), "許される長さ");
}

/// A database without room for its schema is reported, and is not used.
#[test]
fn a_schema_that_cannot_be_made_stops_the_program() {
    for pieces in [100, 200, 300] {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("small.db").display());
        for words in [&["serve"][..], &["serve"], &["serve", "--check"], &["play", "eitsuku"]] {
            let began = Instant::now();
            let (out, complaint, exit) = short_of_room(&url, pieces, words);
            assert_eq!((out.as_str(), exit), ("", 75), "{pieces} {complaint}");
            assert_eq!(complaint.trim().lines().count(), 1, "{complaint}");
            check("why", &complaint, &["cannot be reached now", "disk I/O error"]);
            assert!(began.elapsed() < Duration::from_secs(30));
        }
        // With room, the schema is completed.
        let (_, _, exit) = ended(shimekiri(&url, "stats"));
        assert_eq!(exit, 0);
    }
}

#[tokio::test]
async fn a_database_that_is_not_whole_is_not_used() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    over(url);
    sqlx::any::install_default_drivers();
    let mut open = AnyConnection::connect(url).await.unwrap();
    open.execute("drop table heard").await.unwrap();
    for (lang, word) in [("en", "cannot be used"), ("ja", "使えません")] {
        for verb in ["serve", "serve --check", "stats"] {
            let words = format!("{verb} --lang {lang}");
            let (out, complaint, exit) = ended(shimekiri(url, &words));
            assert_eq!((out.as_str(), exit), ("", 2), "{words} {complaint}");
            check(verb, &complaint, &[word, "heard"]);
        }
    }
}

/// Before the first start the folder is empty, and reading creates no file.
#[test]
fn in_a_fresh_folder_it_is_said_what_will_be() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("tables.db").display());
    for (lang, ready, yet) in [("en", "makes it", "yet"), ("ja", "作ります", "まだありません")]
    {
        let (_, said, exit) = ended(shimekiri(&url, &format!("serve --check --lang {lang}")));
        assert_eq!(exit, 0, "{said}");
        check("check", &said, &[ready, &url, "DISCORD_TOKEN"]);
        let copy = folder.path().join("copy").display().to_string();
        for verb in ["stats", "verify K7Q2T", "export K7Q2T", &format!("backup {copy}")] {
            let (out, said, exit) = ended(shimekiri(&url, &format!("{verb} --lang {lang}")));
            assert_eq!((out.as_str(), exit), ("", 2), "{verb}");
            check(verb, &said, &[yet, &url]);
        }
        let mut command = shimekiri(&url, &format!("serve --check --lang {lang}"));
        command.env("DISCORD_TOKEN_FILE", folder.path().join("token"));
        assert_eq!(ended(command).2, 2, "a token that is named must be there");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Commands that only read need no more permissions, even while other programs use the database.
#[test]
fn what_cannot_be_written_can_be_read() {
    let (kept, made) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = kept.path().join("tables.db");
    let url = format!("sqlite:{}", file.display());
    let code = over(&url);
    // Root may write everywhere, so the program runs as another user, who has no access to root's build.
    let is_root = rustix::process::geteuid().is_root();
    let permit =
        |path: &Path, rights| fs::set_permissions(path, Permissions::from_mode(rights)).unwrap();
    let place = |name: &str| made.path().join(name).display().to_string();
    permit(&file, 0o444);
    permit(kept.path(), 0o555);
    permit(made.path(), 0o777);
    // A process of its own copies the program: a file that this process has open for writing cannot be run.
    let program = place("shimekiri");
    let copied = Command::new("cp").args([&kit::program::path(), &program]).status();
    assert!(copied.unwrap().success());
    for words in [
        "stats".to_owned(),
        format!("verify {code}"),
        format!("export {code} {}", place("table.jsonl")),
        format!("replay {code} --html {}", place("page.html")),
        format!("backup {}", place("copy.db")),
    ] {
        let mut command = shimekiri_at(&program, &url, &words);
        if is_root {
            command.uid(65534).gid(65534);
        }
        let (out, complaint, exit) = ended(command);
        assert_eq!((complaint.as_str(), exit), ("", 0), "{words}");
        assert!(!out.is_empty());
    }
    assert_eq!(names(kept.path()), ["tables.db"]);
    let copy = format!("sqlite:{}", place("copy.db"));
    check("copy", &ended(shimekiri(&copy, &format!("verify {code}"))).0, &["OK"]);
    let mut command = shimekiri_at(&program, &url, "serve");
    if is_root {
        command.uid(65534).gid(65534);
    }
    let (_, complaint, exit) = ended(command);
    check("serve", &complaint, &["cannot be opened"]);
    assert_eq!(exit, 2);
    permit(kept.path(), 0o755);
}

/// A log for programs contains nothing but JSON.
#[test]
fn a_log_in_json_is_json_only() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("tables.db").display());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let is_json = |said: &str| {
        for line in said.lines() {
            let line: Json = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
            assert!(line["level"].is_string() && line["fields"]["message"].is_string(), "{line}");
        }
    };
    for (words, address, exit) in [("serve --check", "", 0), ("serve", taken.as_str(), 2)] {
        let mut command = shimekiri(&url, words);
        command.env("SHIMEKIRI_LOG_FORMAT", "json").env("SHIMEKIRI_HEALTH_ADDRESS", address);
        let (out, said, code) = ended(command);
        assert_eq!((out.as_str(), code), ("", exit), "{said}");
        assert!(!said.is_empty());
        is_json(&said);
    }
    let mut command = shimekiri(&url, "serve");
    command.env("SHIMEKIRI_LOG_FORMAT", "json").env("SHIMEKIRI_HEALTH_ADDRESS", "127.0.0.1:0");
    command.env("SHIMEKIRI_PICTURES_SHOW", "false");
    let mut running = Running::start(command);
    is_json(running.hear("can be asked\"").rsplit_once('\n').unwrap().0);
    running.child.kill().unwrap();
}

/// Help lists the games, the variables and the exit codes, in both languages.
#[test]
fn help_names_what_there_is() {
    let help = |words: &str| {
        let (out, complaint, exit) = ended(shimekiri("sqlite:none.db", words));
        assert_eq!((complaint.as_str(), exit), ("", 0), "{words}");
        out
    };
    let version = help("--version");
    let (_, commit) = version.trim().split_once(env!("CARGO_PKG_VERSION")).unwrap();
    let commit = commit.trim().strip_prefix('(').and_then(|commit| commit.strip_suffix(')'));
    let is_commit = |said: &str| said.len() >= 7 && said.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(commit.is_some_and(|commit| commit == "unknown" || is_commit(commit)), "{version}");
    for lang in ["en", "ja"] {
        let of_program = help(&format!("--help --lang {lang}"));
        check(
            "--help",
            &of_program,
            &["DISCORD_TOKEN", "SHIMEKIRI_DATABASE_URL", "0 ", "1 ", "2 "],
        );
        for verb in ["play", "simulate"] {
            let said = help(&format!("{verb} --help --lang {lang}"));
            for game in GAMES {
                check(verb, &of_program, &[game.key()]);
                check(verb, &said, &[game.key()]);
                check(verb, &said, &game.policies());
            }
            check(verb, &said, &["mode=", "hands="]);
        }
        check("serve", &help(&format!("serve --help --lang {lang}")), &["DISCORD_TOKEN_FILE"]);
    }
}

/// Every argument of the command line has a Japanese text, too.
#[test]
fn help_is_in_japanese_for_who_reads_it() {
    let japanese = |text: &str| text.contains(|c: char| ('\u{3040}'..='\u{9fff}').contains(&c));
    let help = |words: &str| ended(shimekiri("sqlite:none.db", words)).0;
    let verbs: Vec<String> = help("--help --lang ja")
        .lines()
        .skip_while(|line| *line != "コマンド:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|verb| verb != "help")
        .collect();
    assert_eq!(verbs.len(), 15, "{verbs:?}");
    for verb in verbs.iter().map(String::as_str).chain([""]) {
        let words = format!("{verb} --help --lang ja");
        let said = help(words.trim());
        let lines: Vec<&str> = said.lines().collect();
        assert!(japanese(lines[0]), "{said}");
        for (at, line) in lines.iter().enumerate() {
            let takes = line.trim_start().starts_with(['-', '<', '[']) && line.starts_with("  ");
            // A long option has its text in the next line.
            let next = lines.get(at + 1).filter(|next| !next.trim_start().starts_with('-'));
            let told = japanese(line) || next.is_some_and(|next| japanese(next));
            assert!(!takes || told, "{verb}: {line}");
        }
        assert!(!said.contains("Print "), "{said}");
    }
    assert_eq!(help("help play --lang ja"), help("play --help --lang ja"));
    assert_eq!(help("help --lang ja"), help("--help --lang ja"));
    // A fault is reported in one sentence, with the nearest valid word.
    for (words, told) in [
        ("pley", "「pley」というコマンドはありません。もしかして：play。使い方：shimekiri --help"),
        ("play --sead 3", "「shimekiri play」に「--sead」は書けません。もしかして：--seed"),
        ("play --seats x", "--seats <N> に「x」は書けません"),
        ("play --lang xx", "--lang <LANG> に「xx」は書けません（ja、en のどれか）"),
        ("backup", "「shimekiri backup」には <FILE> が要ります"),
        ("play the_gang --resume", "[GAME] は --resume と一緒には書けません"),
    ] {
        for (lang, is_japanese) in [("ja_JP.UTF-8", true), ("C", false)] {
            let mut command = shimekiri("sqlite:none.db", words);
            command.env("LANG", lang).env("LC_ALL", lang);
            let ended = command.stdin(Stdio::null()).output().unwrap();
            let said = String::from_utf8(ended.stderr).unwrap();
            assert_eq!(said.contains(told), is_japanese, "{said}");
            assert_eq!((ended.status.code(), japanese(&said)), (Some(2), is_japanese), "{said}");
        }
    }
}

/// Every verb leaves another program's tables as they are.
#[tokio::test]
async fn another_programs_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("invoices.db");
    let copy = folder.path().join("copy.backup").display().to_string();
    let ours = format!("sqlite:{}", folder.path().join("ours.db").display());
    over(&ours);
    assert_eq!(ended(shimekiri(&ours, &format!("backup {copy}"))).2, 0);
    sqlx::any::install_default_drivers();
    let url = format!("sqlite:{}", file.display());
    let mut connection = AnyConnection::connect(&format!("{url}?mode=rwc")).await.unwrap();
    connection
        .execute("create table people (name text); insert into people values ('sakura')")
        .await
        .unwrap();
    connection.close().await.unwrap();
    let before = std::fs::read(&file).unwrap();
    for words in [
        "serve --check".to_owned(),
        "serve".to_owned(),
        "stats".to_owned(),
        "play eitsuku".to_owned(),
        format!("backup {copy}.too"),
        format!("restore {copy} --check"),
        format!("restore {copy}"),
    ] {
        let (_, said, exit) = ended(shimekiri(&url, &words));
        assert!(said.contains("another program"), "{words}: {said}");
        assert_eq!(exit, 2, "{words}: {said}");
        assert!(std::fs::read(&file).unwrap() == before, "{words}");
    }
}

/// The exit code of a temporary failure differs, for whoever restarts the program.
#[test]
fn what_may_pass_by_itself_ends_otherwise() {
    let (_, said, exit) = ended(shimekiri("postgres://nobody@127.0.0.1:1/none", "stats"));
    check("stats", &said, &["cannot be reached now"]);
    assert_eq!(exit, 75, "{said}");
}

#[test]
fn play_alone_says_which_games_there_are() {
    for lang in ["en", "ja"] {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("tables.db").display());
        let (out, said, exit) = ended(shimekiri(&url, &format!("play --lang {lang}")));
        assert_eq!((out.as_str(), exit), ("", 2));
        let keys: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
        check("play", &said, &keys);
    }
}

/// Every verb can be completed, in every supported shell.
#[test]
fn a_shell_is_told_how_to_complete_the_command_line() {
    let shells = [
        ("bash", "complete -F _shimekiri "),
        ("elvish", "arg-completer[shimekiri]"),
        ("fish", "complete -c shimekiri "),
        ("powershell", "-CommandName 'shimekiri'"),
        ("zsh", "#compdef shimekiri\n"),
    ];
    for (shell, begins) in shells {
        let (out, complaint, exit) =
            ended(shimekiri("sqlite:nothing.db", &format!("completions {shell}")));
        assert_eq!((complaint.as_str(), exit), ("", 0), "{shell}");
        check(shell, &out, &[begins, "restore", "despite-faults", "begin-when-full", "man"]);
    }
    let (out, complaint, exit) = ended(shimekiri("sqlite:nothing.db", "completions cmd"));
    assert_eq!((out.as_str(), exit), ("", 2));
    check("another shell", &complaint, &["cmd", "bash"]);
}

#[test]
fn the_manual_has_a_page_for_each_verb() {
    let folder = tempfile::tempdir().unwrap();
    let words = format!("man {} --lang ja", folder.path().join("man1").display());
    assert_eq!(ended(shimekiri("sqlite:nothing.db", &words)), (String::new(), String::new(), 0));
    let read = |page: &str| std::fs::read_to_string(folder.path().join("man1").join(page)).unwrap();
    assert!(read("shimekiri.1").contains("shimekiri"));
    assert!(read("shimekiri-man.1").contains("マニュアルページをフォルダに書き出す"));
}

/// A backup of a newer program, or one without room, is reported in one sentence, and no incomplete file is
/// left.
#[tokio::test]
async fn a_copy_that_cannot_be_put_in_place_is_told_of() {
    let database = Database::fresh().await;
    let url = database.url.as_str();
    over(url);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy").display().to_string();
    sqlx::any::install_default_drivers();
    let mut open = AnyConnection::connect(url).await.unwrap();
    open.execute(
        "insert into _sqlx_migrations (version, description, installed_on, success, checksum,
             execution_time)
         select 9999, description, installed_on, success, checksum, execution_time
         from _sqlx_migrations limit 1",
    )
    .await
    .unwrap();
    open.close().await.unwrap();
    assert_eq!(ended(shimekiri(url, &format!("backup {copy}"))).2, 0);
    let empty = Database::empty().await;
    for (lang, word) in [("en", "newer Shimekiri"), ("ja", "新しい版")] {
        let words = format!("restore {copy} --lang {lang}");
        let (out, complaint, exit) = ended(shimekiri(&empty.url, &words));
        assert_eq!((out.as_str(), exit), ("", 2), "{complaint}");
        check("newer", &complaint, &[word]);
        assert_eq!(complaint.trim().lines().count(), 1, "{complaint}");
    }
    if let Some(file) = empty.url.strip_prefix("sqlite:") {
        let (out, complaint, exit) = short_of_room(&empty.url, 8, &["restore", &copy]);
        assert_eq!((out.as_str(), exit), ("", 2), "{complaint}");
        check("room", &complaint, &["too large for this machine", "Nothing was changed"]);
        assert_eq!(names(Path::new(file).parent().unwrap()), [""; 0]);
    }
}
