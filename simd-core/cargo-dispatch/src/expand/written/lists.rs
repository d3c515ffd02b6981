//! The meaning of names of lists of targets in a crate.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Ident, Item, Path, Token, UseTree, Visibility};

#[derive(Default)]
pub(super) struct Names {
    /// The value of each list, by the module and its name.
    lists: HashMap<Vec<String>, TokenStream>,
    /// The imports of each module: the name, and the path. A name `*` is that of a glob.
    imports: HashMap<Vec<String>, Vec<(String, Vec<String>)>>,
}

impl Names {
    /// Adds what the `items` of the module at `path` declare.
    pub(super) fn add(&mut self, path: &[String], items: &[Item]) {
        for item in items {
            match item {
                Item::Macro(item) if item.mac.path.segments.last().is_some_and(|last| last.ident == "target_list") => {
                    if let Some((name, value)) = declaration(item.mac.tokens.clone()) {
                        self.lists.insert([path, &[name]].concat(), value);
                    }
                }
                Item::Use(item) => {
                    let imports = self.imports.entry(path.to_vec()).or_default();
                    imported(&item.tree, &mut Vec::new(), imports);
                }
                _ => {}
            }
        }
    }

    /// The targets of the list at `path`, as it is written in `module`.
    pub(super) fn list(&self, module: &[String], path: &Path) -> Result<Vec<Literal>, String> {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let missing = || {
            format!(
                "`{}` is no list of this crate that the command can find: it follows modules and imports, not macros and other \
                 crates\nhelp: declare the list in this crate, or write the targets here",
                words.join("::")
            )
        };
        if path.leading_colon.is_some() {
            return Err(missing());
        }
        let (place, value) = self.find(module, &words, 16).ok_or_else(missing)?;
        let mut literals = Vec::new();
        for element in elements(value.clone()) {
            match &element[..] {
                [TokenTree::Literal(literal)] => literals.push(literal.clone()),
                tokens => {
                    let path = Path::parse_mod_style.parse2(tokens.iter().cloned().collect());
                    literals.extend(self.list(&place, &path.map_err(|_| missing())?)?);
                }
            }
        }
        Ok(literals)
    }

    /// The module of the list that `words` name in `module`, and its value.
    fn find(&self, module: &[String], words: &[String], depth: usize) -> Option<(Vec<String>, &TokenStream)> {
        let depth = depth.checked_sub(1)?;
        let (first, rest) = words.split_first()?;
        match first.as_str() {
            "crate" => return self.in_module(&[], rest, depth),
            "self" => return self.in_module(module, rest, depth),
            "super" => return self.find(module.split_last()?.1, rest, depth),
            _ => {}
        }
        self.in_module(module, words, depth)
    }

    /// The same for names of `module` itself.
    fn in_module(&self, module: &[String], words: &[String], depth: usize) -> Option<(Vec<String>, &TokenStream)> {
        if words.first().is_some_and(|first| first == "super") {
            return self.find(module, words, depth);
        }
        let full = [module, words].concat();
        if let Some(value) = self.lists.get(&full) {
            return Some((full[..full.len() - 1].to_vec(), value));
        }
        // Of a path the longest part that is a module may import the next name.
        for length in (0..words.len()).rev() {
            let (modules, rest) = words.split_at(length);
            let place = [module, modules].concat();
            let Some(imports) = self.imports.get(&place) else { continue };
            for (name, path) in imports {
                let target = if *name == rest[0] {
                    [path, &rest[1..]].concat()
                } else if name == "*" {
                    [path, rest].concat()
                } else {
                    continue;
                };
                if let Some(found) = self.find(&place, &target, depth) {
                    return Some(found);
                }
            }
        }
        None
    }
}

fn declaration(tokens: TokenStream) -> Option<(String, TokenStream)> {
    let parser = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok((name.to_string(), input.parse()?))
    };
    parser.parse2(tokens).ok()
}

/// The elements of a list: a string, a path, or several in brackets.
fn elements(value: TokenStream) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = value.into_iter().filter(|token| token.to_string() != ";").collect();
    let tokens = match &tokens[..] {
        [TokenTree::Group(group)] => group.stream().into_iter().collect(),
        _ => tokens,
    };
    let elements = tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
    elements.filter(|element| !element.is_empty()).map(<[TokenTree]>::to_vec).collect()
}

fn imported(tree: &UseTree, path: &mut Vec<String>, out: &mut Vec<(String, Vec<String>)>) {
    let full = |path: &[String], name: &Ident| [path, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            imported(&tree.tree, path, out);
            path.pop();
        }
        UseTree::Name(tree) if tree.ident == "self" => {
            out.extend(path.last().map(|last| (last.clone(), path.clone())));
        }
        UseTree::Name(tree) => out.push((tree.ident.to_string(), full(path, &tree.ident))),
        UseTree::Rename(tree) => out.push((tree.rename.to_token_stream().to_string(), full(path, &tree.ident))),
        UseTree::Glob(_) => out.push(("*".to_owned(), path.clone())),
        UseTree::Group(tree) => tree.items.iter().for_each(|tree| imported(tree, path, out)),
    }
}
