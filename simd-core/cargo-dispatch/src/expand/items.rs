//! Items of an expansion: those that are asked for, in print.

use std::collections::BTreeSet;

use super::cfg::Configuration;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, ExprPath, File, GenericArgument, ImplItem, Item, Path, PathArguments, TraitItem, Type, TypeTuple,
};

/// The functions, modules, types and traits whose paths end with `wanted`, or all items for an empty one; none if there is
/// no such item. What the compiler drops is left out, and what says nothing of the code, unless there is no configuration.
pub(super) fn show(text: &str, wanted: &str, configuration: Option<&Configuration>) -> Option<String> {
    let Ok(mut file) = syn::parse_file(text) else {
        // An attribute on something that is no item, as code in an editor is.
        return text.contains(wanted).then(|| format!("{text}\n"));
    };
    if !wanted.is_empty() {
        let wanted: Vec<&str> = wanted.split("::").collect();
        keep(&mut file.items, &wanted, &mut Vec::new());
        if file.items.is_empty() {
            return None;
        }
    }
    if let Some(mut configuration) = configuration {
        configuration.visit_file_mut(&mut file);
        Shorten.visit_file_mut(&mut file);
    }
    Some(prettyplease::unparse(&file))
}

/// The dispatched functions by their paths, as far as the expansion tells.
pub(super) fn names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Ok(File { items, .. }) = syn::parse_file(text) {
        collect(&items, "", &mut names);
    }
    names
}

fn collect(items: &[Item], before: &str, names: &mut BTreeSet<String>) {
    for item in items {
        let Some(name) = name_of(item) else { continue };
        let within = format!("{before}{name}::");
        let mut add = |owner: &str, name: String| {
            if clone_of(&name).is_none() {
                names.insert(format!("{owner}{name}"));
            }
        };
        match item {
            Item::Impl(item) => item.items.iter().filter_map(method).for_each(|name| add(&within, name)),
            Item::Trait(item) => item.items.iter().filter_map(provided).for_each(|name| add(&within, name)),
            Item::Mod(module) => module.content.iter().for_each(|(_, items)| collect(items, &within, names)),
            _ => add(before, name),
        }
    }
}

/// Removes all but what is asked for, and what it stands in.
fn keep(items: &mut Vec<Item>, wanted: &[&str], path: &mut Vec<String>) {
    items.retain_mut(|item| {
        let Some(name) = name_of(item) else { return false };
        if ends_with(path, &name, wanted) {
            return true;
        }
        path.push(name);
        let is_wanted = |name: Option<String>| name.is_some_and(|name| ends_with(path, &name, wanted));
        let kept = match item {
            Item::Impl(item) => {
                item.items.retain(|item| is_wanted(method(item)));
                !item.items.is_empty()
            }
            Item::Trait(item) => {
                item.items.retain(|item| is_wanted(provided(item)));
                !item.items.is_empty()
            }
            Item::Mod(module) => module.content.as_mut().is_some_and(|(_, items)| {
                keep(items, wanted, path);
                !items.is_empty()
            }),
            _ => false,
        };
        path.pop();
        kept
    });
}

fn name_of(item: &Item) -> Option<String> {
    match item {
        Item::Fn(function) => Some(function.sig.ident.to_string()),
        Item::Impl(item) => Some(type_name(&item.self_ty)),
        Item::Mod(module) => Some(module.ident.to_string()),
        Item::Trait(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn method(item: &ImplItem) -> Option<String> {
    if let ImplItem::Fn(method) = item { Some(method.sig.ident.to_string()) } else { None }
}

fn provided(item: &TraitItem) -> Option<String> {
    if let TraitItem::Fn(method) = item { Some(method.sig.ident.to_string()) } else { None }
}

/// Whether the item, or the function that it is a clone of, has a path with this end. What stands around the expansion is
/// not known, and may be anything.
fn ends_with(path: &[String], name: &str, wanted: &[&str]) -> bool {
    let Some((last, before)) = wanted.split_last() else { return true };
    let named = name == *last || clone_of(name) == Some(last);
    named && before.iter().rev().zip(path.iter().rev()).all(|(wanted, known)| wanted == known)
}

/// The function of the clone `__root__avx2`.
fn clone_of(name: &str) -> Option<&str> {
    name.strip_prefix("__")?.rsplit_once("__").map(|(function, _)| function)
}

/// The type of an impl without its arguments.
fn type_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map_or_else(String::new, |segment| segment.ident.to_string()),
        Type::Reference(reference) => type_name(&reference.elem),
        _ => String::new(),
    }
}

/// A visitor that removes `allow` and `doc`, and calls [`shorten`] for each path.
struct Shorten;

/// Leaves out a path's beginning up to the private module, and says how long it was. Lists that it is given become flat.
fn shorten(path: &mut Path) -> usize {
    let Some(private) = path.segments.iter().position(|segment| segment.ident == "__private") else { return 0 };
    path.leading_colon = None;
    path.segments = core::mem::take(&mut path.segments).into_iter().skip(private + 1).collect();
    if let Some(PathArguments::AngleBracketed(arguments)) = path.segments.last_mut().map(|last| &mut last.arguments) {
        for argument in &mut arguments.args {
            if let GenericArgument::Type(Type::Tuple(tuple)) = argument {
                let elements = list(tuple).unwrap_or_else(|| pairs(tuple));
                tuple.elems = elements.into_iter().cloned().collect();
            }
        }
    }
    private + 1
}

/// The elements of `(A, (B, (C, ())))`.
fn list(tuple: &TypeTuple) -> Option<Vec<&Type>> {
    let mut elements = tuple.elems.iter();
    match (elements.next(), elements.next(), elements.next()) {
        (None, ..) => Some(Vec::new()),
        (Some(first), Some(Type::Tuple(rest)), None) => Some([&[first][..], &list(rest)?].concat()),
        _ => None,
    }
}

/// The elements of `((A, B), C)`.
fn pairs(tuple: &TypeTuple) -> Vec<&Type> {
    match tuple.elems.first() {
        Some(Type::Tuple(first)) => pairs(first).into_iter().chain(tuple.elems.iter().skip(1)).collect(),
        _ => tuple.elems.iter().collect(),
    }
}

impl VisitMut for Shorten {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !["allow", "expect", "doc"].iter().any(|name| attribute.path().is_ident(name)));
        for attribute in attributes {
            self.visit_attribute_mut(attribute);
        }
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        shorten(path);
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_expr_path_mut(&mut self, expression: &mut ExprPath) {
        let before = shorten(&mut expression.path);
        if let Some(of_trait) = &mut expression.qself {
            of_trait.position -= before;
        }
        visit_mut::visit_expr_path_mut(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "mod kernels { #[allow(unused)] fn f() { fn __f__avx2(_: Proof) {} } \
                        fn g() {} impl<T> Gf<T> { fn square() {} fn __square__avx2() {} fn other() {} } const N: u8 = 1; }";

    #[test]
    fn functions_and_their_clones_are_found() {
        for (wanted, kept, gone) in [
            ("f", vec!["mod kernels {", "fn f()", "fn __f__avx2(_: Proof)"], vec!["fn g", "impl", "allow", "const N"]),
            ("Gf::square", vec!["impl<T> Gf<T>", "fn square", "__square__avx2"], vec!["other", "fn f"]),
            ("app::kernels::g", vec!["fn g"], vec!["fn f"]),
            (
                "Gf",
                vec!["mod kernels {", "impl<T> Gf<T>", "fn square", "__square__avx2", "fn other"],
                vec!["fn f", "fn g"],
            ),
            ("kernels::Gf", vec!["impl<T> Gf<T>", "fn other"], vec!["fn f"]),
            ("kernels", vec!["fn f", "fn g", "fn other", "const N"], vec![]),
        ] {
            let shown = show(TEXT, wanted, Some(&Configuration::new(""))).unwrap();
            assert!(kept.iter().all(|text| shown.contains(text)), "{shown}");
            assert!(!gone.iter().any(|text| shown.contains(text)), "{shown}");
        }
        for wanted in ["h", "others::g", "Other::square", "__f__avx2", "others::Gf", "kernel"] {
            assert_eq!(show(TEXT, wanted, Some(&Configuration::new(""))), None, "{wanted}");
        }
        let exact = show(TEXT, "", None).unwrap();
        assert!(exact.contains("fn __f__avx2") && exact.contains("allow(unused)"), "{exact}");
    }

    #[test]
    fn paths_are_short_and_lists_are_flat() {
        let text = "fn f(_: ::a::__private::Proof) -> (u8, ()) { b::__private::none::<(b::__private::A, ((C, D), (E, ())))>(); \
                    b::__private::one::<((A, B), C)>(); <(C, D) as b::__private::StaticTarget>::SET; g::<(A, (B, C))>() }";
        let shown = show(text, "", Some(&Configuration::new(""))).unwrap();
        let expected = "fn f(_: Proof) -> (u8, ()) {\n    none::<(A, (C, D), E)>();\n    one::<(A, B, C)>();\n    <(C, D) as StaticTarget>::SET;\n    g::<(A, (B, C))>()\n}\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn names_are_those_of_functions() {
        let names: Vec<String> = names(TEXT).into_iter().collect();
        assert_eq!(names, ["kernels::Gf::other", "kernels::Gf::square", "kernels::f", "kernels::g"]);
    }
}
