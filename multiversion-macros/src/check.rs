//! The checks of the annotated items, and the targets of each item in them.

mod checker;
mod functions;
mod impls;
mod shared;

use core::mem;

use quote::ToTokens;
use syn::{ImplModifiers, ItemImpl, ItemMod, parse_quote};

pub(crate) use checker::{Checker, Found};
pub(crate) use functions::{WHOLE_PROGRAMS, warn};
pub(crate) use impls::impl_in;

use crate::args::{self, Args};
use crate::attrs;
use crate::compiler::COMPILER;
use crate::item::definitions::for_tests;
use crate::item::{Choice, Context, Kind, Node, OtherItem};
use crate::leaf;
use crate::targets;
use crate::tokens::feature_test;

impl Checker<'_> {
    /// Checks the annotated item, all its alternatives, and gives each item in it its targets. Returns whether something in it has
    /// clones, or has none for a reason of its own.
    pub(crate) fn check_annotated(&mut self, nodes: &mut [Node], args: &Args) -> bool {
        let choice = self.choice(args, None);
        for node in &mut *nodes {
            if let Some(again) = node.attrs_mut().iter().find(|attr| attrs::is(attr, "dispatch")) {
                args::report_again(again, self.errors);
            }
            self.check_node(node, Context::Annotated, choice, true);
        }
        self.found.explained || nodes.iter().any(has_clones)
    }

    /// The targets of an item with `args` inside an item with the list `outer`.
    fn choice(&mut self, args: &Args, outer: Option<usize>) -> Choice {
        match outer {
            _ if args.skip => Choice::Skip,
            Some(outer) if args.targets.is_empty() => Choice::Inherit(outer),
            _ => {
                // The mistake of naming none is reported already.
                let listed = !args.targets.is_empty();
                let targets = if listed { targets::parse(&args.targets, self.errors) } else { Vec::new() };
                self.found.of_list = self.found.of_list.take().or_else(|| targets::warning(&args.targets, &targets));
                self.found.lists.push((targets, args.krate.clone()));
                Choice::Own(self.found.lists.len() - 1)
            }
        }
    }

    /// `own`: it has the attribute itself.
    fn check_node(&mut self, node: &mut Node, context: Context, choice: Choice, own: bool) {
        let direct = context == Context::Annotated || matches!(choice, Choice::Own(_));
        let inherits = matches!(choice, Choice::Inherit(_));
        if choice.list().is_some()
            && let Some(span) =
                attrs::conditional(node.attrs_mut(), "cfg").find_map(|attr| feature_test(&attr.meta.to_token_stream()))
        {
            self.errors.push_help(
                span,
                "`target_feature` in a `cfg_attr` that adds `cfg` is evaluated for the build, not for each clone",
                "write both conditions in one `cfg`",
            );
        }
        match node {
            Node::Fn(function) => {
                function.choice = choice;
                let may = inherits && !own && !self.may_test_features() && !function.stays();
                let same = may && leaf::is_leaf(function, &self.leaves);
                if same {
                    function.choice = Choice::Skip;
                    // Left as a call, it would have no features. Clippy would object.
                    if attrs::inlines_always(&function.attrs).is_none() && !COMPILER.clippy {
                        function.attrs.retain(|attr| !attr.path().is_ident("inline"));
                        function.attrs.push(parse_quote!(#[inline(always)]));
                    }
                }
                self.found.explained |= same;
                if function.choice.list().is_some() {
                    self.check_function(function, context, direct);
                }
            }
            Node::Item(item) => {
                let tests = inherits && item.is_mod() && for_tests(&item.attrs);
                item.choice = if tests { Choice::Skip } else { choice };
                if let Some(list) = item.choice.list() {
                    self.reject_container(item, context, direct);
                    self.check_items(item, list);
                }
            }
        }
    }

    /// Refuses the item itself.
    fn reject_container(&mut self, item: &OtherItem, context: Context, direct: bool) {
        match &item.kind {
            Kind::Other if direct => {
                let (span, kind) = shared::kind(&item.header);
                self.errors.push_help(
                    span,
                    format_args!("`#[dispatch]` cannot be used on {kind}"),
                    "put the attribute on a function, an impl, a trait or an inline module",
                );
            }
            Kind::Impl(ItemImpl { modifiers: ImplModifiers { polarity: Some(bang), .. }, .. }) => {
                self.errors.push(bang.span, "a negative impl has nothing to dispatch");
            }
            // The content of a nested file is left as it is: the attribute can be used in the file.
            Kind::Mod(ItemMod { content: None, mod_token, ident, .. }) if direct => self.errors.push_help(
                mod_token.span,
                format_args!("`#[dispatch]` cannot be used on `mod {ident};`, whose content is in another file"),
                format_args!(
                    "write the module inline, `mod {ident} {{ … }}`, or put the attribute on the functions and impls in the file"
                ),
            ),
            _ if context != Context::Annotated && self.may_test_features() => self.reject_shared_test(item, context),
            _ => {}
        }
    }

    /// Checks the items in `item`, with the list `outer`.
    fn check_items(&mut self, item: &mut OtherItem, outer: usize) {
        let (context, around) = (item.context(), self.macros.len());
        if self.may_test_features() {
            let macros = item.items.iter().filter_map(Node::as_item).filter_map(OtherItem::defined_macro);
            self.macros.extend(macros.map(|(name, text)| (name, text.clone())));
        }
        let leaves = mem::replace(&mut self.leaves, leaf::leaves(&item.items));
        for node in &mut item.items {
            let args = args::take(node.attrs_mut(), self.krate, self.errors);
            let own = args.is_some();
            let renamed = |attr: &&syn::Attribute| attrs::names_targets(attr) && !attrs::is(attr, "dispatch");
            if let Some(attr) = node.attrs_mut().iter().find(renamed) {
                self.errors.push_help(
                    attr.path().segments[0].ident.span(),
                    "an attribute with `targets` on a part of an annotated item must be called `dispatch`",
                    "write it as `dispatch`, not as an import has renamed it",
                );
            }
            let choice = args.map_or(Choice::Inherit(outer), |args| self.choice(&args, Some(outer)));
            self.check_node(node, context, choice, own);
        }
        self.leaves = leaves;
        if !attrs::have_named(&item.attrs, "macro_use") {
            self.macros.truncate(around);
        }
        self.reject_different_signatures(&item.items);
    }
}

/// Whether a function in `node` has clones.
fn has_clones(node: &Node) -> bool {
    match node {
        Node::Fn(function) => !function.stays(),
        Node::Item(item) => item.items.iter().any(has_clones),
    }
}
