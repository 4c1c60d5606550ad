//! The result of a table, at the head of its page.

use serde::Serialize;

use super::data::called;
use crate::model::Written;
use crate::{Retold, Step, StepKind};
use letters::{FinalScores, Letters, Moment};
use rules::text::Lang;
use rules::{Place, Viewer};
use tables::{EndKind, TableCode};

/// The fields of the template of a result.
#[derive(Debug, Serialize)]
pub(super) struct Outcome<'a> {
    game: String,
    code: &'a TableCode,
    when: String,
    how: Option<EndKind>,
    /// The headline of a game that is won by a side or by all; empty if each player has a rank.
    told: String,
    /// The players by rank; empty if the game has no result.
    places: Vec<RankedPlayer>,
}

/// A player's place in the final standing.
#[derive(Debug, Serialize)]
struct RankedPlayer {
    called: String,
    #[serde(flatten)]
    place: Place,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(retold: &'a Retold, letters: &Letters, lang: Lang) -> Written<Self> {
        let reader = retold.reader(lang).in_plain_text().in_the_year(Some(0));
        let last = retold.steps.last();
        let report = last.and_then(|step| step.seen_by(Viewer::All).report);
        let over = last.filter(|step| step.is_scored());
        let told = match (over, &report) {
            (Some(step), Some(report))
                if step.has_sides() || letters.score_table(&reader, report)?.is_empty() =>
            {
                let scores = letters.write(&reader, &FinalScores { report })?;
                let head = scores.lines().next().unwrap_or_default();
                head.trim_start_matches(['◆', ' ']).to_owned()
            }
            _ => String::new(),
        };
        let standing = over.and_then(Step::standing);
        let mut places = standing.unwrap_or_default();
        places.sort_by_key(|place| (place.rank, place.seat));
        let ranked = places
            .into_iter()
            .map(|place| RankedPlayer { called: called(retold, place.seat), place });
        Ok(Self {
            game: letters.game_name(retold.game, lang)?,
            code: &retold.code,
            when: match last {
                Some(step) => letters.when(&reader, &Moment::at(step.at, retold.zone))?,
                None => String::new(),
            },
            how: last.and_then(|step| match step.what {
                StepKind::Over { how } => Some(how),
                StepKind::Dealt | StepKind::Closed { .. } => None,
            }),
            told,
            places: ranked.collect(),
        })
    }
}
