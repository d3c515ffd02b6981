//! Statements in async functions.

use super::generate::{Generator, Place, Shape};

impl Generator {
    pub(crate) fn waiting(&mut self, place: Place) -> String {
        let polls = 1 + self.random.below(3);
        if place.depth == 0 || self.random.chance(30) {
            return match self.callee(place.level, |shape| shape == Shape::Async) {
                Some(callee) if self.random.chance(50) => {
                    let out = self.name("out");
                    format!("let {out} = Slot::new(0); §a{callee}(r, &{out}).await; r = mix(r, {out}.get()); ")
                }
                _ => format!("Yield({polls}).await; "),
            };
        }
        let bit = 1 << self.random.below(6);
        let (call, tag) = (self.call(place.level, "r", "c"), self.tag(place));
        let (one, other) = (self.future(place.level, "r"), self.future(place.level, "a"));
        match self.random.below(11) {
            0 => format!(
                "r = match c & 3 {{ 0 => {{ Yield({polls}).await; {call} }} 1 => {one}.await, _ => mix(r, {tag}) }}; "
            ),
            1 => format!("if c & {bit} != 0 {{ Yield({polls}).await; }} r = mix(r, {call}); "),
            2 => format!(
                "let mut i = 0; loop {{ i += 1; {} if i > 3 || r & {bit} == 0 {{ break }} Yield({polls}).await; r = mix(r, i); }} \
                 r = mix(r, {call}); ",
                self.inner(place)
            ),
            3 => format!(
                "for i in 0..c & 3 {{ if r & {bit} != 0 {{ r ^= i | 1; continue }} r = mix(r, {one}.await); {} }} r = mix(r, {call}); ",
                self.inner(place)
            ),
            4 => format!(
                "let block = async {{ let mut r = r; if c & {bit} == 0 {{ Yield({polls}).await; }} r = mix(r, {call}); mix(r, {tag}) }}; \
                 r = mix(r, block.await); "
            ),
            5 => format!(
                "let closure = async |r: u64| {{ if c & {bit} == 0 {{ Yield({polls}).await; }} mix({call}, {tag}) }}; r = mix(r, \
                 closure(r).await); r = closure(a).await; "
            ),
            6 => format!("r = mix(r, join({one}, {other}).await); "),
            7 => format!(
                "let boxed: Pin<Box<dyn Future<Output = u64> + Send + '_>> = if c & {bit} != 0 {{ Box::pin({one}) }} else {{ \
                 Box::pin({other}) }}; r = mix(r, boxed.await); r = mix(r, {call}); "
            ),
            8 => {
                let guard = self.name("guard");
                let (call, log) = (self.call(place.level, "x", "a"), self.name("log"));
                format!(
                    "let {log} = Slot::new(a); {{ let {guard} = Guard(|x| mix({call}, {tag}), &{log}); r = mix(r, {one}.await); if r & \
                     {bit} == 0 {{ drop({guard}); Yield({polls}).await; }} }} r = mix(r, {log}.get()); "
                )
            }
            9 => format!(
                "while r & {bit} != 0 {{ r = mix(r, {one}.await) & !{bit}; Yield({polls}).await; }} r = mix(r, {call}); "
            ),
            _ => format!(
                "r = mix({call}, match {one}.await {{ 0 => 1, x if x & {bit} == 0 => {{ let r = x; {call} }} x => {{ \
                 Yield({polls}).await; mix(x, {tag}) }} }}); "
            ),
        }
    }

    /// A future of a value, of functions below `level`.
    fn future(&mut self, level: usize, x: &str) -> String {
        match self.callee(level, |shape| shape == Shape::Value) {
            Some(callee) => format!("§v{callee}({x}, c)"),
            None => format!("async {{ Yield(2).await; {x} ^ c }}"),
        }
    }

    /// A future that is made here, polled some times, and dropped: its guards run wherever that is.
    pub(crate) fn dropped(&mut self, place: Place) -> Option<String> {
        let callee = self.callee(place.level, |shape| shape == Shape::Async)?;
        let (out, call) = (self.name("out"), self.call(place.level, "x", "a"));
        let made = format!("async {{ let _guard = Guard(|x| {call}, &{out}); §a{callee}(r, &{out}).await; }}");
        let plain = format!("§a{callee}(r, &{out})");
        let future = self.random.pick(&[&made, &plain]);
        Some(format!("let {out} = Slot::new(c); half({future}, c & 3); r = mix(r, {out}.get()); "))
    }
}
