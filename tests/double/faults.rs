//! The plan of faults.

use std::time::Duration;

use super::{
    limits::Scope,
    route::{Pattern, Route},
};

/// A fault of a request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The request has no effect, and is answered with this status.
    Status(u16),
    /// The request takes effect, but is answered with this status.
    StatusAfter(u16),
    /// The request has no effect, and is refused with this status and Discord error code.
    Refused(u16, u32),
    /// The request is answered with 429.
    Limited(Duration, Scope),
    /// The request takes effect after this delay.
    SlowBefore(Duration),
    /// The request takes effect, and is answered after this delay.
    SlowAfter(Duration),
    /// The connection is cut before the request takes effect.
    DropBefore,
    /// The request takes effect, and the connection is cut before the answer.
    DropAfter,
}

#[derive(Debug)]
struct Planned {
    pattern: Pattern,
    spare: usize,
    times: usize,
    fault: Fault,
    said: String,
}

/// The planned faults that have not happened.
#[derive(Debug, Default)]
pub struct Faults(Vec<Planned>);

impl Faults {
    /// Plans a fault for the requests of a pattern, after sparing some of them.
    pub fn plan(&mut self, pattern: &str, spare: usize, times: usize, fault: Fault) {
        let said = format!("{pattern}: {fault:?}");
        self.0.push(Planned { pattern: Pattern::new(pattern), spare, times, fault, said });
    }

    /// Returns the fault of this request, and counts it as happened.
    pub fn strike(&mut self, route: &Route) -> Option<Fault> {
        let mut struck = None;
        for planned in self.0.iter_mut().filter(|planned| planned.pattern.matches(route)) {
            if planned.spare > 0 {
                planned.spare -= 1;
            } else if struck.is_none() && planned.times > 0 {
                planned.times -= 1;
                struck = Some(planned.fault.clone());
            }
        }
        self.0.retain(|planned| planned.times > 0);
        struck
    }

    /// Returns the planned faults that have not happened.
    pub fn left(&self) -> Vec<String> {
        self.0.iter().map(|planned| planned.said.clone()).collect()
    }

    /// Clears the plan.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
