//! The dispatched functions of a program, and calls of them.

use super::generate::{Function, Generator, Place, Shape};

impl Generator {
    fn declare(&mut self, shape: Shape, level: usize, guard: String) {
        self.functions.push(Function { shape, level, guard });
    }

    /// A function of the last list that says which clone ran, and nothing else.
    pub(crate) fn constant(&mut self) {
        let list = self.lists.len() - 1;
        let value = self.random.pick(&["«L»", "«L» + 1000 * ext(0)", "«L» ^ b"]).replace('L', &list.to_string());
        let number = self.functions.len();
        self.line(0, &format!("@{list}@ pub fn §f{number}(a: u64, b: u64) -> u64 {{ {value} }}"));
        self.declare(Shape::Free, 0, String::new());
    }

    pub(crate) fn level(&mut self, level: usize) {
        let shapes = [
            (Shape::Free, 100),
            (Shape::Generic, 70),
            (Shape::Method, 60),
            (Shape::Operator, 50),
            (Shape::Default, 40),
            (Shape::Async, 90),
            (Shape::Value, 70),
            (Shape::Boxed, 50),
            (Shape::Pointer, 50),
            (Shape::Module, 40),
            (Shape::Throws, 40),
            (Shape::Carried, if self.flags { 0 } else { 50 }),
            (Shape::Frame, 70),
        ];
        for (shape, percent) in shapes {
            // The lowest functions are small: they are what is inlined. Of the others there need not be all.
            if self.random.chance(if level == 0 { percent } else { percent / 2 }) {
                self.function(shape, level);
            }
        }
    }

    fn function(&mut self, shape: Shape, level: usize) {
        // Callers and callees under one list, or under lists that share targets, are what folds.
        let list = if self.random.chance(50) { self.list() } else { self.random.below(self.lists.len()) };
        let number = self.functions.len();
        let place = Place { level, depth: 1.min(level), list: Some(list), is_async: false };
        let (text, guard) = match shape {
            Shape::Boxed | Shape::Pointer => (self.returned(shape, number, place), String::new()),
            Shape::Module => (self.module(number, place), String::new()),
            Shape::Carried => (self.carried(number, place), String::new()),
            Shape::Frame => {
                let (attribute, guard) = self.featured();
                let call = self.call(level, "r", "x");
                let text = format!(
                    "{attribute} pub fn §w{number}<F: Fn(u64) -> u64>(f: F, x: u64) -> u64 {{ let r = f(x); mix(f(r), {call}) }}"
                );
                (text, guard)
            }
            _ => (self.ordinary(shape, number, place), String::new()),
        };
        self.line(level, &text);
        self.declare(shape, level, guard);
    }

    fn ordinary(&mut self, shape: Shape, number: usize, place: Place) -> String {
        let list = place.list.unwrap_or_default();
        let is_async = matches!(shape, Shape::Async | Shape::Value);
        let statements = 1 + self.random.below(2 + place.level);
        let body = self.block(Place { is_async, ..place }, statements);
        let inline = if self.random.chance(20) { "#[inline(never)] " } else { "" };
        // A clone of one constant is inlined wherever its features allow that, and its calls may be merged.
        let tiny = place.level == 0 && self.random.chance(40);
        let body = if tiny { String::new() } else { body };
        let tag = format!("«{list}»");
        let first = if tiny { tag.clone() } else { format!("mix(a, {tag})") };
        let start = format!("let mut r = {first}; let c = a >> 3;");
        match shape {
            Shape::Generic => format!(
                "@{list}@ {inline}pub fn §g{number}<F: Fn(u64) -> u64>(a: u64, f: F) -> u64 {{ {start} {body} r = mix(r, \
                 f(r)); mix(r, f(a)) }}"
            ),
            Shape::Method => format!(
                "#[derive(Clone, Copy)] pub struct §M{number}(pub u64); @{list}@ impl §M{number} {{ {inline}pub fn m(self, \
                 b: u64) -> u64 {{ let a = self.0; {start} r ^= b; {body} r }} }}"
            ),
            Shape::Operator => format!(
                "#[derive(Clone, Copy)] pub struct §T{number}(pub u64); @{list}@ impl Op for §T{number} {{ fn new(x: u64) -> \
                 Self {{ §T{number}(x ^ {tag}) }} fn get(&self) -> u64 {{ self.0 }} {inline}fn op(&self, b: u64) -> Self \
                 {{ let a = self.0; {start} r ^= b; {body} §T{number}(r) }} }}"
            ),
            Shape::Default => format!(
                "@{list}@ pub trait §D{number} {{ fn base(&self) -> u64; {inline}fn d(&self, b: u64) -> u64 {{ let a = \
                 self.base(); {start} r ^= b; {body} r }} }} pub struct §E{number}(pub u64); impl §D{number} for §E{number} \
                 {{ fn base(&self) -> u64 {{ self.0 }} }}"
            ),
            Shape::Async => {
                format!("@{list}@ pub async fn §a{number}(a: u64, out: &Slot) {{ {start} {body} out.set(r); }}")
            }
            Shape::Value => {
                format!("@{list}@ pub async fn §v{number}(a: u64, b: u64) -> u64 {{ {start} r ^= b; {body} r }}")
            }
            Shape::Throws => {
                let call = self.call(place.level, "x", "a");
                format!(
                    "@{list}@ {inline}pub fn §t{number}(a: u64, b: u64) -> u64 {{ let log = Slot::new(a); {start} r ^= b; let \
                     inside = caught(|| {{ let mut r = r; let _guard = Guard(|x| mix({call}, «{list}»), &log); {body} if r & \
                     4 == 0 {{ throw(r) }} r }}); r = mix(inside, log.get()); if r & 2 == 0 {{ throw(r) }} r }}"
                )
            }
            _ => format!("@{list}@ {inline}pub fn §f{number}(a: u64, b: u64) -> u64 {{ {start} r ^= b; {body} r }}"),
        }
    }

    /// A function that returns what was made in its clone.
    fn returned(&mut self, shape: Shape, number: usize, place: Place) -> String {
        let list = place.list.unwrap_or_default();
        let calls: Vec<String> = (0..3).map(|_| self.call(place.level, "x", "y")).collect();
        let inner = format!("fn inner(x: u64) -> u64 {{ let y = x ^ 5; mix({}, «{list}») }}", calls[0]);
        if shape == Shape::Pointer {
            let first = self.random.pick(&["inner", "Holder { f: inner }.f"]);
            return format!(
                "@{list}@ pub fn §q{number}(a: u64) -> fn(u64) -> u64 {{ {inner} if a & 1 == 0 {{ return {first} }} |x| {{ let \
                 y = x >> 1; mix({}, «{list}») }} }}",
                calls[1]
            );
        }
        let value = match self.random.below(3) {
            0 => "let held = Holder { f }; Box::new(move |x| (held.f)(x))",
            1 => "if a & 1 == 0 { return Box::new(inner) } Box::new(f)",
            _ => "Box::new(f)",
        };
        format!(
            "@{list}@ pub fn §b{number}(a: u64) -> Stored {{ {inner} let y = a; let r = {{ let x = a; {} }}; let f = move |x: \
             u64| {{ let z = mix({}, r); mix(z, «{list}») }}; {value} }}",
            calls[1], calls[2]
        )
    }

    /// An expression that may call functions below `level`.
    pub(crate) fn call(&mut self, level: usize, x: &str, y: &str) -> String {
        let Some(callee) = self.callee(level, |shape| !matches!(shape, Shape::Async | Shape::Value)) else {
            return format!("ext({x})");
        };
        match self.functions[callee].shape {
            Shape::Free if self.random.chance(10) => {
                format!("black_box(§f{callee} as fn(u64, u64) -> u64)({x}, {y})")
            }
            Shape::Generic => {
                let inner = self.call(self.functions[callee].level.max(1), "v", y);
                format!("§g{callee}({x}, |v| {inner})")
            }
            Shape::Method => format!("§M{callee}({x}).m({y})"),
            Shape::Operator if self.random.chance(50) => format!("ops::<§T{callee}>({x}, {y} & 3)"),
            Shape::Operator => format!("§T{callee}::new({x}).op({y}).get()"),
            Shape::Default => format!("§E{callee}({x}).d({y})"),
            Shape::Boxed if self.random.chance(30) => format!("in_thread(|| §b{callee}({x}))({y})"),
            Shape::Boxed => format!("§b{callee}({x})({y})"),
            Shape::Pointer if self.random.chance(50) => format!("black_box(§q{callee}({x}))({y})"),
            Shape::Pointer => format!("§q{callee}({x})({y})"),
            Shape::Module => format!("§k{callee}::f({x}, {y})"),
            Shape::Throws => format!("caught(|| §t{callee}({x}, {y}))"),
            Shape::Carried => format!("caught(|| <[u8; 3] as §R{callee}>::run({x}))"),
            Shape::Frame => {
                let inner = self.call(self.functions[callee].level.max(1), "v", y);
                let guard = self.functions[callee].guard.clone();
                format!("(if {guard} {{ unsafe {{ §w{callee}(|v: u64| {inner}, {x}) }} }} else {{ {y} }})")
            }
            _ => format!("§f{callee}({x}, {y})"),
        }
    }
}
