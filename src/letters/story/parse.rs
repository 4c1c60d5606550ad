//! The parsed form of a story, and the parser of story files.

use smol_str::SmolStr;

use rules::seat::MAX_SEATS;
use rules::text::Lang;
use rules::{Clause, Key, Seat};

/// A fault of a story file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct StoryFault {
    pub file: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault, and what would be correct.
    pub what: String,
}

/// The block that the following indented lines belong to.
enum StoryBlock {
    Header,
    Given,
    Said,
    /// The block of a seat that declares nothing.
    Silent,
    /// The block of the last act.
    Acted,
    Expected,
}

/// Parses a story. Without a header, the game is the name of the file's folder.
pub fn parse(file: &str, text: &str) -> Result<Story, StoryFault> {
    let mut reader = StoryParser { file, line: 0, story: empty(file), block: StoryBlock::Header };
    for (index, line) in text.lines().enumerate() {
        reader.line = index + 1;
        if line.starts_with([' ', '\t']) {
            reader.indented(line.trim())?;
        } else if !line.trim().is_empty() {
            reader.flush(line.trim_end())?;
        }
    }
    let mut story = reader.story;
    // Drops the scene after the last close, in which nothing may happen.
    let open = story.scenes.pop_if(|scene| scene.expected.after == 0);
    if let Some(act) = open.and_then(|scene| scene.acts.into_iter().next()) {
        let what = format!("{} acts in a window that never closes", act.seat);
        return Err(StoryFault { file: file.to_owned(), line: act.expected.after, what });
    }
    Ok(story)
}

fn empty(file: &str) -> Story {
    let file = std::path::absolute(file).unwrap_or_default();
    let folder = file.parent().and_then(|folder| folder.file_name());
    Story {
        title: String::new(),
        game: folder.unwrap_or_default().to_string_lossy().into(),
        clauses: Vec::new(),
        quotes: Vec::new(),
        by_hand: false,
        seats: 0,
        options: serde_json::Map::new(),
        lang: Lang::Ja,
        beginning: Beginning::Given(Vec::new()),
        scenes: vec![StoryScene::default()],
    }
}

struct StoryParser<'a> {
    file: &'a str,
    line: usize,
    story: Story,
    block: StoryBlock,
}

impl StoryParser<'_> {
    fn fault<T>(&self, what: impl Into<String>) -> Result<T, StoryFault> {
        Err(StoryFault { file: self.file.to_owned(), line: self.line, what: what.into() })
    }

    fn scene(&mut self) -> &mut StoryScene {
        self.story.scenes.last_mut().expect("there is always one")
    }

    /// Parses a line at the margin: a header, or the beginning of a block.
    fn flush(&mut self, line: &str) -> Result<(), StoryFault> {
        if let Some(title) = line.strip_prefix('#') {
            if self.story.title.is_empty() {
                title.trim().clone_into(&mut self.story.title);
            }
            return Ok(());
        }
        match line {
            "by hand" => self.story.by_hand = true,
            "given" => self.block = StoryBlock::Given,
            "close" => self.close(),
            _ => return self.word(line),
        }
        Ok(())
    }

    fn close(&mut self) {
        if self.scene().expected.after > 0 {
            self.story.scenes.push(StoryScene::default());
        }
        self.scene().expected.after = self.line;
        self.block = StoryBlock::Expected;
    }

    fn word(&mut self, line: &str) -> Result<(), StoryFault> {
        if let Some(rest) = line.strip_prefix("die ") {
            let decided = self.decided(rest)?;
            self.next_scene().dice.push(decided);
            return Ok(());
        }
        if let Some(rest) = line.strip_prefix("force ") {
            let decided = self.decided(rest)?;
            if decided.seat.is_none() {
                return self
                    .fault("the GM decides the questions of a seat; the table has only dice");
            }
            self.next_scene().forced.push(decided);
            return Ok(());
        }
        for (word, skipped) in [("skip ", true), ("unskip ", false)] {
            if let Some(seat) = line.strip_prefix(word) {
                let seat = self.seat(seat)?;
                self.next_scene().skipped.push((seat, skipped));
                return Ok(());
            }
        }
        if let Some((seat, key)) =
            line.strip_prefix("return ").and_then(|rest| rest.split_once(' '))
        {
            let (seat, key) = (self.seat(seat)?, self.key(key.trim())?);
            self.next_scene().sent_back.push((seat, key));
            return Ok(());
        }
        for word in ["misread ", "note ", "orders "] {
            let Some(rest) = line.strip_prefix(word) else { continue };
            let Some((seat, text)) = rest.split_once(':') else { continue };
            let said = (self.seat(seat)?, text.trim().to_owned());
            let scene = self.next_scene();
            match word {
                "misread " => scene.misread.push(said),
                "note " => scene.noted.push(said),
                _ => scene.orders.push(said),
            }
            return Ok(());
        }
        let Some((word, value)) = line.split_once(':') else {
            return self.fault(format!(
                "{line:?} opens nothing; a block is given, P1:, P1 acts: or close"
            ));
        };
        let value = value.trim();
        if let Some(seat) = word.strip_suffix(" acts") {
            return self.act(seat, value);
        }
        if word.starts_with('P') && word.len() == 2 {
            let seat = self.seat(word)?;
            if self.next_scene().declared.iter().any(|(who, _)| *who == seat) {
                return self.fault(format!("{seat} declares twice in this window; once is enough"));
            }
            let silent = value == "-";
            if !silent {
                self.next_scene().declared.push((seat, value.to_owned()));
            }
            self.block = if silent { StoryBlock::Silent } else { StoryBlock::Said };
            return Ok(());
        }
        self.header(word, value)
    }

    /// Parses an immediate act.
    fn act(&mut self, seat: &str, words: &str) -> Result<(), StoryFault> {
        let seat = self.seat(seat)?;
        if !self.next_scene().declared.is_empty() {
            return self.fault(format!(
                "{seat} acts after somebody has declared; what is done at once stands first"
            ));
        }
        let expected = Expected { after: self.line, lines: Vec::new() };
        self.next_scene().acts.push(ActInWords { seat, words: words.to_owned(), expected });
        self.block = StoryBlock::Acted;
        Ok(())
    }

    fn header(&mut self, word: &str, value: &str) -> Result<(), StoryFault> {
        match word {
            "clauses" => {
                let clauses = value.split(',').map(|clause| clause.trim().into());
                self.story.clauses = clauses.collect();
            }
            "ruling" if value.is_empty() => {
                return self.fault("a ruling is quoted word for word, and here it says nothing");
            }
            "ruling" => self.story.quotes.push(value.to_owned()),
            "game" => self.story.game = SmolStr::new(value),
            "seats" => match value.parse() {
                Ok(seats) if seats <= MAX_SEATS => self.story.seats = seats,
                _ => return self.fault(format!("{value:?} is no number of seats")),
            },
            "lang" => match value.parse() {
                Ok(lang) => self.story.lang = lang,
                Err(_) => return self.fault(format!("{value:?} is no language; ja and en are")),
            },
            "option" => {
                let Some((name, value)) = value.split_once('=') else {
                    return self.fault("an option is written NAME = VALUE");
                };
                self.story.options.insert(name.trim().to_owned(), value.trim().into());
            }
            "deal" => {
                let Ok(seed) = value.parse() else {
                    return self.fault(format!("{value:?} is no seed; a seed is a number"));
                };
                let expected = Expected { after: self.line, lines: Vec::new() };
                self.story.beginning = Beginning::Dealt { seed, expected };
                self.block = StoryBlock::Given;
            }
            _ => {
                return self.fault(format!(
                    "{word:?} is no header; headers are clauses, ruling, by hand, game, seats, option, lang, deal"
                ));
            }
        }
        Ok(())
    }

    /// Returns the scene of the next window, after a close.
    fn next_scene(&mut self) -> &mut StoryScene {
        if self.scene().expected.after > 0 {
            self.story.scenes.push(StoryScene::default());
        }
        self.scene()
    }

    fn indented(&mut self, line: &str) -> Result<(), StoryFault> {
        let here = (self.line, line.to_owned());
        match (&self.block, &mut self.story.beginning) {
            (StoryBlock::Given, Beginning::Given(moves)) => moves.push(here),
            (StoryBlock::Given, Beginning::Dealt { expected, .. }) => expected.lines.push(here),
            (StoryBlock::Said, _) => {
                let (_, text) = self.scene().declared.last_mut().expect("the block has opened one");
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
            }
            (StoryBlock::Silent, _) => {
                return self.fault("`P1: -` declares nothing, so nothing follows it");
            }
            (StoryBlock::Acted, _) => {
                let act = self.scene().acts.last_mut().expect("the block has opened one");
                act.expected.lines.push(here);
            }
            (StoryBlock::Expected, _) => self.scene().expected.lines.push(here),
            (StoryBlock::Header, _) => return self.fault("nothing above this line takes it"),
        }
        Ok(())
    }

    fn seat(&self, word: &str) -> Result<Seat, StoryFault> {
        let seat = Seat::all(self.story.seats).find(|seat| seat.name() == word.trim());
        match seat {
            Some(seat) => Ok(seat),
            None => {
                self.fault(format!("{word:?} is no seat of this table of {}", self.story.seats))
            }
        }
    }

    fn decided(&self, rest: &str) -> Result<StoryOverride, StoryFault> {
        let mut words = rest.splitn(3, ' ');
        let (Some(seat), Some(key), Some(value)) = (words.next(), words.next(), words.next())
        else {
            return self.fault("decided in advance is: whose, which question, what (P1 3.set 3A)");
        };
        let seat = if seat == "table" { None } else { Some(self.seat(seat)?) };
        let (key, words) = (self.key(key)?, value.trim().to_owned());
        Ok(StoryOverride { line: self.line, seat, key, words })
    }

    fn key(&self, text: &str) -> Result<Key, StoryFault> {
        text.parse().or_else(|error| self.fault(format!("{error}")))
    }
}

/// A story, as written in its file.
#[derive(Clone, Debug)]
pub struct Story {
    /// The subject of the story, in one sentence.
    pub title: String,
    pub game: SmolStr,
    /// The clauses that the story must meet.
    pub clauses: Vec<Clause>,
    /// The rulings shown by the story, quoted word for word from the rules.
    pub quotes: Vec<String>,
    /// True if the story is worked out on paper: its expected lines are never rewritten.
    pub by_hand: bool,
    pub seats: usize,
    /// The table's options.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The language of the players.
    pub lang: Lang,
    pub beginning: Beginning,
    /// The windows, in order.
    pub scenes: Vec<StoryScene>,
}

/// The beginning of a story's table.
#[derive(Clone, Debug)]
pub enum Beginning {
    /// The moves of the game master from a bare table, each with its line in the file.
    Given(Vec<(usize, String)>),
    /// A deal from this seed; its results are compared like those of a window.
    Dealt {
        seed: u64,
        /// The expected results of the deal.
        expected: Expected,
    },
}

/// One window of a story.
#[derive(Clone, Debug, Default)]
pub struct StoryScene {
    /// The dice set in advance: the seat, the question and the value of each.
    pub dice: Vec<StoryOverride>,
    /// The questions decided by the game master.
    pub forced: Vec<StoryOverride>,
    /// The turns that the game master decides to skip (true), or not to skip.
    pub skipped: Vec<(Seat, bool)>,
    /// The parts sent back by the game master.
    pub sent_back: Vec<(Seat, Key)>,
    /// The standing orders given before the window opens, in the seats' own words.
    pub orders: Vec<(Seat, String)>,
    /// The immediate acts in the open window, in order, before any declaration.
    pub acts: Vec<ActInWords>,
    /// The declaration of each seat, in its own words.
    pub declared: Vec<(Seat, String)>,
    /// The pieces of a seat's text that cannot be parsed.
    pub misread: Vec<(Seat, String)>,
    /// The notes on a seat's declaration, one each; `-` is none.
    pub noted: Vec<(Seat, String)>,
    /// The expected results of the window.
    pub expected: Expected,
}

/// An immediate act of a seat.
#[derive(Clone, Debug)]
pub struct ActInWords {
    pub seat: Seat,
    /// The act, in the seat's own words.
    pub words: String,
    /// The expected results; `refused` for an act that must be refused.
    pub expected: Expected,
}

/// The expected line of an act that must be refused.
pub(super) const REFUSED: &str = "refused";

/// A value set in advance.
#[derive(Clone, Debug)]
pub struct StoryOverride {
    /// The line number in the file.
    pub line: usize,
    /// The seat of the question; `None` for a die of the whole table.
    pub seat: Option<Seat>,
    pub key: Key,
    /// The answer, in words.
    pub words: String,
}

/// The expected lines of a window or an act.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The number of the file's line after which they stand.
    pub after: usize,
    /// The lines with their numbers in the file.
    pub lines: Vec<(usize, String)>,
}
