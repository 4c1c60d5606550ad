//! Statements before they are run.

use sqlx::any::{Any, AnyArguments};
use sqlx::query::{Query, QueryAs};

/// A statement with its values.
pub(in crate::store) type Statement = Query<'static, Any, AnyArguments>;

/// A statement that gives rows of this kind.
pub(in crate::store) type RowQuery<R> = QueryAs<'static, Any, R, AnyArguments>;

/// The values of so many rows of so many columns.
pub(in crate::store) fn values(rows: usize, columns: usize) -> String {
    let row = |first: usize| {
        let values: Vec<String> =
            (first..first + columns).map(|value| format!("${value}")).collect();
        format!("({})", values.join(", "))
    };
    (1..).step_by(columns).take(rows).map(row).collect::<Vec<_>>().join(", ")
}
