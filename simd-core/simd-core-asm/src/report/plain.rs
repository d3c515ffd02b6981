//! Calls between dispatched functions, hand-written ones and unannotated code.

use core::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::calls::Callee;
use crate::function::Function;
use crate::left::{self, CalleeKind};
use crate::path;
use crate::target;

/// A function without the attribute, and its calls that cost something: part of a [`Report`](crate::Report).
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core::dispatch;
///
/// #[dispatch(targets = "avx2 | sse4.1 | aes")]
/// pub fn triple(value: u64) -> u64 {
///     value.wrapping_mul(3)
/// }
///
/// #[inline(never)]
/// pub fn triples(values: &mut [u64]) {
///     values.iter_mut().for_each(|value| *value = triple(*value)); // a test and a call for each
/// }
///
/// # triples(core::hint::black_box(&mut [1, 2]));
/// for caller in simd_core_asm::report("triple")?.callers() {
///     for call in caller.calls() {
///         println!("{} calls {}: {} places, {} in loops", caller.path(), call.path, call.places, call.in_loops);
///     }
/// }
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Caller {
    path: String,
    calls: Vec<Dispatches>,
}

/// The calls of one function by a [`Caller`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatches {
    /// The path of the function that is called: a dispatched one, or that of [`Report::hand_written`](crate::Report::hand_written).
    pub path: String,
    /// The number of places that call it.
    pub places: usize,
    /// The number of these that are in loops.
    pub in_loops: usize,
}

impl Caller {
    /// The caller's path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The functions that it calls, those from the most places first.
    #[must_use]
    pub fn calls(&self) -> &[Dispatches] {
        &self.calls
    }

    /// Whether the calls of one function may be a large part of its work: one is in a loop, or there are as many as if a
    /// loop had been unrolled.
    #[must_use]
    pub fn is_hot(&self) -> bool {
        const MANY: usize = 8;
        self.calls.iter().any(|call| call.in_loops > 0 || call.places >= MANY)
    }

    /// The number of places that call.
    #[must_use]
    pub fn places(&self) -> usize {
        self.calls.iter().map(|call| call.places).sum()
    }
}

/// The callers of these clones that are neither clones nor dispatchers, those that call from the most places first.
pub(super) fn callers<'a>(clones: impl Iterator<Item = &'a Function> + Clone) -> Vec<Caller> {
    let Some(binary) = clones.clone().next().map(|clone| &clone.binary) else { return Vec::new() };
    let program = &binary.program;
    let wanted: BTreeSet<u64> = clones.flat_map(Function::addresses).collect();
    let symbols = program.callers_of(&wanted).into_iter().filter_map(|address| program.symbol_at(address));
    let functions = binary.join(symbols.map(|symbol| (symbol, symbol.path())));
    let plain = functions.iter().filter(|function| function.target().is_none());
    sorted(plain.map(|function| {
        let outside = path::outside_closures(&path::split(function.path(), "::")).join("::");
        calls(function, |callee| {
            let Callee::Function { path, address, .. } = callee else { return None };
            let (of, inside) = target::dispatched(&path, function.architecture())?;
            (wanted.contains(&address) && inside.is_empty() && outside != of).then_some((of, path))
        })
    }))
}

/// The functions in the crates of these clones that compute on vectors with features of their own, and call such code of
/// their crate that lacks the features.
pub(super) fn hand_written<'a>(clones: impl Iterator<Item = &'a Function> + Clone) -> Vec<Caller> {
    let Some(binary) = clones.clone().next().map(|clone| &clone.binary) else { return Vec::new() };
    let (program, enabled) = (&*binary.program, &binary.enabled);
    let crates: BTreeSet<&str> = clones.map(|clone| path::of_crate(clone.path())).collect();
    let symbols = program.symbols.iter().map(|symbol| (symbol, symbol.path()));
    let functions = binary.join(symbols.filter(|(_, path)| crates.contains(path::of_crate(path))));
    let has_own = |function: &&Function| {
        function.target().is_none() && function.code().any(|code| code.has_vectors(|i| !i.lacking(enabled).is_empty()))
    };
    sorted(functions.iter().filter(has_own).map(|function| {
        calls(function, |callee| {
            let path = callee.name()?.to_owned();
            let is_near =
                path::of_crate(&path) == path::of_crate(function.path()) && !path.starts_with(function.path());
            let lost = is_near
                && left::kind(program, enabled, &callee) == CalleeKind::NotDispatched
                && program.code_of(&callee)?.has_vectors(|_| true);
            lost.then(|| (path.clone(), path))
        })
    }))
}

/// Whether the caller of this path belongs to a harness of benches or tests, or to a bench: nobody would annotate it. `paths`
/// are those of the program's functions, and `crates` have dispatched ones.
pub(super) fn measures(paths: &[String], crates: &BTreeSet<&str>) -> impl Fn(&str) -> bool {
    const HARNESSES: [&str; 2] = ["criterion", "divan"];
    const SHIMS: [&str; 3] = ["std::", "test::", "core::ops::function::"];
    let is_bench = paths.iter().any(|path| HARNESSES.contains(&path::of_crate(path)));
    let mut mains = paths.iter().filter_map(|path| path.strip_suffix("::main"));
    let bench = mains.find(|of| is_bench && *of == path::of_crate(of) && !crates.contains(of));
    move |caller| {
        let of = path::of_crate(caller);
        HARNESSES.contains(&of)
            || bench == Some(of)
            || SHIMS.iter().any(|shim| caller.trim_start_matches('<').starts_with(shim))
    }
}

/// Those that call from the most places first.
fn sorted(callers: impl Iterator<Item = Caller>) -> Vec<Caller> {
    let mut callers: Vec<Caller> = callers.filter(|caller| !caller.calls.is_empty()).collect();
    callers.sort_by_key(|caller| Reverse(caller.places()));
    callers
}

/// The calls in a function's first copy that `wanted` names, by what is called, and as which clone.
fn calls(function: &Function, wanted: impl Fn(Callee) -> Option<(String, String)>) -> Caller {
    let loops = function.loops();
    // An inlined dispatcher is one place, and has a call for each target.
    let mut counts: BTreeMap<String, BTreeMap<String, (usize, usize)>> = BTreeMap::new();
    for call in function.calls() {
        let Some((of, path)) = wanted(call.callee) else { continue };
        let (places, in_loops) = counts.entry(of).or_default().entry(path).or_default();
        *places += 1;
        *in_loops += usize::from(loops.iter().any(|found| found.body.contains(&call.index)));
    }
    let most = counts.into_iter().filter_map(|(path, clones)| {
        let (places, in_loops) = clones.into_values().max()?;
        Some(Dispatches { path, places, in_loops })
    });
    let mut calls: Vec<Dispatches> = most.collect();
    calls.sort_by_key(|call| Reverse(call.places));
    Caller { path: function.path().to_owned(), calls }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_and_their_harnesses_are_no_callers_to_annotate() {
        let paths = |all: &[&str]| -> Vec<String> { all.iter().map(|&path| path.to_owned()).collect() };
        let bench = paths(&["core::fmt::write", "kernels::main", "<criterion::Bencher>::iter::<u32>"]);
        let measured = |caller: &str, crates: &[&str]| measures(&bench, &crates.iter().copied().collect())(caller);
        for caller in ["<criterion::Bencher>::iter::<u32>", "kernels::all", "std::rt::lang_start::<()>::{closure#0}"] {
            assert!(measured(caller, &["app"]), "{caller}");
        }
        for caller in
            ["app::unrolled", "<app::Words as core::iter::Sum>::sum", "alloc::vec::in_place_collect::from_iter"]
        {
            assert!(!measured(caller, &["app"]), "{caller}");
        }
        // A library of the bench's name, and a program that is no bench.
        assert!(!measured("kernels::all", &["kernels"]));
        assert!(!measures(&paths(&["kernels::main"]), &BTreeSet::new())("kernels::all"));
    }
}
