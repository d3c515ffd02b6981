//! Callers: none is dispatched, and some have features of their own.

use std::fmt::Write;

use super::generate::{Generator, Place, Shape};

impl Generator {
    /// A caller of the first `functions` only.
    pub(crate) fn small_caller(&mut self, number: usize, functions: usize) {
        let body = self.calls(functions, 3);
        let (attribute, guard) = self.featured();
        let text = if self.random.chance(30) {
            format!("{attribute} {}", guarded(number, &guard, &format!("let mut r = 0; {body} r")))
        } else {
            format!("#[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = 0; {body} r }}")
        };
        self.line(3, &text);
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

    /// A caller, with functions of its own.
    pub(crate) fn caller(&mut self, number: usize) {
        let place = Place { level: 3, depth: 2, list: None, is_async: false };
        let statements = 2 + self.random.below(3);
        let body = format!("let mut r = a; {} r", self.block(place, statements));
        let (attribute, guard) = self.featured();
        let shape = self.random.below(10);
        let held = if shape > 5 { self.future_caller(number, &attribute, &guard) } else { None };
        let text = held.unwrap_or_else(|| match shape {
            0 | 1 => format!("{attribute} {}", guarded(number, &guard, &body)),
            2 => {
                let inline = self.random.pick(&["#[inline]", "#[inline(never)]", "#[inline(always)]"]);
                format!(
                    "{inline} fn §h{number}(a: u64, c: u64) -> u64 {{ {body} }}\n\
                     fn §c{number}(a: u64, c: u64) -> u64 {{ let r = §h{number}(a, c); mix(r, §h{number}(r, c >> 1)) }}"
                )
            }
            3 | 4 => self.keeps(number, &attribute, &guard),
            _ => format!("#[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ {body} }}"),
        });
        self.line(3, &text);
    }

    /// Closures and pointers that clones have made, called from a frame with features, from clones, and from a thread.
    fn keeps(&mut self, number: usize, attribute: &str, guard: &str) -> String {
        let made: Vec<String> = (0..3)
            .map(|_| match self.callee(3, |shape| matches!(shape, Shape::Boxed | Shape::Pointer)) {
                Some(callee) if self.functions[callee].shape == Shape::Boxed => format!("§b{callee}(r)"),
                Some(callee) => format!("Box::new(§q{callee}(r)) as Stored"),
                None => "Box::new(|x| ext(x)) as Stored".to_owned(),
            })
            .collect();
        let (call, inside) = (self.call(3, "r", "c"), self.call(3, "x", "a"));
        let through = match self.callee(3, |shape| shape == Shape::Generic) {
            Some(callee) => format!("§g{callee}(r, |x| mix(kept[1](x), {inside}))"),
            None => "kept[1](r)".to_owned(),
        };
        format!(
            "{attribute} fn §u{number}<F: Fn(u64) -> u64>(f: F, a: u64, c: u64) -> u64 {{ let mut r = f(a); for _ in 0..c & 3 {{ r = \
             mix(r, f(r)); r = {call}; }} r }}\n\
             #[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = a; let kept: [Stored; 3] = [{}]; r = mix(r, \
             kept[0](a)); r = mix(r, {through}); r = mix(r, in_thread(|| kept[2](r))); if {guard} {{ r = unsafe {{ §u{number}(|x| \
             kept[(x & 1) as usize](x), r, c) }}; }} let mut last = |x: u64| kept[2](x); mix(r, call_dyn(&mut last, c)) }}",
            made.join(", ")
        )
    }

    /// An initialiser that comes before the one of `simd_core`, and a caller of what it has kept: only baselines make it, and they go on
    /// as baselines. A pointer to a dispatched function is to none: it tests at each call.
    pub(crate) fn early(&mut self, number: usize) -> String {
        let list = self.random.below(self.lists.len());
        let place = Place { level: 3, depth: 0, list: None, is_async: false };
        let calls: Vec<String> = (0..5).map(|_| self.call(place.level, "x", "a")).collect();
        // The number of the baseline, whatever clone is chosen later.
        let tag = format!("⟪«{list}»¦‹{list}›⟫");
        // One without a `static`, which would keep what the early call has made of it.
        let first = format!("black_box(§f{}(1, 2));", self.random.below(6));
        format!(
            "@{list}@ fn §e{number}(a: u64) -> Stored {{ fn inner(x: u64) -> u64 {{ let a = 3; mix({}, {tag}) }} if a == 0 {{ return \
             Box::new(inner) }} Box::new(move |x| mix({}, {tag})) }}\n\
             @{list}@ async fn §l{number}(a: u64, out: &Slot) {{ Yield(2).await; let x = a; let again = |x: u64| mix({}, {tag}); \
             out.set(mix(again(x), {})); }}\n\
             static §OUT: Slot = Slot::new(0);\n\
             static §KEPT: OnceLock<([Stored; 2], fn(u64, u64) -> u64, std::sync::Mutex<Option<Task<'static>>>)> = OnceLock::new();\n\
             fn §early() {{ {first} let mut task: Task<'static> = Box::pin(§l{number}(5, &§OUT)); poll(task.as_mut()); let pointer = \
             {{ @{list}@ fn own(a: u64, c: u64) -> u64 {{ let x = c; mix({}, «{list}») }} own as fn(u64, u64) -> u64 }}; let _ = \
             §KEPT.set(([§e{number}(0), §e{number}(1)], pointer, Some(task).into())); }}\n\
             ⟪extern \"C\" fn early() {{ dearly(); oearly(); }} #[used] #[unsafe(link_section = \".init_array.00050\")] static EARLY: \
             extern \"C\" fn() = early;¦⟫\n\
             #[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = a; let Some((kept, pointer, task)) = §KEPT.get() else {{ \
             return 0 }}; if let Some(mut task) = task.lock().ok().and_then(|mut task| task.take()) {{ while poll(task.as_mut()) {{}} }} \
             r = mix(kept[0](r), kept[1](c)); r = mix(r, pointer(r, c)); mix(r, §OUT.get()) }}",
            calls[0], calls[1], calls[2], calls[3], calls[4],
        )
    }
}

/// A function with features, of which the attribute comes before, and the caller that may call it.
pub(crate) fn guarded(number: usize, guard: &str, body: &str) -> String {
    format!(
        "#[inline(never)] fn §u{number}(a: u64, c: u64) -> u64 {{ {body} }}\n\
         fn §c{number}(a: u64, c: u64) -> u64 {{ if !{guard} {{ return a }} unsafe {{ §u{number}(a, c) }} }}"
    )
}
