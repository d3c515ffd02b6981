//! Items in bodies, functions, types, statics, guards, and what the attribute makes there; annotated modules.

use super::generate::{Generator, Place, Shape};

impl Generator {
    pub(crate) fn nested(&mut self, place: Place) -> String {
        let inner = self.name("inner");
        let tag = self.tag(place.inside());
        let (body, call) = (self.body(place.inside()), self.call(place.level, "r", "a"));
        match self.random.below(6) {
            0 => format!(
                "fn {inner}(a: u64, c: u64) -> u64 {{ {body} }} r = mix(r, {inner}(r, a)); r = [a, c].iter().fold(r, |x, y| \
                 {inner}(x, *y)); "
            ),
            1 => format!(
                "fn {inner}(a: u64, c: u64) -> u64 {{ {body} }} let held: [fn(u64, u64) -> u64; 2] = [{inner}, |a, c| mix({inner}(a, \
                 c), {tag})]; r = black_box(held)[(c & 1) as usize](r, a); "
            ),
            2 => format!(
                "fn {inner}(a: u64, c: u64) -> u64 {{ let mut r = mix(a, {tag}); if c & 3 == 0 {{ return r }} r = mix(r, {inner}(r, (c & \
                 3) - 1)); mix(r, {call}) }} r = {inner}(r, c); "
            ),
            3 => {
                let inside = self.call(place.level, "x", "a");
                format!(
                    "fn {inner}<F: Fn(u64) -> u64>(f: F, a: u64) -> u64 {{ let mut r = f(a); r = mix(r, {call}); mix(f(r), {tag}) \
                     }} r = {inner}(|x| {inside}, r); "
                )
            }
            4 if place.is_async => format!(
                "async fn {inner}(a: u64, c: u64) -> u64 {{ if c & 2 == 0 {{ Yield(2).await; }} {body} }} r = mix(r, {inner}(r, \
                 a).await); "
            ),
            _ => format!(
                "fn {inner}(a: u64) -> u64 {{ let c = a >> 2; {body} }} r = mix(r, call_alone({inner}, r)); let held = Holder {{ f: \
                 {inner} }}; r = (held.f)(r); "
            ),
        }
    }

    /// A type in a body. Its methods are compiled as the build says.
    pub(crate) fn local_impl(&mut self, place: Place) -> String {
        let (local, tag) = (self.name("Local"), Self::of_build(place));
        let outside = Place { list: None, ..place.inside() };
        let body = self.body(outside);
        let (dropped, call) = (self.call(place.level, "x", "y"), self.call(place.level, "r", "c"));
        match self.random.below(3) {
            0 => format!(
                "struct {local}<'a>(u64, &'a Slot); impl Drop for {local}<'_> {{ fn drop(&mut self) {{ let (x, y) = (self.0, \
                 self.1.get()); self.1.set(mix({dropped}, {tag})); }} }} {{ let log = Slot::new(r); {{ let _local = {local}(a, &log); \
                 r = mix(r, {call}); }} r = mix(r, log.get()); }} "
            ),
            1 => format!(
                "struct {local}(u64); impl {local} {{ fn m(&self, c: u64) -> u64 {{ let a = mix(self.0, {tag}); {body} }} fn f(a: u64) \
                 -> u64 {{ let c = a >> 1; let again = |x: u64| {{ let y = c; mix({dropped}, {tag}) }}; again(a) }} }} r = \
                 {local}(r).m(a); r = mix(r, call_alone({local}::f, c)); "
            ),
            _ => format!(
                "trait {local} {{ fn one(&self, c: u64) -> u64; fn two(&self, c: u64) -> u64 {{ mix(self.one(c), {tag}) }} }} impl \
                 {local} for u64 {{ fn one(&self, c: u64) -> u64 {{ let a = *self; {body} }} }} r = mix(r, {local}::two(&a, c)); r = \
                 mix(r, {{ let x: &dyn {local} = &r; x.one(a) }}); "
            ),
        }
    }

    pub(crate) fn pointer(&mut self, place: Place) -> String {
        let list = self.some_list();
        let (own, pointer, held) = (self.name("own"), self.name("pointer"), self.name("POINTER"));
        let body = self.body(Place { list: Some(list), ..place.inside() });
        let made = format!(
            "{{ @{list}@ fn {own}(a: u64, c: u64) -> u64 {{ let c = c >> 1; {body} }} {own} as fn(u64, u64) -> u64 }}"
        );
        if self.random.chance(30) {
            return format!(
                "static {held}: OnceLock<fn(u64, u64) -> u64> = OnceLock::new(); r = mix(r, {held}.get_or_init(|| {made})(r, a)); "
            );
        }
        let call = self.call(place.level, "x", "a");
        format!(
            "let {pointer} = {made}; r = mix(r, {pointer}(r, a)); r = mix(r, call_alone(|x| mix({call}, black_box({pointer})(x, a)), \
             r)); "
        )
    }

    pub(crate) fn inner_dispatch(&mut self, place: Place) -> String {
        let list = self.some_list();
        let name = self.name("own");
        let body = self.body(Place { list: Some(list), ..place.inside() });
        let call = self.call(place.level, "x", "a");
        if self.random.chance(60) {
            return format!(
                "@{list}@ fn {name}(a: u64, c: u64) -> u64 {{ {body} }} r = {name}(r, a); r = mix(r, call_twice(|x| mix({call}, {name}(x, \
                 c)), a)); "
            );
        }
        format!(
            "struct {name}(u64); @{list}@ impl {name} {{ fn m(&self, c: u64) -> u64 {{ let a = self.0; {body} }} }} r = {name}(r).m(a); "
        )
    }

    pub(crate) fn stored(&mut self, place: Place) -> String {
        // One is in the arguments of a macro.
        let (held, tag) = (self.name("held"), self.tag(place.inside()));
        let (one, other) = (self.call(place.level, "x", "a"), self.call(place.level, "x", "c"));
        match self.random.below(3) {
            0 => format!("let {held} = Holder {{ f: |x: u64| mix({one}, {tag}) }}; r = ({held}.f)(r); "),
            1 => format!(
                "let {held}: Vec<Stored> = vec![Box::new(move |x| mix({one}, {tag})), Box::new(move |x| {other})]; r = \
                 {held}.iter().fold(r, |r, f| f(r)); r = mix(r, in_thread(move || {held}[(c & 1) as usize](a))); "
            ),
            _ => match self.callee(place.level, |shape| shape == Shape::Generic) {
                Some(callee) => format!(
                    "let {held}: Stored = Box::new(move |x| mix({one}, {tag})); r = mix(r, §g{callee}(r, &*{held})); "
                ),
                None => format!("let {held} = |x: u64| -> u64 {{ {other} }}; r = call_alone({held}, r); "),
            },
        }
    }

    /// A value that the first call initialises and keeps.
    pub(crate) fn statics(&mut self, place: Place) -> String {
        let (kept, tag) = (self.name("KEPT"), self.tag(place));
        let (once, call) = (self.call(place.level, "7u64", "9u64"), self.call(place.level, "r", "*kept"));
        match self.random.below(3) {
            0 => format!(
                "static {kept}: OnceLock<u64> = OnceLock::new(); r = mix(r, *{kept}.get_or_init(|| mix({once}, {tag}))); "
            ),
            1 => format!(
                "thread_local! {{ static {kept}: u64 = mix({once}, 1); }} r = {kept}.with(|kept| mix(*kept, {call})); "
            ),
            _ => format!("static {kept}: LazyLock<u64> = LazyLock::new(|| {once}); r = mix(r, *{kept}); "),
        }
    }

    /// A function with features of the user's choice in a body.
    pub(crate) fn featured_inside(&mut self, place: Place) -> String {
        let (by_hand, (attribute, guard)) = (self.name("by_hand"), self.featured());
        let body = self.body(Place { list: None, ..place.inside() });
        format!(
            "{attribute} fn {by_hand}(a: u64, c: u64) -> u64 {{ {body} }} if {guard} {{ r = mix(r, unsafe {{ {by_hand}(r, a) }}); }} "
        )
    }

    /// A function in the body of one clone, which an impl makes callable everywhere. A macro hides the impl, which the attribute
    /// would refuse; by the word `trait` it knows that there may be one.
    pub(crate) fn carried(&mut self, number: usize, place: Place) -> String {
        let list = place.list.unwrap_or_default();
        let target = self.random.below(self.lists[list].len());
        let all = |target: &Vec<&str>| {
            let features: Vec<String> = target.iter().map(|name| format!("target_feature = {name:?}")).collect();
            format!("all({})", features.join(", "))
        };
        let earlier: Vec<String> = self.lists[list][..target].iter().map(all).collect();
        let asked = format!("all({}, not(any({})))", all(&self.lists[list][target]), earlier.join(", "));
        let features = format!("{:?}", self.lists[list][target]);
        let (call, other) = (self.call(place.level, "x", "y"), self.call(place.level, "a", "b"));
        let inside = format!("{{ let y = x >> 3; mix({call}, {}) }}", target + 1);
        format!(
            "pub trait §R{number} {{ fn run(x: u64) -> u64; }} ⟪macro_rules! §carry{number} {{ ($inner:ident) => {{ \
             impl §R{number} for [u8; 3] {{ fn run(x: u64) -> u64 {{ $inner(x) }} }} }} }}¦⟫ @{list}@ pub fn §made{number}(a: u64, b: u64) \
             -> u64 {{ ⟪#[cfg({asked})] {{ trait Unused {{}} fn inner(x: u64) -> u64 {inside} §carry{number}!(inner); }}¦⟫ {other} \
             }} ⟪¦impl §R{number} for [u8; 3] {{ fn run(x: u64) -> u64 {{ if !has_all(&{features}) {{ lost() }} {inside} }} }}⟫"
        )
    }

    /// Guards and panics.
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

    /// An annotated module: constants, paths and macros, as far as each has one value in a clone.
    pub(crate) fn module(&mut self, number: usize, place: Place) -> String {
        let list = place.list.unwrap_or_default();
        let first: Vec<String> = self.lists[list][0].iter().map(|name| format!("target_feature = {name:?}")).collect();
        let first = first.join(", ");
        let body = self.body(place);
        let calls: Vec<String> = (0..3).map(|_| self.call(place.level, "r", "b")).collect();
        format!(
            "@{list}@ pub mod §k{number} {{ use super::*; pub const FIXED: u64 = 77; ⟪const W: u64 = «{list}» * 3;¦fn W() -> u64 {{ \
             tag({list}) * 3 }}⟫ ⟪const V: u64 = W ^ FIXED;¦fn V() -> u64 {{ W() ^ FIXED }}⟫ ⟪#[cfg(all({first}))] const U: u64 = 5; \
             #[cfg(not(all({first})))] const U: u64 = 6;¦fn U() -> u64 {{ if tag({list}) == 1 {{ 5 }} else {{ 6 }} }}⟫ \
             macro_rules! fixed {{ () => {{ FIXED }} }} ⟪const TAG: u64 = «{list}»;¦fn TAG() -> u64 {{ tag({list}) }}⟫ \
             macro_rules! tagged {{ ($x:expr) => {{ mix($x, TAG⟪¦()⟫) }} }} \
             macro_rules! twice {{ ($f:path, $x:expr) => {{ mix($f($x, 1), $f($x, 2)) }} }} \
             fn leaf(r: u64, b: u64) -> u64 {{ mix({}, V⟪¦()⟫) }} \
             pub fn f(a: u64, b: u64) -> u64 {{ let c = a >> 3; let mut r = {{ {body} }}; r = mix(r, W⟪¦()⟫ + U⟪¦()⟫); r = \
             tagged!(r ^ self::FIXED); r = mix(twice!(leaf, r), twice!(self::leaf, r)); r = mix(r, fixed!()); let add = |r: u64| mix({}, \
             U⟪¦()⟫); r = add(r); inner::g(r, b) }} \
             pub mod inner {{ use super::*; pub fn g(r: u64, b: u64) -> u64 {{ mix(super::leaf({}, b), super::FIXED ^ «{list}») }} }} }}",
            calls[0], calls[1], calls[2],
        )
    }
}
