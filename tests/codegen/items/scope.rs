//! The names in reach of a body.

use super::generate::TYPES;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Parameter {
    Word,
    Pair,
    /// `impl Into<u64>` or a type parameter with that bound.
    Into,
    /// `[u64; N]`, or `[u64; 2]`.
    Array,
    /// `impl Fn(u64) -> u64`.
    Function,
}

#[derive(Clone, Default)]
pub(super) struct Callable {
    pub(super) path: String,
    pub(super) parameters: Vec<Parameter>,
    /// An expression with the type that the method is of.
    pub(super) receiver: Option<String>,
    pub(super) is_unsafe: bool,
    /// Whether it is a closure in a variable.
    pub(super) is_local: bool,
    /// Whether a caller with another list gets the clone of another target.
    pub(super) has_clones: bool,
    /// Whether it is a constant with a function, which differs.
    pub(super) differs: bool,
}

impl Callable {
    pub(super) fn simple(path: &str) -> Callable {
        Callable { path: path.to_owned(), parameters: vec![Parameter::Word], ..Callable::default() }
    }

    /// The call with these arguments, `path` being its own or one from elsewhere.
    pub(super) fn called(&self, path: &str, arguments: Vec<String>) -> String {
        let arguments: Vec<String> = self.receiver.iter().cloned().chain(arguments).collect();
        let call = format!("{path}({})", arguments.join(", "));
        if self.is_unsafe { format!("unsafe {{ {call} }}") } else { call }
    }
}

#[derive(Clone)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) differs: bool,
    /// Whether a format string can print it, and `as u64` convert it.
    pub(super) is_number: bool,
}

#[derive(Clone)]
pub(super) struct Macro {
    pub(super) name: String,
    /// The words in it, of which none may have another meaning where it is called.
    words: Vec<String>,
    hidden: Vec<String>,
    differs: bool,
    calls_clones: bool,
}

#[derive(Clone, Default)]
pub(super) struct Items {
    pub(super) callables: Vec<Callable>,
    pub(super) constants: Vec<Named>,
    pub(super) aliases: Vec<Named>,
    pub(super) macros: Vec<Macro>,
    /// Constants and the like, so that a binding with this name is a pattern.
    pub(super) not_bindings: Vec<String>,
    /// Names that the module declares or imports.
    pub(super) taken: Vec<String>,
}

#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) items: Items,
    /// Expressions of type `u64`.
    pub(super) words: Vec<String>,
    /// Names of bindings, which hide functions.
    pub(super) locals: Vec<String>,
    /// Names of generic parameters and of items in bodies.
    pub(super) hidden: Vec<String>,
    pub(super) inner_items: Vec<String>,
    pub(super) not_bindings: Vec<String>,
    pub(super) own: Vec<Callable>,
    pub(super) own_constants: Vec<String>,
    pub(super) own_macros: Vec<Macro>,
    /// Whether features are those of the build.
    pub(super) shared: bool,
    /// Whether constants and aliases that differ have no value here.
    pub(super) without_differing: bool,
    /// Whether it has a list of its own.
    pub(super) is_leaf: bool,
    /// Whether it is a macro of a module, in which nothing tests a feature.
    pub(super) is_macro: bool,
    /// Whether it is in a macro of a body, in which the attribute refuses impls.
    pub(super) without_impls: bool,
}

/// The name that a path or another expression begins with.
fn first(path: &str) -> &str {
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(path)
}

impl Scope {
    pub(super) fn new(items: &Items) -> Scope {
        Scope { items: items.clone(), not_bindings: items.not_bindings.clone(), ..Scope::default() }
    }

    pub(super) fn with(&self, name: &str) -> Scope {
        let mut scope = self.clone();
        scope.words.retain(|word| first(word) != name);
        scope.own.retain(|own| !own.is_local || own.path != name);
        scope.words.push(name.to_owned());
        scope.locals.push(name.to_owned());
        scope
    }

    pub(super) fn with_closure(&self, name: &str) -> Scope {
        let mut scope = self.with(name);
        scope.words.pop();
        scope.own.push(Callable { is_local: true, ..Callable::simple(name) });
        scope
    }

    /// Inside an item: without bindings, which still hide functions.
    pub(super) fn nested(&self) -> Scope {
        let mut scope = self.clone();
        scope.words.clear();
        scope.own.retain(|own| !own.is_local);
        scope
    }

    /// With an item or a generic parameter of this name.
    pub(super) fn hide(&mut self, name: &str) {
        self.hidden.push(name.to_owned());
        self.inner_items.push(name.to_owned());
        self.words.retain(|word| first(word) != name);
        self.locals.retain(|local| local != name);
        self.own.retain(|own| first(&own.path) != name);
        self.own_constants.retain(|own| own != name);
    }

    fn visible(&self, path: &str) -> bool {
        !self.hidden.iter().any(|name| name == first(path))
            && (path.contains("::") || !self.locals.iter().any(|name| name == path))
    }

    pub(super) fn callables(&self) -> Vec<&Callable> {
        let visible = |callable: &&Callable| {
            let receiver = callable.receiver.as_deref().unwrap_or("");
            let ty = first(receiver.trim_start_matches('&').trim_start_matches("mut "));
            self.visible(&callable.path)
                && !self.hidden.iter().any(|name| name == ty)
                && !(self.is_leaf && callable.has_clones)
                && !(self.without_differing && callable.differs)
        };
        let own = |own: &&Callable| own.is_local || own.path.contains("::") || !self.locals.contains(&own.path);
        self.items.callables.iter().filter(visible).chain(self.own.iter().filter(own)).collect()
    }

    pub(super) fn constants(&self) -> Vec<&str> {
        let usable = |one: &&Named| one.is_number && self.usable(one);
        let items = self.items.constants.iter().filter(usable).map(|one| &*one.name);
        items.chain(self.own_constants.iter().map(String::as_str)).collect()
    }

    pub(super) fn aliases(&self) -> Vec<&str> {
        self.items.aliases.iter().filter(|one| self.usable(one)).map(|one| &*one.name).collect()
    }

    /// Names that a format string can capture.
    pub(super) fn captured(&self) -> Vec<String> {
        let is_name = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
        let words = self.words.iter().map(String::as_str).filter(is_name);
        words.chain(self.constants().into_iter().filter(is_name)).map(str::to_owned).collect()
    }

    fn usable(&self, one: &Named) -> bool {
        self.visible(&one.name) && !(one.differs && self.without_differing)
    }

    pub(super) fn macros(&self) -> Vec<&str> {
        let usable = |one: &&Macro| {
            let hidden = |word: &&String| self.hidden.contains(word) && !one.hidden.contains(word);
            !one.words.iter().any(|word| hidden(&word))
                && !(one.differs && self.without_differing)
                && !(one.calls_clones && self.is_leaf)
        };
        self.items.macros.iter().chain(&self.own_macros).filter(usable).map(|one| &*one.name).collect()
    }

    pub(super) fn macro_of(&self, name: &str, body: &str) -> Macro {
        let words: Vec<String> = body
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let differing = self.items.constants.iter().chain(&self.items.aliases).filter(|one| one.differs);
        let differs = differing.clone().any(|one| words.contains(&one.name))
            || self.items.macros.iter().any(|one| one.differs && words.contains(&one.name));
        let calls_clones = self
            .items
            .callables
            .iter()
            .any(|one| one.has_clones && words.iter().any(|word| one.path.split("::").any(|part| part == word)))
            || self.items.macros.iter().any(|one| one.calls_clones && words.contains(&one.name));
        Macro { name: name.to_owned(), words, hidden: self.hidden.clone(), differs, calls_clones }
    }

    /// Names for generic parameters: not those that constants which differ use.
    pub(super) fn generic(&self, differing: &[String], at: usize) -> Option<&'static str> {
        let free = |name: &&&str| {
            !differing.iter().any(|other| other == **name) && !self.hidden.iter().any(|other| other == **name)
        };
        let names: Vec<&&str> = TYPES.iter().filter(free).collect();
        (!names.is_empty()).then(|| *names[at % names.len()])
    }
}
