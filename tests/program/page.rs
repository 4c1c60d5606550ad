//! The first screen of a game's page, at the widths of a phone and of a desktop, and the verification by the
//! page itself. Needs a browser.

use std::path::PathBuf;

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::browser::Browser;
use crate::replay::{Game, browser};
use crate::verify::{export, other};

/// The shown result of the verification.
const FOUND: &str = "document.getElementById('found').innerText";
const ANSWER: &str = "document.getElementById('answer').innerText";
const HASH: &str = "new Promise((done) => setTimeout(() => done(location.hash), 500))";

/// The part of the page's width that its screen lacks.
const OVERFLOW: &str =
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.documentElement)";

/// The distance of the board from the top of the screen, once it is drawn.
const TOP: &str = "(async () => { const board = document.querySelector('#sheet img');
    await board.decode(); return board.getBoundingClientRect().top; })()";

/// The texts whose contrast with their ground is below AA, in the light and the dark colours.
const FAINT: &str = r#"(() => {
    const light = (colour) => {
        const [r, g, b] = colour.match(/[\d.]+/g).map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (it) => {
        const colour = getComputedStyle(it).backgroundColor;
        return /, 0\)$/.test(colour) ? ground(it.parentElement) : colour;
    };
    const faint = new Set();
    for (const theme of ["light", "dark"]) {
        document.documentElement.dataset.theme = theme;
        for (const it of document.body.querySelectorAll("*")) {
            const said = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            const isShape = it.tagName === "polyline";
            if (!said && !isShape || !it.checkVisibility() || it.closest("[aria-disabled=true]")) continue;
            const style = getComputedStyle(it);
            const [a, b] = [light(isShape ? style.stroke : style.color), light(ground(it))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < (isShape ? 3 : 4.5)) faint.add(`${theme} ${it.outerHTML.slice(0, 60)} ${ratio}`);
        }
    }
    return [...faint];
})()"#;

async fn sized(browser: &mut Browser, width: u32, height: u32) {
    let size =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
    browser.call("Emulation.setDeviceMetricsOverride", size).await;
    browser
        .call(
            "Emulation.setEmulatedMedia",
            json!({ "features": [
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ] }),
        )
        .await;
}

/// The result, the board and what happened are where they are looked for, in both languages.
pub(crate) async fn is_laid_out(game: &Game) {
    let Some(mut browser) = browser().await else { return };
    for (width, height) in [(390, 844), (1280, 800)] {
        sized(&mut browser, width, height).await;
        browser.open(&game.file).await;
        let steps = browser.eval("document.querySelectorAll('[data-step]').length").await;
        for (lang, wins) in [("ja", "の勝ち（"), ("en", "wins with ")] {
            browser.eval(&format!("location.hash = '#{steps}-all-{lang}'")).await;
            browser.comes_to("document.documentElement.lang", lang).await;
            for shown in ["document.title", "document.querySelector('.headline').innerText"] {
                let title = browser.words(shown).await;
                assert!(title.contains(wins), "{title}");
            }
            browser.eval("scrollTo(0, 0)").await;
            let top = browser.eval(TOP).await.as_f64().unwrap();
            if width < 500 {
                assert!(top <= f64::from(height) / 3.0, "{lang}: the board begins at {top}");
            } else {
                let beside = "document.querySelector('.happened').getBoundingClientRect().left
                    - document.querySelector('#sheet figure').getBoundingClientRect().right";
                assert!(browser.eval(beside).await.as_f64().unwrap() > 0.0);
                assert!(top <= f64::from(height) / 2.0, "{lang}: the board begins at {top}");
            }
            assert_eq!(browser.eval(OVERFLOW).await, 0, "{width} {lang}");
            browser
                .eval("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
                .await;
            for step in ["Home", "ArrowRight", "End"] {
                browser.press(step).await;
                assert_eq!(browser.eval(FAINT).await, json!([]), "{width} {lang} {step}");
                assert_eq!(browser.eval(OVERFLOW).await, 0, "{width} {lang} {step}");
            }
            let codes = "document.querySelector('.codes[lang=' + document.documentElement.lang + ']').innerText";
            assert!(browser.words(codes).await.contains("5A"));
        }
        // It plays on from the beginning, and a link leads to a step and a view.
        browser.press("End").await;
        browser.press("P").await;
        browser.comes_to("document.getElementById('where').textContent", "(2/").await;
        assert_eq!(browser.eval("document.getElementById('play').ariaPressed").await, "true");
        browser.press("P").await;
        assert_eq!(browser.eval("document.getElementById('play').ariaPressed").await, "false");
        assert_eq!(browser.words(HASH).await, "#2-all-en");
        browser.press("C").await;
        browser.comes_to("document.getElementById('linked').innerText", ".").await;
        browser.eval("location.hash = '#3-P1-ja'").await;
        browser.comes_to("document.getElementById('where').textContent", "(3/").await;
        assert_eq!(browser.eval("document.documentElement.lang").await, "ja");
        let slid = "(() => { const it = document.getElementById('slider'); it.value = 4;
            it.dispatchEvent(new Event('input')); return document.getElementById('where').textContent; })()";
        assert!(browser.words(slid).await.contains("(4/"));
    }
    let requests = browser.requests().await;
    assert!(requests.iter().all(|url| url.ends_with("/game.html")), "{requests:?}");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The page counts what the other verifier counts, and knows its receipts and its records.
pub(crate) async fn verifies_itself(game: &Game) {
    let Some(mut browser) = browser().await else { return };
    browser.open(&game.file).await;
    let file = export(&game.database, &game.code);
    let held = std::fs::read_to_string(&file).unwrap();
    let rows = held.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let journal: Vec<Json> = rows.filter(|line| line["of"] == "journal").collect();
    browser.press("L").await;
    let found = browser.words(FOUND).await;
    if let Some((said, true)) = other(&[file]) {
        let count = |word: &str| -> usize {
            let (before, _) = said.split_once(word).unwrap();
            before.rsplit([' ', ',']).find(|word| !word.is_empty()).unwrap().parse().unwrap()
        };
        let (dice, shuffles, receipts) = (count(" dice"), count(" shuffles"), count(" receipts"));
        let counted = format!(
            "✓ {} dice ({shuffles} of them shuffles), {receipts} receipts, {} records",
            dice + shuffles,
            journal.len()
        );
        assert_eq!(found.trim(), counted);
    }
    let receipt = "JSON.parse(document.getElementById('data').textContent).lines.join('')
        .match(/<code>(.{4}-.{4}-.{4}-.{4})<.code>/)[1]";
    let receipt = browser.words(receipt).await;
    let newest = journal.last().unwrap()["row"]["hash"].as_str().unwrap();
    for (said, told) in [
        (receipt.clone(), "This is the receipt of P"),
        (receipt.to_uppercase().replace('-', "").replace('0', "O"), "This is the receipt of P"),
        (format!("Record: {newest}"), "This is record "),
        ("abcd-efgh-jkmn-pqrs".to_owned(), "This is not in this game"),
        ("abcd".to_owned(), "is written abcd-efgh-jkmn-pqrs"),
        (String::new(), ""),
    ] {
        let typed = format!(
            "(() => {{ const own = document.getElementById('own'); own.value = '{said}';
             own.dispatchEvent(new Event('input')); return {ANSWER}; }})()"
        );
        let answer = browser.words(&typed).await;
        assert!(answer.contains(told) && answer.is_empty() == told.is_empty(), "{said}: {answer}");
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The data of a page, and what is before and after it.
struct Copy {
    before: String,
    data: Json,
    after: String,
    /// True if whoever changes the data also writes its hash anew.
    hashed: bool,
}

impl Copy {
    fn of(page: &str) -> Self {
        let (before, rest) = page.split_once(" id=\"data\">").unwrap();
        let (data, after) = rest.split_once("</script>").unwrap();
        let data = serde_json::from_str(data).unwrap();
        Self { before: before.to_owned(), data, after: after.to_owned(), hashed: true }
    }

    fn record(&mut self, kind: &str) -> &mut Vec<Json> {
        self.data["record"][kind].as_array_mut().unwrap()
    }

    fn text(&self) -> String {
        let data = self.data.to_string().replace('<', "\\u003c");
        let mut before = self.before.clone();
        if self.hashed {
            let (page, hash) = before.rsplit_once("data-hash=\"").unwrap();
            assert_eq!(hash.len(), 65);
            before = format!("{page}data-hash=\"{}\"", hex::encode(Sha256::digest(&data)));
        }
        format!("{before} id=\"data\">{data}</script>{}", self.after)
    }
}

/// Replaces the first hex digit of a text by another.
fn other_digit(of: &mut Json) {
    let text = of.as_str().unwrap();
    let digit = if text.starts_with('0') { "1" } else { "0" };
    *of = json!(format!("{digit}{}", &text[1..]));
}

/// A change of a copy, and what the page then tells.
type Forgery = (&'static str, fn(&mut Copy), &'static str);

const FORGERIES: &[Forgery] = &[
    ("nothing", |_| {}, "✓ "),
    (
        "die",
        |copy| {
            let isnt_shuffled = |die: &&mut Json| die["one"]["options"][1].is_string();
            let die = copy.record("dice").iter_mut().find(isnt_shuffled).unwrap();
            let options = die["one"]["options"].as_array().unwrap().clone();
            let shows = options.iter().find(|option| **option != die["one"]["shows"]);
            die["one"]["shows"] = shows.unwrap().clone();
        },
        "✗ The die ",
    ),
    (
        "shuffle",
        |copy| {
            let dice = copy.record("dice").iter_mut();
            let mut orders = dice.filter_map(|die| die.get_mut("order")?.as_array_mut());
            orders.next().unwrap().swap(0, 1);
        },
        "✗ The shuffle ",
    ),
    (
        "a die's label",
        |copy| copy.record("dice")[0]["label"] = json!("deck.other"),
        "✗ The shuffle deck.other ",
    ),
    (
        "record",
        |copy| copy.record("journal")[5]["at"] = json!(1),
        "✗ Record 5 (from 0) was changed",
    ),
    ("missing record", |copy| drop(copy.record("journal").pop()), "✗ The records do not end where"),
    (
        "receipt",
        |copy| {
            let of = copy.record("declarations").iter_mut().find(|it| it["sealed"] == 1).unwrap();
            other_digit(&mut of["hash"]);
        },
        "✗ The receipt of P",
    ),
    (
        "declaration",
        |copy| {
            let of = copy.record("declarations").iter_mut().find(|it| it["sealed"] == 1).unwrap();
            of["answers"] = json!("{\"5.way\":\"left-out\"}");
        },
        "✗ The receipt of P",
    ),
    (
        "missing declaration",
        |copy| copy.record("declarations").retain(|line| line["number"] != 3),
        "✗ The declaration of P",
    ),
    ("seed", |copy| other_digit(&mut copy.record("tables")[0]["seed"]), "✗ The seed is not"),
    (
        "commitment",
        |copy| other_digit(&mut copy.record("tables")[0]["commitment"]),
        "✗ The seed is not",
    ),
    ("value", |copy| other_digit(&mut copy.record("seats")[1]["value"]), "✗ The value of P2 "),
    (
        "footer",
        |copy| {
            let (page, seed) = copy.before.split_once("id=\"seed\">").unwrap();
            let digit = if seed.starts_with('0') { "1" } else { "0" };
            copy.before = format!("{page}id=\"seed\">{digit}{}", &seed[1..]);
        },
        "✗ The seed or the seed hash at the foot",
    ),
    (
        "words",
        |copy| {
            copy.hashed = false;
            let lines = copy.data["lines"].as_array_mut().unwrap();
            let line = lines.iter_mut().find(|line| line.as_str().unwrap().contains("Carried out"));
            *line.unwrap() = json!("<p>Nothing of it was carried out.</p>");
        },
        "✗ The words or the pictures",
    ),
    (
        "no journal",
        |copy| copy.record("journal").clear(),
        "✗ The data of this page cannot be read.",
    ),
];

/// Whatever is changed in a copy is named.
pub(crate) async fn tells_a_forged_copy(game: &Game) {
    let Some(mut browser) = browser().await else { return };
    let page = std::fs::read_to_string(&game.file).unwrap();
    let file: PathBuf = game.file.with_file_name("forged.html");
    for (what, forge, told) in FORGERIES {
        let mut copy = Copy::of(&page);
        forge(&mut copy);
        std::fs::write(&file, copy.text()).unwrap();
        browser.open(&file).await;
        browser.press("L").await;
        let found = browser.words(FOUND).await;
        assert!(found.contains(told), "{what}: {found}");
        assert_eq!(found.contains('✓'), *what == "nothing", "{what}: {found}");
        assert!(found.lines().count() <= 10, "{what}: {found}");
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
