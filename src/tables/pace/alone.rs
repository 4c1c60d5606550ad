//! The parts of a pace that are also input alone: a zone, and quiet hours.

use chrono_tz::Tz;

use super::day::Quiet;
use super::fault::PaceFault;
use super::scan::{Scan, TokenKind};
use crate::vocabulary::quote;

/// Parses a zone, by its name or a word for it.
pub fn read_zone(text: &str) -> Result<Tz, PaceFault> {
    let nearest = match Scan::new(text) {
        Ok(scan) => match only(&scan) {
            Some(TokenKind::Zone(zone)) => return Ok(zone),
            _ => Vec::new(),
        },
        Err(PaceFault::Unknown { nearest, .. } | PaceFault::UnknownZone { nearest, .. }) => nearest,
        Err(_) => Vec::new(),
    };
    let is_zone = |word: &String| word.parse::<Tz>().is_ok();
    let nearest = nearest.into_iter().filter(is_zone).collect();
    Err(PaceFault::UnknownZone { said: quote(text), nearest })
}

/// Parses local quiet hours.
pub fn read_quiet(text: &str) -> Result<Quiet, PaceFault> {
    match only(&Scan::new(text)?) {
        Some(TokenKind::Hours(quiet)) if quiet.from == quiet.to => {
            Err(PaceFault::NoQuietHours { said: quote(text) })
        }
        Some(TokenKind::Hours(quiet)) => Ok(quiet),
        _ => Err(PaceFault::Incomplete { said: quote(text) }),
    }
}

/// Returns the only piece of a text, `None` if it has more.
fn only(scan: &Scan<'_>) -> Option<TokenKind> {
    match scan.tokens.as_slice() {
        [token] => Some(token.kind),
        _ => None,
    }
}
