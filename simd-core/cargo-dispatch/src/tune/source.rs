//! The functions of a source file: where they are, and the text with attributes on some of them.

use core::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use proc_macro2::{Delimiter, TokenTree};
use simd_core_expand::Unclonable;
use syn::spanned::Spanned as _;
use syn::{Attribute, Block, ImplItem, Item, Signature, TraitItem, Visibility};

/// A source file, with paths from the workspace's root.
pub(crate) struct Source {
    pub(crate) file: PathBuf,
    pub(super) text: String,
    pub(super) functions: Vec<Function>,
    /// Definitions and calls of macros between items: functions that they make have no place of their own.
    macros: Vec<(String, RangeInclusive<usize>)>,
    /// The first item that a `cfg(target_feature)` selects, outside of functions.
    pub(super) selected: Option<usize>,
}

/// A function that is an item of a module, an impl or a trait, with all that is nested in it.
pub(crate) struct Function {
    /// Within the file: `module::Type::name`.
    pub(crate) path: String,
    pub(super) lines: RangeInclusive<usize>,
    /// Why the attribute cannot be on it.
    pub(crate) refused: Option<&'static str>,
    /// In the definition or a call of a macro, where only the compiler knows what the tokens become.
    pub(super) is_in_macro: bool,
    /// Where the attribute goes.
    at: usize,
}

impl Source {
    pub(super) fn new(file: PathBuf, text: String) -> Result<Self> {
        // The parser skips both, and counts from behind them.
        let mut parsed = match text.strip_prefix('\u{feff}') {
            Some(rest) => format!("   {rest}"),
            None => text.clone(),
        };
        if parsed.starts_with("#!") && !parsed.starts_with("#![") {
            let end = parsed.find('\n').unwrap_or(parsed.len());
            parsed.replace_range(..end, &" ".repeat(end));
        }
        let parsed = syn::parse_str::<syn::File>(&parsed).with_context(|| file.display().to_string())?;
        let mut source = Self { file, text, functions: Vec::new(), macros: Vec::new(), selected: None };
        if !is_left_out(&parsed.attrs) {
            source.items(&parsed.items, "");
        }
        Ok(source)
    }

    /// How a function is named in the records of a run.
    pub(crate) fn key(&self, function: &Function) -> String {
        format!("{}:{}", self.file.display(), function.lines.start())
    }

    pub(crate) fn function_at(&self, line: usize) -> Option<&Function> {
        self.functions.iter().find(|function| function.lines.contains(&line))
    }

    /// The macro whose definition or call has this line.
    pub(super) fn macro_at(&self, line: usize) -> Option<&str> {
        self.macros.iter().find(|(_, lines)| lines.contains(&line)).map(|(name, _)| name.as_str())
    }

    /// The text with the attributes, each for a function that begins at a line. On lines of their own they are for readers, and
    /// otherwise all lines keep their numbers.
    pub(super) fn annotated(&self, lists: &[(usize, &str)], own_lines: bool, library: &str) -> String {
        let mut places: Vec<(usize, &str)> = Vec::new();
        for (line, list) in lists {
            places.extend(self.functions.iter().find(|one| one.lines.start() == line).map(|one| (one.at, *list)));
        }
        places.sort_unstable();
        places.dedup();
        let mut text = self.text.clone();
        for (at, list) in places.into_iter().rev() {
            let renamed = if library == "simd_core" { String::new() } else { format!(", crate = {library}") };
            let attribute = format!("#[{library}::dispatch(targets = \"{list}\"{renamed})]");
            let line = &self.text[self.text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
            let indent = line.trim().is_empty() && own_lines;
            let end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
            let behind = if indent { format!("{end}{line}") } else { " ".to_owned() };
            text.insert_str(at, &(attribute + &behind));
        }
        text
    }

    fn items(&mut self, items: &[Item], path: &str) {
        for item in items {
            if self.selected.is_none() && is_selected(attrs_of(item)) {
                self.selected = Some(item.span().start().line);
            }
            match item {
                Item::Fn(item) => self.function(path, &item.attrs, Some(&item.vis), &item.sig, Some(&item.block)),
                Item::Impl(item) if !is_left_out(&item.attrs) => {
                    let owner = match &*item.self_ty {
                        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
                        _ => None,
                    };
                    let path = joined(path, owner.as_deref().unwrap_or("impl"));
                    for item in &item.items {
                        match item {
                            ImplItem::Fn(item) => {
                                self.function(&path, &item.attrs, Some(&item.vis), &item.sig, Some(&item.block));
                            }
                            ImplItem::Macro(item) => self.macro_(&item.mac, None, item.span()),
                            _ => {}
                        }
                    }
                }
                Item::Trait(item) if !is_left_out(&item.attrs) => {
                    let path = joined(path, &item.ident.to_string());
                    for item in &item.items {
                        match item {
                            TraitItem::Fn(item) => {
                                self.function(&path, &item.attrs, None, &item.sig, item.default.as_ref());
                            }
                            TraitItem::Macro(item) => self.macro_(&item.mac, None, item.span()),
                            _ => {}
                        }
                    }
                }
                Item::Mod(item) if !is_left_out(&item.attrs) => {
                    if let Some((_, items)) = &item.content {
                        self.items(items, &joined(path, &item.ident.to_string()));
                    }
                }
                Item::Macro(item) => self.macro_(&item.mac, item.ident.as_ref(), item.span()),
                _ => {}
            }
        }
    }

    fn macro_(&mut self, call: &syn::Macro, name: Option<&syn::Ident>, span: proc_macro2::Span) {
        let name = name.or_else(|| call.path.segments.last().map(|last| &last.ident));
        let name = name.map(ToString::to_string).unwrap_or_default();
        let tokens: Vec<TokenTree> = call.tokens.clone().into_iter().collect();
        if call.path.is_ident("macro_rules") {
            // A macro emits what is behind each `=>`.
            let arrows = tokens.windows(3).filter(|three| is_punct(&three[0], '=') && is_punct(&three[1], '>'));
            arrows.for_each(|three| self.tokens(core::slice::from_ref(&three[2]), &name));
        } else {
            self.tokens(&tokens, &name);
        }
        self.macros.push((name, span.start().line..=span.end().line));
    }

    /// The functions in the tokens of a macro.
    fn tokens(&mut self, tokens: &[TokenTree], name: &str) {
        let mut behind = 0;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                _ if at < behind => {}
                TokenTree::Group(group) => self.tokens(&group.stream().into_iter().collect::<Vec<_>>(), name),
                TokenTree::Ident(word) if word == "fn" => {
                    let is_end = |token: &TokenTree| is_punct(token, ';') || is_block(token);
                    let end = tokens[at..].iter().position(is_end).map(|length| at + length);
                    if let Some(end) = end.filter(|end| is_block(&tokens[*end])) {
                        self.functions.extend(in_macro(tokens, at, end, name));
                        behind = end + 1;
                    }
                }
                _ => {}
            }
        }
    }

    fn function(
        &mut self,
        path: &str,
        attrs: &[Attribute],
        vis: Option<&Visibility>,
        sig: &Signature,
        body: Option<&Block>,
    ) {
        let Some(body) = body.filter(|_| !is_left_out(attrs)) else { return };
        let start = match vis {
            Some(vis) if !matches!(vis, Visibility::Inherited) => vis.span(),
            _ => sig.span(),
        };
        self.functions.push(Function {
            path: joined(path, &sig.ident.to_string()),
            lines: start.start().line..=body.span().end().line,
            refused: refused(attrs, sig),
            is_in_macro: false,
            at: start.byte_range().start,
        });
    }
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// A function whose `fn` stands at one place, and its body at another.
fn in_macro(tokens: &[TokenTree], at: usize, end: usize, name: &str) -> Option<Function> {
    let own = match tokens.get(at + 1..at + 3)? {
        [TokenTree::Ident(own), _] => own.to_string(),
        [dollar, TokenTree::Ident(own)] if is_punct(dollar, '$') => format!("${own}"),
        // A type of pointers to functions.
        _ => return None,
    };
    // Back over `pub(crate) unsafe extern "C"` and `$vis`.
    let is_word = |token: &TokenTree| {
        let words = ["pub", "const", "async", "unsafe", "extern", "safe"];
        matches!(token, TokenTree::Ident(word) if words.contains(&word.to_string().as_str()))
    };
    let mut start = at;
    loop {
        start = match &tokens[..start] {
            [.., dollar, TokenTree::Ident(_)] if is_punct(dollar, '$') => start - 2,
            [.., word, TokenTree::Group(_)] if is_word(word) => start - 2,
            [.., word, TokenTree::Literal(_)] if is_word(word) => start - 2,
            [.., word] if is_word(word) => start - 1,
            _ => break,
        };
    }
    let has = |word: &str| tokens[start..end].iter().any(|token| matches!(token, TokenTree::Ident(one) if one == word));
    // Attributes stand before it.
    let mut attributes = String::new();
    let mut before = start;
    while let [.., hash, TokenTree::Group(group)] = &tokens[..before] {
        if !is_punct(hash, '#') {
            break;
        }
        attributes += &group.stream().to_string();
        before -= 2;
    }
    if attributes.contains("dispatch") || attributes.contains("test") {
        return None;
    }
    Some(Function {
        path: format!("{name}!::{own}"),
        lines: tokens[start].span().start().line..=tokens[end].span().end().line,
        refused: if has("const") {
            Some(Unclonable::Const.why())
        } else if attributes.contains("target_feature") {
            Some(Unclonable::HasFeatures.why())
        } else {
            None
        },
        is_in_macro: true,
        at: tokens[start].span().byte_range().start,
    })
}

pub(crate) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

/// Whether an item is compiled only for tests, or has clones already.
fn is_left_out(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let name = attr.path().segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let is_for_tests = name == "cfg"
            && attr
                .meta
                .require_list()
                .is_ok_and(|list| list.path.is_ident("cfg") && list.tokens.to_string() == "test");
        is_for_tests || ["test", "bench", "dispatch"].contains(&name.as_str())
    })
}

/// Whether a `cfg` asks for a feature, which has the build's value outside of an annotated module.
fn is_selected(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        attr.path().is_ident("cfg")
            && attr.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("target_feature"))
    })
}

fn attrs_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Why the function gets no attribute, as far as that is seen from here; the compiler says the rest.
fn refused(attrs: &[Attribute], sig: &Signature) -> Option<&'static str> {
    let is_macro =
        |attr: &Attribute| attr.path().get_ident().is_some_and(|name| name.to_string().starts_with("proc_macro"));
    match Unclonable::of(attrs, sig) {
        Some(why) => Some(why.why()),
        None if sig.ident == "main" => Some("it is `main`"),
        None if attrs.iter().any(is_macro) => Some("it is a macro"),
        None => None,
    }
}

#[cfg(test)]
mod tests;
