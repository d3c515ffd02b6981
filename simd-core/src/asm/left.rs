//! The calls that are left in a function, and what each leads to.

use crate::asm::prelude::*;
use std::collections::BTreeMap;

use super::binary::Inner;
use super::code::{Call, Callee, Code, DISPATCH};
use super::{Features, Function, Target, listing};

/// What a callee is: see [`Function::calls_left`].
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod kinds { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # kinds::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("kinds::sum")?;
/// let lost = |kind| matches!(kind, simd_core::asm::CalleeKind::NotDispatched);
/// println!("{} lost", sum.calls_left().iter().filter(|call| lost(call.kind)).count());
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CalleeKind {
    /// A clone, or a closure or coroutine that lies in one.
    Clone(Target),
    /// No clone, and it decides: a dispatcher that was not inlined, ordinary code with one in it, or simd-core's own
    /// decision.
    Dispatcher,
    /// Ordinary code, compiled for the features of the build. It may call what decides.
    NotDispatched,
    /// A function that does nothing but panic, of the standard library.
    Panic,
    /// A function of another library.
    Import,
    /// Known only at run time: a function pointer or a method of a trait object.
    Indirect,
}

/// A callee that was not inlined.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod call_left { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # call_left::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("call_left::sum")?;
/// for call in sum.calls_left() {
///     println!("{} times {}", call.times, call.callee);
/// }
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallLeft {
    /// The callee.
    pub callee: Callee,
    /// What it is.
    pub kind: CalleeKind,
    /// How many calls of it there are, jumps to it included.
    pub times: usize,
    /// Are they all jumps, after which nothing is left to do?
    pub is_tail: bool,
}

pub(super) fn kind(inner: &Inner, callee: &Callee) -> CalleeKind {
    match callee {
        Callee::Import(_) => CalleeKind::Import,
        Callee::Indirect => CalleeKind::Indirect,
        Callee::Function { path, .. } if listing::only_panics(path) => CalleeKind::Panic,
        Callee::Function { path, .. } if path.starts_with(DISPATCH) => CalleeKind::Dispatcher,
        Callee::Function { target: Some(target), .. } => CalleeKind::Clone(*target),
        Callee::Function { address, .. } => {
            let code = inner.symbol_at(*address).map(|symbol| inner.code(symbol));
            let decides = code.is_some_and(|code| !code.dispatches(inner).is_empty());
            if decides { CalleeKind::Dispatcher } else { CalleeKind::NotDispatched }
        }
    }
}

pub(super) fn calls_left(inner: &Inner, copy: &Code) -> Vec<CallLeft> {
    let mut groups: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    for call in copy.calls(inner) {
        groups.entry(call.callee.to_string()).or_default().push(call);
    }
    let left = |calls: Vec<Call>| CallLeft {
        kind: kind(inner, &calls[0].callee),
        times: calls.len(),
        is_tail: calls.iter().all(|call| call.is_tail),
        callee: calls[0].callee.clone(),
    };
    groups.into_values().map(left).collect()
}

/// `kind` in words, seen from `function`.
pub(super) fn describe(function: &Function, callee: &Callee, kind: CalleeKind) -> String {
    match kind {
        CalleeKind::Clone(target) => relation(function, target),
        CalleeKind::Dispatcher if callee.name().is_some_and(|path| path.starts_with(DISPATCH)) => {
            "dispatch: asks what the CPU has".to_owned()
        }
        CalleeKind::Dispatcher => "dispatcher: no clone, decides again".to_owned(),
        CalleeKind::NotDispatched => "not dispatched: no clone, compiled for the build's own features".to_owned(),
        CalleeKind::Panic => "panics".to_owned(),
        CalleeKind::Import => "in another library".to_owned(),
        CalleeKind::Indirect => "known only at run time; compiled for the baseline, if it is ordinary code".to_owned(),
    }
}

fn relation(function: &Function, target: Target) -> String {
    match (function.target(), target) {
        (None | Some(Target::Baseline), target) => format!("clone for {target}"),
        (Some(Target::Features(_)), Target::Baseline) => "baseline clone, without this target's features".to_owned(),
        (Some(Target::Features(mine)), Target::Features(theirs)) => {
            let relation = if mine == theirs {
                "as here"
            } else if theirs.contains_all(&mine) {
                "more than here"
            } else if mine.contains_all(&theirs) {
                "fewer than here"
            } else {
                "others than here"
            };
            format!("clone for {theirs}, {relation}")
        }
    }
}

/// Does a function with these features lose nothing by calling a clone for `target`?
pub(super) fn fits(features: &Features, caller: Option<Target>, target: Target) -> bool {
    match target {
        Target::Features(theirs) => features.contains_all(&theirs),
        // The baseline calls baselines.
        Target::Baseline => !matches!(caller, Some(Target::Features(_))),
    }
}
