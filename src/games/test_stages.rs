//! The engine's test game of stages as a member of a list: for tests of windows of kinds.

use std::sync::LazyLock;

use serde_json::Value as Json;

use super::any::{AnyGame, Listed, TableOptionsError};
use super::playable::{BuiltInFile, Edition, GameFiles, GameOption, MakePolicy, Misfit, Playable};
use crate::data::DataFault;
use crate::rules::test_stages::{Options, Sides, Stages, State};
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
    const RULES: &'static str =
        "**S1** Whoever's turn it is strikes somebody.\n\n**S2** Two against two.\n";
    const SAMPLES: BuiltInFile = (
        "templates/stages/samples.jsonl",
        r#"{"kind":"Struck","by":0,"on":1}
{"kind":"Shielded","seat":1}
{"kind":"Gave","seat":1,"gold":1}"#,
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
    const OPTIONS: &'static [GameOption] =
        &[GameOption { key: "sides", clause: "S2", values: &["alone", "pairs"] }];

    fn misfit(options: &Options, seats: usize) -> Option<Misfit> {
        let pairs = Misfit { key: "sides", value: "pairs", clause: "S2", least: 4, most: 4 };
        (options.sides == Sides::Pairs && seats != 4).then_some(pairs)
    }

    fn report(seen: &State) -> Json {
        serde_json::to_value(seen).unwrap()
    }
}

#[test]
fn its_words_can_be_read() {
    assert_eq!(STAGES.check_data(), []);
}

/// What a game is not for so many is refused with its clause, and nothing else is.
#[test]
fn an_option_is_held_against_the_number_of_seats() {
    let pairs = serde_json::json!({ "sides": "pairs" });
    assert_eq!(STAGES.check_options(&pairs, 4), Ok(()));
    for said in [2, 3] {
        let refused = STAGES.check_options(&pairs, said).unwrap_err();
        let TableOptionsError::Misfit { misfit, .. } = &refused else { panic!("{refused}") };
        assert_eq!((misfit.clause, misfit.least, misfit.most), ("S2", 4, 4));
        assert_eq!(
            refused.to_string(),
            format!("sides=pairs is for 4 to 4 seats (S2), not {said}")
        );
        assert_eq!(STAGES.check_options(&Json::Null, said), Ok(()));
    }
    // As it is shown, it is shown for any number.
    assert_eq!(STAGES.options(&pairs)[0].value, "pairs");
}
