//! The parts of a signature for the dispatcher and the clones.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, ConstParam, FnArg, GenericParam, Generics, Meta, Pat, PatIdent, Receiver, ReceiverKind, Safety,
    Signature, Token, Type, TypeParam, parse_quote, parse_quote_spanned,
};

use crate::attrs;
use crate::compiler::COMPILER;
use crate::lints::allow_for_clippy;
use crate::tokens::{Words, find_word, hygienic, is_listed};

/// The parameters of a dispatcher, and the way in which it passes its arguments on.
pub(crate) struct Parameters {
    /// The parameters under plain names.
    pub(crate) inputs: Punctuated<FnArg, Token![,]>,
    /// The `inputs` of a function that uses the names. In `fn f(unit: unit)` the name may be a pattern, that of a unit struct,
    /// which binds nothing. Its use would be a second value. As `unit @ _` it is the compiler's error.
    pub(crate) bound: Punctuated<FnArg, Token![,]>,
    /// The arguments of a call with those names.
    pub(crate) args: TokenStream,
    /// `::<T, N>`, or nothing.
    pub(crate) turbofish: TokenStream,
    /// Whether a parameter has a pattern that the dispatcher cannot repeat.
    pub(crate) renamed: bool,
}

impl Parameters {
    /// Those of `sig`; a parameter gets a name of ours if an item that it passes has its name, which `hidden` tells.
    pub(crate) fn new(sig: &Signature, names: &Names, hidden: &dyn Fn(&Ident) -> bool) -> Parameters {
        let (mut inputs, mut bound) = (Punctuated::new(), Punctuated::new());
        let mut args = TokenStream::new();
        let mut renamed = false;
        for (index, input) in sig.inputs.iter().enumerate() {
            let mut input = input.clone();
            let (attrs, argument) = match &mut input {
                FnArg::Receiver(receiver) => {
                    *receiver = without_mut(receiver);
                    (&receiver.attrs, receiver.self_token.into_token_stream())
                }
                FnArg::Typed(typed) => {
                    let name = match &*typed.pat {
                        Pat::Ident(pat) if is_plain_name(pat) && !hidden(&pat.ident) => {
                            let own = takes_own_name(&pat.ident, sig);
                            if own { hygienic(&pat.ident) } else { pat.ident.clone() }
                        }
                        _ => {
                            renamed = true;
                            names.variable(&format!("arg{index}"))
                        }
                    };
                    for attr in &mut typed.attrs {
                        // An expected lint fires in clones.
                        if let Meta::List(list) = &mut attr.meta
                            && list.path.is_ident("expect")
                        {
                            list.path = Ident::new("allow", Span::mixed_site()).into();
                        }
                    }
                    typed.pat = parse_quote!(#name);
                    (&typed.attrs, name.into_token_stream())
                }
            };
            let cfgs = attrs::cfgs(attrs);
            args.extend([quote!(#(#cfgs)* #argument,)]);
            bound.push(as_binding(&input, sig));
            inputs.push(input);
        }
        let turbofish = turbofish(&sig.generics);
        Parameters { inputs, bound, args, turbofish, renamed }
    }
}

/// Whether `pat` is a name, and by convention not that of a constant.
pub(crate) fn is_plain_name(pat: &PatIdent) -> bool {
    let start = pat.ident.to_string().trim_start_matches("r#").chars().next();
    pat.subpat.is_none() && pat.by_ref.is_none() && !start.is_some_and(char::is_uppercase)
}

/// `input`, a name, for a function that uses the name: as `name @ _` if it may be the pattern of a unit struct.
fn as_binding(input: &FnArg, sig: &Signature) -> FnArg {
    let span = Span::mixed_site();
    let mut input = input.clone();
    if !COMPILER.writes
        && let FnArg::Typed(typed) = &mut input
        && let Pat::Ident(pat) = &mut *typed.pat
        && (may_be_unit(&typed.ty, &sig.generics) || is_listed(PRIMITIVE, &pat.ident.to_string()))
    {
        pat.subpat = Some((Token![@](span), Box::new(parse_quote_spanned!(span=> _))));
        let allow = allow_for_clippy(|| quote!(clippy::redundant_pattern));
        typed.attrs.extend(allow.map(|allow| -> Attribute { parse_quote!(#allow) }));
    }
    input
}

/// The names of primitive types.
pub(crate) const PRIMITIVE: &str = "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize";

/// Whether dropping a value of this type may run code. A type of the user's may have the name of a primitive one.
pub(crate) fn may_drop(ty: &Type) -> bool {
    any_part(ty, &|ty| !matches!(ty, Type::Reference(_) | Type::Ptr(_) | Type::FnPtr(_) | Type::Never(_)))
}

/// Whether `holds` is true of `ty`, or of an element if it is an array or a tuple.
fn any_part(ty: &Type, holds: &dyn Fn(&Type) -> bool) -> bool {
    match ty {
        Type::Array(array) => any_part(&array.elem, holds),
        Type::Tuple(tuple) => tuple.elems.iter().any(|ty| any_part(ty, holds)),
        Type::Group(group) => any_part(&group.elem, holds),
        Type::Paren(paren) => any_part(&paren.elem, holds),
        _ => holds(ty),
    }
}

/// Whether a type or constant of `generics` has this name.
pub(crate) fn declares(generics: &Generics, name: &Ident) -> bool {
    generics.type_params().any(|param| param.ident == *name)
        || generics.const_params().any(|param| param.ident == *name)
}

/// `receiver` without the `mut` of its binding.
pub(crate) fn without_mut(receiver: &Receiver) -> Receiver {
    let mut receiver = receiver.clone();
    if !matches!(receiver.kind, ReceiverKind::Reference(..)) {
        receiver.mutability = None;
    }
    receiver
}

/// Whether `ty` may be a type with a single value, which a constant's name can stand for in a pattern.
fn may_be_unit(ty: &Type, generics: &Generics) -> bool {
    let known = |name: &Ident| {
        is_listed(PRIMITIVE, &name.to_string()) || generics.type_params().any(|param| param.ident == *name)
    };
    any_part(ty, &|ty| match ty {
        Type::Path(path) => !path.path.get_ident().is_some_and(known),
        ty => matches!(ty, Type::Macro(_) | Type::Verbatim(_)),
    })
}

/// Whether the dispatcher renames the parameter. rustc warns about upper case letters, and about the use of a name with
/// a leading underscore. The clone's parameter keeps the name and the first warning.
fn takes_own_name(name: &Ident, sig: &Signature) -> bool {
    let text = name.to_string();
    // Two names from a macro may differ in their origin only, and so may one from a macro and one of ours.
    let own = text.contains(char::is_uppercase) || (text.starts_with('_') && !text.starts_with("__"));
    own && sig.inputs.iter().filter(|input| is_named(input, name)).count() == 1
}

/// Whether this parameter has this name.
pub(crate) fn is_named(input: &FnArg, name: &Ident) -> bool {
    matches!(input, FnArg::Typed(typed) if matches!(&*typed.pat, Pat::Ident(pat) if pat.ident == *name))
}

/// Gives the `unsafe` of a clone's signature our span: the user's own `unsafe` is the dispatcher's.
pub(crate) fn claim_unsafe(asyncness: &mut Option<Token![async]>, safety: &mut Safety) {
    let span = Span::mixed_site();
    if let Safety::Unsafe(token) = safety {
        token.span = token.span.resolved_at(span);
        // The lint `unsafe_code` looks at the start of the item.
        if let Some(token) = asyncness {
            token.span = token.span.resolved_at(span);
        }
    }
}

/// The generic arguments `::<T, { N }>` of a call, or nothing. They leave out lifetimes. A type may have the name of a constant.
fn turbofish(generics: &Generics) -> TokenStream {
    let span = Span::mixed_site();
    let args = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(TypeParam { ident, .. }) => Some(ident.to_token_stream()),
        GenericParam::Const(ConstParam { ident, .. }) => Some(quote_spanned!(span=> { #ident })),
        GenericParam::Lifetime(_) => None,
    });
    let args: Vec<TokenStream> = args.collect();
    if args.is_empty() { TokenStream::new() } else { quote_spanned!(span=> ::<#(#args),*>) }
}

/// The `impl Trait` in return position, if there is one.
pub(crate) fn returned_impl(sig: &Signature) -> Option<Span> {
    find_word(sig.output.to_token_stream(), "impl")
}

/// Names that do not occur in the user's tokens. All our names begin with two underscores, so only such names of the
/// user can clash.
#[derive(Clone, Default)]
pub(crate) struct Names {
    taken: Vec<String>,
}

impl Names {
    pub(crate) fn besides(words: &Words) -> Names {
        Names { taken: words.reserved() }
    }

    /// `__{name}__{suffix}` at the span of `name`, hygienic where rustc has hygiene, made unique with underscores.
    pub(crate) fn clone_of(&self, name: &Ident, suffix: &str) -> Ident {
        self.unique(format!("__{}__{suffix}", name.unraw()), name.span())
    }

    /// `__{name}` for a variable, made unique as well: a pattern that is the name of a constant would be that constant.
    pub(crate) fn variable(&self, name: &str) -> Ident {
        self.unique(format!("__{name}"), Span::mixed_site())
    }

    fn unique(&self, mut name: String, span: Span) -> Ident {
        while self.taken.contains(&name) {
            name.push('_');
        }
        Ident::new(&name, span.resolved_at(Span::mixed_site()))
    }
}
