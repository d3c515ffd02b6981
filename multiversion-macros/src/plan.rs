//! What one list of targets means for every function under it: which clones there are, and when.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;

use crate::targets::Target;
use crate::transform::{Features, TargetCode};

/// The clones that every function under one attribute gets.
pub(crate) struct Plan {
    pub(crate) krate: Path,
    pub(crate) targets: Vec<PlannedTarget>,
    /// One for each target, in order, and the baseline.
    pub(crate) clones: Vec<PlannedClone>,
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
    /// `cfg` predicate: the build enables the target for all code.
    pub(crate) enabled: TokenStream,
    /// `cfg` predicate: there is a clone.
    pub(crate) exists: TokenStream,
    /// Indices of the targets that are tried before this one.
    pub(crate) earlier: Vec<usize>,
    /// The target as a type, a `Set`.
    pub(crate) set: TokenStream,
}

impl Plan {
    pub(crate) fn new(targets: Vec<Target>, krate: Path) -> Plan {
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
            let enabled =
                if target.has_property() { quote!(any()) } else { quote!(all(#arch, #(target_feature = #features),*)) };
            let exists = if earlier.is_empty() {
                arch.clone()
            } else {
                let enabled = earlier.iter().map(|&i| &planned[i].enabled);
                quote!(all(#arch, not(any(#(#enabled),*))))
            };
            let set = set(&target, &krate);
            planned.push(PlannedTarget { target, arch, enabled, exists, earlier, set });
        }
        let mut clones: Vec<PlannedClone> = planned.iter().map(|target| target.clone(&planned, &krate)).collect();
        let enabled = planned.iter().map(|target| &target.enabled);
        clones.push(PlannedClone {
            exists: quote!(not(any(#(#enabled),*))),
            label: "baseline".to_owned(),
            features: Features { names: Vec::new(), target: None },
        });
        Plan { krate, targets: planned, clones, recorded: false }
    }

    /// A statement that asserts what the baseline's being chosen has shown.
    pub(crate) fn baseline_assertion(&self) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.krate;
        let (decides, sets): (Vec<_>, Vec<_>) =
            self.targets.iter().map(|target| (target.decides(), &target.set)).unzip();
        let some = any(decides.clone());
        quote_spanned! {span=>
            #[cfg(#some)]
            unsafe { #(#[cfg(#decides)] #krate::__private::assert_lacks::<#sets>();)* }
        }
    }
}

impl PlannedTarget {
    /// The target's `FeatureSet`, an expression.
    pub(crate) fn value(&self, krate: &Path) -> TokenStream {
        let set = &self.set;
        quote_spanned!(Span::mixed_site()=> <#set as #krate::__private::Set>::SET)
    }

    /// The dispatcher's test, an expression. Where the target is not possible in this program its clone is not compiled,
    /// at any level of optimisation: the constant stands in the condition itself.
    pub(crate) fn test(&self, krate: &Path) -> TokenStream {
        let set = &self.set;
        quote_spanned!(Span::mixed_site()=> <#set as #krate::__private::Set>::POSSIBLE && !#krate::__private::lacks::<#set>())
    }

    fn clone(&self, all: &[PlannedTarget], krate: &Path) -> PlannedClone {
        let span = Span::mixed_site();
        let PlannedTarget { target, enabled, exists, earlier, set: own, .. } = self;
        // Which earlier targets are absent is known on the architectures that they are on.
        let narrower = |i: usize| {
            let other = &all[i].arch;
            (target.arches.iter().any(|arch| !all[i].target.arches.contains(arch)))
                .then(|| quote_spanned!(span=> #[cfg(#other)]))
        };
        let absent = earlier.iter().map(|&i| {
            let (set, narrower) = (&all[i].set, narrower(i));
            quote_spanned!(span=> #narrower #krate::__private::assert_absent::<#set, #own>();)
        });
        let decides = quote_spanned!(span=> #[cfg(not(#enabled))]);
        let assertion = quote_spanned! {span=>
            #decides
            unsafe { #krate::__private::assert_present::<#own>(); #(#absent)* }
        };
        let assertion_own = quote_spanned! {span=>
            #decides
            unsafe { #krate::__private::assert_present::<#own>(); }
        };
        let check = quote_spanned! {span=>
            #decides
            if #krate::__private::lacks::<#own>() { #krate::__private::target_lost() }
        };
        let earlier_present = earlier.iter().map(|&i| {
            let (set, narrower) = (&all[i].set, narrower(i));
            quote_spanned! {span=>
                #narrower
                if #krate::__private::present::<#set>() { #krate::__private::target_lost() }
            }
        });
        let check_earlier = if earlier.is_empty() {
            TokenStream::new()
        } else {
            quote_spanned!(span=> #decides { #(#earlier_present)* })
        };
        let (enable, label, enabled) = (target.enable(), target.label(), enabled.clone());
        let code = TargetCode { enable, label, enabled, decides, assertion, assertion_own, check, check_earlier };
        let names = target.features();
        PlannedClone { exists: exists.clone(), label: target.label(), features: Features { names, target: Some(code) } }
    }

    /// `cfg` predicate: the target is decided on at run time.
    pub(crate) fn decides(&self) -> TokenStream {
        let PlannedTarget { enabled, exists, .. } = self;
        quote!(all(#exists, not(#enabled)))
    }

    /// `cfg` predicate: the target takes the baseline's place.
    pub(crate) fn elided(&self) -> TokenStream {
        let PlannedTarget { enabled, exists, .. } = self;
        quote!(all(#exists, #enabled))
    }
}

/// `cfg` predicate: one of `predicates` holds.
pub(crate) fn any(mut predicates: Vec<TokenStream>) -> TokenStream {
    if predicates.len() == 1 { predicates.remove(0) } else { quote!(any(#(#predicates),*)) }
}

/// The `Set` that `target` is, a type.
fn set(target: &Target, krate: &Path) -> TokenStream {
    let span = Span::mixed_site();
    let mut names = target.leaf.iter().map(|feature| {
        let name = proc_macro2::Ident::new(&feature.constant(), span);
        quote_spanned!(span=> #krate::__private::features::#name)
    });
    let first = names.next().unwrap_or_default();
    names.fold(first, |set, name| quote_spanned!(span=> (#set, #name)))
}
