//! A source, written out.

use core::fmt::Display;
use core::ops::Range;
use std::fs;
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use simd_core_expand::written as expand;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut as _;
use syn::{Attribute, ImplItem, Item, ItemMod, ItemUse, Macro, TraitItem, parse_quote};

use super::comments::{Comments, Gaps, attrs_mut, attrs_of_member};
use super::imports::{MACROS, Prune, pruned};
use super::tree::{Module, behind_inner, blanked, line, paths};
use super::{HEAD, REASONS, format};

/// A module of the file that has, or may get, the import of our names.
struct Scope {
    /// Where the import goes.
    at: usize,
    used: bool,
    /// The file's own, before its path in the crate.
    is_root: bool,
    indent: String,
    /// Its functions with clones use the import on every architecture.
    always: bool,
}

struct Writer<'a> {
    module: &'a Module,
    text: &'a str,
    gaps: &'a Gaps<'a>,
    /// The path of simd-core, in text without spaces.
    krate: String,
    /// The name of the module with ours.
    name: Ident,
    /// The current module's names in the crate.
    path: Vec<String>,
    scopes: Vec<Scope>,
    done: Vec<Scope>,
    edits: Vec<(Range<usize>, String)>,
    /// Names behind ours.
    names: Vec<String>,
    /// Functions for the module with ours.
    functions: Vec<String>,
    /// The macros that the file imports: the name, and simd-core's.
    imported: Vec<(String, String)>,
    /// Other names of the attribute.
    renamed: Vec<String>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

pub(super) fn written(module: &Module) -> Result<(String, Vec<String>), Vec<String>> {
    let place = module.source.display();
    let text = fs::read_to_string(&module.source).map_err(|error| vec![format!("error: {place}: {error}")])?;
    let text = text.replace("\r\n", "\n");
    let fails = |error: &dyn Display| vec![format!("error: {place}: {error}")];
    let tokens: TokenStream = blanked(&text).parse().map_err(|error| fails(&error))?;
    let file: syn::File = syn::parse2(tokens.clone()).map_err(|error| {
        let at = error.span().start();
        vec![format!("error: {place}:{}:{}: {error}", at.line, at.column + 1)]
    })?;
    let krate = path_of_crate(&file)?.unwrap_or_else(|| module.krate.clone());
    let taken = words(&tokens);
    let name = ["cpu", "simd_cpu", "written_cpu"].into_iter().find(|name| !taken.iter().any(|word| word == name));
    let gaps = Gaps::new(&text, tokens);
    let start = text.strip_prefix('\u{feff}').map_or(0, |_| 3);
    let mut writer = Writer {
        module,
        text: &text,
        gaps: &gaps,
        krate,
        name: Ident::new(name.unwrap_or("__cpu"), Span::call_site()),
        path: module.path.clone(),
        scopes: Vec::new(),
        done: Vec::new(),
        edits: Vec::new(),
        names: Vec::new(),
        functions: Vec::new(),
        imported: Vec::new(),
        renamed: Vec::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    writer.imports(&file.items);
    let at = behind_inner(&file.attrs).unwrap_or(start);
    writer.scopes.push(Scope { at, used: false, is_root: true, indent: String::new(), always: false });
    writer.visit_file(&file);
    writer.finish()
}

/// The path of simd-core in the attributes' option, if it has one.
fn path_of_crate(file: &syn::File) -> Result<Option<String>, Vec<String>> {
    struct Options(Vec<String>);
    impl Visit<'_> for Options {
        fn visit_attribute(&mut self, attr: &Attribute) {
            let Some((args, _)) = expand::arguments(attr, &[]) else { return };
            let tokens: Vec<TokenTree> = args.into_iter().collect();
            for (at, token) in tokens.iter().enumerate() {
                if token.to_string() == "crate" && tokens.get(at + 1).is_some_and(|next| next.to_string() == "=") {
                    let path: TokenStream =
                        tokens[at + 2..].iter().take_while(|token| token.to_string() != ",").cloned().collect();
                    let path = path.to_string().replace(' ', "");
                    if !self.0.contains(&path) {
                        self.0.push(path);
                    }
                }
            }
        }
    }
    let mut options = Options(Vec::new());
    options.visit_file(file);
    match &options.0[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.trim_start_matches("::").to_owned())),
        [one, other, ..] => Err(vec![format!(
            "error: the attributes of one file name simd-core `{one}` and `{other}`: write one of them"
        )]),
    }
}

fn words(tokens: &TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => words.extend(self::words(&group.stream())),
            _ => {}
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

impl Writer<'_> {
    fn imports(&mut self, items: &[Item]) {
        struct Imports<'a>(&'a str, Vec<(String, String)>);
        impl Visit<'_> for Imports<'_> {
            fn visit_item_use(&mut self, item: &ItemUse) {
                self.1.extend(pruned(item, self.0, &[]).map_or_else(Vec::new, |pruned| pruned.macros));
            }
        }
        let mut imports = Imports(&self.krate, Vec::new());
        for item in items {
            imports.visit_item(item);
        }
        self.imported = imports.1;
        let attributes = self.imported.iter().filter(|(name, own)| own == "dispatch" && name != own);
        self.renamed = attributes.map(|(name, _)| name.clone()).collect();
    }

    fn error(&mut self, span: Span, text: &str) {
        let place = span.start();
        let message = format!("error: {}:{}:{}: {text}", self.module.source.display(), place.line, place.column + 1);
        if !self.errors.contains(&message) {
            self.errors.push(message);
        }
    }

    /// The tokens of an expansion, with what it says noted.
    fn take(&mut self, written: expand::Written) -> TokenStream {
        for message in written.messages {
            if message.is_error {
                self.error(message.span, &message.text);
            } else {
                let place = message.span.start();
                let source = self.module.source.display();
                self.warnings.push(format!("warning: {source}:{}:{}: {}", place.line, place.column + 1, message.text));
            }
        }
        let tokens = self.without_calls(written.tokens);
        self.placed(tokens)
    }

    /// `tokens` with the file's name for ours, and their names noted.
    fn placed(&mut self, tokens: TokenStream) -> TokenStream {
        let mut names = Vec::new();
        expand::names(&tokens, &mut names);
        if !names.is_empty() {
            let always = names.iter().any(|name| name == "Proof");
            if let Some(last) = self.scopes.last_mut() {
                last.always |= always;
            }
            // A nested module imports ours from the one around it.
            self.scopes.iter_mut().for_each(|scope| scope.used = true);
        }
        self.names.extend(names);
        expand::placed(tokens, &self.name)
    }

    fn lists(&self) -> impl Fn(&syn::Path) -> Result<Vec<proc_macro2::Literal>, String> + 'static {
        let (names, path) = (Rc::clone(&self.module.names), self.path.clone());
        move |list| names.list(&path, list)
    }

    /// Simd-core's own name of the macro at `path`.
    fn own_macro(&self, path: &str) -> Option<String> {
        let path = path.replace(' ', "");
        let path = path.trim_start_matches("::");
        if let Some(name) = path.strip_prefix(&self.krate).and_then(|rest| rest.strip_prefix("::")) {
            return MACROS.contains(&name).then(|| name.to_owned());
        }
        self.imported.iter().find(|(name, _)| name == path).map(|(_, own)| own.clone())
    }

    /// `tokens` with the expansion of each call of a macro of simd-core, also among the arguments of others.
    fn without_calls(&mut self, tokens: TokenStream) -> TokenStream {
        let mut out: Vec<TokenTree> = Vec::new();
        for token in tokens {
            let TokenTree::Group(group) = &token else {
                out.push(token);
                continue;
            };
            let called = called(&out).and_then(|(start, path)| Some((start, self.own_macro(&path)?)));
            let Some((start, name)) = called else {
                let content = self.without_calls(group.stream());
                let mut group = proc_macro2::Group::new(group.delimiter(), content);
                group.set_span(token.span());
                out.push(group.into());
                continue;
            };
            let krate = self.krate_tokens();
            let lists = self.lists();
            if holds_fragment(&group.stream()) {
                let text = format!(
                    "`{name}!` with a fragment of a macro cannot be written out\nhelp: test the features with `cfg`, or call it outside of the macro's definition"
                );
                self.error(group.span(), &text);
                continue;
            }
            let Some(call) = expand::call(&name, &krate, group.stream(), &lists) else {
                out.push(token);
                continue;
            };
            for message in &call.messages {
                self.error(message.span, &message.text);
            }
            out.truncate(start);
            self.functions.extend(call.function.map(|function| expand::placed(function, &self.name).to_string()));
            out.extend(self.without_calls(call.tokens));
        }
        out.into_iter().collect()
    }

    fn krate_tokens(&self) -> TokenStream {
        let path = match self.krate.split("::").next() {
            Some("crate" | "self" | "super") => self.krate.clone(),
            _ => format!("::{}", self.krate),
        };
        path.parse().unwrap_or_default()
    }

    fn indent(&self, start: usize) -> &str {
        let line = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let before = &self.text[line..start];
        &before[..before.len() - before.trim_start().len()]
    }

    fn edit(&mut self, range: Range<usize>, text: &str) {
        let text = format::indented(text, self.indent(range.start));
        self.edits.push((range, text));
    }

    /// Writes an annotated item out: its `attrs` and tokens, which `format` formats. Without the attribute, none.
    fn annotated(
        &mut self,
        span: Span,
        attrs: &[Attribute],
        mark: &mut dyn FnMut(usize, &mut Comments<'_>) -> (TokenStream, TokenStream),
        format: &dyn Fn(TokenStream) -> syn::Result<String>,
        add: &dyn Fn(TokenStream, &[Attribute]) -> syn::Result<TokenStream>,
    ) -> bool {
        let found = attrs.iter().enumerate().find_map(|(at, attr)| Some((at, expand::arguments(attr, &self.renamed)?)));
        let Some((at, (args, predicate))) = found else { return false };
        let attr = &attrs[at];
        let several = attr.path().is_ident("cfg_attr") && {
            let tokens: Vec<TokenTree> =
                attr.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default().into_iter().collect();
            tokens.iter().filter(|token| token.to_string() == ",").count() > 1
        };
        if several {
            self.error(attr.span(), "a `cfg_attr` with `dispatch` and other attributes cannot be written out\nhelp: write `dispatch` in one of its own");
        }
        let mut comments = Comments::new(self.gaps);
        let (plain, item) = mark(at, &mut comments);
        let cfgs: Vec<Attribute> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect();
        let lists = self.lists();
        let expansion = expand::dispatch(expand::awake(args), expand::awake(item), &self.renamed, &lists);
        let expansion = self.take(expansion);
        let mut own = cfgs.clone();
        let mut otherwise = None;
        if let Some(predicate) = predicate.filter(|predicate| !expand::is_false(predicate)) {
            own.push(parse_quote!(#[cfg(#predicate)]));
            otherwise = Some(quote!(#[cfg(not(#predicate))] #plain));
        }
        // What is awaited stands in parentheses.
        let awaits = words(&expansion).binary_search(&"await".to_owned()).is_ok();
        let awaits = awaits.then(|| quote!(unused_parens, clippy::blocks_in_conditions, clippy::match_single_binding,));
        let allowed = attrs.iter().any(|attr| attr.to_token_stream().to_string().contains("non_snake_case"));
        if !allowed || awaits.is_some() {
            let names = (!allowed).then(|| quote!(non_snake_case,));
            own.push(parse_quote!(#[allow(#names #awaits reason = "a clone is called `__function__target`")]));
        }
        let text = add(expansion, &own).and_then(|tokens| format(quote!(#tokens #otherwise)));
        match text {
            Ok(text) => {
                let text = comments.put_back(&text);
                self.edit(span.byte_range(), &text);
            }
            Err(error) => {
                if self.errors.is_empty() {
                    self.error(span, &format!("the expansion cannot be formatted: {error}"));
                }
            }
        }
        true
    }

    fn member(&mut self, span: Span, attrs: &[Attribute], item: &ImplItem) -> bool {
        let (krate, known) = (self.krate.clone(), self.imported.clone());
        let mut mark = |at: usize, comments: &mut Comments<'_>| {
            let mut item = item.clone();
            let length = attrs.len();
            Prune { krate: &krate, known: &known }.visit_impl_item_mut(&mut item);
            comments.mark_impl_item(&mut item, false);
            if let Some(attrs) = attrs_of_member(&mut item) {
                // A mark is the first one.
                attrs.remove(at + attrs.len() - length);
            }
            let plain = item.to_token_stream();
            if let ImplItem::Fn(item) = &mut item {
                item.attrs.retain(|attr| !attr.path().is_ident("cfg"));
            }
            (plain, item.to_token_stream())
        };
        self.annotated(span, attrs, &mut mark, &|tokens| format::members(&tokens), &|tokens, attrs| {
            with_attrs_on_members(&tokens, attrs)
        })
    }

    /// The expansion of a macro in the place of an item; false for other macros.
    fn item_call(&mut self, span: Span, mac: &Macro) -> bool {
        let path = &mac.path;
        let Some(name) = self.own_macro(&quote!(#path).to_string()) else { return false };
        let (krate, lists) = (self.krate_tokens(), self.lists());
        let Some(call) = expand::call(&name, &krate, mac.tokens.clone(), &lists) else { return false };
        let tokens = self.take(call);
        match format::items(tokens) {
            Ok(text) => self.edit(span.byte_range(), &text),
            Err(error) => self.error(span, &error.to_string()),
        }
        true
    }

    fn finish(mut self) -> Result<(String, Vec<String>), Vec<String>> {
        let source = self.module.source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if self.edits.is_empty() && self.errors.is_empty() {
            let attribute = "#[cfg_attr(false, dispatch(targets = \"…\"))]";
            self.errors.push(format!(
                "error: {}: nothing is to be written out\nhelp: write {attribute}",
                self.module.source.display()
            ));
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.names.sort();
        self.names.dedup();
        let aliases: Vec<TokenStream> = self.names.iter().filter_map(|name| expand::alias(name)).collect();
        let (name, krate) = (self.name.clone(), self.krate_tokens());
        self.functions.sort();
        self.functions.dedup();
        let functions: Vec<TokenStream> = self.functions.iter().filter_map(|function| function.parse().ok()).collect();
        self.done.append(&mut self.scopes);
        let documented = quote!(#![allow(clippy::undocumented_unsafe_blocks, reason = "the head has the reasons")]);
        for scope in self.done.iter().filter(|scope| scope.used) {
            let allow = (!scope.always)
                .then(|| quote!(#[allow(unused_imports, reason = "some architectures use no name of it")]));
            let tokens = match (scope.is_root, aliases.is_empty() && functions.is_empty()) {
                (false, _) => quote!(#allow use super::#name;),
                (true, true) => quote!(#documented #allow use #krate::expanded::v1 as #name;),
                (true, false) => quote! {
                    #documented
                    mod #name {
                        #![allow(dead_code, non_camel_case_types, reason = "targets of several features, which a build may leave out")]
                        #[allow(unused_imports, reason = "some architectures have none of these")]
                        pub(super) use #krate::expanded::v1::*;
                        #(#aliases)*
                        #(#functions)*
                    }
                },
            };
            let text = format::items(tokens).unwrap_or_default();
            let text = format::indented(&text, &scope.indent);
            let line = if scope.at == 0 { "" } else { "\n" };
            let text = format!("{line}{}{text}\n", if scope.is_root { "\n" } else { &scope.indent });
            self.edits.push((scope.at..scope.at, text));
        }
        // Edits in one place stand in the order in which they were made.
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = self.text.to_owned();
        for (range, new) in self.edits.iter().rev() {
            text.replace_range(range.clone(), new);
        }
        let text = text.trim_start_matches('\u{feff}');
        let version = env!("CARGO_PKG_VERSION");
        let head = format!(
            "{HEAD}{version} from `{source}`, to be made again by `cargo dispatch expand --write`.\n//\n{REASONS}\n"
        );
        Ok((format::formatted(&format!("{head}{text}"), self.module), self.warnings))
    }
}

/// Whether `tokens` contain a `$`, as the definition of a macro does.
fn holds_fragment(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => holds_fragment(&group.stream()),
        token => token.to_string() == "$",
    })
}

/// The path that ends `before` with a `!`, and where it starts.
fn called(before: &[TokenTree]) -> Option<(usize, String)> {
    let [path @ .., bang] = before else { return None };
    if bang.to_string() != "!" {
        return None;
    }
    let mut start = path.len();
    let mut word = true;
    while start > 0 {
        match &path[start - 1] {
            TokenTree::Ident(_) if word => word = false,
            TokenTree::Punct(punct) if punct.as_char() == ':' => word = true,
            _ => break,
        }
        start -= 1;
    }
    let path: TokenStream = path[start..].iter().cloned().collect();
    (!path.is_empty()).then(|| (start, path.to_string()))
}

/// `tokens`, items, each behind `attrs`.
fn with_attrs(tokens: TokenStream, attrs: &[Attribute]) -> syn::Result<TokenStream> {
    if attrs.is_empty() {
        return Ok(tokens);
    }
    let mut file: syn::File = syn::parse2(tokens)?;
    for item in &mut file.items {
        let mut attrs = attrs.to_vec();
        if matches!(item, Item::Const(item) if item.ident != "_") {
            attrs.retain(|attr| !attr.path().is_ident("allow"));
        }
        if let Some(own) = attrs_mut(item) {
            add_attrs(own, &attrs);
        }
    }
    Ok(file.to_token_stream())
}

/// The same for members of an impl.
fn with_attrs_on_members(tokens: &TokenStream, attrs: &[Attribute]) -> syn::Result<TokenStream> {
    let around: syn::ItemImpl = syn::parse2(quote!(impl X { #tokens }))?;
    let mut items = around.items;
    for item in &mut items {
        if let ImplItem::Fn(item) = item {
            add_attrs(&mut item.attrs, attrs);
        }
    }
    Ok(quote!(#(#items)*))
}

/// Adds `attrs` behind the documentation.
fn add_attrs(own: &mut Vec<Attribute>, attrs: &[Attribute]) {
    // Clippy wants both on one side.
    if let Some(style) = own.last().map(|last| last.style).filter(|style| matches!(style, syn::AttrStyle::Inner(_))) {
        let inner = attrs.iter().cloned().map(|attr| {
            let is_lint = attr.path().is_ident("allow");
            if is_lint { Attribute { style, ..attr } } else { attr }
        });
        own.splice(0..0, inner);
        return;
    }
    let at = own.iter().rposition(|attr| attr.path().is_ident("doc")).map_or(0, |at| at + 1);
    own.splice(at..at, attrs.iter().cloned());
}

impl Visit<'_> for Writer<'_> {
    fn visit_item(&mut self, item: &Item) {
        let attrs = attrs_mut(&mut item.clone()).map(core::mem::take).unwrap_or_default();
        let (krate, known) = (self.krate.clone(), self.imported.clone());
        let mut mark = |at: usize, comments: &mut Comments<'_>| {
            let mut item = item.clone();
            comments.mark_item(&mut item);
            Prune { krate: &krate, known: &known }.visit_item_mut(&mut item);
            if let Some(own) = attrs_mut(&mut item) {
                // A mark is the first one.
                own.remove(at + own.len() - attrs.len());
            }
            let plain = item.to_token_stream();
            if let Some(attrs) = attrs_mut(&mut item) {
                attrs.retain(|attr| !attr.path().is_ident("cfg"));
            }
            (plain, item.to_token_stream())
        };
        if self.annotated(item.span(), &attrs, &mut mark, &format::items, &with_attrs) {
            return;
        }
        match item {
            Item::Use(item) => {
                if let Some(pruned) = pruned(item, &self.krate, &self.imported) {
                    let left = pruned.left.map(|item| item.to_token_stream().to_string()).unwrap_or_default();
                    self.edit(item.span().byte_range(), &left);
                }
            }
            Item::Macro(item) => {
                if item.ident.is_some() || !self.item_call(item.span(), &item.mac) {
                    let name = item
                        .ident
                        .as_ref()
                        .map_or_else(|| item.mac.path.to_token_stream().to_string(), ToString::to_string);
                    self.macro_(&item.mac, &name);
                }
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_item_mod(&mut self, module: &ItemMod) {
        let Some((braces, items)) = &module.content else {
            // A file with a path of its own looks for modules in its directory.
            if let Some(children) = &self.module.children
                && paths(&module.attrs).next().is_none()
            {
                if self.scopes.len() > 1 {
                    self.error(
                        module.span(),
                        "a file of a module in an inline module cannot be named in a written file\nhelp: give it a `path`, or name the source `mod.rs`",
                    );
                }
                let name = module.ident.to_string();
                let name = name.trim_start_matches("r#");
                let directory = children.file_name().unwrap_or_default().to_string_lossy();
                let alone = children.join(name).with_extension("rs").exists();
                let file = if alone { format!("{name}.rs") } else { format!("{name}/mod.rs") };
                let start = module.span().byte_range().start;
                let text = format!("#[path = \"{directory}/{file}\"]\n{}", self.indent(start));
                self.edits.push((start..start, text));
            }
            if self.module.children.is_some()
                && paths(&module.attrs).next().is_some()
                && self.scopes.len() > 1
                && line(module).is_none()
            {
                self.error(module.span(), "a `path` in an inline module means another file in a written one");
            }
            return;
        };
        let start = braces.span.open().byte_range().end;
        let at = behind_inner(&module.attrs).unwrap_or(start);
        let indent = format!("{}    ", self.indent(module.span().byte_range().start));
        self.path.push(module.ident.to_string());
        self.scopes.push(Scope { at, used: false, is_root: false, indent, always: false });
        for item in items {
            self.visit_item(item);
        }
        self.done.extend(self.scopes.pop());
        self.path.pop();
    }

    fn visit_impl_item(&mut self, item: &ImplItem) {
        let attrs = attrs_of_member(&mut item.clone()).map(core::mem::take).unwrap_or_default();
        if !self.member(item.span(), &attrs, item) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &TraitItem) {
        if let TraitItem::Fn(function) = item
            && function.default.is_some()
            && let Ok(as_member) = syn::parse2::<ImplItem>(item.to_token_stream())
            && self.member(item.span(), &function.attrs, &as_member)
        {
            return;
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_macro(&mut self, mac: &Macro) {
        let name = mac.path.to_token_stream().to_string();
        self.macro_(mac, &name);
    }
}

impl Writer<'_> {
    /// A definition or a call of a macro, called `name` in messages.
    fn macro_(&mut self, mac: &Macro, name: &str) {
        let path = &mac.path;
        if let Some(span) = expand::attribute_in(&mac.tokens, &self.renamed) {
            self.error(span, &format!("`{name}`: {}", expand::OF_MACRO));
        }
        let ours = self.own_macro(&quote!(#path).to_string()).is_some();
        let tokens = if ours { quote!(#mac) } else { mac.tokens.clone() };
        let changed = self.without_calls(tokens.clone());
        if changed.to_string() == tokens.to_string() {
            return;
        }
        let changed = self.placed(changed);
        if ours {
            let text = format::expression(&changed).unwrap_or_default();
            self.edit(mac.span().byte_range(), &text);
        } else {
            let span = mac.delimiter.span();
            let range = span.open().byte_range().end..span.close().byte_range().start;
            self.edit(range, &changed.to_string());
        }
    }
}
