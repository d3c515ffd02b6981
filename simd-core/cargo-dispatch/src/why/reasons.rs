//! Reasons for which a loop is not vectorised, in the user's words, with what to write instead.

use std::collections::BTreeSet;

use serde::Serialize;
use simd_core_asm::{Lanes, Work};

use super::loops::Copy;
use super::remarks::{At, Decision, Remark};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Reason {
    #[serde(rename = "reason")]
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<String>,
    /// LLVM's own words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) remark: String,
}

/// How the loop is written, as far as a reason depends on it.
pub(super) struct Written<'a> {
    /// It is a `for`, `while` or `loop`.
    pub(super) is_statement: bool,
    /// `return` or `break` leaves it.
    pub(super) leaves: bool,
    /// `?` leaves it.
    pub(super) tries: bool,
    /// The innermost places of its instructions.
    pub(super) innermost: &'a BTreeSet<At>,
    pub(super) code: &'a Copy,
}

const CHUNKS: &str = "test a whole chunk without leaving it (`chunk.iter().fold(false, |any, x| any | test(x))` on `chunks_exact(32)`), \
                      and search the one chunk that has it";

/// The reason of a decision: the first that is known, or the first of all.
pub(super) fn reason(decision: &Decision, written: &Written<'_>) -> Option<Reason> {
    let known = |remark: &Remark| of(remark, written).map(|(rank, text, advice)| (rank, text, advice, said(remark)));
    let best = decision.reasons.iter().filter_map(known).min_by_key(|(rank, ..)| *rank);
    match best {
        Some((_, text, advice, remark)) => Some(Reason { text, advice: Some(advice), remark }),
        None => decision.reasons.first().map(|remark| Reason {
            text: format!("LLVM says: {}", said(remark)),
            advice: None,
            remark: said(remark),
        }),
    }
}

/// LLVM's words, without its advice for C.
fn said(remark: &Remark) -> String {
    let text = remark.text.strip_prefix("loop not vectorized: ").unwrap_or(&remark.text);
    let text = match (text.find(" Use #pragma"), text.find('\n')) {
        (Some(start), Some(end)) if start < end => format!("{} {}", &text[..start], text[end + 1..].replace('"', "")),
        _ => text.to_owned(),
    };
    let text = text.replace('\n', " ");
    format!("{} ({})", text.trim(), remark.name)
}

/// A known reason. Of several the one of the lowest rank is nearest to the source.
fn of(remark: &Remark, written: &Written<'_>) -> Option<(u8, String, String)> {
    if written.reads_text() {
        let text = "it reads text by `chars`, of which each has one to four bytes";
        let advice = "loop over bytes, or collect the characters into a `Vec<char>` before it, and ask again";
        return Some((0, text.to_owned(), advice.to_owned()));
    }
    if let Some((text, advice)) = of_memory(remark) {
        return Some((3, text.to_owned(), advice.to_owned()));
    }
    by_name(remark, written)
}

/// A reason that the remark's name says.
fn by_name(remark: &Remark, written: &Written<'_>) -> Option<(u8, String, String)> {
    let calls = written.code.calls.iter().next();
    let (rank, text, advice): (u8, &str, &str) = match &*remark.name {
        "CantReorderFPOps" => (
            1,
            "floating-point values are added up in the order of the source, since any other order rounds differently",
            "add into an array of eight sums, `for (sum, x) in sums.iter_mut().zip(chunk)` on `chunks_exact(8)`, and add these \
             up at the end; the last bits of the result change",
        ),
        "NonSimpleLoad" | "NonSimpleStore" => (
            1,
            "it reads or writes atomics, or volatile memory",
            "copy the values into plain memory first, and loop over that",
        ),
        // Of what has no call in the machine code, LLVM calls an operation one.
        "CantVectorizeLibcall" if calls.is_none() => (
            6,
            "an operation in it has no vectors: a test for overflow, for example",
            "test for overflow with a comparison (`x > u32::MAX / 3`), and compute with `wrapping_mul`",
        ),
        "CantVectorizeLibcall" | "CantVectorizeCall" | "CantVectorizeIntrinsic" => {
            let name = calls.map_or("a function".to_owned(), |name| format!("`{name}`"));
            return Some((
                2,
                format!("each iteration calls {name}, which is not inlined"),
                "give a function of your own `#[inline]`, or the attribute if it is long; move a call that few iterations \
                 need into a second loop; a function of the C library has no vector form"
                    .to_owned(),
            ));
        }
        "CantVectorizeInstructionReturnType" | "CantVectorizeStoreElementType" | "CantVectorizeInstruction" => (
            6,
            "a type or an operation in it has no vectors",
            "use integers of at most 64 bits, and values instead of structs, in the loop",
        ),
        "NoCFGForSelect" | "CFGNotUnderstood" | "LoopContainsSwitch" => (
            5,
            "a branch in it does more than to choose a value",
            "compute both values without a branch and choose one with `if` at the end, or move the rare case into a second loop",
        ),
        name if name.contains("EarlyExit") || name.contains("PotentiallyFaulting") => return Some(early_exit(written)),
        "UnsupportedUncountableLoop"
        | "CantComputeNumberOfIterations"
        | "NoInductionVariable"
        | "UncountableEarlyExit" => (
            4,
            "how often it repeats is not known before it begins",
            "loop over a slice or a range with `for`; of `chain`, a skip or a moving end make one loop for each part, or use \
             `for_each`",
        ),
        // A value that a panic shows is used behind the loop too.
        "NonReductionValueUsedOutsideLoop" if written.can_panic() => (
            5,
            "an index or a value in it can be wrong, and it panics there; or an iteration needs a value of the one before",
            "cut the slices to one length before it (`let xs = &xs[..n]`), or walk them with `zip`, and ask again",
        ),
        "NonReductionValueUsedOutsideLoop" | "VectorizationNotBeneficial" if written.can_end() => {
            return Some(early_exit(written));
        }
        "NonReductionValueUsedOutsideLoop" if written.code.work.singles > 0 => (
            5,
            "each iteration needs a floating-point value of the one before, and no other order gives the same one: of a minimum or \
             maximum too, because of values that are not a number",
            "keep eight values in an array, one for each place of `chunks_exact(8)`, and join them at the end",
        ),
        "NonReductionValueUsedOutsideLoop" => (
            5,
            "each iteration needs a value of the one before, and it is neither a sum nor a minimum or maximum",
            "count and add in a type that cannot overflow, and check at the end; for a hash or a \
             running value, compute several parts of the input in turn",
        ),
        "VectorizationNotBeneficial" => return Some(not_beneficial(written)),
        _ => return None,
    };
    Some((rank, text.to_owned(), advice.to_owned()))
}

/// A reason that has to do with the places in memory that iterations use.
fn of_memory(remark: &Remark) -> Option<(&'static str, &'static str)> {
    Some(match &*remark.name {
        "CantIdentifyArrayBounds" => (
            "LLVM does not know which memory it uses: an address comes from data, or from a row that is a slice of its own",
            "take the rows of a `Vec<Vec<_>>` as slices before the loop, or keep a table in one slice",
        ),
        "UnsafeDep" if remark.text.contains("indirect") => (
            "it writes to places that are computed from data, so that two iterations may write to the same one",
            "count or write into several tables in turn (four for a histogram), and add these up at the end",
        ),
        "UnsafeDep" | "CantReorderMemOps" => (
            "an iteration may read what an earlier one has written into the same slice",
            "write the results into another slice; a running sum needs several sums for parts of the slice",
        ),
        "TooManyMemoryRuntimeChecks" => (
            "it uses so many slices that LLVM does not test which of them overlap",
            "split it into loops of two or three slices each",
        ),
        _ => return None,
    })
}

impl Written<'_> {
    fn reads_text(&self) -> bool {
        self.innermost.iter().any(|at| at.is_in("core/src/str/validations.rs"))
    }

    /// Whether it has ways out that the text does not show.
    fn can_panic(&self) -> bool {
        self.is_statement && !self.leaves && !self.tries && self.code.exits > 1
    }

    /// Whether there is more than one way out of it.
    fn can_end(&self) -> bool {
        self.leaves || self.tries || self.code.exits > 1
    }
}

fn early_exit(written: &Written<'_>) -> (u8, String, String) {
    let end = "it can end before the last element";
    if written.tries && !written.leaves {
        let advice = "note a failure in a flag (`failed |= x > limit`) and go on, or count in a type that cannot overflow, and \
                      test once behind the loop";
        return (4, end.to_owned(), advice.to_owned());
    }
    if written.leaves || !written.is_statement {
        return (4, end.to_owned(), CHUNKS.to_owned());
    }
    let advice = "cut the slices to one length before it (`let xs = &xs[..n]`), or walk them with `zip`; an overflow or an \
                  `unwrap` that panics can be tested after the loop";
    (4, "an index or a value in it can be wrong, and it panics there".to_owned(), advice.to_owned())
}

fn not_beneficial(written: &Written<'_>) -> (u8, String, String) {
    let (text, advice) = if written.code.divides {
        (
            "LLVM counts that vectors are slower: integers have no vector division",
            "divide by a constant, shift, or divide as floating-point values: 16 bits are exact in an `f32`, 32 bits in an `f64`",
        )
    } else {
        (
            "LLVM counts that vectors are slower: the values lie apart in memory, or the operation has no vector instruction",
            "store what is used together one behind the other, or copy it so first",
        )
    };
    (5, text.to_owned(), advice.to_owned())
}

/// A reason that the machine code shows, whatever LLVM says of it: it counts a table look-up as vectorised.
pub(super) fn of_code(work: &Work) -> Option<Reason> {
    let (text, advice) = match work.lanes() {
        Lanes::Assembled => (
            format!(
                "{} single values are put into vectors and {} taken out, for {} instructions that compute on vectors: a look-up \
                 in a table, or values that lie apart",
                work.inserts, work.extracts, work.computes
            ),
            "compute the value in place of looking it up (comparisons and arithmetic on ranges of the input); or store what is \
             used together one behind the other",
        ),
        Lanes::Gathered => (
            format!("its values come through {} gathers, which load each lane for itself", work.gathers),
            "store what is used together one behind the other, or compute the value in place of looking it up",
        ),
        _ => return None,
    };
    Some(Reason { text, advice: Some(advice.to_owned()), remark: "seen in the machine code".to_owned() })
}
