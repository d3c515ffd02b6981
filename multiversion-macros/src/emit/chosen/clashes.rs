//! Modules, traits and impls of which `cfg(target_feature)` chooses one. All clones share the items of a module: two that
//! clones want at the same time would be there together.

use proc_macro2::Span;
use quote::ToTokens;
use syn::Attribute;

use super::differs::in_every_build;
use super::{asked, asks, choice, predicate};
use crate::error::Errors;
use crate::features::Arch;
use crate::item::{Choice, Node};
use crate::plan::{Plan, PlannedClone};

/// Reports the second of each two among `nodes` that have the same name, or define the same, and are both there.
pub(super) fn report(nodes: &[Node], plan: usize, plans: &[Plan], errors: &mut Errors) {
    for (at, node) in nodes.iter().enumerate() {
        let here = asked(node);
        if here.is_empty() {
            continue;
        }
        let plan_of = |node: &Node| if let Choice::Own(own) = choice(node) { own } else { plan };
        let both = |other: &Node, more: &[Attribute], there: &[Attribute]| {
            let of_first: Vec<Attribute> = asked(other).iter().chain(there).cloned().collect();
            let of_second: Vec<Attribute> = here.iter().chain(more).cloned().collect();
            !of_first.is_empty() && both_exist(&of_first, &plans[plan_of(other)], &of_second, &plans[plan_of(node)])
        };
        let clash = nodes[..at].iter().find_map(|other| clash(other, node, &|there, more| both(other, more, there)));
        if let Some((span, what, help)) = clash {
            errors.push_help(
                span,
                format_args!("{what} under `cfg(target_feature)`: all clones share the module's items"),
                help,
            );
        }
    }
}

/// What `first` and `second` have in common that can be there once; `both` says whether two members under certain `cfg`s are
/// there together.
fn clash(
    first: &Node,
    second: &Node,
    both: &dyn Fn(&[Attribute], &[Attribute]) -> bool,
) -> Option<(Span, String, String)> {
    match (first, second) {
        (Node::Mod(first), Node::Mod(second)) if first.ident == second.ident && both(&[], &[]) => Some((
            second.ident.span(),
            format!("two modules `{}`", second.ident),
            format!("put the `cfg`s on the functions, inside of one `mod {}`", second.ident),
        )),
        (Node::Trait(first), Node::Trait(second)) if first.ident == second.ident && both(&[], &[]) => Some((
            second.ident.span(),
            format!("two traits `{}`", second.ident),
            "write one trait, and put the `cfg`s on the functions of its impls".to_owned(),
        )),
        (Node::Impl(first), Node::Impl(second)) if same(&first.self_ty, &second.self_ty) => {
            if let (Some((path, _)), Some((other, _))) = (&first.trait_, &second.trait_) {
                let one = same(path, other) && same(&first.generics, &second.generics) && both(&[], &[]);
                return one.then(|| {
                    let (path, ty) = (text(path), text(&second.self_ty));
                    (
                        second.impl_token.span,
                        format!("two impls of `{path}` for `{ty}`"),
                        format!("put the `cfg`s on the functions, inside of one `impl {path} for {ty}`"),
                    )
                });
            }
            if first.trait_.is_some() || second.trait_.is_some() {
                return None;
            }
            let pairs = second.items.iter().flat_map(|member| first.items.iter().map(move |other| (other, member)));
            pairs
                .filter_map(|(other, member)| match (other, member) {
                    (Node::Fn(other), Node::Fn(member)) if other.sig.ident == member.sig.ident => Some((other, member)),
                    _ => None,
                })
                .find(|(other, member)| both(&asking(&other.attrs), &asking(&member.attrs)))
                .map(|(_, member)| {
                    let (name, ty) = (&member.sig.ident, text(&second.self_ty));
                    (
                        name.span(),
                        format!("two impls with `{name}`"),
                        format!("put the `cfg`s on the functions, inside of one `impl {ty}`"),
                    )
                })
        }
        _ => None,
    }
}

fn asking(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| asks(attr)).cloned().collect()
}

fn same(first: &impl ToTokens, second: &impl ToTokens) -> bool {
    first.to_token_stream().to_string() == second.to_token_stream().to_string()
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">")
}

/// Whether in some build a clone has what is under `first`, and a clone on the same architecture what is under `second`.
fn both_exist(first: &[Attribute], first_plan: &Plan, second: &[Attribute], second_plan: &Plan) -> bool {
    Arch::ALL.iter().any(|&arch| {
        clones(first_plan, arch).any(|one| {
            clones(second_plan, arch)
                .any(|other| may_hold(first, &one.features.names, second, &other.features.names, arch))
        })
    })
}

fn clones(plan: &Plan, arch: Arch) -> impl Iterator<Item = &PlannedClone> {
    let targets = plan.targets.iter().zip(&plan.clones).filter(move |(target, _)| target.target.arches.contains(&arch));
    targets.map(|(_, clone)| clone).chain(plan.clones.last())
}

/// Whether some answers to what is left to the build make `first` hold with the features `one`, and `second` with `other`.
fn may_hold(first: &[Attribute], one: &[&str], second: &[Attribute], other: &[&str], arch: Arch) -> bool {
    let hold = |build: &mut dyn FnMut(&str) -> Option<bool>| {
        let mut all = |attrs: &[Attribute], features: &[&str]| {
            let lists = attrs.iter().filter_map(|attr| attr.meta.require_list().ok());
            let values: Vec<Option<bool>> =
                lists.map(|list| predicate::value_with(list.tokens.clone(), arch, features, build)).collect();
            // Every question has been asked.
            values.iter().all(|value| *value == Some(true))
        };
        let first = all(first, one);
        all(second, other) && first
    };
    let mut questions: Vec<String> = Vec::new();
    let given = |question: &str| {
        let name = question.strip_prefix("target_feature = \"")?.strip_suffix('"')?;
        in_every_build(arch, name).then_some(true)
    };
    let settled = hold(&mut |question| {
        if let Some(answer) = given(question) {
            return Some(answer);
        }
        if !questions.iter().any(|known| known == question) {
            questions.push(question.to_owned());
        }
        None
    });
    // Of more questions than anybody asks the compiler may say what it thinks.
    settled
        || (questions.len() <= 8
            && (0..1_u32 << questions.len()).any(|answers| {
                hold(&mut |question| {
                    if let Some(answer) = given(question) {
                        return Some(answer);
                    }
                    let at = questions.iter().position(|known| known == question)?;
                    Some(answers >> at & 1 == 1)
                })
            }))
}
