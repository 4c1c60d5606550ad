//! The person's input: a line editor at a terminal, plain lines elsewhere.

use std::env;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{
    CompletionType, Config, Context, Editor, ExternalPrinter, Helper, Highlighter, Hinter,
    Validator,
};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc};
use unicode_width::UnicodeWidthStr as _;

use super::completing;
use super::completing::Suggestion;
use super::paint::Palette;
use super::session::TerminalSession;
use super::wrap::wrap;
use desk::clock;

/// The prompt.
const PROMPT: &str = "> ";

/// The reader of the person's input. A line is read only on request, so that output in between does not
/// disturb the editor.
pub(super) struct Input {
    wanted: Sender<()>,
    lines: mpsc::UnboundedReceiver<String>,
    printer: Option<Box<dyn ExternalPrinter + Send>>,
    waiting: bool,
    /// The width of the terminal in columns; 0 if unknown.
    columns: Arc<AtomicUsize>,
    /// The colours of the output; `None` for none.
    palette: Option<Palette>,
}

impl Input {
    /// Starts the reader for a session, whose output has these colours.
    pub(super) fn open(session: &Arc<Mutex<TerminalSession>>, palette: Option<Palette>) -> Self {
        let (wanted, wishes) = channel();
        let (typed, lines) = mpsc::unbounded_channel();
        let editor = io::stdin().is_terminal().then(|| editor(session)).and_then(Result::ok);
        let mut printer = None;
        let columns = Arc::new(AtomicUsize::new(0));
        // Separate threads, since a blocking read of a terminal cannot be cancelled.
        match editor {
            Some(mut editor) => {
                if let Ok(external) = editor.create_external_printer() {
                    printer = Some(Box::new(external) as Box<dyn ExternalPrinter + Send>);
                }
                note_width(&mut editor, &columns);
                let columns = Arc::clone(&columns);
                thread::spawn(move || edit(&mut editor, &columns, &wishes, &typed));
            }
            None => {
                thread::spawn(move || read(&wishes, &typed));
            }
        }
        Self { wanted, lines, printer, waiting: false, columns, palette }
    }

    /// Returns the next line; `None` at the end of the input. The future can be dropped and called again.
    pub(super) async fn line(&mut self) -> Option<String> {
        if !self.waiting {
            self.waiting = self.wanted.send(()).is_ok();
        }
        let line = self.lines.recv().await;
        self.waiting = false;
        line
    }

    /// Prints a text, above the line that is being typed if there is one.
    pub(super) fn print(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let text = match self.columns.load(Ordering::Relaxed) {
            0 => format!("{}\n", text.trim_end()),
            columns => format!("{}\n", wrap(text.trim_end(), columns)),
        };
        let text = match &self.palette {
            Some(palette) => palette.paint(&text),
            None => text,
        };
        match &mut self.printer {
            Some(printer) if self.waiting => printer.print(text).map_err(io::Error::other),
            _ => {
                let mut out = io::stdout();
                out.write_all(text.as_bytes())?;
                out.flush()
            }
        }
    }
}
type LineEditor = Editor<LineCompleter, DefaultHistory>;

fn editor(session: &Arc<Mutex<TerminalSession>>) -> rustyline::Result<LineEditor> {
    let config = Config::builder().completion_type(CompletionType::List).build();
    let mut editor = Editor::with_config(config)?;
    if let Some(file) = history() {
        // A history that cannot be read is none.
        let _ = editor.load_history(&file);
    }
    let runtime = Handle::current();
    editor.set_helper(Some(LineCompleter { session: Arc::clone(session), runtime }));
    Ok(editor)
}

/// Returns the file of typed lines, in the person's folder for the state of programs; `None` if there is no
/// such folder. The editor creates it readable by its owner only.
fn history() -> Option<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    let ours = state.join("shimekiri");
    std::fs::create_dir_all(&ours).ok()?;
    Some(ours.join("history"))
}

/// Stores the width of the terminal, which can change at any time.
fn note_width(editor: &mut LineEditor, columns: &AtomicUsize) {
    if let Some((wide, _)) = editor.dimensions() {
        columns.store(usize::from(wide), Ordering::Relaxed);
    }
}

fn edit(
    editor: &mut LineEditor,
    columns: &AtomicUsize,
    wishes: &Receiver<()>,
    typed: &mpsc::UnboundedSender<String>,
) {
    let file = history();
    while wishes.recv().is_ok() {
        note_width(editor, columns);
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => return,
            // A line that is not text is answered like an empty one.
            Err(_) => String::new(),
        };
        // A failing history is ignored.
        if editor.add_history_entry(line.as_str()).unwrap_or(false)
            && let Some(file) = &file
        {
            let _ = editor.append_history(file);
        }
        if typed.send(line).is_err() {
            return;
        }
    }
}

/// The maximum length of a line, in bytes: far more than the longest valid text.
const LONGEST: u64 = 64 * 1024;

/// Reads the next line, cut to [`LONGEST`]; `None` at the end.
fn next_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let count = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).ok()?;
    let mut is_over = bytes.ends_with(b"\n");
    while !is_over {
        let rest = input.fill_buf().ok()?;
        let end = rest.iter().position(|byte| *byte == b'\n');
        let skipped = end.map_or(rest.len(), |at| at + 1);
        input.consume(skipped);
        is_over = end.is_some() || skipped == 0;
    }
    (count > 0).then_some(bytes)
}

fn read(wishes: &Receiver<()>, typed: &mpsc::UnboundedSender<String>) {
    let mut stdin = io::stdin().lock();
    while wishes.recv().is_ok() {
        let Some(bytes) = next_line(&mut stdin) else { return };
        // Invalid bytes become replacement characters, which are rejected as such.
        if typed.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
            return;
        }
    }
}

/// The completer of a line, from the interview.
#[derive(Helper, Hinter, Highlighter, Validator)]
struct LineCompleter {
    session: Arc<Mutex<TerminalSession>>,
    runtime: Handle,
}

impl Completer for LineCompleter {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let mut session = self.session.blocking_lock();
        let before = &line[..at];
        let found =
            self.runtime.block_on(completing::complete_now(&mut session, before, clock::now()));
        let start = found.first().map_or(at, |suggestion| suggestion.completion.start);
        let found: Vec<Suggestion> =
            found.into_iter().filter(|suggestion| suggestion.completion.start == start).collect();
        Ok((start, in_columns(found)))
    }
}

/// Returns completions with their descriptions in a second column.
fn in_columns(found: Vec<Suggestion>) -> Vec<Pair> {
    let width = |suggestion: &Suggestion| suggestion.completion.text.width();
    let widest = found.iter().map(width).max().unwrap_or_default();
    let pair = |suggestion: Suggestion| {
        let gap = " ".repeat(widest - width(&suggestion) + 2);
        let text = suggestion.completion.text;
        let about = suggestion.about.map(|about| format!("{text}{gap}{about}"));
        Pair { display: about.unwrap_or_else(|| text.clone()), replacement: text }
    };
    found.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::text::Completion;

    #[test]
    fn what_is_offered_has_a_column_for_what_it_is_about() {
        let offered = |text: &str, about: Option<&str>| Suggestion {
            completion: Completion::word(0, text),
            about: about.map(str::to_owned),
        };
        let found = vec![
            offered("役者5", Some("コスト7")),
            offered("3A", None),
            offered("3B", Some("置く")),
        ];
        let shown: Vec<String> = in_columns(found).into_iter().map(|pair| pair.display).collect();
        assert_eq!(shown, ["役者5  コスト7", "3A", "3B     置く"]);
    }

    #[test]
    fn of_a_line_without_an_end_only_the_beginning_is_kept() {
        let long = "x".repeat(3_000_000);
        let text = format!("one\n{long}\ntwo");
        let mut input = io::BufReader::new(text.as_bytes());
        let lines: Vec<Vec<u8>> = std::iter::from_fn(|| next_line(&mut input)).collect();
        let lengths: Vec<usize> = lines.iter().map(Vec::len).collect();
        assert_eq!(lengths, [4, usize::try_from(LONGEST).unwrap(), 3]);
        assert_eq!(lines[2], b"two");
    }
}
