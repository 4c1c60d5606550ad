//! The validation of every body with an extract of Discord's specification: the paths that the double has,
//! without descriptions.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

use jsonschema::{Registry, Validator};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::{refusal::Broken, route::Route};

/// The extract, from <https://github.com/discord/discord-api-spec> (MIT).
const EXTRACT: &str = include_str!("../data/discord_openapi.json");

const ROOT: &str = "https://discord.com/spec";

/// The specification.
pub(crate) struct Spec {
    document: Value,
    registry: Registry<'static>,
    paths: Vec<(String, Vec<String>)>,
    validators: Mutex<HashMap<String, &'static Validator>>,
}

/// Returns the specification, parsed once in a process.
pub(crate) fn spec() -> &'static Spec {
    static SPEC: LazyLock<Spec> = LazyLock::new(load);
    &SPEC
}

fn load() -> Spec {
    let document: Value = serde_json::from_str(EXTRACT).expect("the specification is JSON");
    let registry = Registry::new().add(ROOT, document.clone()).unwrap().prepare().unwrap();
    let paths = document["paths"].as_object().unwrap().keys();
    let mut paths: Vec<(String, Vec<String>)> =
        paths.map(|path| (path.clone(), parts(path))).collect();
    // Paths with literal segments such as `@me` come before those with parameters.
    paths.sort_by_key(|(_, parts)| parts.iter().filter(|part| is_parameter(part)).count());
    Spec { document, registry, paths, validators: Mutex::default() }
}

fn parts(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn is_parameter(part: &str) -> bool {
    part.starts_with('{')
}

impl Spec {
    /// Returns the violations of a request's body.
    pub(crate) fn request(&self, route: &Route, body: &Value) -> Vec<Broken> {
        let Some(path) = self.path(route) else {
            let what = "The specification has no such path.".to_owned();
            return vec![Broken { at: String::new(), what }];
        };
        let pointer = [path, &route.method().to_lowercase(), "requestBody"];
        self.check(&pointer, &coerced(body))
    }

    /// Returns the violations of an answer of the double.
    pub(crate) fn answer(&self, route: &Route, status: u16, body: &Value) -> Vec<Broken> {
        let status = status.to_string();
        self.path(route).map_or_else(Vec::new, |path| {
            self.check(&[path, &route.method().to_lowercase(), "responses", &status], body)
        })
    }

    fn path(&self, route: &Route) -> Option<&str> {
        let said = route.segments();
        let fits = |parts: &[String]| {
            let mut pairs = parts.iter().zip(&said);
            parts.len() == said.len()
                && pairs.all(|(part, word)| is_parameter(part) || part == word)
        };
        self.paths.iter().find(|(_, parts)| fits(parts)).map(|(path, _)| path.as_str())
    }

    fn check(&self, place: &[&str], body: &Value) -> Vec<Broken> {
        let keys = [&["paths"], place, &["content", "application/json", "schema"]].concat();
        let there = keys.iter().try_fold(&self.document, |value, key| value.get(key));
        if there.is_none() {
            return Vec::new();
        }
        let faults = self.validator(&keys).iter_errors(body);
        let broken = faults.map(|fault| Broken {
            at: fault.instance_path().as_str().trim_start_matches('/').replace('/', "."),
            what: fault.to_string().chars().take(300).collect(),
        });
        broken.collect()
    }

    fn validator(&self, keys: &[&str]) -> &'static Validator {
        let escaped = keys.iter().map(|key| key.replace('~', "~0").replace('/', "~1"));
        let encoded = escaped.map(|key| utf8_percent_encode(&key, NON_ALPHANUMERIC).to_string());
        let pointer = encoded.collect::<Vec<_>>().join("/");
        let mut validators = self.validators.lock().unwrap();
        validators.entry(pointer).or_insert_with_key(|pointer| {
            let schema = json!({ "$ref": format!("{ROOT}#/{pointer}") });
            let options = jsonschema::options();
            let built = options.with_registry(&self.registry).build(&schema);
            Box::leak(Box::new(built.expect("the specification can be compiled")))
        })
    }
}

/// Adapts a body in the two places where Discord accepts more than its specification: the number of a file as
/// a number, and permissions as a text.
fn coerced(body: &Value) -> Value {
    let mut body = body.clone();
    let data = match body.get_mut("data") {
        Some(data) if data.is_object() => data,
        _ => &mut body,
    };
    if let Some(attachments) = data.get_mut("attachments").and_then(Value::as_array_mut) {
        for attachment in attachments {
            if let Some(number) = attachment["id"].as_u64() {
                attachment["id"] = json!(number.to_string());
            }
        }
    }
    let commands = match &mut body {
        Value::Array(commands) => commands.as_mut_slice(),
        one => std::slice::from_mut(one),
    };
    for command in commands {
        let text = command.get("default_member_permissions").and_then(Value::as_str);
        if let Some(number) = text.and_then(|text| text.parse::<u64>().ok()) {
            command["default_member_permissions"] = json!(number);
        }
    }
    body
}
