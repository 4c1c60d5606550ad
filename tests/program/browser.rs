//! A real headless browser, driven by its own protocol (that of its `DevTools`).

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The names of the program on different machines.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The timeout of any call.
const PATIENCE: Duration = Duration::from_mins(1);

/// A browser with one page.
#[derive(Debug)]
pub(crate) struct Browser {
    child: Child,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The session of the page; `None` before it is attached.
    session: Option<String>,
    calls: u64,
    /// The loaders of finished page loads.
    loaded: Vec<Json>,
    /// Errors, warnings and exceptions on the console.
    complaints: Vec<String>,
    /// The addresses of all requests, without data in the page itself.
    requests: Vec<String>,
    _profile: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn found() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let files = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// Starts a browser. Returns its process, the folder of its profile, and its address; `None` if it ends
/// before it listens.
fn listening(file: &Path) -> Option<(Child, TempDir, String)> {
    let profile = tempfile::tempdir().unwrap();
    let mut command = Command::new(file);
    // The sandbox does not work for root, and the page is trusted.
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
    command.args(["--disable-dev-shm-usage", "--remote-debugging-port=0", "about:blank"]);
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let listens =
        |line: String| line.split_once("DevTools listening on ").map(|(_, at)| at.to_owned());
    let Some(address) = said.by_ref().map_while(Result::ok).find_map(listens) else {
        child.wait().unwrap();
        return None;
    };
    // The output is discarded, but must be read.
    std::thread::spawn(move || said.for_each(drop));
    Some((child, profile, address))
}

impl Browser {
    /// Starts a browser; `None` if this machine has none.
    pub(crate) async fn start() -> Option<Self> {
        let file = found()?;
        // On a busy machine a browser may end before it listens.
        let started = (0..3).find_map(|_| listening(&file));
        let (child, profile, address) = started.expect("a browser that listens");
        let (socket, _) = connect_async(address).await.unwrap();
        let mut browser = Self {
            child,
            socket,
            session: None,
            calls: 0,
            loaded: Vec::new(),
            complaints: Vec::new(),
            requests: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" })).await;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach).await;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({})).await;
        }
        let enabled = json!({ "enabled": true });
        browser.call("Page.setLifecycleEventsEnabled", enabled).await;
        Some(browser)
    }

    /// Calls a method and waits for its result.
    pub(crate) async fn call(&mut self, method: &str, params: Json) -> Json {
        self.calls += 1;
        let mut call = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            call["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(call.to_string())).await.unwrap();
        loop {
            let mut heard = self.hear().await;
            if heard["id"] == self.calls {
                assert!(heard["error"].is_null(), "{method}: {}", heard["error"]);
                return heard["result"].take();
            }
        }
    }

    async fn hear(&mut self) -> Json {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let Message::Text(text) = message.unwrap().unwrap().unwrap() else { continue };
            let heard: Json = serde_json::from_str(&text).unwrap();
            let Some(event) = heard["method"].as_str() else { return heard };
            let params = &heard["params"];
            let is_complaint = match event {
                "Runtime.exceptionThrown" => true,
                "Runtime.consoleAPICalled" => params["type"] != "log",
                "Log.entryAdded" => params["entry"]["level"] != "verbose",
                _ => false,
            };
            if is_complaint {
                self.complaints.push(params.to_string());
            }
            let url = params["request"]["url"].as_str().filter(|url| !url.starts_with("data:"));
            self.requests.extend(url.map(str::to_owned));
            if event == "Page.lifecycleEvent" && params["name"] == "load" {
                self.loaded.push(params["loaderId"].clone());
            }
            return heard;
        }
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) async fn open(&mut self, file: &Path) {
        let url = format!("file://{}", file.display());
        let begun = self.call("Page.navigate", json!({ "url": url })).await;
        while !self.loaded.contains(&begun["loaderId"]) {
            self.hear().await;
        }
    }

    /// Returns the value of an expression in the page.
    pub(crate) async fn eval(&mut self, expression: &str) -> Json {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut came = self.call("Runtime.evaluate", params).await;
        assert!(came["exceptionDetails"].is_null(), "{expression}: {}", came["exceptionDetails"]);
        came["result"]["value"].take()
    }

    /// Returns the text value of an expression.
    pub(crate) async fn words(&mut self, expression: &str) -> String {
        self.eval(expression).await.as_str().unwrap().to_owned()
    }

    /// Waits until the text value of an expression contains `wanted`. Passive listeners of a touch run later
    /// than the touch.
    pub(crate) async fn comes_to(&mut self, expression: &str, wanted: &str) {
        const PATIENCE: Duration = Duration::from_secs(30);
        const NAP: Duration = Duration::from_millis(50);
        let mut words = self.words(expression).await;
        let mut left = PATIENCE;
        while !words.contains(wanted) {
            assert!(!left.is_zero(), "{words:?} does not come to {wanted:?}");
            tokio::time::sleep(NAP).await;
            left = left.saturating_sub(NAP);
            words = self.words(expression).await;
        }
    }

    /// Presses a key, such as `ArrowRight` or `L`.
    pub(crate) async fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key })).await;
        }
    }

    /// Clicks into the middle of the first element that matches a selector.
    pub(crate) async fn click(&mut self, selector: &str) {
        let middle = format!(
            "(() => {{ const it = document.querySelector('{selector}');
             it.scrollIntoView({{ block: 'nearest', inline: 'nearest' }});
             const box = it.getBoundingClientRect();
             return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        );
        let middle = self.eval(&middle).await;
        for kind in ["mousePressed", "mouseReleased"] {
            let at = json!({
                "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", at).await;
        }
    }

    /// Swipes sideways over the page by this many pixels.
    pub(crate) async fn swipe(&mut self, across: i32) {
        let (x, y) = (180, 500);
        let point = |x: i32| json!([{ "x": x, "y": y }]);
        for (kind, points) in [
            ("touchStart", point(x)),
            ("touchMove", point(x + across / 2)),
            ("touchMove", point(x + across)),
            ("touchEnd", json!([])),
        ] {
            let touch = json!({ "type": kind, "touchPoints": points });
            self.call("Input.dispatchTouchEvent", touch).await;
        }
    }

    /// Returns the addresses of the requests since the last call.
    pub(crate) async fn requests(&mut self) -> Vec<String> {
        self.eval("null").await;
        std::mem::take(&mut self.requests)
    }

    /// Returns the complaints on the console since the last call.
    pub(crate) async fn complaints(&mut self) -> Vec<String> {
        // All complaints before the answer have been read with it.
        self.eval("null").await;
        std::mem::take(&mut self.complaints)
    }
}
