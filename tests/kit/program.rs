//! The program as a process of its own.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Returns the path of the program, set by Cargo for the tests and benches of its package.
///
/// # Panics
/// In the tests of another package.
pub fn path() -> String {
    std::env::var("CARGO_BIN_EXE_shimekiri").expect("these are the tests of the program")
}

/// Returns a command of the program with a database, and with no other state of this machine.
pub fn shimekiri(url: &str, words: &str) -> Command {
    shimekiri_at(&path(), url, words)
}

/// Returns a command of a copy of the program.
pub fn shimekiri_at(program: &str, url: &str, words: &str) -> Command {
    let mut command = Command::new(program);
    command.args(words.split(' ')).env("SHIMEKIRI_DATABASE_URL", url);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running program, with its output.
#[derive(Debug)]
pub struct Running {
    pub child: Child,
    stdin: Option<ChildStdin>,
    pieces: Receiver<String>,
    readers: Vec<JoinHandle<()>>,
    said: String,
}

impl Running {
    /// Starts a program. Its two outputs are read into one.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (sender, pieces) = channel();
        let out: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        let read = |mut out: Box<dyn Read + Send>| {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut line = Vec::new();
                let mut buffer = [0; 4096];
                while let Ok(count @ 1..) = out.read(&mut buffer) {
                    line.extend_from_slice(&buffer[..count]);
                    // Only whole lines are sent, so that no character is split.
                    let whole = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                    let rest = line.split_off(whole);
                    let _ = sender.send(String::from_utf8(line).unwrap());
                    line = rest;
                }
                let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
            })
        };
        let readers = out.into_iter().map(read).collect();
        let stdin = child.stdin.take();
        Self { child, stdin, pieces, readers, said: String::new() }
    }

    /// Types lines. Writes to a killed program are ignored.
    pub fn type_lines(&mut self, lines: &[&str]) {
        for line in lines {
            let _ = self.stdin.as_mut().unwrap().write_all(format!("{line}\n").as_bytes());
        }
    }

    /// Waits for this text in the output, and returns the output up to its end.
    pub fn hear(&mut self, words: &str) -> String {
        self.hear_one_of(&[words])
    }

    /// Waits for the first of these texts in the output, and returns the output up to its end.
    pub fn hear_one_of(&mut self, all: &[&str]) -> String {
        let until = Instant::now() + Duration::from_secs(90);
        loop {
            let ends = |words: &&str| Some(self.said.find(words)? + words.len());
            if let Some(at) = all.iter().filter_map(ends).min() {
                let rest = self.said.split_off(at);
                return std::mem::replace(&mut self.said, rest);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(left) {
                Ok(piece) => self.said.push_str(&piece),
                Err(error) => panic!("{all:?} is not said ({error}), but:\n{}", self.said),
            }
        }
    }

    /// Waits for a killed program to end, and returns the rest of its output.
    pub fn rest(&mut self) -> String {
        let _ = self.child.wait();
        while let Ok(piece) = self.pieces.recv_timeout(Duration::from_millis(300)) {
            self.said.push_str(&piece);
        }
        std::mem::take(&mut self.said)
    }

    /// Closes the input and waits for the end. Returns the rest of the output, and the exit code: `None` if
    /// the program was killed.
    pub fn end(mut self) -> (String, Option<i32>) {
        drop(self.stdin.take());
        let ended = self.child.wait().unwrap();
        for reader in self.readers {
            reader.join().unwrap();
        }
        self.said.extend(self.pieces.try_iter());
        if ended.code().is_none() {
            use std::os::unix::process::ExitStatusExt;
            assert_eq!(ended.signal(), Some(9), "{}", self.said);
        }
        (self.said, ended.code())
    }
}

/// Returns the first code of a table in an English output.
pub fn code_in(shown: &str) -> &str {
    let is_code = |word: &&str| {
        word.len() == 5 && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
    };
    let named = shown.split(", table ").skip(1);
    let words = named.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
    { words }.find(is_code).unwrap()
}
