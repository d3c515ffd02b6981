//! Items of a module, other than functions, that `cfg(target_feature)` selects.
//!
//! Such an item exists once, so items on which clones differ are handled in two ways. An item without alternatives (an
//! import, a type, a whole implementation for some features) exists if at least one clone has it. Of several constants,
//! aliases or imports with one name, and of constants that use `cfg!`, each clone gets its own copy inside the bodies
//! that name them. Two items of any other kind would exist together, which is an error if the build has clones for
//! both.
//!
//! That such an item exists may be the proof of the features for someone's `unsafe` code. So a value that only clones have
//! is not visible outside of the annotated module, and whatever else may be such a proof follows the build.

mod copies;
mod differs;
mod predicates;

use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Attribute, Ident, Item, ItemConst, ItemEnum, ItemImpl, ItemMod, ItemStatic, ItemStruct, ItemTrait, ItemType,
    ItemUnion, UseTree, Visibility,
};

use crate::attrs::{self, asks_feature, predicate};
use crate::check;
use crate::features::Arch;
use crate::item::{Choice, Function, Holder, Kind, Node};
use crate::macros::Macros;
use crate::plan::Plan;
use crate::tokens::find_word;

pub(super) use copies::Copies;
use predicates::value;

/// Gives the items of every module in `node` the `cfg` under which some clone has them, and passes the `cfg`s of an
/// impl or a module on to its functions.
pub(crate) fn settle(node: &mut Node, macros: &Macros) {
    settle_at(node, macros, 0);
}

/// The same, of a module in `depth` annotated ones.
fn settle_at(node: &mut Node, macros: &Macros, depth: usize) {
    let Node::Item(module) = node else { return };
    if !module.is_mod() || module.choice.plan().is_none() {
        return;
    }
    let (used, macros) = (used(module), macros.and_of(module));
    let entries: Vec<Entry> = module.items.iter().map(|node| Entry::of(node, &macros)).collect();
    // The names and implementations so far that can exist once, with the `cfg` predicates under which they do.
    let mut claimed: Vec<(String, TokenStream)> = Vec::new();
    let (mut settled, mut errors) = (Vec::new(), Vec::new());
    for (at, (mut node, entry)) in core::mem::take(&mut module.items).into_iter().zip(&entries).enumerate() {
        settle_at(&mut node, &macros, depth + 1);
        match &mut node {
            Node::Item(item) if is_copied(&entries, at, &used, &macros) => item.copied = true,
            Node::Item(item) if !entry.asked.is_empty() => {
                errors.extend(settle_item(item, entry, &mut claimed));
                settled.extend(restricted(node, &entry.asked, depth));
                continue;
            }
            _ => {}
        }
        settled.push(node);
    }
    settled.append(&mut errors);
    module.items = settled;
}

/// Whether `item`, under a `cfg`, exists where the build has what that asks, and not for clones: whatever safe code elsewhere could
/// use as a proof without calling a clone. That is an impl of a trait, which may be a promise, wherever it is written; a trait, which
/// gives its constants to any type; and what cannot be seen or has no clones.
fn follows_build(item: &Holder) -> bool {
    match &item.kind {
        Kind::Impl(_) | Kind::Mod(_) | Kind::Trait(_) => item.has_methods_of_a_trait() || item.choice.plan().is_none(),
        Kind::MacroRules { .. } => false,
        Kind::Other(tokens) => parsed(item).is_none() || has_impl(tokens),
    }
}

/// Whether an impl may be in the `code`, in a block of an expression.
fn has_impl(code: &impl ToTokens) -> bool {
    find_word(code.to_token_stream(), "impl").is_some()
}

/// Whether a function without clones is visible in the annotated module in builds without what its `cfg` asks.
fn is_shared(function: &Function) -> bool {
    check::stays(function) && !function.body.as_ref().is_some_and(|body| has_impl(&body.stream()))
}

/// `node`, in two forms if it is a value, or with such values in it: as it is where the build has what is `asked`, and else
/// visible in the annotated module alone, which is `depth` modules around.
fn restricted(mut node: Node, asked: &[Attribute], depth: usize) -> Vec<Node> {
    let predicates = asked.iter().filter_map(predicate);
    let enabled = quote!(all(#(#predicates),*));
    let mut other = node.clone();
    match &mut other {
        Node::Fn(function) if is_shared(function) => restrict(&mut function.vis, depth),
        Node::Fn(_) => return vec![node],
        Node::Item(item) if follows_build(item) => return vec![node],
        Node::Item(other) => match (&mut other.kind, &mut node) {
            (Kind::Impl(ItemImpl { trait_: None, .. }) | Kind::Mod(_), Node::Item(item)) => {
                let inside = depth + usize::from(item.is_mod());
                let members = core::mem::take(&mut item.items).into_iter();
                item.items = members.flat_map(|member| restricted(member, asked, inside)).collect();
                return vec![node];
            }
            (Kind::Other(tokens), _) => {
                let Ok(mut value) = syn::parse2(tokens.clone()) else { return vec![node] };
                let (Item::Const(ItemConst { vis, .. }) | Item::Static(ItemStatic { vis, .. })) = &mut value else {
                    return vec![node];
                };
                restrict(vis, depth);
                *tokens = value.into_token_stream();
            }
            _ => return vec![node],
        },
    }
    node.attrs_mut().push(syn::parse_quote!(#[cfg(#enabled)]));
    other.attrs_mut().push(syn::parse_quote!(#[cfg(not(#enabled))]));
    // Who uses it may be outside. An `expect` after it still holds.
    other.attrs_mut().insert(0, syn::parse_quote!(#[allow(dead_code)]));
    vec![node, other]
}

/// Limits `vis` to the module that is `depth` modules around, if it reaches further.
fn restrict(vis: &mut Visibility, depth: usize) {
    let reach = match vis {
        Visibility::Inherited => 0,
        Visibility::Restricted(vis) if vis.path.is_ident("self") => 0,
        Visibility::Restricted(vis) if vis.path.segments.iter().all(|segment| segment.ident == "super") => {
            vis.path.segments.len()
        }
        _ => usize::MAX,
    };
    if reach > depth {
        let path = core::iter::repeat_n(quote!(super), depth);
        *vis = if depth == 0 { Visibility::Inherited } else { syn::parse_quote!(pub(in #(#path)::*)) };
    }
}

/// Gives `item` the `cfg` under which some clone has it; returns errors for what exists already.
fn settle_item(item: &mut Holder, entry: &Entry, claimed: &mut Vec<(String, TokenStream)>) -> Vec<Node> {
    let Some(plan) = item.choice.plan() else { return Vec::new() };
    let own = exists(&entry.asked, plan);
    let (mut exists, mut errors) = (own.clone(), Vec::new());
    for (key, span, help) in entry.claims(item) {
        if let Some((_, first)) = claimed.iter().find(|(known, _)| *known == key) {
            let message = format!(
                "`cfg(target_feature)` selects between two definitions of `{key}`, but all clones share one\nhelp: {help}"
            );
            let error = quote_spanned!(span=> #[cfg(all(#first, #own))] compile_error! { #message });
            errors.push(Node::item(Vec::new(), Kind::Other(error), Vec::new()));
            exists = quote!(all(#exists, not(#first)));
        }
        claimed.push((key, own.clone()));
    }
    if !follows_build(item) {
        pass_on(&mut item.items, &entry.asked);
        item.attrs.retain(|attr| !asks_feature(attr));
        item.attrs.push(syn::parse_quote!(#[cfg(#exists)]));
    }
    errors
}

/// What decides about an item.
#[derive(Default)]
struct Entry {
    /// Its `cfg`s that test a CPU feature, if it is an item that may exist for some clones alone.
    asked: Vec<Attribute>,
    /// The item, if it may be copied.
    item: Option<Item>,
    names: Vec<String>,
}

impl Entry {
    fn of(node: &Node, macros: &Macros) -> Entry {
        let Node::Item(holder) = node else { return Entry::default() };
        let asked: Vec<Attribute> = holder.attrs.iter().filter(|attr| asks_feature(attr)).cloned().collect();
        match &holder.kind {
            Kind::Impl(_) | Kind::Mod(_) | Kind::Trait(_) if holder.choice.plan().is_some() => {
                Entry { asked, ..Entry::default() }
            }
            // Parsing takes time, and most items have no such `cfg`.
            Kind::Other(tokens) if !asked.is_empty() || macros.depends(tokens) => match parsed(holder) {
                Some(item) => Entry { asked, names: names(&item), item: Some(item) },
                None => Entry::default(),
            },
            _ => Entry::default(),
        }
    }

    /// The names and implementations of `holder` that can exist once: each with its place, and the help for two of them.
    fn claims(&self, holder: &Holder) -> Vec<(String, Span, String)> {
        let inside = |header: &str| format!("put the `cfg`s on the functions, inside one `{header}`");
        match (&holder.kind, &self.item) {
            (Kind::Mod(ItemMod { ident, .. }), _) => {
                let header = format!("mod {ident}");
                vec![(header.clone(), ident.span(), inside(&header))]
            }
            (Kind::Trait(ItemTrait { ident, .. }), _) => {
                let help = "write one trait, and put the `cfg`s on the functions of its impls";
                vec![(format!("trait {ident}"), ident.span(), help.to_owned())]
            }
            (Kind::Impl(ItemImpl { trait_: Some((path, _)), generics, self_ty, impl_token, .. }), _) => {
                let header = format!("impl {} for {}", text(path), text(self_ty));
                vec![(header.clone() + &text(generics), impl_token.span, inside(&header))]
            }
            (Kind::Impl(ItemImpl { self_ty, .. }), _) => {
                let ty = text(self_ty);
                let names = holder.items.iter().filter_map(|member| match member {
                    Node::Fn(member) => Some(&member.sig.ident),
                    Node::Item(_) => None,
                });
                names.map(|name| (format!("fn {ty}::{name}"), name.span(), inside(&format!("impl {ty}")))).collect()
            }
            (_, Some(Item::Const(_) | Item::Type(_)) | None) => Vec::new(),
            (_, Some(item)) => {
                let help = "write one that serves all clones, or move them out of the annotated module, where `cfg` is evaluated for the build";
                ident(item).map(|name| (name.to_string(), name.span(), help.to_owned())).into_iter().collect()
            }
        }
    }
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">")
}

/// The plans of `module` and of the functions in it, less those in modules of their own.
pub(super) fn used(module: &Holder) -> Vec<Rc<Plan>> {
    fn collect<'n>(item: &'n Holder, choices: &mut Vec<&'n Choice>) {
        choices.push(&item.choice);
        for node in &item.items {
            match node {
                Node::Fn(function) => choices.push(&function.choice),
                Node::Item(item) if item.is_mod() => {}
                Node::Item(item) => collect(item, choices),
            }
        }
    }
    let mut choices = Vec::new();
    collect(module, &mut choices);
    let mut used: Vec<Rc<Plan>> = Vec::new();
    for plan in choices.into_iter().filter_map(Choice::plan) {
        if !used.iter().any(|known| Rc::ptr_eq(known, plan)) {
            used.push(plan.clone());
        }
    }
    used
}

/// The item that `item` is, if it has a name, or is an import.
fn parsed(item: &Holder) -> Option<Item> {
    let Kind::Other(tokens) = &item.kind else { return None };
    let item: Item = syn::parse2(tokens.clone()).ok()?;
    let named = matches!(item, Item::Use(_)) || ident(&item).is_some_and(|name| name != "_");
    named.then_some(item)
}

/// The name of `item`, if it is one that `cfg(target_feature)` may select and no function.
pub(super) fn ident(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(ItemConst { ident, .. })
        | Item::Enum(ItemEnum { ident, .. })
        | Item::Static(ItemStatic { ident, .. })
        | Item::Struct(ItemStruct { ident, .. })
        | Item::Type(ItemType { ident, .. })
        | Item::Union(ItemUnion { ident, .. }) => Some(ident),
        _ => None,
    }
}

/// The names that `item` declares.
pub(super) fn names(item: &Item) -> Vec<String> {
    fn of_tree(tree: &UseTree, names: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => of_tree(&path.tree, names),
            UseTree::Name(name) => names.push(name.ident.to_string()),
            UseTree::Rename(rename) => names.push(rename.rename.to_string()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| of_tree(tree, names)),
            UseTree::Glob(_) => {}
        }
    }
    let mut names: Vec<String> = ident(item).map(Ident::to_string).into_iter().collect();
    if let Item::Use(item) = item {
        of_tree(&item.tree, &mut names);
    }
    names.retain(|name| name != "_");
    names
}

/// Whether clones get copies of an item: of a constant or an alias that tests a feature, itself or in a macro, and of a constant, an alias or an import
/// with the name of another item, on an architecture where clones may have either. No other can exist more than once.
fn is_copied(entries: &[Entry], at: usize, plans: &[Rc<Plan>], macros: &Macros) -> bool {
    let this = &entries[at];
    if this.item.as_ref().is_some_and(has_impl) {
        return false;
    }
    match &this.item {
        Some(Item::Const(item)) if macros.depends(&item.expr.to_token_stream()) => return true,
        Some(Item::Type(item)) if macros.depends(&item.ty.to_token_stream()) => return true,
        Some(Item::Const(_) | Item::Type(_) | Item::Use(_)) if !this.asked.is_empty() => {}
        _ => return false,
    }
    let may_be = |entry: &Entry, arch| may_exist(&entry.asked, arch, plans);
    entries.iter().enumerate().any(|(index, other)| {
        index != at
            && !other.asked.is_empty()
            && other.names.iter().any(|name| this.names.contains(name))
            && Arch::all().into_iter().any(|arch| may_be(this, arch) && may_be(other, arch))
    })
}

/// Whether a clone on `arch` may have an item under `asked`.
fn may_exist(asked: &[Attribute], arch: Arch, plans: &[Rc<Plan>]) -> bool {
    let may =
        |features: &[&str]| asked.iter().filter_map(predicate).all(|asked| value(asked, arch, features) != Some(false));
    let on_arch =
        |plan: &Plan, at: usize| plan.targets[at].target.arches.contains(&arch) && may(&plan.clones[at].features.names);
    may(&[]) || plans.iter().any(|plan| (0..plan.targets.len()).any(|at| on_arch(plan, at)))
}

/// `cfg` predicate: there is a clone for which all of `asked` are true.
fn exists(asked: &[Attribute], plan: &Plan) -> TokenStream {
    plan.some_clone(|clone| attrs::asked(asked, clone))
}

/// Applies `asked` to the functions among `nodes`, of which a clone has none for which it is false, and to what follows the build.
fn pass_on(nodes: &mut [Node], asked: &[Attribute]) {
    for node in nodes {
        match node {
            Node::Fn(function) if !is_shared(function) => {
                function.attrs.extend(asked.iter().cloned());
            }
            Node::Item(item) if follows_build(item) => item.attrs.extend(asked.iter().cloned()),
            Node::Item(item) => pass_on(&mut item.items, asked),
            Node::Fn(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::restrict;
    use quote::ToTokens;

    #[test]
    fn visibilities_are_never_widened() {
        for (before, depth, after) in [
            ("", 1, ""),
            ("pub(self)", 2, "pub(self)"),
            ("pub(in self)", 2, "pub(in self)"),
            ("pub(super)", 0, ""),
            ("pub(super)", 1, "pub(super)"),
            ("pub(in super::super)", 1, "pub(in super)"),
            ("pub(in super::super)", 2, "pub(in super::super)"),
            ("pub(in super::super)", 3, "pub(in super::super)"),
            ("pub(crate)", 0, ""),
            ("pub(in crate::kernels)", 1, "pub(in super)"),
            ("pub", 0, ""),
            ("pub", 2, "pub(in super::super)"),
        ] {
            let mut vis = syn::parse_str(before).unwrap();
            restrict(&mut vis, depth);
            let text = vis.to_token_stream().to_string().replace(' ', "");
            assert_eq!(text, after.replace(' ', ""), "{before} at {depth}");
        }
    }
}
