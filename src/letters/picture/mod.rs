//! The pictures of tables: a game's `board.svg` drawn in a Japanese font, with an alternative text.
//!
//! A picture shows only public facts: it is made from a report, like letters. The only file read is the font,
//! once.

mod font;

use std::path::Path;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};
use serde_json::Value as Json;

pub use font::{Font, FontFault};

use crate::{LetterFault, Letters, PictureRoom, PictureText, Reader};

/// The maximum length of an alternative text, in UTF-16 units (Discord's limit).
pub const LONGEST_ALT: usize = 1024;

/// The maximum width and height of a picture, in pixels.
const LARGEST: u32 = 4096;

/// A picture with its alternative text.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The picture as a PNG file. Equal states give equal bytes.
    pub png: Vec<u8>,
    /// The alternative text: at most [`LONGEST_ALT`] UTF-16 units.
    pub alt: String,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} bytes)", self.png.len())
    }
}

/// The reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureFault {
    /// A fault in the template of the picture or of its alternative text.
    #[error(transparent)]
    Letter(#[from] LetterFault),
    /// The template's output is not an SVG.
    #[error("it is no SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// The size is zero or too large.
    #[error("it is {0} by {1} pixels")]
    Size(f32, f32),
    /// The picture cannot be encoded.
    #[error("it is no PNG: {0}")]
    Png(String),
}

/// The renderer of pictures.
#[derive(Clone, Debug)]
pub struct Pictures {
    font: Font,
    fonts: Arc<usvg::fontdb::Database>,
}

impl Pictures {
    /// Loads this font, or else the best of this machine. `None` if the machine has no Japanese font: there
    /// are no pictures then.
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

    /// Draws the position. The report must be the public one, as everybody sees the picture.
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

/// Returns the alternative text of a picture: the full one if it fits, or else the brief one.
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

/// Returns the first whole lines that fit.
fn cut(alt: &str) -> String {
    let mut text = String::new();
    for line in alt.lines() {
        if text.encode_utf16().count() + line.encode_utf16().count() + 2 > LONGEST_ALT {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text.push('…');
    text
}

#[cfg(test)]
mod tests;
