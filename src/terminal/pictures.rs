//! The renderer of tables' pictures, as configured.

use super::misuse::Misuse;
use super::texts::BadFont;
use crate::config::Config;
use letters::picture::Pictures;

/// Opens the renderer and logs its font; `None` if pictures are switched off, or no font is installed.
pub(super) fn open(config: &Config) -> Result<Option<Pictures>, Misuse> {
    if !config.pictures.show {
        return Ok(None);
    }
    let pictures = Pictures::new(config.pictures.font.as_deref())
        .map_err(|fault| BadFont { why: fault.to_string() })?;
    if let Some(pictures) = &pictures {
        tracing::info!(font = ?pictures.font(), "pictures can be drawn");
    } else {
        tracing::warn!("there are no pictures: this machine has no Japanese font");
    }
    Ok(pictures)
}
