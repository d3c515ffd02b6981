//! The `macro_rules!` of an annotated item.

use proc_macro2::{Ident, TokenStream};

use crate::item::{Holder, Kind, Node};
use crate::tokens::{called, mentions_feature};

/// The macros that are visible at a place of an annotated item.
#[derive(Clone, Default)]
pub(crate) struct Macros {
    all: Vec<(Ident, TokenStream)>,
    /// Those whose meaning depends on the clone that uses them.
    deciding: Vec<(Ident, TokenStream)>,
}

impl Macros {
    pub(crate) fn define(&mut self, name: &Ident, tokens: &TokenStream) {
        self.all.push((name.clone(), tokens.clone()));
        if self.depends(tokens) {
            self.deciding.retain(|(other, _)| other != name);
            self.deciding.push((name.clone(), tokens.clone()));
        }
    }

    /// With those that are defined in `module`, before or after.
    pub(crate) fn and_of(&self, module: &Holder) -> Macros {
        let mut macros = self.clone();
        for node in &module.items {
            if let Node::Item(item) = node
                && let Kind::MacroRules { name, tokens } = &item.kind
            {
                macros.define(name, tokens);
            }
        }
        macros
    }

    /// Each with its definition.
    pub(crate) fn all(&self) -> &[(Ident, TokenStream)] {
        &self.all
    }

    /// Whether the meaning of `tokens` depends on the clone: they test a feature, or use a macro that does.
    pub(crate) fn depends(&self, tokens: &TokenStream) -> bool {
        mentions_feature(tokens) || self.decide(tokens)
    }

    /// Whether `tokens` use a macro that depends on the clone.
    pub(crate) fn decide(&self, tokens: &TokenStream) -> bool {
        !self.deciding(tokens).is_empty()
    }

    /// The definitions that `tokens` use and that depend on the clone, in order.
    pub(crate) fn deciding(&self, tokens: &TokenStream) -> Vec<&TokenStream> {
        let mut calls = Vec::new();
        if !self.deciding.is_empty() {
            called(tokens.clone(), &mut calls);
        }
        let mut used = Vec::new();
        // A macro may use those that were defined before it.
        for (name, tokens) in self.deciding.iter().rev() {
            if calls.contains(&name.to_string()) {
                called(tokens.clone(), &mut calls);
                used.push(tokens);
            }
        }
        used.reverse();
        used
    }
}
