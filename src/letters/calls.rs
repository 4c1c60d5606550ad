//! Letters about seats for which players are sought.

use serde_json::json;

use super::samples;
use super::views::Moment;
use super::{DESK, LetterFault, Letters, Reader};
use crate::rules::Seat;

impl Letters {
    /// A player is sought for a seat. The open window closes then.
    pub fn called(
        &self,
        reader: &Reader,
        code: &str,
        seat: Seat,
        closes: &Moment,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "called", json!({ "code": code, "seat": seat, "closes": closes }))
    }

    /// The reader is asked to take a seat, or, before the game begins, any chair.
    pub fn invited(
        &self,
        reader: &Reader,
        code: &str,
        seat: Option<Seat>,
        closes: Option<&Moment>,
    ) -> Result<String, LetterFault> {
        let context = json!({ "code": code, "seat": seat, "closes": closes });
        self.letter(DESK, reader, "invited", context)
    }

    /// Somebody has taken a seat, which may have been the reader's. The open window closes then, if
    /// it was put off for them.
    pub fn taken(
        &self,
        reader: &Reader,
        seat: Seat,
        closes: Option<&Moment>,
        gone: bool,
    ) -> Result<String, LetterFault> {
        let context = json!({ "seat": seat, "closes": closes, "gone": gone });
        self.letter(DESK, reader, "taken", context)
    }

    /// The table goes on where this is read.
    pub fn relocated(&self, reader: &Reader) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "relocated", ())
    }

    /// The seats for which players are sought.
    pub fn sought(&self, reader: &Reader, seats: &[Seat]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "sought", json!({ "seats": seats }))
    }

    /// Who is away, and until when.
    pub fn absent(&self, reader: &Reader, away: &[(Seat, Moment)]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "absent", json!({ "away": away }))
    }

    /// Each of them, for the letters' own check.
    pub(super) fn check_calls(&self, reader: &Reader) -> Vec<Result<String, LetterFault>> {
        let (code, seat, closes) = ("K7Q2T", Seat::new(0), samples::moment());
        let mut letters = Vec::new();
        for reader in [reader, &reader.clone().in_plain_text()] {
            letters.push(self.called(reader, code, seat, &closes));
            letters.push(self.invited(reader, code, None, None));
            letters.push(self.invited(reader, code, Some(seat), Some(&closes)));
            letters.push(self.sought(reader, &[seat, Seat::new(1)]));
            letters.push(self.relocated(reader));
            letters.push(
                self.absent(reader, &[(seat, closes.clone()), (Seat::new(1), closes.clone())]),
            );
            for gone in [true, false] {
                letters.push(self.taken(reader, seat, None, gone));
                letters.push(self.taken(reader, seat, Some(&closes), gone));
            }
        }
        letters
    }
}
