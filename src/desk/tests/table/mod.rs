//! Forming a table, its settings, its database, its host.

mod begin_when_full;
mod change;
mod connect;
mod dashboard;
mod edition;
mod life;
mod suspension;
mod values;
