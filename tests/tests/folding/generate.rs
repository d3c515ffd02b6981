//! Writes a random program of dispatched functions and of callers that are not.
//!
//! Everything is written twice from one template: once dispatched, and once as it should behave, where each function
//! looks the number of its clone up in a table. In a template `§` stands for the prefix of names, `«3»` for the number
//! of the clone that runs under list 3, `@3@` for the attribute with list 3, and `?a,b?` for whether `a` and `b` are
//! detected.

use std::fmt::Write;

use super::features::{FEATURES, closure};

/// Fixed by its seed on every platform.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((x ^ (x >> 31)) >> 33).unwrap_or(0) % bound
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A list of `SIMD_CORE_ONLY`, with all that its features imply.
    pub(crate) fn limit(&mut self) -> String {
        let share = self.pick(&[0, 20, 50, 80]);
        let named: Vec<&str> = FEATURES.iter().map(|(name, _)| *name).filter(|_| self.chance(share)).collect();
        closure(&named).join(",")
    }
}

/// How a dispatched function is called.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// `§f(x, y)`
    Free,
    /// `§g(x, closure)`
    Generic,
    /// `§M(x).m(y)`
    Method,
    /// `§T::new(x).op(y).get()`, and through `T: Op`.
    Operator,
    /// `§a(x, &out).await`
    Async,
}

struct Function {
    kind: Kind,
    /// It calls functions of lower levels alone.
    level: usize,
}

/// What stands around a block.
#[derive(Clone, Copy)]
struct Place {
    /// Functions below this level can be called.
    level: usize,
    /// How deep blocks may still be nested.
    depth: usize,
    /// The list of the function that the block is in.
    list: Option<usize>,
    /// Whether `.await` can stand here.
    is_async: bool,
}

struct Generator {
    random: Random,
    lists: Vec<Vec<Vec<&'static str>>>,
    functions: Vec<Function>,
    template: String,
    names: usize,
}

/// A generated program.
pub(crate) struct Program {
    pub(crate) source: String,
    /// Sets of features under which it should be run.
    pub(crate) limits: Vec<String>,
}

/// A program with `small` callers of a few lines each and `large` ones.
///
/// What LLVM makes of several reads shows in the small ones: they are calls in branches and loops, and nothing else, of
/// functions whose targets are subsets of one another.
pub(crate) fn program(seed: u64, small: usize, large: usize) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        lists: Vec::new(),
        functions: Vec::new(),
        template: String::new(),
        names: 0,
    };
    let mut chain: Vec<Vec<&'static str>> = vec![Vec::new()];
    while chain.len() < 4 {
        let (name, _) = generator.random.pick(FEATURES);
        let last = &chain[chain.len() - 1];
        if !closure(last).contains(&name) {
            chain.push(last.iter().copied().chain([name]).collect());
        }
    }
    let limits = chain.iter().map(|target| closure(target).join(",")).collect();
    chain.remove(0);
    chain.reverse();
    for places in [&[0, 1, 2][..], &[0, 1], &[2], &[1, 2], &[1], &[0, 2]] {
        generator.lists.push(places.iter().map(|&place| chain[place].clone()).collect());
        generator.constant();
    }
    for level in 0..3 {
        for kind in [Kind::Free, Kind::Free, Kind::Generic, Kind::Method, Kind::Operator, Kind::Async, Kind::Async] {
            // The lowest functions are many and small: they are what is inlined.
            if level == 0 || generator.random.chance(60) {
                generator.function(kind, level);
            }
        }
    }
    for number in 0..small {
        generator.small_caller(number, 6);
    }
    for number in small..small + large {
        generator.caller(number);
    }
    Program { source: generator.print(small + large), limits }
}

impl Generator {
    /// A list of targets of which each can be reached.
    fn list(&mut self) -> usize {
        let mut list: Vec<Vec<&'static str>> = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let mut target = Vec::new();
            for _ in 0..1 + self.random.below(3) {
                let (name, _) = self.random.pick(FEATURES);
                if !target.contains(&name) {
                    target.push(name);
                }
            }
            let full = closure(&target);
            let hidden = |earlier: &Vec<&'static str>| closure(earlier).iter().all(|name| full.contains(name));
            if !list.iter().any(hidden) {
                list.push(target);
            }
        }
        self.lists.push(list);
        self.lists.len() - 1
    }

    /// A function of the last list that says which clone ran, and nothing else.
    fn constant(&mut self) {
        let list = self.lists.len() - 1;
        let value = self.random.pick(&["«L»", "«L» + 1000 * ext(0)", "«L» ^ b"]).replace('L', &list.to_string());
        self.line(&format!("@{list}@ fn §f{list}(a: u64, b: u64) -> u64 {{ {value} }}"));
        self.functions.push(Function { kind: Kind::Free, level: 0 });
    }

    /// A caller of the first `functions` alone.
    fn small_caller(&mut self, number: usize, functions: usize) {
        let body = self.calls(functions, 3);
        let (attribute, guard) = self.featured();
        let text = if self.random.chance(30) {
            format!(
                "{attribute} #[inline(never)] fn §u{number}(a: u64, c: u64) -> u64 {{ let mut r = 0; {body} r }}\n\
                 fn §c{number}(a: u64, c: u64) -> u64 {{ if !{guard} {{ return a }} unsafe {{ §u{number}(a, c) }} }}"
            )
        } else {
            format!("#[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = 0; {body} r }}")
        };
        self.line(&text);
    }

    fn calls(&mut self, functions: usize, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(3) {
            let bit = 1 << self.random.below(4);
            let _ = match self.random.below(if depth == 0 { 4 } else { 7 }) {
                4 => {
                    let (one, other) = (self.calls(functions, depth - 1), self.calls(functions, depth - 1));
                    write!(text, "if c & {bit} != 0 {{ {one} }} else {{ {other} }} ")
                }
                5 => write!(text, "if c & {bit} != 0 {{ {} }} ", self.calls(functions, depth - 1)),
                6 => write!(text, "for _ in 0..c & 3 {{ {} }} ", self.calls(functions, depth - 1)),
                _ => write!(text, "r = call(r, §f{}(a, c)); ", self.random.below(functions)),
            };
        }
        text
    }

    fn function(&mut self, kind: Kind, level: usize) {
        let list = self.list();
        let place = Place { level, depth: 1.min(level), list: Some(list), is_async: kind == Kind::Async };
        let statements = 1 + self.random.below(2 + level);
        let body = self.block(place, statements);
        let inline = if self.random.chance(20) { "#[inline(never)] " } else { "" };
        // A clone of one constant is inlined wherever its features allow that, and its calls may be merged.
        let tiny = level == 0 && self.random.chance(50);
        let body = if tiny { String::new() } else { body };
        let first = if tiny { format!("«{list}»") } else { format!("mix(a, «{list}»)") };
        let start = format!("let mut r = {first}; let c = a >> 3;");
        let text = match kind {
            Kind::Free => format!("@{list}@ {inline}fn §f{list}(a: u64, b: u64) -> u64 {{ {start} r ^= b; {body} r }}"),
            Kind::Generic => format!(
                "@{list}@ {inline}fn §g{list}<F: Fn(u64) -> u64>(a: u64, f: F) -> u64 {{ {start} {body} r = mix(r, f(r)); \
                 mix(r, f(a)) }}"
            ),
            Kind::Method => format!(
                "#[derive(Clone, Copy)] struct §M{list}(u64); @{list}@ impl §M{list} {{ {inline}fn m(self, b: u64) -> u64 \
                 {{ let a = self.0; {start} r ^= b; {body} r }} }}"
            ),
            Kind::Operator => format!(
                "#[derive(Clone, Copy)] struct §T{list}(u64); @{list}@ impl Op for §T{list} {{ fn new(x: u64) -> Self {{ \
                 §T{list}(x ^ «{list}») }} fn get(&self) -> u64 {{ self.0 }} {inline}fn op(&self, b: u64) -> Self {{ let a = \
                 self.0; {start} r ^= b; {body} §T{list}(r) }} }}"
            ),
            Kind::Async => {
                format!("@{list}@ async fn §a{list}(a: u64, out: &Cell<u64>) {{ {start} {body} out.set(r); }}")
            }
        };
        self.line(&text);
        self.functions.push(Function { kind, level });
    }

    fn line(&mut self, text: &str) {
        self.template.push_str(text);
        self.template.push('\n');
    }

    /// A function below `level` of one of `kinds`.
    fn callee(&mut self, level: usize, kinds: &[Kind]) -> Option<usize> {
        let fits = |function: &Function| function.level < level && kinds.contains(&function.kind);
        let all: Vec<usize> = (0..self.functions.len()).filter(|&i| fits(&self.functions[i])).collect();
        (!all.is_empty()).then(|| self.random.pick(&all))
    }

    /// A name of its own for a local variable.
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// An expression that may call functions below `level`.
    fn call(&mut self, level: usize, x: &str, y: &str) -> String {
        let kinds = [Kind::Free, Kind::Generic, Kind::Method, Kind::Operator];
        let Some(callee) = self.callee(level, &kinds) else { return format!("ext({x})") };
        match self.functions[callee].kind {
            Kind::Free if self.random.chance(10) => {
                format!("black_box(§f{callee} as fn(u64, u64) -> u64)({x}, {y})")
            }
            Kind::Generic => {
                let inner = self.call(self.functions[callee].level.max(1), "v", y);
                format!("§g{callee}({x}, |v| {inner})")
            }
            Kind::Method => format!("§M{callee}({x}).m({y})"),
            Kind::Operator if self.random.chance(50) => format!("ops::<§T{callee}>({x}, {y} & 3)"),
            Kind::Operator => format!("§T{callee}::new({x}).op({y}).get()"),
            _ => format!("§f{callee}({x}, {y})"),
        }
    }

    /// Statements that change `r`, given `a` and `c`.
    fn block(&mut self, place: Place, statements: usize) -> String {
        (0..statements).map(|_| self.statement(place)).collect()
    }

    fn inner(&mut self, place: Place) -> String {
        let statements = 1 + self.random.below(2);
        self.block(Place { depth: place.depth - 1, ..place }, statements)
    }

    fn statement(&mut self, place: Place) -> String {
        if place.depth > 0 && self.random.chance(40) {
            return self.compound(place);
        }
        let call = self.call(place.level, "r", "a");
        match self.random.below(if place.is_async { 18 } else { 14 }) {
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
                format!("let mut {v} = [a, r, c]; {v}.sort_by(|x, y| ({one}).cmp(&{other})); r = mix(r, {v}[0]); ")
            }
            4 => {
                let call = self.call(place.level, "x", "a");
                let through = self.random.pick(&["call_twice", "call_alone"]);
                format!("r = mix(r, {through}(|x| {call}, r)); ")
            }
            5 if place.level > 2 => format!("r = mix(r, in_thread(|| {call})); "),
            6 if place.level > 2 => format!("r = mix(r, caught(|| {call})); "),
            7 => format!("r = mix(r, ?{}?); ", self.features()),
            8 => match place.list {
                Some(list) => {
                    let inner = self.name("inner");
                    let call = self.call(place.level, "x", "y");
                    format!("fn {inner}(x: u64, y: u64) -> u64 {{ mix({call}, «{list}») }} r = {inner}(r, a); ")
                }
                None => format!("r = mix(r, {call}); "),
            },
            14..=16 => format!("Yield({}).await; ", 1 + self.random.below(3)),
            17 => match self.callee(place.level, &[Kind::Async]) {
                Some(callee) => {
                    let out = self.name("out");
                    format!("let {out} = Cell::new(0); §a{callee}(r, &{out}).await; r = mix(r, {out}.get()); ")
                }
                None => format!("Yield(1).await; r = mix(r, {call}); "),
            },
            _ => format!("r = mix(r, {call}); "),
        }
    }

    /// A statement with blocks in it.
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

    fn features(&mut self) -> String {
        let (one, other) = (self.random.pick(FEATURES).0, self.random.pick(FEATURES).0);
        if one == other || self.random.chance(60) { one.to_owned() } else { format!("{one},{other}") }
    }

    /// A caller, with functions of its own: none is dispatched, and some have features.
    fn caller(&mut self, number: usize) {
        let place = Place { level: 3, depth: 2, list: None, is_async: false };
        let statements = 2 + self.random.below(4);
        let body = self.block(place, statements);
        let start = "let mut r = a;";
        let featured = self.featured();
        let text = match self.random.below(10) {
            0..=3 => format!("#[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ {start} {body} r }}"),
            4 | 5 => {
                let (attribute, guard) = featured;
                format!(
                    "{attribute} #[inline(never)] fn §u{number}(a: u64, c: u64) -> u64 {{ {start} {body} r }}\n\
                     fn §c{number}(a: u64, c: u64) -> u64 {{ if !{guard} {{ return a }} unsafe {{ §u{number}(a, c) }} }}"
                )
            }
            6 => {
                let inline = self.random.pick(&["#[inline]", "#[inline(never)]", "#[inline(always)]"]);
                format!(
                    "{inline} fn §h{number}(a: u64, c: u64) -> u64 {{ {start} {body} r }}\n\
                     fn §c{number}(a: u64, c: u64) -> u64 {{ let r = §h{number}(a, c); mix(r, §h{number}(r, c >> 1)) }}"
                )
            }
            7 | 8 => self.resumes(number, &featured),
            _ => {
                let is_async = self.block(Place { is_async: true, ..place }, statements);
                let attribute = self.random.pick(&["", &featured.0]).to_owned();
                let call = if attribute.is_empty() { "§p(a, c, &out)" } else { "unsafe { §p(a, c, &out) }" };
                let call = call.replace("§p", &format!("§p{number}"));
                let guard = if attribute.is_empty() { "true" } else { &featured.1 };
                format!(
                    "{attribute} async fn §p{number}(a: u64, c: u64, out: &Cell<u64>) {{ {start} {is_async} out.set(r); }}\n\
                     fn §c{number}(a: u64, c: u64) -> u64 {{ if !{guard} {{ return a }} let out = Cell::new(0); \
                     block({call}); out.get() }}"
                )
            }
        };
        self.line(&text);
    }

    /// An attribute with features, and an expression for whether this CPU has them.
    fn featured(&mut self) -> (String, String) {
        let features = self.features();
        let has: Vec<String> =
            features.split(',').map(|name| format!("(enabled(\"{name}\") || detected(\"{name}\"))")).collect();
        (format!("#[target_feature(enable = \"{features}\")]"), format!("({})", has.join(" && ")))
    }

    /// A future that is polled in several frames, which have read the words at several times.
    fn resumes(&mut self, number: usize, (attribute, guard): &(String, String)) -> String {
        let Some(callee) = self.callee(3, &[Kind::Async]) else { return String::new() };
        let calls: Vec<String> = (0..3).map(|_| self.call(3, "r", "c")).collect();
        let elsewhere =
            if self.random.chance(50) { "poll_elsewhere(future.as_mut())" } else { "poll(future.as_mut())" };
        format!(
            "{attribute} fn §n{number}<F: Future<Output = ()>>(mut future: Pin<&mut F>, done: &Cell<bool>, a: u64, c: u64) \
             -> u64 {{ let mut r = mix(a, {}); if c & 3 != 0 {{ r = mix(r, §n{number}(future.as_mut(), done, r, c - 1)); }} \
             if c & 4 != 0 {{ r = mix(r, {}); }} if !done.get() && !poll(future.as_mut()) {{ done.set(true); }} r }}\n\
             {attribute} #[inline(never)] fn §u{number}(a: u64, c: u64) -> u64 {{ let mut r = a; let out = Cell::new(0); let \
             done = Cell::new(false); let mut future = pin!(§a{callee}(a, &out)); if c & 8 != 0 {{ r = mix(r, {}); }} if c & \
             16 != 0 && !{elsewhere} {{ done.set(true); }} r = mix(r, §n{number}(future.as_mut(), &done, r, c)); while \
             !done.get() {{ if !poll(future.as_mut()) {{ done.set(true); }} }} mix(r, out.get()) }}\n\
             fn §c{number}(a: u64, c: u64) -> u64 {{ if !{guard} {{ return a }} unsafe {{ §u{number}(a, c) }} }}",
            calls[0].replace('r', "a"),
            calls[1],
            calls[2],
        )
    }

    fn print(self, callers: usize) -> String {
        let mut source = String::from("#![allow(warnings)]\n");
        source.push_str(include_str!("runtime.rs"));
        let _ = writeln!(source, "{}", super::features::source());
        let _ = writeln!(source, "static LISTS: [&[&[&str]]; {}] = {:?};", self.lists.len(), Borrowed(&self.lists));
        let rows: String = (0..callers).map(|number| format!("(dc{number}, oc{number}), ")).collect();
        let _ = writeln!(source, "static CALLERS: [(Caller, Caller); {callers}] = [{rows}];");
        source.push_str(&self.filled(true));
        source.push_str(&self.filled(false));
        source
    }

    /// The template, dispatched or as it should behave.
    fn filled(&self, dispatched: bool) -> String {
        let mut text = self.template.replace('§', if dispatched { "d" } else { "o" });
        for (number, list) in self.lists.iter().enumerate() {
            let all: Vec<String> = list.iter().map(|target| target.join(",")).collect();
            let attribute = format!("#[simd_core::dispatch(targets = \"{}\")]", all.join(" | "));
            let mut tag = String::from("(");
            for (place, target) in list.iter().enumerate() {
                let features: Vec<String> = target.iter().map(|name| format!("target_feature = {name:?}")).collect();
                let _ = write!(tag, "if cfg!(all({})) {{ {} }} else ", features.join(", "), place + 1);
            }
            let _ = write!(tag, "{{ {} }})", list.len() + 1);
            text = text.replace(&format!("@{number}@"), if dispatched { &attribute } else { "" });
            text = text.replace(&format!("«{number}»"), &if dispatched { tag } else { format!("tag({number})") });
        }
        let mut filled = String::new();
        for (place, part) in text.split('?').enumerate() {
            if place % 2 == 0 {
                filled.push_str(part);
            } else if dispatched {
                let _ = write!(filled, "u64::from(simd_core::detected!({part:?}))");
            } else {
                let _ = write!(filled, "u64::from(has_all(&{:?}))", part.split(',').collect::<Vec<_>>());
            }
        }
        filled
    }
}

/// Prints nested lists as slices.
struct Borrowed<'a>(&'a [Vec<Vec<&'static str>>]);

impl core::fmt::Debug for Borrowed<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_char('[')?;
        for list in self.0 {
            f.write_str("&[")?;
            for target in list {
                write!(f, "&{target:?}, ")?;
            }
            f.write_str("], ")?;
        }
        f.write_char(']')
    }
}
