//! The REST API, which validates, limits and routes requests.

mod answers;
mod call;
mod channels;
mod commands;
mod guilds;
mod messages;
mod threads;
mod users;
mod webhooks;

use std::{sync::Arc, time::Instant};

use axum::{
    Extension,
    body::Body,
    extract::{ConnectInfo, Request as HttpRequest},
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    Shared,
    faults::Fault,
    limits::TooEarly,
    refusal::{Broken, Refusal},
    route::Route,
    spec::spec,
    state::{Id, Request, State},
    wire::Scissors,
};
pub(crate) use call::Call;

/// The result of a request: a status and a body, or a refusal.
pub(crate) type Answered = Result<(u16, Value), Refusal>;

type Headers = Vec<(&'static str, String)>;

/// Answers a request, unless a planned fault interferes.
pub(crate) async fn serve(
    ConnectInfo(scissors): ConnectInfo<Scissors>,
    Extension(shared): Extension<Arc<Shared>>,
    request: HttpRequest,
) -> Response {
    let call = match Call::read(request).await {
        Ok(call) => call,
        Err(refusal) => return respond(refusal.status, &refusal.body, Vec::new()),
    };
    let fault = shared.with(|state| state.faults.strike(&call.route));
    let cut = || {
        scissors.cut();
        StatusCode::OK.into_response()
    };
    match &fault {
        Some(Fault::Status(status)) => {
            let body = broken_server(*status);
            shared.with(|state| state.note(&call.route, &call.body, *status));
            return respond(*status, &body, Vec::new());
        }
        Some(Fault::Refused(status, code)) => {
            let body = json!({ "code": code, "message": "planned" });
            shared.with(|state| state.note(&call.route, &call.body, *status));
            return respond(*status, &body, Vec::new());
        }
        Some(Fault::Limited(wait, scope)) => {
            let bucket = call.route.bucket();
            let early = shared.with(|state| {
                state.note(&call.route, &call.body, 429);
                state.limits.refuse(&bucket, *wait, *scope, Instant::now())
            });
            return too_early(early, Vec::new());
        }
        Some(Fault::DropBefore) => {
            shared.with(|state| state.note(&call.route, &call.body, 0));
            return cut();
        }
        Some(Fault::SlowBefore(time)) => tokio::time::sleep(*time).await,
        _ => {}
    }
    let response = take(&shared, call);
    match fault {
        Some(Fault::DropAfter) => cut(),
        Some(Fault::StatusAfter(status)) => respond(status, &broken_server(status), Vec::new()),
        Some(Fault::SlowAfter(time)) => {
            tokio::time::sleep(time).await;
            response
        }
        _ => response,
    }
}

fn take(shared: &Shared, mut call: Call) -> Response {
    let broken = if call.has_body() { spec().request(&call.route, &call.body) } else { Vec::new() };
    let said = call.body.clone();
    let (status, body, headers, early) = shared.with(|state| {
        let (headers, early) = state.limits.admit(&call.route, Instant::now());
        if let Some(early) = early {
            state.note(&call.route, &said, 429);
            return (429, Value::Null, headers, Some(early));
        }
        let answered = match state.knows(&call) {
            Err(refusal) => Err(refusal),
            Ok(()) if !broken.is_empty() => Err(Refusal::form(&broken)),
            Ok(()) => route(state, &mut call),
        };
        let (status, body) = answered.unwrap_or_else(|refusal| {
            for broken in &refusal.broken {
                state.violated(call.route.template(), broken.clone());
            }
            (refusal.status, refusal.body)
        });
        state.note(&call.route, &said, status);
        (status, body, headers, None)
    });
    if let Some(early) = early {
        return too_early(early, headers);
    }
    hold_ourselves(shared, &call.route, status, &body);
    respond(status, &body, headers)
}

/// Validates the double's own answer with the specification.
fn hold_ourselves(shared: &Shared, route: &Route, status: u16, body: &Value) {
    if !(200..300).contains(&status) {
        return;
    }
    let broken = spec().answer(route, status, body);
    shared.with(|state| {
        for Broken { at, what } in broken {
            let what = format!("the answer of the double: {what}");
            state.violated(route.template(), Broken { at, what });
        }
    });
}

fn route(state: &mut State, call: &mut Call) -> Answered {
    let path = call.route.clone();
    let segments = path.segments();
    match (path.method(), segments.as_slice()) {
        ("GET", ["gateway", rest @ ..]) => users::gateway(state, rest),
        (_, ["users", rest @ ..]) => users::handle(state, call, rest),
        (_, ["oauth2", "applications", "@me"] | ["applications", "@me"]) => {
            Ok((200, users::application(state)))
        }
        (_, ["applications", application, rest @ ..]) => {
            commands::handle(state, call, id(application)?, rest)
        }
        (_, ["guilds", guild, rest @ ..]) => guilds::handle(state, call, id(guild)?, rest),
        (_, ["interactions", interaction, token, "callback"]) => {
            answers::handle(state, call, id(interaction)?, token)
        }
        (_, ["webhooks", application, token, rest @ ..]) => {
            webhooks::handle(state, call, id(application)?, token, rest)
        }
        (_, ["channels", channel, "messages", message, "threads"]) => {
            threads::of_message(state, call, id(channel)?, id(message)?)
        }
        (_, ["channels", channel, "messages", rest @ ..]) => {
            messages::handle(state, call, id(channel)?, rest)
        }
        (_, ["channels", channel, "threads", rest @ ..]) => {
            threads::handle(state, call, id(channel)?, rest)
        }
        (_, ["channels", channel, "thread-members", rest @ ..]) => {
            threads::members(state, call, id(channel)?, rest)
        }
        (_, ["channels", channel, rest @ ..]) => channels::handle(state, call, id(channel)?, rest),
        _ => Err(Refusal::not_found()),
    }
}

/// Parses an id in a path.
pub(crate) fn id(segment: &str) -> Result<Id, Refusal> {
    segment.parse().map_err(|_| Refusal::not_found())
}

impl State {
    fn knows(&self, call: &Call) -> Result<(), Refusal> {
        let token = call.token.as_deref().and_then(|token| token.strip_prefix("Bot "));
        let known = call.route.is_of_an_interaction() || token == Some(&self.token);
        known.then_some(()).ok_or_else(Refusal::unauthorized)
    }

    fn note(&mut self, route: &Route, body: &Value, status: u16) {
        let body = if self.settings.records { body.clone() } else { Value::Null };
        let (route, at) = (route.clone(), self.age());
        self.requests.push(Request { route, body, status, at });
    }
}

fn broken_server(status: u16) -> Value {
    json!({ "code": 0, "message": format!("{status}: planned") })
}

fn too_early(early: TooEarly, mut headers: Headers) -> Response {
    let seconds = early.retry_after.as_secs_f64();
    let global = early.scope == super::limits::Scope::Global;
    headers.push(("retry-after", seconds.ceil().to_string()));
    headers.push(("x-ratelimit-scope", early.scope.word().to_owned()));
    if global {
        headers.push(("x-ratelimit-global", "true".to_owned()));
    }
    let message = "You are being rate limited.";
    let body = json!({ "message": message, "retry_after": seconds, "global": global });
    respond(429, &body, headers)
}

fn respond(status: u16, body: &Value, headers: Headers) -> Response {
    let text = if status == 204 { String::new() } else { body.to_string() };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_str(&value).unwrap());
    }
    response
}
