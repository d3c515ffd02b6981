use crate::asm::prelude::*;
use core::fmt;
use std::io::Write as _;

use super::code::{Callee, Code, DISPATCH};
use super::listing::{self, Mark};
use super::optimization::Optimization;
use super::{Features, Function, left, path};

/// Assertions on the code of one function: see [`Function::assert`].
///
/// Each method panics if the code is not as it says. The message names the function, and prints its listing with the
/// offending lines marked, and what to look at. Where the function's binary was compiled without optimisation, all but
/// [`within_target`](Self::within_target) and [`within_features`](Self::within_features) are skipped: a line on the
/// standard error says so, which the test harness does not capture, and [`skipped`](Self::skipped) lists them.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod asserts { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # asserts::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("asserts::sum")?;
/// sum.assert().at_most(500).not_contains("aes*");
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone)]
pub struct Assert<'a> {
    function: &'a Function,
    skipped: Vec<String>,
}

impl fmt::Debug for Assert<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assert").field("function", self.function).field("skipped", &self.skipped).finish()
    }
}

/// What an assertion found wrong.
struct Fault {
    what: String,
    marks: Vec<Mark>,
    hint: &'static str,
}

const NOT_INLINED: &str = "a function that should have been inlined needs the attribute as well, or `#[inline]` if it is \
                           ordinary code; `report()` says for what each callee was compiled";
const BAD_INSTRUCTION: &str = "the function, or something inlined into it, was compiled with more features than the \
                               name of the clone says";

#[allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "an assertion has done its work when it returns"
)]
impl<'a> Assert<'a> {
    pub(super) fn new(function: &'a Function) -> Self {
        Self { function, skipped: Vec::new() }
    }

    /// The assertions of this chain that were skipped, and so not shown to hold.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod skips { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # skips::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("skips::sum")?;
    /// let assert = sum.assert().no_calls();
    /// for check in assert.skipped() {
    ///     println!("not checked: {check}");
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// An instruction with this mnemonic is there. `*` stands for any text: `"vaes*"`.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod contains { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # contains::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("contains::sum")?;
    /// sum.assert().contains("ret");
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If not.
    #[track_caller]
    pub fn contains(self, mnemonic: &str) -> Self {
        let check = format!("contains(\"{mnemonic}\")");
        self.check(&check, |copy, _| {
            let missing = count(copy, mnemonic) == 0;
            missing.then(|| Fault {
                what: format!("there is no `{mnemonic}`"),
                marks: Vec::new(),
                hint: "an intrinsic that is not inlined is a call in the listing: its features are not enabled there; \
                       a `cfg(target_feature)` that is false leaves the portable code",
            })
        })
    }

    /// No instruction has this mnemonic. `*` stands for any text.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod contains_not { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # contains_not::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("contains_not::sum")?;
    /// sum.assert().not_contains("*aes*");
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If one has.
    #[track_caller]
    pub fn not_contains(self, mnemonic: &str) -> Self {
        let check = format!("not_contains(\"{mnemonic}\")");
        self.check(&check, |copy, number| {
            let marks = matching(copy, number, mnemonic, "not wanted");
            (!marks.is_empty()).then(|| Fault {
                what: format!("`{mnemonic}` is there {} times", marks.len()),
                marks,
                hint: "the marked lines say where",
            })
        })
    }

    /// Exactly so many instructions have this mnemonic. `*` stands for any text.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod counts { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # counts::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("counts::sum")?;
    /// sum.assert().count("aesenc", 0);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If more or fewer have.
    #[track_caller]
    pub fn count(self, mnemonic: &str, times: usize) -> Self {
        let check = format!("count(\"{mnemonic}\", {times})");
        self.check(&check, |copy, number| {
            let found = count(copy, mnemonic);
            (found != times).then(|| Fault {
                what: format!("`{mnemonic}` is there {found} times, not {times}"),
                marks: matching(copy, number, mnemonic, "counted"),
                hint: "more than expected: a loop was unrolled, or code doubled; fewer: part of the work is in another \
                       function (see `report()`) or in a loop",
            })
        })
    }

    /// At least so many instructions have this mnemonic. `*` stands for any text.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod at_least { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # at_least::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("at_least::sum")?;
    /// sum.assert().at_least("ret", 1);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If fewer have.
    #[track_caller]
    pub fn at_least(self, mnemonic: &str, times: usize) -> Self {
        let check = format!("at_least(\"{mnemonic}\", {times})");
        self.check(&check, |copy, number| {
            let found = count(copy, mnemonic);
            (found < times).then(|| Fault {
                what: format!("`{mnemonic}` is there {found} times, not {times} or more"),
                marks: matching(copy, number, mnemonic, "counted"),
                hint: "part of the work is in another function (see `report()`) or in a loop",
            })
        })
    }

    /// At most so many instructions in all.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod at_most { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # at_most::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("at_most::sum")?;
    /// sum.assert().at_most(500);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are more.
    #[track_caller]
    pub fn at_most(self, instructions: usize) -> Self {
        self.check(&format!("at_most({instructions})"), |copy, _| {
            let found = copy.instructions.len();
            (found > instructions).then(|| Fault {
                what: format!("there are {found} instructions, more than {instructions}"),
                marks: Vec::new(),
                hint: "unrolled loops, panics with their messages, and dispatchers of callees are what usually adds up",
            })
        })
    }

    /// Nothing is called: neither by a call nor by a jump to another function, directly or through a pointer.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod no_calls { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # no_calls::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("no_calls::sum")?;
    /// sum.assert().no_calls();
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If something is.
    #[track_caller]
    pub fn no_calls(self) -> Self {
        self.calls("no_calls()", &[])
    }

    /// Nothing is called but what is on the list. An entry is the end of a path (`"memcpy"`, `"helper::mix"`), or a
    /// pattern with `*` for a whole one (`"core::panicking::*"`). An indirect call is on no list.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod no_calls_but { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # no_calls_but::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("no_calls_but::sum")?;
    /// sum.assert().no_calls_except(&["memcpy"]);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If something else is called.
    #[track_caller]
    pub fn no_calls_except(self, allowed: &[&str]) -> Self {
        self.calls(&format!("no_calls_except({allowed:?})"), allowed)
    }

    /// Nothing is called but clones whose target this function has, and what is on the list (as for
    /// [`no_calls_except`](Self::no_calls_except)): every callee that is not inlined has the features too. Calls of what
    /// only panics lose nothing, and are left to [`no_panics`](Self::no_panics).
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod only_clones { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # only_clones::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("only_clones::sum")?;
    /// for clone in &clones {
    ///     if clone.target() != Some(simd_core::asm::Target::Baseline) {
    ///         clone.assert().calls_only_clones_and(&[]);
    ///     }
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If something else is called.
    #[track_caller]
    pub fn calls_only_clones_and(self, allowed: &[&str]) -> Self {
        let function = self.function;
        let features = function.features();
        self.calls_but(&format!("calls_only_clones_and({allowed:?})"), |callee| {
            let fits = |target| left::fits(&features, function.target(), target);
            matches!(callee, Callee::Function { target: Some(target), .. } if fits(*target))
                || callee.name().is_some_and(listing::only_panics)
                || on_list(callee, allowed)
        })
    }

    #[track_caller]
    fn calls(self, check: &str, allowed: &[&str]) -> Self {
        self.calls_but(check, |callee| on_list(callee, allowed))
    }

    #[track_caller]
    fn calls_but(self, check: &str, allowed: impl Fn(&Callee) -> bool) -> Self {
        let function = self.function;
        self.check(check, |copy, number| {
            let mut names = Vec::new();
            let mut marks = Vec::new();
            for call in copy.calls(&function.binary().inner).into_iter().filter(|call| !allowed(&call.callee)) {
                let name = call.callee.to_string();
                marks.push(Mark { copy: number, index: call.index, note: listing::kind(function, &call.callee) });
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            (!marks.is_empty()).then(|| Fault {
                what: format!("it calls {}", quoted(&names)),
                marks,
                hint: NOT_INLINED,
            })
        })
    }

    /// No panic can be reached: neither this function nor any that it calls, however deep, calls into
    /// `core::panicking`, or into what std's panics start with: `std::panicking::begin_panic`, `panic_any` and their like.
    ///
    /// All blocks of the code count, the cold ones too. Calls through pointers and into other libraries are not
    /// followed.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod no_panics { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # no_panics::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("no_panics::sum")?;
    /// sum.assert().no_panics();
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If one can.
    #[track_caller]
    pub fn no_panics(self) -> Self {
        let function = self.function;
        self.check("no_panics()", |copy, number| {
            let hits = function.search(
                copy,
                |callee, _| callee.name().is_some_and(listing::is_panic),
                |path| !listing::is_panic(path),
            );
            let hint = "indexing, slicing, division, `unwrap` and overflow checks are the usual sources; the innermost \
                        function before the panic says which it is";
            ways(number, &hits, "it can panic", hint)
        })
    }

    /// No decision is taken here: no instruction reads the feature words or takes their address, and nothing of
    /// `simd_core::known` is called.
    ///
    /// Callees that decide for themselves are another question:
    /// [`no_dispatch_in_callees`](Self::no_dispatch_in_callees).
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod no_dispatch { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # no_dispatch::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("no_dispatch::sum")?;
    /// for clone in &clones {
    ///     if clone.target() != Some(simd_core::asm::Target::Baseline) {
    ///         clone.assert().no_dispatch();
    ///     }
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If one is; and if the binary has no feature words, so that nothing would be shown.
    #[track_caller]
    pub fn no_dispatch(self) -> Self {
        let function = self.function;
        self.check("no_dispatch()", |copy, number| {
            if function.binary().feature_words().is_none() {
                return Some(no_words());
            }
            let mark = |index| Mark { copy: number, index, note: "decides".to_owned() };
            let marks: Vec<Mark> = copy.dispatches(&function.binary().inner).into_iter().map(mark).collect();
            (!marks.is_empty()).then(|| Fault {
                what: format!("it decides at run time, in {} instructions", marks.len()),
                marks,
                hint: DISPATCHES,
            })
        })
    }

    /// [`no_dispatch`](Self::no_dispatch) for this function and all that it calls, however deep. Calls through pointers
    /// and into other libraries are not followed, nor is what happens in a panic.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod no_dispatch_below { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # no_dispatch_below::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("no_dispatch_below::sum")?;
    /// for clone in &clones {
    ///     if clone.target() != Some(simd_core::asm::Target::Baseline) {
    ///         clone.assert().no_dispatch_in_callees();
    ///     }
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If one of them decides; and if the binary has no feature words.
    #[track_caller]
    pub fn no_dispatch_in_callees(self) -> Self {
        let function = self.function;
        self.no_dispatch().check("no_dispatch_in_callees()", |copy, number| {
            if function.binary().feature_words().is_none() {
                return Some(no_words());
            }
            let inner = &function.binary().inner;
            let hits = function.search(
                copy,
                |callee, code| {
                    callee.name().is_some_and(|name| name.starts_with(DISPATCH))
                        || code.is_some_and(|code| !code.dispatches(inner).is_empty())
                },
                |path| !listing::is_panic(path),
            );
            ways(number, &hits, "a callee decides at run time", DISPATCHES)
        })
    }

    /// Every instruction is one that a CPU with this clone's target has; for the baseline, and for functions that are no
    /// clones, one that the build's own features allow. Holds in debug builds as well.
    ///
    /// On x86 the decoder says what an instruction needs (`tzcnt` passes everywhere, as older CPUs run it as `bsf`). On
    /// aarch64 a table of encodings does; SVE2 counts as SVE there, but for its named parts.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod within_target { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # within_target::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("within_target::sum")?;
    /// for clone in &clones {
    ///     clone.assert().within_target();
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If one is not.
    #[track_caller]
    pub fn within_target(self) -> Self {
        let features = self.function.features();
        self.within("within_target()", features)
    }

    /// As [`within_target`](Self::within_target), for a list of features: `"avx2,pclmulqdq"`. What they imply and what
    /// the build enables is allowed too.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod within_features { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # within_features::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("within_features::sum")?;
    /// # if cfg!(target_arch = "x86_64") {
    /// sum.assert().within_features("sse4.2");
    /// # }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If an instruction needs more, or a name is unknown.
    #[track_caller]
    pub fn within_features(self, names: &str) -> Self {
        let binary = self.function.binary();
        match Features::parse(binary.architecture(), names) {
            Ok(features) => self.within(&format!("within_features(\"{names}\")"), features.union(&binary.enabled)),
            Err(error) => panic!("{error}"),
        }
    }

    #[track_caller]
    fn within(self, check: &str, features: Features) -> Self {
        self.run(check, |copy, number| {
            let mut missing: Vec<String> = Vec::new();
            let mut marks = Vec::new();
            for (index, instruction) in copy.instructions.iter().enumerate() {
                let lacking = instruction.lacking(&features);
                if !lacking.is_empty() {
                    marks.push(Mark { copy: number, index, note: format!("needs {}", lacking.join(", ")) });
                    missing.extend(lacking.into_iter().filter(|name| !missing.contains(name)).collect::<Vec<_>>());
                }
            }
            (!marks.is_empty()).then(|| Fault {
                what: format!("{} instructions need {}, beyond `{features}`", marks.len(), quoted(&missing)),
                marks,
                hint: BAD_INSTRUCTION,
            })
        })
    }

    /// At most so many instructions write into the stack frame. Spilled registers do, and so do local arrays; saving the
    /// caller's registers is not counted.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod stores { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # stores::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("stores::sum")?;
    /// sum.assert().stack_stores_at_most(0);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If more do.
    #[track_caller]
    pub fn stack_stores_at_most(self, stores: usize) -> Self {
        self.check(&format!("stack_stores_at_most({stores})"), |copy, number| {
            let marks: Vec<Mark> = (copy.stack().iter().enumerate())
                .filter(|(_, effect)| effect.stores > 0)
                .map(|(index, effect)| Mark { copy: number, index, note: format!("{} bytes", effect.stores) })
                .collect();
            (marks.len() > stores).then(|| Fault {
                what: format!("{} instructions write to the stack, more than {stores}", marks.len()),
                marks,
                hint: "more values are live at once than there are registers: fewer states at a time, or less unrolling",
            })
        })
    }

    /// The stack frame has at most so many bytes: see [`Function::stack_frame`].
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod frame { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # frame::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("frame::sum")?;
    /// sum.assert().stack_frame_at_most(64);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If it has more.
    #[track_caller]
    pub fn stack_frame_at_most(self, bytes: u64) -> Self {
        self.check(&format!("stack_frame_at_most({bytes})"), |copy, number| {
            let effects = copy.stack();
            let total: u64 = effects.iter().map(|effect| effect.grows).sum();
            (total > bytes).then(|| Fault {
                what: format!("the stack frame has {total} bytes, more than {bytes}"),
                marks: (effects.iter().enumerate())
                    .filter(|(_, effect)| effect.grows > 0)
                    .map(|(index, effect)| Mark { copy: number, index, note: format!("{} bytes", effect.grows) })
                    .collect(),
                hint: "local arrays and spilled registers take the space",
            })
        })
    }

    /// At least one innermost loop computes on vector registers of this many bits or more. Moves, shuffles and
    /// operations on a single lane do not count.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod vectorized { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # vectorized::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("vectorized::sum")?;
    /// # if cfg!(target_arch = "x86_64") {
    /// sum.assert().vectorized(128);
    /// # }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If none does, or there is no loop.
    #[track_caller]
    pub fn vectorized(self, bits: u32) -> Self {
        self.check(&format!("vectorized({bits})"), |copy, number| {
            let loops = copy.loops();
            if loops.iter().any(|l| l.is_innermost && l.width >= bits) {
                return None;
            }
            let marks = loops.iter().filter(|l| l.is_innermost).filter_map(|l| {
                let index = copy.instructions.iter().position(|i| i.address() == l.start)?;
                Some(Mark { copy: number, index, note: format!("{} bits", l.width) })
            });
            Some(Fault {
                what: if loops.is_empty() {
                    "there is no loop: it was unrolled, or it is in another function".to_owned()
                } else {
                    format!("no loop computes on {bits} bits at a time")
                },
                marks: marks.collect(),
                hint: "a call, a panic, an early exit, a dependence between rounds or an unknown step keeps LLVM from \
                       vectorising a loop",
            })
        })
    }

    /// A check that needs optimised code.
    #[track_caller]
    fn check(mut self, check: &str, fault: impl Fn(&Code, usize) -> Option<Fault>) -> Self {
        if self.function.binary().optimization == Optimization::On {
            return self.run(check, fault);
        }
        let line = format!(
            "simd_core::asm: SKIPPED {check} on `{}`: compiled without optimisation, where it says nothing\n",
            self.function.path()
        );
        // Straight to the handle: the harness captures what `eprintln!` writes. Nothing is lost if nobody can read it.
        _ = std::io::stderr().write_all(line.as_bytes());
        self.skipped.push(check.to_owned());
        self
    }

    #[track_caller]
    fn run(self, check: &str, fault: impl Fn(&Code, usize) -> Option<Fault>) -> Self {
        let faults = self.function.code().iter().enumerate().filter_map(|(number, copy)| fault(copy, number));
        let faults: Vec<Fault> = faults.collect();
        let Some(first) = faults.first() else { return self };
        let marks: Vec<Mark> = faults.iter().flat_map(|fault| fault.marks.iter().cloned()).collect();
        panic!(
            "{check} does not hold for `{}`: {}\n{}help: {}\n",
            self.function.path(),
            first.what,
            listing::listing(self.function, &marks),
            first.hint,
        );
    }
}

const DISPATCHES: &str = "a callee's dispatcher is here: its list has a target that this clone does not settle, or this \
                          function has no attribute of its own";

fn no_words() -> Fault {
    Fault {
        what: "this binary has no `simd_core::known::WORDS`, so that nothing can be said of dispatch".to_owned(),
        marks: Vec::new(),
        hint: "it holds no dispatcher at all, or its symbols are not those of simd-core",
    }
}

fn on_list(callee: &Callee, allowed: &[&str]) -> bool {
    callee.name().is_some_and(|name| allowed.iter().any(|entry| path::allowed(entry, name)))
}

fn count(copy: &Code, mnemonic: &str) -> usize {
    copy.instructions.iter().filter(|i| path::glob(mnemonic, i.mnemonic())).count()
}

fn matching(copy: &Code, number: usize, mnemonic: &str, note: &str) -> Vec<Mark> {
    let found = copy.instructions.iter().enumerate().filter(|(_, i)| path::glob(mnemonic, i.mnemonic()));
    found.map(|(index, _)| Mark { copy: number, index, note: note.to_owned() }).collect()
}

/// A fault for chains of calls, each with the call that starts it.
fn ways(number: usize, hits: &[(usize, Vec<String>)], what: &str, hint: &'static str) -> Option<Fault> {
    let (_, first) = hits.first()?;
    Some(Fault {
        what: format!("{what}: `{}`", first.join("` calls `")),
        marks: hits
            .iter()
            .map(|(index, way)| Mark {
                copy: number,
                index: *index,
                note: format!("leads to `{}`", way[way.len() - 1]),
            })
            .collect(),
        hint,
    })
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
