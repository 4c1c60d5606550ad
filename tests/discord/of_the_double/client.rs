//! A bare client, which sends any request.

use reqwest::{Method, multipart};
use serde_json::Value;

use double::{Discord, Id};

/// A client with the bot's token.
pub(super) struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
    pub(super) general: Id,
}

/// A response.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Value,
    pub(super) headers: reqwest::header::HeaderMap,
}

impl Reply {
    /// Returns Discord's error code.
    pub(super) fn code(&self) -> u64 {
        self.body["code"].as_u64().unwrap_or_default()
    }

    /// Returns the id in the response.
    pub(super) fn id(&self) -> Id {
        self.body["id"].as_str().unwrap().parse().unwrap()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Client {
    pub(super) fn of(discord: &Discord) -> Self {
        let http = reqwest::Client::new();
        let general = discord.channel("general").0;
        Self { http, base: discord.address(), token: discord.token(), general }
    }

    /// Replaces the token.
    pub(super) fn with_token(self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self }
    }

    /// Sends a request such as `POST /channels/1/messages`; fails if the connection does.
    pub(super) async fn tries(&self, request: &str, body: Value) -> Result<Reply, reqwest::Error> {
        let builder = self.builder(request);
        let builder = if body.is_null() { builder } else { builder.json(&body) };
        read(builder).await
    }

    /// Sends a request and returns the response.
    pub(super) async fn send(&self, request: &str, body: Value) -> Reply {
        self.tries(request, body).await.unwrap()
    }

    /// Sends a request with files.
    pub(super) async fn upload(
        &self,
        request: &str,
        body: Value,
        files: &[(&str, &[u8])],
    ) -> Reply {
        let mut form = multipart::Form::new().text("payload_json", body.to_string());
        for (number, (name, bytes)) in files.iter().enumerate() {
            let part = multipart::Part::bytes(bytes.to_vec()).file_name((*name).to_owned());
            form = form.part(format!("files[{number}]"), part);
        }
        read(self.builder(request).multipart(form)).await.unwrap()
    }

    /// Posts a message in the first channel.
    pub(super) async fn says(&self, body: Value) -> Reply {
        self.send(&format!("POST /channels/{}/messages", self.general), body).await
    }

    fn builder(&self, request: &str) -> reqwest::RequestBuilder {
        let (method, path) = request.split_once(' ').unwrap();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let url = format!("{}/api/v10{path}", self.base);
        self.http.request(method, url).header("Authorization", format!("Bot {}", self.token))
    }
}

async fn read(builder: reqwest::RequestBuilder) -> Result<Reply, reqwest::Error> {
    let response = builder.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await?;
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Ok(Reply { status, body, headers })
}
