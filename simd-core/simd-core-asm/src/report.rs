//! The calls that are left, in words.

use core::fmt::{self, Write as _};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::binary::Binary;
use crate::clones::Clones;
use crate::code::Code;
use crate::error::Error;
use crate::function::Function;
use crate::left::{self, CallLeft, CalleeKind};
use crate::listing::heading;
use crate::path;
use crate::program::Symbol;
use crate::target::Target;

mod plain;

pub use plain::{Caller, Dispatches};

/// The help for [`Report::multiplied`].
const MULTIPLIED: &str = "  \
  If one only calls closures that it is given, take the attribute off it and
  make it `#[inline]`: it is then inlined into the clones that call it.
";

/// The help for [`Report::callers`].
const CALLERS: &str = "  \
  Each of these calls tests the CPU's features, and cannot be inlined. Annotate
  the caller, unless it only tests or times, or take the attribute off what it
  calls.
";

/// The help for [`Report::hand_written`].
const HAND_WRITTEN: &str = "  \
  Make the callee `#[inline(always)]`, or annotate both in place of the caller's
  `#[target_feature]`.
";

/// The help for instances that have the same path.
const INSTANCES: &str = "\
instances of generic functions have the same names here; newer symbols tell them
apart: RUSTFLAGS=-Csymbol-mangling-version=v0
";

/// The longest line that is not broken.
const WIDTH: usize = 80;

/// The dispatched functions of a program: their clones, and the calls that are left in each.
///
/// Prints as text, a summary first. In optimised code, the clones of a complete tree call clones only, or nothing.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core::dispatch;
///
/// #[dispatch(targets = "avx2 | sse4.1 | aes")]
/// pub fn doubles(values: &mut [u32]) {
///     values.iter_mut().for_each(|value| *value = value.wrapping_mul(2));
/// }
///
/// # doubles(core::hint::black_box(&mut [1, 2]));
/// let report = simd_core_asm::report("doubles")?;
/// for function in report.functions() {
///     println!("{} has {} clones", function.path(), function.clones().len());
/// }
/// println!("{report}");
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Debug)]
pub struct Report {
    functions: Vec<Dispatched>,
    callers: OnceLock<Vec<Caller>>,
}

/// A dispatched function with its clones: part of a [`Report`].
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core::dispatch;
///
/// #[dispatch(targets = "avx2 | sse4.1 | aes")]
/// pub fn halves(values: &mut [u32]) {
///     values.iter_mut().for_each(|value| *value /= 2);
/// }
///
/// # halves(core::hint::black_box(&mut [1, 2]));
/// let report = simd_core_asm::report("halves")?;
/// let halves = &report.functions()[0];
/// assert!(halves.path().ends_with("halves") && halves.clones().iter().all(|clone| clone.target().is_some()));
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Debug)]
pub struct Dispatched {
    path: String,
    clones: Vec<Function>,
    remarks: Vec<Option<String>>,
}

impl Dispatched {
    /// The path of the function, as in its source.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its clones, those with the most features first, with the closures and coroutines in them.
    #[must_use]
    pub fn clones(&self) -> &[Function] {
        &self.clones
    }

    /// The most clones that have the same path: instances of a generic function whose symbols do not name its arguments.
    fn instances(&self) -> usize {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        self.clones.iter().for_each(|clone| *numbers.entry(clone.path()).or_default() += 1);
        numbers.into_values().max().unwrap_or_default()
    }
}

impl Report {
    fn new(functions: Vec<Function>) -> Self {
        let mut groups: BTreeMap<String, Vec<(Order, Function)>> = BTreeMap::new();
        for function in functions {
            let Some((path, inside)) = function.dispatched() else { continue };
            let order = Order::of(&function, inside);
            groups.entry(path).or_default().push((order, function));
        }
        let functions = groups.into_iter().map(|(path, mut clones)| {
            clones.sort_by(|(one, _), (other, _)| one.cmp(other));
            let clones: Vec<Function> = clones.into_iter().map(|(_, clone)| clone).collect();
            Dispatched { path, remarks: vec![None; clones.len()], clones }
        });
        Self { functions: functions.collect(), callers: OnceLock::new() }
    }

    /// The functions, by their paths.
    #[must_use]
    pub fn functions(&self) -> &[Dispatched] {
        &self.functions
    }

    /// The functions without the attribute that call them, those that call from the most places first. Where dispatchers
    /// are inlined, as without debug assertions, each place tests the CPU's features.
    #[must_use]
    pub fn callers(&self) -> &[Caller] {
        self.callers.get_or_init(|| plain::callers(self.clones()))
    }

    /// The functions with a `#[target_feature]` of their own that call vector code of their crate which was compiled
    /// without the features, in the crates of [`functions`](Self::functions); those that call from the most places first.
    #[must_use]
    pub fn hand_written(&self) -> Vec<Caller> {
        plain::hand_written(self.clones())
    }

    fn clones(&self) -> impl Iterator<Item = &Function> + Clone {
        self.functions.iter().flat_map(|function| &function.clones)
    }

    /// Adds a remark to the heading of each clone: whether a certain CPU selects it.
    #[must_use]
    pub fn with_remarks(mut self, remark: impl Fn(&Dispatched, &Function) -> Option<String>) -> Self {
        for function in &mut self.functions {
            let remarks = function.clones.iter().map(|clone| remark(function, clone)).collect();
            function.remarks = remarks;
        }
        self
    }
}

/// The order of clones in a report.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    inside: String,
    is_baseline: bool,
    missing: usize,
    name: String,
}

impl Order {
    fn of(clone: &Function, inside: String) -> Self {
        let (is_baseline, count) = match clone.target() {
            Some(Target::Features(features)) => (false, features.names().count() + clone.properties().len()),
            _ => (true, 0),
        };
        Self { inside, is_baseline, missing: usize::MAX - count, name: name(clone) }
    }
}

/// The target with its properties.
fn name(clone: &Function) -> String {
    let mut name = clone.target().map_or_else(String::new, |target| target.to_string());
    for property in clone.properties() {
        name.extend([",", property]);
    }
    name
}

/// The counts of calls in clones for targets: those that cost something first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    NotDispatched,
    Dispatcher,
    Decision,
    Loses,
    Featured,
    Indirect,
    Memory,
    Import,
    Panic,
    Fits,
}

impl Kind {
    fn of(from: &Function, call: &CallLeft) -> Self {
        match call.kind {
            CalleeKind::Clone(target) if left::fits(&from.features(), from.target(), target) => Self::Fits,
            CalleeKind::Clone(_) => Self::Loses,
            CalleeKind::Dispatcher if call.callee.decides() => Self::Decision,
            CalleeKind::Dispatcher => Self::Dispatcher,
            CalleeKind::Featured(_) => Self::Featured,
            CalleeKind::NotDispatched => Self::NotDispatched,
            CalleeKind::Panic => Self::Panic,
            CalleeKind::Memory => Self::Memory,
            CalleeKind::Import => Self::Import,
            CalleeKind::Indirect => Self::Indirect,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::NotDispatched => "not dispatched: compiled for the build's own features",
            Self::Dispatcher => "dispatchers that were not inlined",
            Self::Decision => "tests of what the CPU has",
            Self::Loses => "clones without all of the caller's features",
            Self::Featured => "hand-written for features that their instructions need",
            Self::Indirect => "known only at run time",
            Self::Import => "in other libraries",
            Self::Memory => "for memory on the heap",
            Self::Panic => "only panic",
            Self::Fits => "clones with the caller's features",
        }
    }
}

/// A number and a noun, both in the singular or the plural.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary(f)?;
        for function in &self.functions {
            write!(f, "\n{function}")?;
        }
        Ok(())
    }
}

impl Report {
    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: u64 = self.clones().flat_map(Function::code).map(|copy| copy.range.end - copy.range.start).sum();
        let (functions, copies) = (self.functions.len(), self.clones().count());
        writeln!(f, "{}, {}, {bytes} bytes", count(functions, "dispatched function"), count(copies, "clone"))?;
        let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
        for clone in self.clones().filter(|clone| matches!(clone.target(), Some(Target::Features(_)))) {
            for call in clone.code().flat_map(|copy| clone.left(copy)) {
                *kinds.entry(Kind::of(clone, &call)).or_default() += call.times;
            }
        }
        if kinds.is_empty() {
            writeln!(f, "no calls are left in the clones for targets")?;
        } else {
            writeln!(f, "calls left in the clones for targets:")?;
            kinds.into_iter().try_for_each(|(kind, number)| writeln!(f, "  {number:>6}  {}", kind.words()))?;
        }
        let title = "calls from unannotated code, in loops or from many places:";
        callers(f, title, &self.hot_callers(), CALLERS)?;
        let title = "calls from hand-written functions to vector code without their features:";
        callers(f, title, &self.hand_written().iter().collect::<Vec<_>>(), HAND_WRITTEN)?;
        let multiplied = self.multiplied();
        if !multiplied.is_empty() {
            writeln!(f, "generic functions with many instances of each clone:")?;
            multiplied.iter().try_for_each(|(path, number)| writeln!(f, "  {number:>6}  of {path}"))?;
            f.write_str(MULTIPLIED)?;
        }
        if self.functions.iter().any(|function| function.instances() > 1) {
            f.write_str(INSTANCES)?;
        }
        Ok(())
    }

    /// Those whose calls may be a large part of their work, without harnesses and benches.
    fn hot_callers(&self) -> Vec<&Caller> {
        let Some(first) = self.clones().next() else { return Vec::new() };
        let crates = self.functions.iter().map(|function| path::of_crate(function.path())).collect();
        let paths: Vec<String> = first.binary.symbols().iter().map(Symbol::path).collect();
        let measures = plain::measures(&paths, &crates);
        self.callers().iter().filter(|caller| caller.is_hot() && !measures(caller.path())).collect()
    }

    /// The generic functions with many instances that are one for each closure, as far as the symbols tell, and the
    /// number of instances of each clone. Symbols of the older mangling do not tell: there each could be.
    #[must_use]
    pub fn multiplied(&self) -> Vec<(String, usize)> {
        /// With fewer, a clone for each costs little.
        const MANY: usize = 4;
        let mut instances: BTreeMap<String, BTreeMap<String, BTreeSet<&str>>> = BTreeMap::new();
        for function in &self.functions {
            let arguments = function.path.rsplit("::").next().filter(|last| last.contains('<'));
            if arguments.is_some_and(|arguments| !arguments.contains("{closure")) && !function.path.contains("{closure")
            {
                continue; // instances for types
            }
            let path = path::parse(&function.path);
            let own =
                function.clones.iter().filter(|clone| clone.dispatched().is_some_and(|(_, in_it)| in_it.is_empty()));
            for clone in own {
                let of = instances.entry(path::join(&path)).or_default();
                of.entry(name(clone)).or_default().insert(clone.symbol());
            }
        }
        let most = instances.into_iter().map(|(path, clones)| {
            let most = clones.values().map(BTreeSet::len).max().unwrap_or_default();
            (path, most)
        });
        most.filter(|&(_, number)| number >= MANY).collect()
    }
}

fn callers(f: &mut fmt::Formatter<'_>, title: &str, callers: &[&Caller], help: &str) -> fmt::Result {
    /// So many callers are shown, and of each so many functions that it calls.
    const SHOWN: (usize, usize) = (8, 4);
    if callers.is_empty() {
        return Ok(());
    }
    writeln!(f, "{title}")?;
    for caller in callers.iter().take(SHOWN.0) {
        writeln!(f, "  {:>6}  in {}:", caller.places(), caller.path())?;
        for call in caller.calls().iter().take(SHOWN.1) {
            let in_loops = if call.in_loops == 0 { String::new() } else { format!(", {} in loops", call.in_loops) };
            writeln!(f, "          {} of {}{in_loops}", call.places, call.path)?;
        }
        if caller.calls().len() > SHOWN.1 {
            writeln!(f, "          and {}", count(caller.calls().len() - SHOWN.1, "more function"))?;
        }
    }
    if callers.len() > SHOWN.0 {
        writeln!(f, "  and in {}", count(callers.len() - SHOWN.0, "more function"))?;
    }
    f.write_str(help)
}

/// The function's path, and its clones with the callees of each.
impl fmt::Display for Dispatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instances = self.instances();
        let instances = if instances > 1 { format!(", {instances} instances") } else { String::new() };
        writeln!(f, "{}{instances}", self.path)?;
        for (clone, remark) in self.clones.iter().zip(&self.remarks) {
            let inside = clone.dispatched().map_or_else(String::new, |(_, inside)| inside);
            let separator = if inside.is_empty() { "" } else { " " };
            for copy in clone.code() {
                let (bytes, instructions) = (copy.range.end - copy.range.start, copy.instructions.len());
                let head = format!("  {}{separator}{inside}: ", name(clone));
                let size = format!("{}, {bytes} bytes", count(instructions, "instruction"));
                let remark = remark.as_ref().map_or_else(String::new, |remark| format!("; {remark}"));
                if head.chars().count() + size.len() + remark.chars().count() <= WIDTH || remark.is_empty() {
                    writeln!(f, "{head}{size}{remark}")?;
                } else {
                    writeln!(f, "{head}{size};\n      {}", &remark[2..])?;
                }
                calls(f, clone, copy)?;
            }
        }
        Ok(())
    }
}

fn calls(out: &mut impl fmt::Write, from: &Function, copy: &Code) -> fmt::Result {
    let left = from.left(copy);
    if left.is_empty() {
        return writeln!(out, "    no calls");
    }
    for CallLeft { callee, kind, times, is_tail, is_lone_in_loop } in left {
        let times = if times == 1 { String::new() } else { format!(" ({times} times)") };
        let verb = if is_tail { "jumps to" } else { "calls" };
        let call = format!("    {verb} {callee}{times}:");
        let lone = if is_lone_in_loop { left::LONE } else { "" };
        let what = left::describe(from.target(), &callee, kind) + lone;
        let fits = call.chars().count() + 1 + what.chars().count() <= WIDTH;
        writeln!(out, "{call}{}{what}", if fits { " " } else { "\n      " })?;
    }
    Ok(())
}

impl CallLeft {
    /// The callee's kind in words, as in a report, for a call from `caller`.
    #[must_use]
    pub fn describe(&self, caller: &Function) -> String {
        let lone = if self.is_lone_in_loop { left::LONE } else { "" };
        left::describe(caller.target(), &self.callee, self.kind) + lone
    }
}

impl Function {
    /// [`calls_left`](Self::calls_left) in words, for each copy of the code.
    #[must_use]
    pub fn report(&self) -> String {
        let mut out = String::new();
        for copy in self.code() {
            _ = writeln!(out, "{}", heading(self, copy));
            _ = calls(&mut out, self, copy);
        }
        out
    }
}

impl Clones {
    /// The [`Function::report`] of each.
    #[must_use]
    pub fn report(&self) -> String {
        self.iter().map(Function::report).collect::<Vec<_>>().join("\n")
    }
}

impl Binary {
    /// The clones of [`clones_in`](Self::clones_in) by function, with the calls that are left in each clone, and
    /// whether each callee is a clone, a dispatcher, or not dispatched.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    pub fn report(&self, part: &str) -> Result<Report, Error> {
        Ok(Report::new(self.clones_in(part)?))
    }
}
