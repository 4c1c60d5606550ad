//! An evening at `shimekiri play`, killed before every statement and at any moment.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sqlx::{AnyConnection, query_as};
use tempfile::TempDir;

use super::{AT_ONCE, stride, try_all, wait_for};
use crate::held::{Held, connect};
use kit::program::{Running, shimekiri};

/// The seed makes 桜 throw a six in the deal, so that it waits for her and for P3.
const FIRST: &str = "play eitsuku --seed 8 --seats 3 --lang en --as sakura";
const AGAIN: &str = "play --resume --lang en --as sakura";
const LINES: [&str; 10] =
    ["Actor", "Writer", "seal", "3A", "4B", "seal", "4B 3A", "withdraw", "3A", "seal"];
const ECHO: &str = "◆ Declaration (";
const RECEIPT: &str = "Receipt: ";

/// The progress of a player: the open window, with the declaration in it, and true if that is sealed.
type Position = (i64, Option<(String, bool)>);

fn position(held: &Held) -> Position {
    let own = held.declared.get(&(held.open_window, 0));
    (held.open_window, own.map(|own| (own.answers.clone(), own.sealed)))
}

/// The results of an evening without a kill.
struct Undisturbed {
    /// The positions after each number of lines.
    positions: Vec<Position>,
    held: Held,
    took: Duration,
}

/// The time of the kill.
#[derive(Clone, Copy, Debug)]
enum Cut {
    Never,
    Before(u64),
    After(Duration),
}

/// A person with a script, on a database of their own.
struct Evening {
    folder: TempDir,
    /// The number of lines that have had their effect.
    said: usize,
    receipts: Vec<String>,
}

impl Evening {
    fn new() -> Self {
        // The effect of a kill does not depend on the speed of the disk.
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        Self { folder: folder.unwrap(), said: 0, receipts: Vec::new() }
    }

    fn url(&self) -> String {
        format!("sqlite:{}", self.folder.path().join("shimekiri.db").display())
    }

    async fn connect(&self) -> Option<AnyConnection> {
        if !self.folder.path().join("shimekiri.db").exists() {
            return None;
        }
        Some(connect(&self.url()).await)
    }

    /// Returns the contents about the table; `None` before the deal.
    async fn held(&self) -> Option<Held> {
        let mut connection = self.connect().await?;
        let code = query_as::<_, (String,)>("select code from tables where stage = 'playing'");
        // The database may have no tables yet.
        let (code,) = code.fetch_optional(&mut connection).await.ok().flatten()?;
        Some(Held::read(&mut connection, &code).await)
    }

    /// Runs the program for these lines. Returns its output, and true if it was killed.
    fn run(&self, lines: &[&str], cut: Cut) -> (String, bool) {
        let words = if wait_for(self.held()).is_some() { AGAIN } else { FIRST };
        let mut command = shimekiri(&self.url(), words);
        if let Cut::Before(statement) = cut {
            command.env("SHIMEKIRI_DIE_AT", statement.to_string());
        }
        let mut running = Running::start(command);
        running.type_lines(lines);
        if let Cut::After(time) = cut {
            std::thread::sleep(time);
            running.child.kill().unwrap();
        }
        let (said, code) = running.end();
        assert!(code.is_none_or(|code| code == 0), "{said}");
        (said, code.is_none())
    }

    /// Types the rest of the script, and checks the result. Returns true if the program was killed.
    fn go_on(&mut self, cut: Cut, undisturbed: &Undisturbed) -> bool {
        let positions = &undisturbed.positions;
        let drafted = positions[self.said].1.is_some();
        let (out, killed) = self.run(&LINES[self.said..], cut);
        // A person who returns is first shown their draft.
        let echoes = out.matches(ECHO).count().saturating_sub(usize::from(drafted));
        let acknowledged = self.said + echoes;
        let receipts = out.lines().filter_map(|line| line.strip_prefix(RECEIPT));
        self.receipts.extend(receipts.map(str::to_owned));
        let Some(held) = wait_for(self.held()) else {
            assert!(killed && !out.contains("Table code"), "{cut:?}: it is gone\n{out}");
            return killed;
        };
        let at = position(&held);
        // An unacknowledged line may have had its effect, but nothing else may be lost or added.
        let next = (acknowledged + 1).min(LINES.len());
        let reached = (acknowledged..=next).rev().find(|line| {
            let sealed = || {
                let (window, own) = &positions[line - 1];
                (*window, own.clone().map(|(answers, _)| (answers, true)))
            };
            at == positions[*line] || (*line > 0 && LINES[line - 1] == "seal" && at == sealed())
        });
        self.said = reached.unwrap_or_else(|| {
            panic!("{cut:?}: {acknowledged} lines are acknowledged, but {at:?} is held\n{out}")
        });
        for receipt in &self.receipts {
            let mut kept = held.declared.values().filter_map(|kept| kept.receipt.as_ref());
            assert!(kept.any(|kept| kept == receipt), "{cut:?}: {receipt} is gone");
        }
        killed
    }

    /// Compares the result with an evening without a kill.
    fn compare(&self, undisturbed: &Undisturbed) {
        let held = wait_for(self.held()).unwrap();
        compare(&held, &undisturbed.held);
    }
}

fn compare(held: &Held, undisturbed: &Held) {
    assert_eq!(position(held), position(undisturbed));
    assert_eq!((held.states(), &held.state), (undisturbed.states(), &undisturbed.state));
    assert!(held.outbox.keys().eq(undisturbed.outbox.keys()));
    assert!(held.is_delivered());
    assert!(held.mail.values().all(Option::is_some), "every letter has been shown");
    let answers = |held: &Held| {
        let declared = held.declared.iter();
        declared.map(|(key, kept)| (*key, kept.answers.clone())).collect::<Vec<_>>()
    };
    assert_eq!(answers(held), answers(undisturbed));
}

/// Runs the script, and each beginning of it, without a kill.
fn undisturbed() -> Undisturbed {
    let mut positions = Vec::new();
    let mut took = Duration::ZERO;
    let mut last = None;
    for count in 0..=LINES.len() {
        let evening = Evening::new();
        let began = Instant::now();
        assert!(!evening.run(&LINES[..count], Cut::Never).1);
        took = began.elapsed();
        let held = wait_for(evening.held()).unwrap();
        positions.push(position(&held));
        last = Some(held);
    }
    let held = last.unwrap();
    compare(&held, &held);
    assert_eq!(held.open_window, 3);
    Undisturbed { positions, held, took }
}

#[test]
fn play_can_be_killed_before_a_statement() {
    let undisturbed = undisturbed();
    // The timing of the clock and the courier varies, so that the last few statements are not always reached.
    let first = try_all(8, |statement| {
        let mut evening = Evening::new();
        let killed = evening.go_on(Cut::Before(statement), &undisturbed);
        if killed {
            assert!(!evening.go_on(Cut::Never, &undisturbed), "{statement}");
        }
        assert_eq!(evening.said, LINES.len(), "{statement}");
        evening.compare(&undisturbed);
        killed
    });
    assert!(first > 150, "only {first} statements");
    eprintln!("killed before one in {} of {} statements", stride(), first - 1);
}

#[test]
fn play_can_be_killed_at_any_moment() {
    let moments = 200 / usize::try_from(stride()).unwrap();
    let undisturbed = undisturbed();
    let chance = Mutex::new(StdRng::seed_from_u64(1));
    let kills = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while kills.load(Ordering::Relaxed) < moments {
                    let mut evening = Evening::new();
                    let mut cuts = 0;
                    while cuts < 3 {
                        let part = chance.lock().unwrap().random_range(0.0..1.5);
                        let cut = Cut::After(undisturbed.took.mul_f64(part));
                        if !evening.go_on(cut, &undisturbed) {
                            break;
                        }
                        cuts += 1;
                    }
                    kills.fetch_add(cuts, Ordering::Relaxed);
                    if cuts == 3 {
                        assert!(!evening.go_on(Cut::Never, &undisturbed));
                    }
                    assert_eq!(evening.said, LINES.len());
                    evening.compare(&undisturbed);
                }
            });
        }
    });
    eprintln!("killed at {} moments", kills.into_inner());
}
