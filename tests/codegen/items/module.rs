//! Random modules, of which all that the reference allows may differ between clones.

use super::generate::{Callable, Entry, Generator, Items, NAMES, Named, Parameter, Scope, TYPES};

#[derive(Default)]
struct Module<'a> {
    items: Items,
    /// In the order of the text: macros first.
    macros: Vec<String>,
    text: Vec<String>,
    /// Constants of type `usize`, and whether they differ.
    sizes: Vec<(String, bool)>,
    /// The names in constants and aliases that differ.
    differing: Vec<String>,
    /// Whether each function has the attribute, and the module has not.
    flat: bool,
    path: &'a str,
    prefix: &'a str,
    exports: Vec<Callable>,
}

/// Parameters of a function: their text, and the scope and first lines of the body.
#[derive(Default)]
struct Parameters {
    generics: Vec<String>,
    text: Vec<String>,
    kinds: Vec<Parameter>,
    scope: Scope,
    prelude: String,
}

impl Parameters {
    /// A parameter with a bound, its type called `generic` if it has a name.
    fn bounded(&mut self, name: &str, bound: &str, generic: Option<&str>) {
        self.generics.extend(generic.map(|generic| format!("{generic}: {bound}")));
        self.text.push(generic.map_or_else(|| format!("{name}: impl {bound}"), |generic| format!("{name}: {generic}")));
    }

    fn generics(&self) -> String {
        if self.generics.is_empty() { String::new() } else { format!("<{}>", self.generics.join(", ")) }
    }
}

impl Generator {
    /// The text of a module and its public functions.
    pub(super) fn module(
        &mut self,
        outside: &Items,
        path: &str,
        depth: usize,
        flat: bool,
        entries: &mut Vec<Entry>,
        prefix: &str,
    ) -> (String, Vec<Callable>) {
        let mut module = Module { flat, path, prefix, ..Module::default() };
        self.imports(&mut module, outside);
        for _ in 0..2 + self.random.below(3) {
            if let Some(name) = self.fresh(&mut module, &TYPES) {
                self.constant(&mut module, name);
            }
            if self.random.chance(50)
                && let Some(name) = self.fresh(&mut module, &TYPES)
            {
                self.alias(&mut module, name);
            }
        }
        for _ in 0..1 + self.random.below(3) {
            self.function(&mut module, entries);
        }
        if self.random.chance(60) {
            self.shared_items(&mut module);
        }
        if self.random.chance(60) {
            self.types(&mut module, entries);
        }
        if depth < 2 && self.random.chance(if depth == 0 { 50 } else { 25 }) {
            self.nested_module(&mut module, depth, entries);
        }
        for _ in 0..1 + self.random.below(2) {
            self.function(&mut module, entries);
        }
        // Rust gives the order of items no meaning, but for macros.
        for at in (1..module.text.len()).rev() {
            let other = self.random.below(at + 1);
            module.text.swap(at, other);
        }
        module.macros.append(&mut module.text);
        (module.macros.join("\n"), module.exports)
    }

    fn fresh(&mut self, module: &mut Module<'_>, names: &[&'static str]) -> Option<&'static str> {
        let free: Vec<&str> =
            names.iter().copied().filter(|name| !module.items.taken.iter().any(|taken| taken == name)).collect();
        let name = if free.is_empty() { None } else { Some(self.random.pick(&free)) };
        module.items.taken.extend(name.map(str::to_owned));
        name
    }

    fn visibility(&mut self) -> &'static str {
        self.random.pick(&["", "", "pub ", "pub(super) ", "pub(crate) "])
    }

    fn imports(&mut self, module: &mut Module<'_>, outside: &Items) {
        let glob = self.random.chance(25);
        if glob {
            module.text.push("use super::*;".to_owned());
            module.items.not_bindings.clone_from(&outside.not_bindings);
        }
        for callable in &outside.callables {
            let is_constant = outside.not_bindings.contains(&callable.path);
            if callable.receiver.is_some() || is_constant || callable.path.contains([':', '.']) {
                continue;
            }
            let name = &callable.path;
            let mut imported = callable.clone();
            if glob {
                module.items.taken.push(name.clone());
            } else {
                match self.random.below(4) {
                    0 if !module.items.taken.contains(name) => {
                        module.items.taken.push(name.clone());
                        module.text.push(format!("use super::{name};"));
                    }
                    1 => {
                        let Some(new) = self.fresh(module, &NAMES) else { continue };
                        let [open, close] = if self.random.chance(30) { ["{", "}"] } else { ["", ""] };
                        module.text.push(format!("use super::{open}{name} as {new}{close};"));
                        imported.path = new.to_owned();
                    }
                    _ => imported.path = format!("super::{name}"),
                }
            }
            module.items.callables.push(imported);
        }
        if self.random.chance(30) {
            module.text.push("use crate::Outer as _;".to_owned());
            let receiver = self.random.below(50);
            module.items.callables.push(Callable { path: format!("{receiver}_u64.outer"), ..Callable::simple("") });
        }
        // Both under names of their own, and one of them selected.
        if self.random.chance(35)
            && let Some(name) = self.fresh(module, &NAMES)
        {
            module.text.push("use crate::fast::weight as fast_weight;".to_owned());
            module.text.push("use crate::slow::weight as slow_weight;".to_owned());
            let predicate = self.predicate(&Scope { shared: module.flat, ..Scope::default() });
            let [fast, slow] = ["fast", "slow"].map(|of| format!("const {name}: fn(u64) -> u64 = {of}_weight;"));
            module.text.push(either(&predicate, &fast, &slow));
            module.items.not_bindings.push(name.to_owned());
            if !module.flat {
                module.differing.extend(["fast_weight".to_owned(), "slow_weight".to_owned()]);
                module.items.constants.push(Named { name: name.to_owned(), differs: true, is_number: false });
            }
            module.items.callables.push(Callable { differs: !module.flat, ..Callable::simple(name) });
        }
        // An item of the module hides one from a glob.
        if self.random.chance(30) && !module.items.taken.iter().any(|name| name == "weight") {
            module.text.push(format!("use crate::{}::*;", self.random.pick(&["fast", "slow"])));
            module.items.not_bindings.push("K".to_owned());
            module.items.taken.extend(["weight", "K", "V"].map(str::to_owned));
            if self.random.chance(50) {
                self.constant(module, "K");
            } else {
                module.items.constants.push(Named { name: "K".to_owned(), differs: false, is_number: true });
                module.sizes.push(("K".to_owned(), false));
            }
            if self.random.chance(50) {
                self.alias(module, "V");
            } else {
                module.items.aliases.push(Named { name: "V".to_owned(), differs: false, is_number: false });
            }
            module.items.callables.push(Callable::simple("weight"));
        }
    }

    /// A constant expression of type `usize`, and whether it differs.
    fn size(&mut self, module: &Module<'_>) -> (String, bool) {
        if module.sizes.is_empty() || self.random.chance(40) {
            return (self.random.below(16).to_string(), false);
        }
        let at = self.random.below(module.sizes.len());
        let (name, differs) = &module.sizes[at];
        (format!("({name} * 2 + {}) % 19", self.random.below(9)), *differs)
    }

    fn constant(&mut self, module: &mut Module<'_>, name: &str) {
        let scope = Scope { shared: module.flat, ..Scope::default() };
        let visibility = self.visibility();
        let ((one, a), (other, b)) = (self.size(module), self.size(module));
        let predicate = self.predicate(&scope);
        let head = format!("{visibility}const {name}: usize");
        let (text, tests) = match self.random.below(7) {
            0 => (format!("{head} = if cfg!({predicate}) {{ {one} }} else {{ {other} }};"), true),
            1 => (either(&predicate, &format!("{head} = {one};"), &format!("{head} = {other};")), true),
            2 => {
                let second = self.predicate(&scope);
                let text = format!(
                    "#[cfg({predicate})] {head} = {one};\n#[cfg(all(not({predicate}), {second}))] {head} = {other};\n\
                     #[cfg(not(any({predicate}, {second})))] {head} = 17;"
                );
                (text, true)
            }
            3 if !module.flat => {
                let values = [one.clone(), other.clone()];
                let arms = self.arms(|this| this.random.pick(&[&values[0], &values[1]]).clone());
                (format!("{head} = simd_core::match_target! {{ {arms} }};"), true)
            }
            4 if !module.items.aliases.is_empty() => {
                let at = self.random.below(module.items.aliases.len());
                let alias = module.items.aliases[at].clone();
                let text = format!("{head} = ::std::mem::size_of::<{}>() + {one};", alias.name);
                return self.add_constant(module, name, text, alias.differs || a);
            }
            5 => {
                let condition = format!("{{ let a = {one}; if cfg!({predicate}) {{ a + 1 }} else {{ {other} }} }}");
                (format!("{head} = {condition};"), true)
            }
            _ => return self.add_constant(module, name, format!("{head} = {one} + 1;"), a),
        };
        self.add_constant(module, name, text, (tests && !module.flat) || a || b);
    }

    fn add_constant(&mut self, module: &mut Module<'_>, name: &str, text: String, differs: bool) {
        if differs {
            module.differing.extend(words(&text).filter(|word| *word != name).map(str::to_owned));
        }
        module.items.constants.push(Named { name: name.to_owned(), differs, is_number: true });
        module.items.not_bindings.push(name.to_owned());
        module.sizes.push((name.to_owned(), differs));
        module.text.push(text);
    }

    fn alias(&mut self, module: &mut Module<'_>, name: &str) {
        let scope = Scope { shared: module.flat, ..Scope::default() };
        let visibility = self.visibility();
        let ((one, a), (other, b)) = (self.size(module), self.size(module));
        let predicate = self.predicate(&scope);
        let mut path = name.to_owned();
        let head = format!("{visibility}type {name}");
        let (text, differs) = match self.random.below(5) {
            0 => {
                let [one, other] = [format!("{head} = [u8; {one}];"), format!("{head} = [u16; {other}];")];
                (either(&predicate, &one, &other), !module.flat || a || b)
            }
            1 => {
                let [fast, slow] = ["fast", "slow"].map(|of| format!("{head} = crate::{of}::V;"));
                (either(&predicate, &fast, &slow), !module.flat)
            }
            2 => {
                path = format!("{name}<u16>");
                (format!("{head}<Q> = [Q; {one}];"), a)
            }
            3 => (format!("{head} = [u32; if cfg!({predicate}) {{ 3 }} else {{ {one} }}];"), !module.flat || a),
            _ => (format!("{head} = (u8, [u8; {one}]);"), a),
        };
        if differs {
            module.differing.extend(words(&text).filter(|word| *word != name).map(str::to_owned));
        }
        module.items.aliases.push(Named { name: path, differs, is_number: false });
        module.text.push(text);
    }

    fn shared_items(&mut self, module: &mut Module<'_>) {
        if self.random.chance(40)
            && let Some(name) = self.fresh(module, &TYPES)
        {
            let scope = Scope { shared: true, ..Scope::default() };
            let predicate = self.predicate(&scope);
            let skip = if module.flat { String::new() } else { self.skip() };
            module.text.push(match self.random.below(3) {
                0 => format!("static {name}: u64 = 12;"),
                1 => format!("{skip} static {name}: u64 = if cfg!({predicate}) {{ 4 }} else {{ 8 }};"),
                _ => format!("{skip} #[cfg({predicate})] static {name}: u64 = 4;\n{skip} #[cfg(not({predicate}))] static {name}: u64 = 5;"),
            });
            module.items.constants.push(Named { name: name.to_owned(), differs: false, is_number: true });
            module.items.not_bindings.push(name.to_owned());
        }
        if self.random.chance(40)
            && let Some(name) = self.fresh(module, &NAMES)
        {
            let parameter = self.binding(&Scope::new(&module.items));
            module.text.push(format!("const fn {name}({parameter}: u64) -> u64 {{ {parameter} ^ 21 }}"));
            module.items.callables.push(Callable::simple(name));
        }
        for _ in 0..2 {
            let name = self.random.pick(&["one", "two"]);
            if module.items.macros.iter().any(|one| one.name == name) {
                continue;
            }
            let mut scope = Scope::new(&module.items);
            scope.words.push("$x".to_owned());
            (scope.is_macro, scope.shared) = (true, module.flat);
            let body = self.word(&scope, 2);
            module.macros.push(format!("macro_rules! {name} {{ ($x:expr) => {{ {body} }} }}"));
            let new = Scope::new(&module.items).macro_of(name, &body);
            module.items.macros.push(new);
        }
    }

    fn skip(&mut self) -> String {
        let condition = self.random.pick(&["d", "all(d, not(any()))"]);
        format!("#[cfg_attr({condition}, {}::dispatch(skip))]", self.root())
    }

    fn parameters(&mut self, module: &Module<'_>, count: usize) -> Parameters {
        let mut all = Parameters { scope: Scope::new(&module.items), ..Parameters::default() };
        // Generic parameters hide items, also of the parameters' own types.
        let generic = |this: &mut Self, scope: &mut Scope| {
            let name = scope.generic(&module.differing, this.random.below(8))?;
            scope.hide(name);
            Some(name)
        };
        let mut names: Vec<String> = Vec::new();
        for _ in 0..count {
            let name = self.binding(&all.scope);
            if names.contains(&name) {
                continue;
            }
            names.push(name.clone());
            let new = if self.random.chance(50) { generic(self, &mut all.scope) } else { None };
            let kind = match self.random.below(8) {
                // The edition 2015 takes no patterns in traits.
                0 if self.edition != "2015" => {
                    let second = self.binding(&all.scope);
                    if names.contains(&second) {
                        continue;
                    }
                    all.text.push(format!("({name}, {second}): (u64, u64)"));
                    all.scope = all.scope.with(&name).with(&second);
                    names.push(second);
                    Parameter::Pair
                }
                1 => {
                    all.bounded(&name, "Into<u64>", new);
                    all.prelude += &format!("let {name}: u64 = {name}.into(); ");
                    all.scope = all.scope.with(&name);
                    Parameter::Into
                }
                2 => {
                    if let Some(new) = new {
                        all.generics.push(format!("const {new}: usize"));
                        all.text.push(format!("{name}: [u64; {new}]"));
                        all.scope.not_bindings.push(new.to_owned());
                    } else {
                        all.text.push(format!("{name}: [u64; 2]"));
                    }
                    all.scope = all.scope.with(&name);
                    all.scope.words.pop();
                    all.scope.words.push(format!("{name}[0]"));
                    Parameter::Array
                }
                3 => {
                    all.bounded(&name, "Fn(u64) -> u64", new);
                    all.scope = all.scope.with_closure(&name);
                    Parameter::Function
                }
                _ => {
                    let mutable = if self.random.chance(20) { "mut " } else { "" };
                    all.text.push(format!("{mutable}{name}: u64"));
                    all.scope = all.scope.with(&name);
                    Parameter::Word
                }
            };
            all.kinds.push(kind);
        }
        // Types come before constants, and a parameter that names none is refused by rustc.
        all.generics.sort_by_key(|generic| generic.starts_with("const"));
        all
    }

    fn function(&mut self, module: &mut Module<'_>, entries: &mut Vec<Entry>) {
        let Some(name) = self.fresh(module, &NAMES) else { return };
        let count = 1 + self.random.below(3);
        let mut parameters = self.parameters(module, count);
        let is_unsafe = self.random.chance(5);
        let visibility = self.random.pick(&["pub ", "pub ", "pub ", "pub(super) ", "pub(crate) ", ""]);
        let mut attrs =
            self.random.pick(&["", "", "#[inline] ", "#[inline(never)] ", "#[inline(always)] ", "#[cold] "]).to_owned();
        let (mut list, mut several) = (0, false);
        let scope = &mut parameters.scope;
        match self.random.below(10) {
            0 if !module.flat => {
                attrs += &self.skip();
                (scope.shared, scope.without_differing) = (true, true);
            }
            1 => {
                list = 1;
                scope.is_leaf = true;
                attrs += &self.dispatch(1);
            }
            2 | 3 if !module.flat => several = true,
            _ if module.flat => attrs += &self.dispatch(0),
            _ => {}
        }
        let generics = parameters.generics();
        let head = format!(
            "{visibility}{}fn {name}{generics}({}) -> u64",
            if is_unsafe { "unsafe " } else { "" },
            parameters.text.join(", ")
        );
        let scope = parameters.scope.clone();
        let prelude = parameters.prelude.clone();
        let arm = |this: &mut Self| format!("{head} {{ {prelude} {} }}", this.block(&scope, 2));
        module.text.push(if several {
            self.definitions(&attrs, arm, &Scope::default(), true)
        } else {
            format!("{attrs} {}", arm(self))
        });
        let callable = Callable {
            path: name.to_owned(),
            parameters: parameters.kinds,
            is_unsafe,
            has_clones: true,
            ..Callable::default()
        };
        if visibility != "" {
            let path = format!("{}{name}", module.prefix);
            if module.prefix == "k::" || visibility != "pub(super) " {
                let call = self.entry(&callable, &path);
                entries.push(Entry { name: path, call, list });
            }
            if list == 0 {
                module.exports.push(callable.clone());
            }
        }
        if list == 0 {
            for path in ["self::".to_owned(), format!("{}::", module.path)] {
                if self.random.chance(25) {
                    module.items.callables.push(Callable { path: format!("{path}{name}"), ..callable.clone() });
                }
            }
            module.items.callables.push(callable);
        }
    }

    /// Several definitions, one for each clone.
    fn definitions(
        &mut self,
        attrs: &str,
        arm: impl Fn(&mut Self) -> String,
        scope: &Scope,
        in_module: bool,
    ) -> String {
        let predicate = self.predicate(scope);
        match self.random.below(4) {
            0 if in_module => {
                format!("simd_core::match_target! {{ {} }}", self.arms(|this| format!("{{ {attrs} {} }}", arm(this))))
            }
            1 => {
                let second = self.predicate(scope);
                format!(
                    "#[cfg({predicate})] {attrs} {}\n#[cfg(all(not({predicate}), {second}))] {attrs} {}\n#[cfg(not(any({predicate}, {second})))] {attrs} {}",
                    arm(self),
                    arm(self),
                    arm(self)
                )
            }
            _ => either(&predicate, &format!("{attrs} {}", arm(self)), &format!("{attrs} {}", arm(self))),
        }
    }

    fn entry(&mut self, callable: &Callable, path: &str) -> String {
        let arguments = callable.parameters.iter().map(|parameter| (parameter, self.random.below(100)));
        let arguments = arguments.map(|(parameter, number)| match parameter {
            Parameter::Word => number.to_string(),
            Parameter::Pair => format!("({number}, 7)"),
            Parameter::Into => format!("{number}_u32"),
            Parameter::Array => format!("[{number}, 3]"),
            Parameter::Function => format!("|x: u64| x ^ {number}"),
        });
        callable.called(path, arguments.collect())
    }

    fn types(&mut self, module: &mut Module<'_>, entries: &mut Vec<Entry>) {
        let Some(ty) = self.fresh(module, &TYPES) else { return };
        module.text.push(format!("#[derive(Clone, Copy)] pub struct {ty} {{ pub a: u64, pub b: u64 }}"));
        let value = |this: &mut Self| format!("{ty} {{ a: {}, b: {} }}", this.random.below(50), this.random.below(50));
        let mut calls = Vec::new();
        let mut methods = Vec::new();
        for name in ["small", "weight", "a"].iter().take(1 + self.random.below(3)) {
            let value = value(self);
            let (text, callable, _) = self.method(module, name, "pub ", ty, value, false);
            methods.push(text);
            calls.push(callable);
        }
        let inherent = format!("impl {ty} {{ pub const OWN: u64 = 5; {} }}", methods.join(" "));
        let attr = |this: &mut Self| if module.flat { this.dispatch(0) } else { String::new() };
        module.text.push(format!("{} {inherent}", attr(self)));
        if self.random.chance(70) {
            let (one, other) = (value(self), value(self));
            let (default, t, _) = self.method(module, "t", "", "Tr", one, true);
            let (required, r, signature) = self.method(module, "r", "", "Tr", other, false);
            module.text.push(format!("{} pub trait Tr {{ const OWN: u64 = 6; {signature}; {default} }}", attr(self)));
            module.text.push(format!("{} impl Tr for {ty} {{ {required} }}", attr(self)));
            calls.extend([t, r]);
        }
        for callable in calls {
            let path = format!("{}{}", module.prefix, callable.path);
            let receiver =
                callable.receiver.clone().map(|receiver| receiver.replacen(ty, &format!("{}{ty}", module.prefix), 1));
            let outer = Callable { receiver, ..callable.clone() };
            let call = self.entry(&outer, &path);
            entries.push(Entry { name: path, call, list: 0 });
            module.items.callables.push(callable);
        }
    }

    fn method(
        &mut self,
        module: &Module<'_>,
        name: &str,
        visibility: &str,
        ty: &str,
        value: String,
        default: bool,
    ) -> (String, Callable, String) {
        let count = 1 + self.random.below(2);
        let mut parameters = self.parameters(module, count);
        let (receiver, value) = match self.random.below(3) {
            0 if !default => ("self", value),
            1 => ("&mut self", format!("&mut {value}")),
            _ => ("&self", format!("&{value}")),
        };
        if !default {
            parameters.scope.words.extend(["self.a".to_owned(), "self.b".to_owned()]);
        }
        let generics = parameters.generics();
        let head = format!("{visibility}fn {name}{generics}({receiver}, {}) -> u64", parameters.text.join(", "));
        let arm = |this: &mut Self| format!("{head} {{ {} {} }}", parameters.prelude, this.block(&parameters.scope, 1));
        let several = !default && self.random.chance(20);
        let text = if several { self.definitions("", arm, &Scope::default(), false) } else { arm(self) };
        let callable = Callable {
            path: format!("{ty}::{name}"),
            parameters: parameters.kinds.clone(),
            receiver: Some(value),
            has_clones: true,
            ..Callable::default()
        };
        // Without patterns, which a method without a body cannot have.
        let types = parameters.text.iter().filter_map(|text| text.rsplit_once(": ")).map(|(_, ty)| ty);
        let types: Vec<String> = types.enumerate().map(|(at, ty)| format!("p{at}: {ty}")).collect();
        (text, callable, format!("fn {name}{generics}({receiver}, {}) -> u64", types.join(", ")))
    }

    fn nested_module(&mut self, module: &mut Module<'_>, depth: usize, entries: &mut Vec<Entry>) {
        let name = self.random.pick(&["inner", "a", "weight", "Nested"]);
        let (path, prefix) = (format!("{}::{name}", module.path), format!("{}{name}::", module.prefix));
        let (text, exports) = self.module(&module.items, &path, depth + 1, module.flat, entries, &prefix);
        module.text.push(format!("pub mod {name} {{\n{text}\n}}"));
        for callable in exports {
            let path = format!("{name}::{}", callable.path);
            module.items.callables.push(Callable { path, ..callable });
        }
    }
}

/// `one` where `predicate` holds, and `other` elsewhere.
fn either(predicate: &str, one: &str, other: &str) -> String {
    format!("#[cfg({predicate})] {one}\n#[cfg(not({predicate}))] {other}")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
