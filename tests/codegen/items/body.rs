//! Bodies: random expressions and statements of type `u64`, with names that collide where Rust allows it.

use super::generate::{Callable, Generator, NAMES, Parameter, Scope};

impl Generator {
    /// The features for `cfg`. Where all clones share the code, they are the build's.
    pub(super) fn predicate(&mut self, scope: &Scope) -> String {
        let mut feature = || {
            let name = self.random.pick(&self.features);
            if scope.shared { format!("@{name}@") } else { format!("target_feature = \"{name}\"") }
        };
        let (one, other) = (feature(), feature());
        if scope.is_macro {
            return self.random.pick(&["unix", "windows", "not(windows)"]).to_owned();
        }
        match self.random.below(8) {
            0 => format!("all({one}, {other})"),
            1 => format!("any({one}, {other})"),
            2 => format!("not({one})"),
            3 => format!("all({one}, target_arch = \"x86_64\", not({other}))"),
            _ => one,
        }
    }

    /// The arms of `match_target!`, of which the last fits always.
    pub(super) fn arms(&mut self, mut arm: impl FnMut(&mut Self) -> String) -> String {
        let mut targets = self.lists[0].clone();
        if self.random.chance(30) {
            targets.truncate(1);
        }
        let mut text = String::new();
        for target in targets {
            let arch = if self.random.chance(20) { "x86_64: " } else { "" };
            text += &format!("\"{arch}{target}\" => {}, ", arm(self));
        }
        text + &format!("_ => {}", arm(self))
    }

    fn argument(&mut self, parameter: Parameter, scope: &Scope, depth: usize) -> String {
        match parameter {
            Parameter::Word => self.word(scope, depth),
            Parameter::Pair => format!("({}, {})", self.word(scope, depth), self.word(scope, 0)),
            Parameter::Into => format!("{}_u32", self.random.below(9)),
            Parameter::Array => format!("[{}, {}]", self.word(scope, depth), self.word(scope, 0)),
            Parameter::Function => {
                let name = self.binding(scope);
                format!("|{name}: u64| -> u64 {{ {} }}", self.word(&scope.with(&name), depth.min(1)))
            }
        }
    }

    pub(super) fn call(&mut self, callable: &Callable, scope: &Scope, depth: usize) -> String {
        let arguments = callable.parameters.iter().map(|parameter| self.argument(*parameter, scope, depth));
        callable.called(&callable.path, arguments.collect())
    }

    pub(super) fn binding(&mut self, scope: &Scope) -> String {
        loop {
            let name = self.random.pick(&NAMES);
            if !scope.not_bindings.iter().any(|other| other == name) {
                return name.to_owned();
            }
        }
    }

    fn leaf(&mut self, scope: &Scope) -> String {
        let word = if !scope.words.is_empty() && self.random.chance(70) { self.one_of(&scope.words) } else { None };
        word.unwrap_or_else(|| format!("{}_u64", self.random.below(1000)))
    }

    pub(super) fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.random.below(all.len())].clone())
    }

    /// `template` with a predicate for each `§p`, the same, and an expression for each `§w`.
    fn fill(&mut self, template: &str, scope: &Scope, depth: usize) -> String {
        let template = if template.contains("§p") {
            template.replace("§p", &self.predicate(scope))
        } else {
            template.to_owned()
        };
        let mut parts = template.split("§w");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + &self.word(scope, depth) + part)
    }

    pub(super) fn word(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            let constants = scope.constants();
            if !constants.is_empty() && self.random.chance(40) {
                return format!("({} as u64)", constants[self.random.below(constants.len())]);
            }
            return self.leaf(scope);
        }
        let depth = depth - 1;
        let text = match self.random.below(19) {
            0 => self.fill("(§w << 3 | §w >> 5)", scope, depth),
            1 => self.fill("§w.wrapping_mul(31)", scope, depth),
            2 | 3 => match self.one_of(&scope.constants()) {
                Some(constant) => self.fill(&format!("{constant} as u64 ^ §w"), scope, depth),
                None => return self.leaf(scope),
            },
            4..=7 => {
                let Some(callable) = self.one_of(&scope.callables()) else { return self.word(scope, depth) };
                if self.random.chance(15)
                    && callable.parameters == [Parameter::Word]
                    && callable.receiver.is_none()
                    && !callable.is_unsafe
                    && !callable.is_local
                    && !callable.path.contains('.')
                {
                    let template = format!("{{ let pointer: fn(u64) -> u64 = {}; pointer(§w) }}", callable.path);
                    self.fill(&template, scope, depth)
                } else {
                    self.call(callable, scope, depth)
                }
            }
            8 | 9 => self.fill("if cfg!(§p) { §w } else { §w }", scope, depth),
            10 if !scope.shared && !scope.is_macro => {
                format!("simd_core::match_target! {{ {} }}", self.arms(|this| this.word(scope, depth)))
            }
            11 => match self.one_of(&scope.aliases()) {
                Some(alias) => self.fill(&format!("::std::mem::size_of::<{alias}>() as u64 + §w"), scope, depth),
                None => return self.leaf(scope),
            },
            12 => match self.one_of(&scope.macros()) {
                Some(name) => self.fill(&format!("{name}!(§w)"), scope, depth),
                None => return self.word(scope, depth),
            },
            13 => {
                let name = self.binding(scope);
                format!("(|{name}: u64| {})({})", self.word(&scope.with(&name), depth), self.word(scope, depth))
            }
            14 => match self.one_of(&scope.captured()) {
                Some(name) => self.fill(&format!("crate::hash(&format!(\"{{{name}}}-{{}}\", §w))"), scope, depth),
                None => return self.leaf(scope),
            },
            15 => self.fill("match §w % 3 { 0 => §w, #[cfg(§p)] 1 => §w, _ => §w }", scope, depth),
            16 => {
                let template = "[§w, #[cfg(§p)] §w, 7].iter().fold(0_u64, |sum, one| sum.wrapping_mul(3) ^ *one)";
                self.fill(template, scope, depth)
            }
            17 => {
                let name = self.binding(scope);
                let template = format!("(0..3_u64).map(|{name}| §w).fold(1_u64, |sum, one| sum.wrapping_mul(5) ^ one)");
                self.fill(&template, &scope.with(&name), depth)
            }
            _ => self.block(scope, depth),
        };
        format!("({text})")
    }

    pub(super) fn block(&mut self, scope: &Scope, depth: usize) -> String {
        let mut scope = scope.clone();
        let mut items = Vec::new();
        // Items hold for the whole block, so their names come first.
        let mut names = Vec::new();
        for _ in 0..if scope.is_macro { 0 } else { self.random.pick(&[0, 0, 1, 2]) } {
            let kind = self.random.below(6);
            let name = match kind {
                2 => self.binding(&scope).to_uppercase(),
                4 => self.random.pick(&["V", "T", "P"]).to_owned(),
                _ => self.binding(&scope),
            };
            // One hidden in this block cannot be declared in it again.
            if !scope.inner_items.contains(&name) && !(kind == 4 && scope.without_impls) {
                if kind != 5 {
                    scope.hide(&name);
                }
                names.push((kind, name));
            }
        }
        for (kind, name) in names {
            self.item_in_body(&mut scope, depth, &mut items, kind, &name);
        }
        let mut lines = Vec::new();
        for _ in 0..self.random.below(3) {
            self.statement(&mut scope, depth, &mut lines);
        }
        if self.random.chance(40) {
            lines.extend(items.extract_if(.., |item| !item.starts_with("macro_rules")));
        }
        format!("{{ {} {} {} }}", items.join(" "), lines.join(" "), self.word(&scope, depth))
    }

    fn statement(&mut self, scope: &mut Scope, depth: usize, lines: &mut Vec<String>) {
        let name = self.binding(scope);
        lines.push(match self.random.below(7) {
            0 => self.fill(&format!("#[cfg(§p)] let {name} = §w; #[cfg(not(§p))] let {name} = §w;"), scope, depth),
            1 => {
                let predicate = self.predicate(scope);
                let value = self.word(scope, depth);
                let more = self.word(&scope.with(&name), depth);
                format!("let mut {name} = {value}; #[cfg({predicate})] {{ {name} ^= {more}; }}")
            }
            2 => {
                let inner = self.binding(scope);
                lines.push(format!("let {name} = |{inner}: u64| -> u64 {};", self.block(&scope.with(&inner), depth)));
                *scope = scope.with_closure(&name);
                return;
            }
            3 => return lines.push(self.fill("if §w % 7 == 3 { return §w; }", scope, depth)),
            4 => return lines.push(self.fill("#[cfg(§p)] return §w;", scope, depth)),
            _ => format!("let {name} = {};", self.word(scope, depth)),
        });
        *scope = scope.with(&name);
    }

    fn item_in_body(&mut self, scope: &mut Scope, depth: usize, items: &mut Vec<String>, kind: usize, name: &str) {
        let mut nested = scope.nested();
        match kind {
            0 | 1 => {
                let parameter = self.binding(&nested);
                let mut body = || {
                    let body = self.block(&nested.with(&parameter), depth);
                    let inline = self.random.pick(&["", "#[inline] ", "#[inline(never)] "]);
                    format!("{inline}fn {name}({parameter}: u64) -> u64 {body}")
                };
                let one = body();
                items.push(if depth > 0 && !scope.shared && self.random.chance(30) {
                    let other = self.block(&nested.with(&parameter), 0);
                    let predicate = self.predicate(scope);
                    format!(
                        "#[cfg({predicate})] {one} #[cfg(not({predicate}))] fn {name}({parameter}: u64) -> u64 {other}"
                    )
                } else {
                    one
                });
                scope.own.push(Callable::simple(name));
            }
            2 => {
                let predicate = self.predicate(scope);
                let (one, other) = (self.random.below(9), self.random.below(9));
                items.push(if self.random.chance(50) {
                    format!("const {name}: u64 = if cfg!({predicate}) {{ {one} }} else {{ {other} }};")
                } else {
                    format!("#[cfg({predicate})] const {name}: u64 = {one}; #[cfg(not({predicate}))] const {name}: u64 = {other};")
                });
                scope.own_constants.push(name.to_owned());
                scope.not_bindings.push(name.to_owned());
            }
            3 => {
                let template =
                    "#[cfg(§p)] use crate::fast::weight as §n; #[cfg(not(§p))] use crate::slow::weight as §n;";
                items.push(self.fill(&template.replace("§n", name), scope, depth));
                scope.own.push(Callable::simple(name));
            }
            4 => {
                // Methods of local types have the build's features.
                nested.shared = true;
                nested.own_macros.clear();
                let parameter = self.binding(&nested);
                let body = self.block(&nested.with("self.0").with(&parameter), depth);
                items.push(format!(
                    "struct {name}(u64); impl {name} {{ fn own(&self, {parameter}: u64) -> u64 {body} }}"
                ));
                scope.not_bindings.push(name.to_owned());
                scope.own.push(Callable {
                    receiver: Some(format!("&{name}(3)")),
                    ..Callable::simple(&format!("{name}::own"))
                });
            }
            _ => {
                nested.without_impls = true;
                let predicate = self.predicate(scope);
                let (one, other) = (self.word(&nested, depth.min(1)), self.word(&nested, 0));
                let body = format!("if cfg!({predicate}) {{ $x ^ {one} }} else {{ $x.wrapping_mul(3) ^ {other} }}");
                items.insert(0, format!("macro_rules! local_{name} {{ ($x:expr) => {{ {body} }} }}"));
                let new = scope.macro_of(&format!("local_{name}"), &body);
                scope.own_macros.push(new);
            }
        }
    }
}
