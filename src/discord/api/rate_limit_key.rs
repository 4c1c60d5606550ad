//! Which requests stand in one line: those of one route about one channel, server or interaction.

/// The line that a request stands in.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct RateLimitKey {
    /// The method and the path, with neither ids nor tokens in it: for limits, and for the log.
    pub(super) route: String,
    /// What Discord counts by beside the route: the channel, the server, or the webhook with its
    /// token. It may hold a secret and is never shown.
    pub(super) major: String,
    /// Whether it answers an interaction, which the limit over all requests does not hold for.
    pub(super) interaction: bool,
}

impl RateLimitKey {
    /// The line of a request, by its path behind `/api/v10`.
    pub(super) fn of(method: &str, path: &str) -> Self {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let tokens = match parts.first() {
            Some(&("webhooks" | "interactions")) => parts.len() > 2,
            _ => false,
        };
        let major = match parts.first() {
            Some(&("webhooks" | "interactions")) if tokens => format!("{}/{}", parts[1], parts[2]),
            Some(&("channels" | "guilds" | "webhooks")) if parts.len() > 1 => parts[1].to_owned(),
            _ => String::new(),
        };
        let mut route = method.to_owned();
        for (at, part) in parts.iter().enumerate() {
            let id = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let shown = if tokens && at == 2 {
                ":token"
            } else if id {
                ":id"
            } else {
                part
            };
            route.push(if at == 0 { ' ' } else { '/' });
            route.push_str(shown);
        }
        Self { route, major, interaction: tokens }
    }
}

#[cfg(test)]
mod tests {
    use crate::discord::api::rate_limit_key::*;

    #[test]
    fn a_line_is_a_route_and_what_it_is_about() {
        for (method, path, route, major, interaction) in [
            ("POST", "/channels/12/messages", "POST channels/:id/messages", "12", false),
            ("PATCH", "/channels/12/messages/7", "PATCH channels/:id/messages/:id", "12", false),
            ("GET", "/guilds/5/members/9", "GET guilds/:id/members/:id", "5", false),
            ("GET", "/users/@me", "GET users/@me", "", false),
            ("PUT", "/applications/3/commands", "PUT applications/:id/commands", "", false),
            (
                "POST",
                "/interactions/8/aW50/callback",
                "POST interactions/:id/:token/callback",
                "8/aW50",
                true,
            ),
            ("POST", "/webhooks/3/aW50", "POST webhooks/:id/:token", "3/aW50", true),
            (
                "PATCH",
                "/webhooks/3/aW50/messages/@original",
                "PATCH webhooks/:id/:token/messages/@original",
                "3/aW50",
                true,
            ),
        ] {
            let rate_limit_key = RateLimitKey::of(method, path);
            assert_eq!(
                (rate_limit_key.route.as_str(), rate_limit_key.major.as_str()),
                (route, major)
            );
            assert_eq!(rate_limit_key.interaction, interaction, "{path}");
        }
    }
}
