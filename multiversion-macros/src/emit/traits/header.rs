//! The parts of the user's header that our trait repeats.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{
    GenericArgument, GenericParam, Generics, ItemImpl, ItemTrait, Lifetime, LifetimeParam, Path, PathArguments, Type,
    TypeParamBound,
};

use crate::item::Kind;
use crate::sig;
use crate::tokens::{find, is_punct};
use crate::walk::{Walk, Walker};

/// The header of our trait and of its impl.
pub(in crate::emit) struct Header {
    /// The generics of the user's header, without defaults, with every lifetime named.
    pub(super) generics: Generics,
    /// The user's trait, as a bound.
    pub(super) bound: TokenStream,
    /// Brings the user's trait into scope, as it is in every impl of it and in its definition.
    pub(super) import: TokenStream,
    /// The bounds that references in the user's trait imply for their types: in an impl they need not be written.
    pub(super) outlives: Vec<TokenStream>,
    /// The type that our trait is implemented for.
    pub(super) implementor: Implementor,
}

pub(super) enum Implementor {
    /// The type of the user's impl.
    Type { ty: Box<Type>, may_be_unsized: bool },
    /// Whatever implements the user's trait.
    Blanket,
}

impl Header {
    /// For an impl of a trait, or a trait.
    pub(in crate::emit) fn of(item: &Kind) -> Option<Header> {
        match item {
            Kind::Impl(item) => Header::of_impl(item),
            Kind::Trait(item) => Some(Header::of_trait(item)),
            Kind::Mod(_) | Kind::MacroRules { .. } | Kind::Other(_) => None,
        }
    }

    fn of_impl(item: &ItemImpl) -> Option<Header> {
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
        Some(Header {
            generics,
            bound,
            import,
            outlives,
            implementor: Implementor::Type { ty: Box::new(ty), may_be_unsized },
        })
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
        Header { generics, bound, import, outlives: Vec::new(), implementor: Implementor::Blanket }
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
        let param = generics.type_params().any(|param| Some(&param.ident) == first);
        if path.qself.is_some() || param {
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
