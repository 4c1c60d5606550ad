//! Suggestions for an unknown zone.

use chrono_tz::TZ_VARIANTS;

use crate::vocabulary::nearest;

/// Returns the names of the most similar zones, best first.
pub(super) fn nearest_zones(input: &str) -> Vec<String> {
    let names = TZ_VARIANTS.iter().map(|zone| (zone.name().to_lowercase(), zone.name()));
    nearest(input, names.chain(zones_by_city()))
}

/// Returns zones by the last part of their name alone.
pub(super) fn zones_by_city<'a>() -> impl Iterator<Item = (String, &'a str)> {
    TZ_VARIANTS.iter().filter_map(|zone| {
        let (_, city) = zone.name().rsplit_once('/')?;
        Some((city.to_lowercase(), zone.name()))
    })
}
