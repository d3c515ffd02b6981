//! The `macro_rules!` of an annotated item.

use proc_macro2::{Ident, TokenStream};

use crate::attrs;
use crate::item::{Holder, Kind, Node};
use crate::tokens::{called, find_word, mentions_feature};

/// The macros that are visible at a place of an annotated item, in the order of their definitions.
#[derive(Clone, Default)]
pub(crate) struct Macros(Vec<Definition>);

#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) name: Ident,
    /// With its attributes.
    pub(crate) tokens: TokenStream,
    /// The macros that it calls.
    calls: Vec<String>,
    /// Its meaning depends on the clone that uses it: it tests a feature, or calls a macro that does.
    decides: bool,
}

impl Definition {
    /// Whether a `cfg` decides that it exists.
    pub(crate) fn is_conditional(&self) -> bool {
        let before = self.tokens.clone().into_iter().take_while(|token| token.to_string() != "macro_rules");
        find_word(before.clone().collect(), "cfg").or(find_word(before.collect(), "cfg_attr")).is_some()
    }
}

impl Macros {
    pub(crate) fn define(&mut self, name: &Ident, tokens: &TokenStream) {
        let mut calls = Vec::new();
        called(tokens.clone(), &mut calls);
        let decides = mentions_feature(tokens);
        self.0.push(Definition { name: name.clone(), tokens: tokens.clone(), calls, decides });
        // A macro may call those that are defined after it.
        while let Some(at) =
            (0..self.0.len()).find(|&at| !self.0[at].decides && self.0[at].calls.iter().any(|name| self.decides(name)))
        {
            self.0[at].decides = true;
        }
    }

    /// Defines those of `nodes`, and of the modules among them from which macros are visible outside; `all`: of all modules.
    pub(crate) fn define_those_of(&mut self, nodes: &[Node], all: bool) {
        for node in nodes {
            match node {
                Node::Item(item) => match &item.kind {
                    Kind::MacroRules { name, tokens } => self.define(name, tokens),
                    Kind::Mod(_) if all || is_open(item) => self.define_those_of(&item.items, all),
                    _ => {}
                },
                Node::Fn(_) => {}
            }
        }
    }

    /// With those that are defined in `module`, before or after.
    pub(crate) fn and_of(&self, module: &Holder) -> Macros {
        let mut macros = self.clone();
        macros.define_those_of(&module.items, false);
        macros
    }

    pub(crate) fn all(&self) -> &[Definition] {
        &self.0
    }

    /// The definitions that `name` may stand for: a later one replaces those before it, unless it is under a `cfg`.
    pub(crate) fn named(&self, name: &str) -> Vec<&Definition> {
        let mut named: Vec<&Definition> = self.0.iter().filter(|definition| definition.name == name).collect();
        let last = named.iter().rposition(|definition| !definition.is_conditional()).unwrap_or(0);
        named.split_off(last)
    }

    /// Whether one of them depends on the clone that uses it.
    pub(crate) fn any_decides(&self) -> bool {
        self.0.iter().any(|definition| definition.decides)
    }

    /// Whether the macro `name` depends on the clone that uses it.
    pub(crate) fn decides(&self, name: &str) -> bool {
        self.0.iter().any(|definition| definition.name == name && definition.decides)
    }

    /// Whether the meaning of `tokens` depends on the clone: they test a feature, or use a macro that does.
    pub(crate) fn depends(&self, tokens: &TokenStream) -> bool {
        mentions_feature(tokens) || self.decide(tokens)
    }

    /// Whether `tokens` use a macro that depends on the clone.
    pub(crate) fn decide(&self, tokens: &TokenStream) -> bool {
        !self.deciding(tokens).is_empty()
    }

    /// The definitions that `tokens` use and that depend on the clone; those of one name in order.
    pub(crate) fn deciding(&self, tokens: &TokenStream) -> Vec<&Definition> {
        if !self.any_decides() {
            return Vec::new();
        }
        let used = self.used(tokens).into_iter().flat_map(|name| self.named(&name));
        used.filter(|definition| definition.decides).collect()
    }

    /// The names of the macros that `tokens` may use, directly or through another.
    pub(crate) fn used(&self, tokens: &TokenStream) -> Vec<String> {
        let (mut names, mut at) = (Vec::new(), 0);
        called(tokens.clone(), &mut names);
        while at < names.len() {
            let calls = self.0.iter().filter(|definition| definition.name == names[at]);
            let calls: Vec<&String> = calls.flat_map(|definition| &definition.calls).collect();
            let new: Vec<String> = calls.into_iter().filter(|name| !names.contains(name)).cloned().collect();
            names.extend(new);
            at += 1;
        }
        names.sort();
        names.dedup();
        names
    }
}

/// Whether the macros of `module` are visible after it.
pub(crate) fn is_open(module: &Holder) -> bool {
    attrs::has(&module.attrs, "macro_use")
}
