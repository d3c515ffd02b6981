//! A function that selects one of its clones.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, ReturnType, Safety, Signature, Token, Type, Visibility};

use super::scope::Scope;
use super::{constants, values};
use crate::attrs;
use crate::cfg::{any, leaves_code_out};
use crate::compiler::COMPILER;
use crate::error::compile_error;
use crate::inline;
use crate::item::{Body, Choice, Function, OtherItem};
use crate::lints::{allow_for_clippy, allow_in_file};
use crate::plan::{Plan, PlannedClone, PlannedTarget};
use crate::resolve::{Place, Unit};
use crate::sig::Parameters;
use crate::tokens::{self, braces, called_macros, code, is_punct, is_standard_macro};

/// The inputs for the code of a function, wherever its clones are.
pub(super) struct Dispatcher<'a> {
    pub(super) unit: &'a Unit<'a>,
    pub(super) plan: &'a Plan,
    pub(super) scope: &'a Scope<'a>,
    pub(super) parameters: Parameters,
    /// The names of the clones.
    pub(super) names: Vec<Ident>,
    /// Other crates compile its clones where they call them.
    pub(super) leaves: bool,
    /// Clones may compile different parts of some definition.
    pub(super) leaves_code_out: bool,
}

impl<'a> Dispatcher<'a> {
    pub(super) fn new(unit: &'a Unit<'a>, scope: &'a Scope<'a>, parameters: Parameters) -> Self {
        let (place, constants, plan) = (unit.place, &unit.constants, &scope.plans[unit.list]);
        let mut bodies = unit.definitions.iter().filter_map(|definition| definition.body.as_ref());
        let selects = unit.selected || !constants.is_empty();
        let differs = selects || bodies.any(may_test_features);
        let sig = &unit.main().sig;
        let plan = match differs {
            // To rustc a closure has no features, so no code in it needs those of the build.
            true if place != Place::Closure => plan.by_cfg(),
            false if COMPILER.only_checks && has_baselines_code(unit.main()) => plan.of_baseline(),
            _ => plan,
        };
        let names = plan.clones.iter().map(|clone| plan.names.clone_of(&sig.ident, &clone.label)).collect();
        let leaves_code_out = unit.definitions.iter().any(|definition| may_leave_code_out(definition));
        Dispatcher {
            unit,
            plan,
            scope,
            parameters,
            names,
            leaves: inline::leaves(unit.main(), scope.container, scope.names, selects),
            leaves_code_out,
        }
    }

    /// For each definition, the `cfg` predicate under which it is the one for `clone`.
    pub(super) fn predicates(&self, clone: &PlannedClone) -> Vec<TokenStream> {
        self.unit.definitions.iter().map(|one| attrs::cfg_predicate_for(&one.attrs, &clone.features)).collect()
    }

    /// `cfg` predicate: some clone has a definition. Otherwise there is no function, and another item may have its
    /// name.
    pub(super) fn some_clone_is_defined(&self) -> TokenStream {
        let clones = self.plan.by_cfg().clones.iter();
        any(clones.map(|clone| clone.exists_and(any(self.predicates(clone)))).collect())
    }

    /// A call of clone `index`, awaited if the function is async.
    pub(super) fn call(&self, index: usize, proof: &Ident) -> TokenStream {
        let span = Span::mixed_site();
        let name = &self.names[index];
        let path = (self.unit.place == Place::Sibling).then(|| quote_spanned!(span=> Self::));
        let (turbofish, args) = (&self.parameters.turbofish, &self.parameters.args);
        let sig = &self.unit.main().sig;
        let wait = sig.asyncness.map(|_| quote_spanned!(span=> .await));
        let is_safe = self.plan.clones[index].target.is_none()
            && self.plan.enabled_by_build.is_none()
            && !matches!(sig.safety, Safety::Unsafe(_));
        if COMPILER.writes && is_safe {
            return quote_spanned!(span=> #path #name #turbofish(#args #proof) #wait);
        }
        quote_spanned!(span=> unsafe { #path #name #turbofish(#args #proof) } #wait)
    }

    /// `value` of the first clone whose target the CPU has, or else that of the baseline, with its place in the plan and a proof. The
    /// `items` for each target precede its test.
    pub(super) fn pick(&self, items: &[TokenStream], value: &dyn Fn(usize, &Ident) -> TokenStream) -> TokenStream {
        // A call that never returns needs no `return`, and rustc warns about one.
        let go = match &self.unit.main().sig.output {
            ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => None,
            _ => Some(Token![return](Span::mixed_site())),
        };
        let span = Span::mixed_site();
        let (proof, proven) = (self.plan.names.variable("proof"), self.plan.proof_value());
        let in_blocks = !self.unit.constants.is_empty();
        let Plan { targets, enabled_by_build, private, .. } = self.plan;
        let mut indices = 0..;
        let groups = targets.chunk_by(|one, other| one.target.arches == other.target.arches).map(|group| {
            let arch = &group[0].arch;
            let tests = group.iter().zip(&mut indices).map(|(PlannedTarget { test, .. }, index)| {
                let (item, value) = (items.get(index), value(index, &proof));
                let choice = quote_spanned!(span=> #item #test { #go #value; });
                if in_blocks { quote!({ #choice }) } else { choice }
            });
            quote_spanned!(span=> #[cfg(#arch)] { #(#tests)* })
        });
        let mut baseline = value(targets.len(), &proof);
        if let Some(enabled) = enabled_by_build {
            // Without a baseline one of the conditions is `true`.
            let without = quote_spanned!(span=> #[cfg(#enabled)] { #private::core::unreachable!() });
            // The baseline may have features that the build enables.
            let maybe = COMPILER.writes.then(|| quote!(#[allow(unused_unsafe, reason = "only some builds need it")]));
            baseline = quote_spanned!(span=> #[cfg(not(#enabled))] #maybe { #baseline } #without);
        }
        quote_spanned!(span=> let #proof = unsafe { #proven }; #(#groups)* #baseline)
    }

    /// The attributes of `function` for its copies. If `cfg`s select it, predicates of ours replace them.
    pub(super) fn kept_attributes(&self, function: &Function) -> Vec<Attribute> {
        let replaced = |attr: &&Attribute| self.unit.selected && attrs::cfg_predicate(attr).is_some();
        function.attrs.iter().filter(|attr| !replaced(attr)).cloned().collect()
    }

    /// The dispatcher around `content`.
    pub(super) fn item(&self, content: &TokenStream) -> TokenStream {
        let function = self.unit.main();
        let kept = self.kept_attributes(function);
        let beside = self.unit.place != Place::Nested;
        let (before, after) = kept.split_at(attrs::first_heading(&kept));
        let mut attributes = attrs::for_copy(before, None, false, beside);
        // An impl's page names the targets once for its methods. In a file they are documentation, which an item has or has not.
        let documented = self.unit.place == Place::Nested || matches!(function.choice, Choice::Own(_));
        if documented && (!COMPILER.writes || attrs::have_named(&kept, "doc")) {
            attributes.extend([self.plan.docs.clone()]);
        }
        attributes.extend([attrs::for_copy(after, None, false, beside)]);
        if self.unit.selected && !self.unit.is_complete() {
            let exists = self.some_clone_is_defined();
            attributes.extend([quote_spanned!(Span::mixed_site()=> #[cfg(#exists)])]);
        }
        if self.leaves_code_out {
            // Where code is left out, an expected lint may fire in no clone, or nowhere because it is allowed.
            attributes.extend([quote!(#[allow(unfulfilled_lint_expectations)])]);
        }
        if !function.body.as_ref().is_some_and(|body| body.words.have("unsafe")) {
            // Clippy takes a pointer for dereferenced if it is an argument of an `unsafe` function, as the clones are.
            attributes.extend(allow_for_clippy(|| quote!(clippy::not_unsafe_ptr_arg_deref)));
            let inputs = function.sig.inputs.to_token_stream();
            let has_pointer = tokens::any(inputs, &mut |tokens, at| is_punct(tokens.get(at), '*'));
            attributes.extend(allow_in_file(has_pointer, "clippy::not_unsafe_ptr_arg_deref"));
        }
        let mut inline = TokenStream::new();
        if !attrs::exports(&function.attrs) {
            // Clippy looks at a method's own span, which is the user's.
            inline.extend(allow_for_clippy(|| {
                quote!(clippy::inline_always, reason = "a dispatcher is a few instructions")
            }));
            // Clippy objects to large arguments of functions that are not always inlined.
            let stays = self.unit.place == Place::Closure && !self.leaves;
            inline.extend([code(if stays {
                ""
            } else if COMPILER.clippy {
                "#[inline(always)]"
            } else {
                "#[cfg_attr(debug_assertions, inline)] #[cfg_attr(not(debug_assertions), inline(always))]"
            })]);
        }
        let (vis, default) = (&function.vis, &function.default);
        let sig = Signature { inputs: self.parameters.bound.clone(), ..function.sig.clone() };
        let written = function.body.as_ref().map(|body| &body.braces);
        let span = written.map_or_else(Span::call_site, proc_macro2::Group::span);
        let around = self.scope.container.filter(|_| self.unit.place == Place::Closure).and_then(OtherItem::generics);
        let captured = [Some(&sig.generics), around].into_iter().flatten();
        let captured = captured.filter(|_| self.unit.place != Place::Sibling);
        let mut captured =
            captured.filter_map(|generics| constants::captured_parameter(&self.unit.constants, generics));
        let content = match captured.next() {
            Some((constant, param)) => {
                let reason = if *param == constant {
                    "and its copies would hide the parameter of this name".to_owned()
                } else {
                    format!("and names `{param}`, which means a parameter around its copies")
                };
                let message = format!("`{constant}` differs between clones, {reason}\nhelp: rename the parameter");
                let (error, private) = (compile_error(param.span(), &message), &self.plan.private);
                quote_spanned!(param.span()=> #error #private::core::unreachable!())
            }
            None => content.clone(),
        };
        // Clippy requires it, where the attribute has a list with a name.
        let end = (COMPILER.clippy && matches!(sig.output, ReturnType::Default)).then(<Token![;]>::default);
        let body = braces(quote!(#content #end), span);
        if !self.parameters.renamed {
            return quote!(#attributes #inline #vis #default #sig #body);
        }
        // rustdoc shows the patterns, which a dispatcher cannot have, since it passes its arguments on, and reads no body.
        let written_sig = &function.sig;
        let no_body = COMPILER.writes.then(|| braces(quote!(::core::unimplemented!()), span));
        let written = no_body.as_ref().or(written);
        quote! {
            #[cfg(doc)] #attributes #vis #default #written_sig #written
            #[cfg(not(doc))] #attributes #inline #vis #default #sig #body
        }
    }

    /// Leaves warnings about the signature to the dispatcher, and keeps the clones of a public function as they are.
    pub(super) fn signature_lints(&self) -> Option<TokenStream> {
        if COMPILER.writes {
            // Clippy allows seven, and a clone has one more.
            return allow_in_file(self.unit.main().sig.inputs.len() == 7, "clippy::too_many_arguments");
        }
        allow_for_clippy(|| {
            // Callers elsewhere may rely on the signature.
            let public = matches!(self.unit.main().vis, Visibility::Public(_))
                .then(|| quote!(, clippy::needless_pass_by_ref_mut, clippy::unnecessary_wraps, clippy::unused_self));
            quote! {
                clippy::extra_unused_lifetimes, clippy::large_types_passed_by_value, clippy::linkedlist,
                clippy::missing_const_for_fn, clippy::needless_lifetimes, clippy::option_option, clippy::owned_cow,
                clippy::rc_buffer, clippy::ref_option, clippy::too_many_arguments, clippy::trivially_copy_pass_by_ref,
                clippy::type_complexity, clippy::unnecessary_box_returns, clippy::vec_box, clippy::wrong_self_convention
                #public
            }
        })
    }
}

/// `content` behind the lint levels for all of it.
pub(super) fn block(lints: &TokenStream, content: &TokenStream) -> TokenStream {
    if COMPILER.writes && lints.is_empty() {
        return content.clone();
    }
    quote_spanned!(Span::mixed_site()=> #lints { #content })
}

/// Whether `cfg(target_feature)` may decide about the code of `body`, in it or in a macro from elsewhere.
fn may_test_features(body: &Body) -> bool {
    body.words.have("target_feature")
        || (body.words.bangs && called_macros(body.stream()).iter().any(|name| !is_standard_macro(name)))
}

/// Whether clones may compile different parts of `function`.
pub(super) fn may_leave_code_out(function: &Function) -> bool {
    let leaves = |body: &Body| body.words.have("target_feature") && leaves_code_out(&body.stream());
    function.body.as_ref().is_some_and(leaves)
}

/// Whether the clones for targets have the code of the baseline, but for assertions in closures, and its errors.
fn has_baselines_code(function: &Function) -> bool {
    // Items that each clone repeats may have errors together.
    const WORDS: [&str; 6] = ["async", "await", "export_name", "fn", "impl", "no_mangle"];
    function.sig.asyncness.is_none()
        && !function
            .body
            .as_ref()
            .is_some_and(|body| body.words.have_any(&WORDS) || values::may_name_function(function, body))
}
