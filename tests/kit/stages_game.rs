//! The test game of stages as a listed game, for tests of kinds of windows.

use std::sync::LazyLock;

use serde_json::Value as Json;

use crate::stages::{Options, Sides, Stages, State};
use games::any::{AnyGame, Listed};
use games::playable::{BuiltInFile, Edition, GameFiles, GameOption, MakePolicy, Misfit, Playable};
use rules::data::DataFault;
use rules::text::Lexicon;

/// The game, by the key `stages`.
pub const STAGES: &dyn AnyGame = &Listed::<Stages>::new();

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
    const RULES: &'static str =
        "**S1** Whoever's turn it is strikes somebody.\n\n**S2** Two against two.\n";
    const SAMPLES: BuiltInFile = (
        "templates/stages/samples.jsonl",
        r#"{"kind":"Struck","by":0,"on":1}
{"kind":"Shielded","seat":1}
{"kind":"Gave","seat":1,"gold":1}"#,
    );

    fn edition() -> &'static Edition {
        static EDITION: LazyLock<Edition> =
            LazyLock::new(|| Edition::of("1", Stages::DATA.to_vec()));
        &EDITION
    }

    fn lexicon() -> &'static Lexicon {
        static LEXICON: LazyLock<Lexicon> =
            LazyLock::new(|| Lexicon::parse(WORDS.0, WORDS.1).unwrap());
        &LEXICON
    }

    fn data_faults() -> Vec<DataFault> {
        Vec::new()
    }
}

impl Playable for Stages {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[];
    const OPTIONS: &'static [GameOption] = &[GameOption::new("sides", "S2", &["alone", "pairs"])];

    fn misfit(options: &Options, seats: usize) -> Option<Misfit> {
        let pairs = Misfit { key: "sides", value: "pairs", clause: "S2", least: 4, most: 4 };
        (options.sides == Sides::Pairs && seats != 4).then_some(pairs)
    }

    fn report(seen: &State) -> Json {
        serde_json::to_value(seen).unwrap()
    }
}
