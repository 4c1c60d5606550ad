//! The plan of what goes wrong.

use std::time::Duration;

use super::{
    limits::Scope,
    route::{Pattern, Route},
};

/// What goes wrong with a request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It is answered with a status and has no effect.
    Status(u16),
    /// It takes effect and is answered with a status all the same.
    StatusAfter(u16),
    /// The request is refused with a status and one of Discord's codes, and has no effect.
    Refused(u16, u32),
    /// It is answered with 429.
    Limited(Duration, Scope),
    /// It lies about so long before it takes effect.
    SlowBefore(Duration),
    /// It takes effect, and its answer lies about so long.
    SlowAfter(Duration),
    /// The connection is cut before it takes effect.
    DropBefore,
    /// It takes effect, and the connection is cut before the answer.
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

/// What is planned and has not happened.
#[derive(Debug, Default)]
pub struct Faults(Vec<Planned>);

impl Faults {
    /// Plans a fault for the requests of a pattern, after sparing some of them.
    pub fn plan(&mut self, pattern: &str, spare: usize, times: usize, fault: Fault) {
        let said = format!("{pattern}: {fault:?}");
        self.0.push(Planned { pattern: Pattern::new(pattern), spare, times, fault, said });
    }

    /// What goes wrong with this request.
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

    /// What was planned and has not happened.
    pub fn left(&self) -> Vec<String> {
        self.0.iter().map(|planned| planned.said.clone()).collect()
    }

    /// Forgets the plan.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
