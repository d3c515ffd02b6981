//! Guards and panics in bodies.

use super::generate::{Generator, Place};

impl Generator {
    pub(crate) fn unwinding(&mut self, place: Place) -> String {
        let (log, tag, bit) = (self.name("log"), self.tag(place.inside()), 1 << self.random.below(4));
        let (guarded, call) = (self.call(place.level, "x", "a"), self.call(place.level, "r", "c"));
        let block = self.block(Place { depth: 0, ..place.inside() }, 1);
        match self.random.below(4) {
            // The guard's closure runs while the stack unwinds out of the clone.
            0 => format!(
                "let {log} = Slot::new(a); r = mix(r, caught(|| {{ let mut r = r; let _guard = Guard(|x| mix({guarded}, {tag}), &{log}); \
                 {block} if r & {bit} == 0 {{ throw(r) }} r }})); r = mix(r, {log}.get()); "
            ),
            1 => {
                let inner = self.name("inner");
                format!(
                    "fn {inner}(x: u64) -> u64 {{ let a = x >> 3; mix({guarded}, {tag}) }} let {log} = Slot::new(c); r = caught(|| {{ let \
                     _guard = Guard({inner}, &{log}); if r & {bit} == 0 {{ throw({call}) }} {call} }}); r = mix(r, {log}.get()); "
                )
            }
            // A panic of a closure passes through the code that calls it.
            2 => format!(
                "r = mix(r, caught(|| call_alone(|x| {{ if x & {bit} == 0 {{ throw(x) }} {guarded} }}, r))); r = mix(r, {call}); "
            ),
            _ => format!("r = mix(r, caught(|| in_thread(|| {{ if r & {bit} == 0 {{ throw(r) }} {call} }}))); "),
        }
    }
}
