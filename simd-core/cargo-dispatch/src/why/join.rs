//! Loops of a function's machine code, joined with what LLVM said of them.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use simd_core_asm::Lanes;

use super::loops::{self, Found};
use super::reasons::{self, Reason, Written};
use super::remarks::{self, Decision, Remark};
use super::source::File;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Vectorized,
    Known(Reason),
    /// Loops that share a place in the standard library have these reasons, each one of them.
    OneOf(Vec<Reason>),
    /// LLVM said nothing of a loop in this place.
    Silent,
}

/// A loop as it is written, of which the machine code has none.
#[derive(Serialize)]
pub(super) struct Gone {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) code: String,
    pub(super) what: String,
}

/// For each decision the loops that it may be about: those with the place of the loop that it names. A reason's own place,
/// if it is in the user's code, leaves only the loops that have it.
fn candidates(found: &[Found], decisions: &[Decision]) -> Vec<BTreeSet<usize>> {
    let having = |test: &dyn Fn(&Found) -> bool| -> BTreeSet<usize> {
        (0..found.len()).filter(|at| found[*at].main().is_innermost && test(&found[*at])).collect()
    };
    let of = |decision: &Decision| {
        let fits = |one: &Found| !decision.is_vectorized || is_vector(one);
        let named = decision.places.first();
        let mut all = having(&|one| fits(one) && named.is_some_and(|at| one.has(at)));
        if all.is_empty() {
            all = having(&|one| fits(one) && decision.places.iter().any(|at| one.is_around(at)));
        }
        for at in decision.places.iter().filter(|at| !loops::is_standard(&at.file)) {
            let near: BTreeSet<usize> = all.iter().copied().filter(|one| found[*one].is_around(at)).collect();
            if !near.is_empty() {
                all = near;
            }
        }
        all
    };
    let mut candidates: Vec<BTreeSet<usize>> = decisions.iter().map(of).collect();
    // An optimisation may have left a loop no instruction of its place.
    let left = having(&|one| {
        let at = found.iter().position(|other| core::ptr::eq(one, other));
        at.is_some_and(|at| candidates.iter().all(|of| !of.contains(&at)))
    });
    let nowhere: Vec<usize> = (0..decisions.len()).filter(|at| candidates[*at].is_empty()).collect();
    for at in nowhere {
        candidates[at] =
            left.iter().copied().filter(|one| !decisions[at].is_vectorized || is_vector(&found[*one])).collect();
    }
    candidates
}

pub(super) fn whys(found: &[Found], remarks: &[Remark], files: &[File]) -> Vec<Why> {
    let decisions = remarks::decisions(remarks);
    let candidates = candidates(found, &decisions);
    let of = |at: usize| -> Vec<usize> { (0..decisions.len()).filter(|one| candidates[*one].contains(&at)).collect() };
    // Its vectors are put together from one iteration; these remarks often have no line. An inner loop that is unrolled leaves such
    // vectors too, which are as good as any.
    let is_unrolled = remarks.iter().any(|remark| remark.name == "FullyUnrolled");
    let is_packed = |one: &Found| {
        let around = |remark: &Remark| remark.at.as_ref().is_some_and(|at| at.line == 0 || one.is_around(at));
        let is_slp = |remark: &Remark| remark.pass == "slp-vectorizer" && remark.kind == "Passed" && around(remark);
        !is_unrolled && remarks.iter().any(is_slp)
    };
    let why = |at: usize| -> Why {
        let one = &found[at];
        let main = one.main();
        let own = in_order(at, found, &decisions, &candidates, of(at));
        let is_of_loop = own.is_empty() || own.iter().any(|at| decisions[*at].is_vectorized);
        if loops::is_vector(&main.work) && (is_of_loop || !is_packed(one)) {
            return Why::Vectorized;
        }
        if let Some(reason) = reasons::of_code(&main.work) {
            return Why::Known(reason);
        }
        let written = written(one, files);
        let given: BTreeSet<Reason> = own.iter().filter_map(|at| reasons::reason(&decisions[*at], &written)).collect();
        let mut given: Vec<Reason> = given.into_iter().collect();
        given.dedup_by(|one, other| one.text == other.text);
        match given.len() {
            0 => Why::Silent,
            1 => Why::Known(given.remove(0)),
            _ => Why::OneOf(given),
        }
    };
    (0..found.len()).map(why).collect()
}

/// Of decisions between which places do not choose, the one of this loop, if as many loops of one function's text have
/// them: LLVM takes these in the order of the code.
fn in_order(
    at: usize,
    found: &[Found],
    decisions: &[Decision],
    candidates: &[BTreeSet<usize>],
    own: Vec<usize>,
) -> Vec<usize> {
    // A decision that only this loop can have is its own.
    let only: Vec<usize> = own.iter().copied().filter(|one| candidates[*one].len() == 1).collect();
    if !only.is_empty() {
        return only;
    }
    let mut loops: Vec<usize> =
        own.iter().flat_map(|one| candidates[*one].iter().copied()).collect::<BTreeSet<_>>().into_iter().collect();
    // Those that have a decision of their own need none of these.
    let is_served = |one: &usize| candidates.iter().any(|of| of.len() == 1 && of.contains(one));
    loops.retain(|one| !is_served(one));
    loops.sort_by_key(|one| order(&found[*one]));
    let is_one_text = loops.iter().all(|one| found[*one].place.through == found[at].place.through);
    let is_of = |one: usize, decision: usize| {
        candidates[decision].contains(&one) && decisions[decision].is_vectorized == is_vector(&found[one])
    };
    let fits = loops.len() == own.len() && loops.iter().zip(&own).all(|(one, decision)| is_of(*one, *decision));
    match loops.iter().position(|one| *one == at) {
        Some(position) if fits && is_one_text => vec![own[position]],
        _ => own,
    }
}

/// Whether there are vectors in it, as LLVM counts.
fn is_vector(one: &Found) -> bool {
    one.main().work.lanes() != Lanes::Scalar
}

fn order(one: &Found) -> (Option<u32>, (u32, u32)) {
    (one.place.through.last().map(|(_, line)| *line), one.place.start)
}

fn written<'a>(one: &'a Found, files: &[File]) -> Written<'a> {
    let file = files.iter().find(|file| file.path == Path::new(&one.place.file));
    let statement = file.and_then(|file| file.loops.iter().find(|loop_| *loop_.all.start() == one.place.start));
    Written {
        is_statement: statement.is_some(),
        leaves: statement.is_some_and(|one| one.leaves),
        tries: statement.is_some_and(|one| one.tries),
        innermost: &one.innermost,
        code: one.main(),
    }
}

/// What became of the loops that are written in these lines of a file, and that are not among those found.
pub(super) fn gone(
    file: &File,
    lines: core::ops::RangeInclusive<u32>,
    found: &[Found],
    remarks: &[Remark],
) -> Vec<Gone> {
    let name = file.path.display().to_string();
    // A `loop` without a header may be found at a call in it.
    let is_found = |one: &super::source::Loop| {
        let is_here = |start: &(u32, u32)| start == one.all.start() || one.is_bare && one.all.contains(start);
        found.iter().any(|other| other.place.file == name && is_here(&other.place.start))
    };
    let written = file.loops.iter().filter(|one| lines.contains(&one.all.start().0));
    let missing: Vec<_> = written.filter(|one| !is_found(one)).collect();
    let of_pass = |name: &'static str| remarks.iter().filter(move |one| one.name == name);
    let unrolled: Vec<&Remark> = of_pass("FullyUnrolled").collect();
    let describe = |one: &&super::source::Loop| {
        let is_within = |remark: &Remark| {
            remark.at.as_ref().is_some_and(|at| {
                at.is_in(&name) && (*one.all.start()..=*one.all.end()).contains(&(at.line, at.column.max(1)))
            })
        };
        if let Some(remark) = remarks.iter().find(|one| one.pass == "loop-idiom" && is_within(one)) {
            let call = ["memcpy", "memmove", "memset"].into_iter().find(|call| remark.text.contains(call));
            return format!("is a call of `{}`", call.unwrap_or("a function of the C library"));
        }
        let own = unrolled.iter().find(|one| is_within(one));
        let only = || unrolled.first().filter(|_| unrolled.len() == 1 && missing.len() == 1);
        if let Some(remark) = own.or_else(only) {
            let count: String = remark.text.chars().filter(char::is_ascii_digit).collect();
            return format!("is unrolled completely, {count} times");
        }
        let in_vectors = ["StoresVectorized", "VectorizedList", "VectorizedHorizontalReduction"];
        if remarks.iter().any(|one| in_vectors.contains(&&*one.name) && is_within(one)) {
            return "is unrolled, and computed in vectors".to_owned();
        }
        if !unrolled.is_empty() {
            return "has no loop in the machine code; LLVM unrolls loops of this function completely".to_owned();
        }
        "has no loop in the machine code: its result is computed without one, or nobody needs it".to_owned()
    };
    let gone = missing.iter().map(|one| Gone {
        file: name.clone(),
        line: one.all.start().0,
        code: file.line(one.all.start().0),
        what: describe(one),
    });
    gone.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use simd_core_asm::Work;

    use super::*;
    use crate::why::loops::{Copy, Place};
    use crate::why::remarks::At;

    fn range() -> At {
        At { file: "library/core/src/iter/range.rs".to_owned(), line: 772, column: 12 }
    }

    /// A loop without vectors at a line, inlined through another one.
    fn scalar(line: u32, through: u32) -> Found {
        let start = 16 * u64::from(line);
        let copy = Copy {
            start,
            own: Vec::new(),
            work: Work::default(),
            is_innermost: true,
            calls: BTreeSet::new(),
            exits: 1,
            divides: false,
        };
        let place = Place {
            file: "src/lib.rs".to_owned(),
            start: (line, 5),
            end: line + 2,
            text: String::new(),
            through: vec![("src/lib.rs".to_owned(), through)],
            of: None,
        };
        Found { place, innermost: BTreeSet::from([range()]), copies: vec![copy] }
    }

    fn remark(name: &str, at: At) -> Remark {
        let [kind, pass] = ["Analysis", "loop-vectorize"].map(str::to_owned);
        Remark { kind, pass, name: name.to_owned(), at: Some(at), text: name.to_lowercase() }
    }

    fn said(found: &[Found], reasons: [(&str, At); 2]) -> Vec<String> {
        let remarks: Vec<Remark> =
            reasons.into_iter().flat_map(|(name, at)| [remark(name, at), remark("MissedDetails", range())]).collect();
        let words = |why: Why| match why {
            Why::Known(reason) => reason.remark,
            Why::OneOf(reasons) => reasons.into_iter().map(|one| one.remark).collect::<Vec<_>>().join(" or "),
            other => format!("{other:?}"),
        };
        whys(found, &remarks, &[]).into_iter().map(words).collect()
    }

    #[test]
    fn loops_of_one_text_have_reasons_in_its_order() {
        // In machine code they are in any order.
        let found = [scalar(20, 3), scalar(10, 3)];
        let reasons = [("One", range()), ("Other", range())];
        assert_eq!(said(&found, reasons), ["other (Other)", "one (One)"]);
    }

    #[test]
    fn where_nothing_decides_all_reasons_are_shown() {
        let found = [scalar(10, 3), scalar(20, 4)];
        let reasons = [("One", range()), ("Other", range())];
        assert_eq!(said(&found, reasons), ["one (One) or other (Other)"; 2]);
    }

    #[test]
    fn a_reason_in_a_loops_own_lines_is_its_own() {
        let found = [scalar(10, 3), scalar(20, 4)];
        let own = At { file: "src/lib.rs".to_owned(), line: 11, column: 9 };
        let reasons = [("Other", range()), ("One", own)];
        assert_eq!(said(&found, reasons), ["one (One)", "other (Other)"]);
    }

    #[test]
    fn a_remark_that_is_not_known_is_llvms() {
        let found = [scalar(10, 3)];
        let remarks = [remark("Unheard", range()), remark("MissedDetails", range())];
        let [Why::Known(reason)] = &whys(&found, &remarks, &[])[..] else { panic!("one reason") };
        assert_eq!((&*reason.text, &reason.advice), ("LLVM says: unheard (Unheard)", &None));
    }
}
