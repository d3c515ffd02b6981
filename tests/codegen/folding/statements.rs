//! Statements that change `r`, given `a` and `c`.

use super::generate::{Generator, Place};

impl Generator {
    pub(crate) fn block(&mut self, place: Place, statements: usize) -> String {
        (0..statements).map(|_| self.statement(place)).collect()
    }

    /// The body of a function with the parameters `a` and `c`.
    pub(crate) fn body(&mut self, place: Place) -> String {
        let statements = 1 + self.random.below(2);
        let block = self.block(place, statements);
        format!("let mut r = mix(a, {}); {block} r", self.tag(place))
    }

    pub(crate) fn inner(&mut self, place: Place) -> String {
        let statements = 1 + self.random.below(2);
        self.block(Place { depth: place.depth - 1, ..place }, statements)
    }

    pub(crate) fn statement(&mut self, place: Place) -> String {
        if place.depth > 0 && self.random.chance(40) {
            return self.compound(place);
        }
        if place.is_async && self.random.chance(35) {
            return self.waiting(place);
        }
        if place.depth > 0 && self.random.chance(50) {
            return self.special(place);
        }
        let call = self.call(place.level, "r", "a");
        match self.random.below(12) {
            0 => {
                let f = self.name("f");
                let call = self.call(place.level, "x", "a");
                format!("let {f} = |x: u64| {call}; r = mix(r, {f}(a)); r = mix(r, {f}(r)); ")
            }
            1 => {
                let call = self.call(place.level, "s", "*x");
                format!("r = [a, c, r].iter().fold(r, |s, x| {call}); ")
            }
            2 => {
                let f = self.name("f");
                let call = self.call(place.level, "x", "n");
                format!(
                    "let mut n = c; let mut {f} = |x: u64| {{ n ^= x; {call} }}; r = mix(r, call_dyn(&mut {f}, a)); \
                     r = mix(r, {f}(r)); "
                )
            }
            3 => {
                let v = self.name("v");
                let (one, other) = (self.call(place.level, "*x", "a"), self.call(place.level, "*y", "a"));
                format!(
                    "let mut {v} = [a, r, c]; {v}.sort_by_key(|x| {one} & 7); r = mix(r, {v}[0]); r = {v}.map(|y| {{ let y = &y; {other} }})[1]; "
                )
            }
            4 => {
                let call = self.call(place.level, "x", "a");
                let through = self.random.pick(&["call_twice", "call_alone"]);
                format!("r = mix(r, {through}(|x| {call}, r)); ")
            }
            5 if place.level > 2 => format!("r = mix(r, in_thread(|| {call})); "),
            6 => format!("r = mix(r, ?{}?); ", self.features()),
            7 => format!("if simd_core::detected!(\"{}\") {{ r = r.wrapping_add(c & 0) }} ", self.features()),
            _ => format!("r = mix(r, {call}); "),
        }
    }

    fn compound(&mut self, place: Place) -> String {
        let bit = 1 << self.random.below(6);
        match self.random.below(5) {
            0 => format!("for i in 0..c & 3 {{ r ^= i; {} }} ", self.inner(place)),
            1 => {
                let (one, other) = (self.inner(place), self.inner(place));
                format!("if c & {bit} != 0 {{ {one} }} else {{ {other} }} ")
            }
            2 => format!("if c & {bit} != 0 {{ {} }} ", self.inner(place)),
            3 => {
                let call = self.call(place.level, "r", "c");
                format!("for _ in 0..3 {{ if r & {bit} == 0 {{ break }} {} r ^= {call}; }} ", self.inner(place))
            }
            _ => {
                let (one, other) = (self.inner(place), self.inner(place));
                format!("match c & 3 {{ 0 => {{ {one} }} 1 | 2 => {{ {other} }} _ => {{}} }} ")
            }
        }
    }

    /// A statement with items, or with code that runs elsewhere.
    fn special(&mut self, place: Place) -> String {
        match self.random.below(10) {
            0 | 1 => self.nested(place),
            2 => self.local_impl(place),
            3 => self.pointer(place),
            4 => self.inner_dispatch(place),
            5 => self.stored(place),
            6 => self.statics(place),
            7 => self.unwinding(place),
            8 => self.featured_inside(place),
            _ => match self.dropped(place) {
                Some(text) => text,
                None => format!("r = mix(r, {}); ", self.call(place.level, "r", "c")),
            },
        }
    }
}
