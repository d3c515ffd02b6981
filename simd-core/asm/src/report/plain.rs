//! Calls of dispatched functions by unannotated code.

use core::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::calls::Callee;
use crate::function::Function;
use crate::path;
use crate::target;

/// A function without the attribute that calls dispatched ones: part of a [`Report`](crate::Report).
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

/// The calls of one dispatched function by a [`Caller`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatches {
    /// The path of the dispatched function.
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

    /// The dispatched functions that it calls, those from the most places first.
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
    let callers = plain.map(|function| Caller { path: function.path().to_owned(), calls: calls(function, &wanted) });
    let mut callers: Vec<Caller> = callers.filter(|caller| !caller.calls.is_empty()).collect();
    callers.sort_by_key(|caller| Reverse(caller.places()));
    callers
}

/// The calls of these clones in a function's first copy.
fn calls(function: &Function, wanted: &BTreeSet<u64>) -> Vec<Dispatches> {
    let loops = function.loops();
    let outside = path::outside_closures(&path::split(function.path(), "::")).join("::");
    // An inlined dispatcher is one place, and has a call for each target.
    let mut counts: BTreeMap<String, BTreeMap<String, (usize, usize)>> = BTreeMap::new();
    for call in function.calls() {
        let Callee::Function { path, address, .. } = call.callee else { continue };
        let dispatched = target::dispatched(&path, function.architecture())
            .filter(|(of, inside)| wanted.contains(&address) && inside.is_empty() && outside != *of);
        if let Some((of, _)) = dispatched {
            let (places, in_loops) = counts.entry(of).or_default().entry(path).or_default();
            *places += 1;
            *in_loops += usize::from(loops.iter().any(|found| found.body.contains(&call.index)));
        }
    }
    let most = counts.into_iter().filter_map(|(path, clones)| {
        let (places, in_loops) = clones.into_values().max()?;
        Some(Dispatches { path, places, in_loops })
    });
    let mut calls: Vec<Dispatches> = most.collect();
    calls.sort_by_key(|call| Reverse(call.places));
    calls
}
