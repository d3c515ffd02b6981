//! The calls that are left in a function, and what each leads to.

use std::collections::BTreeMap;

use crate::calls::{Call, Callee};
use crate::code::Code;
use crate::features::Features;
use crate::panics;
use crate::program::Program;
use crate::target::Target;

/// What a callee is: see [`Function::calls_left`](crate::Function::calls_left).
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core_asm::CalleeKind;
///
/// #[inline(never)]
/// pub fn element_at(values: &[u64], n: usize) -> u64 {
///     values[n] // can panic
/// }
///
/// # element_at(core::hint::black_box(&[1, 2]), core::hint::black_box(1));
/// let left = simd_core_asm::function("element_at")?.calls_left();
/// assert!(left.iter().any(|call| call.kind == CalleeKind::Panic));
/// # Ok::<(), simd_core_asm::Error>(())
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
/// #[inline(never)]
/// pub fn helper(x: u64) -> u64 {
///     x.rotate_left(9) ^ 5
/// }
///
/// #[inline(never)]
/// pub fn helped(a: u64, b: u64) -> u64 {
///     helper(a).wrapping_mul(helper(b))
/// }
///
/// # helped(core::hint::black_box(1), core::hint::black_box(2));
/// for call in simd_core_asm::function("helped")?.calls_left() {
///     println!("{} times {}: {:?}", call.times, call.callee, call.kind);
/// }
/// # Ok::<(), simd_core_asm::Error>(())
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
    /// Whether they are all jumps, after which nothing is left to do.
    pub is_tail: bool,
}

pub(crate) fn kind(program: &Program, callee: &Callee) -> CalleeKind {
    match callee {
        Callee::Import(_) => CalleeKind::Import,
        Callee::Indirect => CalleeKind::Indirect,
        Callee::Function { path, .. } if panics::only_panics(path) => CalleeKind::Panic,
        Callee::Function { .. } if callee.decides() => CalleeKind::Dispatcher,
        Callee::Function { target: Some(target), .. } => CalleeKind::Clone(*target),
        Callee::Function { .. } => {
            let decides = program.code_of(callee).is_some_and(|code| !code.dispatches(program).is_empty());
            if decides { CalleeKind::Dispatcher } else { CalleeKind::NotDispatched }
        }
    }
}

pub(crate) fn calls_left(program: &Program, copy: &Code) -> Vec<CallLeft> {
    let mut groups: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    for call in copy.calls(program) {
        groups.entry(call.callee.to_string()).or_default().push(call);
    }
    let left = |calls: Vec<Call>| CallLeft {
        kind: kind(program, &calls[0].callee),
        times: calls.len(),
        is_tail: calls.iter().all(|call| call.is_tail),
        callee: calls[0].callee.clone(),
    };
    groups.into_values().map(left).collect()
}

/// `kind` in words, seen from a function with the target `from`.
pub(crate) fn describe(from: Option<Target>, callee: &Callee, kind: CalleeKind) -> String {
    match kind {
        CalleeKind::Clone(target) => relation(from, target),
        CalleeKind::Dispatcher if callee.decides() => "dispatch: asks what the CPU has".to_owned(),
        CalleeKind::Dispatcher => "dispatcher: no clone, decides again".to_owned(),
        CalleeKind::NotDispatched => "not dispatched: no clone, compiled for the build's own features".to_owned(),
        CalleeKind::Panic => "panics".to_owned(),
        CalleeKind::Import => "in another library".to_owned(),
        CalleeKind::Indirect => "known only at run time; compiled for the baseline, if it is ordinary code".to_owned(),
    }
}

fn relation(from: Option<Target>, target: Target) -> String {
    match (from, target) {
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

/// Whether a function with these features loses nothing by calling a clone for `target`.
pub(crate) fn fits(features: &Features, from: Option<Target>, target: Target) -> bool {
    match target {
        Target::Features(theirs) => features.contains_all(&theirs),
        // The baseline calls baselines.
        Target::Baseline => !matches!(from, Some(Target::Features(_))),
    }
}
