//! The engine's test game of stages as a member of a list: for tests of windows of kinds.

use std::sync::LazyLock;

use serde_json::Value as Json;

use super::any::{AnyGame, Listed};
use super::playable::{BuiltInFile, Edition, GameFiles, GameOption, MakePolicy, Playable};
use crate::data::DataFault;
use crate::rules::test_stages::{Stages, State};
use crate::rules::text::Lexicon;

/// The game, by the key `stages`.
pub(crate) const STAGES: &dyn AnyGame = &Listed::<Stages>::new();

const WORDS: BuiltInFile = (
    "data/stages/words.toml",
    r#"
noise = { ja = ["を"], en = ["the"] }
pass = { ja = ["なし"], en = ["nothing"] }

[piece.answer]
use = { ja = ["使う"], en = ["use"] }
pass = { ja = ["通す"], en = ["pass"] }

[section]
strike = { ja = ["攻撃"], en = ["strike"] }
react = { ja = ["反応"], en = ["react"] }
give = { ja = ["渡す"], en = ["give"] }
"#,
);

impl GameFiles for Stages {
    const WORDS: BuiltInFile = WORDS;
    const DATA: &'static [BuiltInFile] = &[WORDS];
    const RULES: &'static str = "**S1** Whoever's turn it is strikes somebody.\n";
    const SAMPLES: BuiltInFile = (
        "templates/stages/samples.jsonl",
        r#"{"Struck":{"by":0,"on":1}}
{"Shielded":{"seat":1}}
{"Gave":{"seat":1,"gold":1}}"#,
    );

    fn edition() -> &'static Edition {
        static EDITION: LazyLock<Edition> = LazyLock::new(|| Edition::of("1", Stages::DATA));
        &EDITION
    }

    fn lexicon() -> &'static Lexicon {
        static LEXICON: LazyLock<Lexicon> =
            LazyLock::new(|| Lexicon::parse(WORDS.0, WORDS.1).unwrap());
        &LEXICON
    }

    fn data_fault() -> Option<DataFault> {
        None
    }
}

impl Playable for Stages {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[];
    const OPTIONS: &'static [GameOption] = &[];

    fn report(seen: &State) -> Json {
        serde_json::to_value(seen).unwrap()
    }
}

#[test]
fn its_words_can_be_read() {
    assert_eq!(STAGES.check_data(), []);
}
