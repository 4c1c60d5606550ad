//! The route of a request, and patterns of routes.

/// The method and the path of a request, below `/api/v10`.
#[derive(Clone, Debug)]
pub struct Route {
    method: String,
    segments: Vec<String>,
    template: String,
}

impl Route {
    /// Parses a path below `/api/v10`, such as `/channels/1/messages`.
    pub fn new(method: &str, path: &str) -> Self {
        let segments: Vec<String> =
            path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let mut template = format!("{method} ");
        for (at, segment) in segments.iter().enumerate() {
            template.push('/');
            template.push_str(if is_parameter(&segments, at) { "*" } else { segment });
        }
        Self { method: method.to_owned(), segments, template }
    }

    /// Returns the method, in capitals.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the segments of the path.
    pub fn segments(&self) -> Vec<&str> {
        self.segments.iter().map(String::as_str).collect()
    }

    /// Returns the method and the path with a star for each parameter: `POST /channels/*/messages`.
    pub fn template(&self) -> &str {
        &self.template
    }

    /// True if the route is exempt from the limit of the whole bot.
    pub fn is_of_an_interaction(&self) -> bool {
        matches!(self.segments.first().map(String::as_str), Some("interactions" | "webhooks"))
    }

    /// Returns the rate limit bucket of the route: its template with the major parameter.
    pub fn bucket(&self) -> String {
        let major = if self.is_of_an_interaction() { 1..3 } else { 1..2 };
        let major = self.segments.get(major).map(|parts| parts.join("/")).unwrap_or_default();
        format!("{} {major}", self.template)
    }
}

fn is_parameter(segments: &[String], at: usize) -> bool {
    let token = matches!(segments[0].as_str(), "interactions" | "webhooks") && at == 2;
    token || segments[at].parse::<u64>().is_ok()
}

/// A pattern of requests: a method and a path, with `*` for any one segment and `**` for any rest.
#[derive(Clone, Debug)]
pub struct Pattern(Vec<String>);

impl Pattern {
    /// Parses a pattern such as `POST /channels/*/messages`.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.split(['/', ' ']).filter(|p| !p.is_empty()).map(str::to_owned).collect())
    }

    /// True if a request matches the pattern.
    pub fn matches(&self, route: &Route) -> bool {
        let mut said = std::iter::once(route.method()).chain(route.segments());
        for part in &self.0 {
            if part == "**" {
                return true;
            }
            if said.next().is_none_or(|word| part != "*" && part != word) {
                return false;
            }
        }
        said.next().is_none()
    }
}
