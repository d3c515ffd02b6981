//! Clones by their names: the last part of the path is `__`, the function's name, `__`, and the target's features or
//! `baseline`.

use core::fmt;

use crate::architecture::Architecture;
use crate::features::{self, Features};
use crate::path::{self, Segment, ends_with, parse, plain};

/// The target of a clone.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core::dispatch;
/// use simd_core_asm::Target;
///
/// #[dispatch(targets = "avx2 | sse4.1 | aes")]
/// pub fn cubes(values: &mut [u32]) {
///     values.iter_mut().for_each(|value| *value = value.wrapping_pow(3));
/// }
///
/// # cubes(core::hint::black_box(&mut [1, 2]));
/// for clone in &simd_core_asm::clones("cubes")? {
///     match clone.target() {
///         Some(Target::Features(features)) => println!("for {features}: {}", clone.path()),
///         Some(Target::Baseline) => println!("for every other CPU: {}", clone.path()),
///         other => unreachable!("clones have targets: {other:?}"),
///     }
/// }
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// For CPUs with these features.
    Features(Features),
    /// For every other CPU.
    Baseline,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Features(features) => features.fmt(f),
            Self::Baseline => f.write_str("baseline"),
        }
    }
}

fn label(architecture: Architecture, label: &str) -> Option<Target> {
    if label == "baseline" {
        return Some(Target::Baseline);
    }
    Features::from_label(architecture, label).map(Target::Features)
}

/// Takes `__root__avx2` apart. Labels hold no two underscores in a row, so the last two are where the label begins.
fn parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("__")?.rsplit_once("__").filter(|(function, _)| !function.is_empty())
}

fn split(name: &str, architecture: Architecture) -> Option<(&str, Target)> {
    let (function, suffix) = parts(name)?;
    Some((function, label(architecture, suffix)?))
}

/// The target of the clone that this path is, or lies in: the innermost.
pub(crate) fn of(path: &[Segment], architecture: Architecture) -> Option<Target> {
    path.iter().rev().find_map(|segment| split(segment.name()?, architecture).map(|(_, target)| target))
}

/// The properties of CPUs that the clone wants which this path is, or lies in.
pub(crate) fn properties(path: &[Segment], architecture: Architecture) -> Vec<&'static str> {
    let label = path.iter().rev().find_map(|segment| {
        let (_, label) = parts(segment.name()?)?;
        self::label(architecture, label).map(|_| label)
    });
    label.map_or_else(Vec::new, |label| features::properties(architecture, label))
}

/// The dispatched function of the clone that this path is, or lies in, and what lies there.
pub(crate) fn dispatched(path: &str, architecture: Architecture) -> Option<(String, String)> {
    let clone = |part: &str| split(&plain(part), architecture).map(|(function, _)| function.to_owned());
    let parts = path::split(path, "::");
    let at = parts.iter().rposition(|part| clone(part).is_some())?;
    let function = clone(parts[at])?;
    // The arguments of a generic function stand behind the clone's name.
    let arguments = parts[at + 1..].iter().take_while(|part| part.starts_with('<')).count();
    let inside = parts[at + 1 + arguments..].join("::");

    let mut owner: Vec<&str> = parts[..at].iter().copied().filter(|part| clone(part).is_none()).collect();
    // `<Gf as <Gf as Mul>::mul::__Dispatch>`: the helper trait lies in the method.
    let helper = owner.last().and_then(|part| part.strip_prefix('<')?.strip_suffix('>'));
    let helper = helper.and_then(|part| path::split(part, " as ").get(1).copied()).unwrap_or_default();
    let mut method = path::split(helper, "::");
    while method.pop().is_some_and(|part| part.starts_with('<')) {}
    if method.last().is_some_and(|part| plain(part) == function) {
        owner = method;
    }
    // The clones of an async function lie in its coroutine.
    let named = path::outside_closures(&owner).len();
    if owner[..named].iter().rev().find(|part| !part.starts_with('<')).is_some_and(|part| plain(part) == function) {
        owner.truncate(named);
    } else {
        owner.push(&function);
    }
    let mut owner = owner.join("::");
    if !owner.ends_with('>') {
        owner.extend(parts[at + 1..][..arguments].iter().flat_map(|part| ["::", part]));
        owner.push_str(parts[at].find('<').map_or("", |at_bracket| &parts[at][at_bracket..]));
    }
    Some((owner, inside))
}

/// Is this path a clone of the function that `query` names?
pub(crate) fn is_clone_of(path: &[Segment], query: &[Segment], architecture: Architecture) -> bool {
    let Some((Segment::Name(function), _)) = query.split_last() else { return false };
    let Some((Segment::Name(last), prefix)) = path.split_last() else { return false };
    if split(last, architecture).is_none_or(|(of, _)| of != function) {
        return false;
    }
    // Those of an async function lie in its coroutine; those of a trait's method in a PDB file in `mul::impl$0`.
    let passed = |name: &str| name == "{closure}" || name.starts_with("impl$");
    let closed = prefix.iter().rev().take_while(|segment| segment.name().is_some_and(passed)).count();
    let prefix = &prefix[..prefix.len() - closed];
    // A free function's clones lie in it; a method's next to it, in the same `impl` or in that of a helper trait.
    if prefix.last().and_then(Segment::name) == Some(function) {
        return ends_with(prefix, query);
    }
    let method = |owner: &[Segment]| {
        let mut written = owner.to_vec();
        written.push(Segment::Name(function.clone()));
        ends_with(&written, query)
    };
    let Some((Segment::Impl { ty, tr }, _)) = prefix.split_last() else { return method(prefix) };
    let helper = parse(tr);
    method(prefix)
        || helper.iter().rev().any(|segment| match segment {
            // `<Gf as <Gf as Mul>::mul::__Dispatch>::__mul__avx2`
            Segment::Impl { .. } => method(core::slice::from_ref(segment)),
            // `<Gf as krate::…::Mul::__Dispatch>::__mul__avx2`
            Segment::Name(tr) => method(&[Segment::Impl { ty: ty.clone(), tr: tr.clone() }]),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Architecture = Architecture::X86_64;

    fn is_clone(path: &str, query: &str) -> bool {
        is_clone_of(&parse(path), &parse(query), HERE)
    }

    fn target(path: &str) -> Option<String> {
        of(&parse(path), HERE).map(|target| target.to_string())
    }

    #[test]
    fn free_functions() {
        assert!(is_clone("k::kernels::root::__root__avx2_pclmulqdq", "kernels::root"));
        assert!(is_clone("k::kernels::root::__root__baseline", "root"));
        assert!(!is_clone("k::kernels::root::__root_helper", "root"));
        assert!(!is_clone("k::kernels::root::__root__helper", "root"));
        assert!(!is_clone("k::kernels::root::__root_aes__avx2", "root"));
        assert!(!is_clone("k::kernels::root::__root__avx2::{closure#0}", "root"));
        assert!(!is_clone("k::others::root::__root__avx2", "kernels::root"));
        assert!(is_clone("k::kernels::root::{{closure}}::__root__avx2", "kernels::root"));
    }

    #[test]
    fn inherent_methods_in_both_manglings() {
        assert!(is_clone("<k::Gf>::__square__avx2", "Gf::square"));
        assert!(is_clone("k::Gf::__square__avx2", "Gf::square"));
        assert!(!is_clone("k::Other::__square__avx2", "Gf::square"));
    }

    #[test]
    fn trait_methods() {
        let path = "<k::Gf as <k::Gf as core::ops::arith::Mul>::mul::__Dispatch>::__mul__avx2";
        for query in ["<Gf as Mul>::mul", "Gf::mul", "mul"] {
            assert!(is_clone(path, query), "{query}");
        }
        assert!(!is_clone(path, "<Gf as Add>::mul"));
        assert!(!is_clone(path, "Other::mul"));
        assert!(is_clone("<k::Gf as k::_::__Dispatch>::__mul__baseline", "Gf::mul"));
    }

    #[test]
    fn dispatched_functions_of_clones() {
        for (path, function, inside) in [
            ("k::kernels::root::__root__avx2_pclmulqdq", "k::kernels::root", ""),
            ("k::root::__root__avx2::{{closure}}", "k::root", "{{closure}}"),
            ("k::root::{closure#0}::__root__baseline", "k::root", ""),
            ("k::root::__root__avx2::inner::__inner__avx2", "k::root::inner", ""),
            ("k::gen::__gen__avx2::<u8>::{closure#0}", "k::gen::<u8>", "{closure#0}"),
            ("k::gen::__gen__avx2<u8>", "k::gen<u8>", ""),
            ("<k::Gf>::__square__avx2", "<k::Gf>::square", ""),
            ("k::m::<impl k::Factor<V>>::__plus__aes", "k::m::<impl k::Factor<V>>::plus", ""),
            (
                "<k::Gf as <k::Gf as core::ops::arith::Mul>::mul::__Dispatch>::__mul__aes",
                "<k::Gf as core::ops::arith::Mul>::mul",
                "",
            ),
            (
                "<k::Two<Q> as <k::Two<Q> as k::Quad>::shift::__Dispatch<Q>>::__shift__aes::{{closure}}",
                "<k::Two<Q> as k::Quad>::shift",
                "{{closure}}",
            ),
            (
                "<k::B as k::s::<impl core::ops::bit::BitXor for k::B>::bitxor::__Dispatch>::__bitxor__aes",
                "k::s::<impl core::ops::bit::BitXor for k::B>::bitxor",
                "",
            ),
        ] {
            assert_eq!(dispatched(path, HERE), Some((function.to_owned(), inside.to_owned())), "{path}");
        }
        assert_eq!(dispatched("k::root", HERE), None);
        assert_eq!(properties(&parse("k::f::__f__bmi2_fast_pext::{closure#0}"), HERE), ["fast-pext"]);
    }

    #[test]
    fn targets_of_clones_and_of_what_lies_in_them() {
        assert_eq!(target("k::root::__root__avx2_pclmulqdq").as_deref(), Some("avx2,pclmulqdq"));
        assert_eq!(target("k::root::__root__sse4_1::{closure#0}").as_deref(), Some("sse4.1"));
        assert_eq!(target("k::mix_two::__mix_two__baseline").as_deref(), Some("baseline"));
        assert_eq!(target("<k::Gf>::__square__aes").as_deref(), Some("aes"));
        assert_eq!(target("k::root::__root__avx2::inner::__inner__avx2").as_deref(), Some("avx2"));
        assert_eq!(target("k::f_::__f___avx2").as_deref(), Some("avx2"));
        assert_eq!(target("k::f__aes::__f__aes__avx2").as_deref(), Some("avx2"));
        assert_eq!(target("k::root"), None);
        assert_eq!(target("k::__root_avx2"), None);
        assert_eq!(target("k::__private::root"), None);
    }
}
