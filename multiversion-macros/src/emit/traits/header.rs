//! The parts of the user's header that our trait repeats.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{
    GenericArgument, GenericParam, Generics, ItemImpl, ItemTrait, Lifetime, LifetimeParam, Path, PathArguments, Type,
    TypeParamBound, WherePredicate,
};

use crate::item::{Holder, Kind, Node};
use crate::sig;
use crate::tokens::{find, find_word, is_punct, is_word, regroup};
use crate::walk::{Walk, Walker};

/// The header of our trait and of its impl.
pub(in crate::emit) struct Header {
    /// The generics of the user's header, without defaults, with every lifetime named.
    pub(super) generics: Generics,
    /// The user's trait, as a bound.
    pub(super) bound: TokenStream,
    /// Brings the user's trait into scope, as it is in every impl of it and in its definition.
    pub(super) import: TokenStream,
    /// The bounds that references in the user's trait and conditions imply for their types: in an impl they need not be written.
    pub(super) outlives: Vec<TokenStream>,
    /// The type that our trait is implemented for.
    pub(super) implementor: Implementor,
    /// The associated types of the impl that `Self::` in our trait does not tell from those of other traits: the header has
    /// conditions on `Self`.
    pub(super) ambiguous: Vec<String>,
}

pub(super) enum Implementor {
    /// The type of the user's impl.
    Type { ty: Box<Type>, may_be_unsized: bool },
    /// Whatever implements the user's trait.
    Blanket,
}

impl Header {
    /// For an impl of a trait, or a trait.
    pub(in crate::emit) fn of(item: &Holder) -> Option<Header> {
        match &item.kind {
            Kind::Impl(header) => Header::of_impl(header, &item.items),
            Kind::Trait(item) => Some(Header::of_trait(item)),
            Kind::Mod(_) | Kind::MacroRules { .. } | Kind::Other(_) => None,
        }
    }

    fn of_impl(item: &ItemImpl, members: &[Node]) -> Option<Header> {
        let (path, _) = item.trait_.as_ref()?;
        let mut generics = item.generics.clone();
        let mut namer = LifetimeNamer { next: 0, prefix: "__l" };
        let mut whole = path.clone();
        Walker(&mut namer).visit_path_mut(&mut whole);
        let mut bound = whole.to_token_stream();
        let import = import(path);
        if path.segments.last().is_some_and(|last| last.ident == "Drop") {
            // It has nothing that a signature could name, and rustc warns about `Drop` as a bound.
            bound = TokenStream::new();
        }
        let mut ty = (*item.self_ty).clone();
        Walker(&mut namer).visit_type_mut(&mut ty);
        for index in 0..namer.next {
            let lifetime = namer.numbered(index);
            generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(lifetime)));
        }
        let mut plain = &ty;
        // A macro's `$ty:ty` arrives in an invisible group.
        while let Type::Group(syn::TypeGroup { elem, .. }) | Type::Paren(syn::TypeParen { elem, .. }) = plain {
            plain = elem;
        }
        let may_be_unsized = match plain {
            Type::Slice(_) | Type::TraitObject(_) => true,
            Type::Path(path) => {
                let known =
                    |ident: &Ident| ["str", "Path", "OsStr", "CStr", "ByteStr"].iter().any(|name| ident == name);
                path.path.segments.last().is_some_and(|last| known(&last.ident))
                    || path.path.get_ident().is_some_and(|ident| maybe_unsized(&generics, ident))
            }
            _ => false,
        };
        let mut outlives = Vec::new();
        for ty in if bound.is_empty() { Vec::new() } else { arguments(&whole) } {
            implied(ty, &generics, &mut outlives);
        }
        let mut references = References { known: generics.clone(), outlives };
        Walker(&mut references).visit_generics_mut(&mut generics.clone());
        let outlives = references.outlives;
        let asks = find_word(generics.where_clause.to_token_stream(), "Self").is_some();
        let ambiguous = if asks { members.iter().filter_map(associated_type).collect() } else { Vec::new() };
        let implementor = Implementor::Type { ty: Box::new(ty), may_be_unsized };
        Some(Header { generics, bound, import, outlives, implementor, ambiguous })
    }

    /// `tokens` with the user's trait in each `Self::Name` that is ambiguous.
    pub(in crate::emit) fn told_apart(&self, tokens: TokenStream) -> TokenStream {
        if self.ambiguous.is_empty() {
            return tokens;
        }
        let mut tokens = tokens.into_iter().peekable();
        let mut told = TokenStream::new();
        while let Some(token) = tokens.next() {
            let mut following = tokens.clone();
            let mut colon = || is_punct(following.next().as_ref(), ':');
            let is_path = is_word(Some(&token), "Self") && colon() && colon();
            let named = |name: &TokenTree| self.ambiguous.iter().any(|known| name.to_string() == *known);
            match &token {
                TokenTree::Group(group) => told.extend([regroup(group, self.told_apart(group.stream()))]),
                _ if is_path && following.next().as_ref().is_some_and(named) => {
                    let bound = &self.bound;
                    told.extend(quote_spanned!(Span::mixed_site()=> <#token as #bound>));
                }
                _ => told.extend([token]),
            }
        }
        told
    }

    /// What references in the conditions of a method with `generics` imply for `Self`. In an impl it holds for the type; our
    /// trait has to say it.
    pub(super) fn implied_for_self(&self, generics: &Generics) -> Vec<WherePredicate> {
        let conditions = [generics.to_token_stream(), generics.where_clause.to_token_stream()];
        if matches!(self.implementor, Implementor::Blanket)
            || find_word(conditions.into_iter().collect(), "Self").is_none()
        {
            return Vec::new();
        }
        let mut known = self.generics.clone();
        known.params.extend(generics.params.clone());
        let mut references = References { known, outlives: Vec::new() };
        Walker(&mut references).visit_generics_mut(&mut generics.clone());
        let of_self = |predicate: TokenStream| {
            is_word(predicate.clone().into_iter().next().as_ref(), "Self").then(|| syn::parse2(predicate).ok())?
        };
        references.outlives.into_iter().filter_map(of_self).collect()
    }

    /// For the default methods of a trait's definition.
    fn of_trait(item: &ItemTrait) -> Header {
        let mut generics = item.generics.clone();
        for param in &mut generics.params {
            match param {
                GenericParam::Type(param) => param.default = None,
                GenericParam::Const(param) => param.default = None,
                GenericParam::Lifetime(_) => {}
            }
        }
        let (name, arguments) = (&item.ident, sig::arguments(&generics, ToTokens::to_token_stream));
        let (bound, import) = (quote!(#name #arguments), import(&name.clone().into()));
        let (implementor, outlives, ambiguous) = (Implementor::Blanket, Vec::new(), Vec::new());
        Header { generics, bound, import, outlives, implementor, ambiguous }
    }
}

/// `use path as _;`, without the generic arguments of `path`.
fn import(path: &Path) -> TokenStream {
    let span = Span::mixed_site();
    let mut names = TokenStream::new();
    for (at, pair) in path.segments.pairs().enumerate() {
        let (segment, colons) = pair.into_tuple();
        let mut ident = segment.ident.clone();
        if at == 0
            && path.leading_colon.is_none()
            && !["crate", "self", "super", "$crate"].iter().any(|word| ident == word)
        {
            // In edition 2015 a `use` begins at the crate's root, unless a macro of a newer edition wrote it.
            ident.set_span(ident.span().resolved_at(span));
        }
        ident.to_tokens(&mut names);
        colons.to_tokens(&mut names);
    }
    let leading = path.leading_colon;
    quote_spanned!(span=> #[allow(unused_imports)] use #leading #names as _;)
}

/// The name of an associated type.
fn associated_type(member: &Node) -> Option<String> {
    let Node::Item(item) = member else { return None };
    let Kind::Other(tokens) = &item.kind else { return None };
    let mut words = tokens.clone().into_iter().skip_while(|word| !is_word(Some(word), "type"));
    words.nth(1).map(|name| name.to_string())
}

/// Collects the predicates that references imply.
struct References {
    /// Has the lifetimes that are parameters.
    known: Generics,
    outlives: Vec<TokenStream>,
}

impl Walk for References {
    fn ty(&mut self, ty: &mut Type) -> bool {
        if let Type::Reference(reference) = ty
            && let Some(lifetime) = &reference.lifetime
            && is_lifetime_param(lifetime, &self.known)
        {
            components(&reference.elem, lifetime, &self.known, &mut self.outlives);
        }
        true
    }
}

/// The predicates that the references in `ty` imply for the type parameters of `generics`.
fn implied(ty: &Type, generics: &Generics, outlives: &mut Vec<TokenStream>) {
    if let Type::Reference(reference) = ty
        && let Some(lifetime) = &reference.lifetime
        // One that is not a parameter is bound by a `for<…>` nearby.
        && is_lifetime_param(lifetime, generics)
    {
        let referent = &reference.elem;
        let before = outlives.len();
        components(referent, lifetime, generics, outlives);
        // A type may have parameters that are not written, by default. Naming one that has lifetimes would require
        // more.
        if outlives.len() > before && !has_lifetime(referent.to_token_stream()) {
            outlives.push(quote!(#referent: #lifetime));
        }
    }
    for part in parts(ty) {
        implied(part, generics, outlives);
    }
}

/// The conditions under which `ty` outlives `lifetime`.
fn components(ty: &Type, lifetime: &Lifetime, generics: &Generics, outlives: &mut Vec<TokenStream>) {
    if let Type::Path(path) = ty {
        let first = path.path.segments.first().map(|first| &first.ident);
        let named = |name: &Ident| name == "Self" || generics.type_params().any(|param| param.ident == *name);
        if path.qself.is_some() || first.is_some_and(named) {
            outlives.push(quote!(#ty: #lifetime));
            return;
        }
        for argument in generic_arguments(&path.path) {
            if let GenericArgument::Lifetime(other) = argument
                && is_lifetime_param(other, generics)
            {
                outlives.push(quote!(#other: #lifetime));
            }
        }
    }
    if let Type::Reference(reference) = ty
        && let Some(other) = &reference.lifetime
    {
        outlives.push(quote!(#other: #lifetime));
        return;
    }
    for part in parts(ty) {
        components(part, lifetime, generics, outlives);
    }
}

fn has_lifetime(tokens: TokenStream) -> bool {
    find(tokens, &mut |token| is_punct(Some(token), '\'').then_some(())).is_some()
}

fn is_lifetime_param(lifetime: &Lifetime, generics: &Generics) -> bool {
    generics.lifetimes().any(|param| param.lifetime == *lifetime)
}

/// The types that `ty` is made of.
fn parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(array) => vec![&array.elem],
        Type::Group(group) => vec![&group.elem],
        Type::Paren(paren) => vec![&paren.elem],
        Type::Ptr(pointer) => vec![&pointer.elem],
        Type::Reference(reference) => vec![&reference.elem],
        Type::Slice(slice) => vec![&slice.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        Type::Path(path) => arguments(&path.path),
        _ => Vec::new(),
    }
}

/// The types among the generic arguments of `path`.
fn arguments(path: &Path) -> Vec<&Type> {
    let types = generic_arguments(path).filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

fn generic_arguments(path: &Path) -> impl Iterator<Item = &GenericArgument> {
    let lists = path.segments.iter().filter_map(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    });
    lists.flatten()
}

/// Whether `param` has a `?Sized` bound.
fn maybe_unsized(generics: &Generics, param: &Ident) -> bool {
    let relaxed = |bound: &TypeParamBound| bound.to_token_stream().to_string().replace(' ', "").starts_with("?Sized");
    let inline = generics.type_params().any(|other| other.ident == *param && other.bounds.iter().any(relaxed));
    inline
        || generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| match predicate {
            syn::WherePredicate::Type(predicate) => {
                matches!(&predicate.bounded_ty, Type::Path(path) if path.path.is_ident(param))
                    && predicate.bounds.iter().any(relaxed)
            }
            _ => false,
        })
}

/// Gives names to the lifetimes that a header leaves out.
struct LifetimeNamer {
    next: usize,
    prefix: &'static str,
}

impl LifetimeNamer {
    fn numbered(&self, index: usize) -> Lifetime {
        Lifetime::new(&format!("'{}{index}", self.prefix), Span::mixed_site())
    }

    fn fresh(&mut self) -> Lifetime {
        self.next += 1;
        self.numbered(self.next - 1)
    }
}

impl Walk for LifetimeNamer {
    fn ty(&mut self, ty: &mut Type) -> bool {
        if let Type::Reference(reference) = ty
            && reference.lifetime.is_none()
        {
            reference.lifetime = Some(self.fresh());
        }
        // The lifetimes that `fn(&T) -> &U` and `Fn(&T) -> &U` leave out are bound right there.
        !matches!(ty, Type::FnPtr(_))
    }

    fn parenthesized(&mut self, _: &mut syn::ParenthesizedGenericArguments) -> bool {
        false
    }

    fn lifetime(&mut self, lifetime: &mut Lifetime) -> bool {
        if lifetime.ident == "_" {
            *lifetime = self.fresh();
        }
        false
    }
}
