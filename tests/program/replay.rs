//! The page of a whole game in a browser.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::browser::Browser;
use crate::page;
use kit::database::Database;
use kit::program::{Running, code_in, shimekiri};
use serde_json::json;

/// Markup that would do harm if it were not escaped, with the maximum length of a name.
const NAME: &str = "</script><img src=x onerror=a()>";
const REASON: &str = "</script><img src=x onerror=alert(1)> --> <svg onload=b()>";

/// Plays a game for three with a game master's decision to its end. Returns the code of its table.
fn play(url: &str) -> String {
    let mut command = shimekiri(url, "play eitsuku --seed 8 --seats 3 --lang en --as");
    command.arg(NAME);
    let mut running = Running::start(command);
    running.type_lines(&["gm rule It stands.", &format!("gm yes {REASON}")]);
    running.hear("Done: GM action #1.");
    // An empty declaration is sealed by the second command.
    running.type_lines(&["seal"; 60]);
    let (said, ended) = running.end();
    assert!(said.contains("◆ Final scores") && ended == Some(0), "{said}");
    let code = said.split_once("The game at this table (").unwrap().1;
    code.split_once(')').unwrap().0.to_owned()
}

/// Runs `replay`. Returns its output and its exit code.
fn replay(url: &str, code: &str, file: &Path, lang: &str) -> (String, Option<i32>) {
    let words = format!("replay {code} --lang {lang} --html {}", file.display());
    Running::start(shimekiri(url, &words)).end()
}

/// A game that is over, and its page.
pub(crate) struct Game {
    pub(crate) database: Database,
    pub(crate) code: String,
    pub(crate) file: PathBuf,
}

impl Game {
    async fn new() -> Self {
        let database = Database::fresh().await;
        let code = play(&database.url);
        let file = database.folder.path().join("game.html");
        let (told, ended) = replay(&database.url, &code.to_lowercase(), &file, "ja");
        assert_eq!(ended, Some(0), "{told}");
        Self { database, code, file }
    }
}

/// Plays one game and checks its page in every way.
#[tokio::test]
async fn a_game_that_is_over_has_a_page() {
    let game = Game::new().await;
    needs_nothing_else(&game);
    overwrites_nothing(&game);
    clicked_through(&game).await;
    fits_a_phone(&game).await;
    without_a_script(&game).await;
    page::is_laid_out(&game).await;
    page::verifies_itself(&game).await;
    page::tells_a_forged_copy(&game).await;
}

/// Starts a browser; reports its absence to whoever runs the tests.
pub(crate) async fn browser() -> Option<Browser> {
    let browser = Browser::start().await;
    if browser.is_none() {
        #[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
        {
            eprintln!("skipped: this machine has no Chromium");
        }
    }
    browser
}

const WHERE: &str = "document.getElementById('where').textContent";
/// The present step and its contents.
const SHOWN: &str = "[document.getElementById('where').textContent,
    document.getElementById('sheet').innerHTML]";
const STEPS: &str = "document.querySelectorAll('[data-step]').length";
const VIEWS: &str = "[...document.querySelectorAll('[data-view]')].map((it) => it.dataset.view)";

/// The width of the picture, once it is drawn, and the length of its alternative text.
const BOARD: &str = "(async () => { const board = document.querySelector('#sheet img');
    await board.decode(); return [board.naturalWidth, board.alt.length]; })()";

/// The height of the smallest text in the picture, in pixels of the page.
const SMALLEST: &str = "(async () => { const board = document.querySelector('#sheet img');
    await board.decode(); const svg = decodeURIComponent(board.src);
    const sizes = [...svg.matchAll(/font-size=\"([0-9.]+)\"/g)].map((found) => Number(found[1]));
    return Math.min(...sizes) * board.clientWidth / board.naturalWidth; })()";

/// Goes from step to step, in every view and language, forward and back.
async fn clicked_through(game: &Game) {
    let Some(mut browser) = browser().await else { return };
    let small = json!({ "width": 640, "height": 300, "deviceScaleFactor": 1, "mobile": false });
    browser.call("Emulation.setDeviceMetricsOverride", small).await;
    browser.open(&game.file).await;
    let steps = browser.eval(STEPS).await.as_u64().unwrap();
    let views: Vec<String> = serde_json::from_value(browser.eval(VIEWS).await).unwrap();
    assert!(steps >= 10, "{steps} steps");
    assert_eq!(views, ["public", "P1", "P2", "P3", "all"]);
    for lang in ["ja", "en"] {
        if browser.words("document.documentElement.lang").await != lang {
            browser.click("#lang").await;
        }
        assert_eq!(browser.words("document.documentElement.lang").await, lang);
        // One language covers the seats' views, the other one the two shared views.
        let is_seen = |view: &str| kit::cases(0, 1) == 1 || view.starts_with('P') == (lang == "ja");
        for (number, view) in (1..).zip(&views).filter(|(_, view)| is_seen(view)) {
            browser.click(&format!("[data-view={view}]")).await;
            browser.press("Home").await;
            let mut sheets = vec![browser.eval(SHOWN).await];
            // Every other view is stepped through by keyboard, and by click in the other language.
            let by_key = (number % 2 == 0) == (lang == "ja");
            for step in 1..steps {
                if by_key {
                    browser.press("ArrowRight").await;
                } else {
                    browser.click("#next").await;
                }
                let shown = browser.eval(SHOWN).await;
                let count = format!("({}/{steps})", step + 1);
                assert!(shown[0].as_str().unwrap().contains(&count), "{}", shown[0]);
                assert!(sheets.iter().all(|before| before[1] != shown[1]), "{}", shown[0]);
                sheets.push(shown);
            }
            let board = browser.eval(BOARD).await;
            assert!(board[0].as_u64().unwrap() > 500 && board[1].as_u64().unwrap() > 100);
            browser.click("#next").await;
            assert_eq!(browser.eval(SHOWN).await, *sheets.last().unwrap(), "it stays at the end");
            browser.press(&number.to_string()).await;
            assert_eq!(browser.eval(SHOWN).await, *sheets.last().unwrap(), "it is the same view");
            browser.press("ArrowLeft").await;
            assert_eq!(browser.eval(SHOWN).await, sheets[sheets.len() - 2]);
            browser.click("#previous").await;
            assert_eq!(browser.eval(SHOWN).await, sheets[sheets.len() - 3]);
            browser.press("End").await;
            assert_eq!(browser.eval(SHOWN).await, *sheets.last().unwrap());
            browser.click("[data-step=\"3\"]").await;
            assert_eq!(browser.eval(SHOWN).await, sheets[3]);
            browser.click("#first").await;
            assert_eq!(browser.eval(SHOWN).await, sheets[0]);
            browser.click("#last").await;
            assert_eq!(browser.eval(SHOWN).await, *sheets.last().unwrap());
        }
    }
    let place = "new Promise((done) => setTimeout(() => done(location.hash), 500))";
    assert_eq!(browser.words(place).await, format!("#{steps}-all-en"));
    // A seat's view hides other hands, and the full view hides nothing.
    let covered = "(() => { const data = JSON.parse(document.getElementById('data').textContent);
        const text = (lines) => lines.map((line) => data.lines[line]).join(' ');
        return data.sheets.en[4].map((sheet) => text(sheet).split('Hidden from this view').length - 1); })()";
    assert_eq!(browser.eval(covered).await, json!([3, 2, 2, 2, 0]));
    // No typed text has become an element.
    let foreign = "document.querySelectorAll('script').length - 2
        + document.querySelectorAll('img:not([data-board]), svg:not(.course svg), [onerror], [onload]').length";
    browser.press("Home").await;
    browser.click("[data-view=all]").await;
    browser.press("ArrowRight").await;
    assert_eq!(browser.eval(foreign).await, 0);
    let everything = "JSON.parse(document.getElementById('data').textContent).lines.join('')";
    assert!(browser.words(everything).await.contains("&lt;svg onload=b()&gt;"));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The page is no wider than a phone, and supports swipes and dark mode.
async fn fits_a_phone(game: &Game) {
    let Some(mut browser) = browser().await else { return };
    let phone = json!({ "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true });
    browser.call("Emulation.setDeviceMetricsOverride", phone).await;
    browser.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
    browser.open(&game.file).await;
    let steps = browser.eval(STEPS).await.as_u64().unwrap();
    let wide = "document.documentElement.scrollWidth";
    for _ in 0..2 {
        browser.press("Home").await;
        for _ in 0..steps {
            assert_eq!(browser.eval(wide).await, 360);
            browser.press("ArrowRight").await;
        }
        browser.press("L").await;
    }
    // The text in a picture is readable on a common phone.
    let usual = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    browser.call("Emulation.setDeviceMetricsOverride", usual).await;
    for _ in 0..2 {
        browser.press("Home").await;
        for _ in 0..steps {
            let smallest = browser.eval(SMALLEST).await.as_f64().unwrap();
            assert!(smallest >= 12.0, "{smallest} in {}", browser.words(WHERE).await);
            browser.press("ArrowRight").await;
        }
        browser.press("L").await;
    }
    let small = json!({ "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true });
    browser.call("Emulation.setDeviceMetricsOverride", small).await;
    browser.press("Home").await;
    let first = browser.words(WHERE).await;
    browser.eval("document.getElementById('sheet').scrollIntoView()").await;
    // Without its picture a sheet may end above the thumb.
    browser.eval(BOARD).await;
    browser.swipe(-150).await;
    browser.comes_to(WHERE, &format!("(2/{steps})")).await;
    browser.eval("document.getElementById('sheet').scrollIntoView()").await;
    browser.eval(BOARD).await;
    // A browser may take a swipe to the right for "back", now or later, unless the page claims it.
    for _ in 0..4 {
        browser.swipe(170).await;
        tokio::time::sleep(Duration::from_millis(150)).await;
        browser.comes_to(WHERE, &first).await;
    }
    browser.eval("document.querySelector('[data-larger]').click()").await;
    assert!(
        browser.eval("document.querySelector('#sheet img').width").await.as_u64().unwrap() > 1000
    );
    assert_eq!(browser.eval(wide).await, 360, "what is larger moves within itself");

    let ground = "getComputedStyle(document.body).backgroundColor";
    let day = browser.words(ground).await;
    let night = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
    browser.call("Emulation.setEmulatedMedia", night).await;
    let dark = browser.words(ground).await;
    assert_ne!(dark, day);
    browser.press("T").await;
    assert_eq!(browser.words(ground).await, day);
    browser.press("T").await;
    assert_eq!(browser.words(ground).await, dark);
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Without scripts the page shows the whole log.
async fn without_a_script(game: &Game) {
    let Some(mut browser) = browser().await else { return };
    let off = json!({ "value": true });
    browser.call("Emulation.setScriptExecutionDisabled", off).await;
    browser.open(&game.file).await;
    let shown = browser.words("document.body.innerText").await;
    for words in
        ["えいつく", "準備", "ターン1", "ターン5", "終了", "宣言", "受領証", "最終得点", "シード"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.contains(REASON) && shown.contains(NAME), "{shown}");
    assert!(!shown.contains("Turn 1") && !shown.contains("次へ"), "{shown}");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The icon of a page, which is part of it.
const ICON: &str = "<link rel=\"icon\" href=\"data:image/svg+xml,";

fn needs_nothing_else(game: &Game) {
    let page = std::fs::read_to_string(&game.file).unwrap();
    let own = page.replace("http://www.w3.org/2000/svg", "").replace(ICON, "");
    for outside in ["://", "@import", "url(", "<link", "<iframe", "<object", "<base"] {
        assert!(!own.contains(outside), "{outside}");
    }
    assert!(!own.contains("<img src") && !own.contains("<svg onload"));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

fn overwrites_nothing(game: &Game) {
    let Game { database, code, file } = game;
    let before = std::fs::read_to_string(file).unwrap();
    for (lang, told) in [("ja", "上書きはしません"), ("en", "is not overwritten")] {
        let (said, ended) = replay(&database.url, code, file, lang);
        assert!(said.contains(told) && ended == Some(2), "{said}");
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), before);
    let other = file.with_file_name("other.html");
    for (lang, told) in [("ja", "という卓はありません"), ("en", "There is no table")] {
        let (said, ended) = replay(&database.url, "NOONE", &other, lang);
        assert!(said.contains(told) && ended == Some(2), "{said}");
    }
    assert!(!other.exists());
    let nowhere = file.with_file_name("nowhere").join("game.html");
    for (lang, told) in [("ja", "書き込めません"), ("en", "cannot be written to")] {
        let (said, ended) = replay(&database.url, code, &nowhere, lang);
        assert!(said.contains(told) && ended == Some(2), "{said}");
    }
}

#[tokio::test]
async fn a_game_that_goes_on_has_no_page() {
    let database = Database::fresh().await;
    let words = "play eitsuku --seed 8 --seats 3 --lang en --as sakura";
    let (said, _) = Running::start(shimekiri(&database.url, words)).end();
    let code = code_in(&said);
    let file = database.folder.path().join("game.html");
    for (lang, told) in [("ja", "まだ終わっていません"), ("en", "is not over")] {
        let (said, ended) = replay(&database.url, code, &file, lang);
        assert!(said.contains(told) && ended == Some(2), "{said}");
    }
    assert!(!file.exists());
}
