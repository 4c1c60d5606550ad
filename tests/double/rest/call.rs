//! A parsed request: JSON alone, or JSON with files.

use std::collections::HashMap;

use axum::{
    body::to_bytes,
    extract::{FromRequest, Multipart, Query, Request},
    http::{
        HeaderName,
        header::{AUTHORIZATION, CONTENT_TYPE},
    },
};
use serde_json::Value;

use crate::{
    messages::Upload,
    refusal::{Broken, Refusal},
    route::Route,
};

/// The maximum size of a request, in bytes.
const MOST: usize = 25 * 1024 * 1024 + 64 * 1024;

/// A parsed request.
pub(crate) struct Call {
    pub route: Route,
    pub query: HashMap<String, String>,
    pub body: Value,
    pub uploads: Vec<Upload>,
    pub token: Option<String>,
}

impl Call {
    /// Reads and parses a request.
    pub(crate) async fn read(request: Request) -> Result<Self, Refusal> {
        let path = request.uri().path();
        let path = path.strip_prefix("/api/v10").ok_or_else(Refusal::not_found)?;
        let route = Route::new(request.method().as_str(), path);
        let query =
            Query::try_from_uri(request.uri()).map_or_else(|_| HashMap::new(), |query| query.0);
        let (token, kind) = (header(&request, AUTHORIZATION), header(&request, CONTENT_TYPE));
        let many = kind.is_some_and(|kind| kind.starts_with("multipart/form-data"));
        let (body, uploads) = if many {
            parts(request).await.ok_or_else(|| unreadable("multipart/form-data"))?
        } else {
            let bytes = to_bytes(request.into_body(), MOST).await;
            let bytes = bytes.map_err(|_| unreadable("a body of 25 MiB at most"))?;
            let bytes = if bytes.is_empty() { b"null" } else { &bytes[..] };
            (serde_json::from_slice(bytes).map_err(|_| unreadable("JSON"))?, Vec::new())
        };
        Ok(Self { route, query, body, uploads, token })
    }

    /// True if the request has a body.
    pub(crate) fn has_body(&self) -> bool {
        !self.body.is_null()
    }

    /// Returns a number in the query.
    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.query.get(key)?.parse().ok()
    }

    /// Returns a text in the body.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.body.get(key)?.as_str()
    }
}

fn header(request: &Request, name: HeaderName) -> Option<String> {
    request.headers().get(name)?.to_str().ok().map(str::to_owned)
}

async fn parts(request: Request) -> Option<(Value, Vec<Upload>)> {
    let mut form = Multipart::from_request(request, &()).await.ok()?;
    let (mut body, mut uploads) = (Value::Null, Vec::new());
    while let Some(part) = form.next_field().await.ok()? {
        let name = part.name()?.to_owned();
        if name == "payload_json" {
            body = serde_json::from_str(&part.text().await.ok()?).ok()?;
            continue;
        }
        let number = name.strip_prefix("files[")?.strip_suffix(']')?.parse().ok()?;
        let file = part.file_name()?.to_owned();
        let kind = part.content_type().unwrap_or("application/octet-stream").to_owned();
        let bytes = part.bytes().await.ok()?.to_vec();
        uploads.push(Upload { number, name: file, kind, bytes });
    }
    Some((body, uploads))
}

fn unreadable(what: &str) -> Refusal {
    Refusal::form(&[Broken { at: String::new(), what: format!("This is not {what}.") }])
}
