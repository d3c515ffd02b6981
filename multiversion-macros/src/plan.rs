//! What one list of targets means for every function under it: which clones there are, and when.

use core::cell::LazyCell;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Path, parse_quote_spanned};

use crate::emit::SILENCED;
use crate::targets::Target;
use crate::transform::{Apart, Features, TargetCode};

/// The clones that every function under one attribute gets.
pub(crate) struct Plan {
    pub(crate) krate: Path,
    /// The path of what is meant for code of ours alone.
    pub(crate) private: TokenStream,
    pub(crate) targets: Vec<PlannedTarget>,
    /// One for each target, in order, and the baseline.
    pub(crate) clones: Vec<PlannedClone>,
    /// A statement that asserts what the baseline's being chosen has shown.
    pub(crate) baseline_assertion: TokenStream,
    /// The last parameter of each clone: only a dispatcher can call it.
    pub(crate) proof: FnArg,
    /// Whether clones say when they run.
    pub(crate) recorded: bool,
}

/// One copy of each function.
pub(crate) struct PlannedClone {
    /// `cfg` predicate: there is such a clone.
    pub(crate) exists: TokenStream,
    /// The suffix of its name.
    pub(crate) label: String,
    pub(crate) features: Features,
}

/// One target, with the predicates that say when its clone exists.
///
/// A build may enable features for all code (`-C target-cpu`). The first target that is enabled so is the last that
/// can ever be chosen: it takes the baseline's place, and what comes after it is left out.
pub(crate) struct PlannedTarget {
    pub(crate) target: Target,
    /// `cfg` predicate: the architecture is one of the target's.
    pub(crate) arch: TokenStream,
    /// `cfg` predicate: the build enables the target's features, on its architectures.
    features: TokenStream,
    /// `cfg` predicate: the build enables the target for all code.
    pub(crate) enabled: TokenStream,
    /// `cfg` predicate: there is a clone.
    pub(crate) exists: TokenStream,
    /// `cfg` predicate: the target is decided on at run time.
    pub(crate) decides: TokenStream,
    /// Indices of the targets that are tried before this one.
    earlier: Vec<usize>,
    /// The target as a type, a `Set`.
    pub(crate) set: TokenStream,
}

impl Plan {
    pub(crate) fn new(targets: Vec<Target>, krate: Path) -> Plan {
        let span = Span::mixed_site();
        let private = quote_spanned!(span=> #krate::__private);
        let mut planned: Vec<PlannedTarget> = Vec::new();
        for target in targets {
            let earlier: Vec<usize> = (0..planned.len())
                .filter(|&i| planned[i].target.arches.iter().any(|arch| target.arches.contains(arch)))
                .collect();
            let arches = target.arches.iter().map(|arch| {
                let name = arch.cfg_name();
                quote!(target_arch = #name)
            });
            let arch = any(arches.collect());
            let features = target.leaf.iter().map(|feature| feature.name);
            // No build settles a property: it is asked for at run time, whatever `-C target-cpu` enables.
            let features =
                if target.has_property() { quote!(any()) } else { quote!(all(#(target_feature = #features),*)) };
            let enabled = quote!(all(#arch, #features));
            // Where the architecture is known to be the other's too, its features say it all.
            let earlier_enabled: Vec<&TokenStream> = earlier
                .iter()
                .map(|&i| &planned[i])
                .map(|other| if target.is_within(&other.target) { &other.features } else { &other.enabled })
                .collect();
            let exists =
                if earlier.is_empty() { arch.clone() } else { quote!(all(#arch, not(any(#(#earlier_enabled),*)))) };
            let decides = quote!(all(#arch, not(any(#(#earlier_enabled,)* #features))));
            let set = set(&target, &private);
            planned.push(PlannedTarget { target, arch, features, enabled, exists, decides, earlier, set });
        }
        let silenced: TokenStream = SILENCED.parse().unwrap_or_default();
        let clone = |target: &PlannedTarget| target.clone(&planned, &private, &silenced);
        let mut clones: Vec<PlannedClone> = planned.iter().map(clone).collect();
        let alike = |pair: &[PlannedTarget]| pair[0].target.arches == pair[1].target.arches;
        let taken = match planned.first() {
            Some(PlannedTarget { arch, .. }) if planned.windows(2).all(alike) => {
                let features = planned.iter().map(|target| &target.features);
                quote!(all(#arch, any(#(#features),*)))
            }
            _ => {
                let enabled = planned.iter().map(|target| &target.enabled);
                quote!(any(#(#enabled),*))
            }
        };
        clones.push(PlannedClone {
            exists: quote!(not(#taken)),
            label: "baseline".to_owned(),
            features: Features { names: Vec::new(), target: None },
        });
        let lacked = planned.iter().map(|PlannedTarget { decides, set, .. }| {
            quote_spanned!(span=> #[cfg(#decides)] unsafe { #private::assert_lacks::<#set>(); })
        });
        let baseline_assertion = lacked.collect();
        let proof = parse_quote_spanned!(span=> _: #private::Proof);
        Plan { krate, private, targets: planned, clones, baseline_assertion, proof, recorded: false }
    }
}

impl PlannedTarget {
    /// The target's `FeatureSet`, an expression.
    pub(crate) fn value(&self, private: &TokenStream) -> TokenStream {
        let set = &self.set;
        quote_spanned!(Span::mixed_site()=> <#set as #private::Set>::SET)
    }

    /// The dispatcher's test, an expression. Where the target is not possible in this program its clone is not compiled,
    /// at any level of optimisation: the constant stands in the condition itself.
    pub(crate) fn test(&self, private: &TokenStream) -> TokenStream {
        let set = &self.set;
        quote_spanned!(Span::mixed_site()=> <#set as #private::Set>::POSSIBLE && !#private::lacks::<#set>())
    }

    fn clone(&self, all: &[PlannedTarget], private: &TokenStream, silenced: &TokenStream) -> PlannedClone {
        let span = Span::mixed_site();
        let PlannedTarget { target, features, set: own, .. } = self;
        // Which earlier targets are absent is known on the architectures that they are on.
        let (narrower, earlier): (Vec<_>, Vec<_>) = self
            .earlier
            .iter()
            .map(|&i| {
                let (other, set) = (&all[i].arch, all[i].set.clone());
                let wider = !target.is_within(&all[i].target);
                (wider.then(|| quote_spanned!(span=> #[cfg(#other)])), set)
            })
            .unzip();
        let decides = quote_spanned!(span=> #[cfg(not(#features))]);
        let assertion = quote_spanned! {span=>
            #decides
            unsafe {
                #private::assert_present::<#own>();
                #(#narrower #private::assert_absent::<#earlier, #own>();)*
            }
        };
        let silence = quote_spanned!(span=> #[cfg_attr(not(#features), allow(#silenced))]);
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
        let code = TargetCode { enable, label: label.clone(), silence, decides, assertion, apart };
        PlannedClone { exists: self.exists.clone(), label, features: Features { names, target: Some(code) } }
    }

    /// `cfg` predicate: the target takes the baseline's place.
    pub(crate) fn elided(&self) -> TokenStream {
        let PlannedTarget { features, exists, .. } = self;
        quote!(all(#exists, #features))
    }
}

/// `cfg` predicate: one of `predicates` holds.
pub(crate) fn any(mut predicates: Vec<TokenStream>) -> TokenStream {
    if predicates.len() == 1 { predicates.remove(0) } else { quote!(any(#(#predicates),*)) }
}

/// The `Set` that `target` is, a type.
fn set(target: &Target, private: &TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let mut names = target.leaf.iter().map(|feature| {
        let name = proc_macro2::Ident::new(&feature.constant(), span);
        quote_spanned!(span=> #private::features::#name)
    });
    let first = names.next().unwrap_or_default();
    names.fold(first, |set, name| quote_spanned!(span=> (#set, #name)))
}
