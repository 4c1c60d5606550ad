//! Statements before they are run.

use std::fmt::Write;

use sqlx::any::{Any, AnyArguments};
use sqlx::query::{Query, QueryAs};

/// A statement with its values.
pub(in crate::store) type Statement = Query<'static, Any, AnyArguments>;

/// A statement that gives rows of this kind.
pub(in crate::store) type RowQuery<R> = QueryAs<'static, Any, R, AnyArguments>;

/// How values stand in a statement of many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Marks {
    /// By their numbers, as a server wants them.
    Numbered,
    /// In order: an embedded database would look each number up among all others.
    InOrder,
}

impl Marks {
    /// The values of so many rows of so many columns, the first of the statement.
    pub(in crate::store) fn values(self, rows: usize, columns: usize) -> String {
        let mut text = String::with_capacity(6 * rows * columns);
        for row in 0..rows {
            text.push_str(if row == 0 { "(" } else { "), (" });
            for column in 1..=columns {
                let comma = if column == 1 { "" } else { ", " };
                let _ = match self {
                    Self::Numbered => write!(text, "{comma}${}", row * columns + column),
                    Self::InOrder => write!(text, "{comma}?"),
                };
            }
        }
        text.push_str(if rows == 0 { "" } else { ")" });
        text
    }

    /// A statement that makes JSON, in which `{list}` and `{object}` stand for what makes them.
    pub(in crate::store) fn with_json(self, statement: &str) -> String {
        let (list, object) = match self {
            Self::Numbered => ("json_agg", "json_build_object"),
            Self::InOrder => ("json_group_array", "json_object"),
        };
        statement.replace("{list}", list).replace("{object}", object)
    }
}
