//! Pictures of tables: a game's `board.svg`, drawn in a Japanese font, and the same in words.
//!
//! A picture is of what is public and of nothing else: it is made of a report, as letters are.
//! Nothing is read here but the font, once.

mod font;

use std::path::Path;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};
use serde_json::Value as Json;

pub use font::{Font, FontFault};

use crate::{LetterFault, Letters, PictureRoom, PictureText, Reader};

/// The longest alternative text that is shown, in characters (Discord's limit).
pub const LONGEST_ALT: usize = 1024;

/// The most pixels a picture may have on a side.
const LARGEST: u32 = 4096;

/// A picture, and what it says.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The picture as a PNG file. The same state gives the same bytes.
    pub png: Vec<u8>,
    /// What it says, for those who do not see it: at most [`LONGEST_ALT`] characters.
    pub alt: String,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} bytes)", self.png.len())
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureFault {
    /// Its template, or that of its words.
    #[error(transparent)]
    Letter(#[from] LetterFault),
    /// What the template wrote is no picture.
    #[error("it is no SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// It cannot be drawn in any size that would be shown.
    #[error("it is {0} by {1} pixels")]
    Size(f32, f32),
    /// It cannot be written down.
    #[error("it is no PNG: {0}")]
    Png(String),
}

/// What draws pictures.
#[derive(Clone, Debug)]
pub struct Pictures {
    font: Font,
    fonts: Arc<usvg::fontdb::Database>,
}

impl Pictures {
    /// Draws in this font, or else in the best that this machine has. `None`: it has no
    /// Japanese font, and there are no pictures.
    ///
    /// # Errors
    /// If a font is named and cannot be used.
    pub fn new(font: Option<&Path>) -> Result<Option<Self>, FontFault> {
        let font = match font {
            Some(path) => Some(Font::read(path)?),
            None => Font::find(),
        };
        Ok(font.map(|font| {
            let mut fonts = usvg::fontdb::Database::new();
            fonts.push_face_info(font.face().clone());
            Self { font, fonts: Arc::new(fonts) }
        }))
    }

    pub fn font(&self) -> &Font {
        &self.font
    }

    /// Draws where everybody stands. The report is the public one, for a picture is for everybody.
    ///
    /// # Errors
    /// If a template of the game's is at fault.
    pub fn draw(
        &self,
        letters: &Letters,
        reader: &Reader,
        report: &Json,
    ) -> Result<Picture, PictureFault> {
        let svg = letters.picture(reader, report, PictureRoom::Wide, self.font.clone())?;
        Ok(Picture { png: self.paint(&svg)?, alt: alt(letters, reader, report)? })
    }

    fn paint(&self, svg: &str) -> Result<Vec<u8>, PictureFault> {
        let options = Options {
            fontdb: Arc::clone(&self.fonts),
            font_family: self.font.family().to_owned(),
            ..Options::default()
        };
        let tree = Tree::from_str(svg, &options)?;
        let size = tree.size();
        let whole = size.to_int_size();
        let fits = whole.width().max(whole.height()) <= LARGEST;
        let mut canvas = fits
            .then(|| Pixmap::new(whole.width(), whole.height()))
            .flatten()
            .ok_or(PictureFault::Size(size.width(), size.height()))?;
        resvg::render(&tree, Transform::identity(), &mut canvas.as_mut());
        canvas.encode_png().map_err(|error| PictureFault::Png(error.to_string()))
    }
}

/// What a picture says, in as many words as there is room for.
fn alt(letters: &Letters, reader: &Reader, report: &Json) -> Result<String, LetterFault> {
    for brief in [false, true] {
        let alt = letters.write(reader, &PictureText { report, brief })?;
        if alt.encode_utf16().count() <= LONGEST_ALT {
            return Ok(alt);
        }
        if brief {
            return Ok(cut(&alt));
        }
    }
    unreachable!("the brief one is returned")
}

/// The first whole lines that have room.
fn cut(alt: &str) -> String {
    let mut kept = String::new();
    for line in alt.lines() {
        if kept.encode_utf16().count() + line.encode_utf16().count() + 2 > LONGEST_ALT {
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests;
