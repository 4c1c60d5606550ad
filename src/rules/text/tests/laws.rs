//! Laws of every text and of every declaration.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::text::tests::form::{Form, WORDS, ids, moves, pay, turn};
use crate::text::{Lang, Names, complete, read, write};
use crate::{Answer, Declaration, Interview, Question, Shape, TextForm, Value};

type FormFn = fn(&Declaration) -> Interview;

const FORMS: [FormFn; 3] = [turn, moves, odd];

/// A form with questions that are hard to tell apart: texts before pieces, two lists of the same things,
/// numbers beside names that end in numbers.
fn odd(declaration: &Declaration) -> Interview {
    let mut form = Form::new(declaration);
    form.choose("1.way", &["A", "B"]);
    form.ask("1.title", Shape::Text { max: 50, form: TextForm::Line });
    form.ask("1.number", Shape::Number { min: -5, max: 50 });
    form.choose("1.family", &["actor", "writer"]);
    form.ask("1.pay", pay(3));
    form.ask("1.story", Shape::Text { max: 500, form: TextForm::Lines });
    form.ask("1.other", Shape::Text { max: 500, form: TextForm::Lines });
    let cards = ["actor-1", "actor-2", "actor-2", "strike"];
    form.ask("2.first", Shape::Pick { options: ids(&cards), min: 0, max: 3 });
    form.ask("2.second", Shape::Pick { options: ids(&cards), min: 0, max: 3 });
    form.choose("2.card", &["actor-1", "actor-2", "P2"]);
    form.choose("3.set", &["3A", "3B"]);
    form.choose("3#2.set", &["3A", "3B"]);
    form.choose("3#3.set", &["3A", "3B"]);
    form.done()
}

/// A player who answers at random, and leaves some questions open.
struct RandomPlayer<'r> {
    rolls: &'r [Index],
    texts: &'r [String],
    next: usize,
}

impl RandomPlayer<'_> {
    fn roll(&mut self, sides: usize) -> usize {
        self.next += 1;
        self.rolls[self.next % self.rolls.len()].index(sides)
    }

    fn declare(&mut self, form: FormFn) -> Declaration {
        let mut declaration = Declaration::default();
        let mut passed = Vec::new();
        loop {
            let asked = form(&declaration).asked;
            let open = asked.into_iter().map(|asked| asked.question);
            let mut open =
                open.filter(|q| declaration.get(&q.key).is_none() && !passed.contains(&q.key));
            let Some(question) = open.next() else { return declaration };
            match self.roll(6) {
                0 => passed.push(question.key),
                1 => declaration.set(question.key, Answer::LeftOut),
                _ => {
                    let value = self.value(&question);
                    declaration.set(question.key, Answer::Given(value));
                }
            }
        }
    }

    fn value(&mut self, question: &Question) -> Value {
        match &question.shape {
            Shape::Choose { options, .. } => {
                Value::Choice(options[self.roll(options.len())].clone())
            }
            Shape::Pick { options, max, .. } => {
                let count = self.roll(usize::from(*max) + 1);
                Value::Picks(
                    (0..count).map(|_| options[self.roll(options.len())].clone()).collect(),
                )
            }
            Shape::Pay { purse, .. } => {
                let counted = purse.iter().map(|kind| (kind.id.clone(), self.roll(4)));
                let paid = counted.filter(|(_, count)| *count > 0).collect::<Vec<_>>();
                Value::Payment(
                    paid.into_iter().map(|(id, n)| (id, u8::try_from(n).unwrap())).collect(),
                )
            }
            Shape::Number { min, max } => {
                let sides = usize::try_from(max - min + 1).unwrap();
                Value::Number(min + i64::try_from(self.roll(sides)).unwrap())
            }
            Shape::Text { form, .. } => {
                let text = self.texts[self.roll(self.texts.len())].clone();
                Value::Text(if form.has_lines() { text } else { text.replace('\n', " ") })
            }
        }
    }
}

/// Texts that look like another kind of answer.
fn text() -> impl Strategy<Value = String> {
    let tricky = [
        "",
        "-",
        "3A",
        "5B 『海』\n4A 役者",
        "もしストライキなら: B",
        "2: ストライキ\n1: A",
        "『A』と『B』",
        "「",
        "』『",
        "“so” \"it\" goes",
        "映画の公開『海』",
        " 星の海 ",
        "role-play: x\nstory: y",
        "なし",
        "S.O.S.",
    ];
    let tricky = proptest::sample::select(tricky.map(str::to_owned).to_vec());
    prop_oneof![3 => tricky, 1 => ".{0,20}", 1 => "(.{0,8}\n){0,3}"]
}

/// Bits of typical input, in any order.
fn scribble() -> impl Strategy<Value = String> {
    let bits = [
        "3A",
        "3B",
        "役者5",
        "役者",
        "大×1",
        "大1中2",
        "×",
        "＊",
        "2:",
        "5B",
        "『",
        "』",
        "【",
        "】",
        "-",
        "もしストライキなら",
        "方針転換で",
        "P2",
        "主演",
        "6",
        ":",
        "\n",
        " ",
        "、",
        "チャンス:",
        "ｽﾄﾗｲｷ",
        "ﾌﾟﾛ",
        "戻す",
        "large",
        "x2",
        "なぞ",
        "㌢",
        "\u{309a}",
        "#2",
        "手札",
        "●",
        "題名:",
        "6:",
        "配置",
        "𝟛Ａ",
    ];
    proptest::collection::vec(proptest::sample::select(bits.to_vec()), 0..20)
        .prop_map(|bits| bits.concat())
}

fn player_inputs() -> impl Strategy<Value = (Vec<Index>, Vec<String>)> {
    (proptest::collection::vec(any::<Index>(), 40), proptest::collection::vec(text(), 4))
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same(
        (rolls, texts) in player_inputs(),
        form in proptest::sample::select(FORMS.to_vec()),
        lang in proptest::sample::select(Lang::ALL.to_vec()),
    ) {
        let declaration = RandomPlayer { rolls: &rolls, texts: &texts, next: 0 }.declare(form);
        let text = write(&declaration, &form(&declaration), &WORDS, lang);
        let reading = read(&text, &Declaration::default(), &form, &WORDS);
        prop_assert_eq!(&reading.declaration, &declaration, "{}\n{:?}", text, reading.misread);
        prop_assert!(reading.misread.is_empty(), "{}\n{:?}", text, reading.misread);
    }

    #[test]
    fn any_text_can_be_read(text in prop_oneof![scribble(), ".*", "(.{0,10}\n){0,4}"]) {
        for form in FORMS {
            let reading = read(&text, &Declaration::default(), &form, &WORDS);
            for line in &reading.lines {
                prop_assert!(text.get(line.span.clone()).is_some());
                prop_assert_eq!(reading.declaration.get(&line.key), Some(&line.answer));
            }
            for misread in &reading.misread {
                prop_assert_eq!(text.get(misread.span.clone()), Some(misread.text.as_str()));
                prop_assert!(misread.nearest.len() <= 6);
            }
        }
    }

    #[test]
    fn any_text_can_be_completed(text in scribble()) {
        for completion in complete(&text, &Declaration::default(), &turn, &WORDS, Lang::Ja) {
            prop_assert!(text.get(completion.start..).is_some());
        }
    }
}

/// Inputs of the maximum length: a few bits repeated, words of the game and characters that fold to many.
fn overlong() -> impl Strategy<Value = String> {
    let lexicon = WORDS.lexicon();
    let pieces = lexicon.pieces.iter().map(|piece| &piece.names);
    let names = pieces.chain(lexicon.sections.iter().map(|(_, names)| names));
    let names = names.chain(lexicon.labels.iter().map(|(_, names)| names));
    let odd = ["ﷺ", "★3", "(", ":", "\n", " ", "-", "大", "x", "役", "#2:", "『", "\u{309a}", "a"];
    let bits: Vec<String> = names.flat_map(Names::all).chain(odd).map(str::to_owned).collect();
    proptest::collection::vec(proptest::sample::select(bits), 1..6)
        .prop_map(|bits| overlong_of(&bits.concat()))
}

fn overlong_of(bit: &str) -> String {
    bit.chars().cycle().take(4000).collect()
}

/// Checks that parsing the text stays within the limits.
fn is_read_with_little_effort(text: &str) {
    use crate::text::read::{DECLARATION, MISREAD};
    let mut reader =
        crate::text::read::DeclarationReader::new(text, &Declaration::default(), &turn, &WORDS);
    reader.read_all();
    let (interviews, looks) = reader.effort.taken();
    // The step that exceeds the limits is finished.
    assert!(interviews <= DECLARATION.interviews + 2, "{interviews} interviews: {text}");
    let step = u32::try_from(2 * DECLARATION.characters).unwrap();
    assert!(looks <= DECLARATION.looks + step, "{looks} looks: {text}");
    assert!(reader.finish().misread.len() <= MISREAD + 1, "{text}");
}

#[test]
fn what_took_seconds_is_read_with_little_effort() {
    for bit in ["ﷺ", "★3", "大", "役者6 ", "監督ｱ", "3:", "4: ", "x大", "(", "\n-", "2: 役者5 "]
    {
        is_read_with_little_effort(&overlong_of(bit));
    }
}

proptest! {
    // Each input has the maximum length.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 8, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_typed_is_read_with_little_effort(text in overlong()) {
        is_read_with_little_effort(&text);
    }
}
