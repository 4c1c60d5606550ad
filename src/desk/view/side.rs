//! The data that a side shares: the declarations of partners in the open window, and the lines of the side.

use serde_json::Value as Json;

use crate::model::desk::Desk;
use crate::view::see::{PlayView, Sight};
use letters::{
    LetterFault, Letters, Moment, PartnerShown, Reader, SideLineShown, SidePlan, SideShown, follow,
};
use rules::text::{self, Lang};
use rules::window::Progress;
use rules::{Declaration, Seat};
use store::{SideLine, StoreError, side_lines};
use tables::Stage;

/// The shared data of a side, as one of its seats sees them.
#[derive(Clone, Debug, Default)]
pub struct SideView {
    /// The declarations of the partners in the open window.
    declared: Vec<(Seat, Declaration)>,
    /// The game's report of the state after all drafts of the side; `None` if that cannot be known.
    report: Option<Json>,
    /// The last lines of the side.
    lines: Vec<SideLine>,
}

/// Returns the shared data of the viewer's side, with the viewer's draft and a limited number of lines;
/// empty without partners, or after the end of the game.
pub async fn side(
    desk: &Desk,
    sight: &Sight,
    own: &Declaration,
    lines: u32,
) -> Result<Option<SideView>, StoreError> {
    let Some((play, seat)) = sight.play.as_ref().zip(sight.seat) else { return Ok(None) };
    let side = play.contest.sides()[seat].filter(|_| sight.stage == Stage::Playing);
    let Some(side) = side.filter(|_| !play.partners.is_empty()) else { return Ok(None) };
    let mut session = desk.store.read().await?;
    let mut declared = Vec::new();
    for partner in play.partners.iter().copied().filter(|of| play.has_declared(*of)) {
        let row = session.own_declaration(&sight.code, play.number, partner).await?;
        declared.extend(row.map(|row| (partner, row.answers)));
    }
    let lines = side_lines::all(&mut session, &sight.code, side, lines).await?;
    let drafts = declared.iter().map(|(of, answers)| (*of, answers)).chain([(seat, own)]);
    let mut drafts: Vec<(Seat, &Declaration)> = drafts.collect();
    drafts.sort_by_key(|(of, _)| *of);
    let report = play.contest.planned(seat, &drafts).filter(|_| play.shut.is_none());
    Ok(Some(SideView { declared, report, lines }))
}

impl PlayView {
    /// True if this seat is seen to have declared anything in the window, which has not closed.
    fn has_declared(&self, seat: Seat) -> bool {
        let none =
            matches!(self.progress[seat], Progress::NothingToDeclare | Progress::NothingDeclared);
        self.shut.is_none() && !none
    }
}

impl SideView {
    /// Returns the result of all drafts of the side in words; empty where it cannot be known.
    pub fn plan_shown(&self, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        match &self.report {
            Some(report) => letters.write(reader, &SidePlan { report }),
            None => Ok(String::new()),
        }
    }
}

impl Sight {
    /// Returns the shared data in words: each declaration as its author could type it.
    pub fn side_shown(
        &self,
        side: &SideView,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let Some(play) = &self.play else { return Ok(String::new()) };
        let partner = |seat: &Seat| PartnerShown {
            seat: *seat,
            progress: play.progress[*seat],
            said: self.written_of(side, *seat, reader.lang),
        };
        let is_open = play.shut.is_none();
        let partners = play.partners.iter().filter(|_| is_open).map(partner);
        let line = |line: &SideLine| SideLineShown {
            seat: line.seat,
            at: Moment::at(line.at, self.zone),
            words: line.words.clone(),
        };
        let partners: Vec<PartnerShown> = partners.collect();
        let unread = play.partners.iter().all(|seat| self.house.contains(seat));
        let lines: Vec<SideLineShown> = side.lines.iter().map(line).collect();
        let mut text = side.plan_shown(letters, reader)?;
        follow(
            &mut text,
            &letters.write(reader, &SideShown { partners: &partners, unread, lines: &lines })?,
        );
        Ok(text)
    }

    fn written_of(&self, side: &SideView, seat: Seat, lang: Lang) -> Vec<String> {
        let answers = side.declared.iter().find(|(of, _)| *of == seat).map(|(_, answers)| answers);
        let Some((answers, play)) = answers.zip(self.play.as_ref()) else { return Vec::new() };
        let form = play.contest.interview(seat, answers);
        let written = text::write(answers, &form, &self.words(), lang);
        written.lines().map(str::to_owned).collect()
    }
}
