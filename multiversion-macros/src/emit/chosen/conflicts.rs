//! Where clones cannot each have a definition of their own, and would silently share that of the build.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Item;

use super::{Macro, asked, choice, clashes, copies, mentions, names, parsed, stands_in, used};
use crate::check;
use crate::error::Errors;
use crate::item::{Choice, Function, Node};
use crate::plan::Plan;

/// Reports in `node` the types and statics of which clones want different definitions, modules and impls that clash, and
/// uses of what differs between clones in what they share. A layout that is not the clone's is undefined behaviour where
/// the code relies on it.
pub(crate) fn conflicts(node: &Node, plan: usize, plans: &[Plan], errors: &mut Errors) {
    module(node, plan, plans, &[], errors);
}

/// `macros` are those that are defined around `node`.
fn module(node: &Node, plan: usize, plans: &[Plan], macros: &[Macro<'_>], errors: &mut Errors) {
    let plan = match choice(node) {
        Choice::Inherit => plan,
        Choice::Own(own) => own,
        Choice::Skip => return,
    };
    let Node::Mod(item) = node else { return };
    let Some(content) = &item.content else { return };
    let nodes = &content.items;
    types(nodes, plan, plans, errors);
    clashes::report(nodes, plan, plans, errors);
    let differing = copies(nodes, plan, plans, macros).differing();
    if !differing.is_empty() {
        let mut shared = Shared { names: &differing, errors };
        shared.items(nodes);
        shared.paths(nodes, 0);
    }
    let own = nodes.iter().filter_map(|node| match node {
        Node::MacroRules { name, tokens } => Some((name, tokens)),
        _ => None,
    });
    let macros: Vec<Macro<'_>> = macros.iter().copied().chain(own).collect();
    for node in nodes {
        module(node, plan, plans, &macros, errors);
    }
}

/// Reports types and statics that `cfg(target_feature)` chooses between.
fn types(nodes: &[Node], plan: usize, plans: &[Plan], errors: &mut Errors) {
    let mut reported: Vec<String> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        if !matches!(node, Node::Other { .. }) || asked(node).is_empty() {
            continue;
        }
        let Some(item) = parsed(node) else { continue };
        let (Item::Enum(syn::ItemEnum { ident, .. })
        | Item::Static(syn::ItemStatic { ident, .. })
        | Item::Struct(syn::ItemStruct { ident, .. })
        | Item::Union(syn::ItemUnion { ident, .. })) = &item
        else {
            continue;
        };
        let mine = names(&item);
        if reported.iter().any(|name| mine.contains(name)) || !stands_in(nodes, at, &mine, &used(nodes, plan, plans)) {
            continue;
        }
        errors.push_help(
            ident.span(),
            format_args!("`cfg(target_feature)` chooses between definitions of `{ident}`, but all clones share one"),
            "write one that serves all clones, or move them out of the annotated module, where the build chooses",
        );
        reported.extend(mine);
    }
}

/// Looks for `names`, which differ between clones, in what clones share.
struct Shared<'a> {
    names: &'a [String],
    errors: &'a mut Errors,
}

impl Shared<'_> {
    fn items(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Fn(function) => self.function(function),
                Node::Impl(item) if item.choice == Choice::Skip => self.undispatched(&node.to_token_stream()),
                Node::Trait(item) if item.choice == Choice::Skip => self.undispatched(&node.to_token_stream()),
                Node::Impl(item) => {
                    let (generics, bounds, ty) = (&item.generics, &item.generics.where_clause, &item.self_ty);
                    let trait_ = item.trait_.as_ref().map(|(path, _)| path);
                    self.report(&quote!(#generics #trait_ #ty #bounds), "this impl");
                    self.members(&item.items, &generics.to_token_stream());
                }
                Node::Trait(item) => {
                    let (generics, bounds, supertraits) =
                        (&item.generics, &item.generics.where_clause, &item.supertraits);
                    self.report(&quote!(#generics #supertraits #bounds), "this trait");
                    self.members(&item.items, &generics.to_token_stream());
                }
                Node::Other { tokens, .. } => {
                    let kind = match syn::parse2(tokens.clone()) {
                        Ok(Item::Static(_)) => "this static",
                        Ok(Item::Struct(_) | Item::Enum(_) | Item::Union(_)) => "this type",
                        Ok(Item::ForeignMod(_)) => "this declaration",
                        _ => continue,
                    };
                    self.report(tokens, kind);
                }
                Node::Mod(_) | Node::MacroRules { .. } => {}
            }
        }
    }

    /// The members of an impl or a trait that has `generics`.
    fn members(&mut self, nodes: &[Node], generics: &TokenStream) {
        // What a parameter is called is not the module's.
        let free: Vec<String> =
            self.names.iter().filter(|name| !mentions::declares(generics, name, true)).cloned().collect();
        let mut shared = Shared { names: &free, errors: self.errors };
        for node in nodes {
            match node {
                Node::Fn(function) => shared.function(function),
                Node::Other { tokens, .. } => {
                    // The name of an associated item is not a use of the module's.
                    let last = tokens
                        .clone()
                        .into_iter()
                        .skip_while(|token| token.to_string() != "=" && token.to_string() != ":");
                    shared.report(&last.collect(), "this associated item");
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, function: &Function) {
        if !check::stays(function) || function.body.is_none() {
            self.report(&function.sig.to_token_stream(), "the signature");
            return;
        }
        self.undispatched(&function.to_token_stream());
    }

    fn report(&mut self, tokens: &TokenStream, shared: &str) {
        if let Some(name) = mentions::word(tokens, self.names) {
            let help = if shared == "the signature" || shared == "this impl" {
                "a type that is the same everywhere here"
            } else {
                "what is the same everywhere here"
            };
            self.errors.push_help(
                name.span(),
                format_args!("`{name}` differs between clones, which share {shared}"),
                format_args!("use `{name}` in bodies, and {help}"),
            );
        }
    }

    /// What has no clones.
    fn undispatched(&mut self, tokens: &TokenStream) {
        if let Some(name) = mentions::word(tokens, self.names) {
            self.errors.push_help(
                name.span(),
                format_args!("`{name}` differs between clones, and this function has none"),
                format_args!("pass `{name}` in from a dispatched function, as an argument or a constant parameter"),
            );
        }
    }

    /// Paths that lead to the module's own item, from modules `up` levels below.
    fn paths(&mut self, nodes: &[Node], up: usize) {
        for node in nodes {
            let tokens = match node {
                Node::Mod(item) => {
                    if let Some(content) = &item.content {
                        self.paths(&content.items, up + 1);
                    }
                    continue;
                }
                // Where a macro is used is not known here.
                Node::MacroRules { .. } => continue,
                node => node.to_token_stream(),
            };
            let mut found: Vec<Ident> = Vec::new();
            mentions::by_path(&tokens, up, self.names, &mut found);
            for name in found {
                self.errors.push_help(
                    name.span(),
                    format_args!("`{name}` differs between clones, and a path cannot name a clone's own"),
                    format_args!(
                        "use `{name}` by itself in bodies of functions of its own module; pass it on to other modules"
                    ),
                );
            }
        }
    }
}
