//! The meaning of one list of targets for every function under it: its clones and their conditions.

use core::cell::LazyCell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Pat, PatType, PatWild, Path, Token, Type};

use crate::emit::silenced;
use crate::features::constant;
use crate::targets::Target;
use crate::tokens::Tokens;
use crate::transform::{Apart, Features, TargetCode};

/// The clones of every function under one attribute.
pub(crate) struct Plan {
    pub(crate) krate: Path,
    /// The path of the items for our code alone.
    pub(crate) private: Tokens,
    pub(crate) targets: Vec<PlannedTarget>,
    /// One for each target, in order, and the baseline.
    pub(crate) clones: Vec<PlannedClone>,
    /// `cfg` predicate: the build enables a target for all code, which replaces the baseline.
    pub(crate) taken: TokenStream,
    /// A statement that asserts the results of the tests that lead to the baseline.
    pub(crate) baseline_assertion: TokenStream,
    /// The attribute that silences warnings about code that all clones share, if there is a baseline, which warns.
    pub(crate) silence: TokenStream,
    /// A paragraph that names the targets. It exists for rustdoc alone, so that to rustc an undocumented item remains
    /// one.
    pub(crate) docs: TokenStream,
    /// The last parameter of each clone: only a dispatcher can call it.
    pub(crate) proof: FnArg,
    /// A value for it, which `unsafe` code makes.
    pub(crate) proven: TokenStream,
    /// Whether clones record that they run.
    pub(crate) recorded: bool,
}

/// One copy of each function.
pub(crate) struct PlannedClone {
    /// `cfg` predicate: the clone exists.
    pub(crate) exists: TokenStream,
    /// The suffix of its name.
    pub(crate) label: String,
    pub(crate) features: Features,
}

/// One target, with the predicates under which its clone exists.
///
/// A build may enable features for all code (`-C target-cpu`). The first target that is enabled in this way is the last
/// that can ever be selected: it replaces the baseline, and later targets are left out.
pub(crate) struct PlannedTarget {
    pub(crate) target: Target,
    /// `cfg` predicate: the architecture is one of the target's.
    pub(crate) arch: TokenStream,
    /// `cfg` predicate: the build enables the target's features, on its architectures.
    pub(crate) features: TokenStream,
    /// `cfg` predicate: there is a clone.
    exists: TokenStream,
    /// Indices of the targets that are tried before this one.
    earlier: Vec<usize>,
    /// The target as a type, a `Set`.
    pub(crate) set: TokenStream,
    /// The dispatcher's `if` without its block. If this program cannot have the target, the clone is not compiled at
    /// any level of optimisation, since the constant is in the condition itself. So is the test of the features that
    /// the build enables.
    pub(crate) test: TokenStream,
}

impl Plan {
    pub(crate) fn new(targets: Vec<Target>, krate: Path) -> Plan {
        let span = Span::mixed_site();
        let private = Tokens::of(quote_spanned!(span=> #krate::__private));
        let mut planned: Vec<PlannedTarget> = Vec::new();
        for target in targets {
            let earlier: Vec<usize> = (0..planned.len())
                .filter(|&i| planned[i].target.arches.iter().any(|arch| target.arches.contains(arch)))
                .collect();
            let arch = match planned.last() {
                Some(other) if other.target.arches == target.arches => other.arch.clone(),
                _ => arch(&target),
            };
            // No build decides a property: it is tested at run time, whatever `-C target-cpu` enables.
            let asked = target.leaf.iter().map(|feature| pair("target_feature", feature.name));
            let features = if target.has_property() { quote!(any()) } else { all(asked.collect()) };
            // If both targets are for the same architectures, the features alone decide.
            let earlier_enabled = earlier.iter().map(|&i| match &planned[i] {
                other if target.is_within(&other.target) => other.features.clone(),
                other => other.enabled(),
            });
            let enabled = any(earlier_enabled.collect());
            let exists = if earlier.is_empty() { arch.clone() } else { quote!(all(#arch, not(#enabled))) };
            let set = set(&target, &private);
            let enabled = (!target.has_property()).then(|| quote_spanned!(span=> ::core::cfg!(#features) ||));
            let test = quote_spanned! {span=>
                #[cfg(#exists)] if #enabled <#set as #private::Set>::POSSIBLE && !#private::lacks::<#set>()
            };
            planned.push(PlannedTarget { target, arch, features, exists, earlier, set, test });
        }
        let mut clones: Vec<PlannedClone> =
            planned.iter().map(|target| target.planned_clone(&planned, &private)).collect();
        // Neighbours on the same architectures share a predicate.
        let mut taken = Vec::new();
        let mut baseline_assertion = TokenStream::new();
        for run in planned.chunk_by(|one, other| one.target.arches == other.target.arches) {
            let (arch, features) = (&run[0].arch, any(run.iter().map(|target| target.features.clone()).collect()));
            taken.push(quote!(all(#arch, #features)));
            let assertion = match run {
                [PlannedTarget { set, .. }] => quote_spanned!(span=> assert_lacks::<#set>()),
                _ => {
                    let sets = list(run.iter().map(|target| &target.set));
                    quote_spanned!(span=> assert_none::<#sets>())
                }
            };
            baseline_assertion.extend([quote_spanned!(span=> #[cfg(#arch)] unsafe { #private::#assertion; })]);
        }
        let taken = any(taken);
        let exists = quote!(not(#taken));
        let lints = silenced();
        let silence = quote_spanned!(span=> #[cfg_attr(#exists, allow(#lints))]);
        let features = Features { names: Vec::new(), target: None };
        clones.push(PlannedClone { exists, label: "baseline".to_owned(), features });
        let proof = FnArg::Typed(PatType {
            attrs: Vec::new(),
            pat: Box::new(Pat::Wild(PatWild { attrs: Vec::new(), underscore_token: Token![_](span) })),
            colon_token: Token![:](span),
            ty: Box::new(Type::Verbatim(quote_spanned!(span=> #private::Proof))),
        });
        let proven = quote_spanned!(span=> #private::Proof::new());
        let names: Vec<String> = planned.iter().map(|target| target.target.display()).collect();
        let docs = format!(
            "\n\nCompiled for {} and for a baseline. The first of these that the CPU supports is selected at run time.",
            names.join(", "),
        );
        let docs = quote!(#[cfg_attr(doc, doc = #docs)]);
        Plan {
            krate,
            private,
            targets: planned,
            clones,
            taken,
            baseline_assertion,
            silence,
            docs,
            proof,
            proven,
            recorded: false,
        }
    }
}

impl PlannedTarget {
    /// The target's `FeatureSet`, an expression.
    pub(crate) fn value(&self, private: &Tokens) -> TokenStream {
        let set = &self.set;
        quote_spanned!(Span::mixed_site()=> <#set as #private::Set>::SET)
    }

    /// `cfg` predicate: the build enables the target for all code.
    fn enabled(&self) -> TokenStream {
        let PlannedTarget { arch, features, .. } = self;
        quote!(all(#arch, #features))
    }

    /// `cfg` predicate: the target is selected at run time.
    pub(crate) fn decides(&self) -> TokenStream {
        let PlannedTarget { exists, features, .. } = self;
        quote!(all(#exists, not(#features)))
    }

    fn planned_clone(&self, all: &[PlannedTarget], private: &Tokens) -> PlannedClone {
        let span = Span::mixed_site();
        let PlannedTarget { target, features, set: own, .. } = self;
        let decides = quote_spanned!(span=> #[cfg(not(#features))]);
        // The absence of earlier targets is known on the architectures that they are on.
        let earlier: Vec<&PlannedTarget> = self.earlier.iter().map(|&i| &all[i]).collect();
        let (everywhere, elsewhere): (Vec<&PlannedTarget>, Vec<&PlannedTarget>) =
            earlier.iter().copied().partition(|other| target.is_within(&other.target));
        let assertion = if everywhere.is_empty() {
            quote_spanned!(span=> assert_present::<#own>())
        } else {
            let sets = list(everywhere.iter().map(|other| &other.set));
            quote_spanned!(span=> assert_selected::<#own, #sets>())
        };
        let absent = elsewhere.iter().map(|PlannedTarget { arch, set, .. }| {
            quote_spanned!(span=> #[cfg(#arch)] #private::assert_absent::<#set, #own>();)
        });
        let assertion = quote_spanned!(span=> #decides unsafe { #private::#assertion; #(#absent)* });
        let checks = earlier.iter().map(|other| {
            let (arch, wider) = (&other.arch, !target.is_within(&other.target));
            (wider.then(|| quote_spanned!(span=> #[cfg(#arch)])), other.set.clone())
        });
        let (narrower, earlier): (Vec<_>, Vec<_>) = checks.unzip();
        let (enable, label) = (target.enable(), target.label());
        let names = target.full.iter().map(|feature| feature.name).collect();
        let (private, own, only) = (private.clone(), own.clone(), decides.clone());
        let apart = move || {
            let lost = quote_spanned!(span=> { #private::target_lost() });
            let check_earlier = quote_spanned!(span=> #only { #(#narrower if #private::present::<#earlier>() #lost)* });
            Apart {
                assertion: quote_spanned!(span=> #only unsafe { #private::assert_present::<#own>(); }),
                check: quote_spanned!(span=> #only if #private::lacks::<#own>() #lost),
                check_earlier: if earlier.is_empty() { TokenStream::new() } else { check_earlier },
            }
        };
        let apart = LazyCell::new(Box::new(apart) as Box<dyn FnOnce() -> Apart>);
        let code = TargetCode { enable, label: label.clone(), decides, assertion, apart };
        PlannedClone { exists: self.exists.clone(), label, features: Features { names, target: Some(code) } }
    }
}

/// `cfg` predicate: the architecture is one of the target's.
pub(crate) fn arch(target: &Target) -> TokenStream {
    any(target.arches.iter().map(|arch| pair("target_arch", arch.cfg_name())).collect())
}

/// `cfg` predicate: one of `predicates` holds.
pub(crate) fn any(predicates: Vec<TokenStream>) -> TokenStream {
    joined("any", predicates)
}

/// `cfg` predicate: all of `predicates` hold.
pub(crate) fn all(predicates: Vec<TokenStream>) -> TokenStream {
    joined("all", predicates)
}

/// `cfg` predicate: `word` of `predicates`, unless there is only one.
fn joined(word: &str, mut predicates: Vec<TokenStream>) -> TokenStream {
    if predicates.len() == 1 {
        return predicates.remove(0);
    }
    let word = Ident::new(word, Span::call_site());
    quote!(#word(#(#predicates),*))
}

/// `cfg` predicate: `name = "value"`.
fn pair(name: &str, value: &str) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(#name = #value)
}

/// `sets` as a `Sets`, a type.
fn list<'a>(sets: impl DoubleEndedIterator<Item = &'a TokenStream>) -> TokenStream {
    let span = Span::mixed_site();
    sets.rev().fold(quote_spanned!(span=> ()), |rest, set| quote_spanned!(span=> (#set, #rest)))
}

/// The `Set` that `target` is, a type.
fn set(target: &Target, private: &Tokens) -> TokenStream {
    let span = Span::mixed_site();
    let mut set = TokenStream::new();
    for feature in &target.leaf {
        let name = constant(feature.name, span);
        let one = quote_spanned!(span=> #private::#name);
        set = if set.is_empty() { one } else { quote_spanned!(span=> (#set, #one)) };
    }
    set
}
