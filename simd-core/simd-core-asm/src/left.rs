//! The calls that are left in a function, and the kind of each callee.

use std::collections::BTreeMap;

use crate::calls::{Call, Callee};
use crate::code::Code;
use crate::features::Features;
use crate::program::Program;
use crate::standard;
use crate::target::Target;

/// The kind of a callee: see [`Function::calls_left`](crate::Function::calls_left).
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
    /// A clone, or a closure or coroutine in one.
    Clone(Target),
    /// Code without a clone that tests CPU features: a dispatcher that was not inlined, unannotated code that contains
    /// one, or simd-core's own test.
    Dispatcher,
    /// Code without a clone whose instructions need these features beyond those of the build: a function with a
    /// `#[target_feature]` of its own.
    Featured(Features),
    /// Unannotated code, compiled for the features of the build. Its callees may test features.
    NotDispatched,
    /// A function of the standard library that only panics.
    Panic,
    /// A function of the standard library that allocates, frees or moves memory on the heap.
    Memory,
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
    /// Its kind.
    pub kind: CalleeKind,
    /// The number of calls, jumps to it included.
    pub times: usize,
    /// Whether all of them are tail calls.
    pub is_tail: bool,
    /// Whether it is a clone for the caller's own target that is called in a loop, and nowhere else.
    pub is_lone_in_loop: bool,
}

/// `enabled` are the features of the build.
pub(crate) fn kind(program: &Program, enabled: &Features, callee: &Callee) -> CalleeKind {
    match callee {
        Callee::Import(_) => CalleeKind::Import,
        Callee::Indirect => CalleeKind::Indirect,
        Callee::Function { path, .. } if standard::only_panics(path) => CalleeKind::Panic,
        Callee::Function { path, .. } if standard::manages_memory(path) => CalleeKind::Memory,
        Callee::Function { .. } if callee.decides() => CalleeKind::Dispatcher,
        Callee::Function { target: Some(target), .. } => CalleeKind::Clone(*target),
        Callee::Function { .. } => {
            let Some(code) = program.code_of(callee) else { return CalleeKind::NotDispatched };
            let needs = code.needs(enabled);
            if !code.dispatches(program).is_empty() {
                CalleeKind::Dispatcher
            } else if needs.is_empty() {
                CalleeKind::NotDispatched
            } else {
                CalleeKind::Featured(needs)
            }
        }
    }
}

/// `from` is the target of the function with this code.
pub(crate) fn calls_left(program: &Program, enabled: &Features, from: Option<Target>, copy: &Code) -> Vec<CallLeft> {
    let mut groups: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    for call in copy.calls(program) {
        groups.entry(call.callee.to_string()).or_default().push(call);
    }
    let loops = copy.loops();
    let in_loop = |call: &Call| loops.iter().any(|found| found.body.contains(&call.index));
    let left = |calls: Vec<Call>| CallLeft {
        kind: kind(program, enabled, &calls[0].callee),
        times: calls.len(),
        is_tail: calls.iter().all(|call| call.is_tail),
        is_lone_in_loop: matches!(
            calls[0].callee,
            Callee::Function { address, target: Some(Target::Features(_)), .. }
                if calls[0].callee.target() == from && calls.iter().any(in_loop) && program.has_one_caller(address)
        ),
        callee: calls[0].callee.clone(),
    };
    groups.into_values().map(left).collect()
}

/// `kind` in words, seen from a function with the target `from`.
pub(crate) fn describe(from: Option<Target>, callee: &Callee, kind: CalleeKind) -> String {
    match kind {
        CalleeKind::Clone(target) => relation(from, target),
        CalleeKind::Dispatcher if callee.decides() => "dispatch: tests CPU features".to_owned(),
        CalleeKind::Dispatcher => "dispatcher: no clone, tests again".to_owned(),
        CalleeKind::Featured(theirs) => format!("hand-written, its instructions need {}", compared(from, theirs)),
        CalleeKind::NotDispatched => "not dispatched: no clone, compiled for the build's own features".to_owned(),
        CalleeKind::Panic => "panics".to_owned(),
        CalleeKind::Memory => "memory on the heap".to_owned(),
        CalleeKind::Import => "in another library".to_owned(),
        CalleeKind::Indirect => {
            "known only at run time; compiled for the baseline, if it is unannotated code".to_owned()
        }
    }
}

/// The note behind the description of a call with [`CallLeft::is_lone_in_loop`].
pub(crate) const LONE: &str = "; called in a loop, and from nowhere else";

fn relation(from: Option<Target>, target: Target) -> String {
    match (from, target) {
        (Some(Target::Features(_)), Target::Baseline) => "baseline clone, without this target's features".to_owned(),
        (_, Target::Features(theirs)) => format!("clone for {}", compared(from, theirs)),
        (_, target) => format!("clone for {target}"),
    }
}

/// A callee's features, compared with those of a caller that is a clone for a target.
fn compared(from: Option<Target>, theirs: Features) -> String {
    let Some(Target::Features(mine)) = from else { return theirs.to_string() };
    let relation = if mine == theirs {
        "as here"
    } else if theirs.contains_all(&mine) {
        "more than here"
    } else if mine.contains_all(&theirs) {
        "fewer than here"
    } else {
        "others than here"
    };
    format!("{theirs}, {relation}")
}

/// Whether a function with these features loses nothing by calling a clone for `target`.
pub(crate) fn fits(features: &Features, from: Option<Target>, target: Target) -> bool {
    match target {
        Target::Features(theirs) => features.contains_all(&theirs),
        // The baseline calls baselines.
        Target::Baseline => !matches!(from, Some(Target::Features(_))),
    }
}
