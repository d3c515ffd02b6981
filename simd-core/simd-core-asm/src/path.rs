//! Demangled paths: splitting, matching by suffix, similar names.
//!
//! The two manglings print one function in different ways (`<krate::Gf>::square` and `krate::Gf::square`;
//! `{closure#0}` and `{{closure}}`; with and without generic arguments). Here they come out alike.

use strsim::levenshtein;

/// One part of a path between two `::`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// A plain name, without generic arguments.
    Name(String),
    /// `<Type as Trait>`.
    Impl { ty: String, tr: String },
}

impl Segment {
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Impl { .. } => None,
        }
    }
}

/// Takes a demangled path apart.
pub(crate) fn parse(path: &str) -> Vec<Segment> {
    let mut out = Vec::new();
    for (index, part) in split(path, "::").into_iter().enumerate() {
        let Some(inner) = part.strip_prefix('<').and_then(|p| p.strip_suffix('>')) else {
            out.push(Segment::Name(plain(part)));
            continue;
        };
        if index > 0 {
            continue; // generic arguments of the segment before
        }
        match split(inner, " as ").as_slice() {
            [ty, tr] => out.push(Segment::Impl { ty: (*ty).to_owned(), tr: (*tr).to_owned() }),
            _ => out.extend(parse(inner)),
        }
    }
    out
}

/// `krate::Gf::square` of `<krate::Gf>::square`: newer compilers have brackets in the names of a type's own methods.
pub(crate) fn without_brackets(path: String) -> String {
    let shorter = |path: &str| {
        let first = *split(path, "::").first()?;
        let ty = first.strip_prefix('<')?.strip_suffix('>')?;
        // Not a slice, a reference, `dyn Trait`.
        let is_path = plain(ty).chars().all(|c| c.is_alphanumeric() || "_:".contains(c)) || ty.starts_with('<');
        (is_path && split(ty, " as ").len() == 1).then(|| format!("{ty}{}", &path[first.len()..]))
    };
    shorter(&path).map_or(path, without_brackets)
}

/// A function without its own generic arguments, which hold the types of closures.
pub(crate) fn without_arguments(path: &str) -> String {
    let mut parts = split(path, "::");
    while parts.len() > 1 && parts.pop_if(|part| part.starts_with('<')).is_some() {}
    parts.join("::")
}

/// The crate of a function, or of the type that it is for.
pub(crate) fn of_crate(path: &str) -> &str {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    let path = path.trim_start_matches(|c| !in_name(c));
    &path[..path.find(|c| !in_name(c)).unwrap_or(path.len())]
}

/// A part without its generic arguments, and closures by one name.
pub(crate) fn plain(part: &str) -> String {
    // `{closure#0}` and `{{closure}}` in symbols, `closure$0` and `async_fn$0` in PDB files.
    const CLOSURES: &[&str] = &["{closure", "{{closure", "closure$", "async_fn$", "async_block$", "async_closure$"];
    if CLOSURES.iter().any(|start| part.starts_with(start)) {
        return "{closure}".to_owned();
    }
    match part.find('<') {
        Some(at) if at > 0 => part[..at].to_owned(),
        _ => part.to_owned(),
    }
}

/// Splits at `separator` where no bracket is open.
pub(crate) fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let bytes = text.as_bytes();
    let (mut parts, mut depth, mut start, mut at) = (Vec::new(), 0_usize, 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1, // the arrow of `fn(A) -> B`
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && bytes[at..].starts_with(separator.as_bytes()) => {
                parts.push(&text[start..at]);
                at += separator.len();
                start = at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[start..]);
    parts
}

/// The parts before the closures and coroutines that a path ends with.
pub(crate) fn outside_closures<'a, 'b>(mut parts: &'a [&'b str]) -> &'a [&'b str] {
    while let Some((last, before)) = parts.split_last()
        && plain(last) == "{closure}"
    {
        parts = before;
    }
    parts
}

/// Does `path` end with `query`? A query may name the type of an `impl` only: `Gf::mul` finds `<Gf as Mul>::mul`.
pub(crate) fn ends_with(path: &[Segment], query: &[Segment]) -> bool {
    let mut path = path.iter().rev();
    let mut rest = query;
    while let Some((last, before)) = rest.split_last() {
        match (path.next(), last) {
            (Some(Segment::Name(have)), Segment::Name(want)) if have == want => rest = before,
            (Some(Segment::Impl { ty, .. }), Segment::Name(_)) => return ends_with(&parse(ty), rest),
            (Some(Segment::Impl { ty, tr }), Segment::Impl { ty: wanted, tr: implemented }) => {
                return before.is_empty()
                    && ends_with(&parse(ty), &parse(wanted))
                    && ends_with(&parse(tr), &parse(implemented));
            }
            _ => return false,
        }
    }
    true
}

/// Does `path` hold `part`, not as a piece of a longer name?
pub(crate) fn mentions(path: &str, part: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    path.match_indices(part)
        .any(|(at, _)| !path[..at].ends_with(in_name) && !path[at + part.len()..].starts_with(in_name))
}

/// The beginnings of a path at whole names, and the types of `impl`s: what [`mentions`] finds in it.
pub(crate) fn parts(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut before = String::new();
    for segment in parse(path) {
        match segment {
            Segment::Name(name) => {
                before = if before.is_empty() { name } else { format!("{before}::{name}") };
                parts.push(before.clone());
            }
            Segment::Impl { ty, .. } => parts.extend(self::parts(&ty)),
        }
    }
    parts
}

/// The last plain identifier of a path: both manglings have it verbatim in the symbol.
pub(crate) fn identifier(path: &[Segment]) -> &str {
    let plain = |name: &&str| name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    path.iter().rev().filter_map(Segment::name).find(plain).unwrap_or_default()
}

/// Whether `name` matches `pattern`, in which each `*` stands for any text. Paths have brackets and question marks, which stand
/// for themselves.
pub(crate) fn glob(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let inner = name.strip_prefix(first).and_then(|name| name.strip_suffix(last));
    let rest = inner.and_then(|inner| middle.split('*').try_fold(inner, |text, part| Some(text.split_once(part)?.1)));
    rest.is_some()
}

/// Does the callee `name` match one entry of an allow list: the end of a path, or a pattern with `*`?
pub(crate) fn allowed(entry: &str, name: &str) -> bool {
    if entry.contains('*') { glob(entry, name) } else { ends_with(&parse(name), &parse(entry)) }
}

/// The candidates that look most like `wanted`, best first. As much of each is compared as was written: of
/// `app::kernels::root` the end `kernels::root`, where two names are wanted.
pub(crate) fn similar<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<String> {
    let want = names(&parse(wanted));
    let Some(last) = want.last() else { return Vec::new() };
    let whole = want.join("::");
    let mut scored: Vec<(usize, &str)> = candidates
        .filter_map(|candidate| {
            let all = names(&parse(candidate));
            let have = function(all.last()?);
            let limit = last.chars().count().max(3) / 3;
            let inside = last.len() > 2 && have.contains(last.as_str()) || have.len() > 3 && last.contains(have);
            let end = all[all.len().saturating_sub(want.len())..].join("::");
            (inside || levenshtein(last, have) <= limit).then(|| (levenshtein(&whole, &end), candidate))
        })
        .collect();
    scored.sort_unstable();
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(8).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// The function in the name of a clone, `__root__avx2`; another name as it is.
fn function(name: &str) -> &str {
    name.strip_prefix("__").and_then(|name| name.rsplit_once("__")).map_or(name, |(function, _)| function)
}

/// A path without generic arguments, in print.
pub(crate) fn join(path: &[Segment]) -> String {
    let print = |segment: &Segment| match segment {
        Segment::Name(name) => name.clone(),
        Segment::Impl { ty, tr } => format!("<{ty} as {tr}>"),
    };
    path.iter().map(print).collect::<Vec<_>>().join("::")
}

/// The names in a path, with those of an `impl`'s type.
fn names(path: &[Segment]) -> Vec<String> {
    let of = |segment: &Segment| match segment {
        Segment::Name(name) => vec![name.clone()],
        Segment::Impl { ty, .. } => names(&parse(ty)),
    };
    path.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, query: &str) -> bool {
        ends_with(&parse(path), &parse(query))
    }

    #[test]
    fn suffixes_match_whole_segments() {
        assert!(found("krate::kernels::root", "kernels::root"));
        assert!(found("krate::kernels::root", "root"));
        assert!(!found("krate::kernels::root", "ernels::root"));
        assert!(!found("krate::kernels::root", "other::krate::kernels::root"));
        assert!(!found("krate::kernels::root::inner", "root"));
    }

    #[test]
    fn both_manglings_read_alike() {
        for path in ["<krate::Gf>::square", "krate::Gf::square"] {
            assert!(found(path, "Gf::square"));
        }
        for path in ["krate::f::{closure#0}", "krate::f::{{closure}}"] {
            assert!(found(path, "f::{closure}"));
        }
        assert!(found("krate::gen::<u8>::inner::<krate::A::<u8>>", "gen::inner"));
        assert!(found("alloc::vec::Vec<T,A>::push", "Vec::push"));
    }

    #[test]
    fn impls_match_by_type_or_by_type_and_trait() {
        let path = "<krate::Gf as core::ops::arith::Mul>::mul";
        assert!(found(path, "Gf::mul"));
        assert!(found(path, "<Gf as Mul>::mul"));
        assert!(found(path, "<krate::Gf as core::ops::arith::Mul>::mul"));
        assert!(!found(path, "<Gf as Add>::mul"));
        assert!(!found(path, "<Other as Mul>::mul"));
    }

    #[test]
    fn nested_impls_and_arrows_keep_brackets_together() {
        let path = "<krate::Gf as <krate::Gf as core::ops::arith::Mul>::mul::__Dispatch>::__mul__avx2";
        assert_eq!(parse(path).len(), 2);
        let path = "<fn(u8) -> u8 as krate::Call>::call";
        assert_eq!(parse(path)[0], Segment::Impl { ty: "fn(u8) -> u8".into(), tr: "krate::Call".into() });
    }

    #[test]
    fn brackets_of_own_methods_go() {
        let changed = |path: &str| without_brackets(path.to_owned());
        assert_eq!(changed("<krate::Gf>::square"), "krate::Gf::square");
        assert_eq!(
            changed("<<krate::Gf>::square::Inner<u8>>::new::{closure#0}"),
            "krate::Gf::square::Inner<u8>::new::{closure#0}"
        );
        for same in
            ["krate::f", "<krate::Gf as Mul>::mul", "<[u8]>::len", "<&str>::len", "<dyn Any>::f", "<(u8, u8)>::f"]
        {
            assert_eq!(changed(same), same);
        }
    }

    #[test]
    fn arguments_of_functions_go() {
        assert_eq!(
            without_arguments("<Gf<u8> as Mul>::mul::<<Gf as Mul>::mul::{closure#0}, Gf>"),
            "<Gf<u8> as Mul>::mul"
        );
        assert_eq!(without_arguments("<T>"), "<T>");
    }

    #[test]
    fn patterns() {
        assert!(glob("vaes*", "vaesenc") && glob("*pclmul*", "vpclmulqdq") && glob("a*c", "abc") && glob("*", ""));
        assert!(glob("a*b*c*d", "a_b_c_d") && glob("<[T] as A>::*", "<[T] as A>::f") && !glob("a*b*b*d", "abd"));
        assert!(!glob("vaes*", "aesenc") && !glob("a*c", "ab") && !glob("ab", "abc") && !glob("ab*ba", "aba"));
        assert!(allowed("memcpy", "memcpy") && !allowed("memcpy", "memcpy_s"));
        assert!(allowed("core::panicking::*", "core::panicking::panic_fmt"));
        assert!(allowed("panicking::panic_fmt", "core::panicking::panic_fmt"));
    }

    #[test]
    fn parts_of_paths_are_whole_names() {
        for part in ["", "krate", "krate::kernels", "kernels::root", "Gf"] {
            assert!(mentions("krate::kernels::root::__root__aes", part) || mentions("<krate::Gf as Mul>::mul", part));
        }
        for part in ["rate", "kernel", "krate::root", "root_aes"] {
            assert!(!mentions("krate::kernels::root::__root__aes", part), "{part}");
        }
    }

    #[test]
    fn similar_names_come_best_first() {
        let names = ["k::other", "k::__root__avx2", "k::__rout__avx2", "k::unrelated_thing"];
        assert_eq!(similar("k::__root__avx", names.into_iter())[0], "k::__root__avx2");
        assert!(similar("zzzzzzzz", names.into_iter()).is_empty());
        // The beginning of a path that nobody wrote costs nothing, the part that was written counts.
        let names = ["k::kernels::roots", "a::crate_with_a_long_name::modules::kernels::root", "k::others::root"];
        assert_eq!(similar("kernels::root_", names.into_iter())[0], names[1]);
        assert_eq!(similar("<Gf as Mul>::mil", ["<k::Gf as core::ops::Mul>::mul"].into_iter()).len(), 1);
    }
}
