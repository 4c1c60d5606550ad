//! The pictures of tables: a game's `board.svg` drawn in a Japanese font, with an alternative text.
//!
//! A picture shows only public facts: it is made from a report, like letters. The only file read is the font,
//! once.

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fontdb::{Database, FaceInfo, Source, Style, Weight};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use resvg::usvg::{Options, Tree};
use serde_json::Value as Json;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::{LetterFault, Letters, PictureRoom, PictureText, Reader, Result, Typeface};

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
fn alt(letters: &Letters, reader: &Reader, report: &Json) -> Result<String> {
    let fits = |alt: &str| alt.encode_utf16().count() <= LONGEST_ALT;
    let full = letters.write(reader, &PictureText { report, brief: false })?;
    if fits(&full) {
        return Ok(full);
    }
    let brief = letters.write(reader, &PictureText { report, brief: true })?;
    Ok(if fits(&brief) { brief } else { cut(&brief) })
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

/// The preferred font families for Japanese, best first. Any other with the letters is accepted.
const FAMILIES: [&str; 12] = [
    "BIZ UDPGothic",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "Hiragino Sans",
    "Yu Gothic",
    "Meiryo",
    "IPAexGothic",
    "IPAPGothic",
    "IPAGothic",
    "VL PGothic",
    "VL Gothic",
];

/// The letters that identify a Japanese font: U+5F79, U+6620, U+753B, and one of each syllabary.
const JAPANESE: [char; 5] = ['\u{5f79}', '\u{6620}', '\u{753b}', '\u{3048}', '\u{30a4}'];

/// The substitutes for a letter that the font lacks, best first.
const SUBSTITUTES: [char; 4] = ['\u{3013}', '\u{25a1}', '?', ' '];

/// The reason why a font cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FontFault {
    /// The file does not exist or cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// The file is not a font, or has no Japanese letters.
    #[error("{0} is no font with Japanese letters")]
    NotJapanese(PathBuf),
}

/// A font with Japanese letters.
#[derive(Clone)]
pub struct Font {
    face: FaceInfo,
    bytes: Arc<Vec<u8>>,
    from: PathBuf,
    substitute: char,
}

impl fmt::Debug for Font {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Font({:?} from {})", self.family(), self.from.display())
    }
}

impl Font {
    /// Reads a font file.
    ///
    /// # Errors
    /// If it cannot be read, or lacks the letters.
    pub fn read(path: &Path) -> Result<Self, FontFault> {
        let unreadable = |error| FontFault::Unreadable(path.to_owned(), error);
        let bytes = Arc::new(std::fs::read(path).map_err(unreadable)?);
        let mut fonts = Database::new();
        fonts.load_font_source(Source::Binary(bytes.clone()));
        let faces = ranked(&fonts).into_iter();
        let mut read = faces.filter_map(|face| Self::of(face.clone(), bytes.clone(), path));
        read.next().ok_or_else(|| FontFault::NotJapanese(path.to_owned()))
    }

    /// Returns the best Japanese font of this machine; `None` if there is none.
    pub fn find() -> Option<Self> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        ranked(&fonts).into_iter().find_map(|face| {
            let Source::File(path) = &face.source else { return None };
            let bytes = Arc::new(std::fs::read(path).ok()?);
            Self::of(face.clone(), bytes, path)
        })
    }

    fn of(mut face: FaceInfo, bytes: Arc<Vec<u8>>, from: &Path) -> Option<Self> {
        face.source = Source::Binary(bytes.clone());
        let mut font = Self { face, bytes, from: from.to_owned(), substitute: ' ' };
        font.substitute = SUBSTITUTES.into_iter().find(|c| font.has(*c))?;
        JAPANESE.iter().all(|c| font.has(*c)).then_some(font)
    }

    /// Returns the name of the font's family.
    pub fn family(&self) -> &str {
        self.face.families.first().map_or("", |(family, _)| family)
    }

    /// Returns the file of the font.
    pub fn path(&self) -> &Path {
        &self.from
    }

    pub(super) fn face(&self) -> &FaceInfo {
        &self.face
    }

    fn face_of(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, self.face.index).ok()
    }

    /// True if the font has this letter.
    pub fn has(&self, letter: char) -> bool {
        self.face_of()
            .is_some_and(|face| face.charmap().map(letter).is_some_and(|glyph| glyph.to_u32() != 0))
    }
}

impl Typeface for Font {
    fn width(&self, text: &str, size: f64) -> f64 {
        let Some(face) = self.face_of() else { return 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a size of letters")]
        let metrics = face.glyph_metrics(Size::new(size as f32), LocationRef::default());
        let letters = face.charmap();
        let widths = text.chars().filter_map(|letter| letters.map(letter));
        widths.filter_map(|glyph| metrics.advance_width(glyph)).map(f64::from).sum()
    }

    /// Composes letters with their marks; drops marks that stay alone, as they would overlap their
    /// neighbours; and replaces letters that the font lacks.
    fn drawable(&self, text: &str) -> String {
        let letters = text.nfc().filter(|letter| !is_combining_mark(*letter));
        letters.map(|letter| if self.has(letter) { letter } else { self.substitute }).collect()
    }
}

/// Returns the upright faces, best for Japanese first.
fn ranked(fonts: &Database) -> Vec<&FaceInfo> {
    let rank = |face: &FaceInfo| {
        let of = |family: &str| FAMILIES.iter().position(|best| *best == family);
        let best = face.families.iter().filter_map(|(family, _)| of(family)).min();
        let weight = face.weight.0.abs_diff(Weight::NORMAL.0);
        (best.unwrap_or(FAMILIES.len()), weight)
    };
    let mut faces: Vec<&FaceInfo> =
        fonts.faces().filter(|face| face.style == Style::Normal).collect();
    // The name is the last criterion, so that the order of files has no effect.
    faces.sort_by_key(|face| (rank(face), face.post_script_name.clone()));
    faces
}
