//! The meaning of one list of targets for every function under it: its clones and their conditions.
//!
//! A build may enable features for all code (`-C target-cpu`). The first target that is enabled in this way is the last
//! that can ever be selected. Usually all clones have the same code, and constants of the library exclude the others:
//! then the compiler makes no code for them. But where `cfg(target_feature)` decides about a function's code, that of
//! another clone may call what rustc allows only in functions with a feature that the build enables and the clone's
//! target lacks. So clones of such a function are left out by `cfg`: see [`Plan::by_cfg`].

use core::cell::{LazyCell, OnceCell};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use crate::cfg::{Features, all, any, arch};
use crate::compiler::COMPILER;
use crate::features::{Feature, constant};
use crate::sig::Names;
use crate::targets::Target;
use crate::tokens::{code, is_word, map};

/// The name before ours in paths of an expansion that is written into a file.
pub const PLACE: &str = "__simd_core_expanded";

/// Between the names of a target's features in its own, in such an expansion.
pub(crate) const AND: &str = "_AND_";

/// As many types as a tuple has at most for which `simd_core::expanded` implements its traits.
pub(crate) const TUPLE: usize = 12;

/// The clones of every function under one attribute.
pub(crate) struct Plan {
    pub(crate) krate: Path,
    pub(crate) names: Names,
    /// The path of the items for our code only.
    pub(crate) private: PrivatePath,
    pub(crate) targets: Vec<PlannedTarget>,
    /// One for each target, in order, and the baseline.
    pub(crate) clones: Vec<PlannedClone>,
    /// A statement that asserts the results of the tests that lead to the baseline.
    pub(crate) baseline_assertion: TokenStream,
    /// A paragraph that names the targets. It exists for rustdoc only, so that to rustc an undocumented item remains
    /// one. And not for tests of documentation, since rustdoc counts its lines among those of the source.
    pub(crate) docs: TokenStream,
    /// Whether clones record that they run.
    pub(crate) recorded: bool,
    /// `cfg` predicate, in a plan by `cfg`: the build enables a target for all code, which replaces the baseline.
    pub(crate) enabled_by_build: Option<TokenStream>,
    /// The plan by `cfg`, once a function needs it.
    pub(crate) by_cfg_plan: OnceCell<Box<Plan>>,
    /// The plan of only the baseline, likewise.
    pub(crate) baseline: OnceCell<Box<Plan>>,
}

/// One copy of each function.
pub(crate) struct PlannedClone {
    /// `cfg` predicate: the clone exists. Nothing leaves the baseline out, except in a plan by `cfg`.
    exists: Option<TokenStream>,
    /// The suffix of its name.
    pub(crate) label: String,
    pub(crate) features: Features,
    /// `None` for the baseline.
    pub(crate) target: Option<TargetCode>,
}

/// One target, with the predicates under which its clone exists.
pub(crate) struct PlannedTarget {
    pub(crate) target: Target,
    /// `cfg` predicate: the architecture is one of the target's.
    pub(crate) arch: TokenStream,
    /// `cfg` predicate, in a plan by `cfg`: the build does not enable the target's features.
    pub(crate) not_enabled: Option<TokenStream>,
    /// `cfg` predicate: there is a clone.
    exists: TokenStream,
    /// Indices of the targets that are tried before this one.
    pub(crate) earlier: Vec<usize>,
    /// The target as a type, a `StaticTarget`.
    pub(crate) set: String,
    /// The dispatcher's `if` without its block, on the target's architectures. A constant that leaves the clone out of this
    /// program is in the condition itself: so the clone is not compiled at any level of optimisation.
    pub(crate) test: TokenStream,
}

/// The inputs for the code of a target's clone.
pub(crate) struct TargetCode {
    /// The list for `#[target_feature(enable = …)]`.
    pub(crate) enable: String,
    /// The suffix of clone names.
    pub(crate) label: String,
    /// A statement that asserts the results of the tests that select the clone: the target is present, and no earlier
    /// one is. Nothing for a compiler that does not optimise.
    pub(crate) assertion: TokenStream,
    /// The name of an awaited value.
    pub(crate) awaited: Ident,
    /// The code is that of the baseline, so nothing in it needs the features.
    pub(crate) shared: bool,
    /// The inputs for nested functions.
    pub(crate) nested: LazyCell<NestedCode, Box<dyn FnOnce() -> NestedCode>>,
}

/// The inputs for the code of a function nested in a target's clone.
pub(crate) struct NestedCode {
    /// A statement that asserts the target only.
    pub(crate) assertion: TokenStream,
    /// A statement that diverges unless the target is known to be present.
    pub(crate) check: TokenStream,
    /// A statement that diverges if an earlier target is present.
    pub(crate) check_earlier: TokenStream,
}

impl Plan {
    /// `names` are the user's, from which ours differ.
    pub(crate) fn new(targets: Vec<Target>, krate: Path, names: &Names) -> Plan {
        Plan::build(targets, krate, names.clone(), false)
    }

    /// The plan of functions about whose code `cfg(target_feature)` decides.
    pub(crate) fn by_cfg(&self) -> &Plan {
        if self.enabled_by_build.is_some() {
            return self;
        }
        self.by_cfg_plan.get_or_init(|| {
            let targets = self.targets.iter().map(|target| target.target.clone()).collect();
            let plan = Plan::build(targets, self.krate.clone(), self.names.clone(), true);
            Box::new(Plan { recorded: self.recorded, ..plan })
        })
    }

    /// The plan without clones for targets.
    pub(crate) fn of_baseline(&self) -> &Plan {
        self.baseline.get_or_init(|| Box::new(Plan::new(Vec::new(), self.krate.clone(), &self.names)))
    }

    fn build(targets: Vec<Target>, krate: Path, names: Names, by_cfg: bool) -> Plan {
        let (span, private) = (Span::mixed_site(), PrivatePath::of(&krate));
        let ours = &private.text;
        let mut planned: Vec<PlannedTarget> = Vec::new();
        // In a plan by `cfg`: the build enables each target.
        let mut enabled: Vec<TokenStream> = Vec::new();
        for target in targets {
            let earlier: Vec<usize> = (0..planned.len())
                .filter(|&i| planned[i].target.arches.iter().any(|arch| target.arches.contains(arch)))
                .collect();
            let arch = match planned.last() {
                Some(other) if other.target.arches == target.arches => other.arch.clone(),
                _ => arch(&target),
            };
            let set = set_type(&target, ours);
            let mut condition = format!("!{ours}::lacks::<{set}>()");
            if COMPILER.writes {
                condition = format!("const {{ {ours}::possible::<{set}>() }} && {condition}");
            } else if COMPILER.leaves_features_out {
                condition = format!("<{set} as {ours}::StaticTarget>::POSSIBLE && {condition}");
            }
            let mut test = private.code(&format!("if {condition}"));
            let (mut not_enabled, mut exists) = (None, arch.clone());
            if by_cfg {
                // No build decides a property: it is tested at run time, whatever `-C target-cpu` enables.
                let features = target.leaf.iter().map(|Feature { name, .. }| quote!(target_feature = #name));
                let own = if target.has_property() { quote!(any()) } else { all(features.collect()) };
                let before = any(earlier.iter().map(|&i| enabled[i].clone()).collect());
                exists = quote!(all(#arch, not(#before)));
                let condition = private.code(&condition);
                test = quote_spanned!(span=> #[cfg(#exists)] if #private::core::cfg!(#own) || #condition);
                enabled.push(quote!(all(#arch, #own)));
                not_enabled = Some(quote!(not(#own)));
            }
            planned.push(PlannedTarget { target, arch, not_enabled, exists, earlier, set, test });
        }
        let mut clones: Vec<PlannedClone> =
            planned.iter().map(|target| target.planned_clone(&planned, &private, &names)).collect();
        let groups = planned.chunk_by(|one, other| one.target.arches == other.target.arches);
        let baseline_assertion = groups.map(|group| lacking(group, &private)).collect();
        let enabled_by_build = by_cfg.then(|| any(enabled));
        let exists = enabled_by_build.as_ref().map(|enabled| quote!(not(#enabled)));
        let (label, features) = ("baseline".to_owned(), Features::default());
        clones.push(PlannedClone { exists, label, features, target: None });
        let listed: Vec<String> = planned.iter().map(|target| target.target.display()).collect();
        let listed = listed.join(", ");
        let docs = format!(
            "Compiled for {listed} and for a baseline. The first of these that the CPU supports is selected at run time."
        );
        let docs = code(&if COMPILER.writes {
            format!("#[doc = \"\"] #[doc = \" {docs}\"]")
        } else {
            format!("#[cfg_attr(all(doc, not(doctest)), doc = \"\\n\\n{docs}\")]")
        });
        Plan {
            krate,
            names,
            private,
            targets: planned,
            clones,
            baseline_assertion,
            docs,
            recorded: false,
            enabled_by_build,
            by_cfg_plan: OnceCell::new(),
            baseline: OnceCell::new(),
        }
    }

    /// The last parameter of each clone: only a dispatcher can call it.
    pub(crate) fn proof_parameter(&self) -> TokenStream {
        let private = &self.private;
        quote_spanned!(Span::mixed_site()=> _: #private::Proof)
    }

    /// A value for that parameter, which `unsafe` code makes.
    pub(crate) fn proof_value(&self) -> TokenStream {
        self.private.code(&format!("{}::Proof::new()", self.private.text))
    }
}

impl PlannedClone {
    /// The clone in messages.
    pub(crate) fn in_words(&self) -> String {
        self.target.as_ref().map_or("the baseline".to_owned(), |target| format!("the clone for {}", target.enable))
    }

    /// `cfg` predicate: the clone exists, and so does `predicate` hold.
    pub(crate) fn exists_and(&self, predicate: TokenStream) -> TokenStream {
        all(self.exists.iter().cloned().chain([predicate]).collect())
    }

    /// The attribute under which the clone exists.
    pub(crate) fn cfg(&self) -> Option<TokenStream> {
        self.exists.as_ref().map(|exists| quote_spanned!(Span::mixed_site()=> #[cfg(#exists)]))
    }
}

impl PlannedTarget {
    /// A constant of the target's `StaticTarget`, an expression.
    pub(crate) fn constant(&self, private: &PrivatePath, name: &str) -> TokenStream {
        private.code(&format!("<{} as {}::StaticTarget>::{name}", self.set, private.text))
    }

    fn planned_clone(&self, all: &[PlannedTarget], private: &PrivatePath, own_names: &Names) -> PlannedClone {
        let (span, ours) = (Span::mixed_site(), &private.text);
        let PlannedTarget { target, not_enabled, set: own, .. } = self;
        // Only tests are asserted.
        let only = not_enabled.as_ref().map(|not_enabled| quote_spanned!(span=> #[cfg(#not_enabled)]));
        // The absence of earlier targets is known on the architectures that they are on.
        let earlier: Vec<&PlannedTarget> = self.earlier.iter().map(|&i| &all[i]).collect();
        let mut places = TUPLE;
        let (everywhere, elsewhere): (Vec<&PlannedTarget>, Vec<&PlannedTarget>) = earlier.iter().partition(|other| {
            let fits = target.is_within(&other.target) && places > 0;
            places -= usize::from(fits);
            fits
        });
        let mut facts = if everywhere.is_empty() {
            format!("{ours}::assert_present::<{own}>()")
        } else {
            let sets = sets_type(everywhere.iter().map(|other| &*other.set));
            format!("{ours}::assert_selected::<{own}, {sets}>()")
        };
        for PlannedTarget { arch, set, .. } in elsewhere {
            facts = format!("{facts}; #[cfg({arch})] {ours}::assert_absent::<{set}, {own}>();");
        }
        let assertion = asserted(&facts, only.as_ref(), private);
        let earlier = earlier.iter().map(|other| {
            let (arch, wider) = (&other.arch, !target.is_within(&other.target));
            (wider.then(|| quote_spanned!(span=> #[cfg(#arch)])), other.set.clone())
        });
        let earlier: Vec<_> = earlier.collect();
        let (enable, label) = (target.enable(), target.label());
        let names = target.full.iter().map(|feature| feature.name).collect();
        let (awaited, private, own) = (own_names.variable("awaited"), private.clone(), own.clone());
        let nested = move || {
            let ours = &private.text;
            let lost = private.code(&in_body(format!("{{ {ours}::target_lost() }}")));
            let tests = earlier.iter().map(|(narrower, earlier)| {
                let enabled = if COMPILER.writes {
                    format!("{ours}::enabled::<{own}>()")
                } else {
                    format!("<{own} as {ours}::StaticTarget>::ENABLED")
                };
                let test = format!("if !{enabled} && {ours}::present::<{earlier}>()");
                let test = private.code(&in_body(test));
                quote_spanned!(span=> #narrower #test #lost)
            });
            let check = private.code(&in_body(format!("if {ours}::lacks::<{own}>()")));
            NestedCode {
                assertion: asserted(&format!("{ours}::assert_present::<{own}>()"), only.as_ref(), &private),
                check: quote_spanned!(span=> #only #check #lost),
                check_earlier: quote_spanned!(span=> #only { #(#tests)* }),
            }
        };
        let nested = LazyCell::new(Box::new(nested) as Box<dyn FnOnce() -> NestedCode>);
        let shared = not_enabled.is_none();
        let target = Some(TargetCode { enable, label: label.clone(), assertion, awaited, shared, nested });
        PlannedClone { exists: Some(self.exists.clone()), label, features: Features { names }, target }
    }
}

/// The path of the items for our code.
///
/// It is written in full wherever it stands. Our statements stand in the user's bodies, where a macro or an import with `*`
/// can declare a module of any name, so that a short name for the path could mean something else there.
#[derive(Clone)]
pub(crate) struct PrivatePath {
    path: Path,
    /// The path in text for [`code`](Self::code).
    pub(crate) text: String,
}

impl PrivatePath {
    /// A path of the user's in text: it may contain `$crate`, or be of another edition.
    const PLACE: &str = "__simd_core";

    fn of(krate: &Path) -> PrivatePath {
        if COMPILER.writes {
            return PrivatePath { path: Ident::new(PLACE, Span::call_site()).into(), text: PLACE.to_owned() };
        }
        let mut path = krate.clone();
        path.segments.push(Ident::new("__private", Span::mixed_site()).into());
        let mut segments = krate.segments.iter();
        let default =
            krate.leading_colon.is_some() && segments.len() == 1 && segments.all(|one| one.ident == "simd_core");
        let text = if default { "::simd_core::__private" } else { PrivatePath::PLACE };
        PrivatePath { path, text: text.to_owned() }
    }

    /// The tokens of `text`.
    pub(crate) fn code(&self, text: &str) -> TokenStream {
        let tokens = code(text);
        if self.text == PrivatePath::PLACE { self.replace(tokens) } else { tokens }
    }

    fn replace(&self, tokens: TokenStream) -> TokenStream {
        map(tokens, &mut |tokens, at| is_word(tokens.get(at), PrivatePath::PLACE).then(|| self.path.to_token_stream()))
    }
}

impl ToTokens for PrivatePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.path.to_tokens(tokens);
    }
}

/// Statements of the baseline: the CPU lacks each of these targets, which are on the same architectures.
fn lacking(group: &[PlannedTarget], private: &PrivatePath) -> TokenStream {
    let (span, ours, arch) = (Span::mixed_site(), &private.text, &group[0].arch);
    let statements = group.chunks(TUPLE).map(|group| {
        let sets = sets_type(group.iter().map(|target| &*target.set));
        let assertion = private.code(&match group {
            [PlannedTarget { set, .. }] => statement(&format!("{ours}::assert_lacks::<{set}>()")),
            _ => statement(&format!("{ours}::assert_none::<{sets}>()")),
        });
        // A block with an attribute would be three lines.
        let assertion = if COMPILER.writes { quote!(let () = #assertion;) } else { assertion };
        quote_spanned!(span=> #[cfg(#arch)] #assertion)
    });
    if COMPILER.optimises { statements.collect() } else { TokenStream::new() }
}

/// The statement that asserts `facts` behind an attribute, for a compiler that optimises.
fn asserted(facts: &str, attribute: Option<&TokenStream>, private: &PrivatePath) -> TokenStream {
    let assertion = COMPILER.optimises.then(|| private.code(&statement(facts)));
    assertion.map_or_else(TokenStream::new, |assertion| quote!(#attribute #assertion))
}

/// A statement that asserts `facts`, a call.
fn statement(facts: &str) -> String {
    // To a reader, the semicolon would be two lines.
    let end = if COMPILER.writes { "" } else { ";" };
    in_body(format!("unsafe {{ {facts}{end} }}"))
}

/// `text` for a place in the user's body, where a macro may make an item of our name in a written file.
pub(crate) fn in_body(text: String) -> String {
    if COMPILER.writes { text.replace(PLACE, &format!("self::{PLACE}")) } else { text }
}

/// `sets` as a `Sets`, a type.
fn sets_type<'a>(sets: impl DoubleEndedIterator<Item = &'a str>) -> String {
    if COMPILER.writes {
        let sets: Vec<&str> = sets.collect();
        return format!("({},)", sets.join(", "));
    }
    sets.rev().fold("()".to_owned(), |rest, set| format!("({set}, {rest})"))
}

/// The `StaticTarget` that `target` is, a type.
fn set_type(target: &Target, ours: &str) -> String {
    if COMPILER.writes {
        return format!("{ours}::{}", name_of(&target.parts));
    }
    let parts = target.parts.iter().map(|part| format!("{ours}::{}", constant(part, Span::call_site())));
    parts.reduce(|set, one| format!("({set}, {one})")).unwrap_or_default()
}

/// The name of a target with these parts: that of its only part, or of all.
fn name_of(parts: &[&str]) -> String {
    let parts = parts.iter().map(|part| constant(part, Span::call_site()).to_string());
    parts.collect::<Vec<_>>().join(AND)
}
